/* Widths of a sweep on a device, parts of its work, shapes of its launches. */
#include "gpu/sweep/plan.h"

#include <math.h>

enum {
    SHORT_WORD_BITS = 32,
    WARP_THREADS = 32,
    LEAST_GROUP_THREADS = 8, /* 128 bytes: one transaction of the cache */
    CACHED_BYTES = 32 << 20, /* of the L2 cache, for a slice of all lines */
    MOST_GROUP_PARTS = 8,    /* 256 units, so that few rows are cut: these cost atomic additions */
    SM_THREADS = 2 * 2048    /* twice the threads of a multiprocessor, if there is work for them */
};

/* ---- Widths ---------------------------------------------------------------------------------- */

pci_gpu_sweep_plan pci_gpu_sweep_plan_of(const pc_graph *graph, const pci_sweep_options *options)
{
    const uint64_t group = PCI_SWEEP_LANE_GROUP,
                   n_groups = (options->n_vectors + group - 1) / group;
    double widest = pci_sweep_widest(graph, options);
    pci_gpu_sweep_plan plan = {.n_lanes = (n_groups ? n_groups : 1) * group,
                               .limb_bits = pci_sweep_limb_bits(graph, widest)};
    plan.has_headroom = pci_sweep_has_headroom(widest, plan.limb_bits);
    double n_limbs = ceil(widest / plan.limb_bits);
    uint64_t lane_bytes = plan.n_lanes * sizeof(uint64_t);
    if (n_limbs > UINT32_MAX ||
        __builtin_mul_overflow(lane_bytes, (uint64_t)n_limbs, &plan.line_bytes))
        plan.line_bytes = UINT64_MAX;
    else if (widest <= SHORT_WORD_BITS)
        plan.line_bytes /= 2;
    return plan;
}

void pci_gpu_sweep_widths(const pci_gpu_sweep_plan *plan, const pc_graph *graph,
                          const pci_sweep_options *options, pci_gpu_sweep_width *widths)
{
    bool is_short = true;
    for (uint64_t s = 0; s < pci_sweep_n_widths(options); s++) {
        double bits = pci_sweep_bits_after(graph, options, s);
        is_short = is_short && bits <= SHORT_WORD_BITS;
        widths[s] = (pci_gpu_sweep_width){is_short ? sizeof(uint32_t) : sizeof(uint64_t),
                                          (uint32_t)ceil(bits / plan->limb_bits)};
    }
}

uint64_t pci_gpu_sweep_block_bytes(const pci_gpu_sweep_plan *plan, uint64_t n)
{
    uint64_t bytes;
    if (plan->line_bytes == UINT64_MAX || __builtin_mul_overflow(plan->line_bytes, n, &bytes) ||
        bytes > UINT64_MAX / 4)
        return UINT64_MAX;
    return bytes;
}

/* ---- Work ------------------------------------------------------------------------------------ */

void pci_gpu_sweep_first_rows(const uint64_t *row_start, uint64_t n, uint32_t *first_row)
{
    uint64_t n_parts = pci_gpu_sweep_n_parts(n, row_start[n]), row = 0;
    for (uint64_t p = 0; p < n_parts; p++) {
        while (row_start[row + 1] + row + 1 <= p * PCI_SWEEP_PART_WORK)
            row++;
        first_row[p] = (uint32_t)row;
    }
    first_row[n_parts] = (uint32_t)n;
}

static uint64_t divide_up(uint64_t a, uint64_t b)
{
    return (a + b - 1) / b;
}

/* As many threads as a line has pieces, up to a warp. Fewer where the cache could not hold the
 * slices of all vertices, or where fewer threads would be idle beyond the end of the line. */
static uint32_t group_threads_for(uint64_t n, uint64_t n_pieces)
{
    uint32_t threads = 1;
    while (threads < WARP_THREADS && threads < n_pieces)
        threads *= 2;
    while (threads > LEAST_GROUP_THREADS &&
           (n > CACHED_BYTES / PCI_SWEEP_PIECE_BYTES / threads ||
            divide_up(n_pieces, threads / 2) < 2 * divide_up(n_pieces, threads)))
        threads /= 2;
    return threads;
}

pci_gpu_sweep_shape pci_gpu_sweep_shape_of(uint64_t n, uint64_t n_arcs, uint64_t n_pieces,
                                           int n_sms)
{
    pci_gpu_sweep_shape shape = {.group_threads = group_threads_for(n, n_pieces),
                                 .group_parts = MOST_GROUP_PARTS};
    uint64_t n_parts = pci_gpu_sweep_n_parts(n, n_arcs);
    shape.n_slices = (uint32_t)divide_up(n_pieces, shape.group_threads);
    uint64_t part_threads = (uint64_t)shape.n_slices * shape.group_threads;
    while (shape.group_parts > 1 &&
           n_parts / shape.group_parts * part_threads < (uint64_t)n_sms * SM_THREADS)
        shape.group_parts /= 2;
    shape.n_groups = divide_up(n_parts, shape.group_parts);
    shape.slice_blocks = divide_up(shape.n_groups, PCI_SWEEP_BLOCK_THREADS / shape.group_threads);
    return shape;
}

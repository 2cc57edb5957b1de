/* The device memory that a run needs. */
#include "gpu/engine/needs.h"

enum {
    STRIP_BYTES = 192 << 20,
    N_DIGITS = 3,
    MOST_SPLIT_ROUNDS = 4, /* that a list has beyond those of a longer one that is not split */
    ACCUMULATORS = 3       /* of a product of wide residues */
};

static uint32_t min_u32(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t max_u32(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

uint32_t pci_gpu_strip_tiles(const pci_gpu_layout *layout)
{
    uint64_t tile_row_bytes =
        (uint64_t)ACCUMULATORS * PCI_TILE * layout->n_padded * sizeof(int32_t);
    uint32_t n_tiles = layout->n_padded / PCI_TILE;
    return min_u32(n_tiles, max_u32(1, (uint32_t)(STRIP_BYTES / tile_row_bytes)));
}

/* Of a list and of those with fewer jobs or rows, whose tiles may be split. */
static uint64_t list_bytes(const pci_gpu_device *device, uint32_t n_tiles, uint32_t n_jobs,
                           bool symmetric)
{
    pci_tile_shape shape = pci_gpu_shape(device->kernel, device->n_sms, n_tiles, n_jobs, symmetric);
    uint32_t n_more = shape.may_split ? MOST_SPLIT_ROUNDS * shape.n_blocks : 0;
    shape.may_split = false;
    return (pci_tiles_capacity(&shape) + n_more) * sizeof(uint32_t);
}

/* Products of wide residues are made in strips, the others as a whole. */
static uint64_t larger_list_bytes(const pci_gpu_device *device, uint32_t n_tiles, uint32_t n_jobs,
                                  bool symmetric)
{
    uint64_t strips = list_bytes(device, n_tiles, n_jobs, false);
    uint64_t whole = list_bytes(device, n_tiles, n_jobs, symmetric);
    return strips > whole ? strips : whole;
}

static uint64_t largest_list_bytes(const pci_gpu_device *device, const pci_gpu_workload *work,
                                   uint32_t n_batch)
{
    uint32_t n_tiles = work->layout.n_padded / PCI_TILE, n_jobs = max_u32(n_batch, ACCUMULATORS);
    uint64_t squares = larger_list_bytes(device, n_tiles, n_jobs, work->symmetric);
    if (!work->n_blocks)
        return squares;
    uint32_t n_reduced = pci_gpu_layout_of(work->n_blocks).n_padded / PCI_TILE;
    uint64_t reduced = larger_list_bytes(device, n_reduced, n_jobs, work->symmetric);
    return squares > reduced ? squares : reduced;
}

/* Planes beside those of P that one launch needs: results, and right operands that are not the left
 * one. A reduced product has two operands that are not planes of P. Its results take slots of
 * planes of P that are free by then. A plain P stays. */
static uint32_t n_work_slots(const pci_gpu_workload *work, uint32_t n_results)
{
    if (work->n_blocks)
        return 2 * n_results + 1;
    return n_results * (work->symmetric ? 1 : 2);
}

pci_gpu_needs pci_gpu_needs_of(const pci_gpu_device *device, const pci_gpu_workload *work,
                               uint32_t n_batch)
{
    const pci_gpu_layout *layout = &work->layout;
    bool has_wide = work->n_most > work->n_narrow;
    uint32_t n_wide = has_wide ? work->n_most - work->n_narrow : 0;
    uint32_t n_planes = work->n_most ? work->n_most + 2 * n_wide : 1;
    if (!n_batch) /* slots for the operands of a product of digits are at least as many */
        n_batch = max_u32(
            N_DIGITS, pci_gpu_batch(device->n_sms, layout->n_padded / PCI_TILE, work->symmetric));
    n_batch = min_u32(n_batch, min_u32(n_planes, work->n_narrow));
    pci_gpu_needs needs = {
        .n_planes = n_planes,
        .n_batch = n_batch,
        .n_slots = n_planes + n_work_slots(work, max_u32(n_batch, has_wide ? 3 : 1)),
        .raw_bytes = has_wide ? (uint64_t)ACCUMULATORS * pci_gpu_strip_tiles(layout) * PCI_TILE *
                                    layout->n_padded * sizeof(int32_t)
                              : 0,
        .graph_bytes = (layout->n + UINT64_C(1)) * sizeof(uint64_t) +
                       work->n_arcs * (sizeof(uint32_t) + (work->weighted ? sizeof(uint64_t) : 0)),
        .weights_bytes = work->weighted ? ACCUMULATORS * work->n_arcs : 0,
        .blocks_bytes = work->n_blocks
                            ? (work->n_blocks + UINT64_C(1)) * sizeof(uint64_t) +
                                  layout->n * sizeof(uint32_t) +
                                  (layout->n_padded / PCI_TILE + UINT64_C(1)) * sizeof(uint32_t)
                            : 0,
    };
    needs.arena_bytes = needs.n_slots * layout->plane_bytes;
    needs.tiles_bytes = largest_list_bytes(device, work, n_batch);
    return needs;
}

bool pci_gpu_fit_into(uint64_t available_bytes, const pci_gpu_device *device,
                      const pci_gpu_workload *work, uint32_t n_devices, bool may_be_out_of_core,
                      pci_gpu_fit *fit)
{
    bool can_share = n_devices == 1 && may_be_out_of_core && work->n_most <= PCI_N_NARROW;
    uint32_t most_shares = can_share ? max_u32(1, work->n_most) : n_devices;
    for (uint32_t n_shares = n_devices; n_shares <= most_shares; n_shares++) {
        pci_gpu_workload share = *work;
        share.n_most = (work->n_most + n_shares - 1) / n_shares;
        if (work->n_most > PCI_N_NARROW)
            share.n_narrow = PCI_N_NARROW / n_shares;
        pci_gpu_needs needs = pci_gpu_needs_of(device, &share, 0);
        for (;;) {
            *fit = (pci_gpu_fit){n_shares, needs.n_batch, pci_gpu_needs_bytes(&needs)};
            if (fit->bytes + PCI_GPU_ROWS_BYTES <= available_bytes)
                return true;
            if (needs.n_batch == 1)
                break;
            needs = pci_gpu_needs_of(device, &share, needs.n_batch / 2);
        }
    }
    return false;
}

uint64_t pci_gpu_needs_bytes(const pci_gpu_needs *needs)
{
    return needs->arena_bytes + needs->tiles_bytes + needs->raw_bytes + needs->graph_bytes +
           needs->weights_bytes + needs->blocks_bytes;
}

/* Steps of sweeps on a GPU. What is decided on the host is held against its definition, without a
 * GPU; sums from each width of words to each other against those of the plain kernel, byte for
 * byte. */
#ifdef PATHCOUNT_WITH_CUDA
#include "tests/support/fixture.h"

#include "gpu/sweep/sweep.h"
#include "tests/gpu/gpu_device.h"

#include <math.h>
#include <stdlib.h>

/* ---- Decided on the host --------------------------------------------------------------------- */

/* A graph of nothing but what is looked at: rows of arcs, and weights or none. */
static pc_graph bare_graph(uint64_t n, uint64_t *row_start, uint64_t *weight)
{
    return (pc_graph){.n = n, .row_start = row_start, .weight = weight};
}

/* log2 of 0, 1, ... and of what is just below and above a power of two. */
static double any_bits(random_source *random)
{
    static const double bits[] = {0,  0.5, 1,       31, 31.9999, 32,  32.5,
                                  59, 63,  63.9999, 64, 64.5,    1000};
    return bits[random_below(random, sizeof bits / sizeof *bits)] * (double)random_below(random, 2);
}

static void check_widths(random_source *random, uint64_t largest_sum)
{
    enum { LENGTH = 6 };
    double bits[LENGTH + 1], widest = 1;
    uint64_t row_start[3] = {0, 0, 1}, weight = largest_sum;
    pc_graph graph = bare_graph(2, row_start, &weight);
    pci_sweep_options options = {
        1 + (uint32_t)random_below(random, 300), LENGTH, bits, 0, 1, 0, 0, false};
    for (int s = 0; s <= LENGTH; s++) {
        bits[s] = any_bits(random);
        widest = fmax(widest, floor(bits[s]) + 1);
    }
    pci_gpu_sweep_width width[LENGTH + 1];
    pci_gpu_sweep_plan plan = pci_gpu_sweep_plan_of(&graph, &options);
    pci_gpu_sweep_widths(&plan, &graph, &options, width);
    CU_ASSERT(plan.n_lanes >= options.n_vectors && plan.n_lanes < options.n_vectors + 4 &&
              plan.n_lanes % 4 == 0);
    if (widest <= 64)
        CU_ASSERT(plan.has_headroom && plan.limb_bits == 64);
    if (widest > 64 && largest_sum > UINT64_C(1) << 32)
        CU_ASSERT(!plan.has_headroom && plan.limb_bits == 64);
    if (widest > 64 && largest_sum <= UINT64_C(1) << 32) {
        CU_ASSERT(plan.has_headroom && plan.limb_bits >= 32 && plan.limb_bits < 64);
        CU_ASSERT((unsigned __int128)largest_sum << plan.limb_bits <= (unsigned __int128)1 << 64);
    }
    for (int s = 0; s <= LENGTH; s++) {
        uint64_t line = pci_gpu_sweep_line_bytes(&plan, width[s]);
        double limb = width[s].n_limbs > 1 ? plan.limb_bits : 8 * width[s].word_bytes;
        CU_ASSERT(limb * width[s].n_limbs >= floor(bits[s]) + 1);
        CU_ASSERT(width[s].word_bytes == 8 || (width[s].word_bytes == 4 && width[s].n_limbs == 1));
        CU_ASSERT(s == 0 || width[s].word_bytes >= width[s - 1].word_bytes);
        CU_ASSERT(line <= plan.line_bytes && line % PCI_SWEEP_PIECE_BYTES == 0);
        /* what is added up as a limb with headroom has it */
        CU_ASSERT(widest <= 64 || !plan.has_headroom || width[s].n_limbs > 1 ||
                  floor(bits[s]) + 1 <= plan.limb_bits);
    }
}

TEST("widths of steps hold their entries")
{
    random_source random = {.state = 401};
    for (int trial = 0; trial < 3000; trial++) {
        uint64_t power = UINT64_C(1) << random_below(&random, 64);
        check_widths(&random, power - 1 + random_below(&random, 3) + (power == 1));
    }
    check_widths(&random, UINT64_MAX);
}

/* Rows of few arcs, of none, and some of very many. */
static uint64_t *random_rows(random_source *random, uint64_t n)
{
    uint64_t *row_start = host_alloc((n + 1) * sizeof *row_start), n_arcs = 0;
    for (uint64_t i = 0; i < n; i++) {
        row_start[i] = n_arcs;
        switch (random_below(random, 16)) {
        case 0:
            n_arcs += random_below(random, 2000);
            break;
        case 1:
        case 2:
            break;
        default:
            n_arcs += random_below(random, 12);
        }
    }
    row_start[n] = n_arcs;
    return row_start;
}

/* The row of each unit of work, one after the other: arcs of a row, then its end. */
TEST("parts of the work begin in the right rows")
{
    random_source random = {.state = 409};
    for (int trial = 0; trial < 200; trial++) {
        uint64_t n = 1 + random_below(&random, 100), *row_start = random_rows(&random, n);
        uint64_t n_parts = pci_gpu_sweep_n_parts(n, row_start[n]), work = 0, n_wrong = 0;
        OWNED(uint32_t) *first_row = host_alloc((n_parts + 1) * sizeof *first_row);
        pci_gpu_sweep_first_rows(row_start, n, first_row);
        for (uint64_t i = 0; i < n; i++)
            for (uint64_t unit = row_start[i]; unit <= row_start[i + 1]; unit++, work++)
                if (work % PCI_SWEEP_PART_WORK == 0)
                    n_wrong += first_row[work / PCI_SWEEP_PART_WORK] != i;
        CU_ASSERT(n_wrong == 0 && first_row[n_parts] == n);
        CU_ASSERT((work + PCI_SWEEP_PART_WORK - 1) / PCI_SWEEP_PART_WORK == n_parts);
        free(row_start);
    }
}

/* Groups have every piece of every part, no thread more than it must. */
TEST("shapes of launches cover the work")
{
    random_source random = {.state = 419};
    for (int trial = 0; trial < 5000; trial++) {
        uint64_t n = 1 + (random_u64(&random) >> (32 + random_below(&random, 32)));
        uint64_t n_arcs = random_u64(&random) >> (28 + random_below(&random, 36));
        uint64_t n_pieces = 1 + random_below(&random, random_below(&random, 2) ? 40 : 2000);
        pci_gpu_sweep_shape s =
            pci_gpu_sweep_shape_of(n, n_arcs, n_pieces, 1 + (int)random_below(&random, 200));
        uint64_t n_parts = pci_gpu_sweep_n_parts(n, n_arcs), threads = s.group_threads;
        CU_ASSERT(threads >= 1 && threads <= 32 && (threads & (threads - 1)) == 0);
        CU_ASSERT(threads * s.n_slices >= n_pieces && threads * (s.n_slices - 1) < n_pieces);
        CU_ASSERT(s.n_groups * s.group_parts >= n_parts);
        CU_ASSERT((s.n_groups - 1) * s.group_parts < n_parts);
        CU_ASSERT(s.slice_blocks * PCI_SWEEP_BLOCK_THREADS >= s.n_groups * threads);
        CU_ASSERT((s.slice_blocks - 1) * PCI_SWEEP_BLOCK_THREADS < s.n_groups * threads);
    }
}

/* What cannot be is said to need more memory than there is. */
TEST("bytes of what cannot be")
{
    double bits[3] = {1, 40, 100};
    uint64_t row_start[2] = {0, 0};
    pc_graph graph = bare_graph(1, row_start, NULL);
    pci_sweep_options options = {16, 2, bits, 0, 1, 0, 0, false};
    CU_ASSERT(pci_gpu_sweeps.bytes(&graph, &options) < 16 << 20);
    options.n_vectors = UINT32_MAX;
    bits[1] = 1e12;
    CU_ASSERT(pci_gpu_sweeps.bytes(&graph, &options) == UINT64_MAX);
    bits[1] = INFINITY;
    CU_ASSERT(pci_gpu_sweeps.bytes(&graph, &options) == UINT64_MAX);
}

/* ---- A step beside the plain kernel ---------------------------------------------------------- */

/* A graph on the device, and what its rows add up to. */
typedef struct device_graph {
    uint64_t n, n_arcs;
    device_block row_start, column, weight, first_row;
    bool weighted;
    uint32_t sum_bits; /* no row sum is above 2^sum_bits */
} device_graph;

static device_graph device_graph_make(random_source *random, uint64_t n, bool weighted)
{
    device_graph g = {.n = n, .weighted = weighted, .sum_bits = weighted ? 25 : 13};
    OWNED(uint64_t) *row_start = random_rows(random, n);
    g.n_arcs = row_start[n];
    uint64_t n_parts = pci_gpu_sweep_n_parts(n, g.n_arcs);
    OWNED(uint32_t) *column = host_alloc(g.n_arcs * sizeof *column);
    OWNED(uint64_t) *weight = host_alloc(g.n_arcs * sizeof *weight);
    OWNED(uint32_t) *first_row = host_alloc((n_parts + 1) * sizeof *first_row);
    for (uint64_t a = 0; a < g.n_arcs; a++) {
        column[a] = (uint32_t)random_below(random, n);
        weight[a] = 1 + random_below(random, random_below(random, 4) ? 3 : 1 << 12);
    }
    pci_gpu_sweep_first_rows(row_start, n, first_row);
    g.row_start = device_copy_of(row_start, (n + 1) * sizeof *row_start);
    g.column = device_copy_of(column, g.n_arcs * sizeof *column);
    g.weight = device_copy_of(weight, g.n_arcs * sizeof *weight);
    g.first_row = device_copy_of(first_row, (n_parts + 1) * sizeof *first_row);
    return g;
}

static void device_graph_free(device_graph *g)
{
    device_free(&g->row_start);
    device_free(&g->column);
    device_free(&g->weight);
    device_free(&g->first_row);
}

/* One way from a width to another. */
typedef struct way {
    uint32_t limb_bits; /* 0: what headroom leaves */
    pci_gpu_sweep_width in, out;
} way;

static const way ways[] = {
    {64, {4, 1}, {4, 1}}, {64, {4, 1}, {8, 1}}, {64, {8, 1}, {8, 1}}, {0, {4, 1}, {8, 1}},
    {0, {4, 1}, {8, 2}},  {0, {8, 1}, {8, 1}},  {0, {8, 1}, {8, 2}},  {0, {8, 2}, {8, 2}},
    {0, {8, 2}, {8, 3}},  {0, {8, 3}, {8, 6}},  {0, {8, 5}, {8, 5}},  {0, {8, 4}, {8, 2}},
};
enum { N_WAYS = sizeof ways / sizeof *ways };

/* Any words modulo 2^32 or 2^64; limbs such that sums fit those that are summed. */
static device_block random_words(random_source *random, const way *w, const device_graph *g,
                                 uint32_t limb_bits, uint64_t n_lanes)
{
    uint64_t n_words = g->n * n_lanes * w->in.n_limbs, mask = UINT64_MAX >> (64 - limb_bits);
    OWNED(uint64_t) *words = host_alloc(n_words * sizeof *words);
    for (uint64_t i = 0; i < n_words; i++) {
        uint64_t limb = i / n_lanes % w->in.n_limbs;
        words[i] = random_below(random, 8) ? random_u64(random) & mask : mask;
        if (limb_bits < 64 && limb + 1 == w->out.n_limbs)
            words[i] >>= g->sum_bits;
        if (limb >= w->out.n_limbs)
            words[i] = 0;
        if (w->in.word_bytes == 4)
            ((uint32_t *)words)[i] = (uint32_t)words[i];
    }
    device_block block = device_copy_of(words, n_words * w->in.word_bytes);
    return block;
}

static uint64_t n_different_bytes(const device_block *a, const device_block *b)
{
    OWNED(uint8_t) *of_a = host_alloc(a->bytes), *of_b = host_alloc(b->bytes);
    uint64_t n_different = 0;
    device_read(a, of_a);
    device_read(b, of_b);
    for (size_t i = 0; i < a->bytes; i++)
        n_different += of_a[i] != of_b[i];
    return n_different;
}

static void check_way(random_source *random, const way *w, const device_graph *g, uint64_t n_lanes,
                      int n_sms)
{
    uint32_t limb_bits = w->limb_bits ? w->limb_bits : 64 - g->sum_bits;
    uint64_t out_bytes = g->n * n_lanes * w->out.n_limbs * w->out.word_bytes;
    OWNED(device_block) in = random_words(random, w, g, limb_bits, n_lanes);
    OWNED(device_block) out = device_alloc(out_bytes), plain = device_alloc(out_bytes);
    pci_gpu_sweep_pass pass = {
        .graph = {g->n, g->n_arcs, (const uint64_t *)g->row_start.at,
                  (const uint32_t *)g->column.at,
                  g->weighted ? (const uint64_t *)g->weight.at : NULL},
        .first_row = (const uint32_t *)g->first_row.at,
        .in = {g->n, n_lanes, limb_bits, w->in, in.at},
        .out = {g->n, n_lanes, limb_bits, w->out, out.at},
        .n_sms = n_sms,
    };
    must(pci_gpu_sweep_sum(&pass, NULL), "sums");
    pass.out.words = plain.at;
    must(pci_gpu_sweep_sum_plain(&pass, NULL), "plain sums");
    CU_ASSERT(n_different_bytes(&out, &plain) == 0);
}

/* Lanes that make one piece, lines that are no whole slices, and several slices. */
TEST("each way from width to width beside the plain kernel")
{
    static const uint64_t lanes[] = {4, 8, 12, 16, 36, 64, 200};
    random_source random = {.state = 421};
    need_any_gpu();
    for (int trial = 0; trial < (is_small_run() ? 2 : 14); trial++) {
        uint64_t n = trial % 3 ? 1 + random_below(&random, 300) : 1 + random_below(&random, 6);
        device_graph g = device_graph_make(&random, n, trial % 2);
        for (unsigned w = 0; w < N_WAYS; w++)
            check_way(&random, &ways[w], &g, lanes[trial % 7], trial % 4 ? 1 : 132);
        device_graph_free(&g);
    }
}

#endif

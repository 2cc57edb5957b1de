/* The kernels that work on planes entry by entry, each alone, against 64-bit arithmetic on the
 * host: transposition, loading and splitting, the sparse step, and accumulators to residues. */
#ifdef PATHCOUNT_WITH_CUDA
#include "tests/support/fixture.h"

#include "gpu/engine/entrywise.h"
#include "src/residues/residues.h"
#include "tests/gpu/gpu_device.h"

#include <stdlib.h>
#include <string.h>

/* ---- Planes ---------------------------------------------------------------------------------- */

/* Rows first_row .. of whole planes hold the residues of values[n_rows][n], and all other rows are
 * as before. */
static uint64_t n_wrong_in_strip(const pci_gpu_layout *layout, uint64_t first_row, uint64_t n_rows,
                                 pci_gpu_modulus modulus, const device_block *planes,
                                 const int8_t *before, const int64_t *values)
{
    size_t begin = first_row * layout->n_padded, bytes = n_rows * layout->n_padded;
    uint32_t n_digits = modulus.wide ? 3 : 1;
    OWNED(int8_t) *after = host_alloc(planes->bytes), *rows = host_alloc(n_digits * bytes);
    device_read(planes, after);
    for (uint32_t d = 0; d < n_digits; d++) {
        size_t at = d * layout->plane_bytes + begin;
        memcpy(rows + d * bytes, after + at, bytes);
        memcpy(after + at, before + at, bytes);
    }
    uint64_t n_wrong = memcmp(before, after, planes->bytes) != 0;
    n_wrong += n_wrong_residues(layout, n_rows, modulus, rows, values);
    return n_wrong;
}

TEST("transposition")
{
    random_source random = {601};
    need_any_gpu();
    for (unsigned s = 0; s < N_PLANE_SIZES + 1; s++) {
        pci_gpu_layout layout = pci_gpu_layout_of(s < N_PLANE_SIZES ? plane_sizes[s] : 700);
        OWNED(int8_t) *host = host_alloc(layout.plane_bytes),
                      *after = host_alloc(layout.plane_bytes);
        for (size_t i = 0; i < layout.plane_bytes; i++)
            host[i] = (int8_t)random_byte(&random);
        OWNED(device_block) from = device_copy_of(host, layout.plane_bytes);
        OWNED(device_block) to = device_alloc(layout.plane_bytes);
        must(pci_gpu_transpose(&layout, (int8_t *)from.at, (int8_t *)to.at, NULL), "transposing");
        device_read(&to, after);
        uint64_t n_wrong = 0;
        for (size_t i = 0; i < layout.n_padded; i++)
            for (size_t j = 0; j < layout.n_padded; j++)
                n_wrong += after[j * layout.n_padded + i] != host[i * layout.n_padded + j];
        CU_ASSERT(n_wrong == 0);
    }
}

/* ---- Graphs ---------------------------------------------------------------------------------- */

enum weights { NO_WEIGHTS, SMALL_WEIGHTS /* up to 127 */, ANY_WEIGHTS };

typedef struct test_graph {
    uint64_t n, n_arcs;
    uint64_t *row_start, *weight; /* weight: 1 each when there are none */
    uint32_t *column;
    device_block starts, columns, weights;
    pci_gpu_graph device; /* what kernels are given */
} test_graph;

static uint64_t random_weight(random_source *random, enum weights kind)
{
    if (kind == NO_WEIGHTS)
        return 1;
    if (kind == SMALL_WEIGHTS)
        return 1 + random_below(random, 127);
    return random_below(random, 4) ? random_u64(random) | 1 : UINT64_MAX;
}

/* One row in eight is empty, one is full. */
static test_graph graph_make(random_source *random, uint32_t n, enum weights kind)
{
    test_graph g = {.n = n};
    g.row_start = host_alloc((n + 1) * sizeof *g.row_start);
    g.column = host_alloc((size_t)n * n * sizeof *g.column);
    g.weight = host_alloc((size_t)n * n * sizeof *g.weight);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t dice = random_below(random, 8), density = dice == 0 ? 0 : dice == 1 ? 100 : 7;
        g.row_start[i] = g.n_arcs;
        for (uint32_t j = 0; j < n; j++)
            if (random_below(random, 100) < density) {
                g.column[g.n_arcs] = j;
                g.weight[g.n_arcs++] = random_weight(random, kind);
            }
    }
    g.row_start[n] = g.n_arcs;
    g.starts = device_copy_of(g.row_start, (n + 1) * sizeof *g.row_start);
    g.columns = device_copy_of(g.column, g.n_arcs * sizeof *g.column);
    g.weights = device_copy_of(g.weight, g.n_arcs * sizeof *g.weight);
    g.device =
        (pci_gpu_graph){.n = n,
                        .n_arcs = g.n_arcs,
                        .row_start = (const uint64_t *)g.starts.at,
                        .column = (const uint32_t *)g.columns.at,
                        .weight = kind == NO_WEIGHTS ? NULL : (const uint64_t *)g.weights.at};
    return g;
}

static void graph_free(test_graph *g)
{
    free(g->row_start);
    free(g->column);
    free(g->weight);
    device_free(&g->starts);
    device_free(&g->columns);
    device_free(&g->weights);
}

/* Small enough for a signed word, and congruent. */
static int64_t reduced(uint64_t value, uint32_t m)
{
    return m ? (int64_t)(value % m) : (int64_t)value;
}

static pci_gpu_modulus plain_modulus(void)
{
    return (pci_gpu_modulus){.reduction = reduction_of(256)};
}

/* Moduli by kind: 0 plain, 1.. narrow, then wide. */
static pci_gpu_modulus some_modulus(unsigned kind)
{
    static const uint32_t index[] = {0, 1, 25, PCI_N_NARROW - 1, PCI_N_NARROW, PCI_N_NOT_FULL - 1};
    return kind == 0 ? plain_modulus() : modulus_at(index[kind - 1]);
}

enum { N_MODULUS_KINDS = 7 };

static void check_load(const test_graph *g, pci_gpu_modulus modulus)
{
    pci_gpu_layout layout = pci_gpu_layout_of(g->n);
    uint32_t n_digits = modulus.wide ? 3 : 1;
    OWNED(device_block) planes = device_alloc(n_digits * layout.plane_bytes); /* poison all over */
    digit_pointers p = digits_at(&planes, layout.plane_bytes, 0);
    must(pci_gpu_load(&g->device, &layout, modulus, p.digit, NULL), "loading");

    OWNED(int8_t) *after = host_alloc(planes.bytes);
    OWNED(int64_t) *values = calloc(g->n * g->n, sizeof *values);
    CU_ASSERT_FATAL(values != NULL);
    for (uint64_t i = 0; i < g->n; i++)
        for (uint64_t a = g->row_start[i]; a < g->row_start[i + 1]; a++)
            values[i * g->n + g->column[a]] = reduced(g->weight[a], modulus.m);
    device_read(&planes, after);
    CU_ASSERT(n_wrong_residues(&layout, layout.n_padded, modulus, after, values) == 0);
}

static void check_split_weights(const test_graph *g, pci_gpu_modulus modulus)
{
    uint32_t n_digits = modulus.wide ? 3 : 1;
    OWNED(device_block) digits = device_alloc(n_digits * g->n_arcs);
    OWNED(int8_t) *after = host_alloc(digits.bytes);
    uint64_t n_wrong = 0;
    if (g->n_arcs)
        must(pci_gpu_split_weights(&g->device, modulus, (int8_t *)digits.at, NULL), "splitting");
    device_read(&digits, after);
    for (uint64_t a = 0; a < g->n_arcs; a++) {
        int64_t value = reduced(g->weight[a], modulus.m);
        n_wrong += modulus.wide ? !is_wide_residue(after[a], after[g->n_arcs + a],
                                                   after[2 * g->n_arcs + a], value, modulus.m)
                                : !is_narrow_residue(after[a], value, modulus.m);
    }
    CU_ASSERT(n_wrong == 0);
}

TEST("loading a graph")
{
    random_source random = {701};
    need_any_gpu();
    for (unsigned s = 0; s < N_PLANE_SIZES; s++)
        for (unsigned kind = 0; kind < N_MODULUS_KINDS; kind++)
            for (unsigned w = NO_WEIGHTS; w <= ANY_WEIGHTS; w++) {
                if (kind == 0 && w == ANY_WEIGHTS)
                    continue; /* no plain plane */
                test_graph g = graph_make(&random, plane_sizes[s], w);
                check_load(&g, some_modulus(kind));
                check_split_weights(&g, some_modulus(kind));
                graph_free(&g);
            }
}

/* Rows of words into the middle of planes, whose other rows stay as they are. */
static void check_split(random_source *random, uint32_t n, pci_gpu_modulus modulus)
{
    pci_gpu_layout layout = pci_gpu_layout_of(n);
    uint64_t first = n / 3, n_rows = n - first - n / 4, limit = modulus.m ? UINT64_C(1) << 63 : 128;
    OWNED(uint64_t) *words = host_alloc(n_rows * n * sizeof *words);
    OWNED(int64_t) *values = host_alloc(n_rows * n * sizeof *values);
    for (uint64_t k = 0; k < n_rows * n; k++) {
        words[k] = random_below(random, 10) ? random_below(random, limit) : limit - 1;
        values[k] = reduced(words[k], modulus.m);
    }
    uint32_t n_digits = modulus.wide ? 3 : 1;
    OWNED(device_block) from = device_copy_of(words, n_rows * n * sizeof *words);
    OWNED(device_block) planes = planes_to_fill(&layout, layout.n_padded, n_digits);
    OWNED(int8_t) *before = host_alloc(planes.bytes);
    device_read(&planes, before);
    digit_pointers p = digits_at(&planes, layout.plane_bytes, 0);
    must(pci_gpu_split(&layout, (const uint64_t *)from.at, first, n_rows, modulus, p.digit, NULL),
         "splitting");
    CU_ASSERT(n_wrong_in_strip(&layout, first, n_rows, modulus, &planes, before, values) == 0);
}

/* All narrow moduli at once, into rows in the middle of planes. */
static void check_split_narrow(random_source *random, uint32_t n)
{
    pci_gpu_layout layout = pci_gpu_layout_of(n);
    uint64_t first = n / 3, n_rows = n - first - n / 4, limit = UINT64_C(1) << 63;
    OWNED(uint64_t) *words = host_alloc(n_rows * n * sizeof *words);
    OWNED(int64_t) *values = host_alloc(n_rows * n * sizeof *values);
    for (uint64_t k = 0; k < n_rows * n; k++)
        words[k] = random_below(random, 10) ? random_below(random, limit) : limit - 1;
    OWNED(device_block) from = device_copy_of(words, n_rows * n * sizeof *words);
    device_block planes[PCI_MAX_NARROW];
    int8_t *plane[PCI_MAX_NARROW], *before[PCI_MAX_NARROW];
    pci_gpu_modulus moduli[PCI_MAX_NARROW];
    uint32_t n_moduli = 1 + (uint32_t)random_below(random, PCI_MAX_NARROW);
    for (uint32_t i = 0; i < n_moduli; i++) {
        moduli[i] = modulus_at((i + n) % PCI_MAX_NARROW);
        planes[i] = planes_to_fill(&layout, layout.n_padded, 1);
        before[i] = host_alloc(planes[i].bytes);
        device_read(&planes[i], before[i]);
        plane[i] = (int8_t *)planes[i].at;
    }
    must(pci_gpu_split_narrow(&layout, (const uint64_t *)from.at, first, n_rows, n_moduli, moduli,
                              plane, NULL),
         "splitting");
    for (uint32_t i = 0; i < n_moduli; i++) {
        for (uint64_t k = 0; k < n_rows * n; k++)
            values[k] = reduced(words[k], moduli[i].m);
        CU_ASSERT(n_wrong_in_strip(&layout, first, n_rows, moduli[i], &planes[i], before[i],
                                   values) == 0);
        device_free(&planes[i]);
        free(before[i]);
    }
}

TEST("splitting words")
{
    random_source random = {801};
    need_any_gpu();
    for (unsigned s = 0; s < N_PLANE_SIZES; s++)
        for (unsigned kind = 0; kind < N_MODULUS_KINDS; kind++)
            check_split(&random, plane_sizes[s], some_modulus(kind));
    for (unsigned s = 0; s < N_PLANE_SIZES; s++)
        check_split_narrow(&random, plane_sizes[s]);
}

/* ---- The sparse step ------------------------------------------------------------------------- */

/* P on the device, and what its entries stand for. */
typedef struct step_operand {
    device_block planes;
    int64_t *values; /* [n][n] */
} step_operand;

/* Entries up to 127 (plain), of int8 (narrow), or of centred digits (wide). */
static step_operand step_operand_make(random_source *random, const pci_gpu_layout *layout,
                                      pci_gpu_modulus modulus)
{
    size_t n_digits = modulus.wide ? 3 : 1, n = layout->n;
    OWNED(int8_t) *host = calloc(n_digits, layout->plane_bytes);
    step_operand p = {.values = host_alloc(n * n * sizeof *p.values)};
    CU_ASSERT_FATAL(host != NULL);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            int8_t *at = host + i * layout->n_padded + j;
            int high = 0, low = modulus.m ? random_byte(random) : (int)random_below(random, 128);
            if (modulus.wide) {
                high = (int)random_below(random, 129) - 64;
                low = (int)random_below(random, 128) - 64;
                at[layout->plane_bytes] = (int8_t)low;
                at[2 * layout->plane_bytes] = (int8_t)(high + low);
            }
            at[0] = (int8_t)(modulus.wide ? high : low);
            p.values[i * n + j] = 128 * high + low;
        }
    p.planes = device_copy_of(host, n_digits * layout->plane_bytes);
    return p;
}

static void step_operand_free(step_operand *p)
{
    device_free(&p->planes);
    free(p->values);
}

/* A P modulo m on the host; of no modulus (0) the sums themselves. */
static int64_t *step_on_host(const test_graph *g, const int64_t *values, uint32_t m)
{
    int64_t *sums = calloc(g->n * g->n, sizeof *sums);
    CU_ASSERT_FATAL(sums != NULL);
    for (uint64_t i = 0; i < g->n; i++)
        for (uint64_t a = g->row_start[i]; a < g->row_start[i + 1]; a++)
            for (uint64_t j = 0; j < g->n; j++) {
                int64_t *sum = &sums[i * g->n + j];
                *sum += reduced(g->weight[a], m) * values[g->column[a] * g->n + j];
                if (m)
                    *sum %= (int64_t)m;
            }
    return sums;
}

/* One step from P modulo `in` to the outputs, the digits of the weights modulo `in`. */
static void check_step(random_source *random, const test_graph *g, bool weighted,
                       pci_gpu_modulus in, uint32_t n_outputs, const pci_gpu_modulus *outputs)
{
    pci_gpu_layout layout = pci_gpu_layout_of(g->n);
    step_operand p = step_operand_make(random, &layout, in);
    OWNED(device_block) planes = planes_to_fill(&layout, layout.n_padded, 3 * n_outputs);
    OWNED(device_block) weights = device_alloc(3 * g->n_arcs);
    pci_gpu_step_output *out = host_alloc(n_outputs * sizeof *out);
    for (uint32_t o = 0; o < n_outputs; o++) {
        digit_pointers d = digits_at(&planes, layout.plane_bytes, 3 * o);
        out[o] = (pci_gpu_step_output){outputs[o], {d.digit[0], d.digit[1], d.digit[2]}};
    }
    if (weighted && g->n_arcs)
        must(pci_gpu_split_weights(&g->device, in, (int8_t *)weights.at, NULL), "splitting");
    digit_pointers from = digits_at(&p.planes, layout.plane_bytes, 0);
    must(pci_gpu_step(&g->device, &layout, from.digit, in.wide,
                      weighted ? (const int8_t *)weights.at : NULL, n_outputs, out, NULL),
         "stepping");

    OWNED(int8_t) *after = host_alloc(planes.bytes);
    device_read(&planes, after);
    for (uint32_t o = 0; o < n_outputs; o++) {
        OWNED(int64_t) *sums = step_on_host(g, p.values, in.m ? in.m : outputs[o].m);
        CU_ASSERT(n_wrong_residues(&layout, layout.n_padded, outputs[o],
                                   after + 3 * o * layout.plane_bytes, sums) == 0);
    }
    step_operand_free(&p);
    free(out);
}

TEST("sparse step of residues")
{
    random_source random = {901};
    need_any_gpu();
    for (unsigned s = 0; s < N_PLANE_SIZES; s++)
        for (unsigned kind = 1; kind < N_MODULUS_KINDS; kind++)
            for (unsigned w = NO_WEIGHTS; w <= ANY_WEIGHTS; w += ANY_WEIGHTS) {
                test_graph g = graph_make(&random, plane_sizes[s], w);
                pci_gpu_modulus modulus = some_modulus(kind);
                check_step(&random, &g, w != NO_WEIGHTS, modulus, 1, &modulus);
                graph_free(&g);
            }
}

/* From a plain plane to planes of every kind at once. */
TEST("sparse step of a plain plane")
{
    enum { N_OUTPUTS = PCI_N_NARROW + 3 };
    random_source random = {951};
    pci_gpu_modulus outputs[N_OUTPUTS];
    need_any_gpu();
    for (uint32_t o = 0; o < N_OUTPUTS; o++)
        outputs[o] = modulus_at(o);
    for (unsigned s = 0; s < N_PLANE_SIZES; s++)
        for (unsigned w = NO_WEIGHTS; w <= SMALL_WEIGHTS; w++) {
            test_graph g = graph_make(&random, plane_sizes[s], w);
            check_step(&random, &g, w != NO_WEIGHTS, plain_modulus(),
                       plane_sizes[s] > 130 ? 7 : N_OUTPUTS,
                       plane_sizes[s] > 130 ? outputs + PCI_N_NARROW - 4 : outputs);
            graph_free(&g);
        }
}

/* A plain plane that stays one: rows with one arc. */
TEST("sparse step that stays plain")
{
    random_source random = {971};
    pci_gpu_modulus plain;
    need_any_gpu();
    plain = plain_modulus();
    for (unsigned s = 0; s < N_PLANE_SIZES; s++) {
        test_graph g = graph_make(&random, plane_sizes[s], NO_WEIGHTS);
        for (uint64_t i = 0; i <= g.n; i++)
            g.row_start[i] = i < g.n_arcs ? i : g.n_arcs;
        g.n_arcs = g.row_start[g.n];
        must(cudaMemcpy(g.starts.at, g.row_start, g.starts.bytes, cudaMemcpyHostToDevice), "copy");
        g.device.n_arcs = g.n_arcs;
        check_step(&random, &g, false, plain, 1, &plain);
        graph_free(&g);
    }
}

/* ---- Accumulators in memory ------------------------------------------------------------------ */

static int32_t random_sum(random_source *random, int64_t least, int64_t greatest)
{
    uint64_t dice = random_below(random, 8);
    if (dice < 2)
        return (int32_t)(dice ? least : greatest);
    return (int32_t)(least + (int64_t)random_below(random, (uint64_t)(greatest - least) + 1));
}

/* raw[n_sums][n_rows][n_padded] with zero padding. */
static int32_t *random_sums(random_source *random, const pci_gpu_layout *layout, uint64_t n_rows,
                            uint32_t n_sums, int64_t least, int64_t greatest)
{
    size_t n_entries = n_rows * layout->n_padded;
    int32_t *raw = calloc(n_sums * n_entries, sizeof *raw);
    CU_ASSERT_FATAL(raw != NULL);
    for (size_t k = 0; k < n_sums * n_entries; k++)
        if (k % layout->n_padded < layout->n)
            raw[k] = random_sum(random, least, greatest);
    return raw;
}

static void check_combine(random_source *random, uint32_t n, uint64_t first, uint64_t n_rows,
                          pci_gpu_modulus modulus)
{
    pci_gpu_layout layout = pci_gpu_layout_of(n);
    size_t n_entries = n_rows * layout.n_padded;
    OWNED(int32_t) *raw = random_sums(random, &layout, n_rows, 3, -(1 << 29), 1 << 29);
    OWNED(int64_t) *values = host_alloc(n_rows * n * sizeof *values);
    for (size_t i = 0; i < n_rows; i++)
        for (size_t j = 0; j < n; j++) {
            size_t at = i * layout.n_padded + j;
            int64_t hh = raw[at], ll = raw[n_entries + at], ss = raw[2 * n_entries + at];
            values[i * n + j] = hh * 16384 + (ss - hh - ll) * 128 + ll;
        }
    OWNED(device_block) from = device_copy_of(raw, 3 * n_entries * sizeof *raw);
    OWNED(device_block) planes = planes_to_fill(&layout, layout.n_padded, 3);
    OWNED(int8_t) *before = host_alloc(planes.bytes);
    device_read(&planes, before);
    digit_pointers p = digits_at(&planes, layout.plane_bytes, 0);
    must(pci_gpu_combine_wide(&layout, (const int32_t *)from.at, first, n_rows,
                              (uint32_t)layout.n_padded, modulus.m, p.digit, NULL),
         "combining");
    CU_ASSERT(n_wrong_in_strip(&layout, first, n_rows, modulus, &planes, before, values) == 0);
}

static void check_reduce_raw(random_source *random, uint32_t n, uint64_t first, uint64_t n_rows,
                             pci_gpu_modulus modulus)
{
    pci_gpu_layout layout = pci_gpu_layout_of(n);
    OWNED(int32_t) *raw = random_sums(random, &layout, n_rows, 1, 0,
                                      modulus.m ? INT64_C(16384) * PCI_MAX_DENSE_VERTICES : 127);
    OWNED(int64_t) *values = host_alloc(n_rows * n * sizeof *values);
    for (size_t i = 0; i < n_rows; i++)
        for (size_t j = 0; j < n; j++)
            values[i * n + j] = raw[i * layout.n_padded + j];
    OWNED(device_block) from = device_copy_of(raw, n_rows * layout.n_padded * sizeof *raw);
    OWNED(device_block) planes = planes_to_fill(&layout, layout.n_padded, modulus.wide ? 3 : 1);
    OWNED(int8_t) *before = host_alloc(planes.bytes);
    device_read(&planes, before);
    digit_pointers p = digits_at(&planes, layout.plane_bytes, 0);
    must(pci_gpu_reduce_raw(&layout, (const int32_t *)from.at, first, n_rows, modulus, p.digit,
                            NULL),
         "reducing");
    CU_ASSERT(n_wrong_in_strip(&layout, first, n_rows, modulus, &planes, before, values) == 0);
}

TEST("accumulators to residues")
{
    random_source random = {1001};
    need_any_gpu();
    for (unsigned s = 0; s < N_PLANE_SIZES; s++)
        for (unsigned kind = 0; kind < N_MODULUS_KINDS; kind++) {
            pci_gpu_modulus modulus = some_modulus(kind);
            uint32_t n = plane_sizes[s], first = n / 2;
            check_reduce_raw(&random, n, 0, n, modulus);
            check_reduce_raw(&random, n, first, n - first, modulus);
            if (modulus.wide) {
                check_combine(&random, n, 0, n, modulus);
                check_combine(&random, n, first, n - first, modulus);
            }
        }
}

#endif

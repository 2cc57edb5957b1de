/* Aggregates of rows where the rows are: the kernels against plain sums on the host; summaries, pictures and
 * queries from aggregates against those of the CPU engine and the oracle; bits that turn on the device.
 * PATHCOUNT_TEST_GRAPHS=N takes N random graphs; PATHCOUNT_TEST_DEVICE names the GPUs. */
#ifdef PATHCOUNT_WITH_CUDA
#include "tests/support/asked.h"
#include "tests/support/fixture.h"

#include "gpu/engine/part.h"
#include "src/certify/certify.h"
#include "tests/gpu/gpu_device.h"
#include "tests/support/plain_aggregates.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Kernels --------------------------------------------------------------------------------- */

/* Counts with zeros, ties, greatest words, and zero words above others. */
static void random_counts(random_source *random, uint64_t n_counts, uint32_t n_limbs,
                          uint64_t *counts)
{
    for (uint64_t c = 0; c < n_counts; c++) {
        uint64_t dice = random_below(random, 8);
        uint32_t n_used = dice < 4 ? n_limbs : (uint32_t)random_below(random, n_limbs + 1);
        for (uint32_t l = 0; l < n_limbs; l++)
            counts[c * n_limbs + l] = l >= n_used ? 0
                                      : dice == 1 ? UINT64_MAX
                                      : dice == 2 ? random_below(random, 3)
                                                  : random_u64(random);
    }
}

static void check_records(const device_block *made, const uint64_t *counts, uint64_t first_row,
                          uint64_t n_rows, uint64_t n, uint32_t n_limbs)
{
    size_t n_words = pci_record_words(n_limbs);
    uint64_t *got = host_alloc(n_rows * n_words * sizeof *got),
             *expected = host_alloc(n_words * sizeof *expected), n_wrong = 0;
    device_read(made, got);
    for (uint64_t i = 0; i < n_rows; i++) {
        plain_record(counts + i * n * n_limbs, NULL, n, n_limbs, first_row + i, expected);
        n_wrong += memcmp(got + i * n_words, expected, n_words * sizeof *got) != 0;
    }
    CU_ASSERT_EQUAL(n_wrong, 0);
    free(got);
    free(expected);
}

static void check_dots(const device_block *made, const uint64_t *counts, const uint64_t *x,
                       uint64_t modulus, uint64_t n_rows, uint64_t n, uint32_t n_limbs)
{
    uint64_t *got = host_alloc(n_rows * sizeof *got), n_wrong = 0;
    device_read(made, got);
    for (uint64_t i = 0; i < n_rows; i++)
        n_wrong += got[i] != plain_dot(counts + i * n * n_limbs, n, n_limbs, x, modulus);
    CU_ASSERT_EQUAL(n_wrong, 0);
    free(got);
}

/* A matrix that has these rows and zeros, as a grid of cells. */
static void check_cells(random_source *random, pci_gpu_rows rows, const uint64_t *counts)
{
    pc_context *context = new_context(1);
    pci_aggregates plain = {.n = rows.n, .n_limbs = rows.n_limbs};
    plain.cells.row_span = 1 + random_below(random, rows.n);
    plain.cells.column_span = 1 + random_below(random, random_below(random, 2) ? 40 : rows.n);
    MUST(pci_aggregates_create(context, &plain));
    for (uint64_t i = 0; i < rows.n_rows; i++)
        for (int c = 0; c < PCI_AGGREGATE_COPIES; c++)
            plain_cells(counts + i * rows.n * rows.n_limbs, rows.n, rows.n_limbs,
                        rows.first_row + i, c, &plain.cells);
    size_t n_keys = (size_t)plain.cells.n_down * plain.cells.n_across;
    size_t bytes = 2 * (n_keys + pci_tally_words(rows.n_limbs)) * sizeof(uint64_t);
    uint64_t *got = host_alloc(bytes);
    memset(got, 0, bytes);
    device_block words = device_copy_of(got, bytes);
    pci_gpu_cells cells = {plain.cells.row_span, plain.cells.column_span, plain.cells.n_across,
                           .key = {(uint64_t *)(void *)words.at}};
    cells.tally[0] = cells.key[0] + n_keys;
    cells.key[1] = cells.tally[0] + pci_tally_words(rows.n_limbs);
    cells.tally[1] = cells.key[1] + n_keys;
    must(pci_gpu_draw(rows, cells, NULL), "cells");
    device_read(&words, got);
    CU_ASSERT_EQUAL(memcmp(got, plain.cells.key[0], bytes), 0); /* key, tally, key, tally */
    device_free(&words);
    free(got);
    pci_aggregates_free(context, &plain);
    pc_context_free(context);
}

static void check_rows(random_source *random, uint64_t n, uint32_t n_limbs, uint64_t modulus)
{
    uint64_t n_rows = 1 + random_below(random, n < 9 ? n : 9),
             first_row = random_below(random, n - n_rows + 1);
    size_t bytes = n_rows * n * n_limbs * sizeof(uint64_t);
    uint64_t *counts = host_alloc(bytes), *x = host_alloc(n * sizeof *x);
    random_counts(random, n_rows * n, n_limbs, counts);
    for (uint64_t j = 0; j < n; j++)
        x[j] = random_below(random, 4) ? random_below(random, modulus) : modulus - 1;
    device_block limbs = device_copy_of(counts, bytes), of_x = device_copy_of(x, n * sizeof *x);
    device_block records = device_alloc(n_rows * pci_record_words(n_limbs) * sizeof(uint64_t));
    device_block again = device_alloc(n_rows * pci_record_words(n_limbs) * sizeof(uint64_t));
    device_block dots = device_alloc(n_rows * sizeof(uint64_t));
    device_block other_dots = device_alloc(n_rows * sizeof(uint64_t));
    uint64_t other = modulus + 2; /* x is below both */
    pci_gpu_rows rows = {
        (const uint64_t *)(const void *)limbs.at, first_row, n_rows, (uint32_t)n, n_limbs, NULL};
    pci_gpu_records copies = {{(uint64_t *)(void *)records.at, (uint64_t *)(void *)again.at}};
    pci_gpu_dots both = {
        .modulus = {modulus, other},
        .x = {(const uint64_t *)(const void *)of_x.at, (const uint64_t *)(const void *)of_x.at},
        .dot = {(uint64_t *)(void *)dots.at, (uint64_t *)(void *)other_dots.at}};
    must(pci_gpu_aggregate(rows, copies, NULL), "aggregates");
    must(pci_gpu_multiply_rows(rows, 2, &both, NULL), "dot products");
    check_records(&again, counts, first_row, n_rows, n, n_limbs);
    check_dots(&other_dots, counts, x, other, n_rows, n, n_limbs);
    device_free(&again);
    device_free(&other_dots);
    check_records(&records, counts, first_row, n_rows, n, n_limbs);
    check_dots(&dots, counts, x, modulus, n_rows, n, n_limbs);
    check_cells(random, rows, counts);
    device_free(&limbs);
    device_free(&of_x);
    device_free(&records);
    device_free(&dots);
    free(counts);
    free(x);
}

TEST("kernels")
{
    static const uint64_t sizes[] = {1, 2, 31, 127, 255, 256, 257, 1000, 4099};
    static const uint32_t n_limbs[] = {1, 2, 3, 5, 6, 21, 127, 129, 190};
    static const uint64_t moduli[] = {2, 1000000007, (UINT64_C(1) << 61) - 1, INT64_MAX - 2};
    need_any_gpu();
    random_source random = {20261122};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t l = 0; l < sizeof n_limbs / sizeof *n_limbs; l++)
            if (sizes[s] * n_limbs[l] < (is_small_run() ? 3000 : 300000))
                check_rows(&random, sizes[s], n_limbs[l], moduli[random_below(&random, 4)]);
}

/* ---- Answers --------------------------------------------------------------------------------- */

static uint64_t n_graphs(void)
{
    const char *text = getenv("PATHCOUNT_TEST_GRAPHS");
    return text ? strtoull(text, NULL, 10) : 60;
}

/* A summary and a picture, with the context that holds its texts. */
typedef struct summed {
    pc_context *context;
    pc_reduction *both[2]; /* summary and grid */
    pc_summary_values values;
    pc_grid_values grid;
    pc_status status;
} summed;

/* The grid is made where there are two reductions. */
static summed sum_up_by(const char *device, pc_reduce reduce, uint32_t n_reductions,
                        const edge_set *edges, uint64_t length, uint64_t n_pairs)
{
    uint32_t most_cells = 1 + (uint32_t)(length * n_pairs % 90);
    pc_query query = {.kind = PC_QUERY_MATRIX, .length = length};
    pc_count_options squaring = {.method = PC_METHOD_DENSE, .reduce = reduce};
    summed made = {.context = new_context(0)};
    MUST(pc_context_set_device(made.context, device));
    OWNED(pc_graph) *graph = new_graph(made.context, edges);
    pc_frame frame = {.rows = pc_graph_labels(graph),
                      .columns = pc_graph_labels(graph),
                      .symmetric = !edges->directed};
    pc_plan *plan = NULL;
    MUST(pc_summary_create(made.context, &frame, n_pairs, &made.both[0]));
    MUST(pc_grid_create(made.context, &frame, most_cells, &made.both[1]));
    made.status = pc_plan_create(made.context, graph, &query, &squaring, &plan);
    if (made.status == PC_OK) {
        MUST(pc_plan_run(plan, made.both, n_reductions, NULL, NULL));
        CU_ASSERT_STRING_EQUAL(pc_plan_get_info(plan)->recomputed, "");
        MUST(pc_summary_get(made.both[0], &made.values));
        if (n_reductions > 1)
            MUST(pc_grid_get(made.both[1], &made.grid));
    }
    pc_plan_free(plan);
    return made;
}

static summed sum_up(const char *device, const edge_set *edges, uint64_t length, uint64_t n_pairs)
{
    return sum_up_by(device, PC_REDUCE_NEVER, 2, edges, length, n_pairs);
}

static void release_summed(summed *made)
{
    pc_reduction_free(made->both[0]);
    pc_reduction_free(made->both[1]);
    pc_context_free(made->context);
}

static bool is_same(const pc_summary_values *a, const pc_summary_values *b)
{
    bool same = strcmp(a->total, b->total) == 0 && strcmp(a->closed, b->closed) == 0 &&
                strcmp(a->largest_row_sum, b->largest_row_sum) == 0 &&
                a->largest_row == b->largest_row && strcmp(a->largest, b->largest) == 0 &&
                a->n_nonzero == b->n_nonzero && a->n_pairs == b->n_pairs;
    for (uint64_t i = 0; same && i < a->n_pairs; i++)
        same = a->pairs[i].from == b->pairs[i].from && a->pairs[i].to == b->pairs[i].to &&
               strcmp(a->pairs[i].count, b->pairs[i].count) == 0;
    return same;
}

static bool is_same_grid(const pc_grid_values *a, const pc_grid_values *b)
{
    return a->n_down == b->n_down && a->n_across == b->n_across && a->n_zeros == b->n_zeros &&
           a->first_bin == b->first_bin && a->n_bins == b->n_bins &&
           memcmp(a->log2, b->log2, (size_t)a->n_down * a->n_across * sizeof *a->log2) == 0 &&
           (a->n_bins == 0 || memcmp(a->bin, b->bin, a->n_bins * sizeof *a->bin) == 0);
}

TEST("summaries and pictures")
{
    need_any_gpu();
    random_source source = {815};
    uint64_t n_wrong = 0, n_summed = 0;
    for (uint64_t g = 0; n_summed < n_graphs(); g++) {
        uint64_t n = 1 + random_below(&source, g % 16 ? 150 : 900);
        uint64_t k = 1 + random_below(&source, 70), n_pairs = 1 + random_below(&source, 8);
        OWNED(edge_set) edges = g % 3   ? edge_set_density(&source, n, g % 3 == 1 ? 20 : 300, g % 2)
                                : g % 9 ? edge_set_any(&source, n < 60 ? n : 60)
                                        : edge_set_constant(n, 1);
        OWNED(pc_context) *context = new_context(1);
        OWNED(pc_graph) *graph = NULL;
        if (edge_set_load(context, &edges, &graph) != PC_OK)
            continue; /* multiplicities that add up to too much */
        OWNED(summed) cpu = sum_up("cpu", &edges, k, n_pairs);
        OWNED(summed) gpu = sum_up(gpu_name(), &edges, k, n_pairs);
        CU_ASSERT_EQUAL(cpu.status, gpu.status);
        if (cpu.status != PC_OK || gpu.status != PC_OK)
            continue; /* some graphs of any kind have too wide counts */
        n_summed++;
        n_wrong += !is_same(&cpu.values, &gpu.values) || !is_same_grid(&cpu.grid, &gpu.grid);
    }
    printf("(%llu) ", (unsigned long long)n_summed);
    CU_ASSERT_EQUAL(n_wrong, 0);
}

/* Limits the memory of the GPU so that the count is out of core, its planes on the host; false when it never is. */
static bool force_out_of_core(const edge_set *edges, uint64_t length)
{
    pc_count_options squaring = {.method = PC_METHOD_DENSE};
    OWNED(pc_context) *context = new_context(1);
    MUST(pc_context_set_device(context, gpu_name()));
    OWNED(pc_graph) *graph = new_graph(context, edges);
    pc_plan_info whole, limited;
    pc_status status = plan_matrix(context, graph, length, &squaring, 0, &whole);
    double rows = 4.0 * PCI_DEVICE_BLOCK_BYTES; /* are always reserved */
    for (double part = 0.1; part < 1 && status == PC_OK; part += 0.1) {
        limit_gpu_memory((uint64_t)(rows + part * (double)whole.device_memory_bytes));
        if (plan_matrix(context, graph, length, &squaring, 0, &limited) == PC_OK &&
            limited.memory_bytes > whole.memory_bytes + edges->n * edges->n)
            return true;
    }
    limit_gpu_memory(0);
    return false;
}

TEST("summaries and pictures out of core")
{
    need_one_gpu();
    need_any_gpu();
    random_source source = {818};
    uint64_t n_wrong = 0, n_summed = 0;
    for (uint64_t g = 0; g < n_graphs(); g++) {
        uint64_t n = 130 + random_below(&source, 300), k = 20 + random_below(&source, 40);
        OWNED(edge_set) edges = edge_set_density(&source, n, 100, (bool)random_below(&source, 2));
        if (!force_out_of_core(&edges, k))
            continue;
        OWNED(summed) gpu = sum_up(gpu_name(), &edges, k, 3);
        limit_gpu_memory(0);
        OWNED(summed) cpu = sum_up("cpu", &edges, k, 3);
        CU_ASSERT_EQUAL_FATAL(cpu.status, PC_OK);
        CU_ASSERT_EQUAL_FATAL(gpu.status, PC_OK);
        n_summed++;
        n_wrong += !is_same(&cpu.values, &gpu.values) || !is_same_grid(&cpu.grid, &gpu.grid);
    }
    printf("(%llu) ", (unsigned long long)n_summed);
    CU_ASSERT(n_summed > n_graphs() / 2);
    CU_ASSERT_EQUAL(n_wrong, 0);
}

/* A graph whose vertices become up to 4 twins each, which are joined to each other or not. */
static edge_set with_twins(random_source *source, uint64_t n_classes)
{
    OWNED(edge_set) small = edge_set_density(source, n_classes, 100, false);
    uint64_t *first = host_alloc((n_classes + 1) * sizeof *first), n = 0;
    for (uint64_t c = 0; c < n_classes; c++) {
        first[c] = n;
        n += 1 + random_below(source, 4);
    }
    first[n_classes] = n;
    edge_set edges = edge_set_empty(n, false);
    for (uint64_t e = 0; e < small.n_edges; e++)
        for (uint64_t u = first[small.from[e]]; u < first[small.from[e] + 1]; u++)
            for (uint64_t v = first[small.to[e]]; v < first[small.to[e] + 1]; v++)
                edge_set_add(&edges, u, v, 1);
    for (uint64_t c = 0; c < n_classes; c += 2)
        for (uint64_t u = first[c]; u < first[c + 1]; u++)
            for (uint64_t v = u + 1; v < first[c + 1]; v++)
                edge_set_add(&edges, u, v, 1);
    free(first);
    return edges;
}

/* Sides of planes with and without padding, counts of narrow and of wide moduli, in core and out of it. */
TEST("summaries by classes of twins")
{
    need_any_gpu();
    random_source source = {819};
    uint64_t n_wrong = 0, n_out_of_core = 0;
    for (uint64_t g = 0; g < 24; g++) {
        uint64_t k = g % 3 == 0 ? 90 + random_below(&source, 30) : 1 + random_below(&source, 30);
        OWNED(edge_set) edges = with_twins(&source, g % 5 ? 1 + random_below(&source, 400) : 256);
        OWNED(summed) cpu = sum_up("cpu", &edges, k, 3);
        CU_ASSERT_EQUAL_FATAL(cpu.status, PC_OK);
        for (int limited = 0; limited < 2; limited++) {
            uint64_t plane = (edges.n + 128) * (edges.n + 128) / 4;
            if (limited)
                limit_gpu_memory(4 * (uint64_t)PCI_DEVICE_BLOCK_BYTES + 12 * plane + (4 << 20));
            uint32_t n_reductions = 1 + g % 2;
            OWNED(summed)
            gpu = sum_up_by(gpu_name(), PC_REDUCE_ALWAYS, n_reductions, &edges, k, 3);
            limit_gpu_memory(0);
            n_out_of_core += limited && gpu.status == PC_OK;
            CU_ASSERT_TRUE(gpu.status == PC_OK || (limited && gpu.status == PC_ERR_MEMORY));
            n_wrong += gpu.status == PC_OK && !is_same(&cpu.values, &gpu.values);
            n_wrong +=
                gpu.status == PC_OK && n_reductions > 1 && !is_same_grid(&cpu.grid, &gpu.grid);
        }
    }
    printf("(%llu in little memory) ", (unsigned long long)n_out_of_core);
    CU_ASSERT_EQUAL(n_wrong, 0);
}

/* Questions that are read off the matrix, against the oracle. */
TEST("queries")
{
    enum { LENGTH = 6 };
    need_any_gpu();
    random_source source = {816};
    for (uint64_t g = 0; g < n_graphs() / 4 + 1; g++) {
        uint64_t n = 2 + random_below(&source, 40);
        vertices asked_for;
        OWNED(edge_set) edges = edge_set_density(&source, n, 200, g % 2);
        OWNED(powers) all = powers_of(&edges, LENGTH);
        pick_vertices(&source, n, &asked_for);
        for (int kind = 0; kind < N_QUERY_KINDS; kind++) {
            asked a = {.powers = &all,
                       .query = {.kind = (pc_query_kind)kind,
                                 .length = LENGTH,
                                 .n_asked = 1 + random_below(&source, 5),
                                 .from = asked_for.from,
                                 .to = asked_for.to,
                                 .each = g % 5 == 1,
                                 .up_to = g % 5 == 2},
                       .options = {.method = PC_METHOD_DENSE}};
            if (kind == PC_QUERY_MATRIX)
                continue;
            OWNED(pc_context) *context = new_context(1);
            MUST(pc_context_set_device(context, gpu_name()));
            OWNED(pc_graph) *graph = new_graph(context, &edges);
            check_query(context, graph, &a);
        }
    }
}

/* ---- Faults ---------------------------------------------------------------------------------- */

/* A power on one GPU, as parts of the engine hold it, with its certificate. */
typedef struct powered {
    pc_context *context;
    pc_graph *graph;
    pci_moduli moduli;
    pci_gpu_parts parts;
    pci_gpu_part *part;
    pc_plan_info plan;
    pci_certificate *certificate;
    pci_dot_vector *dots;
    pci_aggregates right, made;
} powered;

static pc_status square_level(powered *p, const pc_level *level)
{
    pc_status status = PC_OK;
    p->parts.n_old = p->part->n_moduli;
    if (p->part->n_moduli)
        status = pci_gpu_part_extend(p->part, level->n_moduli);
    if (status != PC_OK)
        return status;
    return level->is_step ? pci_gpu_part_step(p->part, level->n_moduli)
                          : pci_gpu_part_square(p->part, level->n_moduli);
}

static void make_power(powered *p, const edge_set *edges, uint64_t length)
{
    uint32_t n_dots;
    *p = (powered){.context = new_context(1)};
    p->graph = new_graph(p->context, edges);
    pc_count_options squaring = {.method = PC_METHOD_DENSE};
    MUST(plan_matrix(p->context, p->graph, length, &squaring, 0, &p->plan));
    pci_moduli_fill(&p->moduli, PCI_ANY_BITS);
    p->parts = (pci_gpu_parts){.moduli = &p->moduli, .n = 1, .n_rows = edges->n};
    MUST(pci_gpu_part_begin(p->context, p->graph, NULL, &p->parts, 0, 0, pci_plan_n_most(&p->plan),
                            1, &p->part));
    p->parts.part[0] = p->part;
    MUST(pci_gpu_part_load(p->part, p->plan.levels[0].n_moduli));
    for (uint32_t l = 1; l < p->plan.n_levels; l++)
        MUST(square_level(p, &p->plan.levels[l]));
    pci_path_operator paths = {.context = p->context, .graph = p->graph, .length = length};
    pci_operator map = pci_path_operator_map(&paths);
    MUST(pci_certificate_create(p->context, &map, 0, 2, &p->certificate));
    MUST(pci_certificate_dots(p->certificate, edges->n, &p->dots, &n_dots));
    p->made = p->right = (pci_aggregates){.n = edges->n,
                                          .n_limbs = p->plan.n_limbs,
                                          .n_dots = n_dots,
                                          .dots = p->dots,
                                          .cells = {.row_span = 40, .column_span = 30}};
    MUST(pci_aggregates_create(p->context, &p->right));
    MUST(pci_aggregates_create(p->context, &p->made));
    MUST(pci_gpu_part_aggregate(p->part, 0, edges->n, &p->right));
    MUST(pci_certificate_check_dots(p->certificate, &p->right));
}

static void free_power(powered *p)
{
    pci_aggregates_free(p->context, &p->right);
    pci_aggregates_free(p->context, &p->made);
    pci_free(p->context, p->dots);
    pci_certificate_free(p->certificate);
    pci_gpu_part_end(p->part);
    pc_graph_free(p->graph);
    pc_context_free(p->context);
}

static void flip_on_device(uint8_t *at, int bit)
{
    uint8_t byte;
    must(cudaMemcpy(&byte, at, 1, cudaMemcpyDeviceToHost), "a fault");
    byte ^= (uint8_t)(1 << bit);
    must(cudaMemcpy(at, &byte, 1, cudaMemcpyHostToDevice), "a fault");
}

/* Words of one copy of the cells, of keys and tally. */
static size_t n_cell_words(const pci_aggregates *a)
{
    return (size_t)a->cells.n_down * a->cells.n_across + pci_tally_words(a->n_limbs);
}

static bool are_same(const pci_aggregates *a, int copy, const pci_aggregates *b, int other)
{
    return memcmp(a->record[copy], b->record[other],
                  a->n * pci_record_words(a->n_limbs) * sizeof(uint64_t)) == 0 &&
           memcmp(a->cells.key[copy], b->cells.key[other], n_cell_words(a) * sizeof(uint64_t)) == 0;
}

enum { IN_RESIDUES, IN_TABLES, IN_RESULTS, IN_CELLS, N_PLACES };

/* Where a bit of the residues of rows, or of the tables that make limbs of them, turns. */
static uint8_t *device_place(const powered *p, random_source *source, int place)
{
    const pci_gpu_part *part = p->part;
    if (place == IN_TABLES)
        return part->collector.base.tables + random_below(source, part->collector.base.host.bytes);
    uint64_t plane = random_below(source, part->n_planes), n = p->made.n;
    return (uint8_t *)pci_gpu_slot_plane(part, part->slot[plane]) +
           random_below(source, n) * part->layout.n_padded + random_below(source, n);
}

/* Whether a fault changed nothing, or was found; a fault in results is in one of the two copies. */
static bool is_covered(powered *p, random_source *source, int place, uint64_t *n_found)
{
    int bit = (int)random_below(source, 8);
    uint64_t n_words = p->made.n * pci_record_words(p->made.n_limbs);
    uint8_t *at = place == IN_RESULTS || place == IN_CELLS ? NULL : device_place(p, source, place);
    if (at)
        flip_on_device(at, bit);
    memset(p->made.cells.key[0], 0, 2 * n_cell_words(&p->made) * sizeof(uint64_t));
    MUST(pci_gpu_part_aggregate(p->part, 0, p->made.n, &p->made));
    if (at)
        flip_on_device(at, bit);
    else if (place == IN_CELLS)
        p->made.cells.key[random_below(source, 2)][random_below(source, n_cell_words(&p->made))] ^=
            UINT64_C(1) << bit;
    else
        p->made.record[random_below(source, 2)][random_below(source, n_words)] ^= UINT64_C(1)
                                                                                  << bit;
    bool is_harmless = are_same(&p->made, 0, &p->right, 0) && are_same(&p->made, 1, &p->right, 0);
    bool is_found = !are_same(&p->made, 0, &p->made, 1) ||
                    pci_certificate_check_dots(p->certificate, &p->made) != PC_OK;
    *n_found += is_found;
    return is_harmless || is_found;
}

TEST("faults")
{
    need_any_gpu();
    random_source source = {817};
    uint64_t n_faults = is_small_run() ? 20 : 350, n_found = 0, n_escaped = 0;
    static const uint64_t lengths[] = {8, 31, 150}; /* words of one, a few, and many limbs */
    for (int l = 0; l < 3; l++) {
        powered p;
        OWNED(edge_set) edges = edge_set_density(&source, 200, 300, l % 2);
        make_power(&p, &edges, lengths[l]);
        for (uint64_t f = 0; f < n_faults * N_PLACES; f++)
            n_escaped += !is_covered(&p, &source, (int)(f % N_PLACES), &n_found);
        free_power(&p);
    }
    printf("(%llu, %llu found) ", (unsigned long long)(3 * N_PLACES * n_faults),
           (unsigned long long)n_found);
    CU_ASSERT_EQUAL(n_escaped, 0);
    CU_ASSERT(n_found > n_faults);
}
#endif

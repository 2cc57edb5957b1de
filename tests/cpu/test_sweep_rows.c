/* The loops of one step of a sweep (src/cpu/sweep_rows.c) against plain sums of words: every kernel, every number
 * and width of lanes. */
#include "tests/support/fixture.h"

#include "src/cpu/row_ops.h"
#include "src/engine/sweep.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 600 };

/* The loops that go with a kernel of products; NULL: it has those of another, or is not in this build. */
static pci_sweep_rows_fn rows_of_kernel(const char *kernel)
{
#ifdef PCI_HAVE_AVX2
    if (strcmp(kernel, "avx2") == 0)
        return pci_row_ops_avx2.sweep_rows;
#endif
#ifdef PCI_HAVE_AVX512
    if (strcmp(kernel, "avx512vnni") == 0)
        return pci_row_ops_avx512.sweep_rows;
#endif
    return strcmp(kernel, "portable") == 0 ? pci_row_ops_portable.sweep_rows : NULL;
}

/* Where the line of a vertex lies among those of n. */
static uint64_t line_at(uint64_t n, uint64_t vertex, bool backwards)
{
    return backwards ? n - 1 - vertex : vertex;
}

/* Words that are not the sums of a pass. Lanes of one size lie in words, and they do not overflow. Lines of vertices
 * that are not live are not read, and those to which no live line leads not written; in_live NULL: all are live. */
static uint64_t n_wrong_sums(pci_sweep_rows_fn rows, const pc_graph *graph, uint64_t n_lanes,
                             pci_sweep_format format, bool fetches_ahead, const uint8_t *in_live)
{
    random_source random = {.state = 239 + n_lanes};
    bool backwards = random_below(&random, 2); /* in; out is the other way round */
    size_t line_words = pci_sweep_line_words(format, n_lanes);
    uint64_t n_words = graph->n * line_words, n_wrong = 0;
    OWNED(uint64_t) *in = malloc(n_words * sizeof *in), *out = malloc(n_words * sizeof *out);
    uint8_t out_live[MOST_LINES];
    CU_ASSERT_FATAL(in != NULL && out != NULL && graph->n <= MOST_LINES);
    for (uint64_t w = 0; w < n_words; w++)
        in[w] = random_u64(&random), out[w] = ~UINT64_C(0);
    pci_sweep_pass pass = {.graph = graph,
                           .n_lanes = n_lanes,
                           .limb_bits = 64,
                           .in_format = format,
                           .out_format = format,
                           .in = in + line_at(graph->n, 0, backwards) * line_words,
                           .in_stride = (ptrdiff_t)line_words * (backwards ? -1 : 1),
                           .out = out + line_at(graph->n, 0, !backwards) * line_words,
                           .out_stride = (ptrdiff_t)line_words * (backwards ? 1 : -1),
                           .in_live = in_live,
                           .out_live = out_live,
                           .fetches_ahead = fetches_ahead};
    uint64_t n_found = rows(&pass, 0, graph->n), n_live = 0;
    for (uint64_t w = 0; w < n_words; w++) {
        uint64_t sum = 0, row = w / line_words, place = line_at(graph->n, row, !backwards);
        bool is_live = in_live == NULL;
        for (uint64_t a = graph->row_start[row]; a < graph->row_start[row + 1]; a++) {
            uint64_t weight = graph->weight ? graph->weight[a] : 1;
            if (in_live == NULL || in_live[graph->column[a]]) {
                uint64_t from = line_at(graph->n, graph->column[a], backwards);
                sum += in[from * line_words + w % line_words] * weight;
                is_live = true;
            }
        }
        uint64_t found = out[place * line_words + w % line_words];
        n_wrong += found != (is_live ? sum : ~UINT64_C(0));
        n_wrong += in_live != NULL && out_live[row] != is_live;
        n_live += w % line_words == 0 && is_live;
    }
    return n_wrong + (n_found != n_live);
}

/* Of every number of words, some from beyond the caches. */
static uint64_t n_wrong_lines(pci_sweep_rows_fn rows, const pc_graph *graph, const uint8_t *in_live)
{
    uint64_t n_wrong = 0;
    for (uint32_t top_bytes = 1; top_bytes <= 8; top_bytes *= 2)
        for (uint64_t n_lanes = 8 / top_bytes; n_lanes <= 136; n_lanes += n_lanes < 8 ? n_lanes : 8)
            for (int fetches = 0; fetches < 2; fetches++)
                n_wrong += n_wrong_sums(rows, graph, n_lanes, (pci_sweep_format){0, top_bytes},
                                        fetches, in_live);
    return n_wrong;
}

/* Of the edges and of the same with weights, by every kernel. */
static void check_lines(edge_set *edges, random_source *random, const uint8_t *in_live)
{
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_graph) *plain = new_graph(context, edges);
    for (uint64_t e = 0; e < edges->n_edges; e++)
        edges->weight[e] = 1 + random_below(random, 1000);
    OWNED(pc_graph) *heavy = new_graph(context, edges);
    for (int k = 0; kernel_names[k]; k++) {
        pci_sweep_rows_fn rows = rows_of_kernel(kernel_names[k]);
        if (rows == NULL || !kernel_is_available(kernel_names[k]))
            continue;
        CU_ASSERT_EQUAL(n_wrong_lines(rows, plain, in_live), 0);
        CU_ASSERT_EQUAL(n_wrong_lines(rows, heavy, in_live), 0);
    }
}

TEST("lines that are fetched ahead")
{
    random_source random = {.state = 229};
    OWNED(edge_set) edges = edge_set_density(&random, 40, 500, true);
    check_lines(&edges, &random, NULL);
}

/* Rows of many arcs are summed in parts, of few and of none at all in one, and live lines only. */
TEST("lines that are not live")
{
    enum { N = MOST_LINES, FIRST_LIVE = 100, LAST_LIVE = 500 };
    random_source random = {.state = 233};
    OWNED(edge_set) edges = edge_set_empty(N, true);
    uint8_t in_live[N];
    for (uint64_t v = 0; v < N; v++) {
        in_live[v] = v >= FIRST_LIVE && v <= LAST_LIVE && random_below(&random, 4) > 0;
        edge_set_add(&edges, 0, v, 1);
        edge_set_add(&edges, 2, v, 1);
        if (v > 2 && v % 5 != 0)
            edge_set_add(&edges, v, random_below(&random, N), 1);
    }
    check_lines(&edges, &random, in_live);
}

/* Some vectors of all vertices, packed and unpacked, are the rows of the sweep. */
static void check_packed(const pci_sweep *sweep, uint64_t n, uint32_t first, uint32_t n_vectors,
                         uint32_t n_limbs)
{
    size_t n_words = n * n_vectors * n_limbs;
    OWNED(uint64_t) *rows = calloc(n_words, sizeof *rows);
    OWNED(uint64_t) *found = calloc(n_words, sizeof *found);
    OWNED(uint64_t) *packed = malloc(n * pci_sweep_packed_bytes(sweep, first, n_vectors));
    CU_ASSERT_FATAL(rows != NULL && found != NULL && packed != NULL);
    pci_sweep_rows_of(sweep, first, n_vectors, n_limbs, false, n, rows);
    pci_sweep_pack(sweep, first, n_vectors, 0, n, packed);
    pci_sweep_unpack(sweep, first, n_vectors, n_limbs, false, n, 0, n, packed, found);
    CU_ASSERT(memcmp(rows, found, n_words * sizeof *rows) == 0);
}

TEST("packed lanes")
{
    enum { N = 30, LENGTH = 16, LIMBS = 2 };
    random_source random = {.state = 241};
    for (int g = 0; g < 30; g++) {
        uint32_t n_vectors = 1 + (uint32_t)random_below(&random, 40);
        double bits[LENGTH + 1] = {0};
        OWNED(pc_context) *context = new_context(1);
        OWNED(edge_set) edges = edge_set_density(&random, N, 500, true);
        OWNED(pc_graph) *graph = new_graph(context, &edges);
        for (int l = 1; l <= LENGTH; l++)
            bits[l] = 5.0 * l; /* 30 arcs a vertex at most */
        pci_sweep_options options = {
            .n_vectors = n_vectors, .length = LENGTH, .bits = bits, .n_threads = 1};
        pci_sweep *sweep;
        MUST(pci_sweep_create(context, graph, &options, &sweep));
        for (uint32_t v = 0; v < n_vectors; v++)
            pci_sweep_add(sweep, v, random_below(&random, N), 1);
        for (int l = 0; l < LENGTH; l++) {
            MUST(pci_sweep_step(sweep));
            uint32_t first = (uint32_t)random_below(&random, n_vectors);
            check_packed(sweep, N, first, 1 + (uint32_t)random_below(&random, n_vectors - first),
                         LIMBS);
        }
        pci_sweep_free(sweep);
    }
}

#ifdef PCI_HAVE_AVX512
/* Some vectors and vertices of a block whose words are random, read by both loops; the rest of the rows stays as it
 * is. */
static void check_read(random_source *random, pci_sweep_block *block, uint64_t *rows[2])
{
    uint32_t first_vector = (uint32_t)random_below(random, block->n_lanes);
    uint32_t n_vectors = 1 + (uint32_t)random_below(random, block->n_lanes - first_vector);
    uint32_t n_limbs = 1 + (uint32_t)random_below(random, block->format.n_low + 2);
    uint64_t first = random_below(random, block->n), n = random_below(random, block->n - first + 1);
    size_t n_words = block->n * n_vectors * n_limbs;
    bool adds = random_below(random, 4) == 0;
    for (size_t w = 0; w < n_words; w++)
        rows[0][w] = rows[1][w] = random_u64(random);
    pci_row_ops_portable.sweep_read(block, first_vector, n_vectors, n_limbs, adds, first, first + n,
                                    rows[0]);
    pci_row_ops_avx512.sweep_read(block, first_vector, n_vectors, n_limbs, adds, first, first + n,
                                  rows[1]);
    CU_ASSERT(memcmp(rows[0], rows[1], n_words * sizeof *rows[0]) == 0);
}
#endif

TEST("rows of a block")
{
    enum { N = 40, LANES = 32, LOW = 5, LINE = (LOW + 1) * LANES, ROWS = N * LANES * (LOW + 2) };
#ifdef PCI_HAVE_AVX512
    if (!kernel_is_available("avx512vnni"))
        test_skip("no AVX-512");
    random_source random = {.state = 251};
    uint64_t lines[N * LINE], memory[2][ROWS], *rows[2] = {memory[0], memory[1]};
    uint8_t live[N];
    for (int trial = 0; trial < 3000; trial++) {
        uint64_t n = 1 + random_below(&random, N);
        pci_sweep_block block = {
            .n = n,
            .n_lanes = 8 * (1 + random_below(&random, LANES / 8)),
            .limb_bits = 40 + (uint32_t)random_below(&random, 24),
            .format = {(uint32_t)random_below(&random, LOW + 1), 1u << random_below(&random, 4)}};
        ptrdiff_t stride = (ptrdiff_t)pci_sweep_line_words(block.format, block.n_lanes);
        bool is_reversed = random_below(&random, 2);
        block.stride = is_reversed ? -stride : stride;
        block.lines = is_reversed ? lines + (ptrdiff_t)(n - 1) * stride : lines;
        block.live = random_below(&random, 2) ? live : NULL;
        for (size_t w = 0; w < N * LINE; w++)
            lines[w] = random_u64(&random) >> (64 - block.limb_bits);
        for (size_t v = 0; v < N; v++)
            live[v] = random_below(&random, 3) > 0;
        check_read(&random, &block, rows);
    }
#else
    test_skip("no AVX-512 in this build");
#endif
}

/* The graph: made from arrays and from labelled edges, asked, found; files opened in every way;
 * the multiplicities of its edges. */
#include "tests/support/reading.h"

#include "graphs/graph.h"
#include "graphs/labels.h"
#include "graphs/multiplicity.h"
#include "tests/support/failing_allocator.h"
#include "tests/support/fixture.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

CASE_CONTEXT(context)

/* The graph that a call with this status made is as shown; frees it. */
static void check_shown(pc_status status, pc_graph **graph, const char *expected)
{
    MUST(status);
    char *shown = show_graph(*graph);
    CU_ASSERT_STRING_EQUAL(shown, expected);
    free(shown);
    pc_graph_free(*graph);
    *graph = NULL;
}

/* ---- From memory ----------------------------------------------------------------------------- */

TEST("from arrays")
{
    const uint64_t from[] = {0, 1, 2, 2, 1}, to[] = {1, 0, 2, 2, 3}, weight[] = {2, 2, 1, 1, 0};
    const pc_graph_options directed = {.direction = PC_DIRECTED}, multigraph = {.multigraph = 1},
                           six = {.n_vertices = 6};
    pc_graph *graph = NULL;
    pc_status status = graph_from_arrays(context, 4, 5, from, to, NULL, NULL, &graph);
    check_shown(status, &graph, "0 1 2 3 | 0>1 1>0 1>3 2>2 3>1");
    status = graph_from_arrays(context, 4, 5, from, to, weight, NULL, &graph);
    check_shown(status, &graph, "0 1 2 3 | 0>1*2 1>0*2 2>2");
    status = graph_from_arrays(context, 4, 5, from, to, weight, &multigraph, &graph);
    check_shown(status, &graph, "0 1 2 3 | 0>1*4 1>0*4 2>2*2");
    status = graph_from_arrays(context, 4, 5, from, to, NULL, &directed, &graph);
    check_shown(status, &graph, "0 1 2 3 | 0>1 1>0 1>3 2>2");
    status = graph_from_arrays(context, 4, 1, from, to, NULL, &six, &graph);
    check_shown(status, &graph, "0 1 2 3 4 5 | 0>1 1>0");
    status = graph_from_arrays(context, 2, 0, NULL, NULL, NULL, NULL, &graph);
    check_shown(status, &graph, "0 1 |");
    status = graph_from_arrays(context, 0, 0, NULL, NULL, NULL, NULL, &graph);
    check_shown(status, &graph, "|");
}

TEST("arrays that are wrong")
{
    const uint64_t from[] = {0, 1, 9}, to[] = {1, 3, 9}, weight[] = {UINT64_MAX, 1, 1};
    const uint64_t zero[] = {0, 0}, other[] = {1, 2};
    const pc_graph_options multigraph = {.multigraph = 1};
    pc_graph *graph = NULL;
    CU_ASSERT(is_refused(context, graph_from_arrays(context, 3, 3, from, to, NULL, NULL, &graph),
                         PC_ERR_ARGUMENT, "edge 1 "));
    CU_ASSERT_EQUAL(graph_from_arrays(context, 3, 1, NULL, to, NULL, NULL, &graph),
                    PC_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(
        graph_from_arrays(context, UINT64_C(1) << 32, 0, NULL, NULL, NULL, NULL, &graph),
        PC_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(graph_from_arrays(context, UINT64_MAX, 1, from, to, NULL, NULL, &graph),
                    PC_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(graph_from_arrays(context, 2, 2, zero, zero, weight, &multigraph, &graph),
                    PC_ERR_RANGE);
    CU_ASSERT_EQUAL(graph_from_arrays(context, 2, 2, zero, zero, other, NULL, &graph), PC_ERR_DATA);
    CU_ASSERT_PTR_NULL(graph);
    pc_graph_free(NULL);
}

/* ---- Loops that count twice ------------------------------------------------------------------ */

/* Whether the graph has the entries of the oracle; *too_large: the oracle has one beyond 2^64 - 1. */
static bool is_as_oracle_says(const pc_graph *graph, const integer_matrix *a, bool *too_large)
{
    bool is_same = true;
    *too_large = false;
    for (uint64_t e = 0; e < a->n * a->n; e++) {
        *too_large = *too_large || mpz_sizeinbase(a->entry[e], 2) > 64;
        uint64_t arc = graph ? pci_graph_find_arc(graph, e / a->n, e % a->n) : 0;
        bool is_there = graph && arc < graph->info.n_arcs;
        uint64_t entry = !is_there ? 0 : graph->weight ? graph->weight[arc] : 1;
        is_same = is_same && mpz_cmp_ui(a->entry[e], entry) == 0;
    }
    return is_same;
}

TEST("loops that count twice")
{
    random_source source = {41};
    int n_too_large = 0, n_loops = 0;
    for (int i = 0; i < 3000; i++) {
        OWNED(edge_set) edges = edge_set_any(&source, 1 + random_below(&source, 9));
        OWNED(pc_graph) *graph = NULL;
        bool too_large;
        edges.loops_twice = true;
        edges.directed = false;
        pc_status status = edge_set_load(context, &edges, &graph);
        OWNED(integer_matrix) a = oracle_adjacency(&edges);
        bool is_same = is_as_oracle_says(graph, &a, &too_large);
        CU_ASSERT_EQUAL(status, too_large ? PC_ERR_RANGE : PC_OK);
        n_too_large += too_large;
        if (!graph)
            continue;
        CU_ASSERT(is_same && graph->info.loops == PC_LOOPS_TWICE);
        n_loops += graph->info.n_loops > 0;
    }
    CU_ASSERT(n_too_large > 10 && n_loops > 500);
}

TEST("loops that cannot count twice")
{
    const uint64_t zero[] = {0}, half[] = {UINT64_C(1) << 63}, less[] = {(UINT64_C(1) << 63) - 1};
    const pc_graph_options directed = {.direction = PC_DIRECTED, .loops = PC_LOOPS_TWICE},
                           twice = {.loops = PC_LOOPS_TWICE}, thrice = {.loops = (pc_loops)2};
    const pc_arcs arcs = {.row_start = (uint64_t[]){0, 1}, .column = (uint32_t[]){0}};
    pc_graph *graph = NULL;
    CU_ASSERT(is_refused(context,
                         graph_from_arrays(context, 1, 1, zero, zero, NULL, &directed, &graph),
                         PC_ERR_ARGUMENT, "this one is directed"));
    CU_ASSERT(is_refused(context,
                         graph_from_arrays(context, 1, 1, zero, zero, NULL, &thrice, &graph),
                         PC_ERR_ARGUMENT, "unknown rule 2 for loops"));
    CU_ASSERT(
        is_refused(context, graph_from_arrays(context, 1, 1, zero, zero, half, &twice, &graph),
                   PC_ERR_RANGE, "edge 0 0 add up to more than 2^64-1, as loops count twice"));
    CU_ASSERT(is_refused(context, pc_graph_from_arcs(context, 1, &arcs, &twice, &graph),
                         PC_ERR_ARGUMENT, "double those of its diagonal"));
    pc_status status = graph_from_arrays(context, 1, 1, zero, zero, less, &twice, &graph);
    check_shown(status, &graph, "0 | 0>0*18446744073709551614");
}

/* ---- Many edges ------------------------------------------------------------------------------ */

/* Enough edges for several threads and buckets, from a table that is compared entry by entry. */
TEST("many edges against a table")
{
    enum { N = 300, N_EDGES = 100000 };
    static uint64_t from[N_EDGES], to[N_EDGES], weight[N_EDGES];
    dense_graph *expected = calloc(1, sizeof *expected);
    CU_ASSERT_PTR_NOT_NULL_FATAL(expected);
    uint64_t state = 11;
    for (unsigned v = 0; v < N; v++) {
        char label[32];
        snprintf(label, sizeof label, "%u", v);
        dense_vertex(expected, label);
    }
    for (int e = 0; e < N_EDGES; e++) {
        state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
        from[e] = (state >> 33) % N * ((state >> 33) % N) / N; /* low vertices have more */
        to[e] = (state >> 13 & 0xfffff) % N;
        weight[e] = state >> 62;
        expected->entry[from[e]][to[e]] += weight[e];
        if (from[e] != to[e])
            expected->entry[to[e]][from[e]] += weight[e];
    }
    const pc_graph_options multigraph = {.multigraph = 1};
    OWNED(char) *shown = dense_show(expected);
    for (int n_threads = 1; n_threads <= 6; n_threads++) {
        pc_graph *graph;
        pc_context_set_threads(context, n_threads);
        pc_status status =
            graph_from_arrays(context, N, N_EDGES, from, to, weight, &multigraph, &graph);
        check_shown(status, &graph, shown);
    }
    free(expected);
}

TEST("from labelled edges")
{
    static const char *const integers[] = {"10", "9", "200"}, *const names[] = {"b", "a", "9"};
    static const char *const twice[] = {"b", "a", "b"}, *const padded[] = {"1", "01", ""};
    const uint64_t from[] = {0, 1}, to[] = {1, 2};
    const pc_graph_options two = {.n_vertices = 2}, undirected = {.direction = PC_UNDIRECTED};
    pc_edges edges = {.n_vertices = 3,
                      .n_edges = 2,
                      .from = from,
                      .to = to,
                      .labels = integers,
                      .stated = PC_DIRECTED,
                      .format = "Other",
                      .weights_ignored = 1};
    pc_graph *graph = NULL;
    pc_graph_info info;
    check_shown(pc_graph_from_edges(context, &edges, NULL, &graph), &graph,
                "9 10 200 | 9>200 10>9");
    check_shown(pc_graph_from_edges(context, &edges, &two, &graph), &graph,
                "0 1 9 10 200 | 9>200 10>9");
    MUST(pc_graph_from_edges(context, &edges, &undirected, &graph));
    pc_graph_get_info(graph, &info);
    CU_ASSERT(info.direction_overridden && info.weights_ignored && !info.directed);
    CU_ASSERT_STRING_EQUAL(info.format, "Other");
    check_shown(PC_OK, &graph, "9 10 200 | 9>10 9>200 10>9 200>9");
    edges.labels = names;
    check_shown(pc_graph_from_edges(context, &edges, NULL, &graph), &graph, "b a 9 | b>a a>9");
    edges.labels = padded;
    check_shown(pc_graph_from_edges(context, &edges, NULL, &graph), &graph, "1 01  | 1>01 01>");
    CU_ASSERT_EQUAL(pc_graph_from_edges(context, &edges, &two, &graph), PC_ERR_ARGUMENT);
    edges.labels = twice;
    CU_ASSERT(is_refused(context, pc_graph_from_edges(context, &edges, NULL, &graph),
                         PC_ERR_ARGUMENT, "'b'"));
}

static pc_status edges_and_free(pc_context *its_context, void *user)
{
    pc_graph *graph;
    const pc_graph_options four = {.n_vertices = 4};
    pc_status status = pc_graph_from_edges(its_context, user, &four, &graph);
    if (status == PC_OK)
        pc_graph_free(graph);
    return status;
}

TEST("every allocation fails once")
{
    static const char *const labels[] = {"10", "9", "200"};
    const uint64_t from[] = {0, 1}, to[] = {1, 2}, weight[] = {3, 3};
    pc_edges edges = {.n_vertices = 3, .n_edges = 2, .from = from, .to = to, .weight = weight};
    CU_ASSERT(fail_each_allocation(edges_and_free, &edges) > 4);
    edges.labels = labels;
    CU_ASSERT(fail_each_allocation(edges_and_free, &edges) > 8);
}

static void check_find(const pc_graph *graph, const char *label, uint64_t expected)
{
    uint64_t vertex = 77;
    char text[64];
    CU_ASSERT_EQUAL(pc_graph_find(context, graph, label, &vertex), PC_OK);
    CU_ASSERT_EQUAL(vertex, expected);
    CU_ASSERT_EQUAL(graph_label(graph, expected, text, sizeof text), strlen(label));
    CU_ASSERT_STRING_EQUAL(text, label);
}

static void check_no_find(const pc_graph *graph, const char *label)
{
    uint64_t vertex = 77;
    CU_ASSERT_EQUAL(pc_graph_find(context, graph, label, &vertex), PC_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(vertex, 77);
    CU_ASSERT(says(context, label));
}

TEST("labels and finding them")
{
    pc_graph *graph;
    char text[8] = "???????";
    MUST(read_text(context, "", "5 6\n7 6\n", 8, NULL, &graph));
    check_find(graph, "5", 0);
    check_find(graph, "7", 2);
    check_no_find(graph, "4");
    check_no_find(graph, "8");
    check_no_find(graph, "05");
    check_no_find(graph, "");
    check_no_find(graph, "18446744073709551616");
    pc_graph_free(graph);
    MUST(read_text(context, "", "5 60\n7 60\n", 10, NULL, &graph));
    check_find(graph, "7", 1);
    check_find(graph, "60", 2);
    check_no_find(graph, "6");
    check_no_find(graph, "61");
    pc_graph_free(graph);
    MUST(read_text(context, "", "bob alice\nx alice\nx 5\n", 22, NULL, &graph));
    check_find(graph, "bob", 0);
    check_find(graph, "5", 3);
    check_no_find(graph, "bo");
    check_no_find(graph, "bobb");
    CU_ASSERT_EQUAL(graph_label(graph, 1, text, 4), 5);
    CU_ASSERT_STRING_EQUAL(text, "ali");
    CU_ASSERT_EQUAL(text[4], '?');
    CU_ASSERT_EQUAL(graph_label(graph, 1, NULL, 0), 5);
    pc_graph_free(graph);
}

/* ---- Files ----------------------------------------------------------------------------------- */

/* Each bit of a block is turned, and turned back. */
static void check_sealed(pc_graph *graph, void *block, size_t n_bytes)
{
    unsigned char *bytes = block;
    for (size_t bit = 0; bit < 8 * n_bytes; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        pc_status status = pc_graph_check(context, graph);
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        CU_ASSERT_EQUAL(status, PC_ERR_CERTIFY);
    }
    MUST(pc_graph_check(context, graph));
}

TEST("a bit that changes in a graph")
{
    const uint64_t from[] = {0, 1, 2, 2, 1}, to[] = {1, 0, 2, 2, 3}, weight[] = {2, 2, 1, 1, 7};
    const char *const names[] = {"a", "beta", "c", "d"};
    pc_edges edges = {
        .n_vertices = 4, .labels = names, .n_edges = 5, .from = from, .to = to, .weight = weight};
    OWNED(pc_graph) *graph = NULL;
    MUST(pc_graph_from_edges(context, &edges, NULL, &graph));
    check_sealed(graph, &graph->n, sizeof graph->n);
    check_sealed(graph, &graph->symmetric, sizeof graph->symmetric);
    check_sealed(graph, &graph->labels, sizeof graph->labels);
    check_sealed(graph, graph->row_start, (graph->n + 1) * sizeof *graph->row_start);
    check_sealed(graph, graph->column, pci_graph_n_arcs(graph) * sizeof *graph->column);
    check_sealed(graph, graph->weight, pci_graph_n_arcs(graph) * sizeof *graph->weight);
    check_sealed(graph, graph->labels.names.text, strlen("abetacd"));
    check_sealed(graph, graph->labels.names.start, 5 * sizeof(uint64_t));
}

/* Pieces that are hashed by threads, and a change in the last one. */
TEST("a bit that changes in a large graph")
{
    const uint64_t n = 300000;
    uint64_t *ends = malloc((n + 1) * sizeof *ends);
    CU_ASSERT_FATAL(ends != NULL);
    for (uint64_t i = 0; i <= n; i++)
        ends[i] = i;
    OWNED(pc_graph) *graph = NULL;
    MUST(graph_from_arrays(context, n + 1, n, ends, ends + 1, NULL, NULL, &graph));
    free(ends);
    MUST(pc_graph_check(context, graph));
    check_sealed(graph, &graph->row_start[n], sizeof *graph->row_start);
    check_sealed(graph, &graph->column[0], sizeof *graph->column);
}

TEST("files that are not there")
{
    pc_graph *graph = NULL;
    CU_ASSERT(is_refused(context,
                         pc_graph_read(context, "/nowhere/graph.txt", PC_FORMAT_AUTO, NULL, &graph),
                         PC_ERR_NO_INPUT, "/nowhere/graph.txt"));
    CU_ASSERT(is_refused(context, pc_graph_read(context, "/", PC_FORMAT_AUTO, NULL, &graph),
                         PC_ERR_NO_INPUT, "folder"));
    CU_ASSERT_EQUAL(pc_graph_read(context, "", PC_FORMAT_AUTO, NULL, &graph), PC_ERR_NO_INPUT);
    CU_ASSERT_PTR_NULL(graph);
}

/* Standard input, from a file, from where a file stands, and from a pipe. */
TEST("standard input")
{
    int saved = dup(STDIN_FILENO), ends[2];
    pc_graph *graph;
    const char *path = scratch_path("");
    scratch_write(path, "1 2\n2 x\n", 8);
    CU_ASSERT_PTR_NOT_NULL_FATAL(freopen(path, "r", stdin));
    unlink(path);
    check_shown(pc_graph_read(context, "-", PC_FORMAT_AUTO, NULL, &graph), &graph,
                "1 2 x | 1>2 2>1 2>x x>2");
    CU_ASSERT_EQUAL_FATAL(lseek(STDIN_FILENO, 4, SEEK_SET), 4);
    check_shown(pc_graph_read(context, "-", PC_FORMAT_AUTO, NULL, &graph), &graph, "2 x | 2>x x>2");
    CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
    CU_ASSERT_EQUAL_FATAL(write(ends[1], "7 8\n9\n", 6), 6);
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    CU_ASSERT(is_refused(context, pc_graph_read(context, "-", PC_FORMAT_AUTO, NULL, &graph),
                         PC_ERR_DATA, "standard input:2: "));
    dup2(saved, STDIN_FILENO);
    close(saved);
}

TEST("choice of format")
{
    const char *path = scratch_path(".mtx");
    pc_graph *graph;
    scratch_write(path, "1 2\n", 4);
    CU_ASSERT_EQUAL(pc_graph_read(context, path, PC_FORMAT_AUTO, NULL, &graph), PC_ERR_DATA);
    check_shown(pc_graph_read(context, path, PC_FORMAT_EDGE_LIST, NULL, &graph), &graph,
                "1 2 | 1>2 2>1");
    unlink(path);
    path = scratch_path(".txt");
    scratch_write(path, "1 2\n", 4);
    CU_ASSERT_EQUAL(pc_graph_read(context, path, PC_FORMAT_MATRIX_MARKET, NULL, &graph),
                    PC_ERR_DATA);
    unlink(path);
}

TEST("multiplicities")
{
    static const struct {
        const char *text;
        pci_multiplicity kind;
        uint64_t value;
    } known[] = {
        {"0", PCI_MULTIPLICITY, 0},
        {"7", PCI_MULTIPLICITY, 7},
        {"+7", PCI_MULTIPLICITY, 7},
        {"007", PCI_MULTIPLICITY, 7},
        {"7.", PCI_MULTIPLICITY, 7},
        {"7.000", PCI_MULTIPLICITY, 7},
        {"0.7e1", PCI_MULTIPLICITY, 7},
        {".7e+1", PCI_MULTIPLICITY, 7},
        {"700E-2", PCI_MULTIPLICITY, 7},
        {"7e0000000000000000000000001", PCI_MULTIPLICITY, 70},
        {"-0", PCI_MULTIPLICITY, 0},
        {"-0.0e5", PCI_MULTIPLICITY, 0},
        {"0e99999999999999999999999", PCI_MULTIPLICITY, 0},
        {"0e-99999999999999999999999", PCI_MULTIPLICITY, 0},
        {"18446744073709551615", PCI_MULTIPLICITY, UINT64_MAX},
        {"18446744073709551615.00", PCI_MULTIPLICITY, UINT64_MAX},
        {"1844674407370955161.5e1", PCI_MULTIPLICITY, UINT64_MAX},
        {"1e19", PCI_MULTIPLICITY, UINT64_C(10000000000000000000)},
        {"18446744073709551616", PCI_TOO_LARGE, 0},
        {"1e20", PCI_TOO_LARGE, 0},
        {"1e99999999999999999999999", PCI_TOO_LARGE, 0},
        {"99999999999999999999", PCI_TOO_LARGE, 0},
        {"0.5", PCI_FRACTIONAL, 0},
        {"75e-1", PCI_FRACTIONAL, 0},
        {"1e-1", PCI_FRACTIONAL, 0},
        {"1e-99999999999999999999999", PCI_FRACTIONAL, 0},
        {"-1", PCI_NEGATIVE, 0},
        {"-0.5", PCI_NEGATIVE, 0},
        {"", PCI_NO_NUMBER, 0},
        {"-", PCI_NO_NUMBER, 0},
        {".", PCI_NO_NUMBER, 0},
        {"e5", PCI_NO_NUMBER, 0},
        {".e5", PCI_NO_NUMBER, 0},
        {"1e", PCI_NO_NUMBER, 0},
        {"1e+", PCI_NO_NUMBER, 0},
        {"1e5.0", PCI_NO_NUMBER, 0},
        {"1.2.3", PCI_NO_NUMBER, 0},
        {"--1", PCI_NO_NUMBER, 0},
        {"0x10", PCI_NO_NUMBER, 0},
        {"inf", PCI_NO_NUMBER, 0},
        {"nan", PCI_NO_NUMBER, 0},
        {"1_0", PCI_NO_NUMBER, 0},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        uint64_t value = 0;
        pci_multiplicity kind =
            pci_multiplicity_parse(known[i].text, strlen(known[i].text), &value);
        bool good = kind == known[i].kind && (kind != PCI_MULTIPLICITY || value == known[i].value);
        if (!good)
            printf("\n    %s: %d %" PRIu64 "\n", known[i].text, (int)kind, value);
        CU_ASSERT(good);
    }
}

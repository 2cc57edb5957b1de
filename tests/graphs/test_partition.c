/* Partitions from vertices, arrays, files and components, and quotient graphs: against plain arrays
 * and matrices of GMP integers. */
#include "graphs/partition.h"
#include "tests/support/failing_allocator.h"
#include "tests/support/oracle.h"
#include "tests/support/reading.h"
#include "tests/support/fixture.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

CASE_CONTEXT(context)

/* A graph without edges, with these labels; NULL: 0 .. n - 1. */
static pc_graph *labelled(pc_context *of, uint64_t n, const char *const *labels)
{
    const pc_edges edges = {.n_vertices = n, .labels = labels};
    pc_graph *graph = NULL;
    return pc_graph_from_edges(of, &edges, NULL, &graph) == PC_OK ? graph : NULL;
}

/* "label{v v} label{v}" with numbers of vertices; asserts that all parts tell the same. The caller
 * frees it. */
static char *show(const pc_partition *partition)
{
    char *text = NULL;
    size_t n_bytes;
    FILE *out = open_memstream(&text, &n_bytes);
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    uint64_t n_seen = 0, largest = 0;
    CU_ASSERT_EQUAL(pc_labels_count(partition_info(partition).labels),
                    partition_info(partition).n_blocks);
    for (uint64_t b = 0; b < partition_info(partition).n_blocks; b++) {
        char label[64];
        uint64_t n_here = 0;
        pc_labels_text(partition_info(partition).labels, b, label, sizeof label);
        fprintf(out, "%s%s{", b ? " " : "", label);
        for (uint64_t v = 0; v < partition->n; v++)
            if (partition_info(partition).block[v] == b) {
                CU_ASSERT_EQUAL(partition->vertex[partition->start[b] + n_here], v);
                fprintf(out, "%s%" PRIu64, n_here++ ? " " : "", v);
            }
        fputc('}', out);
        CU_ASSERT_EQUAL(partition_info(partition).sizes[b], n_here);
        CU_ASSERT_EQUAL(partition->start[b], n_seen);
        n_seen += n_here;
        largest = n_here > largest ? n_here : largest;
    }
    CU_ASSERT_EQUAL(partition->start[partition->n_blocks], partition->n);
    CU_ASSERT_EQUAL(n_seen, partition->n);
    CU_ASSERT_EQUAL(largest, partition->max_size);
    fclose(out);
    return text;
}

/* A call with this status gave the partition shown; frees it. */
static void check_shown(pc_status status, pc_partition **partition, const char *expected, int line)
{
    char *shown = status == PC_OK ? show(*partition) : strdup(pc_context_message(context));
    if (strcmp(shown, expected) != 0)
        printf("\n    line %d: %s\n    expected: %s\n", line, shown, expected);
    CU_ASSERT_STRING_EQUAL(shown, expected);
    free(shown);
    if (status == PC_OK)
        pc_partition_free(*partition);
    *partition = NULL;
}
#define CHECK_SHOWN(STATUS, EXPECTED) check_shown(STATUS, &partition, EXPECTED, __LINE__)

static void check_refused(pc_status status, pc_status expected, const pc_partition *partition,
                          const char *words, int line)
{
    bool good = status == expected && !partition && strstr(pc_context_message(context), words);
    if (!good)
        printf("\n    line %d: %s: %s\n", line, pc_status_text(status),
               pc_context_message(context));
    CU_ASSERT(good);
}
#define CHECK_REFUSED(CALL, STATUS, WORDS) check_refused(CALL, STATUS, partition, WORDS, __LINE__)

/* ---- Consecutive vertices, arrays ------------------------------------------------------------ */

TEST("consecutive vertices")
{
    static const char *const names[] = {"a", "b c", "d", "e", "f"};
    static const char *const numbers[] = {"7", "9", "18446744073709551615"};
    static const char *const clash[] = {"a", "b-c", "a-b", "c"};
    pc_partition *partition = NULL;
    pc_graph *graph = labelled(context, 5, names);
    CHECK_SHOWN(pci_partition_consecutive(context, graph, 2, &partition),
                "a-b c{0 1} d-e{2 3} f{4}");
    CHECK_SHOWN(pci_partition_consecutive(context, graph, 3, &partition), "a-d{0 1 2} e-f{3 4}");
    CHECK_SHOWN(pci_partition_consecutive(context, graph, 5, &partition), "a-f{0 1 2 3 4}");
    CHECK_SHOWN(pci_partition_consecutive(context, graph, UINT64_MAX, &partition),
                "a-f{0 1 2 3 4}");
    CHECK_SHOWN(pci_partition_consecutive(context, graph, 1, &partition),
                "a{0} b c{1} d{2} e{3} f{4}");
    CHECK_REFUSED(pci_partition_consecutive(context, graph, 0, &partition), PC_ERR_ARGUMENT,
                  "groups must have 1");
    pc_graph_free(graph);
    graph = labelled(context, 3, numbers);
    CHECK_SHOWN(pci_partition_consecutive(context, graph, 2, &partition),
                "7-9{0 1} 18446744073709551615{2}");
    pc_graph_free(graph);
    graph = labelled(context, 4, clash);
    CHECK_REFUSED(pci_partition_consecutive(context, graph, 2, &partition), PC_ERR_DATA,
                  "two blocks would be called 'a-b-c'");
    pc_graph_free(graph);
    graph = labelled(context, 0, NULL);
    CHECK_SHOWN(pci_partition_consecutive(context, graph, 4, &partition), "");
    pc_graph_free(graph);
}

TEST("arrays")
{
    static const uint64_t block[] = {2, 0, 2, 1, 0}, hole[] = {2, 0, 2, 2, 0};
    static const char *const labels[] = {"10", "9", "x y"}, *const twice[] = {"a", "b", "a"};
    pc_partition *partition = NULL;
    pc_graph *graph = labelled(context, 5, NULL);
    CHECK_SHOWN(pc_partition_from_arrays(context, graph, 3, block, NULL, &partition),
                "0{1 4} 1{3} 2{0 2}");
    CHECK_SHOWN(pc_partition_from_arrays(context, graph, 3, block, labels, &partition),
                "10{1 4} 9{3} x y{0 2}");
    CHECK_REFUSED(pc_partition_from_arrays(context, graph, 3, block, twice, &partition),
                  PC_ERR_ARGUMENT, "blocks 0 and 2 have the same label 'a'");
    CHECK_REFUSED(pc_partition_from_arrays(context, graph, 3, hole, labels, &partition),
                  PC_ERR_ARGUMENT, "block 1 of 3 is empty");
    CHECK_REFUSED(pc_partition_from_arrays(context, graph, 2, block, NULL, &partition),
                  PC_ERR_ARGUMENT, "vertex 0 is in block 2");
    CHECK_REFUSED(pc_partition_from_arrays(context, graph, 0, block, NULL, &partition),
                  PC_ERR_ARGUMENT, "vertex 0 is in block 2");
    CHECK_REFUSED(pc_partition_from_arrays(context, graph, UINT64_MAX, block, NULL, &partition),
                  PC_ERR_ARGUMENT, "one would be empty");
    CHECK_REFUSED(pc_partition_from_arrays(context, graph, 3, NULL, NULL, &partition),
                  PC_ERR_ARGUMENT, "without the array");
    pc_graph_free(graph);
    graph = labelled(context, 0, NULL);
    CHECK_SHOWN(pc_partition_from_arrays(context, graph, 0, NULL, NULL, &partition), "");
    pc_graph_free(graph);
    pc_partition_free(NULL);
}

/* ---- Files ----------------------------------------------------------------------------------- */

static pc_status read_bytes(pc_context *of, const pc_graph *graph, const char *suffix,
                            const void *bytes, size_t n_bytes, pc_partition **partition)
{
    const char *path = scratch_path(suffix);
    scratch_write(path, bytes, n_bytes);
    pc_status status = pc_partition_read(of, graph, path, partition);
    unlink(path);
    return status;
}

static pc_status read_string(const pc_graph *graph, const char *text, pc_partition **partition)
{
    return read_bytes(context, graph, ".txt", text, strlen(text), partition);
}

#define CHECK_READS(TEXT, EXPECTED) CHECK_SHOWN(read_string(graph, TEXT, &partition), EXPECTED)
#define CHECK_BAD(TEXT, WORDS)                                                                     \
    CHECK_REFUSED(read_bytes(context, graph, ".txt", TEXT, sizeof(TEXT) - 1, &partition),          \
                  PC_ERR_DATA, WORDS)

TEST("files")
{
    static const char *const names[] = {"Ann", "Jean Valjean", "7", "x,y"};
    pc_partition *partition = NULL;
    pc_graph *graph = labelled(context, 4, names);
    CHECK_READS("Ann\tred\nJean Valjean\tdark blue\n7\tred\nx,y\tred\n", "red{0 2 3} dark blue{1}");
    CHECK_READS("\xef\xbb\xbf# a comment\n\r\n 7 , b \r\n  %\t\nJean Valjean,a\nx,y \t\t b\nAnn b",
                "b{0 2 3} a{1}");
    CHECK_READS("x,y\t10\n7 9\nAnn   10\nJean Valjean\t100\n", "9{2} 10{0 3} 100{1}");
    CHECK_READS("x,y\t10\n7 09\nAnn 10\nJean Valjean\tz\n", "10{0 3} 09{2} z{1}");
    pc_graph_free(graph);
    graph = labelled(context, 3, NULL);
    CHECK_READS("2 1\n0 18446744073709551615\n1 1", "1{1 2} 18446744073709551615{0}");
    CHECK_READS("0,a\n1,a\n2,a\n", "a{0 1 2}");
    pc_graph_free(graph);
    graph = labelled(context, 0, NULL);
    CHECK_READS("", "");
    CHECK_READS("# nothing\n", "");
    pc_graph_free(graph);
}

TEST("bad files")
{
    static const char *const gaps[] = {"5", "70", "700"};
    pc_partition *partition = NULL;
    pc_graph *graph = labelled(context, 3, NULL);
    CHECK_BAD("0 a\n\n1 a\n0 b\n2 b\n", ":4: vertex '0' is given a second time (first in line 1)");
    CHECK_BAD("# c\n\n1 a\n0 b\n2 b\n1 a",
              ":6: vertex '1' is given a second time (first in line 3)");
    CHECK_BAD("0 a\n3 a\n", ":2: there is no vertex '3' in the graph");
    CHECK_BAD("0 a\n00 a\n", ":2: there is no vertex '00'");
    CHECK_BAD("123456789012345678901234567890 a\n", ":1: there is no vertex '1234567890");
    CHECK_BAD("0 a\n2 b\n",
              ": vertex '1' has no block: every vertex needs a line, and 1 of 3 have");
    CHECK_BAD("2 b\n", ": vertex '0' has no block: every vertex needs a line, and 2 of 3");
    CHECK_BAD("", ": vertex '0' has no block: every vertex needs a line, and 3 of 3");
    CHECK_BAD("0 a\n1\n2 a\n", ":2: '1' stands alone");
    CHECK_BAD("0 a b\n", ":1: more than two columns");
    CHECK_BAD("0,a,b\n", ":1: more than two columns");
    CHECK_BAD("0\ta\tb\n", ":1: more than two columns");
    CHECK_BAD("0,\n", ":1: a column is empty");
    CHECK_BAD(",a\n", ":1: a column is empty");
    CHECK_BAD("0 a\n1 a\0\n", ":2: a NUL byte");
    CHECK_BAD("\xff\xfe\x30\0\x20\0", ":1: a NUL byte");
    CHECK_BAD("0 a\r1 a\r2 a\r", ":1: a carriage return");
    CHECK_REFUSED(pc_partition_read(context, graph, "/nonexistent/p", &partition), PC_ERR_NO_INPUT,
                  "/nonexistent/p");
    pc_graph_free(graph);
    graph = labelled(context, 3, gaps);
    CHECK_BAD("5 a\n6 a\n", ":2: there is no vertex '6'");
    CHECK_BAD("700 a\n5 a\n", ": vertex '70' has no block");
    pc_graph_free(graph);
}

static int stop(void *user, const char *stage, double fraction)
{
    (void)user;
    return strcmp(stage, "read") == 0 && fraction >= 0;
}

/* Many lines in random order: block i of text labels as they appear. */
TEST("many lines")
{
    enum { N = 3000, N_BLOCKS = 57 };
    random_source source = {71};
    uint32_t order[N], first_block[N_BLOCKS], block[N], n_blocks = 0;
    OWNED(char) *text = NULL;
    size_t n_bytes;
    FILE *out = open_memstream(&text, &n_bytes);
    memset(first_block, 0xff, sizeof first_block);
    for (uint32_t i = 0; i < N; i++) {
        uint32_t j = (uint32_t)random_below(&source, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    for (uint32_t i = 0; i < N; i++) {
        uint64_t b = random_below(&source, N_BLOCKS);
        if (first_block[b] == UINT32_MAX)
            first_block[b] = n_blocks++;
        block[order[i]] = first_block[b];
        fprintf(out, "%" PRIu32 "\tblock %" PRIu64 "\n", order[i], b);
    }
    fclose(out);
    OWNED(pc_graph) *graph = labelled(context, N, NULL);
    OWNED(pc_partition) *read = NULL;
    MUST(read_string(graph, text, &read));
    CU_ASSERT_EQUAL(partition_info(read).n_blocks, n_blocks);
    for (uint32_t v = 0; v < N; v++)
        CU_ASSERT_EQUAL(partition_info(read).block[v], block[v]);
    free(show(read));
    pc_partition *partition = NULL;
    pc_context_set_progress(context, stop, NULL);
    CHECK_REFUSED(read_string(graph, text, &partition), PC_ERR_CANCELLED, "");
}

/* ---- Components ------------------------------------------------------------------------------ */

/* Numbers of components by first vertex: the smaller number spreads along edges until nothing
 * changes. */
static void oracle_components(const edge_set *edges, uint64_t *block)
{
    for (uint64_t v = 0; v < edges->n; v++)
        block[v] = v;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint64_t e = 0; e < edges->n_edges; e++) {
            uint64_t *u = &block[edges->from[e]], *v = &block[edges->to[e]];
            changed = changed || (*u != *v && edges->weight[e] > 0);
            if (edges->weight[e] > 0)
                *u = *v = *u < *v ? *u : *v;
        }
    }
    uint64_t n_blocks = 0;
    for (uint64_t v = 0; v < edges->n; v++)
        block[v] = block[v] == v ? n_blocks++ : block[block[v]];
}

TEST("components of random graphs")
{
    random_source source = {5};
    for (int i = 0; i < 300; i++) {
        uint64_t n = random_below(&source, 40), block[40];
        OWNED(edge_set) edges = edge_set_empty(n, random_below(&source, 2));
        uint64_t n_edges = n ? random_below(&source, n + n / 2 + 1) : 0;
        for (uint64_t e = 0; e < n_edges; e++)
            edge_set_add(&edges, random_below(&source, n), random_below(&source, n), 1);
        pc_graph *graph;
        OWNED(pc_partition) *partition = NULL;
        MUST(edge_set_load(context, &edges, &graph));
        MUST(pci_partition_components(context, graph, &partition));
        pc_graph_free(graph);
        oracle_components(&edges, block);
        for (uint64_t v = 0; v < n; v++)
            CU_ASSERT_EQUAL(partition_info(partition).block[v], block[v]);
        free(show(partition));
    }
}

/* Long paths, along which recursion would run out of stack: vertices in order and in disorder. */
TEST("components of long paths")
{
    enum { N = 200000 };
    static const uint64_t factors[] = {1, 77777, 199999}; /* coprime to N: all vertices once */
    for (size_t f = 0; f < sizeof factors / sizeof *factors; f++) {
        uint64_t factor = factors[f];
        OWNED(edge_set) edges = edge_set_empty(N, true);
        for (uint64_t i = 0; i + 1 < N; i++)
            if (i != N / 2)
                edge_set_add(&edges, (i + 1) * factor % N, i * factor % N, 1);
        OWNED(pc_graph) *graph = NULL;
        OWNED(pc_partition) *partition = NULL;
        MUST(edge_set_load(context, &edges, &graph));
        MUST(pci_partition_components(context, graph, &partition));
        CU_ASSERT_EQUAL_FATAL(partition_info(partition).n_blocks, 2);
        CU_ASSERT_EQUAL(partition_info(partition).sizes[0], N / 2 + 1);
        char label[8];
        pc_labels_text(partition_info(partition).labels, 1, label, sizeof label);
        CU_ASSERT_STRING_EQUAL(label, "2");
    }
}

/* ---- Quotient graphs ------------------------------------------------------------------------- */

/* S A S^T entry by entry. */
static integer_matrix oracle_quotient(const integer_matrix *a, uint64_t n_blocks,
                                      const uint64_t *block)
{
    integer_matrix sum = integer_matrix_zero(n_blocks);
    for (uint64_t i = 0; i < a->n; i++)
        for (uint64_t j = 0; j < a->n; j++) {
            mpz_t *entry = &sum.entry[block[i] * n_blocks + block[j]];
            mpz_add(*entry, *entry, a->entry[i * a->n + j]);
        }
    return sum;
}

static uint64_t entry_of(const pc_graph *graph, uint64_t row, uint64_t column)
{
    for (uint64_t a = graph->row_start[row]; a < graph->row_start[row + 1]; a++)
        if (graph->column[a] == column)
            return graph->weight ? graph->weight[a] : 1;
    return 0;
}

static void check_quotient(const edge_set *edges, const pc_graph *graph, uint64_t n_blocks,
                           const uint64_t *block, unsigned *n_too_large)
{
    OWNED(pc_partition) *partition = NULL;
    OWNED(pc_graph) *quotient = NULL;
    MUST(pc_partition_from_arrays(context, graph, n_blocks, block, NULL, &partition));
    OWNED(integer_matrix) a = oracle_adjacency(edges), sum = oracle_quotient(&a, n_blocks, block);
    bool too_large = false;
    for (uint64_t e = 0; e < n_blocks * n_blocks; e++)
        too_large = too_large || mpz_sizeinbase(sum.entry[e], 2) > 64;
    pc_status status = pc_graph_quotient(context, graph, partition, &quotient);
    CU_ASSERT_EQUAL(status, too_large ? PC_ERR_RANGE : PC_OK);
    *n_too_large += too_large;
    if (status == PC_OK) {
        bool same = quotient->n == n_blocks;
        for (uint64_t i = 0; i < n_blocks; i++)
            for (uint64_t j = 0; j < n_blocks; j++)
                same =
                    same && mpz_cmp_ui(sum.entry[i * n_blocks + j], entry_of(quotient, i, j)) == 0;
        CU_ASSERT(same);
        CU_ASSERT_EQUAL(quotient->info.directed, (int)edges->directed);
        CU_ASSERT_EQUAL(quotient->info.n_duplicates, 0);
        free(show_graph(quotient)); /* asserts that the graph is in order */
    }
}

TEST("quotients of random graphs")
{
    random_source source = {2};
    unsigned n_too_large = 0;
    for (int i = 0; i < 400; i++) {
        uint64_t n = 1 + random_below(&source, 24), block[24];
        uint64_t n_blocks = 1 + random_below(&source, n);
        for (uint64_t v = 0; v < n; v++) /* each block has a vertex */
            block[v] = v < n_blocks ? v : random_below(&source, n_blocks);
        for (uint64_t v = n; v-- > 1;) {
            uint64_t other = random_below(&source, v + 1), swap = block[v];
            block[v] = block[other];
            block[other] = swap;
        }
        OWNED(edge_set) edges = edge_set_any(&source, n);
        pc_graph *graph;
        if (edge_set_load(context, &edges, &graph) == PC_OK) { /* else multiplicities too large */
            check_quotient(&edges, graph, n_blocks, block, &n_too_large);
            pc_graph_free(graph);
        }
    }
    CU_ASSERT(n_too_large > 3 && n_too_large < 100);
}

/* Labels of all kinds pass to the quotient graph, and in the order of the blocks. */
TEST("labels of quotients")
{
    static const uint64_t from[] = {0, 1, 2, 0}, to[] = {1, 2, 3, 0}, block[] = {1, 1, 0, 2};
    static const char *const labels[] = {"10", "9", "x"};
    pc_partition *partition;
    pc_graph *graph, *quotient, *other;
    MUST(graph_from_arrays(context, 4, 4, from, to, NULL, NULL, &graph));
    static const struct {
        const char *file, *shown;
    } cases[] = {
        {"0 z\n1 z\n2 y\n3 x\n", "z y x | z>z*3 z>y y>z y>x x>y"},
        {"0 3\n1 3\n2 100\n3 4\n", "3 4 100 | 3>3*3 3>100 4>100 100>3 100>4"},
        {"0 3\n1 3\n2 5\n3 4\n", "3 4 5 | 3>3*3 3>5 4>5 5>3 5>4"},
    };
    for (size_t c = 0; c <= sizeof cases / sizeof *cases; c++) {
        bool from_file = c < sizeof cases / sizeof *cases;
        MUST(from_file ? read_string(graph, cases[c].file, &partition)
                       : pc_partition_from_arrays(context, graph, 3, block, labels, &partition));
        MUST(pc_graph_quotient(context, graph, partition, &quotient));
        pc_partition_free(partition);
        OWNED(char) *shown = show_graph(quotient);
        CU_ASSERT_STRING_EQUAL(shown,
                               from_file ? cases[c].shown : "10 9 x | 10>9 10>x 9>10 9>9*3 x>10");
        pc_graph_free(quotient);
    }
    other = labelled(context, 3, NULL);
    MUST(pci_partition_components(context, other, &partition));
    CU_ASSERT(is_refused(context, pc_graph_quotient(context, graph, partition, &quotient),
                         PC_ERR_ARGUMENT, "3 vertices"));
    pc_partition_free(partition);
    pc_graph_free(other);
    pc_graph_free(graph);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

/* One way after the other to a partition of a graph, and its quotient. */
static pc_status make_one(pc_context *of, int way, const pc_graph *graph)
{
    static const uint64_t block[] = {1, 1, 0, 2};
    static const char *const labels[] = {"10", "9", "x"};
    static const char file[] = "0 100\n1 3\n2 7\n3 7\n", text[] = "0 b\n1 a\n2 a\n3 c\n";
    OWNED(pc_partition) *partition = NULL;
    pc_graph *quotient;
    pc_status status = PC_ERR_INTERNAL;
    if (way == 0)
        status = pci_partition_consecutive(of, graph, 2, &partition);
    else if (way == 1)
        status = pc_partition_from_arrays(of, graph, 3, block, labels, &partition);
    else if (way == 2)
        status = pci_partition_components(of, graph, &partition);
    else
        status = read_bytes(of, graph, ".txt", way == 3 ? file : text,
                            strlen(way == 3 ? file : text), &partition);
    if (status)
        return status;
    status = pc_graph_quotient(of, graph, partition, &quotient);
    if (status == PC_OK)
        pc_graph_free(quotient);
    return status;
}

static pc_status make_all(pc_context *of, void *user)
{
    static const uint64_t from[] = {0, 1, 2, 0}, to[] = {1, 2, 3, 0}, weight[] = {1, 2, 3, 4};
    OWNED(pc_graph) *graph = NULL;
    (void)user;
    pc_status status = graph_from_arrays(of, 4, 4, from, to, weight, NULL, &graph);
    if (status)
        return status;
    for (int way = 0; way < 5 && status == PC_OK; way++)
        status = make_one(of, way, graph);
    return status;
}

TEST("no memory")
{
    CU_ASSERT(fail_each_allocation(make_all, NULL) > 50);
}

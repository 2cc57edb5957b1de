/* Serialized graphs of GAP: what is written is read back, ranges of rows are those of the whole, and no damaged
 * file is taken for a graph that it does not hold. */
#include "io/serialized.h"

#include "graphs/graph.h"
#include "tests/support/failing_allocator.h"
#include "tests/support/fixture.h"
#include "tests/support/reading.h"
#include "tests/support/written_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

CASE_CONTEXT(context)

/* ---- Written and read back ----------------------------------------------------------------------- */

/* The file beside a graph that was written to path, if there is one. */
static bool has_labels_file(const char *path)
{
    char labels[MOST_PATH + 8];
    snprintf(labels, sizeof labels, "%s.labels", path);
    return access(labels, F_OK) == 0;
}

static void check_round_trip(const pc_graph *graph, const char *name, int n_threads)
{
    const pc_graph_options weighted = {.weights = 1};
    OWNED(pc_context) *reader = new_context(n_threads);
    OWNED(pc_graph) *back = NULL;
    char path[MOST_PATH];
    in_folder(name, path);
    MUST(pc_graph_write(context, graph, path));
    MUST(pc_graph_read(reader, path, PC_FORMAT_AUTO, &weighted, &back));
    OWNED(char) *before = show_graph(graph), *after = show_graph(back);
    CU_ASSERT_STRING_EQUAL(before, after);
    CU_ASSERT_EQUAL(back->symmetric, graph->symmetric);
    CU_ASSERT_EQUAL(back->info.n_edges, graph->info.n_edges);
    CU_ASSERT_EQUAL(back->info.n_duplicates, 0);
    MUST(pc_graph_check(reader, back));
}

/* Refused for its weights: nothing is left. */
static void check_refused(const pc_graph *graph, const char *name, const char *words)
{
    char path[MOST_PATH];
    int before = n_files();
    in_folder(name, path);
    CU_ASSERT_EQUAL(pc_graph_write(context, graph, path), PC_ERR_DATA);
    CU_ASSERT_PTR_NOT_NULL(strstr(pc_context_message(context), words));
    CU_ASSERT_EQUAL(n_files(), before);
}

TEST("random graphs are read back")
{
    static const char *const names[] = {"g.wsg", "h.wsg.gz", "i.wsg.zst"};
    random_source source = {31};
    int n_plain = 0, n_weighted = 0, n_heavy = 0;
    for (int i = 0; i < 200; i++) {
        OWNED(edge_set) edges = edge_set_any_simple(&source, 1 + random_below(&source, 40));
        OWNED(pc_graph) *graph = NULL;
        for (uint64_t e = 0; e < edges.n_edges; e++) /* the same for an edge that is given again */
            edges.weight[e] =
                i % 3 == 0 ? 1
                           : 1 + edges.from[e] * edges.to[e] * (i % 3 == 1 ? 70001 : 9000000001);
        if (edge_set_load(context, &edges, &graph) != PC_OK)
            continue;
        bool is_plain = graph->info.max_weight <= 1, is_heavy = graph->info.max_weight > INT32_MAX;
        make_folder();
        if (is_plain)
            check_round_trip(graph, "g.sg", 1 + i % 4);
        else
            check_refused(graph, "g.sg", "a .sg has no weights; write .wsg");
        if (is_heavy)
            check_refused(graph, "g.wsg", "at most 2147483647; write .mtx");
        else
            check_round_trip(graph, names[i % 3], 1 + i % 4);
        n_plain += is_plain;
        n_heavy += is_heavy;
        n_weighted += !is_plain && !is_heavy;
        remove_folder();
    }
    CU_ASSERT(n_plain > 40 && n_weighted > 40 && n_heavy > 10);
}

TEST("labels are kept in their order")
{
    static const char *const kinds[][3] = {{"a b", "c\td\\", "\r\n#"},
                                           {"10", "9", "11"},
                                           {"5", "7", "18446744073709551615"},
                                           {"1", "2", "3"},
                                           {"", "x", "y"},
                                           {"0", "1", "2"}};
    static const uint64_t from[] = {0, 1}, to[] = {1, 2};
    make_folder();
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const pc_edges edges = {
            .n_vertices = 3, .labels = kinds[k], .n_edges = 2, .from = from, .to = to};
        const pc_graph_options directed = {.direction = PC_DIRECTED};
        OWNED(pc_graph) *graph = NULL;
        char path[MOST_PATH];
        in_folder("g.sg", path);
        MUST(pc_graph_from_edges(context, &edges, &directed, &graph));
        check_round_trip(graph, "g.sg", 1);
        CU_ASSERT(has_labels_file(path)); /* the last one replaces those before */
        check_round_trip(graph, "numbers.sg.gz", 1);
        unlink(path);
    }
    remove_folder();
}

/* ---- Ranges of rows ------------------------------------------------------------------------------ */

/* Rows first .. end - 1 as the file has them, compared with those of a graph. */
static void check_range(const pci_input *input, const pci_serialized *head, pci_arc_side side,
                        const pc_graph *graph, uint64_t first, uint64_t end)
{
    uint64_t start[64], weight[64 * 64];
    uint32_t column[64 * 64];
    MUST(pci_serialized_read_starts(input, head, side, first, end, start));
    MUST(pci_serialized_read_arcs(input, head, side, first, end, start, true, column, weight));
    for (uint64_t row = first; row <= end; row++)
        CU_ASSERT_EQUAL(start[row - first], graph->row_start[row]);
    for (uint64_t a = start[0]; a < start[end - first]; a++) {
        CU_ASSERT_EQUAL(column[a - start[0]], graph->column[a]);
        CU_ASSERT_EQUAL(weight[a - start[0]], graph->weight ? graph->weight[a] : 1);
    }
}

TEST("any range of rows is that of the whole")
{
    random_source source = {32};
    char path[MOST_PATH];
    make_folder();
    in_folder("g.wsg", path);
    for (int i = 0; i < 40; i++) {
        OWNED(edge_set) edges = edge_set_density(&source, 60, 20 * (unsigned)i, i % 2);
        OWNED(pc_graph) *graph = NULL, *reverse = NULL;
        pci_input input;
        pci_serialized head;
        for (uint64_t e = 0; e < edges.n_edges; e++)
            edges.weight[e] = 1 + random_below(&source, 9);
        MUST(edge_set_load(context, &edges, &graph));
        MUST(pci_graph_reverse(context, graph, &reverse));
        MUST(pc_graph_write(context, graph, path));
        MUST(pci_input_open(context, path, &input));
        MUST(pci_serialized_read_head(&input, &head));
        CU_ASSERT_EQUAL(head.n, 60);
        CU_ASSERT_EQUAL(head.n_arcs, pci_graph_n_arcs(graph));
        CU_ASSERT_EQUAL(head.is_directed, i % 2);
        CU_ASSERT(head.is_weighted);
        for (int r = 0; r < 20; r++) {
            uint64_t first = random_below(&source, 61),
                     end = first + random_below(&source, 61 - first);
            check_range(&input, &head, PCI_OUTGOING, graph, first, end);
            if (head.is_directed)
                check_range(&input, &head, PCI_INCOMING, reverse, first, end);
        }
        pci_input_close(&input);
    }
    remove_folder();
}

/* A file that is longer than what is read when it is opened: rows come from the file itself. */
TEST("ranges of a long file")
{
    char path[MOST_PATH];
    pci_input input;
    pci_serialized head;
    OWNED(pc_graph) *graph = NULL, *back = NULL;
    const pc_model rmat = {.scale = 14, .edge_factor = 16, .a = 0.57, .b = 0.19, .c = 0.19};
    make_folder();
    in_folder("g.sg", path);
    MUST(generate_rmat(context, &rmat, 5, true, &graph));
    MUST(pc_graph_write(context, graph, path));
    MUST(pc_graph_read(context, path, PC_FORMAT_AUTO, NULL, &back));
    CU_ASSERT_EQUAL(memcmp(back->row_start, graph->row_start, 8 * (graph->n + 1)), 0);
    CU_ASSERT_EQUAL(memcmp(back->column, graph->column, 4 * pci_graph_n_arcs(graph)), 0);
    MUST(pci_input_open(context, path, &input));
    MUST(pci_serialized_read_head(&input, &head));
    for (uint64_t first = 0; first < graph->n; first += 1000) {
        uint64_t end = first + 40 < graph->n ? first + 40 : graph->n, start[41];
        MUST(pci_serialized_read_starts(&input, &head, PCI_OUTGOING, first, end, start));
        uint64_t n = start[end - first] - start[0];
        uint32_t *column = malloc(4 * n + 1);
        MUST(pci_serialized_read_arcs(&input, &head, PCI_OUTGOING, first, end, start, false, column,
                                      NULL));
        CU_ASSERT_EQUAL(memcmp(column, graph->column + start[0], 4 * n), 0);
        free(column);
    }
    pci_input_close(&input);
    remove_folder();
}

/* ---- Damaged files ------------------------------------------------------------------------------- */

/* A file of directed weighted arcs 0 > 1, 1 > 2, 2 > 0 of weights 1, 2, 3. */
static const unsigned char arcs[] = {
    1, 3, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, /* head */
    0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0,
    0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, /* outgoing */
    0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0,
    0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0}; /* incoming */

/* A head that is changed promises up to 2^62 arcs: nothing is allocated for them. */
TEST("bytes by hand, and any byte of them changed")
{
    const pc_graph_options weighted = {.weights = 1};
    unsigned char bytes[sizeof arcs];
    OWNED(pc_graph) *graph = NULL;
    MUST(read_text(context, ".wsg", (const char *)arcs, sizeof arcs, &weighted, &graph));
    OWNED(char) *shown = show_graph(graph);
    CU_ASSERT_STRING_EQUAL(shown, "0 1 2 | 0>1 1>2*2 2>0*3");
    for (size_t i = 0; i < sizeof arcs; i++)
        for (int value = 0; value < 256; value = 2 * value + 1) {
            OWNED(pc_graph) *read = NULL;
            memcpy(bytes, arcs, sizeof arcs);
            bytes[i] = (unsigned char)(bytes[i] + value);
            pc_status status =
                read_text(context, ".wsg", (const char *)bytes, sizeof bytes, &weighted, &read);
            CU_ASSERT_EQUAL(status,
                            value == 0 ? PC_OK : PC_ERR_DATA); /* each byte is there twice */
        }
}

TEST("a file that is cut short, or longer")
{
    unsigned char bytes[sizeof arcs + 8] = {0};
    memcpy(bytes, arcs, sizeof arcs);
    for (size_t n = 1; n < sizeof bytes; n++) {
        OWNED(pc_graph) *read = NULL;
        pc_status status = read_text(context, ".wsg", (const char *)bytes, n, NULL, &read);
        CU_ASSERT_EQUAL(status, n == sizeof arcs ? PC_OK : PC_ERR_DATA);
    }
}

TEST("labels that do not belong to the graph")
{
    static const struct {
        const char *text, *words;
    } cases[] = {{"a\nb\n", "2 labels, and the graph has 3 vertices"},
                 {"a\nb\nc\nd\n", "4 labels"},
                 {"a\nb\na\n", ":3: the label is there twice"},
                 {"a\nb\\x\nc\n", ":2: the label has a backslash"},
                 {"a\nb\n18446744073709551616\n", ":3: the label is an integer beyond"}};
    char path[MOST_PATH], labels[MOST_PATH + 8];
    make_folder();
    in_folder("g.wsg", path);
    snprintf(labels, sizeof labels, "%s.labels", path);
    scratch_write(path, arcs, sizeof arcs);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        pc_graph *read = NULL;
        scratch_write(labels, cases[c].text, strlen(cases[c].text));
        CU_ASSERT_EQUAL(pc_graph_read(context, path, PC_FORMAT_AUTO, NULL, &read), PC_ERR_DATA);
        CU_ASSERT_PTR_NOT_NULL(strstr(pc_context_message(context), cases[c].words));
    }
    OWNED(pc_graph) *read = NULL;
    scratch_write(labels, "a\r\nb\r\nc", 7);
    MUST(pc_graph_read(context, path, PC_FORMAT_AUTO, NULL, &read));
    OWNED(char) *shown = show_graph(read);
    CU_ASSERT_STRING_EQUAL(shown, "a b c | a>b b>c c>a");
    const pc_graph_options more = {.n_vertices = 5};
    pc_graph *none = NULL;
    CU_ASSERT_EQUAL(pc_graph_read(context, path, PC_FORMAT_AUTO, &more, &none), PC_ERR_ARGUMENT);
    unlink(labels);
    OWNED(pc_graph) *larger = NULL;
    MUST(pc_graph_read(context, path, PC_FORMAT_AUTO, &more, &larger));
    CU_ASSERT_EQUAL(pc_graph_n_vertices(larger), 5);
    remove_folder();
}

/* ---- Failures ------------------------------------------------------------------------------------ */

/* Writes a directed graph with labels, and reads it; then one whose rows are not sorted. */
static pc_status write_and_read(pc_context *of, void *user)
{
    static const uint64_t from[] = {0, 1, 2}, to[] = {1, 2, 0}, weight[] = {2, 1, 1};
    static const char *const labels[] = {"a", "b", "c"};
    const pc_edges edges = {.n_vertices = 3,
                            .labels = labels,
                            .n_edges = 3,
                            .from = from,
                            .to = to,
                            .weight = weight,
                            .stated = PC_DIRECTED};
    const pc_graph_options undirected = {.direction = PC_UNDIRECTED, .weights = 1};
    OWNED(pc_graph) *graph = NULL, *read = NULL, *turned = NULL;
    char path[MOST_PATH];
    (void)user;
    in_folder("g.wsg", path);
    pc_status status = pc_graph_from_edges(of, &edges, NULL, &graph);
    if (status == PC_OK)
        status = pc_graph_write(of, graph, path);
    if (status == PC_OK)
        status = pc_graph_read(of, path, PC_FORMAT_AUTO, NULL, &read);
    if (status == PC_OK)
        status = pc_graph_read(of, path, PC_FORMAT_AUTO, &undirected, &turned);
    return status;
}

TEST("no memory, and stopped")
{
    make_folder();
    CU_ASSERT(fail_each_allocation(write_and_read, NULL) > 20);
    CU_ASSERT(cancel_at_each_question(write_and_read, 1, NULL) > 3);
    remove_folder();
}

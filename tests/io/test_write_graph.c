/* Graphs written to files: read back they are the matrix that the oracle has; what could not be
 * read back is refused; failures leave no file. */
#include "graphs/graph.h"
#include "tests/support/failing_allocator.h"
#include "tests/support/oracle.h"
#include "tests/support/reading.h"
#include "tests/support/fixture.h"
#include "tests/support/written_file.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const endings[] = {".tsv", ".csv", ".mtx", ".txt"};
static const char *const packed_as[] = {"", ".gz", ".zst"};
enum { MOST_VERTICES = 24, LABEL_BYTES = 24, N_KINDS = 4, N_ENDINGS = 4 };

CASE_CONTEXT(context)

/* ---- Round trips ----------------------------------------------------------------------------- */

/* Labels of a kind: integers with gaps, words, words and numbers mixed, "0" to "n - 1". */
static void make_labels(random_source *source, int kind, uint64_t n,
                        char labels[MOST_VERTICES][LABEL_BYTES])
{
    uint64_t integer = 0;
    for (uint64_t v = 0; v < n; v++) {
        integer += 1 + random_below(source, 9);
        if (kind == 0)
            snprintf(labels[v], LABEL_BYTES, "%" PRIu64, integer);
        else if (kind == 1 || (kind == 2 && v % 3 == 1))
            snprintf(labels[v], LABEL_BYTES, "v%" PRIu64, random_u64(source));
        else
            snprintf(labels[v], LABEL_BYTES, "%" PRIu64, kind == 2 ? 1000 - integer : v);
    }
}

static bool make_graph(random_source *source, int kind, edge_set *edges, pc_graph **graph)
{
    uint64_t n = 1 + random_below(source, MOST_VERTICES);
    char text[MOST_VERTICES][LABEL_BYTES];
    const char *labels[MOST_VERTICES];
    *edges = edge_set_any(source, n);
    edges->loops_twice = !edges->directed && random_below(source, 2);
    make_labels(source, kind, n, text);
    for (uint64_t v = 0; v < n; v++)
        labels[v] = text[v];
    const pc_graph_options options = {.direction = edges->directed ? PC_DIRECTED : PC_UNDIRECTED,
                                      .multigraph = edges->multigraph,
                                      .loops = edges->loops_twice ? PC_LOOPS_TWICE : PC_LOOPS_ONCE};
    const pc_edges given = {.n_vertices = n,
                            .labels = kind == 3 ? NULL : labels,
                            .n_edges = edges->n_edges,
                            .from = edges->from,
                            .to = edges->to,
                            .weight = edges->weight};
    return pc_graph_from_edges(context, &given, &options, graph) == PC_OK;
}

static void check_matrix(const pc_graph *graph, const integer_matrix *a)
{
    bool same = graph->n == a->n;
    uint64_t n_arcs = 0;
    for (uint64_t row = 0; row < graph->n && same; row++)
        for (uint64_t i = graph->row_start[row]; i < graph->row_start[row + 1]; i++, n_arcs++)
            same = same && mpz_cmp_ui(a->entry[row * a->n + graph->column[i]],
                                      graph->weight ? graph->weight[i] : 1) == 0;
    for (uint64_t e = 0; e < a->n * a->n; e++)
        n_arcs -= mpz_sgn(a->entry[e]) != 0;
    CU_ASSERT(same && n_arcs == 0);
}

/* An edge list says that its loops are doubled, so that the option does not double them again. */
static void check_loops(const char *path, bool is_list, const edge_set *edges,
                        const integer_matrix *a)
{
    const pc_graph_options twice = {.loops = PC_LOOPS_TWICE};
    OWNED(pc_graph) *graph = NULL;
    if (!edges->loops_twice)
        return;
    pc_status status = pc_graph_read(context, path, PC_FORMAT_AUTO, &twice, &graph);
    CU_ASSERT_EQUAL(status, is_list ? PC_OK : PC_ERR_ARGUMENT);
    if (graph) {
        check_matrix(graph, a);
        CU_ASSERT_EQUAL(graph->info.loops, PC_LOOPS_TWICE);
    }
}

static void check_round_trip(const pc_graph *graph, const edge_set *edges, const char *ending,
                             const char *packing)
{
    char name[32], path[MOST_PATH];
    snprintf(name, sizeof name, "g%s%s", ending, packing);
    in_folder(name, path);
    MUST(pc_graph_write(context, graph, path));
    CU_ASSERT_EQUAL(n_files(), 1);
    bool has_numbers = strcmp(ending, ".mtx") == 0 && graph->labels.kind == PCI_LABELS_RANGE;
    OWNED(pc_graph) *back = NULL; /* the file states all that is needed */
    MUST(pc_graph_read(context, path, PC_FORMAT_AUTO, NULL, &back));
    integer_matrix a = oracle_adjacency(edges);
    check_matrix(back, &a);
    check_loops(path, strcmp(ending, ".mtx") != 0, edges, &a);
    integer_matrix_free(&a);
    CU_ASSERT_EQUAL(back->info.directed, (int)edges->directed);
    CU_ASSERT_EQUAL(back->info.n_duplicates, 0); /* no line stands twice */
    if (!has_numbers) {
        OWNED(char) *before = show_graph(graph), *after = show_graph(back);
        CU_ASSERT_STRING_EQUAL(before, after);
    }
    free(read_back(path, *packing != 0).bytes); /* asserts whether it is packed */
    unlink(path);
}

TEST("random graphs are read back")
{
    random_source source = {11};
    int n_written = 0;
    make_folder();
    for (int i = 0; i < 200; i++) {
        OWNED(edge_set) edges;
        OWNED(pc_graph) *graph = NULL;
        if (make_graph(&source, i % N_KINDS, &edges, &graph)) { /* else too large a sum */
            for (int e = 0; e < N_ENDINGS; e++)
                check_round_trip(graph, &edges, endings[e], packed_as[(i + e) / 2 % 3]);
            n_written++;
        }
    }
    CU_ASSERT(n_written > 150);
    remove_folder();
}

/* Several pieces, also packed: each is packed by itself. */
TEST("files of several pieces")
{
    random_source source = {12};
    make_folder();
    for (int directed = 0; directed < 2; directed++) {
        OWNED(edge_set) edges = edge_set_density(&source, 500, directed ? 800 : 950, directed);
        OWNED(pc_graph) *graph = NULL;
        MUST(edge_set_load(context, &edges, &graph));
        for (int e = 0; e < N_ENDINGS; e++)
            check_round_trip(graph, &edges, endings[e], packed_as[e % 3]);
    }
    remove_folder();
}

/* The edges of one vertex fill several pieces. Each vertex and each edge has a line. */
TEST("a vertex with more edges than a piece has room for")
{
    static const struct {
        const char *name;
        uint64_t n_other_lines;
    } files[] = {{"g.graphml", 7}, {"g.gml", 3}, {"g.net", 2}};
    enum { N = 100001 };
    OWNED(edge_set) edges = edge_set_empty(N, false);
    OWNED(pc_graph) *graph = NULL;
    make_folder();
    for (uint64_t v = 0; v + 1 < N; v++)
        edge_set_add(&edges, N - 1, v, 1);
    MUST(edge_set_load(context, &edges, &graph));
    for (int f = 0; f < 3; f++) {
        char path[MOST_PATH];
        uint64_t n_lines = 0;
        in_folder(files[f].name, path);
        MUST(pc_graph_write(context, graph, path));
        text got = read_back(path, false);
        for (const char *at = got.bytes; (at = strchr(at, '\n')); at++)
            n_lines++;
        CU_ASSERT_EQUAL(n_lines, N + N - 1 + files[f].n_other_lines);
        free(got.bytes);
        unlink(path);
    }
    remove_folder();
}

/* ---- The text -------------------------------------------------------------------------------- */

/* A graph of four vertices (labels NULL: 0..3) is written as this text. */
static void check_text(const char *name, pc_direction direction, const char *const *labels,
                       const char *expected)
{
    static const uint64_t from[] = {0, 2, 2, 2}, to[] = {2, 2, 0, 0}, weight[] = {3, 5, 1, 1};
    const pc_graph_options options = {.direction = direction, .multigraph = 1};
    const pc_edges edges = {
        .n_vertices = 4, .labels = labels, .n_edges = 4, .from = from, .to = to, .weight = weight};
    char path[MOST_PATH];
    OWNED(pc_graph) *graph = NULL;
    in_folder(name, path);
    MUST(pc_graph_from_edges(context, &edges, &options, &graph));
    MUST(pc_graph_write(context, graph, path));
    text got = read_back(path, false);
    CU_ASSERT_STRING_EQUAL(got.bytes, expected);
    free(got.bytes);
}

TEST("the text")
{
    static const char *const names[] = {"a", "b", "c", "d"};
    make_folder();
    check_text("u.tsv", PC_UNDIRECTED, NULL,
               "# pathcount graph: undirected, weights, 4 vertices\n0\t2\t5\n2\t2\t5\n");
    check_text("d.csv", PC_DIRECTED, NULL,
               "# pathcount graph: directed, weights, 4 vertices\n0,2,3\n2,0,2\n2,2,5\n");
    check_text("u.csv", PC_UNDIRECTED, names,
               "# pathcount graph: undirected, weights\n"
               "a,a,0\nb,b,0\na,c,5\nc,c,5\nd,d,0\n");
    check_text("d.tsv", PC_DIRECTED, names,
               "# pathcount graph: directed, weights\n"
               "a\ta\t0\nb\tb\t0\na\tc\t3\nc\ta\t2\nc\tc\t5\nd\td\t0\n");
    check_text("u.mtx", PC_UNDIRECTED, names,
               "%%MatrixMarket matrix coordinate integer symmetric\n"
               "% pathcount graph: undirected, weights, 4 vertices\n% label 1 a\n% label 2 b\n% "
               "label 3 c\n"
               "% label 4 d\n4 4 2\n3 1 5\n3 3 5\n");
    check_text("d.mtx", PC_DIRECTED, NULL,
               "%%MatrixMarket matrix coordinate integer general\n"
               "% pathcount graph: directed, weights, 4 vertices\n4 4 3\n1 3 3\n3 1 2\n3 3 5\n");
    check_text("u.net", PC_UNDIRECTED, names,
               "*Vertices 4\n1 \"a\"\n2 \"b\"\n3 \"c\"\n4 \"d\"\n*Edges\n3 1 5\n3 3 5\n");
    check_text("d.net", PC_DIRECTED, NULL,
               "*Vertices 4\n1 \"0\"\n2 \"1\"\n3 \"2\"\n4 \"3\"\n*Arcs\n1 3 3\n3 1 2\n3 3 5\n");
    check_text("d.gml", PC_DIRECTED, names,
               "graph [\n  directed 1\n  node [ id 0 label \"a\" ]\n  node [ id 1 label \"b\" ]\n"
               "  node [ id 2 label \"c\" ]\n  node [ id 3 label \"d\" ]\n"
               "  edge [ source 0 target 2 weight 3 ]\n  edge [ source 2 target 0 weight 2 ]\n"
               "  edge [ source 2 target 2 weight 5 ]\n]\n");
    remove_folder();
}

/* Labels that are 1, 2, 3 are the indices of Matrix Market, and need no comments. */
TEST("the text of a graph that was read")
{
    static const char *const names[] = {"u.tsv", "u.mtx"}, *const given[] = {"1 0\n2 1\n",
                                                                             "2 1\n3 2\n"};
    static const char *const expected[] = {
        "# pathcount graph: undirected, weights, 3 vertices\n0\t1\t1\n1\t2\t1\n",
        "%%MatrixMarket matrix coordinate integer symmetric\n"
        "% pathcount graph: undirected, weights, 3 vertices\n3 3 2\n2 1 1\n3 2 1\n"};
    make_folder();
    for (int i = 0; i < 2; i++) {
        char path[MOST_PATH];
        OWNED(pc_graph) *graph = NULL;
        in_folder(names[i], path);
        MUST(read_text(context, "", given[i], strlen(given[i]), NULL, &graph));
        MUST(pc_graph_write(context, graph, path));
        text got = read_back(path, false);
        CU_ASSERT_STRING_EQUAL(got.bytes, expected[i]);
        free(got.bytes);
    }
    remove_folder();
}

/* ---- Refusals and failures ------------------------------------------------------------------- */

static void check_refused(const pc_graph *graph, const char *name, pc_status expected,
                          const char *words)
{
    char path[MOST_PATH];
    in_folder(name, path);
    pc_status status = pc_graph_write(context, graph, path);
    bool good = status == expected && strstr(pc_context_message(context), words);
    if (!good)
        printf("\n    %s: %s: %s\n", name, pc_status_text(status), pc_context_message(context));
    CU_ASSERT(good);
    CU_ASSERT_EQUAL(n_files(), 0);
}

/* Labels that the reader of edge lists would take for something else. */
TEST("what cannot be written")
{
    static const struct {
        const char *labels[2], *words;
    } cases[] = {
        {{"a", "b\nc"}, "line end"},
        {{"a\r", "b"}, "line end"},
        {{"a", ""}, "is empty"},
        {{"a", "18446744073709551616"}, "beyond 2^64-1"},
    };
    static const uint64_t from[] = {0}, to[] = {1}, block[] = {0, 1};
    static const char *const falling[] = {"10", "9"};
    char path[MOST_PATH];
    make_folder();
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const pc_edges edges = {
            .n_vertices = 2, .labels = cases[c].labels, .n_edges = 1, .from = from, .to = to};
        pc_graph *graph;
        MUST(pc_graph_from_edges(context, &edges, NULL, &graph));
        check_refused(graph, "g.tsv", PC_ERR_DATA, cases[c].words);
        check_refused(graph, "g.csv.gz", PC_ERR_DATA, "write .mtx");
        in_folder("g.mtx", path);
        CU_ASSERT_EQUAL(pc_graph_write(context, graph, path), PC_OK);
        unlink(path);
        pc_graph_free(graph);
    }
    pc_graph *graph, *quotient;
    pc_partition *partition;
    MUST(graph_from_arrays(context, 2, 1, from, to, NULL, NULL, &graph));
    MUST(pc_partition_from_arrays(context, graph, 2, block, falling, &partition));
    MUST(pc_graph_quotient(context, graph, partition, &quotient));
    check_refused(quotient, "g.tsv", PC_ERR_DATA, "not in their order");
    pc_graph_free(quotient);
    pc_partition_free(partition);
    check_refused(graph, "g.npy", PC_ERR_ARGUMENT, ".mtx, .sg, .wsg, .graphml, .gml or .net");
    check_refused(graph, "g.tsv.xz", PC_ERR_ARGUMENT, ".mtx, .sg, .wsg, .graphml, .gml or .net");
    check_refused(graph, "g", PC_ERR_ARGUMENT, ".mtx, .sg, .wsg, .graphml, .gml or .net");
    check_refused(graph, "no/such/folder/g.tsv", PC_ERR_CREATE, "no/such/folder");
    pc_graph_free(graph);
    remove_folder();
}

/* Labels that need quotes. */
TEST("labels in quotes")
{
    static const char *const labels[] = {"Jean Valjean", "b\tc", "x,y", "#a", "%b", "\"q\"", " e "};
    static const uint64_t from[] = {0, 2, 4, 6}, to[] = {1, 3, 5, 0};
    static const char *const names[] = {"g.tsv", "g.csv", "g.txt"};
    const pc_edges edges = {
        .n_vertices = 7, .labels = labels, .n_edges = 4, .from = from, .to = to};
    const pc_graph_options directed = {.direction = PC_DIRECTED};
    pc_graph *graph, *back;
    make_folder();
    MUST(pc_graph_from_edges(context, &edges, &directed, &graph));
    char *expected = show_graph(graph);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[MOST_PATH];
        in_folder(names[i], path);
        MUST(pc_graph_write(context, graph, path));
        MUST(pc_graph_read(context, path, PC_FORMAT_AUTO, NULL, &back));
        OWNED(char) *shown = show_graph(back);
        CU_ASSERT_STRING_EQUAL(shown, expected);
        pc_graph_free(back);
        unlink(path);
    }
    free(expected);
    pc_graph_free(graph);
    remove_folder();
}

TEST("no vertices")
{
    char path[MOST_PATH];
    pc_graph *graph, *back;
    make_folder();
    MUST(graph_from_arrays(context, 0, 0, NULL, NULL, NULL, NULL, &graph));
    for (int e = 0; e < N_ENDINGS; e++) {
        char name[32];
        snprintf(name, sizeof name, "g%s.zst", endings[e]);
        in_folder(name, path);
        MUST(pc_graph_write(context, graph, path));
        MUST(pc_graph_read(context, path, PC_FORMAT_AUTO, NULL, &back));
        CU_ASSERT_EQUAL(pc_graph_n_vertices(back), 0);
        pc_graph_free(back);
    }
    pc_graph_free(graph);
    remove_folder();
}

static int stop_late(void *user, const char *stage, double fraction)
{
    (void)user;
    return strcmp(stage, "write") == 0 && fraction > 0;
}

/* The old file stays when the disk is full or the user stops the program. */
TEST("broken off")
{
    static const char *const names[] = {"g.tsv", "g.mtx.gz", "g.csv.zst"};
    struct rlimit before, small;
    char path[MOST_PATH];
    make_folder();
    edge_set edges = edge_set_empty(6000, true);
    for (uint64_t v = 0; v < edges.n; v++)
        for (uint64_t i = 1; i < 20; i++)
            edge_set_add(&edges, v, (v * i * i + i) % edges.n, 1);
    pc_graph *graph;
    MUST(edge_set_load(context, &edges, &graph));
    CU_ASSERT_EQUAL_FATAL(getrlimit(RLIMIT_FSIZE, &before), 0);
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    for (int i = 0; i < 6; i++) {
        in_folder(names[i / 2], path);
        scratch_write(path, "old", 3);
        small = (struct rlimit){i % 2 ? before.rlim_cur : 50000, before.rlim_max};
        pc_context_set_progress(context, i % 2 ? stop_late : NULL, NULL);
        CU_ASSERT_EQUAL(setrlimit(RLIMIT_FSIZE, &small), 0);
        pc_status status = pc_graph_write(context, graph, path);
        CU_ASSERT_EQUAL(setrlimit(RLIMIT_FSIZE, &before), 0);
        CU_ASSERT_EQUAL(status, i % 2 ? PC_ERR_CANCELLED : PC_ERR_IO);
        CU_ASSERT_EQUAL(n_files(), 1);
        text got = read_back(path, false);
        CU_ASSERT_STRING_EQUAL(got.bytes, "old");
        free(got.bytes);
        unlink(path);
    }
    signal(SIGXFSZ, handler);
    pc_graph_free(graph);
    edge_set_free(&edges);
    remove_folder();
}

/* A folder that cannot be read cannot be synced; a file is written there all the same. The superuser may read
 * any folder, so this needs another user. */
TEST("a folder that may not be read")
{
    enum { NOBODY = 65534 };
    char path[MOST_PATH], folder[MOST_PATH];
    const uint64_t from = 0, to = 1;
    uid_t user = geteuid();
    if (user == 0 && (seteuid(NOBODY) != 0 || seteuid(user) != 0))
        test_skip("root cannot become another user");
    OWNED(pc_graph) *graph = NULL;
    MUST(graph_from_arrays(context, 2, 1, &from, &to, NULL, NULL, &graph));
    make_folder();
    in_folder("", folder);
    in_folder("new.tsv", path);
    CU_ASSERT_EQUAL(chmod(folder, 0300), 0);
    if (user == 0)
        CU_ASSERT(chown(folder, NOBODY, (gid_t)-1) == 0 && seteuid(NOBODY) == 0);
    pc_status status = pc_graph_write(context, graph, path);
    CU_ASSERT_EQUAL(seteuid(user), 0);
    CU_ASSERT_EQUAL(chmod(folder, 0700), 0);
    CU_ASSERT(succeeds(context, status));
    CU_ASSERT_EQUAL(n_files(), 1);
    remove_folder();
}

static pc_status write_all(pc_context *of, void *user)
{
    static const uint64_t from[] = {0, 1}, to[] = {1, 2};
    static const char *const labels[] = {"a", "b", "c"};
    const pc_edges edges = {
        .n_vertices = 3, .labels = labels, .n_edges = 2, .from = from, .to = to};
    OWNED(pc_graph) *graph = NULL;
    (void)user;
    pc_status status = pc_graph_from_edges(of, &edges, NULL, &graph);
    if (status)
        return status;
    for (int e = 0; e < N_ENDINGS && status == PC_OK; e++) {
        char name[32], path[MOST_PATH];
        snprintf(name, sizeof name, "g%s%s", endings[e], packed_as[e % 3]);
        in_folder(name, path);
        status = pc_graph_write(of, graph, path);
        CU_ASSERT_EQUAL(n_files(), status == PC_OK);
        unlink(path);
    }
    return status;
}

TEST("no memory")
{
    make_folder();
    CU_ASSERT(fail_each_allocation(write_all, NULL) > 10);
    remove_folder();
}

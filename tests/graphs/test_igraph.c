/* Graphs that are igraph_t already, random ones against plain arrays, and igraph's own state, which
 * a host program must find as it left it. */
#ifdef PATHCOUNT_WITH_IGRAPH

#include "graphs/graph.h"
#include "io/igraph/message.h"
#include "io/igraph/pathcount_igraph.h"
#include "tests/support/failing_allocator.h"
#include "tests/support/typed_file.h"
#include "tests/support/reading.h"
#include "tests/support/random_graph.h"
#include "tests/support/fixture.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 12 }; /* vertices of a random graph */

/* igraph from ends "0 1 1 2": pairs of vertices. */
static void make(igraph_t *igraph, igraph_integer_t n, bool is_directed, const char *ends)
{
    igraph_vector_int_t edges;
    igraph_vector_int_init(&edges, 0);
    char *next;
    for (const char *at = ends; *at != '\0'; at = next + (*next == ' ')) {
        igraph_vector_int_push_back(&edges, strtol(at, &next, 10));
    }
    CU_ASSERT_EQUAL_FATAL(igraph_create(igraph, &edges, n, is_directed), IGRAPH_SUCCESS);
    igraph_vector_int_destroy(&edges);
}

TEST("from an igraph_t")
{
    static const struct {
        bool is_directed;
        const char *ends;
        pc_graph_options options;
        const char *labels, *arcs; /* NULL: refused */
    } cases[] = {
        {false, "2 0 1 1 0 2", {0}, "0 1 2 3", "0>2 2>0 1>1"},
        {false, "2 0 1 1 0 2", {.multigraph = 1}, "0 1 2 3", "0>2*2 2>0*2 1>1"},
        {false, "2 0 1 1 0 2", {.direction = PC_DIRECTED}, NULL, NULL},
        {true, "2 0 1 1", {0}, "0 1 2 3", "2>0 1>1"},
        {true,
         "2 0 1 1",
         {.direction = PC_UNDIRECTED, .n_vertices = 5},
         "0 1 2 3 4",
         "2>0 0>2 1>1"},
    };
    OWNED(pc_context) *context = new_context(0);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        OWNED(pc_graph) *graph = NULL;
        pc_graph_info info;
        igraph_t igraph;
        make(&igraph, 4, cases[c].is_directed, cases[c].ends);
        pc_status status =
            pc_graph_from_igraph(context, &igraph, NULL, NULL, &cases[c].options, &graph);
        igraph_destroy(&igraph);
        CU_ASSERT_EQUAL_FATAL(status, cases[c].arcs ? PC_OK : PC_ERR_ARGUMENT);
        if (!cases[c].arcs)
            continue;
        check_labels(graph, cases[c].labels);
        check_arcs(graph, cases[c].arcs);
        pc_graph_get_info(graph, &info);
        CU_ASSERT_EQUAL(info.directed, cases[c].is_directed && !cases[c].options.direction);
        CU_ASSERT_EQUAL(info.direction_overridden, cases[c].options.direction != 0);
        CU_ASSERT_EQUAL(info.n_loops, 1);
        CU_ASSERT_EQUAL(info.n_duplicates, !cases[c].is_directed);
        CU_ASSERT_STRING_EQUAL(info.format, "igraph");
    }
}

static void expect_argument_error(pc_context *context, const igraph_t *igraph, const char *label,
                                  const char *weight, const char *what)
{
    pc_graph *graph = NULL;
    CU_ASSERT(is_refused(context,
                         pc_graph_from_igraph(context, igraph, label, weight, NULL, &graph),
                         PC_ERR_ARGUMENT, what));
    CU_ASSERT_PTR_NULL(graph);
}

TEST("attributes of an igraph_t")
{
    igraph_attribute_table_t *before = igraph_set_attribute_table(&igraph_cattribute_table);
    pc_context *context = new_context(0);
    pc_graph *graph = NULL;
    igraph_t igraph;
    make(&igraph, 3, true, "0 1 1 2");
    for (igraph_integer_t v = 0; v < 3; v++) {
        SETVAS(&igraph, "city", v, v == 0 ? "Ulm" : v == 1 ? "Bonn" : "Köln");
        SETVAS(&igraph, "twice", v, v == 0 ? "x" : "y");
        SETVAN(&igraph, "number", v, 30 - 10.0 * (double)v);
        SETVAB(&igraph, "flag", v, v == 0);
    }
    SETVAS(&igraph, "some", 1, "only this one");
    SETEAN(&igraph, "times", 0, 5);
    SETEAN(&igraph, "times", 1, 0);
    SETEAN(&igraph, "half", 0, 0.5);
    MUST(pc_graph_from_igraph(context, &igraph, "city", "times", NULL, &graph));
    check_labels(graph, "Ulm Bonn Köln");
    check_arcs(graph, "Ulm>Bonn*5");
    pc_graph_free(graph);
    MUST(pc_graph_from_igraph(context, &igraph, "number", NULL, NULL, &graph));
    check_labels(graph, "10 20 30");
    check_arcs(graph, "30>20 20>10");
    pc_graph_free(graph);
    graph = NULL;
    expect_argument_error(context, &igraph, "twice", NULL, "have the same label");
    expect_argument_error(context, &igraph, "some", NULL, "none");
    expect_argument_error(context, &igraph, "flag", NULL, "neither");
    expect_argument_error(context, &igraph, "nowhere", NULL, "nowhere");
    expect_argument_error(context, &igraph, NULL, "nowhere", "nowhere");
    CU_ASSERT(is_refused(context,
                         pc_graph_from_igraph(context, &igraph, "city", "half", NULL, &graph),
                         PC_ERR_DATA, "from Ulm to Bonn has weight 0.5"));
    igraph_set_attribute_table(NULL);
    expect_argument_error(context, &igraph, "city", NULL, "igraph_set_attribute_table");
    CU_ASSERT_PTR_NULL(igraph_set_attribute_table(&igraph_cattribute_table));
    igraph_destroy(&igraph);
    pc_context_free(context);
    igraph_set_attribute_table(before);
}

/* ---- Random graphs --------------------------------------------------------------------------- */

/* Every entry, by label, against the oracle. */
static void compare_entries(pc_context *context, const pc_graph *graph, const edge_set *edges)
{
    OWNED(integer_matrix) a = oracle_adjacency(edges);
    uint64_t place[MOST], n = edges->n, n_nonzero = 0, n_wrong = 0;
    CU_ASSERT_EQUAL_FATAL(pc_graph_n_vertices(graph), n);
    for (uint64_t v = 0; v < n; v++) {
        char label[32];
        snprintf(label, sizeof label, "%" PRIu64, v);
        MUST(pc_graph_find(context, graph, label, &place[v]));
    }
    for (uint64_t e = 0; e < n * n; e++) {
        uint64_t arc = pci_graph_find_arc(graph, place[e / n], place[e % n]);
        bool is_there = arc < pci_graph_n_arcs(graph);
        uint64_t found = !is_there ? 0 : graph->weight ? graph->weight[arc] : 1;
        n_wrong += mpz_cmp_ui(a.entry[e], found) != 0;
        n_nonzero += is_there;
    }
    CU_ASSERT_EQUAL(n_wrong, 0);
    CU_ASSERT_EQUAL(pci_graph_n_arcs(graph), n_nonzero);
}

/* A multigraph with loops, each vertex on some edge so that lists name it, and igraph's own of it, where an attribute has
 * the names of the vertices. */
static edge_set random_edges(random_source *source, const char *attribute, igraph_t *igraph)
{
    uint64_t n = 1 + random_below(source, MOST);
    edge_set edges = edge_set_empty(n, random_below(source, 2) == 1);
    igraph_vector_int_t ends;
    edges.multigraph = true;
    for (uint64_t v = 0; v < n; v++)
        edge_set_add(&edges, v, random_below(source, n), 1);
    for (uint64_t e = random_below(source, 3 * n); e > 0; e--)
        edge_set_add(&edges, random_below(source, n), random_below(source, n), 1);
    igraph_vector_int_init(&ends, 0);
    for (uint64_t e = 0; e < edges.n_edges; e++) {
        igraph_vector_int_push_back(&ends, (igraph_integer_t)edges.from[e]);
        igraph_vector_int_push_back(&ends, (igraph_integer_t)edges.to[e]);
    }
    igraph_create(igraph, &ends, (igraph_integer_t)n, edges.directed);
    for (uint64_t v = 0; v < n; v++) {
        char label[32];
        snprintf(label, sizeof label, "%" PRIu64, v);
        SETVAS(igraph, attribute, (igraph_integer_t)v, label);
    }
    igraph_vector_int_destroy(&ends);
    return edges;
}

TEST("random igraph_t")
{
    igraph_attribute_table_t *before = igraph_set_attribute_table(&igraph_cattribute_table);
    random_source source = {17};
    OWNED(pc_context) *context = new_context(0);
    const pc_graph_options multigraph = {.multigraph = 1};
    for (int i = 0; i < 300; i++) {
        igraph_t igraph;
        OWNED(edge_set) edges = random_edges(&source, "name", &igraph);
        OWNED(pc_graph) *graph = NULL;
        MUST(pc_graph_from_igraph(context, &igraph, i % 2 ? "name" : NULL, NULL, &multigraph,
                                  &graph));
        compare_entries(context, graph, &edges);
        igraph_destroy(&igraph);
    }
    igraph_set_attribute_table(before);
}

static igraph_error_t write_graphml(const igraph_t *igraph, FILE *file)
{
    return igraph_write_graph_graphml(igraph, file, true);
}

static igraph_error_t write_gml(const igraph_t *igraph, FILE *file)
{
    return igraph_write_graph_gml(igraph, file, IGRAPH_WRITE_GML_DEFAULT_SW, NULL, NULL);
}

static igraph_error_t write_ncol(const igraph_t *igraph, FILE *file)
{
    return igraph_write_graph_ncol(igraph, file, "name", NULL);
}

/* Files of igraph's writers. Pajek's labels are the attribute id; the direction of NCOL comes from the options. */
TEST("random graphs through files")
{
    static const struct {
        const char *name, *attribute;
        igraph_error_t (*write)(const igraph_t *igraph, FILE *file);
    } formats[] = {{"g.graphml", "name", write_graphml},
                   {"g.gml", "name", write_gml},
                   {"g.ncol", "name", write_ncol},
                   {"g.net", "id", igraph_write_graph_pajek}};
    igraph_attribute_table_t *before = igraph_set_attribute_table(&igraph_cattribute_table);
    random_source source = {23};
    OWNED(pc_context) *context = new_context(0);
    for (int i = 0; i < 240; i++) {
        igraph_t igraph;
        OWNED(edge_set) edges = random_edges(&source, formats[i % 4].attribute, &igraph);
        OWNED(pc_graph) *graph = NULL;
        pc_graph_options options = {.multigraph = 1};
        char *path = temporary_path(formats[i % 4].name);
        FILE *file = fopen(path, "w");
        CU_ASSERT_PTR_NOT_NULL_FATAL(file);
        CU_ASSERT_EQUAL(formats[i % 4].write(&igraph, file), IGRAPH_SUCCESS);
        fclose(file);
        if (i % 4 == 2 && edges.directed)
            options.direction = PC_DIRECTED;
        MUST(pc_graph_read(context, path, PC_FORMAT_AUTO, &options, &graph));
        compare_entries(context, graph, &edges);
        remove_path(path);
        igraph_destroy(&igraph);
    }
    igraph_set_attribute_table(before);
}

/* ---- The host's igraph ----------------------------------------------------------------------- */

static int n_host_errors, n_host_warnings, n_freed;

static void host_error(const char *reason, const char *file, int line, igraph_error_t error)
{
    (void)reason, (void)file, (void)line, (void)error;
    n_host_errors++;
}

static void host_warning(const char *reason, const char *file, int line)
{
    (void)reason, (void)file, (void)line;
    n_host_warnings++;
}

static void note_freed(void *memory)
{
    (void)memory;
    n_freed++;
}

TEST("state of igraph kept")
{
    OWNED(pc_context) *context = new_context(0);
    pc_graph *graph = NULL;
    int pending;
    igraph_error_handler_t *old_error = igraph_set_error_handler(host_error);
    igraph_warning_handler_t *old_warning = igraph_set_warning_handler(host_warning);
    igraph_attribute_table_t *old_table = igraph_set_attribute_table(NULL);
    n_host_errors = n_host_warnings = n_freed = 0;
    IGRAPH_FINALLY(note_freed, &pending);
    CU_ASSERT_EQUAL(pc_igraph_famous(context, "Peterson", &graph), PC_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(pc_igraph_famous(context, "Petersen", &graph), PC_OK);
    pc_graph_free(graph);
    CU_ASSERT_TRUE(n_host_errors == 0 && n_host_warnings == 0 && n_freed == 0);
    IGRAPH_FINALLY_FREE();
    CU_ASSERT_EQUAL(n_freed, 1);
    CU_ASSERT_PTR_NULL(igraph_set_attribute_table(old_table));
    CU_ASSERT_EQUAL(igraph_set_warning_handler(old_warning), host_warning);
    CU_ASSERT_EQUAL(igraph_set_error_handler(old_error), host_error);
}

static void *enter_and_leave(void *user)
{
    pci_igraph_guard guard;
    pci_igraph_enter(NULL, &guard);
    __atomic_store_n((bool *)user, true, __ATOMIC_SEQ_CST);
    pci_igraph_leave(&guard);
    return NULL;
}

/* igraph keeps its handlers once for all threads. */
TEST("one thread at a time")
{
    enum { LONG_ENOUGH_MICROSECONDS = 100000 };
    pci_igraph_guard guard;
    pthread_t thread;
    bool has_entered = false;
    pci_igraph_enter(NULL, &guard);
    CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, enter_and_leave, &has_entered), 0);
    usleep(LONG_ENOUGH_MICROSECONDS);
    CU_ASSERT_FALSE(__atomic_load_n(&has_entered, __ATOMIC_SEQ_CST));
    pci_igraph_leave(&guard);
    pthread_join(thread, NULL);
    CU_ASSERT_TRUE(has_entered);
}

static pc_status make_and_free(pc_context *context, void *user)
{
    OWNED(pc_graph) *graph = NULL;
    return pc_igraph_famous(context, user, &graph);
}

TEST("out of memory")
{
    CU_ASSERT_TRUE(fail_each_allocation(make_and_free, "Bull") > 0);
}

#endif

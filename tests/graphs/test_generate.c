/* Generated graphs: simple ones, the same whatever the number of threads, read back from files as
 * they were, and refused or given up cleanly. */
#include "tests/support/failing_allocator.h"
#include "tests/support/simple_graph.h"
#include "tests/support/fixture.h"
#include "tests/support/written_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N_MODELS = 4 };

CASE_CONTEXT(context)

/* ---- The models, one interface --------------------------------------------------------------- */

/* A graph of model 0 .. N_MODELS - 1, of about size vertices and 8 size edges. */
static pc_status make(pc_context *of, int model, uint32_t size_log2, uint64_t seed, bool directed,
                      pc_graph **graph)
{
    uint64_t n = UINT64_C(1) << size_log2;
    const pc_rmat rmat = {.scale = size_log2, .edge_factor = 8};
    switch (model) {
    case 0:
        return pc_generate_rmat(of, &rmat, seed, directed, graph);
    case 1:
        return pc_generate_erdos_renyi(of, n, 8 * n, seed, directed, graph);
    case 2:
        return pc_generate_gilbert(of, n, 16.0 / (double)n, seed, directed, graph);
    }
    return pc_generate_barabasi_albert(of, n, 8, seed, directed, graph);
}

static bool are_equal(const pc_graph *a, const pc_graph *b)
{
    uint64_t n = pc_graph_n_vertices(a);
    pc_arcs of_a, of_b;
    pc_graph_arcs(a, &of_a);
    pc_graph_arcs(b, &of_b);
    return n == pc_graph_n_vertices(b) &&
           memcmp(of_a.row_start, of_b.row_start, (n + 1) * sizeof *of_a.row_start) == 0 &&
           memcmp(of_a.column, of_b.column, of_a.row_start[n] * sizeof *of_a.column) == 0;
}

TEST("the same with any number of threads")
{
    for (int m = 0; m < 2 * N_MODELS; m++) {
        OWNED(pc_graph) *first = NULL, *again = NULL, *other = NULL;
        bool directed = m % 2;
        CU_ASSERT_EQUAL(pc_context_set_threads(context, 1), PC_OK);
        MUST(make(context, m / 2, 15, 3, directed, &first));
        check_simple(first, directed);
        CU_ASSERT_EQUAL(pc_context_set_threads(context, 4), PC_OK);
        MUST(make(context, m / 2, 15, 3, directed, &again));
        MUST(make(context, m / 2, 15, 4, directed, &other));
        CU_ASSERT(are_equal(first, again));
        CU_ASSERT(!are_equal(first, other));
    }
}

/* ---- Files ----------------------------------------------------------------------------------- */

TEST("written and read back")
{
    static const char *const names[] = {"g.tsv", "g.csv.gz", "g.mtx", "g.mtx.zst"};
    make_folder();
    for (int i = 0; i < 2 * N_MODELS; i++) {
        OWNED(pc_graph) *graph = NULL, *back = NULL;
        char path[MOST_PATH];
        pc_graph_options options = {.weights = 1, .direction = i % 2 ? PC_DIRECTED : PC_UNDIRECTED};
        in_folder(names[i % N_MODELS], path);
        MUST(make(context, i / 2, 8, 2, i % 2, &graph));
        MUST(pc_graph_write(context, graph, path));
        MUST(pc_graph_read(context, path, PC_FORMAT_AUTO, &options, &back));
        CU_ASSERT(are_equal(graph, back));
    }
    remove_folder();
}

/* ---- Refusals and failures ------------------------------------------------------------------- */

static void check_refused(pc_status status, pc_status expected, const char *words)
{
    bool good = status == expected && strstr(pc_context_message(context), words);
    if (!good)
        printf("\n    %s: %s\n", pc_status_text(status), pc_context_message(context));
    CU_ASSERT(good);
}

TEST("what makes no sense")
{
    static const struct {
        pc_rmat rmat;
        const char *words;
    } cases[] = {
        {{.scale = 32}, "scale 32"},
        {{.scale = UINT32_MAX, .edge_factor = 1}, "too large"},
        {{.scale = 1, .edge_factor = (UINT64_C(1) << 32) + 1}, "edge factor 4294967297"},
        {{.scale = 1, .a = -0.1}, "probabilities"},
        {{.scale = 1, .a = 0.5, .c = -0.1}, "none may be negative"},
        {{.scale = 1, .a = 0.5, .b = 0.4, .c = 0.2}, "add up to 1"},
        {{.scale = 1, .a = NAN}, "probabilities"},
        {{.scale = 1, .b = INFINITY}, "probabilities"},
    };
    pc_graph *graph;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_refused(pc_generate_rmat(context, &cases[i].rmat, 1, 0, &graph), PC_ERR_ARGUMENT,
                      cases[i].words);
    for (int directed = 0; directed < 2; directed++) {
        check_refused(pc_generate_erdos_renyi(context, 5, directed ? 21 : 11, 1, directed, &graph),
                      PC_ERR_ARGUMENT, directed ? "room for 20 arcs" : "room for 10 edges");
        check_refused(pc_generate_erdos_renyi(context, 0, 1, 1, directed, &graph), PC_ERR_ARGUMENT,
                      "room for 0");
        check_refused(pc_generate_erdos_renyi(context, UINT64_MAX, 1, 1, directed, &graph),
                      PC_ERR_ARGUMENT, "18446744073709551615 vertices");
        check_refused(pc_generate_gilbert(context, UINT64_C(1) << 32, 0, 1, directed, &graph),
                      PC_ERR_ARGUMENT, "4294967296 vertices");
        check_refused(pc_generate_barabasi_albert(context, UINT64_MAX, 2, 1, directed, &graph),
                      PC_ERR_ARGUMENT, "18446744073709551615 vertices");
    }
    static const double no_probabilities[] = {-0.1, 1.1, NAN, INFINITY};
    for (int i = 0; i < 4; i++)
        check_refused(pc_generate_gilbert(context, 5, no_probabilities[i], 1, 0, &graph),
                      PC_ERR_ARGUMENT, "from 0 to 1");
    check_refused(pc_generate_barabasi_albert(context, 5, 0, 1, 0, &graph), PC_ERR_ARGUMENT,
                  "0 edges a vertex");
    check_refused(pc_generate_barabasi_albert(context, 5, 5, 1, 0, &graph), PC_ERR_ARGUMENT,
                  "more vertices");
}

/* What does not fit is refused before it is begun; what is begun stays within what was reckoned. */
TEST("memory limit")
{
    failing_allocator allocator = FAILING_ALLOCATOR;
    pc_context_free(context);
    context = failing_context(&allocator, 2);
    for (int m = 0; m < 2 * N_MODELS; m++) {
        bool directed = m % 2;
        OWNED(pc_graph) *graph = NULL;
        uint64_t n = 1 << 15, n_edges = m == 5 ? 16 * n : 8 * n; /* 5: both directions by chance */
        uint64_t need_bytes = n_edges * (directed ? 16 : 24) + 8 * n;
        allocator.peak_bytes = 0;
        pc_context_set_memory_limit(context, need_bytes - need_bytes / 20);
        check_refused(make(context, m / 2, 15, 1, directed, &graph), PC_ERR_MEMORY, "memory");
        CU_ASSERT(allocator.peak_bytes < 1000);
        pc_context_set_memory_limit(context, need_bytes + need_bytes / 20);
        MUST(make(context, m / 2, 15, 1, directed, &graph));
        CU_ASSERT(allocator.peak_bytes < need_bytes + need_bytes / 5);
    }
    pc_context_free(context);
    context = NULL;
}

static pc_status make_each(pc_context *of, void *user)
{
    const int *model = user;
    pc_graph *graph;
    pc_status status = make(of, *model / 2, 6, 1, *model % 2, &graph);
    if (status == PC_OK)
        pc_graph_free(graph);
    return status;
}

TEST("no memory")
{
    for (int model = 0; model < 2 * N_MODELS; model++)
        CU_ASSERT(fail_each_allocation(make_each, &model) > 5);
}

/* Preferential attachment keeps 4 bytes for each vertex. */
TEST("no memory: how much was asked for")
{
    failing_allocator allocator = FAILING_ALLOCATOR;
    OWNED(pc_context) *of = failing_context(&allocator, 1);
    bool is_said = false;
    pc_status status = PC_ERR_MEMORY;
    for (uint64_t request = 1; status == PC_ERR_MEMORY; request++) {
        OWNED(pc_graph) *graph = NULL;
        failing_allocator_rearm(&allocator, request, false);
        status = pc_generate_barabasi_albert(of, 1000, 2, 1, 0, &graph);
        is_said = is_said || strstr(pc_context_message(of), "the vertices (4000 bytes)");
    }
    MUST(status);
    CU_ASSERT(is_said);
}

static int stop(void *user, const char *stage, double fraction)
{
    (void)fraction;
    return strcmp(stage, user) == 0;
}

TEST("cancelled")
{
    static char generate[] = "generate", read[] = "read";
    failing_allocator allocator = FAILING_ALLOCATOR;
    pc_context_free(context);
    context = failing_context(&allocator, 2);
    for (int m = 0; m < N_MODELS; m++)
        for (int turn = 0; turn < 2; turn++) {
            pc_graph *graph;
            pc_context_set_progress(context, stop, turn ? read : generate);
            CU_ASSERT_EQUAL(make(context, m, 13, 1, false, &graph), PC_ERR_CANCELLED);
            CU_ASSERT_EQUAL(allocator.n_live, 0);
        }
    pc_context_free(context);
    context = NULL;
}

/* ---- Famous graphs --------------------------------------------------------------------------- */

#ifdef PATHCOUNT_WITH_IGRAPH
#include "io/igraph/pathcount_igraph.h"

static void check_famous(const char *name, uint64_t n_vertices, uint64_t n_edges)
{
    OWNED(pc_graph) *graph = NULL;
    pc_graph_info info;
    MUST(pc_igraph_famous(context, name, &graph));
    pc_graph_get_info(graph, &info);
    CU_ASSERT_EQUAL(info.n_vertices, n_vertices);
    CU_ASSERT_EQUAL(info.n_edges, n_edges);
    check_simple(graph, false);
}

TEST("famous graphs")
{
    pc_graph *graph;
    check_famous("Petersen", 10, 15);
    check_famous("pEtErSeN", 10, 15);
    check_famous("Icosahedral", 12, 30);
    check_famous("Krackhardt_Kite", 10, 18);
    check_famous("Zachary", 34, 78);
    check_refused(pc_igraph_famous(context, "Peterson", &graph), PC_ERR_ARGUMENT, "'Peterson'");
    /* Every name that the refusal lists is one. */
    char names[2048];
    int n_names = 0;
    const char *list = strstr(pc_context_message(context), "there are ");
    CU_ASSERT_PTR_NOT_NULL_FATAL(list);
    snprintf(names, sizeof names, "%s", list + strlen("there are "));
    for (char *name = strtok(names, ", "); name != NULL; name = strtok(NULL, ", ")) {
        MUST(pc_igraph_famous(context, name, &graph));
        pc_graph_free(graph);
        n_names++;
    }
    CU_ASSERT(n_names > 25);
}
#else
TEST("famous graphs")
{
    test_skip("built without igraph");
}
#endif

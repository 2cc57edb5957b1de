/* Generated graphs: simple ones, spread as their models say, the same whatever the number of threads,
 * read back from files as they were, and refused or given up cleanly. Seeds are fixed, and limits five
 * standard deviations wide: nothing here depends on chance. */
#include "tests/support/failing_allocator.h"
#include "tests/support/random_graph.h"
#include "tests/support/simple_graph.h"
#include "tests/support/fixture.h"
#include "tests/support/written_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N_MODELS = 4, TINY = 8 };

static const double sigmas = 5;
CASE_CONTEXT(context)

/* Returns true when so many of n trials are to be expected and each succeeds with probability p. */
static bool is_likely(double count, double n, double p)
{
    bool likely = fabs(count - n * p) <= sigmas * sqrt(n * p * (1 - p)) + 1e-9;
    if (!likely)
        printf("\n    %g of %g, with probability %g\n", count, n, p);
    return likely;
}

/* A small graph as one bit for each arc: bit from * n + to. */
static uint64_t arcs_as_bits(pc_graph *graph)
{
    pc_arcs arcs;
    pc_graph_arcs(graph, &arcs);
    uint64_t n = pc_graph_n_vertices(graph), bits = 0;
    CU_ASSERT_FATAL(n <= TINY);
    for (uint64_t row = 0; row < n; row++)
        for (uint64_t a = arcs.row_start[row]; a < arcs.row_start[row + 1]; a++)
            bits |= UINT64_C(1) << (row * n + arcs.column[a]);
    pc_graph_free(graph);
    return bits;
}

/* ---- The models, one interface --------------------------------------------------------------- */

/* A graph of model 0 .. N_MODELS - 1, of about size vertices and 8 size edges. */
static pc_status make(pc_context *of, int model, uint32_t size_log2, uint64_t seed, bool directed,
                      pc_graph **graph)
{
    uint64_t n = UINT64_C(1) << size_log2;
    const pc_model rmat = {.scale = size_log2, .edge_factor = 8};
    switch (model) {
    case 0:
        return generate_rmat(of, &rmat, seed, directed, graph);
    case 1:
        return generate_erdos_renyi(of, n, 8 * n, seed, directed, graph);
    case 2:
        return generate_gilbert(of, n, 16.0 / (double)n, seed, directed, graph);
    }
    return generate_barabasi_albert(of, n, 8, seed, directed, graph);
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
    CU_ASSERT(is_refused(context, status, expected, words));
}

TEST("what makes no sense")
{
    static const struct {
        pc_model rmat;
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
        check_refused(generate_rmat(context, &cases[i].rmat, 1, 0, &graph), PC_ERR_ARGUMENT,
                      cases[i].words);
    for (int directed = 0; directed < 2; directed++) {
        check_refused(generate_erdos_renyi(context, 5, directed ? 21 : 11, 1, directed, &graph),
                      PC_ERR_ARGUMENT, directed ? "room for 20 arcs" : "room for 10 edges");
        check_refused(generate_erdos_renyi(context, 0, 1, 1, directed, &graph), PC_ERR_ARGUMENT,
                      "room for 0");
        check_refused(generate_erdos_renyi(context, UINT64_MAX, 1, 1, directed, &graph),
                      PC_ERR_ARGUMENT, "18446744073709551615 vertices");
        check_refused(generate_gilbert(context, UINT64_C(1) << 32, 0, 1, directed, &graph),
                      PC_ERR_ARGUMENT, "4294967296 vertices");
        check_refused(generate_barabasi_albert(context, UINT64_MAX, 2, 1, directed, &graph),
                      PC_ERR_ARGUMENT, "18446744073709551615 vertices");
    }
    static const double no_probabilities[] = {-0.1, 1.1, NAN, INFINITY};
    for (int i = 0; i < 4; i++)
        check_refused(generate_gilbert(context, 5, no_probabilities[i], 1, 0, &graph),
                      PC_ERR_ARGUMENT, "from 0 to 1");
    check_refused(generate_barabasi_albert(context, 5, 0, 1, 0, &graph), PC_ERR_ARGUMENT,
                  "0 edges a vertex");
    check_refused(generate_barabasi_albert(context, 5, 5, 1, 0, &graph), PC_ERR_ARGUMENT,
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

/* ---- R-MAT ----------------------------------------------------------------------------------- */

/* The probability of an arc between two numbers: a quadrant at each level. */
static double share_of(const double quadrants[4], int scale, int from, int to)
{
    double share = 1;
    for (int bit = 0; bit < scale; bit++)
        share *= quadrants[2 * (from >> bit & 1) + (to >> bit & 1)];
    return share;
}

/* When m edges are drawn, an arc with the share p is there with probability 1 - (1 - p)^m. */
TEST("R-MAT: quadrants")
{
    enum { SCALE = 4, N = 1 << SCALE, FACTOR = 3, SEEDS = 2000 };
    static const double shares[][4] = {
        {0.57, 0.19, 0.19, 0.05}, {0.5, 0.3, 0.15, 0.05}, {0.1, 0.2, 0.3, 0.4}, {0, 0.8, 0.2, 0}};
    for (int kind = 0; kind < 4; kind++) {
        const double *q = shares[kind];
        const pc_model rmat = {.scale = SCALE,
                               .edge_factor = FACTOR,
                               .a = kind ? q[0] : 0,
                               .b = kind ? q[1] : 0,
                               .c = kind ? q[2] : 0};
        double expected = 0, n_arcs = 0, n_drawn = 0, loops = pow(q[0] + q[3], SCALE);
        for (int cell = 0; cell < N * N; cell++)
            if (cell / N != cell % N)
                expected += 1 - pow(1 - share_of(q, SCALE, cell / N, cell % N), FACTOR * N);
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            OWNED(pc_graph) *graph = NULL;
            pc_graph_info info;
            MUST(generate_rmat(context, &rmat, seed, 1, &graph));
            pc_graph_get_info(graph, &info);
            n_arcs += (double)info.n_arcs;
            n_drawn += (double)(info.n_arcs + info.n_duplicates);
        }
        CU_ASSERT(is_likely(n_drawn, (double)FACTOR * N * SEEDS, 1 - loops));
        CU_ASSERT(fabs(n_arcs - SEEDS * expected) <= sigmas * sqrt(SEEDS * expected));
    }
}

static uint64_t rmat_bits(double a, double b, double c)
{
    const pc_model rmat = {.scale = 3, .edge_factor = 2, .a = a, .b = b, .c = c};
    pc_graph *graph;
    MUST(generate_rmat(context, &rmat, 5, 1, &graph));
    return arcs_as_bits(graph);
}

/* One quadrant only: loops, or always the same arc, turned round in the opposite quadrant. */
TEST("R-MAT: corners")
{
    pc_graph *graph;
    CU_ASSERT_EQUAL(rmat_bits(1, 0, 0), 0);
    CU_ASSERT_EQUAL(rmat_bits(1e-300, 0, 0), 0);
    uint64_t right = rmat_bits(0, 1, 0), left = rmat_bits(0, 0, 1);
    CU_ASSERT_EQUAL_FATAL(__builtin_popcountll(right), 1);
    int from = __builtin_ctzll(right) / 8, to = __builtin_ctzll(right) % 8;
    CU_ASSERT_EQUAL(left, UINT64_C(1) << (8 * to + from));
    MUST(generate_rmat(context, &(pc_model){.edge_factor = 9}, 1, 0, &graph));
    CU_ASSERT_EQUAL(pc_graph_n_vertices(graph), 1);
    CU_ASSERT_EQUAL(arcs_as_bits(graph), 0);
}

/* Vertices are numbered at random: the only arc of a corner is anywhere. */
TEST("R-MAT: numbers of vertices")
{
    enum { SEEDS = 12000 };
    unsigned count[16] = {0};
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        pc_graph *graph;
        MUST(generate_rmat(context, &(pc_model){.scale = 2, .edge_factor = 1, .b = 1}, seed, 1,
                           &graph));
        count[__builtin_ctzll(arcs_as_bits(graph))]++;
    }
    for (int cell = 0; cell < 16; cell++)
        CU_ASSERT(is_likely(count[cell], SEEDS, cell % 5 ? 1.0 / 12 : 0));
}

/* ---- Erdos-Renyi ----------------------------------------------------------------------------- */

static void check_erdos_renyi(uint64_t n, uint64_t n_edges, uint64_t seed, bool directed)
{
    OWNED(pc_graph) *graph = NULL;
    pc_graph_info info;
    MUST(generate_erdos_renyi(context, n, n_edges, seed, directed, &graph));
    pc_graph_get_info(graph, &info);
    CU_ASSERT_EQUAL(info.n_vertices, n);
    CU_ASSERT_EQUAL(info.n_edges, n_edges);
    CU_ASSERT_EQUAL(info.n_duplicates, 0);
    check_simple(graph, directed);
}

TEST("Erdos-Renyi: sizes")
{
    random_source source = {21};
    for (int i = 0; i < 300; i++) {
        uint64_t n = random_below(&source, 60), room = n * (n ? n - 1 : 0) / (1 + i % 2);
        uint64_t n_edges = i % 5 == 0 ? room : random_below(&source, room + 1);
        check_erdos_renyi(n, n_edges, random_u64(&source), i % 2 == 0);
    }
    check_erdos_renyi(20000, 300000, 1, false); /* several parts */
}

/* Each of the 20 graphs with 3 of the 6 edges between 4 vertices comes as often; and with a
 * probability each of the 64 graphs as often as its edges say. */
TEST("Erdos-Renyi: spread")
{
    enum { SEEDS = 20000 };
    static unsigned count[1 << 16], count_gilbert[1 << 16];
    const double p = 0.3;
    unsigned n_kinds = 0;
    memset(count, 0, sizeof count);
    memset(count_gilbert, 0, sizeof count_gilbert);
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        pc_graph *graph;
        MUST(generate_erdos_renyi(context, 4, 3, seed, 0, &graph));
        count[arcs_as_bits(graph)]++;
        MUST(generate_gilbert(context, 4, p, seed, 0, &graph));
        count_gilbert[arcs_as_bits(graph)]++;
    }
    for (int bits = 0; bits < 1 << 16; bits++) {
        int n_edges = __builtin_popcount((unsigned)bits) / 2;
        if (count[bits] > 0)
            CU_ASSERT(is_likely(count[bits], SEEDS, 1.0 / 20));
        if (count_gilbert[bits] > 0)
            CU_ASSERT(
                is_likely(count_gilbert[bits], SEEDS, pow(p, n_edges) * pow(1 - p, 6 - n_edges)));
        CU_ASSERT(count[bits] == 0 || n_edges == 3);
        n_kinds += count[bits] > 0;
    }
    CU_ASSERT_EQUAL(n_kinds, 20);
}

static uint64_t gilbert_edges(uint64_t n, double p, uint64_t seed, bool directed)
{
    OWNED(pc_graph) *graph = NULL;
    pc_graph_info info;
    MUST(generate_gilbert(context, n, p, seed, directed, &graph));
    pc_graph_get_info(graph, &info);
    CU_ASSERT_EQUAL(info.n_vertices, n);
    CU_ASSERT_EQUAL(info.n_duplicates, 0);
    if (n <= 500)
        check_simple(graph, directed);
    return info.n_edges;
}

/* Also where the pairs are cut into parts: none is lost or made twice there. */
TEST("Gilbert: sizes")
{
    for (uint64_t n = 0; n < 4; n++)
        for (int directed = 0; directed < 2; directed++) {
            CU_ASSERT_EQUAL(gilbert_edges(n, 0, 1, directed), 0);
            CU_ASSERT_EQUAL(gilbert_edges(n, 1, 1, directed),
                            n * (n ? n - 1 : 0) / (directed ? 1 : 2));
        }
    CU_ASSERT_EQUAL(gilbert_edges(400, 0, 1, false), 0);
    CU_ASSERT_EQUAL(gilbert_edges(400, 1, 1, false), 79800); /* two parts */
    CU_ASSERT_EQUAL(gilbert_edges(400, 1, 1, true), 159600); /* three */
    CU_ASSERT(is_likely(gilbert_edges(2000, 0.1, 1, false), 1999000, 0.1));
    CU_ASSERT(is_likely(gilbert_edges(1500, 0.4, 2, true), 2248500, 0.4));
    CU_ASSERT(gilbert_edges(2000000, 5e-12, 3, false) < 40); /* ten are expected */
    CU_ASSERT(gilbert_edges(2000000, 5e-324, 3, true) == 0);
}

/* Parts of the pairs have nothing to do with one another: a pair and the one a part further on are
 * alike, both with an arc or both without, in half of all cases. */
TEST("Gilbert: parts")
{
    enum { N = 600, PAIRS = N * (N - 1), PART = 2 << 16 /* of the product */ };
    static bool has[PAIRS];
    OWNED(pc_graph) *graph = NULL;
    pc_arcs arcs;
    uint64_t n_alike = 0;
    MUST(generate_gilbert(context, N, 0.5, 1, 1, &graph));
    pc_graph_arcs(graph, &arcs);
    for (uint64_t row = 0; row < N; row++)
        for (uint64_t a = arcs.row_start[row]; a < arcs.row_start[row + 1]; a++)
            has[row * (N - 1) + arcs.column[a] - (arcs.column[a] > row)] = true;
    for (uint64_t pair = 0; pair + PART < PAIRS; pair++)
        n_alike += has[pair] == has[pair + PART];
    CU_ASSERT(is_likely((double)n_alike, PAIRS - PART, 0.5));
}

/* ---- Barabasi-Albert ------------------------------------------------------------------------- */

TEST("Barabasi-Albert: attachment")
{
    for (uint64_t m = 1; m < 30; m += 4)
        for (uint64_t n = m + 1; n < 100; n += 17) {
            OWNED(pc_graph) *graph = NULL;
            pc_arcs arcs;
            MUST(generate_barabasi_albert(context, n, m, n, 1, &graph));
            check_simple(graph, true);
            pc_graph_arcs(graph, &arcs);
            CU_ASSERT_EQUAL(arcs.row_start[n], m * (n - m));
            for (uint64_t v = 0; v < n; v++) {
                uint64_t end = arcs.row_start[v + 1], n_targets = end - arcs.row_start[v];
                CU_ASSERT_EQUAL_FATAL(n_targets, v < m ? 0 : m);
                CU_ASSERT(v < m || arcs.column[end - 1] < v);
            }
        }
}

/* One edge a vertex: vertex 1 joins 0, then 2 joins either. Vertex 3 joins 2, which has one end of
 * four, in 1/4 of all cases, and else 0 or 1, which nothing tells apart. */
TEST("Barabasi-Albert: preference")
{
    enum { SEEDS = 8000 };
    unsigned second[2] = {0}, third[3] = {0};
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        pc_graph *graph;
        MUST(generate_barabasi_albert(context, 4, 1, seed, 1, &graph));
        pc_arcs arcs;
        pc_graph_arcs(graph, &arcs);
        CU_ASSERT_EQUAL(arcs.column[0], 0);
        second[arcs.column[1]]++;
        third[arcs.column[2]]++;
        pc_graph_free(graph);
    }
    CU_ASSERT(is_likely(second[0], SEEDS, 0.5));
    CU_ASSERT(is_likely(third[2], SEEDS, 0.25));
    CU_ASSERT(is_likely(third[0], SEEDS, 0.375));
    /* Of many vertices 2 / (m + 2) keep the degree m, and some get a very large one. */
    enum { N = 20000, M = 4 };
    pc_graph *graph;
    pc_arcs arcs;
    unsigned n_least = 0;
    uint64_t largest = 0;
    MUST(generate_barabasi_albert(context, N, M, 1, 0, &graph));
    pc_graph_arcs(graph, &arcs);
    for (uint64_t v = 0; v < N; v++) {
        uint64_t degree = arcs.row_start[v + 1] - arcs.row_start[v];
        n_least += degree == M;
        largest = degree > largest ? degree : largest;
    }
    CU_ASSERT(fabs(n_least / (double)N - 2.0 / (M + 2)) < 0.02);
    CU_ASSERT(largest > 150 && largest < 5000);
    pc_graph_free(graph);
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

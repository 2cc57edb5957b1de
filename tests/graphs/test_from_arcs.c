/* Graphs from compressed rows: the arcs are those of a plain adjacency matrix, whatever the order of the columns. */
#include "tests/support/failing_allocator.h"
#include "tests/support/fixture.h"

#include <math.h>

CASE_CONTEXT(context)

/* ---- Random rows ----------------------------------------------------------------------------- */

enum { MOST_N = 9, MOST_ARCS = 2 * MOST_N * MOST_N };

/* Rows as they are given, and the matrix that they mean: sum[i][j] where entries add up. */
typedef struct given_rows {
    uint64_t n, row_start[MOST_N + 1], weight[MOST_ARCS];
    uint32_t column[MOST_ARCS];
    uint64_t sum[MOST_N][MOST_N];
    bool is_again, differs; /* an entry is given again; with another weight */
} given_rows;

static void add_entry(given_rows *g, uint64_t row, uint64_t column, uint64_t weight)
{
    for (uint64_t a = g->row_start[row]; a < g->row_start[row + 1]; a++)
        if (g->column[a] == column) {
            g->is_again = true;
            g->differs = g->differs || g->weight[a] != weight;
        }
    g->column[g->row_start[row + 1]] = (uint32_t)column;
    g->weight[g->row_start[row + 1]++] = weight;
    g->sum[row][column] += weight;
}

/* Rows in order or not, with entries given again or not, and symmetric every second time. */
static given_rows random_rows(random_source *source)
{
    given_rows g = {.n = random_below(source, MOST_N + 1)};
    uint64_t wild = random_below(source, 2), heaviest = 1 + random_below(source, 3);
    uint64_t weight[MOST_N][MOST_N] = {0}, symmetric = random_below(source, 2);
    for (uint64_t i = 0; i < g.n; i++)
        for (uint64_t j = 0; j < g.n; j++)
            weight[i][j] = random_below(source, 2) * random_below(source, heaviest + 1);
    for (uint64_t i = 0; i < g.n; i++)
        for (uint64_t j = 0; symmetric && j < i; j++)
            weight[i][j] = weight[j][i];
    for (uint64_t i = 0; i < g.n; i++) {
        uint64_t turn = wild ? random_below(source, g.n) : 0;
        g.row_start[i + 1] = g.row_start[i];
        for (uint64_t k = 0; k < g.n; k++) {
            uint64_t j = (k + turn) % g.n;
            if (weight[i][j] || (wild && random_below(source, 4) == 0))
                add_entry(&g, i, j, weight[i][j]);
            if (wild && random_below(source, 8) == 0)
                add_entry(&g, i, j, weight[i][j] + random_below(source, 2));
        }
    }
    return g;
}

static bool is_symmetric(const given_rows *g)
{
    for (uint64_t i = 0; i < g->n; i++)
        for (uint64_t j = 0; j < i; j++)
            if (g->sum[i][j] != g->sum[j][i])
                return false;
    return true;
}

/* Entries of the graph that are not those of the matrix. */
static int n_wrong(const pc_graph *graph, const given_rows *g)
{
    int wrong = pc_graph_n_vertices(graph) != g->n;
    uint64_t n_arcs = 0;
    pc_arcs arcs;
    pc_graph_arcs(graph, &arcs);
    for (uint64_t i = 0; i < g->n; i++) {
        uint64_t a = arcs.row_start[i];
        for (uint64_t j = 0; j < g->n; j++) {
            bool is_there = a < arcs.row_start[i + 1] && arcs.column[a] == j;
            uint64_t entry = is_there ? (arcs.weight ? arcs.weight[a] : 1) : 0;
            wrong += entry != g->sum[i][j];
            a += is_there;
        }
        n_arcs += a - arcs.row_start[i];
        wrong += a != arcs.row_start[i + 1];
    }
    pc_graph_info info;
    pc_graph_get_info(graph, &info);
    return wrong + (info.n_arcs != n_arcs);
}

TEST("any rows")
{
    random_source source = {20};
    for (int g = 0; g < 4000; g++) {
        given_rows given = random_rows(&source);
        const pc_arcs arcs = {
            .row_start = given.row_start, .column = given.column, .weight = given.weight};
        pc_graph_options options = {.multigraph = 1,
                                    .direction = (pc_direction)random_below(&source, 2)};
        OWNED(pc_graph) *graph = NULL;
        MUST(pc_graph_from_arcs(context, given.n, &arcs, &options, &graph));
        CU_ASSERT_EQUAL_FATAL(n_wrong(graph, &given), 0);
        MUST(pc_graph_check(context, graph));
        pc_graph_info info;
        pc_graph_get_info(graph, &info);
        bool directed = options.direction == PC_DIRECTED || !is_symmetric(&given);
        CU_ASSERT_EQUAL_FATAL(info.directed, directed);
        OWNED(pc_graph) *plain = NULL; /* entries given again are dropped, or refused */
        pc_status status = pc_graph_from_arcs(context, given.n, &arcs, NULL, &plain);
        CU_ASSERT_EQUAL_FATAL(status, given.differs ? PC_ERR_DATA : PC_OK);
        if (!given.is_again)
            CU_ASSERT_EQUAL_FATAL(n_wrong(plain, &given), 0);
    }
}

TEST("rows of a graph make the same graph")
{
    random_source source = {21};
    for (int g = 0; g < 300; g++) {
        OWNED(edge_set) edges = edge_set_any_simple(&source, 1 + random_below(&source, 60));
        OWNED(pc_graph) *graph = new_graph(context, &edges), *again = NULL;
        pc_arcs arcs;
        pc_graph_arcs(graph, &arcs);
        MUST(pc_graph_from_arcs(context, edges.n, &arcs, NULL, &again));
        OWNED(pc_counts) *counts = new_counts(context, again, 3);
        OWNED(integer_matrix) expected = oracle_count(&edges, 3);
        CU_ASSERT_EQUAL_FATAL(n_wrong_counts(counts, &expected), 0);
    }
}

TEST("decimals of the weights are kept")
{
    static const uint64_t from[] = {0, 1, 2}, to[] = {1, 2, 2};
    const double weight[] = {1.0 / 3, 0.25, 1e6};
    const pc_edges edges = {
        .n_vertices = 3, .n_edges = 3, .from = from, .to = to, .real_weight = weight};
    const pc_graph_options options = {.real_weights = 1, .direction = PC_DIRECTED};
    OWNED(pc_graph) *graph = NULL, *again = NULL, *turned = NULL;
    MUST(pc_graph_from_edges(context, &edges, &options, &graph));
    pc_arcs arcs;
    pc_graph_arcs(graph, &arcs);
    MUST(pc_graph_from_arcs(context, 3, &arcs, &options, &again));
    arcs.column = (uint32_t[]){1, 2, 2};
    MUST(pc_graph_from_arcs(context, 3, &arcs, &(pc_graph_options){.direction = PC_UNDIRECTED},
                            &turned));
    pc_graph_info info, same, sorted;
    pc_graph_get_info(graph, &info);
    pc_graph_get_info(again, &same);
    pc_graph_get_info(turned, &sorted);
    CU_ASSERT(info.decimals > 2 && info.weight_error > 0);
    CU_ASSERT_EQUAL(same.decimals, info.decimals);
    CU_ASSERT_EQUAL(same.weight_error, info.weight_error);
    CU_ASSERT_EQUAL(sorted.decimals, info.decimals);
    CU_ASSERT_EQUAL(sorted.weight_error, info.weight_error);
}

TEST("an entry of an undirected graph is an edge")
{
    static const uint64_t row_start[] = {0, 2, 2, 3};
    static const uint32_t column[] = {1, 2, 2};
    const pc_arcs arcs = {.row_start = row_start, .column = column};
    const pc_graph_options options = {.direction = PC_UNDIRECTED};
    OWNED(pc_graph) *graph = NULL;
    MUST(pc_graph_from_arcs(context, 3, &arcs, &options, &graph));
    given_rows expected = {.n = 3, .sum = {{0, 1, 1}, {1, 0, 0}, {1, 0, 1}}};
    CU_ASSERT_EQUAL(n_wrong(graph, &expected), 0);
}

/* ---- What is refused ------------------------------------------------------------------------- */

static bool is_refused_for(const uint64_t *row_start, const uint32_t *column, const char *words)
{
    const pc_arcs arcs = {.row_start = row_start, .column = column};
    pc_graph *graph = NULL;
    return is_refused(context, pc_graph_from_arcs(context, 2, &arcs, NULL, &graph), PC_ERR_ARGUMENT,
                      words) &&
           !graph;
}

TEST("rows that are none")
{
    static const uint32_t column[] = {0, 1}, outside[] = {0, 2};
    CU_ASSERT(is_refused_for((uint64_t[]){1, 1, 2}, column, "row 0 starts at arc 1"));
    CU_ASSERT(is_refused_for((uint64_t[]){0, 2, 1}, column, "row 1 ends at arc 1"));
    CU_ASSERT(is_refused_for((uint64_t[]){0, 1, 2}, outside, "from vertex 1 to vertex 2"));
    const pc_arcs arcs = {.row_start = (uint64_t[]){0, 1, 2}, .column = column};
    const pc_graph_options options = {.direction = (pc_direction)7};
    pc_graph *graph = NULL;
    CU_ASSERT_EQUAL(pc_graph_from_arcs(context, 2, &arcs, &options, &graph), PC_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(pc_graph_from_arcs(context, UINT64_C(1) << 32, &arcs, NULL, &graph),
                    PC_ERR_ARGUMENT);
    const pc_arcs scaled[] = {
        {.row_start = arcs.row_start, .column = column, .decimals = 20},
        {.row_start = arcs.row_start, .column = column, .weight_error = 1},
        {.row_start = arcs.row_start, .column = column, .weight_error = (double)NAN}};
    for (int i = 0; i < 3; i++)
        CU_ASSERT(is_refused(context, pc_graph_from_arcs(context, 2, &scaled[i], NULL, &graph),
                             PC_ERR_ARGUMENT, "decimals"));
}

static pc_status make_both(pc_context *of, void *user)
{
    static const uint64_t row_start[] = {0, 2, 3};
    static const uint32_t columns[2][3] = {{0, 1, 0}, {1, 0, 0}};
    static const uint64_t weight[] = {2, 3, 3};
    (void)user;
    for (int i = 0; i < 2; i++) {
        const pc_arcs arcs = {.row_start = row_start, .column = columns[i], .weight = weight};
        pc_graph *graph = NULL;
        pc_status status = pc_graph_from_arcs(of, 2, &arcs, NULL, &graph);
        pc_graph_free(graph);
        if (status != PC_OK)
            return status;
    }
    return PC_OK;
}

TEST("no memory for the rows")
{
    CU_ASSERT_TRUE(fail_each_allocation(make_both, NULL) > 6);
    const pc_arcs arcs = {.row_start = (uint64_t[]){0, 1, 1}, .column = (uint32_t[]){1}};
    pc_graph *graph = NULL;
    pc_context_set_memory_limit(context, 20);
    CU_ASSERT(is_refused(context, pc_graph_from_arcs(context, 2, &arcs, NULL, &graph),
                         PC_ERR_MEMORY, "the graph"));
}

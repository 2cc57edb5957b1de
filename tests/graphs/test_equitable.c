/* Cells of equitable partitions, against a refinement that compares all pairs of vertices; and recurrences of
 * graphs with few cells, which hold for longer lengths. */
#include "graphs/partition.h"
#include "pathcount_recurrence.h"
#include "tests/support/fixture.h"

CASE_CONTEXT(context)

enum { MOST = 24 };

/* Tells whether the rows of two vertices have the same sums over cells. */
static bool are_alike(const integer_matrix *a, const uint64_t *cell, uint64_t u, uint64_t v)
{
    uint64_t n = a->n;
    mpz_t difference;
    bool alike = cell[u] == cell[v];
    mpz_init(difference);
    for (uint64_t c = 0; c < n && alike; c++) {
        mpz_set_ui(difference, 0);
        for (uint64_t w = 0; w < n; w++)
            if (cell[w] == c) {
                mpz_add(difference, difference, a->entry[u * n + w]);
                mpz_sub(difference, difference, a->entry[v * n + w]);
            }
        alike = mpz_sgn(difference) == 0;
    }
    mpz_clear(difference);
    return alike;
}

/* The cells of the coarsest equitable partition: vertices are taken apart until none differ. */
static uint64_t n_cells_of(const edge_set *edges, uint64_t apart)
{
    OWNED(integer_matrix) a = oracle_adjacency(edges);
    uint64_t n = edges->n, cell[MOST] = {0}, next[MOST], n_before = 0, n_now = 0;
    if (apart < n)
        cell[apart] = 1;
    do {
        n_before = n_now;
        n_now = 0;
        for (uint64_t v = 0; v < n; v++) {
            uint64_t u = 0;
            while (u < v && !are_alike(&a, cell, u, v))
                u++;
            next[v] = u < v ? next[u] : n_now++;
        }
        memcpy(cell, next, n * sizeof *cell);
    } while (n_now > n_before);
    return n_now;
}

static edge_set any_undirected(random_source *source)
{
    uint64_t n = 1 + random_below(source, MOST), kind = random_below(source, 4);
    edge_set edges = edge_set_empty(n, false);
    for (uint64_t u = 0; u < n; u++)
        for (uint64_t v = u; v < n; v++) {
            bool is_edge = kind == 0   ? v == u + 1 || (u == 0 && v + 1 == n && v > 1)
                           : kind == 1 ? u % 3 != v % 3
                           : kind == 2 ? (u / 4 == v / 4 && u < v) || v == u + 4
                                       : random_below(source, 6) == 0;
            if (is_edge)
                edge_set_add(&edges, u, v, kind == 3 ? 1 + random_below(source, 2) : 1);
        }
    return edges;
}

TEST("cells of random graphs")
{
    random_source source = {41};
    int n_coarse = 0;
    for (int g = 0; g < 400; g++) {
        OWNED(edge_set) edges = any_undirected(&source);
        OWNED(pc_graph) *graph = new_graph(context, &edges);
        uint64_t apart = random_below(&source, edges.n + 1), n_cells = 0;
        MUST(pci_equitable_cells(context, graph, apart, &n_cells));
        CU_ASSERT_EQUAL(n_cells, n_cells_of(&edges, apart));
        n_coarse += n_cells < edges.n;
    }
    CU_ASSERT_TRUE(n_coarse > 100);
}

/* Weights whose sums pass 2^64 prove nothing. */
TEST("sums that are too large")
{
    OWNED(edge_set) edges = edge_set_empty(3, false);
    uint64_t n_cells = 0;
    edge_set_add(&edges, 0, 1, UINT64_MAX);
    edge_set_add(&edges, 1, 2, UINT64_MAX);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    MUST(pci_equitable_cells(context, graph, 3, &n_cells));
    CU_ASSERT_EQUAL(n_cells, 3);
}

static edge_set grid(uint64_t n_rows, uint64_t n_columns)
{
    edge_set edges = edge_set_empty(n_rows * n_columns, false);
    for (uint64_t v = 0; v < edges.n; v++) {
        if (v % n_columns + 1 < n_columns)
            edge_set_add(&edges, v, v + 1, 1);
        if (v + n_columns < edges.n)
            edge_set_add(&edges, v, v + n_columns, 1);
    }
    return edges;
}

static pc_status take_text(void *user, uint64_t length, const pc_rows *rows)
{
    size_t n = 0;
    (void)length;
    return pc_rows_text(rows, 0, user, 1000, &n);
}

/* The vertices of a grid of 5 x 7 have 12 cells. Length 300 is beyond all lengths that the recurrence was found from. */
TEST("recurrences of grids")
{
    OWNED(edge_set) edges = grid(5, 7);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    const uint64_t from = 3, to = 17;
    const pc_query queries[] = {
        {.kind = PC_QUERY_TOTAL, .length = 300},
        {.kind = PC_QUERY_PAIRS, .length = 300, .n_asked = 1, .from = &from, .to = &to}};
    for (int q = 0; q < 2; q++) {
        char expected[1000] = "", found[1000] = "-";
        const pc_count_options swept = {.method = PC_METHOD_SWEEP},
                               by_recurrence = {.method = PC_METHOD_RECURRENCE};
        MUST(pc_query_run(context, graph, &queries[q], &swept, take_text, expected));
        MUST(pc_query_run(context, graph, &queries[q], &by_recurrence, take_text, found));
        CU_ASSERT_STRING_EQUAL(found, expected);
        pc_plan_info info = {0};
        MUST(plan_last(context, &info));
        CU_ASSERT_TRUE(q || info.sweep_length == 24); /* twice as many as there are cells */
    }
}

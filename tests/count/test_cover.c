/* Rows that are made of those of a vertex cover, against GMP: the plan by a cover is taken, whatever it is
 * predicted to take. */
#include "src/plan/plan.h"
#include "tests/support/fixture.h"
#include "tests/support/methods.h"

#include <stdio.h>

CASE_CONTEXT(context)

/* Moves the plan by a cover to the front; false when there is none. */
static bool prefer_cover(pc_plan *plan)
{
    for (uint32_t p = 0; p < plan->n_plans; p++)
        if (strstr(plan->plan[p]->method->name, "cover") && plan->plan[p]->status == PC_OK) {
            pci_plan *first = plan->plan[p];
            plan->plan[p] = plan->plan[0];
            plan->plan[0] = first;
            return true;
        }
    return false;
}

/* Rows that must come. */
typedef struct expected_rows {
    const integer_matrix *power;
    uint64_t modulus, n_rows, n_wrong;
} expected_rows;

static pc_status take(void *user, uint64_t length, const pc_rows *rows)
{
    expected_rows *expected = user;
    mpz_t got, wanted;
    mpz_inits(got, wanted, NULL);
    (void)length;
    for (uint64_t e = 0; e < rows->n_rows * rows->n_columns; e++) {
        mpz_import(got, rows->n_limbs, -1, sizeof(uint64_t), 0, 0, rows->limbs + e * rows->n_limbs);
        mpz_set(wanted, expected->power->entry[rows->first_row * rows->n_columns + e]);
        if (expected->modulus)
            mpz_fdiv_r_ui(wanted, wanted, expected->modulus);
        expected->n_wrong += mpz_cmp(got, wanted) != 0;
    }
    expected->n_rows += rows->n_rows;
    mpz_clears(got, wanted, NULL);
    return PC_OK;
}

static bool is_right(const pc_graph *graph, uint64_t length, const pc_count_options *options,
                     expected_rows *expected, int *n_taken)
{
    const pc_query query = {.kind = PC_QUERY_MATRIX, .length = length};
    OWNED(pc_plan) *plan = NULL;
    if (!succeeds(context, pc_plan_create(context, graph, &query, options, &plan)))
        return false;
    if (!prefer_cover(plan))
        return true;
    (*n_taken)++;
    *expected = (expected_rows){expected->power, options->modulus, 0, 0};
    return succeeds(context, pc_plan_run(plan, NULL, 0, take, expected)) &&
           !*plan->info.recomputed && expected->n_wrong == 0 && expected->n_rows == graph->n;
}

TEST("rows of random graphs")
{
    random_source source = {390};
    int n_taken = 0;
    for (int g = 0; g < 200; g++) {
        uint64_t n = 1 + random_below(&source, g % 4 ? 12 : 70);
        OWNED(edge_set) edges = g % 3 ? edge_set_any_simple(&source, n)
                                      : edge_set_preferential(&source, n, 1 + (unsigned)g % 4);
        OWNED(pc_graph) *graph = new_graph(context, &edges);
        uint64_t length = 2 + random_below(&source, g % 5 ? 8 : 60);
        OWNED(integer_matrix) power = oracle_count(&edges, length);
        expected_rows expected = {.power = &power};
        for (int a = 0; a < N_ARITHMETICS - 1; a++) { /* but doubles */
            pc_count_options options = options_of(PC_METHOD_SWEEP, a);
            options.reduce = PC_REDUCE_ALWAYS;
            bool right = is_right(graph, length, &options, &expected, &n_taken);
            CU_ASSERT_TRUE(right);
            if (!right) {
                printf("\n    graph %d, n %d, length %d, arithmetic %d: %d wrong\n", g, (int)n,
                       (int)length, a, (int)expected.n_wrong);
                return;
            }
        }
    }
    CU_ASSERT_TRUE(n_taken > 500);
}

/* The centre of a star is its cover; a loop covers itself; a graph without arcs is not swept. */
TEST("how many rows are swept")
{
    enum { N = 50 };
    static const uint64_t expected[] = {1, 0, N, N - 1};
    for (int kind = 0; kind < 4; kind++) {
        OWNED(edge_set) edges = edge_set_empty(N, false);
        for (uint64_t u = 0; u < N; u++)
            for (uint64_t v = u; v < N; v++)
                if (kind == 0 ? u == 0 && v > 0 : kind == 2 ? u == v : kind == 3 && u < v)
                    edge_set_add(&edges, u, v, 1);
        OWNED(pc_graph) *graph = new_graph(context, &edges);
        OWNED(pc_plan) *plan = NULL;
        const pc_query query = {.kind = PC_QUERY_MATRIX, .length = 3};
        const pc_count_options options = {.method = PC_METHOD_SWEEP, .reduce = PC_REDUCE_ALWAYS};
        MUST(pc_plan_create(context, graph, &query, &options, &plan));
        CU_ASSERT_EQUAL_FATAL(prefer_cover(plan), kind != 1);
        CU_ASSERT_EQUAL(plan->plan[0]->info.n_swept, expected[kind]);
    }
}

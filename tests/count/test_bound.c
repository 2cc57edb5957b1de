/* Proved limits: never below the largest entry, never above the largest row sum. */
#include "tests/support/fixture.h"
#include "tests/support/path_walks.h"

#include "src/plan/limits.h"

#include <math.h>

enum { MAX_LENGTH = 12 };

/* log2 of an integer, to about 50 bits; 0 for 0. */
static double log2_of(const mpz_t value)
{
    long exponent = 0;
    double mantissa = mpz_get_d_2exp(&exponent, value);
    return mantissa > 0 ? log2(mantissa) + (double)exponent : 0;
}

static void largest_entry_and_row_sum(const integer_matrix *matrix, mpz_t largest, mpz_t row_sum)
{
    OWNED(mpz_t) sum;
    mpz_init(sum);
    mpz_set_ui(largest, 0);
    mpz_set_ui(row_sum, 0);
    for (uint64_t i = 0; i < matrix->n; i++) {
        mpz_set_ui(sum, 0);
        for (uint64_t j = 0; j < matrix->n; j++) {
            const mpz_t *entry = &matrix->entry[i * matrix->n + j];
            mpz_add(sum, sum, *entry);
            if (mpz_cmp(*entry, largest) > 0)
                mpz_set(largest, *entry);
        }
        if (mpz_cmp(sum, row_sum) > 0)
            mpz_set(row_sum, sum);
    }
}

static void check_graph(const edge_set *edges)
{
    uint64_t lengths[MAX_LENGTH];
    double bits[MAX_LENGTH];
    pc_context *context = new_context(1);
    pc_graph *graph;
    if (edge_set_load(context, edges, &graph) != PC_OK) { /* multiplicities beyond a word */
        pc_context_free(context);
        return;
    }
    integer_matrix a = oracle_adjacency(edges), power = oracle_power(&a, 0);
    OWNED(mpz_t) largest, row_sum;
    mpz_inits(largest, row_sum, NULL);
    for (uint64_t l = 0; l < MAX_LENGTH; l++)
        lengths[l] = l;
    MUST(pci_bound(context, graph, NULL, MAX_LENGTH, lengths, 11000, bits));
    for (uint64_t l = 0; l < MAX_LENGTH; l++) {
        largest_entry_and_row_sum(&power, largest, row_sum);
        CU_ASSERT(bits[l] >= log2_of(largest) * (1 - 0x1p-48));
        CU_ASSERT(bits[l] <= fmax(log2_of(row_sum), 0) + 1e-6);
        integer_matrix next = oracle_product(&power, &a);
        integer_matrix_free(&power);
        power = next;
    }
    integer_matrix_free(&power);
    integer_matrix_free(&a);
    pc_graph_free(graph);
    pc_context_free(context);
}

TEST("limits hold and are no worse than row sums")
{
    random_source random = {.state = 31};
    for (int g = 0; g < 300; g++) {
        OWNED(edge_set) edges = edge_set_any(&random, 1 + random_below(&random, 12));
        check_graph(&edges);
    }
}

/* Far beyond the range of doubles: n vertices, all arcs, all weights w give (w n)^k / n. */
TEST("limits beyond doubles")
{
    OWNED(edge_set) edges = edge_set_constant(8, 1);
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    uint64_t length = 3000;
    double bits;
    CU_ASSERT(pci_bound(context, graph, NULL, 1, &length, 11000, &bits) == PC_OK);
    CU_ASSERT(bits >= 3 * 2999.0 && bits < 3 * 2999.0 + 0.01);
    CU_ASSERT(pci_bound(context, graph, NULL, 1, &length, 8900, &bits) == PC_ERR_RANGE);
}

TEST("a length out of reach is refused")
{
    OWNED(edge_set) edges = edge_set_empty(2, true);
    edge_set_add(&edges, 0, 1, 1);
    edge_set_add(&edges, 1, 0, 1);
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    uint64_t length = UINT64_MAX;
    double bits;
    CU_ASSERT(pci_bound(context, graph, NULL, 1, &length, 11000, &bits) == PC_ERR_RANGE);
}

/* log2 of the most walks of a length that begin at a vertex; -1 for none. */
static double log2_most_walks(const walk_matrices *walks, uint64_t length)
{
    mpq_t sum;
    double most = -1;
    mpq_init(sum);
    for (uint64_t v = 0; v < walks->n; v++) {
        mpq_set_ui(sum, 0, 1);
        for (uint64_t w = 0; w < walks->n; w++)
            mpq_add(sum, sum, *walk_entry(walks, length, v, w));
        if (mpq_sgn(sum) > 0)
            most = fmax(most, log2_of(mpq_numref(sum)));
    }
    mpq_clear(sum);
    return most;
}

TEST("limits of paths that never turn back are the largest sums of rows")
{
    enum { LENGTH = 70 };
    random_source source = {11};
    for (int i = 0; i < 60; i++) {
        OWNED(edge_set) edges = edge_set_any_simple(&source, 1 + random_below(&source, 12));
        for (uint64_t e = 0; e < edges.n_edges; e++)
            edges.weight[e] = 1;
        OWNED(walk_matrices) walks = walks_by_arcs(&edges, LENGTH);
        OWNED(pc_context) *context = new_context(1);
        OWNED(pc_graph) *graph = new_graph(context, &edges);
        double bits[LENGTH + 1];
        MUST(pci_bound_non_backtracking(context, graph, LENGTH, bits));
        for (uint64_t l = 0; l <= LENGTH; l++) {
            double most = log2_most_walks(&walks, l);
            CU_ASSERT(bits[l] >= most * (1 - 0x1p-48));
            CU_ASSERT(bits[l] <= fmax(most, 0) + 1e-6);
        }
    }
}

TEST("limits of paths that never turn back, beyond doubles")
{
    enum { LENGTH = 3000 };
    OWNED(edge_set) edges = edge_set_empty(10, false); /* complete: 10 * 9 * 8^(l - 1) */
    OWNED(pc_context) *context = new_context(1);
    double bits[LENGTH + 1];
    for (uint64_t u = 0; u < 10; u++)
        for (uint64_t v = 0; v < u; v++)
            edge_set_add(&edges, u, v, 1);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    MUST(pci_bound_non_backtracking(context, graph, LENGTH, bits));
    for (uint64_t l = 1; l <= LENGTH; l++) {
        double most = log2(9) + 3 * (double)(l - 1);
        CU_ASSERT(bits[l] >= most * (1 - 0x1p-48) && bits[l] <= most + 1e-6);
    }
}

/* Relative errors that plans prove for doubles: true of every number, and not absurdly large. Every
 * kind of query is asked here and in suites query, paths and grid, and compared with GMP. */
#include <gmp.h>

#include "tests/support/asked.h"
#include "tests/support/fixture.h"

#include <math.h>
#include <stdio.h>

enum { METHODS = 2 };

static const pc_method methods[METHODS] = {PC_METHOD_DENSE, PC_METHOD_SWEEP};

static edge_set any_edges(random_source *source, uint64_t n, uint64_t most_weight)
{
    edge_set edges = edge_set_density(source, n, 100 + (unsigned)random_below(source, 900),
                                      (bool)random_below(source, 2));
    for (uint64_t e = 0; e < edges.n_edges && most_weight > 1; e++)
        edges.weight[e] = 1 + random_below(source, most_weight);
    return edges;
}

static void ask_all(random_source *source, uint64_t most_weight, int n_graphs)
{
    for (int g = 0; g < n_graphs; g++) {
        uint64_t n = 1 + random_below(source, 12), length = random_below(source, 9);
        OWNED(edge_set) edges = any_edges(source, n, most_weight);
        OWNED(powers) p = powers_of(&edges, length);
        OWNED(pc_context) *context = new_context(1 + (int)random_below(source, 3));
        OWNED(pc_graph) *graph = new_graph(context, &edges);
        vertices v;
        pick_vertices(source, n, &v);
        for (int kind = 0; kind < N_QUERY_KINDS; kind++)
            for (int way = 0; way < 3 * METHODS; way++) {
                asked a = {.powers = &p,
                           .query = {.kind = (pc_query_kind)kind,
                                     .length = length,
                                     .n_asked = kind <= PC_QUERY_PAIRS ? n : 0,
                                     .from = kind == PC_QUERY_TO ? NULL : v.from,
                                     .to = kind == PC_QUERY_FROM ? NULL : v.to,
                                     .each = way % 3 == 1,
                                     .up_to = way % 3 == 2},
                           .options = {.arithmetic = PC_FLOAT, .method = methods[way / 3]}};
                if (kind > PC_QUERY_PAIRS)
                    a.query.from = a.query.to = NULL;
                check_query(context, graph, &a);
            }
    }
}

TEST("queries of every kind")
{
    random_source source = {1};
    ask_all(&source, 1, 60);
}

TEST("weights, rounded and not")
{
    random_source source = {2};
    ask_all(&source, 1000, 20);
    ask_all(&source, UINT64_MAX, 20);
}

/* ---- Matrices -------------------------------------------------------------------------------- */

typedef struct checked_matrix {
    const integer_matrix *counts; /* or ... */
    const walk_matrices *walks;
    uint64_t length;
    double largest_error;
} checked_matrix;

static pc_status take_matrix(void *user, uint64_t length, const pc_rows *rows)
{
    checked_matrix *m = user;
    OWNED(mpq_t) expected;
    mpq_init(expected);
    for (uint64_t e = 0; e < rows->n_rows * rows->n_columns; e++) {
        uint64_t row = rows->first_row + e / rows->n_columns, column = e % rows->n_columns;
        if (m->walks)
            mpq_set(expected, *walk_entry(m->walks, length, row, column));
        else
            mpq_set_z(expected, m->counts->entry[row * m->counts->n + column]);
        m->largest_error =
            fmax(m->largest_error, relative_error_of(rows->values[e], rows->exponent, expected));
    }
    return PC_OK;
}

/* Asserts that the errors are below the proved one, and that this is at most so many times as large. */
static void check_matrix(const edge_set *edges, checked_matrix *m, pc_method method, double times)
{
    OWNED(pc_context) *context = new_context(2);
    OWNED(pc_graph) *graph = new_graph(context, edges);
    pc_plan *plan = NULL;
    pc_query query = {.kind = PC_QUERY_MATRIX,
                      .length = m->length,
                      .paths = m->walks ? PC_PATHS_MARKOV : PC_PATHS_ALL};
    pc_count_options options = {.arithmetic = PC_FLOAT, .method = method};
    MUST(pc_plan_create(context, graph, &query, &options, &plan));
    m->largest_error = 0;
    MUST(pc_plan_run(plan, NULL, 0, take_matrix, m));
    double proved = pc_plan_get_info(plan)->relative_error;
    CU_ASSERT(m->largest_error <= proved);
    CU_ASSERT(proved <= times * m->largest_error);
    if (m->largest_error > proved || proved > times * m->largest_error)
        printf("\n    proved %g, found %g\n", proved, m->largest_error);
    pc_plan_free(plan);
}

TEST("matrices, and not absurd")
{
    random_source source = {3};
    for (int way = 0; way < 2 * METHODS; way++) {
        OWNED(edge_set) edges = any_edges(&source, 40, way / METHODS ? 1000000 : 1);
        OWNED(integer_matrix) counts = oracle_count(&edges, 37);
        check_matrix(&edges, &(checked_matrix){.counts = &counts, .length = 37},
                     methods[way % METHODS], 1000);
    }
}

/* Where nothing is rounded but products with weights, or nothing but the sums of squares. */
TEST("few roundings")
{
    random_source source = {7};
    OWNED(edge_set) circle = edge_set_empty(9, true);
    for (uint64_t i = 0; i < 9; i++)
        edge_set_add(&circle, i, (i + 1) % 9, (UINT64_C(1) << 40) + random_below(&source, 1000));
    OWNED(edge_set) edges = any_edges(&source, 12, 1);
    OWNED(integer_matrix) turns = oracle_count(&circle, 20), counts = oracle_count(&edges, 64);
    check_matrix(&circle, &(checked_matrix){.counts = &turns, .length = 20}, PC_METHOD_SWEEP, 1000);
    check_matrix(&edges, &(checked_matrix){.counts = &counts, .length = 64}, PC_METHOD_DENSE, 1000);
}

TEST("probabilities")
{
    random_source source = {4};
    for (int g = 0; g < 6; g++) {
        OWNED(edge_set) edges = any_edges(&source, 8, g % 2 ? UINT64_MAX : 1);
        OWNED(walk_matrices) walks = markov_powers(&edges, 6);
        check_matrix(&edges, &(checked_matrix){.walks = &walks, .length = 6}, PC_METHOD_SWEEP,
                     1000);
    }
}

/* Blocks of vertices: sums of the entries of a power, or of vectors. */
TEST("between blocks")
{
    random_source source = {5};
    for (int g = 0; g < 40; g++) {
        uint64_t n = 1 + random_below(&source, 20), length = random_below(&source, 12), n_wrong = 0;
        OWNED(edge_set) edges = any_edges(&source, n, g % 2 ? 1000 : 1);
        OWNED(integer_matrix) counts = oracle_count(&edges, length);
        OWNED(pc_context) *context = new_context(2);
        OWNED(pc_graph) *graph = new_graph(context, &edges);
        pc_partition *partition = NULL;
        pc_partition_info info;
        pc_plan *plan = NULL;
        pc_counts *kept = NULL;
        pc_rows rows;
        OWNED(mpq_t) expected;
        mpq_init(expected);
        MUST(pci_partition_consecutive(context, graph, 1 + random_below(&source, 5), &partition));
        pc_partition_get_info(partition, &info);
        pc_query query = {
            .kind = PC_QUERY_MATRIX, .length = length, .partition = partition, .keeps = 1};
        pc_count_options options = {.arithmetic = PC_FLOAT, .method = methods[g / 2 % METHODS]};
        MUST(pc_plan_create(context, graph, &query, &options, &plan));
        MUST(pc_plan_collect(plan, &kept));
        pc_counts_rows(kept, &rows);
        for (uint64_t e = 0; e < info.n_blocks * info.n_blocks; e++) {
            mpq_set_ui(expected, 0, 1);
            for (uint64_t u = 0; u < n; u++)
                for (uint64_t v = 0; v < n; v++)
                    if (info.block[u] * info.n_blocks + info.block[v] == e)
                        mpz_add(mpq_numref(expected), mpq_numref(expected),
                                counts.entry[u * n + v]);
            n_wrong += relative_error_of(rows.values[e], rows.exponent, expected) >
                       pc_plan_get_info(plan)->relative_error;
        }
        CU_ASSERT_EQUAL(n_wrong, 0);
        pc_counts_free(kept);
        pc_plan_free(plan);
        pc_partition_free(partition);
    }
}

TEST("integers have none")
{
    random_source source = {6};
    OWNED(edge_set) edges = any_edges(&source, 9, 1);
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    pc_query query = {.kind = PC_QUERY_TOTAL, .length = 50};
    pc_count_options exact = {0}, modular = {.arithmetic = PC_MODULAR, .modulus = 7};
    pc_count_options doubles = {.arithmetic = PC_FLOAT};
    const pc_count_options *options[] = {&exact, &modular, &doubles};
    for (int o = 0; o < 3; o++) {
        pc_plan *plan = NULL;
        MUST(pc_plan_create(context, graph, &query, options[o], &plan));
        CU_ASSERT_EQUAL(pc_plan_get_info(plan)->relative_error > 0, o == 2);
        pc_plan_free(plan);
    }
}

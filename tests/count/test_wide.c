/* Whole matrices of counts wider than the moduli that devices work with, squared as residues: every entry
 * is the one that products of GMP's integers make, also where a class of moduli ends; and they are refused where moduli
 * or memory end. */
#include "tests/support/fixture.h"
#include "tests/support/oracle.h"

#include <stdlib.h>
#include <string.h>

enum { WIDE_BITS = 12158, MOST_BITS = 93696 }; /* of two classes of moduli, and of all three */

CASE_CONTEXT(context)

/* ---- Against GMP ----------------------------------------------------------------------------- */

/* A^k by squaring. */
static integer_matrix power_of(const integer_matrix *a, uint64_t k)
{
    integer_matrix power = integer_matrix_zero(a->n);
    for (uint64_t i = 0; i < a->n; i++)
        mpz_set_ui(power.entry[i * a->n + i], 1);
    for (int bit = 63; bit >= 0; bit--) {
        for (int step = 0; step < 2; step++) {
            if (step ? !(k >> bit & 1) : k >> bit < 2)
                continue;
            integer_matrix next = oracle_product(&power, step ? a : &power);
            integer_matrix_free(&power);
            power = next;
        }
    }
    return power;
}

/* Row u of A^k by k products of a vector with the edges; directed or not, each edge given once. */
static void row_of(const edge_set *edges, uint64_t u, uint64_t k, mpz_t *row)
{
    mpz_t *next = calloc(edges->n, sizeof *next);
    CU_ASSERT_PTR_NOT_NULL_FATAL(next);
    for (uint64_t v = 0; v < edges->n; v++) {
        mpz_init(next[v]);
        mpz_set_ui(row[v], v == u);
    }
    for (uint64_t l = 0; l < k; l++) {
        for (uint64_t e = 0; e < edges->n_edges; e++) {
            uint64_t from = edges->from[e], to = edges->to[e];
            mpz_addmul_ui(next[to], row[from], edges->weight[e]);
            if (!edges->directed && from != to)
                mpz_addmul_ui(next[from], row[to], edges->weight[e]);
        }
        for (uint64_t v = 0; v < edges->n; v++) {
            mpz_swap(row[v], next[v]);
            mpz_set_ui(next[v], 0);
        }
    }
    for (uint64_t v = 0; v < edges->n; v++)
        mpz_clear(next[v]);
    free(next);
}

typedef struct expectation {
    const integer_matrix *power; /* its rows first, first + 1, ... are known */
    uint64_t n_rows, n_wrong;
} expectation;

static pc_status compare(void *user, uint64_t length, const pc_rows *rows)
{
    expectation *x = user;
    OWNED(mpz_t) got;
    mpz_init(got);
    (void)length;
    for (uint64_t e = 0; e < rows->n_rows * rows->n_columns; e++) {
        mpz_import(got, rows->n_limbs, -1, 8, 0, 0, rows->limbs + e * rows->n_limbs);
        x->n_wrong += mpz_cmp(got, x->power->entry[rows->first_row * rows->n_columns + e]) != 0;
    }
    x->n_rows += rows->n_rows;
    return PC_OK;
}

/* Counts the whole matrix; its plan must have at least so many bits. */
static void check_power(const edge_set *edges, uint64_t k, pc_method method, double least_bits,
                        const integer_matrix *power)
{
    OWNED(pc_graph) *graph = new_graph(context, edges);
    expectation x = {.power = power};
    pc_query query = {.kind = PC_QUERY_MATRIX, .length = k};
    pc_count_options options = {.method = method};
    MUST(pc_query_run(context, graph, &query, &options, compare, &x));
    CU_ASSERT_TRUE(pc_plan_last(context)->bound_bits > least_bits);
    CU_ASSERT_EQUAL(pc_plan_last(context)->method, method);
    CU_ASSERT_EQUAL(x.n_rows, edges->n);
    CU_ASSERT_EQUAL(x.n_wrong, 0);
}

static void make_weights(random_source *source, edge_set *edges, uint64_t least, uint64_t range)
{
    for (uint64_t e = 0; e < edges->n_edges; e++)
        edges->weight[e] = least + random_below(source, range);
}

/* Every third graph has weights of one bit or two, and so more levels. */
TEST("random graphs, squared from A and from swept rows")
{
    random_source source = {41};
    for (int i = 0; i < 12; i++) {
        OWNED(edge_set) edges = edge_set_density(&source, 2 + random_below(&source, 8), 700, i % 2);
        bool is_light = i % 3 == 0;
        edges.multigraph = true;
        edge_set_add(&edges, 0, 0, 1); /* there is a cycle */
        make_weights(&source, &edges, is_light ? 2 : UINT64_C(1) << 20, is_light ? 2 : 1000000);
        uint64_t k =
            is_light ? 13000 + random_below(&source, 12000) : 650 + random_below(&source, 3000);
        integer_matrix a = oracle_adjacency(&edges), power = power_of(&a, k);
        MUST(pc_context_set_threads(context, 1 + i % 3));
        check_power(&edges, k, PC_METHOD_DENSE, WIDE_BITS, &power);
        check_power(&edges, k, PC_METHOD_HYBRID, WIDE_BITS, &power);
        integer_matrix_free(&a);
        integer_matrix_free(&power);
    }
}

/* More than one chunk of columns, the last one not whole: extension and conversion mirror by chunks. */
TEST("several chunks of columns, by each kernel")
{
    random_source source = {42};
    for (int directed = 0; directed < 2; directed++) {
        OWNED(edge_set) edges = edge_set_preferential(&source, 75, 2);
        edges.directed = directed;
        edges.multigraph = true;
        make_weights(&source, &edges, UINT64_C(1) << 60, UINT64_C(1) << 59);
        for (uint64_t v = 0; directed && v < edges.n; v++)
            edge_set_add(&edges, v, (v + 1) % edges.n, UINT64_C(1) << 60);
        integer_matrix power = integer_matrix_zero(edges.n);
        for (uint64_t u = 0; u < edges.n; u++)
            row_of(&edges, u, 205, power.entry + u * edges.n);
        for (int k = 0; kernel_names[k]; k++) {
            if (!kernel_is_available(kernel_names[k]))
                continue;
            force_kernel(kernel_names[k]);
            check_power(&edges, 205, PC_METHOD_DENSE, WIDE_BITS, &power);
        }
        force_kernel(NULL);
        integer_matrix_free(&power);
    }
}

/* ---- Where classes end ----------------------------------------------------------------------- */

/* 2^k, by one vertex with a loop of weight 2: the limit is exact. */
TEST("widths around the ends of the classes of moduli")
{
    static const uint64_t widths[] = {WIDE_BITS, MOST_BITS};
    for (int w = 0; w < 2; w++)
        for (uint64_t k = widths[w] - 2; k < widths[w] + 3; k++) {
            OWNED(edge_set) edges = edge_set_constant(1, 2);
            OWNED(pc_graph) *graph = new_graph(context, &edges);
            integer_matrix power = integer_matrix_zero(1);
            mpz_ui_pow_ui(power.entry[0], 2, k);
            expectation x = {.power = &power};
            pc_query query = {.kind = PC_QUERY_MATRIX, .length = k};
            pc_count_options options = {.method = PC_METHOD_DENSE};
            pc_status status = pc_query_run(context, graph, &query, &options, compare, &x);
            if (k > MOST_BITS) {
                CU_ASSERT_TRUE(is_refused(context, status, PC_ERR_RANGE, "wider than 93696 bits"));
            } else {
                CU_ASSERT_EQUAL(status, PC_OK);
                CU_ASSERT_EQUAL(x.n_rows, 1);
            }
            CU_ASSERT_EQUAL(x.n_wrong, 0);
            integer_matrix_free(&power);
        }
}

TEST("what is wider still is made another way")
{
    OWNED(edge_set) edges = edge_set_constant(3, 1);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    integer_matrix power = integer_matrix_zero(3);
    for (int e = 0; e < 9; e++)
        mpz_ui_pow_ui(power.entry[e], 3, 60000 - 1); /* 95,098 bits */
    expectation x = {.power = &power};
    pc_query query = {.kind = PC_QUERY_MATRIX, .length = 60000};
    MUST(pc_query_run(context, graph, &query, NULL, compare, &x));
    CU_ASSERT_EQUAL(x.n_rows, 3);
    CU_ASSERT_EQUAL(x.n_wrong, 0);
    CU_ASSERT_NOT_EQUAL(pc_plan_last(context)->method, PC_METHOD_DENSE);
    integer_matrix_free(&power);
}

/* ---- Between blocks, without memory ------------------------------------------------- */

/* The sums of blocks of consecutive vertices, as products of two of them. */
TEST("between blocks")
{
    enum { N = 70, SIZE = 9, N_BLOCKS = (N + SIZE - 1) / SIZE };
    random_source source = {43};
    for (int directed = 0; directed < 2; directed++) {
        OWNED(edge_set) edges = edge_set_density(&source, N, 60, directed);
        make_weights(&source, &edges, UINT64_C(1) << 58, UINT64_C(1) << 58);
        OWNED(pc_graph) *graph = new_graph(context, &edges);
        uint64_t k = 209 + (uint64_t)directed, *block_of = calloc(N, sizeof *block_of);
        CU_ASSERT_PTR_NOT_NULL_FATAL(block_of);
        integer_matrix power = integer_matrix_zero(N), sums = integer_matrix_zero(N_BLOCKS);
        for (uint64_t u = 0; u < N; u++) {
            row_of(&edges, u, k, power.entry + u * N);
            block_of[u] = u / SIZE;
            for (uint64_t v = 0; v < N; v++) {
                mpz_t *sum = &sums.entry[u / SIZE * N_BLOCKS + v / SIZE];
                mpz_add(*sum, *sum, power.entry[u * N + v]);
            }
        }
        OWNED(pc_partition) *partition = NULL;
        MUST(pc_partition_from_arrays(context, graph, N_BLOCKS, block_of, NULL, &partition));
        expectation x = {.power = &sums};
        pc_query query = {.kind = PC_QUERY_MATRIX, .length = k, .partition = partition};
        pc_count_options options = {.method = PC_METHOD_DENSE};
        MUST(pc_query_run(context, graph, &query, &options, compare, &x));
        CU_ASSERT_TRUE(pc_plan_last(context)->bound_bits > WIDE_BITS);
        CU_ASSERT_EQUAL(x.n_rows, N_BLOCKS);
        CU_ASSERT_EQUAL(x.n_wrong, 0);
        integer_matrix_free(&power);
        integer_matrix_free(&sums);
        free(block_of);
    }
}

TEST("a limit of memory is named")
{
    random_source source = {45};
    OWNED(edge_set) edges = edge_set_preferential(&source, 200, 4);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    pc_query query = {.kind = PC_QUERY_MATRIX, .length = 8000};
    pc_count_options options = {.method = PC_METHOD_DENSE};
    pc_context_set_memory_limit(context, 64 << 20);
    expectation x = {0};
    pc_status status = pc_query_run(context, graph, &query, &options, compare, &x);
    CU_ASSERT_TRUE(is_refused(context, status, PC_ERR_MEMORY, "memory"));
    CU_ASSERT_EQUAL(x.n_rows, 0);
    pc_context_set_memory_limit(context, 0);
}

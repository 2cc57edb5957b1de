/* Exact counts, entry for entry: matrices with a closed form, and widths from one bit to the widest there is. */
#include "tests/support/fixture.h"

/* ---- Matrices with a closed form ------------------------------------------------------------- */

static edge_set one_loop(uint64_t weight)
{
    edge_set edges = edge_set_empty(1, true);
    edge_set_add(&edges, 0, 0, weight);
    return edges;
}

/* The one count is weight^k: the proved bound is met exactly, at every width in turn. */
TEST("powers of one number")
{
    static const uint64_t weights[] = {1, 2, 3, 127, 128, UINT64_MAX};
    OWNED(pc_context) *context = new_context(1);
    OWNED(integer_matrix) expected = integer_matrix_zero(1);
    for (size_t w = 0; w < sizeof weights / sizeof *weights; w++) {
        OWNED(edge_set) edges = one_loop(weights[w]);
        OWNED(pc_graph) *graph = new_graph(context, &edges);
        uint64_t bits = 64 - (uint64_t)__builtin_clzll(weights[w]);
        for (uint64_t k = 0; k <= 400 && k * bits <= 10000; k++) {
            OWNED(pc_counts) *counts = new_counts(context, graph, k);
            mpz_ui_pow_ui(expected.entry[0], weights[w], k);
            CU_ASSERT_EQUAL_FATAL(n_wrong_counts(counts, &expected), 0);
        }
    }
}

/* A loop at the only vertex: 1 path of each length, or 2^k. A multigraph has the loop three times. */
TEST("loops that count twice")
{
    OWNED(integer_matrix) expected = integer_matrix_zero(1);
    for (uint64_t k = 0; k <= 130; k++) {
        OWNED(edge_set) edges = edge_set_empty(1, false);
        edge_set_add(&edges, 0, 0, 1);
        mpz_set_ui(expected.entry[0], 1);
        check_count(&edges, k, 1, &expected);
        edges.loops_twice = true;
        mpz_ui_pow_ui(expected.entry[0], 2, k);
        check_count(&edges, k, 1, &expected);
        edge_set_add(&edges, 0, 0, 1);
        edge_set_add(&edges, 0, 0, 1);
        check_count(&edges, k, 1, &expected);
        edges.multigraph = true;
        mpz_ui_pow_ui(expected.entry[0], 6, k);
        check_count(&edges, k, 1, &expected);
    }
}

/* The count of the only pair of a graph 0 -> 1 -> 2 (weights a, b) and 0 -> 3 -> 2 (c, d). */
static void check_two_ways(uint64_t a, uint64_t b, uint64_t c, uint64_t d, const char *expected)
{
    OWNED(edge_set) edges = edge_set_empty(4, true);
    edge_set_add(&edges, 0, 1, a);
    edge_set_add(&edges, 1, 2, b);
    edge_set_add(&edges, 0, 3, c);
    edge_set_add(&edges, 3, 2, d);
    OWNED(integer_matrix) counts = integer_matrix_zero(4);
    CU_ASSERT_EQUAL_FATAL(mpz_set_str(counts.entry[2], expected, 10), 0);
    check_count(&edges, 2, 0, &counts);
}

/* Counts at the edges of words and digits. */
TEST("edges of words")
{
    const uint64_t half = UINT64_C(1) << 63, most = UINT64_MAX;
    check_two_ways(1, 126, 1, 1, "127");
    check_two_ways(1, 127, 1, 1, "128");
    check_two_ways(1, 254, 1, 1, "255");
    check_two_ways(1, 255, 1, 1, "256");
    check_two_ways(1, half - 1, 1, 1, "9223372036854775808");
    check_two_ways(1, most, 0, 1, "18446744073709551615");
    check_two_ways(1, most, 1, 1, "18446744073709551616");
    check_two_ways(half, half, half, half - 1, "170141183460469231722463931679029329920");
    check_two_ways(half, half, half, half, "170141183460469231731687303715884105728");
    check_two_ways(most, most, most, 2, "340282366920938463463374607431768211455");
    check_two_ways(most, most, most, 3, "340282366920938463481821351505477763070");
    check_two_ways(most, most, most, most, "680564733841876926852962238568698216450");
}

/* Arcs i -> i and i -> i + 1: entry (i, j) is the binomial coefficient k over j - i. */
TEST("Pascal's triangle")
{
    enum { N = 70 };
    static const uint64_t lengths[] = {1, 7, 8, 63, 64, 65, 100, 340, 345, 400};
    OWNED(edge_set) edges = edge_set_empty(N, true);
    for (uint64_t i = 0; i < N; i++) {
        edge_set_add(&edges, i, i, 1);
        if (i + 1 < N)
            edge_set_add(&edges, i, i + 1, 1);
    }
    OWNED(integer_matrix) expected = integer_matrix_zero(N);
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
        for (uint64_t i = 0; i < N; i++)
            for (uint64_t j = i; j < N; j++)
                mpz_bin_uiui(expected.entry[i * N + j], lengths[l], j - i);
        check_count(&edges, lengths[l], 0, &expected);
    }
}

/* 0 -> 0, 0 -> 1, 1 -> 0: the Fibonacci numbers, up to almost the widest counts. */
TEST("Fibonacci numbers")
{
    static const uint64_t lengths[] = {2, 10, 93, 94, 187, 490, 495, 500, 1000, 4095, 4096, 15000};
    OWNED(edge_set) edges = edge_set_empty(2, true);
    edge_set_add(&edges, 0, 0, 1);
    edge_set_add(&edges, 0, 1, 1);
    edge_set_add(&edges, 1, 0, 1);
    OWNED(integer_matrix) expected = integer_matrix_zero(2);
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
        mpz_fib2_ui(expected.entry[0], expected.entry[1], lengths[l] + 1);
        mpz_set(expected.entry[2], expected.entry[1]);
        mpz_sub(expected.entry[3], expected.entry[0], expected.entry[1]);
        check_count(&edges, lengths[l], 0, &expected);
    }
}

/* A cycle of 7: counts stay 0 and 1, whatever the length. */
TEST("cycle at great length")
{
    enum { N = 7 };
    static const uint64_t lengths[] = {7, 1000, 99999, 100000};
    OWNED(edge_set) edges = edge_set_empty(N, true);
    for (uint64_t v = 0; v < N; v++)
        edge_set_add(&edges, v, (v + 1) % N, 1);
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
        OWNED(integer_matrix) expected = integer_matrix_zero(N);
        for (uint64_t v = 0; v < N; v++)
            mpz_set_ui(expected.entry[v * N + (v + lengths[l]) % N], 1);
        check_count(&edges, lengths[l], 0, &expected);
    }
}

/* Every vertex to all greater ones: nothing is left at length n, however heavy the arcs. */
TEST("acyclic graph runs out")
{
    enum { N = 20 };
    OWNED(edge_set) edges = edge_set_empty(N, true);
    for (uint64_t i = 0; i < N; i++)
        for (uint64_t j = i + 1; j < N; j++)
            edge_set_add(&edges, i, j, UINT64_MAX - i);
    for (uint64_t k = N - 3; k <= N + 1; k++)
        check_against_oracle(&edges, k);
    OWNED(integer_matrix) zero = integer_matrix_zero(N);
    check_count(&edges, 100000, 0, &zero);
}

/* ---- Widths ---------------------------------------------------------------------------------- */

/* On every kernel there is. */
static void check_on_every_kernel(const edge_set *edges, uint64_t k)
{
    OWNED(integer_matrix) expected = oracle_count(edges, k);
    for (const char *const *kernel = kernel_names; *kernel != NULL; kernel++)
        if (kernel_is_available(*kernel))
            check_count(edges, k, 0, &expected);
    force_kernel(NULL);
}

TEST("random graph, length 64")
{
    random_source source = {4};
    edge_set edges = edge_set_density(&source, 187, 170, false); /* degree 32, 314 bits and more */
    check_on_every_kernel(&edges, 64);
    edge_set_free(&edges);
}

/* Past what the 8-bit moduli carry: every entry close to 2^64. */
TEST("heavy graph")
{
    random_source source = {5};
    OWNED(edge_set) edges = edge_set_density(&source, 67, 900, true);
    for (uint64_t e = 0; e < edges.n_edges; e++)
        edges.weight[e] = UINT64_MAX - random_below(&source, 1000);
    for (uint64_t k = 5; k <= 12; k++) /* 350 to 840 bits */
        check_on_every_kernel(&edges, k);
}

/* The greatest length for which the graph can be squared. */
static uint64_t greatest_length(pc_context *context, const pc_graph *graph)
{
    const pc_count_options dense = {.method = PC_METHOD_DENSE};
    uint64_t accepted = 1, refused = 3000;
    pc_plan_info plan;
    while (refused - accepted > 1) {
        uint64_t k = (accepted + refused) / 2;
        pc_status status = plan_matrix(context, graph, k, &dense, 1, &plan);
        CU_ASSERT_TRUE_FATAL(status == PC_OK || status == PC_ERR_RANGE);
        *(status == PC_OK ? &accepted : &refused) = k;
    }
    return accepted;
}

/* At the widest that products make, and one step further, where only sweeps are left. */
TEST("widest products")
{
    random_source source = {6};
    OWNED(edge_set) edges = edge_set_constant(3, 1);
    for (uint64_t e = 0; e < edges.n_edges; e++)
        edges.weight[e] = UINT64_MAX - random_below(&source, 1000);
    OWNED(pc_context) *context = new_context(0);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    uint64_t k = greatest_length(context, graph);
    CU_ASSERT_TRUE(k * 66 > 93600); /* 93,696 bits */
    check_on_every_kernel(&edges, k);
    OWNED(pc_counts) *counts = NULL;
    OWNED(integer_matrix) expected = oracle_count(&edges, k + 1);
    pc_count_options dense = {.method = PC_METHOD_DENSE};
    CU_ASSERT(is_refused(context, pc_count(context, graph, k + 1, &dense, &counts), PC_ERR_RANGE,
                         "--method sweep"));
    CU_ASSERT_PTR_NULL(counts);
    MUST(pc_count(context, graph, k + 1, NULL, &counts));
    CU_ASSERT_EQUAL(n_wrong_counts(counts, &expected), 0);
}

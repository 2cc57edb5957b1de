/* Counts modulo M against the schoolbook oracle modulo M, and counts in doubles against exact ones
 * and against long doubles, at lengths up to 10^18. */
#include "tests/support/fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Modulo M -------------------------------------------------------------------------------- */

static const uint64_t moduli[] = {
    2,
    3,
    255,
    256,
    257,
    (UINT64_C(1) << 31) - 1,
    UINT64_C(1) << 32,
    1000000007,
    (UINT64_C(1) << 61) - 1,
    (UINT64_C(1) << 62) + 1,
    (UINT64_C(1) << 63) - 25,
    (UINT64_C(1) << 63) - 1,
};
enum { N_MODULI = sizeof moduli / sizeof *moduli };

static void check_modular(const edge_set *edges, uint64_t k, uint64_t modulus)
{
    OWNED(integer_matrix) a = oracle_adjacency(edges);
    OWNED(uint64_t) *expected = oracle_power_modular(&a, k, modulus);
    pc_count_options options = {.arithmetic = PC_MODULAR, .modulus = modulus};
    OWNED(pc_context) *context = new_context(0);
    OWNED(pc_graph) *graph = new_graph(context, edges);
    OWNED(pc_counts) *counts = NULL;
    pc_status status = pc_count(context, graph, k, &options, &counts);
    if (status != PC_OK)
        print_message(context);
    MUST(status);
    if (n_wrong_words(counts, expected, edges->n) != 0) {
        printf("    n %llu, length %llu, modulus %llu\n", (unsigned long long)edges->n,
               (unsigned long long)k, (unsigned long long)modulus);
        CU_FAIL("wrong count modulo M");
    }
}

static edge_set random_small_graph(random_source *source)
{
    edge_set edges = edge_set_any_simple(source, 1 + random_below(source, 20));
    return edges;
}

TEST("modulo M, small and great lengths")
{
    static const uint64_t lengths[] = {UINT64_C(1000000000000000000),
                                       UINT64_C(1) << 59,
                                       (UINT64_C(1) << 59) - 1,
                                       UINT64_MAX,
                                       0,
                                       1,
                                       2,
                                       7,
                                       19};
    random_source source = {101};
    for (int round = 0; round < 18; round++) {
        OWNED(edge_set) edges = random_small_graph(&source);
        for (int m = 0; m < N_MODULI; m++)
            check_modular(&edges, lengths[(round + m) % 9], moduli[m]);
    }
}

/* Each squaring of a plan tells how many products it takes; the whole takes longer than all levels. */
TEST("levels of a plan")
{
    static const pc_arithmetic kinds[] = {PC_EXACT, PC_MODULAR};
    OWNED(edge_set) edges = edge_set_constant(200, 3);
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    for (int a = 0; a < 2; a++) {
        pc_count_options options = {
            .arithmetic = kinds[a], .modulus = a ? 1000003 : 0, .method = PC_METHOD_DENSE};
        pc_plan_info plan;
        MUST(plan_matrix(context, graph, 16, &options, 1, &plan));
        CU_ASSERT_EQUAL(plan.n_levels, 5);
        double seconds = 0;
        for (uint32_t l = 0; l < plan.n_levels; l++) {
            CU_ASSERT(l == 0 || plan.levels[l].n_products > 0);
            CU_ASSERT(plan.levels[l].predicted_seconds > 0);
            seconds += plan.levels[l].predicted_seconds;
        }
        CU_ASSERT(plan.predicted_seconds > seconds);
    }
}

TEST("modulo random M")
{
    random_source source = {102};
    for (int round = 0; round < 300; round++) {
        OWNED(edge_set) edges = random_small_graph(&source);
        uint64_t modulus = random_u64(&source) >> (1 + random_below(&source, 61));
        check_modular(&edges, random_u64(&source) >> random_below(&source, 64),
                      modulus < 2 ? 2 : modulus);
    }
}

/* Larger than a tile, on each kernel: every residue of the widest modulus turns up. */
TEST("modulo M, every kernel")
{
    random_source source = {103};
    OWNED(edge_set) edges = edge_set_density(&source, 131, 400, true);
    for (const char *const *kernel = kernel_names; *kernel != NULL; kernel++)
        if (kernel_is_available(*kernel)) {
            check_modular(&edges, 1000003, (UINT64_C(1) << 63) - 25);
            check_modular(&edges, 7, 256);
        }
}

/* ---- Doubles --------------------------------------------------------------------------------- */

static pc_counts *new_float_counts(pc_context *context, const pc_graph *graph, uint64_t k)
{
    pc_count_options options = {.arithmetic = PC_FLOAT};
    pc_counts *counts = NULL;
    pc_status status = pc_count(context, graph, k, &options, &counts);
    if (status != PC_OK)
        print_message(context);
    MUST(status);
    return counts;
}

/* What k products of n-term sums of doubles may be off by, relatively: no term is negative, so
 * each addition and multiplication adds at most 2^-53; twice that is allowed. */
static double tolerance(uint64_t n, uint64_t k)
{
    return ldexp((double)(k + 1) * (double)(n + 2), -52);
}

/* Whether value * 2^exponent is expected, to a relative error. */
static bool is_close(double value, int64_t exponent, const mpz_t expected, double error)
{
    long int expected_exponent;
    double mantissa = mpz_get_d_2exp(&expected_exponent, expected);
    if (mantissa == 0 || value == 0)
        return mantissa == 0 && value == 0;
    double got = ldexp(value, (int)(exponent - expected_exponent)); /* close to mantissa */
    return isfinite(value) && fabs(got - mantissa) <= error * mantissa + ldexp(1, -52);
}

static void check_float_against_exact(const edge_set *edges, uint64_t k)
{
    OWNED(integer_matrix) expected = oracle_count(edges, k);
    OWNED(pc_context) *context = new_context(0);
    OWNED(pc_graph) *graph = new_graph(context, edges);
    OWNED(pc_counts) *counts = new_float_counts(context, graph, k);
    pc_rows rows;
    uint64_t n = edges->n, n_wrong = 0;
    pc_counts_rows(counts, &rows);
    CU_ASSERT_TRUE_FATAL(rows.values != NULL && rows.limbs == NULL && rows.n_limbs == 0);
    CU_ASSERT_TRUE_FATAL(rows.n_rows == n && rows.n_columns == n);
    for (uint64_t e = 0; e < n * n; e++)
        n_wrong += !is_close(rows.values[e], rows.exponent, expected.entry[e], tolerance(n, k));
    if (n_wrong != 0)
        printf("\n    n %llu, length %llu: %llu entries\n", (unsigned long long)n,
               (unsigned long long)k, (unsigned long long)n_wrong);
    CU_ASSERT_EQUAL(n_wrong, 0);
}

/* Weights capped so that every power up to A^k stays below 2^900: no entry may underflow. */
TEST("doubles against exact counts")
{
    random_source source = {110};
    for (int round = 0; round < 500; round++) {
        OWNED(edge_set) edges = random_small_graph(&source);
        uint64_t k = random_below(&source, 41);
        uint64_t most_bits = 900 / (k + 1) - 6;
        for (uint64_t e = 0; e < edges.n_edges && most_bits < 64; e++)
            edges.weight[e] &= (UINT64_C(1) << most_bits) - 1;
        check_float_against_exact(&edges, k);
    }
}

/* Thousands of bits, every entry about as large as every other. */
TEST("doubles of wide counts")
{
    random_source source = {111};
    for (uint64_t n = 1; n <= 40; n += 13) {
        OWNED(edge_set) edges = edge_set_constant(n, 1);
        for (uint64_t e = 0; e < edges.n_edges; e++)
            edges.weight[e] = UINT64_MAX - random_below(&source, UINT64_C(1) << 62);
        for (uint64_t k = 1; k <= 151; k += 30)
            check_float_against_exact(&edges, k);
    }
}

/* Larger than a tile, directed and not. */
TEST("doubles of larger graphs")
{
    random_source source = {112};
    for (int directed = 0; directed < 2; directed++) {
        OWNED(edge_set) edges = edge_set_density(&source, 131, 300, directed);
        check_float_against_exact(&edges, 8);
        check_float_against_exact(&edges, 13);
    }
}

static uint64_t n_far_from(const pc_rows *rows, const scaled *expected, double error)
{
    uint64_t n_wrong = 0;
    for (uint64_t e = 0; e < rows->n_rows * rows->n_columns; e++) {
        int64_t shift = rows->exponent - expected[e].exponent;
        long double got = ldexpl(rows->values[e], (int)shift);
        bool close = isfinite(rows->values[e]) &&
                     fabsl(got - expected[e].mantissa) <= error * expected[e].mantissa;
        n_wrong += !close;
    }
    return n_wrong;
}

/* Lengths at which any fixed exponent would overflow. */
TEST("doubles at great lengths")
{
    static const uint64_t lengths[] = {1000, 99999, 1000000, 123456789};
    random_source source = {113};
    for (int round = 0; round < 8; round++) {
        uint64_t k = lengths[round % 4], n = 2 + random_below(&source, 8);
        OWNED(edge_set) edges = edge_set_constant(n, 1);
        for (uint64_t e = 0; e < edges.n_edges; e++)
            edges.weight[e] = 1 + random_below(&source, 1000);
        OWNED(integer_matrix) a = oracle_adjacency(&edges);
        OWNED(scaled) *expected = oracle_power_scaled(&a, k);
        OWNED(pc_context) *context = new_context(0);
        OWNED(pc_graph) *graph = new_graph(context, &edges);
        OWNED(pc_counts) *counts = new_float_counts(context, graph, k);
        pc_rows rows;
        pc_counts_rows(counts, &rows);
        CU_ASSERT_EQUAL(n_far_from(&rows, expected, tolerance(n, k)), 0);
    }
}

/* A = 4 x 4 ones: every count is 2^(2k-2), which a double and an exponent hold exactly. */
TEST("doubles that are powers of two")
{
    static const uint64_t lengths[] = {1, 2, 3, 512, 1000001, UINT64_C(1000000000000000000)};
    OWNED(edge_set) edges = edge_set_constant(4, 1);
    OWNED(pc_context) *context = new_context(0);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
        OWNED(pc_counts) *counts = new_float_counts(context, graph, lengths[l]);
        pc_rows rows;
        pc_counts_rows(counts, &rows);
        for (int e = 0; e < 16; e++) {
            int shift;
            CU_ASSERT_EQUAL(frexp(rows.values[e], &shift), 0.5);
            CU_ASSERT_EQUAL(rows.exponent + shift - 1, (int64_t)(2 * lengths[l] - 2));
        }
    }
}

/* 2^(2k-2) with an exponent beyond 64 bits has no representation; it must not become another. */
TEST("exponent out of range")
{
    OWNED(edge_set) edges = edge_set_constant(4, 1);
    pc_count_options options = {.arithmetic = PC_FLOAT};
    OWNED(pc_context) *context = new_context(0);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    pc_counts *counts = NULL;
    CU_ASSERT_EQUAL(pc_count(context, graph, UINT64_MAX, &options, &counts), PC_ERR_RANGE);
    CU_ASSERT_PTR_NULL(counts);
}

/* A chain of 33 heavy arcs beside one loop: on the way to length 64 the chain's counts dwarf the
 * loop's, at length 64 they are gone and the loop's 1 is all there is. Right or refused, not 0. */
TEST("small count outlives large ones")
{
    enum { CHAIN = 33 };
    OWNED(edge_set) edges = edge_set_empty(CHAIN + 2, true);
    for (uint64_t v = 0; v < CHAIN; v++)
        edge_set_add(&edges, v, v + 1, UINT64_C(1) << 63);
    edge_set_add(&edges, CHAIN + 1, CHAIN + 1, 1);
    pc_count_options options = {.arithmetic = PC_FLOAT};
    OWNED(pc_context) *context = new_context(0);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    OWNED(pc_counts) *counts = NULL;
    double loop = 0;
    pc_status status = pc_count(context, graph, 64, &options, &counts);
    if (status == PC_OK)
        CU_ASSERT_EQUAL(counts_double(counts, CHAIN + 1, CHAIN + 1, &loop), PC_OK);
    CU_ASSERT_TRUE(loop == 1 || status == PC_ERR_RANGE);
}

/* Loops whose counts are 2^600 and 2^400: rows that were computed with exponents of their own have one. */
TEST("doubles of rows of different size")
{
    static const pc_method methods[] = {PC_METHOD_DENSE, PC_METHOD_SWEEP};
    OWNED(pc_context) *context = new_context(0);
    for (int largest = 0; largest < 3; largest++)
        for (int m = 0; m < 2; m++) {
            OWNED(edge_set) edges = edge_set_empty(3, true);
            for (int v = 0; v < 3; v++)
                edge_set_add(&edges, v, v, UINT64_C(1) << (v == largest ? 60 : 40));
            pc_count_options options = {.arithmetic = PC_FLOAT, .method = methods[m]};
            OWNED(pc_graph) *graph = new_graph(context, &edges);
            OWNED(pc_counts) *counts = NULL;
            MUST(pc_count(context, graph, 10, &options, &counts));
            for (int v = 0; v < 3; v++) {
                double value = 0;
                CU_ASSERT_EQUAL(counts_double(counts, v, v, &value), PC_OK);
                CU_ASSERT_EQUAL(value, v == largest ? 0x1p600 : 0x1p400);
            }
        }
}

TEST("accessors of doubles")
{
    OWNED(edge_set) edges = edge_set_constant(2, 1);
    OWNED(pc_context) *context = new_context(0);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    pc_counts *counts = new_float_counts(context, graph, 11);
    uint64_t word = 77;
    double value = 0;
    CU_ASSERT_EQUAL(counts_double(counts, 1, 1, &value), PC_OK);
    CU_ASSERT_EQUAL(value, 1024);
    CU_ASSERT_EQUAL(pc_counts_u64(counts, 1, 1, &word), PC_ERR_RANGE);
    CU_ASSERT_EQUAL(word, 77);
    pc_counts_free(counts);
    counts = new_float_counts(context, graph, 5000);
    CU_ASSERT_EQUAL(counts_double(counts, 0, 1, &value), PC_OK);
    CU_ASSERT_TRUE(isinf(value) && value > 0);
    pc_counts_free(counts);
}

/* ---- Cancelling ------------------------------------------------------------------------------ */

/* How often each stage asks; stop_stage NULL: nothing is stopped. */
typedef struct questions {
    int n_squares, n_steps, n_converts, n_certifies, n_all;
    const char *stop_stage; /* is stopped at its question number ... */
    int stop_at;
} questions;

static int ask(void *user, const char *stage, double fraction)
{
    questions *q = user;
    int *n = strcmp(stage, "square") == 0    ? &q->n_squares
             : strcmp(stage, "step") == 0    ? &q->n_steps
             : strcmp(stage, "convert") == 0 ? &q->n_converts
             : strcmp(stage, "certify") == 0 ? &q->n_certifies
                                             : &q->n_all;
    CU_ASSERT_TRUE(fraction >= 0 && fraction <= 1);
    ++*n;
    return q->stop_stage && strcmp(stage, q->stop_stage) == 0 && *n == q->stop_at;
}

enum { MANY_VERTICES = 400, ODD_LENGTH = 7 };

/* One thread, so that every question is asked by it. */
static pc_status count_and_ask(pc_arithmetic arithmetic, questions *q)
{
    random_source source = {77};
    OWNED(edge_set) edges = edge_set_density(&source, MANY_VERTICES, 500, false);
    pc_count_options options = {.arithmetic = arithmetic,
                                .method = PC_METHOD_DENSE,
                                .modulus = arithmetic == PC_MODULAR ? 1000003 : 0};
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    OWNED(pc_counts) *counts = NULL;
    pc_context_set_progress(context, ask, q);
    pc_status status = pc_count(context, graph, ODD_LENGTH, &options, &counts);
    return status;
}

/* Length 7 takes two squarings and two steps. A product of doubles asks while it is made, not only
 * before: once for at most 64 rows. */
TEST("a product of doubles asks")
{
    questions all = {0};
    CU_ASSERT_EQUAL(count_and_ask(PC_FLOAT, &all), PC_OK);
    CU_ASSERT_TRUE(all.n_squares >= 2 * (MANY_VERTICES / 64));
    CU_ASSERT_TRUE(all.n_steps >= 2 * (MANY_VERTICES / 64));
}

TEST("a product of doubles stops")
{
    questions square = {.stop_stage = "square", .stop_at = 2};
    questions step = {.stop_stage = "step", .stop_at = 2};
    CU_ASSERT_EQUAL(count_and_ask(PC_FLOAT, &square), PC_ERR_CANCELLED);
    CU_ASSERT_EQUAL(square.n_squares, 2); /* the rest of the product is not made */
    CU_ASSERT_EQUAL(count_and_ask(PC_FLOAT, &step), PC_ERR_CANCELLED);
    CU_ASSERT_EQUAL(step.n_steps, 2);
}

/* Every pass over a matrix asks at every 16th row, so the time between two questions does not grow as the matrix: of
 * length 7 that is the adjacency matrix, what is made of it before a squaring and after it, and two steps. */
TEST("passes over a matrix ask")
{
    questions modular = {0}, doubles = {0};
    CU_ASSERT_EQUAL(count_and_ask(PC_MODULAR, &modular), PC_OK);
    CU_ASSERT_TRUE(modular.n_converts >= (1 + 2 * 2) * MANY_VERTICES / 16);
    CU_ASSERT_TRUE(modular.n_steps >= 2 * MANY_VERTICES / 16);
    CU_ASSERT_TRUE(modular.n_certifies >= 2 * MANY_VERTICES / 16);
    CU_ASSERT_EQUAL(count_and_ask(PC_FLOAT, &doubles), PC_OK);
    CU_ASSERT_TRUE(doubles.n_converts >= (1 + 5) * MANY_VERTICES / 16);
}

TEST("passes over a matrix stop")
{
    static const char *const stages[] = {"convert", "step", "certify"};
    for (size_t s = 0; s < sizeof stages / sizeof *stages; s++)
        for (int at = 1; at < MANY_VERTICES; at = 2 * at + 1) {
            questions stop = {.stop_stage = stages[s], .stop_at = at};
            pc_status status = count_and_ask(PC_MODULAR, &stop);
            CU_ASSERT_EQUAL(status,
                            s > 0 && at > 2 * MANY_VERTICES / 16 ? status : PC_ERR_CANCELLED);
        }
}

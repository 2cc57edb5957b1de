/* Katz and subgraph centrality against sums of powers of GMP matrices in numbers of 4000 bits, and
 * their limits of what was cut off against sums that go much further. */
#include "tests/support/fixture.h"
#include "tests/support/failing_allocator.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PRECISION_BITS = 4000 };

/* ---- By definition --------------------------------------------------------------------------- */

/* Sums over the lengths 0..length, and over those up to `further`. */
typedef struct sums {
    uint64_t n;
    mpf_t *near, *far; /* [n] */
} sums;

static mpf_t *new_floats(uint64_t n)
{
    mpf_t *made = calloc(n + 1, sizeof *made);
    for (uint64_t v = 0; v < n; v++)
        mpf_init2(made[v], PRECISION_BITS);
    return made;
}

static void free_floats(uint64_t n, mpf_t *floats)
{
    for (uint64_t v = 0; v < n; v++)
        mpf_clear(floats[v]);
    free(floats);
}

static void sums_free(sums *s)
{
    free_floats(s->n, s->near);
    free_floats(s->n, s->far);
}
#define release_sums sums_free

/* Paths that end at v, or are closed there. */
static void count_at(const integer_matrix *power, uint64_t v, bool is_closed, mpf_t count)
{
    OWNED(mpz_t) sum;
    mpz_init(sum);
    for (uint64_t u = 0; u < power->n; u++)
        if (!is_closed || u == v)
            mpz_add(sum, sum, power->entry[u * power->n + v]);
    mpf_set_z(count, sum);
}

/* beta 0: subgraph centrality. */
static sums sums_of(const edge_set *edges, double beta, uint64_t length, uint64_t further)
{
    uint64_t n = edges->n;
    sums s = {n, new_floats(n), new_floats(n)};
    integer_matrix a = oracle_adjacency(edges), power = oracle_power(&a, 0);
    mpf_t factor, term, ratio;
    mpf_init2(factor, PRECISION_BITS);
    mpf_init2(term, PRECISION_BITS);
    mpf_init2(ratio, PRECISION_BITS);
    mpf_set_ui(factor, 1);
    mpf_set_d(ratio, beta);
    for (uint64_t l = 0; l <= further; l++) {
        for (uint64_t v = 0; v < n && (l > 0 || beta == 0); v++) {
            count_at(&power, v, beta == 0, term);
            mpf_mul(term, term, factor);
            mpf_add(s.far[v], s.far[v], term);
            if (l <= length)
                mpf_add(s.near[v], s.near[v], term);
        }
        if (beta > 0)
            mpf_mul(factor, factor, ratio);
        else
            mpf_div_ui(factor, factor, l + 1);
        integer_matrix next = oracle_product(&power, &a);
        integer_matrix_free(&power);
        power = next;
    }
    mpf_clears(factor, term, ratio, NULL);
    integer_matrix_free(&power);
    integer_matrix_free(&a);
    return s;
}

static pc_status centrality(pc_context *context, const pc_graph *graph, double beta,
                            uint64_t length, double *value, double *remainder)
{
    return beta > 0 ? katz(context, graph, beta, length, value, remainder)
                    : subgraph_centrality(context, graph, length, value, remainder);
}

/* Whether the value is the near sum up to rounding, and the far one no further off than it may be. */
static bool value_holds(const sums *s, uint64_t v, double error, double value, double remainder)
{
    mpf_t off, room;
    mpf_init2(off, PRECISION_BITS);
    mpf_init2(room, PRECISION_BITS);
    mpf_set_d(off, value);
    mpf_sub(off, off, s->near[v]);
    mpf_abs(off, off);
    mpf_set_d(room, error);
    mpf_mul(room, room, s->near[v]);
    bool holds = mpf_cmp(off, room) <= 0;
    if (isfinite(remainder)) {
        mpf_sub(off, s->far[v], s->near[v]);
        mpf_set_d(room, remainder);
        holds = holds && mpf_cmp(off, room) <= 0;
    }
    mpf_clears(off, room, NULL);
    return holds;
}

/* Returns the remainder, after asserting that all of it is right. */
static double check(const edge_set *edges, double beta, uint64_t length, uint64_t further)
{
    double remainder = -1, *value = calloc(edges->n + 1, sizeof *value);
    uint64_t n_wrong = 0;
    OWNED(sums) s = sums_of(edges, beta, length, further);
    OWNED(pc_context) *context = new_context(2);
    OWNED(pc_graph) *graph = new_graph(context, edges);
    pc_status status = centrality(context, graph, beta, length, value, &remainder);
    if (status != PC_OK)
        print_message(context);
    MUST(status);
    for (uint64_t v = 0; v < edges->n; v++)
        n_wrong += !value_holds(&s, v, pc_series_error(graph, length), value[v], remainder);
    if (n_wrong > 0)
        printf("\n    beta %g, length %d, n %d: remainder %g\n", beta, (int)length, (int)edges->n,
               remainder);
    CU_ASSERT_EQUAL(n_wrong, 0);
    CU_ASSERT_TRUE(remainder >= 0);
    free(value);
    return remainder;
}

/* ---- Graphs ---------------------------------------------------------------------------------- */

TEST("random graphs")
{
    static const double betas[] = {0, 0.001, 0.1, 0.3, 2};
    random_source source = {1};
    int n_finite = 0;
    for (int g = 0; g < 150; g++) {
        OWNED(edge_set) edges = edge_set_any_simple(&source, 1 + random_below(&source, 6));
        for (uint64_t e = 0; e < edges.n_edges; e++)
            edges.weight[e] = 1 + edges.weight[e] % (g % 3 ? 1 : 5);
        double beta = betas[g % 5];
        n_finite += isfinite(check(&edges, beta, random_below(&source, 20), 90));
    }
    CU_ASSERT_TRUE(n_finite > 60 && n_finite < 150);
}

/* Where every row of a power has the same sum, the limit is the sum of what is cut off. */
TEST("limits are tight")
{
    OWNED(edge_set) cycle = edge_set_empty(7, true), full = edge_set_constant(4, 1);
    for (uint64_t v = 0; v < cycle.n; v++)
        edge_set_add(&cycle, v, (v + 1) % cycle.n, 1);
    for (uint64_t length = 0; length < 20; length++) {
        double sum = pow(0.75, (double)length + 1) / 0.25;
        double katz = check(&cycle, 0.75, length, 80);
        CU_ASSERT_TRUE(katz >= sum && katz < sum * (1 + 1e-6));
        katz = check(&full, 0.75 / 4, length, 80);
        CU_ASSERT_TRUE(katz >= sum && katz < sum * (1 + 1e-6));
        double term = 1, tail = 0; /* of e^1 */
        for (uint64_t l = 1; l < length + 40; l++) {
            term /= (double)l;
            tail += l > length ? term : 0;
        }
        double subgraph = check(&cycle, 0, length, 60);
        CU_ASSERT_TRUE(subgraph >= tail * (1 - 1e-12) && subgraph < 1.2 * tail);
    }
}

/* Rows of a star sum to 24 at most, but its paths grow by a factor of 5 less one in 50 an arc. */
TEST("a star")
{
    OWNED(edge_set) edges = edge_set_empty(25, false);
    for (uint64_t v = 1; v < edges.n; v++)
        edge_set_add(&edges, 0, v, 1);
    CU_ASSERT_TRUE(isinf(check(&edges, 0.15, 1, 10)));
    CU_ASSERT_TRUE(isfinite(check(&edges, 0.15, 2, 80)));
    CU_ASSERT_TRUE(isfinite(check(&edges, 0.2, 9, 80)));
    CU_ASSERT_TRUE(isinf(check(&edges, 0.21, 9, 80))); /* diverges */
    CU_ASSERT_TRUE(check(&edges, 0, 40, 80) < 1e-18);
}

TEST("nothing left over")
{
    static const double betas[] = {0, 0.5, 1e9};
    OWNED(edge_set) none = edge_set_empty(0, false), lonely = edge_set_empty(3, true);
    OWNED(edge_set) line = edge_set_empty(4, true);
    for (uint64_t v = 0; v + 1 < line.n; v++)
        edge_set_add(&line, v, v + 1, 3);
    for (int b = 0; b < 3; b++)
        for (uint64_t length = 0; length < 6; length++) {
            CU_ASSERT_EQUAL(check(&none, betas[b], length, 3), 0);
            CU_ASSERT_EQUAL(check(&lonely, betas[b], length, 3), 0);
            double left = check(&line, betas[b], length, 6);
            CU_ASSERT_TRUE(length < 4 || left == 0);
            CU_ASSERT_TRUE(length > 2 || left > 0);
        }
}

/* Counts of two parts that differ by far more than the range of doubles, and factors as small. */
TEST("counts far apart")
{
    OWNED(edge_set) edges = edge_set_empty(22, false);
    for (uint64_t u = 0; u < 20; u++)
        for (uint64_t v = 0; v < u; v++)
            edge_set_add(&edges, u, v, 1);
    edge_set_add(&edges, 20, 21, 1);
    CU_ASSERT_TRUE(check(&edges, 0.05, 300, 300) < 1e-5);
    CU_ASSERT_TRUE(isfinite(check(&edges, 1e-300, 20, 20)));
    CU_ASSERT_TRUE(check(&edges, 0, 260, 260) < 1e-100);
    CU_ASSERT_TRUE(check(&edges, 0, 300, 300) > 0);
}

/* ---- Faults of memory ------------------------------------------------------------------------ */

enum { MOST_BLOCKS = 4 };

/* The first memory that a call takes: both sums of the values, and of the limits. */
typedef struct spoiler {
    size_t n_blocks, n_calls;
    void *block[MOST_BLOCKS];
    size_t spoiled, at_call; /* which of them is changed, and when */
} spoiler;

static void *allocate(void *user, size_t bytes)
{
    spoiler *s = user;
    void *memory = calloc(1, bytes);
    if (s->n_blocks < MOST_BLOCKS)
        s->block[s->n_blocks] = memory;
    s->n_blocks++;
    return memory;
}

static void release(void *user, void *memory)
{
    (void)user;
    free(memory);
}

/* The library keeps the address of a block before the aligned memory that it uses of it. */
static uint64_t *memory_in(void *block)
{
    void **at = block;
    while (*at != block)
        at++;
    return (uint64_t *)(at + 1);
}

/* Turns a bit of the mantissa of the second number. */
static int spoil(void *user, const char *stage, double fraction)
{
    spoiler *s = user;
    (void)stage, (void)fraction;
    if (s->n_calls++ == s->at_call)
        memory_in(s->block[s->spoiled])[1] ^= UINT64_C(1) << 20;
    return 0;
}

enum { SPOILED_N = 30, SPOILED_LENGTH = 12 };

/* The values, then the limit of what is left out. */
static pc_status sum_spoiled(const edge_set *edges, double beta, spoiler *s, double *values)
{
    OWNED(pc_context) *context = new_context(1);
    pc_context_set_allocator(context, (pc_allocator){allocate, release, s});
    OWNED(pc_graph) *graph = new_graph(context, edges);
    s->n_blocks = 0;
    pc_context_set_progress(context, spoil, s);
    return centrality(context, graph, beta, SPOILED_LENGTH, values, &values[SPOILED_N]);
}

/* A change may be too small for the sum, or come when the number is not needed any more. */
TEST("a sum that changes is not delivered")
{
    random_source source = {8};
    OWNED(edge_set) edges = edge_set_density(&source, SPOILED_N, 300, false);
    for (int b = 0; b < 2; b++) {
        double beta = b ? 0.01 : 0, right[SPOILED_N + 1], values[SPOILED_N + 1];
        spoiler none = {.at_call = SIZE_MAX};
        size_t n_found = 0;
        MUST(sum_spoiled(&edges, beta, &none, right));
        for (size_t call = 0; call < none.n_calls; call++)
            for (size_t block = 0; block < MOST_BLOCKS; block++) {
                spoiler s = {.spoiled = block, .at_call = call};
                pc_status status = sum_spoiled(&edges, beta, &s, values);
                n_found += status == PC_ERR_CERTIFY;
                CU_ASSERT(status == PC_ERR_CERTIFY ||
                          (status == PC_OK && memcmp(values, right, sizeof right) == 0));
            }
        CU_ASSERT(n_found > 4);
    }
}

/* ---- Refused, without memory, stopped -------------------------------------------------------- */

static void refuse(const edge_set *edges, double beta, uint64_t length, pc_status expected,
                   const char *words)
{
    double value[8] = {-1, -1}, remainder = -1;
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_graph) *graph = new_graph(context, edges);
    pc_status status = beta == 0.0 && length > 1000
                           ? subgraph_centrality(context, graph, length, value, &remainder)
                           : katz(context, graph, beta, length, value, &remainder);
    CU_ASSERT_EQUAL(status, expected);
    CU_ASSERT_TRUE(remainder == -1 && value[0] == -1 && value[1] == -1);
    CU_ASSERT(says(context, words));
}

TEST("refused")
{
    OWNED(edge_set) edges = edge_set_constant(3, 1);
    refuse(&edges, 0, 3, PC_ERR_ARGUMENT, "above 0");
    refuse(&edges, -0.5, 3, PC_ERR_ARGUMENT, "above 0");
    refuse(&edges, NAN, 3, PC_ERR_ARGUMENT, "above 0");
    refuse(&edges, INFINITY, 3, PC_ERR_ARGUMENT, "above 0");
    refuse(&edges, 1e200, 3, PC_ERR_RANGE, "largest double");
    refuse(&edges, 0.5, UINT64_MAX, PC_ERR_RANGE, "too long");
    refuse(&edges, 0, UINT64_MAX, PC_ERR_RANGE, "too long");
    refuse(&edges, 0.5, 20000, PC_ERR_RANGE, "largest double");
}

typedef struct job {
    const edge_set *edges;
    double beta;
} job;

static pc_status ask(pc_context *context, void *user)
{
    job *j = user;
    OWNED(pc_graph) *graph = NULL;
    double value[20], remainder;
    pc_status status = edge_set_load(context, j->edges, &graph);
    if (status == PC_OK)
        status = centrality(context, graph, j->beta, 4, value, &remainder);
    return status;
}

TEST("memory fails, cancelled")
{
    random_source source = {2};
    for (int directed = 0; directed < 2; directed++) {
        OWNED(edge_set) edges = edge_set_density(&source, 20, 200, directed);
        for (int is_katz = 0; is_katz < 2; is_katz++) {
            job j = {&edges, is_katz * 0.1};
            CU_ASSERT_TRUE(fail_each_allocation(ask, &j) > 10);
            CU_ASSERT_TRUE(cancel_at_each_question(ask, 2, &j) > 5);
        }
    }
}

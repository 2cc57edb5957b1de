/* Exact counts on each CPU kernel and with each number of threads, entry for entry: random small graphs
 * against the schoolbook oracle, and sizes around the edges of tiles. */
#include "tests/support/fixture.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int thread_counts[] = {1, 2, 4};
enum { N_THREAD_COUNTS = 3 };

/* ---- Random small graphs --------------------------------------------------------------------- */

enum { N_GRAPHS = 10000, N_WORKERS = 4, MAX_N = 24, MAX_K = 40 };

/* One random graph, a length, and the answer. */
typedef struct question {
    uint64_t seed;
    edge_set edges;
    uint64_t k;
    bool fits; /* every entry of A is below 2^64 */
    integer_matrix expected;
} question;

static question make_question(uint64_t seed)
{
    random_source source = {seed};
    question q = {.seed = seed, .fits = true};
    q.edges = edge_set_any(&source, 1 + random_below(&source, MAX_N));
    q.k = random_below(&source, MAX_K + 1);
    OWNED(integer_matrix) a = oracle_adjacency(&q.edges);
    for (uint64_t e = 0; e < a.n * a.n; e++)
        q.fits = q.fits && mpz_sizeinbase(a.entry[e], 2) <= 64;
    q.expected = oracle_power(&a, q.k);
    return q;
}

static void free_question(question *q)
{
    integer_matrix_free(&q->expected);
    edge_set_free(&q->edges);
}
#define release_question free_question

/* Whether the library answers right, with the kernel asked for. */
static bool answers(pc_context *context, const char *kernel, const question *q)
{
    pc_graph *graph = NULL;
    OWNED(pc_counts) *counts = NULL;
    pc_plan_info plan;
    pc_status status = edge_set_load(context, &q->edges, &graph);
    if (!q->fits) { /* multiplicities that add to 2^64 or more are refused */
        pc_graph_free(graph);
        return status == PC_ERR_RANGE;
    }
    const pc_count_options squaring = {.method = PC_METHOD_DENSE};
    if (status == PC_OK)
        status = pc_count(context, graph, q->k, &squaring, &counts);
    if (status == PC_OK)
        status = plan_last(context, &plan);
    bool right = status == PC_OK && strcmp(plan.kernel, kernel) == 0 &&
                 n_wrong_counts(counts, &q->expected) == 0;
    if (!right)
        printf("\n    graph of seed %llu: n %llu, %s, length %llu, kernel %s: status %d, %s\n",
               (unsigned long long)q->seed, (unsigned long long)q->edges.n,
               q->edges.directed ? "directed" : "undirected", (unsigned long long)q->k, kernel,
               (int)status, pc_context_message(context));
    pc_graph_free(graph);
    return right;
}

static void skip_unless_available(const char *kernel)
{
    if (!kernel_is_available(kernel))
        test_skip("this machine or this build does not have the kernel");
}

/* One of the threads that share the graphs out, with a context for each thread count: so several
 * counts are always under way at once. */
typedef struct worker {
    pthread_t thread;
    const char *kernel;
    uint64_t first; /* its graphs: first, first + N_WORKERS, ... */
    pc_context *contexts[N_THREAD_COUNTS];
    uint64_t n_wrong;
} worker;

static void *answer_questions(void *user)
{
    worker *w = user;
    for (uint64_t g = w->first; g < N_GRAPHS && w->n_wrong == 0; g += N_WORKERS) {
        OWNED(question) q = make_question(g);
        for (int t = 0; t < N_THREAD_COUNTS; t++)
            w->n_wrong += !answers(w->contexts[t], w->kernel, &q);
    }
    return NULL;
}

static void random_graphs(const char *kernel)
{
    worker workers[N_WORKERS];
    skip_unless_available(kernel);
    for (int i = 0; i < N_WORKERS; i++) {
        workers[i] = (worker){.kernel = kernel, .first = (uint64_t)i};
        for (int t = 0; t < N_THREAD_COUNTS; t++)
            workers[i].contexts[t] = new_context(thread_counts[t]);
        CU_ASSERT_EQUAL_FATAL(
            pthread_create(&workers[i].thread, NULL, answer_questions, &workers[i]), 0);
    }
    for (int i = 0; i < N_WORKERS; i++) {
        CU_ASSERT_EQUAL_FATAL(pthread_join(workers[i].thread, NULL), 0);
        CU_ASSERT_EQUAL(workers[i].n_wrong, 0);
        for (int t = 0; t < N_THREAD_COUNTS; t++)
            pc_context_free(workers[i].contexts[t]);
    }
}

/* ---- Sizes around the edges of tiles --------------------------------------------------------- */

static const uint64_t tile_sizes[] = {15,  16,  17,  31,  32,  33,  47,  48,  49,
                                      63,  64,  65,  95,  96,  97,  127, 128, 129,
                                      130, 191, 192, 193, 255, 256, 257, 258, 300};
enum { N_TILE_SIZES = sizeof tile_sizes / sizeof *tile_sizes, MAX_TILE_K = 5 };

#define TEST_PRIME ((UINT64_C(1) << 61) - 1) /* no modulus of the library */

/* A multi-limb count modulo TEST_PRIME. */
static uint64_t count_modulo(const pc_rows *rows, uint64_t e)
{
    unsigned __int128 rest = 0;
    for (uint32_t l = rows->n_limbs; l-- > 0;)
        rest = (rest << 64 | rows->limbs[e * rows->n_limbs + l]) % TEST_PRIME;
    return (uint64_t)rest;
}

/* Directed with weights 1..255, or undirected and plain; half of all pairs joined. */
static edge_set tile_graph(uint64_t n, bool directed)
{
    random_source source = {n};
    edge_set edges = edge_set_density(&source, n, 500, directed);
    for (uint64_t e = 0; e < edges.n_edges && directed; e++)
        edges.weight[e] = 1 + random_below(&source, 255);
    return edges;
}

/* Counts whose residue modulo TEST_PRIME is wrong. */
static uint64_t n_wrong_modulo(const pc_counts *counts, const uint64_t *expected, uint64_t n)
{
    pc_rows rows;
    uint64_t n_wrong = 0;
    pc_counts_rows(counts, &rows);
    CU_ASSERT_TRUE_FATAL(rows.n_rows == n && rows.n_columns == n && rows.n_limbs > 0);
    for (uint64_t e = 0; e < n * n; e++)
        n_wrong += count_modulo(&rows, e) != expected[e];
    return n_wrong;
}

static void check_tile_size(uint64_t n, bool directed, int n_threads)
{
    OWNED(edge_set) edges = tile_graph(n, directed);
    OWNED(integer_matrix) a = oracle_adjacency(&edges);
    OWNED(uint64_t) *reduced = oracle_reduce(&a, TEST_PRIME);
    uint64_t *expected = oracle_reduce(&a, TEST_PRIME);
    OWNED(pc_context) *context = new_context(n_threads);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    for (uint64_t k = 2; k <= MAX_TILE_K; k++) {
        uint64_t *next = oracle_product_modular(expected, reduced, n, TEST_PRIME);
        free(expected);
        expected = next;
        OWNED(pc_counts) *counts = new_counts(context, graph, k);
        uint64_t n_wrong = n_wrong_modulo(counts, expected, n);
        if (n_wrong != 0)
            printf("\n    n %llu, length %llu, %s: %llu entries\n", (unsigned long long)n,
                   (unsigned long long)k, directed ? "directed" : "undirected",
                   (unsigned long long)n_wrong);
        CU_ASSERT_EQUAL(n_wrong, 0);
    }
    free(expected);
}

/* A = weight * J: every entry of A^k is weight^k * n^(k-1), and whatever weight leaves modulo a
 * modulus, all n terms of a dot product leave it at once. */
static void check_constant(uint64_t n, uint64_t weight, uint64_t k)
{
    OWNED(edge_set) edges = edge_set_constant(n, weight);
    OWNED(integer_matrix) expected = integer_matrix_zero(n);
    OWNED(mpz_t) factor;
    mpz_init(factor);
    mpz_ui_pow_ui(factor, n, k - 1);
    for (uint64_t e = 0; e < n * n; e++) {
        mpz_ui_pow_ui(expected.entry[e], weight, k);
        mpz_mul(expected.entry[e], expected.entry[e], factor);
    }
    check_count(&edges, k, 0, &expected);
}

/* Weights that are the greatest or least residue of many moduli at once, so that sums of products
 * are as far from 0 as they can get; and weights at the edges of digits and words. */
static void check_extreme_residues(void)
{
    static const uint64_t sizes[] = {1, 2, 63, 64, 65, 130, 257};
    const uint64_t odd_moduli = UINT64_C(255) * 253 * 251 * 247 * 241 * 239 * 233;
    const uint64_t weights[] = {127,
                                128,
                                129,
                                255,
                                256,
                                257,
                                odd_moduli / 2,
                                odd_moduli / 2 + 1,
                                UINT64_MAX / 2,
                                UINT64_MAX / 2 + 1,
                                UINT64_MAX};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t w = 0; w < sizeof weights / sizeof *weights; w++)
            for (uint64_t k = 2; k <= 4; k++)
                check_constant(sizes[s], weights[w], k);
}

static void tile_edges(const char *kernel)
{
    skip_unless_available(kernel);
    for (int s = 0; s < N_TILE_SIZES; s++) {
        check_tile_size(tile_sizes[s], true, thread_counts[s % N_THREAD_COUNTS]);
        check_tile_size(tile_sizes[s], false, thread_counts[(s + 1) % N_THREAD_COUNTS]);
    }
    check_extreme_residues();
}

/* ---- One case a kernel ----------------------------------------------------------------------- */

#define ON_KERNEL(WORDS, CHECK, KERNEL)                                                            \
    TEST(WORDS ", " KERNEL)                                                                        \
    {                                                                                              \
        CHECK(KERNEL);                                                                             \
    }

/* clang-format off */
ON_KERNEL("tile edges", tile_edges, "portable")
ON_KERNEL("tile edges", tile_edges, "avx2")
ON_KERNEL("tile edges", tile_edges, "avxvnni")
ON_KERNEL("tile edges", tile_edges, "avx512vnni")
ON_KERNEL("tile edges", tile_edges, "amx")
ON_KERNEL("10,000 random graphs", random_graphs, "portable")
ON_KERNEL("10,000 random graphs", random_graphs, "avx2")
ON_KERNEL("10,000 random graphs", random_graphs, "avxvnni")
ON_KERNEL("10,000 random graphs", random_graphs, "avx512vnni")
ON_KERNEL("10,000 random graphs", random_graphs, "amx")
/* clang-format on */

TEST("unknown kernel is refused")
{
    CU_ASSERT_FALSE(kernel_is_available("abacus"));
}

/* Checks of single vectors: right steps, sums and products pass, wrong ones do not; and the sums
 * modulo pairs of primes that they are made of. */
#include <gmp.h>

#include "src/certify/certify.h"
#include "src/cpu/modular.h"
#include "src/certify/step_check.h"
#include "tests/support/fixture.h"

#include <stdlib.h>
#include <string.h>

/* ---- Checks ---------------------------------------------------------------------------------- */

static void turn_bit(random_source *source, size_t n_words, uint64_t *words)
{
    words[random_below(source, n_words)] ^= UINT64_C(1) << random_below(source, 64);
}

/* Sends ones through the graph, with each kind of check right and then with a bit turned. */
static void check_steps(pc_context *context, const pc_graph *graph, pci_step_check *check,
                        random_source *source)
{
    enum { STEPS = 6, WORDS = STEPS + 2 };
    uint64_t n = graph->n, product[2 * WORDS + 1];
    uint64_t scratch[2 * (2 * WORDS + 1)];
    pci_long_vector at[2], sum;
    MUST(pci_long_vector_create(context, NULL, n, WORDS, &at[0]));
    MUST(pci_long_vector_create(context, NULL, n, WORDS, &at[1]));
    MUST(pci_long_vector_create(context, NULL, n, WORDS, &sum));
    pci_long_vector_fill(WORDS, 0, PCI_NO_VERTEX, &sum);
    pci_long_vector_fill(1, 1, PCI_NO_VERTEX, &at[0]);
    pci_step_check_start(check, &at[0]);
    for (int s = 0; s < STEPS; s++) {
        pci_long_vector *x = &at[s % 2], *y = &at[(s + 1) % 2];
        pci_fractions none = {0, 1};
        CU_ASSERT_EQUAL(pci_long_vector_step(graph, NULL, 128, none, x, y), PC_OK);
        CU_ASSERT_EQUAL(pci_step_check_step(check, y), PC_OK);
        pci_long_vector_add_to(y, true, &sum);
        pci_step_check_add(check);
        CU_ASSERT_EQUAL(pci_step_check_sum(check, &sum), PC_OK);
        MUST(pci_long_vector_dot(x, y, 1, scratch, product));
        size_t n_words = (size_t)x->n_words + y->n_words + 1;
        CU_ASSERT_EQUAL(pci_step_check_dot(check, x, y, n_words, product), PC_OK);
        turn_bit(source, n_words, product);
        CU_ASSERT_EQUAL(pci_step_check_dot(check, x, y, n_words, product), PC_ERR_CERTIFY);
    }
    turn_bit(source, n * WORDS, sum.words);
    CU_ASSERT_EQUAL(pci_step_check_sum(check, &sum), PC_ERR_CERTIFY);
    pci_fractions none = {0, 1};
    pci_long_vector *x = &at[STEPS % 2], *y = &at[1 - STEPS % 2];
    CU_ASSERT_EQUAL(pci_long_vector_step(graph, NULL, 128, none, x, y), PC_OK);
    turn_bit(source, n * y->n_words, y->words);
    CU_ASSERT(is_refused(context, pci_step_check_step(check, y), PC_ERR_CERTIFY, "step"));
    pci_long_vector_free(&at[0]);
    pci_long_vector_free(&at[1]);
    pci_long_vector_free(&sum);
}

TEST("right steps pass, any turned bit is found")
{
    random_source source = {5};
    for (int g = 0; g < 60; g++) {
        OWNED(edge_set) edges = edge_set_any_simple(&source, 2 + random_below(&source, 12));
        OWNED(pc_context) *context = new_context(1);
        OWNED(pc_graph) *graph = new_graph(context, &edges), *reverse = NULL;
        pci_step_check *check;
        MUST(pci_graph_reverse(context, graph, &reverse));
        MUST(pci_step_check_create(context, NULL, reverse, 1, g % 10 ? 1 + g % 4 : 64, &check));
        check_steps(context, graph, check, &source);
        pci_step_check_free(check);
    }
}

/* ---- Pairs modulo primes --------------------------------------------------------------------- */

static uint64_t residue(const mpz_t value, uint64_t modulus)
{
    return mpz_fdiv_ui(value, modulus);
}

TEST("pairs of dot products")
{
    enum { N = 300, STRIDE = 3 };
    random_source source = {6};
    uint64_t a[N * STRIDE], b[2 * N], dot[2], moduli[2];
    OWNED(pc_context) *context = new_context(1);
    OWNED(mpz_t) sum, term;
    mpz_inits(sum, term, NULL);
    for (int trial = 0; trial < 40; trial++) {
        size_t n = trial < 2 ? N : random_below(&source, N + 1);
        for (int i = 0; i < N * STRIDE; i++)
            a[i] = trial == 0 ? UINT64_MAX : random_u64(&source);
        for (int i = 0; i < 2 * N; i++)
            b[i] = (trial == 0 ? UINT64_MAX : random_u64(&source) >> (trial % 5)) >> 3;
        for (int k = 0; k < 2; k++) {
            MUST(pci_random_prime(context, &moduli[k]));
            CU_ASSERT_TRUE(moduli[k] >> 60 == 1);
        }
        pci_dot_mod_pair(n, a, STRIDE, b, moduli, dot);
        for (int k = 0; k < 2; k++) {
            mpz_set_ui(sum, 0);
            for (size_t i = 0; i < n; i++) {
                mpz_set_ui(term, a[i * STRIDE]);
                mpz_addmul_ui(sum, term, b[2 * i + (size_t)k]);
            }
            CU_ASSERT_EQUAL(dot[k], residue(sum, moduli[k]));
        }
    }
}

/* Against GMP: every word at its largest, odd lengths, strides. */
TEST("dot products")
{
    enum { N = 20000, MOST_STRIDE = 3 };
    static const uint64_t moduli[] = {
        2, 3, 1000003, (UINT64_C(1) << 61) - 1, (UINT64_C(1) << 63) - 25, (UINT64_C(1) << 63) - 1};
    random_source source = {8};
    OWNED(uint64_t) *a = malloc(N * MOST_STRIDE * sizeof *a), *b = malloc(N * sizeof *b);
    OWNED(mpz_t) sum, term;
    mpz_inits(sum, term, NULL);
    for (int trial = 0; trial < 150; trial++) {
        uint64_t modulus = moduli[trial % 6], stride = 1 + (uint64_t)trial % MOST_STRIDE;
        size_t n = trial < 12 ? N : trial < 60 ? (size_t)trial - 12 : random_below(&source, N);
        for (size_t i = 0; i < n * stride; i++)
            a[i] = trial < 6 ? UINT64_MAX : random_u64(&source);
        mpz_set_ui(sum, 0);
        for (size_t i = 0; i < n; i++) {
            b[i] = trial < 6 ? modulus - 1 : random_below(&source, modulus);
            mpz_set_ui(term, a[i * stride]);
            mpz_addmul_ui(sum, term, b[i]);
        }
        CU_ASSERT_EQUAL(pci_dot_mod(n, a, stride, b, modulus), residue(sum, modulus));
    }
}

/* A x by the definition, of one of the two. */
static uint64_t row_of(const integer_matrix *a, uint64_t i, const uint64_t *x, int k,
                       uint64_t modulus)
{
    OWNED(mpz_t) sum;
    mpz_init(sum);
    for (uint64_t j = 0; j < a->n; j++)
        mpz_addmul_ui(sum, a->entry[i * a->n + j], x[2 * j + (uint64_t)k]);
    uint64_t value = residue(sum, modulus);
    return value;
}

TEST("pairs of products with a graph")
{
    static const uint64_t moduli[] = {(UINT64_C(1) << 61) - 1, (UINT64_C(1) << 60) + 33};
    random_source source = {7};
    for (int g = 0; g < 120; g++) {
        OWNED(edge_set) edges = g == 0 ? edge_set_constant(200, 1)
                                       : edge_set_any(&source, 1 + random_below(&source, 40));
        uint64_t n = edges.n, *x = malloc(2 * n * sizeof *x), *y = malloc(2 * n * sizeof *y);
        edges.multigraph = false;
        OWNED(pc_context) *context = new_context(1);
        OWNED(pc_graph) *graph = new_graph(context, &edges);
        OWNED(integer_matrix) a = oracle_adjacency(&edges);
        for (uint64_t i = 0; i < 2 * n; i++)
            x[i] = (g ? random_u64(&source) : UINT64_MAX) >> (g % 2 ? 10 : 3);
        pci_graph_multiply_mod_pair(graph, 1 + g % 3, x, moduli, y);
        for (uint64_t i = 0; i < n; i++)
            for (int k = 0; k < 2; k++)
                CU_ASSERT_EQUAL(y[2 * i + (uint64_t)k] % moduli[k], row_of(&a, i, x, k, moduli[k]));
        free(x);
        free(y);
    }
}

/* So many vertices that their entries are fetched ahead: preferential attachment, with hubs and vertices of few arcs. Rows
 * that are not asked for stay as they are. */
TEST("some rows of products with a large graph")
{
    enum { N_VERTICES = 20000 };
    static const uint64_t moduli[] = {(UINT64_C(1) << 61) - 1, (UINT64_C(1) << 60) + 33};
    random_source source = {13};
    OWNED(edge_set) edges = edge_set_preferential(&source, N_VERTICES - 500, 3);
    edges.n = N_VERTICES; /* the last ones have no arcs */
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    uint64_t *words = calloc(8 * N_VERTICES, sizeof *words), n_rows = 0;
    uint64_t *x = words, *y = x + 2 * N_VERTICES, *some = y + 2 * N_VERTICES;
    uint64_t *expected = some + 2 * N_VERTICES;
    uint32_t *rows = calloc(N_VERTICES, sizeof *rows);
    for (uint64_t i = 0; i < 2 * N_VERTICES; i++) {
        x[i] = random_below(&source, moduli[i % 2]);
        some[i] = UINT64_MAX;
    }
    for (uint64_t i = 0; i < N_VERTICES; i++)
        for (uint64_t a = graph->row_start[i]; a < graph->row_start[i + 1]; a++)
            for (uint64_t k = 0; k < 2; k++) {
                uint64_t *sum = &expected[2 * i + k];
                *sum = (*sum + x[2 * graph->column[a] + k]) % moduli[k];
            }
    for (uint32_t i = 0; i < N_VERTICES; i++)
        if (random_below(&source, 3) == 0)
            rows[n_rows++] = i;
    pci_graph_multiply_mod_pair(graph, 2, x, moduli, y);
    CU_ASSERT(memcmp(y, expected, 2 * N_VERTICES * sizeof *y) == 0);
    pci_graph_multiply_mod_pair_at(graph, 2, n_rows, rows, x, moduli, some);
    for (uint64_t i = 0, r = 0; i < N_VERTICES; i++) {
        bool is_asked = r < n_rows && rows[r] == i;
        r += is_asked;
        for (uint64_t k = 2 * i; k < 2 * i + 2; k++)
            CU_ASSERT_EQUAL(some[k], is_asked ? expected[k] : UINT64_MAX);
    }
    free(words);
    free(rows);
}

/* Moduli of 61 bits are reduced in another way than others. */
TEST("products with a graph")
{
    static const uint64_t moduli[] = {3, UINT64_C(1) << 60, (UINT64_C(1) << 61) - 1,
                                      UINT64_C(1) << 61, (UINT64_C(1) << 63) - 25};
    random_source source = {9};
    for (int g = 0; g < 150; g++) {
        OWNED(edge_set) edges = g < 5 ? edge_set_constant(200, 1)
                                      : edge_set_any(&source, 1 + random_below(&source, 60));
        uint64_t n = edges.n, modulus = moduli[g % 5], x[200], y[200];
        edges.multigraph = false;
        OWNED(pc_context) *context = new_context(1);
        OWNED(pc_graph) *graph = new_graph(context, &edges);
        OWNED(integer_matrix) a = oracle_adjacency(&edges);
        for (uint64_t i = 0; i < n; i++)
            x[i] = g < 5 ? modulus - 1 : random_below(&source, modulus);
        pci_graph_multiply_mod(graph, 1 + g % 3, x, modulus, y);
        OWNED(uint64_t) *side_by_side = calloc(2 * n, sizeof *side_by_side);
        CU_ASSERT_FATAL(side_by_side != NULL);
        for (uint64_t i = 0; i < n; i++)
            side_by_side[2 * i] = x[i];
        for (uint64_t i = 0; i < n; i++)
            CU_ASSERT_EQUAL(y[i], row_of(&a, i, side_by_side, 0, modulus));
    }
}

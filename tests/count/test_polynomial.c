/* Whole powers of A as a polynomial of A: the counts that sweeps and products of GMP's integers make, and a wrong
 * minimal polynomial is found. */
#include "tests/support/asked.h"
#include "tests/support/failing_allocator.h"
#include "tests/support/fixture.h"
#include "tests/support/library_call.h"

#include <stdlib.h>
#include <string.h>

CASE_CONTEXT(context)

static const pc_query_kind kinds[] = {PC_QUERY_FROM,   PC_QUERY_TO,     PC_QUERY_PAIRS,
                                      PC_QUERY_CLOSED, PC_QUERY_STARTS, PC_QUERY_ENDS,
                                      PC_QUERY_TOTAL};
enum { N_KINDS = sizeof kinds / sizeof *kinds, N_ASKED = 5 };

/* ---- Against powers and sweeps --------------------------------------------------------------- */

TEST("random graphs")
{
    random_source source = {31};
    for (int i = 0; i < 200; i++) {
        vertices asked_for;
        OWNED(edge_set) edges = edge_set_any_simple(&source, 1 + random_below(&source, 8));
        OWNED(powers) all = powers_of(&edges, i < 8 ? (uint64_t)i / 4 : random_below(&source, 90));
        OWNED(pc_graph) *graph = new_graph(context, &edges);
        pick_vertices(&source, edges.n, &asked_for);
        MUST(pc_context_set_threads(context, 1 + i % 3));
        for (int k = 0; k < N_KINDS; k++) {
            asked a = {.powers = &all,
                       .query = {.kind = kinds[k],
                                 .length = all.length,
                                 .n_asked = N_ASKED,
                                 .from = asked_for.from,
                                 .to = asked_for.to},
                       .options.method = PC_METHOD_RECURRENCE};
            check_query(context, graph, &a);
            CU_ASSERT_EQUAL(pc_plan_last(context)->method, PC_METHOD_RECURRENCE);
        }
    }
}

typedef struct matrix {
    size_t n_words, room;
    uint64_t *word;
} matrix;

static pc_status take_rows(void *user, uint64_t length, const pc_rows *rows)
{
    matrix *m = user;
    size_t n = rows->n_rows * rows->n_columns * rows->n_limbs;
    (void)length;
    CU_ASSERT_TRUE_FATAL(m->n_words + n <= m->room);
    memcpy(m->word + m->n_words, rows->limbs, n * sizeof *m->word);
    m->n_words += n;
    return PC_OK;
}

static matrix matrix_of(size_t room)
{
    matrix m = {.room = room, .word = malloc(room * sizeof *m.word)};
    CU_ASSERT_PTR_NOT_NULL_FATAL(m.word);
    return m;
}

/* Beyond the width of residues, where the plan takes the polynomial by itself. */
TEST("wide counts, as sweeps make them")
{
    random_source source = {32};
    for (int i = 0; i < 4; i++) {
        OWNED(edge_set) edges = edge_set_density(&source, 12 + (uint64_t)i, 400, i % 2);
        for (uint64_t e = 0; e < edges.n_edges && i % 3 == 0; e++)
            edges.weight[e] = 1 + random_below(&source, 1000);
        OWNED(pc_graph) *graph = new_graph(context, &edges);
        pc_query query = {.kind = PC_QUERY_MATRIX, .length = 12000 + random_below(&source, 100)};
        pc_count_options sweep = {.method = PC_METHOD_SWEEP};
        matrix swept = matrix_of(1 << 20), made = matrix_of(1 << 20);
        MUST(pc_query_run(context, graph, &query, &sweep, take_rows, &swept));
        MUST(pc_query_run(context, graph, &query, NULL, take_rows, &made));
        CU_ASSERT_EQUAL(pc_plan_last(context)->method, PC_METHOD_RECURRENCE);
        CU_ASSERT_TRUE(pc_plan_last(context)->bound_bits > 12158);
        CU_ASSERT_EQUAL_FATAL(swept.n_words, made.n_words);
        CU_ASSERT_EQUAL(memcmp(swept.word, made.word, made.n_words * sizeof *made.word), 0);
        free(swept.word);
        free(made.word);
    }
}

/* ---- A wrong minimal polynomial -------------------------------------------------------------- */

enum { N = 14 }; /* a path of N / 2 vertices, and a clique of the others */

/* Makes the random vector 0 on the clique: the polynomial that is found is then that of the path. */
typedef struct forger {
    uint64_t *vectors; /* x and what follows it, or NULL */
    int n_left;        /* times that it is forged */
} forger;

static void *forge(void *user, size_t bytes)
{
    forger *f = user;
    void *block = malloc(bytes);
    if (f->vectors && f->n_left > 0) { /* the next block: the vectors are drawn */
        memset(f->vectors + N / 2, 0, N / 2 * sizeof *f->vectors);
        f->n_left--;
    }
    /* The library aligns blocks to 64 bytes behind a pointer, with 71 bytes of room. */
    if (bytes == 4 * N * sizeof *f->vectors + 71)
        f->vectors =
            (uint64_t *)(void *)((char *)block + 8 + (64 - ((uintptr_t)block + 8) % 64) % 64);
    else
        f->vectors = NULL;
    return block;
}

static void release(void *user, void *block)
{
    forger *f = user;
    uintptr_t vectors = (uintptr_t)f->vectors, begin = (uintptr_t)block;
    if (vectors >= begin && vectors < begin + 4 * N * sizeof *f->vectors + 71)
        f->vectors = NULL; /* a block of that size that was something else */
    free(block);
}

static pc_status run_forged(const edge_set *edges, int n_times, int n_rounds, matrix *m,
                            bool *was_recomputed)
{
    forger f = {0};
    OWNED(pc_context) *forged = new_context(1);
    pc_context_set_allocator(forged, (pc_allocator){forge, release, &f});
    OWNED(pc_graph) *graph = new_graph(forged, edges);
    f = (forger){.n_left = n_times};
    pc_query query = {.kind = PC_QUERY_MATRIX, .length = 100};
    pc_count_options options = {.method = PC_METHOD_RECURRENCE, .n_certify_rounds = n_rounds};
    pc_status status = pc_query_run(forged, graph, &query, &options, take_rows, m);
    *was_recomputed = status == PC_OK && pc_plan_last(forged)->recomputed[0];
    CU_ASSERT_TRUE(status != PC_OK || f.n_left == 0);
    return status;
}

TEST("a wrong minimal polynomial is found by the certificate")
{
    OWNED(edge_set) edges = edge_set_empty(N, false);
    for (uint64_t u = 0; u < N; u++)
        for (uint64_t v = u + 1; v < N; v++)
            if (u >= N / 2 || (v == u + 1 && v < N / 2))
                edge_set_add(&edges, u, v, 1);
    matrix right = matrix_of(1 << 14), other = matrix_of(1 << 14);
    bool was_recomputed;
    CU_ASSERT_EQUAL(run_forged(&edges, 0, 0, &right, &was_recomputed), PC_OK);
    CU_ASSERT_FALSE(was_recomputed);
    CU_ASSERT_EQUAL(run_forged(&edges, 1, PC_CERTIFY_NONE, &other, &was_recomputed), PC_OK);
    CU_ASSERT_EQUAL(other.n_words, right.n_words);
    CU_ASSERT_NOT_EQUAL(memcmp(other.word, right.word, right.n_words * 8), 0);
    other.n_words = 0;
    CU_ASSERT_EQUAL(run_forged(&edges, 1, 0, &other, &was_recomputed), PC_OK);
    CU_ASSERT_TRUE(was_recomputed);
    other.n_words = 0;
    CU_ASSERT_EQUAL(run_forged(&edges, 1000, 0, &other, &was_recomputed), PC_ERR_CERTIFY);
    free(right.word);
    free(other.word);
}

/* ---- Halfway --------------------------------------------------------------------------------- */

TEST("no memory, and being stopped")
{
    random_source source = {33};
    OWNED(edge_set) edges = edge_set_density(&source, 6, 400, true);
    uint64_t from[] = {1, 4};
    for (int k = 0; k < 3; k++)
        check_halfway(&(library_call){.edges = &edges,
                                      .query = {.kind = k < 2 ? PC_QUERY_MATRIX : PC_QUERY_FROM,
                                                .length = 3000,
                                                .keeps = k == 1,
                                                .n_asked = k < 2 ? 0 : 2,
                                                .from = from},
                                      .options.method = PC_METHOD_RECURRENCE},
                      10, 2);
}

static pc_status count_by_polynomial(pc_context *made, const edge_set *edges)
{
    const pc_count_options options = {.method = PC_METHOD_RECURRENCE};
    OWNED(pc_graph) *graph = NULL;
    OWNED(pc_counts) *counts = NULL;
    pc_status status = edge_set_load(made, edges, &graph);
    return status == PC_OK ? pc_count(made, graph, 3000, &options, &counts) : status;
}

/* Limits of the lengths 0 to 1024 are 1025 doubles. */
TEST("what there is no memory for")
{
    random_source source = {33};
    int n_limits = 0;
    failing_allocator allocator = FAILING_ALLOCATOR;
    OWNED(edge_set) edges = edge_set_density(&source, 6, 400, true);
    pc_status status = PC_ERR_MEMORY;
    for (uint64_t at = 1; status != PC_OK; at++) {
        OWNED(pc_context) *poor = failing_context(&allocator, 1);
        failing_allocator_rearm(&allocator, at, true);
        status = count_by_polynomial(poor, &edges);
        n_limits += strstr(pc_context_message(poor),
                           "no memory for limits of the counts (8200 bytes)") != NULL;
    }
    CU_ASSERT(n_limits > 0);
}

/* Numbers of several lengths are read off matrices of each; no polynomial is found for them, though it is taken for fast. */
TEST("several lengths are no polynomial")
{
    static const pc_query_kind kinds[] = {PC_QUERY_TRACE, PC_QUERY_CLOSED, PC_QUERY_TOTAL};
    random_source source = {77};
    for (pci_part p = 0; p < PCI_N_PARTS; p++)
        context->rates.per_second[p] = p == PCI_PART_PASS ? 1e15 : 1e3;
    for (int i = 0; i < 30; i++) {
        OWNED(edge_set) edges = edge_set_any_simple(&source, 2 + random_below(&source, 5));
        OWNED(powers) all = powers_of(&edges, 30 + random_below(&source, 20));
        OWNED(pc_graph) *graph = new_graph(context, &edges);
        for (int q = 0; q < 6; q++) {
            asked a = {.powers = &all,
                       .query = {.kind = kinds[q / 2],
                                 .length = all.length,
                                 .each = q % 2 == 0,
                                 .up_to = q % 2 == 1}};
            check_query(context, graph, &a);
        }
    }
}

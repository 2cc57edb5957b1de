/* Sums over all vertices of graphs that are wide, large or heavy, against sums over GMP vectors; too little memory, and
 * being told to stop. test_query.c asks for such sums of random graphs. */
#include <gmp.h>

#include "src/vectors/long_vector.h"
#include "src/core/number.h"
#include "tests/support/fixture.h"
#include "tests/support/failing_allocator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_KINDS = 3 };

static const pc_query_kind kinds[] = {PC_QUERY_TOTAL, PC_QUERY_STARTS, PC_QUERY_ENDS};

/* ---- What must come out ---------------------------------------------------------------------- */

/* Numbers of paths of each length that start and end at each vertex. */
typedef struct expected_sums {
    uint64_t n, length;
    mpz_t *starts, *ends; /* [length + 1][n] */
} expected_sums;

static mpz_t *integers(uint64_t n)
{
    mpz_t *made = malloc((n + 1) * sizeof *made);
    CU_ASSERT_PTR_NOT_NULL_FATAL(made);
    for (uint64_t i = 0; i < n; i++)
        mpz_init(made[i]);
    return made;
}

static void free_integers(uint64_t n, mpz_t *made)
{
    for (uint64_t i = 0; i < n; i++)
        mpz_clear(made[i]);
    free(made);
}

static expected_sums sums_empty(uint64_t n, uint64_t length)
{
    expected_sums sums = {n, length, integers((length + 1) * n), integers((length + 1) * n)};
    for (uint64_t v = 0; v < n; v++) {
        mpz_set_ui(sums.starts[v], 1);
        mpz_set_ui(sums.ends[v], 1);
    }
    return sums;
}

static void sums_free(expected_sums *sums)
{
    free_integers((sums->length + 1) * sums->n, sums->starts);
    free_integers((sums->length + 1) * sums->n, sums->ends);
}
#define release_expected_sums sums_free

static void add_arc(uint64_t n, uint64_t l, uint64_t from, uint64_t to, uint64_t weight,
                    expected_sums *sums)
{
    mpz_addmul_ui(sums->starts[l * n + from], sums->starts[(l - 1) * n + to], weight);
    mpz_addmul_ui(sums->ends[l * n + to], sums->ends[(l - 1) * n + from], weight);
}

/* Edge by edge. */
static expected_sums sums_of_edges(const edge_set *edges, uint64_t length)
{
    uint64_t n = edges->n;
    expected_sums sums = sums_empty(n, length);
    for (uint64_t l = 1; l <= length; l++)
        for (uint64_t e = 0; e < edges->n_edges; e++) {
            uint64_t from = edges->from[e], to = edges->to[e];
            add_arc(n, l, from, to, edges->weight[e], &sums);
            if (!edges->directed && from != to)
                add_arc(n, l, to, from, edges->weight[e], &sums);
        }
    return sums;
}

/* ---- A query --------------------------------------------------------------------------------- */

typedef struct asked {
    const expected_sums *sums;
    pc_query query;
    uint64_t length; /* of the next answer that must come */
    uint32_t n_limbs;
    size_t most_limbs; /* that are other than 0 in some answer */
    uint64_t n_answers, n_wrong;
} asked;

static void add_expected(const asked *a, uint64_t length, uint64_t row, mpz_t value)
{
    uint64_t n = a->sums->n;
    mpz_t *of = a->query.kind == PC_QUERY_ENDS ? a->sums->ends : a->sums->starts;
    bool is_total = a->query.kind == PC_QUERY_TOTAL;
    for (uint64_t v = is_total ? 0 : row; v < (is_total ? n : row + 1); v++)
        mpz_add(value, value, of[length * n + v]);
}

static bool entry_holds(const asked *a, uint64_t length, uint64_t row, const pc_rows *rows)
{
    OWNED(mpz_t) value, wanted;
    mpz_inits(value, wanted, NULL);
    mpz_import(value, rows->n_limbs, -1, 8, 0, 0, rows->limbs + row * rows->n_limbs);
    for (uint64_t l = a->query.up_to ? 1 : length; l <= length; l++)
        add_expected(a, l, row, wanted);
    bool holds = mpz_cmp(value, wanted) == 0;
    return holds;
}

static pc_status take(void *user, uint64_t length, const pc_rows *rows)
{
    asked *a = user;
    uint64_t n_rows = a->query.kind == PC_QUERY_TOTAL ? 1 : a->sums->n;
    CU_ASSERT_TRUE_FATAL(length == a->length && rows->first_row == 0 && rows->n_rows == n_rows);
    CU_ASSERT_TRUE_FATAL(rows->n_columns == 1 && rows->limbs && rows->n_limbs > 0);
    CU_ASSERT_TRUE_FATAL(a->n_answers == 0 || rows->n_limbs == a->n_limbs);
    a->n_limbs = rows->n_limbs;
    for (uint64_t row = 0; row < n_rows; row++) {
        a->n_wrong += !entry_holds(a, length, row, rows);
        size_t n = pci_number_trim(rows->limbs + row * rows->n_limbs, rows->n_limbs);
        a->most_limbs = n > a->most_limbs ? n : a->most_limbs;
    }
    a->length++;
    a->n_answers++;
    return PC_OK;
}

/* way: 0 one length, 1 each, 2 up to it. */
static pc_query query_of(pc_query_kind kind, uint64_t length, int way)
{
    return (pc_query){.kind = kind, .length = length, .each = way == 1, .up_to = way == 2};
}

/* Asks, and asserts that just the right answers come. */
static void check_query(pc_context *context, const pc_graph *graph, const expected_sums *sums,
                        const pc_query *query, int n_rounds)
{
    pc_count_options options = {.n_certify_rounds = n_rounds};
    asked a = {.sums = sums, .query = *query, .length = query->each ? 1 : query->length};
    pc_status status = pc_query_run(context, graph, query, &options, take, &a);
    if (status != PC_OK)
        print_message(context);
    if (status != PC_OK || a.n_wrong)
        printf("\n    kind %d, length %d, each %d, up to %d, n %d\n", (int)query->kind,
               (int)query->length, query->each, query->up_to, (int)sums->n);
    MUST(status);
    CU_ASSERT_EQUAL_FATAL(a.n_wrong, 0);
    bool has_rows = sums->n > 0 || query->kind == PC_QUERY_TOTAL;
    CU_ASSERT_EQUAL(a.n_answers, !has_rows ? 0 : query->each ? query->length : 1);
    /* Vectors that are added up, or come one after the other, have the width that was proved. */
    bool is_exact = query->kind == PC_QUERY_TOTAL || !(query->each || query->up_to);
    size_t needed = a.most_limbs ? a.most_limbs : 1;
    CU_ASSERT_TRUE(a.n_answers == 0 || a.n_limbs <= needed + !is_exact);
}

static void every_way(const edge_set *edges, const expected_sums *sums, int n_threads)
{
    OWNED(pc_context) *context = new_context(n_threads);
    OWNED(pc_graph) *graph = new_graph(context, edges);
    for (int i = 0; i < 3 * N_KINDS; i++) {
        pc_query query = query_of(kinds[i % 3], sums->length, i / 3);
        check_query(context, graph, sums, &query, i % 4 == 3 ? PC_CERTIFY_NONE : i % 4);
    }
}

/* ---- Graphs ---------------------------------------------------------------------------------- */

/* All entries equal: every width, one bit after the other. */
TEST("all widths")
{
    static const uint64_t weights[] = {1, 3, UINT32_MAX, UINT64_C(1) << 32, UINT64_MAX};
    for (int w = 0; w < 5; w++) {
        /* Row sums above 2^66 take two more words at once now and then. */
        OWNED(edge_set) edges = edge_set_constant(w < 4 ? 2 : 5, weights[w]);
        OWNED(expected_sums) sums = sums_of_edges(&edges, w ? 60 : 140);
        every_way(&edges, &sums, 1);
    }
}

static void check_edges(edge_set *edges, uint64_t length)
{
    OWNED(expected_sums) sums = sums_of_edges(edges, length);
    every_way(edges, &sums, 1);
    every_way(edges, &sums, 4);
    edge_set_free(edges);
}

/* A hub's degree is the largest row sum, by far more than entries grow: they are packed anew. */
TEST("stars")
{
    for (int directed = 0; directed < 3; directed++) {
        edge_set edges = edge_set_empty(3000, directed > 0);
        for (uint64_t v = 0; v < 2990; v++) /* and ten are isolated */
            if (v != 7 && directed < 2)
                edge_set_add(&edges, 7, v, 1);
            else if (v != 7)
                edge_set_add(&edges, v, 7, 1);
        check_edges(&edges, directed ? 3 : 26);
    }
}

TEST("large weights")
{
    random_source source = {3};
    for (int directed = 0; directed < 2; directed++) {
        edge_set edges = edge_set_empty(900, directed);
        for (uint64_t v = 0; v < edges.n; v++)
            edge_set_add(&edges, v, (v + 1) % edges.n, random_u64(&source) | 1);
        for (uint64_t v = 2; v + 1 < edges.n; v += 3)
            edge_set_add(&edges, 0, v, UINT64_MAX - v);
        check_edges(&edges, 9);
    }
}

/* So many that all threads take part; a tree, and one with edges given again, which add. */
TEST("many vertices")
{
    random_source source = {4};
    for (unsigned m = 1; m < 4; m += 2) {
        edge_set edges = edge_set_preferential(&source, 30000, m);
        edges.multigraph = true;
        check_edges(&edges, 7);
    }
}

/* As many arcs leave every vertex, so that no more paths start at one than fit a word; but they all
 * end at two of them. */
TEST("ends wider than starts")
{
    edge_set edges = edge_set_empty(100, true);
    for (uint64_t v = 0; v < edges.n; v++)
        for (uint64_t end = 0; end < 2; end++)
            edge_set_add(&edges, v, end, 1);
    check_edges(&edges, 63);
}

static int stop_within_step(void *user, const char *stage, double fraction)
{
    (void)stage;
    *(int *)user += fraction > 0;
    return fraction > 0.75;
}

/* A step so long that it asks whether to go on. The largest entry is in the first of its strips. */
TEST("a long step")
{
    enum { N = 20000, WORDS = 500 };
    int n_questions = 0;
    OWNED(edge_set) edges = edge_set_empty(N, false);
    for (uint64_t v = 1; v < N; v++)
        edge_set_add(&edges, 0, v, 1);
    OWNED(pc_context) *context = new_context(4);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    pci_long_vector in, out;
    pci_fractions all = {0, 0.5};
    MUST(pci_long_vector_create(context, NULL, N, WORDS, &in));
    MUST(pci_long_vector_create(context, NULL, N, WORDS + 1, &out));
    memset(in.words, 0xff, (size_t)N * WORDS * sizeof *in.words);
    in.n_words = WORDS;
    in.bits = WORDS * 64;
    pc_context_set_progress(context, stop_within_step, &n_questions);
    CU_ASSERT_EQUAL(pci_long_vector_step(graph, NULL, 15, all, &in, &out), PC_OK);
    CU_ASSERT_TRUE(n_questions > 0);
    CU_ASSERT_EQUAL(out.bits, WORDS * 64 + 15); /* 19999 times almost 2^32000 */
    CU_ASSERT_EQUAL_FATAL(out.n_words, WORDS + 1);
    CU_ASSERT_TRUE(out.words[0] == -(uint64_t)(N - 1) && out.words[WORDS] == N - 2);
    for (uint64_t v = 1; v < N; v++)
        CU_ASSERT_TRUE_FATAL(out.words[v * (WORDS + 1)] == UINT64_MAX &&
                             out.words[v * (WORDS + 1) + WORDS] == 0);
    all.to = 1.5;
    CU_ASSERT_EQUAL(pci_long_vector_step(graph, NULL, 15, all, &in, &out), PC_ERR_CANCELLED);
    pci_long_vector_free(&in);
    pci_long_vector_free(&out);
}

/* n_words random words for each of few entries; the last of them is the largest there can be. */
static void set_few(random_source *source, uint32_t n_words, pci_long_vector *vector)
{
    size_t n = (size_t)vector->n * n_words;
    memset(vector->words, 0, n * sizeof *vector->words);
    for (int i = 0; i < 5; i++)
        vector->words[random_below(source, n)] = random_u64(source);
    memset(vector->words + n - n_words, 0xff, n_words * sizeof *vector->words);
    vector->n_words = n_words;
    vector->bits = n_words * 64;
}

/* Where few entries are not 0 only their arcs are followed: the sums are those of all arcs. */
TEST("few entries")
{
    enum { MOST_WORDS = 3, GROWTH = 70, N_GRAPHS = 200 };
    random_source source = {6};
    for (int g = 0; g < N_GRAPHS; g++) {
        uint32_t n_words = 1 + g % MOST_WORDS;
        OWNED(pc_context) *context = new_context(1 + g % 2);
        OWNED(edge_set) edges = edge_set_any_simple(&source, 2 + random_below(&source, 60));
        OWNED(pc_graph) *graph = new_graph(context, &edges);
        OWNED(pc_graph) *reverse = NULL;
        MUST(pci_graph_reverse(context, graph, &reverse));
        pci_long_vector in, all, few;
        MUST(pci_long_vector_create(context, NULL, graph->n, MOST_WORDS, &in));
        MUST(pci_long_vector_create(context, NULL, graph->n, MOST_WORDS + 2, &all));
        MUST(pci_long_vector_create(context, NULL, graph->n, MOST_WORDS + 2, &few));
        set_few(&source, n_words, &in);
        pci_fractions none = {0, 1};
        MUST(pci_long_vector_step(graph, NULL, GROWTH, none, &in, &all));
        MUST(pci_long_vector_step(graph, reverse, GROWTH, none, &in, &few));
        CU_ASSERT_EQUAL(few.bits, all.bits);
        CU_ASSERT_EQUAL_FATAL(few.n_words, all.n_words);
        CU_ASSERT(memcmp(few.words, all.words, graph->n * all.n_words * 8) == 0);
        pci_long_vector_free(&in);
        pci_long_vector_free(&all);
        pci_long_vector_free(&few);
    }
}

/* ---- Memory ---------------------------------------------------------------------------------- */

/* The limit that a hub's degree gives is twice what there is, and would not fit: a better one is
 * found, and kept to. */
TEST("memory as planned")
{
    enum { LIMIT = 2600 << 10, ROOM = 64 << 10 };
    failing_allocator allocator = FAILING_ALLOCATOR;
    OWNED(pc_context) *context = failing_context(&allocator, 2);
    OWNED(edge_set) edges = edge_set_empty(3000, false);
    for (uint64_t v = 1; v < edges.n; v++)
        edge_set_add(&edges, 0, v, 1);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    uint64_t before = allocator.peak_bytes = allocator.live_bytes;
    for (int kind = 0; kind < N_KINDS; kind++) {
        int n_calls = 0;
        pc_query query = query_of(kinds[kind], kind ? 400 : 800, 0);
        pc_context_set_memory_limit(context, LIMIT);
        CU_ASSERT_EQUAL(pc_query_run(context, graph, &query, NULL, count_answers, &n_calls), PC_OK);
        CU_ASSERT_EQUAL(n_calls, 1);
        CU_ASSERT_TRUE(allocator.peak_bytes <= before + LIMIT + ROOM);
        pc_context_set_memory_limit(context, LIMIT / 2);
        CU_ASSERT(is_refused(context,
                             pc_query_run(context, graph, &query, NULL, count_answers, &n_calls),
                             PC_ERR_MEMORY, "of memory"));
        CU_ASSERT_EQUAL(n_calls, 1);
    }
}

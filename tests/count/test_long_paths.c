/* Numbers of very long paths, by the recurrence that they obey: right, chosen where it pays, checked, and
 * refused before it takes more memory than there is. */
#include "tests/support/asked.h"
#include "tests/support/failing_allocator.h"
#include "tests/support/fixture.h"
#include "tests/support/library_call.h"

#include "src/certify/certify.h"
#include "src/recurrence/recurrence.h"
#include "src/residues/residues.h"

CASE_CONTEXT(context)

RELEASE_BY_FREE(pc_recurrence)

static const pc_query_kind kinds[] = {PC_QUERY_TOTAL, PC_QUERY_TRACE, PC_QUERY_PAIRS};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

/* ---- Short paths, where powers are known ------------------------------------------------------ */

static void check_graph(random_source *source, const edge_set *edges, asked a)
{
    static const uint64_t moduli[] = {0, 0, 2, 3, 1000000, 1000003, (UINT64_C(1) << 63) - 25};
    OWNED(pc_graph) *graph = new_graph(context, edges);
    uint64_t from = random_below(source, edges->n), to = random_below(source, edges->n);
    for (int k = 0; k < N_KINDS; k++) {
        bool is_pair = kinds[k] == PC_QUERY_PAIRS;
        uint64_t modulus = moduli[random_below(source, sizeof moduli / sizeof *moduli)];
        a.query.kind = kinds[k];
        a.query.n_asked = is_pair;
        a.query.from = &from;
        a.query.to = &to;
        a.options =
            (pc_count_options){.arithmetic = modulus ? PC_MODULAR : PC_EXACT,
                               .modulus = modulus,
                               .method = PC_METHOD_RECURRENCE,
                               .n_certify_rounds = random_below(source, 4) ? 0 : PC_CERTIFY_NONE};
        check_query(context, graph, &a);
    }
}

TEST("of random graphs, by a recurrence")
{
    random_source source = {21};
    for (int i = 0; i < 300; i++) {
        OWNED(edge_set) edges = edge_set_any_simple(&source, 1 + random_below(&source, 7));
        OWNED(powers) all = powers_of(&edges, random_below(&source, 90));
        MUST(pc_context_set_threads(context, 1 + i % 3));
        check_graph(&source, &edges,
                    (asked){.powers = &all, .query = {.length = all.length, .up_to = i % 2}});
    }
}

TEST("that never turn back, by a recurrence")
{
    random_source source = {22};
    for (int i = 0; i < 60; i++) {
        OWNED(edge_set) edges =
            edge_set_density(&source, 1 + random_below(&source, 6),
                             (unsigned)random_below(&source, 1000), random_below(&source, 2));
        OWNED(walk_matrices) walks = walks_by_arcs(&edges, random_below(&source, 60));
        asked a = {
            .walks = &walks,
            .query = {.length = walks.length, .up_to = i % 2, .paths = PC_PATHS_NON_BACKTRACKING}};
        check_graph(&source, &edges, a);
    }
}

/* ---- Long ones ------------------------------------------------------------------------------- */

static pc_status take_number(void *user, uint64_t length, const pc_rows *rows)
{
    (void)length;
    CU_ASSERT_TRUE_FATAL(rows->n_rows == 1 && rows->n_columns == 1 && rows->first_row == 0);
    mpz_import(*(mpz_t *)user, rows->n_limbs, -1, sizeof *rows->limbs, 0, 0, rows->limbs);
    return PC_OK;
}

/* The number that the query reads off n rows and columns, which begin at power and are width entries apart. */
static uint64_t number_in(const uint64_t *power, uint64_t width, const pc_query *query, uint64_t n,
                          uint64_t prime)
{
    uint64_t sum = 0;
    if (query->kind == PC_QUERY_PAIRS)
        return power[*query->from * width + *query->to];
    for (uint64_t u = 0; u < n; u++)
        for (uint64_t v = 0; v < n; v++)
            if (query->kind == PC_QUERY_TOTAL || u == v)
                sum = (sum + power[u * width + v]) % prime;
    return sum;
}

/* Each vertex has a copy with a loop, to which the arcs to that vertex lead, too: A, A over 0, I. A path of k arcs to the copy
 * is one of 1 to k arcs to the vertex, and has waited at the copy. */
static integer_matrix with_copies(const integer_matrix *a)
{
    uint64_t n = a->n;
    integer_matrix wide = integer_matrix_zero(2 * n);
    for (uint64_t u = 0; u < n; u++) {
        for (uint64_t v = 0; v < 2 * n; v++)
            mpz_set(wide.entry[u * 2 * n + v], a->entry[u * n + v % n]);
        mpz_set_ui(wide.entry[(n + u) * 2 * n + n + u], 1);
    }
    return wide;
}

/* Compares numbers of one length, or of all lengths, with powers modulo two primes. */
static void check_long(random_source *source, const edge_set *edges, int up_to)
{
    OWNED(integer_matrix) a = oracle_adjacency(edges);
    OWNED(integer_matrix) wide = with_copies(&a);
    OWNED(pc_graph) *graph = new_graph(context, edges);
    uint64_t from = 3, to = 30, n = edges->n;
    mpz_t number[N_KINDS];
    pc_query query = {.length = 1000000, .up_to = up_to, .from = &from, .to = &to};
    for (int k = 0; k < N_KINDS; k++) {
        query.kind = kinds[k];
        query.n_asked = k == 2;
        mpz_init(number[k]);
        MUST(pc_query_run(context, graph, &query, NULL, take_number, &number[k]));
    }
    uint64_t prime = UINT64_C(1) << 61;
    for (int p = 0; p < 2; p++) {
        prime = pci_prime_below(prime - random_below(source, UINT64_C(1) << 50));
        uint64_t *power = oracle_power_modular(&wide, query.length, prime);
        for (int k = 0; k < N_KINDS; k++) {
            query.kind = kinds[k];
            CU_ASSERT_EQUAL(mpz_fdiv_ui(number[k], prime),
                            number_in(power + (up_to ? n : 0), 2 * n, &query, n, prime));
        }
        free(power);
    }
    for (int k = 0; k < N_KINDS; k++)
        mpz_clear(number[k]);
}

TEST("of length 1000000, as powers modulo primes count them")
{
    random_source source = {24};
    OWNED(edge_set) edges = edge_set_preferential(&source, 34, 2);
    for (int up_to = 0; up_to < 2; up_to++)
        check_long(&source, &edges, up_to);
}

/* ---- Plans ----------------------------------------------------------------------------------- */

TEST("are planned by what the ways to them take")
{
    random_source source = {25};
    OWNED(edge_set) edges = edge_set_preferential(&source, 60, 3);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    uint64_t vertices[] = {0, 59};
    const uint64_t long_length = UINT64_C(1) << 62;
    for (int k = 0; k < N_KINDS; k++) {
        pc_query query = {
            .kind = kinds[k], .n_asked = k == 2, .from = vertices, .to = vertices, .length = 40};
        CU_ASSERT_NOT_EQUAL(method_of(context, graph, &query, 0), PC_METHOD_RECURRENCE);
        query.length = 1000000;
        CU_ASSERT_EQUAL(method_of(context, graph, &query, 0), PC_METHOD_RECURRENCE);
        query.up_to = 1;
        CU_ASSERT_EQUAL(method_of(context, graph, &query, 0), PC_METHOD_RECURRENCE);
        query.length = long_length;
        CU_ASSERT_EQUAL(method_of(context, graph, &query, 1000003), PC_METHOD_RECURRENCE);
        query.up_to = 0;
        query.paths = PC_PATHS_NON_BACKTRACKING; /* nothing else counts them */
        CU_ASSERT_EQUAL(method_of(context, graph, &query, 1000003), PC_METHOD_RECURRENCE);
    }
    /* What has no recurrence of a number. */
    pc_query each = {.kind = PC_QUERY_TOTAL, .length = 1000, .each = 1};
    CU_ASSERT_NOT_EQUAL(method_of(context, graph, &each, 0), PC_METHOD_RECURRENCE);
    pc_query closed = {.kind = PC_QUERY_CLOSED, .length = long_length};
    CU_ASSERT_EQUAL(method_of(context, graph, &closed, 1000003), PC_METHOD_DENSE);
}

TEST("that would not fit in memory are refused")
{
    OWNED(edge_set) edges = edge_set_constant(4, 1);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    const pc_count_options recurrence = {.method = PC_METHOD_RECURRENCE};
    pc_query query = {.kind = PC_QUERY_TOTAL, .length = 1000000000};
    pc_plan_info plan;
    pc_context_set_memory_limit(context, UINT64_C(64) << 20);
    CU_ASSERT_TRUE(is_refused(context, plan_query(context, graph, &query, &recurrence, &plan),
                              PC_ERR_MEMORY, "GB of memory, and --memory-limit allows 67.1 MB"));
    query.length = UINT64_C(1) << 40;
    CU_ASSERT_TRUE(is_refused(context, plan_query(context, graph, &query, &recurrence, &plan),
                              PC_ERR_RANGE, "wider than 2^36 bits"));
    query.length = 1000000;
    MUST(plan_query(context, graph, &query, &recurrence, &plan));
    CU_ASSERT_TRUE(plan.memory_bytes < UINT64_C(64) << 20 && plan.predicted_seconds > 0);
    query.each = 1;
    CU_ASSERT_TRUE(is_refused(context, plan_query(context, graph, &query, &recurrence, &plan),
                              PC_ERR_ARGUMENT, "for one length"));
}

/* ---- Certificates ---------------------------------------------------------------------------- */

/* Fibonacci's numbers modulo a prime; the term at wrong_at is off by one when it is asked for modulo the
 * n_right-th prime or a later one. */
typedef struct liar {
    size_t wrong_at;
    int n_right;
} liar;

static pc_status lie(void *user, uint64_t prime, size_t n_terms, uint64_t *a)
{
    liar *l = user;
    for (size_t i = 0; i < n_terms; i++)
        a[i] = i < 2 ? i : (a[i - 1] + a[i - 2]) % prime;
    if (l->n_right-- <= 0 && l->wrong_at < n_terms)
        a[l->wrong_at] = (a[l->wrong_at] + 1) % prime;
    return PC_OK;
}

TEST("are checked by terms that their recurrence was not found from")
{
    OWNED(edge_set) edges = edge_set_constant(2, 1);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    const pc_query total = {.kind = PC_QUERY_TOTAL};
    pci_recurrence_plan plan;
    MUST(pci_recurrence_plan_make(context, graph, &total, 0, 2, &plan));
    for (size_t wrong_at = 0; wrong_at < 2 * plan.n_dimension + 16; wrong_at++)
        for (int n_right = 1; n_right <= 2;
             n_right++) { /* of the prime it is found by, two checks */
            OWNED(pc_recurrence) *recurrence = NULL;
            liar l = {wrong_at, n_right};
            CU_ASSERT_EQUAL(pci_recurrence_find(&plan, lie, &l, &recurrence), PC_ERR_CERTIFY);
            CU_ASSERT_PTR_NULL(recurrence);
        }
    OWNED(pc_recurrence) *recurrence = NULL;
    MUST(pci_recurrence_find(&plan, lie, &(liar){0, 1000}, &recurrence));
}

/* A recurrence with a changed number makes no term. */
TEST("are checked by the recurrence modulo primes")
{
    OWNED(edge_set) edges = edge_set_constant(2, 1);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    OWNED(pc_recurrence) *recurrence = NULL;
    OWNED(mpz_t) number;
    const pc_query total = {.kind = PC_QUERY_TOTAL};
    pci_recurrence_plan plan;
    mpz_init(number);
    MUST(pci_recurrence_plan_make(context, graph, &total, 0, 2, &plan));
    MUST(pci_recurrence_find(&plan, lie, &(liar){0, 1000}, &recurrence));
    uint64_t *term = NULL;
    size_t n_words;
    MUST(pci_recurrence_exact_term(recurrence, 1001, &term, &n_words));
    for (size_t w = 0; w < n_words; w++) {
        term[w] ^= UINT64_C(1) << w;
        CU_ASSERT_EQUAL(pci_recurrence_check_term(recurrence, 1001, term, n_words), PC_ERR_CERTIFY);
        term[w] ^= UINT64_C(1) << w;
        CU_ASSERT_EQUAL(pci_recurrence_check_term(recurrence, 1001, term, n_words), PC_OK);
    }
    pci_free(context, term);
}

/* ---- Halfway --------------------------------------------------------------------------------- */

TEST("no memory, and being stopped")
{
    static const uint64_t moduli[] = {0, 0, 1000003, 1000000};
    random_source source = {26};
    OWNED(edge_set) edges = edge_set_density(&source, 6, 400, true);
    uint64_t vertices[] = {1, 4};
    for (int i = 0; i < 2 * N_KINDS; i++) {
        uint64_t modulus = moduli[i % 4];
        pc_query query = {.kind = kinds[i / 2],
                          .length = 5000,
                          .up_to = i % 2,
                          .n_asked = kinds[i / 2] == PC_QUERY_PAIRS,
                          .from = vertices,
                          .to = vertices + 1};
        check_halfway(&(library_call){.edges = &edges,
                                      .query = query,
                                      .options = {.arithmetic = modulus ? PC_MODULAR : PC_EXACT,
                                                  .modulus = modulus,
                                                  .method = PC_METHOD_RECURRENCE}},
                      10, 2);
    }
}

/* Recurrences: they make the powers of integer matrices again, far beyond what they were found from, and
 * nothing shorter does. */
#include "tests/support/fixture.h"

#include "pathcount_recurrence.h"
#include "src/residues/residues.h"
#include "tests/support/asked.h"
#include "tests/support/failing_allocator.h"

CASE_CONTEXT(context)

#include <math.h>

RELEASE_BY_FREE(pc_recurrence)

enum { MOST_VERTICES = 7, N_QUESTIONS = 5, MOST_TERMS = 160 };

static const pc_query_kind kinds[N_QUESTIONS] = {PC_QUERY_TOTAL, PC_QUERY_TRACE, PC_QUERY_PAIRS,
                                                 PC_QUERY_FROM, PC_QUERY_TO};

/* ---- Sequences ------------------------------------------------------------------------------- */

/* a(0), ..., a(n - 1) of a question. */
typedef struct sequence {
    uint64_t n;
    mpz_t term[MOST_TERMS];
} sequence;

static void release_sequence(sequence *a)
{
    for (uint64_t i = 0; i < a->n; i++)
        mpz_clear(a->term[i]);
}

static bool is_asked(pc_query_kind kind, uint64_t i, uint64_t j, uint64_t from, uint64_t to)
{
    switch (kind) {
    case PC_QUERY_TOTAL:
        return true;
    case PC_QUERY_TRACE:
        return i == j;
    case PC_QUERY_FROM:
        return i == from;
    case PC_QUERY_TO:
        return j == to;
    default:
        return i == from && j == to;
    }
}

/* The answers by their definition, from whole matrices. */
static sequence sequence_of(const edge_set *edges, const pc_query *query, uint64_t n_terms)
{
    sequence a = {.n = n_terms};
    bool is_all = query->paths == PC_PATHS_ALL;
    OWNED(powers) all = powers_of(edges, is_all ? n_terms - 1 : 0);
    OWNED(walk_matrices) walks = walks_by_arcs(edges, is_all ? 0 : n_terms - 1);
    for (uint64_t l = 0; l < n_terms; l++) {
        mpz_init(a.term[l]);
        for (uint64_t e = 0; e < edges->n * edges->n; e++) {
            uint64_t i = e / edges->n, j = e % edges->n;
            if (is_asked(query->kind, i, j, query->from ? *query->from : 0,
                         query->to ? *query->to : 0))
                mpz_add(a.term[l], a.term[l],
                        is_all ? all.power[l].entry[e] : mpq_numref(*walk_entry(&walks, l, i, j)));
        }
    }
    return a;
}

static pc_status take_number(void *user, uint64_t length, const pc_rows *rows)
{
    (void)length;
    CU_ASSERT_TRUE_FATAL(rows->n_rows == 1 && rows->n_columns == 1 && rows->first_row == 0);
    mpz_import(*(mpz_t *)user, rows->n_limbs, -1, sizeof *rows->limbs, 0, 0, rows->limbs);
    return PC_OK;
}

/* ---- Checks ---------------------------------------------------------------------------------- */

static void get(const pc_recurrence *recurrence, pc_recurrence_part part, uint64_t i, mpz_t value)
{
    size_t length;
    CU_ASSERT_EQUAL(pc_recurrence_text(recurrence, part, i, NULL, 0, &length), PC_ERR_RANGE);
    OWNED(char) *text = malloc(length + 1);
    CU_ASSERT_EQUAL(pc_recurrence_text(recurrence, part, i, text, length, NULL), PC_ERR_RANGE);
    CU_ASSERT_EQUAL_FATAL(pc_recurrence_text(recurrence, part, i, text, length + 1, NULL), PC_OK);
    CU_ASSERT_EQUAL(strlen(text), length);
    CU_ASSERT_EQUAL(mpz_set_str(value, text, 10), 0);
}

/* Whether a(i) is c(1) a(i-1) + ... for all i from the first one on, with initial terms before. */
static bool makes_sequence(const pc_recurrence *recurrence, const pc_recurrence_info *info,
                           const sequence *a)
{
    bool does = true;
    OWNED(mpz_t) number;
    OWNED(mpz_t) sum;
    mpz_inits(number, sum, NULL);
    for (uint64_t i = 0; i < a->n; i++) {
        if (i < info->n_initial)
            get(recurrence, PC_RECURRENCE_INITIAL, i, sum);
        else
            mpz_set_ui(sum, 0);
        for (uint64_t j = 1; j <= info->order && i >= info->n_initial; j++) {
            get(recurrence, PC_RECURRENCE_COEFFICIENT, j, number);
            mpz_addmul(sum, number, a->term[i - j]);
        }
        does = does && mpz_cmp(sum, a->term[i]) == 0;
    }
    return does;
}

/* Whether P = Q (a(0) + a(1) x + ...): all of its terms beyond P are 0, which the above shows. */
static bool has_numerator(const pc_recurrence *recurrence, const pc_recurrence_info *info,
                          const sequence *a)
{
    bool has = true;
    OWNED(mpz_t) number;
    OWNED(mpz_t) expected;
    mpz_inits(number, expected, NULL);
    for (uint64_t i = 0; i < info->n_initial; i++) {
        mpz_set(expected, a->term[i]);
        for (uint64_t j = 1; j <= i && j <= info->order; j++) {
            get(recurrence, PC_RECURRENCE_COEFFICIENT, j, number);
            mpz_submul(expected, number, a->term[i - j]);
        }
        get(recurrence, PC_RECURRENCE_NUMERATOR, i, number);
        has = has && mpz_cmp(number, expected) == 0;
    }
    return has;
}

/* The rank of the n x n matrix of a(i + j) modulo a prime below 2^31. With rank n there is no recurrence of
 * fewer than n terms. */
static uint64_t hankel_rank(const sequence *a, uint64_t n, uint64_t prime)
{
    uint64_t matrix[MOST_TERMS][MOST_TERMS], rank = 0;
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = 0; j < n; j++)
            matrix[i][j] = mpz_fdiv_ui(a->term[i + j], prime);
    for (uint64_t column = 0; column < n; column++) {
        uint64_t pivot = rank;
        while (pivot < n && matrix[pivot][column] == 0)
            pivot++;
        if (pivot == n)
            continue;
        for (uint64_t j = 0; j < n; j++) {
            uint64_t swap = matrix[pivot][j];
            matrix[pivot][j] = matrix[rank][j];
            matrix[rank][j] = swap;
        }
        for (uint64_t i = rank + 1; i < n; i++) {
            uint64_t factor = matrix[i][column], own = matrix[rank][column];
            for (uint64_t j = 0; j < n; j++)
                matrix[i][j] = (matrix[i][j] * own + (prime - factor) * matrix[rank][j]) % prime;
        }
        rank++;
    }
    return rank;
}

/* Terms of many places, exact and modulo odd, even and prime numbers. */
static bool has_terms(const pc_recurrence *recurrence, const sequence *a)
{
    static const uint64_t moduli[] = {2, 3, 10, 1000000007, UINT64_C(1) << 62, INT64_MAX};
    bool has = true;
    OWNED(mpz_t) number;
    OWNED(mpz_t) expected;
    mpz_inits(number, expected, NULL);
    for (uint64_t i = 0; i < a->n; i += 1 + i / 4) {
        MUST(pc_recurrence_term(recurrence, i, 0, take_number, &number));
        has = has && mpz_cmp(number, a->term[i]) == 0;
        for (size_t m = 0; m < sizeof moduli / sizeof *moduli; m++) {
            MUST(pc_recurrence_term(recurrence, i, moduli[m], take_number, &number));
            mpz_fdiv_r_ui(expected, a->term[i], moduli[m]);
            has = has && mpz_cmp(number, expected) == 0;
        }
    }
    return has;
}

static void check_recurrence(const edge_set *edges, const pc_query *query, uint64_t n_terms)
{
    OWNED(pc_graph) *graph = new_graph(context, edges);
    OWNED(pc_recurrence) *recurrence = NULL;
    OWNED(sequence) a = sequence_of(edges, query, n_terms);
    pc_recurrence_info info;
    MUST(pc_recurrence_create(context, graph, query, 0, &recurrence));
    pc_recurrence_get_info(recurrence, &info);
    CU_ASSERT_EQUAL(info.start + info.order, info.n_initial);
    CU_ASSERT_TRUE_FATAL(2 * info.n_initial <= n_terms);
    CU_ASSERT_TRUE(makes_sequence(recurrence, &info, &a));
    CU_ASSERT_TRUE(has_numerator(recurrence, &info, &a));
    CU_ASSERT_EQUAL(hankel_rank(&a, info.n_initial, 2147483647), info.n_initial);
    CU_ASSERT_TRUE(has_terms(recurrence, &a));
}

/* Modulo primes the shortest recurrence of the residues, modulo other numbers one that holds. */
static void check_modular(const edge_set *edges, const pc_query *query, uint64_t n_terms)
{
    static const uint64_t moduli[] = {2, 3, 7, 2147483647, 4, 10, UINT64_C(1) << 62};
    enum { N_PRIMES = 4 };
    OWNED(pc_graph) *graph = new_graph(context, edges);
    OWNED(sequence) a = sequence_of(edges, query, n_terms);
    OWNED(mpz_t) number;
    OWNED(mpz_t) expected;
    mpz_inits(number, expected, NULL);
    for (size_t m = 0; m < sizeof moduli / sizeof *moduli; m++) {
        OWNED(pc_recurrence) *recurrence = NULL;
        pc_recurrence_info info;
        bool has = true;
        MUST(pc_recurrence_create(context, graph, query, moduli[m], &recurrence));
        pc_recurrence_get_info(recurrence, &info);
        CU_ASSERT_TRUE(info.modulus == moduli[m] && info.is_shortest == (m < N_PRIMES));
        CU_ASSERT_EQUAL(info.start + info.order, info.n_initial);
        if (m < N_PRIMES)
            CU_ASSERT_EQUAL(hankel_rank(&a, info.n_initial, moduli[m]), info.n_initial);
        for (uint64_t i = 0; i < a.n; i++) {
            MUST(pc_recurrence_term(recurrence, i, moduli[m], take_number, &number));
            mpz_fdiv_r_ui(expected, a.term[i], moduli[m]);
            has = has && mpz_cmp(number, expected) == 0;
        }
        CU_ASSERT_TRUE(has);
        CU_ASSERT_EQUAL(pc_recurrence_term(recurrence, 5, 0, take_number, &number),
                        PC_ERR_ARGUMENT);
    }
}

/* ---- Cases ----------------------------------------------------------------------------------- */

static void check_random(random_source *source, pc_path_kind paths)
{
    OWNED(edge_set) edges =
        paths == PC_PATHS_ALL
            ? edge_set_any_simple(source, 1 + random_below(source, MOST_VERTICES))
            : edge_set_density(source, 1 + random_below(source, MOST_VERTICES - 2),
                               (unsigned)random_below(source, 1000), random_below(source, 2));
    uint64_t from = random_below(source, edges.n), to = random_below(source, edges.n);
    for (int q = 0; q < N_QUESTIONS; q++) {
        bool is_vertex = kinds[q] != PC_QUERY_TOTAL && kinds[q] != PC_QUERY_TRACE;
        pc_query query = {.kind = kinds[q],
                          .paths = paths,
                          .n_asked = is_vertex,
                          .from = kinds[q] == PC_QUERY_TO ? NULL : &from,
                          .to = kinds[q] == PC_QUERY_FROM ? NULL : &to};
        check_recurrence(&edges, &query, paths == PC_PATHS_ALL ? 5 * MOST_VERTICES : MOST_TERMS);
        if (paths == PC_PATHS_ALL)
            check_modular(&edges, &query, 5 * MOST_VERTICES);
    }
}

TEST("random graphs")
{
    random_source source = {11};
    for (int i = 0; i < 150; i++)
        check_random(&source, PC_PATHS_ALL);
}

TEST("paths that never turn back")
{
    random_source source = {12};
    for (int i = 0; i < 20; i++)
        check_random(&source, PC_PATHS_NON_BACKTRACKING);
}

/* The paths in two vertices with arcs both ways and one loop are Fibonacci's numbers. */
TEST("a known recurrence")
{
    static const char *const coefficients[] = {"1", "1"}, *const initial[] = {"2", "3"};
    OWNED(edge_set) edges = edge_set_empty(2, true);
    edge_set_add(&edges, 0, 0, 1);
    edge_set_add(&edges, 0, 1, 1);
    edge_set_add(&edges, 1, 0, 1);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    OWNED(pc_recurrence) *recurrence = NULL;
    const pc_query total = {.kind = PC_QUERY_TOTAL};
    pc_recurrence_info info;
    char text[32];
    MUST(pc_recurrence_create(context, graph, &total, 0, &recurrence));
    pc_recurrence_get_info(recurrence, &info);
    CU_ASSERT_TRUE_FATAL(info.order == 2 && info.start == 0);
    for (uint64_t i = 0; i < 2; i++) {
        MUST(pc_recurrence_text(recurrence, PC_RECURRENCE_COEFFICIENT, i + 1, text, sizeof text,
                                NULL));
        CU_ASSERT_STRING_EQUAL(text, coefficients[i]);
        MUST(pc_recurrence_text(recurrence, PC_RECURRENCE_INITIAL, i, text, sizeof text, NULL));
        CU_ASSERT_STRING_EQUAL(text, initial[i]);
    }
    static const struct {
        pc_recurrence_part part;
        uint64_t i;
    } absent[] = {{PC_RECURRENCE_COEFFICIENT, 0},
                  {PC_RECURRENCE_COEFFICIENT, 3},
                  {PC_RECURRENCE_INITIAL, 2},
                  {PC_RECURRENCE_NUMERATOR, 2},
                  {PC_RECURRENCE_NUMERATOR, UINT64_MAX}};
    for (size_t a = 0; a < sizeof absent / sizeof *absent; a++)
        CU_ASSERT_EQUAL(
            pc_recurrence_text(recurrence, absent[a].part, absent[a].i, text, sizeof text, NULL),
            PC_ERR_ARGUMENT);
}

/* Terms that are much wider than what they are made of, of both parities, with coefficients of either sign and of
 * several words: entries of powers by the definition. */
TEST("terms far out, of random graphs")
{
    random_source source = {13};
    OWNED(mpz_t) number;
    mpz_init(number);
    for (int i = 0; i < 60; i++) {
        OWNED(edge_set) edges = edge_set_density(&source, 1 + random_below(&source, 9),
                                                 (unsigned)random_below(&source, 1000), i % 2);
        for (uint64_t e = 0; e < edges.n_edges && i % 3 == 0; e++)
            edges.weight[e] = 1 + random_below(&source, UINT64_C(1) << (2 + i));
        uint64_t from = random_below(&source, edges.n), to = random_below(&source, edges.n);
        uint64_t index = 20 + random_below(&source, 800);
        OWNED(integer_matrix) power = oracle_count(&edges, index);
        OWNED(pc_graph) *graph = new_graph(context, &edges);
        OWNED(pc_recurrence) *recurrence = NULL;
        pc_query pair = {.kind = PC_QUERY_PAIRS, .n_asked = 1, .from = &from, .to = &to};
        pc_context_set_threads(context, 1 + i % 3);
        MUST(pc_recurrence_create(context, graph, &pair, 0, &recurrence));
        MUST(pc_recurrence_term(recurrence, index, 0, take_number, &number));
        CU_ASSERT_EQUAL(mpz_cmp(number, power.entry[from * edges.n + to]), 0);
    }
}

static pc_status make_recurrence(pc_context *made, void *user)
{
    static const pc_query trace = {.kind = PC_QUERY_TRACE};
    OWNED(pc_graph) *graph = NULL;
    OWNED(pc_recurrence) *recurrence = NULL;
    OWNED(mpz_t) number;
    char text[PC_GROWTH_BYTES];
    int is_exact;
    mpz_init(number);
    pc_status status = edge_set_load(made, user, &graph);
    if (status == PC_OK)
        status = pc_recurrence_create(made, graph, &trace, 0, &recurrence);
    if (status == PC_OK)
        status = pc_recurrence_term(recurrence, 1000, 0, take_number, &number);
    if (status == PC_OK)
        status = pc_recurrence_growth(recurrence, 18, text, sizeof text, &is_exact);
    return status;
}

/* A far term of paths that never turn back, which is planned. */
static pc_status answer_far(pc_context *made, void *user)
{
    static const pc_query total = {
        .kind = PC_QUERY_TOTAL, .paths = PC_PATHS_NON_BACKTRACKING, .length = 3000};
    const pc_count_options options = {.method = PC_METHOD_RECURRENCE};
    OWNED(pc_graph) *graph = NULL;
    OWNED(mpz_t) number;
    mpz_init(number);
    pc_status status = edge_set_load(made, user, &graph);
    return status == PC_OK ? pc_query_run(made, graph, &total, &options, take_number, &number)
                           : status;
}

TEST("no memory, and being stopped")
{
    random_source source = {14};
    OWNED(edge_set) edges = edge_set_density(&source, 6, 500, true);
    CU_ASSERT_TRUE(fail_each_allocation(make_recurrence, &edges) > 30);
    CU_ASSERT_TRUE(cancel_at_each_question(make_recurrence, 2, &edges) > 10);
    CU_ASSERT_TRUE(fail_each_allocation(answer_far, &edges) > 30);
    CU_ASSERT_TRUE(cancel_at_each_question(answer_far, 2, &edges) > 10);
}

/* ---- Growth ---------------------------------------------------------------------------------- */

/* The digits of the growth of all paths of a graph, and whether they are all. */
static const char *growth_of(const edge_set *edges, int n_digits, int *is_exact)
{
    static char text[PC_GROWTH_BYTES];
    static const pc_query total = {.kind = PC_QUERY_TOTAL};
    OWNED(pc_graph) *graph = new_graph(context, edges);
    OWNED(pc_recurrence) *recurrence = NULL;
    MUST(pc_recurrence_create(context, graph, &total, 0, &recurrence));
    MUST(pc_recurrence_growth(recurrence, n_digits, text, sizeof text, is_exact));
    return text;
}

/* A cycle with one weight w grows as the n-th root of w, a path as 2 cos(pi / (n + 1)), a graph in which all have w
 * arcs to each of n vertices as n w. */
TEST("growth rates that are known")
{
    for (uint64_t n = 2; n < 12; n++) {
        OWNED(edge_set) path = edge_set_empty(n, false), cycle = edge_set_empty(n, true);
        OWNED(edge_set) all = edge_set_constant(n, 1000003);
        int is_exact;
        for (uint64_t v = 0; v + 1 < n; v++)
            edge_set_add(&path, v, v + 1, 1);
        for (uint64_t v = 0; v < n; v++)
            edge_set_add(&cycle, v, (v + 1) % n, v ? 1 : 1000);
        double expected = 2 * cos(acos(-1) / (double)(n + 1));
        CU_ASSERT_DOUBLE_EQUAL(atof(growth_of(&path, 18, &is_exact)), expected, 4e-16 * expected);
        CU_ASSERT_EQUAL(is_exact, n == 2);
        expected = pow(1000, 1 / (double)n);
        CU_ASSERT_DOUBLE_EQUAL(atof(growth_of(&cycle, 18, &is_exact)), expected, 4e-16 * expected);
        CU_ASSERT_EQUAL(is_exact, n == 3);
        CU_ASSERT_EQUAL(strtoull(growth_of(&all, 18, &is_exact), NULL, 10), n * 1000003);
        CU_ASSERT_EQUAL(is_exact, 1);
    }
}

/* Known to more places: the golden ratio, the square root of 2, the tribonacci constant (A001622, A002193, A058265). Digits
 * are cut, not rounded. */
TEST("digits of growth rates")
{
    static const struct {
        uint64_t n, arcs[5][2];
        int n_arcs;
        const char *digits;
    } known[] = {{2, {{0, 0}, {0, 1}, {1, 0}}, 3, "1.61803398874989484"},
                 {3, {{0, 1}, {1, 0}, {0, 2}, {2, 0}}, 4, "1.41421356237309504"},
                 {3, {{0, 0}, {0, 1}, {1, 0}, {1, 2}, {2, 0}}, 5, "1.83928675521416113"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        OWNED(edge_set) edges = edge_set_empty(known[i].n, true);
        for (int a = 0; a < known[i].n_arcs; a++)
            edge_set_add(&edges, known[i].arcs[a][0], known[i].arcs[a][1], 1);
        for (int n_digits = 1; n_digits <= 18; n_digits++) {
            int is_exact;
            size_t length = n_digits > 1 ? (size_t)n_digits + 1 : 1;
            const char *text = growth_of(&edges, n_digits, &is_exact);
            CU_ASSERT_EQUAL(strlen(text), length);
            CU_ASSERT_EQUAL(strncmp(text, known[i].digits, length), 0);
            CU_ASSERT_EQUAL(is_exact, 0);
        }
    }
}

/* Against many multiplications of a vector in long doubles. With a loop at each vertex the rate is 1 more, and nothing else
 * is as large. */
TEST("growth rates of random graphs")
{
    random_source source = {15};
    for (int i = 0; i < 40; i++) {
        uint64_t n = 1 + random_below(&source, 12);
        OWNED(edge_set) edges = edge_set_density(&source, n, 300, false);
        OWNED(integer_matrix) a = oracle_adjacency(&edges);
        long double x[2][12], largest = 0;
        int is_exact;
        for (uint64_t v = 0; v < n; v++)
            x[0][v] = 1;
        for (int l = 0; l < 20000; l++) {
            largest = 0;
            for (uint64_t u = 0; u < n; u++) {
                x[1][u] = x[0][u];
                for (uint64_t v = 0; v < n; v++)
                    x[1][u] += (long double)mpz_get_ui(a.entry[u * n + v]) * x[0][v];
                largest = fmaxl(largest, x[1][u]);
            }
            for (uint64_t u = 0; u < n; u++)
                x[0][u] = x[1][u] / largest;
        }
        if (edges.n_edges > 0)
            CU_ASSERT_DOUBLE_EQUAL(atof(growth_of(&edges, 18, &is_exact)), (double)(largest - 1),
                                   1e-12);
    }
}

TEST("what does not grow")
{
    OWNED(edge_set) edges = edge_set_empty(3, true);
    edge_set_add(&edges, 0, 1, 1);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    OWNED(pc_recurrence) *recurrence = NULL;
    OWNED(pc_recurrence) *residues = NULL;
    const pc_query total = {.kind = PC_QUERY_TOTAL};
    char text[PC_GROWTH_BYTES];
    int is_exact;
    MUST(pc_recurrence_create(context, graph, &total, 0, &recurrence));
    CU_ASSERT_TRUE(is_refused(context,
                              pc_recurrence_growth(recurrence, 9, text, sizeof text, &is_exact),
                              PC_ERR_RANGE, "all counts are 0 from length 2 on"));
    CU_ASSERT_EQUAL(pc_recurrence_growth(recurrence, 19, text, sizeof text, &is_exact),
                    PC_ERR_ARGUMENT);
    MUST(pc_recurrence_create(context, graph, &total, 7, &residues));
    CU_ASSERT_EQUAL(pc_recurrence_growth(residues, 9, text, sizeof text, &is_exact),
                    PC_ERR_ARGUMENT);
}

/* Below 2^62 each is told, to the last digit. */
TEST("the largest growth rates")
{
    const uint64_t largest = (UINT64_C(1) << 62) - 1;
    const uint64_t told[] = {999999999999999999, UINT64_C(1) << 61, largest},
                   refused[] = {largest + 1, UINT64_MAX};
    int is_exact;
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        OWNED(edge_set) edges = edge_set_constant(1, told[i]);
        CU_ASSERT_EQUAL(strtoull(growth_of(&edges, 18, &is_exact), NULL, 10), told[i]);
        CU_ASSERT_EQUAL(is_exact, 1);
    }
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        OWNED(edge_set) edges = edge_set_constant(1, refused[i]);
        OWNED(pc_graph) *graph = new_graph(context, &edges);
        OWNED(pc_recurrence) *recurrence = NULL;
        const pc_query total = {.kind = PC_QUERY_TOTAL};
        char text[PC_GROWTH_BYTES];
        MUST(pc_recurrence_create(context, graph, &total, 0, &recurrence));
        CU_ASSERT_TRUE(is_refused(context,
                                  pc_recurrence_growth(recurrence, 1, text, sizeof text, &is_exact),
                                  PC_ERR_RANGE, "2^62 or more"));
    }
}

TEST("what has no recurrence")
{
    OWNED(edge_set) edges = edge_set_constant(3, 1);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    OWNED(pc_recurrence) *recurrence = NULL;
    static const uint64_t outside[] = {3}, two[] = {0, 1};
    const pc_query refused[] = {
        {.kind = PC_QUERY_MATRIX},
        {.kind = PC_QUERY_STARTS},
        {.kind = PC_QUERY_CLOSED},
        {.kind = PC_QUERY_PAIRS, .n_asked = 2, .from = two, .to = two},
        {.kind = PC_QUERY_PAIRS, .n_asked = 1, .from = outside, .to = two},
        {.kind = PC_QUERY_FROM, .n_asked = 1, .from = outside},
        {.kind = PC_QUERY_TO, .n_asked = 1},
        {.kind = PC_QUERY_TOTAL, .paths = PC_PATHS_MARKOV},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        CU_ASSERT_EQUAL(pc_recurrence_create(context, graph, &refused[i], 0, &recurrence),
                        PC_ERR_ARGUMENT);
        CU_ASSERT_PTR_NULL(recurrence);
    }
}

/* A search, a term and a growth rate are refused before they begin. */
TEST("too little memory")
{
    random_source source = {91};
    OWNED(edge_set) edges = edge_set_density(&source, 100, 50, true);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    OWNED(pc_recurrence) *recurrence = NULL;
    const pc_query total = {.kind = PC_QUERY_TOTAL};
    char text[PC_GROWTH_BYTES];
    uint64_t term = 0;
    int is_exact;
    pc_context_set_memory_limit(context, 50000);
    CU_ASSERT_TRUE(is_refused(context, pc_recurrence_create(context, graph, &total, 0, &recurrence),
                              PC_ERR_MEMORY, "--memory-limit allows 50.0 kB"));
    CU_ASSERT_PTR_NULL(recurrence);
    pc_context_set_memory_limit(context, 1 << 20);
    MUST(pc_recurrence_create(context, graph, &total, 0, &recurrence));
    CU_ASSERT_TRUE(is_refused(context,
                              pc_recurrence_term(recurrence, 100000, 0, take_number, &term),
                              PC_ERR_MEMORY, "--memory-limit allows 1.0 MB"));
    pc_context_set_memory_limit(context, 50000);
    CU_ASSERT_TRUE(is_refused(context,
                              pc_recurrence_growth(recurrence, 9, text, sizeof text, &is_exact),
                              PC_ERR_MEMORY, "--memory-limit allows 50.0 kB"));
}

TEST("primes")
{
    uint64_t n_primes = 0;
    for (uint64_t n = 0; n < 10000; n++)
        n_primes += (uint64_t)pci_is_prime(n);
    CU_ASSERT_EQUAL(n_primes, 1229);
    uint64_t prime = UINT64_C(1) << 61;
    for (int i = 0; i < 20; i++) { /* none between is passed over */
        uint64_t next = pci_prime_below(prime);
        OWNED(mpz_t) found;
        mpz_init_set_ui(found, next);
        CU_ASSERT_TRUE(mpz_probab_prime_p(found, 30) > 0);
        mpz_nextprime(found, found);
        CU_ASSERT_TRUE(mpz_cmp_ui(found, prime) >= 0);
        prime = next;
    }
    /* Factors of bases, numbers that pass to many bases (Jaeschke, 1993), squares, and odd numbers of 33 bits. */
    const uint64_t hard[] = {73,
                             193,
                             1795265023,
                             2047,
                             3215031751,
                             3825123056546413051,
                             341550071728321,
                             83 * 83,
                             UINT64_C(2147483647) * 2147483647};
    for (uint64_t i = 0; i < sizeof hard / sizeof *hard + 20000; i++) {
        uint64_t n = i < sizeof hard / sizeof *hard ? hard[i] : (UINT64_C(1) << 32) + 2 * i + 1;
        OWNED(mpz_t) number;
        mpz_init_set_ui(number, n);
        CU_ASSERT_EQUAL(pci_is_prime(n) != 0, mpz_probab_prime_p(number, 30) > 0);
    }
}

/* Shortest paths: their number is the entry of the first power of the adjacency matrix that is not 0, and their length is that
 * of the power. PATHCOUNT_TEST_SHORTEST says how many random graphs and faults; 3,000 have been tried. */
#include "src/simple/simple.h"
#include "tests/support/asked.h"
#include "tests/support/failing_allocator.h"
#include "tests/support/fixture.h"
#include "tests/support/library_call.h"
#include "tests/support/noted_blocks.h"

CASE_CONTEXT(context)

enum { DEFAULT_TRIES = 200, MOST_VERTICES = 10 };

static uint64_t n_tries(void)
{
    const char *text = getenv("PATHCOUNT_TEST_SHORTEST");
    return text ? strtoull(text, NULL, 10) : DEFAULT_TRIES;
}

/* ---- Random graphs --------------------------------------------------------------------------- */

static walk_matrices no_answers(uint64_t n)
{
    walk_matrices made = {.n = n, .entry = calloc(n * n + 1, sizeof *made.entry)};
    for (uint64_t e = 0; e < n * n; e++)
        mpq_init(made.entry[e]);
    return made;
}

/* The answers: numbers and distances. */
static void find_answers(const edge_set *edges, walk_matrices *numbers, walk_matrices *distances)
{
    uint64_t n = edges->n;
    OWNED(integer_matrix) adjacency = oracle_adjacency(edges);
    *numbers = no_answers(n);
    *distances = no_answers(n);
    for (uint64_t e = 0; e < n * n; e++)
        mpz_set_ui(mpq_numref(distances->entry[e]), UINT64_MAX);
    for (uint64_t l = n; l-- > 0;) { /* shorter ones replace longer ones */
        OWNED(integer_matrix) power = oracle_power(&adjacency, l);
        for (uint64_t e = 0; e < n * n; e++)
            if (mpz_sgn(power.entry[e])) {
                mpz_set(mpq_numref(numbers->entry[e]), power.entry[e]);
                mpz_set_ui(mpq_numref(distances->entry[e]), l);
            }
    }
}

static edge_set any_graph(random_source *source)
{
    uint64_t n = random_below(source, MOST_VERTICES + 1);
    unsigned share = 50 + (unsigned)random_below(source, 400);
    if (n == 0)
        return edge_set_empty(0, random_below(source, 2));
    return random_below(source, 2) ? edge_set_any(source, n)
                                   : edge_set_density(source, n, share, random_below(source, 2));
}

static void ask_all(pc_context *on, const pc_graph *graph, pc_path_kind paths,
                    const walk_matrices *walks, random_source *source)
{
    static const pc_query_kind kinds[] = {PC_QUERY_MATRIX, PC_QUERY_FROM, PC_QUERY_TO,
                                          PC_QUERY_PAIRS, PC_QUERY_PAIRS};
    vertices v;
    if (walks->n)
        pick_vertices(source, walks->n, &v);
    for (int i = 0; i < 5; i++) {
        bool is_matrix = kinds[i] == PC_QUERY_MATRIX;
        asked a = {.walks = walks,
                   .query = {.kind = kinds[i],
                             .paths = paths,
                             .n_asked = walks->n && !is_matrix ? random_below(source, 30) : 0,
                             .from = v.from,
                             .to = v.to,
                             .keeps = is_matrix && random_below(source, 2)},
                   .options.method = random_below(source, 2) ? PC_METHOD_AUTO : PC_METHOD_SEARCH};
        if (random_below(source, 8) == 0)
            a.options.n_certify_rounds = PC_CERTIFY_NONE;
        check_query(on, graph, &a);
    }
}

TEST("random graphs")
{
    random_source source = {41};
    uint64_t n_graphs = n_tries();
    for (uint64_t g = 0; g < n_graphs; g++) {
        OWNED(edge_set) edges = any_graph(&source);
        OWNED(pc_context) *on = new_context(1 + g % 2);
        OWNED(pc_graph) *graph = NULL;
        if (edge_set_load(on, &edges, &graph) != PC_OK)
            continue; /* weights that are added up do not fit */
        OWNED(walk_matrices) numbers, distances;
        find_answers(&edges, &numbers, &distances);
        ask_all(on, graph, PC_PATHS_SHORTEST, &numbers, &source);
        ask_all(on, graph, PC_PATHS_DISTANCE, &distances, &source);
    }
}

/* ---- Wide numbers ---------------------------------------------------------------------------- */

static edge_set grid_of(uint64_t side)
{
    edge_set edges = edge_set_empty(side * side, false);
    for (uint64_t v = 0; v < side * side; v++) {
        if (v % side + 1 < side)
            edge_set_add(&edges, v, v + 1, 1);
        if (v + side < side * side)
            edge_set_add(&edges, v, v + side, 1);
    }
    return edges;
}

/* The last number of the rows is that of user. */
static pc_status take_last(void *user, uint64_t length, const pc_rows *rows)
{
    mpz_t got;
    mpz_init(got);
    mpz_import(got, rows->n_limbs, -1, 8, 0, 0,
               rows->limbs + (rows->n_rows * rows->n_columns - 1) * rows->n_limbs);
    CU_ASSERT_TRUE(length == 0 && mpz_cmp(got, *(const mpz_t *)user) == 0);
    CU_ASSERT_EQUAL(rows->n_limbs, mpz_size(*(const mpz_t *)user));
    mpz_clear(got);
    return PC_OK;
}

static void check_last(const edge_set *edges, const mpz_t expected)
{
    uint64_t from = 0, to = edges->n - 1;
    OWNED(pc_graph) *graph = new_graph(context, edges);
    pc_query query = {
        .kind = PC_QUERY_PAIRS, .paths = PC_PATHS_SHORTEST, .n_asked = 1, .from = &from, .to = &to};
    MUST(pc_query_run(context, graph, &query, NULL, take_last, (void *)expected));
    query.kind = PC_QUERY_FROM;
    MUST(pc_query_run(context, graph, &query, NULL, take_last, (void *)expected));
}

TEST("grids from corner to corner")
{
    static const uint64_t sides[] = {2, 3, 34, 40, 100, 300}; /* C(598, 299) has 590 bits */
    for (int i = 0; i < 6; i++) {
        OWNED(edge_set) edges = grid_of(sides[i]);
        OWNED(mpz_t) expected;
        mpz_init(expected);
        mpz_bin_uiui(expected, 2 * sides[i] - 2, sides[i] - 1);
        check_last(&edges, expected);
    }
}

/* Along a path each edge is there 2^bits times. Limits pass the range of doubles. */
TEST("powers of two, narrow and very wide")
{
    static const uint64_t cases[][2] = {{1, 62}, {1, 63},  {1, 65},  {3, 21},
                                        {63, 2}, {60, 17}, {61, 40}, {1, 1500}};
    for (int i = 0; i < 8; i++) {
        OWNED(edge_set) edges = edge_set_empty(cases[i][1] + 1, i % 2);
        OWNED(mpz_t) expected;
        mpz_init(expected);
        mpz_setbit(expected, cases[i][0] * cases[i][1]);
        for (uint64_t v = 0; v < cases[i][1]; v++)
            edge_set_add(&edges, v, v + 1, UINT64_C(1) << cases[i][0]);
        check_last(&edges, expected);
    }
}

/* A wrong limit gives no wrong number. */
TEST("numbers that do not fit")
{
    for (uint64_t n_words = 1; n_words <= 3; n_words++)
        for (uint64_t bits = 64 * n_words - 1; bits <= 64 * n_words; bits++) {
            OWNED(edge_set) edges = edge_set_empty(5, true);
            for (uint64_t v = 0; v < 4; v++)
                edge_set_add(&edges, v, v + 1,
                             UINT64_C(1) << (v < 3 ? bits / 4 : bits - bits / 4 * 3));
            OWNED(pc_graph) *graph = new_graph(context, &edges);
            uint64_t from = 0, row[5 * 3];
            const pci_shortest_work work = {context, graph, 1, &from, (uint32_t)n_words};
            CU_ASSERT_EQUAL(pci_shortest_rows(&work, row),
                            bits < 64 * n_words ? PC_OK : PC_ERR_CERTIFY);
        }
}

/* ---- Failures -------------------------------------------------------------------------------- */

TEST("each allocation fails, and each question is cancelled")
{
    static const uint64_t from[] = {1, 4, 4}, to[] = {0, 0, 7};
    static const pc_query_kind kinds[] = {PC_QUERY_MATRIX, PC_QUERY_FROM, PC_QUERY_TO,
                                          PC_QUERY_PAIRS};
    random_source source = {42};
    for (int i = 0; i < 8; i++) {
        OWNED(edge_set) edges = edge_set_density(&source, 12, 300, i % 3 > 0);
        check_halfway(
            &(library_call){.edges = &edges,
                            .query = {.kind = kinds[i % 4],
                                      .paths = i < 4 ? PC_PATHS_SHORTEST : PC_PATHS_DISTANCE,
                                      .n_asked = 3,
                                      .from = from,
                                      .to = to,
                                      .keeps = i == 4}},
            6, 2);
    }
}

/* ---- Faults ---------------------------------------------------------------------------------- */

enum { FAULTY_VERTICES = 16, FAULTY_PAIRS = 96 };

/* Changes a bit of what a run has taken, when it is asked whether to go on for the n-th time. */
typedef struct fault {
    noted_blocks noted;
    random_source source;
    int n_questions, at;
} fault;

/* Vertices stay vertices: the low four bits of a word change. */
static int change_bit(void *user, const char *stage, double fraction)
{
    fault *f = user;
    const noted_blocks *noted = &f->noted;
    (void)stage;
    (void)fraction;
    if (!noted->is_on || f->n_questions++ != f->at || !noted->n)
        return 0;
    uint64_t i = random_below(&f->source, (uint64_t)noted->n), words = 0;
    for (int b = 0; f->n_questions % 2 && b < noted->n; b++) /* rows, the largest block of ours */
        if (noted->block[b] && noted->bytes[b] % 8 == 1 && noted->bytes[b] / 8 > words)
            words = noted->bytes[i = (uint64_t)b] / 8;
    size_t bytes = noted->bytes[i];
    bool is_ours = bytes % 8 == 1 || bytes == 2 * (6 + 1) * 8 ||
                   bytes == 2 * (FAULTY_PAIRS + 1) * 8 ||
                   bytes == 2 * (FAULTY_VERTICES + 1) * 8; /* no part of a reversed graph */
    if (noted->block[i] && is_ours && bytes / 8)
        noted_data(noted->block[i])[random_below(&f->source, bytes / 8) * 8] ^=
            (char)(1 << random_below(&f->source, 4));
    return 0;
}

TEST("faults in rows, pairs and vertices")
{
    static const pc_query_kind kinds[] = {PC_QUERY_MATRIX, PC_QUERY_FROM, PC_QUERY_TO,
                                          PC_QUERY_PAIRS};
    static const uint64_t some[] = {3, 1, 1, 15, 0, 7};
    uint64_t from[FAULTY_PAIRS], to[FAULTY_PAIRS];
    fault f = {.source = {43}};
    uint64_t n_found = 0, n_faults = n_tries();
    for (uint64_t p = 0; p < FAULTY_PAIRS; p++) {
        from[p] = p / 6;
        to[p] = p * 5 % FAULTY_VERTICES;
    }
    for (uint64_t i = 0; i < n_faults; i++) {
        OWNED(edge_set) edges = edge_set_density(&f.source, FAULTY_VERTICES, 150, i / 4 % 2);
        OWNED(walk_matrices) numbers, distances;
        find_answers(&edges, &numbers, &distances);
        bool is_of_distances = i / 8 % 2;
        pc_context *on = new_context(1);
        pc_plan *plan = NULL;
        pc_context_set_allocator(on, (pc_allocator){noted_allocate, noted_release, &f});
        pc_context_set_progress(on, change_bit, &f);
        pc_graph *graph = new_graph(on, &edges);
        asked a = {.walks = is_of_distances ? &distances : &numbers,
                   .query = {.kind = kinds[i % 4],
                             .paths = is_of_distances ? PC_PATHS_DISTANCE : PC_PATHS_SHORTEST,
                             .n_asked = i % 4 == 3 ? FAULTY_PAIRS : 6,
                             .from = i % 4 == 3 ? from : some,
                             .to = i % 4 == 3 ? to : some}};
        MUST(pc_plan_create(on, graph, &a.query, NULL, &plan));
        f.at = (int)random_below(&f.source, i % 4 == 1 || i % 4 == 2 ? 12 : 32);
        f.noted.n = f.n_questions = 0;
        f.noted.is_on = true;
        pc_status status = pc_plan_run(plan, NULL, 0, take_asked, &a);
        f.noted.is_on = false;
        n_found += status == PC_ERR_CERTIFY || *pc_plan_get_info(plan)->recomputed;
        CU_ASSERT_TRUE(status == PC_OK || status == PC_ERR_CERTIFY);
        CU_ASSERT_EQUAL(a.n_wrong, 0);
        pc_plan_free(plan);
        pc_graph_free(graph);
        pc_context_free(on);
    }
    CU_ASSERT_TRUE(n_found > n_faults / 10);
}

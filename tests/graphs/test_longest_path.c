/* The longest path of graphs without cycles, all paths of them, and the cycle that a refusal names. */
#include "tests/support/asked.h"
#include "tests/support/fixture.h"
#include "tests/support/library_call.h"

CASE_CONTEXT(context)

enum { MOST_VERTICES = 9 };

static bool has_arc(const edge_set *edges, uint64_t from, uint64_t to)
{
    for (uint64_t e = 0; e < edges->n_edges; e++)
        if (edges->from[e] == from && edges->to[e] == to)
            return true;
    return false;
}

/* Walks all paths that go on from a vertex, one by one; returns their number, and the arcs of the longest. */
static uint64_t walk(const edge_set *edges, uint64_t from, uint64_t length, uint64_t *longest)
{
    uint64_t n = 0;
    *longest = length > *longest ? length : *longest;
    for (uint64_t to = 0; to < edges->n; to++)
        if (has_arc(edges, from, to))
            n += 1 + walk(edges, to, length + 1, longest);
    return n;
}

/* Arcs from lower to higher places of a random order of the vertices. */
static edge_set without_cycle(random_source *source)
{
    uint64_t n = random_below(source, MOST_VERTICES + 1), place[MOST_VERTICES];
    uint64_t chance = random_below(source, 100);
    edge_set edges = edge_set_empty(n, true);
    for (uint64_t v = 0; v < n; v++) {
        uint64_t other = random_below(source, v + 1);
        place[v] = place[other];
        place[other] = v;
    }
    for (uint64_t v = 0; v < n; v++)
        for (uint64_t w = v + 1; w < n; w++)
            if (random_below(source, 100) < chance)
                edge_set_add(&edges, place[v], place[w], 1);
    return edges;
}

static pc_status take_number(void *user, uint64_t length, const pc_rows *rows)
{
    (void)length;
    *(uint64_t *)user = rows->limbs[0];
    return PC_OK;
}

static pc_status take_integer(void *user, uint64_t length, const pc_rows *rows)
{
    (void)length;
    mpz_import(*(mpz_t *)user, rows->n_limbs, -1, sizeof *rows->limbs, 0, 0, rows->limbs);
    return PC_OK;
}

TEST("all paths of graphs without cycles")
{
    random_source source = {21};
    for (int i = 0; i < 500; i++) {
        OWNED(edge_set) edges = without_cycle(&source);
        OWNED(pc_graph) *graph = new_graph(context, &edges);
        uint64_t length = 99, longest = 0, expected = 0, counted = 99;
        for (uint64_t v = 0; v < edges.n; v++)
            expected += walk(&edges, v, 0, &longest);
        MUST(pc_graph_longest_path(context, graph, &length));
        CU_ASSERT_EQUAL(length, longest);
        const pc_query total = {.kind = PC_QUERY_TOTAL, .length = length, .up_to = 1};
        MUST(pc_query_run(context, graph, &total, NULL, take_number, &counted));
        CU_ASSERT_EQUAL(counted, expected);
    }
}

/* ---- Passes in topological order ------------------------------------------------------------- */

/* Whether the last answer is that of one pass. */
static bool was_passed(void)
{
    const pc_plan_info *plan = pc_plan_last(context);
    CU_ASSERT(plan->seconds.certify <= plan->seconds.total);
    return plan->method == PC_METHOD_SWEEP && plan->sweep_length == 0;
}

/* So many vectors make the answer. */
static uint64_t n_vectors_of(const pc_query *query, uint64_t n)
{
    if (query->kind == PC_QUERY_MATRIX)
        return n;
    return query->kind == PC_QUERY_FROM || query->kind == PC_QUERY_TO ? query->n_asked : 1;
}

/* Powers of GMP matrices added up: counts of several words, residues, weights, vertices that nothing leads to. */
static void check_sums(random_source *source, const edge_set *edges)
{
    static const pc_query_kind kinds[] = {PC_QUERY_TOTAL, PC_QUERY_STARTS, PC_QUERY_ENDS,
                                          PC_QUERY_FROM,  PC_QUERY_TO,     PC_QUERY_PAIRS,
                                          PC_QUERY_MATRIX};
    OWNED(pc_graph) *graph = new_graph(context, edges);
    uint64_t longest;
    vertices v;
    MUST(pc_graph_longest_path(context, graph, &longest));
    OWNED(powers) all = powers_of(edges, longest + random_below(source, 3));
    OWNED(powers) fewer = powers_of(edges, longest > 2 ? longest - 1 : 0);
    pick_vertices(source, edges->n, &v);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        asked a = {.powers = &all,
                   .query = {.kind = kinds[k],
                             .length = all.length,
                             .up_to = 1,
                             .n_asked = 1 + random_below(source, 9),
                             .from = v.from,
                             .to = v.to},
                   .options.n_certify_rounds = random_below(source, 4) ? 0 : PC_CERTIFY_NONE};
        if (random_below(source, 2)) {
            a.options.arithmetic = PC_MODULAR;
            a.options.modulus =
                2 + random_below(source, UINT64_C(1) << (1 + random_below(source, 62)));
        }
        asked b = a;
        check_query(context, graph, &a);
        if (edges->n_edges > 0) /* else it is symmetric */
            CU_ASSERT_EQUAL(was_passed(), all.length > 1);
        if (was_passed() && a.query.kind != PC_QUERY_PAIRS && edges->n_edges > 0)
            CU_ASSERT_EQUAL(pc_plan_last(context)->n_vectors, n_vectors_of(&a.query, edges->n));
        b.powers = &fewer; /* a path is longer */
        b.query.length = fewer.length;
        check_query(context, graph, &b);
        CU_ASSERT_FALSE(was_passed() && fewer.length > 0);
    }
}

TEST("all paths, added up in topological order")
{
    random_source source = {23};
    for (int i = 0; i < 200; i++) {
        OWNED(edge_set) edges = without_cycle(&source);
        if (edges.n == 0)
            continue;
        for (uint64_t e = 0; e < edges.n_edges && i % 2; e++)
            edges.weight[e] = 1 + random_below(&source, UINT64_C(1) << (1 + i % 63));
        MUST(pc_context_set_threads(context, 1 + i % 3));
        check_sums(&source, &edges);
    }
}

/* 1000 vertices in a row, each with three arcs to the next. */
TEST("very many paths")
{
    OWNED(edge_set) edges = edge_set_empty(1000, true);
    for (uint64_t v = 0; v + 1 < edges.n; v++)
        edge_set_add(&edges, v, v + 1, 3);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    OWNED(mpz_t) number;
    OWNED(mpz_t) expected;
    mpz_inits(number, expected, NULL);
    uint64_t first = 0, last = 999;
    pc_query pair = {.kind = PC_QUERY_PAIRS,
                     .length = 2000,
                     .up_to = 1,
                     .n_asked = 1,
                     .from = &first,
                     .to = &last};
    MUST(pc_query_run(context, graph, &pair, NULL, take_integer, &number));
    mpz_ui_pow_ui(expected, 3, 999);
    CU_ASSERT_EQUAL(mpz_cmp(number, expected), 0);
    CU_ASSERT_TRUE(pc_plan_last(context)->bound_bits < (double)mpz_sizeinbase(number, 2) + 3);
}

TEST("no memory, and being stopped")
{
    random_source source = {24};
    OWNED(edge_set) edges = edge_set_empty(6, true);
    for (uint64_t v = 0; v < edges.n; v++)
        for (uint64_t w = v + 1; w < edges.n; w++)
            edge_set_add(&edges, v, w, 1 + random_below(&source, 9));
    uint64_t from[] = {0, 2}, to[] = {5, 4};
    for (int kind = 0; kind < PC_QUERY_CLOSED; kind++)
        for (uint64_t modulus = 0; modulus < 12; modulus += 11)
            check_halfway(&(library_call){.edges = &edges,
                                          .query = {.kind = (pc_query_kind)kind,
                                                    .length = 5,
                                                    .up_to = 1,
                                                    .n_asked = kind <= PC_QUERY_PAIRS ? 2 : 0,
                                                    .from = from,
                                                    .to = to},
                                          .options = {.arithmetic = modulus ? PC_MODULAR : PC_EXACT,
                                                      .modulus = modulus}},
                          6, 1);
    for (int keeps = 0; keeps < 2; keeps++)
        check_halfway(
            &(library_call){
                .edges = &edges,
                .query = {.kind = PC_QUERY_MATRIX, .length = 5, .up_to = 1, .keeps = keeps}},
            8, 1);
}

/* ---- Cycles ---------------------------------------------------------------------------------- */

/* Whether the message names vertices each of which has an arc to the next, back to the first. */
static bool names_cycle(const edge_set *edges)
{
    const char *at = strstr(pc_context_message(context), "the arcs ");
    unsigned first, from, to;
    int used;
    if (!at || sscanf(at, "the arcs %u%n", &from, &used) != 1)
        return false;
    first = from;
    for (at += used; sscanf(at, " -> %u%n", &to, &used) == 1; at += used, from = to)
        if (!has_arc(edges, from, to))
            return false;
    return from == first && strncmp(at, " lead", 5) == 0;
}

TEST("cycles are named")
{
    random_source source = {22};
    for (int i = 0; i < 500; i++) {
        OWNED(edge_set) edges = without_cycle(&source);
        if (edges.n == 0)
            continue;
        uint64_t n_ring = 1 + random_below(&source, edges.n < 8 ? edges.n : 8);
        uint64_t first = random_below(&source, edges.n - n_ring + 1);
        for (uint64_t r = 0; r < n_ring; r++)
            if (!has_arc(&edges, first + r, first + (r + 1) % n_ring))
                edge_set_add(&edges, first + r, first + (r + 1) % n_ring, 1);
        OWNED(pc_graph) *graph = new_graph(context, &edges);
        uint64_t length;
        CU_ASSERT_EQUAL(pc_graph_longest_path(context, graph, &length), PC_ERR_DATA);
        CU_ASSERT_TRUE(names_cycle(&edges));
    }
}

/* A cycle too long to be named whole, and an undirected graph. */
TEST("what is left out")
{
    OWNED(edge_set) ring = edge_set_empty(1000, true);
    for (uint64_t v = 0; v < ring.n; v++)
        edge_set_add(&ring, v, (v + 1) % ring.n, 1);
    OWNED(pc_graph) *graph = new_graph(context, &ring);
    uint64_t length;
    CU_ASSERT(is_refused(context, pc_graph_longest_path(context, graph, &length), PC_ERR_DATA,
                         " -> ... -> "));
    OWNED(edge_set) edge = edge_set_empty(2, false);
    edge_set_add(&edge, 0, 1, 1);
    OWNED(pc_graph) *undirected = new_graph(context, &edge);
    CU_ASSERT(is_refused(context, pc_graph_longest_path(context, undirected, &length), PC_ERR_DATA,
                         "--directed"));
}

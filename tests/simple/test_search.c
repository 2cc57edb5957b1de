/* Paths that visit no vertex twice, by search and by sets of vertices, against an enumeration on the adjacency matrix
 * and against closed forms. */
#include "src/simple/simple.h"
#include "tests/support/failing_allocator.h"
#include "tests/support/fixture.h"

#include <math.h>

CASE_CONTEXT(context)

typedef unsigned __int128 wide;

enum { MOST_N = 42, MOST_LENGTH = 12, MANY_THREADS = 4 };

/* ---- The oracle ------------------------------------------------------------------------------- */

/* Counts modulo 2^128: of[l][v] of the paths of length l from one vertex to v. */
typedef struct enumeration {
    uint64_t n, longest;
    wide arc[MOST_N][MOST_N];
    bool is_visited[MOST_N];
    wide of[MOST_LENGTH + 1][MOST_N];
} enumeration;

static enumeration enumeration_of(const edge_set *edges)
{
    enumeration e = {.n = edges->n};
    OWNED(integer_matrix) a = oracle_adjacency(edges);
    for (uint64_t i = 0; i < e.n * e.n; i++)
        for (size_t w = mpz_size(a.entry[i]); w-- > 0;)
            e.arc[i / e.n][i % e.n] =
                e.arc[i / e.n][i % e.n] << 64 | mpz_getlimbn(a.entry[i], (mp_size_t)w);
    return e;
}

static void extend(enumeration *e, uint64_t last, uint64_t length, wide product)
{
    e->of[length][last] += length ? product : 0;
    if (length == e->longest)
        return;
    e->is_visited[last] = true;
    for (uint64_t v = 0; v < e->n; v++)
        if (!e->is_visited[v] && e->arc[last][v] != 0)
            extend(e, v, length + 1, product * e->arc[last][v]);
    e->is_visited[last] = false;
}

static void enumerate(enumeration *e, uint64_t from, uint64_t longest)
{
    memset(e->of, 0, sizeof e->of);
    e->longest = longest;
    extend(e, from, 0, 1);
}

static wide enumerated(const enumeration *e, uint64_t length, bool up_to, uint64_t v)
{
    wide sum = 0;
    for (uint64_t l = up_to ? 1 : length; l <= length && l <= MOST_LENGTH; l++)
        sum += e->of[l][v];
    return sum;
}

/* ---- Comparing -------------------------------------------------------------------------------- */

static wide read_words(const uint64_t *words, uint32_t n_words)
{
    return words[0] | (n_words == 2 ? (wide)words[1] << 64 : 0);
}

static wide cut(wide number, uint32_t n_words)
{
    return n_words == 1 ? (uint64_t)number : number;
}

/* The work on a graph; the reverse of a directed one is made, and freed by work_free. */
static pci_simple_work work_on(pc_context *on, const pc_graph *graph, pc_graph **reverse)
{
    *reverse = NULL;
    if (!graph->symmetric)
        MUST(pci_graph_reverse(on, graph, reverse));
    return (pci_simple_work){
        .context = on, .graph = graph, .reverse = *reverse ? *reverse : graph, .n_words = 1};
}

/* Entries that are wrong of the rows, by search, by sets and pair by pair, that begin at n_from vertices. */
static uint64_t n_wrong(const pci_simple_work *work, enumeration *e, uint64_t n_from,
                        const uint64_t *from)
{
    uint64_t n = work->graph->n, n_entries = n_from * n, wrong = 0;
    uint32_t n_words = work->n_words;
    OWNED(uint64_t) *made = malloc(3 * n_entries * n_words * sizeof *made);
    OWNED(uint64_t) *ends = malloc(2 * n_entries * sizeof *ends);
    bool has_sets = n <= PCI_MOST_SET_VERTICES;
    memset(made, 0xa5, 3 * n_entries * n_words * sizeof *made);
    for (uint64_t i = 0; i < n_entries; i++) {
        ends[i] = from[i / n];
        ends[n_entries + i] = i % n;
    }
    MUST(pci_search_rows(work, n_from, from, made));
    MUST(pci_search_pairs(work, n_entries, ends, ends + n_entries, made + n_entries * n_words));
    if (has_sets)
        MUST(pci_sets_rows(work, n_from, from, made + 2 * n_entries * n_words));
    for (uint64_t i = 0; i < n_from; i++) {
        enumerate(e, from[i], work->length < MOST_LENGTH ? work->length : MOST_LENGTH);
        for (uint64_t v = 0; v < n; v++) {
            wide expected = cut(enumerated(e, work->length, work->up_to, v), n_words);
            for (uint64_t way = 0; way < 2 + (uint64_t)has_sets; way++)
                wrong +=
                    read_words(made + (way * n_entries + i * n + v) * n_words, n_words) != expected;
        }
    }
    return wrong;
}

/* One length, added up or not, in one word and in two. */
static uint64_t n_wrong_in_all(pc_context *on, const edge_set *edges, uint64_t length,
                               uint64_t n_from, const uint64_t *from)
{
    OWNED(pc_graph) *graph = new_graph(on, edges);
    OWNED(pc_graph) *reverse = NULL;
    enumeration e = enumeration_of(edges);
    uint64_t wrong = 0;
    pci_simple_work work = work_on(on, graph, &reverse);
    work.length = length;
    for (int kind = 0; kind < 4; kind++) {
        work.up_to = kind % 2;
        work.n_words = 1 + (uint32_t)kind / 2;
        wrong += n_wrong(&work, &e, n_from, from);
    }
    return wrong;
}

static const uint64_t every[MOST_N] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};

/* ---- Random graphs ---------------------------------------------------------------------------- */

TEST("random graphs of up to 9 vertices")
{
    random_source source = {71};
    OWNED(pc_context) *threads = new_context(MANY_THREADS);
    for (int g = 0; g < 150; g++) {
        uint64_t n = 1 + random_below(&source, g % 5 ? 7 : 9);
        OWNED(edge_set) edges = edge_set_any_simple(&source, n);
        for (uint64_t length = 1; length <= n + 1; length++) {
            uint64_t wrong = n_wrong_in_all(g % 2 ? threads : context, &edges, length, n, every);
            CU_ASSERT_EQUAL_FATAL(wrong, 0);
        }
    }
}

/* The counts of paths of 6 arcs pass 64 bits. The graphs have loops; one vertex in three has no arcs. */
TEST("multiplicities near 2^20")
{
    random_source source = {72};
    OWNED(pc_context) *threads = new_context(MANY_THREADS);
    for (int g = 0; g < 12; g++) {
        OWNED(edge_set) edges = edge_set_empty(9, g % 2);
        for (uint64_t u = 0; u < 9; u++)
            for (uint64_t v = g % 2 ? 0 : u; v < 9; v++)
                if (random_below(&source, 4) && (g < 6 || (u % 3 && v % 3)))
                    edge_set_add(&edges, u, v, (1 << 20) - random_below(&source, 1 << 10));
        for (uint64_t length = 6; length <= 8; length += 2)
            CU_ASSERT_EQUAL(n_wrong_in_all(g % 3 ? threads : context, &edges, length, 9, every), 0);
    }
}

/* Rows of 10 arcs are too long for bytes of a word. */
TEST("long paths without multiplicities")
{
    random_source source = {76};
    OWNED(pc_context) *threads = new_context(MANY_THREADS);
    for (int g = 0; g < 2; g++) {
        OWNED(edge_set) edges = edge_set_density(&source, 11, 800, g);
        for (uint64_t length = 8; length <= 10; length++)
            CU_ASSERT_EQUAL(n_wrong_in_all(g ? threads : context, &edges, length, 1, every), 0);
    }
}

/* A few rows and pairs of dense graphs, which threads split, and all rows, which they share. */
TEST("threads")
{
    random_source source = {73};
    static const uint64_t few[] = {3, 0};
    OWNED(pc_context) *threads = new_context(MANY_THREADS);
    for (int g = 0; g < 4; g++) {
        OWNED(edge_set) edges = edge_set_density(&source, 10, 950, g % 2);
        for (uint64_t length = 4; length <= 9; length++)
            CU_ASSERT_EQUAL(n_wrong_in_all(threads, &edges, length, 1 + (uint64_t)g / 2, few), 0);
        CU_ASSERT_EQUAL(n_wrong_in_all(threads, &edges, 5, 10, every), 0);
    }
}

/* Pairs that are split need few of them, and long paths. */
TEST("few pairs")
{
    static const uint64_t from[] = {0, 9, 4, 7}, to[] = {9, 2, 4, 9};
    random_source source = {74};
    OWNED(pc_context) *threads = new_context(MANY_THREADS);
    for (int g = 0; g < 8; g++) {
        OWNED(edge_set) edges = edge_set_density(&source, 10, 950, g % 2);
        OWNED(pc_graph) *graph = new_graph(threads, &edges);
        OWNED(pc_graph) *reverse = NULL;
        enumeration e = enumeration_of(&edges);
        pci_simple_work work = work_on(threads, graph, &reverse);
        work.length = 7 + (uint64_t)g % 3;
        work.up_to = g / 4;
        work.n_words = 1 + (uint32_t)g / 2 % 2;
        uint64_t counts[4 * 2];
        MUST(pci_search_pairs(&work, 4, from, to, counts));
        for (int i = 0; i < 4; i++) {
            enumerate(&e, from[i], work.length);
            wide expected = from[i] == to[i] ? 0 : enumerated(&e, work.length, work.up_to, to[i]);
            CU_ASSERT(read_words(counts + (uint32_t)i * work.n_words, work.n_words) == expected);
        }
    }
}

/* Most vertices are too far from a target, or do not reach it. */
TEST("sparse graphs of 40 vertices")
{
    static const uint64_t from[] = {0, 17, 39};
    random_source source = {75};
    OWNED(pc_context) *threads = new_context(MANY_THREADS);
    for (int g = 0; g < 12; g++) {
        OWNED(edge_set) edges = edge_set_density(&source, 40, g % 4 ? 60 : 25, g % 2);
        for (uint64_t length = 1; length <= 6; length++)
            CU_ASSERT_EQUAL(n_wrong_in_all(g % 3 ? threads : context, &edges, length, 3, from), 0);
    }
}

/* ---- Closed forms ----------------------------------------------------------------------------- */

static uint64_t pair_of(const edge_set *edges, uint64_t length, bool up_to, uint64_t from,
                        uint64_t to)
{
    OWNED(pc_graph) *graph = new_graph(context, edges);
    OWNED(pc_graph) *reverse = NULL;
    pci_simple_work work = work_on(context, graph, &reverse);
    uint64_t count = UINT64_MAX;
    work.length = length;
    work.up_to = up_to;
    MUST(pci_search_pairs(&work, 1, &from, &to, &count));
    OWNED(uint64_t) *row = malloc(edges->n * sizeof *row);
    MUST(pci_search_rows(&work, 1, &from, row));
    CU_ASSERT_EQUAL(row[to], count);
    if (edges->n <= 16) {
        MUST(pci_sets_rows(&work, 1, &from, row));
        CU_ASSERT_EQUAL(row[to], count);
    }
    return count;
}

TEST("complete graphs")
{
    for (uint64_t n = 2; n <= 12; n++) {
        OWNED(edge_set) edges = edge_set_constant(n, 1); /* with loops, which do not count */
        uint64_t expected = 1;                           /* (n-2)! / (n-1-k)! */
        for (uint64_t k = 1; k < n && k <= 8; expected *= n - 1 - k, k++)
            CU_ASSERT_EQUAL(pair_of(&edges, k, false, 0, n - 1), expected);
        CU_ASSERT_EQUAL(pair_of(&edges, n, false, 0, n - 1), 0);
    }
}

/* Paths of an odd length lead from one side to the other one, those of an even length back. Those of 2 i - 1 arcs have
 * i - 1 inner vertices on each side, and those of 2 i arcs have i on the other side. */
static void check_bipartite(uint64_t n_one, uint64_t n_other, bool directed, uint64_t longest)
{
    OWNED(edge_set) edges = edge_set_empty(n_one + n_other, directed);
    for (uint64_t u = 0; u < n_one; u++)
        for (uint64_t v = n_one; v < n_one + n_other; v++) {
            edge_set_add(&edges, u, v, 1);
            if (directed)
                edge_set_add(&edges, v, u, 1);
        }
    uint64_t across = 1, back = n_other;
    for (uint64_t i = 1; 2 * i <= longest; i++) {
        CU_ASSERT_EQUAL(pair_of(&edges, 2 * i - 1, false, 0, n_one), across);
        CU_ASSERT_EQUAL(pair_of(&edges, 2 * i, false, 0, n_one), 0);
        CU_ASSERT_EQUAL(pair_of(&edges, 2 * i, false, 0, 1), back);
        across *= (n_one - i) * (n_other - i);
        back *= (n_one - 1 - i) * (n_other - i);
    }
}

/* Bytes that are added up would overflow at vertices with 256 arcs. */
TEST("complete bipartite graphs")
{
    for (int directed = 0; directed <= 1; directed++) {
        check_bipartite(5, 6, directed, 8);
        check_bipartite(4, 600, directed, 4);
    }
}

/* These lead from corner to corner of a grid (https://oeis.org/A007764). */
TEST("self-avoiding walks in grids")
{
    static const uint64_t known[] = {1, 2, 12, 184, 8512};
    for (uint64_t side = 2; side <= 5; side++) {
        OWNED(edge_set) edges = edge_set_empty(side * side, false);
        for (uint64_t i = 0; i < side * side; i++) {
            if (i % side + 1 < side)
                edge_set_add(&edges, i, i + 1, 1);
            if (i / side + 1 < side)
                edge_set_add(&edges, i, i + side, 1);
        }
        CU_ASSERT_EQUAL(pair_of(&edges, side * side, true, 0, side * side - 1), known[side - 1]);
        CU_ASSERT_EQUAL(pair_of(&edges, UINT64_MAX, true, 0, side * side - 1), known[side - 1]);
        CU_ASSERT_EQUAL(pair_of(&edges, UINT64_MAX, false, 0, side * side - 1), 0);
    }
}

/* A path that is deeper than a stack of calls could be. */
TEST("a path of a million arcs")
{
    enum { N = 1000001 };
    OWNED(edge_set) edges = edge_set_empty(N, true);
    for (uint64_t v = 0; v + 1 < N; v++)
        edge_set_add(&edges, v, v + 1, 1);
    CU_ASSERT_EQUAL(pair_of(&edges, N - 1, false, 0, N - 1), 1);
    CU_ASSERT_EQUAL(pair_of(&edges, N, true, 0, N - 1), 1);
}

/* ---- Failures --------------------------------------------------------------------------------- */

typedef enum action {
    BY_ROWS,
    BY_SPLIT_ROW,
    BY_PAIRS,
    BY_SPLIT_PAIR,
    BY_SETS,
    BY_PREDICTION,
    N_ACTIONS
} action;

/* Counts in the complete directed graph of 12 vertices by one of the functions. */
static pc_status act(pc_context *on, void *user)
{
    enum { N = 12 };
    action a = *(const action *)user;
    uint64_t rows[N * N], from[N], to[N];
    double seconds;
    OWNED(edge_set) edges = edge_set_constant(N, 1);
    OWNED(pc_graph) *graph = NULL;
    pc_status status = edge_set_load(on, &edges, &graph);
    if (status != PC_OK)
        return status;
    pci_simple_work work = {.context = on, .graph = graph, .reverse = graph, .n_words = 1};
    for (uint64_t v = 0; v < N; v++) {
        from[v] = v;
        to[v] = N - 1 - v;
    }
    work.length = a == BY_SPLIT_PAIR ? 7 : 5;
    if (a == BY_ROWS || a == BY_SPLIT_ROW)
        return pci_search_rows(&work, a == BY_ROWS ? N : 1, from, rows);
    if (a == BY_PAIRS || a == BY_SPLIT_PAIR)
        return pci_search_pairs(&work, a == BY_PAIRS ? N : 1, from, to, rows);
    if (a == BY_SETS)
        return pci_sets_rows(&work, N, from, rows);
    return pci_search_predict(&work, N, from, to, &seconds);
}

TEST("each request for memory fails")
{
    for (action a = BY_ROWS; a < N_ACTIONS; a++)
        CU_ASSERT(fail_each_allocation(act, &a) >= 3);
}

TEST("cancelled")
{
    for (action a = BY_ROWS; a < N_ACTIONS - 1; a++)
        for (int n_threads = 1; n_threads <= MANY_THREADS; n_threads += MANY_THREADS - 1)
            CU_ASSERT(cancel_at_each_question(act, n_threads, &a) >= 2);
}

static int stop_third(void *user, const char *stage, double fraction)
{
    int *n_calls = user;
    CU_ASSERT(fraction >= 0 && fraction <= 1);
    return strcmp(stage, "search") == 0 && ++*n_calls == 3;
}

/* One pair, and one row, would take many years. */
TEST("cancelled within a long search")
{
    static const uint64_t from = 0, to = 59;
    OWNED(edge_set) edges = edge_set_constant(60, 1);
    for (int n_threads = 1; n_threads <= 2; n_threads++) {
        int n_calls = 0;
        uint64_t row[60];
        OWNED(pc_context) *on = new_context(n_threads);
        OWNED(pc_graph) *graph = new_graph(on, &edges);
        pci_simple_work work = {
            .context = on, .graph = graph, .reverse = graph, .length = 40, .n_words = 1};
        pc_context_set_progress(on, stop_third, &n_calls);
        CU_ASSERT(is_refused(on, pci_search_pairs(&work, 1, &from, &to, row), PC_ERR_CANCELLED,
                             "cancelled"));
        n_calls = 0;
        CU_ASSERT(
            is_refused(on, pci_search_rows(&work, 1, &from, row), PC_ERR_CANCELLED, "cancelled"));
    }
}

/* ---- Predictions ------------------------------------------------------------------------------ */

/* A search of a complete graph has as many vertices as each random path says: one more arc is 47 times the work. */
TEST("predicted seconds")
{
    static const uint64_t from = 0, to = 49;
    double rows[3], pairs[3], all;
    OWNED(edge_set) edges = edge_set_constant(50, 1);
    OWNED(pc_context) *one = new_context(1);
    OWNED(pc_graph) *graph = new_graph(one, &edges);
    pci_simple_work work = {.context = one, .graph = graph, .reverse = graph, .n_words = 1};
    for (uint64_t i = 0; i < 3; i++) {
        work.length = 4 + i;
        MUST(pci_search_predict(&work, 1, &from, NULL, rows + i));
        MUST(pci_search_predict(&work, 1, &from, &to, pairs + i));
    }
    for (int i = 0; i < 2; i++) {
        CU_ASSERT(rows[i] > 0 && pairs[i] > 0 && rows[i] > 4 * pairs[i]);
        CU_ASSERT_DOUBLE_EQUAL(rows[i + 1] / rows[i], 46 - i, 4);
    }
    CU_ASSERT_DOUBLE_EQUAL(pairs[2] / pairs[1], 47, 8);
    work.length = 4;
    MUST(pci_search_predict(&work, 50, NULL, NULL, &all));
    CU_ASSERT_DOUBLE_EQUAL(all / rows[0], 50, 1);
    work.length = 50; /* no path is so long */
    MUST(pci_search_predict(&work, 50, NULL, NULL, &all));
    CU_ASSERT_EQUAL(all, 0);
    CU_ASSERT_EQUAL(pci_sets_bytes(&work), INFINITY);
    CU_ASSERT_EQUAL(pci_sets_seconds(&work, 1), INFINITY);
}

TEST("seconds that no double holds, and the bytes of sets")
{
    OWNED(edge_set) many = edge_set_constant(300, 1), few = edge_set_constant(6, 1);
    OWNED(pc_graph) *large = new_graph(context, &many), *small = new_graph(context, &few);
    pci_simple_work work = {
        .context = context, .graph = large, .reverse = large, .length = 250, .n_words = 1};
    double seconds = 0;
    MUST(pci_search_predict(&work, 300, NULL, NULL, &seconds));
    CU_ASSERT_EQUAL(seconds, INFINITY);
    work = (pci_simple_work){
        .context = context, .graph = small, .reverse = small, .length = 4, .n_words = 2};
    CU_ASSERT_EQUAL(pci_sets_bytes(&work), 16 * (30 + 20)); /* 10 sets of 3, and of 2 */
    MUST(pci_search_pairs(&work, 0, NULL, NULL, NULL));
    MUST(pci_search_rows(&work, 0, NULL, NULL));
    work.length = 6;
    CU_ASSERT_EQUAL(pci_sets_seconds(&work, 1), 0);
}

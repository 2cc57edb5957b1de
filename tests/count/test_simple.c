/* Paths that visit no vertex twice, and cycles: every question, by every method, against an enumeration and
 * against closed forms. PATHCOUNT_TEST_SIMPLE says how many random graphs; 3,000 have been tried.
 * PATHCOUNT_TEST_SIMPLE_VERTICES says how large the graphs are of which all are tried; 7 have been.
 * All cases share the enumeration, so they are one file. */
#include "src/simple/formula.h"
#include "tests/support/all_graphs.h"
#include "tests/support/asked.h"
#include "tests/support/failing_allocator.h"
#include "tests/support/fixture.h"
#include "tests/support/library_call.h"
#include "tests/support/noted_blocks.h"

#include <stdio.h>

CASE_CONTEXT(context)

enum { DEFAULT_GRAPHS = 150, DEFAULT_VERTICES = 6, MOST_FORMULA_LENGTH = 6 };

static uint64_t variable_or(const char *name, uint64_t number)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 10) : number;
}

/* ---- Questions ------------------------------------------------------------------------------- */

typedef struct subject {
    pc_context *context;
    const pc_graph *graph;
    simple_walks walks;
    random_source *source;
} subject;

/* The answers to a kind of question. */
static const walk_matrices *answers_to(const subject *s, pc_path_kind paths, pc_query_kind kind)
{
    return paths == PC_PATHS_SIMPLE  ? &s->walks.paths
           : kind == PC_QUERY_CLOSED ? &s->walks.through
           : kind == PC_QUERY_TOTAL  ? &s->walks.all
                                     : &s->walks.cycles;
}

static pc_partition *any_partition(const subject *s)
{
    uint64_t n = s->graph->n, n_blocks = 1 + random_below(s->source, n);
    uint64_t block[MOST_SIMPLE_VERTICES];
    pc_partition *partition;
    for (uint64_t v = 0; v < n; v++)
        block[v] = v < n_blocks ? n_blocks - 1 - v : random_below(s->source, n_blocks);
    MUST(pc_partition_from_arrays(s->context, s->graph, n_blocks, block, NULL, &partition));
    return partition;
}

/* Options that can answer: every method, residues, and no certificate now and then. */
static pc_count_options any_options(random_source *source, uint64_t longest)
{
    static const pc_method methods[] = {PC_METHOD_AUTO, PC_METHOD_SEARCH, PC_METHOD_SETS,
                                        PC_METHOD_FORMULA};
    static const uint64_t moduli[] = {2, 97, 1000000007, (UINT64_C(1) << 63) - 25};
    pc_count_options options = {
        .method = methods[random_below(source, 3 + (longest <= MOST_FORMULA_LENGTH))]};
    if (random_below(source, 4) == 0) {
        options.arithmetic = PC_MODULAR;
        options.modulus = moduli[random_below(source, 4)];
    }
    if (random_below(source, 8) == 0)
        options.n_certify_rounds = PC_CERTIFY_NONE;
    return options;
}

/* Asks for one length, for each, or for all added up. */
static void ask(const subject *s, pc_path_kind paths, pc_query_kind kind, uint64_t length)
{
    uint64_t n = s->graph->n, way = random_below(s->source, 3);
    bool is_matrix = kind == PC_QUERY_MATRIX;
    bool has_blocks = is_matrix && n && paths == PC_PATHS_SIMPLE && way == 1;
    vertices asked_for;
    if (n)
        pick_vertices(s->source, n, &asked_for);
    OWNED(pc_partition) *blocks = has_blocks ? any_partition(s) : NULL;
    asked a = {.walks = answers_to(s, paths, kind),
               .query = {.kind = kind,
                         .paths = paths,
                         .length = length,
                         .n_asked = n ? random_below(s->source, 6) : 0,
                         .from = asked_for.from,
                         .to = asked_for.to,
                         .each = way == 1 && !is_matrix,
                         .up_to = way == 2,
                         .partition = blocks,
                         .keeps = is_matrix && random_below(s->source, 2)},
               .options = any_options(s->source, length - (paths == PC_PATHS_CYCLES && length))};
    check_query(s->context, s->graph, &a);
}

static void ask_all(const subject *s, uint64_t length)
{
    static const pc_query_kind of_paths[] = {PC_QUERY_MATRIX, PC_QUERY_MATRIX, PC_QUERY_FROM,
                                             PC_QUERY_TO,     PC_QUERY_PAIRS,  PC_QUERY_TOTAL,
                                             PC_QUERY_STARTS, PC_QUERY_ENDS};
    static const pc_query_kind of_cycles[] = {PC_QUERY_MATRIX, PC_QUERY_FROM,  PC_QUERY_TO,
                                              PC_QUERY_PAIRS,  PC_QUERY_TOTAL, PC_QUERY_CLOSED};
    for (int i = 0; i < 8; i++)
        ask(s, PC_PATHS_SIMPLE, of_paths[i], length);
    for (int i = 0; i < 6; i++)
        ask(s, PC_PATHS_CYCLES, of_cycles[i], length);
}

/* ---- Random graphs --------------------------------------------------------------------------- */

/* Directed or not, with loops, isolated vertices and parallel arcs; counts of paths of that length have fewer than
 * 128 bits. */
static edge_set any_graph(random_source *source, uint64_t *length)
{
    static const unsigned weight_bits[] = {0, 0, 2, 10};
    uint64_t n = random_below(source, MOST_SIMPLE_VERTICES + 1);
    edge_set edges = edge_set_empty(n, random_below(source, 2));
    uint64_t bits = weight_bits[random_below(source, 4)], share = 1 + random_below(source, 10);
    uint64_t n_joined = n - (n > 2 && random_below(source, 3) == 0);
    uint64_t loops = random_below(source, 2) * 3;
    edges.multigraph = bits > 0;
    for (uint64_t u = 0; u < n_joined; u++)
        for (uint64_t v = edges.directed ? 0 : u; v < n_joined; v++)
            for (int i = 0; i <= edges.multigraph; i++)
                if (random_below(source, 10) < (u == v ? loops : share))
                    edge_set_add(&edges, u, v, 1 + random_below(source, UINT64_C(1) << bits));
    *length = n <= 7 ? n + 1 : 7;
    return edges;
}

TEST("random graphs")
{
    random_source source = {40};
    uint64_t n_graphs = variable_or("PATHCOUNT_TEST_SIMPLE", DEFAULT_GRAPHS);
    for (uint64_t g = 0; g < n_graphs; g++) {
        uint64_t length;
        OWNED(edge_set) edges = any_graph(&source, &length);
        OWNED(pc_context) *on = new_context(1 + g % 2);
        OWNED(pc_graph) *graph = new_graph(on, &edges);
        OWNED(simple_walks) walks = simple_walks_of(&edges, length);
        const subject s = {on, graph, walks, &source};
        for (uint64_t l = 0; l <= length; l++)
            ask_all(&s, l);
    }
}

/* ---- All graphs ------------------------------------------------------------------------------ */

/* The matrices of paths of each length to 6, and the numbers of cycles of 3 to 7 vertices. */
static void check_graph(const edge_set *edges)
{
    static const pc_count_options options = {.method = PC_METHOD_FORMULA};
    OWNED(pc_graph) *graph = new_graph(context, edges);
    OWNED(simple_walks) walks = simple_walks_of(edges, MOST_FORMULA_LENGTH + 1);
    asked a = {.walks = &walks.paths,
               .query = {.kind = PC_QUERY_MATRIX, .paths = PC_PATHS_SIMPLE},
               .options = options};
    for (a.query.length = 1; a.query.length <= MOST_FORMULA_LENGTH; a.query.length++)
        check_query(context, graph, &a);
    a = (asked){.walks = &walks.all,
                .query = {.kind = PC_QUERY_TOTAL,
                          .paths = PC_PATHS_CYCLES,
                          .length = MOST_FORMULA_LENGTH + 1,
                          .each = 1},
                .options = options};
    check_query(context, graph, &a);
}

TEST("all directed graphs of three vertices")
{
    for (unsigned arcs = 0; arcs < 64; arcs++) {
        OWNED(edge_set) edges = edge_set_empty(3, true);
        for (unsigned a = 0; a < 6; a++)
            if (arcs >> a & 1)
                edge_set_add(&edges, a / 2, (a / 2 + 1 + a % 2) % 3, 1);
        check_graph(&edges);
    }
}

TEST("all graphs up to isomorphism")
{
    for_all_graphs(variable_or("PATHCOUNT_TEST_SIMPLE_VERTICES", DEFAULT_VERTICES), check_graph);
}

/* ---- Closed forms ---------------------------------------------------------------------------- */

typedef enum shape { COMPLETE, BIPARTITE, CYCLE, PATH, CUBE, GRID, PETERSEN } shape;

static bool is_edge(shape shape, uint64_t a, uint64_t b, uint64_t u, uint64_t v)
{
    switch (shape) {
    case COMPLETE:
        return true;
    case BIPARTITE:
        return u < a && v >= a;
    case CYCLE:
        return v == u + 1 || (u == 0 && v == a - 1);
    case PATH:
        return v == u + 1;
    case CUBE:
        return __builtin_popcountll(u ^ v) == 1;
    case GRID:
        return v == u + b || (v == u + 1 && v % b > 0);
    default: /* an outer cycle, spokes, and an inner star */
        return v < 5 ? v == u + 1 || v == u + 4 : u < 5 ? v == u + 5 : v == u + 2 || v == u + 3;
    }
}

/* Makes a shape of a vertices, of a + b (bipartite), 2^a (a cube) or a * b (a grid). */
static edge_set edges_of_shape(shape shape, uint64_t a, uint64_t b)
{
    uint64_t n = shape == BIPARTITE ? a + b : shape == CUBE ? UINT64_C(1) << a : a;
    edge_set edges = edge_set_empty(shape == GRID ? a * b : n, false);
    for (uint64_t v = 0; v < edges.n; v++)
        for (uint64_t u = 0; u < v; u++)
            if (is_edge(shape, a, b, u, v))
                edge_set_add(&edges, u, v, 1);
    return edges;
}

/* The total, or of a pair the paths from the first vertex to the last one. */
static uint64_t number_by(const edge_set *edges, pc_query query, pc_method method)
{
    const pc_count_options options = {.method = method};
    const uint64_t first = 0, last = edges->n - 1;
    OWNED(pc_graph) *graph = new_graph(context, edges);
    OWNED(pc_plan) *plan = NULL;
    OWNED(pc_counts) *counts = NULL;
    uint64_t number = UINT64_MAX;
    query.from = &first;
    query.to = &last;
    query.n_asked = query.kind == PC_QUERY_PAIRS;
    MUST(pc_plan_create(context, graph, &query, &options, &plan));
    MUST(pc_plan_collect(plan, &counts));
    MUST(pc_counts_u64(counts, 0, 0, &number));
    return number;
}

/* Asserts the number, by all methods that reach so far. */
static void check_number(shape shape, uint64_t a, uint64_t b, pc_query query, uint64_t expected)
{
    OWNED(edge_set) edges = edges_of_shape(shape, a, b);
    uint64_t longest = query.length - (query.paths == PC_PATHS_CYCLES);
    bool is_right = number_by(&edges, query, PC_METHOD_SEARCH) == expected;
    if (longest <= MOST_FORMULA_LENGTH)
        is_right &= number_by(&edges, query, PC_METHOD_FORMULA) == expected;
    if (edges.n <= 16)
        is_right &= number_by(&edges, query, PC_METHOD_SETS) == expected;
    if (!is_right)
        printf("\n    shape %d of %d and %d, length %d\n", (int)shape, (int)a, (int)b,
               (int)query.length);
    CU_ASSERT_TRUE(is_right);
}

#define PAIR(K)                                                                                    \
    (pc_query)                                                                                     \
    {                                                                                              \
        .kind = PC_QUERY_PAIRS, .paths = PC_PATHS_SIMPLE, .length = K                              \
    }
#define PAIR_TO(K)                                                                                 \
    (pc_query)                                                                                     \
    {                                                                                              \
        .kind = PC_QUERY_PAIRS, .paths = PC_PATHS_SIMPLE, .length = K, .up_to = 1                  \
    }
#define PATHS(K)                                                                                   \
    (pc_query)                                                                                     \
    {                                                                                              \
        .kind = PC_QUERY_TOTAL, .paths = PC_PATHS_SIMPLE, .length = K                              \
    }
#define CYCLES(K)                                                                                  \
    (pc_query)                                                                                     \
    {                                                                                              \
        .kind = PC_QUERY_TOTAL, .paths = PC_PATHS_CYCLES, .length = K                              \
    }
#define CYCLES_TO(K)                                                                               \
    (pc_query)                                                                                     \
    {                                                                                              \
        .kind = PC_QUERY_TOTAL, .paths = PC_PATHS_CYCLES, .length = K, .up_to = 1                  \
    }

TEST("lengths that no path has")
{
    static const uint64_t lengths[] = {6, 7, 1000, UINT64_C(1) << 63, UINT64_MAX};
    pc_query query = {.kind = PC_QUERY_TOTAL, .paths = PC_PATHS_SIMPLE, .up_to = 1};
    for (int i = 0; i < 5; i++) {
        check_number(COMPLETE, 5, 0, PAIR(lengths[i]), 0);
        check_number(COMPLETE, 5, 0, PATHS(lengths[i]), 0);
        check_number(COMPLETE, 5, 0, CYCLES(lengths[i]), 0);
        query.length = lengths[i];
        check_number(COMPLETE, 5, 0, query, 20 + 60 + 120 + 120);
    }
}

/* n (n - 1) ... of so many factors */
static uint64_t falling(uint64_t n, uint64_t n_factors)
{
    uint64_t product = 1;
    for (uint64_t i = 0; i < n_factors; i++)
        product *= i < n ? n - i : 0;
    return product;
}

TEST("complete graphs and complete bipartite ones")
{
    for (uint64_t n = 2; n <= 9; n++)
        for (uint64_t k = 1; k <= n; k++) {
            check_number(COMPLETE, n, 0, PAIR(k), k < n ? falling(n - 2, k - 1) : 0);
            check_number(COMPLETE, n, 0, CYCLES(k), k > 2 ? falling(n, k) / (2 * k) : 0);
        }
    for (uint64_t a = 1; a <= 4; a++)
        for (uint64_t b = 1; b <= 5; b++)
            for (uint64_t k = 1; k <= 7; k++) { /* in turn from one side and from the other */
                uint64_t few = (k + 1) / 2, many = k / 2 + 1, half = k / 2;
                check_number(BIPARTITE, a, b, PATHS(k),
                             falling(a, few) * falling(b, many) +
                                 falling(a, many) * falling(b, few));
                check_number(BIPARTITE, a, b, CYCLES(k),
                             k % 2 || k < 4 ? 0 : falling(a, half) * falling(b, half) / k);
            }
}

TEST("paths, cycles and Petersen's graph")
{
    static const uint64_t petersen[] = {12, 10, 0, 15, 20, 0}; /* cycles of 5 vertices to 10 */
    for (uint64_t n = 2; n <= 12; n++)
        for (uint64_t k = 1; k <= n; k++) {
            check_number(PATH, n, 0, PATHS(k), k < n ? 2 * (n - k) : 0);
            check_number(PATH, n, 0, PAIR(k), k == n - 1);
            check_number(PATH, n, 0, CYCLES(k), 0);
            if (n < 3)
                continue;
            check_number(CYCLE, n, 0, PATHS(k), k < n ? 2 * n : 0);
            check_number(CYCLE, n, 0, CYCLES(k), k == n);
        }
    for (uint64_t k = 5; k <= 10; k++)
        check_number(PETERSEN, 10, 0, CYCLES(k), petersen[k - 5]);
}

TEST("numbers of the OEIS")
{
    static const uint64_t corners[] = {2, 12, 184, 8512};             /* A007764 */
    static const uint64_t grid_cycles[] = {1, 13, 213};               /* A140517 */
    static const uint64_t all_cycles[] = {1, 7, 37, 197, 1172, 8018}; /* A002807 */
    static const uint64_t arrangements[] = {1, 2, 5, 16, 65, 326};    /* A000522 */
    static const uint64_t squares[] = {1, 6, 24, 80};                 /* A001788 */
    static const uint64_t hexagons[] = {0, 16, 128, 640};             /* A290031 */
    static const uint64_t hamiltonian[] = {1, 6, 1344};               /* A066037 */
    for (uint64_t side = 2; side <= 5; side++)
        check_number(GRID, side, side, PAIR_TO(side * side), corners[side - 2]);
    for (uint64_t side = 2; side <= 4; side++)
        check_number(GRID, side, side, CYCLES_TO(side * side), grid_cycles[side - 2]);
    for (uint64_t n = 3; n <= 8; n++)
        check_number(COMPLETE, n, 0, CYCLES_TO(n % 2 ? n : UINT64_MAX), all_cycles[n - 3]);
    for (uint64_t n = 2; n <= 7; n++)
        check_number(COMPLETE, n, 0, PAIR_TO(n % 2 ? n : UINT64_MAX), arrangements[n - 2]);
    for (uint64_t d = 2; d <= 5; d++) {
        check_number(CUBE, d, 0, CYCLES(4), squares[d - 2]);
        check_number(CUBE, d, 0, CYCLES(6), hexagons[d - 2]);
    }
    for (uint64_t d = 2; d <= 4; d++)
        check_number(CUBE, d, 0, CYCLES(UINT64_C(1) << d), hamiltonian[d - 2]);
}

/* Another program counted these by formulas, and those of length 3 and 4 also by enumeration. */
TEST("jazz musicians")
{
    static const uint64_t paths[] = {206424, 7701830, 286002866, 10516492904, 382328457858};
    static const uint64_t cycles[] = {17899, 406441, 10599231, 297962753, 8729759265};
    const char *folder = getenv("PATHCOUNT_TEST_DATA");
    char path[4096];
    if (!folder || !*folder)
        test_skip("PATHCOUNT_TEST_DATA does not name the folder with the data sets");
    snprintf(path, sizeof path, "%s/jazz.graph", folder);
    OWNED(pc_graph) *graph = NULL;
    MUST(pc_graph_read(context, path, PC_FORMAT_AUTO, NULL, &graph));
    for (uint64_t k = 2; k <= MOST_FORMULA_LENGTH; k++)
        for (int is_cycle = 0; is_cycle < 2; is_cycle++) {
            const pc_query query = is_cycle ? CYCLES(k + 1) : PATHS(k);
            OWNED(pc_plan) *plan = NULL;
            OWNED(pc_counts) *counts = NULL;
            uint64_t number = 0;
            MUST(pc_plan_create(context, graph, &query, NULL, &plan));
            MUST(pc_plan_collect(plan, &counts));
            MUST(pc_counts_u64(counts, 0, 0, &number));
            CU_ASSERT_EQUAL(number, is_cycle ? cycles[k - 2] : paths[k - 2]);
        }
}

/* ---- Widths and sizes ------------------------------------------------------------------------ */

/* Entries have up to 128 bits, one sum of them has more, and any length that may be wider is refused. */
TEST("counts of two words, and sums of three")
{
    enum { BITS = 40, LENGTH = 3 };
    random_source source = {41};
    OWNED(edge_set) edges = edge_set_constant(9, UINT64_C(1) << BITS);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    OWNED(simple_walks) walks = simple_walks_of(&edges, LENGTH);
    const subject s = {context, graph, walks, &source};
    for (int i = 0; i < 8; i++)
        for (uint64_t length = 0; length <= LENGTH; length++)
            ask_all(&s, length);
    for (int kind = 0; kind <= PC_QUERY_MATRIX; kind++) {
        const uint64_t vertex = 1;
        const pc_query query = {.kind = (pc_query_kind)kind,
                                .paths = PC_PATHS_SIMPLE,
                                .length = LENGTH + 1,
                                .n_asked = 1,
                                .from = &vertex,
                                .to = &vertex};
        int n_answers = 0;
        if (kind != PC_QUERY_CLOSED && kind != PC_QUERY_TRACE)
            CU_ASSERT_TRUE(is_refused(
                context, pc_query_run(context, graph, &query, NULL, count_answers, &n_answers),
                PC_ERR_RANGE, "128"));
        CU_ASSERT_EQUAL(n_answers, 0);
    }
}

/* Entries that are not 1 exactly where the vertices of a large cycle are so far apart. */
static pc_status take_distances(void *user, uint64_t length, const pc_rows *rows)
{
    uint64_t *n_wrong = user, n = rows->n_columns;
    for (uint64_t e = 0; e < rows->n_rows * n; e++) {
        uint64_t distance = (e % n + n - rows->first_row - e / n) % n;
        *n_wrong += rows->limbs[e] != (distance == length || distance == n - length);
    }
    *n_wrong -= rows->n_rows; /* which begins with their number */
    return PC_OK;
}

TEST("rows in several blocks")
{
    enum { N = 3100, N_PATH = 1000, LENGTH = 3 };
    OWNED(edge_set) edges = edges_of_shape(CYCLE, N, 0), path = edges_of_shape(PATH, N_PATH, 0);
    path.n = N; /* the last blocks have no paths */
    OWNED(pc_context) *on = new_context(2);
    OWNED(pc_graph) *graph = new_graph(on, &edges);
    for (int i = 0; i < 2; i++) {
        const pc_count_options options = {.method = i ? PC_METHOD_SEARCH : PC_METHOD_FORMULA};
        const pc_query query = {
            .kind = PC_QUERY_MATRIX, .paths = PC_PATHS_SIMPLE, .length = LENGTH};
        uint64_t n_wrong = N;
        MUST(pc_query_run(on, graph, &query, &options, take_distances, &n_wrong));
        CU_ASSERT_EQUAL(n_wrong, 0);
        CU_ASSERT_EQUAL(number_by(&path, PATHS(LENGTH), options.method), 2 * (N_PATH - LENGTH));
    }
}

/* The matrix between blocks that is kept is small, whatever the graph. */
TEST("blocks of a large graph")
{
    enum { N = 60000 };
    OWNED(edge_set) edges = edge_set_empty(N, false);
    for (uint64_t v = 1; v < 300; v++)
        edge_set_add(&edges, v - 1, v, 1);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    OWNED(pc_partition) *halves = NULL;
    OWNED(pc_plan) *plan = NULL;
    MUST(pci_partition_consecutive(context, graph, N / 2, &halves));
    const pc_query query = {.kind = PC_QUERY_MATRIX,
                            .paths = PC_PATHS_SIMPLE,
                            .length = 2,
                            .partition = halves,
                            .keeps = 1};
    MUST(pc_plan_create(context, graph, &query, NULL, &plan));
    CU_ASSERT_TRUE(pc_plan_get_info(plan)->memory_bytes < UINT64_C(1) << 30);
}

/* Formulas and a search, on several threads, make the same answers. */
TEST("methods and threads on larger graphs")
{
    static const pc_query_kind kinds[] = {PC_QUERY_MATRIX, PC_QUERY_STARTS, PC_QUERY_ENDS,
                                          PC_QUERY_TOTAL};
    random_source source = {42};
    for (int i = 0; i < 16; i++) {
        OWNED(edge_set) edges = edge_set_density(&source, 150, 60, i / 4 % 2);
        for (uint64_t e = 0; e < edges.n_edges && i / 8; e++)
            edges.weight[e] = 1 + (edges.from[e] + edges.to[e]) % 9 * 100003;
        pc_query query = {.kind = kinds[i % 4], .paths = PC_PATHS_SIMPLE, .length = 4};
        pc_counts *counts[3];
        pc_context *on[3];
        pc_rows rows[3];
        for (int w = 0; w < 3; w++) {
            const pc_count_options options = {.method = w ? PC_METHOD_FORMULA : PC_METHOD_SEARCH};
            OWNED(pc_plan) *plan = NULL;
            on[w] = new_context(1 + w);
            OWNED(pc_graph) *graph = new_graph(on[w], &edges);
            MUST(pc_plan_create(on[w], graph, &query, &options, &plan));
            MUST(pc_plan_collect(plan, &counts[w]));
            pc_counts_rows(counts[w], &rows[w]);
            size_t bytes = rows[0].n_rows * rows[0].n_columns * rows[0].n_limbs * 8;
            CU_ASSERT_EQUAL(rows[w].n_limbs, rows[0].n_limbs);
            CU_ASSERT_EQUAL(memcmp(rows[w].limbs, rows[0].limbs, bytes), 0);
        }
        for (int w = 0; w < 3; w++) {
            pc_counts_free(counts[w]);
            pc_context_free(on[w]);
        }
    }
}

/* ---- Failures -------------------------------------------------------------------------------- */

TEST("each allocation fails, and each question is cancelled")
{
    static const uint64_t from[] = {1, 4, 4}, to[] = {0, 0, 7};
    static const pc_query_kind kinds[] = {PC_QUERY_MATRIX, PC_QUERY_FROM,   PC_QUERY_PAIRS,
                                          PC_QUERY_TOTAL,  PC_QUERY_STARTS, PC_QUERY_CLOSED};
    random_source source = {43};
    for (int i = 0; i < 3 * 12; i++) {
        pc_query_kind kind = kinds[i % 6];
        bool is_matrix = kind == PC_QUERY_MATRIX, is_cycles = i / 6 % 2 || kind == PC_QUERY_CLOSED;
        int way = i % 4;
        if (is_cycles && kind == PC_QUERY_STARTS)
            continue;
        OWNED(edge_set) edges = edge_set_density(&source, 12, 300, i % 5 < 3);
        check_halfway(
            &(library_call){.edges = &edges,
                            .query = {.kind = kind,
                                      .paths = is_cycles ? PC_PATHS_CYCLES : PC_PATHS_SIMPLE,
                                      .length = 5,
                                      .n_asked = 3,
                                      .from = from,
                                      .to = to,
                                      .each = way == 1 && !is_matrix,
                                      .up_to = way == 2,
                                      .keeps = is_matrix && i / 12 == 1},
                            .block_size = is_matrix && !is_cycles && i / 12 == 2 ? 5 : 0,
                            .options = {.method = (pc_method)(PC_METHOD_FORMULA + i / 12)}},
            6, 3);
    }
}

/* ---- Faults ---------------------------------------------------------------------------------- */

/* Changes a bit, when it is asked whether to go on for the n-th time, in memory that was taken since the run began. */
typedef struct fault {
    noted_blocks noted;
    random_source source;
    uint64_t n_words; /* blocks of that many words or fewer are left alone */
    int n_questions, at;
    pci_formula *formula; /* made last */
    bool breaks_formulas; /* each before a program is made of it, all alike */
} fault;

static void *allocate(void *user, size_t bytes)
{
    fault *f = user;
    void *block = noted_allocate(&f->noted, bytes);
    size_t asked_for = f->noted.n ? f->noted.bytes[f->noted.n - 1] : 0;
    if (f->noted.is_on && f->breaks_formulas && asked_for == sizeof(pci_formula))
        f->formula = (pci_formula *)noted_data(block);
    if (f->noted.is_on && f->breaks_formulas && asked_for == sizeof(pci_program))
        f->formula->term[0].coefficient++;
    return block;
}

/* Numbers are kept in one byte more than they need. */
static int change_bit(void *user, const char *stage, double fraction)
{
    fault *f = user;
    const noted_blocks *noted = &f->noted;
    (void)stage;
    (void)fraction;
    if (!noted->is_on || f->n_questions++ != f->at)
        return 0;
    bool of_program = random_below(&f->source, 4) == 0;
    for (int tries = 0; tries < 1000; tries++) {
        uint64_t i = random_below(&f->source, (uint64_t)noted->n);
        bool is_program = noted->bytes[i] == sizeof(pci_program);
        bool has_numbers = noted->bytes[i] % 8 == 1 && noted->bytes[i] / 8 > f->n_words;
        if (!noted->block[i] || !(of_program ? is_program : has_numbers))
            continue;
        char *data = noted_data(noted->block[i]);
        if (is_program) {
            pci_program *program = (pci_program *)data;
            program->instruction[random_below(&f->source, program->n_instructions)].coefficient ^=
                2;
            break;
        }
        uint64_t bit = random_below(&f->source, 8 * (noted->bytes[i] - 1));
        data[bit / 8] ^= (char)(1 << bit % 8);
        break;
    }
    return 0;
}

/* All that is passed on is right, whatever was changed. Returns whether the change was found. */
static bool is_found(const edge_set *edges, const simple_walks *walks, pc_query query,
                     pc_method method, fault *f)
{
    static const uint64_t vertices[] = {3, 1, 1};
    pc_context *on = new_context(1);
    pc_plan *plan = NULL;
    f->noted.is_on = false;
    pc_context_set_allocator(on, (pc_allocator){allocate, noted_release, f});
    pc_context_set_progress(on, change_bit, f);
    pc_graph *graph = new_graph(on, edges);
    query.n_asked = 3;
    query.from = query.to = vertices;
    asked a = {.walks = answers_to(&(subject){.walks = *walks}, query.paths, query.kind),
               .query = query,
               .options = {.method = method},
               .length = query.each ? 1 : query.length};
    MUST(pc_plan_create(on, graph, &query, &a.options, &plan));
    f->n_words = query.kind == PC_QUERY_PAIRS ? query.n_asked - 1 : edges->n;
    f->noted.n = f->n_questions = 0;
    f->noted.is_on = true;
    pc_status status = pc_plan_run(plan, NULL, 0, take_asked, &a);
    bool found = status == PC_ERR_CERTIFY || *pc_plan_get_info(plan)->recomputed;
    CU_ASSERT_TRUE(status == PC_OK || status == PC_ERR_CERTIFY);
    CU_ASSERT_EQUAL(a.n_wrong, 0);
    f->noted.is_on = false;
    pc_plan_free(plan);
    pc_graph_free(graph);
    pc_context_free(on);
    return found;
}

TEST("faults in what is made")
{
    static const pc_query_kind kinds[] = {PC_QUERY_MATRIX, PC_QUERY_FROM,   PC_QUERY_PAIRS,
                                          PC_QUERY_TOTAL,  PC_QUERY_STARTS, PC_QUERY_CLOSED};
    fault f = {.source = {44}};
    int n_found = 0, n_faults = 0;
    int n_queries = 72 + (int)variable_or("PATHCOUNT_TEST_SIMPLE", 0) / 6;
    for (int i = 0; i < n_queries; i++) {
        pc_query query = {.kind = kinds[i % 6], .length = 4 + (uint64_t)(i / 6) % 2};
        OWNED(edge_set) edges = edge_set_empty(12, i / 6 % 2);
        for (uint64_t e = 0; e < 60;
             e++) /* no loops: then the arcs of the graph are used, not a copy */
            if (e % 12 != e * e % 11)
                edge_set_add(&edges, e % 12, e * e % 11, i % 3 == 1 ? 1 << 20 : 1);
        OWNED(simple_walks) walks = simple_walks_of(&edges, query.length);
        query.paths =
            query.kind == PC_QUERY_CLOSED || i / 12 % 2 ? PC_PATHS_CYCLES : PC_PATHS_SIMPLE;
        query.each = i % 2 && query.kind != PC_QUERY_MATRIX;
        pc_method method = i % 5 == 4 ? PC_METHOD_SEARCH : PC_METHOD_FORMULA;
        if (query.kind == PC_QUERY_STARTS && query.paths == PC_PATHS_CYCLES)
            continue;
        for (f.at = 0, f.n_questions = 1; f.at < f.n_questions; f.at++, n_faults++)
            n_found += is_found(&edges, &walks, query, method, &f);
    }
    CU_ASSERT_TRUE(n_found > n_faults / 3);
}

/* Both copies are wrong alike: entries that a search counts show it. */
TEST("a wrong formula")
{
    fault f = {.source = {45}, .at = -1, .breaks_formulas = true};
    OWNED(pc_context) *on = new_context(1);
    OWNED(edge_set) edges = edges_of_shape(COMPLETE, 40, 0);
    OWNED(pc_graph) *graph = NULL;
    OWNED(pc_plan) *plan = NULL;
    OWNED(pc_counts) *counts = NULL;
    const pc_query query = PATHS(3);
    const pc_count_options options = {.method = PC_METHOD_FORMULA};
    pc_context_set_allocator(on, (pc_allocator){allocate, noted_release, &f});
    graph = new_graph(on, &edges);
    MUST(pc_plan_create(on, graph, &query, &options, &plan));
    f.noted.is_on = true;
    CU_ASSERT_EQUAL(pc_plan_collect(plan, &counts), PC_ERR_CERTIFY);
}

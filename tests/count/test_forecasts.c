/* Memory of routes to wide counts: what they hold at most, GMP's memory and the text of the answer included, is no more
 * than their plans foretold, and no less than nine tenths of that; simple paths may take less, as both copies of what they
 * need are rarely there at once, and recurrences, whose length is not known. */
#include "tests/support/failing_allocator.h"
#include "tests/support/fixture.h"

#include <stdlib.h>

enum {
    LEAST_BYTES = 4 << 20, /* that a forecast is exact of */
    ROOM = 64 << 10,       /* of plans themselves */
    PROGRAM_BYTES = 8 << 20,
    WRITING_BYTES = 2 << 20, /* that forecasts of matrices have for each thread */
    N_THREADS = 2
};

/* ---- All memory ------------------------------------------------------------------------------ */

static pc_allocator counted; /* of the running case; GMP takes from it, too */

static void *allocate(size_t bytes)
{
    void *block = counted.allocate(counted.user, bytes);
    CU_ASSERT_PTR_NOT_NULL_FATAL(block);
    return block;
}

static void release(void *block, size_t bytes)
{
    (void)bytes;
    counted.release(counted.user, block);
}

static void *reallocate(void *block, size_t old_bytes, size_t bytes)
{
    void *moved = allocate(bytes);
    memcpy(moved, block, old_bytes < bytes ? old_bytes : bytes);
    release(block, old_bytes);
    return moved;
}

/* Makes the text of one number after the other, as the command does. */
static pc_status take_text(void *user, uint64_t length, const pc_rows *rows)
{
    (void)length;
    for (uint64_t e = 0; e < rows->n_rows * rows->n_columns && user; e++) {
        size_t bytes = 20 * (size_t)rows->n_limbs + 2;
        char *text = allocate(bytes);
        CU_ASSERT_EQUAL(pc_rows_text(rows, e, text, bytes, NULL), PC_OK);
        release(text, bytes);
    }
    return PC_OK;
}

/* ---- Questions ------------------------------------------------------------------------------- */

typedef struct question {
    const edge_set *edges;
    pc_query query;
    pc_method method;
    bool is_weighted;
    uint64_t modulus; /* 0: integers */
} question;

/* What was held at most while the question was answered, the graph included. */
static double bytes_held(const question *q, pc_plan_info *plan)
{
    failing_allocator allocator = FAILING_ALLOCATOR;
    OWNED(pc_context) *context = failing_context(&allocator, N_THREADS);
    OWNED(pc_graph) *graph = new_graph(context, q->edges);
    pc_count_options options = {.method = q->method,
                                .arithmetic = q->modulus ? PC_MODULAR : PC_EXACT,
                                .modulus = q->modulus};
    uint64_t before = allocator.peak_bytes = allocator.live_bytes;
    counted = (pc_allocator){counted_allocate, counted_release, &allocator};
    mp_set_memory_functions(allocate, reallocate, release);
    pc_status status = pc_query_run(context, graph, &q->query, &options, take_text, &counted);
    mp_set_memory_functions(NULL, NULL, NULL);
    MUST(status);
    *plan = *pc_plan_last(context);
    double graph_bytes =
        8 * (double)(q->edges->n + 1) + (q->is_weighted ? 12 : 4) * (double)plan->n_arcs;
    return (double)(allocator.peak_bytes - before) + graph_bytes;
}

static void check(const question *q)
{
    pc_plan_info plan;
    double held = bytes_held(q, &plan), foretold = (double)plan.memory_bytes;
    bool is_simple = q->query.paths >= PC_PATHS_SIMPLE;
    if ((q->query.kind == PC_QUERY_MATRIX && plan.method != PC_METHOD_DENSE) || is_simple)
        foretold -= PROGRAM_BYTES + N_THREADS * WRITING_BYTES;
    bool is_right =
        held <= foretold + ROOM && (held < LEAST_BYTES || q->method == PC_METHOD_RECURRENCE ||
                                    held >= (is_simple ? 0.7 : 0.9) * foretold);
    if (!is_right || getenv("PATHCOUNT_TEST_FORECASTS"))
        printf("\n    kind %d, %3d vertices, length %8d: held %9.0f, foretold %9.0f: %.3f",
               (int)q->query.kind, (int)q->edges->n, (int)q->query.length, held, foretold,
               held / foretold);
    CU_ASSERT_TRUE(is_right);
}

/* A total, a pair, and a trace. */
static void check_numbers(pc_path_kind paths, const edge_set *edges, uint64_t length)
{
    static const uint64_t u = 0, v = 1;
    pc_query queries[] = {
        {.kind = PC_QUERY_TOTAL, .length = length},
        {.kind = PC_QUERY_PAIRS, .length = length, .n_asked = 1, .from = &u, .to = &v},
        {.kind = PC_QUERY_TRACE, .length = length}};
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        queries[i].paths = paths;
        queries[i].up_to = length % 2 == 0;
        check(&(question){edges, queries[i], PC_METHOD_RECURRENCE, false, 0});
    }
}

/* All have recurrences that are shorter than they have vertices. */
static edge_set wheel(uint64_t n)
{
    edge_set edges = edge_set_empty(n, false);
    for (uint64_t v = 1; v < n; v++) {
        edge_set_add(&edges, 0, v, 1);
        edge_set_add(&edges, v, v + 1 < n ? v + 1 : 1, 1);
    }
    return edges;
}

/* Where a length is short the search takes as much as the term. */
TEST("recurrences")
{
    enum { ALL = PC_PATHS_ALL, NB = PC_PATHS_NON_BACKTRACKING };
    static const struct {
        int paths;
        uint64_t n, length;
        unsigned per_mille;
        bool directed;
        uint64_t n_wheel; /* 0: none */
    } rows[] = {{ALL, 2, 3000000, 1000, false, 6}, {ALL, 3, 2000000, 1000, false, 7},
                {ALL, 12, 500000, 300, false, 16}, {ALL, 40, 100000, 300, true, 44},
                {ALL, 90, 20000, 300, true, 94},   {ALL, 100, 210, 60, false, 0},
                {ALL, 100, 210, 60, true, 0},      {NB, 100, 800, 60, false, 0},
                {NB, 100, 800, 60, true, 0},       {NB, 4, 2000000, 600, false, 4},
                {NB, 12, 200000, 600, true, 12},   {NB, 40, 60000, 150, false, 40},
                {NB, 90, 20000, 150, true, 90}};
    random_source source = {1};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pc_path_kind paths = (pc_path_kind)rows[i].paths;
        OWNED(edge_set) edges =
            edge_set_density(&source, rows[i].n, rows[i].per_mille, rows[i].directed);
        check_numbers(paths, &edges, rows[i].length);
        if (rows[i].n_wheel) {
            OWNED(edge_set) wheels = wheel(rows[i].n_wheel);
            check_numbers(paths, &wheels, rows[i].length);
        }
    }
}

TEST("matrices squared")
{
    random_source source = {5};
    for (int i = 0; i < 4; i++) {
        uint64_t n = 60 + 70 * (uint64_t)(i / 2);
        OWNED(edge_set) edges = edge_set_density(&source, n, 80, i % 2);
        pc_query query = {.kind = PC_QUERY_MATRIX, .length = 8000 - 25 * n};
        check(&(question){&edges, query, PC_METHOD_DENSE, false, 0});
        check(&(question){&edges, query, PC_METHOD_DENSE, false, UINT64_MAX >> (1 + 40 * (i % 2))});
    }
}

TEST("matrices of lengths added up")
{
    random_source source = {7};
    for (int i = 0; i < 4; i++) {
        OWNED(edge_set) edges = edge_set_density(&source, i < 2 ? 300 : 100, 80, i % 2);
        pc_query query = {.kind = PC_QUERY_MATRIX, .length = i < 2 ? 1000000 : 500, .up_to = 1};
        check(&(question){&edges, query, PC_METHOD_AUTO, false, i < 2 ? 1000003 : 0});
    }
}

TEST("matrices as polynomials, and swept")
{
    static const uint64_t sizes[] = {12, 30, 60}, lengths[] = {100000, 20000, 2000};
    random_source source = {3};
    for (int i = 0; i < 6; i++) {
        OWNED(edge_set) edges =
            i % 2 ? wheel(sizes[i / 2]) : edge_set_density(&source, sizes[i / 2], 300, i > 2);
        pc_query query = {.kind = PC_QUERY_MATRIX, .length = lengths[i / 2]};
        check(&(question){&edges, query, PC_METHOD_RECURRENCE, false, 0});
        query.length = 2000;
        check(&(question){&edges, query, PC_METHOD_SWEEP, false, 0});
    }
}

/* Arcs to later vertices, so near or so far; the longest path passes most of them. */
static edge_set without_cycle(random_source *source, uint64_t n, uint64_t most, uint64_t weight)
{
    edge_set edges = edge_set_empty(n, true);
    for (uint64_t v = 0; v + 1 < n; v++)
        for (int a = 0; a < 4; a++) {
            uint64_t left = n - v - 1;
            edge_set_add(&edges, v, v + 1 + random_below(source, left < most ? left : most),
                         weight);
        }
    return edges;
}

TEST("all paths of graphs without cycles")
{
    static const uint64_t u = 3, v = 3000;
    random_source source = {4};
    for (int i = 0; i < 4; i++) {
        uint64_t n = i < 2 ? 5000 : 200000;
        OWNED(edge_set) edges = without_cycle(&source, n, i < 2 ? 4 : n, i % 2 ? 3 : 1);
        const pc_query queries[] = {
            {.kind = PC_QUERY_TOTAL, .up_to = 1, .length = n},
            {.kind = PC_QUERY_PAIRS, .up_to = 1, .length = n, .n_asked = 1, .from = &u, .to = &v},
            {.kind = PC_QUERY_STARTS, .up_to = 1, .length = n},
            {.kind = PC_QUERY_TO, .up_to = 1, .length = n, .n_asked = 1, .to = &v}};
        for (size_t k = 0; k < sizeof queries / sizeof *queries; k++)
            check(&(question){&edges, queries[k], PC_METHOD_AUTO, i % 2, 0});
    }
}

TEST("simple paths and cycles")
{
    static const uint64_t u = 3, v = 17;
    static const pc_query queries[] = {
        {.kind = PC_QUERY_MATRIX, .paths = PC_PATHS_SIMPLE, .length = 4},
        {.kind = PC_QUERY_TOTAL, .paths = PC_PATHS_SIMPLE, .length = 6},
        {.kind = PC_QUERY_STARTS, .paths = PC_PATHS_SIMPLE, .length = 5, .up_to = 1},
        {.kind = PC_QUERY_PAIRS,
         .paths = PC_PATHS_SIMPLE,
         .length = 4,
         .n_asked = 1,
         .from = &u,
         .to = &v},
        {.kind = PC_QUERY_CLOSED, .paths = PC_PATHS_CYCLES, .length = 5}};
    random_source source = {6};
    for (int i = 0; i < 6; i++) {
        OWNED(edge_set) edges =
            edge_set_density(&source, i / 4 ? 1000 : 22, i / 4 ? 5 : 200, i % 2);
        bool is_weighted = i / 2 % 2;
        for (uint64_t e = 0; e < edges.n_edges && is_weighted; e++)
            edges.weight[e] = 1 + e % 3;
        for (size_t k = 0; k < sizeof queries / sizeof *queries; k++) {
            check(&(question){&edges, queries[k], PC_METHOD_FORMULA, is_weighted, 0});
            if (!(i / 4))
                check(&(question){&edges, queries[k], PC_METHOD_SETS, is_weighted, 0});
            if (k != 1)
                check(&(question){&edges, queries[k], PC_METHOD_SEARCH, is_weighted, 0});
        }
    }
    OWNED(edge_set) large = edge_set_empty(300000, false);
    for (uint64_t i = 1; i < large.n; i++)
        edge_set_add(&large, i - 1, i, 1);
    check(&(question){&large, queries[3], PC_METHOD_SEARCH, false, 0});
}

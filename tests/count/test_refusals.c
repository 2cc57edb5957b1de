/* Questions that are refused: one table of what is asked and what is said. The plan, and every call that
 * asks the same, must refuse alike, before a row is delivered. */
#include "tests/support/library_call.h"

#include <stdio.h>

/* Graphs to ask about. */
enum shape {
    LIGHT,  /* all arcs between 3 vertices */
    DOUBLE, /* the same of weight 2 */
    WIDE,   /* of weight 2^64 - 1 */
    HEAVY,  /* all arcs between 2 vertices, of weight 2^40 */
    CYCLE,  /* there and back again between 2 vertices */
    DENSE,  /* 30 vertices */
    SPARSE, /* 200 vertices */
    LARGE,  /* 500 vertices */
};

static edge_set graph_of(enum shape shape)
{
    random_source source = {9};
    edge_set cycle = edge_set_empty(2, true);
    switch (shape) {
    case LIGHT:
        return edge_set_constant(3, 1);
    case DOUBLE:
        return edge_set_constant(3, 2);
    case WIDE:
        return edge_set_constant(3, UINT64_MAX);
    case HEAVY:
        return edge_set_constant(2, UINT64_C(1) << 40);
    case CYCLE:
        edge_set_add(&cycle, 0, 1, 1);
        edge_set_add(&cycle, 1, 0, 1);
        return cycle;
    case DENSE:
        return edge_set_density(&source, 30, 900, true);
    case SPARSE:
        return edge_set_density(&source, 200, 30, true);
    default:
        return edge_set_density(&source, 500, 20, true);
    }
}

typedef struct refusal {
    pc_status status;
    const char *words, *others; /* in the message; others may be NULL */
    enum shape graph;
    pc_query query;
    pc_count_options options;
    uint64_t block_size, memory_limit;
} refusal;

static const uint64_t inside[] = {0, 2}, outside[] = {1, 3};
static const uint64_t most = UINT64_MAX, half = UINT64_C(1) << 63;

#define MATRIX .kind = PC_QUERY_MATRIX
#define TOTAL  .kind = PC_QUERY_TOTAL
#define CLOSED .kind = PC_QUERY_CLOSED
#define ASKED  .length = 2, .n_asked = 2
#define EXACTLY(METHOD)                                                                            \
    {                                                                                              \
        .method = PC_METHOD_##METHOD                                                               \
    }
#define MODULO(M)                                                                                  \
    {                                                                                              \
        .arithmetic = PC_MODULAR, .modulus = M                                                     \
    }
#define BY(ARITHMETIC, METHOD)                                                                     \
    {                                                                                              \
        .arithmetic = PC_##ARITHMETIC, .method = PC_METHOD_##METHOD,                               \
        .modulus = PC_##ARITHMETIC == PC_MODULAR ? 7 : 0                                           \
    }

static void check_calls(pc_context *context, const pc_graph *graph, const refusal *r)
{
    library_call call = {r->query, r->options, r->block_size, NULL};
    for (int keeps = 0; keeps <= (r->query.kind == PC_QUERY_MATRIX); keeps++) {
        int n_deliveries;
        call.query.keeps = keeps;
        CU_ASSERT(is_refused(context, make_call(context, graph, &call, &n_deliveries), r->status,
                             r->words));
        CU_ASSERT(!r->others || says(context, r->others));
        CU_ASSERT_EQUAL(n_deliveries, 0);
    }
}

static void check(const refusal *r)
{
    OWNED(edge_set) edges = graph_of(r->graph);
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    OWNED(pc_partition) *blocks = NULL;
    pc_query query = r->query;
    pc_plan_info plan = {.length = 77};
    if (r->block_size)
        MUST(pci_partition_consecutive(context, graph, r->block_size, &blocks));
    query.partition = blocks;
    pc_context_set_memory_limit(context, r->memory_limit);
    CU_ASSERT(is_refused(context, plan_query(context, graph, &query, &r->options, &plan), r->status,
                         r->words));
    CU_ASSERT(!r->others || says(context, r->others));
    CU_ASSERT_EQUAL(plan.length, 77);
    check_calls(context, graph, r);
}

static void check_table(const refusal *table, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned n_failures = CU_get_number_of_failures();
        check(&table[i]);
        if (CU_get_number_of_failures() > n_failures)
            printf("\n    row %zu: %s\n", i, table[i].words);
    }
}
#define CHECK_TABLE(TABLE) check_table(TABLE, sizeof(TABLE) / sizeof *(TABLE))

/* Sums of all kinds, for a length, for each and added up. */
static pc_query sums_query(int i, uint64_t length)
{
    static const pc_query_kind kinds[] = {PC_QUERY_TOTAL, PC_QUERY_STARTS, PC_QUERY_ENDS};
    int way = i / 3 % 3;
    return (pc_query){.kind = kinds[i % 3], .length = length, .each = way == 1, .up_to = way == 2};
}

/* clang-format off */
TEST("arguments of queries")
{
    const refusal table[] = {
        {.status = PC_ERR_ARGUMENT, "from[1] is vertex 3", NULL, LIGHT, {.kind = PC_QUERY_FROM, ASKED, .from = outside}},
        {.status = PC_ERR_ARGUMENT, "to[1] is vertex 3", NULL, LIGHT, {.kind = PC_QUERY_TO, ASKED, .to = outside}},
        {.status = PC_ERR_ARGUMENT, "to[1] is vertex 3", NULL, LIGHT, {.kind = PC_QUERY_PAIRS, ASKED, .from = inside, .to = outside}},
        {.status = PC_ERR_ARGUMENT, "'to'", NULL, LIGHT, {.kind = PC_QUERY_TO, ASKED, .from = inside}},
        {.status = PC_ERR_ARGUMENT, "not both", NULL, LIGHT, {TOTAL, .length = 2, .each = 1, .up_to = 1}},
        {.status = PC_ERR_ARGUMENT, "kind", NULL, LIGHT, {.kind = (pc_query_kind)(PC_QUERY_MATRIX + 1)}},
    };
    CHECK_TABLE(table);
}

TEST("options without sense")
{
    static const pc_query queries[] = {{TOTAL, .length = 2}, {MATRIX, .length = 3}};
    const uint64_t moduli[] = {0, 1, half, half + 1, most};
    for (int q = 0; q < 3; q++) {
        const pc_query query = queries[q > 0];
        const uint64_t size = q == 2 ? 2 : 0;
        const refusal table[] = {
            {.status = PC_ERR_ARGUMENT, "arithmetic", "3", LIGHT, query, {.arithmetic = (pc_arithmetic)3}, size, 0},
            {.status = PC_ERR_ARGUMENT, "arithmetic", "99", LIGHT, query, {.arithmetic = (pc_arithmetic)99}, size, 0},
            {.status = PC_ERR_ARGUMENT, "rounds", "65", LIGHT, query, {.n_certify_rounds = 65}, size, 0},
            {.status = PC_ERR_ARGUMENT, "-2", "64", LIGHT, query, {.n_certify_rounds = -2}, size, 0},
            {.status = PC_ERR_ARGUMENT, "modulus", "arithmetic", LIGHT, query, {.modulus = 7}, size, 0},
            {.status = PC_ERR_ARGUMENT, "modulus", "arithmetic", LIGHT, query, {.arithmetic = PC_FLOAT, .modulus = 7}, size, 0},
            {.status = PC_ERR_ARGUMENT, "method", NULL, LIGHT, query, {.method = (pc_method)(PC_METHOD_SETS + 1)}, size, 0},
            {.status = PC_ERR_ARGUMENT, "method", NULL, LIGHT, query, {.method = (pc_method)-1}, size, 0},
        };
        CHECK_TABLE(table);
        for (int m = 0; m < 5; m++) {
            const refusal row = {.status = PC_ERR_ARGUMENT, "modulus", "2^63", LIGHT, query, MODULO(moduli[m]), size, 0};
            check(&row);
        }
    }
}

TEST("methods that cannot answer")
{
    const refusal table[] = {
        {.status = PC_ERR_ARGUMENT, "too short", NULL, LIGHT, {MATRIX, .length = 0}, EXACTLY(HYBRID)},
        {.status = PC_ERR_ARGUMENT, "too short", NULL, LIGHT, {MATRIX, .length = 1}, EXACTLY(HYBRID)},
        {.status = PC_ERR_ARGUMENT, "too short", NULL, LIGHT, {MATRIX, .length = 2}, EXACTLY(HYBRID)},
        {.status = PC_ERR_ARGUMENT, "too short", NULL, LIGHT, {MATRIX, .length = 3}, EXACTLY(HYBRID)},
        {.status = PC_ERR_ARGUMENT, "too short", NULL, LIGHT, {TOTAL, .length = 3}, EXACTLY(HYBRID)},
        {.status = PC_ERR_ARGUMENT, "2^63", NULL, HEAVY, {MATRIX, .length = 8}, EXACTLY(HYBRID)},
        {.status = PC_ERR_ARGUMENT, "exactly", NULL, LIGHT, {MATRIX, .length = 8}, BY(MODULAR, HYBRID)},
        {.status = PC_ERR_ARGUMENT, "exactly", NULL, LIGHT, {MATRIX, .length = 8}, BY(FLOAT, HYBRID)},
        {.status = PC_ERR_ARGUMENT, "sweep", NULL, LIGHT, {TOTAL, .paths = PC_PATHS_NON_BACKTRACKING, .length = 5}, EXACTLY(DENSE)},
    };
    CHECK_TABLE(table);
}

TEST("lengths and widths out of reach")
{
    const refusal table[] = {
        {.status = PC_ERR_RANGE, "--mod", "--float", CYCLE, {MATRIX, .length = most}},
        {.status = PC_ERR_RANGE, "--mod", NULL, LIGHT, {TOTAL, .length = most}},
        {.status = PC_ERR_RANGE, "squares", NULL, LIGHT, {TOTAL, .length = most}, BY(MODULAR, SWEEP)},
        {.status = PC_ERR_RANGE, "pass over", NULL, LIGHT, {MATRIX, .length = UINT64_C(1) << 40}, EXACTLY(SWEEP)},
        {.status = PC_ERR_RANGE, "pass over", NULL, LIGHT, {MATRIX, .length = UINT64_C(1) << 40}, BY(MODULAR, SWEEP)},
        {.status = PC_ERR_RANGE, "pass over", NULL, LIGHT, {MATRIX, .length = UINT64_C(1) << 40}, BY(FLOAT, SWEEP)},
        {.status = PC_ERR_RANGE, "wider", "--method sweep", WIDE, {TOTAL, .length = 2000}, EXACTLY(DENSE)},
        {.status = PC_ERR_RANGE, "100000", "--method sweep", DENSE, {MATRIX, .length = 100000}, EXACTLY(DENSE), 4, 0},
        {.status = PC_ERR_RANGE, "18446744073709551615", "--mod", DENSE, {MATRIX, .length = most}, {0}, 4, 0},
    };
    CHECK_TABLE(table);
    for (int i = 0; i < 9; i++)
        check(&(refusal){.status = PC_ERR_RANGE, "wider", NULL, WIDE, sums_query(i, 1600), EXACTLY(DENSE)});
}

TEST("kinds of path")
{
    const pc_path_kind turning = PC_PATHS_NON_BACKTRACKING, markov = PC_PATHS_MARKOV;
    const refusal table[] = {
        {.status = PC_ERR_ARGUMENT, "not in doubles", NULL, LIGHT, {CLOSED, .paths = turning, .length = 2}, BY(FLOAT, AUTO)},
        {.status = PC_ERR_ARGUMENT, "not in doubles", NULL, LIGHT, {CLOSED, .paths = turning, .length = 2}, BY(FLOAT, DENSE)},
        {.status = PC_ERR_ARGUMENT, "weights", NULL, DOUBLE, {CLOSED, .paths = turning, .length = 2}},
        {.status = PC_ERR_ARGUMENT, "weights", NULL, DOUBLE, {CLOSED, .paths = turning, .length = 2}, MODULO(7)},
        {.status = PC_ERR_ARGUMENT, "powers", NULL, LIGHT, {CLOSED, .paths = turning, .length = 2}, EXACTLY(HYBRID)},
        {.status = PC_ERR_ARGUMENT, "powers", NULL, LIGHT, {CLOSED, .paths = markov, .length = 2}, BY(FLOAT, DENSE)},
        {.status = PC_ERR_ARGUMENT, "PC_FLOAT", NULL, LIGHT, {CLOSED, .paths = markov, .length = 2}},
        {.status = PC_ERR_ARGUMENT, "PC_FLOAT", NULL, LIGHT, {CLOSED, .paths = markov, .length = 2}, MODULO(7)},
        {.status = PC_ERR_ARGUMENT, "kind of path 7", NULL, LIGHT, {CLOSED, .paths = (pc_path_kind)(PC_PATHS_DISTANCE + 1), .length = 2}},
    };
    CHECK_TABLE(table);
}

TEST("paths that visit no vertex twice, and cycles")
{
    const pc_path_kind simple = PC_PATHS_SIMPLE, cycles = PC_PATHS_CYCLES;
    const refusal table[] = {
        {.status = PC_ERR_ARGUMENT, "--cycles", NULL, LIGHT, {CLOSED, .paths = simple, .length = 3}},
        {.status = PC_ERR_ARGUMENT, "--cycles", NULL, LIGHT, {.kind = PC_QUERY_TRACE, .paths = simple, .length = 3}},
        {.status = PC_ERR_ARGUMENT, "doubles", NULL, LIGHT, {TOTAL, .paths = simple, .length = 3}, BY(FLOAT, AUTO)},
        {.status = PC_ERR_ARGUMENT, "doubles", NULL, LIGHT, {TOTAL, .paths = cycles, .length = 3}, BY(FLOAT, AUTO)},
        {.status = PC_ERR_ARGUMENT, "walks", "method", LIGHT, {TOTAL, .paths = simple, .length = 3}, EXACTLY(DENSE)},
        {.status = PC_ERR_ARGUMENT, "walks", "method", LIGHT, {MATRIX, .paths = simple, .length = 3}, EXACTLY(SWEEP)},
        {.status = PC_ERR_ARGUMENT, "walks", "method", LIGHT, {MATRIX, .paths = cycles, .length = 5}, EXACTLY(HYBRID)},
        {.status = PC_ERR_ARGUMENT, "walks", "method", LIGHT, {TOTAL, .paths = cycles, .length = 3}, BY(MODULAR, SWEEP)},
        {.status = PC_ERR_ARGUMENT, "walks", NULL, LIGHT, {TOTAL, .length = 3}, EXACTLY(FORMULA)},
        {.status = PC_ERR_ARGUMENT, "walks", NULL, LIGHT, {TOTAL, .length = 3}, EXACTLY(SETS)},
        {.status = PC_ERR_ARGUMENT, "--total", "--closed", LIGHT, {.kind = PC_QUERY_TRACE, .paths = cycles, .length = 3}},
        {.status = PC_ERR_ARGUMENT, "--total", "--closed", LIGHT, {.kind = PC_QUERY_STARTS, .paths = cycles, .length = 3}},
        {.status = PC_ERR_ARGUMENT, "--total", "--closed", LIGHT, {.kind = PC_QUERY_ENDS, .paths = cycles, .length = 3}},
        {.status = PC_ERR_ARGUMENT, "--total", "--closed", LIGHT, {MATRIX, .paths = cycles, .length = 3}, {0}, 2, 0},
        {.status = PC_ERR_ARGUMENT, "one length", NULL, LIGHT, {MATRIX, .paths = simple, .length = 3, .each = 1}},
        {.status = PC_ERR_ARGUMENT, "6 arcs", "search", LIGHT, {MATRIX, .paths = simple, .length = 7}, EXACTLY(FORMULA)},
        {.status = PC_ERR_ARGUMENT, "6 arcs", "search", LIGHT, {TOTAL, .paths = cycles, .length = 8}, EXACTLY(FORMULA)},
        {.status = PC_ERR_ARGUMENT, "of at most 26", "search", DENSE, {MATRIX, .paths = simple, .length = 2}, EXACTLY(SETS)},
        {.status = PC_ERR_ARGUMENT, "of at most 26", "search", DENSE, {CLOSED, .paths = cycles, .length = 3}, EXACTLY(SETS)},
        {.status = PC_ERR_RANGE, "128", "weights", WIDE, {TOTAL, .paths = simple, .length = 2}},
        {.status = PC_ERR_RANGE, "128", "weights", WIDE, {MATRIX, .paths = simple, .length = 2}, MODULO(7)},
        {.status = PC_ERR_RANGE, "128", "weights", WIDE, {CLOSED, .paths = cycles, .length = 3}},
        {.status = PC_ERR_MEMORY, "--memory-limit", NULL, SPARSE, {MATRIX, .paths = simple, .length = 4}, {0}, 0, 40000},
        {.status = PC_ERR_MEMORY, "--memory-limit", NULL, SPARSE, {TOTAL, .paths = cycles, .length = 4}, {0}, 0, 40000},
    };
    CHECK_TABLE(table);
}

TEST("shortest paths")
{
    const pc_path_kind shortest = PC_PATHS_SHORTEST, distance = PC_PATHS_DISTANCE;
    const refusal table[] = {
        {.status = PC_ERR_ARGUMENT, "length 0", NULL, LIGHT, {MATRIX, .paths = shortest, .length = 3}},
        {.status = PC_ERR_ARGUMENT, "length 0", NULL, LIGHT, {TOTAL, .paths = distance, .each = 1}},
        {.status = PC_ERR_ARGUMENT, "not added up", NULL, LIGHT, {TOTAL, .paths = shortest}},
        {.status = PC_ERR_ARGUMENT, "not added up", NULL, LIGHT, {.kind = PC_QUERY_STARTS, .paths = shortest}},
        {.status = PC_ERR_ARGUMENT, "not added up", NULL, LIGHT, {MATRIX, .paths = shortest}, {0}, 2, 0},
        {.status = PC_ERR_ARGUMENT, "exactly", NULL, LIGHT, {MATRIX, .paths = shortest}, MODULO(7)},
        {.status = PC_ERR_ARGUMENT, "exactly", NULL, LIGHT, {MATRIX, .paths = distance}, BY(FLOAT, AUTO)},
        {.status = PC_ERR_ARGUMENT, "method", NULL, LIGHT, {MATRIX, .paths = shortest}, EXACTLY(DENSE)},
        {.status = PC_ERR_MEMORY, "--memory-limit", NULL, SPARSE, {MATRIX, .paths = shortest}, {0}, 0, 40000},
    };
    CHECK_TABLE(table);
}

TEST("memory limits")
{
    const refusal table[] = {
        {.status = PC_ERR_MEMORY, "--memory-limit", NULL, LARGE, {CLOSED, .length = 50, .each = 1}, {0}, 0, 100 << 10},
        {.status = PC_ERR_MEMORY, "--memory-limit", NULL, LARGE, {TOTAL, .length = 5}, {0}, 0, 100},
        {.status = PC_ERR_MEMORY, "--memory-limit", "200 vertices", SPARSE, {MATRIX, .length = 0}, {0}, 3, 1000},
        {.status = PC_ERR_MEMORY, "--memory-limit", "200 vertices", SPARSE, {MATRIX, .length = 3}, MODULO(7), 3, 1000},
        {.status = PC_ERR_MEMORY, "--memory-limit", "200 vertices", SPARSE, {MATRIX, .length = 7}, BY(FLOAT, AUTO), 3, 1000},
    };
    CHECK_TABLE(table);
    for (int i = 0; i < 18; i++)
        check(&(refusal){.status = PC_ERR_MEMORY, "--memory-limit", NULL, SPARSE, sums_query(i, 40), .memory_limit = i < 9 ? 10 : 4000});
}
/* clang-format on */

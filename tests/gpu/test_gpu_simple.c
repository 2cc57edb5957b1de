/* Simple paths and cycles counted on a GPU beside those of the processors, byte for byte. */
#ifdef PATHCOUNT_WITH_CUDA
#include "tests/support/fixture.h"

#include "tests/gpu/gpu_device.h"

/* Of the processors and of a GPU. */
static pc_context *contexts[2];

/* Counts by formulas on a device. */
static pc_counts *count_on(bool is_gpu, const edge_set *edges, const pc_query *query)
{
    const char *device = is_gpu ? gpu_name() : "cpu";
    pc_count_options options = {.method = PC_METHOD_FORMULA};
    pc_context *context = contexts[is_gpu];
    pc_graph *graph = NULL;
    pc_plan *plan = NULL;
    pc_counts *counts = NULL;
    MUST(pc_context_set_device(context, device));
    MUST(edge_set_load(context, edges, &graph));
    pc_status status = pc_plan_create(context, graph, query, &options, &plan);
    if (status == PC_OK) {
        CU_ASSERT_STRING_EQUAL(pc_plan_get_info(plan)->engine, is_gpu ? "cuda" : "cpu");
        status = pc_plan_collect(plan, &counts);
    }
    if (status != PC_OK && status != PC_ERR_RANGE)
        printf("%s: %s\n", device, pc_context_message(context));
    CU_ASSERT_FATAL(status == PC_OK || status == PC_ERR_RANGE);
    pc_plan_free(plan);
    pc_graph_free(graph);
    return counts;
}

static void compare(const edge_set *edges, const pc_query *query)
{
    pc_counts *counts[2];
    pc_rows rows[2];
    for (int d = 0; d < 2; d++) {
        contexts[d] = new_context(2);
        counts[d] = count_on(d, edges, query);
    }
    CU_ASSERT_FATAL((counts[0] == NULL) == (counts[1] == NULL));
    for (int d = 0; d < 2 && counts[d]; d++)
        pc_counts_rows(counts[d], &rows[d]);
    if (counts[0]) {
        CU_ASSERT_EQUAL_FATAL(rows[0].n_limbs, rows[1].n_limbs);
        size_t n = rows[0].n_rows * rows[0].n_columns * rows[0].n_limbs;
        CU_ASSERT(memcmp(rows[0].limbs, rows[1].limbs, n * sizeof(uint64_t)) == 0);
    }
    for (int d = 0; d < 2; d++) {
        pc_counts_free(counts[d]);
        pc_context_free(contexts[d]);
    }
}

TEST("rows of simple paths and cycles are those of the processors")
{
    random_source random = {40};
    need_any_gpu();
    for (int i = 0; i < (is_small_run() ? 12 : 120); i++) {
        OWNED(edge_set) edges = edge_set_any_simple(&random, 2 + random_below(&random, 150));
        for (uint64_t e = 0; e < edges.n_edges; e++) /* some too wide, most of one or two words */
            edges.weight[e] %= i % 3 ? 2 : 1 << 18;
        pc_query query = {.kind = PC_QUERY_MATRIX,
                          .paths = i % 2 ? PC_PATHS_SIMPLE : PC_PATHS_CYCLES,
                          .length = 1 + random_below(&random, 6),
                          .up_to = i % 5 == 0};
        compare(&edges, &query);
        query.kind = PC_QUERY_TOTAL;
        compare(&edges, &query);
    }
}

TEST("a graph that needs several blocks of sources")
{
    random_source random = {41};
    need_any_gpu();
    OWNED(edge_set) edges = edge_set_density(&random, 700, 20, false);
    pc_query query = {.kind = PC_QUERY_MATRIX, .paths = PC_PATHS_SIMPLE, .length = 5};
    limit_gpu_memory(UINT64_C(48) << 20);
    compare(&edges, &query);
    limit_gpu_memory(0);
}

#endif

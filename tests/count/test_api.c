/* The contract of pathcount.h beyond the counts themselves: forecasts of memory, limits, wrong
 * arguments, contexts that go on after a failure. */
#include "tests/support/fixture.h"
#include "tests/support/failing_allocator.h"

#include <stdio.h>
#include <string.h>

/* A context with a counting allocator and the graph of edges on it. */
typedef struct fixture {
    failing_allocator allocator;
    pc_context *context;
    pc_graph *graph;
} fixture;

static void set_up(fixture *f, uint64_t n, bool directed)
{
    random_source source = {300 + n};
    OWNED(edge_set) edges = edge_set_density(&source, n, 200, directed);
    f->allocator = FAILING_ALLOCATOR;
    f->context = failing_context(&f->allocator, 2);
    f->graph = new_graph(f->context, &edges);
}

static void tear_down(fixture *f)
{
    pc_graph_free(f->graph);
    CU_ASSERT_EQUAL(f->allocator.n_live, 0);
    CU_ASSERT_EQUAL(f->allocator.live_bytes, 0);
    pc_context_free(f->context);
}
#define release_fixture tear_down

/* ---- Plans and limits ------------------------------------------------------------------------ */

/* The forecast is an upper limit of what was held at once, and not an idle one. */
static void check_forecast(uint64_t n, uint64_t k, bool directed)
{
    OWNED(fixture) f;
    set_up(&f, n, directed);
    f.allocator.peak_bytes = f.allocator.live_bytes;
    OWNED(pc_counts) *counts = new_counts(f.context, f.graph, k);
    pc_plan_info plan;
    MUST(plan_last(f.context, &plan));
    if (plan.memory_bytes < f.allocator.peak_bytes ||
        plan.memory_bytes > 2 * f.allocator.peak_bytes + (8 << 20))
        printf("\n    n %llu, length %llu: forecast %llu, peak %llu bytes\n", (unsigned long long)n,
               (unsigned long long)k, (unsigned long long)plan.memory_bytes,
               (unsigned long long)f.allocator.peak_bytes);
    CU_ASSERT_TRUE(plan.memory_bytes >= f.allocator.peak_bytes);
    CU_ASSERT_TRUE(plan.memory_bytes <= 2 * f.allocator.peak_bytes + (8 << 20));
}

TEST("memory forecast")
{
    for (int directed = 0; directed < 2; directed++) {
        check_forecast(100, 3, directed);
        check_forecast(700, 2, directed);
        check_forecast(700, 6, directed);
        check_forecast(700, 33, directed);
        check_forecast(300, 90, directed);
    }
}

/* A result of 64-bit counts costs at most 2.5 times its own size while it is made. */
TEST("memory of a 64-bit result")
{
    enum { N = 1500 };
    for (int directed = 0; directed < 2; directed++) {
        OWNED(fixture) f;
        set_up(&f, N, directed);
        OWNED(pc_counts) *counts = new_counts(f.context, f.graph, 7);
        pc_rows rows;
        pc_counts_rows(counts, &rows);
        CU_ASSERT_EQUAL(rows.n_limbs, 1);
        CU_ASSERT_TRUE((double)f.allocator.peak_bytes <= 2.5 * 8 * N * N);
    }
}

static bool has_digit(const char *text)
{
    return strpbrk(text, "0123456789") != NULL;
}

TEST("limit is refused before allocating")
{
    OWNED(fixture) f;
    set_up(&f, 500, false);
    pc_context_set_memory_limit(f.context, 1 << 20);
    uint64_t before = f.allocator.peak_bytes = f.allocator.live_bytes;
    OWNED(pc_counts) *counts = NULL;
    CU_ASSERT_EQUAL(pc_count(f.context, f.graph, 20, NULL, &counts), PC_ERR_MEMORY);
    CU_ASSERT_PTR_NULL(counts);
    CU_ASSERT_TRUE(has_digit(pc_context_message(f.context)));
    CU_ASSERT_TRUE(f.allocator.peak_bytes - before < 1 << 20);
    pc_context_set_memory_limit(f.context, 0);
    counts = new_counts(f.context, f.graph, 20);
}

/* ---- Arguments ------------------------------------------------------------------------------- */

TEST("entries out of range")
{
    static const uint64_t outside[][2] = {{4, 0}, {0, 4}, {UINT64_MAX, 0}, {0, UINT64_MAX}};
    OWNED(edge_set) edges = edge_set_constant(4, 1);
    OWNED(pc_context) *context = new_context(0);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    OWNED(pc_counts) *counts = new_counts(context, graph, 3);
    uint64_t word = 5;
    double value = 5;
    char text[40] = "5";
    OWNED(mpz_t) integer;
    mpz_init_set_ui(integer, 5);
    for (size_t o = 0; o < sizeof outside / sizeof *outside; o++) {
        uint64_t row = outside[o][0], column = outside[o][1];
        CU_ASSERT_EQUAL(pc_counts_u64(counts, row, column, &word), PC_ERR_ARGUMENT);
        CU_ASSERT_EQUAL(counts_double(counts, row, column, &value), PC_ERR_ARGUMENT);
        CU_ASSERT_EQUAL(counts_mpz(counts, row, column, integer), PC_ERR_ARGUMENT);
        CU_ASSERT_EQUAL(counts_text(counts, row, column, text, sizeof text, NULL), PC_ERR_ARGUMENT);
    }
    CU_ASSERT_TRUE(word == 5 && value == 5 && strcmp(text, "5") == 0);
    CU_ASSERT_EQUAL(mpz_cmp_ui(integer, 5), 0);
}

static int stop_at_once(void *user, const char *stage, double fraction)
{
    (void)user;
    (void)stage;
    (void)fraction;
    return 1;
}

/* An action that fails leaves the context fit for the next. */
TEST("context goes on after a failure")
{
    random_source source = {302};
    OWNED(edge_set) edges = edge_set_density(&source, 30, 200, true);
    OWNED(integer_matrix) expected = oracle_count(&edges, 9);
    OWNED(pc_context) *context = new_context(0);
    OWNED(pc_graph) *graph = NULL;
    const uint64_t from = 1, to = 3;
    CU_ASSERT_EQUAL(graph_from_arrays(context, 3, 1, &from, &to, NULL, NULL, &graph),
                    PC_ERR_ARGUMENT);
    CU_ASSERT_PTR_NULL(graph);
    CU_ASSERT_TRUE(strlen(pc_context_message(context)) > 0);
    graph = new_graph(context, &edges);
    pc_context_set_progress(context, stop_at_once, NULL);
    OWNED(pc_counts) *counts = NULL;
    CU_ASSERT_EQUAL(pc_count(context, graph, 9, NULL, &counts), PC_ERR_CANCELLED);
    CU_ASSERT_PTR_NULL(counts);
    pc_context_set_progress(context, NULL, NULL);
    counts = new_counts(context, graph, 9);
    CU_ASSERT_EQUAL(n_wrong_counts(counts, &expected), 0);
}

/* The contract of pathcount.h beyond the counts themselves: row blocks, plans and their forecasts,
 * limits, wrong arguments, certificates. */
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

/* ---- Row blocks ------------------------------------------------------------------------------ */

typedef struct deliverer {
    uint64_t n_blocks, n_rows; /* seen so far */
    uint64_t stop_at;          /* the block to answer with answer; 0: none */
    pc_status answer;
    const pc_rows *whole; /* the matrix that the blocks must add up to; NULL: not compared */
    int n_wrong;
} deliverer;

static pc_status take_rows(void *user, const pc_rows *rows)
{
    deliverer *d = user;
    d->n_blocks++;
    d->n_wrong += rows->first_row != d->n_rows || rows->n_rows == 0;
    if (d->whole != NULL) {
        size_t row_words = rows->n_columns * rows->n_limbs;
        d->n_wrong += rows->n_columns != d->whole->n_columns ||
                      rows->n_limbs != d->whole->n_limbs ||
                      d->n_rows + rows->n_rows > d->whole->n_rows ||
                      memcmp(rows->limbs, d->whole->limbs + d->n_rows * row_words,
                             rows->n_rows * row_words * sizeof *rows->limbs) != 0;
    }
    d->n_rows += rows->n_rows;
    return d->n_blocks == d->stop_at ? d->answer : PC_OK;
}

TEST("rows are the matrix")
{
    static const uint64_t lengths[] = {0, 1, 2, 9, 70};
    fixture f;
    for (int directed = 0; directed < 2; directed++) {
        set_up(&f, 333, directed);
        for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
            pc_rows whole;
            OWNED(pc_counts) *counts = new_counts(f.context, f.graph, lengths[l]);
            pc_counts_rows(counts, &whole);
            deliverer d = {.whole = &whole};
            CU_ASSERT_EQUAL(stream_counts(f.context, f.graph, lengths[l], NULL, take_rows, &d),
                            PC_OK);
            CU_ASSERT_EQUAL(d.n_rows, 333);
            CU_ASSERT_EQUAL(d.n_wrong, 0);
        }
        tear_down(&f);
    }
}

/* What the receiver of rows answers is what the call returns, and no row comes after. */
TEST("receiver stops a count")
{
    static const pc_status answers[] = {PC_ERR_IO, PC_ERR_CANCELLED, PC_ERR_MEMORY};
    OWNED(fixture) f;
    set_up(&f, 60, false);
    for (size_t a = 0; a < sizeof answers / sizeof *answers; a++) {
        deliverer d = {.stop_at = 1, .answer = answers[a]};
        CU_ASSERT_EQUAL(stream_counts(f.context, f.graph, 6, NULL, take_rows, &d), answers[a]);
        CU_ASSERT_EQUAL(d.n_blocks, 1);
    }
}

/* ---- Plans and limits ------------------------------------------------------------------------ */

TEST("plan is what runs")
{
    OWNED(fixture) f;
    set_up(&f, 100, false);
    pc_plan_info before, after;
    pc_counts *counts;
    CU_ASSERT_EQUAL(plan_last(f.context, &after), PC_ERR_ARGUMENT);
    for (uint64_t k = 0; k <= 100; k += 25) {
        MUST(plan_matrix(f.context, f.graph, k, NULL, 1, &before));
        MUST(pc_count(f.context, f.graph, k, NULL, &counts));
        MUST(plan_last(f.context, &after));
        pc_rows rows;
        pc_counts_rows(counts, &rows);
        CU_ASSERT_EQUAL(before.n_limbs, rows.n_limbs);
        CU_ASSERT_EQUAL(after.n_limbs, rows.n_limbs);
        CU_ASSERT_EQUAL(after.length, k);
        CU_ASSERT_EQUAL(after.n_vertices, 100);
        CU_ASSERT_TRUE(after.symmetric);
        CU_ASSERT_EQUAL(before.n_levels, after.n_levels);
        CU_ASSERT_STRING_EQUAL(before.kernel, after.kernel);
        CU_ASSERT_STRING_EQUAL(before.engine, after.engine);
        CU_ASSERT_STRING_EQUAL(before.engine_reason, after.engine_reason);
        CU_ASSERT_TRUE(strlen(after.engine_reason) > 0);
        CU_ASSERT_EQUAL(after.n_devices > 0, strlen(after.device) > 0);
        CU_ASSERT_TRUE(after.seconds.total > 0);
        pc_counts_free(counts);
    }
}

/* The proved limit is one: no count is wider than the plan said. */
TEST("bound holds")
{
    random_source source = {301};
    OWNED(pc_context) *context = new_context(0);
    for (int round = 0; round < 300; round++) {
        OWNED(edge_set) edges = edge_set_any_simple(&source, 1 + random_below(&source, 12));
        uint64_t k = random_below(&source, 30);
        OWNED(integer_matrix) exact = oracle_count(&edges, k);
        OWNED(pc_graph) *graph = new_graph(context, &edges);
        pc_plan_info plan;
        MUST(plan_matrix(context, graph, k, NULL, 1, &plan));
        for (uint64_t e = 0; e < exact.n * exact.n; e++) {
            long int exponent; /* count < 2^exponent */
            double mantissa = mpz_get_d_2exp(&exponent, exact.entry[e]);
            CU_ASSERT_TRUE(mantissa == 0 || (double)exponent - 1 <= plan.bound_bits);
            CU_ASSERT_TRUE((double)exponent <= 64.0 * plan.n_limbs);
        }
    }
}

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

/* More vertices than int32 sums stay exact for: refused at once. */
TEST("too many vertices")
{
    failing_allocator allocator = FAILING_ALLOCATOR;
    OWNED(pc_context) *context = failing_context(&allocator, 1);
    const uint64_t from = 0, to = 131071;
    pc_graph *graph = NULL;
    MUST(graph_from_arrays(context, 131072, 1, &from, &to, NULL, NULL, &graph));
    pc_context_set_memory_limit(context, UINT64_MAX);
    pc_counts *counts = NULL;
    pc_status status = pc_count(context, graph, 2, NULL, &counts);
    CU_ASSERT_TRUE(status == PC_ERR_ARGUMENT || status == PC_ERR_RANGE || status == PC_ERR_MEMORY);
    CU_ASSERT_PTR_NULL(counts);
    CU_ASSERT_TRUE(allocator.peak_bytes < 64 << 20);
    pc_graph_free(graph);
    CU_ASSERT_EQUAL(allocator.n_live, 0);
}

/* ---- Arguments ------------------------------------------------------------------------------- */

TEST("no vertices")
{
    OWNED(pc_context) *context = new_context(0);
    OWNED(pc_graph) *graph = NULL;
    MUST(graph_from_arrays(context, 0, 0, NULL, NULL, NULL, NULL, &graph));
    for (uint64_t k = 0; k < 3; k++) {
        OWNED(pc_counts) *counts = new_counts(context, graph, k);
        CU_ASSERT_EQUAL(counts_n_rows(counts), 0);
        CU_ASSERT_EQUAL(counts_n_columns(counts), 0);
    }
}

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

TEST("rounds of the certificate")
{
    static const int rounds[] = {PC_CERTIFY_NONE, 0, 1, 2, 7};
    OWNED(fixture) f;
    set_up(&f, 40, true);
    OWNED(pc_counts) *plain = new_counts(f.context, f.graph, 12);
    pc_rows expected, got;
    pc_counts_rows(plain, &expected);
    for (size_t r = 0; r < sizeof rounds / sizeof *rounds; r++) {
        pc_count_options options = {.n_certify_rounds = rounds[r]};
        OWNED(pc_counts) *counts = NULL;
        MUST(pc_count(f.context, f.graph, 12, &options, &counts));
        pc_counts_rows(counts, &got);
        CU_ASSERT_EQUAL(memcmp(got.limbs, expected.limbs,
                               got.n_rows * got.n_columns * got.n_limbs * sizeof *got.limbs),
                        0);
    }
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

/* Reductions of the rows of a matrix: the grid of a picture with its histogram against GMP, entry by
 * entry; whole answers reduced while they are computed against the same rows added by hand, also by
 * an engine that reduces rows where they are. Summaries have a suite of their own. */
#include "tests/support/random_counts.h"

#include "tests/support/fake.h"
#include "src/rows/reduction.h"
#include "tests/support/fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double CLOSE = 1e-9; /* keys of counts have 40 bits */

static bool is_close(double a, double b)
{
    return a == b || fabs(a - b) <= CLOSE * (1 + fabs(b));
}

static double log2_of_mpz(const mpz_t value)
{
    long exponent;
    double fraction = mpz_get_d_2exp(&exponent, value);
    return mpz_sgn(value) == 0 ? -INFINITY : log2(fraction) + (double)exponent;
}

/* ---- Grids ----------------------------------------------------------------------------------- */

static pc_reduction *new_grid(pc_context *context, const pc_graph *graph, uint32_t most_cells)
{
    pc_frame frame = {.rows = pc_graph_labels(graph), .columns = pc_graph_labels(graph)};
    pc_reduction *grid = NULL;
    MUST(pc_grid_create(context, &frame, most_cells, &grid));
    return grid;
}

/* Adds the counts in blocks of uneven height. */
static void add_in_blocks(const count_case *made, pc_reduction *grid)
{
    uint64_t n = counts_n_rows(made->counts), height = 1;
    for (uint64_t first = 0; first < n; first += height, height = height % 5 + 2) {
        pc_rows rows = count_case_rows(made, first, first + height < n ? height : n - first);
        CU_ASSERT_EQUAL(pc_reduction_add(grid, &rows), PC_OK);
    }
}

static void check_cells(const pc_rows *rows, const pc_grid_values *grid)
{
    uint64_t n = rows->n_rows, span = (n + grid->n_down - 1) / grid->n_down;
    double least = INFINITY, largest = -INFINITY;
    mpz_t most, entry;
    mpz_inits(most, entry, NULL);
    CU_ASSERT_EQUAL(grid->row_span, span);
    for (uint64_t i = 0; i < grid->n_down; i++)
        for (uint64_t j = 0; j < grid->n_across; j++) {
            mpz_set_ui(most, 0);
            for (uint64_t r = i * span; r < (i + 1) * span && r < n; r++)
                for (uint64_t c = j * span; c < (j + 1) * span && c < n; c++) {
                    entry_mpz(rows, r * n + c, entry);
                    if (mpz_cmp(entry, most) > 0)
                        mpz_set(most, entry);
                }
            CU_ASSERT(is_close(grid->log2[i * grid->n_across + j], log2_of_mpz(most)));
            largest = fmax(largest, log2_of_mpz(most));
            if (mpz_sgn(most) > 0)
                least = fmin(least, log2_of_mpz(most));
        }
    CU_ASSERT(is_close(grid->least, least) && is_close(grid->most, largest));
    mpz_clears(most, entry, NULL);
}

/* Each entry is taken away from its bin: nothing may be left. */
static void check_bins(const pc_rows *rows, const pc_grid_values *grid)
{
    uint64_t n_zeros = 0, n_left = 0, *bin = calloc(grid->n_bins + 1, sizeof *bin);
    mpz_t entry;
    CU_ASSERT_PTR_NOT_NULL_FATAL(bin);
    memcpy(bin, grid->bin ? grid->bin : bin, grid->n_bins * sizeof *bin);
    mpz_init(entry);
    for (uint64_t e = 0; e < rows->n_rows * rows->n_columns; e++) {
        entry_mpz(rows, e, entry);
        if (mpz_sgn(entry) == 0) {
            n_zeros++;
            continue;
        }
        int64_t b = (int64_t)mpz_sizeinbase(entry, 2) - 1 - grid->first_bin;
        CU_ASSERT_FATAL(b >= 0 && b < grid->n_bins);
        bin[b]--;
    }
    for (uint32_t b = 0; b < grid->n_bins; b++)
        n_left |= bin[b];
    CU_ASSERT_EQUAL(grid->n_zeros, n_zeros);
    CU_ASSERT_EQUAL(n_left, 0);
    mpz_clear(entry);
    free(bin);
}

static void check_grid(const count_case *made, uint32_t most_cells)
{
    uint64_t n = counts_n_rows(made->counts);
    pc_reduction *grid = new_grid(made->context, made->graph, most_cells);
    pc_rows rows = count_case_rows(made, 0, n);
    pc_grid_values values;
    CU_ASSERT_EQUAL(pc_grid_get(grid, &values), PC_OK);
    CU_ASSERT(values.least > values.most && values.n_bins == 0);
    CU_ASSERT(values.n_down >= 1 && values.n_down <= most_cells);
    add_in_blocks(made, grid);
    CU_ASSERT_EQUAL(pc_grid_get(grid, &values), PC_OK);
    check_cells(&rows, &values);
    check_bins(&rows, &values);
    pc_reduction_free(grid);
}

TEST("random grids")
{
    static const uint32_t n_limbs[] = {0, 1, 2, 3, 180}, most[] = {1, 3, 10, 64};
    random_source source = {2024};
    for (int i = 0; i < 5 * 3 * 4 * 2; i++) {
        OWNED(pc_context) *context = new_context(1 + i % 4);
        uint64_t n = i % 2 || n_limbs[i / 2 % 5] > 3 ? 23 : 120; /* of 120 threads share the rows */
        OWNED(count_case) made = count_case_make(context, &source, n, n_limbs[i / 2 % 5], true,
                                                 (entry_kind)(ENTRIES_ANY + i / 10 % 3));
        check_grid(&made, most[i / 30]);
    }
}

/* Blocks of doubles may each have an exponent of their own. */
TEST("exponents")
{
    static const double above[] = {0, 3}, below[] = {1, 0.75};
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_graph) *graph = labelled_graph(context, (const char *const[]){"a", "b"}, 2);
    pc_rows rows = {.n_rows = 1, .n_columns = 2, .values = above, .exponent = 40};
    pc_reduction *grid = new_grid(context, graph, 8);
    pc_grid_values v;
    CU_ASSERT_EQUAL(pc_reduction_add(grid, &rows), PC_OK);
    rows.first_row = 1;
    rows.values = below;
    rows.exponent = -7;
    CU_ASSERT_EQUAL(pc_reduction_add(grid, &rows), PC_OK);
    CU_ASSERT_EQUAL(pc_grid_get(grid, &v), PC_OK);
    CU_ASSERT(v.log2[0] == -INFINITY && is_close(v.log2[1], 40 + log2(3)));
    CU_ASSERT(is_close(v.log2[2], -7) && is_close(v.log2[3], -7 + log2(0.75)));
    CU_ASSERT(is_close(v.least, -7 + log2(0.75)) && is_close(v.most, 40 + log2(3)));
    CU_ASSERT_EQUAL(v.first_bin, -8);
    CU_ASSERT_EQUAL_FATAL(v.n_bins, 50);
    CU_ASSERT(v.bin[0] == 1 && v.bin[1] == 1 && v.bin[49] == 1 && v.n_zeros == 1);
    /* Too far apart for any picture, and for memory. */
    rows.exponent = (int64_t)1 << 60;
    CU_ASSERT_EQUAL(pc_reduction_add(grid, &rows), PC_ERR_RANGE);
    pc_reduction_free(grid);
    /* So large that logarithms have nine digits before the point. */
    rows.exponent = 1000000000;
    grid = new_grid(context, graph, 8);
    CU_ASSERT_EQUAL(pc_reduction_add(grid, &rows), PC_OK);
    CU_ASSERT_EQUAL(pc_grid_get(grid, &v), PC_OK);
    CU_ASSERT(v.log2[2] == 1e9 && fabs(v.log2[3] - 1e9 - log2(0.75)) < 1e-6);
    pc_reduction_free(grid);
}

TEST("means")
{
    static const uint64_t counts[] = {9, 27, 0, 7}, sizes[] = {3, 2};
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_graph) *graph = labelled_graph(context, (const char *const[]){"a", "b"}, 2);
    pc_rows rows = {.n_rows = 2,
                    .n_columns = 2,
                    .n_limbs = 1,
                    .limbs = counts,
                    .row_sizes = sizes,
                    .column_sizes = sizes};
    for (uint32_t most_cells = 1; most_cells <= 8; most_cells += 7) {
        pc_reduction *grid = new_grid(context, graph, most_cells);
        pc_grid_values v;
        CU_ASSERT_EQUAL(pc_reduction_add(grid, &rows), PC_OK);
        CU_ASSERT_EQUAL(pc_grid_get(grid, &v), PC_OK);
        CU_ASSERT(v.first_bin == 0 && v.n_bins == 3 && v.n_zeros == 1);
        CU_ASSERT(v.bin[0] == 2 && v.bin[1] == 0 && v.bin[2] == 1);
        CU_ASSERT(is_close(v.log2[0], most_cells == 1 ? log2(27 / 6.0) : 0));
        CU_ASSERT(most_cells == 1 ||
                  (is_close(v.log2[1], log2(27 / 6.0)) && v.log2[2] == -INFINITY &&
                   is_close(v.log2[3], log2(7 / 4.0))));
        pc_reduction_free(grid);
    }
}

/* A fault in what one of the twins gathered. */
TEST("each fact of a grid is compared with that of its twin")
{
    static const uint64_t whole[4] = {9, 27, 0, 7};
    static const uint64_t faulty[][4] = {
        {9, 27, 1, 7},  /* fewer zeros */
        {9, 27, 0, 3},  /* another first bin */
        {9, 32, 0, 7},  /* one more bin */
        {10, 27, 0, 7}, /* another colour */
        {9, 27, 7, 0},  /* in another place */
    };
    static const uint64_t low[4] = {9, 4, 8, 8}, high[4] = {9, 4, 4, 8};
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_graph) *graph = labelled_graph(context, (const char *const[]){"a", "b"}, 2);
    pc_grid_values v;
    for (size_t f = 0; f <= sizeof faulty / sizeof *faulty; f++) {
        bool is_one_cell = f == sizeof faulty / sizeof *faulty; /* then only bins may differ */
        pc_rows rows = {.n_rows = 2, .n_columns = 2, .n_limbs = 1, .limbs = whole}, others = rows;
        rows.limbs = is_one_cell ? low : whole;
        others.limbs = is_one_cell ? high : faulty[f];
        OWNED(pc_reduction) *grid = new_grid(context, graph, is_one_cell ? 1 : 8);
        pc_reduction *twin = grid->twin;
        CU_ASSERT_PTR_NOT_NULL_FATAL(twin);
        grid->twin = NULL;
        MUST(pc_reduction_add(grid, &rows));
        CU_ASSERT(succeeds(context, pc_grid_get(grid, &v)));
        MUST(pc_reduction_add(twin, &others));
        grid->twin = twin;
        CU_ASSERT(is_refused(context, pc_grid_get(grid, &v), PC_ERR_CERTIFY, "a picture"));
    }
}

TEST("rows of another matrix")
{
    static const uint64_t counts[9] = {1};
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_graph) *graph = labelled_graph(context, (const char *const[]){"a", "b"}, 2);
    pc_reduction *grid = new_grid(context, graph, 8);
    pc_rows wide = {.n_rows = 1, .n_columns = 3, .n_limbs = 1, .limbs = counts};
    pc_rows low = {.first_row = 1, .n_rows = 2, .n_columns = 2, .n_limbs = 1, .limbs = counts};
    pc_summary_values values;
    CU_ASSERT_EQUAL(pc_reduction_add(grid, &wide), PC_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(pc_reduction_add(grid, &low), PC_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(pc_summary_get(grid, &values), PC_ERR_ARGUMENT); /* it is no summary */
    pc_frame frame = {.rows = pc_graph_labels(graph), .columns = pc_graph_labels(graph)};
    pc_reduction *none = NULL;
    CU_ASSERT(is_refused(context, pc_grid_create(context, &frame, 0, &none), PC_ERR_ARGUMENT,
                         "without cells"));
    pc_reduction_free(grid);
}

/* ---- Answers reduced while they are computed --------------------------------------------------- */

typedef struct answer {
    pc_context *context;
    pc_graph *graph;
    pc_reduction *both[2]; /* summary, grid */
    uint64_t n_rows;       /* that came to take_rows */
} answer;

static void make_answer(answer *a, int n_threads, uint64_t n)
{
    random_source source = {n};
    OWNED(edge_set) edges = edge_set_density(&source, n, 150, true);
    a->context = new_context(n_threads);
    a->graph = new_graph(a->context, &edges);
    a->n_rows = 0;
    MUST(summary_of_graph(a->context, a->graph, &a->both[0]));
    a->both[1] = new_grid(a->context, a->graph, 10);
}

static void release_answer(answer *a)
{
    pc_reduction_free(a->both[0]);
    pc_reduction_free(a->both[1]);
    pc_graph_free(a->graph);
    pc_context_free(a->context);
}

static pc_status add_both(void *user, const pc_rows *rows)
{
    answer *a = user;
    pc_status status = pc_reduction_add(a->both[0], rows);
    return status == PC_OK ? pc_reduction_add(a->both[1], rows) : status;
}

static pc_status take_rows(void *user, uint64_t length, const pc_rows *rows)
{
    (void)length;
    ((answer *)user)->n_rows += rows->n_rows;
    return PC_OK;
}

static void check_same_values(const pc_summary_values *s, const pc_summary_values *t)
{
    CU_ASSERT_STRING_EQUAL(s->total, t->total);
    CU_ASSERT_STRING_EQUAL(s->closed, t->closed);
    CU_ASSERT_STRING_EQUAL(s->largest_row_sum, t->largest_row_sum);
    CU_ASSERT_EQUAL(s->largest_row, t->largest_row);
    CU_ASSERT_EQUAL(s->n_nonzero, t->n_nonzero);
    CU_ASSERT_EQUAL_FATAL(s->n_pairs, t->n_pairs);
    for (uint64_t i = 0; i < s->n_pairs; i++)
        CU_ASSERT(s->pairs[i].from == t->pairs[i].from && s->pairs[i].to == t->pairs[i].to &&
                  strcmp(s->pairs[i].count, t->pairs[i].count) == 0);
}

static void check_same(const answer *a, const answer *b)
{
    pc_summary_values s, t;
    pc_grid_values g, h;
    MUST(pc_summary_get(a->both[0], &s));
    MUST(pc_summary_get(b->both[0], &t));
    MUST(pc_grid_get(a->both[1], &g));
    MUST(pc_grid_get(b->both[1], &h));
    check_same_values(&s, &t);
    CU_ASSERT(g.n_zeros == h.n_zeros && g.n_bins == h.n_bins && g.first_bin == h.first_bin);
    CU_ASSERT_EQUAL(memcmp(g.bin, h.bin, g.n_bins * sizeof *g.bin), 0);
    CU_ASSERT_EQUAL(memcmp(g.log2, h.log2, (size_t)g.n_down * g.n_across * sizeof *g.log2), 0);
}

/* Runs a plan of the matrix into the reductions of a; deliver may be NULL. */
static pc_status reduce(answer *a, const pc_count_options *options, pc_answer_fn deliver)
{
    pc_query query = {.kind = PC_QUERY_MATRIX, .length = 9};
    pc_plan *plan = NULL;
    pc_status status = pc_plan_create(a->context, a->graph, &query, options, &plan);
    for (int run = 0; run < 2 && status == PC_OK; run++) /* the second forgets the first */
        status = pc_plan_run(plan, a->both, 2, deliver, a);
    pc_plan_free(plan);
    return status;
}

TEST("every source")
{
    static const pc_method methods[] = {PC_METHOD_DENSE, PC_METHOD_SWEEP, PC_METHOD_HYBRID};
    for (int m = 0; m < 3; m++)
        for (int n_threads = 1; n_threads <= 3; n_threads++) {
            pc_count_options options = {.method = methods[m]};
            answer reduced, added;
            make_answer(&reduced, n_threads, 90);
            make_answer(&added, 1, 90);
            CU_ASSERT_EQUAL(stream_counts(added.context, added.graph, 9, NULL, add_both, &added),
                            PC_OK);
            CU_ASSERT_EQUAL(reduce(&reduced, &options, n_threads == 3 ? take_rows : NULL), PC_OK);
            CU_ASSERT_EQUAL(reduced.n_rows, n_threads == 3 ? 2 * 90 : 0);
            check_same(&reduced, &added);
            release_answer(&reduced);
            release_answer(&added);
        }
}

TEST("questions without rows of a matrix")
{
    pc_query query = {.kind = PC_QUERY_TOTAL, .length = 3};
    pc_plan *plan = NULL;
    answer a;
    make_answer(&a, 1, 5);
    MUST(pc_plan_create(a.context, a.graph, &query, NULL, &plan));
    CU_ASSERT_EQUAL(pc_plan_run(plan, a.both, 2, NULL, NULL), PC_ERR_ARGUMENT);
    pc_plan_free(plan);
    release_answer(&a);
}

static void check_same_grids(pc_reduction *const grids[2])
{
    pc_grid_values a, b;
    MUST(pc_grid_get(grids[0], &a));
    MUST(pc_grid_get(grids[1], &b));
    CU_ASSERT_EQUAL(a.n_zeros, b.n_zeros);
    CU_ASSERT_EQUAL(a.first_bin, b.first_bin);
    CU_ASSERT_EQUAL_FATAL(a.n_bins, b.n_bins);
    CU_ASSERT_EQUAL_FATAL((uint64_t)a.n_down * a.n_across, (uint64_t)b.n_down * b.n_across);
    CU_ASSERT_EQUAL(memcmp(a.log2, b.log2, (size_t)a.n_down * a.n_across * sizeof *a.log2), 0);
    if (a.n_bins)
        CU_ASSERT_EQUAL(memcmp(a.bin, b.bin, a.n_bins * sizeof *a.bin), 0);
}

/* Summaries and pictures of the same matrix, from aggregates of an engine and from the rows. */
static void check_summaries(const edge_set *edges, uint64_t n_pairs, const pc_query *query)
{
    static const char *const ways[] = {"aggregating", "collecting"};
    pc_count_options squaring = {.method = PC_METHOD_DENSE};
    pc_summary_values values[2];
    pc_context *contexts[2];
    pc_reduction *summaries[2], *grids[2];
    for (int w = 0; w < 2; w++) {
        use_fake(ways[w]);
        contexts[w] = new_context(2);
        MUST(pc_context_set_device(contexts[w], "cuda"));
        OWNED(pc_graph) *graph = new_graph(contexts[w], edges);
        pc_frame frame = {.rows = pc_graph_labels(graph),
                          .columns = pc_graph_labels(graph),
                          .symmetric = !edges->directed};
        pc_plan *plan = NULL;
        MUST(pc_summary_create(contexts[w], &frame, n_pairs, &summaries[w]));
        MUST(pc_grid_create(contexts[w], &frame, 7 * (uint32_t)n_pairs, &grids[w]));
        MUST(pc_plan_create(contexts[w], graph, query, &squaring, &plan));
        for (int run = 0; run < 2; run++) /* the second forgets the first */
            MUST(pc_plan_run(plan, (pc_reduction *[]){summaries[w], grids[w]}, 2, NULL, NULL));
        MUST(pc_summary_get(summaries[w], &values[w]));
        pc_plan_free(plan);
    }
    check_same_values(&values[0], &values[1]);
    check_same_grids(grids);
    for (int w = 0; w < 2; w++) {
        pc_reduction_free(grids[w]);
        pc_reduction_free(summaries[w]);
        pc_context_free(contexts[w]);
    }
}

/* Rows of equal counts, rows of zeros, and pairs that two rows of a symmetric matrix share. */
TEST("aggregates")
{
    random_source source = {99};
    for (int i = 0; i < 60; i++) {
        static const uint64_t lengths[] = {2, 5, 9, 40};
        uint64_t n = 80 + random_below(&source, 60);
        bool is_directed = i % 2;
        OWNED(edge_set) edges =
            i % 3 ? edge_set_density(&source, n, i % 3 == 1 ? 40 : 600, is_directed)
                  : edge_set_constant(n, 1);
        pc_query query = {.kind = PC_QUERY_MATRIX, .length = lengths[i / 3 % 4]};
        check_summaries(&edges, 1 + random_below(&source, 5), &query);
    }
}

TEST("rows that are not to be collected")
{
    const pc_count_options squaring = {.method = PC_METHOD_DENSE};
    answer there;
    make_answer(&there, 1, 60);
    pc_reduction_free(there.both[0]);
    there.both[0] = new_grid(there.context, there.graph, 20);
    use_fake("aggregating");
    MUST(pc_context_set_device(there.context, "cuda"));
    CU_ASSERT_EQUAL(reduce(&there, &squaring, NULL), PC_ERR_INTERNAL); /* grids of two sizes */
    release_answer(&there);
}

/* A picture whose aggregates have a wrong bit: it is refused, or computed again, or the bit does not matter. */
TEST("aggregates with a fault")
{
    enum { N = 200, N_FLIPS = 20, N_REFUSED = 4 /* key and tally of both copies */ };
    const pc_count_options squaring = {.method = PC_METHOD_DENSE};
    int n_refused = 0;
    answer right;
    make_answer(&right, 1, N);
    MUST(reduce(&right, &squaring, NULL));
    for (int n = 1; n <= N_FLIPS; n++) {
        char behaviour[32];
        pc_grid_values values;
        answer faulty;
        make_answer(&faulty, 1, N);
        snprintf(behaviour, sizeof behaviour, "flip:%d", n);
        use_fake(behaviour);
        MUST(pc_context_set_device(faulty.context, "cuda"));
        MUST(reduce(&faulty, &squaring, NULL));
        if (pc_grid_get(faulty.both[1], &values) == PC_OK)
            check_same_grids((pc_reduction *[]){right.both[1], faulty.both[1]});
        else
            n_refused++;
        release_answer(&faulty);
    }
    release_answer(&right);
    CU_ASSERT_EQUAL(n_refused, N_REFUSED);
}

/* Summaries against sums and a full sort by GMP, whatever the threads and the blocks. */
#include "tests/support/random_counts.h"

#include "src/rows/counts.h"
#include "src/rows/reduction.h"
#include "tests/support/failing_allocator.h"
#include "tests/support/fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct placed_count {
    uint64_t from, to;
    mpz_t count;
} placed_count;

/* The slow twin of a summary. */
typedef struct expected_summary {
    mpz_t total, closed, largest_row_sum;
    uint64_t largest_row;
    uint64_t n_nonzero;
    uint64_t n_pairs;
    placed_count *pairs; /* all that are not zero, sorted */
} expected_summary;

static int compare_placed(const void *a, const void *b)
{
    const placed_count *x = a, *y = b;
    int order = mpz_cmp(y->count, x->count);
    if (order)
        return order;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

static expected_summary expect(const count_case *made, bool directed)
{
    uint64_t n = counts_n_rows(made->counts);
    pc_rows rows = count_case_rows(made, 0, n);
    expected_summary expected = {.pairs = calloc(n * n + 1, sizeof(placed_count))};
    CU_ASSERT_PTR_NOT_NULL_FATAL(expected.pairs);
    mpz_inits(expected.total, expected.closed, expected.largest_row_sum, NULL);
    mpz_t row_sum, count;
    mpz_inits(row_sum, count, NULL);
    for (uint64_t i = 0; i < n; i++) {
        mpz_set_ui(row_sum, 0);
        for (uint64_t j = 0; j < n; j++) {
            entry_mpz(&rows, i * n + j, count);
            mpz_add(row_sum, row_sum, count);
            if (i == j)
                mpz_add(expected.closed, expected.closed, count);
            expected.n_nonzero += mpz_sgn(count) != 0;
            if (mpz_sgn(count) != 0 && (directed || i <= j)) {
                placed_count *pair = &expected.pairs[expected.n_pairs++];
                pair->from = i;
                pair->to = j;
                mpz_init_set(pair->count, count);
            }
        }
        mpz_add(expected.total, expected.total, row_sum);
        if (mpz_cmp(row_sum, expected.largest_row_sum) > 0) {
            mpz_set(expected.largest_row_sum, row_sum);
            expected.largest_row = i;
        }
    }
    mpz_clears(row_sum, count, NULL);
    qsort(expected.pairs, expected.n_pairs, sizeof *expected.pairs, compare_placed);
    return expected;
}

static void expected_free(expected_summary *expected)
{
    for (uint64_t p = 0; p < expected->n_pairs; p++)
        mpz_clear(expected->pairs[p].count);
    free(expected->pairs);
    mpz_clears(expected->total, expected->closed, expected->largest_row_sum, NULL);
}
#define release_expected_summary expected_free

static void check_number(const char *text, const mpz_t expected)
{
    OWNED(mpz_t) value;
    mpz_init(value);
    CU_ASSERT_EQUAL(mpz_set_str(value, text, 10), 0);
    CU_ASSERT_EQUAL(mpz_cmp(value, expected), 0);
}

static void check_values(const pc_summary_values *values, const expected_summary *expected,
                         uint64_t n_most, bool doubles)
{
    check_number(values->total, expected->total);
    check_number(values->closed, expected->closed);
    check_number(values->largest_row_sum, expected->largest_row_sum);
    CU_ASSERT_EQUAL(values->largest_row, expected->largest_row);
    CU_ASSERT_EQUAL(values->n_nonzero, expected->n_nonzero);
    uint64_t n_pairs = expected->n_pairs < n_most ? expected->n_pairs : n_most;
    CU_ASSERT_EQUAL_FATAL(values->n_pairs, n_pairs);
    for (uint64_t p = 0; p < n_pairs; p++) {
        CU_ASSERT_EQUAL(values->pairs[p].from, expected->pairs[p].from);
        CU_ASSERT_EQUAL(values->pairs[p].to, expected->pairs[p].to);
        check_number(values->pairs[p].count, expected->pairs[p].count);
    }
    if (n_pairs == 0) {
        CU_ASSERT_STRING_EQUAL(values->largest, "0");
        CU_ASSERT_EQUAL(values->largest_bits, 0);
        return;
    }
    const placed_count *first = &expected->pairs[0];
    check_number(values->largest, first->count);
    CU_ASSERT_EQUAL(values->largest_from, first->from);
    CU_ASSERT_EQUAL(values->largest_to, first->to);
    CU_ASSERT_EQUAL(values->largest_bits, doubles ? 0 : mpz_sizeinbase(first->count, 2));
}

/* The counts in blocks of random height, on n_threads. The blocks come in order or, when is_shuffled,
 * those from the middle on first. */
static void check_summary(const count_case *made, random_source *source, int n_threads,
                          uint64_t most_rows, bool is_shuffled, const expected_summary *expected)
{
    uint64_t n = counts_n_rows(made->counts), row = 0, middle = is_shuffled ? n / 2 : 0;
    uint64_t n_most[] = {1, 2, PC_SUMMARY_PAIRS, n * n}, n_pairs = n_most[random_below(source, 4)];
    pc_graph_info info;
    pc_graph_get_info(made->graph, &info);
    pc_frame frame = {.rows = pc_graph_labels(made->graph),
                      .columns = pc_graph_labels(made->graph),
                      .symmetric = !info.directed};
    OWNED(pc_reduction) *summary = NULL;
    pc_summary_values values;
    MUST(pc_context_set_threads(made->context, n_threads));
    MUST(pc_summary_create(made->context, &frame, n_pairs, &summary));
    while (row < n) {
        uint64_t first = row + middle < n ? row + middle : row + middle - n;
        uint64_t n_left = first < middle ? middle - first : n - first;
        uint64_t n_rows = 1 + random_below(source, most_rows);
        pc_rows rows = count_case_rows(made, first, n_rows < n_left ? n_rows : n_left);
        MUST(pc_reduction_add(summary, &rows));
        row += rows.n_rows;
    }
    MUST(pc_summary_get(summary, &values));
    check_values(&values, expected, n_pairs, made->counts->n_limbs == 0);
    MUST(pc_summary_get(summary, &values)); /* asking changes nothing */
    check_values(&values, expected, n_pairs, made->counts->n_limbs == 0);
}

static void check_all_ways(uint64_t n, uint32_t n_limbs, bool directed, entry_kind kind,
                           random_source *source)
{
    OWNED(pc_context) *context = new_context(0);
    OWNED(count_case) made = count_case_make(context, source, n, n_limbs, directed, kind);
    OWNED(expected_summary) expected = expect(&made, directed);
    for (int n_threads = 1; n_threads <= 4; n_threads *= 2) {
        check_summary(&made, source, n_threads, n, false, &expected);
        check_summary(&made, source, n_threads, n / 3 + 1, false, &expected);
        check_summary(&made, source, n_threads, n / 9 + 1, true, &expected);
    }
}

TEST("random counts of 1 to 5 words")
{
    static const uint64_t sizes[] = {1, 2, 3, 4, 17, 150, 300};
    random_source source = {21};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (uint32_t n_limbs = 1; n_limbs <= 5; n_limbs++)
            for (int directed = 0; directed <= 1; directed++)
                check_all_ways(sizes[s], n_limbs, directed, ENTRIES_ANY, &source);
}

/* Rows are looked at in parts; these have more than one. */
TEST("long rows")
{
    random_source source = {28};
    check_all_ways(530, 1, true, ENTRIES_ANY, &source);
    check_all_ways(530, 2, false, ENTRIES_FEW, &source);
}

/* Returns the result that one look at counts must give, by GMP. */
static void check_scan(size_t n, uint32_t n_limbs, const uint64_t *counts, const uint64_t *floor)
{
    typedef bool (*scan_fn)(size_t, uint32_t, const uint64_t *, const uint64_t *,
                            unsigned __int128 *, uint64_t *);
    static const scan_fn scans[] = {pci_row_scan, pci_row_scan_plain};
    uint64_t n_zero = 0;
    bool is_large = false;
    for (size_t e = 0; e < n; e++) {
        n_zero += mpn_zero_p(counts + e * n_limbs, n_limbs);
        is_large |= mpn_cmp(counts + e * n_limbs, floor, n_limbs) > 0;
    }
    for (int way = 0; way < 2; way++) {
        unsigned __int128 sums[3] = {7, 7, 7};
        uint64_t n_found = 5;
        CU_ASSERT_EQUAL(scans[way](n, n_limbs, counts, floor, sums, &n_found), is_large);
        CU_ASSERT_EQUAL(n_found, 5 + n_zero);
        for (uint32_t l = 0; l < n_limbs; l++) {
            uint64_t sum[2] = {7, 0}, word[1];
            for (size_t e = 0; e < n; e++) {
                word[0] = counts[e * n_limbs + l];
                mpn_add(sum, sum, 2, word, 1);
            }
            CU_ASSERT_EQUAL((uint64_t)sums[l], sum[0]);
            CU_ASSERT_EQUAL((uint64_t)(sums[l] >> 64), sum[1]);
        }
    }
}

/* Words are 0, 1, all ones or others, so that counts equal the floor, or differ from it in one word only. */
TEST("one look at counts, in each way")
{
    enum { MOST = 70, MOST_LIMBS = 3 };
    static const uint64_t words[] = {0, 0, 1, UINT64_MAX, UINT64_MAX - 1, UINT64_C(1) << 63};
    random_source source = {29};
    for (int trial = 0; trial < 6000; trial++) {
        uint64_t counts[MOST * MOST_LIMBS], floor[MOST_LIMBS];
        uint32_t n_limbs = 1 + (uint32_t)trial % MOST_LIMBS;
        size_t n = random_below(&source, trial % 2 ? MOST : 6);
        uint64_t n_kinds = 1 + random_below(&source, 6);
        for (size_t i = 0; i < n * n_limbs; i++)
            counts[i] = words[random_below(&source, n_kinds)];
        for (uint32_t l = 0; l < n_limbs; l++)
            floor[l] = words[random_below(&source, n_kinds)];
        if (n && trial % 3)
            counts[random_below(&source, n * n_limbs)] = random_u64(&source);
        check_scan(n, n_limbs, counts, floor);
    }
}

TEST("equal counts are ordered by place")
{
    random_source source = {22};
    for (uint64_t n = 1; n <= 256; n = 2 * n + 1)
        for (uint32_t n_limbs = 0; n_limbs <= 3; n_limbs++)
            for (int directed = 0; directed <= 1; directed++)
                check_all_ways(n, n_limbs, directed, ENTRIES_FEW, &source);
}

/* Sums carry into the word above those of the counts. */
TEST("sums wider than the counts")
{
    random_source source = {23};
    for (uint32_t n_limbs = 1; n_limbs <= 4; n_limbs++)
        check_all_ways(200, n_limbs, n_limbs % 2, ENTRIES_FULL, &source);
    check_all_ways(3, 172, true, ENTRIES_FULL, &source);
}

/* Small enough whole doubles, so that every sum is exact and its text plain. */
TEST("whole doubles")
{
    random_source source = {24};
    OWNED(pc_context) *context = new_context(0);
    for (int directed = 0; directed <= 1; directed++) {
        OWNED(count_case) made = count_case_make(context, &source, 200, 0, directed, ENTRIES_ANY);
        for (uint64_t e = 0; e < 200 * 200; e++)
            made.counts->values[e] = floor(fmod(made.counts->values[e], 100000));
        OWNED(expected_summary) expected = expect(&made, directed);
        for (int n_threads = 1; n_threads <= 4; n_threads *= 2)
            check_summary(&made, &source, n_threads, 90, n_threads == 2, &expected);
    }
}

/* Blocks of doubles with exponents far apart. */
TEST("doubles of several exponents")
{
    OWNED(pc_context) *context = new_context(0);
    OWNED(pc_graph) *graph = NULL;
    OWNED(pc_reduction) *summary = NULL;
    pc_summary_values values;
    OWNED(edge_set) edges = edge_set_empty(3, true);
    MUST(edge_set_load(context, &edges, &graph));
    MUST(summary_of_graph(context, graph, &summary));
    static const double counts[3][3] = {{1, 2, 4}, {0, 1, 0}, {3, 0, 5}};
    static const int64_t exponents[3] = {4000, 4001, -100000};
    for (uint64_t row = 0; row < 3; row++) {
        pc_rows rows = {.first_row = row,
                        .n_rows = 1,
                        .n_columns = 3,
                        .values = counts[row],
                        .exponent = exponents[row]};
        MUST(pc_reduction_add(summary, &rows));
    }
    MUST(pc_summary_get(summary, &values));
    /* Python gives 9 * 2^4000, 3 * 2^4000, 7 * 2^4000, 4 * 2^4000 as decimals of 16 or 17 digits. */
    CU_ASSERT_STRING_EQUAL(values.total, "1.1863836840878488e+1205");
    CU_ASSERT_STRING_EQUAL(values.closed, "3.9546122802928293e+1204");
    CU_ASSERT_STRING_EQUAL(values.largest_row_sum, "9.227428654016602e+1204");
    CU_ASSERT_STRING_EQUAL(values.largest, "5.2728163737237724e+1204");
    CU_ASSERT_EQUAL(values.n_nonzero, 6);
    CU_ASSERT_EQUAL_FATAL(values.n_pairs, 6);
    static const uint64_t order[6][2] = {{0, 2}, {0, 1}, {1, 1}, {0, 0}, {2, 2}, {2, 0}};
    for (int p = 0; p < 6; p++) {
        CU_ASSERT_EQUAL(values.pairs[p].from, order[p][0]);
        CU_ASSERT_EQUAL(values.pairs[p].to, order[p][1]);
    }
}

/* Sums of doubles are rounded: the same way for any number of threads. */
TEST("sums of doubles for any threads")
{
    random_source source = {25};
    OWNED(pc_context) *context = new_context(0);
    OWNED(count_case) made = count_case_make(context, &source, 400, 0, true, ENTRIES_ANY);
    for (uint64_t e = 0; e < 400 * 400; e++)
        made.counts->values[e] *= ldexp(1.0 / 3, (int)(e % 97));
    made.counts->exponent = 123456;
    pc_rows rows = count_case_rows(&made, 0, 400);
    char total[64] = "";
    for (int n_threads = 1; n_threads <= 8; n_threads++) {
        OWNED(pc_reduction) *summary = NULL;
        pc_summary_values values;
        MUST(pc_context_set_threads(context, n_threads));
        MUST(summary_of_graph(context, made.graph, &summary));
        MUST(pc_reduction_add(summary, &rows));
        MUST(pc_summary_get(summary, &values));
        CU_ASSERT_TRUE(n_threads == 1 || strcmp(total, values.total) == 0);
        strncpy(total, values.total, sizeof total - 1);
    }
}

TEST("nothing added")
{
    OWNED(pc_context) *context = new_context(0);
    pc_summary_values values;
    random_source source = {26};
    OWNED(count_case) made = count_case_make(context, &source, 2, 1, true, ENTRIES_FULL);
    OWNED(pc_reduction) *summary = NULL;
    MUST(summary_of_graph(context, made.graph, &summary));
    MUST(pc_summary_get(summary, &values));
    CU_ASSERT_STRING_EQUAL(values.total, "0");
    CU_ASSERT_STRING_EQUAL(values.closed, "0");
    CU_ASSERT_STRING_EQUAL(values.largest, "0");
    CU_ASSERT_STRING_EQUAL(values.largest_row_sum, "0");
    CU_ASSERT_EQUAL(values.n_pairs, 0);
    CU_ASSERT_EQUAL(values.n_nonzero, 0);
    pc_reduction_free(NULL);
}

/* Adds one matrix to a reduction and another one to its twin, as a fault in what one of them gathered. */
static void add_apart(pc_reduction *reduction, const pc_rows *rows, const pc_rows *others)
{
    pc_reduction *twin = reduction->twin;
    CU_ASSERT_PTR_NOT_NULL_FATAL(twin);
    reduction->twin = NULL;
    MUST(pc_reduction_add(reduction, rows));
    MUST(pc_reduction_add(twin, others));
    reduction->twin = twin;
}

TEST("each fact is compared with that of the twin")
{
    static const uint64_t whole[9] = {0, 7, 3, 2, 1, 0, 0, 2, 1};
    static const uint64_t faulty[][9] = {
        {0, 7, 3, 2, 1, 1, 0, 2, 0}, /* all but the order is the same: from and to of a pair */
        {0, 7, 3, 2, 1, 1, 0, 2, 1}, /* one more that is not 0 */
        {0, 3, 2, 7, 1, 0, 0, 2, 1}, /* the largest is in another row */
        {0, 3, 7, 2, 1, 0, 0, 2, 1}, /* in another column */
        {0, 8, 3, 2, 1, 0, 0, 2, 1}, /* it is wider */
        {0, 7, 3, 2, 1, 0, 0, 2, 2}, /* the total */
        {0, 7, 3, 1, 2, 0, 0, 2, 1}, /* the sum of the diagonal */
        {0, 6, 3, 2, 1, 0, 0, 3, 1}, /* the largest, as wide as before */
        {0, 7, 1, 2, 1, 0, 0, 4, 1}, /* the largest row sum */
        {0, 7, 3, 2, 1, 0, 2, 0, 1}, /* to of a pair */
        {0, 7, 3, 1, 1, 0, 0, 3, 1}, /* the count of a pair */
    };
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_graph) *graph = labelled_graph(context, (const char *const[]){"a", "b", "c"}, 3);
    pc_summary_values values;
    for (size_t f = 0; f < sizeof faulty / sizeof *faulty; f++) {
        pc_rows rows = {.n_rows = 3, .n_columns = 3, .n_limbs = 1, .limbs = whole}, others = rows;
        others.limbs = faulty[f];
        OWNED(pc_reduction) *summary = NULL, *right = NULL;
        MUST(summary_of_graph(context, graph, &summary));
        MUST(summary_of_graph(context, graph, &right));
        add_apart(summary, &rows, &others);
        add_apart(right, &rows, &rows);
        CU_ASSERT(
            is_refused(context, pc_summary_get(summary, &values), PC_ERR_CERTIFY, "the summary"));
        CU_ASSERT(succeeds(context, pc_summary_get(right, &values)));
    }
}

TEST("rows that do not belong")
{
    OWNED(pc_context) *context = new_context(0);
    random_source source = {27};
    OWNED(count_case) one = count_case_make(context, &source, 4, 1, true, ENTRIES_FULL);
    OWNED(count_case) two = count_case_make(context, &source, 4, 2, true, ENTRIES_FULL);
    OWNED(count_case) other = count_case_make(context, &source, 5, 1, true, ENTRIES_FULL);
    OWNED(pc_reduction) *summary = NULL;
    MUST(summary_of_graph(context, one.graph, &summary));
    pc_rows rows = count_case_rows(&one, 0, 2);
    CU_ASSERT_EQUAL(pc_reduction_add(summary, &rows), PC_OK);
    rows = count_case_rows(&two, 2, 2);
    CU_ASSERT_EQUAL(pc_reduction_add(summary, &rows), PC_ERR_ARGUMENT);
    rows = count_case_rows(&other, 2, 2);
    CU_ASSERT_EQUAL(pc_reduction_add(summary, &rows), PC_ERR_ARGUMENT);
    rows = count_case_rows(&one, 2, 2);
    rows.first_row = 3;
    CU_ASSERT_EQUAL(pc_reduction_add(summary, &rows), PC_ERR_ARGUMENT);
    rows.first_row = 2;
    CU_ASSERT_EQUAL(pc_reduction_add(summary, &rows), PC_OK);
    pc_summary_values values;
    CU_ASSERT_EQUAL(pc_summary_get(summary, &values), PC_OK);
    CU_ASSERT_EQUAL(values.n_nonzero, 16);
}

static pc_status summarise(pc_context *context, void *user)
{
    const pc_rows *rows = user;
    OWNED(pc_graph) *graph = NULL;
    OWNED(pc_reduction) *summary = NULL;
    pc_summary_values values;
    edge_set edges = edge_set_empty(rows->n_columns, true);
    pc_status status = edge_set_load(context, &edges, &graph);
    edge_set_free(&edges);
    if (status == PC_OK)
        status = summary_of_graph(context, graph, &summary);
    if (status == PC_OK)
        status = pc_reduction_add(summary, rows);
    if (status == PC_OK)
        status = pc_summary_get(summary, &values);
    return status;
}

TEST("allocations that fail")
{
    enum { N = 200 }; /* enough for two threads */
    static double values[N * N];
    static uint64_t limbs[2 * N * N];
    pc_rows exact = {.n_rows = N, .n_columns = N, .n_limbs = 2, .limbs = limbs};
    pc_rows doubles = {.n_rows = N, .n_columns = N, .values = values};
    CU_ASSERT_TRUE(fail_each_allocation(summarise, &exact) >= 6);
    CU_ASSERT_TRUE(fail_each_allocation(summarise, &doubles) >= 6);
}

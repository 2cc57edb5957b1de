/* Rates: kept in files, measured, and what plans predict by them. */
#include "src/plan/cost.h"
#include "src/tool.h"
#include "tests/support/fixture.h"
#include "tests/support/reading.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TEXT_BYTES = 4096 };

static void make_up_rates(pc_context *context)
{
    for (int p = 0; p < PCI_N_PARTS; p++)
        context->rates.per_second[p] = 1e9 * (p + 1.25);
}

/* Tells whether the rates are those that are compiled in. */
static bool has_own_rates(const pc_context *context)
{
    pci_rates own = pci_rates_default();
    return !context->rates.is_measured &&
           memcmp(context->rates.per_second, own.per_second, sizeof own.per_second) == 0;
}

/* The text of a file of made-up rates. */
static void file_text(pc_context *context, char *text)
{
    const char *path = scratch_path(".rates");
    make_up_rates(context);
    MUST(pc_rates_write(context, path));
    FILE *file = fopen(path, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    size_t length = fread(text, 1, TEXT_BYTES - 1, file);
    text[length] = '\0';
    fclose(file);
    unlink(path);
}

static pc_status read_back(pc_context *context, const char *text, size_t length)
{
    const char *path = scratch_path(".rates");
    scratch_write(path, text, length);
    pc_status status = pc_rates_read(context, path);
    unlink(path);
    return status;
}

TEST("there and back")
{
    char text[TEXT_BYTES];
    OWNED(pc_context) *context = new_context(1), *other = new_context(2);
    file_text(context, text);
    CU_ASSERT_EQUAL(read_back(other, text, strlen(text)), PC_OK);
    for (int p = 0; p < PCI_N_PARTS; p++)
        CU_ASSERT_DOUBLE_EQUAL(other->rates.per_second[p], 1e9 * (p + 1.25), 1e6);
    CU_ASSERT_TRUE(other->rates.is_measured);
}

/* Asserts that the text is refused with that status and word, and nothing is taken from it. */
static void check_refused(const char *text, size_t length, pc_status status, const char *word)
{
    OWNED(pc_context) *context = new_context(1);
    CU_ASSERT_EQUAL(read_back(context, text, length), status);
    CU_ASSERT(says(context, word));
    CU_ASSERT(has_own_rates(context));
}

/* text with the first `from` replaced by `to` */
static void check_changed(const char *text, const char *from, const char *to, pc_status status,
                          const char *word)
{
    char changed[2 * TEXT_BYTES];
    const char *at = strstr(text, from);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    check_refused(changed, strlen(changed), status, word);
}

TEST("bad files")
{
    char text[TEXT_BYTES], large[TEXT_BYTES];
    OWNED(pc_context) *context = new_context(1);
    file_text(context, text);
    check_changed(text, PC_VERSION, "0.0.9", PC_ERR_ENGINE, "make bench");
    check_changed(text, "\n", "\nanother ", PC_ERR_ENGINE, "another machine");
    check_changed(text, "product ", "produce ", PC_ERR_DATA, ":3:");
    check_changed(text, "plane ", "plane -", PC_ERR_DATA, ":4:");
    check_changed(text, "plane ", "plane x", PC_ERR_DATA, ":4:");
    check_changed(text, "plane ", "plane 1e999 ", PC_ERR_DATA, ":4:");
    check_changed(text, "plane ", "plane 0 #", PC_ERR_DATA, ":4:");
    for (size_t length = 0; length + 1 < strlen(text); length++) { /* torn anywhere */
        OWNED(pc_context) *reader = new_context(1);
        pc_status status = read_back(reader, text, length);
        /* the last number may lose digits */
        bool in_last_line = strchr(text + length, '\n')[1] == '\0';
        CU_ASSERT_TRUE(status == PC_ERR_ENGINE || status == PC_ERR_DATA || in_last_line);
    }
    memset(large, 'x', sizeof large);
    check_refused(large, sizeof large, PC_ERR_DATA, "too large");
    CU_ASSERT_EQUAL(pc_rates_read(context, "/nowhere/rates"), PC_ERR_NO_INPUT);
    CU_ASSERT_EQUAL(pc_rates_write(context, "/nowhere/rates"), PC_ERR_CREATE);
}

/* ---- Files that are none ------------------------------------------------------------------------ */

/* Opening a pipe without a writer waits for one; reading a device may have no end. */
TEST("pipes and devices")
{
    const char *path = scratch_path(".rates");
    OWNED(pc_context) *context = new_context(1);
    alarm(60); /* ends the tests where this one hangs */
    unlink(path);
    CU_ASSERT_EQUAL_FATAL(mkfifo(path, 0600), 0);
    CU_ASSERT(is_refused(context, pc_rates_read(context, path), PC_ERR_DATA, "no regular file"));
    unlink(path);
    CU_ASSERT_EQUAL_FATAL(symlink("/dev/zero", path), 0);
    CU_ASSERT(is_refused(context, pc_rates_read(context, path), PC_ERR_DATA, "no regular file"));
    unlink(path);
    alarm(0);
    CU_ASSERT_EQUAL(pc_rates_read(context, "/"), PC_ERR_DATA);
    CU_ASSERT(has_own_rates(context));
}

/* A link to a regular file is followed. */
TEST("linked")
{
    char text[TEXT_BYTES], target[256];
    OWNED(pc_context) *context = new_context(1);
    file_text(context, text);
    snprintf(target, sizeof target, "%s", scratch_path(".rates"));
    const char *path = scratch_path(".link");
    unlink(path);
    scratch_write(target, text, strlen(text));
    CU_ASSERT_EQUAL_FATAL(symlink(target, path), 0);
    CU_ASSERT_EQUAL(pc_rates_read(context, path), PC_OK);
    unlink(path);
    unlink(target);
}

static void count_rates(void *user, const pc_rate *rate)
{
    int *n = user;
    CU_ASSERT_TRUE(isfinite(rate->per_second) && rate->per_second > 0);
    CU_ASSERT_TRUE(rate->name[0] && rate->unit[0]);
    ++*n;
}

static int cancel(void *user, const char *stage, double fraction)
{
    (void)user;
    (void)fraction;
    return strcmp(stage, "calibrate") == 0;
}

/* Stops the first count that is measured. */
static int cancel_count(void *user, const char *stage, double fraction)
{
    (void)user;
    (void)fraction;
    return strcmp(stage, "power") == 0;
}

TEST("measured")
{
    int n = 0;
    OWNED(pc_context) *context = new_context(0);
    pc_context_set_progress(context, cancel, NULL);
    CU_ASSERT_EQUAL(pc_calibrate(context, count_rates, &n), PC_ERR_CANCELLED);
    pc_context_set_progress(context, cancel_count, NULL);
    CU_ASSERT_EQUAL(pc_calibrate(context, count_rates, &n), PC_ERR_CANCELLED);
    CU_ASSERT_EQUAL(n, 0);
    CU_ASSERT(has_own_rates(context));
    pc_context_set_progress(context, NULL, NULL);
    CU_ASSERT_EQUAL(pc_calibrate(context, count_rates, &n), PC_OK);
    CU_ASSERT_EQUAL(n, PCI_N_PARTS);
    CU_ASSERT_TRUE(context->rates.is_measured);
}

TEST("measured quickly")
{
    OWNED(pc_context) *context = new_context(0);
    int has_measured = -1;
    CU_ASSERT_EQUAL(pc_calibrate_quickly(context, &has_measured), PC_OK);
    CU_ASSERT_EQUAL(has_measured, 1);
    CU_ASSERT_TRUE(context->rates.is_measured);
    static const pci_part follow_sweep[] = {PCI_PART_STEP, PCI_PART_SWEEP_FAR, PCI_PART_ROWS};
    const pci_rates own = pci_rates_default();
    const double *rates = context->rates.per_second, *compiled = own.per_second;
    for (int p = 0; p < PCI_N_PARTS; p++)
        CU_ASSERT(rates[p] > 0 && isfinite(rates[p]));
    for (size_t i = 0; i < sizeof follow_sweep / sizeof *follow_sweep; i++)
        CU_ASSERT_DOUBLE_EQUAL(rates[follow_sweep[i]] / compiled[follow_sweep[i]],
                               rates[PCI_PART_SWEEP] / compiled[PCI_PART_SWEEP], 1e-9);
    pci_rates before = context->rates;
    CU_ASSERT_EQUAL(pc_calibrate_quickly(context, &has_measured), PC_OK); /* it has rates */
    CU_ASSERT_EQUAL(has_measured, 0);
    CU_ASSERT_EQUAL(memcmp(&before, &context->rates, sizeof before), 0);
}

static double predicted(pc_context *context, const pc_graph *graph, uint64_t length,
                        pc_method method)
{
    pc_plan_info plan;
    pc_count_options options = {.method = method};
    MUST(plan_matrix(context, graph, length, &options, 0, &plan));
    return plan.predicted_seconds;
}

static void multiply_rates(pc_context *context, double factor)
{
    for (int p = 0; p < PCI_N_PARTS; p++)
        context->rates.per_second[p] *= factor;
}

/* Whatever the rates: more work is predicted to take longer, and half the rates twice as long, beyond what
 * every count takes. */
TEST("predictions")
{
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_graph) *small = NULL, *large = NULL;
    MUST(generate_erdos_renyi(context, 300, 3000, 1, 0, &small));
    MUST(generate_erdos_renyi(context, 600, 6000, 1, 0, &large));
    pc_context_set_device(context, "cpu");
    for (int method = PC_METHOD_DENSE; method <= PC_METHOD_HYBRID; method++) {
        double shorter = predicted(context, small, 8, (pc_method)method);
        CU_ASSERT_TRUE(shorter > 0);
        CU_ASSERT_TRUE(predicted(context, small, 64, (pc_method)method) > shorter);
        CU_ASSERT_TRUE(predicted(context, large, 8, (pc_method)method) > shorter);
        context->rates.is_measured = true;
        multiply_rates(context, 0.5);
        double half = predicted(context, small, 8, (pc_method)method);
        multiply_rates(context, 0x1p60);
        double least = predicted(context, small, 8, (pc_method)method);
        multiply_rates(context, 0x1p-59);
        CU_ASSERT_DOUBLE_EQUAL(half - least, 2 * (shorter - least), 0.02 * shorter);
    }
}

TEST("a vector that is neither sent nor checked takes no time")
{
    pci_work work = {{0}};
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_graph) *graph = NULL;
    MUST(generate_erdos_renyi(context, 300, 3000, 1, 0, &graph));
    pci_cost_single(context, graph, &(pci_single_work){.n_rounds = 0}, &work);
    CU_ASSERT_EQUAL(pci_cost_seconds(context, &work), 0);
}

static double predicted_query(pc_context *context, const pc_graph *graph, pc_query_kind kind,
                              pc_arithmetic arithmetic, uint64_t n_asked, uint64_t length)
{
    static const uint64_t vertices[] = {0, 1, 2, 3, 4, 5, 6, 7},
                          others[] = {9, 10, 11, 12, 13, 14, 15, 16};
    pc_plan_info plan;
    pc_count_options options = {.method = PC_METHOD_SWEEP,
                                .arithmetic = arithmetic,
                                .modulus = arithmetic == PC_MODULAR ? 1000003 : 0};
    pc_query query = {.kind = kind,
                      .length = length,
                      .n_asked = n_asked,
                      .from = vertices,
                      .to = kind == PC_QUERY_PAIRS ? others : vertices};
    MUST(plan_query(context, graph, &query, &options, &plan));
    return plan.predicted_seconds;
}

/* A circle of n_joined vertices with chords, and more vertices without an arc. */
static pc_graph *circle(pc_context *context, uint64_t n_joined, uint64_t n, bool directed)
{
    OWNED(edge_set) edges = edge_set_empty(n, directed);
    for (uint64_t v = 0; v < n_joined; v++)
        for (uint64_t s = 1; s <= 5; s++)
            edge_set_add(&edges, v, (v + s) % n_joined, 1);
    return new_graph(context, &edges);
}

/* Twice the length, twice the graph, twice the arcs, more vertices, more vectors: more time. But exact vectors of half the
 * length suffice where the graph is undirected and both ends of paths are given, or all. */
TEST("predictions of queries")
{
    static const pc_query_kind kinds[] = {PC_QUERY_FROM,   PC_QUERY_TO,    PC_QUERY_PAIRS,
                                          PC_QUERY_CLOSED, PC_QUERY_TOTAL, PC_QUERY_STARTS};
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_graph) *small = circle(context, 3000, 3000, true);
    OWNED(pc_graph) *large = circle(context, 6000, 6000, true);
    OWNED(pc_graph) *undirected = circle(context, 3000, 3000, false);
    OWNED(pc_graph) *sparse = circle(context, 3000, 12000, true);
    for (int arithmetic = PC_EXACT; arithmetic <= PC_FLOAT; arithmetic++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            pc_arithmetic a = (pc_arithmetic)arithmetic;
            bool is_closed =
                kinds[k] ==
                PC_QUERY_CLOSED; /* a vector a vertex: caches count, and what rows take */
            double one = predicted_query(context, small, kinds[k], a, 1, 400);
            double longer = predicted_query(context, small, kinds[k], a, 1, 800) / one;
            double larger = predicted_query(context, large, kinds[k], a, 1, 400) / one;
            double sparser = predicted_query(context, sparse, kinds[k], a, 1, 400) / one;
            double more = predicted_query(context, small, kinds[k], a, 8, 400) / one;
            double twice = predicted_query(context, undirected, kinds[k], a, 1, 400) / one;
            CU_ASSERT_TRUE(one > 0 && longer > 1.9 && longer < 4.1);
            CU_ASSERT_TRUE(larger > 1.9 && larger < (is_closed ? 6 : 4.1) && sparser > 1.4);
            CU_ASSERT_TRUE(k > 2 || a == PC_EXACT || (more > 4 && more <= 8));
            CU_ASSERT_TRUE(a == PC_EXACT && k > 1 ? twice > 0.4 && twice < 0.9
                                                  : twice > (is_closed ? 1.1 : 1.5));
        }
}

static double predicted_far(pc_context *context, const pc_graph *graph, uint64_t modulus,
                            uint64_t length)
{
    pc_plan_info plan;
    pc_count_options options = {.method = PC_METHOD_RECURRENCE,
                                .arithmetic = modulus ? PC_MODULAR : PC_EXACT,
                                .modulus = modulus};
    pc_query query = {.kind = PC_QUERY_TOTAL, .length = length};
    MUST(plan_query(context, graph, &query, &options, &plan));
    return plan.predicted_seconds;
}

/* An integer takes longer the farther out it is, a residue not much longer. */
TEST("predictions of terms far out")
{
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_graph) *graph = circle(context, 40, 60, true);
    double near = predicted_far(context, graph, 0, 100000);
    double far = predicted_far(context, graph, 0, 1000000);
    double residue = predicted_far(context, graph, 1000003, 1000000);
    double very_far = predicted_far(context, graph, 1000003, UINT64_C(1) << 60);
    CU_ASSERT_TRUE(far > 5 * near && far < 20 * near);
    CU_ASSERT_TRUE(very_far > residue && very_far < 4 * residue && residue < near);
}

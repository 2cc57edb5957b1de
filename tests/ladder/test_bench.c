/* The frame of what is measured, as far as it goes without a GPU: whole answers, and the ladder on the processor, right
 * and measured, with the documents' figures. What programs print of rows is in tests/cli/cases_ladder.sh. */
#include "tests/support/fixture.h"
#include "tests/bench/ladder.h"
#include "tests/bench/ladder_matrix.h"
#include "tests/support/failing_allocator.h"
#include "tests/support/fake.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- Answers --------------------------------------------------------------------------------- */

enum { MAX_ANSWERS = 16 };

typedef struct seen_answers {
    int n;
    uint32_t size[MAX_ANSWERS];
    char name[MAX_ANSWERS][64];
    double milliseconds[MAX_ANSWERS], of_stages[MAX_ANSWERS];
} seen_answers;

/* The sum of the times of a note "...: bound 0.1, extend 0.2, ... ms". */
static double stages_of(const char *note)
{
    double sum = 0;
    for (const char *at = strchr(note, ':'); at; at = strchr(at + 1, ',')) {
        char stage[16];
        double milliseconds = 0;
        CU_ASSERT_EQUAL_FATAL(sscanf(at + 1, " %15s %lf", stage, &milliseconds), 2);
        sum += milliseconds;
    }
    return sum;
}

static void see_answer(void *user, const bench_row *row)
{
    seen_answers *s = user;
    CU_ASSERT_STRING_EQUAL(row->section, "answers");
    CU_ASSERT_FATAL(s->n < MAX_ANSWERS);
    s->size[s->n] = (uint32_t)row->n;
    s->milliseconds[s->n] = row->milliseconds;
    s->of_stages[s->n] = row->milliseconds > 0 ? stages_of(row->note) : 0;
    snprintf(s->name[s->n++], sizeof *s->name, "%s", row->name);
}

/* Rounded to a tenth of a millisecond, each of seven stages takes a part of the time of the whole answer. Graphs of the
 * sizes that are measured where none is asked for have no room. */
TEST("answers about graphs of the size asked for")
{
    static const uint32_t size = 128;
    seen_answers s = {0};
    OWNED(pc_context) *context = new_context(2);
    bench b = {.context = context,
               .n_sizes = 1,
               .sizes = &size,
               .n_rounds = 1,
               .tell = see_answer,
               .user = &s};
    use_fake(NULL);
    pc_context_set_memory_limit(context, 64 << 20);
    bench_answers(&b);
    MUST(bench_end(&b));
    CU_ASSERT_EQUAL(s.n, 5);
    for (int i = 0; i < s.n; i++) {
        CU_ASSERT_EQUAL(s.size[i], size);
        CU_ASSERT(s.milliseconds[i] > 0 && s.of_stages[i] <= s.milliseconds[i] + 7 * 0.05);
    }
}

/* A graph for which there is no memory has its row, which says what was to be measured. */
TEST("answers without memory")
{
    int n_preferential = 0;
    seen_answers s = {0};
    OWNED(pc_context) *context = new_context(2);
    bench b = {.context = context, .n_rounds = 1, .tell = see_answer, .user = &s};
    use_fake(NULL);
    pc_context_set_memory_limit(context, 1 << 20);
    bench_answers(&b);
    MUST(bench_end(&b));
    CU_ASSERT(s.n > 5);
    for (int i = 0; i < s.n; i++) {
        CU_ASSERT_EQUAL(strncmp(s.name[i], "length ", 7), 0);
        CU_ASSERT_EQUAL(s.milliseconds[i], 0);
        n_preferential += strstr(s.name[i], "Barabasi-Albert") != NULL;
    }
    CU_ASSERT(n_preferential > 0);
}

/* ---- The ladder on the processor -------------------------------------------------------------- */

enum { MAX_ROWS = 8 };

typedef struct seen_row {
    char kernel[32], note[128], theirs[64];
    uint64_t n;
    double milliseconds, speedup;
    bool is_verified;
} seen_row;

typedef struct seen {
    int n_machine_rows, n_rows;
    char why_no_gpu[256];
    seen_row row[MAX_ROWS];
} seen;

static void see_ratio(const bench_ratio *ratio, seen_row *row)
{
    if (strcmp(ratio->against, "the first row") == 0 || strcmp(ratio->against, "GPU1") == 0)
        row->speedup = ratio->times;
    else
        snprintf(row->theirs, sizeof row->theirs, "%s", ratio->against);
}

/* The rate follows from the time in every row. */
static void see_row(void *user, const bench_row *row)
{
    seen *s = user;
    double n = (double)row->n;
    if (strcmp(row->section, "machine") == 0) {
        s->n_machine_rows++;
        if (strcmp(row->name, "GPU") == 0)
            snprintf(s->why_no_gpu, sizeof s->why_no_gpu, "%s", row->note);
        return;
    }
    CU_ASSERT_STRING_EQUAL(row->section, "ladder");
    CU_ASSERT_FATAL(s->n_rows < MAX_ROWS);
    seen_row *new = &s->row[s->n_rows++];
    *new = (seen_row){
        .n = row->n, .milliseconds = row->milliseconds, .is_verified = row->verified[0] != '\0'};
    snprintf(new->kernel, sizeof new->kernel, "%s", row->name);
    snprintf(new->note, sizeof new->note, "%s", row->note);
    for (int r = 0; r < BENCH_RATIOS && row->ratio[r].against; r++)
        see_ratio(&row->ratio[r], new);
    CU_ASSERT(row->note[0] != '\0'); /* the source, or why it was not measured */
    CU_ASSERT_EQUAL(new->is_verified, row->milliseconds > 0);
    if (row->milliseconds > 0)
        CU_ASSERT(fabs(row->rate * row->milliseconds * 1e6 / ((2 * n - 1) * n * n) - 1) < 1e-9);
}

enum { N_ROUNDS = 2 };

static pc_status climb(pc_context *context, uint32_t n, uint32_t n_kernels,
                       const char *const *kernels, seen *s)
{
    bench b = {.context = context, .n_rounds = N_ROUNDS, .tell = see_row, .user = s};
    ladder l = {.bench = &b, .n = n, .n_kernels = n_kernels, .names = kernels};
    *s = (seen){0};
    return ladder_run(&l, NULL);
}

static pc_context *processor_context(void)
{
    pc_context *context = new_context(2);
    CU_ASSERT_EQUAL(pc_context_set_device(context, "cpu"), PC_OK);
    return context;
}

/* All rungs in order, with sizes that need padding and sizes that do not. */
TEST("ladder on the processor")
{
    static const char *const names[] = {"ijk", "ikj", "ikj-openmp", "reduced-cpu"};
    static const char *const machines[] = {"Xeon, 1 thread", "Xeon, 1 thread", "Xeon, 4 threads",
                                           "i5-9300H"};
    static const uint32_t sizes[] = {1, 2, 67, 96};
    OWNED(pc_context) *context = processor_context();
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        seen s;
        MUST(climb(context, sizes[i], 0, NULL, &s));
        CU_ASSERT_EQUAL(s.n_machine_rows, 2);
        CU_ASSERT_STRING_EQUAL(s.why_no_gpu, "");
        CU_ASSERT_EQUAL_FATAL(s.n_rows, 5);
        for (int r = 0; r < 5; r++) {
            CU_ASSERT(s.row[r].is_verified);
            CU_ASSERT_EQUAL(s.row[r].n, sizes[i]);
            CU_ASSERT(fabs(s.row[r].speedup * s.row[r].milliseconds / s.row[0].milliseconds - 1) <
                      1e-9);
            if (r < 4)
                CU_ASSERT_STRING_EQUAL(s.row[r].kernel, names[r]);
            CU_ASSERT(r < 4 ? strstr(s.row[r].theirs, machines[r]) != NULL : !*s.row[r].theirs);
        }
        CU_ASSERT_EQUAL(strncmp(s.row[4].kernel, "int8-", 5), 0);
    }
}

/* Our own product with each kernel that runs here, alone. */
TEST("our own product, every kernel")
{
    for (const char *const *kernel = kernel_names; *kernel; kernel++) {
        char name[32];
        const char *const asked = name;
        seen s;
        snprintf(name, sizeof name, "int8-%s", *kernel);
        if (!kernel_is_available(*kernel))
            continue;
        OWNED(pc_context) *context = processor_context();
        MUST(climb(context, 131, 1, &asked, &s));
        CU_ASSERT_EQUAL_FATAL(s.n_rows, 1);
        CU_ASSERT_STRING_EQUAL(s.row[0].kernel, name);
        CU_ASSERT(s.row[0].is_verified);
        CU_ASSERT_EQUAL(s.row[0].speedup, 1);
    }
}

TEST("named rungs")
{
    static const char *const names[] = {"reduced-cpu", "ikj"}, *const unknown[] = {"ikj", "GPU1"};
    OWNED(pc_context) *context = processor_context();
    seen s;
    MUST(climb(context, 5, 2, names, &s));
    CU_ASSERT_EQUAL_FATAL(s.n_rows, 2); /* in the order of the ladder */
    CU_ASSERT_STRING_EQUAL(s.row[0].kernel, "ikj");
    CU_ASSERT_STRING_EQUAL(s.row[1].kernel, "reduced-cpu");
    CU_ASSERT_EQUAL(climb(context, 5, 2, unknown, &s), PC_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(s.n_machine_rows + s.n_rows, 0);
    CU_ASSERT(
        says(context,
             "no kernel 'GPU1' on the processor; it has ijk, ikj, ikj-openmp, reduced-cpu, int8-"));
}

/* Without a device named the processor stands in, and the reason is passed on. */
TEST("no GPU")
{
    static const char *const names[] = {"ikj-openmp"}, *const of_gpu[] = {"GPU1"};
    OWNED(pc_context) *context = new_context(0);
    seen s;
    MUST(climb(context, 0, 1, names, &s));
    CU_ASSERT_EQUAL(s.n_machine_rows, 3);
    CU_ASSERT_STRING_EQUAL(s.why_no_gpu, "this build has no CUDA");
    CU_ASSERT_STRING_EQUAL(pc_context_message(context), "");
    CU_ASSERT_EQUAL_FATAL(s.n_rows, 1);
    CU_ASSERT_EQUAL(s.row[0].n, 1024);
    CU_ASSERT(s.row[0].is_verified);
    CU_ASSERT(is_refused(context, climb(context, 8, 1, of_gpu, &s), PC_ERR_ARGUMENT,
                         "no GPU is measured: this build has no CUDA"));
    CU_ASSERT_EQUAL(pc_context_set_device(context, "cuda"), PC_OK);
    CU_ASSERT(is_refused(context, climb(context, 8, 0, NULL, &s), PC_ERR_ENGINE, "no CUDA"));
    CU_ASSERT_EQUAL(s.n_machine_rows + s.n_rows, 0);
}

/* ---- Rungs that are wrong --------------------------------------------------------------------- */

/* The right product, but for its last entry. */
static void multiply_almost(const float_product *p, int n_threads)
{
    ladder_loops[0].multiply(p, n_threads);
    p->c[p->rows * p->c_stride - 1] += 1;
}

/* Leaves the last row as it found it: right, if that was not spoilt. */
static void multiply_less(const float_product *p, int n_threads)
{
    float_product less = *p;
    less.rows--;
    ladder_loops[0].multiply(&less, n_threads);
}

/* With an odd number of columns the last one does not get into any sum. */
static void reduce_less(const float_product *p, int n_threads)
{
    float_product less = *p;
    less.columns--;
    ladder_loops[3].multiply(&less, n_threads);
    for (size_t i = 0; i < (p->rows + 1) / 2; i++)
        p->c[i * p->c_stride + less.columns / 2] = 0;
}

TEST("wrong rungs are caught")
{
    const ladder_loop loops[] = {{"almost", "Nobody", 0, multiply_almost},
                                 ladder_loops[0],
                                 {"less", "Nobody", 0, multiply_less},
                                 {"reduced-less", "Nobody", 1, reduce_less},
                                 ladder_loops[3]};
    static const char *const notes[] = {
        "WRONG: 1 entries",
        "Li, Ranka, Sahni, Figure 1.5",
        "WRONG: 7 entries",
        "WRONG: 4 entries",
        "Reduced Matrix Multiplication, Table 4.2, un-optimized code",
        "pathcount, mod 251"};
    seen s = {0};
    OWNED(pc_context) *context = processor_context();
    bench b = {.context = context, .n_rounds = 1, .tell = see_row, .user = &s};
    ladder l = {.bench = &b, .n = 7, .loops = loops, .n_loops = 5};
    CU_ASSERT(is_refused(context, ladder_run(&l, NULL), PC_ERR_CERTIFY, "3 results"));
    CU_ASSERT_EQUAL_FATAL(s.n_rows, 6);
    for (int r = 0; r < s.n_rows; r++) {
        CU_ASSERT_STRING_EQUAL(s.row[r].note, notes[r]);
        CU_ASSERT_EQUAL(s.row[r].is_verified, strncmp(notes[r], "WRONG", 5) != 0);
    }
    CU_ASSERT_EQUAL(s.row[1].speedup, 1); /* what was wrong is nothing to compare with */
}

static int n_slow_runs;

static void multiply_slowly(const float_product *p, int n_threads)
{
    n_slow_runs++;
    nanosleep(&(struct timespec){.tv_sec = 2, .tv_nsec = 1000000}, NULL);
    ladder_loops[0].multiply(p, n_threads);
}

/* What takes two seconds is not run for every round. */
TEST("a slow rung")
{
    const ladder_loop slow = {"slow", "Nobody", 0, multiply_slowly};
    static const char *const names[] = {"slow"};
    seen s = {0};
    OWNED(pc_context) *context = new_context(1);
    bench b = {.context = context, .n_rounds = 5, .tell = see_row, .user = &s};
    ladder l = {.bench = &b, .n = 3, .n_kernels = 1, .names = names, .loops = &slow, .n_loops = 1};
    n_slow_runs = 0;
    ladder_measure_processor(&l);
    MUST(bench_end(&b));
    CU_ASSERT_EQUAL(n_slow_runs, 1);
    CU_ASSERT_EQUAL_FATAL(s.n_rows, 1);
    CU_ASSERT_STRING_EQUAL(s.row[0].note, "Nobody, one run");
    CU_ASSERT(s.row[0].is_verified && s.row[0].milliseconds > 2000);
}

/* Beside a GPU: speed-ups are over what it measured, and large sizes are for those who ask. */
TEST("rungs beside a GPU")
{
    static const char *const names[] = {"ikj"};
    seen s = {0};
    OWNED(pc_context) *context = new_context(2);
    bench b = {.context = context, .n_rounds = 1, .tell = see_row, .user = &s};
    ladder l = {
        .bench = &b, .n = 1025, .loops = ladder_loops, .n_loops = LADDER_N_LOOPS, .first_ms = 1e6};
    ladder_measure_processor(&l);
    CU_ASSERT_EQUAL(s.n_rows, 0);
    l.n = 33;
    l.n_kernels = 1;
    l.names = names;
    ladder_measure_processor(&l);
    CU_ASSERT_EQUAL_FATAL(s.n_rows, 1);
    CU_ASSERT(fabs(s.row[0].speedup * s.row[0].milliseconds / 1e6 - 1) < 1e-9);
    l.first_ms = 0;
    ladder_measure_processor(&l);
    MUST(bench_end(&b));
    CU_ASSERT_EQUAL(s.row[1].speedup, 0);
}

/* ---- What can be wanting ----------------------------------------------------------------------- */

static pc_status climb_little(pc_context *context, void *user)
{
    CU_ASSERT_EQUAL(pc_context_set_device(context, "cpu"), PC_OK);
    return climb(context, 2, 0, NULL, user);
}

TEST("no memory")
{
    seen s;
    OWNED(pc_context) *context = processor_context();
    CU_ASSERT(fail_each_allocation(climb_little, &s) >= 8);
    pc_context_set_memory_limit(context, 4 << 20);
    CU_ASSERT(
        is_refused(context, climb(context, 1024, 0, NULL, &s), PC_ERR_MEMORY, "give a smaller n"));
    CU_ASSERT_EQUAL(s.n_rows, 0);
}

/* Says stop when asked for the last time. */
static int stop_at_last(void *user, const char *stage, double fraction)
{
    int *n_left = user;
    CU_ASSERT_STRING_EQUAL(stage, "bench");
    CU_ASSERT_EQUAL(fraction, 0);
    return --*n_left == 0;
}

/* It asks before each rung and before each round. */
TEST("cancelled")
{
    static const char *const names[] = {"ijk", "ikj"};
    for (int n = 1; n <= 2 * (1 + N_ROUNDS); n++) {
        seen s;
        int n_left = n;
        OWNED(pc_context) *context = processor_context();
        pc_context_set_progress(context, stop_at_last, &n_left);
        CU_ASSERT_EQUAL(climb(context, 3, 2, names, &s), PC_ERR_CANCELLED);
        CU_ASSERT_EQUAL(s.n_rows, (n - 1) / (1 + N_ROUNDS));
    }
}

/* ---- Figures of the documents ---------------------------------------------------------------- */

static void check_figure(const char *kernel, uint32_t x, uint32_t y, uint32_t n, const char *device,
                         double gflops)
{
    ladder_seed seed = ladder_seed_of(kernel, x, y, n);
    CU_ASSERT_STRING_EQUAL(seed.device, device);
    CU_ASSERT(fabs(seed.gflops - gflops) <= 1e-3 * gflops);
}

/* Read from the documents once more, with other sizes and units than the table has. */
TEST("figures of the documents")
{
    check_figure("GPU1", 256, 1, 4096, "C1060", 26);
    check_figure("GPU8", 16, 8, 16384, "C1060", 383);
    check_figure("GPU8", 16, 8, 1, "C1060", 373);
    check_figure("GPU2", 8, 8, 11000, "C1060", 62);
    check_figure("GPU2", 8, 8, 12000, "C1060", 46);
    check_figure("cublas-sgemm", 0, 0, 4000, "C1060", 371);
    check_figure("GPU1", 1, 512, 16384, "C1060", 0.93841); /* 9373.16 s: Figure 1.14 */
    check_figure("GPU3", 2, 32, 2048, "C1060", 59.226);    /* 0.29 s: Figure 1.22 */
    check_figure("ijk", 0, 0, 4096, "Xeon, 1 thread", 0.034132);
    check_figure("kindratenko-j4", 128, 1, 700, "not named", 169.1);
    check_figure("kindratenko-strips", 64, 1, 16384, "not named", 27.0);
    check_figure("reduced-tiled-32", 32, 32, 8192, "GTX 1050 Mobile", 607.42); /* 1.81 s */
    check_figure("reduced-4p", 1024, 1, 128, "GTX 1050 Mobile", 34.816);       /* 120 us */
    check_figure("reduced-cpu", 0, 0, 8000, "i5-9300H", 0.22905);              /* 80 minutes */
    check_figure("kindratenko-j4", 256, 1, 4096, "", 0);
    check_figure("hong-plain", 16, 16, 4096, "", 0);
    check_figure("int8-wgmma", 0, 0, 4096, "", 0);
    for (size_t r = 0; r < LADDER_N_LOOPS; r++)
        CU_ASSERT(ladder_seed_of(ladder_loops[r].name, 0, 0, 1024).gflops > 0);
}

/* Entries go from 0 to the largest, and are others in other places and in the other matrix. */
TEST("entries")
{
    bool has_least = false, has_most = false;
    for (uint32_t i = 0; i < 1000; i++) {
        uint32_t entry = pci_ladder_entry(1, i, 3 * i, 31);
        CU_ASSERT(entry <= 31);
        has_least = has_least || entry == 0;
        has_most = has_most || entry == 31;
    }
    CU_ASSERT(has_least && has_most);
    CU_ASSERT(pci_ladder_entry(1, 2, 3, 1 << 20) != pci_ladder_entry(1, 3, 2, 1 << 20));
    CU_ASSERT(pci_ladder_entry(1, 2, 3, 1 << 20) != pci_ladder_entry(2, 2, 3, 1 << 20));
}

/* The largest is as large as can be: floats hold the sum of four entries of the product, and int8 it. */
TEST("the largest entry")
{
    for (uint32_t n = 1; n <= 16384; n++) {
        uint64_t largest = pci_ladder_largest(n), next = largest + 1;
        CU_ASSERT_FATAL(largest > 0 && largest <= 127);
        CU_ASSERT_FATAL(4 * n * largest * largest < 1 << 24);
        CU_ASSERT_FATAL(largest == 127 || 4 * n * next * next >= 1 << 24);
    }
}

/* The benchmarks as far as they go without a GPU: what they refuse, and the ladder on the processor,
 * right and measured, with the documents' figures. What the command does with rows is in tests/cli. */
#include "src/measure/ladder_matrix.h"
#include "pathcount_measure.h"
#include "src/measure/ladder_rungs.h"
#include "src/measure/ladder_seeds.h"
#include "tests/fake.h"
#include "tests/fixture.h"
#include "tests/failing_allocator.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void take_machine(void *user, const pc_bench_machine *machine)
{
    (void)user, (void)machine;
    CU_FAIL("nothing should be measured");
}

static void take_ladder_row(void *user, const pc_ladder_row *row)
{
    (void)user, (void)row;
    CU_FAIL("nothing should be measured");
}

static void take_row(void *user, const pc_bench_row *row)
{
    (void)user, (void)row;
    CU_FAIL("nothing should be measured");
}

/* There is no engine: only what is in order gets as far as looking for it. */
static void check_ladder(const pc_ladder_options *options, pc_status expected, const char *about)
{
    OWNED(pc_context) *context = new_context(0);
    CU_ASSERT_EQUAL(pc_context_set_device(context, "cuda"), PC_OK);
    setenv("PATHCOUNT_CUDA_ENGINE", "none", 1);
    pc_status status = pc_bench_ladder(context, options, take_machine, take_ladder_row, NULL);
    CU_ASSERT_EQUAL(status, expected);
    CU_ASSERT(says(context, about));
    unsetenv("PATHCOUNT_CUDA_ENGINE");
}

TEST("options of the ladder")
{
    const char *const names[] = {"GPU1", NULL};
    check_ladder(NULL, PC_ERR_ENGINE, "no CUDA engine");
    check_ladder(&(pc_ladder_options){0}, PC_ERR_ENGINE, "no CUDA engine");
    check_ladder(&(pc_ladder_options){.n = 1, .n_rounds = 1000, .n_kernels = 1, .kernels = names},
                 PC_ERR_ENGINE, "no CUDA engine");
    check_ladder(&(pc_ladder_options){.n = 16384}, PC_ERR_ENGINE, "no CUDA engine");
    check_ladder(&(pc_ladder_options){.n = 16385}, PC_ERR_ARGUMENT, "size 16385: give 1 to 16384");
    check_ladder(&(pc_ladder_options){.n = UINT32_MAX}, PC_ERR_ARGUMENT, "size 4294967295");
    check_ladder(&(pc_ladder_options){.n_rounds = -1}, PC_ERR_ARGUMENT,
                 "-1 rounds: give 1 to 1000");
    check_ladder(&(pc_ladder_options){.n_rounds = 1001}, PC_ERR_ARGUMENT, "or 0 for 5");
    check_ladder(&(pc_ladder_options){.n_kernels = 2, .kernels = names}, PC_ERR_ARGUMENT,
                 "kernel 1 has no name");
    check_ladder(&(pc_ladder_options){.n_kernels = 1}, PC_ERR_ARGUMENT, "kernel 0 has no name");
    check_ladder(&(pc_ladder_options){.n_kernels = 257, .kernels = names}, PC_ERR_ARGUMENT,
                 "257 kernels: give 256 at most");
}

static void check_bench(const pc_bench_options *options, pc_status expected, const char *about)
{
    OWNED(pc_context) *context = new_context(0);
    setenv("PATHCOUNT_CUDA_ENGINE", "none", 1);
    CU_ASSERT_EQUAL(pc_bench(context, options, take_machine, take_row, NULL), expected);
    CU_ASSERT(says(context, about));
    unsetenv("PATHCOUNT_CUDA_ENGINE");
}

TEST("options of the engine's benchmark")
{
    const uint32_t sizes[1000] = {128, 65536, 129, 0, 65664};
    check_bench(NULL, PC_ERR_ENGINE, "no CUDA engine");
    check_bench(&(pc_bench_options){.n_sizes = 2, .sizes = sizes}, PC_ERR_ENGINE, "no CUDA engine");
    check_bench(&(pc_bench_options){.n_sizes = 3, .sizes = sizes}, PC_ERR_ARGUMENT, "size 129");
    check_bench(&(pc_bench_options){.n_sizes = 1, .sizes = sizes + 3}, PC_ERR_ARGUMENT, "size 0");
    check_bench(&(pc_bench_options){.n_sizes = 1, .sizes = sizes + 4}, PC_ERR_ARGUMENT,
                "size 65664");
    check_bench(&(pc_bench_options){.n_sizes = 1000, .sizes = sizes}, PC_ERR_ARGUMENT,
                "1000 sizes");
    check_bench(&(pc_bench_options){.n_rounds = 1001}, PC_ERR_ARGUMENT, "or 0 for 7");
    check_bench(&(pc_bench_options){.parts = 32}, PC_ERR_ARGUMENT, "unknown parts");
}

/* ---- Answers --------------------------------------------------------------------------------- */

enum { MAX_ANSWERS = 16 };

typedef struct seen_answers {
    int n;
    uint32_t size[MAX_ANSWERS];
    char name[MAX_ANSWERS][64];
    double milliseconds[MAX_ANSWERS], of_stages[MAX_ANSWERS];
} seen_answers;

static void pass_over(void *user, const pc_bench_machine *machine)
{
    (void)user, (void)machine;
}

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

static void see_answer(void *user, const pc_bench_row *row)
{
    seen_answers *s = user;
    if (strcmp(row->section, "answers") != 0)
        return;
    CU_ASSERT_FATAL(s->n < MAX_ANSWERS);
    s->size[s->n] = row->n;
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
    pc_bench_options options = {
        .n_sizes = 1, .sizes = &size, .n_rounds = 1, .parts = PC_BENCH_ANSWERS};
    use_fake(NULL);
    pc_context_set_memory_limit(context, 64 << 20);
    MUST(pc_bench(context, &options, pass_over, see_answer, &s));
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
    use_fake(NULL);
    pc_context_set_memory_limit(context, 1 << 20);
    MUST(pc_bench(context, &(pc_bench_options){.n_rounds = 1, .parts = PC_BENCH_ANSWERS}, pass_over,
                  see_answer, &s));
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
    char kernel[32], note[64], seed_device[32];
    uint32_t n;
    double milliseconds, speedup;
    bool is_verified;
} seen_row;

typedef struct seen {
    int n_machines, n_rows;
    char why_no_gpu[256];
    seen_row row[MAX_ROWS];
} seen;

static void see_machine(void *user, const pc_bench_machine *machine)
{
    seen *s = user;
    s->n_machines++;
    snprintf(s->why_no_gpu, sizeof s->why_no_gpu, "%s", machine->library_missing);
    CU_ASSERT(machine->device[0] != '\0' && machine->kernel[0] != '\0');
    CU_ASSERT(machine->n_multiprocessors > 0);
    CU_ASSERT_STRING_EQUAL(machine->driver, "");
    CU_ASSERT_STRING_EQUAL(machine->runtime, "");
    CU_ASSERT_STRING_EQUAL(machine->library, "");
}

/* What rates are to each other and to the time holds for every row. */
static void see_row(void *user, const pc_ladder_row *row)
{
    seen *s = user;
    double n = row->n;
    CU_ASSERT_FATAL(s->n_rows < MAX_ROWS);
    seen_row *new = &s->row[s->n_rows++];
    *new = (seen_row){.n = row->n,
                      .milliseconds = row->milliseconds,
                      .speedup = row->speedup,
                      .is_verified = row->verified[0] != '\0'};
    snprintf(new->kernel, sizeof new->kernel, "%s", row->kernel);
    snprintf(new->note, sizeof new->note, "%s", row->note);
    snprintf(new->seed_device, sizeof new->seed_device, "%s", row->seed_device);
    CU_ASSERT_EQUAL(row->block_x, 0);
    CU_ASSERT_EQUAL(row->of_library, 0);
    CU_ASSERT(row->source[0] != '\0');
    CU_ASSERT_EQUAL(new->is_verified, row->milliseconds > 0);
    if (row->milliseconds > 0)
        CU_ASSERT(fabs(row->gflops * row->milliseconds * 1e6 / ((2 * n - 1) * n * n) - 1) < 1e-9);
}

enum { N_ROUNDS = 2 };

static pc_status climb(pc_context *context, uint32_t n, uint32_t n_kernels,
                       const char *const *kernels, seen *s)
{
    pc_ladder_options options = {
        .n = n, .n_rounds = N_ROUNDS, .n_kernels = n_kernels, .kernels = kernels};
    *s = (seen){0};
    return pc_bench_ladder(context, &options, see_machine, see_row, s);
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
        CU_ASSERT_EQUAL(s.n_machines, 1);
        CU_ASSERT_STRING_EQUAL(s.why_no_gpu, "");
        CU_ASSERT_EQUAL_FATAL(s.n_rows, 5);
        for (int r = 0; r < 5; r++) {
            CU_ASSERT(s.row[r].is_verified);
            CU_ASSERT_EQUAL(s.row[r].n, sizes[i]);
            CU_ASSERT(fabs(s.row[r].speedup * s.row[r].milliseconds / s.row[0].milliseconds - 1) <
                      1e-9);
            if (r < 4)
                CU_ASSERT_STRING_EQUAL(s.row[r].kernel, names[r]);
            CU_ASSERT_STRING_EQUAL(s.row[r].seed_device, r < 4 ? machines[r] : "");
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
    CU_ASSERT_EQUAL(s.n_machines + s.n_rows, 0);
    CU_ASSERT(
        says(context,
             "no kernel 'GPU1' on the processor; it has ijk, ikj, ikj-openmp, reduced-cpu, int8-"));
}

/* Without a device named the processor stands in, and the reason is passed on. */
TEST("no GPU")
{
    static const char *const names[] = {"ikj-openmp"};
    OWNED(pc_context) *context = new_context(0);
    seen s;
    setenv("PATHCOUNT_CUDA_ENGINE", "none", 1);
    MUST(climb(context, 0, 1, names, &s));
    unsetenv("PATHCOUNT_CUDA_ENGINE");
    CU_ASSERT_EQUAL(s.n_machines, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(s.why_no_gpu, "no CUDA engine"));
    CU_ASSERT_STRING_EQUAL(pc_context_message(context), "");
    CU_ASSERT_EQUAL_FATAL(s.n_rows, 1);
    CU_ASSERT_EQUAL(s.row[0].n, 1024);
    CU_ASSERT(s.row[0].is_verified);
}

/* ---- Rungs that are wrong --------------------------------------------------------------------- */

/* The right product, but for its last entry. */
static void multiply_almost(const pci_float_product *p, int n_threads)
{
    pci_cpu_ladder[0].multiply(p, n_threads);
    p->c[p->rows * p->c_stride - 1] += 1;
}

/* Leaves the last row as it found it: right, if that was not spoilt. */
static void multiply_less(const pci_float_product *p, int n_threads)
{
    pci_float_product less = *p;
    less.rows--;
    pci_cpu_ladder[0].multiply(&less, n_threads);
}

/* Of an odd number of columns the last does not get into any sum. */
static void reduce_less(const pci_float_product *p, int n_threads)
{
    pci_float_product less = *p;
    less.columns--;
    pci_cpu_ladder[3].multiply(&less, n_threads);
    for (size_t i = 0; i < (p->rows + 1) / 2; i++)
        p->c[i * p->c_stride + less.columns / 2] = 0;
}

TEST("wrong rungs are caught")
{
    enum { N = 7 };
    const pci_cpu_rung rungs[] = {{"almost", "Nobody", 0, multiply_almost},
                                  pci_cpu_ladder[0],
                                  {"less", "Nobody", 0, multiply_less},
                                  {"reduced-less", "Nobody", 1, reduce_less},
                                  pci_cpu_ladder[3]};
    static const char *const notes[] = {"WRONG: 1 entries", "", "WRONG: 7 entries",
                                        "WRONG: 4 entries", "", ""};
    seen s = {0};
    OWNED(pc_context) *context = new_context(1);
    pc_ladder_options options = {.n = N, .n_rounds = 1};
    pci_ladder_report report = {.row = see_row, .user = &s};
    pci_rungs work = {.context = context,
                      .options = &options,
                      .report = &report,
                      .rung = rungs,
                      .n_rungs = 5,
                      .is_alone = true};
    CU_ASSERT_EQUAL(pci_rungs_measure(&work), PC_OK);
    CU_ASSERT_EQUAL(work.n_wrong, 3);
    CU_ASSERT_EQUAL_FATAL(s.n_rows, 6);
    for (int r = 0; r < s.n_rows; r++) {
        CU_ASSERT_STRING_EQUAL(s.row[r].note, notes[r]);
        CU_ASSERT_EQUAL(s.row[r].is_verified, notes[r][0] == '\0');
    }
    CU_ASSERT_EQUAL(s.row[1].speedup, 1); /* what was wrong is nothing to compare with */
}

static int n_slow_runs;

static void multiply_slowly(const pci_float_product *p, int n_threads)
{
    n_slow_runs++;
    nanosleep(&(struct timespec){.tv_sec = 2, .tv_nsec = 1000000}, NULL);
    pci_cpu_ladder[0].multiply(p, n_threads);
}

/* What takes two seconds is not run for every round. */
TEST("a slow rung")
{
    const pci_cpu_rung slow = {"slow", "Nobody", 0, multiply_slowly};
    static const char *const names[] = {"slow"};
    seen s = {0};
    OWNED(pc_context) *context = new_context(1);
    pc_ladder_options options = {.n = 3, .n_rounds = 5, .n_kernels = 1, .kernels = names};
    pci_ladder_report report = {.row = see_row, .user = &s};
    pci_rungs work = {
        .context = context, .options = &options, .report = &report, .rung = &slow, .n_rungs = 1};
    n_slow_runs = 0;
    CU_ASSERT_EQUAL(pci_rungs_measure(&work), PC_OK);
    CU_ASSERT_EQUAL(n_slow_runs, 1);
    CU_ASSERT_EQUAL_FATAL(s.n_rows, 1);
    CU_ASSERT_STRING_EQUAL(s.row[0].note, "one run");
    CU_ASSERT(s.row[0].is_verified && s.row[0].milliseconds > 2000);
}

/* Beside a GPU: speed-ups are over what it measured, and large sizes are for those who ask. */
TEST("rungs beside a GPU")
{
    static const char *const names[] = {"ikj"};
    seen s = {0};
    OWNED(pc_context) *context = new_context(2);
    pc_ladder_options options = {.n = 1025, .n_rounds = 1};
    pci_ladder_report report = {.row = see_row, .user = &s};
    pci_rungs work = {.context = context,
                      .options = &options,
                      .report = &report,
                      .rung = pci_cpu_ladder,
                      .n_rungs = pci_cpu_ladder_n,
                      .first_ms = 1e6};
    CU_ASSERT_EQUAL(pci_rungs_measure(&work), PC_OK);
    CU_ASSERT_EQUAL(s.n_rows, 0);
    options = (pc_ladder_options){.n = 33, .n_rounds = 1, .n_kernels = 1, .kernels = names};
    CU_ASSERT_EQUAL(pci_rungs_measure(&work), PC_OK);
    CU_ASSERT_EQUAL_FATAL(s.n_rows, 1);
    CU_ASSERT(fabs(s.row[0].speedup * s.row[0].milliseconds / 1e6 - 1) < 1e-9);
    work.first_ms = 0;
    CU_ASSERT_EQUAL(pci_rungs_measure(&work), PC_OK);
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
    pci_ladder_seed seed = pci_ladder_seed_of(kernel, x, y, n);
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
    for (size_t r = 0; r < pci_cpu_ladder_n; r++)
        CU_ASSERT(pci_ladder_seed_of(pci_cpu_ladder[r].name, 0, 0, 1024).gflops > 0);
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

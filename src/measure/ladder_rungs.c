/* The ladder on the processor: matrices, what their product is, and how one rung is verified and
 * measured. */
#include "src/measure/ladder_rungs.h"

#include "src/cpu/product.h"
#include "src/measure/ladder_matrix.h"
#include "src/measure/ladder_seeds.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_UNASKED = 1024, /* rows beside a GPU, for rungs that were not asked for */
    POISON = 0x80,       /* in every byte: no integer as a float, and no centred residue */
    MAX_REPEATS = 1000,
    NAME_BYTES = 32,
    NOTE_BYTES = 64
};

#define STRETCH_MS  40.0   /* what is timed at once: short runs are repeated */
#define LONG_RUN_MS 2000.0 /* what takes longer is not run again: its first run counts */

/* Planes of int8: the two factors and their product. */
enum { LEFT, RIGHT, RESULT, N_PLANES };

typedef struct bench {
    pci_rungs *rungs;
    uint32_t n;
    int n_threads;
    float *matrices; /* A, B and a C for each rung to write */
    pci_float_product product;
    int32_t *expected; /* A B */
    const pci_kernel *kernel;
    pci_layout layout;
    int8_t *planes;
    pci_workspace workspace;
} bench;

/* ---- Names ----------------------------------------------------------------------------------- */

bool pci_ladder_is_named(const pc_ladder_options *options, const char *name)
{
    for (uint32_t k = 0; k < options->n_kernels; k++)
        if (strcmp(options->kernels[k], name) == 0)
            return true;
    return false;
}

static void name_own_product(const pci_kernel *kernel, char name[NAME_BYTES])
{
    snprintf(name, NAME_BYTES, "int8-%s", kernel->name);
}

/* The name of candidate number i, the GPU's first; NULL behind the last. */
static const char *name_of(size_t i, size_t n_of_gpu, const char *const *of_gpu, const char *own)
{
    if (i < n_of_gpu)
        return of_gpu[i];
    i -= n_of_gpu;
    if (i < pci_cpu_ladder_n)
        return pci_cpu_ladder[i].name;
    return i == pci_cpu_ladder_n ? own : NULL;
}

pc_status pci_ladder_check_names(pc_context *context, const pc_ladder_options *options,
                                 size_t n_of_gpu, const char *const *of_gpu)
{
    char own[NAME_BYTES], known[1024] = "";
    const char *name, *unknown = NULL;
    const pci_kernel *kernel;
    size_t length = 0;
    pc_status status = pci_kernel_select(context, &kernel);
    if (status != PC_OK)
        return status;
    name_own_product(kernel, own);
    for (uint32_t k = 0; k < options->n_kernels && !unknown; k++) {
        size_t i = 0;
        while ((name = name_of(i, n_of_gpu, of_gpu, own)) && strcmp(name, options->kernels[k]) != 0)
            i++;
        if (!name)
            unknown = options->kernels[k];
    }
    if (!unknown)
        return PC_OK;
    for (size_t i = 0; (name = name_of(i, n_of_gpu, of_gpu, own)) && length < sizeof known; i++)
        length +=
            (size_t)snprintf(known + length, sizeof known - length, "%s%s", i ? ", " : "", name);
    return pci_fail(context, PC_ERR_ARGUMENT, "the ladder has no kernel '%.64s'%s; it has %s",
                    unknown, n_of_gpu ? "" : " on the processor", known);
}

static bool is_wanted(const pci_rungs *rungs, const char *name)
{
    if (rungs->options->n_kernels > 0)
        return pci_ladder_is_named(rungs->options, name);
    return rungs->is_alone || rungs->options->n <= MOST_UNASKED;
}

/* ---- Matrices -------------------------------------------------------------------------------- */

/* Before anything large is asked for: a machine may promise memory that it does not have. */
static pc_status allocate(bench *b)
{
    pc_context *context = b->rungs->context;
    size_t n_entries = (size_t)b->n * b->n;
    size_t bytes = n_entries * (3 * sizeof *b->matrices + sizeof *b->expected) +
                   N_PLANES * b->layout.digit_bytes;
    if (bytes > pci_memory_available(context))
        return pci_fail_memory(context, "matrices of the ladder (give a smaller n)", bytes);
    b->matrices = pci_alloc(context, 3 * n_entries * sizeof *b->matrices);
    b->expected = pci_alloc_zero(context, n_entries, sizeof *b->expected);
    b->planes = pci_alloc_zero(context, N_PLANES, b->layout.digit_bytes);
    return b->matrices && b->expected && b->planes
               ? PC_OK
               : pci_fail_memory(context, "matrices of the ladder", bytes);
}

static void fill(const bench *b, uint32_t matrix, float *element, int8_t *plane)
{
    uint32_t largest = pci_ladder_largest(b->n);
    for (uint32_t i = 0; i < b->n; i++)
        for (uint32_t j = 0; j < b->n; j++) {
            uint32_t entry = pci_ladder_entry(matrix, i, j, largest);
            element[(size_t)i * b->n + j] = (float)entry;
            plane[i * b->layout.stride + j] = (int8_t)entry;
        }
}

/* The product by its definition; its entries are below 2^22. */
static void expect(const bench *b)
{
    const pci_float_product *p = &b->product;
    size_t n = b->n;
#pragma omp parallel for schedule(static) num_threads(b->n_threads)
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) {
            int32_t a = (int32_t)p->a[i * n + k];
            for (size_t j = 0; j < n; j++)
                b->expected[i * n + j] += a * (int32_t)p->b[k * n + j];
        }
}

static pc_status make_matrices(bench *b)
{
    size_t n = b->n, n_entries = n * n;
    pc_status status = allocate(b);
    if (status != PC_OK)
        return status;
    float *left = b->matrices, *right = left + n_entries;
    fill(b, PCI_LADDER_A, left, b->planes + LEFT * b->layout.digit_bytes);
    fill(b, PCI_LADDER_B, right, b->planes + RIGHT * b->layout.digit_bytes);
    b->product = (pci_float_product){.rows = n,
                                     .inner = n,
                                     .columns = n,
                                     .a = left,
                                     .b = right,
                                     .c = right + n_entries,
                                     .a_stride = n,
                                     .b_stride = n,
                                     .c_stride = n};
    expect(b);
    return PC_OK;
}

static void free_matrices(bench *b)
{
    pc_context *context = b->rungs->context;
    pci_workspace_free(context, &b->workspace);
    pci_free(context, b->planes);
    pci_free(context, b->expected);
    pci_free(context, b->matrices);
}

/* ---- One rung, or our own product where rung is NULL ------------------------------------------ */

static pc_status run(bench *b, const pci_cpu_rung *rung)
{
    if (rung) {
        rung->multiply(&b->product, b->n_threads);
        return PC_OK;
    }
    size_t bytes = b->layout.digit_bytes;
    pci_output output = {.modulus = PCI_LADDER_MODULUS, .plane = b->planes + RESULT * bytes};
    pci_product_job job = {.left = b->planes + LEFT * bytes,
                           .right = b->planes + RIGHT * bytes,
                           .n_digits = 1,
                           .n_outputs = 1,
                           .outputs = &output};
    pci_product product = pci_plane_product(b->kernel, b->n_threads, false, &b->layout);
    return pci_multiply(b->rungs->context, &product, 1, &job, &b->workspace);
}

static void spoil(const bench *b, const pci_cpu_rung *rung)
{
    if (rung)
        memset(b->product.c, POISON, (size_t)b->n * b->n * sizeof *b->product.c);
    else
        memset(b->planes + RESULT * b->layout.digit_bytes, POISON, b->layout.digit_bytes);
}

/* Entry (i, j) of A B, 0 beyond its edge. */
static int32_t expected_entry(const bench *b, size_t i, size_t j)
{
    return i < b->n && j < b->n ? b->expected[i * b->n + j] : 0;
}

static bool is_right(const bench *b, const pci_cpu_rung *rung, size_t i, size_t j)
{
    if (rung && rung->reduced)
        return b->product.c[i * b->n + j] ==
               (float)(expected_entry(b, 2 * i, 2 * j) + expected_entry(b, 2 * i, 2 * j + 1) +
                       expected_entry(b, 2 * i + 1, 2 * j) +
                       expected_entry(b, 2 * i + 1, 2 * j + 1));
    if (rung)
        return b->product.c[i * b->n + j] == (float)expected_entry(b, i, j);
    int32_t residue = b->planes[RESULT * b->layout.digit_bytes + i * b->layout.stride + j];
    return (expected_entry(b, i, j) - residue) % PCI_LADDER_MODULUS == 0 &&
           2 * abs(residue) < PCI_LADDER_MODULUS;
}

static uint64_t count_wrong(const bench *b, const pci_cpu_rung *rung)
{
    size_t side = rung && rung->reduced ? (b->n + 1) / 2 : b->n;
    uint64_t n_wrong = 0;
    for (size_t i = 0; i < side; i++)
        for (size_t j = 0; j < side; j++)
            n_wrong += !is_right(b, rung, i, j);
    return n_wrong;
}

/* ---- Time ------------------------------------------------------------------------------------ */

static pc_status time_runs(bench *b, const pci_cpu_rung *rung, int n, double *milliseconds)
{
    double start = pci_now_seconds();
    pc_status status = PC_OK;
    for (int i = 0; i < n && status == PC_OK; i++)
        status = run(b, rung);
    *milliseconds = 1e3 * (pci_now_seconds() - start) / n;
    return status;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static pc_status find_median(bench *b, const pci_cpu_rung *rung, double first_ms,
                             double *milliseconds)
{
    pc_context *context = b->rungs->context;
    int n_rounds = b->rungs->options->n_rounds;
    double repeats = STRETCH_MS / first_ms + 1;
    int n_repeats = repeats < MAX_REPEATS ? (int)repeats : MAX_REPEATS;
    double *times = pci_alloc_zero(context, (size_t)n_rounds, sizeof *times);
    if (!times)
        return pci_fail_memory(context, "times", (size_t)n_rounds * sizeof *times);
    pc_status status = PC_OK;
    for (int round = 0; round < n_rounds && status == PC_OK; round++) {
        status = pci_progress(context, "bench", 0);
        if (status == PC_OK)
            status = time_runs(b, rung, n_repeats, &times[round]);
    }
    qsort(times, (size_t)n_rounds, sizeof *times, compare_doubles);
    *milliseconds = times[n_rounds / 2];
    pci_free(context, times);
    return status;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

void pci_ladder_tell(const pci_ladder_report *report, const pc_ladder_row *row, double library_ms,
                     double first_ms)
{
    pc_ladder_row complete = *row;
    double n = row->n;
    pci_ladder_seed seed = pci_ladder_seed_of(row->kernel, row->block_x, row->block_y, row->n);
    complete.seed_device = seed.device;
    complete.seed_gflops = seed.gflops;
    complete.computes = row->computes ? row->computes : "";
    complete.verified = row->verified ? row->verified : "";
    if (row->milliseconds > 0) {
        complete.gflops = (2 * n - 1) * n * n / row->milliseconds / 1e6;
        complete.of_library = library_ms / row->milliseconds;
        complete.speedup = first_ms / row->milliseconds;
    }
    report->row(report->user, &complete);
}

/* Runs it over a spoilt result, compares every entry, and times it when all are right. */
static pc_status measure(bench *b, const pci_cpu_rung *rung, pc_ladder_row *row,
                         char note[NOTE_BYTES])
{
    double first_ms;
    pc_status status = pci_progress(b->rungs->context, "bench", 0);
    if (status != PC_OK)
        return status;
    spoil(b, rung);
    status = time_runs(b, rung, 1, &first_ms);
    if (status != PC_OK)
        return status;
    uint64_t n_wrong = count_wrong(b, rung);
    if (n_wrong > 0) {
        b->rungs->n_wrong++;
        snprintf(note, NOTE_BYTES, "WRONG: %" PRIu64 " entries", n_wrong);
        return PC_OK;
    }
    row->verified = "sums of integers";
    row->milliseconds = first_ms;
    if (first_ms <= LONG_RUN_MS)
        return find_median(b, rung, first_ms, &row->milliseconds);
    snprintf(note, NOTE_BYTES, "one run");
    return PC_OK;
}

static pc_status measure_and_tell(bench *b, const pci_cpu_rung *rung, const char *name)
{
    pci_rungs *rungs = b->rungs;
    char note[NOTE_BYTES] = "";
    pc_ladder_row row = {.kernel = name, .n = b->n, .note = note};
    row.source = rung ? rung->source : "pathcount, mod 251";
    pc_status status = b->matrices ? PC_OK : make_matrices(b);
    if (status == PC_OK)
        status = measure(b, rung, &row, note);
    if (status != PC_OK)
        return status;
    if (rungs->is_alone && rungs->first_ms == 0)
        rungs->first_ms = row.milliseconds;
    pci_ladder_tell(rungs->report, &row, rungs->library_ms, rungs->first_ms);
    return PC_OK;
}

pc_status pci_rungs_measure(pci_rungs *rungs)
{
    char own[NAME_BYTES];
    bench b = {.rungs = rungs,
               .n = rungs->options->n,
               .n_threads = pci_n_threads(rungs->context),
               .layout = pci_layout_of(rungs->options->n)};
    pc_status status = pci_kernel_select(rungs->context, &b.kernel);
    for (size_t r = 0; r < rungs->n_rungs && status == PC_OK; r++)
        if (is_wanted(rungs, rungs->rung[r].name))
            status = measure_and_tell(&b, &rungs->rung[r], rungs->rung[r].name);
    if (status == PC_OK)
        name_own_product(b.kernel, own);
    if (status == PC_OK && is_wanted(rungs, own))
        status = measure_and_tell(&b, NULL, own);
    free_matrices(&b);
    return status;
}

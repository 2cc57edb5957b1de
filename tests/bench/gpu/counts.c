/* Whole counts on the device: A^8 of random graphs as integers in device memory, beside three
 * products of doubles of the same size, which are not exact beyond 2^53. */
#include "tests/support/calls.h"
#include "tests/bench/gpu/gpu.h"

#include "gpu/engine/run.h"
#include "src/plan/limits.h"
#include "src/certify/certify.h"
#include "src/plan/plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SECTION         "counts"
#define MAX_PROBABILITY 0.9 /* of an arc, in small graphs */

enum {
    LENGTH = 8,
    N_LEVELS = 4, /* A, A^2, A^4, A^8 */
    N_SQUARINGS = N_LEVELS - 1,
    CERTIFY_ROUNDS = 2,
    BLOCK_BYTES = 64 << 20 /* of rows that are checked at a time */
};

/* A kind of random graph. */
typedef struct graph_kind {
    const char *name;
    double mean_degree;
    bool symmetric;
} graph_kind;

/* ---- The count ------------------------------------------------------------------------------- */

typedef struct count {
    uint32_t n;
    pc_graph *graph;
    pci_moduli moduli;
    pc_level level[N_LEVELS];
    double bound_bits;
    uint32_t n_limbs;
    pci_run *run;
    uint64_t *limbs;         /* [n][n][n_limbs] in device memory */
    double *power[N_LEVELS]; /* A, A^2, A^4, A^8 in doubles; NULL without a library */
} count;

/* The levels as in a plan for this device. */
static void plan_levels(bench *b, count *c)
{
    static const uint64_t lengths[N_LEVELS] = {1, 2, 4, LENGTH};
    double bits[N_LEVELS];
    pci_moduli_fill(&c->moduli, PCI_ANY_BITS);
    if (!bench_check(b, pci_bound(b->context, c->graph, NULL, N_LEVELS, lengths,
                                  pci_moduli_max_bits(&c->moduli, PCI_N_NOT_FULL), bits)))
        return;
    pc_plan_info plan = {.length = LENGTH, .n_levels = N_LEVELS};
    for (int l = 0; l < N_LEVELS; l++)
        plan.levels[l] = (pc_level){.length = lengths[l], .bound_bits = bits[l]};
    pci_levels_begin(&c->moduli, 0, &plan);
    if (pci_gpu_kernel_has_digits(b->gpu->device.kernel))
        pci_levels_square_digits(&c->moduli, &plan);
    memcpy(c->level, plan.levels, sizeof c->level);
    c->bound_bits = bits[N_LEVELS - 1];
    c->n_limbs = (uint32_t)(c->bound_bits / 64) + 1;
}

/* The work that is timed: from the graph on the device to integers on the device. */
static void run_count(bench *b, void *work)
{
    const count *c = work;
    bench_check(b, pci_gpu_run_load(c->run, c->level[0].n_moduli));
    for (int l = 1; l < N_LEVELS && b->status == PC_OK; l++) {
        const pc_level *level = &c->level[l];
        if (level->is_by_digits) {
            bench_check(b, pci_gpu_run_square_digits(c->run, level->n_moduli));
            continue;
        }
        if (level[-1].n_moduli == 0 || bench_check(b, pci_gpu_run_extend(c->run, level->n_moduli)))
            bench_check(b, pci_gpu_run_square(c->run, level->n_moduli));
    }
    if (b->status == PC_OK)
        bench_check(b, pci_gpu_run_collect_device(c->run, c->n_limbs, c->limbs));
    bench_gpu_check(b, cudaSetDevice(b->gpu->device.index), "choosing the device");
}

/* Returns whether the integers on the device pass the certificate of every count. */
static bool certify(bench *b, const count *c)
{
    uint64_t row_words = (uint64_t)c->n * c->n_limbs;
    uint64_t n_block = 1 + BLOCK_BYTES / (row_words * sizeof(uint64_t));
    uint64_t *block = bench_alloc(b, "a block of rows", n_block * row_words, sizeof *block);
    pci_certificate *certificate = NULL;
    pci_path_operator paths = {.context = b->context, .graph = c->graph, .length = LENGTH};
    pci_operator map = pci_path_operator_map(&paths);
    if (b->status == PC_OK)
        bench_check(b, pci_certificate_create(b->context, &map, 0, CERTIFY_ROUNDS, &certificate));
    for (uint64_t first = 0; first < c->n && b->status == PC_OK; first += n_block) {
        uint64_t n_rows = c->n - first < n_block ? c->n - first : n_block;
        pc_rows rows = {.first_row = first,
                        .n_rows = n_rows,
                        .n_columns = c->n,
                        .n_limbs = c->n_limbs,
                        .limbs = block};
        if (bench_gpu_check(b,
                            cudaMemcpy(block, c->limbs + first * row_words,
                                       n_rows * row_words * sizeof *block, cudaMemcpyDeviceToHost),
                            "copying counts"))
            bench_check(b, pci_certificate_check(certificate, &rows));
    }
    pci_certificate_free(certificate);
    pci_free(b->context, block);
    bool is_right = b->status != PC_ERR_CERTIFY;
    if (!is_right)
        b->status = PC_OK;
    return is_right;
}

/* ---- Doubles --------------------------------------------------------------------------------- */

static void make_doubles(bench *b, count *c)
{
    const pc_graph *g = c->graph;
    size_t bytes = (size_t)c->n * c->n * sizeof(double);
    uint64_t *row_start = bench_gpu_upload(b, g->row_start, (g->n + 1) * sizeof *row_start);
    uint32_t *column = bench_gpu_upload(b, g->column, (pci_graph_n_arcs(g) + 1) * sizeof *column);
    for (int l = 0; l < N_LEVELS; l++)
        c->power[l] = bench_gpu_memory(b, bytes);
    if (b->status == PC_OK)
        bench_gpu_check(b, pci_bench_scatter(c->n, row_start, column, c->power[0], b->gpu->stream),
                        "filling operands");
}

static void run_dgemm(bench *b, void *work)
{
    const count *c = work;
    pci_cublas *cublas = b->gpu->cublas;
    for (int l = 0; l < N_SQUARINGS; l++)
        bench_check(b, cublas->dgemm(cublas, c->n, c->power[l], c->power[l], c->power[l + 1]));
}

/* Dsyrk computes half a matrix, and mirroring it would cost extra. So its operands are the whole
 * powers that Dgemm left, and its result goes where A^8 was. */
static void run_dsyrk(bench *b, void *work)
{
    const count *c = work;
    pci_cublas *cublas = b->gpu->cublas;
    for (int l = 0; l < N_SQUARINGS; l++)
        bench_check(b, cublas->dsyrk(cublas, c->n, c->power[l], c->power[N_SQUARINGS]));
}

/* ---- Measuring ------------------------------------------------------------------------------- */

enum { COUNT, DGEMM, DSYRK, N_ITEMS };

/* Times the count and, where cuBLAS is installed, products of doubles. */
static void time_count(bench *b, count *c, const graph_kind *kind)
{
    int n_items = !b->gpu->cublas ? DGEMM : kind->symmetric ? N_ITEMS : DSYRK;
    char name[N_ITEMS][96];
    bench_item items[N_ITEMS] = {
        [COUNT] = {.run = run_count,
                   .verified = "certificate",
                   .peer = {{"3 Dgemm", n_items > DGEMM ? &items[DGEMM] : NULL},
                            {"3 Dsyrk", n_items > DSYRK ? &items[DSYRK] : NULL}}},
        [DGEMM] = {.run = run_dgemm},
        [DSYRK] = {.run = run_dsyrk}};
    snprintf(name[COUNT], sizeof *name, "A^8, %s, %.0f bits", kind->name, ceil(c->bound_bits));
    snprintf(name[DGEMM], sizeof *name, "3 Dgemm, %s", kind->name);
    snprintf(name[DSYRK], sizeof *name, "3 Dsyrk, %s", kind->name);
    for (int i = 0; i < n_items; i++) {
        items[i].name = name[i];
        items[i].work = c;
        items[i].on_wall = true;
        items[i].amount = N_SQUARINGS * bench_operations(c->n);
        items[i].unit = "TFLOPS";
    }
    bench_time(b, n_items, items);
    bench_tell_items(b, SECTION, c->n, n_items, items);
}

static void measure_count(bench *b, count *c, const graph_kind *kind)
{
    c->limbs = bench_gpu_memory(b, (size_t)c->n * c->n * c->n_limbs * sizeof *c->limbs);
    if (b->gpu->cublas)
        make_doubles(b, c);
    if (b->status == PC_OK)
        run_count(b, c);
    bench_wait(b);
    if (b->status == PC_OK && !certify(b, c)) {
        bench_note(b, SECTION, kind->name, c->n, "WRONG: the certificate failed");
        b->n_wrong++;
    } else if (b->status == PC_OK) {
        time_count(b, c, kind);
    }
}

static void measure_graph(bench *b, uint32_t n, const graph_kind *kind)
{
    count *c = bench_alloc(b, "a count to measure", 1, sizeof *c);
    if (!c)
        return;
    c->n = n;
    if (bench_check(b, generate_gilbert(b->context, n, fmin(kind->mean_degree / n, MAX_PROBABILITY),
                                        n, !kind->symmetric, &c->graph)))
        plan_levels(b, c);
    if (b->status == PC_OK)
        bench_check(b, pci_gpu_run_begin(b->context, c->graph, NULL, &c->moduli,
                                         c->level[N_LEVELS - 1].n_moduli, &c->run));
    cudaSetDevice(b->gpu->device.index); /* a run may leave another device the current one */
    if (b->status == PC_OK)
        measure_count(b, c, kind);
    cudaDeviceSynchronize(); /* nothing may still use what is freed; errors were seen before */
    pci_gpu_run_end(c->run);
    cudaSetDevice(b->gpu->device.index);
    bench_gpu_release_to(b, 0);
    pc_graph_free(c->graph);
    pci_free(b->context, c);
}

static void measure_size(bench *b, uint32_t n)
{
    static const graph_kind kinds[] = {{"undirected, mean degree 32", 32, true},
                                       {"undirected, mean degree 400", 400, true},
                                       {"directed, mean degree 400", 400, false}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        measure_graph(b, n, &kinds[k]);
}

void bench_counts(bench *b)
{
    static const uint32_t sizes[] = {8192, 16384};
    bench_gpu_each_size(b, SECTION, sizeof sizes / sizeof *sizes, sizes, measure_size);
}

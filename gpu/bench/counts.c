/* Whole counts on the device: A^8 of random graphs as integers in device memory, beside three
 * products of doubles of the same size, which are not exact beyond 2^53. */
#include "gpu/bench/bench.h"

#include "gpu/engine/run.h"
#include "src/plan/limits.h"
#include "src/certify/certify.h"
#include "src/plan/levels.h"

#include <inttypes.h>
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
static pc_status plan_levels(pci_bench *bench, count *c)
{
    static const uint64_t lengths[N_LEVELS] = {1, 2, 4, LENGTH};
    double bits[N_LEVELS];
    pci_moduli_fill(&c->moduli, PCI_ANY_BITS);
    pc_status status = pci_bound(bench->context, c->graph, NULL, N_LEVELS, lengths,
                                 pci_moduli_max_bits(&c->moduli, PCI_N_NOT_FULL), bits);
    if (status != PC_OK)
        return status;
    pc_plan_info plan = {.length = LENGTH, .n_levels = N_LEVELS};
    for (int l = 0; l < N_LEVELS; l++)
        plan.levels[l] = (pc_level){.length = lengths[l], .bound_bits = bits[l]};
    pci_levels_begin(&c->moduli, 0, &plan);
    if (pci_gpu_kernel_has_digits(bench->device.kernel))
        pci_levels_square_digits(&c->moduli, &plan);
    memcpy(c->level, plan.levels, sizeof c->level);
    c->bound_bits = bits[N_LEVELS - 1];
    c->n_limbs = (uint32_t)(c->bound_bits / 64) + 1;
    return PC_OK;
}

/* What is timed: from the graph on the device to integers on the device. */
static pc_status run_count(pci_bench *bench, void *work)
{
    const count *c = work;
    pc_status status = pci_gpu_run_load(c->run, c->level[0].n_moduli);
    for (int l = 1; l < N_LEVELS && status == PC_OK; l++) {
        const pc_level *level = &c->level[l];
        if (level->is_by_digits) {
            status = pci_gpu_run_square_digits(c->run, level->n_moduli);
            continue;
        }
        if (level[-1].n_moduli > 0)
            status = pci_gpu_run_extend(c->run, level->n_moduli);
        if (status == PC_OK)
            status = pci_gpu_run_square(c->run, level->n_moduli);
    }
    if (status == PC_OK)
        status = pci_gpu_run_collect_device(c->run, c->n_limbs, c->limbs);
    if (status != PC_OK)
        return status;
    return pci_gpu_check(bench->context, cudaSetDevice(bench->device.index), "choosing the device");
}

/* Checks the integers on the device by the certificate of every count; *right says whether they
 * passed. */
static pc_status certify(pci_bench *bench, const count *c, bool *right)
{
    uint64_t row_words = (uint64_t)c->n * c->n_limbs;
    uint64_t n_block = 1 + BLOCK_BYTES / (row_words * sizeof(uint64_t));
    uint64_t *block = pci_alloc(bench->context, n_block * row_words * sizeof *block);
    pci_certificate *certificate = NULL;
    if (!block)
        return pci_fail_memory(bench->context, "a block of rows", n_block * row_words * 8);
    pci_path_operator paths = {.context = bench->context, .graph = c->graph, .length = LENGTH};
    pci_operator map = pci_path_operator_map(&paths);
    pc_status status =
        pci_certificate_create(bench->context, &map, 0, CERTIFY_ROUNDS, &certificate);
    for (uint64_t first = 0; first < c->n && status == PC_OK; first += n_block) {
        uint64_t n_rows = c->n - first < n_block ? c->n - first : n_block;
        pc_rows rows = {.first_row = first,
                        .n_rows = n_rows,
                        .n_columns = c->n,
                        .n_limbs = c->n_limbs,
                        .limbs = block};
        status =
            pci_gpu_check(bench->context,
                          cudaMemcpy(block, c->limbs + first * row_words,
                                     n_rows * row_words * sizeof *block, cudaMemcpyDeviceToHost),
                          "copying counts");
        if (status == PC_OK)
            status = pci_certificate_check(certificate, &rows);
    }
    pci_certificate_free(certificate);
    pci_free(bench->context, block);
    *right = status == PC_OK;
    return status == PC_ERR_CERTIFY ? PC_OK : status;
}

/* ---- Doubles --------------------------------------------------------------------------------- */

static pc_status make_doubles(pci_bench *bench, count *c)
{
    const pc_graph *g = c->graph;
    size_t bytes = (size_t)c->n * c->n * sizeof(double);
    uint64_t *row_start = NULL;
    uint32_t *column = NULL;
    pc_status status =
        pci_bench_upload(bench, g->row_start, (g->n + 1) * sizeof *row_start, (void **)&row_start);
    if (status == PC_OK)
        status = pci_bench_upload(bench, g->column, (pci_graph_n_arcs(g) + 1) * sizeof *column,
                                  (void **)&column);
    for (int l = 0; l < N_LEVELS && status == PC_OK; l++)
        status = pci_bench_memory(bench, bytes, (void **)&c->power[l]);
    if (status == PC_OK)
        status = pci_gpu_check(
            bench->context, pci_bench_scatter(c->n, row_start, column, c->power[0], bench->stream),
            "filling operands");
    return status;
}

static pc_status run_dgemm(pci_bench *bench, void *work)
{
    const count *c = work;
    pc_status status = PC_OK;
    for (int l = 0; l < N_SQUARINGS && status == PC_OK; l++)
        status =
            bench->cublas->dgemm(bench->cublas, c->n, c->power[l], c->power[l], c->power[l + 1]);
    return status;
}

/* Dsyrk computes half a matrix, and mirroring it would cost extra. So its operands are the whole
 * powers that Dgemm left, and its result goes where A^8 was. */
static pc_status run_dsyrk(pci_bench *bench, void *work)
{
    const count *c = work;
    pc_status status = PC_OK;
    for (int l = 0; l < N_SQUARINGS && status == PC_OK; l++)
        status = bench->cublas->dsyrk(bench->cublas, c->n, c->power[l], c->power[N_SQUARINGS]);
    return status;
}

/* ---- Measuring ------------------------------------------------------------------------------- */

enum { COUNT, DGEMM, DSYRK, N_ITEMS };

/* Times the count and, where cuBLAS is installed, products of doubles; reports what was timed. */
static pc_status time_count(pci_bench *bench, count *c, const graph_kind *kind)
{
    int n_items = !bench->cublas ? DGEMM : kind->symmetric ? N_ITEMS : DSYRK;
    char name[N_ITEMS][96];
    pci_bench_item items[N_ITEMS] = {[COUNT] = {.run = run_count, .work = c},
                                     [DGEMM] = {.run = run_dgemm, .work = c},
                                     [DSYRK] = {.run = run_dsyrk, .work = c}};
    snprintf(name[COUNT], sizeof *name, "A^8, %s, %.0f bits", kind->name, ceil(c->bound_bits));
    snprintf(name[DGEMM], sizeof *name, "3 Dgemm, %s", kind->name);
    snprintf(name[DSYRK], sizeof *name, "3 Dsyrk, %s", kind->name);
    for (int i = 0; i < n_items; i++) {
        items[i].name = name[i];
        items[i].amount = N_SQUARINGS * pci_bench_operations(c->n);
        items[i].unit = "TFLOPS";
    }
    items[COUNT].verified = "certificate";
    for (int peer = DGEMM; peer < n_items; peer++) {
        items[COUNT].peer[peer - DGEMM].name = peer == DGEMM ? "3 Dgemm" : "3 Dsyrk";
        items[COUNT].peer[peer - DGEMM].item = &items[peer];
    }
    pc_status status = pci_bench_time(bench, PCI_BENCH_WALL, n_items, items);
    if (status == PC_OK)
        pci_bench_report_items(bench, SECTION, c->n, n_items, items);
    return status;
}

static pc_status measure_count(pci_bench *bench, count *c, const graph_kind *kind)
{
    bool right = false;
    pc_status status = pci_bench_memory(bench, (size_t)c->n * c->n * c->n_limbs * sizeof *c->limbs,
                                        (void **)&c->limbs);
    if (status == PC_OK && bench->cublas)
        status = make_doubles(bench, c);
    if (status == PC_OK)
        status = run_count(bench, c);
    if (status == PC_OK)
        status = pci_gpu_check(bench->context, cudaDeviceSynchronize(), "counting");
    if (status == PC_OK)
        status = certify(bench, c, &right);
    if (status != PC_OK)
        return status;
    if (!right) {
        pci_bench_note(bench, SECTION, kind->name, c->n, "WRONG: the certificate failed");
        bench->n_wrong++;
        return PC_OK;
    }
    return time_count(bench, c, kind);
}

static pc_status measure_graph(pci_bench *bench, uint32_t n, const graph_kind *kind)
{
    count *c = pci_alloc_zero(bench->context, 1, sizeof *c);
    if (!c)
        return pci_fail_memory(bench->context, "a count to measure", sizeof *c);
    c->n = n;
    pc_status status =
        pc_generate_gilbert(bench->context, n, fmin(kind->mean_degree / n, MAX_PROBABILITY), n,
                            !kind->symmetric, &c->graph);
    if (status == PC_OK)
        status = plan_levels(bench, c);
    if (status == PC_OK)
        status = pci_gpu_run_begin(bench->context, c->graph, NULL, &c->moduli,
                                   c->level[N_LEVELS - 1].n_moduli, &c->run);
    cudaSetDevice(bench->device.index); /* a run may leave another device the current one */
    if (status == PC_OK)
        status = measure_count(bench, c, kind);
    cudaDeviceSynchronize(); /* nothing may still use what is freed; errors were seen before */
    pci_gpu_run_end(c->run);
    cudaSetDevice(bench->device.index);
    pci_bench_release(bench);
    pc_graph_free(c->graph);
    pci_free(bench->context, c);
    return status;
}

static pc_status measure_size(pci_bench *bench, uint32_t n)
{
    static const graph_kind kinds[] = {{"undirected, mean degree 32", 32, true},
                                       {"undirected, mean degree 400", 400, true},
                                       {"directed, mean degree 400", 400, false}};
    pc_status status = PC_OK;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds && status == PC_OK; k++)
        status = measure_graph(bench, n, &kinds[k]);
    return status;
}

pc_status pci_bench_counts(pci_bench *bench)
{
    static const uint32_t sizes[] = {8192, 16384};
    return pci_bench_each_size(bench, SECTION, sizeof sizes / sizeof *sizes, sizes, measure_size);
}

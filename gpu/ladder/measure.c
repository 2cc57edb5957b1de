/* The benchmark of the ladder: its matrices, their right product, and how one candidate is verified
 * and timed. */
#include "gpu/ladder/measure.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    POISON = 0x80, /* in every byte: no integer as a float or double, and no centred residue */
    N_CHECKED_ROWS = 8,
};

/* A candidate that takes longer is not run again: its first run counts. */
#define LONG_RUN_MS 2000.0

/* ---- Matrices -------------------------------------------------------------------------------- */

static pc_status make_matrix(pci_bench *bench, uint32_t n, pci_ladder_matrix *matrix)
{
    void *memory = NULL;
    *matrix = (pci_ladder_matrix){.rows = n, .columns = n, .stride = (n + 3) / 4 * 4};
    pc_status status = pci_bench_memory(bench, (size_t)n * matrix->stride * sizeof(float), &memory);
    matrix->element = memory;
    return status;
}

static pc_status make_matrices(pci_bench_ladder *ladder)
{
    pci_bench *bench = ladder->bench;
    uint32_t n = ladder->options->n, n_reduced = (n + 1) / 2;
    pc_status status = make_matrix(bench, n, &ladder->product.a);
    if (status == PC_OK)
        status = make_matrix(bench, n, &ladder->product.b);
    if (status == PC_OK)
        status = make_matrix(bench, n, &ladder->product.c);
    if (status == PC_OK)
        status = make_matrix(bench, n, &ladder->expected[false]);
    if (status == PC_OK)
        status = make_matrix(bench, n_reduced, &ladder->expected[true]);
    if (status == PC_OK)
        status = pci_bench_memory(bench, sizeof *ladder->n_wrong, (void **)&ladder->n_wrong);
    return status;
}

static pc_status fill_matrices(pci_bench_ladder *ladder)
{
    cudaStream_t stream = ladder->bench->stream;
    uint32_t largest = pci_ladder_largest(ladder->options->n);
    pci_ladder_product plain = ladder->product;
    plain.c = ladder->expected[false];
    cudaError_t error = pci_ladder_fill(&plain.a, PCI_LADDER_A, largest, stream);
    if (error == cudaSuccess)
        error = pci_ladder_fill(&plain.b, PCI_LADDER_B, largest, stream);
    if (error == cudaSuccess)
        error = pci_ladder_expect(&plain, stream);
    if (error == cudaSuccess)
        error = pci_ladder_expect_reduced(&plain.c, &ladder->expected[true], stream);
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(stream);
    return pci_gpu_check(ladder->bench->context, error, "making matrices");
}

/* ---- The right product ----------------------------------------------------------------------- */

/* The host checks these rows of the product that all others are compared with: the first, the last,
 * and some between. */
static uint32_t checked_row(uint32_t n, uint32_t r)
{
    return (uint32_t)((uint64_t)(n - 1) * r / (N_CHECKED_ROWS - 1));
}

/* Computes these rows by the definition, from entries that are made again:
 * sums[N_CHECKED_ROWS][n]. */
static void multiply_rows(const pci_bench_ladder *ladder, uint64_t *sums)
{
    uint32_t n = ladder->options->n, largest = pci_ladder_largest(n);
    memset(sums, 0, (size_t)n * N_CHECKED_ROWS * sizeof *sums);
    for (uint32_t k = 0; k < n; k++) {
        uint64_t a[N_CHECKED_ROWS];
        for (uint32_t r = 0; r < N_CHECKED_ROWS; r++)
            a[r] = pci_ladder_entry(PCI_LADDER_A, checked_row(n, r), k, largest);
        for (uint32_t j = 0; j < n; j++) {
            uint64_t b = pci_ladder_entry(PCI_LADDER_B, k, j, largest);
            for (uint32_t r = 0; r < N_CHECKED_ROWS; r++)
                sums[(size_t)r * n + j] += a[r] * b;
        }
    }
}

static pc_status check_row(pci_bench_ladder *ladder, uint32_t i, const uint64_t *sums, float *row)
{
    const pci_ladder_matrix *expected = &ladder->expected[false];
    cudaError_t error = cudaMemcpy(row, expected->element + (size_t)i * expected->stride,
                                   expected->columns * sizeof *row, cudaMemcpyDeviceToHost);
    pc_status status = pci_gpu_check(ladder->bench->context, error, "reading a row");
    if (status != PC_OK)
        return status;
    for (uint32_t j = 0; j < expected->columns; j++)
        if (row[j] != (float)sums[j])
            return pci_fail(ladder->bench->context, PC_ERR_CERTIFY,
                            "the product that all others are compared with is wrong at (%" PRIu32
                            ", %" PRIu32 "): this is a bug in pathcount or a fault of this machine",
                            i, j);
    return PC_OK;
}

static pc_status check_expected(pci_bench_ladder *ladder)
{
    pc_context *context = ladder->bench->context;
    size_t n = ladder->options->n, bytes = n * N_CHECKED_ROWS * sizeof(uint64_t);
    uint64_t *sums = pci_alloc(context, bytes);
    float *row = pci_alloc(context, n * sizeof *row);
    pc_status status = PC_OK;
    if (sums && row)
        multiply_rows(ladder, sums);
    else
        status = pci_fail_memory(context, "rows to check", bytes + n * sizeof *row);
    for (uint32_t r = 0; r < N_CHECKED_ROWS && status == PC_OK; r++)
        status = check_row(ladder, checked_row((uint32_t)n, r), sums + r * n, row);
    pci_free(context, sums);
    pci_free(context, row);
    return status;
}

/* ---- One candidate --------------------------------------------------------------------------- */

static pc_status overwrite(pci_bench_ladder *ladder, const pci_ladder_candidate *candidate)
{
    return pci_gpu_check(
        ladder->bench->context,
        cudaMemsetAsync(candidate->result, POISON, candidate->result_bytes, ladder->bench->stream),
        "clearing a result");
}

static cudaError_t compare(pci_bench_ladder *ladder, const pci_ladder_candidate *candidate)
{
    const pci_ladder_matrix *expected = &ladder->expected[candidate->reduced];
    const pci_ladder_matrix *c = &ladder->product.c;
    uint32_t n = ladder->options->n;
    cudaStream_t stream = ladder->bench->stream;
    if (candidate->kind == PCI_LADDER_DOUBLES)
        return pci_ladder_compare_doubles(expected, candidate->result, n, ladder->n_wrong, stream);
    if (candidate->kind == PCI_LADDER_RESIDUES)
        return pci_ladder_compare_residues(expected, candidate->result,
                                           pci_gpu_layout_of(n).n_padded, PCI_LADDER_MODULUS,
                                           ladder->n_wrong, stream);
    return pci_ladder_compare_floats(expected, c->element, c->stride, ladder->n_wrong, stream);
}

static pc_status count_wrong(pci_bench_ladder *ladder, const pci_ladder_candidate *candidate,
                             uint64_t *n_wrong)
{
    unsigned long long found = 0;
    cudaStream_t stream = ladder->bench->stream;
    cudaError_t error = cudaMemsetAsync(ladder->n_wrong, 0, sizeof found, stream);
    if (error == cudaSuccess)
        error = compare(ladder, candidate);
    if (error == cudaSuccess)
        error =
            cudaMemcpyAsync(&found, ladder->n_wrong, sizeof found, cudaMemcpyDeviceToHost, stream);
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(stream);
    *n_wrong = found;
    return pci_gpu_check(ladder->bench->context, error, "comparing a result");
}

/* Runs once over a result that was overwritten. */
static pc_status verify(pci_bench_ladder *ladder, pci_ladder_candidate *candidate,
                        double *milliseconds, uint64_t *n_wrong)
{
    pci_bench *bench = ladder->bench;
    pc_status status = overwrite(ladder, candidate);
    if (status == PC_OK)
        status = pci_gpu_check(bench->context, cudaDeviceSynchronize(), "clearing a result");
    double start = pci_now_seconds();
    if (status == PC_OK)
        status = candidate->item.run(bench, candidate->item.work);
    if (status == PC_OK)
        status = pci_gpu_check(bench->context, cudaDeviceSynchronize(), candidate->row.kernel);
    *milliseconds = 1e3 * (pci_now_seconds() - start);
    return status == PC_OK ? count_wrong(ladder, candidate, n_wrong) : status;
}

static pc_status find_time(pci_bench_ladder *ladder, pci_ladder_candidate *candidate,
                           double first_ms)
{
    pc_status status = PC_OK;
    candidate->item.milliseconds = first_ms;
    if (first_ms > LONG_RUN_MS)
        snprintf(candidate->note, sizeof candidate->note, "one run");
    else
        status = pci_bench_time(ladder->bench, PCI_BENCH_EVENTS, 1, &candidate->item);
    if (status == PC_OK)
        candidate->row.milliseconds = candidate->item.milliseconds;
    return status;
}

pc_status pci_ladder_note_lack(pci_bench_ladder *ladder, pci_ladder_candidate *candidate,
                               pc_status status)
{
    pc_context *context = ladder->bench->context;
    if (status != PC_ERR_ENGINE && status != PC_ERR_MEMORY)
        return status;
    snprintf(candidate->note, sizeof candidate->note, "%s", pc_context_message(context));
    context->message[0] = '\0';
    return PC_OK;
}

pc_status pci_ladder_measure(pci_bench_ladder *ladder, pci_ladder_candidate *candidate)
{
    double first_ms = 0;
    uint64_t n_wrong = 0;
    pc_status status = pci_progress(ladder->bench->context, "bench", 0);
    if (status == PC_OK)
        status = verify(ladder, candidate, &first_ms, &n_wrong);
    if (status == PC_OK && n_wrong > 0) {
        ladder->bench->n_wrong++;
        snprintf(candidate->note, sizeof candidate->note, "WRONG: %" PRIu64 " entries", n_wrong);
    } else if (status == PC_OK) {
        candidate->row.verified = "sums of integers";
        status = find_time(ladder, candidate, first_ms);
    }
    return pci_ladder_note_lack(ladder, candidate, status);
}

void pci_ladder_report_row(const pci_bench_ladder *ladder, const pci_ladder_candidate *candidate)
{
    pc_ladder_row row = candidate->row;
    row.n = ladder->options->n;
    row.note = candidate->note;
    pci_ladder_tell(ladder->report, &row, ladder->library_ms, ladder->first_ms);
}

/* ---- Preparation ----------------------------------------------------------------------------- */

pc_status pci_bench_ladder_prepare(pci_bench_ladder *ladder)
{
    pc_status status = make_matrices(ladder);
    if (status == PC_OK)
        status = fill_matrices(ladder);
    return status == PC_OK ? check_expected(ladder) : status;
}

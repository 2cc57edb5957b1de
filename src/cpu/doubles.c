/* The multicore ikj product of doubles (Li, Ranka and Sahni, "GPU Matrix Multiplication", Figures
 * 1.6 and 1.8), over blocks: one of p's columns and depth stays in cache while all rows pass. */
#include "src/cpu/doubles.h"

#include <string.h>

enum { BLOCK_COLUMNS = 512, BLOCK_DEPTH = 64, BLOCK_ROWS = 64 };

static uint64_t block_end(uint64_t start, uint64_t size, uint64_t n)
{
    return n - start < size ? n : start + size;
}

/* result[i][j0..j1) += p[i][k0..k1) * p[k0..k1)[j0..j1) */
static void add_row_block(uint64_t n, const double *p, uint64_t i, uint64_t k0, uint64_t k1,
                          uint64_t j0, uint64_t j1, double *result)
{
    for (uint64_t k = k0; k < k1; k++) {
        double factor = p[i * n + k];
        for (uint64_t j = j0; j < j1; j++)
            result[i * n + j] += factor * p[k * n + j];
    }
}

static void square_rows(uint64_t n, const double *p, uint64_t i0, double *result)
{
    uint64_t i1 = block_end(i0, BLOCK_ROWS, n);
    memset(result + i0 * n, 0, (i1 - i0) * n * sizeof *result);
    for (uint64_t j = 0; j < n; j += BLOCK_COLUMNS)
        for (uint64_t k = 0; k < n; k += BLOCK_DEPTH)
            for (uint64_t i = i0; i < i1; i++)
                add_row_block(n, p, i, k, block_end(k, BLOCK_DEPTH, n), j,
                              block_end(j, BLOCK_COLUMNS, n), result);
}

pc_status pci_square_doubles(pc_context *context, uint64_t n, const double *p, double *result)
{
    pc_status status = pci_progress(context, "square", 0);
    if (status != PC_OK)
        return status;
    int n_threads = pci_threads_for(context, (double)n * (double)n * (double)n);
#pragma omp parallel for num_threads(n_threads) schedule(dynamic)
    for (uint64_t i = 0; i < n; i += BLOCK_ROWS)
        square_rows(n, p, i, result);
    return PC_OK;
}

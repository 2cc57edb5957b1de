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

typedef struct squaring {
    pc_context *context;
    uint64_t n;
    const double *p;
    double *result;
    pc_status status; /* of the progress callback */
} squaring;

/* The callback is asked once a block: rows of large matrices take minutes. */
static void square_rows(squaring *s, uint64_t i0)
{
    uint64_t n = s->n, i1 = block_end(i0, BLOCK_ROWS, n);
    memset(s->result + i0 * n, 0, (i1 - i0) * n * sizeof *s->result);
    for (uint64_t j = 0; j < n; j += BLOCK_COLUMNS) {
        double rows_done = (double)i0 + (double)(i1 - i0) * (double)j / (double)n;
        for (uint64_t k = 0; k < n; k += BLOCK_DEPTH) {
            if (!pci_goes_on(s->context, "square", rows_done / (double)n, &s->status))
                return;
            for (uint64_t i = i0; i < i1; i++)
                add_row_block(n, s->p, i, k, block_end(k, BLOCK_DEPTH, n), j,
                              block_end(j, BLOCK_COLUMNS, n), s->result);
        }
    }
}

pc_status pci_square_doubles(pc_context *context, uint64_t n, const double *p, double *result)
{
    squaring s = {context, n, p, result, PC_OK};
    int n_threads = pci_threads_for(context, (double)n * (double)n * (double)n);
#pragma omp parallel for num_threads(n_threads) schedule(dynamic)
    for (uint64_t i = 0; i < n; i += BLOCK_ROWS)
        square_rows(&s, i);
    return pci_gone_on(context, s.status);
}

/* Checksums of rows, by threads. */
#include "src/certify/row_hash.h"

#include "src/core/checksum.h"

#include <inttypes.h>

uint64_t pci_row_hash(const pc_rows *rows, uint64_t row)
{
    size_t n = rows->n_columns;
    if (rows->values)
        return pci_checksum(rows->values + row * n, n * sizeof *rows->values,
                            (uint64_t)rows->exponent);
    return pci_checksum(rows->limbs + row * n * rows->n_limbs,
                        n * rows->n_limbs * sizeof *rows->limbs, rows->n_limbs);
}

static int threads_for(pc_context *context, const pc_rows *rows)
{
    double n_words = (double)rows->n_rows * (double)rows->n_columns;
    return pci_threads_for(context, n_words * (rows->n_limbs ? rows->n_limbs : 1));
}

void pci_row_hashes(pc_context *context, const pc_rows *rows, uint64_t *hashes)
{
#pragma omp parallel for num_threads(threads_for(context, rows)) schedule(static)
    for (uint64_t i = 0; i < rows->n_rows; i++)
        hashes[i] = pci_row_hash(rows, i);
}

pc_status pci_row_hashes_check(pc_context *context, const pc_rows *rows, const uint64_t *hashes)
{
    uint64_t wrong = UINT64_MAX;
#pragma omp parallel for num_threads(threads_for(context, rows)) schedule(static)                  \
    reduction(min                                                                                  \
              : wrong)
    for (uint64_t i = 0; i < rows->n_rows; i++)
        if (pci_row_hash(rows, i) != hashes[i])
            wrong = i < wrong ? i : wrong;
    return wrong == UINT64_MAX
               ? PC_OK
               : pci_fail_check(context, "row %" PRIu64 " of the result, computed twice,",
                                rows->first_row + wrong);
}

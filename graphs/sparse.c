/* Sparse matrices: made, borrowed, transposed. */
#include "graphs/sparse.h"

#include <inttypes.h>
#include <string.h>

pc_status pci_sparse_create(pc_context *context, uint64_t n_rows, uint64_t n_columns,
                            uint64_t n_entries, uint32_t n_limbs, pci_sparse *matrix)
{
    double bytes = 8.0 * ((double)n_rows + 1) + (4.0 + 8.0 * n_limbs) * (double)n_entries;
    uint64_t available = pci_memory_available(context);
    if (bytes > (double)available)
        return pci_fail(context, PC_ERR_MEMORY,
                        "a sparse matrix of %" PRIu64 " rows and %" PRIu64
                        " entries needs %.3g GB of memory and there are %.3g GB",
                        n_rows, n_entries, bytes / 1e9, (double)available / 1e9);
    pci_sparse made = {.n_rows = n_rows,
                       .n_columns = n_columns,
                       .row_start = pci_alloc(context, (n_rows + 1) * sizeof *made.row_start),
                       .column = pci_alloc(context, n_entries * sizeof *made.column),
                       .n_limbs = n_limbs ? n_limbs : 1};
    if (n_limbs)
        made.limbs = pci_alloc(context, n_entries * n_limbs * sizeof *made.limbs);
    if (!made.row_start || !made.column || (n_limbs && !made.limbs)) {
        pci_sparse_free(context, &made);
        return pci_fail_memory(context, "a sparse matrix", (size_t)bytes);
    }
    made.row_start[0] = 0;
    made.row_start[n_rows] = n_entries;
    *matrix = made;
    return PC_OK;
}

void pci_sparse_free(pc_context *context, pci_sparse *matrix)
{
    if (!matrix->is_borrowed) {
        pci_free(context, matrix->row_start);
        pci_free(context, matrix->column);
        pci_free(context, matrix->limbs);
    }
    *matrix = (pci_sparse){0};
}

pci_sparse pci_sparse_borrow(const pci_sparse *matrix)
{
    pci_sparse borrowed = *matrix;
    borrowed.is_borrowed = true;
    return borrowed;
}

pc_status pci_sparse_identity(pc_context *context, uint64_t n, pci_sparse *matrix)
{
    pc_status status = pci_sparse_create(context, n, n, n, 0, matrix);
    for (uint64_t i = 0; i < n && status == PC_OK; i++) {
        matrix->row_start[i] = i;
        matrix->column[i] = (uint32_t)i;
    }
    return status;
}

/* Where each column's entries begin; place gets the same, to be moved on. */
static void begin_columns(const pci_sparse *matrix, uint64_t *begin, uint64_t *place)
{
    uint64_t n_entries = pci_sparse_n_entries(matrix), sum = 0;
    memset(place, 0, matrix->n_columns * sizeof *place);
    for (uint64_t e = 0; e < n_entries; e++)
        place[matrix->column[e]]++;
    for (uint64_t j = 0; j < matrix->n_columns; j++) {
        uint64_t n = place[j];
        begin[j] = place[j] = sum;
        sum += n;
    }
}

pc_status pci_sparse_transpose(pc_context *context, const pci_sparse *matrix,
                               pci_sparse *transposed)
{
    pci_sparse made;
    uint32_t w = matrix->n_limbs;
    size_t bytes = matrix->n_columns * sizeof(uint64_t);
    uint64_t *place = pci_alloc(context, bytes);
    if (!place)
        return pci_fail_memory(context, "transposing", bytes);
    pc_status status =
        pci_sparse_create(context, matrix->n_columns, matrix->n_rows, pci_sparse_n_entries(matrix),
                          matrix->limbs ? w : 0, &made);
    if (status == PC_OK) {
        begin_columns(matrix, made.row_start, place);
        for (uint64_t i = 0; i < matrix->n_rows; i++)
            for (uint64_t e = matrix->row_start[i]; e < matrix->row_start[i + 1]; e++) {
                uint64_t at = place[matrix->column[e]]++;
                made.column[at] = (uint32_t)i;
                if (matrix->limbs)
                    memcpy(made.limbs + at * w, matrix->limbs + e * w, w * sizeof *made.limbs);
            }
        *transposed = made;
    }
    pci_free(context, place);
    return status;
}

/* Memory for aggregates of rows. */
#include "src/rows/aggregates.h"

#include "src/rows/reduction.h"

#include <string.h>

uint64_t pci_aggregates_bytes(uint64_t n, uint32_t n_limbs, uint32_t n_dots)
{
    return n * (PCI_AGGREGATE_COPIES * pci_record_words(n_limbs) + n_dots) * sizeof(uint64_t);
}

static pc_status create_cells(pc_context *context, uint64_t n, uint32_t n_limbs, pci_cells *cells)
{
    cells->n_down = (uint32_t)((n + cells->row_span - 1) / cells->row_span);
    cells->n_across = (uint32_t)((n + cells->column_span - 1) / cells->column_span);
    size_t n_cells = (size_t)cells->n_down * cells->n_across;
    size_t n_words = n_cells + pci_tally_words(n_limbs);
    uint64_t *words = pci_alloc_zero(context, PCI_AGGREGATE_COPIES * n_words, sizeof *words);
    if (!words)
        return pci_fail_memory(context, "a grid of cells",
                               PCI_AGGREGATE_COPIES * n_words * sizeof *words);
    for (int c = 0; c < PCI_AGGREGATE_COPIES; c++) {
        cells->key[c] = words + (size_t)c * n_words;
        cells->tally[c] = cells->key[c] + n_cells;
    }
    return PC_OK;
}

pc_status pci_aggregates_create(pc_context *context, pci_aggregates *aggregates)
{
    uint64_t n = aggregates->n;
    uint32_t n_limbs = aggregates->n_limbs;
    uint64_t n_words = n * pci_record_words(n_limbs);
    size_t bytes = pci_aggregates_bytes(n, n_limbs, aggregates->n_dots);
    uint64_t *words = pci_alloc(context, bytes);
    if (!words)
        return pci_fail_memory(context, "aggregates of rows", bytes);
    aggregates->record[0] = words;
    aggregates->record[1] = words + n_words;
    aggregates->dot = words + 2 * n_words;
    return aggregates->cells.row_span ? create_cells(context, n, n_limbs, &aggregates->cells)
                                      : PC_OK;
}

void pci_aggregates_free(pc_context *context, pci_aggregates *aggregates)
{
    pci_free(context, aggregates->record[0]);
    pci_free(context, aggregates->cells.key[0]);
    *aggregates = (pci_aggregates){0};
}

/* ---- Aggregates of rows --------------------------------------------------------------------- */

/* Aggregates of rows that are in the memory of the processors. */

enum { BLOCK_COLUMNS = 512 /* that are looked at together */ };

/* The largest of n counts and of the one at largest takes its place. */
static void raise_largest(uint64_t n, uint32_t n_limbs, const uint64_t *counts, uint64_t *largest)
{
    for (uint64_t j = 0; j < n; j++)
        if (pci_count_exceeds(counts + j * n_limbs, largest, n_limbs))
            memcpy(largest, counts + j * n_limbs, n_limbs * sizeof *largest);
}

void pci_record_make(uint64_t row, uint64_t n, uint32_t n_limbs, const uint64_t *counts,
                     unsigned __int128 *room, uint64_t *record)
{
    uint64_t *largest = record + n_limbs + 1, n_zero = 0;
    unsigned __int128 carry = 0;
    memset(record, 0, pci_record_words(n_limbs) * sizeof *record);
    memset(room, 0, n_limbs * sizeof *room);
    for (uint64_t at = 0; at < n; at += BLOCK_COLUMNS) {
        uint64_t n_block = n - at < BLOCK_COLUMNS ? n - at : BLOCK_COLUMNS;
        if (pci_row_scan(n_block, n_limbs, counts + at * n_limbs, largest, room, &n_zero))
            raise_largest(n_block, n_limbs, counts + at * n_limbs, largest);
    }
    for (uint32_t l = 0; l < n_limbs; l++) {
        carry += room[l];
        record[l] = (uint64_t)carry;
        carry >>= 64;
    }
    record[n_limbs] = (uint64_t)carry;
    memcpy(largest + n_limbs, counts + row * n_limbs, n_limbs * sizeof *counts);
    record[3 * (size_t)n_limbs + 1] = n - n_zero;
}

void pci_cells_add_row(const pci_cells *cells, int copy, uint64_t row, uint64_t n, uint32_t n_limbs,
                       const uint64_t *counts)
{
    uint64_t *cell = cells->key[copy] + row / cells->row_span * cells->n_across;
    for (uint64_t from = 0; from < n; from += cells->column_span, cell++) {
        uint64_t to = from + cells->column_span < n ? from + cells->column_span : n;
        for (uint64_t j = from; j < to; j++) {
            uint64_t key = pci_key_of_words(counts + j * n_limbs, n_limbs);
            cells->tally[copy][key >> PCI_KEY_FRACTION_BITS]++;
            *cell = key > *cell ? key : *cell;
        }
    }
}

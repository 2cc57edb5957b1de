/* Memory for aggregates of rows. */
#include "src/rows/aggregates.h"

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

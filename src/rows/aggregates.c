/* Memory for aggregates of rows. */
#include "src/rows/aggregates.h"

uint64_t pci_aggregates_bytes(uint64_t n, uint32_t n_limbs, uint32_t n_dots)
{
    return n * (PCI_AGGREGATE_COPIES * pci_record_words(n_limbs) + n_dots) * sizeof(uint64_t);
}

pc_status pci_aggregates_create(pc_context *context, uint64_t n, uint32_t n_limbs,
                                const pci_dot_vector *dots, uint32_t n_dots,
                                pci_aggregates *aggregates)
{
    uint64_t n_words = n * pci_record_words(n_limbs);
    size_t bytes = pci_aggregates_bytes(n, n_limbs, n_dots);
    uint64_t *words = pci_alloc(context, bytes);
    if (!words)
        return pci_fail_memory(context, "aggregates of rows", bytes);
    *aggregates = (pci_aggregates){.n = n,
                                   .n_limbs = n_limbs,
                                   .n_dots = n_dots,
                                   .dots = dots,
                                   .record = {words, words + n_words},
                                   .dot = words + 2 * n_words};
    return PC_OK;
}

void pci_aggregates_free(pc_context *context, pci_aggregates *aggregates)
{
    pci_free(context, aggregates->record[0]);
    *aggregates = (pci_aggregates){0};
}

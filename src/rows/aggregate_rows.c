/* Aggregates of rows that are in the memory of the processors. */
#include "src/rows/aggregates.h"
#include "src/rows/row_scan.h"

#include <string.h>

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

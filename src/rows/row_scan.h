/* One look at counts that are all needed for a summary: their sum, how many are zero, and whether there is a
 * large one among them. */
#ifndef PCI_ROW_SCAN_H
#define PCI_ROW_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether a exceeds b; made for counts that hardly ever do. */
static inline bool pci_count_exceeds(const uint64_t *a, const uint64_t *b, uint32_t n_limbs)
{
    for (uint32_t l = n_limbs; l-- > 0;)
        if (a[l] != b[l])
            return a[l] > b[l];
    return false;
}

/* Adds the words at each place of n < 2^30 counts of n_limbs words to sums[n_limbs], of which 2^64 fit, and
 * the number of counts that are zero to *n_zero. Returns whether one of them exceeds floor[n_limbs]. */
bool pci_row_scan(size_t n, uint32_t n_limbs, const uint64_t *counts, const uint64_t *floor,
                  unsigned __int128 *sums, uint64_t *n_zero);

/* The same in plain C. */
bool pci_row_scan_plain(size_t n, uint32_t n_limbs, const uint64_t *counts, const uint64_t *floor,
                        unsigned __int128 *sums, uint64_t *n_zero);

#endif

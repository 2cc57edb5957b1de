/* Counts shown as means: divided by the sizes that their row block carries. */
#ifndef PCI_MEANS_H
#define PCI_MEANS_H

#include "src/core/context.h"

/* Whether the rows are to be shown so. */
static inline bool pci_rows_are_means(const pc_rows *rows)
{
    return rows->row_sizes != NULL;
}

/* Bytes that the text of a mean of counts of n_limbs words takes more than the count's. */
enum { PCI_MEAN_TEXT_EXTRA_BYTES = 22 /* "/", 20 digits, and GMP's final NUL */ };

/* Entry e as a fraction in lowest terms ("7/4"), a whole number as such; doubles as doubles. No final
 * NUL counts; returns the length. */
size_t pci_mean_text(const pc_rows *rows, uint64_t e, char *text);

/* The same as a double, off by at most two units in the last place; +infinity when it is too large. */
double pci_mean_double(const pc_rows *rows, uint64_t e);

#endif

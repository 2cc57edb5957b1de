/* Modular products by the definition: what the tuned product is tested against, and where to start
 * reading. c = a * b mod m, centred, for n x n int8 matrices with stride bytes a row.
 * The loops are those of Li, Ranka and Sahni, "GPU Matrix Multiplication", sections 1.5 and 1.6. */
#ifndef PCI_CPU_PLAIN_H
#define PCI_CPU_PLAIN_H

#include <stddef.h>
#include <stdint.h>

/* Figure 1.5: a dot product for each entry; b is read down its columns. */
void pci_plain_ijk(size_t n, size_t stride, const int8_t *a, const int8_t *b, uint32_t m,
                   int8_t *c);

/* Figure 1.6: rows of b scaled and added, so that all three matrices are read along rows. */
void pci_plain_ikj(size_t n, size_t stride, const int8_t *a, const int8_t *b, uint32_t m,
                   int8_t *c);

/* Figure 1.8: the same, rows dealt out to threads. */
void pci_plain_ikj_parallel(size_t n, size_t stride, const int8_t *a, const int8_t *b, uint32_t m,
                            int n_threads, int8_t *c);

#endif

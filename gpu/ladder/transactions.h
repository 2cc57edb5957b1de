/* Device-memory traffic of the ladder's kernels on compute capability 1.3, by the rule of Li, Ranka
 * and Sahni, "GPU Matrix Multiplication", section 1.7.1: the threads of half a warp are served
 * together, with one transaction for each 128-byte segment that they touch, of 32 or 64 bytes where
 * these suffice. The rule is applied to the accesses of each kernel, and gives the figures of
 * section 1.7. Tests compare it with every cell of Figures 1.15, 1.19, 1.23 and 1.36. */
#ifndef PCI_GPU_TRANSACTIONS_H
#define PCI_GPU_TRANSACTIONS_H

#include <stdbool.h>
#include <stdint.h>

/* For C = A B of n x n matrices: a cubic part, cubed * n^3, and a quadratic part, squared * n^2. */
typedef struct pci_polynomial {
    double cubed, squared;
} pci_polynomial;

typedef struct pci_traffic {
    pci_polynomial transactions; /* of all sizes ... */
    pci_polynomial by_size[3];   /* ... of 32, 64 and 128 bytes */
    pci_polynomial volume;       /* bytes */
    double average_utilization;  /* ABU: of the cubic part, over transactions */
} pci_traffic;

/* Traffic of a kernel, by its name in the ladder or "sgemm" (MAGMA's), in blocks of block_x x
 * block_y threads. The sides are powers of two with a product from 16 to 512 for GPU1 to GPU3; the
 * other kernels have one block each. False for any other block or kernel. */
bool pci_traffic_of(const char *kernel, uint32_t block_x, uint32_t block_y, pci_traffic *traffic);

/* The value of a polynomial. */
static inline double pci_polynomial_at(pci_polynomial p, double n)
{
    return (p.cubed * n + p.squared) * n * n;
}

#endif

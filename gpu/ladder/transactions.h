/* Device-memory traffic of the ladder's kernels on compute capability 1.3, by the rule of Li, Ranka
 * and Sahni, "GPU Matrix Multiplication", section 1.7.1: the threads of half a warp are served
 * together, with one transaction for each 128-byte segment that they touch, of 32 or 64 bytes where
 * these suffice. Not formulas but the rule itself, applied to what each kernel reads and writes;
 * tests hold it against every cell of Figures 1.15, 1.19, 1.23 and 1.36.
 *
 * So the figures of section 1.7 of that source are results here. */
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
 * block_y threads: for GPU1 to GPU3 powers of two, 16 to 512 together, for the others the block
 * they are made for. False for any other block or kernel. */
bool pci_traffic_of(const char *kernel, uint32_t block_x, uint32_t block_y, pci_traffic *traffic);

/* Loads of a thread of a reduced product of n x n matrices ("Reduced Matrix Multiplication using
 * CUDA", 4.3.3): 4 n, or four for each of its n / tile tiles (rounded up) where tile is greater
 * than 0. */
double pci_reduced_loads(uint32_t n, uint32_t tile);

/* The value of a polynomial. */
static inline double pci_polynomial_at(pci_polynomial p, double n)
{
    return (p.cubed * n + p.squared) * n * n;
}

#endif

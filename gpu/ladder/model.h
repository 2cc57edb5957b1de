/* The two models of Li, Ranka and Sahni, "GPU Matrix Multiplication", for the kernels of the ladder.
 *
 * Occupancy (section 1.4): how many blocks of a kernel run on a multiprocessor at once, for the compute capabilities of
 * their Figure 1.4 and of today. From compute capability 7.0 on the registers of a multiprocessor lie in four parts. A
 * test compares this with what CUDA says on a GPU.
 *
 * Traffic with device memory on compute capability 1.3 (section 1.7.1): the threads of half a warp are served
 * together, with one transaction for each 128-byte segment that they touch, of 32 or 64 bytes where
 * these suffice. The rule is applied to the accesses of each kernel, and gives the figures of
 * section 1.7. Tests compare it with every cell of Figures 1.15, 1.19, 1.23 and 1.36. */
#ifndef PCI_GPU_LADDER_MODEL_H
#define PCI_GPU_LADDER_MODEL_H

#include <stdbool.h>
#include <stdint.h>

/* ---- Occupancy (occupancy.c) -------------------------------------------------------------------- */

/* Names as in section 1.4. */
typedef struct pci_gpu_limits {
    int major, minor; /* compute capability */
    uint32_t max_blocks_per_sm;
    uint32_t max_threads_per_warp;
    uint32_t max_warps_per_sm;
    uint32_t max_threads_per_block;
    uint32_t n_registers; /* of a multiprocessor */
    uint32_t register_unit;
    bool registers_by_block; /* allocated to blocks (1.3); else to warps, equation 1.4 */
    uint32_t max_registers_per_thread;
    uint32_t warp_allocation_unit;
    uint32_t shared_bytes; /* of a multiprocessor */
    uint32_t shared_unit;
    uint32_t reserved_shared_bytes; /* that each block needs beside its own */
} pci_gpu_limits;

typedef struct pci_occupancy {
    uint32_t blocks_per_sm; /* BPM, equation 1.3; 0: a block of this kernel cannot run at all */
    uint32_t warps_per_block;
    double occupancy; /* equation 1.1 */
} pci_occupancy;

/* NULL when this compute capability is not known. */
const pci_gpu_limits *pci_gpu_limits_of(int major, int minor);

pci_occupancy pci_occupancy_of(const pci_gpu_limits *limits, uint32_t threads_per_block,
                               uint32_t registers_per_thread, uint32_t shared_bytes_per_block);

/* ---- Traffic (traffic.c) --------------------------------------------------------------------- */

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

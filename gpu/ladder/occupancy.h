/* How many blocks of a kernel run on a multiprocessor at once: Li, Ranka and Sahni, "GPU Matrix
 * Multiplication", section 1.4, for the compute capabilities of their Figure 1.4 and of today. From
 * compute capability 7.0 on the registers of a multiprocessor lie in four parts. A test compares
 * this with what CUDA says on a GPU. */
#ifndef PCI_GPU_OCCUPANCY_H
#define PCI_GPU_OCCUPANCY_H

#include <stdbool.h>
#include <stdint.h>

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

#endif

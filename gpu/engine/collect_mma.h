/* Residues to integers by mma.sync int8: another way to do what pci_gpu_collect does. */
#ifndef PCI_GPU_COLLECT_MMA_H
#define PCI_GPU_COLLECT_MMA_H

#include "gpu/engine/entrywise.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    PCI_COLLECT_MMA_LEAST = 16, /* moduli from which it is faster */
    PCI_COLLECT_MMA_DIGITS =
        256 /* of residues, at most: one of a narrow modulus, two of a wide one */
};

/* Whether the current device has the instructions, and the shared memory for the tables. */
bool pci_gpu_can_collect_mma(uint32_t r, uint32_t n_digits);

/* As pci_gpu_collect, where the function above says so. */
cudaError_t pci_gpu_collect_mma(const pci_gpu_layout *layout, const pci_gpu_crt *crt,
                                const uint32_t *weight, const uint32_t *modulus, uint32_t n_digits,
                                pci_gpu_residues residues, uint64_t n_rows, uint64_t *limbs,
                                cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif

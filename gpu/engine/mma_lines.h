/* Residues to integers, and to further residues, by mma.sync int8: other ways to do what pci_gpu_collect and
 * pci_gpu_extend do. A line is a digit of a residue: one of a narrow modulus, two of a wide one. */
#ifndef PCI_GPU_MMA_LINES_H
#define PCI_GPU_MMA_LINES_H

#include "gpu/engine/entrywise.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    PCI_COLLECT_MMA_LEAST = 16, /* moduli from which it is the faster way to integers */
    PCI_MOST_LINES = 256
};

static inline uint32_t pci_n_lines(uint32_t r)
{
    return r <= PCI_MAX_NARROW ? r : PCI_MAX_NARROW + 2 * (r - PCI_MAX_NARROW);
}

/* Whether the current device has the instructions, and the shared memory for the tables of n_digits; the base has
 * at most PCI_MOST_LINES lines. */
bool pci_gpu_can_collect_mma(uint32_t r, uint32_t n_digits);

/* As pci_gpu_collect, where the function above says so. */
cudaError_t pci_gpu_collect_mma(const pci_gpu_layout *layout, const pci_gpu_crt *crt,
                                const uint32_t *weight, const uint32_t *modulus, uint32_t n_digits,
                                pci_gpu_residues residues, uint64_t n_rows, uint64_t *limbs,
                                cudaStream_t stream);

/* Whether the current device has the instructions for a base of at most PCI_MOST_LINES lines. */
bool pci_gpu_can_extend_mma(uint32_t r);

/* As pci_gpu_extend, where the function above says so. */
cudaError_t pci_gpu_extend_mma(const pci_gpu_layout *layout, const pci_gpu_crt *crt,
                               const int32_t *weight, const int32_t *modulus,
                               pci_gpu_residues residues, uint64_t n_rows, uint32_t n_new,
                               const pci_gpu_extension *out /* on the host */, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif

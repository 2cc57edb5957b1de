/* Sums over blocks of both sides of a plane at once; those of one side are in gpu/engine/entrywise.h. */
#ifndef PCI_GPU_BLOCK_SUMS_H
#define PCI_GPU_BLOCK_SUMS_H

#include "gpu/engine/entrywise.h"

#ifdef __cplusplus
extern "C" {
#endif

/* S P to the targets of rows, as pci_gpu_sum_rows, and S P^T to those of columns, as
 * pci_gpu_sum_columns; two lists for the same planes and moduli. The same list twice: P is
 * symmetric, and only half of it is read. Only where there is first_block, of narrow or plain
 * planes to narrow ones. */
cudaError_t pci_gpu_sum_both(const pci_gpu_blocks *blocks, const pci_gpu_layout *layout,
                             uint32_t n_sums, const pci_gpu_block_sum *rows /* on the host */,
                             const pci_gpu_block_sum *columns, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif

/* The layout of a plane in device memory. */
#ifndef PCI_GPU_LAYOUT_H
#define PCI_GPU_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

enum { PCI_TILE = 128 }; /* rows and columns are padded to this */

/* n x n residues, row-major int8; the padding rows and columns are zero and stay zero. */
typedef struct pci_gpu_layout {
    uint32_t n;
    uint32_t n_padded;    /* n rounded up to PCI_TILE: rows, and bytes from row to row */
    uint64_t plane_bytes; /* n_padded^2 */
} pci_gpu_layout;

static inline pci_gpu_layout pci_gpu_layout_of(uint64_t n)
{
    uint64_t n_padded = (n + PCI_TILE - 1) / PCI_TILE * PCI_TILE;
    return (pci_gpu_layout){(uint32_t)n, (uint32_t)n_padded, n_padded * n_padded};
}

#endif

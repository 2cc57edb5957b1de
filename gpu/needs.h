/* How much device memory a run takes: one answer for the forecast and for the allocations. */
#ifndef PCI_GPU_NEEDS_H
#define PCI_GPU_NEEDS_H

#include "gpu/device.h"
#include "gpu/layout.h"
#include "src/residues.h"

enum { PCI_GPU_BUFFERS = 2 /* blocks of rows on their way to the host: one filled, one read */ };

typedef struct pci_gpu_needs {
    uint32_t n_planes; /* int8 planes of P, at most */
    uint32_t n_batch;  /* planes squared in one launch */
    uint32_t n_slots;  /* planes that the arena has: P, a batch of results, its transposed operands */
    uint64_t arena_bytes;
    uint64_t tiles_bytes; /* the list of the largest launch */
    uint64_t raw_bytes;   /* accumulators of a strip of wide or many outputs; 0: never needed */
    uint64_t graph_bytes;
    uint64_t weights_bytes; /* digits of the arcs' weights, for sparse steps; 0: all are 1 */
} pci_gpu_needs;

/* Needs of a run of at most n_most moduli (0: one plain plane) that squares up to n_batch planes at
 * once (0: as many as are good for speed). */
pci_gpu_needs pci_gpu_needs_of(const pci_gpu_device *device, const pci_gpu_layout *layout,
                               uint64_t n_arcs, bool symmetric, bool weighted, uint32_t n_most,
                               uint32_t n_batch);

/* Sum of the above. */
uint64_t pci_gpu_needs_bytes(const pci_gpu_needs *needs);

/* Rows of a strip of wide products whose accumulators fit in raw_bytes. */
uint32_t pci_gpu_strip_tiles(const pci_gpu_layout *layout);

#endif

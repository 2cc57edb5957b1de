/* The device memory that a run needs: the same figures for the forecast and for the allocations. */
#ifndef PCI_GPU_NEEDS_H
#define PCI_GPU_NEEDS_H

#include "gpu/engine/device.h"
#include "gpu/engine/layout.h"
#include "graphs/graph.h"
#include "src/engine/engine.h"
#include "src/residues/residues.h"

enum { PCI_GPU_BUFFERS = 2 /* for blocks of rows: while one is read, the other is filled */ };

typedef struct pci_gpu_needs {
    uint32_t n_planes; /* int8 planes of P, at most */
    uint32_t n_batch;  /* planes squared in one launch */
    uint32_t n_slots;  /* planes of the arena: P, a batch of results, and other operands */
    uint64_t arena_bytes;
    uint64_t tiles_bytes; /* the list of the largest launch */
    uint64_t raw_bytes;   /* accumulators of a strip of wide or many outputs; 0: never needed */
    uint64_t graph_bytes;
    uint64_t weights_bytes; /* digits of the arcs' weights, for sparse steps; 0: all are 1 */
    uint64_t blocks_bytes;  /* the partition; 0: there is none */
} pci_gpu_needs;

/* The sizes of a run. */
typedef struct pci_gpu_workload {
    pci_gpu_layout layout;
    uint64_t n_arcs;
    bool symmetric, weighted;
    uint32_t n_most;   /* moduli, at most; 0: one plain plane */
    uint32_t n_narrow; /* those beyond it are wide */
    uint32_t n_blocks; /* of a partition whose reduced product is wanted; 0: none */
} pci_gpu_workload;

static inline pci_gpu_workload pci_gpu_workload_of(const pc_graph *graph, uint64_t n_blocks,
                                                   uint32_t n_most)
{
    return (pci_gpu_workload){.layout = pci_gpu_layout_of(graph->n),
                              .n_arcs = pci_graph_n_arcs(graph),
                              .symmetric = graph->symmetric,
                              .weighted = graph->weight != NULL,
                              .n_most = n_most,
                              .n_narrow = PCI_N_NARROW,
                              .n_blocks = (uint32_t)n_blocks};
}

/* The needs of a run that squares up to n_batch planes at once (0: as many as are fastest). */
pci_gpu_needs pci_gpu_needs_of(const pci_gpu_device *device, const pci_gpu_workload *work,
                               uint32_t n_batch);

/* The sum of all bytes of needs. */
uint64_t pci_gpu_needs_bytes(const pci_gpu_needs *needs);

/* Buffers of a device for blocks of rows and their residues, which no needs have. */
#define PCI_GPU_ROWS_BYTES (UINT64_C(2) * PCI_GPU_BUFFERS * PCI_DEVICE_BLOCK_BYTES)

/* How a run is divided so that it fits: each device has a share of the moduli; or, out of core, one
 * device works on one share after the other, and the planes of the others wait in host memory. */
typedef struct pci_gpu_fit {
    uint32_t n_shares;
    uint32_t n_batch;
    uint64_t bytes; /* on a device, without buffers for rows */
} pci_gpu_fit;

/* Finds the fit with the fewest shares; false when there is none. Out of core all moduli are narrow. */
bool pci_gpu_fit_into(uint64_t available_bytes, const pci_gpu_device *device,
                      const pci_gpu_workload *work, uint32_t n_devices, bool may_be_out_of_core,
                      pci_gpu_fit *fit);

/* Rows of tiles of a strip of wide products, whose accumulators fit in raw_bytes. */
uint32_t pci_gpu_strip_tiles(const pci_gpu_layout *layout);

#endif

/* A sweep on a GPU: vectors sent through the sparse A where it lies, in device memory. What it does
 * is told in src/engine/sweep.h, how vectors lie there in gpu/sweep/plan.h. */
#ifndef PCI_GPU_SWEEP_H
#define PCI_GPU_SWEEP_H

#include "gpu/engine/device.h"
#include "gpu/sweep/kernels.h"

enum {
    PCI_SWEEP_BUFFERS = 2,
    PCI_SWEEP_VALUES = 1 << 15 /* that wait on the host to be added */
};

/* Entries on their way to the host. */
typedef struct pci_gpu_sweep_buffer {
    uint64_t *device;
    uint64_t *host; /* page-locked */
    cudaEvent_t arrived;
} pci_gpu_sweep_buffer;

struct pci_sweep {
    pc_context *context;
    pci_gpu_device device;
    cudaStream_t stream;
    int n_threads;
    uint64_t n, length, step;
    uint32_t n_vectors;
    pci_gpu_sweep_plan plan;
    pci_gpu_sweep_width *widths; /* [length + 1] */
    pci_gpu_graph graph;         /* on the device, as the next four */
    uint32_t *first_row;
    void *now, *next;
    pci_gpu_sweep_value *added;   /* [PCI_SWEEP_VALUES] */
    bool is_begun;                /* now holds vectors; else they are zero */
    pci_gpu_sweep_value *waiting; /* [PCI_SWEEP_VALUES]: not added yet, the first n_waiting */
    uint32_t n_waiting;
    pc_status begun; /* what became of adding */
    uint64_t buffer_words;
    pci_gpu_sweep_buffer buffer[PCI_SWEEP_BUFFERS];
};

extern const pci_sweep_ops pci_gpu_sweeps;

/* The vectors after so many steps. */
pci_gpu_sweep_block pci_gpu_sweep_block_at(const pci_sweep *sweep, uint64_t step, void *words);

/* Makes the sweep's device the calling thread's, and adds what waits to be added. */
pc_status pci_gpu_sweep_ready(pci_sweep *sweep);

/* pci_sweep_ops.rows */
pc_status pci_gpu_sweep_rows(pci_sweep *sweep, uint32_t n_vectors, uint32_t n_limbs, bool adds,
                             uint64_t *limbs);

#endif

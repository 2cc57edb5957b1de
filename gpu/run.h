/* A run of the CUDA engine: one part a GPU. Its operations are those of src/engine.h.
 *
 * With several GPUs each has a share of the moduli and all that concerns them. A base extension would
 * need the residues of all at every level; instead the first level of residues is made of all the
 * moduli that any level wants, which costs nothing when it is the last but one (k = 8), and up to
 * twice the products for long powers. Rows are recombined by the GPUs in turn, which read each other's
 * residues where they lie; so results take every GPU's way to the host. */
#ifndef PCI_GPU_RUN_H
#define PCI_GPU_RUN_H

#include "gpu/part.h"

struct pci_run {
    pc_context *context;
    const pc_graph *graph;
    uint32_t n_most;     /* moduli that operations want at most */
    uint64_t block_rows; /* of the blocks that are collected; 0 before the first */
    pci_gpu_parts parts;
};

pc_status pci_gpu_run_begin(pc_context *context, const pc_graph *graph, const pci_moduli *moduli,
                            uint32_t n_most, pci_run **run);
void pci_gpu_run_end(pci_run *run);
pc_status pci_gpu_run_load(pci_run *run, uint32_t n_moduli);
pc_status pci_gpu_run_load_words(pci_run *run, const uint64_t *words, uint32_t n_moduli);
pc_status pci_gpu_run_extend(pci_run *run, uint32_t n_moduli);
pc_status pci_gpu_run_square(pci_run *run, uint32_t n_moduli);
pc_status pci_gpu_run_step(pci_run *run, uint32_t n_moduli);
void pci_gpu_run_trim(pci_run *run);
pc_status pci_gpu_run_collect(pci_run *run, uint64_t first_row, uint64_t n_rows, uint32_t n_limbs,
                              uint64_t *space, const uint64_t **limbs);
pc_status pci_gpu_run_collect_modular(pci_run *run, uint64_t modulus, uint64_t *words);

/* All rows to memory [n][n][n_limbs] of the first device: for measuring. */
pc_status pci_gpu_run_collect_device(pci_run *run, uint32_t n_limbs, uint64_t *limbs);

/* Devices that a run of n_most moduli uses of those that context names. */
pc_status pci_gpu_run_devices(pc_context *context, uint32_t n_most, uint32_t *n,
                              int index[PCI_MAX_DEVICES]);

#endif

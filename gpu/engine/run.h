/* A run of the CUDA engine: one part for each GPU. Its operations are those of src/engine/engine.h.
 *
 * Several GPUs share the moduli, and each GPU squares the planes of its moduli alone. The tiles of a
 * plain plane's square, and those of planes that are left when every GPU has as many as the others, are
 * shared: each GPU stores its tiles in the memory of the GPU whose plane it is. Where residues are
 * recombined, each GPU extends the base by moduli of its own, or makes every n-th block of rows, and
 * reads the residues of the others from their memory. So the results use the connection of every GPU
 * to the host. */
#ifndef PCI_GPU_RUN_H
#define PCI_GPU_RUN_H

#include "gpu/engine/part.h"

pc_status pci_gpu_run_begin(pc_context *context, const pc_graph *graph,
                            const pc_partition *partition, const pci_moduli *moduli,
                            uint32_t n_most, pci_run **run);
void pci_gpu_run_end(pci_run *run);
pc_status pci_gpu_run_load(pci_run *run, uint32_t n_moduli);
pc_status pci_gpu_run_load_words(pci_run *run, const uint64_t *words, uint32_t n_moduli);
pc_status pci_gpu_run_extend(pci_run *run, uint32_t n_moduli);
pc_status pci_gpu_run_square(pci_run *run, uint32_t n_moduli);
pc_status pci_gpu_run_square_digits(pci_run *run, uint32_t n_moduli);
pc_status pci_gpu_run_step(pci_run *run, uint32_t n_moduli);
pc_status pci_gpu_run_reduce(pci_run *run, bool is_step, uint32_t n_moduli);
void pci_gpu_run_trim(pci_run *run);
pc_status pci_gpu_run_collect(pci_run *run, uint64_t first_row, uint64_t n_rows, uint32_t n_limbs,
                              uint64_t *space, const uint64_t **limbs);
pc_status pci_gpu_run_aggregate(pci_run *run, pci_aggregates *aggregates);
pc_status pci_gpu_run_collect_selected(pci_run *run, uint64_t n_rows, const uint64_t *rows,
                                       uint32_t n_limbs, uint64_t *limbs);
pc_status pci_gpu_run_diagonal(pci_run *run, bool is_step, uint32_t n_moduli, uint32_t n_limbs,
                               uint64_t *limbs);
pc_status pci_gpu_run_reduce_modulo(pci_run *run, uint64_t modulus);
pc_status pci_gpu_run_collect_modular(pci_run *run, uint64_t modulus, uint64_t *words);

/* Recombines all rows to memory [n][n][n_limbs] of the first device: for the benchmark. */
pc_status pci_gpu_run_collect_device(pci_run *run, uint32_t n_limbs, uint64_t *limbs);

/* ---- Devices and memory ---------------------------------------------------------------------- */

typedef struct pci_gpu_placement {
    uint32_t n_devices; /* one for each part: the same device may be there more than once */
    int index[PCI_MAX_DEVICES];
    uint32_t n_on_one;        /* parts that share a device, at most */
    uint64_t available_bytes; /* for a part, on the device that has least */
    pci_gpu_fit fit;
} pci_gpu_placement;

/* Finds devices and shares for a run. n_blocks: of a partition whose reduced product is wanted,
 * else 0. may_be_out_of_core: shares may wait on the host. PC_ERR_MEMORY when the run does not
 * fit. */
pc_status pci_gpu_place(pc_context *context, const pc_graph *graph, uint64_t n_blocks,
                        uint32_t n_most, bool may_be_out_of_core, pci_gpu_placement *placement);

#endif

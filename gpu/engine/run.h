/* A run of the CUDA engine: one part for each GPU. Its operations are those of
 * src/engine/engine.h.
 *
 * Several GPUs share the moduli, and each GPU squares the planes of its moduli alone. Where
 * residues are recombined, each GPU extends the base by moduli of its own, or makes rows in turn
 * with the others, and reads the residues of the others where they lie. So the results use the
 * connection of every GPU to the host. Each GPU does the first squaring, which is of one plain
 * plane. Counts beyond the narrow moduli (342 bits) stay on one GPU. */
#ifndef PCI_GPU_RUN_H
#define PCI_GPU_RUN_H

#include "gpu/engine/part.h"

/* Operations put off, and what came of them: when the planes of all moduli do not fit into one GPU,
 * its shares of them go through all levels one after the other (gpu/engine/out_of_core.c). */
typedef struct pci_gpu_turns {
    bool taken; /* parts.n is the number of turns, and part[0] whoever has its turn */
    bool done;
    int device;
    uint32_t n_batch;
    uint32_t n_operations;
    struct {
        pc_status (*operate)(pci_gpu_part *part, uint32_t n_moduli);
        uint32_t n_moduli;
    } operation[PC_MAX_LEVELS];
    int8_t *plane[PCI_N_NARROW]; /* of the power, on the host */
} pci_gpu_turns;

struct pci_run {
    pc_context *context;
    const pc_graph *graph;
    const pc_partition *partition; /* NULL: reduce is not called */
    uint32_t n_most;               /* moduli that operations want at most */
    uint64_t block_rows;           /* of the blocks that are collected; 0 before the first */
    pci_gpu_parts parts;
    pci_gpu_turns turns;
};

pc_status pci_gpu_run_begin(pc_context *context, const pc_graph *graph,
                            const pc_partition *partition, const pci_moduli *moduli,
                            uint32_t n_most, pci_run **run);
void pci_gpu_run_end(pci_run *run);
pc_status pci_gpu_run_load(pci_run *run, uint32_t n_moduli);
pc_status pci_gpu_run_load_words(pci_run *run, const uint64_t *words, uint32_t n_moduli);
pc_status pci_gpu_run_extend(pci_run *run, uint32_t n_moduli);
pc_status pci_gpu_run_square(pci_run *run, uint32_t n_moduli);
pc_status pci_gpu_run_step(pci_run *run, uint32_t n_moduli);
pc_status pci_gpu_run_reduce(pci_run *run, bool is_step, uint32_t n_moduli);
void pci_gpu_run_trim(pci_run *run);
pc_status pci_gpu_run_collect(pci_run *run, uint64_t first_row, uint64_t n_rows, uint32_t n_limbs,
                              uint64_t *space, const uint64_t **limbs);
pc_status pci_gpu_run_collect_modular(pci_run *run, uint64_t modulus, uint64_t *words);

/* All rows to memory [n][n][n_limbs] of the first device: for measuring. */
pc_status pci_gpu_run_collect_device(pci_run *run, uint32_t n_limbs, uint64_t *limbs);

/* ---- How a run fits, and who does it --------------------------------------------------------- */

typedef struct pci_gpu_placement {
    uint32_t n_devices;
    int index[PCI_MAX_DEVICES];
    uint64_t available_bytes; /* on the device that has least */
    pci_gpu_fit fit;
} pci_gpu_placement;

/* n_blocks: of a partition whose reduced product is wanted, else 0. PC_ERR_MEMORY when it does not
 * fit; may_take_turns: shares may wait on the host. */
pc_status pci_gpu_place(pc_context *context, const pc_graph *graph, uint64_t n_blocks,
                        uint32_t n_most, bool may_take_turns, pci_gpu_placement *placement);

/* A part's status as the run's, whose message becomes that of the part. */
static inline pc_status pci_gpu_part_status(pci_run *run, const pci_gpu_part *part,
                                            pc_status status)
{
    return status == PC_OK ? PC_OK : pci_fail(run->context, status, "%s", part->context->message);
}

/* Moduli of the first n that part p has. */
static inline uint32_t pci_gpu_share(const pci_run *run, uint32_t n, uint32_t p)
{
    uint32_t n_parts = run->parts.n;
    return n / n_parts + (p < n % n_parts);
}

/* ---- Taking turns (run_turns.c) -------------------------------------------------------------- */

/* Notes an operation for later. */
pc_status pci_gpu_turns_note(pci_run *run,
                             pc_status (*operate)(pci_gpu_part *part, uint32_t n_moduli),
                             uint32_t n_moduli);

/* Gives every share its turn, unless that is done. */
pc_status pci_gpu_turns_take(pci_run *run);

void pci_gpu_turns_end(pci_run *run);

#endif

/* Shares of the moduli go through all levels one after the other on one GPU. A run does this when
 * the planes of all moduli do not fit in the memory of the GPU. The plan cuts the moduli into the
 * fewest shares that fit. The planes of a finished share wait in host memory, and for each block
 * of rows the residues of all shares are brought back to be recombined.
 *
 * A share alone cannot extend the base, so its first level of residues has all the moduli that any
 * level needs. That costs nothing when this level is the last but one (k = 8), and up to twice the
 * products for long powers. Every plane goes to the host and back once. The least that must fit is
 * one plane, its square and, for a directed graph, its transpose.
 *
 * Turns are taken on one GPU only, and only for exact counts within the narrow moduli. In other
 * cases the CPU counts under `auto`, and `cuda` fails with exit status 69. */
#include "gpu/engine/run.h"

pc_status pci_gpu_turns_note(pci_run *run,
                             pc_status (*operate)(pci_gpu_part *part, uint32_t n_moduli),
                             uint32_t n_moduli)
{
    pci_gpu_turns *turns = &run->turns;
    turns->operation[turns->n_operations].operate = operate;
    turns->operation[turns->n_operations++].n_moduli = n_moduli;
    return PC_OK;
}

/* The rows of plane number i of part p, as long as P's are. */
static pc_status keep_plane(pci_run *run, uint32_t p, uint32_t i)
{
    pci_gpu_part *part = run->parts.part[0];
    size_t pitch = pci_gpu_layout_of(run->parts.n_rows).n_padded;
    size_t bytes = run->parts.n_rows * pitch;
    int8_t **plane = &run->turns.plane[p + i * run->parts.n];
    *plane = pci_alloc(run->context, bytes);
    if (!*plane)
        return pci_fail_memory(run->context, "a residue plane", bytes);
    return pci_gpu_check(run->context,
                         cudaMemcpy2D(*plane, pitch, pci_gpu_slot_plane(part, part->slot[i]),
                                      part->layout.n_padded, pitch, run->parts.n_rows,
                                      cudaMemcpyDeviceToHost),
                         "copying a plane to the host");
}

/* All operations for share p; its planes are on the host afterwards. */
static pc_status take_turn(pci_run *run, uint32_t p)
{
    const pci_gpu_turns *turns = &run->turns;
    pci_gpu_part **part = &run->parts.part[0];
    pci_gpu_part_end(*part); /* of the turn before */
    *part = NULL;
    pc_status status =
        pci_gpu_part_begin(run->context, run->graph, run->partition, &run->parts, p, turns->device,
                           pci_gpu_share(run, run->n_most, p), turns->n_batch, part);
    for (uint32_t o = 0; o < turns->n_operations && status == PC_OK; o++) {
        status = pci_progress(run->context, "power", (double)p / run->parts.n);
        if (status != PC_OK)
            return status;
        status =
            turns->operation[o].operate(*part, pci_gpu_share(run, turns->operation[o].n_moduli, p));
        if (status != PC_OK)
            return pci_gpu_part_status(run, *part, status);
    }
    for (uint32_t i = 0; status == PC_OK && i < (*part)->n_moduli; i++)
        status = keep_plane(run, p, i);
    return status;
}

pc_status pci_gpu_turns_take(pci_run *run)
{
    pc_status status = PC_OK;
    for (uint32_t p = 0; p < run->parts.n && status == PC_OK && !run->turns.done; p++)
        status = take_turn(run, p);
    if (status == PC_OK && !run->turns.done) {
        run->turns.done = true;
        run->parts.on_host = run->turns.plane;
        run->parts.n_on_host = run->n_most;
    }
    return status;
}

void pci_gpu_turns_end(pci_run *run)
{
    for (uint32_t i = 0; i < PCI_N_NARROW; i++)
        pci_free(run->context, run->turns.plane[i]);
}

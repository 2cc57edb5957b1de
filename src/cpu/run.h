/* A run of the CPU engine: the planes of P, and memory to work in. Its operations are those of
 * src/engine/engine.h, in run.c (loads, squares, steps) and run_collect.c (all that
 * recombines residues, and reduces). */
#ifndef PCI_CPU_RUN_H
#define PCI_CPU_RUN_H

#include "src/cpu/product.h"
#include "src/engine/engine.h"

struct pci_run {
    pc_context *context;
    const pc_graph *graph;
    const pc_partition *partition; /* NULL: reduce is not called */
    const pci_moduli *moduli;
    const pci_kernel *kernel;
    int n_threads;
    pci_layout layout; /* of P's planes: smaller once P is reduced */
    uint32_t n_most;   /* moduli that are worked with, or 1 */
    uint32_t n_moduli; /* 0: plane[0] is plain */
    uint32_t n_planes; /* how many of plane[] are set: n_moduli, or 1 if plain */
    int8_t **plane;    /* [n_most] */
    int8_t **spare;    /* [n_most]: planes of one digit to use again */
    uint32_t n_spare;
    pci_workspace workspace;
    pci_recombination collector; /* to limbs, kept from one collect to the next */
    uint32_t collector_n_limbs;  /* 0: no collector yet */
};

/* Threads of a run with planes of n vertices. */
int pci_run_n_threads(const pc_context *context, uint64_t n);

/* ---- Planes (run.c) -------------------------------------------------------------------------- */

/* int8 digits of modulus number index. The list of a run may have some moduli of the whole list only, narrow ones
 * first. Such a run is not extended or collected: whoever holds all residues does that (src/cluster/power.c). */
static inline uint32_t pci_run_digits_of(const pci_run *run, uint32_t index)
{
    return pci_class_n_digits(pci_number_class(run->moduli->m[index]));
}

/* A plane with zero padding, its entries not set, in a layout that may differ from P's: never one that was used
 * before. */
pc_status pci_run_new_plane_of(pci_run *run, const pci_layout *layout, uint32_t n_digits,
                               int8_t **plane);

/* planes[n]: those of moduli first .. first + n - 1 (plain: of one digit); n_made counts those that
 * exist. */
pc_status pci_run_new_planes(pci_run *run, uint32_t first, uint32_t n, bool plain, int8_t **planes,
                             uint32_t *n_made);

/* A plane that is not wanted now. Those of one digit are kept, with their zero padding. */
void pci_run_drop_plane(pci_run *run, uint32_t n_digits, int8_t *plane);
void pci_run_drop_planes(pci_run *run);

/* Gives back the memory of planes that are kept to be used again. */
void pci_run_free_spare(pci_run *run);

/* Returns plane number index that a product or step of a set of n_moduli (0: plain) writes. */
pci_output pci_run_output(const pci_run *run, uint32_t n_moduli, uint32_t index, int8_t *plane);

/* Finds entry (i, j) in planes first .. first + n - 1. */
void pci_run_rows(const pci_run *run, uint32_t first, uint32_t n, size_t i, size_t j,
                  int8_t **rows);

/* Planes of this layout that are multiplied together: small ones, to fill all threads. */
enum { PCI_MOST_BATCH = 256 };
uint32_t pci_run_batch_planes(const pci_layout *layout);

/* Returns how many moduli of the run, from first on, are made together: one or more. */
uint32_t pci_run_batch(const pci_run *run, uint32_t first, uint32_t n_moduli);

/* The outputs of A * plane, which are modulo one modulus unless P is plain (run.c). */
pc_status pci_run_step_plane(pci_run *run, const int8_t *plane, uint32_t n_digits,
                             uint32_t n_outputs, const pci_output *outputs);

/* ---- Operations: see src/engine/engine.h ------------------------------------------------------------ */

pc_status pci_run_load(pci_run *run, uint32_t n_moduli);
pc_status pci_run_load_words(pci_run *run, const uint64_t *words, uint32_t n_moduli);
pc_status pci_run_extend(pci_run *run, uint32_t n_moduli);
pc_status pci_run_square(pci_run *run, uint32_t n_moduli);
pc_status pci_run_square_direct(pci_run *run, uint64_t *words);
pc_status pci_run_step(pci_run *run, uint32_t n_moduli);
pc_status pci_run_reduce(pci_run *run, bool is_step, uint32_t n_moduli);
void pci_run_trim(pci_run *run);
pc_status pci_run_collect(pci_run *run, uint64_t first_row, uint64_t n_rows, uint32_t n_limbs,
                          uint64_t *space, const uint64_t **limbs);
pc_status pci_run_collect_modular(pci_run *run, uint64_t modulus, uint64_t *words);

#endif

/* What an engine is: the operations on planes that powering is made of.
 *
 * A run is one count in progress and holds one matrix P as residue planes; it begins empty. The
 * operations of a run are called one at a time. Those that can fail set the context's message, and
 * leave the run fit for nothing but end.
 *
 * "n_moduli" is how many moduli of the list (src/residues.h) the planes stand for; 0 means one
 * plain plane, whose entries are at most PCI_MAX_PLAIN. */
#ifndef PCI_ENGINE_H
#define PCI_ENGINE_H

#include "graphs/graph.h"
#include "src/residues.h"

typedef struct pci_run pci_run;

typedef struct pci_engine {
    const char *name;

    /* The kernel that would be used now and the time its products take, for plans. */
    pc_status (*describe)(pc_context *context, const char **kernel, double *ops_per_second);

    /* Bytes of one int8 plane of n x n. */
    uint64_t (*plane_bytes)(uint64_t n);

    /* Most bytes held at once by a level that makes n_out moduli from n_in (0: a plain plane). */
    uint64_t (*level_bytes)(uint64_t n, uint32_t n_in, uint32_t n_out, bool is_step, int n_threads);

    /* graph and moduli must outlive the run. */
    pc_status (*begin)(pc_context *context, const pc_graph *graph, const pci_moduli *moduli,
                       pci_run **run);
    void (*end)(pci_run *run); /* accepts NULL */

    /* P = A. */
    pc_status (*load)(pci_run *run, uint32_t n_moduli);

    /* P = the n x n words, each below 2^63. */
    pc_status (*load_words)(pci_run *run, const uint64_t *words, uint32_t n_moduli);

    /* More planes for the same P: exact base extension. No fewer than there are. */
    pc_status (*extend)(pci_run *run, uint32_t n_moduli);

    /* P = P * P, of n_moduli moduli: those P has, or any number when P is one plain plane. */
    pc_status (*square)(pci_run *run, uint32_t n_moduli);

    /* P = A * P, which is P * A for a power of A. n_moduli as for square. */
    pc_status (*step)(pci_run *run, uint32_t n_moduli);

    /* P is what was wanted: lets go of all memory that only computing needs. */
    void (*trim)(pci_run *run);

    /* Rows of P as integers of n_limbs words: limbs[n_rows][n][n_limbs]. */
    pc_status (*collect)(pci_run *run, uint64_t first_row, uint64_t n_rows, uint32_t n_limbs,
                         uint64_t *limbs);

    /* P as words modulo modulus < 2^63: words[n][n]. */
    pc_status (*collect_modular)(pci_run *run, uint64_t modulus, uint64_t *words);

    /* result = p * p for n x n doubles; no run needed. */
    pc_status (*square_doubles)(pc_context *context, uint64_t n, const double *p, double *result);
} pci_engine;

/* OpenMP on the processors of this machine; always there. */
extern const pci_engine pci_engine_cpu;

#endif

/* Vectors that count paths which never turn straight back ("non-backtracking walks"), step by step.
 *
 * With A the graph, S[i][j] = A[i][j] A[j][i] (the arcs that have one back) and D = diag(A A), the
 * paths p_r of r arcs obey
 *
 *     p_1 = A p_0,   p_2 = A p_1 - D p_0,   p_r = A p_(r-1) - (D - I) p_(r-2) - (A - S) p_(r-3).
 *
 * Why: take the paths of r arcs and count each with (-1)^t, summed over all choices of t of its
 * turns; what turns cancels, the rest is left. Neighbouring choices merge into stretches back and
 * forth along one arc, which start and end like S when their number of arcs is odd (three at
 * least), like D when it is even. So sum p_r z^r is the inverse of I - A z - S z^3 / (1 - z^2) + D
 * z^2 / (1 - z^2), and 1 - z^2 times that is the recurrence. It is the one of Arrigo, Grindrod,
 * Higham and Noferini, "Non-backtracking walk centrality for directed networks" (2018). A loop is
 * its own arc back, and nothing above forbids that. Without arcs of one way only, A - S is 0 and
 * two vectors of the past do.
 *
 * The certificate is the same recurrence in the opposite direction, modulo a prime. */
#ifndef PCI_NON_BACKTRACKING_H
#define PCI_NON_BACKTRACKING_H

#include "graphs/graph.h"

typedef struct pci_non_backtracking pci_non_backtracking;

typedef struct pci_non_backtracking_options {
    uint32_t n_vectors;
    uint64_t modulus;   /* below 2^63; 0: integers as wide as bits say */
    uint64_t length;    /* steps that will be taken at most; integers only, as the next */
    const double *bits; /* [length + 1]: log2 of a limit of the entries after so many steps */
    int n_threads;
} pci_non_backtracking_options;

/* All vectors are zero at first. graph has no weights, is undirected if it lies in parts, and must outlive them; of a directed graph
 * paths are counted from their starts by giving its reverse. PC_ERR_MEMORY. */
pc_status pci_non_backtracking_create(pc_context *context, const pc_graph *graph,
                                      const pci_non_backtracking_options *options,
                                      pci_non_backtracking **walks);
void pci_non_backtracking_free(pci_non_backtracking *walks);

/* Back to step 0, all vectors zero. */
void pci_non_backtracking_clear(pci_non_backtracking *walks);

/* Makes the entry of a vertex a word, below the modulus; before the first step only. */
void pci_non_backtracking_set(pci_non_backtracking *walks, uint32_t vector, uint64_t vertex,
                              uint64_t word);

/* One arc more. */
void pci_non_backtracking_step(pci_non_backtracking *walks);

/* The entry of a vertex, with a modulus. */
uint64_t pci_non_backtracking_residue(const pci_non_backtracking *walks, uint32_t vector,
                                      uint64_t vertex);

/* Adds an entry to an integer of n_limbs words, which must hold it, or to a residue. */
void pci_non_backtracking_add(const pci_non_backtracking *walks, uint32_t vector, uint64_t vertex,
                              uint32_t n_limbs, uint64_t *sum);

/* y = A x modulo 2^64, weights left out. */
void pci_graph_add_words(const pc_graph *graph, int n_threads, const uint64_t *x, uint64_t *y);

/* The bytes that they hold. */
double pci_non_backtracking_bytes(const pc_graph *graph,
                                  const pci_non_backtracking_options *options);

#endif

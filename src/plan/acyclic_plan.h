/* All paths of a graph without cycles, whatever their lengths, by one pass in topological order: lengths that are added
 * up to the longest path or beyond. With s the vector that a sweep would begin with, y = s A + s A^2 + ... is
 * (s + y) A, and y(v) is known when the arcs into v have been followed. */
#ifndef PCI_ACYCLIC_PLAN_H
#define PCI_ACYCLIC_PLAN_H

#include "src/plan/request.h"

typedef struct pci_acyclic_plan {
    bool reversed;      /* columns are asked for: arcs are followed backwards */
    uint64_t n_vectors; /* passes, of a matrix one a row */
    uint64_t longest;   /* arcs of the longest path */
    double bits;        /* log2 of a limit of all numbers; 0 of residues */
    uint32_t n_words;
    double bytes; /* beside the graph */
} pci_acyclic_plan;

/* Whether such a pass may answer the request: sums of lengths of all paths, exact or modulo a number, of a directed graph. */
bool pci_request_adds_lengths(const pci_request *request);

/* Decides. *is_acyclic is false when there is a cycle, or a path that is longer than the lengths asked for; then nothing
 * else is set. PC_ERR_MEMORY. */
pc_status pci_acyclic_plan_make(const pci_request *request, pci_acyclic_plan *plan,
                                bool *is_acyclic);

#endif

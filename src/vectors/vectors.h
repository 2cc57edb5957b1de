/* A block of vectors sent through a graph, in the arithmetic and along the kind of path that is
 * asked for. Integers and residues of all paths are a sweep (src/engine/sweep.h), except that
 * processors send residues in a single vector as doubles are sent: one vector at a time. Non-backtracking paths (src/vectors/non_backtracking.h) and Markov
 * chains (src/vectors/doubles.h) have steps of their own. */
#ifndef PCI_QUERY_VECTORS_H
#define PCI_QUERY_VECTORS_H

#include "src/engine/sweep.h"

typedef struct pci_vectors pci_vectors;

typedef struct pci_vectors_options {
    const pc_count_options *count; /* arithmetic and modulus */
    const pci_sweep_ops *sweeps;   /* who sends integers and residues */
    pc_path_kind paths;
    bool turned; /* PC_PATHS_MARKOV: the graph given is that of the chain, its arcs turned */
    uint32_t n_vectors;
    uint32_t n_limbs;   /* words of an entry that is read; 1 modulo a number, 0 of doubles */
    uint64_t length;    /* steps that will be taken at most */
    const double *bits; /* [length + 1]: as those of a sweep; NULL unless exact */
} pci_vectors_options;

/* The memory that vectors are read into. */
typedef struct pci_vector_rows {
    uint64_t *limbs;   /* [n_vectors][n][n_limbs]; NULL: doubles */
    double *values;    /* [n_vectors][n], in units of 2^exponent[vector] */
    int64_t *exponent; /* [n_vectors] */
} pci_vector_rows;

/* All vectors are zero at first. graph must outlive them. PC_ERR_MEMORY. */
pc_status pci_vectors_create(pc_context *context, const pc_graph *graph,
                             const pci_vectors_options *options, pci_vectors **vectors);
void pci_vectors_free(pci_vectors *vectors);

/* Back to step 0, all vectors zero. */
void pci_vectors_clear(pci_vectors *vectors);

/* Makes the entry of a vertex 1; before the first step only. */
void pci_vectors_set(pci_vectors *vectors, uint32_t vector, uint64_t vertex);

/* X = A X, or what takes its place for other paths. PC_ERR_RANGE for doubles too far apart,
 * PC_ERR_CANCELLED. */
pc_status pci_vectors_step(pci_vectors *vectors);

/* The first n_vectors vectors take the place of rows or, if adds, are added to them. PC_ERR_RANGE as
 * above. */
pc_status pci_vectors_read(const pci_vectors *vectors, uint32_t n_vectors, bool adds,
                           pci_vector_rows *rows);

/* The bytes that they hold, without rows. */
double pci_vectors_bytes(pc_context *context, const pc_graph *graph,
                         const pci_vectors_options *options);

#endif

/* Steps of a Markov chain: P is the adjacency matrix with each row divided by its sum (Hochberg,
 * section 1.2); who is at a vertex without arcs stays there. */
#ifndef PCI_MARKOV_H
#define PCI_MARKOV_H

#include "graphs/graph.h"

typedef struct pci_markov {
    pc_context *context;
    const pc_graph *graph;
    bool turned;     /* y = P^T x, and graph is the reverse; else y = P x */
    double *leaving; /* [n]: sums of the rows of the chain's own graph */
    double *share;   /* [n]: turned: x over leaving; else NULL */
} pci_markov;

/* graph must outlive it. What markov holds is to be freed whatever the status. PC_ERR_MEMORY. */
pc_status pci_markov_init(pc_context *context, const pc_graph *graph, bool turned,
                          pci_markov *markov);
void pci_markov_free(pci_markov *markov);

/* One step. The relative error of y is below 8 * 2^-53, so after 1000 steps a row that begins as 1
 * still sums to 1 within 1e-12: every sum is compensated, hubs round no more than others. */
void pci_markov_step(const pci_markov *markov, int n_threads, const double *x, double *y);

/* y = A x by compensated sums in the order of the arcs; and the sums of the rows of A, rounded once. */
void pci_chain_rows(const pc_graph *graph, int n_threads, const double *x, double *y);
void pci_chain_sums(const pc_graph *graph, double *sums);

/* The bytes that it holds. */
double pci_markov_bytes(const pc_graph *graph, bool turned);

#endif

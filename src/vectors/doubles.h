/* Vectors of doubles that share one power of two: sparse products and sums that never overflow. */
#ifndef PCI_QUERY_DOUBLES_H
#define PCI_QUERY_DOUBLES_H

#include "graphs/graph.h"

/* y = A x. Both are in units of 2^*exponent, which grows when entries become large; no entry that is
 * not 0 becomes 0. PC_ERR_RANGE when entries differ by more than 2^500. */
pc_status pci_doubles_step(pc_context *context, const pc_graph *graph, int n_threads,
                           const double *x, double *y, int64_t *exponent);

/* sum += x, n entries each, in units of their own; exponent is at least *sum_exponent, which becomes
 * the same. PC_ERR_RANGE as above. */
pc_status pci_doubles_add(pc_context *context, uint64_t n, const double *x, int64_t exponent,
                          double *sum, int64_t *sum_exponent);

/* Steps of a Markov chain: P is the adjacency matrix with each row divided by its sum (Hochberg,
 * section 1.2); who is at a vertex without arcs stays there. */

typedef struct pci_markov {
    pc_context *context;
    const pc_graph *graph;
    bool turned;     /* y = P^T x, and graph is the reverse; else y = P x */
    double *leaving; /* [n]: sums of the rows of the chain's own graph */
    double *share;   /* [n]: turned: x over leaving; else NULL */
} pci_markov;

/* graph must outlive it. The caller frees what markov holds, whatever the status. PC_ERR_MEMORY. */
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

/* Partitions: which block each vertex belongs to, and the vertices of each block in order; quotients by classes of twins. */
#ifndef PCI_PARTITION_H
#define PCI_PARTITION_H

#include "graphs/graph.h"

struct pc_partition {
    pc_context *context;
    uint64_t n;        /* vertices */
    uint64_t n_blocks; /* at most n; 0 only when n is 0 */
    uint32_t *block;   /* [n] below n_blocks */
    uint64_t *start;   /* [n_blocks + 1]: vertices of block b are vertex[start[b]] .. */
    uint32_t *vertex;  /* [n]: ascending within a block */
    uint64_t *size;    /* [n_blocks]: start[b + 1] - start[b], at least 1 */
    uint64_t max_size; /* of a block */
    pci_labels labels;
    uint64_t checksum; /* of all of it */
};

/* PC_ERR_CERTIFY when the partition has changed since it was made. */
pc_status pci_partition_check(pc_context *context, const pc_partition *partition);

/* Makes blocks of size consecutive vertices, the last one smaller when size does not divide n. PC_ERR_ARGUMENT when size
 * is 0, PC_ERR_DATA when two blocks would get the same label. */
pc_status pci_partition_consecutive(pc_context *context, const pc_graph *graph, uint64_t size,
                                    pc_partition **partition);

/* Makes a block of each connected component, arcs taken both ways. */
pc_status pci_partition_components(pc_context *context, const pc_graph *graph,
                                   pc_partition **partition);

/* Components by union-find: no recursion, and one word for each vertex, before[v], which is an earlier vertex of the
 * component of v; the first one has its own number. pci_join makes those of two vertices one. */
uint32_t pci_first_joined(uint32_t *before, uint32_t v);
void pci_join(uint32_t *before, uint32_t u, uint32_t v);

/* A partition from block[n] (taken over, freed on failure, as is labels) and labels of the blocks.
 * Every block must have a vertex. PC_ERR_MEMORY. */
pc_status pci_partition_make(pc_context *context, uint64_t n, uint32_t *block, pci_labels *labels,
                             pc_partition **partition);

/* ---- Quotients ---------------------------------------------------------------------------------- */

/* A graph with one vertex for each class of twins, from whose powers those of the graph follow.
 *
 * Two vertices are twins when exchanging them leaves A as it is. Separate twins have the same rows and the
 * same columns of A, adjacent twins those of A + I. Let S be the diagonal matrix of the sizes of the classes,
 * B the entry of A between two different vertices of two classes, and L the diagonal matrix that is -1 for
 * classes of adjacent twins and else 0. Then for vertices i and j of the classes c and d
 *
 *     (A^k)_ij = N_cd + (i = j ? L_c^k : 0),    N = ((S B + L)^k - L^k) / S,
 *
 * where the division is exact: S B + L is the matrix of an equitable partition. N is symmetric where the graph is
 * undirected, and products of it are half the work of those of S B + L:
 *
 *     N_(2k) = N S N + N L^k + L^k N,    N_(k+1) = (B S + L) N + B L^k,    N_1 = B.
 *
 * Modulo a number, classes are cut until no size has a factor in common with it.
 *
 * A quotient is made of pieces, which no arc joins: each of the large weak components is a piece, and all
 * small ones together are another one. Classes of a piece have consecutive numbers. */

typedef struct pci_quotient {
    pc_context *context;
    uint64_t n_vertices, n_classes;
    uint32_t *class_of;   /* [n_vertices] */
    uint32_t *first;      /* [n_classes] the first vertex of each class */
    uint64_t *size;       /* [n_classes] vertices of each class */
    uint8_t *is_adjacent; /* [n_classes] 1: L is -1, and there are two vertices or more */
    uint32_t n_pieces;
    uint64_t *
        piece_start; /* [n_pieces + 1] piece p has classes piece_start[p] .. piece_start[p + 1] - 1 */
    pc_graph **piece;  /* [n_pieces] S B + L */
    uint64_t checksum; /* of the arrays above, without the graphs */
} pci_quotient;

/* Finds the classes of twins and makes the quotient by them, in time proportional to the arcs. Classes are cut
 * as the modulus wants (0: counts are no residues). The graph is not in parts. pci_quotient_free frees the
 * quotient. PC_ERR_RANGE when an entry of the quotient has more than 64 bits; PC_ERR_MEMORY. */
pc_status pci_quotient_create(pc_context *context, const pc_graph *graph, uint64_t modulus,
                              pci_quotient **quotient);

/* Makes the graph of a piece whose entries are those of B, for engines that know classes. The graph that was reduced is
 * undirected. The quotient must outlive the graph, which pc_graph_free frees. PC_ERR_MEMORY. */
pc_status pci_quotient_between(const pci_quotient *quotient, uint32_t p, pc_graph **between);

/* PC_ERR_CERTIFY when the classes have changed, or do not have their sizes. The certificate of what is counted
 * by the graphs of pieces finds faults in these graphs. PC_ERR_MEMORY. */
pc_status pci_quotient_check(pc_context *context, const pci_quotient *quotient);
void pci_quotient_free(pci_quotient *quotient); /* accepts NULL */

/* Counts the cells of the coarsest equitable partition of an undirected graph in which the vertex `apart`
 * is a cell of its own (n or more: no vertex is). The powers of A times a vector that is 1 on a union of cells, and
 * else 0, have the same entries within each cell; so they span no more dimensions than there are cells. *n_cells
 * is n where that is not proved, or would take long. It takes no more passes over the arcs than there are cells. PC_ERR_MEMORY,
 * PC_ERR_CANCELLED. */
pc_status pci_equitable_cells(pc_context *context, const pc_graph *graph, uint64_t apart,
                              uint64_t *n_cells);

#endif

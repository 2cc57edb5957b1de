/* graph6, sparse6 and digraph6: a graph in a line of printable characters (McKay, formats.txt of
 * nauty). */
#ifndef PCI_GRAPH6_H
#define PCI_GRAPH6_H

#include "src/context.h"

enum { PCI_SMALL_VERTICES = 64 };

/* A graph as it comes out of a line, in memory that is used again for the next. */
typedef struct pci_listed {
    pc_context *context;
    uint64_t n_vertices;
    bool is_directed; /* entries are arcs; else each stands for both directions */
    bool is_small;    /* at most PCI_SMALL_VERTICES vertices and no entry given twice: see row */
    uint64_t row[PCI_SMALL_VERTICES]; /* is_small: bit j of row[i] is entry (i, j), both ways when
                                         undirected; a loop is one bit */
    uint64_t n_edges, capacity;       /* else: edges in the order given, repeated ones too */
    uint64_t *from, *to;
} pci_listed;

/* keep_repeats: an edge given twice matters (multigraph), so such a graph is not small. */
pc_status pci_graph6_decode(const char *line, size_t n_bytes, bool keep_repeats, pci_listed *graph,
                            const char **flaw);
void pci_listed_free(pci_listed *graph);

#endif

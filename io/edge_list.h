/* Edge lists: a line an edge, "from to [weight]". */
#ifndef PCI_EDGE_LIST_H
#define PCI_EDGE_LIST_H

#include "graphs/builder.h"
#include "io/line.h"
#include "io/head_comment.h"
#include "io/matrix_market.h"
#include "io/readings.h"

typedef enum pci_edge_list_use {
    PCI_GUESSED_GRAPH, /* the format was not asked for */
    PCI_ASKED_GRAPH,   /* the caller said that it is an edge list */
    PCI_RELATION       /* guessed; the two columns are not the same vertices */
} pci_edge_list_use;

/* Parses the text from begin on, as input->reading says, or without a reading line by line. shape is for a relation
 * only. When the file states its vertices, or that it is undirected, all vertices are rows and columns, and shape gets
 * their number. Otherwise shape gets zeros, and rows and columns are those that occur. The draft is filled only
 * on PC_OK; else PC_ERR_DATA, PC_ERR_ARGUMENT (a number of vertices is asked for and labels are no
 * integers), PC_ERR_MEMORY, PC_ERR_CANCELLED. */
pc_status pci_edge_list_parse(const pci_input *input, const char *begin,
                              const pc_graph_options *options, pci_edge_list_use use,
                              pci_shape *shape, pci_graph_draft *draft);

/* ---- Plain lines ----------------------------------------------------------------------------- */

typedef struct pci_plain_lines {
    char separator;     /* 0: a blank, a tab or a comma in any line */
    uint64_t limit;     /* ids are below it */
    uint32_t greatest;  /* id so far */
    pci_edge *edge;     /* the next one is written here */
    pci_edge *edge_end; /* no more edges have room */
} pci_plain_lines;

/* Takes plain lines, and moves lines->edge behind their edges. Returns the begin of the first line that is not taken.
 * That is a line of another kind, one near the end of the text, or one that has no room left. */
const char *pci_plain_lines_take(pci_plain_lines *lines, const char *begin, const char *end);

#endif

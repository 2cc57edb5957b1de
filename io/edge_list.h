/* Edge lists: a line an edge, "from to [weight]". */
#ifndef PCI_EDGE_LIST_H
#define PCI_EDGE_LIST_H

#include "graphs/builder.h"
#include "io/columns.h"
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

/* ---- The first lines ------------------------------------------------------------------------- */

/* Reads the comments before the first line of data. *is_ours says that one is a head comment of pathcount; others that
 * it understands are those of KONECT. PC_ERR_DATA. */
pc_status pci_edge_list_head_read(const pci_input *input, const char *begin, pci_edge_list_use use,
                                  pci_head_comment *stated, bool *is_ours);

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

/* ---- Names ----------------------------------------------------------------------------------- */

enum { PCI_TWINS_BYTES = 80 };

/* Adds the names of a chunk to all names, frees them, and renumbers its edges. PC_ERR_MEMORY. */
pc_status pci_edge_list_join_names(pc_context *context, pci_names *names, pci_edge_part *part,
                                   pci_names *all);

/* Notes the first label that is there as "1" and as "1.0": pandas writes integers so when some of a
 * column are missing. */
void pci_edge_list_find_twins(const pci_names *all, char note[PCI_TWINS_BYTES]);

#endif

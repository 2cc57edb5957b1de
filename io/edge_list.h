/* Edge lists: a line an edge, "from to [weight]". */
#ifndef PCI_EDGE_LIST_H
#define PCI_EDGE_LIST_H

#include "graphs/builder.h"
#include "io/columns.h"
#include "io/head_comment.h"
#include "io/matrix_market.h"
#include "io/recognise.h"

enum { PCI_HEADER_BYTES = 48, PCI_TAKEN_BYTES = 80 };

typedef enum pci_edge_list_use {
    PCI_GUESSED_GRAPH, /* the format was not asked for */
    PCI_ASKED_GRAPH,   /* the caller said that it is an edge list */
    PCI_RELATION       /* guessed; the two columns are not the same vertices */
} pci_edge_list_use;

/* Parses the text from begin on. shape is for a relation only. When the file states its vertices,
 * or that it is undirected, all vertices are rows and columns, and shape gets their number.
 * Otherwise shape gets zeros, and rows and columns are those that occur. The draft is filled only
 * on PC_OK; else PC_ERR_DATA, PC_ERR_ARGUMENT (a number of vertices is asked for and labels are no
 * integers), PC_ERR_MEMORY, PC_ERR_CANCELLED. */
pc_status pci_edge_list_parse(const pci_input *input, const char *begin,
                              const pc_graph_options *options, pci_edge_list_use use,
                              pci_shape *shape, pci_graph_draft *draft);

/* ---- The first lines ------------------------------------------------------------------------- */

/* What the first lines state about the graph, and which of them is a header. They are read once,
 * before lines are parsed. */
typedef struct pci_edge_list_head {
    pci_head_comment stated;
    bool has_head_comment;         /* one of ours, else comments of KONECT or SNAP */
    size_t n_passed_bytes;         /* up to the end of the header line; 0: there is none */
    size_t n_columns;              /* of the first line behind the header; 0: unknown */
    pci_columns columns;           /* those that are read, when they are chosen */
    char header[PCI_HEADER_BYTES]; /* the header line for people; "" when there is none */
    char taken[PCI_TAKEN_BYTES];   /* a note on columns, such as "columns 2 and 3 read"; or "" */
} pci_edge_list_head;

/* Reads the first lines of the text from begin on; options may be NULL. PC_ERR_DATA: it is no edge
 * list, or none that can be read without being told more. */
pc_status pci_edge_list_head_read(const pci_input *input, const char *begin, pci_edge_list_use use,
                                  const pc_graph_options *options, pci_edge_list_head *head);

/* Whether options, which may be NULL, say anything about columns, header or separator. */
bool pci_edge_list_asks_columns(const pc_graph_options *options);

/* Finds the header and the columns that are read. PC_ERR_DATA, PC_ERR_ARGUMENT. */
pc_status pci_edge_list_choose_columns(const pci_input *input, const pci_head *head,
                                       const pc_graph_options *options, pci_edge_list_head *found);

/* ---- Names ----------------------------------------------------------------------------------- */

enum { PCI_TWINS_BYTES = 80 };

/* Adds the names of a chunk to all names, frees them, and renumbers its edges. PC_ERR_MEMORY. */
pc_status pci_edge_list_join_names(pc_context *context, pci_names *names, pci_edge_part *part,
                                   pci_names *all);

/* Notes the first label that is there as "1" and as "1.0": pandas writes integers so when some of a
 * column are missing. */
void pci_edge_list_find_twins(const pci_names *all, char note[PCI_TWINS_BYTES]);

#endif

/* The first lines of an edge list: what they state about the graph, and which of them is a header.
 * They are read once, before lines are parsed. */
#ifndef PCI_EDGE_LIST_HEAD_H
#define PCI_EDGE_LIST_HEAD_H

#include "io/head_comment.h"
#include "io/input.h"

enum { PCI_HEADER_BYTES = 48 };

typedef struct pci_edge_list_head {
    pci_head_comment stated;
    bool has_head_comment;         /* one of ours, else comments of KONECT or SNAP */
    size_t n_passed_bytes;         /* up to the end of the header line; 0: there is none */
    size_t n_columns;              /* of the first line behind the header; 0: unknown */
    char header[PCI_HEADER_BYTES]; /* the header line for people; "" when there is none */
} pci_edge_list_head;

typedef enum pci_edge_list_use {
    PCI_GUESSED_GRAPH, /* the format was not asked for: other formats are refused */
    PCI_ASKED_GRAPH,   /* the caller said that it is an edge list */
    PCI_RELATION       /* guessed; the two columns are not the same vertices */
} pci_edge_list_use;

/* Reads the first lines of the text from begin on. PC_ERR_DATA: it is no edge list, or none that
 * can be read without being told more. */
pc_status pci_edge_list_head_read(const pci_input *input, const char *begin, pci_edge_list_use use,
                                  pci_edge_list_head *head);

#endif

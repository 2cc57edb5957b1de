/* What the first lines of an edge list tell: what it states about itself, and which line is a header.
 * Decided once, before lines are parsed. */
#ifndef PCI_DIALECT_H
#define PCI_DIALECT_H

#include "io/input.h"
#include "io/statement.h"

enum { PCI_HEADER_BYTES = 48 };

typedef struct pci_dialect {
    pci_statement statement;
    bool is_ours;                  /* the statement is that of a file that we wrote */
    size_t n_passed_bytes;         /* up to the end of the header line; 0: there is none */
    size_t n_columns;              /* of the first line behind the header; 0: unknown */
    char header[PCI_HEADER_BYTES]; /* the header line for people; "" when there is none */
} pci_dialect;

typedef enum pci_edge_list_use {
    PCI_GUESSED_GRAPH, /* nobody said that it is an edge list: other formats are refused */
    PCI_ASKED_GRAPH,   /* somebody said so */
    PCI_RELATION       /* guessed; the two columns are not the same vertices */
} pci_edge_list_use;

/* Looks at the first lines of the text from begin on. PC_ERR_DATA: it is no edge list, or none that can
 * be read without being told more. */
pc_status pci_dialect_find(const pci_input *input, const char *begin, pci_edge_list_use use,
                           pci_dialect *dialect);

#endif

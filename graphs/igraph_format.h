/* The table of file formats of igraph. A new format is a row and a scan. */
#ifndef PCI_IGRAPH_FORMAT_H
#define PCI_IGRAPH_FORMAT_H

#include "graphs/igraph_scan.h"

#include <stdio.h>

typedef struct pci_igraph_format {
    const char *name;
    const char *title; /* for pc_graph_info */
    pc_status (*scan)(pci_igraph_text *text);
    igraph_error_t (*read)(igraph_t *igraph, FILE *file);
    bool read_directed;                   /* by read, whatever the text says */
    bool has_entities;                    /* in strings, and igraph does not know them all */
    uint64_t first_number;                /* vertices without labels count from here */
    bool (*begins)(pci_igraph_span text); /* as no other format does; NULL: it has no marks */
    const char *first;                    /* characters that a text may begin by; NULL: any */
    const char *weights[2];               /* names of the edge attribute, the first there is */
} pci_igraph_format;

/* The format of that name, or of the ending of path when name is NULL; PC_ERR_ARGUMENT. */
pc_status pci_igraph_format_find(pc_context *context, const char *path, const char *name,
                                 const pci_igraph_format **found);

/* Asks the text from its first lines on. When they are of another format of igraph, *format becomes
 * that one if is_free, which is to say that only the name of the file told it; else PC_ERR_DATA. So
 * it is when the format has marks and the text none of them. */
pc_status pci_igraph_format_check(pc_context *context, const char *path, const char *bytes,
                                  size_t n_bytes, bool is_free, const pci_igraph_format **format);

/* The number of a format, and the format of a number; NULL when there is none. */
unsigned pci_igraph_format_number(const pci_igraph_format *format);
const pci_igraph_format *pci_igraph_format_at(unsigned number);

#endif

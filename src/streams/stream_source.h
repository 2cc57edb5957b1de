/* The graphs of a stream, chunk after chunk: lines of text, or the graphs of a TUDataset. */
#ifndef PCI_STREAM_SOURCE_H
#define PCI_STREAM_SOURCE_H

#include "io/graph6.h"

typedef struct pci_stream_source pci_stream_source;

/* A kind of stream. */
typedef struct pci_stream_kind {
    void (*close)(pci_stream_source *source);

    /* Makes the next chunk the current one, of n_graphs graphs, 0 at the end of the stream. A slow pipe
     * gives a smaller chunk, so that answers do not wait for a full one. */
    pc_status (*next)(pci_stream_source *source, size_t *n_graphs);

    /* Graph i of the current chunk; called by several threads at once. *flaw tells why it is wrong
     * (PC_ERR_DATA), in static storage; PC_ERR_MEMORY sets no message either. */
    pc_status (*decode)(const pci_stream_source *source, size_t i, bool keep_repeats,
                        pci_listed *graph, const char **flaw);

    /* The message for a flaw of graph i, by file and line; returns PC_ERR_DATA. */
    pc_status (*fail)(pci_stream_source *source, size_t i, const char *flaw);
} pci_stream_kind;

/* The first field of each source. */
struct pci_stream_source {
    const pci_stream_kind *kind;
};

/* PC_ERR_NO_INPUT, PC_ERR_DATA, PC_ERR_MEMORY, PC_ERR_IO; path as in pc_stream_run, and outlives the source. A line
 * may state as many vertices as pci_most_stated_vertices says. */
pc_status pci_stream_open(pc_context *context, const char *path, uint64_t max_vertices,
                          pci_stream_source **source);

/* Each opens a source of its kind. Lines come from an open file, which is closed with the source, whatever the status,
 * unless it is standard input; name is that for messages. */
pc_status pci_stream_lines_open(pc_context *context, const char *name, int file,
                                uint64_t max_vertices, pci_stream_source **source);
pc_status pci_stream_folder_open(pc_context *context, const char *path, pci_stream_source **source);

#endif

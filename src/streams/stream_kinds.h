/* The two kinds of stream behind src/streams/stream_source.h. */
#ifndef PCI_STREAM_KINDS_H
#define PCI_STREAM_KINDS_H

#include "src/streams/stream_source.h"

/* What a kind does for the functions of src/streams/stream_source.h; source is its own. */
typedef struct pci_stream_kind {
    void (*close)(void *source);
    pc_status (*next)(void *source, size_t *n_graphs);
    pc_status (*decode)(const void *source, size_t i, bool keep_repeats, pci_listed *graph,
                        const char **flaw);
    pc_status (*fail)(void *source, size_t i, const char *flaw);
} pci_stream_kind;

extern const pci_stream_kind pci_stream_lines, pci_stream_folder;

/* Each opens a source of its kind. Lines come from an open file, which stays the caller's; name, for
 * messages, must outlive the source. */
pc_status pci_stream_lines_open(pc_context *context, const char *name, int file,
                                uint64_t max_vertices, void **source);
pc_status pci_stream_folder_open(pc_context *context, const char *path, void **source);

#endif

/* The lines of a sweep in a file, those of all vertices in order, so that any number of processes can write and read
 * it: each its own vertices, all at once. All functions are called by all processes. */
#ifndef PCI_LINES_FILE_H
#define PCI_LINES_FILE_H

#include "src/cluster/part.h"
#include "src/engine/sweep.h"

/* The head of the file, and what must agree. */
typedef struct pci_lines {
    char mark[32];
    uint64_t key[2]; /* of the sweep: its graph, its limits, its starts */
    uint64_t step, n, line_bytes;
    uint64_t sum;   /* of checksums of lines, each with its vertex */
    uint64_t check; /* of what stands before it */
} pci_lines;

enum { PCI_LINES_HEAD_BYTES = 4096 /* the lines begin here */ };

/* Lines of own vertices after lines->step steps, to a file that is there, behind its head; with syncs they are on the
 * disk when it returns. The sum is that of all processes. PC_ERR_MEMORY, PC_ERR_IO, in all processes the same. */
pc_status pci_lines_write(const pci_graph_part *part, pc_context *context, const pci_sweep *sweep,
                          const char *path, bool syncs, uint64_t *sum);

/* The sweep becomes one after lines->step steps. PC_ERR_DATA when the file is cut short or lines are damaged: then the
 * sweep is to be cleared. Else as above. */
pc_status pci_lines_read(const pci_graph_part *part, pc_context *context, pci_sweep *sweep,
                         const char *path, const pci_lines *lines);

/* The sums of hashes of all arcs of the graph. */
void pci_part_digest(const pci_graph_part *part, uint64_t digest[2]);

#endif

/* The graphs of a stream. Each graph is counted by one thread, with memory that the thread keeps
 * from graph to graph.
 *
 * A graph of at most 64 vertices never becomes a pc_graph: its graph6 text is read directly into
 * one word for each row. Wider counts, larger graphs, residues and other kinds of path go through
 * pc_query_run, in a context that belongs to the thread. */
#ifndef PCI_STREAM_COUNT_H
#define PCI_STREAM_COUNT_H

#include "io/graph6.h"

/* The question about every graph. */
typedef struct pci_stream_asked {
    pc_stream_query query;
    pc_count_options options; /* with defaults filled in */
    pc_direction direction;
    bool multigraph;
    pc_loops loops;
    uint64_t n_lengths; /* columns of totals, of closed paths, or of each */
    uint64_t n_columns;
} pci_stream_asked;

/* A thread and the graph that it has decoded last. */
typedef struct pci_stream_counter {
    const pci_stream_asked *asked;
    pc_context *context; /* its own */
    pci_listed graph;
} pci_stream_counter;

/* The counts of a graph that are wider than a word. */
typedef struct pci_wide_row {
    uint32_t n_limbs; /* 1: all counts fit a word and are elsewhere */
    uint64_t *words;  /* [n_columns][n_limbs]; else NULL */
    uint64_t digest;  /* the sum of the words of its row, wherever they are */
} pci_wide_row;

/* True when the graph takes so long that all threads had better count it together. */
bool pci_stream_is_heavy(const pci_stream_counter *counter);

/* Counts the graph: row[n_columns] where that is wide enough, else a wide row, to be freed. The
 * message of an error is that of the counter's context. PC_ERR_CERTIFY when the counts failed their
 * check. */
pc_status pci_stream_count(pci_stream_counter *counter, uint64_t *row, pci_wide_row *wide);

/* The same as a graph of the library, whatever its size: where the other way failed its check. */
pc_status pci_stream_recount(pci_stream_counter *counter, uint64_t *row, pci_wide_row *wide);

/* The sum of the words of a row: what its digest must be. */
uint64_t pci_stream_digest(const pci_stream_asked *asked, const uint64_t *row,
                           const pci_wide_row *wide);

#endif

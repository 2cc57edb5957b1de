/* Streams of graphs: where the graphs come from, and how each is counted.
 *
 * Each graph is counted by one thread, with memory that the thread keeps from graph to graph. A graph of at most 64 vertices
 * never becomes a pc_graph: its graph6 text is read directly into one word for each row. Wider counts, larger graphs,
 * residues and other kinds of path go through pc_query_run, in a context that belongs to the thread. */
#ifndef PCI_STREAM_H
#define PCI_STREAM_H

#include "io/graph6.h"

/* ---- Sources (stream_lines.c, stream_folder.c) ----------------------------------------------- */

/* The graphs of a stream, chunk after chunk: lines of text, or the graphs of a TUDataset. */
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

/* ---- Any graph (stream_count.c) --------------------------------------------------------------- */

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

/* ---- Small graphs (small.c) ------------------------------------------------------------------- */

/* Paths of graphs with at most 64 vertices, whose adjacency matrix has one word for each row. The
 * sums are exact, in words of 32, 64 or 128 bits, whichever a proved limit allows. This part uses
 * no context, no memory and no threads of its own.
 *
 * A certificate with random numbers would cost more than the counts. In place of it each step is
 * checked by the sum of its vector (small_body.h), each total and trace by a second sum, and
 * the rows of bits by the number of entries that was read. A single wrong word is always found. */

enum { PCI_SMALL_LIMBS = 2 /* words of the widest counts that are made here */ };

typedef struct pci_small_graph {
    uint32_t n_vertices; /* at most PCI_SMALL_VERTICES */
    const uint64_t *row; /* [n_vertices]: bit j of row[i] is entry (i, j) */
    bool is_symmetric;
    uint64_t n_entries; /* bits that are set, as they were counted when the graph was read */
} pci_small_graph;

/* Limbs that the counts of all paths take, 1 or 2. 0: they may be wider, and the graph must be
 * counted as larger ones are. */
uint32_t pci_small_limbs(const pci_small_graph *graph, const pc_stream_query *query);

/* The row of the graph, n_columns counts of n_limbs (from pci_small_limbs) words each. False when a
 * check fails. */
bool pci_small_count(const pci_small_graph *graph, const pc_stream_query *query, uint32_t n_limbs,
                     uint64_t *counts);

#endif

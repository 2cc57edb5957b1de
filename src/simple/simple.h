/* Paths that visit no vertex twice: GQL calls them ACYCLIC. Loops never count, and parallel arcs multiply.
 *
 * There are three ways to make rows of such counts. Formulas (formula.h) reach length 6 and make all rows of a
 * graph by sparse steps. A search enumerates paths. Sets of vertices are for small graphs and any length. */
#ifndef PCI_SIMPLE_H
#define PCI_SIMPLE_H

#include "graphs/graph.h"

/* The paths that are counted, and the width of counts. */
typedef struct pci_simple_work {
    pc_context *context;
    const pc_graph *graph;   /* the arcs that paths follow */
    const pc_graph *reverse; /* the same arcs turned; the graph itself where it is undirected */
    uint64_t length;         /* at least 1 */
    bool up_to;              /* counts of the lengths 1 .. length are added up */
    uint32_t n_words;        /* 1 or 2 words of an entry, which no count is wider than */
} pci_simple_work;

/* ---- Search ---------------------------------------------------------------------------------- */

/* rows[i][v] becomes the count of paths from from[i] to v; [n_rows][n][n_words], 0 where v is from[i]. Threads share
 * rows, and the first arcs of few rows. PC_ERR_MEMORY, PC_ERR_CANCELLED. */
pc_status pci_search_rows(const pci_simple_work *work, uint64_t n_rows, const uint64_t *from,
                          uint64_t *rows);

/* counts[i] becomes the count of paths from from[i] to to[i]; [n_pairs][n_words]. Vertices that are too far from the
 * end are not entered, and the last three arcs of paths are counted at once. Errors as above. */
pc_status pci_search_pairs(const pci_simple_work *work, uint64_t n_pairs, const uint64_t *from,
                           const uint64_t *to, uint64_t *counts);

/* Predicts the seconds that rows, or pairs if to is not NULL, take: paths of a few random samples are estimated as
 * Knuth (1975) does it, with a seed that is always the same. from is NULL: one row for each vertex. *seconds is
 * INFINITY where no finite double holds it. PC_ERR_MEMORY. */
pc_status pci_search_predict(const pci_simple_work *work, uint64_t n_rows, const uint64_t *from,
                             const uint64_t *to, double *seconds);

/* Bytes that all threads take at most beside rows or counts. */
double pci_search_bytes(const pci_simple_work *work, bool is_pair);

/* ---- Sets ------------------------------------------------------------------------------------ */

enum { PCI_MOST_SET_VERTICES = 26 };

/* The same rows as those of a search, of a graph of at most PCI_MOST_SET_VERTICES vertices, by dynamic programming over
 * the sets of vertices that a path has visited (Held and Karp 1962). Threads share the sets of one size. */
pc_status pci_sets_rows(const pci_simple_work *work, uint64_t n_rows, const uint64_t *from,
                        uint64_t *rows);

/* Bytes and seconds that this takes. */
double pci_sets_bytes(const pci_simple_work *work);
double pci_sets_seconds(const pci_simple_work *work, uint64_t n_rows);

/* ---- Shortest paths (shortest.c) --------------------------------------------------------------- */

/* Rows of the numbers of shortest paths from a vertex, or of their lengths. */

/* The distance where no path leads. */
#define PCI_NO_DISTANCE UINT64_MAX

typedef struct pci_shortest_work {
    pc_context *context;
    const pc_graph *graph;
    uint64_t n_rows;
    const uint64_t *from; /* [n_rows] */
    uint32_t n_words;     /* of a number; 0: rows are of distances */
} pci_shortest_work;

/* Finds the bits of the largest number, and hashes of the rows (pci_row_hash). n_words, 1 or 0 before, becomes as many as
 * the largest number needs. PC_ERR_MEMORY, PC_ERR_CANCELLED. */
pc_status pci_shortest_width(pci_shortest_work *work, uint64_t *bits, uint64_t *hashes);

/* Makes rows[n_rows][n][n_words]. PC_ERR_MEMORY, PC_ERR_CANCELLED; PC_ERR_CERTIFY where a number does not fit. */
pc_status pci_shortest_rows(const pci_shortest_work *work, uint64_t *rows);

/* Seconds that the rows take of one thread, and the bytes of a thread, also while the bits are found. */
double pci_shortest_seconds(const pci_shortest_work *work);
double pci_shortest_bytes(const pci_shortest_work *work);

#endif

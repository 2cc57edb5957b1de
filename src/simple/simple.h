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

/* ---- Searchers ------------------------------------------------------------------------------- */

/* The search of one thread for paths that visit no vertex twice, and the work that threads share. */

typedef unsigned __int128 pci_wide;

/* The arcs at the end of paths that one loop counts: of a row, of a row without multiplicities, of a pair. */
enum { PCI_ROW_END = 1, PCI_BACK_END = 2, PCI_PAIR_END = 3 };

enum {
    PCI_MOST_BACK =
        9, /* length of paths whose vertices but for the last two have a byte of a word each */
    PCI_SPLIT = 2 /* arcs of the paths that threads share out when rows are split */
};

/* The distance of a vertex that must not be entered: it is on the path, or the target, or the target is too far. */
#define PCI_ON_PATH UINT32_MAX

/* A vertex on the path. */
typedef struct pci_place {
    pci_wide product;  /* of the weights of the arcs before it */
    uint64_t arc, end; /* arcs that are still to be followed */
    uint32_t vertex, distance;
} pci_place;

typedef struct pci_searcher pci_searcher;

typedef struct pci_search_team {
    const pci_simple_work *work;
    uint64_t length; /* no path is longer; 0: there is none */
    uint64_t n_rows; /* or pairs */
    bool is_pair;
    uint32_t n_last;    /* PCI_ROW_END, PCI_BACK_END or PCI_PAIR_END */
    int64_t n_marked;   /* vertices of a path that pci_searcher.back knows */
    bool is_split;      /* all threads work on one row, or pair, at a time */
    uint64_t n_claimed; /* paths of PCI_SPLIT arcs that threads took */
    pc_status status;   /* shared: see pci_goes_on */
    int n_threads;
    pci_searcher *searcher; /* [n_threads] */
} pci_search_team;

struct pci_searcher {
    pci_search_team *team;
    bool
        is_first; /* it counts the paths that are shorter than PCI_SPLIT; always unless rows are split */
    uint64_t claimed,
        seen; /* the number of the next path of PCI_SPLIT arcs that it follows; those that it met */
    uint64_t row_number;
    uint64_t n_unasked; /* arcs since it asked whether to go on */
    pci_place *path;    /* [length + 1] */
    uint32_t *distance; /* [n]: to the target; when rows are made 0, and PCI_ON_PATH on the path */
    uint64_t *row;      /* [n][n_words] that it adds to */
    uint64_t *own;      /* a row of its own, of zeros; NULL unless rows are split */

    /* These are for PCI_BACK_END, each [n]; see searcher.c. */
    uint64_t *back, *n_before, *n_back;

    /* The rest is for pairs. The arrays hold what belongs to the target. */
    uint64_t target;  /* n: none yet */
    uint64_t *to_end; /* [n]: weight of the arc to the target */
    uint64_t
        *finish; /* [n][n_words]: ways to it by two arcs; also by one if lengths are added up */
    uint32_t *reached; /* [n]: vertices that are not too far */
    uint64_t n_reached;
    pci_wide sum; /* of the pair */
};

/* PC_ERR_MEMORY; pci_searcher_free frees the searcher in any case, also one that is all zero. */
pc_status pci_searcher_create(pci_search_team *team, int number, pci_searcher *s);
void pci_searcher_free(pci_searcher *s);

/* Makes the arrays for a target; returns the arcs that were followed. */
double pci_searcher_aim(pci_searcher *s, uint64_t target);

/* Adds the paths from a vertex to s->row, or sets s->sum to the number of those to a vertex. It stops when the call was
 * cancelled, which the status of the team tells then. */
void pci_searcher_run(pci_searcher *s, uint64_t row_number, uint64_t from, uint64_t to);

/* The number that n_words hold. */
static inline pci_wide pci_wide_of(const uint64_t *words, uint32_t n_words)
{
    return words[0] | (n_words == 2 ? (pci_wide)words[1] << 64 : 0);
}

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

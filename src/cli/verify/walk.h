/* Vectors of residues sent along the arcs of a graph, one step after the other, by the definition of
 * a path and nothing else. */
#ifndef CLI_VERIFY_WALK_H
#define CLI_VERIFY_WALK_H

#include "pathcount.h"

#include <stdbool.h>

/* The arcs of a graph, each taken from its end to its start if turned. */
typedef struct cli_arcs {
    uint64_t n, n_arcs;
    pc_arcs arcs;
    bool is_non_backtracking;
    uint64_t *back; /* [n_arcs] the arc that leads back, UINT64_MAX: none; else NULL */
    void *owned[3]; /* free()d with it */
} cli_arcs;

/* False when there is no memory. */
bool cli_arcs_make(const pc_graph *graph, bool turned, bool is_non_backtracking, cli_arcs *arcs);
void cli_arcs_free(cli_arcs *arcs);

/* at[v] is the sum over the paths of the length so far that begin at v of the start vector where they
 * end, modulo a number below 2^63. */
typedef struct cli_walk {
    const cli_arcs *arcs;
    uint64_t modulus;
    uint64_t length;
    uint64_t *at, *next;            /* [n] */
    uint64_t *by_arc, *next_by_arc; /* [n_arcs] the same by the first arc; NULL: all paths */
} cli_walk;

/* at is to be filled with the start vector. False when there is no memory. */
bool cli_walk_create(const cli_arcs *arcs, uint64_t modulus, cli_walk *walk);
void cli_walk_free(cli_walk *walk);

/* Begins anew with the vector that is then put into at. */
void cli_walk_begin(cli_walk *walk);

/* Makes the paths longer by an arc. */
void cli_walk_step(cli_walk *walk);

/* Goes to a length of all paths, step by step or, where that takes less, by squaring the matrix. False
 * when there is no memory. */
bool cli_walk_go(cli_walk *walk, uint64_t length);

#endif

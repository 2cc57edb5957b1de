/* Vectors of long doubles sent along the arcs: what doubles are held against. */
#ifndef CLI_VERIFY_REAL_WALK_H
#define CLI_VERIFY_REAL_WALK_H

#include "pathcount.h"

#include <stdbool.h>

/* The arcs of a graph with what a step multiplies by: multiplicities, or probabilities of a Markov chain,
 * where a vertex without arcs has a loop. */
typedef struct cli_real_arcs {
    uint64_t n;
    uint64_t *start; /* [n + 1] */
    uint32_t *column;
    long double *value;
} cli_real_arcs;

/* All arcs, and all of them turned. False when there is no memory; to be freed also then. */
bool cli_real_arcs_make(const pc_graph *graph, bool is_markov, cli_real_arcs *ahead,
                        cli_real_arcs *turned);
/* Multiplies what each step multiplies by. */
void cli_real_arcs_scale(cli_real_arcs *arcs, long double factor);
void cli_real_arcs_free(cli_real_arcs *arcs);

/* at[v] * 2^exponent is the sum over the paths from v of the start vector where they end; sum the same for
 * all lengths from 1 on. */
typedef struct cli_real_walk {
    const cli_real_arcs *arcs;
    uint64_t length;
    bool is_exponential; /* step l is divided by l: matrix powers over factorials */
    bool is_over;        /* at is 0, and stays so */
    int64_t exponent;
    long double *at, *next, *sum; /* [n]; in one block that begins at memory */
    long double *memory;
} cli_real_walk;

/* False when there is no memory. Vectors are 0. */
bool cli_real_walk_create(const cli_real_arcs *arcs, cli_real_walk *walk);
void cli_real_walk_free(cli_real_walk *walk);
void cli_real_walk_step(cli_real_walk *walk);

#endif

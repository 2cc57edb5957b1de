/* Vectors sent along the arcs of a graph, one step after the other, by the definition of a path and nothing else.
 * Numbers are residues, or long doubles that have an exponent each, so that none overflows or vanishes beside the
 * others. */
#ifndef CLI_VERIFY_WALK_H
#define CLI_VERIFY_WALK_H

#include "pathcount.h"

#include <stdbool.h>

/* ---- Numbers --------------------------------------------------------------------------------- */

/* A residue where there is a modulus; where that is 0, value * 2^exponent, which is not negative. */
typedef union cli_number {
    uint64_t residue;
    struct {
        long double value;
        int64_t exponent;
    };
} cli_number;

cli_number cli_number_add(uint64_t modulus, cli_number a, cli_number b);

/* Returns a / b of doubles: infinity where no long double is so large, and 0 where none is so small. */
long double cli_number_ratio(cli_number a, cli_number b);

/* ---- Arcs ------------------------------------------------------------------------------------ */

/* The factors that a step multiplies by. */
typedef enum cli_step {
    CLI_STEP_RESIDUES, /* multiplicities */
    CLI_STEP_STRAIGHT, /* multiplicities, and no path turns back */
    CLI_STEP_DOUBLES,  /* multiplicities times a factor */
    CLI_STEP_MARKOV    /* probabilities; a vertex without arcs has a loop */
} cli_step;

/* Arcs from n starts, each taken from its end to its start if turned. All zero at first. */
typedef struct cli_arcs {
    uint64_t n, n_arcs;
    pc_arcs arcs;
    const long double *value; /* [n_arcs] of doubles */
    uint64_t *back; /* [n_arcs] of straight paths: the arc that leads back, UINT64_MAX: none */
    void *owned[3]; /* free()d with it */
} cli_arcs;

/* from, those of a graph or of a relation, may have to outlive arcs. Memory is that of cli_need, as below. */
void cli_arcs_make(const pc_arcs *from, uint64_t n_starts, uint64_t n_ends, bool turned,
                   cli_step step, long double factor, cli_arcs *arcs);
void cli_arcs_free(cli_arcs *arcs);

/* Returns what arrives at the start v of arcs from the vector at their ends. */
cli_number cli_arcs_pull(const cli_arcs *arcs, uint64_t modulus, const cli_number *at, uint64_t v);

/* ---- Walks ----------------------------------------------------------------------------------- */

/* at[v] is the sum over the paths of the length so far that begin at v of the start vector where they end; sum[v]
 * the same for all lengths from 1 on. */
typedef struct cli_walk {
    const cli_arcs *arcs;
    uint64_t modulus;    /* below 2^63; 0: doubles */
    bool is_series;      /* it may end once all numbers are below 2^-12000 */
    bool adds_up;        /* sum is wanted */
    bool is_exponential; /* step l is divided by l: powers over factorials */
    uint64_t length;
    cli_number *at, *next, *sum;    /* [n] in one block that begins at memory */
    uint64_t *by_arc, *next_by_arc; /* [n_arcs] of straight paths: at by the first arc */
    cli_number *memory;
} cli_walk;

void cli_walk_create(const cli_arcs *arcs, uint64_t modulus, cli_walk *walk);
void cli_walk_free(cli_walk *walk);

/* Begins anew with zeros; the start vector is then put into at. */
void cli_walk_begin(cli_walk *walk);

/* Makes the paths longer by an arc. False: all that could still come is 0. */
bool cli_walk_step(cli_walk *walk);

/* ---- Powers ---------------------------------------------------------------------------------- */

/* True when squaring takes less time than so many walks of that length, and not much memory. */
bool cli_power_pays(const cli_arcs *arcs, uint64_t length, uint64_t n_walks);

/* power[n][n] of the matrix of the arcs, or with is_sum the sum of the powers 1 to length. length is at least 1.
 * The caller free()s it. */
cli_number *cli_power(const cli_arcs *arcs, uint64_t modulus, uint64_t length, bool is_sum);

/* to[n] = power times from. */
void cli_power_times(const cli_number *power, uint64_t n, uint64_t modulus, const cli_number *from,
                     cli_number *to);

#endif

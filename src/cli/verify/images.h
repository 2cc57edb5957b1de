/* The right sides of a certificate: vectors x, and what the answer C of a question must make of them, C x, from the
 * arcs of the graph.
 *
 * A count that is wrong is still right modulo a random prime near 2^61 with probability below 2^-45 (one of 12,000
 * bits has at most 200 such prime factors, of some 2^54), and a row with a wrong count passes with a random x
 * once in p. So two rounds pass a wrong answer with probability below 2^-80. Wider counts have more factors, and
 * take more rounds where they need them. Residues modulo M are taken modulo M itself: then a round misses a wrong
 * row once in q, the least prime factor of M, and there are as many rounds as 2^-80 takes.
 *
 * An answer of one column needs no random x: it is 1. Answers of single entries (--pair, --closed, --trace,
 * --subgraph-centrality) take a walk for each vertex, as counting them does. Doubles have no random x: where an answer has one
 * or two columns, each is an image; a row of a wider one is a walk of its own. */
#ifndef CLI_VERIFY_IMAGES_H
#define CLI_VERIFY_IMAGES_H

#include "src/cli/verify/question.h"
#include "src/cli/verify/walk.h"

typedef struct cli_round {
    uint64_t modulus; /* 0: doubles */
    uint64_t seed;    /* of x: cli_draw(seed, column, modulus) */
    uint64_t *x;      /* [n_columns] */
    cli_number *y;    /* [n_lengths][n_rows] C x for each length */
} cli_round;

/* All zero at first. */
typedef struct cli_images {
    uint64_t n_rounds;
    cli_round *rounds;
} cli_images;

/* The rounds that pass a wrong answer with probability below 2^-80. */
uint64_t cli_images_needed(const cli_verify_question *question);

/* Draws moduli and seeds, and makes at least n_rounds >= 1 images. PC_ERR_INTERNAL when the system gives no random
 * numbers; cli_images_free also then. Memory is that of cli_need, here and below. */
pc_status cli_images_make(const cli_verify_question *question, uint64_t n_rounds,
                          cli_images *images);

/* The same for rounds whose moduli and seeds are there. Rounds without a modulus become the columns of an answer of
 * doubles that has one or two. Simple paths and cycles, which no walk tells, are counted again by the library: errors
 * as those of pc_query_run. */
pc_status cli_images_fill(const cli_verify_question *question, cli_images *images);

/* Room for rounds, all zero. */
void cli_images_allocate(uint64_t n_rounds, cli_images *images);

void cli_images_free(cli_images *images);

/* ---- Rows of doubles ------------------------------------------------------------------------- */

/* Walks for rows of a matrix, or of --from and --to. All zero at first. */
typedef struct cli_row_walks {
    const cli_verify_question *question;
    cli_arcs arcs;
    cli_walk walk;
    uint64_t length;
    cli_number *power; /* instead of steps; NULL: none */
} cli_row_walks;

void cli_row_walks_create(const cli_verify_question *question, cli_row_walks *walks);
void cli_row_walks_free(cli_row_walks *walks);

/* Chooses the length of the rows that follow. */
void cli_row_walks_begin(cli_row_walks *walks, uint64_t length);

/* Adds a row of the answer to row[n_columns]. */
void cli_row_walks_add(cli_row_walks *walks, uint64_t row, cli_number *to);

#endif

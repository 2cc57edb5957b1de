/* The right sides of a certificate: random vectors x, and what the answer C of a question must make of
 * them, C x, from the arcs of the graph.
 *
 * A count that is wrong is still right modulo a random prime near 2^61 with probability below 2^-45 (one of 12,000
 * bits has at most 200 such prime factors, of some 2^54), and a row with a wrong count passes with a random x
 * once in p. So two rounds pass a wrong answer with probability below 2^-80. Wider counts have more factors, and
 * take more rounds where they need them. Residues modulo M are taken modulo
 * M itself: then a round misses a wrong row once in q, the least prime factor of M, and there are as many
 * rounds as 2^-80 takes.
 *
 * An answer of one column needs no x: it is 1. Answers of single entries (--pair, --closed, --trace) take
 * a walk for each vertex, as counting them does. */
#ifndef CLI_VERIFY_IMAGES_H
#define CLI_VERIFY_IMAGES_H

#include "src/cli/verify/question.h"

typedef struct cli_round {
    uint64_t modulus;
    uint64_t seed; /* of x: cli_draw(seed, column, modulus) */
    uint64_t *x;   /* [n_columns] */
    uint64_t *y;   /* [n_lengths][n_rows] C x for each length */
} cli_round;

/* All zero at first. */
typedef struct cli_images {
    uint64_t n_rounds;
    cli_round *rounds;
} cli_images;

/* The rounds that pass a wrong answer with probability below 2^-80. */
uint64_t cli_images_needed(const cli_verify_question *question);

/* Draws moduli and seeds, and makes the images. At least n_rounds >= 1 of them. PC_ERR_MEMORY, PC_ERR_INTERNAL
 * when the system gives no random numbers; cli_images_free also after a failure, here and below. */
pc_status cli_images_make(const cli_verify_question *question, uint64_t n_rounds,
                          cli_images *images);

/* The same for rounds whose moduli and seeds are there. */
pc_status cli_images_fill(const cli_verify_question *question, cli_images *images);
void cli_images_free(cli_images *images);

#endif

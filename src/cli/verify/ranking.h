/* What a summary and --top say of a matrix: sums, the largest counts, how many are not 0.
 *
 * Each row is walked along the arcs, modulo as many random primes as its counts need. Garner's algorithm
 * makes the residues of a count its digits in the mixed radix of these primes, and numbers compare as their
 * digits do. So nothing has to be recombined. It takes about as long as the whole matrix does. */
#ifndef CLI_VERIFY_RANKING_H
#define CLI_VERIFY_RANKING_H

#include "src/cli/verify/walk.h"
#include "src/cli/verify/question.h"

typedef struct cli_ranking {
    const cli_verify_question *question;
    uint64_t n_primes;
    uint64_t *primes;         /* of residues: M alone */
    uint64_t *inverses;       /* [n_primes][n_primes] 1 / primes[j] modulo primes[i], j < i */
    uint64_t *total, *closed; /* residues of sums */
    uint64_t *scratch;        /* [2][n_primes] digits, while numbers are compared */
    uint64_t *largest;        /* digits of the largest count */
    uint64_t largest_row, largest_column; /* where it is first found */
    uint64_t *largest_row_sum;            /* digits */
    uint64_t most_from;                   /* the first row with that sum; 0 when every count is 0 */
    uint64_t n_nonzero;
    /* Counts that a result lists, the largest first. */
    uint64_t n_listed;
    uint64_t *listed_row, *listed_column, *listed; /* listed: [n_listed][n_primes] digits */
    uint64_t n_found;                              /* of them that are those of the graph */
    uint64_t n_greater,
        n_ranked; /* counts above the last listed one, and those that are not 0; of a symmetric
                                     matrix each pair once */
} cli_ranking;

/* Draws primes; room for n_listed counts. PC_ERR_MEMORY, PC_ERR_INTERNAL, PC_ERR_ARGUMENT for doubles.
 * cli_ranking_free also after a failure. */
pc_status cli_ranking_create(const cli_verify_question *question, uint64_t n_listed,
                             cli_ranking *ranking);
void cli_ranking_free(cli_ranking *ranking);

/* Digits of a number as text; false when the text is no number. */
bool cli_ranking_digits(const cli_ranking *ranking, const char *text, size_t length,
                        uint64_t *digits);

/* Compares digits: below 0, 0, above 0. */
int cli_ranking_compare(const cli_ranking *ranking, const uint64_t *a, const uint64_t *b);

/* Whether residues are those of a number as text, which of residues is below M. */
bool cli_ranking_equals(const cli_ranking *ranking, const uint64_t *residues, const char *text,
                        size_t length);

/* Whether a number is as wide as so many bits. */
bool cli_ranking_has_bits(const cli_ranking *ranking, const uint64_t *digits, uint64_t bits);

/* Receives a row: [n_columns][n_primes] digits. Any other status than PC_OK ends it. */
typedef pc_status (*cli_ranking_row_fn)(void *user, uint64_t row, uint64_t *digits);

/* Passes the rows of the matrix on. PC_ERR_MEMORY, or what take returned. */
pc_status cli_ranking_rows(cli_ranking *ranking, cli_ranking_row_fn take, void *user);

/* Fills in what is known of the matrix. PC_ERR_MEMORY. */
pc_status cli_ranking_fill(cli_ranking *ranking);

#endif

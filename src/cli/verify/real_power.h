/* Numbers that have an exponent each, so that none overflows or vanishes beside the others, and powers of a matrix
 * of them by squaring. */
#ifndef CLI_VERIFY_REAL_POWER_H
#define CLI_VERIFY_REAL_POWER_H

#include "src/cli/verify/real_walk.h"

/* value * 2^exponent */
typedef struct cli_number {
    long double value;
    int64_t exponent;
} cli_number;

/* Adds a number that is not negative. */
void cli_number_add(cli_number *to, cli_number more);

/* a / b; infinity where no long double is so large, and 0 where none is so small. */
long double cli_number_ratio(cli_number a, cli_number b);

/* power[n][n] of the matrix that a step multiplies by, or with is_sum the sum of the powers 1 to length. length is at
 * least 1. The caller free()s it; NULL: no memory. */
cli_number *cli_real_power(const cli_real_arcs *arcs, uint64_t length, bool is_sum);

/* True when squaring takes less time than so many walks, step by step, and not much memory. */
bool cli_real_power_pays(const cli_real_arcs *arcs, uint64_t length, uint64_t n_walks);

#endif

/* Numbers on logarithmic axes. */
#ifndef CLI_LOOK_TICKS_H
#define CLI_LOOK_TICKS_H

#include <stdbool.h>
#include <stddef.h>

static const double CLI_LOG10_OF_2 = 0.30102999566398119521;

enum { CLI_NUMBER_SIZE = 48, CLI_MAX_TICKS = 32 };

typedef struct cli_tick {
    double log10;
    char text[CLI_NUMBER_SIZE]; /* as cli_number_text */
} cli_tick;

/* "1234", "0.25", "1.2\u00d710^34" for 2^log2: what follows ^ is to be raised. An integer of less than
 * six digits is written in full. */
void cli_number_text(double log2, bool is_integral, char text[CLI_NUMBER_SIZE]);

/* At most most ticks (most < CLI_MAX_TICKS) from least to largest, both logarithms to base 10, in
 * ascending order: powers of ten, evenly spaced; 1, 2 and 5 times them where the axis is short. */
size_t cli_ticks(double least, double largest, size_t most, cli_tick *ticks);

#endif

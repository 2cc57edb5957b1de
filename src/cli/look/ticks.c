/* Powers of ten where there are enough, and what lies between them where not. */
#include "src/cli/look/ticks.h"

#include <math.h>
#include <stdio.h>

static const int LONGEST_DECADE = 5, SMALLEST_DECADE = -3; /* written without a power of ten */

void cli_number_text(double log2, bool is_integral, char text[CLI_NUMBER_SIZE])
{
    double log10 = log2 * CLI_LOG10_OF_2, decade = floor(log10);
    if (is_integral && log10 < LONGEST_DECADE) {
        snprintf(text, CLI_NUMBER_SIZE, "%.0f", round(exp2(log2)));
        return;
    }
    if (log10 < LONGEST_DECADE && decade >= SMALLEST_DECADE) {
        snprintf(text, CLI_NUMBER_SIZE, "%.3g", exp2(log2));
        if (log10 >= 3)
            snprintf(text, CLI_NUMBER_SIZE, "%.0f", exp2(log2));
        return;
    }
    double mantissa = round(10 * pow(10, log10 - decade)) / 10;
    if (mantissa >= 10) {
        mantissa = 1;
        decade++;
    }
    snprintf(text, CLI_NUMBER_SIZE, "%.1f\u00d710^%.0f", mantissa, decade);
}

/* A tick at digit times 10^decade. */
static cli_tick make(int digit, double decade)
{
    cli_tick tick = {.log10 = decade + log10(digit)};
    if (decade >= SMALLEST_DECADE && decade < LONGEST_DECADE - 1)
        snprintf(tick.text, sizeof tick.text, "%.*f", decade < 0 ? (int)-decade : 0,
                 digit * pow(10, decade));
    else if (digit == 1)
        snprintf(tick.text, sizeof tick.text, "10^%.0f", decade);
    else
        snprintf(tick.text, sizeof tick.text, "%d\u00d710^%.0f", digit, decade);
    return tick;
}

static const double SLACK = 1e-9; /* a tick on the end of the axis is on the axis */

static size_t fine_ticks(double least, double largest, size_t most, cli_tick *ticks)
{
    static const int digits[] = {1, 2, 5};
    size_t n = 0;
    for (double decade = floor(least); decade <= largest + SLACK && n < most; decade++)
        for (int d = 0; d < 3 && n < most; d++) {
            cli_tick tick = make(digits[d], decade);
            if (tick.log10 >= least - SLACK && tick.log10 <= largest + SLACK)
                ticks[n++] = tick;
        }
    return n;
}

size_t cli_ticks(double least, double largest, size_t most, cli_tick *ticks)
{
    double n_decades = largest - least, step = 1;
    if (3 * n_decades + 1 <= (double)most)
        return fine_ticks(least, largest, most, ticks);
    for (int i = 0; n_decades / step + 1 > (double)most; i++)
        step *= i % 3 == 1 ? 2.5 : 2; /* 1, 2, 5, 10, ... */
    size_t n = 0;
    for (double decade = ceil(least / step - SLACK) * step; decade <= largest + SLACK && n < most;
         decade += step)
        ticks[n++] = make(1, decade);
    return n;
}

/* Totals over length, colours and numbers, as the pictures in files and in the terminal show them.
 * The command and libpathcount_draw have a copy each. */
#include "src/cli/look/scene.h"

#include <math.h>
#include <stdlib.h>

/* ---- Growth ---------------------------------------------------------------------------------- */

/* Takes log2 of a total, from its two leading words. */
static pc_status take_total(void *user, uint64_t length, const pc_rows *rows)
{
    cli_growth *growth = user;
    uint32_t n = rows->n_limbs;
    if (rows->n_rows == 0 || length == 0 || length > growth->n)
        return PC_OK;
    double *to = &growth->log2[length - 1];
    if (n == 0) { /* -INFINITY of 0 */
        *to = log2(rows->values[0]) + (double)rows->exponent;
        return PC_OK;
    }
    while (n > 1 && rows->limbs[n - 1] == 0)
        n--;
    double below = n > 1 ? (double)rows->limbs[n - 2] * 0x1p-64 : 0;
    *to = log2((double)rows->limbs[n - 1] + below) + 64.0 * (n - 1);
    return PC_OK;
}

/* All totals come from one query: a vector goes through the graph once. They are counted exactly if
 * that reaches so far, else in doubles, which a picture cannot tell apart. */
pc_status cli_growth_find(pc_context *context, const pc_graph *graph, pc_path_kind paths,
                          uint64_t length, cli_growth *growth)
{
    *growth = (cli_growth){0};
    if (length > CLI_GROWTH_LENGTHS)
        return pc_context_fail(context, PC_ERR_RANGE, "too many lengths to draw them all");
    double *log2 = malloc((length + 1) * sizeof *log2);
    if (log2 == NULL)
        return pc_context_fail(context, PC_ERR_MEMORY, "no memory for the totals of all lengths");
    for (uint64_t i = 0; i < length; i++)
        log2[i] = -INFINITY;
    *growth = (cli_growth){.n = length, .log2 = log2};
    if (length == 0)
        return PC_OK;
    pc_query query = {.kind = PC_QUERY_TOTAL, .paths = paths, .length = length, .each = 1};
    pc_count_options options = {0};
    pc_status status = pc_query_run(context, graph, &query, &options, take_total, growth);
    if (status == PC_ERR_RANGE && paths == PC_PATHS_ALL) {
        options.arithmetic = PC_FLOAT;
        status = pc_query_run(context, graph, &query, &options, take_total, growth);
    }
    if (status != PC_OK)
        cli_growth_free(growth);
    return status;
}

void cli_growth_free(cli_growth *growth)
{
    free(growth->log2);
    *growth = (cli_growth){0};
}

/* ---- Colours --------------------------------------------------------------------------------- */

/* The colours are paths through OKLCh, a space in which equal steps look equal (Ottosson 2020):
 * lightness falls evenly from 0.93 to 0.24. Of the sea, hue turns from yellow over green to violet, and the
 * chroma of 0.13 dips on the way, as screens have no strong teal. These are their points, evenly
 * apart. */
enum { N_POINTS = 9 };
static const uint32_t scales[CLI_N_COLOURS][N_POINTS] = {
    [CLI_SEA] = {0xf5ed81, 0xb3dc83, 0x79c48f, 0x4fa894, 0x2e8b90, 0x086d89, 0x044e82, 0x202a72,
                 0x270154},
    [CLI_BLUE] = {0xd7eafe, 0xa6d0fd, 0x79b5f3, 0x509ae3, 0x2c7fcb, 0x1065ab, 0x044d86, 0x07365e,
                  0x00203e},
    [CLI_EMBER] = {0xfcea7f, 0xedc75f, 0xdda543, 0xc9852c, 0xb4651b, 0x9c4610, 0x83280c, 0x611414,
                   0x400311},
    [CLI_DUSK] = {0xfaea89, 0xd9ce88, 0xb9b286, 0x9a9682, 0x7c7c7c, 0x5a6373, 0x3b4b69, 0x1c335e,
                  0x001852},
    [CLI_GREY] = {0xe8e8e8, 0xcccccc, 0xb0b0b0, 0x959595, 0x7c7c7c, 0x636363, 0x4b4b4b, 0x343434,
                  0x1f1f1f}};

cli_colour cli_colour_of(cli_colours colours, double share)
{
    const int last = N_POINTS - 1;
    double at = fmin(fmax(share, 0), 1) * last;
    int i = at < last ? (int)at : last - 1;
    unsigned char part[3];
    for (int c = 0; c < 3; c++) {
        uint32_t from = scales[colours][i] >> 8 * c & 255,
                 to = scales[colours][i + 1] >> 8 * c & 255;
        part[c] = (unsigned char)lround(from + (at - i) * ((double)to - from));
    }
    return (cli_colour){part[2], part[1], part[0]};
}

/* ---- Numbers --------------------------------------------------------------------------------- */

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

size_t cli_ticks(double least, double largest, size_t most, cli_tick *ticks)
{
    static const int digits[] = {1, 2, 5};
    double n_decades = largest - least, step = 1;
    int n_digits = 3 * n_decades + 1 <= (double)most ? 3 : 1;
    for (int i = 0; n_decades / step + 1 > (double)most && n_digits == 1; i++)
        step *= i % 3 == 1 ? 2.5 : 2; /* 1, 2, 5, 10, ... */
    size_t n = 0;
    for (double decade = floor(least / step) * step; decade <= largest + SLACK && n < most;
         decade += step)
        for (int d = 0; d < n_digits && n < most; d++) {
            cli_tick tick = make(digits[d], decade);
            if (tick.log10 >= least - SLACK && tick.log10 <= largest + SLACK)
                ticks[n++] = tick;
        }
    return n;
}

uint64_t cli_nice_step(uint64_t n, uint64_t most)
{
    static const uint64_t digits[] = {1, 2, 5};
    for (uint64_t decade = 1; decade < UINT64_MAX / 50; decade *= 10)
        for (int d = 0; d < 3; d++)
            if (n / (digits[d] * decade) <= most)
                return digits[d] * decade;
    return n + 1;
}

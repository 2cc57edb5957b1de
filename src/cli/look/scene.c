/* Totals over length, colours and numbers, as the pictures in files and in the terminal show them.
 * The command and libpathcount_draw have a copy each. */
#include "src/cli/look/scene.h"

#include <math.h>
#include <stdlib.h>

/* ---- Growth ---------------------------------------------------------------------------------- */

/* Returns log2 of the first count of the rows, from its two leading words. */
static double log2_of_count(const pc_rows *rows)
{
    uint32_t n = rows->n_limbs;
    if (n == 0)
        return log2(rows->values[0]) + (double)rows->exponent; /* -INFINITY of 0 */
    while (n > 1 && rows->limbs[n - 1] == 0)
        n--;
    double below = n > 1 ? (double)rows->limbs[n - 2] * 0x1p-64 : 0;
    return log2((double)rows->limbs[n - 1] + below) + 64.0 * (n - 1);
}

static pc_status take_total(void *user, uint64_t length, const pc_rows *rows)
{
    cli_growth *growth = user;
    if (rows->n_rows == 0 || length == 0 || length > growth->n)
        return PC_OK;
    growth->log2[length - 1] = log2_of_count(rows);
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

/* The colours are a path through OKLCh, the cylinder of a space in which equal steps look equal
 * (Ottosson 2020), by formula: lightness falls evenly, hue turns from yellow over green to violet,
 * and the chroma dips on the way, as screens have no strong teal. */
#define CHROMA     0.13
#define CHROMA_DIP 0.045

#define LIGHTEST 0.93
#define DARKEST  0.24

#define FIRST_HUE 105.0 /* degrees: yellow */
#define LAST_HUE  295.0 /* violet */

typedef struct linear {
    double red, green, blue;
} linear;

/* OKLab to linear sRGB. */
static linear to_linear(double lightness, double a, double b)
{
    double l = lightness + 0.3963377774 * a + 0.2158037573 * b;
    double m = lightness - 0.1055613458 * a - 0.0638541728 * b;
    double s = lightness - 0.0894841775 * a - 1.2914855480 * b;
    l = l * l * l;
    m = m * m * m;
    s = s * s * s;
    return (linear){4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
                    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
                    -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

static bool can_be_shown(linear c)
{
    return c.red >= 0 && c.red <= 1 && c.green >= 0 && c.green <= 1 && c.blue >= 0 && c.blue <= 1;
}

static unsigned char encode(double value)
{
    value = value < 0 ? 0 : value > 1 ? 1 : value;
    value = value <= 0.0031308 ? 12.92 * value : 1.055 * pow(value, 1 / 2.4) - 0.055;
    return (unsigned char)lround(255 * value);
}

cli_colour cli_colour_of(double share)
{
    share = share > 0 ? share < 1 ? share : 1 : 0;
    double lightness = LIGHTEST + share * (DARKEST - LIGHTEST);
    double hue = (FIRST_HUE + share * (LAST_HUE - FIRST_HUE)) * (M_PI / 180);
    double least = 0, most = CHROMA - CHROMA_DIP * sin(M_PI * share) * sin(M_PI * share);
    for (int step = 0; step < 12; step++) { /* as much of it as the screen can show */
        double middle = (least + most) / 2;
        if (can_be_shown(to_linear(lightness, middle * cos(hue), middle * sin(hue))))
            least = middle;
        else
            most = middle;
    }
    linear c = to_linear(lightness, least * cos(hue), least * sin(hue));
    return (cli_colour){encode(c.red), encode(c.green), encode(c.blue)};
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

uint64_t cli_nice_step(uint64_t n, uint64_t most)
{
    static const uint64_t digits[] = {1, 2, 5};
    for (uint64_t decade = 1; decade < UINT64_MAX / 50; decade *= 10)
        for (int d = 0; d < 3; d++)
            if (n / (digits[d] * decade) <= most)
                return digits[d] * decade;
    return n + 1;
}

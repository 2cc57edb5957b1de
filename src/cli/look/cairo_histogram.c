/* How many counts are how large: bars over powers of two, as wide as there is room for, and one for
 * the zeros. */
#include "src/cli/look/cairo_axes.h"
#include "src/cli/look/cairo_draw.h"

#include <inttypes.h>
#include <math.h>

enum { LEAST_BARS = 8, MOST_BARS = 40 }; /* that there is room for */

/* A bar of height nothing must still be seen: the axis begins below 1. */
static const double LEAST = -0.3;

typedef struct chart {
    const cli_page *page;
    const pc_grid_values *heat;
    cli_axes axes;
    int64_t width;   /* bins that a bar holds */
    int64_t first;   /* multiple of width: where the first bar begins */
    uint64_t n_bars; /* without that of the zeros */
    uint64_t bars[MOST_BARS];
    double left; /* of the first bar: to its left are the zeros */
} chart;

static int64_t divide_down(int64_t a, int64_t b)
{
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

static void merge_bins(chart *c)
{
    const pc_grid_values *heat = c->heat;
    c->width = 1;
    if (heat->n_bins == 0)
        return;
    int64_t last = heat->first_bin + heat->n_bins - 1;
    while (divide_down(last, c->width) - divide_down(heat->first_bin, c->width) >= MOST_BARS)
        c->width *= 2;
    c->first = divide_down(heat->first_bin, c->width) * c->width;
    c->n_bars = (uint64_t)(divide_down(last, c->width) - c->first / c->width) + 1;
    for (uint32_t b = 0; b < heat->n_bins; b++)
        c->bars[divide_down(heat->first_bin + b, c->width) - c->first / c->width] += heat->bin[b];
}

static uint64_t tallest(const chart *c)
{
    uint64_t most = c->heat->n_zeros;
    for (uint64_t b = 0; b < c->n_bars; b++)
        most = c->bars[b] > most ? c->bars[b] : most;
    return most;
}

static void draw_bar(const chart *c, double left, double right, uint64_t n, cli_colour colour)
{
    const double size = 11;
    char text[CLI_NUMBER_SIZE];
    if (n == 0)
        return;
    double top = floor(cli_axes_y(&c->axes, log10((double)n)));
    cli_page_colour(c->page, colour);
    cli_page_fill(c->page, round(left), top, round(right) - round(left) - 1, c->axes.bottom - top);
    cli_number_text(log2((double)n), true, text);
    if (!c->page->has_words || cli_page_number_width(c->page, size, text) > right - left - 4)
        return;
    cli_page_colour(c->page, cli_faint);
    cli_page_number(c->page, (left + right) / 2, top - 10 * c->page->unit, CLI_CENTRE, size, text);
}

/* Powers of two from the first bar to the end of the axis across. */
static double range_of(const chart *c)
{
    uint64_t n = c->n_bars < LEAST_BARS ? LEAST_BARS : c->n_bars;
    return (double)((int64_t)n * c->width);
}

/* The place on the axis of a count that lies `beyond` powers of two after the first bar. Logarithms
 * themselves may be too large to tell bars apart. */
static double x_of(const chart *c, double beyond)
{
    return c->left + (c->axes.right - c->left) * beyond / range_of(c);
}

static void draw_bars(const chart *c)
{
    for (uint64_t b = 0; b < c->n_bars; b++) {
        double from = (double)((int64_t)b * c->width), to = from + (double)c->width;
        double share = c->n_bars < 2 ? 1 : (double)b / (double)(c->n_bars - 1);
        draw_bar(c, x_of(c, from), x_of(c, to), c->bars[b], cli_colour_of(share));
    }
}

/* Their frame is that of the zero box beside a heatmap. */
static void draw_zeros(const chart *c, double left, double right)
{
    if (c->heat->n_zeros > 0) {
        double top = floor(cli_axes_y(&c->axes, log10((double)c->heat->n_zeros)));
        draw_bar(c, left, right, c->heat->n_zeros, cli_white);
        cli_page_colour(c->page, cli_faint);
        cli_page_frame(c->page, round(left) + 1, top + 1, round(right) - round(left) - 3,
                       c->axes.bottom - top - 1);
    }
}

static void draw_sizes(const chart *c, double zeros)
{
    cli_tick ticks[CLI_MAX_TICKS];
    double first = (double)c->first, end = first + range_of(c);
    double after = cli_draw_below(&c->axes, zeros, 0, "0");
    size_t n =
        c->n_bars == 0 ? 0 : cli_ticks(first * CLI_LOG10_OF_2, end * CLI_LOG10_OF_2, 9, ticks);
    for (size_t i = 0; i < n; i++) {
        double x = x_of(c, ticks[i].log10 / CLI_LOG10_OF_2 - first);
        if (x <= c->axes.right + 1)
            after = cli_draw_below(&c->axes, x, after, ticks[i].text);
    }
}

void cli_draw_histogram(const cli_page *page, const cli_scene *scene)
{
    chart c = {.page = page, .heat = scene->heat};
    char about[256], across[128];
    merge_bins(&c);
    snprintf(about, sizeof about, "%s: how many are how large", scene->about);
    snprintf(across, sizeof across, "%s from one to the other (logarithmic%s)", scene->entry,
             c.width > 1 ? "" : ", a bar for each power of two");
    double top = cli_page_title(page, 0, scene->title, about);
    double most = ceil(log10((double)(tallest(&c) + 1)));
    c.axes = cli_axes_make(page, top, LEAST, most < 1 ? 1 : most, false);
    double zeros = (c.axes.right - c.axes.left) / 14;
    c.left = c.axes.left + 2 * zeros;
    cli_draw_axes(&c.axes, "pairs (logarithmic)", across);
    draw_bars(&c);
    draw_zeros(&c, c.axes.left + zeros / 3, c.axes.left + zeros * 4 / 3);
    draw_sizes(&c, c.axes.left + zeros * 5 / 6);
}

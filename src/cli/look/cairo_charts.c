/* The charts: the growth of a total over length, and the histogram of a matrix. A chart is a frame
 * without a box: lines across at the powers of ten, and numbers beside them. The way in from the
 * command is here too. */
#include "src/cli/look/cairo_page.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- The axes: the one upwards is logarithmic ------------------------------------------------ */

typedef struct axes {
    const cli_page *page;
    double left, top, right, bottom; /* edges of the chart */
    double least, most;              /* log10 at bottom - strip and at top */
    double strip;                    /* height of the part for zero, below all others */
    double label_size;               /* in small pictures the few numbers are large */
} axes;

/* The height of a number whose logarithm to base 10 this is; -INFINITY: zero. */
static double y_of(const axes *a, double log10)
{
    if (log10 == -INFINITY)
        return a->bottom;
    double height = a->bottom - a->strip - a->top;
    return a->top + height * (a->most - log10) / (a->most - a->least);
}

static void draw_level(const axes *a, double y, cli_colour colour, const char *number)
{
    cli_page_colour(a->page, colour);
    cli_page_line(a->page, a->left, floor(y) + 0.5, a->right, floor(y) + 0.5);
    cli_page_colour(a->page, cli_ink);
    if (number != NULL)
        cli_page_number(a->page, a->left - 10 * a->page->unit, y, CLI_RIGHT, a->label_size, number);
}

/* Makes room for a chart below a title; least and most in whole powers of ten, apart. Draws faint
 * lines and numbers of the axis upwards, and what the axes are. */
static axes draw_axes(const cli_page *page, double top, double least, double most, bool has_zero,
                      const char *upwards, const char *across)
{
    static const cli_colour grid = {0xe4, 0xe4, 0xe4};
    double u = page->unit;
    bool has_words = page->has_words;
    axes a = {.page = page,
              .left = has_words ? 100 * u : 150 * u,
              .top = has_words ? top + 28 * u : 40 * u,
              .right = page->side - (has_words ? 56 : 40) * u,
              .bottom = page->side - (has_words ? 84 : 90) * u,
              .least = least,
              .most = most,
              .strip = has_zero ? 36 * u : 0,
              .label_size = has_words ? 12.5 : 50};
    cli_tick ticks[CLI_MAX_TICKS];
    size_t n = cli_ticks(least, most, has_words ? 11 : 5, ticks);
    for (size_t i = 0; i < n; i++)
        draw_level(&a, y_of(&a, ticks[i].log10), grid, ticks[i].text);
    draw_level(&a, a.bottom, cli_line, a.strip > 0 ? "0" : NULL);
    if (!has_words)
        return a;
    cli_page_colour(page, cli_faint);
    cli_page_text(page, 32 * u, (a.top + a.bottom) / 2, CLI_UP_CENTRE, CLI_AXIS_NAME, 0, upwards);
    cli_page_text(page, (a.left + a.right) / 2, a.bottom + 52 * u, CLI_CENTRE, CLI_AXIS_NAME, 0,
                  across);
    return a;
}

/* Draws a number below the axis across, unless it would begin left of after. Returns where there is
 * room for the next. */
static double draw_below(const axes *a, double x, double after, const char *number)
{
    double u = a->page->unit, size = a->label_size;
    double half = cli_page_number_width(a->page, size, number) / 2;
    if (x - half < after)
        return after;
    cli_page_colour(a->page, cli_line);
    cli_page_line(a->page, floor(x) + 0.5, a->bottom + 1, floor(x) + 0.5, a->bottom + 6 * u);
    cli_page_colour(a->page, cli_ink);
    cli_page_number(a->page, x, a->bottom + 6.5 * u + size * u, CLI_CENTRE, size, number);
    return x + half + size * u / 2;
}

/* ---- Growth ---------------------------------------------------------------------------------- */

enum { MOST_DOTS = 60, MOST_STRETCHES = 800, MOST_LENGTHS = 12 };

/* Finds whole powers of ten around all totals; false: all are zero. */
static bool find_range(const cli_growth *growth, double *least, double *most, bool *has_zero)
{
    const double slack = 1e-9;
    bool found = false;
    *least = 0;
    *most = 1;
    *has_zero = false;
    for (uint64_t i = 0; i < growth->n; i++) {
        double log10 = growth->log2[i] * CLI_LOG10_OF_2;
        if (log10 == -INFINITY) {
            *has_zero = true;
            continue;
        }
        *least = !found || log10 < *least ? log10 : *least;
        *most = !found || log10 > *most ? log10 : *most;
        found = true;
    }
    *least = floor(*least + slack);
    *most = fmax(ceil(*most - slack), *least + 1);
    return found;
}

static double x_of_length(const axes *a, const cli_growth *growth, uint64_t i)
{
    double width = a->right - a->left, inset = 14 * a->page->unit;
    return growth->n < 2
               ? a->left + width / 2
               : a->left + inset + (width - 2 * inset) * (double)i / (double)(growth->n - 1);
}

/* Draws the line through the totals; a zero breaks it. If there are more lengths than pixels, each
 * stretch of them is drawn from its least to its largest. */
static void draw_curve(const axes *a, const cli_growth *growth)
{
    uint64_t stretch = growth->n / MOST_STRETCHES + 1;
    cairo_t *cairo = a->page->cairo;
    cairo_new_path(cairo);
    for (uint64_t i = 0; i < growth->n; i += stretch) {
        double least = INFINITY, most = -INFINITY, x = x_of_length(a, growth, i);
        for (uint64_t k = i; k < i + stretch && k < growth->n; k++) {
            least = fmin(least, growth->log2[k]);
            most = fmax(most, growth->log2[k]);
        }
        if (most == -INFINITY) {
            cairo_new_sub_path(cairo);
            continue;
        }
        cairo_line_to(cairo, x, y_of(a, least * CLI_LOG10_OF_2));
        cairo_line_to(cairo, x, y_of(a, most * CLI_LOG10_OF_2));
    }
    cairo_set_line_width(cairo, 1.8 * a->page->unit);
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
    cairo_stroke(cairo);
    cairo_set_line_width(cairo, fmax(1, a->page->unit));
}

/* Draws the line, a dot for each of a few totals, and the number of the last one beside it: above
 * the line, which rises nearly always. */
static void draw_growth(const cli_page *page, const cli_scene *scene)
{
    const cli_colour line = cli_colour_of(scene->colours, 0.8);
    const cli_growth *growth = scene->growth;
    char text[128];
    double least, most, after = 0, u = page->unit;
    bool has_zero, has_counts = find_range(growth, &least, &most, &has_zero);
    snprintf(text, sizeof text, "total %s of each length%s", scene->sum,
             has_counts ? "" : ": there are none");
    double top = cli_page_title(page, 0, scene->title, text);
    axes a = draw_axes(page, top, least, most, has_zero, "total paths (logarithmic)", "length");
    if (growth->n == 0)
        return;
    uint64_t step = cli_nice_step(growth->n, MOST_LENGTHS);
    for (uint64_t length = 1; length <= growth->n; length = length / step * step + step) {
        snprintf(text, sizeof text, "%" PRIu64, length);
        after = draw_below(&a, x_of_length(&a, growth, length - 1), after, text);
    }
    cli_page_colour(page, line);
    draw_curve(&a, growth);
    for (uint64_t i = 0; i < growth->n && growth->n <= MOST_DOTS; i++) {
        double y = y_of(&a, growth->log2[i] * CLI_LOG10_OF_2);
        cairo_arc(page->cairo, x_of_length(&a, growth, i), y, 4 * u, 0, 2 * M_PI);
        cli_page_colour(page, growth->log2[i] == -INFINITY ? cli_white : line);
        cairo_fill_preserve(page->cairo);
        cli_page_colour(page, line);
        cairo_stroke(page->cairo);
    }
    double last = growth->log2[growth->n - 1];
    if (last == -INFINITY || !page->has_words)
        return;
    cli_number_text(last, scene->is_integral, text);
    cli_page_colour(page, cli_ink);
    cli_page_number(page, x_of_length(&a, growth, growth->n - 1) + 6 * u,
                    y_of(&a, last * CLI_LOG10_OF_2) - 18 * u, CLI_RIGHT, 13, text);
}

/* ---- The histogram --------------------------------------------------------------------------- */

enum { LEAST_BARS = 8, MOST_BARS = 40 }; /* that there is room for */

/* Bars over powers of two, as wide as there is room for; to the left of the first one are the
 * zeros. */
typedef struct histogram {
    const pc_grid_values *heat;
    axes axes;
    int64_t width;   /* bins that a bar holds */
    int64_t first;   /* multiple of width: where the first bar begins */
    uint64_t n_bars; /* without that of the zeros */
    uint64_t bars[MOST_BARS];
    uint64_t tallest;
    double left;   /* of the first bar */
    double across; /* powers of two from there to the end of the axis across */
} histogram;

static int64_t divide_down(int64_t a, int64_t b)
{
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

static void merge_bins(histogram *h)
{
    const pc_grid_values *heat = h->heat;
    int64_t last = heat->first_bin + heat->n_bins - 1;
    h->width = 1;
    h->tallest = heat->n_zeros;
    if (heat->n_bins > 0) {
        while (divide_down(last, h->width) - divide_down(heat->first_bin, h->width) >= MOST_BARS)
            h->width *= 2;
        h->first = divide_down(heat->first_bin, h->width) * h->width;
        h->n_bars = (uint64_t)(divide_down(last, h->width) - h->first / h->width) + 1;
    }
    for (uint32_t b = 0; b < heat->n_bins; b++) {
        uint64_t *bar = &h->bars[divide_down(heat->first_bin + b, h->width) - h->first / h->width];
        *bar += heat->bin[b];
        h->tallest = *bar > h->tallest ? *bar : h->tallest;
    }
    uint64_t n_places = h->n_bars < LEAST_BARS ? LEAST_BARS : h->n_bars;
    h->across = (double)((int64_t)n_places * h->width);
}

/* The place on the axis of a count that lies `beyond` powers of two after the first bar. Logarithms
 * themselves may be too large to tell bars apart. */
static double x_beyond(const histogram *h, double beyond)
{
    return h->left + (h->axes.right - h->left) * beyond / h->across;
}

/* Draws a bar, and its number above it if there is room. Returns its top. */
static double draw_bar(const histogram *h, double left, double right, uint64_t n, cli_colour colour)
{
    const double size = 11;
    const cli_page *page = h->axes.page;
    char text[CLI_NUMBER_SIZE];
    double top = floor(y_of(&h->axes, log10((double)n)));
    if (n == 0)
        return top;
    cli_page_colour(page, colour);
    cli_page_fill(page, round(left), top, round(right) - round(left) - 1, h->axes.bottom - top);
    cli_number_text(log2((double)n), true, text);
    if (page->has_words && cli_page_number_width(page, size, text) <= right - left - 4) {
        cli_page_colour(page, cli_faint);
        cli_page_number(page, (left + right) / 2, top - 10 * page->unit, CLI_CENTRE, size, text);
    }
    return top;
}

/* Draws the bars, that of the zeros last. Its frame is that of the zero box beside a heatmap. */
static void draw_histogram(const cli_page *page, const cli_scene *scene)
{
    const double lowest = -0.3; /* a bar of height nothing must still be seen: it begins below 1 */
    histogram h = {.heat = scene->heat};
    char about[256], across[128];
    cli_tick ticks[CLI_MAX_TICKS];
    merge_bins(&h);
    snprintf(about, sizeof about, "%s: how many are how large; colours as in the heatmap",
             scene->about);
    snprintf(across, sizeof across, "%s from one to the other (logarithmic%s)", scene->entry,
             h.width > 1 ? "" : ", a bar for each power of two");
    double top = cli_page_title(page, 0, scene->title, about);
    double most = ceil(log10((double)(h.tallest + 1)));
    const axes *a = &h.axes;
    h.axes =
        draw_axes(page, top, lowest, most < 1 ? 1 : most, false, "pairs (logarithmic)", across);
    double zeros = (a->right - a->left) / 14;
    h.left = a->left + (scene->heat->n_zeros > 0 ? 2 : 0.5) * zeros;
    for (uint64_t b = 0; b < h.n_bars; b++) {
        double from = (double)((int64_t)b * h.width), to = from + (double)h.width;
        double share = h.n_bars < 2 ? 1 : (double)b / (double)(h.n_bars - 1);
        draw_bar(&h, x_beyond(&h, from), x_beyond(&h, to), h.bars[b],
                 cli_colour_of(scene->colours, share));
    }
    double left = a->left + zeros / 3, right = a->left + zeros * 4 / 3;
    top = draw_bar(&h, left, right, scene->heat->n_zeros, cli_white);
    if (scene->heat->n_zeros > 0) {
        cli_page_colour(page, cli_faint);
        cli_page_frame(page, round(left) + 1, top + 1, round(right) - round(left) - 3,
                       a->bottom - top - 1);
    }
    double first = (double)h.first, end = first + h.across;
    double after = 0;
    if (scene->heat->n_zeros > 0)
        after = draw_below(a, a->left + zeros * 5 / 6, 0, "0");
    size_t n =
        h.n_bars == 0 ? 0 : cli_ticks(first * CLI_LOG10_OF_2, end * CLI_LOG10_OF_2, 9, ticks);
    for (size_t i = 0; i < n; i++) {
        double x = x_beyond(&h, ticks[i].log10 / CLI_LOG10_OF_2 - first);
        if (x <= a->right + 1)
            after = draw_below(a, x, after, ticks[i].text);
    }
}

/* ---- The way in from the command ------------------------------------------------------------- */

static pc_status draw(const cli_scene *scene, cli_picture picture, const char *ending, FILE *stream)
{
    cli_page page;
    cli_page_open(&page, scene, ending, stream);
    if (picture == CLI_HEATMAP)
        cli_draw_heatmap(&page, scene);
    else if (picture == CLI_GROWTH)
        draw_growth(&page, scene);
    else
        draw_histogram(&page, scene);
    return cli_page_close(&page);
}

cli_scene_fn *pc_draw(const char *built_for)
{
    return strcmp(built_for, CLI_SCENE_BUILD) == 0 ? draw : NULL;
}

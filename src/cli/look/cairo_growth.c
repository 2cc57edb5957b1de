/* Total paths over length. Where there are more lengths than pixels, each stretch of them is drawn
 * from its least to its largest. */
#include "src/cli/look/cairo_axes.h"
#include "src/cli/look/cairo_draw.h"

#include <inttypes.h>
#include <math.h>

enum { MOST_DOTS = 60, MOST_STRETCHES = 800 };

typedef struct chart {
    const cli_page *page;
    const cli_growth *growth;
    cli_axes axes;
} chart;

/* Whole powers of ten around all totals; false: all are zero. */
static bool find_range(const cli_growth *growth, double *least, double *most, bool *has_zero)
{
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
    const double slack = 1e-9;
    *least = floor(*least + slack);
    *most = ceil(*most - slack);
    if (*most < *least + 1)
        *most = *least + 1;
    return found;
}

static double x_of(const chart *c, uint64_t i)
{
    double width = c->axes.right - c->axes.left, inset = 14 * c->page->unit;
    return c->growth->n < 2 ? c->axes.left + width / 2
                            : c->axes.left + inset +
                                  (width - 2 * inset) * (double)i / (double)(c->growth->n - 1);
}

static double y_of(const chart *c, double log2)
{
    return cli_axes_y(&c->axes, log2 * CLI_LOG10_OF_2);
}

/* A zero breaks the line. */
static void draw_line(const chart *c)
{
    const cli_growth *growth = c->growth;
    uint64_t stretch = growth->n / MOST_STRETCHES + 1;
    cairo_t *cairo = c->page->cairo;
    cairo_new_path(cairo);
    for (uint64_t i = 0; i < growth->n; i += stretch) {
        double least = INFINITY, most = -INFINITY;
        for (uint64_t k = i; k < i + stretch && k < growth->n; k++) {
            least = growth->log2[k] < least ? growth->log2[k] : least;
            most = growth->log2[k] > most ? growth->log2[k] : most;
        }
        if (most == -INFINITY) {
            cairo_new_sub_path(cairo);
            continue;
        }
        cairo_line_to(cairo, x_of(c, i), y_of(c, least));
        cairo_line_to(cairo, x_of(c, i), y_of(c, most));
    }
    cairo_set_line_width(cairo, 1.8 * c->page->unit);
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
    cairo_stroke(cairo);
    cairo_set_line_width(cairo, 1);
}

static void draw_dots(const chart *c, cli_colour colour)
{
    double radius = 4 * c->page->unit;
    for (uint64_t i = 0; i < c->growth->n && c->growth->n <= MOST_DOTS; i++) {
        cairo_arc(c->page->cairo, x_of(c, i), y_of(c, c->growth->log2[i]), radius, 0, 2 * M_PI);
        cli_page_colour(c->page, c->growth->log2[i] == -INFINITY ? cli_white : colour);
        cairo_fill_preserve(c->page->cairo);
        cli_page_colour(c->page, colour);
        cairo_stroke(c->page->cairo);
    }
}

static void draw_lengths(const chart *c)
{
    static const uint64_t digits[] = {1, 2, 5};
    uint64_t n = c->growth->n, step = 1;
    double after = 0;
    for (uint64_t decade = 1; n / step > 12; decade *= 10)
        for (int d = 0; d < 3 && n / step > 12; d++)
            step = digits[d] * decade;
    for (uint64_t length = 1; length <= n; length = length / step * step + step) {
        char text[CLI_NUMBER_SIZE];
        snprintf(text, sizeof text, "%" PRIu64, length);
        after = cli_draw_below(&c->axes, x_of(c, length - 1), after, text);
    }
}

/* The last total, beside its point: above the line, which rises nearly always. */
static void draw_last(const chart *c, const cli_scene *scene)
{
    double u = c->page->unit;
    double log2 = c->growth->log2[c->growth->n - 1];
    char text[CLI_NUMBER_SIZE];
    if (log2 == -INFINITY || !c->page->has_words)
        return;
    cli_number_text(log2, scene->is_integral, text);
    cli_page_colour(c->page, cli_ink);
    cli_page_number(c->page, x_of(c, c->growth->n - 1) + 6 * u, y_of(c, log2) - 18 * u, CLI_RIGHT,
                    13, text);
}

void cli_draw_growth(const cli_page *page, const cli_scene *scene)
{
    static const cli_colour line = {0x04, 0x3f, 0x85};
    chart c = {.page = page, .growth = scene->growth};
    char about[128];
    double least, most;
    bool has_zero;
    bool has_counts = find_range(c.growth, &least, &most, &has_zero);
    snprintf(about, sizeof about, "total %s of each length%s", scene->sum,
             has_counts ? "" : ": there are none");
    double top = cli_page_title(page, 0, scene->title, about);
    c.axes = cli_axes_make(page, top, least, most, has_zero);
    cli_draw_axes(&c.axes, "total paths (logarithmic)", "length");
    if (c.growth->n == 0)
        return;
    draw_lengths(&c);
    cli_page_colour(page, line);
    draw_line(&c);
    draw_dots(&c, line);
    draw_last(&c, scene);
}

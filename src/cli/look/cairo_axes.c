/* A chart is a frame without a box: lines across at the powers of ten, and numbers beside them. */
#include "src/cli/look/cairo_axes.h"

#include <math.h>

static const double LABEL = 12.5, NAME = 13.5;

/* In small pictures the few numbers are large. */
static double label_size(const cli_page *page)
{
    return page->has_words ? LABEL : 4 * LABEL;
}

cli_axes cli_axes_make(const cli_page *page, double top, double least, double most, bool has_zero)
{
    double u = page->unit;
    cli_axes axes = {.page = page,
                     .left = 100 * u,
                     .top = top + 28 * u,
                     .right = page->side - 56 * u,
                     .bottom = page->side - 84 * u,
                     .least = least,
                     .most = most,
                     .strip = has_zero ? 36 * u : 0};
    if (!page->has_words) {
        axes.left = 150 * u;
        axes.top = 40 * u;
        axes.right = page->side - 40 * u;
        axes.bottom = page->side - 90 * u;
    }
    return axes;
}

double cli_axes_y(const cli_axes *axes, double log10)
{
    if (log10 == -INFINITY)
        return axes->bottom;
    double height = axes->bottom - axes->strip - axes->top;
    return axes->top + height * (axes->most - log10) / (axes->most - axes->least);
}

static void draw_line(const cli_axes *axes, double y, cli_colour colour, const char *number)
{
    double u = axes->page->unit;
    cli_page_colour(axes->page, colour);
    cli_page_line(axes->page, axes->left, floor(y) + 0.5, axes->right, floor(y) + 0.5);
    cli_page_colour(axes->page, cli_ink);
    if (number != NULL)
        cli_page_number(axes->page, axes->left - 10 * u, y, CLI_RIGHT, label_size(axes->page),
                        number);
}

void cli_draw_axes(const cli_axes *axes, const char *upwards, const char *across)
{
    static const cli_colour grid = {0xe4, 0xe4, 0xe4};
    const cli_page *page = axes->page;
    double u = page->unit;
    cli_tick ticks[CLI_MAX_TICKS];
    size_t n = cli_ticks(axes->least, axes->most, page->has_words ? 11 : 5, ticks);
    for (size_t i = 0; i < n; i++)
        draw_line(axes, cli_axes_y(axes, ticks[i].log10), grid, ticks[i].text);
    draw_line(axes, axes->bottom, cli_line, axes->strip > 0 ? "0" : NULL);
    if (!page->has_words)
        return;
    cli_page_colour(page, cli_faint);
    cli_page_text_up(page, 32 * u, (axes->top + axes->bottom) / 2, CLI_CENTRE, NAME, 0, upwards);
    cli_page_text(page, (axes->left + axes->right) / 2, axes->bottom + 52 * u, CLI_CENTRE, NAME, 0,
                  across);
}

double cli_draw_below(const cli_axes *axes, double x, double after, const char *number)
{
    double u = axes->page->unit;
    double size = label_size(axes->page);
    double half = cli_page_number_width(axes->page, size, number) / 2;
    if (x - half < after)
        return after;
    cli_page_colour(axes->page, cli_line);
    cli_page_line(axes->page, floor(x) + 0.5, axes->bottom + 1, floor(x) + 0.5,
                  axes->bottom + 6 * u);
    cli_page_colour(axes->page, cli_ink);
    cli_page_number(axes->page, x, axes->bottom + 6.5 * u + size * u, CLI_CENTRE, size, number);
    return x + half + size * u / 2;
}

/* Colours by size: even in the logarithm, from the least count to the largest. */
#include "src/cli/look/cairo_scale.h"

#include <math.h>

void cli_scale_make(cli_scale *scale, const pc_grid_values *heat)
{
    scale->has_counts = heat->least <= heat->most;
    scale->least = scale->has_counts ? heat->least : 0;
    scale->most = scale->has_counts ? heat->most : 0;
    for (int i = 0; i < CLI_SCALE_COLOURS; i++)
        scale->colours[i] = cli_colour_of(i / (double)(CLI_SCALE_COLOURS - 1));
}

cli_colour cli_scale_colour(const cli_scale *scale, double log2)
{
    if (log2 == -INFINITY)
        return cli_white;
    double range = scale->most - scale->least;
    double share = range > 0 ? (log2 - scale->least) / range : 1;
    return scale->colours[(int)lround(share * (CLI_SCALE_COLOURS - 1))];
}

cli_colour cli_scale_ink(const cli_scale *scale, double log2)
{
    cli_colour c = cli_scale_colour(scale, log2);
    double light = 0.299 * c.red + 0.587 * c.green + 0.114 * c.blue;
    return light > 125 ? cli_ink : cli_white;
}

/* ---- The bar --------------------------------------------------------------------------------- */

static const double BAR = 20, LABEL = 12;

typedef struct bar {
    const cli_page *page;
    const cli_scale *scale;
    double x, y, height; /* of the coloured part */
} bar;

static void label(const bar *b, double y, const char *number)
{
    double u = b->page->unit, edge = b->x + BAR * u;
    cli_page_colour(b->page, cli_line);
    cli_page_line(b->page, edge + 1, floor(y) + 0.5, edge + 5 * u, floor(y) + 0.5);
    cli_page_colour(b->page, cli_ink);
    cli_page_number(b->page, edge + 9 * u, y, CLI_LEFT, LABEL, number);
}

static void draw_box(const bar *b, double y, cli_colour colour, const char *number)
{
    double u = b->page->unit, side = floor(BAR * u);
    cli_page_colour(b->page, colour);
    cli_page_fill(b->page, b->x, y, side, side);
    cli_page_colour(b->page, cli_line);
    cli_page_frame(b->page, b->x, y, side, side);
    label(b, y + side / 2, number);
}

static void draw_colours(const bar *b)
{
    cairo_t *cairo = b->page->cairo;
    cairo_pattern_t *colours = cairo_pattern_create_linear(0, b->y, 0, b->y + b->height);
    const int n_stops = 64;
    for (int i = 0; i <= n_stops; i++) {
        cli_colour c = cli_colour_of(1 - i / (double)n_stops);
        cairo_pattern_add_color_stop_rgb(colours, i / (double)n_stops, c.red / 255.0,
                                         c.green / 255.0, c.blue / 255.0);
    }
    cairo_set_source(cairo, colours);
    cli_page_fill(b->page, b->x, b->y, floor(BAR * b->page->unit), b->height);
    cairo_pattern_destroy(colours);
    cli_page_colour(b->page, cli_line);
    cli_page_frame(b->page, b->x, b->y, floor(BAR * b->page->unit), b->height);
}

/* Powers of ten, where they do not run into the numbers at the ends. */
static void draw_ticks(const bar *b)
{
    double u = b->page->unit, apart = 20 * u;
    double least = b->scale->least * CLI_LOG10_OF_2, most = b->scale->most * CLI_LOG10_OF_2;
    cli_tick ticks[CLI_MAX_TICKS];
    size_t most_ticks = b->height > 300 * u ? 9 : 4;
    size_t n = cli_ticks(least, most, most_ticks, ticks);
    for (size_t i = 0; i < n; i++) {
        double y = b->y + b->height * (most - ticks[i].log10) / (most - least);
        if (y - b->y >= apart && b->y + b->height - y >= apart)
            label(b, y, ticks[i].text);
    }
}

void cli_draw_scale(const cli_page *page, const cli_scale *scale, const cli_scene *scene, double x,
                    double y, double height)
{
    double u = page->unit, side = floor(BAR * u), gap = floor(14 * u);
    bar b = {page, scale, floor(x), y, height - side - gap};
    char text[CLI_NUMBER_SIZE];
    cli_page_colour(page, cli_faint);
    cli_page_text(page, b.x, y - 20 * u, CLI_LEFT, 13, 0, scene->entry);
    bool is_bar = scale->most > scale->least;
    draw_box(&b,
             is_bar              ? y + height - side
             : scale->has_counts ? y + side + gap
                                 : y,
             cli_white, "0");
    if (!scale->has_counts)
        return;
    cli_number_text(scale->most, scene->is_integral, text);
    if (!is_bar) {
        draw_box(&b, y, cli_scale_colour(scale, scale->most), text);
        return;
    }
    draw_colours(&b);
    label(&b, b.y, text);
    cli_number_text(scale->least, scene->is_integral, text);
    label(&b, b.y + b.height, text);
    draw_ticks(&b);
}

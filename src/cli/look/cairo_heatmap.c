/* The matrix: a square of cells, the labels of rows and columns, and the scale of colours: even in
 * the logarithm, from the least count to the largest. */
#include "src/cli/look/cairo_page.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum {
    N_COLOURS = 256,
    MOST_NAMED = 40,      /* rows or columns that each have a label */
    MOST_LABELS = 16,     /* of more rows or columns */
    MOST_RECTANGLES = 48, /* rows and columns drawn as shapes; more are an image in the file */
    LABEL_BYTES = 256
};

static const double LABEL = 12; /* size of text */

/* Whole pixels may cost that part of the room: then some cells are a pixel wider than others. */
static const double WHOLE_FROM = 0.8;

/* One side of the square. */
typedef struct side {
    const pc_labels *labels;
    uint64_t n;    /* rows or columns of the matrix */
    uint64_t span; /* of them those in a cell */
    uint64_t step; /* every step-th has a label */
    double widest; /* of the labels, in pixels */
} side;

typedef struct heatmap {
    const cli_page *page;
    const cli_scene *scene;
    const pc_grid_values *heat;
    bool has_counts;
    double least, most; /* log2 */
    cli_colour colours[N_COLOURS];
    side down, across;
    bool is_turned;       /* the labels of columns are read upwards */
    double left, top;     /* of the square of cells */
    double width, height; /* of it */
    double cell;          /* side of a cell: whole if it can be */
} heatmap;

/* The colour of a count with that log2; white of -INFINITY, zero. A single size of counts has the
 * last colour. */
static cli_colour colour_of(const heatmap *h, double log2)
{
    if (log2 == -INFINITY)
        return cli_white;
    double range = h->most - h->least, share = range > 0 ? (log2 - h->least) / range : 1;
    return h->colours[(int)lround(share * (N_COLOURS - 1))];
}

/* ---- Where everything is --------------------------------------------------------------------- */

/* Measures the labels that will be seen; none is wider than most. */
static side measure(const cli_page *page, const pc_labels *labels, uint64_t n, uint64_t span,
                    double most)
{
    side s = {.labels = labels, .n = n, .span = span, .step = 1};
    if (n > MOST_NAMED)
        s.step = cli_nice_step(n - 1, MOST_LABELS - 1);
    for (uint64_t i = 0; i < n; i += s.step) {
        char text[LABEL_BYTES];
        pc_labels_text(labels, i, text, sizeof text);
        s.widest = fmax(s.widest, cli_page_text_width(page, LABEL, most, text));
    }
    return s;
}

/* Cells are whole pixels, so that they are sharp, where that leaves enough of them. */
static void fit_cells(heatmap *h, double width, double height)
{
    uint32_t n_most = h->heat->n_down > h->heat->n_across ? h->heat->n_down : h->heat->n_across;
    double room = fmin(width, height);
    h->cell = n_most == 0 ? room : room / n_most;
    bool has_pixels = h->page->is_png || n_most <= MOST_RECTANGLES;
    if (has_pixels && h->cell >= 1 && floor(h->cell) > WHOLE_FROM * h->cell)
        h->cell = floor(h->cell);
    h->width = h->cell * (n_most == 0 ? 1 : h->heat->n_across);
    h->height = h->cell * (n_most == 0 ? 1 : h->heat->n_down);
}

static double turned_height(const heatmap *h)
{
    return h->is_turned ? h->across.widest : LABEL * h->page->unit;
}

/* Labels take what the cells leave, the title comes first. Returns where that begins. */
static double arrange(heatmap *h)
{
    const pc_grid_values *heat = h->heat;
    double u = h->page->unit, all = h->page->side;
    const double title = 76 * u, right = 124 * u, bottom = 28 * u, names = 48 * u;
    double most_down = fmin(150 * u, all - right - names - heat->n_across);
    double most_across = fmin(150 * u, all - title - bottom - names - heat->n_down);
    h->down = measure(h->page, h->scene->rows, heat->n_rows, heat->row_span, most_down);
    h->across =
        measure(h->page, h->scene->columns, heat->n_columns, heat->column_span, most_across);
    h->left = names + h->down.widest;
    fit_cells(h, all - right - h->left, all - title - bottom - names - LABEL * u);
    double apart = (double)h->across.step / (double)heat->column_span;
    h->is_turned = h->across.widest > h->cell * apart - 6 * u;
    h->top = title + names - 6 * u + turned_height(h);
    fit_cells(h, all - right - h->left, all - bottom - h->top);
    double spare_down = all - bottom - h->top - h->height;
    double spare_across = all - right - h->left - h->width;
    h->left = floor(h->left + spare_across / 2);
    h->top = floor(h->top + spare_down / 3);
    return spare_down / 3;
}

/* ---- Cells ----------------------------------------------------------------------------------- */

/* Draws many cells as an image. A broken image makes the page fail. */
static void draw_image(const heatmap *h)
{
    const pc_grid_values *heat = h->heat;
    cairo_t *cairo = h->page->cairo;
    cairo_surface_t *image =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)heat->n_across, (int)heat->n_down);
    bool is_whole = cairo_surface_status(image) == CAIRO_STATUS_SUCCESS;
    unsigned char *data = cairo_image_surface_get_data(image);
    size_t stride = (size_t)cairo_image_surface_get_stride(image);
    cairo_surface_flush(image);
    for (uint32_t i = 0; i < heat->n_down && is_whole; i++)
        for (uint32_t j = 0; j < heat->n_across; j++) {
            cli_colour c = colour_of(h, heat->log2[(size_t)i * heat->n_across + j]);
            uint32_t pixel = (uint32_t)c.red << 16 | (uint32_t)c.green << 8 | c.blue;
            memcpy(data + i * stride + 4 * (size_t)j, &pixel, sizeof pixel);
        }
    cairo_surface_mark_dirty(image);
    cairo_save(cairo);
    cairo_translate(cairo, h->left, h->top);
    cairo_scale(cairo, h->cell, h->cell);
    cairo_set_source_surface(cairo, image, 0, 0);
    cairo_pattern_set_filter(cairo_get_source(cairo), CAIRO_FILTER_NEAREST);
    cairo_rectangle(cairo, 0, 0, heat->n_across, heat->n_down);
    cairo_fill(cairo);
    cairo_restore(cairo);
    cairo_surface_destroy(image);
}

static void draw_cells(const heatmap *h)
{
    const pc_grid_values *heat = h->heat;
    bool is_small = heat->n_down <= MOST_RECTANGLES && heat->n_across <= MOST_RECTANGLES;
    for (uint32_t i = 0; i < heat->n_down && is_small; i++)
        for (uint32_t j = 0; j < heat->n_across; j++) {
            double value = heat->log2[(size_t)i * heat->n_across + j];
            if (value == -INFINITY)
                continue;
            cli_page_colour(h->page, colour_of(h, value));
            cli_page_fill(h->page, h->left + j * h->cell, h->top + i * h->cell, h->cell, h->cell);
        }
    if (!is_small)
        draw_image(h);
    cli_page_colour(h->page, cli_line);
    cli_page_frame(h->page, h->left, h->top, h->width, h->height);
}

/* Makes the text of a cell: the count itself, or rounded when that is shorter. */
static void text_of_cell(const heatmap *h, uint32_t e, char text[CLI_NUMBER_SIZE])
{
    const char *full = h->scene->texts[e];
    if (strlen(full) < 9)
        snprintf(text, CLI_NUMBER_SIZE, "%s", full);
    else
        cli_number_text(h->heat->log2[e], h->scene->is_integral, text);
}

/* Draws the counts in the cells of a small matrix, all of one size, if they can be read then. */
static void draw_texts(const heatmap *h)
{
    const pc_grid_values *heat = h->heat;
    uint32_t n = heat->n_down * heat->n_across;
    char text[CLI_NUMBER_SIZE];
    double widest = 1, u = h->page->unit, least = 9, largest = 26;
    for (uint32_t e = 0; e < n; e++) {
        text_of_cell(h, e, text);
        widest = fmax(widest, cli_page_number_width(h->page, 10, text));
    }
    double size = fmin(largest, fmin(10 * 0.8 * h->cell / widest, 0.4 * h->cell / u));
    for (uint32_t e = 0; e < n && size >= least; e++) {
        double x = h->left + (e % heat->n_across + 0.5) * h->cell;
        double y = h->top + (e / heat->n_across + 0.5) * h->cell;
        cli_colour c = colour_of(h, heat->log2[e]);
        double light = 0.299 * c.red + 0.587 * c.green + 0.114 * c.blue;
        text_of_cell(h, e, text);
        cli_page_colour(h->page, light > 125 ? cli_ink : cli_white);
        cli_page_number(h->page, x, y, CLI_CENTRE, size, text);
    }
}

/* ---- Labels ---------------------------------------------------------------------------------- */

/* Draws the labels of rows, or of columns. A line leads to each label when only some of them are
 * drawn. */
static void draw_labels(const heatmap *h, const side *s)
{
    const cli_page *page = h->page;
    bool is_across = s == &h->across;
    double u = page->unit, size = h->down.step == 1 ? fmin(0.85 * h->cell / u, LABEL) : LABEL;
    for (uint64_t i = 0; i < s->n; i += s->step) {
        char text[LABEL_BYTES];
        double middle = ((double)(i / s->span) + 0.5) * h->cell; /* of the cell */
        double x = is_across ? h->left + middle : h->left - 8 * u;
        double y = !is_across     ? h->top + middle
                   : h->is_turned ? h->top - 9 * u
                                  : h->top - 9 * u - size * u * 0.37;
        cli_anchor anchor = !is_across ? CLI_RIGHT : h->is_turned ? CLI_UP : CLI_CENTRE;
        pc_labels_text(s->labels, i, text, sizeof text);
        cli_page_colour(page, cli_ink);
        cli_page_text(page, x, y, anchor, size, s->widest + 1, text);
        cli_page_colour(page, cli_line);
        if (s->step > 1 && is_across)
            cli_page_line(page, floor(x) + 0.5, h->top - 5 * u, floor(x) + 0.5, h->top - 1);
        else if (s->step > 1)
            cli_page_line(page, h->left - 5 * u, floor(y) + 0.5, h->left - 1, floor(y) + 0.5);
    }
}

static void draw_names(const heatmap *h)
{
    double u = h->page->unit;
    double above = h->top - 9 * u - turned_height(h) - 16 * u;
    double before = h->left - 8 * u - h->down.widest - 16 * u;
    cli_page_colour(h->page, cli_faint);
    cli_page_text(h->page, h->left + h->width / 2, above, CLI_CENTRE, CLI_AXIS_NAME, 0, "to");
    cli_page_text(h->page, before, h->top + h->height / 2, CLI_UP_CENTRE, CLI_AXIS_NAME, 0, "from");
}

/* ---- The scale of colours -------------------------------------------------------------------- */

static const double BAR = 20; /* its width */

/* The coloured bar, and the box of zero below it. */
typedef struct bar {
    const heatmap *h;
    double x, y, height; /* of the coloured part */
} bar;

static void label_bar(const bar *b, double y, const char *number)
{
    const cli_page *page = b->h->page;
    double u = page->unit, edge = b->x + BAR * u;
    cli_page_colour(page, cli_line);
    cli_page_line(page, edge + 1, floor(y) + 0.5, edge + 5 * u, floor(y) + 0.5);
    cli_page_colour(page, cli_ink);
    cli_page_number(page, edge + 9 * u, y, CLI_LEFT, LABEL, number);
}

static void draw_box(const bar *b, double y, cli_colour colour, const char *number)
{
    const cli_page *page = b->h->page;
    double side = floor(BAR * page->unit);
    cli_page_colour(page, colour);
    cli_page_fill(page, b->x, y, side, side);
    cli_page_colour(page, cli_line);
    cli_page_frame(page, b->x, y, side, side);
    label_bar(b, y + side / 2, number);
}

static void draw_colours(const bar *b)
{
    enum { N_STOPS = 64 };
    const cli_page *page = b->h->page;
    cairo_pattern_t *colours = cairo_pattern_create_linear(0, b->y, 0, b->y + b->height);
    for (int i = 0; i <= N_STOPS; i++) {
        cli_colour c = cli_colour_of(1 - i / (double)N_STOPS);
        cairo_pattern_add_color_stop_rgb(colours, i / (double)N_STOPS, c.red / 255.0,
                                         c.green / 255.0, c.blue / 255.0);
    }
    cairo_set_source(page->cairo, colours);
    cli_page_fill(page, b->x, b->y, floor(BAR * page->unit), b->height);
    cairo_pattern_destroy(colours);
    cli_page_colour(page, cli_line);
    cli_page_frame(page, b->x, b->y, floor(BAR * page->unit), b->height);
}

/* Draws numbers beside the bar: at its ends, and powers of ten where they do not run into these. */
static void draw_numbers(const bar *b)
{
    const heatmap *h = b->h;
    double u = h->page->unit, apart = 20 * u;
    double least = h->least * CLI_LOG10_OF_2, most = h->most * CLI_LOG10_OF_2;
    char text[CLI_NUMBER_SIZE];
    cli_tick ticks[CLI_MAX_TICKS];
    cli_number_text(h->most, h->scene->is_integral, text);
    label_bar(b, b->y, text);
    cli_number_text(h->least, h->scene->is_integral, text);
    label_bar(b, b->y + b->height, text);
    size_t n = cli_ticks(least, most, b->height > 300 * u ? 9 : 4, ticks);
    for (size_t i = 0; i < n; i++) {
        double y = b->y + b->height * (most - ticks[i].log10) / (most - least);
        if (y - b->y >= apart && b->y + b->height - y >= apart)
            label_bar(b, y, ticks[i].text);
    }
}

/* Draws the scale beside the cells, as high as they are, with room for its numbers to the right. A
 * single size of counts has a box. */
static void draw_scale(const heatmap *h)
{
    double u = h->page->unit, side = floor(BAR * u), gap = floor(14 * u);
    bar b = {h, floor(h->left + h->width + 26 * u), h->top, h->height - side - gap};
    char text[CLI_NUMBER_SIZE];
    bool is_bar = h->most > h->least;
    cli_page_colour(h->page, cli_faint);
    cli_page_text(h->page, b.x, b.y - 20 * u, CLI_LEFT, 13, 0, h->scene->entry);
    draw_box(&b,
             is_bar          ? b.y + h->height - side
             : h->has_counts ? b.y + side + gap
                             : b.y,
             cli_white, "0");
    if (is_bar) {
        draw_colours(&b);
        draw_numbers(&b);
    } else if (h->has_counts) {
        cli_number_text(h->most, h->scene->is_integral, text);
        draw_box(&b, b.y, colour_of(h, h->most), text);
    }
}

/* ---- All of it ------------------------------------------------------------------------------- */

static void describe(const heatmap *h, char *about, size_t size)
{
    const pc_grid_values *heat = h->heat;
    const char *matrix = h->scene->about;
    if (heat->n_rows == 0 || heat->n_columns == 0)
        snprintf(about, size, "%s: there is nothing to count between", matrix);
    else if (heat->n_bins == 0)
        snprintf(about, size, "%s: all are 0", matrix);
    else if (heat->row_span > 1 || heat->column_span > 1)
        snprintf(about, size, "%s; each cell is the largest of %" PRIu64 " \u00d7 %" PRIu64, matrix,
                 (uint64_t)heat->row_span, (uint64_t)heat->column_span);
    else
        snprintf(about, size, "%s", matrix);
}

void cli_draw_heatmap(const cli_page *page, const cli_scene *scene)
{
    const pc_grid_values *heat = scene->heat;
    heatmap h = {
        .page = page, .scene = scene, .heat = heat, .has_counts = heat->least <= heat->most};
    char about[256];
    h.least = h.has_counts ? heat->least : 0;
    h.most = h.has_counts ? heat->most : 0;
    for (int i = 0; i < N_COLOURS; i++)
        h.colours[i] = cli_colour_of(i / (double)(N_COLOURS - 1));
    if (!page->has_words) {
        fit_cells(&h, page->side - 2, page->side - 2);
        h.left = floor((page->side - h.width) / 2);
        h.top = floor((page->side - h.height) / 2);
        draw_cells(&h);
        return;
    }
    describe(&h, about, sizeof about);
    cli_page_title(page, arrange(&h), scene->title, about);
    draw_cells(&h);
    if (scene->texts != NULL && heat->n_down > 0)
        draw_texts(&h);
    draw_labels(&h, &h.down);
    draw_labels(&h, &h.across);
    draw_names(&h);
    draw_scale(&h);
}

/* The matrix: a square of cells, what rows and columns are called, and the scale of colours. Cells
 * are whole pixels, so that they are sharp. */
#include "src/cli/look/cairo_draw.h"
#include "src/cli/look/cairo_scale.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_NAMED = 40,     /* rows or columns that each have a label */
    MOST_RECTANGLES = 48 /* rows and columns drawn as shapes; more are an image in the file */
};

static const double LABEL = 12, NAME = 13.5; /* sizes of text */

/* One side of the square. */
typedef struct side {
    const pc_labels *labels;
    uint64_t n;     /* rows or columns of the matrix */
    uint64_t span;  /* of them those in a cell */
    uint64_t step;  /* every step-th has a label */
    double widest;  /* of the labels, in pixels */
    bool is_turned; /* columns: the labels are read upwards */
} side;

typedef struct heatmap {
    const cli_page *page;
    const cli_scene *scene;
    const pc_grid_values *heat;
    cli_scale scale;
    side down, across;
    double left, top;     /* of the square of cells */
    double width, height; /* of it */
    double cell;          /* side of a cell: whole if it can be */
} heatmap;

/* ---- Labels ---------------------------------------------------------------------------------- */

/* 1, 2, 5, 10, ...: the first with at most most labels. */
static uint64_t nice_step(uint64_t n, uint64_t most)
{
    static const uint64_t digits[] = {1, 2, 5};
    for (uint64_t decade = 1; decade < UINT64_MAX / 50; decade *= 10)
        for (int d = 0; d < 3; d++)
            if ((n - 1) / (digits[d] * decade) < most)
                return digits[d] * decade;
    return n;
}

enum { LABEL_BYTES = 256 };

/* Measures the labels that will be seen; none is wider than most. */
static side measure(const cli_page *page, const pc_labels *labels, uint64_t n, uint64_t span,
                    double most)
{
    side s = {.labels = labels, .n = n, .span = span, .step = 1};
    if (n > MOST_NAMED)
        s.step = nice_step(n, 16);
    for (uint64_t i = 0; i < n; i += s.step) {
        char text[LABEL_BYTES];
        pc_labels_text(labels, i, text, sizeof text);
        double width = cli_page_text_width(page, LABEL, most, text);
        s.widest = width > s.widest ? width : s.widest;
    }
    return s;
}

/* The middle of the cell that row or column i is in, from the first cell's edge. */
static double middle(const side *s, uint64_t i, double cell)
{
    return ((double)(i / s->span) + 0.5) * cell;
}

static double label_size(const heatmap *h)
{
    double size = 0.85 * h->cell / h->page->unit;
    return h->down.step == 1 && size < LABEL ? size : LABEL;
}

static void draw_row_labels(const heatmap *h)
{
    const side *s = &h->down;
    double u = h->page->unit;
    for (uint64_t i = 0; i < s->n; i += s->step) {
        char text[LABEL_BYTES];
        double y = h->top + middle(s, i, h->cell);
        pc_labels_text(s->labels, i, text, sizeof text);
        cli_page_colour(h->page, cli_ink);
        cli_page_text(h->page, h->left - 8 * u, y, CLI_RIGHT, label_size(h), s->widest + 1, text);
        cli_page_colour(h->page, cli_line);
        if (s->step > 1)
            cli_page_line(h->page, h->left - 5 * u, floor(y) + 0.5, h->left - 1, floor(y) + 0.5);
    }
}

static void draw_column_labels(const heatmap *h)
{
    const side *s = &h->across;
    double u = h->page->unit, y = h->top - 9 * u, half = label_size(h) * u * 0.37;
    for (uint64_t i = 0; i < s->n; i += s->step) {
        char text[LABEL_BYTES];
        double x = h->left + middle(s, i, h->cell);
        pc_labels_text(s->labels, i, text, sizeof text);
        cli_page_colour(h->page, cli_ink);
        if (s->is_turned)
            cli_page_text_up(h->page, x, y, CLI_LEFT, label_size(h), s->widest + 1, text);
        else
            cli_page_text(h->page, x, y - half, CLI_CENTRE, label_size(h), s->widest + 1, text);
        cli_page_colour(h->page, cli_line);
        if (s->step > 1)
            cli_page_line(h->page, floor(x) + 0.5, h->top - 5 * u, floor(x) + 0.5, h->top - 1);
    }
}

static double turned_height(const heatmap *h)
{
    return h->across.is_turned ? h->across.widest : LABEL * h->page->unit;
}

static void draw_names(const heatmap *h)
{
    double u = h->page->unit;
    double above = h->top - 9 * u - turned_height(h) - 16 * u;
    double before = h->left - 8 * u - h->down.widest - 16 * u;
    cli_page_colour(h->page, cli_faint);
    cli_page_text(h->page, h->left + h->width / 2, above, CLI_CENTRE, NAME, 0, "to");
    cli_page_text_up(h->page, before, h->top + h->height / 2, CLI_CENTRE, NAME, 0, "from");
}

/* Whole pixels may cost that part of the room: then some cells are a pixel wider than others. */
static const double WHOLE_FROM = 0.8;

/* ---- Where everything is --------------------------------------------------------------------- */

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
    h->across.is_turned = h->across.widest > h->cell * apart - 6 * u;
    h->top = title + names - 6 * u + turned_height(h);
    fit_cells(h, all - right - h->left, all - bottom - h->top);
    double spare_down = all - bottom - h->top - h->height;
    double spare_across = all - right - h->left - h->width;
    h->left = floor(h->left + spare_across / 2);
    h->top = floor(h->top + spare_down / 3);
    return spare_down / 3;
}

static void arrange_wordless(heatmap *h)
{
    fit_cells(h, h->page->side - 2, h->page->side - 2);
    h->left = floor((h->page->side - h->width) / 2);
    h->top = floor((h->page->side - h->height) / 2);
}

/* ---- Cells ----------------------------------------------------------------------------------- */

static void draw_rectangles(const heatmap *h)
{
    const pc_grid_values *heat = h->heat;
    for (uint32_t i = 0; i < heat->n_down; i++)
        for (uint32_t j = 0; j < heat->n_across; j++) {
            double value = heat->log2[(size_t)i * heat->n_across + j];
            if (value == -INFINITY)
                continue;
            cli_page_colour(h->page, cli_scale_colour(&h->scale, value));
            cli_page_fill(h->page, h->left + j * h->cell, h->top + i * h->cell, h->cell, h->cell);
        }
}

static void fill_pixels(const heatmap *h, cairo_surface_t *image)
{
    const pc_grid_values *heat = h->heat;
    unsigned char *data = cairo_image_surface_get_data(image);
    size_t stride = (size_t)cairo_image_surface_get_stride(image);
    cairo_surface_flush(image);
    for (uint32_t i = 0; i < heat->n_down; i++)
        for (uint32_t j = 0; j < heat->n_across; j++) {
            cli_colour c = cli_scale_colour(&h->scale, heat->log2[(size_t)i * heat->n_across + j]);
            uint32_t pixel = (uint32_t)c.red << 16 | (uint32_t)c.green << 8 | c.blue;
            memcpy(data + i * stride + 4 * (size_t)j, &pixel, sizeof pixel);
        }
    cairo_surface_mark_dirty(image);
}

static void draw_image(const heatmap *h)
{
    cairo_t *cairo = h->page->cairo;
    cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)h->heat->n_across,
                                                        (int)h->heat->n_down);
    if (cairo_surface_status(image) == CAIRO_STATUS_SUCCESS)
        fill_pixels(h, image);
    cairo_save(cairo);
    cairo_translate(cairo, h->left, h->top);
    cairo_scale(cairo, h->cell, h->cell);
    cairo_set_source_surface(cairo, image, 0, 0); /* a broken image makes this fail, and the page */
    cairo_pattern_set_filter(cairo_get_source(cairo), CAIRO_FILTER_NEAREST);
    cairo_rectangle(cairo, 0, 0, h->heat->n_across, h->heat->n_down);
    cairo_fill(cairo);
    cairo_restore(cairo);
    cairo_surface_destroy(image);
}

/* ---- Counts in cells ------------------------------------------------------------------------- */

/* The count itself, or rounded when that is shorter. */
static void text_of_cell(const heatmap *h, uint32_t e, char text[CLI_NUMBER_SIZE])
{
    const char *full = h->scene->texts[e];
    if (strlen(full) < 9)
        snprintf(text, CLI_NUMBER_SIZE, "%s", full);
    else
        cli_number_text(h->heat->log2[e], h->scene->is_integral, text);
}

static void draw_texts(const heatmap *h)
{
    const pc_grid_values *heat = h->heat;
    uint32_t n = heat->n_down * heat->n_across;
    char text[CLI_NUMBER_SIZE];
    double widest = 1, u = h->page->unit, least = 9, largest = 26;
    for (uint32_t e = 0; e < n; e++) {
        text_of_cell(h, e, text);
        double width = cli_page_number_width(h->page, 10, text);
        widest = width > widest ? width : widest;
    }
    double size = fmin(largest, fmin(10 * 0.8 * h->cell / widest, 0.4 * h->cell / u));
    for (uint32_t e = 0; e < n && size >= least; e++) {
        double x = h->left + (e % heat->n_across + 0.5) * h->cell;
        double y = h->top + (e / heat->n_across + 0.5) * h->cell;
        text_of_cell(h, e, text);
        cli_page_colour(h->page, cli_scale_ink(&h->scale, heat->log2[e]));
        cli_page_number(h->page, x, y, CLI_CENTRE, size, text);
    }
}

/* ---- The picture ----------------------------------------------------------------------------- */

static void draw_cells(const heatmap *h)
{
    bool is_small = h->heat->n_down <= MOST_RECTANGLES && h->heat->n_across <= MOST_RECTANGLES;
    if (is_small)
        draw_rectangles(h);
    else
        draw_image(h);
    cli_page_colour(h->page, cli_line);
    cli_page_frame(h->page, h->left, h->top, h->width, h->height);
}

static void describe(const heatmap *h, char *about, size_t size)
{
    const pc_grid_values *heat = h->heat;
    uint64_t down = heat->row_span;
    uint64_t across = heat->column_span;
    const char *matrix = h->scene->about;
    if (heat->n_rows == 0 || heat->n_columns == 0)
        snprintf(about, size, "%s: there is nothing to count between", matrix);
    else if (heat->n_bins == 0)
        snprintf(about, size, "%s: all are 0", matrix);
    else if (down > 1 || across > 1)
        snprintf(about, size, "%s; each cell is the largest of %" PRIu64 " \u00d7 %" PRIu64, matrix,
                 down, across);
    else
        snprintf(about, size, "%s", matrix);
}

void cli_draw_heatmap(const cli_page *page, const cli_scene *scene)
{
    heatmap h = {.page = page, .scene = scene, .heat = scene->heat};
    char about[256];
    cli_scale_make(&h.scale, scene->heat);
    if (!page->has_words) {
        arrange_wordless(&h);
        draw_cells(&h);
        return;
    }
    describe(&h, about, sizeof about);
    cli_page_title(page, arrange(&h), scene->title, about);
    draw_cells(&h);
    if (scene->texts != NULL && scene->heat->n_down > 0)
        draw_texts(&h);
    draw_row_labels(&h);
    draw_column_labels(&h);
    draw_names(&h);
    cli_draw_scale(page, &h.scale, scene, h.left + h.width + 26 * page->unit, h.top, h.height);
}

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

static const double LABEL = 12, SCALE_NAME = 13; /* sizes of text */
static const double BESIDE = 26;                 /* from the cells to the scale */

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
    char scale_name[64];
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
    const double title = 76 * u, bottom = 28 * u, names = 48 * u;
    const double words = cli_page_text_width(h->page, SCALE_NAME, 0, h->scale_name);
    const double right = fmax(124 * u, BESIDE * u + words + 8 * u);
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

/* Few cells are drawn as shapes, many as an image in the file. A broken image makes the page
 * fail. */
static void draw_cells(const heatmap *h)
{
    const pc_grid_values *heat = h->heat;
    cairo_t *cairo = h->page->cairo;
    bool is_small = heat->n_down <= MOST_RECTANGLES && heat->n_across <= MOST_RECTANGLES;
    cairo_surface_t *image =
        is_small ? NULL
                 : cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)heat->n_across,
                                              (int)heat->n_down);
    bool is_whole = image != NULL && cairo_surface_status(image) == CAIRO_STATUS_SUCCESS;
    unsigned char *data = is_whole ? cairo_image_surface_get_data(image) : NULL;
    size_t stride = is_whole ? (size_t)cairo_image_surface_get_stride(image) : 0;
    for (uint32_t i = 0; i < heat->n_down; i++)
        for (uint32_t j = 0; j < heat->n_across; j++) {
            double value = heat->log2[(size_t)i * heat->n_across + j];
            cli_colour c = colour_of(h, value);
            uint32_t pixel = (uint32_t)c.red << 16 | (uint32_t)c.green << 8 | c.blue;
            if (is_whole) {
                memcpy(data + i * stride + 4 * (size_t)j, &pixel, sizeof pixel);
            } else if (is_small && value != -INFINITY) {
                cli_page_colour(h->page, c);
                cli_page_fill(h->page, h->left + j * h->cell, h->top + i * h->cell, h->cell,
                              h->cell);
            }
        }
    if (!is_small) {
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
    cli_page_colour(h->page, cli_line);
    cli_page_frame(h->page, h->left, h->top, h->width, h->height);
}

/* ---- Labels ---------------------------------------------------------------------------------- */

/* Draws the labels of rows, or of columns, and the name of that side. A line leads to each label
 * when only some of them are drawn. */
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
    cli_page_colour(page, cli_faint);
    if (is_across)
        cli_page_text(page, h->left + h->width / 2, h->top - 25 * u - turned_height(h), CLI_CENTRE,
                      CLI_AXIS_NAME, 0, "to");
    else
        cli_page_text(page, h->left - 24 * u - s->widest, h->top + h->height / 2, CLI_UP_CENTRE,
                      CLI_AXIS_NAME, 0, "from");
}

/* ---- The scale of colours -------------------------------------------------------------------- */

static const double BAR = 20; /* its width */

static void label_scale(const heatmap *h, double x, double y, const char *number)
{
    const cli_page *page = h->page;
    double u = page->unit, edge = x + BAR * u;
    cli_page_colour(page, cli_line);
    cli_page_line(page, edge + 1, floor(y) + 0.5, edge + 5 * u, floor(y) + 0.5);
    cli_page_colour(page, cli_ink);
    cli_page_number(page, edge + 9 * u, y, CLI_LEFT, LABEL, number);
}

static void draw_box(const heatmap *h, double x, double y, cli_colour colour, const char *number)
{
    double side = floor(BAR * h->page->unit);
    cli_page_colour(h->page, colour);
    cli_page_fill(h->page, x, y, side, side);
    cli_page_colour(h->page, cli_line);
    cli_page_frame(h->page, x, y, side, side);
    label_scale(h, x, y + side / 2, number);
}

/* Draws the coloured bar with numbers beside it: at its ends, and powers of ten where they do not
 * run into these. */
static void draw_bar(const heatmap *h, double x, double y, double height)
{
    enum { N_STOPS = 64 };
    const cli_page *page = h->page;
    double u = page->unit, apart = 20 * u, width = floor(BAR * u);
    double least = h->least * CLI_LOG10_OF_2, most = h->most * CLI_LOG10_OF_2;
    char text[CLI_NUMBER_SIZE];
    cli_tick ticks[CLI_MAX_TICKS];
    cairo_pattern_t *colours = cairo_pattern_create_linear(0, y, 0, y + height);
    for (int i = 0; i <= N_STOPS; i++) {
        cli_colour c = cli_colour_of(h->scene->colours, 1 - i / (double)N_STOPS);
        cairo_pattern_add_color_stop_rgb(colours, i / (double)N_STOPS, c.red / 255.0,
                                         c.green / 255.0, c.blue / 255.0);
    }
    cairo_set_source(page->cairo, colours);
    cli_page_fill(page, x, y, width, height);
    cairo_pattern_destroy(colours);
    cli_page_colour(page, cli_line);
    cli_page_frame(page, x, y, width, height);
    cli_number_text(h->most, h->scene->is_integral, text);
    label_scale(h, x, y, text);
    cli_number_text(h->least, h->scene->is_integral, text);
    label_scale(h, x, y + height, text);
    size_t n = cli_ticks(least, most, height > 300 * u ? 9 : 4, ticks);
    for (size_t i = 0; i < n; i++) {
        double down = height * (most - ticks[i].log10) / (most - least);
        if (down >= apart && height - down >= apart)
            label_scale(h, x, y + down, ticks[i].text);
    }
}

/* Draws the scale beside the cells, as high as they are, with room for its numbers to the right,
 * and the box of zero below it. A single size of counts has a box. */
static void draw_scale(const heatmap *h)
{
    double u = h->page->unit, side = floor(BAR * u), gap = floor(14 * u);
    double x = floor(h->left + h->width + BESIDE * u), y = h->top;
    char text[CLI_NUMBER_SIZE];
    cli_page_colour(h->page, cli_faint);
    cli_page_text(h->page, x, y - 20 * u, CLI_LEFT, SCALE_NAME, 0, h->scale_name);
    if (h->most > h->least) {
        draw_box(h, x, y + h->height - side, cli_white, "0");
        draw_bar(h, x, y, h->height - side - gap);
    } else if (h->has_counts) {
        draw_box(h, x, y + side + gap, cli_white, "0");
        cli_number_text(h->most, h->scene->is_integral, text);
        draw_box(h, x, y, colour_of(h, h->most), text);
    } else {
        draw_box(h, x, y, cli_white, "0");
    }
}

/* ---- All of it ------------------------------------------------------------------------------- */

void cli_draw_heatmap(const cli_page *page, const cli_scene *scene)
{
    const pc_grid_values *heat = scene->heat;
    heatmap h = {
        .page = page, .scene = scene, .heat = heat, .has_counts = heat->least <= heat->most};
    char about[256], more[96] = "";
    h.least = h.has_counts ? heat->least : 0;
    h.most = h.has_counts ? heat->most : 0;
    snprintf(h.scale_name, sizeof h.scale_name, "%s%s", scene->entry,
             h.most > h.least ? ", log scale" : "");
    for (int i = 0; i < N_COLOURS; i++)
        h.colours[i] = cli_colour_of(scene->colours, i / (double)(N_COLOURS - 1));
    if (!page->has_words) {
        fit_cells(&h, page->side - 2, page->side - 2);
        h.left = floor((page->side - h.width) / 2);
        h.top = floor((page->side - h.height) / 2);
        draw_cells(&h);
        return;
    }
    if (heat->row_span > 1 || heat->column_span > 1)
        snprintf(more, sizeof more, "; each cell is the largest of %" PRIu64 " \u00d7 %" PRIu64,
                 heat->row_span, heat->column_span);
    snprintf(about, sizeof about, "%s%s", scene->about,
             heat->n_rows == 0 || heat->n_columns == 0 ? ": there is nothing to count between"
             : heat->n_bins == 0                       ? ": all are 0"
                                                       : more);
    cli_page_title(page, arrange(&h), scene->title, about);
    draw_cells(&h);
    draw_labels(&h, &h.down);
    draw_labels(&h, &h.across);
    draw_scale(&h);
}

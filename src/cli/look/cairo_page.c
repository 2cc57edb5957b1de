/* The surface by the ending of the file, and the few kinds of marks that all pictures are made
 * of. */
#include "src/cli/look/cairo_page.h"

#include "src/cli/process.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <math.h>
#include <string.h>

const cli_colour cli_ink = {0x22, 0x22, 0x22}, cli_faint = {0x60, 0x60, 0x60},
                 cli_line = {0xb0, 0xb0, 0xb0}, cli_white = {0xff, 0xff, 0xff};

static cairo_status_t write_bytes(void *closure, const unsigned char *bytes, unsigned n_bytes)
{
    FILE *stream = closure;
    return fwrite(bytes, 1, n_bytes, stream) == n_bytes ? CAIRO_STATUS_SUCCESS
                                                        : CAIRO_STATUS_WRITE_ERROR;
}

void cli_page_open(cli_page *page, const cli_scene *scene, const char *ending, FILE *stream)
{
    *page = (cli_page){.side = scene->size,
                       .unit = (double)scene->size / CLI_SCENE_SIDE,
                       .has_words = scene->size >= CLI_SCENE_WORDLESS,
                       .stream = stream,
                       .is_png = strcmp(ending, ".png") == 0};
    int side = (int)scene->size;
    if (page->is_png)
        page->surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, side, side);
    else if (strcmp(ending, ".svg") == 0)
        page->surface = cairo_svg_surface_create_for_stream(write_bytes, stream, side, side);
    else
        page->surface = cairo_pdf_surface_create_for_stream(write_bytes, stream, side, side);
    page->cairo = cairo_create(page->surface);
    cli_page_colour(page, cli_white);
    cairo_paint(page->cairo);
    cairo_select_font_face(page->cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_line_width(page->cairo, fmax(1, page->unit));
}

pc_status cli_page_close(cli_page *page)
{
    cairo_status_t status = cairo_status(page->cairo);
    cairo_destroy(page->cairo);
    if (status == CAIRO_STATUS_SUCCESS && page->is_png) {
        status = cairo_surface_write_to_png_stream(page->surface, write_bytes, page->stream);
    } else {
        cairo_surface_finish(page->surface);
        status = status == CAIRO_STATUS_SUCCESS ? cairo_surface_status(page->surface) : status;
    }
    cairo_surface_destroy(page->surface);
    return status == CAIRO_STATUS_SUCCESS ? PC_OK : PC_ERR_MEMORY;
}

void cli_page_colour(const cli_page *page, cli_colour colour)
{
    cairo_set_source_rgb(page->cairo, colour.red / 255.0, colour.green / 255.0,
                         colour.blue / 255.0);
}

/* ---- Words ----------------------------------------------------------------------------------- */

enum { TEXT_SIZE = 256 };

static double advance(const cli_page *page, const char *text)
{
    cairo_text_extents_t extents;
    cairo_text_extents(page->cairo, text, &extents);
    return extents.x_advance;
}

static bool is_inside_character(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

/* Makes the text as it is drawn, in the size that is set, as UTF-8 that can be shown: its beginning and end, as much as
 * fits. Returns its width. */
static double fit(const cli_page *page, const char *text, double most, char shown[TEXT_SIZE])
{
    static const char ellipsis[] = "\xe2\x80\xa6";
    size_t n = 0;
    while (*text != '\0' && n + 4 < TEXT_SIZE) {
        uint32_t code;
        size_t bytes = cli_decode(text, strlen(text), &code);
        bool is_broken = bytes == 1 && code >= 0x80, is_surrogate = code >= 0xd800 && code < 0xe000;
        bool is_control = code < ' ' || cli_controls_terminal(code);
        bool is_shown = !is_broken && !is_surrogate && !is_control && code <= 0x10ffff;
        memcpy(shown + n, is_shown ? text : "?", is_shown ? bytes : 1);
        n += is_shown ? bytes : 1;
        text += is_shown ? bytes : 1;
    }
    shown[n] = '\0';
    double width = advance(page, shown);
    char whole[TEXT_SIZE];
    strcpy(whole, shown);
    size_t head = n / 2, tail = head; /* the text is cut from head to tail */
    while (is_inside_character(whole[head]))
        head = tail = head - 1;
    while (most > 0 && width > most && (head > 0 || tail < n)) {
        if (head >= n - tail) {
            do
                head--;
            while (is_inside_character(whole[head]));
        } else {
            do
                tail++;
            while (is_inside_character(whole[tail]));
        }
        snprintf(shown, TEXT_SIZE, "%.*s%s%s", (int)head, whole, ellipsis, whole + tail);
        width = advance(page, shown);
    }
    return width;
}

static double start_of(cli_anchor anchor, double width)
{
    return anchor == CLI_LEFT || anchor == CLI_UP ? 0 : anchor == CLI_RIGHT ? -width : -width / 2;
}

/* Digits and capitals are that high, in sizes of the font. */
static const double CAPITAL = 0.73;

void cli_page_text(const cli_page *page, double x, double y, cli_anchor anchor, double size,
                   double most, const char *text)
{
    char shown[TEXT_SIZE];
    cairo_save(page->cairo);
    cairo_translate(page->cairo, x, y);
    cairo_rotate(page->cairo, anchor >= CLI_UP ? -M_PI / 2 : 0);
    cairo_set_font_size(page->cairo, size * page->unit);
    double width = fit(page, text, most, shown);
    cairo_move_to(page->cairo, start_of(anchor, width), size * page->unit * CAPITAL / 2);
    cairo_show_text(page->cairo, shown);
    cairo_restore(page->cairo);
}

double cli_page_text_width(const cli_page *page, double size, double most, const char *text)
{
    char shown[TEXT_SIZE];
    cairo_set_font_size(page->cairo, size * page->unit);
    return fit(page, text, most, shown);
}

static const double RAISED_SIZE = 0.72, RAISED_BY = 0.4;

/* Draws the number from x on if it is to be drawn; returns its width. */
static double number_at(const cli_page *page, double x, double y, double size, const char *number,
                        bool is_drawn)
{
    char before[64];
    const char *raised = strchr(number, '^');
    size_t n = raised != NULL ? (size_t)(raised - number) : strlen(number);
    n = n < sizeof before ? n : sizeof before - 1;
    memcpy(before, number, n);
    before[n] = '\0';
    double points = size * page->unit, baseline = y + points * CAPITAL / 2;
    cairo_set_font_size(page->cairo, points);
    double width = advance(page, before);
    if (is_drawn) {
        cairo_move_to(page->cairo, x, baseline);
        cairo_show_text(page->cairo, before);
    }
    if (raised == NULL)
        return width;
    cairo_set_font_size(page->cairo, points * RAISED_SIZE);
    if (is_drawn) {
        cairo_move_to(page->cairo, x + width, baseline - points * RAISED_BY);
        cairo_show_text(page->cairo, raised + 1);
    }
    return width + advance(page, raised + 1);
}

double cli_page_number_width(const cli_page *page, double size, const char *number)
{
    return number_at(page, 0, 0, size, number, false);
}

void cli_page_number(const cli_page *page, double x, double y, cli_anchor anchor, double size,
                     const char *number)
{
    double width = cli_page_number_width(page, size, number);
    number_at(page, x + start_of(anchor, width), y, size, number, true);
}

double cli_page_title(const cli_page *page, double y, const char *title, const char *about)
{
    double u = page->unit, most = page->side - 48 * u;
    if (!page->has_words)
        return 0;
    cli_page_colour(page, cli_ink);
    cli_page_text(page, 24 * u, y + 34 * u, CLI_LEFT, 21, most, title);
    cli_page_colour(page, cli_faint);
    cli_page_text(page, 24 * u, y + 60 * u, CLI_LEFT, 13.5, most, about);
    return y + 72 * u;
}

/* ---- Lines ----------------------------------------------------------------------------------- */

void cli_page_fill(const cli_page *page, double x, double y, double width, double height)
{
    cairo_rectangle(page->cairo, x, y, width, height);
    cairo_fill(page->cairo);
}

void cli_page_frame(const cli_page *page, double x, double y, double width, double height)
{
    cairo_rectangle(page->cairo, x - 0.5, y - 0.5, width + 1, height + 1);
    cairo_stroke(page->cairo);
}

void cli_page_line(const cli_page *page, double x1, double y1, double x2, double y2)
{
    cairo_move_to(page->cairo, x1, y1);
    cairo_line_to(page->cairo, x2, y2);
    cairo_stroke(page->cairo);
}

/* A page to draw on, and the few kinds of marks that all pictures are made of. */
#ifndef CLI_LOOK_CAIRO_PAGE_H
#define CLI_LOOK_CAIRO_PAGE_H

#include "src/cli/look/scene.h"

#include <cairo.h>

typedef struct cli_page {
    cairo_t *cairo;
    cairo_surface_t *surface;
    double side; /* pixels, or points of .pdf */
    double unit; /* side / 800: what lengths are multiples of */
    bool has_words;
    FILE *stream;
    bool is_png;
} cli_page;

/* Makes a white page, always to be closed. */
void cli_page_open(cli_page *page, const cli_scene *scene, const char *ending, FILE *stream);

/* Writes the page. PC_ERR_MEMORY. */
pc_status cli_page_close(cli_page *page);

void cli_page_colour(const cli_page *page, cli_colour colour);
extern const cli_colour cli_ink, cli_faint, cli_line, cli_white;

/* The part of a text that is at its point: CLI_UP is CLI_LEFT of a text that is read upwards,
 * CLI_UP_CENTRE its middle. */
typedef enum cli_anchor { CLI_LEFT, CLI_CENTRE, CLI_RIGHT, CLI_UP, CLI_UP_CENTRE } cli_anchor;

/* Draws text of size units, y in the middle of its height. Characters that cannot be shown (control
 * characters, broken UTF-8) become question marks. A text that is wider than most pixels is cut;
 * most 0: it never is. */
void cli_page_text(const cli_page *page, double x, double y, cli_anchor anchor, double size,
                   double most, const char *text);

/* Pixels that the text takes, at most most. */
double cli_page_text_width(const cli_page *page, double size, double most, const char *text);

/* Draws a number made by cli_number_text. Its exponent, after ^, is raised. */
void cli_page_number(const cli_page *page, double x, double y, cli_anchor anchor, double size,
                     const char *number);
double cli_page_number_width(const cli_page *page, double size, const char *number);

/* A rectangle, filled; its frame is one pixel wide and lies outside. */
void cli_page_fill(const cli_page *page, double x, double y, double width, double height);
void cli_page_frame(const cli_page *page, double x, double y, double width, double height);
void cli_page_line(const cli_page *page, double x1, double y1, double x2, double y2);

/* Draws the title and a line below it; returns where there is room below. */
double cli_page_title(const cli_page *page, double y, const char *title, const char *about);

static const double CLI_AXIS_NAME = 13.5; /* size of the words that say what an axis is */

/* Draws the matrix of a scene. */
void cli_draw_heatmap(const cli_page *page, const cli_scene *scene);

#endif

/* The frame of a chart, with a logarithmic axis upwards. */
#ifndef CLI_LOOK_CAIRO_AXES_H
#define CLI_LOOK_CAIRO_AXES_H

#include "src/cli/look/cairo_page.h"
#include "src/cli/look/ticks.h"

typedef struct cli_axes {
    const cli_page *page;
    double left, top, right, bottom; /* of what is drawn */
    double least, most;              /* log10 at bottom - strip and at top */
    double strip;                    /* height of the part for zero, below all others */
} cli_axes;

/* Room for a chart below a title; least and most in whole powers of ten, apart. */
cli_axes cli_axes_make(const cli_page *page, double top, double least, double most, bool has_zero);

/* Height of a number whose logarithm to base 10 this is; -INFINITY: zero. */
double cli_axes_y(const cli_axes *axes, double log10);

/* Faint lines and numbers of the axis upwards, and what the axes are. */
void cli_draw_axes(const cli_axes *axes, const char *upwards, const char *across);

/* A number below the axis across, unless it would begin left of after. Returns where there is room for
 * the next. */
double cli_draw_below(const cli_axes *axes, double x, double after, const char *number);

#endif

/* Which colour a count has, and the bar that says so. */
#ifndef CLI_LOOK_CAIRO_SCALE_H
#define CLI_LOOK_CAIRO_SCALE_H

#include "src/cli/look/cairo_page.h"
#include "src/cli/look/ticks.h"

enum { CLI_SCALE_COLOURS = 256 };

typedef struct cli_scale {
    bool has_counts;
    double least, most; /* log2 */
    cli_colour colours[CLI_SCALE_COLOURS];
} cli_scale;

void cli_scale_make(cli_scale *scale, const pc_grid_values *heat);

/* Of a count with that log2; white of -INFINITY, zero. A single size of counts has the last colour. */
cli_colour cli_scale_colour(const cli_scale *scale, double log2);

/* What can be read on it. */
cli_colour cli_scale_ink(const cli_scale *scale, double log2);

/* From x, y down to height below, with room for its numbers to the right. */
void cli_draw_scale(const cli_page *page, const cli_scale *scale, const cli_scene *scene, double x,
                    double y, double height);

#endif

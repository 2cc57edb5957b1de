/* The pictures, each on a page of its own. */
#ifndef CLI_LOOK_CAIRO_DRAW_H
#define CLI_LOOK_CAIRO_DRAW_H

#include "src/cli/look/cairo_page.h"

void cli_draw_heatmap(const cli_page *page, const cli_scene *scene);
void cli_draw_growth(const cli_page *page, const cli_scene *scene);
void cli_draw_histogram(const cli_page *page, const cli_scene *scene);

#endif

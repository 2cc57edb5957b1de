/* A count in the terminal: a small heatmap and a sparkline. */
#ifndef CLI_LOOK_SHOW_H
#define CLI_LOOK_SHOW_H

#include "src/cli/look/growth.h"

#include <stdbool.h>
#include <stdio.h>

/* Cells a side that cli_show can take in, for pc_grid_create. */
enum { CLI_SHOW_CELLS = 64 };

/* Either may be NULL. Colours and half blocks when out is a terminal that has them (UTF-8, NO_COLOR
 * is not set, TERM is not dumb), ASCII otherwise. */
void cli_show(FILE *out, const pc_grid_values *heat, const cli_growth *growth);

#endif

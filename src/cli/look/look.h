/* Pictures of a count: --plot and --show. */
#ifndef CLI_LOOK_H
#define CLI_LOOK_H

#include "pathcount.h"

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>

typedef enum cli_picture {
    CLI_HEATMAP,  /* log2 of the counts, as a matrix */
    CLI_GROWTH,   /* total paths over length */
    CLI_HISTOGRAM /* how many counts are how large */
} cli_picture;

typedef struct cli_plot {
    cli_picture picture;
    const char *path; /* ends in .png, .svg or .pdf */
} cli_plot;

enum { CLI_MAX_PLOTS = 16 };

typedef struct cli_look_options {
    cli_plot plots[CLI_MAX_PLOTS];
    size_t n_plots;
    bool show;
    unsigned size; /* pixels (points in .pdf) of the longer side; 0: 800 */
} cli_look_options;

/* --plot and --show; its input is a cli_look_options, all zero at first. */
extern const struct argp cli_look_argp;

/* What there is to be seen of a matrix, gathered while its rows go by. All zero: nothing is wanted,
 * and the functions do nothing. */
typedef struct cli_look cli_look;

/* NULL in *look when options want nothing. frame is that of the matrix; title stands above
 * pictures ("karate.txt, paths of length 8"). */
pc_status cli_look_create(pc_context *context, const cli_look_options *options,
                          const pc_frame *frame, const char *title, cli_look **look);
void cli_look_free(cli_look *look);

/* Rows as they are shown; accepts NULL. */
pc_status cli_look_add(cli_look *look, const pc_rows *rows);

/* Draws the pictures and prints what --show asks for; accepts NULL. Growth is asked of graph, paths
 * and length as given. Each picture appears under its name whole or not at all. */
pc_status cli_look_finish(cli_look *look, pc_context *context, const pc_graph *graph,
                          pc_path_kind paths, uint64_t length);

#endif

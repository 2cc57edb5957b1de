/* Pictures of a count: --plot and --show. */
#ifndef CLI_LOOK_H
#define CLI_LOOK_H

#include "src/cli/options.h"

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
    unsigned size; /* pixels (points in .pdf) of a side; 0: 800. Below 400 without words */
    int colours;   /* a cli_colours of scene.h */
} cli_look_options;

struct cli_count_options;
struct cli_progress;

/* --plot and --show; their structure is cli_look_options, all zero at first. */
extern const cli_option cli_look_rows[];

/* Makes the checks that need all options. */
void cli_look_options_check(const struct argp_state *state,
                            const struct cli_count_options *options);

/* Returns whether this build can draw, and the library that draws can be opened. */
bool cli_look_can_draw(void);

/* Gathers the data of pictures while the rows of a matrix go by. */
typedef struct cli_look cli_look;

/* NULL in *look when options want nothing. frame is that of the matrix, its labels are used until
 * the look is freed; NULL: there is none, and only growth can be drawn. title ("karate.txt") and
 * about ("numbers of paths of length 8") stand above pictures. The files are made here, under names
 * of their own, so signals must wait. */
pc_status cli_look_create(pc_context *context, const cli_look_options *options,
                          const pc_frame *frame, const char *title, const char *about,
                          cli_look **look);
void cli_look_free(cli_look *look);

/* Puts at most CLI_LOOK_REDUCTIONS there, to which the rows of the matrix are to be added as they
 * are shown, and returns how many they are; accepts NULL. */
enum { CLI_LOOK_REDUCTIONS = 2 };
uint32_t cli_look_reductions(const cli_look *look, pc_reduction **reductions);

/* Draws the pictures and prints what --show asks for; accepts NULL. Growth is asked of graph, paths
 * and length as given. Each picture appears under its name whole or not at all. */
pc_status cli_look_finish(cli_look *look, const pc_graph *graph, pc_path_kind paths,
                          uint64_t length, struct cli_progress *progress);

#endif

/* All that a picture shows: totals over length, colours, numbers on axes; and who draws it, a
 * library of its own, libpathcount_draw. */
#ifndef CLI_LOOK_SCENE_H
#define CLI_LOOK_SCENE_H

#include "src/cli/look/look.h"

/* ---- Growth: total paths over length --------------------------------------------------------- */

enum { CLI_GROWTH_LENGTHS = 1000000 }; /* at most */

typedef struct cli_growth {
    uint64_t n;   /* lengths 1..n */
    double *log2; /* [n] of the total of length i + 1; -INFINITY: there is no path */
} cli_growth;

/* PC_ERR_RANGE when there are too many lengths, PC_ERR_MEMORY; what pc_query_run returns. */
pc_status cli_growth_find(pc_context *context, const pc_graph *graph, pc_path_kind paths,
                          uint64_t length, cli_growth *growth);
void cli_growth_free(cli_growth *growth);

/* ---- Colours --------------------------------------------------------------------------------- */

/* One scale of colours is for all pictures: lightness falls evenly from the smallest count to the
 * largest, so that it reads in grey and with any colour vision; zero is white. CLI_DUSK goes from
 * yellow to blue, the two hues that most people with another vision tell apart. */
typedef enum cli_colours {
    CLI_SEA,
    CLI_BLUE,
    CLI_EMBER,
    CLI_DUSK,
    CLI_GREY,
    CLI_N_COLOURS
} cli_colours;

typedef struct cli_colour {
    unsigned char red, green, blue; /* sRGB */
} cli_colour;

/* The colour of a share 0..1 of the way from the smallest to the largest. */
cli_colour cli_colour_of(cli_colours colours, double share);

/* ---- Numbers on logarithmic axes ------------------------------------------------------------- */

static const double CLI_LOG10_OF_2 = 0.30102999566398119521;

enum { CLI_NUMBER_SIZE = 48, CLI_MAX_TICKS = 32 };

typedef struct cli_tick {
    double log10;
    char text[CLI_NUMBER_SIZE]; /* as cli_number_text */
} cli_tick;

/* "1234", "0.25", "1.2\u00d710^34" for 2^log2: the exponent after ^ is to be raised. An integer of
 * less than six digits is written in full. */
void cli_number_text(double log2, bool is_integral, char text[CLI_NUMBER_SIZE]);

/* Makes at most most ticks (most < CLI_MAX_TICKS) from least to largest, both logarithms to base
 * 10, in ascending order: powers of ten, evenly spaced; 1, 2 and 5 times them where the axis is
 * short. */
size_t cli_ticks(double least, double largest, size_t most, cli_tick *ticks);

/* The first of 1, 2, 5, 10, ... that divides n into at most most steps. */
uint64_t cli_nice_step(uint64_t n, uint64_t most);

/* ---- The terminal ---------------------------------------------------------------------------- */

/* Cells a side that the terminal has room for, for pc_grid_create. */
uint32_t cli_show_cells(void);

/* Prints a small heatmap, and a digit for each length; either may be NULL. */
void cli_show(const pc_grid_values *heat, bool is_integral, const cli_growth *growth);

/* ---- Scenes ---------------------------------------------------------------------------------- */

enum {
    CLI_SCENE_SIDE = 800,    /* pixels, unless options say otherwise */
    CLI_SCENE_WORDLESS = 400 /* smaller pictures have no room for words */
};

typedef struct cli_scene {
    const char *title;
    const char *about; /* a line about the matrix */
    const pc_labels *rows, *columns;
    const pc_grid_values *heat; /* of heatmap and histogram */
    const cli_growth *growth;   /* of growth */
    const char *entry, *sum;    /* what a count is, what totals are: "paths", "probability" */
    bool is_integral;           /* counts are integers */
    unsigned size;              /* of a side */
    cli_colours colours;
} cli_scene;

/* Draws to stream, in the format that ending names: ".png", ".svg" or ".pdf". PC_ERR_MEMORY, also
 * when the stream takes no more. */
typedef pc_status cli_scene_fn(const cli_scene *scene, cli_picture picture, const char *ending,
                               FILE *stream);

/* The one symbol of that library: the function that draws scenes; NULL for the command of another
 * build, whose scenes may be other ones. The number grows with each change of cli_scene or of the
 * structures it points to. */
cli_scene_fn *pc_draw(const char *built_for);
#define CLI_SCENE_BUILD PC_VERSION " scene 5"

#endif

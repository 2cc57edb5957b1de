/* All that a picture shows, and who draws it: a library of its own, libpathcount_draw. */
#ifndef CLI_LOOK_SCENE_H
#define CLI_LOOK_SCENE_H

#include "src/cli/look/growth.h"
#include "src/cli/look/look.h"

enum {
    CLI_SCENE_SIDE = 800,     /* pixels, unless options say otherwise */
    CLI_SCENE_WORDLESS = 400, /* smaller pictures have no room for words */
    CLI_SCENE_TEXTS = 10      /* rows and columns of a matrix whose counts are written into cells */
};

typedef struct cli_scene {
    const char *title;
    const char *about; /* a line about the matrix */
    const pc_labels *rows, *columns;
    const pc_grid_values *heat; /* of heatmap and histogram */
    const cli_growth *growth;   /* of growth */
    char *const *texts;         /* [rows * columns] counts as decimal text; NULL: too many */
    const char *entry, *sum;    /* what a count is, what totals are: "paths", "probability" */
    bool is_integral;           /* counts are integers */
    unsigned size;              /* of a side */
} cli_scene;

/* Draws to stream, in the format that ending names: ".png", ".svg" or ".pdf". PC_ERR_MEMORY, also when
 * the stream takes no more. */
typedef pc_status cli_scene_fn(const cli_scene *scene, cli_picture picture, const char *ending,
                               FILE *stream);

/* The one symbol of that library: what draws scenes; NULL for the command of another build, whose scenes
 * may be other ones. The number grows with each change of cli_scene and what it points to. */
cli_scene_fn *pc_draw(const char *built_for);
#define CLI_SCENE_BUILD PC_VERSION " scene 3"

#endif

/* libpathcount_draw, opened when a picture is to be drawn. Only the files cairo_*.c use cairo, and
 * they are in that library. Its single symbol gives the function that draws a scene (scene.h) to a
 * command of the same build. */
#ifndef CLI_LOOK_DRAW_MODULE_H
#define CLI_LOOK_DRAW_MODULE_H

#include "src/cli/look/scene.h"

/* What draws scenes; NULL when this build has nothing that does, or it cannot be opened: context, which
 * may be NULL, says why. The status is PC_ERR_ENGINE then. */
cli_scene_fn *cli_draw_find(pc_context *context);

#endif

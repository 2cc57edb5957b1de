/* libpathcount_draw, opened when a picture is to be drawn. Only the files cairo_*.c use cairo, and
 * they are in that library. Its single symbol gives the function that draws a scene (scene.h) to a
 * command of the same build. */
#ifndef CLI_LOOK_DRAW_MODULE_H
#define CLI_LOOK_DRAW_MODULE_H

#include "src/cli/look/scene.h"

/* The function that draws scenes. NULL when this build has none, or when it cannot be opened; the
 * message of context, which may be NULL, then says why, and the status is PC_ERR_ENGINE. */
cli_scene_fn *cli_draw_find(pc_context *context);

#endif

/* libpathcount_draw, opened when something is to be drawn. */
#ifndef CLI_LOOK_DRAW_MODULE_H
#define CLI_LOOK_DRAW_MODULE_H

#include "src/cli/look/scene.h"

/* What draws scenes; NULL when this build has nothing that does, or it cannot be opened: context, which
 * may be NULL, says why. The status is PC_ERR_ENGINE then. */
cli_scene_fn *cli_draw_find(pc_context *context);

#endif

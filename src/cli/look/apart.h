/* Drawing in a process of its own. */
#ifndef CLI_LOOK_APART_H
#define CLI_LOOK_APART_H

#include "pathcount_io.h"
#include "src/cli/look/scene.h"

/* Draws and writes the picture to the file. PC_ERR_MEMORY (no message is set), also when the process
 * that draws does not end as it should; PC_ERR_NO_INPUT (no message either) when that process cannot be heard; PC_ERR_IO, with
 * the message of pc_output_write. */
pc_status cli_draw_apart(cli_scene_fn *draw, const cli_scene *scene, cli_picture picture,
                         const char *ending, pc_output *file);

#endif

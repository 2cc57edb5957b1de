/* Which picture is drawn by what, and the way in from the command. */
#include "src/cli/look/cairo_draw.h"

#include <string.h>

static pc_status draw(const cli_scene *scene, cli_picture picture, const char *ending, FILE *stream)
{
    cli_page page;
    cli_page_open(&page, scene, ending, stream);
    switch (picture) {
    case CLI_HEATMAP:
        cli_draw_heatmap(&page, scene);
        break;
    case CLI_GROWTH:
        cli_draw_growth(&page, scene);
        break;
    case CLI_HISTOGRAM:
        cli_draw_histogram(&page, scene);
        break;
    }
    return cli_page_close(&page);
}

cli_scene_fn *pc_draw(const char *built_for)
{
    return strcmp(built_for, CLI_SCENE_BUILD) == 0 ? draw : NULL;
}

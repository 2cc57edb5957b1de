/* The drawing library must be of the same version, because scenes are not part of the public
 * interface. */
#include "src/cli/look/draw_module.h"

#include "src/cli/modules.h"

#ifdef __SANITIZE_ADDRESS__
/* Memory that the font library keeps until the end is not a leak of this program. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_options(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libfontconfig\n";
}
const char *__lsan_default_options(void)
{
    return "print_suppressions=0";
}
#endif

#ifdef PATHCOUNT_WITH_CAIRO
cli_scene_fn *cli_draw_find(pc_context *context)
{
    static const char file[] = "libpathcount_draw.so";
    __typeof__(&pc_draw) open = cli_module_function(context, file, "draws", "pc_draw");
    cli_scene_fn *draw = open != NULL ? open(CLI_SCENE_BUILD) : NULL;
    if (open != NULL && draw == NULL && context != NULL)
        pc_context_fail(context, PC_ERR_ENGINE,
                        "libpathcount_draw.so is of another build of pathcount than this "
                        "(" PC_VERSION "); install both together");
    return draw;
}
#else
cli_scene_fn *cli_draw_find(pc_context *context)
{
    if (context != NULL)
        pc_context_fail(context, PC_ERR_ENGINE,
                        "cannot draw: this pathcount was built without cairo; build it "
                        "where libcairo2-dev is installed, or leave out --plot (--show "
                        "works)");
    return NULL;
}
#endif

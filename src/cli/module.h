/* Parts of pathcount in libraries of their own, libpathcount_igraph and libpathcount_draw, opened
 * when they are needed. igraph and cairo load some thirty further libraries. Linking these at
 * every start took three times as long as all the rest of a small count. A part is looked for
 * beside libpathcount.so, then where the dynamic linker looks. `batch` opens the parts once,
 * before it forks workers. */
#ifndef CLI_MODULE_H
#define CLI_MODULE_H

#include "pathcount.h"

/* The function of that name in the library file, which stays open. It is looked for beside libpathcount,
 * then where the dynamic linker looks. NULL when it cannot be had: context, which may be NULL, has the
 * message; task is what the part does, "uses igraph". The status is PC_ERR_ENGINE then. */
void *cli_module_function(pc_context *context, const char *file, const char *task,
                          const char *function);

#endif

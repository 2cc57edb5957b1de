/* Parts of pathcount in libraries of their own, opened when wanted: what they need in turn takes the
 * dynamic linker longer than a small count takes. */
#ifndef CLI_MODULE_H
#define CLI_MODULE_H

#include "pathcount.h"

/* The function of that name in the library file, which stays open. It is looked for beside libpathcount,
 * then where the dynamic linker looks. NULL when it cannot be had: context, which may be NULL, has the
 * message; task is what the part does, "uses igraph". The status is PC_ERR_ENGINE then. */
void *cli_module_function(pc_context *context, const char *file, const char *task,
                          const char *function);

#endif

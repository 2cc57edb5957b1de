/* Two parts of pathcount are libraries of their own, libpathcount_igraph and libpathcount_draw.
 * They are opened when they are needed. igraph and cairo load some thirty further libraries.
 * Linking these at every start took three times as long as all the rest of a small count. `batch`
 * opens them once, before it forks workers. */
#ifndef CLI_MODULE_H
#define CLI_MODULE_H

#include "pathcount.h"

/* Finds a function in a library file, which stays open. The file is looked for beside
 * libpathcount.so, then where the dynamic linker looks. Returns NULL when that fails; then
 * context, which may be NULL, has the message of a PC_ERR_ENGINE. task says in the message what
 * the library does: "uses igraph". */
void *cli_module_function(pc_context *context, const char *file, const char *task,
                          const char *function);

#endif

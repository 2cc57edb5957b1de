/* Opens a library of pathcount. The dynamic linker knows the libraries that are open, so no handle
 * is kept here. */
#define _GNU_SOURCE /* dladdr */
#include "src/cli/module.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, SENTENCE_BYTES = 2 * PATH_BYTES };

/* All libraries of pathcount are installed in one folder. When the file is not there, path is its
 * name alone, and the dynamic linker searches for it. */
static void find_file(const char *file, char path[PATH_BYTES])
{
    Dl_info own;
    const char *slash =
        dladdr((void *)pc_context_create, &own) ? strrchr(own.dli_fname, '/') : NULL;
    if (slash != NULL) {
        int folder = (int)(slash - own.dli_fname);
        int length = snprintf(path, PATH_BYTES, "%.*s/%s", folder, own.dli_fname, file);
        if (length < PATH_BYTES && access(path, F_OK) == 0)
            return;
    }
    snprintf(path, PATH_BYTES, "%s", file);
}

static void *fail(pc_context *context, const char *task)
{
    char sentence[SENTENCE_BYTES];
    const char *reason = dlerror();
    snprintf(sentence, sizeof sentence,
             "the part of pathcount that %s cannot be opened: %s; it belongs in the folder of "
             "libpathcount.so, install both together",
             task, reason != NULL ? reason : "no reason given");
    if (context != NULL)
        pc_context_fail(context, PC_ERR_ENGINE, sentence);
    return NULL;
}

void *cli_module_function(pc_context *context, const char *file, const char *task,
                          const char *function)
{
    char path[PATH_BYTES];
    find_file(file, path);
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *found = object != NULL ? dlsym(object, function) : NULL;
    return found != NULL ? found : fail(context, task);
}

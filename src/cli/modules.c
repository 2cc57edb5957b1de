/* Opens libpathcount_igraph and libpathcount_draw, and hides GPUs that are not needed. */
#define _GNU_SOURCE /* dladdr */
#include "src/cli/load.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Opening a library ----------------------------------------------------------------------- */

/* Opens a library of pathcount. The dynamic linker knows the libraries that are open, so no handle
 * is kept here. */

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

void *cli_module_function(pc_context *context, const char *file, const char *task,
                          const char *function)
{
    char path[PATH_BYTES], sentence[SENTENCE_BYTES];
    find_file(file, path);
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *found = object != NULL ? dlsym(object, function) : NULL;
    if (found != NULL || context == NULL)
        return found;
    const char *reason = dlerror();
    snprintf(sentence, sizeof sentence,
             "the part of pathcount that %s cannot be opened: %s; it belongs in the folder of "
             "libpathcount.so, install both together",
             task, reason != NULL ? reason : "no reason given");
    pc_context_fail(context, PC_ERR_ENGINE, sentence);
    return NULL;
}

/* ---- Calls of libpathcount_igraph ------------------------------------------------------------ */

#define TEXT_OF(number) #number
#define TEXT(number)    TEXT_OF(number)
#define IGRAPH_FILE     "libpathcount_igraph.so." TEXT(PATHCOUNT_SOVERSION)

#ifdef PATHCOUNT_WITH_IGRAPH
#include "io/igraph/pathcount_igraph.h"

/* The calls below have the types of those that they make. */
#define HAVE_ONE_TYPE(one, other)                                                                  \
    _Static_assert(__builtin_types_compatible_p(__typeof__(one), __typeof__(other)), #other)
HAVE_ONE_TYPE(pc_igraph_communities, cli_igraph_communities);
HAVE_ONE_TYPE(pc_igraph_famous, cli_igraph_famous);
#endif

/* The function of libpathcount_igraph of that name; NULL, and a message, when there is none.
 * needs begins the message of a build without igraph. */
static void *find_function(pc_context *context, const char *needs, const char *function)
{
#ifdef PATHCOUNT_WITH_IGRAPH
    (void)needs;
    return cli_module_function(context, IGRAPH_FILE, "uses igraph", function);
#else
    char sentence[512];
    (void)function;
    snprintf(sentence, sizeof sentence, "%s igraph, and this build is without it", needs);
    pc_context_fail(context, PC_ERR_ENGINE, sentence);
    return NULL;
#endif
}

pc_status cli_igraph_communities(pc_context *context, const pc_graph *graph, const char *method,
                                 uint64_t seed, double resolution, int n_iterations,
                                 pc_partition **partition)
{
    __typeof__(&cli_igraph_communities) find =
        find_function(context, "finding communities needs", "pc_igraph_communities");
    return find != NULL ? find(context, graph, method, seed, resolution, n_iterations, partition)
                        : PC_ERR_ENGINE;
}

pc_status cli_igraph_famous(pc_context *context, const char *name, pc_graph **graph)
{
    __typeof__(&cli_igraph_famous) make =
        find_function(context, "famous graphs need", "pc_igraph_famous");
    return make != NULL ? make(context, name, graph) : PC_ERR_ENGINE;
}

/* ---- Visible GPUs ---------------------------------------------------------------------------- */

/* CUDA starts every GPU that it sees, and each takes it longer. So the command lets it see no
 * GPU behind the last one that is named: GPU 0 alone, unless others are asked for. Numbers of
 * GPUs then mean the same as before, in messages too; were the GPUs before the named ones hidden
 * as well, CUDA would number them anew. The library leaves the environment to its host. */

static const char VARIABLE[] = "CUDA_VISIBLE_DEVICES", LIST[] = "cuda:";

enum { MOST_GPUS = 100, ENTRY_BYTES = 4 };

/* GPUs up to the last one that the device names; 0: nothing is to be hidden. */
static unsigned n_needed(const char *device)
{
    unsigned n = 0;
    if (device == NULL || strcmp(device, "auto") == 0 || strcmp(device, "cuda") == 0)
        return 1;
    if (strncmp(device, LIST, strlen(LIST)) != 0)
        return 0;
    for (const char *at = device + strlen(LIST); isdigit((unsigned char)*at); at++) {
        char *end;
        unsigned long index = strtoul(at, &end, 10);
        if (index >= MOST_GPUS)
            return 0; /* the library refuses it */
        n = index < n ? n : (unsigned)index + 1;
        at = end;
        if (*at != ',')
            break;
    }
    return n;
}

void cli_hide_gpus(const char *device)
{
    const char *visible = getenv(VARIABLE); /* numbers or names: of a scheduler, for example */
    unsigned n = n_needed(device);
    char list[MOST_GPUS * ENTRY_BYTES], *end = list;
    if (n == 0 || (visible != NULL && strlen(visible) >= sizeof list))
        return;
    if (visible == NULL) {
        for (unsigned i = 0; i < n; i++)
            end += sprintf(end, i ? ",%u" : "%u", i);
    } else {
        strcpy(list, visible); /* of which the first n entries are kept */
        for (; n > 1 && (end = strchr(end, ',')) != NULL; n--)
            end++;
        if (end != NULL)
            end[strcspn(end, ",")] = '\0';
    }
    setenv(VARIABLE, list, 1); /* without memory CUDA sees them all */
}

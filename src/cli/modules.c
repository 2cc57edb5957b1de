/* Opens libpathcount_igraph and libpathcount_draw, and hides GPUs that are not needed. */
#define _GNU_SOURCE /* dladdr */
#include "src/cli/modules.h"

#include "src/cli/text.h"

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

/* ---- Calls of libpathcount_igraph ------------------------------------------------------------ */

/* Finds the functions of libpathcount_igraph by their names. */

#ifdef PATHCOUNT_WITH_IGRAPH
#include "graphs/pathcount_igraph.h"

#define TEXT_OF(number) #number
#define TEXT(number)    TEXT_OF(number)
#define IGRAPH_FILE     "libpathcount_igraph.so." TEXT(PATHCOUNT_SOVERSION)

/* The function of that name, with its declared type; NULL, and a message, when it cannot be
 * found. */
#define FIND(context, name)                                                                        \
    ((__typeof__(&(name)))cli_module_function(context, IGRAPH_FILE, "uses igraph", #name))

void cli_igraph_open(void)
{
    (void)FIND(NULL, pc_graph_read_igraph);
}

pc_status cli_igraph_read(pc_context *context, const char *path, const char *format,
                          const pc_graph_options *options, pc_graph **graph)
{
    __typeof__(&pc_graph_read_igraph) read = FIND(context, pc_graph_read_igraph);
    return read != NULL ? read(context, path, format, options, graph) : PC_ERR_ENGINE;
}

pc_status cli_igraph_communities(pc_context *context, const pc_graph *graph, const char *method,
                                 uint64_t seed, double resolution, int n_iterations,
                                 pc_partition **partition)
{
    __typeof__(&pc_igraph_communities) find = FIND(context, pc_igraph_communities);
    return find != NULL ? find(context, graph, method, seed, resolution, n_iterations, partition)
                        : PC_ERR_ENGINE;
}

pc_status cli_igraph_famous(pc_context *context, const char *name, pc_graph **graph)
{
    __typeof__(&pc_igraph_famous) make = FIND(context, pc_igraph_famous);
    return make != NULL ? make(context, name, graph) : PC_ERR_ENGINE;
}
#else
void cli_igraph_open(void)
{
}

pc_status cli_igraph_read(pc_context *context, const char *path, const char *format,
                          const pc_graph_options *options, pc_graph **graph)
{
    char sentence[512];
    snprintf(sentence, sizeof sentence, "%s: reading %s needs igraph, and this build is without it",
             cli_shown_path(path), format != NULL ? format : pc_file_format_of(path, NULL)->name);
    (void)options, (void)graph;
    return pc_context_fail(context, PC_ERR_ENGINE, sentence);
}

pc_status cli_igraph_communities(pc_context *context, const pc_graph *graph, const char *method,
                                 uint64_t seed, double resolution, int n_iterations,
                                 pc_partition **partition)
{
    (void)graph, (void)method, (void)seed, (void)resolution, (void)n_iterations, (void)partition;
    return pc_context_fail(context, PC_ERR_ENGINE,
                           "finding communities needs igraph, and this build is without it");
}

pc_status cli_igraph_famous(pc_context *context, const char *name, pc_graph **graph)
{
    (void)name, (void)graph;
    return pc_context_fail(context, PC_ERR_ENGINE,
                           "famous graphs need igraph, and this build is without it");
}
#endif

/* ---- Visible GPUs ---------------------------------------------------------------------------- */

/* CUDA starts every GPU that it sees, and each takes it longer. So the command lets it see no GPU behind the last one that
 * is named: GPU 0 alone, unless others are asked for. Numbers of GPUs then mean the same as before, in messages too;
 * were the GPUs before the named ones hidden as well, CUDA would number them anew. The library leaves the environment
 * to its host. */

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

/* Ends a list behind its first n entries. */
static void cut(char *list, unsigned n)
{
    char *at = list;
    for (; n > 1 && (at = strchr(at, ',')) != NULL; n--)
        at++;
    if (at != NULL)
        at[strcspn(at, ",")] = '\0';
}

/* "0,1,2" */
static void count_up(unsigned n, char list[MOST_GPUS * ENTRY_BYTES])
{
    for (unsigned i = 0, length = 0; i < n; i++)
        length += (unsigned)sprintf(list + length, i ? ",%u" : "%u", i);
}

void cli_hide_gpus(const char *device)
{
    const char *visible = getenv(VARIABLE); /* numbers or names: of a scheduler, for example */
    unsigned n = n_needed(device);
    char list[MOST_GPUS * ENTRY_BYTES];
    if (n == 0 || (visible != NULL && strlen(visible) >= sizeof list))
        return;
    if (visible == NULL) {
        count_up(n, list);
    } else {
        strcpy(list, visible);
        cut(list, n);
    }
    setenv(VARIABLE, list, 1); /* without memory CUDA sees them all */
}

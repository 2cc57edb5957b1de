/* Opens contexts, reads graphs, and makes blocks; opens libpathcount_igraph and libpathcount_draw, and
 * hides GPUs that are not needed. */
#define _GNU_SOURCE /* secure_getenv, dladdr */
#include "src/cli/load.h"

#include "src/cli/json.h"
#include "src/cli/process.h"
#include "src/cli/text.h"

#include "tool.h"

#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Opening a library ----------------------------------------------------------------------- */

/* Opens a library of pathcount. The dynamic linker knows the libraries that are open, so no handle
 * is kept here. */

enum { PATH_BYTES = 4096, SENTENCE_BYTES = 2 * PATH_BYTES };

/* All libraries of pathcount are installed in one folder. When the file is not there, the dynamic
 * linker searches for its name alone. */
void *cli_module_function(pc_context *context, const char *file, const char *task,
                          const char *function)
{
    Dl_info own;
    char path[PATH_BYTES], sentence[SENTENCE_BYTES];
    const char *slash =
        dladdr((void *)pc_context_create, &own) ? strrchr(own.dli_fname, '/') : NULL;
    int folder = slash != NULL ? (int)(slash - own.dli_fname) : 0;
    int length = slash != NULL ? snprintf(path, PATH_BYTES, "%.*s/%s", folder, own.dli_fname, file)
                               : PATH_BYTES;
    void *object =
        dlopen(length < PATH_BYTES && access(path, F_OK) == 0 ? path : file, RTLD_NOW | RTLD_LOCAL);
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

/* Hides the GPUs behind the last one that the device names (as --device has it; NULL: auto). It is called before anything
 * starts CUDA or another thread. */
static void hide_gpus(const char *device)
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

/* ---- Rates of this machine ------------------------------------------------------------------- */

/* The file, $XDG_CACHE_HOME/pathcount/rates or ~/.cache/pathcount/rates, which `make bench BENCH=rates` writes; false
 * when there is no home or its name is too long. A relative $XDG_CACHE_HOME does not count (XDG Base Directory
 * Specification). */
static bool find_file(char *path, size_t size)
{
    const char *cache = secure_getenv("XDG_CACHE_HOME"), *home = secure_getenv("HOME");
    int length = -1;
    if (cache != NULL && cache[0] == '/')
        length = snprintf(path, size, "%s/pathcount/rates", cache);
    else if (home != NULL && home[0] == '/')
        length = snprintf(path, size, "%s/.cache/pathcount/rates", home);
    return length >= 0 && (size_t)length < size;
}

/* Takes the rates of the file, if there is one. When the file is bad, the rates that are compiled
 * in hold, and a message says so unless is_quiet. */
static void rates_load(pc_context *context, bool is_quiet)
{
    char path[PATH_MAX];
    if (!find_file(path, sizeof path))
        return;
    pc_status status = pc_rates_read(context, path);
    if (status != PC_OK && status != PC_ERR_NO_INPUT && !is_quiet)
        fprintf(stderr, "pathcount: predicting by the rates that are compiled in: %s\n",
                pc_context_message(context));
    pc_context_fail(context, PC_OK, ""); /* it does not concern later calls */
}

/* ---- Graphs ---------------------------------------------------------------------------------- */

/* Adds the device that was probably meant to the message of the context. */
static pc_status fail_device(pc_context *context, const char *device, pc_status status)
{
    char sentence[1024];
    bool is_gpu = strncasecmp(device, "gpu", strlen("gpu")) == 0;
    cli_suggestion meant = {.typed = is_gpu ? "cuda" : device};
    cli_suggest_words(&meant, cli_device_words);
    if (status != PC_ERR_ARGUMENT || meant.word[0] == '\0')
        return status;
    snprintf(sentence, sizeof sentence, "%s%s", pc_context_message(context),
             cli_suggestion_text(&meant));
    return pc_context_fail(context, status, sentence);
}

pc_status cli_open_context(const cli_running_options *options, cli_progress *progress,
                           pc_context **context)
{
    hide_gpus(options->device);
    pc_status status = pc_context_create(context);
    if (status != PC_OK)
        return status;
    if (options->twice && !cli_is_twice())
        return pc_context_fail(*context, PC_ERR_ARGUMENT, "--twice must be written in full");
    cli_twice_attach(*context);
    pc_context_set_memory_limit(*context, options->memory_limit_bytes);
    pc_context_set_sync(*context, !options->no_sync);
    rates_load(*context, options->is_quiet);
    cli_progress_start(progress, options->is_quiet);
    if (options->time_limit_seconds > 0)
        progress->deadline = progress->start_seconds + options->time_limit_seconds;
    pc_context_set_progress(*context, cli_progress_tell, progress);
    if (options->device != NULL)
        status = fail_device(*context, options->device,
                             pc_context_set_device(*context, options->device));
    return status == PC_OK ? pc_context_set_threads(*context, options->n_threads) : status;
}

int cli_run_in_context(const cli_running_options *options,
                       pc_status (*run)(pc_context *context, cli_progress *progress, void *user),
                       void *user)
{
    cli_progress progress;
    pc_context *context = NULL;
    pc_status status = cli_open_context(options, &progress, &context);
    if (context == NULL)
        return cli_fail(CLI_UNAVAILABLE, "%s", pc_status_text(status));
    if (status == PC_OK)
        status = run(context, &progress, user);
    cli_progress_end(&progress);
    int code = status == PC_OK ? CLI_DONE : cli_fail_status(context, status);
    pc_context_free(context);
    return code;
}

void cli_clean_beside(const char *path)
{
    pc_context *context;
    if (path == NULL || pc_context_create(&context) != PC_OK)
        return;
    pc_output_clean(context, path);
    pc_context_free(context);
}

pc_status (*cli_begin_parts)(pc_context *, const cli_count_options *) = NULL;

pc_status (*cli_reader)(pc_context *, const char *, pc_format, const pc_graph_options *,
                        pc_graph **) = pc_graph_read;

pc_status cli_load_graph(pc_context *context, const cli_input_options *options, pc_graph **graph)
{
    pc_format format = options->format != NULL ? options->format->format : PC_FORMAT_AUTO;
    pc_status status = cli_reader(context, options->path, format, &options->graph, graph);
    return status == PC_ERR_RANGE ? PC_ERR_DATA : status;
}

pc_status cli_write_graph(pc_context *context, const pc_graph *graph, const char *path,
                          bool is_quiet)
{
    char labels[PATH_MAX];
    const pc_file_format *format = pc_file_format_of(path, NULL);
    cli_clean_beside(path);
    cli_signals_defer();
    pc_status status = pc_graph_write(context, graph, path);
    int length = snprintf(labels, sizeof labels, "%s%s", path, PC_LABELS_ENDING);
    bool has_labels = format != NULL && format->format == PC_FORMAT_SERIALIZED &&
                      length < PATH_MAX && access(labels, F_OK) == 0;
    if (status == PC_OK && !is_quiet && has_labels)
        fprintf(stderr, "%s: the labels of vertices, a line each\n", labels);
    return status;
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

pc_status cli_make_blocks(pc_context *context, const pc_graph *graph,
                          const cli_block_options *options, pc_partition **partition)
{
    const char *spec = options->spec;
    bool is_number = *spec != '\0' && spec[strspn(spec, "0123456789")] == '\0';
    if (strcmp(spec, "leiden") == 0 || strcmp(spec, "multilevel") == 0)
        return cli_igraph_communities(context, graph, spec, options->seed, options->resolution,
                                      options->n_iterations, partition);
    pc_status status = pc_partition_read(context, graph, spec, partition);
    if (is_number && status == PC_ERR_ARGUMENT)
        return pc_context_fail(context, status, "--blocks: groups must have 1 to 2^64-1 vertices");
    if (status != PC_ERR_NO_INPUT || access(spec, F_OK) == 0 || errno != ENOENT)
        return status;
    char sentence[1024];
    cli_suggestion meant = {.typed = spec};
    cli_suggest_words(&meant, cli_block_words);
    snprintf(
        sentence, sizeof sentence,
        "--blocks: there is no file '%.400s'; give a number, components, leiden, multilevel, or "
        "a file%s",
        spec, cli_suggestion_text(&meant));
    return pc_context_fail(context, status, sentence);
}

/* ---- The graph in words ---------------------------------------------------------------------- */

void cli_print_graph(FILE *out, const cli_input_options *options, const pc_graph_info *info)
{
    uint64_t n_asked = options->graph.n_vertices;
    bool directed = info->directed;
    fprintf(out, "%s: %s, %s", cli_shown_path(options->path), info->format,
            directed ? "directed" : "undirected");
    if (info->direction_overridden)
        fprintf(out, " (the file says %s)", directed ? "undirected" : "directed");
    fprintf(out, ": %s", cli_number_of(info->n_vertices, "vertex", "vertices").text);
    /* Labels 1 to N give one more vertex than N, because 0 to N-1 exist. */
    if (n_asked > 0 && info->n_vertices > n_asked)
        fprintf(out, " (--vertices %" PRIu64 " makes 0 to %" PRIu64 ", and the file has others)",
                n_asked, n_asked - 1);
    fprintf(
        out, ", %s",
        cli_number_of(info->n_edges, directed ? "arc" : "edge", directed ? "arcs" : "edges").text);
    if (info->n_loops > 0)
        fprintf(out, " (%s%s%s)", cli_number_of(info->n_loops, "loop", "loops").text,
                directed ? "" : ", counted ", directed ? "" : cli_loop_words[info->loops]);
    if (info->n_duplicates > 0)
        fprintf(out, ", %s %s", cli_number_of(info->n_duplicates, "duplicate", "duplicates").text,
                info->duplicates_added ? "added" : "dropped");
    if (info->max_weight > 1 || info->decimals > 0)
        fprintf(out, ", largest %s %s", info->decimals > 0 ? "weight" : "multiplicity",
                cli_weight_of(info).text);
    if (info->weight_error > 0)
        fprintf(out, ", weights rounded to %" PRIu32 " decimals", info->decimals);
    fprintf(out, "%s%s%s\n",
            info->weights_ignored ? ", weights ignored (--weights takes them)" : "",
            info->note != NULL ? ", " : "", info->note != NULL ? info->note : "");
}

pc_status cli_load_labelled(pc_context *context, const cli_input_options *options,
                            const char *column, pc_labelled_edges **labelled, pc_graph **graph)
{
    if (cli_has_parts())
        return pc_context_fail(context, PC_ERR_ARGUMENT,
                               "--match and --time-column need all edges in one process: count "
                               "with pathcount");
    pc_status status = pc_labelled_edges_read(
        context, options->path, options->format != NULL ? options->format->format : PC_FORMAT_AUTO,
        &options->graph, column, labelled);
    if (status == PC_OK)
        status = pc_labelled_edges_graph(context, *labelled, graph);
    return status == PC_ERR_RANGE ? PC_ERR_DATA : status;
}

pc_status cli_load_told(pc_context *context, const cli_input_options *options, bool is_quiet,
                        cli_progress *progress, pc_graph **graph)
{
    pc_graph_info info;
    pc_status status = cli_load_graph(context, options, graph);
    cli_progress_end(progress);
    if (status != PC_OK || is_quiet)
        return status;
    pc_graph_get_info(*graph, &info);
    cli_print_graph(stderr, options, &info);
    return PC_OK;
}

pc_status cli_name_input(pc_context *context, const cli_input_options *options, pc_status status)
{
    char sentence[1024];
    if (status != PC_ERR_DATA)
        return status;
    snprintf(sentence, sizeof sentence, "%.400s: %.600s", cli_shown_path(options->path),
             pc_context_message(context));
    return pc_context_fail(context, status, sentence);
}

pc_status cli_write_members(pc_context *context, const pc_graph *graph,
                            const pc_partition *partition, const char *path)
{
    pc_partition_info blocks;
    const pc_labels *vertices = pc_graph_labels(graph);
    pc_output *output = NULL;
    cli_clean_beside(path);
    cli_signals_defer();
    pc_status status = pc_output_open(context, path, &output);
    pc_partition_get_info(partition, &blocks);
    for (uint64_t v = 0; v < blocks.n_vertices && status == PC_OK; v++) {
        char *line = NULL, *vertex = cli_label_raw(vertices, v);
        char *block = cli_label_raw(blocks.labels, blocks.block[v]);
        int length = asprintf(&line, "%s\t%s\n", vertex, block);
        status = pc_output_write(output, length < 0 ? cli_need(NULL) : line, (size_t)length);
        free(line);
        free(block);
        free(vertex);
    }
    if (status == PC_OK)
        return pc_output_commit(output);
    pc_output_free(output);
    return status;
}

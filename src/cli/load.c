/* Contexts, and graphs: read by the library itself, or through igraph where this build has it. */
#include "src/cli/load.h"

#include "src/cli/rates.h"
#include "src/cli/text.h"

#include <inttypes.h>
#include <string.h>

#ifdef PATHCOUNT_WITH_IGRAPH
#include "graphs/pathcount_igraph.h"

static const bool has_igraph = true;
#else
static const bool has_igraph = false;

/* Knows the formats by name only, so that the command can say why it cannot read them. */

static const char *pc_igraph_format_of(const char *path)
{
    static const char *const formats[][2] = {
        {".graphml", "graphml"}, {".gml", "gml"},   {".net", "pajek"}, {".paj", "pajek"},
        {".lgl", "lgl"},         {".ncol", "ncol"}, {".dl", "dl"}};
    const char *extension = strrchr(path, '.');
    for (size_t i = 0; extension != NULL && i < sizeof formats / sizeof *formats; i++)
        if (strcmp(extension, formats[i][0]) == 0)
            return formats[i][1];
    return NULL;
}

static pc_status pc_graph_read_igraph(pc_context *context, const char *path, const char *format,
                                      const pc_graph_options *options, pc_graph **graph)
{
    (void)context, (void)path, (void)format, (void)options, (void)graph;
    return PC_ERR_ENGINE;
}
#endif

pc_status cli_open_context(const cli_running_options *options, cli_progress *progress,
                           pc_context **context)
{
    pc_status status = pc_context_create(context);
    if (status != PC_OK)
        return status;
    pc_context_set_memory_limit(*context, options->memory_limit_bytes);
    cli_rates_load(*context, options->is_quiet);
    cli_progress_start(progress, options->is_quiet);
    pc_context_set_progress(*context, cli_progress_tell, progress);
    if (options->device != NULL)
        status = pc_context_set_device(*context, options->device);
    return status == PC_OK ? pc_context_set_threads(*context, options->n_threads) : status;
}

static const char *shown_path(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

/* The name under which igraph reads the graph; NULL when the library reads it itself. */
static const char *igraph_format(const cli_input_options *options)
{
    if (options->format == NULL || strcmp(options->format->name, "auto") == 0)
        return pc_igraph_format_of(options->path);
    return options->format->is_igraph ? options->format->name : NULL;
}

static pc_status fail_without_igraph(pc_context *context, const char *path, const char *format)
{
    char sentence[512];
    snprintf(sentence, sizeof sentence, "%s: reading %s needs igraph, and this build is without it",
             shown_path(path), format);
    return pc_context_fail(context, PC_ERR_ENGINE, sentence);
}

pc_status cli_load_graph(pc_context *context, const cli_input_options *options, pc_graph **graph)
{
    const char *path = options->path, *for_igraph = igraph_format(options);
    pc_format format = options->format != NULL ? options->format->format : PC_FORMAT_AUTO;
    pc_status status;
    if (for_igraph != NULL && !has_igraph)
        return fail_without_igraph(context, path, for_igraph);
    if (for_igraph != NULL)
        status = pc_graph_read_igraph(context, path, for_igraph, &options->graph, graph);
    else
        status = pc_graph_read(context, path, format, &options->graph, graph);
    return status == PC_ERR_RANGE ? PC_ERR_DATA : status;
}

void cli_print_graph(FILE *out, const cli_input_options *options, const pc_graph_info *info)
{
    fprintf(out, "%s: %s, %s", shown_path(options->path), info->format,
            info->directed ? "directed" : "undirected");
    if (info->direction_overridden)
        fprintf(out, " (the file says %s)", info->directed ? "undirected" : "directed");
    fputs(": ", out);
    cli_print_number_of(out, info->n_vertices, "vertex", "vertices");
    fputs(", ", out);
    if (info->directed)
        cli_print_number_of(out, info->n_edges, "arc", "arcs");
    else
        cli_print_number_of(out, info->n_edges, "edge", "edges");
    if (info->n_loops > 0) {
        fputs(" (", out);
        cli_print_number_of(out, info->n_loops, "loop", "loops");
        fputc(')', out);
    }
    if (info->n_duplicates > 0) {
        fputs(", ", out);
        cli_print_number_of(out, info->n_duplicates, "duplicate", "duplicates");
        fputs(options->graph.multigraph ? " added" : " dropped", out);
    }
    if (info->max_weight > 1)
        fprintf(out, ", largest multiplicity %" PRIu64, info->max_weight);
    if (info->weights_ignored)
        fputs(", weights ignored (--weights takes them)", out);
    fputc('\n', out);
}

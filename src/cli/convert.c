/* `pathcount convert`: reads a graph, and writes it in another format. */
#include "src/cli/commands.h"
#include "src/cli/exit_codes.h"
#include "src/cli/load.h"
#include "src/cli/named_files.h"
#include "src/cli/signals.h"

#include <string.h>

typedef struct cli_convert_options {
    cli_input_options input;
    const char *output_path; /* NULL: none yet */
    cli_running_options running;
} cli_convert_options;

/* ---- Command line ---------------------------------------------------------------------------- */

static const cli_group groups[] = {
    {"Input (pathcount convert arcs.csv arcs.wsg --directed --weights):", cli_input_rows,
     offsetof(cli_convert_options, input)},
    {"Running (pathcount convert graph.txt graph.sg --threads 2):", cli_running_rows + 1,
     offsetof(cli_convert_options, running)},
    {NULL, cli_about_rows, 0},
    {0}};

static const char doc[] =
    "Write a graph in another format. Direction and labels are kept, and weights that --weights "
    "takes.\v"
    "GRAPH is read as by pathcount count; - is standard input. The ending of FILE is .tsv, .csv, "
    ".txt, .mtx, .sg, .wsg, .graphml, .gml or .net (Pajek), and then .gz or .zst to pack it.\n"
    "\n"
    ".sg and .wsg (with weights up to 2^31-1) are the binary graphs of the GAP Benchmark Suite, "
    "which are read much faster than text. Their labels, unless they are 0, 1, 2, ..., are in "
    "FILE.labels, a line each, and are read back from there.\n"
    "\n"
    "Examples:\n"
    "  pathcount convert graph.gz graph.sg\n"
    "  pathcount convert arcs.csv arcs.wsg --directed --weights\n"
    "  pathcount convert - graph.mtx < graph.txt\n"
    "\n"
    "Exit status: as of pathcount count, see its --help. More: man pathcount";

static void take_path(cli_parse *parse, char *path)
{
    cli_convert_options *options = parse->options;
    if (options->output_path != NULL)
        argp_error(parse->state, "one graph and one file at a time: '%s' is too much", path);
    if (options->input.path == NULL)
        options->input.path = path;
    else
        options->output_path = path;
}

static void complete(cli_parse *parse)
{
    const cli_convert_options *options = parse->options;
    struct argp_state *state = parse->state;
    if (options->input.path == NULL)
        argp_error(state,
                   "which graph, and into which file? For example: pathcount convert "
                   "graph.txt graph.sg%s",
                   cli_stdin_advice());
    if (options->output_path == NULL)
        argp_error(state, "into which file? For example: pathcount convert %s graph.sg",
                   options->input.path);
    if (options->running.device != NULL)
        argp_error(state, "--device has no meaning here: nothing is counted");
    cli_graph_is_read(state, &options->input);
    cli_graph_is_written(state, "FILE", options->output_path);
}

const cli_command cli_convert_command = {.name = "convert",
                                         .summary = "a graph in another format",
                                         .arguments = "GRAPH FILE",
                                         .doc = doc,
                                         .groups = groups,
                                         .take_argument = take_path,
                                         .complete = complete};

/* ---- The command ----------------------------------------------------------------------------- */

static pc_status convert(pc_context *context, cli_progress *progress,
                         const cli_convert_options *options)
{
    pc_graph *graph;
    pc_graph_info info;
    pc_status status = cli_load_graph(context, &options->input, &graph);
    cli_progress_end(progress);
    if (status != PC_OK)
        return status;
    pc_graph_get_info(graph, &info);
    if (!options->running.is_quiet)
        cli_print_graph(stderr, &options->input, &info);
    cli_signals_defer();
    status = cli_write_graph(context, graph, options->output_path, options->running.is_quiet);
    cli_progress_end(progress);
    pc_graph_free(graph);
    return status;
}

int cli_convert(int argc, char **argv)
{
    cli_convert_options options = {0};
    cli_progress progress;
    pc_context *context = NULL;
    cli_parse_options(&cli_convert_command, argc, argv, &options);
    cli_load_prepare(&options.input);
    pc_status status = cli_open_context(&options.running, &progress, &context);
    if (context == NULL)
        return cli_fail(CLI_UNAVAILABLE, "%s", pc_status_text(status));
    if (status == PC_OK)
        status = convert(context, &progress, &options);
    int code = status == PC_OK ? CLI_DONE : cli_fail_status(context, status);
    pc_context_free(context);
    return code;
}

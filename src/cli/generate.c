/* `pathcount generate`: makes a graph and prints it as an edge list, or writes it to a file. */
#include "src/cli/generate_options.h"

#include "src/cli/commands.h"
#include "src/cli/exit_codes.h"
#include "src/cli/igraph_module.h"
#include "src/cli/load.h"
#include "src/cli/signals.h"

#include <inttypes.h>

enum { PIECE_BYTES = 1 << 16, LINE_BYTES = 2 * 11 }; /* vertices are below 2^32 */

static pc_status make_graph(pc_context *context, const cli_generate_options *o, pc_graph **graph)
{
    switch (o->model) {
    case CLI_RMAT:
        return pc_generate_rmat(context, &o->rmat, o->seed, o->is_directed, graph);
    case CLI_ERDOS_RENYI:
        if (o->has_probability)
            return pc_generate_gilbert(context, o->n_vertices, o->probability, o->seed,
                                       o->is_directed, graph);
        return pc_generate_erdos_renyi(context, o->n_vertices, o->n_edges, o->seed, o->is_directed,
                                       graph);
    case CLI_BARABASI_ALBERT:
        return pc_generate_barabasi_albert(context, o->n_vertices, o->edges_per_vertex, o->seed,
                                           o->is_directed, graph);
    case CLI_FAMOUS:
    case CLI_N_MODELS:
        break;
    }
    return cli_igraph_famous(context, o->famous_name, graph);
}

/* ---- The edge list --------------------------------------------------------------------------- */

/* Prints what the reader has to know, and the command as it was given. All values were checked, so
 * the comment stays on one line. */
static void print_comment(char **argv, const pc_graph_info *info)
{
    printf("# pathcount graph: %s, %" PRIu64 " vertices; %s, made by",
           info->directed ? "directed" : "undirected", info->n_vertices, info->format);
    for (char **argument = argv; *argument != NULL; argument++)
        printf(" %s", *argument);
    putchar('\n');
}

static size_t put_number(char *text, uint32_t number, char end)
{
    char digits[10];
    size_t n = 0, length;
    do
        digits[n++] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    length = n + 1;
    while (n > 0)
        *text++ = digits[--n];
    *text = end;
    return length;
}

/* Prints each edge once, with the numbers of its vertices. Stops when writing fails; check_stdout
 * of main.c reports that. */
static void print_edges(const pc_graph *graph, const pc_graph_info *info)
{
    static char text[PIECE_BYTES];
    size_t n_bytes = 0;
    pc_arcs arcs;
    pc_graph_arcs(graph, &arcs);
    for (uint64_t row = 0; row < info->n_vertices && !ferror(stdout); row++)
        for (uint64_t a = arcs.row_start[row]; a < arcs.row_start[row + 1]; a++) {
            if (!info->directed && arcs.column[a] < row)
                continue;
            n_bytes += put_number(text + n_bytes, (uint32_t)row, ' ');
            n_bytes += put_number(text + n_bytes, arcs.column[a], '\n');
            if (n_bytes + LINE_BYTES <= PIECE_BYTES)
                continue;
            fwrite(text, 1, n_bytes, stdout);
            n_bytes = 0;
        }
    fwrite(text, 1, n_bytes, stdout);
}

/* ---- The command ----------------------------------------------------------------------------- */

static void print_note(const cli_generate_options *options, const pc_graph_info *info)
{
    const char *name = options->famous_name != NULL ? options->famous_name : options->model_name;
    const cli_input_options input = {.path = name};
    if (!options->running.is_quiet)
        cli_print_graph(stderr, &input, info);
}

static pc_status generate(pc_context *context, cli_progress *progress,
                          const cli_generate_options *options, char **argv)
{
    pc_graph *graph;
    pc_graph_info info;
    pc_status status = make_graph(context, options, &graph);
    cli_progress_end(progress);
    if (status != PC_OK)
        return status;
    pc_graph_get_info(graph, &info);
    print_note(options, &info);
    if (options->output_path != NULL) {
        cli_signals_defer();
        status = cli_write_graph(context, graph, options->output_path, options->running.is_quiet);
        cli_progress_end(progress);
    } else {
        print_comment(argv, &info);
        print_edges(graph, &info);
    }
    pc_graph_free(graph);
    return status;
}

int cli_generate(int argc, char **argv)
{
    cli_generate_options options = cli_generate_defaults;
    cli_progress progress;
    pc_context *context = NULL;
    cli_parse_options(&cli_generate_command, argc, argv, &options);
    pc_status status = cli_open_context(&options.running, &progress, &context);
    if (context == NULL)
        return cli_fail(CLI_UNAVAILABLE, "%s", pc_status_text(status));
    if (status == PC_OK)
        status = generate(context, &progress, &options, argv);
    int code = status == PC_OK ? CLI_DONE : cli_fail_status(context, status);
    pc_context_free(context);
    return code;
}

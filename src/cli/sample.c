/* `pathcount sample`: prints random walks. */
#include "src/cli/main.h"

#include "src/cli/count_options.h"
#include "src/cli/json.h"
#include "src/cli/kinds.h"
#include "src/cli/load.h"
#include "src/cli/process.h"
#include "src/cli/text.h"

#include "pathcount_sample.h"

#include <errno.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>

typedef struct cli_sample_options {
    cli_input_options input;
    cli_running_options running;
    pc_sample_options walks;
    bool json;
    const char *from, *to; /* labels; NULL: any */
} cli_sample_options;

/* ---- Command line ---------------------------------------------------------------------------- */

#define AT(member) CLI_AT(cli_sample_options, member)

static const cli_option walk_rows[] = {
    {"--length", "K", "Walks of K edges", CLI_INTEGER, AT(walks.length), .most = UINT64_MAX,
     .letter = 'k'},
    {"--number", "N", "Draw N walks", CLI_INTEGER, AT(walks.number), .least = 1,
     .most = UINT64_MAX},
    {"--from", "VERTEX", "Only walks that start at VERTEX", CLI_TEXT, AT(from)},
    {"--to", "VERTEX", "Only walks that end at VERTEX", CLI_TEXT, AT(to)},
    {"--simple", NULL, "Only those that visit no vertex twice (GQL: ACYCLIC)", AT(walks.simple)},
    {"--seed", "S", "Another seed, other walks (0)", CLI_INTEGER, AT(walks.seed),
     .most = UINT64_MAX},
    {"--json", NULL, "Print a JSON array of labels a line", AT(json)},
    {0}};

static const cli_group groups[] = {
    {"Input (pathcount sample arcs.csv --directed -k 5 --number 9):", cli_input_rows,
     offsetof(cli_sample_options, input)},
    {"Walks (pathcount sample graph.txt -k 5 --number 9 --from C):", walk_rows, 0},
    {"Running (pathcount sample graph.txt -k 5 --number 9 --threads 2):", cli_running_rows + 1,
     offsetof(cli_sample_options, running)},
    {NULL, cli_about_rows, 0},
    {0}};

static const char doc[] =
    "Draw N random walks of K edges, independently, each walk with the same probability.\n"
    "\n"
    "A line of the answer is a walk: the labels of its K + 1 vertices, separated by tabs. Weights "
    "(--weights) are numbers of parallel edges. The same command draws the same walks, with any "
    "number of threads.\v"
    "One sweep counts exactly the walks that go on from each vertex; each step is then drawn in "
    "proportion to these numbers, without rounding. --simple draws walks until N of them visit no "
    "vertex twice, and gives up when that would take more than an hour.\n"
    "\n"
    "Examples:\n"
    "  pathcount sample graph.txt --length 20 --number 1000\n"
    "  pathcount sample graph.txt --length 5 --number 10 --from C --to J --seed 7\n"
    "  pathcount sample graph.txt --length 4 --number 10 --simple --json\n"
    "\n"
    "Exit status: as of pathcount count, see its --help. More: man pathcount";

static void take_argument(cli_parse *parse, char *path)
{
    cli_sample_options *options = parse->options;
    if (options->input.path != NULL)
        argp_error(parse->state, "one graph at a time, not both '%s' and '%s'", options->input.path,
                   path);
    options->input.path = path;
}

static void complete(cli_parse *parse)
{
    const cli_sample_options *options = parse->options;
    if (options->input.path == NULL)
        argp_error(parse->state,
                   "which graph? For example: pathcount sample graph.txt --length 5 --number 10%s",
                   cli_stdin_advice());
    for (int row = 0; row < 2; row++)
        if (!cli_is_given(parse, &walk_rows[row]))
            argp_error(parse->state,
                       "%s is missing. For example: pathcount sample %s --length 5 --number 10",
                       walk_rows[row].name, options->input.path);
    if (options->running.device != NULL && strcmp(options->running.device, "cpu") != 0)
        argp_error(parse->state, "walks are drawn on the CPU: leave --device out");
}

const cli_command cli_sample_command = {.name = "sample",
                                        .summary = "random walks, drawn uniformly",
                                        .arguments = "GRAPH --length K --number N",
                                        .doc = doc,
                                        .groups = groups,
                                        .take_argument = take_argument,
                                        .complete = complete};

/* ---- Lines ----------------------------------------------------------------------------------- */

enum { PIECE_BYTES = 1 << 19, TEXT_ESCAPE_BYTES = 4, JSON_ESCAPE_BYTES = 6 };

typedef struct sample_job {
    const cli_sample_options *options;
    pc_context *context;
    const pc_labels *labels;
    cli_progress *progress;
    size_t label_bytes; /* of room for one, and what stands around it */
    const uint32_t *vertices;
} sample_job;

/* Puts a label as JSON; returns its bytes. */
static size_t put_json(const sample_job *job, uint32_t vertex, char *next)
{
    json_t *label = cli_json_label(job->labels, vertex);
    size_t n_bytes = json_dumpb(label, next, job->label_bytes, JSON_ENCODE_ANY);
    json_decref(label);
    return n_bytes;
}

static void make_lines(void *user, pc_piece *piece)
{
    const sample_job *job = user;
    size_t n_columns = job->options->walks.length + 1;
    bool is_json = job->options->json;
    const uint32_t *vertex = job->vertices + piece->first * n_columns;
    char *next = piece->room;
    for (uint64_t w = piece->first; w < piece->end; w++) {
        if (is_json)
            *next++ = '[';
        for (size_t c = 0; c < n_columns; c++, vertex++) {
            if (is_json)
                next += put_json(job, *vertex, next);
            else
                next +=
                    cli_escape(next, pc_labels_text(job->labels, *vertex, next, job->label_bytes));
            *next++ = is_json ? ',' : '\t';
        }
        if (is_json)
            next[-1] = ']';
        next[is_json ? 0 : -1] = '\n';
        next += is_json;
    }
    piece->n_bytes = (size_t)(next - piece->room);
}

static pc_status put_lines(void *user, const pc_piece *piece)
{
    const sample_job *job = user;
    char sentence[256];
    if (fwrite(piece->text, 1, piece->n_bytes, stdout) == piece->n_bytes)
        return PC_OK;
    snprintf(sentence, sizeof sentence, "standard output: %s", strerror(errno));
    __fpurge(stdout);
    clearerr(stdout);
    return pc_context_fail(job->context, PC_ERR_IO, sentence);
}

static pc_status take_walks(void *user, uint64_t n_walks, const uint32_t *vertices)
{
    sample_job *job = user;
    size_t line_bytes = (job->options->walks.length + 1) * job->label_bytes + 2;
    pc_pieces pieces = {.n_items = n_walks, .make = make_lines, .put = put_lines, .user = job};
    cli_progress_end(job->progress);
    job->vertices = vertices;
    pieces.piece_items = line_bytes < PIECE_BYTES ? PIECE_BYTES / line_bytes : 1;
    pieces.piece_items = pieces.piece_items < n_walks ? pieces.piece_items : n_walks;
    pieces.piece_bytes = pieces.piece_items * line_bytes;
    return pc_pieces_put(job->context, &pieces);
}

/* ---- The command ----------------------------------------------------------------------------- */

/* Finds the vertices that are named: of one alone, as a pair with itself. */
static pc_status find_ends(const sample_job *job, const pc_graph *graph, cli_vertices *vertices,
                           pc_sample_options *walks)
{
    const char *from = job->options->from, *to = job->options->to;
    cli_named named = {from != NULL ? from : to, to != NULL ? to : from};
    cli_query_options query = {.question = CLI_ASK_PAIRS, .named = &named, .n_named = 1};
    if (from == NULL && to == NULL)
        return PC_OK;
    pc_status status =
        cli_vertices_find(job->context, graph, job->options->input.path, &query, vertices);
    walks->from = from != NULL ? vertices->from : NULL;
    walks->to = to != NULL ? vertices->to : NULL;
    return status;
}

static pc_status sample(pc_context *context, cli_progress *progress, void *user)
{
    sample_job *job = user;
    const cli_sample_options *options = job->options;
    pc_sample_options walks = options->walks;
    cli_vertices vertices = {0};
    pc_graph *graph = NULL;
    job->context = context;
    job->progress = progress;
    pc_status status =
        cli_load_told(context, &options->input, options->running.is_quiet, progress, &graph);
    if (status == PC_OK)
        status = find_ends(job, graph, &vertices, &walks);
    if (status == PC_OK) {
        job->labels = pc_graph_labels(graph);
        job->label_bytes = pc_labels_longest(job->labels) *
                               (options->json ? JSON_ESCAPE_BYTES : TEXT_ESCAPE_BYTES) +
                           3;
        status = pc_sample(context, graph, &walks, take_walks, job);
    }
    cli_vertices_free(&vertices);
    pc_graph_free(graph);
    return status;
}

int cli_sample(int argc, char **argv)
{
    cli_sample_options options = {0};
    sample_job job = {.options = &options};
    cli_parse_options(&cli_sample_command, argc, argv, &options);
    return cli_run_in_context(&options.running, sample, &job);
}

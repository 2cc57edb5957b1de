/* `pathcount sample`: prints random walks. */
#define _GNU_SOURCE /* stpcpy */
#include "src/cli/answers.h"
#include "src/cli/json.h"
#include "src/cli/load.h"
#include "src/cli/main.h"

#include "pathcount_sample.h"

#include <string.h>

typedef struct cli_sample_options {
    cli_count_options count;
    pc_sample_options walks;
    const char *from, *to; /* labels; NULL: any */
} cli_sample_options;

/* ---- Command line ---------------------------------------------------------------------------- */

#define AT(member) CLI_AT(cli_sample_options, member)

static const cli_option walk_rows[] = {
    {"--length", "K", "Walks of K edges", CLI_INTEGER, AT(count.length), .most = UINT64_MAX,
     .take = cli_take_length, .letter = 'k'},
    {"--number", "N", "Draw N walks", CLI_INTEGER, AT(walks.number), .least = 1,
     .most = UINT64_MAX},
    {"--from", "VERTEX", "Only walks that start at VERTEX", CLI_TEXT, AT(from)},
    {"--to", "VERTEX", "Only walks that end at VERTEX", CLI_TEXT, AT(to)},
    {"--simple", NULL, "Only those that visit no vertex twice (GQL: ACYCLIC)", AT(walks.simple),
     .constant = 1},
    {"--seed", "S", "Another seed, other walks (0)", CLI_INTEGER, AT(walks.seed),
     .most = UINT64_MAX},
    {"--pair", .refusal = "walks from one vertex to another are --from VERTEX --to VERTEX"},
    {"--json", NULL, "Print a JSON array of labels a line", AT(count.output.json)},
    {0}};

static const cli_group groups[] = {
    {"Input (pathcount sample arcs.csv --directed -k 5 --number 9):", cli_input_rows,
     offsetof(cli_sample_options, count.input)},
    {"Walks (pathcount sample graph.txt -k 5 --number 9 --from C):", walk_rows, 0},
    {"Running (pathcount sample graph.txt -k 5 --number 9 --threads 2):", cli_running_rows + 1,
     offsetof(cli_sample_options, count.running)},
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
    "vertex twice, and gives up when that may take more than an hour.\n"
    "\n"
    "Examples:\n"
    "  pathcount sample graph.txt --length 20 --number 1000\n"
    "  pathcount sample graph.txt --length 5 --number 10 --from C --to J --seed 7\n"
    "  pathcount sample graph.txt --length 4 --number 10 --simple --json\n"
    "\n"
    "Exit status: as of pathcount count, see its --help. More: man pathcount";

static void complete(cli_parse *parse)
{
    cli_sample_options *options = parse->options;
    if (options->count.input.path == NULL || !options->count.has_length || !options->walks.number)
        argp_error(parse->state,
                   "which walks? For example: pathcount sample %s --length 5 "
                   "--number 10",
                   options->count.input.path != NULL ? options->count.input.path : "graph.txt");
    options->walks.length = options->count.length;
}

const cli_command cli_sample_command = {.name = "sample",
                                        .summary = "random walks, drawn uniformly",
                                        .arguments = "GRAPH --length K --number N",
                                        .doc = doc,
                                        .groups = groups,
                                        .take_argument = cli_count_take_graph,
                                        .complete = complete};

/* ---- Lines ----------------------------------------------------------------------------------- */

enum { PIECE_BYTES = 1 << 19, ESCAPED_BYTES = 6 /* of "\u0001" */ };

typedef struct sample_job {
    cli_sample_options options;
    pc_context *context;
    const pc_labels *labels;
    cli_progress *progress;
    size_t label_bytes; /* of room for one */
    const uint32_t *vertices;
} sample_job;

static void make_lines(void *user, pc_piece *piece)
{
    const sample_job *job = user;
    bool is_json = job->options.count.output.json;
    size_t n_columns = job->options.walks.length + 1;
    char *next = piece->room;
    for (uint64_t i = piece->first * n_columns; i < piece->end * n_columns; i++) {
        bool is_first = i % n_columns == 0, is_last = i % n_columns == n_columns - 1;
        uint32_t vertex = job->vertices[i];
        if (is_json) {
            json_t *label = cli_json_label(job->labels, vertex);
            *next++ = is_first ? '[' : ',';
            next += json_dumpb(label, next, job->label_bytes, JSON_ENCODE_ANY);
            json_decref(label);
        } else {
            *next = '\t';
            next += !is_first;
            next += cli_escape(next, pc_labels_text(job->labels, vertex, next, job->label_bytes));
        }
        next = is_last ? stpcpy(next, is_json ? "]\n" : "\n") : next;
    }
    piece->n_bytes = (size_t)(next - piece->room);
}

static pc_status put_lines(void *user, const pc_piece *piece)
{
    return cli_print_piece(((const sample_job *)user)->context, piece);
}

static pc_status take_walks(void *user, uint64_t n_walks, const uint32_t *vertices)
{
    sample_job *job = user;
    size_t line_bytes = (job->options.walks.length + 1) * job->label_bytes + 2;
    pc_pieces pieces = {.n_items = n_walks, .make = make_lines, .put = put_lines, .user = job};
    cli_progress_end(job->progress);
    job->vertices = vertices;
    pieces.piece_items = line_bytes < PIECE_BYTES ? PIECE_BYTES / line_bytes : 1;
    pieces.piece_items = pieces.piece_items < n_walks ? pieces.piece_items : n_walks;
    pieces.piece_bytes = pieces.piece_items * line_bytes;
    return pc_pieces_put(job->context, &pieces);
}

/* ---- The command ----------------------------------------------------------------------------- */

static pc_status sample(pc_context *context, cli_progress *progress, void *user)
{
    sample_job *job = user;
    const cli_count_options *count = &job->options.count;
    const char *from = job->options.from, *to = job->options.to;
    pc_sample_options *walks = &job->options.walks;
    cli_vertices found = {0};
    pc_graph *graph = NULL;
    /* One vertex is looked for as a pair with itself. */
    cli_named pair = {from != NULL ? from : to, to != NULL ? to : from};
    cli_query_options ends = {CLI_ASK_PAIRS, .named = &pair, .n_named = pair.text != NULL};
    job->context = context;
    job->progress = progress;
    pc_status status =
        cli_load_told(context, &count->input, count->running.is_quiet, progress, &graph);
    if (status == PC_OK)
        status = cli_vertices_find(context, graph, count->input.path, &ends, &found);
    walks->from = from != NULL ? found.from : NULL;
    walks->to = to != NULL ? found.to : NULL;
    job->labels = graph != NULL ? pc_graph_labels(graph) : NULL;
    job->label_bytes = ESCAPED_BYTES * pc_labels_longest(job->labels) + 3;
    if (status == PC_OK)
        status = pc_sample(context, graph, walks, take_walks, job);
    cli_vertices_free(&found);
    pc_graph_free(graph);
    return status;
}

int cli_sample(int argc, char **argv)
{
    sample_job job = {0};
    cli_parse_options(&cli_sample_command, argc, argv, &job.options);
    return cli_run_in_context(&job.options.count.running, sample, &job);
}

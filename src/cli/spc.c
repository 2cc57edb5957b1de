/* `pathcount spc`: search path counts of a graph without cycles, and its main path. */
#include "src/cli/answers.h"
#include "src/cli/files.h"
#include "src/cli/json.h"
#include "src/cli/load.h"
#include "src/cli/main.h"
#include "src/cli/process.h"

#include "pathcount_time.h"

#include <stdlib.h>
#include <string.h>

/* count.output has one place at most, that of the table. */
typedef struct cli_spc_options {
    cli_count_options count;
    int paths;  /* a pc_search_paths */
    int search; /* 0: all arcs; else 1 + a pc_main_path_search */
} cli_spc_options;

typedef struct spc_job {
    const cli_spc_options *options;
    pc_graph *graph;
    pc_labelled_edges *events; /* in time; NULL: the arcs of the graph are weighed */
    pc_arcs arcs;
    const uint32_t *text; /* of events */
    uint64_t *time;       /* the numbers of the texts that are printed */
    pc_counts *weights, *total;
    pc_counts *path; /* the weights of the main path; NULL: all arcs are printed */
    uint64_t *path_arc;
    cli_answers answers;
} spc_job;

/* ---- Command line ---------------------------------------------------------------------------- */

#define AT(member) CLI_AT(cli_spc_options, member)

static const char *const kinds[] = {"spc", "splc", "spnp", NULL};
static const char *const queries[] = {"--spc", "--main-path", "--local-path"};

static const cli_option rows[] = {
    {"--kind", "KIND",
     "spc: paths from sources to sinks; splc: from any vertex to sinks; spnp: between any vertices",
     CLI_CHOICE, AT(paths), .words = kinds},
    {"--main-path", NULL, "Print the path from a source to a sink with the largest sum of weights",
     AT(search), .constant = 1 + PC_MAIN_PATH_GLOBAL},
    {"--local-path", NULL, "Print the path that goes on along the heaviest arc, again and again",
     AT(search), .constant = 1 + PC_MAIN_PATH_LOCAL},
    {"--output", "FILE", "Write the table to FILE (.tsv or .txt)", CLI_FILE,
     AT(count.output.list[0].path), .letter = 'o'},
    {"--json", NULL, "Print one JSON object", AT(count.output.json)},
    {0}};

static const cli_group groups[] = {
    {"Input (pathcount spc citations.csv --directed):", cli_input_rows,
     offsetof(cli_spc_options, count.input)},
    {"Weights (pathcount spc citations.txt --directed --kind splc --main-path):", rows, 0},
    {"Walks in time (pathcount spc events.txt --time-column 3 --wait 60):", cli_time_rows,
     offsetof(cli_spc_options, count.time)},
    {"Running (pathcount spc citations.txt --directed --threads 2):", cli_running_rows + 1,
     offsetof(cli_spc_options, count.running)},
    {NULL, cli_about_rows, 0},
    {0}};

static const char doc[] =
    "Weigh the arcs of a directed graph without cycles, such as a citation network, by the exact "
    "numbers of paths along them, and find its main path (Hummon, Doreian 1989; Batagelj 2003).\v"
    "The answer is a table of from, to and weight: an edge list that --weights reads. A source has "
    "no arc in, a sink no arc out. Walks in time begin with an event that could follow none, and "
    "end with one that none could follow; they may go in circles. The first of several main paths, "
    "in the order of vertices, is "
    "printed.\n\n"
    "Examples:\n"
    "  pathcount spc citations.txt --directed -o weights.tsv\n"
    "  pathcount spc citations.txt --directed --main-path\n"
    "  pathcount spc citations.csv --directed --kind spnp --json\n\n"
    "Exit status: as of pathcount count, see its --help. More: man pathcount";

static void complete(cli_parse *parse)
{
    cli_count_options *count = &((cli_spc_options *)parse->options)->count;
    const char *path = count->output.list[0].path, *ending = path != NULL ? strrchr(path, '.') : "";
    if (count->input.path == NULL)
        argp_error(parse->state,
                   "which graph? For example: pathcount spc citations.txt --directed%s",
                   cli_stdin_advice());
    if (path != NULL &&
        (ending == NULL || (strcmp(ending, ".tsv") != 0 && strcmp(ending, ".txt") != 0)))
        argp_error(parse->state, "--output must end in .tsv or .txt, not as '%s' does", path);
    count->output.n = path != NULL;
    cli_time_complete(parse->state, count);
    count->any_length = count->time.column != NULL;
    cli_graph_is_read(parse->state, &count->input);
    cli_file_is_written(parse->state, "--output", path, PC_FORMAT_EDGE_LIST);
}

const cli_command cli_spc_command = {.name = "spc",
                                     .summary = "search path counts and main paths of citations",
                                     .arguments = "GRAPH",
                                     .doc = doc,
                                     .groups = groups,
                                     .take_argument = cli_count_take_graph,
                                     .complete = complete};

/* ---- The answer ------------------------------------------------------------------------------ */

static void place(const void *user, uint64_t row, uint64_t column, uint64_t vertices[2])
{
    const spc_job *job = user;
    uint64_t arc = job->path != NULL ? job->path_arc[row] : row;
    uint64_t low = 0, high = pc_graph_n_vertices(job->graph);
    (void)column;
    while (high - low > 1) { /* the arc is one of rows low .. high - 1 */
        uint64_t middle = low + (high - low) / 2;
        *(job->arcs.row_start[middle] <= arc ? &low : &high) = middle;
    }
    vertices[0] = low;
    vertices[1] = job->arcs.column[arc];
}

/* Prints the table on standard output, or writes it to a file. */
static pc_status put_table(spc_job *job, pc_context *context, const char *path)
{
    const char *head = job->events != NULL ? "from\tto\ttime\tweight\n" : "from\tto\tweight\n";
    cli_answers *answers = &job->answers;
    pc_status status = PC_OK;
    pc_rows table;
    pc_counts_rows(job->path != NULL ? job->path : job->weights, &table);
    if (path != NULL) {
        cli_clean_beside(path);
        cli_signals_defer();
        answers->has_header = true;
        status = pc_output_open(context, path, &answers->output);
        if (status == PC_OK)
            status = pc_output_write(answers->output, head, strlen(head));
    }
    if (status == PC_OK)
        status = cli_answers_take(answers, 0, &table);
    if (status == PC_OK)
        cli_answers_end(answers);
    if (status == PC_OK)
        status = pc_graph_check(context, job->graph);
    if (status == PC_OK && job->events != NULL)
        status = pc_labelled_edges_check(context, job->events);
    if (status == PC_OK && path != NULL)
        return pc_output_commit(answers->output);
    pc_output_free(answers->output);
    return status;
}

/* Tells the number of all paths, and with --json all. */
static pc_status put_facts(spc_job *job, const cli_count_options *count, const char *kind)
{
    char shown[CLI_DIGITS_BYTES];
    pc_rows total;
    pc_counts_rows(job->total, &total);
    const char *number = cli_answers_text(&job->answers, &total, 0);
    if (job->answers.is_wrong)
        return cli_text_check_fail(job->answers.context, number);
    cli_shorten_number(number, sizeof shown, shown);
    if (!count->running.is_quiet)
        fprintf(stderr, "%s: %s paths\n", kind, shown);
    if (count->output.json)
        cli_json_print_answers(
            "spc", count, job->graph,
            json_pack("{s:s, s:s, s:n}", "kind", kind, "total", number, "relative_error"),
            job->answers.lines);
    return PC_OK;
}

/* Reads the graph, or events and the graph of them. */
static pc_status load(spc_job *job, pc_context *context, cli_progress *progress)
{
    const cli_count_options *count = &job->options->count;
    pc_graph_info info;
    if (count->time.column == NULL) {
        pc_status status =
            cli_load_told(context, &count->input, count->running.is_quiet, progress, &job->graph);
        pc_graph_arcs(job->graph, &job->arcs);
        return status;
    }
    pc_status status =
        cli_load_labelled(context, &count->input, count->time.column, &job->events, &job->graph);
    cli_progress_end(progress);
    pc_labelled_edges_arcs(job->events, &job->arcs, &job->text);
    pc_labelled_edges_get_info(job->events, &info);
    if (status == PC_OK && !count->running.is_quiet)
        cli_print_graph(stderr, &count->input, &info);
    return status;
}

/* Weighs the arcs, or events, and finds the main path where it is asked for. */
static pc_status weigh(spc_job *job, pc_context *context)
{
    const cli_spc_options *options = job->options;
    const char *wait = options->count.time.wait;
    pc_search_paths paths = (pc_search_paths)options->paths;
    pc_main_path_search search = (pc_main_path_search)(options->search - 1);
    pc_status status =
        job->events != NULL
            ? pc_time_path_counts(context, job->events, paths, wait, &job->weights, &job->total)
            : pc_search_path_counts(context, job->graph, paths, &job->weights, &job->total);
    pc_rows rows;
    pc_counts_rows(job->weights, &rows);
    if (status == PC_OK && options->search) {
        job->path_arc = cli_need(calloc(rows.n_rows + 1, sizeof *job->path_arc));
        status = job->events != NULL ? pc_time_main_path(context, job->events, wait, job->weights,
                                                         search, job->path_arc, &job->path)
                                     : pc_main_path(context, job->graph, job->weights, search,
                                                    job->path_arc, &job->path);
        pc_counts_rows(job->path, &rows);
    }
    if (status != PC_OK || job->events == NULL)
        return job->events != NULL ? cli_name_input(context, &options->count.input, status)
                                   : status;
    job->time = cli_need(calloc(rows.n_rows + 1, sizeof *job->time));
    for (uint64_t i = 0; i < rows.n_rows; i++)
        job->time[i] = job->text[job->path != NULL ? job->path_arc[i] : i];
    return PC_OK;
}

static pc_status answer(pc_context *context, cli_progress *progress, void *user)
{
    spc_job *job = user;
    const cli_count_options *count = &job->options->count;
    bool in_time = count->time.column != NULL;
    pc_status status = load(job, context, progress);
    if (status == PC_OK)
        status = weigh(job, context);
    cli_progress_end(progress);
    job->answers = (cli_answers){.context = context,
                                 .labels = pc_graph_labels(job->graph),
                                 .place = place,
                                 .user = job,
                                 .distances = job->time,
                                 .texts = pc_labelled_edges_texts(job->events),
                                 .columns = {"from", "to", in_time ? "time" : "weight", "weight"},
                                 .n_columns = 3 + in_time,
                                 .is_json = count->output.json && count->output.n == 0,
                                 .check = cli_text_check_for(0)};
    if (status == PC_OK)
        status = put_table(job, context, count->output.list[0].path);
    if (status == PC_OK)
        status = put_facts(job, count, kinds[job->options->paths]);
    cli_answers_free(&job->answers);
    pc_counts_free(job->weights);
    pc_counts_free(job->total);
    pc_counts_free(job->path);
    pc_graph_free(job->graph);
    pc_labelled_edges_free(job->events);
    free(job->path_arc);
    free(job->time);
    return status;
}

int cli_spc(int argc, char **argv)
{
    cli_spc_options options = {.count.query.question = CLI_ASK_TOTAL};
    spc_job job = {.options = &options};
    cli_parse_options(&cli_spc_command, argc, argv, &options);
    options.count.query.option = queries[options.search];
    return cli_run_in_context(&options.count.running, answer, &job);
}

/* The command line of `pathcount batch`. */
#include "src/cli/batch/batch_options.h"

#include "src/cli/batch/job_names.h"
#include "src/cli/batch/stream.h"
#include "src/cli/exit_codes.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_WORKERS 1024
#define MAX_RETRIES 1000

enum {
    KEY_OUT = 0x800,
    KEY_MANIFEST,
    KEY_JOBS,
    KEY_TIMEOUT,
    KEY_RESUME,
    KEY_RETRY,
    KEY_REPORT,
    KEY_AS,
    KEY_OUTPUT,
    KEY_JSON,
    KEY_EXPLAIN
};

/* The last three are of a single count: here they only say what to write instead. */
static const struct argp_option batch_options[] = {
    {"out", KEY_OUT, "DIR", 0, "Folder of results and manifest.jsonl (required)", 0},
    {"manifest", KEY_MANIFEST, "FILE", 0, "More datasets, a line each, see below", 0},
    {"as", KEY_AS, "FORMAT", 0, "Format of results (default: mtx; tsv of a query)", 0},
    {"jobs", KEY_JOBS, "N", 0, "Jobs at once (default: as many as processors)", 0},
    {"timeout", KEY_TIMEOUT, "SECONDS", 0, "A dataset that takes longer has failed", 0},
    {"retry", KEY_RETRY, "N", 0, "Times to repeat what crashed, hung or was killed", 0},
    {"resume", KEY_RESUME, NULL, 0, "Only what failed, changed, is damaged or missing", 0},
    {"report", KEY_REPORT, NULL, 0, "Also write DIR/report.html, a page with pictures", 0},
    {"output", KEY_OUTPUT, "FILE", OPTION_HIDDEN, NULL, 0},
    {NULL, 'o', "FILE", OPTION_HIDDEN, NULL, 0},
    {"json", KEY_JSON, NULL, OPTION_HIDDEN, NULL, 0},
    {"explain", KEY_EXPLAIN, NULL, OPTION_HIDDEN, NULL, 0},
    {0}};

static double parse_timeout(const struct argp_state *state, const char *text)
{
    char *end = NULL;
    errno = 0;
    double seconds = strtod(text, &end);
    if (end == text || *end != '\0' || errno != 0 || !(seconds > 0) || isinf(seconds))
        argp_error(state, "--timeout must be a number of seconds above 0, not '%s'", text);
    return seconds;
}

static const char *parse_ending(const struct argp_state *state, const char *text)
{
    if (!cli_job_ending_is_known(text))
        argp_error(state, "--as must be " CLI_JOB_ENDINGS ", not '%s'", text);
    return text;
}

static error_t refuse_option(int key, const struct argp_state *state)
{
    if (key == KEY_OUTPUT || key == 'o')
        argp_error(state, "results go into a folder: --out DIR instead of --output");
    if (key == KEY_JSON)
        argp_error(state, "results are files: --as json instead of --json");
    if (key == KEY_EXPLAIN)
        argp_error(state, "--explain is for one graph: pathcount GRAPH --explain");
    return ARGP_ERR_UNKNOWN;
}

static error_t parse_batch(int key, char *argument, struct argp_state *state)
{
    cli_batch_options *options = state->input;
    switch (key) {
    case KEY_OUT:
        options->folder = argument;
        return 0;
    case KEY_MANIFEST:
        options->manifest_path = argument;
        return 0;
    case KEY_JOBS:
        options->n_workers = (int)cli_parse_integer(state, "--jobs", argument, 1, MAX_WORKERS);
        return 0;
    case KEY_TIMEOUT:
        options->timeout_seconds = parse_timeout(state, argument);
        return 0;
    case KEY_RESUME:
        options->resume = true;
        return 0;
    case KEY_RETRY:
        options->n_retries =
            (unsigned)cli_parse_integer(state, "--retry", argument, 0, MAX_RETRIES);
        return 0;
    case KEY_REPORT:
        options->report = true;
        return 0;
    case KEY_AS:
        options->ending = parse_ending(state, argument);
        return 0;
    }
    return refuse_option(key, state);
}

static const struct argp batch_argp = {.options = batch_options, .parser = parse_batch};

/* ---- What is left to check ------------------------------------------------------------------- */

static void check_length(const struct argp_state *state, const cli_batch_options *options)
{
    if (!options->count.has_length)
        argp_error(state, "how long are the paths? For example: pathcount batch %s --length 8%s%s",
                   options->paths[0], options->folder != NULL ? " --out " : " --total",
                   options->folder != NULL ? options->folder : "");
}

static void check_stream_options(const struct argp_state *state, const cli_batch_options *options)
{
    const char *option = options->resume                ? "--resume"
                         : options->report              ? "--report"
                         : options->ending != NULL      ? "--as"
                         : options->n_retries > 0       ? "--retry"
                         : options->timeout_seconds > 0 ? "--timeout"
                         : options->n_workers > 0       ? "--jobs (--threads is)"
                                                        : NULL;
    if (option != NULL)
        argp_error(state,
                   "%s is not for a stream of small graphs: its answers are lines on "
                   "standard output",
                   option);
}

/* A row a graph on standard output. */
static void complete_stream(const struct argp_state *state, cli_batch_options *options)
{
    cli_question question = options->count.query.question;
    check_length(state, options);
    if (question != CLI_ASK_TOTAL && question != CLI_ASK_CLOSED && question != CLI_ASK_TRACE)
        argp_error(state,
                   "a stream of small graphs is asked for --total, --closed or both. For example: "
                   "pathcount batch %s --length 8 --total",
                   options->paths[0]);
    check_stream_options(state, options);
    cli_query_options_complete(state, &options->count);
}

/* Standard input and the folders of TUDatasets are nothing but streams. A file of graph6 with --out
 * is a dataset like any other. */
static void check_paths(const struct argp_state *state, const cli_batch_options *options)
{
    for (size_t i = 0; i < options->n_paths; i++) {
        const char *path = options->paths[i];
        if (strcmp(path, "-") == 0)
            argp_error(state, "standard input is a stream of small graphs: it must be the only "
                              "PATH, without --out and --manifest");
        if (pc_stream_is_folder(path))
            argp_error(state,
                       "'%s' is a TUDataset, a stream of small graphs: it must be the only PATH, "
                       "without --out and --manifest",
                       path);
    }
}

static void check_query(const struct argp_state *state, const cli_batch_options *options)
{
    const cli_query_options *query = &options->count.query;
    if (query->beside_option != NULL)
        argp_error(state,
                   "%s and %s exclude each other (only a stream of small graphs answers both)",
                   query->option, query->beside_option);
    if (cli_query_reads_stdin(query))
        argp_error(state,
                   "the vertices of many jobs cannot be read from standard input: use a file");
}

static void check_jobs(const struct argp_state *state, const cli_batch_options *options)
{
    check_paths(state, options);
    if (options->folder == NULL)
        argp_error(state,
                   "where do the results go? For example: pathcount batch %s --length 8 "
                   "--out results",
                   options->n_paths > 0 ? options->paths[0] : "--manifest jobs.jsonl");
    if (options->folder[0] == '\0')
        argp_error(state, "--out must name a folder");
    if (options->manifest_path == NULL)
        check_length(state, options);
    check_query(state, options);
}

static void complete(const struct argp_state *state, cli_batch_options *options)
{
    if (options->n_paths == 0 && options->manifest_path == NULL)
        argp_error(state, "which datasets? For example: pathcount batch graphs/ --length 8 --out "
                          "results");
    if (options->folder == NULL && options->manifest_path == NULL && options->n_paths == 1 &&
        cli_is_stream(options->paths[0]))
        complete_stream(state, options);
    else
        check_jobs(state, options);
}

/* ---- The command ----------------------------------------------------------------------------- */

static const struct argp_child children[] = {
    {&batch_argp, 0, "Batch (pathcount batch graphs/ --length 8 --out results --resume):", 1},
    {&cli_input_argp, 0, "Input (pathcount batch graphs/ --length 8 --weights --out results):", 2},
    {&cli_counting_argp, 0,
     "Counting (pathcount batch graphs/ --length 99 --mod 7 --out results):", 3},
    {&cli_paths_argp, 0,
     "Which paths (pathcount batch graphs/ --length 8 --markov --out results):", 4},
    {&cli_query_argp, 0,
     "Less than all pairs (pathcount batch graphs/ -k 8 --total --out totals):", 5},
    {&cli_running_many_argp, 0,
     "Running (pathcount batch graphs/ --length 8 --memory-limit 4G --out results):", 6},
    {&cli_about_argp, 0, NULL, 7},
    {0}};

static const char doc[] =
    "Count the paths of length K in many datasets, each in a process of its own: what crashes, "
    "hangs or does not fit in memory fails alone. Or in each graph of a stream of small ones.\n"
    "\n"
    "Each result is DIR/NAME.FORMAT, NAME being that of the dataset. DIR/manifest.jsonl says what "
    "became of each: a line a dataset, in JSON.\v"
    "PATH is a graph file, or a folder: then all files in it that are called like graphs. A file "
    "may be packed (gz, zst, xz, bz2). FORMAT is tsv, csv, mtx, npy or json, for a query tsv or "
    "json; "
    ".gz or .zst after that packs a matrix.\n"
    "\n"
    "The lines of --manifest FILE (- for standard input) are paths, relative to the current "
    "folder, or objects such as\n"
    "  {\"input\": \"a.txt\", \"options\": [\"--directed\", \"--length=4\"], \"name\": \"a4\"}\n"
    "whose options replace those of the command line. Lines of an earlier manifest.jsonl may be "
    "given again. Empty lines and lines that start with # are skipped.\n"
    "\n"
    "A stream is -, a file in graph6, sparse6 or digraph6 (.g6, .s6, .d6), or the folder of a "
    "TUDataset, alone and without --out; with --total, --closed or both. It is answered on "
    "standard output, a line a graph.\n"
    "\n"
    "Examples:\n"
    "  pathcount batch graphs/ --length 8 --out results --report\n"
    "  pathcount batch a.txt b.mtx --length 20 --total --each --out totals\n"
    "  pathcount batch --manifest jobs.jsonl --length 8 --timeout 60 --out results\n"
    "  geng 9 | pathcount batch - --length 8 --total\n"
    "\n"
    "Exit status: 0 every job succeeded, 1 some failed, else as of pathcount count, see its "
    "--help. "
    "More: man pathcount";

static void take_path(struct argp_state *state, const char *path)
{
    cli_batch_options *options = state->input;
    const char **grown = realloc(options->paths, (options->n_paths + 1) * sizeof *grown);
    if (grown == NULL)
        argp_failure(state, CLI_UNAVAILABLE, 0, "out of memory");
    options->paths = grown;
    options->paths[options->n_paths++] = path;
}

static error_t parse_command(int key, char *argument, struct argp_state *state)
{
    cli_batch_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = options;
        state->child_inputs[1] = &options->count.input;
        state->child_inputs[2] = &options->count;
        state->child_inputs[3] = state->child_inputs[4] = &options->count.query;
        state->child_inputs[5] = &options->count.running;
        return 0;
    case ARGP_KEY_ARG:
        take_path(state, argument);
        return 0;
    case ARGP_KEY_END:
        complete(state, options);
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

void cli_batch_options_parse(int argc, char **argv, cli_batch_options *options)
{
    static const struct argp command = {
        .parser = parse_command,
        .args_doc = "PATH... --length K --out DIR\nSTREAM --length K --total",
        .doc = doc,
        .children = children,
        .help_filter = cli_help_filter};
    *options = (cli_batch_options){.count.query.may_ask_both = true};
    cli_parse(&command, argc, argv, ARGP_NO_HELP, options);
}

void cli_batch_options_free(cli_batch_options *options)
{
    free(options->count.query.named);
    free(options->paths);
    *options = (cli_batch_options){0};
}

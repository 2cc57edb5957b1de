/* The command line of `pathcount batch`, and the options of one job. The options of a line of
 * --manifest replace those of the command line, because they are parsed into a copy of them. */
#define _GNU_SOURCE /* fopencookie */
#include "src/cli/batch/options.h"

#include "src/cli/process.h"
#include "src/cli/text.h"
#include "tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AT(member)  CLI_AT(cli_batch_options, member)
#define MOST_SHARDS 1000000

/* ---- Options --------------------------------------------------------------------------------- */

/* "2/5" */
static void take_shard(cli_parse *parse, void *object, char *argument)
{
    cli_batch_options *options = object;
    int length = 0;
    bool is_good =
        strspn(argument, "0123456789/") == strlen(argument) &&
        sscanf(argument, "%7u/%7u%n", &options->shard, &options->n_shards, &length) == 2 &&
        argument[length] == '\0' && options->shard >= 1 && options->shard <= options->n_shards &&
        options->n_shards <= MOST_SHARDS;
    if (!is_good)
        argp_error(parse->state,
                   "%s must be I/N, shard I of N, such as 2/5, with I from 1 to N, not '%s'",
                   parse->option->name, argument);
}

/* The last three are options of a single count. Here their messages say what to write instead. */
static const cli_option batch_rows[] = {
    {"--out", "DIR", "Folder of results and manifest.jsonl (required)", CLI_FOLDER, AT(folder)},
    {"--manifest", "FILE", "More datasets, a line each, see below", CLI_FILE, AT(manifest_path)},
    {"--as", "FORMAT", "Format of results (default: mtx; tsv of a query)", CLI_TEXT, AT(ending),
     .take = cli_take_as, .list_words = cli_result_words, .job = CLI_OF_RESULT},
    {"--jobs", "N", "Jobs at once (default: as many as processors)", CLI_INTEGER, AT(n_workers),
     .least = 1, .most = 1024},
    {"--timeout", "SECONDS", "A dataset that takes longer has failed", CLI_NUMBER,
     AT(timeout_seconds), .unit = " of seconds"},
    {"--retry", "N", "Times to repeat what crashed, hung or was killed", CLI_INTEGER, AT(n_retries),
     .most = 1000},
    {"--resume", NULL, "Only what failed, changed, is damaged or missing", AT(resume)},
    {"--shard", "I/N", "Only each Nth dataset, from number I on (below)", CLI_TEXT, AT(n_shards),
     .take = take_shard},
    {"--report", NULL, "Also write DIR/report.html, a page with pictures", AT(report)},
    {"--output", "FILE", NULL, CLI_FILE, .letter = 'o',
     .refusal = "results go into a folder: --out DIR instead of --output"},
    {"--json", .refusal = "results are files: --as json instead of --json"},
    {"--explain", .refusal = "--explain is for one graph: pathcount GRAPH --explain"},
    {0}};

static const cli_group groups[] = {
    {"Batch (pathcount batch graphs/ --length 8 --out results --resume):", batch_rows, 0},
    {"Input (pathcount batch graphs/ --length 8 --weights --out results):", cli_input_rows,
     offsetof(cli_batch_options, count.input)},
    {"Counting (pathcount batch graphs/ --length 99 --mod 7 --out results):", cli_counting_rows,
     offsetof(cli_batch_options, count)},
    {"Which paths (pathcount batch graphs/ --length 8 --markov --out results):", cli_paths_rows,
     offsetof(cli_batch_options, count.query)},
    {"Less than all pairs (pathcount batch graphs/ -k 8 --total --out totals):", cli_query_rows,
     offsetof(cli_batch_options, count.query)},
    {"Running (pathcount batch graphs/ --length 8 --memory-limit 4G --out results):",
     cli_running_rows + 1, offsetof(cli_batch_options, count.running)},
    {NULL, cli_about_rows, 0},
    {0}};

/* ---- Options that are recorded --------------------------------------------------------------- */

/* Notes an option that results depend on. The first option of a set replaces what was noted of that
 * set, and an option without a set replaces itself: so a line of --manifest replaces options of the
 * command line. */
static void note_option(cli_parse *parse)
{
    cli_batch_options *options = parse->options;
    const cli_option *option = parse->option;
    const struct argp_state *state = parse->state;
    bool has_set = option->set != CLI_NO_SET;
    bool clears = !has_set || parse->in_set[option->set] == NULL;
    bool is_pair = option->value == CLI_TEXT && strchr(option->argument, ' ') != NULL &&
                   state->next < state->argc;
    if (option->job != CLI_OF_RESULT || option->take == cli_take_as)
        return;
    cli_given *given = cli_need(realloc(options->given, (options->n_given + 1) * sizeof *given));
    size_t n = 0;
    for (size_t i = 0; i < options->n_given; i++) {
        const cli_option *other = given[i].option;
        if (!clears || (has_set ? other->set != option->set : other != option))
            given[n++] = given[i];
    }
    given[n++] = (cli_given){option, parse->argument, is_pair ? state->argv[state->next] : NULL};
    options->given = given;
    options->n_given = n;
}

/* NULL when one of the texts is not UTF-8. */
static json_t *record(const cli_batch_options *job)
{
    json_t *texts = json_array();
    bool is_whole = true;
    for (size_t i = 0; i < job->n_given; i++) {
        const cli_given *given = &job->given[i];
        const char *value = given->value != NULL ? given->value : "";
        is_whole &=
            json_array_append_new(texts, json_sprintf("%s%s%s", given->option->name,
                                                      given->value != NULL ? "=" : "", value)) == 0;
        if (given->second != NULL)
            is_whole &= json_array_append_new(texts, json_string(given->second)) == 0;
    }
    json_array_append_new(texts, json_sprintf("--as=%s", job->ending));
    if (is_whole)
        return texts;
    json_decref(texts);
    return NULL;
}

/* ---- Checks ---------------------------------------------------------------------------------- */

static void check_query(const struct argp_state *state, const cli_query_options *query)
{
    if (query->each && query->question == CLI_ASK_MATRIX)
        argp_error(state, "--each needs a query, such as --total");
    if (cli_query_reads_stdin(query))
        argp_error(state,
                   "the vertices of many jobs cannot be read from standard input: use a file");
}

static void check_length(const struct argp_state *state, const cli_batch_options *options)
{
    if (cli_lacks_length(&options->count))
        argp_error(state, "how long are the paths? For example: pathcount batch %s --length 8%s%s",
                   options->paths[0], options->folder != NULL ? " --out " : " --total",
                   options->folder != NULL ? options->folder : "");
}

/* Checks the question of a stream, which prints a row for each graph. */
static void complete_stream(const struct argp_state *state, cli_batch_options *options)
{
    cli_question question = options->count.query.question;
    check_length(state, options);
    if (!cli_question_kind_of(question)->may_stream)
        argp_error(state,
                   "a stream of small graphs is asked for --total, --closed or both. For example: "
                   "pathcount batch %s --length 8 --total",
                   options->paths[0]);
    const char *option = options->resume                ? "--resume"
                         : options->report              ? "--report"
                         : options->ending != NULL      ? "--as"
                         : options->n_retries > 0       ? "--retry"
                         : options->timeout_seconds > 0 ? "--timeout"
                         : options->n_workers > 0       ? "--jobs (--threads is)"
                         : options->n_shards > 0        ? "--shard"
                                                        : NULL;
    if (option != NULL)
        argp_error(state,
                   "%s is not for a stream of small graphs: its answers are lines on "
                   "standard output",
                   option);
    cli_query_options_complete(state, &options->count);
}

/* Standard input and the folders of TUDatasets can only be streams. A file of graph6 with --out is
 * a dataset like any other. */
static void complete_jobs(const struct argp_state *state, const cli_batch_options *options)
{
    const cli_query_options *query = &options->count.query;
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
    if (options->folder == NULL)
        argp_error(state,
                   "where do the results go? For example: pathcount batch %s --length 8 "
                   "--out results",
                   options->n_paths > 0 ? options->paths[0] : "--manifest jobs.jsonl");
    if (options->folder[0] == '\0')
        argp_error(state, "--out must name a folder");
    if (options->manifest_path == NULL)
        check_length(state, options);
    if (query->beside_option != NULL)
        argp_error(state,
                   "%s and %s exclude each other (only a stream of small graphs answers both)",
                   query->option, query->beside_option);
    check_query(state, query);
}

static void complete(cli_parse *parse)
{
    const struct argp_state *state = parse->state;
    cli_batch_options *options = parse->options;
    if (options->n_shards > 0 && options->report)
        argp_error(state, "--report is about all shards: join their manifests, and then run the "
                          "batch with --resume --report");
    if (options->n_paths == 0 && options->manifest_path == NULL)
        argp_error(
            state,
            "which datasets? For example: pathcount batch graphs/ --length 8 --out results%s",
            cli_stdin_advice());
    if (options->folder == NULL && options->manifest_path == NULL && options->n_paths == 1 &&
        cli_is_stream(options->paths[0]))
        complete_stream(state, options);
    else
        complete_jobs(state, options);
}

/* ---- The command ----------------------------------------------------------------------------- */

static const char doc[] =
    "Count the paths of length K in many datasets, each in a process of its own: what crashes, "
    "hangs or does not fit in memory fails alone. Or in each graph of a stream of small ones.\n"
    "\n"
    "Each result is DIR/NAME.FORMAT, NAME being that of the dataset. DIR/manifest.jsonl says what "
    "became of each: a line a dataset, in JSON.\v"
    "PATH is a graph file, or a folder: then all files in it that are called like graphs. A file "
    "may be packed (gz, zst, xz, bz2). FORMAT is tsv, csv, pairs.tsv, mtx, npy, npz or json, for a "
    "query "
    "tsv or json; .gz or .zst after that packs a matrix.\n"
    "\n"
    "The lines of --manifest FILE (- for standard input) are paths, relative to the current "
    "folder, or objects such as\n"
    "  {\"input\": \"a.txt\", \"options\": [\"--directed\", \"--length=4\"], \"name\": \"a4\"}\n"
    "whose options replace those of the command line. Lines of an earlier manifest.jsonl may be "
    "given again. Empty lines and lines that start with # are skipped.\n"
    "\n"
    "--shard I/N runs a part of the list of datasets, the same on any machine: for the array job "
    "of "
    "a scheduler, with one folder for all shards. DIR/manifest.I-of-N.jsonl is its manifest. When "
    "all are "
    "done, cat DIR/manifest.*-of-N.jsonl > DIR/manifest.jsonl makes one run of them.\n"
    "\n"
    "A stream is -, a file in graph6, sparse6 or digraph6 (.g6, .s6, .d6), or the folder of a "
    "TUDataset, alone and without --out; with --total, --closed or both. It is answered on "
    "standard output, a line a graph.\n"
    "\n"
    "Examples:\n"
    "  pathcount batch graphs/ --length 8 --out results --report\n"
    "  pathcount batch a.txt b.mtx --length 20 --total --each --out totals\n"
    "  pathcount batch --manifest jobs.jsonl --length 8 --timeout 60 --out results\n"
    "  pathcount batch graphs/ --length 8 --shard 2/5 --out results\n"
    "  geng 9 | pathcount batch - --length 8 --total\n"
    "\n"
    "Exit status: 0 every job succeeded, 1 some failed, else as of pathcount count, see its "
    "--help. "
    "More: man pathcount";

static void take_path(cli_parse *parse, char *path)
{
    cli_batch_options *options = parse->options;
    options->paths =
        cli_need(realloc(options->paths, (options->n_paths + 1) * sizeof *options->paths));
    options->paths[options->n_paths++] = path;
}

const cli_command cli_batch_command = {
    .name = "batch",
    .summary = "many datasets, or a stream of small graphs",
    .arguments = "PATH... --length K --out DIR\nSTREAM --length K --total",
    .doc = doc,
    .groups = groups,
    .check_option = note_option,
    .take_argument = take_path,
    .complete = complete};

void cli_batch_options_parse(int argc, char **argv, cli_batch_options *options)
{
    *options = (cli_batch_options){.count.query.may_ask_both = true};
    cli_parse_options(&cli_batch_command, argc, argv, options);
}

void cli_batch_options_free(cli_batch_options *options)
{
    free(options->count.query.named);
    free(options->given);
    free(options->paths);
    *options = (cli_batch_options){0};
}

/* ---- The options of one job ------------------------------------------------------------------ */

/* The name that begins messages of argp, which would leave out what stands before its last '/'. */
typedef struct message {
    const char *name;
    bool has_begun;
} message;

/* Writes the first line to standard error, with the whole name. The advice to try --help is left
 * out: it comes after that line, or alone after a message of getopt. */
static ssize_t write_first_line(void *cookie, const char *text, size_t n_bytes)
{
    static const char advice[] = "Try `";
    message *to = cookie;
    const char *slash = strrchr(to->name, '/'), *stop = memchr(text, '\n', n_bytes);
    size_t n_cut = strlen(slash != NULL ? slash + 1 : to->name);
    size_t length = stop != NULL ? (size_t)(stop - text) : n_bytes;
    bool is_advice = n_bytes >= strlen(advice) && strncmp(text, advice, strlen(advice)) == 0;
    if (!to->has_begun && !is_advice && length > n_cut)
        fprintf(stderr, "%s%.*s\n", to->name, (int)(length - n_cut), text + n_cut);
    to->has_begun = true;
    return (ssize_t)n_bytes;
}

/* The stream is never closed: the process ends after the first message, and exit() flushes it. */
static void begin_line(cli_parse *parse)
{
    static FILE *messages;
    static message to;
    cookie_io_functions_t functions = {.write = write_first_line};
    if (messages == NULL)
        messages = fopencookie(&to, "w", functions);
    to.name = parse->state->argv[0];
    parse->state->err_stream = messages != NULL ? messages : stderr;
}

static void take_line_option(cli_parse *parse)
{
    if (parse->option->job == CLI_NOT_OF_JOB)
        argp_error(parse->state,
                   "%s is no option of a single dataset: it may have those of input, counting and "
                   "queries, and --as",
                   parse->option->name);
    note_option(parse);
}

static void refuse_argument(cli_parse *parse, char *argument)
{
    argp_error(parse->state, "among options there can be no path: '%s'", argument);
}

static void complete_line(cli_parse *parse)
{
    const struct argp_state *state = parse->state;
    cli_batch_options *job = parse->options;
    const cli_query_options *query = &job->count.query;
    bool is_query = query->question != CLI_ASK_MATRIX;
    if (cli_lacks_length(&job->count))
        argp_error(state, "how long are the paths? For example: --length 8");
    cli_query_options_complete(state, &job->count);
    if (query->question == CLI_ASK_TOP_EACH) /* verify of the folder could not read the result */
        argp_error(state, "--top-each is for one graph: pathcount GRAPH --top-each N");
    if (cli_tells_distances(query->question, query->paths))
        argp_error(state, "--shortest %s is for one graph: pathcount GRAPH --shortest %s",
                   query->option, query->option);
    check_query(state, query);
    if (job->ending == NULL)
        job->ending = is_query ? "tsv" : "mtx";
    job->count.output.json = is_query && strcmp(job->ending, "json") == 0;
    if (is_query && !job->count.output.json && strcmp(job->ending, "tsv") != 0)
        argp_error(state, "--as %s is for a matrix: what %s asks for is written as tsv or json",
                   job->ending, query->option);
}

static const cli_command line_command = {.name = "batch",
                                         .groups = groups,
                                         .begin = begin_line,
                                         .check_option = take_line_option,
                                         .take_argument = refuse_argument,
                                         .complete = complete_line};

/* A copy of n_bytes that may grow; also of none. */
static void *copy_of(const void *bytes, size_t n_bytes)
{
    void *copy = cli_need(malloc(n_bytes + 1));
    return n_bytes > 0 ? memcpy(copy, bytes, n_bytes) : copy;
}

void cli_batch_options_parse_line(const cli_batch_options *batch, const char *where, int n,
                                  char **arguments, cli_count_options *count, const char **ending,
                                  json_t **recorded)
{
    static const char command[] = "pathcount batch";
    cli_batch_options job = *batch;
    cli_query_options *query = &job.count.query;
    size_t size = sizeof command + (where != NULL ? 2 + strlen(where) : 0);
    char *name = cli_need(malloc(size)), **argv = cli_need(calloc((size_t)n + 2, sizeof *argv));
    query->named = copy_of(query->named, query->n_named * sizeof *query->named);
    job.given = copy_of(job.given, job.n_given * sizeof *job.given);
    snprintf(name, size, "%s%s%s", command, where != NULL ? ": " : "", where != NULL ? where : "");
    query->may_ask_both = false;
    argv[0] = name;
    for (int i = 0; i < n; i++)
        argv[1 + i] = arguments[i];
    cli_parse_options(&line_command, 1 + n, argv, &job);
    *count = job.count;
    *ending = job.ending;
    *recorded = record(&job);
    free(job.given);
    free(argv);
    free(name);
}

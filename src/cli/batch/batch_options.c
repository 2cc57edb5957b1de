/* The command line of `pathcount batch`. */
#include "src/cli/batch/batch_options.h"

#include "src/cli/batch/shard.h"
#include "src/cli/batch/stream.h"
#include "src/cli/process.h"
#include "src/cli/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AT(member) CLI_AT(cli_batch_options, member)

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
        options->n_shards <= CLI_MOST_SHARDS;
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
    {"--shard", "I/N", "Only each Nth dataset, from number I on, see below", CLI_TEXT, AT(n_shards),
     .take = take_shard},
    {"--merge", NULL, "Join the shards in folders PATH, or DIR, into DIR", AT(merges)},
    {"--report", NULL, "Also write DIR/report.html, a page with pictures", AT(report)},
    {"--output", "FILE", NULL, CLI_FILE, .letter = 'o',
     .refusal = "results go into a folder: --out DIR instead of --output"},
    {"--json", .refusal = "results are files: --as json instead of --json"},
    {"--explain", .refusal = "--explain is for one graph: pathcount GRAPH --explain"},
    {0}};

const cli_group cli_batch_groups[] = {
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
                         : options->n_shards > 0        ? "--shard"
                                                        : NULL;
    if (option != NULL)
        argp_error(state,
                   "%s is not for a stream of small graphs: its answers are lines on "
                   "standard output",
                   option);
}

/* A stream prints a row for each graph. */
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

/* Standard input and the folders of TUDatasets can only be streams. A file of graph6 with --out is
 * a dataset like any other. */
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
    if (query->each && query->question == CLI_ASK_MATRIX)
        argp_error(state, "--each needs a query, such as --total");
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

/* Nothing is counted, so that other options would have no effect. */
static void complete_merge(const cli_parse *parse)
{
    static const char *const known[] = {"--merge", "--out", "--no-sync", "--quiet"};
    const cli_batch_options *options = parse->options;
    for (size_t r = 0; r < parse->n_rows; r++) {
        bool is_known = !parse->given[r];
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            is_known = is_known || strcmp(parse->rows[r]->name, known[k]) == 0;
        if (!is_known)
            argp_error(parse->state, "%s has no meaning with --merge: nothing is counted",
                       parse->rows[r]->name);
    }
    if (options->folder == NULL || options->folder[0] == '\0')
        argp_error(parse->state,
                   "where do the results go? For example: pathcount batch --merge %s --out results",
                   options->n_paths > 0 ? options->paths[0] : "shards/*");
}

static void complete(cli_parse *parse)
{
    const struct argp_state *state = parse->state;
    cli_batch_options *options = parse->options;
    if (options->merges) {
        complete_merge(parse);
        return;
    }
    if (options->n_shards > 0 && options->report)
        argp_error(state, "--report is about all shards: join them by --merge, and then run the "
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
        check_jobs(state, options);
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
    "a scheduler, with a folder for each shard or one for all. DIR/manifest.I-of-N.jsonl is its "
    "manifest. When all shards are done, --merge makes of them what one run would have made.\n"
    "\n"
    "A stream is -, a file in graph6, sparse6 or digraph6 (.g6, .s6, .d6), or the folder of a "
    "TUDataset, alone and without --out; with --total, --closed or both. It is answered on "
    "standard output, a line a graph.\n"
    "\n"
    "Examples:\n"
    "  pathcount batch graphs/ --length 8 --out results --report\n"
    "  pathcount batch a.txt b.mtx --length 20 --total --each --out totals\n"
    "  pathcount batch --manifest jobs.jsonl --length 8 --timeout 60 --out results\n"
    "  pathcount batch graphs/ --length 8 --shard 2/5 --out part2\n"
    "  pathcount batch --merge parts/* --out results\n"
    "  geng 9 | pathcount batch - --length 8 --total\n"
    "\n"
    "Exit status: 0 every job succeeded, 1 some failed, else as of pathcount count, see its "
    "--help. "
    "More: man pathcount";

static void take_path(cli_parse *parse, char *path)
{
    cli_batch_options *options = parse->options;
    const char **grown = realloc(options->paths, (options->n_paths + 1) * sizeof *grown);
    if (grown == NULL)
        argp_failure(parse->state, CLI_UNAVAILABLE, 0, "out of memory");
    options->paths = grown;
    options->paths[options->n_paths++] = path;
}

const cli_command cli_batch_command = {
    .name = "batch",
    .summary = "many datasets, or a stream of small graphs",
    .arguments =
        "PATH... --length K --out DIR\n--merge [PATH...] --out DIR\nSTREAM --length K --total",
    .doc = doc,
    .groups = cli_batch_groups,
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
    free(options->paths);
    *options = (cli_batch_options){0};
}

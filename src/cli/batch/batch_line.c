/* Parses the options of one job. The options of a line replace those of the command line, because
 * they are parsed into a copy of them. */
#define _GNU_SOURCE /* fopencookie */
#include "src/cli/batch/batch_options.h"

#include "src/cli/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Messages -------------------------------------------------------------------------------- */

/* Where messages of argp go: they begin with what follows the last '/' of the name, and advice to
 * try --help comes after them, or alone where getopt has said what is wrong. */
typedef struct message {
    const char *name;
    bool has_begun;
} message;

/* Writes the first line to standard error, with the whole name, unless it is the advice. */
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
static FILE *open_messages(const char *name)
{
    static FILE *messages;
    static message to;
    cookie_io_functions_t functions = {.write = write_first_line};
    if (messages == NULL)
        messages = fopencookie(&to, "w", functions);
    to.name = name;
    return messages != NULL ? messages : stderr;
}

/* ---- Parsing --------------------------------------------------------------------------------- */

static void begin(cli_parse *parse)
{
    parse->state->err_stream = open_messages(parse->state->argv[0]);
}

static void refuse_other_options(cli_parse *parse)
{
    if (parse->option->job == CLI_NOT_OF_JOB)
        argp_error(parse->state,
                   "%s is no option of a single dataset: it may have those of input, counting and "
                   "queries, and --as",
                   parse->option->name);
}

static void refuse_argument(cli_parse *parse, char *argument)
{
    argp_error(parse->state, "among options there can be no path: '%s'", argument);
}

/* What verify of the folder could not read. */
static void check_question(const struct argp_state *state, const cli_query_options *query)
{
    if (query->question == CLI_ASK_TOP_EACH)
        argp_error(state, "--top-each is for one graph: pathcount GRAPH --top-each N");
    if (query->each && query->question == CLI_ASK_MATRIX)
        argp_error(state, "--each needs a query, such as --total");
}

static void check_ending(const struct argp_state *state, cli_batch_options *job)
{
    const cli_query_options *query = &job->count.query;
    bool is_query = query->question != CLI_ASK_MATRIX;
    if (job->ending == NULL)
        job->ending = is_query ? "tsv" : "mtx";
    job->count.output.json = is_query && strcmp(job->ending, "json") == 0;
    if (is_query && !job->count.output.json && strcmp(job->ending, "tsv") != 0)
        argp_error(state, "--as %s is for a matrix: what %s asks for is written as tsv or json",
                   job->ending, query->option);
}

static void complete(cli_parse *parse)
{
    cli_batch_options *job = parse->options;
    if (!job->count.has_length)
        argp_error(parse->state, "how long are the paths? For example: --length 8");
    if (cli_query_reads_stdin(&job->count.query))
        argp_error(parse->state,
                   "the vertices of many jobs cannot be read from standard input: use a file");
    cli_query_options_complete(parse->state, &job->count);
    check_question(parse->state, &job->count.query);
    check_ending(parse->state, job);
}

static const cli_command line_command = {.name = "batch",
                                         .groups = cli_batch_groups,
                                         .begin = begin,
                                         .check_option = refuse_other_options,
                                         .take_argument = refuse_argument,
                                         .complete = complete};

/* Each job has names of its own, which it frees. */
static bool copy_names(cli_query_options *query)
{
    size_t n_bytes = query->n_named * sizeof *query->named;
    cli_named *copy = n_bytes > 0 ? malloc(n_bytes) : NULL;
    if (n_bytes > 0 && copy == NULL)
        return false;
    if (n_bytes > 0)
        memcpy(copy, query->named, n_bytes);
    query->named = copy;
    return true;
}

void cli_batch_options_parse_line(const cli_batch_options *batch, const char *where, int n,
                                  char **arguments, cli_count_options *count, const char **ending)
{
    static const char command[] = "pathcount batch";
    cli_batch_options job = *batch;
    size_t size = sizeof command + (where != NULL ? 2 + strlen(where) : 0);
    char *name = malloc(size), **argv = malloc(((size_t)n + 2) * sizeof *argv);
    if (name == NULL || argv == NULL || !copy_names(&job.count.query))
        exit(cli_fail_for_memory());
    snprintf(name, size, "%s%s%s", command, where != NULL ? ": " : "", where != NULL ? where : "");
    job.count.query.may_ask_both = false;
    argv[0] = name;
    for (int i = 0; i < n; i++)
        argv[1 + i] = arguments[i];
    argv[1 + n] = NULL;
    cli_parse_options(&line_command, 1 + n, argv, &job);
    *count = job.count;
    *ending = job.ending;
    free(argv);
    free(name);
}

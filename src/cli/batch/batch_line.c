/* The options of one job: those of the command line, and over them its own. Each of the two is parsed
 * alone, so that what excludes each other within one may be replaced by the other. */
#define _GNU_SOURCE /* fopencookie */
#include "src/cli/batch/batch_options.h"

#include "src/cli/batch/job_names.h"
#include "src/cli/exit_codes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What no option can say: not given, where the default is a choice like any other. */
#define NO_METHOD   ((pc_method)(PC_METHOD_HYBRID + 1))
#define NO_VERTICES UINT64_MAX

typedef struct line {
    const cli_batch_options *batch;
    const char *name; /* before messages */
    cli_count_options own;
    const char *ending;
    cli_count_options *count; /* what comes of it */
} line;

/* ---- Options of a line only ------------------------------------------------------------------ */

enum { KEY_AS = 0x900, KEY_OF_RUN /* and those after it */ };

/* Named to be refused with a reason. */
static const struct argp_option line_options[] = {{"as", KEY_AS, "FORMAT", 0, NULL, 0},
                                                  {"out", KEY_OF_RUN, "", 0, NULL, 0},
                                                  {"manifest", KEY_OF_RUN + 1, "", 0, NULL, 0},
                                                  {"jobs", KEY_OF_RUN + 2, "", 0, NULL, 0},
                                                  {"timeout", KEY_OF_RUN + 3, "", 0, NULL, 0},
                                                  {"retry", KEY_OF_RUN + 4, "", 0, NULL, 0},
                                                  {"resume", KEY_OF_RUN + 5, NULL, 0, NULL, 0},
                                                  {"report", KEY_OF_RUN + 6, NULL, 0, NULL, 0},
                                                  {"threads", KEY_OF_RUN + 7, "", 0, NULL, 0},
                                                  {"memory-limit", KEY_OF_RUN + 8, "", 0, NULL, 0},
                                                  {"device", KEY_OF_RUN + 9, "", 0, NULL, 0},
                                                  {"quiet", KEY_OF_RUN + 10, NULL, 0, NULL, 0},
                                                  {"explain", KEY_OF_RUN + 11, NULL, 0, NULL, 0},
                                                  {"output", KEY_OF_RUN + 12, "", 0, NULL, 0},
                                                  {"json", KEY_OF_RUN + 13, NULL, 0, NULL, 0},
                                                  {"help", KEY_OF_RUN + 14, NULL, 0, NULL, 0},
                                                  {0}};

static error_t parse_own(int key, char *argument, struct argp_state *state)
{
    line *of = state->input;
    const int n_of_run = sizeof line_options / sizeof *line_options - 2;
    if (key >= KEY_OF_RUN && key < KEY_OF_RUN + n_of_run)
        argp_error(state,
                   "--%s is no option of a single dataset: it may have those of input, counting "
                   "and queries, and --as",
                   line_options[1 + key - KEY_OF_RUN].name);
    if (key != KEY_AS)
        return ARGP_ERR_UNKNOWN;
    if (!cli_job_ending_is_known(argument))
        argp_error(state, "--as must be " CLI_JOB_ENDINGS ", not '%s'", argument);
    of->ending = argument;
    return 0;
}

static const struct argp own_argp = {.options = line_options, .parser = parse_own};

/* ---- One over the other ---------------------------------------------------------------------- */

static void put_input_over(cli_input_options *input, const cli_input_options *own)
{
    pc_graph_options *graph = &input->graph;
    if (own->format != NULL)
        input->format = own->format;
    if (own->graph.direction != PC_DIRECTION_OF_FORMAT)
        graph->direction = own->graph.direction;
    graph->multigraph |= own->graph.multigraph;
    graph->weights |= own->graph.weights;
    if (own->graph.max_vertices > 0)
        graph->max_vertices = own->graph.max_vertices;
    if (own->graph.n_vertices != NO_VERTICES)
        graph->n_vertices = own->graph.n_vertices;
}

static void put_counting_over(pc_count_options *count, const pc_count_options *own)
{
    if (own->arithmetic != PC_EXACT) {
        count->arithmetic = own->arithmetic;
        count->modulus = own->modulus;
    }
    if (own->method != NO_METHOD)
        count->method = own->method;
    if (own->n_certify_rounds != 0)
        count->n_certify_rounds = own->n_certify_rounds;
}

/* A question replaces the other whole; the lengths that it is asked for are a matter of their own. */
static void put_query_over(cli_query_options *query, const cli_query_options *own)
{
    cli_query_options before = *query;
    if (own->question != CLI_ASK_MATRIX)
        *query = *own;
    query->each = own->each || own->up_to ? own->each : before.each;
    query->up_to = own->each || own->up_to ? own->up_to : before.up_to;
    query->paths = own->paths != PC_PATHS_ALL ? own->paths : before.paths;
}

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

static void check_ending(const struct argp_state *state, line *of)
{
    const cli_query_options *query = &of->count->query;
    bool is_query = query->question != CLI_ASK_MATRIX;
    if (of->ending == NULL)
        of->ending = of->batch->ending != NULL ? of->batch->ending : is_query ? "tsv" : "mtx";
    if (is_query && !cli_job_ending_fits_query(of->ending))
        argp_error(state,
                   "--as %s is for a matrix: what %s asks for is written as " CLI_JOB_QUERY_ENDINGS,
                   of->ending, query->option);
    of->count->json = is_query && strcmp(of->ending, "json") == 0;
}

static void complete(const struct argp_state *state, line *of)
{
    cli_count_options *count = of->count;
    *count = of->batch->count;
    put_input_over(&count->input, &of->own.input);
    if (of->own.has_length)
        count->length = of->own.length;
    count->has_length |= of->own.has_length;
    put_counting_over(&count->count, &of->own.count);
    put_query_over(&count->query, &of->own.query);
    if (!count->has_length)
        argp_error(state, "how long are the paths? For example: --length 8");
    if (cli_query_reads_stdin(&count->query))
        argp_error(state,
                   "the vertices of many jobs cannot be read from standard input: use a file");
    cli_query_options_complete(state, count);
    check_ending(state, of);
    if (!copy_names(&count->query))
        argp_failure(state, CLI_UNAVAILABLE, 0, "out of memory");
}

/* ---- Parsing --------------------------------------------------------------------------------- */

/* Where messages of argp go: they begin with what follows the last '/' of the name, and advice to try
 * --help comes after them, or alone where getopt has said what is wrong. */
typedef struct message {
    const char *name;
    bool has_begun;
} message;

/* The first line to standard error, with the whole name, unless it is the advice. */
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

/* Not closed: the process ends with the first message, which exit() lets out. */
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

static void begin(struct argp_state *state, line *of)
{
    state->err_stream = open_messages(of->name);
    state->child_inputs[0] = &of->own.input;
    state->child_inputs[1] = &of->own;
    state->child_inputs[2] = state->child_inputs[3] = &of->own.query;
    state->child_inputs[4] = of;
}

static error_t parse_line(int key, char *argument, struct argp_state *state)
{
    line *of = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        begin(state, of);
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "among options there can be no path: '%s'", argument);
        return 0;
    case ARGP_KEY_END:
        complete(state, of);
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

static const struct argp_child children[] = {
    {&cli_input_argp, 0, NULL, 0}, {&cli_counting_argp, 0, NULL, 0}, {&cli_paths_argp, 0, NULL, 0},
    {&cli_query_argp, 0, NULL, 0}, {&own_argp, 0, NULL, 0},          {0}};
static const struct argp line_argp = {.parser = parse_line, .children = children};

void cli_batch_options_parse_line(const cli_batch_options *batch, const char *where, int n,
                                  char **arguments, cli_count_options *count, const char **ending)
{
    static const char command[] = "pathcount batch";
    size_t size = sizeof command + (where != NULL ? 2 + strlen(where) : 0);
    char *name = malloc(size), **argv = malloc(((size_t)n + 2) * sizeof *argv);
    if (name == NULL || argv == NULL)
        exit(cli_fail_for_memory());
    snprintf(name, size, "%s%s%s", command, where != NULL ? ": " : "", where != NULL ? where : "");
    line of = {.batch = batch,
               .name = name,
               .own = {.count.method = NO_METHOD, .input.graph.n_vertices = NO_VERTICES},
               .count = count};
    argv[0] = name;
    for (int i = 0; i < n; i++)
        argv[1 + i] = arguments[i];
    argv[1 + n] = NULL;
    cli_parse(&line_argp, 1 + n, argv, ARGP_NO_HELP, &of);
    *ending = of.ending;
    free(of.own.query.named);
    free(argv);
    free(name);
}

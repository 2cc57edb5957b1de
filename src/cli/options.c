/* Shared options: how a graph is read, how a command runs; and numbers on the command line. */
#include "src/cli/options.h"

#include "src/cli/exit_codes.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_VERTICES UINT32_MAX
#define MAX_THREADS  1024

/* argp itself ends the process when an option is wrong: what it returns is a lack of memory. */
void cli_parse(const struct argp *argp, int argc, char **argv, unsigned flags, void *input)
{
    if (argp_parse(argp, argc, argv, flags, NULL, input) != 0)
        exit(cli_fail_for_memory());
}

uint64_t cli_parse_integer(const struct argp_state *state, const char *what, const char *text,
                           uint64_t least, uint64_t most)
{
    char *end = NULL;
    errno = 0;
    uint64_t value = isdigit((unsigned char)text[0]) ? strtoull(text, &end, 10) : 0;
    if (end == NULL || *end != '\0' || errno != 0 || value < least || value > most)
        argp_error(state, "%s must be an integer from %" PRIu64 " to %" PRIu64 ", not '%s'", what,
                   least, most, text);
    return value;
}

/* "512M" in bytes. */
static uint64_t parse_size(const struct argp_state *state, const char *what, const char *text)
{
    static const char suffixes[] = "KMGT";
    char *end = NULL;
    errno = 0;
    uint64_t value = isdigit((unsigned char)text[0]) ? strtoull(text, &end, 10) : 0;
    const char *suffix =
        end != NULL && *end != '\0' ? strchr(suffixes, toupper((unsigned char)*end)) : NULL;
    unsigned shift = 0;
    if (suffix != NULL) {
        shift = 10 * (unsigned)(suffix - suffixes + 1);
        end++;
    }
    if (end == NULL || *end != '\0' || errno != 0 || value == 0 || value > UINT64_MAX >> shift)
        argp_error(state, "%s must be a size such as 512M or 8G (suffix K, M, G or T), not '%s'",
                   what, text);
    return value << shift;
}

char *cli_help_filter(int key, const char *text, void *input)
{
    (void)input;
    return key == ARGP_KEY_HELP_DUP_ARGS_NOTE ? NULL : (char *)text;
}

/* ---- Input --------------------------------------------------------------------------------- */

enum {
    KEY_DIRECTED = 0x100,
    KEY_UNDIRECTED,
    KEY_MULTIGRAPH,
    KEY_WEIGHTS,
    KEY_VERTICES,
    KEY_MAX_VERTICES,
    KEY_FORMAT,
    KEY_THREADS,
    KEY_MEMORY_LIMIT,
    KEY_DEVICE,
    KEY_NO_SYNC,
    KEY_EXPLAIN,
    KEY_USAGE
};

static const struct argp_option input_options[] = {
    {"directed", KEY_DIRECTED, NULL, 0, "Edges are arcs, from first to second vertex", 0},
    {"undirected", KEY_UNDIRECTED, NULL, 0, "Edges go both ways (default of edge lists)", 0},
    {"multigraph", KEY_MULTIGRAPH, NULL, 0, "Edges given again add up (default: dropped)", 0},
    {"weights", KEY_WEIGHTS, NULL, 0, "Third column says how often an edge counts", 0},
    {"max-vertices", KEY_MAX_VERTICES, "N", 0,
     "Vertices that GRAPH may state (default: 2097152 and one for each byte)", 0},
    {"vertices", KEY_VERTICES, "N", 0, "Vertices 0 to N-1 exist even without edges", 0},
    {"format", KEY_FORMAT, "FORMAT", 0, "Format of GRAPH (default: auto)", 0},
    {0}};

static void set_direction(const struct argp_state *state, pc_direction direction)
{
    cli_input_options *options = state->input;
    pc_direction before = options->graph.direction;
    if (before != PC_DIRECTION_OF_FORMAT && before != direction)
        argp_error(state, "--directed and --undirected exclude each other");
    options->graph.direction = direction;
}

static error_t parse_input(int key, char *argument, struct argp_state *state)
{
    cli_input_options *options = state->input;
    switch (key) {
    case KEY_DIRECTED:
        set_direction(state, PC_DIRECTED);
        return 0;
    case KEY_UNDIRECTED:
        set_direction(state, PC_UNDIRECTED);
        return 0;
    case KEY_MULTIGRAPH:
        options->graph.multigraph = 1;
        return 0;
    case KEY_WEIGHTS:
        options->graph.weights = 1;
        return 0;
    case KEY_VERTICES:
        options->graph.n_vertices =
            cli_parse_integer(state, "--vertices", argument, 0, MAX_VERTICES);
        return 0;
    case KEY_MAX_VERTICES:
        options->graph.max_vertices =
            cli_parse_integer(state, "--max-vertices", argument, 1, MAX_VERTICES);
        return 0;
    case KEY_FORMAT:
        options->format = cli_format_named(argument);
        if (options->format == NULL)
            argp_error(state, "--format must be one of %s, not '%s'", cli_format_names(), argument);
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

const struct argp cli_input_argp = {.options = input_options, .parser = parse_input};

/* ---- Running ------------------------------------------------------------------------------- */

/* --explain stands first, so that it can be left out. */
static const struct argp_option running_options[] = {
    {"explain", KEY_EXPLAIN, NULL, 0, "Print the plan, then the measured times", 0},
    {"threads", KEY_THREADS, "N", 0, "Number of threads (default: all processors)", 0},
    {"memory-limit", KEY_MEMORY_LIMIT, "SIZE", 0, "Memory to use at most, such as 512M or 8G", 0},
    {"device", KEY_DEVICE, "DEVICE", 0, "Where: auto, cpu, cuda, cuda:0,1 or cuda:all", 0},
    {"no-sync", KEY_NO_SYNC, NULL, 0, "Do not wait until files are on the disk", 0},
    {"quiet", 'q', NULL, 0, "Print no notes on standard error, only errors", 0},
    {0}};

static error_t parse_running(int key, char *argument, struct argp_state *state)
{
    cli_running_options *options = state->input;
    switch (key) {
    case KEY_THREADS:
        options->n_threads = (int)cli_parse_integer(state, "--threads", argument, 1, MAX_THREADS);
        return 0;
    case KEY_MEMORY_LIMIT:
        options->memory_limit_bytes = parse_size(state, "--memory-limit", argument);
        return 0;
    case KEY_DEVICE:
        options->device = argument;
        return 0;
    case KEY_NO_SYNC:
        options->no_sync = true;
        return 0;
    case KEY_EXPLAIN:
        options->explain = true;
        return 0;
    case 'q':
        options->is_quiet = true;
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

const struct argp cli_running_argp = {.options = running_options, .parser = parse_running};
const struct argp cli_running_many_argp = {.options = running_options + 1, .parser = parse_running};

/* ---- About --------------------------------------------------------------------------------- */

/* argp puts help and version last, in group -1, after a blank line: all of them go there. */
static const struct argp_option about_options[] = {
    {"help", 'h', NULL, 0, "Print this help", -1},
    {"usage", KEY_USAGE, NULL, 0, "Print the options in short", 0},
    {"version", 'V', NULL, 0, "Print the version", 0},
    {0}};

static error_t parse_about(int key, char *argument, struct argp_state *state)
{
    (void)argument;
    switch (key) {
    case 'h':
        argp_state_help(state, state->out_stream, ARGP_HELP_STD_HELP);
        return 0;
    case KEY_USAGE:
        argp_state_help(state, state->out_stream, ARGP_HELP_USAGE | ARGP_HELP_EXIT_OK);
        return 0;
    case 'V':
        fprintf(state->out_stream, "pathcount %s\n", pc_version());
        exit(0);
    }
    return ARGP_ERR_UNKNOWN;
}

const struct argp cli_about_argp = {.options = about_options, .parser = parse_about};

/* The options of queries and of kinds of path. */
#include "src/cli/query_options.h"

#include "src/cli/count_options.h"
#include "src/cli/kinds.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_TOP 1000000

enum {
    KEY_FROM = 0x600,
    KEY_TO,
    KEY_PAIR,
    KEY_PAIRS,
    KEY_TOTAL,
    KEY_SUMS,
    KEY_CLOSED,
    KEY_TRACE,
    KEY_TOP,
    KEY_EACH,
    KEY_UP_TO,
    KEY_KATZ,
    KEY_SUBGRAPH,
    KEY_NON_BACKTRACKING,
    KEY_MARKOV
};

static const struct argp_option query_options[] = {
    {"from", KEY_FROM, "VERTEX", 0, "From VERTEX to every vertex; may be repeated", 0},
    {"to", KEY_TO, "VERTEX", 0, "From every vertex to VERTEX; may be repeated", 0},
    {"pair", KEY_PAIR, "FROM TO", 0, "From one vertex to the other; may be repeated", 0},
    {"pairs", KEY_PAIRS, "FILE", 0, "Such pairs from FILE, one a line", 0},
    {"total", KEY_TOTAL, NULL, 0, "The sum of all counts", 0},
    {"sums", KEY_SUMS, NULL, 0, "Paths that start and that end at each vertex", 0},
    {"closed", KEY_CLOSED, NULL, 0, "Paths from each vertex back to itself", 0},
    {"trace", KEY_TRACE, NULL, 0, "All closed paths: the sum of --closed", 0},
    {"top", KEY_TOP, "N", 0, "The N pairs with most paths", 0},
    {"each", KEY_EACH, NULL, 0, "Answer for each length from 1 to K", 0},
    {"up-to", KEY_UP_TO, NULL, 0, "Add up the lengths from 1 to K", 0},
    {"katz", KEY_KATZ, "BETA", 0,
     "Katz centrality up to length K: paths ending, each times BETA^length", 0},
    {"subgraph-centrality", KEY_SUBGRAPH, NULL, 0,
     "Closed paths up to length K, each over the factorial of its length", 0},
    {0}};

static bool is_closed(cli_question question)
{
    return question == CLI_ASK_CLOSED || question == CLI_ASK_TRACE;
}

/* The total and the closed paths, in either order: the question is the total. */
static bool ask_both(cli_query_options *options, cli_question question, const char *option)
{
    bool is_first = question == CLI_ASK_TOTAL && is_closed(options->question);
    bool is_second = is_closed(question) && options->question == CLI_ASK_TOTAL;
    if (!options->may_ask_both || (!is_first && !is_second))
        return false;
    options->beside_option = is_first ? options->option : option;
    options->option = is_first ? option : options->option;
    options->question = CLI_ASK_TOTAL;
    return true;
}

static void ask(const struct argp_state *state, cli_question question, const char *option)
{
    cli_query_options *options = state->input;
    if (ask_both(options, question, option))
        return;
    if (options->question != CLI_ASK_MATRIX && options->question != question)
        argp_error(state, "%s and %s exclude each other", options->option, option);
    options->question = question;
    options->option = option;
}

static double parse_beta(const struct argp_state *state, const char *text)
{
    char *end = NULL;
    errno = 0;
    double value = strtod(text, &end);
    if (end == text || *end != '\0' || errno != 0 || !(value > 0) || isinf(value))
        argp_error(state, "--katz must be a number above 0, not '%s'", text);
    return value;
}

static void name(const struct argp_state *state, const char *text, const char *second)
{
    cli_query_options *options = state->input;
    cli_named *grown = realloc(options->named, (options->n_named + 1) * sizeof *grown);
    if (grown == NULL)
        argp_failure(state, EXIT_FAILURE, 0, "out of memory");
    options->named = grown;
    options->named[options->n_named++] = (cli_named){text, second};
}

/* A pair is two words: the second one is the next of the command line. */
static void take_pair(struct argp_state *state, const char *first)
{
    const char *second = state->next < state->argc ? state->argv[state->next] : NULL;
    if (second == NULL || strncmp(second, "--", 2) == 0)
        argp_error(state, "--pair takes two vertices: --pair FROM TO");
    state->next++;
    ask(state, CLI_ASK_PAIRS, "--pair");
    name(state, first, second);
}

static error_t parse_query(int key, char *argument, struct argp_state *state)
{
    cli_query_options *options = state->input;
    switch (key) {
    case KEY_FROM:
        ask(state, CLI_ASK_FROM, "--from");
        name(state, argument, NULL);
        return 0;
    case KEY_TO:
        ask(state, CLI_ASK_TO, "--to");
        name(state, argument, NULL);
        return 0;
    case KEY_PAIR:
        take_pair(state, argument);
        return 0;
    case KEY_PAIRS:
        ask(state, CLI_ASK_PAIRS, "--pairs");
        name(state, argument, NULL);
        return 0;
    case KEY_TOTAL:
        ask(state, CLI_ASK_TOTAL, "--total");
        return 0;
    case KEY_SUMS:
        ask(state, CLI_ASK_SUMS, "--sums");
        return 0;
    case KEY_CLOSED:
        ask(state, CLI_ASK_CLOSED, "--closed");
        return 0;
    case KEY_TRACE:
        ask(state, CLI_ASK_TRACE, "--trace");
        return 0;
    case KEY_TOP:
        ask(state, CLI_ASK_TOP, "--top");
        options->n_top = cli_parse_integer(state, "--top", argument, 1, MAX_TOP);
        return 0;
    case KEY_KATZ:
        ask(state, CLI_ASK_KATZ, "--katz");
        options->beta = parse_beta(state, argument);
        return 0;
    case KEY_SUBGRAPH:
        ask(state, CLI_ASK_SUBGRAPH, "--subgraph-centrality");
        return 0;
    case KEY_EACH:
        options->each = true;
        return 0;
    case KEY_UP_TO:
        options->up_to = true;
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

const struct argp cli_query_argp = {.options = query_options, .parser = parse_query};

bool cli_query_reads_stdin(const cli_query_options *query)
{
    const char *name = query->question == CLI_ASK_PAIRS ? "-" : "@-";
    for (size_t i = 0; i < query->n_named; i++)
        if (query->named[i].second == NULL && strcmp(query->named[i].text, name) == 0)
            return true;
    return false;
}

static void check_top(const struct argp_state *state, const cli_count_options *options)
{
    const cli_query_options *query = &options->query;
    if (query->each || query->up_to)
        argp_error(state, "--top is for one length, without %s",
                   query->each ? "--each" : "--up-to");
    if (options->count.arithmetic == PC_MODULAR)
        argp_error(state, "--top has no meaning with --mod: residues have no largest");
}

static void check_centrality(const struct argp_state *state, const cli_count_options *options)
{
    const cli_query_options *query = &options->query;
    const char *other = query->each                               ? "--each"
                        : query->up_to                            ? "--up-to"
                        : query->paths == PC_PATHS_MARKOV         ? "--markov"
                        : query->paths != PC_PATHS_ALL            ? "--non-backtracking"
                        : options->count.arithmetic == PC_MODULAR ? "--mod"
                        : options->count.arithmetic == PC_FLOAT   ? "--float"
                        : options->count.method != PC_METHOD_AUTO ? "--method"
                        : options->count.n_certify_rounds != 0    ? "--certify"
                                                                  : NULL;
    if (other != NULL)
        argp_error(state, "%s and %s exclude each other", query->option, other);
}

static void check_query(const struct argp_state *state, const cli_count_options *options)
{
    const cli_query_options *query = &options->query;
    if (query->question == CLI_ASK_TOP)
        check_top(state, options);
    if (query->question == CLI_ASK_KATZ || query->question == CLI_ASK_SUBGRAPH)
        check_centrality(state, options);
    if (options->output_path != NULL)
        argp_error(state,
                   "--output writes the whole matrix; what %s asks for is printed: redirect it "
                   "(> FILE)",
                   query->option);
    if (options->input.path != NULL && strcmp(options->input.path, "-") == 0 &&
        cli_query_reads_stdin(query))
        argp_error(state, "the graph and its vertices cannot both be read from standard input");
}

static void complete_paths(const struct argp_state *state, cli_count_options *options)
{
    pc_count_options *count = &options->count;
    bool squares = count->method == PC_METHOD_DENSE || count->method == PC_METHOD_HYBRID;
    pc_path_kind paths = options->query.paths;
    if (paths == PC_PATHS_ALL)
        return;
    if (squares)
        argp_error(state, "--%s goes step by step, not by --method dense or hybrid",
                   cli_kind_of(paths)->name);
    if (paths == PC_PATHS_NON_BACKTRACKING && count->arithmetic == PC_FLOAT)
        argp_error(state, "--non-backtracking counts exactly or modulo M (--mod), not --float");
    if (paths == PC_PATHS_MARKOV && count->arithmetic == PC_MODULAR)
        argp_error(state, "--markov gives probabilities, which have no residues: leave --mod out");
    if (paths == PC_PATHS_MARKOV) {
        count->arithmetic = PC_FLOAT;
        options->input.graph.weights = 1;
    }
}

void cli_query_options_complete(const struct argp_state *state, cli_count_options *options)
{
    const cli_query_options *query = &options->query;
    if (query->each && query->up_to)
        argp_error(state, "--each and --up-to exclude each other");
    if (query->question != CLI_ASK_MATRIX)
        check_query(state, options);
    else if (query->each || query->up_to)
        argp_error(state, "%s needs a query, such as --total", query->each ? "--each" : "--up-to");
    complete_paths(state, options);
}

/* ---- Which paths ----------------------------------------------------------------------------- */

static const struct argp_option paths_options[] = {
    {"non-backtracking", KEY_NON_BACKTRACKING, NULL, 0,
     "Only those that never turn straight back along an edge", 0},
    {"markov", KEY_MARKOV, NULL, 0,
     "Probabilities: at each vertex an edge is chosen by its weight (third column)", 0},
    {0}};

static error_t parse_paths(int key, char *argument, struct argp_state *state)
{
    cli_query_options *options = state->input;
    pc_path_kind paths = key == KEY_MARKOV ? PC_PATHS_MARKOV : PC_PATHS_NON_BACKTRACKING;
    (void)argument;
    if (key != KEY_MARKOV && key != KEY_NON_BACKTRACKING)
        return ARGP_ERR_UNKNOWN;
    if (options->paths != PC_PATHS_ALL && options->paths != paths)
        argp_error(state, "--non-backtracking and --markov exclude each other");
    options->paths = paths;
    return 0;
}

const struct argp cli_paths_argp = {.options = paths_options, .parser = parse_paths};

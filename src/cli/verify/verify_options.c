/* The command line of `pathcount verify`: that of the count which made the result. */
#include "src/cli/verify/verify_options.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const cli_option verify_rows[] = {
    {"--json", NULL, NULL, CLI_AT(cli_verify_options, count.output.json)}, /* as the count had it */
    {0}};

static const cli_option stream_rows[] = {{"--stream", NULL,
                                          "GRAPH is a graph a line, and RESULT what batch printed",
                                          CLI_AT(cli_verify_options, is_stream)},
                                         {0}};

static const cli_option chain_rows[] = {
    {"--chain", NULL, "The arguments are the relations F1 F2... of a product, and the result",
     CLI_AT(cli_verify_options, is_chain)},
    {"--power", "P", "With --chain: the product P times", CLI_INTEGER,
     CLI_AT(cli_verify_options, count.length), .most = UINT64_MAX, .take = cli_take_length},
    {"--allow-missing", NULL, "With --chain: a label may be missing in a neighbour",
     CLI_AT(cli_verify_options, allow_missing)},
    {"--pathsim", NULL, NULL, CLI_AT(cli_verify_options, is_chain),
     .refusal = "similarities cannot be verified: verify the product, without --pathsim"},
    {0}};

static const cli_group groups[] = {
    {NULL, verify_rows, 0},
    {"Input (pathcount verify arcs.csv arcs.tsv --directed --length 8):", cli_input_rows,
     offsetof(cli_verify_options, count.input)},
    {"Counting (pathcount verify graph.txt residues.tsv --length 99 --mod 7):", cli_counting_rows,
     offsetof(cli_verify_options, count)},
    {"Which paths (pathcount verify graph.txt n.tsv -k 8 --non-backtracking):", cli_paths_rows,
     offsetof(cli_verify_options, count.query)},
    {"Less than all pairs (pathcount verify graph.txt c.txt --length 8 --from C):", cli_query_rows,
     offsetof(cli_verify_options, count.query)},
    {"Blocks (pathcount verify graph.txt blocks.tsv --length 4 --blocks 2):", cli_block_rows,
     offsetof(cli_verify_options, count.blocks)},
    {"Streams (pathcount verify --stream graphs.g6 totals.txt -k 8 --total):", stream_rows, 0},
    {"Chains (pathcount verify --chain writes.txt published.txt venues.tsv):", chain_rows, 0},
    {"Certificates (pathcount verify graph.txt c.tsv -k 8 --certificate c.json):",
     cli_certificate_rows, offsetof(cli_verify_options, count)},
    {"Running (pathcount verify graph.txt counts.tsv --length 8 --threads 1):",
     cli_running_rows + 1, offsetof(cli_verify_options, count.running)},
    {NULL, cli_about_rows, 0},
    {0}};

static const char doc[] =
    "Certify a result of pathcount: read the file RESULT, a matrix in any format that pathcount "
    "writes "
    "or the answer to a query, and "
    "hold every number in it against GRAPH. The options are those of the command that made the "
    "result. Of a batch, DIR is the folder: the result of each job of its manifest.jsonl is "
    "certified.\v"
    "A result that does not hold is refused with the line and what is wrong there: a number, a "
    "label, a row that is missing or too much. The way to the verdict shares no code with the "
    "counting: random vectors are sent along the arcs, modulo random primes of 61 bits, and each "
    "row of the result must agree with them. A wrong result passes with probability below 2^-80.\n"
    "\n"
    "Examples:\n"
    "  pathcount graph.txt --length 8 -o counts.tsv.gz\n"
    "  pathcount verify graph.txt counts.tsv.gz --length 8\n"
    "  pathcount batch graphs/ --length 8 --out results && pathcount verify results\n"
    "\n"
    "Exit status: 0 the result is certified, 2 usage, 65 it does not hold or the graph cannot be "
    "read, 66 no input, 69 out of memory, 74 input/output error. More: man pathcount";

static void take_argument(cli_parse *parse, char *argument)
{
    cli_verify_options *options = parse->options;
    if (options->n_arguments == sizeof options->arguments / sizeof *options->arguments)
        argp_error(parse->state, "at most %d relations, not also '%s'", CLI_MOST_FACTORS, argument);
    options->arguments[options->n_arguments++] = argument;
}

static void check_question(const struct argp_state *state, const cli_verify_options *options)
{
    const cli_count_options *count = &options->count;
    cli_question asked = count->query.question;
    cli_count_check_certificate(state, count);
    if (cli_asks_each_matrix(count) && count->certificate_path != NULL)
        argp_error(state, "--certificate is for one matrix: leave --each out");
    if (asked == CLI_ASK_MATRIX && count->query.each && count->blocks.spec != NULL)
        argp_error(state, "--each is for results between vertices: leave --blocks out");
    if (asked != CLI_ASK_MATRIX && count->blocks.spec != NULL)
        argp_error(state, "%s is between vertices: leave --blocks out", count->query.option);
    if (count->blocks.mean && count->blocks.spec == NULL)
        argp_error(state, "--mean is for results between blocks: --blocks SPEC");
}

/* Both --total and --closed are asked of streams only. */
static void begin(cli_parse *parse)
{
    cli_verify_options *options = parse->options;
    options->count.query.may_ask_both = true;
}

static void check_stream(const struct argp_state *state, const cli_verify_options *options)
{
    const cli_count_options *count = &options->count;
    const cli_query_options *query = &count->query;
    bool is_asked = query->question == CLI_ASK_TOTAL || query->question == CLI_ASK_CLOSED ||
                    query->question == CLI_ASK_TRACE;
    if (!options->is_stream && query->beside_option != NULL)
        argp_error(state, "%s and %s exclude each other (only --stream has both)", query->option,
                   query->beside_option);
    if (!options->is_stream)
        return;
    if (!is_asked || query->paths == PC_PATHS_MARKOV || count->count.arithmetic == PC_FLOAT ||
        count->blocks.spec != NULL || count->certificate_path != NULL ||
        count->input.graph.weights || count->input.graph.n_vertices > 0)
        argp_error(state,
                   "a stream is asked for --total, --closed or both; it has no doubles, weights, "
                   "blocks or certificates");
    if (pc_stream_is_folder(count->input.path))
        argp_error(state,
                   "'%s' is a TUDataset: verify takes graphs as lines of graph6, sparse6 or "
                   "digraph6",
                   count->input.path);
}

static bool is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* A folder of results says itself how they were counted. */
static void check_folder(const cli_parse *parse, const cli_verify_options *options)
{
    for (size_t i = 0; i < parse->n_rows; i++)
        if (parse->given[i] && parse->rows[i]->job != CLI_NOT_OF_JOB)
            argp_error(parse->state, "the manifest of '%s' has the options: leave %s out",
                       options->count.input.path, parse->rows[i]->name);
}

/* ---- Products of relations ------------------------------------------------------------------- */

static bool is_of_chain(const char *name)
{
    static const char *const names[] = {
        "--chain",        "--power", "--allow-missing", "--weights", "--multigraph",
        "--max-vertices", "--mod",   "--certify",       "--threads", "--memory-limit",
        "--no-sync",      "--quiet", "--device"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static void take_factors(const cli_parse *parse, cli_verify_options *options)
{
    size_t n = options->n_arguments, n_streams = 0;
    if (n < 2)
        argp_error(parse->state, "which relations and which result? For example: pathcount verify "
                                 "--chain writes.txt published.txt venues.tsv");
    options->result = options->arguments[n - 1];
    n_streams += strcmp(options->result, "-") == 0;
    for (size_t f = 0; f + 1 < n; f++) {
        cli_factor_make(options->arguments[f], &options->factors[options->n_factors++]);
        n_streams += strcmp(options->factors[f].path, "-") == 0;
    }
    if (n_streams > 1)
        argp_error(parse->state, "standard input can be read once only");
}

static void complete_chain(const cli_parse *parse, cli_verify_options *options)
{
    for (size_t i = 0; i < parse->n_rows; i++)
        if (parse->given[i] && !is_of_chain(parse->rows[i]->name))
            argp_error(parse->state, "a result of --chain with %s cannot be verified",
                       parse->rows[i]->name);
    if (options->count.count.arithmetic == PC_MODULAR && !options->count.has_length)
        argp_error(parse->state, "--mod is for --power: the product itself is exact");
    if (!options->count.has_length)
        options->count.length = 1;
    take_factors(parse, options);
}

static void check_no_chain(const cli_parse *parse, const cli_verify_options *options)
{
    for (size_t i = 0; i < parse->n_rows; i++)
        for (const cli_option *row = chain_rows; parse->given[i] && row->name != NULL; row++)
            if (row == parse->rows[i])
                argp_error(parse->state, "%s is for products of relations: --chain", row->name);
    if (options->n_arguments > 2)
        argp_error(parse->state, "one graph and one result at a time, not also '%s'",
                   options->arguments[2]);
}

void cli_verify_options_free(cli_verify_options *options)
{
    free(options->count.query.named);
    for (uint32_t f = 0; f < options->n_factors; f++)
        free(options->factors[f].path);
    options->n_factors = 0;
}

static void complete(cli_parse *parse)
{
    cli_verify_options *options = parse->options;
    if (options->is_chain) {
        complete_chain(parse, options);
        return;
    }
    check_no_chain(parse, options);
    const char *graph = options->count.input.path = options->arguments[0];
    options->result = options->arguments[1];
    if (graph != NULL && options->result == NULL && !options->is_stream && is_folder(graph)) {
        check_folder(parse, options);
        return;
    }
    if (graph == NULL || options->result == NULL)
        argp_error(parse->state, "which graph and which result? For example: pathcount verify "
                                 "graph.txt counts.tsv --length 8");
    if (strcmp(graph, "-") == 0 && strcmp(options->result, "-") == 0)
        argp_error(parse->state,
                   "the graph and the result cannot both be read from standard input");
    cli_count_check(parse, "pathcount verify");
    cli_query_options_complete(parse->state, &options->count);
    if (cli_asks_each_matrix(&options->count) && is_folder(options->result))
        argp_error(parse->state,
                   "'%s' is a folder: verify its matrices one by one, each with its own --length "
                   "and without --each, or the .npy file of all lengths",
                   options->result);
    check_question(parse->state, options);
    check_stream(parse->state, options);
}

const cli_command cli_verify_command = {
    .name = "verify",
    .summary = "certifies a result",
    .arguments = "GRAPH RESULT --length K\n--chain F1 [F2...] RESULT\nDIR",
    .doc = doc,
    .groups = groups,
    .begin = begin,
    .take_argument = take_argument,
    .complete = complete};

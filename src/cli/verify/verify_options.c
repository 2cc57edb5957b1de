/* The command line of `pathcount verify`: that of the count which made the result. */
#include "src/cli/verify/verify_options.h"

#include <string.h>
#include <sys/stat.h>

static const cli_option verify_rows[] = {
    {"--json", NULL, NULL, CLI_AT(cli_verify_options, count.json)}, /* as the count had it */
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
    {"Certificates (pathcount verify graph.txt c.tsv -k 8 --certificate c.json):",
     cli_certificate_rows, offsetof(cli_verify_options, count)},
    {"Running (pathcount verify graph.txt counts.tsv --length 8 --threads 1):",
     cli_running_rows + 1, offsetof(cli_verify_options, count.running)},
    {NULL, cli_about_rows, 0},
    {0}};

static const char doc[] =
    "Certify a result of pathcount: read the file RESULT, in any format that pathcount writes, and "
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
    if (options->count.input.path == NULL)
        options->count.input.path = argument;
    else if (options->result == NULL)
        options->result = argument;
    else
        argp_error(parse->state, "one graph and one result at a time, not also '%s'", argument);
}

static void check_question(const struct argp_state *state, const cli_count_options *count)
{
    cli_question asked = count->query.question;
    cli_count_check_certificate(state, count);
    if (asked != CLI_ASK_MATRIX && count->blocks.spec != NULL)
        argp_error(state, "%s is between vertices: leave --blocks out", count->query.option);
    if (count->blocks.mean && count->blocks.spec == NULL)
        argp_error(state, "--mean is for results between blocks: --blocks SPEC");
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

static void complete(cli_parse *parse)
{
    cli_verify_options *options = parse->options;
    const char *graph = options->count.input.path;
    if (graph != NULL && options->result == NULL && is_folder(graph)) {
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
    check_question(parse->state, &options->count);
}

const cli_command cli_verify_command = {.name = "verify",
                                        .summary = "certifies a result",
                                        .arguments = "GRAPH RESULT --length K\nDIR",
                                        .doc = doc,
                                        .groups = groups,
                                        .take_argument = take_argument,
                                        .complete = complete};

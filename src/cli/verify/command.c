/* `pathcount verify`: its command line, which is that of the count which made the result, the folder of a batch, and
 * one result. */
#define _GNU_SOURCE /* asprintf */
#include "src/cli/verify/verify.h"

#include "tool.h"
#include "src/cli/files.h"
#include "src/cli/load.h"
#include "src/cli/json.h"
#include "src/cli/main.h"
#include "src/cli/process.h"
#include "src/cli/text.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- Options --------------------------------------------------------------------------------- */

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
    "writes or the answer to a query as text, and hold every number in it against GRAPH. The "
    "options are those of the command that made the result. Of a batch, DIR is the folder: the "
    "result of each job of its manifest.jsonl is certified.\v"
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

/* Both --total and --closed are asked of streams only. */
static void begin(cli_parse *parse)
{
    cli_verify_options *options = parse->options;
    options->count.query.may_ask_both = true;
}

static void check_question(const struct argp_state *state, const cli_verify_options *options)
{
    const cli_count_options *count = &options->count;
    const cli_query_options *query = &count->query;
    bool is_matrix = query->question == CLI_ASK_MATRIX;
    cli_count_check_certificate(state, count);
    if (cli_asks_each_matrix(count) && count->certificate_path != NULL)
        argp_error(state, "--certificate is for one matrix: leave --each out");
    if (is_matrix && query->each && count->blocks.spec != NULL)
        argp_error(state, "--each is for results between vertices: leave --blocks out");
    if (!is_matrix && count->blocks.spec != NULL)
        argp_error(state, "%s is between vertices: leave --blocks out", query->option);
    if (count->blocks.mean && count->blocks.spec == NULL)
        argp_error(state, "--mean is for results between blocks: --blocks SPEC");
    if (!options->is_stream && query->beside_option != NULL)
        argp_error(state, "%s and %s exclude each other (only --stream has both)", query->option,
                   query->beside_option);
    if (!options->is_stream)
        return;
    if (!cli_question_kind_of(query->question)->may_stream || query->paths == PC_PATHS_MARKOV ||
        count->count.arithmetic == PC_FLOAT || count->blocks.spec != NULL ||
        count->certificate_path != NULL || count->input.graph.weights ||
        count->input.graph.n_vertices > 0)
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

/* ---- Products of relations ------------------------------------------------------------------- */

static void complete_chain(const cli_parse *parse, cli_verify_options *options)
{
    static const char *const names[] = {
        "--chain",        "--power", "--allow-missing", "--weights", "--multigraph",
        "--max-vertices", "--mod",   "--certify",       "--threads", "--memory-limit",
        "--no-sync",      "--quiet", "--device"};
    size_t n = options->n_arguments, n_streams = 0;
    for (size_t i = 0; i < parse->n_rows; i++) {
        bool is_known = !parse->given[i];
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            is_known = is_known || strcmp(parse->rows[i]->name, names[k]) == 0;
        if (!is_known)
            argp_error(parse->state, "a result of --chain with %s cannot be verified",
                       parse->rows[i]->name);
    }
    if (options->count.count.arithmetic == PC_MODULAR && !options->count.has_length)
        argp_error(parse->state, "--mod is for --power: the product itself is exact");
    if (!options->count.has_length)
        options->count.length = 1;
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

/* Frees what parsing made. */
static void free_options(cli_verify_options *options)
{
    free(options->count.query.named);
    for (uint32_t f = 0; f < options->n_factors; f++)
        free(options->factors[f].path);
    options->n_factors = 0;
}

/* ---- The command line ------------------------------------------------------------------------ */

static void complete(cli_parse *parse)
{
    cli_verify_options *options = parse->options;
    const char *graph = options->arguments[0];
    if (options->is_chain) {
        complete_chain(parse, options);
        return;
    }
    options->count.input.path = graph;
    options->result = options->arguments[1];
    /* A folder of results says itself how they were counted. */
    bool is_batch =
        graph != NULL && options->result == NULL && !options->is_stream && is_folder(graph);
    for (size_t i = 0; i < parse->n_rows; i++) {
        const cli_option *row = parse->rows[i];
        if (!parse->given[i])
            continue;
        if (row >= chain_rows && row < chain_rows + sizeof chain_rows / sizeof *chain_rows)
            argp_error(parse->state, "%s is for products of relations: --chain", row->name);
        if (is_batch && row->job != CLI_NOT_OF_JOB)
            argp_error(parse->state, "the manifest of '%s' has the options: leave %s out", graph,
                       row->name);
    }
    if (options->n_arguments > 2)
        argp_error(parse->state, "one graph and one result at a time, not also '%s'",
                   options->arguments[2]);
    if (is_batch)
        return;
    if (graph == NULL || options->result == NULL)
        argp_error(parse->state, "which graph and which result? For example: pathcount verify "
                                 "graph.txt counts.tsv --length 8");
    if (strcmp(graph, "-") == 0 && strcmp(options->result, "-") == 0)
        argp_error(parse->state,
                   "the graph and the result cannot both be read from standard input");
    cli_count_check(parse, "pathcount verify");
    cli_query_options_complete(parse->state, &options->count);
    if (cli_tells_distances(options->count.query.question, options->count.query.paths))
        argp_error(parse->state,
                   "distances cannot be verified: verify a matrix of --shortest (-o)");
    if (cli_asks_each_matrix(&options->count) && is_folder(options->result))
        argp_error(parse->state,
                   "'%s' is a folder: verify its matrices one by one, each with its own --length "
                   "and without --each, or the .npy file of all lengths",
                   options->result);
    check_question(parse->state, options);
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

/* ---- The folder of a batch ------------------------------------------------------------------- */

/* Reads the last line of each result, by its name. The rest of a line that a killed process left unfinished is the last
 * one, and has no end. */
static int read_manifest(const char *path, json_t *latest)
{
    FILE *file = fopen(path, "re");
    char *line = NULL;
    size_t size = 0, number = 0;
    ssize_t n;
    int code = CLI_DONE;
    if (file == NULL)
        return cli_fail(CLI_NO_INPUT, "%s: cannot be opened: %s", path, strerror(errno));
    while (code == CLI_DONE && (n = getline(&line, &size, file)) > 0) {
        json_t *object = json_loadb(line, (size_t)n, JSON_REJECT_DUPLICATES, NULL);
        const char *key = json_string_value(json_object_get(object, "result"));
        number++;
        if (key == NULL)
            key = json_string_value(json_object_get(object, "input"));
        if (key != NULL)
            json_object_set(latest, key, object);
        else if (object != NULL || line[n - 1] == '\n')
            code = cli_fail(CLI_BAD_DATA,
                            "%s:%zu: this is no line of a job: it is damaged, and what it said "
                            "cannot be verified; remove the line and run the batch "
                            "again with --resume",
                            path, number);
        json_decref(object);
    }
    if (code == CLI_DONE && !feof(file))
        code = cli_fail(CLI_IO, "%s: cannot be read: %s", path, strerror(errno));
    else if (code == CLI_DONE && json_object_size(latest) == 0)
        code = cli_fail(CLI_BAD_DATA, "%s: there is no job", path);
    free(line);
    fclose(file);
    return code;
}

static bool has_digest(const char *path, const char *wanted)
{
    char digest[CLI_DIGEST_SIZE];
    return cli_digest_file(path, digest, NULL) && strcmp(digest, wanted) == 0;
}

/* A manifest has options of jobs only. --help and --version would end the process with exit status 0. */
static void check_option(cli_parse *parse)
{
    if (parse->option->job == CLI_NOT_OF_JOB)
        argp_error(parse->state, "manifest.jsonl has the option %s, which is none of a job",
                   parse->option->name);
}

/* Certifies the result of a job by a command line: its options but --as, which says the format, then dataset and
 * result. */
static int verify_job(const char *folder, const json_t *line, bool is_quiet,
                      cli_verify_one_fn verify)
{
    static char name[] = "pathcount verify", no_more[] = "--";
    const json_t *exit = json_object_get(line, "exit"), *texts = json_object_get(line, "options");
    const char *input = cli_json_member(line, "input");
    size_t n_texts = json_array_size(texts);
    cli_command command = cli_verify_command;
    cli_verify_options options = {.count = cli_coarsen_defaults};
    char *result = NULL;
    int argc = 0;
    if (!json_is_integer(exit) || json_integer_value(exit) != CLI_DONE)
        return cli_fail(CLI_SOME_FAILED, "%s: has no result: its job failed", input);
    if (!has_digest(input, cli_json_member(line, "input_sha256")))
        return cli_fail(CLI_BAD_DATA,
                        "%s: is not the dataset that was counted: it has another digest, or it "
                        "cannot be read from here",
                        input);
    if (asprintf(&result, "%s/%s", folder, cli_json_member(line, "result")) < 0)
        return cli_fail_for_memory();
    if (!has_digest(result, cli_json_member(line, "result_sha256"))) {
        cli_fail(CLI_BAD_DATA,
                 "%s: is not the result of its job: it has another digest, or it "
                 "cannot be read",
                 result);
        free(result);
        return CLI_BAD_DATA;
    }
    char **argv = cli_need(calloc(n_texts + 5, sizeof *argv));
    argv[argc++] = name;
    for (size_t i = 0; i < n_texts; i++) {
        const char *text = json_string_value(json_array_get(texts, i));
        if (text != NULL && strncmp(text, "--as=", 5) != 0)
            argv[argc++] = (char *)text;
    }
    argv[argc++] = no_more;
    argv[argc++] = (char *)input;
    argv[argc++] = result;
    command.check_option = check_option;
    cli_parse_options(&command, argc, argv, &options);
    options.count.running.is_quiet = is_quiet;
    int code = verify(&options);
    free_options(&options);
    free(argv);
    free(result);
    return code;
}

int cli_verify_folder(const char *folder, bool is_quiet, cli_verify_one_fn verify)
{
    json_t *latest = json_object(), *line;
    const char *key;
    char *path = NULL;
    if (asprintf(&path, "%s/manifest.jsonl", folder) < 0)
        return cli_fail_for_memory();
    int worst = read_manifest(path, latest);
    bool is_read = worst == CLI_DONE;
    json_object_foreach(latest, key, line)
    {
        int code = is_read ? verify_job(folder, line, is_quiet, verify) : CLI_DONE;
        worst = code > worst ? code : worst;
    }
    json_decref(latest);
    free(path);
    return worst;
}

/* ---- One result ------------------------------------------------------------------------------ */

typedef struct verify_one_job {
    const cli_verify_options *options;
    cli_verified verified;
} verify_one_job;

static pc_status verify(pc_context *context, cli_progress *progress, void *user)
{
    verify_one_job *job = user;
    const cli_verify_options *options = job->options;
    const cli_count_options *count = &options->count;
    pc_graph *graph = NULL;
    pc_partition *partition = NULL;
    cli_verify_question question = {0};
    pc_status status;
    (void)progress;
    if (options->is_stream)
        return cli_verify_stream(context, count, options->result, &job->verified);
    if (options->is_chain) {
        status =
            cli_verify_question_of_product(context, count, options->n_factors, options->factors,
                                           options->allow_missing, &question);
    } else {
        status = cli_load_graph(context, &count->input, &graph);
        if (status == PC_OK && count->blocks.spec != NULL)
            status = cli_make_blocks(context, graph, &count->blocks, &partition);
        if (status == PC_OK)
            status = cli_verify_question_make(context, count, graph, partition, &question);
    }
    if (status == PC_OK)
        status = cli_verify_file(&question, options->result, options->result, &job->verified);
    if (status == PC_OK && count->certificate_path != NULL)
        status = cli_certificate_check(&question, options->result, count->certificate_path);
    cli_verify_question_free(&question);
    pc_partition_free(partition);
    pc_graph_free(graph);
    return status;
}

static int verify_one(const cli_verify_options *options)
{
    verify_one_job job = {.options = options};
    int code = cli_run_in_context(&options->count.running, verify, &job);
    if (code != CLI_DONE || options->count.running.is_quiet)
        return code;
    printf("%s: certified, ", cli_shown_path(options->result));
    fputs(cli_number_of(job.verified.n_counts, "number", "numbers").text, stdout);
    fputs(job.verified.n_rounds > 0 ? " in " : "", stdout);
    if (job.verified.n_rounds > 0)
        fputs(cli_number_of(job.verified.n_rounds, "round", "rounds").text, stdout);
    fputc('\n', stdout);
    return CLI_DONE;
}

int cli_verify(int argc, char **argv)
{
    cli_verify_options options = {.count = cli_coarsen_defaults};
    cli_parse_options(&cli_verify_command, argc, argv, &options);
    int code = options.result != NULL
                   ? verify_one(&options)
                   : cli_verify_folder(options.count.input.path, options.count.running.is_quiet,
                                       verify_one);
    free_options(&options);
    return code;
}

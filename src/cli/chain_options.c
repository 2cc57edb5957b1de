/* The command line of `pathcount chain`. */
#include "src/cli/chain_options.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_MODULUS        INT64_MAX /* the modulus is below 2^63 */
#define MAX_CERTIFY_ROUNDS 1000

static const char BACKWARDS[] = "^T";

enum { KEY_WEIGHTS = 0x400, KEY_MULTIGRAPH, KEY_MISSING, KEY_MAX_VERTICES };
enum { KEY_PATHSIM = 0x500, KEY_POWER, KEY_MOD, KEY_FLOAT, KEY_CERTIFY, KEY_JSON };

/* ---- Input --------------------------------------------------------------------------------- */

static const struct argp_option input_options[] = {
    {"weights", KEY_WEIGHTS, NULL, 0, "Third column says how often an entry counts", 0},
    {"multigraph", KEY_MULTIGRAPH, NULL, 0, "Entries given again add up (default: dropped)", 0},
    {"max-vertices", KEY_MAX_VERTICES, "N", 0,
     "Rows or columns that a file may state (default: 2097152 and one for each byte)", 0},
    {"allow-missing", KEY_MISSING, NULL, 0,
     "A label that only one of two neighbours has leads nowhere (default: an error)", 0},
    {0}};

static error_t parse_input(int key, char *argument, struct argp_state *state)
{
    cli_chain_options *options = state->input;
    switch (key) {
    case KEY_WEIGHTS:
        options->count.input.graph.weights = 1;
        return 0;
    case KEY_MULTIGRAPH:
        options->count.input.graph.multigraph = 1;
        return 0;
    case KEY_MAX_VERTICES:
        options->count.input.graph.max_vertices =
            cli_parse_integer(state, "--max-vertices", argument, 1, UINT32_MAX);
        return 0;
    case KEY_MISSING:
        options->chain.allow_missing = 1;
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

static const struct argp input_argp = {.options = input_options, .parser = parse_input};

/* ---- Counting ------------------------------------------------------------------------------ */

static const struct argp_option counting_options[] = {
    {"pathsim", KEY_PATHSIM, NULL, 0, "Similarities of rows instead of numbers of ways", 0},
    {"power", KEY_POWER, "P", 0, "The product P times, like paths of length P", 0},
    {"mod", KEY_MOD, "M", 0, "With --power: count modulo M, 2 <= M < 2^63", 0},
    {"float", KEY_FLOAT, NULL, 0, "With --power: count in doubles", 0},
    {"certify", KEY_CERTIFY, "N", 0, "Random checks of the result (default: 2)", 0},
    {0}};

static void set_certify(const struct argp_state *state, const char *argument)
{
    cli_chain_options *options = state->input;
    int rounds = (int)cli_parse_integer(state, "--certify", argument, 0, MAX_CERTIFY_ROUNDS);
    options->chain.n_certify_rounds = rounds == 0 ? PC_CERTIFY_NONE : rounds;
    options->count.count.n_certify_rounds = options->chain.n_certify_rounds;
}

static void set_arithmetic(const struct argp_state *state, pc_arithmetic arithmetic)
{
    cli_chain_options *options = state->input;
    pc_arithmetic before = options->count.count.arithmetic;
    if (before != PC_EXACT && before != arithmetic)
        argp_error(state, "--mod and --float exclude each other");
    options->count.count.arithmetic = arithmetic;
}

static error_t parse_counting(int key, char *argument, struct argp_state *state)
{
    cli_chain_options *options = state->input;
    switch (key) {
    case KEY_PATHSIM:
        options->pathsim = true;
        return 0;
    case KEY_POWER:
        options->count.length = cli_parse_integer(state, "--power", argument, 0, UINT64_MAX);
        options->count.has_length = true;
        return 0;
    case KEY_MOD:
        set_arithmetic(state, PC_MODULAR);
        options->count.count.modulus = cli_parse_integer(state, "--mod", argument, 2, MAX_MODULUS);
        return 0;
    case KEY_FLOAT:
        set_arithmetic(state, PC_FLOAT);
        return 0;
    case KEY_CERTIFY:
        set_certify(state, argument);
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

static const struct argp counting_argp = {.options = counting_options, .parser = parse_counting};

/* ---- Output -------------------------------------------------------------------------------- */

static const struct argp_option output_options[] = {
    {"output", 'o', "FILE", 0, "Write the matrix to FILE, format by its ending", 0},
    {"json", KEY_JSON, NULL, 0, "Print the answer as one JSON object", 0},
    {0}};

static error_t parse_output(int key, char *argument, struct argp_state *state)
{
    cli_chain_options *options = state->input;
    switch (key) {
    case 'o':
        options->count.output_path = argument;
        return 0;
    case KEY_JSON:
        options->count.json = true;
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

static const struct argp output_argp = {.options = output_options, .parser = parse_output};

/* ---- The command --------------------------------------------------------------------------- */

static const struct argp_child children[] = {
    {&input_argp, 0, "Input (pathcount chain writes.txt published.txt --weights):", 1},
    {&counting_argp, 0, "Counting (pathcount chain writes.txt writes.txt^T --pathsim):", 2},
    {&output_argp, 0, "Output (pathcount chain writes.txt published.txt -o venues.tsv):", 3},
    {&cli_running_argp, 0, "Running (pathcount chain writes.txt published.txt --explain):", 4},
    {&cli_about_argp, 0, NULL, 5},
    {0}};

static const char doc[] =
    "Multiply relations, exactly: in how many ways one comes from each row of the first file to "
    "each column of the last, along one entry of each file. Files are chained by their labels: the "
    "columns of one are the rows of the next, in any order.\n"
    "\n"
    "Up to 32 rows and columns the answer is the table of all numbers, beyond that a summary; -o "
    "writes the whole matrix to a file.\v"
    "F is an edge list (a line an entry: ROW COLUMN [WEIGHT]; # and % begin comments) or Matrix "
    "Market of any shape, - for standard input, packed (gz, zst, xz, bz2) or not. F^T is the same "
    "read backwards, columns as rows, unless a file is called so. The order of multiplication is "
    "chosen by expected cost.\n"
    "\n"
    "--pathsim needs a product that ends where it began, such as F F^T: row i and row j are as "
    "similar as 2 M[i][j] / (M[i][i] + M[j][j]), from 0 to 1.\n"
    "\n"
    "Examples:\n"
    "  pathcount chain writes.txt published.txt\n"
    "      how many papers each author has in each venue\n"
    "  pathcount chain writes.txt writes.txt^T --pathsim -o alike.tsv\n"
    "      how alike authors are by the papers that they share\n"
    "\n"
    "Exit status: as of pathcount count, see its --help. More: man pathcount";

static void *need_memory(void *memory)
{
    if (memory == NULL) {
        perror("pathcount");
        exit(69); /* as CLI_UNAVAILABLE */
    }
    return memory;
}

static void add_factor(cli_chain_options *options, const char *name)
{
    size_t length = strlen(name), suffix = sizeof BACKWARDS - 1;
    bool ends_so = length > suffix && strcmp(name + length - suffix, BACKWARDS) == 0;
    cli_factor *factor = &options->factors[options->n_factors++];
    factor->name = name;
    factor->is_transposed = ends_so && access(name, F_OK) != 0;
    factor->path = need_memory(strdup(name));
    if (factor->is_transposed)
        factor->path[length - suffix] = '\0';
}

static void check_complete(const struct argp_state *state)
{
    const cli_chain_options *options = state->input;
    if (options->n_factors == 0)
        argp_error(state, "which relations? For example: pathcount chain writes.txt published.txt");
    if (options->count.count.arithmetic != PC_EXACT && !options->count.has_length)
        argp_error(state, "--mod and --float are for --power: the product itself is always exact");
    if (options->pathsim && options->count.has_length)
        argp_error(state, "--pathsim and --power exclude each other");
}

static error_t parse_command(int key, char *argument, struct argp_state *state)
{
    cli_chain_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = options;
        state->child_inputs[1] = options;
        state->child_inputs[2] = options;
        state->child_inputs[3] = &options->count.running;
        return 0;
    case ARGP_KEY_ARG:
        add_factor(options, argument);
        return 0;
    case ARGP_KEY_END:
        check_complete(state);
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

static char *join_names(const cli_chain_options *options)
{
    size_t n_bytes = 1;
    for (uint32_t f = 0; f < options->n_factors; f++)
        n_bytes += strlen(options->factors[f].name) + 1;
    char *joined = need_memory(malloc(n_bytes)), *at = joined;
    for (uint32_t f = 0; f < options->n_factors; f++) {
        if (f > 0)
            *at++ = ' ';
        at = stpcpy(at, options->factors[f].name);
    }
    *at = '\0';
    return joined;
}

void cli_chain_options_parse(int argc, char **argv, cli_chain_options *options)
{
    static const struct argp command = {.parser = parse_command,
                                        .args_doc = "F1 [F2...]",
                                        .doc = doc,
                                        .children = children,
                                        .help_filter = cli_help_filter};
    *options = (cli_chain_options){
        .factors = need_memory(calloc((size_t)argc + 1, sizeof *options->factors))};
    cli_parse(&command, argc, argv, ARGP_NO_HELP, options);
    options->product = join_names(options);
    options->count.input.path = options->product;
}

void cli_chain_options_free(cli_chain_options *options)
{
    for (uint32_t f = 0; f < options->n_factors; f++)
        free(options->factors[f].path);
    free(options->factors);
    free(options->product);
    *options = (cli_chain_options){0};
}

bool cli_chain_is_symmetric(const cli_chain_options *options)
{
    uint32_t n = options->n_factors, f = 0;
    while (f < n / 2 && strcmp(options->factors[f].path, options->factors[n - 1 - f].path) == 0 &&
           options->factors[f].is_transposed != options->factors[n - 1 - f].is_transposed)
        f++;
    return n % 2 == 0 && f == n / 2;
}

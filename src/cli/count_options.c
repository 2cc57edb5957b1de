/* The command line of `pathcount count`. */
#include "src/cli/count_options.h"

#include <string.h>

#define MAX_MODULUS        INT64_MAX /* the modulus is below 2^63 */
#define MAX_CERTIFY_ROUNDS 1000

enum { KEY_MOD = 0x200, KEY_FLOAT, KEY_CERTIFY, KEY_METHOD, KEY_JSON };

/* ---- Counting ------------------------------------------------------------------------------ */

static const struct argp_option counting_options[] = {
    {"length", 'k', "K", 0, "Length of the paths in arcs (required)", 0},
    {"mod", KEY_MOD, "M", 0, "Count modulo M, 2 <= M < 2^63", 0},
    {"float", KEY_FLOAT, NULL, 0, "Count in doubles: rounded, never overflows", 0},
    {"method", KEY_METHOD, "METHOD", 0, "How: auto, dense, sweep or hybrid", 0},
    {"certify", KEY_CERTIFY, "N", 0, "Random checks of the result (default: 2)", 0},
    {0}};

static void set_arithmetic(const struct argp_state *state, pc_arithmetic arithmetic)
{
    cli_count_options *options = state->input;
    pc_arithmetic before = options->count.arithmetic;
    if (before != PC_EXACT && before != arithmetic)
        argp_error(state, "--mod and --float exclude each other");
    options->count.arithmetic = arithmetic;
}

const char *cli_method_name(pc_method method)
{
    static const char *const names[] = {[PC_METHOD_AUTO] = "auto",
                                        [PC_METHOD_DENSE] = "dense",
                                        [PC_METHOD_SWEEP] = "sweep",
                                        [PC_METHOD_HYBRID] = "hybrid"};
    return names[method];
}

static pc_method parse_method(const struct argp_state *state, const char *text)
{
    for (int m = PC_METHOD_AUTO; m <= PC_METHOD_HYBRID; m++)
        if (strcmp(text, cli_method_name((pc_method)m)) == 0)
            return (pc_method)m;
    argp_error(state, "--method must be auto, dense, sweep or hybrid, not '%s'", text);
    return PC_METHOD_AUTO;
}

static error_t parse_counting(int key, char *argument, struct argp_state *state)
{
    cli_count_options *options = state->input;
    switch (key) {
    case 'k':
        options->length = cli_parse_integer(state, "--length", argument, 0, UINT64_MAX);
        options->has_length = true;
        return 0;
    case KEY_MOD:
        set_arithmetic(state, PC_MODULAR);
        options->count.modulus = cli_parse_integer(state, "--mod", argument, 2, MAX_MODULUS);
        return 0;
    case KEY_FLOAT:
        set_arithmetic(state, PC_FLOAT);
        return 0;
    case KEY_METHOD:
        options->count.method = parse_method(state, argument);
        return 0;
    case KEY_CERTIFY:
        options->count.n_certify_rounds =
            (int)cli_parse_integer(state, "--certify", argument, 0, MAX_CERTIFY_ROUNDS);
        if (options->count.n_certify_rounds == 0)
            options->count.n_certify_rounds = PC_CERTIFY_NONE;
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

const struct argp cli_counting_argp = {.options = counting_options, .parser = parse_counting};

/* ---- Output -------------------------------------------------------------------------------- */

static const struct argp_option output_options[] = {
    {"output", 'o', "FILE", 0, "Write the matrix to FILE, format by its ending", 0},
    {"json", KEY_JSON, NULL, 0, "Print the answer as one JSON object", 0},
    {0}};

static error_t parse_output(int key, char *argument, struct argp_state *state)
{
    cli_count_options *options = state->input;
    switch (key) {
    case 'o':
        options->output_path = argument;
        return 0;
    case KEY_JSON:
        options->json = true;
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

const struct argp cli_output_argp = {.options = output_options, .parser = parse_output};

/* ---- The command --------------------------------------------------------------------------- */

static const struct argp_child children[] = {
    {&cli_input_argp, 0, "Input (pathcount arcs.csv --directed --weights --length 8):", 1},
    {&cli_counting_argp, 0, "Counting (pathcount graph.txt --length 100 --mod 1000000007):", 2},
    {&cli_output_argp, 0, "Output (pathcount graph.txt --length 8 -o counts.tsv.gz):", 5},
    {&cli_running_argp, 0, "Running (pathcount graph.txt --length 8 --threads 2 --explain):", 7},
    {&cli_paths_argp, 0, "Which paths (pathcount graph.txt --length 8 --non-backtracking):", 3},
    {&cli_query_argp, 0,
     "Asking for less than all pairs (pathcount graph.txt --length 4 --pair C J):", 4},
    {&cli_look_argp, 0, "Pictures (pathcount graph.txt --length 8 --plot counts.png):", 6},
    {&cli_about_argp, 0, NULL, 8},
    {0}};

static const char doc[] =
    "Count the paths of length K between all vertices of a graph, exactly. A path may visit a "
    "vertex more than once: graph theory calls it a walk.\n"
    "\n"
    "Up to 32 vertices the answer is the table of all counts, beyond that a summary; -o writes "
    "the whole matrix to a file. Where less is asked for, a single answer is a number alone, "
    "several are lines separated by tabs.\v"
    "GRAPH is a file or - for standard input, packed (gz, zst, xz, bz2) or not. FORMAT is auto, "
    "edges (a line an edge: FROM TO [WEIGHT]; # and % begin comments), mtx (Matrix Market), graph6 "
    "(sparse6 and digraph6 too) or, through igraph, graphml, gml, pajek, lgl, ncol or dl. FILE "
    "ends in .tsv, .csv, .mtx, .npy or .json, and .gz or .zst after that packs it.\n"
    "\n"
    "METHOD is dense (the whole matrix is squared), sweep (rows or vectors are sent along the "
    "arcs, step by step), hybrid (sweep first, then dense) or auto, whichever is expected to be "
    "fastest. All give the same exact counts.\n"
    "\n"
    "KIND is heatmap (the matrix; the default), growth (the total over the length) or histogram "
    "(how many counts are how large).\n"
    "\n"
    "VERTEX, FROM and TO are labels of GRAPH; VERTEX may be @NAME, a file of them, one a line. The "
    "lines of --pairs are FROM TO, separated by a tab or comma, or by blanks.\n"
    "\n"
    "Examples:\n"
    "  pathcount graph.txt --length 8\n"
    "  pathcount graph.txt --length 20 --total --each\n"
    "  pathcount graph.txt --length 8 --json > summary.json\n"
    "  pathcount graph.txt --length 8 --show --plot growth:growth.svg\n"
    "  zcat graph.gz | pathcount - --length 1000000 --mod 1000000007\n"
    "\n"
    "Other commands, each with a help of its own (pathcount batch --help):\n"
    "  coarsen   counts between blocks of vertices\n"
    "  chain     products of relations (authors, papers, venues)\n"
    "  batch     many datasets, or a stream of small graphs\n"
    "  generate  random graphs, and famous ones\n"
    "  devices   what can compute here\n"
    "  bench     measures what this machine can do\n"
    "\n"
    "Exit status: 0 done, 2 usage, 65 bad data, 66 no input, 69 not possible here (engine, "
    "memory, width), 70 internal error, 73 cannot create output, 74 input/output error, 130 "
    "interrupted. More: man pathcount";

void cli_count_options_check(const struct argp_state *state, const char *command)
{
    const cli_count_options *options = state->input;
    if (options->input.path == NULL)
        argp_error(state, "which graph? For example: %s graph.txt --length 8", command);
    if (!options->has_length)
        argp_error(state, "how long are the paths? For example: %s %s --length 8", command,
                   options->input.path);
}

void cli_count_options_init(struct argp_state *state)
{
    cli_count_options *options = state->input;
    state->child_inputs[0] = &options->input;
    state->child_inputs[1] = options;
    state->child_inputs[2] = options;
    state->child_inputs[3] = &options->running;
}

void cli_count_options_take_graph(struct argp_state *state, char *path)
{
    cli_count_options *options = state->input;
    if (options->input.path != NULL)
        argp_error(state, "one graph at a time, not both '%s' and '%s'", options->input.path, path);
    options->input.path = path;
}

static error_t parse_command(int key, char *argument, struct argp_state *state)
{
    cli_count_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        cli_count_options_init(state);
        state->child_inputs[4] = state->child_inputs[5] = &options->query;
        state->child_inputs[6] = &options->look;
        return 0;
    case ARGP_KEY_ARG:
        cli_count_options_take_graph(state, argument);
        return 0;
    case ARGP_KEY_END:
        cli_count_options_check(state, "pathcount");
        cli_query_options_complete(state, options);
        cli_look_options_check(state, options);
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

void cli_count_options_parse(int argc, char **argv, cli_count_options *options)
{
    static const struct argp command = {.parser = parse_command,
                                        .args_doc = "GRAPH --length K",
                                        .doc = doc,
                                        .children = children,
                                        .help_filter = cli_help_filter};
    *options = (cli_count_options){0};
    cli_parse(&command, argc, argv, ARGP_NO_HELP, options);
}

/* The command line of `pathcount coarsen`. */
#include "src/cli/count_options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_ITERATIONS 10
#define MAX_ITERATIONS     1000000

enum { KEY_BLOCKS = 0x400, KEY_MEAN, KEY_GRAPH, KEY_RESOLUTION, KEY_SEED, KEY_ITERATIONS };

static const struct argp_option block_options[] = {
    {"blocks", KEY_BLOCKS, "SPEC", 0, "How vertices are put into blocks (required)", 0},
    {"mean", KEY_MEAN, NULL, 0, "Divide each count by the sizes of its two blocks", 0},
    {"graph", KEY_GRAPH, "FILE", 0, "Write the quotient graph too (.tsv, .csv, .txt, .mtx)", 0},
    {"resolution", KEY_RESOLUTION, "R", 0, "Of leiden, multilevel: higher, more blocks (1)", 0},
    {"seed", KEY_SEED, "N", 0, "Of leiden, multilevel: seed of random choices (1)", 0},
    {"iterations", KEY_ITERATIONS, "N", 0, "Of leiden: how often it starts over (10)", 0},
    {0}};

static double parse_resolution(const struct argp_state *state, const char *text)
{
    char *end;
    errno = 0;
    double value = strtod(text, &end);
    if (end == text || *end != '\0' || errno != 0 || !(value > 0) || value > 1e9)
        argp_error(state, "--resolution must be a number above 0, not '%s'", text);
    return value;
}

static error_t parse_blocks(int key, char *argument, struct argp_state *state)
{
    cli_block_options *blocks = &((cli_count_options *)state->input)->blocks;
    switch (key) {
    case KEY_BLOCKS:
        blocks->spec = argument;
        return 0;
    case KEY_MEAN:
        blocks->mean = true;
        return 0;
    case KEY_GRAPH:
        blocks->graph_path = argument;
        return 0;
    case KEY_RESOLUTION:
        blocks->resolution = parse_resolution(state, argument);
        return 0;
    case KEY_SEED:
        blocks->seed = cli_parse_integer(state, "--seed", argument, 0, UINT64_MAX);
        return 0;
    case KEY_ITERATIONS:
        blocks->n_iterations =
            (int)cli_parse_integer(state, "--iterations", argument, 1, MAX_ITERATIONS);
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

static const struct argp blocks_argp = {.options = block_options, .parser = parse_blocks};

static const struct argp_child children[] = {
    {&cli_input_argp, 0, "Input (pathcount coarsen arcs.csv --directed --length 8 --blocks 2):", 1},
    {&cli_counting_argp, 0,
     "Counting (pathcount coarsen graph.txt --length 99 --mod 7 --blocks 2):", 2},
    {&cli_output_argp, 0,
     "Output (pathcount coarsen graph.txt --length 8 --blocks 2 -o pairs.npy):", 3},
    {&cli_running_argp, 0,
     "Running (pathcount coarsen graph.txt --length 8 --blocks 2 --explain):", 5},
    {&blocks_argp, 0, "Blocks (pathcount coarsen graph.txt --length 4 --blocks components):", 0},
    {&cli_look_argp, 0, "Pictures (pathcount coarsen graph.txt --length 8 --blocks 2 --show):", 4},
    {&cli_about_argp, 0, NULL, 6},
    {0}};

static const char doc[] =
    "Count the paths of length K between blocks of vertices, exactly: from any vertex of one block "
    "to any of the other. That is S A^K S^T, with the blocks as rows of S; A^K itself is never "
    "made.\n"
    "\n"
    "Up to 32 blocks the answer is the table of all counts, beyond that a summary; -o writes the "
    "whole matrix to a file, in the formats of `pathcount count`.\v"
    "SPEC is\n"
    "  a number R    groups of R consecutive vertices, the last may be smaller\n"
    "  components    the connected components\n"
    "  leiden        communities, by modularity (igraph)\n"
    "  multilevel    the same by the Louvain method (igraph)\n"
    "  FILE          a line a vertex, VERTEX BLOCK; every vertex once\n"
    "A file of such a name is meant by ./components and the like.\n"
    "\n"
    "--mean gives the mean count of the pairs of vertices, as a fraction such as 7/4 in text and "
    "JSON, as a double in .npy and .mtx. --graph writes the quotient graph, S A S^T: its edges "
    "carry the number of arcs from block to block. Its own powers are something else: they change "
    "vertices freely within a block between one arc and the next, so they count more.\n"
    "\n"
    "Examples:\n"
    "  pathcount coarsen graph.txt --length 4 --blocks departments.txt --mean\n"
    "  pathcount coarsen graph.txt --length 6 --blocks leiden --graph q.tsv\n"
    "\n"
    "Exit status: as of pathcount count, see its --help. More: man pathcount";

static error_t parse_command(int key, char *argument, struct argp_state *state)
{
    cli_count_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        cli_count_options_init(state);
        state->child_inputs[4] = options;
        state->child_inputs[5] = &options->look;
        return 0;
    case ARGP_KEY_ARG:
        cli_count_options_take_graph(state, argument);
        return 0;
    case ARGP_KEY_END:
        cli_count_options_check(state, "pathcount coarsen");
        if (options->blocks.spec == NULL)
            argp_error(state,
                       "which blocks? For example: --blocks 2, --blocks components, or a file");
        if (strcmp(options->blocks.spec, "-") == 0 && strcmp(options->input.path, "-") == 0)
            argp_error(state, "the graph and its blocks cannot both be read from standard input");
        if (options->blocks.graph_path != NULL && options->output_path != NULL &&
            strcmp(options->blocks.graph_path, options->output_path) == 0)
            argp_error(state, "--graph and --output name the same file");
        if (options->blocks.mean && options->count.arithmetic == PC_MODULAR)
            argp_error(state, "--mean has no meaning with --mod: residues have no mean");
        cli_look_options_check(state, options);
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

void cli_coarsen_options_parse(int argc, char **argv, cli_count_options *options)
{
    static const struct argp command = {.parser = parse_command,
                                        .args_doc = "GRAPH --length K --blocks SPEC",
                                        .doc = doc,
                                        .children = children,
                                        .help_filter = cli_help_filter};
    *options = (cli_count_options){
        .blocks = {.resolution = 1, .seed = 1, .n_iterations = DEFAULT_ITERATIONS}};
    cli_parse(&command, argc, argv, ARGP_NO_HELP, options);
}

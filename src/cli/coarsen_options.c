/* The command line of `pathcount coarsen`. */
#include "src/cli/count_options.h"

#include "src/cli/named_files.h"

#include <string.h>

#define AT(member) CLI_AT(cli_block_options, member)

const char *const cli_block_words[] = {"components", "leiden", "multilevel", NULL};

const cli_option cli_block_rows[] = {
    {"--blocks", "SPEC", "How vertices are put into blocks (required)", CLI_FILE, AT(spec),
     .words = cli_block_words},
    {"--mean", NULL, "Divide each count by the sizes of its two blocks", AT(mean)},
    {"--graph", "FILE", "Write the quotient graph too (formats as of generate)", CLI_FILE,
     AT(graph_path)},
    {"--resolution", "R", "Of leiden, multilevel: higher, more blocks (1)", CLI_NUMBER,
     AT(resolution), .most = 1000000000},
    {"--seed", "N", "Of leiden, multilevel: seed of random choices (1)", CLI_INTEGER, AT(seed),
     .most = UINT64_MAX},
    {"--iterations", "N", "Of leiden: how often it starts over (10)", CLI_INTEGER, AT(n_iterations),
     .least = 1, .most = 1000000},
    {0}};

const cli_count_options cli_coarsen_defaults = {
    .blocks = {.resolution = 1, .seed = 1, .n_iterations = 10}};

static const cli_group groups[] = {
    {"Blocks (pathcount coarsen graph.txt --length 4 --blocks components):", cli_block_rows,
     offsetof(cli_count_options, blocks)},
    {"Input (pathcount coarsen arcs.csv --directed --length 8 --blocks 2):", cli_input_rows,
     offsetof(cli_count_options, input)},
    {"Counting (pathcount coarsen graph.txt --length 99 --mod 7 --blocks 2):", cli_counting_rows,
     0},
    {"Output (pathcount coarsen graph.txt --length 8 --blocks 2 -o pairs.npy):", cli_output_rows,
     offsetof(cli_count_options, output)},
    {"Certificates (pathcount coarsen graph.txt -k 8 --blocks 2 --certificate c):",
     cli_certificate_rows, 0},
    {"Pictures (pathcount coarsen graph.txt --length 8 --blocks 2 --show):", cli_look_rows,
     offsetof(cli_count_options, look)},
    {"Running (pathcount coarsen graph.txt --length 8 --blocks 2 --explain):", cli_running_rows,
     offsetof(cli_count_options, running)},
    {NULL, cli_about_rows, 0},
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

/* The file of blocks; NULL: they are a number, or found by a method. */
static const char *block_file(const char *spec)
{
    for (const char *const *word = cli_block_words; *word != NULL; word++)
        if (strcmp(spec, *word) == 0)
            return NULL;
    return spec[strspn(spec, "0123456789")] == '\0' ? NULL : spec;
}

static void complete(cli_parse *parse)
{
    cli_count_options *options = parse->options;
    const cli_block_options *blocks = &options->blocks;
    struct argp_state *state = parse->state;
    cli_count_check(parse, "pathcount coarsen");
    if (blocks->spec == NULL)
        argp_error(state, "which blocks? For example: --blocks 2, --blocks components, or a file");
    if (strcmp(blocks->spec, "-") == 0 && strcmp(options->input.path, "-") == 0)
        argp_error(state, "the graph and its blocks cannot both be read from standard input");
    cli_output_options_complete(state, &options->output, options->look.show ? "--show" : NULL);
    if (blocks->mean && options->count.arithmetic == PC_MODULAR)
        argp_error(state, "--mean has no meaning with --mod: residues have no mean");
    cli_look_options_check(state, options);
    cli_count_check_certificate(state, options);
    cli_count_name_files(state, options);
    cli_file_is_read(state, "--blocks", block_file(blocks->spec));
    cli_graph_is_written(state, "--graph", blocks->graph_path);
}

const cli_command cli_coarsen_command = {.name = "coarsen",
                                         .summary = "paths between blocks of vertices",
                                         .arguments = "GRAPH --length K --blocks SPEC",
                                         .doc = doc,
                                         .groups = groups,
                                         .take_argument = cli_count_take_graph,
                                         .complete = complete};

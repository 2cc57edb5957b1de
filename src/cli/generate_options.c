/* The command line of `pathcount generate`. */
#include "src/cli/generate_options.h"

#include "src/cli/named_files.h"
#include "src/cli/suggest.h"
#include "src/cli/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MAX_EDGE_FACTOR (UINT64_C(1) << 32)

#define AT(member) CLI_AT(cli_generate_options, member)

/* ---- Options of models ----------------------------------------------------------------------- */

/* Reads a number from 0 to 1 at *text, and moves *text behind it. */
static bool take_probability(const char **text, double *value)
{
    char *end;
    if (!isdigit((unsigned char)**text) && **text != '.')
        return false;
    *value = strtod(*text, &end);
    bool good = end != *text && *value >= 0 && *value <= 1;
    *text = end;
    return good;
}

static void take_number(cli_parse *parse, void *object, char *argument)
{
    cli_generate_options *options = object;
    const char *text = argument;
    if (!take_probability(&text, &options->probability) || *text != '\0')
        argp_error(parse->state, "%s must be a number from 0 to 1, not '%s'", parse->option->name,
                   argument);
}

static void take_quadrants(cli_parse *parse, void *object, char *argument)
{
    pc_rmat *rmat = &((cli_generate_options *)object)->rmat;
    const char *text = argument;
    bool good = take_probability(&text, &rmat->a) && *text++ == ',' &&
                take_probability(&text, &rmat->b) && *text++ == ',' &&
                take_probability(&text, &rmat->c) && *text == '\0';
    if (!good || rmat->a + rmat->b + rmat->c == 0)
        argp_error(parse->state,
                   "%s must be three probabilities, not all 0, such as 0.57,0.19,0.19, not '%s'",
                   parse->option->name, argument);
}

enum {
    SCALE,
    EDGE_FACTOR,
    QUADRANTS,
    VERTICES,
    EDGES,
    PROBABILITY,
    EDGES_PER_VERTEX,
    SEED,
    DIRECTED,
    N_MODEL_ROWS
};

static const cli_option graph_rows[] = {
    [SCALE] = {"--scale", "S", "rmat: 2^S vertices", CLI_INTEGER, AT(rmat.scale), .most = 31},
    [EDGE_FACTOR] = {"--edge-factor", "F", "rmat: F * 2^S edges are drawn (16)", CLI_INTEGER,
                     AT(rmat.edge_factor), .most = MAX_EDGE_FACTOR},
    [QUADRANTS] = {"--quadrants", "A,B,C", "rmat: probabilities (0.57,0.19,0.19)", CLI_TEXT,
                   AT(rmat), .take = take_quadrants},
    [VERTICES] = {"--vertices", "N", "Number of vertices", CLI_INTEGER, AT(n_vertices),
                  .most = UINT32_MAX},
    [EDGES] = {"--edges", "M", "erdos-renyi: number of edges", CLI_INTEGER, AT(n_edges),
               .most = UINT64_MAX, .set = CLI_EDGE_NUMBERS},
    [PROBABILITY] = {"--probability", "P", "erdos-renyi: probability of each edge", CLI_NUMBER,
                     AT(probability), .take = take_number, .set = CLI_EDGE_NUMBERS},
    [EDGES_PER_VERTEX] = {"--edges-per-vertex", "M", "barabasi-albert: of each new vertex",
                          CLI_INTEGER, AT(edges_per_vertex), .least = 1, .most = UINT32_MAX},
    [SEED] = {"--seed", "N", "Another seed, another graph (1)", CLI_INTEGER, AT(seed),
              .most = UINT64_MAX},
    [DIRECTED] = {"--directed", NULL, "Edges are arcs", AT(is_directed)},
    {"--output", "FILE", "Write the graph to FILE, format by its ending", CLI_FILE, AT(output_path),
     .letter = 'o'},
    {0}};

static const cli_group groups[] = {
    {"Graph (pathcount generate rmat --scale 10 --seed 7 -o graph.mtx):", graph_rows, 0},
    {"Running (pathcount generate rmat --scale 12 --threads 2):", cli_running_rows,
     offsetof(cli_generate_options, running)},
    {NULL, cli_about_rows, 0},
    {0}};

/* ---- Models ---------------------------------------------------------------------------------- */

static const char *const model_words[] = {[CLI_RMAT] = "rmat",
                                          [CLI_ERDOS_RENYI] = "erdos-renyi",
                                          [CLI_BARABASI_ALBERT] = "barabasi-albert",
                                          [CLI_FAMOUS] = "famous",
                                          NULL};

#define BIT(ROW) (1u << (ROW))

static const struct {
    unsigned needs, takes; /* bits of rows of graph_rows */
    const char *example;
} models[] = {
    [CLI_RMAT] = {BIT(SCALE), BIT(EDGE_FACTOR) | BIT(QUADRANTS) | BIT(SEED) | BIT(DIRECTED),
                  "--scale 16"},
    [CLI_ERDOS_RENYI] = {BIT(VERTICES), BIT(EDGES) | BIT(PROBABILITY) | BIT(SEED) | BIT(DIRECTED),
                         "--vertices 1000 --edges 5000"},
    [CLI_BARABASI_ALBERT] = {BIT(VERTICES) | BIT(EDGES_PER_VERTEX), BIT(SEED) | BIT(DIRECTED),
                             "--vertices 1000 --edges-per-vertex 4"},
    [CLI_FAMOUS] = {0, 0, "Petersen"},
};

static void take_argument(cli_parse *parse, char *argument)
{
    cli_generate_options *options = parse->options;
    char known[256];
    if (options->model_name != NULL && options->model == CLI_FAMOUS &&
        options->famous_name == NULL) {
        options->famous_name = argument;
        return;
    }
    if (options->model_name != NULL)
        argp_error(parse->state, "%s takes no argument '%s'", options->model_name, argument);
    for (int m = 0; m < CLI_N_MODELS; m++)
        if (strcmp(argument, model_words[m]) == 0) {
            options->model_name = model_words[m];
            options->model = (cli_model)m;
            return;
        }
    cli_suggestion meant = {.typed = argument};
    cli_suggest_words(&meant, model_words);
    argp_error(parse->state, "no model is called '%s': there are %s%s", argument,
               cli_join_words(model_words, ", ", known, sizeof known), cli_suggestion_text(&meant));
}

static void complete(cli_parse *parse)
{
    cli_generate_options *options = parse->options;
    struct argp_state *state = parse->state;
    unsigned given = 0;
    if (options->model_name == NULL)
        argp_error(state, "which model? For example: %s rmat --scale 16", state->name);
    unsigned needs = models[options->model].needs, takes = models[options->model].takes;
    for (int row = 0; row < N_MODEL_ROWS; row++) {
        const char *name = graph_rows[row].name;
        given |= cli_is_given(parse, &graph_rows[row]) ? BIT(row) : 0;
        if (given & ~(needs | takes) & BIT(row))
            argp_error(
                state,
                "%s has no meaning for %s: leave it out (%s --help lists what each model takes)",
                name, options->model_name, state->name);
        if (needs & ~given & BIT(row))
            argp_error(state, "%s needs %s. For example: %s %s %s", options->model_name, name,
                       state->name, options->model_name, models[options->model].example);
    }
    options->has_probability = given & BIT(PROBABILITY);
    if (options->model == CLI_ERDOS_RENYI && options->has_probability == !!(given & BIT(EDGES)))
        argp_error(state, "erdos-renyi needs --edges or --probability, one of them");
    if (options->model == CLI_FAMOUS && options->famous_name == NULL)
        argp_error(state, "which famous graph? For example: %s famous Petersen", state->name);
    if (options->running.explain || options->running.device != NULL)
        argp_error(state, "--explain and --device have no meaning here: nothing is counted");
    cli_graph_is_written(state, "--output", options->output_path);
}

/* ---- The command ----------------------------------------------------------------------------- */

static const char doc[] =
    "Make a graph: of a random model, or a famous one by its name.\n"
    "\n"
    "The answer is an edge list, a line \"from to\" for each edge, after a comment that says the "
    "command; -o writes a file instead. Random graphs have no loops, and no edge twice. The same "
    "command makes the same graph, with any number of threads.\v"
    "MODEL is\n"
    "  rmat             each edge chooses one of four quadrants of the adjacency\n"
    "                   matrix, S times; A,B,C are upper left, upper right, lower\n"
    "                   left. Vertices are then numbered at random. Loops and\n"
    "                   edges drawn again are dropped\n"
    "  erdos-renyi      M edges, or each with probability P; all pairs alike\n"
    "  barabasi-albert  each new vertex joins M older ones, by their degrees\n"
    "  famous NAME      Petersen, Zachary, ... (igraph; a wrong name lists all)\n"
    "\n"
    "The ending of FILE is .tsv, .csv, .txt, .mtx, .sg, .wsg, .graphml, .gml or .net (Pajek), and "
    "then .gz or .zst to pack it. The head comment "
    "states direction and number of vertices: pathcount reads it back without an option.\n"
    "\n"
    "Examples:\n"
    "  pathcount generate rmat --scale 10 | pathcount - --length 4\n"
    "  pathcount generate erdos-renyi --vertices 1000 --edges 5000 > random.txt\n"
    "  pathcount generate barabasi-albert --vertices 1000 --edges-per-vertex 3\n"
    "  pathcount generate famous Zachary\n"
    "\n"
    "Exit status: as of pathcount count, see its --help. More: man pathcount";

const cli_generate_options cli_generate_defaults = {.rmat = {.edge_factor = 16} /* of Graph500 */,
                                                    .seed = 1};

/* ARGP_IN_ORDER, because the arguments are printed as they were given. */
const cli_command cli_generate_command = {.name = "generate",
                                          .summary = "random graphs, and famous ones",
                                          .arguments = "MODEL [NAME]",
                                          .doc = doc,
                                          .groups = groups,
                                          .argp_flags = ARGP_IN_ORDER,
                                          .take_argument = take_argument,
                                          .complete = complete};

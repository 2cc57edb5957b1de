/* The command line of `pathcount generate`. */
#include "src/cli/generate_options.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MAX_VERTICES        UINT32_MAX
#define MAX_SCALE           31
#define MAX_EDGE_FACTOR     (UINT64_C(1) << 32)
#define DEFAULT_EDGE_FACTOR 16 /* of Graph500 */
#define DEFAULT_SEED        1

enum {
    KEY_SCALE = 0x500,
    KEY_EDGE_FACTOR,
    KEY_QUADRANTS,
    KEY_VERTICES,
    KEY_EDGES,
    KEY_PROBABILITY,
    KEY_EDGES_PER_VERTEX,
    KEY_SEED,
    KEY_DIRECTED,
    KEY_END
};

#define BIT(KEY) (1u << ((KEY)-KEY_SCALE))

static const struct argp_option model_options[] = {
    {"scale", KEY_SCALE, "S", 0, "rmat: 2^S vertices", 0},
    {"edge-factor", KEY_EDGE_FACTOR, "F", 0, "rmat: F * 2^S edges are drawn (16)", 0},
    {"quadrants", KEY_QUADRANTS, "A,B,C", 0, "rmat: probabilities (0.57,0.19,0.19)", 0},
    {"vertices", KEY_VERTICES, "N", 0, "Number of vertices", 0},
    {"edges", KEY_EDGES, "M", 0, "erdos-renyi: number of edges", 0},
    {"probability", KEY_PROBABILITY, "P", 0, "erdos-renyi: probability of each edge", 0},
    {"edges-per-vertex", KEY_EDGES_PER_VERTEX, "M", 0, "barabasi-albert: of each new vertex", 0},
    {"seed", KEY_SEED, "N", 0, "Another seed, another graph (1)", 0},
    {"directed", KEY_DIRECTED, NULL, 0, "Edges are arcs", 0},
    {"output", 'o', "FILE", 0, "Write the graph to FILE, format by its ending", 0},
    {0}};

static const struct {
    const char *name;
    unsigned needs, takes; /* options */
    const char *example;
} models[] = {
    [CLI_RMAT] = {"rmat", BIT(KEY_SCALE),
                  BIT(KEY_EDGE_FACTOR) | BIT(KEY_QUADRANTS) | BIT(KEY_SEED) | BIT(KEY_DIRECTED),
                  "--scale 16"},
    [CLI_ERDOS_RENYI] = {"erdos-renyi", BIT(KEY_VERTICES),
                         BIT(KEY_EDGES) | BIT(KEY_PROBABILITY) | BIT(KEY_SEED) | BIT(KEY_DIRECTED),
                         "--vertices 1000 --edges 5000"},
    [CLI_BARABASI_ALBERT] = {"barabasi-albert", BIT(KEY_VERTICES) | BIT(KEY_EDGES_PER_VERTEX),
                             BIT(KEY_SEED) | BIT(KEY_DIRECTED),
                             "--vertices 1000 --edges-per-vertex 4"},
    [CLI_FAMOUS] = {"famous", 0, 0, "Petersen"},
};

/* ---- Values ---------------------------------------------------------------------------------- */

/* A number from 0 to 1 at the start of *text, which moves on behind it. */
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

static double parse_probability(const struct argp_state *state, const char *argument)
{
    const char *text = argument;
    double value = 0;
    if (!take_probability(&text, &value) || *text != '\0')
        argp_error(state, "--probability must be a number from 0 to 1, not '%s'", argument);
    return value;
}

static void parse_quadrants(const struct argp_state *state, const char *argument, pc_rmat *rmat)
{
    const char *text = argument;
    bool good = take_probability(&text, &rmat->a) && *text++ == ',' &&
                take_probability(&text, &rmat->b) && *text++ == ',' &&
                take_probability(&text, &rmat->c) && *text == '\0';
    if (!good || rmat->a + rmat->b + rmat->c == 0)
        argp_error(state,
                   "--quadrants must be three probabilities, not all 0, such as 0.57,0.19,0.19, "
                   "not '%s'",
                   argument);
}

static void take_argument(struct argp_state *state, const char *argument)
{
    cli_generate_options *options = state->input;
    if (options->model_name != NULL && options->model == CLI_FAMOUS &&
        options->famous_name == NULL) {
        options->famous_name = argument;
        return;
    }
    if (options->model_name != NULL)
        argp_error(state, "%s takes no argument '%s'", options->model_name, argument);
    for (int m = 0; m < CLI_N_MODELS; m++)
        if (strcmp(argument, models[m].name) == 0) {
            options->model_name = models[m].name;
            options->model = (cli_model)m;
            return;
        }
    argp_error(state,
               "no model is called '%s': there are rmat, erdos-renyi, barabasi-albert, famous",
               argument);
}

static error_t parse_model(int key, char *argument, struct argp_state *state)
{
    cli_generate_options *options = state->input;
    if (key >= KEY_SCALE && key < KEY_END)
        options->given |= BIT(key);
    switch (key) {
    case KEY_SCALE:
        options->rmat.scale = (uint32_t)cli_parse_integer(state, "--scale", argument, 0, MAX_SCALE);
        return 0;
    case KEY_EDGE_FACTOR:
        options->rmat.edge_factor =
            cli_parse_integer(state, "--edge-factor", argument, 0, MAX_EDGE_FACTOR);
        return 0;
    case KEY_QUADRANTS:
        parse_quadrants(state, argument, &options->rmat);
        return 0;
    case KEY_VERTICES:
        options->n_vertices = cli_parse_integer(state, "--vertices", argument, 0, MAX_VERTICES);
        return 0;
    case KEY_EDGES:
        options->n_edges = cli_parse_integer(state, "--edges", argument, 0, UINT64_MAX);
        return 0;
    case KEY_PROBABILITY:
        options->has_probability = true;
        options->probability = parse_probability(state, argument);
        return 0;
    case KEY_EDGES_PER_VERTEX:
        options->edges_per_vertex =
            cli_parse_integer(state, "--edges-per-vertex", argument, 1, MAX_VERTICES);
        return 0;
    case KEY_SEED:
        options->seed = cli_parse_integer(state, "--seed", argument, 0, UINT64_MAX);
        return 0;
    case KEY_DIRECTED:
        options->is_directed = true;
        return 0;
    case 'o':
        options->output_path = argument;
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

static const struct argp model_argp = {.options = model_options, .parser = parse_model};

/* ---- The command ----------------------------------------------------------------------------- */

static void check_options(const struct argp_state *state)
{
    const cli_generate_options *options = state->input;
    if (options->model_name == NULL)
        argp_error(state, "which model? For example: %s rmat --scale 16", state->name);
    unsigned needs = models[options->model].needs, takes = models[options->model].takes;
    for (int key = KEY_SCALE; key < KEY_END; key++) {
        const char *name = model_options[key - KEY_SCALE].name;
        if (options->given & ~(needs | takes) & BIT(key))
            argp_error(state, "--%s has no meaning for %s", name, options->model_name);
        if (needs & ~options->given & BIT(key))
            argp_error(state, "%s needs --%s. For example: %s %s %s", options->model_name, name,
                       state->name, options->model_name, models[options->model].example);
    }
    unsigned how_many = BIT(KEY_EDGES) | BIT(KEY_PROBABILITY);
    if (options->model == CLI_ERDOS_RENYI && __builtin_popcount(options->given & how_many) != 1)
        argp_error(state, "erdos-renyi needs --edges or --probability, one of them");
    if (options->model == CLI_FAMOUS && options->famous_name == NULL)
        argp_error(state, "which famous graph? For example: %s famous Petersen", state->name);
    if (options->running.explain || options->running.device != NULL)
        argp_error(state, "--explain and --device have no meaning here: nothing is counted");
}

static error_t parse_command(int key, char *argument, struct argp_state *state)
{
    cli_generate_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = options;
        state->child_inputs[1] = &options->running;
        return 0;
    case ARGP_KEY_ARG:
        take_argument(state, argument);
        return 0;
    case ARGP_KEY_END:
        check_options(state);
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

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
    "The ending of FILE is .tsv, .csv, .txt or .mtx, and then .gz or .zst to pack it. The head "
    "comment "
    "states direction and number of vertices: pathcount reads it back without an option.\n"
    "\n"
    "Examples:\n"
    "  pathcount generate rmat --scale 10 | pathcount - --length 4\n"
    "  pathcount generate erdos-renyi --vertices 1000 --edges 5000 > random.txt\n"
    "  pathcount generate barabasi-albert --vertices 1000 --edges-per-vertex 3\n"
    "  pathcount generate famous Zachary\n"
    "\n"
    "Exit status: as of pathcount count, see its --help. More: man pathcount";

void cli_generate_options_parse(int argc, char **argv, cli_generate_options *options)
{
    static const struct argp_child children[] = {
        {&model_argp, 0, "Graph (pathcount generate rmat --scale 10 --seed 7 -o graph.mtx):", 1},
        {&cli_running_argp, 0, "Running (pathcount generate rmat --scale 12 --threads 2):", 2},
        {&cli_about_argp, 0, NULL, 3},
        {0}};
    static const struct argp command = {.parser = parse_command,
                                        .args_doc = "MODEL [NAME]",
                                        .doc = doc,
                                        .children = children,
                                        .help_filter = cli_help_filter};
    *options =
        (cli_generate_options){.rmat = {.edge_factor = DEFAULT_EDGE_FACTOR}, .seed = DEFAULT_SEED};
    /* The arguments stay in their order: they are printed. */
    cli_parse(&command, argc, argv, ARGP_NO_HELP | ARGP_IN_ORDER, options);
}

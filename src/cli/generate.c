/* `pathcount generate` makes a graph, and `pathcount convert` writes one in another format. */

#include "src/cli/main.h"
#include "src/cli/files.h"
#include "src/cli/load.h"
#include "src/cli/process.h"
#include "src/cli/text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Options of generate --------------------------------------------------------------------- */

#define MAX_EDGE_FACTOR (UINT64_C(1) << 32)

#define AT(member) CLI_AT(cli_generate_options, member)

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
    if (!take_probability(&text, &options->random.probability) || *text != '\0')
        argp_error(parse->state, "%s must be a number from 0 to 1, not '%s'", parse->option->name,
                   argument);
}

static void take_quadrants(cli_parse *parse, void *object, char *argument)
{
    pc_model *rmat = &((cli_generate_options *)object)->random;
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
    [SCALE] = {"--scale", "S", "rmat: 2^S vertices", CLI_INTEGER, AT(random.scale), .most = 31},
    [EDGE_FACTOR] = {"--edge-factor", "F", "rmat: F * 2^S edges are drawn (16)", CLI_INTEGER,
                     AT(random.edge_factor), .most = MAX_EDGE_FACTOR},
    [QUADRANTS] = {"--quadrants", "A,B,C", "rmat: probabilities (0.57,0.19,0.19)", CLI_TEXT,
                   AT(random), .take = take_quadrants},
    [VERTICES] = {"--vertices", "N", "Number of vertices", CLI_INTEGER, AT(random.n_vertices),
                  .most = UINT32_MAX},
    [EDGES] = {"--edges", "M", "erdos-renyi: number of edges", CLI_INTEGER, AT(random.n_edges),
               .most = UINT64_MAX, .set = CLI_EDGE_NUMBERS},
    [PROBABILITY] = {"--probability", "P", "erdos-renyi: probability of each edge", CLI_NUMBER,
                     AT(random.probability), .take = take_number, .set = CLI_EDGE_NUMBERS},
    [EDGES_PER_VERTEX] = {"--edges-per-vertex", "M", "barabasi-albert: of each new vertex",
                          CLI_INTEGER, AT(random.edges_per_vertex), .least = 1, .most = UINT32_MAX},
    [SEED] = {"--seed", "N", "Another seed, another graph (1)", CLI_INTEGER, AT(random.seed),
              .most = UINT64_MAX},
    [DIRECTED] = {"--directed", NULL, "Edges are arcs", AT(random.directed)},
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
    pc_model_kind kind;
} models[] = {
    [CLI_RMAT] = {BIT(SCALE), BIT(EDGE_FACTOR) | BIT(QUADRANTS) | BIT(SEED) | BIT(DIRECTED),
                  "--scale 16", PC_MODEL_RMAT},
    [CLI_ERDOS_RENYI] = {BIT(VERTICES), BIT(EDGES) | BIT(PROBABILITY) | BIT(SEED) | BIT(DIRECTED),
                         "--vertices 1000 --edges 5000", PC_MODEL_ERDOS_RENYI},
    [CLI_BARABASI_ALBERT] = {BIT(VERTICES) | BIT(EDGES_PER_VERTEX), BIT(SEED) | BIT(DIRECTED),
                             "--vertices 1000 --edges-per-vertex 4", PC_MODEL_BARABASI_ALBERT},
    [CLI_FAMOUS] = {.example = "Petersen"},
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

static const cli_generate_options defaults = {
    .random = {.edge_factor = 16 /* of Graph500 */, .seed = 1}};

/* ARGP_IN_ORDER, because the arguments are printed as they were given. */
const cli_command cli_generate_command = {.name = "generate",
                                          .summary = "random graphs, and famous ones",
                                          .arguments = "MODEL [NAME]",
                                          .doc = doc,
                                          .groups = groups,
                                          .argp_flags = ARGP_IN_ORDER,
                                          .take_argument = take_argument,
                                          .complete = complete};

/* ---- generate -------------------------------------------------------------------------------- */

typedef struct generate_job {
    cli_generate_options options;
    char **argv;
} generate_job;

enum { PIECE_BYTES = 1 << 16, LINE_BYTES = 2 * 11 }; /* vertices are below 2^32 */

static size_t put_number(char *text, uint32_t number, char end)
{
    char digits[10];
    size_t n = 0, length;
    do
        digits[n++] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    length = n + 1;
    while (n > 0)
        *text++ = digits[--n];
    *text = end;
    return length;
}

/* Prints each edge once, with the numbers of its vertices. Stops when writing fails; check_stdout
 * of main.c reports that. */
static void print_edges(const pc_graph *graph, const pc_graph_info *info)
{
    static char text[PIECE_BYTES];
    size_t n_bytes = 0;
    pc_arcs arcs;
    pc_graph_arcs(graph, &arcs);
    for (uint64_t row = 0; row < info->n_vertices && !ferror(stdout); row++)
        for (uint64_t a = arcs.row_start[row]; a < arcs.row_start[row + 1]; a++) {
            if (!info->directed && arcs.column[a] < row)
                continue;
            n_bytes += put_number(text + n_bytes, (uint32_t)row, ' ');
            n_bytes += put_number(text + n_bytes, arcs.column[a], '\n');
            if (n_bytes + LINE_BYTES <= PIECE_BYTES)
                continue;
            fwrite(text, 1, n_bytes, stdout);
            n_bytes = 0;
        }
    fwrite(text, 1, n_bytes, stdout);
}

static pc_status generate(pc_context *context, cli_progress *progress, void *user)
{
    const generate_job *job = user;
    const cli_generate_options *options = &job->options;
    const char *name = options->famous_name != NULL ? options->famous_name : options->model_name;
    pc_graph *graph;
    pc_graph_info info;
    pc_model model = options->random;
    model.kind = options->has_probability ? PC_MODEL_GILBERT : models[options->model].kind;
    pc_status status = options->model == CLI_FAMOUS
                           ? cli_igraph_famous(context, options->famous_name, &graph)
                           : pc_generate(context, &model, &graph);
    cli_progress_end(progress);
    if (status != PC_OK)
        return status;
    pc_graph_get_info(graph, &info);
    if (!options->running.is_quiet)
        cli_print_graph(stderr, &(cli_input_options){.path = name}, &info);
    if (options->output_path != NULL) {
        status = cli_write_graph(context, graph, options->output_path, options->running.is_quiet);
    } else {
        /* A comment says what the reader has to know, and the command as it was given. All values
         * were checked, so the comment stays on one line. */
        printf("# pathcount graph: %s, %" PRIu64 " vertices; %s, made by",
               info.directed ? "directed" : "undirected", info.n_vertices, info.format);
        for (char **argument = job->argv; *argument != NULL; argument++)
            printf(" %s", *argument);
        putchar('\n');
        print_edges(graph, &info);
    }
    pc_graph_free(graph);
    return status;
}

int cli_generate(int argc, char **argv)
{
    generate_job job = {.options = defaults, .argv = argv};
    cli_parse_options(&cli_generate_command, argc, argv, &job.options);
    return cli_run_in_context(&job.options.running, generate, &job);
}

/* ---- convert --------------------------------------------------------------------------------- */

/* `pathcount convert`: reads a graph, and writes it in another format. */

typedef struct cli_convert_options {
    cli_input_options input;
    const char *output_path; /* NULL: none yet */
    cli_running_options running;
} cli_convert_options;

/* ---- Command line ---------------------------------------------------------------------------- */

static const cli_group convert_groups[] = {
    {"Input (pathcount convert arcs.csv arcs.wsg --directed --weights):", cli_input_rows,
     offsetof(cli_convert_options, input)},
    {"Running (pathcount convert graph.txt graph.sg --threads 2):", cli_running_rows + 1,
     offsetof(cli_convert_options, running)},
    {NULL, cli_about_rows, 0},
    {0}};

static const char convert_doc[] =
    "Write a graph in another format. Direction and labels are kept, and weights that --weights "
    "takes.\v"
    "GRAPH is read as by pathcount count; - is standard input. The ending of FILE is .tsv, .csv, "
    ".txt, .mtx, .sg, .wsg, .graphml, .gml or .net (Pajek), and then .gz or .zst to pack it.\n"
    "\n"
    ".sg and .wsg (with weights up to 2^31-1) are the binary graphs of the GAP Benchmark Suite, "
    "which are read much faster than text. Their labels, unless they are 0, 1, 2, ..., are in "
    "FILE.labels, a line each, and are read back from there.\n"
    "\n"
    "Examples:\n"
    "  pathcount convert graph.gz graph.sg\n"
    "  pathcount convert arcs.csv arcs.wsg --directed --weights\n"
    "  pathcount convert - graph.mtx < graph.txt\n"
    "\n"
    "Exit status: as of pathcount count, see its --help. More: man pathcount";

static void take_path(cli_parse *parse, char *path)
{
    cli_convert_options *options = parse->options;
    if (options->output_path != NULL)
        argp_error(parse->state, "one graph and one file at a time: '%s' is too much", path);
    if (options->input.path == NULL)
        options->input.path = path;
    else
        options->output_path = path;
}

static void convert_complete(cli_parse *parse)
{
    const cli_convert_options *options = parse->options;
    struct argp_state *state = parse->state;
    if (options->input.path == NULL)
        argp_error(state,
                   "which graph, and into which file? For example: pathcount convert "
                   "graph.txt graph.sg%s",
                   cli_stdin_advice());
    if (options->output_path == NULL)
        argp_error(state, "into which file? For example: pathcount convert %s graph.sg",
                   options->input.path);
    if (options->running.device != NULL)
        argp_error(state, "--device has no meaning here: nothing is counted");
    cli_graph_is_read(state, &options->input);
    cli_graph_is_written(state, "FILE", options->output_path);
}

const cli_command cli_convert_command = {.name = "convert",
                                         .summary = "a graph in another format",
                                         .arguments = "GRAPH FILE",
                                         .doc = convert_doc,
                                         .groups = convert_groups,
                                         .take_argument = take_path,
                                         .complete = convert_complete};

static pc_status convert(pc_context *context, cli_progress *progress, void *user)
{
    const cli_convert_options *options = user;
    bool is_quiet = options->running.is_quiet;
    pc_graph *graph = NULL;
    pc_status status = cli_load_told(context, &options->input, is_quiet, progress, &graph);
    if (status == PC_OK)
        status = cli_write_graph(context, graph, options->output_path, is_quiet);
    pc_graph_free(graph);
    return status;
}

int cli_convert(int argc, char **argv)
{
    cli_convert_options options = {0};
    cli_parse_options(&cli_convert_command, argc, argv, &options);
    return cli_run_in_context(&options.running, convert, &options);
}

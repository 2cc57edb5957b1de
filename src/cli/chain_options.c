/* The command line of `pathcount chain`. */
#include "src/cli/chain_options.h"

#include "src/cli/files.h"
#include "src/cli/process.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char BACKWARDS[] = "^T";

#define AT(member) CLI_AT(cli_chain_options, member)

/* Most are options of count with another help. */
static const cli_option input_rows[] = {
    {"--weights", NULL, "Third column, where there is one, says how often an entry counts",
     AT(count.input.graph.weights)},
    {"--multigraph", NULL, "Entries given again add up (default: dropped)",
     AT(count.input.graph.multigraph)},
    {"--max-vertices", "N",
     "Rows or columns that a file may state (default: 2097152 and one for each byte)", CLI_INTEGER,
     AT(count.input.graph.max_vertices), .least = 1, .most = UINT32_MAX},
    {"--columns", "ROW,COLUMN[,WEIGHT]", "Columns of edge lists, by name or number", CLI_TEXT,
     AT(count.input.graph.columns)},
    {"--separator", "CHAR", "What separates columns: tab, space, a character or an arrow", CLI_TEXT,
     AT(count.input.graph.separator)},
    {"--header", NULL, "The first line of each file names the columns",
     AT(count.input.graph.header), .constant = PC_HEADER_FIRST_LINE, .set = CLI_HEADERS},
    {"--no-header", NULL, "The first line of each file is an entry", AT(count.input.graph.header),
     .constant = PC_HEADER_NONE, .set = CLI_HEADERS},
    {"--allow-missing", NULL,
     "A label that only one of two neighbours has leads nowhere (default: an error)",
     AT(allow_missing)},
    {0}};

static void take_damping(cli_parse *parse, void *object, char *argument)
{
    char *end;
    double damping = strtod(argument, &end);
    if (end == argument || *end != '\0' || !(damping >= 0 && damping <= 1))
        argp_error(parse->state, "--damping is a number from 0 to 1, not '%s'", argument);
    ((cli_chain_options *)object)->damping = damping;
}

static const cli_option counting_rows[] = {
    {"--simple", NULL, "Only ways that visit no vertex twice, along 6 relations at most",
     AT(simple)},
    {"--types", "T0,T1,...",
     "With --simple: where each relation begins, and the last ends (default: equal labels, equal "
     "type)",
     CLI_TEXT, AT(type_list)},
    {"--damping", "W", "Multiply each entry by (sum of its row * sum of its column)^-W",
     .take = take_damping},
    {"--pathsim", NULL, "Similarities of rows instead of numbers of ways", AT(pathsim),
     .set = CLI_PRODUCTS},
    {"--power", "P", "The product P times, like paths of length P", CLI_INTEGER, AT(count.length),
     .most = UINT64_MAX, .set = CLI_PRODUCTS, .take = cli_take_length},
    {"--mod", "M", "With --power: count modulo M, 2 <= M < 2^63", CLI_INTEGER,
     AT(count.count.modulus), .set = CLI_ARITHMETICS, CLI_MODULUS},
    {"--float", NULL, "With --power: count in doubles", AT(count.count.arithmetic),
     .constant = PC_FLOAT, .set = CLI_ARITHMETICS},
    {"--certify", "N", "Random checks of the result (default: 2)", CLI_INTEGER,
     AT(count.count.n_certify_rounds), CLI_CERTIFY_ROUNDS},
    {0}};

static const cli_group groups[] = {
    {"Input (pathcount chain writes.txt published.txt --weights):", input_rows, 0},
    {"Counting (pathcount chain writes.txt writes.txt^T --pathsim):", counting_rows, 0},
    {"Output (pathcount chain writes.txt published.txt -o venues.tsv):", cli_output_rows,
     offsetof(cli_chain_options, count.output)},
    {"Running (pathcount chain writes.txt published.txt --explain):", cli_running_rows,
     offsetof(cli_chain_options, count.running)},
    {NULL, cli_about_rows, 0},
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
    "--simple leaves out ways that come to a vertex again. Equal labels are one vertex where the "
    "types are "
    "equal. --damping makes doubles; the largest error is told. Both: degree-weighted path "
    "counts.\n"
    "\n"
    "Examples:\n"
    "  pathcount chain writes.txt published.txt\n"
    "      how many papers each author has in each venue\n"
    "  pathcount chain writes.txt writes.txt^T --pathsim -o alike.tsv\n"
    "      how alike authors are by the papers that they share\n"
    "  pathcount chain writes.txt writes.txt^T writes.txt --simple --damping 0.5\n"
    "      degree-weighted path counts from authors to papers of coauthors\n"
    "\n"
    "Exit status: as of pathcount count, see its --help. More: man pathcount";

void cli_factor_make(char *name, cli_factor *factor)
{
    size_t length = strlen(name), suffix = sizeof BACKWARDS - 1;
    bool ends_so = length > suffix && strcmp(name + length - suffix, BACKWARDS) == 0;
    factor->name = name;
    factor->is_transposed = ends_so && access(name, F_OK) != 0;
    factor->path = cli_need(strdup(name));
    if (factor->is_transposed)
        factor->path[length - suffix] = '\0';
}

static void add_factor(cli_parse *parse, char *name)
{
    cli_chain_options *options = parse->options;
    cli_factor_make(name, &options->factors[options->n_factors++]);
}

static void split_types(cli_parse *parse, cli_chain_options *options)
{
    uint32_t n = 0, n_needed = options->n_factors + 1;
    options->types = cli_need(calloc(n_needed, sizeof *options->types));
    for (char *name; (name = strsep(&options->type_list, ",")) != NULL; n++)
        options->types[n < n_needed ? n : 0] = name;
    if (n != n_needed || !options->simple)
        argp_error(
            parse->state,
            "--types is for --simple and has one type more than there are relations: %" PRIu32
            " here",
            n_needed);
}

static void complete(cli_parse *parse)
{
    cli_chain_options *options = parse->options;
    if (options->n_factors == 0)
        argp_error(parse->state,
                   "which relations? For example: pathcount chain writes.txt published.txt%s",
                   cli_stdin_advice());
    if (options->count.count.arithmetic != PC_EXACT && !options->count.has_length)
        argp_error(parse->state,
                   "--mod and --float are for --power: the product itself is always exact");
    if ((options->simple || options->damping > 0) &&
        (options->pathsim || options->count.has_length))
        argp_error(parse->state, "--simple and --damping exclude --pathsim and --power");
    if (options->type_list != NULL)
        split_types(parse, options);
    cli_output_options_complete(parse->state, &options->count.output, NULL);
    for (uint32_t f = 0; f < options->n_factors; f++)
        cli_file_is_read(parse->state, "relation", options->factors[f].path);
}

const cli_command cli_chain_command = {.name = "chain",
                                       .summary = "products of relations",
                                       .arguments = "F1 [F2...]",
                                       .doc = doc,
                                       .groups = groups,
                                       .take_argument = add_factor,
                                       .complete = complete};

static char *join_names(const cli_chain_options *options)
{
    size_t n_bytes = 1;
    for (uint32_t f = 0; f < options->n_factors; f++)
        n_bytes += strlen(options->factors[f].name) + 1;
    char *joined = cli_need(malloc(n_bytes)), *at = joined;
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
    *options = (cli_chain_options){
        .factors = cli_need(calloc((size_t)argc + 1, sizeof *options->factors))};
    cli_parse_options(&cli_chain_command, argc, argv, options);
    options->product = join_names(options);
    options->count.input.path = options->product;
}

void cli_chain_options_free(cli_chain_options *options)
{
    for (uint32_t f = 0; f < options->n_factors; f++)
        free(options->factors[f].path);
    free(options->factors);
    free(options->product);
    free(options->types);
    *options = (cli_chain_options){0};
}

bool cli_chain_is_symmetric(const cli_chain_options *options)
{
    uint32_t n = options->n_factors, f = 0;
    if (options->damping > 0 || options->types != NULL)
        return false;
    while (f < n / 2 && strcmp(options->factors[f].path, options->factors[n - 1 - f].path) == 0 &&
           options->factors[f].is_transposed != options->factors[n - 1 - f].is_transposed)
        f++;
    return n % 2 == 0 && f == n / 2;
}

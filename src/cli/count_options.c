/* The command line of `pathcount count`, and what others share with it. */
#include "src/cli/count_options.h"

#include "src/cli/named_files.h"

#include <string.h>

#define AT(member) CLI_AT(cli_count_options, member)

/* ---- Counting ------------------------------------------------------------------------------ */

void cli_take_length(cli_parse *parse, void *object, char *argument)
{
    cli_count_options *options = object;
    options->has_length = true;
    options->any_length = parse->command == &cli_count_command && strcmp(argument, "any") == 0;
    if (!options->any_length)
        cli_take_value(parse, object, argument);
}

void cli_take_modulus(cli_parse *parse, void *object, char *argument)
{
    cli_take_value(parse, object, argument);
    ((cli_count_options *)object)->count.arithmetic = PC_MODULAR;
}

void cli_take_certify(cli_parse *parse, void *object, char *argument)
{
    pc_count_options *count = &((cli_count_options *)object)->count;
    cli_take_value(parse, object, argument);
    if (count->n_certify_rounds == 0)
        count->n_certify_rounds = PC_CERTIFY_NONE;
}

static const char *const methods[] = {[PC_METHOD_AUTO] = "auto",
                                      [PC_METHOD_DENSE] = "dense",
                                      [PC_METHOD_SWEEP] = "sweep",
                                      [PC_METHOD_HYBRID] = "hybrid",
                                      [PC_METHOD_RECURRENCE] = "recurrence",
                                      NULL};

const char *cli_method_name(pc_method method)
{
    return methods[method];
}

const cli_option cli_counting_rows[] = {
    {"--length", "K",
     "Length of the paths in arcs (required); any: all lengths of a graph without cycles",
     CLI_INTEGER, AT(length), .most = UINT64_MAX, .take = cli_take_length, .letter = 'k',
     .job = CLI_OF_RESULT},
    {"--mod", "M", "Count modulo M, 2 <= M < 2^63", CLI_INTEGER, AT(count.modulus), CLI_MODULUS,
     .set = CLI_ARITHMETICS, .job = CLI_OF_RESULT},
    {"--float", NULL, "Count in doubles: rounded, never overflows", AT(count.arithmetic),
     .constant = PC_FLOAT, .set = CLI_ARITHMETICS, .job = CLI_OF_RESULT},
    {"--method", "METHOD", "How: auto, dense, sweep, hybrid or recurrence", CLI_CHOICE,
     AT(count.method), .words = methods, .job = CLI_OF_RESULT},
    {"--certify", "N", "Random checks of the result (default: 2)", CLI_INTEGER,
     AT(count.n_certify_rounds), CLI_CERTIFY_ROUNDS, .job = CLI_OF_JOB},
    {0}};

/* ---- Certificates -------------------------------------------------------------------------- */

const cli_option cli_certificate_rows[] = {
    {"--certificate", "FILE", "A file that says what the result must make of random vectors",
     CLI_FILE, AT(certificate_path)},
    {0}};

void cli_count_check_certificate(const struct argp_state *state, const cli_count_options *options)
{
    cli_question asked = options->query.question;
    if (options->certificate_path == NULL)
        return;
    if (asked == CLI_ASK_TOP || asked == CLI_ASK_TOP_EACH || asked == CLI_ASK_KATZ ||
        asked == CLI_ASK_SUBGRAPH)
        argp_error(state, "%s has no certificate: leave --certificate out", options->query.option);
}

/* ---- Matrices of each length ------------------------------------------------------------------ */

static void check_output_of_each(const struct argp_state *state, const cli_output *output)
{
    if (cli_output_is_stream(output))
        argp_error(state,
                   "--each writes a matrix for each length: -o FOLDER --as %s, or -o FILE.npy",
                   output->as[0] != '\0' ? strchr(output->as, '.') + 1 : "tsv");
    if (!cli_output_is_folder(output) && output->format->format != PC_FORMAT_NPY)
        argp_error(state,
                   "'%s' is one file, and --each writes a matrix for each length: -o FOLDER --as "
                   "%s, or -o FILE.npy",
                   output->path, output->format->ending + 1);
}

static void check_each_matrix(const struct argp_state *state, const cli_count_options *options)
{
    if (!cli_asks_each_matrix(options))
        return;
    const char *other = options->certificate_path != NULL          ? "--certificate"
                        : options->look.show                       ? "--show"
                        : options->look.n_plots > 0                ? "--plot"
                        : options->output.form == CLI_FORM_TABLE   ? "--table"
                        : options->output.form == CLI_FORM_SUMMARY ? "--summary"
                                                                   : NULL;
    if (options->output.n == 0)
        argp_error(state, "--each needs a query, such as --total, or a place for the matrices: "
                          "-o FOLDER --as tsv, or -o FILE.npy");
    if (other != NULL)
        argp_error(state, "%s is for the matrix of one length: leave --each out", other);
    for (size_t i = 0; i < options->output.n; i++)
        check_output_of_each(state, &options->output.list[i]);
}

/* ---- The command --------------------------------------------------------------------------- */

static const cli_group groups[] = {
    {"Input (pathcount arcs.csv --directed --weights --length 8):", cli_input_rows,
     offsetof(cli_count_options, input)},
    {"Counting (pathcount graph.txt --length 100 --mod 1000000007):", cli_counting_rows, 0},
    {"Which paths (pathcount graph.txt --length 8 --non-backtracking):", cli_paths_rows,
     offsetof(cli_count_options, query)},
    {"Asking for less than all pairs (pathcount graph.txt --length 4 --pair C J):", cli_query_rows,
     offsetof(cli_count_options, query)},
    {"Output (pathcount graph.txt --length 8 -o counts.tsv.gz):", cli_output_rows,
     offsetof(cli_count_options, output)},
    {"Certificates (pathcount graph.txt -k 8 -o c.tsv --certificate c.json):", cli_certificate_rows,
     0},
    {"Pictures (pathcount graph.txt --length 8 --plot counts.png):", cli_look_rows,
     offsetof(cli_count_options, look)},
    {"Running (pathcount graph.txt --length 8 --threads 2 --explain):", cli_running_rows,
     offsetof(cli_count_options, running)},
    {"In several processes (mpirun pathcount-mpi graph.sg -k 9 --checkpoint DIR):", cli_parts_rows,
     offsetof(cli_count_options, parts)},
    {NULL, cli_about_rows, 0},
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
    "(sparse6 and digraph6 too), adjlist, multiline-adjlist, metis, dimacs, sif, json (nodes and "
    "links, or a list of edges), matrix (as text), tuples (edges as Python prints them, printed "
    "sparse matrices), npy, npz (SciPy), sg (GAP) or, through igraph, graphml, gml, pajek, lgl, "
    "ncol or dl. Where a text fits several formats, the message lists the options that choose. "
    "FILE "
    "ends in .tsv, .csv, .pairs.tsv (a line FROM TO PATHS for each pair with paths), .mtx, .npy, "
    ".npz (SciPy) or .json, and .gz or .zst after that packs it; - is standard output.\n"
    "\n"
    "METHOD is dense (the whole matrix is squared), sweep (rows or vectors are sent along the "
    "arcs, step by step), hybrid (sweep first, then dense), recurrence (a single number, or "
    "all counts as a polynomial of the matrix, however long the paths) or auto, whichever is "
    "expected to be fastest. All give the same exact counts.\n"
    "\n"
    "KIND is heatmap (the matrix; the default), growth (the total over the length) or histogram "
    "(how many counts are how large).\n"
    "\n"
    "VERTEX, FROM and TO are labels of GRAPH; VERTEX may be @NAME, a file of them, one a line "
    "(@@NAME is a label that begins with @). The "
    "lines of --pairs are FROM TO, separated by a tab or comma, or by blanks.\n"
    "\n"
    "Examples:\n"
    "  pathcount graph.txt --length 8\n"
    "  pathcount graph.txt --length 20 --total --each\n"
    "  pathcount graph.txt --length 8 --each -o folder --as tsv\n"
    "  pathcount graph.txt --length 8 --json > summary.json\n"
    "  pathcount graph.txt --length 8 --show --plot growth:growth.svg\n"
    "  zcat graph.gz | pathcount - --length 1000000 --mod 1000000007\n"
    "\n"
    "Other commands, each with a help of its own (pathcount help batch):\n"
    "  coarsen     counts between blocks of vertices\n"
    "  chain       products of relations (authors, papers, venues)\n"
    "  batch       many datasets, or a stream of small graphs\n"
    "  generate    random graphs, and famous ones\n"
    "  convert     a graph in another format\n"
    "  devices     what can compute here\n"
    "  bench       measures what this machine can do\n"
    "  verify      certifies a result\n"
    "  recurrence  the formula that counts obey from length to length\n"
    "\n"
    "Exit status: 0 done, 2 usage, 65 bad data, 66 no input, 69 not possible here (engine, "
    "memory, width), 70 internal error, 73 cannot create output, 74 input/output error, 130 "
    "interrupted. More: man pathcount";

void cli_count_check(const cli_parse *parse, const char *command)
{
    const cli_count_options *options = parse->options;
    if (options->input.path == NULL)
        argp_error(parse->state, "which graph? For example: %s graph.txt --length 8%s", command,
                   cli_stdin_advice());
    if (!options->has_length)
        argp_error(parse->state, "how long are the paths? For example: %s %s --length 8", command,
                   options->input.path);
}

void cli_count_take_graph(cli_parse *parse, char *path)
{
    cli_count_options *options = parse->options;
    if (options->input.path != NULL)
        argp_error(parse->state, "one graph at a time, not both '%s' and '%s'", options->input.path,
                   path);
    options->input.path = path;
}

/* Of both commands. */
void cli_count_name_files(const struct argp_state *state, const cli_count_options *options)
{
    cli_graph_is_read(state, &options->input);
    cli_file_is_written(state, "--certificate", options->certificate_path, PC_FORMAT_AUTO);
}

static void complete(cli_parse *parse)
{
    cli_count_options *options = parse->options;
    cli_count_check(parse, "pathcount");
    if (options->any_length && cli_query_has_lengths(&options->query))
        options->query.up_to = !options->query.each;
    cli_output_options_complete(parse->state, &options->output,
                                options->look.show ? "--show" : NULL);
    check_each_matrix(parse->state, options);
    cli_query_options_complete(parse->state, options);
    cli_look_options_check(parse->state, options);
    cli_count_check_certificate(parse->state, options);
    cli_parts_options_check(parse->state, &options->parts);
    cli_count_name_files(parse->state, options);
}

const cli_command cli_count_command = {.name = "count",
                                       .summary = "paths between all vertices (the default)",
                                       .arguments = "GRAPH --length K",
                                       .doc = doc,
                                       .groups = groups,
                                       .take_argument = cli_count_take_graph,
                                       .complete = complete};

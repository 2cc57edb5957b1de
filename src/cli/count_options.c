/* The command lines of `pathcount count` and `pathcount coarsen`, and what others share with
 * them. */
#include "src/cli/count_options.h"

#include "src/cli/files.h"
#include "src/cli/text.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- Graphs in parts ------------------------------------------------------------------------- */

#define AT(member) CLI_AT(cli_parts_options, member)

enum { DAY_SECONDS = 86400 };

static const cli_option parts_rows[] = {
    {"--checkpoint", "FOLDER", "Save the vectors in FOLDER while they are sent", CLI_FOLDER,
     AT(checkpoint)},
    {"--checkpoint-interval", "SECONDS", "How often (default: 300); 0: after each step",
     CLI_INTEGER, AT(checkpoint_seconds), .most = 365 * DAY_SECONDS},
    {"--resume", NULL, "Go on from the checkpoint, in any number of processes", AT(resumes),
     .constant = true},
    {"--plan-for", "RANKSxTHREADS,MEMORY,LINK",
     "Predict a cluster in place of counting, as 64x16,256GB,100Gb", CLI_TEXT, AT(plan_for)},
    {0}};

/* ---- Walks in time --------------------------------------------------------------------------- */

#undef AT
#define AT(member) CLI_AT(cli_time_options, member)

const cli_option cli_time_rows[] = {
    {"--time-column", "COLUMN",
     "Lines are events, at the time in COLUMN (name or number), and each is later than the last",
     CLI_TEXT, AT(column), .set = CLI_PATH_KINDS},
    {"--wait", "D", "No event is more than D later than the last, in the unit of COLUMN", CLI_TEXT,
     AT(wait)},
    {0}};

void cli_time_complete(const struct argp_state *state, cli_count_options *options)
{
    if (options->time.column == NULL && options->time.wait != NULL)
        argp_error(state, "--wait is between events: add --time-column COLUMN");
    if (options->time.column != NULL && options->input.graph.direction == PC_DIRECTION_OF_FORMAT)
        options->input.graph.direction = PC_DIRECTED;
}

/* ---- Questions -------------------------------------------------------------------------------- */

/* Refuses what walks that match cannot be asked. */
static void check_match(const struct argp_state *state, const cli_count_options *options)
{
    const cli_query_options *query = &options->query;
    const cli_question_kind *kind = cli_question_kind_of(query->question);
    bool adds_returns = kind->is_sum && kind->returns;
    const char *other = query->paths != PC_PATHS_ALL ? cli_path_kind_of(query->paths)->option
                                                     : cli_matrix_option(options);
    if (query->match == NULL && query->label_column == NULL)
        return;
    if (query->match == NULL)
        argp_error(state, "--label-column is for --match PATTERN: leave it out, or give a pattern");
    if (query->label_column == NULL)
        argp_error(state, "which labels? --match needs --label-column COLUMN, such as 3");
    if (other != NULL)
        argp_error(state, "--match and %s exclude each other: give one of them", other);
    if (kind->kind == PC_QUERY_MATRIX || adds_returns)
        argp_error(state, "--match answers --from, --to, --pair, --pairs, --total, --sums and "
                          "--closed: ask one of them");
}

void cli_query_options_complete(const struct argp_state *state, cli_count_options *options)
{
    const cli_query_options *query = &options->query;
    pc_count_options *count = &options->count;
    pc_graph_options *graph = &options->input.graph;
    cli_numbers numbers = cli_question_kind_of(query->question)->numbers;
    bool is_matrix = query->question == CLI_ASK_MATRIX;
    bool is_dense = count->method == PC_METHOD_DENSE || count->method == PC_METHOD_HYBRID;
    const char *lengths = query->each ? "--each" : query->up_to ? "--up-to" : NULL;
    const char *beside = lengths != NULL                   ? lengths
                         : query->paths != PC_PATHS_ALL    ? cli_path_kind_of(query->paths)->option
                         : count->arithmetic == PC_MODULAR ? "--mod"
                         : count->arithmetic == PC_FLOAT   ? "--float"
                         : count->method != PC_METHOD_AUTO ? "--method"
                         : count->n_certify_rounds != 0    ? "--certify"
                                                           : NULL;
    check_match(state, options);
    if (query->paths == PC_PATHS_SHORTEST && (options->has_length || lengths != NULL))
        argp_error(state, "--shortest counts paths of every length: leave %s out",
                   lengths != NULL ? lengths : "--length");
    if (query->paths == PC_PATHS_SHORTEST && count->arithmetic != PC_EXACT)
        argp_error(state, "--shortest counts exactly: leave --mod and --float out");
    if (numbers == CLI_LARGEST && lengths != NULL)
        argp_error(state, "%s is for one length, without %s", query->option, lengths);
    if (numbers == CLI_LARGEST && count->arithmetic == PC_MODULAR)
        argp_error(state, "%s has no meaning with --mod: residues have no largest", query->option);
    if (numbers == CLI_SERIES && beside != NULL)
        argp_error(state, "%s and %s exclude each other: give one of them", query->option, beside);
    if (!is_matrix && options->output.n > 0)
        argp_error(state,
                   "%s writes the whole matrix; what %s asks for is printed: redirect it "
                   "(> FILE)",
                   options->output.list[0].path != NULL ? "--output" : "--as", query->option);
    if (options->input.path != NULL && strcmp(options->input.path, "-") == 0 &&
        cli_query_reads_stdin(query))
        argp_error(state, "the graph and its vertices cannot both be read from standard input");
    if (is_matrix && query->up_to && is_dense)
        argp_error(state, "matrices of lengths added up are swept: leave --method out");
    graph->real_weights = query->question == CLI_ASK_KATZ;
    if (query->paths != PC_PATHS_ALL && is_dense)
        argp_error(state, "%s is not counted by --method dense or hybrid: leave it out",
                   cli_path_kind_of(query->paths)->option);
    if (query->paths != PC_PATHS_ALL && query->paths != PC_PATHS_MARKOV &&
        count->arithmetic == PC_FLOAT)
        argp_error(state, "%s counts exactly or modulo M (--mod), not --float",
                   cli_path_kind_of(query->paths)->option);
    if (query->paths != PC_PATHS_MARKOV)
        return;
    if (count->arithmetic == PC_MODULAR)
        argp_error(state, "--markov gives probabilities, which have no residues: leave --mod out");
    count->arithmetic = PC_FLOAT;
    if (!graph->weights)
        graph->weights = PC_WEIGHTS_IF_ANY;
    graph->real_weights = 1;
}

/* Completes walks in time, and refuses options that have no meaning with them. */
static void complete_time(const struct argp_state *state, cli_count_options *options)
{
    const cli_question_kind *kind = cli_question_kind_of(options->query.question);
    const char *of_matrix = cli_matrix_option(options);
    const char *other = options->count.arithmetic == PC_FLOAT        ? "--float"
                        : options->count.method != PC_METHOD_AUTO    ? "--method"
                        : options->query.match != NULL               ? "--match"
                        : of_matrix != NULL                          ? of_matrix
                        : options->any_length && options->query.each ? "--each with --length any"
                                                                     : NULL;
    cli_time_complete(state, options);
    if (options->time.column == NULL)
        return;
    if (kind->kind == PC_QUERY_MATRIX)
        argp_error(state, "--time-column needs a question: --from, --to, --pair, --pairs, --total, "
                          "--sums, --closed or --trace");
    if (other != NULL)
        argp_error(state, "%s is not for walks in time: leave it out", other);
}

/* ---- Options of count ------------------------------------------------------------------------ */

#undef AT
#define AT(member) CLI_AT(cli_count_options, member)

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
                                      [PC_METHOD_FORMULA] = "formula",
                                      [PC_METHOD_SEARCH] = "search",
                                      [PC_METHOD_SETS] = "sets",
                                      NULL};

const char *cli_method_name(pc_method method)
{
    return methods[method];
}

static const char *const reductions[] = {[PC_REDUCE_WHERE_IT_PAYS] = "auto",
                                         [PC_REDUCE_NEVER] = "never",
                                         [PC_REDUCE_ALWAYS] = "always",
                                         NULL};

const cli_option cli_counting_rows[] = {
    {"--length", "K",
     "Length of the paths in arcs (required); any: all lengths of a graph without cycles",
     CLI_INTEGER, AT(length), .most = UINT64_MAX, .take = cli_take_length, .letter = 'k',
     .job = CLI_OF_RESULT},
    {"--mod", "M", "Count modulo M, 2 <= M < 2^63", CLI_INTEGER, AT(count.modulus), CLI_MODULUS,
     .set = CLI_ARITHMETICS, .job = CLI_OF_RESULT},
    {"--float", NULL, "Count in doubles: rounded, never overflows", AT(count.arithmetic),
     .constant = PC_FLOAT, .set = CLI_ARITHMETICS, .job = CLI_OF_RESULT},
    {"--method", "METHOD",
     "How: auto, dense, sweep, hybrid, recurrence; of simple paths formula, search, sets",
     CLI_CHOICE, AT(count.method), .words = methods, .job = CLI_OF_RESULT},
    {"--reduce", "WHEN", "Count vertices with the same neighbours once: auto, always or never",
     CLI_CHOICE, AT(count.reduce), .words = reductions, .set = CLI_REDUCTIONS, .job = CLI_OF_JOB},
    {"--no-reduce", NULL, "The same as --reduce never", AT(count.reduce),
     .constant = PC_REDUCE_NEVER, .set = CLI_REDUCTIONS, .job = CLI_OF_JOB},
    {"--certify", "N", "Random checks of the result (default: 2)", CLI_INTEGER,
     AT(count.n_certify_rounds), CLI_CERTIFY_ROUNDS, .job = CLI_OF_JOB},
    {0}};

const cli_option cli_certificate_rows[] = {
    {"--certificate", "FILE", "A file that says what the result must make of random vectors",
     CLI_FILE, AT(certificate_path)},
    {0}};

void cli_count_check_certificate(const struct argp_state *state, const cli_count_options *options)
{
    bool is_counted = cli_question_kind_of(options->query.question)->numbers == CLI_COUNTS;
    if (options->certificate_path != NULL && !is_counted)
        argp_error(state, "%s has no certificate: leave --certificate out", options->query.option);
}

static const cli_group groups[] = {
    {"Input (pathcount arcs.csv --directed --weights --length 8):", cli_input_rows,
     offsetof(cli_count_options, input)},
    {"Counting (pathcount graph.txt --length 100 --mod 1000000007):", cli_counting_rows, 0},
    {"Which paths (pathcount graph.txt --length 8 --non-backtracking):", cli_paths_rows,
     offsetof(cli_count_options, query)},
    {"Labels (pathcount labels.tsv -k 5 --match 'A B*' --label-column 3 --from u):", cli_match_rows,
     offsetof(cli_count_options, query)},
    {"Walks in time (pathcount events.txt --time-column 3 -k 4 --total):", cli_time_rows,
     offsetof(cli_count_options, time)},
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
    {"In several processes (mpirun pathcount-mpi graph.sg -k 9 --checkpoint DIR):", parts_rows,
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
    "sparse matrices), npy, npz (SciPy), sg (GAP), graphml, gml, pajek, lgl, "
    "ncol or dl. Where a text fits several formats, the message lists the options that choose. "
    "FILE "
    "ends in .tsv, .csv, .pairs.tsv (a line FROM TO PATHS for each pair with paths), .mtx, .npy, "
    ".npz (SciPy) or .json, and .gz or .zst after that packs it; - is standard output.\n"
    "\n"
    "METHOD is dense (the whole matrix is squared), sweep (rows or vectors are sent along the "
    "arcs, step by step), hybrid (sweep first, then dense), recurrence (a single number, or "
    "all counts as a polynomial of the matrix, however long the paths) or auto, whichever is "
    "expected to be fastest; of simple paths and cycles formula (walks that visit a vertex twice "
    "are subtracted), search (one by one) or sets (of visited vertices). All give the same exact "
    "counts.\n"
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
    "  verify      certifies a result\n"
    "  recurrence  the formula that counts obey from length to length\n"
    "  sample      walks drawn at random, each with the same probability\n"
    "  spc         search path counts and main paths of citation networks\n"
    "\n"
    "Exit status: 0 done, 2 usage, 65 bad data, 66 no input, 69 not possible here (engine, "
    "memory, width), 70 internal error, 73 cannot create output, 74 input/output error, 130 "
    "interrupted. More: man pathcount";

/* ---- Options of coarsen ---------------------------------------------------------------------- */

#undef AT
#define AT(member) CLI_AT(cli_block_options, member)

const char *const cli_block_words[] = {"components", "leiden", "multilevel", NULL};

const cli_option cli_block_rows[] = {
    {"--blocks", "SPEC", "How vertices are put into blocks", CLI_FILE, AT(spec),
     .words = cli_block_words},
    {"--mean", NULL, "Divide each count by the sizes of its two blocks", AT(mean)},
    {"--graph", "FILE", "Write the quotient graph too (formats as of generate)", CLI_FILE,
     AT(graph_path)},
    {"--members", "FILE", "Write the block of each vertex too, as --blocks reads it", CLI_FILE,
     AT(members_path)},
    {"--resolution", "R", "Of leiden, multilevel: higher, more blocks (1)", CLI_NUMBER,
     AT(resolution), .most = 1000000000},
    {"--seed", "N", "Of leiden, multilevel: seed of random choices (1)", CLI_INTEGER, AT(seed),
     .most = UINT64_MAX},
    {"--iterations", "N", "Of leiden: how often it starts over (10)", CLI_INTEGER, AT(n_iterations),
     .least = 1, .most = 1000000},
    {0}};

const cli_count_options cli_coarsen_defaults = {
    .blocks = {.resolution = 1, .seed = 1, .n_iterations = 10}};

static const cli_group coarsen_groups[] = {
    {"Blocks (pathcount coarsen graph.txt --length 4 --blocks components):", cli_block_rows,
     offsetof(cli_count_options, blocks)},
    {"Input (pathcount coarsen arcs.csv --directed --length 8 --blocks 2):", cli_input_rows,
     offsetof(cli_count_options, input)},
    {"Counting (pathcount coarsen graph.txt --length 99 --mod 7 --blocks 2):", cli_counting_rows,
     0},
    {"Which paths (pathcount coarsen graph.txt --length 4 --blocks 2 --simple):",
     cli_paths_rows + CLI_SIMPLE_ROW, offsetof(cli_count_options, query)},
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

static const char coarsen_doc[] =
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

/* ---- Both commands --------------------------------------------------------------------------- */

void cli_count_check(const cli_parse *parse, const char *command)
{
    const cli_count_options *options = parse->options;
    if (options->input.path == NULL)
        argp_error(parse->state, "which graph? For example: %s graph.txt --length 8%s", command,
                   cli_stdin_advice());
    if (cli_lacks_length(options))
        argp_error(parse->state, "how long are the paths? Add --length 8, for example");
}

void cli_count_take_graph(cli_parse *parse, char *path)
{
    cli_count_options *options = parse->options;
    bool is_number = path[strspn(path, "0123456789")] == '\0';
    if (options->input.path != NULL)
        argp_error(parse->state, "one graph at a time, not both '%s' and '%s'%s%s",
                   options->input.path, path,
                   is_number ? "; the length of paths is an option: --length " : "",
                   is_number ? path : "");
    options->input.path = path;
}

/* Refuses outputs that cannot have the matrices of each length. */
static void check_each_matrix(const struct argp_state *state, const cli_count_options *options)
{
    const char *of_matrix = cli_matrix_option(options);
    const char *other = of_matrix != NULL                          ? of_matrix
                        : options->output.form == CLI_FORM_TABLE   ? "--table"
                        : options->output.form == CLI_FORM_SUMMARY ? "--summary"
                                                                   : NULL;
    if (options->output.n == 0)
        argp_error(state, "--each needs a query, such as --total, or a place for the matrices: "
                          "-o FOLDER --as tsv, or -o FILE.npy");
    if (other != NULL)
        argp_error(state, "%s is for the matrix of one length: leave --each out", other);
    for (size_t i = 0; i < options->output.n; i++) {
        const cli_output *output = &options->output.list[i];
        if (cli_output_is_stream(output))
            argp_error(state,
                       "--each writes a matrix for each length: -o FOLDER --as %s, or -o FILE.npy",
                       output->as[0] != '\0' ? strchr(output->as, '.') + 1 : "tsv");
        if (!cli_output_is_folder(output) && output->format->format != PC_FORMAT_NPY)
            argp_error(state,
                       "'%s' is one file, and --each writes a matrix for each length: -o FOLDER "
                       "--as %s, or -o FILE.npy",
                       output->path, output->format->ending + 1);
    }
}

static void check_blocks(const struct argp_state *state, const cli_count_options *options)
{
    const cli_block_options *blocks = &options->blocks;
    if (blocks->spec == NULL)
        argp_error(state, "which blocks? For example: --blocks 2, --blocks components, or a file");
    if (strcmp(blocks->spec, "-") == 0 && strcmp(options->input.path, "-") == 0)
        argp_error(state, "the graph and its blocks cannot both be read from standard input");
}

/* Tells of the files of the command line. Blocks that are a number, or found by a method, have
 * none. */
static void name_files(const struct argp_state *state, const cli_count_options *options)
{
    const char *spec = options->blocks.spec;
    cli_graph_is_read(state, &options->input);
    cli_file_is_written(state, "--certificate", options->certificate_path, PC_FORMAT_AUTO);
    for (const char *const *word = cli_block_words; spec != NULL && *word != NULL; word++)
        if (strcmp(spec, *word) == 0)
            spec = NULL;
    if (spec != NULL && spec[strspn(spec, "0123456789")] != '\0')
        cli_file_is_read(state, "--blocks", spec);
    cli_graph_is_written(state, "--graph", options->blocks.graph_path);
    cli_file_is_written(state, "--members", options->blocks.members_path, PC_FORMAT_AUTO);
}

/* Asks for the number of cycles where nothing asks for those through each vertex or edge. */
static void ask_for_cycles(cli_count_options *options)
{
    bool asks_for_edges = options->output.n > 0 || options->output.form != CLI_FORM_AUTO ||
                          options->look.show || options->look.n_plots > 0;
    if (options->query.paths != PC_PATHS_CYCLES || options->query.question != CLI_ASK_MATRIX ||
        asks_for_edges)
        return;
    options->query.question = CLI_ASK_TOTAL;
    options->query.option = "--total";
}

static void complete(cli_parse *parse)
{
    cli_count_options *options = parse->options;
    struct argp_state *state = parse->state;
    bool has_blocks = parse->command == &cli_coarsen_command;
    cli_count_check(parse, has_blocks ? "pathcount coarsen" : "pathcount");
    if (has_blocks)
        check_blocks(state, options);
    if (options->any_length && cli_question_kind_of(options->query.question)->numbers != CLI_SERIES)
        options->query.up_to = !options->query.each;
    ask_for_cycles(options);
    cli_output_options_complete(state, &options->output, options->look.show ? "--show" : NULL);
    if (cli_asks_each_matrix(options))
        check_each_matrix(state, options);
    if (options->blocks.mean && options->count.arithmetic == PC_MODULAR)
        argp_error(state, "--mean has no meaning with --mod: residues have no mean");
    cli_query_options_complete(state, options);
    complete_time(state, options);
    cli_look_options_check(state, options);
    cli_count_check_certificate(state, options);
    if (options->parts.checkpoint == NULL && options->parts.resumes)
        argp_error(state, "--resume goes on from a checkpoint: add --checkpoint FOLDER");
    name_files(state, options);
}

const cli_command cli_count_command = {.name = "count",
                                       .summary = "paths between all vertices (the default)",
                                       .arguments = "GRAPH --length K",
                                       .doc = doc,
                                       .groups = groups,
                                       .take_argument = cli_count_take_graph,
                                       .complete = complete};

const cli_command cli_coarsen_command = {.name = "coarsen",
                                         .summary = "paths between blocks of vertices",
                                         .arguments = "GRAPH --length K --blocks SPEC",
                                         .doc = coarsen_doc,
                                         .groups = coarsen_groups,
                                         .take_argument = cli_count_take_graph,
                                         .complete = complete};

/* Lists the kinds of question, the words for each kind of path, and their options. A new kind of
 * question is a row here, an option below and, where its numbers are not simply printed, a function
 * in query.c. */
#include "src/cli/kinds.h"

#include "src/cli/files.h"
#include "src/cli/process.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Kinds of question ----------------------------------------------------------------------- */

const cli_question_kind *cli_question_kind_of(cli_question question)
{
    static const cli_question_kind kinds[] = {
        [CLI_ASK_MATRIX] = {PC_QUERY_MATRIX, CLI_ROW, CLI_COLUMN},
        [CLI_ASK_FROM] = {PC_QUERY_FROM, CLI_ASKED, CLI_COLUMN},
        [CLI_ASK_TO] = {PC_QUERY_TO, CLI_COLUMN, CLI_ASKED},
        [CLI_ASK_PAIRS] = {PC_QUERY_PAIRS, CLI_ASKED, CLI_ASKED, .takes_pairs = true},
        [CLI_ASK_TOTAL] = {PC_QUERY_TOTAL, .is_sum = true, .may_stream = true},
        [CLI_ASK_SUMS] = {PC_QUERY_STARTS, CLI_ROW, .heads = {"starting", "ending"}},
        [CLI_ASK_CLOSED] = {PC_QUERY_CLOSED, CLI_ROW, .may_stream = true, .returns = true},
        [CLI_ASK_TRACE] = {PC_QUERY_TRACE, .is_sum = true, .may_stream = true, .returns = true},
        [CLI_ASK_TOP] = {PC_QUERY_MATRIX, CLI_FOUND, CLI_FOUND, CLI_LARGEST},
        [CLI_ASK_TOP_EACH] = {PC_QUERY_MATRIX, CLI_FOUND, CLI_FOUND, CLI_LARGEST},
        [CLI_ASK_KATZ] = {PC_QUERY_MATRIX, CLI_ROW, .numbers = CLI_SERIES, .is_of_ends = true,
                          .heads = {"centrality"}},
        [CLI_ASK_SUBGRAPH] = {PC_QUERY_MATRIX, CLI_ROW, .numbers = CLI_SERIES, .returns = true,
                              .heads = {"centrality"}},
    };
    return &kinds[question];
}

bool cli_tells_distances(cli_question question, pc_path_kind paths)
{
    const cli_question_kind *kind = cli_question_kind_of(question);
    return paths == PC_PATHS_SHORTEST && (kind->first == CLI_ASKED || kind->second == CLI_ASKED);
}

cli_question cli_stream_question(bool returns, const char **head)
{
    *head = returns ? "closed" : "total";
    return returns ? CLI_ASK_TRACE : CLI_ASK_TOTAL;
}

size_t cli_question_heads(cli_question question, pc_path_kind paths, bool up_to,
                          const char *heads[CLI_MOST_HEADS])
{
    const cli_question_kind *kind = cli_question_kind_of(question);
    size_t n = 0;
    if (kind->first != CLI_NO_PLACE)
        heads[n++] = kind->second != CLI_NO_PLACE ? "from" : "vertex";
    if (kind->second != CLI_NO_PLACE)
        heads[n++] = "to";
    if (cli_tells_distances(question, paths))
        heads[n++] = "distance";
    if (kind->heads[0] == NULL)
        heads[n++] = cli_entry_of(paths, up_to || kind->is_sum);
    for (int h = 0; h < 2 && kind->heads[h] != NULL; h++)
        heads[n++] = kind->heads[h];
    return n;
}

/* ---- Kinds of path --------------------------------------------------------------------------- */

const cli_path_kind *cli_path_kind_of(pc_path_kind paths)
{
    static const cli_path_kind kinds[] = {
        [PC_PATHS_ALL] = {.name = "all",
                          .numbers = "numbers of paths",
                          .column = "paths",
                          .sum = "paths",
                          .length = "",
                          .total = "total paths",
                          .closed = "closed paths",
                          .most = "most from one vertex",
                          .largest = "largest count"},
        [PC_PATHS_NON_BACKTRACKING] = {.name = "non-backtracking",
                                       .option = "--non-backtracking",
                                       .numbers = "numbers of non-backtracking paths",
                                       .column = "paths",
                                       .sum = "paths",
                                       .length = ", never straight back",
                                       .total = "total paths",
                                       .closed = "closed paths",
                                       .most = "most from one vertex",
                                       .largest = "largest count"},
        [PC_PATHS_MARKOV] = {.name = "markov",
                             .option = "--markov",
                             .numbers = "probabilities of paths",
                             .column = "probability",
                             .sum = "sum",
                             .length = " (Markov chain: probabilities, rounded)",
                             .total = "sum of all",
                             .closed = "sum of returns",
                             .most = "largest row sum",
                             .largest = "largest probability"},
        [PC_PATHS_SIMPLE] = {.name = "simple",
                             .option = "--simple",
                             .numbers = "numbers of simple paths",
                             .column = "paths",
                             .sum = "paths",
                             .length = ", no vertex twice",
                             .total = "total paths",
                             .most = "most from one vertex",
                             .largest = "largest count"},
        [PC_PATHS_CYCLES] = {.name = "cycles",
                             .option = "--cycles",
                             .numbers = "numbers of cycles through each edge",
                             .column = "cycles",
                             .sum = "cycles",
                             .length = ", cycles through each edge",
                             .total = "sum over edges",
                             .most = "most from one vertex",
                             .largest = "most through an edge"},
        [PC_PATHS_SHORTEST] = {.name = "shortest",
                               .option = "--shortest",
                               .numbers = "numbers of shortest paths",
                               .column = "paths",
                               .sum = "paths",
                               .length = "shortest",
                               .total = "total paths",
                               .closed = "closed paths",
                               .most = "most from one vertex",
                               .largest = "largest count"},
    };
    return &kinds[paths];
}

const char *cli_entry_of(pc_path_kind paths, bool up_to)
{
    const cli_path_kind *kind = cli_path_kind_of(paths);
    return up_to ? kind->sum : kind->column;
}

const char *cli_about_matrix(pc_path_kind paths, uint64_t length, bool up_to, bool is_mean,
                             char about[CLI_ABOUT_BYTES])
{
    const char *numbers = cli_path_kind_of(paths)->numbers;
    if (paths == PC_PATHS_SHORTEST)
        snprintf(about, CLI_ABOUT_BYTES, "%s", numbers);
    else
        snprintf(about, CLI_ABOUT_BYTES, "%s%s of length%s%" PRIu64, is_mean ? "mean " : "",
                 numbers, up_to ? "s 1 to " : " ", length);
    return about;
}

bool cli_paths_are_symmetric(pc_path_kind paths, bool is_undirected)
{
    return is_undirected && paths != PC_PATHS_MARKOV;
}

/* ---- Options of questions -------------------------------------------------------------------- */

#define MAX_TOP 1000000

#define AT(member) CLI_AT(cli_query_options, member)

/* True when --total and --closed (--trace) are both asked, in either order. Then the question is
 * the total. */
static bool ask_both(cli_query_options *options, cli_question question, const char *option)
{
    bool is_first = question == CLI_ASK_TOTAL, is_second = options->question == CLI_ASK_TOTAL;
    if (!options->may_ask_both || is_first == is_second ||
        !cli_question_kind_of(question)->may_stream ||
        !cli_question_kind_of(options->question)->may_stream)
        return false;
    options->beside_option = is_first ? options->option : option;
    options->option = is_first ? option : options->option;
    options->question = CLI_ASK_TOTAL;
    return true;
}

static bool is_end(cli_question question)
{
    return question == CLI_ASK_FROM || question == CLI_ASK_TO;
}

/* Takes a question, which is the constant of its row, and its argument: a number, a vertex or a file,
 * or two vertices, of which the second one is the next word of the command line. The first question
 * of a line of a manifest replaces that of the command line, with all its vertices. */
static void take_question(cli_parse *parse, void *object, char *argument)
{
    cli_query_options *options = object;
    const cli_option *option = parse->option;
    struct argp_state *state = parse->state;
    cli_question question = (cli_question)option->constant;
    const char *second = NULL;
    bool is_number = option->value == CLI_INTEGER || option->value == CLI_NUMBER;
    if (option->value == CLI_TEXT) {
        second = state->next < state->argc ? state->argv[state->next] : NULL;
        if (second == NULL || strncmp(second, "--", 2) == 0)
            argp_error(state, "--pair takes two vertices: --pair FROM TO");
        state->next++;
    }
    if (ask_both(options, question, option->name))
        return;
    if (options->question == CLI_ASK_MATRIX)
        options->n_named = 0;
    else if (options->question != question)
        argp_error(state, "%s and %s exclude each other: %s", options->option, option->name,
                   is_end(options->question) && is_end(question)
                       ? "from one vertex to another is --pair FROM TO"
                       : "give one of them");
    options->question = question;
    options->option = option->name;
    if (is_number)
        cli_take_value(parse, object, argument);
    if (is_number || argument == NULL)
        return;
    cli_named named = {argument, second};
    options->named =
        cli_need(realloc(options->named, (options->n_named + 1) * sizeof *options->named));
    options->named[options->n_named++] = named;
    if (second == NULL)
        cli_file_is_read(state, option->name, cli_named_file(options, &named));
}

#define ASKS(QUESTION)                                                                             \
    .constant = (QUESTION), .set = CLI_QUESTIONS, .job = CLI_OF_RESULT, .take = take_question

const cli_option cli_query_rows[] = {
    {"--from", "VERTEX", "From VERTEX to every vertex; may be repeated", CLI_VERTEX, AT(question),
     ASKS(CLI_ASK_FROM), .repeats = true},
    {"--to", "VERTEX", "From every vertex to VERTEX; may be repeated", CLI_VERTEX, AT(question),
     ASKS(CLI_ASK_TO), .repeats = true},
    {"--pair", "FROM TO", "From one vertex to the other; may be repeated", CLI_TEXT, AT(question),
     ASKS(CLI_ASK_PAIRS), .repeats = true},
    {"--pairs", "FILE", "Such pairs from FILE, one a line", CLI_FILE, AT(question),
     ASKS(CLI_ASK_PAIRS), .repeats = true},
    {"--total", NULL, "The sum of all counts", AT(question), ASKS(CLI_ASK_TOTAL)},
    {"--sums", NULL, "Paths that start and that end at each vertex", AT(question),
     ASKS(CLI_ASK_SUMS)},
    {"--closed", NULL, "Paths from each vertex back to itself", AT(question), ASKS(CLI_ASK_CLOSED)},
    {"--trace", NULL, "All closed paths: the sum of --closed", AT(question), ASKS(CLI_ASK_TRACE)},
    {"--top", "N", "The N pairs with most paths", CLI_INTEGER, AT(n_top), .least = 1,
     .most = MAX_TOP, ASKS(CLI_ASK_TOP)},
    {"--top-each", "N", "The N vertices that most paths lead to, from each vertex", CLI_INTEGER,
     AT(n_top), .constant = CLI_ASK_TOP_EACH, .least = 1, .most = MAX_TOP, .set = CLI_QUESTIONS,
     .take = take_question},
    {"--each", NULL, "Answer for each length from 1 to K; matrices go to -o FOLDER or FILE.npy",
     AT(each), .set = CLI_LENGTHS, .job = CLI_OF_RESULT},
    {"--up-to", NULL, "Add up the lengths from 1 to K", AT(up_to), .set = CLI_LENGTHS,
     .job = CLI_OF_RESULT},
    {"--katz", "BETA", "Katz centrality up to length K: paths ending, each times BETA^length",
     CLI_NUMBER, AT(beta), ASKS(CLI_ASK_KATZ)},
    {"--subgraph-centrality", NULL,
     "Closed paths up to length K, each over the factorial of its length", AT(question),
     ASKS(CLI_ASK_SUBGRAPH)},
    {0}};

const cli_option cli_recurrence_rows[] = {
    {"--total", NULL, "All paths", AT(question), ASKS(CLI_ASK_TOTAL)},
    {"--trace", NULL, "All closed paths", AT(question), ASKS(CLI_ASK_TRACE)},
    {"--pair", "FROM TO", "Those from one vertex to the other", CLI_TEXT, AT(question),
     ASKS(CLI_ASK_PAIRS)},
    {"--from", "VERTEX", "Those that start at VERTEX", CLI_VERTEX, AT(question),
     ASKS(CLI_ASK_FROM)},
    {"--to", "VERTEX", "Those that end at VERTEX", CLI_VERTEX, AT(question), ASKS(CLI_ASK_TO)},
    {"--non-backtracking", NULL, "Only those that never turn straight back along an edge",
     AT(paths), .constant = PC_PATHS_NON_BACKTRACKING},
    {0}};

const cli_option cli_paths_rows[] = {
    {"--non-backtracking", NULL, "Only those that never turn straight back along an edge",
     AT(paths), .constant = PC_PATHS_NON_BACKTRACKING, .set = CLI_PATH_KINDS, .job = CLI_OF_RESULT},
    {"--markov", NULL,
     "Probabilities: at each vertex an edge is chosen by its weight (third column, such as 0.25)",
     AT(paths), .constant = PC_PATHS_MARKOV, .set = CLI_PATH_KINDS, .job = CLI_OF_RESULT},
    {"--cycles", NULL,
     "The number of cycles; --closed: through each vertex; --table, -o FILE: through each edge",
     AT(paths), .constant = PC_PATHS_CYCLES, .set = CLI_PATH_KINDS, .job = CLI_OF_RESULT},
    {"--shortest", NULL,
     "The number of shortest paths, without --length; --from, --to, --pair: their length, too",
     AT(paths), .constant = PC_PATHS_SHORTEST, .set = CLI_PATH_KINDS, .job = CLI_OF_RESULT},
    {"--simple", NULL, "Only those that visit no vertex twice (GQL: ACYCLIC)", AT(paths),
     .constant = PC_PATHS_SIMPLE, .set = CLI_PATH_KINDS, .job = CLI_OF_RESULT},
    {0}};

const cli_option cli_match_rows[] = {
    {"--match", "PATTERN",
     "Only walks whose labels match: A B (then), A|B, ( ), A*, A+, A?, A{2,5}, . for any label",
     CLI_TEXT, AT(match)},
    {"--label-column", "COLUMN",
     "Column of an edge list that has the labels, by name or number; of SIF, Pajek: relation; of "
     "GraphML, a name",
     CLI_TEXT, AT(label_column)},
    {0}};

const char *cli_named_file(const cli_query_options *query, const cli_named *named)
{
    if (cli_question_kind_of(query->question)->takes_pairs)
        return named->second == NULL ? named->text : NULL;
    return named->text[0] == '@' && named->text[1] != '@' ? named->text + 1 : NULL;
}

const char *cli_named_label(const cli_named *named)
{
    return named->text + (named->text[0] == '@');
}

bool cli_query_reads_stdin(const cli_query_options *query)
{
    bool reads = false;
    for (size_t i = 0; i < query->n_named; i++) {
        const char *file = cli_named_file(query, &query->named[i]);
        reads = reads || (file != NULL && strcmp(file, "-") == 0);
    }
    return reads;
}

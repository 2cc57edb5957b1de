/* Takes the options of questions, and finds the vertices that they name. */
#include "src/cli/vertices.h"

#include "src/cli/count_options.h"
#include "src/cli/files.h"
#include "src/cli/process.h"
#include "src/cli/text.h"

#include "tool.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Questions ------------------------------------------------------------------------------- */

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

/* The first question of a line of a manifest replaces that of the command line, with all its
 * vertices. */
void cli_take_question(cli_parse *parse, void *object, char *argument)
{
    cli_query_options *options = object;
    const cli_option *option = parse->option;
    cli_question question = (cli_question)option->constant;
    (void)argument;
    if (ask_both(options, question, option->name))
        return;
    if (options->question == CLI_ASK_MATRIX)
        options->n_named = 0;
    else if (options->question != question)
        argp_error(parse->state, "%s and %s exclude each other: give one of them", options->option,
                   option->name);
    options->question = question;
    options->option = option->name;
}

static void add_named(cli_query_options *options, const char *text, const char *second)
{
    size_t n_bytes = (options->n_named + 1) * sizeof *options->named;
    options->named = cli_need(realloc(options->named, n_bytes));
    options->named[options->n_named++] = (cli_named){text, second};
}

void cli_take_named(cli_parse *parse, void *object, char *argument)
{
    cli_take_question(parse, object, argument);
    add_named(object, argument, NULL);
    cli_file_is_read(
        parse->state, parse->option->name,
        parse->option->value == CLI_FILE ? argument : cli_named_file(&(cli_named){argument, NULL}));
}

/* A pair is two words. The second one is the next word of the command line. */
void cli_take_pair(cli_parse *parse, void *object, char *argument)
{
    struct argp_state *state = parse->state;
    const char *second = state->next < state->argc ? state->argv[state->next] : NULL;
    if (second == NULL || strncmp(second, "--", 2) == 0)
        argp_error(state, "--pair takes two vertices: --pair FROM TO");
    state->next++;
    cli_take_question(parse, object, argument);
    add_named(object, argument, second);
}

/* A question with a number. */
static void take_number(cli_parse *parse, void *object, char *argument)
{
    cli_take_question(parse, object, argument);
    cli_take_value(parse, object, argument);
}

#define ASKS(QUESTION) .constant = (QUESTION), .set = CLI_QUESTIONS, .job = CLI_OF_RESULT

const cli_option cli_query_rows[] = {
    {"--from", "VERTEX", "From VERTEX to every vertex; may be repeated", CLI_VERTEX, AT(question),
     ASKS(CLI_ASK_FROM), .take = cli_take_named, .repeats = true},
    {"--to", "VERTEX", "From every vertex to VERTEX; may be repeated", CLI_VERTEX, AT(question),
     ASKS(CLI_ASK_TO), .take = cli_take_named, .repeats = true},
    {"--pair", "FROM TO", "From one vertex to the other; may be repeated", CLI_TEXT, AT(question),
     ASKS(CLI_ASK_PAIRS), .take = cli_take_pair, .repeats = true},
    {"--pairs", "FILE", "Such pairs from FILE, one a line", CLI_FILE, AT(question),
     ASKS(CLI_ASK_PAIRS), .take = cli_take_named, .repeats = true},
    {"--total", NULL, "The sum of all counts", AT(question), ASKS(CLI_ASK_TOTAL),
     .take = cli_take_question},
    {"--sums", NULL, "Paths that start and that end at each vertex", AT(question),
     ASKS(CLI_ASK_SUMS), .take = cli_take_question},
    {"--closed", NULL, "Paths from each vertex back to itself", AT(question), ASKS(CLI_ASK_CLOSED),
     .take = cli_take_question},
    {"--trace", NULL, "All closed paths: the sum of --closed", AT(question), ASKS(CLI_ASK_TRACE),
     .take = cli_take_question},
    {"--top", "N", "The N pairs with most paths", CLI_INTEGER, AT(n_top), .least = 1,
     .most = MAX_TOP, ASKS(CLI_ASK_TOP), .take = take_number},
    {"--top-each", "N", "The N vertices that most paths lead to, from each vertex", CLI_INTEGER,
     AT(n_top), .constant = CLI_ASK_TOP_EACH, .least = 1, .most = MAX_TOP, .set = CLI_QUESTIONS,
     .take = take_number},
    {"--each", NULL, "Answer for each length from 1 to K; matrices go to -o FOLDER or FILE.npy",
     AT(each), .set = CLI_LENGTHS, .job = CLI_OF_RESULT},
    {"--up-to", NULL, "Add up the lengths from 1 to K", AT(up_to), .set = CLI_LENGTHS,
     .job = CLI_OF_RESULT},
    {"--katz", "BETA", "Katz centrality up to length K: paths ending, each times BETA^length",
     CLI_NUMBER, AT(beta), ASKS(CLI_ASK_KATZ), .take = take_number},
    {"--subgraph-centrality", NULL,
     "Closed paths up to length K, each over the factorial of its length", AT(question),
     ASKS(CLI_ASK_SUBGRAPH), .take = cli_take_question},
    {0}};

const char *cli_named_file(const cli_named *named)
{
    return named->text[0] == '@' && named->text[1] != '@' ? named->text + 1 : NULL;
}

const char *cli_named_label(const cli_named *named)
{
    return named->text + (named->text[0] == '@');
}

bool cli_query_reads_stdin(const cli_query_options *query)
{
    const char *name = query->question == CLI_ASK_PAIRS ? "-" : "@-";
    for (size_t i = 0; i < query->n_named; i++)
        if (query->named[i].second == NULL && strcmp(query->named[i].text, name) == 0)
            return true;
    return false;
}

/* Refuses what does not go with a question that has only the largest counts, or is a series. */
static void check_numbers(const struct argp_state *state, const cli_count_options *options)
{
    const cli_query_options *query = &options->query;
    const pc_count_options *count = &options->count;
    cli_numbers numbers = cli_question_kind_of(query->question)->numbers;
    const char *lengths = query->each ? "--each" : query->up_to ? "--up-to" : NULL;
    if (numbers == CLI_LARGEST && lengths != NULL)
        argp_error(state, "%s is for one length, without %s", query->option, lengths);
    if (numbers == CLI_LARGEST && count->arithmetic == PC_MODULAR)
        argp_error(state, "%s has no meaning with --mod: residues have no largest", query->option);
    const char *other = lengths != NULL                   ? lengths
                        : query->paths == PC_PATHS_MARKOV ? "--markov"
                        : query->paths != PC_PATHS_ALL    ? "--non-backtracking"
                        : count->arithmetic == PC_MODULAR ? "--mod"
                        : count->arithmetic == PC_FLOAT   ? "--float"
                        : count->method != PC_METHOD_AUTO ? "--method"
                        : count->n_certify_rounds != 0    ? "--certify"
                                                          : NULL;
    if (numbers == CLI_SERIES && other != NULL)
        argp_error(state, "%s and %s exclude each other: give one of them", query->option, other);
}

static void complete_paths(const struct argp_state *state, cli_count_options *options)
{
    pc_count_options *count = &options->count;
    pc_path_kind paths = options->query.paths;
    if (paths == PC_PATHS_ALL)
        return;
    if (count->method == PC_METHOD_DENSE || count->method == PC_METHOD_HYBRID)
        argp_error(state, "--%s goes step by step, not by --method dense or hybrid",
                   cli_path_kind_of(paths)->name);
    if (paths == PC_PATHS_NON_BACKTRACKING && count->arithmetic == PC_FLOAT)
        argp_error(state, "--non-backtracking counts exactly or modulo M (--mod), not --float");
    if (paths == PC_PATHS_MARKOV && count->arithmetic == PC_MODULAR)
        argp_error(state, "--markov gives probabilities, which have no residues: leave --mod out");
    if (paths == PC_PATHS_MARKOV) {
        count->arithmetic = PC_FLOAT;
        if (!options->input.graph.weights)
            options->input.graph.weights = PC_WEIGHTS_IF_ANY;
        options->input.graph.real_weights = 1;
    }
}

void cli_query_options_complete(const struct argp_state *state, cli_count_options *options)
{
    const cli_query_options *query = &options->query;
    bool is_matrix = query->question == CLI_ASK_MATRIX;
    check_numbers(state, options);
    if (!is_matrix && options->output.n > 0)
        argp_error(state,
                   "--output writes the whole matrix; what %s asks for is printed: redirect it "
                   "(> FILE)",
                   query->option);
    if (options->input.path != NULL && strcmp(options->input.path, "-") == 0 &&
        cli_query_reads_stdin(query))
        argp_error(state, "the graph and its vertices cannot both be read from standard input");
    if (is_matrix && query->up_to &&
        (options->count.method == PC_METHOD_DENSE || options->count.method == PC_METHOD_HYBRID))
        argp_error(state, "matrices of lengths added up are swept: leave --method out");
    options->input.graph.real_weights = query->question == CLI_ASK_KATZ;
    complete_paths(state, options);
}

/* ---- Which paths ----------------------------------------------------------------------------- */

const cli_option cli_paths_rows[] = {
    {"--non-backtracking", NULL, "Only those that never turn straight back along an edge",
     AT(paths), .constant = PC_PATHS_NON_BACKTRACKING, .set = CLI_PATH_KINDS, .job = CLI_OF_RESULT},
    {"--markov", NULL,
     "Probabilities: at each vertex an edge is chosen by its weight (third column, such as 0.25)",
     AT(paths), .constant = PC_PATHS_MARKOV, .set = CLI_PATH_KINDS, .job = CLI_OF_RESULT},
    {0}};

/* ---- Vertices -------------------------------------------------------------------------------- */

typedef struct finder {
    pc_context *context;
    const pc_graph *graph;
    const char *graph_name;
    bool in_pairs;
    cli_vertices *vertices;
    const char *file; /* being read; NULL: the command line */
    uint64_t line;
} finder;

static pc_status fail(const finder *f, const char *before, const char *label, const char *after)
{
    char where[512] = "", sentence[2048];
    if (f->file != NULL)
        snprintf(where, sizeof where, "%.400s:%" PRIu64 ": ", cli_shown_path(f->file), f->line);
    snprintf(sentence, sizeof sentence, "%s%.400s%.400s%s", where, before, label, after);
    return pc_context_fail(f->context, PC_ERR_DATA, sentence);
}

/* Tells what to write instead of a label that no vertex has: a label that is near, or what
 * labels look like. */
static const char *advice(const finder *f, const char *label, char *text, size_t size)
{
    cli_suggestion meant = {.typed = label};
    const pc_labels *labels = pc_graph_labels(f->graph);
    uint64_t n = pc_labels_count(labels);
    char other[CLI_SUGGESTED_BYTES], first[80] = "", last[80] = "";
    for (uint64_t v = 0; v < n; v++)
        if (pc_labels_text(labels, v, other, sizeof other) < sizeof other)
            cli_suggest(&meant, other);
    if (n > 0) {
        pc_labels_text(labels, 0, first, sizeof first);
        pc_labels_text(labels, n - 1, last, sizeof last);
    }
    if (meant.word[0] != '\0')
        snprintf(text, size, "'%s", cli_suggestion_text(&meant));
    else
        snprintf(text, size, "': the first of its %" PRIu64 " is '%s', the last '%s'", n, first,
                 last);
    return text;
}

static pc_status find(const finder *f, const char *label, uint64_t *vertex)
{
    char before[512], after[512];
    if (pc_graph_find(f->context, f->graph, label, vertex) == PC_OK)
        return PC_OK;
    snprintf(before, sizeof before, "%.400s has no vertex '", f->graph_name);
    return fail(f, before, label, advice(f, label, after, sizeof after));
}

static pc_status add(const finder *f, const char *first, const char *second)
{
    cli_vertices *v = f->vertices;
    uint64_t from, to;
    pc_status status = find(f, first, &from);
    if (status == PC_OK)
        status = find(f, second, &to);
    if (status != PC_OK)
        return status;
    if (v->n == v->capacity) {
        v->capacity = v->capacity ? 2 * v->capacity : 16;
        v->from = cli_need(realloc(v->from, v->capacity * sizeof *v->from));
        v->to = cli_need(realloc(v->to, v->capacity * sizeof *v->to));
    }
    v->from[v->n] = from;
    v->to[v->n++] = to;
    return PC_OK;
}

/* ---- Files ----------------------------------------------------------------------------------- */

/* Cuts blanks off both ends of text, which it changes. */
static char *trim(char *text)
{
    static const char blanks[] = " \t\r";
    text += strspn(text, blanks);
    size_t length = strlen(text);
    while (length > 0 && strchr(blanks, text[length - 1]) != NULL)
        text[--length] = '\0';
    return text;
}

/* A pair is cut at the first tab, else at the first comma, else at blanks. */
static pc_status add_pair(const finder *f, char *line)
{
    char *cut = strchr(line, '\t');
    cut = cut != NULL ? cut : strchr(line, ',');
    cut = cut != NULL ? cut : strchr(line, ' ');
    if (cut == NULL)
        return fail(f, "'", line, "' stands alone: a line is two vertices");
    *cut = '\0';
    return add(f, trim(line), trim(cut + 1));
}

static pc_status take_text(void *user, const char *text, size_t n_bytes)
{
    finder *f = user;
    const char *end = text + n_bytes;
    pc_status status = PC_OK;
    for (f->line = 1; text < end && status == PC_OK; f->line++) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        stop = stop != NULL ? stop : end;
        if (memchr(text, '\0', (size_t)(stop - text)) != NULL)
            return fail(f, "", "", "a NUL byte: this is not a text file");
        char *copy = cli_need(strndup(text, (size_t)(stop - text))), *line = trim(copy);
        bool is_empty = line[0] == '\0' || line[0] == '#' || line[0] == '%';
        if (!is_empty)
            status = f->in_pairs ? add_pair(f, line) : add(f, line, line);
        free(copy);
        text = stop + 1;
    }
    return status;
}

static pc_status read_file(finder *f, const char *path)
{
    f->file = path;
    pc_status status = pc_text_read(f->context, path, take_text, f);
    f->file = NULL;
    return status;
}

/* A label that begins with @ is easily taken for a file. */
static pc_status read_named(finder *f, const cli_named *named)
{
    uint64_t vertex;
    char sentence[1024];
    bool is_label = pc_graph_find(f->context, f->graph, named->text, &vertex) == PC_OK;
    pc_status status = read_file(f, cli_named_file(named));
    if (status != PC_ERR_NO_INPUT || !is_label)
        return status;
    snprintf(sentence, sizeof sentence,
             "there is no file '%.400s' of vertices; the vertex '%.400s' is written @%.40s",
             cli_named_file(named), named->text, named->text);
    return pc_context_fail(f->context, status, sentence);
}

/* ---- All of them ----------------------------------------------------------------------------- */

pc_status cli_vertices_find(pc_context *context, const pc_graph *graph, const char *graph_path,
                            const cli_query_options *query, cli_vertices *vertices)
{
    finder f = {.context = context,
                .graph = graph,
                .graph_name = cli_shown_path(graph_path),
                .in_pairs = query->question == CLI_ASK_PAIRS,
                .vertices = vertices};
    pc_status status = PC_OK;
    for (size_t i = 0; i < query->n_named && status == PC_OK; i++) {
        const cli_named *named = &query->named[i];
        if (named->second != NULL)
            status = add(&f, named->text, named->second);
        else if (f.in_pairs)
            status = read_file(&f, named->text);
        else if (cli_named_file(named) != NULL)
            status = read_named(&f, named);
        else
            status = add(&f, cli_named_label(named), cli_named_label(named));
    }
    return status;
}

void cli_vertices_free(cli_vertices *vertices)
{
    free(vertices->from);
    free(vertices->to);
}

pc_query cli_query_of(const cli_query_options *asked, uint64_t length, const cli_vertices *vertices)
{
    return (pc_query){.kind = cli_question_kind_of(asked->question)->kind,
                      .paths = asked->paths,
                      .length = length,
                      .n_asked = vertices->n,
                      .from = vertices->from,
                      .to = vertices->to,
                      .each = asked->each,
                      .up_to = asked->up_to};
}

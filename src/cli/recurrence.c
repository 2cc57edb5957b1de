/* `pathcount recurrence`: prints the recurrence that an answer obeys from length to length. */
#include "src/cli/main.h"
#include "src/cli/process.h"
#include "src/cli/json.h"
#include "src/cli/load.h"
#include "src/cli/vertices.h"
#include "src/cli/text.h"

#include "pathcount_recurrence.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_TERMS = 10, MOST_TERMS = 100000, GROWTH_DIGITS = 18 };

typedef struct cli_recurrence_options {
    cli_count_options count;
    uint64_t n_terms; /* 0: those that begin it, at least 10 */
    int growth;
} cli_recurrence_options;

typedef struct recurrence_job {
    const cli_recurrence_options *options;
    cli_progress progress;
    pc_context *context;
    pc_graph *graph;
    pc_recurrence *recurrence;
    pc_recurrence_info info;
    char growth[PC_GROWTH_BYTES]; /* "": not asked for, or there is none */
    int growth_is_exact;
} recurrence_job;

/* ---- Command line ---------------------------------------------------------------------------- */

#define ASKS(QUESTION)                                                                             \
    CLI_AT(cli_query_options, question), .constant = (QUESTION), .set = CLI_QUESTIONS

static const cli_option question_rows[] = {
    {"--total", NULL, "All paths", ASKS(CLI_ASK_TOTAL), .take = cli_take_question},
    {"--trace", NULL, "All closed paths", ASKS(CLI_ASK_TRACE), .take = cli_take_question},
    {"--pair", "FROM TO", "Those from one vertex to the other", CLI_TEXT, ASKS(CLI_ASK_PAIRS),
     .take = cli_take_pair},
    {"--from", "VERTEX", "Those that start at VERTEX", CLI_VERTEX, ASKS(CLI_ASK_FROM),
     .take = cli_take_named},
    {"--to", "VERTEX", "Those that end at VERTEX", CLI_VERTEX, ASKS(CLI_ASK_TO),
     .take = cli_take_named},
    {"--non-backtracking", NULL, "Only those that never turn straight back along an edge",
     CLI_AT(cli_query_options, paths), .constant = PC_PATHS_NON_BACKTRACKING},
    {0}};

static const cli_option output_rows[] = {
    {"--terms", "N", "Print so many terms (default: those that begin it, at least 10)", CLI_INTEGER,
     CLI_AT(cli_recurrence_options, n_terms), .least = 1, .most = MOST_TERMS},
    {"--length", "K", "Print the term of length K, too", CLI_INTEGER,
     CLI_AT(cli_recurrence_options, count.length), .most = UINT64_MAX, .take = cli_take_length,
     .letter = 'k'},
    {"--growth", NULL, "Print how the numbers grow, too: the limit of a(n)^(1/n)",
     CLI_AT(cli_recurrence_options, growth)},
    {"--mod", "M", "Print all numbers modulo M, 2 <= M < 2^63", CLI_INTEGER,
     CLI_AT(cli_recurrence_options, count.count.modulus), CLI_MODULUS},
    {"--json", NULL, "Print one JSON object", CLI_AT(cli_recurrence_options, count.output.json)},
    {0}};

static const cli_group groups[] = {
    {"Input (pathcount recurrence arcs.csv --directed --weights --total):", cli_input_rows,
     offsetof(cli_recurrence_options, count.input)},
    {"Which paths (pathcount recurrence graph.txt --pair C J):", question_rows,
     offsetof(cli_recurrence_options, count.query)},
    {"Output (pathcount recurrence graph.txt --total --length 1000000):", output_rows, 0},
    {"Running (pathcount recurrence graph.txt --total --threads 2):", cli_running_rows + 1,
     offsetof(cli_recurrence_options, count.running)},
    {NULL, cli_about_rows, 0},
    {0}};

static const char doc[] =
    "Find the shortest linear recurrence that the numbers a(0), a(1), a(2), ... of paths obey, by "
    "length, and their generating function.\v"
    "Such a recurrence always exists: at most as many terms go into the next one as the graph has "
    "vertices. What is printed holds for all lengths, and no shorter one does; both are proved. It "
    "takes residues of twice as many lengths as there are vertices, so graphs of some thousand "
    "vertices are the limit.\n"
    "\n"
    "The signature lists the coefficients, as the OEIS does. PARI, Sage and Mathematica read the "
    "function as it stands. Modulo a prime M the recurrence is the shortest of residues; modulo "
    "any "
    "other number that of the integers is reduced, and a shorter one may hold.\n"
    "\n"
    "Examples:\n"
    "  pathcount recurrence graph.txt --total\n"
    "  pathcount recurrence graph.txt --pair C J --terms 30 --json\n"
    "  pathcount recurrence graph.txt --trace --length 1000000000000 --mod 1000000007\n"
    "\n"
    "Exit status: as of pathcount count, see its --help. More: man pathcount";

static void complete(cli_parse *parse)
{
    const cli_recurrence_options *options = parse->options;
    const cli_query_options *query = &options->count.query;
    if (options->count.input.path == NULL)
        argp_error(parse->state,
                   "which graph? For example: pathcount recurrence graph.txt --total");
    if (query->question == CLI_ASK_MATRIX)
        argp_error(parse->state, "which paths? --total, --trace, --pair FROM TO, --from VERTEX or "
                                 "--to VERTEX");
    if (options->growth && options->count.count.arithmetic == PC_MODULAR)
        argp_error(parse->state, "residues do not grow: leave --mod or --growth out");
    if (query->n_named > 1)
        argp_error(parse->state, "one %s at a time: a recurrence is of one number", query->option);
}

const cli_command cli_recurrence_command = {
    .name = "recurrence",
    .summary = "the formula that counts obey from length to length",
    .arguments = "GRAPH QUESTION",
    .doc = doc,
    .groups = groups,
    .take_argument = cli_count_take_graph,
    .complete = complete};

/* ---- Numbers --------------------------------------------------------------------------------- */

static uint64_t modulus_of(const recurrence_job *job)
{
    const pc_count_options *count = &job->options->count.count;
    return count->arithmetic == PC_MODULAR ? count->modulus : 0;
}

static pc_status out_of_memory(const recurrence_job *job)
{
    return pc_context_fail(job->context, PC_ERR_MEMORY, "no memory to print the recurrence");
}

/* A number, to be free()d; NULL when out of memory. */
static char *number_text(const recurrence_job *job, pc_recurrence_part part, uint64_t i)
{
    size_t length = 0;
    pc_recurrence_text(job->recurrence, part, i, NULL, 0, &length);
    char *text = malloc(length + 1);
    if (text != NULL)
        pc_recurrence_text(job->recurrence, part, i, text, length + 1, NULL);
    return text;
}

static pc_status take_term(void *user, uint64_t length, const pc_rows *rows)
{
    char **text = user;
    size_t n = 0;
    (void)length;
    pc_rows_text(rows, 0, NULL, 0, &n);
    *text = malloc(n + 1);
    return *text != NULL ? pc_rows_text(rows, 0, *text, n + 1, NULL) : PC_ERR_MEMORY;
}

/* The term of that length as text, to be free()d. */
static pc_status term_text(const recurrence_job *job, uint64_t length, char **text)
{
    *text = NULL;
    pc_status status =
        pc_recurrence_term(job->recurrence, length, modulus_of(job), take_term, text);
    return *text == NULL && status == PC_ERR_MEMORY ? out_of_memory(job) : status;
}

static uint64_t n_terms(const recurrence_job *job)
{
    uint64_t n = job->info.n_initial > LEAST_TERMS ? job->info.n_initial : LEAST_TERMS;
    return job->options->n_terms > 0 ? job->options->n_terms : n;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

/* Appends text, which is free()d. */
static pc_status append(json_t *array, char *text)
{
    int failed = text == NULL ? -1 : json_array_append_new(array, json_string(text));
    free(text);
    return failed ? PC_ERR_MEMORY : PC_OK;
}

/* Numbers first .. first + n - 1 of a part; NULL when out of memory. */
static json_t *part_array(const recurrence_job *job, pc_recurrence_part part, uint64_t first,
                          uint64_t n)
{
    json_t *array = json_array();
    pc_status status = array != NULL ? PC_OK : PC_ERR_MEMORY;
    for (uint64_t i = 0; i < n && status == PC_OK; i++)
        status = append(array, number_text(job, part, first + i));
    if (status == PC_OK)
        return array;
    json_decref(array);
    return NULL;
}

/* 1, -c(1), ..., -c(order) */
static json_t *denominator(const recurrence_job *job)
{
    json_t *array = json_pack("[s]", "1");
    for (uint64_t i = 1; i <= job->info.order && array != NULL; i++) {
        char *text = number_text(job, PC_RECURRENCE_COEFFICIENT, i), *turned = NULL;
        bool is_negative = text != NULL && *text == '-';
        if (text != NULL && (turned = malloc(strlen(text) + 2)) != NULL)
            sprintf(turned, "%s%s", is_negative || strcmp(text, "0") == 0 ? "" : "-",
                    text + is_negative);
        free(text);
        if (append(array, turned) == PC_OK)
            continue;
        json_decref(array);
        return NULL;
    }
    return array;
}

static pc_status terms_array(const recurrence_job *job, json_t *array)
{
    pc_status status = array != NULL ? PC_OK : out_of_memory(job);
    for (uint64_t i = 0; i < n_terms(job) && status == PC_OK; i++) {
        char *text;
        status = term_text(job, i, &text);
        if (status == PC_OK && append(array, text) != PC_OK)
            status = out_of_memory(job);
    }
    return status;
}

static pc_status print_json(const recurrence_job *job, const char *last_term)
{
    const pc_recurrence_info *info = &job->info;
    pc_graph_info graph;
    pc_graph_get_info(job->graph, &graph);
    json_t *terms = json_array();
    pc_status status = terms_array(job, terms);
    if (status != PC_OK) {
        json_decref(terms);
        return status;
    }
    json_t *rest =
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "order",
                  cli_json_integer(info->order), "start", cli_json_integer(info->start),
                  "coefficients", part_array(job, PC_RECURRENCE_COEFFICIENT, 1, info->order),
                  "initial", part_array(job, PC_RECURRENCE_INITIAL, 0, info->n_initial),
                  "numerator", part_array(job, PC_RECURRENCE_NUMERATOR, 0, info->n_initial),
                  "denominator", denominator(job), "terms", terms, "term",
                  last_term != NULL ? json_string(last_term) : json_null(), "growth",
                  *job->growth != '\0' ? json_string(job->growth) : json_null());
    json_t *root = cli_json_behind(cli_json_head("recurrence", &job->options->count, &graph), rest);
    cli_json_print(root);
    return PC_OK;
}

/* ---- Text ------------------------------------------------------------------------------------ */

/* Prints " + 3 a(n-1)", " - x^2" and so on: sign, magnitude unless it is 1, and what it is a factor of. A
 * number that is 0 is left out. Returns whether it was printed. */
static bool print_summand(const char *number, bool turns_sign, bool is_first, const char *times,
                          const char *factor)
{
    bool is_negative = (*number == '-') != turns_sign;
    const char *magnitude = number + (*number == '-');
    bool is_one = strcmp(magnitude, "1") == 0 && *factor != '\0';
    if (strcmp(magnitude, "0") == 0)
        return false;
    printf("%s%s%s%s", is_first ? (is_negative ? "-" : "") : (is_negative ? " - " : " + "),
           is_one ? "" : magnitude, is_one || *factor == '\0' ? "" : times, factor);
    return true;
}

/* Prints "1 - 3*x + x^2" of the numbers of a part, with what stands before them. */
static pc_status print_polynomial(const recurrence_job *job, pc_recurrence_part part,
                                  uint64_t first, uint64_t n, bool turns_sign, bool has_one)
{
    bool is_first = !has_one;
    fputs(has_one ? "1" : "", stdout);
    for (uint64_t i = 0; i < n; i++) {
        char power[32] = "", *text = number_text(job, part, first + i);
        uint64_t exponent = i + has_one;
        if (text == NULL)
            return out_of_memory(job);
        if (exponent > 0)
            snprintf(power, sizeof power, exponent == 1 ? "x" : "x^%" PRIu64, exponent);
        if (print_summand(text, turns_sign, is_first, "*", power))
            is_first = false;
        free(text);
    }
    if (is_first)
        fputc('0', stdout);
    return PC_OK;
}

static pc_status print_recurrence(const recurrence_job *job)
{
    bool is_first = true;
    fputs("recurrence  a(n) = ", stdout);
    for (uint64_t i = 1; i <= job->info.order; i++) {
        char earlier[40], *text = number_text(job, PC_RECURRENCE_COEFFICIENT, i);
        if (text == NULL)
            return out_of_memory(job);
        snprintf(earlier, sizeof earlier, "a(n-%" PRIu64 ")", i);
        if (print_summand(text, false, is_first, " ", earlier))
            is_first = false;
        free(text);
    }
    printf("%s for n >= %" PRIu64 "\n", is_first ? "0" : "", job->info.n_initial);
    return PC_OK;
}

static pc_status print_terms(const recurrence_job *job)
{
    pc_status status = PC_OK;
    fputs("terms       ", stdout);
    for (uint64_t i = 0; i < n_terms(job) && status == PC_OK; i++) {
        char *text;
        status = term_text(job, i, &text);
        if (status == PC_OK)
            printf("%s%s", i > 0 ? ", " : "", text);
        free(text);
    }
    fputc('\n', stdout);
    return status;
}

static pc_status print_signature(const recurrence_job *job)
{
    fputs("signature   (", stdout);
    for (uint64_t i = 1; i <= job->info.order; i++) {
        char *text = number_text(job, PC_RECURRENCE_COEFFICIENT, i);
        if (text == NULL)
            return out_of_memory(job);
        printf("%s%s", i > 1 ? ", " : "", text);
        free(text);
    }
    fputs(")\n", stdout);
    return PC_OK;
}

static pc_status print_function(const recurrence_job *job)
{
    fputs("function    (", stdout);
    pc_status status =
        print_polynomial(job, PC_RECURRENCE_NUMERATOR, 0, job->info.n_initial, false, false);
    fputs(")/(", stdout);
    if (status == PC_OK)
        status = print_polynomial(job, PC_RECURRENCE_COEFFICIENT, 1, job->info.order, true, true);
    fputs(")\n", stdout);
    return status;
}

static pc_status print_text(const recurrence_job *job, const char *last_term)
{
    pc_status status = print_recurrence(job);
    if (status == PC_OK)
        status = print_terms(job);
    if (status == PC_OK)
        status = print_signature(job);
    if (status == PC_OK)
        status = print_function(job);
    if (status == PC_OK && last_term != NULL) {
        char name[40];
        snprintf(name, sizeof name, "a(%" PRIu64 ")", job->options->count.length);
        printf("%-10s  %s\n", name, last_term);
    }
    if (status == PC_OK && job->options->growth)
        printf("growth      %s%s\n",
               *job->growth != '\0' ? job->growth : "none, all are 0 in the end",
               *job->growth == '\0' || job->growth_is_exact ? "" : "...");
    return status;
}

/* ---- The command ----------------------------------------------------------------------------- */

/* The library's question, of vertices that were found. */
static pc_query query_of(const recurrence_job *job, const cli_vertices *vertices)
{
    static const pc_query_kind kinds[] = {[CLI_ASK_TOTAL] = PC_QUERY_TOTAL,
                                          [CLI_ASK_TRACE] = PC_QUERY_TRACE,
                                          [CLI_ASK_PAIRS] = PC_QUERY_PAIRS,
                                          [CLI_ASK_FROM] = PC_QUERY_FROM,
                                          [CLI_ASK_TO] = PC_QUERY_TO};
    const cli_query_options *query = &job->options->count.query;
    return (pc_query){.kind = kinds[query->question],
                      .paths = query->paths,
                      .n_asked = vertices->n,
                      .from = vertices->from,
                      .to = vertices->to};
}

static pc_status find(recurrence_job *job)
{
    const cli_count_options *count = &job->options->count;
    bool names_vertices = count->query.n_named > 0;
    cli_vertices vertices = {0};
    pc_status status = names_vertices
                           ? cli_vertices_find(job->context, job->graph, count->input.path,
                                               &count->query, &vertices)
                           : PC_OK;
    if (status == PC_OK) {
        pc_query query = query_of(job, &vertices);
        status = pc_recurrence_create(job->context, job->graph, &query, modulus_of(job),
                                      &job->recurrence);
    }
    cli_vertices_free(&vertices);
    pc_recurrence_get_info(job->recurrence, &job->info);
    return status;
}

static pc_status find_growth(recurrence_job *job)
{
    if (!job->options->growth || job->info.order == 0)
        return PC_OK;
    return pc_recurrence_growth(job->recurrence, GROWTH_DIGITS, job->growth, sizeof job->growth,
                                &job->growth_is_exact);
}

static pc_status answer(recurrence_job *job)
{
    const cli_count_options *count = &job->options->count;
    char *last_term = NULL;
    pc_status status = cli_load_graph(job->context, &count->input, &job->graph);
    cli_progress_end(&job->progress);
    if (status == PC_OK && !count->running.is_quiet) {
        pc_graph_info info;
        pc_graph_get_info(job->graph, &info);
        cli_print_graph(stderr, &count->input, &info);
    }
    if (status == PC_OK)
        status = find(job);
    if (status == PC_OK)
        status = find_growth(job);
    if (status == PC_OK && count->has_length)
        status = term_text(job, count->length, &last_term);
    cli_progress_end(&job->progress);
    if (status == PC_OK)
        status = count->output.json ? print_json(job, last_term) : print_text(job, last_term);
    free(last_term);
    return status;
}

int cli_recurrence(int argc, char **argv)
{
    cli_recurrence_options options = {0};
    recurrence_job job = {.options = &options};
    cli_parse_options(&cli_recurrence_command, argc, argv, &options);
    pc_status status = cli_open_context(&options.count.running, &job.progress, &job.context);
    if (job.context == NULL)
        return cli_fail(CLI_UNAVAILABLE, "%s", pc_status_text(status));
    if (status == PC_OK)
        status = answer(&job);
    int code = status == PC_OK ? CLI_DONE : cli_fail_status(job.context, status);
    pc_recurrence_free(job.recurrence);
    pc_graph_free(job.graph);
    pc_context_free(job.context);
    free(options.count.query.named);
    return code;
}

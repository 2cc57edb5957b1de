/* `pathcount recurrence`: prints the recurrence that an answer obeys from length to length. */
#define _GNU_SOURCE /* asprintf */
#include "src/cli/main.h"
#include "src/cli/process.h"
#include "src/cli/json.h"
#include "src/cli/load.h"
#include "src/cli/kinds.h"
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
    pc_context *context;
    pc_graph *graph;
    pc_recurrence *recurrence;
    pc_recurrence_info info;
    char growth[PC_GROWTH_BYTES]; /* "": not asked for, or there is none */
    int growth_is_exact;
} recurrence_job;

/* ---- Command line ---------------------------------------------------------------------------- */

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
    {"Which paths (pathcount recurrence graph.txt --pair C J):", cli_recurrence_rows,
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

/* The text of a number, to be free()d. */
static char *number_text(const recurrence_job *job, pc_recurrence_part part, uint64_t i)
{
    size_t length = 0;
    pc_recurrence_text(job->recurrence, part, i, NULL, 0, &length);
    char *text = cli_need(malloc(length + 1));
    pc_recurrence_text(job->recurrence, part, i, text, length + 1, NULL);
    return text;
}

static pc_status take_term(void *user, uint64_t length, const pc_rows *rows)
{
    char **text = user;
    size_t n = 0;
    (void)length;
    pc_rows_text(rows, 0, NULL, 0, &n);
    *text = cli_need(malloc(n + 1));
    return pc_rows_text(rows, 0, *text, n + 1, NULL);
}

/* The term of that length as text, to be free()d. */
static pc_status term_text(const recurrence_job *job, uint64_t length, char **text)
{
    *text = NULL;
    return pc_recurrence_term(job->recurrence, length, modulus_of(job), take_term, text);
}

static uint64_t n_terms(const recurrence_job *job)
{
    uint64_t n = job->info.n_initial > LEAST_TERMS ? job->info.n_initial : LEAST_TERMS;
    return job->options->n_terms > 0 ? job->options->n_terms : n;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

/* Appends text, which is free()d. */
static void append(json_t *array, char *text)
{
    json_array_append_new(array, json_string(text));
    free(text);
}

/* Numbers first to end - 1 of a part. */
static json_t *part_array(const recurrence_job *job, pc_recurrence_part part, uint64_t first,
                          uint64_t end)
{
    json_t *array = json_array();
    for (uint64_t i = first; i < end; i++)
        append(array, number_text(job, part, i));
    return array;
}

/* 1, -c(1), ..., -c(order) */
static json_t *denominator(const recurrence_job *job)
{
    json_t *array = json_pack("[s]", "1");
    for (uint64_t i = 1; i <= job->info.order; i++) {
        char *text = number_text(job, PC_RECURRENCE_COEFFICIENT, i), *turned = NULL;
        bool is_negative = *text == '-', is_zero = strcmp(text, "0") == 0;
        if (asprintf(&turned, "%s%s", is_negative || is_zero ? "" : "-", text + is_negative) < 0)
            turned = NULL;
        append(array, cli_need(turned));
        free(text);
    }
    return array;
}

static pc_status print_json(const recurrence_job *job, const char *last_term)
{
    const pc_recurrence_info *info = &job->info;
    pc_graph_info graph;
    json_t *terms = json_array();
    for (uint64_t i = 0; i < n_terms(job); i++) {
        char *text;
        pc_status status = term_text(job, i, &text);
        if (status != PC_OK) {
            json_decref(terms);
            return status;
        }
        append(terms, text);
    }
    json_t *rest =
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "order",
                  cli_json_integer(info->order), "start", cli_json_integer(info->start),
                  "coefficients", part_array(job, PC_RECURRENCE_COEFFICIENT, 1, info->order + 1),
                  "initial", part_array(job, PC_RECURRENCE_INITIAL, 0, info->n_initial),
                  "numerator", part_array(job, PC_RECURRENCE_NUMERATOR, 0, info->n_initial),
                  "denominator", denominator(job), "terms", terms, "term",
                  last_term != NULL ? json_string(last_term) : json_null(), "growth",
                  *job->growth != '\0' ? json_string(job->growth) : json_null());
    pc_graph_get_info(job->graph, &graph);
    cli_json_print(
        cli_json_behind(cli_json_head("recurrence", &job->options->count, &graph), rest));
    return PC_OK;
}

/* ---- Text ------------------------------------------------------------------------------------ */

/* Prints numbers first to end - 1 of a part as a sum: each times a(n-i), or times x^i where
 * coefficients change their sign. A number that is 0 is left out. is_first: no summand stands
 * before it. */
static void print_sum(const recurrence_job *job, pc_recurrence_part part, uint64_t first,
                      uint64_t end, bool of_powers, bool is_first)
{
    bool turns_sign = of_powers && part == PC_RECURRENCE_COEFFICIENT;
    for (uint64_t i = first; i < end; i++) {
        char factor[40] = "", *number = number_text(job, part, i);
        const char *magnitude = number + (*number == '-');
        bool is_negative = (*number == '-') != turns_sign;
        if (!of_powers)
            snprintf(factor, sizeof factor, "a(n-%" PRIu64 ")", i);
        else if (i > 0)
            snprintf(factor, sizeof factor, i == 1 ? "x" : "x^%" PRIu64, i);
        bool is_one = strcmp(magnitude, "1") == 0 && *factor != '\0';
        if (strcmp(magnitude, "0") != 0) {
            printf("%s%s%s%s", is_first ? (is_negative ? "-" : "") : (is_negative ? " - " : " + "),
                   is_one ? "" : magnitude,
                   is_one || *factor == '\0' ? ""
                   : of_powers               ? "*"
                                             : " ",
                   factor);
            is_first = false;
        }
        free(number);
    }
    if (is_first)
        putchar('0');
}

static pc_status print_text(const recurrence_job *job, const char *last_term)
{
    const pc_recurrence_info *info = &job->info;
    char name[40];
    fputs("recurrence  a(n) = ", stdout);
    print_sum(job, PC_RECURRENCE_COEFFICIENT, 1, info->order + 1, false, true);
    printf(" for n >= %" PRIu64 "\nterms       ", info->n_initial);
    for (uint64_t i = 0; i < n_terms(job); i++) {
        char *text;
        pc_status status = term_text(job, i, &text);
        if (status != PC_OK) {
            putchar('\n');
            return status;
        }
        printf("%s%s", i > 0 ? ", " : "", text);
        free(text);
    }
    fputs("\nsignature   (", stdout);
    for (uint64_t i = 1; i <= info->order; i++) {
        char *text = number_text(job, PC_RECURRENCE_COEFFICIENT, i);
        printf("%s%s", i > 1 ? ", " : "", text);
        free(text);
    }
    fputs(")\nfunction    (", stdout);
    print_sum(job, PC_RECURRENCE_NUMERATOR, 0, info->n_initial, true, true);
    fputs(")/(1", stdout);
    print_sum(job, PC_RECURRENCE_COEFFICIENT, 1, info->order + 1, true, false);
    fputs(")\n", stdout);
    snprintf(name, sizeof name, "a(%" PRIu64 ")", job->options->count.length);
    if (last_term != NULL)
        printf("%-10s  %s\n", name, last_term);
    if (job->options->growth)
        printf("growth      %s%s\n",
               *job->growth != '\0' ? job->growth : "none, all are 0 in the end",
               *job->growth == '\0' || job->growth_is_exact ? "" : "...");
    return PC_OK;
}

/* ---- The command ----------------------------------------------------------------------------- */

static pc_status answer(pc_context *context, cli_progress *progress, void *user)
{
    recurrence_job *job = user;
    const cli_count_options *count = &job->options->count;
    cli_vertices vertices = {0};
    char *last_term = NULL;
    pc_status status =
        cli_load_told(context, &count->input, count->running.is_quiet, progress, &job->graph);
    if (status == PC_OK)
        status =
            cli_vertices_find(context, job->graph, count->input.path, &count->query, &vertices);
    if (status == PC_OK) {
        pc_query query = cli_query_of(&count->query, 0, &vertices);
        status =
            pc_recurrence_create(context, job->graph, &query, modulus_of(job), &job->recurrence);
    }
    cli_vertices_free(&vertices);
    pc_recurrence_get_info(job->recurrence, &job->info);
    if (status == PC_OK && job->options->growth && job->info.order > 0)
        status = pc_recurrence_growth(job->recurrence, GROWTH_DIGITS, job->growth,
                                      sizeof job->growth, &job->growth_is_exact);
    if (status == PC_OK && count->has_length)
        status = term_text(job, count->length, &last_term);
    cli_progress_end(progress);
    if (status == PC_OK)
        status = (count->output.json ? print_json : print_text)(job, last_term);
    free(last_term);
    pc_recurrence_free(job->recurrence);
    pc_graph_free(job->graph);
    return status;
}

int cli_recurrence(int argc, char **argv)
{
    cli_recurrence_options options = {0};
    recurrence_job job = {.options = &options};
    cli_parse_options(&cli_recurrence_command, argc, argv, &options);
    int code = cli_run_in_context(&options.count.running, answer, &job);
    free(options.count.query.named);
    return code;
}

/* Asks the library a question and prints the answer: a number, lines separated by tabs, or JSON. */
#include "src/cli/query.h"

#include "src/cli/answers.h"
#include "src/cli/json.h"
#include "src/cli/kinds.h"
#include "src/cli/plan.h"
#include "src/cli/vertices.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Questions ------------------------------------------------------------------------------- */

/* Queries of `pathcount count`: asked, and printed as the answers come. */

typedef struct query_job {
    pc_context *context;
    const pc_graph *graph;
    const cli_count_options *options;
    cli_count_facts *facts;
    cli_vertices vertices;
    cli_query_table table;
    FILE *starting; /* --sums: the first column, a line each, until the second one comes */
    char *starting_text, *next_starting;
    size_t starting_bytes;
    double relative_error; /* of the answers; the larger one of two queries */
} query_job;

static pc_status out_of_memory(const query_job *job)
{
    return pc_context_fail(job->context, PC_ERR_MEMORY, "no memory to print the answer");
}

/* Takes note of how many digits of doubles hold. */
static void note_error(query_job *job, const pc_plan_info *plan)
{
    if (plan->arithmetic != PC_FLOAT)
        return;
    job->relative_error = fmax(job->relative_error, plan->relative_error);
    job->table.digits =
        cli_digits_of(job->relative_error, job->options->query.paths != PC_PATHS_MARKOV);
}

/* Whether there is memory for the first column of sums, as text. Counts grow with their length, so each has half the
 * digits of the last ones. */
static pc_status check_starting(const query_job *job, const pc_plan_info *plan)
{
    const double decimal_digits = 0.302; /* of a bit */
    bool each = job->options->query.each;
    double n_lines = (double)plan->n_vertices * (each ? (double)plan->length : 1);
    double bytes = n_lines * (2 + plan->bound_bits * decimal_digits * (each ? 0.5 : 1));
    if (bytes <= (double)plan->memory_available_bytes)
        return PC_OK;
    char message[256];
    snprintf(message, sizeof message,
             "the paths that start at each vertex would be about %.0f MB of text, which are kept "
             "until those that end there are known, and there are %.0f MB; ask for --total, or for "
             "fewer lengths",
             bytes / 1e6, (double)plan->memory_available_bytes / 1e6);
    return pc_context_fail(job->context, PC_ERR_MEMORY, message);
}

/* Answers a query, with its plan before and its times after it where they are wanted. The rows go to
 * take or, of a matrix, to a reduction. */
static pc_status run_query(query_job *job, const pc_query *query, pc_reduction *reduction,
                           pc_answer_fn take)
{
    bool explains = job->options->running.explain;
    pc_plan *plan = NULL;
    pc_status status = cli_plan_create(job->context, job->graph, query, &job->options->count,
                                       job->options->running.is_quiet, &plan);
    if (status == PC_OK && explains)
        cli_explain_plan(stderr, pc_plan_get_info(plan));
    if (status == PC_OK)
        note_error(job, pc_plan_get_info(plan));
    if (status == PC_OK && job->starting != NULL && query->kind == PC_QUERY_STARTS)
        status = check_starting(job, pc_plan_get_info(plan));
    if (status == PC_OK)
        status = reduction != NULL ? pc_plan_reduce(plan, &reduction, 1, take, job)
                                   : pc_plan_run(plan, take, job);
    if (status == PC_OK)
        cli_tell_of_run(pc_plan_get_info(plan), explains);
    pc_plan_free(plan);
    return status;
}

/* ---- Lines ----------------------------------------------------------------------------------- */

/* A line: the length if there is one for each, one or two vertices, one or two counts. */
static pc_status print(query_job *job, uint64_t length, uint64_t first, uint64_t second,
                       const char *before, const char *count)
{
    const pc_labels *labels = pc_graph_labels(job->graph);
    const char *cells[CLI_QUERY_COLUMNS] = {NULL};
    char length_text[24], *label[2] = {NULL, NULL};
    size_t n = 0;
    if (job->options->query.each) {
        snprintf(length_text, sizeof length_text, "%" PRIu64, length);
        cells[n++] = length_text;
    }
    if (first != CLI_NO_VERTEX)
        cells[n++] = label[0] = cli_label_raw(labels, first);
    if (second != CLI_NO_VERTEX)
        cells[n++] = label[1] = cli_label_raw(labels, second);
    if (before != NULL)
        cells[n++] = before;
    cells[n++] = count;
    pc_status status = PC_OK;
    for (size_t c = 0; c < n; c++)
        if (cells[c] == NULL)
            status = out_of_memory(job);
    if (status == PC_OK)
        status = cli_query_table_add(&job->table, cells);
    if (status == PC_ERR_CERTIFY)
        status = cli_text_check_fail(job->context, count);
    else if (status != PC_OK)
        status = out_of_memory(job);
    free(label[0]);
    free(label[1]);
    return status;
}

/* The vertices that entry (row, column) of an answer stands for. */
static void place(const void *user, uint64_t row, uint64_t column, uint64_t vertices[2])
{
    const query_job *job = user;
    uint64_t *first = &vertices[0], *second = &vertices[1];
    *first = *second = CLI_NO_VERTEX;
    switch (job->options->query.question) {
    case CLI_ASK_FROM:
        *first = job->vertices.from[row];
        *second = column;
        break;
    case CLI_ASK_TO:
        *first = column;
        *second = job->vertices.to[row];
        break;
    case CLI_ASK_PAIRS:
        *first = job->vertices.from[row];
        *second = job->vertices.to[row];
        break;
    case CLI_ASK_CLOSED:
        *first = row;
        break;
    default:
        break;
    }
}

/* Entries one by one: as JSON, or as a number alone. */
static pc_status print_entries(query_job *job, uint64_t length, const pc_rows *rows)
{
    pc_status status = PC_OK;
    for (uint64_t e = 0; e < rows->n_rows * rows->n_columns && status == PC_OK; e++) {
        uint64_t vertices[2];
        place(job, rows->first_row + e / rows->n_columns, e % rows->n_columns, vertices);
        status = print(job, length, vertices[0], vertices[1], NULL,
                       cli_query_table_count(&job->table, rows, e));
    }
    return status;
}

static pc_status take_entries(void *user, uint64_t length, const pc_rows *rows)
{
    query_job *job = user;
    char length_text[24];
    snprintf(length_text, sizeof length_text, "%" PRIu64, length);
    cli_query_lines lines = {.context = job->context,
                             .labels = pc_graph_labels(job->graph),
                             .table = &job->table,
                             .length = job->options->query.each ? length_text : NULL,
                             .place = place,
                             .user = job};
    bool has_lines = !job->table.is_json && !job->table.is_bare;
    pc_status status =
        has_lines ? cli_query_lines_print(&lines, rows) : print_entries(job, length, rows);
    bool is_total = job->options->query.question == CLI_ASK_TOTAL;
    if (status == PC_OK && is_total && cli_query_table_count(&job->table, rows, 0) == NULL)
        status = out_of_memory(job);
    if (status == PC_OK && is_total) /* of the last length so far */
        cli_shorten_number(job->table.text, CLI_FACT_BYTES, job->facts->total);
    return status;
}

/* ---- Sums: two columns from two queries, or from one ----------------------------------------- */

static pc_status keep_starting(void *user, uint64_t length, const pc_rows *rows)
{
    query_job *job = user;
    (void)length;
    for (uint64_t e = 0; e < rows->n_rows; e++) {
        const char *text = cli_query_table_count(&job->table, rows, e);
        if (text == NULL || fprintf(job->starting, "%s\n", text) < 0)
            return out_of_memory(job);
    }
    return PC_OK;
}

static pc_status join_ending(void *user, uint64_t length, const pc_rows *rows)
{
    query_job *job = user;
    pc_status status = PC_OK;
    for (uint64_t e = 0; e < rows->n_rows && status == PC_OK; e++) {
        char *line = job->next_starting, *end = strchr(line, '\n');
        *end = '\0';
        job->next_starting = end + 1;
        status = print(job, length, rows->first_row + e, CLI_NO_VERTEX, line,
                       cli_query_table_count(&job->table, rows, e));
    }
    return status;
}

/* As many paths end at a vertex as start there. */
static pc_status print_twice(void *user, uint64_t length, const pc_rows *rows)
{
    query_job *job = user;
    pc_status status = PC_OK;
    for (uint64_t e = 0; e < rows->n_rows && status == PC_OK; e++) {
        const char *text = cli_query_table_count(&job->table, rows, e);
        status = print(job, length, rows->first_row + e, CLI_NO_VERTEX, text, text);
    }
    return status;
}

static pc_status answer_sums(query_job *job, pc_query *query)
{
    pc_graph_info info;
    pc_graph_get_info(job->graph, &info);
    query->kind = PC_QUERY_STARTS;
    if (cli_paths_are_symmetric(query->paths, !info.directed))
        return run_query(job, query, NULL, print_twice);
    job->starting = open_memstream(&job->starting_text, &job->starting_bytes);
    if (job->starting == NULL)
        return out_of_memory(job);
    pc_status status = run_query(job, query, NULL, keep_starting);
    /* Without memory at the end there is no text, and no error either. */
    if ((fclose(job->starting) != 0 || job->starting_text == NULL) && status == PC_OK)
        status = out_of_memory(job);
    if (status != PC_OK)
        return status;
    job->next_starting = job->starting_text;
    query->kind = PC_QUERY_ENDS;
    return run_query(job, query, NULL, join_ending);
}

/* ---- The largest pairs ----------------------------------------------------------------------- */

static pc_status print_pairs(query_job *job, const pc_summary_values *values)
{
    pc_status status = PC_OK;
    if (values->largest_bits > job->table.bits)
        job->table.bits = values->largest_bits;
    for (uint64_t i = 0; i < values->n_pairs && status == PC_OK; i++) {
        const pc_pair *pair = &values->pairs[i];
        char shown[CLI_DIGITS_BYTES];
        status =
            print(job, job->options->length, pair->from, pair->to, NULL,
                  job->table.is_json ? pair->count
                                     : cli_shown_digits(job->table.digits, pair->count, shown));
    }
    return status;
}

/* The largest counts of one row. */
static pc_status print_row(query_job *job, const pc_frame *frame, const pc_rows *row)
{
    pc_reduction *summary = NULL;
    pc_summary_values values;
    pc_status status = pc_summary_create(job->context, frame, job->options->query.n_top, &summary);
    if (status == PC_OK)
        status = pc_reduction_add(summary, row);
    if (status == PC_OK)
        status = pc_summary_get(summary, &values);
    if (status == PC_OK)
        status = print_pairs(job, &values);
    pc_reduction_free(summary);
    return status;
}

static pc_status take_each_row(void *user, uint64_t length, const pc_rows *rows)
{
    query_job *job = user;
    const pc_labels *labels = pc_graph_labels(job->graph);
    pc_frame frame = {.rows = labels, .columns = labels, .n_limbs = rows->n_limbs};
    pc_status status = PC_OK;
    (void)length;
    for (uint64_t i = 0; i < rows->n_rows && status == PC_OK; i++) {
        pc_rows row = *rows;
        row.first_row += i;
        row.n_rows = 1;
        if (rows->limbs != NULL)
            row.limbs += i * rows->n_columns * rows->n_limbs;
        else
            row.values += i * rows->n_columns;
        status = print_row(job, &frame, &row);
    }
    return status;
}

static pc_status answer_top(query_job *job, const pc_query *query)
{
    const pc_labels *labels = pc_graph_labels(job->graph);
    pc_graph_info info;
    pc_graph_get_info(job->graph, &info);
    pc_frame frame = {.rows = labels,
                      .columns = labels,
                      .symmetric = cli_paths_are_symmetric(query->paths, !info.directed)};
    pc_query matrix = {.kind = PC_QUERY_MATRIX, .paths = query->paths, .length = query->length};
    pc_reduction *summary = NULL;
    pc_summary_values values;
    pc_status status = pc_summary_create(job->context, &frame, job->options->query.n_top, &summary);
    if (status == PC_OK)
        status = run_query(job, &matrix, summary, NULL);
    if (status == PC_OK)
        status = pc_summary_get(summary, &values);
    if (status == PC_OK)
        status = print_pairs(job, &values);
    pc_reduction_free(summary);
    return status;
}

/* ---- Centralities ---------------------------------------------------------------------------- */

/* --katz and --subgraph-centrality: a line for each vertex, and what was cut off. */

typedef struct centrality_job {
    pc_context *context;
    const pc_graph *graph;
    const cli_count_options *options;
    double *value; /* [n] */
    double remainder;
    double relative_error; /* of the roundings */
    cli_query_table table;
} centrality_job;

static bool is_katz(const centrality_job *job)
{
    return job->options->query.question == CLI_ASK_KATZ;
}

static pc_status centrality_out_of_memory(const centrality_job *job)
{
    return pc_context_fail(job->context, PC_ERR_MEMORY, "no memory to print the answer");
}

static pc_status sum_up(centrality_job *job)
{
    uint64_t length = job->options->length, n = pc_graph_n_vertices(job->graph);
    job->value = calloc(n + 1, sizeof *job->value);
    if (job->value == NULL)
        return centrality_out_of_memory(job);
    return is_katz(job) ? pc_katz(job->context, job->graph, job->options->query.beta, length,
                                  job->value, &job->remainder)
                        : pc_subgraph_centrality(job->context, job->graph, length, job->value,
                                                 &job->remainder);
}

/* Valid until the next number. */
static const char *number_text(centrality_job *job, const double *value)
{
    pc_rows rows = {.n_rows = 1, .n_columns = 1, .values = value};
    return cli_query_table_count(&job->table, &rows, 0);
}

static pc_status print_lines(centrality_job *job)
{
    const pc_labels *labels = pc_graph_labels(job->graph);
    pc_status status = PC_OK;
    for (uint64_t v = 0; v < pc_labels_count(labels) && status == PC_OK; v++) {
        char *label = cli_label_raw(labels, v);
        const char *cells[] = {label, number_text(job, &job->value[v])};
        bool is_whole = cells[0] != NULL && cells[1] != NULL;
        if (!is_whole || cli_query_table_add(&job->table, cells) != PC_OK)
            status = centrality_out_of_memory(job);
        free(label);
    }
    return status;
}

/* Prints a limit of what longer paths would add, rounded up to three digits. */
static void print_note(const centrality_job *job)
{
    fprintf(stderr, "lengths beyond %" PRIu64 ": ", job->options->length);
    if (job->remainder == 0)
        fputs("nothing is left out\n", stderr);
    else if (isfinite(job->remainder))
        fprintf(stderr, "they would add at most %.3g to each value\n", job->remainder * 1.006);
    else if (is_katz(job))
        fputs("no limit of what is left out: with this BETA the sum may be infinite\n", stderr);
    else
        fputs("no limit of what is left out: ask for more lengths\n", stderr);
    fputs("digits that hold: ", stderr);
    cli_print_digits(stderr, job->relative_error);
    fputc('\n', stderr);
}

static pc_status centrality_print_json(centrality_job *job)
{
    const cli_count_options *options = job->options;
    pc_graph_info info;
    pc_graph_get_info(job->graph, &info);
    json_t *beta = is_katz(job) ? json_string(number_text(job, &options->query.beta)) : json_null();
    json_t *remainder =
        isfinite(job->remainder) ? json_string(number_text(job, &job->remainder)) : json_null();
    json_t *answers = job->table.answers != NULL ? json_incref(job->table.answers) : json_array();
    json_t *root =
        json_pack("{s:o, s:o, s:o, s:o}", "beta", beta, "remainder", remainder, "relative_error",
                  cli_json_error(job->relative_error), "answers", answers);
    root = cli_json_behind(cli_json_head("count", options, &info), root);
    return cli_json_print(stdout, root) == PC_OK ? PC_OK : centrality_out_of_memory(job);
}

/* Prints the centrality that the options ask for. */
static pc_status centrality_answer(pc_context *context, const pc_graph *graph,
                                   const cli_count_options *options, cli_progress *progress)
{
    centrality_job job = {.context = context,
                          .graph = graph,
                          .options = options,
                          .relative_error = pc_series_error(graph, options->length),
                          .table = {.columns = {"vertex", "centrality"},
                                    .n_columns = 2,
                                    .is_json = options->output.json}};
    job.table.digits = cli_digits_of(job.relative_error, false);
    double start_seconds = cli_now_seconds();
    pc_status status = sum_up(&job);
    cli_progress_end(progress);
    if (status == PC_OK)
        status = print_lines(&job);
    if (status == PC_OK && options->output.json)
        status = centrality_print_json(&job);
    if (status == PC_OK)
        cli_query_table_end(&job.table);
    if (status == PC_OK && !options->running.is_quiet)
        print_note(&job);
    if (status == PC_OK && options->running.explain)
        fprintf(stderr, "query: %.3f s\n", cli_now_seconds() - start_seconds);
    cli_query_table_free(&job.table);
    free(job.value);
    return status;
}

/* ---- All of them ----------------------------------------------------------------------------- */

static pc_status answer(query_job *job)
{
    const cli_query_options *asked = &job->options->query;
    pc_query query = {.paths = asked->paths,
                      .length = job->options->length,
                      .n_asked = job->vertices.n,
                      .from = job->vertices.from,
                      .to = job->vertices.to,
                      .each = asked->each,
                      .up_to = asked->up_to};
    switch (asked->question) {
    case CLI_ASK_FROM:
        query.kind = PC_QUERY_FROM;
        break;
    case CLI_ASK_TO:
        query.kind = PC_QUERY_TO;
        break;
    case CLI_ASK_PAIRS:
        query.kind = PC_QUERY_PAIRS;
        break;
    case CLI_ASK_TOTAL:
        query.kind = PC_QUERY_TOTAL;
        break;
    case CLI_ASK_CLOSED:
        query.kind = PC_QUERY_CLOSED;
        break;
    case CLI_ASK_SUMS:
        return answer_sums(job, &query);
    case CLI_ASK_TRACE:
        query.kind = PC_QUERY_TRACE;
        break;
    case CLI_ASK_TOP:
        return answer_top(job, &query);
    case CLI_ASK_TOP_EACH:
        query.kind = PC_QUERY_MATRIX;
        return run_query(job, &query, NULL, take_each_row);
    case CLI_ASK_MATRIX:
    case CLI_ASK_KATZ:
    case CLI_ASK_SUBGRAPH:
        break;
    }
    return run_query(job, &query, NULL, take_entries);
}

static void set_columns(query_job *job)
{
    const cli_query_options *asked = &job->options->query;
    const cli_path_kind *kind = cli_path_kind_of(asked->paths);
    const char *entry = cli_entry_of(asked->paths, asked->up_to), *sum = kind->sum;
    const char *const columns[][3] = {
        [CLI_ASK_FROM] = {"from", "to", entry},
        [CLI_ASK_TO] = {"from", "to", entry},
        [CLI_ASK_PAIRS] = {"from", "to", entry},
        [CLI_ASK_TOTAL] = {sum},
        [CLI_ASK_SUMS] = {"vertex", "starting", "ending"},
        [CLI_ASK_CLOSED] = {"vertex", entry},
        [CLI_ASK_TRACE] = {sum},
        [CLI_ASK_TOP] = {"from", "to", entry},
        [CLI_ASK_TOP_EACH] = {"from", "to", entry},
    };
    cli_query_table *table = &job->table;
    if (asked->each)
        table->columns[table->n_columns++] = "length";
    for (int c = 0; c < 3 && columns[asked->question][c] != NULL; c++)
        table->columns[table->n_columns++] = columns[asked->question][c];
    table->check = cli_text_check_for(job->options->count.n_certify_rounds);
    table->is_json = job->options->output.json;
    table->is_bare =
        !asked->each && (asked->question == CLI_ASK_TOTAL || asked->question == CLI_ASK_TRACE ||
                         (asked->question == CLI_ASK_PAIRS && job->vertices.n == 1));
}

static pc_status print_json(query_job *job)
{
    const cli_count_options *options = job->options;
    pc_graph_info info;
    pc_graph_get_info(job->graph, &info);
    bool is_float = options->count.arithmetic == PC_FLOAT;
    json_t *answers = job->table.answers != NULL ? json_incref(job->table.answers) : json_array();
    json_t *root =
        json_pack("{s:o, s:o}", "relative_error",
                  is_float ? cli_json_error(job->relative_error) : json_null(), "answers", answers);
    root = cli_json_behind(cli_json_head("count", options, &info), root);
    return cli_json_print(stdout, root) == PC_OK ? PC_OK : out_of_memory(job);
}

pc_status cli_query_answer(pc_context *context, const pc_graph *graph,
                           const cli_count_options *options, cli_progress *progress,
                           cli_count_facts *facts)
{
    query_job job = {.context = context, .graph = graph, .options = options, .facts = facts};
    if (options->query.question == CLI_ASK_KATZ || options->query.question == CLI_ASK_SUBGRAPH)
        return centrality_answer(context, graph, options, progress);
    double start_seconds = cli_now_seconds();
    pc_status status =
        cli_vertices_find(context, graph, options->input.path, &options->query, &job.vertices);
    set_columns(&job);
    if (status == PC_OK)
        status = answer(&job);
    cli_progress_end(progress);
    if (status == PC_OK && options->output.json)
        status = print_json(&job);
    if (status == PC_OK)
        cli_query_table_end(&job.table);
    if (status == PC_OK && options->running.explain)
        fprintf(stderr, "query: %.3f s\n", cli_now_seconds() - start_seconds);
    facts->bits = job.table.bits;
    cli_query_table_free(&job.table);
    cli_vertices_free(&job.vertices);
    free(job.starting_text);
    return status;
}

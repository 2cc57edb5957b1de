/* Asks the library the question of the command line, and prints the answers line by line. */
#include "src/cli/count.h"

#include "src/cli/answers.h"
#include "src/cli/json.h"
#include "src/cli/load.h"
#include "src/cli/process.h"

#include "pathcount_match.h"
#include "pathcount_time.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct query_job {
    const cli_asked *asked;
    const cli_count_options *options;
    const cli_question_kind *kind;
    cli_vertices vertices;
    cli_answers answers;
    FILE *starting; /* --sums: the first column, a line each, until the second one comes */
    char *starting_text, *next_starting;
    size_t starting_bytes;
    pc_counts *distances;  /* --shortest: what stands before the numbers */
    double relative_error; /* of the answers; the larger one of two queries */
    double remainder;      /* of a series: a limit of what longer paths would add */
} query_job;

/* ---- Plain questions ------------------------------------------------------------------------- */

/* Answers a query about walks in time; all answers are kept until they are there. */
static pc_status run_events(query_job *job, const pc_query *query, pc_answer_fn take)
{
    const cli_count_options *options = job->options;
    pc_context *context = job->asked->context;
    uint64_t n_lengths = query->each ? query->length : 1;
    pc_counts *answers = NULL;
    pc_rows rows;
    pc_status status = pc_time_walks(context, job->asked->labelled, query, options->time.wait,
                                     &options->count, &answers);
    if (status != PC_OK)
        return cli_name_input(context, &options->input, status);
    cli_progress_end(job->asked->progress);
    pc_counts_rows(answers, &rows);
    rows.n_rows /= n_lengths > 0 ? n_lengths : 1;
    for (uint64_t l = 0; l < n_lengths && status == PC_OK; l++) {
        status = take(job, query->each ? l + 1 : query->length, &rows);
        rows.limbs += rows.n_rows * rows.n_columns * rows.n_limbs;
    }
    pc_counts_free(answers);
    return status;
}

/* Answers a query, with its plan before and its times after it where they are wanted. The rows
 * go to take or, of a matrix, to a reduction. Fails where there is no memory for the first column of
 * sums, as text. Counts grow with their length, so each has half the digits of the last ones. */
static pc_status run_query(query_job *job, const pc_query *query, pc_reduction *reduction,
                           pc_answer_fn take)
{
    const double decimal_digits = 0.302; /* of a bit */
    pc_context *context = job->asked->context;
    const cli_running_options *running = &job->options->running;
    const pc_graph *graph = job->asked->graph;
    bool each = job->options->query.each;
    pc_plan *plan = NULL;
    pc_match *match = NULL;
    pc_query_kind kind = query->kind;
    pc_status status = PC_OK;
    if (job->options->time.column != NULL)
        return run_events(job, query, take);
    if (job->asked->labelled != NULL)
        status = pc_match_create(context, job->asked->labelled, job->options->query.match, query,
                                 &match);
    if (match != NULL) {
        graph = pc_match_graph(match);
        query = pc_match_query(match);
    }
    if (status == PC_OK)
        status = cli_plan_create(context, graph, query, &job->options->count, running, &plan);
    if (status != PC_OK) {
        pc_match_free(match);
        return status;
    }
    const pc_plan_info *info = pc_plan_get_info(plan);
    if (info->arithmetic == PC_FLOAT) {
        job->relative_error = fmax(job->relative_error, info->relative_error);
        job->answers.digits =
            cli_digits_of(job->relative_error, job->options->query.paths != PC_PATHS_MARKOV);
    }
    double bytes = (double)info->n_vertices * (each ? (double)info->length : 1) *
                   (2 + info->bound_bits * decimal_digits * (each ? 0.5 : 1));
    if (job->starting != NULL && kind == PC_QUERY_STARTS &&
        bytes > (double)info->memory_available_bytes) {
        char message[256];
        snprintf(message, sizeof message,
                 "the paths that start at each vertex would be about %.0f MB of text, which are "
                 "kept until those that end there are known, and there are %.0f MB; ask for "
                 "--total, or for fewer lengths",
                 bytes / 1e6, (double)info->memory_available_bytes / 1e6);
        status = pc_context_fail(context, PC_ERR_MEMORY, message);
    }
    if (status == PC_OK)
        status = pc_plan_run(plan, &reduction, reduction != NULL, take, job);
    if (status == PC_OK)
        cli_tell_of_run(info, running->explain);
    pc_plan_free(plan);
    pc_match_free(match);
    return status;
}

/* The vertex in one of the two places before entry (row, column) of an answer. */
static uint64_t vertex_at(cli_place place, const uint64_t *asked, uint64_t row, uint64_t column)
{
    return place == CLI_ASKED    ? asked[row]
           : place == CLI_ROW    ? row
           : place == CLI_COLUMN ? column
                                 : CLI_NO_VERTEX;
}

static void place(const void *user, uint64_t row, uint64_t column, uint64_t vertices[2])
{
    const query_job *job = user;
    if (job->options->query.match != NULL && /* entries of rows come one by one */
        (job->kind->first == CLI_COLUMN || job->kind->second == CLI_COLUMN)) {
        uint64_t n = pc_graph_n_vertices(job->asked->graph);
        column = row % n;
        row /= n;
    }
    vertices[0] = vertex_at(job->kind->first, job->vertices.from, row, column);
    vertices[1] = vertex_at(job->kind->second, job->vertices.to, row, column);
}

static pc_status take_entries(void *user, uint64_t length, const pc_rows *rows)
{
    query_job *job = user;
    pc_status status = cli_answers_take(&job->answers, length, rows);
    if (status == PC_OK &&
        job->options->query.question == CLI_ASK_TOTAL) /* the last length so far */
        cli_shorten_number(cli_answers_text(&job->answers, rows, 0), CLI_FACT_BYTES,
                           job->asked->facts->total);
    return status;
}

/* ---- Sums: two columns from two queries, or from one ----------------------------------------- */

static pc_status keep_starting(void *user, uint64_t length, const pc_rows *rows)
{
    query_job *job = user;
    (void)length;
    for (uint64_t e = 0; e < rows->n_rows; e++)
        fprintf(job->starting, "%s\n", cli_answers_text(&job->answers, rows, e));
    return ferror(job->starting) ? PC_ERR_MEMORY : PC_OK;
}

/* Prints both columns. A first column that was not kept is the same as the second one: as many
 * paths end at a vertex as start there. */
static pc_status take_ending(void *user, uint64_t length, const pc_rows *rows)
{
    query_job *job = user;
    pc_status status = PC_OK;
    for (uint64_t e = 0; e < rows->n_rows && status == PC_OK; e++) {
        const uint64_t vertices[] = {rows->first_row + e, CLI_NO_VERTEX};
        const char *ending = cli_answers_text(&job->answers, rows, e), *starting = ending;
        if (job->next_starting != NULL) {
            starting = job->next_starting;
            job->next_starting = strchr(starting, '\n');
            *job->next_starting++ = '\0';
        }
        status = cli_answers_add(&job->answers, length, vertices, starting, ending);
    }
    return status;
}

static pc_status answer_sums(query_job *job, pc_query *query)
{
    if (job->asked->labelled == NULL &&
        cli_paths_are_symmetric(query->paths, !job->asked->facts->graph.directed))
        return run_query(job, query, NULL, take_ending);
    job->starting = cli_need(open_memstream(&job->starting_text, &job->starting_bytes));
    pc_status status = run_query(job, query, NULL, keep_starting);
    fclose(job->starting);
    if (status != PC_OK)
        return status;
    job->next_starting = cli_need(job->starting_text); /* NULL without memory at the end */
    query->kind = PC_QUERY_ENDS;
    return run_query(job, query, NULL, take_ending);
}

/* ---- Shortest paths: their length stands before their number --------------------------------- */

static pc_status answer_shortest(query_job *job, const pc_query *query)
{
    pc_context *context = job->asked->context;
    pc_query of_distances = *query;
    pc_plan *plan = NULL;
    pc_rows rows;
    of_distances.paths = PC_PATHS_DISTANCE;
    pc_status status =
        pc_plan_create(context, job->asked->graph, &of_distances, &job->options->count, &plan);
    if (status == PC_OK)
        status = pc_plan_collect(plan, &job->distances);
    pc_plan_free(plan);
    if (status != PC_OK)
        return status;
    pc_counts_rows(job->distances, &rows);
    job->answers.distances = rows.limbs;
    return run_query(job, query, NULL, take_entries);
}

/* ---- The largest pairs ----------------------------------------------------------------------- */

/* Prints the largest counts of a row or, where it is NULL, of the matrix of a query. */
static pc_status print_largest(query_job *job, const pc_query *query, const pc_rows *row)
{
    const pc_labels *labels = pc_graph_labels(job->asked->graph);
    pc_reduction *summary = NULL;
    pc_summary_values values = {0};
    pc_frame frame = {.rows = labels, .columns = labels};
    if (row != NULL)
        frame.n_limbs = row->n_limbs;
    else
        frame.symmetric = cli_paths_are_symmetric(query->paths, !job->asked->facts->graph.directed);
    pc_status status =
        pc_summary_create(job->asked->context, &frame, job->options->query.n_top, &summary);
    if (status == PC_OK)
        status =
            row != NULL ? pc_reduction_add(summary, row) : run_query(job, query, summary, NULL);
    if (status == PC_OK)
        status = pc_summary_get(summary, &values);
    if (status == PC_OK && values.largest_bits > job->answers.bits)
        job->answers.bits = values.largest_bits;
    for (uint64_t i = 0; status == PC_OK && i < values.n_pairs; i++) {
        const pc_pair *pair = &values.pairs[i];
        char shown[CLI_DIGITS_BYTES];
        status = cli_answers_add(
            &job->answers, job->options->length, (const uint64_t[]){pair->from, pair->to}, NULL,
            job->answers.is_json ? pair->count
                                 : cli_shown_digits(job->answers.digits, pair->count, shown));
    }
    pc_reduction_free(summary);
    return status;
}

static pc_status take_each_row(void *user, uint64_t length, const pc_rows *rows)
{
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
        status = print_largest(user, NULL, &row);
    }
    return status;
}

/* ---- Series: a sum of doubles for each vertex ------------------------------------------------ */

static bool is_katz(const query_job *job)
{
    return job->options->query.question == CLI_ASK_KATZ;
}

static pc_status answer_series(query_job *job, pc_query *query)
{
    uint64_t length = query->length, n = pc_graph_n_vertices(job->asked->graph);
    double *values = cli_need(calloc(n + 1, sizeof *values));
    pc_status status = pc_centrality(job->asked->context, job->asked->graph,
                                     is_katz(job) ? PC_CENTRALITY_KATZ : PC_CENTRALITY_SUBGRAPH,
                                     job->options->query.beta, length, values, &job->remainder,
                                     &job->relative_error);
    job->answers.digits = cli_digits_of(job->relative_error, false);
    cli_progress_end(job->asked->progress);
    pc_rows rows = {.n_rows = n, .n_columns = 1, .values = values};
    if (status == PC_OK)
        status = cli_answers_take(&job->answers, length, &rows);
    free(values);
    return status;
}

static json_t *real_text(query_job *job, double value)
{
    pc_rows rows = {.n_rows = 1, .n_columns = 1, .values = &value};
    return json_string(cli_answers_text(&job->answers, &rows, 0));
}

/* Prints a limit of what longer paths would add, rounded up to three digits. */
static void print_note(const query_job *job)
{
    fprintf(stderr, "lengths beyond %" PRIu64 ": ", job->options->length);
    if (job->remainder == 0)
        fputs("nothing is left out\n", stderr);
    else if (isfinite(job->remainder))
        fprintf(stderr, "they would add at most %.3g to each value\n", job->remainder * 1.006);
    else
        fprintf(stderr, "no limit of what is left out: %s\n",
                is_katz(job) ? "with this BETA the sum may be infinite" : "ask for more lengths");
    fprintf(stderr, "digits that hold: %s\n", cli_held_digits(job->relative_error).text);
}

/* ---- All of them ----------------------------------------------------------------------------- */

static pc_status answer(query_job *job)
{
    const cli_query_options *asked = &job->options->query;
    pc_query query = cli_query_of(asked, job->options->length, &job->vertices);
    if (cli_tells_distances(asked->question, asked->paths))
        return answer_shortest(job, &query);
    switch (asked->question) {
    case CLI_ASK_SUMS:
        return answer_sums(job, &query);
    case CLI_ASK_TOP:
        return print_largest(job, &query, NULL);
    case CLI_ASK_TOP_EACH:
        return run_query(job, &query, NULL, take_each_row);
    default:
        return job->kind->numbers == CLI_SERIES ? answer_series(job, &query)
                                                : run_query(job, &query, NULL, take_entries);
    }
}

static void print_json(query_job *job)
{
    const cli_count_options *options = job->options;
    json_t *members = json_object();
    bool is_series = job->kind->numbers == CLI_SERIES;
    bool is_rounded = is_series || options->count.arithmetic == PC_FLOAT;
    if (is_series) {
        json_object_set_new(members, "beta",
                            is_katz(job) ? real_text(job, options->query.beta) : json_null());
        json_object_set_new(members, "remainder",
                            isfinite(job->remainder) ? real_text(job, job->remainder)
                                                     : json_null());
    }
    json_object_set_new(members, "relative_error",
                        is_rounded ? cli_json_error(job->relative_error) : json_null());
    cli_json_print_answers("count", options, job->asked->graph, members, job->answers.lines);
}

pc_status cli_query_answer(const cli_asked *asked)
{
    const cli_count_options *options = asked->options;
    const cli_query_options *query = &options->query;
    query_job job = {
        .asked = asked, .options = options, .kind = cli_question_kind_of(query->question)};
    cli_answers *answers = &job.answers;
    bool is_series = job.kind->numbers == CLI_SERIES;
    double start_seconds = cli_now_seconds();
    pc_status status =
        cli_vertices_find(asked->context, asked->graph, options->input.path, query, &job.vertices);
    *answers = (cli_answers){.context = asked->context,
                             .labels = pc_graph_labels(asked->graph),
                             .place = place,
                             .user = &job,
                             .columns = {"length"},
                             .n_columns = query->each,
                             .has_length = query->each,
                             .is_json = options->output.json};
    answers->n_columns += cli_question_heads(query->question, query->paths, query->up_to,
                                             answers->columns + answers->n_columns);
    if (!is_series)
        answers->check = cli_text_check_for(options->count.n_certify_rounds);
    answers->is_bare = !query->each && !cli_tells_distances(query->question, query->paths) &&
                       (job.kind->is_sum || (job.kind->takes_pairs && job.vertices.n == 1));
    if (status == PC_OK)
        status = answer(&job);
    cli_progress_end(asked->progress);
    if (status == PC_OK && options->output.json)
        print_json(&job);
    if (status == PC_OK)
        cli_answers_end(answers);
    if (status == PC_OK && is_series && !options->running.is_quiet)
        print_note(&job);
    if (status == PC_OK && options->running.explain)
        fprintf(stderr, "query: %.3f s\n", cli_now_seconds() - start_seconds);
    asked->facts->bits = answers->bits;
    cli_answers_free(answers);
    cli_vertices_free(&job.vertices);
    pc_counts_free(job.distances);
    free(job.starting_text);
    return status;
}

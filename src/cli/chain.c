/* `pathcount chain`: reads relations, multiplies them, answers. --power takes the product as a
 * graph, counts its paths, and answers as `pathcount count` does. */
#include "src/cli/chain_options.h"
#include "src/cli/json.h"
#include "src/cli/load.h"
#include "src/cli/main.h"
#include "src/cli/process.h"
#include "src/cli/outputs.h"
#include "src/cli/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct chain_job {
    cli_chain_options options;
    cli_progress *progress;
    pc_context *context;
    pc_relation **read;    /* [n_factors]: read for the factor; NULL: the same as for one before */
    pc_relation **factors; /* [n_factors] */
    int *transposed;       /* [n_factors] as for pc_chain_create */
    pc_chain *chain;
    pc_chain_info info;
    pc_graph *graph; /* with --power */
    pc_plan *plan;   /* ... of its power */
    cli_outputs outputs;
    double start_seconds, read_seconds;
} chain_job;

static bool has_power(const chain_job *job)
{
    return job->options.count.has_length;
}

static bool has_ways(const chain_job *job)
{
    return job->options.simple || job->options.damping > 0;
}

static bool is_real(const chain_job *job)
{
    return job->options.pathsim || job->options.damping > 0;
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* Finds the relation of factor f: one that is there already, or from its file. */
static pc_status load_factor(chain_job *job, uint32_t f)
{
    const cli_factor *factors = job->options.factors;
    const char *path = factors[f].path;
    pc_relation_info info;
    uint32_t same = 0;
    job->transposed[f] = factors[f].is_transposed;
    while (same < f && strcmp(factors[same].path, path) != 0)
        same++;
    job->factors[f] = job->factors[same];
    if (same < f)
        return PC_OK;
    pc_status status =
        pc_relation_read(job->context, path, &job->options.count.input.graph, &job->read[f]);
    cli_progress_end(job->progress);
    if (status != PC_OK) /* a number in the file is too large: that is an error of the file */
        return status == PC_ERR_RANGE ? PC_ERR_DATA : status;
    job->factors[f] = job->read[f];
    if (job->options.count.running.is_quiet)
        return PC_OK;
    pc_relation_get_info(job->read[f], &info);
    fprintf(stderr, "%s: %s, %s, %s", cli_shown_path(path),
            cli_number_of(pc_labels_count(info.rows), "row", "rows").text,
            cli_number_of(pc_labels_count(info.columns), "column", "columns").text,
            cli_number_of(info.n_entries, "entry", "entries").text);
    if (info.n_duplicates > 0)
        fprintf(stderr, ", %s %s", cli_number_of(info.n_duplicates, "duplicate", "duplicates").text,
                info.duplicates_added ? "added" : "dropped");
    fprintf(stderr, "%s%s%s\n",
            info.weights_ignored ? ", weights ignored (--weights takes them)" : "",
            info.note != NULL ? ", " : "", info.note != NULL ? info.note : "");
    return PC_OK;
}

static pc_status load_chain(chain_job *job)
{
    const cli_running_options *running = &job->options.count.running;
    const pc_chain_info *info = &job->info;
    uint32_t n = job->options.n_factors;
    pc_status status = PC_OK;
    job->start_seconds = cli_now_seconds();
    job->read = calloc(n, sizeof(pc_relation *));
    job->factors = calloc(n, sizeof(pc_relation *));
    job->transposed = calloc(n, sizeof(int));
    if (job->read == NULL || job->factors == NULL || job->transposed == NULL)
        return PC_ERR_MEMORY;
    for (uint32_t f = 0; f < n && status == PC_OK; f++)
        status = load_factor(job, f);
    job->read_seconds = cli_now_seconds() - job->start_seconds;
    if (status == PC_OK)
        status = pc_chain_create(job->context, n, (const pc_relation *const *)job->factors,
                                 job->transposed, job->options.allow_missing,
                                 job->options.count.count.n_certify_rounds, &job->chain);
    cli_progress_end(job->progress);
    if (status != PC_OK)
        return status;
    pc_chain_get_info(job->chain, &job->info);
    if (n > 2 && !running->is_quiet && !has_ways(job))
        fprintf(stderr, "order %s: about %.3g multiplications, %.3g from left to right\n",
                info->order, info->n_multiplications, info->n_left_to_right);
    if (running->explain && !running->is_quiet)
        fprintf(stderr, "entries at most 2^%.2f (proved), integers of %" PRIu32 " bits\n",
                info->bound_bits, 64 * info->n_limbs);
    return PC_OK;
}

/* ---- Multiplying ----------------------------------------------------------------------------- */

/* Summary, table and file: all that takes rows. */
static pc_status prepare(chain_job *job)
{
    const cli_count_options *count = &job->options.count;
    cli_outputs *outputs = &job->outputs;
    bool pathsim = job->options.pathsim;
    pc_frame frame = {.rows = job->info.rows,
                      .columns = job->info.columns,
                      .n_limbs = is_real(job) ? 0 : job->info.n_limbs,
                      .symmetric = cli_chain_is_symmetric(&job->options),
                      .entry = pathsim ? "similarity" : "ways"};
    pc_status status = PC_OK;
    if (has_power(job)) {
        pc_query query = {.kind = PC_QUERY_MATRIX, .length = count->length};
        status = pc_chain_graph(job->chain, &job->graph);
        if (status == PC_OK)
            status = pc_plan_create(job->context, job->graph, &query, &count->count, &job->plan);
        if (status != PC_OK)
            return status;
        const pc_plan_info *plan = pc_plan_get_info(job->plan);
        if (count->running.explain)
            cli_explain_plan(plan, count->running.explain > 1);
        pc_graph_info graph;
        pc_graph_get_info(job->graph, &graph);
        frame.rows = frame.columns = pc_graph_labels(job->graph);
        frame.n_limbs = plan->n_limbs;
        frame.symmetric = !graph.directed;
    }
    status = cli_outputs_prepare(outputs, job->context, count, &frame);
    for (size_t i = 0; i < count->output.n && status == PC_OK; i++) {
        cli_clean_beside(count->output.list[i].path);
        status = cli_file_open(&outputs->files[outputs->n_files++], job->context,
                               &count->output.list[i], &frame, NULL);
    }
    return status;
}

/* The summary of similarities leaves out that of each row to itself, which is 1. */
static pc_status add_similarities(const chain_job *job, const pc_rows *rows)
{
    size_t bytes = rows->n_rows * rows->n_columns * sizeof *rows->values;
    double *values = malloc(bytes + 1);
    if (values == NULL)
        return PC_ERR_MEMORY;
    memcpy(values, rows->values, bytes);
    for (uint64_t i = 0; i < rows->n_rows; i++)
        values[i * rows->n_columns + rows->first_row + i] = 0;
    pc_rows others = *rows;
    others.values = values;
    pc_status status = pc_reduction_add(job->outputs.summary, &others);
    free(values);
    return status;
}

static pc_status take_rows(void *user, const pc_rows *rows)
{
    chain_job *job = user;
    pc_status status = job->options.pathsim ? add_similarities(job, rows)
                                            : pc_reduction_add(job->outputs.summary, rows);
    return status == PC_OK ? cli_outputs_take(&job->outputs, rows) : status;
}

static pc_status take_power(void *user, uint64_t length, const pc_rows *rows)
{
    chain_job *job = user;
    (void)length;
    return cli_outputs_take(&job->outputs, rows);
}

/* ---- Answering ------------------------------------------------------------------------------- */

/* The text of a number as it is shown: a similarity with four decimals, a damped number with six digits. */
static const char *shown_number(const void *user, const char *text, char *shown)
{
    const chain_job *job = user;
    if (!is_real(job))
        return text;
    snprintf(shown, CLI_DIGITS_BYTES, job->options.pathsim ? "%.4f" : "%.6g", strtod(text, NULL));
    return shown;
}

static void print_text(const chain_job *job, const pc_summary_values *values, double total_seconds)
{
    const pc_chain_info *info = &job->info;
    bool pathsim = job->options.pathsim;
    double n_pairs = (double)info->n_rows * (double)info->n_columns;
    cli_print_fact("product", "%s", job->options.product);
    cli_print_fact("rows, columns", "%" PRIu64 ", %" PRIu64, info->n_rows, info->n_columns);
    if (job->options.damping > 0)
        cli_print_fact("error at most", "%.2g", info->error);
    if (!is_real(job)) {
        char *most =
            values->n_nonzero > 0 ? cli_label_shown(info->rows, values->largest_row) : NULL;
        cli_print_fact("all ways", "%s", values->total);
        cli_print_fact("most from one row", "%s%s%s", values->largest_row_sum,
                       most != NULL ? ", from " : "", most != NULL ? most : "");
        cli_print_fact("largest entry", "%s (%" PRIu32 " %s)", values->largest,
                       values->largest_bits, values->largest_bits == 1 ? "bit" : "bits");
        free(most);
    }
    cli_print_fact(pathsim ? "similar pairs" : "joined pairs", "%" PRIu64 " of %.0f",
                   values->n_nonzero, n_pairs - (pathsim ? (double)info->n_rows : 0));
    cli_print_end(&job->options.count, total_seconds, "the files", job->read_seconds);
    if (values->n_pairs == 0)
        return;
    char title[64];
    snprintf(title, sizeof title, "%s%s", pathsim ? "most similar pairs" : "largest entries",
             cli_chain_is_symmetric(&job->options) ? ", each pair once" : "");
    cli_print_pairs(title, pathsim ? "similarity" : "ways", info->rows, info->columns, values,
                    shown_number, job);
}

static json_t *factors_array(const chain_job *job)
{
    json_t *array = json_array();
    for (uint32_t f = 0; f < job->options.n_factors; f++) {
        const cli_factor *given = &job->options.factors[f];
        pc_relation_info info;
        pc_relation_get_info(job->factors[f], &info);
        const pc_labels *rows = given->is_transposed ? info.columns : info.rows;
        const pc_labels *columns = given->is_transposed ? info.rows : info.columns;
        json_array_append_new(
            array,
            json_pack("{s:o, s:b, s:I, s:I, s:I}", "path", cli_json_text(given->path), "transposed",
                      given->is_transposed, "rows", (json_int_t)pc_labels_count(rows), "columns",
                      (json_int_t)pc_labels_count(columns), "entries", (json_int_t)info.n_entries));
    }
    return array;
}

/* Only numbers of ways have sums; a sum of similarities has no meaning. Numbers that may pass
 * 2^53 are strings. */
static void print_json(const chain_job *job, const pc_summary_values *values, double total_seconds)
{
    const pc_chain_info *info = &job->info;
    const cli_count_options *count = &job->options.count;
    bool pathsim = job->options.pathsim, has_most = !is_real(job) && values->n_nonzero > 0;
    json_t *options = json_pack(
        "{s:b, s:b, s:b, s:b, s:f, s:i, s:o}", "multigraph", count->input.graph.multigraph,
        "weights", count->input.graph.weights, "allow_missing", job->options.allow_missing,
        "simple", job->options.simple, "damping", job->options.damping, "certify_rounds",
        cli_json_rounds(job->options.count.count.n_certify_rounds), "output",
        cli_json_outputs(count));
    json_t *root = cli_json_behind(
        cli_json_begin("chain"),
        json_pack("{s:o, s:o, s:s, s:f, s:b, s:s, s:f, s:f, s:f, s:I, s:I}", "factors",
                  factors_array(job), "options", options, "measure", pathsim ? "pathsim" : "ways",
                  "error", info->error, "square", info->square, "order", info->order,
                  "multiplications", info->n_multiplications, "left_to_right",
                  info->n_left_to_right, "bound_bits", info->bound_bits, "rows",
                  (json_int_t)info->n_rows, "columns", (json_int_t)info->n_columns));
    cli_json_behind(
        root,
        json_pack(
            "{s:o, s:o, s:o, s:I, s:o, s:{s:f, s:f}}", "total",
            is_real(job) ? json_null() : json_string(values->total), "largest_row_sum",
            is_real(job) ? json_null() : json_string(values->largest_row_sum), "largest_row",
            has_most ? cli_json_label(info->rows, values->largest_row) : json_null(),
            "nonzero_pairs", (json_int_t)values->n_nonzero, "largest_pairs",
            cli_json_pairs(pathsim ? "similarity" : "count", info->rows, info->columns, values),
            "seconds", "read", job->read_seconds, "total", total_seconds));
    if (job->outputs.has_table) {
        json_object_set_new(root, "row_labels", cli_json_labels(info->rows));
        json_object_set_new(root, "column_labels", cli_json_labels(info->columns));
        json_object_set_new(root, "matrix", cli_json_table(&job->outputs.table));
    }
    cli_json_print(root);
}

static pc_status print_answer(chain_job *job)
{
    const cli_count_options *count = &job->options.count;
    cli_table *table = &job->outputs.table;
    pc_summary_values values;
    char shown[CLI_DIGITS_BYTES];
    pc_chain_get_info(job->chain, &job->info);
    if (cli_output_is_printed(&count->output))
        return PC_OK;
    if (!count->output.json &&
        cli_outputs_show_table(&job->outputs, count,
                               has_power(job) ? pc_plan_get_info(job->plan) : NULL)) {
        for (uint64_t e = 0; e < table->n_rows * table->n_columns && is_real(job); e++) {
            char **cell = cli_table_cell(table, e / table->n_columns, e % table->n_columns);
            char *number = cli_need(strdup(shown_number(job, *cell, shown)));
            free(*cell);
            *cell = number;
        }
        cli_outputs_print_table(table);
        return PC_OK;
    }
    if (has_power(job)) { /* as `pathcount count` answers about the graph that the product is */
        cli_result result = {.command = "chain",
                             .options = count,
                             .labels = pc_graph_labels(job->graph),
                             .read_seconds = job->read_seconds};
        pc_status status =
            cli_result_complete(&result, job->plan, job->graph, &job->outputs, job->start_seconds);
        if (status == PC_OK)
            (count->output.json ? cli_print_json : cli_print_summary)(&result);
        return status;
    }
    pc_status status = pc_summary_get(job->outputs.summary, &values);
    double total_seconds = cli_now_seconds() - job->start_seconds;
    cli_twice_measured(&total_seconds, sizeof total_seconds);
    cli_twice_measured(&job->read_seconds, sizeof job->read_seconds);
    if (status == PC_OK)
        (count->output.json ? print_json : print_text)(job, &values, total_seconds);
    return status;
}

static pc_status answer(pc_context *context, cli_progress *progress, void *user)
{
    chain_job *job = user;
    cli_outputs *outputs = &job->outputs;
    job->context = context;
    job->progress = progress;
    pc_status status = load_chain(job);
    if (status == PC_OK)
        status = prepare(job);
    if (status == PC_OK && has_power(job))
        status = pc_plan_run(job->plan, &outputs->summary, 1,
                             cli_outputs_wants_rows(outputs) ? take_power : NULL, job);
    else if (status == PC_OK && has_ways(job))
        status = pc_chain_paths(job->chain, job->options.simple, job->options.damping,
                                job->options.types, take_rows, job);
    else if (status == PC_OK)
        status = pc_chain_rows(
            job->chain, job->options.pathsim ? PC_CHAIN_PATHSIM : PC_CHAIN_COUNTS, take_rows, job);
    if (status == PC_OK)
        status = cli_outputs_commit(outputs);
    cli_progress_end(progress);
    if (status == PC_OK)
        status = print_answer(job);
    cli_outputs_free(outputs);
    pc_plan_free(job->plan);
    pc_graph_free(job->graph);
    pc_chain_free(job->chain);
    for (uint32_t f = 0; job->read != NULL && f < job->options.n_factors; f++)
        pc_relation_free(job->read[f]);
    free(job->read);
    free(job->factors);
    free(job->transposed);
    return status;
}

int cli_chain(int argc, char **argv)
{
    chain_job job = {0};
    cli_chain_options_parse(argc, argv, &job.options);
    int code = cli_run_in_context(&job.options.count.running, answer, &job);
    cli_chain_options_free(&job.options);
    return code;
}

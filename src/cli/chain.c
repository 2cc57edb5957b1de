/* Prints a product as text: a line for each fact, then the largest entries. */
#include "src/cli/chain.h"

#include "src/cli/main.h"
#include "src/cli/json.h"
#include "src/cli/load.h"
#include "src/cli/plan.h"
#include "src/cli/process.h"
#include "src/cli/summary.h"
#include "src/cli/text.h"
#include "src/cli/twice.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Text ------------------------------------------------------------------------------------ */

enum { SIMILARITY_BYTES = 16 }; /* "0.3333", and to spare */

/* The largest entries as shown. */
typedef struct entry_labels {
    char *row[PC_SUMMARY_PAIRS], *column[PC_SUMMARY_PAIRS], *number[PC_SUMMARY_PAIRS];
    char *most; /* of the row with the largest sum; NULL: all is 0 */
} entry_labels;

/* A number as shown, to be free()d; NULL when out of memory. */
static char *number_shown(const char *text, bool is_similarity)
{
    if (!is_similarity)
        return strdup(text);
    char *shown = malloc(SIMILARITY_BYTES);
    if (shown != NULL)
        snprintf(shown, SIMILARITY_BYTES, "%.4f", strtod(text, NULL));
    return shown;
}

/* The matrix as a table; similarities with four decimals. PC_ERR_MEMORY as below. */
static pc_status chain_print_table(FILE *out, cli_table *table, bool is_similarity)
{
    for (uint64_t e = 0; e < table->n_rows * table->n_columns; e++) {
        char *shown = number_shown(table->cells[e], is_similarity);
        if (shown == NULL)
            return PC_ERR_MEMORY;
        free(table->cells[e]);
        table->cells[e] = shown;
    }
    cli_table_print(out, table);
    return PC_OK;
}

static void free_labels(entry_labels *labels)
{
    for (int i = 0; i < PC_SUMMARY_PAIRS; i++) {
        free(labels->row[i]);
        free(labels->column[i]);
        free(labels->number[i]);
    }
    free(labels->most);
}

static pc_status make_labels(const cli_chain_result *result, entry_labels *labels)
{
    bool has_most = result->values.n_nonzero > 0;
    *labels = (entry_labels){0};
    if (has_most)
        labels->most = cli_label_shown(result->info.rows, result->values.largest_row);
    if (has_most && labels->most == NULL)
        return PC_ERR_MEMORY;
    for (uint32_t i = 0; i < result->values.n_pairs; i++) {
        labels->row[i] = cli_label_shown(result->info.rows, result->values.pairs[i].from);
        labels->column[i] = cli_label_shown(result->info.columns, result->values.pairs[i].to);
        labels->number[i] = number_shown(result->values.pairs[i].count, result->options->pathsim);
        if (labels->row[i] == NULL || labels->column[i] == NULL || labels->number[i] == NULL) {
            free_labels(labels);
            return PC_ERR_MEMORY;
        }
    }
    return PC_OK;
}

static int max_width(int width, const char *text)
{
    int other = cli_text_width(text);
    return other > width ? other : width;
}

static void print_largest(FILE *out, const cli_chain_result *result, const entry_labels *labels)
{
    const pc_summary_values *values = &result->values;
    const char *what = result->options->pathsim ? "similarity" : "ways";
    int row_width = (int)strlen("from"), column_width = (int)strlen("to");
    int number_width = (int)strlen(what);
    for (uint32_t i = 0; i < values->n_pairs; i++) {
        row_width = max_width(row_width, labels->row[i]);
        column_width = max_width(column_width, labels->column[i]);
        number_width = max_width(number_width, labels->number[i]);
    }
    fprintf(out, "\n%s%s\n", result->options->pathsim ? "most similar pairs" : "largest entries",
            result->is_symmetric ? ", each pair once" : "");
    fprintf(out, "  %*s  %*s  %*s\n", row_width, "from", column_width, "to", number_width, what);
    for (uint32_t i = 0; i < values->n_pairs; i++) {
        cli_print_right(out, labels->row[i], 2 + row_width);
        cli_print_right(out, labels->column[i], 2 + column_width);
        cli_print_right(out, labels->number[i], 2 + number_width);
        fputc('\n', out);
    }
}

static void print_counts(FILE *out, const cli_chain_result *result, const entry_labels *labels)
{
    const pc_summary_values *values = &result->values;
    bool is_similarity = result->options->pathsim;
    double n_rows = (double)result->info.n_rows, n_columns = (double)result->info.n_columns;
    if (!is_similarity) {
        fprintf(out, "all ways              %s\n", values->total);
        fprintf(out, "most from one row     %s%s%s\n", values->largest_row_sum,
                labels->most != NULL ? ", from " : "", labels->most != NULL ? labels->most : "");
        fprintf(out, "largest entry         %s (%" PRIu32 " %s)\n", values->largest,
                values->largest_bits, values->largest_bits == 1 ? "bit" : "bits");
    }
    fprintf(out, "%-20s  %" PRIu64 " of %.0f\n", is_similarity ? "similar pairs" : "joined pairs",
            values->n_nonzero, n_rows * n_columns - (is_similarity ? n_rows : 0));
}

/* PC_ERR_MEMORY when there is no memory for labels; then nothing was printed. */
static pc_status chain_print_summary(FILE *out, const cli_chain_result *result)
{
    entry_labels labels;
    pc_status status = make_labels(result, &labels);
    if (status != PC_OK)
        return status;
    fprintf(out, "product               %s\n", result->options->product);
    fprintf(out, "rows, columns         %" PRIu64 ", %" PRIu64 "\n", result->info.n_rows,
            result->info.n_columns);
    print_counts(out, result, &labels);
    cli_print_outputs(out, &result->options->count);
    fprintf(out, "time                  %.3f s (reading the files %.3f s)\n", result->total_seconds,
            result->read_seconds);
    if (result->values.n_pairs > 0)
        print_largest(out, result, &labels);
    free_labels(&labels);
    return PC_OK;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

/* Prints a product as one JSON object. Numbers that may pass 2^53 are strings. */

static json_t *label_array(const pc_labels *labels)
{
    json_t *array = json_array();
    for (uint64_t i = 0; i < pc_labels_count(labels); i++)
        json_array_append_new(array, cli_json_label(labels, i));
    return array;
}

static json_t *factor_array(const cli_chain_result *result)
{
    json_t *array = json_array();
    for (uint32_t f = 0; f < result->options->n_factors; f++) {
        const cli_factor *given = &result->options->factors[f];
        const pc_relation *factor = result->factors[f];
        pc_relation_info info;
        pc_relation_get_info(factor, &info);
        json_t *object = json_pack(
            "{s:o, s:b, s:I, s:I, s:I}", "path", cli_json_text(given->path), "transposed",
            given->is_transposed, "rows", (json_int_t)pc_labels_count(info.rows), "columns",
            (json_int_t)pc_labels_count(info.columns), "entries", (json_int_t)info.n_entries);
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *pair_array(const cli_chain_result *result)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < result->values.n_pairs; i++) {
        const pc_pair *pair = &result->values.pairs[i];
        json_t *object =
            json_pack("{s:o, s:o, s:s}", "from", cli_json_label(result->info.rows, pair->from),
                      "to", cli_json_label(result->info.columns, pair->to),
                      result->options->pathsim ? "similarity" : "count", pair->count);
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *options_object(const cli_chain_options *options)
{
    const cli_count_options *count = &options->count;
    return json_pack(
        "{s:b, s:b, s:b, s:i, s:o}", "multigraph", count->input.graph.multigraph, "weights",
        count->input.graph.weights, "allow_missing", options->chain.allow_missing, "certify_rounds",
        cli_json_rounds(options->chain.n_certify_rounds), "output", cli_json_outputs(count));
}

/* Only numbers of ways have sums; a sum of similarities has no meaning. */
static json_t *sums_object(const cli_chain_result *result)
{
    const pc_summary_values *values = &result->values;
    if (result->options->pathsim)
        return json_pack("{s:n, s:n, s:n}", "total", "largest_row_sum", "largest_row");
    json_t *most = values->n_nonzero > 0 ? cli_json_label(result->info.rows, values->largest_row)
                                         : json_null();
    return json_pack("{s:s, s:s, s:o}", "total", values->total, "largest_row_sum",
                     values->largest_row_sum, "largest_row", most);
}

static json_t *how_object(const cli_chain_result *result)
{
    const pc_chain_info *info = &result->info;
    return json_pack("{s:o, s:o, s:s, s:b, s:s, s:f, s:f, s:f, s:I, s:I}", "factors",
                     factor_array(result), "options", options_object(result->options), "measure",
                     result->options->pathsim ? "pathsim" : "ways", "square", info->square, "order",
                     info->order, "multiplications", info->n_multiplications, "left_to_right",
                     info->n_left_to_right, "bound_bits", info->bound_bits, "rows",
                     (json_int_t)info->n_rows, "columns", (json_int_t)info->n_columns);
}

static json_t *answer_object(const cli_chain_result *result)
{
    json_t *rest =
        json_pack("{s:I, s:o, s:{s:f, s:f}}", "nonzero_pairs", (json_int_t)result->values.n_nonzero,
                  "largest_pairs", pair_array(result), "seconds", "read", result->read_seconds,
                  "total", result->total_seconds);
    json_t *root = cli_json_behind(cli_json_begin("chain"), how_object(result));
    root = cli_json_behind(root, sums_object(result));
    return cli_json_behind(root, rest);
}

static json_t *matrix_array(const cli_table *table)
{
    json_t *matrix = json_array();
    for (uint64_t i = 0; i < table->n_rows; i++) {
        json_t *row = json_array();
        for (uint64_t j = 0; j < table->n_columns; j++)
            json_array_append_new(row, json_string(table->cells[i * table->n_columns + j]));
        json_array_append_new(matrix, row);
    }
    return matrix;
}

/* The answer as one JSON object; PC_ERR_MEMORY as above. */
static pc_status chain_print_json(FILE *out, const cli_chain_result *result)
{
    json_t *root = answer_object(result);
    if (result->table != NULL) { /* a small product */
        json_object_set_new(root, "row_labels", label_array(result->info.rows));
        json_object_set_new(root, "column_labels", label_array(result->info.columns));
        json_object_set_new(root, "matrix", matrix_array(result->table));
    }
    return cli_json_print(out, root);
}

/* ---- The command ----------------------------------------------------------------------------- */

/* `pathcount chain`: reads relations, multiplies them, answers. With --power the product is a graph
 * whose paths are counted, and the answer is that of `pathcount count`. */

typedef struct chain_job {
    cli_chain_options options;
    cli_progress progress;
    pc_context *context;
    pc_relation **read; /* [n_factors]: what was read or transposed for the factor; NULL: the same
                            * as for one before */
    pc_relation **factors; /* [n_factors] */
    pc_chain *chain;
    pc_chain_info info;
    pc_graph *graph; /* with --power */
    pc_plan *plan;   /* ... of its power */
    cli_outputs outputs;
    double start_seconds, read_seconds;
} chain_job;

static void free_job(chain_job *job)
{
    cli_outputs_free(&job->outputs);
    pc_plan_free(job->plan);
    pc_graph_free(job->graph);
    pc_chain_free(job->chain);
    for (uint32_t f = 0; job->read != NULL && f < job->options.n_factors; f++)
        pc_relation_free(job->read[f]);
    free(job->read);
    free(job->factors);
    pc_context_free(job->context);
    cli_chain_options_free(&job->options);
}

/* ---- Reading ------------------------------------------------------------------------------- */

/* A factor before number f that has its file, and its direction unless any will do; f: none. */
static uint32_t find_same(const chain_job *job, uint32_t f, bool any_direction)
{
    const cli_factor *factors = job->options.factors;
    uint32_t other = 0;
    while (other < f &&
           (strcmp(factors[other].path, factors[f].path) != 0 ||
            (!any_direction && factors[other].is_transposed != factors[f].is_transposed)))
        other++;
    return other;
}

static void print_relation(const cli_factor *factor, const pc_relation *relation)
{
    pc_relation_info info;
    pc_relation_get_info(relation, &info);
    const char *path = factor->path;
    fprintf(stderr, "%s: ", cli_shown_path(path));
    cli_print_number_of(stderr, pc_labels_count(info.rows), "row", "rows");
    fputs(", ", stderr);
    cli_print_number_of(stderr, pc_labels_count(info.columns), "column", "columns");
    fputs(", ", stderr);
    cli_print_number_of(stderr, info.n_entries, "entry", "entries");
    if (info.n_duplicates > 0) {
        fputs(", ", stderr);
        cli_print_number_of(stderr, info.n_duplicates, "duplicate", "duplicates");
        fputs(info.duplicates_added ? " added" : " dropped", stderr);
    }
    if (info.weights_ignored)
        fputs(", weights ignored (--weights takes them)", stderr);
    if (info.note != NULL)
        fprintf(stderr, ", %s", info.note);
    fputc('\n', stderr);
}

static pc_status read_file(chain_job *job, const cli_factor *factor, pc_relation **relation)
{
    pc_status status =
        pc_relation_read(job->context, factor->path, &job->options.count.input.graph, relation);
    cli_progress_end(&job->progress);
    if (status == PC_OK && !job->options.count.running.is_quiet)
        print_relation(factor, *relation);
    return status == PC_ERR_RANGE ? PC_ERR_DATA : status; /* a number in the file is too large */
}

/* The relation of factor f: one that is there already, that one transposed, or from its file. */
static pc_status load_factor(chain_job *job, uint32_t f)
{
    const cli_factor *factor = &job->options.factors[f];
    uint32_t same = find_same(job, f, false), backwards = find_same(job, f, true);
    pc_relation *forwards = NULL;
    pc_status status = PC_OK;
    if (same < f) {
        job->factors[f] = job->factors[same];
        return PC_OK;
    }
    if (backwards < f) {
        status = pc_relation_transpose(job->context, job->factors[backwards], &job->read[f]);
    } else if (!factor->is_transposed) {
        status = read_file(job, factor, &job->read[f]);
    } else {
        status = read_file(job, factor, &forwards);
        if (status == PC_OK)
            status = pc_relation_transpose(job->context, forwards, &job->read[f]);
        pc_relation_free(forwards);
    }
    job->factors[f] = job->read[f];
    return status;
}

static pc_status load_chain(chain_job *job)
{
    uint32_t n = job->options.n_factors;
    pc_status status = PC_OK;
    job->start_seconds = cli_now_seconds();
    job->read = calloc(n, sizeof(pc_relation *));
    job->factors = calloc(n, sizeof(pc_relation *));
    if (job->read == NULL || job->factors == NULL)
        return PC_ERR_MEMORY;
    for (uint32_t f = 0; f < n && status == PC_OK; f++)
        status = load_factor(job, f);
    job->read_seconds = cli_now_seconds() - job->start_seconds;
    if (status == PC_OK)
        status = pc_chain_create(job->context, n, (const pc_relation *const *)job->factors,
                                 &job->options.chain, &job->chain);
    if (status == PC_OK)
        pc_chain_get_info(job->chain, &job->info);
    return status;
}

static void print_order(const chain_job *job)
{
    const pc_chain_info *info = &job->info;
    if (job->options.n_factors > 2)
        fprintf(stderr, "order %s: about %.3g multiplications, %.3g from left to right\n",
                info->order, info->n_multiplications, info->n_left_to_right);
    if (job->options.count.running.explain)
        fprintf(stderr, "entries at most 2^%.2f (proved), integers of %" PRIu32 " bits\n",
                info->bound_bits, 64 * info->n_limbs);
}

/* ---- Multiplying --------------------------------------------------------------------------- */

static bool has_power(const chain_job *job)
{
    return job->options.count.has_length;
}

/* What the rows to come will be. */
static pc_status make_frame(chain_job *job, pc_frame *frame)
{
    const cli_count_options *count = &job->options.count;
    if (!has_power(job)) {
        *frame = (pc_frame){.rows = job->info.rows,
                            .columns = job->info.columns,
                            .n_limbs = job->options.pathsim ? 0 : job->info.n_limbs,
                            .symmetric = cli_chain_is_symmetric(&job->options),
                            .entry = job->options.pathsim ? "similarity" : "ways"};
        return PC_OK;
    }
    pc_query query = {.kind = PC_QUERY_MATRIX, .length = count->length};
    pc_status status = pc_chain_graph(job->chain, &job->graph);
    if (status == PC_OK)
        status = pc_plan_create(job->context, job->graph, &query, &count->count, &job->plan);
    if (status == PC_OK && count->running.explain)
        cli_explain_plan(stderr, pc_plan_get_info(job->plan));
    if (status != PC_OK)
        return status;
    const pc_plan_info *plan = pc_plan_get_info(job->plan);
    const pc_labels *labels = pc_graph_labels(job->graph);
    *frame = (pc_frame){.rows = labels,
                        .columns = labels,
                        .n_limbs = plan->n_limbs,
                        .symmetric = plan->symmetric,
                        .entry = "ways"};
    return PC_OK;
}

/* Summary, table and file: all that takes rows. */
static pc_status prepare(chain_job *job)
{
    const cli_count_options *count = &job->options.count;
    pc_frame frame;
    pc_status status = make_frame(job, &frame);
    if (status == PC_OK)
        status = cli_outputs_prepare(&job->outputs, job->context, count, &frame);
    job->outputs.is_quiet = count->running.is_quiet;
    for (size_t i = 0; i < count->output.n && status == PC_OK; i++) {
        cli_clean_beside(count->output.list[i].path);
        status = cli_outputs_open_file(&job->outputs, job->context, &count->output.list[i], &frame,
                                       NULL);
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

static pc_status multiply(chain_job *job)
{
    pc_status status;
    if (has_power(job))
        status = pc_plan_reduce(job->plan, &job->outputs.summary, 1,
                                cli_outputs_wants_rows(&job->outputs) ? take_power : NULL, job);
    else if (job->options.pathsim)
        status = pc_chain_pathsim_rows(job->chain, take_rows, job);
    else
        status = pc_chain_rows(job->chain, take_rows, job);
    return status == PC_OK ? cli_outputs_commit(&job->outputs) : status;
}

/* ---- Answering ----------------------------------------------------------------------------- */

static pc_status print_count(chain_job *job)
{
    cli_result result = {.command = "chain",
                         .options = &job->options.count,
                         .labels = pc_graph_labels(job->graph),
                         .read_seconds = job->read_seconds};
    pc_status status =
        cli_result_complete(&result, job->plan, job->graph, &job->outputs, job->start_seconds);
    if (status != PC_OK)
        return status;
    return job->options.count.output.json ? cli_print_json(stdout, &result)
                                          : cli_print_summary(stdout, &result);
}

static pc_status print_product(chain_job *job)
{
    cli_chain_result result = {.options = &job->options,
                               .factors = (const pc_relation *const *)job->factors,
                               .info = job->info,
                               .is_symmetric = cli_chain_is_symmetric(&job->options),
                               .table = job->outputs.has_table ? &job->outputs.table : NULL,
                               .read_seconds = job->read_seconds};
    pc_status status = pc_summary_get(job->outputs.summary, &result.values);
    if (status != PC_OK)
        return status;
    result.total_seconds = cli_now_seconds() - job->start_seconds;
    cli_twice_measured(&result.total_seconds, sizeof result.total_seconds);
    cli_twice_measured(&result.read_seconds, sizeof result.read_seconds);
    return job->options.count.output.json ? chain_print_json(stdout, &result)
                                          : chain_print_summary(stdout, &result);
}

static pc_status print_answer(chain_job *job)
{
    const cli_count_options *count = &job->options.count;
    if (cli_output_is_printed(&count->output))
        return PC_OK;
    if (job->outputs.has_table && !count->output.json && has_power(job) &&
        count->count.arithmetic == PC_FLOAT)
        cli_table_shape(&job->outputs.table,
                        cli_digits_of(pc_plan_get_info(job->plan)->relative_error, true).n);
    if (!count->output.json && cli_outputs_show_table(&job->outputs, count))
        return chain_print_table(stdout, &job->outputs.table, job->options.pathsim);
    return has_power(job) ? print_count(job) : print_product(job);
}

int cli_chain(int argc, char **argv)
{
    chain_job job = {0};
    cli_chain_options_parse(argc, argv, &job.options);
    pc_status status = cli_open_context(&job.options.count.running, &job.progress, &job.context);
    if (job.context == NULL)
        return cli_fail(CLI_UNAVAILABLE, "%s", pc_status_text(status));
    if (status == PC_OK)
        status = load_chain(&job);
    cli_progress_end(&job.progress);
    if (status == PC_OK && !job.options.count.running.is_quiet)
        print_order(&job);
    if (status == PC_OK)
        status = prepare(&job);
    if (status == PC_OK)
        status = multiply(&job);
    cli_progress_end(&job.progress);
    if (status == PC_OK)
        status = print_answer(&job);
    int code = status == PC_OK ? CLI_DONE : cli_fail_status(job.context, status);
    free_job(&job);
    return code;
}

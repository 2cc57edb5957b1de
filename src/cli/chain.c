/* `pathcount chain`: reads relations, multiplies them, answers. With --power the product is a graph
 * whose paths are counted, and the answer is that of `pathcount count`. */
#include "src/cli/result.h"
#include "src/cli/digits.h"
#include "src/cli/chain_result.h"
#include "src/cli/commands.h"
#include "src/cli/exit_codes.h"
#include "src/cli/explain.h"
#include "src/cli/load.h"
#include "src/cli/outputs.h"
#include "src/cli/text.h"
#include "src/cli/twice.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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
    return job->options.count.output.json ? cli_chain_print_json(stdout, &result)
                                          : cli_chain_print_summary(stdout, &result);
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
        return cli_chain_print_table(stdout, &job->outputs.table, job->options.pathsim);
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

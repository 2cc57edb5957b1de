/* Reads a graph, counts its paths, between vertices or blocks of them, and answers. One pass over
 * the rows of the result feeds the summary, the file and the table. */
#include "src/cli/count.h"

#include "src/cli/main.h"
#include "src/cli/each_matrix.h"
#include "src/cli/kinds.h"
#include "src/cli/load.h"
#include "src/cli/outputs.h"
#include "src/cli/plan.h"
#include "src/cli/process.h"
#include "src/cli/query.h"
#include "src/cli/summary.h"
#include "src/cli/text.h"
#include "src/cli/verify/certificate.h"
#include "src/cli/vertices.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CERTIFICATE_ROUNDS = 2 };

typedef struct count_job {
    const cli_count_options *options;
    cli_count_options of_any_length; /* with the length of the longest path */
    double most_seconds;
    cli_count_facts *facts;
    cli_progress progress;
    pc_context *context;
    pc_graph *graph;
    pc_partition *partition; /* NULL: between vertices */
    pc_plan *plan;           /* of a matrix */
    cli_outputs outputs;
    double start_seconds;
} count_job;

static void free_job(count_job *job)
{
    cli_outputs_free(&job->outputs);
    pc_plan_free(job->plan);
    pc_partition_free(job->partition);
    pc_graph_free(job->graph);
    pc_context_free(job->context);
}

/* Refuses options that need the other program: one process has no parts, and several have no
 * certificate. */
static pc_status prepare_parts(pc_context *context, const cli_count_options *options)
{
    if (cli_has_parts() && options->certificate_path != NULL)
        return pc_context_fail(context, PC_ERR_ARGUMENT,
                               "a certificate needs all arcs of the graph in one process: count "
                               "with pathcount, or leave --certificate out");
    if (!cli_has_parts() && (options->parts.checkpoint != NULL || options->parts.plan_for != NULL))
        return pc_context_fail(context, PC_ERR_ARGUMENT,
                               "--checkpoint and --plan-for are options of pathcount-mpi, which "
                               "runs in one process too: mpirun -n 1 pathcount-mpi");
    return cli_has_parts() ? cli_begin_parts(context, options) : PC_OK;
}

static const pc_labels *labels_of(const count_job *job)
{
    pc_partition_info blocks;
    pc_partition_get_info(job->partition, &blocks);
    return job->partition != NULL ? blocks.labels : pc_graph_labels(job->graph);
}

static pc_status write_quotient(const count_job *job)
{
    pc_graph *quotient = NULL;
    pc_status status = pc_graph_quotient(job->context, job->graph, job->partition, &quotient);
    if (status == PC_OK)
        status = cli_write_graph(job->context, quotient, job->options->blocks.graph_path,
                                 job->options->running.is_quiet);
    pc_graph_free(quotient);
    return status;
}

static pc_status make_plan(count_job *job)
{
    const cli_count_options *options = job->options;
    pc_query query = cli_query_of(&options->query, options->length, &(cli_vertices){0});
    query.partition = job->partition;
    pc_status status = cli_plan_create(job->context, job->graph, &query, &options->count,
                                       &options->running, &job->plan);
    if (status == PC_OK)
        job->facts->is_too_long =
            job->most_seconds > 0 &&
            pc_plan_get_info(job->plan)->predicted_seconds > job->most_seconds;
    return status;
}

static pc_status open_writers(count_job *job, const pc_frame *frame)
{
    pc_frame told = *frame;
    const cli_query_options *query = &job->options->query;
    const char *place = job->partition != NULL ? "block" : "vertex";
    char about[CLI_ABOUT_BYTES + 32], what[CLI_ABOUT_BYTES];
    snprintf(about, sizeof about, "%s from %s i to %s j",
             cli_about_matrix(query->paths, job->options->length, query->up_to,
                              job->options->blocks.mean, what),
             place, place);
    told.n_limbs = pc_plan_get_info(job->plan)->n_limbs;
    told.about = about;
    told.entry = cli_entry_of(query->paths, query->up_to);
    job->outputs.is_quiet = job->options->running.is_quiet;
    pc_status status = PC_OK;
    for (size_t i = 0; i < job->options->output.n && status == PC_OK; i++) {
        const cli_output *output = &job->options->output.list[i];
        cli_read_back *read_back;
        status = cli_read_back_create(job->context, job->options, output, job->graph,
                                      job->partition, &read_back);
        if (status == PC_OK)
            status = cli_outputs_open_file(&job->outputs, job->context, output, &told, read_back);
    }
    return status;
}

/* frame is NULL for a query, of which only growth can be drawn. */
static pc_status open_look(count_job *job, const pc_frame *frame)
{
    const cli_count_options *options = job->options;
    const char *path = cli_shown_path(options->input.path), *slash = strrchr(path, '/');
    const char *title = slash != NULL ? slash + 1 : path;
    char about[CLI_ABOUT_BYTES + 32], what[CLI_ABOUT_BYTES];
    snprintf(about, sizeof about, "%s%s",
             cli_about_matrix(options->query.paths, options->length, options->query.up_to,
                              options->blocks.mean, what),
             job->partition != NULL ? " between blocks" : "");
    if (options->look.n_plots > 0)
        cli_signals_defer();
    return cli_look_create(job->context, &options->look, frame, title, about, &job->outputs.look);
}

/* Plan, summary, table, file and pictures: all that is needed before the first row comes. */
static pc_status prepare(count_job *job)
{
    const cli_count_options *options = job->options;
    pc_frame frame = {
        .rows = labels_of(job),
        .columns = labels_of(job),
        .symmetric = cli_paths_are_symmetric(options->query.paths, !job->facts->graph.directed),
        .means = options->blocks.mean};
    pc_status status = cli_outputs_prepare(&job->outputs, job->context, options, &frame);
    if (status == PC_OK)
        status = make_plan(job);
    if (status != PC_OK || job->facts->is_too_long)
        return status;
    status = open_writers(job, &frame);
    if (status == PC_OK)
        status = open_look(job, &frame);
    if (status == PC_OK && options->blocks.graph_path != NULL)
        status = write_quotient(job);
    return status;
}

/* Rows go to table and file; means go to the grids of pictures here, too, because only the command
 * knows that they are means. */
static pc_status take_rows(void *user, uint64_t length, const pc_rows *rows)
{
    (void)length;
    count_job *job = user;
    pc_rows shown = *rows;
    pc_status status = PC_OK;
    if (job->options->blocks.mean) {
        pc_reduction *grids[CLI_LOOK_REDUCTIONS];
        uint32_t n = cli_look_reductions(job->outputs.look, grids);
        pc_partition_info blocks;
        pc_partition_get_info(job->partition, &blocks);
        shown.row_sizes = shown.column_sizes = blocks.sizes;
        for (uint32_t i = 0; i < n && status == PC_OK; i++)
            status = pc_reduction_add(grids[i], &shown);
    }
    return status == PC_OK ? cli_outputs_take(&job->outputs, &shown) : status;
}

static pc_status count_paths(count_job *job)
{
    pc_reduction *reductions[CLI_OUTPUTS_REDUCTIONS];
    uint32_t n = cli_outputs_reductions(&job->outputs, reductions);
    bool has_means = job->options->blocks.mean;
    bool wants_rows = cli_outputs_wants_rows(&job->outputs) || (has_means && n > 1);
    pc_status status =
        pc_plan_run(job->plan, reductions, has_means ? 1 : n, wants_rows ? take_rows : NULL, job);
    if (status == PC_OK && job->options->count.n_certify_rounds == PC_CERTIFY_NONE)
        status = pc_graph_check(job->context, job->graph); /* else the plan did so */
    return status == PC_OK ? cli_outputs_commit(&job->outputs) : status;
}

static void keep_facts(const cli_result *result, cli_count_facts *facts)
{
    const pc_summary_values *values = &result->values;
    facts->bits = values->largest_bits;
    if (result->plan.arithmetic == PC_MODULAR) {
        snprintf(facts->total, CLI_FACT_BYTES, "%" PRIu64,
                 cli_decimal_modulo(values->total, result->plan.modulus));
        return;
    }
    cli_shorten_number(values->total, CLI_FACT_BYTES, facts->total);
    cli_shorten_number(values->largest, CLI_FACT_BYTES, facts->largest);
}

static pc_status print_answer(count_job *job)
{
    const cli_count_options *options = job->options;
    cli_result result = {.command = job->partition != NULL ? "coarsen" : "count",
                         .options = options,
                         .partition = job->partition,
                         .labels = labels_of(job),
                         .read_seconds = job->facts->read_seconds};
    pc_status status =
        cli_result_complete(&result, job->plan, job->graph, &job->outputs, job->start_seconds);
    if (status != PC_OK)
        return status;
    keep_facts(&result, job->facts);
    if (cli_output_is_printed(&options->output))
        return PC_OK;
    if (result.table != NULL && result.plan.arithmetic == PC_FLOAT && !options->output.json)
        cli_table_shape(&job->outputs.table, cli_digits_of(result.plan.relative_error, true).n);
    if (options->output.json) {
        cli_print_json(&result);
    } else if (!cli_outputs_show_table(&job->outputs, options)) {
        cli_print_summary(&result);
    } else {
        cli_table_print(result.table);
        if (options->output.form == CLI_FORM_TABLE)
            cli_print_totals(&result);
    }
    return PC_OK;
}

static pc_status load(count_job *job)
{
    const cli_count_options *options = job->options;
    cli_count_facts *facts = job->facts;
    job->start_seconds = cli_now_seconds();
    pc_status status = prepare_parts(job->context, options);
    if (status == PC_OK)
        status = cli_load_graph(job->context, &options->input, &job->graph);
    facts->read_seconds = cli_now_seconds() - job->start_seconds;
    facts->mark = cli_file_mark_of(options->input.path);
    cli_progress_end(&job->progress);
    if (status != PC_OK)
        return status;
    facts->has_graph = true;
    pc_graph_get_info(job->graph, &facts->graph);
    if (!options->running.is_quiet)
        cli_print_graph(stderr, &options->input, &facts->graph);
    if (options->any_length) { /* that of the longest path */
        job->of_any_length = *options;
        job->options = &job->of_any_length;
        status = pc_graph_longest_path(job->context, job->graph, &job->of_any_length.length);
        if (status == PC_OK && !options->running.is_quiet)
            fprintf(stderr, "longest path: %" PRIu64 " arcs\n", job->of_any_length.length);
    }
    if (status == PC_OK && options->blocks.spec != NULL) {
        status = cli_make_blocks(job->context, job->graph, &options->blocks, &job->partition);
        cli_progress_end(&job->progress);
    }
    return status;
}

static pc_status answer_matrix(count_job *job)
{
    pc_status status = prepare(job);
    if (status == PC_OK && !job->facts->is_too_long)
        status = count_paths(job);
    cli_progress_end(&job->progress);
    return status == PC_OK && !job->facts->is_too_long ? print_answer(job) : status;
}

static pc_status write_certificate(const count_job *job)
{
    const cli_count_options *options = job->options;
    const cli_output_options *output = &options->output;
    cli_verify_question question;
    /* The digest of one file has a place there. */
    const char *result =
        output->n == 1 && !cli_output_is_stream(&output->list[0]) ? output->list[0].path : NULL;
    pc_status status =
        cli_verify_question_make(job->context, options, job->graph, job->partition, &question);
    if (status == PC_OK)
        status =
            cli_certificate_write(&question, result, options->certificate_path, CERTIFICATE_ROUNDS);
    cli_verify_question_free(&question);
    return status;
}

static pc_status run_job(count_job *job)
{
    cli_count_facts *facts = job->facts;
    pc_status status = load(job);
    const cli_count_options *options = job->options;
    if (status == PC_OK && cli_asks_each_matrix(options)) {
        status = cli_each_matrix_answer(job->context, job->graph, options, &job->progress, facts);
    } else if (status == PC_OK && options->query.question != CLI_ASK_MATRIX) {
        status = open_look(job, NULL);
        if (status == PC_OK)
            status = cli_query_answer(job->context, job->graph, options, &job->progress, facts);
    } else if (status == PC_OK) {
        status = answer_matrix(job);
    }
    if (status == PC_OK)
        status = pc_graph_check(job->context, job->graph); /* its labels were needed until now */
    const pc_plan_info *last = pc_plan_last(job->context);
    facts->has_plan = status == PC_OK && last != NULL;
    if (facts->has_plan)
        facts->plan = *last;
    if (status == PC_OK && !facts->is_too_long)
        status = cli_look_finish(job->outputs.look, job->graph, options->query.paths,
                                 options->length, &job->progress);
    if (status == PC_OK && options->certificate_path != NULL)
        status = write_certificate(job);
    return status;
}

int cli_count_run(const cli_count_options *options, double most_seconds, cli_count_facts *facts)
{
    count_job job = {.options = options, .most_seconds = most_seconds, .facts = facts};
    int code = CLI_DONE;
    *facts = (cli_count_facts){0};
    facts->status = cli_open_context(&options->running, &job.progress, &job.context);
    if (job.context == NULL)
        return cli_fail(CLI_UNAVAILABLE, "%s", pc_status_text(facts->status));
    if (facts->status == PC_OK)
        facts->status = run_job(&job);
    if (facts->status != PC_OK)
        code = cli_fail_status(job.context, facts->status);
    free_job(&job);
    return code;
}

/* ---- The commands ---------------------------------------------------------------------------- */

static int run(cli_count_options *options)
{
    cli_count_facts facts;
    for (size_t i = 0; i < options->output.n; i++)
        cli_clean_beside(options->output.list[i].path);
    cli_clean_beside(options->certificate_path);
    for (size_t p = 0; p < options->look.n_plots; p++)
        cli_clean_beside(options->look.plots[p].path);
    int code = cli_count_run(options, 0, &facts);
    free(options->query.named);
    return code;
}

int cli_count(int argc, char **argv)
{
    cli_count_options options = {.parts.checkpoint_seconds = CLI_CHECKPOINT_SECONDS};
    cli_parse_options(&cli_count_command, argc, argv, &options);
    return run(&options);
}

int cli_coarsen(int argc, char **argv)
{
    cli_count_options options = cli_coarsen_defaults;
    cli_parse_options(&cli_coarsen_command, argc, argv, &options);
    return run(&options);
}

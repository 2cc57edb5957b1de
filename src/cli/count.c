/* Reads a graph, counts its paths, between vertices or blocks of them, and answers. One pass over
 * the rows of the result feeds the summary, the file and the table. */
#include "src/cli/count.h"

#include "src/cli/main.h"
#include "src/cli/load.h"
#include "src/cli/process.h"
#include "src/cli/outputs.h"
#include "src/cli/text.h"
#include "src/cli/verify/verify.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CERTIFICATE_ROUNDS = 2 };

typedef struct count_job {
    cli_asked asked;
    cli_count_options of_any_length; /* with the length of the longest path */
    double most_seconds, start_seconds;
    cli_progress progress;
    pc_partition *partition; /* NULL: between vertices */
    pc_partition_info blocks;
    const pc_labels *labels; /* of rows and columns */
    pc_plan *plan;           /* of a matrix */
    cli_outputs outputs;
} count_job;

/* ---- The matrix ------------------------------------------------------------------------------ */

/* frame is NULL for a query, of which only growth can be drawn. */
static pc_status open_look(count_job *job, const pc_frame *frame)
{
    const cli_count_options *options = job->asked.options;
    const char *path = cli_shown_path(options->input.path), *slash = strrchr(path, '/');
    const char *title = slash != NULL ? slash + 1 : path;
    char about[CLI_ABOUT_BYTES + 32], what[CLI_ABOUT_BYTES];
    snprintf(about, sizeof about, "%s%s",
             cli_about_matrix(options->query.paths, options->length, options->query.up_to,
                              options->blocks.mean, what),
             job->partition != NULL ? " between blocks" : "");
    if (options->look.n_plots > 0)
        cli_signals_defer();
    return cli_look_create(job->asked.context, &options->look, frame, title, about,
                           &job->outputs.look);
}

/* Plan, summary, table, files and pictures: all that is needed before the first row comes. */
static pc_status prepare(count_job *job)
{
    const cli_count_options *options = job->asked.options;
    const cli_query_options *asked = &options->query;
    pc_context *context = job->asked.context;
    pc_graph *graph = job->asked.graph;
    const char *place = job->partition != NULL ? "block" : "vertex";
    char about[CLI_ABOUT_BYTES + 32], what[CLI_ABOUT_BYTES];
    pc_frame frame = {.rows = job->labels,
                      .columns = job->labels,
                      .symmetric =
                          cli_paths_are_symmetric(asked->paths, !job->asked.facts->graph.directed),
                      .means = options->blocks.mean};
    pc_status status = cli_outputs_prepare(&job->outputs, context, options, &frame);
    pc_query query = cli_query_of(asked, options->length, &(cli_vertices){0});
    query.partition = job->partition;
    if (status == PC_OK)
        status =
            cli_plan_create(context, graph, &query, &options->count, &options->running, &job->plan);
    if (status != PC_OK)
        return status;
    const pc_plan_info *plan = pc_plan_get_info(job->plan);
    job->asked.facts->is_too_long =
        job->most_seconds > 0 && plan->predicted_seconds > job->most_seconds;
    if (job->asked.facts->is_too_long)
        return PC_OK;
    snprintf(about, sizeof about, "%s from %s i to %s j",
             cli_about_matrix(asked->paths, options->length, asked->up_to, frame.means, what),
             place, place);
    pc_frame told = frame;
    told.n_limbs = plan->n_limbs;
    told.about = about;
    told.entry = cli_entry_of(asked->paths, asked->up_to);
    for (size_t i = 0; i < options->output.n && status == PC_OK; i++) {
        const cli_output *output = &options->output.list[i];
        cli_read_back *read_back;
        status = cli_read_back_create(context, options, output, graph, job->partition, &read_back);
        if (status == PC_OK)
            status = cli_file_open(&job->outputs.files[job->outputs.n_files++], context, output,
                                   &told, read_back);
    }
    if (status == PC_OK)
        status = open_look(job, &frame);
    if (status == PC_OK && options->blocks.members_path != NULL)
        status = cli_write_members(context, graph, job->partition, options->blocks.members_path);
    if (status != PC_OK || options->blocks.graph_path == NULL)
        return status;
    pc_graph *quotient = NULL;
    status = pc_graph_quotient(context, graph, job->partition, &quotient);
    if (status == PC_OK)
        status = cli_write_graph(context, quotient, options->blocks.graph_path,
                                 options->running.is_quiet);
    pc_graph_free(quotient);
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
    if (job->asked.options->blocks.mean) {
        pc_reduction *grids[CLI_LOOK_REDUCTIONS];
        uint32_t n = cli_look_reductions(job->outputs.look, grids);
        shown.row_sizes = shown.column_sizes = job->blocks.sizes;
        for (uint32_t i = 0; i < n && status == PC_OK; i++)
            status = pc_reduction_add(grids[i], &shown);
    }
    return status == PC_OK ? cli_outputs_take(&job->outputs, &shown) : status;
}

static pc_status print_answer(count_job *job)
{
    const cli_count_options *options = job->asked.options;
    cli_count_facts *facts = job->asked.facts;
    cli_result result = {.command = job->partition != NULL ? "coarsen" : "count",
                         .options = options,
                         .partition = job->partition,
                         .labels = job->labels,
                         .read_seconds = facts->read_seconds};
    const pc_summary_values *values = &result.values;
    pc_status status = cli_result_complete(&result, job->plan, job->asked.graph, &job->outputs,
                                           job->start_seconds);
    if (status != PC_OK)
        return status;
    facts->bits = values->largest_bits;
    if (result.plan.arithmetic == PC_MODULAR) {
        snprintf(facts->total, CLI_FACT_BYTES, "%" PRIu64,
                 cli_decimal_modulo(values->total, result.plan.modulus));
    } else {
        cli_shorten_number(values->total, CLI_FACT_BYTES, facts->total);
        cli_shorten_number(values->largest, CLI_FACT_BYTES, facts->largest);
    }
    if (cli_output_is_printed(&options->output))
        return PC_OK;
    if (options->output.json) {
        cli_print_json(&result);
    } else if (!cli_outputs_show_table(&job->outputs, options, &result.plan)) {
        cli_print_summary(&result);
    } else {
        cli_outputs_print_table(result.table);
        if (options->output.form == CLI_FORM_TABLE)
            cli_print_totals(&result);
    }
    return PC_OK;
}

static pc_status answer_matrix(count_job *job)
{
    const cli_count_options *options = job->asked.options;
    pc_reduction *reductions[CLI_OUTPUTS_REDUCTIONS];
    bool has_means = options->blocks.mean;
    pc_status status = prepare(job);
    if (status == PC_OK && !job->asked.facts->is_too_long) {
        uint32_t n = cli_outputs_reductions(&job->outputs, reductions);
        bool wants_rows = cli_outputs_wants_rows(&job->outputs) || (has_means && n > 1);
        status = pc_plan_run(job->plan, reductions, has_means ? 1 : n,
                             wants_rows ? take_rows : NULL, job);
        if (status == PC_OK && options->count.n_certify_rounds == PC_CERTIFY_NONE)
            status =
                pc_graph_check(job->asked.context, job->asked.graph); /* else the plan did so */
        if (status == PC_OK)
            status = cli_outputs_commit(&job->outputs);
    }
    cli_progress_end(&job->progress);
    return status == PC_OK && !job->asked.facts->is_too_long ? print_answer(job) : status;
}

/* ---- The question ---------------------------------------------------------------------------- */

/* Reads the graph and makes its blocks. Refuses options that need the other program: one process
 * has no parts, and several have no certificate. */
static pc_status load(count_job *job)
{
    const cli_count_options *options = job->asked.options;
    cli_count_facts *facts = job->asked.facts;
    pc_context *context = job->asked.context;
    job->start_seconds = cli_now_seconds();
    if (cli_has_parts() && options->certificate_path != NULL)
        return pc_context_fail(context, PC_ERR_ARGUMENT,
                               "a certificate needs all arcs of the graph in one process: count "
                               "with pathcount, or leave --certificate out");
    if (!cli_has_parts() && (options->parts.checkpoint != NULL || options->parts.plan_for != NULL))
        return pc_context_fail(context, PC_ERR_ARGUMENT,
                               "--checkpoint and --plan-for are options of pathcount-mpi, which "
                               "runs in one process too: mpirun -n 1 pathcount-mpi");
    pc_status status = cli_has_parts() ? cli_begin_parts(context, options) : PC_OK;
    const char *column = options->time.column ? options->time.column : options->query.label_column;
    if (status == PC_OK && column != NULL)
        status = cli_load_labelled(context, &options->input, column, &job->asked.labelled,
                                   &job->asked.graph);
    else if (status == PC_OK)
        status = cli_load_graph(context, &options->input, &job->asked.graph);
    facts->read_seconds = cli_now_seconds() - job->start_seconds;
    facts->mark = cli_file_mark_of(options->input.path);
    cli_progress_end(&job->progress);
    if (status != PC_OK)
        return status;
    facts->has_graph = true;
    pc_graph_get_info(job->asked.graph, &facts->graph);
    if (job->asked.labelled != NULL) /* where multiplicities of other labels do not add */
        pc_labelled_edges_get_info(job->asked.labelled, &facts->graph);
    job->labels = pc_graph_labels(job->asked.graph);
    if (!options->running.is_quiet)
        cli_print_graph(stderr, &options->input, &facts->graph);
    if (options->any_length) { /* that of the longest path */
        job->of_any_length = *options;
        job->asked.options = &job->of_any_length;
        job->of_any_length.length = UINT64_MAX;
        if (options->time.column == NULL)
            status = pc_graph_longest_path(context, job->asked.graph, &job->of_any_length.length);
        if (status == PC_OK && !options->running.is_quiet && options->time.column == NULL)
            fprintf(stderr, "longest path: %" PRIu64 " arcs\n", job->of_any_length.length);
    }
    if (status != PC_OK || options->blocks.spec == NULL)
        return status;
    status = cli_make_blocks(context, job->asked.graph, &options->blocks, &job->partition);
    cli_progress_end(&job->progress);
    if (status == PC_OK) {
        pc_partition_get_info(job->partition, &job->blocks);
        job->labels = job->blocks.labels;
    }
    return status;
}

static pc_status run_job(count_job *job)
{
    pc_status status = load(job);
    const cli_count_options *options = job->asked.options;
    cli_count_facts *facts = job->asked.facts;
    pc_context *context = job->asked.context;
    pc_graph *graph = job->asked.graph;
    if (status == PC_OK && cli_asks_each_matrix(options)) {
        status = cli_each_matrix_answer(&job->asked);
    } else if (status == PC_OK && options->query.question != CLI_ASK_MATRIX) {
        status = open_look(job, NULL);
        if (status == PC_OK)
            status = cli_query_answer(&job->asked);
    } else if (status == PC_OK) {
        status = answer_matrix(job);
    }
    if (status == PC_OK)
        status = pc_graph_check(context, graph); /* its labels were needed until now */
    const pc_plan_info *last = pc_plan_last(context);
    facts->has_plan = status == PC_OK && last != NULL;
    if (facts->has_plan)
        facts->plan = *last;
    if (status == PC_OK && !facts->is_too_long)
        status = cli_look_finish(job->outputs.look, graph, options->query.paths, options->length,
                                 &job->progress);
    if (status != PC_OK || options->certificate_path == NULL)
        return status;
    /* The digest of one file has a place in the certificate. */
    const cli_output_options *output = &options->output;
    cli_verify_question question;
    status = cli_verify_question_make(context, options, graph, job->partition, &question);
    if (status == PC_OK)
        status = cli_certificate_write(
            &question,
            output->n == 1 && !cli_output_is_stream(&output->list[0]) ? output->list[0].path : NULL,
            options->certificate_path, CERTIFICATE_ROUNDS);
    cli_verify_question_free(&question);
    return status;
}

int cli_count_run(const cli_count_options *options, double most_seconds, cli_count_facts *facts)
{
    count_job job = {.asked = {.options = options, .facts = facts}, .most_seconds = most_seconds};
    int code = CLI_DONE;
    job.asked.progress = &job.progress;
    *facts = (cli_count_facts){0};
    facts->status = cli_open_context(&options->running, &job.progress, &job.asked.context);
    if (job.asked.context == NULL)
        return cli_fail(CLI_UNAVAILABLE, "%s", pc_status_text(facts->status));
    if (facts->status == PC_OK)
        facts->status = run_job(&job);
    if (facts->status != PC_OK)
        code = cli_fail_status(job.asked.context, facts->status);
    cli_outputs_free(&job.outputs);
    pc_plan_free(job.plan);
    pc_partition_free(job.partition);
    pc_graph_free(job.asked.graph);
    pc_labelled_edges_free(job.asked.labelled);
    pc_context_free(job.asked.context);
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

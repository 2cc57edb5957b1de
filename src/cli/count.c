/* `pathcount count`: reads a graph, counts its paths, answers. One pass over the rows of the result
 * feeds the summary, the file and the table. */
#include "src/cli/answer.h"
#include "src/cli/commands.h"
#include "src/cli/exit_codes.h"
#include "src/cli/explain.h"
#include "src/cli/load.h"
#include "src/cli/progress.h"
#include "src/cli/signals.h"

typedef struct count_job {
    cli_count_options options;
    cli_progress progress;
    pc_context *context;
    pc_graph *graph;
    pc_summary *summary;
    pc_writer *writer; /* NULL: no file */
    bool has_table;
    cli_table table;
    double start_seconds;
    double read_seconds;
} count_job;

static void free_job(count_job *job)
{
    pc_writer_free(job->writer);
    if (job->has_table)
        cli_table_free(&job->table);
    pc_summary_free(job->summary);
    pc_graph_free(job->graph);
    pc_context_free(job->context);
}

static pc_status set_up_context(count_job *job)
{
    const cli_running_options *running = &job->options.running;
    pc_status status = pc_context_create(&job->context);
    if (status != PC_OK)
        return status;
    pc_context_set_memory_limit(job->context, running->memory_limit_bytes);
    cli_progress_start(&job->progress, running->is_quiet);
    pc_context_set_progress(job->context, cli_progress_tell, &job->progress);
    if (running->device != NULL)
        status = pc_context_set_device(job->context, running->device);
    return status == PC_OK ? pc_context_set_threads(job->context, running->n_threads) : status;
}

static int load_graph(count_job *job)
{
    const cli_count_options *options = &job->options;
    pc_graph_info info;
    job->start_seconds = cli_now_seconds();
    int code = cli_load_graph(job->context, &options->input, &job->graph);
    job->read_seconds = cli_now_seconds() - job->start_seconds;
    cli_progress_end(&job->progress);
    if (code != CLI_DONE || options->running.is_quiet)
        return code;
    pc_graph_get_info(job->graph, &info);
    cli_print_graph(stderr, &options->input, &info);
    return CLI_DONE;
}

/* Plan, summary, table and file: all that is needed before the first row comes. */
static pc_status prepare(count_job *job)
{
    const cli_count_options *options = &job->options;
    pc_plan plan;
    pc_graph_info info;
    pc_graph_get_info(job->graph, &info);
    pc_frame frame = {.rows = pc_graph_labels(job->graph),
                      .columns = pc_graph_labels(job->graph),
                      .symmetric = !info.directed};
    pc_status status = pc_summary_create(job->context, &frame, &job->summary);
    if (status != PC_OK)
        return status;
    job->has_table = pc_graph_n_vertices(job->graph) <= CLI_TABLE_VERTICES;
    if (job->has_table && (status = cli_table_create(job->graph, &job->table)) != PC_OK)
        return status;
    if (!options->running.explain && options->output_path == NULL)
        return PC_OK;
    status = pc_plan_make(job->context, job->graph, options->length, &options->count, 0, &plan);
    if (status == PC_OK && options->running.explain)
        cli_explain_plan(stderr, &plan);
    if (status == PC_OK && options->output_path != NULL) {
        cli_signals_defer();
        frame.n_limbs = plan.n_limbs;
        status = pc_writer_open(job->context, options->output_path, &frame, &job->writer);
    }
    return status;
}

static pc_status take_rows(void *user, const pc_rows *rows)
{
    count_job *job = user;
    pc_status status = pc_summary_add(job->summary, rows);
    if (status == PC_OK && job->has_table)
        status = cli_table_add(&job->table, rows);
    if (status == PC_OK && job->writer != NULL)
        status = pc_writer_add(job->writer, rows);
    return status;
}

static pc_status count_paths(count_job *job)
{
    const cli_count_options *options = &job->options;
    pc_status status =
        pc_count_rows(job->context, job->graph, options->length, &options->count, take_rows, job);
    if (status == PC_OK && job->writer != NULL) {
        if (cli_signals_pending() != 0)
            return PC_ERR_CANCELLED;
        pc_writer *writer = job->writer;
        job->writer = NULL;
        status = pc_writer_commit(writer);
    }
    return status;
}

static pc_status print_answer(count_job *job)
{
    cli_answer answer = {.options = &job->options,
                         .graph = job->graph,
                         .table = job->has_table ? &job->table : NULL,
                         .read_seconds = job->read_seconds};
    pc_graph_get_info(job->graph, &answer.info);
    pc_status status = pc_plan_last(job->context, &answer.plan);
    if (status == PC_OK)
        status = pc_summary_get(job->summary, &answer.values);
    if (status != PC_OK)
        return status;
    answer.total_seconds = cli_now_seconds() - job->start_seconds;
    if (job->options.running.explain)
        cli_explain_times(stderr, &answer.plan);
    if (job->options.json)
        return cli_print_json(stdout, &answer);
    if (answer.table == NULL || job->options.output_path != NULL)
        return cli_print_summary(stdout, &answer);
    cli_table_print(stdout, answer.table);
    return PC_OK;
}

int cli_count(int argc, char **argv)
{
    count_job job = {0};
    cli_count_options_parse(argc, argv, &job.options);
    pc_status status = set_up_context(&job);
    if (job.context == NULL)
        return cli_fail(CLI_UNAVAILABLE, "%s", pc_status_text(status));
    int code = status == PC_OK ? load_graph(&job) : cli_fail_status(job.context, status);
    if (code == CLI_DONE) {
        status = prepare(&job);
        if (status == PC_OK)
            status = count_paths(&job);
        cli_progress_end(&job.progress);
        if (status == PC_OK)
            status = print_answer(&job);
        if (status != PC_OK)
            code = cli_fail_status(job.context, status);
    }
    free_job(&job);
    return code;
}

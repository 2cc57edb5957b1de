/* --katz and --subgraph-centrality: a line for each vertex, and what was cut off. */
#include "src/cli/centrality.h"

#include "src/cli/digits.h"
#include "src/cli/json_head.h"
#include "src/cli/json_text.h"
#include "src/cli/query_table.h"
#include "src/cli/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

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

static pc_status out_of_memory(const centrality_job *job)
{
    return pc_context_fail(job->context, PC_ERR_MEMORY, "no memory to print the answer");
}

static pc_status sum_up(centrality_job *job)
{
    uint64_t length = job->options->length, n = pc_graph_n_vertices(job->graph);
    job->value = calloc(n + 1, sizeof *job->value);
    if (job->value == NULL)
        return out_of_memory(job);
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
            status = out_of_memory(job);
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

static pc_status print_json(centrality_job *job)
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
    return cli_json_print(stdout, root) == PC_OK ? PC_OK : out_of_memory(job);
}

pc_status cli_centrality_answer(pc_context *context, const pc_graph *graph,
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
        status = print_json(&job);
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

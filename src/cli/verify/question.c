/* The shape of an answer. */
#include "src/cli/verify/question.h"

#include "src/cli/kinds.h"

#include <omp.h>

static void set_shape(cli_verify_question *q)
{
    uint64_t n = pc_labels_count(q->labels);
    q->n_rows = n;
    q->n_columns = 1;
    switch (q->options->query.question) {
    case CLI_ASK_FROM:
    case CLI_ASK_TO:
        q->n_rows = q->vertices.n;
        q->n_columns = n;
        break;
    case CLI_ASK_PAIRS:
        q->n_rows = q->vertices.n;
        break;
    case CLI_ASK_TOTAL:
    case CLI_ASK_TRACE:
        q->n_rows = 1;
        break;
    case CLI_ASK_SUMS:
        q->n_columns = 2;
        break;
    case CLI_ASK_MATRIX:
    case CLI_ASK_TOP:
    case CLI_ASK_TOP_EACH:
        q->n_columns = n;
        break;
    default:
        break;
    }
}

pc_status cli_verify_question_make(pc_context *context, const cli_count_options *options,
                                   const pc_graph *graph, const pc_partition *partition,
                                   cli_verify_question *question)
{
    pc_graph_info info;
    pc_graph_get_info(graph, &info);
    int n_threads =
        options->running.n_threads > 0 ? (int)options->running.n_threads : omp_get_max_threads();
    omp_set_num_threads(n_threads < CLI_MOST_THREADS ? n_threads : CLI_MOST_THREADS);
    *question = (cli_verify_question){
        .context = context,
        .options = options,
        .graph = graph,
        .partition = partition,
        .first_length = options->query.each ? 1 : options->length,
        .n_lengths = options->query.each ? options->length : 1,
        .is_symmetric = cli_paths_are_symmetric(options->query.paths, !info.directed)};
    pc_partition_get_info(partition, &question->blocks);
    question->labels = partition != NULL ? question->blocks.labels : pc_graph_labels(graph);
    pc_status status = cli_vertices_find(context, graph, options->input.path, &options->query,
                                         &question->vertices);
    question->column_labels = question->labels;
    set_shape(question);
    return status;
}

pc_status cli_verify_question_of_chain(pc_context *context, const cli_count_options *options,
                                       const cli_chain_walk *chain, cli_verify_question *question)
{
    *question = (cli_verify_question){.context = context,
                                      .options = options,
                                      .labels = chain->rows,
                                      .column_labels = chain->columns,
                                      .chain = chain,
                                      .n_rows = pc_labels_count(chain->rows),
                                      .n_columns = pc_labels_count(chain->columns),
                                      .first_length = options->length,
                                      .n_lengths = 1};
    return !options->has_length || chain->is_square
               ? PC_OK
               : pc_context_fail(context, PC_ERR_DATA,
                                 "--power: rows and columns of the product have other labels, or "
                                 "the same in another order");
}

void cli_verify_question_free(cli_verify_question *question)
{
    cli_vertices_free(&question->vertices);
}

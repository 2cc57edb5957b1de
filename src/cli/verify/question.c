/* The shape of an answer, by the kind of question. */
#include "src/cli/verify/question.h"

#include "src/cli/text.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

pc_status cli_verify_question_make(pc_context *context, const cli_count_options *options,
                                   const pc_graph *graph, const pc_partition *partition,
                                   cli_verify_question *question)
{
    const cli_question_kind *kind = cli_question_kind_of(options->query.question);
    bool is_named = kind->first == CLI_ASKED || kind->second == CLI_ASKED;
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
        .is_symmetric = cli_paths_are_symmetric(options->query.paths, !info.directed),
        .kind = kind,
        .is_square = true,
        .has_names = !is_named && !kind->is_sum};
    pc_partition_get_info(partition, &question->blocks);
    question->labels = partition != NULL ? question->blocks.labels : pc_graph_labels(graph);
    question->column_labels = question->labels;
    pc_status status = cli_vertices_find(context, graph, options->input.path, &options->query,
                                         &question->vertices);
    uint64_t n = pc_labels_count(question->labels);
    question->n_rows = is_named ? question->vertices.n : kind->is_sum ? 1 : n;
    question->n_columns = cli_verify_has_few_columns(question) ? 1 + (kind->heads[1] != NULL) : n;
    return status;
}

/* Looks whether two lists have the same labels in the same order. */
static pc_status compare_labels(pc_context *context, const pc_labels *one, const pc_labels *other,
                                bool *are_equal)
{
    uint64_t n = pc_labels_count(one);
    bool has_memory = true;
    *are_equal = n == pc_labels_count(other);
    for (uint64_t i = 0; i < n && *are_equal && has_memory; i++) {
        char *a = cli_label_raw(one, i), *b = cli_label_raw(other, i);
        has_memory = a != NULL && b != NULL;
        *are_equal = has_memory && strcmp(a, b) == 0;
        free(a);
        free(b);
    }
    return has_memory ? PC_OK
                      : pc_context_fail(context, PC_ERR_MEMORY, "no memory to match the relations");
}

pc_status cli_verify_question_of_product(pc_context *context, const cli_count_options *options,
                                         const cli_product *product, cli_verify_question *question)
{
    *question = (cli_verify_question){.context = context,
                                      .options = options,
                                      .kind = cli_question_kind_of(CLI_ASK_MATRIX),
                                      .labels = product->rows,
                                      .column_labels = product->columns,
                                      .product = product,
                                      .n_rows = pc_labels_count(product->rows),
                                      .n_columns = pc_labels_count(product->columns),
                                      .first_length = options->length,
                                      .n_lengths = 1,
                                      .has_names = true};
    pc_status status =
        compare_labels(context, product->rows, product->columns, &question->is_square);
    if (status == PC_OK && options->has_length && !question->is_square)
        status = pc_context_fail(context, PC_ERR_DATA,
                                 "--power: rows and columns of the product have other labels, or "
                                 "the same in another order");
    return status;
}

void cli_verify_question_free(cli_verify_question *question)
{
    cli_vertices_free(&question->vertices);
}

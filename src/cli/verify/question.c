/* The shape of an answer, by the kind of question, and the relations of a product. */
#include "src/cli/verify/question.h"

#include "src/cli/process.h"
#include "src/cli/text.h"

#include <jansson.h>
#include <omp.h>
#include <stdio.h>
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

/* ---- Products of relations ------------------------------------------------------------------- */

/* Returns for each of the labels its place among the others, UINT64_MAX where it has none, and counts those that
 * have one. The caller free()s it. */
static uint64_t *match(const pc_labels *labels, const pc_labels *others, uint64_t *n_matched)
{
    uint64_t n = pc_labels_count(labels);
    uint64_t *place = cli_need(malloc((n + 1) * sizeof *place));
    json_t *places = json_object();
    *n_matched = 0;
    for (uint64_t i = 0; i < pc_labels_count(others); i++) {
        char *label = cli_label_raw(others, i);
        json_object_set_new_nocheck(places, label, json_integer((json_int_t)i));
        free(label);
    }
    for (uint64_t i = 0; i < n; i++) {
        char *label = cli_label_raw(labels, i);
        const json_t *found = json_object_get(places, label);
        place[i] = found != NULL ? (uint64_t)json_integer_value(found) : UINT64_MAX;
        *n_matched += found != NULL;
        free(label);
    }
    json_decref(places);
    return place;
}

static pc_status read_factors(pc_context *context, const pc_graph_options *options,
                              const cli_factor *factors, bool allow_missing, cli_product *product)
{
    char sentence[640];
    for (uint32_t f = 0; f < product->n_factors; f++) {
        bool is_turned = factors[f].is_transposed;
        pc_relation_info info;
        pc_status status = pc_relation_read(context, factors[f].path, options, &product->factor[f]);
        if (status != PC_OK)
            return status == PC_ERR_RANGE ? PC_ERR_DATA : status;
        pc_relation_get_info(product->factor[f], &info);
        cli_arcs_make(&info.arcs, pc_labels_count(info.rows), pc_labels_count(info.columns),
                      is_turned, CLI_STEP_RESIDUES, 1, &product->arcs[f]);
        product->rows[f] = is_turned ? info.columns : info.rows;
        product->columns[f] = is_turned ? info.rows : info.columns;
    }
    for (uint32_t f = 0; f + 1 < product->n_factors; f++) {
        const pc_labels *columns = product->columns[f], *rows = product->rows[f + 1];
        uint64_t n_matched;
        product->row_of[f] = match(columns, rows, &n_matched);
        if (allow_missing ||
            (n_matched == pc_labels_count(columns) && n_matched == pc_labels_count(rows)))
            continue;
        snprintf(sentence, sizeof sentence,
                 "the columns of %.200s have not the labels that the rows of %.200s have "
                 "(--allow-missing lets them)",
                 factors[f].name, factors[f + 1].name);
        return pc_context_fail(context, PC_ERR_DATA, sentence);
    }
    return PC_OK;
}

pc_status cli_verify_question_of_product(pc_context *context, const cli_count_options *options,
                                         uint32_t n_factors, const cli_factor *factors,
                                         bool allow_missing, cli_verify_question *question)
{
    cli_product *product = cli_need(calloc(1, sizeof *product));
    uint64_t n_matched;
    *question = (cli_verify_question){.context = context,
                                      .options = options,
                                      .kind = cli_question_kind_of(options->query.question),
                                      .product = product,
                                      .first_length = options->length,
                                      .n_lengths = 1,
                                      .has_names = true};
    product->n_factors = n_factors;
    pc_status status =
        read_factors(context, &options->input.graph, factors, allow_missing, product);
    if (status != PC_OK)
        return status;
    question->labels = product->rows[0];
    question->column_labels = product->columns[n_factors - 1];
    question->n_rows = pc_labels_count(question->labels);
    question->n_columns = pc_labels_count(question->column_labels);
    uint64_t *place = match(question->labels, question->column_labels, &n_matched);
    question->is_square = question->n_rows == question->n_columns;
    for (uint64_t row = 0; row < question->n_rows; row++)
        question->is_square = question->is_square && place[row] == row;
    free(place);
    return !options->has_length || question->is_square
               ? PC_OK
               : pc_context_fail(context, PC_ERR_DATA,
                                 "--power: rows and columns of the product have other labels, or "
                                 "the same in another order");
}

void cli_verify_question_free(cli_verify_question *question)
{
    cli_product *product = question->product;
    for (uint32_t f = 0; product != NULL && f < product->n_factors; f++) {
        cli_arcs_free(&product->arcs[f]);
        pc_relation_free(product->factor[f]);
        free(product->row_of[f]);
    }
    free(product);
    cli_vertices_free(&question->vertices);
}

/* The shape of an answer: a table of what is asked. */
#include "src/cli/verify/question.h"

#include "src/cli/kinds.h"
#include "src/cli/text.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* How many rows, or columns, an answer has. */
typedef enum extent { ONE, TWO, ALL, NAMED } extent; /* NAMED: those that the query names */

static const struct {
    extent rows, columns;
    int n_vertices;       /* in a line */
    const char *count[2]; /* names of the columns of counts; NULL: that of the kind of path */
} shapes[] = {
    [CLI_ASK_MATRIX] = {ALL, ALL, 2, {NULL}},
    [CLI_ASK_FROM] = {NAMED, ALL, 2, {NULL}},
    [CLI_ASK_TO] = {NAMED, ALL, 2, {NULL}},
    [CLI_ASK_PAIRS] = {NAMED, ONE, 2, {NULL}},
    [CLI_ASK_TOTAL] = {ONE, ONE, 0, {NULL}},
    [CLI_ASK_SUMS] = {ALL, TWO, 1, {"starting", "ending"}},
    [CLI_ASK_CLOSED] = {ALL, ONE, 1, {NULL}},
    [CLI_ASK_TRACE] = {ONE, ONE, 0, {NULL}},
    [CLI_ASK_TOP] = {ALL, ALL, 2, {NULL}},
    [CLI_ASK_TOP_EACH] = {ALL, ALL, 2, {NULL}},
    [CLI_ASK_KATZ] = {ALL, ONE, 1, {"centrality"}},
    [CLI_ASK_SUBGRAPH] = {ALL, ONE, 1, {"centrality"}},
};

static uint64_t extent_of(const cli_verify_question *q, extent extent)
{
    return extent == ALL     ? pc_labels_count(q->labels)
           : extent == NAMED ? q->vertices.n
                             : 1 + (extent == TWO);
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
        .is_symmetric = cli_paths_are_symmetric(options->query.paths, !info.directed),
        .is_square = true,
        .has_names = shapes[options->query.question].rows == ALL};
    pc_partition_get_info(partition, &question->blocks);
    question->labels = partition != NULL ? question->blocks.labels : pc_graph_labels(graph);
    question->column_labels = question->labels;
    pc_status status = cli_vertices_find(context, graph, options->input.path, &options->query,
                                         &question->vertices);
    question->n_rows = extent_of(question, shapes[options->query.question].rows);
    question->n_columns = extent_of(question, shapes[options->query.question].columns);
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

bool cli_verify_is_series(const cli_verify_question *question)
{
    cli_question asked = question->options->query.question;
    return asked == CLI_ASK_KATZ || asked == CLI_ASK_SUBGRAPH;
}

bool cli_verify_is_real(const cli_verify_question *question)
{
    return question->options->count.arithmetic == PC_FLOAT || cli_verify_is_series(question);
}

bool cli_verify_has_few_columns(const cli_verify_question *question)
{
    return shapes[question->options->query.question].columns != ALL;
}

/* ---- Lines of an answer to a query ----------------------------------------------------------- */

size_t cli_line_columns(const cli_verify_question *question, const char *columns[CLI_LINE_COLUMNS])
{
    const cli_query_options *asked = &question->options->query;
    const cli_path_kind *kind = cli_path_kind_of(asked->paths);
    int n_vertices = shapes[asked->question].n_vertices;
    bool is_sum = n_vertices == 0 || asked->up_to;
    size_t n = 0;
    if (asked->each)
        columns[n++] = "length";
    if (n_vertices == 1)
        columns[n++] = "vertex";
    if (n_vertices == 2) {
        columns[n++] = "from";
        columns[n++] = "to";
    }
    for (int c = 0; c < 2 && shapes[asked->question].count[c] != NULL; c++)
        columns[n++] = shapes[asked->question].count[c];
    if (shapes[asked->question].count[0] == NULL)
        columns[n++] = is_sum ? kind->sum : kind->column;
    return n;
}

bool cli_line_is_bare(const cli_verify_question *question)
{
    const cli_query_options *asked = &question->options->query;
    return !asked->each && question->n_rows == 1 && shapes[asked->question].rows != ALL &&
           shapes[asked->question].columns == ONE;
}

size_t cli_line_vertices(const cli_verify_question *question, uint64_t row, uint64_t column,
                         uint64_t vertices[2])
{
    const cli_vertices *named = &question->vertices;
    cli_question asked = question->options->query.question;
    bool is_named = shapes[asked].rows == NAMED;
    vertices[0] = !is_named || asked == CLI_ASK_TO ? (is_named ? column : row) : named->from[row];
    vertices[1] = is_named && asked != CLI_ASK_FROM ? named->to[row] : column;
    return (size_t)shapes[asked].n_vertices;
}

/* The question that a result answers: the shape of the answer for one length, and its labels. */
#ifndef CLI_VERIFY_QUESTION_H
#define CLI_VERIFY_QUESTION_H

#include "src/cli/chain_options.h"
#include "src/cli/kinds.h"
#include "src/cli/verify/walk.h"

enum { CLI_MOST_FACTORS = 64 };

/* Relations whose product a result is: a vector goes through them from the last to the first. Columns of one and rows
 * of the next are matched by label. */
typedef struct cli_product {
    uint32_t n_factors;
    pc_relation *factor[CLI_MOST_FACTORS];
    cli_arcs
        arcs[CLI_MOST_FACTORS]; /* from rows to columns, also of one that was to be transposed */
    const pc_labels *rows[CLI_MOST_FACTORS], *columns[CLI_MOST_FACTORS];
    uint64_t *row_of
        [CLI_MOST_FACTORS]; /* for each column the row of the next factor with the same label; UINT64_MAX:
                                           there is none */
} cli_product;

/* Refers to options, graph and partition, which must outlive it. */
typedef struct cli_verify_question {
    pc_context *context;
    const cli_count_options *options;
    const cli_question_kind *kind;
    const pc_graph *graph;         /* NULL: the matrix is a power of a product of relations, whose
                                      exponent is options->length */
    const pc_partition *partition; /* NULL: counts are between vertices */
    pc_partition_info blocks;
    cli_product *product;
    const pc_labels *labels,
        *column_labels;    /* of a matrix; the first also of the vertices of a query */
    cli_vertices vertices; /* that a query names */
    uint64_t n_rows, n_columns;
    uint64_t first_length, n_lengths; /* that have an answer each */
    bool is_symmetric;
    bool is_square; /* rows and columns have the same labels in the same order */
    bool has_names; /* a row of the answer is that of the vertex or block with its number */
} cli_verify_question;

/* PC_ERR_DATA for a vertex that the graph does not have. cli_verify_question_free also after a failure. */
pc_status cli_verify_question_make(pc_context *context, const cli_count_options *options,
                                   const pc_graph *graph, const pc_partition *partition,
                                   cli_verify_question *question);

/* Asks for the product of relations, or for its power, and reads them. PC_ERR_DATA when neighbours have different
 * labels, unless allow_missing, and when a power is asked for and the product is not square; else as
 * pc_relation_read. */
pc_status cli_verify_question_of_product(pc_context *context, const cli_count_options *options,
                                         uint32_t n_factors, const cli_factor *factors,
                                         bool allow_missing, cli_verify_question *question);
void cli_verify_question_free(cli_verify_question *question);

/* True for Katz and subgraph centrality. */
static inline bool cli_verify_is_series(const cli_verify_question *question)
{
    return question->kind->numbers == CLI_SERIES;
}

static inline bool cli_verify_is_modular(const cli_verify_question *question)
{
    return question->options->count.arithmetic == PC_MODULAR;
}

/* False where a row has a column for each vertex or block. */
static inline bool cli_verify_has_few_columns(const cli_verify_question *question)
{
    return question->kind->first != CLI_COLUMN && question->kind->second != CLI_COLUMN;
}

/* True for a matrix. */
static inline bool cli_verify_is_matrix(const cli_verify_question *question)
{
    return question->kind->first == CLI_ROW && question->kind->second == CLI_COLUMN;
}

#endif

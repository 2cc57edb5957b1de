/* What a result is the answer to: the shape of the answer for one length, and what rows, columns and
 * lines stand for. */
#ifndef CLI_VERIFY_QUESTION_H
#define CLI_VERIFY_QUESTION_H

#include "src/cli/count_options.h"
#include "src/cli/vertices.h"
#include "src/cli/verify/chain_walk.h"

/* Refers to options, graph and partition, which must outlive it. */
typedef struct cli_verify_question {
    pc_context *context;
    const cli_count_options *options;
    const pc_graph *graph;
    const pc_partition *partition; /* NULL: counts are between vertices */
    pc_partition_info blocks;
    const pc_labels *labels; /* of the rows of a matrix; of the vertices of a query */
    const pc_labels *column_labels;
    const cli_chain_walk
        *chain;            /* the matrix is a power of a product of relations, whose exponent is
                                    options->length, and graph is NULL; else NULL */
    cli_vertices vertices; /* that a query names */
    uint64_t n_rows, n_columns;
    uint64_t first_length, n_lengths; /* that have an answer each */
    bool is_symmetric;
} cli_verify_question;

/* PC_ERR_DATA for a vertex that the graph does not have. cli_verify_question_free also after a failure. */
pc_status cli_verify_question_make(pc_context *context, const cli_count_options *options,
                                   const pc_graph *graph, const pc_partition *partition,
                                   cli_verify_question *question);

/* The product of relations, or its power. PC_ERR_DATA when a power is asked for, and the product is not
 * square. */
pc_status cli_verify_question_of_chain(pc_context *context, const cli_count_options *options,
                                       const cli_chain_walk *chain, cli_verify_question *question);
void cli_verify_question_free(cli_verify_question *question);

/* Katz or subgraph centrality. */
static inline bool cli_verify_is_series(const cli_verify_question *question)
{
    cli_question asked = question->options->query.question;
    return asked == CLI_ASK_KATZ || asked == CLI_ASK_SUBGRAPH;
}

static inline bool cli_verify_is_modular(const cli_verify_question *question)
{
    return question->options->count.arithmetic == PC_MODULAR;
}

#endif

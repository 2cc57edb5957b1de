/* What is printed of a product of relations, as text or JSON. */
#ifndef CLI_CHAIN_RESULT_H
#define CLI_CHAIN_RESULT_H

#include "src/cli/chain_options.h"
#include "src/cli/table.h"

#include <stdio.h>

typedef struct cli_chain_result {
    const cli_chain_options *options;
    const pc_relation *const *factors; /* [options->n_factors] */
    pc_chain_info info;
    pc_summary_values values; /* of similarities: without those of a row to itself */
    bool is_symmetric;
    const cli_table *table; /* NULL when the product is too large for one */
    double read_seconds, total_seconds;
} cli_chain_result;

/* The matrix as a table; similarities with four decimals. PC_ERR_MEMORY as below. */
pc_status cli_chain_print_table(FILE *out, cli_table *table, bool is_similarity);

/* PC_ERR_MEMORY when there is no memory for labels; then nothing was printed. */
pc_status cli_chain_print_summary(FILE *out, const cli_chain_result *result);

/* The answer as one JSON object; PC_ERR_MEMORY as above. */
pc_status cli_chain_print_json(FILE *out, const cli_chain_result *result);

#endif

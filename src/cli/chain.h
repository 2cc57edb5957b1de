/* What is printed of a product of relations, as text or JSON. */
#ifndef CLI_CHAIN_H
#define CLI_CHAIN_H

#include "src/cli/chain_options.h"
#include "src/cli/outputs.h"

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

#endif

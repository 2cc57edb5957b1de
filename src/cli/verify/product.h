/* Relations whose product a result is: a vector goes through them from the last to the first. Rows and columns of
 * neighbours are matched by label. */
#ifndef CLI_VERIFY_PRODUCT_H
#define CLI_VERIFY_PRODUCT_H

#include "src/cli/chain_options.h"

/* All zero at first. */
typedef struct cli_product {
    uint32_t n_factors;
    pc_relation **factors; /* [n_factors] as they were read, also those that are to be transposed */
    bool *is_transposed;   /* [n_factors] */
    uint64_t **row_of; /* [n_factors - 1][columns of the factor]: the row of the next factor with
                              the same label; UINT64_MAX: there is none */
    const pc_labels *rows, *columns;
} cli_product;

/* Reads the relations. PC_ERR_DATA when neighbours have different labels, unless allow_missing; else as
 * pc_relation_read. cli_product_free also after a failure. */
pc_status cli_product_read(pc_context *context, const pc_graph_options *options, uint32_t n_factors,
                           const cli_factor *factors, bool allow_missing, cli_product *product);
void cli_product_free(cli_product *product);

/* y = product^power x modulo a number below 2^63; power is 1 unless the product is square. False when there is no
 * memory. */
bool cli_product_times(const cli_product *product, uint64_t power, uint64_t modulus,
                       const uint64_t *x, uint64_t *y);

#endif

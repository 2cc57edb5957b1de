/* The whole matrix, of all paths or of another kind. */
#ifndef CLI_MATRIX_H
#define CLI_MATRIX_H

#include "src/cli/count_options.h"

/* What cli_matrix_rows would do. */
pc_status cli_matrix_plan(pc_context *context, const pc_graph *graph,
                          const cli_count_options *options, pc_plan *plan);

/* Passes it on in row blocks: all paths as pc_count_rows does, others as a query from every
 * vertex. */
pc_status cli_matrix_rows(pc_context *context, const pc_graph *graph,
                          const cli_count_options *options, pc_rows_fn take, void *user);

#endif

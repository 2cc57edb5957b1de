/* The matrices of all lengths from 1 on: into a folder, a file for each length, or one .npy file
 * of all. */
#ifndef CLI_EACH_MATRIX_H
#define CLI_EACH_MATRIX_H

#include "src/cli/count.h"
#include "src/cli/terminal.h"

#include <inttypes.h>
#include <stdio.h>

/* Counts, writes, and prints the sum of each matrix. After a failure there is no file, and no
 * folder that was not there. Errors as pc_query_run and pc_writer_commit. */
pc_status cli_each_matrix_answer(pc_context *context, const pc_graph *graph,
                                 const cli_count_options *options, cli_progress *progress,
                                 cli_count_facts *facts);

/* The digits that the names of files in the folder have: "01.tsv" of 12 lengths. */
static inline int cli_each_matrix_digits(uint64_t n_lengths)
{
    return snprintf(NULL, 0, "%" PRIu64, n_lengths);
}

#endif

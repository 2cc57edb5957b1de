/* A count as a command line asks for it, from the graph to the answer. */
#ifndef CLI_COUNT_H
#define CLI_COUNT_H

#include "src/cli/count_options.h"
#include "src/cli/files.h"
#include "src/cli/terminal.h"

#include "pathcount_labelled.h"

enum { CLI_FACT_BYTES = 128 }; /* of a number */

/* The facts about a count: a batch records it. */
typedef struct cli_count_facts {
    pc_status status; /* of the call that failed; PC_OK */
    bool has_graph;
    pc_graph_info graph;
    bool has_plan;
    pc_plan_info plan; /* of the count, with measured times */
    double read_seconds;
    cli_file_mark mark; /* of the graph, when it had been read */
    uint32_t bits; /* width of the largest count of the answer; 0 for doubles, and when all are 0 */
    /* Texts, "" where there are none: all paths (modulo M) of the longest length, and the
     * largest count. A longer number has 15 digits and an exponent. */
    char total[CLI_FACT_BYTES], largest[CLI_FACT_BYTES];
    bool is_too_long;
} cli_count_facts;

/* A question holds this while it is answered. */
typedef struct cli_asked {
    const cli_count_options *options;
    pc_context *context;
    pc_graph *graph;
    pc_labelled_edges *labelled; /* of --match and of walks in time, the same edges; NULL: none */
    cli_progress *progress;
    cli_count_facts *facts; /* that the answer completes */
} cli_asked;

/* Counts and answers; errors go to stderr. Returns the exit code. most_seconds > 0: a whole
 * matrix that is predicted to take longer is not begun; then is_too_long is set and the code is
 * CLI_DONE. */
int cli_count_run(const cli_count_options *options, double most_seconds, cli_count_facts *facts);

/* Answers a question that asks for less than a whole matrix: prints line by line. PC_ERR_CERTIFY
 * when the text of a count did not hold. */
pc_status cli_query_answer(const cli_asked *asked);

/* The matrices of all lengths from 1 on, into a folder, a file for each length, or one .npy file of
 * all: counts, writes, and prints the sum of each. After a failure there is no file, and no folder
 * that was not there. Errors as pc_query_run and pc_writer_commit. */
pc_status cli_each_matrix_answer(const cli_asked *asked);

#endif

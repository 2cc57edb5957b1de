/* The command line of `pathcount verify`, and the folder of a batch. */
#ifndef CLI_VERIFY_COMMAND_H
#define CLI_VERIFY_COMMAND_H

#include "src/cli/verify/question.h"

typedef struct cli_verify_options {
    cli_count_options count;
    const char *result; /* NULL: the graph is the folder of a batch */
    bool is_stream;     /* GRAPH is a stream of graphs, RESULT a line for each */
    bool is_chain;      /* RESULT is a product of relations, or its power, where has_length */
    bool allow_missing;
    uint32_t n_factors;
    cli_factor factors[CLI_MOST_FACTORS];
    size_t n_arguments;
    char *arguments[CLI_MOST_FACTORS + 1]; /* the relations, or the graph, then the result */
} cli_verify_options;

/* Its structure is cli_verify_options. */
extern const cli_command cli_verify_command;

/* Certifies one result by its own command line; returns an exit code after a message. */
typedef int (*cli_verify_one_fn)(const cli_verify_options *options);

/* Certifies the last result of each job in FOLDER/manifest.jsonl, and goes on after one that does not
 * hold. Returns the exit code: CLI_BAD_DATA when one does not hold, CLI_SOME_FAILED when a job has no
 * result. */
int cli_verify_folder(const char *folder, bool is_quiet, cli_verify_one_fn verify);

#endif

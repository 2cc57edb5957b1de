/* Certifies results: reads them, and holds every number against the graph. */
#ifndef CLI_VERIFY_VERIFY_H
#define CLI_VERIFY_VERIFY_H

#include "src/cli/verify/checker.h"

/* What became of it. */
typedef struct cli_verified {
    uint64_t n_counts; /* that were read and hold */
    uint64_t n_rounds; /* 0: doubles */
} cli_verified;

/* Certifies the result of a question in a file; messages call it name. PC_ERR_DATA names the line and says
 * what is wrong; PC_ERR_NO_INPUT, PC_ERR_IO, PC_ERR_MEMORY. */
pc_status cli_verify_file(const cli_verify_question *question, const char *path, const char *name,
                          cli_verified *verified);

/* Certifies rows of a matrix that is in memory, not packed: those where only is true, all when it is NULL.
 * The checker, which is freed, has to know what these rows must be. PC_ERR_DATA, PC_ERR_MEMORY. */
pc_status cli_verify_rows(const cli_verify_question *question, const char *name, const char *text,
                          size_t n_bytes, const bool *only, cli_checker *checker);

#endif

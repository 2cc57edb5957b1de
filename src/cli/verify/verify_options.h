/* The command line of `pathcount verify`. */
#ifndef CLI_VERIFY_OPTIONS_H
#define CLI_VERIFY_OPTIONS_H

#include "src/cli/count_options.h"

typedef struct cli_verify_options {
    cli_count_options count;
    const char *result; /* NULL: the graph is the folder of a batch */
} cli_verify_options;

/* Its structure is cli_verify_options. */
extern const cli_command cli_verify_command;

#endif

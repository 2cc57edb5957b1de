/* Options of the count command. */
#ifndef CLI_COUNT_OPTIONS_H
#define CLI_COUNT_OPTIONS_H

#include "src/cli/options.h"

typedef struct cli_count_options {
    cli_input_options input;
    cli_running_options running;
    bool has_length;
    uint64_t length;
    pc_count_options count;
    const char *output_path; /* NULL: no file */
    bool json;
} cli_count_options;

/* Reads the command line; ends the process with CLI_USAGE when it makes no sense, and after --help
 * or --version. */
void cli_count_options_parse(int argc, char **argv, cli_count_options *options);

#endif

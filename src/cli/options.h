/* Options that commands share, as argp parsers to be children of a command's own. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "src/cli/formats.h"

#include <argp.h>
#include <stdbool.h>

typedef struct cli_input_options {
    const char *path;         /* an argument of the command, not an option */
    const cli_format *format; /* NULL: by extension and content */
    pc_graph_options graph;
} cli_input_options;

typedef struct cli_running_options {
    bool is_quiet;
    bool explain;
    bool no_sync;                /* files need not be on the disk when they get their names */
    const char *device;          /* for pc_context_set_device; NULL: its default */
    int n_threads;               /* 0: all processors */
    uint64_t memory_limit_bytes; /* 0: what the machine has free */
} cli_running_options;

/* Their input pointers are a cli_input_options and a cli_running_options, all zero at first. */
extern const struct argp cli_input_argp;
extern const struct argp cli_running_argp;
extern const struct argp cli_running_many_argp; /* of many counts at once: without --explain */

/* --help, --usage and --version, which end the process; needs no input. It takes the place of the
 * options of argp itself (ARGP_NO_HELP), which know no -h and hide the help filter. */
extern const struct argp cli_about_argp;

/* argp_parse, but ends the process with a message when there is no memory for it. */
void cli_parse(const struct argp *argp, int argc, char **argv, unsigned flags, void *input);

/* An integer from least to most; else a usage error that names what, such as "--length". */
uint64_t cli_parse_integer(const struct argp_state *state, const char *what, const char *text,
                           uint64_t least, uint64_t most);

/* A help filter that drops argp's note on arguments of short options. */
char *cli_help_filter(int key, const char *text, void *input);

#endif

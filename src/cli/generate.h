/* The options of `pathcount generate`. */
#ifndef CLI_GENERATE_H
#define CLI_GENERATE_H

#include "src/cli/options.h"

typedef enum cli_model {
    CLI_RMAT,
    CLI_ERDOS_RENYI,
    CLI_BARABASI_ALBERT,
    CLI_FAMOUS,
    CLI_N_MODELS
} cli_model;

typedef struct cli_generate_options {
    const char *model_name; /* as on the command line; NULL: none yet */
    cli_model model;
    const char *famous_name; /* NULL: none */
    pc_model random;
    bool has_probability;    /* in place of n_edges */
    const char *output_path; /* NULL: standard output */
    cli_running_options running;
} cli_generate_options;

/* Its structure is cli_generate_options, cli_generate_defaults at first. */
extern const cli_command cli_generate_command;
extern const cli_generate_options cli_generate_defaults;

#endif

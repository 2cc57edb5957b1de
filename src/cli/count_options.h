/* Options of the commands count and coarsen. */
#ifndef CLI_COUNT_OPTIONS_H
#define CLI_COUNT_OPTIONS_H

#include "src/cli/look/look.h"
#include "src/cli/options.h"
#include "src/cli/query_options.h"

/* Of coarsen only. */
typedef struct cli_block_options {
    const char *spec; /* a number, a file, or a method; NULL: between vertices */
    bool mean;
    const char *graph_path; /* of the quotient graph; NULL: not written */
    double resolution;
    uint64_t seed;
    int n_iterations;
} cli_block_options;

typedef struct cli_count_options {
    cli_input_options input;
    cli_running_options running;
    bool has_length;
    uint64_t length;
    pc_count_options count;
    const char *output_path; /* NULL: no file */
    bool json;
    cli_block_options blocks;
    cli_query_options query; /* of count only */
    cli_look_options look;
} cli_count_options;

/* Groups of options that both have; their input is the cli_count_options. */
extern const struct argp cli_counting_argp;
extern const struct argp cli_output_argp;

/* What --method calls it. */
const char *cli_method_name(pc_method method);

/* What both do with arguments of their argp parsers; check_complete at the end. */
void cli_count_options_init(struct argp_state *state);
void cli_count_options_take_graph(struct argp_state *state, char *path);
void cli_count_options_check(const struct argp_state *state, const char *command);

/* Reads the command line; ends the process with CLI_USAGE when it makes no sense, and after --help
 * or --version. */
void cli_count_options_parse(int argc, char **argv, cli_count_options *options);
void cli_coarsen_options_parse(int argc, char **argv, cli_count_options *options);

#endif

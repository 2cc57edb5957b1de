/* Options of the commands count and coarsen. */
#ifndef CLI_COUNT_OPTIONS_H
#define CLI_COUNT_OPTIONS_H

#include "src/cli/look/look.h"
#include "src/cli/options.h"
#include "src/cli/output_options.h"
#include "src/cli/query_options.h"
#include "src/cli/parts_options.h"

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
    bool
        any_length; /* of a graph without cycles: length is that of the longest path, once it is known */
    uint64_t length;
    pc_count_options count;
    cli_output_options output;
    const char *certificate_path; /* NULL: none is written */
    cli_block_options blocks;
    cli_query_options query; /* of count only */
    cli_look_options look;
    cli_parts_options parts; /* of count only */
} cli_count_options;

/* Whether the matrices of all lengths from 1 on are asked for. */
static inline bool cli_asks_each_matrix(const cli_count_options *options)
{
    return options->query.question == CLI_ASK_MATRIX && options->query.each;
}

/* A group of options; its structure is cli_count_options. */
extern const cli_option cli_counting_rows[];

/* --certificate alone. */
extern const cli_option cli_certificate_rows[];

/* Of cli_block_options. */
extern const cli_option cli_block_rows[];
extern const char *const cli_block_words[]; /* methods; NULL ends them */

/* Take lengths, --mod and --certify; the object begins with cli_count_options. */
void cli_take_length(cli_parse *parse, void *object, char *argument);
void cli_take_modulus(cli_parse *parse, void *object, char *argument);
void cli_take_certify(cli_parse *parse, void *object, char *argument);

#define CLI_MODULUS        .least = 2, .most = INT64_MAX, .take = cli_take_modulus
#define CLI_CERTIFY_ROUNDS .most = 1000, .take = cli_take_certify

/* The name of a method for --method; static storage. */
const char *cli_method_name(pc_method method);

/* Refuses a certificate of what has none. */
void cli_count_check_certificate(const struct argp_state *state, const cli_count_options *options);

/* Takes the argument of both commands; makes the checks that both need; tells of their graph and certificate. */
void cli_count_take_graph(cli_parse *parse, char *path);
void cli_count_check(const cli_parse *parse, const char *command);
void cli_count_name_files(const struct argp_state *state, const cli_count_options *options);

/* Their structure is cli_count_options; of coarsen, cli_coarsen_defaults at first. */
extern const cli_command cli_count_command, cli_coarsen_command;
extern const cli_count_options cli_coarsen_defaults;

#endif

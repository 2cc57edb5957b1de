/* Options of the commands count and coarsen, some of which other commands share. */
#ifndef CLI_COUNT_OPTIONS_H
#define CLI_COUNT_OPTIONS_H

#include "src/cli/kinds.h"
#include "src/cli/look/look.h"
#include "src/cli/output_options.h"

/* ---- Graphs in parts ------------------------------------------------------------------------- */

/* Options of pathcount-mpi, which holds graphs in parts (src/cli/mpi). */
typedef struct cli_parts_options {
    const char *checkpoint; /* a folder; NULL: nothing is saved */
    bool resumes;
    uint64_t checkpoint_seconds;
    const char *plan_for; /* RANKSxTHREADS,MEMORY,LINK; NULL: count */
} cli_parts_options;

enum { CLI_CHECKPOINT_SECONDS = 300 };

/* ---- Options of count ------------------------------------------------------------------------ */

/* The way to put vertices into blocks: options of coarsen only. */
typedef struct cli_block_options {
    const char *spec; /* a number, a file, or a method; NULL: between vertices */
    bool mean;
    const char *graph_path;   /* of the quotient graph; NULL: not written */
    const char *members_path; /* of the block of each vertex; NULL: not written */
    double resolution;
    uint64_t seed;
    int n_iterations;
} cli_block_options;

/* Walks in time: options of count only. */
typedef struct cli_time_options {
    const char *column; /* of times; NULL: walks in a graph */
    const char *wait;   /* NULL: any */
} cli_time_options;

typedef struct cli_count_options {
    cli_input_options input;
    cli_running_options running;
    bool has_length;
    bool any_length; /* length is that of the longest path of a graph without cycles */
    uint64_t length;
    pc_count_options count;
    cli_output_options output;
    const char *certificate_path; /* NULL: none is written */
    cli_block_options blocks;
    cli_query_options query; /* of count only */
    cli_look_options look;
    cli_parts_options parts; /* of count only */
    cli_time_options time;
} cli_count_options;

/* The option that was given of those that take the matrix of one length; NULL: none was. */
static inline const char *cli_matrix_option(const cli_count_options *options)
{
    return options->certificate_path != NULL ? "--certificate"
           : options->look.show              ? "--show"
           : options->look.n_plots > 0       ? "--plot"
                                             : NULL;
}

/* True when the length of the paths is missing. */
static inline bool cli_lacks_length(const cli_count_options *options)
{
    return !options->has_length && options->query.paths != PC_PATHS_SHORTEST;
}

/* True when the matrices of all lengths from 1 on are asked for. */
static inline bool cli_asks_each_matrix(const cli_count_options *options)
{
    return options->query.question == CLI_ASK_MATRIX && options->query.each;
}

/* A group of options; its structure is cli_count_options. */
extern const cli_option cli_counting_rows[], cli_time_rows[];

/* --certificate alone. */
extern const cli_option cli_certificate_rows[];

/* The structure of these options is cli_block_options. */
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

/* Makes the checks of a question that need all options, and sets what --markov implies: weights and doubles. */
void cli_query_options_complete(const struct argp_state *state, cli_count_options *options);

/* Refuses a wait without events; these are directed unless --undirected says otherwise. */
void cli_time_complete(const struct argp_state *state, cli_count_options *options);

/* Refuses a certificate of what has none. */
void cli_count_check_certificate(const struct argp_state *state, const cli_count_options *options);

/* Takes the argument of both commands; makes the checks that both need; tells of their graph and
 * certificate. */
void cli_count_take_graph(cli_parse *parse, char *path);
void cli_count_check(const cli_parse *parse, const char *command);

/* Their structure is cli_count_options; of coarsen, cli_coarsen_defaults at first. */
extern const cli_command cli_count_command, cli_coarsen_command;
extern const cli_count_options cli_coarsen_defaults;

#endif

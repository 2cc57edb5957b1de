/* Options of the commands count and coarsen. */
#ifndef CLI_COUNT_OPTIONS_H
#define CLI_COUNT_OPTIONS_H

#include "src/cli/look/look.h"
#include "src/cli/options.h"
#include "src/cli/query_options.h"
#include "src/cli/parts_options.h"

#include <string.h>

/* Of coarsen only. */
typedef struct cli_block_options {
    const char *spec; /* a number, a file, or a method; NULL: between vertices */
    bool mean;
    const char *graph_path; /* of the quotient graph; NULL: not written */
    double resolution;
    uint64_t seed;
    int n_iterations;
} cli_block_options;

enum { CLI_MOST_OUTPUTS = 16, CLI_AS_BYTES = 24 };

/* Where a matrix goes, and as what. */
typedef struct cli_output {
    const char *path; /* "-": standard output */
    const pc_file_format *format;
    bool is_packed;
    char as[CLI_AS_BYTES]; /* a name that says the format; "": the path says it */
} cli_output;

static inline bool cli_output_is_stream(const cli_output *output)
{
    return strcmp(output->path, "-") == 0;
}

/* With --each a name that says no format is that of a folder, which gets a file for each length. */
static inline bool cli_output_is_folder(const cli_output *output)
{
    return output->as[0] != '\0' && !cli_output_is_stream(output);
}

/* Sets format and packing, by the path or else by `as` (NULL: TSV, of standard output); the format is NULL
 * when neither says it. Returns whether `as` is used where it is given. */
bool cli_output_find_format(cli_output *output, const char *as);

/* What is printed of a matrix. */
typedef enum cli_form {
    CLI_FORM_AUTO =
        0, /* a table of at most CLI_TABLE_VERTICES rows that goes to no file, else a summary */
    CLI_FORM_TABLE,
    CLI_FORM_SUMMARY
} cli_form;

typedef struct cli_count_options {
    cli_input_options input;
    cli_running_options running;
    bool has_length;
    bool
        any_length; /* of a graph without cycles: length is that of the longest path, once it is known */
    uint64_t length;
    pc_count_options count;
    size_t n_outputs;
    cli_output outputs[CLI_MOST_OUTPUTS];
    cli_form form;
    const char *as;               /* of --as; NULL: not given */
    const char *certificate_path; /* NULL: none is written */
    bool json;
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

/* Groups of options; their structure is cli_count_options. */
extern const cli_option cli_counting_rows[], cli_output_rows[];

/* Takes --as. */
void cli_take_as(cli_parse *parse, void *object, char *argument);

/* Finds the formats of outputs, and refuses what cannot be. */
void cli_output_options_complete(const struct argp_state *state, cli_count_options *options);

/* Whether two paths are those of one file; NULL is no path. */
bool cli_is_same_file(const char *one, const char *other);

/* The first output to the file; NULL: there is none. */
const cli_output *cli_output_of_file(const cli_count_options *options, const char *path);

/* Whether the matrix goes to standard output, which has nothing else then. */
bool cli_output_is_printed(const cli_count_options *options);

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

/* Takes the argument of both commands; makes the checks that both need. */
void cli_count_take_graph(cli_parse *parse, char *path);
void cli_count_check(const cli_parse *parse, const char *command);

/* Their structure is cli_count_options; of coarsen, cli_coarsen_defaults at first. */
extern const cli_command cli_count_command, cli_coarsen_command;
extern const cli_count_options cli_coarsen_defaults;

#endif

/* Where a matrix goes, and in which formats: files, standard output, a table or a summary. */
#ifndef CLI_OUTPUT_OPTIONS_H
#define CLI_OUTPUT_OPTIONS_H

#include "src/cli/options.h"

#include <string.h>

enum { CLI_MOST_OUTPUTS = 16, CLI_AS_BYTES = 24 };

/* A place for a matrix, and the format that it has there. */
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

/* A name that says no format is that of a folder under --each: it gets a file for each length. */
static inline bool cli_output_is_folder(const cli_output *output)
{
    return output->as[0] != '\0' && !cli_output_is_stream(output);
}

/* Sets format and packing, by the path or else by `as` (NULL: TSV, of standard output); the
 * format is NULL when neither says it. Returns whether `as` is used where it is given. */
bool cli_output_find_format(cli_output *output, const char *as);

/* The part of a matrix that is printed. */
typedef enum cli_form {
    CLI_FORM_AUTO =
        0, /* a table of at most CLI_TABLE_VERTICES rows that goes to no file, else a summary */
    CLI_FORM_TABLE,
    CLI_FORM_SUMMARY
} cli_form;

typedef struct cli_output_options {
    size_t n;
    cli_output list[CLI_MOST_OUTPUTS];
    const char *as; /* of --as; NULL: not given */
    cli_form form;
    bool json;
} cli_output_options;

/* The structure of these options is cli_output_options. */
extern const cli_option cli_output_rows[];

/* Takes --as. */
void cli_take_as(cli_parse *parse, void *object, char *argument);

/* Finds the formats of outputs, and refuses what cannot be. other: an option that prints
 * something else, or NULL. */
void cli_output_options_complete(const struct argp_state *state, cli_output_options *options,
                                 const char *other);

/* True when the matrix goes to standard output, which has nothing else then. */
bool cli_output_is_printed(const cli_output_options *options);

#endif

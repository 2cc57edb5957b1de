/* Options of outputs: --output, --as, --table, --summary, --json. The name of each output or --as says its format. */
#include "src/cli/output_options.h"

#include "src/cli/files.h"
#include "src/cli/text.h"

#include <stdio.h>
#include <unistd.h>

#define AT(member) CLI_AT(cli_output_options, member)

static void take_output(cli_parse *parse, void *object, char *argument)
{
    cli_output_options *options = object;
    if (options->n == CLI_MOST_OUTPUTS)
        argp_error(parse->state, "at most %d files, not also '%s'", CLI_MOST_OUTPUTS, argument);
    options->list[options->n++].path = argument;
}

void cli_take_as(cli_parse *parse, void *object, char *argument)
{
    const char *const *word = cli_result_words();
    char formats[256];
    while (*word != NULL && strcasecmp(argument, *word) != 0)
        word++;
    if (*word == NULL)
        argp_error(parse->state, "%s must be %s, and .gz or .zst after that packs it, not '%s'",
                   parse->option->name,
                   cli_join_words(cli_result_formats(), " or ", formats, sizeof formats), argument);
    cli_take_value(parse, object, (char *)*word);
}

const cli_option cli_output_rows[] = {
    {"--output", "FILE", "Write the matrix to FILE, format by its ending; may be repeated",
     CLI_FILE, AT(list), .take = take_output, .repeats = true, .letter = 'o'},
    {"--as", "FORMAT", "Format on standard output (-o -), or where FILE does not say it", CLI_TEXT,
     AT(as), .take = cli_take_as, .list_words = cli_result_words},
    {"--table", NULL, "Print all counts, and their sums (default up to 32 rows)", AT(form),
     .constant = CLI_FORM_TABLE, .set = CLI_FORMS},
    {"--summary", NULL, "Print the summary (default beyond, and with -o)", AT(form),
     .constant = CLI_FORM_SUMMARY, .set = CLI_FORMS},
    {"--json", NULL, "Print the answer as one JSON object", AT(json)},
    {0}};

/* The format that a name says; NULL when it says none that matrices are written in. */
static const pc_file_format *find_format(const char *name, bool *is_packed)
{
    size_t stem;
    const pc_file_format *format = pc_file_format_of(name, &stem);
    if (format == NULL || !format->writes_matrices)
        return NULL;
    *is_packed = name[stem + strlen(format->ending)] != '\0';
    return format;
}

bool cli_output_find_format(cli_output *output, const char *as)
{
    static const char *const packings[] = {".gz", ".zst"};
    output->as[0] = '\0';
    bool is_stream = cli_output_is_stream(output);
    output->format = is_stream ? NULL : find_format(output->path, &output->is_packed);
    if (output->format != NULL || (as == NULL && !is_stream))
        return as == NULL;
    snprintf(output->as, sizeof output->as, "x.%s", as != NULL ? as : "tsv");
    output->format = find_format(output->as, &output->is_packed);
    size_t length = strlen(output->path);
    for (int p = 0; p < 2 && !output->is_packed && !output->format->is_archive; p++) {
        size_t n = strlen(packings[p]);
        if (length > n && strcasecmp(output->path + length - n, packings[p]) == 0) {
            strcat(output->as, packings[p]);
            output->is_packed = true;
        }
    }
    return true;
}

bool cli_output_is_printed(const cli_output_options *options)
{
    for (size_t i = 0; i < options->n; i++)
        if (cli_output_is_stream(&options->list[i]))
            return true;
    return false;
}

static void check_stream(const struct argp_state *state, const cli_output_options *options,
                         const cli_output *output, const char *other)
{
    bool is_text = !output->is_packed && output->format->format != PC_FORMAT_NPY &&
                   output->format->format != PC_FORMAT_NPZ;
    other = options->json                       ? "--json"
            : other != NULL                     ? other
            : options->form == CLI_FORM_TABLE   ? "--table"
            : options->form == CLI_FORM_SUMMARY ? "--summary"
                                                : NULL;
    if (other != NULL)
        argp_error(
            state,
            "%s and the matrix would both go to standard output: give the matrix a file by -o FILE",
            other);
    if (!is_text && isatty(STDOUT_FILENO))
        argp_error(state, "%s is not for a terminal: redirect it (> FILE), or -o FILE",
                   output->as[0] != '\0' ? output->as + 2 : "this format");
}

void cli_output_options_complete(const struct argp_state *state, cli_output_options *options,
                                 const char *other)
{
    size_t n_named = 0;
    char formats[256];
    if (options->as != NULL && options->n == 0)
        options->list[options->n++].path = "-";
    for (size_t i = 0; i < options->n; i++) {
        cli_output *output = &options->list[i];
        n_named += cli_output_find_format(output, options->as);
        if (output->format == NULL)
            argp_error(state,
                       "the name of '%s' says no format: end it in a dot and %s (.gz or .zst after "
                       "that packs it), or say it by --as FORMAT",
                       output->path,
                       cli_join_words(cli_result_formats(), " or ", formats, sizeof formats));
    }
    if (options->n > 0 && n_named == 0)
        argp_error(state, "--as %s: '%s' says its format itself: leave one of them out",
                   options->as, options->list[0].path);
    for (size_t i = 0; i < options->n; i++) {
        const cli_output *output = &options->list[i];
        cli_file_is_written(state, "--output", output->path,
                            cli_output_is_folder(output) ? PC_FORMAT_AUTO : output->format->format);
        if (cli_output_is_stream(output))
            check_stream(state, options, output, other);
    }
}

/* Parses a command line by the table of options; argp finds the options and prints --help. The
 * groups that commands share are here, too. */
#include "src/cli/options.h"

#include "src/cli/files.h"
#include "src/cli/process.h"
#include "src/cli/text.h"
#include "tool.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_KEY = 0x100, MAX_GROUPS = 16 };

/* ---- Values ---------------------------------------------------------------------------------- */

/* Takes the exponent of "12e3" at *end, if one is there, into value; false when that is too
 * large. */
static bool take_exponent(char **end, uint64_t *value)
{
    if ((**end != 'e' && **end != 'E') || !isdigit((unsigned char)(*end)[1]))
        return true;
    uint64_t exponent = strtoull(*end + 1, end, 10);
    bool fits = true;
    for (; fits && *value != 0 && exponent > 0; exponent--)
        fits = !__builtin_mul_overflow(*value, 10, value);
    return fits;
}

const char *cli_stdin_advice(void)
{
    struct stat input;
    bool is_piped = fstat(STDIN_FILENO, &input) == 0 &&
                    (S_ISFIFO(input.st_mode) || (S_ISREG(input.st_mode) && input.st_size > 0));
    return is_piped ? "; - stands for standard input, which is not a terminal here" : "";
}

/* Reads an integer from least to most; else a usage error names the option. */
static uint64_t parse_integer(const cli_parse *parse, const char *text, uint64_t least,
                              uint64_t most)
{
    char *end = NULL;
    errno = 0;
    uint64_t value = isdigit((unsigned char)text[0]) ? strtoull(text, &end, 10) : 0;
    if (end == NULL || errno != 0 || !take_exponent(&end, &value) || *end != '\0' ||
        value < least || value > most)
        argp_error(parse->state, "%s must be an integer from %" PRIu64 " to %" PRIu64 ", not '%s'",
                   parse->option->name, least, most, text);
    return value;
}

/* The bytes that the unit at the end of a size stands for, 0 of none: 2^30 of G and GiB, 10^9 of
 * GB. */
static uint64_t unit_bytes(const char *unit)
{
    static const char prefixes[] = "KMGT";
    const char *prefix = *unit != '\0' ? strchr(prefixes, toupper((unsigned char)*unit)) : NULL;
    if (prefix == NULL)
        return *unit == '\0';
    bool is_decimal = strcasecmp(unit + 1, "B") == 0;
    if (!is_decimal && unit[1] != '\0' && strcasecmp(unit + 1, "iB") != 0)
        return 0;
    uint64_t bytes = 1;
    for (const char *p = prefixes; p <= prefix; p++)
        bytes *= is_decimal ? 1000 : 1024;
    return bytes;
}

/* Stores an integer in 1, 4 or 8 bytes. */
static void store(const cli_option *option, void *object, uint64_t value)
{
    void *to = cli_option_value(option, object);
    uint32_t four = (uint32_t)value;
    bool one = value != 0;
    memcpy(to,
           option->n_bytes == 8   ? (void *)&value
           : option->n_bytes == 4 ? (void *)&four
                                  : &one,
           option->n_bytes);
}

void cli_take_value(cli_parse *parse, void *object, char *text)
{
    const cli_option *option = parse->option;
    void *to = cli_option_value(option, object);
    cli_suggestion meant = {.typed = text};
    char *end = NULL, joined[256];
    uint64_t value = 0, unit = 0;
    double number;
    errno = 0;
    switch (option->value) {
    case CLI_FLAG:
        store(option, object, option->constant != 0 ? (uint64_t)option->constant : 1);
        break;
    case CLI_INTEGER:
        store(option, object, parse_integer(parse, text, option->least, option->most));
        break;
    case CLI_SIZE:
        value = isdigit((unsigned char)text[0]) ? strtoull(text, &end, 10) : 0;
        unit = end != NULL ? unit_bytes(end) : 0;
        if (errno != 0 || value == 0 || unit == 0 || value > UINT64_MAX / unit)
            argp_error(
                parse->state,
                "%s must be a size such as 512M, 8G or 8GB (an integer above 0 and K, M, G or T), "
                "not '%s'",
                option->name, text);
        store(option, object, value * unit);
        break;
    case CLI_NUMBER:
        number = strtod(text, &end);
        if (end == text || *end != '\0' || errno != 0 || !(number > 0) || isinf(number) ||
            (option->most != 0 && number > (double)option->most))
            argp_error(parse->state, "%s must be a number%s above 0, not '%s'", option->name,
                       option->unit != NULL ? option->unit : "", text);
        memcpy(to, &number, sizeof number);
        break;
    case CLI_CHOICE:
        if (text == NULL) { /* the argument was left out */
            store(option, object, 1);
            break;
        }
        while (option->words[value] != NULL && strcasecmp(text, option->words[value]) != 0)
            value++;
        if (option->words[value] == NULL) {
            cli_suggest_words(&meant, option->words);
            argp_error(parse->state, "%s must be %s, not '%s'%s", option->name,
                       cli_join_words(option->words, " or ", joined, sizeof joined), text,
                       cli_suggestion_text(&meant));
        }
        store(option, object, value);
        break;
    default:
        memcpy(to, &text, sizeof text);
    }
}

const char *const *cli_option_words(const cli_option *option)
{
    return option->list_words != NULL ? option->list_words() : option->words;
}

/* ---- Parsing --------------------------------------------------------------------------------- */

bool cli_is_given(const cli_parse *parse, const cli_option *option)
{
    for (size_t i = 0; i < parse->n_rows; i++)
        if (parse->rows[i] == option)
            return parse->given[i];
    return false;
}

static int key_of(const cli_parse *parse, size_t row)
{
    return parse->rows[row]->letter != 0 ? parse->rows[row]->letter : FIRST_KEY + (int)row;
}

/* The first option of a set that is given clears the values of the whole set. A line of a
 * manifest has these values from the command line. */
static error_t take_option(cli_parse *parse, int key, char *argument)
{
    size_t row = 0;
    while (row < parse->n_rows && key_of(parse, row) != key)
        row++;
    if (row == parse->n_rows)
        return ARGP_ERR_UNKNOWN;
    const cli_option *option = parse->option = parse->rows[row];
    parse->argument = argument;
    if (parse->command->check_option != NULL)
        parse->command->check_option(parse);
    if (option->refusal != NULL)
        argp_error(parse->state, "%s", option->refusal);
    bool clears = option->set != CLI_NO_SET && parse->in_set[option->set] == NULL;
    for (size_t i = 0; i < parse->n_rows && clears; i++)
        if (parse->rows[i]->set == option->set)
            memset(cli_option_value(parse->rows[i], parse->objects[i]), 0, parse->rows[i]->n_bytes);
    if (option->set != CLI_NO_SET)
        parse->in_set[option->set] = option;
    parse->given[row] = true;
    (option->take != NULL ? option->take : cli_take_value)(parse, parse->objects[row], argument);
    return 0;
}

static const cli_command *(*nth_command)(size_t n);

void cli_know_commands(const cli_command *(*nth)(size_t n))
{
    nth_command = nth;
}

/* Refuses an option that the command does not have: it is one of another command, or one of these
 * was meant. */
static void refuse_option(const cli_parse *parse, const char *word)
{
    const cli_command *command;
    size_t n_dashes = strspn(word, "-");
    char whole[CLI_SUGGESTED_BYTES + 2], *name = whole + 2;
    snprintf(whole, sizeof whole, "--%.*s", (int)strcspn(word + n_dashes, "="), word + n_dashes);
    cli_suggestion meant = {.typed = name};
    for (size_t n = 0; n_dashes == 2 && nth_command != NULL && (command = nth_command(n)); n++)
        for (const cli_group *group = command->groups; group->rows != NULL; group++)
            for (const cli_option *row = group->rows; row->name != NULL; row++)
                if (row->help != NULL && strcmp(row->name, whole) == 0)
                    argp_error(parse->state,
                               "%s is an option of 'pathcount %s'; see 'pathcount help %s'", whole,
                               command->name, command->name);
    for (size_t i = 0; i < parse->n_rows; i++)
        if (parse->rows[i]->help != NULL)
            cli_suggest(&meant, parse->rows[i]->name + 2);
    char letters[200] = "";
    for (size_t i = 0, n = 0; i < parse->n_rows && n_dashes == 1; i++)
        if (parse->rows[i]->help != NULL && parse->rows[i]->letter != 0 && n < sizeof letters)
            n += (size_t)snprintf(letters + n, sizeof letters - n, "%s-%c (%s)", n > 0 ? ", " : "",
                                  parse->rows[i]->letter, parse->rows[i]->name);
    argp_error(parse->state, "there is no option '%.*s'%s%s%s%s", (int)strcspn(word, "="), word,
               meant.word[0] != '\0' ? "; did you mean --"
               : letters[0] != '\0'  ? "; those of one letter are "
                                     : "",
               meant.word, meant.word[0] != '\0' ? "?" : "", letters);
}

/* Returns how many of the words after this one are values of its options, "--length", "-k" or
 * "-qk8"; -1 when there is none of that name. Any beginning of a long name counts, as for getopt,
 * which refuses an ambiguous one later. */
static int n_values_of(const cli_parse *parse, const char *word)
{
    size_t length = strcspn(word, "=");
    int n_values = -1;
    for (size_t i = 0; i < parse->n_rows && word[1] == '-'; i++) {
        const cli_option *row = parse->rows[i];
        if (strncmp(row->name, word, length) == 0 && (n_values < 0 || row->name[length] == '\0'))
            n_values = row->argument == NULL || row->is_optional ? 0
                       : strchr(row->argument, ' ') != NULL      ? 2
                                                                 : 1;
    }
    if (word[1] == '-')
        return n_values > 0 && word[length] == '=' ? n_values - 1 : n_values;
    for (const char *letter = word + 1; *letter != '\0'; letter++) {
        size_t row = 0;
        while (row < parse->n_rows && parse->rows[row]->letter != *letter)
            row++;
        if (row == parse->n_rows)
            return -1;
        if (parse->rows[row]->argument != NULL)
            return letter[1] == '\0';
    }
    return 0;
}

static error_t take_key(int key, char *argument, struct argp_state *state)
{
    cli_parse *parse = state->input;
    const cli_command *command = parse->command;
    const cli_option *first[CLI_OWN_CHECK] = {NULL};
    const char *slash;
    parse->state = state;
    switch (key) {
    case ARGP_KEY_INIT:
        if (command->begin != NULL)
            command->begin(parse);
        slash = strrchr(state->argv[0], '/');
        state->name = slash != NULL ? (char *)slash + 1 : state->argv[0]; /* argp does so later */
        /* An option that does not exist is refused before any is taken: getopt does not say which
         * was meant. */
        for (int i = 1; i < state->argc && strcmp(state->argv[i], "--") != 0; i++) {
            const char *word = state->argv[i];
            int n_values = word[0] == '-' && word[1] != '\0' ? n_values_of(parse, word) : 0;
            if (n_values < 0)
                refuse_option(parse, word);
            i += n_values;
        }
        return 0;
    case ARGP_KEY_ARG:
        if (command->take_argument == NULL)
            argp_error(state, "%s takes no graph ('%s')", command->name, argument);
        else
            command->take_argument(parse, argument);
        return 0;
    case ARGP_KEY_END:
        for (size_t i = 0; i < parse->n_rows; i++) {
            cli_set set = parse->rows[i]->set;
            if (!parse->given[i] || set == CLI_NO_SET || set >= CLI_OWN_CHECK)
                continue;
            if (first[set] != NULL)
                argp_error(state, "%s and %s exclude each other: give one of them",
                           first[set]->name, parse->rows[i]->name);
            first[set] = parse->rows[i];
        }
        if (command->complete != NULL)
            command->complete(parse);
        cli_named_files_check(parse);
        return 0;
    }
    return take_option(parse, key, argument);
}

/* Adds the rows of a group to those of the command, and their options for argp to table. Returns
 * the end of table. The group of --help has number -1, which argp puts last. */
static struct argp_option *add_group(cli_parse *parse, const cli_group *group, int number,
                                     struct argp_option *table)
{
    int place = group->rows == cli_about_rows ? -1 : number;
    if (group->title != NULL)
        *table++ = (struct argp_option){.doc = group->title, .group = place};
    for (const cli_option *row = group->rows; row->name != NULL; row++) {
        if (parse->n_rows == CLI_MAX_OPTIONS)
            abort();
        parse->rows[parse->n_rows] = row;
        parse->objects[parse->n_rows] = (char *)parse->options + group->offset;
        *table++ = (struct argp_option){.name = row->name + 2,
                                        .key = key_of(parse, parse->n_rows),
                                        .arg = row->argument,
                                        .flags = (row->help == NULL ? OPTION_HIDDEN : 0) |
                                                 (row->is_optional ? OPTION_ARG_OPTIONAL : 0),
                                        .doc = row->help,
                                        .group = place};
        parse->n_rows++;
    }
    return table;
}

/* A help filter that drops argp's note on arguments of short options. */
static char *filter_help(int key, const char *text, void *input)
{
    (void)input;
    return key == ARGP_KEY_HELP_DUP_ARGS_NOTE ? NULL : (char *)text;
}

/* ARGP_NO_HELP, because argp's own --help has no -h: cli_about_rows are in its place. When an
 * option is wrong, argp ends the process, so an error that it returns is a lack of memory. */
void cli_parse_options(const cli_command *command, int argc, char **argv, void *options)
{
    struct argp_option table[CLI_MAX_OPTIONS + MAX_GROUPS + 1] = {{0}}, *end = table;
    cli_parse parse = {.command = command, .options = options};
    for (int g = 0; command->groups[g].rows != NULL; g++)
        end = add_group(&parse, &command->groups[g], g + 1, end);
    const struct argp argp = {.options = table,
                              .parser = take_key,
                              .args_doc = command->arguments,
                              .doc = command->doc,
                              .help_filter = filter_help};
    if (argp_parse(&argp, argc, argv, ARGP_NO_HELP | command->argp_flags, NULL, &parse) != 0)
        exit(cli_fail_for_memory());
}

/* ---- Names of formats ------------------------------------------------------------------------ */

enum { MAX_WORDS = 64, WORD_BYTES = 16 };

/* The names of formats of graphs, "auto" first. */
static const char *const *format_words(void)
{
    static const char *words[MAX_WORDS] = {"auto"};
    const pc_file_format *format;
    size_t n = 1;
    for (unsigned i = 0; (format = pc_file_format_at(i)) != NULL && n < MAX_WORDS - 1; i++)
        if (strcmp(words[n - 1], format->name) != 0)
            words[n++] = format->name;
    return words;
}

const char *const *cli_result_formats(void)
{
    static const char *words[MAX_WORDS];
    const pc_file_format *format;
    size_t n = 0;
    for (unsigned i = 0; (format = pc_file_format_at(i)) != NULL && n < MAX_WORDS - 1; i++)
        if (format->writes_matrices)
            words[n++] = format->ending + 1;
    return words;
}

const char *const *cli_result_words(void)
{
    static const char *const packings[] = {"", ".gz", ".zst"};
    static char texts[MAX_WORDS][WORD_BYTES];
    static const char *words[MAX_WORDS];
    const pc_file_format *format;
    size_t n = 0;
    for (unsigned i = 0; (format = pc_file_format_at(i)) != NULL; i++)
        for (int p = 0; p < (format->is_archive ? 1 : 3) && format->writes_matrices; p++, n++) {
            if (n == MAX_WORDS - 1)
                return words;
            snprintf(texts[n], WORD_BYTES, "%s%s", format->ending + 1, packings[p]);
            words[n] = texts[n];
        }
    return words;
}

/* ---- Groups that commands share -------------------------------------------------------------- */

static void take_format(cli_parse *parse, void *object, char *argument)
{
    cli_input_options *input = object;
    const pc_file_format *format;
    char names[256];
    input->format = NULL;
    for (unsigned i = 0; (format = pc_file_format_at(i)) != NULL && input->format == NULL; i++)
        if (strcasecmp(argument, format->name) == 0)
            input->format = format;
    if (input->format == NULL && strcmp(argument, "auto") != 0) {
        cli_suggestion meant = {.typed = argument};
        cli_suggest_words(&meant, format_words());
        argp_error(parse->state, "%s must be one of %s, not '%s'%s", parse->option->name,
                   cli_join_words(format_words(), ", ", names, sizeof names), argument,
                   cli_suggestion_text(&meant));
    }
}

const char *const cli_device_words[] = {"auto", "cpu", "cuda", "cuda:0", "cuda:all", NULL};

static const char *const separator_words[] = {"tab", "space", NULL};

const char *const cli_loop_words[] = {[PC_LOOPS_ONCE] = "once", [PC_LOOPS_TWICE] = "twice", NULL};

#define AT(member) CLI_AT(cli_input_options, member)

const cli_option cli_input_rows[] = {
    {"--directed", NULL, "Edges are arcs, from first to second vertex", AT(graph.direction),
     .constant = PC_DIRECTED, .set = CLI_DIRECTIONS, .job = CLI_OF_RESULT},
    {"--undirected", NULL, "Edges go both ways (default of edge lists)", AT(graph.direction),
     .constant = PC_UNDIRECTED, .set = CLI_DIRECTIONS, .job = CLI_OF_RESULT},
    {"--multigraph", NULL, "Edges given again add up (default: dropped)", AT(graph.multigraph),
     .job = CLI_OF_RESULT},
    {"--loops", "TIMES", "An undirected loop counts once (default) or twice", CLI_CHOICE,
     AT(graph.loops), .words = cli_loop_words, .job = CLI_OF_RESULT},
    {"--weights", NULL, "Third column says how often an edge counts", AT(graph.weights),
     .job = CLI_OF_RESULT},
    {"--max-vertices", "N",
     "Vertices that GRAPH may state (default: 2097152 and one for each byte)", CLI_INTEGER,
     AT(graph.max_vertices), .least = 1, .most = UINT32_MAX, .job = CLI_OF_JOB},
    {"--vertices", "N", "Vertices 0 to N-1 exist even without edges", CLI_INTEGER,
     AT(graph.n_vertices), .most = UINT32_MAX, .job = CLI_OF_RESULT},
    {"--format", "FORMAT", "Format of GRAPH (default: auto)", CLI_TEXT, AT(format),
     .take = take_format, .list_words = format_words, .job = CLI_OF_RESULT},
    {"--columns", "FROM,TO[,WEIGHT]", "Columns of an edge list, by name or number", CLI_TEXT,
     AT(graph.columns), .job = CLI_OF_RESULT},
    {"--separator", "CHAR", "What separates columns: tab, space, a character or an arrow", CLI_TEXT,
     AT(graph.separator), .words = separator_words, .job = CLI_OF_RESULT},
    {"--header", NULL, "The first line names the columns, or states sizes", AT(graph.header),
     .constant = PC_HEADER_FIRST_LINE, .set = CLI_HEADERS, .job = CLI_OF_RESULT},
    {"--no-header", NULL, "The first line is an edge", AT(graph.header), .constant = PC_HEADER_NONE,
     .set = CLI_HEADERS, .job = CLI_OF_RESULT},
    {0}};

#undef AT
#define AT(member) CLI_AT(cli_running_options, member)

static const char *const explain_words[] = {"no", "plan", "all", NULL};

const cli_option cli_running_rows[] = {
    {"--explain", "all", "Print what was decided and why, and what it takes; =all: with all tables",
     CLI_CHOICE, AT(explain), .words = explain_words, .is_optional = true},
    {"--threads", "N", "Number of threads (default: all processors)", CLI_INTEGER, AT(n_threads),
     .least = 1, .most = CLI_MOST_THREADS},
    {"--memory-limit", "SIZE", "Memory to use at most, such as 512M or 8G", CLI_SIZE,
     AT(memory_limit_bytes)},
    {"--time-limit", "SECONDS",
     "Refuse a count that is predicted to take longer, and stop one that does", CLI_NUMBER,
     AT(time_limit_seconds)},
    {"--device", "DEVICE", "Where: auto, cpu, cuda, cuda:0,1 or cuda:all", CLI_TEXT, AT(device),
     .words = cli_device_words},
    {"--no-sync", NULL, "Do not wait until files are on the disk", AT(no_sync)},
    {"--twice", NULL, "Do all in two processes and compare", AT(twice)},
    {"--quiet", NULL, "Print no notes on standard error, only errors", AT(is_quiet), .letter = 'q'},
    {0}};

/* The constant of the row says which of argp's texts is printed, and that the process ends then. */
static void take_help(cli_parse *parse, void *object, char *argument)
{
    (void)object, (void)argument;
    argp_state_help(parse->state, parse->state->out_stream, (unsigned)parse->option->constant);
}

static void take_version(cli_parse *parse, void *object, char *argument)
{
    (void)object, (void)argument;
    fprintf(parse->state->out_stream, "pathcount %s\n", pc_version());
    exit(0);
}

const cli_option cli_about_rows[] = {
    {"--help", NULL, "Print this help", .letter = 'h', .constant = ARGP_HELP_STD_HELP,
     .take = take_help},
    {"--usage", NULL, "Print the options in short", .constant = ARGP_HELP_USAGE | ARGP_HELP_EXIT_OK,
     .take = take_help},
    {"--version", NULL, "Print the version", .letter = 'V', .take = take_version},
    {0}};

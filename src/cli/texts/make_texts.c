/* Completes a text with what the table of options knows: the completions for shells and the manual.
 *
 *     make_texts < TEMPLATE > TEXT
 *
 * These lines of a template are replaced, all others are copied:
 *
 *     @commands, @models, @famous, @bash options, @bash values, @zsh summaries, @zsh options
 *     @options COMMAND TITLE    the options of a group, for the manual; it goes on to @end. Text between
 *                               them, after a line "@ --option", follows what is said of that option.
 *     @$ LINE                   an example, for the manual, as it is typed
 *
 * It fails when the manual is without an option, or has a text about one that there is not. */
#include "src/cli/commands.h"
#include "src/cli/generate_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 1024, MAX_LINES = 256 };

static void fail(const char *what, const char *name)
{
    fprintf(stderr, "make_texts: %s: %s\n", what, name);
    exit(1);
}

/* Calls use for each option that --help shows, of one command or, when that is NULL, of all. */
typedef void use_option(const cli_command *command, const cli_group *group,
                        const cli_option *option);

static void each_option(const cli_command *only, use_option *use)
{
    for (const cli_listed_command *c = cli_commands; c->run != NULL; c++)
        for (const cli_group *g = c->command->groups; g->rows != NULL; g++)
            for (const cli_option *o = g->rows; o->name != NULL; o++)
                if (o->help != NULL && (only == NULL || only == c->command))
                    use(c->command, g, o);
}

static const cli_command *find_command(const char *name)
{
    const cli_listed_command *c = cli_commands;
    while (c->run != NULL && strcmp(c->command->name, name) != 0)
        c++;
    if (c->run == NULL)
        fail("no such command", name);
    return c->command;
}

/* Prints text with a backslash before each of these characters. */
static void print_escaped(const char *text, const char *characters)
{
    for (; *text != '\0'; text++)
        printf(strchr(characters, *text) != NULL ? "\\%c" : "%c", *text);
}

static void print_words(const char *const *words, const char *escaped)
{
    for (; words != NULL && *words != NULL; words++) {
        print_escaped(*words, escaped);
        fputs(words[1] != NULL ? " " : "", stdout);
    }
}

/* What igraph says when it is asked for another one: tests/completion.sh compares. */
static const char famous_names[] =
    "Bull Chvatal Coxeter Cubical Diamond Dodecahedral Folkman Franklin Frucht Grotzsch Heawood "
    "Herschel House HouseX Icosahedral Krackhardt_Kite Levi McGee Meredith Noperfectmatching "
    "Nonline Octahedral Petersen Robertson Smallestcyclicgroup Tetrahedral Thomassen Tutte "
    "Uniquely3colorable Walther Zachary";

/* A variable of a function, in bash and in zsh. */
static void print_assignment(const char *name, const char *const *words, const char *text)
{
    printf("    local %s='%s", name, text);
    print_words(words, "");
    puts("'");
}

/* The names of commands, and of those that take no argument. */
static void print_commands(void)
{
    fputs("    local commands='", stdout);
    for (const cli_listed_command *c = cli_commands; c->run != NULL; c++)
        printf(" %s", c->command->name);
    fputs(" ' alone='", stdout);
    for (const cli_listed_command *c = cli_commands; c->run != NULL; c++)
        if (c->command->take_argument == NULL)
            printf(" %s", c->command->name);
    puts(" '");
}

/* ---- bash ---------------------------------------------------------------------------------- */

static void bash_name(const cli_command *command, const cli_group *group, const cli_option *option)
{
    (void)command, (void)group;
    printf(" %s", option->name);
    if (option->letter != 0)
        printf(" -%c", option->letter);
}

/* A branch for each command: its options. */
static void bash_options(void)
{
    for (const cli_listed_command *c = cli_commands; c->run != NULL; c++) {
        printf("    %s) options='", c->command->name);
        each_option(c->command, bash_name);
        puts("' ;;");
    }
}

/* The function of the template that offers values, by their kind. */
static const char *bash_function(const cli_option *option)
{
    bool has_words = cli_option_words(option) != NULL;
    return option->value == CLI_FILE                ? "file"
           : option->value == CLI_FOLDER            ? "folder"
           : option->value == CLI_VERTEX            ? "vertex"
           : option->value == CLI_LIST && has_words ? "list"
                                                    : "words";
}

/* A branch for each option that takes a value. */
static void bash_value(const cli_command *command, const cli_group *group, const cli_option *option)
{
    (void)group;
    if (option->argument == NULL)
        return;
    printf("    '%s %s'", command->name, option->name);
    if (option->letter != 0)
        printf(" | '%s -%c'", command->name, option->letter);
    printf(") _pathcount_%s '", bash_function(option));
    print_words(cli_option_words(option), "");
    puts("' ;;");
}

/* ---- zsh ----------------------------------------------------------------------------------- */

static const cli_option *zsh_of; /* the option whose rivals are printed */
static int n_rivals;

static void zsh_rival(const cli_command *command, const cli_group *group, const cli_option *option)
{
    bool is_same = option == zsh_of && option->letter != 0;
    bool is_other = option != zsh_of && option->set != CLI_NO_SET && option->set != CLI_QUESTIONS &&
                    option->set == zsh_of->set;
    (void)command, (void)group;
    if (is_same || is_other)
        printf("%s%s", n_rivals++ == 0 ? "(" : " ", option->name);
    if (is_same)
        printf(" -%c", option->letter);
}

/* The options that may not stand beside this one, with its own short form. */
static void zsh_rivals(const cli_command *command, const cli_group *group, const cli_option *option)
{
    zsh_of = option;
    n_rivals = 0;
    if (group->rows == cli_about_rows)
        fputs("(- *)", stdout);
    else
        each_option(command, zsh_rival);
    fputs(n_rivals > 0 ? ")" : "", stdout);
}

static void zsh_value(const cli_option *option)
{
    const char *const *words = cli_option_words(option);
    const char *second = strchr(option->argument, ' ');
    if (second != NULL) {
        printf(":%.*s: :%s: ", (int)(second - option->argument), option->argument, second + 1);
        return;
    }
    putchar(':');
    print_escaped(option->argument, ":");
    putchar(':');
    if (option->value == CLI_FOLDER)
        fputs("_files -/", stdout);
    else if (option->value == CLI_VERTEX)
        fputs("_pathcount_vertex", stdout);
    else if (option->value == CLI_FILE && words == NULL)
        fputs("_files", stdout);
    else if (words == NULL)
        putchar(' ');
    else {
        fputs(option->value == CLI_FILE   ? " _pathcount_file "
              : option->value == CLI_LIST ? "_values -s , word "
                                          : "(",
              stdout);
        print_words(words, ":");
        fputs(option->value == CLI_FILE || option->value == CLI_LIST ? "" : ")", stdout);
    }
}

static void zsh_option(const cli_command *command, const cli_group *group, const cli_option *option)
{
    const char *equals = option->argument != NULL ? "=" : "";
    fputs("            '", stdout);
    zsh_rivals(command, group, option);
    fputs(option->repeats ? "*" : "", stdout);
    if (option->letter != 0)
        printf("'{-%c%s,%s%s}'[", option->letter, *equals != '\0' ? "+" : "", option->name, equals);
    else
        printf("%s%s[", option->name, equals);
    print_escaped(option->help, ":[]\\");
    putchar(']');
    if (option->argument != NULL)
        zsh_value(option);
    puts("'");
}

static void zsh_summaries(void)
{
    puts("    local -a summaries=(");
    for (const cli_listed_command *c = cli_commands; c->run != NULL; c++)
        printf("        '%s:%s'\n", c->command->name, c->command->summary);
    puts("    )");
}

/* A branch for each command: what _arguments is to know of it. */
static void zsh_specs(void)
{
    for (const cli_listed_command *c = cli_commands; c->run != NULL; c++) {
        printf("    %s)\n        specs=(\n", c->command->name);
        each_option(c->command, zsh_option);
        if (strcmp(c->command->name, "generate") == 0)
            puts("            '1:model:_pathcount_model'\n            '2:name:_pathcount_famous'");
        else if (c == cli_commands)
            puts("            \"1:graph:$first\"");
        else if (c->command->take_argument != NULL)
            puts("            '*:file:_files'");
        puts("        )\n        ;;");
    }
}

/* ---- The manual ---------------------------------------------------------------------------- */

/* Text of the template, by options. */
static char notes[MAX_LINES][LINE_BYTES];
static int n_notes;
static bool is_used[MAX_LINES];

static const char *described[CLI_MAX_OPTIONS * 8];
static size_t n_described;

static void print_roff(const char *text)
{
    for (; *text != '\0'; text++)
        switch (*text) {
        case '-':
            fputs("\\-", stdout);
            break;
        case '^':
            fputs("\\(ha", stdout);
            break;
        case '\'':
            fputs("\\(aq", stdout);
            break;
        case '\\':
            fputs("\\e", stdout);
            break;
        default:
            putchar(*text);
        }
}

/* An argument of a macro of man: in quotes, for there may be blanks in it. */
static void roff_header(const cli_option *option)
{
    puts(".TP");
    if (option->argument == NULL && option->letter == 0)
        fputs(".B ", stdout);
    else if (option->argument == NULL)
        printf(".BR \\-%c ,\\  ", option->letter);
    else if (option->letter == 0)
        fputs(".BI ", stdout);
    else
        printf(".BI \\-%c\\~ %s \\fR,\\ \\fB", option->letter, option->argument);
    print_roff(option->name);
    if (option->argument != NULL)
        printf("= \"%s\"", option->argument);
    putchar('\n');
}

static void roff_option(const cli_option *option)
{
    bool is_here = false;
    roff_header(option);
    print_roff(option->help);
    puts(".");
    for (int i = 0; i < n_notes; i++) {
        if (strncmp(notes[i], "@ ", 2) == 0)
            is_here = strcmp(notes[i] + 2, option->name) == 0;
        is_used[i] = is_used[i] || is_here;
        if (is_here && notes[i][0] != '@')
            puts(notes[i]);
    }
    described[n_described++] = option->name;
}

static bool read_line(char line[LINE_BYTES])
{
    if (fgets(line, LINE_BYTES, stdin) == NULL)
        return false;
    line[strcspn(line, "\n")] = '\0';
    return true;
}

/* Whether a group has this title, which ends before its example; that of --help has "About". */
static bool is_titled(const cli_group *group, const char *title)
{
    if (group->title == NULL)
        return strcmp(title, "About") == 0;
    const char *end = strstr(group->title, " (");
    return end != NULL && strlen(title) == (size_t)(end - group->title) &&
           strncmp(group->title, title, strlen(title)) == 0;
}

/* where: "COMMAND TITLE". */
static void roff_group(char *where)
{
    char *title = strchr(where, ' ');
    *title++ = '\0';
    const cli_group *group = find_command(where)->groups;
    while (group->rows != NULL && !is_titled(group, title))
        group++;
    if (group->rows == NULL)
        fail("no group of options has this title", title);
    for (n_notes = 0; read_line(notes[n_notes]) && strcmp(notes[n_notes], "@end") != 0;)
        if (++n_notes == MAX_LINES)
            fail("too much text, or no @end", title);
    memset(is_used, 0, sizeof is_used);
    for (const cli_option *o = group->rows; o->name != NULL; o++)
        if (o->help != NULL)
            roff_option(o);
    for (int i = 0; i < n_notes; i++)
        if (!is_used[i])
            fail("this is said of no option of the group", notes[i]);
}

static void check_described(const cli_command *command, const cli_group *group,
                            const cli_option *option)
{
    (void)command, (void)group;
    for (size_t i = 0; i < n_described; i++)
        if (strcmp(described[i], option->name) == 0)
            return;
    fail("the manual is without an option", option->name);
}

/* ---- Templates ----------------------------------------------------------------------------- */

static void replace(char *what)
{
    if (strcmp(what, "bash options") == 0)
        bash_options();
    else if (strcmp(what, "bash values") == 0)
        each_option(NULL, bash_value);
    else if (strcmp(what, "commands") == 0)
        print_commands();
    else if (strcmp(what, "zsh summaries") == 0)
        zsh_summaries();
    else if (strcmp(what, "zsh options") == 0)
        zsh_specs();
    else if (strcmp(what, "models") == 0)
        print_assignment("models", cli_model_words, "");
    else if (strcmp(what, "famous") == 0)
        print_assignment("famous", NULL, famous_names);
    else if (strncmp(what, "options ", 8) == 0)
        roff_group(what + 8);
    else
        fail("no such line", what);
}

/* Lines of examples that follow one another are one example. */
static bool is_example(const char *line, bool was_example)
{
    bool is_one = strncmp(line, "@$ ", 3) == 0;
    if (is_one && !was_example)
        puts(".PP\n.in +4n\n.EX");
    if (!is_one && was_example)
        puts(".EE\n.in");
    if (is_one) {
        print_roff(line + 3);
        putchar('\n');
    }
    return is_one;
}

int main(void)
{
    char line[LINE_BYTES];
    bool in_example = false;
    while (read_line(line))
        if ((in_example = is_example(line, in_example)))
            continue;
        else if (line[0] == '@')
            replace(line + 1);
        else
            puts(line);
    if (n_described > 0)
        each_option(NULL, check_described);
    return fclose(stdout) == 0 ? 0 : 1;
}

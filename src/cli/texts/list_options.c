/* Prints the table of options, for make_texts.awk, with tabs between fields: of each command a line
 *     command NAME SUMMARY TAKES-ARGUMENTS
 * and of each option that --help shows a line
 *     option COMMAND GROUP NAME LETTER ARGUMENT KIND SET REPEATS WORDS HELP
 * It fails when a row is wrong. */
#include "src/cli/main.h"

#include <stdio.h>
#include <string.h>

static const char *kind_of(const cli_option *option)
{
    return option->value == CLI_FILE     ? "file"
           : option->value == CLI_FOLDER ? "folder"
           : option->value == CLI_VERTEX ? "vertex"
                                         : "words";
}

/* The title without its example; "About" of the group of --help, which has none. */
static void print_title(const cli_group *group)
{
    const char *title = group->title != NULL ? group->title : "About (";
    printf("%.*s\t", (int)(strstr(title, " (") - title), title);
}

/* True when the place of the value fits its kind. Functions of rows see to that themselves. */
static bool has_place(const cli_option *option)
{
    size_t n = option->n_bytes;
    if (option->take != NULL)
        return true;
    return option->value == CLI_FLAG      ? n == sizeof(bool) || n == sizeof(int)
           : option->value == CLI_INTEGER ? n == sizeof(int) || n == sizeof(uint64_t)
           : option->value == CLI_CHOICE  ? n == sizeof(int) && option->words != NULL
                                          : n == sizeof(char *);
}

static void print_option(const cli_command *command, const cli_group *group,
                         const cli_option *option)
{
    bool excludes = option->set != CLI_NO_SET && option->set != CLI_QUESTIONS;
    printf("option\t%s\t", command->name);
    print_title(group);
    printf("%s\t%.*s\t", option->name, option->letter != 0, &option->letter);
    printf("%s\t%s\t", option->argument != NULL && !option->is_optional ? option->argument : "",
           kind_of(option));
    printf("%d\t%d\t", excludes ? (int)option->set : 0, option->repeats);
    for (const char *const *w = cli_option_words(option); w != NULL && *w != NULL; w++)
        printf("%s%s", *w, w[1] != NULL ? " " : "");
    printf("\t%s\n", option->help);
}

int main(void)
{
    for (const cli_listed_command *c = cli_commands; c->run != NULL; c++) {
        const cli_command *command = c->command;
        printf("command\t%s\t%s\t%d\n", command->name, command->summary,
               command->take_argument != NULL);
        for (const cli_group *g = command->groups; g->rows != NULL; g++)
            for (const cli_option *option = g->rows; option->name != NULL; option++)
                if (option->help != NULL && !has_place(option))
                    return fprintf(stderr, "%s has no place for its value\n", option->name), 1;
                else if (option->help != NULL)
                    print_option(command, g, option);
    }
    return fclose(stdout) == 0 ? 0 : 1;
}

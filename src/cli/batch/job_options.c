/* The options on which the result of a job depends, in one normal form. The spelling of the command
 * line does not matter. Threads, memory, method and certificates do not matter either, because they
 * change no exact count. */
#define _GNU_SOURCE /* vasprintf */
#include "src/cli/batch/job.h"

#include "src/cli/process.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct arguments {
    json_t *array;
    bool is_lacking;
} arguments;

__attribute__((format(printf, 2, 3))) static void add(arguments *to, const char *format, ...)
{
    char *text = NULL;
    va_list values;
    va_start(values, format);
    if (vasprintf(&text, format, values) < 0)
        text = NULL;
    va_end(values);
    if (text == NULL)
        exit(cli_fail_for_memory());
    if (json_array_append_new(to->array, json_string(text)) != 0)
        to->is_lacking = true;
    free(text);
}

/* --pair takes a second word; a file of pairs has none. */
static void add_names(arguments *to, const cli_query_options *query)
{
    for (size_t i = 0; i < query->n_named; i++) {
        const cli_named *named = &query->named[i];
        const char *option = query->question == CLI_ASK_PAIRS
                                 ? named->second != NULL ? "--pair" : "--pairs"
                                 : query->option;
        add(to, "%s=%s", option, named->text);
        if (named->second != NULL)
            add(to, "%s", named->second);
    }
}

/* --markov implies weights and doubles. Doubles are rounded, by each method in its own manner. */
static bool is_implied(const cli_option *option, const cli_count_options *count)
{
    bool is_markov = count->query.paths == PC_PATHS_MARKOV;
    if (strcmp(option->name, "--method") == 0)
        return is_markov || count->count.arithmetic != PC_FLOAT;
    return is_markov &&
           (strcmp(option->name, "--weights") == 0 || strcmp(option->name, "--float") == 0);
}

/* Adds an option unless it has its default. */
static void add_option(arguments *to, const cli_option *option, void *object,
                       const cli_count_options *count)
{
    uint64_t number = cli_stored_number(option, object);
    if (number == 0 || is_implied(option, count))
        return;
    switch (option->value) {
    case CLI_FLAG:
        if (number == (uint64_t)(option->constant != 0 ? option->constant : 1))
            add(to, "%s", option->name);
        break;
    case CLI_INTEGER:
        add(to, "%s=%" PRIu64, option->name, number);
        break;
    case CLI_NUMBER:
        add(to, "%s=%.17g", option->name, *(double *)cli_option_value(option, object));
        break;
    case CLI_CHOICE:
        add(to, "%s=%s", option->name, option->words[number]);
        break;
    default: /* the vertices of a query, the format, or a text */
        if (option->set == CLI_QUESTIONS && option->name == count->query.option)
            add_names(to, &count->query);
        else if (option->take == NULL)
            add(to, "%s=%s", option->name, *(const char **)cli_option_value(option, object));
        else if (option->set != CLI_QUESTIONS)
            add(to, "%s=%s", option->name, count->input.format->name);
    }
}

/* The length is first, and --as last, as in records that earlier versions wrote. */
json_t *cli_job_options(const cli_count_options *count, const char *ending)
{
    arguments to = {.array = json_array()};
    cli_batch_options job = {.count = *count};
    add(&to, "--length=%" PRIu64, count->length);
    job.count.length = 0;
    for (const cli_group *group = cli_batch_groups; group->rows != NULL; group++)
        for (const cli_option *option = group->rows; option->name != NULL; option++)
            if (option->job == CLI_OF_RESULT)
                add_option(&to, option, (char *)&job + group->offset, count);
    add(&to, "--as=%s", ending);
    if (!to.is_lacking)
        return to.array;
    json_decref(to.array);
    return NULL;
}

const char *cli_job_query_file(const cli_query_options *query, const cli_named *named)
{
    if (query->question == CLI_ASK_PAIRS)
        return named->second == NULL ? named->text : NULL;
    return cli_named_file(named);
}

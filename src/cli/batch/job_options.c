/* The options on which the result of a job depends, in one normal form. The spelling of the command
 * line does not matter. Threads, memory, method and certificates do not matter either, because they
 * change no exact count. */
#define _GNU_SOURCE /* vasprintf */
#include "src/cli/batch/job.h"

#include "src/cli/kinds.h"

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
    if (text == NULL || json_array_append_new(to->array, json_string(text)) != 0)
        to->is_lacking = true;
    free(text);
}

static void add_input(arguments *to, const cli_input_options *input, bool has_weights)
{
    if (input->graph.direction != PC_DIRECTION_OF_FORMAT)
        add(to, input->graph.direction == PC_DIRECTED ? "--directed" : "--undirected");
    if (input->graph.multigraph)
        add(to, "--multigraph");
    if (has_weights)
        add(to, "--weights");
    if (input->graph.n_vertices > 0)
        add(to, "--vertices=%" PRIu64, input->graph.n_vertices);
    if (input->format != NULL && strcmp(input->format->name, "auto") != 0)
        add(to, "--format=%s", input->format->name);
}

/* Doubles are rounded, each way in its own manner. */
static void add_arithmetic(arguments *to, const pc_count_options *count)
{
    if (count->arithmetic == PC_MODULAR)
        add(to, "--mod=%" PRIu64, count->modulus);
    if (count->arithmetic == PC_FLOAT)
        add(to, "--float");
    if (count->arithmetic == PC_FLOAT && count->method != PC_METHOD_AUTO)
        add(to, "--method=%s", cli_method_name(count->method));
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

static void add_query(arguments *to, const cli_query_options *query)
{
    if (query->question == CLI_ASK_MATRIX)
        return;
    if (query->question == CLI_ASK_TOP)
        add(to, "--top=%" PRIu64, query->n_top);
    else if (query->question == CLI_ASK_KATZ)
        add(to, "--katz=%.17g", query->beta);
    else if (query->n_named > 0)
        add_names(to, query);
    else
        add(to, "%s", query->option);
    if (query->each)
        add(to, "--each");
    if (query->up_to)
        add(to, "--up-to");
}

json_t *cli_job_options(const cli_count_options *count, const char *ending)
{
    arguments to = {.array = json_array()};
    bool is_markov = count->query.paths == PC_PATHS_MARKOV; /* implies weights and doubles */
    add(&to, "--length=%" PRIu64, count->length);
    add_input(&to, &count->input, count->input.graph.weights && !is_markov);
    if (!is_markov)
        add_arithmetic(&to, &count->count);
    if (count->query.paths != PC_PATHS_ALL)
        add(&to, "--%s", cli_kind_of(count->query.paths)->name);
    add_query(&to, &count->query);
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
    return named->text[0] == '@' ? named->text + 1 : NULL;
}

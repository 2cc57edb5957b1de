/* JSON that commands print. */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include "src/cli/count_options.h"

#include "pathcount.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Nothing here comes back without memory, as nothing in jansson does: the process ends
 * (src/cli/process.c). */

/* ---- Values ---------------------------------------------------------------------------------- */

/* Makes a string. Bytes that are not UTF-8 become '?', because JSON cannot contain them. */
json_t *cli_json_text(const char *text);

/* The text of a member; "" when it is missing, or no text. */
static inline const char *cli_json_member(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

/* A limit of an error, rounded up to the digits that are printed; null when it is infinite. */
json_t *cli_json_error(double error);

json_t *cli_json_label(const pc_labels *labels, uint64_t index);

/* An integer as text. */
json_t *cli_json_integer(uint64_t value);

json_t *cli_json_labels(const pc_labels *labels);

/* Prints root on standard output, a line for each member, and frees it. */
void cli_json_print(json_t *root);

/* ---- Members that all objects have ----------------------------------------------------------- */

/* All JSON objects that commands print begin with these members.
 * src/cli/texts/pathcount.schema.json describes them whole; raise CLI_JSON_SCHEMA when a member
 * gets another meaning or goes. */
enum { CLI_JSON_SCHEMA = 1 };

/* {"schema", "version", "command"} of a command of that name. */
json_t *cli_json_begin(const char *command);

/* The same and {"graph", "options", "query", "length", "each", "up_to"}: which paths of which
 * graph were counted, and how. */
json_t *cli_json_head(const char *command, const cli_count_options *options,
                      const pc_graph_info *info);

/* The members of rest behind those of head, both taken over. */
json_t *cli_json_behind(json_t *head, json_t *rest);

/* Returns how many rounds certify a result, from the option of the library. */
int cli_json_rounds(int n_certify_rounds);

/* The paths of the outputs: null, a text, or an array of texts. */
json_t *cli_json_outputs(const cli_count_options *options);

/* Prints the object of a question to count: the head, members, which is taken over, and
 * "answers", an array of lines (NULL: there are none). */
void cli_json_print_answers(const char *command, const cli_count_options *options,
                            const pc_graph *graph, json_t *members, json_t *lines);

#endif

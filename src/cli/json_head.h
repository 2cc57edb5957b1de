/* What all JSON objects that commands print begin with. src/cli/texts/pathcount.schema.json describes
 * them whole; raise CLI_JSON_SCHEMA when a member gets another meaning or goes. */
#ifndef CLI_JSON_HEAD_H
#define CLI_JSON_HEAD_H

#include "src/cli/count_options.h"

#include <jansson.h>

enum { CLI_JSON_SCHEMA = 1 };

/* Each function gives NULL when out of memory, which json_pack passes on. */

/* {"schema", "version", "command"} of a command of that name. */
json_t *cli_json_begin(const char *command);

/* The same and {"graph", "options", "query", "length", "each", "up_to"}: which paths of which graph were
 * counted, and how. */
json_t *cli_json_head(const char *command, const cli_count_options *options,
                      const pc_graph_info *info);

/* The members of rest behind those of head, both taken over; NULL when one of them is. */
json_t *cli_json_behind(json_t *head, json_t *rest);

/* How many rounds certify a result, from the option of the library. */
int cli_json_rounds(int n_certify_rounds);

/* An integer as text. */
json_t *cli_json_integer(uint64_t value);

#endif

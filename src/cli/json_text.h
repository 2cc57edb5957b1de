/* JSON that commands print: texts from files, and an object with a member a line. Nothing here and in jansson
 * comes back without memory: the process ends (src/cli/endings.h). */
#ifndef CLI_JSON_TEXT_H
#define CLI_JSON_TEXT_H

#include "pathcount.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Makes a string. Bytes that are not UTF-8 become '?', because JSON cannot contain them. */
json_t *cli_json_text(const char *text);

/* A limit of an error, rounded up to the digits that are printed; null when it is infinite. */
json_t *cli_json_error(double error);

json_t *cli_json_label(const pc_labels *labels, uint64_t index);

/* Prints root, which is NULL when it could not be made, and frees it. The whole text is made
 * before it is printed, because half of an object is no answer. PC_ERR_MEMORY: nothing was
 * printed. */
pc_status cli_json_print(FILE *out, json_t *root);

#endif

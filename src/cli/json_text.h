/* JSON that commands print: texts from files, and an object with a member a line. */
#ifndef CLI_JSON_TEXT_H
#define CLI_JSON_TEXT_H

#include "pathcount.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* A string, NULL when out of memory. Bytes that are no UTF-8 become '?': JSON has no way to say
 * them. */
json_t *cli_json_text(const char *text);

json_t *cli_json_label(const pc_labels *labels, uint64_t index);

/* Prints root, which may be NULL and is taken over. The text is made whole before it is printed, as
 * half of an object is no answer: PC_ERR_MEMORY, when nothing was printed. */
pc_status cli_json_print(FILE *out, json_t *root);

#endif

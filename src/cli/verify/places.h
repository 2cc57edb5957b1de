/* The lines that an answer to a query has: which columns, and which vertices stand in a line. */
#ifndef CLI_VERIFY_PLACES_H
#define CLI_VERIFY_PLACES_H

#include "src/cli/verify/question.h"

enum { CLI_PLACE_COLUMNS = 4 };

/* The names of the columns; returns how many of them come before the counts. */
size_t cli_places_columns(const cli_verify_question *question,
                          const char *columns[CLI_PLACE_COLUMNS], size_t *n_columns);

/* Whether the answer is a number alone. */
bool cli_places_is_bare(const cli_verify_question *question);

/* Lines for a length, and counts in each. */
uint64_t cli_places_n_lines(const cli_verify_question *question);
uint64_t cli_places_n_counts(const cli_verify_question *question);

/* The vertices of a line, at most two; returns how many. */
size_t cli_places_vertices(const cli_verify_question *question, uint64_t line,
                           uint64_t vertices[2]);

#endif

/* Answers of a graph of three vertices, counted by following each path, and written as pathcount writes
 * results. Neither shares code with the program. */
#ifndef TESTS_FUZZ_ANSWER_H
#define TESTS_FUZZ_ANSWER_H

#include "src/cli/verify/question.h"

#include <stdio.h>

enum { ANSWER_VERTICES = 3 };

/* The graph, in a direction that the options may override. */
pc_graph *answer_graph(pc_context *context, const pc_graph_options *options);

/* How a result is written. */
typedef enum answer_form {
    ANSWER_TSV,
    ANSWER_CSV,
    ANSWER_MTX,
    ANSWER_NPY,
    ANSWER_MATRIX_JSON,
    ANSWER_LINES,      /* a query */
    ANSWER_CERTIFICATE /* not written here */
} answer_form;

/* The number in a row and a column of the answer for a length: exact below 2^53. */
long double answer_number(const cli_verify_question *question, uint64_t length, uint64_t row,
                          uint64_t column);

/* Whether the numbers are doubles, whose last digits depend on rounding. */
bool answer_has_doubles(const cli_verify_question *question);

/* Writes the right result. */
void answer_write(const cli_verify_question *question, answer_form form, FILE *out);

#endif

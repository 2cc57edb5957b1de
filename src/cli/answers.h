/* An answer as it goes out: a number, lines separated by tabs, or JSON. */
#ifndef CLI_ANSWERS_H
#define CLI_ANSWERS_H

#include "src/cli/text.h"
#include "src/cli/verify/residues.h"

#include "tool.h"

#include <jansson.h>
#include <stdbool.h>

enum { CLI_ANSWER_COLUMNS = 5 };

#define CLI_NO_VERTEX UINT64_MAX /* no vertex in that column */

/* The vertices that stand before entry (row, column) of an answer. */
typedef void (*cli_place_fn)(const void *user, uint64_t row, uint64_t column, uint64_t vertices[2]);

/* The first fields are set at first, the rest is zero. */
typedef struct cli_answers {
    pc_context *context;
    const pc_labels *labels;
    cli_place_fn place;
    const void *user;
    const uint64_t *distances; /* of all entries, a column before the numbers; NULL: none */
    const pc_labels *texts;    /* distances are the numbers of these; NULL: distances are lengths */
    const char *columns
        [CLI_ANSWER_COLUMNS]; /* heads: of the length where has_length, of vertices, of numbers */
    size_t n_columns;
    bool has_length;
    bool is_bare;         /* one answer, which goes out as a number alone */
    bool is_json;         /* lines are collected as objects */
    cli_digits digits;    /* of doubles that are shown to people */
    cli_text_check check; /* of texts of counts */
    pc_output *output;    /* gets the lines, which several threads make; NULL: standard output */

    bool has_header;  /* it is printed */
    json_t *lines;    /* of JSON; NULL: none yet */
    uint32_t bits;    /* of the largest count that a text was made of; 0 for doubles */
    uint64_t n_texts; /* that were made */
    bool is_wrong;    /* a text did not hold */
    char *text;       /* of a count, grown as needed */
    size_t text_size;
} cli_answers;

/* Prints a line for each entry of rows, or collects it; the lines of a large answer are made by
 * several threads. PC_ERR_IO; PC_ERR_CERTIFY when a text did not hold, and then its line is not
 * printed. */
pc_status cli_answers_take(cli_answers *answers, uint64_t length, const pc_rows *rows);

/* The same of one line: up to two vertices, and one or two texts of numbers (before: NULL, or
 * the first one). */
pc_status cli_answers_add(cli_answers *answers, uint64_t length, const uint64_t vertices[2],
                          const char *before, const char *number);

/* Prints a piece of lines. After an error the rest for standard output is dropped: nobody gets it, and the end of the
 * program would report the error again. PC_ERR_IO. */
pc_status cli_print_piece(pc_context *context, const pc_piece *piece);

/* The text of entry e, valid until the next one. */
const char *cli_answers_text(cli_answers *answers, const pc_rows *rows, uint64_t e);

/* Prints the header, unless it is printed already or there is none. */
void cli_answers_end(cli_answers *answers);
void cli_answers_free(cli_answers *answers);

#endif

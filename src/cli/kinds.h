/* The kinds of question that the command answers, and the kinds of path, in words. */
#ifndef CLI_KINDS_H
#define CLI_KINDS_H

#include "pathcount.h"

#include <stdbool.h>

/* ---- Kinds of question ----------------------------------------------------------------------- */

typedef enum cli_question {
    CLI_ASK_MATRIX = 0, /* the whole matrix */
    CLI_ASK_FROM,
    CLI_ASK_TO,
    CLI_ASK_PAIRS,
    CLI_ASK_TOTAL,
    CLI_ASK_SUMS,
    CLI_ASK_CLOSED,
    CLI_ASK_TRACE,
    CLI_ASK_TOP,
    CLI_ASK_TOP_EACH,
    CLI_ASK_KATZ,
    CLI_ASK_SUBGRAPH
} cli_question;

/* The source of a vertex that stands before the number in row r and column c of an answer. */
typedef enum cli_place {
    CLI_NO_PLACE, /* no vertex stands there */
    CLI_ROW,      /* vertex r */
    CLI_COLUMN,   /* vertex c */
    CLI_ASKED,    /* vertex r of those that the question names */
    CLI_FOUND     /* the vertex is found with the number */
} cli_place;

typedef enum cli_numbers {
    CLI_COUNTS,  /* numbers of paths, which a certificate can prove */
    CLI_LARGEST, /* only the largest of them */
    CLI_SERIES   /* sums over all lengths, in doubles */
} cli_numbers;

typedef struct cli_question_kind {
    pc_query_kind kind; /* of the library; a series has none */
    cli_place first, second;
    cli_numbers numbers;
    bool is_sum;          /* one number, all paths added up */
    bool may_stream;      /* graphs of a stream can be asked it */
    const char *heads[2]; /* of the columns of numbers; NULL: the word of the kind of path */
} cli_question_kind;

const cli_question_kind *cli_question_kind_of(cli_question question);

enum { CLI_MOST_HEADS = 4 };

/* The heads of the columns of an answer: vertices, then numbers. Returns how many there are. */
size_t cli_question_heads(cli_question question, pc_path_kind paths, bool up_to,
                          const char *heads[CLI_MOST_HEADS]);

/* ---- Kinds of path --------------------------------------------------------------------------- */

typedef struct cli_path_kind {
    const char *name;                            /* in JSON, and of the option */
    const char *numbers;                         /* what a matrix holds: "numbers of paths" */
    const char *column;                          /* what an entry is: "paths" */
    const char *sum;                             /* what some of them added up are */
    const char *length;                          /* after the length in summaries */
    const char *total, *closed, *most, *largest; /* lines of summaries */
} cli_path_kind;

const cli_path_kind *cli_path_kind_of(pc_path_kind paths);

enum { CLI_ABOUT_BYTES = 192 };

/* The word for an entry of a matrix, "paths", and a line about all of them: "numbers of paths of
 * length 8", or "of lengths 1 to 8". */
const char *cli_entry_of(pc_path_kind paths, bool up_to);
const char *cli_about_matrix(pc_path_kind paths, uint64_t length, bool up_to, bool is_mean,
                             char about[CLI_ABOUT_BYTES]);

/* True when a matrix is its own transpose, for a graph that is undirected or not. */
bool cli_paths_are_symmetric(pc_path_kind paths, bool is_undirected);

#endif

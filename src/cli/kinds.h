/* The kinds of question that the command answers, the kinds of path, in words, the options that choose
 * them, and the vertices that they name. */
#ifndef CLI_KINDS_H
#define CLI_KINDS_H

#include "src/cli/options.h"

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
    bool is_sum;      /* one number, all paths added up */
    bool may_stream;  /* graphs of a stream can be asked it */
    bool returns;     /* only paths that end where they begin */
    bool takes_pairs; /* its files have two vertices a line, and need no @ */
    bool is_of_ends; /* row r is of the paths that end at vertex r, not of those that begin there */
    const char *heads[2]; /* of the columns of numbers; NULL: the word of the kind of path */
} cli_question_kind;

const cli_question_kind *cli_question_kind_of(cli_question question);

/* True when the length of the shortest paths stands before their number. */
bool cli_tells_distances(cli_question question, pc_path_kind paths);

/* The question that a column of a stream answers, of all paths or of those that end where they begin, and the head of
 * the column. */
cli_question cli_stream_question(bool returns, const char **head);

enum { CLI_MOST_HEADS = 4 };

/* The heads of the columns of an answer: vertices, then numbers. Returns how many there are. */
size_t cli_question_heads(cli_question question, pc_path_kind paths, bool up_to,
                          const char *heads[CLI_MOST_HEADS]);

/* ---- Kinds of path --------------------------------------------------------------------------- */

typedef struct cli_path_kind {
    const char *name;                   /* in JSON */
    const char *option;                 /* "--simple"; NULL: all paths need none */
    const char *numbers;                /* what a matrix holds: "numbers of paths" */
    const char *column;                 /* what an entry is: "paths" */
    const char *sum;                    /* what some of them added up are */
    const char *length;                 /* after the length in summaries */
    const char *total, *most, *largest; /* lines of summaries */
    const char *closed;                 /* ... of the diagonal; NULL: it is zero */
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

/* ---- Questions ------------------------------------------------------------------------------- */

/* A vertex, a pair or a file that a query names. */
typedef struct cli_named {
    const char *text;   /* a label; of pairs that of the first vertex, or a file */
    const char *second; /* the label of the second vertex of a pair; else NULL */
} cli_named;

typedef struct cli_query_options {
    cli_question question;
    const char *option; /* the one that asked the question: "--from" */
    cli_named *named;   /* [n_named]: to be free()d */
    size_t n_named;
    uint64_t n_top;
    double beta; /* of Katz centrality */
    bool each, up_to;
    bool may_ask_both;         /* --total may stand beside --closed or --trace */
    const char *beside_option; /* the one that stands beside --total; NULL: none */
    pc_path_kind paths;
    const char *match, *label_column; /* a pattern, and the column of the labels; NULL: none */
} cli_query_options;

/* Their structure is cli_query_options, all zero at first: of count, which paths it counts, and of
 * recurrence; which walks match, of count alone. The last row of paths, simple ones, is that of counts between blocks, too. */
enum { CLI_SIMPLE_ROW = 4 };

extern const cli_option cli_query_rows[], cli_paths_rows[], cli_match_rows[], cli_recurrence_rows[];

/* The file of a VERTEX, NAME of "@NAME", else NULL; its label, "@NAME" of "@@NAME". */
const char *cli_named_file(const cli_query_options *query, const cli_named *named);
const char *cli_named_label(const cli_named *named);

/* True when vertices or pairs are to be read from standard input. */
bool cli_query_reads_stdin(const cli_query_options *query);

/* ---- Vertices -------------------------------------------------------------------------------- */

/* All zero at first. */
typedef struct cli_vertices {
    uint64_t *from, *to; /* [n]; both the same where one is asked for */
    size_t n, capacity;
} cli_vertices;

/* Finds what the query names. graph_path is for messages. PC_ERR_DATA when there is no such vertex,
 * and as pc_text_read does. */
pc_status cli_vertices_find(pc_context *context, const pc_graph *graph, const char *graph_path,
                            const cli_query_options *query, cli_vertices *vertices);
void cli_vertices_free(cli_vertices *vertices);

/* The question of the library, of vertices that were found. */
pc_query cli_query_of(const cli_query_options *asked, uint64_t length,
                      const cli_vertices *vertices);

#endif

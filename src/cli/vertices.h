/* Options that ask for less than the whole matrix or for other paths, and the vertices that they
 * name. */
#ifndef CLI_VERTICES_H
#define CLI_VERTICES_H

#include "src/cli/kinds.h"
#include "src/cli/options.h"

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
} cli_query_options;

struct cli_count_options;

/* Their structure is cli_query_options, all zero at first. */
extern const cli_option cli_query_rows[], cli_paths_rows[];

/* Take a question: alone, with a vertex, with a pair. The object is cli_query_options, and the
 * constant of the row the question. */
void cli_take_question(cli_parse *parse, void *object, char *argument);
void cli_take_named(cli_parse *parse, void *object, char *argument);
void cli_take_pair(cli_parse *parse, void *object, char *argument);

/* Makes the checks that need all options, and sets what --markov implies: weights and doubles. */
void cli_query_options_complete(const struct argp_state *state, struct cli_count_options *options);

/* The file of a VERTEX, NAME of "@NAME", else NULL; its label, "@NAME" of "@@NAME". */
const char *cli_named_file(const cli_named *named);
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

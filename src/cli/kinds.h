/* The kinds of path, in words. */
#ifndef CLI_KINDS_H
#define CLI_KINDS_H

#include "pathcount.h"

#include <stdbool.h>

/* The kinds of path, in words. */
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

/* What the entries of a matrix are: "paths"; and a line: "numbers of paths of length 8", or "of lengths 1 to 8". */
const char *cli_entry_of(pc_path_kind paths, bool up_to);
const char *cli_about_matrix(pc_path_kind paths, uint64_t length, bool up_to, bool is_mean,
                             char about[CLI_ABOUT_BYTES]);

/* Whether a matrix is its own transpose, of a graph that is undirected or not. */
bool cli_paths_are_symmetric(pc_path_kind paths, bool is_undirected);

#endif

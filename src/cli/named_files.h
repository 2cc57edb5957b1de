/* The files that a command line names: none may be written that is also read, or written twice. */
#ifndef CLI_NAMED_FILES_H
#define CLI_NAMED_FILES_H

#include "src/cli/options.h"

/* Tells of a file while the command line is parsed. what: the option or argument that names it. A file of
 * labels beside it, which that format may have, is added. path may be NULL, which is no file, or "-". */
void cli_file_is_written(const struct argp_state *state, const char *what, const char *path,
                         pc_format format);
void cli_file_is_read(const struct argp_state *state, const char *what, const char *path);

/* The same of graphs: GRAPH, and one whose name says the format. */
void cli_graph_is_read(const struct argp_state *state, const cli_input_options *input);
void cli_graph_is_written(const struct argp_state *state, const char *what, const char *path);

/* A usage error when two names are those of one file that is written, by any links. Forgets the files. */
void cli_named_files_check(cli_parse *parse);

#endif

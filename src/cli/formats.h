/* Names of formats on the command line. */
#ifndef CLI_FORMATS_H
#define CLI_FORMATS_H

#include "pathcount.h"

/* The format of graphs of this name; NULL when there is none. */
const pc_file_format *cli_format_named(const char *name);

/* The names of formats of graphs, "auto" first; of formats of matrices; and those again, each also
 * with the packings of results: "tsv", "tsv.gz". NULL ends them; static storage. */
const char *const *cli_format_words(void);
const char *const *cli_result_formats(void);
const char *const *cli_result_words(void);

#endif

/* Names of the graph formats that the command reads. */
#ifndef CLI_FORMATS_H
#define CLI_FORMATS_H

#include "pathcount.h"

#include <stdbool.h>

typedef struct cli_format {
    const char *name;
    pc_format format; /* when the library reads it itself */
    bool is_igraph;   /* when igraph reads it */
} cli_format;

/* The format of this name; NULL when there is none. */
const cli_format *cli_format_named(const char *name);

/* All names, as "auto, edges, ..."; static storage. */
const char *cli_format_names(void);

const char *const *cli_format_words(void);
const char *const *cli_job_endings(void);

#endif

/* Options of pathcount-mpi, which holds graphs in parts (src/cli/mpi). */
#ifndef CLI_PARTS_OPTIONS_H
#define CLI_PARTS_OPTIONS_H

#include "src/cli/options.h"

typedef struct cli_parts_options {
    const char *checkpoint; /* a folder; NULL: nothing is saved */
    bool resumes;
    uint64_t checkpoint_seconds;
    const char *plan_for; /* RANKSxTHREADS,MEMORY,LINK; NULL: count */
} cli_parts_options;

enum { CLI_CHECKPOINT_SECONDS = 300 };

extern const cli_option cli_parts_rows[];

/* Refuses what does not go together. */
void cli_parts_options_check(const struct argp_state *state, const cli_parts_options *options);

#endif

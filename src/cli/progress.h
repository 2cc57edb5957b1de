/* Shows the progress of a count on a terminal, and passes signals to the library. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "src/cli/status_line.h"

/* A stage, as the library reports it. */
typedef struct cli_stage {
    const struct cli_stage_kind *kind; /* NULL: none */
    double fraction;
    double step;      /* by how much fraction last grew; 0: it has not yet */
    unsigned n_times; /* it began, as a part of the stage around it */
    double start_seconds;
} cli_stage;

typedef struct cli_progress {
    cli_status_line line;
    cli_stage stage, part;                   /* the stage, and one within it */
    double reached;                          /* fraction of the stage that was shown */
    const struct cli_stage_kind *shown_kind; /* whose words the line has, since ... */
    double shown_seconds;
    double start_seconds;
} cli_progress;

void cli_progress_start(cli_progress *progress, bool is_quiet);

/* A pc_progress_fn; user is the cli_progress. Asks to stop when a signal is pending. */
int cli_progress_tell(void *user, const char *stage, double fraction);

/* Erases the line; what comes next is a new stage. */
void cli_progress_end(cli_progress *progress);

#endif

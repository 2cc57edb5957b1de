/* The progress line on a terminal, and the way a signal reaches the library. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>

typedef struct cli_progress {
    bool is_wanted; /* stderr is a terminal and not silenced */
    bool is_shown;
    double start_seconds;
    double shown_seconds; /* when the line was last drawn */
} cli_progress;

void cli_progress_start(cli_progress *progress, bool is_quiet);

/* A pc_progress_fn; user is the cli_progress. Asks to stop when a signal is pending. */
int cli_progress_tell(void *user, const char *stage, double fraction);

/* Erases the line. */
void cli_progress_end(cli_progress *progress);

/* Seconds of a monotonic clock. */
double cli_now_seconds(void);

#endif

/* How far a batch is: a line that is drawn anew on a terminal, a plain line now and then elsewhere. */
#ifndef CLI_BATCH_PROGRESS_H
#define CLI_BATCH_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cli_batch_progress {
    size_t n_jobs;
    bool is_quiet, is_terminal, is_shown;
    double start_seconds, told_seconds;
} cli_batch_progress;

void cli_batch_progress_start(cli_batch_progress *progress, size_t n_jobs, bool is_quiet);

/* Tells when it is time to: n_done well, n_failed, n_kept of an earlier run. */
void cli_batch_progress_tell(cli_batch_progress *progress, size_t n_done, size_t n_failed,
                             size_t n_kept);

/* Takes the line off the terminal. */
void cli_batch_progress_end(cli_batch_progress *progress);

#endif

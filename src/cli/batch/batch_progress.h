/* How far a batch is: a line that is drawn anew on a terminal, a plain line now and then elsewhere. */
#ifndef CLI_BATCH_PROGRESS_H
#define CLI_BATCH_PROGRESS_H

#include "src/cli/status_line.h"

enum { CLI_BATCH_SAMPLES = 16 };

/* How many jobs had been worked on when. */
typedef struct cli_batch_sample {
    double seconds;
    size_t n_worked;
} cli_batch_sample;

typedef struct cli_batch_progress {
    cli_status_line line;
    bool is_plain; /* lines, now and then */
    size_t n_jobs;
    size_t n_told; /* jobs that had ended when the last plain line was printed */
    double start_seconds, told_seconds;
    cli_batch_sample sample[CLI_BATCH_SAMPLES]; /* of the last half minute, for the rate: a ring */
    size_t n_samples;
} cli_batch_progress;

void cli_batch_progress_start(cli_batch_progress *progress, size_t n_jobs, bool is_quiet);

/* Tells when it is time to: n_done well, n_failed, n_kept of an earlier run. */
void cli_batch_progress_tell(cli_batch_progress *progress, size_t n_done, size_t n_failed,
                             size_t n_kept);

/* Takes the line off the terminal. */
void cli_batch_progress_end(cli_batch_progress *progress);

#endif

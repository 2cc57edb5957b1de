/* The jobs of a batch: which datasets, with which options, and what their results are called. */
#ifndef CLI_BATCH_JOBS_H
#define CLI_BATCH_JOBS_H

#include "src/cli/batch/job.h"

/* Finds all jobs, in the order of paths, files of a folder by name, then lines of the manifest.
 * Returns CLI_DONE, or an exit code after a message: a path that is not there, a line that makes no
 * sense, two jobs whose result would be one file, a result that would take the place of a dataset. A
 * dataset whose name cannot be one of a result becomes a job with a problem. */
int cli_jobs_find(const cli_batch_options *options, cli_jobs *jobs);
void cli_jobs_free(cli_jobs *jobs);

#endif

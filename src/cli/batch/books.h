/* What the manifest says of a job. */
#ifndef CLI_BATCH_BOOKS_H
#define CLI_BATCH_BOOKS_H

#include "src/cli/batch/worker.h"

/* Its line; with a member "picture" only if with_picture. NULL: out of memory. */
json_t *cli_job_line(const cli_job *job, const cli_job_report *report, bool with_picture);

/* Whether the last line about a job may still hold, as far as the options tell: the files that they
 * name are the same. */
bool cli_job_may_hold(const cli_job *job, const json_t *before);

#endif

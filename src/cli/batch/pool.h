/* The supervisor of the workers: starts them, divides threads and memory among them, ends those that
 * take too long, and hears what became of each job. */
#ifndef CLI_BATCH_POOL_H
#define CLI_BATCH_POOL_H

#include "src/cli/batch/worker.h"

/* Called as each job ends for good, and now and then while none does (report NULL, job is then
 * without meaning). Returns CLI_DONE to go on; any other exit code ends the run. */
typedef int (*cli_pool_fn)(void *user, size_t job, const cli_job_report *report);

/* Runs all jobs without a problem. Returns CLI_DONE when all have ended (well or not), the code of
 * tell, or CLI_SIGNAL + its number when a signal asked to stop: then what was under way is gone. */
int cli_pool_run(const cli_batch_options *options, const cli_jobs *jobs, cli_pool_fn tell,
                 void *user);

#endif

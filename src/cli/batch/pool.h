/* The supervisor of the workers. It starts them, divides threads and memory among them, ends those
 * that take too long, and receives the report of each job.
 *
 * The supervisor itself starts no threads and no CUDA. So a worker can be forked without exec; an
 * exec would cost ten times as much as a small count. A job that does not fit in its memory
 * budget runs alone at the end. Jobs for a GPU go to a process that stays, one after the other: so
 * CUDA starts once. The worker of a job finds out whether the job is for the GPU: it makes
 * a plan for the processors and compares its time with a limit. */
#ifndef CLI_BATCH_POOL_H
#define CLI_BATCH_POOL_H

#include "src/cli/batch/jobs.h"

/* Called when a job has ended for good, and at intervals while none ends (report NULL; job is then
 * without meaning). Returns CLI_DONE to continue; any other exit code ends the run. */
typedef int (*cli_pool_fn)(void *user, size_t job, const cli_job_report *report);

/* Runs all jobs without a problem. Returns CLI_DONE when all have ended (well or not), the code
 * of on_report, or CLI_SIGNAL + its number when a signal asked to stop: then running jobs are
 * dropped. */
int cli_pool_run(const cli_jobs *jobs, cli_pool_fn on_report, void *user);

#endif

/* What a worker does, in its own process (process.h). */
#ifndef CLI_BATCH_WORKER_H
#define CLI_BATCH_WORKER_H

#include "src/cli/batch/process.h"

/* Does one task within its memory budget, and reports. */
void cli_worker_run(const cli_jobs *jobs, const cli_task *task, const cli_process *self);

/* Is the process with the GPU. First it reports CLI_JOB_DONE when it is ready, or CLI_JOB_FAILED when
 * there is no GPU; is_gpu_given says that the command line chose the device. Then it does the tasks that
 * it reads, and reports each. */
void cli_worker_serve(const cli_jobs *jobs, bool is_gpu_given, const cli_process *self);

#endif

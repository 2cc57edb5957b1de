/* The supervisor of the workers. It starts them, divides threads and memory among them, ends those
 * that take too long, and receives the report of each job.
 *
 * The supervisor itself starts no threads and no CUDA. So a worker can be forked without exec; an
 * exec would cost ten times as much as a small count. A job that does not fit in its memory
 * budget runs alone at the end. Jobs for a GPU go to a process that stays, one after the other: so
 * CUDA starts once. The worker of a job finds out whether the job is for the GPU: it makes
 * a plan for the processors and compares its time with a limit.
 *
 * Workers are processes that count jobs, and end when the supervisor ends (PR_SET_PDEATHSIG).
 * Reports and tasks go through a socket that keeps messages apart, so each arrives whole or not at
 * all. The standard error of a worker is a file in memory, which can still be read after the worker
 * has died. */
#ifndef CLI_BATCH_POOL_H
#define CLI_BATCH_POOL_H

#include "src/cli/batch/jobs.h"

#include <sys/types.h>

/* Called when a job has ended for good, and at intervals while none ends (report NULL; job is then
 * without meaning). Returns CLI_DONE to continue; any other exit code ends the run. */
typedef int (*cli_pool_fn)(void *user, size_t job, const cli_job_report *report);

/* Runs all jobs without a problem. Returns CLI_DONE when all have ended (well or not), the code
 * of on_report, or CLI_SIGNAL + its number when a signal asked to stop: then running jobs are
 * dropped. */
int cli_pool_run(const cli_jobs *jobs, cli_pool_fn on_report, void *user);

/* ---- Workers (src/cli/batch/worker.c) -------------------------------------------------------- */

/* One job and the resources that it may use. */
typedef struct cli_task {
    size_t job;
    int n_threads;
    uint64_t memory_bytes;
    bool is_alone;      /* no other job runs, so this budget is all the memory there is */
    bool is_cpu_only;   /* else the device is that of the command line */
    double max_seconds; /* a job predicted to take longer is CLI_JOB_FOR_GPU; 0: no limit */
} cli_task;

typedef struct cli_process {
    pid_t pid;   /* 0: there is none; in the process itself too */
    int channel; /* socket: the process sends cli_job_report, and receives cli_task */
    int errors;  /* the file of its standard error */
} cli_process;

/* ---- Processes ------------------------------------------------------------------------------- */

/* The work of a process, which ends when this returns. */
typedef void (*cli_process_fn)(void *user, const cli_process *self);

/* Starts a process without the signal handlers of this one. It is not reached by Ctrl-C, and dies
 * with this one. False, with errno. */
bool cli_process_start(cli_process *process, cli_process_fn body, void *user);

/* Sends a whole task or report. A receiver that has ended is no error. */
void cli_process_send(const cli_process *to, const void *bytes, size_t n_bytes);

/* Waits for a whole report or task; false: there will be none. */
bool cli_process_receive(const cli_process *from, void *bytes, size_t n_bytes);

/* Waits for a process that has reported, or was killed, and closes its files. */
void cli_process_reap(cli_process *process);

/* The same for one that ended without a report: fills in that of a failed job. */
void cli_process_reap_failed(cli_process *process, cli_job_report *report);

/* Closes the files of a process, also those that another process has inherited. */
void cli_process_close(cli_process *process);

/* ---- The work of a worker, in its own process ------------------------------------------------ */

/* Does one task within its memory budget, and reports. */
void cli_worker_run(const cli_jobs *jobs, const cli_task *task, const cli_process *self);

/* Is the process with the GPU. First it reports CLI_JOB_DONE when it is ready, or CLI_JOB_FAILED
 * when there is no GPU; is_gpu_given says that the command line chose the device. Then it does the
 * tasks that it reads, and reports each. */
void cli_worker_serve(const cli_jobs *jobs, bool is_gpu_given, const cli_process *self);

#endif

/* A process that does jobs: either one job, or the jobs that it receives orders for.
 *
 * Its report is a struct of at most PIPE_BUF bytes and is written by one write, so it arrives
 * whole or not at all. Workers end when the supervisor ends (PR_SET_PDEATHSIG). */
#ifndef CLI_BATCH_PROCESS_H
#define CLI_BATCH_PROCESS_H

#include "src/cli/batch/worker.h"

#include <sys/types.h>

typedef struct cli_process {
    pid_t pid;   /* 0: there is none; in the process itself too */
    int reports; /* pipe of cli_job_reports: the supervisor reads, the process writes */
    int orders;  /* the other way round; -1: it does one job */
    int notes;   /* its standard error */
} cli_process;

/* What the process does; it ends when this returns. */
typedef void (*cli_process_fn)(void *user, const cli_process *self);

/* Starts a process that has none of the signal handlers of this one, is not reached by Ctrl-C, and
 * dies with this one. False, with errno. */
bool cli_process_start(cli_process *process, bool takes_orders, cli_process_fn body, void *user);

/* Sends a report, whole; a supervisor that is gone is no matter. */
void cli_process_report(const cli_process *self, const cli_job_report *report);

/* From here on the largest size of this process is that of one job more. */
void cli_process_reset_peak(void);

/* Takes the report that is there; false: there will be none any more. */
bool cli_process_hear(const cli_process *process, cli_job_report *report);

/* Waits for a process that has reported, or was killed, and forgets it. */
void cli_process_end(cli_process *process);

/* The same for one that ended by itself without a report: this says why, as a failed job. */
void cli_process_bury(cli_process *process, cli_job_report *report);

/* Closes what a process has inherited of another one's. */
void cli_process_forget(cli_process *process);

#endif

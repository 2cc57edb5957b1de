/* Where jobs run: lanes of the pool, each a process that does one job, and one lane whose process
 * stays and has the GPU. Inside the pool only. */
#ifndef CLI_BATCH_POOL_LANES_H
#define CLI_BATCH_POOL_LANES_H

#include "src/cli/batch/pool.h"
#include "src/cli/batch/process.h"
#include "src/cli/batch/shares.h"

/* How a job runs. */
typedef struct cli_turn {
    size_t job;
    bool alone; /* nothing else runs meanwhile */
    int n_threads;
} cli_turn;

typedef struct cli_lane {
    cli_process process;
    bool is_busy; /* it has a job, or is not ready for one yet */
    bool has_job; /* turn is one */
    bool is_late; /* killed, for it took too long */
    cli_turn turn;
    double deadline; /* 0: none */
} cli_lane;

typedef struct cli_lanes {
    const cli_batch_options *options;
    const cli_jobs *jobs;
    cli_shares shares;
    cli_gpu gpu;
    cli_lane *lane; /* [n]: the last is that of the GPU */
    size_t n;
} cli_lanes;

/* For n_jobs jobs; false when out of memory. */
bool cli_lanes_create(const cli_batch_options *options, const cli_jobs *jobs, size_t n_jobs,
                      cli_lanes *lanes);

/* Kills what runs, waits for its end. */
void cli_lanes_free(cli_lanes *lanes);

size_t cli_lanes_busy(const cli_lanes *lanes);

/* Threads for each of n_jobs that are about to start: more than a share when there are fewer jobs than
 * workers. */
int cli_lanes_threads(const cli_lanes *lanes, size_t n_jobs);

/* An idle lane for a job of its own process; NULL: all are busy. */
cli_lane *cli_lanes_idle(cli_lanes *lanes);
cli_lane *cli_lanes_gpu(cli_lanes *lanes);

/* Begins a job; false, with errno, when there can be no process for it. In the lane of the GPU, which
 * must be ready, it cannot fail: a process that is gone is heard of soon. */
bool cli_lane_start(cli_lanes *lanes, cli_lane *lane, const cli_turn *turn);

/* Begins the process that has the GPU, which reports CLI_JOB_DONE when it is ready, and
 * CLI_JOB_FAILED when no GPU can be used. */
bool cli_lane_start_gpu(cli_lanes *lanes);
void cli_lane_order(cli_lanes *lanes, const cli_turn *turn);

/* The lane has no job any more; its process, if there is one, waits for the next. */
void cli_lane_rest(cli_lane *lane);

#endif

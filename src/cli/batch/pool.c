/* Which job runs when: ordinary ones side by side, those for the GPU in turn beside them, and those
 * that are too large for a share one by one at the end. */
#include "src/cli/batch/pool.h"

#include "src/cli/batch/pool_lanes.h"
#include "src/cli/batch/queue.h"
#include "src/cli/batch/result_file.h"
#include "src/cli/exit_codes.h"
#include "src/cli/progress.h"
#include "src/cli/signals.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TIMED_OUT = 124, TELL_MILLISECONDS = 100 };

typedef struct job_state {
    unsigned n_repeats;
    bool needs_gpu, needs_all; /* the processors would take long; a share is too small */
} job_state;

typedef struct pool {
    const cli_batch_options *options;
    cli_lanes lanes;
    job_state *state;                     /* [n jobs] */
    cli_queue ordinary, for_gpu, for_all; /* a job that does not run is in one of them */
    struct pollfd *watched;               /* [n lanes] of those that have a process */
    cli_pool_fn tell;
    void *user;
    int code; /* not CLI_DONE: the run is to end */
} pool;

/* ---- What became of a job -------------------------------------------------------------------- */

static bool may_have_gpu(const pool *pool)
{
    return pool->lanes.gpu != CLI_GPU_NEVER && pool->lanes.gpu != CLI_GPU_MISSING;
}

static void enqueue(pool *pool, size_t job)
{
    const job_state *state = &pool->state[job];
    if (state->needs_all)
        cli_queue_push(&pool->for_all, job);
    else if (state->needs_gpu && may_have_gpu(pool))
        cli_queue_push(&pool->for_gpu, job);
    else
        cli_queue_push(&pool->ordinary, job);
}

/* Whether the failure may not happen again when the job is repeated. */
static bool is_worth_retrying(const cli_job_report *report)
{
    return report->exit >= CLI_SIGNAL || report->exit == TIMED_OUT ||
           report->exit == CLI_INTERNAL || report->exit == CLI_NO_CREATE || report->exit == CLI_IO;
}

static void take_report(pool *pool, size_t job, const cli_job_report *report)
{
    job_state *state = &pool->state[job];
    bool is_again = report->outcome == CLI_JOB_FAILED && is_worth_retrying(report) &&
                    state->n_repeats < pool->options->n_retries;
    state->n_repeats += is_again;
    state->needs_all |= report->outcome == CLI_JOB_TOO_LARGE;
    state->needs_gpu |= report->outcome == CLI_JOB_FOR_GPU;
    if (is_again || report->outcome == CLI_JOB_TOO_LARGE || report->outcome == CLI_JOB_FOR_GPU)
        enqueue(pool, job);
    else if (pool->code == CLI_DONE)
        pool->code = pool->tell(pool->user, job, report);
}

/* ---- Starting -------------------------------------------------------------------------------- */

static void fail_without_process(pool *pool, size_t job)
{
    cli_job_report report = {.outcome = CLI_JOB_FAILED, .exit = CLI_UNAVAILABLE};
    snprintf(report.message, sizeof report.message, "no process can be started for it: %s",
             strerror(errno));
    take_report(pool, job, &report);
}

static size_t least_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The first job of a queue, and what it may use: as the other jobs that could start beside it. */
static cli_turn first_turn(const pool *pool, const cli_queue *queue)
{
    size_t n_idle = (size_t)pool->lanes.shares.n_workers - cli_lanes_busy(&pool->lanes);
    size_t n_waiting = pool->ordinary.n + (pool->for_gpu.n > 0);
    bool alone = queue == &pool->for_all;
    return (cli_turn){.job = cli_queue_first(queue),
                      .alone = alone,
                      .n_threads =
                          alone ? pool->lanes.shares.whole.n_threads
                                : cli_lanes_threads(&pool->lanes, least_of(n_idle, n_waiting))};
}

/* Starts the first job of a queue; false when it has to wait. */
static bool start_first(pool *pool, cli_queue *queue)
{
    cli_turn turn = first_turn(pool, queue);
    bool is_started = cli_lane_start(&pool->lanes, cli_lanes_idle(&pool->lanes), &turn);
    if (!is_started && cli_lanes_busy(&pool->lanes) > 0)
        return false;
    cli_queue_drop(queue);
    if (!is_started)
        fail_without_process(pool, turn.job);
    return true;
}

/* Jobs that were meant for the GPU are done as all others. */
static void do_without_gpu(pool *pool)
{
    pool->lanes.gpu = CLI_GPU_MISSING;
    for (; pool->for_gpu.n > 0; cli_queue_drop(&pool->for_gpu))
        cli_queue_push(&pool->ordinary, cli_queue_first(&pool->for_gpu));
}

/* The same where the GPU is; first its process is started, which takes the place of a worker. */
static void start_first_on_gpu(pool *pool, cli_queue *queue)
{
    const cli_lane *lane = cli_lanes_gpu(&pool->lanes);
    if (lane->process.pid != 0) {
        cli_turn turn = first_turn(pool, queue);
        cli_lane_order(&pool->lanes, &turn);
        cli_queue_drop(queue);
    } else if (!cli_lane_start_gpu(&pool->lanes)) {
        do_without_gpu(pool);
    }
}

static bool runs_alone(const pool *pool)
{
    for (size_t i = 0; i < pool->lanes.n; i++)
        if (pool->lanes.lane[i].is_busy && pool->lanes.lane[i].turn.alone)
            return true;
    return false;
}

/* Starts one more job; false when none can be started now. */
static bool start_one(pool *pool)
{
    size_t n_busy = cli_lanes_busy(&pool->lanes);
    if (n_busy >= (size_t)pool->lanes.shares.n_workers || runs_alone(pool))
        return false;
    if (pool->for_gpu.n > 0 && !cli_lanes_gpu(&pool->lanes)->is_busy) {
        start_first_on_gpu(pool, &pool->for_gpu);
        return true;
    }
    if (pool->ordinary.n > 0)
        return start_first(pool, &pool->ordinary);
    if (n_busy > 0 || pool->for_gpu.n > 0 || pool->for_all.n == 0)
        return false;
    if (pool->state[cli_queue_first(&pool->for_all)].needs_gpu && may_have_gpu(pool)) {
        start_first_on_gpu(pool, &pool->for_all);
        return true;
    }
    return start_first(pool, &pool->for_all);
}

/* ---- Hearing ------------------------------------------------------------------------------- */

static void become_late(const pool *pool, const cli_lane *lane, cli_job_report *report)
{
    if (!lane->is_late)
        return;
    report->exit = TIMED_OUT;
    snprintf(report->message, sizeof report->message, "took longer than the %g s of --timeout",
             pool->options->timeout_seconds);
}

/* A worker in a small share whose libraries found no memory and gave up: GMP and OpenMP do. */
static void consider_memory(const cli_lane *lane, const cli_share *part, cli_job_report *report)
{
    static const char *const signs[] = {"Cannot allocate memory", "Out of memory allocating",
                                        "Thread creation failed"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (!lane->is_late && !lane->turn.alone && !part->is_whole &&
            strstr(report->message, signs[i]) != NULL)
            report->outcome = CLI_JOB_TOO_LARGE;
}

/* A process has ended without a report. */
static void bury(pool *pool, cli_lane *lane)
{
    cli_lane was = *lane;
    cli_job_report report;
    cli_process_bury(&lane->process, &report);
    cli_lane_rest(lane);
    become_late(pool, &was, &report);
    consider_memory(&was, &pool->lanes.shares.part, &report);
    if (was.has_job) {
        cli_result_remove(pool->options->folder, pool->lanes.jobs->job[was.turn.job].result);
        take_report(pool, was.turn.job, &report);
    } else if (was.is_busy) { /* with finding out whether there is a GPU */
        do_without_gpu(pool);
    }
}

static void hear_gpu(pool *pool, cli_lane *lane, const cli_job_report *report)
{
    cli_lane was = *lane;
    cli_lane_rest(lane);
    if (was.is_late) /* it was killed while it reported */
        cli_process_end(&lane->process);
    if (was.has_job)
        take_report(pool, was.turn.job, report);
    else if (report->outcome == CLI_JOB_FAILED)
        do_without_gpu(pool);
}

static void hear(pool *pool, cli_lane *lane)
{
    cli_job_report report;
    if (!cli_process_hear(&lane->process, &report)) {
        bury(pool, lane);
    } else if (lane == cli_lanes_gpu(&pool->lanes)) {
        hear_gpu(pool, lane, &report);
    } else {
        size_t job = lane->turn.job;
        cli_process_end(&lane->process);
        cli_lane_rest(lane);
        take_report(pool, job, &report);
    }
}

/* ---- Waiting ------------------------------------------------------------------------------- */

static void kill_late(pool *pool)
{
    double now = cli_now_seconds();
    for (size_t i = 0; i < pool->lanes.n; i++) {
        cli_lane *lane = &pool->lanes.lane[i];
        if (!lane->is_busy || lane->is_late || lane->deadline == 0 || now < lane->deadline)
            continue;
        lane->is_late = true;
        kill(lane->process.pid, SIGKILL);
    }
}

static int wait_milliseconds(const pool *pool)
{
    double now = cli_now_seconds(), most = TELL_MILLISECONDS;
    for (size_t i = 0; i < pool->lanes.n; i++) {
        const cli_lane *lane = &pool->lanes.lane[i];
        double left = 1e3 * (lane->deadline - now);
        if (lane->is_busy && !lane->is_late && lane->deadline != 0 && left < most)
            most = left;
    }
    return most > 0 ? (int)most + 1 : 0;
}

/* Waits for reports, for a job to be late, or for the time to tell how far we are. Lanes without a
 * process are left out: poll() takes no more entries than files may be open. */
static void attend(pool *pool)
{
    cli_lane *lane = pool->lanes.lane;
    nfds_t n_watched = 0, w = 0;
    for (size_t i = 0; i < pool->lanes.n; i++)
        if (lane[i].process.pid != 0)
            pool->watched[n_watched++] =
                (struct pollfd){.fd = lane[i].process.reports, .events = POLLIN};
    int n = poll(pool->watched, n_watched, wait_milliseconds(pool));
    for (size_t i = 0; n > 0 && i < pool->lanes.n; i++)
        if (lane[i].process.pid != 0 && pool->watched[w++].revents != 0)
            hear(pool, &lane[i]);
    kill_late(pool);
    if (n == 0 && pool->code == CLI_DONE)
        pool->code = pool->tell(pool->user, 0, NULL);
    if (cli_signals_pending() != 0)
        pool->code = CLI_SIGNAL + cli_signals_pending();
}

/* ---- The run ------------------------------------------------------------------------------- */

static size_t count_jobs(const cli_jobs *jobs)
{
    size_t n = 0;
    for (size_t i = 0; i < jobs->n; i++)
        n += jobs->job[i].problem == NULL;
    return n;
}

static bool prepare(pool *pool, const cli_jobs *jobs)
{
    size_t n = count_jobs(jobs);
    pool->state = calloc(jobs->n + 1, sizeof *pool->state);
    if (pool->state == NULL || !cli_queue_create(n, &pool->ordinary) ||
        !cli_queue_create(n, &pool->for_gpu) || !cli_queue_create(n, &pool->for_all) ||
        !cli_lanes_create(pool->options, jobs, n, &pool->lanes))
        return false;
    pool->watched = calloc(pool->lanes.n, sizeof *pool->watched);
    return pool->watched != NULL;
}

static void enqueue_all(pool *pool, const cli_jobs *jobs)
{
    for (size_t i = 0; i < jobs->n; i++) {
        pool->state[i].needs_gpu = pool->lanes.gpu == CLI_GPU_ASKED;
        if (jobs->job[i].problem == NULL)
            enqueue(pool, i);
    }
}

static void run(pool *pool)
{
    while (pool->code == CLI_DONE) {
        while (pool->code == CLI_DONE && start_one(pool))
            ;
        if (pool->code != CLI_DONE || cli_lanes_busy(&pool->lanes) == 0)
            return;
        attend(pool);
    }
}

static void free_pool(pool *pool)
{
    cli_lanes_free(&pool->lanes);
    cli_queue_free(&pool->ordinary);
    cli_queue_free(&pool->for_gpu);
    cli_queue_free(&pool->for_all);
    free(pool->watched);
    free(pool->state);
}

int cli_pool_run(const cli_batch_options *options, const cli_jobs *jobs, cli_pool_fn tell,
                 void *user)
{
    pool pool = {.options = options, .tell = tell, .user = user};
    signal(SIGCHLD, SIG_DFL); /* ignored, it would take the reason of a death along */
    cli_signals_defer();
    if (prepare(&pool, jobs)) {
        enqueue_all(&pool, jobs);
        run(&pool);
    } else {
        pool.code = cli_fail(CLI_UNAVAILABLE, "no memory for the workers of the batch");
    }
    free_pool(&pool);
    cli_results_clean(options->folder); /* of workers that were killed */
    return pool.code;
}

/* Schedules the jobs: ordinary ones side by side, those for the GPU beside them, and those that are
 * too large for the memory budget of a worker one after another at the end. Two processes use the
 * GPU: while one of them reads a dataset or writes a result, the other one multiplies. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "src/cli/batch/pool.h"

#include "src/cli/batch/manifest.h"
#include "src/cli/process.h"
#include "src/cli/terminal.h"
#include "tool.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TIMED_OUT = 124, PROGRESS_MILLISECONDS = 100 };

/* A job that processors finish in this time does not start CUDA: the library has the same limit. */
static const double MAX_SECONDS_WITHOUT_GPU = 0.5;

enum { GPU_PROCESSES = 2 };

/* A driver that does not answer in this time never will. */
static const double GPU_START_SECONDS = 120;

typedef enum gpu_use {
    GPU_NEVER,  /* the command line excludes it */
    GPU_ALWAYS, /* the command line names a device: all jobs go there */
    GPU_IF_SLOW /* jobs that take long on processors go there, if there is one */,
    GPU_MISSING
} gpu_use;

typedef struct job_state {
    unsigned n_retries;
    bool needs_gpu; /* takes long on processors */
    bool needs_all; /* does not fit in the memory budget of a worker */
    size_t next;    /* in its queue */
} job_state;

/* Jobs that wait, linked by job_state.next. The first one has no meaning when n is 0. */
typedef struct queue {
    size_t first, last, n;
} queue;

/* A place for a worker. */
typedef struct slot {
    cli_process process;
    bool is_busy;  /* it has a task, or its process is not ready for one yet */
    bool has_task; /* task is one */
    bool is_late;  /* killed, because it took too long */
    cli_task task;
    double deadline; /* 0: none */
} slot;

typedef struct pool {
    const cli_jobs *jobs;
    const cli_batch_options *options;
    int n_workers, n_threads; /* at once; of all together */
    uint64_t memory_bytes;    /* of all together */
    gpu_use gpu;
    job_state *state;                 /* [jobs->n] */
    queue ordinary, for_gpu, for_all; /* a job that waits is in one of them */
    slot *slot;     /* [n_slots]: those of the GPU are the last ones, at gpu_slot */
    slot *gpu_slot; /* [GPU_PROCESSES] */
    size_t n_slots;
    size_t n_gpu;           /* processes with the GPU at most */
    struct pollfd *watched; /* [n_slots]: of those that have a process */
    cli_pool_fn on_report;
    void *user;
    int code; /* not CLI_DONE: the run is to end */
} pool;

/* ---- Threads and memory ---------------------------------------------------------------------- */

static gpu_use gpu_use_of(const char *device)
{
    if (device == NULL || strcmp(device, "auto") == 0)
        return GPU_IF_SLOW;
    return strcmp(device, "cpu") == 0 ? GPU_NEVER : GPU_ALWAYS;
}

static size_t count_busy(const pool *pool)
{
    size_t n = 0;
    for (size_t i = 0; i < pool->n_slots; i++)
        n += pool->slot[i].is_busy;
    return n;
}

/* Threads of a job that is about to start. The free threads are divided equally among the jobs that
 * can start now; so threads of workers without a job are in use too. It is at least what each of
 * n_workers has when all are busy. */
static int divide_threads(const pool *pool)
{
    int n_free = pool->n_threads, least = pool->n_threads / pool->n_workers;
    size_t n_idle = (size_t)pool->n_workers - count_busy(pool);
    size_t n_waiting = pool->ordinary.n + (pool->for_gpu.n > 0);
    size_t n_jobs = n_idle < n_waiting ? n_idle : n_waiting;
    for (size_t i = 0; i < pool->n_slots; i++)
        n_free -= pool->slot[i].is_busy ? pool->slot[i].task.n_threads : 0;
    int n = n_free > 0 && n_jobs > 0 ? n_free / (int)n_jobs : 0;
    n = n > least ? n : least;
    return n > 0 ? n : 1;
}

/* ---- Queues and reports ---------------------------------------------------------------------- */

static void push(pool *pool, queue *queue, size_t job)
{
    if (queue->n++ == 0)
        queue->first = job;
    else
        pool->state[queue->last].next = job;
    queue->last = job;
}

static size_t pop(const pool *pool, queue *queue)
{
    size_t job = queue->first;
    queue->first = pool->state[job].next;
    queue->n--;
    return job;
}

static bool may_have_gpu(const pool *pool)
{
    return pool->gpu == GPU_ALWAYS || pool->gpu == GPU_IF_SLOW;
}

static void enqueue(pool *pool, size_t job)
{
    const job_state *state = &pool->state[job];
    bool is_for_gpu = state->needs_gpu && may_have_gpu(pool);
    push(pool,
         state->needs_all ? &pool->for_all
         : is_for_gpu     ? &pool->for_gpu
                          : &pool->ordinary,
         job);
}

/* The job waits again, when a failure may not happen again or it needs more room, or has ended for
 * good. */
static void handle_report(pool *pool, size_t job, const cli_job_report *report)
{
    job_state *state = &pool->state[job];
    bool is_worth_retrying = report->exit >= CLI_SIGNAL || report->exit == TIMED_OUT ||
                             report->exit == CLI_INTERNAL || report->exit == CLI_NO_CREATE ||
                             report->exit == CLI_IO;
    bool is_retried = report->outcome == CLI_JOB_FAILED && is_worth_retrying &&
                      state->n_retries < pool->options->n_retries;
    state->n_retries += is_retried;
    state->needs_all |= report->outcome == CLI_JOB_TOO_LARGE;
    state->needs_gpu |= report->outcome == CLI_JOB_FOR_GPU;
    if (is_retried || report->outcome == CLI_JOB_TOO_LARGE || report->outcome == CLI_JOB_FOR_GPU)
        enqueue(pool, job);
    else if (pool->code == CLI_DONE)
        pool->code = pool->on_report(pool->user, job, report);
}

/* ---- Processes with the GPU ------------------------------------------------------------------ */

static size_t count_gpu_processes(const pool *pool)
{
    size_t n = 0;
    for (size_t i = 0; i < GPU_PROCESSES; i++)
        n += pool->gpu_slot[i].process.pid != 0;
    return n;
}

/* A slot of the GPU without a task, with a process or for one that is to be started; NULL when jobs
 * for the GPU have to wait. A second process is started for several jobs, and when the first has
 * found its GPU. */
static slot *idle_gpu_slot(const pool *pool)
{
    slot *empty = NULL;
    size_t n = count_gpu_processes(pool);
    bool is_starting = false;
    for (size_t i = 0; i < GPU_PROCESSES; i++) {
        slot *slot = &pool->gpu_slot[i];
        if (slot->process.pid == 0)
            empty = slot;
        else if (!slot->is_busy)
            return slot;
        is_starting |= slot->is_busy && !slot->has_task;
    }
    return !is_starting && (n == 0 || (n < pool->n_gpu && pool->for_gpu.n > 1)) ? empty : NULL;
}

/* A process with the GPU could not be started, or found none. When there is no other one, jobs for
 * the GPU become ordinary ones. */
static void lose_gpu_process(pool *pool, size_t n_others)
{
    pool->n_gpu = n_others;
    if (n_others > 0)
        return;
    pool->gpu = GPU_MISSING;
    while (pool->for_gpu.n > 0)
        push(pool, &pool->ordinary, pop(pool, &pool->for_gpu));
}

/* ---- Starting -------------------------------------------------------------------------------- */

/* Tells a process that is about to start what it does. */
typedef struct start {
    const pool *pool;
    const cli_task *task; /* NULL: it serves with the GPU, and reads its tasks */
} start;

/* A cli_process_fn: closes the files of the other processes, and works. */
static void run_worker(void *user, const cli_process *self)
{
    const start *start = user;
    const pool *pool = start->pool;
    for (size_t i = 0; i < pool->n_slots; i++)
        if (pool->slot[i].process.pid != 0)
            cli_process_close(&pool->slot[i].process);
    if (start->task != NULL)
        cli_worker_run(pool->jobs, start->task, self);
    else
        cli_worker_serve(pool->jobs, pool->gpu == GPU_ALWAYS, self);
}

/* Gives a slot the first job of a queue, with its threads and its memory. The GPU is left to its own process as long as
 * there may be one. */
static void set_task(const pool *pool, const queue *queue, slot *slot)
{
    bool takes_all = queue == &pool->for_all, is_alone = takes_all || pool->n_workers == 1;
    bool has_gpu = slot >= pool->gpu_slot;
    double seconds = pool->options->timeout_seconds;
    gpu_use asked = gpu_use_of(pool->options->count.running.device);
    cli_task task = {
        .job = queue->first,
        .n_threads = takes_all ? pool->n_threads : divide_threads(pool),
        .memory_bytes = pool->memory_bytes / (is_alone ? 1 : (uint64_t)pool->n_workers),
        .is_alone = is_alone,
        .is_cpu_only = !has_gpu && asked == GPU_IF_SLOW,
        .max_seconds = !has_gpu && pool->gpu == GPU_IF_SLOW ? MAX_SECONDS_WITHOUT_GPU : 0};
    *slot = (struct slot){.process = slot->process,
                          .is_busy = true,
                          .has_task = true,
                          .task = task,
                          .deadline = seconds > 0 ? cli_now_seconds() + seconds : 0};
}

/* Starts the first job of a queue; false when it has to wait. An ordinary slot is idle while fewer than n_workers are
 * busy. */
static bool start_first(pool *pool, queue *queue)
{
    slot *slot = pool->slot;
    while (slot->is_busy)
        slot++;
    set_task(pool, queue, slot);
    if (cli_process_start(&slot->process, run_worker, &(start){pool, &slot->task})) {
        pop(pool, queue);
        return true;
    }
    cli_job_report report = {.outcome = CLI_JOB_FAILED, .exit = CLI_UNAVAILABLE};
    snprintf(report.message, sizeof report.message, "no process can be started for it: %s",
             strerror(errno));
    *slot = (struct slot){.process = slot->process};
    if (count_busy(pool) > 0)
        return false;
    handle_report(pool, pop(pool, queue), &report);
    return true;
}

/* Starts the first job of a queue in a process with the GPU, in an idle slot of one; before its
 * first job, starts the process. Sending a task cannot fail: when the process has ended, the
 * supervisor notices that soon. */
static void start_first_on_gpu(pool *pool, queue *queue, slot *slot)
{
    if (slot->process.pid != 0) {
        set_task(pool, queue, slot);
        cli_process_send(&slot->process, &slot->task, sizeof slot->task);
        pop(pool, queue);
    } else if (cli_process_start(&slot->process, run_worker, &(start){pool, NULL})) {
        slot->is_busy = true;
        slot->deadline = cli_now_seconds() + GPU_START_SECONDS;
    } else {
        lose_gpu_process(pool, count_gpu_processes(pool));
    }
}

/* Starts one more job; false when none can be started now. */
static bool start_one(pool *pool)
{
    size_t n_busy = count_busy(pool);
    slot *gpu = idle_gpu_slot(pool);
    if (n_busy >= (size_t)pool->n_workers)
        return false;
    for (size_t i = 0; i < pool->n_slots; i++)
        if (pool->slot[i].has_task && pool->slot[i].task.is_alone)
            return false;
    if (pool->for_gpu.n > 0 && gpu != NULL) {
        start_first_on_gpu(pool, &pool->for_gpu, gpu);
        return true;
    }
    if (pool->ordinary.n > 0)
        return start_first(pool, &pool->ordinary);
    if (n_busy > 0 || pool->for_gpu.n > 0 || pool->for_all.n == 0)
        return false;
    if (pool->state[pool->for_all.first].needs_gpu && may_have_gpu(pool) && gpu != NULL) {
        start_first_on_gpu(pool, &pool->for_all, gpu);
        return true;
    }
    return start_first(pool, &pool->for_all);
}

/* ---- Waiting for reports --------------------------------------------------------------------- */

/* A process with one task ends after its report. A process with the GPU stays, unless it was killed
 * while it reported; its first report says whether there is a GPU. The slot then has no task any
 * more. */
static void read_report(pool *pool, slot *slot)
{
    struct slot was = *slot;
    cli_job_report report;
    bool is_gpu = slot >= pool->gpu_slot;
    if (cli_process_receive(&slot->process, &report, sizeof report)) {
        if (!is_gpu || was.is_late)
            cli_process_reap(&slot->process);
    } else {
        cli_process_reap_failed(&slot->process, &report);
        /* The process gave up because the memory budget was used up, by cli_need or as GMP and OpenMP do. A job that
         * had all memory is not too large for its budget. */
        const char *message = report.message;
        bool ran_out = !was.task.is_alone && (report.exit == CLI_UNAVAILABLE ||
                                              strstr(message, "Cannot allocate memory") != NULL ||
                                              strstr(message, "Out of memory allocating") != NULL ||
                                              strstr(message, "Thread creation failed") != NULL);
        if (was.is_late) {
            report.exit = TIMED_OUT;
            snprintf(report.message, sizeof report.message,
                     "took longer than the %g s of --timeout", pool->options->timeout_seconds);
        } else if (ran_out) {
            report.outcome = CLI_JOB_TOO_LARGE;
        }
        if (was.has_task)
            cli_result_remove(pool->options->folder, pool->jobs->job[was.task.job].result);
    }
    *slot = (struct slot){.process = slot->process};
    if (was.has_task)
        handle_report(pool, was.task.job, &report);
    else if (was.is_busy && report.outcome != CLI_JOB_DONE)
        lose_gpu_process(pool, count_gpu_processes(pool) - (slot->process.pid != 0));
}

/* Waits for reports, for the deadline of a job, or for the time to show progress. Slots without a
 * process are left out, because poll() takes no more entries than files may be open. */
static void wait_for_reports(pool *pool)
{
    nfds_t n_watched = 0, w = 0;
    double now = cli_now_seconds(), wait = PROGRESS_MILLISECONDS;
    for (size_t i = 0; i < pool->n_slots; i++) {
        const slot *slot = &pool->slot[i];
        double left = 1e3 * (slot->deadline - now);
        if (slot->process.pid != 0)
            pool->watched[n_watched++] =
                (struct pollfd){.fd = slot->process.channel, .events = POLLIN};
        if (slot->is_busy && !slot->is_late && slot->deadline != 0 && left < wait)
            wait = left;
    }
    int n = poll(pool->watched, n_watched, wait > 0 ? (int)wait + 1 : 0);
    for (size_t i = 0; n > 0 && i < pool->n_slots; i++)
        if (pool->slot[i].process.pid != 0 && pool->watched[w++].revents != 0)
            read_report(pool, &pool->slot[i]);
    now = cli_now_seconds();
    for (size_t i = 0; i < pool->n_slots; i++) {
        slot *slot = &pool->slot[i];
        if (slot->is_busy && !slot->is_late && slot->deadline != 0 && now >= slot->deadline) {
            slot->is_late = true;
            kill(slot->process.pid, SIGKILL);
        }
    }
    if (n == 0 && pool->code == CLI_DONE)
        pool->code = pool->on_report(pool->user, 0, NULL);
    if (cli_signals_pending() != 0)
        pool->code = CLI_SIGNAL + cli_signals_pending();
}

/* ---- The run --------------------------------------------------------------------------------- */

/* Puts the jobs into their queues, and sets what all workers may use, and how many there are. PC_ERR_MEMORY when no
 * memory is left for them. */
static pc_status prepare(pool *pool)
{
    const cli_jobs *jobs = pool->jobs;
    const cli_running_options *running = &pool->options->count.running;
    size_t n_jobs = 0;
    pc_context *context;
    cpu_set_t set;
    pool->gpu = gpu_use_of(running->device);
    pool->state = cli_need(calloc(jobs->n + 1, sizeof *pool->state));
    for (size_t j = 0; j < jobs->n; j++) {
        pool->state[j].needs_gpu = pool->gpu == GPU_ALWAYS;
        if (jobs->job[j].problem == NULL) {
            enqueue(pool, j);
            n_jobs++;
        }
    }
    if (pc_context_create(&context) != PC_OK)
        return PC_ERR_MEMORY;
    pc_context_set_memory_limit(context, running->memory_limit_bytes);
    pool->memory_bytes = pc_context_memory_available(context);
    pc_context_free(context);
    long n_processors = sched_getaffinity(0, sizeof set, &set) == 0
                            ? CPU_COUNT(&set)
                            : sysconf(_SC_NPROCESSORS_ONLN); /* more than a cpu_set_t has */
    pool->n_threads = running->n_threads > 0 ? running->n_threads
                      : n_processors > 0     ? (int)n_processors
                                             : 1;
    int n = pool->options->n_workers > 0 ? pool->options->n_workers : pool->n_threads;
    if (pool->gpu == GPU_ALWAYS && n > GPU_PROCESSES)
        n = GPU_PROCESSES;
    if ((size_t)n > n_jobs)
        n = (int)n_jobs;
    pool->n_workers = n > 0 ? n : 1;
    pool->n_slots = (size_t)pool->n_workers + GPU_PROCESSES;
    pool->n_gpu = (size_t)(pool->n_workers < GPU_PROCESSES ? pool->n_workers : GPU_PROCESSES);
    pool->slot = cli_need(calloc(pool->n_slots, sizeof *pool->slot));
    pool->watched = cli_need(calloc(pool->n_slots, sizeof *pool->watched));
    pool->gpu_slot = pool->slot + pool->n_workers;
    return pool->memory_bytes > 0 ? PC_OK : PC_ERR_MEMORY;
}

int cli_pool_run(const cli_jobs *jobs, cli_pool_fn on_report, void *user)
{
    pool pool = {.jobs = jobs, .options = jobs->options, .on_report = on_report, .user = user};
    signal(SIGCHLD,
           SIG_DFL); /* where it is ignored, there is no status of a process that has ended */
    cli_signals_defer();
    if (prepare(&pool) != PC_OK)
        pool.code = cli_fail(CLI_UNAVAILABLE, "no memory for the workers of the batch");
    while (pool.code == CLI_DONE) {
        while (pool.code == CLI_DONE && start_one(&pool))
            ;
        if (pool.code != CLI_DONE || count_busy(&pool) == 0)
            break;
        wait_for_reports(&pool);
    }
    for (size_t i = 0; i < pool.n_slots; i++) /* what still runs is dropped */
        if (pool.slot[i].process.pid != 0)
            kill(pool.slot[i].process.pid, SIGKILL);
    for (size_t i = 0; i < pool.n_slots; i++)
        if (pool.slot[i].process.pid != 0)
            cli_process_reap(&pool.slot[i].process);
    free(pool.slot);
    free(pool.watched);
    free(pool.state);
    cli_results_clean(pool.options->folder); /* of workers that were killed */
    return pool.code;
}

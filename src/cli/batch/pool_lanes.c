/* Processes at work, and what they do there. */
#include "src/cli/batch/pool_lanes.h"

#include "src/cli/exit_codes.h"
#include "src/cli/progress.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the processors do in this time does not start CUDA: the library's own limit. */
static const double MOST_SECONDS_WITHOUT_GPU = 0.5;

/* A driver that does not answer in this time never will. */
static const double GPU_START_SECONDS = 120;

/* For the process that is about to be made. */
typedef struct task {
    cli_lanes *lanes;
    cli_turn turn;
} task;

/* ---- In the processes ---------------------------------------------------------------------- */

static void forget_others(cli_lanes *lanes)
{
    for (size_t i = 0; i < lanes->n; i++)
        if (lanes->lane[i].process.pid != 0)
            cli_process_forget(&lanes->lane[i].process);
}

/* Does a job with a share of the machine. */
static void do_turn(const cli_lanes *lanes, const cli_turn *turn, const cli_share *share,
                    const cli_process *self)
{
    cli_job_report report;
    cli_worker_do(&lanes->jobs->job[turn->job], share, self->notes, &report);
    cli_process_report(self, &report);
}

static cli_share share_of(const cli_lanes *lanes, const cli_turn *turn)
{
    cli_share share = turn->alone ? lanes->shares.whole : lanes->shares.part;
    share.n_threads = turn->n_threads;
    return share;
}

/* Without the GPU, which is left its jobs as long as it may be there. */
static void do_one(void *user, const cli_process *self)
{
    task *task = user;
    cli_share share = share_of(task->lanes, &task->turn);
    if (cli_gpu_of(share.device) == CLI_GPU_USEFUL) {
        share.device = "cpu";
        share.most_seconds = task->lanes->gpu == CLI_GPU_MISSING ? 0 : MOST_SECONDS_WITHOUT_GPU;
    }
    forget_others(task->lanes);
    cli_share_enforce(&share);
    do_turn(task->lanes, &task->turn, &share, self);
}

static void note_gpu(void *user, const pc_device *device)
{
    bool *is_found = user;
    *is_found |= device->index >= 0 && device->missing[0] == '\0';
}

static bool has_gpu(void)
{
    bool is_found = false;
    pc_context *context;
    if (pc_context_create(&context) != PC_OK)
        return false;
    pc_devices(context, note_gpu, &is_found);
    pc_context_free(context);
    return is_found;
}

static bool take_order(const cli_process *self, cli_turn *turn)
{
    ssize_t n;
    while ((n = read(self->orders, turn, sizeof *turn)) < 0 && errno == EINTR)
        ;
    return n == (ssize_t)sizeof *turn;
}

/* Memory is not limited: that of a GPU is mapped here too. */
static void do_orders(void *user, const cli_process *self)
{
    cli_lanes *lanes = ((task *)user)->lanes;
    bool is_usable = lanes->gpu == CLI_GPU_ASKED || has_gpu();
    cli_turn turn;
    forget_others(lanes);
    cli_process_report(self,
                       &(cli_job_report){.outcome = is_usable ? CLI_JOB_DONE : CLI_JOB_FAILED});
    while (is_usable && take_order(self, &turn)) {
        cli_share share = share_of(lanes, &turn);
        cli_process_reset_peak();
        do_turn(lanes, &turn, &share, self);
    }
}

/* ---- Lanes --------------------------------------------------------------------------------- */

bool cli_lanes_create(const cli_batch_options *options, const cli_jobs *jobs, size_t n_jobs,
                      cli_lanes *lanes)
{
    *lanes = (cli_lanes){
        .options = options, .jobs = jobs, .gpu = cli_gpu_of(options->count.running.device)};
    if (!cli_shares_divide(options, n_jobs, &lanes->shares))
        return false;
    size_t n = (size_t)lanes->shares.n_workers + 1;
    lanes->lane = calloc(n, sizeof *lanes->lane);
    lanes->n = lanes->lane != NULL ? n : 0;
    return lanes->lane != NULL;
}

void cli_lanes_free(cli_lanes *lanes)
{
    for (size_t i = 0; i < lanes->n; i++)
        if (lanes->lane[i].process.pid != 0)
            kill(lanes->lane[i].process.pid, SIGKILL);
    for (size_t i = 0; i < lanes->n; i++)
        if (lanes->lane[i].process.pid != 0)
            cli_process_end(&lanes->lane[i].process);
    free(lanes->lane);
    *lanes = (cli_lanes){0};
}

size_t cli_lanes_busy(const cli_lanes *lanes)
{
    size_t n = 0;
    for (size_t i = 0; i < lanes->n; i++)
        n += lanes->lane[i].is_busy;
    return n;
}

int cli_lanes_threads(const cli_lanes *lanes, size_t n_jobs)
{
    int n_free = lanes->shares.whole.n_threads, least = lanes->shares.part.n_threads;
    for (size_t i = 0; i < lanes->n; i++)
        n_free -= lanes->lane[i].is_busy ? lanes->lane[i].turn.n_threads : 0;
    int n = n_free > 0 && n_jobs > 0 ? n_free / (int)n_jobs : 0;
    return n > least ? n : least;
}

cli_lane *cli_lanes_idle(cli_lanes *lanes)
{
    for (size_t i = 0; i + 1 < lanes->n; i++)
        if (!lanes->lane[i].is_busy)
            return &lanes->lane[i];
    return NULL;
}

cli_lane *cli_lanes_gpu(cli_lanes *lanes)
{
    return &lanes->lane[lanes->n - 1];
}

void cli_lane_rest(cli_lane *lane)
{
    *lane = (cli_lane){.process = lane->process};
}

static void set_busy(const cli_lanes *lanes, cli_lane *lane, const cli_turn *turn)
{
    double seconds = lanes->options->timeout_seconds;
    *lane = (cli_lane){.process = lane->process,
                       .is_busy = true,
                       .has_job = true,
                       .turn = *turn,
                       .deadline = seconds > 0 ? cli_now_seconds() + seconds : 0};
}

bool cli_lane_start(cli_lanes *lanes, cli_lane *lane, const cli_turn *turn)
{
    task task = {lanes, *turn};
    if (!cli_process_start(&lane->process, false, do_one, &task))
        return false;
    set_busy(lanes, lane, turn);
    return true;
}

bool cli_lane_start_gpu(cli_lanes *lanes)
{
    cli_lane *lane = cli_lanes_gpu(lanes);
    task task = {.lanes = lanes};
    if (!cli_process_start(&lane->process, true, do_orders, &task))
        return false;
    lane->is_busy = true;
    lane->deadline = cli_now_seconds() + GPU_START_SECONDS;
    return true;
}

void cli_lane_order(cli_lanes *lanes, const cli_turn *turn)
{
    cli_lane *lane = cli_lanes_gpu(lanes);
    set_busy(lanes, lane, turn);
    while (write(lane->process.orders, turn, sizeof *turn) < 0 && errno == EINTR)
        ;
}

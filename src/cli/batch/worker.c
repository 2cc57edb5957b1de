/* Does one job, from its dataset to the result in the folder, with the code of `pathcount count`
 * (src/cli/count.h), so there is no second way to count or to fail. What that code prints on
 * standard output becomes the result. What it prints on standard error goes to a memory file, from
 * which the message of a failure is taken.
 *
 * With --resume the first step of a job is to check the result of an earlier run. The check
 * compares digests (SHA-256 of input and result) and options, not dates. It runs in the worker, so
 * checks run in parallel, and a dataset that hangs stops only its own job.
 *
 * A worker tells the library its memory budget, and the library plans by it. RLIMIT_DATA enforces the
 * budget: an allocation beyond it fails here, before the machine is out of memory. */
#include "src/cli/batch/worker.h"
#include "pathcount_measure.h"
#include "pathcount_io.h"

#include "src/cli/count.h"
#include "src/cli/process.h"
#include "src/cli/terminal.h"
#include "src/cli/twice.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { PICTURE_PIXELS = 240, MAX_LENGTHS_DRAWN = 1000 };

/* Plans count what grows with the graph. This is for the rest: data of the libraries, blocks that
 * malloc keeps, buffers of files. Measured: 5 to 20 MiB. */
#define HEADROOM_BYTES     (UINT64_C(64) << 20)
#define USUAL_STACK_BYTES  (UINT64_C(8) << 20)
#define BESIDE_STACK_BYTES (UINT64_C(1) << 20) /* a thread's malloc arena */

typedef struct work {
    const cli_job *job;
    const cli_batch_options *batch;
    const cli_task *task;
    const cli_process *self;
    cli_job_report *report, empty_report; /* the latter is for --twice */
    double start_seconds;
    char path[PATH_MAX]; /* of the result */
    char picture[PATH_MAX + sizeof CLI_RESULT_PICTURE];
    bool is_printed;     /* the result is what is printed, else a file that the library writes */
    cli_file_mark mark;  /* of the dataset, before its digest */
    pc_context *context; /* of a printed result; NULL */
    pc_output *output;   /* of a printed result until it is committed; NULL */
    cli_count_options options;
    cli_count_facts facts;
} work;

__attribute__((format(printf, 3, 4))) static void fail(work *work, int code, const char *format,
                                                       ...)
{
    cli_job_report *report = work->report;
    va_list values;
    va_start(values, format);
    vsnprintf(report->message, sizeof report->message, format, values);
    va_end(values);
    report->outcome = CLI_JOB_FAILED;
    report->exit = code;
}

/* ---- Before -------------------------------------------------------------------------------- */

/* Standard input is empty and standard output is discarded, with what is in its buffer, so that it does
 * not get into a later result. False, with errno. */
static bool close_streams(void)
{
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    bool is_done = nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 &&
                   dup2(nothing, STDOUT_FILENO) >= 0 && fflush(stdout) == 0;
    int reason = errno;
    clearerr(stdout);
    if (nothing > STDERR_FILENO)
        close(nothing);
    errno = reason;
    return is_done;
}

static bool redirect_streams(work *work)
{
    int errors = work->self->errors;
    bool is_done = ftruncate(errors, 0) == 0 && dup2(errors, STDERR_FILENO) >= 0 && close_streams();
    if (!is_done)
        fail(work, CLI_INTERNAL, "cannot redirect standard streams: %s", strerror(errno));
    return is_done;
}

static bool begin(work *work)
{
    int length =
        snprintf(work->path, sizeof work->path, "%s/%s", work->batch->folder, work->job->result);
    snprintf(work->picture, sizeof work->picture, "%s%s", work->path, CLI_RESULT_PICTURE);
    if (!redirect_streams(work))
        return false;
    if (!cli_job_is_intact(work->job)) {
        fail(work, CLI_INTERNAL, CLI_JOB_CHANGED);
        return false;
    }
    if (length >= 0 && (size_t)length < sizeof work->path)
        return true;
    fail(work, CLI_NO_CREATE, "cannot create %.900s: %s", work->job->result,
         strerror(ENAMETOOLONG));
    return false;
}

static bool take_digest(work *work)
{
    const char *input = work->job->input;
    if (cli_digest_file(input, work->report->input_digest, &work->mark))
        return true;
    work->report->input_digest[0] = '\0';
    fail(work, CLI_NO_INPUT, "%.900s: cannot be read: %s", input, strerror(errno));
    return false;
}

/* Draws a matrix, and the growth of a total when that takes no longer than the total itself. Residues
 * and other queries have no picture. */
static void set_picture(work *work)
{
    cli_count_options *options = &work->options;
    bool is_total = options->query.question == CLI_ASK_TOTAL && options->length > 0 &&
                    options->length <= MAX_LENGTHS_DRAWN && options->count.arithmetic == PC_EXACT;
    if (!work->batch->report || !cli_look_can_draw() || (work->is_printed && !is_total) ||
        options->count.arithmetic == PC_MODULAR)
        return;
    options->look = (cli_look_options){.n_plots = 1, .size = PICTURE_PIXELS};
    options->look.plots[0].picture = is_total ? CLI_GROWTH : CLI_HEATMAP;
    options->look.plots[0].path = work->picture;
    work->report->has_picture = true;
}

static void set_options(work *work)
{
    const cli_running_options *running = &work->batch->count.running;
    const cli_task *task = work->task;
    cli_count_options *options = &work->options;
    *options = work->job->count;
    options->running = (cli_running_options){.is_quiet = true,
                                             .device = task->is_cpu_only ? "cpu" : running->device,
                                             .n_threads = task->n_threads,
                                             .memory_limit_bytes = task->memory_bytes,
                                             .twice = running->twice,
                                             .no_sync = running->no_sync};
    work->is_printed = options->query.question != CLI_ASK_MATRIX;
    options->output.n = work->is_printed ? 0 : 1;
    options->output.list[0].path = work->path;
    cli_output_find_format(&options->output.list[0], NULL);
    options->look = (cli_look_options){0};
    set_picture(work);
}

/* ---- The result of an earlier run ------------------------------------------------------------ */

static bool has_text(const json_t *line, const char *key, const char *text)
{
    const char *value = json_string_value(json_object_get(line, key));
    return value != NULL && strcmp(value, text) == 0;
}

/* A picture must exist; it has no digest. */
static bool has_picture(const work *work)
{
    const json_t *name = json_object_get(work->job->line, "picture");
    return json_is_string(name) && access(work->picture, R_OK) == 0;
}

/* Whether there is a file of labels beside the result. */
static bool has_labels(const work *work)
{
    char path[PATH_MAX + sizeof PC_LABELS_ENDING];
    snprintf(path, sizeof path, "%s%s", work->path, PC_LABELS_ENDING);
    return access(path, R_OK) == 0;
}

static bool is_kept(const work *work)
{
    const json_t *line = work->job->line, *code = json_object_get(line, "exit");
    char digest[CLI_DIGEST_SIZE];
    return json_is_integer(code) && json_integer_value(code) == CLI_DONE &&
           has_text(line, "input_sha256", work->report->input_digest) &&
           json_equal(json_object_get(line, "options"), work->job->options) &&
           cli_digest_file(work->path, digest, NULL) && has_text(line, "result_sha256", digest) &&
           (!work->report->has_picture || has_picture(work)) &&
           json_is_string(json_object_get(line, "labels")) == has_labels(work);
}

/* ---- Counting ------------------------------------------------------------------------------ */

static bool fail_result(work *work, pc_status status)
{
    const char *message = work->context != NULL ? pc_context_message(work->context) : "";
    fail(work, cli_exit_of_status(status), "%s",
         message[0] != '\0' ? message : pc_status_text(status));
    return false;
}

static bool fail_output(work *work)
{
    fail(work, CLI_IO, "cannot write to '%.900s': %s", work->path,
         strerror(errno != 0 ? errno : EIO));
    return false;
}

/* Redirects standard output to the file that becomes the result. */
static bool open_result(work *work)
{
    if (!work->is_printed)
        return true;
    pc_status status = pc_context_create(&work->context);
    if (status == PC_OK) {
        pc_context_set_sync(work->context, !work->options.running.no_sync);
        cli_twice_attach(work->context);
        status = pc_output_open(work->context, work->path, &work->output);
    }
    if (status != PC_OK)
        return fail_result(work, status);
    return dup2(pc_output_descriptor(work->output), STDOUT_FILENO) >= 0 || fail_output(work);
}

/* Gives the result its name when all that was printed is written. */
static bool commit_result(work *work)
{
    if (!work->is_printed)
        return true;
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout))
        return fail_output(work);
    pc_output *output = work->output;
    work->output = NULL;
    pc_status status = pc_output_commit(output);
    return status == PC_OK || fail_result(work, status);
}

/* A result that was not committed leaves nothing behind. */
static void close_result(work *work)
{
    if (work->is_printed)
        close_streams();
    pc_output_free(work->output);
    pc_context_free(work->context);
}

static void fail_with_last_message(work *work, int code)
{
    char message[sizeof work->report->message];
    cli_process_last_message(work->self, message, sizeof message);
    if (message[0] != '\0')
        fail(work, code, "%s", message);
    else
        fail(work, code, "ended with exit code %d", code);
}

/* The name of a file that changed between the digest and the count, or NULL. A dataset that was
 * gone before it was read has a message of its own. */
static const char *find_change(const work *work, int code)
{
    const cli_file_mark *mark = &work->facts.mark;
    if (!cli_file_mark_equal(&work->mark, mark) && (mark->is_there || code == CLI_DONE))
        return work->job->input;
    return cli_job_query_holds(work->job) ? NULL : "a file that the query names";
}

/* Decides by the exit code of a count what became of the job, and commits the result. */
static void finish(work *work, int code)
{
    cli_job_report *report = work->report;
    const char *changed = find_change(work, code);
    if (changed != NULL) {
        fail(work, CLI_BAD_DATA, "%.1800s: changed while it was read", changed);
    } else if (work->facts.is_too_long) {
        report->outcome = CLI_JOB_FOR_GPU;
    } else if (code != CLI_DONE) {
        fail_with_last_message(work, code);
        if (work->facts.status == PC_ERR_MEMORY && !work->task->is_alone)
            report->outcome = CLI_JOB_TOO_LARGE;
    } else if (commit_result(work) && !cli_is_first_of_two() &&
               !cli_digest_file(work->path, report->result_digest, NULL)) {
        fail(work, CLI_IO, "%.900s: cannot be read back: %s", work->path, strerror(errno));
    }
    report->has_labels = report->outcome == CLI_JOB_DONE && has_labels(work);
}

/* ---- The report ---------------------------------------------------------------------------- */

static void report_plan(const pc_plan_info *plan, cli_job_report *report)
{
    report->has_plan = true;
    snprintf(report->engine, sizeof report->engine, "%s", plan->engine);
    snprintf(report->method, sizeof report->method, "%s", cli_method_name(plan->method));
    report->bound_seconds = plan->seconds.bound;
    report->count_seconds = plan->seconds.start + plan->seconds.load + plan->seconds.extend +
                            plan->seconds.product + plan->seconds.step + plan->seconds.sweep +
                            plan->seconds.collect;
    report->certify_seconds = plan->seconds.certify;
    report->write_seconds = plan->seconds.deliver;
}

static void report_facts(const cli_count_facts *facts, cli_job_report *report)
{
    report->has_graph = facts->has_graph;
    report->n_vertices = facts->graph.n_vertices;
    report->n_edges = facts->graph.n_edges;
    report->bits = facts->bits;
    memcpy(report->total, facts->total, sizeof report->total);
    memcpy(report->largest, facts->largest, sizeof report->largest);
    report->read_seconds = facts->read_seconds;
    if (facts->has_plan)
        report_plan(&facts->plan, report);
}

static void set_peak(cli_job_report *report, uint64_t bytes)
{
    if (bytes > report->peak_memory_bytes)
        report->peak_memory_bytes = bytes;
}

static void report_usage(const work *work)
{
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) == 0)
        set_peak(work->report, (uint64_t)usage.ru_maxrss << 10);
    work->report->total_seconds = cli_now_seconds() - work->start_seconds;
}

/* ---- The job ------------------------------------------------------------------------------- */

static void count(work *work)
{
    if (open_result(work)) {
        int code = cli_count_run(&work->options, work->task->max_seconds, &work->facts);
        finish(work, code);
        report_facts(&work->facts, work->report);
    }
    close_result(work);
    if (work->report->outcome != CLI_JOB_DONE)
        cli_result_remove(work->batch->folder, work->job->result);
}

/* Whether two processes report the same, beside what is measured and what only the second one can know. */
static bool are_alike(const cli_job_report *one, const cli_job_report *other)
{
    return one->outcome == other->outcome && one->exit == other->exit &&
           one->has_graph == other->has_graph && one->has_plan == other->has_plan &&
           one->n_vertices == other->n_vertices && one->n_edges == other->n_edges &&
           one->bits == other->bits && strcmp(one->total, other->total) == 0 &&
           strcmp(one->largest, other->largest) == 0 && strcmp(one->engine, other->engine) == 0 &&
           strcmp(one->method, other->method) == 0 && one->has_picture == other->has_picture &&
           strcmp(one->input_digest, other->input_digest) == 0 &&
           strcmp(one->message, other->message) == 0;
}

/* Whether the files in the folder are what the report says of them. */
static bool are_files_there(const work *work)
{
    char digest[CLI_DIGEST_SIZE];
    return cli_digest_file(work->path, digest, NULL) &&
           strcmp(digest, work->report->result_digest) == 0 &&
           work->report->has_labels == has_labels(work);
}

/* Counts in a process of its own, and leaves its report in memory that is shared with the worker: the
 * first process in the first place. */
static int count_apart(void *user)
{
    work *work = user;
    cli_job_report *shared = work->report, own = work->empty_report;
    work->report = &own;
    count(work);
    report_usage(work);
    shared[cli_is_first_of_two() ? 0 : 1] = own;
    return own.exit;
}

/* The result has been compared when it gets its name, the reports are compared here. What the two processes
 * did not do alike has failed. */
static void count_twice(work *work)
{
    cli_job_report *own = work->report;
    cli_job_report *shared =
        mmap(NULL, 2 * sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        fail(work, CLI_UNAVAILABLE, "--twice: %s", strerror(errno));
        return;
    }
    work->empty_report = *own;
    work->report = shared;
    int code = cli_run_twice(count_apart, work, false);
    work->report = own;
    *own = shared[1];
    if (own->outcome == CLI_JOB_DONE && code != CLI_DONE)
        fail_with_last_message(work, code);
    else if (own->outcome == CLI_JOB_DONE &&
             (!are_alike(&shared[0], own) || !are_files_there(work)))
        fail(work, CLI_INTERNAL, "--twice: the two processes report different things");
    if (own->outcome != CLI_JOB_DONE)
        cli_result_remove(work->batch->folder, work->job->result);
    munmap(shared, 2 * sizeof *shared);
}

static void do_task(const cli_jobs *jobs, const cli_task *task, const cli_process *self)
{
    cli_job_report report = {.outcome = CLI_JOB_DONE};
    work work = {.job = &jobs->job[task->job],
                 .batch = jobs->options,
                 .task = task,
                 .self = self,
                 .report = &report,
                 .start_seconds = cli_now_seconds()};
    if (begin(&work)) {
        set_options(&work);
        bool is_readable = take_digest(&work);
        if (is_readable && is_kept(&work)) {
            report.outcome = CLI_JOB_KEPT;
        } else {
            /* A job that fails must not leave the result of an earlier run. */
            cli_result_remove(work.batch->folder, work.job->result);
            if (is_readable && work.options.running.twice)
                count_twice(&work);
            else if (is_readable)
                count(&work);
        }
    }
    report.has_picture &= report.outcome == CLI_JOB_DONE;
    report_usage(&work);
    cli_process_send_report(self, &report);
}

/* ---- The memory budget ---------------------------------------------------------------------- */

/* The memory of that kind that this process already has: a copy of that of the supervisor. */
static uint64_t present_bytes(void)
{
    uint64_t pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file == NULL)
        return 0;
    if (fscanf(file, "%*s %*s %*s %*s %*s %" SCNu64, &pages) != 1)
        pages = 0;
    fclose(file);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static uint64_t stack_bytes(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return USUAL_STACK_BYTES;
    return limit.rlim_cur;
}

/* RLIMIT_DATA limits memory that is private and writable, touched or not. Unlike RLIMIT_AS it does not
 * count files that are mapped to be read. */
static void limit_memory(const cli_task *task)
{
    struct rlimit limit;
    uint64_t bytes, others = present_bytes() + HEADROOM_BYTES;
    others += (uint64_t)task->n_threads * (stack_bytes() + BESIDE_STACK_BYTES);
    if (__builtin_add_overflow(others, task->memory_bytes, &bytes) ||
        getrlimit(RLIMIT_DATA, &limit) != 0)
        return;
    if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > bytes)
        limit.rlim_cur = bytes;
    setrlimit(RLIMIT_DATA, &limit);
}

void cli_worker_run(const cli_jobs *jobs, const cli_task *task, const cli_process *self)
{
    limit_memory(task);
    do_task(jobs, task, self);
}

/* ---- The process with the GPU ---------------------------------------------------------------- */

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

/* Memory is not limited, because that of a GPU is mapped into this process too. */
void cli_worker_serve(const cli_jobs *jobs, bool is_gpu_given, const cli_process *self)
{
    bool is_usable = is_gpu_given || has_gpu();
    cli_job_report ready = {.outcome = is_usable ? CLI_JOB_DONE : CLI_JOB_FAILED};
    cli_task task;
    cli_process_send_report(self, &ready);
    while (is_usable && cli_process_read_task(self, &task)) {
        cli_process_reset_peak();
        do_task(jobs, &task, self);
    }
}

/* Starts workers, and finds out why one has died. A worker does one job, from its dataset to the
 * result in the folder, with the code of `pathcount count` (src/cli/count.h), so there is no second
 * way to count or to fail. The result is the standard output of that code. Its standard error is a
 * file in memory, and the message of a failure is taken from there.
 *
 * A job first checks the result of an earlier run, with --resume. The check compares digests
 * (SHA-256 of input and result), options and versions, not dates. It runs in the worker, so checks
 * run in parallel, and a dataset that hangs stops only its own job.
 *
 * A worker tells the library its memory budget, and the library plans by it. RLIMIT_DATA enforces
 * the budget: an allocation beyond it fails here, before the machine is out of memory. */
#define _GNU_SOURCE /* memfd_create, TEMP_FAILURE_RETRY */
#include "src/cli/batch/pool.h"

#include "src/cli/batch/manifest.h"
#include "tool.h"

#include "src/cli/json.h"
#include "src/cli/process.h"
#include "src/cli/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PICTURE_PIXELS = 240, MAX_LENGTHS_DRAWN = 1000, MAX_ERROR_BYTES = 8192 };

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
    cli_job_report *report;
    double start_seconds;
    char path[PATH_MAX]; /* of the result */
    char picture[PATH_MAX + sizeof CLI_RESULT_PICTURE];
    bool is_printed;     /* standard output is the result, else the library writes it */
    cli_file_mark mark;  /* of the dataset, before its digest */
    pc_context *context; /* of a printed result; NULL */
    pc_output *output;   /* of a printed result until it is committed; NULL */
    cli_count_options options;
} work;

/* ---- Processes ------------------------------------------------------------------------------- */

void cli_process_close(cli_process *process)
{
    int *files[] = {&process->channel, &process->errors};
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        if (*files[f] >= 0)
            close(*files[f]);
        *files[f] = -1;
    }
    process->pid = 0;
}

/* Writes a setting of this process. The process continues without it when the system refuses it. */
static void write_setting(const char *path, const char *value)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return;
    ssize_t ignored = write(file, value, strlen(value));
    (void)ignored;
    close(file);
}

bool cli_process_start(cli_process *process, cli_process_fn body, void *user)
{
    cli_process ours = {0, -1, memfd_create("pathcount-errors", MFD_CLOEXEC)};
    cli_process theirs = {0, -1, ours.errors};
    pid_t parent = getpid(), pid = -1;
    int ends[2];
    fflush(NULL); /* else both processes would print the contents of buffers */
    if (ours.errors >= 0 && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0) {
        fcntl(ours.errors, F_SETFL, O_APPEND);
        ours.channel = ends[0];
        theirs.channel = ends[1];
        pid = fork();
    }
    int reason = errno;
    if (pid == 0) {
        close(ours.channel);
        setpgid(0, 0);
        cli_signals_restore();
        /* The system is asked to end this process with its parent. The parent may have ended before that call; then
         * this process has another parent. */
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            _exit(CLI_SIGNAL + SIGKILL);
        /* When memory runs out, the system ends a worker first, and not the supervisor. */
        write_setting("/proc/self/oom_score_adj", "500");
        body(user, &theirs);
        _exit(CLI_DONE);
    }
    if (theirs.channel >= 0)
        close(theirs.channel);
    ours.pid = pid;
    if (pid > 0)
        *process = ours;
    else
        cli_process_close(&ours);
    errno = reason;
    return pid > 0;
}

void cli_process_send(const cli_process *to, const void *bytes, size_t n_bytes)
{
    ssize_t ignored = TEMP_FAILURE_RETRY(write(to->channel, bytes, n_bytes));
    (void)ignored;
}

bool cli_process_receive(const cli_process *from, void *bytes, size_t n_bytes)
{
    return TEMP_FAILURE_RETRY(read(from->channel, bytes, n_bytes)) == (ssize_t)n_bytes;
}

/* The last message in the file of standard error, without "pathcount: ", on one line, cut to size
 * bytes with its NUL: the last line that the command itself printed, or else the last line of
 * another program or library; "" when there is none. */
static void find_last_message(int errors, char *text, size_t size)
{
    static const char ours[] = "pathcount: ";
    char all[MAX_ERROR_BYTES + 1];
    const char *last = "";
    bool is_ours = false;
    struct stat info;
    off_t from = fstat(errors, &info) == 0 && info.st_size > MAX_ERROR_BYTES
                     ? info.st_size - MAX_ERROR_BYTES
                     : 0;
    ssize_t n = pread(errors, all, MAX_ERROR_BYTES, from);
    n = n > 0 ? n : 0;
    all[n] = '\0';
    for (ssize_t i = 0; i < n; i++)
        if (all[i] == '\0')
            all[i] = ' ';
    for (char *rest = all, *line; (line = strsep(&rest, "\n")) != NULL;) {
        bool begins = strncmp(line, ours, sizeof ours - 1) == 0;
        if (line[0] == '\0' || (is_ours && !begins))
            continue;
        last = begins ? line + sizeof ours - 1 : line;
        is_ours = begins;
    }
    snprintf(text, size, "%s", last);
}

void cli_process_reap(cli_process *process)
{
    int status;
    TEMP_FAILURE_RETRY(waitpid(process->pid, &status, 0));
    cli_process_close(process);
}

void cli_process_reap_failed(cli_process *process, cli_job_report *report)
{
    int status = 0;
    struct rusage usage = {0};
    char reason[120], last[sizeof report->message - 128];
    TEMP_FAILURE_RETRY(wait4(process->pid, &status, 0, &usage));
    find_last_message(process->errors, last, sizeof last);
    cli_process_close(process);
    *report = (cli_job_report){.outcome = CLI_JOB_FAILED,
                               .exit = WIFSIGNALED(status) ? CLI_SIGNAL + WTERMSIG(status)
                                       : WEXITSTATUS(status) == CLI_UNAVAILABLE ? CLI_UNAVAILABLE
                                                                                : CLI_INTERNAL,
                               .peak_memory_bytes = (uint64_t)usage.ru_maxrss << 10};
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
        snprintf(reason, sizeof reason, "killed (signal 9): most likely out of memory");
    else if (WIFSIGNALED(status))
        snprintf(reason, sizeof reason, "ended by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else
        snprintf(reason, sizeof reason, "ended with exit code %d before it was done",
                 WEXITSTATUS(status));
    snprintf(report->message, sizeof report->message, "%s%s%s", reason, last[0] != '\0' ? ": " : "",
             last);
}

/* ---- Before a job ---------------------------------------------------------------------------- */

__attribute__((format(printf, 3, 4))) static bool fail(work *work, int code, const char *format,
                                                       ...)
{
    cli_job_report *report = work->report;
    va_list values;
    va_start(values, format);
    vsnprintf(report->message, sizeof report->message, format, values);
    va_end(values);
    report->outcome = CLI_JOB_FAILED;
    report->exit = code;
    return false;
}

/* Makes standard input empty, and discards standard output with the contents of its buffer, which
 * must not get into a later result. False, with errno. */
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

static bool begin(work *work)
{
    int errors = work->self->errors;
    int length =
        snprintf(work->path, sizeof work->path, "%s/%s", work->batch->folder, work->job->result);
    snprintf(work->picture, sizeof work->picture, "%s%s", work->path, CLI_RESULT_PICTURE);
    if (ftruncate(errors, 0) != 0 || dup2(errors, STDERR_FILENO) < 0 || !close_streams())
        return fail(work, CLI_INTERNAL, "cannot redirect standard streams: %s", strerror(errno));
    if (!cli_job_is_intact(work->job))
        return fail(work, CLI_INTERNAL, CLI_JOB_CHANGED);
    if (length < 0 || (size_t)length >= sizeof work->path)
        return fail(work, CLI_NO_CREATE, "cannot create %.900s: %s", work->job->result,
                    strerror(ENAMETOOLONG));
    return true;
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
                                             .time_limit_seconds = running->time_limit_seconds,
                                             .twice = running->twice,
                                             .no_sync = running->no_sync};
    work->is_printed = options->query.question != CLI_ASK_MATRIX;
    options->output.n = work->is_printed ? 0 : 1;
    options->output.list[0].path = work->path;
    cli_output_find_format(&options->output.list[0], NULL);
    options->look = (cli_look_options){0};
    /* A matrix is drawn, and the growth of a total when that takes no longer than the total itself.
     * Residues and other queries have no picture. */
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

/* ---- The result of an earlier run ------------------------------------------------------------ */

/* Returns whether there is a file of labels beside the result. */
static bool has_labels(const work *work)
{
    char path[PATH_MAX + sizeof PC_LABELS_ENDING];
    snprintf(path, sizeof path, "%s%s", work->path, PC_LABELS_ENDING);
    return access(path, R_OK) == 0;
}

/* A result is kept when version, options, dataset and result are what its line says. A picture has
 * no digest; it must exist. */
static bool is_kept(const work *work)
{
    const json_t *line = work->job->line, *code = json_object_get(line, "exit");
    char digest[CLI_DIGEST_SIZE];
    return json_is_integer(code) && json_integer_value(code) == CLI_DONE &&
           strcmp(cli_json_member(line, "version"), pc_version()) == 0 &&
           strcmp(cli_json_member(line, "input_sha256"), work->report->input_digest) == 0 &&
           json_equal(json_object_get(line, "options"), work->job->options) &&
           cli_digest_file(work->path, digest, NULL) &&
           strcmp(cli_json_member(line, "result_sha256"), digest) == 0 &&
           (!work->report->has_picture || (json_is_string(json_object_get(line, "picture")) &&
                                           access(work->picture, R_OK) == 0)) &&
           json_is_string(json_object_get(line, "labels")) == has_labels(work);
}

/* ---- Counting -------------------------------------------------------------------------------- */

static bool fail_output(work *work)
{
    return fail(work, CLI_IO, "cannot write to '%.900s': %s", work->path,
                strerror(errno != 0 ? errno : EIO));
}

/* Returns true for PC_OK; else the job has failed with the message of its context. */
static bool holds(work *work, pc_status status)
{
    const char *message = work->context != NULL ? pc_context_message(work->context) : "";
    return status == PC_OK || fail(work, cli_exit_of_status(status), "%s",
                                   message[0] != '\0' ? message : pc_status_text(status));
}

/* Redirects standard output to the file that becomes the result. */
static bool open_result(work *work)
{
    if (!work->is_printed)
        return true;
    if (!holds(work, pc_context_create(&work->context)))
        return false;
    pc_context_set_sync(work->context, !work->options.running.no_sync);
    cli_twice_attach(work->context);
    return holds(work, pc_output_open(work->context, work->path, &work->output)) &&
           (dup2(pc_output_descriptor(work->output), STDOUT_FILENO) >= 0 || fail_output(work));
}

/* Gives the result its name when all that was printed is written. */
static bool commit_result(work *work)
{
    pc_output *output = work->output;
    if (!work->is_printed)
        return true;
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout))
        return fail_output(work);
    work->output = NULL;
    return holds(work, pc_output_commit(output));
}

static void fail_with_last_message(work *work, int code)
{
    char message[sizeof work->report->message];
    find_last_message(work->self->errors, message, sizeof message);
    if (message[0] == '\0')
        snprintf(message, sizeof message, "ended with exit code %d", code);
    fail(work, code, "%s", message);
}

/* Decides by the exit code of a count what became of the job, and commits the result. A file that
 * changed between the digest and the count fails the job; a dataset that was gone before it was
 * read has a message of its own. */
static void finish(work *work, int code)
{
    cli_job_report *report = work->report;
    const cli_count_facts *facts = &report->facts;
    const char *changed = NULL;
    if (!cli_file_mark_equal(&work->mark, &facts->mark) &&
        (facts->mark.is_there || code == CLI_DONE))
        changed = work->job->input;
    else if (!cli_job_query_holds(work->job))
        changed = "a file that the query names";
    if (changed != NULL) {
        fail(work, CLI_BAD_DATA, "%.1800s: changed while it was read", changed);
    } else if (facts->is_too_long) {
        report->outcome = CLI_JOB_FOR_GPU;
    } else if (code != CLI_DONE) {
        fail_with_last_message(work, code);
        if (facts->status == PC_ERR_MEMORY && !work->task->is_alone)
            report->outcome = CLI_JOB_TOO_LARGE;
    } else if (commit_result(work) && !cli_is_first_of_two() &&
               !cli_digest_file(work->path, report->result_digest, NULL)) {
        fail(work, CLI_IO, "%.900s: cannot be read back: %s", work->path, strerror(errno));
    }
    report->has_labels = report->outcome == CLI_JOB_DONE && has_labels(work);
    if (facts->has_plan)
        snprintf(report->engine, sizeof report->engine, "%s", facts->plan.engine);
}

static void report_usage(const work *work)
{
    struct rusage usage;
    cli_job_report *report = work->report;
    uint64_t bytes = getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_maxrss << 10 : 0;
    if (bytes > report->peak_memory_bytes)
        report->peak_memory_bytes = bytes;
    report->total_seconds = cli_now_seconds() - work->start_seconds;
}

/* ---- The job --------------------------------------------------------------------------------- */

/* Counts. A result that was not committed leaves nothing behind. */
static void count(work *work)
{
    if (open_result(work))
        finish(work, cli_count_run(&work->options, work->task->max_seconds, &work->report->facts));
    if (work->is_printed)
        close_streams();
    pc_output_free(work->output);
    pc_context_free(work->context);
    if (work->report->outcome != CLI_JOB_DONE)
        cli_result_remove(work->batch->folder, work->job->result);
}

/* Returns whether two processes report the same. Times and memory differ; digests and labels of
 * results are known to the second one only. */
static bool are_alike(const cli_job_report *one, const cli_job_report *other)
{
    const cli_count_facts *a = &one->facts, *b = &other->facts;
    return one->outcome == other->outcome && one->exit == other->exit &&
           a->has_graph == b->has_graph && a->has_plan == b->has_plan &&
           a->graph.n_vertices == b->graph.n_vertices && a->graph.n_edges == b->graph.n_edges &&
           a->bits == b->bits && strcmp(a->total, b->total) == 0 &&
           strcmp(a->largest, b->largest) == 0 && strcmp(one->engine, other->engine) == 0 &&
           a->plan.method == b->plan.method && one->has_picture == other->has_picture &&
           strcmp(one->input_digest, other->input_digest) == 0 &&
           strcmp(one->message, other->message) == 0;
}

/* Counts in a process of its own, and leaves its report in memory that is shared with the worker: the
 * first process in the first place. The second place has what was reported before, until the second
 * process ends. */
static int count_apart(void *user)
{
    work *work = user;
    cli_job_report *shared = work->report, own = shared[1];
    work->report = &own;
    count(work);
    report_usage(work);
    shared[cli_is_first_of_two() ? 0 : 1] = own;
    return own.exit;
}

/* The result has been compared when it gets its name, the reports are compared here, and the files
 * in the folder must be what the report says of them. A job that the two processes did not do alike
 * has failed. */
static void count_twice(work *work)
{
    cli_job_report *own = work->report;
    char digest[CLI_DIGEST_SIZE];
    cli_job_report *shared =
        mmap(NULL, 2 * sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        fail(work, CLI_UNAVAILABLE, "--twice: %s", strerror(errno));
        return;
    }
    shared[1] = *own;
    work->report = shared;
    int code = cli_run_twice(count_apart, work, false);
    work->report = own;
    *own = shared[1];
    bool is_right = are_alike(&shared[0], own) && cli_digest_file(work->path, digest, NULL) &&
                    strcmp(digest, own->result_digest) == 0 && own->has_labels == has_labels(work);
    if (own->outcome == CLI_JOB_DONE && code != CLI_DONE)
        fail_with_last_message(work, code);
    else if (own->outcome == CLI_JOB_DONE && !is_right)
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
    const char *input = work.job->input;
    bool is_ready = begin(&work), is_readable = false;
    if (is_ready) {
        set_options(&work);
        is_readable = cli_digest_file(input, report.input_digest, &work.mark);
    }
    if (is_ready && !is_readable) {
        report.input_digest[0] = '\0';
        fail(&work, CLI_NO_INPUT, "%.900s: cannot be read: %s", input, strerror(errno));
    }
    if (is_readable && is_kept(&work))
        report.outcome = CLI_JOB_KEPT;
    else if (is_ready) /* a job that fails must not leave the result of an earlier run */
        cli_result_remove(work.batch->folder, work.job->result);
    if (is_readable && report.outcome != CLI_JOB_KEPT)
        (work.options.running.twice ? count_twice : count)(&work);
    report.has_picture &= report.outcome == CLI_JOB_DONE;
    report_usage(&work);
    cli_process_send(self, &report, sizeof report);
}

/* ---- The memory budget ----------------------------------------------------------------------- */

/* RLIMIT_DATA limits memory that is private and writable, touched or not. Unlike RLIMIT_AS it does
 * not count files that are mapped to be read. Added to the budget is the memory of that kind that
 * this process already has, a copy of that of the supervisor, and the stacks of threads. */
void cli_worker_run(const cli_jobs *jobs, const cli_task *task, const cli_process *self)
{
    struct rlimit limit, stack;
    uint64_t bytes, pages = 0, stack_bytes = USUAL_STACK_BYTES;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file != NULL && fscanf(file, "%*s %*s %*s %*s %*s %" SCNu64, &pages) != 1)
        pages = 0;
    if (file != NULL)
        fclose(file);
    if (getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur != RLIM_INFINITY)
        stack_bytes = stack.rlim_cur;
    uint64_t others = pages * (uint64_t)sysconf(_SC_PAGESIZE) + HEADROOM_BYTES +
                      (uint64_t)task->n_threads * (stack_bytes + BESIDE_STACK_BYTES);
    if (!__builtin_add_overflow(others, task->memory_bytes, &bytes) &&
        getrlimit(RLIMIT_DATA, &limit) == 0) {
        if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > bytes)
            limit.rlim_cur = bytes;
        setrlimit(RLIMIT_DATA, &limit);
    }
    do_task(jobs, task, self);
}

/* ---- The process with the GPU ---------------------------------------------------------------- */

static void note_gpu(void *user, const pc_device *device)
{
    bool *is_found = user;
    *is_found |= device->index >= 0 && device->missing[0] == '\0';
}

/* Memory is not limited, because that of a GPU is mapped into this process too. */
void cli_worker_serve(const cli_jobs *jobs, bool is_gpu_given, const cli_process *self)
{
    bool is_usable = is_gpu_given;
    pc_context *context;
    if (!is_gpu_given && pc_context_create(&context) == PC_OK) {
        pc_devices(context, note_gpu, &is_usable);
        pc_context_free(context);
    }
    cli_job_report ready = {.outcome = is_usable ? CLI_JOB_DONE : CLI_JOB_FAILED};
    cli_task task;
    cli_process_send(self, &ready, sizeof ready);
    while (is_usable && cli_process_receive(self, &task, sizeof task)) {
        write_setting("/proc/self/clear_refs",
                      "5"); /* the peak of memory is that of the next job */
        do_task(jobs, &task, self);
    }
}

/* Does one job, from its dataset to the result in the folder, with the code of `pathcount count`
 * (src/cli/count_run.h), so there is no second way to count or to fail. What that code prints on
 * standard output becomes the result. What it prints on standard error goes to a memory file, from
 * which the message of a failure is taken.
 *
 * With --resume the first step of a job is to check the result of an earlier run. The check
 * compares digests (SHA-256 of input and result) and options, not dates. It runs in the worker, so
 * checks run in parallel, and a dataset that hangs stops only its own job. */
#include "src/cli/batch/worker.h"

#include "src/cli/batch/notes.h"
#include "src/cli/batch/result_file.h"
#include "src/cli/count_run.h"
#include "src/cli/exit_codes.h"
#include "src/cli/progress.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { PICTURE_PIXELS = 240, MOST_LENGTHS_DRAWN = 1000 };

typedef struct work {
    const cli_job *job;
    const cli_share *share;
    int notes;
    cli_job_report *report;
    double start_seconds;
    char path[PATH_MAX]; /* of the result */
    char picture[PATH_MAX + sizeof CLI_RESULT_PICTURE];
    bool is_printed;    /* the result is what is printed, else a file that the library writes */
    cli_file_mark mark; /* of the dataset, before its digest */
    cli_result_file result;
    cli_count_options options;
    cli_count_facts facts;
} work;

static void fail(work *work, int code)
{
    work->report->outcome = CLI_JOB_FAILED;
    work->report->exit = code;
}

/* "what rest: why", with the reason from errno. */
static void fail_with_errno(work *work, int code, const char *what, const char *rest)
{
    int reason = errno;
    fail(work, code);
    snprintf(work->report->message, sizeof work->report->message, "%.900s%.900s: %s", what, rest,
             strerror(reason));
}

/* ---- Before -------------------------------------------------------------------------------- */

static bool take_streams(work *work)
{
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    bool is_done = nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 &&
                   ftruncate(work->notes, 0) == 0 && dup2(work->notes, STDERR_FILENO) >= 0 &&
                   cli_result_ignore();
    if (!is_done)
        fail_with_errno(work, CLI_INTERNAL, "cannot redirect ", "standard streams");
    if (nothing > STDERR_FILENO)
        close(nothing);
    return is_done;
}

static bool begin(work *work)
{
    int length =
        snprintf(work->path, sizeof work->path, "%s/%s", work->share->folder, work->job->result);
    snprintf(work->picture, sizeof work->picture, "%s%s", work->path, CLI_RESULT_PICTURE);
    if (!take_streams(work))
        return false;
    if (length >= 0 && (size_t)length < sizeof work->path)
        return true;
    errno = ENAMETOOLONG;
    fail_with_errno(work, CLI_NO_CREATE, "cannot create ", work->job->result);
    return false;
}

static bool take_digest(work *work)
{
    const char *input = work->job->input;
    if (cli_digest_marked(input, work->report->input_digest, &work->mark))
        return true;
    work->report->input_digest[0] = '\0';
    fail_with_errno(work, CLI_NO_INPUT, input, ": cannot be read");
    return false;
}

/* ---- What to do ---------------------------------------------------------------------------- */

/* A matrix is drawn, and the growth of a total while that takes no longer than the total itself;
 * residues and other answers have no picture. */
static void set_picture(work *work)
{
    cli_count_options *options = &work->options;
    bool is_total = options->query.question == CLI_ASK_TOTAL && options->length > 0 &&
                    options->length <= MOST_LENGTHS_DRAWN && options->count.arithmetic == PC_EXACT;
    if (!work->share->report || !cli_look_can_draw() || (work->is_printed && !is_total) ||
        options->count.arithmetic == PC_MODULAR)
        return;
    options->look = (cli_look_options){.n_plots = 1, .size = PICTURE_PIXELS};
    options->look.plots[0].picture = is_total ? CLI_GROWTH : CLI_HEATMAP;
    options->look.plots[0].path = work->picture;
    work->report->has_picture = true;
}

static void set_options(work *work)
{
    const cli_share *share = work->share;
    cli_count_options *options = &work->options;
    *options = work->job->count;
    options->running = (cli_running_options){.is_quiet = true,
                                             .device = share->device,
                                             .n_threads = share->n_threads,
                                             .memory_limit_bytes = share->memory_bytes,
                                             .no_sync = share->no_sync};
    work->is_printed = options->query.question != CLI_ASK_MATRIX;
    options->output_path = work->is_printed ? NULL : work->path;
    options->look = (cli_look_options){0};
    set_picture(work);
}

/* ---- What an earlier run did ------------------------------------------------------------- */

static bool says(const json_t *line, const char *key, const char *text)
{
    const char *said = json_string_value(json_object_get(line, key));
    return said != NULL && strcmp(said, text) == 0;
}

/* A picture is only looked for, not held against anything. */
static bool has_picture(const work *work)
{
    const json_t *name = json_object_get(work->job->before, "picture");
    return json_is_string(name) && access(work->picture, R_OK) == 0;
}

static bool is_kept(const work *work)
{
    const json_t *before = work->job->before, *code = json_object_get(before, "exit");
    char digest[CLI_DIGEST_SIZE];
    return json_is_integer(code) && json_integer_value(code) == CLI_DONE &&
           says(before, "input_sha256", work->report->input_digest) &&
           json_equal(json_object_get(before, "options"), work->job->options) &&
           cli_digest_file(work->path, digest) && says(before, "result_sha256", digest) &&
           (!work->report->has_picture || has_picture(work));
}

/* ---- Counting ------------------------------------------------------------------------------ */

static bool check_result(work *work, pc_status status)
{
    if (status == PC_OK)
        return true;
    const char *message = cli_result_message(&work->result);
    fail(work, cli_exit_of_status(status));
    snprintf(work->report->message, sizeof work->report->message, "%s",
             message[0] != '\0' ? message : pc_status_text(status));
    return false;
}

static bool open_result(work *work)
{
    return !work->is_printed ||
           check_result(work, cli_result_begin(&work->result, work->path, work->share->no_sync));
}

static bool close_result(work *work)
{
    return !work->is_printed || check_result(work, cli_result_commit(&work->result));
}

static void take_message(work *work, int code)
{
    fail(work, code);
    cli_notes_last(work->notes, work->report->message, sizeof work->report->message);
    if (work->report->message[0] == '\0')
        snprintf(work->report->message, sizeof work->report->message, "ended with exit code %d",
                 code);
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

static void fail_changed(work *work, const char *path)
{
    fail(work, CLI_BAD_DATA);
    snprintf(work->report->message, sizeof work->report->message,
             "%.1800s: changed while it was read", path);
}

static void judge(work *work, int code)
{
    cli_job_report *report = work->report;
    const char *changed = find_change(work, code);
    if (changed != NULL) {
        fail_changed(work, changed);
    } else if (work->facts.is_too_long) {
        report->outcome = CLI_JOB_FOR_GPU;
    } else if (code != CLI_DONE) {
        take_message(work, code);
        if (work->facts.status == PC_ERR_MEMORY && !work->share->is_whole)
            report->outcome = CLI_JOB_TOO_LARGE;
    } else if (close_result(work) && !cli_digest_file(work->path, report->result_digest)) {
        fail_with_errno(work, CLI_IO, work->path, ": cannot be read back");
    }
}

/* ---- The books ----------------------------------------------------------------------------- */

static void book_plan(const pc_plan_info *plan, cli_job_report *report)
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

static void book_facts(const cli_count_facts *facts, cli_job_report *report)
{
    report->has_graph = facts->has_graph;
    report->n_vertices = facts->graph.n_vertices;
    report->n_edges = facts->graph.n_edges;
    report->bits = facts->bits;
    report->read_seconds = facts->read_seconds;
    if (facts->has_plan)
        book_plan(&facts->plan, report);
}

static void book_process(const work *work)
{
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) == 0)
        work->report->peak_memory_bytes = (uint64_t)usage.ru_maxrss << 10;
    work->report->total_seconds = cli_now_seconds() - work->start_seconds;
}

/* ---- The job ------------------------------------------------------------------------------- */

static void count(work *work)
{
    if (open_result(work)) {
        int code = cli_count_run(&work->options, work->share->most_seconds, &work->facts);
        judge(work, code);
        book_facts(&work->facts, work->report);
    }
    cli_result_drop(&work->result);
    if (work->report->outcome != CLI_JOB_DONE)
        cli_result_remove(work->share->folder, work->job->result);
}

void cli_worker_do(const cli_job *job, const cli_share *share, int notes, cli_job_report *report)
{
    work work = {.job = job,
                 .share = share,
                 .notes = notes,
                 .report = report,
                 .start_seconds = cli_now_seconds()};
    *report = (cli_job_report){.outcome = CLI_JOB_DONE};
    if (begin(&work)) {
        set_options(&work);
        bool is_readable = take_digest(&work);
        if (is_readable && is_kept(&work)) {
            report->outcome = CLI_JOB_KEPT;
        } else {
            cli_result_remove(share->folder, job->result); /* what fails must not leave that */
            if (is_readable)
                count(&work);
        }
    }
    report->has_picture &= report->outcome == CLI_JOB_DONE;
    book_process(&work);
}

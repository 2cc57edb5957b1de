/* `pathcount batch`: finds the jobs, lets the pool run them, keeps the books, and says in the end what
 * became of all. */
#include "src/cli/batch/batch_options.h"
#include "src/cli/batch/batch_progress.h"
#include "src/cli/batch/books.h"
#include "src/cli/batch/jobs.h"
#include "src/cli/batch/manifest.h"
#include "src/cli/batch/pool.h"
#include "src/cli/batch/report.h"
#include "src/cli/batch/stream.h"
#include "src/cli/commands.h"
#include "src/cli/exit_codes.h"
#include "src/cli/load.h"
#include "src/cli/look/look.h"
#include "src/cli/progress.h"
#include "src/cli/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct batch {
    const cli_batch_options *options;
    cli_jobs jobs;
    cli_manifest manifest;
    cli_batch_progress progress;
    char **failures; /* [jobs.n] the message of a job that failed; NULL: it did not */
    json_t *lines;   /* for the report: [jobs.n] the last line about each; NULL: none is wanted */
    size_t n_done, n_kept, n_failed;
    double start_seconds;
} batch;

/* ---- While it runs --------------------------------------------------------------------------- */

static void keep_line(batch *all, size_t j, json_t *line)
{
    if (all->lines != NULL)
        json_array_set(all->lines, j, line);
}

static int record(batch *all, size_t j, const cli_job_report *report)
{
    json_t *line = cli_job_line(&all->jobs.job[j], report, all->options->report);
    if (line == NULL)
        return cli_fail_for_memory();
    int code = cli_manifest_add(&all->manifest, line);
    keep_line(all, j, line);
    json_decref(line);
    return code;
}

static int take_report(batch *all, size_t j, const cli_job_report *report)
{
    if (report->outcome == CLI_JOB_KEPT) {
        all->n_kept++;
        keep_line(all, j, all->jobs.job[j].before);
        return CLI_DONE;
    }
    if (report->outcome == CLI_JOB_DONE) {
        all->n_done++;
    } else {
        all->n_failed++;
        all->failures[j] = strdup(report->message);
        if (all->failures[j] == NULL)
            return cli_fail_for_memory();
    }
    return record(all, j, report);
}

/* A cli_pool_fn. */
static int tell(void *user, size_t j, const cli_job_report *report)
{
    batch *all = user;
    int code = report != NULL ? take_report(all, j, report) : CLI_DONE;
    if (code == CLI_DONE)
        cli_batch_progress_tell(&all->progress, all->n_done, all->n_failed, all->n_kept);
    return code;
}

/* Jobs that cannot be done fail before any other job begins. */
static int fail_jobs_with_problems(batch *all)
{
    int code = CLI_DONE;
    for (size_t j = 0; j < all->jobs.n && code == CLI_DONE; j++) {
        if (all->jobs.job[j].problem == NULL)
            continue;
        cli_job_report report = {.outcome = CLI_JOB_FAILED, .exit = CLI_NO_CREATE};
        snprintf(report.message, sizeof report.message, "%s", all->jobs.job[j].problem);
        code = take_report(all, j, &report);
    }
    return code;
}

static void find_lines_before(batch *all)
{
    for (size_t j = 0; j < all->jobs.n; j++) {
        cli_job *job = &all->jobs.job[j];
        json_t *before =
            job->problem == NULL ? cli_manifest_find(&all->manifest, job->result) : NULL;
        job->before = cli_job_may_hold(job, before) ? before : NULL;
    }
}

/* Opens the libraries that workers will need, once for all workers. */
static void open_libraries(const batch *all)
{
    bool is_open = false;
    for (size_t j = 0; j < all->jobs.n && !is_open; j++)
        is_open = cli_load_prepare(&all->jobs.job[j].count.input);
    if (all->options->report)
        cli_look_can_draw();
}

/* ---- In the end ------------------------------------------------------------------------------ */

/* How often each dataset is given, by its path. */
static json_t *count_inputs(const cli_jobs *jobs)
{
    json_t *times = json_object();
    for (size_t j = 0; j < jobs->n; j++) {
        const char *input = jobs->job[j].input;
        json_int_t n = json_integer_value(json_object_get(times, input));
        json_object_set_new_nocheck(times, input, json_integer(n + 1));
    }
    return times;
}

/* Most messages begin with the dataset; one that is given more than once is told by its result. */
static void print_failure(const cli_job *job, bool is_repeated, const char *message)
{
    size_t length = strlen(job->input);
    fputs("  ", stderr);
    if (is_repeated) {
        cli_print_shown(stderr, job->result);
        fputs(": ", stderr);
    }
    if (strncmp(message, job->input, length) != 0 || message[length] != ':') {
        cli_print_shown(stderr, job->input);
        fputs(": ", stderr);
    }
    cli_print_shown(stderr, message);
    putc('\n', stderr);
}

static void print_failures(const batch *all)
{
    json_t *times = all->n_failed > 0 ? count_inputs(&all->jobs) : NULL;
    for (size_t j = 0; j < all->jobs.n; j++) {
        const cli_job *job = &all->jobs.job[j];
        if (all->failures[j] != NULL)
            print_failure(job, json_integer_value(json_object_get(times, job->input)) > 1,
                          all->failures[j]);
    }
    json_decref(times);
}

static void print_summary(const batch *all, int code)
{
    size_t n_left = all->jobs.n - all->n_done - all->n_kept - all->n_failed;
    bool is_stopped = code >= CLI_SIGNAL;
    if (!all->options->count.running.is_quiet) {
        fprintf(stderr, "%zu job%s: %zu done", all->jobs.n, all->jobs.n == 1 ? "" : "s",
                all->n_done);
        if (all->n_kept > 0)
            fprintf(stderr, ", %zu kept", all->n_kept);
        fprintf(stderr, ", %zu failed", all->n_failed);
        if (n_left > 0)
            fprintf(stderr, ", %zu left", n_left);
        fprintf(stderr, ", %.1f s\n", cli_now_seconds() - all->start_seconds);
    }
    print_failures(all);
    if (is_stopped)
        cli_fail(code, "interrupted: the same command with --resume goes on");
}

/* ---- The command ----------------------------------------------------------------------------- */

static int run_jobs(batch *all)
{
    const cli_batch_options *options = all->options;
    find_lines_before(all);
    open_libraries(all);
    cli_batch_progress_start(&all->progress, all->jobs.n, options->count.running.is_quiet);
    int code = fail_jobs_with_problems(all);
    if (code == CLI_DONE)
        code = cli_pool_run(options, &all->jobs, tell, all);
    cli_batch_progress_end(&all->progress);
    if (code == CLI_DONE && options->report)
        code = cli_report_write(options->folder, all->lines, options->count.running.no_sync);
    print_summary(all, code);
    return code == CLI_DONE && all->n_failed > 0 ? CLI_SOME_FAILED : code;
}

static bool make_room(batch *all)
{
    all->failures = calloc(all->jobs.n, sizeof *all->failures);
    all->lines = all->options->report ? json_array() : NULL;
    bool is_done = all->failures != NULL && (all->lines != NULL || !all->options->report);
    for (size_t j = 0; j < all->jobs.n && is_done && all->lines != NULL; j++)
        is_done = json_array_append_new(all->lines, json_null()) == 0;
    return is_done;
}

static int run_with_manifest(batch *all)
{
    int code = cli_manifest_open(all->options->folder, all->options->resume,
                                 all->options->count.running.no_sync, &all->manifest);
    if (code != CLI_DONE)
        return code;
    code = make_room(all) ? run_jobs(all) : cli_fail_for_memory();
    for (size_t j = 0; j < all->jobs.n && all->failures != NULL; j++)
        free(all->failures[j]);
    free(all->failures);
    json_decref(all->lines);
    cli_manifest_close(&all->manifest);
    return code;
}

/* A device that is wrong would fail every job, so it is refused once, before the jobs. */
static int check_device(const char *device)
{
    pc_context *context;
    if (device == NULL)
        return CLI_DONE;
    pc_status status = pc_context_create(&context);
    if (status != PC_OK)
        return cli_fail_for_memory();
    status = pc_context_set_device(context, device);
    int code = status == PC_OK ? CLI_DONE : cli_fail_status(context, status);
    pc_context_free(context);
    return code;
}

static int run_batch(const cli_batch_options *options)
{
    batch all = {.options = options, .start_seconds = cli_now_seconds()};
    int code = check_device(options->count.running.device);
    if (code == CLI_DONE)
        code = cli_jobs_find(options, &all.jobs);
    if (code != CLI_DONE)
        return code;
    code = run_with_manifest(&all);
    cli_jobs_free(&all.jobs);
    return code;
}

int cli_batch(int argc, char **argv)
{
    cli_batch_options options;
    cli_batch_options_parse(argc, argv, &options);
    int code = options.folder != NULL ? run_batch(&options) : cli_stream_run(&options);
    cli_batch_options_free(&options);
    return code;
}

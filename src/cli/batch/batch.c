/* `pathcount batch`: finds the jobs, lets the pool run them, records each in the manifest, shows
 * progress, and prints a summary. */
#include "src/cli/batch/manifest.h"
#include "src/cli/batch/pool.h"
#include "src/cli/main.h"
#include "src/cli/process.h"
#include "src/cli/load.h"
#include "src/cli/look/look.h"
#include "src/cli/terminal.h"
#include "src/cli/text.h"
#include "tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLAIN_SECONDS      5.0 /* between lines, and before the first */
#define RATE_AFTER_SECONDS 1.0

enum { TEXT_SIZE = 160 };

typedef struct batch {
    const cli_batch_options *options;
    cli_jobs jobs;
    cli_manifest manifest;
    size_t n_done, n_kept, n_failed; /* jobs that have ended */
    double start_seconds;
    cli_status_line line;
    size_t n_printed; /* jobs that had ended when the last plain line was printed */
    double printed_seconds;
} batch;

/* ---- Progress -------------------------------------------------------------------------------- */

/* Makes "312 of 2000 done, 15 failed, 41.2/s, 41 s left". The rate is that of the whole run, once
 * it can be told. Results that are kept do not count for it, because they take much less time. */
static void put_progress(const batch *all, double now, char text[TEXT_SIZE])
{
    size_t n_counted = all->n_done + all->n_failed, n_ended = n_counted + all->n_kept;
    double seconds = now - all->start_seconds, rate = (double)n_counted / seconds;
    char left[24];
    int at = snprintf(text, TEXT_SIZE, "%zu of %zu done", all->n_done, all->jobs.n);
    if (all->n_kept > 0)
        at += snprintf(text + at, (size_t)(TEXT_SIZE - at), ", %zu kept", all->n_kept);
    if (all->n_failed > 0)
        at += snprintf(text + at, (size_t)(TEXT_SIZE - at), ", %zu failed", all->n_failed);
    if (n_counted == 0 || seconds < RATE_AFTER_SECONDS)
        return;
    bool is_minutes = rate < 0.1 && 60 * rate >= 0.1, is_hours = 60 * rate < 0.1;
    at += snprintf(text + at, (size_t)(TEXT_SIZE - at), ", %.*f%s", rate >= 100 ? 0 : 1,
                   rate * (is_hours     ? 3600
                           : is_minutes ? 60
                                        : 1),
                   is_hours     ? " an hour"
                   : is_minutes ? " a minute"
                                : "/s");
    cli_duration_text((double)(all->jobs.n - n_ended) / rate, sizeof left, left);
    if (n_ended < all->jobs.n)
        snprintf(text + at, (size_t)(TEXT_SIZE - at), ", %s left", left);
}

/* Draws the line of a terminal, or prints a plain line, when it is time to. */
static void show_progress(batch *all)
{
    double now = cli_now_seconds();
    size_t n_ended = all->n_done + all->n_kept + all->n_failed;
    bool is_plain = !all->options->count.running.is_quiet && !all->line.is_wanted;
    bool is_drawn = cli_status_line_is_due(&all->line, now);
    bool is_printed =
        is_plain && n_ended != all->n_printed && now - all->printed_seconds >= PLAIN_SECONDS;
    char text[TEXT_SIZE];
    if (!is_drawn && !is_printed)
        return;
    put_progress(all, now, text);
    if (is_drawn)
        cli_status_line_draw(&all->line, now, "", (double)n_ended / (double)all->jobs.n, text);
    if (is_printed) {
        fprintf(stderr, "%s\n", text);
        all->printed_seconds = now;
        all->n_printed = n_ended;
    }
}

/* ---- Reports of jobs ------------------------------------------------------------------------- */

/* Adds the line about a job to the manifest. This process makes its text alone, so with --twice it
 * makes it twice and compares; the texts of the job must still have their digest. */
static int record(const batch *all, cli_job *job, const cli_job_report *report)
{
    const cli_batch_options *options = all->options;
    json_t *line = cli_manifest_line(job, report, options->report), *other = NULL;
    char *text = cli_manifest_text(line), *again = NULL;
    if (options->count.running.twice) {
        other = cli_manifest_line(job, report, options->report);
        again = cli_manifest_text(other);
    }
    bool is_right = cli_job_is_intact(job) && (again == NULL || strcmp(text, again) == 0);
    int code =
        is_right ? cli_manifest_add(&all->manifest, text) : cli_fail(CLI_INTERNAL, CLI_JOB_CHANGED);
    json_decref(job->line);
    job->line = options->report ? json_incref(line) : NULL;
    json_decref(line);
    json_decref(other);
    free(text);
    free(again);
    return code;
}

static int take_report(batch *all, size_t j, const cli_job_report *report)
{
    cli_job *job = &all->jobs.job[j];
    bool is_kept = report->outcome == CLI_JOB_KEPT, is_done = report->outcome == CLI_JOB_DONE;
    all->n_kept += is_kept;
    all->n_done += is_done;
    all->n_failed += !is_kept && !is_done;
    int code = is_kept ? CLI_DONE : record(all, job, report);
    if (!is_kept && !is_done && job->problem == NULL) /* after the line, which names the result */
        job->problem = cli_need(strdup(report->message));
    return code;
}

/* A cli_pool_fn. */
static int handle_report(void *user, size_t j, const cli_job_report *report)
{
    batch *all = user;
    int code = report != NULL ? take_report(all, j, report) : CLI_DONE;
    if (code == CLI_DONE)
        show_progress(all);
    return code;
}

/* ---- The summary ----------------------------------------------------------------------------- */

/* Prints why each dataset has failed, by its name, unless the message begins with it. The name of the result is printed
 * for a dataset of several jobs. */
static void print_failures(const cli_jobs *jobs)
{
    json_t *times = json_object(); /* how often each dataset is given */
    for (size_t j = 0; j < jobs->n; j++) {
        const char *input = jobs->job[j].input;
        json_int_t n = json_integer_value(json_object_get(times, input));
        json_object_set_new_nocheck(times, input, json_integer(n + 1));
    }
    for (size_t j = 0; j < jobs->n; j++) {
        const cli_job *job = &jobs->job[j];
        size_t length = strlen(job->input);
        if (job->problem == NULL)
            continue;
        fputs("  ", stderr);
        if (json_integer_value(json_object_get(times, job->input)) > 1) {
            cli_print_shown(stderr, job->result);
            fputs(": ", stderr);
        }
        if (strncmp(job->problem, job->input, length) != 0 || job->problem[length] != ':') {
            cli_print_shown(stderr, job->input);
            fputs(": ", stderr);
        }
        cli_print_shown(stderr, job->problem);
        putc('\n', stderr);
    }
    json_decref(times);
}

/* ---- The command ----------------------------------------------------------------------------- */

/* Opens the libraries that workers will need, once for all workers. */
static void open_libraries(const batch *all)
{
    static const char *const packed[] = {".gz", ".zst", ".xz", ".bz2"};
    bool unpacks = false;
    for (size_t j = 0; j < all->jobs.n; j++) {
        const cli_job *job = &all->jobs.job[j];
        const char *ending = strrchr(job->input, '.');
        for (size_t e = 0; ending != NULL && e < sizeof packed / sizeof *packed; e++)
            unpacks |= strcmp(ending, packed[e]) == 0;
    }
    if (unpacks)
        pc_packing_open();
    if (all->options->report)
        cli_look_can_draw();
}

/* Takes over the lines of an earlier run. Jobs with a problem fail before any other job begins. */
static int begin_jobs(batch *all)
{
    int code = CLI_DONE;
    for (size_t j = 0; j < all->jobs.n && code == CLI_DONE; j++) {
        cli_job *job = &all->jobs.job[j];
        job->line = json_incref(cli_manifest_find(&all->manifest, job));
        if (job->problem == NULL)
            continue;
        cli_job_report report = {.outcome = CLI_JOB_FAILED, .exit = CLI_NO_CREATE};
        snprintf(report.message, sizeof report.message, "%s", job->problem);
        code = take_report(all, j, &report);
    }
    return code;
}

static int run_jobs(batch *all)
{
    const cli_batch_options *options = all->options;
    open_libraries(all);
    cli_status_line_start(&all->line, options->count.running.is_quiet);
    all->printed_seconds = cli_now_seconds();
    int code = begin_jobs(all);
    if (code == CLI_DONE && all->jobs.n > 0)
        code = cli_pool_run(&all->jobs, handle_report, all);
    cli_status_line_erase(&all->line);
    if (code == CLI_DONE && options->report)
        code = cli_report_write(&all->jobs);
    if (!options->count.running.is_quiet) {
        size_t n_left = all->jobs.n - all->n_done - all->n_kept - all->n_failed;
        fprintf(stderr, "%zu job%s: %zu done", all->jobs.n, all->jobs.n == 1 ? "" : "s",
                all->n_done);
        if (all->n_kept > 0)
            fprintf(stderr, ", %zu kept", all->n_kept);
        fprintf(stderr, ", %zu failed", all->n_failed);
        if (n_left > 0)
            fprintf(stderr, ", %zu left", n_left);
        fprintf(stderr, ", %.1f s\n", cli_now_seconds() - all->start_seconds);
    }
    if (all->n_failed > 0)
        print_failures(&all->jobs);
    if (code >= CLI_SIGNAL)
        cli_fail(code, "interrupted: the same command with --resume goes on");
    return code == CLI_DONE && all->n_failed > 0 ? CLI_SOME_FAILED : code;
}

static int run_batch(const cli_batch_options *options)
{
    batch all = {.options = options, .start_seconds = cli_now_seconds()};
    const char *device = options->count.running.device;
    int code = CLI_DONE;
    if (device != NULL) { /* one that is wrong would fail every job, so it is refused once */
        pc_context *context;
        if (pc_context_create(&context) != PC_OK)
            return cli_fail_for_memory();
        pc_status status = pc_context_set_device(context, device);
        code = status == PC_OK ? CLI_DONE : cli_fail_status(context, status);
        pc_context_free(context);
    }
    if (code == CLI_DONE)
        code = cli_jobs_find(options, &all.jobs);
    if (code != CLI_DONE)
        return code;
    code = cli_manifest_open(options, &all.manifest);
    if (code == CLI_DONE) {
        code = run_jobs(&all);
        cli_manifest_close(&all.manifest);
    }
    cli_jobs_free(&all.jobs);
    return code;
}

static int run_stream(void *user)
{
    return cli_stream_run(user);
}

int cli_batch(int argc, char **argv)
{
    cli_batch_options options;
    cli_batch_options_parse(argc, argv, &options);
    bool reads_stdin = options.n_paths > 0 && strcmp(options.paths[0], "-") == 0;
    int code = options.folder != NULL        ? run_batch(&options)
               : options.count.running.twice ? cli_run_twice(run_stream, &options, reads_stdin)
                                             : cli_stream_run(&options);
    cli_batch_options_free(&options);
    return code;
}

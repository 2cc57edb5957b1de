/* `pathcount batch`: finds the jobs, lets the pool run them, records each in the manifest, shows progress,
 * and prints a summary. */
#include "src/cli/batch/batch_options.h"
#include "src/cli/batch/job.h"
#include "src/cli/batch/manifest.h"
#include "src/cli/batch/merge.h"
#include "src/cli/batch/pool.h"
#include "src/cli/batch/report.h"
#include "src/cli/batch/stream.h"
#include "src/cli/main.h"
#include "src/cli/process.h"
#include "src/cli/load.h"
#include "src/cli/look/look.h"
#include "src/cli/terminal.h"
#include "src/cli/text.h"
#include "src/cli/twice.h"
#include "pathcount_io.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLAIN_SECONDS      5.0 /* between lines, and before the first */
#define SAMPLE_SECONDS     2.0
#define RATE_AFTER_SECONDS 1.0

enum { ENOUGH_FOR_RATE = 10, TEXT_SIZE = 160, N_SAMPLES = 16 };

typedef struct counts {
    size_t done, kept, failed;
} counts;

/* How many jobs had been counted at a time. */
typedef struct sample {
    double seconds;
    size_t n_counted;
} sample;

typedef struct progress {
    cli_status_line line;
    bool is_plain;    /* standard error is no terminal: a line from time to time */
    size_t n_printed; /* jobs that had ended when the last plain line was printed */
    double start_seconds, printed_seconds;
    sample sample[N_SAMPLES]; /* of the last half minute, for the rate: a ring */
    size_t n_samples;
} progress;

typedef struct batch {
    const cli_batch_options *options;
    cli_jobs jobs;
    cli_manifest manifest;
    counts n; /* of jobs that have ended */
    progress progress;
    double start_seconds;
} batch;

/* ---- Progress -------------------------------------------------------------------------------- */

static void start_progress(progress *progress, bool is_quiet)
{
    double now = cli_now_seconds();
    *progress = (struct progress){.start_seconds = now, .printed_seconds = now};
    cli_status_line_start(&progress->line, is_quiet);
    progress->is_plain = !is_quiet && !progress->line.is_wanted;
    progress->sample[0].seconds = now;
    progress->n_samples = 1;
}

/* The oldest of the samples in the ring, after adding one when it is time to. */
static sample take_sample(progress *progress, size_t n_counted, double now)
{
    size_t newest = (progress->n_samples - 1) % N_SAMPLES;
    if (now - progress->sample[newest].seconds >= SAMPLE_SECONDS)
        progress->sample[progress->n_samples++ % N_SAMPLES] = (sample){now, n_counted};
    size_t oldest = progress->n_samples <= N_SAMPLES ? 0 : progress->n_samples;
    return progress->sample[oldest % N_SAMPLES];
}

/* Jobs a second in the last half minute, or in the whole run where few ended since then; 0 when it is
 * too early to say. Results that are kept do not count, because they take much less time. */
static double find_rate(progress *progress, size_t n_counted, double now)
{
    sample since = take_sample(progress, n_counted, now);
    if (n_counted - since.n_counted < ENOUGH_FOR_RATE)
        since = (sample){progress->start_seconds, 0};
    double seconds = now - since.seconds;
    return seconds >= RATE_AFTER_SECONDS ? (double)(n_counted - since.n_counted) / seconds : 0;
}

static int put_rate(double rate, size_t size, char *text)
{
    if (rate >= 100)
        return snprintf(text, size, ", %.0f/s", rate);
    if (rate >= 0.1)
        return snprintf(text, size, ", %.1f/s", rate);
    if (60 * rate >= 0.1)
        return snprintf(text, size, ", %.1f a minute", 60 * rate);
    return snprintf(text, size, ", %.1f an hour", 3600 * rate);
}

/* "312 of 2000 done, 15 failed, 41.2/s, 41 s left". */
static void put_progress(progress *progress, const counts *n, size_t n_jobs, double now, char *text)
{
    size_t n_ended = n->done + n->kept + n->failed;
    int at = snprintf(text, TEXT_SIZE, "%zu of %zu done", n->done, n_jobs);
    if (n->kept > 0)
        at += snprintf(text + at, (size_t)(TEXT_SIZE - at), ", %zu kept", n->kept);
    if (n->failed > 0)
        at += snprintf(text + at, (size_t)(TEXT_SIZE - at), ", %zu failed", n->failed);
    double rate = find_rate(progress, n->done + n->failed, now);
    if (rate <= 0)
        return;
    at += put_rate(rate, (size_t)(TEXT_SIZE - at), text + at);
    char left[24];
    cli_duration_text((double)(n_jobs - n_ended) / rate, sizeof left, left);
    if (n_ended < n_jobs)
        snprintf(text + at, (size_t)(TEXT_SIZE - at), ", %s left", left);
}

/* Draws the line of a terminal, or prints a plain line, when it is time to. */
static void show_progress(progress *progress, const counts *n, size_t n_jobs)
{
    double now = cli_now_seconds();
    size_t n_ended = n->done + n->kept + n->failed;
    bool is_drawn = cli_status_line_is_due(&progress->line, now);
    bool is_printed = progress->is_plain && n_ended != progress->n_printed &&
                      now - progress->printed_seconds >= PLAIN_SECONDS;
    if (!is_drawn && !is_printed)
        return;
    char text[TEXT_SIZE];
    put_progress(progress, n, n_jobs, now, text);
    if (is_drawn)
        cli_status_line_draw(&progress->line, now, "", (double)n_ended / (double)n_jobs, text);
    if (is_printed) {
        fprintf(stderr, "%s\n", text);
        progress->printed_seconds = now;
        progress->n_printed = n_ended;
    }
}

/* ---- Reports of jobs ------------------------------------------------------------------------- */

static json_t *make_line(const batch *all, const cli_job *job, const cli_job_report *report)
{
    return cli_manifest_line(job, report, all->options->report, all->options->n_shards > 0);
}

/* Whether the text of a line is right. This process makes it alone, so with --twice it makes it twice. */
static bool is_text_right(const batch *all, const cli_job *job, const cli_job_report *report,
                          const char *text)
{
    json_t *line = all->options->count.running.twice ? make_line(all, job, report) : NULL;
    char *again = line != NULL ? cli_manifest_text(line) : NULL;
    bool is_right = cli_job_is_intact(job) && (again == NULL || strcmp(text, again) == 0);
    free(again);
    json_decref(line);
    return is_right;
}

static int record(const batch *all, cli_job *job, const cli_job_report *report)
{
    json_t *line = make_line(all, job, report);
    char *text = line != NULL ? cli_manifest_text(line) : NULL;
    int code = text == NULL                            ? cli_fail_for_memory()
               : is_text_right(all, job, report, text) ? cli_manifest_add(&all->manifest, text)
                                                       : cli_fail(CLI_INTERNAL, CLI_JOB_CHANGED);
    free(text);
    json_decref(job->line);
    job->line = all->options->report ? json_incref(line) : NULL;
    json_decref(line);
    return code;
}

static int take_report(batch *all, size_t j, const cli_job_report *report)
{
    cli_job *job = &all->jobs.job[j];
    bool is_kept = report->outcome == CLI_JOB_KEPT, is_done = report->outcome == CLI_JOB_DONE;
    all->n.kept += is_kept;
    all->n.done += is_done;
    all->n.failed += !is_kept && !is_done;
    int code = is_kept ? CLI_DONE : record(all, job, report);
    if (is_kept || is_done || job->problem != NULL)
        return code;
    job->problem = strdup(report->message);
    return job->problem != NULL ? code : cli_fail_for_memory();
}

/* A cli_pool_fn. */
static int handle_report(void *user, size_t j, const cli_job_report *report)
{
    batch *all = user;
    int code = report != NULL ? take_report(all, j, report) : CLI_DONE;
    if (code == CLI_DONE)
        show_progress(&all->progress, &all->n, all->jobs.n);
    return code;
}

/* Jobs with a problem fail before any other job begins. */
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

static void find_lines(batch *all)
{
    for (size_t j = 0; j < all->jobs.n; j++)
        all->jobs.job[j].line = json_incref(cli_manifest_find(&all->manifest, &all->jobs.job[j]));
}

static bool is_packed(const char *path)
{
    static const char *const endings[] = {".gz", ".zst", ".xz", ".bz2"};
    const char *ending = strrchr(path, '.');
    for (size_t e = 0; ending != NULL && e < sizeof endings / sizeof *endings; e++)
        if (strcmp(ending, endings[e]) == 0)
            return true;
    return false;
}

/* Opens the libraries that workers will need, once for all workers. */
static void open_libraries(const batch *all)
{
    bool is_open = false, unpacks = false;
    for (size_t j = 0; j < all->jobs.n && !is_open; j++)
        is_open = cli_load_prepare(&all->jobs.job[j].count.input);
    for (size_t j = 0; j < all->jobs.n && !unpacks; j++)
        unpacks = is_packed(all->jobs.job[j].input);
    if (unpacks)
        pc_packing_open();
    if (all->options->report)
        cli_look_can_draw();
}

/* ---- The summary ----------------------------------------------------------------------------- */

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

static void print_failures(const batch *all)
{
    json_t *times = all->n.failed > 0 ? count_inputs(&all->jobs) : NULL;
    for (size_t j = 0; j < all->jobs.n; j++) {
        const cli_job *job = &all->jobs.job[j];
        bool is_repeated = json_integer_value(json_object_get(times, job->input)) > 1;
        if (job->problem != NULL)
            cli_print_failure(job->input, is_repeated ? job->result : NULL, job->problem);
    }
    json_decref(times);
}

static void print_summary(const batch *all, int code)
{
    size_t n_left = all->jobs.n - all->n.done - all->n.kept - all->n.failed;
    bool is_stopped = code >= CLI_SIGNAL;
    if (!all->options->count.running.is_quiet) {
        fprintf(stderr, "%zu job%s: %zu done", all->jobs.n, all->jobs.n == 1 ? "" : "s",
                all->n.done);
        if (all->n.kept > 0)
            fprintf(stderr, ", %zu kept", all->n.kept);
        fprintf(stderr, ", %zu failed", all->n.failed);
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
    find_lines(all);
    open_libraries(all);
    start_progress(&all->progress, options->count.running.is_quiet);
    int code = fail_jobs_with_problems(all);
    if (code == CLI_DONE && all->jobs.n > 0)
        code = cli_pool_run(&all->jobs, handle_report, all);
    cli_status_line_erase(&all->progress.line);
    if (code == CLI_DONE && options->report)
        code = cli_report_write(&all->jobs);
    print_summary(all, code);
    return code == CLI_DONE && all->n.failed > 0 ? CLI_SOME_FAILED : code;
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
    code = cli_manifest_open(&all.jobs, &all.manifest);
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

static int count_stream(cli_batch_options *options)
{
    if (!options->count.running.twice)
        return cli_stream_run(options);
    return cli_run_twice(run_stream, options, strcmp(options->paths[0], "-") == 0);
}

int cli_batch(int argc, char **argv)
{
    cli_batch_options options;
    cli_batch_options_parse(argc, argv, &options);
    int code = options.merges           ? cli_shards_merge(&options)
               : options.folder != NULL ? run_batch(&options)
                                        : count_stream(&options);
    cli_batch_options_free(&options);
    return code;
}

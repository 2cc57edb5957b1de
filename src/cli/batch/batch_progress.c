/* "312 of 2000 done, 15 failed, 41.2/s, 41 s left". The rate is that of the last half minute, or of
 * the whole run where little ended since: results that are kept go by much faster than work does. */
#include "src/cli/batch/batch_progress.h"

#include <stdio.h>

#define PLAIN_SECONDS      5.0 /* between lines, and before the first */
#define SAMPLE_SECONDS     2.0
#define RATE_AFTER_SECONDS 1.0

enum { ENOUGH_FOR_RATE = 10, TEXT_SIZE = 160 };

typedef struct counts {
    size_t done, failed, kept, ended, worked;
} counts;

void cli_batch_progress_start(cli_batch_progress *progress, size_t n_jobs, bool is_quiet)
{
    double now = cli_now_seconds();
    *progress = (cli_batch_progress){.n_jobs = n_jobs, .start_seconds = now, .told_seconds = now};
    cli_status_line_start(&progress->line, is_quiet);
    progress->is_plain = !is_quiet && !progress->line.is_wanted;
    progress->sample[0].seconds = now;
    progress->n_samples = 1;
}

/* The oldest of the samples in the ring, after adding one when it is time to. */
static cli_batch_sample take_sample(cli_batch_progress *progress, size_t n_worked, double now)
{
    size_t newest = (progress->n_samples - 1) % CLI_BATCH_SAMPLES;
    if (now - progress->sample[newest].seconds >= SAMPLE_SECONDS)
        progress->sample[progress->n_samples++ % CLI_BATCH_SAMPLES] =
            (cli_batch_sample){now, n_worked};
    size_t oldest = progress->n_samples <= CLI_BATCH_SAMPLES ? 0 : progress->n_samples;
    return progress->sample[oldest % CLI_BATCH_SAMPLES];
}

/* Jobs a second; 0 when it is too early to say. */
static double rate_of(cli_batch_progress *progress, size_t n_worked, double now)
{
    cli_batch_sample since = take_sample(progress, n_worked, now);
    if (n_worked - since.n_worked < ENOUGH_FOR_RATE)
        since = (cli_batch_sample){progress->start_seconds, 0};
    double seconds = now - since.seconds;
    return seconds >= RATE_AFTER_SECONDS ? (double)(n_worked - since.n_worked) / seconds : 0;
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

static void put_counts(cli_batch_progress *progress, const counts *n, double now, char *text)
{
    int at = snprintf(text, TEXT_SIZE, "%zu of %zu done", n->done, progress->n_jobs);
    if (n->kept > 0)
        at += snprintf(text + at, (size_t)(TEXT_SIZE - at), ", %zu kept", n->kept);
    if (n->failed > 0)
        at += snprintf(text + at, (size_t)(TEXT_SIZE - at), ", %zu failed", n->failed);
    double rate = rate_of(progress, n->worked, now);
    if (rate <= 0)
        return;
    at += put_rate(rate, (size_t)(TEXT_SIZE - at), text + at);
    char left[24];
    cli_duration_text((double)(progress->n_jobs - n->ended) / rate, sizeof left, left);
    if (n->ended < progress->n_jobs)
        snprintf(text + at, (size_t)(TEXT_SIZE - at), ", %s left", left);
}

void cli_batch_progress_tell(cli_batch_progress *progress, size_t n_done, size_t n_failed,
                             size_t n_kept)
{
    double now = cli_now_seconds();
    counts n = {n_done, n_failed, n_kept, n_done + n_failed + n_kept, n_done + n_failed};
    bool is_drawn = cli_status_line_is_due(&progress->line, now);
    bool is_printed = progress->is_plain && n.ended != progress->n_told &&
                      now - progress->told_seconds >= PLAIN_SECONDS;
    if ((!is_drawn && !is_printed) || n.ended > progress->n_jobs)
        return;
    char text[TEXT_SIZE];
    put_counts(progress, &n, now, text);
    if (is_drawn)
        cli_status_line_draw(&progress->line, now, "", (double)n.ended / (double)progress->n_jobs,
                             text);
    if (is_printed) {
        fprintf(stderr, "%s\n", text);
        progress->told_seconds = now;
        progress->n_told = n.ended;
    }
}

void cli_batch_progress_end(cli_batch_progress *progress)
{
    cli_status_line_erase(&progress->line);
}

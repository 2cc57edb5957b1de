/* A line such as "square 43%, 12 s" on stderr once a call has taken a second: only on a terminal,
 * without colour or control sequences other than the carriage return. */
#include "src/cli/progress.h"

#include "src/cli/signals.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define FIRST_AFTER_SECONDS 1.0
#define REDRAW_SECONDS      0.1
#define LINE_WIDTH          50

double cli_now_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void cli_progress_start(cli_progress *progress, bool is_quiet)
{
    *progress = (cli_progress){.is_wanted = !is_quiet && isatty(STDERR_FILENO),
                               .start_seconds = cli_now_seconds()};
}

int cli_progress_tell(void *user, const char *stage, double fraction)
{
    cli_progress *progress = user;
    double now = cli_now_seconds();
    double elapsed = now - progress->start_seconds;
    bool is_due = elapsed >= FIRST_AFTER_SECONDS && now - progress->shown_seconds >= REDRAW_SECONDS;
    if (progress->is_wanted && is_due) {
        char line[LINE_WIDTH + 1];
        snprintf(line, sizeof line, "%s %.0f%%, %.0f s", stage, 100 * fraction, elapsed);
        fprintf(stderr, "\r%-*s", LINE_WIDTH, line);
        progress->shown_seconds = now;
        progress->is_shown = true;
    }
    return cli_signals_pending();
}

void cli_progress_end(cli_progress *progress)
{
    if (progress->is_shown)
        fprintf(stderr, "\r%-*s\r", LINE_WIDTH, "");
    progress->is_shown = false;
}

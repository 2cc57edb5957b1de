/* Draws the progress of a count on a line at the bottom of the terminal. */
#include "src/cli/terminal.h"

#include "src/cli/process.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

/* Each call asks the terminal, because its size may change while the command runs. */
void cli_terminal_size(int fd, unsigned *n_columns, unsigned *n_lines)
{
    struct winsize size;
    if (!isatty(fd) || ioctl(fd, TIOCGWINSZ, &size) != 0)
        return;
    *n_columns = size.ws_col > 0 ? size.ws_col : *n_columns;
    *n_lines = size.ws_row > 0 ? size.ws_row : *n_lines;
}

/* ---- A line that is drawn anew --------------------------------------------------------------- */

/* The cursor stays at the beginning of the line, and each drawing erases everything from there on.
 * So a line that a narrower terminal has broken in two is erased whole. */

#define REDRAW_SECONDS 0.1
#define ERASE_BELOW    "\033[J"

enum { OTHERWISE_WIDE = 80, LONGEST = 160 };

static const char done[] = "####################", rest[] = "--------------------";

double cli_now_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Terminals understand control sequences where TERM is set and not "dumb". */
void cli_status_line_start(cli_status_line *line, bool is_quiet)
{
    const char *term = getenv("TERM");
    *line = (cli_status_line){.is_wanted = !is_quiet && isatty(STDERR_FILENO),
                              .has_escapes =
                                  term != NULL && *term != '\0' && strcmp(term, "dumb") != 0};
}

bool cli_status_line_is_due(const cli_status_line *line, double now_seconds)
{
    return line->is_wanted && now_seconds - line->drawn_seconds >= REDRAW_SECONDS;
}

void cli_status_line_draw(cli_status_line *line, double now_seconds, const char *before,
                          double fraction, const char *after)
{
    char text[LONGEST], bar[2 * sizeof done + 4] = "";
    const char *between = *before != '\0' ? " " : "";
    unsigned width = OTHERWISE_WIDE, height;
    if (!line->is_wanted)
        return;
    cli_terminal_size(STDERR_FILENO, &width, &height);
    width = width > LONGEST ? LONGEST - 1 : width - 1; /* a full line would move the cursor down */
    int length = sizeof done - 1, n_done = (int)(fmin(fraction, 1) * length);
    if (fraction >= 0)
        snprintf(bar, sizeof bar, "[%.*s%.*s] ", n_done, done, length - n_done, rest);
    if (strlen(before) + strlen(between) + strlen(bar) + strlen(after) > width)
        *bar = '\0';
    snprintf(text, (size_t)width + 1, "%s%s%s%s", before, between, bar, after);
    size_t n = strlen(text), n_left = line->n_shown < width ? line->n_shown : width;
    /* Without control sequences, blanks take the place of the rest of the last drawing. All goes
     * out at once, as one write. */
    fprintf(cli_stderr_below(), "%s%*s%s\r", text,
            line->has_escapes || n_left < n ? 0 : (int)(n_left - n), "",
            line->has_escapes ? ERASE_BELOW : "");
    line->n_shown = n;
    line->drawn_seconds = now_seconds;
}

void cli_status_line_erase(cli_status_line *line)
{
    if (line->n_shown > 0)
        fprintf(cli_stderr_below(), "%*s%s", line->has_escapes ? 0 : (int)line->n_shown, "",
                line->has_escapes ? ERASE_BELOW : "\r");
    line->n_shown = 0;
}

void cli_duration_text(double seconds, size_t size, char *text)
{
    if (!(seconds < 1e9)) {
        snprintf(text, size, "years");
        return;
    }
    unsigned long s = (unsigned long)(seconds > 0 ? seconds + 0.5 : 0);
    unsigned long minutes = s / 60, hours = minutes / 60, days = hours / 24;
    if (s < 60)
        snprintf(text, size, "%lu s", s);
    else if (minutes < 60)
        snprintf(text, size, "%lu min %lu s", minutes, s % 60);
    else if (hours < 24)
        snprintf(text, size, "%lu h %lu min", hours, minutes % 60);
    else
        snprintf(text, size, "%lu d %lu h", days, hours % 24);
}

/* ---- Progress -------------------------------------------------------------------------------- */

/* The library reports stages within stages: a power consists of squarings, a squaring of batches.
 * The line shows the outer stage, and the inner stage moves it on. A stage that takes longer gets a
 * bar, which never goes back within a stage. The library tells fractions of predicted time. */

#define FIRST_AFTER_SECONDS 1.0
#define BAR_AFTER_SECONDS   1.0 /* of its own stage */
#define LEFT_AFTER_SECONDS  3.0
#define LEFT_AFTER_FRACTION 0.03

enum { TEXT_SIZE = 96 };

/* The part that a stage plays; each from PART on leaves asides out. */
typedef enum role {
    PLAIN,
    ASIDE, /* it counts on its own */
    PART,
    COUNT,
    WHOLE, /* parts move it on */
    POWER  /* the same; a part takes about twice the time of the one before it */
} role;

static const struct cli_stage {
    const char *name, *words;
    role role;
} stages[] = {
    {"read", "reading", PLAIN},
    {"blocks", "finding communities", PLAIN},
    {"bound", "finding the width of counts", PLAIN},
    {"power", "multiplying", POWER},
    {"rows", "counting row by row", WHOLE},
    {"vectors", "counting", WHOLE},
    {"collect", "putting counts together", COUNT},
    {"deliver", "handing rows on", COUNT},
    {"paths", "counting paths", PLAIN},
    {"search", "looking for paths", PLAIN},
    {"sets", "counting sets of vertices", PLAIN},
    {"sweep", "counting", PART},
    {"square", "squaring", PART},
    {"step", "adding an arc", PART},
    {"convert", "converting numbers", ASIDE},
    {"reduce", "multiplying sums", PART},
    {"multiply", "multiplying", PLAIN},
    {"certify", "checking", ASIDE},
    {"write", "writing", ASIDE},
    {"generate", "generating", PLAIN},
    {"", "working", PLAIN}, /* any other */
};

static void note(cli_progress *progress, const char *name, double fraction, double now)
{
    const struct cli_stage *stage = stages;
    role around = progress->stage != NULL ? progress->stage->role : PLAIN;
    while (*stage->name != '\0' && strcmp(stage->name, name) != 0)
        stage++;
    if (around >= WHOLE && stage->role == PART) {
        progress->part_fraction = fraction;
    } else if (around >= PART && stage->role == ASIDE) {
        return;
    } else if (stage != progress->stage || fraction < progress->fraction) {
        progress->stage = stage;
        progress->stage_seconds = now;
        progress->fraction = fraction;
        progress->step = progress->reached = 0;
        progress->part_fraction = -1;
    } else if (fraction > progress->fraction) {
        progress->step = fraction - progress->fraction;
        progress->fraction = fraction;
        progress->part_fraction = -1;
    }
}

static void draw(cli_progress *progress, double now)
{
    char words[TEXT_SIZE], times[TEXT_SIZE], text[24], percent[16] = "";
    double part = fmax(progress->part_fraction, 0), seconds = now - progress->stage_seconds;
    double step = fmin(progress->stage->role == POWER ? 2 * progress->step : progress->step,
                       1 - progress->fraction);
    progress->reached = fmax(progress->reached, progress->fraction + step * part);
    double fraction = progress->reached;
    if (fraction <= 0 || seconds < BAR_AFTER_SECONDS)
        fraction = -1;
    snprintf(words, sizeof words, "%s%s", progress->stage->words, fraction < 0 ? "," : "");
    if (fraction >= 0)
        snprintf(percent, sizeof percent, "%.0f%%, ", floor(100 * fmin(fraction, 1)));
    cli_duration_text(now - progress->start_seconds, sizeof text, text);
    int n = snprintf(times, sizeof times, "%s%s", percent, text);
    if (seconds >= LEFT_AFTER_SECONDS && fraction >= LEFT_AFTER_FRACTION) {
        cli_duration_text(seconds * (1 - fmin(fraction, 1)) / fraction, sizeof text, text);
        snprintf(times + n, sizeof times - (size_t)n, ", %s left", text);
    }
    cli_status_line_draw(&progress->line, now, words, fraction, times);
}

void cli_progress_start(cli_progress *progress, bool is_quiet)
{
    *progress = (cli_progress){.start_seconds = cli_now_seconds()};
    cli_status_line_start(&progress->line, is_quiet);
}

int cli_progress_tell(void *user, const char *stage, double fraction)
{
    cli_progress *progress = user;
    if (progress->line.is_wanted) {
        double now = cli_now_seconds();
        note(progress, stage, fraction, now);
        if (now - progress->start_seconds >= FIRST_AFTER_SECONDS &&
            cli_status_line_is_due(&progress->line, now))
            draw(progress, now);
    }
    return cli_progress_is_over(progress) || cli_signals_pending();
}

bool cli_progress_is_over(const cli_progress *progress)
{
    return progress->deadline > 0 && cli_now_seconds() > progress->deadline;
}

void cli_progress_end(cli_progress *progress)
{
    cli_status_line_erase(&progress->line);
    progress->stage = NULL;
}

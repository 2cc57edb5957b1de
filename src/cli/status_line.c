/* The cursor stays at the beginning of the line, and each drawing erases everything from there on.
 * So a line that a narrower terminal has broken in two is erased whole. */
#include "src/cli/status_line.h"

#include "src/cli/guard.h"
#include "src/cli/terminal.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define REDRAW_SECONDS 0.1
#define ERASE_BELOW    "\033[J"

enum { OTHERWISE_WIDE = 80, BAR_WIDTH = 20, LONGEST = 160 };

double cli_now_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void cli_status_line_start(cli_status_line *line, bool is_quiet)
{
    *line = (cli_status_line){.is_wanted = !is_quiet && isatty(STDERR_FILENO)};
    if (!line->is_wanted)
        return;
    line->has_escapes = cli_terminal_has_escapes(STDERR_FILENO);
    line->has_colours = cli_terminal_has_colours(STDERR_FILENO);
    line->is_utf8 = cli_terminal_is_utf8();
}

bool cli_status_line_is_due(const cli_status_line *line, double now_seconds)
{
    return line->is_wanted && now_seconds - line->drawn_seconds >= REDRAW_SECONDS;
}

/* With colours the rest of the bar is dim. */
static void add_bar(const cli_status_line *line, double fraction, FILE *out)
{
    const char *done = line->is_utf8 ? "━" : "#", *rest = line->is_utf8 ? "─" : "-";
    double share = fraction < 1 ? fraction : 1;
    int n_done = (int)(share * BAR_WIDTH);
    fputs(line->is_utf8 ? "" : "[", out);
    for (int i = 0; i < n_done; i++)
        fputs(done, out);
    fputs(line->has_colours ? "\033[2m" : "", out);
    for (int i = n_done; i < BAR_WIDTH; i++)
        fputs(rest, out);
    fputs(line->has_colours ? "\033[0m" : "", out);
    fputs(line->is_utf8 ? " " : "] ", out);
}

static size_t bar_columns(const cli_status_line *line)
{
    return BAR_WIDTH + (line->is_utf8 ? 1 : 3);
}

/* Returns the number of columns that the bar takes, at most width. */
static size_t compose(const cli_status_line *line, size_t width, const char *before,
                      double fraction, const char *after, FILE *out)
{
    const char *between = *before != '\0' ? " " : "";
    size_t n_before = strlen(before) + strlen(between), n_after = strlen(after),
           n_bar = bar_columns(line);
    if (fraction >= 0 && n_before + n_bar + n_after <= width) {
        fprintf(out, "%s%s", before, between);
        add_bar(line, fraction, out);
        fputs(after, out);
        return n_before + n_bar + n_after;
    }
    char text[LONGEST];
    snprintf(text, sizeof text, "%s%s%s", before, between, after);
    size_t n = strlen(text) < width ? strlen(text) : width;
    fprintf(out, "%.*s", (int)n, text);
    return n;
}

void cli_status_line_draw(cli_status_line *line, double now_seconds, const char *before,
                          double fraction, const char *after)
{
    char text[4 * LONGEST];
    FILE *out = line->is_wanted ? fmemopen(text, sizeof text, "w") : NULL;
    if (out == NULL)
        return;
    /* A line of full width would move the cursor to the next line. */
    size_t width = cli_terminal_width(STDERR_FILENO, OTHERWISE_WIDE) - 1;
    size_t n = compose(line, width < LONGEST ? width : LONGEST, before, fraction, after, out);
    if (line->has_escapes)
        fputs(ERASE_BELOW, out);
    else if (line->n_shown > n) /* overwrites the rest of the last drawing with blanks */
        fprintf(out, "%*s", (int)((line->n_shown < width ? line->n_shown : width) - n), "");
    fputc('\r', out);
    fclose(out);
    fputs(text, cli_guard_below(stderr)); /* at once, as one write */
    line->n_shown = (unsigned)n;
    line->is_shown = true;
    line->drawn_seconds = now_seconds;
}

void cli_status_line_erase(cli_status_line *line)
{
    FILE *out = cli_guard_below(stderr);
    if (line->is_shown && line->has_escapes)
        fputs(ERASE_BELOW, out);
    else if (line->is_shown)
        fprintf(out, "%*s\r", (int)line->n_shown, "");
    line->is_shown = false;
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

/* Draws the progress of a count on a line at the bottom of the terminal. */
#include "src/cli/terminal.h"

#include "src/cli/process.h"

#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

/* ---- The terminal ---------------------------------------------------------------------------- */

/* Each call asks the terminal and the environment, because both may change while the command
 * runs. */

static bool is_set(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && *value != '\0';
}

/* True when fd is a terminal that understands control sequences: TERM is set and not "dumb". */
static bool terminal_has_escapes(int fd)
{
    return isatty(fd) && is_set("TERM") && strcmp(getenv("TERM"), "dumb") != 0;
}

bool cli_terminal_has_colours(int fd)
{
    return terminal_has_escapes(fd) && !is_set("NO_COLOR");
}

static bool says(const char *name, const char *word)
{
    return is_set(name) && strstr(getenv(name), word) != NULL;
}

cli_palette cli_terminal_palette(int fd)
{
    if (!cli_terminal_has_colours(fd))
        return CLI_NO_COLOURS;
    if (says("COLORTERM", "truecolor") || says("COLORTERM", "24bit") || says("TERM", "direct"))
        return CLI_ALL_COLOURS;
    return says("TERM", "256color") || is_set("COLORTERM") ? CLI_256_COLOURS : CLI_NO_COLOURS;
}

/* The locale of the process stays the C locale: numbers are printed the same everywhere. */
bool cli_terminal_is_utf8(void)
{
    locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    if (locale == (locale_t)0)
        return false;
    bool is_utf8 = strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;
    freelocale(locale);
    return is_utf8;
}

unsigned cli_terminal_width(int fd, unsigned otherwise)
{
    struct winsize size;
    return isatty(fd) && ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col
                                                                              : otherwise;
}

unsigned cli_terminal_height(int fd)
{
    struct winsize size;
    return isatty(fd) && ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 ? size.ws_row
                                                                              : UINT_MAX;
}

/* ---- A line that is drawn anew --------------------------------------------------------------- */

/* The cursor stays at the beginning of the line, and each drawing erases everything from there on.
 * So a line that a narrower terminal has broken in two is erased whole. */

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
    line->has_escapes = terminal_has_escapes(STDERR_FILENO);
    line->has_colours = cli_terminal_has_colours(STDERR_FILENO);
    line->is_utf8 = cli_terminal_is_utf8();
}

bool cli_status_line_is_due(const cli_status_line *line, double now_seconds)
{
    return line->is_wanted && now_seconds - line->drawn_seconds >= REDRAW_SECONDS;
}

/* The rest of a bar in colours is dim. */
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

/* Returns the number of columns that the bar takes, at most width. */
static size_t compose(const cli_status_line *line, size_t width, const char *before,
                      double fraction, const char *after, FILE *out)
{
    const char *between = *before != '\0' ? " " : "";
    size_t n_before = strlen(before) + strlen(between), n_after = strlen(after),
           n_bar = BAR_WIDTH + (line->is_utf8 ? 1 : 3);
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

/* ---- Progress -------------------------------------------------------------------------------- */

/* The library reports stages within stages: a power consists of squarings, a squaring of batches.
 * The line shows the outer stage, and the inner stage moves it on. Its words change at most once
 * a second. A stage that takes longer gets a bar, which never goes back within a stage. */

#define FIRST_AFTER_SECONDS 1.0
#define WORDS_FOR_SECONDS   1.0 /* before others take their place */
#define BAR_AFTER_SECONDS   1.0 /* of its own stage */
#define LEFT_AFTER_SECONDS  3.0
#define LEFT_AFTER_FRACTION 0.03

enum {
    TEXT_SIZE = 96,
    ALIKE_FROM = 32 /* ... there are as many: those of an exact count would not fit in memory */
};

typedef struct cli_stage_kind {
    const char *name, *words;
    bool has_steps;     /* of unlike length: their number is no measure of time, unless ... */
    const char *parts;  /* stages within it that move it on */
    const char *asides; /* ... and that do not: they count on their own */
} stage_kind;

static const stage_kind kinds[] = {
    {"read", "reading", false, "", ""},
    {"blocks", "finding communities", false, "", ""},
    {"bound", "finding the width of counts", false, "", ""},
    {"power", "multiplying", true, " square step reduce sweep ", " certify convert "},
    {"rows", "counting row by row", false, " sweep ", " certify write "},
    {"vectors", "counting", false, " sweep ", " certify write "},
    {"collect", "putting counts together", false, "", " certify write "},
    {"deliver", "handing rows on", false, "", " certify write "},
    {"sweep", "counting", false, "", " certify write "},
    {"square", "squaring", false, "", ""},
    {"step", "adding an arc", false, "", ""},
    {"convert", "converting numbers", false, "", ""},
    {"reduce", "multiplying sums", false, "", ""},
    {"multiply", "multiplying", false, "", ""},
    {"certify", "checking", false, "", ""},
    {"write", "writing", false, "", ""},
    {"generate", "generating", false, "", ""},
    {"", "working", false, "", ""}, /* any other */
};

static bool is_among(const char *names, const stage_kind *kind)
{
    char name[32];
    snprintf(name, sizeof name, " %s ", kind->name);
    return strstr(names, name) != NULL;
}

/* ---- What the library reported --------------------------------------------------------------- */

static void note_part(cli_progress *progress, const stage_kind *kind, double fraction, double now)
{
    cli_stage *part = &progress->part;
    if (part->kind == kind && fraction >= part->fraction) {
        part->fraction = fraction;
        return;
    }
    unsigned n_times = part->kind != NULL ? part->n_times + 1 : 1;
    *part =
        (cli_stage){.kind = kind, .fraction = fraction, .n_times = n_times, .start_seconds = now};
}

static void note_stage(cli_progress *progress, const stage_kind *kind, double fraction, double now)
{
    cli_stage *stage = &progress->stage;
    if (kind != stage->kind || fraction < stage->fraction) {
        *stage = (cli_stage){.kind = kind, .fraction = fraction, .start_seconds = now};
        progress->reached = 0;
    } else if (fraction == stage->fraction) {
        return;
    } else {
        stage->step = fraction - stage->fraction;
        stage->fraction = fraction;
    }
    progress->part.kind = NULL;
}

static void note(cli_progress *progress, const char *name, double fraction, double now)
{
    const stage_kind *kind = kinds, *around = progress->stage.kind;
    while (*kind->name != '\0' && strcmp(kind->name, name) != 0)
        kind++;
    if (around != NULL && is_among(around->parts, kind))
        note_part(progress, kind, fraction, now);
    else if (around == NULL || !is_among(around->asides, kind))
        note_stage(progress, kind, fraction, now);
}

/* ---- What the line shows --------------------------------------------------------------------- */

typedef struct view {
    double fraction;      /* < 0: not known */
    double start_seconds; /* of the stage or part */
    bool is_whole;        /* that is the stage */
} view;

static bool is_first_time(const cli_progress *progress)
{
    return progress->part.kind != NULL && progress->part.n_times == 1;
}

static double n_steps(const cli_stage *stage)
{
    return stage->kind->has_steps && stage->step > 0 ? round(1 / stage->step) : 0;
}

/* The progress of a part that began again is not used, because nobody knows how often it will
 * begin. */
static view view_of(cli_progress *progress)
{
    const cli_stage *stage = &progress->stage, *part = &progress->part;
    view of_part = {part->fraction, part->start_seconds, false};
    if (stage->kind->has_steps && n_steps(stage) < ALIKE_FROM)
        return part->kind != NULL ? of_part : (view){-1, 0, false};
    if (stage->fraction == 0 && part->kind != NULL)
        return is_first_time(progress) ? of_part : (view){-1, 0, false};
    double fraction =
        stage->fraction + (is_first_time(progress) ? stage->step * part->fraction : 0);
    if (fraction > progress->reached)
        progress->reached = fraction;
    return (view){progress->reached, stage->start_seconds, true};
}

static void put_words(const cli_progress *progress, const view *seen, char *text)
{
    const cli_stage *stage = &progress->stage, *part = &progress->part;
    int n = snprintf(text, TEXT_SIZE, "%s", stage->kind->words);
    if (n_steps(stage) > 0)
        n += snprintf(text + n, (size_t)(TEXT_SIZE - n), ", step %.0f of %.0f",
                      round(stage->fraction / stage->step) + 1, n_steps(stage));
    if (seen->fraction >= 0 && !seen->is_whole && part->n_times > 1)
        n += snprintf(text + n, (size_t)(TEXT_SIZE - n), ", part %u", part->n_times);
    if (seen->fraction < 0)
        snprintf(text + n, (size_t)(TEXT_SIZE - n), ",");
}

static void put_times(const cli_progress *progress, const view *seen, double now, char *text)
{
    char elapsed[24], left[24];
    double seconds = now - seen->start_seconds;
    cli_duration_text(now - progress->start_seconds, sizeof elapsed, elapsed);
    int n = 0;
    if (seen->fraction >= 0)
        n = snprintf(text, TEXT_SIZE, "%.0f%%, ", floor(100 * fmin(seen->fraction, 1)));
    n += snprintf(text + n, (size_t)(TEXT_SIZE - n), "%s", elapsed);
    if (!seen->is_whole || seconds < LEFT_AFTER_SECONDS || seen->fraction < LEFT_AFTER_FRACTION)
        return;
    cli_duration_text(seconds * (1 - fmin(seen->fraction, 1)) / seen->fraction, sizeof left, left);
    snprintf(text + n, (size_t)(TEXT_SIZE - n), ", %s left", left);
}

static void draw(cli_progress *progress, double now)
{
    const stage_kind *kind = progress->stage.kind;
    bool is_new = kind != progress->shown_kind;
    if (is_new && progress->line.is_shown && now - progress->shown_seconds < WORDS_FOR_SECONDS)
        return;
    view seen = view_of(progress);
    if (seen.fraction <= 0 || now - seen.start_seconds < BAR_AFTER_SECONDS)
        seen = (view){-1, now, false};
    char words[TEXT_SIZE], times[TEXT_SIZE];
    put_words(progress, &seen, words);
    put_times(progress, &seen, now, times);
    cli_status_line_draw(&progress->line, now, words, seen.fraction, times);
    if (is_new)
        progress->shown_seconds = now;
    progress->shown_kind = kind;
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
    return cli_signals_pending();
}

void cli_progress_end(cli_progress *progress)
{
    cli_status_line_erase(&progress->line);
    progress->stage.kind = progress->part.kind = NULL;
}

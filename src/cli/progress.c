/* The library reports stages within stages: a power consists of squarings, a squaring of batches.
 * The line shows the outer stage, and the inner stage moves it on. Its words change at most once
 * a second. A stage that takes longer gets a bar, which never goes back within a stage. */
#include "src/cli/progress.h"

#include "src/cli/signals.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FIRST_AFTER_SECONDS 1.0
#define WORDS_FOR_SECONDS   1.0 /* before others take their place */
#define BAR_AFTER_SECONDS   1.0 /* of what it measures */
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
    {"calibrate", "measuring", false, "", ""},
    {"bench", "measuring", false, "", ""},
    {"", "working", false, "", ""}, /* any other */
};

static const stage_kind *find_kind(const char *name)
{
    const stage_kind *kind = kinds;
    while (*kind->name != '\0' && strcmp(kind->name, name) != 0)
        kind++;
    return kind;
}

static bool is_among(const char *names, const stage_kind *kind)
{
    char name[32];
    snprintf(name, sizeof name, " %s ", kind->name);
    return strstr(names, name) != NULL;
}

/* ---- What the library reported ------------------------------------------------------------------ */

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
    const stage_kind *kind = find_kind(name), *around = progress->stage.kind;
    if (around != NULL && is_among(around->parts, kind))
        note_part(progress, kind, fraction, now);
    else if (around == NULL || !is_among(around->asides, kind))
        note_stage(progress, kind, fraction, now);
}

/* ---- What the line shows ------------------------------------------------------------------- */

typedef struct view {
    double fraction;      /* < 0: not known */
    double start_seconds; /* of what it is a fraction of */
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

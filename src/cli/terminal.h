/* The terminal: its abilities, a line at its bottom that is drawn anew, and progress on that
 * line. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

/* ---- The terminal ---------------------------------------------------------------------------- */

/* The same, and NO_COLOR is not set. */
bool cli_terminal_has_colours(int fd);

typedef enum cli_palette {
    CLI_NO_COLOURS,
    CLI_256_COLOURS, /* the cube of 6 x 6 x 6 from 16 on */
    CLI_ALL_COLOURS  /* 24 bits */
} cli_palette;

/* The colours to draw with: as COLORTERM (truecolor, 24bit) and TERM (...-256color, ...-direct)
 * say, and none where cli_terminal_has_colours says so. */
cli_palette cli_terminal_palette(int fd);

/* True when text in the locale of the user is UTF-8. */
bool cli_terminal_is_utf8(void);

/* The columns that the terminal has now; otherwise when fd is no terminal or does not say. */
unsigned cli_terminal_width(int fd, unsigned otherwise);

/* Its lines; UINT_MAX when fd is no terminal or does not say. */
unsigned cli_terminal_height(int fd);

/* ---- A line that is drawn anew --------------------------------------------------------------- */

/* A line at the bottom of the terminal that is drawn anew: words, a bar, more words. */
typedef struct cli_status_line {
    bool is_wanted; /* stderr is a terminal and not silenced */
    bool is_shown;
    bool has_escapes, has_colours, is_utf8;
    unsigned n_shown;     /* columns that are taken */
    double drawn_seconds; /* when it was last drawn */
} cli_status_line;

void cli_status_line_start(cli_status_line *line, bool is_quiet);

/* True when it is time to draw the line again. */
bool cli_status_line_is_due(const cli_status_line *line, double now_seconds);

/* Draws the line. before and after are ASCII; fraction < 0: no bar. A narrow terminal loses the
 * bar first. */
void cli_status_line_draw(cli_status_line *line, double now_seconds, const char *before,
                          double fraction, const char *after);

/* Erases the line. */
void cli_status_line_erase(cli_status_line *line);

/* "12 s", "3 min 5 s", "2 h 40 min", "3 d 4 h". */
void cli_duration_text(double seconds, size_t size, char *text);

/* Seconds of a monotonic clock. */
double cli_now_seconds(void);

/* ---- Progress -------------------------------------------------------------------------------- */

/* A stage, as the library reports it. */
typedef struct cli_stage {
    const struct cli_stage_kind *kind; /* NULL: none */
    double fraction;
    double step;      /* by how much fraction last grew; 0: it has not yet */
    unsigned n_times; /* it began, as a part of the stage around it */
    double start_seconds;
} cli_stage;

typedef struct cli_progress {
    cli_status_line line;
    cli_stage stage, part;                   /* the stage, and one within it */
    double reached;                          /* fraction of the stage that was shown */
    const struct cli_stage_kind *shown_kind; /* whose words the line has, since ... */
    double shown_seconds;
    double start_seconds;
} cli_progress;

void cli_progress_start(cli_progress *progress, bool is_quiet);

/* A pc_progress_fn; user is the cli_progress. Asks to stop when a signal is pending. */
int cli_progress_tell(void *user, const char *stage, double fraction);

/* Erases the line; the next report begins a new stage. */
void cli_progress_end(cli_progress *progress);

#endif

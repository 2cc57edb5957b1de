/* The terminal: its size, a line at its bottom that is drawn anew, and progress on that line. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

/* The columns and lines that the terminal has now. A number that fd does not say, or that is of no
 * terminal, stays as it is. */
void cli_terminal_size(int fd, unsigned *n_columns, unsigned *n_lines);

/* ---- A line that is drawn anew --------------------------------------------------------------- */

/* A line at the bottom of the terminal that is drawn anew: words, a bar, more words. */
typedef struct cli_status_line {
    bool is_wanted; /* stderr is a terminal and not silenced */
    bool has_escapes;
    size_t n_shown;       /* columns that are taken; 0: nothing is shown */
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

typedef struct cli_progress {
    cli_status_line line;
    double start_seconds;
    const struct cli_stage *stage; /* that the library reported; NULL: none */
    double stage_seconds;          /* when it began */
    double fraction, step;         /* of it; by how much that last grew, 0: it has not yet */
    double part_fraction;          /* of that part; -1: there is none */
    double reached;                /* fraction of the stage that was shown */
    double deadline;               /* when work is stopped; 0: never */
} cli_progress;

void cli_progress_start(cli_progress *progress, bool is_quiet);

/* A pc_progress_fn; user is the cli_progress. Asks to stop when a signal is pending, and behind the deadline. */
int cli_progress_tell(void *user, const char *stage, double fraction);

/* Tells whether the deadline has passed. */
bool cli_progress_is_over(const cli_progress *progress);

/* Erases the line; the next report begins a new stage. */
void cli_progress_end(cli_progress *progress);

#endif

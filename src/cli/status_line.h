/* A line at the bottom of the terminal that is drawn anew: words, a bar, more words. */
#ifndef CLI_STATUS_LINE_H
#define CLI_STATUS_LINE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cli_status_line {
    bool is_wanted; /* stderr is a terminal and not silenced */
    bool is_shown;
    bool has_escapes, has_colours, is_utf8;
    unsigned n_shown;     /* columns that are taken */
    double drawn_seconds; /* when it was last drawn */
} cli_status_line;

void cli_status_line_start(cli_status_line *line, bool is_quiet);

/* Whether it is time to draw it again. */
bool cli_status_line_is_due(const cli_status_line *line, double now_seconds);

/* Draws the line. before and after are ASCII; fraction < 0: no bar. In a narrow terminal the bar
 * is left out first. */
void cli_status_line_draw(cli_status_line *line, double now_seconds, const char *before,
                          double fraction, const char *after);

/* Erases the line. */
void cli_status_line_erase(cli_status_line *line);

/* "12 s", "3 min 5 s", "2 h 40 min", "3 d 4 h". */
void cli_duration_text(double seconds, size_t size, char *text);

/* Seconds of a monotonic clock. */
double cli_now_seconds(void);

#endif

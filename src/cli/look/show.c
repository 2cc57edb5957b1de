/* --show: a heatmap and the growth of the total in characters, which every terminal has. A cell of
 * the heatmap is two characters wide, so that squares look square. */
#include "src/cli/look/scene.h"

#include "src/cli/terminal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { OTHERWISE_WIDE = 80 };

static const char steps[] = ".:-=+*#%@", digits[] = "0123456789";

uint32_t cli_show_cells(void)
{
    enum { LINES_AROUND = 7, LEAST_LINES = 8, BORDER = 2, MOST_CELLS = 64 };
    unsigned width = OTHERWISE_WIDE, height = UINT32_MAX;
    cli_terminal_size(STDOUT_FILENO, &width, &height);
    uint32_t lines = height < LINES_AROUND + LEAST_LINES ? LEAST_LINES : height - LINES_AROUND;
    uint32_t columns = width < BORDER + 2 ? 1 : (width - BORDER) / 2;
    uint32_t least = lines < columns ? lines : columns;
    return least < MOST_CELLS ? least : MOST_CELLS;
}

/* The mark of a value between the least and the most, each a logarithm; a blank of zero. */
static char mark_of(const char *marks, double value, double least, double most)
{
    size_t n = strlen(marks);
    double share = most > least ? (value - least) / (most - least) : 1;
    size_t step = value == -INFINITY || share < 0 ? 0 : (size_t)(share * (double)n);
    return value == -INFINITY ? ' ' : marks[step < n ? step : n - 1];
}

/* The text of a picture with "e" in place of its sign of multiplication. */
static const char *number_text(double log2, bool is_integral, char text[CLI_NUMBER_SIZE])
{
    static const char times[] = "\u00d710^";
    cli_number_text(log2, is_integral || log2 == -INFINITY, text);
    char *power = strstr(text, times);
    if (power != NULL) {
        *power = 'e';
        memmove(power + 1, power + strlen(times), strlen(power + strlen(times)) + 1);
    }
    return text;
}

static void print_rule(uint32_t n_across)
{
    putchar('+');
    for (uint32_t j = 0; j < 2 * n_across; j++)
        putchar('-');
    puts("+");
}

static void print_heat(const pc_grid_values *heat, bool is_integral)
{
    char text[CLI_NUMBER_SIZE];
    if (heat->n_down == 0 || heat->n_across == 0) {
        puts("no vertices, nothing to show");
        return;
    }
    print_rule(heat->n_across);
    for (uint32_t i = 0; i < heat->n_down; i++) {
        putchar('|');
        for (uint32_t j = 0; j < heat->n_across; j++) {
            double value = heat->log2[(size_t)i * heat->n_across + j];
            char mark = mark_of(steps, value, heat->least, heat->most);
            printf("%c%c", mark, mark);
        }
        puts("|");
    }
    print_rule(heat->n_across);
    fputs("blank 0", stdout);
    if (heat->least <= heat->most) { /* there are others than 0 */
        printf("  %s ", number_text(heat->least, is_integral, text));
        for (const char *step = steps; *step != '\0'; step++)
            printf(" %c", *step);
        printf("  %s (log scale)", number_text(heat->most, is_integral, text));
    }
    printf("\n%" PRIu64 " x %" PRIu64 " counts, from each row to each column", heat->n_rows,
           heat->n_columns);
    if (heat->row_span > 1 || heat->column_span > 1)
        printf("; each cell is the largest of %" PRIu64 " x %" PRIu64, heat->row_span,
               heat->column_span);
    putchar('\n');
}

/* Prints a digit for each length, or for some of them where there is no room for all. */
static void print_growth(const cli_growth *growth)
{
    enum { MOST_MARKS = 60, LEAST_MARKS = 8, BLANKS = 4 };
    char before[48], after[2 * CLI_NUMBER_SIZE + 8], first[CLI_NUMBER_SIZE], last[CLI_NUMBER_SIZE];
    uint64_t n = growth->n;
    unsigned width = OTHERWISE_WIDE, height;
    double least = INFINITY, most = -INFINITY;
    if (n == 0)
        return;
    for (uint64_t i = 0; i < n; i++)
        if (growth->log2[i] != -INFINITY) {
            least = fmin(least, growth->log2[i]);
            most = fmax(most, growth->log2[i]);
        }
    number_text(growth->log2[0], true, first);
    number_text(growth->log2[n - 1], true, last);
    snprintf(before, sizeof before, n == 1 ? "paths of length 1" : "paths of length 1..%" PRIu64,
             n);
    snprintf(after, sizeof after, n == 1 ? "%s" : "%s to %s", first, last);
    cli_terminal_size(STDOUT_FILENO, &width, &height);
    size_t n_words = strlen(before) + strlen(after) + BLANKS;
    uint64_t room = width > n_words + LEAST_MARKS ? width - n_words : LEAST_MARKS;
    uint64_t n_marks = n < room ? n : room;
    n_marks = n_marks < MOST_MARKS ? n_marks : MOST_MARKS;
    printf("%s  ", before);
    for (uint64_t m = 0; m < n_marks; m++) {
        double at = n_marks > 1 ? (double)m * (double)(n - 1) / (double)(n_marks - 1) : 0;
        putchar(mark_of(digits, growth->log2[(uint64_t)(at + 0.5)], least, most));
    }
    printf("  %s\n", after);
}

void cli_show(const pc_grid_values *heat, bool is_integral, const cli_growth *growth)
{
    if (heat != NULL || growth != NULL)
        putchar('\n');
    if (heat != NULL)
        print_heat(heat, is_integral);
    if (growth != NULL)
        print_growth(growth);
}

/* A heatmap in as many columns as there are: with colours two rows share a line, as halves of a
 * block; in ASCII a cell is two characters, so that squares look square. */
#include "src/cli/look/scene.h"

#include "src/cli/terminal.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

enum {
    OTHERWISE_WIDE = 80,
    LINES_AROUND = 7,
    LEAST_LINES = 8,
    WIDE_ENOUGH = 32,
    MOST_ZOOM = 4,
    SCALE_WIDTH = 20,
    MOST_LENGTHS = 60
};

static const char steps[] = ".:-=+*#%@";

#define N_STEPS      ((int)sizeof steps - 1)
#define FULL_NUMBERS 13.0 /* log2 up to which a number has no power: four digits */

/* The grid as it is shown: cells of the heatmap, some merged into one. */
typedef struct grid {
    const pc_grid_values *heat;
    uint32_t span; /* cells of the heatmap that are one here, down and across */
    uint32_t n_down, n_across;
    double least, most;
    bool has_counts; /* any that is not zero */
    cli_palette palette;
} grid;

/* ---- Numbers --------------------------------------------------------------------------------- */

/* "0", "1234", "2.5", "2.9e10", "2.5e-3". */
static void number_text(double log2_value, size_t size, char *text)
{
    if (log2_value == -INFINITY) {
        snprintf(text, size, "0");
    } else if (log2_value >= 0 && log2_value < FULL_NUMBERS) {
        snprintf(text, size, "%.4g", exp2(log2_value));
    } else {
        double log10_value = log2_value * log10(2), power = floor(log10_value);
        double digits = round(10 * pow(10, log10_value - power)) / 10;
        if (digits >= 10) {
            digits /= 10;
            power++;
        }
        snprintf(text, size, "%.1fe%.0f", digits, power);
    }
}

/* Share 0..1 of the way from least to most; 1 when they are one. */
static double share_of(double value, double least, double most)
{
    return most > least ? fmin(fmax((value - least) / (most - least), 0), 1) : 1;
}

/* ---- The grid -------------------------------------------------------------------------------- */

static uint32_t groups_of(uint32_t n, uint32_t span)
{
    return (n + span - 1) / span;
}

/* The largest of the cells of the heatmap that are one here. */
static double cell_of(const grid *shown, uint32_t down, uint32_t across)
{
    const pc_grid_values *heat = shown->heat;
    uint32_t top = down * shown->span, left = across * shown->span;
    double most = -INFINITY;
    for (uint32_t i = top; i < top + shown->span && i < heat->n_down; i++)
        for (uint32_t j = left; j < left + shown->span && j < heat->n_across; j++)
            if (heat->log2[(size_t)i * heat->n_across + j] > most)
                most = heat->log2[(size_t)i * heat->n_across + j];
    return most;
}

/* ---- In colours ------------------------------------------------------------------------------ */

static cli_colour colour_of(const grid *shown, double value)
{
    const cli_colour white = {255, 255, 255};
    return value == -INFINITY ? white : cli_colour_of(share_of(value, shown->least, shown->most));
}

/* 0..5 in the cube of 256 colours, whose steps are at 0, 95, 135, 175, 215 and 255. */
static int cube_step(int part)
{
    return part < 48 ? 0 : part < 115 ? 1 : (part - 35) / 40;
}

static void print_colour(FILE *out, const grid *shown, int which, cli_colour c)
{
    if (shown->palette == CLI_ALL_COLOURS)
        fprintf(out, "\033[%d;2;%d;%d;%dm", which, c.red, c.green, c.blue);
    else
        fprintf(out, "\033[%d;5;%dm", which,
                16 + 36 * cube_step(c.red) + 6 * cube_step(c.green) + cube_step(c.blue));
}

/* A character whose upper half is one colour and whose lower half another; lower NULL: nothing. */
static void print_halves(FILE *out, const grid *shown, cli_colour upper, const cli_colour *lower)
{
    print_colour(out, shown, 38, upper);
    if (lower != NULL)
        print_colour(out, shown, 48, *lower);
    else
        fputs("\033[49m", out);
    fputs("▀", out);
}

/* Cells of small matrices are enlarged. */
static void print_coloured(FILE *out, const grid *shown, uint32_t width)
{
    uint32_t side = shown->n_down > shown->n_across ? shown->n_down : shown->n_across;
    uint32_t zoom = (width < WIDE_ENOUGH ? width : WIDE_ENOUGH) / side;
    zoom = zoom < 1 ? 1 : zoom > MOST_ZOOM ? MOST_ZOOM : zoom;
    uint32_t n_rows = shown->n_down * zoom;
    for (uint32_t i = 0; i < n_rows; i += 2) {
        for (uint32_t j = 0; j < shown->n_across * zoom; j++) {
            cli_colour upper = colour_of(shown, cell_of(shown, i / zoom, j / zoom));
            cli_colour lower = upper;
            if (i + 1 < n_rows)
                lower = colour_of(shown, cell_of(shown, (i + 1) / zoom, j / zoom));
            print_halves(out, shown, upper, i + 1 < n_rows ? &lower : NULL);
        }
        fputs("\033[0m\n", out);
    }
}

/* ---- In ASCII -------------------------------------------------------------------------------- */

static void print_rule(FILE *out, const grid *shown)
{
    fputc('+', out);
    for (uint32_t j = 0; j < 2 * shown->n_across; j++)
        fputc('-', out);
    fputs("+\n", out);
}

static void print_characters(FILE *out, const grid *shown)
{
    print_rule(out, shown);
    for (uint32_t i = 0; i < shown->n_down; i++) {
        fputc('|', out);
        for (uint32_t j = 0; j < shown->n_across; j++) {
            double value = cell_of(shown, i, j);
            int step = (int)(share_of(value, shown->least, shown->most) * N_STEPS);
            char c = value == -INFINITY ? ' ' : steps[step < N_STEPS ? step : N_STEPS - 1];
            fprintf(out, "%c%c", c, c);
        }
        fputs("|\n", out);
    }
    print_rule(out, shown);
}

/* ---- The heatmap ----------------------------------------------------------------------------- */

/* Says which colours or characters are which counts. */
static void print_scale(FILE *out, const grid *shown)
{
    bool is_coloured = shown->palette != CLI_NO_COLOURS;
    const cli_colour zero = colour_of(shown, -INFINITY);
    char least[32], most[32];
    if (is_coloured) {
        fputs("0 ", out);
        print_halves(out, shown, zero, &zero);
        fputs("\033[0m", out);
    } else {
        fputs("blank 0", out);
    }
    if (shown->has_counts) {
        number_text(shown->least, sizeof least, least);
        number_text(shown->most, sizeof most, most);
        fprintf(out, "  %s ", least);
        for (int i = 0; i < SCALE_WIDTH && is_coloured; i++) {
            cli_colour colour = cli_colour_of((double)i / (SCALE_WIDTH - 1));
            print_halves(out, shown, colour, &colour);
        }
        for (int i = 0; i < N_STEPS && !is_coloured; i++)
            fprintf(out, " %c", steps[i]);
        fprintf(out, "%s %s (log scale)", is_coloured ? "\033[0m" : " ", most);
    }
    fputc('\n', out);
}

/* Cells are merged until the terminal shows the heatmap whole, with what stands around it. */
static void print_heat(FILE *out, const pc_grid_values *heat, uint32_t width, cli_palette palette)
{
    const uint32_t border = 2;
    if (heat->n_down == 0 || heat->n_across == 0) {
        fputs("no vertices, nothing to show\n", out);
        return;
    }
    bool is_coloured = palette != CLI_NO_COLOURS;
    unsigned height = cli_terminal_height(fileno(out));
    uint32_t lines = height < LINES_AROUND + LEAST_LINES ? LEAST_LINES : height - LINES_AROUND;
    lines = lines < CLI_SHOW_CELLS ? lines : CLI_SHOW_CELLS;
    uint32_t columns = is_coloured ? width : (width - border) / 2;
    uint32_t rows = is_coloured ? 2 * lines : lines;
    columns = columns < rows ? columns : rows;
    columns = columns < 1 ? 1 : columns > CLI_SHOW_CELLS ? CLI_SHOW_CELLS : columns;
    uint32_t span =
        groups_of(heat->n_down > heat->n_across ? heat->n_down : heat->n_across, columns);
    grid shown = {.heat = heat,
                  .span = span,
                  .n_down = groups_of(heat->n_down, span),
                  .n_across = groups_of(heat->n_across, span),
                  .least = heat->least,
                  .most = heat->most,
                  .has_counts = heat->least <= heat->most,
                  .palette = palette};
    if (is_coloured)
        print_coloured(out, &shown, columns);
    else
        print_characters(out, &shown);
    print_scale(out, &shown);
    fprintf(out, "%" PRIu64 " x %" PRIu64 " counts, from each row to each column", heat->n_rows,
            heat->n_columns);
    uint64_t down = span * heat->row_span, across = span * heat->column_span;
    if (down > 1 || across > 1)
        fprintf(out, "; each cell is the largest of %" PRIu64 " x %" PRIu64, down, across);
    fputc('\n', out);
}

/* ---- Growth ---------------------------------------------------------------------------------- */

/* Prints a mark for each length, or for some of them where there is no room for all. */
static void print_marks(FILE *out, const cli_growth *growth, uint64_t n_marks, bool has_blocks)
{
    static const char *const blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    static const char *const digits[] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
    const char *const *marks = has_blocks ? blocks : digits;
    int n = has_blocks ? 8 : 10;
    double least = INFINITY, most = -INFINITY;
    for (uint64_t i = 0; i < growth->n; i++)
        if (growth->log2[i] != -INFINITY) {
            least = fmin(least, growth->log2[i]);
            most = fmax(most, growth->log2[i]);
        }
    for (uint64_t m = 0; m < n_marks; m++) {
        uint64_t last = n_marks > 1 ? n_marks - 1 : 1;
        double value =
            growth->log2[(uint64_t)((double)m * (double)(growth->n - 1) / (double)last + 0.5)];
        int mark = (int)(share_of(value, least, most) * n);
        fputs(value == -INFINITY ? " " : marks[mark < n ? mark : n - 1], out);
    }
}

static void print_growth(FILE *out, const cli_growth *growth, uint32_t width, bool has_blocks)
{
    char before[48], first[32], last[32], after[80];
    if (growth->n == 0)
        return;
    if (growth->n == 1)
        snprintf(before, sizeof before, "paths of length 1");
    else
        snprintf(before, sizeof before, "paths of length 1..%" PRIu64, growth->n);
    number_text(growth->log2[0], sizeof first, first);
    number_text(growth->log2[growth->n - 1], sizeof last, last);
    if (growth->n == 1)
        snprintf(after, sizeof after, "%s", first);
    else
        snprintf(after, sizeof after, "%s to %s", first, last);
    size_t n_words = strlen(before) + strlen(after) + 4;
    uint64_t room = width > n_words + 8 ? width - n_words : 8;
    uint64_t n_marks = growth->n < room ? growth->n : room;
    fprintf(out, "%s  ", before);
    print_marks(out, growth, n_marks < MOST_LENGTHS ? n_marks : MOST_LENGTHS, has_blocks);
    fprintf(out, "  %s\n", after);
}

void cli_show(FILE *out, const pc_grid_values *heat, const cli_growth *growth)
{
    int fd = fileno(out);
    uint32_t width = cli_terminal_width(fd, OTHERWISE_WIDE);
    bool has_blocks = fd >= 0 && isatty(fd) && cli_terminal_is_utf8();
    if (heat != NULL || growth != NULL)
        fputc('\n', out);
    if (heat != NULL)
        print_heat(out, heat, width < 4 ? 4 : width,
                   has_blocks ? cli_terminal_palette(fd) : CLI_NO_COLOURS);
    if (growth != NULL)
        print_growth(out, growth, width, has_blocks);
}

/* A small matrix as a table of text. */
#include "src/cli/table.h"

#include "src/cli/digits.h"
#include "src/cli/text.h"

#include <stdlib.h>
#include <string.h>

static const char corner[] = "from\\to";

enum { SHORT_DIGITS = 4 };

bool cli_table_fits(const pc_frame *frame, uint64_t most)
{
    return pc_labels_count(frame->rows) <= most && pc_labels_count(frame->columns) <= most;
}

static pc_status show_labels(const pc_labels *labels, char **shown)
{
    for (uint64_t i = 0; i < pc_labels_count(labels); i++) {
        shown[i] = cli_label_shown(labels, i);
        if (shown[i] == NULL)
            return PC_ERR_MEMORY;
    }
    return PC_OK;
}

pc_status cli_table_create(pc_context *context, const pc_frame *frame, cli_table *table)
{
    *table = (cli_table){.context = context,
                         .n_rows = pc_labels_count(frame->rows),
                         .n_columns = pc_labels_count(frame->columns)};
    table->check = cli_text_check_for(0);
    table->check.takes_all = true; /* there are few */
    table->row_labels = calloc(table->n_rows + 1, sizeof *table->row_labels);
    table->column_labels = calloc(table->n_columns + 1, sizeof *table->column_labels);
    table->cells = calloc(table->n_rows * table->n_columns + 1, sizeof *table->cells);
    if (table->row_labels == NULL || table->column_labels == NULL || table->cells == NULL)
        return PC_ERR_MEMORY;
    pc_status status = show_labels(frame->rows, table->row_labels);
    return status == PC_OK ? show_labels(frame->columns, table->column_labels) : status;
}

static void free_texts(char **texts, uint64_t n)
{
    for (uint64_t i = 0; texts != NULL && i < n; i++)
        free(texts[i]);
    free(texts);
}

void cli_table_free(cli_table *table)
{
    free_texts(table->row_labels, table->n_rows);
    free_texts(table->column_labels, table->n_columns);
    free_texts(table->cells, table->n_rows * table->n_columns);
    *table = (cli_table){0};
}

pc_status cli_table_add(cli_table *table, const pc_rows *rows)
{
    for (uint64_t e = 0; e < rows->n_rows * rows->n_columns; e++) {
        char none[1];
        size_t length = 0;
        pc_rows_text(rows, e, none, sizeof none, &length); /* asks for the length only */
        char *text = malloc(length + CLI_DIGITS_BYTES);
        if (text == NULL)
            return PC_ERR_MEMORY;
        table->cells[rows->first_row * table->n_columns + e] = text;
        pc_status status = pc_rows_text(rows, e, text, length + 1, NULL);
        if (status == PC_OK && !cli_text_check_holds(&table->check, e, rows, e, text))
            status = cli_text_check_fail(table->context, text);
        if (status != PC_OK)
            return status;
    }
    return PC_OK;
}

/* Gives the numbers of a column one shape, where one of them has an exponent or too many digits. */
static void shape_column(cli_table *table, uint64_t column, int most_digits)
{
    int n_digits = 0;
    bool is_scientific = false;
    for (uint64_t row = 0; row < table->n_rows; row++) {
        const char *text = table->cells[row * table->n_columns + column];
        int n = cli_significant_digits(text);
        n_digits = n > n_digits ? n : n_digits;
        is_scientific = is_scientific || strchr(text, 'e') != NULL;
    }
    bool is_cut = most_digits > 0 && n_digits > most_digits;
    cli_digits wanted = {.n = is_cut ? most_digits : n_digits};
    for (uint64_t row = 0; row < table->n_rows && (is_cut || is_scientific); row++)
        cli_set_digits(wanted, table->cells[row * table->n_columns + column]);
}

void cli_table_shape(cli_table *table, int most_digits)
{
    for (uint64_t column = 0; column < table->n_columns; column++)
        shape_column(table, column, most_digits);
}

static int widest(const char *first, char *const *texts, uint64_t n_texts, uint64_t stride)
{
    int width = cli_text_width(first);
    for (uint64_t i = 0; i < n_texts; i++) {
        int other = cli_text_width(texts[i * stride]);
        width = other > width ? other : width;
    }
    return width;
}

static int label_width(const cli_table *table)
{
    return widest(corner, table->row_labels, table->n_rows, 1);
}

static int column_width(const cli_table *table, uint64_t column)
{
    return 2 + widest(table->column_labels[column], table->cells + column, table->n_rows,
                      table->n_columns);
}

uint64_t cli_table_width(const cli_table *table)
{
    uint64_t width = (uint64_t)label_width(table);
    for (uint64_t column = 0; column < table->n_columns; column++)
        width += (uint64_t)column_width(table, column);
    return width;
}

bool cli_table_shorten(cli_table *table, unsigned width)
{
    if (cli_table_width(table) <= width)
        return false;
    cli_table_shape(table, SHORT_DIGITS);
    return true;
}

void cli_table_print(FILE *out, const cli_table *table)
{
    uint64_t n = table->n_columns;
    int widths[CLI_TABLE_MOST], first_width = label_width(table);
    cli_print_left(out, corner, first_width);
    for (uint64_t column = 0; column < n; column++) {
        widths[column] = column_width(table, column);
        cli_print_right(out, table->column_labels[column], widths[column]);
    }
    fputc('\n', out);
    for (uint64_t row = 0; row < table->n_rows; row++) {
        cli_print_left(out, table->row_labels[row], first_width);
        for (uint64_t column = 0; column < n; column++)
            cli_print_right(out, table->cells[row * n + column], widths[column]);
        fputc('\n', out);
    }
}

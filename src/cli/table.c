/* The matrix of a small graph as a table of text. */
#include "src/cli/table.h"

#include "src/cli/text.h"

#include <stdlib.h>

static const char corner[] = "from\\to";

pc_status cli_table_create(const pc_graph *graph, cli_table *table)
{
    *table = (cli_table){.n = pc_graph_n_vertices(graph)};
    for (uint64_t v = 0; v < table->n; v++) {
        table->labels[v] = cli_label_shown(graph, v);
        if (table->labels[v] == NULL)
            return PC_ERR_MEMORY;
    }
    return PC_OK;
}

void cli_table_free(cli_table *table)
{
    for (uint64_t v = 0; v < table->n; v++)
        free(table->labels[v]);
    for (uint64_t e = 0; e < table->n * table->n; e++)
        free(table->cells[e]);
    table->n = 0;
}

pc_status cli_table_add(cli_table *table, const pc_rows *rows)
{
    for (uint64_t e = 0; e < rows->n_rows * rows->n_columns; e++) {
        char none[1];
        size_t length = 0;
        pc_rows_text(rows, e, none, sizeof none, &length); /* asks for the length only */
        char *text = malloc(length + 1);
        if (text == NULL)
            return PC_ERR_MEMORY;
        table->cells[rows->first_row * table->n + e] = text;
        pc_status status = pc_rows_text(rows, e, text, length + 1, NULL);
        if (status != PC_OK)
            return status;
    }
    return PC_OK;
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

void cli_table_print(FILE *out, const cli_table *table)
{
    uint64_t n = table->n;
    int widths[CLI_TABLE_VERTICES];
    int label_width = widest(corner, table->labels, n, 1);
    cli_print_left(out, corner, label_width);
    for (uint64_t v = 0; v < n; v++) {
        widths[v] = 2 + widest(table->labels[v], table->cells + v, n, n);
        cli_print_right(out, table->labels[v], widths[v]);
    }
    fputc('\n', out);
    for (uint64_t row = 0; row < n; row++) {
        cli_print_left(out, table->labels[row], label_width);
        for (uint64_t v = 0; v < n; v++)
            cli_print_right(out, table->cells[row * n + v], widths[v]);
        fputc('\n', out);
    }
}

/* Prints answers line by line, or collects them for JSON. */
#include "src/cli/query_table.h"

#include "src/cli/json_text.h"
#include "src/cli/text.h"

#include <stdlib.h>

uint32_t cli_query_table_width(const pc_rows *rows, uint64_t e)
{
    for (uint32_t limb = rows->n_limbs; limb-- > 0;) {
        uint64_t word = rows->limbs[e * rows->n_limbs + limb];
        if (word != 0)
            return 64 * limb + 64 - (uint32_t)__builtin_clzll(word);
    }
    return 0;
}

const char *cli_query_table_count(cli_query_table *table, const pc_rows *rows, uint64_t e)
{
    size_t length = 0;
    uint32_t bits = cli_query_table_width(rows, e);
    table->bits = bits > table->bits ? bits : table->bits;
    while (pc_rows_text(rows, e, table->text, table->text_size, &length) != PC_OK) {
        size_t size = 2 * length + CLI_DIGITS_BYTES;
        char *grown = realloc(table->text, size);
        if (grown == NULL)
            return NULL;
        table->text = grown;
        table->text_size = size;
    }
    table->is_wrong |= !cli_text_check_holds(&table->check, table->n_texts++, rows, e, table->text);
    if (rows->values && !table->is_json)
        cli_set_digits(table->digits, table->text);
    return table->text;
}

static void print_line(const char *const *cells, size_t n_cells)
{
    for (size_t c = 0; c < n_cells; c++) {
        if (c > 0)
            putchar_unlocked('\t'); /* no other thread prints */
        cli_print_shown(stdout, cells[c]);
    }
    putchar_unlocked('\n');
}

static pc_status collect(cli_query_table *table, const char *const *cells)
{
    json_t *line = json_object();
    bool is_whole = line != NULL;
    if (table->answers == NULL)
        table->answers = json_array();
    for (size_t c = 0; c < table->n_columns && is_whole; c++)
        is_whole = json_object_set_new(line, table->columns[c], cli_json_text(cells[c])) == 0;
    if (is_whole && json_array_append(table->answers, line) != 0)
        is_whole = false;
    json_decref(line);
    return is_whole ? PC_OK : PC_ERR_MEMORY;
}

pc_status cli_query_table_add(cli_query_table *table, const char *const *cells)
{
    if (table->is_wrong)
        return PC_ERR_CERTIFY;
    if (table->is_json)
        return collect(table, cells);
    cli_query_table_end(table);
    size_t n_left_out = table->is_bare ? table->n_columns - 1 : 0;
    print_line(cells + n_left_out, table->n_columns - n_left_out);
    return PC_OK;
}

void cli_query_table_end(cli_query_table *table)
{
    if (!table->is_json && !table->is_bare && !table->has_header)
        print_line(table->columns, table->n_columns);
    table->has_header = true;
}

void cli_query_table_free(cli_query_table *table)
{
    json_decref(table->answers);
    free(table->text);
}

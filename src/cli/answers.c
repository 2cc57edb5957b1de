/* Prints answers line by line, or collects them for JSON. */
#define _GNU_SOURCE /* stpcpy, F_SETPIPE_SZ */
#include "src/cli/answers.h"

#include "src/cli/json.h"

#include "pathcount_io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Tables of answers ----------------------------------------------------------------------- */

/* Prints answers line by line, or collects them for JSON. */

/* Bits of the integer that entry e is; 0 for a double. */
static uint32_t query_table_width(const pc_rows *rows, uint64_t e)
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
    uint32_t bits = query_table_width(rows, e);
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

/* ---- Lines that several threads make --------------------------------------------------------- */

/* Lines of counts: labels and texts go into memory, piece by piece, and then to standard output. */

enum { PIECE_BYTES = 1 << 19, PIPE_BYTES = 1 << 20, ESCAPED_BYTES = 4, DIGITS_A_LIMB = 20 };

typedef struct job {
    const cli_query_lines *lines;
    const pc_rows *rows;
    size_t label_bytes, count_bytes; /* of room */
    uint64_t n_before;               /* texts before the first one of these rows */
} job;

/* A cell that may stand in the next line, too. */
typedef struct cell {
    uint64_t vertex;
    const char *text;
    size_t n_bytes;
} cell;

/* Puts a label and a tab at the end of a line that has room for it. */
static char *put_label(const job *job, uint64_t vertex, cell *last, char *next)
{
    if (vertex != last->vertex) {
        size_t length = pc_labels_text(job->lines->labels, vertex, next, job->label_bytes);
        length = cli_escape(next, length);
        next[length] = '\t';
        *last = (cell){vertex, next, length + 1};
    } else {
        memcpy(next, last->text, last->n_bytes);
    }
    return next + last->n_bytes;
}

/* Puts the text of entry e; NULL when it does not hold, and then it stands at next. */
static char *put_count(const job *job, uint64_t e, char *next)
{
    const cli_query_table *table = job->lines->table;
    size_t length = 0;
    *next = '\0';
    pc_status status = pc_rows_text(job->rows, e, next, job->count_bytes, &length);
    if (status != PC_OK ||
        !cli_text_check_holds(&table->check, job->n_before + e, job->rows, e, next))
        return NULL;
    if (job->rows->values == NULL)
        return next + length;
    cli_set_digits(table->digits, next);
    return next + strlen(next);
}

static void note_bits(cli_query_table *table, uint32_t bits)
{
#pragma omp critical(cli_query_lines)
    table->bits = bits > table->bits ? bits : table->bits;
}

/* Puts the columns before the count of an entry. */
static char *put_keys(const job *job, uint64_t row, uint64_t column, cell last[2], char *next)
{
    const cli_query_lines *lines = job->lines;
    uint64_t vertices[2];
    if (lines->length != NULL) {
        next = stpcpy(next, lines->length);
        *next++ = '\t';
    }
    lines->place(lines->user, row, column, vertices);
    for (int v = 0; v < 2; v++)
        if (vertices[v] != CLI_NO_VERTEX)
            next = put_label(job, vertices[v], &last[v], next);
    return next;
}

static void make_lines(void *user, pc_piece *piece)
{
    const job *job = user;
    const pc_rows *rows = job->rows;
    uint64_t row = piece->first / rows->n_columns, column = piece->first % rows->n_columns;
    uint32_t bits = 0;
    cell last[2] = {{.vertex = CLI_NO_VERTEX}, {.vertex = CLI_NO_VERTEX}};
    char *next = piece->room;
    for (uint64_t e = piece->first; e < piece->end; e++) {
        char *count = put_keys(job, rows->first_row + row, column, last, next);
        next = put_count(job, e, count);
        if (next == NULL) {
            piece->text = count;
            piece->status = PC_ERR_CERTIFY;
            return;
        }
        *next++ = '\n';
        uint32_t width = query_table_width(rows, e);
        bits = width > bits ? width : bits;
        if (++column == rows->n_columns) {
            column = 0;
            row++;
        }
    }
    note_bits(job->lines->table, bits);
    piece->n_bytes = (size_t)(next - piece->room);
}

/* Fails as errno says. What is left for standard output is dropped: nobody gets it, and the end of the
 * program would report it again. */
static pc_status fail_to_write(pc_context *context)
{
    char sentence[256];
    snprintf(sentence, sizeof sentence, "standard output: %s", strerror(errno));
    __fpurge(stdout);
    clearerr(stdout);
    return pc_context_fail(context, PC_ERR_IO, sentence);
}

static pc_status put_lines(void *user, const pc_piece *piece)
{
    const job *job = user;
    if (piece->status != PC_OK)
        return cli_text_check_fail(job->lines->context, piece->text);
    bool is_written = fwrite(piece->text, 1, piece->n_bytes, stdout) == piece->n_bytes;
    return is_written ? PC_OK : fail_to_write(job->lines->context);
}

/* Makes a pipe as large as several pieces, so that nobody waits for its reader while there are others to
 * make. Where that cannot be, it is only slower. */
static void widen_pipe(void)
{
    int pipe_bytes = fcntl(STDOUT_FILENO, F_GETPIPE_SZ); /* -1 of what is none */
    if (pipe_bytes >= 0 && pipe_bytes < PIPE_BYTES)
        fcntl(STDOUT_FILENO, F_SETPIPE_SZ, PIPE_BYTES);
}

pc_status cli_query_lines_print(const cli_query_lines *lines, const pc_rows *rows)
{
    cli_query_table *table = lines->table;
    job job = {lines, rows, .n_before = table->n_texts};
    job.label_bytes = ESCAPED_BYTES * pc_labels_longest(lines->labels) + 1;
    job.count_bytes = DIGITS_A_LIMB * (size_t)rows->n_limbs + CLI_DIGITS_BYTES;
    size_t length_bytes = lines->length != NULL ? strlen(lines->length) + 1 : 0;
    size_t line_bytes = length_bytes + 2 * job.label_bytes + job.count_bytes + 1;
    pc_pieces pieces = {.n_items = rows->n_rows * rows->n_columns,
                        .make = make_lines,
                        .put = put_lines,
                        .user = &job};
    pieces.piece_items = line_bytes < PIECE_BYTES ? PIECE_BYTES / line_bytes : 1;
    if (pieces.piece_items > pieces.n_items)
        pieces.piece_items = pieces.n_items;
    pieces.piece_bytes = pieces.piece_items * line_bytes;
    if (pieces.piece_items < pieces.n_items)
        widen_pipe();
    table->n_texts += pieces.n_items;
    cli_query_table_end(table);
    return pc_pieces_put(lines->context, &pieces);
}

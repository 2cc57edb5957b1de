/* Prints answers line by line, or collects them for JSON. The lines of a large answer are made
 * in memory, piece by piece and by several threads, and go to standard output in order. */
#define _GNU_SOURCE /* stpcpy, F_SETPIPE_SZ */
#include "src/cli/answers.h"

#include "src/cli/json.h"
#include "src/cli/process.h"

#include "tool.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ESCAPED_BYTES = 4 };

/* ---- One line -------------------------------------------------------------------------------- */

/* Returns the bits of the integer that entry e is; 0 for a double. */
static uint32_t bits_of(const pc_rows *rows, uint64_t e)
{
    for (uint32_t limb = rows->n_limbs; limb-- > 0;) {
        uint64_t word = rows->limbs[e * rows->n_limbs + limb];
        if (word != 0)
            return 64 * limb + 64 - (uint32_t)__builtin_clzll(word);
    }
    return 0;
}

const char *cli_answers_text(cli_answers *answers, const pc_rows *rows, uint64_t e)
{
    size_t length = 0;
    uint32_t bits = bits_of(rows, e);
    answers->bits = bits > answers->bits ? bits : answers->bits;
    while (pc_rows_text(rows, e, answers->text, answers->text_size, &length) != PC_OK) {
        answers->text_size = 2 * length + CLI_DIGITS_BYTES;
        answers->text = cli_need(realloc(answers->text, answers->text_size));
    }
    if (!cli_text_check_holds(&answers->check, answers->n_texts++, rows, e, answers->text))
        answers->is_wrong = true;
    if (rows->values != NULL && !answers->is_json)
        cli_set_digits(answers->digits, answers->text);
    return answers->text;
}

/* Bytes of room for the distance of any entry as text. */
static size_t distance_bytes(const cli_answers *answers)
{
    enum { NUMBER_BYTES = 24 };
    return !answers->distances ? 0
           : answers->texts    ? ESCAPED_BYTES * pc_labels_longest(answers->texts) + 1
                               : NUMBER_BYTES;
}

/* The distance of an entry, as text; "inf" where no path leads. */
static const char *distance_text(const cli_answers *answers, uint64_t e, size_t size, char *text)
{
    if (answers->texts)
        pc_labels_text(answers->texts, answers->distances[e], text, size);
    else if (answers->distances[e] == UINT64_MAX)
        strcpy(text, "inf");
    else
        snprintf(text, size, "%" PRIu64, answers->distances[e]);
    return text;
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

void cli_answers_end(cli_answers *answers)
{
    if (!answers->is_json && !answers->is_bare && !answers->has_header)
        print_line(answers->columns, answers->n_columns);
    answers->has_header = true;
}

pc_status cli_answers_add(cli_answers *answers, uint64_t length, const uint64_t vertices[2],
                          const char *before, const char *number)
{
    const char *cells[CLI_ANSWER_COLUMNS];
    char length_text[24], *labels[2] = {NULL, NULL};
    size_t n = 0;
    if (answers->is_wrong)
        return cli_text_check_fail(answers->context, number);
    snprintf(length_text, sizeof length_text, "%" PRIu64, length);
    if (answers->has_length)
        cells[n++] = length_text;
    for (int v = 0; v < 2; v++)
        if (vertices[v] != CLI_NO_VERTEX)
            cells[n++] = labels[v] = cli_label_raw(answers->labels, vertices[v]);
    if (before != NULL)
        cells[n++] = before;
    cells[n++] = number;
    if (answers->is_json) {
        json_t *line = json_object();
        for (size_t c = 0; c < n; c++)
            json_object_set_new(line, answers->columns[c], cli_json_text(cells[c]));
        if (answers->lines == NULL)
            answers->lines = json_array();
        json_array_append_new(answers->lines, line);
    } else {
        cli_answers_end(answers);
        print_line(answers->is_bare ? &cells[n - 1] : cells, answers->is_bare ? 1 : n);
    }
    free(labels[0]);
    free(labels[1]);
    return PC_OK;
}

void cli_answers_free(cli_answers *answers)
{
    json_decref(answers->lines);
    free(answers->text);
}

/* ---- Lines that several threads make --------------------------------------------------------- */

enum {
    PIECE_BYTES = 1 << 19,
    PIPE_BYTES = 1 << 20,
    DIGITS_A_LIMB = 20,
    LENGTH_BYTES = 21 /* with the tab behind it */
};

typedef struct job {
    cli_answers *answers;
    const pc_rows *rows;
    char length[LENGTH_BYTES + 1]; /* a text and a tab; empty: the answer has no lengths */
    size_t label_bytes, count_bytes, distance_bytes; /* of room */
    uint64_t n_before;                               /* texts before the first one of these rows */
} job;

/* A cell that may stand in the next line, too. */
typedef struct cell {
    uint64_t vertex;
    const char *text;
    size_t n_bytes;
} cell;

/* Puts the columns before the count of an entry; next has room for them. */
static char *put_keys(const job *job, uint64_t row, uint64_t column, cell last[2], char *next)
{
    uint64_t vertices[2];
    next = stpcpy(next, job->length);
    job->answers->place(job->answers->user, row, column, vertices);
    for (int v = 0; v < 2; v++) {
        if (vertices[v] == CLI_NO_VERTEX)
            continue;
        if (vertices[v] == last[v].vertex) {
            memcpy(next, last[v].text, last[v].n_bytes);
        } else {
            size_t length =
                pc_labels_text(job->answers->labels, vertices[v], next, job->label_bytes);
            length = cli_escape(next, length);
            next[length] = '\t';
            last[v] = (cell){vertices[v], next, length + 1};
        }
        next += last[v].n_bytes;
    }
    if (job->answers->distances != NULL) {
        distance_text(job->answers, row * job->rows->n_columns + column, job->distance_bytes, next);
        next += cli_escape(next, strlen(next));
        next = stpcpy(next, "\t");
    }
    return next;
}

/* Puts the text of entry e; NULL when it does not hold, and then it stands at next. */
static char *put_count(const job *job, uint64_t e, char *next)
{
    const cli_answers *answers = job->answers;
    size_t length = 0;
    *next = '\0';
    pc_status status = pc_rows_text(job->rows, e, next, job->count_bytes, &length);
    if (status != PC_OK ||
        !cli_text_check_holds(&answers->check, job->n_before + e, job->rows, e, next))
        return NULL;
    if (job->rows->values == NULL)
        return next + length;
    cli_set_digits(answers->digits, next);
    return next + strlen(next);
}

static void make_lines(void *user, pc_piece *piece)
{
    const job *job = user;
    const pc_rows *rows = job->rows;
    uint32_t bits = 0;
    cell last[2] = {{.vertex = CLI_NO_VERTEX}, {.vertex = CLI_NO_VERTEX}};
    char *next = piece->room;
    for (uint64_t e = piece->first; e < piece->end; e++) {
        char *count =
            put_keys(job, rows->first_row + e / rows->n_columns, e % rows->n_columns, last, next);
        next = put_count(job, e, count);
        if (next == NULL) {
            piece->text = count;
            piece->status = PC_ERR_CERTIFY;
            return;
        }
        *next++ = '\n';
        uint32_t width = bits_of(rows, e);
        bits = width > bits ? width : bits;
    }
    piece->n_bytes = (size_t)(next - piece->room);
#pragma omp critical(cli_answers)
    job->answers->bits = bits > job->answers->bits ? bits : job->answers->bits;
}

/* After an error the rest for standard output is dropped: nobody gets it, and the end of the
 * program would report the error again. */
pc_status cli_print_piece(pc_context *context, const pc_piece *piece)
{
    char sentence[256];
    if (fwrite(piece->text, 1, piece->n_bytes, stdout) == piece->n_bytes)
        return PC_OK;
    snprintf(sentence, sizeof sentence, "standard output: %s", strerror(errno));
    __fpurge(stdout);
    clearerr(stdout);
    return pc_context_fail(context, PC_ERR_IO, sentence);
}

static pc_status put_lines(void *user, const pc_piece *piece)
{
    const job *job = user;
    if (piece->status != PC_OK)
        return cli_text_check_fail(job->answers->context, piece->text);
    if (job->answers->output != NULL)
        return pc_output_write(job->answers->output, piece->text, piece->n_bytes);
    return cli_print_piece(job->answers->context, piece);
}

/* Makes a pipe as large as several pieces, so that nobody waits for its reader while there are
 * others to make. A pipe that stays small is only slower. */
static void widen_pipe(void)
{
    int pipe_bytes = fcntl(STDOUT_FILENO, F_GETPIPE_SZ); /* -1: no pipe */
    if (pipe_bytes >= 0 && pipe_bytes < PIPE_BYTES)
        fcntl(STDOUT_FILENO, F_SETPIPE_SZ, PIPE_BYTES);
}

static pc_status print_lines(cli_answers *answers, uint64_t length, const pc_rows *rows)
{
    job job = {.answers = answers, .rows = rows, .n_before = answers->n_texts};
    if (answers->has_length)
        snprintf(job.length, sizeof job.length, "%" PRIu64 "\t", length);
    job.label_bytes = ESCAPED_BYTES * pc_labels_longest(answers->labels) + 1;
    job.distance_bytes = distance_bytes(answers);
    job.count_bytes = DIGITS_A_LIMB * (size_t)rows->n_limbs + CLI_DIGITS_BYTES;
    size_t line_bytes =
        strlen(job.length) + 2 * job.label_bytes + job.count_bytes + job.distance_bytes + 2;
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
    answers->n_texts += pieces.n_items;
    cli_answers_end(answers);
    return pc_pieces_put(answers->context, &pieces);
}

pc_status cli_answers_take(cli_answers *answers, uint64_t length, const pc_rows *rows)
{
    pc_status status = PC_OK;
    if (!answers->is_json && !answers->is_bare)
        return print_lines(answers, length, rows);
    size_t size = distance_bytes(answers);
    char *text = cli_need(malloc(size + 1));
    for (uint64_t e = 0; e < rows->n_rows * rows->n_columns && status == PC_OK; e++) {
        uint64_t vertices[2], at = rows->first_row * rows->n_columns + e;
        answers->place(answers->user, at / rows->n_columns, e % rows->n_columns, vertices);
        status = cli_answers_add(answers, length, vertices,
                                 answers->distances ? distance_text(answers, at, size, text) : NULL,
                                 cli_answers_text(answers, rows, e));
    }
    free(text);
    return status;
}

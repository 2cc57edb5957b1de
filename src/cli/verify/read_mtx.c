/* Matrix Market, as count writes it: entries row by row, in ascending order of columns, zeros left out; of a
 * symmetric matrix the lower triangle. */
#include "src/cli/verify/residues.h"
#include "src/cli/verify/scan.h"

#include "src/cli/kinds.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The word up to one of the characters of stops, which is taken too. */
static bool take_word(cli_scan *scan, char stop, uint64_t *word)
{
    const char *end = memchr(scan->at, stop, (size_t)(scan->end - scan->at));
    if (end == NULL || !cli_decimal_word(scan->at, (size_t)(end - scan->at), word))
        return false;
    scan->at = end + 1;
    return true;
}

static bool has_doubles(const cli_verify_question *q)
{
    return q->options->count.arithmetic == PC_FLOAT || q->options->blocks.mean;
}

/* A comment for each label: "% label 1 A". */
static bool take_labels(cli_scan *scan, const char *before, const pc_labels *labels)
{
    bool is_taken = true;
    for (uint64_t i = 0; i < pc_labels_count(labels) && is_taken; i++) {
        char start[48];
        snprintf(start, sizeof start, "%% %s %" PRIu64 " ", before, i + 1);
        is_taken = cli_scan_take(scan, start) &&
                   cli_scan_take_label(scan, CLI_LABEL_TSV, labels, i) &&
                   cli_scan_take_character(scan, '\n');
    }
    return is_taken;
}

/* Labels are there unless they are the numbers of rows and columns. */
static bool take_all_labels(cli_scan *scan)
{
    const cli_verify_question *q = scan->question;
    bool is_square = q->chain == NULL || q->chain->is_square;
    if (cli_labels_count_from(q->labels, 1) && cli_labels_count_from(q->column_labels, 1))
        return true;
    return is_square ? take_labels(scan, "label", q->labels)
                     : take_labels(scan, "row", q->labels) &&
                           take_labels(scan, "column", q->column_labels);
}

/* How the file is to be read as a graph, and what its numbers are. */
static bool take_comments(cli_scan *scan)
{
    const cli_count_options *options = scan->question->options;
    if (scan->question->chain != NULL)
        return cli_scan_take(scan, "% pathcount graph: weights\n");
    const char *place = scan->question->partition != NULL ? "block" : "vertex";
    char about[CLI_ABOUT_BYTES + 32], what[CLI_ABOUT_BYTES];
    snprintf(about, sizeof about, "%% %s from %s i to %s j\n",
             cli_about_matrix(options->query.paths, options->length, options->query.up_to,
                              options->blocks.mean, what),
             place, place);
    return (has_doubles(scan->question) || cli_scan_take(scan, "% pathcount graph: weights\n")) &&
           cli_scan_take(scan, about);
}

/* The banner, comments and the size line. */
static pc_status read_head(cli_scan *scan, uint64_t *n_entries)
{
    const cli_verify_question *q = scan->question;
    uint64_t n_rows, n_columns;
    bool is_ours = cli_scan_take(scan, "%%MatrixMarket matrix coordinate ") &&
                   cli_scan_take(scan, has_doubles(q) ? "real " : "integer ");
    scan->is_symmetric = is_ours && cli_scan_take(scan, "symmetric\n");
    is_ours = is_ours && (scan->is_symmetric || cli_scan_take(scan, "general\n"));
    /* A product of relations that is symmetric may be written either way. */
    if (!is_ours || (q->chain == NULL && scan->is_symmetric != q->is_symmetric))
        return cli_scan_fail(scan, "the first line is not that of this matrix (%s, %s)",
                             has_doubles(q) ? "real" : "integer",
                             q->is_symmetric ? "symmetric" : "general");
    if (!take_comments(scan))
        return cli_scan_fail(scan, "the comments are not those of this matrix");
    if (!take_all_labels(scan))
        return cli_scan_fail(scan, "this is not the comment of the label that must come here");
    bool has_size = take_word(scan, ' ', &n_rows) && take_word(scan, ' ', &n_columns);
    while (cli_scan_take_character(scan, ' '))
        ; /* the number of entries stands in a field of fixed width */
    if (!has_size || !take_word(scan, '\n', n_entries))
        return cli_scan_fail(scan, "this is not the line of sizes");
    return n_rows == q->n_rows && n_columns == q->n_columns
               ? PC_OK
               : cli_scan_fail(scan, "the matrix is not %" PRIu64 " x %" PRIu64, q->n_rows,
                               q->n_columns);
}

/* Asks for the verdict on the rows before `end` that have none. */
static pc_status end_rows(cli_scan *scan, uint64_t end, uint64_t *n_ended)
{
    pc_status status = PC_OK;
    for (; *n_ended < end && status == PC_OK; ++*n_ended)
        status = cli_scan_end_row(scan, *n_ended);
    return status;
}

/* The count of an entry, and of its mirror image. */
static pc_status take_counts(cli_scan *scan, uint64_t row, uint64_t column)
{
    const char *start = scan->at;
    pc_status status = cli_scan_take_count(scan, row, column, "\n");
    if (status == PC_OK && scan->is_symmetric && !scan->checker->is_lower && row != column) {
        scan->at = start;
        status = cli_scan_take_count(scan, column, row, "\n");
        scan->n_counts--;
    }
    return status;
}

/* Places must ascend, so none comes twice. */
static pc_status read_entry(cli_scan *scan, uint64_t *least, uint64_t *n_ended)
{
    const cli_verify_question *q = scan->question;
    uint64_t row, column;
    if (!take_word(scan, ' ', &row) || !take_word(scan, ' ', &column) || row < 1 || column < 1 ||
        row > q->n_rows || column > (scan->is_symmetric ? row : q->n_columns))
        return cli_scan_fail(scan, "this is no row and no column of this matrix");
    uint64_t place = (row - 1) * q->n_columns + column - 1;
    if (place < *least)
        return cli_scan_fail(scan, "this entry does not come after the one before it");
    *least = place + 1;
    pc_status status = scan->checker->n_rounds == 0 ? end_rows(scan, row - 1, n_ended) : PC_OK;
    if (status == PC_OK)
        status = take_counts(scan, row - 1, column - 1);
    if (status == PC_OK && !cli_scan_take_character(scan, '\n'))
        status = cli_scan_fail(scan, "the last line has no end");
    return status;
}

/* The row of the line at `at`, from 1; UINT64_MAX at the end, and 0 where there is none. */
static uint64_t row_of_line(const cli_scan *scan, const char *at)
{
    cli_scan line = *scan;
    uint64_t row;
    line.at = at;
    return at == scan->end ? UINT64_MAX : take_word(&line, ' ', &row) ? row : 0;
}

static const char *next_line(const cli_scan *scan, const char *at)
{
    const char *end = memchr(at, '\n', (size_t)(scan->end - at));
    return end != NULL ? end + 1 : scan->end;
}

/* Goes to the first entry of a row, from 1, or of one after it: rows ascend. */
static void seek_row(cli_scan *scan, const char *first, uint64_t row)
{
    const char *last = scan->end; /* the entry is at first, or after it up to last */
    while (first < last && row_of_line(scan, first) < row) {
        const char *middle = next_line(scan, first + (last - first) / 2);
        if (middle < last && row_of_line(scan, middle) < row)
            first = middle;
        else if (middle < last)
            last = middle;
        else
            break;
    }
    while (first < scan->end && row_of_line(scan, first) < row)
        first = next_line(scan, first);
    scan->at = first;
}

static pc_status read_some_rows(cli_scan *scan)
{
    const char *first = scan->at;
    pc_status status = PC_OK;
    for (uint64_t row = 0; row < scan->question->n_rows && status == PC_OK; row++) {
        uint64_t least = 0, n_ended = row;
        if (!cli_scan_wants(scan, row))
            continue;
        seek_row(scan, first, row + 1);
        while (status == PC_OK && row_of_line(scan, scan->at) == row + 1)
            status = read_entry(scan, &least, &n_ended);
        if (status == PC_OK)
            status = cli_scan_end_row(scan, row);
    }
    return status;
}

pc_status cli_read_mtx(cli_scan *scan)
{
    uint64_t n_entries, least = 0, n_ended = 0;
    pc_status status = read_head(scan, &n_entries);
    scan->checker->is_lower =
        scan->is_symmetric && (scan->checker->n_rounds == 0 || scan->only != NULL);
    if (status == PC_OK && scan->only != NULL)
        return read_some_rows(scan);
    for (uint64_t e = 0; e < n_entries && status == PC_OK; e++)
        status = scan->at < scan->end
                     ? read_entry(scan, &least, &n_ended)
                     : cli_scan_fail(scan, "the result ends here, and entries are missing");
    if (status == PC_OK)
        status = cli_scan_end(scan);
    return status == PC_OK ? end_rows(scan, scan->question->n_rows, &n_ended) : status;
}

/* Readers of text: tables, JSON, lists of entries, Matrix Market, and lines of a query. */
#include "src/cli/verify/scan.h"

#include "src/cli/kinds.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- Tables and JSON ------------------------------------------------------------------------- */

/* The texts around the numbers of a matrix that has all of them. */
typedef struct layout {
    cli_label_form form;
    const char *row, *first, *next; /* before a row, its first number and each other one */
    const char *after, *stops;      /* a number */
    const char *end, *last_end;     /* of a row, and of the last one */
    const char *last;               /* after all rows */
} layout;

static const layout tsv = {CLI_LABEL_TSV, "", "\t", "\t", "", "\t\n", "\n", "\n", ""};
static const layout csv = {CLI_LABEL_CSV, "", ",", ",", "", ",\n", "\n", "\n", ""};

/* A line a row, counts as strings: -o counts.json writes a matrix so. */
static const layout json = {CLI_LABEL_JSON, "[", "\"", ", \"", "\"", "\"\n", "],\n", "]\n", "]}\n"};

/* Takes the labels of the columns. JSON has those of the rows, too, and both at once if they are the same. */
static bool take_head(cli_scan *scan, const layout *f)
{
    const cli_verify_question *q = scan->question;
    if (f->form != CLI_LABEL_JSON)
        return cli_scan_take_labels(scan, f->form, q->column_labels, f->first, f->next, "") &&
               cli_scan_take(scan, "\n");
    bool is_taken = cli_scan_take(scan, q->is_square ? "{\"labels\": [" : "{\"row_labels\": [") &&
                    cli_scan_take_labels(scan, f->form, q->labels, "", ", ", "");
    if (is_taken && !q->is_square)
        is_taken = cli_scan_take(scan, "],\n\"column_labels\": [") &&
                   cli_scan_take_labels(scan, f->form, q->column_labels, "", ", ", "");
    return is_taken && cli_scan_take(scan, "],\n\"rows\": [\n");
}

/* As cli_scan_take, for the few characters around a number. */
static inline bool take_short(cli_scan *scan, const char *text)
{
    const char *at = scan->at;
    for (; *text != '\0'; text++, at++)
        if (at == scan->end || *at != *text)
            return false;
    scan->at = at;
    return true;
}

static bool read_dense(cli_scan *scan, const layout *f)
{
    const cli_verify_question *q = scan->question;
    if (!take_head(scan, f))
        return cli_scan_fail(
            scan, f->form == CLI_LABEL_JSON
                      ? "these are not the labels of the matrix"
                      : "the header is not the labels of the columns in the order of the graph");
    for (uint64_t row = 0; row < q->n_rows; row++) {
        const char *end = row + 1 < q->n_rows ? f->end : f->last_end;
        if (scan->at == scan->end)
            return cli_scan_fail(scan, "the result ends here, and rows are missing");
        if (!cli_scan_take(scan, f->row) ||
            (f->form != CLI_LABEL_JSON && !cli_scan_take_label(scan, f->form, q->labels, row)))
            return cli_scan_fail(scan, "this is not the label of the row that must come here");
        for (uint64_t c = 0; c < q->n_columns && cli_scan_wants(scan, row); c++) {
            if (!take_short(scan, c > 0 ? f->next : f->first))
                return cli_scan_fail(scan, f->form == CLI_LABEL_JSON
                                               ? "a count in double quotes must begin here"
                                               : "this row is too short, or its label is another "
                                                 "one");
            if (!cli_scan_take_count(scan, row, c, f->stops))
                return false;
            if (!take_short(scan, f->after))
                return cli_scan_fail(scan, "a count has no end");
        }
        if (!cli_scan_wants(scan, row)) {
            if (!cli_scan_skip_line(scan))
                return false;
            scan->at -= strlen(end) - 1;
        }
        if (!cli_scan_end_rows(scan, row + 1))
            return false;
        if (!cli_scan_take(scan, end))
            return cli_scan_fail(scan, "this line is too long, or has no end");
    }
    return cli_scan_take(scan, f->last) ? cli_scan_end(scan)
                                        : cli_scan_fail(scan, "the result must end here");
}

/* ---- Lists of entries ------------------------------------------------------------------------ */

/* Goes on from *index to the label that comes next, with a tab after it. False when it is none of those. */
static bool find_label(cli_scan *scan, const pc_labels *labels, uint64_t *index)
{
    const char *at = scan->at;
    for (; *index < pc_labels_count(labels); ++*index) {
        if (cli_scan_take_label(scan, CLI_LABEL_TSV, labels, *index) &&
            cli_scan_take_character(scan, '\t'))
            return true;
        scan->at = at;
    }
    return false;
}

/* Reads a line for each entry that is not 0, as .pairs.tsv has them. Rows and columns ascend, so no entry comes
 * twice. */
static bool read_pairs(cli_scan *scan, const layout *none)
{
    const cli_verify_question *q = scan->question;
    const cli_query_options *asked = &q->options->query;
    const char *entry = q->product != NULL ? "ways" : cli_entry_of(asked->paths, asked->up_to);
    uint64_t row = 0, column = 0;
    (void)none;
    if (!cli_scan_take(scan, "from\tto\t") || !cli_scan_take(scan, entry) ||
        !cli_scan_take_character(scan, '\n'))
        return cli_scan_fail(scan, "the header is not from, to, %s", entry);
    while (scan->at < scan->end) {
        bool is_found = find_label(scan, q->labels, &row);
        column = row == scan->n_ended ? column : 0;
        if (!cli_scan_end_rows(scan, row))
            return false;
        if (!is_found)
            return cli_scan_fail(scan, "this is no label of a row that may come here");
        if (!cli_scan_wants(scan, row)) {
            if (!cli_scan_skip_line(scan))
                return false;
        } else if (!find_label(scan, q->column_labels, &column)) {
            return cli_scan_fail(scan, "this is no label of a column that may come here");
        } else if (!cli_scan_take_count(scan, row, column++, "\n")) {
            return false;
        }
        if (!cli_scan_end_line(scan))
            return false;
    }
    return cli_scan_end_rows(scan, q->n_rows);
}

/* ---- Matrix Market --------------------------------------------------------------------------- */

/* A file of Matrix Market: entries row by row, in ascending order of columns, zeros left out. */
typedef struct market {
    bool is_symmetric; /* it has the lower triangle only */
    uint64_t n_entries;
    uint64_t least; /* place of the next entry: places ascend, so none comes twice */
} market;

/* Takes a comment for each label: "% label 1 A". */
static bool take_label_comments(cli_scan *scan, const char *before, const pc_labels *labels)
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

/* Reads the banner, the comments on how the file is to be read as a graph and on what its numbers are, and the line of
 * sizes. Labels are there unless they are numbers. */
static bool read_market_head(cli_scan *scan, market *m)
{
    const cli_verify_question *q = scan->question;
    const cli_count_options *options = q->options;
    bool is_real = !cli_compares_integers(scan->comparer) || options->blocks.mean;
    const char *place = q->partition != NULL ? "block" : "vertex";
    char about[CLI_ABOUT_BYTES + 32], what[CLI_ABOUT_BYTES];
    uint64_t n_rows, n_columns;
    bool is_ours = cli_scan_take(scan, "%%MatrixMarket matrix coordinate ") &&
                   cli_scan_take(scan, is_real ? "real " : "integer ");
    m->is_symmetric = is_ours && cli_scan_take(scan, "symmetric\n");
    is_ours = is_ours && (m->is_symmetric || cli_scan_take(scan, "general\n"));
    /* A product of relations that is symmetric may be written either way. */
    if (!is_ours || (q->product == NULL && m->is_symmetric != q->is_symmetric))
        return cli_scan_fail(scan, "the first line is not that of this matrix (%s, %s)",
                             is_real ? "real" : "integer",
                             q->is_symmetric ? "symmetric" : "general");
    snprintf(about, sizeof about, "%% %s from %s i to %s j\n",
             cli_about_matrix(options->query.paths, options->length, options->query.up_to,
                              options->blocks.mean, what),
             place, place);
    if ((!is_real && !cli_scan_take(scan, "% pathcount graph: weights\n")) ||
        (q->product == NULL && !cli_scan_take(scan, about)))
        return cli_scan_fail(scan, "the comments are not those of this matrix");
    bool has_labels =
        !cli_labels_count_from(q->labels, 1) || !cli_labels_count_from(q->column_labels, 1);
    bool is_taken =
        !has_labels || (q->is_square ? take_label_comments(scan, "label", q->labels)
                                     : take_label_comments(scan, "row", q->labels) &&
                                           take_label_comments(scan, "column", q->column_labels));
    if (!is_taken)
        return cli_scan_fail(scan, "this is not the comment of the label that must come here");
    bool has_size =
        cli_scan_take_word(scan, ' ', &n_rows) && cli_scan_take_word(scan, ' ', &n_columns);
    while (cli_scan_take_character(scan, ' '))
        ; /* the number of entries stands in a field of fixed width */
    if (!has_size || !cli_scan_take_word(scan, '\n', &m->n_entries))
        return cli_scan_fail(scan, "this is not the line of sizes");
    return (n_rows == q->n_rows && n_columns == q->n_columns) ||
           cli_scan_fail(scan, "the matrix is not %" PRIu64 " x %" PRIu64, q->n_rows, q->n_columns);
}

static bool read_entry(cli_scan *scan, market *m)
{
    const cli_verify_question *q = scan->question;
    uint64_t row, column;
    if (!cli_scan_take_word(scan, ' ', &row) || !cli_scan_take_word(scan, ' ', &column) ||
        row < 1 || column < 1 || row > q->n_rows || column > q->n_columns ||
        (m->is_symmetric && (column > row || row > q->n_columns)))
        return cli_scan_fail(scan, "this is no row and no column of this matrix");
    uint64_t place = (row - 1) * q->n_columns + column - 1;
    if (place < m->least)
        return cli_scan_fail(scan, "this entry does not come after the one before it");
    m->least = place + 1;
    /* Later entries may have mirror images in a row whose sum is judged. */
    return (scan->comparer->n_rounds > 0 || cli_scan_end_rows(scan, row - 1)) &&
           cli_scan_take_count(scan, row - 1, column - 1, "\n") &&
           (cli_scan_take_character(scan, '\n') || cli_scan_fail(scan, "the last line has no end"));
}

/* Returns the row of the line at `at`, from 1; UINT64_MAX at the end, and 0 where there is none. */
static uint64_t row_of_line(const cli_scan *scan, const char *at)
{
    cli_scan line = *scan;
    uint64_t row;
    line.at = at;
    return at == scan->end ? UINT64_MAX : cli_scan_take_word(&line, ' ', &row) ? row : 0;
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
    for (const char *middle; row_of_line(scan, first) < row;) {
        middle = next_line(scan, first + (last - first) / 2);
        if (middle >= last)
            first = next_line(scan, first);
        else if (row_of_line(scan, middle) < row)
            first = middle;
        else
            last = middle;
    }
    scan->at = first;
}

static bool read_market(cli_scan *scan, const layout *none)
{
    market m = {.n_entries = 0};
    uint64_t n_rows = scan->question->n_rows;
    (void)none;
    if (!read_market_head(scan, &m))
        return false;
    scan->comparer->is_lower = m.is_symmetric;
    const char *first = scan->at;
    for (uint64_t row = 0; row < n_rows && scan->only != NULL; row++) {
        if (!scan->only[row])
            continue;
        seek_row(scan, first, row + 1);
        while (row_of_line(scan, scan->at) == row + 1)
            if (!read_entry(scan, &m))
                return false;
        if (!cli_scan_end_rows(scan, row + 1))
            return false;
    }
    if (scan->only != NULL)
        return true;
    for (uint64_t e = 0; e < m.n_entries; e++) {
        if (scan->at == scan->end)
            return cli_scan_fail(scan, "the result ends here, and entries are missing");
        if (!read_entry(scan, &m))
            return false;
    }
    return cli_scan_end(scan) && cli_scan_end_rows(scan, n_rows);
}

/* ---- Lines of an answer to a query ----------------------------------------------------------- */

/* Takes the length, if lines have one, and the labels, each with its tab. */
static bool take_keys(cli_scan *scan, uint64_t length, uint64_t row, uint64_t column)
{
    const cli_verify_question *q = scan->question;
    const cli_place places[] = {q->kind->first, q->kind->second};
    const uint64_t *named[] = {q->vertices.from, q->vertices.to};
    char text[24];
    bool is_taken = true;
    snprintf(text, sizeof text, "%" PRIu64 "\t", length);
    if (q->options->query.each)
        is_taken = cli_scan_take(scan, text);
    for (int p = 0; p < 2 && is_taken; p++) {
        uint64_t vertex = places[p] == CLI_ASKED ? named[p][row]
                          : places[p] == CLI_ROW ? row
                                                 : column;
        is_taken = places[p] == CLI_NO_PLACE ||
                   (cli_scan_take_label(scan, CLI_LABEL_SHOWN, q->labels, vertex) &&
                    cli_scan_take_character(scan, '\t'));
    }
    return is_taken;
}

/* Reads the lines of each row: one with all its counts, or one for each. */
static bool read_lines(cli_scan *scan)
{
    const cli_verify_question *q = scan->question;
    const cli_query_options *asked = &q->options->query;
    bool has_few = cli_verify_has_few_columns(q);
    bool is_bare = !asked->each && q->n_rows == 1 && !q->has_names && has_few; /* a number alone */
    const char *heads[CLI_MOST_HEADS];
    size_t n = cli_question_heads(asked->question, asked->paths, asked->up_to, heads);
    bool is_header = is_bare || !asked->each || cli_scan_take(scan, "length\t");
    for (size_t h = 0; h < n && is_header && !is_bare; h++)
        is_header =
            cli_scan_take(scan, heads[h]) && cli_scan_take_character(scan, h + 1 < n ? '\t' : '\n');
    if (!is_header)
        return cli_scan_fail(scan, "the header is not that of such an answer");
    /* A product of lengths and rows, which nothing has bounded, could be 0 modulo 2^64. */
    for (uint64_t l = 0, row = 0; l < q->n_lengths && row < q->n_rows;
         row = (row + 1) % q->n_rows, l += row == 0) {
        if (row == 0 && l > 0)
            cli_scan_begin_length(scan, l);
        for (uint64_t column = 0; column < q->n_columns;) {
            if (scan->at == scan->end)
                return cli_scan_fail(scan, "the result ends here, and lines are missing");
            if (!is_bare && !take_keys(scan, q->first_length + l, row, column))
                return cli_scan_fail(scan, "the length or the vertices of this line are not those "
                                           "of the line that must come here");
            for (uint64_t c = 0; c < (has_few ? q->n_columns : 1); c++, column++) {
                if (c > 0 && !cli_scan_take_character(scan, '\t'))
                    return cli_scan_fail(scan, "a count is missing");
                if (!cli_scan_take_count(scan, row, column, "\t\n"))
                    return false;
            }
            if ((column == q->n_columns && !cli_scan_end_rows(scan, row + 1)) ||
                !cli_scan_end_line(scan))
                return false;
        }
    }
    return cli_scan_end(scan);
}

/* ---- All formats ----------------------------------------------------------------------------- */

static bool read_array(cli_scan *scan, const layout *none)
{
    (void)none;
    return cli_scan_begins(scan, "PK", 2) ? cli_read_npz(scan) : cli_read_npy(scan);
}

pc_status cli_read_result(cli_scan *scan)
{
    static const struct {
        const char *begins;
        bool (*read)(cli_scan *scan, const layout *layout);
        const layout *layout;
        const char *refused; /* instead of being read */
    } formats[] = {{"\x93NUMPY", read_array, NULL, NULL},
                   {"%%MatrixMarket ", read_market, NULL, NULL},
                   {"PK\3\4", read_array, NULL, NULL},
                   {"{\"labels\": ", read_dense, &json, NULL},
                   {"{\"row_labels\": ", read_dense, &json, NULL},
                   {"\t", read_dense, &tsv, NULL},
                   {"\n", read_dense, &tsv, NULL},
                   {",", read_dense, &csv, NULL},
                   {"from\t", read_pairs, NULL, NULL},
                   {"from\\to", NULL, NULL, "a printed table"},
                   {"graph    ", NULL, NULL, "a summary"},
                   {"product   ", NULL, NULL, "a summary"},
                   {"{", NULL, NULL, "a summary"}};
    const size_t n_formats = sizeof formats / sizeof *formats;
    size_t f = 0;
    while (f < n_formats && !cli_scan_begins(scan, formats[f].begins, strlen(formats[f].begins)))
        f++;
    scan->status = PC_OK;
    cli_scan_begin_length(scan, 0);
    if (!cli_verify_is_matrix(scan->question)) {
        if (cli_scan_begins(scan, "{", 1))
            cli_scan_fail(scan, "an answer in JSON cannot be verified: ask for it without --json, "
                                "of a batch without --as json");
        else
            read_lines(scan);
    } else if (scan->question->options->query.each && f > 0) {
        cli_scan_fail(scan, "the matrices of --each are verified in one .npy file: verify this "
                            "file with its own --length, without --each");
    } else if (f == n_formats) {
        cli_scan_fail(scan, "this is no matrix in a format that pathcount writes; the graph "
                            "comes first, then the result");
    } else if (formats[f].refused != NULL) {
        cli_scan_refuse(scan, formats[f].refused);
    } else {
        formats[f].read(scan, formats[f].layout);
    }
    return scan->status;
}

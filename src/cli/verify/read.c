/* Readers of text: tables, JSON, lists of entries, Matrix Market, and lines of a query. */
#include "src/cli/verify/scan.h"

#include "src/cli/kinds.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- Tables ---------------------------------------------------------------------------------- */

/* Reads a table: the labels of the columns, then each row with its label. */
static bool read_table(cli_scan *scan, cli_label_form form, char between)
{
    const cli_verify_question *q = scan->question;
    const char stops[] = {between, '\n', '\0'};
    bool is_header = true;
    for (uint64_t c = 0; c < q->n_columns && is_header; c++)
        is_header = cli_scan_take_character(scan, between) &&
                    cli_scan_take_label(scan, form, q->column_labels, c);
    if (!is_header || !cli_scan_take_character(scan, '\n'))
        return cli_scan_fail(scan, "the header is not the labels of the columns");
    for (uint64_t row = 0; row < q->n_rows; row++) {
        bool is_wanted = cli_scan_wants(scan, row);
        if (scan->at == scan->end)
            return cli_scan_fail(scan, "the result ends here, and rows are missing");
        if (!cli_scan_take_label(scan, form, q->labels, row))
            return cli_scan_fail(scan, "this is not the label of the row that must come here");
        for (uint64_t c = 0; c < q->n_columns && is_wanted; c++) {
            if (!cli_scan_take_character(scan, between))
                return cli_scan_fail(scan, "this row is too short, or its label is another one");
            if (!cli_scan_take_count(scan, row, c, stops))
                return false;
        }
        if (!(is_wanted ? cli_scan_end_rows(scan, row, row + 1) : cli_scan_skip_line(scan)) ||
            !cli_scan_end_line(scan))
            return false;
    }
    return cli_scan_end(scan);
}

static bool read_tsv(cli_scan *scan)
{
    return read_table(scan, CLI_LABEL_TSV, '\t');
}

static bool read_csv(cli_scan *scan)
{
    return read_table(scan, CLI_LABEL_CSV, ',');
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static bool take_json_labels(cli_scan *scan, const char *name, const pc_labels *labels)
{
    bool is_taken = cli_scan_take(scan, name);
    for (uint64_t i = 0; i < pc_labels_count(labels) && is_taken; i++)
        is_taken = (i == 0 || cli_scan_take(scan, ", ")) &&
                   cli_scan_take_label(scan, CLI_LABEL_JSON, labels, i);
    return is_taken && cli_scan_take(scan, "],\n");
}

/* Goes to the bracket that ends the row. */
static bool skip_json_row(cli_scan *scan)
{
    if (!cli_scan_skip_line(scan))
        return false;
    while (scan->at[-1] != ']' && scan->at[-1] != '[')
        scan->at--;
    scan->at -= scan->at[-1] == ']';
    return true;
}

/* Reads a matrix as -o counts.json writes it: a line a row, counts as strings. Labels are
 * there once if rows and columns have the same. */
static bool read_json(cli_scan *scan)
{
    const cli_verify_question *q = scan->question;
    bool is_taken = q->is_square
                        ? take_json_labels(scan, "{\"labels\": [", q->labels)
                        : take_json_labels(scan, "{\"row_labels\": [", q->labels) &&
                              take_json_labels(scan, "\"column_labels\": [", q->column_labels);
    if (!is_taken || !cli_scan_take(scan, "\"rows\": ["))
        return cli_scan_fail(scan, "these are not the labels of the matrix");
    for (uint64_t row = 0; row < q->n_rows; row++) {
        bool is_wanted = cli_scan_wants(scan, row);
        if (!cli_scan_take(scan, row > 0 ? ",\n[" : "\n["))
            return cli_scan_fail(scan, "a row must begin here");
        for (uint64_t c = 0; c < q->n_columns && is_wanted; c++) {
            if (!cli_scan_take(scan, c > 0 ? ", \"" : "\""))
                return cli_scan_fail(scan, "a count in double quotes must begin here");
            if (!cli_scan_take_count(scan, row, c, "\"\n"))
                return false;
            if (!cli_scan_take_character(scan, '"'))
                return cli_scan_fail(scan, "a count has no end");
        }
        if (!(is_wanted ? cli_scan_end_rows(scan, row, row + 1) : skip_json_row(scan)))
            return false;
        if (!cli_scan_take_character(scan, ']'))
            return cli_scan_fail(scan, "the row must end here");
    }
    return cli_scan_take(scan, "\n]}\n") ? cli_scan_end(scan)
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
static bool read_pairs(cli_scan *scan)
{
    const cli_verify_question *q = scan->question;
    const cli_query_options *asked = &q->options->query;
    const char *entry = q->product != NULL ? "ways" : cli_entry_of(asked->paths, asked->up_to);
    uint64_t row = 0, column = 0;
    if (!cli_scan_take(scan, "from\tto\t") || !cli_scan_take(scan, entry) ||
        !cli_scan_take_character(scan, '\n'))
        return cli_scan_fail(scan, "the header is not from, to, %s", entry);
    while (scan->at < scan->end) {
        uint64_t ended = row;
        bool is_found = find_label(scan, q->labels, &row);
        column = row == ended ? column : 0;
        if (!cli_scan_end_rows(scan, ended, row))
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
    return cli_scan_end_rows(scan, row, q->n_rows);
}

/* ---- Matrix Market --------------------------------------------------------------------------- */

/* A file of Matrix Market: entries row by row, in ascending order of columns, zeros left out. */
typedef struct market {
    bool is_symmetric; /* it has the lower triangle only */
    uint64_t n_entries;
    uint64_t least;   /* place of the next entry: places ascend, so none comes twice */
    uint64_t n_ended; /* rows that were judged */
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
    bool is_real = scan->comparer->n_rounds == 0 || options->blocks.mean;
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

/* Asks for the verdict on the rows before `end` that have none. */
static bool end_rows(cli_scan *scan, market *m, uint64_t end)
{
    uint64_t first = m->n_ended;
    m->n_ended = end > first ? end : first;
    return cli_scan_end_rows(scan, first, end);
}

/* Reads an entry and, of a symmetric matrix whose rows are judged as a whole, its mirror image. */
static bool read_entry(cli_scan *scan, market *m)
{
    const cli_verify_question *q = scan->question;
    uint64_t row, column;
    if (!cli_scan_take_word(scan, ' ', &row) || !cli_scan_take_word(scan, ' ', &column) ||
        row < 1 || column < 1 || row > q->n_rows || column > (m->is_symmetric ? row : q->n_columns))
        return cli_scan_fail(scan, "this is no row and no column of this matrix");
    uint64_t place = (row - 1) * q->n_columns + column - 1;
    if (place < m->least)
        return cli_scan_fail(scan, "this entry does not come after the one before it");
    m->least = place + 1;
    if (scan->comparer->n_rounds == 0 && !end_rows(scan, m, row - 1))
        return false;
    const char *text = scan->at;
    if (!cli_scan_take_count(scan, row - 1, column - 1, "\n"))
        return false;
    if (m->is_symmetric && !scan->comparer->is_lower && row != column) {
        scan->at = text;
        if (!cli_scan_take_count(scan, column - 1, row - 1, "\n"))
            return false;
        scan->n_counts--;
    }
    return cli_scan_take_character(scan, '\n') || cli_scan_fail(scan, "the last line has no end");
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

static bool read_market(cli_scan *scan)
{
    market m = {.n_entries = 0};
    if (!read_market_head(scan, &m))
        return false;
    scan->comparer->is_lower =
        m.is_symmetric && (scan->comparer->n_rounds == 0 || scan->only != NULL);
    const char *first = scan->at;
    for (uint64_t row = 0; row < scan->question->n_rows && scan->only != NULL; row++) {
        if (!scan->only[row])
            continue;
        m.least = 0;
        m.n_ended = row;
        seek_row(scan, first, row + 1);
        while (row_of_line(scan, scan->at) == row + 1)
            if (!read_entry(scan, &m))
                return false;
        if (!cli_scan_end_rows(scan, row, row + 1))
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
    return cli_scan_end(scan) && end_rows(scan, &m, scan->question->n_rows);
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
            cli_compare_begin(scan->comparer, l);
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
            if ((column == q->n_columns && !cli_scan_end_rows(scan, row, row + 1)) ||
                !cli_scan_end_line(scan))
                return false;
        }
    }
    return cli_scan_end(scan);
}

/* ---- All formats ----------------------------------------------------------------------------- */

static bool refuse_summary(cli_scan *scan)
{
    return cli_scan_refuse(scan, "a summary");
}

static bool refuse_printed(cli_scan *scan)
{
    return cli_scan_refuse(scan, "a printed table");
}

pc_status cli_read_result(cli_scan *scan)
{
    static const struct {
        const char *begins;
        bool (*read)(cli_scan *scan);
    } formats[] = {{"\x93NUMPY", cli_read_npy},
                   {"%%MatrixMarket ", read_market},
                   {"PK\3\4", cli_read_npz},
                   {"{\"labels\": ", read_json},
                   {"{\"row_labels\": ", read_json},
                   {"\t", read_tsv},
                   {"\n", read_tsv},
                   {",", read_csv},
                   {"from\t", read_pairs},
                   {"from\\to", refuse_printed},
                   {"graph    ", refuse_summary},
                   {"product   ", refuse_summary},
                   {"{", refuse_summary}};
    bool (*read)(cli_scan *) = NULL;
    for (size_t f = 0; f < sizeof formats / sizeof *formats && read == NULL; f++)
        if (cli_scan_begins(scan, formats[f].begins, strlen(formats[f].begins)))
            read = formats[f].read;
    scan->status = PC_OK;
    cli_compare_begin(scan->comparer, 0);
    if (!cli_verify_is_matrix(scan->question)) {
        if (cli_scan_begins(scan, "{", 1))
            cli_scan_fail(scan, "an answer in JSON cannot be verified: ask for it without --json, "
                                "of a batch without --as json");
        else
            read_lines(scan);
    } else if (scan->question->options->query.each && read != cli_read_npy) {
        cli_scan_fail(scan, "the matrices of --each are verified in one .npy file: verify this "
                            "file with its own --length, without --each");
    } else if (read != NULL) {
        read(scan);
    } else {
        cli_scan_fail(scan, "this is no matrix in a format that pathcount writes; the graph "
                            "comes first, then the result");
    }
    return scan->status;
}

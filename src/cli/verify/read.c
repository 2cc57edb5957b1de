/* Readers of text: tables, JSON, lists of entries, Matrix Market, and lines of a query. */
#include "src/cli/verify/scan.h"

#include "src/cli/kinds.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- Tables ---------------------------------------------------------------------------------- */

/* Takes a text that stands between counts: " " is any number of blanks. */
static bool take_between(cli_scan *scan, const char *between)
{
    bool is_taken = cli_scan_take(scan, between);
    while (*between == ' ' && cli_scan_take_character(scan, ' '))
        ;
    return is_taken;
}

/* Takes "total paths           446", and after a residue " (modulo 97)". */
static bool take_sum(cli_scan *scan, const char *name, bool is_diagonal)
{
    const cli_verify_question *q = scan->question;
    char start[64], end[48] = "\n";
    snprintf(start, sizeof start, "%-20s  ", name);
    if (!cli_scan_take(scan, start))
        return false;
    const char *text = scan->at;
    while (scan->at < scan->end && *scan->at != ' ' && *scan->at != '\n')
        scan->at++;
    if (cli_verify_is_modular(q))
        snprintf(end, sizeof end, " (modulo %" PRIu64 ")\n", q->options->count.modulus);
    return cli_compare_sum(scan->comparer, is_diagonal, text, (size_t)(scan->at - text)) &&
           cli_scan_take(scan, end);
}

/* Reads the sums below a table, which are there when it was asked for by --table. */
static pc_status read_sums(cli_scan *scan)
{
    const cli_verify_question *q = scan->question;
    const cli_path_kind *kind = cli_path_kind_of(q->options->query.paths);
    if (q->product != NULL || !cli_scan_take_character(scan, '\n'))
        return PC_OK;
    return take_sum(scan, kind->total, false) &&
                   take_sum(scan, q->partition != NULL ? "within blocks" : kind->closed, true)
               ? PC_OK
               : cli_scan_fail(scan, "these are not the sums of the table");
}

/* Reads a table: the labels of the columns, then each row with its label. is_shown: as it is printed. */
static pc_status read_table(cli_scan *scan, cli_label_form form, const char *between)
{
    const cli_verify_question *q = scan->question;
    const char stops[] = {*between, '\n', '\0'};
    bool is_shown = form == CLI_LABEL_SHOWN;
    bool is_header = !is_shown || cli_scan_take(scan, "from\\to");
    pc_status status = PC_OK;
    scan->comparer->is_shown = is_shown;
    for (uint64_t c = 0; c < q->n_columns && is_header; c++)
        is_header =
            take_between(scan, between) && cli_scan_take_label(scan, form, q->column_labels, c);
    if (!is_header || !cli_scan_take_character(scan, '\n'))
        return cli_scan_fail(scan, "the header is not the labels of the columns");
    for (uint64_t row = 0; row < q->n_rows && status == PC_OK; row++) {
        bool is_wanted = cli_scan_wants(scan, row);
        if (scan->at == scan->end)
            return cli_scan_fail(scan, "the result ends here, and rows are missing");
        if (!cli_scan_take_label(scan, form, q->labels, row))
            return cli_scan_fail(scan, "this is not the label of the row that must come here");
        for (uint64_t c = 0; c < q->n_columns && status == PC_OK && is_wanted; c++)
            status =
                take_between(scan, between)
                    ? cli_scan_take_count(scan, row, c, stops)
                    : cli_scan_fail(scan, "this row is too short, or its label is another one");
        if (status == PC_OK)
            status = is_wanted ? cli_scan_end_row(scan, row) : cli_scan_skip_line(scan);
        if (status == PC_OK)
            status = cli_scan_end_line(scan);
    }
    if (status == PC_OK && is_shown)
        status = read_sums(scan);
    return status == PC_OK ? cli_scan_end(scan) : status;
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
static pc_status skip_json_row(cli_scan *scan)
{
    pc_status status = cli_scan_skip_line(scan);
    while (status == PC_OK && scan->at[-1] != ']' && scan->at[-1] != '[')
        scan->at--;
    scan->at -= status == PC_OK && scan->at[-1] == ']';
    return status;
}

/* Reads a matrix as -o counts.json writes it: a line a row, counts as strings. Labels are
 * there once if rows and columns have the same. */
static pc_status read_json(cli_scan *scan)
{
    const cli_verify_question *q = scan->question;
    pc_status status = PC_OK;
    bool is_taken = q->is_square
                        ? take_json_labels(scan, "{\"labels\": [", q->labels)
                        : take_json_labels(scan, "{\"row_labels\": [", q->labels) &&
                              take_json_labels(scan, "\"column_labels\": [", q->column_labels);
    if (!is_taken || !cli_scan_take(scan, "\"rows\": ["))
        return cli_scan_fail(scan, "these are not the labels of the matrix");
    for (uint64_t row = 0; row < q->n_rows && status == PC_OK; row++) {
        bool is_wanted = cli_scan_wants(scan, row);
        if (!cli_scan_take(scan, row > 0 ? ",\n[" : "\n["))
            return cli_scan_fail(scan, "a row must begin here");
        if (!is_wanted)
            status = skip_json_row(scan);
        for (uint64_t c = 0; c < q->n_columns && status == PC_OK && is_wanted; c++) {
            if (!cli_scan_take(scan, c > 0 ? ", \"" : "\""))
                return cli_scan_fail(scan, "a count in double quotes must begin here");
            status = cli_scan_take_count(scan, row, c, "\"\n");
            if (status == PC_OK && !cli_scan_take_character(scan, '"'))
                return cli_scan_fail(scan, "a count has no end");
        }
        if (status == PC_OK)
            status = cli_scan_end_row(scan, row);
        if (status == PC_OK && !cli_scan_take_character(scan, ']'))
            status = cli_scan_fail(scan, "the row must end here");
    }
    if (status == PC_OK && !cli_scan_take(scan, "\n]}\n"))
        status = cli_scan_fail(scan, "the result must end here");
    return status == PC_OK ? cli_scan_end(scan) : status;
}

/* ---- Lists of entries ------------------------------------------------------------------------ */

/* Goes on from *index to the label that comes next, with a tab after it. False when it is none of those. */
static bool find_label(cli_scan *scan, const pc_labels *labels, uint64_t *index)
{
    const char *at = scan->at;
    while (*index < pc_labels_count(labels)) {
        if (cli_scan_take_label(scan, CLI_LABEL_TSV, labels, *index) &&
            cli_scan_take_character(scan, '\t'))
            return true;
        if (scan->has_no_memory)
            return false;
        scan->at = at;
        ++*index;
    }
    return false;
}

/* Reads a line for each entry that is not 0, as .pairs.tsv has them. Rows and columns ascend, so no entry comes
 * twice. */
static pc_status read_pairs(cli_scan *scan)
{
    const cli_verify_question *q = scan->question;
    const cli_query_options *asked = &q->options->query;
    const char *entry = q->product != NULL ? "ways" : cli_entry_of(asked->paths, asked->up_to);
    uint64_t row = 0, column = 0;
    pc_status status = PC_OK;
    if (!cli_scan_take(scan, "from\tto\t") || !cli_scan_take(scan, entry) ||
        !cli_scan_take_character(scan, '\n'))
        return cli_scan_fail(scan, "the header is not from, to, %s", entry);
    while (scan->at < scan->end && status == PC_OK) {
        uint64_t ended = row;
        if (!find_label(scan, q->labels, &row)) {
            for (; ended < q->n_rows && status == PC_OK && !scan->has_no_memory; ended++)
                status = cli_scan_end_row(scan, ended);
            return status == PC_OK
                       ? cli_scan_fail(scan, "this is no label of a row that may come here")
                       : status;
        }
        column = row == ended ? column : 0;
        for (; ended < row && status == PC_OK; ended++)
            status = cli_scan_end_row(scan, ended);
        if (status == PC_OK && !cli_scan_wants(scan, row)) {
            status = cli_scan_skip_line(scan);
        } else if (status == PC_OK) {
            if (!find_label(scan, q->column_labels, &column))
                return cli_scan_fail(scan, "this is no label of a column that may come here");
            status = cli_scan_take_count(scan, row, column++, "\n");
        }
        if (status == PC_OK)
            status = cli_scan_end_line(scan);
    }
    for (; row < q->n_rows && status == PC_OK; row++)
        status = cli_scan_end_row(scan, row);
    return status;
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

/* Takes the comments on how the file is to be read as a graph, and on what its numbers are. */
static bool take_comments(cli_scan *scan, bool is_real)
{
    const cli_verify_question *q = scan->question;
    const cli_count_options *options = q->options;
    const char *place = q->partition != NULL ? "block" : "vertex";
    char about[CLI_ABOUT_BYTES + 32], what[CLI_ABOUT_BYTES];
    if (!is_real && !cli_scan_take(scan, "% pathcount graph: weights\n"))
        return false;
    if (q->product != NULL)
        return true;
    snprintf(about, sizeof about, "%% %s from %s i to %s j\n",
             cli_about_matrix(options->query.paths, options->length, options->query.up_to,
                              options->blocks.mean, what),
             place, place);
    return cli_scan_take(scan, about);
}

/* Reads the banner, comments and the line of sizes. Labels are there unless they are numbers. */
static pc_status read_market_head(cli_scan *scan, market *m)
{
    const cli_verify_question *q = scan->question;
    bool is_real = scan->comparer->n_rounds == 0 || q->options->blocks.mean;
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
    if (!take_comments(scan, is_real))
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
    return n_rows == q->n_rows && n_columns == q->n_columns
               ? PC_OK
               : cli_scan_fail(scan, "the matrix is not %" PRIu64 " x %" PRIu64, q->n_rows,
                               q->n_columns);
}

/* Asks for the verdict on the rows before `end` that have none. */
static pc_status end_rows(cli_scan *scan, market *m, uint64_t end)
{
    pc_status status = PC_OK;
    for (; m->n_ended < end && status == PC_OK; m->n_ended++)
        status = cli_scan_end_row(scan, m->n_ended);
    return status;
}

/* Reads an entry and, of a symmetric matrix whose rows are judged as a whole, its mirror image. */
static pc_status read_entry(cli_scan *scan, market *m)
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
    pc_status status = scan->comparer->n_rounds == 0 ? end_rows(scan, m, row - 1) : PC_OK;
    const char *text = scan->at;
    if (status == PC_OK)
        status = cli_scan_take_count(scan, row - 1, column - 1, "\n");
    if (status == PC_OK && m->is_symmetric && !scan->comparer->is_lower && row != column) {
        scan->at = text;
        status = cli_scan_take_count(scan, column - 1, row - 1, "\n");
        scan->n_counts--;
    }
    if (status == PC_OK && !cli_scan_take_character(scan, '\n'))
        status = cli_scan_fail(scan, "the last line has no end");
    return status;
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

static pc_status read_some_rows(cli_scan *scan, market *m)
{
    const char *first = scan->at;
    pc_status status = PC_OK;
    for (uint64_t row = 0; row < scan->question->n_rows && status == PC_OK; row++) {
        if (!cli_scan_wants(scan, row))
            continue;
        m->least = 0;
        m->n_ended = row;
        seek_row(scan, first, row + 1);
        while (status == PC_OK && row_of_line(scan, scan->at) == row + 1)
            status = read_entry(scan, m);
        if (status == PC_OK)
            status = cli_scan_end_row(scan, row);
    }
    return status;
}

static pc_status read_market(cli_scan *scan)
{
    market m = {.n_entries = 0};
    pc_status status = read_market_head(scan, &m);
    scan->comparer->is_lower =
        m.is_symmetric && (scan->comparer->n_rounds == 0 || scan->only != NULL);
    if (status == PC_OK && scan->only != NULL)
        return read_some_rows(scan, &m);
    for (uint64_t e = 0; e < m.n_entries && status == PC_OK; e++)
        status = scan->at < scan->end
                     ? read_entry(scan, &m)
                     : cli_scan_fail(scan, "the result ends here, and entries are missing");
    if (status == PC_OK)
        status = cli_scan_end(scan);
    return status == PC_OK ? end_rows(scan, &m, scan->question->n_rows) : status;
}

/* ---- Lines of an answer to a query ----------------------------------------------------------- */

/* True for a number alone. */
static bool is_bare(const cli_verify_question *q)
{
    return !q->options->query.each && q->n_rows == 1 && !q->has_names &&
           cli_verify_has_few_columns(q);
}

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

/* Reads the lines of a row: one with all its counts, or one for each. */
static pc_status read_lines_of_row(cli_scan *scan, uint64_t length, uint64_t row)
{
    const cli_verify_question *q = scan->question;
    uint64_t n_counts = cli_verify_has_few_columns(q) ? q->n_columns : 1;
    pc_status status = PC_OK;
    for (uint64_t column = 0; column < q->n_columns && status == PC_OK;) {
        if (scan->at == scan->end)
            return cli_scan_fail(scan, "the result ends here, and lines are missing");
        if (!is_bare(q) && !take_keys(scan, length, row, column))
            return cli_scan_fail(scan, "the length or the vertices of this line are not those of "
                                       "the line that must come here");
        for (uint64_t c = 0; c < n_counts && status == PC_OK; c++, column++) {
            if (c > 0 && !cli_scan_take_character(scan, '\t'))
                return cli_scan_fail(scan, "a count is missing");
            status = cli_scan_take_count(scan, row, column, "\t\n");
        }
        if (status == PC_OK && column == q->n_columns)
            status = cli_scan_end_row(scan, row);
        if (status == PC_OK)
            status = cli_scan_end_line(scan);
    }
    return status;
}

static pc_status read_lines(cli_scan *scan)
{
    const cli_verify_question *q = scan->question;
    const cli_query_options *asked = &q->options->query;
    const char *heads[CLI_MOST_HEADS];
    size_t n = cli_question_heads(asked->question, asked->paths, asked->up_to, heads);
    pc_status status = PC_OK;
    scan->comparer->is_shown = true;
    bool is_header = is_bare(q) || !asked->each || cli_scan_take(scan, "length\t");
    for (size_t h = 0; h < n && is_header && !is_bare(q); h++)
        is_header =
            cli_scan_take(scan, heads[h]) && cli_scan_take_character(scan, h + 1 < n ? '\t' : '\n');
    if (!is_header)
        return cli_scan_fail(scan, "the header is not that of such an answer");
    for (uint64_t l = 0; l < q->n_lengths && status == PC_OK; l++) {
        cli_compare_begin(scan->comparer, l);
        for (uint64_t row = 0; row < q->n_rows && status == PC_OK; row++)
            status = read_lines_of_row(scan, q->first_length + l, row);
    }
    return status == PC_OK ? cli_scan_end(scan) : status;
}

/* ---- All formats ----------------------------------------------------------------------------- */

static pc_status read_shown(cli_scan *scan)
{
    return read_table(scan, CLI_LABEL_SHOWN, " ");
}

static pc_status read_tsv(cli_scan *scan)
{
    return read_table(scan, CLI_LABEL_TSV, "\t");
}

static pc_status read_csv(cli_scan *scan)
{
    return read_table(scan, CLI_LABEL_CSV, ",");
}

static pc_status refuse_summary(cli_scan *scan)
{
    return cli_scan_refuse(scan, "a summary");
}

pc_status cli_read_result(cli_scan *scan)
{
    static const struct {
        const char *begins;
        pc_status (*read)(cli_scan *scan);
    } formats[] = {{"\x93NUMPY", cli_read_npy},
                   {"%%MatrixMarket ", read_market},
                   {"PK\3\4", cli_read_npz},
                   {"{\"labels\": ", read_json},
                   {"{\"row_labels\": ", read_json},
                   {"\t", read_tsv},
                   {"\n", read_tsv},
                   {",", read_csv},
                   {"from\t", read_pairs},
                   {"from\\to", read_shown},
                   {"graph    ", refuse_summary},
                   {"product   ", refuse_summary},
                   {"{", refuse_summary}};
    const cli_query_options *asked = &scan->question->options->query;
    if (asked->question != CLI_ASK_MATRIX)
        return cli_scan_begins(scan, "{", 1)
                   ? cli_scan_fail(scan, "an answer in JSON cannot be verified: ask for it without "
                                         "--json, of a batch without --as json")
                   : read_lines(scan);
    if (asked->each && !cli_scan_begins(scan, "\x93NUMPY", 6))
        return cli_scan_fail(scan, "the matrices of --each are verified in one .npy file: verify "
                                   "this file with its own --length, without --each");
    cli_compare_begin(scan->comparer, 0);
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
        if (cli_scan_begins(scan, formats[f].begins, strlen(formats[f].begins)))
            return formats[f].read(scan);
    return cli_scan_fail(scan, "this is no matrix in a format that pathcount writes");
}

/* An adjacency matrix as text: a line for each row, with tabs, semicolons, commas or blanks between.
 * It may have the labels of its vertices in the first line, and then in the first column too, as
 * pandas and R write them. */
#include "io/collect.h"
#include "io/columns.h"
#include "graphs/multiplicity.h"
#include "io/readers.h"
#include "io/text.h"

#include <inttypes.h>

typedef struct reader {
    pci_collect collect;
    const char *at, *end;        /* the next line, the end of the text */
    const char *line, *line_end; /* without blanks at its end; those before it may be separators */
    char separator;
    bool has_labels; /* in the first column */
    uint64_t n_columns, n_rows;
} reader;

static bool next_line(reader *r)
{
    while (pci_next_line(&r->at, r->end, &r->line, &r->line_end)) {
        r->line_end -= r->line_end > r->line && r->line_end[-1] == '\r';
        const char *first = pci_skip_blanks(r->line, r->line_end);
        r->collect.at = r->line;
        if (first < r->line_end && *first != '#' && *first != '%')
            return true;
    }
    return false;
}

static pc_status fail(const reader *r, const char *what)
{
    return pci_input_fail(r->collect.input, r->line, "%s", what);
}

/* ---- Labels ---------------------------------------------------------------------------------- */

static bool is_number(const pci_column *column)
{
    uint64_t value;
    return !column->is_quoted &&
           pci_multiplicity_parse(column->text, column->length, &value) != PCI_NO_NUMBER;
}

/* The first line has labels when its corner is empty, or it has a column that is no number. */
static bool find_labels(const reader *r, uint64_t *n_columns)
{
    pci_column_cursor cursor = pci_columns_of(r->line, r->line_end, r->separator);
    pci_column column;
    bool found = false;
    for (*n_columns = 0; pci_column_next(&cursor, &column); ++*n_columns)
        found = found || (column.length == 0 && *n_columns == 0) ||
                (column.length > 0 && !is_number(&column));
    return found;
}

static pc_status add_label(reader *r, const pci_column *column)
{
    uint32_t vertex;
    pc_status status = pci_collect_vertex(&r->collect, column->text, column->length, &vertex);
    if (status == PC_OK && vertex != r->n_columns)
        return pci_input_fail(r->collect.input, r->line, "two columns are called '%.*s'",
                              column->length < 40 ? (int)column->length : 40, column->text);
    r->n_columns++;
    return status;
}

/* The lines behind the first one. */
static uint64_t count_rows(const reader *r)
{
    reader ahead = *r;
    uint64_t n = 0;
    while (next_line(&ahead))
        n++;
    return n;
}

/* The names in the first line. There may be a corner before them, and labels in the first column; only
 * the number of rows tells when there are none. */
static pc_status read_labels(reader *r)
{
    reader ahead = *r;
    pci_column_cursor cursor = pci_columns_of(r->line, r->line_end, r->separator);
    pci_column column;
    uint64_t n_first = 0, n_second = 0, n_rows = count_rows(r);
    find_labels(r, &n_first);
    if (next_line(&ahead))
        find_labels(&ahead, &n_second);
    bool has_corner = n_first == n_second && n_rows + 1 == n_first;
    r->has_labels = has_corner || n_first + 1 == n_second;
    if (!r->has_labels && (n_first != n_second || n_rows != n_first))
        return fail(
            r, "the first line is one of labels, and not as many rows of as many entries follow: "
               "an adjacency matrix is square");
    for (bool is_corner = has_corner; pci_column_next(&cursor, &column); is_corner = false) {
        pc_status status = is_corner ? PC_OK : add_label(r, &column);
        if (status)
            return status;
    }
    return cursor.fault ? fail(r, cursor.fault) : PC_OK;
}

/* The label of a row must be that of its column. */
static pc_status check_label(const reader *r, pci_column_cursor *cursor)
{
    pci_column column;
    size_t length;
    const char *wanted = pci_names_text(&r->collect.names, r->n_rows, &length);
    if (pci_column_next(cursor, &column) && column.length == length &&
        memcmp(column.text, wanted, length) == 0)
        return PC_OK;
    return pci_input_fail(r->collect.input, r->line,
                          "the row is not called '%.*s', as its column is: rows and columns of an "
                          "adjacency matrix have the same order",
                          length < 40 ? (int)length : 40, wanted);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static pc_status take_entry(reader *r, const pci_column *column, uint64_t j)
{
    uint64_t weight;
    pc_status status;
    if (j >= r->n_columns)
        return fail(r, "the row has more entries than there are columns");
    if ((status = pci_collect_weight(&r->collect, column->text, column->length, &weight)))
        return status;
    /* Of a 0 nothing is kept, and a 1 is an edge whether weights are taken or not. */
    return weight == 0 ? PC_OK
                       : pci_collect_edge(&r->collect, (uint32_t)r->n_rows, (uint32_t)j, &weight);
}

static pc_status take_row(reader *r)
{
    pci_column_cursor cursor = pci_columns_of(r->line, r->line_end, r->separator);
    pci_column column;
    uint64_t j = 0;
    pc_status status = PC_OK;
    if (r->n_rows == r->n_columns)
        return fail(r, "more rows than columns: an adjacency matrix is square");
    if (r->has_labels && (status = check_label(r, &cursor)))
        return status;
    for (; pci_column_next(&cursor, &column); j++)
        if ((status = take_entry(r, &column, j)))
            return status;
    if (cursor.fault)
        return fail(r, cursor.fault);
    if (j < r->n_columns)
        return fail(r, "the row has fewer entries than there are columns");
    r->n_rows++;
    return PC_OK;
}

static pc_status read_rows(reader *r, bool has_line)
{
    for (; has_line; has_line = next_line(r)) {
        pc_status status = take_row(r);
        if (status)
            return status;
    }
    if (r->n_rows == r->n_columns)
        return PC_OK;
    return pci_input_fail_at(r->collect.input, r->collect.input->n_all,
                             "%" PRIu64 " columns and %" PRIu64
                             " rows: an adjacency matrix is square",
                             r->n_columns, r->n_rows);
}

static pc_status read_all(reader *r)
{
    static const char candidates[] = {'\t', ';', ','};
    if (!next_line(r))
        return pci_input_fail_at(r->collect.input, r->collect.input->n_all,
                                 "no rows: the file is empty");
    r->separator = ' ';
    for (size_t i = 0; i < sizeof candidates && r->separator == ' '; i++)
        if (memchr(r->line, candidates[i], (size_t)(r->line_end - r->line)))
            r->separator = candidates[i];
    uint64_t n_columns;
    r->collect.is_matrix = true;
    r->collect.stated = PC_DIRECTED;
    if (!find_labels(r, &n_columns)) {
        pc_status status = pci_collect_matrix(&r->collect, n_columns, n_columns);
        r->n_columns = n_columns;
        return status ? status : read_rows(r, true);
    }
    pc_status status = read_labels(r);
    return status ? status : read_rows(r, next_line(r));
}

pc_status pci_matrix_parse(const pci_input *input, const char *begin,
                           const pc_graph_options *options, pci_graph_draft *draft)
{
    reader r = {.collect = pci_collect_begin(input, options, "adjacency matrix"),
                .at = begin,
                .end = input->text + input->n_bytes};
    pc_status status = read_all(&r);
    return pci_collect_end(&r.collect, status, draft);
}

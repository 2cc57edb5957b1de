/* An adjacency matrix as text: a line for each row, with tabs, semicolons, commas or blanks between.
 * It may have the labels of its vertices in the first line, and then in the first column too, as
 * pandas and R write them. */
#include "io/collect.h"
#include "io/line.h"
#include "graphs/multiplicity.h"
#include "io/readers.h"
#include "io/readings.h"
#include "io/text.h"

#include <inttypes.h>

typedef struct reader {
    pci_collect collect;
    const pci_reading *how;
    unsigned char *has_row; /* [n_columns], where rows have names */
    uint64_t n_columns, n_rows;
} reader;

/* ---- Labels ---------------------------------------------------------------------------------- */

static pc_status add_label(reader *r, const pci_column *column, uint64_t wanted)
{
    uint32_t vertex;
    pc_status status = pci_collect_vertex(&r->collect, column->text, column->length, &vertex);
    if (status == PC_OK && vertex != wanted)
        return pci_input_fail(r->collect.input, r->collect.at,
                              "two columns or rows are called '%.*s'",
                              column->length < 40 ? (int)column->length : 40, column->text);
    return status;
}

/* The names in the first line are the last n_columns of it; a corner may stand before them. */
static pc_status read_labels(reader *r)
{
    pci_column_cursor cursor =
        pci_columns_of(r->collect.at, r->collect.line_end, r->how->separator);
    pci_column column;
    uint64_t n = 0, n_all = 0;
    for (pci_column_cursor all = cursor; pci_column_next(&all, &column); n_all++)
        n = column.length > 0 ? n_all + 1 : n;
    for (uint64_t i = 0; i < n && pci_column_next(&cursor, &column); i++) {
        if (i + r->n_columns < n)
            continue;
        pc_status status = add_label(r, &column, i + r->n_columns - n);
        if (status)
            return status;
    }
    return cursor.fault ? pci_collect_fail(&r->collect, cursor.fault) : PC_OK;
}

/* The vertex of a row: that of its name, where rows have the names of columns, or else the next one. */
static pc_status find_row(reader *r, pci_column_cursor *cursor, uint32_t *vertex)
{
    pci_column column = {0};
    *vertex = (uint32_t)r->n_rows;
    if (r->how->first_column > 0 && !pci_column_next(cursor, &column))
        return pci_collect_fail(&r->collect, cursor->fault ? cursor->fault : "the row has no name");
    if (!r->how->names_down)
        return PC_OK;
    if (!r->how->names_across)
        return add_label(r, &column, r->n_rows);
    if (pci_names_find(&r->collect.names, column.text, column.length, vertex) &&
        !r->has_row[*vertex]) {
        r->has_row[*vertex] = 1;
        return PC_OK;
    }
    return pci_input_fail(
        r->collect.input, r->collect.at,
        "a row is called '%.*s', which is no column or was a row before: rows and columns of an "
        "adjacency matrix have the same names",
        column.length < 40 ? (int)column.length : 40, column.text);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* An entry that is 0 is no edge, whether weights are taken or not. */
static pc_status take_entry(reader *r, const pci_column *column, uint32_t row, uint64_t j)
{
    uint64_t weight;
    char point[PCI_POINT_BYTES];
    const char *text = r->how->separator == ';'
                           ? pci_with_point(column->text, column->length, point)
                           : column->text;
    pc_status status = pci_collect_weight(&r->collect, text, column->length, &weight);
    if (status)
        return status == PC_ERR_DATA && text == point
                   ? pci_collect_fail(&r->collect, "an entry is not an integer")
                   : status;
    return weight == 0 ? PC_OK : pci_collect_edge(&r->collect, row, (uint32_t)j, &weight);
}

static pc_status take_row(reader *r)
{
    pci_column_cursor cursor =
        pci_columns_of(r->collect.at, r->collect.line_end, r->how->separator);
    pci_column column;
    uint64_t j = 0;
    uint32_t row;
    if (r->n_rows == r->n_columns)
        return pci_collect_fail(&r->collect,
                                "more rows than columns: an adjacency matrix is square");
    pc_status status = find_row(r, &cursor, &row);
    for (; status == PC_OK && pci_column_next(&cursor, &column); j++) {
        if (j < r->n_columns)
            status = take_entry(r, &column, row, j);
        else if (column.length > 0)
            status =
                pci_collect_fail(&r->collect, "the row has more entries than there are columns");
    }
    if (status == PC_OK && cursor.fault)
        status = pci_collect_fail(&r->collect, cursor.fault);
    if (status == PC_OK && j < r->n_columns)
        status = pci_collect_fail(&r->collect, "the row has fewer entries than there are columns");
    r->n_rows++;
    return status;
}

static pc_status read_rows(reader *r)
{
    while (pci_collect_line(&r->collect, false)) {
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
    pc_context *context = r->collect.input->context;
    r->collect.is_matrix = true;
    r->collect.stated = PC_DIRECTED;
    r->collect.at = r->collect.next;
    if (r->n_columns == 0)
        return pci_input_fail_at(r->collect.input, r->collect.input->n_all,
                                 "no rows: the file is empty");
    if (!r->how->names_across && !r->how->names_down) {
        pc_status status = pci_collect_matrix(&r->collect, r->n_columns, r->n_columns);
        return status ? status : read_rows(r);
    }
    r->has_row = pci_alloc_zero(context, r->n_columns, 1);
    if (!r->has_row)
        return pci_fail_memory(context, "rows", r->n_columns);
    pc_status status = PC_OK;
    if (r->how->names_across)
        status = pci_collect_line(&r->collect, false) ? read_labels(r)
                                                      : pci_collect_fail(&r->collect, "no rows");
    if (status == PC_OK)
        status = read_rows(r);
    pci_free(context, r->has_row);
    return status;
}

pc_status pci_matrix_parse(const pci_input *input, const char *begin,
                           const pc_graph_options *options, pci_graph_draft *draft)
{
    const pci_reading *how = input->reading;
    reader r = {.collect = pci_collect_begin(input, options, "adjacency matrix"),
                .how = how,
                .n_columns = how->n_columns};
    r.collect.next = begin + how->n_passed_bytes;
    pc_status status = read_all(&r);
    return pci_collect_end(&r.collect, status, draft);
}

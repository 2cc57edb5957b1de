/* An adjacency matrix as text: a line for each row, with tabs, semicolons, commas or blanks between.
 * It may have the labels of its vertices in the first line, and then in the first column too, as
 * pandas and R write them. And pairs in brackets: edges as Python prints them, "(a, b)", one or more a line or in a list,
 * and sparse matrices as SciPy and MATLAB print them, "(row, column)  value" in each line. */
#include "io/readers.h"
#include "io/readings.h"
#include "io/text.h"

#include <inttypes.h>

static pc_status add_label(pci_collect *c, const pci_column *column, uint64_t wanted)
{
    uint32_t vertex;
    pc_status status = pci_collect_vertex(c, column->text, column->length, &vertex);
    if (status == PC_OK && vertex != wanted)
        return pci_collect_fail(c, "two columns or rows are called '%.*s'",
                                column->length < 40 ? (int)column->length : 40, column->text);
    return status;
}

/* The names in the first line are the last ones of it; a corner may stand before them. */
static pc_status read_labels(pci_collect *c, uint64_t n_columns)
{
    pci_column column;
    uint64_t n = 0, n_all = 0;
    if (!pci_collect_line(c, "#%", false))
        return pci_collect_fail(c, "no rows");
    for (pci_column_cursor all = c->words; pci_column_next(&all, &column); n_all++)
        n = column.length > 0 ? n_all + 1 : n;
    for (uint64_t i = 0; i < n && pci_column_next(&c->words, &column); i++) {
        pc_status status = i + n_columns < n ? PC_OK : add_label(c, &column, i + n_columns - n);
        if (status)
            return status;
    }
    return c->words.fault ? pci_collect_fail(c, "%s", c->words.fault) : PC_OK;
}

/* The vertex of a row: that of its name, where rows have the names of columns, or else the next one. */
static pc_status find_row(pci_collect *c, unsigned char *has_row, uint32_t *vertex)
{
    const pci_reading *how = c->input->reading;
    pci_column column = {0};
    if (how->first_column > 0 && !pci_column_next(&c->words, &column))
        return pci_collect_fail(c, "%s", c->words.fault ? c->words.fault : "the row has no name");
    if (!how->names_down)
        return PC_OK;
    if (!how->names_across)
        return add_label(c, &column, *vertex);
    if (!pci_names_find(&c->names, column.text, column.length, vertex) || has_row[*vertex])
        return pci_collect_fail(
            c,
            "a row is called '%.*s', which is no column or was a row before: rows and columns of "
            "an adjacency matrix have the same names",
            column.length < 40 ? (int)column.length : 40, column.text);
    has_row[*vertex] = 1;
    return PC_OK;
}

/* An entry that is 0 is no edge, whether weights are taken or not. */
static pc_status take_entry(pci_collect *c, const pci_column *column, uint32_t row, uint64_t j)
{
    uint64_t weight;
    char point[PCI_POINT_BYTES];
    const char *text =
        c->separator == ';' ? pci_with_point(column->text, column->length, point) : column->text;
    pc_status status = pci_collect_weight(c, text, column->length, &weight);
    if (status == PC_ERR_DATA && text == point)
        return pci_collect_fail(c, "an entry is not an integer");
    return status || weight == 0 ? status : pci_collect_edge(c, row, (uint32_t)j, &weight);
}

static pc_status take_row(pci_collect *c, uint64_t number, unsigned char *has_row)
{
    uint64_t j = 0, n_columns = c->input->reading->n_columns;
    uint32_t row = (uint32_t)number;
    pci_column column;
    if (number == n_columns)
        return pci_collect_fail(c, "more rows than columns: an adjacency matrix is square");
    pc_status status = find_row(c, has_row, &row);
    for (; status == PC_OK && pci_column_next(&c->words, &column); j++)
        if (j < n_columns)
            status = take_entry(c, &column, row, j);
        else if (column.length > 0)
            status = pci_collect_fail(c, "the row has more entries than there are columns");
    if (status == PC_OK && c->words.fault)
        status = pci_collect_fail(c, "%s", c->words.fault);
    if (status == PC_OK && j < n_columns)
        status = pci_collect_fail(c, "the row has fewer entries than there are columns");
    return status;
}

pc_status pci_matrix_read(pci_collect *c)
{
    const pci_reading *how = c->input->reading;
    uint64_t n = how->n_columns, n_rows = 0;
    pc_status status = PC_OK;
    c->next += how->n_passed_bytes;
    c->at = c->next;
    c->separator = how->separator;
    c->is_matrix = true;
    c->stated = PC_DIRECTED;
    if (n == 0)
        return pci_input_fail_at(c->input, c->input->n_all, "no rows: the file is empty");
    unsigned char *has_row = pci_alloc_zero(c->input->context, n, 1);
    if (!has_row)
        return pci_fail_memory(c->input->context, "rows", n);
    if (how->names_across)
        status = read_labels(c, n);
    else if (!how->names_down)
        status = pci_collect_matrix(c, n, n);
    while (status == PC_OK && pci_collect_line(c, "#%", false))
        status = take_row(c, n_rows++, has_row);
    if (status == PC_OK && n_rows != n)
        status = pci_input_fail_at(
            c->input, c->input->n_all,
            "%" PRIu64 " columns and %" PRIu64 " rows: an adjacency matrix is square", n, n_rows);
    pci_free(c->input->context, has_row);
    return status;
}

/* ---- Pairs in brackets ------------------------------------------------------------------------ */

static const char not_closed[] = "a pair in brackets is not closed: it is";

/* Takes a label from *at up to a sign that may follow it, perhaps in quotes; *at moves behind the sign. */
static pc_status take_end(pci_collect *c, const char **at, char sign, uint32_t *vertex)
{
    const char *begin = pci_skip_blanks(*at, c->line_end), *end = c->line_end;
    bool is_quoted = begin < end && (*begin == '\'' || *begin == '"');
    char stop = is_quoted ? *begin : sign;
    begin += is_quoted;
    const char *to = memchr(begin, stop, (size_t)(end - begin));
    if (!to)
        return pci_collect_fail(c, "%s (from, to)", not_closed);
    *at = pci_skip_blanks(to + is_quoted, end);
    if (*at == end || **at != sign)
        return pci_collect_fail(c, "a pair in brackets is (from, to)");
    ++*at;
    to = is_quoted ? to : pci_trim_end(begin, to);
    for (const char *sign = begin; sign < to && !is_quoted; sign++)
        if (memchr("()[{", *sign, 4))
            return pci_collect_fail(c, "a label in a pair has a bracket: put quotes around it");
    return pci_collect_vertex(c, begin, (size_t)(to - begin), vertex);
}

/* A weight, or attributes that may have one, ends the brackets. */
static pc_status take_third(pci_collect *c, const char **at, uint32_t from, uint32_t to)
{
    const char *text = pci_skip_blanks(*at, c->line_end), *value = text;
    bool has_weight = *text != '{';
    const char *end = memchr(text, has_weight ? ')' : '}', (size_t)(c->line_end - text));
    size_t length = end ? (size_t)(pci_trim_end(text, end) - text) : 0;
    uint64_t weight;
    if (!end)
        return pci_collect_fail(c, "%s (from, to, weight)", not_closed);
    *at = has_weight ? end : pci_skip_blanks(end + 1, c->line_end);
    if (!has_weight)
        has_weight = pci_attributes_weight(text, end + 1, &value, &length);
    pc_status status = has_weight ? pci_collect_weight(c, value, length, &weight) : PC_OK;
    if (status == PC_OK && (*at == c->line_end || **at != ')'))
        status =
            pci_collect_fail(c, "a pair in brackets is (from, to), perhaps with a weight behind");
    *at += status == PC_OK;
    return status ? status : pci_collect_edge(c, from, to, has_weight ? &weight : NULL);
}

static pc_status take_pair(pci_collect *c, const char **at)
{
    uint32_t from, to;
    uint64_t weight;
    ++*at;
    const char *closing = memchr(*at, ')', (size_t)(c->line_end - *at)), *second = NULL;
    if (!closing)
        return pci_collect_fail(c, "%s (from, to)", not_closed);
    pc_status status = take_end(c, at, ',', &from);
    if (status == PC_OK && *at < closing)
        second = memchr(*at, ',', (size_t)(closing - *at));
    if (status == PC_OK)
        status = take_end(c, at, second ? ',' : ')', &to);
    if (status == PC_OK && second)
        return take_third(c, at, from, to);
    if (status || !c->is_matrix)
        return status ? status : pci_collect_edge(c, from, to, NULL);
    const char *value = pci_skip_blanks(*at, c->line_end);
    *at = c->line_end;
    status = pci_collect_weight(c, value, (size_t)(c->line_end - value), &weight);
    return status || weight == 0 ? status : pci_collect_edge(c, from, to, &weight);
}

/* Passes over the lines above the entries: "<3x3 sparse matrix of type ...", "with 4 stored elements ...>", "Coords
 * Values", and "A =" of MATLAB. */
pc_status pci_tuples_read(pci_collect *c)
{
    pc_status status = PC_OK;
    c->is_matrix = c->input->reading->kind != PCI_TUPLES;
    c->stated = c->is_matrix ? PC_DIRECTED : c->input->reading->stated;
    while (status == PC_OK && pci_collect_line(c, "#%", false)) {
        const char *at = pci_skip_blanks(c->at, c->line_end);
        const char *end = c->line_end = pci_trim_end(at, c->line_end);
        if (c->is_matrix &&
            (*at == '<' || (*at != '(' && end[-1] == '=') || pci_begins_with(at, end, "with ") ||
             pci_begins_with(at, end, "Coords")))
            continue;
        if (*at == ':')
            status = pci_collect_fail(c, "entries are left out where this was printed: write the "
                                         "matrix by scipy.io.mmwrite(path, A)");
        for (; status == PC_OK && at < end; at = pci_skip_blanks(at, end))
            if (*at == '(')
                status = take_pair(c, &at);
            else if (memchr(",[]", *at, 3))
                at++;
            else
                status = pci_collect_fail(
                    c, "a pair in brackets is expected here, as in the lines before");
    }
    return status;
}

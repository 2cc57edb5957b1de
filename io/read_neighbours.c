/* Lists of neighbours: a vertex and its neighbours in a line (.adjlist), NetworkX's multiline form,
 * where "vertex degree" stands before as many lines "neighbour {...}", and SIF, which has a relation
 * between. */
#include "io/collect.h"
#include "io/line.h"
#include "io/readers.h"
#include "io/readings.h"
#include "io/text.h"

typedef struct reader {
    pci_collect collect;
    pci_column_cursor columns; /* of the line */
    char separator;
} reader;

static reader begin_reading(const pci_input *input, const char *begin,
                            const pc_graph_options *options, const char *title)
{
    reader r = {.collect = pci_collect_begin(input, options, title)};
    r.collect.next = begin;
    return r;
}

static bool next_line(reader *r)
{
    bool found = pci_collect_line(&r->collect, false);
    if (found)
        r->columns = pci_columns_of(pci_skip_blanks(r->collect.at, r->collect.line_end),
                                    r->collect.line_end, r->separator);
    return found;
}

/* The next column of the line as a vertex; *found is false at the end of the line. An empty column
 * at the end, as spreadsheets write it, is none. */
static pc_status next_vertex(reader *r, uint32_t *vertex, bool *found)
{
    pci_column column;
    *found = false;
    while (!*found && pci_column_next(&r->columns, &column))
        *found = column.length > 0;
    if (r->columns.fault)
        return pci_collect_fail(&r->collect, r->columns.fault);
    return *found ? pci_collect_vertex(&r->collect, column.text, column.length, vertex) : PC_OK;
}

/* ---- A line of neighbours -------------------------------------------------------------------- */

static pc_status take_neighbours(reader *r, uint32_t vertex)
{
    pc_status status;
    uint32_t neighbour;
    bool found = true;
    while (found) {
        if ((status = next_vertex(r, &neighbour, &found)) ||
            (found && (status = pci_collect_edge(&r->collect, vertex, neighbour, NULL))))
            return status;
    }
    return PC_OK;
}

/* Takes the vertex before a colon or an arrow; its neighbours follow. */
static pc_status take_marked_vertex(reader *r, const char *mark, uint32_t *vertex)
{
    const char *begin = pci_skip_blanks(r->collect.at, r->collect.line_end), *at = begin;
    const char *line_end = r->collect.line_end;
    while (at < line_end && !pci_begins_with(at, line_end, mark))
        at++;
    const char *end = pci_trim_end(begin, at);
    if (at == line_end || end == begin)
        return pci_input_fail(r->collect.input, begin,
                              "a vertex and '%s' are expected here, as in the lines before", mark);
    r->columns =
        pci_columns_of(pci_skip_blanks(at + strlen(mark), line_end), line_end, r->separator);
    return pci_collect_vertex(&r->collect, begin, (size_t)(end - begin), vertex);
}

static pc_status read_lines(reader *r, const char *mark)
{
    while (next_line(r)) {
        uint32_t vertex;
        bool found = true;
        pc_status status =
            *mark ? take_marked_vertex(r, mark, &vertex) : next_vertex(r, &vertex, &found);
        if (status == PC_OK && found)
            status = take_neighbours(r, vertex);
        if (status)
            return status;
    }
    return PC_OK;
}

/* ---- The multiline form ---------------------------------------------------------------------- */

/* "neighbour {'weight': 3}" */
static pc_status take_neighbour(reader *r, uint32_t vertex)
{
    uint32_t neighbour;
    bool found;
    uint64_t weight;
    pc_status status = next_vertex(r, &neighbour, &found);
    if (status)
        return status;
    const char *text, *attributes = pci_skip_blanks(r->columns.at, r->collect.line_end);
    size_t length;
    if (attributes < r->collect.line_end && *attributes != '{')
        return pci_collect_fail(
            &r->collect, "a neighbour, perhaps with attributes in braces, is expected here, as the "
                         "line of the vertex before promises");
    bool has_weight = pci_attributes_weight(attributes, r->collect.line_end, &text, &length);
    if (has_weight && (status = pci_collect_weight(&r->collect, text, length, &weight)))
        return status;
    return pci_collect_edge(&r->collect, vertex, neighbour, has_weight ? &weight : NULL);
}

static pc_status read_multiline(reader *r)
{
    while (next_line(r)) {
        uint32_t vertex;
        bool found;
        uint64_t degree;
        pci_column column, more;
        const char *line = r->collect.at;
        pc_status status = next_vertex(r, &vertex, &found);
        if (status)
            return status;
        if (!pci_column_next(&r->columns, &column) || pci_column_next(&r->columns, &more) ||
            pci_integer_parse(column.text, column.length, &degree) != PCI_INTEGER)
            return pci_input_fail(r->collect.input, line,
                                  "a vertex and the number of its neighbours are expected here");
        for (; degree > 0; degree--) {
            if (!next_line(r))
                return pci_input_fail(r->collect.input, line,
                                      "the file ends before the neighbours of this vertex");
            if ((status = take_neighbour(r, vertex)))
                return status;
        }
    }
    return PC_OK;
}

pc_status pci_adjacency_list_parse(const pci_input *input, const char *begin,
                                   const pc_graph_options *options, pci_graph_draft *draft)
{
    const pci_reading *how = input->reading;
    reader r = begin_reading(input, begin + how->n_passed_bytes, options, "adjacency list");
    r.separator = how->separator ? how->separator : ' ';
    r.collect.stated = how->stated;
    pc_status status =
        how->kind == PCI_LISTS_LINES ? read_multiline(&r) : read_lines(&r, how->arrow);
    return pci_collect_end(&r.collect, status, draft);
}

/* ---- SIF ------------------------------------------------------------------------------------- */

/* "vertex", or "vertex relation neighbour ..."; tabs separate columns where the text has one. */
static pc_status take_relation(reader *r)
{
    uint32_t vertex, neighbour;
    bool found;
    pci_column relation;
    pc_status status = next_vertex(r, &vertex, &found);
    if (status || !found || !pci_column_next(&r->columns, &relation))
        return status;
    if ((status = next_vertex(r, &neighbour, &found)))
        return status;
    if (!found)
        return pci_collect_fail(
            &r->collect, "a line of SIF is 'from relation to ...', or a vertex alone; --format "
                         "edges reads lines 'from to'");
    if ((status = pci_collect_edge(&r->collect, vertex, neighbour, NULL)))
        return status;
    return take_neighbours(r, vertex);
}

pc_status pci_sif_parse(const pci_input *input, const char *begin, const pc_graph_options *options,
                        pci_graph_draft *draft)
{
    reader r = begin_reading(input, begin, options, "SIF");
    pci_head head = pci_head_of(input, begin);
    pc_status status = PC_OK;
    r.separator = memchr(begin, '\t', (size_t)(head.end - begin)) ? '\t' : ' ';
    while (status == PC_OK && next_line(&r))
        status = take_relation(&r);
    return pci_collect_end(&r.collect, status, draft);
}

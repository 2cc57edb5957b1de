/* METIS and Chaco: "vertices edges [format [weights of a vertex]]", then a line for each vertex with its
 * neighbours, numbered from 1. A digit of the format says what each line has besides: 1 a weight
 * behind each neighbour, 10 weights of the vertex, 100 its size. Each edge is there twice, once in
 * the line of each end. */
#include "io/collect.h"
#include "io/line.h"
#include "io/readers.h"
#include "io/text.h"
#include "src/core/checksum.h"

#include <inttypes.h>

enum { MOST_VERTEX_WEIGHTS = 1000 };

typedef struct reader {
    pci_collect collect;
    uint64_t n_edges, n_before; /* numbers before the neighbours */
    bool has_weights;
    uint64_t n_ends;  /* neighbours so far */
    uint64_t balance; /* of hashes: 0 when each edge is in the lines of both its ends */
} reader;

/* The next number of the line; *found is false at its end. A format may begin by zeros: "001". */
static pc_status next_number(const reader *r, pci_column_cursor *cursor, uint64_t *number,
                             bool *found)
{
    pci_column column;
    *found = pci_column_next(cursor, &column);
    size_t n_zeros = 0;
    while (*found && n_zeros + 1 < column.length && column.text[n_zeros] == '0')
        n_zeros++;
    if (!*found ||
        pci_integer_parse(column.text + n_zeros, column.length - n_zeros, number) == PCI_INTEGER)
        return PC_OK;
    return pci_input_fail(r->collect.input, r->collect.at, "'%.*s' is not an integer from 0 on",
                          column.length < 40 ? (int)column.length : 40, column.text);
}

/* ---- The first line -------------------------------------------------------------------------- */

static pc_status read_head(reader *r)
{
    uint64_t number[4] = {0, 0, 0, 1};
    size_t n = 0;
    bool found = true;
    if (!pci_collect_line(&r->collect, false))
        return pci_input_fail_at(r->collect.input, r->collect.input->n_all,
                                 "no vertices: the file has only comments and blank lines");
    pci_column_cursor cursor = pci_columns_of(r->collect.at, r->collect.line_end, ' ');
    for (; found && n < 4; n += found) {
        pc_status status = next_number(r, &cursor, &number[n], &found);
        if (status)
            return status;
    }
    uint64_t format = number[2];
    pci_column more;
    if (n < 2 || format > 111 || format % 10 > 1 || format / 10 % 10 > 1 ||
        number[3] > MOST_VERTEX_WEIGHTS || pci_column_next(&cursor, &more))
        return pci_collect_fail(
            &r->collect,
            "the first line of METIS is 'vertices edges [format [weights]]', where the "
            "format is up to three digits 0 or 1; --format edges reads edge lists");
    r->n_edges = number[1];
    r->has_weights = format % 10 == 1;
    if (pci_draft_needs_weights(r->collect.options) && !r->has_weights && r->n_edges > 0)
        return pci_input_fail(r->collect.input, r->collect.at,
                              "no weights of edges, which the format in the first line would say "
                              "by a last digit 1: leave --weights out");
    r->n_before = format / 100 + (format / 10 % 10 == 1 ? number[3] : 0);
    return pci_collect_number(&r->collect, r->collect.at, 1, number[0]);
}

/* ---- The lines of vertices ------------------------------------------------------------------- */

static pc_status take_neighbour(reader *r, uint64_t vertex, uint64_t neighbour, uint64_t weight)
{
    if (neighbour == 0 || neighbour > r->collect.n_vertices)
        return pci_input_fail(r->collect.input, r->collect.at,
                              "there is no vertex %" PRIu64
                              " to be a neighbour: vertices are numbered from 1 to %" PRIu64,
                              neighbour, r->collect.n_vertices);
    if (neighbour == vertex)
        return pci_collect_fail(&r->collect, "a vertex is its own neighbour: METIS has no loops");
    r->n_ends++;
    uint64_t low = vertex < neighbour ? vertex : neighbour, high = vertex + neighbour - low;
    uint64_t hash = pci_scramble(pci_scramble(low << 32 | high) + weight);
    r->balance += vertex == low ? hash : -hash;
    weight = pci_collect_takes_weights(&r->collect)
                 ? weight
                 : 1; /* an edge of weight 0 is one where weights are not taken */
    return vertex == low ? pci_collect_edge(&r->collect, (uint32_t)(low - 1), (uint32_t)(high - 1),
                                            r->has_weights ? &weight : NULL)
                         : PC_OK;
}

static pc_status take_line(reader *r, uint64_t vertex)
{
    pci_column_cursor cursor = pci_columns_of(r->collect.at, r->collect.line_end, ' ');
    uint64_t number, weight = 1;
    bool found = true;
    pc_status status;
    for (uint64_t i = 0; i < r->n_before; i++) {
        if ((status = next_number(r, &cursor, &number, &found)))
            return status;
        if (!found)
            return pci_collect_fail(&r->collect, "the line ends before the weights of its vertex");
    }
    while (found) {
        if ((status = next_number(r, &cursor, &number, &found)) || !found)
            return status;
        if (r->has_weights && (status = next_number(r, &cursor, &weight, &found)))
            return status;
        if (!found)
            return pci_collect_fail(&r->collect,
                                    "a neighbour has no weight, which the format in the first line "
                                    "promises");
        if ((status = take_neighbour(r, vertex, number, weight)))
            return status;
    }
    return PC_OK;
}

static pc_status read_rows(reader *r)
{
    const char *head = r->collect.at;
    uint64_t n = r->collect.n_vertices, vertex = 1;
    pc_status status;
    for (; vertex <= n && pci_collect_line(&r->collect, true); vertex++)
        if ((status = take_line(r, vertex)))
            return status;
    if (vertex <= n && r->n_ends != 2 * r->n_edges) /* else those at the end have no neighbours */
        return pci_input_fail(r->collect.input, head,
                              "%" PRIu64 " vertices promised, and there are lines for %" PRIu64, n,
                              vertex - 1);
    while (pci_collect_line(&r->collect, true))
        if (pci_skip_blanks(r->collect.at, r->collect.line_end) < r->collect.line_end)
            return pci_collect_fail(&r->collect,
                                    "more lines than vertices: the first line states their number");
    if (r->n_ends != 2 * r->n_edges)
        return pci_input_fail(r->collect.input, head,
                              "%" PRIu64 " edges promised, each in two lines, and the lines have "
                              "%" PRIu64 " neighbours",
                              r->n_edges, r->n_ends);
    if (r->balance != 0)
        return pci_input_fail(
            r->collect.input, head,
            "not every edge is in the lines of both its ends with the same weight: "
            "METIS has undirected graphs; --format adjlist reads lines 'vertex "
            "neighbour ...'");
    return PC_OK;
}

pc_status pci_metis_parse(const pci_input *input, const char *begin,
                          const pc_graph_options *options, pci_graph_draft *draft)
{
    reader r = {.collect = pci_collect_begin(input, options, "METIS")};
    r.collect.next = begin;
    r.collect.stated = PC_UNDIRECTED;
    pc_status status = read_head(&r);
    if (status == PC_OK)
        status = read_rows(&r);
    return pci_collect_end(&r.collect, status, draft);
}

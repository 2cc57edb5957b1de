/* DIMACS: lines that begin by a letter. c is a comment, "p KIND vertices edges" comes first, "a from to
 * weight" is an arc, "e u v" an edge; n, d, v and x say other things about vertices. In the files of
 * the PACE challenge, of kind tw and the like, an edge is "u v" alone. */
#include "io/collect.h"
#include "io/line.h"
#include "io/readers.h"
#include "io/text.h"
#include "src/core/number.h"

#include <inttypes.h>

enum { MOST_COLUMNS = 5 };

/* A kind of problem. */
typedef struct kind {
    const char *name;
    pc_direction direction;
    char letter; /* of a line of an edge; 0: it has none */
} kind;

static const kind kinds[] = {
    {"sp", PC_DIRECTED, 'a'},      {"max", PC_DIRECTED, 'a'},   {"edge", PC_UNDIRECTED, 'e'},
    {"edges", PC_UNDIRECTED, 'e'}, {"col", PC_UNDIRECTED, 'e'}, {"tw", PC_UNDIRECTED, 0},
    {"td", PC_UNDIRECTED, 0},      {"ds", PC_UNDIRECTED, 0},    {"vc", PC_UNDIRECTED, 0},
};

typedef struct reader {
    pci_collect collect;
    const kind *kind;    /* NULL before the line p */
    const char *problem; /* that line */
    uint64_t n_promised, n_found;
    pci_column column[MOST_COLUMNS];
    size_t n_columns; /* of the line */
} reader;

static bool is_word(const pci_column *column, const char *word)
{
    return pci_is_word_any_case(column->text, column->length, word);
}

static bool is_integer(const reader *r, size_t column, uint64_t *value)
{
    return column < r->n_columns &&
           pci_integer_parse(r->column[column].text, r->column[column].length, value) ==
               PCI_INTEGER;
}

/* "p sp 4 5" */
static pc_status take_problem(reader *r)
{
    uint64_t n_vertices;
    if (r->kind)
        return pci_collect_fail(&r->collect, "a second line p: a file has one graph");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (r->n_columns > 1 && is_word(&r->column[1], kinds[i].name))
            r->kind = &kinds[i];
    if (!r->kind)
        return pci_collect_fail(
            &r->collect,
            "this kind of problem of DIMACS is not read: sp, max, edge, col and tw are read, as in "
            "'p edge VERTICES EDGES'");
    if (r->n_columns != 4 || !is_integer(r, 2, &n_vertices) || !is_integer(r, 3, &r->n_promised))
        return pci_collect_fail(&r->collect, "the line p is not 'p KIND VERTICES EDGES'");
    r->problem = r->collect.at;
    r->collect.stated = r->kind->direction;
    return pci_collect_number(&r->collect, r->collect.at, 1, n_vertices);
}

/* The ends in columns first and first + 1, perhaps a weight behind. */
static pc_status take_edge(reader *r, size_t first)
{
    uint64_t from, to, weight, n = r->collect.n_vertices;
    bool has_weight = r->n_columns == first + 3;
    pc_status status;
    if (r->n_columns < first + 2 || r->n_columns > first + 3 || !is_integer(r, first, &from) ||
        !is_integer(r, first + 1, &to))
        return pci_collect_fail(&r->collect,
                                "an edge is two vertices and perhaps a weight, behind its letter");
    if (from == 0 || from > n || to == 0 || to > n)
        return pci_input_fail(r->collect.input, r->collect.at,
                              "there is no vertex %" PRIu64
                              ": vertices are numbered from 1 to %" PRIu64,
                              from == 0 || from > n ? from : to, n);
    const pci_column *column = &r->column[first + 2];
    if (has_weight &&
        (status = pci_collect_weight(&r->collect, column->text, column->length, &weight)))
        return status;
    r->n_found++;
    if (has_weight && !pci_collect_takes_weights(&r->collect))
        weight = 1; /* an edge of weight 0 is one where weights are not taken */
    return pci_collect_edge(&r->collect, (uint32_t)(from - 1), (uint32_t)(to - 1),
                            has_weight ? &weight : NULL);
}

static pc_status take_line(reader *r)
{
    const pci_column *word = &r->column[0];
    char letter = word->length == 1 ? *word->text : 0;
    if (letter == 'p')
        return take_problem(r);
    if (!r->kind)
        return pci_collect_fail(
            &r->collect, "no line 'p KIND VERTICES EDGES' before this one, as DIMACS has it");
    if (!r->kind->letter)
        return take_edge(r, 0);
    if (letter == r->kind->letter)
        return take_edge(r, 1);
    return letter && memchr("ndvx", letter, 4)
               ? PC_OK
               : pci_collect_fail(
                     &r->collect,
                     "a line of no known kind: edges begin by e, arcs by a, comments by c");
}

static pc_status read_lines(reader *r, const char *at)
{
    const char *end = r->collect.input->text + r->collect.input->n_bytes;
    while (pci_next_line(&at, end, &r->collect.at, &r->collect.line_end)) {
        pci_column_cursor cursor = pci_columns_of(r->collect.at, r->collect.line_end, ' ');
        pci_column column;
        for (r->n_columns = 0; r->n_columns < MOST_COLUMNS && pci_column_next(&cursor, &column);)
            r->column[r->n_columns++] = column;
        if (r->n_columns == 0 || (r->column[0].length == 1 && *r->column[0].text == 'c'))
            continue;
        pc_status status = take_line(r);
        if (status)
            return status;
    }
    if (!r->kind)
        return pci_input_fail_at(r->collect.input, r->collect.input->n_all,
                                 "no line 'p KIND VERTICES EDGES', as DIMACS has it");
    if (r->n_found == r->n_promised) {
        if (!pci_draft_needs_weights(r->collect.options) || r->collect.any_with || r->n_found == 0)
            return PC_OK;
        return pci_input_fail(r->collect.input, r->problem,
                              "no edge has a weight behind its ends: leave --weights out");
    }
    return pci_input_fail(r->collect.input, r->problem,
                          "%" PRIu64 " edges promised, and there are %" PRIu64
                          ": when the file is whole, correct this number",
                          r->n_promised, r->n_found);
}

pc_status pci_dimacs_parse(const pci_input *input, const char *begin,
                           const pc_graph_options *options, pci_graph_draft *draft)
{
    reader r = {.collect = pci_collect_begin(input, options, "DIMACS")};
    pc_status status = read_lines(&r, begin);
    return pci_collect_end(&r.collect, status, draft);
}

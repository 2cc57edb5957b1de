/* DL (UCINET): a head of settings such as "dl n = 5, format = edgelist1", perhaps with the labels of vertices, then
 * "data:" and a matrix, or lines of edges or of neighbours, whose ends may be names. */
#include "io/readers.h"
#include "io/text.h"

#include <inttypes.h>

typedef enum data_format { FULL_MATRIX, EDGE_LIST, NODE_LIST } data_format;

static const char *const format_names[] = {"fullmatrix", "edgelist1", "nodelist1"};

/* The numbers of rows, columns and relations; "n" is one of both rows and columns. */
enum { ROWS, COLUMNS, RELATIONS, N_SIZES };
static const char *const size_names[N_SIZES] = {"nr", "nc", "nm"};

typedef struct reader {
    pci_collect *c;
    const char *at, *end; /* the next word of the head; in the data, of the line at hand */
    uint64_t size[N_SIZES];
    data_format format;
    bool row_names, column_names; /* stand in the data */
    bool is_listed;               /* the names stand in the head */
    pci_names columns;            /* when their labels are listed apart */
} reader;

/* Takes a word, or a text in quotes without these, from r->at on; it ends before a stop. False at the end. */
static bool take_word(reader *r, const char *stops, pci_word *word)
{
    while (r->at < r->end && pci_is_space(*r->at))
        r->at++;
    const char *from = r->at;
    *word = (pci_word){from, 0};
    if (from == r->end)
        return false;
    const char *quote = *from == '"' ? memchr(from + 1, '"', (size_t)(r->end - from - 1)) : NULL;
    if (quote) {
        r->at = quote + 1;
        *word = (pci_word){from + 1, (size_t)(quote - from - 1)};
        return true;
    }
    while (r->at < r->end && !pci_is_space(*r->at) && !strchr(stops, *r->at))
        r->at++;
    word->length = (size_t)(r->at - from);
    return true;
}

/* ---- The head -------------------------------------------------------------------------------- */

/* The next word of the head or "=". */
static bool next_head_word(reader *r, pci_word *word)
{
    while (r->at < r->end && (pci_is_space(*r->at) || *r->at == ','))
        r->at++;
    if (r->at == r->end || *r->at != '=')
        return take_word(r, ",=", word);
    *word = (pci_word){r->at++, 1};
    return true;
}

/* Returns whether a word of the head is this one, perhaps with a colon. */
static bool is_word(pci_word word, const char *other)
{
    size_t colon = word.length > 0 && word.text[word.length - 1] == ':';
    return pci_is_word_any_case(word.text, word.length - colon, other);
}

static pc_status fail_head(const reader *r, pci_word word)
{
    return pci_input_fail(r->c->input, word.text,
                          "'%.*s' is not expected in the head of DL, which has 'dl n = N', "
                          "'format = fullmatrix' or 'edgelist1', perhaps 'labels:', and ends by "
                          "'data:'",
                          pci_word_shown(word), word.text);
}

static pc_status take_setting(reader *r, pci_word key, pci_word value)
{
    uint64_t number;
    bool is_size = is_word(key, "n");
    if (is_word(key, "diagonal"))
        return PC_OK;
    for (size_t i = 0; i < sizeof format_names / sizeof *format_names && is_word(key, "format");
         i++)
        if (is_word(value, format_names[i])) {
            r->format = (data_format)i;
            return PC_OK;
        }
    if (is_word(key, "format"))
        return pci_input_fail(r->c->input, value.text,
                              "the format %.*s of DL is not read: fullmatrix, edgelist1 and "
                              "nodelist1 are",
                              pci_word_shown(value), value.text);
    if (pci_integer_parse(value.text, value.length, &number) != PCI_INTEGER)
        return fail_head(r, value);
    for (int i = 0; i < N_SIZES; i++)
        if (is_word(key, size_names[i]) || (i < RELATIONS && is_word(key, "n"))) {
            r->size[i] = number;
            is_size = true;
        }
    return is_size ? PC_OK : fail_head(r, key);
}

/* Takes the names behind "labels:", or notes that they are embedded in the data. kind is the word before, as in "row
 * labels:". */
static pc_status take_labels(reader *r, pci_word kind)
{
    bool of_columns = is_word(kind, "column") || is_word(kind, "col");
    bool of_levels = is_word(kind, "level") || is_word(kind, "matrix");
    uint64_t n = r->size[of_levels ? RELATIONS : ROWS];
    const char *before = r->at;
    pci_names *names = of_columns ? &r->columns : &r->c->names;
    pci_word word;
    uint32_t number;
    if (next_head_word(r, &word) && is_word(word, "embedded")) {
        r->row_names = r->row_names || !of_columns;
        r->column_names = r->column_names || !is_word(kind, "row");
        return PC_OK;
    }
    r->at = before;
    for (uint64_t i = 0; i < n; i++) {
        if (!next_head_word(r, &word) || is_word(word, "data"))
            return pci_input_fail(r->c->input, word.text,
                                  "%" PRIu64 " labels, and there must be %" PRIu64, i, n);
        if (of_levels)
            continue;
        if (pci_names_add(r->c->input->context, names, word.text, word.length, &number))
            return pci_fail_memory(r->c->input->context, "labels", n);
        if (number != i)
            return pci_input_fail(r->c->input, word.text, "two vertices are called '%.*s'",
                                  pci_word_shown(word), word.text);
    }
    return PC_OK;
}

/* Takes the words up to "data:". */
static pc_status take_settings(reader *r)
{
    pci_word word, next, kind = {r->at, 0};
    pc_status status = PC_OK;
    bool is_open = next_head_word(r, &word) && is_word(word, "dl");
    if (!is_open)
        return fail_head(r, word);
    while (status == PC_OK && (is_open = next_head_word(r, &word)) && !is_word(word, "data")) {
        const char *before = r->at;
        bool is_setting = next_head_word(r, &next) && next.length == 1 && *next.text == '=';
        bool is_kind = is_word(next, "labels");
        if (is_setting) {
            next_head_word(r, &next);
            status = take_setting(r, word, next);
            continue;
        }
        r->at = before;
        if (is_word(word, "labels"))
            status = take_labels(r, kind);
        else if (!is_kind && !is_word(word, "diagonal") && !is_word(word, "present") &&
                 !is_word(word, "absent"))
            status = fail_head(r, word);
        kind = is_kind ? word : (pci_word){word.text, 0};
    }
    if (status == PC_OK && !is_open)
        return pci_input_fail(r->c->input, r->end - 1, "the file ends before 'data:'");
    return status;
}

static pc_status read_head(reader *r)
{
    const pci_input *input = r->c->input;
    const char *begin = r->at;
    pc_status status = take_settings(r);
    if (status)
        return status;
    if (r->size[ROWS] != r->size[COLUMNS])
        return pci_input_fail(
            input, begin, "%" PRIu64 " rows and %" PRIu64 " columns: an adjacency matrix is square",
            r->size[ROWS], r->size[COLUMNS]);
    if (r->size[RELATIONS] > 1)
        return pci_input_fail(input, begin,
                              "nm = %" PRIu64 " relations, and a graph has one: keep one",
                              r->size[RELATIONS]);
    if (r->size[ROWS] == 0)
        return pci_input_fail(input, begin,
                              "the head does not say 'n = N', the number of vertices");
    if (r->c->names.n == 0) {
        pci_names_free(input->context, &r->c->names);
        r->c->names = r->columns;
        r->columns = (pci_names){0};
    }
    r->is_listed = r->c->names.n > 0;
    for (uint64_t i = 0; i < r->columns.n; i++) {
        size_t n;
        uint32_t number;
        const char *text = pci_names_text(&r->columns, i, &n);
        if (!pci_names_find(&r->c->names, text, n, &number) || number != i)
            return pci_input_fail(input, begin,
                                  "rows and columns have other labels: an adjacency matrix has "
                                  "the same vertices in both");
    }
    return pci_collect_number(r->c, begin, 1, r->size[ROWS]);
}

/* ---- The data -------------------------------------------------------------------------------- */

/* The next word of the line of data; *found is false at its end. */
static pc_status next_data_word(reader *r, pci_word *word, bool *found)
{
    *found = take_word(r, ",", word);
    return r->at == r->end || *r->at != ','
               ? PC_OK
               : pci_input_fail(r->c->input, r->at,
                                "a comma in the data: separate numbers by blanks");
}

static bool next_line(reader *r)
{
    bool found = pci_collect_line(r->c, "", false);
    if (found) {
        r->at = r->c->at;
        r->end = r->c->line_end;
    }
    return found;
}

/* The vertex, from 0 on, of a number, or of a name where the data have names. Names that are not listed get the next
 * number when they first occur. */
static pc_status find_vertex(reader *r, pci_word word, uint32_t *vertex)
{
    pci_collect *c = r->c;
    uint64_t number;
    if (r->row_names || r->column_names) {
        if (pci_names_find(&c->names, word.text, word.length, vertex))
            return PC_OK;
        if (r->is_listed)
            return pci_input_fail(c->input, word.text, "no vertex is called '%.*s'",
                                  pci_word_shown(word), word.text);
        if (c->names.n == c->n_vertices)
            return pci_input_fail(c->input, word.text,
                                  "'%.*s' is one vertex more than the %" PRIu64 " promised",
                                  pci_word_shown(word), word.text, c->n_vertices);
        return pci_collect_vertex(c, word.text, word.length, vertex);
    }
    if (pci_integer_parse(word.text, word.length, &number) != PCI_INTEGER)
        return pci_input_fail(c->input, word.text,
                              "'%.*s' is not the number of a vertex; names in the data need "
                              "'labels embedded:' before 'data:'",
                              pci_word_shown(word), word.text);
    return pci_collect_numbered(c, number, vertex);
}

/* "from to [weight]", or "from to to ...". */
static pc_status read_list_line(reader *r)
{
    uint32_t vertex[2];
    uint64_t weight, n = 0;
    bool found, is_list = r->format == NODE_LIST;
    pci_word word;
    pc_status status;
    for (; (status = next_data_word(r, &word, &found)) == PC_OK && found; n++) {
        if (!is_list && n > 2)
            break;
        status = !is_list && n == 2 ? pci_collect_weight(r->c, word.text, word.length, &weight)
                                    : find_vertex(r, word, &vertex[n > 0]);
        if (status == PC_OK && n > 0 && is_list)
            status = pci_collect_edge(r->c, vertex[0], vertex[1], NULL);
        if (status)
            return status;
    }
    if (status || n == 0)
        return status;
    if (n < 2 || found)
        return pci_collect_fail(r->c, "an edge of DL is two vertices and perhaps a weight");
    return is_list ? PC_OK : pci_collect_edge(r->c, vertex[0], vertex[1], n == 3 ? &weight : NULL);
}

/* The next word of a matrix, perhaps on a later line. */
static pc_status next_entry(reader *r, pci_word *word, uint64_t n_rows)
{
    bool found;
    pc_status status;
    while ((status = next_data_word(r, word, &found)) == PC_OK && !found)
        if (!next_line(r))
            return pci_input_fail_at(r->c->input, r->c->input->n_all,
                                     "the matrix has %" PRIu64 " rows and must have %" PRIu64,
                                     n_rows, r->c->n_vertices);
    return status;
}

/* The name of the row, where the data have it, and its entries. Row -1 has the names of columns. */
static pc_status read_row(reader *r, int64_t row)
{
    const char *begin = NULL;
    uint64_t weight, n = r->c->n_vertices, n_done = row < 0 ? 0 : (uint64_t)row;
    uint32_t vertex;
    bool found;
    pci_word word;
    pc_status status = PC_OK;
    if (row >= 0 && r->row_names) {
        if ((status = next_entry(r, &word, n_done)) || (status = find_vertex(r, word, &vertex)))
            return status;
        begin = word.text;
        pci_word wanted = {.text = pci_names_text(&r->c->names, n_done, &wanted.length)};
        if (vertex != n_done)
            return pci_input_fail(
                r->c->input, word.text, "the row is called '%.*s' and its column '%.*s'",
                pci_word_shown(word), word.text, pci_word_shown(wanted), wanted.text);
    }
    for (uint64_t j = 0; j < n; j++) {
        if ((status = next_entry(r, &word, n_done)))
            return status;
        begin = begin ? begin : word.text;
        if (row < 0)
            status = r->is_listed ? PC_OK : find_vertex(r, word, &vertex);
        else if ((status = pci_collect_weight(r->c, word.text, word.length, &weight)) == PC_OK &&
                 weight > 0)
            status = pci_collect_edge(r->c, (uint32_t)row, (uint32_t)j, &weight);
        if (status)
            return status;
    }
    status = next_data_word(r, &word, &found);
    return status || !found ? status
                            : pci_input_fail(r->c->input, begin,
                                             "the matrix row has more than %" PRIu64 " entries", n);
}

pc_status pci_dl_read(pci_collect *c)
{
    reader r = {.c = c, .at = c->next, .end = c->input->text + c->input->n_bytes};
    c->stated = PC_DIRECTED;
    c->states_direction = true; /* an entry is an arc */
    pc_status status = read_head(&r);
    c->next = r.end = r.at; /* the data begin behind "data:", on its line or the next one */
    c->is_matrix = r.format == FULL_MATRIX;
    if (status == PC_OK && c->is_matrix && r.column_names)
        status = read_row(&r, -1);
    for (uint64_t row = 0; c->is_matrix && status == PC_OK && row < c->n_vertices; row++)
        status = read_row(&r, (int64_t)row);
    while (status == PC_OK && next_line(&r))
        status = c->is_matrix
                     ? pci_collect_fail(c, "the matrix has more rows than %" PRIu64, c->n_vertices)
                     : read_list_line(&r);
    c->is_numbered = c->names.n < c->n_vertices;
    pci_names_free(c->input->context, &r.columns);
    return status;
}

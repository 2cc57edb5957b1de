/* The scan of DL (UCINET). igraph reads few of the heads that UCINET and sna write, stops without a
 * word at a comma in the data, and does not count the entries of a matrix. So the file is read here,
 * and igraph gets its vertices and arcs as Pajek. */
#include "graphs/igraph_scan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef enum dl_format { FULL_MATRIX, EDGE_LIST, NODE_LIST, OTHER_FORMAT } dl_format;

typedef struct dl_scan {
    pci_igraph_text *text;
    const char *at, *end; /* the next line of the data; in the head the next word */
    pci_igraph_span line; /* the rest of the line of data */
    uint64_t n, n_rows, n_columns, n_relations;
    dl_format format;
    bool row_names, column_names; /* stand in the data */
    pci_igraph_names names;       /* of the vertices */
    pci_igraph_names columns;     /* of columns, when they are listed apart */
    pci_igraph_weight_lines weights;
    bool has_others; /* entries that are neither 0 nor 1 */
    bool writes;     /* the data are read a second time, and written */
    uint64_t
        *number; /* of the name of an end, by its place among the names; NULL: names are listed */
} dl_scan;

enum { SHOWN_BYTES = 40 };

static int shown(pci_igraph_span word)
{
    size_t n = pci_igraph_span_bytes(word);
    return (int)(n < SHOWN_BYTES ? n : SHOWN_BYTES);
}

static pc_status fail_memory(const dl_scan *scan)
{
    return pci_igraph_fail(scan->text->context, PC_ERR_MEMORY, "%s: out of memory",
                           scan->text->path);
}

/* ---- Words ----------------------------------------------------------------------------------- */

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Takes a word, or a text in quotes without these, from *at on. The word ends before a stop. */
static pci_igraph_span take_word(const char **at, const char *end, const char *stops)
{
    const char *from = *at;
    const char *quote = *from == '"' ? memchr(from + 1, '"', (size_t)(end - from - 1)) : NULL;
    if (quote) {
        *at = quote + 1;
        return (pci_igraph_span){from + 1, quote};
    }
    while (*at < end && !is_space(**at) && !strchr(stops, **at))
        ++*at;
    return (pci_igraph_span){from, *at};
}

/* The next word of the head or "="; false at the end of the text. */
static bool next_head_word(dl_scan *scan, pci_igraph_span *word)
{
    while (scan->at < scan->end && (is_space(*scan->at) || *scan->at == ','))
        scan->at++;
    *word = (pci_igraph_span){scan->at, scan->at};
    if (scan->at == scan->end)
        return false;
    if (*scan->at == '=')
        *word = (pci_igraph_span){scan->at, ++scan->at};
    else
        *word = take_word(&scan->at, scan->end, ",=");
    return true;
}

/* Returns whether a word of the head is this one, perhaps with a colon. */
static bool is_word(pci_igraph_span word, const char *lower_case)
{
    word.end -= word.end > word.at && word.end[-1] == ':';
    return pci_igraph_word_is(word, lower_case);
}

/* The next word of the line of data; false at its end. */
static pc_status next_data_word(dl_scan *scan, pci_igraph_span *word, bool *found)
{
    while (scan->line.at < scan->line.end && is_space(*scan->line.at))
        scan->line.at++;
    *found = scan->line.at < scan->line.end;
    if (!*found)
        return PC_OK;
    *word = take_word(&scan->line.at, scan->line.end, ",");
    if (scan->line.at < scan->line.end && *scan->line.at == ',')
        return pci_igraph_text_fail(scan->text, scan->line.at,
                                    "a comma in the data: separate numbers by blanks");
    return PC_OK;
}

/* ---- The head -------------------------------------------------------------------------------- */

static pc_status fail_head(const dl_scan *scan, pci_igraph_span word)
{
    return pci_igraph_text_fail(scan->text, word.at,
                                "'%.*s' is not expected in the head of DL, which has 'dl n = N', "
                                "'format = fullmatrix' or 'edgelist1', perhaps 'labels:', and ends "
                                "by 'data:'",
                                shown(word), word.at);
}

static pc_status take_format(dl_scan *scan, pci_igraph_span value)
{
    static const char *const names[] = {"fullmatrix", "edgelist1", "nodelist1"};
    scan->format = FULL_MATRIX;
    while (scan->format < OTHER_FORMAT && !pci_igraph_word_is(value, names[scan->format]))
        scan->format++;
    if (scan->format < OTHER_FORMAT)
        return PC_OK;
    return pci_igraph_text_fail(scan->text, value.at,
                                "the format %.*s of DL is not read: fullmatrix, edgelist1 and "
                                "nodelist1 are",
                                shown(value), value.at);
}

static pc_status take_setting(dl_scan *scan, pci_igraph_span key, pci_igraph_span value)
{
    if (pci_igraph_word_is(key, "format"))
        return take_format(scan, value);
    if (pci_igraph_word_is(key, "n"))
        scan->n_rows = scan->n_columns = pci_igraph_word_number(value);
    else if (pci_igraph_word_is(key, "nr"))
        scan->n_rows = pci_igraph_word_number(value);
    else if (pci_igraph_word_is(key, "nc"))
        scan->n_columns = pci_igraph_word_number(value);
    else if (pci_igraph_word_is(key, "nm"))
        scan->n_relations = pci_igraph_word_number(value);
    else if (!pci_igraph_word_is(key, "diagonal"))
        return fail_head(scan, key);
    return PC_OK;
}

/* Reads the names behind "labels:", or notes that they are embedded in the data. kind is the word
 * before, as in "row labels:". */
static pc_status take_labels(dl_scan *scan, pci_igraph_span kind)
{
    bool of_rows = is_word(kind, "row"),
         of_columns = is_word(kind, "column") || is_word(kind, "col");
    bool of_levels = is_word(kind, "level") || is_word(kind, "matrix");
    pci_igraph_names *names = of_columns ? &scan->columns : &scan->names;
    uint64_t n = of_levels ? scan->n_relations : scan->n_rows;
    const char *before = scan->at;
    pci_igraph_span word;
    if (next_head_word(scan, &word) && is_word(word, "embedded")) {
        scan->row_names = scan->row_names || !of_columns;
        scan->column_names = scan->column_names || !of_rows;
        return PC_OK;
    }
    scan->at = before;
    for (uint64_t i = 0; i < n; i++) {
        if (!next_head_word(scan, &word) || is_word(word, "data"))
            return pci_igraph_text_fail(scan->text, word.at,
                                        "%" PRIu64 " labels, and there must be %" PRIu64, i, n);
        if (!of_levels && !pci_igraph_names_add(names, word))
            return fail_memory(scan);
    }
    return PC_OK;
}

/* Reads up to "data:". */
static pc_status read_head(dl_scan *scan)
{
    pci_igraph_span word, next, kind = {scan->at, scan->at};
    pc_status status = PC_OK;
    next_head_word(scan, &word);
    if (!pci_igraph_word_is(word, "dl"))
        return fail_head(scan, word);
    while (status == PC_OK && next_head_word(scan, &word) && !is_word(word, "data")) {
        const char *before = scan->at;
        if (next_head_word(scan, &next) && pci_igraph_span_is(next, "=")) {
            next_head_word(scan, &next);
            status = take_setting(scan, word, next);
            continue;
        }
        scan->at = before;
        if (is_word(word, "labels"))
            status = take_labels(scan, kind);
        else if (!is_word(next, "labels") && !is_word(word, "diagonal") &&
                 !is_word(word, "present") && !is_word(word, "absent"))
            status = fail_head(scan, word);
        kind = is_word(next, "labels") ? word : (pci_igraph_span){word.at, word.at};
    }
    if (status == PC_OK && pci_igraph_span_bytes(word) == 0)
        return pci_igraph_text_fail(scan->text, scan->end - 1, "the file ends before 'data:'");
    return status;
}

static bool are_same(const pci_igraph_names *a, const pci_igraph_names *b)
{
    bool same = a->n == b->n;
    for (uint64_t i = 0; i < a->n && same; i++)
        same = pci_igraph_span_bytes(a->name[i]) == pci_igraph_span_bytes(b->name[i]) &&
               memcmp(a->name[i].at, b->name[i].at, pci_igraph_span_bytes(a->name[i])) == 0;
    return same;
}

static pc_status check_head(dl_scan *scan)
{
    const pci_igraph_text *text = scan->text;
    scan->n = scan->n_rows;
    if (scan->n_rows != scan->n_columns)
        return pci_igraph_text_fail(text, text->bytes,
                                    "%" PRIu64 " rows and %" PRIu64
                                    " columns: an adjacency matrix is square",
                                    scan->n_rows, scan->n_columns);
    if (scan->n_relations > 1)
        return pci_igraph_text_fail(text, text->bytes,
                                    "nm = %" PRIu64 " relations, and a graph has one: keep one",
                                    scan->n_relations);
    if (scan->n == 0)
        return pci_igraph_text_fail(text, text->bytes,
                                    "the head does not say 'n = N', the number "
                                    "of vertices");
    if (scan->columns.n > 0 && scan->names.n > 0 && !are_same(&scan->columns, &scan->names))
        return pci_igraph_text_fail(text, text->bytes,
                                    "rows and columns have other labels: an adjacency matrix has "
                                    "the same vertices in both");
    if (scan->names.n == 0) {
        pci_igraph_names none = scan->names;
        scan->names = scan->columns;
        scan->columns = none;
    }
    return PC_OK;
}

/* ---- Names ----------------------------------------------------------------------------------- */

static bool has_embedded(const dl_scan *scan)
{
    return scan->row_names || scan->column_names;
}

/* Names that are listed are different. */
static pc_status check_listed(const dl_scan *scan)
{
    for (uint64_t i = 0; i < scan->names.n; i++)
        if (pci_igraph_names_find(&scan->names, scan->names.name[i]) != i)
            return pci_igraph_text_fail(scan->text, scan->names.name[i].at,
                                        "two vertices are called '%.*s'",
                                        shown(scan->names.name[i]), scan->names.name[i].at);
    return PC_OK;
}

/* Numbers the vertices by the places where their names occur first in the data. */
static pc_status number_found(dl_scan *scan)
{
    uint64_t n_found = 0;
    scan->number = malloc((scan->names.n + 1) * sizeof *scan->number);
    if (!scan->number)
        return fail_memory(scan);
    for (uint64_t i = 0; i < scan->names.n; i++) {
        scan->number[i] = n_found;
        n_found += pci_igraph_names_find(&scan->names, scan->names.name[i]) == i;
    }
    if (n_found <= scan->n)
        return PC_OK;
    return pci_igraph_text_fail(scan->text, scan->text->bytes,
                                "%" PRIu64 " vertices promised, and the data name %" PRIu64,
                                scan->n, n_found);
}

/* The vertex, from 1 on, of a word of the data. */
static pc_status find_vertex(const dl_scan *scan, pci_igraph_span word, uint64_t *vertex)
{
    uint64_t place = has_embedded(scan) ? pci_igraph_names_find(&scan->names, word) : 0;
    if (!has_embedded(scan)) {
        *vertex = pci_igraph_word_number(word);
        for (const char *c = word.at; c < word.end; c++)
            if (*c < '0' || *c > '9')
                return pci_igraph_text_fail(
                    scan->text, word.at,
                    "'%.*s' is not the number of a vertex; names in the data "
                    "need 'labels embedded:' before 'data:'",
                    shown(word), word.at);
        return pci_igraph_check_ids(scan->text, word, 1, scan->n);
    }
    if (place == scan->names.n)
        return pci_igraph_text_fail(scan->text, word.at, "no vertex is called '%.*s'", shown(word),
                                    word.at);
    *vertex = 1 + (scan->number ? scan->number[place] : place);
    return PC_OK;
}

/* ---- The data -------------------------------------------------------------------------------- */

static void write_arc(dl_scan *scan, uint64_t from, uint64_t to, pci_igraph_span weight)
{
    pci_igraph_put_format(scan->text, "%" PRIu64 " %" PRIu64 " ", from, to);
    pci_igraph_put(scan->text, weight.at, pci_igraph_span_bytes(weight));
    pci_igraph_put(scan->text, "\n", 1);
}

static pc_status take_number(const dl_scan *scan, pci_igraph_span word, double *value)
{
    char text[64], *end;
    size_t n = pci_igraph_span_bytes(word);
    n = n < sizeof text ? n : sizeof text - 1;
    memcpy(text, word.at, n);
    text[n] = '\0';
    *value = strtod(text, &end);
    if (n > 0 && *end == '\0' && strspn(text, "0123456789+-.eE") == n)
        return PC_OK;
    return pci_igraph_text_fail(scan->text, word.at, "'%.*s' is not a number", shown(word),
                                word.at);
}

/* "from to [weight]", or "from to to ...". */
static pc_status read_list_line(dl_scan *scan)
{
    pci_igraph_span word, first = scan->line;
    uint64_t vertex[2], n = 0;
    bool found = true, has_weight = false;
    double value;
    pc_status status = PC_OK;
    for (; (status = next_data_word(scan, &word, &found)) == PC_OK && found; n++) {
        bool is_weight = n == 2 && scan->format == EDGE_LIST;
        if (n > 2 && scan->format == EDGE_LIST)
            return pci_igraph_text_fail(scan->text, first.at,
                                        "an edge of DL is two vertices and perhaps a weight");
        has_weight = has_weight || is_weight;
        if (is_weight)
            status = take_number(scan, word, &value);
        else if (scan->writes)
            status = find_vertex(scan, word, &vertex[n > 0]);
        else if (has_embedded(scan) && !pci_igraph_names_add(&scan->names, word))
            status = fail_memory(scan);
        if (status != PC_OK)
            return status;
        if (scan->writes && n > 0 && scan->format == NODE_LIST)
            write_arc(scan, vertex[0], vertex[1], (pci_igraph_span){word.at, word.at});
    }
    if (status != PC_OK || n == 0 || !scan->writes)
        return status;
    if (n < 2)
        return pci_igraph_text_fail(scan->text, first.at,
                                    "an edge of DL is two vertices and perhaps a weight");
    if (scan->format == EDGE_LIST)
        write_arc(scan, vertex[0], vertex[1],
                  has_weight ? word : (pci_igraph_span){first.at, first.at});
    return pci_igraph_note_weight(scan->text, &scan->weights, first.at, has_weight);
}

static pc_status read_list(dl_scan *scan)
{
    pc_status status = PC_OK;
    while (status == PC_OK && pci_igraph_next_line(&scan->at, scan->end, &scan->line))
        status = read_list_line(scan);
    return status;
}

/* The next word of a matrix, perhaps on a later line. */
static pc_status next_entry(dl_scan *scan, pci_igraph_span *word, uint64_t n_rows)
{
    bool found;
    pc_status status;
    while ((status = next_data_word(scan, word, &found)) == PC_OK && !found)
        if (!pci_igraph_next_line(&scan->at, scan->end, &scan->line))
            return pci_igraph_text_fail(scan->text, scan->end - 1,
                                        "the matrix has %" PRIu64 " rows and must have %" PRIu64,
                                        n_rows, scan->n);
    return status;
}

/* A row may go on in the next lines, but it ends where a line ends. */
static pc_status end_row(dl_scan *scan, const char *begin)
{
    pci_igraph_span word;
    bool found;
    pc_status status = next_data_word(scan, &word, &found);
    if (status != PC_OK || !found)
        return status;
    return pci_igraph_text_fail(scan->text, begin,
                                "the matrix row that begins here has not %" PRIu64
                                " entries up to the end of a line",
                                scan->n);
}

static pc_status read_row(dl_scan *scan, uint64_t row)
{
    pci_igraph_span word;
    const char *begin = NULL;
    pc_status status = PC_OK;
    for (uint64_t j = 0; status == PC_OK && j < scan->n + scan->row_names; j++) {
        uint64_t column = j - scan->row_names;
        double value = 0;
        status = next_entry(scan, &word, row);
        begin = begin ? begin : word.at;
        if (status != PC_OK)
            return status;
        if (j == 0 && scan->row_names) {
            if (!scan->writes && scan->names.n == row && !pci_igraph_names_add(&scan->names, word))
                status = fail_memory(scan);
            pci_igraph_span wanted = scan->names.name[row];
            if (pci_igraph_span_bytes(wanted) != pci_igraph_span_bytes(word) ||
                memcmp(wanted.at, word.at, pci_igraph_span_bytes(word)) != 0)
                status = pci_igraph_text_fail(scan->text, word.at,
                                              "the row is called '%.*s' and its column '%.*s'",
                                              shown(word), word.at, shown(wanted), wanted.at);
            continue;
        }
        status = take_number(scan, word, &value);
        scan->has_others = scan->has_others || (value != 0 && value != 1);
        if (scan->writes && value != 0)
            write_arc(scan, row + 1, column + 1,
                      scan->has_others ? word : (pci_igraph_span){word.at, word.at});
    }
    return status == PC_OK ? end_row(scan, begin) : status;
}

static pc_status read_matrix(dl_scan *scan)
{
    pci_igraph_span word;
    bool is_listed = scan->names.n > 0;
    pc_status status = PC_OK;
    for (uint64_t j = 0; scan->column_names && status == PC_OK && j < scan->n; j++) {
        status = next_entry(scan, &word, 0);
        if (status == PC_OK && !is_listed && !pci_igraph_names_add(&scan->names, word))
            status = fail_memory(scan);
    }
    if (status == PC_OK && scan->column_names)
        status = end_row(scan, word.at);
    for (uint64_t row = 0; status == PC_OK && row < scan->n; row++)
        status = read_row(scan, row);
    while (status == PC_OK && pci_igraph_next_line(&scan->at, scan->end, &scan->line)) {
        const char *begin = scan->line.at;
        if (pci_igraph_next_word(&scan->line, &word))
            status = pci_igraph_text_fail(scan->text, begin,
                                          "the matrix has more rows than %" PRIu64, scan->n);
    }
    return status;
}

static pc_status read_data(dl_scan *scan, const char *begin)
{
    scan->at = begin;
    scan->line = (pci_igraph_span){begin, begin};
    return scan->format == FULL_MATRIX ? read_matrix(scan) : read_list(scan);
}

/* ---- The whole text -------------------------------------------------------------------------- */

static pc_status write_vertices(const dl_scan *scan)
{
    pci_igraph_text *text = scan->text;
    pci_igraph_put_format(text, "*Vertices %" PRIu64 "\n", scan->n);
    for (uint64_t i = 0; i < scan->names.n; i++) {
        pci_igraph_span name = scan->names.name[i];
        if (scan->number && pci_igraph_names_find(&scan->names, name) != i)
            continue;
        if (memchr(name.at, '"', pci_igraph_span_bytes(name)))
            return pci_igraph_text_fail(text, name.at, "a label with a double quote in it");
        pci_igraph_put_format(text, "%" PRIu64 " \"", 1 + (scan->number ? scan->number[i] : i));
        pci_igraph_put(text, name.at, pci_igraph_span_bytes(name));
        pci_igraph_put(text, "\"\n", 2);
    }
    pci_igraph_put_format(text, "*Arcs\n");
    return PC_OK;
}

/* The data are read twice: for their names and flaws, and to be written. */
static pc_status read_twice(dl_scan *scan)
{
    const char *begin = scan->at;
    bool is_list = scan->format != FULL_MATRIX, is_listed = scan->names.n > 0;
    pc_status status = PC_OK;
    if (!(is_list && is_listed))
        status = read_data(scan, begin);
    if (status == PC_OK && !pci_igraph_names_sort(&scan->names))
        status = fail_memory(scan);
    if (status == PC_OK && is_list && !is_listed && has_embedded(scan))
        status = number_found(scan);
    else if (status == PC_OK)
        status = check_listed(scan);
    if (status == PC_OK)
        status = write_vertices(scan);
    scan->writes = true;
    return status == PC_OK ? read_data(scan, begin) : status;
}

pc_status pci_igraph_scan_dl(pci_igraph_text *text)
{
    dl_scan scan = {.text = text, .at = text->bytes, .end = text->bytes + text->n_bytes};
    pc_status status = read_head(&scan);
    if (status == PC_OK)
        status = check_head(&scan);
    text->n_declared = scan.n;
    text->stated = PC_DIRECTED;
    text->is_matrix = scan.format == FULL_MATRIX;
    if (status == PC_OK)
        status = read_twice(&scan);
    pci_igraph_names_free(&scan.names);
    pci_igraph_names_free(&scan.columns);
    free(scan.number);
    return status;
}

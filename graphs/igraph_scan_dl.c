/* The scan of DL (UCINET). igraph stops without a word at a comma in the data, and does not count
 * the entries of a matrix. */
#include "graphs/igraph_scan.h"

#include <inttypes.h>
#include <string.h>

typedef struct dl_scan {
    pci_igraph_text *text;
    uint64_t n;      /* vertices */
    bool is_matrix;  /* format=fullmatrix, or no format */
    uint64_t n_ids;  /* of a line, those at most that are vertices; the others are labels */
    bool embedded;   /* labels stand in the data */
    uint64_t n_skip; /* words of the labels before the first row of a matrix */
    uint64_t n_rows;
} dl_scan;

/* The text behind the last "=" of a word; the whole word when there is none. */
static pci_igraph_span after_equals(pci_igraph_span word)
{
    for (const char *at = word.at; at < word.end; at++)
        word.at = *at == '=' ? at + 1 : word.at;
    return word;
}

/* The number of "dl n = 5", whatever blanks are in between. */
static uint64_t declared_vertices(pci_igraph_span line)
{
    const char *equals = memchr(line.at, '=', pci_igraph_span_bytes(line));
    pci_igraph_span word, rest = {equals ? equals + 1 : line.end, line.end};
    pci_igraph_next_word(&rest, &word);
    return pci_igraph_word_number(word);
}

/* Reads the words up to "data:" of a line; false when it is not there. */
static bool read_header_line(dl_scan *scan, pci_igraph_span *line)
{
    pci_igraph_span word, before = {line->at, line->at};
    for (; pci_igraph_next_word(line, &word); before = word) {
        if (pci_igraph_word_is(word, "data:"))
            return true;
        if (pci_igraph_word_is(before, "labels") &&
            (pci_igraph_word_is(word, "embedded") || pci_igraph_word_is(word, "embedded:")))
            scan->embedded = true;
        pci_igraph_span value = after_equals(word);
        bool is_value = value.at != word.at || (before.end > before.at && before.end[-1] == '=');
        if (is_value && pci_igraph_word_is(value, "edgelist1")) {
            scan->is_matrix = false;
            scan->n_ids = 2;
        } else if (is_value && pci_igraph_word_is(value, "nodelist1")) {
            scan->is_matrix = false;
            scan->n_ids = UINT64_MAX;
        }
    }
    return false;
}

static pc_status read_matrix_line(dl_scan *scan, pci_igraph_span line)
{
    uint64_t n_words = pci_igraph_count_words(line), n_wanted = scan->n + scan->embedded;
    if (n_words <= scan->n_skip) {
        scan->n_skip -= n_words;
        return PC_OK;
    }
    scan->n_rows++;
    if (scan->n_skip > 0 || n_words != n_wanted) {
        return pci_igraph_text_fail(scan->text, line.at,
                                    "the matrix row has %" PRIu64 " words and must have %" PRIu64,
                                    n_words, n_wanted);
    }
    return PC_OK;
}

static pc_status read_data_line(dl_scan *scan, pci_igraph_span line)
{
    const char *comma = memchr(line.at, ',', pci_igraph_span_bytes(line));
    if (comma) {
        return pci_igraph_text_fail(scan->text, comma,
                                    "a comma in the data: separate numbers by blanks");
    }
    if (scan->is_matrix)
        return read_matrix_line(scan, line);
    return pci_igraph_check_ids(scan->text, line, scan->embedded ? 0 : scan->n_ids, scan->n);
}

pc_status pci_igraph_scan_dl(pci_igraph_text *text)
{
    dl_scan scan = {.text = text, .is_matrix = true};
    pci_igraph_span line;
    const char *end = text->bytes + text->n_bytes;
    const char *at = text->bytes;
    bool in_data = false;
    pc_status status = PC_OK;
    if (pci_igraph_next_line(&at, end, &line)) {
        scan.n = text->n_declared = declared_vertices(line);
        in_data = read_header_line(&scan, &line);
    }
    while (!in_data && pci_igraph_next_line(&at, end, &line))
        in_data = read_header_line(&scan, &line);
    scan.n_skip = scan.embedded ? scan.n : 0;
    for (bool more = in_data; more && status == PC_OK;) {
        status = read_data_line(&scan, line);
        more = pci_igraph_next_line(&at, end, &line);
    }
    if (status == PC_OK && scan.is_matrix && in_data && scan.n_rows != scan.n) {
        status = pci_igraph_text_fail(text, end - 1,
                                      "the matrix has %" PRIu64 " rows and must have %" PRIu64,
                                      scan.n_rows, scan.n);
    }
    text->stated = PC_DIRECTED;
    return status;
}

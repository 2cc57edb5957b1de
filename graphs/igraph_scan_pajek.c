/* The scan of Pajek. igraph takes the direction of the last section for the whole graph. So a file
 * with arcs and edges is refused, and empty sections at the end are cut. igraph does not count the
 * entries of a matrix, and it adds up the relations of a file that has several. Words that igraph
 * does not know are left to it. */
#include "graphs/igraph_scan.h"

#include <inttypes.h>
#include <string.h>

typedef enum section_kind {
    SECTION_VERTICES,
    SECTION_LINES, /* an edge a line, perhaps with a weight */
    SECTION_LISTS,
    SECTION_MATRIX
} section_kind;

typedef struct section_word {
    const char *word;
    section_kind kind;
    pc_direction direction;
    uint64_t n_ids;            /* words of a line that are vertices, at most */
    const char *directed_word; /* of the section that has the same lines as arcs */
} section_word;

static const section_word section_words[] = {
    {"*vertices", SECTION_VERTICES, PC_DIRECTION_OF_FORMAT, 1, NULL},
    {"*arcs", SECTION_LINES, PC_DIRECTED, 2, NULL},
    {"*edges", SECTION_LINES, PC_UNDIRECTED, 2, "*arcs"},
    {"*arcslist", SECTION_LISTS, PC_DIRECTED, UINT64_MAX, NULL},
    {"*edgeslist", SECTION_LISTS, PC_UNDIRECTED, UINT64_MAX, "*arcslist"},
    {"*matrix", SECTION_MATRIX, PC_DIRECTED, 0, NULL},
};

typedef struct pajek_scan {
    pci_igraph_text *text;
    const section_word *section; /* NULL: none yet, or one not known here */
    pci_igraph_span header;      /* its word */
    pci_igraph_weight_lines weights;
    uint64_t n_vertices;
    uint64_t n_first_mode;  /* vertices of the first mode; 0 in a file of one mode */
    uint64_t n_matrix_rows; /* of the running section */
    bool has_data;          /* the running section has some */
    unsigned had_data;      /* bit i: so had a section of section_words[i] */
    const char *next_line;
    const char *data_end; /* behind the last line that means something */
} pajek_scan;

static uint64_t rows_wanted(const pajek_scan *scan)
{
    return scan->n_first_mode != 0 ? scan->n_first_mode : scan->n_vertices;
}

static uint64_t columns_wanted(const pajek_scan *scan)
{
    return scan->n_vertices - scan->n_first_mode;
}

static pc_status end_section(const pajek_scan *scan)
{
    if (scan->section && scan->section->kind == SECTION_MATRIX &&
        scan->n_matrix_rows != rows_wanted(scan)) {
        return pci_igraph_text_fail(scan->text, scan->data_end - 1,
                                    "the matrix has %" PRIu64 " rows and must have %" PRIu64,
                                    scan->n_matrix_rows, rows_wanted(scan));
    }
    return PC_OK;
}

static pc_status begin_section(pajek_scan *scan, pci_igraph_span word, pci_igraph_span line)
{
    pc_status status = end_section(scan);
    scan->section = NULL;
    scan->header = word;
    scan->n_matrix_rows = 0;
    scan->has_data = false;
    for (size_t i = 0; i < sizeof section_words / sizeof *section_words; i++)
        if (pci_igraph_word_is(word, section_words[i].word))
            scan->section = &section_words[i];
    if (scan->section && scan->section->kind == SECTION_VERTICES) {
        pci_igraph_next_word(&line, &word);
        scan->n_vertices = pci_igraph_word_number(word);
        pci_igraph_next_word(&line, &word);
        scan->n_first_mode = pci_igraph_word_number(word);
        scan->text->n_declared = scan->n_vertices;
    }
    if (!scan->section || scan->section->kind == SECTION_VERTICES) {
        scan->data_end = scan->next_line;
    } else if (status == PC_OK && pci_igraph_next_word(&line, &word) && *word.at == ':') {
        return pci_igraph_text_fail(
            scan->text, word.at,
            "%.*s is the number of a relation: a graph has one relation, so "
            "keep the sections of one and remove what follows their %s",
            (int)(pci_igraph_span_bytes(word) < 40 ? pci_igraph_span_bytes(word) : 40), word.at,
            scan->section->word);
    }
    return status;
}

/* A second section of the same word is a second relation. */
static pc_status note_relation(pajek_scan *scan, const char *at)
{
    unsigned bit = 1u << (scan->section - section_words);
    if (!scan->has_data && (scan->had_data & bit) != 0) {
        return pci_igraph_text_fail(
            scan->text, at,
            "a second section %s with data would be a second relation: keep "
            "one, or join them if they are one relation",
            scan->section->word);
    }
    scan->has_data = true;
    scan->had_data |= bit;
    return PC_OK;
}

/* A section with data says what the direction is. */
static pc_status note_direction(pajek_scan *scan, const char *at)
{
    pci_igraph_text *text = scan->text;
    pc_direction direction = scan->section->direction;
    if (scan->section->kind == SECTION_MATRIX && scan->n_first_mode != 0)
        direction = PC_UNDIRECTED;
    if (text->stated != PC_DIRECTION_OF_FORMAT && text->stated != direction) {
        return pci_igraph_text_fail(text, at,
                                    "the file has both arcs and edges: give an edge as two arcs, "
                                    "so that all are arcs");
    }
    text->stated = direction;
    text->direction_at = scan->section->directed_word ? scan->header.at : NULL;
    text->direction_bytes = pci_igraph_span_bytes(scan->header);
    text->direction_new = scan->section->directed_word;
    return PC_OK;
}

static pc_status note_matrix_row(pajek_scan *scan, pci_igraph_span line)
{
    uint64_t n_words = pci_igraph_count_words(line);
    scan->n_matrix_rows++;
    if (n_words != columns_wanted(scan)) {
        return pci_igraph_text_fail(scan->text, line.at,
                                    "the matrix row has %" PRIu64 " entries and must have %" PRIu64,
                                    n_words, columns_wanted(scan));
    }
    return pci_igraph_note_weight(scan->text, &scan->weights, line.at, true);
}

/* The third word of an edge line is its weight when it is a number, else a word about layout. */
static pc_status note_edge_line(pajek_scan *scan, pci_igraph_span line)
{
    const char *at = line.at;
    pci_igraph_span word = {at, at};
    bool has_third = true;
    for (int i = 0; has_third && i < 3; i++)
        has_third = pci_igraph_next_word(&line, &word);
    bool has_weight = has_third && strchr("+-0123456789", *word.at) != NULL;
    return pci_igraph_note_weight(scan->text, &scan->weights, at, has_weight);
}

static pc_status note_data(pajek_scan *scan, pci_igraph_span line)
{
    scan->data_end = scan->next_line;
    if (!scan->section)
        return PC_OK;
    const section_word *section = scan->section;
    pc_status status = pci_igraph_check_ids(scan->text, line, section->n_ids, scan->n_vertices);
    if (status == PC_OK && section->kind != SECTION_VERTICES) {
        status = note_direction(scan, line.at);
        if (status == PC_OK)
            status = note_relation(scan, line.at);
    }
    if (status == PC_OK && section->kind == SECTION_LINES)
        status = note_edge_line(scan, line);
    else if (status == PC_OK && section->kind == SECTION_LISTS)
        status = pci_igraph_note_weight(scan->text, &scan->weights, line.at, false);
    else if (status == PC_OK && section->kind == SECTION_MATRIX)
        status = note_matrix_row(scan, line);
    return status;
}

/* Refuses an open quote, since a label that continues in the next line would hide section words
 * from this scan. Refuses a comment behind data: it takes the end of the line with it, and igraph
 * then joins the next line to this one. */
static pc_status check_line_end(const pci_igraph_text *text, pci_igraph_span line)
{
    bool in_quotes = false;
    for (const char *at = line.at; at < line.end; at++) {
        in_quotes ^= *at == '"';
        if (*at == '%' && !in_quotes && (at[-1] == ' ' || at[-1] == '\t')) {
            return pci_igraph_text_fail(text, line.at,
                                        "a comment behind data: put it on a line of its own");
        }
    }
    return in_quotes ? pci_igraph_text_fail(text, line.at, "a double quote without its partner")
                     : PC_OK;
}

pc_status pci_igraph_scan_pajek(pci_igraph_text *text)
{
    pajek_scan scan = {.text = text};
    pci_igraph_span line, rest, word;
    const char *end = text->bytes + text->n_bytes;
    pc_status status = PC_OK;
    for (const char *at = text->bytes; status == PC_OK && pci_igraph_next_line(&at, end, &line);) {
        rest = line;
        scan.next_line = at;
        if (!pci_igraph_next_word(&rest, &word) || *word.at == '%')
            continue;
        status = check_line_end(text, line);
        if (status == PC_OK)
            status = *word.at == '*' ? begin_section(&scan, word, rest) : note_data(&scan, line);
    }
    if (status == PC_OK)
        status = end_section(&scan);
    if (scan.data_end)
        text->n_bytes = (size_t)(scan.data_end - text->bytes);
    return status;
}

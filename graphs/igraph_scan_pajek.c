/* The scan of Pajek. igraph takes the direction of the last section for the whole graph. So empty
 * sections at the end are cut, and a file with arcs and edges gets the second arc of each edge in a
 * section of arcs at its end. igraph knows few of the words that say how a vertex or a line is drawn,
 * so they are left out. It does not count the entries of a matrix, and it adds up the relations of a
 * file that has several. */
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

enum { SHOWN_BYTES = 40 };

static const section_word section_words[] = {
    {"*vertices", SECTION_VERTICES, PC_DIRECTION_OF_FORMAT, 1, NULL},
    {"*arcs", SECTION_LINES, PC_DIRECTED, 2, NULL},
    {"*edges", SECTION_LINES, PC_UNDIRECTED, 2, "*arcs"},
    {"*arcslist", SECTION_LISTS, PC_DIRECTED, UINT64_MAX, NULL},
    {"*edgeslist", SECTION_LISTS, PC_UNDIRECTED, UINT64_MAX, "*arcslist"},
    {"*matrix", SECTION_MATRIX, PC_DIRECTED, 0, NULL},
};

/* Sections that Pajek keeps in the same file, behind the network. */
static const char *const other_words[] = {"*partition", "*vector", "*permutation", "*cluster",
                                          "*hierarchy"};

typedef struct pajek_scan {
    pci_igraph_text *text;
    const section_word *section; /* NULL: none yet, or one not known here */
    uint64_t relation;           /* of the running section */
    uint64_t first_relation;     /* that had data; 0: none yet */
    pci_igraph_text mirrored;    /* the second arcs of edges, in the text that it makes */
    bool has_arcs, has_edges;
    bool is_network; /* the running section is not one of the other words */
    pci_igraph_weight_lines weights;
    uint64_t n_vertices;
    uint64_t n_first_mode;  /* vertices of the first mode; 0 in a file of one mode */
    uint64_t n_matrix_rows; /* of the running section */
    bool has_data;          /* the running section has some */
    unsigned had_data;      /* bit i: so had a section of section_words[i] */
    const char *next_line;
    const char *data_end; /* behind the last line that means something */
    const char *kept_to;  /* copied_to, and n_made, of the text there */
    size_t n_kept;
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
    scan->n_matrix_rows = 0;
    scan->has_data = false;
    scan->is_network = scan->is_network || pci_igraph_word_is(word, "*network");
    for (size_t i = 0; i < sizeof other_words / sizeof *other_words; i++)
        if (pci_igraph_word_is(word, other_words[i]))
            scan->is_network = false;
    if (!scan->is_network)
        return status;
    if (pci_igraph_word_is(word, "*network") && scan->n_vertices > 0)
        return pci_igraph_text_fail(scan->text, word.at,
                                    "a second network: keep one network in a file");
    for (size_t i = 0; i < sizeof section_words / sizeof *section_words; i++)
        if (pci_igraph_word_is(word, section_words[i].word))
            scan->section = &section_words[i];
    if (scan->section && scan->section->directed_word && scan->text->keeps_order)
        pci_igraph_replace(scan->text, word.at, pci_igraph_span_bytes(word),
                           scan->section->directed_word);
    if (scan->section && scan->section->kind == SECTION_VERTICES) {
        pci_igraph_next_word(&line, &word);
        scan->n_vertices = pci_igraph_word_number(word);
        pci_igraph_next_word(&line, &word);
        scan->n_first_mode = pci_igraph_word_number(word);
        scan->text->n_declared = scan->n_vertices;
    }
    if (!scan->section || scan->section->kind == SECTION_VERTICES) {
        scan->data_end = scan->next_line;
        return status;
    }
    scan->relation = 1;
    if (pci_igraph_next_word(&line, &word) && *word.at == ':') {
        pci_igraph_span number = {word.at + 1, word.end};
        if (pci_igraph_span_bytes(number) == 0) /* ": 2" */
            pci_igraph_next_word(&line, &number);
        scan->relation = pci_igraph_word_number(number);
        pci_igraph_replace(scan->text, word.at, (size_t)(line.end - word.at), "");
    }
    return status;
}

/* A second section of the same word is a second relation, and so is another number. */
static pc_status note_relation(pajek_scan *scan, const char *at)
{
    unsigned bit = 1u << (scan->section - section_words);
    if (scan->first_relation != 0 && scan->first_relation != scan->relation) {
        return pci_igraph_text_fail(scan->text, at,
                                    "the file has the relations :%" PRIu64 " and :%" PRIu64
                                    ", and a graph has one: keep the sections of one",
                                    scan->first_relation, scan->relation);
    }
    scan->first_relation = scan->relation;
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
    bool is_matrix = scan->section->kind == SECTION_MATRIX;
    bool are_arcs =
        scan->section->direction == PC_DIRECTED && !(is_matrix && scan->n_first_mode != 0);
    scan->has_arcs = scan->has_arcs || are_arcs;
    scan->has_edges = scan->has_edges || !are_arcs;
    scan->text->is_matrix = scan->text->is_matrix || is_matrix;
    if (scan->text->is_matrix && scan->has_arcs && scan->has_edges) {
        return pci_igraph_text_fail(scan->text, at,
                                    "the file has both edges and a matrix: give all as arcs");
    }
    scan->text->stated = scan->has_arcs ? PC_DIRECTED : PC_UNDIRECTED;
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

/* Notes the arc from b to a, perhaps with a weight, for an edge between a and b. */
static void mirror(pajek_scan *scan, pci_igraph_span a, pci_igraph_span b, pci_igraph_span weight)
{
    if (scan->section->direction == PC_DIRECTED ||
        pci_igraph_word_number(a) == pci_igraph_word_number(b))
        return;
    const pci_igraph_span words[] = {b, a, weight};
    for (int i = 0; i < 3; i++) {
        if (words[i].at < words[i].end && *words[i].at == '.')
            pci_igraph_put(&scan->mirrored, "0", 1);
        pci_igraph_put(&scan->mirrored, words[i].at, pci_igraph_span_bytes(words[i]));
        pci_igraph_put(&scan->mirrored, i < 2 ? " " : "\n", 1);
    }
}

static bool begins_number(pci_igraph_span word)
{
    return word.at < word.end && strchr("+-.0123456789", *word.at) != NULL;
}

/* The third word of an edge line is its weight when it is a number. Other words are about layout. */
static pc_status note_edge_line(pajek_scan *scan, pci_igraph_span line)
{
    pci_igraph_span word[3], rest = line;
    int n = 0;
    while (n < 3 && pci_igraph_next_word(&rest, &word[n]))
        n++;
    bool has_weight = n == 3 && begins_number(word[2]);
    if (n < 2)
        return PC_OK; /* igraph refuses it */
    const char *end = has_weight ? word[2].end : word[1].end;
    if (memchr(end, '[', (size_t)(line.end - end)))
        return pci_igraph_text_fail(scan->text, line.at,
                                    "a line that is there at some times only: keep those of one "
                                    "time, without [ ]");
    if (has_weight && *word[2].at == '.') /* igraph wants a digit there */
        pci_igraph_replace(scan->text, word[2].at, 0, "0");
    pci_igraph_replace(scan->text, end, (size_t)(line.end - end), "");
    mirror(scan, word[0], word[1], has_weight ? word[2] : (pci_igraph_span){end, end});
    return pci_igraph_note_weight(scan->text, &scan->weights, line.at, has_weight);
}

static pc_status note_list(pajek_scan *scan, pci_igraph_span line)
{
    pci_igraph_span first, word, rest = line;
    pci_igraph_next_word(&rest, &first);
    while (pci_igraph_next_word(&rest, &word))
        mirror(scan, first, word, (pci_igraph_span){line.at, line.at});
    return pci_igraph_note_weight(scan->text, &scan->weights, line.at, false);
}

/* Keeps the number and the label of a vertex. A label without quotes gets them. */
static void keep_label(const pajek_scan *scan, pci_igraph_span line)
{
    pci_igraph_span number, label, rest = line;
    pci_igraph_next_word(&rest, &number);
    if (!pci_igraph_next_word(&rest, &label))
        return;
    bool is_quoted = *label.at == '"';
    if (is_quoted)
        label.end = (const char *)memchr(label.at + 1, '"', (size_t)(line.end - label.at - 1)) + 1;
    bool is_plain = !is_quoted && !memchr(label.at, '"', pci_igraph_span_bytes(label));
    if (is_plain)
        pci_igraph_replace(scan->text, label.at, 0, "\"");
    pci_igraph_replace(scan->text, label.end, (size_t)(line.end - label.end), is_plain ? "\"" : "");
}

static pc_status note_data(pajek_scan *scan, pci_igraph_span line)
{
    scan->data_end = scan->next_line;
    if (!scan->section)
        return PC_OK;
    if (scan->section->kind == SECTION_VERTICES)
        keep_label(scan, line);
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
        status = note_list(scan, line);
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

/* Arcs and edges become arcs; the last section says so. */
static void add_mirrored(pajek_scan *scan)
{
    static const char header[] = "\n*Arcs\n";
    if (!scan->has_arcs || !scan->has_edges)
        return;
    if (!scan->text->copied_to)
        scan->text->copied_to = scan->text->bytes;
    pci_igraph_copy_rest(scan->text);
    pci_igraph_put(scan->text, header, sizeof header - 1);
    pci_igraph_put(scan->text, scan->mirrored.made, scan->mirrored.n_made);
    scan->text->lacks_memory = scan->text->lacks_memory || scan->mirrored.lacks_memory;
}

pc_status pci_igraph_scan_pajek(pci_igraph_text *text)
{
    pajek_scan scan = {.text = text, .is_network = true};
    pci_igraph_span line, rest, word;
    const char *end = text->bytes + text->n_bytes;
    pc_status status = PC_OK;
    for (const char *at = text->bytes; status == PC_OK && pci_igraph_next_line(&at, end, &line);) {
        rest = line;
        scan.next_line = at;
        if (!pci_igraph_next_word(&rest, &word) || *word.at == '%')
            continue;
        bool is_header = *word.at == '*';
        status = scan.is_network || is_header ? check_line_end(text, line) : PC_OK;
        if (status == PC_OK && is_header)
            status = begin_section(&scan, word, rest);
        else if (status == PC_OK && scan.is_network)
            status = note_data(&scan, line);
        if (scan.data_end == at) {
            scan.n_kept = text->n_made;
            scan.kept_to = text->copied_to;
        }
    }
    if (status == PC_OK)
        status = end_section(&scan);
    if (scan.data_end) {
        text->n_bytes = (size_t)(scan.data_end - text->bytes);
        text->n_made = scan.n_kept;
        text->copied_to = scan.kept_to;
    }
    if (status == PC_OK)
        add_mirrored(&scan);
    pci_igraph_text_destroy(&scan.mirrored);
    return status;
}

/* Scans of the text of a graph file before igraph gets it. igraph 0.10 reads some files wrongly
 * without an error, and refuses some that other programs write. The scans find those files, refuse
 * them by line or write them anew for igraph, and note facts that igraph does not report. */
#ifndef PCI_IGRAPH_SCAN_H
#define PCI_IGRAPH_SCAN_H

#include "graphs/igraph_guard.h"

#include <stddef.h>

/* A line without its end, or a word of it. */
typedef struct pci_igraph_span {
    const char *at, *end;
} pci_igraph_span;

/* Names in the order in which they are added; all zero is the empty list. */
typedef struct pci_igraph_names {
    pci_igraph_span *name; /* [n] */
    uint64_t *sorted;      /* [n] numbers of names by their texts, equal ones in order; or NULL */
    uint64_t n, capacity;
} pci_igraph_names;

typedef struct pci_igraph_text {
    pc_context *context;
    const char *path; /* for messages */
    const char *bytes;
    size_t n_bytes;    /* a scan may cut what follows the last of the data */
    bool uses_weights; /* the weights will be multiplicities */
    bool keeps_order;  /* edges are to be arcs, so igraph is to take them as such */
    bool is_matrix;    /* entries, which are their own weights */
    pc_direction stated;
    uint64_t n_declared;  /* vertices, when the file says so before it lists them; else 0 */
    uint64_t n_nodes;     /* GraphML: elements <node> */
    pci_igraph_names ids; /* GML with ids that igraph does not take: those of the nodes, in order */
    /* The text that igraph gets, as far as it is written; NULL: the text of the file. */
    char *made;
    size_t n_made, made_capacity;
    const char *copied_to; /* in bytes: what stands before it is in made already */
    bool lacks_memory;
} pci_igraph_text;

/* Writes n_bytes of the text of the file anew; calls move forward through the text. */
void pci_igraph_replace(pci_igraph_text *text, const char *at, size_t n_bytes, const char *words);

/* Writes bytes behind those that are written already. Without a pci_igraph_replace that is the whole of the text. */
void pci_igraph_put(pci_igraph_text *text, const char *bytes, size_t n_bytes);
void pci_igraph_put_format(pci_igraph_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Copies the rest of a text that has replacements, up to text->n_bytes. */
void pci_igraph_copy_rest(pci_igraph_text *text);

/* The text of igraph takes the place of bytes; PC_ERR_MEMORY. */
pc_status pci_igraph_take_made(pci_igraph_text *text);

/* Frees what a scan has allocated. */
void pci_igraph_text_destroy(pci_igraph_text *text);

/* False: no memory. */
bool pci_igraph_names_add(pci_igraph_names *names, pci_igraph_span name);
bool pci_igraph_names_sort(pci_igraph_names *names);

/* The number of the first name with this text among sorted ones; names->n when there is none. */
uint64_t pci_igraph_names_find(const pci_igraph_names *names, pci_igraph_span name);
void pci_igraph_names_free(pci_igraph_names *names);

/* Refuses an empty text, UTF-16 and NUL bytes, for every format; skips a UTF-8 byte order mark. */
pc_status pci_igraph_scan_bytes(pci_igraph_text *text);

/* One for each format. */
pc_status pci_igraph_scan_ncol(pci_igraph_text *text);
pc_status pci_igraph_scan_lgl(pci_igraph_text *text);
pc_status pci_igraph_scan_pajek(pci_igraph_text *text);
pc_status pci_igraph_scan_dl(pci_igraph_text *text);
pc_status pci_igraph_scan_gml(pci_igraph_text *text);
pc_status pci_igraph_scan_graphml(pci_igraph_text *text);

/* Entities in the strings of GML, such as &#227; and &atilde; for a letter: replaces numbers and
 * the names of Latin-1 by UTF-8 in a copy that takes the place of the text. The five that igraph
 * knows stay, and so do unknown ones. The copy is initialised and may hold the text already.
 * PC_ERR_MEMORY. */
pc_status pci_igraph_decode_entities(pci_igraph_text *text, igraph_vector_char_t *copy);

/* PC_ERR_DATA with the message "path:line: what is wrong", the line that at is on. */
pc_status pci_igraph_text_fail(const pci_igraph_text *text, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static inline size_t pci_igraph_span_bytes(pci_igraph_span span)
{
    return (size_t)(span.end - span.at);
}

/* The next line from *at on, which moves behind its end (LF, CR or CRLF); false at the end. */
bool pci_igraph_next_line(const char **at, const char *end, pci_igraph_span *line);

/* Takes the next word from a line; false, and an empty word, when there is none. */
bool pci_igraph_next_word(pci_igraph_span *line, pci_igraph_span *word);
uint64_t pci_igraph_count_words(pci_igraph_span line);

/* Whether the span is this text, and the same in any case of letters. */
bool pci_igraph_span_is(pci_igraph_span span, const char *text);
bool pci_igraph_word_is(pci_igraph_span word, const char *lower_case);

/* The digits a word begins with, as a number; 2^64-1 when it is larger, 0 when there are none. */
uint64_t pci_igraph_word_number(pci_igraph_span word);

/* PC_ERR_DATA when one of the first n_words words of a line is a number and not 1..n_vertices.
 * Other words are left to igraph. */
pc_status pci_igraph_check_ids(const pci_igraph_text *text, pci_igraph_span line, uint64_t n_words,
                               uint64_t n_vertices);

/* Whether the lines so far had weights. They must be on every line or on none: igraph takes a
 * missing one for 0 in some formats. All zero before the first line of an edge. */
typedef struct pci_igraph_weight_lines {
    bool any_with, any_without;
} pci_igraph_weight_lines;
pc_status pci_igraph_note_weight(pci_igraph_text *text, pci_igraph_weight_lines *lines,
                                 const char *at, bool has_weight);

#endif

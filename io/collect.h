/* Collects the edges that a reader finds one by one, and the vertices that they join, which have names or
 * numbers. The collector has the rules on weights that all readers share. */
#ifndef PCI_COLLECT_H
#define PCI_COLLECT_H

#include "graphs/builder.h"
#include "io/line.h"
#include "io/text.h"

/* All zero at first, but for input, options and title, which must outlive it, and next. */
typedef struct pci_collect {
    const pci_input *input;
    const pc_graph_options *options; /* or NULL */
    const char *title;               /* of the format, for the info; static storage */
    pc_direction stated;
    bool is_matrix;   /* directed, unless it is symmetric; only entries other than 1 are weights */
    bool adds;        /* arcs given again add up, where weights are taken */
    bool has_others;  /* a weight was neither 0 nor 1 */
    bool is_numbered; /* vertices have no names: they are first .. first + n_vertices - 1 */
    uint64_t first, n_vertices;
    pci_names names;
    pci_word *label[2]; /* [n_labels] of vertices; no text: it has none */
    uint64_t n_labels[2], label_capacity[2];
    char
        *decoded; /* texts that had entities; as many bytes as the input has, since no text grows */
    size_t n_decoded;
    pci_edge *edge;
    uint64_t *weight;  /* NULL: none are taken */
    pci_word relation; /* the text of the edges that come; no text: the format has none */
    uint32_t *text;    /* [n_edges] numbers of texts, where the input wants them */
    pci_names texts;
    uint64_t n_edges, edge_capacity, weight_capacity, text_capacity;
    bool states_direction;   /* two arcs in opposite directions are not one edge */
    const char *at;          /* the line at hand; NULL: lines say nothing here */
    const char *line_end;    /* where it ends, without a carriage return */
    const char *next;        /* where the next line begins; at first, the text */
    pci_column_cursor words; /* of the line */
    char separator;          /* of these words; 0 is any blank */
    bool any_with, any_without;
    const char *first_with, *first_without; /* what at was then */
    const char *weight_name; /* of the attribute of edges; NULL: they have none by name */
    char numbers[200];       /* other attributes of edges that are numbers, for a message */
} pci_collect;

/* A reader of a format takes the text from collect->next on: PC_ERR_DATA with a message about the line, PC_ERR_MEMORY,
 * PC_ERR_RANGE, PC_ERR_CANCELLED. */
typedef pc_status pci_collect_fn(pci_collect *collect);

/* Ends a collecting that had this status: if that is PC_OK, moves all to the draft. Frees all else, whatever the
 * status. Returns the status, or PC_ERR_DATA when some edges have weights that are taken and others have none, or
 * PC_ERR_ARGUMENT when a number of vertices is asked for and labels are no integers. */
pc_status pci_collect_end(pci_collect *collect, pc_status status, pci_graph_draft *draft);

static inline bool pci_collect_takes_weights(const pci_collect *collect)
{
    return collect->options && collect->options->weights;
}

/* Moves to the next line that does not begin with one of the marks, such as "#%", nor is blank unless those are kept;
 * false at the end of the text. The first call moves to the line at collect->next. */
bool pci_collect_line(pci_collect *collect, const char *marks, bool keeps_blank);

/* PC_ERR_DATA with the message that something is wrong with the line at hand. */
#define pci_collect_fail(collect, ...) pci_input_fail((collect)->input, (collect)->at, __VA_ARGS__)

/* The vertex of a name, which is added when it is new. PC_ERR_DATA for an empty name at that
 * place in the text; PC_ERR_MEMORY, PC_ERR_RANGE. */
pc_status pci_collect_vertex(pci_collect *collect, const char *text, size_t length,
                             uint32_t *vertex);

/* A file is one of a matrix with so many rows and columns. */
pc_status pci_collect_matrix(pci_collect *collect, uint64_t n_rows, uint64_t n_columns);

/* A weight as it stands in the text: an integer where weights are taken, else any number. */
pc_status pci_collect_weight(pci_collect *collect, const char *text, size_t length,
                             uint64_t *weight);

/* The weight of an edge that has attributes, which may stand in quotes; nothing for a text of NULL. Weights that are
 * not taken are not looked at. */
pc_status pci_collect_attribute(pci_collect *collect, pci_word text, uint64_t *weight);

/* Notes the name of another attribute that is a number: a weight may be meant by it. */
void pci_collect_note_number(pci_collect *collect, pci_word name);

/* Adds an edge between vertices, which a numbered graph counts from 0. weight is NULL where the file
 * has none. PC_ERR_MEMORY, PC_ERR_CANCELLED. */
pc_status pci_collect_edge(pci_collect *collect, uint32_t from, uint32_t to,
                           const uint64_t *weight);

/* Numbers the vertices of a file that states their number; PC_ERR_DATA when they are too many for a
 * text of that size. at is the place in the text that states them. */
pc_status pci_collect_number(pci_collect *collect, const char *at, uint64_t first,
                             uint64_t n_vertices);

/* The vertex of a file that numbers them from 1 on; PC_ERR_DATA when there is none of that number. */
pc_status pci_collect_numbered(const pci_collect *collect, uint64_t number, uint32_t *vertex);

/* Notes a text that names a vertex. There are two choices of names; the first one that names each vertex, and no two
 * alike, is taken at the end. The text outlives the collecting. PC_ERR_MEMORY. */
pc_status pci_collect_label(pci_collect *collect, int choice, uint32_t vertex, pci_word text);

/* Replaces entities of XML and GML, such as &amp; and &#227;, by what they mean in UTF-8. One that has no meaning
 * stays, and *unknown points to the first one; NULL: there is none. PC_ERR_MEMORY. */
pc_status pci_collect_decode(pci_collect *collect, pci_word *text, const char **unknown);

/* A number without what does not change it: a plus, zeros before it, and a decimal part of zeros. */
pci_word pci_plain_number(pci_word number);

#endif

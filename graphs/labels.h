/* Names: a set of strings numbered 0, 1, 2, ... by first appearance, found by hashing. Labels: what the vertices
 * 0..n-1 are called, and which vertex a label belongs to. */
#ifndef PCI_LABELS_H
#define PCI_LABELS_H

#include "src/core/context.h"

typedef struct pci_name_slot {
    uint32_t hash;
    uint32_t number_plus_1; /* 0: the slot is free */
} pci_name_slot;

/* All zero is the empty set. Name i is text[start[i]] .. text[start[i + 1] - 1]. */
typedef struct pci_names {
    uint64_t n; /* at most 2^32-1 */
    uint64_t n_slots;
    pci_name_slot *slots;
    uint64_t *start;
    char *text;
    uint64_t start_capacity;
    uint64_t text_capacity;
} pci_names;

/* Gives the number of a name, which is added when it is new. PC_ERR_MEMORY or PC_ERR_RANGE (there
 * are 2^32-1 names) without a message, since threads may call this at once, each with its own
 * set; the set is then as before. */
pc_status pci_names_add(pc_context *context, pci_names *names, const char *text, size_t length,
                        uint32_t *number);

/* The set of n texts, all different, text i with number i. PC_ERR_ARGUMENT when one is NULL or is
 * there twice; the message calls them by singular and plural, such as "block" and "blocks".
 * PC_ERR_MEMORY. */
pc_status pci_names_from_texts(pc_context *context, const char *singular, const char *plural,
                               uint64_t n, const char *const *texts, pci_names *names);

/* False when there is no such name. */
bool pci_names_find(const pci_names *names, const char *text, size_t length, uint32_t *number);

/* Name number, not NUL-terminated; length gets its bytes. */
const char *pci_names_text(const pci_names *names, uint64_t number, size_t *length);

void pci_names_free(pc_context *context, pci_names *names);

#define PCI_MAX_GRAPH_VERTICES UINT64_C(4294967295) /* a vertex is a uint32_t below this */

typedef enum pci_label_kind {
    PCI_LABELS_RANGE = 0, /* vertex v is labelled first + v */
    PCI_LABELS_INTEGERS,  /* vertex v is labelled integers[v]; ascending */
    PCI_LABELS_TEXT       /* vertex v is labelled by name v */
} pci_label_kind;

/* All zero: no vertices. */
typedef struct pc_labels {
    pci_label_kind kind;
    uint64_t n; /* vertices */
    uint64_t first;
    uint64_t *integers;
    pci_names names;
} pci_labels;

/* Checks whether a graph of so many vertices can be held, before anything is allocated:
 * PC_ERR_ARGUMENT above PCI_MAX_GRAPH_VERTICES, PC_ERR_MEMORY. */
pc_status pci_check_n_vertices(pc_context *context, uint64_t n_vertices);

/* A checksum of all labels. */
uint64_t pci_labels_checksum(const pci_labels *labels);

/* Labels first, first + 1, ..., first + n - 1. */
pci_labels pci_labels_range(uint64_t first, uint64_t n);

/* Labels integers[0..n-1], which are ascending; the array is taken over. */
void pci_labels_from_integers(pc_context *context, uint64_t *integers, uint64_t n,
                              pci_labels *labels);

/* Labels from names, which are taken over and left empty whatever the status. When every name is an
 * integer 0..2^64-1 without leading zeros, the labels are these integers and 0..n_vertices-1 in
 * ascending order, and *vertex_of_name is an array with the vertex of each name, which the caller
 * frees. Otherwise *vertex_of_name is NULL, and vertex v is name v. PC_ERR_ARGUMENT when n_vertices
 * > 0 and a name is no integer, or there are too many vertices; PC_ERR_MEMORY. */
pc_status pci_labels_from_names(pc_context *context, pci_names *names, uint64_t n_vertices,
                                pci_labels *labels, uint32_t **vertex_of_name);

/* Labels from n texts, each kept as it is; a range from 0 when texts is NULL. As
 * pci_names_from_texts. */
pc_status pci_labels_from_texts(pc_context *context, const char *singular, const char *plural,
                                uint64_t n, const char *const *texts, pci_labels *labels);

void pci_labels_free(pc_context *context, pci_labels *labels);

/* The vertex with the label text[0..length-1]; false when there is none. */
bool pci_labels_find(const pci_labels *labels, const char *text, size_t length, uint64_t *vertex);

/* The same texts in the same order, whether they are kept as integers or as names. */
bool pci_labels_equal(const pci_labels *a, const pci_labels *b);

#define PCI_NO_PARTNER UINT32_MAX

/* partner[i] becomes the number in `to` of label i of `from`, or PCI_NO_PARTNER. */
void pci_labels_match(const pci_labels *from, const pci_labels *to, uint32_t *partner);

/* Copies the labels with keep[label] not 0, or all of them when keep is NULL, in their order. */
pc_status pci_labels_select(pc_context *context, const pci_labels *labels,
                            const unsigned char *keep, pci_labels *selected);

typedef enum pci_integer {
    PCI_INTEGER,         /* 0..2^64-1 without sign or leading zeros */
    PCI_INTEGER_TOO_BIG, /* the same, beyond 2^64-1 */
    PCI_NOT_INTEGER
} pci_integer;

/* Classifies text[0..length-1] as a label; value is set for PCI_INTEGER. */
pci_integer pci_integer_parse(const char *text, size_t length, uint64_t *value);

/* ---- Patterns of labels ------------------------------------------------------------------------- */

/* A pattern such as A B* (C|D) as a deterministic automaton. */
enum { PCI_MOST_STATES = 4096 };

#define PCI_NO_STATE UINT32_MAX

/* Labels that the pattern does not name are in class 0; any other label has a class of its own. */
typedef struct pci_automaton {
    uint32_t n_states, n_classes;
    uint32_t *class_of; /* [n_labels] */
    uint32_t *next;     /* [n_states][n_classes] or PCI_NO_STATE; a word begins in state 0 */
    uint8_t *accepts;   /* [n_states] */
} pci_automaton;

/* PC_ERR_ARGUMENT, with the position, for a pattern that is none, names a label that is not there, or is too large;
 * PC_ERR_MEMORY, PC_ERR_CANCELLED. */
pc_status pci_pattern_compile(pc_context *context, const char *pattern, const pci_names *labels,
                              pci_automaton *automaton);
void pci_automaton_free(pc_context *context, pci_automaton *automaton);

#endif

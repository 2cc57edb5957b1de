/* Labels: what the vertices 0..n-1 are called, and which vertex a label belongs to. */
#ifndef PCI_LABELS_H
#define PCI_LABELS_H

#include "graphs/names.h"

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

/* What text[0..length-1] is as a label; value is set for PCI_INTEGER. */
pci_integer pci_integer_parse(const char *text, size_t length, uint64_t *value);

#endif

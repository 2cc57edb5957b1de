/* Rows of classes: what becomes of the rows of the powers of a quotient's pieces (graphs/partition.h).
 *
 * A power's entries become the entries N between classes, from which the answer is made. A summary needs only
 * aggregates of rows. They are computed once for a class: each entry is weighed by the size of its column's
 * class, and no row is made. Otherwise the entries are kept, and rows of vertices are read off them. The rows of
 * classes have a certificate for which vectors are sent through the whole graph, so a fault in the classes
 * is found like any other. */
#ifndef PCI_CLASS_ROWS_H
#define PCI_CLASS_ROWS_H

#include "graphs/partition.h"
#include "src/certify/certify.h"

typedef struct pci_class_rows {
    pc_context *context;
    const pci_quotient *quotient;
    uint64_t length, modulus; /* 0: integers */
    uint32_t n_limbs;         /* of an entry of the answer */
    size_t n_record;          /* words of a record */
    uint64_t *records; /* [PCI_AGGREGATE_COPIES][n_classes][n_record]; NULL: entries are kept */
    pc_counts **piece; /* [n_pieces] of entries N that are kept */
} pci_class_rows;

/* Fills in piece and, if wanted, records; the rest is filled in. The caller frees them, whatever the status.
 * PC_ERR_MEMORY. */
pc_status pci_class_rows_create(bool has_records, pci_class_rows *rows);
void pci_class_rows_free(pci_class_rows *rows);

/* A reduction of the rows of the power of piece p, to be freed by pc_reduction_free. PC_ERR_MEMORY. */
pc_status pci_class_rows_reduction(pci_class_rows *rows, uint32_t p, pc_reduction **reduction);

/* The certificate of these rows, of n_rounds rounds. PC_ERR_CERTIFY when vertices of a class differ, or arcs
 * lead out of the piece; PC_ERR_MEMORY, PC_ERR_CANCELLED. */
pc_status pci_class_rows_certify(const pci_class_rows *rows, const pc_graph *graph, uint32_t p,
                                 int n_rounds, pci_certificate **certificate);

/* row[n_vertices][n_limbs] becomes that of a vertex, of entries that were kept. */
void pci_class_rows_expand(const pci_class_rows *rows, uint64_t vertex, uint64_t *row);

/* The record of a vertex. */
static inline const uint64_t *pci_class_rows_record(const pci_class_rows *rows, uint64_t copy,
                                                    uint64_t vertex)
{
    const pci_quotient *q = rows->quotient;
    return rows->records + (copy * q->n_classes + q->class_of[vertex]) * rows->n_record;
}

#endif

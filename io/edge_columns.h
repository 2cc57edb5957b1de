/* This header has what readings of edges share: how columns are related, and a list of edges whose ends are two of them. */
#ifndef PCI_EDGE_COLUMNS_H
#define PCI_EDGE_COLUMNS_H

#include "io/readings.h"

enum { PCI_RELATED_COLUMNS = 3 };

/* Describes how the first columns are related in some rows. */
typedef struct pci_relations {
    pci_kind kind[PCI_RELATED_COLUMNS];
    uint32_t n_distinct[PCI_RELATED_COLUMNS];
    /* Returns whether a cell of one column occurs in the other. */
    bool share[PCI_RELATED_COLUMNS][PCI_RELATED_COLUMNS];
} pci_relations;

/* Looks at the rows from first on. */
pci_relations pci_find_relations(const pci_sample *s, const pci_table *t, uint32_t first);

/* Returns whether labels of a column of one kind may occur in a column of the other. */
bool pci_are_alike_kinds(pci_kind one, pci_kind other);

/* Returns whether a cell may be a label: it has a letter or a digit, and is neither a decimal number nor a list of
 * numbers. */
bool pci_is_label(const pci_cell *cell);

/* Returns whether each label occurs once, beside something of another kind: perhaps a table of vertices. */
bool pci_is_of_properties(const pci_table *t, const pci_relations *rel, uint32_t first);

/* Returns whether the first row has words above a column of numbers. The columns before corner do not count. */
bool pci_is_words_over_numbers(const pci_table *t, uint32_t corner);

/* A reading without columns. */
pci_reading pci_new_reading(uint32_t first_row, unsigned facts);

/* Adds an edge list whose ends are two columns; nothing where a cell there is no label. */
void pci_add_edges(pci_found *f, const pci_table *t, pci_reading_kind kind, uint32_t from,
                   uint32_t to, pci_reading reading);

/* Find readings of one table: behind a word, below sizes, below a header, with columns that are asked for. */
void pci_find_behind_a_word(pci_found *f, const pci_table *t, const pci_relations *rel,
                            uint32_t first);
void pci_find_sizes(pci_found *f, const pci_table *t);
void pci_find_header(pci_found *f, const pci_table *t);
void pci_find_asked(pci_found *f, const pci_table *t);

#endif

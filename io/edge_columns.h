/* This header has what readings of edges share: how columns are related, and a list of edges whose ends are two of them. */
#ifndef PCI_EDGE_COLUMNS_H
#define PCI_EDGE_COLUMNS_H

#include "io/readings.h"

/* Returns whether labels of a column of one kind may occur in a column of the other. */
bool pci_are_alike_kinds(pci_kind one, pci_kind other);

/* Returns whether a cell may be a label: it has a letter or a digit, and is neither a decimal number nor a list of
 * numbers. */
bool pci_is_label(const pci_cell *cell);

/* Returns whether the first row has words above a column of numbers. The columns before corner do not count. */
bool pci_is_words_over_numbers(const pci_table *t, uint32_t corner);

/* A reading without columns. */
pci_reading pci_new_reading(uint32_t first_row, unsigned facts);

/* Adds an edge list whose ends are two columns; nothing where a cell there is no label. */
void pci_add_edges(pci_found *f, const pci_table *t, pci_reading_kind kind, uint32_t from,
                   uint32_t to, pci_reading reading);

/* Find readings of one table: below a header, and with columns that are asked for. */
void pci_find_header(pci_found *f, const pci_table *t);
void pci_find_asked(pci_found *f, const pci_table *t);

#endif

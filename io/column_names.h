/* Names of columns in the header of an edge list. */
#ifndef PCI_COLUMN_NAMES_H
#define PCI_COLUMN_NAMES_H

#include "io/line.h"
#include "io/sample.h"

enum { PCI_MOST_NAMES = 64, PCI_NAME_BYTES = 24 };

typedef struct pci_column_names {
    char name[PCI_MOST_NAMES][PCI_NAME_BYTES]; /* small letters and digits */
    uint32_t n;
} pci_column_names;

/* The names of n columns, of which row[i - shift] is that of column i; those beyond PCI_MOST_NAMES are not looked at. */
void pci_column_names_read(const pci_cell *row, uint32_t n, uint32_t shift,
                           pci_column_names *names);

/* Finds the columns that are called as the ends of an edge are, a weight and a type; PCI_NO_COLUMN where
 * there is none. False when there is no pair of ends. */
bool pci_column_names_find_known(const pci_column_names *all, uint32_t at[PCI_N_ROLES]);

/* Finds two names that differ in a last 1 and 2, a and b, or x and y, such as person_a and person_b. */
bool pci_column_names_find_pair(const pci_column_names *all, uint32_t at[PCI_N_ROLES]);

/* "id" and "label", as Gephi writes them above a table of vertices. */
bool pci_column_names_are_of_vertices(const pci_column_names *all);

#endif

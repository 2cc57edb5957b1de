/* Names of columns in the header of an edge list. */
#ifndef PCI_COLUMN_NAMES_H
#define PCI_COLUMN_NAMES_H

#include "io/columns.h"

enum { PCI_MOST_NAMES = 64, PCI_NAME_BYTES = 24 };

typedef struct pci_column_names {
    char name[PCI_MOST_NAMES][PCI_NAME_BYTES]; /* small letters and digits */
    pci_column column[PCI_MOST_NAMES];         /* as they stand in the line */
    uint32_t n;
} pci_column_names;

/* The columns of a line, which it borrows; those beyond PCI_MOST_NAMES are not looked at. */
pci_column_names pci_column_names_read(const char *begin, const char *end, char separator);

/* Finds the columns that are called as the ends of an edge are, a weight and a type; PCI_NO_COLUMN where
 * there is none. False when there is no pair of ends. */
bool pci_column_names_find_known(const pci_column_names *all, uint32_t at[PCI_N_ROLES]);

/* "id" and "label", as Gephi writes them above a table of vertices. */
bool pci_column_names_are_of_vertices(const pci_column_names *all);

/* The column of a name as it stands in the header, else the same in any case of letters, else
 * PCI_NO_COLUMN. */
uint32_t pci_column_names_find(const pci_column_names *all, const char *text, size_t length);

#endif

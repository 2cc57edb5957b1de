/* Columns that are chosen among those of a line: by number, by the names of a header, or because
 * the whole file has one separator. Lines of files without such a choice are split one by one, by
 * pci_line_split. */
#ifndef PCI_COLUMNS_H
#define PCI_COLUMNS_H

#include "io/line.h"

#define PCI_NO_COLUMN UINT32_MAX

/* What is in a chosen column, which is that column of the pci_line, too. */
enum { PCI_FROM, PCI_TO, PCI_WEIGHT, PCI_TYPE, PCI_N_ROLES };

typedef struct pci_columns {
    char separator;     /* ' ' is any number of blanks; 0: nothing is chosen */
    const char *arrow;  /* stands between the two ends, in place of a separator; NULL: none does */
    uint32_t n_columns; /* of each line; 0: any number */
    uint32_t at[PCI_N_ROLES]; /* numbers from 0 on, or PCI_NO_COLUMN */
} pci_columns;

/* A line while its columns are taken one after the other. */
typedef struct pci_column_cursor {
    const char *at, *end;
    char separator;
    bool is_done;
    const char *fault; /* why there are no more; NULL: it is the end */
} pci_column_cursor;

typedef struct pci_column {
    const char *text; /* without quotes and blanks around it */
    size_t length;
    bool is_quoted, has_doubled_quotes;
} pci_column;

enum { PCI_ARROW_BYTES = 8 };

/* The arrow within a line, such as -> or --; false when there is none. */
bool pci_arrow_find(const char *begin, const char *end, const char **arrow, size_t *length);

pci_column_cursor pci_columns_of(const char *begin, const char *end, char separator);

/* The next column, which may be empty; false at the end of the line, and at a fault. */
bool pci_column_next(pci_column_cursor *cursor, pci_column *column);

/* As pci_line_split: an empty weight is none, and n_columns is 2 or 3. The type is
 * line->column[PCI_TYPE], of length 0 when there is none. */
bool pci_columns_split(const pci_columns *columns, const char *begin, const char *end,
                       pci_line *line, pci_flaw *flaw);

/* The value of 'weight' among attributes in braces, as NetworkX writes them: {'weight': 3}. False when
 * there is none. */
bool pci_attributes_weight(const char *at, const char *end, const char **text, size_t *length);

#endif

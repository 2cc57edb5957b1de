/* One line of columns, as edge lists and Matrix Market files have them. */
#ifndef PCI_LINE_H
#define PCI_LINE_H

#include "io/input.h"

enum { PCI_MAX_COLUMNS = 3 };

/* What is wrong with a line. what NULL: nothing. */
typedef struct pci_flaw {
    const char *at;      /* in the line */
    const char *subject; /* what column should be: "weight", "index", or "" */
    const char *column;  /* the offending text, quoted in the message; NULL: none */
    size_t length;
    const char *what; /* the rest of the sentence */
} pci_flaw;

/* PC_ERR_DATA, with a message about a flaw at a place in input->text. */
pc_status pci_flaw_report(const pci_input *input, const pci_flaw *flaw);

/* The same for a flaw in the line that holds the byte at offset of the input. */
pc_status pci_flaw_report_at(const pci_input *input, uint64_t offset, const pci_flaw *flaw);

/* The columns of a line; none when it is blank or a comment. */
typedef struct pci_line {
    const char *begin;
    size_t n_columns;
    const char *column[PCI_MAX_COLUMNS];
    size_t length[PCI_MAX_COLUMNS];
} pci_line;

typedef enum pci_line_style {
    PCI_EDGE_LIST_LINES,    /* blanks or a comma separate; # and % start a comment line */
    PCI_MATRIX_MARKET_LINES /* blanks separate; % starts a comment line */
} pci_line_style;

/* Splits the line from begin up to its end, which is a '\n' or the end of the text. */
pci_flaw pci_line_split(const char *begin, const char *end, pci_line_style style, pci_line *line);

/* The flaw of a column. */
pci_flaw pci_line_flaw(const pci_line *line, size_t column, const char *subject, const char *what);

/* Reads a column as a multiplicity; without take it may be any number, of which only zero or not
 * zero is known: value is 0 or 1. */
pci_flaw pci_line_weight(const pci_line *line, size_t column, bool take, uint64_t *value);

#endif

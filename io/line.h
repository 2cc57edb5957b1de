/* One line of columns, as edge lists and Matrix Market files have them. */
#ifndef PCI_LINE_H
#define PCI_LINE_H

#include "io/input.h"

enum {
    PCI_MAX_COLUMNS = 3, /* of a line that is split by itself */
    PCI_LINE_COLUMNS = 4 /* of one whose columns are chosen: see columns.h */
};

/* What is wrong with a line. All zero: nothing. */
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
    char separator;                       /* between the columns: tab, comma or blank; 0: unknown */
    const char *column[PCI_LINE_COLUMNS]; /* without the quotes around it */
    size_t length[PCI_LINE_COLUMNS];
    bool has_doubled_quotes[PCI_LINE_COLUMNS]; /* each pair of them is one quote */
    bool has_gap; /* a column is left out: two tabs with nothing between */
} pci_line;

/* Edge lists: a line with a tab is split at tabs, else a line with a comma at commas, else at
 * blanks. Blanks around a column are dropped. A column may stand in double quotes, where a quote is
 * doubled (RFC 4180). # and % begin a comment line; behind a blank and two columns they begin a
 * comment, too. Attributes in braces at the end, as NetworkX writes them, are one column. A line with
 * two possible meanings is refused. */
typedef enum pci_line_style {
    PCI_EDGE_LIST_LINES,
    PCI_MATRIX_MARKET_LINES /* blanks separate; % starts a comment line */
} pci_line_style;

/* Splits the line from begin up to its end, which is a '\n' or the end of the text. False, and
 * *flaw is set, when the line cannot be split. */
bool pci_line_split(const char *begin, const char *end, pci_line_style style, pci_line *line,
                    pci_flaw *flaw);

/* The quote that closes the one at `at`, where a doubled one is part of the text; end when there is
 * none. */
const char *pci_closing_quote(const char *at, const char *end);

/* Copies a column to text[length], with one quote for two; returns the number of bytes copied. */
size_t pci_line_unquote(const pci_line *line, size_t column, char *text);

/* Writes a label as a column that pci_line_split reads, in quotes where it needs them. text has
 * room for 2 * length + 2 bytes. Returns the bytes written. The label must not be empty nor have a
 * line end or a NUL byte. */
size_t pci_line_quote(const char *label, size_t length, char *text);

/* Set *flaw to a flaw of a column, or of a whole line. They return false, so that a function that
 * finds a flaw can return the call. */
bool pci_column_flaw(const pci_line *line, size_t column, const char *subject, const char *what,
                     pci_flaw *flaw);
bool pci_line_flaw(const pci_line *line, const char *what, pci_flaw *flaw);

enum { PCI_POINT_BYTES = 64 };

/* A number with a decimal comma as one with a point: a copy in point, or the text itself when it has no comma or is
 * longer. */
const char *pci_with_point(const char *text, size_t length, char point[PCI_POINT_BYTES]);

/* What is wrong with a weight; NULL: nothing. */
const char *pci_weight_fault(pci_multiplicity kind);

/* Reads a column as a multiplicity, or as a weight of input->scale. Without take the column may be any
 * number, and value becomes 0 for zero and 1 for all others. False, and *flaw is set, when it cannot
 * be read so. */
bool pci_line_weight(const pci_input *input, const pci_line *line, size_t column, bool take,
                     uint64_t *value, pci_flaw *flaw);

#endif

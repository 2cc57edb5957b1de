/* One line of columns: splitting it, and what is wrong with it. */
#ifndef PCI_LINE_H
#define PCI_LINE_H

#include "io/input.h"

#define PCI_NO_COLUMN UINT32_MAX

/* The roles of columns, in their order where all columns of a line are taken. */
enum { PCI_FROM, PCI_TO, PCI_WEIGHT, PCI_TYPE, PCI_TEXT, PCI_N_ROLES };

enum { PCI_ARROW_BYTES = 8, PCI_POINT_BYTES = 64 };

/* Tells which columns of lines are taken. */
typedef struct pci_columns {
    char separator;    /* ' ' is any number of blanks; 0: tab, comma or blank, as each line looks */
    const char *arrow; /* stands between the two ends, in place of a separator; NULL: none does */

    /* Columns are taken in their order, three at most, with a separator as in Matrix Market; else at says which. */
    bool are_all;

    bool is_plain;      /* those taken are the first two or three, and no arrow stands between */
    uint32_t n_columns; /* of each line; 0: any number */
    uint32_t at[PCI_N_ROLES]; /* numbers from 0 on, or PCI_NO_COLUMN */
} pci_columns;

/* Columns of a line that stands by itself. */
extern const pci_columns pci_any_columns;

/* Describes a fault of a line. All zero: there is none. */
typedef struct pci_flaw {
    const char *at;      /* in the line */
    const char *subject; /* names the column that has the fault: "weight", "index", or "" */
    const char *column;  /* the offending text, quoted in the message; NULL: none */
    size_t length;
    const char *what; /* the rest of the sentence */
} pci_flaw;

/* PC_ERR_DATA, with a message about a flaw at a place in input->text. */
pc_status pci_flaw_report(const pci_input *input, const pci_flaw *flaw);

/* The same for a flaw in the line that holds the byte at offset of the input. */
pc_status pci_flaw_report_at(const pci_input *input, uint64_t offset, const pci_flaw *flaw);

/* Has the columns of a line by their roles. */
typedef struct pci_line {
    const char *begin;
    size_t n_columns; /* 0: it is blank or a comment; chosen columns: 3 with a weight, else 2 */
    const char *column[PCI_N_ROLES]; /* without the quotes around it */
    size_t length[PCI_N_ROLES];
    bool has_doubled_quotes[PCI_N_ROLES]; /* each pair of them is one quote */
} pci_line;

/* Splits the line from begin up to its end, which is a '\n' or the end of the text. Blanks around a column are dropped.
 * A column may stand in double quotes, where a quote is doubled (RFC 4180). # and % begin a comment line; behind a
 * blank and two columns they begin a comment, too, where the line has too many columns or these are as they look.
 * Attributes in braces at the end, as NetworkX writes them, are one column. False, and *flaw is set, when the line
 * cannot be split, has another number of columns or two possible meanings. */
bool pci_line_split(const pci_columns *columns, const char *begin, const char *end, pci_line *line,
                    pci_flaw *flaw);

/* Holds a line while its columns are taken one after the other. */
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

pci_column_cursor pci_columns_of(const char *begin, const char *end, char separator);

/* The next column, which may be empty; false at the end of the line, and at a fault. */
bool pci_column_next(pci_column_cursor *cursor, pci_column *column);

/* The arrow within a line, such as -> or --; false when there is none. */
bool pci_arrow_find(const char *begin, const char *end, const char **arrow, size_t *length);

/* PC_DIRECTED for -> and the like, PC_UNDIRECTED for -- and <->, PC_DIRECTION_OF_FORMAT for a text that is none. */
pc_direction pci_arrow_direction(const char *arrow);

/* The quote that closes the one at `at`, where a doubled one is part of the text; end when there is none. */
const char *pci_closing_quote(const char *at, const char *end);

/* Copies a column to text[length], with one quote for two; returns the number of bytes copied. */
size_t pci_line_unquote(const pci_line *line, size_t column, char *text);

/* Writes a label as a column that pci_line_split reads, in quotes where it needs them. text has room for 2 * length + 2
 * bytes. Returns the bytes written. The label must not be empty nor have a line end or a NUL byte. */
size_t pci_line_quote(const char *label, size_t length, char *text);

/* Set *flaw to a flaw of a column, or of a whole line. They return false, so that a function that
 * finds a flaw can return the call. */
bool pci_column_flaw(const pci_line *line, size_t column, const char *subject, const char *what,
                     pci_flaw *flaw);
bool pci_line_flaw(const pci_line *line, const char *what, pci_flaw *flaw);

/* The value of 'weight' among attributes in braces, as NetworkX writes them: {'weight': 3}. False when there is none.
 * */
bool pci_attributes_weight(const char *at, const char *end, const char **text, size_t *length);

/* A number with a decimal comma as one with a point: a copy in point, or the text itself when it has no comma or is
 * longer. */
const char *pci_with_point(const char *text, size_t length, char point[PCI_POINT_BYTES]);

/* Says what is wrong with a weight; NULL: nothing. */
const char *pci_weight_fault(pci_multiplicity kind);

/* Reads a column as a multiplicity, or as a weight of input->scale. Without take the column may be any number, and
 * value becomes 0 for zero and 1 for all others. False, and *flaw is set, when it cannot be read so. */
bool pci_line_weight(const pci_input *input, const pci_line *line, size_t column, bool take,
                     uint64_t *value, pci_flaw *flaw);

#endif

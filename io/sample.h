/* The first lines of a text, and the tables of cells that they are when they are cut at a separator. Readings
 * (readings.h) look at these. A sample borrows the text of its input. */
#ifndef PCI_SAMPLE_H
#define PCI_SAMPLE_H

#include "graphs/labels.h"
#include "io/input.h"

/* The first 64 KiB of a text, in whole lines, and at least a few lines where the input has them. */
typedef struct pci_head {
    const char *begin, *end;
    bool is_whole; /* nothing follows */
} pci_head;

pci_head pci_head_of(const pci_input *input, const char *begin);

/* The next line of a head, without blanks and a carriage return around it; false at the end. */
bool pci_head_line(const pci_head *head, const char **at, const char **begin, const char **end);

/* The same, without blank lines and lines that begin with # or %. */
bool pci_head_data_line(const pci_head *head, const char **at, const char **begin,
                        const char **end);

/* The comment at the head of the files that we write. It states how they are to be read, so that they are read back
 * without an option: "# pathcount graph: directed, weights, 10 vertices". All that follows a semicolon is skipped. */
typedef struct pci_head_comment {
    pc_direction direction; /* PC_DIRECTION_OF_FORMAT: not stated */
    bool weights;           /* the third column is one of multiplicities */
    bool loops_twice;       /* those of loops are doubled, because undirected loops count twice */
    bool has_n_vertices;
    uint64_t n_vertices; /* 0 .. n_vertices-1 exist */
} pci_head_comment;

enum { PCI_HEAD_COMMENT_BYTES = 100 };

/* Writes the comment without its sign and without a line end. */
void pci_head_comment_text(const pci_head_comment *comment, char text[PCI_HEAD_COMMENT_BYTES]);

/* Finds the head comment among those before the first line of data. Returns the line that has it; NULL when there is
 * none. *is_good says whether it could be read, and only then *comment is set. */
const char *pci_head_comment_find(const pci_head *head, pci_head_comment *comment, bool *is_good);

/* Returns whether a comment, which begins behind its sign, is one of ours; *is_good and *comment as above. */
bool pci_head_comment_parse(const char *at, const char *end, pci_head_comment *comment,
                            bool *is_good);

/* A cell, or all cells of a column, can be one of these. */
typedef enum pci_kind {
    PCI_NOTHING,  /* empty, or a word for a missing value */
    PCI_INTEGERS, /* also as 1.0 */
    PCI_TIMES,    /* integers from 10^8 on */
    PCI_NUMBERS,
    PCI_DATES,
    PCI_DATA, /* a dictionary in braces */
    PCI_WORDS
} pci_kind;

typedef struct pci_cell {
    const char *text; /* without quotes and blanks around it */
    uint32_t length;
    uint32_t name; /* cells with the same text have the same name, in all tables of a sample */
    pci_kind kind;
    bool is_quoted;
} pci_cell;

typedef struct pci_table {
    char separator;       /* ' ' is any number of blanks */
    uint32_t n_skipped;   /* lines before it that are comments with an unusual mark */
    uint32_t n_rows;      /* 1 at least */
    uint32_t n_columns;   /* of each row but the first one; of the first one where it is alone */
    bool is_below_sizes;  /* the lines that are skipped have a number each */
    bool is_rare;         /* its separator is likely only where no other one fits */
    const pci_cell **row; /* [n_rows + 1] row r ends where row r + 1 begins */
    pci_cell *cell;
} pci_table;

typedef struct pci_span {
    const char *begin, *end;
} pci_span;

enum { PCI_MOST_TABLES = 16 };

typedef struct pci_sample {
    const pci_input *input;
    pci_head head;
    pci_span *line; /* [n_lines] neither blank nor a comment; a tab may begin or end it */
    uint32_t n_lines;
    uint32_t n_odd;        /* first lines that begin with an unusual mark of comments, such as // */
    bool is_odd_comment;   /* such a line states a direction, so it is one */
    uint32_t n_sizes;      /* first lines that have one number each */
    pc_direction stated;   /* in a comment */
    bool is_contradictory; /* comments state both directions */
    bool is_ragged;        /* rows of tables may have different numbers of cells */
    bool is_asked; /* the separator is asked for: a cell may have half of a pair of brackets */
    pci_names names;
    uint8_t *mark; /* [names.n] for those who look for equal cells; all zero between uses */
    pci_table table[PCI_MOST_TABLES];
    uint32_t n_tables;
} pci_sample;

/* Takes the first lines of the text from begin on. PC_ERR_DATA for a NUL byte, PC_ERR_MEMORY. */
pc_status pci_sample_take(const pci_input *input, const char *begin, pci_sample *sample);

/* Cuts them at each separator that fits all of them, or only at the one that is asked for; 0: any. ragged: rows may
 * have different numbers of cells, and n_columns is the least. PC_ERR_MEMORY. */
pc_status pci_sample_cut(pci_sample *sample, char separator, bool ragged);
void pci_sample_free(pci_sample *sample);

static inline uint32_t pci_row_length(const pci_table *t, uint32_t row)
{
    return (uint32_t)(t->row[row + 1] - t->row[row]);
}

/* Returns the kind of the cells of a column from a row on; missing ones do not count. It is PCI_NOTHING behind the last
 * column. */
pci_kind pci_column_kind(const pci_table *t, uint32_t first, uint32_t column);

static inline bool pci_is_numeric(pci_kind kind)
{
    return kind == PCI_INTEGERS || kind == PCI_TIMES || kind == PCI_NUMBERS;
}

/* The cell that a text is without the blanks around it, in a line that blanks separate. It has no name. */
pci_cell pci_cell_of(const char *begin, const char *end);

/* The value of a cell of digits alone, up to 18 of them; false for any other. */
bool pci_cell_number(const pci_cell *cell, uint64_t *number);

/* Returns whether a text is empty or a word for a missing value, such as NA or None. */
bool pci_is_missing(const char *text, size_t length);

/* "-1", which may stand for a missing value, too. */
bool pci_is_minus_one(const char *text, size_t length);

/* Returns whether a bracket or quote is open in a text, or closed that was not opened. */
bool pci_is_torn(const char *text, size_t length);

/* Returns whether n cells differ, each of which stands step cells behind the one before. */
bool pci_are_distinct(const pci_sample *sample, const pci_cell *cell, uint32_t n, uint32_t step);

/* Returns whether the cells of a column count on from 0 or from 1. */
bool pci_column_counts(const pci_table *t, uint32_t first, uint32_t column);

#endif

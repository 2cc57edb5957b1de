/* Readings: the ways in which a text that has no mark of a format may hold a graph. Each reading that fits the first
 * lines of a text is found; choose.c then removes those that are less likely by a rule, and asks where graphs differ.
 * */
#ifndef PCI_READINGS_H
#define PCI_READINGS_H

#include "io/line.h"
#include "io/sample.h"
#include "io/text.h"

typedef enum pci_reading_kind {
    PCI_EDGES,         /* a line an edge, without a header */
    PCI_EDGES_HEADER,  /* names of columns in the first line */
    PCI_EDGES_SIZES,   /* the numbers of vertices and edges in the first line */
    PCI_EDGES_BETWEEN, /* a word between the two ends */
    PCI_EDGES_BEHIND,  /* the ends are columns 2 and 3, behind an index or a word */
    PCI_EDGES_ARROWS,
    PCI_EDGES_LOOSE, /* lines that are separated in different ways, or some with a weight */
    PCI_MATRIX,
    PCI_MATRIX_NAMES, /* with names across, down, or both; or below its size */
    PCI_LISTS,
    PCI_LISTS_DEGREES, /* the second number of each line counts the others; not read */
    PCI_LISTS_LINES,   /* a neighbour a line, as NetworkX's multiline lists */
    PCI_METIS,
    PCI_LGL,
    PCI_TUPLES,  /* (a, b) */
    PCI_ENTRIES, /* (row, column) value: a printed sparse matrix */
    PCI_N_READINGS
} pci_reading_kind;

/* Facts that rules look at. */
enum {
    PCI_SURE = 1,          /* nothing else is likely */
    PCI_LOOSE = 2,         /* it is asked about even when nothing else fits */
    PCI_NAMED = 4,         /* a header has names of ends that programs write */
    PCI_LABELLED = 8,      /* a matrix has the same names across and down */
    PCI_HOLES = 16,        /* a matrix has a 0, or is symmetric */
    PCI_ALL_INTEGERS = 32, /* both ends of each edge */
    PCI_NO_LABELS = 64     /* the words of a header cannot be labels */
};

enum { PCI_READING_NOTE_BYTES = 200, PCI_ASKED_TEXT = 3, PCI_MOST_ASKED };

typedef struct pci_reading {
    pci_reading_kind kind;
    unsigned facts;
    const pci_table *table;   /* NULL: lines are not cut into cells */
    char separator;           /* 0: each line as it looks */
    uint32_t n_skipped;       /* lines that are comments with an unusual mark */
    uint32_t first_row;       /* 1: the one before is a header or a line of sizes */
    uint32_t shift;           /* 1: the header lacks a name for the first column, as R writes it */
    uint32_t n_columns;       /* of a line; of a matrix its side */
    uint32_t at[PCI_N_ROLES]; /* columns of an edge list, or PCI_NO_COLUMN */
    uint64_t first_vertex, n_vertices; /* that a line of sizes states; 0 vertices: not stated */
    uint32_t first_column; /* of a matrix: 1 where names or numbers of rows stand before it */
    bool names_across, names_down;
    /* It stands between two ends, or, also as a colon, behind the vertex of a list; "" for none. */
    char arrow[PCI_ARROW_BYTES];

    /* These are set for the reading that is chosen. */
    size_t n_passed_bytes;  /* up to the end of the comments, header or sizes; 0: there are none */
    bool refuses_minus_one; /* -1 is no label, as there are no other negative ones */
    bool refuses_missing;   /* NA, None and the like are no labels */
    bool is_asked;          /* options name the columns; lines may have others, and more or fewer */
    pc_direction stated;    /* by an arrow, or in a comment */
    bool is_of_arrows;      /* it is by an arrow: of two opposite ones each counts */
    /* Names of the ends in a header that must not be labels, too, in bytes from the begin of the text. They have
     * length 0 where the header is certain. */
    uint32_t name_at[2], name_length[2];
    char note[PCI_READING_NOTE_BYTES]; /* what people should know; "" for nothing */
} pci_reading;

/* Holds what options say of how to read a text, which has no mark of a format. */
typedef struct pci_asked {
    const pci_input *input;
    const char *begin; /* of the text */
    bool is_relation;
    const pc_graph_options *options;
    pc_format format; /* PC_FORMAT_AUTO: any */
    bool is_named;    /* the format is known from the name of the file alone */
    pc_header header;
    char separator; /* 0: any */
    char arrow[PCI_ARROW_BYTES];
    uint32_t n_columns; /* 0: any columns */
    bool finds_ends;    /* the columns of the ends are not asked for, but that of a text is */
    /* The columns of from, to, weight and the text that is kept; a text is NULL where none is asked for. */
    const char *text[PCI_MOST_ASKED];
    size_t length[PCI_MOST_ASKED];
    uint32_t number[PCI_MOST_ASKED]; /* from 0 on; PCI_NO_COLUMN: it is a name */
    bool has_names;
} pci_asked;

/* Parses the options, and the column of texts of the input. PC_ERR_ARGUMENT when they make no sense. */
pc_status pci_asked_parse(pci_asked *asked);

enum { PCI_MOST_FOUND = 96 };

/* The first lines of a text, and its readings. */
typedef struct pci_found {
    pci_sample sample;
    const pci_asked *asked;
    pci_reading reading[PCI_MOST_FOUND];
    uint64_t hash[PCI_MOST_FOUND]; /* of the graphs; none are made where one reading is left */
    uint32_t n;
    bool asks;        /* it is not certain which one is meant */
    pc_status status; /* of the search: memory, or a file that cannot be read */
} pci_found;

/* Takes the first lines, finds the readings that options allow, and applies the rules. The sample is freed by the
 * caller where the status is PC_OK. PC_ERR_DATA, PC_ERR_MEMORY. */
pc_status pci_decide(const pci_asked *asked, pci_found *found);

/* Makes hash[i]. PC_ERR_MEMORY. */
pc_status pci_found_hash(pci_found *found, uint32_t i);

/* Add the readings of a kind that fit: of one table, or of the lines. */
void pci_find_edges(pci_found *found, const pci_table *table);

/* Returns whether each line has two integers, as in most files. Then the lines are edges and nothing else, and need
 * not be cut into cells. */
bool pci_find_plain_edges(pci_found *found);

void pci_find_pairs(pci_found *found,
                    const pci_table *table); /* of many columns, those that may be ends */
void pci_find_arrows(pci_found *found);
void pci_find_loose_edges(pci_found *found);
void pci_find_matrices(pci_found *found, const pci_table *table);
void pci_find_lists(pci_found *found);
void pci_find_metis(pci_found *found);
void pci_find_lgl(pci_found *found);
void pci_find_tuples(pci_found *found);

void pci_found_add(pci_found *found, const pci_reading *reading);

/* The next word of a line, whose end *at becomes; false at the end of the line, where it is empty. */
bool pci_next_word(const char **at, const char *end, char separator, pci_word *word);

/* The column that has a name in the first row, as it stands there, else in any case of letters; or PCI_NO_COLUMN. */
uint32_t pci_column_find(const pci_table *table, const char *text, size_t length);

/* Returns whether a comment is one that NetworkX writes above lists of neighbours. */
bool pci_is_by_networkx(const pci_sample *sample);

/* Returns whether options, which may be NULL, say anything about columns, header or separator. */
bool pci_asks_columns(const pc_graph_options *options);

/* Chooses how a text is read that has no mark of a format, from begin on. format is PC_FORMAT_AUTO or one of those that
 * readings have; is_named says that it is known from the name of the file alone. options may be NULL. PC_ERR_DATA when
 * no reading fits, or when several fit that give different graphs: the message names each with the option that chooses
 * it. PC_ERR_ARGUMENT for options without sense, PC_ERR_MEMORY. */
pc_status pci_reading_choose(const pci_input *input, const char *begin, pc_format format,
                             bool is_named, bool is_relation, const pc_graph_options *options,
                             pci_reading *reading);

/* Returns whether the readings of a format are chosen so; others have parsers that need nothing to be chosen. */
bool pci_has_readings(pc_format format);

/* The readings in the words of messages, their options of --format and the formats whose parsers take them. */
typedef struct pci_reading_row {
    const char *title;
    const char *option; /* NULL: there is none, as it is not read */
    pc_format format;
} pci_reading_row;
extern const pci_reading_row pci_readings[PCI_N_READINGS];

/* ---- Edges in columns ---------------------------------------------------------------------------- */

/* Returns whether labels of a column of one kind may occur in a column of the other. */
bool pci_are_alike_kinds(pci_kind one, pci_kind other);

/* Returns whether a cell may be a label: it has a letter or a digit, and is neither a decimal number nor a list of
 * numbers. */
bool pci_is_label(const pci_cell *cell);

/* Returns whether the first row has words above a column of numbers. The columns before corner do not count. */
bool pci_is_words_over_numbers(const pci_table *t, uint32_t corner);

/* Finds the columns that are called as the ends of an edge are, a weight and a type; PCI_NO_COLUMN where there is none.
 * False when there is no pair of ends. */
bool pci_find_known_names(const pci_cell *row, uint32_t n, uint32_t at[PCI_N_ROLES]);

/* "id" and "label", as Gephi writes them above a table of vertices. */
bool pci_is_of_vertices(const pci_table *t);

extern const char pci_missing_end[]; /* a message behind a word that stands for no vertex */

/* A reading without columns. */
pci_reading pci_new_reading(uint32_t first_row, unsigned facts);

/* Adds an edge list whose ends are two columns; nothing where a cell there is no label. */
void pci_add_edges(pci_found *f, const pci_table *t, pci_reading_kind kind, uint32_t from,
                   uint32_t to, pci_reading reading);

/* Find readings of one table: below a header, and with columns that are asked for. */
void pci_find_header(pci_found *f, const pci_table *t);
void pci_find_asked(pci_found *f, const pci_table *t);

/* ---- Deciding between readings -------------------------------------------------------------------- */

#define PCI_KIND(kind) (1u << PCI_##kind)
#define PCI_EDGE_KINDS                                                                             \
    (PCI_KIND(EDGES) | PCI_KIND(EDGES_HEADER) | PCI_KIND(EDGES_SIZES) | PCI_KIND(EDGES_BETWEEN) |  \
     PCI_KIND(EDGES_BEHIND) | PCI_KIND(EDGES_ARROWS) | PCI_KIND(EDGES_LOOSE))
#define PCI_MATRIX_KINDS (PCI_KIND(MATRIX) | PCI_KIND(MATRIX_NAMES))
#define PCI_LIST_KINDS   (PCI_KIND(LISTS) | PCI_KIND(LISTS_DEGREES) | PCI_KIND(LISTS_LINES))
#define PCI_ANY_KIND     (~0u)

/* Returns whether a reading is of one of these kinds. */
static inline bool pci_is_of(const pci_reading *reading, unsigned kinds)
{
    return kinds >> reading->kind & 1;
}

#endif

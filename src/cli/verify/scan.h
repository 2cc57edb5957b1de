/* Reads a result from its beginning to its end, in each format that pathcount writes: each label must be the one that
 * must come there, and each number goes to a comparer with its row and column, which holds it against the graph. */
#ifndef CLI_VERIFY_SCAN_H
#define CLI_VERIFY_SCAN_H

#include "src/cli/verify/images.h"
#include "src/cli/verify/residues.h"

/* ---- Comparing (src/cli/verify/compare.c) ------------------------------------------------------ */

/* A number as it stands in a result. */
typedef struct cli_entry {
    const char *text; /* NULL: it is binary */
    size_t n_bytes;
    const unsigned char
        *words; /* little-endian: those of an integer, or a double where n_words is 0 */
    uint32_t n_words;
} cli_entry;

/* Rows that are known, entry by entry. */
typedef struct cli_known_rows {
    uint64_t modulus;      /* of residues of integers; 0: doubles */
    uint64_t *place;       /* [n_rows] of a row among the numbers; UINT64_MAX: it is not known */
    uint64_t n_places;     /* of a length */
    cli_number *numbers;   /* [lengths][n_places][n_columns] */
    long double tolerance; /* of doubles, relative */
} cli_known_rows;

typedef struct cli_comparer {
    const cli_verify_question *question;
    uint64_t length_index;
    cli_images images; /* of integers; of doubles the columns, where there are one or two */

    /* A reader sets it: only entries with column <= row come, and a sum has each for its mirror image, too. */
    bool is_lower;

    /* Integers: rows are judged by the sums of their entries times x. */
    uint64_t n_rounds; /* 0: each entry is judged alone when it comes */
    bool is_modular;   /* they are residues, and below the modulus */
    cli_sum *sums;     /* [n_rows][n_rounds] */

    /* Doubles, and entries that are known. */
    const cli_known_rows *known; /* NULL: rows come from the graph */
    cli_row_walks walks;
    cli_number *row;  /* [n_columns] what the row must be */
    bool *seen;       /* [n_columns] entries of it that have come */
    uint64_t in_row;  /* whose row that is; UINT64_MAX: none */
    cli_number least; /* numbers below it may vanish */
    long double tolerance;
} cli_comparer;

/* Makes a comparer of the question; integers get at least n_rounds random vectors. PC_ERR_INTERNAL;
 * cli_comparer_free also then. */
pc_status cli_comparer_make(const cli_verify_question *question, bool is_real, uint64_t n_rounds,
                            cli_comparer *comparer);

/* Makes one of rows that are known, and outlive it. */
void cli_comparer_make_known(const cli_verify_question *question, const cli_known_rows *known,
                             cli_comparer *comparer);
void cli_comparer_free(cli_comparer *comparer);

/* False: doubles. */
static inline bool cli_compares_integers(const cli_comparer *comparer)
{
    return comparer->n_rounds > 0 || (comparer->known != NULL && comparer->known->modulus != 0);
}

/* Begins the answer for a length. */
void cli_compare_begin(cli_comparer *comparer, uint64_t length_index);

/* Takes an entry. Entries of a row come in any order, each once; one that does not come is 0. Returns NULL or,
 * in static storage, a clause that names the fault; so does the next function. */
const char *cli_compare_entry(cli_comparer *comparer, uint64_t row, uint64_t column,
                              cli_entry entry);

/* Judges a row, all of whose entries have come. */
const char *cli_compare_row(cli_comparer *comparer, uint64_t row);

/* ---- Reading ----------------------------------------------------------------------------------- */

typedef struct cli_scan {
    const cli_verify_question *question;
    cli_comparer *comparer;
    const bool *only; /* [n_rows] of a matrix, which rows are judged; NULL: all */
    const char *name; /* of the file, for messages */
    const char *begin, *at, *end;
    uint64_t n_counts; /* that were read */
    uint64_t n_ended;  /* rows of this length that were judged */
    pc_status status;  /* of the first failure, which has its message */
} cli_scan;

/* Reads the result that the scan is at the beginning of. The content says which format it is. PC_ERR_DATA names the
 * line and the fault. */
pc_status cli_read_result(cli_scan *scan);

static inline bool cli_scan_begins(const cli_scan *scan, const char *text, size_t length)
{
    return (size_t)(scan->end - scan->at) >= length && memcmp(scan->at, text, length) == 0;
}

/* ---- What readers are made of ---------------------------------------------------------------- */

/* Notes PC_ERR_DATA at the line where the scan is; the text is a clause. Returns false. */
bool cli_scan_fail(cli_scan *scan, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Fails for a kind of result that nothing holds against the graph. */
bool cli_scan_refuse(cli_scan *scan, const char *kind);

/* Begins the answer for a length. */
void cli_scan_begin_length(cli_scan *scan, uint64_t length_index);

/* Takes a text that must come next; false, and no failure is noted, when another one does. */
bool cli_scan_take(cli_scan *scan, const char *text);
bool cli_scan_take_character(cli_scan *scan, char c);

/* Takes a number that ends before the character stop, which is taken too; else as above. */
bool cli_scan_take_word(cli_scan *scan, char stop, uint64_t *word);

/* The ways to write the label of a row or column. */
typedef enum cli_label_form {
    CLI_LABEL_TSV,   /* tab, line feed, carriage return and backslash as \t \n \r \\ */
    CLI_LABEL_CSV,   /* in quotes where it needs them */
    CLI_LABEL_SHOWN, /* control characters as \xNN */
    CLI_LABEL_JSON
} cli_label_form;

/* Takes a label, which must be that of index; else as above. The caller takes the text after it. */
bool cli_scan_take_label(cli_scan *scan, cli_label_form form, const pc_labels *labels,
                         uint64_t index);

/* Takes the labels in their order, with one text before the first, one before each other and one after each. */
bool cli_scan_take_labels(cli_scan *scan, cli_label_form form, const pc_labels *labels,
                          const char *first, const char *next, const char *after);

/* Returns whether the labels count up from first, so that places of rows say the same. */
bool cli_labels_count_from(const pc_labels *labels, uint64_t first);

/* Each of these notes the failure when it returns false. */

bool cli_scan_fail_entry(cli_scan *scan, uint64_t row, uint64_t column, cli_entry entry,
                         const char *wrong);

/* Gives the comparer an entry. */
static inline bool cli_scan_take_entry(cli_scan *scan, uint64_t row, uint64_t column,
                                       cli_entry entry)
{
    const char *wrong = cli_compare_entry(scan->comparer, row, column, entry);
    scan->n_counts++;
    return wrong == NULL || cli_scan_fail_entry(scan, row, column, entry, wrong);
}

/* The entry whose text is from here up to one of the one or two characters of stops, which stays. */
bool cli_scan_take_count(cli_scan *scan, uint64_t row, uint64_t column, const char *stops);

static inline bool cli_scan_wants(const cli_scan *scan, uint64_t row)
{
    return scan->only == NULL || scan->only[row];
}

/* Asks for the verdict on the rows before end that are wanted and have none. */
bool cli_scan_end_rows(cli_scan *scan, uint64_t end);

/* Goes to the end of the line, which stays. */
bool cli_scan_skip_line(cli_scan *scan);

/* The line must end here. */
bool cli_scan_end_line(cli_scan *scan);

/* Nothing may come after the end of a result. */
bool cli_scan_end(cli_scan *scan);

/* The readers of arrays. */
bool cli_read_npy(cli_scan *scan);
bool cli_read_npz(cli_scan *scan);

/* A little-endian word. */
static inline uint64_t cli_word_at(const unsigned char *bytes)
{
    uint64_t word = 0;
    for (int b = 8; b-- > 0;)
        word = word << 8 | bytes[b];
    return word;
}

#endif

/* Holds the numbers that a reader of results finds against the graph. */
#ifndef CLI_VERIFY_COMPARE_H
#define CLI_VERIFY_COMPARE_H

#include "src/cli/verify/images.h"
#include "src/cli/verify/residues.h"

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

/* A little-endian word. */
static inline uint64_t cli_word_at(const unsigned char *bytes)
{
    uint64_t word = 0;
    for (int b = 8; b-- > 0;)
        word = word << 8 | bytes[b];
    return word;
}

#endif

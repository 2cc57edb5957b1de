/* What a reader of results gives the numbers to that it finds: they are held against the graph. */
#ifndef CLI_VERIFY_CHECKER_H
#define CLI_VERIFY_CHECKER_H

#include "src/cli/verify/images.h"

/* Each function returns NULL, or a clause that says what is wrong, in static storage. Entries of a row come
 * in any order, each once; one that does not come is 0. */
typedef struct cli_checker cli_checker;

struct cli_checker {
    const char *(*text)(cli_checker *checker, uint64_t row, uint64_t column, const char *text,
                        size_t length);
    /* A count of little-endian words, or a double when n_words is 0, byte by byte. */
    const char *(*bytes)(cli_checker *checker, uint64_t row, uint64_t column,
                         const unsigned char *bytes, uint32_t n_words);
    const char *(*row)(cli_checker *checker, uint64_t row);     /* all its entries have come */
    void (*begin)(cli_checker *checker, uint64_t length_index); /* the answer for a length */
    void (*free)(cli_checker *checker);
    uint64_t n_rounds; /* 0: each entry is judged alone, as it comes */
    bool is_lower;     /* set by a reader: only entries with column <= row come, and the
                      rest of a row is not judged */
    bool
        is_shown; /* set by a reader: doubles have as many digits as hold, and were rounded to them */
};

/* For integers: images of at least n_rounds random vectors. PC_ERR_MEMORY, PC_ERR_INTERNAL. */
pc_status cli_checker_of_residues(const cli_verify_question *question, uint64_t n_rounds,
                                  cli_checker **checker);

/* For integers whose images are there; they are freed with the checker, or at once after a failure.
 * PC_ERR_MEMORY. */
pc_status cli_checker_of_images(const cli_verify_question *question, cli_images *images,
                                cli_checker **checker);

/* Rows of doubles that are known. */
typedef struct cli_known_rows {
    const uint64_t *place;     /* [n_rows] of a row among the values; UINT64_MAX: it is not known */
    uint64_t n_places;         /* of a length */
    const long double *values; /* [lengths][n_places][n_columns] */
    const int64_t *exponents;  /* [lengths][n_places] value * 2^exponent is the number */
    long double tolerance;     /* relative */
} cli_known_rows;

/* For doubles: held against known, which must outlive the checker; NULL: against the graph. PC_ERR_MEMORY. */
pc_status cli_checker_of_doubles(const cli_verify_question *question, const cli_known_rows *known,
                                 cli_checker **checker);

#endif

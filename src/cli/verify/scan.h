/* A result that is read from its beginning to its end, and the message where it is not what it must be. */
#ifndef CLI_VERIFY_SCAN_H
#define CLI_VERIFY_SCAN_H

#include "src/cli/verify/checker.h"

enum { CLI_SCAN_SUMS = 2 };

/* Sums of counts, modulo a random prime or the modulus of residues. */
typedef struct cli_scan_sums {
    uint64_t modulus, total, diagonal;
} cli_scan_sums;

typedef struct cli_scan {
    const cli_verify_question *question;
    cli_checker *checker;
    const bool *only; /* [n_rows] of a matrix, which rows are judged; NULL: all */
    const char *name; /* of the file, for messages */
    const char *begin, *at, *end;
    cli_scan_sums sums[CLI_SCAN_SUMS]; /* of a table that is shown */
    uint64_t n_counts;                 /* that were read */
    uint64_t n_rounds;                 /* of the checker, once it is gone */
    bool is_symmetric;                 /* Matrix Market has the lower triangle only */
    bool has_labels_apart;             /* of an array */
    bool has_no_memory;                /* for a label: then nothing is said of the text */
} cli_scan;

/* Fails with PC_ERR_DATA at the line where the scan is; the text is a clause. */
pc_status cli_scan_fail(const cli_scan *scan, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Takes a text that must come next; false when another one does. */
bool cli_scan_take(cli_scan *scan, const char *text);
bool cli_scan_take_character(cli_scan *scan, char c);

/* How the label of a row or column is written. */
typedef enum cli_label_form {
    CLI_LABEL_TSV,   /* tab, line feed, carriage return and backslash as \t \n \r \\ */
    CLI_LABEL_CSV,   /* in quotes where it needs them */
    CLI_LABEL_SHOWN, /* control characters as \xNN */
    CLI_LABEL_JSON
} cli_label_form;

/* Takes a label, which must be that of index; false when another one comes. What comes after it is for
 * the caller to see to. */
bool cli_scan_take_label(cli_scan *scan, cli_label_form form, const pc_labels *labels,
                         uint64_t index);

/* Gives the checker the number from here up to one of the characters of stops, which stays. */
pc_status cli_scan_take_count(cli_scan *scan, uint64_t row, uint64_t column, const char *stops);

static inline bool cli_scan_wants(const cli_scan *scan, uint64_t row)
{
    return scan->only == NULL || scan->only[row];
}

/* Goes to the end of the line, which stays. */
pc_status cli_scan_skip_line(cli_scan *scan);

/* Whether the labels count up from first, so that places of rows say the same. */
bool cli_labels_count_from(const pc_labels *labels, uint64_t first);

/* The line must end here. */
pc_status cli_scan_end_line(cli_scan *scan);

/* Asks the checker for its verdict on a row. */
pc_status cli_scan_end_row(cli_scan *scan, uint64_t row);

/* Nothing may come after the end of a result. */
pc_status cli_scan_end(const cli_scan *scan);

/* The readers, by what they read. */
pc_status cli_read_table(cli_scan *scan, char separator); /* .tsv, .csv */
pc_status cli_read_mtx(cli_scan *scan);
pc_status cli_read_npy(cli_scan *scan);
pc_status cli_read_npz(cli_scan *scan);
pc_status cli_read_pairs(cli_scan *scan);
pc_status cli_read_matrix_json(cli_scan *scan);
pc_status cli_read_shown_table(cli_scan *scan); /* of at most 32 rows, as count prints it */
pc_status cli_read_lines(cli_scan *scan);       /* of a query */

#endif

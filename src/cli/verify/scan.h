/* Reads a result from its beginning to its end, in each format that pathcount writes: each label must be the one that
 * must come there, and each number goes to a comparer with its row and column, which holds it against the graph. */
#ifndef CLI_VERIFY_SCAN_H
#define CLI_VERIFY_SCAN_H

#include "src/cli/verify/compare.h"

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

#endif

/* A line for each entry that is not 0, row by row, as .pairs.tsv has them. */
#include "src/cli/verify/scan.h"

#include "src/cli/kinds.h"

/* Whether the label of that number comes next, and a tab. */
static bool take_label(cli_scan *scan, const char *at, const pc_labels *labels, uint64_t index)
{
    scan->at = at;
    return cli_scan_take_label(scan, CLI_LABEL_TSV, labels, index) &&
           cli_scan_take_character(scan, '\t');
}

/* The verdict on a row, when it is wanted. */
static pc_status end_row(cli_scan *scan, uint64_t row)
{
    return cli_scan_wants(scan, row) ? cli_scan_end_row(scan, row) : PC_OK;
}

/* Goes on to the row whose label comes next. */
static pc_status find_row(cli_scan *scan, uint64_t *row, uint64_t *column)
{
    const cli_verify_question *q = scan->question;
    const char *at = scan->at;
    pc_status status = PC_OK;
    while (status == PC_OK && *row < q->n_rows && !take_label(scan, at, q->labels, *row)) {
        scan->at = at;
        status = scan->has_no_memory ? PC_OK : end_row(scan, *row);
        *row = scan->has_no_memory ? q->n_rows : *row + 1;
        *column = 0;
    }
    return status == PC_OK && *row >= q->n_rows
               ? cli_scan_fail(scan, "this is no label of a row that may come here")
               : status;
}

/* Rows and columns ascend, so no entry comes twice. */
static pc_status read_line(cli_scan *scan, uint64_t *row, uint64_t *column)
{
    const cli_verify_question *q = scan->question;
    pc_status status = find_row(scan, row, column);
    const char *at = scan->at;
    if (status == PC_OK && !cli_scan_wants(scan, *row))
        status = cli_scan_skip_line(scan);
    else if (status == PC_OK) {
        while (*column < q->n_columns && !scan->has_no_memory &&
               !take_label(scan, at, q->column_labels, *column))
            ++*column;
        if (*column >= q->n_columns || scan->has_no_memory)
            return cli_scan_fail(scan, "this is no label of a column that may come here");
        status = cli_scan_take_count(scan, *row, *column, "\n");
        ++*column;
    }
    return status == PC_OK ? cli_scan_end_line(scan) : status;
}

pc_status cli_read_pairs(cli_scan *scan)
{
    const cli_verify_question *q = scan->question;
    uint64_t row = 0, column = 0;
    pc_status status = PC_OK;
    const char *entry =
        q->chain != NULL ? "ways" : cli_entry_of(q->options->query.paths, q->options->query.up_to);
    if (!cli_scan_take(scan, "from\tto\t") || !cli_scan_take(scan, entry) ||
        !cli_scan_take_character(scan, '\n'))
        return cli_scan_fail(scan, "the header is not from, to, %s", entry);
    while (scan->at < scan->end && status == PC_OK)
        status = read_line(scan, &row, &column);
    for (; row < q->n_rows && status == PC_OK; row++)
        status = end_row(scan, row);
    return status;
}

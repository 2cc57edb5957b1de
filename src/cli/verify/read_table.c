/* Tables of text: with separators, and as they are shown. */
#include "src/cli/verify/scan.h"

static bool take_blanks(cli_scan *scan)
{
    bool is_taken = cli_scan_take_character(scan, ' ');
    while (cli_scan_take_character(scan, ' '))
        ;
    return is_taken;
}

/* Columns as they are shown have any number of blanks between them. */
static bool take_separator(cli_scan *scan, char separator)
{
    return separator == ' ' ? take_blanks(scan) : cli_scan_take_character(scan, separator);
}

/* The labels of the columns after an empty corner. */
static pc_status read_header(cli_scan *scan, cli_label_form form, char separator)
{
    const cli_verify_question *q = scan->question;
    for (uint64_t c = 0; c < q->n_columns; c++)
        if (!cli_scan_take_character(scan, separator) ||
            !cli_scan_take_label(scan, form, q->column_labels, c))
            return cli_scan_fail(scan, "the header is not the labels of the columns");
    return cli_scan_take_character(scan, '\n')
               ? PC_OK
               : cli_scan_fail(scan, "the header is not the labels of the columns");
}

static pc_status read_row(cli_scan *scan, cli_label_form form, char separator, uint64_t row)
{
    const cli_verify_question *q = scan->question;
    const char stops[] = {separator, '\n', '\0'};
    pc_status status = PC_OK;
    if (scan->at == scan->end)
        return cli_scan_fail(scan, "the result ends here, and rows are missing");
    if (!cli_scan_take_label(scan, form, q->labels, row))
        return cli_scan_fail(scan, "this is not the label of the row that must come here");
    bool is_wanted = cli_scan_wants(scan, row);
    if (!is_wanted)
        status = cli_scan_skip_line(scan);
    for (uint64_t c = 0; c < q->n_columns && status == PC_OK && is_wanted; c++)
        status = take_separator(scan, separator)
                     ? cli_scan_take_count(scan, row, c, stops)
                     : cli_scan_fail(scan, "this row is too short, or its label is another one");
    if (status == PC_OK && is_wanted)
        status = cli_scan_end_row(scan, row);
    return status == PC_OK ? cli_scan_end_line(scan) : status;
}

static pc_status read_rows(cli_scan *scan, cli_label_form form, char separator)
{
    pc_status status = PC_OK;
    for (uint64_t row = 0; row < scan->question->n_rows && status == PC_OK; row++)
        status = read_row(scan, form, separator, row);
    return status == PC_OK ? cli_scan_end(scan) : status;
}

pc_status cli_read_table(cli_scan *scan, char separator)
{
    cli_label_form form = separator == ',' ? CLI_LABEL_CSV : CLI_LABEL_TSV;
    pc_status status = read_header(scan, form, separator);
    return status == PC_OK ? read_rows(scan, form, separator) : status;
}

/* ---- As shown -------------------------------------------------------------------------------- */

pc_status cli_read_shown_table(cli_scan *scan)
{
    const cli_verify_question *q = scan->question;
    bool is_header = cli_scan_take(scan, "from\\to");
    for (uint64_t c = 0; c < q->n_columns && is_header; c++)
        is_header =
            take_blanks(scan) && cli_scan_take_label(scan, CLI_LABEL_SHOWN, q->column_labels, c);
    if (!is_header || !cli_scan_take_character(scan, '\n'))
        return cli_scan_fail(scan, "the header is not the labels of the columns");
    return read_rows(scan, CLI_LABEL_SHOWN, ' ');
}

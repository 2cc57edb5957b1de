/* Tables of text: with separators, and as they are shown. */
#include "src/cli/verify/residues.h"
#include "src/cli/verify/scan.h"

#include "src/cli/kinds.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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

/* ---- Sums below a table ---------------------------------------------------------------------- */

/* Primes that nobody knew when the table was written. */
static pc_status begin_sums(cli_scan *scan)
{
    const cli_verify_question *q = scan->question;
    for (int s = 0; s < CLI_SCAN_SUMS; s++) {
        scan->sums[s] = (cli_scan_sums){.modulus = q->options->count.modulus};
        if (!cli_verify_is_modular(q) && !cli_draw_prime(&scan->sums[s].modulus))
            return pc_context_fail(q->context, PC_ERR_INTERNAL,
                                   "the system gives no random numbers");
    }
    return PC_OK;
}

/* A count modulo that of the sums, or a residue as it is; false when the text is none. */
static bool take_residue(const cli_scan *scan, const cli_scan_sums *sums, const char *text,
                         size_t length, uint64_t *residue)
{
    return cli_verify_is_modular(scan->question)
               ? cli_decimal_word(text, length, residue)
               : cli_decimal_residue(text, length, sums->modulus, residue);
}

/* Adds the count that the scan has just taken. */
static pc_status add(cli_scan *scan, const char *text, uint64_t row, uint64_t column)
{
    const cli_verify_question *q = scan->question;
    size_t length = (size_t)(scan->at - text);
    if (q->options->count.arithmetic == PC_FLOAT || q->options->blocks.mean)
        return PC_OK;
    for (cli_scan_sums *sums = scan->sums; sums < scan->sums + CLI_SCAN_SUMS; sums++) {
        uint64_t residue;
        if (!take_residue(scan, sums, text, length, &residue))
            return cli_scan_fail(scan, "this is no count");
        sums->total = (uint64_t)(((cli_sum)sums->total + residue) % sums->modulus);
        if (row == column)
            sums->diagonal = (uint64_t)(((cli_sum)sums->diagonal + residue) % sums->modulus);
    }
    return PC_OK;
}

/* "total paths           446", and after a residue " (modulo 97)". */
static bool take_sum(cli_scan *scan, const char *name, bool is_total)
{
    const cli_verify_question *q = scan->question;
    char start[64], end[48] = "\n";
    snprintf(start, sizeof start, "%-20s  ", name);
    if (!cli_scan_take(scan, start))
        return false;
    size_t length = 0;
    bool is_right = true;
    while (scan->at + length < scan->end && strchr(" \n", scan->at[length]) == NULL)
        length++;
    for (const cli_scan_sums *sums = scan->sums; sums < scan->sums + CLI_SCAN_SUMS; sums++) {
        uint64_t residue;
        is_right = is_right && take_residue(scan, sums, scan->at, length, &residue) &&
                   residue == (is_total ? sums->total : sums->diagonal);
    }
    scan->at += length;
    if (cli_verify_is_modular(q))
        snprintf(end, sizeof end, " (modulo %" PRIu64 ")\n", q->options->count.modulus);
    return is_right && cli_scan_take(scan, end);
}

/* The sums are there when a table was asked for by --table. */
static pc_status read_sums(cli_scan *scan)
{
    const cli_verify_question *q = scan->question;
    const cli_path_kind *kind = cli_path_kind_of(q->options->query.paths);
    if (scan->at == scan->end || !cli_scan_take_character(scan, '\n'))
        return PC_OK;
    return take_sum(scan, kind->total, true) &&
                   take_sum(scan, q->partition != NULL ? "within blocks" : kind->closed, false)
               ? PC_OK
               : cli_scan_fail(scan, "these are not the sums of the table");
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static pc_status read_row(cli_scan *scan, cli_label_form form, char separator, uint64_t row)
{
    const cli_verify_question *q = scan->question;
    const char stops[] = {separator, '\n', '\0'};
    pc_status status = PC_OK;
    bool is_shown = form == CLI_LABEL_SHOWN;
    if (scan->at == scan->end)
        return cli_scan_fail(scan, "the result ends here, and rows are missing");
    if (!cli_scan_take_label(scan, form, q->labels, row))
        return cli_scan_fail(scan, "this is not the label of the row that must come here");
    bool is_wanted = cli_scan_wants(scan, row);
    if (!is_wanted)
        status = cli_scan_skip_line(scan);
    for (uint64_t c = 0; c < q->n_columns && status == PC_OK && is_wanted; c++) {
        bool is_separated = take_separator(scan, separator);
        const char *text = scan->at;
        status = is_separated
                     ? cli_scan_take_count(scan, row, c, stops)
                     : cli_scan_fail(scan, "this row is too short, or its label is another one");
        if (status == PC_OK && is_shown)
            status = add(scan, text, row, c);
    }
    if (status == PC_OK && is_wanted)
        status = cli_scan_end_row(scan, row);
    return status == PC_OK ? cli_scan_end_line(scan) : status;
}

static pc_status read_rows(cli_scan *scan, cli_label_form form, char separator)
{
    pc_status status = PC_OK;
    for (uint64_t row = 0; row < scan->question->n_rows && status == PC_OK; row++)
        status = read_row(scan, form, separator, row);
    if (status == PC_OK && form == CLI_LABEL_SHOWN && scan->question->chain == NULL)
        status = read_sums(scan);
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
    scan->checker->is_shown = true;
    for (uint64_t c = 0; c < q->n_columns && is_header; c++)
        is_header =
            take_blanks(scan) && cli_scan_take_label(scan, CLI_LABEL_SHOWN, q->column_labels, c);
    if (!is_header || !cli_scan_take_character(scan, '\n'))
        return cli_scan_fail(scan, "the header is not the labels of the columns");
    pc_status status = begin_sums(scan);
    return status == PC_OK ? read_rows(scan, CLI_LABEL_SHOWN, ' ') : status;
}

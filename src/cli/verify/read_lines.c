/* The answer to a query as lines with tabs, or a number alone. */
#include "src/cli/verify/places.h"
#include "src/cli/verify/scan.h"

#include <inttypes.h>
#include <stdio.h>

static pc_status read_header(cli_scan *scan)
{
    const char *columns[CLI_PLACE_COLUMNS];
    size_t n_columns;
    cli_places_columns(scan->question, columns, &n_columns);
    bool is_taken = true;
    for (size_t c = 0; c < n_columns && is_taken; c++)
        is_taken =
            (c == 0 || cli_scan_take_character(scan, '\t')) && cli_scan_take(scan, columns[c]);
    return is_taken && cli_scan_take_character(scan, '\n')
               ? PC_OK
               : cli_scan_fail(scan, "the header is not that of such an answer");
}

/* The length, if lines have one, and the labels, each with its tab. */
static bool take_keys(cli_scan *scan, uint64_t length, uint64_t line)
{
    const cli_verify_question *q = scan->question;
    uint64_t vertices[2];
    size_t n_vertices = cli_places_vertices(q, line, vertices);
    char text[24];
    bool is_taken = true;
    snprintf(text, sizeof text, "%" PRIu64 "\t", length);
    if (q->options->query.each)
        is_taken = cli_scan_take(scan, text);
    for (size_t v = 0; v < n_vertices && is_taken; v++)
        is_taken = cli_scan_take_label(scan, CLI_LABEL_SHOWN, q->labels, vertices[v]) &&
                   cli_scan_take_character(scan, '\t');
    return is_taken;
}

static pc_status read_line(cli_scan *scan, uint64_t length, uint64_t line)
{
    const cli_verify_question *q = scan->question;
    uint64_t n_counts = cli_places_n_counts(q), first = line * n_counts;
    uint64_t row = first / q->n_columns, column = first % q->n_columns;
    pc_status status = PC_OK;
    if (scan->at == scan->end)
        return cli_scan_fail(scan, "the result ends here, and lines are missing");
    if (!cli_places_is_bare(q) && !take_keys(scan, length, line))
        return cli_scan_fail(scan, "the length or the vertices of this line are not those of the "
                                   "line that must come here");
    for (uint64_t c = 0; c < n_counts && status == PC_OK; c++) {
        if (c > 0 && !cli_scan_take_character(scan, '\t'))
            return cli_scan_fail(scan, "a count is missing");
        status = cli_scan_take_count(scan, row, column + c, "\t\n");
    }
    if (status == PC_OK && column + n_counts == q->n_columns)
        status = cli_scan_end_row(scan, row);
    return status == PC_OK ? cli_scan_end_line(scan) : status;
}

pc_status cli_read_lines(cli_scan *scan)
{
    const cli_verify_question *q = scan->question;
    pc_status status = cli_places_is_bare(q) ? PC_OK : read_header(scan);
    scan->checker->is_shown = true;
    for (uint64_t l = 0; l < q->n_lengths && status == PC_OK; l++) {
        scan->checker->begin(scan->checker, l);
        for (uint64_t line = 0; line < cli_places_n_lines(q) && status == PC_OK; line++)
            status = read_line(scan, q->first_length + l, line);
    }
    return status == PC_OK ? cli_scan_end(scan) : status;
}

/* A matrix as JSON, as -o counts.json writes it: a line a row, counts as strings. */
#include "src/cli/verify/scan.h"

static bool take_labels(cli_scan *scan, const char *name, const pc_labels *labels)
{
    bool is_taken = cli_scan_take(scan, name);
    for (uint64_t i = 0; i < pc_labels_count(labels) && is_taken; i++)
        is_taken = (i == 0 || cli_scan_take(scan, ", ")) &&
                   cli_scan_take_label(scan, CLI_LABEL_JSON, labels, i);
    return is_taken && cli_scan_take(scan, "],\n");
}

/* Where rows and columns have the same labels, they are there once. */
static pc_status read_labels(cli_scan *scan)
{
    const cli_verify_question *q = scan->question;
    bool is_square = q->chain == NULL || q->chain->is_square;
    bool is_taken = is_square ? take_labels(scan, "{\"labels\": [", q->labels)
                              : take_labels(scan, "{\"row_labels\": [", q->labels) &&
                                    take_labels(scan, "\"column_labels\": [", q->column_labels);
    return is_taken && cli_scan_take(scan, "\"rows\": [")
               ? PC_OK
               : cli_scan_fail(scan, "these are not the labels of the matrix");
}

/* Goes to the bracket that ends the row. */
static pc_status skip_row(cli_scan *scan)
{
    pc_status status = cli_scan_skip_line(scan);
    while (status == PC_OK && scan->at[-1] != ']' && scan->at[-1] != '[')
        scan->at--;
    scan->at -= status == PC_OK && scan->at[-1] == ']';
    return status;
}

static pc_status read_row(cli_scan *scan, uint64_t row)
{
    const cli_verify_question *q = scan->question;
    pc_status status = PC_OK;
    if (!cli_scan_take(scan, row > 0 ? ",\n[" : "\n["))
        return cli_scan_fail(scan, "a row must begin here");
    bool is_wanted = cli_scan_wants(scan, row);
    if (!is_wanted)
        status = skip_row(scan);
    for (uint64_t c = 0; c < q->n_columns && status == PC_OK && is_wanted; c++) {
        if (!cli_scan_take(scan, c > 0 ? ", \"" : "\""))
            return cli_scan_fail(scan, "a count in double quotes must begin here");
        status = cli_scan_take_count(scan, row, c, "\"\n");
        if (status == PC_OK && !cli_scan_take_character(scan, '"'))
            return cli_scan_fail(scan, "a count has no end");
    }
    if (status == PC_OK && is_wanted)
        status = cli_scan_end_row(scan, row);
    return status == PC_OK && !cli_scan_take_character(scan, ']')
               ? cli_scan_fail(scan, "the row must end here")
               : status;
}

pc_status cli_read_matrix_json(cli_scan *scan)
{
    pc_status status = read_labels(scan);
    for (uint64_t row = 0; row < scan->question->n_rows && status == PC_OK; row++)
        status = read_row(scan, row);
    if (status == PC_OK && !cli_scan_take(scan, "\n]}\n"))
        status = cli_scan_fail(scan, "the result must end here");
    return status == PC_OK ? cli_scan_end(scan) : status;
}

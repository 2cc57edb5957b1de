/* NumPy's .npy, version 1.0, as count writes it. */
#include "src/cli/verify/scan.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { PREFIX_BYTES = 10, WORD_BYTES = 8 };

/* "'<u8'", "'<f8'" or a list of fields; *n_words 0: doubles. */
static bool take_type(cli_scan *scan, uint32_t *n_words)
{
    char field[48];
    *n_words = 0;
    if (cli_scan_take(scan, "'<f8'"))
        return true;
    *n_words = 1;
    if (cli_scan_take(scan, "'<u8'"))
        return true;
    if (!cli_scan_take_character(scan, '['))
        return false;
    for (uint32_t limb = 0;; limb++) {
        snprintf(field, sizeof field, "%s('limb%" PRIu32 "', '<u8')", limb > 0 ? ", " : "", limb);
        if (!cli_scan_take(scan, field))
            return limb > 1 && cli_scan_take_character(scan, ']') && (*n_words = limb) > 0;
    }
}

/* The header describes an array of the shape of the answer; the scan goes to the first number. */
static pc_status read_header(cli_scan *scan, uint32_t *n_words)
{
    const cli_verify_question *q = scan->question;
    char shape[120];
    char number[24] = "", matrices[40] = "";
    if (q->options->query.each) {
        snprintf(number, sizeof number, "%" PRIu64 ", ", q->n_lengths);
        snprintf(matrices, sizeof matrices, "%" PRIu64 " x ", q->n_lengths);
    }
    snprintf(shape, sizeof shape,
             ", 'fortran_order': False, 'shape': (%s%" PRIu64 ", %" PRIu64 "), }", number,
             q->n_rows, q->n_columns);
    const unsigned char *prefix = (const unsigned char *)scan->begin;
    size_t n_bytes = (size_t)(scan->end - scan->begin), header_bytes;
    if (n_bytes < PREFIX_BYTES || memcmp(prefix, "\x93NUMPY\x01", 8) != 0)
        return cli_scan_fail(scan, "this is not the beginning of a file of NumPy, version 1.0");
    header_bytes = prefix[8] + 256u * prefix[9];
    if (n_bytes - PREFIX_BYTES < header_bytes)
        return cli_scan_fail(scan, "the result ends within its header");
    scan->at += PREFIX_BYTES;
    const char *first = scan->at + header_bytes;
    if (!cli_scan_take(scan, "{'descr': ") || !take_type(scan, n_words) ||
        !cli_scan_take(scan, shape))
        return cli_scan_fail(scan,
                             "the header does not describe %s%" PRIu64 " x %" PRIu64 " counts",
                             matrices, q->n_rows, q->n_columns);
    while (scan->at < first - 1 && cli_scan_take_character(scan, ' '))
        ;
    return scan->at == first - 1 && cli_scan_take_character(scan, '\n')
               ? PC_OK
               : cli_scan_fail(scan, "the header does not end as it must");
}

static pc_status read_rows(cli_scan *scan, uint32_t n_words, size_t entry_bytes)
{
    const cli_verify_question *q = scan->question;
    cli_checker *checker = scan->checker;
    pc_status status = PC_OK;
    for (uint64_t row = 0; row < q->n_rows && status == PC_OK; row++) {
        if (!cli_scan_wants(scan, row)) {
            scan->at += q->n_columns * entry_bytes;
            continue;
        }
        for (uint64_t c = 0; c < q->n_columns && status == PC_OK; c++, scan->at += entry_bytes) {
            const char *wrong =
                checker->bytes(checker, row, c, (const unsigned char *)scan->at, n_words);
            if (wrong != NULL)
                status = cli_scan_fail(scan, "entry [%" PRIu64 ", %" PRIu64 "] %s", row, c, wrong);
        }
        if (status == PC_OK)
            status = cli_scan_end_row(scan, row);
    }
    scan->n_counts += q->n_rows * q->n_columns;
    return status;
}

pc_status cli_read_npy(cli_scan *scan)
{
    const cli_verify_question *q = scan->question;
    uint32_t n_words = 0;
    pc_status status = read_header(scan, &n_words);
    size_t entry_bytes = (size_t)WORD_BYTES * (n_words > 0 ? n_words : 1);
    unsigned __int128 needed = (unsigned __int128)q->n_rows * q->n_columns * q->n_lengths;
    size_t n_left = (size_t)(scan->end - scan->at);
    if (status == PC_OK && (n_left % entry_bytes != 0 || needed != n_left / entry_bytes))
        status =
            cli_scan_fail(scan, "the numbers take %zu bytes, and not those of the matrix", n_left);
    for (uint64_t l = 0; l < q->n_lengths && status == PC_OK; l++) {
        scan->checker->begin(scan->checker, l);
        status = read_rows(scan, n_words, entry_bytes);
    }
    return status;
}

/* NumPy's .npy, version 1.0, and SciPy's .npz, as count writes them.
 *
 * The second is a zip archive, not compressed, of five arrays in a fixed order, whose sizes are in extra fields of 64
 * bits. Readers of zip use its directory, so that is held against the members. */
#include "src/cli/verify/scan.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    ZIP_VERSION = 45,
    FIRST_DAY = 33,
    PREFIX_BYTES = 10, /* of an array: magic, version and the length of its header */
    HEADER_BYTES = 128,
    WORD_BYTES = 8,
    N_MEMBERS = 5
};

/* Takes an entry of an array, and moves on. */
static pc_status take_entry(cli_scan *scan, uint64_t row, uint64_t column,
                            const unsigned char *words, uint32_t n_words)
{
    const char *wrong = cli_compare_entry(scan->comparer, row, column,
                                          (cli_entry){.words = words, .n_words = n_words});
    scan->n_counts++;
    return wrong == NULL
               ? PC_OK
               : cli_scan_fail(scan, "entry [%" PRIu64 ", %" PRIu64 "] %s", row, column, wrong);
}

/* ---- .npy ------------------------------------------------------------------------------------ */

/* Takes "'<u8'", "'<f8'" or a list of fields; *n_words 0: doubles. */
static bool take_type(cli_scan *scan, uint32_t *n_words)
{
    char field[48];
    *n_words = 0;
    if (cli_scan_take(scan, "'<f8'"))
        return true;
    *n_words = 1;
    if (cli_scan_take(scan, "'<u8'"))
        return true;
    if (!cli_scan_take(scan, "["))
        return false;
    for (uint32_t limb = 0;; limb++) {
        snprintf(field, sizeof field, "%s('limb%" PRIu32 "', '<u8')", limb > 0 ? ", " : "", limb);
        if (!cli_scan_take(scan, field))
            return limb > 1 && cli_scan_take(scan, "]") && (*n_words = limb) > 0;
    }
}

/* Takes the header, which must describe an array of the shape of the answer; the scan goes to the first number. */
static pc_status read_header(cli_scan *scan, uint32_t *n_words)
{
    const cli_verify_question *q = scan->question;
    char shape[120], number[24] = "", matrices[40] = "";
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
    while (scan->at < first - 1 && cli_scan_take(scan, " "))
        ;
    return scan->at == first - 1 && cli_scan_take(scan, "\n")
               ? PC_OK
               : cli_scan_fail(scan, "the header does not end as it must");
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
        cli_compare_begin(scan->comparer, l);
        for (uint64_t row = 0; row < q->n_rows && status == PC_OK; row++) {
            bool is_wanted = cli_scan_wants(scan, row);
            const char *next = scan->at + q->n_columns * entry_bytes;
            for (uint64_t c = 0; c < q->n_columns && status == PC_OK && is_wanted; c++) {
                status = take_entry(scan, row, c, (const unsigned char *)scan->at, n_words);
                scan->at += status == PC_OK ? entry_bytes : 0;
            }
            if (status == PC_OK)
                status = cli_scan_end_row(scan, row);
            scan->at = status == PC_OK ? next : scan->at;
        }
    }
    return status;
}

/* ---- .npz: zip ------------------------------------------------------------------------------- */

static const char *const names[] = {"indices.npy", "indptr.npy", "format.npy", "shape.npy",
                                    "data.npy"};
enum { INDICES, STARTS, FORMAT, SHAPE, DATA };

typedef struct archive {
    uint64_t offset[N_MEMBERS], n_bytes[N_MEMBERS], crc[N_MEMBERS];
    const unsigned char *data[N_MEMBERS]; /* of the array, without its header */
    uint32_t n_words;                     /* of a count; 0: doubles */
} archive;

static uint64_t number_at(const unsigned char *at, int n_bytes)
{
    uint64_t number = 0;
    while (n_bytes-- > 0)
        number = number << 8 | at[n_bytes];
    return number;
}

static bool take_number(cli_scan *scan, int n_bytes, uint64_t *number)
{
    if (scan->end - scan->at < n_bytes)
        return false;
    *number = number_at((const unsigned char *)scan->at, n_bytes);
    scan->at += n_bytes;
    return true;
}

/* Takes a number that must be there. */
static bool take(cli_scan *scan, int n_bytes, uint64_t wanted)
{
    uint64_t number;
    return take_number(scan, n_bytes, &number) && number == wanted;
}

/* Takes what a member's header and the directory have both; the CRC comes back. */
static bool take_facts(cli_scan *scan, const char *name, uint64_t extra_bytes, uint64_t *crc)
{
    return take(scan, 2, ZIP_VERSION) && take(scan, 6, 0) && take(scan, 2, FIRST_DAY) &&
           take_number(scan, 4, crc) && take(scan, 8, UINT64_MAX) && take(scan, 2, strlen(name)) &&
           take(scan, 2, extra_bytes);
}

static bool take_sizes(cli_scan *scan, uint64_t extra_bytes, uint64_t *n_bytes)
{
    return take(scan, 2, 1) && take(scan, 2, extra_bytes) && take_number(scan, 8, n_bytes) &&
           take(scan, 8, *n_bytes);
}

/* Goes over the bytes of a member. */
static bool take_member(cli_scan *scan, archive *a, int m)
{
    a->offset[m] = (uint64_t)(scan->at - scan->begin);
    if (!take(scan, 4, 0x04034b50) || !take_facts(scan, names[m], 20, &a->crc[m]) ||
        !cli_scan_take(scan, names[m]) || !take_sizes(scan, 16, &a->n_bytes[m]) ||
        a->n_bytes[m] < HEADER_BYTES || (uint64_t)(scan->end - scan->at) < a->n_bytes[m])
        return false;
    a->data[m] = (const unsigned char *)scan->at + HEADER_BYTES;
    scan->at += a->n_bytes[m];
    return true;
}

static bool take_directory(cli_scan *scan, const archive *a)
{
    uint64_t start = (uint64_t)(scan->at - scan->begin), crc, n_bytes;
    for (int m = 0; m < N_MEMBERS; m++)
        if (!take(scan, 4, 0x02014b50) || !take(scan, 2, ZIP_VERSION) ||
            !take_facts(scan, names[m], 28, &crc) || crc != a->crc[m] || !take(scan, 6, 0) ||
            !take(scan, 4, 0) || !take(scan, 4, UINT32_MAX) || !cli_scan_take(scan, names[m]) ||
            !take_sizes(scan, 24, &n_bytes) || n_bytes != a->n_bytes[m] ||
            !take(scan, 8, a->offset[m]))
            return false;
    uint64_t end = (uint64_t)(scan->at - scan->begin);
    return take(scan, 4, 0x06064b50) && take(scan, 8, 44) && take(scan, 2, ZIP_VERSION) &&
           take(scan, 2, ZIP_VERSION) && take(scan, 8, 0) && take(scan, 8, N_MEMBERS) &&
           take(scan, 8, N_MEMBERS) && take(scan, 8, end - start) && take(scan, 8, start) &&
           take(scan, 4, 0x07064b50) && take(scan, 4, 0) && take(scan, 8, end) &&
           take(scan, 4, 1) && take(scan, 4, 0x06054b50) && take(scan, 4, 0) &&
           take(scan, 2, N_MEMBERS) && take(scan, 2, N_MEMBERS) && take(scan, 8, UINT64_MAX) &&
           take(scan, 2, 0);
}

static uint32_t crc_of(const unsigned char *bytes, uint64_t n_bytes)
{
    uint32_t table[256], crc = UINT32_MAX;
    for (uint32_t i = 0; i < 256; i++) {
        table[i] = i;
        for (int bit = 0; bit < 8; bit++)
            table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320u : 0);
    }
    for (uint64_t i = 0; i < n_bytes; i++)
        crc = crc >> 8 ^ table[(crc ^ bytes[i]) & 255];
    return ~crc;
}

/* ---- .npz: arrays ---------------------------------------------------------------------------- */

/* Returns whether a member has the header of an array of that type, shape and number of bytes. */
static bool is_array(const archive *a, int m, const char *descr, const char *shape,
                     uint64_t n_bytes)
{
    char text[HEADER_BYTES];
    const char *header = (const char *)a->data[m] - HEADER_BYTES;
    int length = snprintf(text, sizeof text,
                          "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", descr, shape);
    if (a->n_bytes[m] != HEADER_BYTES + n_bytes ||
        memcmp(header, "\x93NUMPY\1\0v\0", PREFIX_BYTES) != 0 ||
        memcmp(header + PREFIX_BYTES, text, (size_t)length) != 0)
        return false;
    for (int i = PREFIX_BYTES + length; i < HEADER_BYTES - 1; i++)
        if (header[i] != ' ')
            return false;
    return header[HEADER_BYTES - 1] == '\n';
}

static bool are_arrays(const cli_scan *scan, archive *a)
{
    const cli_verify_question *q = scan->question;
    char n_entries[32], n_starts[32];
    uint64_t n = (a->n_bytes[INDICES] - HEADER_BYTES) / WORD_BYTES;
    snprintf(n_entries, sizeof n_entries, "%" PRIu64 ",", n);
    snprintf(n_starts, sizeof n_starts, "%" PRIu64 ",", q->n_rows + 1);
    a->n_words = is_array(a, DATA, "<u8", n_entries, n * WORD_BYTES);
    return (a->n_words > 0 || is_array(a, DATA, "<f8", n_entries, n * WORD_BYTES)) &&
           is_array(a, INDICES, "<i8", n_entries, n * WORD_BYTES) &&
           is_array(a, STARTS, "<i8", n_starts, (q->n_rows + 1) * WORD_BYTES) &&
           is_array(a, FORMAT, "|S3", "", 3) && memcmp(a->data[FORMAT], "csr", 3) == 0 &&
           is_array(a, SHAPE, "<i8", "2,", 2 * WORD_BYTES) &&
           number_at(a->data[SHAPE], WORD_BYTES) == q->n_rows &&
           number_at(a->data[SHAPE] + WORD_BYTES, WORD_BYTES) == q->n_columns &&
           number_at(a->data[STARTS], WORD_BYTES) == 0 &&
           number_at(a->data[STARTS] + q->n_rows * WORD_BYTES, WORD_BYTES) == n;
}

static pc_status read_archive(cli_scan *scan, archive *a)
{
    bool is_whole = true;
    for (int m = 0; m < N_MEMBERS && is_whole; m++)
        is_whole = take_member(scan, a, m);
    if (!is_whole || !take_directory(scan, a))
        return cli_scan_fail(scan, "this is no archive as pathcount writes it");
    for (int m = 0; m < N_MEMBERS && scan->only == NULL; m++)
        if (crc_of(a->data[m] - HEADER_BYTES, a->n_bytes[m]) != a->crc[m])
            return cli_scan_fail(scan, "the CRC of %s is not that of its bytes", names[m]);
    return are_arrays(scan, a)
               ? PC_OK
               : cli_scan_fail(scan, "the arrays are not those of %" PRIu64 " x %" PRIu64 " counts",
                               scan->question->n_rows, scan->question->n_columns);
}

/* Columns must ascend, so none comes twice. */
static pc_status read_row(cli_scan *scan, const archive *a, uint64_t row)
{
    const cli_verify_question *q = scan->question;
    uint64_t n = (a->n_bytes[DATA] - HEADER_BYTES) / WORD_BYTES, least = 0;
    uint64_t first = number_at(a->data[STARTS] + row * WORD_BYTES, WORD_BYTES);
    uint64_t end = number_at(a->data[STARTS] + (row + 1) * WORD_BYTES, WORD_BYTES);
    pc_status status = PC_OK;
    if (first > end || end > n)
        return cli_scan_fail(scan, "row %" PRIu64 " has no place among the entries", row);
    for (uint64_t e = first; e < end && status == PC_OK && cli_scan_wants(scan, row); e++) {
        uint64_t column = number_at(a->data[INDICES] + e * WORD_BYTES, WORD_BYTES);
        if (column < least || column >= q->n_columns)
            return cli_scan_fail(scan, "the columns of row %" PRIu64 " do not ascend", row);
        status = take_entry(scan, row, column, a->data[DATA] + e * WORD_BYTES, a->n_words);
        least = column + 1;
    }
    return status == PC_OK ? cli_scan_end_row(scan, row) : status;
}

pc_status cli_read_npz(cli_scan *scan)
{
    archive a = {0};
    pc_status status = read_archive(scan, &a);
    for (uint64_t row = 0; row < scan->question->n_rows && status == PC_OK; row++)
        status = read_row(scan, &a, row);
    return status == PC_OK ? cli_scan_end(scan) : status;
}

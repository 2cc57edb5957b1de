/* SciPy's .npz, as count writes it: a zip archive, not compressed, of five arrays in a fixed order, whose sizes
 * are in extra fields of 64 bits. Readers of zip use its directory, so that is held against the members. */
#include "src/cli/verify/scan.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    VERSION = 45,
    FIRST_DAY = 33,
    NPY_PREFIX_BYTES = 10,
    NPY_BYTES = 128,
    WORD_BYTES = 8,
    N_MEMBERS = 5
};

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

/* ---- Zip ------------------------------------------------------------------------------------- */

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

/* What a member's header and the directory have both; the CRC comes back. */
static bool take_facts(cli_scan *scan, const char *name, uint64_t extra_bytes, uint64_t *crc)
{
    return take(scan, 2, VERSION) && take(scan, 6, 0) && take(scan, 2, FIRST_DAY) &&
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
        a->n_bytes[m] < NPY_BYTES || (uint64_t)(scan->end - scan->at) < a->n_bytes[m])
        return false;
    a->data[m] = (const unsigned char *)scan->at + NPY_BYTES;
    scan->at += a->n_bytes[m];
    return true;
}

static bool take_directory(cli_scan *scan, const archive *a)
{
    uint64_t start = (uint64_t)(scan->at - scan->begin), crc, n_bytes;
    for (int m = 0; m < N_MEMBERS; m++)
        if (!take(scan, 4, 0x02014b50) || !take(scan, 2, VERSION) ||
            !take_facts(scan, names[m], 28, &crc) || crc != a->crc[m] || !take(scan, 6, 0) ||
            !take(scan, 4, 0) || !take(scan, 4, UINT32_MAX) || !cli_scan_take(scan, names[m]) ||
            !take_sizes(scan, 24, &n_bytes) || n_bytes != a->n_bytes[m] ||
            !take(scan, 8, a->offset[m]))
            return false;
    uint64_t end = (uint64_t)(scan->at - scan->begin);
    return take(scan, 4, 0x06064b50) && take(scan, 8, 44) && take(scan, 2, VERSION) &&
           take(scan, 2, VERSION) && take(scan, 8, 0) && take(scan, 8, N_MEMBERS) &&
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

/* ---- Arrays ---------------------------------------------------------------------------------- */

/* Whether the header of an array says so. */
static bool describes(const archive *a, int m, const char *descr, const char *shape)
{
    char text[NPY_BYTES];
    const char *header = (const char *)a->data[m] - NPY_BYTES;
    int length = snprintf(text, sizeof text,
                          "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", descr, shape);
    if (memcmp(header, "\x93NUMPY\1\0v\0", NPY_PREFIX_BYTES) != 0 ||
        memcmp(header + NPY_PREFIX_BYTES, text, (size_t)length) != 0)
        return false;
    for (int i = NPY_PREFIX_BYTES + length; i < NPY_BYTES - 1; i++)
        if (header[i] != ' ')
            return false;
    return header[NPY_BYTES - 1] == '\n';
}

static bool are_arrays(const cli_scan *scan, archive *a)
{
    const cli_verify_question *q = scan->question;
    char n_entries[32], n_starts[32];
    uint64_t n = (a->n_bytes[INDICES] - NPY_BYTES) / WORD_BYTES;
    snprintf(n_entries, sizeof n_entries, "%" PRIu64 ",", n);
    snprintf(n_starts, sizeof n_starts, "%" PRIu64 ",", q->n_rows + 1);
    a->n_words = describes(a, DATA, "<u8", n_entries);
    return describes(a, INDICES, "<i8", n_entries) && describes(a, STARTS, "<i8", n_starts) &&
           describes(a, FORMAT, "|S3", "") && describes(a, SHAPE, "<i8", "2,") &&
           (a->n_words > 0 || describes(a, DATA, "<f8", n_entries)) &&
           a->n_bytes[DATA] == a->n_bytes[INDICES] &&
           a->n_bytes[INDICES] == NPY_BYTES + n * WORD_BYTES &&
           a->n_bytes[STARTS] == NPY_BYTES + (q->n_rows + 1) * WORD_BYTES &&
           a->n_bytes[FORMAT] == NPY_BYTES + 3 && memcmp(a->data[FORMAT], "csr", 3) == 0 &&
           a->n_bytes[SHAPE] == NPY_BYTES + 2 * WORD_BYTES &&
           number_at(a->data[SHAPE], WORD_BYTES) == q->n_rows &&
           number_at(a->data[SHAPE] + WORD_BYTES, WORD_BYTES) == q->n_columns &&
           number_at(a->data[STARTS], WORD_BYTES) == 0 &&
           number_at(a->data[STARTS] + q->n_rows * WORD_BYTES, WORD_BYTES) == n;
}

static pc_status read_head(cli_scan *scan, archive *a)
{
    bool is_whole = true;
    for (int m = 0; m < N_MEMBERS && is_whole; m++)
        is_whole = take_member(scan, a, m);
    if (!is_whole || !take_directory(scan, a))
        return cli_scan_fail(scan, "this is no archive as pathcount writes it");
    for (int m = 0; m < N_MEMBERS && scan->only == NULL; m++)
        if (crc_of(a->data[m] - NPY_BYTES, a->n_bytes[m]) != a->crc[m])
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
    uint64_t n = (a->n_bytes[DATA] - NPY_BYTES) / WORD_BYTES, least = 0;
    uint64_t first = number_at(a->data[STARTS] + row * WORD_BYTES, WORD_BYTES);
    uint64_t end = number_at(a->data[STARTS] + (row + 1) * WORD_BYTES, WORD_BYTES);
    if (first > end || end > n)
        return cli_scan_fail(scan, "row %" PRIu64 " has no place among the entries", row);
    for (uint64_t e = first; e < end && cli_scan_wants(scan, row); e++, scan->n_counts++) {
        uint64_t column = number_at(a->data[INDICES] + e * WORD_BYTES, WORD_BYTES);
        if (column < least || column >= q->n_columns)
            return cli_scan_fail(scan, "the columns of row %" PRIu64 " do not ascend", row);
        const char *wrong = scan->checker->bytes(scan->checker, row, column,
                                                 a->data[DATA] + e * WORD_BYTES, a->n_words);
        if (wrong != NULL)
            return cli_scan_fail(scan, "entry [%" PRIu64 ", %" PRIu64 "] %s", row, column, wrong);
        least = column + 1;
    }
    return cli_scan_wants(scan, row) ? cli_scan_end_row(scan, row) : PC_OK;
}

pc_status cli_read_npz(cli_scan *scan)
{
    archive a = {0};
    pc_status status = read_head(scan, &a);
    for (uint64_t row = 0; row < scan->question->n_rows && status == PC_OK; row++)
        status = read_row(scan, &a, row);
    return status == PC_OK ? cli_scan_end(scan) : status;
}

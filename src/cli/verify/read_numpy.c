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

/* ---- .npy ------------------------------------------------------------------------------------ */

/* Takes "'<u8'", "'<f8'" or a list of fields; *n_words 0: doubles. */
static bool take_type(cli_scan *scan, uint32_t *n_words)
{
    char field[48];
    *n_words = cli_scan_begins(scan, "'<u8'", 5);
    if (cli_scan_take(scan, "'<f8'") || cli_scan_take(scan, "'<u8'"))
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
static bool read_header(cli_scan *scan, uint32_t *n_words)
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
    return (scan->at == first - 1 && cli_scan_take(scan, "\n")) ||
           cli_scan_fail(scan, "the header does not end as it must");
}

bool cli_read_npy(cli_scan *scan)
{
    const cli_verify_question *q = scan->question;
    uint32_t n_words = 0;
    if (!read_header(scan, &n_words))
        return false;
    size_t entry_bytes = (size_t)WORD_BYTES * (n_words > 0 ? n_words : 1);
    unsigned __int128 needed = (unsigned __int128)q->n_rows * q->n_columns * q->n_lengths;
    size_t n_left = (size_t)(scan->end - scan->at);
    if (n_left % entry_bytes != 0 || needed != n_left / entry_bytes)
        return cli_scan_fail(scan, "the numbers take %zu bytes, and not those of the matrix",
                             n_left);
    for (uint64_t i = 0; i < q->n_lengths * q->n_rows; i++) {
        uint64_t l = i / q->n_rows, row = i % q->n_rows;
        const char *next = scan->at + q->n_columns * entry_bytes;
        if (row == 0 && l > 0)
            cli_scan_begin_length(scan, l);
        for (uint64_t c = 0; c < q->n_columns && cli_scan_wants(scan, row); c++) {
            cli_entry entry = {.words = (const unsigned char *)scan->at, .n_words = n_words};
            if (!cli_scan_take_entry(scan, row, c, entry))
                return false;
            scan->at += entry_bytes;
        }
        if (!cli_scan_end_rows(scan, row + 1))
            return false;
        scan->at = next;
    }
    return true;
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

/* A number that must be there, of so many bytes. One of no bytes ends a list. */
typedef struct field {
    int n_bytes;
    uint64_t number;
} field;

static bool take_fields(cli_scan *scan, const field *wanted)
{
    uint64_t number;
    for (; wanted->n_bytes > 0; wanted++)
        if (!take_number(scan, wanted->n_bytes, &number) || number != wanted->number)
            return false;
    return true;
}

/* Goes over the head of a member and over its bytes. */
static bool take_member(cli_scan *scan, archive *a, int m)
{
    const field head[] = {{4, 0x04034b50}, {2, ZIP_VERSION}, {6, 0}, {2, FIRST_DAY}, {0, 0}};
    const field rest[] = {{8, UINT64_MAX}, {2, strlen(names[m])}, {2, 20}, {0, 0}};
    const field extra[] = {{2, 1}, {2, 16}, {0, 0}};
    uint64_t size;
    a->offset[m] = (uint64_t)(scan->at - scan->begin);
    if (!take_fields(scan, head) || !take_number(scan, 4, &a->crc[m]) || !take_fields(scan, rest) ||
        !cli_scan_take(scan, names[m]) || !take_fields(scan, extra) ||
        !take_number(scan, 8, &a->n_bytes[m]) || !take_number(scan, 8, &size) ||
        size != a->n_bytes[m] || size < HEADER_BYTES || (uint64_t)(scan->end - scan->at) < size)
        return false;
    a->data[m] = (const unsigned char *)scan->at + HEADER_BYTES;
    scan->at += size;
    return true;
}

static bool take_directory(cli_scan *scan, const archive *a)
{
    uint64_t start = (uint64_t)(scan->at - scan->begin);
    for (int m = 0; m < N_MEMBERS; m++) {
        const field head[] = {
            {4, 0x02014b50}, {2, ZIP_VERSION}, {2, ZIP_VERSION}, {6, 0},
            {2, FIRST_DAY},  {4, a->crc[m]},   {8, UINT64_MAX},  {2, strlen(names[m])},
            {2, 28},         {6, 0},           {4, 0},           {4, UINT32_MAX},
            {0, 0}};
        const field extra[] = {
            {2, 1}, {2, 24}, {8, a->n_bytes[m]}, {8, a->n_bytes[m]}, {8, a->offset[m]}, {0, 0}};
        if (!take_fields(scan, head) || !cli_scan_take(scan, names[m]) || !take_fields(scan, extra))
            return false;
    }
    uint64_t end = (uint64_t)(scan->at - scan->begin);
    const field tail[] = {{4, 0x06064b50}, {8, 44},         {2, ZIP_VERSION}, {2, ZIP_VERSION},
                          {8, 0},          {8, N_MEMBERS},  {8, N_MEMBERS},   {8, end - start},
                          {8, start},      {4, 0x07064b50}, {4, 0},           {8, end},
                          {4, 1},          {4, 0x06054b50}, {4, 0},           {2, N_MEMBERS},
                          {2, N_MEMBERS},  {8, UINT64_MAX}, {2, 0},           {0, 0}};
    return take_fields(scan, tail);
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
    char header[2 * HEADER_BYTES], text[HEADER_BYTES];
    snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", descr,
             shape);
    snprintf(header, sizeof header, "\x93NUMPY\1%cv%c%-*s\n", 0, 0, HEADER_BYTES - PREFIX_BYTES - 1,
             text);
    return a->n_bytes[m] == HEADER_BYTES + n_bytes &&
           memcmp(a->data[m] - HEADER_BYTES, header, HEADER_BYTES) == 0;
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
           cli_word_at(a->data[SHAPE]) == q->n_rows &&
           cli_word_at(a->data[SHAPE] + WORD_BYTES) == q->n_columns &&
           cli_word_at(a->data[STARTS]) == 0 &&
           cli_word_at(a->data[STARTS] + q->n_rows * WORD_BYTES) == n;
}

/* Columns of a row must ascend, so none comes twice. */
bool cli_read_npz(cli_scan *scan)
{
    const cli_verify_question *q = scan->question;
    archive a = {0};
    bool is_whole = true;
    for (int m = 0; m < N_MEMBERS && is_whole; m++)
        is_whole = take_member(scan, &a, m);
    if (!is_whole || !take_directory(scan, &a))
        return cli_scan_fail(scan, "this is no archive as pathcount writes it");
    for (int m = 0; m < N_MEMBERS && scan->only == NULL; m++)
        if (crc_of(a.data[m] - HEADER_BYTES, a.n_bytes[m]) != a.crc[m])
            return cli_scan_fail(scan, "the CRC of %s is not that of its bytes", names[m]);
    if (!are_arrays(scan, &a))
        return cli_scan_fail(scan, "the arrays are not those of %" PRIu64 " x %" PRIu64 " counts",
                             q->n_rows, q->n_columns);
    uint64_t n = (a.n_bytes[DATA] - HEADER_BYTES) / WORD_BYTES;
    for (uint64_t row = 0; row < q->n_rows; row++) {
        uint64_t first = cli_word_at(a.data[STARTS] + row * WORD_BYTES), least = 0;
        uint64_t end = cli_word_at(a.data[STARTS] + (row + 1) * WORD_BYTES);
        if (first > end || end > n)
            return cli_scan_fail(scan, "row %" PRIu64 " has no place among the entries", row);
        for (uint64_t e = first; e < end && cli_scan_wants(scan, row); e++) {
            uint64_t column = cli_word_at(a.data[INDICES] + e * WORD_BYTES);
            if (column < least || column >= q->n_columns)
                return cli_scan_fail(scan, "the columns of row %" PRIu64 " do not ascend", row);
            cli_entry entry = {.words = a.data[DATA] + e * WORD_BYTES, .n_words = a.n_words};
            if (!cli_scan_take_entry(scan, row, column, entry))
                return false;
            least = column + 1;
        }
        if (!cli_scan_end_rows(scan, row + 1))
            return false;
    }
    return cli_scan_end(scan);
}

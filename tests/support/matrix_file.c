/* Parsers and slow writers of the matrix formats. Vertices are labelled 0, 1, 2, ... */
#include "tests/support/matrix_file.h"
#include "pathcount_io.h"

#include "tests/support/fixture.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void append_number(text *to, const pc_rows *rows, uint64_t e)
{
    OWNED(mpz_t) value;
    mpz_init(value);
    entry_mpz(rows, e, value);
    OWNED(char) *digits = mpz_get_str(NULL, 10, value);
    append_string(to, digits);
}

static text expect_table(const pc_rows *rows, const char *separator)
{
    text table = {0};
    char label[32];
    for (uint64_t j = 0; j < rows->n_columns; j++) {
        snprintf(label, sizeof label, "%" PRIu64, j);
        append_string(&table, separator);
        append_string(&table, label);
    }
    append_string(&table, "\n");
    for (uint64_t i = 0; i < rows->n_rows; i++) {
        snprintf(label, sizeof label, "%" PRIu64, i);
        append_string(&table, label);
        for (uint64_t j = 0; j < rows->n_columns; j++) {
            append_string(&table, separator);
            append_number(&table, rows, i * rows->n_columns + j);
        }
        append_string(&table, "\n");
    }
    return table;
}

static text expect_json(const pc_rows *rows)
{
    text json = {0};
    char label[32];
    append_string(&json, "{\"labels\": [");
    for (uint64_t j = 0; j < rows->n_columns; j++) {
        snprintf(label, sizeof label, "%s\"%" PRIu64 "\"", j ? ", " : "", j);
        append_string(&json, label);
    }
    append_string(&json, "],\n\"rows\": [");
    for (uint64_t i = 0; i < rows->n_rows; i++) {
        append_string(&json, i ? ",\n" : "\n");
        for (uint64_t j = 0; j < rows->n_columns; j++) {
            append_string(&json, j ? ", \"" : "[\"");
            append_number(&json, rows, i * rows->n_columns + j);
            append_string(&json, "\"");
        }
        append_string(&json, "]");
    }
    append_string(&json, "\n]}\n");
    return json;
}

void check_same(const text *got, text expected)
{
    CU_ASSERT_EQUAL(got->n, expected.n);
    CU_ASSERT_TRUE(got->n == expected.n && memcmp(got->bytes, expected.bytes, got->n) == 0);
    free(expected.bytes);
}

static text expect_pairs(const pc_rows *rows)
{
    text pairs = {0};
    OWNED(mpz_t) value;
    mpz_init(value);
    append_string(&pairs, "from\tto\tpaths\n");
    for (uint64_t e = 0; e < rows->n_rows * rows->n_columns; e++) {
        char labels[64];
        entry_mpz(rows, e, value);
        if (mpz_sgn(value) == 0)
            continue;
        snprintf(labels, sizeof labels, "%" PRIu64 "\t%" PRIu64 "\t", e / rows->n_columns,
                 e % rows->n_columns);
        append_string(&pairs, labels);
        append_number(&pairs, rows, e);
        append_string(&pairs, "\n");
    }
    return pairs;
}

/* Reads "row column value" lines and holds each against the counts; every nonzero entry of the
 * triangle or the square must have come once. */
static void check_mtx_entries(const char *line, const pc_rows *rows, bool directed,
                              uint64_t n_promised)
{
    uint64_t n = rows->n_columns, n_wanted = 0, n_wrong = 0, n_seen = 0;
    OWNED(char) *seen = calloc(n * n + 1, 1);
    OWNED(mpz_t) value, expected;
    mpz_inits(value, expected, NULL);
    for (uint64_t e = 0; e < n * n; e++) {
        entry_mpz(rows, e, expected);
        n_wanted += mpz_sgn(expected) != 0 && (directed || e / n >= e % n);
    }
    for (; *line; line = strchr(line, '\n') + 1, n_seen++) {
        char *end, digits[256];
        uint64_t i = strtoull(line, &end, 10), j = strtoull(end, &end, 10);
        size_t n_digits = strspn(end + 1, "0123456789");
        CU_ASSERT_TRUE_FATAL(n_digits < sizeof digits && end[1 + n_digits] == '\n');
        memcpy(digits, end + 1, n_digits);
        digits[n_digits] = '\0';
        CU_ASSERT_TRUE_FATAL(1 <= i && i <= n && 1 <= j && j <= n);
        uint64_t e = (i - 1) * n + j - 1;
        entry_mpz(rows, e, expected);
        n_wrong += mpz_set_str(value, digits, 10) != 0 || mpz_cmp(value, expected) != 0;
        n_wrong += seen[e] || mpz_sgn(expected) == 0 || (!directed && j > i);
        seen[e] = 1;
    }
    CU_ASSERT_EQUAL(n_wrong, 0);
    CU_ASSERT_EQUAL(n_seen, n_wanted);
    CU_ASSERT_EQUAL(n_seen, n_promised);
}

static void check_mtx(const text *got, const pc_rows *rows, bool directed)
{
    char banner[128];
    snprintf(banner, sizeof banner, "%%%%MatrixMarket matrix coordinate %s %s\n",
             rows->limbs ? "integer" : "real", directed ? "general" : "symmetric");
    const char *line = got->bytes;
    CU_ASSERT_EQUAL_FATAL(strncmp(line, banner, strlen(banner)), 0);
    while (*line == '%')
        line = strchr(line, '\n') + 1;
    char *end;
    CU_ASSERT_EQUAL(strtoull(line, &end, 10), rows->n_columns);
    CU_ASSERT_EQUAL(strtoull(end, &end, 10), rows->n_columns);
    uint64_t n_entries = strtoull(end, &end, 10);
    CU_ASSERT_EQUAL_FATAL(*end, '\n');
    check_mtx_entries(end + 1, rows, directed, n_entries);
}

static text expect_npy_header(const pc_rows *rows)
{
    text header = {0};
    char field[64];
    append_string(&header, "{'descr': ");
    if (rows->n_limbs <= 1)
        append_string(&header, rows->n_limbs ? "'<u8'" : "'<f8'");
    for (uint32_t l = 0; rows->n_limbs > 1 && l < rows->n_limbs; l++) {
        snprintf(field, sizeof field, "%s('limb%u', '<u8')", l ? ", " : "[", l);
        append_string(&header, field);
    }
    snprintf(field, sizeof field,
             "%s, 'fortran_order': False, 'shape': (%" PRIu64 ", %" PRIu64 "), }",
             rows->n_limbs > 1 ? "]" : "", rows->n_columns, rows->n_columns);
    append_string(&header, field);
    return header;
}

static void check_npy(const text *got, const pc_rows *rows)
{
    text expected = expect_npy_header(rows);
    const unsigned char *bytes = (const unsigned char *)got->bytes;
    CU_ASSERT_TRUE_FATAL(got->n >= 64);
    CU_ASSERT_EQUAL(memcmp(bytes, "\x93NUMPY\x01\0", 8), 0);
    size_t header_bytes = bytes[8] + 256u * bytes[9], start = 10 + header_bytes;
    CU_ASSERT_EQUAL(start % 64, 0);
    CU_ASSERT_TRUE_FATAL(start < got->n + 1 && header_bytes > expected.n);
    CU_ASSERT_EQUAL(memcmp(bytes + 10, expected.bytes, expected.n), 0);
    CU_ASSERT_EQUAL(strspn(got->bytes + 10 + expected.n, " "), header_bytes - expected.n - 1);
    CU_ASSERT_EQUAL(bytes[start - 1], '\n');
    size_t n_entries = rows->n_rows * rows->n_columns;
    size_t data_bytes = n_entries * 8 * (rows->n_limbs ? rows->n_limbs : 1);
    CU_ASSERT_EQUAL_FATAL(got->n - start, data_bytes);
    const void *data = rows->limbs ? (const void *)rows->limbs : rows->values;
    CU_ASSERT_EQUAL(memcmp(bytes + start, data, data_bytes), 0); /* tests run on little-endian */
    free(expected.bytes);
}

void check_file(const char *path, const char *extension, bool packed, const count_case *made,
                bool directed)
{
    pc_rows rows = count_case_rows(made, 0, counts_n_rows(made->counts));
    text got = read_back(path, packed);
    if (strcmp(extension, ".tsv") == 0)
        check_same(&got, expect_table(&rows, "\t"));
    else if (strcmp(extension, ".csv") == 0)
        check_same(&got, expect_table(&rows, ","));
    else if (strcmp(extension, ".json") == 0)
        check_same(&got, expect_json(&rows));
    else if (strcmp(extension, ".pairs.tsv") == 0)
        check_same(&got, expect_pairs(&rows));
    else if (strcmp(extension, ".mtx") == 0)
        check_mtx(&got, &rows, directed);
    else
        check_npy(&got, &rows);
    free(got.bytes);
}

const char *const extensions[] = {".tsv", ".csv", ".pairs.tsv", ".mtx", ".npy", ".json", NULL};
const char *const packings[] = {"", ".gz", ".zst", NULL};

pc_status write_rows(const count_case *made, const char *path, uint64_t most_rows,
                     pc_writer **writer)
{
    uint64_t n = counts_n_rows(made->counts);
    *writer = NULL;
    pc_status status = count_case_open(made, path, writer);
    for (uint64_t row = 0; row < n && status == PC_OK; row += most_rows) {
        pc_rows rows = count_case_rows(made, row, most_rows < n - row ? most_rows : n - row);
        status = pc_writer_add(*writer, &rows);
    }
    return status;
}

pc_status write_file(const count_case *made, const char *path, uint64_t most_rows)
{
    pc_writer *writer;
    pc_status status = write_rows(made, path, most_rows, &writer);
    if (status == PC_OK)
        return pc_writer_commit(writer);
    pc_writer_free(writer);
    return status;
}

/* Matrices with a frame: made up, and read back by parsers of the tests' own. */
#include <gmp.h>

#include "tests/support/frame_matrix.h"

#include "tests/support/fixture.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- A matrix with a frame --------------------------------------------------------------------- */

static void *need_zeroed(uint64_t n, size_t bytes)
{
    void *memory = calloc(n ? n : 1, bytes);
    CU_ASSERT_PTR_NOT_NULL_FATAL(memory);
    return memory;
}

static char **make_names(const char *word, uint64_t n)
{
    char **names = need_zeroed(n, sizeof *names);
    for (uint64_t i = 0; i < n; i++) {
        names[i] = need_zeroed(40, 1);
        snprintf(names[i], 40, "%s %" PRIu64, word, i);
    }
    return names;
}

static void free_names(char **names, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        free(names[i]);
    free(names);
}

pc_relation *make_shape(pc_context *context, uint64_t n_rows, uint64_t n_columns)
{
    pc_relation *shape = NULL;
    char **rows = make_names("row", n_rows), **columns = make_names("column", n_columns);
    MUST(pc_relation_from_arrays(context, n_rows, n_columns, 0, NULL, NULL, NULL,
                                 (const char *const *)rows, (const char *const *)columns, &shape));
    free_names(rows, n_rows);
    free_names(columns, n_columns);
    return shape;
}

/* Zeros, small counts, and any number of bits; of doubles whole numbers of at most 15 digits. */
static void fill_entries(matrix *m, random_source *source)
{
    for (uint64_t e = 0; e < m->n_rows * m->n_columns; e++) {
        uint64_t kind = random_below(source, 4);
        if (!m->n_limbs) {
            m->values[e] =
                kind ? (double)(random_u64(source) >> (15 + random_below(source, 49))) : 0;
            continue;
        }
        uint64_t *entry = m->limbs + e * m->n_limbs;
        entry[0] = kind == 0 ? 0 : random_below(source, 100);
        for (uint32_t l = 0; l < m->n_limbs && kind > 1; l++)
            entry[l] = kind == 2 ? UINT64_MAX : random_u64(source);
    }
}

static void fill_sizes(uint64_t *sizes, uint64_t n, random_source *source)
{
    for (uint64_t i = 0; i < n; i++)
        sizes[i] = random_below(source, 9) ? 1 + random_below(source, 6) : 131071;
}

matrix matrix_make(random_source *source, int n_threads, uint64_t n_rows, uint64_t n_columns,
                   uint32_t n_limbs, bool means)
{
    matrix m = {.n_rows = n_rows, .n_columns = n_columns, .n_limbs = n_limbs, .means = means};
    m.context = new_context(n_threads);
    m.shape = make_shape(m.context, n_rows, n_columns);
    m.limbs = need_zeroed(n_rows * n_columns * (n_limbs + 1), sizeof *m.limbs);
    m.values = need_zeroed(n_rows * n_columns, sizeof *m.values);
    m.row_sizes = need_zeroed(n_rows, sizeof *m.row_sizes);
    m.column_sizes = need_zeroed(n_columns, sizeof *m.column_sizes);
    fill_sizes(m.row_sizes, n_rows, source);
    fill_sizes(m.column_sizes, n_columns, source);
    fill_entries(&m, source);
    return m;
}

void matrix_free(matrix *m)
{
    pc_relation_free(m->shape);
    pc_context_free(m->context);
    free(m->limbs);
    free(m->values);
    free(m->row_sizes);
    free(m->column_sizes);
}

pc_rows matrix_rows(const matrix *m, uint64_t first, uint64_t n_rows)
{
    pc_rows rows = {.first_row = first,
                    .n_rows = n_rows,
                    .n_columns = m->n_columns,
                    .n_limbs = m->n_limbs,
                    .exponent = m->exponent};
    if (m->n_limbs)
        rows.limbs = m->limbs + first * m->n_columns * m->n_limbs;
    else
        rows.values = m->values + first * m->n_columns;
    if (m->means) {
        rows.row_sizes = m->row_sizes;
        rows.column_sizes = m->column_sizes;
    }
    return rows;
}

pc_frame matrix_frame(const matrix *m)
{
    return (pc_frame){.rows = relation_info(m->shape).rows,
                      .columns = relation_info(m->shape).columns,
                      .n_limbs = m->n_limbs,
                      .means = m->means};
}

/* What entry e stands for. */
static void expected_number(const matrix *m, uint64_t e, mpq_t number)
{
    mpq_set_ui(number, 0, 1);
    if (m->n_limbs)
        mpz_import(mpq_numref(number), m->n_limbs, -1, 8, 0, 0, m->limbs + e * m->n_limbs);
    else
        mpq_set_d(number, m->values[e]);
    if (m->means) {
        OWNED(mpq_t) divisor;
        mpq_init(divisor);
        mpq_set_ui(divisor, m->row_sizes[e / m->n_columns] * m->column_sizes[e % m->n_columns], 1);
        mpq_div(number, number, divisor);
    }
}

static bool is_close(double got, const mpq_t expected, double tolerance)
{
    mpq_t difference, most;
    mpq_inits(difference, most, NULL);
    mpq_set_d(difference, got);
    mpq_sub(difference, difference, expected);
    mpq_abs(difference, difference);
    mpq_set_d(most, tolerance);
    mpq_mul(most, most, expected);
    bool close = mpq_cmp(difference, most) <= 0;
    mpq_clears(difference, most, NULL);
    return close;
}

bool text_is_right(const matrix *m, uint64_t e, const char *got, size_t n)
{
    OWNED(mpq_t) expected;
    mpq_init(expected);
    expected_number(m, e, expected);
    char *digits = mpq_get_str(NULL, 10, expected), *end, copy[64] = "";
    bool right = strlen(digits) == n && memcmp(digits, got, n) == 0;
    if (!m->n_limbs && m->means && n < sizeof copy) {
        memcpy(copy, got, n);
        right = is_close(strtod(copy, &end), expected, 1e-15) && *end == '\0';
    }
    free(digits);
    return right;
}

/* ---- Read back --------------------------------------------------------------------------------- */

/* Takes a word of the text, which must be there. */
static bool takes(const char **at, const char *word)
{
    size_t length = strlen(word);
    bool is_there = strncmp(*at, word, length) == 0;
    *at += is_there ? length : 0;
    return is_there;
}

static bool takes_name(const char **at, const char *before, const char *word, uint64_t number,
                       const char *after)
{
    char name[160];
    snprintf(name, sizeof name, "%s%s %" PRIu64 "%s", before, word, number, after);
    return takes(at, name);
}

static bool takes_entry(const char **at, const matrix *m, uint64_t e, const char *ends)
{
    const char *start = *at;
    *at += strcspn(*at, ends);
    return text_is_right(m, e, start, (size_t)(*at - start));
}

static bool table_is_right(const matrix *m, const text *got, const char *separator)
{
    const char *at = got->bytes, ends[] = {separator[0], '\n', '\0'};
    bool right = true;
    for (uint64_t j = 0; j < m->n_columns && right; j++)
        right = takes_name(&at, separator, "column", j, "");
    right = right && takes(&at, "\n");
    for (uint64_t i = 0; i < m->n_rows && right; i++) {
        right = takes_name(&at, "", "row", i, "");
        for (uint64_t j = 0; j < m->n_columns && right; j++)
            right = takes(&at, separator) && takes_entry(&at, m, i * m->n_columns + j, ends);
        right = right && takes(&at, "\n");
    }
    return right && *at == '\0';
}

static bool json_is_right(const matrix *m, const text *got)
{
    const char *at = got->bytes;
    bool right = takes(&at, "{\"row_labels\": [");
    for (uint64_t i = 0; i < m->n_rows && right; i++)
        right = takes_name(&at, i ? ", \"" : "\"", "row", i, "\"");
    right = right && takes(&at, "],\n\"column_labels\": [");
    for (uint64_t j = 0; j < m->n_columns && right; j++)
        right = takes_name(&at, j ? ", \"" : "\"", "column", j, "\"");
    right = right && takes(&at, "],\n\"rows\": [");
    for (uint64_t i = 0; i < m->n_rows && right; i++) {
        right = takes(&at, i ? ",\n[" : "\n[");
        for (uint64_t j = 0; j < m->n_columns && right; j++)
            right = takes(&at, j ? ", \"" : "\"") &&
                    takes_entry(&at, m, i * m->n_columns + j, "\"") && takes(&at, "\"");
        right = right && takes(&at, "]");
    }
    return right && strcmp(at, "\n]}\n") == 0;
}

static bool pairs_are_right(const matrix *m, const text *got)
{
    const char *at = got->bytes;
    bool right = takes(&at, "from\tto\tpaths\n");
    OWNED(mpq_t) number;
    mpq_init(number);
    for (uint64_t e = 0; e < m->n_rows * m->n_columns && right; e++) {
        expected_number(m, e, number);
        if (mpq_sgn(number) != 0)
            right = takes_name(&at, "", "row", e / m->n_columns, "\t") &&
                    takes_name(&at, "", "column", e % m->n_columns, "\t") &&
                    takes_entry(&at, m, e, "\n") && takes(&at, "\n");
    }
    return right && *at == '\0';
}

/* Comments with the names of rows and columns. */
static bool takes_comments(const char **at, const char *word, uint64_t n)
{
    bool right = true;
    for (uint64_t i = 0; i < n && right; i++) {
        char before[64];
        snprintf(before, sizeof before, "%% %s %" PRIu64 " ", word, i + 1);
        right = takes_name(at, before, word, i, "\n");
    }
    return right;
}

bool labels_are_right(const matrix *m, const text *got)
{
    const char *at = got->bytes;
    bool right = true;
    for (uint64_t i = 0; i < m->n_rows && right; i++)
        right = takes_name(&at, "", "row", i, "\n");
    for (uint64_t j = 0; j < m->n_columns && right; j++)
        right = takes_name(&at, "", "column", j, "\n");
    return right && *at == '\0';
}

/* A file of integers states that they are multiplicities. Then "row column value" lines in order,
 * zeros left out; doubles have 16 or 17 digits. */
static bool mtx_is_right(const matrix *m, const text *got)
{
    bool reals = m->means || !m->n_limbs;
    const char *at = got->bytes;
    char *end;
    if (!takes(&at, reals ? "%%MatrixMarket matrix coordinate real general\n"
                          : "%%MatrixMarket matrix coordinate integer general\n"
                            "% pathcount graph: weights\n"))
        return false;
    if (!takes_comments(&at, "row", m->n_rows) || !takes_comments(&at, "column", m->n_columns))
        return false;
    bool right = strtoull(at, &end, 10) == m->n_rows && strtoull(end, &end, 10) == m->n_columns;
    uint64_t n_promised = strtoull(end, &end, 10), n_seen = 0;
    right = right && *end == '\n';
    at = end + 1;
    OWNED(mpq_t) number;
    mpq_init(number);
    for (uint64_t e = 0; e < m->n_rows * m->n_columns && right; e++) {
        expected_number(m, e, number);
        if (mpq_sgn(number) == 0)
            continue;
        right = strtoull(at, &end, 10) == e / m->n_columns + 1 &&
                strtoull(end, &end, 10) == e % m->n_columns + 1 && *end == ' ';
        at = end + 1;
        if (right && reals)
            right = is_close(strtod(at, &end), number, 1e-15) && *end == '\n';
        else if (right)
            right = takes_entry(&at, m, e, "\n");
        at = strchr(at, '\n') + 1;
        n_seen++;
    }
    return right && *at == '\0' && n_seen == n_promised;
}

static bool npy_is_right(const matrix *m, const text *got)
{
    char shape[100];
    bool reals = m->means || !m->n_limbs;
    const unsigned char *bytes = (const unsigned char *)got->bytes;
    size_t start = 10 + bytes[8] + 256u * bytes[9], n = m->n_rows * m->n_columns;
    snprintf(shape, sizeof shape, "'shape': (%" PRIu64 ", %" PRIu64 "), }", m->n_rows,
             m->n_columns);
    const char *descr = reals            ? "{'descr': '<f8', "
                        : m->n_limbs > 1 ? "{'descr': [('limb0', '<u8'), ('limb1', '<u8')"
                                         : "{'descr': '<u8', ";
    if (start % 64 != 0 || !strstr(got->bytes + 10, shape) ||
        strncmp(got->bytes + 10, descr, strlen(descr)) != 0 ||
        got->n != start + n * 8 * (reals ? 1 : m->n_limbs))
        return false;
    if (!reals)
        return memcmp(bytes + start, m->limbs, got->n - start) == 0;
    OWNED(mpq_t) number;
    mpq_init(number);
    bool right = true;
    for (uint64_t e = 0; e < n && right; e++) {
        double value;
        memcpy(&value, bytes + start + e * sizeof value, sizeof value);
        expected_number(m, e, number);
        right = is_close(value, number, 0x1p-51);
    }
    return right;
}

bool file_is_right(const matrix *m, const char *extension, const text *got)
{
    if (strcmp(extension, ".json") == 0)
        return json_is_right(m, got);
    if (strcmp(extension, ".mtx") == 0)
        return mtx_is_right(m, got);
    if (strcmp(extension, ".pairs.tsv") == 0)
        return pairs_are_right(m, got);
    if (strcmp(extension, ".npy") == 0)
        return npy_is_right(m, got);
    return table_is_right(m, got, strcmp(extension, ".tsv") == 0 ? "\t" : ",");
}

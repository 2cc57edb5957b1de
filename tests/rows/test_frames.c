/* Matrices whose rows and columns have labels of their own, and means: written, read back by parsers
 * of the test's own, and summed up. Fractions are held against GMP's. */
#define _GNU_SOURCE /* memmem */
#include "tests/support/fixture.h"
#include "pathcount_io.h"

#include "src/rows/counts.h"

#include "tests/support/failing_allocator.h"
#include "tests/support/frame_matrix.h"
#include "tests/support/matrix_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Written, and read back --------------------------------------------------------------------- */

static pc_status write_matrix_as(const matrix *m, pc_context *context, const pc_frame *frame,
                                 const char *path, uint64_t most_rows)
{
    pc_writer *writer = NULL;
    pc_status status = pc_writer_open(context, path, frame, &writer);
    for (uint64_t row = 0; row < m->n_rows && status == PC_OK; row += most_rows) {
        uint64_t left = m->n_rows - row;
        pc_rows rows = matrix_rows(m, row, most_rows < left ? most_rows : left);
        status = pc_writer_add(writer, &rows);
    }
    if (status == PC_OK)
        return pc_writer_commit(writer);
    pc_writer_free(writer);
    return status;
}

static pc_status write_matrix(const matrix *m, const pc_frame *frame, const char *path,
                              uint64_t most_rows)
{
    return write_matrix_as(m, m->context, frame, path, most_rows);
}

/* Only an array has a file of labels beside it. */
static void check_labels(const matrix *m, char path[MOST_PATH], bool has_labels)
{
    strcat(path, PC_LABELS_ENDING);
    CU_ASSERT_EQUAL(access(path, F_OK) == 0, has_labels);
    if (!has_labels)
        return;
    text got = read_back(path, false);
    CU_ASSERT_TRUE(labels_are_right(m, &got));
    free(got.bytes);
    unlink(path);
}

static void check_formats(const matrix *m, uint64_t most_rows)
{
    pc_frame frame = matrix_frame(m);
    for (int x = 0; extensions[x]; x++)
        for (int p = 0; packings[p]; p++) {
            char name[32], path[MOST_PATH];
            snprintf(name, sizeof name, "out%s%s", extensions[x], packings[p]);
            in_folder(name, path);
            MUST(write_matrix(m, &frame, path, most_rows));
            text got = read_back(path, p > 0);
            bool right = file_is_right(m, extensions[x], &got);
            if (!right)
                printf("\n    %s, %llu x %llu, %u words, means %d: wrong\n", name,
                       (unsigned long long)m->n_rows, (unsigned long long)m->n_columns, m->n_limbs,
                       m->means);
            CU_ASSERT_TRUE(right);
            free(got.bytes);
            unlink(path);
            check_labels(m, path, strcmp(extensions[x], ".npy") == 0 && m->n_rows + m->n_columns);
        }
}

TEST("each format and packing")
{
    static const uint64_t shapes[][2] = {{1, 1},  {1, 7}, {7, 1}, {3, 5}, {40, 9},
                                         {9, 40}, {3, 0}, {0, 3}, {0, 0}, {130, 70}};
    random_source source = {81};
    make_folder();
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (uint32_t n_limbs = 0; n_limbs <= 3; n_limbs++)
            for (int means = 0; means < 2; means++) {
                OWNED(matrix) m = matrix_make(&source, 1 + (int)s % 3, shapes[s][0], shapes[s][1],
                                              n_limbs, means);
                check_formats(&m, 1 + m.n_rows / (1 + s % 3));
            }
    remove_folder();
}

/* Rows of one matrix are written as those of a stack of two: only the shape in the header differs. */
TEST("several matrices in one array")
{
    random_source source = {91};
    make_folder();
    for (uint32_t n_limbs = 0; n_limbs <= 2; n_limbs++) {
        char path[MOST_PATH];
        pc_writer *writer = NULL;
        OWNED(matrix) m = matrix_make(&source, 1, 6, 4, n_limbs, false);
        OWNED(matrix) half = matrix_make(&source, 1, 3, 4, n_limbs, false);
        pc_frame one = matrix_frame(&m), stack = matrix_frame(&half);
        stack.n_matrices = 2;
        in_folder("one.npy", path);
        MUST(write_matrix(&m, &one, path, 6));
        text expected = read_back(path, false);
        unlink(path);
        check_labels(&m, path, true);
        in_folder("stack.npy", path);
        MUST(write_matrix_as(&m, half.context, &stack, path, 4));
        text got = read_back(path, false);
        unlink(path);
        check_labels(&half, path, true);
        CU_ASSERT_EQUAL_FATAL(got.n, expected.n);
        CU_ASSERT_PTR_NOT_NULL(memmem(got.bytes, 192, "'shape': (2, 3, 4), }", 21));
        size_t n_entries = 24 * 8 * (n_limbs ? n_limbs : 1), head = got.n - n_entries;
        CU_ASSERT(memcmp(got.bytes + head, expected.bytes + head, n_entries) == 0);
        free(got.bytes);
        free(expected.bytes);
        in_folder("stack.tsv", path);
        CU_ASSERT(is_refused(m.context, pc_writer_open(m.context, path, &stack, &writer),
                             PC_ERR_ARGUMENT, "only .npy can"));
        stack.n_matrices = UINT64_MAX;
        in_folder("stack.npy", path);
        CU_ASSERT(is_refused(m.context, pc_writer_open(m.context, path, &stack, &writer),
                             PC_ERR_RANGE, "2^64 rows"));
        stack.n_matrices = 3;
        CU_ASSERT(is_refused(m.context, write_matrix_as(&m, m.context, &stack, path, 6),
                             PC_ERR_ARGUMENT, "rows 6 to 8 were never added"));
    }
    CU_ASSERT_EQUAL(n_files(), 0);
    remove_folder();
}

/* The whole of writing, with memory of a context that may fail. */
static pc_status write_shape(pc_context *context, void *user)
{
    const matrix *like = user;
    matrix m = *like;
    char path[MOST_PATH];
    m.context = context;
    in_folder("f.tsv.gz", path);
    pc_status status = pc_relation_from_arrays(context, m.n_rows, m.n_columns, 0, NULL, NULL, NULL,
                                               NULL, NULL, &m.shape);
    if (status == PC_OK) {
        pc_frame frame = matrix_frame(&m);
        frame.about = "ways";
        status = write_matrix(&m, &frame, path, 2);
        pc_relation_free(m.shape);
    }
    if (status != PC_OK && n_files() != 0)
        return PC_ERR_INTERNAL;
    unlink(path);
    return status;
}

TEST("memory fails")
{
    random_source source = {88};
    make_folder();
    for (uint64_t n_columns = 0; n_columns < 5; n_columns += 4) {
        OWNED(matrix) m = matrix_make(&source, 1, 5, n_columns, 2, n_columns > 0);
        CU_ASSERT_TRUE(fail_each_allocation(write_shape, &m) > 8);
    }
    remove_folder();
}

/* ---- Means -------------------------------------------------------------------------------------- */

static void check_text(const pc_rows *rows, uint64_t e, const char *expected)
{
    char got[64];
    CU_ASSERT_EQUAL(pc_rows_text(rows, e, got, sizeof got, NULL), PC_OK);
    CU_ASSERT_STRING_EQUAL(got, expected);
}

/* By hand; rows have the sizes 2, 3 and columns 2, 1, 5. */
TEST("means by hand")
{
    static const uint64_t limbs[] = {7, 8, 0, 6, 1, 45}, rows_of[] = {9, 2, 3},
                          columns[] = {2, 1, 5};
    static const double values[] = {7, 8, 0, 6, 0.75, 45};
    pc_rows rows = {.first_row = 1,
                    .n_rows = 2,
                    .n_columns = 3,
                    .n_limbs = 1,
                    .limbs = limbs,
                    .row_sizes = rows_of,
                    .column_sizes = columns};
    check_text(&rows, 0, "7/4");
    check_text(&rows, 1, "4");
    check_text(&rows, 2, "0");
    check_text(&rows, 3, "1");
    check_text(&rows, 4, "1/3");
    check_text(&rows, 5, "3");
    rows.n_limbs = 0;
    rows.limbs = NULL;
    rows.values = values;
    check_text(&rows, 0, "1.75e+00");
    check_text(&rows, 1, "4");
    check_text(&rows, 2, "0");
    check_text(&rows, 4, "2.5e-01");
    rows.exponent = 3;
    check_text(&rows, 0, "14");
    CU_ASSERT_EQUAL(pc_rows_text(&rows, 6, NULL, 0, NULL), PC_ERR_ARGUMENT);
}

/* (NULL, 0, &length) asks for the length; counts of 1 to 40 words, the widest past 700 digits. */
TEST("text of means")
{
    random_source source = {82};
    for (uint32_t n_limbs = 1; n_limbs <= 40; n_limbs++) {
        OWNED(matrix) m = matrix_make(&source, 1, 3, 4, n_limbs, true);
        pc_rows rows = matrix_rows(&m, 0, 3);
        memset(m.limbs, 0xff, n_limbs * sizeof *m.limbs); /* entry 0 is as wide as can be */
        m.row_sizes[0] = 131071;
        m.column_sizes[0] = 131063;
        for (uint64_t e = 0; e < 12; e++) {
            char got[1000];
            size_t length = 0, again = 0;
            CU_ASSERT_EQUAL(pc_rows_text(&rows, e, NULL, 0, &length), PC_ERR_RANGE);
            CU_ASSERT_FATAL(length > 0 && length < sizeof got);
            CU_ASSERT_TRUE(length < pci_rows_entry_text_bytes(n_limbs, true));
            memset(got, '#', sizeof got);
            CU_ASSERT_EQUAL(pc_rows_text(&rows, e, got, length, &again), PC_ERR_RANGE);
            CU_ASSERT_TRUE(again == length && got[0] == '#');
            CU_ASSERT_EQUAL(pc_rows_text(&rows, e, got, length + 1, &again), PC_OK);
            CU_ASSERT_TRUE(again == length && got[length] == '\0' && got[length + 1] == '#');
            CU_ASSERT_TRUE(text_is_right(&m, e, got, length));
        }
        CU_ASSERT_EQUAL(pc_rows_text(&rows, 12, NULL, 0, NULL), PC_ERR_ARGUMENT);
    }
}

/* Doubles end at 2^1024: a mean may fit where its count does not, or not either. */
TEST("means of wide counts")
{
    static const char *const names[] = {"w.npy", "w.mtx", "w.tsv", "w.csv", "w.json"};
    random_source source = {83};
    make_folder();
    for (int fits = 0; fits < 2; fits++) {
        OWNED(matrix) m = matrix_make(&source, 2, 2, 3, 17, true);
        pc_frame frame = matrix_frame(&m);
        memset(m.limbs, 0, 6 * 17 * sizeof *m.limbs);
        m.limbs[5 * 17 + 16] = 32; /* 2^1029 */
        m.row_sizes[1] = fits ? 100 : 1;
        m.column_sizes[2] = 7;
        for (int x = 0; x < 5; x++) {
            char path[MOST_PATH];
            in_folder(names[x], path);
            pc_status expected = fits || x > 1 ? PC_OK : PC_ERR_RANGE;
            CU_ASSERT_EQUAL(write_matrix(&m, &frame, path, 1), expected);
            if (expected != PC_OK) {
                CU_ASSERT(says(m.context, "write .tsv, .csv or .json"));
                continue;
            }
            text got = read_back(path, false);
            CU_ASSERT_TRUE(file_is_right(&m, strrchr(names[x], '.'), &got));
            free(got.bytes);
            unlink(path);
            check_labels(&m, path, x == 0);
        }
        CU_ASSERT_EQUAL(n_files(), 0);
    }
    remove_folder();
}

/* Means in the place of counts, counts in the place of means, another shape: refused. */
TEST("other rows than planned")
{
    random_source source = {84};
    char path[MOST_PATH];
    make_folder();
    in_folder("o.tsv", path);
    matrix m = matrix_make(&source, 1, 3, 4, 1, true);
    for (int way = 0; way < 4; way++) {
        OWNED(pc_writer) *writer = NULL;
        pc_frame frame = matrix_frame(&m);
        pc_rows rows = matrix_rows(&m, 0, 3);
        frame.means = way != 0;
        if (way == 1)
            rows.row_sizes = rows.column_sizes = NULL;
        if (way == 2)
            rows.n_columns = 3;
        if (way == 3)
            rows.n_rows = 4;
        MUST(pc_writer_open(m.context, path, &frame, &writer));
        CU_ASSERT(is_refused(m.context, pc_writer_add(writer, &rows), PC_ERR_ARGUMENT, path));
    }
    CU_ASSERT_EQUAL(n_files(), 0);
    matrix_free(&m);
    remove_folder();
}

/* ---- Summaries ---------------------------------------------------------------------------------- */

static void check_summary(const matrix *m, uint64_t most_rows)
{
    pc_frame frame = matrix_frame(m);
    OWNED(pc_reduction) *summary = NULL;
    pc_summary_values values;
    uint64_t n_nonzero = 0, at = 0;
    OWNED(mpz_t) total, row_sum, largest_sum, largest, count;
    mpz_inits(total, row_sum, largest_sum, largest, count, NULL);
    MUST(pc_summary_create(m->context, &frame, PC_SUMMARY_PAIRS, &summary));
    for (uint64_t i = 0; i < m->n_rows; i++) {
        mpz_set_ui(row_sum, 0);
        for (uint64_t e = i * m->n_columns; e < (i + 1) * m->n_columns; e++) {
            mpz_import(count, m->n_limbs, -1, 8, 0, 0, m->limbs + e * m->n_limbs);
            mpz_add(row_sum, row_sum, count);
            n_nonzero += mpz_sgn(count) != 0;
            at = mpz_cmp(count, largest) > 0 ? e : at;
            mpz_set(largest, mpz_cmp(count, largest) > 0 ? count : largest);
        }
        mpz_add(total, total, row_sum);
        mpz_set(largest_sum, mpz_cmp(row_sum, largest_sum) > 0 ? row_sum : largest_sum);
    }
    for (uint64_t row = 0; row < m->n_rows; row += most_rows) {
        uint64_t left = m->n_rows - row;
        pc_rows rows = matrix_rows(m, row, most_rows < left ? most_rows : left);
        CU_ASSERT_EQUAL(pc_reduction_add(summary, &rows), PC_OK);
    }
    MUST(pc_summary_get(summary, &values));
    CU_ASSERT_TRUE(mpz_set_str(count, values.total, 10) == 0 && mpz_cmp(count, total) == 0);
    CU_ASSERT_TRUE(mpz_set_str(count, values.largest, 10) == 0 && mpz_cmp(count, largest) == 0);
    CU_ASSERT_TRUE(mpz_set_str(count, values.largest_row_sum, 10) == 0 &&
                   mpz_cmp(count, largest_sum) == 0);
    CU_ASSERT_STRING_EQUAL(values.closed, "0");
    CU_ASSERT_EQUAL(values.n_nonzero, n_nonzero);
    CU_ASSERT_TRUE(n_nonzero == 0 || (values.largest_from == at / m->n_columns &&
                                      values.largest_to == at % m->n_columns));
}

TEST("summaries")
{
    static const uint64_t shapes[][2] = {{1, 1}, {1, 9}, {9, 1}, {8, 5}, {5, 8}, {60, 33}, {3, 0}};
    random_source source = {85};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (uint32_t n_limbs = 1; n_limbs <= 3; n_limbs++) {
            OWNED(matrix) m =
                matrix_make(&source, 1 + (int)s % 4, shapes[s][0], shapes[s][1], n_limbs, false);
            check_summary(&m, 1 + s);
        }
}

/* ---- The line that says what the numbers are ---------------------------------------------------- */

/* The file of integers with its third line taken out, which must be "% about" or a beginning of it. */
static bool take_about(text *got, const char *about, size_t least)
{
    char *line = strchr(strchr(got->bytes, '\n') + 1, '\n') + 1, *end = strchr(line, '\n');
    size_t n = (size_t)(end - line), shown = strcspn(about, "\n");
    bool right = n >= 2 + least && n <= 2 + shown && memcmp(line, "% ", 2) == 0 &&
                 memcmp(line + 2, about, n - 2) == 0;
    memmove(line, end + 1, strlen(end));
    return right;
}

TEST("the line about a matrix")
{
    char long_line[1001];
    memset(long_line, 'x', sizeof long_line - 1);
    long_line[1000] = '\0';
    const char *const abouts[] = {"numbers of ways", "one\n2 2 1\n1 1 5", "%", long_line};
    random_source source = {87};
    make_folder();
    matrix m = matrix_make(&source, 2, 5, 4, 2, false);
    for (size_t a = 0; a < sizeof abouts / sizeof *abouts; a++)
        for (int x = 0; extensions[x]; x++)
            for (int p = 0; packings[p]; p++) {
                char name[32], path[MOST_PATH];
                pc_frame frame = matrix_frame(&m);
                frame.about = abouts[a];
                snprintf(name, sizeof name, "out%s%s", extensions[x], packings[p]);
                in_folder(name, path);
                MUST(write_matrix(&m, &frame, path, 2));
                text got = read_back(path, p > 0);
                size_t shown = strcspn(abouts[a], "\n");
                if (strcmp(extensions[x], ".mtx") == 0)
                    CU_ASSERT_TRUE(take_about(&got, abouts[a], shown < 200 ? shown : 200));
                CU_ASSERT_TRUE(file_is_right(&m, extensions[x], &got));
                free(got.bytes);
                unlink(path);
            }
    matrix_free(&m);
    remove_folder();
}

/* Relations: read from files, made from arrays, transposed. */
#include "tests/support/fixture.h"

#include "graphs/graph.h"
#include "tests/support/failing_allocator.h"
#include "tests/support/reading.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void show_labels(FILE *out, const pc_labels *labels)
{
    for (uint64_t i = 0; i < pc_labels_count(labels); i++) {
        char text[64];
        CU_ASSERT(pc_labels_text(labels, i, text, sizeof text) < sizeof text);
        fprintf(out, "%s ", text);
    }
    fputs("| ", out);
}

/* "rows | columns | row>column*multiplicity ...": asserts that columns ascend and none is 0. */
static char *show(const pc_relation *relation)
{
    char *text = NULL;
    size_t n_bytes;
    FILE *out = open_memstream(&text, &n_bytes);
    const pci_sparse *matrix = &relation->matrix;
    const pc_labels *rows = relation_info(relation).rows,
                    *columns = relation_info(relation).columns;
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    CU_ASSERT_FATAL(matrix->n_rows == pc_labels_count(rows));
    CU_ASSERT_FATAL(matrix->n_columns == pc_labels_count(columns));
    CU_ASSERT(matrix->row_start[0] == 0);
    pc_relation_info info;
    pc_relation_get_info(relation, &info);
    CU_ASSERT(matrix->row_start[matrix->n_rows] == info.n_entries);
    show_labels(out, rows);
    show_labels(out, columns);
    for (uint64_t i = 0; i < matrix->n_rows; i++)
        for (uint64_t e = matrix->row_start[i]; e < matrix->row_start[i + 1]; e++) {
            char row[64], column[64];
            uint64_t entry = matrix->limbs ? matrix->limbs[e] : 1;
            CU_ASSERT_FATAL(matrix->column[e] < matrix->n_columns && entry > 0);
            CU_ASSERT(e == matrix->row_start[i] || matrix->column[e - 1] < matrix->column[e]);
            pc_labels_text(rows, i, row, sizeof row);
            pc_labels_text(columns, matrix->column[e], column, sizeof column);
            fprintf(out, "%s>%s", row, column);
            fprintf(out, entry > 1 ? "*%" PRIu64 " " : " ", entry);
        }
    fclose(out);
    return text;
}

static void check_shown(const pc_relation *relation, const char *expected, int line)
{
    OWNED(char) *found = show(relation);
    bool same = strcmp(found, expected) == 0;
    if (!same)
        printf("\n    line %d: %s\n    expected: %s\n", line, found, expected);
    CU_ASSERT(same);
}

static pc_status read_relation(pc_context *context, const char *text,
                               const pc_graph_options *options, pc_relation **relation)
{
    const char *path = scratch_path(".txt");
    scratch_write(path, text, strlen(text));
    pc_status status = pc_relation_read(context, path, options, relation);
    unlink(path);
    return status;
}

static void check_shown_read(const char *text, const pc_graph_options *options, const char *shown,
                             int line)
{
    for (int n_threads = 1; n_threads <= 4; n_threads += 3) {
        OWNED(pc_context) *context = new_context(n_threads);
        OWNED(pc_relation) *relation = NULL;
        pc_status status = read_relation(context, text, options, &relation);
        if (status != PC_OK)
            printf("\n    line %d: %s\n", line, pc_context_message(context));
        MUST(status);
        check_shown(relation, shown, line);
    }
}
#define CHECK(TEXT, OPTIONS, SHOWN) check_shown_read(TEXT, OPTIONS, SHOWN, __LINE__)

static void check_refused(const char *text, const pc_graph_options *options, pc_status expected,
                          const char *words, int line)
{
    OWNED(pc_context) *context = new_context(1);
    pc_relation *relation = NULL;
    pc_status status = read_relation(context, text, options, &relation);
    bool said = strstr(pc_context_message(context), words) != NULL;
    if (!said)
        printf("\n    line %d: %s\n", line, pc_context_message(context));
    CU_ASSERT_EQUAL(status, expected);
    CU_ASSERT(said);
    CU_ASSERT_PTR_NULL(relation);
}
#define REFUSED(TEXT, OPTIONS, STATUS, WORDS) check_refused(TEXT, OPTIONS, STATUS, WORDS, __LINE__)

static const pc_graph_options weights = {.weights = 1}, multigraph = {.multigraph = 1},
                              both = {.weights = 1, .multigraph = 1},
                              undirected = {.direction = PC_UNDIRECTED, .n_vertices = 9},
                              swapped = {.columns = "2,1"};

TEST("edge lists: rows and columns that occur")
{
    CHECK("Ann p1\nBob p1\nAnn p2\n", NULL, "Ann Bob | p1 p2 | Ann>p1 Ann>p2 Bob>p1 ");
    CHECK("9 5\n7 5\n7 100000000\n", NULL, "7 9 | 5 100000000 | 7>5 7>100000000 9>5 ");
    CHECK("x y\ny x\nx x\ny z\n", NULL, "x y | x y z | x>x x>y y>x y>z ");
    CHECK("1 2\n2 1\n3 1\n", NULL, "1 2 3 | 1 2 | 1>2 2>1 3>1 ");
    CHECK("a b 3\na c 0\nd b 1\ne b 0\n", &weights, "a d e | b c | a>b*3 d>b ");
    CHECK("a b 3\na c 0\n", NULL, "a | b c | a>b a>c ");
    CHECK("a b\na b\n", NULL, "a | b | a>b ");
    CHECK("a b\na b\n", &multigraph, "a | b | a>b*2 ");
    CHECK("a b 5\na b 18446744073709551610\n", &both, "a | b | a>b*18446744073709551615 ");
    CHECK("a b\n", &undirected, "a | b | a>b ");
    CHECK("# pathcount graph: undirected\na b\nc c\n", NULL, "a b c | a b c | a>b b>a c>c ");
    CHECK("# pathcount graph: directed, weights, 3 vertices\n0 2 4\n", NULL,
          "0 1 2 | 0 1 2 | 0>2*4 ");
    CHECK("% bip unweighted\n1 1\n2 1\n", NULL, "1 2 | 1 | 1>1 2>1 ");
}

TEST("Matrix Market of any shape")
{
    CHECK("%%MatrixMarket matrix coordinate pattern general\n2 4 2\n1 4\n2 1\n", NULL,
          "1 2 | 1 2 3 4 | 1>4 2>1 ");
    CHECK("%%MatrixMarket matrix coordinate integer general\n4 2 2\n1 1 7\n3 2 0\n", &weights,
          "1 2 3 4 | 1 2 | 1>1*7 ");
    CHECK("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 3\n", NULL,
          "1 2 3 | 1 2 3 | 1>2 2>1 3>3 ");
    CHECK("%%MatrixMarket matrix coordinate pattern general\n0 3 0\n", NULL, "| 1 2 3 | ");
    CHECK("%%MatrixMarket matrix coordinate pattern general\n2 0 0\n", NULL, "1 2 | | ");
    CHECK("%%MatrixMarket matrix coordinate pattern general\n0 0 0\n", NULL, "| | ");
    CHECK("%%MatrixMarket matrix coordinate pattern general\n2 3 1\n1 3\n", &undirected,
          "1 2 | 1 2 3 | 1>3 ");
}

TEST("wrong files are refused")
{
    REFUSED("", NULL, PC_ERR_DATA, "empty");
    REFUSED("a b\nc\n", NULL, PC_ERR_DATA, ":2: ");
    REFUSED("a b 2\na b 3\n", &weights, PC_ERR_DATA, "edge a b");
    REFUSED("a b 18446744073709551615\na b 1\n", &both, PC_ERR_RANGE, "edge a b");
    REFUSED("%%MatrixMarket matrix coordinate pattern general\n2 3 1\n3 1\n", NULL, PC_ERR_DATA,
            ":3: ");
    REFUSED("%%MatrixMarket matrix coordinate pattern general\n3 2 1\n1 3\n", NULL, PC_ERR_DATA,
            ":3: ");
    REFUSED("%%MatrixMarket matrix coordinate pattern symmetric\n3 2 1\n2 1\n", NULL, PC_ERR_DATA,
            "a symmetric matrix is square");
    REFUSED("%%MatrixMarket matrix coordinate pattern general\n1 4294967296 1\n1 1\n", NULL,
            PC_ERR_DATA, "columns: at most");
    REFUSED("%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1\n", &swapped, PC_ERR_DATA,
            "are for edge lists");
    OWNED(pc_context) *context = new_context(1);
    pc_relation *relation = NULL;
    CU_ASSERT(pc_relation_read(context, "/nonexistent/file", NULL, &relation) == PC_ERR_NO_INPUT);
}

/* ---- Arrays ---------------------------------------------------------------------------------- */

static const char *const row_labels[] = {"r", "10", "9"}, *const column_labels[] = {"c", "d"};

TEST("from arrays")
{
    const uint64_t row[] = {2, 0, 0, 2}, column[] = {1, 0, 1, 1}, weight[] = {3, 1, 0, 4};
    OWNED(pc_context) *context = new_context(2);
    pc_relation *relation;
    MUST(pc_relation_from_arrays(context, 3, 2, 4, row, column, weight, row_labels, column_labels,
                                 &relation));
    check_shown(relation, "r 10 9 | c d | r>c 9>d*7 ", __LINE__);
    pc_relation_free(relation);
    MUST(pc_relation_from_arrays(context, 3, 5, 4, row, column, NULL, NULL, NULL, &relation));
    check_shown(relation, "0 1 2 | 0 1 2 3 4 | 0>0 0>1 2>1*2 ", __LINE__);
    pc_relation_free(relation);
    MUST(pc_relation_from_arrays(context, 0, 2, 0, NULL, NULL, NULL, NULL, NULL, &relation));
    check_shown(relation, "| 0 1 | ", __LINE__);
    pc_relation_free(relation);
}

TEST("wrong arrays are refused")
{
    static const char *const twice[] = {"same", "other", "same"};
    const uint64_t row[] = {0, 1}, column[] = {1, 0}, zeros[] = {0, 0};
    const uint64_t weight[] = {UINT64_MAX, 1};
    OWNED(pc_context) *context = new_context(1);
    pc_relation *r = NULL;
    CU_ASSERT(is_refused(
        context, pc_relation_from_arrays(context, 1, 2, 2, row, column, NULL, NULL, NULL, &r),
        PC_ERR_ARGUMENT, "entry 1 is at row 1"));
    CU_ASSERT(is_refused(
        context, pc_relation_from_arrays(context, 2, 1, 2, row, column, NULL, NULL, NULL, &r),
        PC_ERR_ARGUMENT, "entry 0"));
    CU_ASSERT(pc_relation_from_arrays(context, 2, 2, 1, NULL, column, NULL, NULL, NULL, &r) ==
              PC_ERR_ARGUMENT);
    CU_ASSERT(pc_relation_from_arrays(context, UINT64_MAX, 2, 0, row, column, NULL, NULL, NULL,
                                      &r) == PC_ERR_ARGUMENT);
    CU_ASSERT(is_refused(
        context, pc_relation_from_arrays(context, 3, 2, 0, row, column, NULL, twice, NULL, &r),
        PC_ERR_ARGUMENT, "rows 0 and 2"));
    CU_ASSERT(pc_relation_from_arrays(context, 2, 3, 0, row, column, NULL, NULL, twice, &r) ==
              PC_ERR_ARGUMENT);
    CU_ASSERT(pc_relation_from_arrays(context, 2, 2, 2, zeros, zeros, weight, NULL, NULL, &r) ==
              PC_ERR_RANGE);
    CU_ASSERT_PTR_NULL(r);
}

/* ---- Transposed ------------------------------------------------------------------------------ */

/* "row>column*entry" is in one exactly when "column>row*entry" is in the other. */
TEST("transposed, labels too")
{
    OWNED(pc_context) *context = new_context(1);
    pc_relation *relation, *transposed, *again;
    MUST(read_relation(context, "a x 2\nb x 3\na y\n", NULL, &relation));
    pc_relation_free(relation);
    MUST(read_relation(context, "a x 2\nb x 3\na y 1\n", &weights, &relation));
    MUST(pci_relation_transpose(context, relation, &transposed));
    check_shown(transposed, "x y | a b | x>a*2 x>b*3 y>a ", __LINE__);
    MUST(pci_relation_transpose(context, transposed, &again));
    pc_relation_free(relation); /* they do not need it any more */
    pc_relation_free(transposed);
    check_shown(again, "a b | x y | a>x*2 a>y b>x*3 ", __LINE__);
    pc_relation_free(again);
}

TEST("random relations transposed")
{
    random_source random = {.state = 7};
    for (int t = 0; t < 200; t++) {
        uint64_t n_rows = 1 + random_below(&random, 9), n_columns = 1 + random_below(&random, 9);
        uint64_t row[40], column[40], n_entries = random_below(&random, 40), dense[9][9] = {{0}};
        OWNED(pc_context) *context = new_context(1);
        OWNED(pc_relation) *relation = NULL, *transposed = NULL;
        for (uint64_t e = 0; e < n_entries; e++) {
            row[e] = random_below(&random, n_rows);
            column[e] = random_below(&random, n_columns);
            dense[row[e]][column[e]]++;
        }
        MUST(pc_relation_from_arrays(context, n_rows, n_columns, n_entries, row, column, NULL, NULL,
                                     NULL, &relation));
        MUST(pci_relation_transpose(context, relation, &transposed));
        uint64_t n_found = 0;
        const pci_sparse *matrix = &transposed->matrix;
        for (uint64_t j = 0; j < n_columns; j++)
            for (uint64_t e = matrix->row_start[j]; e < matrix->row_start[j + 1]; e++) {
                uint64_t entry = matrix->limbs ? matrix->limbs[e] : 1;
                CU_ASSERT(dense[matrix->column[e]][j] == entry);
                n_found += entry;
            }
        CU_ASSERT(n_found == n_entries);
    }
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static pc_status read_and_transpose(pc_context *context, void *user)
{
    OWNED(pc_relation) *relation = NULL, *transposed = NULL;
    pc_status status = pc_relation_read(context, user, &both, &relation);
    if (status == PC_OK)
        status = pci_relation_transpose(context, relation, &transposed);
    return status;
}

static pc_status make_from_arrays(pc_context *context, void *user)
{
    (void)user;
    const uint64_t row[] = {2, 0}, column[] = {1, 0};
    OWNED(pc_relation) *relation = NULL;
    pc_status status = pc_relation_from_arrays(context, 3, 2, 2, row, column, NULL, row_labels,
                                               column_labels, &relation);
    return status;
}

TEST("any allocation may fail")
{
    char path[256];
    snprintf(path, sizeof path, "%s", scratch_path(".txt"));
    scratch_write(path, "a x 2\nb x 3\na y 1\n", 18);
    CU_ASSERT(fail_each_allocation(read_and_transpose, path) > 5);
    unlink(path);
    CU_ASSERT(fail_each_allocation(make_from_arrays, NULL) > 5);
}

/* The float32 rungs of the ladder on the processor against sums in 64-bit integers, and where float32
 * ends: Hochberg's product of Pascal triangles, which counts of paths still get right. */
#include "tests/support/fixture.h"
#include "tests/bench/ladder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Larger than any product here, and not an integer: what was not written is seen. */
static const float poison = 12345678.5f;

enum { MAX_SIDE = 70 };

typedef struct float_matrix {
    size_t rows, columns, stride;
    float *element;
} float_matrix;

static float_matrix new_matrix(size_t rows, size_t columns, size_t stride)
{
    float_matrix m = {rows, columns, stride, malloc((rows * stride + 1) * sizeof(float))};
    CU_ASSERT_PTR_NOT_NULL_FATAL(m.element);
    for (size_t e = 0; e < rows * stride; e++)
        m.element[e] = poison;
    return m;
}

/* Integers -8..8, or zeros and ones only. */
static float_matrix random_matrix(random_source *source, size_t rows, size_t columns)
{
    float_matrix m = new_matrix(rows, columns, columns + random_below(source, 5));
    uint64_t range = random_below(source, 4) == 0 ? 2 : 17;
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++)
            m.element[i * m.stride + j] =
                (float)((int64_t)random_below(source, range) - (int64_t)(range / 17 * 8));
    return m;
}

/* Entry (i, j) of a b by the definition, 0 beyond the edge. */
static int64_t exact_entry(const float_matrix *a, const float_matrix *b, size_t i, size_t j)
{
    int64_t sum = 0;
    if (i >= a->rows || j >= b->columns)
        return 0;
    for (size_t k = 0; k < a->columns; k++)
        sum += (int64_t)a->element[i * a->stride + k] * (int64_t)b->element[k * b->stride + j];
    return sum;
}

static int64_t exact_reduced_entry(const float_matrix *a, const float_matrix *b, size_t i, size_t j)
{
    int64_t sum = 0;
    for (size_t square = 0; square < 4; square++)
        sum += exact_entry(a, b, 2 * i + square / 2, 2 * j + square % 2);
    return sum;
}

static const ladder_loop *find_rung(const char *name)
{
    for (size_t r = 0; r < LADDER_N_LOOPS; r++)
        if (strcmp(ladder_loops[r].name, name) == 0)
            return &ladder_loops[r];
    CU_FAIL_FATAL("a rung is missing");
    return NULL;
}

/* c has the shape that the rung makes of a and b; it may be wider in memory. */
static float_matrix multiply(const ladder_loop *rung, const float_matrix *a, const float_matrix *b,
                             int n_threads)
{
    size_t rows = rung->reduced ? (a->rows + 1) / 2 : a->rows;
    size_t columns = rung->reduced ? (b->columns + 1) / 2 : b->columns;
    float_matrix c = new_matrix(rows, columns, columns + 3);
    float_product product = {a->rows,   a->columns, b->columns, a->element, b->element,
                             c.element, a->stride,  b->stride,  c.stride};
    rung->multiply(&product, n_threads);
    return c;
}

/* Entries of the rung's product that are wrong, and elements that it should have left alone. */
static size_t n_wrong_elements(const ladder_loop *rung, const float_matrix *a,
                               const float_matrix *b, int n_threads)
{
    float_matrix c = multiply(rung, a, b, n_threads);
    size_t n_wrong = 0;
    for (size_t i = 0; i < c.rows; i++)
        for (size_t j = 0; j < c.stride; j++) {
            double expected = poison;
            if (j < c.columns)
                expected = (double)(rung->reduced ? exact_reduced_entry(a, b, i, j)
                                                  : exact_entry(a, b, i, j));
            n_wrong += c.element[i * c.stride + j] != expected;
        }
    if (n_wrong != 0)
        printf("\n    %s, %zu x %zu x %zu, %d threads: %zu wrong", rung->name, a->rows, a->columns,
               b->columns, n_threads, n_wrong);
    free(c.element);
    return n_wrong;
}

static void check_shape(random_source *source, const ladder_loop *rung, size_t rows, size_t inner,
                        size_t columns, int n_threads)
{
    float_matrix a = random_matrix(source, rows, inner);
    float_matrix b = random_matrix(source, inner, columns);
    CU_ASSERT_EQUAL(n_wrong_elements(rung, &a, &b, n_threads), 0);
    free(a.element);
    free(b.element);
}

TEST("random shapes against integers")
{
    random_source source = {301};
    for (size_t r = 0; r < LADDER_N_LOOPS; r++)
        for (int shape = 0; shape < 100; shape++)
            check_shape(&source, &ladder_loops[r], 1 + random_below(&source, MAX_SIDE),
                        1 + random_below(&source, MAX_SIDE), 1 + random_below(&source, MAX_SIDE),
                        2);
}

/* Single rows and columns, nothing to sum, nothing at all; all odd and even sides up to 5. */
TEST("small shapes, none and one included")
{
    random_source source = {302};
    for (size_t r = 0; r < LADDER_N_LOOPS; r++)
        for (size_t shape = 0; shape < 6 * 6 * 6; shape++)
            check_shape(&source, &ladder_loops[r], shape / 36, shape / 6 % 6, shape % 6, 1);
}

/* Fewer rows than threads, and numbers of rows that the threads do not divide. */
TEST("1, 3 and 4 threads")
{
    random_source source = {303};
    const ladder_loop *rung = find_rung("ikj-openmp");
    const int n_threads[] = {1, 3, 4};
    for (size_t rows = 1; rows <= 13; rows++)
        for (size_t t = 0; t < sizeof n_threads / sizeof *n_threads; t++)
            check_shape(&source, rung, rows, 20, 30, n_threads[t]);
}

/* ---- Hochberg, "Matrix Multiplication with CUDA" --------------------------------------------- */

/* Practice 2, section 1.4, with the product that he prints. */
TEST("Hochberg, practice 2")
{
    float left[] = {1, 2, -1, 3, 2, -1}, right[] = {2, 0, -1, 1, 4, 3, 2, 1};
    const float printed[] = {10, 6, 3, 3, 10, 9, 7, 2, 0, -3, -4, 1};
    const float_matrix a = {3, 2, 2, left}, b = {2, 4, 4, right};
    for (size_t r = 0; r < LADDER_N_LOOPS; r++) {
        CU_ASSERT_EQUAL(n_wrong_elements(&ladder_loops[r], &a, &b, 2), 0);
        if (ladder_loops[r].reduced)
            continue;
        float_matrix c = multiply(&ladder_loops[r], &a, &b, 2);
        for (size_t e = 0; e < 12; e++)
            CU_ASSERT_EQUAL(c.element[e / 4 * c.stride + e % 4], printed[e]);
        free(c.element);
    }
}

/* Question 4, section 2.5: Pascal's triangle times the one with signs that alternate is the identity.
 * Entries fit 64 bits up to 67 rows. */
enum { MAX_PASCAL = 60 };

typedef struct pascal_triangle {
    uint64_t entry[MAX_PASCAL][MAX_PASCAL];
} pascal_triangle;

static pascal_triangle *new_triangle(void)
{
    pascal_triangle *triangle = calloc(1, sizeof *triangle);
    CU_ASSERT_PTR_NOT_NULL_FATAL(triangle);
    for (size_t i = 0; i < MAX_PASCAL; i++) {
        triangle->entry[i][0] = 1;
        for (size_t j = 1; j <= i; j++)
            triangle->entry[i][j] = triangle->entry[i - 1][j - 1] + triangle->entry[i - 1][j];
    }
    return triangle;
}

/* Its first n rows, nearest floats. */
static float_matrix float_triangle(const pascal_triangle *triangle, size_t n, bool has_signs)
{
    float_matrix m = new_matrix(n, n, n);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            m.element[i * n + j] =
                (float)triangle->entry[i][j] * (has_signs && (i + j) % 2 == 1 ? -1.0f : 1.0f);
    return m;
}

static bool is_identity_in_floats(const ladder_loop *rung, const pascal_triangle *triangle,
                                  size_t n)
{
    float_matrix left = float_triangle(triangle, n, false);
    float_matrix right = float_triangle(triangle, n, true);
    float_matrix c = multiply(rung, &left, &right, 2);
    bool is_identity = true;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            is_identity = is_identity && c.element[i * c.stride + j] == (i == j ? 1.0f : 0.0f);
    free(left.element);
    free(right.element);
    free(c.element);
    return is_identity;
}

/* Whether all terms and partial sums of the product are integers that float32 holds: the absolute
 * terms of entry (i, j) add up to C(i, j) 2^(i - j). */
static bool floats_suffice(const pascal_triangle *triangle, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            if (triangle->entry[i][j] > (UINT64_C(1) << 24) >> (i - j))
                return false;
    return true;
}

/* The rows from which on the product in floats is not the identity any more; MAX_PASCAL: none. */
static size_t first_wrong_size(const ladder_loop *rung, const pascal_triangle *triangle)
{
    size_t n = 1;
    while (n < MAX_PASCAL && is_identity_in_floats(rung, triangle, n))
        n++;
    return n;
}

/* Arcs from first_row + i to first_column + j, as many as the triangle's entry; of one sign. */
static void add_triangle(edge_set *edges, const pascal_triangle *triangle, size_t n,
                         size_t first_row, size_t first_column, bool even, bool odd)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            if ((i + j) % 2 == 0 ? even : odd)
                edge_set_add(edges, first_row + i, first_column + j, triangle->entry[i][j]);
}

/* The product as counts: from 0..n-1 by the triangle to n..2n-1, from there by the positive entries
 * of the other one to 2n..3n-1 and by the negative to 3n..4n-1. Paths of length 2 to the former less
 * those to the latter are the product. */
static void check_counted_product(const pascal_triangle *triangle, size_t n)
{
    OWNED(edge_set) edges = edge_set_empty(4 * n, true);
    add_triangle(&edges, triangle, n, 0, n, true, true);
    add_triangle(&edges, triangle, n, n, 2 * n, true, false);
    add_triangle(&edges, triangle, n, n, 3 * n, false, true);
    OWNED(pc_context) *context = new_context(2);
    OWNED(pc_graph) *graph = new_graph(context, &edges);
    OWNED(pc_counts) *counts = new_counts(context, graph, 2);
    OWNED(mpz_t) positive, negative;
    mpz_inits(positive, negative, NULL);
    size_t n_wrong = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            CU_ASSERT_EQUAL(counts_mpz(counts, i, 2 * n + j, positive), PC_OK);
            CU_ASSERT_EQUAL(counts_mpz(counts, i, 3 * n + j, negative), PC_OK);
            mpz_sub(positive, positive, negative);
            n_wrong += mpz_cmp_ui(positive, i == j) != 0;
        }
    CU_ASSERT_EQUAL(n_wrong, 0);
}

TEST("Hochberg, question 4: Pascal's triangle")
{
    pascal_triangle *triangle = new_triangle();
    for (size_t r = 0; r < LADDER_N_LOOPS; r++) {
        if (ladder_loops[r].reduced)
            continue;
        size_t n = first_wrong_size(&ladder_loops[r], triangle);
        CU_ASSERT(n < MAX_PASCAL);
        CU_ASSERT(!floats_suffice(triangle, n));
    }
    /* Up to the last size that floats are good for, from the first that they are not, and far on. */
    size_t n = first_wrong_size(find_rung("ijk"), triangle);
    check_counted_product(triangle, n - 1);
    check_counted_product(triangle, n);
    check_counted_product(triangle, MAX_PASCAL);
    free(triangle);
}

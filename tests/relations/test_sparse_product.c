/* Products of sparse matrices of any shape and sign against GMP integers, modulo 2^(64 words). */
#include <gmp.h>

#include "tests/support/fixture.h"

#include "src/relations/chain.h"
#include "tests/support/failing_allocator.h"
#include "tests/support/random_graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 4, MAX_SIDE = 400 };

/* ---- Random matrices ------------------------------------------------------------------------- */

typedef struct dense {
    uint64_t n_rows, n_columns;
    mpz_t *entry; /* [n_rows][n_columns] */
} dense;

static dense dense_zero(uint64_t n_rows, uint64_t n_columns)
{
    dense made = {n_rows, n_columns, calloc(n_rows * n_columns + 1, sizeof(mpz_t))};
    CU_ASSERT_PTR_NOT_NULL_FATAL(made.entry);
    for (uint64_t e = 0; e < n_rows * n_columns; e++)
        mpz_init(made.entry[e]);
    return made;
}

static void dense_free(dense *matrix)
{
    for (uint64_t e = 0; e < matrix->n_rows * matrix->n_columns; e++)
        mpz_clear(matrix->entry[e]);
    free(matrix->entry);
}

/* value modulo 2^(64 w), negative numbers in two's complement */
static void to_words(const mpz_t value, uint32_t w, uint64_t *words)
{
    OWNED(mpz_t) rest;
    mpz_init(rest);
    mpz_fdiv_r_2exp(rest, value, 64 * w);
    memset(words, 0, w * sizeof *words);
    mpz_export(words, NULL, -1, sizeof *words, 0, 0, rest);
}

static void random_integer(random_source *random, uint32_t w, mpz_t value)
{
    uint64_t words[MAX_WORDS];
    uint32_t n = 1 + (uint32_t)random_below(random, w);
    for (uint32_t l = 0; l < n; l++)
        words[l] = random_below(random, 3) ? random_u64(random) : UINT64_MAX;
    mpz_import(value, n, -1, sizeof *words, 0, 0, words);
    if (random_below(random, 2))
        mpz_neg(value, value);
}

/* Entries, some of them 0, in about per_thousand places; w 0: all 1. */
static pci_sparse random_sparse(pc_context *context, random_source *random, uint64_t n_rows,
                                uint64_t n_columns, unsigned per_thousand, uint32_t w, dense *given)
{
    pci_sparse matrix;
    uint64_t n = 0;
    *given = dense_zero(n_rows, n_columns);
    MUST(pci_sparse_create(context, n_rows, n_columns, n_rows * n_columns, w, &matrix));
    for (uint64_t i = 0; i < n_rows; i++) {
        matrix.row_start[i] = n;
        for (uint64_t j = 0; j < n_columns; j++) {
            if (random_below(random, 1000) >= per_thousand)
                continue;
            mpz_t *entry = &given->entry[i * n_columns + j];
            mpz_set_ui(*entry, 1);
            if (w > 0) {
                random_integer(random, w, *entry);
                to_words(*entry, w, matrix.limbs + n * w);
            }
            matrix.column[n++] = (uint32_t)j;
        }
    }
    matrix.row_start[n_rows] = n;
    return matrix;
}

/* ---- Against the definition ------------------------------------------------------------------ */

typedef struct expectation {
    dense product, ways; /* ways: terms of each sum, so where there is an entry */
    uint64_t n_ways, n_entries;
} expectation;

static expectation multiply_dense(const dense *left, const dense *right, const pci_sparse *l,
                                  const pci_sparse *r)
{
    expectation e = {.product = dense_zero(left->n_rows, right->n_columns),
                     .ways = dense_zero(left->n_rows, right->n_columns)};
    for (uint64_t i = 0; i < l->n_rows; i++)
        for (uint64_t a = l->row_start[i]; a < l->row_start[i + 1]; a++) {
            uint64_t k = l->column[a];
            for (uint64_t b = r->row_start[k]; b < r->row_start[k + 1]; b++) {
                uint64_t at = i * right->n_columns + r->column[b];
                mpz_addmul(e.product.entry[at], left->entry[i * left->n_columns + k],
                           right->entry[k * right->n_columns + r->column[b]]);
                e.n_entries += mpz_sgn(e.ways.entry[at]) == 0;
                mpz_add_ui(e.ways.entry[at], e.ways.entry[at], 1);
                e.n_ways++;
            }
        }
    return e;
}

/* Just the expected entries are there, ascending, and have the expected words. */
static void check_sparse(const pci_sparse *found, const expectation *e, uint32_t w)
{
    uint64_t n_wrong = 0, words[MAX_WORDS];
    CU_ASSERT(found->n_rows == e->product.n_rows && found->n_columns == e->product.n_columns);
    CU_ASSERT_FATAL(pci_sparse_n_entries(found) == e->n_entries);
    for (uint64_t i = 0; i < found->n_rows; i++)
        for (uint64_t a = found->row_start[i]; a < found->row_start[i + 1]; a++) {
            uint64_t at = i * found->n_columns + found->column[a];
            to_words(e->product.entry[at], w, words);
            n_wrong += memcmp(words, found->limbs + a * w, w * sizeof *words) != 0 ||
                       mpz_sgn(e->ways.entry[at]) == 0 ||
                       (a > found->row_start[i] && found->column[a - 1] >= found->column[a]);
        }
    CU_ASSERT_EQUAL(n_wrong, 0);
}

static void check_dense(const pci_sparse *left, const pci_sparse *right, const expectation *e,
                        uint32_t w)
{
    uint64_t n_rows = left->n_rows, n_columns = right->n_columns, first = n_rows / 3;
    uint64_t n_wrong = 0, words[MAX_WORDS], sum[MAX_WORDS];
    OWNED(uint64_t) *rows = calloc((n_rows - first) * n_columns * w + 1, sizeof *rows);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rows);
    memset(rows, 0xaa, (n_rows - first) * n_columns * w * sizeof *rows);
    pci_sparse_product_rows(left, right, first, n_rows - first, w, 2, rows);
    for (uint64_t i = first; i < n_rows; i++)
        for (uint64_t j = 0; j < n_columns; j++) {
            to_words(e->product.entry[i * n_columns + j], w, words);
            n_wrong +=
                memcmp(words, rows + ((i - first) * n_columns + j) * w, w * sizeof *words) != 0;
            if (i == j) {
                pci_sparse_diagonal_entry(left, right, i, w, sum);
                n_wrong += memcmp(words, sum, w * sizeof *words) != 0;
            }
        }
    CU_ASSERT_EQUAL(n_wrong, 0);
}

static void check_product(random_source *random, uint64_t n_rows, uint64_t n_inner,
                          uint64_t n_columns, unsigned per_thousand, uint32_t w, int n_threads)
{
    OWNED(pc_context) *context = new_context(n_threads);
    dense left, right;
    /* ones, or words of the same width: signs need it */
    uint32_t left_words = random_below(random, 3) ? w : 0;
    uint32_t right_words = random_below(random, 3) ? w : 0;
    pci_sparse l = random_sparse(context, random, n_rows, n_inner, per_thousand, left_words, &left);
    pci_sparse r =
        random_sparse(context, random, n_inner, n_columns, per_thousand, right_words, &right);
    pci_sparse found;
    expectation e = multiply_dense(&left, &right, &l, &r);
    CU_ASSERT(pci_sparse_n_multiplications(&l, &r) == (double)e.n_ways);
    MUST(pci_sparse_product(context, &l, &r, w, &found));
    check_sparse(&found, &e, w);
    check_dense(&l, &r, &e, w);
    pci_sparse_free(context, &found);
    pci_sparse_free(context, &l);
    pci_sparse_free(context, &r);
    dense_free(&left);
    dense_free(&right);
    dense_free(&e.product);
    dense_free(&e.ways);
}

TEST("random shapes, signs and widths")
{
    random_source random = {.state = 111};
    for (int t = 0; t < 400; t++)
        check_product(&random, random_below(&random, 12), random_below(&random, 12),
                      random_below(&random, 12), 50u << t % 5, 1 + (uint32_t)t % MAX_WORDS, 1);
}

TEST("on several threads")
{
    random_source random = {.state = 112};
    for (int t = 0; t < 4; t++)
        check_product(&random, MAX_SIDE, 200, MAX_SIDE, 60, 1 + (uint32_t)t, 4);
}

/* ---- The product underneath ------------------------------------------------------------------ */

/* A sparse matrix of all n_rows n_columns entries, signed, as integers of w words. */
static pci_sparse full_matrix(pc_context *context, uint64_t n_rows, uint64_t n_columns, uint32_t w,
                              const int64_t *entry)
{
    pci_sparse matrix;
    MUST(pci_sparse_create(context, n_rows, n_columns, n_rows * n_columns, w, &matrix));
    for (uint64_t e = 0; e < n_rows * n_columns; e++) {
        matrix.column[e] = (uint32_t)(e % n_columns);
        for (uint32_t l = 0; l < w; l++)
            matrix.limbs[e * w + l] = l == 0 ? (uint64_t)entry[e] : entry[e] < 0 ? UINT64_MAX : 0;
    }
    for (uint64_t i = 0; i <= n_rows; i++)
        matrix.row_start[i] = i * n_columns;
    return matrix;
}

/* Hochberg, "Matrix Multiplication with CUDA", section 1.4, Practice 2. */
TEST("signed entries: Hochberg, Practice 2")
{
    const int64_t left_entries[] = {1, 2, -1, 3, 2, -1};
    const int64_t right_entries[] = {2, 0, -1, 1, 4, 3, 2, 1};
    const int64_t expected[] = {10, 6, 3, 3, 10, 9, 7, 2, 0, -3, -4, 1};
    OWNED(pc_context) *context = new_context(2);
    for (uint32_t w = 1; w <= 4; w++) {
        pci_sparse left = full_matrix(context, 3, 2, w, left_entries);
        pci_sparse right = full_matrix(context, 2, 4, w, right_entries);
        pci_sparse found, wanted = full_matrix(context, 3, 4, w, expected);
        uint64_t dense[12 * 4];
        CU_ASSERT(pci_sparse_n_multiplications(&left, &right) == 24);
        MUST(pci_sparse_product(context, &left, &right, w, &found));
        CU_ASSERT_FATAL(pci_sparse_n_entries(&found) == 12);
        CU_ASSERT(memcmp(found.row_start, wanted.row_start, 4 * sizeof *found.row_start) == 0);
        CU_ASSERT(memcmp(found.column, wanted.column, 12 * sizeof *found.column) == 0);
        CU_ASSERT(memcmp(found.limbs, wanted.limbs, 12 * w * sizeof *found.limbs) == 0);
        pci_sparse_product_rows(&left, &right, 0, 3, w, 2, dense);
        CU_ASSERT(memcmp(dense, wanted.limbs, 12 * w * sizeof *dense) == 0);
        pci_sparse_diagonal_entry(&left, &right, 1, w, dense);
        CU_ASSERT(memcmp(dense, wanted.limbs + 5 * w, w * sizeof *dense) == 0);
        pci_sparse_free(context, &left);
        pci_sparse_free(context, &right);
        pci_sparse_free(context, &found);
        pci_sparse_free(context, &wanted);
    }
}

/* Sums of exactly 2^64 - 1 and 2^64 need one word and two. */
TEST("words of limits")
{
    CU_ASSERT(pci_limit_limbs(0) == 1);
    CU_ASSERT(pci_limit_limbs(1) == 1);
    CU_ASSERT(pci_limit_limbs(0x1p63L) == 1);
    CU_ASSERT(pci_limit_limbs(0x1p64L) == 2);
    CU_ASSERT(pci_limit_limbs(0x1p127L) == 2);
    CU_ASSERT(pci_limit_limbs(0x1p128L) == 3);
}

/* Exactly: a long double is a whole number of at most 64 bits times a power of two, here. */
static void set_limit(mpz_t value, long double limit)
{
    int exponent;
    long double mantissa = ldexpl(frexpl(limit, &exponent), 64);
    uint64_t word = (uint64_t)mantissa;
    CU_ASSERT(mantissa == (long double)word);
    mpz_import(value, 1, 1, sizeof word, 0, 0, &word);
    if (exponent >= 64)
        mpz_mul_2exp(value, value, (unsigned)exponent - 64);
    else
        mpz_fdiv_q_2exp(value, value, 64 - (unsigned)exponent);
}

/* One way only: the limit is the entry itself, rounded up and not by much. */
TEST("limits are rounded up")
{
    random_source random = {.state = 113};
    OWNED(pc_context) *context = new_context(1);
    OWNED(mpz_t) exact, found, slack;
    mpz_inits(exact, found, slack, NULL);
    for (int t = 0; t < 300; t++) {
        pci_sparse factors[20];
        uint32_t n = 1 + (uint32_t)t % 20;
        long double limit = 0;
        mpz_set_ui(exact, 1);
        for (uint32_t f = 0; f < n; f++) {
            MUST(pci_sparse_create(context, 1, 1, 1, 1, &factors[f]));
            factors[f].column[0] = 0;
            factors[f].limbs[0] = t < 20 ? UINT64_MAX : random_u64(&random) >> (t % 50);
            mpz_import(slack, 1, 1, sizeof(uint64_t), 0, 0, factors[f].limbs);
            mpz_mul(exact, exact, slack);
        }
        CU_ASSERT(pci_chain_limit(context, n, factors, &limit) == PC_OK);
        set_limit(found, limit);
        mpz_fdiv_q_2exp(slack, exact, 50);
        CU_ASSERT(mpz_cmp(found, exact) >= 0);
        mpz_add(exact, exact, slack);
        CU_ASSERT(mpz_cmp(found, exact) <= 0);
        for (uint32_t f = 0; f < n; f++)
            pci_sparse_free(context, &factors[f]);
    }
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static pc_status multiply_identities(pc_context *context, void *user)
{
    (void)user;
    pci_sparse ones = {0}, product = {0};
    pc_status status = pci_sparse_identity(context, 50, &ones);
    if (status == PC_OK)
        status = pci_sparse_product(context, &ones, &ones, 2, &product);
    pci_sparse_free(context, &ones);
    pci_sparse_free(context, &product);
    return status;
}

TEST("any allocation may fail")
{
    CU_ASSERT(fail_each_allocation(multiply_identities, NULL) > 5);
}

/* What would not fit is refused before it is allocated: full 3000 x 3000 from 3000 x 1. */
TEST("refused before allocating")
{
    enum { SIDE = 3000 };
    failing_allocator allocator = FAILING_ALLOCATOR;
    OWNED(pc_context) *context = failing_context(&allocator, 1);
    pci_sparse left, right, product;
    MUST(pci_sparse_create(context, SIDE, 1, SIDE, 0, &left));
    for (uint64_t i = 0; i < SIDE; i++) {
        left.row_start[i] = i;
        left.column[i] = 0;
    }
    MUST(pci_sparse_transpose(context, &left, &right));
    pc_context_set_memory_limit(context, 50 << 20);
    CU_ASSERT(pci_sparse_product(context, &left, &right, 1, &product) == PC_ERR_MEMORY);
    CU_ASSERT(allocator.peak_bytes < 1 << 20);
    pci_sparse_free(context, &left);
    pci_sparse_free(context, &right);
    CU_ASSERT(allocator.n_live == 0);
}

/* A limit of just the bytes of row starts, columns and words is enough. */
TEST("memory to the byte")
{
    enum { N = 10, BYTES = 8 * (N + 1) + N * (4 + 8) };
    OWNED(pc_context) *context = new_context(1);
    pci_sparse matrix;
    pc_context_set_memory_limit(context, BYTES - 1);
    CU_ASSERT(is_refused(context, pci_sparse_create(context, N, N, N, 1, &matrix), PC_ERR_MEMORY,
                         "needs 0.2 kB of memory"));
    pc_context_set_memory_limit(context, BYTES);
    MUST(pci_sparse_create(context, N, N, N, 1, &matrix));
    pci_sparse_free(context, &matrix);
}

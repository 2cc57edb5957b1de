/* Chains of relations against products by the definition, in GMP integers over all labels of a level:
 * labels are shuffled and left out on purpose, orders of multiplication forced. */
#include <gmp.h>

#include "tests/support/fixture.h"

#include "src/relations/chain.h"
#include "tests/support/random_graph.h"
#include "tests/support/reading.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LABELS = 7, MAX_CHAIN = 6, MAX_LIMBS = 16 };

/* ---- The oracle ------------------------------------------------------------------------------ */

/* A dense matrix between the labels of two levels. */
typedef struct dense {
    mpz_t entry[MAX_LABELS][MAX_LABELS];
} dense;

static void dense_init(dense *matrix)
{
    for (int i = 0; i < MAX_LABELS; i++)
        for (int j = 0; j < MAX_LABELS; j++)
            mpz_init(matrix->entry[i][j]);
}

static void dense_clear(dense *matrix)
{
    for (int i = 0; i < MAX_LABELS; i++)
        for (int j = 0; j < MAX_LABELS; j++)
            mpz_clear(matrix->entry[i][j]);
}

/* left = left right */
static void dense_multiply(dense *left, const dense *right)
{
    dense product;
    dense_init(&product);
    for (int i = 0; i < MAX_LABELS; i++)
        for (int j = 0; j < MAX_LABELS; j++)
            for (int k = 0; k < MAX_LABELS; k++)
                mpz_addmul(product.entry[i][j], left->entry[i][k], right->entry[k][j]);
    for (int i = 0; i < MAX_LABELS; i++)
        for (int j = 0; j < MAX_LABELS; j++)
            mpz_set(left->entry[i][j], product.entry[i][j]);
    dense_clear(&product);
}

static void set_words(mpz_t value, const uint64_t *words, uint32_t n)
{
    mpz_import(value, n, -1, sizeof *words, 0, 0, words);
}

/* ---- Random chains --------------------------------------------------------------------------- */

/* Labels of a side of a factor: which labels of the level, in which order. */
typedef struct side {
    int n, label[MAX_LABELS];
} side;

typedef struct random_chain {
    int n;
    side rows[MAX_CHAIN], columns[MAX_CHAIN];
    dense matrix[MAX_CHAIN], product;
    pc_relation *relation[MAX_CHAIN];
    bool has_missing;
} random_chain;

static void shuffle(random_source *random, side *s)
{
    for (int i = s->n - 1; i > 0; i--) {
        int other = (int)random_below(random, (uint64_t)i + 1), swap = s->label[i];
        s->label[i] = s->label[other];
        s->label[other] = swap;
    }
}

/* All labels below n, each left out with probability missing / 10. */
static side random_side(random_source *random, int n, unsigned missing)
{
    side s = {0};
    for (int label = 0; label < n; label++)
        if (random_below(random, 10) >= missing)
            s.label[s.n++] = label;
    shuffle(random, &s);
    return s;
}

static bool same_labels(const side *a, const side *b)
{
    unsigned in_a = 0, in_b = 0;
    for (int i = 0; i < a->n; i++)
        in_a |= 1u << a->label[i];
    for (int i = 0; i < b->n; i++)
        in_b |= 1u << b->label[i];
    return in_a == in_b;
}

static uint64_t random_weight(random_source *random, unsigned kind)
{
    if (kind == 0)
        return 1;
    return kind == 1 ? random_below(random, 10) : random_u64(random) | 1;
}

/* Labels of a level are "n0", "n1", ..., or, of even levels, integers. */
static void name_labels(const side *s, int level, char texts[MAX_LABELS][16],
                        const char *pointers[MAX_LABELS])
{
    for (int i = 0; i < s->n; i++) {
        snprintf(texts[i], sizeof texts[i], level % 2 ? "n%d" : "%d", 3 * s->label[i] % 7);
        pointers[i] = texts[i];
    }
}

static void make_factor(pc_context *context, random_source *random, random_chain *chain, int f,
                        unsigned density, unsigned kind)
{
    const side *rows = &chain->rows[f], *columns = &chain->columns[f];
    uint64_t row[MAX_LABELS * MAX_LABELS], column[MAX_LABELS * MAX_LABELS];
    uint64_t weight[MAX_LABELS * MAX_LABELS], n_entries = 0;
    char row_texts[MAX_LABELS][16], column_texts[MAX_LABELS][16];
    const char *row_labels[MAX_LABELS], *column_labels[MAX_LABELS];
    dense_init(&chain->matrix[f]);
    for (int i = 0; i < rows->n; i++)
        for (int j = 0; j < columns->n; j++) {
            if (random_below(random, 10) >= density)
                continue;
            row[n_entries] = (uint64_t)i;
            column[n_entries] = (uint64_t)j;
            weight[n_entries] = random_weight(random, kind);
            set_words(chain->matrix[f].entry[rows->label[i]][columns->label[j]], &weight[n_entries],
                      1);
            n_entries++;
        }
    name_labels(rows, f, row_texts, row_labels);
    name_labels(columns, f + 1, column_texts, column_labels);
    MUST(pc_relation_from_arrays(context, (uint64_t)rows->n, (uint64_t)columns->n, n_entries, row,
                                 column, weight, row_labels, column_labels, &chain->relation[f]));
}

/* kind: 0 ones, 1 small multiplicities, 2 any of 64 bits. */
static random_chain make_chain(pc_context *context, random_source *random, int n, unsigned missing,
                               unsigned kind)
{
    random_chain chain = {.n = n};
    int n_labels = 1 + (int)random_below(random, MAX_LABELS);
    for (int f = 0; f < n; f++) {
        chain.rows[f] = random_side(random, n_labels, missing);
        n_labels = 1 + (int)random_below(random, MAX_LABELS);
        chain.columns[f] = random_side(random, n_labels, missing);
        if (f > 0 && !same_labels(&chain.columns[f - 1], &chain.rows[f]))
            chain.has_missing = true;
        make_factor(context, random, &chain, f, 2 + (unsigned)random_below(random, 9), kind);
    }
    dense_init(&chain.product);
    for (int i = 0; i < MAX_LABELS; i++)
        for (int j = 0; j < MAX_LABELS; j++)
            mpz_set(chain.product.entry[i][j], chain.matrix[0].entry[i][j]);
    for (int f = 1; f < n; f++)
        dense_multiply(&chain.product, &chain.matrix[f]);
    return chain;
}

static void free_chain(random_chain *chain)
{
    for (int f = 0; f < chain->n; f++) {
        dense_clear(&chain->matrix[f]);
        pc_relation_free(chain->relation[f]);
    }
    dense_clear(&chain->product);
}
#define release_random_chain free_chain

/* ---- Rows against the oracle ----------------------------------------------------------------- */

typedef struct comparison {
    const random_chain *chain;
    uint64_t next_row, n_wrong;
} comparison;

static pc_status compare_rows(void *user, const pc_rows *rows)
{
    comparison *c = user;
    const random_chain *chain = c->chain;
    OWNED(mpz_t) found;
    mpz_init(found);
    CU_ASSERT(rows->first_row == c->next_row && rows->values == NULL && rows->row_sizes == NULL);
    CU_ASSERT_FATAL(rows->n_columns == (uint64_t)chain->columns[chain->n - 1].n);
    for (uint64_t i = 0; i < rows->n_rows; i++)
        for (uint64_t j = 0; j < rows->n_columns; j++) {
            int row = chain->rows[0].label[rows->first_row + i];
            int column = chain->columns[chain->n - 1].label[j];
            set_words(found, rows->limbs + (i * rows->n_columns + j) * rows->n_limbs,
                      rows->n_limbs);
            c->n_wrong += mpz_cmp(found, chain->product.entry[row][column]) != 0;
        }
    c->next_row += rows->n_rows;
    return PC_OK;
}

static pc_chain *new_chain(pc_context *context, const random_chain *given, bool allow_missing)
{
    pc_chain *chain = NULL;
    pc_status status =
        pc_chain_create(context, (uint32_t)given->n, (const pc_relation *const *)given->relation,
                        NULL, allow_missing, 0, &chain);
    if (status != PC_OK)
        print_message(context);
    MUST(status);
    return chain;
}

static void check_rows(pc_chain *chain, const random_chain *given)
{
    comparison c = {.chain = given};
    MUST(pc_chain_rows(chain, PC_CHAIN_COUNTS, compare_rows, &c));
    CU_ASSERT_EQUAL(c.n_wrong, 0);
    CU_ASSERT_EQUAL(c.next_row, (uint64_t)given->rows[0].n);
}

/* Each part of the chain split anywhere: every order of multiplication can come up. */
static void force_any_order(pc_chain *chain, random_source *random)
{
    for (uint32_t i = 0; i < chain->n_factors; i++)
        for (uint32_t j = i + 1; j < chain->n_factors; j++)
            chain->order.split[i][j] = (uint8_t)(i + random_below(random, j - i));
}

/* The width is enough for every entry and the limit holds. */
static void check_info(const pc_chain *chain, const random_chain *given)
{
    pc_chain_info info;
    pc_chain_get_info(chain, &info);
    CU_ASSERT(info.n_rows == (uint64_t)given->rows[0].n);
    CU_ASSERT(info.n_columns == (uint64_t)given->columns[given->n - 1].n);
    CU_ASSERT(pc_labels_count(info.rows) == info.n_rows);
    CU_ASSERT(pc_labels_count(info.columns) == info.n_columns);
    CU_ASSERT(info.n_multiplications <= info.n_left_to_right);
    CU_ASSERT(info.n_limbs <= MAX_LIMBS);
    for (int i = 0; i < MAX_LABELS; i++)
        for (int j = 0; j < MAX_LABELS; j++) {
            long exponent = 0;
            double mantissa = mpz_get_d_2exp(&exponent, given->product.entry[i][j]);
            CU_ASSERT(mpz_sizeinbase(given->product.entry[i][j], 2) <= 64 * info.n_limbs);
            CU_ASSERT(mantissa == 0 ||
                      info.bound_bits >= (log2(mantissa) + (double)exponent) * (1 - 0x1p-48));
        }
}

TEST("random chains, labels shuffled and missing, any order")
{
    random_source random = {.state = 101};
    uint64_t n_of_width[MAX_LIMBS + 1] = {0};
    for (int t = 0; t < 700; t++) {
        unsigned missing = t % 2 ? 2 : 0, kind = (unsigned)random_below(&random, 3);
        OWNED(pc_context) *context = new_context(1 + t % 3);
        OWNED(random_chain) given = make_chain(context, &random, 1 + t % MAX_CHAIN, missing, kind);
        pc_chain *chain = new_chain(context, &given, missing > 0);
        check_info(chain, &given);
        n_of_width[chain->info.n_limbs]++;
        if (t % 3)
            force_any_order(chain, &random);
        check_rows(chain, &given);
        check_rows(chain, &given); /* from the operands that are there */
        pc_chain_free(chain);
        if (given.has_missing)
            CU_ASSERT(pc_chain_create(context, (uint32_t)given.n,
                                      (const pc_relation *const *)given.relation, NULL, 0, 0,
                                      &chain) == PC_ERR_DATA);
    }
    for (int w = 1; w <= 4; w++)
        CU_ASSERT(n_of_width[w] > 10);
}

/* ---- PathSim and graphs ---------------------------------------------------------------------- */

/* A chain there and back again: square, and symmetric unless a loop of the middle is not. */
static void make_palindrome(pc_context *context, random_source *random, unsigned kind,
                            const pc_relation *factors[2 * MAX_CHAIN], random_chain *half,
                            int transposed[2 * MAX_CHAIN])
{
    int n = 1 + (int)random_below(random, 3);
    *half = make_chain(context, random, n, 0, kind);
    for (int f = 0; f < n; f++) {
        factors[f] = factors[2 * n - 1 - f] = half->relation[f];
        transposed[f] = 0;
        transposed[2 * n - 1 - f] = 1;
    }
}

/* Entry (i, j) of the palindrome, by position. */
static void palindrome_entry(const random_chain *half, int i, int j, mpz_t entry)
{
    int row = half->rows[0].label[i], column = half->rows[0].label[j];
    mpz_set_ui(entry, 0);
    for (int k = 0; k < MAX_LABELS; k++)
        mpz_addmul(entry, half->product.entry[row][k], half->product.entry[column][k]);
}

static double similarity_of(const random_chain *half, int i, int j)
{
    mpz_t ways, from, to;
    OWNED(mpq_t) quotient;
    mpz_inits(ways, from, to, NULL);
    mpq_init(quotient);
    palindrome_entry(half, i, j, ways);
    palindrome_entry(half, i, i, from);
    palindrome_entry(half, j, j, to);
    mpz_add(from, from, to);
    double value = 0;
    if (mpz_sgn(from) > 0) {
        mpz_mul_ui(mpq_numref(quotient), ways, 2);
        mpz_set(mpq_denref(quotient), from);
        mpq_canonicalize(quotient);
        value = mpq_get_d(quotient);
    }
    mpz_clears(ways, from, to, NULL);
    return value;
}

static pc_status compare_similarities(void *user, const pc_rows *rows)
{
    const random_chain *half = user;
    CU_ASSERT(rows->n_limbs == 0 && rows->limbs == NULL && rows->exponent == 0);
    for (uint64_t i = 0; i < rows->n_rows; i++)
        for (uint64_t j = 0; j < rows->n_columns; j++) {
            double expected = similarity_of(half, (int)(rows->first_row + i), (int)j);
            CU_ASSERT(fabs(rows->values[i * rows->n_columns + j] - expected) <= 0x1p-51);
        }
    return PC_OK;
}

static uint64_t graph_entry(const pc_graph *graph, uint64_t i, uint64_t j)
{
    for (uint64_t a = graph->row_start[i]; a < graph->row_start[i + 1]; a++)
        if (graph->column[a] == j)
            return graph->weight ? graph->weight[a] : 1;
    return 0;
}

/* The graph has the entries; PC_ERR_RANGE exactly when one does not fit a word. */
static void check_graph(pc_chain *chain, const random_chain *half)
{
    OWNED(pc_graph) *graph = NULL;
    uint64_t n = chain->info.n_rows;
    bool fits = true;
    OWNED(mpz_t) entry;
    mpz_init(entry);
    pc_status status = pc_chain_graph(chain, &graph);
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = 0; j < n; j++) {
            uint64_t word = 0;
            palindrome_entry(half, (int)i, (int)j, entry);
            fits = fits && mpz_sizeinbase(entry, 2) <= 64;
            if (mpz_sizeinbase(entry, 2) <= 64)
                mpz_export(&word, NULL, -1, sizeof word, 0, 0, entry);
            CU_ASSERT(!graph || graph_entry(graph, i, j) == word);
        }
    CU_ASSERT_EQUAL(status, fits ? PC_OK : PC_ERR_RANGE);
    if (graph) {
        OWNED(char) *shown = show_graph(graph);
        CU_ASSERT(graph->symmetric);
    }
}

TEST("there and back: PathSim, graphs")
{
    random_source random = {.state = 102};
    for (int t = 0; t < 200; t++) {
        const pc_relation *factors[2 * MAX_CHAIN];
        int transposed[2 * MAX_CHAIN];
        OWNED(pc_context) *context = new_context(1);
        OWNED(random_chain) half;
        pc_chain *chain;
        make_palindrome(context, &random, (unsigned)t % 3, factors, &half, transposed);
        MUST(pc_chain_create(context, (uint32_t)(2 * half.n), factors, transposed, 0, 0, &chain));
        CU_ASSERT(chain->info.square);
        if (t % 2)
            force_any_order(chain, &random);
        CU_ASSERT(pc_chain_rows(chain, PC_CHAIN_PATHSIM, compare_similarities, &half) == PC_OK);
        check_graph(chain, &half);
        pc_chain_free(chain);
    }
}

static pc_relation *relation_of(pc_context *context, uint64_t n_rows, uint64_t n_columns,
                                uint64_t n_entries, const uint64_t *row, const uint64_t *column,
                                const uint64_t *weight)
{
    pc_relation *relation = NULL;
    MUST(pc_relation_from_arrays(context, n_rows, n_columns, n_entries, row, column, weight, NULL,
                                 NULL, &relation));
    return relation;
}

/* Arcs 0 -> 1 -> 2 -> 0 taken twice are 0 -> 2 -> 1 -> 0. */
TEST("the graph of a directed product")
{
    const uint64_t row[] = {0, 1, 2}, column[] = {1, 2, 0};
    OWNED(pc_context) *context = new_context(1);
    pc_relation *arcs = relation_of(context, 3, 3, 3, row, column, NULL);
    const pc_relation *factors[] = {arcs, arcs};
    OWNED(pc_chain) *chain = NULL;
    OWNED(pc_graph) *graph = NULL;
    MUST(pc_chain_create(context, 2, factors, NULL, 0, 0, &chain));
    MUST(pc_chain_graph(chain, &graph));
    OWNED(char) *shown = show_graph(graph);
    CU_ASSERT_STRING_EQUAL(shown, "0 1 2 | 0>2 1>0 2>1");
    CU_ASSERT(!graph->symmetric);
    pc_relation_free(arcs);
}

/* ---- The order ------------------------------------------------------------------------------- */

/* Full matrices of 100 x 2, 2 x 100 and 100 x 2: the right product first takes 400 + 400. */
TEST("the order is the one of least cost")
{
    uint64_t tall_row[200], tall_column[200];
    for (uint64_t e = 0; e < 200; e++) {
        tall_row[e] = e / 2;
        tall_column[e] = e % 2;
    }
    OWNED(pc_context) *context = new_context(1);
    pc_relation *tall = relation_of(context, 100, 2, 200, tall_row, tall_column, NULL);
    pc_relation *wide = relation_of(context, 2, 100, 200, tall_column, tall_row, NULL);
    const pc_relation *factors[] = {tall, wide, tall};
    pc_chain *chain;
    MUST(pc_chain_create(context, 3, factors, NULL, 0, 0, &chain));
    pc_chain_info info;
    pc_chain_get_info(chain, &info);
    CU_ASSERT_STRING_EQUAL(info.order, "(1 (2 3))");
    CU_ASSERT_DOUBLE_EQUAL(info.n_multiplications, 800, 1);
    CU_ASSERT(info.n_left_to_right > 30000 && info.n_left_to_right <= 40000);
    CU_ASSERT(info.n_limbs == 1 && info.bound_bits >= log2(200) && info.bound_bits < 7.65);
    pc_chain_free(chain);
    const pc_relation *others[] = {wide, tall, wide};
    MUST(pc_chain_create(context, 3, others, NULL, 0, 0, &chain));
    pc_chain_get_info(chain, &info);
    CU_ASSERT_STRING_EQUAL(info.order, "((1 2) 3)");
    CU_ASSERT(info.n_multiplications == info.n_left_to_right);
    pc_chain_free(chain);
    MUST(pc_chain_create(context, 1, factors, NULL, 0, 0, &chain));
    pc_chain_get_info(chain, &info);
    CU_ASSERT_STRING_EQUAL(info.order, "1");
    CU_ASSERT(info.n_multiplications == 0 && info.bound_bits == 0 && !info.square);
    pc_chain_free(chain);
    pc_relation_free(tall);
    pc_relation_free(wide);
}

static pc_status keep_entry(void *user, const pc_rows *rows)
{
    set_words(user, rows->limbs, rows->n_limbs);
    return PC_OK;
}

/* (2^64 - 1)^64, the widest there is for one entry a factor. */
TEST("64 factors and no more")
{
    const uint64_t zero = 0, most = UINT64_MAX;
    OWNED(pc_context) *context = new_context(1);
    OWNED(pc_relation) *relation = relation_of(context, 1, 1, 1, &zero, &zero, &most);
    const pc_relation *factors[PCI_MAX_FACTORS + 1];
    OWNED(pc_chain) *chain = NULL;
    OWNED(mpz_t) found, expected;
    mpz_inits(found, expected, NULL);
    for (int f = 0; f <= PCI_MAX_FACTORS; f++)
        factors[f] = relation;
    CU_ASSERT(pc_chain_create(context, PCI_MAX_FACTORS + 1, factors, NULL, 0, 0, &chain) ==
              PC_ERR_ARGUMENT);
    CU_ASSERT(pc_chain_create(context, 0, factors, NULL, 0, 0, &chain) == PC_ERR_ARGUMENT);
    MUST(pc_chain_create(context, PCI_MAX_FACTORS, factors, NULL, 0, 0, &chain));
    CU_ASSERT(strlen(chain->info.order) == 64 * 2 - 9 + 63 * 3);
    MUST(pc_chain_rows(chain, PC_CHAIN_COUNTS, keep_entry, found));
    set_words(expected, &most, 1);
    mpz_pow_ui(expected, expected, PCI_MAX_FACTORS);
    CU_ASSERT(mpz_cmp(found, expected) == 0);
}

/* ---- Larger: blocks, threads ----------------------------------------------------------------- */

enum { LARGE = 1300, LARGE_DEGREE = 12 };

typedef struct large_check {
    const uint64_t *expected; /* [LARGE][LARGE] */
    uint64_t next_row, n_blocks;
} large_check;

static pc_status compare_large(void *user, const pc_rows *rows)
{
    large_check *check = user;
    CU_ASSERT(rows->first_row == check->next_row && rows->n_limbs == 1);
    CU_ASSERT(memcmp(rows->limbs, check->expected + rows->first_row * LARGE,
                     rows->n_rows * LARGE * sizeof *rows->limbs) == 0);
    check->next_row += rows->n_rows;
    check->n_blocks++;
    return PC_OK;
}

/* product = product M, M given by its entries. */
static void multiply_words(uint64_t *product, uint64_t n_entries, const uint64_t *row,
                           const uint64_t *column)
{
    OWNED(uint64_t) *old = calloc(LARGE * LARGE, sizeof *old);
    CU_ASSERT_FATAL(old != NULL);
    memcpy(old, product, LARGE * LARGE * sizeof *old);
    memset(product, 0, LARGE * LARGE * sizeof *product);
    for (uint64_t i = 0; i < LARGE; i++)
        for (uint64_t e = 0; e < n_entries; e++)
            product[i * LARGE + column[e]] += old[i * LARGE + row[e]];
}

static int check_fraction(void *user, const char *stage, double fraction)
{
    (void)user, (void)stage;
    CU_ASSERT(fraction >= 0 && fraction <= 1);
    return 0;
}

TEST("several blocks, several threads")
{
    enum { N_ENTRIES = LARGE * LARGE_DEGREE };
    random_source random = {.state = 103};
    uint64_t *row = calloc(2 * N_ENTRIES, sizeof *row), *column = row + N_ENTRIES;
    OWNED(uint64_t) *expected = calloc(LARGE * LARGE, sizeof *expected);
    CU_ASSERT_FATAL(row != NULL && expected != NULL);
    for (uint64_t e = 0; e < N_ENTRIES; e++) {
        row[e] = random_below(&random, LARGE);
        column[e] = random_below(&random, LARGE);
    }
    for (uint64_t i = 0; i < LARGE; i++)
        expected[i * LARGE + i] = 1;
    for (int f = 0; f < 3; f++)
        multiply_words(expected, N_ENTRIES, row, column);
    for (int n_threads = 1; n_threads <= 4; n_threads += 3) {
        OWNED(pc_context) *context = new_context(n_threads);
        pc_relation *relation = relation_of(context, LARGE, LARGE, N_ENTRIES, row, column, NULL);
        const pc_relation *factors[] = {relation, relation, relation};
        large_check check = {.expected = expected};
        OWNED(pc_chain) *chain = NULL;
        pc_context_set_progress(context, check_fraction, NULL);
        MUST(pc_chain_create(context, 3, factors, NULL, 0, 0, &chain));
        CU_ASSERT(pc_chain_rows(chain, PC_CHAIN_COUNTS, compare_large, &check) == PC_OK);
        CU_ASSERT(check.next_row == LARGE && check.n_blocks > 1);
        pc_relation_free(relation);
    }
    free(row);
}

/* Finds the answers that queries must give. */
#include <gmp.h>

#include "tests/support/asked.h"

#include "src/count/sweep_plan.h"
#include "tests/support/fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

RELEASE_BY_FREE(pci_certificate)

powers powers_of(const edge_set *edges, uint64_t length)
{
    powers made = {.n = edges->n, .length = length, .sum = integer_matrix_zero(edges->n)};
    OWNED(integer_matrix) a = oracle_adjacency(edges);
    made.power = calloc(length + 1, sizeof *made.power);
    made.power[0] = oracle_power(&a, 0);
    for (uint64_t l = 1; l <= length; l++) {
        made.power[l] = oracle_product(&made.power[l - 1], &a);
        for (uint64_t e = 0; e < made.n * made.n; e++)
            mpz_add(made.sum.entry[e], made.sum.entry[e], made.power[l].entry[e]);
    }
    return made;
}

void powers_free(powers *made)
{
    for (uint64_t l = 0; l <= made->length; l++)
        integer_matrix_free(&made->power[l]);
    free(made->power);
    integer_matrix_free(&made->sum);
}

static uint64_t n_of(const asked *a)
{
    return a->walks ? a->walks->n : a->powers->n;
}

/* Rows of a matrix: vertices, or blocks. */
static uint64_t n_ends_of(const asked *a)
{
    return a->query.partition ? partition_info(a->query.partition).n_blocks : n_of(a);
}

static uint64_t n_rows_of(const asked *a)
{
    switch (a->query.kind) {
    case PC_QUERY_FROM:
    case PC_QUERY_TO:
    case PC_QUERY_PAIRS:
        return a->query.n_asked;
    case PC_QUERY_TOTAL:
    case PC_QUERY_TRACE:
        return 1;
    default:
        return n_ends_of(a);
    }
}

static uint64_t n_columns_of(const asked *a)
{
    pc_query_kind kind = a->query.kind;
    bool is_vector = kind == PC_QUERY_FROM || kind == PC_QUERY_TO || kind == PC_QUERY_MATRIX;
    return is_vector ? n_ends_of(a) : 1;
}

/* A range of vertices. */
typedef struct range {
    uint64_t first, end;
} range;

static range one(uint64_t vertex)
{
    return (range){vertex, vertex + 1};
}

/* Tells where the paths of an entry of the answer begin and end. */
static void ends_of(const asked *a, uint64_t row, uint64_t column, range *from, range *to)
{
    range all = {0, n_of(a)};
    *from = *to = all;
    switch (a->query.kind) {
    case PC_QUERY_FROM:
        *from = one(a->query.from[row]);
        *to = one(column);
        return;
    case PC_QUERY_TO:
        *from = one(column);
        *to = one(a->query.to[row]);
        return;
    case PC_QUERY_PAIRS:
        *from = one(a->query.from[row]);
        *to = one(a->query.to[row]);
        return;
    case PC_QUERY_STARTS:
        *from = one(row);
        return;
    case PC_QUERY_ENDS:
        *to = one(row);
        return;
    case PC_QUERY_CLOSED:
        *from = *to = one(row);
        return;
    case PC_QUERY_MATRIX:
        if (a->query.partition) /* of them those between the blocks */
            return;
        *from = one(row);
        *to = one(column);
        return;
    case PC_QUERY_TOTAL:
    case PC_QUERY_TRACE: /* of them those that end where they begin */
        return;
    }
}

/* Numbers of paths from u to v that count for an answer. */
static void add_entry(const asked *a, uint64_t length, uint64_t u, uint64_t v, mpq_t value)
{
    const integer_matrix *m = NULL;
    mpz_ptr number = mpq_numref(value);
    if (a->powers)
        m = a->query.up_to ? &a->powers->sum : &a->powers->power[length];
    for (uint64_t l = a->query.up_to ? 1 : length; a->walks && l <= length; l++)
        mpq_add(value, value, *walk_entry(a->walks, l, u, v));
    if (m)
        mpz_add(number, number, m->entry[u * m->n + v]);
}

static void expect(const asked *a, uint64_t length, uint64_t row, uint64_t column, mpq_t value)
{
    range from, to;
    const uint32_t *block = partition_info(a->query.partition).block;
    ends_of(a, row, column, &from, &to);
    mpq_set_ui(value, 0, 1);
    for (uint64_t u = from.first; u < from.end; u++)
        for (uint64_t v = to.first; v < to.end; v++)
            if (block ? block[u] == row && block[v] == column
                      : a->query.kind != PC_QUERY_TRACE || u == v)
                add_entry(a, length, u, v, value);
}

double relative_error_of(double value, int64_t exponent, const mpq_t expected)
{
    if (value == 0 || mpq_sgn(expected) == 0)
        return value == 0 && mpq_sgn(expected) == 0 ? 0 : INFINITY;
    OWNED(mpq_t) off;
    mpq_init(off);
    mpq_set_d(off, value);
    if (exponent > 0)
        mpq_mul_2exp(off, off, (mp_bitcnt_t)exponent);
    else
        mpq_div_2exp(off, off, (mp_bitcnt_t)-exponent);
    mpq_sub(off, off, expected);
    mpq_abs(off, off);
    mpq_div(off, off, expected);
    return mpq_get_d(off) * (1 + 0x1p-50); /* it was cut off */
}

/* Probabilities have no exponent. */
static bool double_holds(asked *a, const pc_rows *rows, uint64_t e, const mpq_t expected)
{
    double error = relative_error_of(rows->values[e], rows->exponent, expected);
    a->largest_error = fmax(a->largest_error, error);
    return error <= a->relative_error && (!a->walks || rows->exponent == 0);
}

static bool entry_holds(asked *a, const pc_rows *rows, uint64_t e, const mpq_t expected)
{
    mpz_t value, residue;
    if (a->options.arithmetic == PC_FLOAT)
        return rows->values && double_holds(a, rows, e, expected);
    if (!rows->limbs || rows->n_limbs == 0)
        return false;
    mpz_inits(value, residue, NULL);
    mpz_import(value, rows->n_limbs, -1, 8, 0, 0, rows->limbs + e * rows->n_limbs);
    mpz_set(residue, mpq_numref(expected));
    if (a->options.arithmetic == PC_MODULAR)
        mpz_mod_ui(residue, residue, a->options.modulus);
    bool holds = mpz_cmp(value, residue) == 0;
    mpz_clears(value, residue, NULL);
    return holds;
}

pc_status take_asked(void *user, uint64_t length, const pc_rows *rows)
{
    asked *a = user;
    OWNED(mpq_t) expected;
    mpq_init(expected);
    CU_ASSERT_TRUE_FATAL(length == a->length && rows->first_row == a->row && rows->n_rows > 0);
    CU_ASSERT_TRUE_FATAL(rows->n_columns == n_columns_of(a));
    CU_ASSERT_TRUE_FATAL(rows->first_row + rows->n_rows <= n_rows_of(a));
    for (uint64_t e = 0; e < rows->n_rows * rows->n_columns; e++) {
        expect(a, length, a->row + e / rows->n_columns, e % rows->n_columns, expected);
        a->n_wrong += !entry_holds(a, rows, e, expected);
    }
    a->row += rows->n_rows;
    if (a->row == n_rows_of(a)) {
        a->row = 0;
        a->length++;
        a->n_answers++;
    }
    return PC_OK;
}

/* Hands over the answers of a plan that keeps them, length by length. */
static pc_status take_collected(pc_plan *plan, asked *a)
{
    OWNED(pc_counts) *answers = NULL;
    pc_status status = pc_plan_collect(plan, &answers);
    if (status == PC_ERR_MEMORY || (status == PC_ERR_RANGE && a->options.arithmetic == PC_FLOAT))
        return pc_plan_run(plan, NULL, 0, take_asked, a);
    if (status != PC_OK)
        return status;
    uint64_t n_answers = a->query.each ? a->query.length : 1;
    pc_rows rows;
    pc_counts_rows(answers, &rows);
    CU_ASSERT_EQUAL_FATAL(rows.n_rows, n_answers * n_rows_of(a));
    rows.n_rows = n_rows_of(a);
    for (uint64_t i = 0; i < n_answers && status == PC_OK && rows.n_rows; i++) {
        status = take_asked(a, a->query.each ? i + 1 : a->query.length, &rows);
        uint64_t n = rows.n_rows * rows.n_columns;
        rows.limbs = rows.limbs ? rows.limbs + n * rows.n_limbs : NULL;
        rows.values = rows.values ? rows.values + n : NULL;
    }
    return status;
}

/* Runs the query, or every second time collects its answers, and asserts that just the right answers come. */
void check_query(pc_context *context, const pc_graph *graph, asked *a)
{
    uint64_t n_answers = a->query.each ? a->query.length : 1;
    a->length = a->query.each ? 1 : a->query.length;
    a->row = a->n_answers = a->n_wrong = 0;
    pc_plan *plan = NULL;
    pc_status status = pc_plan_create(context, graph, &a->query, &a->options, &plan);
    a->relative_error = status == PC_OK ? pc_plan_get_info(plan)->relative_error : 0;
    a->largest_error = 0;
    static bool collects;
    collects = !collects || a->query.keeps;
    if (status == PC_OK)
        status = collects ? take_collected(plan, a) : pc_plan_run(plan, NULL, 0, take_asked, a);
    pc_plan_free(plan);
    if (status != PC_OK)
        print_message(context);
    if (status != PC_OK || a->n_wrong)
        printf("\n    kind %d, paths %d, length %d, each %d, up to %d, arithmetic %d, method %d, n "
               "%d\n",
               (int)a->query.kind, (int)a->query.paths, (int)a->query.length, a->query.each,
               a->query.up_to, (int)a->options.arithmetic, (int)a->options.method, (int)n_of(a));
    MUST(status);
    CU_ASSERT_EQUAL_FATAL(a->n_wrong, 0);
    CU_ASSERT_EQUAL(a->n_answers, n_rows_of(a) ? n_answers : 0);
}

/* Right rows of vectors pass, a row with one bit turned does not. */
static void check_rows(const pci_vectors_plan *plan, const asked *a, random_source *source)
{
    pci_operator map = pci_vectors_map(plan);
    OWNED(pci_certificate) *certificate = NULL;
    MUST(pci_certificate_create(plan->question->context, &map, 0, 2, &certificate));
    CU_ASSERT_EQUAL_FATAL(map.n_columns, n_of(a));
    uint64_t n = n_of(a);
    uint32_t n_limbs = 80;
    OWNED(uint64_t) *limbs = calloc(n * n_limbs, sizeof *limbs);
    OWNED(mpq_t) value;
    mpq_init(value);
    for (uint64_t row = 0; row < map.n_rows; row++) {
        uint64_t length = a->query.each ? row / a->query.n_asked + 1 : a->query.length;
        memset(limbs, 0, n * n_limbs * sizeof *limbs);
        for (uint64_t column = 0; column < n; column++) {
            expect(a, length, row % a->query.n_asked, column, value);
            mpz_export(limbs + column * n_limbs, NULL, -1, 8, 0, 0, mpq_numref(value));
        }
        pc_rows rows = {
            .first_row = row, .n_rows = 1, .n_columns = n, .n_limbs = n_limbs, .limbs = limbs};
        CU_ASSERT_EQUAL(pci_certificate_check(certificate, &rows), PC_OK);
        limbs[random_below(source, n * n_limbs)] ^= UINT64_C(1) << random_below(source, 64);
        CU_ASSERT_EQUAL(pci_certificate_check(certificate, &rows), PC_ERR_CERTIFY);
    }
}

void check_query_certificate(pc_context *context, const pc_graph *graph, const asked *a,
                             random_source *source)
{
    pci_vectors_plan plan, begun;
    pci_moduli moduli;
    pci_question question;
    pci_moduli_fill(&moduli, PCI_ANY_BITS);
    MUST(pci_question_make(context, graph, &a->query, NULL, &question));
    question.moduli = &moduli;
    MUST(pci_limits_create(context, graph, NULL, a->query.length, PCI_MAX_BITS, &question.limits));
    MUST(pci_vectors_plan_make(&question, &pci_sweep_cpu, &plan));
    MUST(pci_vectors_plan_begin(&plan, &begun));
    check_rows(&begun, a, source);
    pci_vectors_plan_end(&begun);
    pci_vectors_plan_free(&plan);
    pci_limits_free(question.limits);
}

/* Random vertices, from few or from all. */
void pick_vertices(random_source *source, uint64_t n, vertices *v)
{
    uint64_t n_from = 1 + random_below(source, n), n_to = 1 + random_below(source, n);
    for (int i = 0; i < MOST_ASKED; i++) {
        v->from[i] = random_below(source, n_from);
        v->to[i] = n - 1 - random_below(source, n_to);
    }
}

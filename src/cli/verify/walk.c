/* Steps along arcs, and powers of their matrix.
 *
 * Paths that do not turn back have their vector by the first arc: those that begin with the arc from u to v are
 * longer by it than those that begin at v, except with the arc from v to u. */
#include "src/cli/verify/walk.h"

#include "src/cli/process.h"
#include "src/cli/verify/residues.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum {
    ARCS_FOR_THREADS = 1 << 16,
    HALF_BITS =
        4000, /* values are from 2^-4000 to 2^4000, so that a product of two is a long double */
    MOST_SHIFT = 40000,
    VANISHED_BITS = 16000,
    MOST_SQUARED = 4096 /* vertices */
};

/* ---- Numbers --------------------------------------------------------------------------------- */

static long double shift(long double value, int64_t exponent)
{
    return ldexpl(value, (int)(exponent > MOST_SHIFT    ? MOST_SHIFT
                               : exponent < -MOST_SHIFT ? -MOST_SHIFT
                                                        : exponent));
}

/* Moves powers of two from the value to the exponent where the value is far from 1. */
static cli_number settle(long double value, int64_t exponent)
{
    cli_number number = {.value = value, .exponent = exponent};
    if (value >= 0x1p4000L) {
        number.value = value * 0x1p-8000L;
        number.exponent += 2 * HALF_BITS;
    } else if (value < 0x1p-4000L) {
        number.value = value * 0x1p8000L;
        number.exponent -= value > 0 ? 2 * HALF_BITS : exponent;
    }
    return number;
}

static cli_number add_doubles(cli_number a, cli_number b)
{
    if (a.exponent == b.exponent)
        return settle(a.value + b.value, a.exponent);
    if (b.value == 0 || (a.value != 0 && a.exponent > b.exponent))
        return settle(a.value + shift(b.value, b.exponent - a.exponent), a.exponent);
    return settle(b.value + shift(a.value, a.exponent - b.exponent), b.exponent);
}

cli_number cli_number_add(uint64_t modulus, cli_number a, cli_number b)
{
    if (modulus == 0)
        return add_doubles(a, b);
    a.residue += b.residue;
    a.residue -= a.residue >= modulus ? modulus : 0;
    return a;
}

long double cli_number_ratio(cli_number a, cli_number b)
{
    return shift(a.value / b.value, a.exponent - b.exponent);
}

/* ---- Arcs ------------------------------------------------------------------------------------ */

/* Copies arcs with what a step multiplies by, sorted by their starts, or by their ends where they are turned. First the
 * arcs of each place are counted, then they are put there. */
static void copy_arcs(const pc_arcs *from, uint64_t n, bool turned, cli_step step,
                      long double factor, cli_arcs *made)
{
    bool is_real = step == CLI_STEP_DOUBLES || step == CLI_STEP_MARKOV;
    size_t most = from->row_start[n] + n; /* with a loop at each vertex */
    uint64_t *start = made->owned[0] = cli_need(calloc(made->n + 2, sizeof *start));
    uint32_t *column = made->owned[1] = cli_need(malloc(most * sizeof *column + 1));
    uint64_t *weight = NULL;
    long double *value = NULL;
    if (is_real)
        made->owned[2] = value = cli_need(malloc(most * sizeof *value + 1));
    else if (from->weight != NULL)
        made->owned[2] = weight = cli_need(malloc(most * sizeof *weight + 1));
    for (int pass = 0; pass < 2; pass++) {
        for (uint64_t v = 0; v < n; v++) {
            uint64_t first = from->row_start[v], end = from->row_start[v + 1];
            bool has_loop = step == CLI_STEP_MARKOV && first == end;
            long double sum = 0;
            for (uint64_t e = first; e < end; e++)
                sum += from->weight != NULL ? (long double)from->weight[e] : 1;
            for (uint64_t e = first; e < end + has_loop; e++) {
                uint64_t other = has_loop ? v : from->column[e], at = turned ? other : v;
                if (pass == 0) {
                    start[at + 2]++;
                    continue;
                }
                uint64_t to = start[at + 1]++;
                uint64_t its = from->weight != NULL && !has_loop ? from->weight[e] : 1;
                column[to] = (uint32_t)(turned ? v : other);
                if (weight != NULL)
                    weight[to] = its;
                if (is_real && step == CLI_STEP_MARKOV)
                    value[to] = has_loop ? 1 : (long double)its / sum;
                else if (is_real)
                    value[to] = (long double)its * factor;
            }
        }
        for (uint64_t v = 0; pass == 0 && v < made->n; v++)
            start[v + 2] += start[v + 1];
    }
    made->arcs = (pc_arcs){.row_start = start, .column = column, .weight = weight};
    made->value = value;
}

static int compare_columns(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

void cli_arcs_make(const pc_arcs *from, uint64_t n_starts, uint64_t n_ends, bool turned,
                   cli_step step, long double factor, cli_arcs *made)
{
    bool is_plain = step == CLI_STEP_RESIDUES || step == CLI_STEP_STRAIGHT;
    *made = (cli_arcs){.n = turned ? n_ends : n_starts, .arcs = *from};
    if (turned || !is_plain)
        copy_arcs(from, n_starts, turned, step, factor, made);
    const pc_arcs *arcs = &made->arcs;
    made->n_arcs = arcs->row_start[made->n];
    if (step != CLI_STEP_STRAIGHT)
        return;
    made->back = cli_need(malloc(made->n_arcs * sizeof *made->back + 1));
    for (uint64_t v = 0; v < made->n; v++)
        for (uint64_t e = arcs->row_start[v]; e < arcs->row_start[v + 1]; e++) {
            uint64_t first = arcs->row_start[arcs->column[e]];
            uint64_t n = arcs->row_start[arcs->column[e] + 1] - first;
            uint32_t wanted = (uint32_t)v;
            const uint32_t *found =
                bsearch(&wanted, arcs->column + first, n, sizeof wanted, compare_columns);
            made->back[e] = found != NULL ? (uint64_t)(found - arcs->column) : UINT64_MAX;
        }
}

void cli_arcs_free(cli_arcs *arcs)
{
    for (size_t i = 0; i < sizeof arcs->owned / sizeof *arcs->owned; i++)
        free(arcs->owned[i]);
    free(arcs->back);
    *arcs = (cli_arcs){0};
}

/* ---- Walks ----------------------------------------------------------------------------------- */

void cli_walk_create(const cli_arcs *arcs, uint64_t modulus, cli_walk *walk)
{
    *walk = (cli_walk){.arcs = arcs, .modulus = modulus};
    walk->memory = cli_need(calloc(3 * arcs->n + 1, sizeof *walk->memory));
    walk->at = walk->memory;
    walk->next = walk->memory + arcs->n;
    walk->sum = walk->memory + 2 * arcs->n;
    if (arcs->back == NULL)
        return;
    walk->by_arc = cli_need(calloc(2 * arcs->n_arcs + 1, sizeof *walk->by_arc));
    walk->next_by_arc = walk->by_arc + arcs->n_arcs;
}

void cli_walk_free(cli_walk *walk)
{
    free(walk->memory);
    free(walk->by_arc < walk->next_by_arc ? walk->by_arc : walk->next_by_arc);
    *walk = (cli_walk){0};
}

void cli_walk_begin(cli_walk *walk)
{
    memset(walk->memory, 0, 3 * walk->arcs->n * sizeof *walk->memory);
    walk->length = 0;
}

/* Returns the sum of value[i] times at[place[i]]. Most numbers of a vector have the same exponent: these are added up
 * as they are. */
static cli_number sum_doubles(const long double *value, const cli_number *at, const uint32_t *place,
                              uint64_t n)
{
    cli_number others = {.value = 0};
    long double sum = 0;
    int64_t exponent = n > 0 ? at[place[0]].exponent : 0;
    for (uint64_t i = 0; i < n; i++) {
        const cli_number *number = &at[place[i]];
        if (number->exponent == exponent)
            sum += value[i] * number->value;
        else if (number->value != 0)
            others = add_doubles(others, settle(value[i] * number->value, number->exponent));
    }
    return add_doubles(others, settle(sum, exponent));
}

cli_number cli_arcs_pull(const cli_arcs *arcs, uint64_t modulus, const cli_number *at, uint64_t v)
{
    const uint32_t *column = arcs->arcs.column;
    const uint64_t *weight = arcs->arcs.weight;
    uint64_t first = arcs->arcs.row_start[v], end = arcs->arcs.row_start[v + 1];
    cli_sum sum = 0;
    if (modulus == 0)
        return sum_doubles(arcs->value + first, at, column + first, end - first);
    for (uint64_t e = first; e < end; e++)
        sum = weight == NULL
                  ? sum + at[column[e]].residue
                  : cli_sum_add(sum, weight[e] % modulus, at[column[e]].residue, modulus);
    return (cli_number){.residue = (uint64_t)(sum % modulus)};
}

/* Pulls where paths do not turn back; at is the sum over the arcs, so it is what the next step has at the end of an
 * arc. */
static cli_number pull_by_arc(cli_walk *walk, uint64_t v)
{
    const cli_arcs *arcs = walk->arcs;
    cli_sum sum = 0;
    for (uint64_t e = arcs->arcs.row_start[v]; e < arcs->arcs.row_start[v + 1]; e++) {
        uint64_t residue = walk->at[arcs->arcs.column[e]].residue, back = arcs->back[e];
        uint64_t less = walk->length > 0 && back != UINT64_MAX ? walk->by_arc[back] : 0;
        residue = residue >= less ? residue - less : residue + walk->modulus - less;
        walk->next_by_arc[e] = residue;
        sum += residue;
    }
    return (cli_number){.residue = (uint64_t)(sum % walk->modulus)};
}

bool cli_walk_step(cli_walk *walk)
{
    const cli_arcs *arcs = walk->arcs;
    bool is_large = arcs->n_arcs >= ARCS_FOR_THREADS && !omp_in_parallel(), goes_on = false;
#pragma omp parallel for if (is_large) schedule(dynamic, 256)
    for (uint64_t v = 0; v < arcs->n; v++) {
        walk->next[v] = arcs->back != NULL ? pull_by_arc(walk, v)
                                           : cli_arcs_pull(arcs, walk->modulus, walk->at, v);
        if (walk->is_exponential)
            walk->next[v] = settle(walk->next[v].value / (long double)(walk->length + 1),
                                   walk->next[v].exponent);
        if (walk->adds_up)
            walk->sum[v] = cli_number_add(walk->modulus, walk->sum[v], walk->next[v]);
    }
    cli_number *other = walk->at;
    walk->at = walk->next;
    walk->next = other;
    uint64_t *other_by_arc = walk->by_arc;
    walk->by_arc = walk->next_by_arc;
    walk->next_by_arc = other_by_arc;
    walk->length++;
    for (uint64_t v = 0; v < arcs->n && !goes_on; v++)
        goes_on =
            walk->modulus != 0 ||
            (walk->at[v].value != 0 && (!walk->is_series || walk->at[v].exponent > -VANISHED_BITS));
    return goes_on;
}

/* ---- Powers ---------------------------------------------------------------------------------- */

bool cli_power_pays(const cli_arcs *arcs, uint64_t length, uint64_t n_walks)
{
    double n = (double)arcs->n, n_arcs = (double)arcs->n_arcs;
    double n_products = 64 - (double)__builtin_clzll(length | 1);
    return length > 0 && arcs->back == NULL && arcs->n <= MOST_SQUARED &&
           (double)n_walks * (double)length * (n_arcs + n) > n_products * n * n * n;
}

/* Returns the sum of a[i] b[i]. */
static cli_number dot(uint64_t modulus, const cli_number *a, const cli_number *b, uint64_t n)
{
    cli_number others = {.value = 0};
    cli_sum residue = 0;
    long double sum = 0;
    int64_t exponent = n > 0 ? a[0].exponent + b[0].exponent : 0;
    for (uint64_t i = 0; i < n && modulus == 0; i++) {
        long double product = a[i].value * b[i].value;
        if (a[i].exponent + b[i].exponent == exponent)
            sum += product;
        else if (product != 0)
            others = add_doubles(others, settle(product, a[i].exponent + b[i].exponent));
    }
    for (uint64_t i = 0; i < n && modulus != 0; i++)
        residue = cli_sum_add(residue, a[i].residue, b[i].residue, modulus);
    return modulus == 0 ? add_doubles(others, settle(sum, exponent))
                        : (cli_number){.residue = (uint64_t)(residue % modulus)};
}

void cli_power_times(const cli_number *power, uint64_t n, uint64_t modulus, const cli_number *from,
                     cli_number *to)
{
    for (uint64_t v = 0; v < n; v++)
        to[v] = dot(modulus, power + v * n, from, n);
}

/* Matrices of n x n numbers, and a column for each thread. */
typedef struct matrices {
    const cli_arcs *arcs;
    uint64_t modulus;
    cli_number *one, *power, *sum, *other, *columns;
} matrices;

/* *to = a b, or more + a b, where a NULL is the matrix of the arcs; *to changes places with other. */
static void multiply(matrices *m, const cli_number *a, const cli_number *b, const cli_number *more,
                     cli_number **to)
{
    uint64_t n = m->arcs->n;
#pragma omp parallel for schedule(dynamic, 1)
    for (uint64_t j = 0; j < n; j++) {
        cli_number *column = m->columns + (uint64_t)omp_get_thread_num() * n;
        for (uint64_t l = 0; l < n; l++)
            column[l] = b[l * n + j];
        for (uint64_t i = 0; i < n; i++) {
            cli_number entry = a != NULL ? dot(m->modulus, a + i * n, column, n)
                                         : cli_arcs_pull(m->arcs, m->modulus, column, i);
            m->other[i * n + j] =
                more != NULL ? cli_number_add(m->modulus, more[i * n + j], entry) : entry;
        }
    }
    cli_number *made = m->other;
    m->other = *to;
    *to = made;
}

/* Takes the bits of the length from the highest on. The sum S(m) of the first m powers obeys
 * S(2m) = S(m) + A^m S(m) and S(m + 1) = A + A S(m). */
cli_number *cli_power(const cli_arcs *arcs, uint64_t modulus, uint64_t length, bool is_sum)
{
    uint64_t n = arcs->n;
    size_t entries = n * n;
    cli_number *made = cli_need(malloc((entries + 1) * sizeof *made));
    cli_number *all =
        cli_need(calloc(4 * entries + n * (uint64_t)omp_get_max_threads() + 1, sizeof *all));
    matrices m = {
        arcs, modulus, all, all + entries, all + 2 * entries, all + 3 * entries, all + 4 * entries};
    for (uint64_t v = 0; v < n; v++)
        m.power[v * n + v] = modulus != 0 ? (cli_number){.residue = 1} : (cli_number){.value = 1};
    multiply(&m, NULL, m.power, NULL, &m.one);
    memcpy(m.power, m.one, entries * sizeof *made);
    memcpy(m.sum, m.one, entries * sizeof *made);
    for (int bit = 62 - __builtin_clzll(length); bit >= 0; bit--) {
        if (is_sum)
            multiply(&m, m.power, m.sum, m.sum, &m.sum);
        multiply(&m, m.power, m.power, NULL, &m.power);
        if (length >> bit & 1)
            multiply(&m, NULL, m.power, NULL, &m.power);
        if (is_sum && length >> bit & 1)
            multiply(&m, NULL, m.sum, m.one, &m.sum);
    }
    memcpy(made, is_sum ? m.sum : m.power, entries * sizeof *made);
    free(all);
    return made;
}

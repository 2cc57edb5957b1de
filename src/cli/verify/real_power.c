/* Squares of matrices whose entries have exponents of their own. */
#include "src/cli/verify/real_power.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SHIFT = 40000, MOST_VERTICES = 4096, STEPS_OF_A_PRODUCT = 8 };

/* ---- Numbers --------------------------------------------------------------------------------- */

static long double scale(long double value, int64_t shift)
{
    return ldexpl(value, (int)(shift > MOST_SHIFT    ? MOST_SHIFT
                               : shift < -MOST_SHIFT ? -MOST_SHIFT
                                                     : shift));
}

/* value is from 1/2 up to 1, or 0. */
static cli_number normal(long double value, int64_t exponent)
{
    int shift;
    value = frexpl(value, &shift);
    return (cli_number){value, value != 0 ? exponent + shift : 0};
}

void cli_number_add(cli_number *to, cli_number more)
{
    cli_number larger = normal(to->value, to->exponent),
               smaller = normal(more.value, more.exponent), other = larger;
    if (larger.value == 0 || (smaller.value != 0 && larger.exponent < smaller.exponent)) {
        larger = smaller;
        smaller = other;
    }
    larger.value += scale(smaller.value, smaller.exponent - larger.exponent);
    *to = larger;
}

long double cli_number_ratio(cli_number a, cli_number b)
{
    return scale(a.value / b.value, a.exponent - b.exponent);
}

/* ---- Matrices -------------------------------------------------------------------------------- */

/* to = a * b, or to += a * b */
static void multiply(uint64_t n, const cli_number *a, const cli_number *b, bool adds,
                     cli_number *to)
{
#pragma omp parallel for schedule(dynamic, 1)
    for (uint64_t i = 0; i < n; i++) {
        cli_number *row = &to[i * n];
        if (!adds)
            memset(row, 0, n * sizeof *row);
        for (uint64_t l = 0; l < n; l++) {
            cli_number left = a[i * n + l];
            for (uint64_t j = 0; j < n && left.value != 0; j++) {
                cli_number right = b[l * n + j];
                if (right.value != 0)
                    cli_number_add(&row[j], (cli_number){left.value * right.value,
                                                         left.exponent + right.exponent});
            }
        }
    }
}

static void fill(const cli_real_arcs *arcs, cli_number *matrix)
{
    for (uint64_t v = 0; v < arcs->n; v++)
        for (uint64_t e = arcs->start[v]; e < arcs->start[v + 1]; e++)
            cli_number_add(&matrix[v * arcs->n + arcs->column[e]], (cli_number){arcs->value[e], 0});
}

static void exchange(cli_number **a, cli_number **b)
{
    cli_number *other = *a;
    *a = *b;
    *b = other;
}

/* The bits of the length from the highest on. The sum S(m) of the first m powers obeys S(2m) = S(m) + A^m S(m)
 * and S(m + 1) = A + A S(m). */
cli_number *cli_real_power(const cli_real_arcs *arcs, uint64_t length, bool is_sum)
{
    uint64_t n = arcs->n;
    size_t entries = n * n;
    cli_number *all = calloc(5 * entries + 1, sizeof *all),
               *made = malloc((entries + 1) * sizeof *made);
    if (all == NULL || made == NULL) {
        free(all);
        free(made);
        return NULL;
    }
    cli_number *one = all, *power = one + entries, *sum = power + entries, *other = sum + entries,
               *other_sum = other + entries;
    fill(arcs, one);
    memcpy(power, one, entries * sizeof *power);
    memcpy(sum, one, entries * sizeof *sum);
    for (int bit = 62 - __builtin_clzll(length); bit >= 0; bit--) {
        if (is_sum) {
            memcpy(other_sum, sum, entries * sizeof *sum);
            multiply(n, power, sum, true, other_sum);
            exchange(&sum, &other_sum);
        }
        multiply(n, power, power, false, other);
        exchange(&power, &other);
        if (length >> bit & 1) {
            multiply(n, one, power, false, other);
            exchange(&power, &other);
        }
        if (is_sum && length >> bit & 1) {
            memcpy(other_sum, one, entries * sizeof *sum);
            multiply(n, one, sum, true, other_sum);
            exchange(&sum, &other_sum);
        }
    }
    memcpy(made, is_sum ? sum : power, entries * sizeof *made);
    free(all);
    return made;
}

bool cli_real_power_pays(const cli_real_arcs *arcs, uint64_t length, uint64_t n_walks)
{
    double n = (double)arcs->n, n_arcs = (double)arcs->start[arcs->n];
    double n_products = 4 * (64 - (double)__builtin_clzll(length | 1));
    return length > 0 && arcs->n <= MOST_VERTICES &&
           (double)n_walks * (double)length * (n_arcs + n) >
               STEPS_OF_A_PRODUCT * n_products * n * n * n;
}

/* Katz and subgraph centrality: series over the lengths of paths, cut off, with a limit of what was
 * cut off. The counts are exact ones, rounded once each: doubles that share an exponent would
 * refuse graphs of which one part has 2^500 times as many paths as another, and long series are
 * such.
 *
 * Limits come from s_l, the largest row sum of A^l, which sums of paths give: entries of A^(a + b)
 * 1 are at most s_a s_b. Logarithms to base 2 are rounded up on the way.
 *
 * The counts are certified. The sums that are made of them are made twice, and both sums must have
 * the same bits. */
#include <gmp.h>

#include "graphs/graph.h"
#include "src/core/context.h"
#include "src/core/number.h"
#include "src/plan/question.h"
#include "src/tool.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- Series ---------------------------------------------------------------------------------- */

enum { MOST_LENGTHS = 1 << 24 };

/* mantissa * 2^exponent, mantissa in [0.5, 1). */
typedef struct scaled {
    double mantissa;
    int64_t exponent;
} scaled;

/* A series as far as it was summed up. */
typedef struct series {
    uint64_t n, length;
    double
        beta; /* of Katz, over the power of ten of the weights; 0: lengths are weighed by 1 / length! */
    double most_beta; /* what beta is at most, as if it had the errors of the weights */
    scaled factor;    /* of the paths of length n_factors, the last one asked for */
    uint64_t n_factors;
    double *value;    /* [n] */
    double *log_most; /* [max(length, 1) + 1]: log2 of s_l, rounded up; -INFINITY when it is 0 */
} series;

/* A series that is summed up twice. */
typedef struct checked_series {
    pc_context *context;
    const pc_graph *graph;
    series twice[2];
    bool adds, notes; /* what is done with the sums that come */
} checked_series;

static bool has_decimals(const pc_graph *graph)
{
    return graph->info.decimals > 0 || graph->info.weight_error > 0;
}

/* 10^n, n <= 19, which is a double. */
static double exp10_of(uint32_t n)
{
    double power = 1;
    for (; n > 0; n--)
        power *= 10;
    return power;
}

/* Roundings of a value: the factor of a length l takes two a length, and beta over the power of ten
 * another one; the count, its product with the factor and the addition of each length are the
 * others. A path of l arcs has the errors of l weights. */
double pc_series_error(const pc_graph *graph, uint64_t length)
{
    if (!graph)
        return 0;
    double l = (double)length, of_beta = has_decimals(graph) ? l : 0;
    return expm1(-l * log1p(-graph->info.weight_error)) * (1 + 0x1p-30) +
           (3 * l + of_beta + 5) * 0x1p-53;
}

/* A logarithm with an error below that of some hundred roundings, from above. */
static double up(double logarithm)
{
    return logarithm + fabs(logarithm) * 0x1p-40 + 0x1p-40;
}

static uint64_t last_most(const series *s)
{
    return s->length ? s->length : 1;
}

/* Adds the terms of a length, which come in ascending order, or notes the largest sum, or both. */
static pc_status take(void *user, uint64_t length, const pc_rows *rows)
{
    checked_series *checked = user;
    for (int i = 0; i < 2; i++) {
        series *s = &checked->twice[i];
        for (; checked->adds && s->n_factors < length; s->n_factors++) {
            int shift, normal;
            double ratio = frexp(s->beta > 0 ? s->beta : 1 / ((double)s->n_factors + 1), &shift);
            s->factor.mantissa = frexp(s->factor.mantissa * ratio, &normal);
            s->factor.exponent += shift + normal;
        }
        for (uint64_t e = 0; e < rows->n_rows; e++) {
            mpz_t count; /* as a double with an exponent, cut off */
            long exponent;
            const uint64_t *limbs = rows->limbs + e * rows->n_limbs;
            double mantissa = mpz_get_d_2exp(&exponent, mpz_roinit_n(count, limbs, rows->n_limbs));
            if (checked->adds && length <= s->length)
                s->value[rows->first_row + e] +=
                    pci_number_scale(mantissa * s->factor.mantissa, exponent + s->factor.exponent);
            if (checked->notes && mantissa > 0)
                s->log_most[length] =
                    fmax(s->log_most[length], up(log2(mantissa) + (double)exponent));
        }
    }
    return PC_OK;
}

static pc_status ask(checked_series *s, pc_query_kind kind, uint64_t length, bool adds, bool notes)
{
    pc_query query = {.kind = kind, .length = length, .each = 1};
    s->adds = adds;
    s->notes = notes;
    return length ? pc_query_run(s->context, s->graph, &query, NULL, take, s) : PC_OK;
}

static pc_status begin(pc_context *context, const pc_graph *graph, double beta, uint64_t length,
                       checked_series *checked)
{
    double scaled_beta = beta / exp10_of(graph->info.decimals), error = graph->info.weight_error;
    const series none = {
        .n = graph->n,
        .length = length,
        .beta = scaled_beta,
        .most_beta = has_decimals(graph) ? scaled_beta * (1 + 2 * error) * (1 + 0x1p-50) : beta,
        .factor = {1, 0}};
    *checked = (checked_series){.context = context, .graph = graph, .twice = {none, none}};
    if (length > MOST_LENGTHS)
        return pci_fail(context, PC_ERR_RANGE,
                        "a series of %" PRIu64 " lengths is too long, %d are the most", length,
                        MOST_LENGTHS);
    for (int i = 0; i < 2; i++) {
        series *s = &checked->twice[i];
        s->value = pci_alloc_zero(context, s->n, sizeof *s->value);
        s->log_most = pci_alloc_zero(context, last_most(s) + 1, sizeof *s->log_most);
        if (!s->value || !s->log_most)
            return pci_fail_memory(context, "a series", (s->n + length + 2) * sizeof *s->value);
        for (uint64_t l = 0; l <= last_most(s); l++)
            s->log_most[l] = l == 0 && s->n > 0 ? 0 : -INFINITY;
        for (uint64_t v = 0; beta == 0 && v < s->n; v++)
            s->value[v] = 1; /* the closed path without an arc */
    }
    return PC_OK;
}

/* The values go out if both sums of each are the same number. */
static pc_status finish(const checked_series *checked, double (*limit_of)(const series *),
                        double *value, double *remainder)
{
    const series *s = &checked->twice[0], *again = &checked->twice[1];
    double limit = limit_of(s), limit_again = limit_of(again);
    if (memcmp(&limit, &limit_again, sizeof limit) != 0)
        return pci_fail_check(checked->context, "what a series leaves out");
    for (uint64_t v = 0; v < s->n; v++) {
        if (!isfinite(s->value[v]))
            return pci_fail(checked->context, PC_ERR_RANGE,
                            "the values pass the largest double, 1.8e308, within %" PRIu64
                            " lengths; cut them off earlier or weigh paths less",
                            s->length);
        if (memcmp(&s->value[v], &again->value[v], sizeof *value) != 0)
            return pci_fail_check(checked->context, "a centrality");
    }
    for (uint64_t v = 0; v < s->n; v++)
        value[v] = s->value[v];
    *remainder = limit;
    return PC_OK;
}

/* ---- Katz ------------------------------------------------------------------------------------ */

/* Limits what the lengths beyond K, the last length that was added, contribute. At most s_K s_m^q
 * s_r paths of length K + q m + r, r = 1..m, end at a vertex. Weighed by beta and summed over q and
 * r, that is t_K (t_1 + ... + t_m) / (1 - t_m) with t_l = beta^l s_l, if t_m < 1. Any m <= K is
 * valid, and the least limit is used. */
static double katz_limit(const series *s)
{
    double least = INFINITY, sum = 0, log_last = up((double)s->length * log2(s->most_beta));
    log_last += s->log_most[s->length];
    if (log_last == -INFINITY)
        return 0;
    for (uint64_t m = 1; m <= last_most(s); m++) {
        double log_term = up((double)m * log2(s->most_beta)) + s->log_most[m];
        sum += exp2(log_term);
        if (sum == 0)
            return 0;
        if (log_term < 0)
            least = fmin(least, up(log_last + log2(sum) - log2(-expm1(log_term * M_LN2))));
    }
    /* There is room for the roundings of a sum of MOST_LENGTHS terms; it is never 0. */
    return nextafter(exp2(least) * (1 + 0x1p-28), INFINITY);
}

/* ---- Subgraph centrality --------------------------------------------------------------------- */

/* As above, with m = K: the closed paths of length K + q m + r are at most s_K s_m^q s_r, over (K +
 * q m + r)!. From one q to the next the sum over r shrinks at least by rho = s_m / (K + q m + 2)^m,
 * which falls; once it is below a half, the last one over 1 - rho is a limit for it and all that
 * follow. */
static double subgraph_limit(const series *s)
{
    uint64_t last = s->length, m = last_most(s), n_terms = 0;
    int sign;
    double sum = 0;
    if (s->log_most[last] == -INFINITY || s->log_most[m] == -INFINITY)
        return 0;
    bool is_last = false;
    for (uint64_t q = 0; !is_last && isfinite(sum); q++) {
        double block = 0, before = s->log_most[last] + (double)q * s->log_most[m];
        for (uint64_t r = 1; r <= m; r++, n_terms++) {
            double factorial = lgamma_r((double)(last + q * m + r) + 1, &sign) / M_LN2;
            factorial -= factorial * 0x1p-40; /* log2 of it, rounded down */
            block += exp2(up(before + s->log_most[r] - factorial));
        }
        double next = (double)last + (double)q * (double)m + 2;
        double rho = exp2(up(s->log_most[m] - (double)m * log2(next)));
        is_last = rho < 0.5;
        sum += is_last ? block / (1 - rho) : block;
    }
    /* Each term may have lost less than the smallest double. */
    return sum * (1 + 0x1p-28) + 2 * (double)n_terms * DBL_TRUE_MIN;
}

pc_status pc_centrality(pc_context *context, const pc_graph *graph, pc_centrality_kind kind,
                        double beta, uint64_t length, double *value, double *remainder,
                        double *error)
{
    checked_series s;
    bool is_katz = kind == PC_CENTRALITY_KATZ;
    if (!context || !graph || (!value && graph->n > 0) || !remainder)
        return pci_fail_null(context, "graph, value or remainder");
    if (!is_katz && kind != PC_CENTRALITY_SUBGRAPH)
        return pci_fail(context, PC_ERR_ARGUMENT, "centrality %d: there is none", (int)kind);
    if (error)
        *error = pc_series_error(graph, length);
    if (is_katz && !(beta >= DBL_MIN * exp10_of(graph->info.decimals) && beta <= DBL_MAX))
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "beta of Katz centrality must be a number above 0, not %g", beta);
    pc_status status = begin(context, graph, is_katz ? beta : 0, length, &s);
    if (status == PC_OK) /* sums of paths, which Katz centrality adds up, too */
        status = ask(&s, is_katz ? PC_QUERY_ENDS : PC_QUERY_STARTS, last_most(&s.twice[0]), is_katz,
                     true);
    if (status == PC_OK && !is_katz)
        status = ask(&s, pci_kind_that_reads(PCI_READS_DIAGONAL, false), length, true, false);
    if (status == PC_OK)
        status = finish(&s, is_katz ? katz_limit : subgraph_limit, value, remainder);
    for (int i = 0; i < 2; i++) {
        pci_free(context, s.twice[i].value);
        pci_free(context, s.twice[i].log_most);
    }
    return status;
}

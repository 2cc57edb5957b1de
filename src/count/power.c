/* A^length by left-to-right binary powering: square for every bit, then one sparse step if it is 1.
 * Each level works on just the moduli that its own result needs. Between blocks of vertices the
 * last level is a reduced product. The first level of a hybrid is not A but a power that was
 * swept. */
#include "src/count/square.h"

#include "src/cpu/modular.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

pc_status pci_power(pc_context *context, const pci_engine *engine, pci_run *run, uint64_t **words,
                    pc_plan_info *plan)
{
    uint32_t n_held =
        0; /* moduli of the level before; 0 while entries are small: one plain plane */
    for (uint32_t l = 0; l < plan->n_levels; l++) {
        pc_level *level = &plan->levels[l];
        pc_status status = pci_progress(context, "power", pci_levels_done(plan, l));
        double start = pci_now_seconds();
        if (status == PC_OK && n_held > 0 && !level->is_by_digits)
            status = engine->extend(run, level->n_moduli);
        double extended = pci_now_seconds();
        if (status == PC_OK && level->is_swept) {
            status = engine->load_words(run, *words, level->n_moduli);
            pci_free(context, *words);
            *words = NULL;
        } else if (status == PC_OK && level->length == 1 && !level->is_diagonal &&
                   !level->is_direct) {
            status = engine->load(run, level->n_moduli);
        } else if (status == PC_OK && !level->is_diagonal && !level->is_direct) {
            /* Who asked for a diagonal or a direct square computes it from P, a diagonal twice. */
            status = level->is_reduced     ? engine->reduce(run, level->is_step, level->n_moduli)
                     : level->is_by_digits ? engine->square_digits(run, level->n_moduli)
                     : level->is_step      ? engine->step(run, level->n_moduli)
                                           : engine->square(run, level->n_moduli);
        }
        if (status != PC_OK)
            return status;
        n_held = level->n_moduli;
        double seconds = pci_now_seconds() - extended;
        level->seconds += seconds; /* of a swept level, beside the sweeps */
        plan->seconds.extend += extended - start;
        bool is_product = level->is_reduced || !level->is_step;
        *(l == 0       ? &plan->seconds.load
          : is_product ? &plan->seconds.product
                       : &plan->seconds.step) += seconds;
    }
    engine->trim(run);
    return PC_OK;
}

/* ---- In doubles, with one exponent for all ----------------------------------------------------- */

static const int64_t MAX_EXPONENT = INT64_C(1) << 62;

static pc_status load(pc_context *context, const pc_graph *g, int n_threads, double *values)
{
    pc_status status = PC_OK;
#pragma omp parallel for num_threads(n_threads) schedule(dynamic, 16)
    for (uint64_t i = 0; i < g->n; i++) {
        double *row = values + i * g->n;
        if (!pci_goes_on_at(context, "convert", i, g->n, &status))
            continue;
        memset(row, 0, g->n * sizeof *row);
        for (uint64_t a = g->row_start[i]; a < g->row_start[i + 1]; a++)
            row[g->column[a]] = g->weight ? (double)g->weight[a] : 1.0;
    }
    return pci_gone_on(context, status);
}

/* Products of two entries down to here do not underflow. */
static const double SMALLEST = 0x1p-500;

/* Scales n x n values so that the largest lies in [1/2, 1), and adds the exponent taken out to
 * *scale. */
static pc_status normalise(pc_context *context, uint64_t n, int n_threads, double *values,
                           int64_t *scale)
{
    double largest = 0, smallest = HUGE_VAL;
    pc_status status = PC_OK;
#pragma omp parallel for num_threads(n_threads) reduction(max : largest) reduction(min : smallest)
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t e = i * n; e < (i + 1) * n; e++) {
            largest = values[e] > largest ? values[e] : largest;
            smallest = values[e] > 0 && values[e] < smallest ? values[e] : smallest;
        }
    int exponent = 0;
    if (largest == 0)
        return PC_OK;
    if (smallest < largest * SMALLEST)
        return pci_fail(context, PC_ERR_RANGE,
                        "counts differ by more than 2^500, too much for doubles with one exponent; "
                        "count exactly, or modulo a number (--mod M)");
    frexp(largest, &exponent);
    double half = ldexp(1.0, -exponent / 2), rest = ldexp(1.0, -exponent - -exponent / 2);
#pragma omp parallel for num_threads(n_threads)
    for (uint64_t i = 0; i < n; i++)
        if (pci_goes_on_at(context, "convert", i, n, &status))
            for (uint64_t e = i * n; e < (i + 1) * n; e++)
                values[e] = values[e] * half * rest; /* 2^-exponent alone may be out of range */
    *scale += exponent;
    return pci_gone_on(context, status);
}

/* result = A * values */
static pc_status step(pc_context *context, const pc_graph *g, int n_threads, const double *values,
                      double *result)
{
    pc_status status = PC_OK;
#pragma omp parallel for num_threads(n_threads) schedule(dynamic, 16)
    for (uint64_t i = 0; i < g->n; i++) {
        double *row = result + i * g->n;
        if (!pci_goes_on_at(context, "step", i, g->n, &status))
            continue;
        memset(row, 0, g->n * sizeof *row);
        for (uint64_t a = g->row_start[i]; a < g->row_start[i + 1]; a++) {
            const double *other = values + g->column[a] * g->n;
            double weight = g->weight ? (double)g->weight[a] : 1.0;
            for (uint64_t j = 0; j < g->n; j++)
                row[j] += weight * other[j];
        }
    }
    return pci_gone_on(context, status);
}

pc_status pci_power_float(pc_context *context, const pc_graph *graph, pc_plan_info *plan,
                          double *matrices, double **values, int64_t *exponent)
{
    int n_threads = pci_threads_for(context, (double)graph->n * (double)graph->n);
    double *now = matrices, *next = matrices + graph->n * graph->n;
    int64_t scale = 0;
    pc_status status = load(context, graph, n_threads, now);
    if (status == PC_OK)
        status = normalise(context, graph->n, n_threads, now, &scale);
    for (uint32_t l = 1; l < plan->n_levels && status == PC_OK; l++) {
        pc_level *level = &plan->levels[l];
        double start = pci_now_seconds();
        status = pci_progress(context, "power", pci_levels_done(plan, l));
        if (status == PC_OK && level->is_step)
            status = step(context, graph, n_threads, now, next);
        else if (status == PC_OK)
            status = pci_square_doubles(context, graph->n, now, next);
        if (status == PC_OK && !level->is_step &&
            (scale > MAX_EXPONENT / 2 || scale < -MAX_EXPONENT / 2))
            status =
                pci_fail(context, PC_ERR_RANGE,
                         "counts of length %" PRIu64 " have exponents beyond 2^62; count modulo a "
                         "number (--mod M) instead",
                         plan->length);
        if (status == PC_OK && !level->is_step) /* the square of a matrix has twice its exponent */
            scale *= 2;
        if (status == PC_OK)
            status = normalise(context, graph->n, n_threads, next, &scale);
        double *swap = now;
        now = next;
        next = swap;
        level->seconds = pci_now_seconds() - start;
        *(level->is_step ? &plan->seconds.step : &plan->seconds.product) += level->seconds;
    }
    *values = now;
    *exponent = scale;
    return status;
}

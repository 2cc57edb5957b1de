/* A^length modulo M. Words below M are squared exactly by the engine, as residue planes, and
 * reduced modulo M, level by level. An engine that reduces its planes itself (reduce_modulo) keeps
 * the power; else it goes to the host and back at each level, and sparse steps work on the words.
 *
 * Certificate: for one random x and the power P of a level, P x is known when the level before is
 * certified: (P P) x = P (P x) and (A P) x = A (P x), modulo M. So length may be 10^18, and a word
 * that changes between two levels is found: the image P x was taken before it changed. */
#include "src/count/power.h"

#include "src/cpu/modular.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum { CONFIRMED_ROWS = 512 /* at a time */ };

typedef struct modular_power {
    pc_context *context;
    const pc_graph *graph;
    const pci_engine *engine;
    pci_run *run;
    uint64_t modulus;
    int n_threads;
    uint64_t *words;              /* [n][n]: the power so far; NULL: it is that of the run */
    pci_certificate *certificate; /* of the power; NULL: none */
} modular_power;

static void load_row(const modular_power *power, uint64_t i)
{
    const pc_graph *g = power->graph;
    uint64_t *row = power->words + i * g->n;
    memset(row, 0, g->n * sizeof *row);
    for (uint64_t a = g->row_start[i]; a < g->row_start[i + 1]; a++)
        row[g->column[a]] = (g->weight ? g->weight[a] : 1) % power->modulus;
}

static pc_status load_on_host(const modular_power *power)
{
    uint64_t n = power->graph->n;
    pc_status status = PC_OK;
#pragma omp parallel for num_threads(power->n_threads) schedule(dynamic, 16)
    for (uint64_t i = 0; i < n; i++)
        if (pci_goes_on_at(power->context, "convert", i, n, &status))
            load_row(power, i);
    return pci_gone_on(power->context, status);
}

static pc_status load(const modular_power *power, const pc_level *level)
{
    return power->words ? load_on_host(power) : power->engine->load(power->run, level->n_moduli);
}

static pc_status square_there(const modular_power *power, const pc_level *level)
{
    pc_status status = power->engine->square(power->run, level->n_moduli);
    return status == PC_OK ? power->engine->reduce_modulo(power->run, power->modulus) : status;
}

static pc_status step_there(const modular_power *power, const pc_level *level)
{
    pc_status status = power->engine->step(power->run, level->n_moduli);
    return status == PC_OK ? power->engine->reduce_modulo(power->run, power->modulus) : status;
}

static pc_status square(const modular_power *power, const pc_level *level)
{
    if (!power->words)
        return square_there(power, level);
    pc_status status = power->engine->load_words(power->run, power->words, level->n_moduli);
    if (status == PC_OK)
        status = power->engine->square(power->run, level->n_moduli);
    if (status == PC_OK)
        status = power->engine->collect_modular(power->run, power->modulus, power->words);
    return status;
}

/* words = A * words, a column at a time: x and y are columns, so no second matrix is needed. */
static pc_status step(const modular_power *power, const pc_level *level)
{
    if (!power->words)
        return step_there(power, level);
    uint64_t n = power->graph->n, modulus = power->modulus;
    pc_status status = PC_OK;
    uint64_t *columns =
        pci_alloc(power->context, 2 * n * (size_t)power->n_threads * sizeof *columns);
    if (!columns)
        return pci_fail_memory(power->context, "a sparse step",
                               2 * n * (size_t)power->n_threads * sizeof *columns);
#pragma omp parallel for num_threads(power->n_threads) schedule(dynamic, 8)
    for (uint64_t j = 0; j < n; j++) {
        if (!pci_goes_on_at(power->context, "step", j, n, &status))
            continue;
        uint64_t *x = columns + 2 * n * (size_t)omp_get_thread_num(), *y = x + n;
        for (uint64_t i = 0; i < n; i++)
            x[i] = power->words[i * n + j];
        pci_graph_multiply_mod(power->graph, 1, x, modulus, y);
        for (uint64_t i = 0; i < n; i++)
            power->words[i * n + j] = y[i];
    }
    pci_free(power->context, columns);
    return pci_gone_on(power->context, status);
}

/* ---- The certificate ------------------------------------------------------------------------- */

/* y = P x of the run */
static pc_status apply_run(void *user, uint64_t modulus, const uint64_t *x, uint64_t *y)
{
    const modular_power *power = user;
    pci_dot_vector vector = {.modulus = modulus, .x = (uint64_t *)x};
    pci_aggregates products = {
        .n = power->graph->n, .n_limbs = 1, .n_dots = 1, .dots = &vector, .dot = y};
    return power->engine->aggregate(power->run, &products);
}

/* y = words x */
static pc_status apply_words(void *user, uint64_t modulus, const uint64_t *x, uint64_t *y)
{
    const modular_power *power = user;
    uint64_t n = power->graph->n;
    pc_status status = PC_OK;
#pragma omp parallel for num_threads(power->n_threads) schedule(static)
    for (uint64_t i = 0; i < n; i++)
        if (pci_goes_on_at(power->context, "certify", i, n, &status))
            y[i] = pci_dot_mod(n, power->words + i * n, 1, x, modulus);
    return pci_gone_on(power->context, status);
}

static pc_status apply_graph(void *user, uint64_t modulus, const uint64_t *x, uint64_t *y)
{
    const modular_power *power = user;
    pci_graph_multiply_mod(power->graph, power->n_threads, x, modulus, y);
    return PC_OK;
}

/* Before a level: works out what the next power must be. */
static pc_status expect(modular_power *power, bool is_step)
{
    uint64_t n = power->graph->n;
    pci_operator map = {.n_rows = n,
                        .n_columns = n,
                        .user = power,
                        .apply = is_step        ? apply_graph
                                 : power->words ? apply_words
                                                : apply_run};
    return power->certificate ? pci_certificate_advance(power->certificate, &map) : PC_OK;
}

static pc_status confirm(const modular_power *power)
{
    uint64_t n = power->graph->n;
    pc_status status = PC_OK;
    if (!power->certificate)
        return PC_OK;
    if (!power->words)
        return pci_certificate_check_run(power->certificate, power->engine, power->run, n, 1);
    for (uint64_t first = 0; first < n && status == PC_OK; first += CONFIRMED_ROWS) {
        pc_rows rows = {.first_row = first,
                        .n_rows = n - first < CONFIRMED_ROWS ? n - first : CONFIRMED_ROWS,
                        .n_columns = n,
                        .n_limbs = 1,
                        .limbs = power->words + first * n};
        status = pci_progress(power->context, "certify", (double)first / (double)n);
        if (status == PC_OK)
            status = pci_certificate_check(power->certificate, &rows);
    }
    return status;
}

/* ---- Levels ---------------------------------------------------------------------------------- */

/* The last power is confirmed where it leaves. */
static pc_status run_level(modular_power *power, pc_level *level, bool is_last, pc_plan_info *plan)
{
    double start = pci_now_seconds();
    pc_status status = expect(power, level->is_step);
    double expected = pci_now_seconds();
    if (status == PC_OK)
        status = level->is_step ? step(power, level) : square(power, level);
    double made = pci_now_seconds();
    if (status == PC_OK && !is_last)
        status = confirm(power);
    level->seconds = made - expected;
    *(level->is_step ? &plan->seconds.step : &plan->seconds.product) += level->seconds;
    plan->seconds.certify += pci_now_seconds() - start - level->seconds;
    return status;
}

pc_status pci_power_modular(pc_context *context, const pc_graph *graph, const pci_engine *engine,
                            pci_run *run, pci_certificate *certificate, pc_plan_info *plan,
                            uint64_t *words)
{
    modular_power power = {
        .context = context,
        .graph = graph,
        .engine = engine,
        .run = run,
        .modulus = plan->modulus,
        .n_threads = pci_threads_for(context, (double)graph->n * (double)graph->n),
        .words = words,
        .certificate = certificate,
    };
    pc_status status = load(&power, &plan->levels[0]);
    for (uint32_t l = 1; l < plan->n_levels && status == PC_OK; l++) {
        status = pci_progress(context, "power", (double)l / plan->n_levels);
        if (status == PC_OK)
            status = run_level(&power, &plan->levels[l], l + 1 == plan->n_levels, plan);
    }
    return status;
}

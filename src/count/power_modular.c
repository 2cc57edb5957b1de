/* A^length modulo M. Words below M are squared exactly by the engine, as residue planes, and
 * reduced modulo M, level by level. An engine that reduces its planes itself (reduce_modulo) keeps
 * the power; else it goes to the host and back at each level, and sparse steps work on the words.
 *
 * Certificate: for one random x and the power P of a level, P x is known when the level before is
 * certified: (P P) x = P (P x) and (A P) x = A (P x), modulo M. So length may be 10^18, and a word
 * that changes between two levels is found: the image P x was taken before it changed. */
#include "src/count/square.h"

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

static pc_status load(const modular_power *power, const pc_level *level)
{
    const pc_graph *g = power->graph;
    uint64_t n = g->n;
    pc_status status = PC_OK;
    if (!power->words)
        return power->engine->load(power->run, level->n_moduli);
#pragma omp parallel for num_threads(power->n_threads) schedule(dynamic, 16)
    for (uint64_t i = 0; i < n; i++) {
        uint64_t *row = power->words + i * n;
        if (!pci_goes_on_at(power->context, "convert", i, n, &status))
            continue;
        memset(row, 0, n * sizeof *row);
        for (uint64_t a = g->row_start[i]; a < g->row_start[i + 1]; a++)
            row[g->column[a]] = pci_graph_weight(g, a) % power->modulus;
    }
    return pci_gone_on(power->context, status);
}

/* Makes the next power from this one in the engine's run, or on the host. */
static pc_status make_level(const modular_power *power, const pc_level *level)
{
    const pci_engine *engine = power->engine;
    pci_run *run = power->run;
    uint64_t n = power->graph->n, modulus = power->modulus;
    size_t n_bytes = 2 * n * (size_t)power->n_threads * sizeof(uint64_t);
    pc_status status = PC_OK;
    if (!power->words) {
        status = level->is_step ? engine->step(run, level->n_moduli)
                                : engine->square(run, level->n_moduli);
        return status == PC_OK ? engine->reduce_modulo(run, modulus) : status;
    }
    if (!level->is_step) {
        status = engine->load_words(run, power->words, level->n_moduli);
        if (status == PC_OK)
            status = engine->square(run, level->n_moduli);
        return status == PC_OK ? engine->collect_modular(run, modulus, power->words) : status;
    }
    /* words = A * words, a column at a time: x and y are columns, so no second matrix is needed. */
    uint64_t *columns = pci_alloc(power->context, n_bytes);
    if (!columns)
        return pci_fail_memory(power->context, "a sparse step", n_bytes);
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

/* The last power is confirmed where it leaves. */
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
    pci_operator map = {.n_rows = graph->n, .n_columns = graph->n, .user = &power};
    pc_status status = load(&power, &plan->levels[0]);
    for (uint32_t l = 1; l < plan->n_levels && status == PC_OK; l++) {
        pc_level *level = &plan->levels[l];
        map.apply = level->is_step ? apply_graph : words ? apply_words : apply_run;
        status = pci_progress(context, "power", pci_levels_done(plan, l));
        double start = pci_now_seconds();
        if (status == PC_OK && certificate) /* works out what the next power must be */
            status = pci_certificate_advance(certificate, &map);
        double expected = pci_now_seconds();
        if (status == PC_OK)
            status = make_level(&power, level);
        level->seconds = pci_now_seconds() - expected;
        if (status == PC_OK && l + 1 < plan->n_levels)
            status = confirm(&power);
        *(level->is_step ? &plan->seconds.step : &plan->seconds.product) += level->seconds;
        plan->seconds.certify += pci_now_seconds() - start - level->seconds;
    }
    return status;
}

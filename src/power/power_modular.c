/* A^length modulo M. Words below M are split into residue planes, squared exactly by the engine,
 * and converted back modulo M, level by level. Sparse steps work on the words. With a GPU the
 * power goes to the host and back at each level; this is not improved yet.
 *
 * Certificate of a level: for random v, (P P) v = P (P v) and (A P) v = A (P v), modulo M. Each
 * level is checked against the level before it, so length may be 10^18. A wrong row passes once in
 * q, the least prime factor of M, so a small q takes more rounds. */
#include "src/power/power_modular.h"

#include "src/certify/certify.h"
#include "src/cpu/modular.h"

#include <math.h>
#include <omp.h>
#include <string.h>

typedef struct modular_power {
    pc_context *context;
    const pc_graph *graph;
    const pci_engine *engine;
    pci_run *run;
    uint64_t modulus;
    int n_rounds;
    int n_threads;
    uint64_t *words;    /* [n][n]: the power so far */
    uint64_t *random;   /* [n_rounds][n] */
    uint64_t *expected; /* [n_rounds][n]: what the next power must make of random */
    uint64_t *image;    /* [n] */
} modular_power;

static void load(const modular_power *power)
{
    const pc_graph *g = power->graph;
    memset(power->words, 0, g->n * g->n * sizeof *power->words);
    for (uint64_t i = 0; i < g->n; i++)
        for (uint64_t a = g->row_start[i]; a < g->row_start[i + 1]; a++)
            power->words[i * g->n + g->column[a]] = (g->weight ? g->weight[a] : 1) % power->modulus;
}

static pc_status square(const modular_power *power, const pc_level *level)
{
    pc_status status = power->engine->load_words(power->run, power->words, level->n_moduli);
    if (status == PC_OK)
        status = power->engine->square(power->run, level->n_moduli);
    if (status == PC_OK)
        status = power->engine->collect_modular(power->run, power->modulus, power->words);
    return status;
}

/* words = A * words, a column at a time: x and y are columns, so no second matrix is needed. */
static pc_status step(const modular_power *power)
{
    uint64_t n = power->graph->n, modulus = power->modulus;
    uint64_t *columns =
        pci_alloc(power->context, 2 * n * (size_t)power->n_threads * sizeof *columns);
    if (!columns)
        return pci_fail_memory(power->context, "a sparse step",
                               2 * n * (size_t)power->n_threads * sizeof *columns);
#pragma omp parallel for num_threads(power->n_threads) schedule(dynamic, 8)
    for (uint64_t j = 0; j < n; j++) {
        uint64_t *x = columns + 2 * n * (size_t)omp_get_thread_num(), *y = x + n;
        for (uint64_t i = 0; i < n; i++)
            x[i] = power->words[i * n + j];
        pci_graph_multiply_mod(power->graph, 1, x, modulus, y);
        for (uint64_t i = 0; i < n; i++)
            power->words[i * n + j] = y[i];
    }
    pci_free(power->context, columns);
    return PC_OK;
}

static void multiply_words(const modular_power *power, const uint64_t *x, uint64_t *y)
{
    uint64_t n = power->graph->n;
#pragma omp parallel for num_threads(power->n_threads) schedule(static)
    for (uint64_t i = 0; i < n; i++)
        y[i] = pci_dot_mod(n, power->words + i * n, 1, x, power->modulus);
}

/* Before a level: what it must give. */
static pc_status expect(const modular_power *power, bool is_step)
{
    uint64_t n = power->graph->n;
    for (int r = 0; r < power->n_rounds; r++) {
        uint64_t *v = power->random + (uint64_t)r * n, *w = power->expected + (uint64_t)r * n;
        pc_status status = pci_random_words(power->context, n, power->modulus, v);
        if (status != PC_OK)
            return status;
        multiply_words(power, v, power->image);
        if (is_step)
            pci_graph_multiply_mod(power->graph, power->n_threads, power->image, power->modulus, w);
        else
            multiply_words(power, power->image, w);
    }
    return PC_OK;
}

/* After it: what it gave. */
static pc_status confirm(const modular_power *power)
{
    uint64_t n = power->graph->n;
    for (int r = 0; r < power->n_rounds; r++) {
        multiply_words(power, power->random + (uint64_t)r * n, power->image);
        if (memcmp(power->image, power->expected + (uint64_t)r * n, n * sizeof *power->image) != 0)
            return pci_fail(power->context, PC_ERR_CERTIFY,
                            "a power modulo the number given failed its check and nothing was "
                            "delivered: this is a bug in pathcount or a fault of this machine");
    }
    return PC_OK;
}

static pc_status run_level(const modular_power *power, pc_level *level, pc_plan_info *plan)
{
    double start = pci_now_seconds();
    pc_status status = expect(power, level->is_step);
    double expected = pci_now_seconds();
    if (status == PC_OK)
        status = level->is_step ? step(power) : square(power, level);
    double made = pci_now_seconds();
    if (status == PC_OK)
        status = confirm(power);
    level->seconds = made - expected;
    *(level->is_step ? &plan->seconds.step : &plan->seconds.product) += level->seconds;
    plan->seconds.certify += pci_now_seconds() - start - level->seconds;
    return status;
}

pc_status pci_power_modular(pc_context *context, const pc_graph *graph, const pci_engine *engine,
                            const pci_moduli *moduli, int n_rounds, pc_plan_info *plan,
                            uint64_t *words)
{
    modular_power power = {
        .context = context,
        .graph = graph,
        .engine = engine,
        .modulus = plan->modulus,
        .n_rounds = pci_modular_rounds(plan->modulus, n_rounds),
        .n_threads = pci_threads_for(context, (double)graph->n * (double)graph->n),
        .words = words,
    };
    size_t n_vectors = 2 * (size_t)power.n_rounds + 1;
    pc_status status =
        power.engine->begin(context, graph, NULL, moduli, pci_plan_n_most(plan), &power.run);
    if (status != PC_OK)
        return status;
    power.image = pci_alloc(context, n_vectors * graph->n * sizeof *power.image);
    if (!power.image) {
        status = pci_fail_memory(context, "certificates", n_vectors * graph->n * 8);
        goto done;
    }
    power.random = power.image + graph->n;
    power.expected = power.random + (size_t)power.n_rounds * graph->n;
    load(&power);
    for (uint32_t l = 1; l < plan->n_levels && status == PC_OK; l++) {
        status = pci_progress(context, "power", (double)l / plan->n_levels);
        if (status == PC_OK)
            status = run_level(&power, &plan->levels[l], plan);
    }
done:
    pci_free(context, power.image);
    power.engine->end(power.run);
    return status;
}

/* This machine: which devices it has and how large a graph each can take, and how fast its processors are.
 *
 * The CUDA engine describes the GPUs. The largest graph is found by trying plans, for GPUs and for the processors.
 *
 * Each rate has a count that spends most of its time in that part. All counts are run first. Then each rate
 * is found again and again, from the time that remains when the others have their rates, until no rate changes: so the
 * result does not depend on the rates to begin with. The rates of GPUs are compiled in and are not measured. */
#include "src/core/memory.h"
#include "src/count/square.h"
#include "src/cpu/run.h"
#include "src/plan/cost.h"
#include "src/plan/plan.h"
#include "src/tool.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { CERTIFY_ROUNDS = 2 };

/* ==== Devices ================================================================================= */

enum {
    COUNT_BITS = 64,
    MATRICES = 3 /* two factors and their product */
};

typedef struct listing {
    const pc_context *context; /* the caller's: its devices are the chosen ones */
    pc_context own;            /* a copy, to plan for one device or another */
    pc_graph graph;            /* so many vertices, no arcs: what plans are tried for */
    bool has_cuda; /* the engine opens on the caller's devices, "auto" being the first */
    pc_device_fn tell;
    void *user;
} listing;

/* ---- How large a graph fits ------------------------------------------------------------------ */

static uint64_t largest_in_theory(uint64_t memory_bytes)
{
    uint64_t most = memory_bytes / (MATRICES * COUNT_BITS / 8), n = (uint64_t)sqrt((double)most);
    return n * n > most ? n - 1 : n;
}

/* Says whether plans can count paths in a graph of n vertices: A as one plain plane, a
 * square in residues for 64 bits, and its square. */
static bool fits(listing *listing, uint64_t n)
{
    const pci_engine *engine = &pci_engine_cpu;
    pci_moduli moduli;
    pci_moduli_fill(&moduli, PCI_ANY_BITS);
    listing->graph.n = n;
    pci_question question = {.context = &listing->own,
                             .graph = &listing->graph,
                             .kind = pci_kind_row(PC_QUERY_MATRIX),
                             .query = {.kind = PC_QUERY_MATRIX, .length = 4},
                             .options.n_certify_rounds = CERTIFY_ROUNDS,
                             .moduli = &moduli,
                             .available_bytes = pci_memory_available(&listing->own)};
    pc_plan_info dense = pci_info_of(&question);
    dense.n_levels = 3;
    for (int l = 0; l < 3; l++)
        dense.levels[l] = (pc_level){.length = 1u << l, .bound_bits = l ? COUNT_BITS : 0};
    if (listing->own.devices.kind == PCI_DEVICE_CUDA &&
        pci_engine_cuda(&listing->own, &engine) != PC_OK)
        return false;
    pci_plan plan = {0};
    question.dense = &dense;
    return pci_by_squaring.plan(&question, engine, &plan) == PC_OK && plan.status == PC_OK;
}

static uint64_t largest_in_plans(listing *listing, pci_devices devices)
{
    uint64_t fitting = 0, too_large = PCI_MAX_DENSE_VERTICES + 1;
    listing->own.devices = devices;
    while (too_large - fitting > 1) {
        uint64_t n = fitting + (too_large - fitting) / 2;
        if (fits(listing, n))
            fitting = n;
        else
            too_large = n;
    }
    return fitting;
}

/* The engine tells of a GPU. */
static void tell_gpu(void *user, const pc_device *told)
{
    listing *listing = user;
    pc_device device = *told;
    if (!*told->missing) {
        pci_devices alone = {.kind = PCI_DEVICE_CUDA, .n = 1, .index = {told->index}};
        const pci_devices *wanted = &listing->context->devices;
        bool is_named = wanted->all || (wanted->kind == PCI_DEVICE_AUTO && told->index == 0);
        for (int d = 0; d < wanted->n; d++)
            is_named = is_named || wanted->index[d] == told->index;
        device.is_chosen = listing->has_cuda && is_named;
        device.largest_n_theory = largest_in_theory(told->memory_bytes);
        device.largest_n_plan = largest_in_plans(listing, alone);
    }
    listing->tell(listing->user, &device);
}

static void tell_missing(const listing *listing, const char *why)
{
    pc_device none = {.engine = "cuda", .name = "", .missing = why, .kernel = ""};
    listing->tell(listing->user, &none);
}

pc_status pc_devices(pc_context *context, pc_device_fn tell, void *user)
{
    if (!context || !tell)
        return pci_fail_null(context, "tell");
    char why[sizeof context->message];
    const pci_engine *cuda = NULL; /* stays so without a CUDA engine */
    size_t n_words = PCI_MAX_DENSE_VERTICES + 1;
    listing listing = {.context = context, .own = *context, .tell = tell, .user = user};
    listing.graph.symmetric = true;
    listing.graph.row_start = pci_alloc_zero(context, n_words, sizeof *listing.graph.row_start);
    if (!listing.graph.row_start)
        return pci_fail_memory(context, "the rows of a graph", n_words * sizeof(uint64_t));
    /* The engine is opened on the devices of the caller. If these cannot be had, it is opened on the first
     * GPU, as there may be others to list. */
    listing.has_cuda = pci_engine_cuda(&listing.own, &cuda) == PC_OK;
    if (!listing.has_cuda && listing.own.devices.kind == PCI_DEVICE_CUDA) {
        listing.own.devices = (pci_devices){.kind = PCI_DEVICE_AUTO};
        pci_engine_cuda(&listing.own, &cuda);
    }
    memcpy(why, listing.own.message, sizeof why);
    char name[PCI_PROCESSOR_NAME_BYTES];
    pci_engine_info info;
    pci_processor_name(name, sizeof name);
    pc_device device = {
        .engine = pci_engine_cpu.name, .index = -1, .name = name, .missing = "", .kernel = ""};
    if (pci_engine_cpu.describe(&listing.own, &info) != PC_OK) {
        device.missing = listing.own.message;
    } else {
        device.is_chosen = context->devices.kind == PCI_DEVICE_CPU ||
                           (context->devices.kind == PCI_DEVICE_AUTO && !listing.has_cuda);
        device.kernel = info.kernel;
        device.memory_bytes = pci_memory_now("", &context->groups).total;
        device.free_bytes = pci_memory_available(context);
        device.n_multiprocessors = pci_n_threads(context);
        device.largest_n_theory = largest_in_theory(device.memory_bytes);
        device.largest_n_plan = largest_in_plans(&listing, (pci_devices){.kind = PCI_DEVICE_CPU});
    }
    tell(user, &device);
    if (!cuda)
        tell_missing(&listing, why);
    else if (cuda->list_devices(&listing.own, tell_gpu, &listing) != PC_OK)
        tell_missing(&listing, listing.own.message);
    pci_free(context, listing.graph.row_start);
    return PC_OK;
}

/* ==== Rates =================================================================================== */

enum {
    N_RUNS = 2,     /* of which the shortest counts: others were disturbed */
    MOST_RUNS = 6,  /* where the shortest ones differ, so all may have been disturbed */
    N_ROUNDS = 100, /* through all rates, as each one leans on others; after some 20 none changes */
    N_SOURCES = 64
};

/* The second shortest run takes no more of the shortest one's time where nothing disturbs them. */
static const double LIKE = 1.25;

/* However much of the time others seem to have taken, the part has taken this much. */
static const double LEAST_SHARE = 0.2;

/* A rate that a count shows. Rows that follow each other and have the same count share its runs. */
typedef struct experiment {
    enum { ALL = 1, QUICK = 2, QUICK_OF_MANY = 4 } sets; /* that it belongs to */
    pci_part part;
    uint64_t n, n_edges, length;
    pc_method method;
    uint64_t n_sources; /* of a query from so many vertices; 0: the whole matrix */
    size_t stage;       /* of pc_plan_info's seconds: where the part's time is */
} experiment;

#define STAGE(name) offsetof(pc_plan_info, seconds.name)

/* The quick ones take a few milliseconds together. Many threads need a larger product, or waking them is what is
 * measured; passes are of one thread. None may end in a direct square (pathcount.h), from which nothing is collected: it
 * ends in a step, or its entries are too large. */
enum { MANY_THREADS = 8 };

static const experiment experiments[] = {
    {ALL, PCI_PART_PRODUCT, 2048, 16384, 8, PC_METHOD_DENSE, 0, STAGE(product)},
    {ALL, PCI_PART_PLANE, 512, 4096, 64, PC_METHOD_DENSE, 0, STAGE(product)},
    {ALL, PCI_PART_BATCH, 64, 256, 128, PC_METHOD_DENSE, 0, STAGE(product)},
    {ALL, PCI_PART_EXTEND, 512, 4096, 128, PC_METHOD_DENSE, 0, STAGE(extend)},
    {ALL, PCI_PART_STEP, 1024, 8192, 31, PC_METHOD_DENSE, 0, STAGE(step)},
    {ALL, PCI_PART_COLLECT, 1024, 8192, 32, PC_METHOD_DENSE, 0, STAGE(collect)},
    {ALL, PCI_PART_CERTIFY, 1024, 8192, 16, PC_METHOD_DENSE, 0, STAGE(certify)},
    {ALL, PCI_PART_PASS, 2048, 1 << 16, 64, PC_METHOD_SWEEP, N_SOURCES, STAGE(bound)},
    {ALL, PCI_PART_PASS_FAR, 1 << 20, 1 << 21, 4, PC_METHOD_SWEEP, N_SOURCES, STAGE(bound)},
    {ALL, PCI_PART_SWEEP, 1024, 16384, 16, PC_METHOD_SWEEP, 0, STAGE(sweep)},
    {ALL, PCI_PART_SWEEP_FAR, 1 << 18, 1 << 21, 8, PC_METHOD_SWEEP, N_SOURCES, STAGE(sweep)},
    {ALL, PCI_PART_ROWS, 2048, 2048, 2, PC_METHOD_SWEEP, 0, STAGE(sweep)},
    {QUICK, PCI_PART_PRODUCT, 512, 4096, 8, PC_METHOD_DENSE, 0, STAGE(product)},
    {QUICK, PCI_PART_EXTEND, 512, 4096, 8, PC_METHOD_DENSE, 0, STAGE(extend)},
    {QUICK, PCI_PART_COLLECT, 512, 4096, 8, PC_METHOD_DENSE, 0, STAGE(collect)},
    {QUICK, PCI_PART_CERTIFY, 512, 4096, 8, PC_METHOD_DENSE, 0, STAGE(certify)},
    {QUICK_OF_MANY, PCI_PART_PRODUCT, 2048, 16384, 5, PC_METHOD_DENSE, 0, STAGE(product)},
    {QUICK_OF_MANY, PCI_PART_EXTEND, 2048, 16384, 5, PC_METHOD_DENSE, 0, STAGE(extend)},
    {QUICK_OF_MANY, PCI_PART_COLLECT, 2048, 16384, 5, PC_METHOD_DENSE, 0, STAGE(collect)},
    {QUICK_OF_MANY, PCI_PART_CERTIFY, 2048, 16384, 5, PC_METHOD_DENSE, 0, STAGE(certify)},
    {QUICK | QUICK_OF_MANY, PCI_PART_SWEEP, 512, 8192, 8, PC_METHOD_SWEEP, 0, STAGE(sweep)},
    {QUICK | QUICK_OF_MANY, PCI_PART_PASS, 512, 1 << 13, 32, PC_METHOD_SWEEP, 2, STAGE(bound)},
};
enum { N_EXPERIMENTS = sizeof experiments / sizeof *experiments };

/* The result of an experiment. */
typedef struct outcome {
    const experiment *experiment;
    pci_work work;          /* that was done in its stage */
    double seconds, second; /* of the shortest run, and of the second shortest */
} outcome;

static pc_status drop_answer(void *user, uint64_t length, const pc_rows *rows)
{
    (void)user, (void)length, (void)rows;
    return PC_OK;
}

static pc_status run(pc_context *context, const experiment *e, const pc_graph *graph,
                     pc_plan_info *plan)
{
    uint64_t from[N_SOURCES];
    pc_count_options options = {.method = e->method, .n_certify_rounds = CERTIFY_ROUNDS};
    pc_query query = {
        .kind = PC_QUERY_FROM, .length = e->length, .n_asked = e->n_sources, .from = from};
    for (uint64_t i = 0; i < N_SOURCES; i++)
        from[i] = i;
    if (!e->n_sources)
        query = (pc_query){.kind = PC_QUERY_MATRIX, .length = e->length};
    pc_status status = pc_query_run(context, graph, &query, &options, drop_answer, NULL);
    if (status == PC_OK)
        *plan = *pc_plan_last(context);
    return status;
}

/* The work that was done in the experiment's stage. */
static void work_of(const pc_context *context, const experiment *e, const pc_graph *graph,
                    const pc_plan_info *plan, pci_work *work)
{
    pci_sweep_work sweeps = {.n_vectors = e->n_sources,
                             .length = plan->length,
                             .bits = plan->bound_bits,
                             .n_limbs = plan->n_limbs};
    switch (e->part) {
    case PCI_PART_PASS:
    case PCI_PART_PASS_FAR:
        pci_cost_passes(context, graph, (double)e->length, work);
        return;
    case PCI_PART_SWEEP_FAR:
        pci_cost_sweeps(context, graph, &sweeps, work);
        return;
    case PCI_PART_COLLECT:
    case PCI_PART_CERTIFY:
        pci_cost_around(context, graph, plan, CERTIFY_ROUNDS, work);
        break;
    default:
        for (uint32_t l = 0; l < plan->n_levels; l++)
            pci_cost_level(context, graph, plan, l, work);
    }
    static const bool is_product[PCI_N_PARTS] = {
        [PCI_PART_PRODUCT] = true, [PCI_PART_PLANE] = true, [PCI_PART_BATCH] = true};
    static const bool is_sweep[PCI_N_PARTS] = {
        [PCI_PART_SWEEP] = true, [PCI_PART_SWEEP_FAR] = true, [PCI_PART_ROWS] = true};
    for (int p = 0; p < PCI_N_PARTS; p++) /* other stages are timed apart */
        if (p != (int)e->part && !(is_product[p] && is_product[e->part]) &&
            !(is_sweep[p] && is_sweep[e->part]))
            work->units[p] = 0;
}

/* Runs the count that n experiments share, more often where the shortest runs of a stage did not take about the same
 * time. */
static pc_status measure(pc_context *context, int n, outcome *outcomes)
{
    const experiment *e = outcomes->experiment;
    pc_graph *graph = NULL;
    pc_plan_info plan;
    bool do_agree = false;
    const pc_model model = {
        .kind = PC_MODEL_ERDOS_RENYI, .seed = 1, .n_vertices = e->n, .n_edges = e->n_edges};
    pc_status status = pc_generate(context, &model, &graph);
    for (int r = 0; status == PC_OK && r < (do_agree ? N_RUNS : MOST_RUNS); r++) {
        status = run(context, e, graph, &plan);
        do_agree = true;
        for (int i = 0; i < n && status == PC_OK; i++) {
            outcome *o = &outcomes[i];
            double seconds =
                *(const double *)(const void *)((const char *)&plan + o->experiment->stage);
            o->second = fmin(o->second, fmax(o->seconds, seconds));
            o->seconds = fmin(o->seconds, seconds);
            do_agree = do_agree && o->second <= LIKE * o->seconds;
        }
    }
    for (int i = 0; i < n && status == PC_OK; i++)
        work_of(context, outcomes[i].experiment, graph, &plan, &outcomes[i].work);
    pc_graph_free(graph);
    return status;
}

/* The part whose rate is supposed to differ from the one compiled in as much as this part's: its own, or, of parts that are not
 * always measured, that of work of the same kind. Planes around products take part of the same time. */
static const pci_part like[PCI_N_PARTS] = {
    [PCI_PART_PRODUCT] = PCI_PART_PRODUCT, [PCI_PART_PLANE] = PCI_PART_PRODUCT,
    [PCI_PART_BATCH] = PCI_PART_PASS,      [PCI_PART_EXTEND] = PCI_PART_EXTEND,
    [PCI_PART_STEP] = PCI_PART_SWEEP,      [PCI_PART_COLLECT] = PCI_PART_COLLECT,
    [PCI_PART_CERTIFY] = PCI_PART_CERTIFY, [PCI_PART_PASS] = PCI_PART_PASS,
    [PCI_PART_PASS_FAR] = PCI_PART_PASS,   [PCI_PART_SWEEP] = PCI_PART_SWEEP,
    [PCI_PART_SWEEP_FAR] = PCI_PART_SWEEP, [PCI_PART_ROWS] = PCI_PART_SWEEP};

/* Finds the rates of the parts that were measured, by which their stages would have taken the time they took; supposes those
 * of the others where some were not. */
static void solve(pc_context *context, int n, const outcome *outcomes)
{
    const pci_rates own = pci_rates_default();
    const double *compiled = own.per_second;
    double *rates = context->rates.per_second;
    for (int r = 0; r < N_ROUNDS; r++) {
        for (int o = 0; o < n; o++) {
            const experiment *e = outcomes[o].experiment;
            const double *units = outcomes[o].work.units;
            bool is_dense = e->method == PC_METHOD_DENSE;
            int n_threads = is_dense ? pci_run_n_threads(context, e->n) : pci_n_threads(context);
            double others = 0, all = outcomes[o].seconds * pci_cost_threads(n_threads);
            for (int p = 0; p < PCI_N_PARTS; p++)
                others += p != (int)e->part ? units[p] / rates[p] : 0;
            double rate = units[e->part] / fmax(all - others, LEAST_SHARE * all);
            if (isfinite(rate) && rate > 0)
                rates[e->part] = rate;
        }
        for (int p = 0; p < PCI_N_PARTS && n < PCI_N_PARTS; p++)
            if (like[p] != (pci_part)p)
                rates[p] = compiled[p] * rates[like[p]] / compiled[like[p]];
    }
}

/* Measures a set of experiments on the processors, whatever the context's device is. Rates stay as they were if that
 * fails. */
static pc_status replace_rates(pc_context *context, int set)
{
    outcome outcomes[N_EXPERIMENTS];
    int n = 0, n_shared;
    pci_rates before = context->rates;
    pci_devices devices = context->devices;
    pc_status status = PC_OK;
    for (int e = 0; e < N_EXPERIMENTS; e++)
        if (experiments[e].sets & set)
            outcomes[n++] = (outcome){&experiments[e], {{0}}, INFINITY, INFINITY};
    context->devices.kind = PCI_DEVICE_CPU;
    context->rates = pci_rates_default();
    context->rates.is_measured = true; /* so that plans leave them alone */
    for (int first = 0; first < n && status == PC_OK; first += n_shared) {
        n_shared = 1;
        for (const experiment *e = outcomes[first].experiment; first + n_shared < n; n_shared++) {
            const experiment *next = outcomes[first + n_shared].experiment;
            if (e->n != next->n || e->n_edges != next->n_edges || e->length != next->length ||
                e->method != next->method || e->n_sources != next->n_sources)
                break;
        }
        status = pci_progress(context, "calibrate", (double)first / n);
        if (status == PC_OK)
            status = measure(context, n_shared, &outcomes[first]);
    }
    if (status == PC_OK)
        solve(context, n, outcomes);
    else
        context->rates = before;
    context->devices = devices;
    return status;
}

pc_status pc_calibrate_quickly(pc_context *context, int *has_measured)
{
    if (has_measured)
        *has_measured = 0;
    if (!context)
        return PC_ERR_ARGUMENT;
    if (context->rates.is_measured)
        return PC_OK;
    pc_progress_fn progress = context->progress;
    context->progress = NULL; /* it is over before anybody could look */
    pc_status status =
        replace_rates(context, pci_n_threads(context) >= MANY_THREADS ? QUICK_OF_MANY : QUICK);
    context->progress = progress;
    if (has_measured)
        *has_measured = status == PC_OK;
    return status;
}

pc_status pc_calibrate(pc_context *context, pc_rate_fn tell, void *user)
{
    if (!context)
        return PC_ERR_ARGUMENT;
    pc_status status = replace_rates(context, ALL);
    if (status != PC_OK)
        return status;
    for (int p = 0; p < PCI_N_PARTS && tell; p++)
        tell(user, &(pc_rate){pci_rate_rows[p].name, pci_rate_rows[p].unit,
                              context->rates.per_second[p]});
    return PC_OK;
}

/* An engine in a shared object that pretends to be the CUDA engine and has the CPU do its work. The
 * environment variable FAKE_ENGINE says how it behaves:
 *
 *   (nothing)     it works, and says that it is very fast
 *   slow          it works, and says that it is very slow
 *   stranger      refuses as an engine of another build does
 *   broken        finds no GPU
 *   visible       fails, and says which GPUs CUDA would see
 *   small, hungry its forecast says: too little device memory, or much too much host memory
 *   frugal        its forecast says: no host memory
 *   strayed       its reduced products have a step too many, or one too few
 *   unreduced     its residues have one word that is right but not reduced
 *   aggregating   refuses to let blocks of rows be collected
 *   digits        squares digits, by residues of more moduli
 *   collecting    has no aggregates, and keeps no power modulo a number
 *   listless      cannot list its GPUs; else there are two, the second of them defective
 *   flip:N        a bit of what is read the Nth time (from 1) is wrong, of rows, words or sweeps
 *   memory:N, engine:N    operation N of a run or sweep (from 1) fails with that status */
#include "src/engine/engine.h"
#include "tests/support/plain_aggregates.h"

#include <stdlib.h>
#include <string.h>

/* A run of the CPU engine, with the rows that were lent last. */
typedef struct fake_run {
    pc_context *context;
    uint64_t n;
    pci_run *inner;
    uint64_t *lent;
    uint32_t n_moduli; /* of the last product or step */
    const pc_graph *graph;
    pc_graph *
        quotient; /* S B + L (graphs/partition.h), which the CPU powers where the graph has classes; else NULL */
    bool is_odd;     /* the length of the power; known of a quotient */
    uint64_t number; /* that it was reduced by; 0: it is exact */
} fake_run;

/* Entries of the power of a quotient are wider than those between classes, by the size of a class. */
enum { MORE_MODULI = 4 };

static uint32_t moduli_for(const fake_run *fake, uint32_t n_moduli)
{
    return fake->quotient ? n_moduli + MORE_MODULI : n_moduli;
}

static const char *behaviour = "";
static int n_operations; /* so far */
static int n_reads;      /* of them: those that gave counts */

static bool behaves(const char *name)
{
    return strcmp(behaviour, name) == 0;
}

/* Called by every operation first. */
static pc_status operate(pc_context *context)
{
    n_operations++;
    const char *colon = strchr(behaviour, ':');
    if (!colon || behaviour[0] == 'f' || atoi(colon + 1) != n_operations)
        return PC_OK;
    pc_status status = behaviour[0] == 'm' ? PC_ERR_MEMORY : PC_ERR_ENGINE;
    return pci_fail(context, status, "fake operation %d gave up", n_operations);
}

/* Called with counts that were read. */
static void flip(uint64_t *words)
{
    n_reads++;
    if (strncmp(behaviour, "flip:", 5) == 0 && atoi(behaviour + 5) == n_reads)
        words[0] ^= 4;
}

static pc_status describe(pc_context *context, pci_engine_info *info)
{
    (void)context;
    *info = (pci_engine_info){
        .kernel = "fake",
        .device = "fake GPU",
        .n_devices = 1,
        .ops_per_second = behaves("slow") ? 1e6 : 1e18,
        .transfer_per_second = 1e12,
        .squares_digits = behaves("digits"),
    };
    return PC_OK;
}

static pc_status forecast(pc_context *context, const pc_graph *graph, const pc_plan_info *plan,
                          pci_forecast *forecast)
{
    if (behaves("small"))
        return pci_fail(context, PC_ERR_MEMORY, "fake device is too small");
    pc_status status = pci_engine_cpu.forecast(context, graph, plan, forecast);
    if (behaves("hungry"))
        forecast->levels = UINT64_MAX / 4;
    if (behaves("frugal"))
        *forecast = (pci_forecast){0};
    forecast->device = 1000;
    forecast->device_available = 2000;
    return status;
}

static void end(pci_run *run)
{
    fake_run *fake = (fake_run *)run;
    if (!fake)
        return;
    pci_engine_cpu.end(fake->inner);
    pc_graph_free(fake->quotient);
    pci_free(fake->context, fake->lent);
    pci_free(fake->context, fake);
}

static pc_status make_quotient(pc_context *context, const pc_graph *between, pc_graph **quotient)
{
    const pci_classes *classes = &between->classes;
    uint64_t n = between->n, n_arcs = pci_graph_n_arcs(between);
    pci_sparse rows;
    pc_status status = pci_sparse_create(context, n, n, n_arcs, 1, &rows);
    if (status != PC_OK)
        return status;
    for (uint64_t c = 0; c < n; c++) {
        rows.row_start[c] = between->row_start[c];
        for (uint64_t a = between->row_start[c]; a < between->row_start[c + 1]; a++) {
            rows.column[a] = between->column[a];
            rows.limbs[a] = pci_graph_weight(between, a) * classes->size[c] -
                            (between->column[a] == c && classes->is_adjacent[c]);
        }
    }
    return pci_graph_adopt(context, &rows, quotient);
}

static pc_status begin(pc_context *context, const pc_graph *graph, const pc_partition *partition,
                       const pci_moduli *moduli, uint32_t n_most, pci_run **run)
{
    /* plans were made for the slowest CPU kernel, so that a GPU pays: nobody need wait for it */
    unsetenv("PATHCOUNT_CPU");
    pc_status status = operate(context);
    if (status != PC_OK)
        return status;
    fake_run *fake = pci_alloc_zero(context, 1, sizeof *fake);
    if (!fake)
        return pci_fail_memory(context, "a fake run", sizeof *fake);
    fake->context = context;
    fake->graph = graph;
    fake->n = partition ? partition->n_blocks : graph->n;
    if (graph->classes.size)
        status = make_quotient(context, graph, &fake->quotient);
    if (status == PC_OK)
        status = pci_engine_cpu.begin(context, fake->quotient ? fake->quotient : graph, partition,
                                      moduli, moduli_for(fake, n_most), &fake->inner);
    if (status != PC_OK)
        end((pci_run *)fake);
    else
        *run = (pci_run *)fake;
    return status;
}

static pc_status load(pci_run *run, uint32_t n_moduli)
{
    fake_run *fake = (fake_run *)run;
    pc_status status = operate(fake->context);
    fake->is_odd = true;
    return status == PC_OK ? pci_engine_cpu.load(fake->inner, moduli_for(fake, n_moduli)) : status;
}

static pc_status load_words(pci_run *run, const uint64_t *words, uint32_t n_moduli)
{
    fake_run *fake = (fake_run *)run;
    pc_status status = operate(fake->context);
    return status == PC_OK ? pci_engine_cpu.load_words(fake->inner, words, n_moduli) : status;
}

static pc_status extend(pci_run *run, uint32_t n_moduli)
{
    fake_run *fake = (fake_run *)run;
    pc_status status = operate(fake->context);
    return status == PC_OK ? pci_engine_cpu.extend(fake->inner, moduli_for(fake, n_moduli))
                           : status;
}

static pc_status square(pci_run *run, uint32_t n_moduli)
{
    fake_run *fake = (fake_run *)run;
    fake->n_moduli = n_moduli;
    pc_status status = operate(fake->context);
    fake->is_odd = false;
    return status == PC_OK ? pci_engine_cpu.square(fake->inner, moduli_for(fake, n_moduli))
                           : status;
}

static pc_status square_digits(pci_run *run, uint32_t n_moduli)
{
    pc_status status = extend(run, n_moduli);
    return status == PC_OK ? square(run, n_moduli) : status;
}

static pc_status step(pci_run *run, uint32_t n_moduli)
{
    fake_run *fake = (fake_run *)run;
    fake->n_moduli = n_moduli;
    pc_status status = operate(fake->context);
    fake->is_odd = !fake->is_odd;
    return status == PC_OK ? pci_engine_cpu.step(fake->inner, moduli_for(fake, n_moduli)) : status;
}

static pc_status reduce(pci_run *run, bool is_step, uint32_t n_moduli)
{
    fake_run *fake = (fake_run *)run;
    pc_status status = operate(fake->context);
    if (behaves("strayed"))
        is_step = !is_step;
    return status == PC_OK ? pci_engine_cpu.reduce(fake->inner, is_step, n_moduli) : status;
}

static void trim(pci_run *run)
{
    pci_engine_cpu.trim(((fake_run *)run)->inner);
}

/* A row of entries between classes: those of the power of a quotient have a word more. */
static pc_status divide_row(const fake_run *fake, uint64_t row, uint32_t n_limbs, uint64_t *space)
{
    uint32_t n_words = n_limbs + 1;
    uint64_t n = fake->n, size = fake->graph->classes.size[row];
    uint64_t *wide = pci_alloc(fake->context, n * n_words * sizeof *wide),
             *own = wide + row * n_words;
    const uint64_t *limbs = NULL;
    pc_status status =
        wide ? pci_engine_cpu.collect(fake->inner, row, 1, n_words, wide, &limbs)
             : pci_fail_memory(fake->context, "a fake row", n * n_words * sizeof *wide);
    if (status == PC_OK && limbs != wide)
        memcpy(wide, limbs, n * n_words * sizeof *wide);
    for (uint32_t l = 0;
         status == PC_OK && !fake->number && fake->graph->classes.is_adjacent[row] && l < n_words;
         l++) {
        own[l] += fake->is_odd ? 1 : UINT64_MAX; /* 1 is taken off where the length is even */
        if (own[l] != (fake->is_odd ? 0 : UINT64_MAX))
            break; /* nothing is carried */
    }
    for (uint64_t d = 0; d < n && status == PC_OK; d++) {
        unsigned __int128 rest = 0;
        if (fake->number) { /* of all numbers s + t number, one is a multiple of the size */
            bool is_own = d == row && fake->graph->classes.is_adjacent[row];
            rest = wide[d * n_words] + (unsigned __int128)fake->number;
            rest += is_own ? (fake->is_odd ? 1 : -1) : 0;
            while (rest % size)
                rest += fake->number;
            space[d * n_limbs] = (uint64_t)(rest / size % fake->number);
            continue;
        }
        for (uint32_t l = n_words; l-- > 0; rest %= size) {
            rest = rest << 64 | wide[d * n_words + l];
            if (l < n_limbs)
                space[d * n_limbs + l] = (uint64_t)(rest / size);
        }
    }
    pci_free(fake->context, wide);
    return status;
}

/* One row of the CPU engine, in space. */
static pc_status collect_row(const fake_run *fake, uint64_t row, uint32_t n_limbs, uint64_t *space)
{
    const uint64_t *limbs;
    if (fake->quotient)
        return divide_row(fake, row, n_limbs, space);
    pc_status status = pci_engine_cpu.collect(fake->inner, row, 1, n_limbs, space, &limbs);
    if (status == PC_OK && limbs != space)
        memcpy(space, limbs, fake->n * n_limbs * sizeof *space);
    return status;
}

/* Rows are lent, and space is not touched. */
static pc_status collect(pci_run *run, uint64_t first_row, uint64_t n_rows, uint32_t n_limbs,
                         uint64_t *space, const uint64_t **limbs)
{
    (void)space;
    fake_run *fake = (fake_run *)run;
    size_t bytes = n_rows * fake->n * n_limbs * sizeof *fake->lent;
    pc_status status = operate(fake->context);
    if (status == PC_OK && behaves("aggregating"))
        status = pci_fail(fake->context, PC_ERR_INTERNAL, "fake rows are not to be collected");
    if (status != PC_OK)
        return status;
    pci_free(fake->context, fake->lent);
    fake->lent = pci_alloc(fake->context, bytes);
    if (!fake->lent)
        return pci_fail_memory(fake->context, "fake rows", bytes);
    if (!fake->quotient)
        status = pci_engine_cpu.collect(fake->inner, first_row, n_rows, n_limbs, fake->lent, limbs);
    else
        *limbs = fake->lent;
    for (uint64_t i = 0; i < n_rows && fake->quotient && status == PC_OK; i++)
        status = divide_row(fake, first_row + i, n_limbs, fake->lent + i * fake->n * n_limbs);
    if (status == PC_OK)
        flip((uint64_t *)*limbs);
    return status;
}

static pc_status aggregate(pci_run *run, pci_aggregates *a)
{
    fake_run *fake = (fake_run *)run;
    uint64_t n = fake->n, *space = pci_alloc(fake->context, n * a->n_limbs * sizeof *space);
    pc_status status = space ? operate(fake->context)
                             : pci_fail_memory(fake->context, "a fake row", n * sizeof *space);
    for (uint64_t row = 0; row < n && status == PC_OK; row++) {
        status = collect_row(fake, row, a->n_limbs, space);
        for (int c = 0; c < PCI_AGGREGATE_COPIES && a->record[c] && status == PC_OK; c++)
            plain_record(space, fake->graph->classes.size, n, a->n_limbs, row,
                         pci_record(a, c, row));
        for (int c = 0; c < PCI_AGGREGATE_COPIES && a->cells.row_span && status == PC_OK; c++)
            plain_cells(space, n, a->n_limbs, row, c, &a->cells);
        for (uint32_t d = 0; d < a->n_dots && status == PC_OK; d++)
            a->dot[d * n + row] = plain_dot(space, n, a->n_limbs, a->dots[d].x, a->dots[d].modulus);
    }
    pci_free(fake->context, space);
    if (status != PC_OK)
        return status;
    for (int c = 0; c < PCI_AGGREGATE_COPIES && a->record[c]; c++) {
        flip(pci_record(a, c, 0)); /* its sum */
        flip((uint64_t *)pci_record_diagonal(pci_record(a, c, n - 1), a->n_limbs));
    }
    for (int c = 0; c < PCI_AGGREGATE_COPIES && a->cells.row_span; c++) {
        flip(a->cells.key[c]);
        flip(a->cells.tally[c]);
    }
    if (a->n_dots)
        flip(a->dot);
    return PC_OK;
}

/* All of P, as integers of n_limbs words. */
static pc_status collect_all(const fake_run *fake, uint32_t n_limbs, uint64_t *limbs)
{
    pc_status status = PC_OK;
    for (uint64_t row = 0; row < fake->n && status == PC_OK; row++)
        status = collect_row(fake, row, n_limbs, limbs + row * fake->n * n_limbs);
    return status;
}

/* P, then A P, and the products of their rows and columns. */
static pc_status diagonal(pci_run *run, bool is_step, uint32_t n_moduli, uint32_t n_limbs,
                          uint64_t *limbs)
{
    fake_run *fake = (fake_run *)run;
    size_t words = fake->n * fake->n * n_limbs;
    uint64_t *factors = pci_alloc(fake->context, 2 * words * sizeof *factors);
    pc_status status = factors ? operate(fake->context)
                               : pci_fail_memory(fake->context, "fake factors", 1);
    (void)n_moduli;
    if (status == PC_OK)
        status = collect_all(fake, n_limbs, factors);
    if (status == PC_OK) {
        plain_diagonal(fake->graph, is_step, factors, n_limbs, factors + words, limbs);
        flip(limbs);
    }
    pci_free(fake->context, factors);
    return status;
}

static pc_status collect_selected(pci_run *run, uint64_t n_rows, const uint64_t *rows,
                                  uint32_t n_limbs, uint64_t *limbs)
{
    fake_run *fake = (fake_run *)run;
    pc_status status = operate(fake->context);
    for (uint64_t i = 0; i < n_rows && status == PC_OK; i++)
        status = collect_row(fake, rows[i], n_limbs, limbs + i * fake->n * n_limbs);
    if (status == PC_OK && n_rows)
        flip(limbs);
    return status;
}

static pc_status collect_modular(pci_run *run, uint64_t modulus, uint64_t *words)
{
    fake_run *fake = (fake_run *)run;
    pc_status status = operate(fake->context);
    if (status == PC_OK)
        status = pci_engine_cpu.collect_modular(fake->inner, modulus, words);
    if (status == PC_OK)
        flip(words);
    if (status == PC_OK && behaves("unreduced"))
        words[fake->n * fake->n - 1] += modulus;
    return status;
}

static pc_status reduce_modulo(pci_run *run, uint64_t modulus)
{
    fake_run *fake = (fake_run *)run;
    size_t bytes = fake->n * fake->n * sizeof(uint64_t);
    uint64_t *words = pci_alloc(fake->context, bytes);
    pc_status status = words ? collect_modular(run, modulus, words)
                             : pci_fail_memory(fake->context, "fake words", bytes);
    if (status == PC_OK)
        status = pci_engine_cpu.load_words(fake->inner, words, moduli_for(fake, fake->n_moduli));
    fake->number = modulus;
    pci_free(fake->context, words);
    return status;
}

/* ---- Sweeps: those of the processors, each call an operation --------------------------------- */

typedef struct fake_sweep {
    pc_context *context;
    pci_sweep *inner;
} fake_sweep;

static pci_sweep *inner_of(pci_sweep *sweep)
{
    return ((fake_sweep *)sweep)->inner;
}

static void sweep_free(pci_sweep *sweep)
{
    fake_sweep *fake = (fake_sweep *)sweep;
    if (!fake)
        return;
    pci_sweep_cpu.free(fake->inner);
    pci_free(fake->context, fake);
}

static pc_status sweep_create(pc_context *context, const pc_graph *graph,
                              const pci_sweep_options *options, pci_sweep **sweep)
{
    pc_status status = operate(context);
    if (status != PC_OK)
        return status;
    fake_sweep *fake = pci_alloc_zero(context, 1, sizeof *fake);
    if (!fake)
        return pci_fail_memory(context, "a fake sweep", sizeof *fake);
    fake->context = context;
    status = pci_sweep_cpu.create(context, graph, options, &fake->inner);
    if (status != PC_OK)
        sweep_free((pci_sweep *)fake);
    else
        *sweep = (pci_sweep *)fake;
    return status;
}

static void sweep_clear(pci_sweep *sweep)
{
    pci_sweep_cpu.clear(inner_of(sweep));
}

static void sweep_add(pci_sweep *sweep, uint32_t vector, uint64_t vertex, uint64_t value)
{
    pci_sweep_cpu.add(inner_of(sweep), vector, vertex, value);
}

static pc_status sweep_step(pci_sweep *sweep)
{
    pc_status status = operate(((fake_sweep *)sweep)->context);
    return status == PC_OK ? pci_sweep_cpu.step(inner_of(sweep)) : status;
}

static pc_status sweep_rows(pci_sweep *sweep, uint32_t first, uint32_t n_vectors, uint32_t n_limbs,
                            bool adds, uint64_t *limbs)
{
    pc_status status = operate(((fake_sweep *)sweep)->context);
    if (status == PC_OK)
        status = pci_sweep_cpu.rows(inner_of(sweep), first, n_vectors, n_limbs, adds, limbs);
    if (status == PC_OK)
        flip(limbs);
    return status;
}

static uint64_t sweep_bytes(const pc_graph *graph, const pci_sweep_options *options)
{
    uint64_t bytes = pci_sweep_cpu.bytes(graph, options);
    return bytes < UINT64_MAX ? bytes + sizeof(fake_sweep) : bytes;
}

static const pci_sweep_ops fake_sweeps = {
    .create = sweep_create,
    .free = sweep_free,
    .clear = sweep_clear,
    .add = sweep_add,
    .step = sweep_step,
    .rows = sweep_rows,
    .bytes = sweep_bytes,
};

static pc_status list_devices(pc_context *context, pc_device_fn tell, void *user)
{
    if (behaves("listless"))
        return pci_fail(context, PC_ERR_ENGINE, "fake list is not to be had");
    tell(user, &(pc_device){
                   .engine = "cuda",
                   .index = 0,
                   .name = "fake GPU",
                   .missing = "",
                   .kernel = "fake",
                   .memory_bytes = UINT64_C(24000000),
                   .free_bytes = UINT64_C(20000000),
                   .n_multiprocessors = 7,
                   .major = 9,
                   .minor = 1,
                   .clock_mhz = 1234.5,
                   .memory_clock_mhz = 2345,
                   .memory_bus_bits = 4096,
                   .l2_bytes = 1 << 20,
                   .max_threads_per_block = 1024,
                   .max_threads_per_multiprocessor = 2048,
                   .max_blocks_per_multiprocessor = 32,
                   .registers_per_multiprocessor = 65536,
                   .shared_per_multiprocessor = 233472,
                   .shared_per_block = 232448,
               });
    tell(user, &(pc_device){.engine = "cuda",
                            .index = 1,
                            .name = "fake GPU",
                            .missing = "fake GPU is defective",
                            .kernel = ""});
    return PC_OK;
}

static pci_engine engine_fake = {
    .name = "cuda",
    .n_moduli = PCI_N_NOT_FULL,
    .has_classes = true,
    .describe = describe,
    .forecast = forecast,
    .begin = begin,
    .end = end,
    .load = load,
    .load_words = load_words,
    .extend = extend,
    .square = square,
    .square_digits = square_digits,
    .step = step,
    .reduce = reduce,
    .trim = trim,
    .collect = collect,
    .collect_modular = collect_modular,
    .collect_selected = collect_selected,
    .reduce_modulo = reduce_modulo,
    .diagonal = diagonal,
    .sweeps = &fake_sweeps,
    .list_devices = list_devices,
};

/* PCI_ENGINE_OPEN */
pc_status pci_engine_cuda_open(pc_context *context, const char *built_for,
                               const pci_engine **engine);

pc_status pci_engine_cuda_open(pc_context *context, const char *built_for,
                               const pci_engine **engine)
{
    const char *asked = getenv("FAKE_ENGINE");
    behaviour = asked ? asked : "";
    n_operations = n_reads = 0;
    if (behaves("stranger") || strcmp(built_for, PCI_ENGINE_BUILD) != 0)
        return PC_ERR_ENGINE;
    if (behaves("broken"))
        return pci_fail(context, PC_ERR_ENGINE, "fake finds no GPU");
    if (behaves("visible")) {
        const char *visible = getenv("CUDA_VISIBLE_DEVICES");
        return pci_fail(context, PC_ERR_ENGINE, "fake sees %s", visible ? visible : "all");
    }
    engine_fake.aggregate = behaves("collecting") ? NULL : aggregate;
    *engine = &engine_fake;
    return PC_OK;
}

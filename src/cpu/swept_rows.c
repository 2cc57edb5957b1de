/* Rows by sweeps, block after block. */
#include "src/cpu/swept_rows.h"

#include "src/core/context.h"

#include <omp.h>

enum {
    MOST_VECTORS = 64,          /* of a block */
    LINE_BYTES = 192,           /* that the entries of a vertex take at least, ... */
    SHORT_LINE_BYTES = 256,     /* ... or this many when there are 8 of them */
    LEAST_VECTORS = 8,          /* fewer leave registers empty */
    MOST_BATCH_BYTES = 16 << 20 /* of rows, where the blocks that are sent at once take no more */
};

/* Words in a register's width: done in the time of one elementary operation. */
static const double ADDITIONS_AT_ONCE = 8;

/* Additions of words of a block that one thread sends: about half a second, so that threads end together. */
static const double MOST_ADDITIONS = 4e9;

struct pci_swept {
    pc_context *context;
    pci_swept_options options;
    uint32_t n_block;
    uint64_t n_piece;  /* rows, where they are taken in pieces, less than n_block; else 0 */
    int n_sweeps;      /* 1, or each with a thread of its own */
    pci_sweep **sweep; /* [n_sweeps] */
};

/* ---- How many at a time ---------------------------------------------------------------------- */

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

typedef struct shape {
    pci_sweep_options sweep;
    int n_sweeps;
} shape;

/* The most words that are held. */
static double additions_of(const pci_swept_options *options, double n_vectors)
{
    double n_words = 1 + (options->modulus ? 0 : options->bits[options->length] / 64);
    return (double)pci_graph_n_arcs(options->along) * (double)options->length * n_vectors * n_words;
}

static pci_sweep_options sweep_of(const pci_swept_options *options, uint64_t n_vectors,
                                  int n_threads)
{
    return (pci_sweep_options){.n_vectors = (uint32_t)n_vectors,
                               .length = options->length,
                               .bits = options->bits,
                               .modulus = options->modulus,
                               .adds_starts = options->adds_starts,
                               .n_threads = n_threads};
}

/* The least power of two whose line has LINE_BYTES. Each arc finds a line; of three cache lines, finding it
 * takes little of the time that adding it up takes, and wider ones only take the caches from each other.
 * Eight vectors are two registers a limb, so the loop itself takes more of the time, and their line must
 * have more. That was measured with AVX2 for entries of 26 to 505 bits and graphs of 512 to 262144
 * vertices, within the caches and beyond them: any one number of vectors for all is up to 2.5 times slower
 * for some of them, and other numbers than powers of two, which leave part of the registers empty, gain
 * nothing. */
uint32_t pci_swept_width(double entry_bytes)
{
    uint32_t n = LEAST_VECTORS;
    if (entry_bytes * n >= SHORT_LINE_BYTES)
        return n;
    do
        n *= 2;
    while (n < MOST_VECTORS && entry_bytes * n < LINE_BYTES);
    return n;
}

/* Devices have widths of their own. */
static uint32_t best_vectors(const pci_swept_options *options)
{
    const pc_graph *graph = options->along;
    uint32_t n = LEAST_VECTORS;
    uint64_t n_entries = 2 * graph->n * n;
    pci_sweep_options narrow = sweep_of(options, n, 1), wide = sweep_of(options, 2 * n, 1);
    if (!options->sweeps->on_processors || n_entries == 0)
        return MOST_VECTORS;
    uint64_t bytes = pci_sweep_bytes(graph, &wide) - pci_sweep_bytes(graph, &narrow);
    return pci_swept_width((double)(bytes / n_entries));
}

/* Sweeps with a thread each, all registers full. n_sweeps is 0 where all threads should share one sweep: many threads
 * have too few vectors each, while a step is worth them; or the two blocks of a sweep do not stay near the thread that sends
 * them, or take it long. */
static shape own_sweeps(const pc_context *context, const pci_swept_options *options, uint64_t most,
                        uint64_t n_vectors, int n_threads)
{
    uint64_t a_thread = (most + (unsigned)n_threads - 1) / (unsigned)n_threads;
    uint64_t n = (a_thread + LEAST_VECTORS - 1) / LEAST_VECTORS * LEAST_VECTORS;
    n = least(least(n, n_vectors), most); /* of one thread that may be fewer */
    int n_sweeps = (int)least((uint64_t)n_threads, (most + n - 1) / n);
    double n_steps = options->length ? (double)options->length : 1;
    double step = additions_of(options, (double)least(most, n_vectors)) / n_steps;
    pci_sweep_options own = sweep_of(options, n, 1);
    bool are_enough =
        2 * n_sweeps >= n_threads || n_sweeps >= pci_threads_for(context, step / ADDITIONS_AT_ONCE);
    bool suit =
        most >= LEAST_VECTORS && are_enough && options->sweeps == &pci_sweep_cpu &&
        options->sweeps->bytes(options->along, &own) <= pci_cache_bytes(context, n_sweeps) &&
        additions_of(options, (double)n) <= MOST_ADDITIONS;
    return (shape){own, suit ? n_sweeps : 0};
}

/* Each process that has a part of the graph may send vectors of its own, along the whole graph. While a share and the graph
 * stay in the caches, lines need not travel. A saved line has all vectors, so the processes share the vertices of a sweep
 * that is saved. */
static shape shape_of(pc_context *context, const pci_swept_options *options)
{
    uint64_t most = options->most_starts ? options->most_starts : 1;
    int n_threads =
        pci_threads_for(context, additions_of(options, (double)most) / ADDITIONS_AT_ONCE);
    uint32_t n_vectors = best_vectors(options);
    shape own = own_sweeps(context, options, most, n_vectors, n_threads);
    if (own.n_sweeps > 0)
        return own;
    pci_sweep_options shared = sweep_of(options, least(most, n_vectors), n_threads);
    const pci_parts *parts = options->along->parts;
    if (!parts || parts->n_processes < 2 || options->stays || options->sweeps->saves)
        return (shape){shared, 1};
    uint64_t n_shares = (uint64_t)parts->n_processes;
    uint64_t n = least(options->most_starts / n_shares, n_vectors);
    pci_sweep_options apart = sweep_of(options, n * n_shares, n_threads);
    apart.n_shares = (uint32_t)n_shares;
    bool suits = n >= LEAST_VECTORS &&
                 options->sweeps->bytes(options->along, &apart) <= pci_cache_bytes(context, 1);
    return (shape){suits ? apart : shared, 1};
}

uint32_t pci_swept_together(pc_context *context, const pci_swept_options *options)
{
    return shape_of(context, options).sweep.n_vectors;
}

static uint64_t row_bytes(const pci_swept_options *options)
{
    return options->along->n * options->n_limbs * sizeof(uint64_t);
}

/* Rows of a piece of a sweep that all threads share, 0 if it is not cut: whole groups of lanes, since each
 * piece reads all lines. A graph in parts has fewer, since the first process holds rows of all vertices. */
static uint64_t cut_piece(const pci_swept_options *options, const shape *shape)
{
    const pci_parts *parts = options->along->parts;
    uint64_t n_block = shape->sweep.n_vectors, n = n_block, group = LEAST_VECTORS;
    if (parts)
        group = (group + (unsigned)parts->n_processes - 1) / (unsigned)parts->n_processes;
    while (n > group && n * row_bytes(options) > MOST_BATCH_BYTES)
        n = (n / 2 + group - 1) / group * group;
    return shape->n_sweeps > 1 || n >= n_block ? 0 : n;
}

uint64_t pci_swept_piece(pc_context *context, const pci_swept_options *options, uint64_t n_starts)
{
    shape shape = shape_of(context, options);
    uint64_t n = cut_piece(options, &shape);
    return n ? least(n, n_starts) : n_starts;
}

/* Rows are reduced and certified when a batch is made: most of them from a processor's own cache, if it is small, but
 * threads wait for each other at the end of each batch. */
uint64_t pci_swept_batch(pc_context *context, const pci_swept_options *options, uint64_t n_starts)
{
    shape shape = shape_of(context, options);
    uint64_t n = shape.sweep.n_vectors * (uint64_t)shape.n_sweeps;
    uint64_t near_bytes = 2 * (uint64_t)pci_n_threads(context) * context->own_cache_bytes;
    uint64_t most_bytes = least(near_bytes, MOST_BATCH_BYTES);
    while (n < options->most_starts && 2 * n * row_bytes(options) <= most_bytes)
        n *= 2;
    return least(least(n, options->most_starts), n_starts);
}

uint64_t pci_swept_bytes(pc_context *context, const pci_swept_options *options)
{
    shape shape = shape_of(context, options);
    uint64_t bytes = options->sweeps->bytes(options->along, &shape.sweep);
    if (bytes > UINT64_MAX / 2 / (uint64_t)shape.n_sweeps)
        return UINT64_MAX;
    return (bytes + sizeof(pci_sweep *)) * (uint64_t)shape.n_sweeps + sizeof(pci_swept);
}

/* ---- Made ------------------------------------------------------------------------------------ */

pc_status pci_swept_create(pc_context *context, const pci_swept_options *options, pci_swept **swept)
{
    shape shape = shape_of(context, options);
    pci_swept *made = pci_alloc_zero(context, 1, sizeof *made);
    if (!made)
        return pci_fail_memory(context, "sweeps", sizeof *made);
    *made = (pci_swept){.context = context,
                        .options = *options,
                        .n_block = shape.sweep.n_vectors,
                        .n_piece = cut_piece(options, &shape),
                        .n_sweeps = shape.n_sweeps};
    pc_status status = PC_OK;
    made->sweep = pci_alloc_zero(context, (size_t)made->n_sweeps, sizeof *made->sweep);
    if (!made->sweep)
        status = pci_fail_memory(context, "sweeps", (size_t)made->n_sweeps * sizeof *made->sweep);
    for (int s = 0; s < made->n_sweeps && status == PC_OK; s++)
        status = options->sweeps->create(context, options->along, &shape.sweep, &made->sweep[s]);
    if (status == PC_OK)
        *swept = made;
    else
        pci_swept_free(made);
    return status;
}

void pci_swept_free(pci_swept *swept)
{
    if (!swept)
        return;
    for (int s = 0; swept->sweep && s < swept->n_sweeps; s++)
        if (swept->sweep[s])
            swept->options.sweeps->free(swept->sweep[s]);
    pci_free(swept->context, swept->sweep);
    pci_free(swept->context, swept);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* The rows that were asked for. */
typedef struct wish {
    uint64_t n_starts;
    const uint64_t *starts;
    uint64_t first;
    uint64_t *limbs;
    uint64_t
        *before; /* where rows of one step less go, of so many words; NULL: nobody wants them */
    uint32_t n_before;
    pci_swept_take_fn take; /* NULL: nobody takes pieces */
    void *user;
    bool keeps;      /* in parts: rows have numbers ... */
    uint32_t number; /* ... from this one on */
} wish;

static uint64_t n_blocks_of(const pci_swept *swept, const wish *wish)
{
    return (wish->n_starts + swept->n_block - 1) / swept->n_block;
}

static void add_starts(const pci_sweep_ops *sweeps, pci_sweep *sweep, const wish *wish, uint64_t at,
                       uint64_t n)
{
    for (uint64_t v = 0; v < n; v++)
        sweeps->add(sweep, (uint32_t)v, wish->starts ? wish->starts[at + v] : wish->first + at + v,
                    1);
}

/* shared: as for pci_goes_on; NULL: the one sweep that there is asks by itself. */
static pc_status make_block(const pci_swept *swept, pci_sweep *sweep, const wish *wish,
                            uint64_t block, pc_status *shared)
{
    const pci_swept_options *options = &swept->options;
    const pci_sweep_ops *sweeps = options->sweeps;
    uint64_t at = block * swept->n_block, n = least(wish->n_starts - at, swept->n_block);
    double done = (double)block / (double)n_blocks_of(swept, wish);
    pc_status status = PC_OK;
    sweeps->clear(sweep);
    add_starts(sweeps, sweep, wish, at, n);
    for (uint64_t l = 0; l < options->length && status == PC_OK; l++) {
        if (wish->before && l + 1 == options->length)
            status = sweeps->rows(sweep, 0, (uint32_t)n, wish->n_before, false,
                                  wish->before + at * options->along->n * wish->n_before);
        if (status == PC_OK)
            status = shared && !pci_goes_on(swept->context, "sweep", done, shared)
                         ? PC_ERR_CANCELLED
                         : sweeps->step(sweep);
        if (status == PC_OK && options->adds_starts && l + 1 < options->length)
            add_starts(sweeps, sweep, wish, at, n);
    }
    if (status != PC_OK)
        return status;
    if (wish->keeps)
        return sweeps->keep(sweep, 0, (uint32_t)n, options->n_limbs,
                            wish->number + (uint32_t)at * PCI_SLICES_STRIDE);
    for (uint64_t v = 0; v < n && wish->take && swept->n_piece; v += swept->n_piece) {
        uint64_t n_rows = least(swept->n_piece, n - v);
        status = sweeps->rows(sweep, (uint32_t)v, (uint32_t)n_rows, options->n_limbs, false,
                              wish->limbs);
        if (status == PC_OK)
            status = wish->take(wish->user, at + v, n_rows);
        if (status != PC_OK || v + n_rows == n)
            return status;
    }
    return sweeps->rows(sweep, 0, (uint32_t)n, options->n_limbs, false,
                        wish->limbs + at * options->along->n * options->n_limbs);
}

static pc_status make_rows(const pci_swept *swept, const wish *wish)
{
    uint64_t n_blocks = n_blocks_of(swept, wish);
    pc_status status = PC_OK;
    for (uint64_t b = 0; b < n_blocks && swept->n_sweeps == 1 && status == PC_OK; b++) {
        status = pci_progress(swept->context, "sweep", (double)b / (double)n_blocks);
        if (status == PC_OK)
            status = make_block(swept, swept->sweep[0], wish, b, NULL);
    }
    if (swept->n_sweeps == 1 || (status = pci_progress(swept->context, "sweep", 0)) != PC_OK)
        return status; /* others may send all blocks */
#pragma omp parallel for num_threads(swept->n_sweeps) schedule(dynamic, 1)
    for (uint64_t b = 0; b < n_blocks; b++) { /* each by one thread */
        pc_status own = make_block(swept, swept->sweep[omp_get_thread_num()], wish, b, &status);
        if (own != PC_OK && own != PC_ERR_CANCELLED)
#pragma omp atomic write
            status = own;
    }
    return pci_gone_on(swept->context, status);
}

pc_status pci_swept_rows(pci_swept *swept, uint64_t n_starts, const uint64_t *starts,
                         uint64_t first, uint64_t *limbs)
{
    wish all = {.n_starts = n_starts, .starts = starts, .first = first, .limbs = limbs};
    return make_rows(swept, &all);
}

pc_status pci_swept_two_rows(pci_swept *swept, uint64_t n_starts, const uint64_t *starts,
                             uint32_t n_before, uint64_t *before, uint64_t *limbs)
{
    wish both = {.n_starts = n_starts,
                 .starts = starts,
                 .limbs = limbs,
                 .before = before,
                 .n_before = n_before};
    return make_rows(swept, &both);
}

pc_status pci_swept_pieces(pci_swept *swept, uint64_t n_starts, const uint64_t *starts,
                           uint64_t first, uint64_t *limbs, pci_swept_take_fn take, void *user)
{
    wish pieces = {.n_starts = n_starts,
                   .starts = starts,
                   .first = first,
                   .limbs = limbs,
                   .take = take,
                   .user = user};
    pc_status status = make_rows(swept, &pieces);
    return status == PC_OK && !swept->n_piece ? take(user, 0, n_starts) : status;
}

pc_status pci_swept_keep(pci_swept *swept, uint64_t n_starts, const uint64_t *starts,
                         uint32_t number)
{
    wish kept = {.n_starts = n_starts, .starts = starts, .keeps = true, .number = number};
    return make_rows(swept, &kept);
}

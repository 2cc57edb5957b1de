/* Sends blocks of vectors through the sparse A: widths, memory, and the distribution of rows to
 * threads by their arcs. The sums are in src/cpu/sweep_rows.c.
 *
 * While most lines are zero, zero lines are neither written nor read. One byte for each vertex
 * says which lines are live; near a few sources these are few. In a symmetric graph the arcs of
 * the live vertices say which rows can become live next. Once a quarter of the lines are live, all
 * lines are treated as live.
 *
 * The lines before a step and after it share one block of memory: lines after an even number of steps lie at its
 * begin, in order, those after an odd number at its end, the first vertex last. Lines of outer vertices follow
 * those of the graph in either case. They are needed before a step only, so there is room for them once. Lines of both kinds
 * share that block and the bytes of live lines, so all of it is one file. */
#include "src/engine/sweep.h"

#include "src/cpu/kernel.h"

#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <string.h>

enum {
    LANE_GROUP = 8, /* a cache line of words */
    CACHE_LINE_BYTES = 64,
    FULL_PART = 4,          /* of the lines are live: all are written */
    SENT_PART = 8,          /* of the arcs are those of live lines, at most: see sends_live */
    CACHED_BYTES = 1 << 20, /* a block that stays in a processor's own cache */
    CHUNKS_A_THREAD = 32,
    WORDS_A_STRIP = 1 << 28 /* additions between two questions whether to go on */
};

struct pci_sweep {
    pc_context *context;
    const pc_graph *graph;
    pci_sweep_rows_fn rows;
    pci_sweep_read_fn read;
    int n_threads;
    uint32_t n_vectors, limb_bits;
    uint64_t n_lanes, n_lines; /* of vertices of the graph and outer ones */
    uint64_t length, step;
    uint64_t n_formats;       /* length + 1, or 1 for all steps */
    pci_sweep_format *format; /* [n_formats] of lines after so many steps */
    pci_sweep_reduction reduction;
    uint64_t *words, n_words; /* all lines, before a step and after it */
    uint8_t *live, *next_live;
    uint64_t n_live;
    bool is_full; /* every line is written; live is not looked at */
};

/* ---- Steps without headroom ------------------------------------------------------------------ */

/* Steps of sweeps for weights that leave no headroom in a limb (row sums above 2^32), or none in the
 * quotients of residues (row sums above 2^48):
 * multiplication and addition of several words in 128 bits, arc by arc. */

/* out += weight * in in one lane; what lies beyond the limbs of out is zero. */
static void add_product(const pci_sweep_pass *pass, uint64_t weight, const uint64_t *in,
                        uint64_t *out)
{
    uint64_t carry = 0;
    for (uint32_t l = 0; l <= pass->out_format.n_low; l++) {
        size_t at = (size_t)l * pass->n_lanes;
        uint64_t word = l <= pass->in_format.n_low ? in[at] : 0;
        unsigned __int128 total = (unsigned __int128)weight * word + out[at] + carry;
        out[at] = (uint64_t)total;
        carry = (uint64_t)(total >> 64);
    }
}

/* Divides limb after limb, the most significant one first. */
static void reduce_lane(const pci_sweep_pass *pass, uint64_t *out)
{
    uint64_t modulus = pass->reduction.modulus, rest = 0;
    for (uint32_t l = pass->out_format.n_low + 1; l-- > 0;) {
        size_t at = (size_t)l * pass->n_lanes;
        rest = (uint64_t)(((unsigned __int128)rest << 64 | out[at]) % modulus);
        out[at] = 0;
    }
    out[0] = rest;
}

static uint64_t rows_plain(const pci_sweep_pass *pass, uint64_t first, uint64_t end)
{
    const pc_graph *graph = pass->graph;
    size_t out_words = pci_sweep_line_words(pass->out_format, pass->n_lanes);
    uint64_t n_live = 0;
    for (uint64_t i = first; i < end; i++) {
        uint64_t *out = pass->out + (ptrdiff_t)i * pass->out_stride;
        bool is_live = !pass->in_live;
        memset(out, 0, out_words * sizeof *out);
        for (uint64_t a = graph->row_start[i]; a < graph->row_start[i + 1]; a++) {
            uint32_t from = graph->column[a];
            uint64_t weight = pci_graph_weight(graph, a);
            if (pass->in_live && !pass->in_live[from])
                continue;
            for (uint64_t v = 0; v < pass->n_lanes; v++)
                add_product(pass, weight, pass->in + from * pass->in_stride + v, out + v);
            is_live = true;
        }
        for (uint64_t v = 0; pass->reduction.modulus && v < pass->n_lanes; v++)
            reduce_lane(pass, out + v);
        if (pass->in_live)
            pass->out_live[i] = is_live;
        n_live += is_live;
    }
    return n_live;
}

/* ---- Widths ---------------------------------------------------------------------------------- */

static uint64_t lanes_of(uint64_t n_vectors)
{
    if (n_vectors <= 2)
        return n_vectors ? n_vectors : 1;
    return n_vectors <= 4 ? 4 : (n_vectors + LANE_GROUP - 1) / LANE_GROUP * LANE_GROUP;
}

/* The layout of lines for integers of so many bits, at most 64 of them in the topmost limb. n_low below
 * 2^32. */
static pci_sweep_format format_for(double bits, uint32_t limb_bits, uint32_t least_bytes)
{
    double n_low = bits > PCI_SWEEP_WORD_BITS ? ceil((bits - PCI_SWEEP_WORD_BITS) / limb_bits) : 0;
    pci_sweep_format format = {(uint32_t)n_low, least_bytes};
    while (format.top_bytes * 8 < bits - n_low * limb_bits)
        format.top_bytes *= 2;
    return format;
}

/* The decisions that a sweep makes from its options. */
typedef struct shape {
    uint32_t limb_bits;
    uint32_t least_bytes; /* of a lane: lanes fill whole words */
    uint64_t n_lanes, n_lines;
    uint64_t block_bytes; /* of all lines; UINT64_MAX: cannot be counted */
    bool has_headroom;
} shape;

static shape shape_of(const pc_graph *graph, const pci_sweep_options *options)
{
    double widest = pci_sweep_widest(graph, options);
    shape made = {.limb_bits = pci_sweep_limb_bits(graph, widest),
                  .n_lanes = lanes_of(options->n_vectors),
                  .n_lines = graph->n + options->n_outer,
                  .block_bytes = UINT64_MAX};
    made.has_headroom =
        pci_sweep_has_headroom(widest, made.limb_bits) &&
        (!options->modulus || pci_graph_largest_row_sum(graph) < PCI_SWEEP_MOST_QUOTIENT);
    made.least_bytes = made.n_lanes < LANE_GROUP ? (uint32_t)(LANE_GROUP / made.n_lanes) : 1;
    if (!made.has_headroom)
        made.least_bytes = sizeof(uint64_t);
    if (!(widest / made.limb_bits < UINT32_MAX))
        return made;
    pci_sweep_format format = format_for(widest, made.limb_bits, made.least_bytes);
    /* n_lanes is below 2^33, so a line does not overflow */
    uint64_t bytes = pci_sweep_line_words(format, 1) + 1, n_lines = graph->n + made.n_lines;
    if (!__builtin_mul_overflow(bytes, made.n_lanes * sizeof(uint64_t), &bytes) &&
        !__builtin_mul_overflow(bytes, n_lines, &bytes) && bytes < UINT64_MAX / 4) {
        bytes = pci_sweep_line_words(format, made.n_lanes) * sizeof(uint64_t) * n_lines;
        made.block_bytes = (bytes + CACHE_LINE_BYTES - 1) / CACHE_LINE_BYTES * CACHE_LINE_BYTES;
    }
    return made;
}

uint64_t pci_sweep_bytes(const pc_graph *graph, const pci_sweep_options *options)
{
    shape shape = shape_of(graph, options);
    if (shape.block_bytes == UINT64_MAX)
        return UINT64_MAX;
    return shape.block_bytes + 2 * shape.n_lines +
           pci_sweep_n_widths(options) * sizeof(pci_sweep_format) + sizeof(pci_sweep);
}

/* ---- Made and cleared ------------------------------------------------------------------------ */

static pc_status allocate(pci_sweep *sweep, uint64_t bytes)
{
    pc_context *context = sweep->context;
    uint64_t n = sweep->n_lines;
    if (!pci_memory_has(context, (double)bytes))
        return pci_fail(context, PC_ERR_MEMORY,
                        "%" PRIu32 " vectors of %" PRIu64
                        " vertices need %.3g GB of memory and there are %.3g GB",
                        sweep->n_vectors, n, 1e-9 * (double)bytes,
                        1e-9 * (double)pci_memory_available(context));
    sweep->format = pci_alloc(context, sweep->n_formats * sizeof *sweep->format);
    sweep->words = pci_alloc(context, bytes);
    sweep->n_words = bytes / sizeof *sweep->words;
    sweep->live = pci_alloc(context, n);
    sweep->next_live = pci_alloc(context, n);
    if (!sweep->format || !sweep->words || !sweep->live || !sweep->next_live)
        return pci_fail_memory(context, "vectors of the graph's vertices", bytes);
    return PC_OK;
}

pc_status pci_sweep_create(pc_context *context, const pc_graph *graph,
                           const pci_sweep_options *options, pci_sweep **sweep)
{
    const pci_kernel *kernel; /* its loops, also where it was forced */
    pc_status status = pci_kernel_select(context, &kernel);
    if (status != PC_OK)
        return status;
    pci_sweep *made = pci_alloc(context, sizeof *made);
    if (!made)
        return pci_fail_memory(context, "vectors of the graph's vertices", sizeof *made);
    shape shape = shape_of(graph, options);
    *made = (pci_sweep){.context = context,
                        .graph = graph,
                        .n_threads = options->n_threads > 1 ? options->n_threads : 1,
                        .n_vectors = options->n_vectors,
                        .n_lanes = shape.n_lanes,
                        .n_lines = shape.n_lines,
                        .limb_bits = shape.limb_bits,
                        .length = options->length,
                        .n_formats = pci_sweep_n_widths(options),
                        .reduction = pci_sweep_reduction_of(options->modulus)};
    made->rows = shape.has_headroom ? kernel->rows->sweep_rows : rows_plain;
    made->read = kernel->rows->sweep_read;
    status = allocate(made, shape.block_bytes);
    if (status != PC_OK) {
        pci_sweep_free(made);
        return status;
    }
    /* A step is stored as wide as the next one adds up in, so integers only grow on the way. */
    double widest = pci_sweep_bits_after(graph, options, 0);
    for (uint64_t s = 0; s < made->n_formats; s++) {
        if (s + 1 < made->n_formats)
            widest = fmax(widest, pci_sweep_bits_after(graph, options, s + 1));
        made->format[s] = format_for(widest, shape.limb_bits, shape.least_bytes);
    }
    pci_sweep_clear(made);
    *sweep = made;
    return PC_OK;
}

void pci_sweep_free(pci_sweep *sweep)
{
    if (!sweep)
        return;
    pc_context *context = sweep->context;
    pci_free(context, sweep->format);
    pci_free(context, sweep->words);
    pci_free(context, sweep->live);
    pci_free(context, sweep->next_live);
    pci_free(context, sweep);
}

void pci_sweep_clear_at(pci_sweep *sweep, uint64_t step)
{
    memset(sweep->live, 0, sweep->n_lines);
    sweep->step = step;
    sweep->n_live = 0;
    sweep->is_full = false;
}

void pci_sweep_clear(pci_sweep *sweep)
{
    pci_sweep_clear_at(sweep, 0);
}

static pci_sweep_format format_after(const pci_sweep *sweep, uint64_t step)
{
    return sweep->format[sweep->n_formats > 1 ? step : 0];
}

static size_t line_words(const pci_sweep *sweep)
{
    return pci_sweep_line_words(format_after(sweep, sweep->step), sweep->n_lanes);
}

uint64_t pci_sweep_now_bytes(const pci_sweep *sweep)
{
    return sweep->n_lines * line_words(sweep) * sizeof(uint64_t);
}

/* Words from the line of a vertex to the next one, after a step. */
static ptrdiff_t stride_after(const pci_sweep *sweep, uint64_t step)
{
    ptrdiff_t n = (ptrdiff_t)pci_sweep_line_words(format_after(sweep, step), sweep->n_lanes);
    return step % 2 ? -n : n;
}

static uint64_t *lines_after(const pci_sweep *sweep, uint64_t step)
{
    ptrdiff_t stride = stride_after(sweep, step);
    return stride < 0 ? sweep->words + sweep->n_words + stride : sweep->words;
}

static uint64_t *line_of(const pci_sweep *sweep, uint64_t vertex)
{
    return lines_after(sweep, sweep->step) + (ptrdiff_t)vertex * stride_after(sweep, sweep->step);
}

/* ---- Lines for other processes ---------------------------------------------------------------- */

size_t pci_sweep_line_bytes(const pci_sweep *sweep)
{
    return line_words(sweep) * sizeof(uint64_t);
}

size_t pci_sweep_most_line_bytes(const pci_sweep *sweep)
{
    return pci_sweep_line_words(format_after(sweep, sweep->length), sweep->n_lanes) *
           sizeof(uint64_t);
}

void pci_sweep_get_lines(const pci_sweep *sweep, uint64_t n, const uint32_t *vertices,
                         bool backwards, void *lines)
{
    size_t n_words = line_words(sweep);
#pragma omp parallel for num_threads(sweep->n_threads) schedule(static) if (sweep->n_threads > 1)
    for (uint64_t i = 0; i < n; i++) {
        uint64_t *to = (uint64_t *)lines + (backwards ? n - 1 - i : i) * n_words;
        if (sweep->is_full || sweep->live[vertices[i]])
            memcpy(to, line_of(sweep, vertices[i]), n_words * sizeof *to);
        else
            memset(to, 0, n_words * sizeof *to);
    }
}

static bool is_zero(size_t n_words, const uint64_t *words)
{
    uint64_t any = 0;
    for (size_t w = 0; w < n_words; w++)
        any |= words[w];
    return any == 0;
}

void pci_sweep_set_lines(pci_sweep *sweep, uint64_t first, uint64_t n, const void *lines)
{
    size_t n_words = line_words(sweep);
    const uint64_t *from = lines;
    uint64_t n_live = 0;
#pragma omp parallel for num_threads(sweep->n_threads) schedule(static) reduction(+ : n_live) \
    if (sweep->n_threads > 1)
    for (uint64_t i = 0; i < n; i++) {
        sweep->live[first + i] = !is_zero(n_words, from + i * n_words);
        n_live += sweep->live[first + i];
        if (sweep->live[first + i])
            memcpy(line_of(sweep, first + i), from + i * n_words, n_words * sizeof *from);
    }
    sweep->n_live += n_live;
}

void *pci_sweep_outer_lines(const pci_sweep *sweep, bool *backwards)
{
    *backwards = stride_after(sweep, sweep->step) < 0;
    return line_of(sweep, sweep->graph->n);
}

void pci_sweep_take_outer(pci_sweep *sweep)
{
    size_t n_words = line_words(sweep);
    uint64_t n = sweep->graph->n, n_live = 0;
    if (sweep->is_full)
        return;
#pragma omp parallel for num_threads(sweep->n_threads) schedule(static) reduction(+ : n_live) \
    if (sweep->n_threads > 1)
    for (uint64_t i = 0; i < sweep->n_lines - n; i++) {
        sweep->live[n + i] = !is_zero(n_words, line_of(sweep, n + i));
        n_live += sweep->live[n + i];
    }
    sweep->n_live += n_live;
}

void pci_sweep_add(pci_sweep *sweep, uint32_t vector, uint64_t vertex, uint64_t value)
{
    uint32_t n_low = format_after(sweep, sweep->step).n_low;
    uint32_t top_bytes = format_after(sweep, sweep->step).top_bytes;
    uint64_t *line = line_of(sweep, vertex);
    if (!sweep->is_full && !sweep->live[vertex]) {
        memset(line, 0, line_words(sweep) * sizeof *line);
        sweep->live[vertex] = 1;
        sweep->n_live++;
    }
    uint64_t limb_mask = UINT64_MAX >> (PCI_SWEEP_WORD_BITS - sweep->limb_bits);
    unsigned __int128 rest = value;
    for (uint32_t l = 0; l < n_low && rest; l++, line += sweep->n_lanes) {
        rest += line[vector];
        line[vector] = (uint64_t)rest & limb_mask;
        rest >>= sweep->limb_bits;
    }
    if (!rest)
        return;
    line = line_of(sweep, vertex) + n_low * sweep->n_lanes;
    uint64_t top;
    pci_sweep_get_lanes(line, top_bytes, vector, 1, &top);
    top += (uint64_t)rest;
    pci_sweep_put_lanes(line, top_bytes, vector, 1, &top);
}

/* ---- Steps ----------------------------------------------------------------------------------- */

/* Writes the lines that were left out. */
static void fill(pci_sweep *sweep, int n_threads)
{
    size_t n_words = line_words(sweep);
#pragma omp parallel for num_threads(n_threads) if (n_threads > 1)
    for (uint64_t i = 0; i < sweep->n_lines; i++)
        if (!sweep->live[i])
            memset(line_of(sweep, i), 0, n_words * sizeof(uint64_t));
    sweep->is_full = true;
}

/* Tells whether live lines are sent along their own arcs, which in a symmetric graph lead to the rows that they reach:
 * while these arcs are few, that is less work than to look at all arcs for those that lead to live lines. */
static bool sends_live(const pci_sweep *sweep)
{
    const pc_graph *graph = sweep->graph;
    uint64_t n_arcs = 0, most = pci_graph_n_arcs(graph) / SENT_PART;
    if (!graph->symmetric || sweep->is_full)
        return false;
    for (uint64_t v = 0; v < graph->n && n_arcs <= most; v++)
        if (sweep->live[v])
            n_arcs += graph->row_start[v + 1] - graph->row_start[v];
    return n_arcs <= most;
}

/* The first row before which there is at least so much work, an arc or a row each a unit of it. */
static uint64_t row_at_work(const pc_graph *graph, uint64_t work)
{
    uint64_t low = 0, high = graph->n;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (graph->row_start[middle] + middle < work)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The work from begin to end in n_chunks equal parts; returns how many lines became live. */
static uint64_t run_strip(const pci_sweep *sweep, const pci_sweep_pass *pass, int n_threads,
                          uint64_t begin, uint64_t end)
{
    const pc_graph *graph = sweep->graph;
    if (n_threads == 1)
        return sweep->rows(pass, row_at_work(graph, begin), row_at_work(graph, end));
    uint64_t n_chunks = (uint64_t)n_threads * (pass->sends_live ? 1 : CHUNKS_A_THREAD), n_live = 0;
    uint64_t chunk_work = (end - begin + n_chunks - 1) / n_chunks;
#pragma omp parallel for num_threads(n_threads) schedule(dynamic, 1) reduction(+ : n_live)
    for (uint64_t c = 0; c < n_chunks; c++) {
        uint64_t from = begin + c * chunk_work, to = from + chunk_work;
        from = from < end ? from : end;
        to = to < end ? to : end;
        n_live += sweep->rows(pass, row_at_work(graph, from), row_at_work(graph, to));
    }
    return n_live;
}

static pc_status run_pass(pci_sweep *sweep, const pci_sweep_pass *pass, int n_threads,
                          uint64_t *n_live)
{
    uint64_t work = pci_graph_n_arcs(sweep->graph) + sweep->graph->n;
    uint64_t strip = pass->sends_live ? work : WORDS_A_STRIP / line_words(sweep) + 1;
    pc_status status = PC_OK;
    *n_live = 0;
    for (uint64_t begin = 0; begin < work && status == PC_OK; begin += strip) {
        uint64_t end = work - begin < strip ? work : begin + strip;
        double n_done = (double)sweep->step + (double)begin / (double)work;
        if (!omp_in_parallel()) /* a caller with threads of its own asks itself */
            status = pci_progress(sweep->context, "sweep", n_done / (double)sweep->length);
        if (status == PC_OK)
            *n_live += run_strip(sweep, pass, n_threads, begin, end);
    }
    return status;
}

pc_status pci_sweep_step(pci_sweep *sweep)
{
    const pc_graph *graph = sweep->graph;
    size_t n_words = line_words(sweep);
    double n_operations = (double)(pci_graph_n_arcs(graph) + graph->n) * (1 + (double)n_words / 8);
    int n_threads = pci_threads_for(sweep->context, n_operations);
    n_threads = n_threads < sweep->n_threads ? n_threads : sweep->n_threads;
    if (!sweep->is_full && sweep->n_live > sweep->n_lines / FULL_PART)
        fill(sweep, n_threads);
    pci_sweep_pass pass = {.graph = graph,
                           .n_lanes = sweep->n_lanes,
                           .limb_bits = sweep->limb_bits,
                           .in_format = format_after(sweep, sweep->step),
                           .out_format = format_after(sweep, sweep->step + 1),
                           .reduction = sweep->reduction,
                           .in = lines_after(sweep, sweep->step),
                           .in_stride = stride_after(sweep, sweep->step),
                           .out = lines_after(sweep, sweep->step + 1),
                           .out_stride = stride_after(sweep, sweep->step + 1),
                           .in_live = sweep->is_full ? NULL : sweep->live,
                           .out_live = sweep->next_live,
                           .sends_live = sends_live(sweep),
                           .fetches_ahead = pci_sweep_now_bytes(sweep) > CACHED_BYTES};
    uint64_t n_live;
    pc_status status = run_pass(sweep, &pass, n_threads, &n_live);
    if (status != PC_OK)
        return status;
    uint8_t *live = sweep->next_live;
    sweep->next_live = sweep->live;
    sweep->live = live;
    sweep->n_live = n_live;
    sweep->step++;
    return PC_OK;
}

/* ---- Results --------------------------------------------------------------------------------- */

/* The first n vertices of a block, by several threads. */
static void read_block(const pci_sweep *sweep, const pci_sweep_block *block, uint32_t first,
                       uint32_t n_vectors, uint32_t n_limbs, bool adds, uint64_t n, uint64_t *limbs)
{
    int n_threads = pci_threads_for(sweep->context, (double)n * n_vectors * n_limbs);
    n_threads = n_threads < sweep->n_threads ? n_threads : sweep->n_threads;
    if (n_threads == 1) {
        sweep->read(block, first, n_vectors, n_limbs, adds, 0, n, limbs);
        return;
    }
#pragma omp parallel for num_threads(n_threads) schedule(static)
    for (int t = 0; t < n_threads; t++)
        sweep->read(block, first, n_vectors, n_limbs, adds, n * (uint64_t)t / (uint64_t)n_threads,
                    n * ((uint64_t)t + 1) / (uint64_t)n_threads, limbs);
}

void pci_sweep_rows_of(const pci_sweep *sweep, uint32_t first, uint32_t n_vectors, uint32_t n_limbs,
                       bool adds, uint64_t n_all, uint64_t *limbs)
{
    pci_sweep_block block = {.n = n_all,
                             .n_lanes = sweep->n_lanes,
                             .limb_bits = sweep->limb_bits,
                             .format = format_after(sweep, sweep->step),
                             .lines = lines_after(sweep, sweep->step),
                             .stride = stride_after(sweep, sweep->step),
                             .live = sweep->is_full ? NULL : sweep->live};
    read_block(sweep, &block, first, n_vectors, n_limbs, adds, sweep->graph->n, limbs);
}

pc_status pci_sweep_rows(pci_sweep *sweep, uint32_t first, uint32_t n_vectors, uint32_t n_limbs,
                         bool adds, uint64_t *limbs)
{
    pci_sweep_rows_of(sweep, first, n_vectors, n_limbs, adds, sweep->graph->n, limbs);
    return PC_OK;
}

/* Lanes of a line that hold what is wanted: as many as fill words of the topmost limb. */
typedef struct cut {
    uint64_t first, n;
} cut;

static cut cut_of(const pci_sweep *sweep, uint32_t first, uint32_t n_vectors)
{
    uint64_t group = sizeof(uint64_t) / format_after(sweep, sweep->step).top_bytes;
    uint64_t begin = first / group * group;
    uint64_t end = ((uint64_t)first + n_vectors + group - 1) / group * group;
    return (cut){begin, (end < sweep->n_lanes ? end : sweep->n_lanes) - begin};
}

size_t pci_sweep_packed_bytes(const pci_sweep *sweep, uint32_t first, uint32_t n_vectors)
{
    cut lanes = cut_of(sweep, first, n_vectors);
    return pci_sweep_line_words(format_after(sweep, sweep->step), lanes.n) * sizeof(uint64_t);
}

void pci_sweep_pack(const pci_sweep *sweep, uint32_t first, uint32_t n_vectors,
                    uint64_t first_vertex, uint64_t n, void *packed)
{
    cut lanes = cut_of(sweep, first, n_vectors);
    pci_sweep_format format = format_after(sweep, sweep->step);
    size_t n_packed = pci_sweep_line_words(format, lanes.n);
#pragma omp parallel for num_threads(sweep->n_threads) schedule(static) if (sweep->n_threads > 1)
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t *line = line_of(sweep, first_vertex + i);
        uint64_t *to = (uint64_t *)packed + i * n_packed;
        if (!sweep->is_full && !sweep->live[first_vertex + i]) {
            memset(to, 0, n_packed * sizeof *to);
            continue;
        }
        for (uint32_t l = 0; l < format.n_low; l++, line += sweep->n_lanes, to += lanes.n)
            memcpy(to, line + lanes.first, lanes.n * sizeof *to);
        memcpy(to, (const char *)line + lanes.first * format.top_bytes, lanes.n * format.top_bytes);
    }
}

void pci_sweep_unpack(const pci_sweep *sweep, uint32_t first, uint32_t n_vectors, uint32_t n_limbs,
                      bool adds, uint64_t n_all, uint64_t at, uint64_t n, const void *packed,
                      uint64_t *limbs)
{
    cut lanes = cut_of(sweep, first, n_vectors);
    pci_sweep_block block = {.n = n_all,
                             .n_lanes = lanes.n,
                             .limb_bits = sweep->limb_bits,
                             .format = format_after(sweep, sweep->step),
                             .lines = packed};
    block.stride = (ptrdiff_t)pci_sweep_line_words(block.format, lanes.n);
    read_block(sweep, &block, first - (uint32_t)lanes.first, n_vectors, n_limbs, adds, n,
               limbs + at * n_limbs);
}

const pci_sweep_ops pci_sweep_cpu = {
    .create = pci_sweep_create,
    .free = pci_sweep_free,
    .clear = pci_sweep_clear,
    .add = pci_sweep_add,
    .step = pci_sweep_step,
    .rows = pci_sweep_rows,
    .bytes = pci_sweep_bytes,
    .on_processors = true,
};

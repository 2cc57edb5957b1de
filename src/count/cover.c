/* Rows of A^k from rows of A^(k-1). If every arc begins or ends at a vertex of a set, which is called a vertex
 * cover, only the rows of these vertices are swept. Any other vertex has arcs to the cover only, so its row
 * of A^k is a sum of swept rows of A^(k-1), and these are sums of few rows where the vertex has few arcs.
 * Arcs to sinks, vertices without arcs, add nothing and need no cover.
 *
 * Sparse graphs have covers of a seventh to three quarters of their vertices. The cover is found greedily:
 * vertices of few arcs are left out first. */
#include "graphs/sort.h"
#include "src/count/square.h"
#include "src/count/sweep_plan.h"
#include "src/cpu/modular.h"

#include <math.h>
#include <string.h>

/* The choice of a plan. */
typedef struct choice {
    pc_context *context;
    uint64_t n_cover;
    uint64_t *cover;     /* [n_cover] ascending */
    uint32_t *place;     /* [n] of a vertex in the cover; NOT_THERE */
    uint64_t n_together; /* vectors that are sent at once */
    uint64_t n_made;     /* rows that are made at once */
    uint32_t n_before;   /* words of an entry of A^(k-1) */
} choice;

static const uint32_t NOT_THERE = UINT32_MAX;

/* Holds the swept rows; pci_deliver_made takes it for the run of an engine. */
struct pci_run {
    pc_context *context;
    const pc_graph *graph;
    const choice *chosen;
    uint64_t modulus;
    uint64_t
        *before; /* [n / CHUNK, rounded up][n_cover][CHUNK][n_before] rows of A^(k-1), by columns */
    uint64_t *swept; /* [n_cover][n][n_limbs] rows of A^k */
    uint64_t *rows;  /* [n_rows][n][n_limbs] those of all vertices, from the first one on */
    uint64_t first, n_rows;
};

/* ---- The cover ------------------------------------------------------------------------------- */

/* Sorts vertices by their number of arcs; room for 4 n words, of which the second n become the vertices. */
static void order_by_degree(const pc_graph *graph, const pc_graph *reverse, uint64_t *room)
{
    uint64_t n = graph->n;
    for (uint64_t v = 0; v < n; v++) {
        room[v] = graph->row_start[v + 1] - graph->row_start[v];
        room[v] += reverse ? reverse->row_start[v + 1] - reverse->row_start[v] : 0;
        room[n + v] = v;
    }
    pci_sort((pci_sort_items){room, room + n}, (pci_sort_items){room + 2 * n, room + 3 * n}, n,
             pci_differing_bits(room, n));
}

/* The row of a sink is zero: arcs to sinks need no cover. */
static bool is_sink(const pc_graph *graph, uint64_t v)
{
    return graph->row_start[v] == graph->row_start[v + 1];
}

/* Puts the neighbours of a vertex, and itself if it has a loop, into the cover; along is the graph or its
 * reverse. */
static void cover_neighbours(const pc_graph *graph, const pc_graph *along, uint64_t v,
                             uint8_t *is_covered)
{
    for (uint64_t a = along->row_start[v]; a < along->row_start[v + 1]; a++)
        is_covered[along->column[a]] = !is_sink(graph, along->column[a]);
}

static pc_status find_cover(const pci_question *question, choice *chosen)
{
    pc_context *context = question->context;
    const pc_graph *graph = question->graph;
    uint64_t n = graph->n;
    pc_graph *reverse = NULL;
    pc_status status = graph->symmetric ? PC_OK : pci_graph_reverse(context, graph, &reverse);
    uint64_t *room = pci_alloc(context, 4 * n * sizeof *room), *order = room + n;
    uint8_t *is_covered = pci_alloc_zero(context, n, sizeof *is_covered);
    chosen->context = context;
    chosen->cover = pci_alloc(context, n * sizeof *chosen->cover);
    chosen->place = pci_alloc(context, n * sizeof *chosen->place);
    if (status == PC_OK && (!room || !is_covered || !chosen->cover || !chosen->place))
        status = pci_fail_memory(context, "a vertex cover", n * 45);
    if (status == PC_OK) {
        order_by_degree(graph, reverse, room);
        for (uint64_t i = 0; i < n; i++)
            if (!is_covered[order[i]] && !is_sink(graph, order[i])) {
                cover_neighbours(graph, graph, order[i], is_covered);
                if (reverse)
                    cover_neighbours(graph, reverse, order[i], is_covered);
            }
        for (uint64_t v = 0; v < n; v++) {
            chosen->place[v] = is_covered[v] ? (uint32_t)chosen->n_cover : NOT_THERE;
            if (is_covered[v])
                chosen->cover[chosen->n_cover++] = v;
        }
    }
    pc_graph_free(reverse);
    pci_free(context, room);
    pci_free(context, is_covered);
    return status;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Columns that are worked on together, so that those of all swept rows stay in a processor's own cache. */
enum { CHUNK = 16 };

typedef uint64_t words __attribute__((vector_size(32)));
typedef words loose_words __attribute__((aligned(8), may_alias));

enum { LANES = 4, REGISTERS = CHUNK / LANES, LINE_WORDS = 8 };

/* A chunk of a row: a sum of chunks, of integers of one word that no sum is wider than. */
ALWAYS_INLINE void sum_chunks(const pci_run *run, uint64_t v, const uint64_t *chunk, uint64_t *to)
{
    const pc_graph *g = run->graph;
    words sum[REGISTERS] = {{0}};
    for (uint64_t a = g->row_start[v]; a < g->row_start[v + 1]; a++) {
        uint32_t place = run->chosen->place[g->column[a]];
        const loose_words *from = (const loose_words *)(chunk + (uint64_t)place * CHUNK);
        if (place == NOT_THERE)
            continue;
        if (g->weight && g->weight[a] != 1)
#pragma GCC unroll 8
            for (int r = 0; r < REGISTERS; r++)
                sum[r] += g->weight[a] * from[r];
        else
#pragma GCC unroll 8
            for (int r = 0; r < REGISTERS; r++)
                sum[r] += from[r];
    }
#pragma GCC unroll 8
    for (int r = 0; r < REGISTERS; r++)
        ((loose_words *)to)[r] = sum[r];
}

/* to += from, n entries of two words, and of n_before. */
ALWAYS_INLINE void add_two_words(uint64_t n, const uint32_t n_before, const uint64_t *from,
                                 uint64_t *to)
{
    for (uint64_t j = 0; j < n; j++) {
        uint64_t low = to[2 * j] + from[n_before * j];
        to[2 * j + 1] += (low < from[n_before * j]) + (n_before == 2 ? from[2 * j + 1] : 0);
        to[2 * j] = low;
    }
}

/* to += weight * from, n entries of n_before and n_limbs words. */
static void add_wide(uint64_t n, uint32_t n_before, uint32_t n_limbs, const uint64_t *from,
                     uint64_t weight, uint64_t *to)
{
    for (uint64_t j = 0; j < n; j++, from += n_before, to += n_limbs) {
        unsigned __int128 sum = 0;
        for (uint32_t l = 0; l < n_limbs; l++, sum >>= 64) {
            sum += to[l];
            sum += l < n_before ? (unsigned __int128)weight * from[l] : 0;
            to[l] = (uint64_t)sum;
        }
    }
}

/* The same of integers of any width, the most frequent ones known when the code is made; or of residues. */
ALWAYS_INLINE void add_entries(const pci_run *run, uint64_t n, uint32_t n_limbs,
                               const uint64_t *from, uint64_t weight, uint64_t *to)
{
    uint32_t n_before = run->chosen->n_before;
    uint64_t modulus = run->modulus;
    for (uint64_t j = 0; modulus && j < n; j++) {
        uint64_t product = pci_multiply_mod(from[j], weight % modulus, modulus);
        to[j] = to[j] >= modulus - product ? to[j] - (modulus - product) : to[j] + product;
    }
    if (modulus)
        return;
    if (n_limbs == 2 && n_before == 1 && weight == 1)
        add_two_words(n, 1, from, to);
    else if (n_limbs == 2 && n_before == 2 && weight == 1)
        add_two_words(n, 2, from, to);
    else
        add_wide(n, n_before, n_limbs, from, weight, to);
}

/* A chunk of columns, from the first one on, of the rows of vertices beyond the cover. */
ALWAYS_INLINE void sum_columns(const pci_run *run, uint64_t first, uint32_t n_limbs)
{
    const pc_graph *g = run->graph;
    const uint32_t n_before = run->chosen->n_before, *place = run->chosen->place;
    uint64_t n_columns = g->n - first < CHUNK ? g->n - first : CHUNK;
    const uint64_t *chunk = run->before + first * run->chosen->n_cover * n_before;
    bool is_plain = n_limbs == 1 && !run->modulus && n_columns == CHUNK;
    /* Memory passes lines on faster in their order than in that in which they are used. */
    for (uint64_t w = 0; w < n_columns * run->chosen->n_cover * n_before; w += LINE_WORDS)
        __builtin_prefetch(chunk + w);
    for (uint64_t v = run->first; v < run->first + run->n_rows; v++) {
        uint64_t *to = run->rows + ((v - run->first) * g->n + first) * n_limbs;
        if (place[v] != NOT_THERE)
            continue;
        if (is_plain) {
            sum_chunks(run, v, chunk, to);
            continue;
        }
        memset(to, 0, n_columns * n_limbs * sizeof *to);
        for (uint64_t a = g->row_start[v]; a < g->row_start[v + 1]; a++)
            if (place[g->column[a]] != NOT_THERE)
                add_entries(run, n_columns, n_limbs,
                            chunk + (uint64_t)place[g->column[a]] * CHUNK * n_before,
                            pci_graph_weight(g, a), to);
    }
}

#if defined(__x86_64__)
static __attribute__((target("avx2"))) void sum_columns_avx2(const pci_run *run, uint64_t first,
                                                             uint32_t n_limbs)
{
    sum_columns(run, first, n_limbs);
}
#endif

static void sum_columns_plain(const pci_run *run, uint64_t first, uint32_t n_limbs)
{
    sum_columns(run, first, n_limbs);
}

/* Makes rows run->first .. run->first + run->n_rows - 1. */
static void make_rows(pci_run *run, uint32_t n_limbs)
{
    void (*sum)(const pci_run *, uint64_t, uint32_t) = sum_columns_plain;
    uint64_t n = run->graph->n, row_words = n * n_limbs;
    int n_threads = pci_threads_for(run->context, 2 * (double)run->n_rows * (double)row_words);
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2"))
        sum = sum_columns_avx2;
#endif
#pragma omp parallel num_threads(n_threads)
    {
#pragma omp for schedule(static)
        for (uint64_t i = 0; i < run->n_rows; i++) {
            uint32_t place = run->chosen->place[run->first + i];
            uint64_t *row = run->rows + i * row_words;
            if (place != NOT_THERE)
                memcpy(row, run->swept + place * row_words, row_words * sizeof *row);
        }
#pragma omp for schedule(dynamic, 4)
        for (uint64_t first = 0; first < n; first += CHUNK)
            sum(run, first, n_limbs);
    }
}

/* Rows are made in blocks that are larger than those that are asked for. */
static pc_status collect(pci_run *run, uint64_t first_row, uint64_t n_rows, uint32_t n_limbs,
                         uint64_t *space, const uint64_t **limbs)
{
    uint64_t n = run->graph->n;
    (void)space;
    if (first_row < run->first || first_row + n_rows > run->first + run->n_rows) {
        run->first = first_row;
        run->n_rows = n - first_row < run->chosen->n_made ? n - first_row : run->chosen->n_made;
        make_rows(run, n_limbs);
    }
    *limbs = run->rows + (first_row - run->first) * n * n_limbs;
    return PC_OK;
}

/* The part of an engine that pci_deliver_made calls. */
static const pci_engine joining = {.name = "cpu", .collect = collect};

/* ---- Running --------------------------------------------------------------------------------- */

static pci_swept_options swept_options(const pci_question *question, const choice *chosen,
                                       const pc_graph *along, uint32_t n_limbs)
{
    bool is_modular = question->options.arithmetic == PC_MODULAR;
    return (pci_swept_options){.sweeps = &pci_sweep_cpu,
                               .along = along,
                               .length = question->query.length,
                               .bits = is_modular ? NULL : pci_limits_bits(question->limits),
                               .modulus = question->options.modulus,
                               .n_limbs = n_limbs,
                               .most_starts = chosen->n_together};
}

/* Puts rows of A^(k-1), [n_rows][n][n_before], to their places, columns by columns. */
static void store_rows(const pci_run *run, uint64_t first, uint64_t n_rows, const uint64_t *rows)
{
    uint64_t n = run->graph->n, n_cover = run->chosen->n_cover, n_words = run->chosen->n_before;
    int n_threads = pci_threads_for(run->context, (double)n_rows * (double)n * (double)n_words);
#pragma omp parallel for num_threads(n_threads) schedule(static)
    for (uint64_t at = 0; at < n; at += CHUNK)
        for (uint64_t i = 0; i < n_rows; i++)
            memcpy(run->before + (at * n_cover + (first + i) * CHUNK) * n_words,
                   rows + (i * n + at) * n_words,
                   (n - at < CHUNK ? n - at : CHUNK) * n_words * sizeof *rows);
}

static pc_status sweep_cover(const pci_question *question, uint32_t n_limbs, pci_run *run)
{
    const choice *chosen = run->chosen;
    uint64_t n = run->graph->n;
    size_t bytes = chosen->n_together * n * chosen->n_before * sizeof(uint64_t);
    pc_graph *reverse = NULL;
    pci_swept *swept = NULL;
    uint64_t *rows = pci_alloc(run->context, bytes);
    pc_status status = rows ? PC_OK : pci_fail_memory(run->context, "swept rows", bytes);
    if (status == PC_OK && !run->graph->symmetric)
        status = pci_graph_reverse(run->context, run->graph, &reverse);
    pci_swept_options options =
        swept_options(question, chosen, reverse ? reverse : run->graph, n_limbs);
    if (status == PC_OK)
        status = pci_swept_create(run->context, &options, &swept);
    for (uint64_t first = 0; first < chosen->n_cover && status == PC_OK;
         first += chosen->n_together) {
        uint64_t left = chosen->n_cover - first;
        uint64_t n_rows = left < chosen->n_together ? left : chosen->n_together;
        status = pci_progress(run->context, "rows", (double)first / (double)chosen->n_cover);
        if (status == PC_OK)
            status = pci_swept_two_rows(swept, n_rows, chosen->cover + first, chosen->n_before,
                                        rows, run->swept + first * n * n_limbs);
        if (status == PC_OK)
            store_rows(run, first, n_rows, rows);
    }
    pci_swept_free(swept);
    pc_graph_free(reverse);
    pci_free(run->context, rows);
    return status;
}

/* PC_ERR_CERTIFY when an arc that needs a cover has none: the graph or the cover has changed. */
static pc_status check_cover(pc_context *context, const pc_graph *graph, const choice *chosen)
{
    for (uint64_t v = 0; v < graph->n; v++)
        for (uint64_t a = graph->row_start[v]; a < graph->row_start[v + 1]; a++)
            if (chosen->place[v] == NOT_THERE && chosen->place[graph->column[a]] == NOT_THERE &&
                !is_sink(graph, graph->column[a]))
                return pci_fail_check(context, "a vertex cover");
    return PC_OK;
}

static pc_status run_cover(const pci_execution *execution)
{
    const pci_question *question = execution->question;
    const choice *chosen = execution->plan->choice;
    pc_context *context = question->context;
    pc_plan_info *info = execution->info;
    uint64_t n = question->graph->n, n_padded = (n + CHUNK - 1) / CHUNK * CHUNK;
    size_t before_bytes = chosen->n_cover * n_padded * chosen->n_before * sizeof(uint64_t);
    size_t swept_bytes = chosen->n_cover * n * info->n_limbs * sizeof(uint64_t);
    size_t rows_bytes = chosen->n_made * n * info->n_limbs * sizeof(uint64_t);
    pci_run run = {.context = context,
                   .graph = question->graph,
                   .chosen = chosen,
                   .modulus = question->options.modulus,
                   .before = pci_alloc(context, before_bytes),
                   .swept = pci_alloc(context, swept_bytes),
                   .rows = pci_alloc(context, rows_bytes)};
    pc_status status = run.before && run.swept && run.rows
                           ? PC_OK
                           : pci_fail_memory(context, "the rows of a cover",
                                             before_bytes + swept_bytes + rows_bytes);
    double start = pci_now_seconds();
    if (status == PC_OK)
        status = check_cover(context, question->graph, chosen);
    if (status == PC_OK)
        status = sweep_cover(question, info->n_limbs, &run);
    info->levels[0].seconds = pci_now_seconds() - start;
    info->seconds.sweep += info->levels[0].seconds;
    if (status == PC_OK)
        status = pci_deliver_made(execution, &joining, &run);
    pci_sink_end_certificate(execution->sink);
    pci_free(context, run.before);
    pci_free(context, run.swept);
    pci_free(context, run.rows);
    return status;
}

/* ---- Planning -------------------------------------------------------------------------------- */

/* Bytes of rows that are made at once: the more, the oftener a swept row is used while it is in a cache. */
static const double MADE_BYTES = 0x1p28;

/* Covers pay where no more than this part of all rows is swept: rows that are made are held, and cross the memory. */
static const double MOST_SWEPT = 0.5;

static void release(void *memory)
{
    choice *chosen = memory;
    pci_free(chosen->context, chosen->cover);
    pci_free(chosen->context, chosen->place);
}

static int rank(const pci_question *question)
{
    return question->makes_rows && !pci_is_for_device(question) && !question->query.up_to &&
                   question->query.length > 1
               ? PCI_RANK_BEST
               : PCI_CANNOT;
}

/* Predicts the time of sweeps from the cover, and of rows made of theirs. */
static void predict(const pci_question *question, const choice *chosen, pci_plan *plan)
{
    const pc_graph *graph = question->graph;
    pc_plan_info *info = &plan->info;
    pci_work work = {{0}};
    uint64_t n_arcs = 0;
    for (uint64_t v = 0; v < graph->n; v++)
        n_arcs += chosen->place[v] == NOT_THERE ? graph->row_start[v + 1] - graph->row_start[v] : 0;
    pci_cost_sweeps(question->context, graph,
                    &(pci_sweep_work){.n_vectors = chosen->n_cover,
                                      .length = info->length,
                                      .bits = info->bound_bits,
                                      .modulus = info->modulus,
                                      .n_limbs = info->n_limbs},
                    &work);
    work.units[PCI_PART_ROWS] += ((double)n_arcs + (double)graph->n + (double)chosen->n_cover) *
                                 (double)graph->n * info->n_limbs;
    info->levels[0].predicted_seconds = pci_cost_seconds(question->context, &work);
    pci_cost_around(question->context, graph, info, question->options.n_certify_rounds, &work);
    plan->seconds = info->predicted_seconds = pci_cost_query_seconds(question->context, &work);
}

static pc_status plan_cover(const pci_question *question, const pci_engine *engine, pci_plan *plan)
{
    pc_context *context = question->context;
    const pc_graph *graph = question->graph;
    pc_plan_info *info = &plan->info;
    uint64_t length = question->query.length;
    bool is_modular = question->options.arithmetic == PC_MODULAR;
    double bits = 0;
    choice *chosen = pci_plan_choice(question, sizeof *chosen, plan);
    if (!chosen)
        return PC_ERR_MEMORY;
    pc_status status = find_cover(question, chosen);
    if (status == PC_OK && !is_modular)
        status = pci_limits_hold(question->limits, length);
    if (status == PC_OK && !is_modular)
        status = pci_limits_of(question->limits, length - 1, &bits);
    if (status != PC_OK)
        return pci_plan_settle(question, status, false, plan);
    bool is_wanted = question->options.reduce == PC_REDUCE_ALWAYS;
    if (chosen->n_cover == 0 || (chosen->n_cover > MOST_SWEPT * (double)graph->n && !is_wanted)) {
        pci_plan_refuse(plan, PC_ERR_RANGE,
                        chosen->n_cover ? "too many rows need a sweep" : "no row needs a sweep");
        return PC_OK; /* squaring makes the same zeros, for any length */
    }
    *info = *question->dense;
    info->method = PC_METHOD_SWEEP;
    info->engine = engine->name;
    info->sweep_length = length;
    info->n_levels = 1;
    info->levels[0] = (pc_level){.length = length, .is_swept = 1, .bound_bits = info->bound_bits};
    info->n_swept = chosen->n_cover;
    chosen->n_before = (uint32_t)(bits / 64) + 1;
    if (chosen->n_before > info->n_limbs) { /* where heavy arcs end, limits may fall */
        pci_plan_refuse(plan, PC_ERR_RANGE, "shorter paths have wider counts");
        return PC_OK;
    }
    chosen->n_together = chosen->n_cover;
    pci_swept_options swept = swept_options(question, chosen, graph, info->n_limbs);
    swept.most_starts = chosen->n_together = pci_swept_batch(context, &swept, chosen->n_together);
    predict(question, chosen, plan);
    double n = (double)graph->n, row_bytes = sizeof(uint64_t) * n * (double)info->n_limbs;
    double n_block = (double)pci_plan_block_rows(info), n_cover = (double)chosen->n_cover;
    double n_rows = question->query.keeps ? n : n_block;
    /* A block that is asked for lies in one block that is made. */
    double n_made =
        n_block * ceil(fmin(fmin(MADE_BYTES / row_bytes, n_cover / 2 + 1), n) / n_block);
    chosen->n_made = (uint64_t)fmin(n, n_made);
    double before_bytes = 8.0 * chosen->n_before, n_padded = CHUNK * ceil(n / CHUNK);
    double held = n_cover * (n_padded * before_bytes + row_bytes) + n_made * row_bytes + 12 * n;
    double sweeping = (double)chosen->n_together * n * before_bytes +
                      (double)pci_swept_bytes(context, &swept) +
                      (graph->symmetric ? 0 : (double)pci_graph_bytes(graph));
    double delivering =
        n_rows * row_bytes + pci_certificate_bytes(n, n, question->options.n_certify_rounds);
    pci_plan_memory_of_rows(question, held + fmax(sweeping, delivering), plan);
    return PC_OK;
}

const pci_method pci_by_cover = {.name = "sweeps of a vertex cover",
                                 .told = PC_METHOD_SWEEP,
                                 .cpu_because = "rows of a vertex cover are swept on the CPU",
                                 .is_on_cpu = true,
                                 .is_dropped = true,
                                 .is_silent = true,
                                 .rank = rank,
                                 .plan = plan_cover,
                                 .run = run_cover,
                                 .release = release};

/* Adds blocks of rows to reductions, with threads. */
#include "src/rows/reduction.h"

#include "src/rows/counts.h"

#include <omp.h>

enum { MOST_CHUNK_ROWS = 16, CHUNKS_A_THREAD = 4 };

/* ---- Parts ----------------------------------------------------------------------------------- */

void pci_reduction_free_parts(pc_reduction *reduction)
{
    for (int t = 0; t < reduction->n_parts; t++)
        if (reduction->part[t] && reduction->ops->free_part)
            reduction->ops->free_part(reduction, reduction->part[t]);
        else
            pci_free(reduction->context, reduction->part[t]);
    pci_free(reduction->context, reduction->part);
    reduction->part = NULL;
    reduction->n_parts = 0;
}

/* Room for the parts of at least n threads. */
static bool grow(pc_reduction *reduction, int n)
{
    if (n <= reduction->n_parts)
        return true;
    void **part = pci_alloc_zero(reduction->context, (size_t)n, sizeof *part);
    if (!part)
        return false;
    for (int t = 0; t < reduction->n_parts; t++)
        part[t] = reduction->part[t];
    pci_free(reduction->context, reduction->part);
    reduction->part = part;
    reduction->n_parts = n;
    return true;
}

/* Makes the parts of the first n threads. */
static bool make_parts(pc_reduction *reduction, int n)
{
    if (!reduction->ops->create_part)
        return true;
    if (!grow(reduction, n))
        return false;
    for (int t = 0; t < n; t++)
        if (!reduction->part[t] && !(reduction->part[t] = reduction->ops->create_part(reduction)))
            return false;
    return true;
}

static void *part_of(const pc_reduction *reduction, int thread)
{
    return thread < reduction->n_parts ? reduction->part[thread] : NULL;
}

void *pci_reduction_whole(pc_reduction *reduction)
{
    if (!make_parts(reduction, 1))
        return NULL;
    for (int t = 1; t < reduction->n_parts; t++)
        if (reduction->part[t])
            reduction->ops->merge(reduction, reduction->part[0], reduction->part[t]);
    return reduction->part[0];
}

void pci_reduction_clear(pc_reduction *reduction)
{
    for (; reduction; reduction = reduction->twin) {
        pci_reduction_free_parts(reduction);
        if (reduction->ops->clear)
            reduction->ops->clear(reduction);
    }
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Reductions that get the same rows, with their twins. */
typedef struct group {
    pc_context *context;
    pc_reduction *const *reductions;
    uint32_t n; /* places: 2 for each reduction */
} group;

/* The reduction or twin at a place; NULL: none. */
static pc_reduction *member(const group *g, uint32_t place)
{
    pc_reduction *reduction = g->reductions[place / 2];
    return place % 2 ? reduction->twin : reduction;
}

static int threads_for(const group *g, const pc_rows *rows)
{
    double operations = 0, n_words = (double)rows->n_rows * (double)rows->n_columns;
    n_words *= rows->n_limbs ? rows->n_limbs : 1;
    for (uint32_t i = 0; i < g->n; i++)
        operations += member(g, i) ? member(g, i)->entry_operations * n_words : 0;
    return pci_threads_for(g->context, operations);
}

static pc_status begin(const group *g, const pc_rows *rows, int n_threads)
{
    pc_status status = PC_OK;
    for (uint32_t i = 0; i < g->n && status == PC_OK; i++) {
        pc_reduction *reduction = member(g, i);
        if (!reduction)
            continue;
        if (reduction->ops->begin)
            status = reduction->ops->begin(reduction, rows);
        if (status == PC_OK && !make_parts(reduction, reduction->is_ordered ? 1 : n_threads))
            status = pci_fail_memory(g->context, "what rows are reduced to",
                                     (size_t)n_threads * rows->n_columns);
    }
    return status;
}

/* Rows of a chunk: few enough that all threads have some. */
static uint64_t chunk_rows(const pc_rows *rows, int n_threads)
{
    uint64_t n = rows->n_rows / ((uint64_t)n_threads * CHUNKS_A_THREAD);
    return n < 1 ? 1 : n < MOST_CHUNK_ROWS ? n : MOST_CHUNK_ROWS;
}

static void add_chunk(const group *g, const pc_rows *rows, uint64_t first, uint64_t n_rows,
                      int thread)
{
    n_rows = n_rows < rows->n_rows - first ? n_rows : rows->n_rows - first;
    for (uint32_t i = 0; i < g->n; i++) {
        pc_reduction *reduction = member(g, i);
        if (reduction && !reduction->is_ordered)
            reduction->ops->add(reduction, part_of(reduction, thread), rows, first, n_rows);
    }
}

static pc_status end(const group *g, const pc_rows *rows)
{
    pc_status status = PC_OK;
    for (uint32_t i = 0; i < g->n && status == PC_OK; i++) {
        pc_reduction *reduction = member(g, i);
        if (reduction && reduction->is_ordered)
            reduction->ops->add(reduction, part_of(reduction, 0), rows, 0, rows->n_rows);
        if (reduction && reduction->ops->end)
            status = reduction->ops->end(reduction, rows);
    }
    return status;
}

pc_status pci_reduce(pc_context *context, pc_reduction *const *reductions, uint32_t n_reductions,
                     const pc_rows *rows)
{
    group g = {context, reductions, 2 * n_reductions};
    if (n_reductions == 0 || rows->n_rows == 0)
        return PC_OK;
    int n_threads = threads_for(&g, rows);
    uint64_t n_rows = rows->n_rows;
    pc_status status = begin(&g, rows, n_threads);
    if (status != PC_OK)
        return status;
    uint64_t chunk = n_threads == 1 ? MOST_CHUNK_ROWS : chunk_rows(rows, n_threads);
    if (n_threads == 1) /* without a region, which takes longer than a few rows */
        for (uint64_t first = 0; first < n_rows; first += chunk)
            add_chunk(&g, rows, first, chunk, 0);
    else
#pragma omp parallel for schedule(monotonic : dynamic, 1) num_threads(n_threads)
        for (uint64_t first = 0; first < n_rows; first += chunk)
            add_chunk(&g, rows, first, chunk, omp_get_thread_num());
    return end(&g, rows);
}

/* ---- Aggregates of rows ---------------------------------------------------------------------- */

bool pci_reductions_can_take(pc_reduction *const *reductions, uint32_t n_reductions,
                             pci_aggregates *asked)
{
    for (uint32_t i = 0; i < n_reductions; i++)
        if (!reductions[i]->ops->can_take || !reductions[i]->ops->can_take(reductions[i], asked))
            return false;
    return true;
}

pc_status pci_reduce_aggregates(pc_context *context, pc_reduction *const *reductions,
                                uint32_t n_reductions, const pci_aggregates *aggregates,
                                uint8_t *is_wanted)
{
    uint64_t n = aggregates->n;
    group g = {context, reductions, 2 * n_reductions};
    pc_rows shape = {.n_rows = n, .n_columns = n, .n_limbs = aggregates->n_limbs};
    pc_status status = begin(&g, &shape, 1);
    for (uint32_t i = 0; i < g.n && status == PC_OK; i++) {
        pc_reduction *reduction = member(&g, i);
        if (reduction)
            status = reduction->ops->take(reduction, part_of(reduction, 0), aggregates,
                                          (int)(i % 2), is_wanted);
    }
    return status;
}

void pci_reduce_wanted(pc_reduction *const *reductions, uint32_t n_reductions, const pc_rows *rows)
{
    group g = {NULL, reductions, 2 * n_reductions};
    for (uint32_t i = 0; i < g.n; i++) {
        pc_reduction *reduction = member(&g, i);
        if (reduction && reduction->ops->add_wanted)
            reduction->ops->add_wanted(reduction, part_of(reduction, 0), rows);
    }
}

/* ---- Public calls ---------------------------------------------------------------------------- */

pc_status pc_reduction_add(pc_reduction *reduction, const pc_rows *rows)
{
    if (!reduction || !pci_rows_are_whole(rows))
        return pci_fail_null(reduction ? reduction->context : NULL, "rows or what they hold");
    return pci_reduce(reduction->context, &reduction, 1, rows);
}

void pci_reduction_end_twin(pc_reduction *reduction)
{
    pc_reduction_free(reduction->twin);
    reduction->twin = NULL;
}

void pc_reduction_free(pc_reduction *reduction)
{
    if (!reduction)
        return;
    pci_reduction_end_twin(reduction);
    pci_reduction_free_parts(reduction);
    reduction->ops->free(reduction);
}

/* ---- Shared scans --------------------------------------------------------------------------- */

/* Looks at counts: those of one or two words, which are the most frequent, with AVX2 where it is. */

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* ---- Plain C --------------------------------------------------------------------------------- */

ALWAYS_INLINE bool scan(size_t n, uint32_t n_limbs, const uint64_t *counts, const uint64_t *floor,
                        unsigned __int128 *sums, uint64_t *n_zero)
{
    bool is_large = false;
    for (size_t e = 0; e < n; e++, counts += n_limbs) {
        uint64_t any = 0;
        for (uint32_t l = 0; l < n_limbs; l++) {
            sums[l] += counts[l];
            any |= counts[l];
        }
        *n_zero += any == 0;
        is_large |= pci_count_exceeds(counts, floor, n_limbs);
    }
    return is_large;
}

bool pci_row_scan_plain(size_t n, uint32_t n_limbs, const uint64_t *counts, const uint64_t *floor,
                        unsigned __int128 *sums, uint64_t *n_zero)
{
    switch (n_limbs) { /* the same code with the width known where it matters most */
    case 1:
        return scan(n, 1, counts, floor, sums, n_zero);
    case 2:
        return scan(n, 2, counts, floor, sums, n_zero);
    default:
        return scan(n, n_limbs, counts, floor, sums, n_zero);
    }
}

/* ---- AVX2 ------------------------------------------------------------------------------------ */

#if defined(__x86_64__)
#define WITH_AVX2 __attribute__((target("avx2")))

enum { LANES = 4 };

typedef uint64_t words __attribute__((vector_size(32)));
typedef words loose_words __attribute__((aligned(8), may_alias));

/* All ones in a lane where the count, of two words in two lanes, has so in both; 0 in the lower one. */
ALWAYS_INLINE WITH_AVX2 words in_both(words lanes)
{
    return (words)_mm256_slli_si256((__m256i)lanes, 8) & lanes;
}

/* Registers of counts of one word, or of two. */
ALWAYS_INLINE WITH_AVX2 bool scan_registers(size_t n_registers, const uint32_t n_limbs,
                                            const uint64_t *counts, const uint64_t *floor,
                                            unsigned __int128 *sums, uint64_t *n_zero)
{
    words low = {0}, high = {0}, zeros = {0}, large = {0};
    words least = {floor[0], floor[n_limbs - 1], floor[0], floor[n_limbs - 1]};
    for (size_t r = 0; r < n_registers; r++) {
        words word = *(const loose_words *)(counts + r * LANES);
        words is_zero = (words)(word == 0), is_above = (words)(word > least);
        low += word & UINT32_MAX;
        high += word >> 32;
        if (n_limbs == 1) {
            zeros -= is_zero;
            large |= is_above;
        } else {
            zeros -= in_both(is_zero);
            words below = (words)_mm256_slli_si256((__m256i)is_above, 8);
            large |= is_above | (below & (words)(word == least));
        }
    }
    for (int l = 0; l < LANES; l++) {
        sums[l % n_limbs] += low[l] + ((unsigned __int128)high[l] << 32);
        *n_zero += zeros[l];
    }
    return (large[1] | large[3] | (n_limbs == 1 ? large[0] | large[2] : 0)) != 0;
}

static WITH_AVX2 bool scan_avx2(size_t n_registers, uint32_t n_limbs, const uint64_t *counts,
                                const uint64_t *floor, unsigned __int128 *sums, uint64_t *n_zero)
{
    return n_limbs == 1 ? scan_registers(n_registers, 1, counts, floor, sums, n_zero)
                        : scan_registers(n_registers, 2, counts, floor, sums, n_zero);
}
#endif

/* ---- Which one ------------------------------------------------------------------------------- */

bool pci_row_scan(size_t n, uint32_t n_limbs, const uint64_t *counts, const uint64_t *floor,
                  unsigned __int128 *sums, uint64_t *n_zero)
{
    size_t done = 0;
    bool is_large = false;
#if defined(__x86_64__)
    if (n_limbs <= 2 && __builtin_cpu_supports("avx2")) {
        size_t n_registers = n * n_limbs / LANES;
        is_large = scan_avx2(n_registers, n_limbs, counts, floor, sums, n_zero);
        done = n_registers * LANES / n_limbs;
    }
#endif
    return pci_row_scan_plain(n - done, n_limbs, counts + done * n_limbs, floor, sums, n_zero) ||
           is_large;
}

/* Counts shortest paths from a vertex by a breadth-first search, which visits vertices in the order of their distances. The
 * number of a vertex is final when the search leaves it: arcs from one distance to the next pass it on. Loops, arcs back
 * and arcs between equal distances pass on nothing. Threads share the rows. */
#include <gmp.h>

#include "src/simple/simple.h"

#include "src/certify/certify.h"
#include "src/core/number.h"

#include <omp.h>
#include <string.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

enum { FAR = UINT32_MAX };

/* One search at a time. */
typedef struct searcher {
    const pc_graph *graph;
    uint32_t *distance; /* [n] */
    uint32_t *order;    /* [n + 1]: the vertices that were reached, the nearest first */
    uint64_t *row;      /* [n][n_words]: room for a row */
    bool wraps;         /* a number did not fit in its words */
} searcher;

/* ---- One search ------------------------------------------------------------------------------ */

/* to += from * weight, of n_words words. True when these do not hold it. */
static bool add_words(uint32_t n_words, const uint64_t *from, uint64_t weight, uint64_t *to)
{
    mp_size_t n_from = (mp_size_t)pci_number_trim(from, n_words);
    uint64_t carry =
        weight == 1 ? mpn_add_n(to, to, from, n_from) : mpn_addmul_1(to, from, n_from, weight);
    if (n_from < (mp_size_t)n_words)
        carry = mpn_add_1(to + n_from, to + n_from, (mp_size_t)n_words - n_from, carry);
    return carry != 0;
}

/* Passes the number of a vertex on along an arc, if the arc leads farther. True when the sum does not fit. */
ALWAYS_INLINE bool pass_on(uint32_t n_words, bool is_farther, uint64_t weight, uint64_t own,
                           const uint64_t *from, uint64_t *to)
{
    uint64_t more;
    if (n_words > 1)
        return is_farther && add_words(n_words, from, weight, to);
    bool wraps = __builtin_mul_overflow(own & -(uint64_t)is_farther, weight, &more); /* no jump */
    return wraps | __builtin_add_overflow(*to, more, to);
}

/* Makes a row of numbers of n_words words; 0: of none, only distances. A vertex is written behind those that were
 * reached, and stays there if it is new: so nothing is jumped over. */
ALWAYS_INLINE void search_as(bool has_weights, uint32_t n_words, uint64_t start, searcher *s,
                             uint64_t *row)
{
    const pc_graph *g = s->graph;
    uint32_t *distance = s->distance, *order = s->order;
    uint64_t n_reached = 1;
    bool wraps = false;
    memset(distance, 0xff, g->n * sizeof *distance);
    memset(row, 0, g->n * n_words * sizeof *row);
    distance[start] = 0;
    order[0] = (uint32_t)start;
    row[start * n_words] = 1;
    for (uint64_t i = 0; i < n_reached; i++) {
        uint64_t v = order[i], end = g->row_start[v + 1], own = row[v * n_words]; /* final */
        uint32_t next = distance[v] + 1;
        for (uint64_t a = g->row_start[v]; a < end; a++) {
            uint32_t to = g->column[a], is = distance[to];
            order[n_reached] = to;
            n_reached += is == FAR;
            is = is < next ? is : next; /* no vertex that was reached is farther */
            distance[to] = is;
            if (n_words)
                wraps |= pass_on(n_words, is == next, has_weights ? g->weight[a] : 1, own,
                                 row + v * n_words, row + to * n_words);
        }
    }
    s->wraps |= wraps;
}

static void make_row(uint32_t n_words, uint64_t start, searcher *s, uint64_t *row)
{
    bool has_weights = s->graph->weight != NULL;
    if (n_words == 1 && !has_weights) /* loops of their own */
        search_as(false, 1, start, s, row);
    else if (n_words == 1)
        search_as(true, 1, start, s, row);
    else
        search_as(has_weights, n_words, start, s, row);
    for (uint64_t v = 0; v < s->graph->n && n_words == 0; v++)
        row[v] = s->distance[v] == FAR ? PCI_NO_DISTANCE : s->distance[v];
}

/* The bits of the largest number of a row. */
static uint64_t bits_of(uint64_t n, uint32_t n_words, const uint64_t *row)
{
    uint64_t bits = 0, any = 0;
    for (uint64_t v = 0; v < n && n_words == 1; v++)
        any |= row[v];
    if (n_words == 1)
        return any ? 64 - (uint64_t)__builtin_clzll(any) : 0;
    for (uint64_t v = 0; v < n; v++, row += n_words) {
        uint64_t own = pci_number_bits(row, n_words);
        bits = own > bits ? own : bits;
    }
    return bits;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

double pci_shortest_bytes(const pci_shortest_work *work)
{
    return 8 * ((double)work->graph->n + 1) * (1 + 2.0 * work->n_words);
}

/* Searchers in one block with their room, to be freed; n_row_words: of a row in the room. NULL without memory. */
static searcher *team_create(const pci_shortest_work *work, uint64_t n_row_words, int n_threads)
{
    uint64_t n = work->graph->n, room_words = n + 1 + n_row_words;
    size_t bytes = (size_t)n_threads * (sizeof(searcher) + room_words * sizeof(uint64_t));
    searcher *team = pci_alloc(work->context, bytes);
    uint64_t *row = (uint64_t *)(void *)(team + n_threads);
    for (int i = 0; team && i < n_threads; i++, row += room_words) {
        uint32_t *distance = (uint32_t *)(row + n_row_words);
        team[i] = (searcher){work->graph, distance, distance + n + 1, row, false};
    }
    if (!team)
        pci_fail_memory(work->context, "searches", bytes);
    return team;
}

/* Makes the rows into rows or, where it is NULL, each into room of its own, and hashes them. */
static pc_status make_rows(const pci_shortest_work *work, const char *stage, uint64_t *rows,
                           uint64_t *hashes, uint64_t *bits, bool *wraps)
{
    uint64_t n = work->graph->n, n_rows = work->n_rows, largest = 0;
    uint32_t n_limbs = work->n_words ? work->n_words : 1;
    int n_threads = pci_threads_for(work->context, pci_shortest_seconds(work) * 1e9);
    n_threads = n_rows < (uint64_t)n_threads ? (int)n_rows + !n_rows : n_threads;
    searcher *team = team_create(work, rows ? 0 : n * n_limbs, n_threads);
    pc_status status = team ? PC_OK : PC_ERR_MEMORY, shared = status;
#pragma omp parallel for num_threads(n_threads) schedule(dynamic, 1)                               \
    reduction(max                                                                                  \
              : largest) if (n_threads > 1)
    for (uint64_t r = 0; r < (team ? n_rows : 0); r++) {
        searcher *s = team + omp_get_thread_num();
        uint64_t *row = rows ? rows + r * n * n_limbs : s->row;
        if (!pci_goes_on(work->context, stage, (double)r / (double)n_rows, &shared) || s->wraps)
            continue;
        make_row(work->n_words, work->from[r], s, row);
        if (rows)
            continue;
        pc_rows one = {.n_rows = 1, .n_columns = n, .n_limbs = n_limbs, .limbs = row};
        hashes[r] = pci_row_hash(&one, 0);
        uint64_t own = bits_of(n, n_limbs, row);
        largest = own > largest ? own : largest;
    }
    *bits = largest;
    *wraps = false;
    for (int i = 0; team && i < n_threads; i++)
        *wraps |= team[i].wraps;
    pci_free(work->context, team);
    return status == PC_OK ? pci_gone_on(work->context, shared) : status;
}

pc_status pci_shortest_width(pci_shortest_work *work, uint64_t *bits, uint64_t *hashes)
{
    for (;;) {
        bool wraps;
        pc_status status = make_rows(work, "bound", NULL, hashes, bits, &wraps);
        uint32_t n_words = *bits > 64 ? (uint32_t)((*bits + 63) / 64) : 1;
        if (status != PC_OK || (!wraps && work->n_words <= n_words))
            return status;
        work->n_words = wraps ? 2 * work->n_words : n_words;
    }
}

pc_status pci_shortest_rows(const pci_shortest_work *work, uint64_t *rows)
{
    uint64_t bits;
    bool wraps;
    pc_status status = make_rows(work, "search", rows, NULL, &bits, &wraps);
    return status == PC_OK && wraps
               ? pci_fail_check(work->context, "the width of numbers of shortest paths")
               : status;
}

double pci_shortest_seconds(const pci_shortest_work *work)
{
    const double arc_seconds = 2e-9, word_seconds = 0.5e-9, vertex_seconds = 2e-9;
    double arcs = (double)pci_graph_n_arcs(work->graph), n = (double)work->graph->n;
    return (double)work->n_rows * ((arc_seconds + word_seconds * work->n_words) * arcs +
                                   (vertex_seconds + word_seconds * work->n_words) * n);
}

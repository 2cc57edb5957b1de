/* Counts shortest paths from a vertex by a breadth-first search, which visits vertices in the order of their distances. The
 * number of a vertex is final when the search leaves it: arcs from one distance to the next pass it on. Loops, arcs back
 * and arcs between equal distances pass on nothing. Threads share the rows.
 *
 * The same search in doubles, and in logarithms where these are too small, proves how wide the numbers become. */
#include <gmp.h>

#include "src/simple/shortest.h"

#include "src/certify/certify.h"
#include "src/core/number.h"

#include <math.h>
#include <omp.h>
#include <string.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

enum { FAR = UINT32_MAX };

/* The kinds of number that a search passes on. */
typedef enum numbers { NOTHING, DOUBLES, LOGARITHMS, WORD, WORDS } numbers;

/* The number of a vertex. */
typedef union number {
    double real;
    uint64_t word;
    const uint64_t *words;
} number;

/* One search at a time. */
typedef struct searcher {
    const pc_graph *graph;
    uint32_t *distance; /* [n] */
    uint32_t *order;    /* [n + 1]: the vertices that were reached, the nearest first */
    uint64_t n_reached;
    double *limit; /* [n] */
    bool wraps;    /* a number did not fit in its words: its limit is wrong */
} searcher;

/* ---- One search ------------------------------------------------------------------------------ */

/* log2(2^a + 2^b); -INFINITY stands for 0. */
static double log2_add(double a, double b)
{
    double more = fmax(a, b), less = fmin(a, b);
    return less == -INFINITY ? more : more + log2(1 + exp2(less - more));
}

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
ALWAYS_INLINE bool pass_on(numbers kind, uint32_t n_words, bool is_farther, uint64_t weight,
                           number own, uint64_t to, void *all)
{
    double *x = all;
    uint64_t *words = all;
    bool wraps = false;
    const number kept = {.word = own.word & -(uint64_t)is_farther}; /* or 0: no jump */
    if (kind == WORD) {
        uint64_t more;
        wraps = __builtin_mul_overflow(kept.word, weight, &more);
        wraps |= __builtin_add_overflow(words[to], more, &words[to]);
    } else if (kind == DOUBLES)
        x[to] += kept.real * (double)weight;
    else if (kind == LOGARITHMS && is_farther)
        x[to] = log2_add(x[to], own.real + log2((double)weight));
    else if (kind == WORDS && is_farther)
        wraps = add_words(n_words, own.words, weight, words + to * n_words);
    return wraps;
}

ALWAYS_INLINE number number_of(numbers kind, uint32_t n_words, uint64_t v, const void *all)
{
    const double *x = all;
    const uint64_t *words = all;
    return kind == WORD                            ? (number){.word = words[v]}
           : kind == DOUBLES || kind == LOGARITHMS ? (number){.real = x[v]}
                                                   : (number){.words = words + v * n_words};
}

/* A vertex is written behind those that were reached, and stays there if it is new: so nothing is jumped over. */
ALWAYS_INLINE void search_as(numbers kind, bool has_weights, uint32_t n_words, uint64_t start,
                             searcher *s, void *all)
{
    const pc_graph *g = s->graph;
    uint32_t *distance = s->distance, *order = s->order;
    uint64_t n_reached = 1;
    bool wraps = false;
    memset(distance, 0xff, g->n * sizeof *distance);
    distance[start] = 0;
    order[0] = (uint32_t)start;
    for (uint64_t i = 0; i < n_reached; i++) {
        uint64_t v = order[i], end = g->row_start[v + 1];
        uint32_t next = distance[v] + 1;
        const number own = number_of(kind, n_words, v, all); /* final */
        for (uint64_t a = g->row_start[v]; a < end; a++) {
            uint32_t to = g->column[a], is = distance[to];
            order[n_reached] = to;
            n_reached += is == FAR;
            is = is < next ? is : next; /* no vertex that was reached is farther */
            distance[to] = is;
            wraps |=
                pass_on(kind, n_words, is == next, has_weights ? g->weight[a] : 1, own, to, all);
        }
    }
    s->n_reached = n_reached;
    s->wraps |= wraps;
}

ALWAYS_INLINE void search_with(numbers kind, uint32_t n_words, uint64_t start, searcher *s,
                               void *all)
{
    if (s->graph->weight)
        search_as(kind, true, n_words, start, s, all);
    else
        search_as(kind, false, n_words, start, s, all);
}

/* Makes a row: of distances where n_words is 0. */
static void make_row(uint32_t n_words, uint64_t start, searcher *s, uint64_t *row)
{
    uint64_t n = s->graph->n;
    memset(row, 0, n * (n_words ? n_words : 1) * sizeof *row);
    row[start * n_words] = 1;
    if (n_words == 1)
        search_with(WORD, 1, start, s, row);
    else if (n_words > 1)
        search_with(WORDS, n_words, start, s, row);
    else
        search_with(NOTHING, 0, start, s, row);
    for (uint64_t v = 0; v < n && n_words == 0; v++)
        row[v] = s->distance[v] == FAR ? PCI_NO_DISTANCE : s->distance[v];
}

/* ---- Limits ---------------------------------------------------------------------------------- */

/* log2 of the largest number of a row, rounded. */
static double largest_bits(uint64_t start, searcher *s)
{
    double largest = 0;
    memset(s->limit, 0, s->graph->n * sizeof *s->limit);
    s->limit[start] = 1;
    search_with(DOUBLES, 0, start, s, s->limit);
    for (uint64_t i = 0; i < s->n_reached; i++)
        largest = fmax(largest, s->limit[s->order[i]]);
    if (largest < INFINITY)
        return log2(largest);
    for (uint64_t v = 0; v < s->graph->n; v++)
        s->limit[v] = -INFINITY;
    s->limit[start] = largest = 0;
    search_with(LOGARITHMS, 0, start, s, s->limit);
    for (uint64_t i = 0; i < s->n_reached; i++)
        largest = fmax(largest, s->limit[s->order[i]]);
    return largest;
}

/* Turns a row of doubles into one of words, and returns its hash. */
static uint64_t hash_of(searcher *s)
{
    uint64_t n = s->graph->n, *words = (uint64_t *)(void *)s->limit;
    for (uint64_t v = 0; v < n; v++)
        words[v] = (uint64_t)s->limit[v];
    pc_rows rows = {.n_rows = 1, .n_columns = n, .n_limbs = 1, .limbs = words};
    return pci_row_hash(&rows, 0);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Searchers, each with room of its own. */
typedef struct team {
    int n_threads;
    searcher *searchers;
    void *room;
} team;

double pci_shortest_bytes(const pci_shortest_work *work)
{
    return 16 * ((double)work->graph->n + 1);
}

static pc_status team_create(const pci_shortest_work *work, uint64_t n_tasks, team *t)
{
    uint64_t n = work->graph->n;
    double seconds = pci_shortest_seconds(work) * (double)n_tasks / (double)work->n_rows;
    int n_threads = pci_threads_for(work->context, seconds * 1e9);
    t->n_threads = n_tasks < (uint64_t)n_threads ? (int)n_tasks : n_threads;
    size_t bytes = (n + 1) * (sizeof(double) + 2 * sizeof(uint32_t));
    t->searchers = pci_alloc(work->context, (size_t)t->n_threads * sizeof *t->searchers);
    t->room = pci_alloc(work->context, (size_t)t->n_threads * bytes);
    if (!t->searchers || !t->room)
        return pci_fail_memory(work->context, "searches", (size_t)t->n_threads * bytes);
    for (int i = 0; i < t->n_threads; i++) {
        double *limit = (double *)((char *)t->room + (size_t)i * bytes);
        uint32_t *distance = (uint32_t *)(limit + n + 1);
        t->searchers[i] = (searcher){work->graph, distance, distance + n + 1, 0, limit, false};
    }
    return PC_OK;
}

static void team_free(pc_context *context, team *t)
{
    pci_free(context, t->searchers);
    pci_free(context, t->room);
}

pc_status pci_shortest_bits(const pci_shortest_work *work, double *bits, uint64_t *hashes)
{
    team t = {.n_threads = 1};
    pc_status status = work->n_rows ? team_create(work, work->n_rows, &t) : PC_OK, shared = status;
    double largest = 0;
    uint64_t n_rows = status == PC_OK ? work->n_rows : 0;
#pragma omp parallel for num_threads(t.n_threads) schedule(dynamic, 1)                             \
    reduction(max                                                                                  \
              : largest) if (t.n_threads > 1)
    for (uint64_t r = 0; r < n_rows; r++)
        if (pci_goes_on(work->context, "bound", (double)r / (double)n_rows, &shared)) {
            searcher *s = t.searchers + omp_get_thread_num();
            double bits_of_row = largest_bits(work->from[r], s);
            largest = fmax(largest, bits_of_row);
            hashes[r] = bits_of_row < PCI_SHORTEST_EXACT_BITS ? hash_of(s) : 0;
        }
    team_free(work->context, &t);
    /* A number is rounded no more often than twice for each arc. A part of 2^-49 for each is more than
     * its logarithm, with that of its own, can be off by. */
    double n_roundings = 2 * (double)pci_graph_n_arcs(work->graph) + 2;
    *bits = largest + (1 + largest) * n_roundings * 0x1p-49;
    return status == PC_OK ? pci_gone_on(work->context, shared) : status;
}

pc_status pci_shortest_rows(const pci_shortest_work *work, int n_copies, uint64_t *const *copy)
{
    team t = {.n_threads = 1};
    uint64_t n_tasks = work->n_rows * (uint64_t)n_copies;
    pc_status status = n_tasks ? team_create(work, n_tasks, &t) : PC_OK, shared = status;
    size_t row_words = work->graph->n * (work->n_words ? work->n_words : 1);
    n_tasks = status == PC_OK ? n_tasks : 0;
#pragma omp parallel for num_threads(t.n_threads) schedule(dynamic, 1) if (t.n_threads > 1)
    for (uint64_t i = 0; i < n_tasks; i++) {
        uint64_t r = i / (uint64_t)n_copies, c = i % (uint64_t)n_copies;
        if (pci_goes_on(work->context, "search", (double)i / (double)n_tasks, &shared))
            make_row(work->n_words, work->from[r], t.searchers + omp_get_thread_num(),
                     copy[c] + r * row_words);
    }
    for (int i = 0; i < t.n_threads && n_tasks; i++)
        if (t.searchers[i].wraps && status == PC_OK)
            status = pci_fail_check(work->context, "the width of numbers of shortest paths");
    team_free(work->context, &t);
    return status == PC_OK ? pci_gone_on(work->context, shared) : status;
}

double pci_shortest_seconds(const pci_shortest_work *work)
{
    const double arc_seconds = 2e-9, word_seconds = 0.5e-9, vertex_seconds = 2e-9;
    double arcs = (double)pci_graph_n_arcs(work->graph), n = (double)work->graph->n;
    return (double)work->n_rows * ((arc_seconds + word_seconds * work->n_words) * arcs +
                                   (vertex_seconds + word_seconds * work->n_words) * n);
}

/* Counts a small graph by sums in words of 32, 64 or 128 bits, and checks them. The width follows from a limit of the
 * counts: n^(length + 1) where that is narrow enough, else the same count in doubles, rounded up. */
#include "src/streams/small.h"

#include <stddef.h>
#include <string.h>

/* Doubles are off by no more than this factor: each of the steps adds 80 numbers at most, and there
 * are fewer than 2^32 steps, so (1 + 2^-53)^(80 * 2^32) < 1 + 2^-13. */
#define ROUNDED_UP (1 + 0x1p-10)

#define ALWAYS_INLINE static inline __attribute__((always_inline))

enum {
    GROUP = 4,
    N_GROUPS = PCI_SMALL_VERTICES / GROUP,
    LANE_BYTES = 16,      /* of a vector register that every processor has */
    MASKED_VERTICES = 16, /* of the largest graphs whose sums fit in registers */
    LONG_LENGTH =
        4096 /* from this length on squaring is faster, unless counts of each length are wanted */
};

typedef unsigned __int128 word128;
typedef uint64_t word64;
typedef uint32_t word32;

/* The first length that is answered or added up. */
static inline uint64_t first_wanted(const pc_stream_query *query)
{
    return query->each || query->up_to ? 1 : query->length;
}

/* The longer half of a length. */
static inline uint64_t half_of(uint64_t length)
{
    return length / 2 + length % 2;
}

/* ---- Sums in words of each width ------------------------------------------------------------- */

/* The count of a wanted length goes into its own column, or is added to the only one. */
static inline size_t column_of(const pc_stream_query *query, uint64_t length)
{
    return query->each ? length - 1 : 0;
}

static inline void put_word(const pc_stream_query *query, uint64_t length, uint64_t count,
                            uint64_t *counts)
{
    counts[column_of(query, length)] += count;
}

static inline void put_two_words(const pc_stream_query *query, uint64_t length, word128 count,
                                 uint64_t *counts)
{
    uint64_t *to = counts + 2 * column_of(query, length);
    count += (word128)to[1] << 64 | to[0];
    to[0] = (uint64_t)count;
    to[1] = (uint64_t)(count >> 64);
}

static inline size_t padded(size_t n)
{
    return (n + GROUP - 1) / GROUP * GROUP;
}

/* True when the rows have as many entries as the graph had when it was read. */
static bool has_entries(const pci_small_graph *graph)
{
    uint64_t n_entries = 0;
    for (uint32_t i = 0; i < graph->n_vertices; i++)
        n_entries += (uint64_t)__builtin_popcountll(graph->row[i]);
    return n_entries == graph->n_entries;
}

/* The limit of all that is asked. */
static inline void put_limit(double count, double *limit)
{
    *limit += count;
}

#define HAS_LANES
#define WORD                              word32
#define WIDE                              word64
#define PUT(query, length, count, counts) put_word(query, length, count, counts)
#include "src/streams/small_body.h"
#define HAS_LANES
#define WORD                              word64
#define WIDE                              word128
#define PUT(query, length, count, counts) put_word(query, length, count, counts)
#include "src/streams/small_body.h"
#define WORD                              word128
#define WIDE                              word128
#define PUT(query, length, count, counts) put_two_words(query, length, count, counts)
#include "src/streams/small_body.h"
#define WORD                              double
#define WIDE                              double
#define PUT(query, length, count, counts) put_limit(count, counts)
#include "src/streams/small_body.h"

/* ---- Long paths ------------------------------------------------------------------------------
 *
 * Repeated squaring in words of 128 bits that saturate: a sum that is too large stays the largest word. Nothing is
 * subtracted, and a factor of 0 removes a saturated term, so any sum below the largest word is right. So no limit has to
 * be proved first. */

static const word128 too_large = (word128)0 - 1;

typedef struct matrix {
    word128 entry[PCI_SMALL_VERTICES][PCI_SMALL_VERTICES];
} matrix;

static inline word128 add(word128 a, word128 b)
{
    word128 sum = a + b;
    return sum < a ? too_large : sum;
}

static inline word128 multiply(word128 a, word128 b)
{
    word128 product;
    return __builtin_mul_overflow(a, b, &product) ? too_large : product;
}

static void add_row(uint32_t n, word128 factor, const word128 *from, word128 *to)
{
    for (uint32_t j = 0; j < n; j++)
        to[j] = add(to[j], multiply(factor, from[j]));
}

/* out = a b; out is neither. */
static void multiply_matrices(uint32_t n, const matrix *a, const matrix *b, matrix *out)
{
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++)
            out->entry[i][j] = 0;
        for (uint32_t l = 0; l < n; l++)
            if (a->entry[i][l] != 0)
                add_row(n, a->entry[i][l], b->entry[l], out->entry[i]);
    }
}

static void add_matrix(uint32_t n, const matrix *from, matrix *to)
{
    for (uint32_t i = 0; i < n; i++)
        add_row(n, 1, from->entry[i], to->entry[i]);
}

/* The powers of a graph up to a length: A^length, and A + ... + A^length. */
typedef struct powers {
    uint32_t n;
    bool adds_up;
    matrix a, power, sum, room;
} powers;

static void begin_powers(const pci_small_graph *graph, bool adds_up, powers *p)
{
    p->n = graph->n_vertices;
    p->adds_up = adds_up;
    for (uint32_t i = 0; i < p->n; i++)
        for (uint32_t j = 0; j < p->n; j++)
            p->a.entry[i][j] = p->power.entry[i][j] = p->sum.entry[i][j] = graph->row[i] >> j & 1;
}

/* Twice the length: the paths that are longer than it begin with one of it. */
static void twice(powers *p)
{
    if (p->adds_up) {
        multiply_matrices(p->n, &p->power, &p->sum, &p->room);
        add_matrix(p->n, &p->room, &p->sum);
    }
    multiply_matrices(p->n, &p->power, &p->power, &p->room);
    p->power = p->room;
}

static void one_more(powers *p)
{
    multiply_matrices(p->n, &p->a, &p->power, &p->room);
    p->power = p->room;
    if (p->adds_up)
        add_matrix(p->n, &p->power, &p->sum);
}

static bool put_powers(word128 count, uint64_t **counts)
{
    *(*counts)++ = (uint64_t)count;
    *(*counts)++ = (uint64_t)(count >> 64);
    return count != too_large;
}

/* The row of the graph in counts of PCI_SMALL_LIMBS words; false when one does not fit. */
static bool count_powers(const pci_small_graph *graph, const pc_stream_query *query,
                         uint64_t *counts)
{
    powers p;
    word128 total = 0, closed = 0;
    begin_powers(graph, query->up_to, &p);
    for (int bit = 62 - __builtin_clzll(query->length); bit >= 0; bit--) {
        twice(&p);
        if (query->length >> bit & 1)
            one_more(&p);
    }
    const matrix *answer = query->up_to ? &p.sum : &p.power;
    for (uint32_t i = 0; i < p.n; i++) {
        closed = add(closed, answer->entry[i][i]);
        for (uint32_t j = 0; j < p.n; j++)
            total = add(total, answer->entry[i][j]);
    }
    bool fits = true;
    if (query->total)
        fits = put_powers(total, &counts);
    if (query->closed)
        fits = put_powers(closed, &counts) && fits;
    return fits;
}

/* ---- How wide -------------------------------------------------------------------------------- */

/* The sum of n^(length + 1) over the lengths asked. It is at most twice the last term, or the
 * number of lengths when n is 1. */
static double simple_limit(const pci_small_graph *graph, const pc_stream_query *query)
{
    double power = graph->n_vertices, limit = power;
    for (uint64_t rest = query->length; rest > 0; rest >>= 1, power *= power)
        if (rest & 1)
            limit *= power;
    return (2 * limit + (double)query->length) * ROUNDED_UP;
}

/* There are no more closed paths than paths, whose limit is found with less work. */
static double limit_of(const pci_small_graph *graph, const pc_stream_query *query)
{
    double all = 0, closed = 0;
    totals_double(graph, query, &all);
    if (query->total || all * ROUNDED_UP < 0x1p64)
        return all * ROUNDED_UP;
    closed_double(graph, query, &closed);
    return closed * ROUNDED_UP;
}

static bool is_long(const pc_stream_query *query)
{
    return query->length > LONG_LENGTH && !query->each;
}

uint32_t pci_small_limbs(const pci_small_graph *graph, const pc_stream_query *query)
{
    uint64_t counts[2 * PCI_SMALL_LIMBS];
    if (is_long(query))
        return count_powers(graph, query, counts) ? PCI_SMALL_LIMBS : 0;
    if (query->length >> 32)
        return 0;
    if (simple_limit(graph, query) < 0x1p64)
        return 1;
    double limit = limit_of(graph, query);
    return limit < 0x1p64 ? 1 : limit < 0x1p128 ? 2 : 0; /* 0 also where it is no number */
}

/* ---- The counts ------------------------------------------------------------------------------ */

typedef bool (*count_fn)(const pci_small_graph *graph, const pc_stream_query *query, void *counts);

/* Long paths are counted twice. */
static bool count_long(const pci_small_graph *graph, const pc_stream_query *query, uint64_t *counts)
{
    uint64_t again[2 * PCI_SMALL_LIMBS];
    size_t n_words = (query->total && query->closed ? 2 : 1) * PCI_SMALL_LIMBS;
    count_powers(graph, query, counts);
    return count_powers(graph, query, again) && has_entries(graph) &&
           memcmp(counts, again, n_words * sizeof *counts) == 0;
}

bool pci_small_count(const pci_small_graph *graph, const pc_stream_query *query, uint32_t n_limbs,
                     uint64_t *counts)
{
    static const count_fn totals[] = {totals_word32, totals_word64, totals_word128};
    static const count_fn closed[] = {closed_word32, closed_word64, closed_word128};
    size_t n_words = (size_t)n_limbs * (query->each ? query->length : 1);
    if (is_long(query))
        return count_long(graph, query, counts);
    int width = n_limbs == 2 ? 2 : simple_limit(graph, query) < 0x1p32 ? 0 : 1;
    bool holds = true;
    memset(counts, 0, (query->total && query->closed ? 2 : 1) * n_words * sizeof *counts);
    if (query->total)
        holds = totals[width](graph, query, counts);
    if (query->closed)
        holds = closed[width](graph, query, query->total ? counts + n_words : counts) && holds;
    return holds;
}

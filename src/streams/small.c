/* Counts a small graph by sums in words of 32, 64 or 128 bits, and checks them. The width follows from a limit of the
 * counts: n^(length + 1) where that is narrow enough, else the same count in doubles, rounded up. */
#include "src/streams/stream.h"

#include <stddef.h>
#include <string.h>

/* Doubles are off by no more than this factor: each of the steps adds 80 numbers at most, and there
 * are at most 4096 steps, so (1 + 2^-53)^(80 * 4096) < 1 + 2^-30. */
#define ROUNDED_UP (1 + 0x1p-10)

#define ALWAYS_INLINE static inline __attribute__((always_inline))

enum {
    GROUP = 4,
    N_GROUPS = PCI_SMALL_VERTICES / GROUP,
    LANE_BYTES = 16,      /* of a vector register that every processor has */
    MASKED_VERTICES = 16, /* of the largest graphs whose sums fit in registers */
    MOST_LENGTH = 4096    /* longer paths rarely fit these words */
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

uint32_t pci_small_limbs(const pci_small_graph *graph, const pc_stream_query *query)
{
    if (query->length > MOST_LENGTH)
        return 0;
    if (simple_limit(graph, query) < 0x1p64)
        return 1;
    double limit = limit_of(graph, query);
    return limit < 0x1p64 ? 1 : limit < 0x1p128 ? 2 : 0; /* 0 also where it is no number */
}

/* ---- The counts ------------------------------------------------------------------------------ */

typedef bool (*count_fn)(const pci_small_graph *graph, const pc_stream_query *query, void *counts);

bool pci_small_count(const pci_small_graph *graph, const pc_stream_query *query, uint32_t n_limbs,
                     uint64_t *counts)
{
    static const count_fn totals[] = {totals_word32, totals_word64, totals_word128};
    static const count_fn closed[] = {closed_word32, closed_word64, closed_word128};
    size_t n_words = (size_t)n_limbs * (query->each ? query->length : 1);
    int width = n_limbs == 2 ? 2 : simple_limit(graph, query) < 0x1p32 ? 0 : 1;
    bool holds = true;
    memset(counts, 0, (query->total && query->closed ? 2 : 1) * n_words * sizeof *counts);
    if (query->total)
        holds = totals[width](graph, query, counts);
    if (query->closed)
        holds = closed[width](graph, query, query->total ? counts + n_words : counts) && holds;
    return holds;
}

/* Long paths by repeated squaring, in words of 128 bits that saturate: a sum that is too large
 * stays the largest word. Nothing is subtracted, and a factor of 0 removes a saturated term, so any
 * sum below the largest word is right. So no limit has to be proved first. */
#include "src/streams/small_counts.h"

#include <stddef.h>

typedef unsigned __int128 word;

static const word too_large = (word)0 - 1;

typedef struct matrix {
    word entry[PCI_SMALL_VERTICES][PCI_SMALL_VERTICES];
} matrix;

static inline word add(word a, word b)
{
    word sum = a + b;
    return sum < a ? too_large : sum;
}

static inline word multiply(word a, word b)
{
    word product;
    return __builtin_mul_overflow(a, b, &product) ? too_large : product;
}

static void add_row(uint32_t n, word factor, const word *from, word *to)
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

static void begin(const pci_small_graph *graph, bool adds_up, powers *p)
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

static bool put(word count, uint64_t **counts)
{
    *(*counts)++ = (uint64_t)count;
    *(*counts)++ = (uint64_t)(count >> 64);
    return count != too_large;
}

bool pci_small_long(const pci_small_graph *graph, const pc_stream_query *query, uint64_t *counts)
{
    powers p;
    word total = 0, closed = 0;
    begin(graph, query->up_to, &p);
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
        fits = put(total, &counts);
    if (query->closed)
        fits = put(closed, &counts) && fits;
    return fits;
}

/* Paths by dynamic programming over sets of vertices (Held and Karp 1962). An entry [set][end] is the number of paths
 * that visit the vertices of the set after the start, in any order, and end at one of them: the sum over the vertex
 * before the end of the entry without the end. Sets of one size form a layer, and a layer needs the one before it only.
 *
 * Vertices other than the start are numbered from 0 on, and a set is a mask of them. The sets of a layer ascend, so the
 * place of a set c(1) < c(2) < ... < c(m) is the sum of the binomials of c(i) over i. */
#include "src/simple/simple.h"

#include <math.h>
#include <omp.h>
#include <string.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

typedef unsigned __int128 wide;

enum { MOST = PCI_MOST_SET_VERTICES, CHUNK = 1 << 10 /* sets that a thread takes at a time */ };

/* Seconds of a thread for a product, and for a set beside them; measured. */
static const double PRODUCT_SECONDS = 1.3e-9, SET_SECONDS = 20e-9;

typedef struct sets {
    const pci_simple_work *work;
    uint32_t n;                            /* vertices other than the start */
    uint32_t length;                       /* no path is longer */
    uint64_t binomial[MOST + 1][MOST + 2]; /* [a][b]: a over b */
    uint64_t weight[MOST][MOST];           /* [end][before]: of the arc; 0: there is none */
    uint64_t from_start[MOST];             /* weights of the first arcs */
    uint64_t *layer[2]; /* [sets][size][n_words] of sizes that are odd, and even */
    pc_status status;   /* shared: see pci_goes_on */
    int n_threads;
    uint64_t n_done, n_all; /* layers */
} sets;

/* Longest paths, and sizes of layers, of work on a graph. */
static sets sets_of(const pci_simple_work *work)
{
    sets s = {.work = work, .n = work->graph->n ? (uint32_t)work->graph->n - 1 : 0};
    for (uint32_t a = 0; a <= MOST; a++) {
        s.binomial[a][0] = 1;
        for (uint32_t b = 1; b <= a; b++)
            s.binomial[a][b] = s.binomial[a - 1][b - 1] + s.binomial[a - 1][b];
    }
    s.length = work->length <= s.n ? (uint32_t)work->length : work->up_to ? s.n : 0;
    return s;
}

/* Words of the largest layer of odd or of even sizes. The last layer is added to the row and is not kept. */
static uint64_t layer_words(const sets *s, uint32_t parity)
{
    uint64_t most = 0;
    for (uint32_t m = 1; m < s->length; m++)
        if (m % 2 == parity && s->binomial[s->n][m] * m > most)
            most = s->binomial[s->n][m] * m;
    return most * s->work->n_words;
}

static double layer_products(const sets *s, uint32_t m)
{
    return (double)s->binomial[s->n][m] * m * (m - 1);
}

/* ---- Layers ----------------------------------------------------------------------------------- */

/* The mask at a place of the layer of sets of m vertices. */
static uint32_t mask_at(const sets *s, uint32_t m, uint64_t place)
{
    uint32_t mask = 0;
    for (uint32_t c = s->n; m > 0 && c-- > 0;)
        if (place >= s->binomial[c][m]) {
            place -= s->binomial[c][m--];
            mask |= UINT32_C(1) << c;
        }
    return mask;
}

/* The next larger mask of as many bits. */
static uint32_t next_mask(uint32_t mask)
{
    uint32_t lowest = mask & -mask, ripple = mask + lowest;
    return ripple | ((mask ^ ripple) / lowest) >> 2;
}

/* The entries of one set, to value[end]. */
ALWAYS_INLINE void fill_set(const sets *s, uint32_t m, const uint32_t *member,
                            const uint64_t *before, const uint32_t n_words, wide *value)
{
    uint64_t rest[MOST + 1]; /* the part of the place without member e that later members make */
    rest[m] = 0;
    for (uint32_t i = m; i-- > 1;)
        rest[i] = rest[i + 1] + s->binomial[member[i]][i];
    uint64_t first = 0;   /* the part that earlier members make */
    uint32_t other[MOST]; /* members but for e */
    memcpy(other, member + 1, (m - 1) * sizeof *other);
    for (uint32_t e = 0; e < m; e++) {
        const uint64_t *weight = s->weight[member[e]];
        const uint64_t *from = before + (first + rest[e + 1]) * (m - 1) * n_words;
        wide sum = 0;
        for (uint32_t i = 0; i < m - 1; i++, from += n_words)
            sum += (n_words == 1 ? *from : *from | (wide)from[1] << 64) * weight[other[i]];
        value[e] = n_words == 1 ? (uint64_t)sum : sum;
        first += s->binomial[member[e]][e + 1];
        other[e] = member[e];
    }
}

/* Sets place .. end - 1 of a layer; sums[v] grows by the entries that end at v. */
ALWAYS_INLINE void fill_chunk(const sets *s, uint32_t m, uint64_t place, uint64_t end,
                              const uint32_t n_words, wide *sums)
{
    const uint64_t *before = s->layer[(m - 1) % 2];
    uint64_t *to = m < s->length ? s->layer[m % 2] + place * m * n_words : NULL;
    uint32_t mask = mask_at(s, m, place), member[MOST];
    wide value[MOST];
    for (; place < end; place++, mask = next_mask(mask)) {
        uint32_t i = 0;
        for (uint32_t bits = mask; bits; bits &= bits - 1)
            member[i++] = (uint32_t)__builtin_ctz(bits);
        if (m == 1)
            value[0] = s->from_start[member[0]];
        else
            fill_set(s, m, member, before, n_words, value);
        for (i = 0; i < m; i++)
            sums[member[i]] += value[i];
        for (i = 0; to && i < m; i++, to += n_words)
            memcpy(to, &value[i], n_words * sizeof *to);
    }
}

/* Makes the layer of sets of m vertices; sums[v] grows by its entries that end at v if they are wanted. */
static void fill_layer(sets *s, uint32_t m, wide *sums)
{
    uint64_t n_sets = s->binomial[s->n][m];
    bool is_wanted = s->work->up_to || m == s->length;
#pragma omp parallel num_threads(s->n_threads) if (s->n_threads > 1)
    {
        wide own[MOST] = {0};
#pragma omp for schedule(dynamic, 1)
        for (uint64_t place = 0; place < n_sets; place += CHUNK) {
            uint64_t end = n_sets - place < CHUNK ? n_sets : place + CHUNK;
            double done = (double)s->n_done + (double)place / (double)n_sets;
            if (!pci_goes_on(s->work->context, "sets", done / (double)s->n_all, &s->status))
                continue;
            if (s->work->n_words == 1)
                fill_chunk(s, m, place, end, 1, own);
            else
                fill_chunk(s, m, place, end, 2, own);
        }
#pragma omp critical(pci_sets_sums)
        for (uint32_t v = 0; is_wanted && v < s->n; v++)
            sums[v] += own[v];
    }
    s->n_done++;
}

/* ---- Rows ------------------------------------------------------------------------------------- */

/* Weights are taken from the graph; the start is left out, and vertices above it move down by one. */
static void make_row(sets *s, uint64_t start, uint64_t *row)
{
    const pc_graph *g = s->work->graph;
    uint32_t n_words = s->work->n_words;
    wide sums[MOST] = {0};
    memset(s->weight, 0, sizeof s->weight);
    memset(s->from_start, 0, sizeof s->from_start);
    for (uint64_t u = 0; u < g->n; u++)
        for (uint64_t a = g->row_start[u]; a < g->row_start[u + 1]; a++) {
            uint64_t v = g->column[a];
            if (v == start)
                continue;
            if (u == start)
                s->from_start[v - (v > start)] = pci_graph_weight(g, a);
            else
                s->weight[v - (v > start)][u - (u > start)] = pci_graph_weight(g, a);
        }
    for (uint32_t m = 1; m <= s->length && s->status == PC_OK; m++)
        fill_layer(s, m, sums);
    memset(row, 0, g->n * n_words * sizeof *row);
    for (uint64_t v = 0; v < s->n; v++)
        memcpy(row + (v + (v >= start)) * n_words, &sums[v], n_words * sizeof *row);
}

pc_status pci_sets_rows(const pci_simple_work *work, uint64_t n_rows, const uint64_t *from,
                        uint64_t *rows)
{
    pc_context *context = work->context;
    sets s = sets_of(work);
    double most = 0;
    for (uint32_t m = 1; m <= s.length; m++)
        most = fmax(most, layer_products(&s, m));
    s.n_threads = pci_threads_for(context, most);
    s.n_all = n_rows * s.length;
    for (uint32_t parity = 0; parity < 2 && s.status == PC_OK; parity++) {
        size_t bytes = layer_words(&s, parity) * sizeof(uint64_t);
        if (bytes && !(s.layer[parity] = pci_alloc(context, bytes)))
            s.status = pci_fail_memory(context, "sets of vertices", bytes);
    }
    for (uint64_t i = 0; i < n_rows && s.status == PC_OK; i++)
        make_row(&s, from[i], rows + i * work->graph->n * work->n_words);
    pci_free(context, s.layer[0]);
    pci_free(context, s.layer[1]);
    return pci_gone_on(context, s.status);
}

double pci_sets_bytes(const pci_simple_work *work)
{
    if (work->graph->n > MOST)
        return INFINITY;
    sets s = sets_of(work);
    return (double)sizeof(uint64_t) * ((double)layer_words(&s, 0) + (double)layer_words(&s, 1));
}

double pci_sets_seconds(const pci_simple_work *work, uint64_t n_rows)
{
    if (work->graph->n > MOST)
        return INFINITY;
    sets s = sets_of(work);
    double seconds = 0;
    for (uint32_t m = 1; m <= s.length; m++)
        seconds += layer_products(&s, m) * PRODUCT_SECONDS * (work->n_words == 2 ? 1.3 : 1) +
                   (double)s.binomial[s.n][m] * SET_SECONDS;
    return (double)n_rows * seconds / pci_n_threads(work->context);
}

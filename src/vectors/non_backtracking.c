/* The recurrence of paths that never turn back, in integers or modulo a number.
 *
 * Integers are digits with headroom: of a word of 64 bits so many that what a row adds and
 * subtracts fits the word, sign included. So lines are added word by word, and carries are taken
 * once a row. Results are not negative, and carries out of the last digit are those of two's
 * complement: dropped. A step works on as many digits as the limits of its entries want; the others
 * are still zero. */
#include "src/vectors/non_backtracking.h"

#include "src/cpu/modular.h"
#include "src/vectors/doubles.h"

#include <string.h>

enum { MOST_PAST = 4 /* the vectors themselves, and those of three steps before */ };

struct pci_non_backtracking {
    pc_context *context;
    const pc_graph *graph;
    pci_non_backtracking_options options;
    unsigned digit_bits;
    size_t line;               /* words of a vertex: [digit][vector] */
    size_t line_now;           /* of them those that may be other than 0 */
    uint64_t n_steps;          /* taken */
    uint32_t n_past;           /* vectors of as many steps are held */
    uint64_t *past[MOST_PAST]; /* [n][line] each; now, one step ago ... */
    uint32_t *n_back;          /* [n]: D, arcs of a row that have one back */
    uint64_t *x, *y;           /* [n] each: a word of all lines, of a graph in parts; else NULL */
    unsigned char *is_one_way; /* [n_arcs]: A - S; NULL: there are none */
};

static uint32_t past_of(const pc_graph *graph)
{
    return graph->symmetric ? MOST_PAST - 1 : MOST_PAST;
}

/* ---- Width ----------------------------------------------------------------------------------- */

/* A row of d arcs adds d lines, takes off no more than 2 d, and adds one. */
static unsigned digit_bits_of(const pc_graph *graph)
{
    uint64_t most = pci_graph_largest_degree(graph);
    unsigned headroom = 2; /* the sign, and a carry */
    while ((3 * most + 1) >> (headroom - 2))
        headroom++;
    return 64 - headroom;
}

static size_t digits_for(const pci_non_backtracking_options *options, unsigned digit_bits,
                         uint64_t length)
{
    return options->modulus ? 1 : (size_t)(options->bits[length] / digit_bits) + 1;
}

static size_t most_digits(const pci_non_backtracking_options *options, unsigned digit_bits)
{
    size_t most = 1;
    for (uint64_t l = 0; !options->modulus && l <= options->length; l++) {
        size_t n_digits = digits_for(options, digit_bits, l);
        most = n_digits > most ? n_digits : most;
    }
    return most;
}

double pci_non_backtracking_bytes(const pc_graph *graph,
                                  const pci_non_backtracking_options *options)
{
    double n = (double)graph->n, n_flags = graph->symmetric ? 0 : (double)pci_graph_n_arcs(graph);
    double words = (double)options->n_vectors * (double)most_digits(options, digit_bits_of(graph));
    double of_parts = graph->parts ? 16 * n : 0;
    return n * words * 8 * past_of(graph) + n * sizeof(uint32_t) + n_flags + of_parts;
}

/* ---- Arcs back ------------------------------------------------------------------------------- */

static void find_arcs_back(pci_non_backtracking *walks)
{
    const pc_graph *graph = walks->graph;
    uint64_t n_arcs = pci_graph_n_arcs(graph);
    if (graph->parts) { /* undirected, and weights are all 1: as many as the row has arcs */
        double *sums = (double *)walks->x;
        pci_chain_sums(graph, sums);
        for (uint64_t i = 0; i < graph->n; i++)
            walks->n_back[i] = (uint32_t)sums[i];
        return;
    }
#pragma omp parallel for num_threads(walks->options.n_threads) schedule(dynamic, 256)
    for (uint64_t i = 0; i < graph->n; i++) {
        uint64_t begin = graph->row_start[i], end = graph->row_start[i + 1], n_one_way = 0;
        for (uint64_t a = begin; walks->is_one_way && a < end; a++)
            n_one_way += walks->is_one_way[a] =
                pci_graph_find_arc(graph, graph->column[a], i) == n_arcs;
        walks->n_back[i] = (uint32_t)(end - begin - n_one_way);
    }
}

/* ---- Making ---------------------------------------------------------------------------------- */

static bool allocate(pci_non_backtracking *walks)
{
    const pc_graph *graph = walks->graph;
    pc_context *context = walks->context;
    walks->n_past = past_of(graph);
    for (uint32_t p = 0; p < walks->n_past; p++)
        if (!(walks->past[p] = pci_alloc_zero(context, graph->n, walks->line * sizeof(uint64_t))))
            return false;
    if (!graph->symmetric &&
        !(walks->is_one_way = pci_alloc_zero(context, pci_graph_n_arcs(graph), 1)))
        return false;
    walks->n_back = pci_alloc_zero(context, graph->n, sizeof *walks->n_back);
    if (graph->parts) {
        walks->x = pci_alloc_zero(context, graph->n, sizeof *walks->x);
        walks->y = pci_alloc_zero(context, graph->n, sizeof *walks->y);
    }
    return walks->n_back && (!graph->parts || (walks->x && walks->y));
}

pc_status pci_non_backtracking_create(pc_context *context, const pc_graph *graph,
                                      const pci_non_backtracking_options *options,
                                      pci_non_backtracking **walks)
{
    pci_non_backtracking *made = pci_alloc_zero(context, 1, sizeof *made);
    if (!made)
        return pci_fail_memory(context, "vectors", sizeof *made);
    *made = (pci_non_backtracking){.context = context,
                                   .graph = graph,
                                   .options = *options,
                                   .digit_bits = digit_bits_of(graph)};
    made->line = options->n_vectors * most_digits(options, made->digit_bits);
    made->line_now = options->n_vectors * digits_for(options, made->digit_bits, 0);
    if (!allocate(made)) {
        pci_non_backtracking_free(made);
        return pci_fail_memory(context, "vectors",
                               (size_t)pci_non_backtracking_bytes(graph, options));
    }
    find_arcs_back(made);
    *walks = made;
    return PC_OK;
}

void pci_non_backtracking_free(pci_non_backtracking *walks)
{
    if (!walks)
        return;
    pc_context *context = walks->context;
    for (uint32_t p = 0; p < MOST_PAST; p++)
        pci_free(context, walks->past[p]);
    pci_free(context, walks->n_back);
    pci_free(context, walks->is_one_way);
    pci_free(context, walks->x);
    pci_free(context, walks->y);
    pci_free(context, walks);
}

void pci_non_backtracking_clear(pci_non_backtracking *walks)
{
    walks->n_steps = 0;
    walks->line_now = walks->options.n_vectors * digits_for(&walks->options, walks->digit_bits, 0);
    for (uint32_t p = 0; p < walks->n_past; p++)
        memset(walks->past[p], 0, walks->graph->n * walks->line * sizeof(uint64_t));
}

/* ---- Entries --------------------------------------------------------------------------------- */

static uint64_t *entry_of(const pci_non_backtracking *walks, uint32_t vector, uint64_t vertex)
{
    return walks->past[0] + vertex * walks->line + vector;
}

void pci_non_backtracking_set(pci_non_backtracking *walks, uint32_t vector, uint64_t vertex,
                              uint64_t word)
{
    *entry_of(walks, vector, vertex) = word;
}

uint64_t pci_non_backtracking_residue(const pci_non_backtracking *walks, uint32_t vector,
                                      uint64_t vertex)
{
    return *entry_of(walks, vector, vertex);
}

void pci_non_backtracking_add(const pci_non_backtracking *walks, uint32_t vector, uint64_t vertex,
                              uint32_t n_limbs, uint64_t *sum)
{
    const uint64_t *digit = entry_of(walks, vector, vertex); /* digits are n_vectors words apart */
    size_t n_vectors = walks->options.n_vectors, n_digits = walks->line_now / n_vectors, d = 0;
    unsigned __int128 bits = 0; /* of digits, not yet added */
    unsigned n_bits = 0, carry = 0;
    if (walks->options.modulus) {
        *sum = (*sum + *digit) % walks->options.modulus; /* below 2^64: both are below 2^63 */
        return;
    }
    for (uint32_t w = 0; w < n_limbs; w++) {
        for (; n_bits < 64 && d < n_digits; d++, n_bits += walks->digit_bits)
            bits |= (unsigned __int128)digit[d * n_vectors] << n_bits;
        unsigned __int128 total = (unsigned __int128)sum[w] + (uint64_t)bits + carry;
        sum[w] = (uint64_t)total;
        carry = (unsigned)(total >> 64);
        bits >>= 64;
        n_bits = n_bits > 64 ? n_bits - 64 : 0;
    }
}

/* ---- Lines: the entries of a vertex in all vectors ------------------------------------------- */

/* y += x */
static void add(const pci_non_backtracking *walks, uint64_t *y, const uint64_t *x)
{
    uint64_t modulus = walks->options.modulus;
    size_t line = walks->line_now;
    if (modulus) {
        for (size_t v = 0; v < line; v++) {
            uint64_t sum = y[v] + x[v];
            y[v] = sum >= modulus ? sum - modulus : sum;
        }
        return;
    }
#pragma omp simd
    for (size_t v = 0; v < line; v++)
        y[v] += x[v];
}

/* y -= factor x */
static void subtract(const pci_non_backtracking *walks, uint64_t *y, const uint64_t *x,
                     uint64_t factor)
{
    uint64_t modulus = walks->options.modulus;
    size_t line = walks->line_now;
    if (modulus) {
        for (size_t v = 0; v < line; v++) {
            uint64_t off = factor == 1 ? x[v] : pci_multiply_mod(factor, x[v], modulus);
            y[v] = y[v] >= off ? y[v] - off : y[v] + (modulus - off);
        }
        return;
    }
#pragma omp simd
    for (size_t v = 0; v < line; v++)
        y[v] -= factor * x[v];
}

/* Makes digits of what the words of a line have become, with a sign. */
static void carry(const pci_non_backtracking *walks, uint64_t *y)
{
    size_t n_vectors = walks->options.n_vectors;
    unsigned digit_bits = walks->digit_bits;
    uint64_t mask = (UINT64_C(1) << digit_bits) - 1;
    if (walks->options.modulus)
        return;
    for (size_t v = 0; v + n_vectors < walks->line_now; v++) {
        y[v + n_vectors] += (uint64_t)((int64_t)y[v] >> digit_bits);
        y[v] &= mask;
    }
    for (size_t v = walks->line_now - n_vectors; v < walks->line_now; v++)
        y[v] &= mask;
}

/* ---- A step ---------------------------------------------------------------------------------- */

void pci_graph_add_words(const pc_graph *graph, int n_threads, const uint64_t *x, uint64_t *y)
{
#pragma omp parallel for num_threads(n_threads) schedule(dynamic, 512)
    for (uint64_t i = 0; i < graph->n; i++) {
        uint64_t sum = 0;
        for (uint64_t a = graph->row_start[i]; a < graph->row_start[i + 1]; a++)
            sum += x[graph->column[a]];
        y[i] = sum;
    }
}

/* to = A x of an undirected graph in parts, a word of all lines at a time. */
static void add_arcs_of_parts(const pci_non_backtracking *walks, uint64_t *to)
{
    const pc_graph *graph = walks->graph;
    uint64_t modulus = walks->options.modulus;
    for (size_t w = 0; w < walks->line_now; w++) {
        for (uint64_t i = 0; i < graph->n; i++)
            walks->x[i] = walks->past[0][i * walks->line + w];
        if (modulus)
            pci_graph_multiply_mod(graph, walks->options.n_threads, walks->x, modulus, walks->y);
        else
            graph->parts->multiply(graph->parts, PCI_PARTS_WORDS, NULL, walks->x, walks->y);
        for (uint64_t i = 0; i < graph->n; i++)
            to[i * walks->line + w] = walks->y[i];
    }
}

/* y = A p_(r-1) - (A - S) p_(r-3) - D p_(r-2) + p_(r-2) */
static void step_row(const pci_non_backtracking *walks, uint64_t i, uint64_t *to)
{
    const pc_graph *graph = walks->graph;
    uint64_t *const *past = walks->past;
    uint64_t n_steps = walks->n_steps; /* before this one */
    size_t line = walks->line;
    uint64_t *y = to + i * line;
    if (!graph->parts)
        memset(y, 0, walks->line_now * sizeof *y);
    for (uint64_t a = graph->parts ? 0 : graph->row_start[i];
         !graph->parts && a < graph->row_start[i + 1]; a++) {
        add(walks, y, past[0] + graph->column[a] * line);
        if (n_steps >= 2 && walks->is_one_way && walks->is_one_way[a])
            subtract(walks, y, past[2] + graph->column[a] * line, 1);
    }
    if (n_steps >= 1)
        subtract(walks, y, past[1] + i * line, walks->n_back[i]);
    if (n_steps >= 2)
        add(walks, y, past[1] + i * line);
    carry(walks, y);
}

void pci_non_backtracking_step(pci_non_backtracking *walks)
{
    uint64_t *to = walks->past[walks->n_past - 1];
    size_t line = walks->options.n_vectors *
                  digits_for(&walks->options, walks->digit_bits, walks->n_steps + 1);
    walks->line_now = line > walks->line_now ? line : walks->line_now;
    if (walks->graph->parts)
        add_arcs_of_parts(walks, to);
#pragma omp parallel for num_threads(walks->options.n_threads) schedule(dynamic, 256)
    for (uint64_t i = 0; i < walks->graph->n; i++)
        step_row(walks, i, to);
    memmove(walks->past + 1, walks->past, (walks->n_past - 1) * sizeof *walks->past);
    walks->past[0] = to;
    walks->n_steps++;
}

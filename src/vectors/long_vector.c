/* Vectors that grow: widths, rows shared out to threads, sums over entries. */
#include <gmp.h>

#include "src/vectors/long_vector.h"

#include "src/cpu/modular.h"
#include "src/core/number.h"

#include <string.h>

enum {
    WORD_BITS = 64,
    FEW_WORDS = 4,
    HUGE_PAGE_BYTES = 2 << 20,
    CHUNKS_A_THREAD = 32,
    MOST_ROWS_A_CHUNK = 256,
    SPARSE_PART = 4,        /* of the arcs that a thread would read: fewer are better followed */
    WORDS_A_STRIP = 1 << 24 /* read between two questions whether to go on */
};

/* ---- Memory ---------------------------------------------------------------------------------- */

uint64_t *pci_alloc_words(pc_context *context, size_t n_words, void **memory)
{
    size_t slack = n_words * sizeof(uint64_t) < HUGE_PAGE_BYTES / 2 ? 0 : HUGE_PAGE_BYTES;
    *memory = n_words < (SIZE_MAX - slack) / sizeof(uint64_t)
                  ? pci_alloc(context, n_words * sizeof(uint64_t) + slack)
                  : NULL;
    if (!*memory || !slack)
        return *memory;
    return (uint64_t *)(((uintptr_t)*memory + slack - 1) & -(uintptr_t)slack);
}

/* The message to the parts of a vector, without what the call says. */
static pc_status do_in_parts(const pci_long_vector *vector, pci_slices_call call)
{
    call.a = vector->number;
    return vector->parts->slices(vector->parts, vector->context, &call);
}

pc_status pci_long_vectors_create(pc_context *context, pci_parts *parts, uint64_t n,
                                  uint32_t most_words, uint32_t n_vectors, pci_long_vector *vectors)
{
    size_t n_words = n * most_words;
    for (uint32_t i = 0; i < n_vectors; i++)
        vectors[i] = (pci_long_vector){.context = context,
                                       .n = n,
                                       .n_words = most_words,
                                       .most_words = most_words,
                                       .bits = (uint64_t)most_words * WORD_BITS};
    if (parts) {
        pci_slices_call call = {
            .work = PCI_SLICES_CREATE, .n_words = most_words, .n_vectors = n_vectors};
        pc_status status = parts->slices(parts, context, &call);
        for (uint32_t i = 0; i < n_vectors && status == PC_OK; i++) {
            vectors[i].number = call.a + PCI_SLICES_STRIDE * i;
            vectors[i].parts = parts;
        }
        return status;
    }
    uint64_t *words = pci_alloc_words(context, n_vectors * n_words, &vectors->memory);
    if (!words)
        return pci_fail_memory(context, "vectors", n_vectors * n_words * sizeof *words);
    for (uint32_t i = 0; i < n_vectors; i++)
        vectors[i].words = words + i * n_words;
    return PC_OK;
}

void pci_long_vectors_free(uint32_t n_vectors, pci_long_vector *vectors)
{
    if (n_vectors && vectors->parts)
        do_in_parts(vectors, (pci_slices_call){.work = PCI_SLICES_FREE});
    if (n_vectors)
        pci_free(vectors->context, vectors->memory);
}

pc_status pci_long_vector_create(pc_context *context, pci_parts *parts, uint64_t n,
                                 uint32_t most_words, pci_long_vector *vector)
{
    return pci_long_vectors_create(context, parts, n, most_words, 1, vector);
}

void pci_long_vector_free(pci_long_vector *vector)
{
    pci_long_vectors_free(1, vector);
}

double pci_long_vector_bytes(uint64_t n, uint32_t most_words)
{
    double words = (double)n * most_words;
    return words * sizeof(uint64_t) +
           (words * sizeof(uint64_t) < HUGE_PAGE_BYTES / 2 ? 0 : (double)HUGE_PAGE_BYTES);
}

/* ---- Entries --------------------------------------------------------------------------------- */

void pci_long_vector_fill(uint32_t n_words, uint64_t value, uint64_t vertex,
                          pci_long_vector *vector)
{
    vector->n_words = n_words;
    vector->bits = value || vertex != PCI_NO_VERTEX;
    if (vector->parts) {
        do_in_parts(vector, (pci_slices_call){.work = PCI_SLICES_FILL,
                                              .n_words = n_words,
                                              .value = value,
                                              .vertex = vertex});
        return;
    }
    memset(vector->words, 0, vector->n * n_words * sizeof *vector->words);
    for (uint64_t i = 0; i < vector->n && value; i++)
        vector->words[i * n_words] = value;
    if (vertex < vector->n)
        vector->words[vertex * n_words] = 1;
}

uint64_t pci_long_vector_count_others(const pci_long_vector *vector)
{
    uint64_t n = 0;
    if (vector->parts)
        do_in_parts(vector, (pci_slices_call){
                                .work = PCI_SLICES_COUNT_OTHERS, .n_results = 1, .results = &n});
    for (uint64_t v = 0; v < vector->n && !vector->parts; v++)
        n += vector->words[v] != 1;
    return n;
}

void pci_long_vector_read(const pci_long_vector *vector, int owner, uint64_t *words)
{
    const uint64_t *first = vector->parts->first;
    do_in_parts(vector,
                (pci_slices_call){.work = PCI_SLICES_READ,
                                  .owner = owner,
                                  .n_results = (first[owner + 1] - first[owner]) * vector->n_words,
                                  .results = words});
}

void pci_long_vector_set_degrees(const pc_graph *graph, pci_long_vector *out)
{
    uint64_t any = 0; /* has the highest bit of the largest entry */
    out->n_words = 1;
    if (out->parts) {
        do_in_parts(out, (pci_slices_call){
                             .work = PCI_SLICES_DEGREES, .n_results = 1, .results = &out->bits});
        return;
    }
    for (uint64_t i = 0; i < graph->n; i++)
        any |= out->words[i] = graph->row_start[i + 1] - graph->row_start[i];
    out->bits = pci_number_bits(&any, 1);
}

/* sum += vector, or sum = vector, in entries first .. end - 1. */
static void add_entries(const pci_long_vector *vector, bool adds, uint64_t first, uint64_t end,
                        pci_long_vector *sum)
{
    uint32_t n_own = vector->n_words, n_words = sum->n_words;
    for (uint64_t i = first; i < end; i++) {
        uint64_t *to = sum->words + i * n_words;
        const uint64_t *from = vector->words + i * n_own;
        if (adds) {
            mpn_add(to, to, n_words, from, n_own);
            continue;
        }
        memcpy(to, from, n_own * sizeof *to);
        memset(to + n_own, 0, (n_words - n_own) * sizeof *to);
    }
}

void pci_long_vector_add_to(const pci_long_vector *vector, bool adds, pci_long_vector *sum)
{
    if (vector->parts) {
        do_in_parts(vector,
                    (pci_slices_call){.work = PCI_SLICES_ADD, .b = sum->number, .adds = adds});
        return;
    }
    int n_threads =
        pci_threads_in_step(vector->context, (double)vector->n * sum->n_words, vector->n_threads);
    if (n_threads == 1) {
        add_entries(vector, adds, 0, vector->n, sum);
        return;
    }
    uint64_t rows = vector->n / (uint64_t)n_threads + 1;
#pragma omp parallel for num_threads(n_threads) schedule(static, 1)
    for (uint64_t first = 0; first < vector->n; first += rows)
        add_entries(vector, adds, first, vector->n - first < rows ? vector->n : first + rows, sum);
}

/* ---- Steps ----------------------------------------------------------------------------------- */

static uint32_t words_for(uint64_t bits)
{
    return bits ? (uint32_t)((bits + WORD_BITS - 1) / WORD_BITS) : 1;
}

void pci_long_vector_pack(uint64_t bits, pci_long_vector *vector)
{
    uint32_t n_old = vector->n_words, n_new = words_for(bits);
    vector->bits = bits;
    for (uint64_t i = 0; i < vector->n && n_new < n_old && !vector->parts; i++)
        memmove(vector->words + i * n_new, vector->words + i * n_old, n_new * sizeof(uint64_t));
    vector->n_words = n_new;
}

static bool is_zero(const pci_long_vector *vector, uint64_t i)
{
    uint64_t any = 0;
    for (uint32_t w = 0; w < vector->n_words; w++)
        any |= vector->words[i * vector->n_words + w];
    return any == 0;
}

/* Tells whether the arcs of the entries that are not 0 are few. */
static bool is_sparse(const pc_graph *reverse, int n_threads, const pci_long_vector *in)
{
    uint64_t n_arcs = 0, most = pci_graph_n_arcs(reverse) / (SPARSE_PART * (unsigned)n_threads);
    for (uint64_t v = 0; v < in->n && n_arcs <= most; v++)
        if (!is_zero(in, v))
            n_arcs += reverse->row_start[v + 1] - reverse->row_start[v];
    return n_arcs <= most;
}

/* out = A in, by the arcs of the entries that are not 0; returns the bits of the largest. */
static uint64_t follow_arcs(const pc_graph *reverse, const pci_long_vector *in, uint32_t n_words,
                            uint64_t *out)
{
    uint32_t n_in = in->n_words;
    uint64_t most_bits = 0;
    memset(out, 0, in->n * n_words * sizeof *out);
    for (uint64_t v = 0; v < in->n; v++) {
        uint64_t end = is_zero(in, v) ? 0 : reverse->row_start[v + 1];
        for (uint64_t a = reverse->row_start[v]; a < end; a++) {
            uint64_t *to = out + (size_t)reverse->column[a] * n_words, *next = to + n_in;
            uint64_t weight = pci_graph_weight(reverse, a);
            uint64_t carry = mpn_addmul_1(to, in->words + v * n_in, n_in, weight);
            if (n_words > n_in)
                mpn_add_1(next, next, n_words - n_in, carry);
        }
    }
    for (uint64_t v = 0; v < in->n; v++) {
        uint64_t bits = pci_number_bits(out + v * n_words, n_words);
        most_bits = bits > most_bits ? bits : most_bits;
    }
    return most_bits;
}

/* Rows first .. end - 1 by several threads; returns the bits of the largest. */
static uint64_t run_strip(const pci_vector_pass *pass, int n_threads, uint64_t first, uint64_t end)
{
    if (n_threads == 1)
        return pci_graph_multiply_words(pass, first, end);
    uint64_t rows = (end - first) / ((uint64_t)n_threads * CHUNKS_A_THREAD) + 1, bits = 0;
    rows = rows < MOST_ROWS_A_CHUNK ? rows : MOST_ROWS_A_CHUNK;
#pragma omp parallel for num_threads(n_threads) schedule(dynamic, 1) reduction(max : bits)
    for (uint64_t at = first; at < end; at += rows) {
        uint64_t of_chunk = pci_graph_multiply_words(pass, at, end - at < rows ? end : at + rows);
        bits = of_chunk > bits ? of_chunk : bits;
    }
    return bits;
}

uint64_t pci_long_vector_multiply(const pc_graph *graph, int n_threads, uint32_t n_x_words,
                                  uint32_t n_y_words, const uint64_t *x, uint64_t *y)
{
    pci_vector_pass pass = {
        .graph = graph, .n_in_words = n_x_words, .n_out_words = n_y_words, .in = x, .out = y};
    return run_strip(&pass, n_threads, 0, graph->n);
}

/* out->bits of A in, by all arcs. */
static pc_status read_all_arcs(const pc_graph *graph, int n_threads, uint32_t n_words,
                               pci_fractions progress, const pci_long_vector *in,
                               pci_long_vector *out)
{
    double work = ((double)pci_graph_n_arcs(graph) + (double)graph->n) * in->n_words;
    uint64_t n_strips = (uint64_t)(work / WORDS_A_STRIP) + 1, rows = graph->n / n_strips + 1;
    pci_vector_pass pass = {.graph = graph,
                            .n_in_words = in->n_words,
                            .n_out_words = n_words,
                            .in = in->words,
                            .out = out->words};
    out->bits = 0;
    for (uint64_t first = 0; first < graph->n; first += rows) {
        uint64_t end = graph->n - first < rows ? graph->n : first + rows;
        double part = (double)first / (double)graph->n;
        pc_status status = pci_progress(in->context, "sweep",
                                        progress.from + part * (progress.to - progress.from));
        if (status != PC_OK)
            return status;
        uint64_t bits = run_strip(&pass, n_threads, first, end);
        out->bits = bits > out->bits ? bits : out->bits;
    }
    return PC_OK;
}

pc_status pci_long_vector_step(const pc_graph *graph, const pc_graph *reverse, uint64_t growth_bits,
                               pci_fractions progress, const pci_long_vector *in,
                               pci_long_vector *out)
{
    uint32_t n_words = words_for(in->bits ? in->bits + growth_bits : 0);
    n_words = n_words < out->most_words ? n_words : out->most_words;
    double work = ((double)pci_graph_n_arcs(graph) + (double)graph->n) * in->n_words;
    int n_threads = pci_threads_for(in->context, work);
    pc_status status = PC_OK;
    if (graph->parts) {
        pci_slices_call call = {.work = PCI_SLICES_STEP,
                                .a = in->number,
                                .b = out->number,
                                .n_words = n_words,
                                .n_results = 1,
                                .results = &out->bits};
        status = pci_progress(in->context, "sweep", progress.from);
        if (status == PC_OK)
            status = graph->parts->slices(graph->parts, in->context, &call);
    } else if (reverse && is_sparse(reverse, n_threads, in)) {
        status = pci_progress(in->context, "sweep", progress.from);
        out->bits = follow_arcs(reverse, in, n_words, out->words);
    } else {
        status = read_all_arcs(graph, n_threads, n_words, progress, in, out);
    }
    out->n_words = n_words;
    out->n_threads = n_threads;
    if (status == PC_OK)
        pci_long_vector_pack(out->bits, out);
    return status;
}

/* ---- Products -------------------------------------------------------------------------------- */

/* Up to four words by sums that are carried once at the end, wider ones by GMP. */
typedef unsigned __int128 wide;

/* The widths, constants where it is called, make the inner loops straight code. A sum gets at most
 * 2 FEW_WORDS words an entry, so it stays below 2^128. */
__attribute__((always_inline)) static inline void dot_few(const uint32_t n_words_a,
                                                          const uint32_t n_words_b, uint64_t n,
                                                          const uint64_t *a, const uint64_t *b,
                                                          uint64_t *product)
{
    wide sums[2 * FEW_WORDS] = {0}, carry = 0;
    for (uint64_t e = 0; e < n; e++, a += n_words_a, b += n_words_b)
#pragma GCC unroll 4
        for (uint32_t i = 0; i < n_words_a; i++)
#pragma GCC unroll 4
            for (uint32_t j = 0; j < n_words_b; j++) {
                wide part = (wide)a[i] * b[j];
                sums[i + j] += (uint64_t)part;
                sums[i + j + 1] += (uint64_t)(part >> WORD_BITS);
            }
    for (uint32_t i = 0; i < n_words_a + n_words_b; i++) {
        carry += (uint64_t)sums[i];
        product[i] = (uint64_t)carry;
        carry = (carry >> WORD_BITS) + (uint64_t)(sums[i] >> WORD_BITS);
    }
    product[n_words_a + n_words_b] = (uint64_t)carry;
}

/* a is no narrower than b. */
static void dot_many(uint64_t n, pci_word_row a, pci_word_row b, uint64_t *room, uint64_t *product)
{
    mp_size_t n_words = (mp_size_t)a.n_words + b.n_words;
    memset(product, 0, pci_row_dot_words(a.n_words, b.n_words) * sizeof *product);
    for (uint64_t e = 0; e < n; e++) {
        mpn_mul(room, a.words + e * a.n_words, a.n_words, b.words + e * b.n_words, b.n_words);
        product[n_words] += mpn_add_n(product, product, room, n_words);
    }
}

void pci_row_dot(uint64_t n, pci_word_row a, pci_word_row b, uint64_t *room, uint64_t *product)
{
    if (a.n_words < b.n_words) {
        pci_word_row narrower = a;
        a = b;
        b = narrower;
    }
#define FEW(n_a, n_b)                                                                              \
    if (a.n_words == (n_a) && b.n_words == (n_b))                                                  \
    return dot_few(n_a, n_b, n, a.words, b.words, product)
    /* Words of one step, and of one and the next. */
    FEW(1, 1);
    FEW(2, 1);
    FEW(2, 2);
    FEW(3, 2);
    FEW(3, 3);
    FEW(4, 3);
    FEW(4, 4);
#undef FEW
    dot_many(n, a, b, room, product);
}

pc_status pci_long_vector_dot(const pci_long_vector *a, const pci_long_vector *b, int n_threads,
                              uint64_t *scratch, uint64_t *product)
{
    size_t n_words = (size_t)a->n_words + b->n_words + 1;
    if (a->parts)
        return do_in_parts(a, (pci_slices_call){.work = PCI_SLICES_DOT,
                                                .b = b->number,
                                                .n_results = n_words,
                                                .results = product});
    if (n_threads == 1) {
        pci_row_dot(a->n, (pci_word_row){a->n_words, a->words},
                    (pci_word_row){b->n_words, b->words}, scratch, product);
        return PC_OK;
    }
    memset(product, 0, n_words * sizeof *product);
#pragma omp parallel for num_threads(n_threads) schedule(static, 1)
    for (int t = 0; t < n_threads; t++) {
        unsigned __int128 part = (unsigned __int128)a->n * (unsigned)t, next = part + a->n;
        uint64_t first = (uint64_t)(part / (unsigned)n_threads);
        pci_word_row x = {a->n_words, a->words + first * a->n_words};
        pci_word_row y = {b->n_words, b->words + first * b->n_words};
        uint64_t *room = scratch + 2 * n_words * (size_t)t;
        pci_row_dot((uint64_t)(next / (unsigned)n_threads) - first, x, y, room + n_words, room);
    }
    for (int t = 0; t < n_threads; t++)
        mpn_add_n(product, product, scratch + 2 * n_words * (size_t)t, (mp_size_t)n_words);
    return PC_OK;
}

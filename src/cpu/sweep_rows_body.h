/* The loops of a step of a sweep, included by one file for each instruction set, which says its name:
 * PCI_ISA. Registers are vectors of the compiler; it has no other way to keep a block of sums in
 * registers while arcs pass by. */
#include "src/cpu/sweep_rows.h"

#include <string.h>

#define JOIN_NAMES(a, b) a##b
#define JOIN(a, b)       JOIN_NAMES(a, b)
#define ALWAYS_INLINE    static inline __attribute__((always_inline))

enum {
#if defined(__AVX512F__)
    REGISTER_WORDS = 8,
#elif defined(__AVX2__)
    REGISTER_WORDS = 4,
#else
    REGISTER_WORDS = 2,
#endif
    MAX_REGISTERS = 8, /* sums that are kept at once */
    LINE_WORDS = 8,    /* of a cache line */
    FETCH_ARCS = 32,   /* how far ahead lines are asked for */
    BATCH_ARCS = 256
};

typedef uint64_t words __attribute__((vector_size(REGISTER_WORDS * 8)));
typedef words loose_words __attribute__((aligned(8), may_alias));

/* Arcs of a row; columns may be read up to n_readable, which is where the next rows are. */
typedef struct row_arcs {
    const uint32_t *column;
    const uint64_t *weight;
    uint64_t n, n_readable;
} row_arcs;

ALWAYS_INLINE void fetch_ahead(const row_arcs *arcs, uint64_t a, const uint64_t *in,
                               size_t in_words, const int n_words)
{
    if (a + FETCH_ARCS >= arcs->n_readable)
        return;
    const uint64_t *line = in + arcs->column[a + FETCH_ARCS] * in_words;
    for (int w = 0; w < n_words; w += LINE_WORDS)
        __builtin_prefetch(line + w);
}

ALWAYS_INLINE words load(const uint64_t *from)
{
    return *(const loose_words *)from;
}

/* out (+)= sum of n_registers registers of each line: constants but for arcs and addresses. */
ALWAYS_INLINE void sum_registers(const row_arcs *arcs, const uint64_t *in, size_t in_words,
                                 const int n_registers, const bool weighted, const bool fetches,
                                 bool adds, uint64_t *out)
{
    words sum[MAX_REGISTERS] = {0};
    for (int r = 0; adds && r < n_registers; r++)
        sum[r] = load(out + r * REGISTER_WORDS);
    for (uint64_t a = 0; a < arcs->n; a++) {
        const uint64_t *line = in + arcs->column[a] * in_words;
        if (fetches)
            fetch_ahead(arcs, a, in, in_words, n_registers * REGISTER_WORDS);
        for (int r = 0; r < n_registers; r++) {
            words of_line = load(line + r * REGISTER_WORDS);
            sum[r] += weighted ? of_line * arcs->weight[a] : of_line;
        }
    }
    for (int r = 0; r < n_registers; r++)
        *(loose_words *)(out + r * REGISTER_WORDS) = sum[r];
}

/* The few words that fill no register: a single vector, or two. */
ALWAYS_INLINE void sum_words(const row_arcs *arcs, const uint64_t *in, size_t in_words,
                             const int n_words, const bool weighted, bool adds, uint64_t *out)
{
    uint64_t sum[REGISTER_WORDS] = {0};
    for (int w = 0; adds && w < n_words; w++)
        sum[w] = out[w];
    for (uint64_t a = 0; a < arcs->n; a++) {
        const uint64_t *line = in + arcs->column[a] * in_words;
        fetch_ahead(arcs, a, in, in_words, n_words);
        for (int w = 0; w < n_words; w++)
            sum[w] += weighted ? line[w] * arcs->weight[a] : line[w];
    }
    for (int w = 0; w < n_words; w++)
        out[w] = sum[w];
}

#define FOR_COUNTS(CASE) CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7) CASE(8)

static void sum_block(const row_arcs *arcs, const uint64_t *in, size_t in_words, size_t n_registers,
                      bool fetches, bool adds, uint64_t *out)
{
#define CASE_OF(N)                                                                                 \
    case N:                                                                                        \
        if (arcs->weight)                                                                          \
            sum_registers(arcs, in, in_words, N, true, true, adds, out);                           \
        else if (fetches)                                                                          \
            sum_registers(arcs, in, in_words, N, false, true, adds, out);                          \
        else                                                                                       \
            sum_registers(arcs, in, in_words, N, false, false, adds, out);                         \
        break;
    switch (n_registers) {
        FOR_COUNTS(CASE_OF)
    }
#undef CASE_OF
}

/* n_words < REGISTER_WORDS */
static void sum_rest(const row_arcs *arcs, const uint64_t *in, size_t in_words, size_t n_words,
                     bool adds, uint64_t *out)
{
#define CASE_OF(N)                                                                                 \
    case N:                                                                                        \
        if (arcs->weight)                                                                          \
            sum_words(arcs, in, in_words, N, true, adds, out);                                     \
        else                                                                                       \
            sum_words(arcs, in, in_words, N, false, adds, out);                                    \
        break;
    switch (n_words) {
        CASE_OF(1)
#if defined(__AVX2__)
        CASE_OF(2)
        CASE_OF(3)
#endif
#if defined(__AVX512F__)
        CASE_OF(4)
        CASE_OF(5)
        CASE_OF(6)
        CASE_OF(7)
#endif
    }
#undef CASE_OF
}

/* The first n_words of a line, which is in_words long. */
static void sum_lines(const pci_sweep_pass *pass, const row_arcs *arcs, size_t n_words, bool adds,
                      uint64_t *out)
{
    size_t in_words = (size_t)pass->n_in_limbs * pass->n_lanes, done = 0;
    while (n_words - done >= REGISTER_WORDS) {
        size_t n_registers = (n_words - done) / REGISTER_WORDS;
        n_registers = n_registers < MAX_REGISTERS ? n_registers : MAX_REGISTERS;
        sum_block(arcs, pass->in + done, in_words, n_registers, pass->fetches_ahead, adds,
                  out + done);
        done += n_registers * REGISTER_WORDS;
    }
    if (done < n_words)
        sum_rest(arcs, pass->in + done, in_words, n_words - done, adds, out + done);
}

static void carry_limb(uint64_t n_lanes, uint32_t bits, uint64_t *restrict low,
                       uint64_t *restrict high)
{
    uint64_t mask = (UINT64_C(1) << bits) - 1;
    for (uint64_t v = 0; v < n_lanes; v++) {
        high[v] += low[v] >> bits;
        low[v] &= mask;
    }
}

/* Every limb but the last down to limb_bits; entries fit, so the last one needs it not. */
static void carry(const pci_sweep_pass *pass, uint64_t *line)
{
    uint64_t n_lanes = pass->n_lanes;
    for (uint32_t l = 0; l + 1 < pass->n_out_limbs; l++) {
        uint64_t *low = line + (size_t)l * n_lanes, *high = low + n_lanes;
        if (l + 1 == pass->n_in_limbs)
            memset(high, 0, (pass->n_out_limbs - pass->n_in_limbs) * n_lanes * sizeof *high);
        carry_limb(n_lanes, pass->limb_bits, low, high);
    }
}

/* Sums what is live among the arcs of a row; false when nothing is. */
static bool sum_live(const pci_sweep_pass *pass, const row_arcs *arcs, size_t n_words,
                     uint64_t *out)
{
    uint32_t column[BATCH_ARCS];
    uint64_t weight[BATCH_ARCS];
    bool is_live = false;
    for (uint64_t first = 0; first < arcs->n; first += BATCH_ARCS) {
        uint64_t end = arcs->n - first < BATCH_ARCS ? arcs->n : first + BATCH_ARCS, n = 0;
        for (uint64_t a = first; a < end; a++) {
            column[n] = arcs->column[a];
            if (arcs->weight)
                weight[n] = arcs->weight[a];
            n += pass->in_live[arcs->column[a]];
        }
        row_arcs live = {column, arcs->weight ? weight : NULL, n, n};
        if (n > 0)
            sum_lines(pass, &live, n_words, is_live, out);
        is_live = is_live || n > 0;
    }
    return is_live;
}

uint64_t JOIN(pci_sweep_rows_, PCI_ISA)(const pci_sweep_pass *pass, uint64_t first, uint64_t end)
{
    const pc_graph *graph = pass->graph;
    uint32_t n_limbs = pass->n_in_limbs < pass->n_out_limbs ? pass->n_in_limbs : pass->n_out_limbs;
    size_t n_words = (size_t)n_limbs * pass->n_lanes;
    size_t out_words = (size_t)pass->n_out_limbs * pass->n_lanes;
    uint64_t n_arcs = pci_graph_n_arcs(graph), n_live = 0;
    for (uint64_t i = first; i < end; i++) {
        uint64_t at = graph->row_start[i], *out = pass->out + i * out_words;
        row_arcs arcs = {graph->column + at, graph->weight ? graph->weight + at : NULL,
                         graph->row_start[i + 1] - at, n_arcs - at};
        bool is_live = true;
        if (pass->in_live) {
            is_live = sum_live(pass, &arcs, n_words, out);
            pass->out_live[i] = is_live;
        } else {
            sum_lines(pass, &arcs, n_words, false, out);
        }
        if (is_live && pass->n_out_limbs > 1)
            carry(pass, out);
        n_live += is_live;
    }
    return n_live;
}

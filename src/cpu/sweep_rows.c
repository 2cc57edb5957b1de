/* The loops of a step of a sweep, compiled once for each instruction set (PCI_ISA). Registers are vector types of the compiler:
 * there is no other way to keep a block of sums in registers while the arcs of a row are read. A
 * line is summed in pieces, and each piece takes one pass over the arcs. Lines are prefetched some
 * arcs ahead.
 *
 * Non-temporal stores were tried, and they were slower. */
#include "src/cpu/row_loops.h"

#include <string.h>

enum {
#if defined(__AVX512F__)
    REGISTER_WORDS = 8,
#elif defined(__AVX2__)
    REGISTER_WORDS = 4,
#else
    REGISTER_WORDS = 2,
#endif
    MAX_REGISTERS = 8, /* sums that are kept at once */
    MAX_PIECES = 5,    /* kinds of them in a line */
    LINE_WORDS = 8,    /* of a cache line */
    LANE_GROUP = 8,
    FETCH_ARCS = 32, /* how far ahead lines are asked for */
    BATCH_ARCS = 256
};

/* Arcs of a row; columns may be read up to n_readable, which is where the next rows are. */
typedef struct row_arcs {
    const uint32_t *column;
    const uint64_t *weight;
    uint64_t n, n_readable;
} row_arcs;

/* out (+)= the sum of a piece of each line; in and out point to the piece. */
typedef void (*sum_fn)(const row_arcs *arcs, const uint64_t *in, ptrdiff_t in_stride, bool adds,
                       uint64_t *out);

ALWAYS_INLINE void fetch_ahead(const row_arcs *arcs, uint64_t a, const uint64_t *in,
                               ptrdiff_t in_stride, const int n_words)
{
    if (a + FETCH_ARCS >= arcs->n_readable)
        return;
    const uint64_t *line = in + arcs->column[a + FETCH_ARCS] * in_stride;
    for (int w = 0; w < n_words; w += LINE_WORDS)
        __builtin_prefetch(line + w);
}

/* ---- Sums of pieces -------------------------------------------------------------------------- */

/* Registers of BYTES; n_registers, weighted and fetches are known to the compiler. */
#define DEFINE_SUM(BYTES)                                                                          \
    typedef uint64_t words_##BYTES __attribute__((vector_size(BYTES)));                            \
    typedef words_##BYTES loose_##BYTES __attribute__((aligned(8), may_alias));                    \
    ALWAYS_INLINE void sum_##BYTES(const row_arcs *arcs, const uint64_t *in, ptrdiff_t in_stride,  \
                                   const int n_registers, const bool weighted, const bool fetches, \
                                   bool adds, uint64_t *out)                                       \
    {                                                                                              \
        words_##BYTES sum[MAX_REGISTERS] = {0};                                                    \
        for (int r = 0; adds && r < n_registers; r++)                                              \
            sum[r] = *(const loose_##BYTES *)(out + r * (BYTES / 8));                              \
        for (uint64_t a = 0; a < arcs->n; a++) {                                                   \
            const uint64_t *line = in + arcs->column[a] * in_stride;                               \
            if (fetches)                                                                           \
                fetch_ahead(arcs, a, in, in_stride, n_registers *(BYTES / 8));                     \
            for (int r = 0; r < n_registers; r++) {                                                \
                words_##BYTES of_line = *(const loose_##BYTES *)(line + r * (BYTES / 8));          \
                sum[r] += weighted ? of_line * arcs->weight[a] : of_line;                          \
            }                                                                                      \
        }                                                                                          \
        for (int r = 0; r < n_registers; r++)                                                      \
            *(loose_##BYTES *)(out + r * (BYTES / 8)) = sum[r];                                    \
    }

/* The functions of a piece of N registers: weighted or not, fetching or not. */
#define DEFINE_ONE(BYTES, N, WEIGHTED, FETCHES)                                                    \
    static void sum_##BYTES##_##N##_##WEIGHTED##_##FETCHES(                                        \
        const row_arcs *arcs, const uint64_t *in, ptrdiff_t in_stride, bool adds, uint64_t *out)   \
    {                                                                                              \
        sum_##BYTES(arcs, in, in_stride, N, WEIGHTED, FETCHES, adds, out);                         \
    }
#define DEFINE_PIECE(BYTES, N)                                                                     \
    DEFINE_ONE(BYTES, N, 0, 0)                                                                     \
    DEFINE_ONE(BYTES, N, 0, 1)                                                                     \
    DEFINE_ONE(BYTES, N, 1, 0)                                                                     \
    DEFINE_ONE(BYTES, N, 1, 1)
#define PIECE_ROW(BYTES, N)                                                                        \
    {                                                                                              \
        {sum_##BYTES##_##N##_0_0, sum_##BYTES##_##N##_0_1},                                        \
            {sum_##BYTES##_##N##_1_0, sum_##BYTES##_##N##_1_1},                                    \
    }
#define DEFINE_LESS(BYTES) DEFINE_SUM(BYTES) DEFINE_PIECE(BYTES, 1)
#define DEFINE_REGISTERS(BYTES)                                                                    \
    DEFINE_SUM(BYTES)                                                                              \
    DEFINE_PIECE(BYTES, 1)                                                                         \
    DEFINE_PIECE(BYTES, 2)                                                                         \
    DEFINE_PIECE(BYTES, 3)                                                                         \
    DEFINE_PIECE(BYTES, 4)                                                                         \
    DEFINE_PIECE(BYTES, 5)                                                                         \
    DEFINE_PIECE(BYTES, 6)                                                                         \
    DEFINE_PIECE(BYTES, 7)                                                                         \
    DEFINE_PIECE(BYTES, 8)                                                                         \
    /* [registers - 1][weighted][fetches] */                                                       \
    static const sum_fn register_sums[MAX_REGISTERS][2][2] = {                                     \
        PIECE_ROW(BYTES, 1), PIECE_ROW(BYTES, 2), PIECE_ROW(BYTES, 3), PIECE_ROW(BYTES, 4),        \
        PIECE_ROW(BYTES, 5), PIECE_ROW(BYTES, 6), PIECE_ROW(BYTES, 7), PIECE_ROW(BYTES, 8)};

/* Functions for less than a register: [log2 of words][weighted][fetches]. */
DEFINE_LESS(8)
#if defined(__AVX512F__)
DEFINE_LESS(16)
DEFINE_LESS(32)
DEFINE_REGISTERS(64)
static const sum_fn rest_sums[][2][2] = {PIECE_ROW(8, 1), PIECE_ROW(16, 1), PIECE_ROW(32, 1)};
#elif defined(__AVX2__)
DEFINE_LESS(16)
DEFINE_REGISTERS(32)
static const sum_fn rest_sums[][2][2] = {PIECE_ROW(8, 1), PIECE_ROW(16, 1)};
#else
DEFINE_REGISTERS(16)
static const sum_fn rest_sums[][2][2] = {PIECE_ROW(8, 1)};
#endif

/* ---- Lines ----------------------------------------------------------------------------------- */

/* Pieces that follow each other in a line. */
typedef struct pieces {
    int n_kinds;
    struct {
        sum_fn sum;
        size_t n_words, n_times;
    } kind[MAX_PIECES];
} pieces;

static void add_piece(pieces *all, sum_fn sum, size_t n_words, size_t n_times)
{
    all->kind[all->n_kinds].sum = sum;
    all->kind[all->n_kinds].n_words = n_words;
    all->kind[all->n_kinds++].n_times = n_times;
}

static pieces pieces_of(const pci_sweep_pass *pass, size_t line_words)
{
    bool weighted = pass->graph->weight != NULL, fetches = pass->fetches_ahead;
    size_t n = line_words / REGISTER_WORDS, rest = line_words % REGISTER_WORDS;
    pieces all = {0};
    if (n >= MAX_REGISTERS)
        add_piece(&all, register_sums[MAX_REGISTERS - 1][weighted][fetches],
                  MAX_REGISTERS * REGISTER_WORDS, n / MAX_REGISTERS);
    if (n % MAX_REGISTERS)
        add_piece(&all, register_sums[n % MAX_REGISTERS - 1][weighted][fetches],
                  n % MAX_REGISTERS * REGISTER_WORDS, 1);
    for (int j = sizeof rest_sums / sizeof *rest_sums; j-- > 0;)
        if (rest & (size_t)1 << j)
            add_piece(&all, rest_sums[j][weighted][fetches], (size_t)1 << j, 1);
    return all;
}

ALWAYS_INLINE void sum_lines(const pieces *all, const row_arcs *arcs, const uint64_t *in,
                             ptrdiff_t in_stride, bool adds, uint64_t *out)
{
    size_t done = 0;
    for (int k = 0; k < all->n_kinds; k++)
        for (size_t t = 0; t < all->kind[k].n_times; t++, done += all->kind[k].n_words)
            all->kind[k].sum(arcs, in + done, in_stride, adds, out + done);
}

/* Sums what is live among the arcs of a row; false when nothing is. */
static bool sum_live(const pci_sweep_pass *pass, const pieces *all, const row_arcs *arcs,
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
            sum_lines(all, &live, pass->in, pass->in_stride, is_live, out);
        is_live = is_live || n > 0;
    }
    return is_live;
}

/* ---- Carries, and lines made wider ----------------------------------------------------------- */

/* high += what low has above its bits, which low then has no more. */
#define DEFINE_CARRY(TYPE)                                                                         \
    static void carry_##TYPE(uint64_t n_lanes, uint32_t bits, uint64_t *restrict low, TYPE *high)  \
    {                                                                                              \
        uint64_t mask = (UINT64_C(1) << bits) - 1;                                                 \
        for (uint64_t v = 0; v < n_lanes; v++) {                                                   \
            high[v] = (TYPE)(high[v] + (low[v] >> bits));                                          \
            low[v] &= mask;                                                                        \
        }                                                                                          \
    }
DEFINE_CARRY(uint8_t)
DEFINE_CARRY(pci_sweep_lane16)
DEFINE_CARRY(pci_sweep_lane32)
DEFINE_CARRY(uint64_t)

/* Every limb but the topmost down to limb_bits; entries fit, so that one needs it not. */
static void carry(const pci_sweep_pass *pass, uint64_t *line)
{
    uint64_t n_lanes = pass->n_lanes;
    uint32_t bits = pass->limb_bits, n_low = pass->in_format.n_low;
    for (uint32_t l = 0; l < n_low; l++) {
        uint64_t *low = line + (size_t)l * n_lanes, *high = low + n_lanes;
        uint32_t high_bytes = l + 1 < n_low ? 8 : pass->in_format.top_bytes;
        if (high_bytes == 8)
            carry_uint64_t(n_lanes, bits, low, high);
        else if (high_bytes == 4)
            carry_pci_sweep_lane32(n_lanes, bits, low, (pci_sweep_lane32 *)high);
        else if (high_bytes == 2)
            carry_pci_sweep_lane16(n_lanes, bits, low, (pci_sweep_lane16 *)high);
        else
            carry_uint8_t(n_lanes, bits, low, (uint8_t *)high);
    }
}

/* n lanes of the topmost limb, to where the new ones lie. */
ALWAYS_INLINE void widen_lanes(const pci_sweep_pass *pass, uint64_t *top, uint64_t first,
                               const uint64_t n)
{
    uint64_t value[LANE_GROUP], low[LANE_GROUP], mask = ~UINT64_C(0) >> (64 - pass->limb_bits);
    pci_sweep_get_lanes(top, pass->in_format.top_bytes, first, n, value);
    for (uint32_t l = pass->in_format.n_low; l < pass->out_format.n_low; l++, top += pass->n_lanes)
        for (uint64_t v = 0; v < n; v++) {
            low[v] = value[v] & mask;
            top[first + v] = low[v];
            value[v] >>= pass->limb_bits;
        }
    pci_sweep_put_lanes(top, pass->out_format.top_bytes, first, n, value);
}

/* All lanes, of sizes that the compiler knows, where no limb comes before them. */
ALWAYS_INLINE void enlarge_lanes(uint64_t *top, uint64_t n_lanes, const uint32_t in_bytes,
                                 const uint32_t out_bytes)
{
    uint64_t value[LANE_GROUP];
    for (uint64_t first = n_lanes; first > 0; first -= LANE_GROUP) {
        pci_sweep_get_lanes(top, in_bytes, first - LANE_GROUP, LANE_GROUP, value);
        pci_sweep_put_lanes(top, out_bytes, first - LANE_GROUP, LANE_GROUP, value);
    }
}

static void enlarge(uint64_t *top, uint64_t n_lanes, uint32_t in_bytes, uint32_t out_bytes)
{
    if (in_bytes == 1 && out_bytes == 2)
        enlarge_lanes(top, n_lanes, 1, 2);
    else if (in_bytes == 1 && out_bytes == 4)
        enlarge_lanes(top, n_lanes, 1, 4);
    else if (in_bytes == 2 && out_bytes == 4)
        enlarge_lanes(top, n_lanes, 2, 4);
    else if (in_bytes == 4 && out_bytes == 8)
        enlarge_lanes(top, n_lanes, 4, 8);
    else
        enlarge_lanes(top, n_lanes, in_bytes, out_bytes);
}

/* From in_format to out_format in place: lanes get no narrower unless limbs come before them, so
 * last ones first. */
static void widen(const pci_sweep_pass *pass, uint64_t *line)
{
    pci_sweep_format in = pass->in_format, out = pass->out_format;
    uint64_t *top = line + in.n_low * pass->n_lanes;
    if (pass->n_lanes < LANE_GROUP)
        widen_lanes(pass, top, 0, pass->n_lanes);
    else if (in.n_low == out.n_low)
        enlarge(top, pass->n_lanes, in.top_bytes, out.top_bytes);
    else
        for (uint64_t first = pass->n_lanes; first > 0; first -= LANE_GROUP)
            widen_lanes(pass, top, first - LANE_GROUP, LANE_GROUP);
}

/* ---- Residues -------------------------------------------------------------------------------- */

/* The residues of n lanes of sums, whose limbs need not be carried: what they are modulo 2^64 less a multiple
 * of the modulus that is found from what they are as doubles. Not more than two moduli remain, and these
 * fit 64 bits. */
ALWAYS_INLINE void reduce_lanes(const pci_sweep_pass *pass, uint64_t *line, uint64_t first,
                                const uint64_t n, const uint32_t n_low, const uint32_t top_bytes)
{
    uint64_t modulus = pass->reduction.modulus, limb[LANE_GROUP], rest[LANE_GROUP] = {0};
    uint32_t bits = pass->limb_bits;
    double value[LANE_GROUP] = {0}, unit = 1;
    for (uint32_t l = 0; l <= n_low; l++, unit *= 2 * (double)(UINT64_C(1) << (bits - 1))) {
        pci_sweep_get_lanes(line + l * pass->n_lanes, l < n_low ? sizeof *line : top_bytes, first,
                            n, limb);
        for (uint64_t v = 0; v < n; v++) {
            value[v] += (double)limb[v] * unit;
            rest[v] += l * bits < 64 ? limb[v] << (l * bits) : 0;
        }
    }
    for (uint64_t v = 0; v < n; v++) {
        rest[v] -= (uint64_t)(value[v] * pass->reduction.inverse) * modulus;
        rest[v] -= rest[v] >= modulus ? modulus : 0;
    }
    for (uint32_t l = 0; l < n_low; l++, line += pass->n_lanes)
        for (uint64_t v = 0; v < n; v++) {
            line[first + v] = rest[v] & ((UINT64_C(1) << bits) - 1);
            rest[v] >>= bits;
        }
    pci_sweep_put_lanes(line, top_bytes, first, n, rest);
}

ALWAYS_INLINE void reduce_groups(const pci_sweep_pass *pass, uint64_t *line, const uint32_t n_low,
                                 const uint32_t top_bytes)
{
    for (uint64_t first = 0; first < pass->n_lanes; first += LANE_GROUP)
        reduce_lanes(pass, line, first, LANE_GROUP, n_low, top_bytes);
}

static void reduce(const pci_sweep_pass *pass, uint64_t *line)
{
    pci_sweep_format format = pass->in_format;
    if (pass->n_lanes < LANE_GROUP)
        reduce_lanes(pass, line, 0, pass->n_lanes, format.n_low, format.top_bytes);
    else if (format.n_low == 0 && format.top_bytes == 8)
        reduce_groups(pass, line, 0, 8);
    else if (format.n_low == 1 && format.top_bytes == 4)
        reduce_groups(pass, line, 1, 4);
    else
        reduce_groups(pass, line, format.n_low, format.top_bytes);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Brings the sum of a row into the form that the next step wants. */
ALWAYS_INLINE void finish(const pci_sweep_pass *pass, bool widens, uint64_t *line)
{
    if (pass->reduction.modulus)
        reduce(pass, line);
    else if (pass->in_format.n_low > 0)
        carry(pass, line);
    if (widens)
        widen(pass, line);
}

/* The first of the ascending columns that is not below the vertex. */
static uint64_t first_from(const uint32_t *column, uint64_t n, uint64_t vertex)
{
    uint64_t low = 0;
    while (low < n) {
        uint64_t middle = low + (n - low) / 2;
        if (column[middle] < vertex)
            low = middle + 1;
        else
            n = middle;
    }
    return low;
}

/* Adds each live line to the rows first .. end - 1 that its arcs lead to: of a symmetric graph these are the rows
 * whose arcs lead to it. */
static uint64_t send_live(const pci_sweep_pass *pass, const pieces *all, bool widens,
                          uint64_t first, uint64_t end)
{
    const pc_graph *graph = pass->graph;
    uint64_t n_live = 0;
    memset(pass->out_live + first, 0, end - first);
    for (uint64_t i = 0; i < graph->n; i++) {
        uint64_t a = graph->row_start[i], last = graph->row_start[i + 1];
        uint32_t from = (uint32_t)i;
        if (!pass->in_live[i])
            continue;
        for (a += first ? first_from(graph->column + a, last - a, first) : 0;
             a < last && graph->column[a] < end; a++) {
            uint32_t to = graph->column[a];
            row_arcs arc = {&from, graph->weight ? graph->weight + a : NULL, 1, 1};
            sum_lines(all, &arc, pass->in, pass->in_stride, pass->out_live[to],
                      pass->out + to * pass->out_stride);
            n_live += !pass->out_live[to];
            pass->out_live[to] = 1;
        }
    }
    for (uint64_t i = first; i < end; i++)
        if (pass->out_live[i])
            finish(pass, widens, pass->out + (ptrdiff_t)i * pass->out_stride);
    return n_live;
}

uint64_t PCI_JOIN(pci_sweep_rows_, PCI_ISA)(const pci_sweep_pass *pass, uint64_t first,
                                            uint64_t end)
{
    const pc_graph *graph = pass->graph;
    bool widens = memcmp(&pass->in_format, &pass->out_format, sizeof pass->in_format) != 0;
    uint64_t n_arcs = pci_graph_n_arcs(graph), n_live = 0;
    pieces all = pieces_of(pass, pci_sweep_line_words(pass->in_format, pass->n_lanes));
    if (pass->sends_live)
        return send_live(pass, &all, widens, first, end);
    for (uint64_t i = first; i < end; i++) {
        uint64_t at = graph->row_start[i], *out = pass->out + (ptrdiff_t)i * pass->out_stride;
        row_arcs arcs = {graph->column + at, graph->weight ? graph->weight + at : NULL,
                         graph->row_start[i + 1] - at, n_arcs - at};
        bool is_live = true;
        if (pass->in_live) {
            is_live = sum_live(pass, &all, &arcs, out);
            pass->out_live[i] = is_live;
        } else {
            sum_lines(&all, &arcs, pass->in, pass->in_stride, false, out);
        }
        if (is_live)
            finish(pass, widens, out);
        n_live += is_live;
    }
    return n_live;
}

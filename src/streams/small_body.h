/* Sums along the paths of a graph of rows of bits. This file is included once for each kind of
 * number: WORD. PUT(query, length, count, counts) says where a count goes. Words may wrap in
 * between: sums and products are right modulo 2^bits, so a count that fits is right in the end.
 *
 * Checks are sums in words that are twice as wide where there are such: WIDE. The many products of a
 * trace are added up in WORD, and only the entries in WIDE. */

#define JOIN_NAMES(a, b) a##_##b
#define JOIN(a, b)       JOIN_NAMES(a, b)
#define NAME(name)       JOIN(name, WORD)

/* The sums of any of four neighbouring entries, for a vector of whole groups. The compiler does not
 * unroll this as a loop over GROUP bits. */
static inline void NAME(tabulate)(uint32_t n_groups, const WORD *in, WORD sums[][1 << GROUP])
{
    for (uint32_t g = 0; g < n_groups; g++) {
        WORD *s = sums[g];
        const WORD *x = in + GROUP * (size_t)g;
        s[0] = 0;
        s[1] = x[0];
        s[2] = x[1];
        s[3] = x[0] + x[1];
        for (int below = 0; below < 4; below++)
            s[4 + below] = s[below] + x[2];
        for (int below = 0; below < 8; below++)
            s[8 + below] = s[below] + x[3];
    }
}

/* out = A in, and returns the sum of in. A row is the sum of one of its groups' sums for each four
 * of its bits. */
static inline WIDE NAME(step)(const pci_small_graph *graph, const WORD *in, WORD *out)
{
    WORD sums[N_GROUPS][1 << GROUP];
    uint32_t n = graph->n_vertices, n_groups = (n + GROUP - 1) / GROUP;
    WIDE in_sum = 0;
    NAME(tabulate)(n_groups, in, sums);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t bits = graph->row[i];
        WORD sum = 0;
        for (uint32_t g = 0; g < n_groups; g++, bits >>= GROUP)
            sum += sums[g][bits & ((1 << GROUP) - 1)];
        out[i] = sum;
    }
    for (uint32_t g = 0; g < n_groups; g++)
        in_sum += sums[g][(1 << GROUP) - 1];
    return in_sum;
}

/* Four neighbouring entries of a row, for each value of its bits. */
static const _Alignas(LANE_BYTES) WORD NAME(entries)[1 << GROUP][GROUP] = {
    {0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {1, 1, 0, 0}, {0, 0, 1, 0}, {1, 0, 1, 0},
    {0, 1, 1, 0}, {1, 1, 1, 0}, {0, 0, 0, 1}, {1, 0, 0, 1}, {0, 1, 0, 1}, {1, 1, 0, 1},
    {0, 0, 1, 1}, {1, 0, 1, 1}, {0, 1, 1, 1}, {1, 1, 1, 1}};

#ifdef HAS_LANES

typedef WORD NAME(lanes) __attribute__((vector_size(LANE_BYTES), may_alias));

/* A, whose entries become masks: rows of whole groups. */
ALWAYS_INLINE void NAME(make_masks)(const pci_small_graph *graph, const size_t n_padded, WORD *mask)
{
    enum { LANES = LANE_BYTES / sizeof(WORD) };
    for (uint32_t i = 0; i < graph->n_vertices; i++) {
        uint64_t bits = graph->row[i];
        for (size_t g = 0; g < n_padded; g += GROUP, bits >>= GROUP)
            for (size_t c = 0; c < GROUP; c += LANES, mask += LANES)
                *(NAME(lanes) *)mask =
                    -*(const NAME(lanes) *)(NAME(entries)[bits & ((1 << GROUP) - 1)] + c);
    }
}

/* out = A in for a symmetric A whose rows are masks of lanes; returns the sum of in, of the very words
 * that were added up. */
ALWAYS_INLINE WORD NAME(masked_step)(uint32_t n, const size_t n_padded, const WORD *mask,
                                     const WORD *in, WORD *out)
{
    enum { LANES = LANE_BYTES / sizeof(WORD) };
    const size_t n_vectors = n_padded / LANES;
    NAME(lanes) sum[MASKED_VERTICES / LANES] = {0};
    WORD in_sum = 0;
    for (uint32_t j = 0; j < n; j++, mask += n_padded) {
        NAME(lanes) all = (NAME(lanes)){0} + in[j];
        in_sum += in[j];
        for (size_t v = 0; v < n_vectors; v++)
            sum[v] += all & *(const NAME(lanes) *)(mask + v * LANES);
    }
    for (size_t v = 0; v < n_vectors; v++)
        *(NAME(lanes) *)(out + v * LANES) = sum[v];
    return in_sum;
}

#endif

/* ---- Sums of whole groups -------------------------------------------------------------------- */

/* <a - less, b - less> */
ALWAYS_INLINE WORD NAME(dot)(const size_t n, const WORD *a, const WORD *b, const WORD less)
{
    WORD sum = 0;
    for (size_t e = 0; e < n; e += GROUP)
        for (int x = 0; x < GROUP; x++)
            sum += (a[e + x] - less) * (b[e + x] - less);
    return sum;
}

/* <a + shift, b + shift> */
ALWAYS_INLINE WIDE NAME(wide_dot)(const size_t n, const WORD *a, const WORD *b, WIDE shift)
{
    WIDE sum[GROUP] = {0};
    for (size_t e = 0; e < n; e += GROUP)
        for (int x = 0; x < GROUP; x++)
            sum[x] += (a[e + x] + shift) * (b[e + x] + shift);
    for (int x = 1; x < GROUP; x++)
        sum[0] += sum[x];
    return sum[0];
}

/* The sum of a vector of whole groups. */
ALWAYS_INLINE WIDE NAME(wide_sum)(const size_t n, const WORD *a)
{
    WIDE sum[GROUP] = {0};
    for (size_t e = 0; e < n; e += GROUP)
        for (int x = 0; x < GROUP; x++)
            sum[x] += a[e + x];
    for (int x = 1; x < GROUP; x++)
        sum[0] += sum[x];
    return sum[0];
}

/* ---- Vectors --------------------------------------------------------------------------------- */

/* The vectors v_l = A^l 1, the last two of them. The sum of the entries of v_(l + 1) is <d, v_l>,
 * where d = A^T 1 counts the arcs that end at each vertex. A vector is summed where it is used, so
 * an entry that changes before is noticed. */
typedef struct NAME(walk) {
    _Alignas(LANE_BYTES) WORD room[2][PCI_SMALL_VERTICES];
    WORD ending[PCI_SMALL_VERTICES]; /* d */
    WORD *now, *before;              /* v_l and v_(l - 1), with zeros up to a whole group */
    WIDE now_sum, before_sum;        /* that they must have */
    uint64_t length;                 /* l */
    bool differs;                    /* a sum is another one */
#ifdef HAS_LANES
    _Alignas(LANE_BYTES) WORD
        mask[MASKED_VERTICES * MASKED_VERTICES]; /* rows, of a graph that is stepped by masks */
#endif
} NAME(walk);

static inline bool NAME(is_masked)(const pci_small_graph *graph)
{
#ifdef HAS_LANES
    return graph->is_symmetric && graph->n_vertices <= MASKED_VERTICES;
#else
    return (void)graph, false;
#endif
}

/* As step. Sums of entries fit a word, so that a single wrong one changes them there. */
ALWAYS_INLINE WIDE NAME(walk_step)(const pci_small_graph *graph, const size_t n_padded,
                                   const NAME(walk) * w, const WORD *in, WORD *out)
{
#ifdef HAS_LANES
    if (NAME(is_masked)(graph))
        return NAME(masked_step)(graph->n_vertices, n_padded, w->mask, in, out);
#endif
    (void)w, (void)n_padded;
    return NAME(step)(graph, in, out);
}

ALWAYS_INLINE void NAME(begin)(const pci_small_graph *graph, const size_t n_padded, NAME(walk) * w)
{
    size_t n = graph->n_vertices;
    w->now = w->room[0];
    w->before = w->room[1];
    w->length = 0;
    w->now_sum = (WIDE)n;
    w->before_sum = 0;
    w->differs = false;
    for (size_t i = 0; i < n; i++)
        w->now[i] = 1;
    for (size_t i = n; i < n_padded; i++)
        w->now[i] = w->before[i] = w->ending[i] = 0;
#ifdef HAS_LANES
    if (NAME(is_masked)(graph))
        NAME(make_masks)(graph, n_padded, w->mask);
#endif
    if (graph->is_symmetric)
        return;
    for (size_t i = 0; i < n; i++)
        w->ending[i] = 0;
    for (size_t i = 0; i < n; i++)
        for (uint64_t bits = graph->row[i]; bits; bits &= bits - 1)
            w->ending[__builtin_ctzll(bits)]++;
}

ALWAYS_INLINE void NAME(advance)(const pci_small_graph *graph, const size_t n, NAME(walk) * w)
{
    WORD *last = w->now;
    w->differs |= NAME(walk_step)(graph, n, w, last, w->before) != w->now_sum;
    w->now = w->before;
    w->before = last;
    w->before_sum = w->now_sum;
    w->now_sum = w->length ? NAME(wide_dot)(n, w->ending, last, 0) : (WIDE)graph->n_entries;
    if (w->length++ == 0 && graph->is_symmetric)
        for (size_t i = 0; i < n; i += GROUP)
            for (int x = 0; x < GROUP; x++)
                w->ending[i + x] = w->now[i + x];
}

/* Totals are sums of v_l. Those of a symmetric graph are <v_a, v_b> with a + b = l, which takes
 * half the steps. n is padded. */
ALWAYS_INLINE bool NAME(totals_of)(const pci_small_graph *graph, const size_t n,
                                   const pc_stream_query *query, void *counts)
{
    NAME(walk) w;
    NAME(begin)(graph, n, &w);
    bool halves = graph->is_symmetric;
    for (uint64_t length = first_wanted(query); length <= query->length; length++) {
        while (w.length < (halves ? half_of(length) : length))
            NAME(advance)(graph, n, &w);
        /* Halves of equal length, or the second is shorter by one. */
        const WORD *other = length % 2 ? w.before : w.now;
        WIDE other_sum = length % 2 ? w.before_sum : w.now_sum;
        WIDE total = halves ? (WIDE)NAME(dot)(n, w.now, other, 0) : NAME(wide_sum)(n, w.now);
        w.differs |=
            halves ? NAME(wide_dot)(n, w.now, other, 1) != total + w.now_sum + other_sum + (WIDE)n
                   : total != w.now_sum;
        PUT(query, length, (WORD)total, counts);
    }
    return !w.differs;
}

/* The compiler knows how many entries a vector of the smallest graphs has, and most graphs are small. */
static bool NAME(totals)(const pci_small_graph *graph, const pc_stream_query *query, void *counts)
{
    size_t n = padded(graph->n_vertices);
    switch (n) {
    case GROUP:
        return NAME(totals_of)(graph, GROUP, query, counts);
    case 2 * GROUP:
        return NAME(totals_of)(graph, 2 * GROUP, query, counts);
    case 3 * GROUP:
        return NAME(totals_of)(graph, 3 * GROUP, query, counts);
    case 4 * GROUP:
        return NAME(totals_of)(graph, 4 * GROUP, query, counts);
    default:
        return NAME(totals_of)(graph, n, query, counts);
    }
}

/* ---- Matrices: n rows of n entries, padded with zeros to whole groups ------------------------ */

/* out = A in */
static void NAME(matrix_step)(const pci_small_graph *graph, size_t n_padded, const WORD *in,
                              WORD *out)
{
    for (uint32_t i = 0; i < graph->n_vertices; i++, out += n_padded) {
        for (size_t c = 0; c < n_padded; c++)
            out[c] = 0;
        for (uint64_t bits = graph->row[i]; bits; bits &= bits - 1) {
            const WORD *line = in + (size_t)__builtin_ctzll(bits) * n_padded;
            for (size_t c = 0; c < n_padded; c += GROUP)
                for (int x = 0; x < GROUP; x++)
                    out[c + x] += line[c + x];
        }
    }
}

/* out = A */
static void NAME(expand)(const pci_small_graph *graph, size_t n_padded, WORD *out)
{
    for (uint32_t i = 0; i < graph->n_vertices; i++) {
        uint64_t bits = graph->row[i];
        for (size_t c = 0; c < n_padded; c += GROUP, bits >>= GROUP, out += GROUP)
            memcpy(out, NAME(entries)[bits & ((1 << GROUP) - 1)], sizeof *NAME(entries));
    }
}

/* The trace of the product a b, of which less is taken off each entry of both. It is the sum of the products of equal
 * entries where b is symmetric. */
ALWAYS_INLINE WORD NAME(trace)(const pci_small_graph *graph, size_t n_padded, const WORD *a,
                               const WORD *b, const WORD less)
{
    size_t n = graph->n_vertices;
    WORD sum = 0;
    if (graph->is_symmetric)
        return NAME(dot)(n * n_padded, a, b, less) - less * less * (WORD)(n * (n_padded - n));
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            sum += (a[i * n_padded + j] - less) * (b[j * n_padded + i] - less);
    return sum;
}

/* Closed paths are the trace of A^a A^b with a + b = l. The sums of all entries of the powers are
 * those of v_a and v_b. */
static bool NAME(closed)(const pci_small_graph *graph, const pc_stream_query *query, void *counts)
{
    WORD room[2][PCI_SMALL_VERTICES * PCI_SMALL_VERTICES], *power = room[0], *next = room[1];
    NAME(walk) w;
    size_t n = graph->n_vertices, n_padded = padded(n);
    memset(power, 0, n * n_padded * sizeof *power);
    for (size_t i = 0; i < n; i++)
        power[i * n_padded + i] = 1;
    NAME(begin)(graph, n_padded, &w);
    for (uint64_t length = first_wanted(query); length <= query->length; length++) {
        for (; w.length < half_of(length); NAME(advance)(graph, n_padded, &w)) {
            if (w.length == 0)
                NAME(expand)(graph, n_padded, next);
            else
                NAME(matrix_step)(graph, n_padded, power, next);
            WORD *last = power;
            power = next;
            next = last;
        }
        bool is_odd = length % 2;
        const WORD *other = is_odd ? next : power;
        WORD count = NAME(trace)(graph, n_padded, power, other, 0);
        WIDE other_sum = is_odd ? w.before_sum : w.now_sum;
        w.differs |= NAME(trace)(graph, n_padded, power, other, (WORD)-1) !=
                     count + (WORD)(w.now_sum + other_sum + (WIDE)(n * n));
        w.differs |= NAME(wide_sum)(n * n_padded, power) != w.now_sum;
        w.differs |= is_odd && NAME(wide_sum)(n * n_padded, other) != other_sum;
        PUT(query, length, count, counts);
    }
    return !w.differs && has_entries(graph);
}

#undef HAS_LANES
#undef NAME
#undef JOIN
#undef JOIN_NAMES
#undef WORD
#undef WIDE
#undef PUT

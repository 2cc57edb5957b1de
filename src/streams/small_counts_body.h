/* Sums along the paths of a graph of rows of bits. This file is included once for each kind of
 * number: WORD. PUT(query, length, count, counts) says where a count goes. Words may wrap in
 * between: sums and products are right modulo 2^bits, so a count that fits is right in the end. */

#define JOIN_NAMES(a, b) a##_##b
#define JOIN(a, b)       JOIN_NAMES(a, b)
#define NAME(name)       JOIN(name, WORD)

/* out = A in. Behind the last vertex `in` has zeros up to a whole group. The sums of any of four
 * neighbouring entries are made first. Then a row is the sum of one of them for each four of its
 * bits. */
static void NAME(step)(const pci_small_graph *graph, const WORD *in, WORD *out)
{
    WORD sums[N_GROUPS][1 << GROUP];
    uint32_t n = graph->n_vertices, n_groups = (n + GROUP - 1) / GROUP;
    for (uint32_t g = 0; g < n_groups; g++) {
        WORD *s = sums[g];
        const WORD *x = in + GROUP * (size_t)g;
        s[0] = 0;
        for (int bit = 0; bit < GROUP; bit++)
            for (int below = 0; below < 1 << bit; below++)
                s[(1 << bit) + below] = s[below] + x[bit];
    }
    for (uint32_t i = 0; i < n; i++) {
        uint64_t bits = graph->row[i];
        WORD sum = 0;
        for (uint32_t g = 0; g < n_groups; g++, bits >>= GROUP)
            sum += sums[g][bits & ((1 << GROUP) - 1)];
        out[i] = sum;
    }
}

static WORD NAME(dot)(size_t n, const WORD *a, const WORD *b)
{
    WORD sum = 0;
    for (size_t e = 0; e < n; e++)
        sum += a[e] * b[e];
    return sum;
}

static WORD NAME(sum)(size_t n, const WORD *a)
{
    WORD sum = 0;
    for (size_t e = 0; e < n; e++)
        sum += a[e];
    return sum;
}

/* Totals are sums over v_l = A^l 1. Those of a symmetric graph are <v_a, v_b> with a + b = l, which
 * takes half the steps. */
static void NAME(totals)(const pci_small_graph *graph, const pc_stream_query *query, void *counts)
{
    WORD room[2][PCI_SMALL_VERTICES], *v = room[0], *next = room[1];
    size_t n = graph->n_vertices, n_padded = (n + GROUP - 1) / GROUP * GROUP;
    for (size_t i = 0; i < n; i++)
        v[i] = 1;
    for (size_t i = n; i < n_padded; i++)
        v[i] = next[i] = 0;
    for (uint64_t length = 0;; length++) {
        if (length > 0 && (!graph->is_symmetric || length % 2)) {
            NAME(step)(graph, v, next);
            WORD *last = v;
            v = next;
            next = last;
        }
        /* Now v is A^length 1. For a symmetric graph it is that of half the length, and for an odd
         * length next is the vector of the step before. */
        if (is_wanted(query, length))
            PUT(query, length,
                !graph->is_symmetric ? NAME(sum)(n, v) : NAME(dot)(n, v, length % 2 ? next : v),
                counts);
        if (length == query->length)
            return;
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
    for (uint32_t i = 0; i < graph->n_vertices; i++)
        for (size_t c = 0; c < n_padded; c++)
            *out++ = (WORD)(graph->row[i] >> c & 1);
}

static void NAME(identity)(size_t n, size_t n_padded, WORD *out)
{
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < n_padded; c++)
            *out++ = (WORD)(c == i);
}

/* The trace of the product a b. For a symmetric b it is the sum of the products of equal
 * entries. */
static WORD NAME(trace)(const pci_small_graph *graph, size_t n_padded, const WORD *a, const WORD *b)
{
    size_t n = graph->n_vertices;
    WORD sum = 0;
    if (graph->is_symmetric)
        return NAME(dot)(n * n_padded, a, b);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            sum += a[i * n_padded + j] * b[j * n_padded + i];
    return sum;
}

/* Closed paths are the trace of A^a A^b with a + b = l. */
static void NAME(closed)(const pci_small_graph *graph, const pc_stream_query *query, void *counts)
{
    WORD room[2][PCI_SMALL_VERTICES * PCI_SMALL_VERTICES], *power = room[0], *next = room[1];
    size_t n = graph->n_vertices, n_padded = (n + GROUP - 1) / GROUP * GROUP;
    NAME(identity)(n, n_padded, power);
    for (uint64_t length = 0;; length++) {
        if (length % 2) {
            if (length == 1)
                NAME(expand)(graph, n_padded, next);
            else
                NAME(matrix_step)(graph, n_padded, power, next);
            WORD *last = power;
            power = next;
            next = last;
        }
        if (is_wanted(query, length))
            PUT(query, length, NAME(trace)(graph, n_padded, power, length % 2 ? next : power),
                counts);
        if (length == query->length)
            return;
    }
}

#undef NAME
#undef JOIN
#undef JOIN_NAMES
#undef WORD
#undef PUT

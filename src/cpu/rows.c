/* Row operations: the work at O(n^2), which is to reduce, pack, transpose, extend and collect. The loops are plain,
 * and the compiler vectorises them, once for each instruction set (PCI_ISA). Only packing, transposition and the
 * paired multiply-add use vector types. Extension and collection have two ways each, and tests
 * compare the two.
 * All of them are in one file, because it is what is compiled once for each instruction set, into one table. */
#include "src/cpu/row_ops.h"

#include <string.h>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#define JOIN_NAMES(a, b) a##b
#define JOIN(a, b)       JOIN_NAMES(a, b)

enum {
    FETCH_AHEAD = 2 * PCI_CHUNK,
    FETCH_ROWS = 16,
    MAX_SHORT_ARCS = 256 /* 256 * 128 fits an int16 */
};

/* Adding then subtracting 3 * 2^22 (2^51) rounds a float (double) to the nearest integer. */
static const float ROUND_FLOAT = 0x1.8p23f;
static const double ROUND_DOUBLE = 0x1.8p52;

static int32_t centred(uint32_t value, uint32_t m)
{
    return 2 * value > m ? (int32_t)value - (int32_t)m : (int32_t)value;
}

/* ---- Accumulators to residues ---------------------------------------------------------------- */

/* |v| < 2^23, so v and quotient * m are exact floats. The residue may miss the centre by one step
 * when v / m lies near a half; then m < 255 keeps it within int8, and 256 wraps rightly. */
static inline int8_t reduce_small(int32_t v, float m, float inverse)
{
    float quotient = ((float)v * inverse + ROUND_FLOAT) - ROUND_FLOAT;
    return (int8_t)(int32_t)((float)v - quotient * m);
}

static void reduce(size_t n, const int32_t *acc, uint32_t m, int8_t *out)
{
    if (!m) {
        for (size_t e = 0; e < n; e++)
            out[e] = (int8_t)acc[e];
        return;
    }
    float m_float = (float)m, inverse = 1.0f / m_float;
    int32_t high_weight = centred(65536 % m, m);
    for (size_t e = 0; e < n; e++) /* |high| <= 2^15, |weight| <= 2^7: below 2^22 + 2^16 */
        out[e] = reduce_small((acc[e] >> 16) * high_weight + (acc[e] & 0xffff), m_float, inverse);
}

/* residue = high * 2^7 + low, or high * 2^8 + low */
static inline void store_digits(int32_t residue, pci_class class, int8_t *out, size_t e,
                                size_t digit_bytes)
{
    int32_t radix = 1 << pci_class_radix_bits(class);
    int32_t high = (residue + radix / 2) >> pci_class_radix_bits(class);
    int32_t low = residue - high * radix;
    out[e] = (int8_t)high;
    out[e + digit_bytes] = (int8_t)low;
    if (class == PCI_WIDE)
        out[e + 2 * digit_bytes] = (int8_t)(high + low);
}

static inline int32_t reduce_double(double v, double m, double inverse)
{
    double quotient = (v * inverse + ROUND_DOUBLE) - ROUND_DOUBLE;
    return (int32_t)(v - quotient * m);
}

static void reduce_wide(size_t n, const int32_t *restrict hh, const int32_t *restrict ll,
                        const int32_t *restrict ss, uint32_t m, int8_t *restrict out,
                        size_t digit_bytes)
{
    double m_double = m, inverse = 1.0 / m_double;
    for (size_t e = 0; e < n; e++) { /* below 2^46: exact doubles */
        double v = ll[e];
        if (hh)
            v += 16384.0 * hh[e] + 128.0 * ((double)ss[e] - hh[e] - ll[e]);
        store_digits(reduce_double(v, m_double, inverse), PCI_WIDE, out, e, digit_bytes);
    }
}

static void reduce_full(size_t n, const int32_t *restrict hh, const int32_t *restrict hl,
                        const int32_t *restrict lh, const int32_t *restrict ll, uint32_t m,
                        int8_t *restrict out, size_t digit_bytes)
{
    double m_double = m, inverse = 1.0 / m_double;
    for (size_t e = 0; e < n; e++) { /* below 2^48: exact doubles */
        double v = ll[e];
        if (hh)
            v += 65536.0 * hh[e] + 256.0 * ((double)hl[e] + lh[e]);
        store_digits(reduce_double(v, m_double, inverse), PCI_FULL, out, e, digit_bytes);
    }
}

static void split(size_t n, const uint64_t *words, uint32_t m, pci_class class, int8_t *out,
                  size_t digit_bytes)
{
    double m_double = m, inverse = 1.0 / m_double;
    double high_weight = (double)((UINT64_C(1) << 32) % m);
    for (size_t e = 0; e < n; e++) { /* below 2^46: an exact double */
        double v = (double)(uint32_t)(words[e] >> 32) * high_weight + (double)(uint32_t)words[e];
        int32_t residue = reduce_double(v, m_double, inverse);
        if (class == PCI_NARROW)
            out[e] = (int8_t)residue;
        else
            store_digits(residue, class, out, e, digit_bytes);
    }
}

/* ---- Sums, packing, transposition ------------------------------------------------------------ */

/* In int16 lanes, of MAX_SHORT_ARCS chunks at a time. */
static int32_t sum(size_t n, const int8_t *entries)
{
    enum { MOST = MAX_SHORT_ARCS * PCI_CHUNK };
    int32_t total = 0;
    for (size_t first = 0; first < n; first += MOST) {
        size_t end = n - first < MOST ? n : first + MOST;
        int16_t part[PCI_CHUNK] = {0};
        for (size_t at = first; at < end; at += PCI_CHUNK)
            for (size_t e = 0; e < PCI_CHUNK; e++)
                part[e] = (int16_t)(part[e] + entries[at + e]);
        for (size_t e = 0; e < PCI_CHUNK; e++)
            total += part[e];
    }
    return total;
}

/* At most MAX_SHORT_ARCS rows, added in int16 lanes: twice as many as int32 ones. */
static inline void sum_short(const int8_t *plane, size_t stride, const uint32_t *columns,
                             size_t n_arcs, int16_t *part)
{
    memset(part, 0, PCI_CHUNK * sizeof *part);
    for (size_t a = 0; a < n_arcs; a++) {
        const int8_t *row = plane + columns[a] * stride;
        __builtin_prefetch(row + FETCH_AHEAD); /* also keeps gcc from adding two rows at a time,
                                                  with no vectors: 15 times slower */
        for (size_t e = 0; e < PCI_CHUNK; e++)
            part[e] = (int16_t)(part[e] + row[e]);
    }
}

static void add_short(size_t n, const int8_t *plane, size_t stride, const uint32_t *columns,
                      size_t n_arcs, int32_t *acc)
{
    int16_t part[PCI_CHUNK];
    sum_short(plane, stride, columns, n_arcs, part);
    for (size_t e = 0; e < n; e++)
        acc[e] += part[e];
}

static void sum_rows(size_t n, const int8_t *plane, size_t stride, const uint32_t *columns,
                     const int8_t *weights, size_t n_arcs, int32_t *acc)
{
    memset(acc, 0, n * sizeof *acc);
    for (size_t at = 0; !weights && at < n; at += PCI_CHUNK) {
        size_t n_here = n - at < PCI_CHUNK ? n - at : PCI_CHUNK;
        for (size_t a = 0; a < n_arcs; a += MAX_SHORT_ARCS) {
            size_t n_short = n_arcs - a < MAX_SHORT_ARCS ? n_arcs - a : MAX_SHORT_ARCS;
            add_short(n_here, plane + at, stride, columns + a, n_short, acc + at);
        }
    }
    for (size_t a = 0; weights && a < n_arcs; a++) {
        const int8_t *row = plane + columns[a] * stride;
        for (size_t e = 0; e < n; e++)
            acc[e] += weights[a] * row[e];
    }
}

typedef struct short_modulus {
    int16_t m, half, inverse; /* inverse: 2^16 / m rounded down */
} short_modulus;

/* Any int16 modulo m, in int16 lanes. inverse is too small by so little that v / m moves by less than
 * a half: what the quotient leaves lies above -m / 2 and below 3 m / 2. */
static inline void reduce_short(const int16_t *v, short_modulus modulus, int8_t *out)
{
    for (size_t e = 0; e < PCI_CHUNK; e++) {
        int16_t quotient = (int16_t)((v[e] * modulus.inverse) >> 16);
        int16_t rest = (int16_t)(v[e] - quotient * modulus.m);
        out[e] = (int8_t)(rest > modulus.half ? rest - modulus.m : rest);
    }
}

static void sum_blocks(size_t n_blocks, const uint64_t *start, const uint32_t *vertex,
                       const int8_t *lines, size_t stride, uint32_t m, int8_t *out)
{
    short_modulus modulus = {(int16_t)m, (int16_t)(m / 2), (int16_t)(65536 / m)};
    for (size_t b = 0; b < n_blocks; b++, out += PCI_CHUNK) {
        size_t n = start[b + 1] - start[b];
        if (n <= MAX_SHORT_ARCS) {
            int16_t part[PCI_CHUNK];
            sum_short(lines, stride, vertex + start[b], n, part);
            reduce_short(part, modulus, out);
        } else {
            int32_t acc[PCI_CHUNK];
            sum_rows(PCI_CHUNK, lines, stride, vertex + start[b], NULL, n, acc);
            reduce(PCI_CHUNK, acc, m, out);
        }
    }
}

#ifdef __clang__
#define SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#define WORD_SHUFFLE       SHUFFLE
#else
#define SHUFFLE(a, b, ...)      __builtin_shuffle(a, b, (bytes){__VA_ARGS__})
#define WORD_SHUFFLE(a, b, ...) __builtin_shuffle(a, b, (words4){__VA_ARGS__})
#endif

/* Vectors of one or more lanes of 16 bytes. Interleaving takes the first or the last 8 bytes of each lane
 * of a and b, in turn. Spreading puts word l of each lane of spread(a), beginning with the first lane, next
 * to the same word of the next lane, in a. */
#if defined(__AVX512BW__)
typedef __m512i bytes;
static inline bytes interleave_low(bytes a, bytes b)
{
    return _mm512_unpacklo_epi8(a, b);
}
static inline bytes interleave_high(bytes a, bytes b)
{
    return _mm512_unpackhi_epi8(a, b);
}
static inline bytes spread(bytes a)
{
    return _mm512_permutexvar_epi32(
        _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15), a);
}
#elif defined(__AVX2__)
typedef __m256i bytes;
static inline bytes interleave_low(bytes a, bytes b)
{
    return _mm256_unpacklo_epi8(a, b);
}
static inline bytes interleave_high(bytes a, bytes b)
{
    return _mm256_unpackhi_epi8(a, b);
}
static inline bytes spread(bytes a)
{
    return _mm256_permutevar8x32_epi32(a, _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7));
}
#else
typedef int8_t bytes __attribute__((vector_size(16)));
static inline bytes interleave_low(bytes a, bytes b)
{
    return SHUFFLE(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}
static inline bytes interleave_high(bytes a, bytes b)
{
    return SHUFFLE(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}
static inline bytes spread(bytes a)
{
    return a;
}
#endif

enum { LANE_BYTES = 16, MOST_INTERLEAVED = 16 };

/* Interleaving rows i and i + n / 2 for all i, log2 n times over, leaves row and column of each lane
 * exchanged. */
static inline void interleave(int n, bytes *rows)
{
    bytes old[MOST_INTERLEAVED];
    memcpy(old, rows, (size_t)n * sizeof *rows);
    for (int i = 0; i < n / 2; i++) {
        rows[2 * i] = interleave_low(old[i], old[i + n / 2]);
        rows[2 * i + 1] = interleave_high(old[i], old[i + n / 2]);
    }
}

/* 4 rows of as many columns as a vector has bytes. Adding 128 to a byte flips its top bit. */
static inline void pack_part(const int8_t *rows, size_t stride, bytes *packed)
{
    bytes bias;
    memset(&bias, PCI_PACK_BIAS, sizeof bias);
    for (size_t r = 0; r < 4; r++) {
        memcpy(&packed[r], rows + r * stride, sizeof packed[r]);
        packed[r] = spread(packed[r] ^ bias);
    }
    interleave(4, packed);
    interleave(4, packed);
}

static void pack(size_t n, const int8_t *rows, size_t stride, uint8_t *packed, size_t panel_bytes)
{
    for (size_t k = 0; k < n; k += 4, rows += 4 * stride, packed += 4 * PCI_PANEL) {
        for (size_t r = 0; r < 4; r++) /* rows lie on pages of their own */
            __builtin_prefetch(rows + (FETCH_ROWS + r) * stride);
        for (size_t j = 0; j < PCI_CHUNK; j += sizeof(bytes)) {
            bytes part[4];
            pack_part(rows + j, stride, part);
            for (size_t p = 0; p < 4; p++) {
                size_t column = j + p * sizeof(bytes) / 4;
                memcpy(packed + column / PCI_PANEL * panel_bytes + column % PCI_PANEL * 4, &part[p],
                       sizeof part[p]);
            }
        }
    }
}

typedef uint32_t words4 __attribute__((vector_size(16)));

/* 4 x 4 words turned round, at a time: interleaved as bytes are in transpose16. */
static void pack_rows(const int8_t *rows, uint8_t *packed)
{
    enum { WORDS = 4, WORD_BYTES = 4 };
    for (size_t k = 0; k < PCI_CHUNK; k += sizeof(words4))
        for (size_t i = 0; i < PCI_PANEL; i += WORDS) {
            words4 in[WORDS], half[WORDS], out[WORDS];
            for (size_t r = 0; r < WORDS; r++) {
                memcpy(&in[r], rows + (i + r) * PCI_CHUNK + k, sizeof in[r]);
                in[r] ^= 0x80808080u; /* adding 128 to a byte flips its top bit */
            }
            for (size_t r = 0; r < 2; r++) {
                half[2 * r] = WORD_SHUFFLE(in[r], in[r + 2], 0, 4, 1, 5);
                half[2 * r + 1] = WORD_SHUFFLE(in[r], in[r + 2], 2, 6, 3, 7);
            }
            for (size_t r = 0; r < 2; r++) {
                out[2 * r] = WORD_SHUFFLE(half[r], half[r + 2], 0, 4, 1, 5);
                out[2 * r + 1] = WORD_SHUFFLE(half[r], half[r + 2], 2, 6, 3, 7);
            }
            for (size_t r = 0; r < WORDS; r++)
                memcpy(packed + (k + r * WORD_BYTES) * PCI_PANEL + i * WORD_BYTES, &out[r],
                       sizeof out[r]);
        }
}

/* As many columns as a vector has bytes, or those of one lane. */
static inline void transpose_part(const int8_t *in, size_t in_stride, int8_t *out,
                                  size_t out_stride, size_t n_columns)
{
    bytes rows[16] = {0};
    for (int i = 0; i < 16; i++)
        memcpy(&rows[i], in + i * in_stride, n_columns);
    for (int times = 0; times < 4; times++)
        interleave(16, rows);
    for (size_t j = 0; j < n_columns; j++)
        memcpy(out + j * out_stride, (const char *)&rows[j % 16] + j / 16 * LANE_BYTES, LANE_BYTES);
}

static void transpose(size_t n_columns, const int8_t *in, size_t in_stride, int8_t *out,
                      size_t out_stride)
{
    size_t j = 0;
    for (; j + sizeof(bytes) <= n_columns; j += sizeof(bytes))
        transpose_part(in + j, in_stride, out + j * out_stride, out_stride, sizeof(bytes));
    for (; j < n_columns; j += LANE_BYTES)
        transpose_part(in + j, in_stride, out + j * out_stride, out_stride, LANE_BYTES);
}

/* ---- Recombination by pairs: bases of up to PCI_MAX_PAIRED moduli ---------------------------- */

#if defined(__AVX512BW__)
typedef __m512i lanes;
static inline lanes multiply_add(lanes sum, lanes pairs, int32_t weights)
{
    return _mm512_add_epi32(sum, _mm512_madd_epi16(pairs, _mm512_set1_epi32(weights)));
}
#elif defined(__AVX2__)
typedef __m256i lanes;
static inline lanes multiply_add(lanes sum, lanes pairs, int32_t weights)
{
    return _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi32(weights)));
}
#else
typedef struct lanes {
    int32_t lane[4];
} lanes;
static inline lanes multiply_add(lanes sum, lanes pairs, int32_t weights)
{
    for (int l = 0; l < 4; l++)
        sum.lane[l] +=
            (int16_t)pairs.lane[l] * (int16_t)weights + (pairs.lane[l] >> 16) * (weights >> 16);
    return sum;
}
#endif

enum { LANES = sizeof(lanes) / sizeof(int32_t) };

/* The parts of one chunk, paired: see pci_pair_weights. */
typedef struct weighed {
    int32_t pair[PCI_MAX_PAIRS][PCI_CHUNK] __attribute__((aligned(64)));
    uint32_t n_parts;
} weighed;

static inline void add_part(weighed *y, const int32_t *part)
{
    int32_t *pair = y->pair[y->n_parts / 2];
    bool second = y->n_parts % 2;
    for (size_t e = 0; e < PCI_CHUNK; e++)
        pair[e] = second ? pair[e] | part[e] << 16 : part[e];
    y->n_parts++;
}

/* y_i = x * scale mod m for |x * scale| < 128 m, which is added to make the dividend v positive:
 * all exact floats. The quotient is v / m rounded down, as the nearest integer to (v + 1/2) / m - 1/2,
 * which is never near a half. */
static inline int32_t scaled_residue(int8_t x, float scale, float m, float inverse)
{
    float v = (float)x * scale + 128 * m;
    float quotient = (v * inverse + (0.5f * inverse - 0.5f) + ROUND_FLOAT) - ROUND_FLOAT;
    return (int32_t)(v - quotient * m);
}

static inline void scale_narrow(const pci_crt *crt, uint32_t i, const int8_t *x, int32_t *y)
{
    float m = crt->m[i], inverse = 1.0f / m, scale = (float)centred(crt->scale[i], crt->m[i]);
    for (size_t e = 0; e < PCI_CHUNK; e++)
        y[e] = scaled_residue(x[e], scale, m, inverse);
}

static inline void scale_wide(const int8_t *high, const int8_t *low, int32_t scale, int32_t m,
                              int32_t *y)
{
    double inverse = 1.0 / m;
    for (size_t e = 0; e < PCI_CHUNK; e++) {
        int32_t v = (high[e] * (1 << PCI_WIDE_RADIX_BITS) + low[e] + m) * scale;
        y[e] = v - (int32_t)((v + 0.5) * inverse) * m;
    }
}

static inline void add_wide_parts(weighed *w, const int32_t *y)
{
    int32_t part[PCI_CHUNK];
    for (size_t e = 0; e < PCI_CHUNK; e++)
        part[e] = y[e] >> PCI_WIDE_RADIX_BITS;
    add_part(w, part);
    for (size_t e = 0; e < PCI_CHUNK; e++)
        part[e] = y[e] & ((1 << PCI_WIDE_RADIX_BITS) - 1);
    add_part(w, part);
}

/* Two moduli at once: pair = y_i | y_j << 16, and their share of what q is found from. */
static inline void weigh_pair(const pci_crt *crt, uint32_t i, const int8_t *xi, const int8_t *xj,
                              int32_t *pair, int32_t *total)
{
    float mi = crt->m[i], scale_i = (float)centred(crt->scale[i], crt->m[i]);
    float mj = crt->m[i + 1], scale_j = (float)centred(crt->scale[i + 1], crt->m[i + 1]);
    float inverse_i = 1.0f / mi, inverse_j = 1.0f / mj;
    int32_t fraction_i = (int32_t)crt->fraction[i], fraction_j = (int32_t)crt->fraction[i + 1];
    for (size_t e = 0; e < PCI_CHUNK; e++) {
        int32_t yi = scaled_residue(xi[e], scale_i, mi, inverse_i);
        int32_t yj = scaled_residue(xj[e], scale_j, mj, inverse_j);
        total[e] += yi * fraction_i + yj * fraction_j;
        pair[e] = yi | yj << 16;
    }
}

/* A base of narrow moduli only: 32-bit sums do for q. */
static void weigh_narrow(const pci_crt *crt, const int8_t *const *in, size_t at, weighed *w)
{
    int32_t total[PCI_CHUNK] = {0}, y[PCI_CHUNK];
    uint32_t n_even = crt->r & ~1u;
    for (uint32_t i = 0; i < n_even; i += 2)
        weigh_pair(crt, i, in[i] + at, in[i + 1] + at, w->pair[i / 2], total);
    w->n_parts = n_even;
    if (crt->r > n_even) {
        scale_narrow(crt, n_even, in[n_even] + at, y);
        for (size_t e = 0; e < PCI_CHUNK; e++)
            total[e] += y[e] * (int32_t)crt->fraction[n_even];
        add_part(w, y);
    }
    for (size_t e = 0; e < PCI_CHUNK; e++)
        y[e] = (total[e] + (1 << (PCI_NARROW_FRACTION_BITS - 2))) >> PCI_NARROW_FRACTION_BITS;
    add_part(w, y);
}

static void weigh_mixed(const pci_crt *crt, const int8_t *const *in, size_t at, size_t digit_bytes,
                        weighed *w)
{
    uint64_t total[PCI_CHUNK] = {0};
    int32_t y[PCI_CHUNK];
    for (uint32_t i = 0; i < crt->r; i++) {
        const int8_t *x = in[i] + at;
        if (pci_modulus_is_wide(i)) {
            scale_wide(x, x + digit_bytes, (int32_t)crt->scale[i], crt->m[i], y);
            add_wide_parts(w, y);
        } else {
            scale_narrow(crt, i, x, y);
            add_part(w, y);
        }
        for (size_t e = 0; e < PCI_CHUNK; e++)
            total[e] += (uint64_t)(uint32_t)y[e] * crt->fraction[i];
    }
    uint64_t room = UINT64_C(1) << (PCI_WIDE_FRACTION_BITS - 2);
    for (size_t e = 0; e < PCI_CHUNK; e++)
        y[e] = (int32_t)((total[e] + room) >> PCI_WIDE_FRACTION_BITS);
    add_part(w, y);
}

/* y_i and q of one chunk, in parts: see src/residues/crt.h. */
static void weigh(const pci_crt *crt, const int8_t *const *in, size_t at, size_t digit_bytes,
                  weighed *w)
{
    w->n_parts = 0;
    for (uint32_t i = 0; i < crt->r; i++) /* too many streams for the hardware to follow */
        __builtin_prefetch(in[i] + at + FETCH_AHEAD);
    if (crt->r <= PCI_N_NARROW)
        weigh_narrow(crt, in, at, w);
    else
        weigh_mixed(crt, in, at, digit_bytes, w);
}

static void dot(const weighed *w, const int32_t *weights, uint32_t n_pairs, int32_t *result)
{
    enum { N = PCI_CHUNK / LANES };
    lanes acc[N];
    memset(acc, 0, sizeof acc);
    for (uint32_t p = 0; p < n_pairs; p++)
        for (int v = 0; v < N; v++)
            acc[v] = multiply_add(acc[v], ((const lanes *)w->pair[p])[v], weights[p]);
    memcpy(result, acc, sizeof acc);
}

static void extend_by_pairs(const pci_recombination *how, size_t n, const int8_t *const *in,
                            int8_t *const *out, size_t digit_bytes)
{
    const pci_pair_weights *pairs = &how->pairs;
    weighed w;
    for (size_t at = 0; at < n; at += PCI_CHUNK) {
        weigh(how->crt, in, at, digit_bytes, &w);
        for (uint32_t c = 0; c < pairs->n_columns; c++) {
            int32_t value[PCI_CHUNK];
            dot(&w, pairs->pair + c * pairs->n_pairs, pairs->n_pairs, value);
            uint32_t index = how->crt->r + c, m = how->crt->m[index];
            if (pci_modulus_is_wide(index))
                reduce_wide(PCI_CHUNK, NULL, value, NULL, m, out[c] + at, digit_bytes);
            else
                reduce(PCI_CHUNK, value, m, out[c] + at);
        }
    }
}

/* Digits of 16 bits with signed sums: carry along them, lowest first. */
static void collect_by_pairs(const pci_recombination *how, size_t n, const int8_t *const *in,
                             size_t digit_bytes, uint32_t n_limbs, uint64_t *limbs)
{
    const pci_pair_weights *pairs = &how->pairs;
    weighed w;
    for (size_t at = 0; at < n; at += PCI_CHUNK) {
        size_t n_here = n - at < PCI_CHUNK ? n - at : PCI_CHUNK;
        int32_t carry[PCI_CHUNK] = {0};
        weigh(how->crt, in, at, digit_bytes, &w);
        for (uint32_t limb = 0; limb < n_limbs; limb++) {
            uint64_t word[PCI_CHUNK] = {0};
            for (uint32_t d = 0; d < 4; d++) {
                int32_t value[PCI_CHUNK];
                dot(&w, pairs->pair + (4 * limb + d) * pairs->n_pairs, pairs->n_pairs, value);
                for (size_t e = 0; e < PCI_CHUNK; e++) {
                    int32_t total = value[e] + carry[e];
                    carry[e] = total >> 16;
                    word[e] |= (uint64_t)(uint32_t)(total & 0xffff) << 16 * d;
                }
            }
            for (size_t e = 0; e < n_here; e++)
                limbs[(at + e) * n_limbs + limb] = word[e];
        }
    }
}

/* ---- Recombination of any base --------------------------------------------------------------- */

/* Words whose upper halves are 0 are multiplied. */
#if defined(__AVX512BW__)
typedef __m512i words;
static inline words load_shorts(const uint16_t *from)
{
    return _mm512_cvtepu16_epi64(_mm_loadu_si128((const __m128i *)from));
}
static inline words add_product(words sum, words y, uint32_t weight)
{
    return _mm512_add_epi64(sum, _mm512_mul_epu32(y, _mm512_set1_epi32((int)weight)));
}
#elif defined(__AVX2__)
typedef __m256i words;
static inline words load_shorts(const uint16_t *from)
{
    return _mm256_cvtepu16_epi64(_mm_loadl_epi64((const __m128i *)from));
}
static inline words add_product(words sum, words y, uint32_t weight)
{
    return _mm256_add_epi64(sum, _mm256_mul_epu32(y, _mm256_set1_epi32((int)weight)));
}
#else
typedef struct words {
    uint64_t word[2];
} words;
static inline words load_shorts(const uint16_t *from)
{
    return (words){{from[0], from[1]}};
}
static inline words add_product(words sum, words y, uint32_t weight)
{
    sum.word[0] += y.word[0] * weight;
    sum.word[1] += y.word[1] * weight;
    return sum;
}
#endif

/* Entries in two registers; and in the chunks for which residues are weighed. */
enum { WORDS = 2 * sizeof(words) / sizeof(uint64_t), PLAIN_CHUNK = 16 };

/* y_i and q of one chunk: see src/residues/crt.h. */
typedef struct weighed_plain {
    uint16_t y[PCI_N_MODULI + 1][PLAIN_CHUNK];
} weighed_plain;

/* y = x * scale mod m for -m <= x < m: exact doubles below 2^33. */
static inline void scale_plain(const int8_t *x, const int8_t *low, int32_t radix, double scale,
                               double m, uint16_t *y)
{
    double inverse = 1.0 / m;
    for (size_t e = 0; e < PLAIN_CHUNK; e++) {
        double v = (x[e] * radix + (low ? low[e] : 0) + m) * scale;
        int32_t quotient = (int32_t)((v + 0.5) * inverse);
        y[e] = (uint16_t)(int32_t)(v - quotient * m);
    }
}

static void weigh_plain(const pci_crt *crt, const int8_t *const *in, size_t at, size_t digit_bytes,
                        weighed_plain *w)
{
    uint64_t total[PLAIN_CHUNK] = {0};
    for (uint32_t i = 0; i < crt->r; i++) {
        pci_class class = pci_modulus_class(i);
        const int8_t *x = in[i] + at;
        uint16_t *y = w->y[i];
        if (class == PCI_NARROW)
            scale_plain(x, NULL, 1, crt->scale[i], crt->m[i], y);
        else
            scale_plain(x, x + digit_bytes, 1 << pci_class_radix_bits(class), crt->scale[i],
                        crt->m[i], y);
        for (size_t e = 0; e < PLAIN_CHUNK; e++)
            total[e] += (uint64_t)y[e] * crt->fraction[i];
    }
    uint64_t room = UINT64_C(1) << (crt->fraction_bits - 2);
    for (size_t e = 0; e < PLAIN_CHUNK; e++)
        w->y[crt->r][e] = (uint16_t)((total[e] + room) >> crt->fraction_bits);
}

/* The columns of one tile: the sums of a tile and two registers of entries stay in registers. */
static void dot_tile(const uint16_t (*y)[PLAIN_CHUNK], uint32_t n_rows, const uint32_t *tile,
                     uint64_t (*result)[PLAIN_CHUNK])
{
    for (size_t e = 0; e < PLAIN_CHUNK; e += WORDS) {
        words sum[PCI_TILE][2];
        memset(sum, 0, sizeof sum);
        for (uint32_t i = 0; i < n_rows; i++) {
            words y0 = load_shorts(y[i] + e), y1 = load_shorts(y[i] + e + WORDS / 2);
#pragma GCC unroll 4
            for (int c = 0; c < PCI_TILE; c++) {
                sum[c][0] = add_product(sum[c][0], y0, tile[(size_t)i * PCI_TILE + c]);
                sum[c][1] = add_product(sum[c][1], y1, tile[(size_t)i * PCI_TILE + c]);
            }
        }
#pragma GCC unroll 4
        for (int c = 0; c < PCI_TILE; c++)
            memcpy(result[c] + e, sum[c], sizeof sum[c]);
    }
}

/* Residues modulo two moduli for each column. */
static void extend_plain(const pci_recombination *how, size_t n, const int8_t *const *in,
                         int8_t *const *out, size_t digit_bytes)
{
    const pci_crt *crt = how->crt;
    const pci_weights *weights = &how->weights;
    weighed_plain w;
    for (size_t at = 0; at < n; at += PLAIN_CHUNK) {
        weigh_plain(crt, in, at, digit_bytes, &w);
        for (uint32_t c = 0; c < weights->n_columns; c += PCI_TILE) {
            uint64_t value[PCI_TILE][PLAIN_CHUNK];
            dot_tile(w.y, weights->n_rows, pci_weights_tile(weights, c), value);
            for (uint32_t o = 2 * c; o < 2 * (c + PCI_TILE) && o < how->n_columns; o++)
                split(PLAIN_CHUNK, value[o / 2 - c], crt->m[crt->r + o],
                      pci_modulus_class(crt->r + o), out[o] + at, digit_bytes);
        }
    }
}

/* Integers of n_limbs words, stride words apart, of digits of 32 bits: carry along them, lowest first. */
static void sum_digits(const uint16_t (*y)[PLAIN_CHUNK], const pci_weights *weights,
                       size_t n_entries, uint32_t n_limbs, size_t stride, uint64_t *limbs)
{
    uint64_t carry[PLAIN_CHUNK] = {0};
    for (uint32_t c = 0; c < weights->n_columns; c += PCI_TILE) {
        uint64_t value[PCI_TILE][PLAIN_CHUNK];
        dot_tile(y, weights->n_rows, pci_weights_tile(weights, c), value);
        for (uint32_t limb = c / 2; limb < (c + PCI_TILE) / 2 && limb < n_limbs; limb++) {
            const uint64_t *low = value[2 * limb - c], *high = value[2 * limb + 1 - c];
            for (size_t e = 0; e < n_entries; e++) { /* below 2^62 with the carry */
                uint64_t first = low[e] + carry[e], second = high[e] + (first >> 32);
                carry[e] = second >> 32;
                limbs[e * stride + limb] = second << 32 | (uint32_t)first;
            }
        }
    }
}

static void sum_leaves(const weighed_plain *w, const pci_crt_tree *tree, size_t n_entries,
                       uint32_t n_limbs, uint64_t *limbs)
{
    uint64_t sums[PLAIN_CHUNK][PCI_LEAF_LIMBS];
    for (uint32_t l = 0; l < tree->n_leaves; l++)
        sum_digits(w->y + tree->first[l], &tree->weights[l], n_entries,
                   tree->limb[l + 1] - tree->limb[l], PCI_LEAF_LIMBS, sums[0] + tree->limb[l]);
    for (size_t e = 0; e < n_entries; e++)
        pci_crt_tree_join(tree, w->y[tree->first[tree->n_leaves]][e], sums[e], n_limbs,
                          limbs + e * n_limbs);
}

static void collect_plain(const pci_recombination *how, size_t n, const int8_t *const *in,
                          size_t digit_bytes, uint32_t n_limbs, uint64_t *limbs)
{
    weighed_plain w;
    for (size_t at = 0; at < n; at += PLAIN_CHUNK, limbs += PLAIN_CHUNK * (size_t)n_limbs) {
        size_t n_here = n - at < PLAIN_CHUNK ? n - at : PLAIN_CHUNK;
        weigh_plain(how->crt, in, at, digit_bytes, &w);
        if (how->tree.n_leaves)
            sum_leaves(&w, &how->tree, n_here, n_limbs, limbs);
        else
            sum_digits(w.y, &how->weights, n_here, n_limbs, n_limbs, limbs);
    }
}

static void extend(const pci_recombination *how, size_t n, const int8_t *const *in,
                   int8_t *const *out, size_t digit_bytes)
{
    if (how->pairs.pair)
        extend_by_pairs(how, n, in, out, digit_bytes);
    else
        extend_plain(how, n, in, out, digit_bytes);
}

static void collect(const pci_recombination *how, size_t n, const int8_t *const *in,
                    size_t digit_bytes, uint32_t n_limbs, uint64_t *limbs)
{
    if (how->pairs.pair)
        collect_by_pairs(how, n, in, digit_bytes, n_limbs, limbs);
    else
        collect_plain(how, n, in, digit_bytes, n_limbs, limbs);
}

/* ---- Words modulo a number of up to 63 bits -------------------------------------------------- */

static void collect_modular(const pci_recombination *how, size_t n, const int8_t *const *in,
                            size_t digit_bytes, uint64_t modulus, uint64_t *words)
{
    weighed_plain w;
    for (size_t at = 0; at < n; at += PLAIN_CHUNK) {
        size_t n_here = n - at < PLAIN_CHUNK ? n - at : PLAIN_CHUNK;
        uint64_t value[PCI_TILE][PLAIN_CHUNK];
        weigh_plain(how->crt, in, at, digit_bytes, &w);
        dot_tile(w.y, how->weights.n_rows, how->weights.weight, value);
        for (size_t e = 0; e < n_here; e++)
            words[at + e] =
                (uint64_t)((((unsigned __int128)value[1][e] << 32) + value[0][e]) % modulus);
    }
}

const pci_row_ops JOIN(pci_row_ops_, PCI_ISA) = {
    .reduce = reduce,
    .reduce_wide = reduce_wide,
    .reduce_full = reduce_full,
    .sum = sum,
    .sum_rows = sum_rows,
    .sum_blocks = sum_blocks,
    .pack = pack,
    .pack_rows = pack_rows,
    .transpose = transpose,
    .extend = extend,
    .collect = collect,
    .collect_modular = collect_modular,
    .split = split,
};

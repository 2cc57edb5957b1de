/* Row operations: the work at O(n^2), which is to reduce, add up, pack and transpose, beside recombination (recombine_rows.c).
 * The loops are plain, and the compiler vectorises them, once for each instruction set (PCI_ISA), into one table. Only
 * packing and transposition use vector types. */
#include "src/cpu/row_loops.h"

#include <string.h>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

enum {
    FETCH_ROWS = 16,
    MAX_SHORT_ARCS = 256 /* 256 * 128 fits an int16 */
};

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
        __builtin_prefetch(row + PCI_FETCH_AHEAD); /* also keeps gcc from adding two rows at a time,
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
            pci_narrow_residues(PCI_CHUNK, acc, m, out);
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
const pci_row_ops PCI_JOIN(pci_row_ops_, PCI_ISA) = {
    .reduce = pci_narrow_residues,
    .reduce_wide = pci_wide_residues,
    .reduce_full = pci_full_residues,
    .join = pci_joined_words,
    .sum = sum,
    .sum_rows = sum_rows,
    .sum_blocks = sum_blocks,
    .pack = pack,
    .pack_rows = pack_rows,
    .transpose = transpose,
    .extend = PCI_JOIN(pci_extend_, PCI_ISA),
    .collect = PCI_JOIN(pci_collect_, PCI_ISA),
    .collect_modular = PCI_JOIN(pci_collect_modular_, PCI_ISA),
    .split = pci_split_words,
    .dot_digits = PCI_JOIN(pci_dot_digits_, PCI_ISA),
    .sweep_rows = PCI_JOIN(pci_sweep_rows_, PCI_ISA),
    .sweep_read = PCI_JOIN(pci_sweep_read_, PCI_ISA),
};

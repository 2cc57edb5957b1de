/* Parts of the loops over entries that are compiled once for each instruction set (PCI_ISA), and their names. */
#ifndef PCI_CPU_ROW_LOOPS_H
#define PCI_CPU_ROW_LOOPS_H

#include "src/cpu/row_ops.h"

#define PCI_JOIN_NAMES(a, b) a##b
#define PCI_JOIN(a, b)       PCI_JOIN_NAMES(a, b)
#define ALWAYS_INLINE        static inline __attribute__((always_inline))

enum { PCI_FETCH_AHEAD = 2 * PCI_CHUNK };

/* Adding then subtracting 3 * 2^22 (2^51) rounds a float (double) to the nearest integer. */
static const float PCI_ROUND_FLOAT __attribute__((unused)) = 0x1.8p23f;
static const double PCI_ROUND_DOUBLE = 0x1.8p52;

static inline int32_t pci_centred(uint32_t value, uint32_t m)
{
    return 2 * value > m ? (int32_t)value - (int32_t)m : (int32_t)value;
}

/* residue = high * 2^7 + low, or high * 2^8 + low */
static inline void pci_store_digits(int32_t residue, pci_class class, int8_t *out, size_t e,
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

static inline int32_t pci_reduce_double(double v, double m, double inverse)
{
    double quotient = (v * inverse + PCI_ROUND_DOUBLE) - PCI_ROUND_DOUBLE;
    return (int32_t)(v - quotient * m);
}

/* |v| < 2^23, so v and quotient * m are exact floats. The residue may miss the centre by one step
 * when v / m lies near a half; then m < 255 keeps it within int8, and 256 wraps rightly. */
static inline int8_t pci_reduce_small(int32_t v, float m, float inverse)
{
    float quotient = ((float)v * inverse + PCI_ROUND_FLOAT) - PCI_ROUND_FLOAT;
    return (int8_t)(int32_t)((float)v - quotient * m);
}

static inline void pci_narrow_residues(size_t n, const int32_t *acc, uint32_t m, int8_t *out)
{
    if (!m) {
        for (size_t e = 0; e < n; e++)
            out[e] = (int8_t)acc[e];
        return;
    }
    float m_float = (float)m, inverse = 1.0f / m_float;
    int32_t high_weight = pci_centred(65536 % m, m);
    for (size_t e = 0; e < n; e++) /* |high| <= 2^15, |weight| <= 2^7: below 2^22 + 2^16 */
        out[e] =
            pci_reduce_small((acc[e] >> 16) * high_weight + (acc[e] & 0xffff), m_float, inverse);
}

static inline void pci_wide_residues(size_t n, const int32_t *restrict hh,
                                     const int32_t *restrict ll, const int32_t *restrict ss,
                                     uint32_t m, int8_t *restrict out, size_t digit_bytes)
{
    double m_double = m, inverse = 1.0 / m_double;
    for (size_t e = 0; e < n; e++) { /* below 2^46: exact doubles */
        double v = ll[e];
        if (hh)
            v += 16384.0 * hh[e] + 128.0 * ((double)ss[e] - hh[e] - ll[e]);
        pci_store_digits(pci_reduce_double(v, m_double, inverse), PCI_WIDE, out, e, digit_bytes);
    }
}

static inline void pci_joined_words(size_t n, const int32_t *restrict hh,
                                    const int32_t *restrict ll, const int32_t *restrict ss,
                                    uint64_t *restrict words)
{
    for (size_t e = 0; e < n && !hh; e++)
        words[e] = (uint64_t)ll[e];
    for (size_t e = 0; e < n && hh; e++) {
        int64_t mixed = (int64_t)ss[e] - hh[e] - ll[e];
        words[e] = (uint64_t)((int64_t)hh[e] * 16384 + mixed * 128 + ll[e]);
    }
}

static inline void pci_full_residues(size_t n, const int32_t *restrict hh,
                                     const int32_t *restrict hl, const int32_t *restrict lh,
                                     const int32_t *restrict ll, uint32_t m, int8_t *restrict out,
                                     size_t digit_bytes)
{
    double m_double = m, inverse = 1.0 / m_double;
    for (size_t e = 0; e < n; e++) { /* below 2^48: exact doubles */
        double v = ll[e];
        if (hh)
            v += 65536.0 * hh[e] + 256.0 * ((double)hl[e] + lh[e]);
        pci_store_digits(pci_reduce_double(v, m_double, inverse), PCI_FULL, out, e, digit_bytes);
    }
}

/* Words below 2^63 to residues modulo m. */
static inline void pci_split_words(size_t n, const uint64_t *words, uint32_t m, pci_class class,
                                   int8_t *out, size_t digit_bytes)
{
    double m_double = m, inverse = 1.0 / m_double;
    double high_weight = (double)((UINT64_C(1) << 32) % m);
    for (size_t e = 0; e < n; e++) { /* below 2^46: an exact double */
        double v = (double)(uint32_t)(words[e] >> 32) * high_weight + (double)(uint32_t)words[e];
        int32_t residue = pci_reduce_double(v, m_double, inverse);
        if (class == PCI_NARROW)
            out[e] = (int8_t)residue;
        else
            pci_store_digits(residue, class, out, e, digit_bytes);
    }
}

/* Recombination (recombine_rows.c), as src/cpu/row_ops.h has it; and by pairs (recombine_pairs.c). */
void PCI_JOIN(pci_extend_, PCI_ISA)(const pci_recombination *how, pci_row_tile tile,
                                    const int8_t *const *in, int8_t *const *out,
                                    size_t digit_bytes);
void PCI_JOIN(pci_extend_by_pairs_, PCI_ISA)(const pci_recombination *how, pci_row_tile tile,
                                             const int8_t *const *in, int8_t *const *out,
                                             size_t digit_bytes);
void PCI_JOIN(pci_collect_, PCI_ISA)(const pci_recombination *how, pci_row_tile tile,
                                     const int8_t *const *in, size_t digit_bytes, uint32_t n_limbs,
                                     uint64_t *limbs, size_t limbs_stride);
void PCI_JOIN(pci_collect_by_pairs_,
              PCI_ISA)(const pci_recombination *how, pci_row_tile tile, const int8_t *const *in,
                       size_t digit_bytes, uint32_t n_limbs, uint64_t *limbs, size_t limbs_stride);
void PCI_JOIN(pci_collect_modular_, PCI_ISA)(const pci_recombination *how, size_t n,
                                             const int8_t *const *in, size_t digit_bytes,
                                             uint64_t modulus, uint64_t *words);

/* Sums of certificates (digit_sums.c), and the loops of sweeps (sweep_rows.c, sweep_unpack.c). */
void PCI_JOIN(pci_dot_digits_, PCI_ISA)(size_t n, const uint64_t *first, const uint64_t *second,
                                        size_t stride, const pci_digits *x, pci_digit_sum *sums);
uint64_t PCI_JOIN(pci_sweep_rows_, PCI_ISA)(const pci_sweep_pass *pass, uint64_t first,
                                            uint64_t end);
void PCI_JOIN(pci_sweep_read_, PCI_ISA)(const pci_sweep_block *block, uint32_t first_vector,
                                        uint32_t n_vectors, uint32_t n_limbs, bool adds,
                                        uint64_t first, uint64_t end, uint64_t *rows);

#endif

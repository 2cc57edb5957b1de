/* The loops of sums of counts times random numbers. A file for each instruction set includes this one, and
 * defines LANES, the words of a register; multiply, of the lower halves of words; and load_neighbours.
 *
 * The halves c0, c1 of a word and the digits x0, x1, x2 give sums at four places of 32 bits:
 * c0 x0, c0 x1 + c1 x0, c0 x2 + c1 x1, c1 x2. A register adds BLOCK_STEPS products, or twice as many, and is
 * then cut into halves that are added up apart. */

enum { N_PLACES = 4, BLOCK_STEPS = 16 };

/* For each of two sums. */
typedef struct place_sums {
    words low[2][N_PLACES], high[2][N_PLACES]; /* low + 2^32 high */
} place_sums;

/* Words first[e], first[e + stride], ... of a register; stride 1, or second is first + 1. */
ALWAYS_INLINE void load_both(const uint64_t *first, const uint64_t *second, size_t stride,
                             words *both)
{
    if (stride == 1) {
        both[0] = *(const loose_words *)first;
        both[1] = *(const loose_words *)second;
    } else {
        load_neighbours(first, stride, both);
    }
}

/* Adds n_steps <= BLOCK_STEPS registers of each. */
ALWAYS_INLINE void add_block(size_t n_steps, const uint64_t *first, const uint64_t *second,
                             size_t stride, const uint64_t *low, const uint64_t *high,
                             place_sums *to)
{
    words sum[2][N_PLACES] = {0}, both[2];
    for (size_t s = 0; s < n_steps; s++) {
        size_t e = s * LANES;
        words x0 = *(const loose_words *)(low + e), x1 = x0 >> 32;
        words x2 = *(const loose_words *)(high + e);
        load_both(first + e * stride, second + e * stride, stride, both);
        for (int k = 0; k < 2; k++) {
            words c0 = both[k], c1 = c0 >> 32;
            sum[k][0] += multiply(c0, x0);
            sum[k][1] += multiply(c0, x1);
            sum[k][2] += multiply(c0, x2);
            sum[k][1] += multiply(c1, x0);
            sum[k][2] += multiply(c1, x1);
            sum[k][3] += multiply(c1, x2);
        }
    }
    for (int k = 0; k < 2; k++)
        for (int p = 0; p < N_PLACES; p++) {
            to->low[k][p] += sum[k][p] & UINT32_MAX;
            to->high[k][p] += sum[k][p] >> 32;
        }
}

ALWAYS_INLINE unsigned __int128 add_lanes(const place_sums *from, int k, int place)
{
    unsigned __int128 low = 0, high = 0;
    for (int l = 0; l < LANES; l++) {
        low += from->low[k][place][l];
        high += from->high[k][place][l];
    }
    return low + (high << 32);
}

ALWAYS_INLINE size_t add_blocks(size_t n, const uint64_t *first, const uint64_t *second,
                                size_t stride, const pci_digits *x, place_sums *to)
{
    size_t n_steps = n / LANES, s = 0;
    for (; s + BLOCK_STEPS <= n_steps; s += BLOCK_STEPS) {
        size_t e = s * LANES;
        add_block(BLOCK_STEPS, first + e * stride, second + e * stride, stride, x->low + e,
                  x->high + e, to);
    }
    size_t e = s * LANES;
    add_block(n_steps - s, first + e * stride, second + e * stride, stride, x->low + e, x->high + e,
              to);
    return n_steps * LANES;
}

/* Plain C adds what is left over after whole registers. */
static void dot(size_t n, const uint64_t *first, const uint64_t *second, size_t stride,
                const pci_digits *x, pci_digit_sum *sums)
{
    place_sums to = {0};
    if (stride != 1 && second != first + 1) {
        pci_dot_digits_plain(n, first, second, stride, x, sums);
        return;
    }
    size_t done = stride == 1   ? add_blocks(n, first, second, 1, x, &to)
                  : stride == 2 ? add_blocks(n, first, second, 2, x, &to)
                                : add_blocks(n, first, second, stride, x, &to);
    pci_digits rest = {x->low + done, x->high + done};
    pci_dot_digits_plain(n - done, first + done * stride, second + done * stride, stride, &rest,
                         sums);
    for (int k = 0; k < 2; k++) {
        sums[k].low += add_lanes(&to, k, 0) + (add_lanes(&to, k, 1) << 32);
        sums[k].high += add_lanes(&to, k, 2) + (add_lanes(&to, k, 3) << 32);
    }
}

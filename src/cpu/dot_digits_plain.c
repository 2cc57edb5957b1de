/* Sums of counts times random numbers in plain C. */
#include "src/cpu/dot_digits.h"

typedef unsigned __int128 u128;

/* Products of a word and the low digits are below 2^123: so many of them fit. */
enum { GROUP = 16 };

static pci_digit_sum sum_plain(size_t n, const uint64_t *a, size_t stride, const pci_digits *x)
{
    pci_digit_sum sum = {0, 0};
    for (size_t at = 0; at < n; at += GROUP) {
        size_t end = n - at < GROUP ? n : at + GROUP;
        u128 group = 0;
        for (size_t i = at; i < end; i++) {
            group += (u128)a[i * stride] * x->low[i];
            sum.high += (u128)a[i * stride] * x->high[i];
        }
        sum.low += (uint64_t)group;
        sum.high += group >> 64;
    }
    return sum;
}

void pci_dot_digits_plain(size_t n, const uint64_t *first, const uint64_t *second, size_t stride,
                          const pci_digits *x, pci_digit_sum *sums)
{
    sums[0] = sum_plain(n, first, stride, x);
    sums[1] = sum_plain(n, second, stride, x);
}

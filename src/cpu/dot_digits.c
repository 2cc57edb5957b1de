/* Sums of counts times random numbers in plain C. */
#include "src/cpu/dot_digits.h"

#include "src/cpu/kernel.h"

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

/* A kernel that was forced and is not available is reported later, by the product. */
pci_dot_digits_fn pci_dot_digits_choose(pc_context *context)
{
    const pci_kernel *kernel;
    if (pci_kernel_select(context, &kernel) != PC_OK)
        return pci_dot_digits_plain;
#ifdef PCI_HAVE_AVX512
    if (kernel->rows == &pci_row_ops_avx512)
        return pci_dot_digits_avx512;
#endif
#ifdef PCI_HAVE_AVX2
    if (kernel->rows == &pci_row_ops_avx2)
        return pci_dot_digits_avx2;
#endif
    return pci_dot_digits_plain;
}

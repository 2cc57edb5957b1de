/* Which way of the sums of certificates to use. */
#include "src/cpu/dot_digits.h"

#include "src/cpu/kernel.h"

/* A kernel that was forced and is not available is reported later, by the product. */
pci_dot_digits_fn pci_dot_digits_choose(pc_context *context)
{
    const pci_kernel *kernel;
    if (pci_kernel_select(context, &kernel) != PC_OK)
        return pci_dot_digits_plain;
#ifdef PCI_HAVE_IFMA
    if (kernel->rows == &pci_row_ops_avx512 && __builtin_cpu_supports("avx512ifma"))
        return pci_dot_digits_ifma;
#endif
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

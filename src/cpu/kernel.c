/* The int8 kernel in plain C, which the others are tested against; and the choice of a kernel: the fastest that runs
 * here, unless the environment forces one. */
#define _GNU_SOURCE /* secure_getenv */
#include "src/cpu/kernel.h"

#include <stdlib.h>
#include <string.h>

/* ---- Plain C --------------------------------------------------------------------------------- */

enum { ROWS = 4 };

/* Counters of coverage would make it 25 times slower. */
__attribute__((no_profile_instrument_function)) static void multiply(const pci_factors *f,
                                                                     int32_t *sums)
{
    for (size_t i = 0; i < ROWS; i++) {
        uint32_t sum[PCI_PANEL]; /* unsigned: wraps by definition */
        for (size_t j = 0; j < PCI_PANEL; j++)
            sum[j] = (uint32_t)f->start[i];
        for (size_t k = 0; k < f->depth; k++) {
            uint32_t factor = (uint32_t)(int32_t)f->left[i * f->left_stride + k];
            const uint8_t *row = f->right + k / 4 * 4 * PCI_PANEL + k % 4;
            for (size_t j = 0; j < PCI_PANEL; j++)
                sum[j] += factor * row[4 * j];
        }
        for (size_t j = 0; j < PCI_PANEL; j++)
            sums[i * PCI_PANEL + j] = (int32_t)sum[j];
    }
}

static bool is_available(void)
{
    return true;
}

const pci_kernel pci_kernel_portable = {
    .name = "portable",
    .is_available = is_available,
    .n_rows = ROWS,
    .multiply = multiply,
    .rows = &pci_row_ops_portable,
    .guess_ops_per_second = 11e9,
};

/* ---- The choice ------------------------------------------------------------------------------ */

/* Fastest first; the last one runs everywhere. */
static const pci_kernel *const kernels[] = {
#ifdef PCI_HAVE_AMX
    &pci_kernel_amx,
#endif
#ifdef PCI_HAVE_AVX512VNNI
    &pci_kernel_avx512vnni,
#endif
#ifdef PCI_HAVE_AVXVNNI
    &pci_kernel_avxvnni,
#endif
#ifdef PCI_HAVE_AVX2
    &pci_kernel_avx2,
#endif
    &pci_kernel_portable,
};

enum { N_KERNELS = sizeof kernels / sizeof *kernels };

static const char known_names[] = "amx, avx512vnni, avxvnni, avx2, portable";

static pc_status forced_kernel(pc_context *context, const char *name, const pci_kernel **kernel)
{
    for (size_t i = 0; i < N_KERNELS; i++) {
        if (strcmp(kernels[i]->name, name) != 0)
            continue;
        if (!kernels[i]->is_available())
            return pci_fail(context, PC_ERR_ENGINE,
                            PCI_KERNEL_VARIABLE "=%s: this processor does not have it", name);
        *kernel = kernels[i];
        return PC_OK;
    }
    return pci_fail(context, PC_ERR_ENGINE,
                    PCI_KERNEL_VARIABLE "=%s: this build has no such kernel (known: %s)", name,
                    known_names);
}

/* Virtual machines answer what a processor has in microseconds: each context asks once. */
pc_status pci_kernel_select(pc_context *context, const pci_kernel **kernel)
{
    const char *forced = secure_getenv(PCI_KERNEL_VARIABLE);
    if (forced && *forced)
        return forced_kernel(context, forced, kernel);
    *kernel = __atomic_load_n(&context->fastest_kernel, __ATOMIC_RELAXED);
    if (!*kernel) {
        size_t i = 0;
        while (!kernels[i]->is_available())
            i++;
        *kernel = kernels[i];
        __atomic_store_n(&context->fastest_kernel, *kernel, __ATOMIC_RELAXED);
    }
    return PC_OK;
}

pci_dot_digits_fn pci_dot_digits_choose(pc_context *context)
{
    const pci_kernel *kernel;
    if (pci_kernel_select(context, &kernel) != PC_OK)
        return pci_row_ops_portable.dot_digits;
#ifdef PCI_HAVE_IFMA
    if (kernel->rows == &pci_row_ops_avx512 && __builtin_cpu_supports("avx512ifma"))
        return pci_dot_digits_ifma;
#endif
    return kernel->rows->dot_digits;
}

/* Which int8 kernel to use: the fastest that runs here, unless the environment forces one. */
#define _GNU_SOURCE /* secure_getenv */
#include "src/cpu/kernel.h"

#include <stdlib.h>
#include <string.h>

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

static const pci_kernel *find_fastest(void)
{
    size_t i = 0;
    while (!kernels[i]->is_available())
        i++;
    return kernels[i];
}

/* Virtual machines answer what a processor has in microseconds: each context asks once. */
pc_status pci_kernel_select(pc_context *context, const pci_kernel **kernel)
{
    const char *forced = secure_getenv(PCI_KERNEL_VARIABLE);
    if (forced && *forced)
        return forced_kernel(context, forced, kernel);
    *kernel = __atomic_load_n(&context->fastest_kernel, __ATOMIC_RELAXED);
    if (!*kernel) {
        *kernel = find_fastest();
        __atomic_store_n(&context->fastest_kernel, *kernel, __ATOMIC_RELAXED);
    }
    return PC_OK;
}

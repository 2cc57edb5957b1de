/* The parts of a count, and how fast they are. */
#include "src/core/rates.h"

#ifdef __x86_64__
#include <cpuid.h>
#endif

const pci_rate_row pci_rate_rows[PCI_N_PARTS] = {
    [PCI_PART_PRODUCT] = {"product", "int8 operations", 4.65e11, 1e12, 6e10},
    [PCI_PART_PLANE] = {"plane", "entries of planes around products", 7e9, 1.2e9, 1.5e9},
    [PCI_PART_BATCH] = {"batch", "products, however small", 1e6, 8e5, 2.7e5},
    [PCI_PART_EXTEND] = {"extend", "residues made of others", 3.3e9, 1.5e9, 1.8e9},
    [PCI_PART_STEP] = {"step", "bytes of planes stepped", 2.7e10, 1.4e10, 1.1e10},
    [PCI_PART_COLLECT] = {"collect", "residues times words of results", 1.35e10, 7e9, 2.8e9},
    [PCI_PART_CERTIFY] = {"certify", "words of results checked", 1.9e9, 5e8, 1.2e9},
    [PCI_PART_PASS] = {"pass", "arcs of one vector in cache", 1.5e9, 7.5e8, 9e8},
    [PCI_PART_PASS_FAR] = {"pass_far", "arcs of one vector in memory", 2.9e8, 2.9e8, 2.9e8},
    [PCI_PART_SWEEP] = {"sweep", "bytes of vectors in cache", 1.6e11, 8e10, 7.2e10},
    [PCI_PART_SWEEP_FAR] = {"sweep_far", "bytes of vectors in memory", 2.7e10, 8e9, 6e9},
    [PCI_PART_ROWS] = {"rows", "words of rows swept", 1.5e9, 4.5e8, 4.5e8},
};

pci_rates pci_rates_default(void)
{
    pci_rates rates = {.is_measured = false};
    bool has_amx = false, has_avx512 = false;
#ifdef __x86_64__
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
    const unsigned amx_int8 = 1u << 25;
    has_amx = __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) && (edx & amx_int8);
    has_avx512 = __builtin_cpu_supports("avx512vnni");
#endif
    for (int p = 0; p < PCI_N_PARTS; p++) {
        const pci_rate_row *part = &pci_rate_rows[p];
        rates.per_second[p] = has_amx      ? part->with_amx
                              : has_avx512 ? part->with_avx512
                                           : part->without_avx512;
    }
    return rates;
}

/* Rates as compiled in: of a core with AVX-512, AMD's fourth Zen generation, while a second one works beside it, of
 * one without, the third, and of one with AMX, a virtual Xeon's, as 1 to 16 of them showed (pci_cost_threads). */
#include "src/core/rates.h"

#ifdef __x86_64__
#include <cpuid.h>
#endif

const char *const pci_part_names[PCI_N_PARTS] = {
    [PCI_PART_PRODUCT] = "product",     [PCI_PART_PLANE] = "plane",
    [PCI_PART_BATCH] = "batch",         [PCI_PART_EXTEND] = "extend",
    [PCI_PART_STEP] = "step",           [PCI_PART_COLLECT] = "collect",
    [PCI_PART_CERTIFY] = "certify",     [PCI_PART_PASS] = "pass",
    [PCI_PART_PASS_FAR] = "pass_far",   [PCI_PART_SWEEP] = "sweep",
    [PCI_PART_SWEEP_FAR] = "sweep_far", [PCI_PART_ROWS] = "rows"};

const char *const pci_part_units[PCI_N_PARTS] = {
    [PCI_PART_PRODUCT] = "int8 operations",
    [PCI_PART_PLANE] = "entries of planes around products",
    [PCI_PART_BATCH] = "products, however small",
    [PCI_PART_EXTEND] = "residues made of others",
    [PCI_PART_STEP] = "bytes of planes stepped",
    [PCI_PART_COLLECT] = "residues times words of results",
    [PCI_PART_CERTIFY] = "words of results checked",
    [PCI_PART_PASS] = "arcs of one vector in cache",
    [PCI_PART_PASS_FAR] = "arcs of one vector in memory",
    [PCI_PART_SWEEP] = "bytes of vectors in cache",
    [PCI_PART_SWEEP_FAR] = "bytes of vectors in memory",
    [PCI_PART_ROWS] = "words of rows swept"};

static const pci_rates with_avx512 = {.per_second = {[PCI_PART_PRODUCT] = 4.65e11,
                                                     [PCI_PART_PLANE] = 7e9,
                                                     [PCI_PART_BATCH] = 1e6,
                                                     [PCI_PART_EXTEND] = 3.3e9,
                                                     [PCI_PART_STEP] = 2.7e10,
                                                     [PCI_PART_COLLECT] = 1.35e10,
                                                     [PCI_PART_CERTIFY] = 1.9e9,
                                                     [PCI_PART_PASS] = 1.5e9,
                                                     [PCI_PART_PASS_FAR] = 2.9e8,
                                                     [PCI_PART_SWEEP] = 1.6e11,
                                                     [PCI_PART_SWEEP_FAR] = 2.7e10,
                                                     [PCI_PART_ROWS] = 1.5e9}};

static const pci_rates with_amx = {.per_second = {[PCI_PART_PRODUCT] = 1e12,
                                                  [PCI_PART_PLANE] = 1.2e9,
                                                  [PCI_PART_BATCH] = 8e5,
                                                  [PCI_PART_EXTEND] = 1.5e9,
                                                  [PCI_PART_STEP] = 1.4e10,
                                                  [PCI_PART_COLLECT] = 7e9,
                                                  [PCI_PART_CERTIFY] = 5e8,
                                                  [PCI_PART_PASS] = 7.5e8,
                                                  [PCI_PART_PASS_FAR] = 2.9e8,
                                                  [PCI_PART_SWEEP] = 8e10,
                                                  [PCI_PART_SWEEP_FAR] = 8e9,
                                                  [PCI_PART_ROWS] = 4.5e8}};

static const pci_rates without_avx512 = {.per_second = {[PCI_PART_PRODUCT] = 6e10,
                                                        [PCI_PART_PLANE] = 1.5e9,
                                                        [PCI_PART_BATCH] = 2.7e5,
                                                        [PCI_PART_EXTEND] = 1.8e9,
                                                        [PCI_PART_STEP] = 1.1e10,
                                                        [PCI_PART_COLLECT] = 2.8e9,
                                                        [PCI_PART_CERTIFY] = 1.2e9,
                                                        [PCI_PART_PASS] = 9e8,
                                                        [PCI_PART_PASS_FAR] = 2.9e8,
                                                        [PCI_PART_SWEEP] = 7.2e10,
                                                        [PCI_PART_SWEEP_FAR] = 6e9,
                                                        [PCI_PART_ROWS] = 4.5e8}};

#ifdef __x86_64__
static bool has_amx(void)
{
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
    const unsigned amx_int8 = 1u << 25;
    return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) && (edx & amx_int8);
}
#endif

const pci_rates *pci_rates_default(void)
{
#ifdef __x86_64__
    return has_amx()                              ? &with_amx
           : __builtin_cpu_supports("avx512vnni") ? &with_avx512
                                                  : &without_avx512;
#else
    return &without_avx512;
#endif
}

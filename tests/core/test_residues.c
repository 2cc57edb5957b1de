/* The list of moduli: coprime, as wide as it says, counted right. */
#include "tests/support/fixture.h"

#include "src/residues/residues.h"

#include <gmp.h>
#include <math.h>

static void product_of(const pci_moduli *moduli, uint32_t r, mpz_t product)
{
    mpz_set_ui(product, 1);
    for (uint32_t i = 0; i < r; i++)
        mpz_mul_ui(product, product, moduli->m[i]);
}

TEST("moduli are pairwise coprime and carry 93,600 bits, those of devices 12,000")
{
    pci_moduli moduli;
    OWNED(mpz_t) product;
    pci_moduli_fill(&moduli, PCI_ANY_BITS);
    mpz_init_set_ui(product, 1);
    for (uint32_t i = 0; i < PCI_N_MODULI; i++) {
        CU_ASSERT(mpz_gcd_ui(NULL, product, moduli.m[i]) == 1);
        mpz_mul_ui(product, product, moduli.m[i]);
        CU_ASSERT(i + 1 != PCI_N_NOT_FULL || mpz_sizeinbase(product, 2) > 12000);
    }
    CU_ASSERT(mpz_sizeinbase(product, 2) > 93600);
}

TEST("moduli lie in their ranges")
{
    pci_moduli moduli;
    pci_moduli_fill(&moduli, PCI_ANY_BITS);
    for (uint32_t i = 0; i < PCI_N_MODULI; i++) {
        bool wide = i >= PCI_N_NARROW && i < PCI_N_NOT_FULL, full = i >= PCI_N_NOT_FULL;
        uint32_t above = wide   ? 1 << 13
                         : full ? 256
                                : 1,
                 most = wide   ? 1 << 14
                        : full ? 65279
                               : 256;
        CU_ASSERT(moduli.m[i] > above && moduli.m[i] <= most);
        CU_ASSERT(pci_modulus_n_digits(i) == (wide ? 3 : full ? 2 : 1));
        CU_ASSERT(pci_modulus_is_wide(i) == wide);
    }
    CU_ASSERT(pci_moduli_n_planes(PCI_N_NARROW) == PCI_N_NARROW);
    CU_ASSERT(pci_moduli_n_planes(PCI_N_NARROW + 2) == PCI_N_NARROW + 6);
    CU_ASSERT(pci_moduli_n_planes(PCI_N_NOT_FULL + 5) == PCI_N_NARROW + 3 * PCI_N_WIDE + 10);
    CU_ASSERT(pci_moduli_n_products(PCI_N_NOT_FULL + 5) == PCI_N_NARROW + 3 * PCI_N_WIDE + 20);
}

/* Each number that is left out has a factor in common with one before it, or is no prime. Of full ones those
 * that are wide are left out as well. */
TEST("moduli are the greatest that are coprime")
{
    pci_moduli moduli;
    OWNED(mpz_t) product;
    pci_moduli_fill(&moduli, PCI_ANY_BITS);
    mpz_init_set_ui(product, 1);
    for (uint32_t i = 0; i < PCI_N_MODULI; i++) {
        uint32_t first = i == 0                ? 256
                         : i == PCI_N_NARROW   ? (1 << 14) - 1
                         : i == PCI_N_NOT_FULL ? 65279
                                               : moduli.m[i - 1] - 1u;
        if (i == PCI_N_NARROW) /* the others are primes */
            mpz_primorial_ui(product, 127);
        if (i == PCI_N_NOT_FULL)
            mpz_primorial_ui(product, 255);
        for (uint32_t w = PCI_N_NARROW; i == PCI_N_NOT_FULL && w < PCI_N_NOT_FULL; w++)
            mpz_mul_ui(product, product, moduli.m[w]);
        for (uint32_t passed = first; passed > moduli.m[i]; passed--)
            CU_ASSERT(mpz_gcd_ui(NULL, product, passed) != 1);
        if (i < PCI_N_NOT_FULL)
            mpz_mul_ui(product, product, moduli.m[i]);
    }
}

/* The product of the moduli taken for b bits is at least 2^(b+1); of one fewer, it is less. */
TEST("enough moduli and no more are taken")
{
    pci_moduli moduli;
    OWNED(mpz_t) product;
    pci_moduli_fill(&moduli, PCI_ANY_BITS);
    mpz_init(product);
    for (unsigned bits = 1; bits < 93600; bits += bits < 400 ? 1 : bits < 11300 ? 97 : 997) {
        uint32_t r = pci_moduli_for_bits(&moduli, bits);
        CU_ASSERT_FATAL(r >= 1 && r <= PCI_N_MODULI);
        pci_moduli listed; /* as many as these bits and some more need */
        pci_moduli_fill(&listed, bits);
        CU_ASSERT(pci_moduli_for_bits(&listed, bits + 64) ==
                  pci_moduli_for_bits(&moduli, bits + 64));
        product_of(&moduli, r, product);
        CU_ASSERT(mpz_sizeinbase(product, 2) >= bits + 2); /* at least 2^(bits + 1) */
        product_of(&moduli, r - 1, product);
        CU_ASSERT(mpz_sizeinbase(product, 2) <= bits + 2);
    }
    CU_ASSERT(pci_moduli_for_bits(&moduli, pci_moduli_max_bits(&moduli, PCI_N_MODULI) + 1) == 0);
}

/* The list of moduli: coprime, as wide as it says, counted right. */
#include "tests/fixture.h"

#include "src/residues/residues.h"

#include <gmp.h>
#include <math.h>

static void product_of(const pci_moduli *moduli, uint32_t r, mpz_t product)
{
    mpz_set_ui(product, 1);
    for (uint32_t i = 0; i < r; i++)
        mpz_mul_ui(product, product, moduli->m[i]);
}

TEST("moduli are pairwise coprime and carry 11,000 bits")
{
    pci_moduli moduli;
    OWNED(mpz_t) product;
    pci_moduli_fill(&moduli);
    mpz_init_set_ui(product, 1);
    for (uint32_t i = 0; i < PCI_N_MODULI; i++) {
        CU_ASSERT(mpz_gcd_ui(NULL, product, moduli.m[i]) == 1);
        mpz_mul_ui(product, product, moduli.m[i]);
    }
    CU_ASSERT(mpz_sizeinbase(product, 2) > 11000);
}

TEST("moduli lie in their ranges")
{
    pci_moduli moduli;
    pci_moduli_fill(&moduli);
    for (uint32_t i = 0; i < PCI_N_MODULI; i++) {
        bool wide = pci_modulus_is_wide(i);
        CU_ASSERT(moduli.m[i] > (wide ? 1 << 13 : 1) && moduli.m[i] <= (wide ? 1 << 14 : 256));
        CU_ASSERT(pci_modulus_n_digits(i) == (wide ? 3 : 1));
    }
    CU_ASSERT(pci_moduli_n_planes(PCI_N_NARROW) == PCI_N_NARROW);
    CU_ASSERT(pci_moduli_n_planes(PCI_N_NARROW + 2) == PCI_N_NARROW + 6);
}

/* Each number that is left out has a factor in common with one before it, or is no prime. */
TEST("moduli are the greatest that are coprime")
{
    pci_moduli moduli;
    OWNED(mpz_t) product;
    pci_moduli_fill(&moduli);
    mpz_init_set_ui(product, 1);
    for (uint32_t i = 0; i < PCI_N_MODULI; i++) {
        uint32_t first = i == 0 ? 256 : i == PCI_N_NARROW ? (1 << 14) - 1 : moduli.m[i - 1] - 1u;
        if (i == PCI_N_NARROW) /* wide ones are primes */
            mpz_primorial_ui(product, 127);
        for (uint32_t passed = first; passed > moduli.m[i]; passed--)
            CU_ASSERT(mpz_gcd_ui(NULL, product, passed) != 1);
        mpz_mul_ui(product, product, moduli.m[i]);
    }
}

/* The product of the moduli taken for b bits is at least 2^(b+1); of one fewer, it is less. */
TEST("enough moduli and no more are taken")
{
    pci_moduli moduli;
    OWNED(mpz_t) product;
    pci_moduli_fill(&moduli);
    mpz_init(product);
    for (unsigned bits = 1; bits < 11300; bits += bits < 400 ? 1 : 97) {
        uint32_t r = pci_moduli_for_bits(&moduli, bits);
        CU_ASSERT_FATAL(r >= 1 && r <= PCI_N_MODULI);
        product_of(&moduli, r, product);
        CU_ASSERT(mpz_sizeinbase(product, 2) >= bits + 2); /* at least 2^(bits + 1) */
        product_of(&moduli, r - 1, product);
        CU_ASSERT(mpz_sizeinbase(product, 2) <= bits + 2);
    }
    CU_ASSERT(pci_moduli_for_bits(&moduli, pci_moduli_max_bits(&moduli) + 1) == 0);
}

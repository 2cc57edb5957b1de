/* With x known modulo the product M, x + M t is known modulo M p for t = (r - x) / M modulo p. */
#include <gmp.h>

#include "src/recurrence/garner.h"

#include "src/core/number.h"

#include <string.h>

void pci_garner_free(pci_garner *garner)
{
    pci_free(garner->context, garner->value);
    pci_free(garner->context, garner->product);
    garner->value = garner->product = NULL;
}

/* Makes room for one more word, or for those that are expected. */
static pc_status grow(pci_garner *garner)
{
    pc_context *context = garner->context;
    size_t room = garner->room > 0 ? garner->room + garner->room / 4 + 1 : garner->first_room;
    uint64_t *value = pci_alloc_zero(context, garner->n_values + 1, room * sizeof *value);
    uint64_t *product = pci_alloc_zero(context, room, sizeof *product);
    if (!value || !product) {
        pci_free(context, value);
        pci_free(context, product);
        return pci_fail_memory(context, "a recurrence", garner->n_values * room * sizeof *value);
    }
    for (size_t i = 0; i < garner->n_values && garner->n_words > 0; i++)
        memcpy(value + i * room, garner->value + i * garner->room, garner->n_words * sizeof *value);
    if (garner->n_words > 0)
        memcpy(product, garner->product, garner->n_words * sizeof *product);
    pci_garner_free(garner);
    garner->value = value;
    garner->product = product;
    garner->room = room;
    return PC_OK;
}

static uint64_t residue_of(const pci_montgomery *m, const uint64_t *value, size_t n_words)
{
    return n_words > 0 ? pci_montgomery_of(m, mpn_mod_1(value, (mp_size_t)n_words, m->p)) : 0;
}

pc_status pci_garner_add(pci_garner *garner, const pci_montgomery *m, const uint64_t *residues)
{
    size_t n = garner->n_words;
    pc_status status = n == garner->room ? grow(garner) : PC_OK;
    if (status != PC_OK)
        return status;
    if (n == 0)
        garner->product[0] = 1;
    size_t n_product = n > 0 ? n : 1;
    uint64_t inverse = pci_montgomery_invert(m, residue_of(m, garner->product, n_product));
    for (size_t i = 0; i < garner->n_values; i++) {
        uint64_t *value = garner->value + i * garner->room;
        uint64_t rest = pci_montgomery_subtract(m, residues[i], residue_of(m, value, n));
        uint64_t factor = pci_montgomery_to(m, pci_montgomery_multiply(m, rest, inverse));
        if (n == 0)
            value[0] = factor;
        else
            value[n] = mpn_addmul_1(value, garner->product, (mp_size_t)n, factor);
    }
    uint64_t carry = mpn_mul_1(garner->product, garner->product, (mp_size_t)n_product, m->p);
    if (n > 0)
        garner->product[n] = carry;
    garner->n_words = n + 1;
    return PC_OK;
}

uint64_t pci_garner_bits(const pci_garner *garner)
{
    return pci_number_bits(garner->product, garner->n_words);
}

bool pci_garner_signed(const pci_garner *garner, size_t i, uint64_t *magnitude)
{
    const uint64_t *value = garner->value + i * garner->room;
    mp_size_t n = (mp_size_t)garner->n_words;
    if (n == 0)
        return false;
    /* The value is below 0 when what is missing to the product is less. */
    uint64_t missing = 0, borrow = 0;
    bool is_less = false;
    for (mp_size_t w = 0; w < n; w++) { /* missing < value, word by word */
        unsigned __int128 taken = (unsigned __int128)value[w] + borrow;
        missing = garner->product[w] - (uint64_t)taken;
        borrow = taken > garner->product[w];
        is_less = missing < value[w] || (missing == value[w] && is_less);
    }
    if (is_less)
        mpn_sub_n(magnitude, garner->product, value, n);
    else if (magnitude != value)
        memcpy(magnitude, value, (size_t)n * sizeof *magnitude);
    return is_less;
}

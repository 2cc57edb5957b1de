/* Insertion into the list of the largest counts. */
#include "src/rows/pair_list.h"

#include <gmp.h>
#include <string.h>

/* Whether the pair comes before pair i of the list. */
static bool precedes(const pci_pair_list *list, const uint64_t *key, uint64_t from, uint64_t to,
                     uint32_t i)
{
    int order = mpn_cmp(key, pci_pair_list_key(list, i), list->n_limbs);
    if (order != 0)
        return order > 0;
    return from != list->from[i] ? from < list->from[i] : to < list->to[i];
}

static void move_pair(pci_pair_list *list, uint32_t to, uint32_t from)
{
    list->from[to] = list->from[from];
    list->to[to] = list->to[from];
    mpn_copyi(list->keys + (size_t)to * list->n_limbs, pci_pair_list_key(list, from),
              list->n_limbs);
}

void pci_pair_list_offer(pci_pair_list *list, const uint64_t *key, uint64_t from, uint64_t to)
{
    if (mpn_zero_p(key, list->n_limbs))
        return;
    uint32_t i = list->n_pairs;
    if (i == PC_SUMMARY_PAIRS) {
        if (!precedes(list, key, from, to, i - 1))
            return;
        i--;
    } else {
        list->n_pairs++;
    }
    for (; i > 0 && precedes(list, key, from, to, i - 1); i--)
        move_pair(list, i, i - 1);
    list->from[i] = from;
    list->to[i] = to;
    mpn_copyi(list->keys + (size_t)i * list->n_limbs, key, list->n_limbs);
}

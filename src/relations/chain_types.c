/* Types of the positions of a chain: which of them have vertices in common, and the numbers of these. */
#include "src/relations/chain_types.h"

#include <inttypes.h>
#include <string.h>

typedef unsigned __int128 position_set;

/* The labels of all positions together. */
typedef struct all_labels {
    const pc_chain *chain;
    pci_names names;
    position_set *at; /* [names.n]: the positions that have a label */
} all_labels;

/* Sides 2 f and 2 f + 1 are the rows and the columns of factor f. */
static const pci_labels *labels_of(const pc_chain *chain, uint32_t side)
{
    const pc_relation *factor = chain->read[side / 2];
    return side % 2 ? &factor->columns : &factor->rows;
}

static uint32_t position_of(uint32_t side)
{
    return (side + 1) / 2;
}

/* Numbers the labels of a side among all. */
static pc_status number_side(all_labels *all, uint32_t side, uint32_t **number)
{
    pc_context *context = all->chain->context;
    const pci_labels *labels = labels_of(all->chain, side);
    size_t size = pc_labels_longest(labels) + 1;
    char *text = pci_alloc(context, size);
    pc_status status = PC_OK;
    *number = pci_alloc(context, labels->n * sizeof **number + 1);
    if (!text || !*number)
        status = PC_ERR_MEMORY;
    for (uint64_t i = 0; i < labels->n && status == PC_OK; i++) {
        size_t length = pc_labels_text(labels, i, text, size);
        status = pci_names_add(context, &all->names, text, length, &(*number)[i]);
    }
    pci_free(context, text);
    return status == PC_OK
               ? PC_OK
               : pci_fail_memory(context, "matching labels", labels->n * sizeof **number);
}

static pc_status fail_overlap(const all_labels *all, uint32_t p, uint32_t q)
{
    uint64_t i = 0;
    size_t length;
    position_set both = (position_set)1 << p | (position_set)1 << q;
    while ((all->at[i] & both) != both)
        i++;
    const char *text = pci_names_text(&all->names, i, &length);
    return pci_fail(all->chain->context, PC_ERR_DATA,
                    "positions %" PRIu32 " and %" PRIu32 " of the chain, counted from 0, both have "
                    "'%.*s', but not all labels: --types says which positions have the same type, "
                    "as in --types gene,gene,disease",
                    p, q, (int)(length < 200 ? length : 200), text);
}

/* Positions of equal label sets have the same type. */
static pc_status compare_labels(const all_labels *all, pci_chain_types *types)
{
    uint64_t n_both[PCI_MAX_FACTORS + 1][PCI_MAX_FACTORS + 1] = {{0}};
    uint32_t n = all->chain->n_factors + 1;
    for (uint64_t i = 0; i < all->names.n; i++)
        for (uint32_t p = 0; p < n; p++)
            for (uint32_t q = 0; q <= p && all->at[i] >> p & 1; q++)
                n_both[p][q] += all->at[i] >> q & 1;
    for (uint32_t p = 0; p < n; p++) {
        types->type[p] = (uint8_t)types->n_types;
        for (uint32_t q = 0; q < p; q++)
            if (!n_both[p][q])
                continue;
            else if (n_both[p][q] == n_both[p][p] && n_both[p][q] == n_both[q][q])
                types->type[p] = types->type[q];
            else
                return fail_overlap(all, q, p);
        types->n_types += types->type[p] == types->n_types;
    }
    return PC_OK;
}

static pc_status compare_names(const pc_chain *chain, const char *const *names,
                               pci_chain_types *types)
{
    for (uint32_t p = 0; p <= chain->n_factors; p++) {
        if (!names[p])
            return pci_fail(chain->context, PC_ERR_ARGUMENT,
                            "the type of position %" PRIu32 " is NULL", p);
        uint32_t q = 0;
        while (strcmp(names[q], names[p]) != 0)
            q++;
        types->type[p] = q < p ? types->type[q] : (uint8_t)types->n_types++;
    }
    return PC_OK;
}

/* Numbers the labels of each type on its own, as they come. */
static pc_status number_types(const all_labels *all, pci_chain_types *types)
{
    const pc_chain *chain = all->chain;
    size_t bytes = all->names.n * sizeof(uint32_t);
    uint32_t *place = pci_alloc(chain->context, bytes + 1);
    if (!place)
        return pci_fail_memory(chain->context, "matching labels", bytes);
    for (uint32_t t = 0; t < types->n_types; t++) {
        memset(place, 0xFF, bytes); /* PCI_NO_PARTNER */
        for (uint32_t side = 0; side < 2 * chain->n_factors; side++) {
            uint32_t *number = types->number[side];
            bool is_of_type = types->type[position_of(side)] == t;
            for (uint64_t i = 0; is_of_type && i < labels_of(chain, side)->n; i++) {
                if (place[number[i]] == PCI_NO_PARTNER)
                    place[number[i]] = (uint32_t)types->n_of_type[t]++;
                number[i] = place[number[i]];
            }
        }
    }
    pci_free(chain->context, place);
    return PC_OK;
}

pc_status pci_chain_types_create(const pc_chain *chain, bool is_simple, const char *const *names,
                                 pci_chain_types *types)
{
    pc_context *context = chain->context;
    all_labels all = {.chain = chain};
    pc_status status = PC_OK;
    for (uint32_t side = 0; side < 2 * chain->n_factors && status == PC_OK; side++)
        status = number_side(&all, side, &types->number[side]);
    if (status == PC_OK && !(all.at = pci_alloc_zero(context, all.names.n + 1, sizeof *all.at)))
        status = pci_fail_memory(context, "matching labels", all.names.n * sizeof *all.at);
    for (uint32_t side = 0; side < 2 * chain->n_factors && status == PC_OK; side++)
        for (uint64_t i = 0; i < labels_of(chain, side)->n; i++)
            all.at[types->number[side][i]] |= (position_set)1 << position_of(side);
    if (status == PC_OK && is_simple)
        status = names ? compare_names(chain, names, types) : compare_labels(&all, types);
    for (uint32_t p = 0; p <= chain->n_factors && !is_simple; p++)
        types->type[p] = (uint8_t)types->n_types++;
    if (status == PC_OK)
        status = number_types(&all, types);
    pci_names_free(context, &all.names);
    pci_free(context, all.at);
    return status;
}

void pci_chain_types_free(pc_context *context, pci_chain_types *types)
{
    for (uint32_t side = 0; side < 2 * PCI_MAX_FACTORS; side++)
        pci_free(context, types->number[side]);
}

/* Labels of an edge list that are no integers. */
#include "io/edge_list.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

pc_status pci_edge_list_join_names(pc_context *context, pci_names *names, pci_edge_part *part,
                                   pci_names *all)
{
    uint32_t *number_in_all = pci_alloc(context, (names->n + 1) * sizeof *number_in_all);
    pc_status status = number_in_all ? PC_OK : PC_ERR_MEMORY;
    for (uint64_t k = 0; k < names->n && status == PC_OK; k++) {
        size_t length;
        const char *text = pci_names_text(names, k, &length);
        status = pci_names_add(context, all, text, length, &number_in_all[k]);
    }
    if (status == PC_OK) {
        pci_edges edges = {.parts = part, .n_parts = 1};
        pci_edges_renumber(context, &edges, number_in_all);
        pci_names_free(context, names);
    } else {
        status = pci_fail_memory(context, "labels", all->n * sizeof *number_in_all);
    }
    pci_free(context, number_in_all);
    return status;
}

void pci_edge_list_find_twins(const pci_names *all, char note[PCI_TWINS_BYTES])
{
    for (uint64_t i = 0; i < all->n; i++) {
        size_t length;
        uint32_t number;
        uint64_t value;
        const char *text = pci_names_text(all, i, &length);
        if (length < 3 || length > 20 || memcmp(text + length - 2, ".0", 2) != 0 ||
            pci_integer_parse(text, length - 2, &value) != PCI_INTEGER ||
            !pci_names_find(all, text, length - 2, &number))
            continue;
        snprintf(note, PCI_TWINS_BYTES, "labels '%" PRIu64 "' and '%" PRIu64 ".0' are two vertices",
                 value, value);
        return;
    }
}

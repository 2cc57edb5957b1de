/* Arrays that grow by doubling. */
#include "graphs/grow.h"

#include <string.h>

enum { LEAST_BYTES = 4096 };

void *pci_grow(pc_context *context, void *items, uint64_t *capacity, uint64_t n_used,
               uint64_t n_needed, size_t item_bytes)
{
    if (n_needed <= *capacity && items)
        return items;
    uint64_t n_items = *capacity <= UINT64_MAX / 2 ? 2 * *capacity : UINT64_MAX;
    if (n_items < LEAST_BYTES / item_bytes)
        n_items = LEAST_BYTES / item_bytes;
    if (n_items < n_needed)
        n_items = n_needed;
    size_t bytes;
    if (__builtin_mul_overflow(n_items, item_bytes, &bytes))
        return NULL;
    void *larger = pci_alloc(context, bytes);
    if (!larger)
        return NULL;
    if (n_used > 0)
        memcpy(larger, items, n_used * item_bytes);
    pci_free(context, items);
    *capacity = n_items;
    return larger;
}

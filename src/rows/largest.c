/* A binary heap of pairs, the least of them at the root. */
#include <gmp.h>

#include "src/rows/largest.h"

#include <string.h>

static size_t entry_words(const pci_largest *largest)
{
    return (size_t)largest->n_key_words + 2;
}

static uint64_t *entry_at(const pci_largest *largest, uint64_t i)
{
    return largest->entries + i * entry_words(largest);
}

pc_status pci_largest_init(pc_context *context, uint32_t n_key_words, uint64_t n_most,
                           pci_largest *largest)
{
    size_t n_words;
    *largest = (pci_largest){.n_most = n_most, .n_key_words = n_key_words};
    if (__builtin_mul_overflow(n_most + 1, entry_words(largest) * sizeof(uint64_t), &n_words))
        return PC_ERR_MEMORY;
    largest->entries = pci_alloc(context, n_words);
    if (!largest->entries)
        return PC_ERR_MEMORY;
    memset(entry_at(largest, n_most), 0, entry_words(largest) * sizeof(uint64_t));
    return PC_OK;
}

void pci_largest_free(pc_context *context, pci_largest *largest)
{
    pci_free(context, largest->entries);
    *largest = (pci_largest){0};
}

const uint64_t *pci_largest_floor(const pci_largest *largest)
{
    return entry_at(largest, largest->n < largest->n_most ? largest->n_most : 0);
}

/* Tells whether a is listed before b. */
static bool precedes(const pci_largest *largest, const uint64_t *a, const uint64_t *b)
{
    uint32_t n = largest->n_key_words;
    int order = mpn_cmp(a, b, n);
    if (order != 0)
        return order > 0;
    return a[n] != b[n] ? a[n] < b[n] : a[n + 1] < b[n + 1];
}

static void swap_entries(pci_largest *largest, uint64_t i, uint64_t j)
{
    uint64_t *a = entry_at(largest, i), *b = entry_at(largest, j);
    for (size_t w = 0; w < entry_words(largest); w++) {
        uint64_t word = a[w];
        a[w] = b[w];
        b[w] = word;
    }
}

/* Moves entry i down, among the first n, below those that are listed after it. */
static void move_down(pci_largest *largest, uint64_t i, uint64_t n)
{
    for (;;) {
        uint64_t last = i;
        for (uint64_t child = 2 * i + 1; child <= 2 * i + 2 && child < n; child++)
            if (precedes(largest, entry_at(largest, last), entry_at(largest, child)))
                last = child;
        if (last == i)
            return;
        swap_entries(largest, i, last);
        i = last;
    }
}

static void put(pci_largest *largest, uint64_t i, const uint64_t *key, uint64_t from, uint64_t to)
{
    uint64_t *entry = entry_at(largest, i);
    mpn_copyi(entry, key, largest->n_key_words);
    entry[largest->n_key_words] = from;
    entry[largest->n_key_words + 1] = to;
}

void pci_largest_offer(pci_largest *largest, const uint64_t *key, uint64_t from, uint64_t to)
{
    uint32_t n_words = largest->n_key_words;
    if (mpn_zero_p(key, n_words))
        return;
    if (largest->n < largest->n_most) {
        uint64_t i = largest->n++;
        put(largest, i, key, from, to);
        for (uint64_t up = (i - 1) / 2;
             i > 0 && precedes(largest, entry_at(largest, up), entry_at(largest, i));
             i = up, up = (i - 1) / 2)
            swap_entries(largest, i, up);
        return;
    }
    const uint64_t *least = entry_at(largest, 0);
    int order = mpn_cmp(key, least, n_words);
    bool is_before = from != least[n_words] ? from < least[n_words] : to < least[n_words + 1];
    if (order > 0 || (order == 0 && is_before)) {
        put(largest, 0, key, from, to);
        move_down(largest, 0, largest->n);
    }
}

void pci_largest_merge(pci_largest *into, pci_largest *from)
{
    for (uint64_t i = 0; i < from->n; i++) {
        const uint64_t *entry = entry_at(from, i);
        pci_largest_offer(into, entry, entry[from->n_key_words], entry[from->n_key_words + 1]);
    }
    from->n = 0;
}

/* Heap sort puts the first of the order at index 0, which is no heap; turned round, it is one. */
void pci_largest_sort(pci_largest *largest)
{
    for (uint64_t n = largest->n; n > 1; n--) {
        swap_entries(largest, 0, n - 1);
        move_down(largest, 0, n - 1);
    }
    for (uint64_t i = 0; i < largest->n / 2; i++)
        swap_entries(largest, i, largest->n - 1 - i);
}

const uint64_t *pci_largest_get(const pci_largest *largest, uint64_t i)
{
    return entry_at(largest, largest->n - 1 - i);
}

/* Arrays that grow, and arrays that are sorted. */
#include "graphs/sort.h"

#include <stdbool.h>
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

/* ---- Sorting ------------------------------------------------------------------------------------ */

/* Radix sort, least significant digit first, over the bits in which the keys differ; insertion sort for few keys. */

enum { INSERTION_MAX = 48, MANY_ITEMS = 4096, WIDE_DIGIT = 11, NARROW_DIGIT = 8 };

static void sort_by_insertion(pci_sort_items items, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        uint64_t key = items.key[i];
        uint64_t companion = items.companion ? items.companion[i] : 0;
        size_t j = i;
        for (; j > 0 && items.key[j - 1] > key; j--) {
            items.key[j] = items.key[j - 1];
            if (items.companion)
                items.companion[j] = items.companion[j - 1];
        }
        items.key[j] = key;
        if (items.companion)
            items.companion[j] = companion;
    }
}

/* Bits shift .. shift + n_bits - 1 of a key. */
typedef struct digit {
    int shift, n_bits;
} digit;

static size_t digit_of(uint64_t key, digit d)
{
    return key >> d.shift & (((size_t)1 << d.n_bits) - 1);
}

/* The lowest differing bits. A run of them is divided into digits of equal width, as few as
 * possible. The bits taken are cleared; the digit has no bits when none differ. */
static digit take_digit(uint64_t *differing, size_t n)
{
    if (*differing == 0)
        return (digit){0, 0};
    int widest = n < MANY_ITEMS ? NARROW_DIGIT : WIDE_DIGIT, shift = __builtin_ctzll(*differing);
    uint64_t others = ~(*differing >> shift);
    int run = others ? __builtin_ctzll(others) : 64;
    int n_digits = (run + widest - 1) / widest;
    int n_bits = (run + n_digits - 1) / n_digits;
    *differing &= ~((((uint64_t)1 << n_bits) - 1) << shift);
    return (digit){shift, n_bits};
}

/* Moves the items to the places of their digits, and counts the next digit on the way. Callers pass
 * constants for the last two, so that each loop has only what it needs. */
static inline void move_items(pci_sort_items from, pci_sort_items to, size_t n, digit d,
                              size_t *place, digit next, size_t *next_count, bool has_companions,
                              bool has_next)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t key = from.key[i];
        size_t at = place[digit_of(key, d)]++;
        if (has_next)
            next_count[digit_of(key, next)]++;
        to.key[at] = key;
        if (has_companions)
            to.companion[at] = from.companion[i];
    }
}

uint64_t pci_differing_bits(const uint64_t *key, size_t n)
{
    uint64_t differing = 0;
    for (size_t i = 1; i < n; i++)
        differing |= key[i] ^ key[0];
    return differing;
}

void pci_sort(pci_sort_items items, pci_sort_items spare, size_t n, uint64_t differing)
{
    if (n <= INSERTION_MAX) {
        sort_by_insertion(items, n);
        return;
    }
    size_t counts[2][1 << WIDE_DIGIT], *count = counts[0], *next_count = counts[1];
    pci_sort_items from = items, to = spare;
    digit d = take_digit(&differing, n);
    memset(count, 0, sizeof *count << d.n_bits);
    for (size_t i = 0; i < n; i++)
        count[digit_of(items.key[i], d)]++;
    while (d.n_bits > 0) {
        digit next = take_digit(&differing, n);
        for (size_t value = 0, sum = 0; value < (size_t)1 << d.n_bits; value++) {
            size_t n_here = count[value];
            count[value] = sum; /* where its items begin */
            sum += n_here;
        }
        memset(next_count, 0, sizeof *next_count << next.n_bits);
        if (from.companion)
            move_items(from, to, n, d, count, next, next_count, true, true);
        else if (next.n_bits > 0)
            move_items(from, to, n, d, count, next, next_count, false, true);
        else
            move_items(from, to, n, d, count, next, next_count, false, false);
        pci_sort_items swap = from;
        from = to;
        to = swap;
        size_t *counted = next_count;
        next_count = count;
        count = counted;
        d = next;
    }
    if (from.key == items.key)
        return;
    memcpy(items.key, from.key, n * sizeof *items.key);
    if (items.companion)
        memcpy(items.companion, from.companion, n * sizeof *items.companion);
}

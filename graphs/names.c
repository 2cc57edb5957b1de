/* Names: a set of strings in an open-addressing hash table with linear probing. */
#include "graphs/names.h"

#include "graphs/grow.h"

#include <inttypes.h>
#include <string.h>

enum { LEAST_SLOTS = 256 };

static uint32_t hash_text(const char *text, size_t length)
{
    const uint64_t factor = UINT64_C(0x9fb21c651e98df25); /* odd, bits well spread */
    uint64_t hash = length * factor;
    for (size_t at = 0; at < length; at += 8) {
        uint64_t word = 0;
        memcpy(&word, text + at, length - at < 8 ? length - at : 8);
        hash = (hash ^ word) * factor;
        hash ^= hash >> 29;
    }
    return (uint32_t)((hash * factor) >> 32);
}

/* The slot where the search for a hash begins: in proportion to the hash, so that any table size
 * will do. */
static uint64_t first_slot(uint32_t hash, uint64_t n_slots)
{
    return (uint64_t)(((unsigned __int128)hash * n_slots) >> 32);
}

const char *pci_names_text(const pci_names *names, uint64_t number, size_t *length)
{
    *length = names->start[number + 1] - names->start[number];
    return names->text + names->start[number];
}

static bool is_name(const pci_names *names, uint64_t number, const char *text, size_t length)
{
    size_t its_length;
    const char *its_text = pci_names_text(names, number, &its_length);
    return its_length == length && memcmp(its_text, text, length) == 0;
}

/* The slot that holds the name, or the free slot where it belongs. */
static pci_name_slot *find_slot(const pci_names *names, const char *text, size_t length,
                                uint32_t hash)
{
    uint64_t s = first_slot(hash, names->n_slots);
    for (;; s = s + 1 == names->n_slots ? 0 : s + 1) {
        pci_name_slot *slot = &names->slots[s];
        if (slot->number_plus_1 == 0)
            return slot;
        if (slot->hash == hash && is_name(names, slot->number_plus_1 - 1, text, length))
            return slot;
    }
}

/* Moves every name to a table of n_slots slots. */
static bool resize_table(pc_context *context, pci_names *names, uint64_t n_slots)
{
    pci_name_slot *slots = pci_alloc_zero(context, n_slots, sizeof *slots);
    if (!slots)
        return false;
    for (uint64_t old = 0; old < names->n_slots; old++) {
        if (names->slots[old].number_plus_1 == 0)
            continue;
        uint64_t s = first_slot(names->slots[old].hash, n_slots);
        while (slots[s].number_plus_1 != 0)
            s = s + 1 == n_slots ? 0 : s + 1;
        slots[s] = names->slots[old];
    }
    pci_free(context, names->slots);
    names->slots = slots;
    names->n_slots = n_slots;
    return true;
}

/* Room for one more name of this length; at least half of the slots stay free. */
static bool make_room(pc_context *context, pci_names *names, size_t length)
{
    uint64_t text_bytes = names->n ? names->start[names->n] : 0;
    uint64_t *start = pci_grow(context, names->start, &names->start_capacity,
                               names->n ? names->n + 1 : 0, names->n + 2, sizeof *start);
    if (!start)
        return false;
    names->start = start;
    start[0] = 0;
    char *text =
        pci_grow(context, names->text, &names->text_capacity, text_bytes, text_bytes + length, 1);
    if (!text)
        return false;
    names->text = text;
    if (2 * (names->n + 1) <= names->n_slots)
        return true;
    return resize_table(context, names, names->n_slots ? 2 * names->n_slots : LEAST_SLOTS);
}

pc_status pci_names_add(pc_context *context, pci_names *names, const char *text, size_t length,
                        uint32_t *number)
{
    uint32_t hash = hash_text(text, length);
    if (names->n_slots > 0) {
        const pci_name_slot *slot = find_slot(names, text, length, hash);
        if (slot->number_plus_1 > 0) {
            *number = slot->number_plus_1 - 1;
            return PC_OK;
        }
    }
    if (names->n == UINT32_MAX)
        return PC_ERR_RANGE;
    if (!make_room(context, names, length))
        return PC_ERR_MEMORY;
    *number = (uint32_t)names->n;
    *find_slot(names, text, length, hash) = (pci_name_slot){hash, *number + 1};
    memcpy(names->text + names->start[names->n], text, length);
    names->start[names->n + 1] = names->start[names->n] + length;
    names->n++;
    return PC_OK;
}

pc_status pci_names_from_texts(pc_context *context, const char *singular, const char *plural,
                               uint64_t n, const char *const *texts, pci_names *names)
{
    pci_names made = {0};
    pc_status status = PC_OK;
    for (uint64_t i = 0; i < n && status == PC_OK; i++) {
        uint32_t number;
        if (!texts[i])
            status = pci_fail(context, PC_ERR_ARGUMENT, "the label of %s %" PRIu64 " is NULL",
                              singular, i);
        else if (pci_names_add(context, &made, texts[i], strlen(texts[i]), &number))
            status = pci_fail_memory(context, "labels", n * sizeof number);
        else if (number != i)
            status = pci_fail(context, PC_ERR_ARGUMENT,
                              "%s %" PRIu32 " and %" PRIu64 " have the same label '%.80s'", plural,
                              number, i, texts[i]);
    }
    if (status)
        pci_names_free(context, &made);
    else
        *names = made;
    return status;
}

bool pci_names_find(const pci_names *names, const char *text, size_t length, uint32_t *number)
{
    if (names->n == 0)
        return false;
    const pci_name_slot *slot = find_slot(names, text, length, hash_text(text, length));
    if (slot->number_plus_1 == 0)
        return false;
    *number = slot->number_plus_1 - 1;
    return true;
}

void pci_names_free(pc_context *context, pci_names *names)
{
    pci_free(context, names->slots);
    pci_free(context, names->start);
    pci_free(context, names->text);
    *names = (pci_names){0};
}

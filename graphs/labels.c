/* Names in an open-addressing hash table with linear probing; labels: a range, ascending integers, or names. */
#include "graphs/labels.h"

#include "graphs/sort.h"
#include "src/core/checksum.h"
#include "src/core/number.h"

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

/* The slot that holds the name, or the free slot where it belongs. */
static pci_name_slot *find_slot(const pci_names *names, const char *text, size_t length,
                                uint32_t hash)
{
    for (uint64_t s = first_slot(hash, names->n_slots);; s = s + 1 == names->n_slots ? 0 : s + 1) {
        pci_name_slot *slot = &names->slots[s];
        if (slot->number_plus_1 == 0)
            return slot;
        if (slot->hash != hash)
            continue;
        size_t its_length;
        const char *its_text = pci_names_text(names, slot->number_plus_1 - 1, &its_length);
        if (its_length == length && memcmp(its_text, text, length) == 0)
            return slot;
    }
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
    uint64_t n_slots = names->n_slots ? 2 * names->n_slots : LEAST_SLOTS;
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

/* ---- Labels ------------------------------------------------------------------------------------- */

enum { MAX_DIGITS = 20 }; /* of an integer below 2^64 */

pci_integer pci_integer_parse(const char *text, size_t length, uint64_t *value)
{
    if (length == 0 || (text[0] == '0' && length > 1))
        return PCI_NOT_INTEGER;
    uint64_t number = 0, before = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned digit = (unsigned char)text[i] - (unsigned)'0';
        if (digit > 9)
            return PCI_NOT_INTEGER;
        before = number;
        number = 10 * number + digit;
    }
    /* Only the last of MAX_DIGITS digits can pass 2^64-1. */
    if (length > MAX_DIGITS ||
        (length == MAX_DIGITS && (before > UINT64_MAX / 10 || number < before)))
        return PCI_INTEGER_TOO_BIG;
    *value = number;
    return PCI_INTEGER;
}

pc_status pci_check_n_vertices(pc_context *context, uint64_t n_vertices)
{
    if (n_vertices > PCI_MAX_GRAPH_VERTICES)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "%" PRIu64 " vertices: at most %" PRIu64 " are possible", n_vertices,
                        PCI_MAX_GRAPH_VERTICES);
    double needed = 8.0 * (double)n_vertices;
    if (pci_memory_has(context, needed))
        return PC_OK;
    return pci_fail(context, PC_ERR_MEMORY,
                    "%" PRIu64 " vertices need at least %.3g GB of memory and there are %.3g GB",
                    n_vertices, needed / 1e9, (double)pci_memory_available(context) / 1e9);
}

uint64_t pci_labels_checksum(const pci_labels *labels)
{
    const pci_names *names = &labels->names;
    uint64_t sum = pci_checksum(&labels->first, sizeof labels->first, labels->n + labels->kind);
    if (labels->integers)
        sum = pci_checksum(labels->integers, labels->n * sizeof *labels->integers, sum);
    if (names->n == 0)
        return sum;
    sum = pci_checksum(names->start, (names->n + 1) * sizeof *names->start, sum);
    return pci_checksum(names->text, names->start[names->n], sum);
}

pci_labels pci_labels_range(uint64_t first, uint64_t n)
{
    return (pci_labels){.kind = PCI_LABELS_RANGE, .n = n, .first = first};
}

void pci_labels_from_integers(pc_context *context, uint64_t *integers, uint64_t n,
                              pci_labels *labels)
{
    if (n == 0 || integers[n - 1] - integers[0] == n - 1) {
        *labels = pci_labels_range(n ? integers[0] : 0, n);
        pci_free(context, integers);
        return;
    }
    *labels = (pci_labels){.kind = PCI_LABELS_INTEGERS, .n = n, .integers = integers};
}

/* Numbers the vertices of sorted integers, with 0..n_vertices-1 before them. All of those integers
 * become labels. */
static pc_status join_with_range(pc_context *context, pci_sort_items sorted, uint64_t n,
                                 uint64_t n_vertices, pci_labels *labels, uint32_t *vertex_of_name)
{
    uint64_t n_below = 0;
    while (n_below < n && sorted.key[n_below] < n_vertices)
        n_below++;
    uint64_t n_all = n_vertices + (n - n_below);
    pc_status status = pci_check_n_vertices(context, n_all);
    if (status)
        return status;
    uint64_t *integers = pci_alloc(context, n_all * sizeof *integers);
    if (!integers)
        return pci_fail_memory(context, "labels", n_all * sizeof *integers);
    for (uint64_t v = 0; v < n_vertices; v++)
        integers[v] = v;
    memcpy(integers + n_vertices, sorted.key + n_below, (n - n_below) * sizeof *integers);
    for (uint64_t i = 0; i < n; i++)
        vertex_of_name[sorted.companion[i]] =
            (uint32_t)(i < n_below ? sorted.key[i] : n_vertices + (i - n_below));
    pci_labels_from_integers(context, integers, n_all, labels);
    return PC_OK;
}

pc_status pci_labels_from_names(pc_context *context, pci_names *names, uint64_t n_vertices,
                                pci_labels *labels, uint32_t **vertex_of_name)
{
    const uint64_t n = names->n;
    pc_status status = PC_OK;
    size_t bytes = (n + 1) * sizeof(uint64_t), length; /* of an array; n may be 0 */
    pci_sort_items items = {pci_alloc(context, bytes), pci_alloc(context, bytes)};
    pci_sort_items spare = {NULL, NULL};
    uint32_t *vertex_of = NULL;
    if (!items.key || !items.companion) {
        status = pci_fail_memory(context, "labels", bytes);
        goto done;
    }
    for (uint64_t i = 0; i < n; i++) {
        const char *text = pci_names_text(names, i, &length);
        items.companion[i] = i;
        if (pci_integer_parse(text, length, &items.key[i]) == PCI_INTEGER)
            continue;
        if (n_vertices > 0) {
            status = pci_fail(context, PC_ERR_ARGUMENT,
                              "a number of vertices needs integer labels, and there is '%.*s'",
                              length < 40 ? (int)length : 40, text);
            goto done;
        }
        *labels = (pci_labels){.kind = PCI_LABELS_TEXT, .n = n, .names = *names};
        *names = (pci_names){0};
        *vertex_of_name = NULL;
        goto done;
    }
    spare = (pci_sort_items){pci_alloc(context, bytes), pci_alloc(context, bytes)};
    vertex_of = pci_alloc(context, bytes / 2);
    if (!vertex_of || !spare.key || !spare.companion) {
        status = pci_fail_memory(context, "labels", bytes);
        goto done;
    }
    pci_sort(items, spare, n, pci_differing_bits(items.key, n));
    status = join_with_range(context, items, n, n_vertices, labels, vertex_of);
    if (status == PC_OK) {
        *vertex_of_name = vertex_of;
        vertex_of = NULL;
    }
done:
    pci_free(context, vertex_of);
    pci_free(context, items.key);
    pci_free(context, items.companion);
    pci_free(context, spare.key);
    pci_free(context, spare.companion);
    pci_names_free(context, names);
    return status;
}

pc_status pci_labels_from_texts(pc_context *context, const char *singular, const char *plural,
                                uint64_t n, const char *const *texts, pci_labels *labels)
{
    pci_labels made = pci_labels_range(0, n);
    pc_status status = PC_OK;
    if (texts) {
        made = (pci_labels){.kind = PCI_LABELS_TEXT, .n = n};
        status = pci_names_from_texts(context, singular, plural, n, texts, &made.names);
    }
    if (status == PC_OK)
        *labels = made;
    return status;
}

void pci_labels_free(pc_context *context, pci_labels *labels)
{
    pci_free(context, labels->integers);
    pci_names_free(context, &labels->names);
    *labels = (pci_labels){0};
}

uint64_t pc_labels_count(const pc_labels *labels)
{
    return labels ? labels->n : 0;
}

static uint64_t integer_of(const pci_labels *labels, uint64_t vertex)
{
    return labels->kind == PCI_LABELS_RANGE ? labels->first + vertex : labels->integers[vertex];
}

/* The text of a label, not NUL-terminated; an integer is written to digits. */
static const char *view(const pci_labels *labels, uint64_t i, char digits[PCI_U64_TEXT_BYTES],
                        size_t *length)
{
    if (labels->kind == PCI_LABELS_TEXT)
        return pci_names_text(&labels->names, i, length);
    *length = pci_number_u64_text(integer_of(labels, i), digits);
    return digits;
}

size_t pc_labels_text(const pci_labels *labels, uint64_t vertex, char *buffer, size_t size)
{
    char digits[PCI_U64_TEXT_BYTES];
    size_t length = 0, n_copied;
    const char *text = digits;
    if (labels && vertex < labels->n) /* a number needs no copy where there is room */
        text = view(labels, vertex, buffer && size > sizeof digits ? buffer : digits, &length);
    if (!buffer || size == 0)
        return length;
    n_copied = length < size ? length : size - 1;
    if (text != buffer)
        memcpy(buffer, text, n_copied);
    buffer[n_copied] = 0;
    return length;
}

/* Integers are in ascending order. */
size_t pc_labels_longest(const pci_labels *labels)
{
    uint64_t n = pc_labels_count(labels);
    size_t longest = 0;
    for (uint64_t i = n && labels->kind != PCI_LABELS_TEXT ? n - 1 : 0; i < n; i++) {
        size_t length = pc_labels_text(labels, i, NULL, 0);
        longest = length > longest ? length : longest;
    }
    return longest;
}

bool pci_labels_find(const pci_labels *labels, const char *text, size_t length, uint64_t *vertex)
{
    uint64_t id, found = 0, high = labels->n;
    uint32_t number;
    if (labels->kind == PCI_LABELS_TEXT) {
        if (!pci_names_find(&labels->names, text, length, &number))
            return false;
        *vertex = number;
        return true;
    }
    if (pci_integer_parse(text, length, &id) != PCI_INTEGER)
        return false;
    if (labels->kind == PCI_LABELS_RANGE)
        found = id - labels->first; /* 2^64 is added when id is below first */
    while (labels->kind == PCI_LABELS_INTEGERS && found < high) {
        uint64_t middle = found + (high - found) / 2;
        if (labels->integers[middle] < id)
            found = middle + 1;
        else
            high = middle;
    }
    if (found >= labels->n || integer_of(labels, found) != id)
        return false;
    *vertex = found;
    return true;
}

/* ---- Two sets of labels ---------------------------------------------------------------------- */

bool pci_labels_equal(const pci_labels *a, const pci_labels *b)
{
    bool are_ranges = a->kind == PCI_LABELS_RANGE && b->kind == PCI_LABELS_RANGE;
    if (a->n != b->n || are_ranges)
        return a->n == b->n && (a->n == 0 || a->first == b->first);
    bool are_equal = true;
    for (uint64_t i = 0; i < a->n && are_equal; i++) {
        char in_a[PCI_U64_TEXT_BYTES], in_b[PCI_U64_TEXT_BYTES];
        size_t length_a, length_b;
        const char *text_a = view(a, i, in_a, &length_a), *text_b = view(b, i, in_b, &length_b);
        are_equal = length_a == length_b && memcmp(text_a, text_b, length_a) == 0;
    }
    return are_equal;
}

void pci_labels_match(const pci_labels *from, const pci_labels *to, uint32_t *partner)
{
    for (uint64_t i = 0; i < from->n; i++) {
        char digits[PCI_U64_TEXT_BYTES];
        size_t length;
        uint64_t found = PCI_NO_PARTNER;
        const char *text = view(from, i, digits, &length);
        pci_labels_find(to, text, length, &found);
        partner[i] = (uint32_t)found;
    }
}

pc_status pci_labels_select(pc_context *context, const pci_labels *labels,
                            const unsigned char *keep, pci_labels *selected)
{
    const bool are_names = labels->kind == PCI_LABELS_TEXT;
    pci_names names = {0};
    uint64_t n = 0, *integers = NULL;
    if (labels->kind == PCI_LABELS_RANGE && !keep) {
        *selected = *labels;
        return PC_OK;
    }
    bool has_memory =
        are_names || (integers = pci_alloc(context, (labels->n + 1) * sizeof *integers));
    for (uint64_t i = 0; i < labels->n && has_memory; i++) {
        size_t length;
        uint32_t number;
        if (keep && !keep[i])
            continue;
        if (!are_names) {
            integers[n++] = integer_of(labels, i);
            continue;
        }
        const char *text = pci_names_text(&labels->names, i, &length);
        has_memory = pci_names_add(context, &names, text, length, &number) == PC_OK;
    }
    if (!has_memory) {
        pci_names_free(context, &names);
        return pci_fail_memory(context, "labels", labels->n * sizeof *integers);
    }
    if (are_names)
        *selected = (pci_labels){.kind = PCI_LABELS_TEXT, .n = names.n, .names = names};
    else
        pci_labels_from_integers(context, integers, n, selected);
    return PC_OK;
}

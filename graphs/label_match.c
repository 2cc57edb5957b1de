/* Labels copied, compared and matched. */
#include "graphs/label_match.h"

#include <string.h>

enum { INTEGER_BYTES = 24 }; /* text of an integer below 2^64 with its NUL, and some to spare */

/* The text of a label, not NUL-terminated; buffer is where integers are written. */
static const char *view(const pci_labels *labels, uint64_t i, char buffer[INTEGER_BYTES],
                        size_t *length)
{
    if (labels->kind == PCI_LABELS_TEXT)
        return pci_names_text(&labels->names, i, length);
    *length = pc_labels_text(labels, i, buffer, INTEGER_BYTES);
    return buffer;
}

static uint64_t integer_of(const pci_labels *labels, uint64_t i)
{
    return labels->kind == PCI_LABELS_RANGE ? labels->first + i : labels->integers[i];
}

static pc_status select_integers(pc_context *context, const pci_labels *labels,
                                 const unsigned char *keep, pci_labels *selected)
{
    uint64_t n = 0, *integers = pci_alloc(context, (labels->n + 1) * sizeof *integers);
    if (!integers)
        return pci_fail_memory(context, "labels", labels->n * sizeof *integers);
    for (uint64_t i = 0; i < labels->n; i++)
        if (!keep || keep[i])
            integers[n++] = integer_of(labels, i);
    pci_labels_from_integers(context, integers, n, selected);
    return PC_OK;
}

static pc_status select_names(pc_context *context, const pci_labels *labels,
                              const unsigned char *keep, pci_labels *selected)
{
    pci_labels made = {.kind = PCI_LABELS_TEXT};
    for (uint64_t i = 0; i < labels->n; i++) {
        size_t length;
        uint32_t number;
        const char *text = pci_names_text(&labels->names, i, &length);
        if ((!keep || keep[i]) && pci_names_add(context, &made.names, text, length, &number)) {
            pci_labels_free(context, &made);
            return pci_fail_memory(context, "labels", labels->n * sizeof number);
        }
    }
    made.n = made.names.n;
    *selected = made;
    return PC_OK;
}

pc_status pci_labels_select(pc_context *context, const pci_labels *labels,
                            const unsigned char *keep, pci_labels *selected)
{
    if (labels->kind == PCI_LABELS_TEXT)
        return select_names(context, labels, keep, selected);
    if (labels->kind == PCI_LABELS_INTEGERS || keep)
        return select_integers(context, labels, keep, selected);
    *selected = *labels;
    return PC_OK;
}

static bool same_text(const pci_labels *a, const pci_labels *b, uint64_t i)
{
    char in_a[INTEGER_BYTES], in_b[INTEGER_BYTES];
    size_t length_a, length_b;
    const char *text_a = view(a, i, in_a, &length_a), *text_b = view(b, i, in_b, &length_b);
    return length_a == length_b && memcmp(text_a, text_b, length_a) == 0;
}

bool pci_labels_equal(const pci_labels *a, const pci_labels *b)
{
    bool are_ranges = a->kind == PCI_LABELS_RANGE && b->kind == PCI_LABELS_RANGE;
    if (a->n != b->n || are_ranges)
        return a->n == b->n && (a->n == 0 || a->first == b->first);
    uint64_t i = 0;
    while (i < a->n && same_text(a, b, i))
        i++;
    return i == a->n;
}

void pci_labels_match(const pci_labels *from, const pci_labels *to, uint32_t *partner)
{
    for (uint64_t i = 0; i < from->n; i++) {
        char buffer[INTEGER_BYTES];
        size_t length;
        uint64_t found;
        const char *text = view(from, i, buffer, &length);
        partner[i] = PCI_NO_PARTNER;
        if (to->kind == PCI_LABELS_TEXT) {
            pci_names_find(&to->names, text, length, &partner[i]);
        } else if (length < INTEGER_BYTES) {
            memmove(buffer, text, length);
            buffer[length] = 0;
            if (pci_labels_find(to, buffer, &found))
                partner[i] = (uint32_t)found;
        }
    }
}

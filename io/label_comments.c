/* Reading label comments. */
#include "io/label_comments.h"

#include "graphs/labels.h"
#include "io/labels_file.h"
#include "io/text.h"
#include "src/core/number.h"

#include <string.h>

static const char BEFORE[] = "% label ";

/* The text behind "% label I ", where I is the number of the next vertex; NULL: this is no such line. */
static const char *find_label(uint64_t next, const char *line, const char *end)
{
    char index[PCI_U64_TEXT_BYTES];
    size_t n_index = pci_number_u64_text(next, index), n_before = sizeof BEFORE - 1;
    bool is_label = pci_begins_with(line, end, BEFORE) &&
                    (size_t)(end - line) > n_before + n_index + 1 &&
                    memcmp(line + n_before, index, n_index) == 0 && line[n_before + n_index] == ' ';
    return is_label ? line + n_before + n_index + 1 : NULL;
}

pc_status pci_label_comments_take(pc_context *context, pci_label_comments *comments,
                                  const char *line, const char *end)
{
    pci_names *names = &comments->names;
    const char *label = find_label(names->n + 1, line, end);
    uint32_t number;
    uint64_t value;
    if (!label) {
        comments->is_broken |= names->n > 0;
        return PC_OK;
    }
    size_t length = (size_t)(end - label);
    char *text = pci_alloc(context, length);
    if (!text)
        return pci_fail_memory(context, "labels", length);
    memcpy(text, label, length);
    bool is_good = pci_label_unescape(text, &length) &&
                   pci_integer_parse(text, length, &value) != PCI_INTEGER_TOO_BIG;
    uint64_t n = names->n;
    pc_status status = is_good ? pci_names_add(context, names, text, length, &number) : PC_OK;
    comments->is_broken |= !is_good || status == PC_ERR_RANGE || names->n == n;
    pci_free(context, text);
    return status == PC_ERR_MEMORY ? pci_fail_memory(context, "labels", length) : PC_OK;
}

bool pci_label_comments_are_whole(const pci_label_comments *comments, uint64_t n)
{
    return !comments->is_broken && n > 0 && comments->names.n == n;
}

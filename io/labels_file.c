/* Labels in lines of text, written and read. */
#include "io/output.h"

#include "io/input.h"
#include "io/text.h"
#include "src/core/number.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

static const char SPECIAL[] = "\t\n\r\\", LETTERS[] = "tnr\\";

size_t pci_escape_tsv(const char *label, size_t length, char *text)
{
    size_t used = 0;
    for (size_t i = 0; i < length; i++) {
        const char *found = memchr(SPECIAL, label[i], sizeof SPECIAL - 1);
        if (found)
            text[used++] = '\\';
        text[used++] = found ? LETTERS[found - SPECIAL] : label[i];
    }
    return used;
}

/* Replaces \t, \n, \r and \\ by the characters that they stand for, in place; false when
 * something else is escaped. */
static bool unescape(char *text, size_t *length)
{
    size_t n = 0;
    for (size_t i = 0; i < *length; i++) {
        char c = text[i];
        if (c == '\\') {
            const char *found = i + 1 < *length ? memchr(LETTERS, text[++i], 4) : NULL;
            if (!found)
                return false;
            c = SPECIAL[found - LETTERS];
        }
        text[n++] = c;
    }
    *length = n;
    return true;
}

/* Returns the reason why no vertex can have the label; NULL: one can. */
static const char *find_fault(const char *label, size_t length)
{
    uint64_t value;
    if (memchr(label, 0, length))
        return "has a NUL byte";
    if (pci_integer_parse(label, length, &value) == PCI_INTEGER_TOO_BIG)
        return "is an integer beyond 2^64-1";
    return NULL;
}

char *pci_labels_path(pc_context *context, const char *path)
{
    size_t n_bytes = strlen(path);
    char *joined = pci_alloc(context, n_bytes + sizeof PC_LABELS_ENDING);
    if (!joined) {
        pci_fail_memory(context, "labels", n_bytes);
        return NULL;
    }
    memcpy(joined, path, n_bytes);
    memcpy(joined + n_bytes, PC_LABELS_ENDING, sizeof PC_LABELS_ENDING);
    return joined;
}

/* ---- Writing --------------------------------------------------------------------------------- */

void pci_labels_put(pci_file *file, const pci_labels *labels, const char *before)
{
    size_t room = pc_labels_longest(labels) + 1;
    char *label = pci_alloc(file->context, 3 * room), *escaped = label + room;
    if (!label)
        file->status = pci_fail_memory(file->context, "labels", 3 * room);
    for (uint64_t i = 0; i < labels->n && file->status == PC_OK; i++) {
        size_t length = pc_labels_text(labels, i, label, room);
        length = pci_escape_tsv(label, length, escaped);
        escaped[length++] = '\n';
        if (before) {
            pci_file_put_text(file, before);
            pci_file_put(file, " ", 1);
            pci_file_put_number(file, i + 1);
            pci_file_put(file, " ", 1);
        }
        pci_file_put(file, escaped, length);
        pci_file_advance(file);
    }
    pci_free(file->context, label);
}

pc_status pci_labels_file_write(pc_context *context, const char *path, const pci_labels *labels,
                                pci_file *file)
{
    pci_labels implied = pci_labels_range(0, labels->n);
    if (pci_labels_equal(labels, &implied) && access(path, F_OK) != 0)
        return PC_OK;
    for (uint64_t v = 0; v < labels->n && labels->kind == PCI_LABELS_TEXT; v++) {
        size_t length;
        const char *label = pci_names_text(&labels->names, v, &length);
        const char *fault = find_fault(label, length); /* it would not be read back */
        if (fault)
            return pci_fail(context, PC_ERR_DATA,
                            "labels cannot be written: label number %" PRIu64 " %s", v + 1, fault);
    }
    pc_status status = pci_file_open(context, path, PCI_PACK_NONE, file);
    if (status != PC_OK)
        return status;
    pci_labels_put(file, labels, NULL);
    return pci_file_flush(file);
}

/* ---- Reading a file -------------------------------------------------------------------------- */

typedef struct reader {
    pci_input input;
    pci_names names;
    uint64_t *integers; /* of labels that are ascending integers so far; NULL: they are not */
} reader;

/* Adds the label of each line, which is changed in place. */
static pc_status take_lines(reader *r, uint64_t n)
{
    pc_context *context = r->input.context;
    const char *at = r->input.text, *end = at + r->input.n_bytes, *begin, *line_end;
    uint64_t n_lines = pci_count_line_ends(at, end) + (at < end && end[-1] != '\n'), value;
    if (n_lines != n)
        return pci_input_fail_at(&r->input, r->input.n_all,
                                 "%" PRIu64 " labels, and the graph has %" PRIu64
                                 " vertices: remove the file if it does not belong to the graph",
                                 n_lines, n);
    r->integers = pci_alloc(context, n * sizeof *r->integers);
    if (!r->integers)
        return pci_fail_memory(context, "labels", n * sizeof *r->integers);
    for (uint64_t i = 0; pci_next_line(&at, end, &begin, &line_end); i++) {
        char *line = r->input.memory + (begin - r->input.text);
        size_t length = (size_t)(line_end - begin);
        uint32_t added = (uint32_t)i;
        length -= length > 0 && line[length - 1] == '\r';
        const char *fault = unescape(line, &length)
                                ? find_fault(line, length)
                                : "has a backslash before another letter than t, n, r or \\";
        if (!fault && pci_names_add(context, &r->names, line, length, &added))
            return pci_fail_memory(context, "labels", length);
        if (fault || added != i)
            return pci_input_fail(&r->input, begin, "the label %s",
                                  fault ? fault : "is there twice");
        if (r->integers && pci_integer_parse(line, length, &value) == PCI_INTEGER &&
            (i == 0 || value > r->integers[i - 1])) {
            r->integers[i] = value;
        } else { /* the labels are texts */
            pci_free(context, r->integers);
            r->integers = NULL;
        }
    }
    return PC_OK;
}

pc_status pci_labels_file_read(pc_context *context, const char *graph_path, uint64_t n,
                               pci_labels *labels)
{
    reader r = {0};
    char *path = pci_labels_path(context, graph_path);
    if (!path)
        return PC_ERR_MEMORY;
    pc_status status = PC_OK;
    if (access(path, F_OK) != 0) {
        *labels = pci_labels_range(0, n);
        goto done;
    }
    if ((status = pci_input_open(context, path, &r.input)) != PC_OK)
        goto done;
    r.input.any_bytes = true; /* messages about NUL bytes name their line */
    status = pci_input_load(&r.input);
    if (status == PC_OK)
        status = take_lines(&r, n);
    if (status == PC_OK && r.integers) {
        pci_labels_from_integers(context, r.integers, n, labels);
        r.integers = NULL;
    } else if (status == PC_OK) {
        *labels = (pci_labels){.kind = PCI_LABELS_TEXT, .n = n, .names = r.names};
        r.names = (pci_names){0};
    }
    pci_free(context, r.integers);
    pci_names_free(context, &r.names);
    pci_input_close(&r.input);
done:
    pci_free(context, path);
    return status;
}

/* ---- Reading comments ------------------------------------------------------------------------ */

pc_status pci_label_comments_take(pc_context *context, pci_label_comments *comments,
                                  const char *line, const char *end)
{
    pci_names *names = &comments->names;
    uint32_t number;
    uint64_t value, n = names->n;
    char before[16 + PCI_U64_TEXT_BYTES] = "% label ";
    size_t n_before = strlen(before);
    n_before += pci_number_u64_text(n + 1, before + n_before);
    before[n_before++] = ' ';
    if ((size_t)(end - line) <= n_before || memcmp(line, before, n_before) != 0) {
        comments->is_broken |= n > 0;
        return PC_OK;
    }
    size_t length = (size_t)(end - line) - n_before;
    char *text = pci_alloc(context, length);
    if (!text)
        return pci_fail_memory(context, "labels", length);
    memcpy(text, line + n_before, length);
    bool is_good =
        unescape(text, &length) && pci_integer_parse(text, length, &value) != PCI_INTEGER_TOO_BIG;
    pc_status status = is_good ? pci_names_add(context, names, text, length, &number) : PC_OK;
    comments->is_broken |= !is_good || status == PC_ERR_RANGE || names->n == n;
    pci_free(context, text);
    return status == PC_ERR_MEMORY ? pci_fail_memory(context, "labels", length) : PC_OK;
}

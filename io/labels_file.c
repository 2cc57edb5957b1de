/* Reading and writing files of labels. */
#include "io/labels_file.h"

#include "io/input.h"
#include "io/text.h"
#include "io/writer.h"
#include "src/core/number.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

enum { PIECE_BYTES = 1 << 20 };

bool pci_label_unescape(char *text, size_t *length)
{
    size_t n = 0;
    for (size_t i = 0; i < *length; i++) {
        char c = text[i];
        if (c == '\\') {
            const char letters[] = "tnr\\", meant[] = "\t\n\r\\";
            const char *found = i + 1 < *length ? memchr(letters, text[++i], 4) : NULL;
            if (!found)
                return false;
            c = meant[found - letters];
        }
        text[n++] = c;
    }
    *length = n;
    return true;
}

/* What makes a label impossible; NULL: nothing. */
static const char *find_fault(const char *label, size_t length)
{
    uint64_t value;
    if (memchr(label, 0, length))
        return "has a NUL byte";
    if (pci_integer_parse(label, length, &value) == PCI_INTEGER_TOO_BIG)
        return "is an integer beyond 2^64-1";
    return NULL;
}

/* The name of the file, to be freed by pci_free; NULL: no memory. */
static char *join_path(pc_context *context, const char *graph_path)
{
    size_t n_bytes = strlen(graph_path);
    char *path = pci_alloc(context, n_bytes + sizeof PC_LABELS_ENDING);
    if (!path) {
        pci_fail_memory(context, "labels", n_bytes);
        return NULL;
    }
    memcpy(path, graph_path, n_bytes);
    memcpy(path + n_bytes, PC_LABELS_ENDING, sizeof PC_LABELS_ENDING);
    return path;
}

/* ---- Reading --------------------------------------------------------------------------------- */

typedef struct reader {
    pci_input input;
    pci_names names;
    uint64_t *integers; /* of labels that are ascending integers so far; NULL: they are not */
} reader;

static pc_status fail_label(const reader *r, const char *line, const char *fault)
{
    return pci_input_fail(&r->input, line, "the label %s", fault);
}

/* Notes a label that goes on a list of ascending integers; else there is no such list. */
static void note_integer(reader *r, uint64_t number, const char *text, size_t length)
{
    uint64_t value;
    bool is_next = r->integers && pci_integer_parse(text, length, &value) == PCI_INTEGER &&
                   (number == 0 || value > r->integers[number - 1]);
    if (is_next) {
        r->integers[number] = value;
    } else {
        pci_free(r->input.context, r->integers);
        r->integers = NULL;
    }
}

/* Adds the label of a line, which is changed in place. */
static pc_status take_line(reader *r, uint64_t number, char *line, size_t length)
{
    uint32_t added;
    length -= length > 0 && line[length - 1] == '\r';
    if (!pci_label_unescape(line, &length))
        return fail_label(r, line, "has a backslash before another letter than t, n, r or \\");
    const char *fault = find_fault(line, length);
    if (fault)
        return fail_label(r, line, fault);
    note_integer(r, number, line, length);
    pc_status status = pci_names_add(r->input.context, &r->names, line, length, &added);
    if (status)
        return pci_fail_memory(r->input.context, "labels", length);
    return added == number ? PC_OK : fail_label(r, line, "is there twice");
}

static pc_status take_lines(reader *r, uint64_t n)
{
    const char *at = r->input.text, *end = at + r->input.n_bytes, *line, *line_end;
    uint64_t n_lines = pci_count_line_ends(at, end) + (at < end && end[-1] != '\n');
    if (n_lines != n)
        return pci_input_fail_at(&r->input, r->input.n_all,
                                 "%" PRIu64 " labels, and the graph has %" PRIu64
                                 " vertices: remove the file if it does not belong to the graph",
                                 n_lines, n);
    r->integers = pci_alloc(r->input.context, n * sizeof *r->integers);
    if (!r->integers)
        return pci_fail_memory(r->input.context, "labels", n * sizeof *r->integers);
    for (uint64_t i = 0; pci_next_line(&at, end, &line, &line_end); i++) {
        pc_status status =
            take_line(r, i, r->input.memory + (line - r->input.text), (size_t)(line_end - line));
        if (status)
            return status;
    }
    return PC_OK;
}

static void move_labels(reader *r, uint64_t n, pci_labels *labels)
{
    if (r->integers) {
        pci_labels_from_integers(r->input.context, r->integers, n, labels);
    } else {
        *labels = (pci_labels){.kind = PCI_LABELS_TEXT, .n = n, .names = r->names};
        r->names = (pci_names){0};
    }
    r->integers = NULL;
}

static pc_status read_file(pc_context *context, const char *path, uint64_t n, pci_labels *labels)
{
    reader r = {0};
    pc_status status = pci_input_open(context, path, &r.input);
    if (status)
        return status;
    r.input.any_bytes = true; /* NUL bytes are told of with their line */
    status = pci_input_load(&r.input);
    if (status == PC_OK)
        status = take_lines(&r, n);
    if (status == PC_OK)
        move_labels(&r, n, labels);
    pci_free(context, r.integers);
    pci_names_free(context, &r.names);
    pci_input_close(&r.input);
    return status;
}

pc_status pci_labels_file_read(pc_context *context, const char *graph_path, uint64_t n,
                               pci_labels *labels)
{
    char *path = join_path(context, graph_path);
    if (!path)
        return PC_ERR_MEMORY;
    pc_status status = PC_OK;
    if (access(path, F_OK) == 0)
        status = read_file(context, path, n, labels);
    else
        *labels = pci_labels_range(0, n);
    pci_free(context, path);
    return status;
}

/* ---- Writing --------------------------------------------------------------------------------- */

static pc_status write_lines(pc_context *context, const pci_labels *labels, pc_output *output)
{
    size_t label_room = pc_labels_longest(labels) + 1, n_bytes = 0;
    char *label = pci_alloc(context, label_room);
    char *text = pci_alloc(context, PIECE_BYTES + 2 * label_room);
    pc_status status = label && text ? PC_OK : pci_fail_memory(context, "labels", PIECE_BYTES);
    for (uint64_t v = 0; v < labels->n && status == PC_OK; v++) {
        size_t length = pc_labels_text(labels, v, label, label_room);
        const char *fault = find_fault(label, length);
        if (fault)
            status =
                pci_fail(context, PC_ERR_DATA,
                         "labels cannot be written: label number %" PRIu64 " %s", v + 1, fault);
        n_bytes += pci_escape_tsv(label, length, text + n_bytes);
        text[n_bytes++] = '\n';
        if (status == PC_OK && (n_bytes >= PIECE_BYTES || v + 1 == labels->n)) {
            status = pc_output_write(output, text, n_bytes);
            n_bytes = 0;
        }
    }
    pci_free(context, label);
    pci_free(context, text);
    return status;
}

pc_status pci_labels_file_write(pc_context *context, const char *graph_path,
                                const pci_labels *labels, pc_output **output)
{
    pci_labels implied = pci_labels_range(0, labels->n);
    char *path = join_path(context, graph_path);
    pc_output *made = NULL;
    if (!path)
        return PC_ERR_MEMORY;
    pc_status status = PC_OK;
    if (!pci_labels_equal(labels, &implied) || access(path, F_OK) == 0) {
        status = pc_output_open(context, path, &made);
        if (status == PC_OK)
            status = write_lines(context, labels, made);
    }
    pci_free(context, path);
    if (status == PC_OK)
        *output = made;
    else
        pc_output_free(made);
    return status;
}

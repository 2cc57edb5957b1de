/* Partition files: one line "vertex block" for each vertex. A line is cut at its first tab, else at
 * its first comma, else at blanks. So labels may have blanks, as names from other programs do. */
#include "graphs/partition.h"

#include "io/line.h"
#include "io/text.h"

#include <errno.h>
#include <stdlib.h>
#include <inttypes.h>
#include <stdio.h>

enum { LINES_BETWEEN_LOOKS = 65536 };

static const uint32_t NO_BLOCK = UINT32_MAX; /* a block is below 2^32-1 */

typedef struct reader {
    pc_context *context;
    const pci_input *input;
    const pci_labels *vertices;
    uint32_t *block; /* [n] numbers of names, or NO_BLOCK */
    uint64_t *line;  /* [n] the number of the line that names the vertex */
    pci_names names; /* of blocks */
} reader;

/* Column 0 or 1 of the line without blanks around it. */
static void set_column(pci_line *line, size_t column, const char *begin, const char *end)
{
    line->column[column] = pci_skip_blanks(begin, end);
    line->length[column] = (size_t)(pci_trim_end(line->column[column], end) - line->column[column]);
}

/* Splits a line into two columns; none when it is blank or a comment. False, and *flaw is set, when
 * it cannot be split. */
static bool split_line(const char *begin, const char *end, pci_line *line, pci_flaw *flaw)
{
    *line = (pci_line){.begin = begin};
    if (memchr(begin, 0, (size_t)(end - begin)))
        return pci_line_flaw(line, "a NUL byte: this is not a text file", flaw);
    if (end > begin && end[-1] == '\r')
        end--;
    if (memchr(begin, '\r', (size_t)(end - begin)))
        return pci_line_flaw(line, "a carriage return within the line", flaw);
    set_column(line, 0, begin, end);
    begin = line->column[0];
    end = begin + line->length[0];
    if (begin == end || *begin == '#' || *begin == '%')
        return true;
    const char *separator = "\t, ", *cut = NULL;
    while (*separator && !(cut = memchr(begin, *separator, (size_t)(end - begin))))
        separator++;
    if (!cut)
        return pci_column_flaw(line, 0, "", "stands alone: a line is 'vertex block'", flaw);
    set_column(line, 0, begin, cut);
    set_column(line, 1, cut + 1, end);
    if (line->length[0] == 0 || line->length[1] == 0)
        return pci_line_flaw(line, "a column is empty: a line is 'vertex block'", flaw);
    if (memchr(line->column[1], *separator, line->length[1]))
        return pci_line_flaw(line,
                             "more than two columns: a line is 'vertex block', with a tab or comma "
                             "between labels that have blanks",
                             flaw);
    line->n_columns = 2;
    return true;
}

static pc_status take_line(reader *r, uint64_t number, const char *begin, const char *end)
{
    pci_line line;
    pci_flaw flaw;
    uint64_t vertex;
    char again[80];
    bool is_good = split_line(begin, end, &line, &flaw);
    if (is_good && line.n_columns == 0)
        return PC_OK;
    if (is_good && !pci_labels_find(r->vertices, line.column[0], line.length[0], &vertex)) {
        is_good = pci_column_flaw(
            &line, 0, "there is no vertex",
            number == 1 ? "in the graph; a header must begin with #" : "in the graph", &flaw);
    } else if (is_good && r->block[vertex] != NO_BLOCK) {
        snprintf(again, sizeof again, "is given a second time (first in line %" PRIu64 ")",
                 r->line[vertex]);
        is_good = pci_column_flaw(&line, 0, "vertex", again, &flaw);
    }
    if (!is_good)
        return pci_flaw_report(r->input, &flaw);
    if (pci_names_add(r->context, &r->names, line.column[1], line.length[1], &r->block[vertex]))
        return pci_fail_memory(r->context, "the labels of blocks", r->names.text_capacity);
    r->line[vertex] = number;
    return PC_OK;
}

/* Reads the block of each vertex, and the labels of the blocks. The message names the first vertex that has no block. */
static pc_status read_blocks(reader *r, pci_labels *labels)
{
    uint64_t n = r->vertices->n, number = 0, n_missing = 0, missing = 0;
    uint32_t *block_of_name = NULL;
    const char *end = r->input->text + r->input->n_bytes, *line, *line_end;
    const char *first = pci_skip_byte_order_mark(r->input->text, end), *at = first;
    r->block = pci_alloc(r->context, (n + 1) * sizeof *r->block);
    r->line = pci_alloc(r->context, (n + 1) * sizeof *r->line);
    if (!r->block || !r->line)
        return pci_fail_memory(r->context, "the partition", n * sizeof *r->line);
    memset(r->block, 0xff, n * sizeof *r->block); /* NO_BLOCK */
    pc_status status = PC_OK;
    while (status == PC_OK && pci_next_line(&at, end, &line, &line_end)) {
        status = take_line(r, number + 1, line, line_end);
        if (status == PC_OK && number++ % LINES_BETWEEN_LOOKS == 0)
            status =
                pci_progress(r->context, "read", (double)(line - first) / (double)(end - first));
    }
    for (uint64_t v = n; v-- > 0;)
        if (r->block[v] == NO_BLOCK) {
            n_missing++;
            missing = v;
        }
    if (status == PC_OK && n_missing > 0) {
        char label[84];
        pc_labels_text(r->vertices, missing, label, sizeof label);
        return pci_fail(r->context, PC_ERR_DATA,
                        "%s: vertex '%s' has no block: every vertex needs a line, and %" PRIu64
                        " of %" PRIu64 " have none",
                        r->input->name, label, n_missing, n);
    }
    if (status == PC_OK)
        status = pci_labels_from_names(r->context, &r->names, 0, labels, &block_of_name);
    for (uint64_t v = 0; v < n && block_of_name; v++)
        r->block[v] = block_of_name[r->block[v]];
    pci_free(r->context, block_of_name);
    return status;
}

pc_status pc_partition_read(pc_context *context, const pc_graph *graph, const char *source,
                            pc_partition **partition)
{
    if (!context || !graph || !source || !partition)
        return pci_fail_null(context, "graph, source or partition");
    if (strcmp(source, "components") == 0)
        return pci_partition_components(context, graph, partition);
    if (*source != '\0' && !source[strspn(source, "0123456789")]) {
        errno = 0;
        uint64_t size = strtoull(source, NULL, 10); /* 0 is refused */
        return pci_partition_consecutive(context, graph, errno ? 0 : size, partition);
    }
    pci_input input;
    pci_labels labels = {0};
    reader r = {.context = context, .input = &input, .vertices = &graph->labels};
    pc_status status = pci_input_open(context, source, &input);
    if (status)
        return status;
    if ((status = pci_input_load(&input)) == PC_OK)
        status = read_blocks(&r, &labels);
    pci_input_close(&input);
    pci_names_free(context, &r.names);
    pci_free(context, r.line);
    if (status == PC_OK)
        return pci_partition_make(context, graph->n, r.block, &labels, partition);
    pci_free(context, r.block);
    return status;
}

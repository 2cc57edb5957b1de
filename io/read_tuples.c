/* Pairs in brackets: edges as Python prints them, "(a, b)", one or more a line or in a list, and sparse matrices as SciPy
 * and MATLAB print them, "(row, column)  value" in each line. */
#include "io/readers.h"
#include "io/readings.h"
#include "io/text.h"

static const char not_closed[] = "a pair in brackets is not closed: it is";

/* Takes a label from *at up to a sign that may follow it, perhaps in quotes; *at moves behind the sign. */
static pc_status take_label(pci_collect *c, const char **at, char sign, uint32_t *vertex)
{
    const char *begin = pci_skip_blanks(*at, c->line_end), *end = c->line_end;
    bool is_quoted = begin < end && (*begin == '\'' || *begin == '"');
    char stop = is_quoted ? *begin : sign;
    begin += is_quoted;
    const char *to = memchr(begin, stop, (size_t)(end - begin));
    if (!to)
        return pci_collect_fail(c, "%s (from, to)", not_closed);
    *at = pci_skip_blanks(to + is_quoted, end);
    if (*at == end || **at != sign)
        return pci_collect_fail(c, "a pair in brackets is (from, to)");
    ++*at;
    to = is_quoted ? to : pci_trim_end(begin, to);
    for (const char *sign = begin; sign < to && !is_quoted; sign++)
        if (memchr("()[{", *sign, 4))
            return pci_collect_fail(c, "a label in a pair has a bracket: put quotes around it");
    return pci_collect_vertex(c, begin, (size_t)(to - begin), vertex);
}

/* A weight, or attributes that may have one, ends the brackets. */
static pc_status take_third(pci_collect *c, const char **at, uint32_t from, uint32_t to)
{
    const char *text = pci_skip_blanks(*at, c->line_end), *value = text;
    bool has_weight = *text != '{';
    const char *end = memchr(text, has_weight ? ')' : '}', (size_t)(c->line_end - text));
    size_t length = end ? (size_t)(pci_trim_end(text, end) - text) : 0;
    uint64_t weight;
    if (!end)
        return pci_collect_fail(c, "%s (from, to, weight)", not_closed);
    *at = has_weight ? end : pci_skip_blanks(end + 1, c->line_end);
    if (!has_weight)
        has_weight = pci_attributes_weight(text, end + 1, &value, &length);
    pc_status status = has_weight ? pci_collect_weight(c, value, length, &weight) : PC_OK;
    if (status == PC_OK && (*at == c->line_end || **at != ')'))
        status =
            pci_collect_fail(c, "a pair in brackets is (from, to), perhaps with a weight behind");
    *at += status == PC_OK;
    return status ? status : pci_collect_edge(c, from, to, has_weight ? &weight : NULL);
}

static pc_status take_pair(pci_collect *c, const char **at)
{
    uint32_t from, to;
    uint64_t weight;
    ++*at;
    const char *closing = memchr(*at, ')', (size_t)(c->line_end - *at)), *second = NULL;
    if (!closing)
        return pci_collect_fail(c, "%s (from, to)", not_closed);
    pc_status status = take_label(c, at, ',', &from);
    if (status == PC_OK && *at < closing)
        second = memchr(*at, ',', (size_t)(closing - *at));
    if (status == PC_OK)
        status = take_label(c, at, second ? ',' : ')', &to);
    if (status == PC_OK && second)
        return take_third(c, at, from, to);
    if (status || !c->is_matrix)
        return status ? status : pci_collect_edge(c, from, to, NULL);
    const char *value = pci_skip_blanks(*at, c->line_end);
    *at = c->line_end;
    status = pci_collect_weight(c, value, (size_t)(c->line_end - value), &weight);
    return status || weight == 0 ? status : pci_collect_edge(c, from, to, &weight);
}

/* Passes over the lines above the entries: "<3x3 sparse matrix of type ...", "with 4 stored elements ...>", "Coords
 * Values", and "A =" of MATLAB. */
pc_status pci_tuples_read(pci_collect *c)
{
    pc_status status = PC_OK;
    c->is_matrix = c->input->reading->kind != PCI_TUPLES;
    c->stated = c->is_matrix ? PC_DIRECTED : c->input->reading->stated;
    while (status == PC_OK && pci_collect_line(c, "#%", false)) {
        const char *at = pci_skip_blanks(c->at, c->line_end);
        const char *end = c->line_end = pci_trim_end(at, c->line_end);
        if (c->is_matrix &&
            (*at == '<' || (*at != '(' && end[-1] == '=') || pci_begins_with(at, end, "with ") ||
             pci_begins_with(at, end, "Coords")))
            continue;
        if (*at == ':')
            status = pci_collect_fail(c, "entries are left out where this was printed: write the "
                                         "matrix by scipy.io.mmwrite(path, A)");
        for (; status == PC_OK && at < end; at = pci_skip_blanks(at, end))
            if (*at == '(')
                status = take_pair(c, &at);
            else if (memchr(",[]", *at, 3))
                at++;
            else
                status = pci_collect_fail(
                    c, "a pair in brackets is expected here, as in the lines before");
    }
    return status;
}

/* Pairs in brackets: edges as Python prints them, "(a, b)", one or more a line or in a list, and sparse matrices as SciPy
 * and MATLAB print them, "(row, column)  value" in each line. */
#include "io/collect.h"
#include "io/line.h"
#include "io/readers.h"
#include "io/readings.h"
#include "io/text.h"

typedef struct reader {
    pci_collect collect;
    const char *at, *end; /* of the line */
    bool has_values;      /* these are entries of a matrix */
} reader;

/* Takes a label up to a sign that may follow it, perhaps in quotes. */
static pc_status take_label(reader *r, char sign, uint32_t *vertex)
{
    const char *begin = pci_skip_blanks(r->at, r->end), *to;
    bool is_quoted = begin < r->end && (*begin == '\'' || *begin == '"');
    to = memchr(begin + is_quoted, is_quoted ? *begin : sign, (size_t)(r->end - begin - is_quoted));
    if (!to)
        return pci_collect_fail(&r->collect, "a pair in brackets is not closed: it is (from, to)");
    r->at = pci_skip_blanks(to + is_quoted, r->end);
    if (r->at == r->end || *r->at != sign)
        return pci_collect_fail(&r->collect, "a pair in brackets is (from, to)");
    r->at++;
    begin += is_quoted;
    to = is_quoted ? to : pci_trim_end(begin, to);
    return pci_collect_vertex(&r->collect, begin, (size_t)(to - begin), vertex);
}

/* A weight, or attributes that may have one, ends the brackets. */
static pc_status take_third(reader *r, uint32_t from, uint32_t to)
{
    const char *text = pci_skip_blanks(r->at, r->end), *value = text;
    bool has_weight = *text != '{';
    const char *end = memchr(text, has_weight ? ')' : '}', (size_t)(r->end - text));
    size_t length = end ? (size_t)(pci_trim_end(text, end) - text) : 0;
    uint64_t weight;
    if (!end)
        return pci_collect_fail(&r->collect,
                                "a pair in brackets is not closed: it is (from, to, weight)");
    if (!has_weight)
        has_weight = pci_attributes_weight(text, end + 1, &value, &length);
    pc_status status = has_weight ? pci_collect_weight(&r->collect, value, length, &weight) : PC_OK;
    r->at = *text == '{' ? pci_skip_blanks(end + 1, r->end) : end;
    if (status == PC_OK && (r->at == r->end || *r->at != ')'))
        status = pci_collect_fail(&r->collect,
                                  "a pair in brackets is (from, to), perhaps with a weight behind");
    r->at += status == PC_OK;
    return status ? status : pci_collect_edge(&r->collect, from, to, has_weight ? &weight : NULL);
}

static pc_status take_pair(reader *r)
{
    uint32_t from, to;
    uint64_t weight;
    r->at++;
    const char *closing = memchr(r->at, ')', (size_t)(r->end - r->at)), *second = NULL;
    if (!closing)
        return pci_collect_fail(&r->collect, "a pair in brackets is not closed: it is (from, to)");
    pc_status status = take_label(r, ',', &from);
    if (status == PC_OK)
        second = memchr(r->at, ',', (size_t)(closing > r->at ? closing - r->at : 0));
    if (status == PC_OK)
        status = take_label(r, second ? ',' : ')', &to);
    if (status == PC_OK && second)
        return take_third(r, from, to);
    if (status || !r->has_values)
        return status ? status : pci_collect_edge(&r->collect, from, to, NULL);
    const char *value = pci_skip_blanks(r->at, r->end);
    status = pci_collect_weight(&r->collect, value, (size_t)(r->end - value), &weight);
    r->at = r->end;
    return status || weight == 0 ? status : pci_collect_edge(&r->collect, from, to, &weight);
}

/* The lines above the entries: "<3x3 sparse matrix of type ...", "with 4 stored elements ...>", "Coords  Values", and
 * "A =" of MATLAB. */
static bool is_title(const char *at, const char *end)
{
    return *at == '<' || (*at != '(' && end[-1] == '=') || pci_begins_with(at, end, "with ") ||
           pci_begins_with(at, end, "Coords");
}

static pc_status take_line(reader *r)
{
    if (*r->at == ':')
        return pci_collect_fail(&r->collect,
                                "entries are left out where this was printed: write the matrix by "
                                "scipy.io.mmwrite(path, A)");
    while (r->at < r->end) {
        pc_status status = PC_OK;
        if (*r->at == '(')
            status = take_pair(r);
        else if (*r->at == ',' || *r->at == '[' || *r->at == ']')
            r->at++;
        else
            status = pci_collect_fail(
                &r->collect, "a pair in brackets is expected here, as in the lines before");
        if (status)
            return status;
        r->at = pci_skip_blanks(r->at, r->end);
    }
    return PC_OK;
}

pc_status pci_tuples_parse(const pci_input *input, const char *begin,
                           const pc_graph_options *options, pci_graph_draft *draft)
{
    reader r = {.collect = pci_collect_begin(input, options, "pairs in brackets")};
    pc_status status = PC_OK;
    r.has_values = input->reading->kind != PCI_TUPLES;
    r.collect.stated = r.has_values ? PC_DIRECTED : input->reading->stated;
    r.collect.is_matrix = r.has_values;
    r.collect.next = begin;
    while (status == PC_OK && pci_collect_line(&r.collect, false)) {
        r.at = pci_skip_blanks(r.collect.at, r.collect.line_end);
        r.end = pci_trim_end(r.at, r.collect.line_end);
        if (!r.has_values || !is_title(r.at, r.end))
            status = take_line(&r);
    }
    return pci_collect_end(&r.collect, status, draft);
}

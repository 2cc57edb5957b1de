/* One line of columns: splitting it, and what is wrong with it. */
#include "io/line.h"

#include "io/multiplicity.h"

#include <string.h>

enum { QUOTE_BYTES = 40 };

pc_status pci_flaw_report_at(const pci_input *input, uint64_t offset, const pci_flaw *flaw)
{
    if (!flaw->column)
        return pci_input_fail_at(input, offset, "%s", flaw->what);
    char quote[QUOTE_BYTES + 4] = "";
    size_t n_quoted = flaw->length < QUOTE_BYTES ? flaw->length : QUOTE_BYTES;
    for (size_t i = 0; i < n_quoted; i++) /* control characters could confuse a terminal */
        quote[i] =
            (unsigned char)flaw->column[i] < ' ' || flaw->column[i] == 0x7f ? '?' : flaw->column[i];
    memcpy(quote + n_quoted, "...", n_quoted < flaw->length ? 4 : 0);
    return pci_input_fail_at(input, offset, "%s%s'%s' %s", flaw->subject, *flaw->subject ? " " : "",
                             quote, flaw->what);
}

pc_status pci_flaw_report(const pci_input *input, const pci_flaw *flaw)
{
    return pci_flaw_report_at(input, (uint64_t)(flaw->at - input->text), flaw);
}

static pci_flaw flaw_of_line(const char *at, const char *what)
{
    return (pci_flaw){.at = at, .what = what};
}

pci_flaw pci_line_flaw(const pci_line *line, size_t column, const char *subject, const char *what)
{
    return (pci_flaw){.at = line->begin,
                      .subject = subject,
                      .column = line->column[column],
                      .length = line->length[column],
                      .what = what};
}

static const char NUL_FOUND[] = "a NUL byte: this is not a text file";

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && is_blank(*at))
        at++;
    return at;
}

static bool is_comment(char first, pci_line_style style)
{
    return first == '%' || (first == '#' && style == PCI_EDGE_LIST_LINES);
}

/* The end of the column that begins at; *what says why it cannot be one. */
static const char *find_column_end(const char *at, const char *end, pci_line_style style,
                                   const char **what)
{
    for (; at < end; at++) {
        if (*at > ',')
            continue;
        if (is_blank(*at) || (*at == ',' && style == PCI_EDGE_LIST_LINES))
            break;
        if (*at == 0 || *at == '\r') {
            *what = *at == 0 ? NUL_FOUND : "a carriage return within the line";
            break;
        }
    }
    return at;
}

pci_flaw pci_line_split(const char *begin, const char *end, pci_line_style style, pci_line *line)
{
    if (end > begin && end[-1] == '\r')
        end--;
    *line = (pci_line){.begin = begin};
    const char *what = NULL;
    const char *at = skip_blanks(begin, end);
    if (at < end && is_comment(*at, style))
        return flaw_of_line(begin, memchr(at, 0, (size_t)(end - at)) ? NUL_FOUND : NULL);
    bool after_comma = false;
    while (at < end || after_comma) {
        const char *column_end = find_column_end(at, end, style, &what);
        if (what)
            return flaw_of_line(begin, what);
        if (column_end == at)
            return flaw_of_line(begin, "a column is empty: a comma with nothing before or after");
        if (line->n_columns == PCI_MAX_COLUMNS)
            return flaw_of_line(begin, "more than 3 columns: a line is 'from to [weight]'");
        line->column[line->n_columns] = at;
        line->length[line->n_columns++] = (size_t)(column_end - at);
        at = skip_blanks(column_end, end);
        after_comma = at < end && *at == ',' && style == PCI_EDGE_LIST_LINES;
        if (after_comma)
            at = skip_blanks(at + 1, end);
    }
    return flaw_of_line(begin, NULL);
}

pci_flaw pci_line_weight(const pci_line *line, size_t column, bool take, uint64_t *value)
{
    static const char *const what[] = {
        [PCI_NEGATIVE] = "is negative: it must be an integer from 0 to 2^64-1",
        [PCI_FRACTIONAL] = "is not an integer: it must be one from 0 to 2^64-1",
        [PCI_TOO_LARGE] = "is too large: it must be an integer from 0 to 2^64-1",
        [PCI_NO_NUMBER] = "is not a number",
    };
    pci_multiplicity kind =
        pci_multiplicity_parse(line->column[column], line->length[column], value);
    if (!take && kind != PCI_NO_NUMBER) {
        *value = kind != PCI_MULTIPLICITY || *value > 0;
        kind = PCI_MULTIPLICITY;
    }
    if (kind == PCI_MULTIPLICITY)
        return flaw_of_line(line->begin, NULL);
    return pci_line_flaw(line, column, "weight", what[kind]);
}

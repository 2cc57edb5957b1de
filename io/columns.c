/* Lines of which some columns are chosen. */
#include "io/columns.h"

#include "io/text.h"

pci_column_cursor pci_columns_of(const char *begin, const char *end, char separator)
{
    if (end > begin && end[-1] == '\r')
        end--;
    return (pci_column_cursor){.at = begin, .end = end, .separator = separator};
}

/* Blanks that are no separator. */
static const char *skip_padding(const char *at, const char *end, char separator)
{
    while (at < end && pci_is_blank(*at) && (*at != separator || separator == ' '))
        at++;
    return at;
}

static bool fail(pci_column_cursor *c, const char *fault)
{
    c->fault = fault;
    c->is_done = true;
    return false;
}

/* Takes a column in quotes, which begins at `at`, and returns the place behind it; NULL when the
 * quote is not closed, or text follows it. */
static const char *take_quoted(const pci_column_cursor *c, const char *at, pci_column *column)
{
    const char *closing = pci_closing_quote(at, c->end);
    if (closing == c->end)
        return NULL;
    *column =
        (pci_column){.text = at + 1,
                     .length = (size_t)(closing - at - 1),
                     .is_quoted = true,
                     .has_doubled_quotes = memchr(at + 1, '"', (size_t)(closing - at - 1)) != NULL};
    const char *next = skip_padding(closing + 1, c->end, c->separator);
    bool is_blank = c->separator == ' ';
    return next == c->end || *next == c->separator || (is_blank && next > closing + 1) ? next
                                                                                       : NULL;
}

static const char *take_plain(const pci_column_cursor *c, const char *at, pci_column *column)
{
    const char *column_end = at;
    while (column_end < c->end &&
           (c->separator == ' ' ? !pci_is_blank(*column_end) : *column_end != c->separator))
        column_end++;
    const char *trimmed = pci_trim_end(at, column_end);
    *column = (pci_column){.text = at, .length = (size_t)(trimmed - at)};
    return column_end;
}

bool pci_column_next(pci_column_cursor *c, pci_column *column)
{
    if (c->is_done)
        return false;
    const char *at = skip_padding(c->at, c->end, c->separator);
    c->is_done = at == c->end && c->separator == ' '; /* else an empty column */
    if (c->is_done)
        return false;
    at = at < c->end && *at == '"' ? take_quoted(c, at, column) : take_plain(c, at, column);
    if (!at)
        return fail(c, "a quote is not closed, or more follows it: a column in quotes ends with "
                       "its quote, and a quote within it is doubled");
    c->is_done = at == c->end;
    c->at = c->separator == ' ' ? at : at + 1;
    return true;
}

/* Takes the chosen columns of a line; returns what is wrong, or NULL. Empty columns at the end are none. */
static const char *take_columns(const pci_columns *columns, pci_column_cursor *cursor,
                                pci_line *line)
{
    pci_column column;
    uint32_t number = 0, n_full = 0;
    for (; pci_column_next(cursor, &column); number++) {
        n_full = column.length > 0 ? number + 1 : n_full;
        for (int role = 0; role < PCI_N_ROLES; role++) {
            if (columns->at[role] != number)
                continue;
            line->column[role] = column.text;
            line->length[role] = column.length;
            line->has_doubled_quotes[role] = column.has_doubled_quotes;
        }
    }
    if (cursor->fault)
        return cursor->fault;
    if (columns->at[PCI_FROM] >= number || columns->at[PCI_TO] >= number)
        return "the line has fewer columns than that of an end of the edge";
    if (line->length[PCI_FROM] == 0 || line->length[PCI_TO] == 0)
        return "a column is empty that is to have an end of the edge";
    if (columns->n_columns > 0 && (n_full > columns->n_columns || number < columns->n_columns))
        return "the line has another number of columns than those before: --columns 1,2 takes the "
               "first two of any line";
    line->n_columns = line->length[PCI_WEIGHT] > 0 ? 3 : 2;
    return NULL;
}

bool pci_arrow_find(const char *begin, const char *end, const char **arrow, size_t *length)
{
    static const char unicode[] = "\xe2\x86\x92"; /* an arrow to the right */
    bool is_quoted = false;
    for (const char *at = begin + 1; at < end; at++) {
        is_quoted ^= at[-1] == '"';
        const char *to = at + (*at == '<'), *shaft = to;
        if (is_quoted)
            continue;
        if (pci_begins_with(at, end, unicode)) {
            *arrow = at;
            *length = sizeof unicode - 1;
            return true;
        }
        while (to < end && to - at < PCI_ARROW_BYTES - 2 && (*to == '-' || *to == '='))
            to++;
        bool has_head = to < end && *to == '>';
        *arrow = at;
        *length = (size_t)(to + has_head - at);
        if (to > shaft && (has_head || *at == '<' || (to - shaft > 1 && *shaft == '-')))
            return true;
    }
    return false;
}

pc_direction pci_arrow_direction(const char *arrow)
{
    size_t n = strlen(arrow);
    bool is_shaft = n > 0 && strspn(arrow, "<>-=\xe2\x86\x92") == n;
    if (!is_shaft || strspn(arrow, "=") == n)
        return PC_DIRECTION_OF_FORMAT;
    bool left = *arrow == '<', right = !strchr("-=", arrow[n - 1]);
    return left != right ? PC_DIRECTED : PC_UNDIRECTED;
}

/* Takes an end of an edge, perhaps in quotes, from blanks. */
static const char *take_end(const char *begin, const char *end, pci_line *line, int role)
{
    begin = pci_skip_blanks(begin, end);
    end = pci_trim_end(begin, end);
    if (end - begin > 2 && *begin == '"' && pci_closing_quote(begin, end) == end - 1) {
        line->has_doubled_quotes[role] = memchr(begin + 1, '"', (size_t)(end - begin - 2)) != NULL;
        begin++;
        end--;
    } else if (memchr(begin, ' ', (size_t)(end - begin)) ||
               memchr(begin, '\t', (size_t)(end - begin))) {
        return "an end of the edge has more than one word: put quotes around it";
    }
    line->column[role] = begin;
    line->length[role] = (size_t)(end - begin);
    return end > begin ? NULL : "an end of the edge is empty";
}

/* "a -> b;" */
static const char *take_arrow(const pci_columns *columns, const char *begin, const char *end,
                              pci_line *line)
{
    const char *arrow;
    size_t length;
    end = pci_trim_end(begin, end);
    end -= end > begin && (end[-1] == ';' || end[-1] == ',');
    if (!pci_arrow_find(begin, end, &arrow, &length) || length != strlen(columns->arrow) ||
        memcmp(arrow, columns->arrow, length) != 0)
        return "the line has no such arrow as those before";
    bool to_left = *arrow == '<' && arrow[length - 1] != '>';
    const char *what = take_end(begin, arrow, line, to_left ? PCI_TO : PCI_FROM);
    line->n_columns = 2;
    return what ? what : take_end(arrow + length, end, line, to_left ? PCI_FROM : PCI_TO);
}

bool pci_columns_split(const pci_columns *columns, const char *begin, const char *end,
                       pci_line *line, pci_flaw *flaw)
{
    pci_column_cursor cursor = pci_columns_of(begin, end, columns->separator);
    const char *first = pci_skip_blanks(begin, cursor.end);
    *line = (pci_line){.begin = begin};
    if (first == cursor.end || *first == '#' || *first == '%')
        return true;
    if (memchr(first, 0, (size_t)(cursor.end - first)))
        return pci_line_flaw(line, "a NUL byte: this is not a text file", flaw);
    if (memchr(first, '\r', (size_t)(cursor.end - first)))
        return pci_line_flaw(line, "a carriage return within the line", flaw);
    const char *what = columns->arrow ? take_arrow(columns, first, cursor.end, line)
                                      : take_columns(columns, &cursor, line);
    if (what)
        line->n_columns = 0;
    return !what || pci_line_flaw(line, what, flaw);
}

/* ---- Attributes ------------------------------------------------------------------------------ */

/* The quote that ends the string at `at`, where a backslash takes the next character; end when there is
 * none. */
static const char *skip_string(const char *at, const char *end)
{
    char quote = *at;
    for (at++; at < end && *at != quote; at++)
        at += *at == '\\' && at + 1 < end;
    return at;
}

bool pci_attributes_weight(const char *at, const char *end, const char **text, size_t *length)
{
    int depth = 0;
    for (; at < end; at++) {
        depth +=
            (*at == '{' || *at == '[' || *at == '(') - (*at == '}' || *at == ']' || *at == ')');
        if (*at != '\'' && *at != '"')
            continue;
        const char *name = at + 1, *behind = at = skip_string(at, end);
        bool is_weight = depth == 1 && at - name == 6 && memcmp(name, "weight", 6) == 0;
        behind = pci_skip_blanks(behind + (behind < end), end);
        if (!is_weight || behind == end || *behind != ':')
            continue;
        behind = pci_skip_blanks(behind + 1, end);
        for (at = behind; at < end && *at != ',' && *at != '}';)
            at++;
        *text = behind;
        *length = (size_t)(pci_trim_end(behind, at) - behind);
        return true;
    }
    return false;
}

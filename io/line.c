/* One line of columns: splitting it, and what is wrong with it. */
#include "io/line.h"

#include "graphs/labels.h"
#include "graphs/multiplicity.h"
#include "io/text.h"

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

bool pci_column_flaw(const pci_line *line, size_t column, const char *subject, const char *what,
                     pci_flaw *flaw)
{
    *flaw = (pci_flaw){.at = line->begin,
                       .subject = subject,
                       .column = line->column[column],
                       .length = line->length[column],
                       .what = what};
    return false;
}

bool pci_line_flaw(const pci_line *line, const char *what, pci_flaw *flaw)
{
    *flaw = (pci_flaw){.at = line->begin, .what = what};
    return false;
}

static bool is_comment(char first, pci_line_style style)
{
    return first == '%' || (first == '#' && style == PCI_EDGE_LIST_LINES);
}

static bool is_number(const char *text, size_t length)
{
    uint64_t value;
    return pci_multiplicity_parse(text, length, &value) != PCI_NO_NUMBER;
}

/* The end of the column that begins at `at`. */
static const char *find_column_end(const char *at, const char *end, char separator)
{
    if (separator != ' ') {
        const char *found = memchr(at, separator, (size_t)(end - at));
        return found ? found : end;
    }
    while (at < end && !pci_is_blank(*at))
        at++;
    return at;
}

/* ---- What separates the columns of an edge list's line --------------------------------------- */

typedef struct layout {
    char separator;      /* tab, comma or blank */
    const char *comment; /* its first byte; NULL: none */
} layout;

const char *pci_closing_quote(const char *at, const char *end)
{
    for (at++; at < end; at++) {
        if (*at != '"')
            continue;
        if (at + 1 == end || at[1] != '"')
            return at;
        at++;
    }
    return end;
}

/* Returns whether a comment begins at this first byte of a word. The sign in "50 %" begins none. */
static bool begins_comment(const char *line, const char *at, const char *end, unsigned n_words)
{
    return at > line && pci_is_blank(at[-1]) && n_words >= 2 &&
           (*at == '#' || (*at == '%' && at + 1 < end));
}

/* Tabs that stand beside a comma are blanks around it. */
static layout find_layout(const char *line, const char *end)
{
    layout found = {' ', NULL};
    unsigned n_words = 0;
    for (const char *at = line; at < end;) {
        if (pci_is_blank(*at)) {
            const char *next = pci_skip_blanks(at, end);
            bool beside_comma = at[-1] == ',' || *next == ',';
            if (!beside_comma && memchr(at, '\t', (size_t)(next - at)))
                found.separator = '\t';
            at = next;
        } else if (*at == ',') {
            found.separator = found.separator == ' ' ? ',' : found.separator;
            at++;
        } else if (begins_comment(line, at, end, n_words)) {
            found.comment = at;
            break;
        } else {
            n_words++;
            if (*at == '"' && (at = pci_closing_quote(at, end)) < end)
                at++;
            while (at < end && !pci_is_blank(*at) && *at != ',')
                at++;
        }
    }
    return found;
}

/* Returns whether a comment sign cannot be part of a label with blanks. text is the line up to the sign. */
static bool is_sure_comment(const layout *found, const char *text, const char *end)
{
    const char *sign = found->comment, *text_end = pci_trim_end(text, sign), *last = text_end;
    if (found->separator == ' ') {
        size_t n_rest = (size_t)(end - sign);
        const char *first_end = find_column_end(text, text_end, ' ');
        return *text == '"' || is_number(text, (size_t)(first_end - text)) ||
               (!memchr(sign, ',', n_rest) && !memchr(sign, '\t', n_rest));
    }
    while (last > text && last[-1] != found->separator)
        last--;
    last = pci_skip_blanks(last, text_end);
    return memchr(text_end, '\t', (size_t)(sign - text_end)) || text_end[-1] == '"' ||
           is_number(last, (size_t)(text_end - last));
}

/* ---- Columns --------------------------------------------------------------------------------- */

static const char NOT_QUOTED[] =
    "a quote is not closed, or more follows it: a column in quotes ends "
    "with its quote, and a quote within it is doubled";

/* Returns whether a column begins with an integer and has more words. "1 2,3" has three numbers and one
 * comma: its meaning is not clear. */
static bool has_stray_number(const char *at, const char *end)
{
    uint64_t value;
    const char *word = at;
    while (word < end && !pci_is_blank(*word) && *word != ',')
        word++;
    return word < end && pci_integer_parse(at, (size_t)(word - at), &value) != PCI_NOT_INTEGER;
}

/* Returns whether the line ends at `at`, or the separator is next, perhaps behind blanks. */
static bool is_followed_by(const char *at, const char *end, char separator)
{
    const char *next = pci_skip_blanks(at, end);
    if (next == end)
        return true;
    return separator == ',' ? *next == ',' : memchr(at, separator, (size_t)(next - at)) != NULL;
}

/* Adds the column that begins at *at, and moves *at to the separator behind it or to the end.
 * Returns what is wrong, or NULL. */
static const char *take_column(const char **at, const char *end, char separator, bool has_quotes,
                               pci_line *line)
{
    const char *begin = *at, *column_end;
    size_t c = line->n_columns++;
    if (has_quotes && *begin == '"') {
        column_end = pci_closing_quote(begin++, end);
        if (column_end == end || !is_followed_by(column_end + 1, end, separator))
            return NOT_QUOTED;
        line->has_doubled_quotes[c] = memchr(begin, '"', (size_t)(column_end - begin)) != NULL;
        *at = column_end + 1;
    } else {
        *at = find_column_end(begin, end, separator);
        column_end = pci_trim_end(begin, *at);
        if (separator != ' ' && has_stray_number(begin, column_end))
            return "a number, a blank or comma, and more in one column: separate all columns "
                   "alike, or put quotes around a label";
    }
    line->column[c] = begin;
    line->length[c] = (size_t)(column_end - begin);
    return column_end > begin ? NULL : "a column is empty: nothing is before or after a separator";
}

/* Moves *at behind the separator; false when the line ends before one. */
static bool pass_separator(const char **at, const char *end, char separator, pci_line *line)
{
    const char *next = pci_skip_blanks(*at, end);
    if (separator == ',') {
        bool more = next < end;
        *at = more ? pci_skip_blanks(next + 1, end) : end;
        return more;
    }
    const char *tab = memchr(*at, '\t', (size_t)(next - *at));
    if (separator == '\t' && tab && memchr(tab + 1, '\t', (size_t)(next - tab - 1)))
        line->has_gap = true;
    *at = next;
    return next < end;
}

static const char TOO_MANY_COLUMNS[] =
    "more than 3 columns: a line is 'from to [weight]', and quotes go around a label with blanks. "
    "--columns 1,2 (numbers, or names of a header) takes two columns and ignores the others, "
    "--format adjlist reads "
    "lists "
    "of neighbours";

/* Where the attributes of an edge begin that end the line: NetworkX writes {} or {'weight': 3}. end
 * when there are none. */
static const char *find_attributes(const char *begin, const char *end)
{
    if (end - begin < 4 || end[-1] != '}')
        return end;
    for (const char *at = begin + 1; at < end - 1; at++)
        if (*at == '{' && (pci_is_blank(at[-1]) || at[-1] == ',') &&
            (at[1] == '}' || at[1] == '\'' || at[1] == '"'))
            return at;
    return end;
}

/* Splits what is neither blank nor a comment line; blanks at its ends are gone. Returns what is
 * wrong, or NULL. */
static const char *split_columns(const char *at, const char *end, pci_line_style style,
                                 pci_line *line)
{
    bool is_edge_list = style == PCI_EDGE_LIST_LINES, more = true;
    const char *attributes = is_edge_list ? find_attributes(at, end) : end, *line_end = end;
    end = attributes < end ? pci_trim_end(at, attributes) : end;
    end -= attributes < line_end && end[-1] == ',';
    layout found = is_edge_list ? find_layout(at, end) : (layout){' ', NULL};
    if (found.comment && !is_sure_comment(&found, at, end))
        return "# or % behind a blank begins a comment, but this one may be part of a label: put "
               "quotes around the label";
    if (found.comment)
        end = pci_trim_end(at, found.comment);
    line->separator = found.separator;
    while (more) {
        if (line->n_columns == PCI_MAX_COLUMNS)
            return TOO_MANY_COLUMNS;
        const char *what = at < end && *at != found.separator
                               ? take_column(&at, end, found.separator, is_edge_list, line)
                               : "a column is empty: a comma with nothing before or after";
        if (what)
            return what;
        more = pass_separator(&at, end, found.separator, line);
    }
    if (attributes == line_end)
        return NULL;
    if (line->n_columns == PCI_MAX_COLUMNS)
        return TOO_MANY_COLUMNS;
    line->column[line->n_columns] = attributes;
    line->length[line->n_columns++] = (size_t)(line_end - attributes);
    return NULL;
}

/* Any line; what is wrong with it, or NULL. */
static const char *split_any(const char *begin, const char *end, pci_line_style style,
                             pci_line *line)
{
    *line = (pci_line){.begin = begin};
    const char *at = pci_skip_blanks(begin, end);
    if (memchr(at, 0, (size_t)(end - at)))
        return "a NUL byte: this is not a text file";
    if (at == end || is_comment(*at, style))
        return NULL;
    if (memchr(at, '\r', (size_t)(end - at)))
        return "a carriage return within the line";
    return split_columns(at, pci_trim_end(at, end), style, line);
}

/* ---- Plain lines ----------------------------------------------------------------------------- */

enum { ORDINARY = 0, SEPARATOR, SPECIAL };

/* What a byte means in a plain line. A line that has a special one is not plain. */
static const unsigned char kind_of[256] = {
    [0] = SPECIAL,   ['\r'] = SPECIAL,  ['"'] = SPECIAL,   ['#'] = SPECIAL,
    ['%'] = SPECIAL, [' '] = SEPARATOR, [','] = SEPARATOR, ['\t'] = SEPARATOR};

/* Splits a line of one to three columns with the same separator between them: one blank, one tab,
 * or one comma, perhaps with a blank behind it. Most lines are of this kind, and they need a single
 * pass. False for any other line. */
static bool split_plain(const char *begin, const char *end, pci_line_style style, pci_line *line)
{
    const char *column = begin;
    char separator = 0;
    size_t n = 0;
    for (const char *at = begin;; at++) {
        unsigned char kind = at < end ? kind_of[(unsigned char)*at] : SEPARATOR;
        if (kind == ORDINARY)
            continue;
        if (kind == SPECIAL || at == column || n == PCI_MAX_COLUMNS)
            return false;
        line->column[n] = column;
        line->length[n] = (size_t)(at - column);
        line->has_doubled_quotes[n++] = false;
        if (at == end)
            break;
        if ((separator && *at != separator) || (*at == ',' && style != PCI_EDGE_LIST_LINES))
            return false;
        separator = *at;
        at += separator == ',' && at + 1 < end && at[1] == ' ';
        column = at + 1;
    }
    line->begin = begin;
    line->n_columns = n;
    line->separator = separator;
    line->has_gap = false;
    return true;
}

bool pci_line_split(const char *begin, const char *end, pci_line_style style, pci_line *line,
                    pci_flaw *flaw)
{
    if (end > begin && end[-1] == '\r')
        end--;
    if (split_plain(begin, end, style, line))
        return true;
    const char *what = split_any(begin, end, style, line);
    return !what || pci_line_flaw(line, what, flaw);
}

/* ---- Quotes and weights ---------------------------------------------------------------------- */

size_t pci_line_unquote(const pci_line *line, size_t column, char *text)
{
    const char *from = line->column[column];
    size_t n = 0;
    for (size_t i = 0; i < line->length[column]; i++) {
        text[n++] = from[i];
        i += line->has_doubled_quotes[column] && from[i] == '"';
    }
    return n;
}

static bool needs_quotes(const char *label, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (memchr(" \t,\"", label[i], 4))
            return true;
    return *label == '#' || *label == '%';
}

size_t pci_line_quote(const char *label, size_t length, char *text)
{
    size_t n = 0;
    bool quotes = needs_quotes(label, length);
    if (quotes)
        text[n++] = '"';
    for (size_t i = 0; i < length; i++) {
        text[n++] = label[i];
        if (label[i] == '"')
            text[n++] = '"';
    }
    if (quotes)
        text[n++] = '"';
    return n;
}

const char *pci_with_point(const char *text, size_t length, char point[PCI_POINT_BYTES])
{
    const char *comma = memchr(text, ',', length);
    if (!comma || length > PCI_POINT_BYTES)
        return text;
    memcpy(point, text, length);
    point[comma - text] = '.';
    return point;
}

const char *pci_weight_fault(pci_multiplicity kind)
{
    static const char *const what[] = {
        [PCI_MULTIPLICITY] = NULL,
        [PCI_NEGATIVE] = "is negative: it must be a number from 0 to 2^64-1",
        [PCI_FRACTIONAL] = "is not an integer: counts need integers from 0 to 2^64-1; --markov and "
                           "--katz, of a graph, take decimals",
        [PCI_TOO_LARGE] = "is too large: it must be a number from 0 to 2^64-1",
        [PCI_TOO_SMALL] =
            "is too small beside the largest weight: fewer than 6 of its digits would "
            "count; leave such edges out",
        [PCI_NO_NUMBER] = "is not a number",
    };
    return what[kind];
}

bool pci_line_weight(const pci_input *input, const pci_line *line, size_t column, bool take,
                     uint64_t *value, pci_flaw *flaw)
{
    pci_multiplicity kind = pci_weight_parse(take ? input->scale : NULL, line->column[column],
                                             line->length[column], value);
    if (!take && kind != PCI_NO_NUMBER) {
        *value = kind != PCI_MULTIPLICITY || *value > 0;
        kind = PCI_MULTIPLICITY;
    }
    if (kind == PCI_MULTIPLICITY)
        return true;
    const char *what = kind == PCI_NO_NUMBER
                           ? "is not a number, and the third column is one of weights"
                           : pci_weight_fault(kind);
    return pci_column_flaw(line, column, "weight", what, flaw);
}

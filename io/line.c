/* Lines of columns: splitting them, arrows, quotes, attributes and weights. */
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

/* ---- One column after the other --------------------------------------------------------------- */

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

bool pci_column_next(pci_column_cursor *c, pci_column *column)
{
    if (c->is_done)
        return false;
    const char *at = skip_padding(c->at, c->end, c->separator);
    c->is_done = at == c->end && c->separator == ' '; /* else an empty column */
    if (c->is_done)
        return false;
    if (at < c->end && *at == '"') {
        at = take_quoted(c, at, column);
    } else {
        const char *begin = at;
        while (at < c->end && (c->separator == ' ' ? !pci_is_blank(*at) : *at != c->separator))
            at++;
        *column = (pci_column){.text = begin, .length = (size_t)(pci_trim_end(begin, at) - begin)};
    }
    if (!at) {
        c->is_done = true;
        c->fault = "a quote is not closed, or more follows it: a column in quotes ends with its "
                   "quote, and a quote within it is doubled";
        return false;
    }
    c->is_done = at == c->end;
    c->at = c->separator == ' ' ? at : at + 1;
    return true;
}

/* ---- The columns of a line -------------------------------------------------------------------- */

const pci_columns pci_any_columns = {.are_all = true, .is_plain = true};

static bool is_number(const char *text, size_t length)
{
    uint64_t value;
    return pci_multiplicity_parse(text, length, &value) != PCI_NO_NUMBER;
}

/* Returns where a comment begins behind a blank and two words, or else end. The sign in "50 %" begins none. *separator
 * becomes what separates the columns before it: a tab, else a comma, else blanks. Tabs beside a comma are blanks. */
static const char *find_layout(const char *line, const char *end, char *separator)
{
    unsigned n_words = 0;
    *separator = ' ';
    for (const char *at = line; at < end;) {
        if (pci_is_blank(*at)) {
            const char *next = pci_skip_blanks(at, end);
            bool beside_comma = at[-1] == ',' || *next == ',';
            if (!beside_comma && memchr(at, '\t', (size_t)(next - at)))
                *separator = '\t';
            at = next;
        } else if (*at == ',') {
            *separator = *separator == ' ' ? ',' : *separator;
            at++;
        } else if (at > line && pci_is_blank(at[-1]) && n_words >= 2 &&
                   (*at == '#' || (*at == '%' && at + 1 < end))) {
            return at;
        } else {
            n_words++;
            if (*at == '"' && (at = pci_closing_quote(at, end)) < end)
                at++;
            while (at < end && !pci_is_blank(*at) && *at != ',')
                at++;
        }
    }
    return end;
}

/* Returns whether a comment sign cannot be part of a label with blanks. */
static bool is_sure_comment(const char *text, const char *sign, const char *end, char separator)
{
    const char *text_end = pci_trim_end(text, sign), *word = text;
    size_t n_rest = (size_t)(end - sign);
    if (separator == ' ') {
        while (!pci_is_blank(*word))
            word++;
        return *text == '"' || is_number(text, (size_t)(word - text)) ||
               (!memchr(sign, ',', n_rest) && !memchr(sign, '\t', n_rest));
    }
    for (const char *at = text; at < text_end; at++)
        word = *at == separator ? at + 1 : word;
    word = pci_skip_blanks(word, text_end);
    return memchr(text_end, '\t', (size_t)(sign - text_end)) || text_end[-1] == '"' ||
           is_number(word, (size_t)(text_end - word));
}

/* Returns where the attributes of an edge begin that end the line: NetworkX writes {} or {'weight': 3}; end when there
 * are none. */
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

/* Returns whether a column begins with an integer behind which another word stands: "1 2,3" has three numbers and one
 * comma, so that its meaning is not clear. All words must be numbers if the separator is known. */
static bool has_stray_number(const pci_columns *how, const pci_column *column)
{
    const char *end = column->text + column->length, *at = pci_skip_digits(column->text, end);
    if (column->is_quoted || at == column->text || at == end || (!pci_is_blank(*at) && *at != ','))
        return false;
    while (how->separator && at < end && (pci_is_digit(*at) || memchr(" \t,", *at, 3)))
        at++;
    return !how->separator || at == end;
}

static const char TOO_MANY_COLUMNS[] =
    "more than 3 columns: a line is 'from to [weight]', and quotes go around a label with blanks. "
    "--columns 1,2 (numbers, or names of a header) takes two columns and ignores the others, "
    "--format adjlist reads lists of neighbours";

/* Puts a column into the line where it has a role. Returns what is wrong, or NULL. */
static inline const char *take_column(const pci_columns *how, const pci_column *column,
                                      uint32_t number, pci_line *line)
{
    for (uint32_t role = 0; role < PCI_N_ROLES; role++) {
        if (how->are_all ? role != number : how->at[role] != number)
            continue;
        line->column[role] = column->text;
        line->length[role] = column->length;
        line->has_doubled_quotes[role] = column->has_doubled_quotes;
        if ((!how->separator || (role <= PCI_TO && !how->are_all)) && has_stray_number(how, column))
            return "a number, a blank or comma, and more in one column: separate all columns "
                   "alike, or put quotes around a label";
    }
    return how->are_all && column->length == 0
               ? "a column is empty: nothing is before or after a separator"
               : NULL;
}

/* Takes the columns up to end, and attributes behind them. Returns what is wrong, or NULL. Empty columns at the end of
 * a line whose columns are chosen are none. */
static const char *take_columns(const pci_columns *how, pci_column_cursor *cursor,
                                const pci_column *attributes, pci_line *line)
{
    pci_column column = {0};
    uint32_t number = 0, n_full = 0;
    const char *what = NULL;
    bool is_last = false;
    while (!what && (pci_column_next(cursor, &column) ||
                     (!cursor->fault && !is_last && (is_last = attributes->length > 0)))) {
        if (how->are_all && number == 3)
            return TOO_MANY_COLUMNS;
        column = is_last ? *attributes : column;
        n_full = column.length > 0 ? number + 1 : n_full;
        what = take_column(how, &column, number++, line);
    }
    bool is_alone = !how->are_all && number == 1 && cursor->is_done && !column.is_quoted;
    for (size_t i = 0; is_alone && i < column.length; i++)
        if (memchr(" \t,;|", column.text[i], 5))
            return "the columns are separated in another way than in the lines before: separate "
                   "all lines alike, or put quotes around labels";
    if (what || cursor->fault)
        return what ? what : cursor->fault;
    line->n_columns = how->are_all ? number : line->length[PCI_WEIGHT] > 0 ? 3 : 2;
    if (is_alone && how->at[PCI_FROM] == 0 && column.length > 0)
        line->n_columns = 1; /* an end without another one */
    if (how->are_all || line->n_columns == 1)
        return NULL;
    if (how->at[PCI_FROM] >= number || how->at[PCI_TO] >= number)
        return "the line has fewer columns than that of an end of the edge";
    if (line->length[PCI_FROM] == 0 || line->length[PCI_TO] == 0)
        return "a column is empty that is to have an end of the edge";
    return how->n_columns > 0 && (n_full > how->n_columns || number < how->n_columns)
               ? "the line has another number of columns than those before: --columns 1,2 takes "
                 "the "
                 "first two of any line"
               : NULL;
}

/* Splits what begins at `first`, behind blanks. Returns what is wrong, or NULL. */
static const char *split(const pci_columns *how, const char *begin, const char *end, pci_line *line)
{
    const char *first = pci_skip_blanks(begin, end);
    char separator = how->separator, looks;
    const char *data_end = separator ? end : pci_trim_end(first, end);
    const char *cut = find_attributes(first, pci_trim_end(first, end));
    pci_column attributes = {.text = cut, .length = (size_t)(pci_trim_end(first, end) - cut)};
    if (attributes.length > 0) {
        data_end = pci_trim_end(first, cut);
        data_end -= data_end[-1] == ',';
    }
    if (!separator) {
        const char *comment = find_layout(first, data_end, &separator);
        if (comment < data_end && !is_sure_comment(first, comment, data_end, separator))
            return "# or % behind a blank begins a comment, but this one may be part of a label: "
                   "put quotes around the label";
        data_end = pci_trim_end(first, comment);
    }
    pci_column_cursor cursor = pci_columns_of(how->separator ? begin : first, data_end, separator);
    const char *what = take_columns(how, &cursor, &attributes, line);
    if (!what || !how->separator || find_layout(first, end, &looks) == end)
        return what;
    *line = (pci_line){.begin = line->begin};
    cursor = pci_columns_of(begin, pci_trim_end(first, find_layout(first, end, &looks)), separator);
    return take_columns(how, &cursor, &(pci_column){0}, line);
}

/* ---- Arrows ---------------------------------------------------------------------------------- */

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
static const char *take_arrow(const char *wanted, const char *begin, const char *end,
                              pci_line *line)
{
    const char *arrow;
    size_t length;
    end = pci_trim_end(begin, end);
    end -= end > begin && (end[-1] == ';' || end[-1] == ',');
    if (!pci_arrow_find(begin, end, &arrow, &length) || length != strlen(wanted) ||
        memcmp(arrow, wanted, length) != 0)
        return "the line has no such arrow as those before";
    bool to_left = *arrow == '<' && arrow[length - 1] != '>';
    const char *what = take_end(begin, arrow, line, to_left ? PCI_TO : PCI_FROM);
    line->n_columns = 2;
    return what ? what : take_end(arrow + length, end, line, to_left ? PCI_FROM : PCI_TO);
}

/* ---- Plain lines ----------------------------------------------------------------------------- */

enum { ORDINARY = 0, SEPARATOR, SPECIAL };

/* Tells the kind of each byte. A line with a special byte is not plain. */
static const unsigned char kind_of[256] = {
    [0] = SPECIAL,   ['\r'] = SPECIAL,  ['"'] = SPECIAL,   ['#'] = SPECIAL,   ['%'] = SPECIAL,
    ['{'] = SPECIAL, [' '] = SEPARATOR, [','] = SEPARATOR, ['\t'] = SEPARATOR};

/* Splits a line of one to three columns with the same separator between them: one blank, one tab, or one comma, perhaps
 * with a blank behind it. Most lines are of this kind, and they need a single pass. False for any other line. */
static bool split_plain(const pci_columns *how, const char *begin, const char *end, pci_line *line)
{
    const char *column = begin;
    char separator = how->separator;
    size_t n = 0;
    for (const char *at = begin;; at++) {
        unsigned char kind = at < end ? kind_of[(unsigned char)*at] : SEPARATOR;
        if (kind == ORDINARY)
            continue;
        if (kind == SPECIAL || at == column || n == PCI_TYPE)
            return false;
        line->column[n] = column;
        line->length[n] = (size_t)(at - column);
        line->has_doubled_quotes[n++] = false;
        if (at == end)
            break;
        if (how->separator == ' ' ? !pci_is_blank(*at) : separator && *at != separator)
            return false;
        separator = *at;
        at += separator == ',' && at + 1 < end && at[1] == ' ';
        column = at + 1;
    }
    line->begin = begin;
    line->n_columns = n;
    return how->are_all || n == how->n_columns;
}

bool pci_line_split(const pci_columns *columns, const char *begin, const char *end, pci_line *line,
                    pci_flaw *flaw)
{
    end -= end > begin && end[-1] == '\r';
    if (columns->is_plain && split_plain(columns, begin, end, line))
        return true;
    const char *first = pci_skip_blanks(begin, end);
    *line = (pci_line){.begin = begin};
    if (memchr(first, 0, (size_t)(end - first)))
        return pci_line_flaw(line, "a NUL byte: this is not a text file", flaw);
    bool takes_hash = columns->are_all && columns->separator; /* Matrix Market has comments by % */
    if (first == end || *first == '%' || (*first == '#' && !takes_hash))
        return true;
    if (memchr(first, '\r', (size_t)(end - first)))
        return pci_line_flaw(line, "a carriage return within the line", flaw);
    const char *what = columns->arrow ? take_arrow(columns->arrow, first, end, line)
                                      : split(columns, begin, end, line);
    return !what || pci_line_flaw(line, what, flaw);
}

/* ---- Quotes, attributes and weights ----------------------------------------------------------- */

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

size_t pci_line_quote(const char *label, size_t length, char *text)
{
    size_t n = 0;
    bool quotes = *label == '#' || *label == '%';
    for (size_t i = 0; i < length; i++)
        quotes = quotes || memchr(" \t,\"", label[i], 4);
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

bool pci_attributes_weight(const char *at, const char *end, const char **text, size_t *length)
{
    int depth = 0;
    for (; at < end; at++) {
        depth +=
            (*at == '{' || *at == '[' || *at == '(') - (*at == '}' || *at == ']' || *at == ')');
        if (*at != '\'' && *at != '"')
            continue;
        const char quote = *at, *name = at + 1;
        for (at++; at < end && *at != quote; at++) /* a backslash takes the next character */
            at += *at == '\\' && at + 1 < end;
        const char *behind = at;
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

/* Cutting lines into cells. A separator fits when all lines but the first one have the same number of cells, more than
 * one, and no quote or bracket is left open in a cell. */
#include "io/sample.h"

#include "graphs/labels.h"
#include "graphs/multiplicity.h"
#include "io/line.h"
#include "io/text.h"

/* ---- Kinds of cells -------------------------------------------------------------------------- */

enum { FIRST_TIME_DIGITS = 9, MOST_NUMBER_DIGITS = 18 };

pci_kind pci_column_kind(const pci_table *t, uint32_t first, uint32_t column)
{
    const unsigned times = 1 << PCI_TIMES, integers = 1 << PCI_INTEGERS | times;
    unsigned kinds = 0; /* of all cells; missing ones do not count */
    for (uint32_t r = first; r < t->n_rows && column < t->n_columns; r++)
        kinds |= 1u << t->row[r][column].kind;
    kinds &= ~(1u << PCI_NOTHING);
    for (pci_kind kind = PCI_NOTHING; kind < PCI_WORDS; kind++)
        if (kinds == (kind == PCI_NOTHING ? 0 : 1u << kind))
            return kind;
    return (kinds & ~integers) == 0                   ? PCI_INTEGERS
           : (kinds & ~integers) == 1u << PCI_NUMBERS ? PCI_NUMBERS
                                                      : PCI_WORDS;
}

static bool are_digits(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] < '0' || text[i] > '9')
            return false;
    return length > 0;
}

bool pci_is_minus_one(const char *text, size_t length)
{
    return length == 2 && memcmp(text, "-1", 2) == 0;
}

bool pci_is_missing(const char *text, size_t length)
{
    static const char *const missing[] = {"",     "-",   "?",    "na",   "n/a",
                                          "#n/a", "nan", "none", "null", "\\n"};
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
        if (pci_is_word_any_case(text, length, missing[i]))
            return true;
    return false;
}

/* The kind of a cell with this text in a table of that separator. */
static pci_kind kind_of(const char *text, size_t length, char separator)
{
    if (pci_is_missing(text, length))
        return PCI_NOTHING;
    if (*text == '{' && text[length - 1] == '}')
        return PCI_DATA;
    if (length >= 10 && are_digits(text, 4) && text[4] == '-' && are_digits(text + 5, 2) &&
        text[7] == '-' && are_digits(text + 8, 2))
        return PCI_DATES;
    /* Semicolons separate columns where a comma is the decimal sign. */
    const char *comma = separator == ';' ? memchr(text, ',', length) : NULL;
    if (comma && are_digits(text, (size_t)(comma - text)) &&
        are_digits(comma + 1, length - (size_t)(comma + 1 - text)))
        return PCI_NUMBERS;
    size_t n_signs = *text == '-' || *text == '+';
    if (are_digits(text + n_signs, length - n_signs))
        return length - n_signs >= FIRST_TIME_DIGITS ? PCI_TIMES : PCI_INTEGERS;
    uint64_t value;
    pci_multiplicity kind = pci_multiplicity_parse(text, length, &value);
    return kind == PCI_MULTIPLICITY                            ? PCI_INTEGERS
           : kind != PCI_NO_NUMBER                             ? PCI_NUMBERS
           : length == 3 && pci_equal_any_case(text, "inf", 3) ? PCI_NUMBERS
                                                               : PCI_WORDS;
}

pci_cell pci_cell_of(const char *begin, const char *end)
{
    begin = pci_skip_blanks(begin, end);
    pci_cell cell = {.text = begin, .length = (uint32_t)(pci_trim_end(begin, end) - begin)};
    cell.kind = kind_of(begin, cell.length, ' ');
    return cell;
}

bool pci_cell_number(const pci_cell *cell, uint64_t *number)
{
    if (!are_digits(cell->text, cell->length) || cell->length > MOST_NUMBER_DIGITS)
        return false;
    *number = 0;
    for (uint32_t i = 0; i < cell->length; i++)
        *number = 10 * *number + (uint64_t)(cell->text[i] - '0');
    return true;
}

bool pci_column_counts(const pci_table *t, uint32_t first, uint32_t column)
{
    uint64_t begin = 0, number;
    for (uint32_t r = first; r < t->n_rows; r++) {
        if (!pci_cell_number(&t->row[r][column], &number) || (r == first && number > 1) ||
            (r > first && number != begin + r - first))
            return false;
        begin = r == first ? number : begin;
    }
    return first < t->n_rows;
}

/* ---- Equal cells ----------------------------------------------------------------------------- */

bool pci_are_distinct(const pci_sample *s, const pci_cell *cell, uint32_t n, uint32_t step)
{
    bool differ = true;
    for (uint32_t i = 0; i < n; i++) {
        uint8_t *mark = &s->mark[cell[(size_t)i * step].name];
        differ = differ && !*mark;
        *mark = 1;
    }
    for (uint32_t i = 0; i < n; i++)
        s->mark[cell[(size_t)i * step].name] = 0;
    return differ;
}

/* ---- Cutting --------------------------------------------------------------------------------- */

bool pci_is_torn(const char *text, size_t length)
{
    static const char opening[] = "([{<'", closing[] = ")]}>'";
    int depth[3] = {0, 0, 0};
    const char *first = length > 0 ? memchr(opening, *text, sizeof opening - 1) : NULL;
    if (first && (length == 1 || text[length - 1] != closing[first - opening]))
        return true;
    for (size_t i = 0; i < length; i++) {
        for (int b = 0; b < 3; b++)
            depth[b] += (text[i] == opening[b]) - (text[i] == closing[b]);
        if (first && i > 0 && i + 1 < length && text[i] == closing[first - opening] &&
            first - opening < 3 && depth[first - opening] == 0)
            return true; /* text follows the closing bracket */
    }
    return depth[0] != 0 || depth[1] != 0 || depth[2] != 0;
}

/* Returns whether a comment may begin in a cell, or a separator ends it that belongs to no label. */
static bool is_odd_cell(const pci_column *cell, char separator, bool is_last, size_t number,
                        bool has_comma)
{
    if (cell->length == 0 || cell->is_quoted)
        return false;
    char last = cell->text[cell->length - 1];
    for (size_t i = 0; i < cell->length; i++)
        if ((cell->text[i] == '#' || cell->text[i] == '%') &&
            (i == 0 ? number + has_comma >= 2 : cell->text[i - 1] == ' '))
            return true;
    if (separator == ' ' && last == ':' && !is_last)
        return true;
    return separator == ' ' && (last == ';' || (!is_last && (last == ',' || last == '|')));
}

/* Adds a cell to the end of a table, in row r. */
static pc_status add_cell(pci_sample *s, pci_table *t, uint32_t r, const pci_column *column)
{
    pci_cell *cell = t->cell + (t->row[r + 1]++ - t->cell);
    *cell = (pci_cell){.text = column->text,
                       .length = (uint32_t)column->length,
                       .kind = kind_of(column->text, column->length, t->separator),
                       .is_quoted = column->is_quoted};
    return pci_names_add(s->input->context, &s->names, column->text, column->length, &cell->name)
               ? pci_fail_memory(s->input->context, "cells", s->names.n)
               : PC_OK;
}

/* Cuts one line; *fits becomes false where the separator does not fit it. A dictionary that ends it, as NetworkX writes
 * attributes, is a cell. */
static pc_status cut_line(pci_sample *s, pci_table *t, uint32_t r, bool *fits)
{
    char separator = t->separator;
    const pci_span *line = &s->line[t->n_skipped + r];
    t->row[r + 1] = t->row[r];
    const char *end = line->end;
    while (end > line->begin && (end[-1] == ' ' || (end[-1] == '\t' && separator != '\t')))
        end--;
    const char *data = end, *cut_end = end;
    for (const char *at = line->begin + 1; at < end && data == end && end[-1] == '}'; at++)
        data = *at == '{' && (pci_is_blank(at[-1]) || at[-1] == ',') ? at : end;
    bool has_comma = separator == ' ' && memchr(line->begin, ',', (size_t)(data - line->begin));
    if (data < end)
        cut_end = pci_trim_end(line->begin, data - 1 + (data[-1] != ','));
    pci_column_cursor cursor = pci_columns_of(line->begin, cut_end, separator);
    pci_column column;
    size_t n = 0;
    for (; pci_column_next(&cursor, &column); n++) {
        bool is_last = data == end && pci_skip_blanks(cursor.at, cursor.end) == cursor.end;
        const char *colon = memchr(column.text, ':', column.length);
        bool has_value = r > 0 && colon && colon + 1 < column.text + column.length &&
                         colon[1] == ' ' && !column.is_quoted; /* a name before its value */
        *fits = !has_value && !is_odd_cell(&column, separator, is_last, n, has_comma) &&
                (column.is_quoted || s->is_asked || !pci_is_torn(column.text, column.length));
        pc_status status = *fits ? add_cell(s, t, r, &column) : PC_OK;
        if (status || !*fits)
            return status;
    }
    *fits = !cursor.fault && (data == end || n > 1);
    column = (pci_column){.text = data, .length = (size_t)(end - data)};
    return *fits && data < end ? add_cell(s, t, r, &column) : PC_OK;
}

/* Drops an empty cell at the end of each row, as trailing separators make them; a header may lack it. False when there
 * is none. */
static bool drop_trailing(pci_table *t)
{
    uint32_t n_second = t->n_rows > 1 ? pci_row_length(t, 1) : 0;
    for (uint32_t r = 0; r < t->n_rows; r++)
        if (pci_row_length(t, r) < 2 ||
            (t->row[r + 1][-1].length > 0 && (r > 0 || pci_row_length(t, 0) + 1 != n_second)))
            return false;
    const pci_cell *from = t->row[0];
    pci_cell *to = t->cell;
    for (uint32_t r = 0; r < t->n_rows; r++) {
        const pci_cell *next = t->row[r + 1];
        size_t length = (size_t)(next - from) - (next[-1].length == 0);
        memmove(to, from, length * sizeof *to);
        t->row[r] = to;
        to += length;
        from = next;
    }
    t->row[t->n_rows] = to;
    return true;
}

/* Cuts all lines into a table; *fits: whether its separator does. */
static pc_status cut(pci_sample *s, pci_table *t, bool *fits)
{
    pc_context *context = s->input->context;
    t->n_rows = s->n_lines - t->n_skipped;
    uint64_t capacity = (uint64_t)(s->head.end - s->head.begin) / 2 + 2 * (uint64_t)t->n_rows + 1;
    t->cell = pci_alloc(context, capacity * sizeof *t->cell);
    t->row = pci_alloc(context, (t->n_rows + 1) * sizeof *t->row);
    if (!t->cell || !t->row)
        return pci_fail_memory(context, "cells", capacity * sizeof *t->cell);
    pc_status status = PC_OK;
    t->row[0] = t->cell;
    *fits = true;
    for (uint32_t r = 0; r < t->n_rows && *fits && status == PC_OK; r++)
        status = cut_line(s, t, r, fits);
    if (status || !*fits)
        return status;
    while (drop_trailing(t))
        ;
    t->n_columns = pci_row_length(t, t->n_rows > 1);
    for (uint32_t r = 1; r < t->n_rows && *fits; r++) {
        uint32_t length = pci_row_length(t, r);
        *fits = s->is_ragged || length == t->n_columns;
        t->n_columns = length < t->n_columns ? length : t->n_columns;
    }
    *fits = *fits && t->n_columns > 1;
    return PC_OK;
}

static void free_table(pc_context *context, pci_table *t)
{
    pci_free(context, t->cell);
    pci_free(context, t->row);
    *t = (pci_table){0};
}

/* ---- Choosing between separators ------------------------------------------------------------- */

static pci_table *find_table(pci_sample *s, uint32_t n_skipped, char separator)
{
    for (uint32_t i = 0; i < s->n_tables; i++)
        if (s->table[i].n_skipped == n_skipped && s->table[i].separator == separator)
            return &s->table[i];
    return NULL;
}

static void drop(pci_sample *s, pci_table *t)
{
    if (!t)
        return;
    free_table(s->input->context, t);
    *t = s->table[--s->n_tables];
    s->table[s->n_tables] = (pci_table){0};
}

enum {
    NUMBERS = 1 << PCI_INTEGERS | 1 << PCI_TIMES | 1 << PCI_NUMBERS,
    NO_WORDS = ~(1 << PCI_WORDS)
};

/* Returns whether all cells but those of the first row, if it is not alone, are of some kinds or lack all of these
 * characters; NULL: they are of the kinds. */
static bool are_all(const pci_table *t, int kinds, const char *without)
{
    bool good = true;
    for (const pci_cell *c = t->row[t->n_rows > 1]; good && c < t->row[t->n_rows]; c++) {
        good = kinds >> c->kind & 1;
        if (good || !without)
            continue;
        good = true;
        for (const char *sign = without; good && *sign; sign++)
            good = !memchr(c->text, *sign, c->length);
    }
    return good;
}

/* Several separators fit. A tab is preferred, unless blanks separate more numbers; semicolons are preferred to decimal
 * commas; any of them is preferred to blanks, but not commas that belong to words. */
static void prefer(pci_sample *s, uint32_t skipped)
{
    pci_table *tab = find_table(s, skipped, '\t'), *blank = find_table(s, skipped, ' ');
    pci_table *comma = find_table(s, skipped, ','), *semicolon = find_table(s, skipped, ';');
    if (tab && blank && pci_row_length(blank, 0) == blank->n_columns &&
        are_all(blank, NUMBERS, NULL)) {
        drop(s, tab);
        prefer(s, skipped);
        return;
    }
    static const char others[] = ";|, ";
    for (size_t i = 0; tab && i < sizeof others - 1; i++)
        drop(s, find_table(s, skipped, others[i]));
    if (tab)
        return;
    bool is_list = semicolon && comma && are_all(semicolon, NO_WORDS, ",");
    bool keeps_blanks = blank && comma && !are_all(comma, NUMBERS, " ");
    if (is_list)
        drop(s, comma);
    pci_table *pipe = find_table(s, skipped, '|');
    if (find_table(s, skipped, ';') || (pipe && are_all(pipe, NUMBERS, " ")) ||
        (find_table(s, skipped, ',') && !keeps_blanks))
        drop(s, find_table(s, skipped, ' '));
}

static pc_status add_table(pci_sample *s, uint32_t skipped, char separator)
{
    bool fits = false;
    pci_table *t = &s->table[s->n_tables];
    const pci_span *last = &s->line[s->n_lines - 1];
    size_t n_bytes = (size_t)(last->end - last->begin);
    if (!memchr(last->begin, separator, n_bytes) &&
        (separator != ' ' || !memchr(last->begin, '\t', n_bytes)))
        return PC_OK;
    *t = (pci_table){.separator = separator,
                     .n_skipped = skipped,
                     .is_below_sizes = skipped > 0 && skipped == s->n_sizes};
    pc_status status = cut(s, t, &fits);
    if (status || !fits)
        free_table(s->input->context, t);
    else
        s->n_tables++;
    return status;
}

/* Cuts the lines behind the first ones in each way that fits. */
static pc_status cut_below(pci_sample *s, uint32_t skipped, char asked)
{
    static const char usual[] = "\t;|, ", rare[] = "-:/=";
    pc_status status = PC_OK;
    uint32_t n_before = s->n_tables;
    if (skipped >= s->n_lines)
        return PC_OK;
    if (asked)
        return add_table(s, skipped, asked);
    for (size_t i = 0; status == PC_OK && i < sizeof usual - 1; i++)
        status = add_table(s, skipped, usual[i]);
    bool has_full = false; /* then tables go whose first row has one cell */
    for (uint32_t i = n_before; i < s->n_tables; i++)
        has_full = has_full || pci_row_length(&s->table[i], 0) > 1;
    for (uint32_t i = s->n_tables; i > n_before && has_full; i--)
        if (pci_row_length(&s->table[i - 1], 0) == 1)
            drop(s, &s->table[i - 1]);
    if (status == PC_OK)
        prefer(s, skipped);
    for (size_t i = 0; status == PC_OK && s->n_tables == n_before && i < sizeof rare - 1; i++) {
        status = add_table(s, skipped, rare[i]);
        for (uint32_t t = n_before; t < s->n_tables; t++)
            s->table[t].is_rare = true;
        if (s->n_tables > n_before && !are_all(&s->table[n_before], 0, " \t,;|[]{}()"))
            drop(s, &s->table[n_before]);
    }
    return status;
}

pc_status pci_sample_cut(pci_sample *s, char separator, bool ragged)
{
    pc_status status = PC_OK;
    s->is_ragged = ragged;
    s->is_asked = separator != 0;
    if (!s->is_odd_comment)
        status = cut_below(s, 0, separator);
    if (status == PC_OK && s->n_odd > 0)
        status = cut_below(s, s->n_odd, separator);
    if (status == PC_OK && s->n_sizes > 0)
        status = cut_below(s, s->n_sizes, separator);
    s->mark = status ? NULL : pci_alloc_zero(s->input->context, s->names.n + 1, 1);
    if (status == PC_OK && !s->mark)
        status = pci_fail_memory(s->input->context, "cells", s->names.n);
    return status;
}

/* Columns that may be the ends of edges. */
#include "io/edge_columns.h"

#include "io/text.h"

void pci_found_add(pci_found *f, const pci_reading *reading)
{
    if (f->n < PCI_MOST_FOUND)
        f->reading[f->n++] = *reading;
}

bool pci_are_alike_kinds(pci_kind one, pci_kind other)
{
    return one == other || (one == PCI_INTEGERS && other == PCI_TIMES) ||
           (one == PCI_TIMES && other == PCI_INTEGERS);
}

/* Returns whether a number such as 5e400 may be a hexadecimal id. */
static bool is_hexadecimal(const pci_cell *cell)
{
    for (uint32_t i = 0; i < cell->length; i++)
        if (!pci_is_letter_or_digit(cell->text[i]))
            return false;
    return true;
}

bool pci_is_label(const pci_cell *cell)
{
    bool has_letter = false, is_list = false, has_digits_only = true;
    bool has_exponent = false; /* as R writes 1e+05 */
    const char *end = cell->text + cell->length;
    for (const char *at = cell->text; at < end; at++) {
        bool is_digit = *at >= '0' && *at <= '9', separates = memchr(", |;\t", *at, 5);
        has_exponent = has_exponent || (*at == '+' && at > cell->text && pci_lower(at[-1]) == 'e' &&
                                        pci_kind_of(cell) != PCI_WORDS);
        has_letter =
            has_letter || pci_is_letter_or_digit(*at) || *at == '_' || (unsigned char)*at >= 0x80;
        is_list = is_list || separates;
        has_digits_only = has_digits_only && (is_digit || separates);
    }
    return has_letter && !has_exponent && !(is_list && has_digits_only) &&
           (pci_kind_of(cell) != PCI_NUMBERS || is_hexadecimal(cell));
}

/* ---- Adding edges ---------------------------------------------------------------------------- */

/* -1 alone among labels stands for no vertex; other negative numbers are labels. */
static void note_minus(const pci_cell *cell, bool *has_minus_one, bool *has_minus)
{
    if (cell->length < 2 || *cell->text != '-' || pci_kind_of(cell) != PCI_INTEGERS)
        return;
    if (cell->length == 2 && cell->text[1] == '1')
        *has_minus_one = true;
    else
        *has_minus = true;
}

void pci_add_edges(pci_found *f, const pci_table *t, pci_reading_kind kind, uint32_t from,
                   uint32_t to, pci_reading reading)
{
    bool integers = true, has_missing = false, are_short = true;
    bool has_minus_one = false, has_minus = false;
    if (from >= t->n_columns || to >= t->n_columns ||
        (reading.first_row == 0 && pci_row_length(t, 0) < t->n_columns))
        return;
    for (uint32_t r = reading.first_row; r < t->n_rows; r++) {
        const pci_cell *row = t->row[r];
        bool are_labels = f->asked->n_columns > 0
                              ? row[from].length > 0 && row[to].length > 0
                              : pci_is_label(&row[from]) && pci_is_label(&row[to]);
        if (!are_labels)
            return;
        has_missing = has_missing || pci_kind_of(&row[from]) == PCI_NOTHING ||
                      pci_kind_of(&row[to]) == PCI_NOTHING;
        note_minus(&row[from], &has_minus_one, &has_minus);
        note_minus(&row[to], &has_minus_one, &has_minus);
        are_short = are_short && row[from].length == 2 && row[to].length == 2;
        integers =
            integers && pci_kind_of(&row[from]) <= PCI_TIMES && pci_kind_of(&row[to]) <= PCI_TIMES;
    }
    has_missing = has_missing || (has_minus_one && !has_minus);
    if (has_missing && !are_short && f->asked->format != PC_FORMAT_EDGE_LIST)
        return; /* among codes of two letters NA is one */
    reading.refuses_minus_one = !has_minus && f->asked->format != PC_FORMAT_EDGE_LIST;
    reading.refuses_missing = !are_short && f->asked->format != PC_FORMAT_EDGE_LIST;
    reading.kind = kind;
    reading.table = t;
    reading.separator = t->separator;
    reading.n_skipped = t->n_skipped;
    reading.n_columns = t->n_columns;
    reading.facts |= (integers ? PCI_ALL_INTEGERS : 0) | (t->is_rare ? PCI_LOOSE : 0);
    reading.at[PCI_FROM] = from;
    reading.at[PCI_TO] = to;
    pci_found_add(f, &reading);
}

pci_reading pci_new_reading(uint32_t first_row, unsigned facts)
{
    pci_reading reading = {.first_row = first_row, .facts = facts};
    for (int role = 0; role < PCI_N_ROLES; role++)
        reading.at[role] = PCI_NO_COLUMN;
    return reading;
}

/* Returns whether the first row has words, perhaps with one digit at the end, above a column of numbers. */
bool pci_is_words_over_numbers(const pci_table *t, uint32_t corner)
{
    enum { FEW_ROWS = 3 };
    uint32_t n = pci_row_length(t, 0), shift = t->n_columns - n;
    bool found = false;
    if (t->n_rows < 2 || n > t->n_columns || shift > 1)
        return false;
    if (t->n_columns == corner + 2 && t->n_rows <= FEW_ROWS &&
        pci_is_numeric(pci_column_kind(t, 1, t->n_rows, corner)) !=
            pci_is_numeric(pci_column_kind(t, 1, t->n_rows, corner + 1)))
        return false; /* numbers and words in a few lines may all be labels */
    for (uint32_t i = corner > shift ? corner : shift; i < t->n_columns; i++) {
        const pci_cell *name = &t->row[0][i - shift];
        bool is_name = name->length > 0;
        if (pci_kind_of(name) != PCI_WORDS)
            return false;
        for (uint32_t j = 0; j < name->length; j++)
            is_name = is_name && (name->text[j] < '0' || name->text[j] > '9' ||
                                  (j > 0 && j + 1 == name->length));
        found = found || (is_name && pci_is_numeric(pci_column_kind(t, 1, t->n_rows, i)));
    }
    return found;
}

/* Readings of edges below a header: names of columns that programs write, others that are likely, and columns that options
 * name. */
#include "io/readings.h"

#include "io/text.h"

/* Describes a first row that may be a header. */
typedef struct header {
    const pci_cell *cell; /* of the row, of which cell[i - shift] is above column i */
    uint32_t shift;       /* 1: the name of the first column is left out, as R does */
    uint32_t corner;      /* 1: the first column has no name */
    uint32_t n;           /* columns */
    bool made_up;         /* 0, 1, ..., as pandas calls columns */
    bool mixed;           /* some names are numbers */
    bool typed;           /* words stand above numbers */
    bool is_known, is_pair;
    bool has_others; /* another pair of columns has known names, too */
    uint32_t known[PCI_N_ROLES];
} header;

static uint32_t stem_length(const pci_cell *cell)
{
    uint32_t length = cell->length;
    while (length > 0 && cell->text[length - 1] >= '0' && cell->text[length - 1] <= '9')
        length--;
    return length;
}

static bool has_digit(const pci_cell *cell)
{
    for (uint32_t i = 0; i < cell->length; i++)
        if (cell->text[i] >= '0' && cell->text[i] <= '9')
            return true;
    return false;
}

/* The facts of a first row; false when it is no header. */
static bool look_at_header(const pci_table *t, header *h)
{
    pci_column_names names;
    uint32_t length = pci_row_length(t, 0);
    *h = (header){.cell = t->row[0], .n = t->n_columns, .made_up = true};
    h->shift = length + 1 == t->n_columns && pci_column_counts(t, 1, 0);
    if (t->n_rows < 2 || length + h->shift != h->n)
        return false;
    h->corner = h->shift || h->cell[0].length == 0;
    uint32_t n_numbers = 0;
    for (uint32_t i = h->corner; i < h->n; i++) {
        const pci_cell *cell = &h->cell[i - h->shift];
        uint64_t number;
        if (pci_kind_of(cell) == PCI_NOTHING)
            return false;
        n_numbers += pci_is_numeric(pci_kind_of(cell));
        h->made_up = h->made_up && pci_cell_number(cell, &number) && number == i - h->corner;
    }
    h->mixed = n_numbers > 0 && !h->made_up;
    h->typed = pci_is_words_over_numbers(t, h->corner);
    if (h->corner && !h->shift && !h->made_up && t->row[1][0].length > 0 &&
        t->row[1][0].name == h->cell[1].name)
        return false; /* a table with the same names across and down */
    if (!h->corner && n_numbers == h->n && !h->made_up)
        return false;
    pci_column_names_read(h->cell, h->n, h->shift, &names);
    h->is_known = pci_column_names_find_known(&names, h->known);
    h->has_others = h->is_known && pci_column_names_have_others(&names, h->known);
    if (!h->is_known)
        h->is_pair = pci_column_names_find_pair(&names, h->known);
    return true;
}

/* Returns whether the names of the ends are labels, or cells of text, below. */
static bool has_names_again(const pci_table *t, const header *h, uint32_t from, uint32_t to)
{
    uint32_t name[2] = {UINT32_MAX, UINT32_MAX};
    bool found = false;
    for (int e = 0; e < 2; e++) {
        uint32_t column = e == 0 ? from : to;
        if (column >= h->shift)
            name[e] = h->cell[column - h->shift].name;
    }
    for (uint32_t r = 1; r < t->n_rows && !found; r++)
        for (uint32_t c = 0; c < h->n && !found; c++) {
            const pci_cell *cell = &t->row[r][c];
            bool counts = c == from || c == to || pci_kind_of(cell) == PCI_WORDS;
            found = counts && (cell->name == name[0] || cell->name == name[1]);
        }
    return found;
}

/* Describes how the labels below the names of the ends look. */
typedef struct labels_below {
    bool all_have_digits, has_integer, has_0, has_1;
    bool are_alike;    /* a label is a name but for a number at their ends */
    bool are_numbered; /* and the name has such a number, too */
} labels_below;

static labels_below look_below(const pci_table *t, const header *h, uint32_t from, uint32_t to)
{
    labels_below found = {.all_have_digits = true};
    for (uint32_t r = 1; r < t->n_rows; r++)
        for (int e = 0; e < 2; e++) {
            const pci_cell *cell = &t->row[r][e == 0 ? from : to];
            uint64_t number;
            bool is_number = pci_cell_number(cell, &number);
            found.all_have_digits = found.all_have_digits && has_digit(cell);
            found.has_integer = found.has_integer || pci_kind_of(cell) == PCI_INTEGERS;
            found.has_0 = found.has_0 || (is_number && number == 0);
            found.has_1 = found.has_1 || (is_number && number == 1);
            for (int f = 0; f < 2 && !is_number; f++) {
                uint32_t column = f == 0 ? from : to;
                if (column < h->shift)
                    continue;
                const pci_cell *name = &h->cell[column - h->shift];
                uint32_t length = stem_length(name);
                bool is_alike = length > 0 && length == stem_length(cell) &&
                                memcmp(name->text, cell->text, length) == 0;
                found.are_alike = found.are_alike || is_alike;
                found.are_numbered = found.are_numbered || (is_alike && length < name->length);
            }
        }
    return found;
}

/* Returns whether all rows are in order, the first one, too, and none is there again: so lists of edges are written that
 * begin with 0. */
static bool is_sorted(const pci_table *t)
{
    uint64_t end[2], before[2] = {0, 0};
    for (uint32_t r = 0; r < t->n_rows; r++) {
        if (!pci_cell_number(&t->row[r][0], &end[0]) || !pci_cell_number(&t->row[r][1], &end[1]) ||
            (r > 0 && (end[0] < before[0] || (end[0] == before[0] && end[1] <= before[1]))))
            return false;
        memcpy(before, end, sizeof before);
    }
    return true;
}

static bool is_name_with_digit(const header *h, uint32_t column)
{
    return column >= h->shift && has_digit(&h->cell[column - h->shift]);
}

/* Returns whether a row that may be a header is one for these ends; *facts gets PCI_SURE where it can be nothing else. */
static bool judge_header(const pci_table *t, const header *h, uint32_t from, uint32_t to,
                         unsigned *facts)
{
    labels_below below = look_below(t, h, from, to);
    bool counts = pci_column_counts(t, 1, 0), above_integers = false;
    pci_kind third =
        h->made_up && !h->corner && h->n > 2 ? pci_column_kind(t, 1, t->n_rows, 2) : PCI_INTEGERS;
    bool names_have_digits = is_name_with_digit(h, from) && is_name_with_digit(h, to);
    bool over_text = (h->made_up && !below.has_integer) || third == PCI_TIMES ||
                     third == PCI_DATES || third == PCI_WORDS;
    for (uint32_t i = h->corner; i < h->n; i++)
        above_integers = above_integers || (pci_kind_of(&h->cell[i - h->shift]) == PCI_WORDS &&
                                            pci_column_kind(t, 1, t->n_rows, i) == PCI_INTEGERS);
    bool is_table = h->corner && !h->is_known && !h->is_pair && below.has_integer &&
                    pci_column_kind(t, 1, t->n_rows, 0) == PCI_WORDS;
    if ((h->mixed && !above_integers) || is_table)
        return false;
    if (!h->typed && !h->corner && !h->made_up && !(h->mixed && counts) &&
        has_names_again(t, h, from, to))
        return false;
    bool may_be_edge = below.has_0 || (below.has_1 && t->separator != ',');
    if (h->made_up && !h->corner && !over_text && third == PCI_INTEGERS && may_be_edge &&
        (t->separator == ' ' || t->separator == '\t' || is_sorted(t)))
        return false;
    if (!h->is_known && !h->corner && !h->made_up && !h->typed && !h->is_pair &&
        (names_have_digits || below.are_numbered))
        return false;
    bool digits = t->n_rows > 3 && below.all_have_digits && !is_name_with_digit(h, from) &&
                  !is_name_with_digit(h, to);
    bool is_sure = h->typed || (h->is_known && !below.are_alike) || h->corner || over_text ||
                   (h->is_pair && t->n_rows > 3 && !below.are_alike) || digits;
    bool default_names = names_have_digits && h->is_known; /* V1, V2 */
    *facts = (is_sure && !h->mixed ? PCI_SURE : 0) |
             (h->is_known && !default_names ? PCI_NAMED : 0) |
             ((h->typed && !h->is_known) || h->corner || h->made_up ? PCI_NO_LABELS : 0);
    return true;
}

static void add_header(pci_found *f, const pci_table *t, const header *h, uint32_t from,
                       uint32_t to, unsigned more)
{
    unsigned facts;
    if (from >= h->n || to >= h->n)
        return;
    if (!judge_header(t, h, from, to, &facts)) {
        if (f->asked->header != PC_HEADER_FIRST_LINE)
            return;
        facts = 0;
    }
    pci_reading reading = pci_new_reading(1, facts | more);
    reading.shift = h->shift;
    bool is_third = t->n_columns == 3 && h->known[PCI_WEIGHT] == PCI_NO_COLUMN && from == 0 &&
                    to == 1 && pci_is_numeric(pci_column_kind(t, 1, t->n_rows, 2));
    bool is_data = t->n_columns == 3 && pci_column_kind(t, 1, t->n_rows, 2) == PCI_DATA;
    reading.at[PCI_WEIGHT] = is_third || is_data ? 2 : h->known[PCI_WEIGHT];
    reading.at[PCI_TYPE] = h->is_known ? h->known[PCI_TYPE] : PCI_NO_COLUMN;
    pci_add_edges(f, t, PCI_EDGES_HEADER, from, to, reading);
    if (!h->shift || t->row[1][0].is_quoted)
        return;
    reading = pci_new_reading(1, PCI_LOOSE | PCI_NO_LABELS);
    reading.at[PCI_WEIGHT] = t->n_columns == 3 ? 2 : PCI_NO_COLUMN;
    pci_add_edges(f, t, PCI_EDGES_HEADER, 0, 1, reading);
}

void pci_find_header(pci_found *f, const pci_table *t)
{
    header h;
    pci_column_names names;
    pci_reading alone = pci_new_reading(1, PCI_SURE);
    bool has_sizes = false;
    for (uint32_t i = 0; i < f->n; i++)
        has_sizes =
            has_sizes || (f->reading[i].kind == PCI_EDGES_SIZES && f->reading[i].table == t);
    pci_column_names_read(t->row[0], t->n_columns, 0, &names);
    if (t->n_rows == 1 && t->row[0][0].length > 1 && /* a line of names, longer than letters */
        pci_column_names_find_known(&names, alone.at))
        pci_add_edges(f, t, PCI_EDGES_HEADER, alone.at[PCI_FROM], alone.at[PCI_TO], alone);
    bool is_asked = f->asked->header == PC_HEADER_FIRST_LINE, may_be = look_at_header(t, &h);
    if (t->n_rows > 2 && pci_row_length(t, 0) == 1 && pci_kind_of(t->row[0]) == PCI_WORDS)
        pci_add_edges(f, t, PCI_EDGES_HEADER, 0, 1, pci_new_reading(1, PCI_LOOSE));
    else if (is_asked && t->n_rows > 1 && !has_sizes &&
             (!may_be || (h.n > 3 && !h.is_known && !h.is_pair)))
        pci_add_edges(f, t, PCI_EDGES_HEADER, 0, 1, pci_new_reading(1, 0));
    if (!may_be ||
        (h.corner && !pci_are_distinct(f->sample, t->row[1], t->n_rows - 1, t->n_columns)))
        return;
    bool is_found = h.is_known || h.is_pair;
    uint32_t n = h.n - h.corner;
    bool counts = pci_column_counts(t, 1, 0);
    bool are_alike = pci_are_alike_kinds(pci_column_kind(t, 1, t->n_rows, h.corner),
                                         pci_column_kind(t, 1, t->n_rows, h.corner + 1));
    if (is_found) {
        add_header(f, t, &h, h.known[PCI_FROM], h.known[PCI_TO], h.has_others ? PCI_LOOSE : 0);
    } else if (n == 3 && !are_alike) {
        add_header(f, t, &h, h.corner, h.corner + 2, PCI_LOOSE);
        add_header(f, t, &h, h.corner + 1, h.corner + 2, PCI_LOOSE);
        add_header(f, t, &h, h.corner, h.corner + 1, PCI_LOOSE);
    } else if (n == 2 || n == 3) {
        add_header(f, t, &h, h.corner, h.corner + 1, are_alike ? 0 : PCI_LOOSE);
    } else if (n == 4 && counts) {
        add_header(f, t, &h, 0, 1, PCI_LOOSE);
    }
    if (!h.is_known && !h.corner && (h.n == 3 || h.n == 4) && counts)
        add_header(f, t, &h, 1, 2, 0);
}

/* ---- Columns that are asked for -------------------------------------------------------------- */

uint32_t pci_column_find(const pci_table *t, const char *text, size_t length)
{
    uint32_t found = PCI_NO_COLUMN, n = pci_row_length(t, 0), shift = t->n_columns > n;
    for (uint32_t i = n; i > 0; i--) {
        const pci_cell *cell = &t->row[0][i - 1];
        if (cell->length == length && memcmp(cell->text, text, length) == 0)
            return i - 1 + shift;
        if (cell->length == length && pci_equal_any_case(cell->text, text, length))
            found = i - 1 + shift;
    }
    return found;
}

/* Finds ends, and weights, in columns beside that of a text: those that a header names so, else the first two others, and
 * numbers in the third and last one. */
static void find_ends_beside(const pci_table *t, const header *h, uint32_t at[PCI_MOST_ASKED])
{
    uint32_t text = at[PCI_ASKED_TEXT], last = text == 3 ? 2 : 3;
    bool is_known = h && h->is_known && h->known[PCI_FROM] != text && h->known[PCI_TO] != text;
    at[PCI_FROM] = is_known ? h->known[PCI_FROM] : text == 0;
    at[PCI_TO] = is_known ? h->known[PCI_TO] : text <= 1 ? 2 : 1;
    if (is_known)
        at[PCI_WEIGHT] = h->known[PCI_WEIGHT] != text ? h->known[PCI_WEIGHT] : PCI_NO_COLUMN;
    else if (t->n_columns == 4 && pci_is_numeric(pci_column_kind(t, h != NULL, t->n_rows, last)))
        at[PCI_WEIGHT] = last;
}

void pci_find_asked(pci_found *f, const pci_table *t)
{
    const pci_asked *a = f->asked;
    uint32_t at[PCI_MOST_ASKED] = {PCI_NO_COLUMN, PCI_NO_COLUMN, PCI_NO_COLUMN, PCI_NO_COLUMN};
    unsigned facts = PCI_SURE;
    header h;
    for (uint32_t i = 0; i < PCI_MOST_ASKED; i++) {
        if (i >= a->n_columns && !a->text[i])
            continue;
        at[i] = a->number[i] != PCI_NO_COLUMN ? a->number[i]
                                              : pci_column_find(t, a->text[i], a->length[i]);
        if (at[i] >= t->n_columns)
            return;
    }
    bool is_header = look_at_header(t, &h);
    if (a->finds_ends)
        find_ends_beside(t, is_header ? &h : NULL, at);
    if (at[PCI_TO] >= t->n_columns)
        return;
    bool is_likely = is_header && judge_header(t, &h, at[0], at[1], &facts);
    pci_reading reading = pci_new_reading(1, facts);
    reading.at[PCI_WEIGHT] = at[2];
    reading.at[PCI_TEXT] = at[PCI_ASKED_TEXT];
    reading.shift = t->n_columns - pci_row_length(t, 0);
    if (a->has_names || a->header == PC_HEADER_FIRST_LINE || is_likely)
        pci_add_edges(f, t, PCI_EDGES_HEADER, at[0], at[1], reading);
    reading.first_row = 0;
    reading.facts = 0;
    reading.shift = 0;
    if (!a->has_names && !pci_is_words_over_numbers(t, 0))
        pci_add_edges(f, t, PCI_EDGES, at[0], at[1], reading);
}

/* Returns whether two columns have labels of one kind, and share some. */
static bool may_be_ends(const pci_sample *s, const pci_table *t, uint32_t first, uint32_t from,
                        uint32_t to)
{
    bool share = false;
    pci_kind kind = pci_column_kind(t, first, t->n_rows, from);
    if ((kind != PCI_WORDS && kind != PCI_INTEGERS && kind != PCI_TIMES) ||
        !pci_are_alike_kinds(pci_column_kind(t, first, t->n_rows, to), kind))
        return false;
    for (uint32_t r = first; r < t->n_rows; r++)
        s->mark[t->row[r][from].name] = 1;
    for (uint32_t r = first; r < t->n_rows && !share; r++)
        share = s->mark[t->row[r][to].name];
    for (uint32_t r = first; r < t->n_rows; r++)
        s->mark[t->row[r][from].name] = 0;
    return share;
}

void pci_find_pairs(pci_found *f, const pci_table *t)
{
    enum { MOST_COLUMNS = 24, MOST_PAIRS = 4 };
    header h;
    unsigned facts;
    bool may_be_header = look_at_header(t, &h) && !h.made_up;
    uint32_t n_before = f->n;
    for (uint32_t from = 0; from + 1 < t->n_columns && from < MOST_COLUMNS; from++)
        for (uint32_t to = from + 1; to < t->n_columns && to < MOST_COLUMNS; to++) {
            bool is_header = may_be_header && judge_header(t, &h, from, to, &facts);
            if (f->n - n_before == MOST_PAIRS || !may_be_ends(f->sample, t, is_header, from, to))
                continue;
            pci_reading reading = pci_new_reading(is_header, PCI_LOOSE);
            reading.shift = is_header ? h.shift : 0;
            pci_add_edges(f, t, is_header ? PCI_EDGES_HEADER : PCI_EDGES_BEHIND, from, to, reading);
        }
}

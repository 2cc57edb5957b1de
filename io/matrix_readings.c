/* Readings of adjacency matrices: with names across, down, both or none, or below their size. */
#include "graphs/multiplicity.h"
#include "io/readings.h"

#include "io/text.h"

/* A square of cells in a table. */
typedef struct square {
    const pci_table *table;
    uint32_t first_row, first_column, side;
} square;

static const pci_cell *entry(const square *q, uint32_t i, uint32_t j)
{
    return &q->table->row[q->first_row + i][q->first_column + j];
}

static bool is_zero(const pci_cell *cell)
{
    uint64_t value;
    return pci_multiplicity_parse(cell->text, cell->length, &value) == PCI_MULTIPLICITY &&
           value == 0;
}

static uint32_t rows_of(const square *q)
{
    uint32_t n = q->table->n_rows - q->first_row;
    return n < q->side ? n : q->side;
}

/* Returns whether the rows from the first one on are a square of numbers; of a larger file the first rows of one. */
static bool is_square(const pci_sample *s, const square *q)
{
    uint32_t n_rows = q->table->n_rows - q->first_row;
    if (q->first_row >= q->table->n_rows || q->side < 2 || n_rows > q->side ||
        (n_rows < q->side && (s->head.is_whole || q->side < 4)))
        return false;
    for (uint32_t i = 0; i < n_rows; i++) {
        if (pci_row_length(q->table, q->first_row + i) != q->first_column + q->side)
            return false;
        for (uint32_t j = 0; j < q->side; j++)
            if (!pci_is_numeric(pci_kind_of(entry(q, i, j))))
                return false;
    }
    return true;
}

static bool has_holes(const square *q)
{
    bool symmetric = rows_of(q) == q->side;
    for (uint32_t i = 0; i < rows_of(q); i++)
        for (uint32_t j = 0; j < q->side; j++) {
            if (is_zero(entry(q, i, j)))
                return true;
            symmetric = symmetric && j < rows_of(q) && entry(q, i, j)->name == entry(q, j, i)->name;
        }
    return symmetric;
}

/* Returns whether the last row has the sums of the rows before, as tables of people have them. */
static bool has_sums(const square *q)
{
    bool are_sums = q->side > 2 && rows_of(q) == q->side;
    uint64_t total = 0;
    for (uint32_t j = 0; j < q->side && are_sums; j++) {
        uint64_t sum = 0, value = 0;
        for (uint32_t i = 0; i + 1 < q->side; i++)
            sum += pci_cell_number(entry(q, i, j), &value) ? value : 0;
        are_sums = pci_cell_number(entry(q, q->side - 1, j), &value) && value == sum;
        total += sum;
    }
    return are_sums && total > 0;
}

/* Returns whether an entry is negative, as in matrices that are none of a graph. */
static bool has_negative(const square *q)
{
    for (uint32_t i = 0; i < rows_of(q); i++)
        for (uint32_t j = 0; j < q->side; j++)
            if (*entry(q, i, j)->text == '-' && !is_zero(entry(q, i, j)))
                return true;
    return false;
}

static void add_matrix(pci_found *f, pci_reading_kind kind, const square *q, bool across, bool down,
                       unsigned facts)
{
    const pci_table *t = q->table;
    pci_reading reading = {.kind = kind,
                           .table = t,
                           .separator = t->separator,
                           .n_skipped = t->n_skipped,
                           .first_row = q->first_row,
                           .n_columns = q->side,
                           .first_column = q->first_column,
                           .names_across = across,
                           .names_down = down};
    if (!is_square(&f->sample, q))
        return;
    reading.facts = facts | (has_holes(q) ? PCI_HOLES : 0);
    if (!(facts & PCI_LABELLED) && f->asked->format != PC_FORMAT_MATRIX &&
        (q->side == 2 || !(reading.facts & PCI_HOLES)))
        reading.facts |= PCI_LOOSE;
    if (has_sums(q) || has_negative(q))
        reading.facts |= PCI_LOOSE;
    pci_found_add(f, &reading);
}

/* V1, X2, 3, [,4], [5,]: names that programs make up, as numbers. */
static bool made_up_number(const pci_cell *cell, uint64_t *number)
{
    pci_cell digits = *cell;
    uint32_t before = 0, behind = 0;
    if (digits.length > 1 && (*digits.text == 'V' || *digits.text == 'X'))
        before = 1;
    else if (digits.length > 3 && *digits.text == '[') {
        before = 1 + (digits.text[1] == ',');
        behind = 1 + (before == 1);
    }
    digits.text += before;
    digits.length -= before + behind;
    return pci_cell_number(&digits, number);
}

/* Returns whether made-up names count on from 0 or 1. */
static bool are_made_up(const pci_cell *cell, uint32_t n, uint32_t step)
{
    uint64_t number, first = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (!made_up_number(&cell[(size_t)i * step], &number) || (i == 0 && number > 1) ||
            (i > 0 && number != first + i))
            return false;
        first = i == 0 ? number : first;
    }
    return true;
}

/* A matrix below names, perhaps with a corner before them, and behind names: the same ones, or made-up ones. */
static void find_named_matrix(pci_found *f, const pci_table *t)
{
    uint32_t length = pci_row_length(t, 0), n = t->n_columns - 1, n_down = t->n_rows - 1;
    const pci_cell *across = t->row[1] - n, *down = t->row[1];
    const square q = {t, 1, 1, n};
    if (length < n || length > n + 1 || (length > n && pci_is_numeric(pci_kind_of(t->row[0]))) ||
        n_down > n)
        return;
    bool all_numbers = true, are_same = pci_mark_cells(&f->sample, across, n, 1);
    bool differ = are_same;
    for (uint32_t i = 0; i < n_down; i++) {
        const pci_cell *cell = &down[(size_t)i * t->n_columns];
        are_same = are_same && f->sample.mark[cell->name];
        all_numbers = all_numbers && pci_is_numeric(pci_kind_of(cell));
    }
    pci_unmark_cells(&f->sample, across, n, 1);
    if (are_same && pci_are_distinct(&f->sample, down, n_down, t->n_columns))
        add_matrix(f, PCI_MATRIX_NAMES, &q, true, true, n > 2 || !all_numbers ? PCI_LABELLED : 0);
    else if (differ && are_made_up(across, n, 1) && are_made_up(down, n_down, t->n_columns))
        add_matrix(f, PCI_MATRIX_NAMES, &q, true, false, n > 3 ? PCI_LABELLED : 0);
}

/* A matrix below a line with its number of rows. */
static void find_below_size(pci_found *f, const pci_table *t)
{
    const square q = {t, 0, 0, t->n_columns};
    const pci_span *line = &f->sample.line[0];
    const pci_cell cell = pci_cell_of(line->begin, line->end);
    uint64_t number;
    if (t->n_skipped == 1 && pci_cell_number(&cell, &number) && number == t->n_columns)
        add_matrix(f, PCI_MATRIX_NAMES, &q, false, false, 0);
}

void pci_find_matrices(pci_found *f, const pci_table *t)
{
    if (t->is_below_sizes) {
        find_below_size(f, t);
        return;
    }
    uint32_t length = pci_row_length(t, 0), n_numbers = 0;
    const square plain = {t, 0, 0, t->n_columns}, below = {t, 1, 0, t->n_columns};
    const square behind = {t, 0, 1, t->n_columns - 1};
    uint64_t number;
    add_matrix(f, PCI_MATRIX, &plain, false, false, 0);
    if (t->n_rows < 2)
        return;
    bool is_size = length <= 2;
    for (uint32_t i = 0; i < length; i++) {
        is_size = is_size && pci_cell_number(&t->row[0][i], &number) && number == t->n_columns;
        n_numbers += pci_is_numeric(pci_kind_of(&t->row[0][i]));
    }
    if (is_size)
        add_matrix(f, PCI_MATRIX_NAMES, &below, false, false, 0);
    if (length == t->n_columns && pci_are_distinct(&f->sample, t->row[0], length, 1) &&
        (length > 3 || (length == 3 && are_made_up(t->row[0], length, 1)) || n_numbers == 0 ||
         (f->asked->format == PC_FORMAT_MATRIX &&
          (n_numbers < length || f->sample.n_lines == length + 1))))
        add_matrix(f, PCI_MATRIX_NAMES, &below, true, false, 0);
    if (length == t->n_columns && t->n_rows > 2 &&
        pci_are_distinct(&f->sample, t->row[0], t->n_rows, t->n_columns))
        add_matrix(f, PCI_MATRIX_NAMES, &behind, false, true, 0);
    find_named_matrix(f, t);
}

void pci_find_single_entry(pci_found *f)
{
    const pci_sample *s = &f->sample;
    const pci_reading reading = {.kind = PCI_MATRIX, .separator = ' ', .n_columns = 1};
    uint64_t value;
    if (s->n_lines != 1)
        return;
    const pci_cell cell = pci_cell_of(s->line[0].begin, s->line[0].end);
    if (pci_multiplicity_parse(cell.text, cell.length, &value) == PCI_MULTIPLICITY)
        pci_found_add(f, &reading);
}

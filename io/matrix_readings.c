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

/* Returns whether the last row has the sums of the rows before, as tables of people have them. */
static bool has_sums(const square *q)
{
    bool are_sums = q->side > 2 && q->table->n_rows - q->first_row == q->side;
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

/* Adds a matrix where the rows from the first one on are a square of numbers; of a larger file the first rows of one.
 * */
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
                           .names_down = down,
                           .facts = facts};
    uint32_t n_rows = t->n_rows - q->first_row;
    bool has_zero = false, is_symmetric = n_rows == q->side, has_negative = false;
    if (q->first_row >= t->n_rows || q->side < 2 || n_rows > q->side ||
        (n_rows < q->side && (f->sample.head.is_whole || q->side < 4)))
        return;
    for (uint32_t i = 0; i < n_rows; i++) {
        if (pci_row_length(t, q->first_row + i) != q->first_column + q->side)
            return;
        for (uint32_t j = 0; j < q->side; j++) {
            const pci_cell *cell = entry(q, i, j);
            uint64_t value = 1;
            if (!pci_is_numeric(cell->kind))
                return;
            bool is_zero =
                (!has_zero || *cell->text == '-') &&
                pci_multiplicity_parse(cell->text, cell->length, &value) == PCI_MULTIPLICITY &&
                value == 0;
            has_zero = has_zero || is_zero;
            has_negative = has_negative || (*cell->text == '-' && !is_zero);
            is_symmetric = is_symmetric && cell->name == entry(q, j, i)->name;
        }
    }
    bool has_holes = has_zero || is_symmetric;
    if ((!(facts & PCI_LABELLED) && f->asked->format != PC_FORMAT_MATRIX &&
         (q->side == 2 || !has_holes)) ||
        has_negative || has_sums(q))
        reading.facts |= PCI_LOOSE;
    reading.facts |= has_holes ? PCI_HOLES : 0;
    pci_found_add(f, &reading);
}

/* Returns whether names are made up by a program and count on from 0 or 1: V1, X2, 3, [,4], [5,]. */
static bool are_made_up(const pci_cell *cell, uint32_t n, uint32_t step)
{
    uint64_t number, first = 0;
    for (uint32_t i = 0; i < n; i++) {
        pci_cell digits = cell[(size_t)i * step];
        if (digits.length > 1 && (*digits.text == 'V' || *digits.text == 'X')) {
            digits.text++;
            digits.length--;
        } else if (digits.length > 3 && *digits.text == '[') {
            digits.text += 1 + (digits.text[1] == ',');
            digits.length -= 3;
        }
        if (!pci_cell_number(&digits, &number) || (i == 0 ? number > 1 : number != first + i))
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
    if (length < n || length > n + 1 || (length > n && pci_is_numeric(t->row[0]->kind)) ||
        n_down > n)
        return;
    bool differ = pci_are_distinct(&f->sample, across, n, 1), are_same = differ, all_numbers = true;
    for (uint32_t i = 0; i < n; i++)
        f->sample.mark[across[i].name] = 1;
    for (uint32_t i = 0; i < n_down; i++) {
        const pci_cell *cell = &down[(size_t)i * t->n_columns];
        are_same = are_same && f->sample.mark[cell->name];
        all_numbers = all_numbers && pci_is_numeric(cell->kind);
    }
    for (uint32_t i = 0; i < n; i++)
        f->sample.mark[across[i].name] = 0;
    if (are_same && pci_are_distinct(&f->sample, down, n_down, t->n_columns))
        add_matrix(f, PCI_MATRIX_NAMES, &q, true, true, n > 2 || !all_numbers ? PCI_LABELLED : 0);
    else if (differ && are_made_up(across, n, 1) && are_made_up(down, n_down, t->n_columns))
        add_matrix(f, PCI_MATRIX_NAMES, &q, true, false, n > 3 ? PCI_LABELLED : 0);
}

void pci_find_matrices(pci_found *f, const pci_table *t)
{
    uint32_t length = pci_row_length(t, 0), n_numbers = 0;
    const square plain = {t, 0, 0, t->n_columns}, below = {t, 1, 0, t->n_columns};
    const square behind = {t, 0, 1, t->n_columns - 1};
    uint64_t number;
    if (t->is_below_sizes) {
        const pci_span *line = &f->sample.line[0];
        const pci_cell cell = pci_cell_of(line->begin, line->end);
        if (t->n_skipped == 1 && pci_cell_number(&cell, &number) && number == t->n_columns)
            add_matrix(f, PCI_MATRIX_NAMES, &plain, false, false, 0);
        return;
    }
    add_matrix(f, PCI_MATRIX, &plain, false, false, 0);
    if (t->n_rows < 2)
        return;
    bool is_size = length <= 2;
    for (uint32_t i = 0; i < length; i++) {
        is_size = is_size && pci_cell_number(&t->row[0][i], &number) && number == t->n_columns;
        n_numbers += pci_is_numeric(t->row[0][i].kind);
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

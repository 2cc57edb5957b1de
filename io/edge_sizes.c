/* Readings of edges below a line of sizes: the numbers of vertices and of edges, as METIS, Gset and contests have them. */
#include "io/edge_columns.h"

#include "io/text.h"
#include "src/core/checksum.h"

/* A line of sizes is believed above this many lines or more. Above fewer it could be an edge by chance. */
enum { MANY_LINES = 32 };

/* Counts the lines of data, without the first ones. Returns 0 and sets f->status when reading fails. */
static uint64_t count_lines(pci_found *f, uint32_t before)
{
    const pci_sample *s = f->sample;
    pci_window window = pci_window_on(s->input);
    uint64_t n = 0;
    pci_window_move(&window, (uint64_t)(s->head.end - s->input->text), s->input->n_all);
    while (pci_window_lines(&window)) {
        const char *at = window.begin, *line, *end;
        while (pci_next_line(&at, window.end, &line, &end)) {
            line = pci_skip_blanks(line, end);
            n += line < end && *line != '#' && *line != '%' && *line != '\r';
        }
    }
    if (window.status)
        f->status = pci_window_fail(s->input, window.status, window.error);
    pci_window_close(&window);
    return f->status ? 0 : n + s->n_lines - before;
}

/* Describes the lines below the numbers. */
typedef struct body {
    uint64_t n_lines, greatest;
    bool has_zero, has_first, has_second; /* 0, and the first two numbers, are ends */
    bool is_mutual;                       /* each line is there again with its ends exchanged */
} body;

static bool read_body(const pci_table *t, uint32_t first, const uint64_t number[2], body *b)
{
    uint64_t sum = 0, end[2];
    *b = (body){.n_lines = t->n_rows - first};
    for (uint32_t r = first; r < t->n_rows; r++) {
        for (int c = 0; c < 2; c++) {
            if (!pci_cell_number(&t->row[r][c], &end[c]))
                return false;
            b->greatest = end[c] > b->greatest ? end[c] : b->greatest;
            b->has_zero = b->has_zero || end[c] == 0;
            b->has_first = b->has_first || end[c] == number[0];
            b->has_second = b->has_second || end[c] == number[1];
        }
        uint64_t low = end[0] < end[1] ? end[0] : end[1], high = end[0] + end[1] - low;
        uint64_t hash = pci_scramble(pci_scramble(low) + high);
        sum += end[0] < end[1] ? hash : end[0] > end[1] ? -hash : 0;
    }
    b->is_mutual = sum == 0;
    return true;
}

/* Gives the numbers of the first row, or of the lines above the table; returns how many, or 0. */
static uint32_t take_numbers(const pci_sample *s, const pci_table *t,
                             uint64_t number[PCI_LINE_COLUMNS])
{
    uint32_t n = t->is_below_sizes ? t->n_skipped : pci_row_length(t, 0);
    for (uint32_t i = 0; i < n && n <= PCI_LINE_COLUMNS; i++) {
        const pci_cell cell =
            t->is_below_sizes ? pci_cell_of(s->line[i].begin, s->line[i].end) : t->row[0][i];
        if (!pci_cell_number(&cell, &number[i]))
            return 0;
    }
    return n <= PCI_LINE_COLUMNS ? n : 0;
}

/* Tells which statements about the body the numbers can be. */
typedef struct stated {
    bool says_lines, in_range; /* how many lines there are, and above which number no vertex is */
    bool gap;                  /* the second number is no vertex next to the others */
    bool near;                 /* the first one is the greatest vertex, or one more */
} stated;

static stated compare_sizes(const uint64_t *number, uint32_t n, const body *b)
{
    uint64_t most = number[0] > b->greatest ? number[0] : b->greatest;
    stated found = {.in_range = b->greatest < number[0] + !b->has_zero,
                    .says_lines =
                        b->n_lines % 2 == 0 && b->is_mutual && number[n > 1] == b->n_lines / 2,
                    .gap = number[n > 1] > most + 1,
                    .near = number[0] == b->greatest || number[0] == b->greatest + 1};
    for (uint32_t i = n > 1; i < n; i++)
        found.says_lines = found.says_lines || number[i] == b->n_lines;
    return found;
}

/* `5 6` above six lines: the numbers of vertices and of edges, perhaps with more between; or one of them alone. */
void pci_find_sizes(pci_found *f, const pci_table *t)
{
    uint64_t number[PCI_LINE_COLUMNS] = {0};
    uint32_t first = !t->is_below_sizes, n = take_numbers(f->sample, t, number);
    body b;
    bool may_state = false;
    if (n == 0 || t->n_rows <= first || t->n_columns > 4 || !read_body(t, first, number, &b))
        return;
    for (uint32_t i = 0; i < n; i++)
        may_state = may_state || number[i] >= b.n_lines || number[i] == b.n_lines / 2;
    uint64_t n_in_head = b.n_lines;
    if (may_state && !f->sample->head.is_whole)
        b.n_lines = count_lines(f, t->n_skipped + first);
    if (n == 2 && number[0] == b.n_lines && number[1] != b.n_lines &&
        b.n_lines > 3) { /* edges before vertices */
        number[0] = number[1];
        number[1] = b.n_lines;
    }
    stated says = compare_sizes(number, n, &b);
    bool is_alike = !t->is_below_sizes && n == t->n_columns;
    if (n == 1 ? !says.says_lines && !(says.in_range && says.near)
               : !(says.in_range && says.says_lines) &&
                     !(is_alike && says.gap && says.near && number[1] > 2 * number[0]))
        return;
    bool alone = !b.has_first && !b.has_second && n_in_head > 2 && number[1] == b.n_lines &&
                 number[0] != number[1];
    bool is_sure = n == 1 || (says.in_range && says.says_lines &&
                              (!is_alike || alone || b.n_lines >= MANY_LINES ||
                               (says.gap && number[0] - !b.has_zero <= b.greatest)));
    pci_reading reading = pci_new_reading(first, is_sure ? PCI_SURE : 0);
    reading.first_vertex = !b.has_zero;
    reading.n_vertices = says.in_range && !(n == 1 && says.says_lines) ? number[0] : 0;
    if (t->n_columns >= 3 && pci_is_numeric(pci_column_kind(t, first, t->n_rows, 2)))
        reading.at[PCI_WEIGHT] = 2;
    pci_add_edges(f, t, PCI_EDGES_SIZES, 0, 1, reading);
}

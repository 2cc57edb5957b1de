/* Readings of METIS, LGL, and pairs in brackets. */
#include "graphs/multiplicity.h"
#include "io/readings.h"

#include "io/text.h"
#include "src/core/checksum.h"

/* ---- METIS ----------------------------------------------------------------------------------- */

/* The rows of vertices that stand in the first lines. */
typedef struct metis_rows {
    uint64_t n_vertices, n, n_before,
        step;         /* numbers before the first neighbour, and from one to the next */
    uint64_t n_ends;  /* neighbours */
    uint64_t balance; /* of hashes: 0 when each edge between these rows is in both of them */
} metis_rows;

/* Reads the sizes "vertices edges [format [weights of a vertex]]". */
static bool take_sizes(const char *at, const char *end, uint64_t size[4])
{
    int n = 0;
    const char *to;
    for (at = pci_next_word(at, end, ' ', &to); at < end; at = pci_next_word(to, end, ' ', &to)) {
        const pci_cell cell = pci_cell_of(at, to);
        if (n == 4 || !pci_cell_number(&cell, &size[n++]))
            return false;
    }
    return n > 1 && size[0] > 1 && size[1] > 0 && size[2] <= 111 && size[2] % 10 < 2 &&
           size[2] / 10 % 10 < 2;
}

/* Takes the neighbours of a row, which are vertices other than itself. */
static bool take_row(metis_rows *m, uint64_t row, const char *at, const char *end)
{
    const char *to;
    uint64_t n = 0, number;
    for (at = pci_next_word(at, end, ' ', &to); at < end;
         at = pci_next_word(to, end, ' ', &to), n++) {
        const pci_cell cell = pci_cell_of(at, to);
        if (!pci_cell_number(&cell, &number))
            return false;
        if (n < m->n_before || (n - m->n_before) % m->step > 0)
            continue;
        if (number == 0 || number > m->n_vertices || number == row)
            return false;
        m->n_ends++;
        uint64_t low = row < number ? row : number, high = row + number - low;
        uint64_t hash = pci_scramble(pci_scramble(low) + high);
        m->balance += high > m->n ? 0 : row == low ? hash : -hash;
    }
    return n >= m->n_before && (n - m->n_before) % m->step == 0;
}

/* Counts the rows first, then takes them. */
void pci_find_metis(pci_found *f)
{
    const pci_head *head = &f->sample.head;
    const char *first = head->begin, *line, *end;
    uint64_t size[4] = {0, 0, 0, 1}, n_lines = 0;
    if (!pci_head_data_line(head, &first, &line, &end) || !take_sizes(line, end, size))
        return;
    metis_rows m = {.n_vertices = size[0],
                    .n_before = size[2] / 100 + (size[2] / 10 % 10 > 0 ? size[3] : 0),
                    .step = 1 + size[2] % 10};
    for (int pass = 0; pass < 2; pass++) {
        m.n = n_lines < m.n_vertices ? n_lines : m.n_vertices;
        n_lines = 0;
        for (const char *at = first; pci_head_line(head, &at, &line, &end);) {
            if (line < end && (*line == '%' || *line == '#'))
                continue;
            n_lines++;
            if (pass > 0 && (n_lines <= m.n ? !take_row(&m, n_lines, line, end) : line < end))
                return;
        }
    }
    if (m.n < 2 || m.n_ends == 0 || m.balance != 0 ||
        (head->is_whole && (m.n_ends != 2 * size[1] || m.n != m.n_vertices)))
        return;
    const pci_reading reading = {.kind = PCI_METIS, .facts = m.n_vertices > 3 ? PCI_SURE : 0};
    pci_found_add(f, &reading);
}

/* "# a" and then a neighbour a line, perhaps with a weight. */
void pci_find_lgl(pci_found *f)
{
    const pci_sample *s = &f->sample;
    const char *at = s->head.begin, *line, *end, *to;
    pci_reading reading = {.kind = PCI_LGL};
    uint32_t n_heads = 0;
    bool good = at < s->head.end && *at == '#';
    while (good && pci_head_line(&s->head, &at, &line, &end)) {
        bool is_head = line < end && *line == '#';
        const char *word = pci_next_word(line + is_head, end, ' ', &to);
        const char *more = pci_next_word(to, end, ' ', &to);
        uint64_t value;
        n_heads += is_head;
        good = line == end ||
               (word < end &&
                (is_head ? word > line + 1 && more == end
                         : more == end ||
                               (to == end && pci_multiplicity_parse(more, (size_t)(to - more),
                                                                    &value) != PCI_NO_NUMBER)));
    }
    if (good && n_heads > 2 && s->n_lines > 0)
        pci_found_add(f, &reading);
}

/* ---- Pairs in brackets ----------------------------------------------------------------------- */

/* Moves behind "(a, b)", or "(a, b, 3)" and "(a, b, {...})"; NULL: there is none. */
static const char *skip_pair(const char *at, const char *end)
{
    int n_commas = 0;
    uint64_t value;
    const char *third = NULL;
    if (at == end || *at != '(')
        return NULL;
    for (at++; at < end && *at != ')'; at++) {
        if (*at == '"' || *at == '\'') {
            const char *closing = memchr(at + 1, *at, (size_t)(end - at - 1));
            at = closing ? closing : end - 1;
        }
        if (*at == '{' && n_commas == 2) {
            const char *closing = memchr(at, '}', (size_t)(end - at));
            at = closing ? closing + 1 : end;
            return at < end && *at == ')' ? at + 1 : NULL;
        }
        if (*at == '(' || *at == '[' || *at == '{')
            return NULL;
        n_commas += *at == ',';
        third = *at == ',' && n_commas == 2 ? pci_skip_blanks(at + 1, end) : third;
    }
    if (at == end || n_commas < 1 || n_commas > 2 ||
        (n_commas == 2 && pci_multiplicity_parse(third, (size_t)(pci_trim_end(third, at) - third),
                                                 &value) == PCI_NO_NUMBER))
        return NULL;
    return at + 1;
}

/* "(a, b)" alone, several in a line or in a list; or one a line with a number behind, as sparse matrices are printed. */
void pci_find_tuples(pci_found *f)
{
    const pci_sample *s = &f->sample;
    bool has_title = s->n_lines > 1 && pci_trim_end(s->line[0].begin, s->line[0].end)[-1] == '=';
    bool tuples = s->n_lines > 0, entries = tuples;
    for (uint32_t i = has_title; i < s->n_lines && (tuples || entries); i++) {
        const char *at = pci_skip_blanks(s->line[i].begin, s->line[i].end), *end = s->line[i].end;
        const char *behind = skip_pair(at, end);
        const char *value = behind ? pci_skip_blanks(behind, end) : end;
        uint64_t number;
        entries = entries && behind && value > behind &&
                  pci_multiplicity_parse(value, (size_t)(pci_trim_end(value, end) - value),
                                         &number) != PCI_NO_NUMBER;
        at += i == 0 && at < end && *at == '[';
        while (tuples && (at = pci_skip_blanks(at, end)) < end) {
            behind = skip_pair(at, end);
            bool closes = !behind && *at == ']' && i + 1 == s->n_lines;
            tuples = behind || closes;
            at = closes ? at + 1 : behind;
            if (tuples && (at = pci_skip_blanks(at, end)) < end)
                at += *at == ',';
        }
    }
    pci_reading reading = {.kind = tuples ? PCI_TUPLES : PCI_ENTRIES, .facts = PCI_SURE};
    if (tuples || entries)
        pci_found_add(f, &reading);
}

/* Readings of METIS, LGL, and pairs in brackets. */
#include "graphs/multiplicity.h"
#include "io/readers.h"

#include "src/core/checksum.h"

/* ---- METIS ----------------------------------------------------------------------------------- */

/* The rows of vertices that stand in the first lines. */
typedef struct metis_rows {
    uint64_t n_vertices, n, n_before,
        step;         /* numbers before the first neighbour, and from one to the next */
    uint64_t n_ends;  /* neighbours */
    uint64_t balance; /* of hashes: 0 when each edge between these rows is in both of them */
} metis_rows;

static bool next_number(const char **at, const char *end, uint64_t *number, bool *good)
{
    pci_word word;
    bool found = pci_next_word(at, end, ' ', &word);
    const pci_cell cell = pci_cell_of(word.text, word.text + word.length);
    *good = *good && (!found || pci_cell_number(&cell, number));
    return found && *good;
}

/* Takes the neighbours of a row, which are vertices other than itself. */
static bool take_row(metis_rows *m, uint64_t row, const char *at, const char *end)
{
    uint64_t n = 0, number;
    bool good = true;
    for (; next_number(&at, end, &number, &good); n++) {
        if (n < m->n_before || (n - m->n_before) % m->step > 0)
            continue;
        if (number == 0 || number > m->n_vertices || number == row)
            return false;
        m->n_ends++;
        uint64_t low = row < number ? row : number, high = row + number - low;
        uint64_t hash = pci_scramble(pci_scramble(low) + high);
        m->balance += high > m->n ? 0 : row == low ? hash : -hash;
    }
    return good && n >= m->n_before && (n - m->n_before) % m->step == 0;
}

/* "vertices edges [format [weights of a vertex]]" above the rows of vertices. Counts the rows first, then takes them.
 * */
void pci_find_metis(pci_found *f)
{
    enum { MOST_SIZES = 5 };
    const pci_head *head = &f->sample.head;
    const char *first = head->begin, *line, *end;
    uint64_t size[MOST_SIZES] = {0, 0, 0, 1}, n_lines = 0;
    bool good = pci_head_data_line(head, &first, &line, &end);
    uint32_t n = 0;
    while (good && n < MOST_SIZES && next_number(&line, end, &size[n], &good))
        n++;
    if (!good || n < 2 || n == MOST_SIZES || size[0] < 2 || size[1] == 0 || size[2] > 111 ||
        size[2] % 10 > 1 || size[2] / 10 % 10 > 1)
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
    const char *at = s->head.begin, *line, *end;
    pci_reading reading = {.kind = PCI_LGL};
    uint32_t n_heads = 0;
    bool good = at < s->head.end && *at == '#';
    while (good && pci_head_line(&s->head, &at, &line, &end)) {
        bool is_head = line < end && *line == '#',
             is_close = is_head && line + 1 < end && !pci_is_blank(line[1]);
        pci_word word, more;
        uint64_t value;
        n_heads += is_head;
        if (line == end)
            continue;
        line += is_head;
        good = !is_close && pci_next_word(&line, end, ' ', &word);
        if (good && pci_next_word(&line, end, ' ', &more))
            good = !is_head && line == end &&
                   pci_multiplicity_parse(more.text, more.length, &value) != PCI_NO_NUMBER;
    }
    if (good && n_heads > 2 && s->n_lines > 0)
        pci_found_add(f, &reading);
}

/* "(a, b)" alone, several in a line or in a list; or one a line with a number behind, as sparse matrices are printed.
 * The reader tells whether the first lines are such. */
void pci_find_tuples(pci_found *f)
{
    const pci_sample *s = &f->sample;
    pc_context *context = f->asked->input->context;
    bool has_title = s->n_lines > 1 && pci_trim_end(s->line[0].begin, s->line[0].end)[-1] == '=';
    if (s->n_lines <= has_title ||
        !memchr("([", *pci_skip_blanks(s->line[has_title].begin, s->line[has_title].end), 2))
        return;
    for (pci_reading_kind kind = PCI_TUPLES; kind <= PCI_ENTRIES; kind++) {
        const pci_reading reading = {.kind = kind, .facts = PCI_SURE};
        pci_input lines = pci_input_from_text(context, f->asked->input->name, s->head.begin,
                                              (size_t)(s->head.end - s->head.begin));
        lines.reading = &reading;
        pci_collect c = {.input = &lines, .next = lines.text};
        pc_status status = pci_tuples_read(&c);
        pci_collect_end(&c, PC_ERR_DATA, NULL);
        if (status == PC_ERR_MEMORY)
            f->status = status;
        if (status == PC_OK)
            pci_found_add(f, &reading);
        if (status != PC_ERR_DATA)
            return;
    }
}

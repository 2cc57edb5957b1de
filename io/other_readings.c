/* Readings of METIS, LGL, and pairs in brackets. */
#include "graphs/multiplicity.h"
#include "io/readings.h"
#include "io/recognise.h"

#include "io/text.h"

void pci_find_metis(pci_found *f)
{
    const char *where;
    uint64_t n_vertices = 0;
    pci_reading reading = {.kind = PCI_METIS};
    pci_cell first = {.text = f->sample->n_lines > 0 ? f->sample->line[0].begin : ""};
    if (f->sample->n_lines == 0 || !pci_is_metis(&f->sample->head, &where))
        return;
    first.text = pci_skip_blanks(first.text, f->sample->line[0].end);
    while (first.text + first.length < f->sample->line[0].end && first.text[first.length] >= '0' &&
           first.text[first.length] <= '9')
        first.length++;
    pci_cell_number(&first, &n_vertices);
    reading.facts = n_vertices > 3 ? PCI_SURE : 0;
    pci_found_add(f, &reading);
}

/* "# a" and then a neighbour a line, perhaps with a weight. */
void pci_find_lgl(pci_found *f)
{
    const pci_sample *s = f->sample;
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
    const pci_sample *s = f->sample;
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

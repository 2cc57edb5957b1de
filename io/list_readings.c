/* Readings of lists of neighbours: in a line behind their vertex, or a line each. */
#include "graphs/multiplicity.h"
#include "io/readings.h"

#include "io/text.h"

/* "# GMT Tue Mar  3 10:00:00 2026" */
bool pci_is_by_networkx(const pci_sample *s)
{
    enum { TIME_BYTES = 24, FIRST_COLON = 13, SECOND_COLON = 16 };
    static const char before[] = "# GMT ";
    const char *at = s->head.begin, *line, *end;
    while (pci_head_line(&s->head, &at, &line, &end) && (line == end || *line == '#')) {
        const char *time = line + sizeof before - 1;
        if (pci_begins_with(line, end, before) && end - time == TIME_BYTES &&
            time[FIRST_COLON] == ':' && time[SECOND_COLON] == ':')
            return true;
    }
    return false;
}

const char *pci_next_word(const char *at, const char *end, char separator, const char **word_end)
{
    while (at < end && (pci_is_blank(*at) || *at == separator))
        at++;
    const char *to = at;
    while (to < end && *to != separator && (separator != ' ' || !pci_is_blank(*to)))
        to++;
    *word_end = pci_trim_end(at, to);
    return at;
}

/* Returns whether a sign of comments stands behind a blank. */
static bool has_comment(const pci_span *line)
{
    for (const char *at = line->begin + 1; at < line->end; at++)
        if ((*at == '#' || *at == '%') && pci_is_blank(at[-1]))
            return true;
    return false;
}

/* The mark that stands once in each line behind its first word, a colon or an arrow; "" when there is none. */
static void find_mark(const pci_sample *s, char mark[PCI_ARROW_BYTES])
{
    mark[0] = 0;
    for (uint32_t i = 0; i < s->n_lines; i++) {
        const char *begin = pci_skip_blanks(s->line[i].begin, s->line[i].end),
                   *end = s->line[i].end;
        const char *at = memchr(begin, ':', (size_t)(end - begin));
        size_t length = 1;
        if (!at && !pci_arrow_find(begin, end, &at, &length))
            length = PCI_ARROW_BYTES;
        bool is_same = length < PCI_ARROW_BYTES && at > begin &&
                       (i == 0 || (strlen(mark) == length && memcmp(mark, at, length) == 0));
        if (is_same) {
            const char *more;
            size_t n_more;
            const char *head_end = pci_trim_end(begin, at), *behind = at + length;
            for (const char *c = begin; c < head_end; c++)
                is_same = is_same && !memchr(" \t,;|(\"[{", *c, 9);
            is_same = is_same && (*at == ':' ? !memchr(behind, ':', (size_t)(end - behind))
                                             : behind == end || !pci_arrow_find(behind - 1, end,
                                                                                &more, &n_more));
        }
        if (!is_same) {
            mark[0] = 0;
            return;
        }
        memcpy(mark, at, length);
        mark[length] = 0;
    }
}

/* Describes lists of neighbours whose words are separated in one way. */
typedef struct lists {
    bool heads_differ, are_complete; /* each neighbour has a line */
    bool heads_count;                /* the first words count on from 0 or 1 */
    bool count;                      /* each second word is the number of those behind it */
    bool are_labels;
    uint32_t least, most; /* words of a line */
} lists;

/* Looks at the words of a line, which are labels of neighbours but the first one. */
static void look_at_line(const pci_span *line, char separator, const pci_names *heads, lists *found)
{
    const char *end = line->end, *to;
    uint32_t n = 0, number;
    uint64_t stated = UINT64_MAX, value;
    for (const char *at = pci_next_word(line->begin, end, separator, &to); at < end;
         at = pci_next_word(to, end, separator, &to)) {
        pci_cell cell = {.text = at, .length = (uint32_t)(to - at)};
        n++;
        if (n > 1)
            found->are_complete =
                found->are_complete && pci_names_find(heads, at, cell.length, &number);
        if (n == 2 && pci_cell_number(&cell, &value))
            stated = value;
        bool is_mixed =
            *at >= '0' && *at <= '9'; /* other separators are in a word that begins with a digit */
        for (const char *c = at; c < to && is_mixed; c++)
            is_mixed = !memchr(" \t,;|", *c, 5);
        found->are_labels = found->are_labels &&
                            (*at != '"' || pci_closing_quote(at, to) == to - 1) &&
                            (is_mixed || *at < '0' || *at > '9') && !memchr("{([<#%=", *at, 7) &&
                            !(*at == '-' && cell.length > 1 && to[-1] == '>') &&
                            pci_multiplicity_parse(at, cell.length, &value) != PCI_FRACTIONAL;
    }
    found->count = found->count && n > 1 && stated == n - 2;
    found->least = n < found->least ? n : found->least;
    found->most = n > found->most ? n : found->most;
}

/* Adds a name. Returns false and sets f->status when there is no memory. */
static bool add_name(pci_found *f, pci_names *names, const char *begin, const char *end)
{
    pc_context *context = f->asked->input->context;
    uint32_t number;
    if (pci_names_add(context, names, begin, (size_t)(end - begin), &number))
        f->status = pci_fail_memory(context, "names", names->n);
    return f->status == PC_OK;
}

static bool look_at_lists(pci_found *f, char separator, lists *found)
{
    pci_sample *s = &f->sample;
    pci_names heads = {0};
    bool good = true;
    *found = (lists){true, true, true, true, true, UINT32_MAX, 0};
    uint64_t begin = 0, value;
    for (uint32_t i = 0; i < s->n_lines && good; i++) {
        const char *to, *at = pci_next_word(s->line[i].begin, s->line[i].end, separator, &to);
        good = add_name(f, &heads, at, to);
        const pci_cell cell = pci_cell_of(at, to);
        bool is_number = pci_cell_number(&cell, &value);
        begin = i == 0 && is_number ? value : begin;
        found->heads_count = found->heads_count && is_number && begin < 2 && value == begin + i;
        found->heads_differ = found->heads_differ && heads.n == i + 1;
        found->are_labels = found->are_labels && !has_comment(&s->line[i]);
    }
    for (uint32_t i = 0; i < s->n_lines && good; i++)
        look_at_line(&s->line[i], separator, &heads, found);
    pci_names_free(s->input->context, &heads);
    found->are_complete = found->are_complete && found->heads_differ;
    return good;
}

static void find_lists_at(pci_found *f, char separator)
{
    pci_sample *s = &f->sample;
    lists found;
    pci_reading reading = {.kind = PCI_LISTS, .separator = separator};
    bool is_asked = f->asked->format == PC_FORMAT_ADJACENCY_LIST;
    if (!look_at_lists(f, separator, &found))
        return;
    bool named = is_asked || pci_is_by_networkx(s);
    bool complete = found.are_complete && s->n_lines > 2 &&
                    (found.least == 1 || found.most > 3 || (found.most == 3 && found.heads_count));
    bool is_counted = found.count && found.most > 2;
    if (!found.are_labels || found.most < 2 || (!found.heads_differ && !named) ||
        (!named && found.least == found.most && !complete))
        return;
    reading.facts = !is_counted && (named || complete) ? PCI_SURE : PCI_LOOSE;
    pci_found_add(f, &reading);
    reading.kind = PCI_LISTS_DEGREES;
    if (is_counted)
        pci_found_add(f, &reading);
}

/* Takes a line apart at its mark: *head is the vertex before it. Returns the place behind it. */
static const char *split_at_mark(const pci_span *line, const char *mark, pci_cell *head)
{
    const char *begin = pci_skip_blanks(line->begin, line->end), *at = begin;
    while (!pci_begins_with(at, line->end, mark))
        at++;
    *head = pci_cell_of(begin, at);
    return at + strlen(mark);
}

/* Returns whether a word may be a neighbour: a label, neither with signs of other formats nor a filler. */
static bool is_neighbour(const pci_cell *cell)
{
    static const char *const fillers[] = {"and", "or", "nil"};
    static const char signs[] = "{}()[]\"=#%<>|*";
    bool is_good = pci_is_label(cell) && pci_kind_of(cell) != PCI_NOTHING &&
                   cell->text[cell->length - 1] != '.' &&
                   !pci_begins_with(cell->text, cell->text + cell->length, "//");
    for (size_t i = 0; i < sizeof fillers / sizeof *fillers; i++)
        is_good = is_good && !pci_is_word_any_case(cell->text, cell->length, fillers[i]);
    for (uint32_t i = 0; i < cell->length; i++)
        is_good = is_good && !memchr(signs, cell->text[i], sizeof signs - 1);
    return is_good;
}

/* "a: b c", "a -> b, c". It is certain where each vertex has one line, all labels are numbers or all are words, and some
 * neighbour has a line. */
static void find_marked_lists(pci_found *f, const char mark[PCI_ARROW_BYTES])
{
    static const char separators[] = "\t;,";
    const pci_sample *s = &f->sample;
    pci_reading reading = {
        .kind = PCI_LISTS, .separator = ' ', .stated = pci_arrow_direction(mark)};
    pci_names heads = {0};
    bool good = true, has_numbers = false, has_words = false, has_head = false;
    uint32_t number;
    for (size_t j = sizeof separators - 1; j > 0; j--)
        for (uint32_t i = 0; i < s->n_lines; i++)
            if (memchr(s->line[i].begin, separators[j - 1],
                       (size_t)(s->line[i].end - s->line[i].begin)))
                reading.separator = separators[j - 1];
    for (uint32_t i = 0; i < s->n_lines && good; i++) {
        pci_cell head;
        split_at_mark(&s->line[i], mark, &head);
        good = add_name(f, &heads, head.text, head.text + head.length) && heads.n == i + 1 &&
               is_neighbour(&head);
        has_numbers = has_numbers || pci_is_numeric(pci_kind_of(&head));
        has_words = has_words || !pci_is_numeric(pci_kind_of(&head));
    }
    for (uint32_t i = 0; i < s->n_lines && good; i++) {
        pci_cell cell;
        const char *to, *end = s->line[i].end, *at = split_at_mark(&s->line[i], mark, &cell);
        for (at = pci_next_word(at, end, reading.separator, &to); at < end && good;
             at = pci_next_word(to, end, reading.separator, &to)) {
            cell = pci_cell_of(at, to);
            good = is_neighbour(&cell);
            has_numbers = has_numbers || pci_is_numeric(pci_kind_of(&cell));
            has_words = has_words || !pci_is_numeric(pci_kind_of(&cell));
            has_head = has_head || pci_names_find(&heads, at, cell.length, &number);
        }
    }
    pci_names_free(s->input->context, &heads);
    memcpy(reading.arrow, mark, PCI_ARROW_BYTES);
    reading.facts = has_head && !(has_numbers && has_words) ? PCI_SURE : PCI_LOOSE;
    if (good)
        pci_found_add(f, &reading);
}

/* Blocks of lines: a vertex and the number of its neighbours, "a 2", then "b {}", "c {'weight': 3}". */
typedef struct blocks {
    pci_found *found;
    pci_names heads;
    bool are_whole; /* heads has all vertices; so it is known whether neighbours are among them */
    bool has_braces, are_complete;
} blocks;

/* Moves *at to the line behind a block; false when there is none, or its vertex had one. */
static bool take_block(blocks *b, uint32_t *at)
{
    const pci_sample *s = &b->found->sample;
    const char *to, *end = s->line[*at].end;
    const char *head = pci_next_word(s->line[*at].begin, end, ' ', &to);
    uint64_t n, n_before = b->heads.n;
    uint32_t number;
    if (!b->are_whole && (!add_name(b->found, &b->heads, head, to) || b->heads.n == n_before))
        return false;
    const char *second = pci_next_word(to, end, ' ', &to);
    const pci_cell degree = pci_cell_of(second, to);
    if (!pci_cell_number(&degree, &n) || pci_skip_blanks(to, end) < end)
        return false;
    for (++*at; n > 0 && *at < s->n_lines; n--, ++*at) {
        end = s->line[*at].end;
        const char *neighbour = pci_next_word(s->line[*at].begin, end, ' ', &to);
        const char *data = pci_skip_blanks(to, end);
        if (data < end && *data != '{')
            return false;
        b->has_braces = b->has_braces || data < end;
        b->are_complete = b->are_complete &&
                          (!b->are_whole ||
                           pci_names_find(&b->heads, neighbour, (size_t)(to - neighbour), &number));
    }
    return n == 0 || !s->head.is_whole;
}

static void find_lists_of_lines(pci_found *f)
{
    blocks b = {.found = f, .are_complete = true};
    uint32_t n_lines = f->sample.n_lines;
    bool good = n_lines > 0;
    for (int pass = 0; pass < 2 && good; pass++) {
        b.are_whole = pass > 0;
        for (uint32_t at = 0; good && at < n_lines;)
            good = take_block(&b, &at);
    }
    for (uint32_t i = 0; i < n_lines && f->asked->format == PC_FORMAT_ADJACENCY_LIST; i++) {
        const char *to, *end = f->sample.line[i].end;
        const char *word = pci_next_word(f->sample.line[i].begin, end, ' ', &to);
        word = pci_next_word(to, end, ' ', &to);
        b.has_braces = b.has_braces || (word < end && *word == '{');
    }
    good = good || (b.has_braces && f->asked->format == PC_FORMAT_ADJACENCY_LIST);
    bool is_alone =
        b.heads.n == n_lines; /* no vertex has a neighbour; so these may be loops, too */
    good =
        good && (!is_alone || pci_is_by_networkx(&f->sample)) &&
        (b.has_braces || b.are_complete || f->asked->format == PC_FORMAT_MULTILINE_ADJACENCY_LIST);
    pci_names_free(f->asked->input->context, &b.heads);
    const pci_reading reading = {.kind = PCI_LISTS_LINES,
                                 .separator = ' ',
                                 .facts = b.has_braces || !is_alone ? PCI_SURE : 0};
    if (good)
        pci_found_add(f, &reading);
}

void pci_find_lists(pci_found *f)
{
    static const char separators[] = "\t;,";
    const pci_sample *s = &f->sample;
    bool has[sizeof separators] = {false}, has_blanks = false;
    char separator = 0, mark[PCI_ARROW_BYTES];
    find_mark(s, mark);
    if (*mark && s->n_lines > 0) {
        find_marked_lists(f, mark);
        return;
    }
    for (uint32_t i = 0; i < s->n_lines; i++) {
        const char *begin = pci_skip_blanks(s->line[i].begin, s->line[i].end);
        size_t n = (size_t)(s->line[i].end - begin);
        for (size_t j = 0; j + 1 < sizeof separators; j++)
            has[j] = has[j] || memchr(begin, separators[j], n);
        has_blanks = has_blanks || memchr(begin, ' ', n);
    }
    for (size_t j = 0; j + 1 < sizeof separators && !separator; j++)
        separator = has[j] ? separators[j] : 0;
    if (separator)
        find_lists_at(f, separator);
    if (!separator || (separator == '\t' && has_blanks && !pci_is_by_networkx(s)))
        find_lists_at(f, ' ');
    find_lists_of_lines(f);
}

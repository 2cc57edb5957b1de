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

bool pci_next_word(const char **at, const char *end, char separator, pci_word *word)
{
    while (*at < end && (pci_is_blank(**at) || **at == separator))
        ++*at;
    const char *begin = *at;
    while (*at < end && **at != separator && (separator != ' ' || !pci_is_blank(**at)))
        ++*at;
    *word = (pci_word){begin, (size_t)(pci_trim_end(begin, *at) - begin)};
    return word->length > 0;
}

static pci_cell cell_of(pci_word word)
{
    return pci_cell_of(word.text, word.text + word.length);
}

/* The first of these that is in a line, and else a blank. */
static char find_separator(const pci_sample *s)
{
    for (const char *separator = "\t;,"; *separator; separator++)
        for (uint32_t i = 0; i < s->n_lines; i++) {
            const char *begin = pci_skip_blanks(s->line[i].begin, s->line[i].end);
            if (memchr(begin, *separator, (size_t)(s->line[i].end - begin)))
                return *separator;
        }
    return ' ';
}

/* Finds the mark that stands once in each line behind its first word, a colon or an arrow; false when there is none. */
static bool find_mark(const pci_sample *s, char mark[PCI_ARROW_BYTES])
{
    for (uint32_t i = 0; i < s->n_lines; i++) {
        const char *end = s->line[i].end, *begin = pci_skip_blanks(s->line[i].begin, end), *more;
        const char *at = memchr(begin, ':', (size_t)(end - begin));
        size_t length = 1, n_more;
        if (!at && (!pci_arrow_find(begin, end, &at, &length) || length >= PCI_ARROW_BYTES))
            return false;
        const char *head_end = pci_trim_end(begin, at), *behind = at + length;
        if (at == begin || (i > 0 && (strlen(mark) != length || memcmp(mark, at, length) != 0)) ||
            (*at == ':' ? memchr(behind, ':', (size_t)(end - behind)) != NULL
                        : behind < end && pci_arrow_find(behind - 1, end, &more, &n_more)))
            return false;
        for (const char *c = begin; c < head_end; c++)
            if (memchr(" \t,;|(\"[{", *c, 9))
                return false;
        memcpy(mark, at, length);
        mark[length] = 0;
    }
    return s->n_lines > 0;
}

/* Adds a name. Returns false and sets f->status when there is no memory. */
static bool add_name(pci_found *f, pci_names *names, pci_word word)
{
    pc_context *context = f->asked->input->context;
    uint32_t number;
    if (pci_names_add(context, names, word.text, word.length, &number))
        f->status = pci_fail_memory(context, "names", names->n);
    return f->status == PC_OK;
}

/* Returns whether a word of a list may be a label. It has no other separator when it begins with a digit. */
static bool may_be_label(pci_word word)
{
    const char *at = word.text, *to = at + word.length;
    uint64_t value;
    bool is_whole = true;
    for (const char *c = at; c < to && pci_is_digit(*at); c++)
        is_whole = is_whole && !memchr(" \t,;|", *c, 5);
    return is_whole && (*at != '"' || pci_closing_quote(at, to) == to - 1) &&
           !memchr("{([<#%=", *at, 7) && !(*at == '-' && word.length > 1 && to[-1] == '>') &&
           pci_multiplicity_parse(at, word.length, &value) != PCI_FRACTIONAL;
}

/* A line has a vertex and its neighbours, whose words are separated in one way. A second word that
 * counts those behind it, in each line, is no neighbour. */
static void find_lists_at(pci_found *f, char separator)
{
    const pci_sample *s = &f->sample;
    pci_names heads = {0};
    pci_reading reading = {.kind = PCI_LISTS, .separator = separator};
    bool good = true, are_complete = true, heads_count = true, is_counted = true;
    uint32_t least = UINT32_MAX, most = 0, number; /* words of a line */
    uint64_t begin = 0, value;
    pci_word word;
    for (uint32_t i = 0; i < s->n_lines && good; i++) {
        const char *at = s->line[i].begin, *end = s->line[i].end;
        pci_next_word(&at, end, separator, &word);
        const pci_cell cell = cell_of(word);
        bool is_number = pci_cell_number(&cell, &value);
        begin = i == 0 && is_number ? value : begin;
        heads_count = heads_count && is_number && begin < 2 && value == begin + i;
        good = add_name(f, &heads, word);
        for (at = s->line[i].begin + 1; at < end; at++) /* a comment behind a blank */
            good = good && !((*at == '#' || *at == '%') && pci_is_blank(at[-1]));
    }
    bool heads_differ = heads.n == s->n_lines;
    for (uint32_t i = 0; i < s->n_lines && good; i++) {
        uint32_t n = 0;
        uint64_t stated = UINT64_MAX;
        const char *at = s->line[i].begin, *end = s->line[i].end;
        for (; pci_next_word(&at, end, separator, &word) && good; n++) {
            const pci_cell number_of_others = {.text = word.text, .length = (uint32_t)word.length};
            if (n == 1 && pci_cell_number(&number_of_others, &value))
                stated = value;
            if (n > 0 && are_complete) /* each neighbour has a line */
                are_complete = pci_names_find(&heads, word.text, word.length, &number);
            good = may_be_label(word);
        }
        is_counted = is_counted && n > 1 && stated == n - 2;
        least = n < least ? n : least;
        most = n > most ? n : most;
    }
    pci_names_free(f->asked->input->context, &heads);
    bool named = f->asked->format == PC_FORMAT_ADJACENCY_LIST || pci_is_by_networkx(s);
    bool complete = are_complete && heads_differ && s->n_lines > 2 &&
                    (least == 1 || most > 3 || (most == 3 && heads_count));
    is_counted = is_counted && most > 2;
    if (!good || most < 2 || (!heads_differ && !named) || (!named && least == most && !complete))
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
    bool is_good = pci_is_label(cell) && cell->kind != PCI_NOTHING &&
                   cell->text[cell->length - 1] != '.' &&
                   !pci_begins_with(cell->text, cell->text + cell->length, "//");
    for (size_t i = 0; i < sizeof fillers / sizeof *fillers; i++)
        is_good = is_good && !pci_is_word_any_case(cell->text, cell->length, fillers[i]);
    for (uint32_t i = 0; i < cell->length; i++)
        is_good = is_good && !memchr(signs, cell->text[i], sizeof signs - 1);
    return is_good;
}

/* "a: b c", "a -> b, c". It is certain where each vertex has one line, all labels are numbers or all are words, and
 * some neighbour has a line. */
static void find_marked_lists(pci_found *f, const char mark[PCI_ARROW_BYTES])
{
    const pci_sample *s = &f->sample;
    pci_reading reading = {
        .kind = PCI_LISTS, .separator = find_separator(s), .stated = pci_arrow_direction(mark)};
    pci_names heads = {0};
    bool good = true, has[2] = {false, false}, has_head = false;
    uint32_t number;
    pci_cell cell;
    pci_word word;
    for (uint32_t i = 0; i < s->n_lines && good; i++) {
        split_at_mark(&s->line[i], mark, &cell);
        good = add_name(f, &heads, (pci_word){cell.text, cell.length}) && heads.n == i + 1 &&
               is_neighbour(&cell);
        has[pci_is_numeric(cell.kind)] = true;
    }
    for (uint32_t i = 0; i < s->n_lines && good; i++) {
        const char *at = split_at_mark(&s->line[i], mark, &cell);
        while (good && pci_next_word(&at, s->line[i].end, reading.separator, &word)) {
            cell = cell_of(word);
            good = is_neighbour(&cell);
            has[pci_is_numeric(cell.kind)] = true;
            has_head = has_head || pci_names_find(&heads, word.text, word.length, &number);
        }
    }
    pci_names_free(f->asked->input->context, &heads);
    memcpy(reading.arrow, mark, PCI_ARROW_BYTES);
    reading.facts = has_head && !(has[0] && has[1]) ? PCI_SURE : PCI_LOOSE;
    if (good)
        pci_found_add(f, &reading);
}

/* Blocks of lines: a vertex and the number of its neighbours, "a 2", then "b {}", "c {'weight': 3}". The first pass
 * finds the vertices, the second one whether all neighbours are among them. */
static void find_lists_of_lines(pci_found *f)
{
    const pci_sample *s = &f->sample;
    pci_names heads = {0};
    pci_word word;
    bool has_braces = false, are_complete = true, good = s->n_lines > 0;
    bool is_asked = f->asked->format == PC_FORMAT_ADJACENCY_LIST;
    uint64_t n_left = 0;
    uint32_t number;
    for (uint32_t i = 0; i < 2 * s->n_lines && good; i++) {
        const pci_span *line = &s->line[i % s->n_lines];
        const char *at = line->begin;
        bool is_first_pass = i < s->n_lines;
        if (i == s->n_lines) {
            good = n_left == 0 || !s->head.is_whole;
            n_left = 0;
        }
        pci_next_word(&at, line->end, ' ', &word);
        if (n_left > 0) {
            const char *data = pci_skip_blanks(at, line->end);
            good = good && (data == line->end || *data == '{');
            has_braces = has_braces || (good && data < line->end);
            are_complete = are_complete && (is_first_pass || pci_names_find(&heads, word.text,
                                                                            word.length, &number));
            n_left--;
            continue;
        }
        uint64_t n_before = heads.n;
        if (is_first_pass)
            good = good && add_name(f, &heads, word) && heads.n > n_before;
        pci_next_word(&at, line->end, ' ', &word);
        const pci_cell degree = cell_of(word);
        good = good && pci_cell_number(&degree, &n_left) &&
               pci_skip_blanks(at, line->end) == line->end;
    }
    good = good && (n_left == 0 || !s->head.is_whole);
    for (uint32_t i = 0; i < s->n_lines && is_asked; i++) {
        const char *at = s->line[i].begin;
        pci_next_word(&at, s->line[i].end, ' ', &word);
        at = pci_skip_blanks(at, s->line[i].end);
        has_braces = has_braces || (at < s->line[i].end && *at == '{');
    }
    bool is_alone =
        heads.n == s->n_lines; /* no vertex has a neighbour; so these may be loops, too */
    good = (good || (has_braces && is_asked)) && (!is_alone || pci_is_by_networkx(s)) &&
           (has_braces || are_complete || f->asked->format == PC_FORMAT_MULTILINE_ADJACENCY_LIST);
    pci_names_free(f->asked->input->context, &heads);
    const pci_reading reading = {
        .kind = PCI_LISTS_LINES, .separator = ' ', .facts = has_braces || !is_alone ? PCI_SURE : 0};
    if (good)
        pci_found_add(f, &reading);
}

void pci_find_lists(pci_found *f)
{
    const pci_sample *s = &f->sample;
    char separator = find_separator(s), mark[PCI_ARROW_BYTES] = "";
    bool has_blanks = false;
    if (find_mark(s, mark)) {
        find_marked_lists(f, mark);
        return;
    }
    for (uint32_t i = 0; i < s->n_lines; i++) {
        const char *begin = pci_skip_blanks(s->line[i].begin, s->line[i].end);
        has_blanks = has_blanks || memchr(begin, ' ', (size_t)(s->line[i].end - begin));
    }
    find_lists_at(f, separator);
    if (separator == '\t' && has_blanks && !pci_is_by_networkx(s))
        find_lists_at(f, ' ');
    find_lists_of_lines(f);
}

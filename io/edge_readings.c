/* Readings of edge lists: a line an edge, perhaps behind an index, or with a word or an arrow between the ends. */
#include "io/column_names.h"
#include "io/edge_columns.h"

#include "graphs/labels.h"
#include "io/text.h"

/* A column that has fewer words than another one holds kinds of edges if there are this many lines or more. */
enum { FEW_WORDS = 8 };

/* Returns whether several lines of words stand above numbers. */
static bool has_deep_header(const pci_table *t)
{
    for (uint32_t n = 2; n <= 4 && n + 1 < t->n_rows; n++)
        for (uint32_t c = 0; c < 2; c++) {
            bool words = pci_column_kind(t, n, t->n_rows, c) == PCI_INTEGERS;
            for (uint32_t r = 0; r < n && words; r++)
                words = pci_kind_of(&t->row[r][c]) == PCI_WORDS;
            if (words)
                return true;
        }
    return false;
}

/* Returns whether the columns are those of edges: two ends, perhaps a weight or another word, perhaps a time. */
static bool has_columns_of_edges(const pci_table *t, const pci_relations *rel)
{
    if (t->n_columns < 4)
        return true;
    pci_kind last = t->n_columns == 4 ? pci_column_kind(t, 0, t->n_rows, 3) : PCI_WORDS;
    return (rel->kind[2] == PCI_INTEGERS || rel->kind[2] == PCI_NUMBERS) &&
           (last == PCI_TIMES || last == PCI_DATES || last == PCI_NUMBERS);
}

static void find_plain(pci_found *f, const pci_table *t, const pci_relations *rel)
{
    pci_reading reading = pci_new_reading(0, pci_is_of_properties(t, rel, 0) ? PCI_LOOSE : 0);
    if (pci_row_length(t, 0) != t->n_columns ||
        (f->asked->header != PC_HEADER_NONE &&
         (pci_is_words_over_numbers(t, 0) || has_deep_header(t))))
        return;
    pci_find_behind_a_word(f, t, rel, 0);
    if (t->n_columns == 3 && rel->kind[2] == PCI_WORDS) {
        bool is_of_ends = rel->share[2][0] || rel->share[2][1];
        bool is_varied =
            t->n_rows >= FEW_WORDS && !rel->share[0][1] && rel->n_distinct[2] > rel->n_distinct[1];
        if (is_of_ends || is_varied)
            return;
        reading.facts |= PCI_LOOSE; /* a word behind the ends may be an end */
    }
    if (!has_columns_of_edges(t, rel))
        return;
    if (t->n_columns == 3 && rel->share[0][2] && !rel->share[0][1] && !rel->share[1][2] &&
        pci_is_numeric(rel->kind[1]) && pci_are_alike_kinds(rel->kind[0], rel->kind[2]) &&
        rel->n_distinct[1] * 2 > t->n_rows) {
        reading.facts |= PCI_LOOSE; /* a number or a time stands between the ends */
        pci_add_edges(f, t, PCI_EDGES_BETWEEN, 0, 2, pci_new_reading(0, PCI_LOOSE));
    }
    if (t->n_columns > 2 && (pci_is_numeric(rel->kind[2]) || rel->kind[2] == PCI_DATA))
        reading.at[PCI_WEIGHT] = 2;
    pci_add_edges(f, t, PCI_EDGES, 0, 1, reading);
}

/* Takes the number at *at, of few digits, and moves behind it; UINT64_MAX when there is none. */
static uint64_t take_number(const char **at, const char *end)
{
    enum { MOST_DIGITS = 18 };
    const char *begin = *at;
    uint64_t number = 0;
    for (; *at < end && **at >= '0' && **at <= '9' && *at - begin < MOST_DIGITS; ++*at)
        number = 10 * number + (uint64_t)(**at - '0');
    return *at > begin ? number : UINT64_MAX;
}

/* The first line is none of sizes when a vertex is beyond its first number, or its numbers are small beside that of the lines.
 * Above others, 0,1 may be a header of pandas. */
bool pci_find_plain_edges(pci_found *f)
{
    const pci_sample *s = f->sample;
    pci_reading reading = pci_new_reading(0, PCI_ALL_INTEGERS);
    uint64_t first[2] = {0, 0}, greatest = 0;
    for (uint32_t i = 0; i < s->n_lines; i++) {
        const char *at = s->line[i].begin, *end = s->line[i].end;
        uint64_t from = take_number(&at, end);
        char separator = at < end ? *at++ : 0;
        uint64_t to = take_number(&at, end);
        if (from == UINT64_MAX || to == UINT64_MAX || at < end || !memchr(" \t,", separator, 3) ||
            (i > 0 && separator != reading.separator))
            return false;
        reading.separator = separator;
        if (i == 0)
            memcpy(first, (uint64_t[]){from, to}, sizeof first);
        else if (from > greatest || to > greatest)
            greatest = from > to ? from : to;
    }
    if (s->n_lines == 0 ||
        (first[0] >= greatest && (2 * first[1] >= s->n_lines || first[0] + 1 >= s->n_lines)) ||
        (reading.separator == ',' && first[0] == 0) || pci_is_by_networkx(s))
        return false;
    reading.kind = PCI_EDGES;
    reading.n_columns = 2;
    reading.is_plain = reading.refuses_missing = reading.refuses_minus_one = true;
    reading.at[PCI_FROM] = 0;
    reading.at[PCI_TO] = 1;
    pci_found_add(f, &reading);
    return true;
}

/* A first column that counts the lines, or has times, before two columns of one kind. */
static void find_index(pci_found *f, const pci_table *t, const pci_relations *rel)
{
    bool has_times = (rel->kind[0] == PCI_TIMES || rel->kind[0] == PCI_DATES) &&
                     (!rel->share[0][1] || rel->share[1][2]);
    if (pci_row_length(t, 0) == t->n_columns && t->n_rows > 1 && t->n_columns > 2 &&
        t->n_columns < 5 && pci_are_alike_kinds(rel->kind[1], rel->kind[2]) &&
        (rel->kind[1] == PCI_INTEGERS || rel->kind[1] == PCI_TIMES || rel->kind[1] == PCI_WORDS) &&
        (has_times || pci_column_counts(t, 0, 0)))
        pci_add_edges(f, t, PCI_EDGES_BEHIND, 1, 2,
                      pci_new_reading(0, t->n_columns > 3 ? PCI_LOOSE : 0));
}

/* ---- A word between the ends ----------------------------------------------------------------- */

static bool is_word_between(const pci_cell *cell)
{
    static const char *const words[] = {"to",  "and",  "with", "vs",  "-",           ",",
                                        "->",  "-->",  "=>",   "==>", "--",          "---",
                                        "<->", "<-->", "<-",   "<--", "\xe2\x86\x92"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (cell->length == strlen(words[i]) && memcmp(cell->text, words[i], cell->length) == 0)
            return true;
    return false;
}

/* `a pp b`, `1 to 2`: text that is no label stands between two columns of one kind. */
static void find_between(pci_found *f, const pci_table *t, const pci_relations *rel)
{
    pci_column_names names;
    uint32_t known[PCI_N_ROLES], below = t->n_rows > 1;
    bool all_words_between = true, all_signs = true;
    if (t->n_columns != 3 || pci_row_length(t, 0) != 3 || rel->share[1][0] || rel->share[1][2])
        return;
    pci_kind kind[3];
    for (uint32_t c = 0; c < 3; c++)
        kind[c] = pci_column_kind(t, below, t->n_rows, c);
    for (uint32_t r = 0; r < t->n_rows; r++) {
        const pci_cell *word = &t->row[r][1];
        all_words_between = all_words_between && is_word_between(word);
        all_signs =
            all_signs && (is_word_between(word) || (pci_is_label(word) && *word->text != '\\'));
    }
    if (!all_signs || (all_words_between && rel->n_distinct[1] > 1))
        return; /* an arrow that is not known, or several */
    pci_column_names_read(t->row[0], 3, 0, &names);
    if ((kind[1] != PCI_WORDS && !all_words_between) ||
        (kind[0] != kind[2] && kind[2] != PCI_WORDS) ||
        pci_column_names_find_known(&names, known) ||
        (below && pci_kind_of(&t->row[0][0]) != kind[0] && pci_kind_of(&t->row[0][2]) != kind[2]) ||
        (t->n_rows >= FEW_WORDS && !rel->share[0][2] && rel->n_distinct[1] >= rel->n_distinct[2]))
        return;
    bool is_sure = rel->n_distinct[1] == 1 && all_words_between;
    pci_reading reading = pci_new_reading(0, is_sure ? PCI_SURE : 0);
    char word[PCI_ARROW_BYTES] = "";
    const pci_cell *between = &t->row[0][1];
    if (is_sure && between->length > 1 && between->length < sizeof word)
        memcpy(word, between->text, between->length);
    reading.stated = pci_arrow_direction(word);
    bool to_left = *word == '<' && word[between->length - 1] != '>';
    pci_add_edges(f, t, PCI_EDGES_BETWEEN, to_left ? 2 : 0, to_left ? 0 : 2, reading);
}

void pci_find_edges(pci_found *f, const pci_table *t)
{
    if (f->asked->n_columns > 0) {
        pci_find_asked(f, t);
        return;
    }
    if (t->is_below_sizes) {
        pci_find_sizes(f, t);
        return;
    }
    pci_relations rel = pci_find_relations(f->sample, t, 0);
    find_plain(f, t, &rel);
    pci_find_sizes(f, t);
    pci_find_header(f, t);
    find_index(f, t, &rel);
    find_between(f, t, &rel);
}

/* ---- Arrows ---------------------------------------------------------------------------------- */

/* Returns whether the text has one word, which may be in quotes. */
static bool is_one_word(const char *begin, const char *end)
{
    if (begin < end && *begin == '"')
        return pci_closing_quote(begin, end) == end - 1;
    for (const char *at = begin; at < end; at++)
        if (memchr(" \t,;|", *at, 5))
            return false;
    return begin < end;
}

void pci_find_arrows(pci_found *f)
{
    pci_sample *s = f->sample;
    pci_reading reading = pci_new_reading(0, PCI_SURE);
    for (uint32_t i = 0; i < s->n_lines; i++) {
        const char *begin = pci_skip_blanks(s->line[i].begin, s->line[i].end), *arrow;
        const char *end = pci_trim_end(begin, s->line[i].end);
        const char *another;
        size_t length, n_another;
        end -= end > begin && (end[-1] == ';' || end[-1] == ',');
        if (!pci_arrow_find(begin, end, &arrow, &length) || length >= PCI_ARROW_BYTES ||
            (i > 0 && (strlen(reading.arrow) != length || memcmp(reading.arrow, arrow, length))) ||
            !is_one_word(begin, pci_trim_end(begin, arrow)) ||
            !is_one_word(pci_skip_blanks(arrow + length, end), end) ||
            (arrow + length < end && pci_arrow_find(arrow + length, end, &another, &n_another)))
            return;
        memcpy(reading.arrow, arrow, length);
        reading.arrow[length] = 0;
    }
    if (s->n_lines == 0)
        return;
    reading.kind = PCI_EDGES_ARROWS;
    reading.stated = pci_arrow_direction(reading.arrow);
    reading.at[PCI_FROM] = 0;
    reading.at[PCI_TO] = 1;
    reading.n_columns = 2;
    pci_found_add(f, &reading);
}

/* ---- Lines that look different --------------------------------------------------------------- */

/* A column of a line that is split by itself, as a cell. Blanks in quotes belong to it. */
static pci_cell column_cell(const pci_line *line, size_t column)
{
    return (pci_cell){.text = line->column[column],
                      .length = (uint32_t)line->length[column],
                      .bit = pci_kind_bit(line->column[column], line->length[column], ' ')};
}

/* Lines that no separator cuts alike, each of which is an edge by itself: with comments behind, some with a weight,
 * or separated in different ways. */
void pci_find_loose_edges(pci_found *f)
{
    pci_sample *s = f->sample;
    pci_reading reading = pci_new_reading(0, 0);
    bool words_above = true, integers_below = true, has_weights = false, may_be_labels = false;
    bool is_asked = f->asked->format == PC_FORMAT_EDGE_LIST && !f->asked->is_named;
    uint32_t n_of_words = 0, n_of_integers = 0, n_like_first = 0;
    size_t n_first = 0;
    uint64_t number;
    if (f->asked->n_columns > 0)
        return;
    for (uint32_t i = 0; i < s->n_lines; i++) {
        pci_line line;
        pci_flaw flaw;
        if (!pci_line_split(s->line[i].begin, s->line[i].end, PCI_EDGE_LIST_LINES, &line, &flaw) ||
            line.n_columns < 2 || line.has_gap || s->line[i].end[-1] == ';')
            return;
        has_weights = has_weights || line.n_columns == 3;
        n_first = i == 0 ? line.n_columns : n_first;
        n_like_first += line.n_columns == n_first;
        const pci_cell behind =
            line.n_columns == 3 ? column_cell(&line, PCI_WEIGHT) : (pci_cell){0};
        pci_kind third = pci_kind_of(&behind);
        may_be_labels = may_be_labels || third == PCI_INTEGERS || third == PCI_TIMES;
        if (!is_asked && third != PCI_NOTHING && third != PCI_DATA && !pci_is_numeric(third))
            return;
        for (int c = 0; c < 2; c++) {
            bool is_number =
                pci_integer_parse(line.column[c], line.length[c], &number) == PCI_INTEGER;
            words_above = words_above && (i > 0 || !is_number);
            integers_below = integers_below && (i == 0 || is_number);
            n_of_words += !is_number;
            n_of_integers += is_number;
            const pci_cell cell = column_cell(&line, (size_t)c);
            if (!is_asked && (pci_is_torn(cell.text, cell.length) || !pci_is_label(&cell)))
                return;
        }
    }
    if (!is_asked && n_of_words > 0 && n_of_integers > 0 && !(words_above && integers_below))
        return; /* more than one line of words, or numbers and words, above numbers */
    if (!is_asked && n_like_first == 1 && s->n_lines > 2)
        return; /* the first line is no edge */
    reading.kind = PCI_EDGES_LOOSE;
    reading.at[PCI_FROM] = 0;
    reading.at[PCI_TO] = 1;
    reading.at[PCI_WEIGHT] = has_weights ? 2 : PCI_NO_COLUMN;
    reading.n_columns = has_weights ? 0 : 2;
    if (n_first == 2 && s->n_lines > 2 && 2 * n_like_first <= s->n_lines && may_be_labels)
        reading.facts = PCI_LOOSE; /* the first line may have sizes */
    reading.first_row = s->n_lines > 1 && words_above && integers_below;
    if (s->n_lines > 0)
        pci_found_add(f, &reading);
}

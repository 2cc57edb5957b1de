/* Readings of edge lists: a line an edge, perhaps behind an index, below a line of sizes, or with a word or an arrow
 * between the ends. */
#include "io/readings.h"

#include "graphs/labels.h"
#include "io/text.h"
#include "src/core/checksum.h"

/* ---- Edges in columns without a header ------------------------------------------------------- */

/* A column that has fewer words than another one holds kinds of edges if there are this many lines or more. */
enum { FEW_WORDS = 8 };

enum { RELATED_COLUMNS = 3 };

/* Describes how the first columns are related in some rows. */
typedef struct relations {
    pci_kind kind[RELATED_COLUMNS];
    uint32_t n_distinct[RELATED_COLUMNS];
    /* Returns whether a cell of one column occurs in the other. */
    bool share[RELATED_COLUMNS][RELATED_COLUMNS];
} relations;

static relations find_relations(const pci_sample *s, const pci_table *t)
{
    relations found = {0};
    uint32_t n = t->n_columns < RELATED_COLUMNS ? t->n_columns : RELATED_COLUMNS;
    for (uint32_t c = 0; c < n; c++) {
        found.kind[c] = pci_column_kind(t, 0, c);
        for (uint32_t r = 0; r < t->n_rows; r++)
            s->mark[t->row[r][c].name] |= (uint8_t)(1 << c);
    }
    for (uint64_t name = 0; name < s->names.n; name++) {
        unsigned marks = s->mark[name];
        for (uint32_t a = 0; a < n && marks; a++) {
            found.n_distinct[a] += marks >> a & 1;
            for (uint32_t b = 0; b < n; b++)
                found.share[a][b] |= (marks >> a & marks >> b & 1);
        }
        s->mark[name] = 0;
    }
    return found;
}

/* `e 1 2`, `year buyer seller`: columns 2 and 3 share labels, and column 1 has none of them, or is one word. */
static void find_behind_a_word(pci_found *f, const pci_table *t, const relations *rel)
{
    uint32_t n = t->n_rows;
    bool differs = n > 1 && rel->kind[0] == PCI_WORDS && rel->n_distinct[0] == 1
                       ? rel->kind[1] == PCI_INTEGERS
                       : rel->kind[0] != PCI_WORDS && rel->kind[1] == PCI_WORDS;
    if (t->n_columns != 3 || rel->kind[0] == PCI_NOTHING ||
        !pci_are_alike_kinds(rel->kind[1], rel->kind[2]) || (!rel->share[1][2] && !differs) ||
        rel->share[0][1] || rel->share[0][2] ||
        (rel->kind[0] == PCI_WORDS && rel->kind[1] == PCI_WORDS && rel->n_distinct[0] > 1 &&
         rel->n_distinct[0] < n) ||
        (n > 1 && t->row[0][0].kind != pci_column_kind(t, 1, 0)))
        return;
    pci_add_edges(f, t, PCI_EDGES_BEHIND, 1, 2, pci_new_reading(0, 0));
}

/* Returns whether several lines of words stand above numbers. */
static bool has_deep_header(const pci_table *t)
{
    for (uint32_t n = 2; n <= 4 && n + 1 < t->n_rows; n++)
        for (uint32_t c = 0; c < 2; c++) {
            bool words = pci_column_kind(t, n, c) == PCI_INTEGERS;
            for (uint32_t r = 0; r < n && words; r++)
                words = t->row[r][c].kind == PCI_WORDS;
            if (words)
                return true;
        }
    return false;
}

/* Edges whose ends are the first two columns, perhaps with a weight or another word behind, perhaps with a time. */
static void find_plain(pci_found *f, const pci_table *t, const relations *rel)
{
    uint32_t n = t->n_columns;
    /* Each label occurs once, beside something of another kind: perhaps a table of vertices. */
    bool has_properties = t->n_rows > 1 && n == 2 && rel->n_distinct[0] == t->n_rows &&
                          rel->kind[0] != rel->kind[1] && !rel->share[0][1];
    pci_reading reading = pci_new_reading(0, has_properties ? PCI_LOOSE : 0);
    if (pci_row_length(t, 0) != n || (f->asked->header != PC_HEADER_NONE &&
                                      (pci_is_words_over_numbers(t, 0) || has_deep_header(t))))
        return;
    find_behind_a_word(f, t, rel);
    if (n == 3 && rel->kind[2] == PCI_WORDS) {
        bool is_of_ends = rel->share[2][0] || rel->share[2][1];
        bool is_varied =
            t->n_rows >= FEW_WORDS && !rel->share[0][1] && rel->n_distinct[2] > rel->n_distinct[1];
        if (is_of_ends || is_varied)
            return;
        reading.facts |= PCI_LOOSE; /* a word behind the ends may be an end */
    }
    pci_kind last = n == 4 ? pci_column_kind(t, 0, 3) : PCI_WORDS;
    if (n > 3 && ((rel->kind[2] != PCI_INTEGERS && rel->kind[2] != PCI_NUMBERS) ||
                  (last != PCI_TIMES && last != PCI_DATES && last != PCI_NUMBERS)))
        return;
    if (n > 2 && (pci_is_numeric(rel->kind[2]) || rel->kind[2] == PCI_DATA))
        reading.at[PCI_WEIGHT] = 2;
    pci_add_edges(f, t, PCI_EDGES, 0, 1, reading);
}

/* Takes the number at *at, of few digits, and moves behind it; UINT64_MAX when there is none. */
static uint64_t take_number(const char **at, const char *end)
{
    enum { MOST_DIGITS = 18 };
    const char *begin = *at;
    uint64_t number = 0;
    for (; *at < end && pci_is_digit(**at) && *at - begin < MOST_DIGITS; ++*at)
        number = 10 * number + (uint64_t)(**at - '0');
    return *at > begin ? number : UINT64_MAX;
}

/* The first line is none of sizes when a vertex is beyond its first number, or its numbers are small beside that of the
 * lines. Above others, 0,1 may be a header of pandas. */
bool pci_find_plain_edges(pci_found *f)
{
    const pci_sample *s = &f->sample;
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
    reading.refuses_missing = reading.refuses_minus_one = true;
    reading.at[PCI_FROM] = 0;
    reading.at[PCI_TO] = 1;
    pci_found_add(f, &reading);
    return true;
}

/* A first column that counts the lines, or has times, before two columns of one kind. */
static void find_index(pci_found *f, const pci_table *t, const relations *rel)
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
static void find_between(pci_found *f, const pci_table *t, const relations *rel)
{
    uint32_t known[PCI_N_ROLES], below = t->n_rows > 1;
    bool all_words_between = true, all_signs = true;
    if (t->n_columns != 3 || pci_row_length(t, 0) != 3 || rel->share[1][0] || rel->share[1][2])
        return;
    pci_kind kind[3];
    for (uint32_t c = 0; c < 3; c++)
        kind[c] = pci_column_kind(t, below, c);
    for (uint32_t r = 0; r < t->n_rows; r++) {
        const pci_cell *word = &t->row[r][1];
        all_words_between = all_words_between && is_word_between(word);
        all_signs =
            all_signs && (is_word_between(word) || (pci_is_label(word) && *word->text != '\\'));
    }
    if (!all_signs || (all_words_between && rel->n_distinct[1] > 1))
        return; /* an arrow that is not known, or several */
    if ((kind[1] != PCI_WORDS && !all_words_between) ||
        (kind[0] != kind[2] && kind[2] != PCI_WORDS) || pci_find_known_names(t->row[0], 3, known) ||
        (below && t->row[0][0].kind != kind[0] && t->row[0][2].kind != kind[2]) ||
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

/* ---- Sizes above the edges: vertices and edges, as METIS, Gset and contests have them --------------- */

/* Counts the lines of data, without the first ones. Returns 0 and sets f->status when reading fails. */
static uint64_t count_lines(pci_found *f, uint32_t before)
{
    const pci_sample *s = &f->sample;
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
        f->status = pci_input_fail_read(s->input, window.status, window.error);
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

/* `5 6` above six lines: the numbers of vertices and of edges, perhaps with more between; or one of them alone. They
 * stand in the first row, or in the lines above the table. */
static void find_sizes(pci_found *f, const pci_table *t)
{
    enum { MOST_SIZES = 4 };
    const pci_sample *s = &f->sample;
    uint64_t number[MOST_SIZES] = {0};
    uint32_t first = !t->is_below_sizes, n = first ? pci_row_length(t, 0) : t->n_skipped;
    body b;
    if (n == 0 || n > MOST_SIZES || t->n_rows <= first || t->n_columns > 4)
        return;
    for (uint32_t i = 0; i < n; i++) {
        const pci_cell cell = first ? t->row[0][i] : pci_cell_of(s->line[i].begin, s->line[i].end);
        if (!pci_cell_number(&cell, &number[i]))
            return;
    }
    if (!read_body(t, first, number, &b))
        return;
    bool may_state = false;
    for (uint32_t i = 0; i < n; i++)
        may_state = may_state || number[i] >= b.n_lines || number[i] == b.n_lines / 2;
    uint64_t n_in_head = b.n_lines;
    if (may_state && !s->head.is_whole)
        b.n_lines = count_lines(f, t->n_skipped + first);
    if (n == 2 && number[0] == b.n_lines && number[1] != b.n_lines && b.n_lines > 3) {
        number[0] = number[1]; /* edges before vertices */
        number[1] = b.n_lines;
    }
    /* The last number is that of lines, or half of it; no vertex is above the first one, which is the greatest, or one
     * more; the second one is no vertex next to the others. */
    uint64_t last = number[n > 1], most = number[0] > b.greatest ? number[0] : b.greatest;
    bool says_lines = b.n_lines % 2 == 0 && b.is_mutual && last == b.n_lines / 2;
    bool in_range = b.greatest<number[0] + !b.has_zero, gap = last> most + 1;
    bool near = number[0] == b.greatest || number[0] == b.greatest + 1;
    for (uint32_t i = n > 1; i < n; i++)
        says_lines = says_lines || number[i] == b.n_lines;
    bool is_alike = first && n == t->n_columns;
    if (n == 1 ? !says_lines && !(in_range && near)
               : !(in_range && says_lines) && !(is_alike && gap && near && last > 2 * number[0]))
        return;
    bool alone = !b.has_first && !b.has_second && n_in_head > 2 && number[1] == b.n_lines &&
                 number[0] != number[1];
    bool is_sure =
        n == 1 || (in_range && says_lines &&
                   (!is_alike || alone || (gap && number[0] - !b.has_zero <= b.greatest)));
    pci_reading reading = pci_new_reading(first, is_sure ? PCI_SURE : 0);
    reading.first_vertex = !b.has_zero;
    reading.n_vertices = in_range && !(n == 1 && says_lines) ? number[0] : 0;
    if (t->n_columns >= 3 && pci_is_numeric(pci_column_kind(t, first, 2)))
        reading.at[PCI_WEIGHT] = 2;
    pci_add_edges(f, t, PCI_EDGES_SIZES, 0, 1, reading);
}

void pci_find_edges(pci_found *f, const pci_table *t)
{
    if (f->asked->n_columns > 0) {
        pci_find_asked(f, t);
        return;
    }
    if (t->is_below_sizes) {
        find_sizes(f, t);
        return;
    }
    relations rel = find_relations(&f->sample, t);
    find_plain(f, t, &rel);
    find_sizes(f, t);
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
    pci_sample *s = &f->sample;
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

/* Lines that no separator cuts alike, each of which is an edge by itself: with comments behind, some with a weight,
 * or separated in different ways. */
void pci_find_loose_edges(pci_found *f)
{
    pci_sample *s = &f->sample;
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
        if (!pci_line_split(&pci_any_columns, s->line[i].begin, s->line[i].end, &line, &flaw) ||
            line.n_columns < 2 || s->line[i].end[-1] == ';')
            return;
        has_weights = has_weights || line.n_columns == 3;
        n_first = i == 0 ? line.n_columns : n_first;
        n_like_first += line.n_columns == n_first;
        pci_kind third = PCI_NOTHING;
        for (size_t c = 0; c < line.n_columns; c++) {
            const pci_cell cell = pci_cell_of(line.column[c], line.column[c] + line.length[c]);
            if (c == PCI_WEIGHT)
                third = cell.kind;
            else if (!is_asked && (pci_is_torn(cell.text, cell.length) || !pci_is_label(&cell)))
                return;
        }
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

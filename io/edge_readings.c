/* Readings of edge lists: a line an edge, with or without a header, an index, a line of sizes, or a word or arrow
 * between the ends. */
#include "io/column_names.h"
#include "io/readings.h"

#include "graphs/labels.h"
#include "io/text.h"
#include "src/core/scramble.h"

enum {
    MANY_LINES = 32, /* a line of sizes is believed from here on; before, it could be an edge by chance */
    FEW_WORDS = 8    /* lines from which on a column with fewer words than another is one of kinds */
};

void pci_found_add(pci_found *f, const pci_reading *reading)
{
    if (f->n < PCI_MOST_FOUND)
        f->reading[f->n++] = *reading;
}

/* ---- Columns that share cells ---------------------------------------------------------------- */

enum { FACT_COLUMNS = 3 };

/* How the first columns are related in some rows. */
typedef struct relations {
    pci_kind kind[FACT_COLUMNS];
    uint32_t n_distinct[FACT_COLUMNS];
    bool share[FACT_COLUMNS][FACT_COLUMNS]; /* whether a cell of one occurs in the other */
} relations;

static relations find_relations(const pci_sample *s, const pci_table *t, uint32_t first)
{
    relations found = {0};
    uint32_t n = t->n_columns < FACT_COLUMNS ? t->n_columns : FACT_COLUMNS;
    for (uint32_t c = 0; c < n; c++) {
        found.kind[c] = pci_column_kind(t, first, t->n_rows, c);
        for (uint32_t r = first; r < t->n_rows; r++)
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

/* A label has a letter or a digit, and it is no number with a fraction or a negative exponent.
 * 5e400 may be one in a file of hexadecimal ids. */
static bool is_label(const pci_cell *cell)
{
    bool has_letter = false, has_sign = false;
    for (uint32_t i = 0; i < cell->length; i++) {
        has_letter = has_letter || pci_is_letter_or_digit(cell->text[i]) || cell->text[i] == '_' ||
                     (unsigned char)cell->text[i] >= 0x80;
        has_sign = has_sign || cell->text[i] == '.' || cell->text[i] == ',' ||
                   (i > 0 && cell->text[i] == '-');
    }
    return has_letter && !(has_sign && pci_kind_of(cell) == PCI_NUMBERS);
}

/* Whether each label occurs once, beside something of another kind: perhaps a table of vertices. */
static bool is_of_properties(const pci_table *t, const relations *rel, uint32_t first)
{
    return t->n_rows - first > 1 && t->n_columns == 2 && rel->n_distinct[0] == t->n_rows - first &&
           rel->kind[0] != rel->kind[1] && !rel->share[0][1];
}

/* ---- Adding edges ---------------------------------------------------------------------------- */

/* Adds an edge list whose ends are two columns; nothing where a cell there is no label. */
static void add_edges(pci_found *f, const pci_table *t, pci_reading_kind kind, uint32_t from,
                      uint32_t to, pci_reading reading)
{
    bool integers = true;
    if (from >= t->n_columns || to >= t->n_columns ||
        (reading.first_row == 0 && pci_row_length(t, 0) < t->n_columns))
        return;
    for (uint32_t r = reading.first_row; r < t->n_rows; r++) {
        const pci_cell *row = t->row[r];
        if (!is_label(&row[from]) || !is_label(&row[to]))
            return;
        integers = integers && pci_kind_of(&row[from]) <= PCI_TIMES &&
                   pci_kind_of(&row[to]) <= PCI_TIMES;
    }
    reading.kind = kind;
    reading.table = t;
    reading.separator = t->separator;
    reading.n_skipped = t->n_skipped;
    reading.n_columns = t->n_columns;
    reading.facts |= (integers ? PCI_ALL_INTEGERS : 0) | (t->is_rare ? PCI_LOOSE : 0);
    reading.at[PCI_FROM] = from;
    reading.at[PCI_TO] = to;
    pci_found_add(f, &reading);
}

static pci_reading new_reading(uint32_t first_row, unsigned facts)
{
    pci_reading reading = {.first_row = first_row, .facts = facts};
    for (int role = 0; role < PCI_N_ROLES; role++)
        reading.at[role] = PCI_NO_COLUMN;
    return reading;
}

/* `e 1 2`, `year buyer seller`: columns 2 and 3 share labels, and column 1 has none of them, or is one word. */
static void find_behind_a_word(pci_found *f, const pci_table *t, const relations *rel,
                               uint32_t first)
{
    uint32_t n = t->n_rows - first;
    bool differs = n > 1 && rel->kind[0] == PCI_WORDS && rel->n_distinct[0] == 1
                       ? rel->kind[1] == PCI_INTEGERS
                       : rel->kind[0] != PCI_WORDS && rel->kind[1] == PCI_WORDS;
    if (t->n_columns != 3 || rel->kind[0] == PCI_NOTHING || rel->kind[1] != rel->kind[2] ||
        (!rel->share[1][2] && !differs) || rel->share[0][1] || rel->share[0][2] ||
        (rel->kind[0] == PCI_WORDS && rel->kind[1] == PCI_WORDS && rel->n_distinct[0] > 1 &&
         rel->n_distinct[0] < n) ||
        (n > 1 && pci_kind_of(&t->row[first][0]) != pci_column_kind(t, first + 1, t->n_rows, 0)))
        return;
    add_edges(f, t, PCI_EDGES_BEHIND, 1, 2, new_reading(first, 0));
}

/* ---- Without a header ------------------------------------------------------------------------ */

/* Whether the first row has words, perhaps with one digit at the end, above a column of numbers. */
static bool is_words_over_numbers(const pci_table *t, uint32_t corner)
{
    enum { FEW_ROWS = 3 };
    uint32_t n = pci_row_length(t, 0), shift = t->n_columns - n;
    bool found = false;
    if (t->n_rows < 2 || n > t->n_columns || shift > 1)
        return false;
    if (t->n_columns == corner + 2 && t->n_rows <= FEW_ROWS &&
        pci_is_numeric(pci_column_kind(t, 1, t->n_rows, corner)) !=
            pci_is_numeric(pci_column_kind(t, 1, t->n_rows, corner + 1)))
        return false; /* numbers and words in a few lines may all be labels */
    for (uint32_t i = corner > shift ? corner : shift; i < t->n_columns; i++) {
        const pci_cell *name = &t->row[0][i - shift];
        bool is_name = name->length > 0;
        if (pci_kind_of(name) != PCI_WORDS)
            return false;
        for (uint32_t j = 0; j < name->length; j++)
            is_name = is_name && (name->text[j] < '0' || name->text[j] > '9' ||
                                  (j > 0 && j + 1 == name->length));
        found = found || (is_name && pci_is_numeric(pci_column_kind(t, 1, t->n_rows, i)));
    }
    return found;
}

/* Whether several lines of words stand above numbers. */
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

/* The number of first columns that may hold an edge: its ends, a weight, a time; 0: there are others. */
static bool has_columns_of_edges(const pci_table *t, const relations *rel)
{
    if (t->n_columns < 4)
        return true;
    pci_kind last = t->n_columns == 4 ? pci_column_kind(t, 0, t->n_rows, 3) : PCI_WORDS;
    return (rel->kind[2] == PCI_INTEGERS || rel->kind[2] == PCI_NUMBERS) &&
           (last == PCI_TIMES || last == PCI_DATES || last == PCI_NUMBERS);
}

static void find_plain(pci_found *f, const pci_table *t, const relations *rel)
{
    pci_reading reading = new_reading(0, is_of_properties(t, rel, 0) ? PCI_LOOSE : 0);
    if (pci_row_length(t, 0) != t->n_columns ||
        (f->asked->header != PC_HEADER_NONE && (is_words_over_numbers(t, 0) || has_deep_header(t))))
        return;
    find_behind_a_word(f, t, rel, 0);
    if (t->n_columns == 3 && rel->kind[2] == PCI_WORDS) {
        bool is_of_ends = rel->share[2][0] || rel->share[2][1];
        bool is_varied = t->n_rows >= FEW_WORDS && !rel->share[0][1] &&
                         rel->n_distinct[2] > rel->n_distinct[1];
        if (is_of_ends || is_varied)
            return;
        reading.facts |= PCI_LOOSE; /* a word behind the ends may be an end */
    }
    if (!has_columns_of_edges(t, rel))
        return;
    if (t->n_columns > 2 && (pci_is_numeric(rel->kind[2]) || rel->kind[2] == PCI_DATA))
        reading.at[PCI_WEIGHT] = 2;
    add_edges(f, t, PCI_EDGES, 0, 1, reading);
}

/* A first column that counts the lines, or has times, before two columns of one kind. */
static void find_index(pci_found *f, const pci_table *t, const relations *rel)
{
    bool has_times = (rel->kind[0] == PCI_TIMES || rel->kind[0] == PCI_DATES) &&
                     (!rel->share[0][1] || rel->share[1][2]);
    if (pci_row_length(t, 0) == t->n_columns && t->n_rows > 1 && t->n_columns > 2 &&
        t->n_columns < 5 && rel->kind[1] == rel->kind[2] &&
        (rel->kind[1] == PCI_INTEGERS || rel->kind[1] == PCI_TIMES || rel->kind[1] == PCI_WORDS) &&
        (has_times || pci_column_counts(t, 0, 0)))
        add_edges(f, t, PCI_EDGES_BEHIND, 1, 2, new_reading(0, 0));
}

/* ---- A word between the ends ----------------------------------------------------------------- */

static bool is_word_between(const pci_cell *cell)
{
    static const char *const words[] = {"to", "and", "with", "vs", "-", ",", "->", "-->", "=>", "==>",
                                        "--", "---", "<->", "<-->", "<-", "<--", "\xe2\x86\x92"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (cell->length == strlen(words[i]) && memcmp(cell->text, words[i], cell->length) == 0)
            return true;
    return false;
}

/* `a pp b`, `1 to 2`: text that is no label stands between two columns of one kind. */
static void find_between(pci_found *f, const pci_table *t, const relations *rel)
{
    pci_column_names names;
    uint32_t known[PCI_N_ROLES], below = t->n_rows > 1;
    bool all_words_between = true;
    if (t->n_columns != 3 || pci_row_length(t, 0) != 3 || rel->share[1][0] || rel->share[1][2])
        return;
    pci_kind kind[3];
    for (uint32_t c = 0; c < 3; c++)
        kind[c] = pci_column_kind(t, below, t->n_rows, c);
    for (uint32_t r = 0; r < t->n_rows; r++)
        all_words_between = all_words_between && is_word_between(&t->row[r][1]);
    pci_column_names_read(t->row[0], 3, 0, &names);
    if ((kind[1] != PCI_WORDS && !all_words_between) ||
        (kind[0] != kind[2] && kind[2] != PCI_WORDS) ||
        pci_column_names_find_known(&names, known) ||
        (below && pci_kind_of(&t->row[0][0]) != kind[0] && pci_kind_of(&t->row[0][2]) != kind[2]) ||
        (t->n_rows >= FEW_WORDS && !rel->share[0][2] && rel->n_distinct[1] >= rel->n_distinct[2]))
        return;
    bool is_sure = rel->n_distinct[1] == 1 && all_words_between;
    pci_reading reading = new_reading(0, is_sure ? PCI_SURE : 0);
    char word[PCI_ARROW_BYTES] = "";
    const pci_cell *between = &t->row[0][1];
    if (is_sure && between->length > 1 && between->length < sizeof word)
        memcpy(word, between->text, between->length);
    reading.stated = pci_arrow_direction(word);
    bool to_left = *word == '<' && word[between->length - 1] != '>';
    add_edges(f, t, PCI_EDGES_BETWEEN, to_left ? 2 : 0, to_left ? 0 : 2, reading);
}

/* ---- A line of sizes ------------------------------------------------------------------------- */

/* Counts the lines of data but those before. The result is 0 when that fails, and found->status says why. */
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

/* What is below the numbers. */
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
static uint32_t take_numbers(const pci_sample *s, const pci_table *t, uint64_t number[PCI_LINE_COLUMNS])
{
    uint32_t n = t->is_below_sizes ? t->n_skipped : pci_row_length(t, 0);
    for (uint32_t i = 0; i < n && n <= PCI_LINE_COLUMNS; i++) {
        pci_cell cell = {0};
        if (t->is_below_sizes) {
            cell.text = pci_skip_blanks(s->line[i].begin, s->line[i].end);
            cell.length = (uint32_t)(pci_trim_end(cell.text, s->line[i].end) - cell.text);
        } else {
            cell = t->row[0][i];
        }
        if (!pci_cell_number(&cell, &number[i]))
            return 0;
    }
    return n <= PCI_LINE_COLUMNS ? n : 0;
}

/* What the numbers can state of the body. */
typedef struct stated {
    bool says_lines, in_range; /* how many lines there are, and above which number no vertex is */
    bool gap;                  /* the second number is no vertex next to the others */
    bool near;                 /* the first one is the greatest vertex, or one more */
} stated;

static stated compare_sizes(const uint64_t *number, uint32_t n, const body *b)
{
    uint64_t most = number[0] > b->greatest ? number[0] : b->greatest;
    stated found = {.in_range = b->greatest < number[0] + !b->has_zero,
                    .says_lines = b->n_lines % 2 == 0 && b->is_mutual &&
                                  number[n > 1] == b->n_lines / 2,
                    .gap = number[n > 1] > most + 1,
                    .near = number[0] == b->greatest || number[0] == b->greatest + 1};
    for (uint32_t i = n > 1; i < n; i++)
        found.says_lines = found.says_lines || number[i] == b->n_lines;
    return found;
}

/* `5 6` above six lines: the numbers of vertices and of edges, perhaps with more between; or one of them alone. */
static void find_sizes(pci_found *f, const pci_table *t)
{
    uint64_t number[PCI_LINE_COLUMNS] = {0};
    uint32_t first = !t->is_below_sizes, n = take_numbers(f->sample, t, number);
    body b;
    bool may_state = false;
    if (n == 0 || t->n_rows <= first || t->n_columns > 4 || !read_body(t, first, number, &b))
        return;
    for (uint32_t i = n > 1; i < n; i++)
        may_state = may_state || number[i] >= b.n_lines || number[i] == b.n_lines / 2;
    uint64_t n_in_head = b.n_lines;
    if (may_state && !f->sample->head.is_whole)
        b.n_lines = count_lines(f, t->n_skipped + first);
    stated says = compare_sizes(number, n, &b);
    bool is_alike = !t->is_below_sizes && n == t->n_columns;
    if (n == 1 ? !says.says_lines && !(says.in_range && says.near)
               : !(says.in_range && says.says_lines) &&
                     !(is_alike && says.gap && says.near && number[1] > 2 * number[0]))
        return;
    bool alone = !b.has_first && !b.has_second && n_in_head > 2 &&
                 number[1] == b.n_lines && number[0] != number[1];
    bool is_sure = n == 1 || (says.in_range && says.says_lines &&
                              (!is_alike || alone || b.n_lines >= MANY_LINES ||
                               (says.gap && number[0] - !b.has_zero <= b.greatest)));
    pci_reading reading = new_reading(first, is_sure ? PCI_SURE : 0);
    reading.first_vertex = !b.has_zero;
    reading.n_vertices = says.in_range && !(n == 1 && says.says_lines) ? number[0] : 0;
    if (t->n_columns >= 3 && pci_is_numeric(pci_column_kind(t, first, t->n_rows, 2)))
        reading.at[PCI_WEIGHT] = 2;
    add_edges(f, t, PCI_EDGES_SIZES, 0, 1, reading);
}

/* ---- Headers --------------------------------------------------------------------------------- */

/* What a first row looks like that may be a header. */
typedef struct header {
    const pci_cell *cell; /* of the row, of which cell[i - shift] is above column i */
    uint32_t shift;       /* 1: the name of the first column is left out, as R does */
    uint32_t corner;      /* 1: the first column has no name */
    uint32_t n;           /* columns */
    bool made_up;         /* 0, 1, ..., as pandas calls columns */
    bool mixed;           /* some names are numbers */
    bool typed;           /* words stand above numbers */
    bool is_known, is_pair;
    uint32_t known[PCI_N_ROLES];
} header;

static uint32_t stem_length(const pci_cell *cell)
{
    uint32_t length = cell->length;
    while (length > 0 && cell->text[length - 1] >= '0' && cell->text[length - 1] <= '9')
        length--;
    return length;
}

static bool has_digit(const pci_cell *cell)
{
    for (uint32_t i = 0; i < cell->length; i++)
        if (cell->text[i] >= '0' && cell->text[i] <= '9')
            return true;
    return false;
}

/* The facts of a first row; false when it is no header. */
static bool look_at_header(const pci_table *t, header *h)
{
    pci_column_names names;
    uint32_t length = pci_row_length(t, 0);
    *h = (header){.cell = t->row[0], .n = t->n_columns, .made_up = true};
    h->shift = length + 1 == t->n_columns && pci_column_counts(t, 1, 0);
    if (t->n_rows < 2 || length + h->shift != h->n)
        return false;
    h->corner = h->shift || h->cell[0].length == 0;
    uint32_t n_numbers = 0;
    for (uint32_t i = h->corner; i < h->n; i++) {
        const pci_cell *cell = &h->cell[i - h->shift];
        uint64_t number;
        if (pci_kind_of(cell) == PCI_NOTHING)
            return false;
        n_numbers += pci_is_numeric(pci_kind_of(cell));
        h->made_up = h->made_up && pci_cell_number(cell, &number) && number == i - h->corner;
    }
    h->mixed = n_numbers > 0 && !h->made_up;
    h->typed = is_words_over_numbers(t, h->corner);
    if (!h->corner && n_numbers == h->n && !h->made_up)
        return false;
    pci_column_names_read(h->cell, h->n, h->shift, &names);
    h->is_known = pci_column_names_find_known(&names, h->known);
    if (!h->is_known)
        h->is_pair = pci_column_names_find_pair(&names, h->known);
    return true;
}

/* Whether the names of the ends are labels, or cells of text, below. */
static bool has_names_again(const pci_table *t, const header *h, uint32_t from, uint32_t to)
{
    uint32_t name[2] = {UINT32_MAX, UINT32_MAX};
    bool found = false;
    for (int e = 0; e < 2; e++) {
        uint32_t column = e == 0 ? from : to;
        if (column >= h->shift)
            name[e] = h->cell[column - h->shift].name;
    }
    for (uint32_t r = 1; r < t->n_rows && !found; r++)
        for (uint32_t c = 0; c < h->n && !found; c++) {
            const pci_cell *cell = &t->row[r][c];
            bool counts = c == from || c == to || pci_kind_of(cell) == PCI_WORDS;
            found = counts && (cell->name == name[0] || cell->name == name[1]);
        }
    return found;
}

/* How the labels below the names of the ends look. */
typedef struct labels_below {
    bool all_have_digits, has_integer, has_0, has_1;
    bool are_alike; /* a label is a name but for a number at their ends */
} labels_below;

static labels_below look_below(const pci_table *t, const header *h, uint32_t from, uint32_t to)
{
    labels_below found = {.all_have_digits = true};
    for (uint32_t r = 1; r < t->n_rows; r++)
        for (int e = 0; e < 2; e++) {
            const pci_cell *cell = &t->row[r][e == 0 ? from : to];
            uint64_t number;
            bool is_number = pci_cell_number(cell, &number);
            found.all_have_digits = found.all_have_digits && has_digit(cell);
            found.has_integer = found.has_integer || pci_kind_of(cell) == PCI_INTEGERS;
            found.has_0 = found.has_0 || (is_number && number == 0);
            found.has_1 = found.has_1 || (is_number && number == 1);
            for (int f = 0; f < 2 && !is_number; f++) {
                uint32_t column = f == 0 ? from : to;
                if (column < h->shift)
                    continue;
                const pci_cell *name = &h->cell[column - h->shift];
                uint32_t length = stem_length(name);
                found.are_alike =
                    found.are_alike || (length > 0 && length == stem_length(cell) &&
                                        memcmp(name->text, cell->text, length) == 0);
            }
        }
    return found;
}

/* Whether all rows are in order, the first one, too, and none is there again: so lists of edges are written that
 * begin with 0. */
static bool is_sorted(const pci_table *t)
{
    uint64_t end[2], before[2] = {0, 0};
    for (uint32_t r = 0; r < t->n_rows; r++) {
        if (!pci_cell_number(&t->row[r][0], &end[0]) || !pci_cell_number(&t->row[r][1], &end[1]) ||
            (r > 0 && (end[0] < before[0] || (end[0] == before[0] && end[1] <= before[1]))))
            return false;
        memcpy(before, end, sizeof before);
    }
    return true;
}

static bool is_name_with_digit(const header *h, uint32_t column)
{
    return column >= h->shift && has_digit(&h->cell[column - h->shift]);
}

/* Whether a row that may be a header is one for these ends; *facts gets PCI_SURE where it can be nothing else. */
static bool judge_header(const pci_table *t, const header *h, uint32_t from, uint32_t to,
                         unsigned *facts)
{
    labels_below below = look_below(t, h, from, to);
    bool counts = pci_column_counts(t, 1, 0), above_integers = false;
    pci_kind third = h->made_up && !h->corner && h->n > 2 ? pci_column_kind(t, 1, t->n_rows, 2)
                                                          : PCI_INTEGERS;
    bool names_have_digits = is_name_with_digit(h, from) && is_name_with_digit(h, to);
    bool over_text = (h->made_up && !below.has_integer) || third == PCI_TIMES || third == PCI_DATES ||
                     third == PCI_WORDS;
    for (uint32_t i = h->corner; i < h->n; i++)
        above_integers = above_integers ||
                         (pci_kind_of(&h->cell[i - h->shift]) == PCI_WORDS &&
                          pci_column_kind(t, 1, t->n_rows, i) == PCI_INTEGERS);
    if (h->mixed && !above_integers)
        return false;
    if (!h->typed && !h->corner && !h->made_up && !(h->mixed && counts) &&
        has_names_again(t, h, from, to))
        return false;
    bool may_be_edge = below.has_0 || (below.has_1 && t->separator != ',');
    if (h->made_up && !h->corner && !over_text && third == PCI_INTEGERS && may_be_edge &&
        (t->separator == ' ' || t->separator == '\t' || is_sorted(t)))
        return false;
    if (!h->is_known && !h->corner && !h->made_up && !h->typed && !h->is_pair && names_have_digits)
        return false;
    bool digits = t->n_rows > 3 && below.all_have_digits && !is_name_with_digit(h, from) &&
                  !is_name_with_digit(h, to);
    bool is_sure = h->typed || (h->is_known && !below.are_alike) || h->corner || over_text ||
                   (h->is_pair && t->n_rows > 3 && !below.are_alike) || digits;
    bool default_names = names_have_digits && h->is_known; /* V1, V2 */
    *facts = (is_sure && !h->mixed ? PCI_SURE : 0) | (h->is_known && !default_names ? PCI_NAMED : 0) |
             (h->typed || h->corner || h->made_up ? PCI_NO_LABELS : 0);
    return true;
}

/* Fills in the columns of a weight and a type. */
static void set_roles(const header *h, const pci_table *t, pci_reading *reading, uint32_t from,
                      uint32_t to)
{
    uint32_t weight = h->known[PCI_WEIGHT];
    bool is_third = weight == PCI_NO_COLUMN && t->n_columns == 3 && from == 0 && to == 1 &&
                    pci_is_numeric(pci_column_kind(t, 1, t->n_rows, 2));
    bool is_data = t->n_columns == 3 && pci_column_kind(t, 1, t->n_rows, 2) == PCI_DATA;
    reading->at[PCI_WEIGHT] = is_third || is_data ? 2 : weight;
    if (weight == from || weight == to)
        reading->at[PCI_WEIGHT] = PCI_NO_COLUMN;
    reading->at[PCI_TYPE] = h->is_known ? h->known[PCI_TYPE] : PCI_NO_COLUMN;
}

static void add_header(pci_found *f, const pci_table *t, const header *h, uint32_t from,
                       uint32_t to, unsigned more)
{
    unsigned facts;
    if (from >= h->n || to >= h->n)
        return;
    if (!judge_header(t, h, from, to, &facts)) {
        if (f->asked->header != PC_HEADER_FIRST_LINE)
            return;
        facts = 0;
    }
    if (h->shift && !t->row[1][0].is_quoted)
        more |= PCI_LOOSE; /* it may be the last column that lacks a name */
    pci_reading reading = new_reading(1, facts | more);
    reading.shift = h->shift;
    set_roles(h, t, &reading, from, to);
    add_edges(f, t, PCI_EDGES_HEADER, from, to, reading);
    if (!h->shift || t->row[1][0].is_quoted)
        return;
    reading = new_reading(1, PCI_LOOSE | PCI_NO_LABELS);
    reading.at[PCI_WEIGHT] = t->n_columns == 3 ? 2 : PCI_NO_COLUMN;
    add_edges(f, t, PCI_EDGES_HEADER, 0, 1, reading);
}

static bool are_distinct(const pci_sample *s, const pci_table *t, uint32_t first, uint32_t column)
{
    bool good = true;
    for (uint32_t r = first; r < t->n_rows; r++) {
        good = good && !s->mark[t->row[r][column].name];
        s->mark[t->row[r][column].name] = 1;
    }
    for (uint32_t r = first; r < t->n_rows; r++)
        s->mark[t->row[r][column].name] = 0;
    return good;
}

/* A line of names alone, longer than single letters. */
static void find_header_alone(pci_found *f, const pci_table *t)
{
    pci_column_names names;
    pci_reading reading = new_reading(1, PCI_SURE);
    pci_column_names_read(t->row[0], t->n_columns, 0, &names);
    if (t->n_rows == 1 && t->row[0][0].length > 1 &&
        pci_column_names_find_known(&names, reading.at))
        add_edges(f, t, PCI_EDGES_HEADER, reading.at[PCI_FROM], reading.at[PCI_TO], reading);
}

/* Whether a line of sizes was found in the table. */
static bool has_sizes(const pci_found *f, const pci_table *t)
{
    bool found = false;
    for (uint32_t i = 0; i < f->n; i++)
        found = found || (f->reading[i].kind == PCI_EDGES_SIZES && f->reading[i].table == t);
    return found;
}

static void find_header(pci_found *f, const pci_table *t)
{
    header h;
    bool is_asked = f->asked->header == PC_HEADER_FIRST_LINE, may_be = look_at_header(t, &h);
    if (t->n_rows > 2 && pci_row_length(t, 0) == 1 && pci_kind_of(t->row[0]) == PCI_WORDS)
        add_edges(f, t, PCI_EDGES_HEADER, 0, 1, new_reading(1, PCI_LOOSE));
    else if (is_asked && t->n_rows > 1 && !has_sizes(f, t) && (!may_be || (h.n > 3 && !h.is_known && !h.is_pair)))
        add_edges(f, t, PCI_EDGES_HEADER, 0, 1, new_reading(1, 0));
    if (!may_be || (h.corner && !are_distinct(f->sample, t, 1, 0)))
        return;
    relations rel = find_relations(f->sample, t, 1);
    bool is_found = h.is_known || h.is_pair;
    unsigned facts;
    uint32_t n = h.n - h.corner;
    bool counts = pci_column_counts(t, 1, 0);
    if (is_found)
        add_header(f, t, &h, h.known[PCI_FROM], h.known[PCI_TO], 0);
    else if (n == 2 || n == 3)
        add_header(f, t, &h, h.corner, h.corner + 1,
                   !h.corner && is_of_properties(t, &rel, 1) ? PCI_LOOSE : 0);
    else if (n == 4 && counts)
        add_header(f, t, &h, 0, 1, 0);
    if (!h.is_known && !h.corner && (h.n == 3 || h.n == 4) && counts)
        add_header(f, t, &h, 1, 2, 0);
    else if (!is_found && !h.corner && t->n_columns > 2 &&
             (is_asked || judge_header(t, &h, 1, 2, &facts)))
        find_behind_a_word(f, t, &rel, 1);
}

/* ---- Columns that are asked for -------------------------------------------------------------- */

uint32_t pci_column_find(const pci_table *t, const char *text, size_t length)
{
    uint32_t found = PCI_NO_COLUMN, n = pci_row_length(t, 0), shift = t->n_columns > n;
    for (uint32_t i = n; i > 0; i--) {
        const pci_cell *cell = &t->row[0][i - 1];
        if (cell->length == length && memcmp(cell->text, text, length) == 0)
            return i - 1 + shift;
        if (cell->length == length && pci_equal_any_case(cell->text, text, length))
            found = i - 1 + shift;
    }
    return found;
}

static void find_asked(pci_found *f, const pci_table *t)
{
    const pci_asked *a = f->asked;
    uint32_t at[3] = {PCI_NO_COLUMN, PCI_NO_COLUMN, PCI_NO_COLUMN};
    unsigned facts = PCI_SURE;
    header h;
    for (uint32_t i = 0; i < a->n_columns; i++) {
        at[i] = a->number[i] != PCI_NO_COLUMN ? a->number[i]
                                              : pci_column_find(t, a->text[i], a->length[i]);
        if (at[i] >= t->n_columns)
            return;
    }
    bool is_header = look_at_header(t, &h);
    bool is_likely = is_header && judge_header(t, &h, at[0], at[1], &facts);
    pci_reading reading = new_reading(1, facts);
    reading.at[PCI_WEIGHT] = at[2];
    reading.shift = t->n_columns - pci_row_length(t, 0);
    if (a->has_names || a->header == PC_HEADER_FIRST_LINE || is_likely)
        add_edges(f, t, PCI_EDGES_HEADER, at[0], at[1], reading);
    reading.first_row = 0;
    reading.facts = 0;
    reading.shift = 0;
    if (!a->has_names && !is_words_over_numbers(t, 0))
        add_edges(f, t, PCI_EDGES, at[0], at[1], reading);
}

/* Whether two columns have labels of one kind, and share some. */
static bool may_be_ends(const pci_sample *s, const pci_table *t, uint32_t first, uint32_t from,
                        uint32_t to)
{
    bool share = false;
    pci_kind kind = pci_column_kind(t, first, t->n_rows, from);
    if ((kind != PCI_WORDS && kind != PCI_INTEGERS && kind != PCI_TIMES) ||
        pci_column_kind(t, first, t->n_rows, to) != kind)
        return false;
    for (uint32_t r = first; r < t->n_rows; r++)
        s->mark[t->row[r][from].name] = 1;
    for (uint32_t r = first; r < t->n_rows && !share; r++)
        share = s->mark[t->row[r][to].name];
    for (uint32_t r = first; r < t->n_rows; r++)
        s->mark[t->row[r][from].name] = 0;
    return share;
}

void pci_find_pairs(pci_found *f, const pci_table *t)
{
    enum { MOST_COLUMNS = 24, MOST_PAIRS = 4 };
    header h;
    unsigned facts;
    bool may_be_header = look_at_header(t, &h) && !h.made_up;
    uint32_t n_before = f->n;
    for (uint32_t from = 0; from + 1 < t->n_columns && from < MOST_COLUMNS; from++)
        for (uint32_t to = from + 1; to < t->n_columns && to < MOST_COLUMNS; to++) {
            bool is_header = may_be_header && judge_header(t, &h, from, to, &facts);
            if (f->n - n_before == MOST_PAIRS || !may_be_ends(f->sample, t, is_header, from, to))
                continue;
            pci_reading reading = new_reading(is_header, PCI_LOOSE);
            reading.shift = is_header ? h.shift : 0;
            add_edges(f, t, is_header ? PCI_EDGES_HEADER : PCI_EDGES_BEHIND, from, to, reading);
        }
}

void pci_find_edges(pci_found *f, const pci_table *t)
{
    if (f->asked->n_columns > 0) {
        find_asked(f, t);
        return;
    }
    if (t->is_below_sizes) {
        find_sizes(f, t);
        return;
    }
    relations rel = find_relations(f->sample, t, 0);
    find_plain(f, t, &rel);
    find_sizes(f, t);
    find_header(f, t);
    find_header_alone(f, t);
    find_index(f, t, &rel);
    find_between(f, t, &rel);
}

/* ---- Arrows ---------------------------------------------------------------------------------- */

/* Whether the text has one word, which may be in quotes. */
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
    pci_reading reading = new_reading(0, PCI_SURE);
    for (uint32_t i = 0; i < s->n_lines; i++) {
        const char *begin = pci_skip_blanks(s->line[i].begin, s->line[i].end), *arrow;
        const char *end = pci_trim_end(begin, s->line[i].end);
        size_t length;
        end -= end > begin && (end[-1] == ';' || end[-1] == ',');
        if (!pci_arrow_find(begin, end, &arrow, &length) || length >= PCI_ARROW_BYTES ||
            (i > 0 && (strlen(reading.arrow) != length || memcmp(reading.arrow, arrow, length))) ||
            !is_one_word(begin, pci_trim_end(begin, arrow)) ||
            !is_one_word(pci_skip_blanks(arrow + length, end), end))
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

static pci_kind kind_of_text(const char *text, size_t length)
{
    const pci_cell cell = {.bit = pci_kind_bit(text, length, ' ')};
    return pci_kind_of(&cell);
}

/* Lines that no separator cuts alike, each of which is an edge by itself: with comments behind, some with a weight,
 * or separated in different ways. */
void pci_find_loose_edges(pci_found *f)
{
    pci_sample *s = f->sample;
    pci_reading reading = new_reading(0, 0);
    bool words_above = true, integers_below = true, has_weights = false;
    bool is_asked = f->asked->format == PC_FORMAT_EDGE_LIST;
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
        pci_kind third = kind_of_text(line.column[PCI_WEIGHT], line.n_columns == 3 ? line.length[PCI_WEIGHT] : 0);
        if (!is_asked && third != PCI_NOTHING && third != PCI_DATA && !pci_is_numeric(third))
            return;
        for (int c = 0; c < 2; c++) {
            bool is_number = pci_integer_parse(line.column[c], line.length[c], &number) == PCI_INTEGER;
            words_above = words_above && (i > 0 || !is_number);
            integers_below = integers_below && (i == 0 || is_number);
            n_of_words += !is_number;
            n_of_integers += is_number;
            const pci_cell cell = {.text = line.column[c],
                                   .length = (uint32_t)line.length[c],
                                   .bit = pci_kind_bit(line.column[c], line.length[c], ' ')};
            if (!is_asked && (pci_is_torn(cell.text, cell.length) || !is_label(&cell)))
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
    reading.first_row = s->n_lines > 1 && words_above && integers_below;
    if (s->n_lines > 0)
        pci_found_add(f, &reading);
}

/* Readings of matrices, of lists of neighbours, and of pairs in brackets. */
#include "graphs/multiplicity.h"
#include "io/readings.h"
#include "io/recognise.h"

#include "io/text.h"

/* ---- Matrices -------------------------------------------------------------------------------- */

/* A square of cells in a table. */
typedef struct square {
    const pci_table *table;
    uint32_t first_row, first_column, side;
} square;

static const pci_cell *entry(const square *q, uint32_t i, uint32_t j)
{
    return &q->table->row[q->first_row + i][q->first_column + j];
}

static bool is_zero(const pci_cell *cell)
{
    uint64_t value;
    return pci_multiplicity_parse(cell->text, cell->length, &value) == PCI_MULTIPLICITY && value == 0;
}

static uint32_t rows_of(const square *q)
{
    uint32_t n = q->table->n_rows - q->first_row;
    return n < q->side ? n : q->side;
}

/* Whether the rows from the first one on are a square of numbers; of a larger file the first rows of one. */
static bool is_square(const pci_sample *s, const square *q)
{
    uint32_t n_rows = q->table->n_rows - q->first_row;
    if (q->first_row >= q->table->n_rows || q->side < 2 || n_rows > q->side ||
        (n_rows < q->side && (s->head.is_whole || q->side < 4)))
        return false;
    for (uint32_t i = 0; i < n_rows; i++) {
        if (pci_row_length(q->table, q->first_row + i) != q->first_column + q->side)
            return false;
        for (uint32_t j = 0; j < q->side; j++)
            if (!pci_is_numeric(pci_kind_of(entry(q, i, j))))
                return false;
    }
    return true;
}

static bool has_holes(const square *q)
{
    bool symmetric = rows_of(q) == q->side;
    for (uint32_t i = 0; i < rows_of(q); i++)
        for (uint32_t j = 0; j < q->side; j++) {
            if (is_zero(entry(q, i, j)))
                return true;
            symmetric = symmetric && j < rows_of(q) && entry(q, i, j)->name == entry(q, j, i)->name;
        }
    return symmetric;
}

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
                           .names_down = down};
    if (!is_square(f->sample, q))
        return;
    reading.facts = facts | (has_holes(q) ? PCI_HOLES : 0);
    if (q->side == 2 && !(facts & PCI_LABELLED) && f->asked->format != PC_FORMAT_MATRIX)
        reading.facts |= PCI_LOOSE;
    pci_found_add(f, &reading);
}

/* Marks the names of cells and tells whether they differ; unmark_cells takes the marks back. */
static bool mark_cells(const pci_sample *s, const pci_cell *cell, uint32_t n, uint32_t step)
{
    bool differ = true;
    for (uint32_t i = 0; i < n; i++) {
        differ = differ && !s->mark[cell[(size_t)i * step].name];
        s->mark[cell[(size_t)i * step].name] = 1;
    }
    return differ;
}

static void unmark_cells(const pci_sample *s, const pci_cell *cell, uint32_t n, uint32_t step)
{
    for (uint32_t i = 0; i < n; i++)
        s->mark[cell[(size_t)i * step].name] = 0;
}

static bool are_different(const pci_sample *s, const pci_cell *cell, uint32_t n, uint32_t step)
{
    bool differ = mark_cells(s, cell, n, step);
    unmark_cells(s, cell, n, step);
    return differ;
}

/* V1, X2, 3, [,4], [5,]: names that programs make up, as numbers. */
static bool made_up_number(const pci_cell *cell, uint64_t *number)
{
    pci_cell digits = *cell;
    uint32_t before = 0, behind = 0;
    if (digits.length > 1 && (*digits.text == 'V' || *digits.text == 'X'))
        before = 1;
    else if (digits.length > 3 && *digits.text == '[') {
        before = 1 + (digits.text[1] == ',');
        behind = 1 + (before == 1);
    }
    digits.text += before;
    digits.length -= before + behind;
    return pci_cell_number(&digits, number);
}

/* Whether made-up names count on from 0 or 1. */
static bool are_made_up(const pci_cell *cell, uint32_t n, uint32_t step)
{
    uint64_t number, first = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (!made_up_number(&cell[(size_t)i * step], &number) || (i == 0 && number > 1) ||
            (i > 0 && number != first + i))
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
    if (length < n || length > n + 1 || (length > n && pci_is_numeric(pci_kind_of(t->row[0]))) ||
        n_down > n)
        return;
    bool all_numbers = true, are_same = mark_cells(f->sample, across, n, 1);
    bool differ = are_same;
    for (uint32_t i = 0; i < n_down; i++) {
        const pci_cell *cell = &down[(size_t)i * t->n_columns];
        are_same = are_same && f->sample->mark[cell->name];
        all_numbers = all_numbers && pci_is_numeric(pci_kind_of(cell));
    }
    unmark_cells(f->sample, across, n, 1);
    if (are_same && are_different(f->sample, down, n_down, t->n_columns))
        add_matrix(f, PCI_MATRIX_NAMES, &q, true, true,
                   n > 2 || !all_numbers ? PCI_LABELLED : 0);
    else if (differ && are_made_up(across, n, 1) && are_made_up(down, n_down, t->n_columns))
        add_matrix(f, PCI_MATRIX_NAMES, &q, true, false, n > 3 ? PCI_LABELLED : 0);
}

/* A matrix below a line with its number of rows. */
static void find_below_size(pci_found *f, const pci_table *t)
{
    const square q = {t, 0, 0, t->n_columns};
    const pci_span *line = &f->sample->line[0];
    pci_cell cell = {.text = pci_skip_blanks(line->begin, line->end)};
    uint64_t number;
    cell.length = (uint32_t)(pci_trim_end(cell.text, line->end) - cell.text);
    if (t->n_skipped == 1 && pci_cell_number(&cell, &number) && number == t->n_columns)
        add_matrix(f, PCI_MATRIX_NAMES, &q, false, false, 0);
}

void pci_find_matrices(pci_found *f, const pci_table *t)
{
    if (t->is_below_sizes) {
        find_below_size(f, t);
        return;
    }
    uint32_t length = pci_row_length(t, 0), n_numbers = 0;
    const square plain = {t, 0, 0, t->n_columns}, below = {t, 1, 0, t->n_columns};
    const square behind = {t, 0, 1, t->n_columns - 1};
    uint64_t number;
    add_matrix(f, PCI_MATRIX, &plain, false, false, 0);
    if (t->n_rows < 2)
        return;
    bool is_size = length <= 2, zero_diagonal = true;
    for (uint32_t i = 0; i < length; i++) {
        is_size = is_size && pci_cell_number(&t->row[0][i], &number) && number == t->n_columns;
        n_numbers += pci_is_numeric(pci_kind_of(&t->row[0][i]));
    }
    if (is_size)
        add_matrix(f, PCI_MATRIX_NAMES, &below, false, false, 0);
    for (uint32_t i = 0; i < rows_of(&below) && i < t->n_columns; i++)
        zero_diagonal = zero_diagonal && pci_row_length(t, 1 + i) == t->n_columns &&
                        is_zero(entry(&below, i, i));
    if (length == t->n_columns && are_different(f->sample, t->row[0], length, 1) &&
        (length > 3 || (length == 3 && zero_diagonal) || n_numbers == 0 ||
         (n_numbers < length && f->asked->format == PC_FORMAT_MATRIX)))
        add_matrix(f, PCI_MATRIX_NAMES, &below, true, false, 0);
    if (length == t->n_columns && t->n_rows > 2 &&
        are_different(f->sample, t->row[0], t->n_rows, t->n_columns))
        add_matrix(f, PCI_MATRIX_NAMES, &behind, false, true, 0);
    find_named_matrix(f, t);
}

void pci_find_single_entry(pci_found *f)
{
    const pci_sample *s = f->sample;
    const pci_reading reading = {.kind = PCI_MATRIX, .separator = ' ', .n_columns = 1};
    uint64_t value;
    if (s->n_lines != 1)
        return;
    const char *begin = pci_skip_blanks(s->line[0].begin, s->line[0].end);
    if (pci_multiplicity_parse(begin, (size_t)(pci_trim_end(begin, s->line[0].end) - begin), &value) ==
        PCI_MULTIPLICITY)
        pci_found_add(f, &reading);
}

/* ---- Lists of neighbours --------------------------------------------------------------------- */

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

static const char *next_word(const char *at, const char *end, char separator, const char **word_end)
{
    while (at < end && (pci_is_blank(*at) || *at == separator))
        at++;
    const char *to = at;
    while (to < end && *to != separator && (separator != ' ' || !pci_is_blank(*to)))
        to++;
    *word_end = pci_trim_end(at, to);
    return at;
}

/* Whether a sign of comments stands behind a blank. */
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
        const char *begin = pci_skip_blanks(s->line[i].begin, s->line[i].end), *end = s->line[i].end;
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
                                             : behind == end || !pci_arrow_find(behind - 1, end, &more, &n_more));
        }
        if (!is_same) {
            mark[0] = 0;
            return;
        }
        memcpy(mark, at, length);
        mark[length] = 0;
    }
}

/* What lists of neighbours look like when words are separated in one way. */
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
    for (const char *at = next_word(line->begin, end, separator, &to); at < end;
         at = next_word(to, end, separator, &to)) {
        pci_cell cell = {.text = at, .length = (uint32_t)(to - at)};
        n++;
        if (n > 1)
            found->are_complete =
                found->are_complete && pci_names_find(heads, at, cell.length, &number);
        if (n == 2 && pci_cell_number(&cell, &value))
            stated = value;
        bool is_mixed = *at >= '0' && *at <= '9'; /* other separators are in a word that begins with a digit */
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

/* Adds a name. The result is false when there is no memory, and found->status says so. */
static bool add_name(pci_found *f, pci_names *names, const char *begin, const char *end)
{
    pc_context *context = f->sample->input->context;
    uint32_t number;
    if (pci_names_add(context, names, begin, (size_t)(end - begin), &number))
        f->status = pci_fail_memory(context, "names", names->n);
    return f->status == PC_OK;
}

static bool look_at_lists(pci_found *f, char separator, lists *found)
{
    pci_sample *s = f->sample;
    pci_names heads = {0};
    bool good = true;
    *found = (lists){true, true, true, true, true, UINT32_MAX, 0};
    uint64_t begin = 0, value;
    for (uint32_t i = 0; i < s->n_lines && good; i++) {
        const char *to, *at = next_word(s->line[i].begin, s->line[i].end, separator, &to);
        good = add_name(f, &heads, at, to);
        const pci_cell cell = {.text = at, .length = (uint32_t)(to - at)};
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
    pci_sample *s = f->sample;
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

/* "a: b c", "a -> b, c" */
static void find_marked_lists(pci_found *f, const char mark[PCI_ARROW_BYTES])
{
    const pci_sample *s = f->sample;
    pci_reading reading = {.kind = PCI_LISTS, .separator = ' ', .facts = PCI_SURE};
    static const char separators[] = "\t;,";
    for (size_t j = sizeof separators - 1; j > 0; j--)
        for (uint32_t i = 0; i < s->n_lines; i++)
            if (memchr(s->line[i].begin, separators[j - 1],
                       (size_t)(s->line[i].end - s->line[i].begin)))
                reading.separator = separators[j - 1];
    for (uint32_t i = 0; i < s->n_lines; i++)
        for (const char *at = s->line[i].begin; at < s->line[i].end; at++)
            if (memchr("{}()[]\"", *at, 7))
                return;
    memcpy(reading.arrow, mark, PCI_ARROW_BYTES);
    reading.stated = pci_arrow_direction(mark);
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
    const pci_sample *s = b->found->sample;
    const char *to, *end = s->line[*at].end;
    const char *head = next_word(s->line[*at].begin, end, ' ', &to);
    uint64_t n, n_before = b->heads.n;
    uint32_t number;
    if (!b->are_whole && (!add_name(b->found, &b->heads, head, to) || b->heads.n == n_before))
        return false;
    pci_cell degree = {.text = next_word(to, end, ' ', &to)};
    degree.length = (uint32_t)(to - degree.text);
    if (!pci_cell_number(&degree, &n) || pci_skip_blanks(to, end) < end)
        return false;
    for (++*at; n > 0 && *at < s->n_lines; n--, ++*at) {
        end = s->line[*at].end;
        const char *neighbour = next_word(s->line[*at].begin, end, ' ', &to);
        const char *data = pci_skip_blanks(to, end);
        if (data < end && *data != '{')
            return false;
        b->has_braces = b->has_braces || data < end;
        b->are_complete = b->are_complete && (!b->are_whole ||
            pci_names_find(&b->heads, neighbour, (size_t)(to - neighbour), &number));
    }
    return n == 0 || !s->head.is_whole;
}

static void find_lists_of_lines(pci_found *f)
{
    blocks b = {.found = f, .are_complete = true};
    uint32_t n_lines = f->sample->n_lines;
    bool good = n_lines > 0;
    for (int pass = 0; pass < 2 && good; pass++) {
        b.are_whole = pass > 0;
        for (uint32_t at = 0; good && at < n_lines;)
            good = take_block(&b, &at);
    }
    for (uint32_t i = 0; i < n_lines && f->asked->format == PC_FORMAT_ADJACENCY_LIST; i++) {
        const char *to, *end = f->sample->line[i].end;
        const char *word = next_word(f->sample->line[i].begin, end, ' ', &to);
        word = next_word(to, end, ' ', &to);
        b.has_braces = b.has_braces || (word < end && *word == '{');
    }
    good = good || (b.has_braces && f->asked->format == PC_FORMAT_ADJACENCY_LIST);
    bool is_alone = b.heads.n == n_lines; /* no vertex has a neighbour; so these may be loops, too */
    good = good && (!is_alone || pci_is_by_networkx(f->sample)) &&
           (b.has_braces || b.are_complete || f->asked->format == PC_FORMAT_MULTILINE_ADJACENCY_LIST);
    pci_names_free(f->sample->input->context, &b.heads);
    const pci_reading reading = {.kind = PCI_LISTS_LINES,
                                 .separator = ' ',
                                 .facts = b.has_braces || !is_alone ? PCI_SURE : 0};
    if (good)
        pci_found_add(f, &reading);
}

void pci_find_lists(pci_found *f)
{
    static const char separators[] = "\t;,";
    const pci_sample *s = f->sample;
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
        const char *word = next_word(line + is_head, end, ' ', &to);
        const char *more = next_word(to, end, ' ', &to);
        uint64_t value;
        n_heads += is_head;
        good = line == end || (word < end && (is_head ? word > line + 1 && more == end
                                                      : more == end || (to == end && pci_multiplicity_parse(more, (size_t)(to - more), &value) != PCI_NO_NUMBER)));
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

/* Columns that are the ends of edges: below a header with names that programs write, or others that are likely, or
 * named by options. */
#include "io/readings.h"

#include "io/text.h"

/* ---- Two columns as edges -------------------------------------------------------------------- */

void pci_found_add(pci_found *f, const pci_reading *reading)
{
    if (f->n < PCI_MOST_FOUND)
        f->reading[f->n++] = *reading;
}

bool pci_are_alike_kinds(pci_kind one, pci_kind other)
{
    return one == other || (one == PCI_INTEGERS && other == PCI_TIMES) ||
           (one == PCI_TIMES && other == PCI_INTEGERS);
}

bool pci_is_label(const pci_cell *cell)
{
    bool has_letter = false, is_list = false, has_digits_only = true;
    bool has_exponent = false;  /* as R writes 1e+05 */
    bool is_hexadecimal = true; /* so 5e400 may be an id */
    pci_kind kind = cell->kind;
    for (const char *at = cell->text, *end = at + cell->length; at < end; at++) {
        bool separates = memchr(", |;\t", *at, 5), is_letter = pci_is_letter_or_digit(*at);
        has_exponent = has_exponent || (*at == '+' && at > cell->text && pci_lower(at[-1]) == 'e' &&
                                        kind != PCI_WORDS);
        has_letter = has_letter || is_letter || *at == '_' || (unsigned char)*at >= 0x80;
        is_hexadecimal = is_hexadecimal && is_letter;
        is_list = is_list || separates;
        has_digits_only = has_digits_only && (pci_is_digit(*at) || separates);
    }
    return has_letter && !has_exponent && !(is_list && has_digits_only) &&
           (kind != PCI_NUMBERS || is_hexadecimal);
}

void pci_add_edges(pci_found *f, const pci_table *t, pci_reading_kind kind, uint32_t from,
                   uint32_t to, pci_reading reading)
{
    static const char *const totals[] = {"total", "sum", "summe", "gesamt", "somme"};
    bool integers = true, has_missing = false, are_short = true;
    bool has_minus_one = false, has_minus = false; /* -1 alone stands for no vertex */
    bool is_asked = f->asked->format == PC_FORMAT_EDGE_LIST;
    if (from >= t->n_columns || to >= t->n_columns ||
        (reading.first_row == 0 && pci_row_length(t, 0) < t->n_columns))
        return;
    for (uint32_t r = reading.first_row; r < t->n_rows; r++)
        for (int e = 0; e < 2; e++) {
            const pci_cell *cell = &t->row[r][e == 0 ? from : to];
            pci_kind is = cell->kind;
            if (f->asked->n_columns > 0 ? cell->length == 0 : !pci_is_label(cell))
                return;
            if (pci_is_minus_one(cell->text, cell->length))
                has_minus_one = true;
            else if (cell->length > 1 && *cell->text == '-' && is == PCI_INTEGERS)
                has_minus = true;
            has_missing = has_missing || is == PCI_NOTHING;
            are_short = are_short && cell->length == 2;
            integers = integers && is <= PCI_TIMES;
        }
    const pci_cell *last = &t->row[t->n_rows - 1][from];
    for (size_t i = 0; i < sizeof totals / sizeof *totals; i++) /* sums may stand in the last row */
        has_missing = has_missing || (t->n_rows > 2 && f->sample.head.is_whole &&
                                      pci_is_word_any_case(last->text, last->length, totals[i]));
    if ((has_missing || (has_minus_one && !has_minus)) && !are_short && !is_asked)
        return; /* among codes of two letters NA is one */
    reading.refuses_minus_one = !has_minus && !is_asked;
    reading.refuses_missing = !are_short && !is_asked;
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

pci_reading pci_new_reading(uint32_t first_row, unsigned facts)
{
    pci_reading reading = {.first_row = first_row, .facts = facts};
    for (int role = 0; role < PCI_N_ROLES; role++)
        reading.at[role] = PCI_NO_COLUMN;
    return reading;
}

/* ---- Names of columns, as programs write them ------------------------------------------------ */

enum { MOST_NAMES = 64, NAME_BYTES = 24 };

typedef struct column_names {
    char name[MOST_NAMES][NAME_BYTES]; /* small letters and digits */
    uint32_t n;
} column_names;

/* Pairs of names of the two ends of an edge, in small letters and digits. */
static const char *const known_names[] = {
    "source", "target",      "sourceid", "targetid", "sourcenode", "targetnode", "source",
    "dest",   "src",         "dst",      "src",      "dest",       "source",     "destination",
    "origin", "destination", "from",     "to",       "fromid",     "toid",       "fromnode",
    "tonode", "fromnodeid",  "tonodeid", "startid",  "endid",      "startnode",  "endnode",
    "start",  "end",         "node1",    "node2",    "nodeid1",    "nodeid2",    "id1",
    "id2",    "vertex1",     "vertex2",  "v1",       "v2",         "n1",         "n2",
    "user1",  "user2",       "u",        "v",        "i",          "j",          "von",
    "nach",   "quelle",      "ziel",     "origen",   "destino",    "citing",     "cited",
    "caller", "callee",      "sender",   "receiver", "follower",   "followee",   "subject",
    "object"};
enum { N_KNOWN_NAMES = sizeof known_names / sizeof *known_names };

static const char *const weight_names[] = {"weight",       "weights", "edgeweight",
                                           "multiplicity", "count",   "w"};

/* The names of n columns, of which row[i - shift] is that of column i; those beyond MOST_NAMES are not looked at. Neo4j
 * writes "id:START_ID(Person)". */
static column_names read_names(const pci_cell *row, uint32_t n, uint32_t shift)
{
    column_names all = {.n = n < MOST_NAMES ? n : MOST_NAMES};
    for (uint32_t i = shift; i < all.n; i++) {
        size_t length = 0;
        const char *at = row[i - shift].text, *end = at + row[i - shift].length;
        for (; at < end && *at != '('; at++)
            if (*at == ':' && at + 1 < end)
                length = 0;
            else if (pci_is_letter_or_digit(*at) && length < NAME_BYTES - 1)
                all.name[i][length++] = pci_lower(*at);
        all.name[i][length] = 0;
    }
    return all;
}

static uint32_t find_name(const column_names *all, const char *wanted)
{
    for (uint32_t i = 0; i < all->n; i++)
        if (strcmp(all->name[i], wanted) == 0)
            return i;
    return PCI_NO_COLUMN;
}

/* Finds the column of the second name of a pair; none where a name that ends with 2 is followed by one that ends with
 * 3, as in a row of many. */
static uint32_t find_second(const column_names *all, const char *second)
{
    char third[NAME_BYTES];
    size_t length = strlen(second);
    memcpy(third, second, length + 1);
    third[length - 1] = '3';
    bool is_of_many = second[length - 1] == '2' && find_name(all, third) != PCI_NO_COLUMN;
    return is_of_many ? PCI_NO_COLUMN : find_name(all, second);
}

/* Finds the columns that are called as the ends of an edge are, a weight and a type; PCI_NO_COLUMN where there is none.
 * False when there is no pair of ends. *has_others becomes true where two other columns are called as ends, too. */
static bool find_known(const column_names *all, uint32_t at[PCI_N_ROLES], bool *has_others)
{
    bool found = false;
    *has_others = false;
    for (size_t k = 0; k < N_KNOWN_NAMES && !found; k += 2) {
        at[PCI_FROM] = find_name(all, known_names[k]);
        at[PCI_TO] =
            all->n > 4 ? find_second(all, known_names[k + 1]) : find_name(all, known_names[k + 1]);
        found = at[PCI_FROM] != PCI_NO_COLUMN && at[PCI_TO] != PCI_NO_COLUMN;
    }
    for (size_t k = 0; k < N_KNOWN_NAMES && found; k += 2) {
        uint32_t from = find_name(all, known_names[k]), to = find_name(all, known_names[k + 1]);
        *has_others =
            *has_others || (from != PCI_NO_COLUMN && to != PCI_NO_COLUMN && from != at[PCI_FROM] &&
                            to != at[PCI_TO] && known_names[k][1]);
    }
    for (uint32_t i = 0; i < all->n && found; i++) /* the same name again */
        *has_others = *has_others ||
                      (i != at[PCI_FROM] && strcmp(all->name[i], all->name[at[PCI_FROM]]) == 0);
    at[PCI_WEIGHT] = PCI_NO_COLUMN;
    for (size_t k = 0; k < sizeof weight_names / sizeof *weight_names; k++)
        if (at[PCI_WEIGHT] == PCI_NO_COLUMN)
            at[PCI_WEIGHT] = find_name(all, weight_names[k]);
    at[PCI_TYPE] = find_name(all, "type");
    return found;
}

/* Finds two names that differ in a last 1 and 2, a and b, or x and y, such as person_a and person_b. */
static bool find_pair(const column_names *all, uint32_t at[PCI_N_ROLES])
{
    static const char firsts[] = "1ax", seconds[] = "2by";
    char second[NAME_BYTES];
    for (uint32_t i = 0; i < all->n; i++) {
        size_t length = strlen(all->name[i]);
        const char *last = length >= 3 ? strchr(firsts, all->name[i][length - 1]) : NULL;
        memcpy(second, all->name[i], length + 1);
        if (!last || all->name[i][0] < 'a')
            continue;
        second[length - 1] = seconds[last - firsts];
        at[PCI_FROM] = i;
        at[PCI_TO] = find_second(all, second);
        if (at[PCI_TO] != PCI_NO_COLUMN)
            return true;
    }
    return false;
}

bool pci_find_known_names(const pci_cell *row, uint32_t n, uint32_t at[PCI_N_ROLES])
{
    bool has_others;
    column_names names = read_names(row, n, 0);
    return find_known(&names, at, &has_others);
}

bool pci_is_of_vertices(const pci_table *t)
{
    column_names names = read_names(t->row[0], pci_row_length(t, 0), 0);
    return names.n > 1 &&
           (strcmp(names.name[0], "id") == 0 || strcmp(names.name[0], "nodeid") == 0) &&
           strcmp(names.name[1], "label") == 0;
}

/* ---- A first row that may be a header -------------------------------------------------------- */

bool pci_is_words_over_numbers(const pci_table *t, uint32_t corner)
{
    enum { FEW_ROWS = 3 };
    uint32_t n = pci_row_length(t, 0), shift = t->n_columns - n;
    bool found = false;
    if (t->n_rows < 2 || n > t->n_columns || shift > 1)
        return false;
    if (t->n_columns == corner + 2 && t->n_rows <= FEW_ROWS &&
        pci_is_numeric(pci_column_kind(t, 1, corner)) !=
            pci_is_numeric(pci_column_kind(t, 1, corner + 1)))
        return false; /* numbers and words in a few lines may all be labels */
    for (uint32_t i = corner > shift ? corner : shift; i < t->n_columns; i++) {
        const pci_cell *name = &t->row[0][i - shift];
        bool is_name = name->length > 0;
        if (name->kind != PCI_WORDS)
            return false;
        for (uint32_t j = 0; j < name->length; j++)
            is_name = is_name && (name->text[j] < '0' || name->text[j] > '9' ||
                                  (j > 0 && j + 1 == name->length));
        found = found || (is_name && pci_is_numeric(pci_column_kind(t, 1, i)));
    }
    return found;
}

/* Describes a first row that may be a header. */
typedef struct header {
    const pci_cell *cell; /* of the row, of which cell[i - shift] is above column i */
    uint32_t shift;       /* 1: the name of the first column is left out, as R does */
    uint32_t corner;      /* 1: the first column has no name */
    uint32_t n;           /* columns */
    bool made_up;         /* 0, 1, ..., as pandas calls columns */
    bool mixed;           /* some names are numbers */
    bool typed;           /* words stand above numbers */
    bool is_known, is_pair;
    bool has_others; /* another pair of columns has known names, too */
    uint32_t known[PCI_N_ROLES];
} header;

/* The name of a column; an empty one where the header lacks it. */
static const pci_cell *name_of(const header *h, uint32_t column)
{
    static const pci_cell none = {.text = "", .name = UINT32_MAX};
    return column < h->shift ? &none : &h->cell[column - h->shift];
}

static uint32_t stem_length(const pci_cell *cell)
{
    uint32_t length = cell->length;
    while (length > 0 && pci_is_digit(cell->text[length - 1]))
        length--;
    return length;
}

static bool has_digit(const pci_cell *cell)
{
    bool found = false;
    for (uint32_t i = 0; i < cell->length; i++)
        found = found || pci_is_digit(cell->text[i]);
    return found;
}

/* The facts of a first row; false when it is no header. */
static bool look_at_header(const pci_table *t, header *h)
{
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
        if (cell->kind == PCI_NOTHING)
            return false;
        n_numbers += pci_is_numeric(cell->kind);
        h->made_up = h->made_up && pci_cell_number(cell, &number) && number == i - h->corner;
    }
    h->mixed = n_numbers > 0 && !h->made_up;
    h->typed = pci_is_words_over_numbers(t, h->corner);
    if (h->corner && !h->shift && !h->made_up && t->row[1][0].length > 0 &&
        t->row[1][0].name == h->cell[1].name)
        return false; /* a table with the same names across and down */
    if (!h->corner && n_numbers == h->n && !h->made_up)
        return false;
    column_names names = read_names(h->cell, h->n, h->shift);
    h->is_known = find_known(&names, h->known, &h->has_others);
    h->is_pair = !h->is_known && find_pair(&names, h->known);
    return true;
}

/* Describes what stands below the names of the ends. */
typedef struct labels_below {
    bool all_have_digits, has_integer, has_0, has_1;
    bool are_alike;    /* a label is a name but for a number at their ends */
    bool are_numbered; /* and the name has such a number, too */
    bool again;        /* a name is a label, or a cell of text, too */
} labels_below;

static labels_below look_below(const pci_table *t, const header *h, uint32_t from, uint32_t to)
{
    labels_below found = {.all_have_digits = true};
    const pci_cell *name[2] = {name_of(h, from), name_of(h, to)};
    for (uint32_t r = 1; r < t->n_rows; r++)
        for (uint32_t c = 0; c < h->n; c++) {
            const pci_cell *cell = &t->row[r][c];
            bool is_end = c == from || c == to;
            uint64_t number = 2;
            for (int e = 0; e < 2 && (is_end || cell->kind == PCI_WORDS); e++)
                found.again = found.again || cell->name == name[e]->name;
            if (!is_end)
                continue;
            bool is_number = pci_cell_number(cell, &number);
            found.all_have_digits = found.all_have_digits && has_digit(cell);
            found.has_integer = found.has_integer || cell->kind == PCI_INTEGERS;
            found.has_0 = found.has_0 || number == 0;
            found.has_1 = found.has_1 || number == 1;
            for (int e = 0; e < 2 && !is_number; e++) {
                uint32_t length = stem_length(name[e]);
                bool is_alike = length > 0 && length == stem_length(cell) &&
                                memcmp(name[e]->text, cell->text, length) == 0;
                found.are_alike = found.are_alike || is_alike;
                found.are_numbered = found.are_numbered || (is_alike && length < name[e]->length);
            }
        }
    return found;
}

/* Returns whether all rows are in order, the first one, too, and none is there again: so lists of edges are written
 * that begin with 0. */
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

/* Returns whether a row that may be a header is one for these ends; *facts gets PCI_SURE where it can be nothing else.
 * */
static bool judge_header(const pci_table *t, const header *h, uint32_t from, uint32_t to,
                         unsigned *facts)
{
    labels_below below = look_below(t, h, from, to);
    bool counts = pci_column_counts(t, 1, 0), above_integers = false;
    pci_kind third = h->made_up && !h->corner && h->n > 2 ? pci_column_kind(t, 1, 2) : PCI_INTEGERS;
    bool first_has_digit = has_digit(name_of(h, from)),
         second_has_digit = has_digit(name_of(h, to));
    bool names_have_digits = first_has_digit && second_has_digit;
    bool over_text = (h->made_up && !below.has_integer) || third == PCI_TIMES ||
                     third == PCI_DATES || third == PCI_WORDS;
    for (uint32_t i = h->corner; i < h->n; i++)
        above_integers = above_integers || (h->cell[i - h->shift].kind == PCI_WORDS &&
                                            pci_column_kind(t, 1, i) == PCI_INTEGERS);
    bool is_table = h->corner && !h->is_known && !h->is_pair && below.has_integer &&
                    pci_column_kind(t, 1, 0) == PCI_WORDS;
    if ((h->mixed && !above_integers) || is_table)
        return false;
    if (!h->typed && !h->corner && !h->made_up && !(h->mixed && counts) && below.again)
        return false;
    bool may_be_edge = below.has_0 || (below.has_1 && t->separator != ',');
    if (h->made_up && !h->corner && !over_text && third == PCI_INTEGERS && may_be_edge &&
        (t->separator == ' ' || t->separator == '\t' || is_sorted(t)))
        return false;
    if (!h->is_known && !h->corner && !h->made_up && !h->typed && !h->is_pair &&
        (names_have_digits || below.are_numbered))
        return false;
    bool digits = t->n_rows > 3 && below.all_have_digits && !first_has_digit && !second_has_digit;
    bool is_sure = h->typed || (h->is_known && !below.are_alike) || h->corner || over_text ||
                   (h->is_pair && t->n_rows > 3 && !below.are_alike) || digits;
    bool default_names = names_have_digits && h->is_known; /* V1, V2 */
    *facts = (is_sure && !h->mixed ? PCI_SURE : 0) |
             (h->is_known && !default_names ? PCI_NAMED : 0) |
             ((h->typed && !h->is_known) || h->corner || h->made_up ? PCI_NO_LABELS : 0);
    return true;
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
    pci_reading reading = pci_new_reading(1, facts | more);
    reading.shift = h->shift;
    bool is_third = t->n_columns == 3 && h->known[PCI_WEIGHT] == PCI_NO_COLUMN && from == 0 &&
                    to == 1 && pci_is_numeric(pci_column_kind(t, 1, 2));
    bool is_data = t->n_columns == 3 && pci_column_kind(t, 1, 2) == PCI_DATA;
    reading.at[PCI_WEIGHT] = is_third || is_data ? 2 : h->known[PCI_WEIGHT];
    reading.at[PCI_TYPE] = h->is_known ? h->known[PCI_TYPE] : PCI_NO_COLUMN;
    pci_add_edges(f, t, PCI_EDGES_HEADER, from, to, reading);
    if (!h->shift || t->row[1][0].is_quoted)
        return;
    reading = pci_new_reading(1, PCI_LOOSE | PCI_NO_LABELS);
    reading.at[PCI_WEIGHT] = t->n_columns == 3 ? 2 : PCI_NO_COLUMN;
    pci_add_edges(f, t, PCI_EDGES_HEADER, 0, 1, reading);
}

void pci_find_header(pci_found *f, const pci_table *t)
{
    header h;
    pci_reading alone = pci_new_reading(1, PCI_SURE);
    bool has_sizes = false;
    for (uint32_t i = 0; i < f->n; i++)
        has_sizes =
            has_sizes || (f->reading[i].kind == PCI_EDGES_SIZES && f->reading[i].table == t);
    if (t->n_rows == 1 && t->row[0][0].length > 1 && /* a line of names, longer than letters */
        pci_find_known_names(t->row[0], t->n_columns, alone.at))
        pci_add_edges(f, t, PCI_EDGES_HEADER, alone.at[PCI_FROM], alone.at[PCI_TO], alone);
    bool is_asked = f->asked->header == PC_HEADER_FIRST_LINE, may_be = look_at_header(t, &h);
    if (t->n_rows > 2 && pci_row_length(t, 0) == 1 && t->row[0]->kind == PCI_WORDS)
        pci_add_edges(f, t, PCI_EDGES_HEADER, 0, 1, pci_new_reading(1, PCI_LOOSE));
    else if (is_asked && t->n_rows > 1 && !has_sizes &&
             (!may_be || (h.n > 3 && !h.is_known && !h.is_pair)))
        pci_add_edges(f, t, PCI_EDGES_HEADER, 0, 1, pci_new_reading(1, 0));
    if (!may_be ||
        (h.corner && !pci_are_distinct(&f->sample, t->row[1], t->n_rows - 1, t->n_columns)))
        return;
    bool is_found = h.is_known || h.is_pair;
    uint32_t n = h.n - h.corner;
    bool counts = pci_column_counts(t, 1, 0);
    bool are_alike =
        pci_are_alike_kinds(pci_column_kind(t, 1, h.corner), pci_column_kind(t, 1, h.corner + 1));
    if (is_found) {
        add_header(f, t, &h, h.known[PCI_FROM], h.known[PCI_TO], h.has_others ? PCI_LOOSE : 0);
    } else if (n == 3 && !are_alike) {
        add_header(f, t, &h, h.corner, h.corner + 2, PCI_LOOSE);
        add_header(f, t, &h, h.corner + 1, h.corner + 2, PCI_LOOSE);
        add_header(f, t, &h, h.corner, h.corner + 1, PCI_LOOSE);
    } else if (n == 2 || n == 3) {
        add_header(f, t, &h, h.corner, h.corner + 1, are_alike ? 0 : PCI_LOOSE);
    } else if (n == 4 && counts) {
        add_header(f, t, &h, 0, 1, PCI_LOOSE);
    }
    if (!h.is_known && !h.corner && (h.n == 3 || h.n == 4) && counts)
        add_header(f, t, &h, 1, 2, 0);
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

/* Finds ends, and weights, in columns beside that of a text: those that a header names so, else the first two others,
 * and numbers in the third and last one. */
static void find_ends_beside(const pci_table *t, const header *h, uint32_t at[PCI_MOST_ASKED])
{
    uint32_t text = at[PCI_ASKED_TEXT], last = text == 3 ? 2 : 3;
    bool is_known = h && h->is_known && h->known[PCI_FROM] != text && h->known[PCI_TO] != text;
    at[PCI_FROM] = is_known ? h->known[PCI_FROM] : text == 0;
    at[PCI_TO] = is_known ? h->known[PCI_TO] : text <= 1 ? 2 : 1;
    if (is_known)
        at[PCI_WEIGHT] = h->known[PCI_WEIGHT] != text ? h->known[PCI_WEIGHT] : PCI_NO_COLUMN;
    else if (t->n_columns == 4 && pci_is_numeric(pci_column_kind(t, h != NULL, last)))
        at[PCI_WEIGHT] = last;
}

void pci_find_asked(pci_found *f, const pci_table *t)
{
    const pci_asked *a = f->asked;
    uint32_t at[PCI_MOST_ASKED] = {PCI_NO_COLUMN, PCI_NO_COLUMN, PCI_NO_COLUMN, PCI_NO_COLUMN};
    unsigned facts = PCI_SURE;
    header h;
    for (uint32_t i = 0; i < PCI_MOST_ASKED; i++) {
        if (i >= a->n_columns && !a->text[i])
            continue;
        at[i] = a->number[i] != PCI_NO_COLUMN ? a->number[i]
                                              : pci_column_find(t, a->text[i], a->length[i]);
        if (at[i] >= t->n_columns)
            return;
    }
    bool is_header = look_at_header(t, &h);
    if (a->finds_ends)
        find_ends_beside(t, is_header ? &h : NULL, at);
    if (at[PCI_TO] >= t->n_columns)
        return;
    bool is_likely = is_header && judge_header(t, &h, at[0], at[1], &facts);
    pci_reading reading = pci_new_reading(1, facts);
    reading.at[PCI_WEIGHT] = at[2];
    reading.at[PCI_TEXT] = at[PCI_ASKED_TEXT];
    reading.shift = t->n_columns - pci_row_length(t, 0);
    if (a->has_names || a->header == PC_HEADER_FIRST_LINE || is_likely)
        pci_add_edges(f, t, PCI_EDGES_HEADER, at[0], at[1], reading);
    reading.first_row = 0;
    reading.facts = 0;
    reading.shift = 0;
    if (!a->has_names && !pci_is_words_over_numbers(t, 0))
        pci_add_edges(f, t, PCI_EDGES, at[0], at[1], reading);
}

/* Returns whether two columns have labels of one kind, and share some. */
static bool may_be_ends(const pci_sample *s, const pci_table *t, uint32_t first, uint32_t from,
                        uint32_t to)
{
    bool share = false;
    pci_kind kind = pci_column_kind(t, first, from);
    if ((kind != PCI_WORDS && kind != PCI_INTEGERS && kind != PCI_TIMES) ||
        !pci_are_alike_kinds(pci_column_kind(t, first, to), kind))
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
            if (f->n - n_before == MOST_PAIRS || !may_be_ends(&f->sample, t, is_header, from, to))
                continue;
            pci_reading reading = pci_new_reading(is_header, PCI_LOOSE);
            reading.shift = is_header ? h.shift : 0;
            pci_add_edges(f, t, is_header ? PCI_EDGES_HEADER : PCI_EDGES_BEHIND, from, to, reading);
        }
}

/* Columns that may be the ends of edges, and what they are called. */
#include "io/readings.h"

#include "io/text.h"

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

/* Returns whether a number such as 5e400 may be a hexadecimal id. */
static bool is_hexadecimal(const pci_cell *cell)
{
    for (uint32_t i = 0; i < cell->length; i++)
        if (!pci_is_letter_or_digit(cell->text[i]))
            return false;
    return true;
}

bool pci_is_label(const pci_cell *cell)
{
    bool has_letter = false, is_list = false, has_digits_only = true;
    bool has_exponent = false; /* as R writes 1e+05 */
    const char *end = cell->text + cell->length;
    for (const char *at = cell->text; at < end; at++) {
        bool is_digit = *at >= '0' && *at <= '9', separates = memchr(", |;\t", *at, 5);
        has_exponent = has_exponent || (*at == '+' && at > cell->text && pci_lower(at[-1]) == 'e' &&
                                        pci_kind_of(cell) != PCI_WORDS);
        has_letter =
            has_letter || pci_is_letter_or_digit(*at) || *at == '_' || (unsigned char)*at >= 0x80;
        is_list = is_list || separates;
        has_digits_only = has_digits_only && (is_digit || separates);
    }
    return has_letter && !has_exponent && !(is_list && has_digits_only) &&
           (pci_kind_of(cell) != PCI_NUMBERS || is_hexadecimal(cell));
}

/* ---- Adding edges ---------------------------------------------------------------------------- */

/* -1 alone among labels stands for no vertex; other negative numbers are labels. */
static void note_minus(const pci_cell *cell, bool *has_minus_one, bool *has_minus)
{
    if (cell->length < 2 || *cell->text != '-' || pci_kind_of(cell) != PCI_INTEGERS)
        return;
    if (cell->length == 2 && cell->text[1] == '1')
        *has_minus_one = true;
    else
        *has_minus = true;
}

/* Returns whether a cell of the last row says that sums stand there. */
static bool is_total(const pci_cell *cell)
{
    static const char *const words[] = {"total", "sum", "summe", "gesamt", "somme"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (pci_is_word_any_case(cell->text, cell->length, words[i]))
            return true;
    return false;
}

void pci_add_edges(pci_found *f, const pci_table *t, pci_reading_kind kind, uint32_t from,
                   uint32_t to, pci_reading reading)
{
    bool integers = true, has_missing = false, are_short = true;
    bool has_minus_one = false, has_minus = false;
    if (from >= t->n_columns || to >= t->n_columns ||
        (reading.first_row == 0 && pci_row_length(t, 0) < t->n_columns))
        return;
    for (uint32_t r = reading.first_row; r < t->n_rows; r++) {
        const pci_cell *row = t->row[r];
        bool are_labels = f->asked->n_columns > 0
                              ? row[from].length > 0 && row[to].length > 0
                              : pci_is_label(&row[from]) && pci_is_label(&row[to]);
        if (!are_labels)
            return;
        has_missing = has_missing || pci_kind_of(&row[from]) == PCI_NOTHING ||
                      pci_kind_of(&row[to]) == PCI_NOTHING;
        note_minus(&row[from], &has_minus_one, &has_minus);
        note_minus(&row[to], &has_minus_one, &has_minus);
        are_short = are_short && row[from].length == 2 && row[to].length == 2;
        integers =
            integers && pci_kind_of(&row[from]) <= PCI_TIMES && pci_kind_of(&row[to]) <= PCI_TIMES;
    }
    has_missing =
        has_missing || (has_minus_one && !has_minus) ||
        (t->n_rows > 2 && f->sample->head.is_whole && is_total(&t->row[t->n_rows - 1][from]));
    if (has_missing && !are_short && f->asked->format != PC_FORMAT_EDGE_LIST)
        return; /* among codes of two letters NA is one */
    reading.refuses_minus_one = !has_minus && f->asked->format != PC_FORMAT_EDGE_LIST;
    reading.refuses_missing = !are_short && f->asked->format != PC_FORMAT_EDGE_LIST;
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

/* Returns whether the first row has words, perhaps with one digit at the end, above a column of numbers. */
bool pci_is_words_over_numbers(const pci_table *t, uint32_t corner)
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

/* ---- Names of columns, as programs write them ------------------------------------------------ */

/* Names of the two ends of an edge, in small letters and digits. */
static const char *const known_names[][2] = {
    {"source", "target"},
    {"sourceid", "targetid"},
    {"sourcenode", "targetnode"},
    {"source", "dest"},
    {"src", "dst"},
    {"src", "dest"},
    {"source", "destination"},
    {"origin", "destination"},
    {"from", "to"},
    {"fromid", "toid"},
    {"fromnode", "tonode"},
    {"fromnodeid", "tonodeid"},
    {"startid", "endid"},
    {"startnode", "endnode"},
    {"start", "end"},
    {"node1", "node2"},
    {"nodeid1", "nodeid2"},
    {"id1", "id2"},
    {"vertex1", "vertex2"},
    {"v1", "v2"},
    {"n1", "n2"},
    {"user1", "user2"},
    {"u", "v"},
    {"i", "j"},
    {"von", "nach"},
    {"quelle", "ziel"},
    {"origen", "destino"},
    {"citing", "cited"},
    {"caller", "callee"},
    {"sender", "receiver"},
    {"follower", "followee"},
    {"subject", "object"},
};
enum { N_KNOWN_NAMES = sizeof known_names / sizeof *known_names };

static const char *const weight_names[] = {"weight",       "weights", "edgeweight",
                                           "multiplicity", "count",   "w"};

/* Neo4j writes "id:START_ID(Person)". */
static void simplify(const pci_cell *cell, char name[PCI_NAME_BYTES])
{
    size_t n = 0;
    const char *at = cell->text, *end = at + cell->length;
    for (; at < end && *at != '('; at++) {
        if (*at == ':' && at + 1 < end)
            n = 0;
        else if (pci_is_letter_or_digit(*at) && n < PCI_NAME_BYTES - 1)
            name[n++] = pci_lower(*at);
    }
    name[n] = 0;
}

void pci_column_names_read(const pci_cell *row, uint32_t n, uint32_t shift, pci_column_names *all)
{
    *all = (pci_column_names){.n = n < PCI_MOST_NAMES ? n : PCI_MOST_NAMES};
    for (uint32_t i = shift; i < all->n; i++)
        simplify(&row[i - shift], all->name[i]);
}

static uint32_t find_name(const pci_column_names *all, const char *wanted)
{
    for (uint32_t i = 0; i < all->n; i++)
        if (strcmp(all->name[i], wanted) == 0)
            return i;
    return PCI_NO_COLUMN;
}

/* Returns whether a name that ends with 2 is followed by one that ends with 3, as in a row of many. */
static bool has_third(const pci_column_names *all, const char *second)
{
    char third[PCI_NAME_BYTES];
    size_t length = strlen(second);
    if (length == 0 || second[length - 1] != '2')
        return false;
    memcpy(third, second, length + 1);
    third[length - 1] = '3';
    return find_name(all, third) != PCI_NO_COLUMN;
}

bool pci_column_names_find_known(const pci_column_names *all, uint32_t at[PCI_N_ROLES])
{
    bool found = false;
    for (size_t k = 0; k < N_KNOWN_NAMES && !found; k++) {
        at[PCI_FROM] = find_name(all, known_names[k][0]);
        at[PCI_TO] = find_name(all, known_names[k][1]);
        found = at[PCI_FROM] != PCI_NO_COLUMN && at[PCI_TO] != PCI_NO_COLUMN &&
                !(all->n > 4 && has_third(all, known_names[k][1]));
    }
    at[PCI_WEIGHT] = PCI_NO_COLUMN;
    for (size_t k = 0; k < sizeof weight_names / sizeof *weight_names; k++)
        if (at[PCI_WEIGHT] == PCI_NO_COLUMN)
            at[PCI_WEIGHT] = find_name(all, weight_names[k]);
    at[PCI_TYPE] = find_name(all, "type");
    return found;
}

bool pci_column_names_have_others(const pci_column_names *all, const uint32_t known[PCI_N_ROLES])
{
    for (size_t k = 0; k < N_KNOWN_NAMES; k++) {
        uint32_t from = find_name(all, known_names[k][0]), to = find_name(all, known_names[k][1]);
        bool differs = from != known[PCI_FROM] && to != known[PCI_TO] && known_names[k][0][1] != 0;
        if (from != PCI_NO_COLUMN && to != PCI_NO_COLUMN && differs)
            return true;
    }
    for (uint32_t i = 0; i < all->n; i++)
        if (i != known[PCI_FROM] && strcmp(all->name[i], all->name[known[PCI_FROM]]) == 0)
            return true; /* the same name again */
    return false;
}

bool pci_column_names_find_pair(const pci_column_names *all, uint32_t at[PCI_N_ROLES])
{
    static const char firsts[] = "1ax", seconds[] = "2by";
    char second[PCI_NAME_BYTES];
    for (uint32_t i = 0; i < all->n; i++) {
        size_t length = strlen(all->name[i]);
        const char *last = length >= 3 ? strchr(firsts, all->name[i][length - 1]) : NULL;
        memcpy(second, all->name[i], length + 1);
        if (!last || all->name[i][0] < 'a')
            continue;
        second[length - 1] = seconds[last - firsts];
        at[PCI_FROM] = i;
        at[PCI_TO] = find_name(all, second);
        if (at[PCI_TO] != PCI_NO_COLUMN && !has_third(all, second))
            return true;
    }
    return false;
}

bool pci_column_names_are_of_vertices(const pci_column_names *all)
{
    return all->n > 1 && (strcmp(all->name[0], "id") == 0 || strcmp(all->name[0], "nodeid") == 0) &&
           strcmp(all->name[1], "label") == 0;
}

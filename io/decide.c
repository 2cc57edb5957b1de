/* Deciding between the readings that fit a text: the table of readings, and the rules that remove those that are less
 * likely. */
#include "graphs/labels.h"
#include "graphs/multiplicity.h"
#include "io/readings.h"
#include "io/text.h"
#include "src/core/checksum.h"

/* ---- The table of readings ------------------------------------------------------------------- */

const pci_reading_row pci_readings[PCI_N_READINGS] = {
    [PCI_EDGES] = {"edges without a header", "edges", PC_FORMAT_EDGE_LIST},
    [PCI_EDGES_HEADER] = {"edges below a header", "edges", PC_FORMAT_EDGE_LIST},
    [PCI_EDGES_SIZES] = {"edges below a line of sizes", "edges", PC_FORMAT_EDGE_LIST},
    [PCI_EDGES_BETWEEN] = {"edges with a word between their ends", "edges", PC_FORMAT_EDGE_LIST},
    [PCI_EDGES_BEHIND] = {"edges behind another column", "edges", PC_FORMAT_EDGE_LIST},
    [PCI_EDGES_ARROWS] = {"edges with an arrow between their ends", "edges", PC_FORMAT_EDGE_LIST},
    [PCI_EDGES_LOOSE] = {"edges, each line as it looks", "edges", PC_FORMAT_EDGE_LIST},
    [PCI_MATRIX] = {"a matrix", "matrix", PC_FORMAT_MATRIX},
    [PCI_MATRIX_NAMES] = {"a matrix with names", "matrix", PC_FORMAT_MATRIX},
    [PCI_LISTS] = {"lists of neighbours", "adjlist", PC_FORMAT_ADJACENCY_LIST},
    [PCI_LISTS_DEGREES] = {"lists that begin with a vertex and the number of its neighbours, "
                           "which is to be left out",
                           NULL, PC_FORMAT_AUTO},
    [PCI_LISTS_LINES] = {"lists of neighbours, one a line", "multiline-adjlist",
                         PC_FORMAT_MULTILINE_ADJACENCY_LIST},
    [PCI_METIS] = {"METIS", "metis", PC_FORMAT_METIS},
    [PCI_LGL] = {"LGL", "lgl", PC_FORMAT_LGL},
    [PCI_TUPLES] = {"pairs in brackets", "tuples", PC_FORMAT_TUPLES},
    [PCI_ENTRIES] = {"a printed sparse matrix", "tuples", PC_FORMAT_TUPLES},
};

bool pci_has_readings(pc_format format)
{
    return format == PC_FORMAT_AUTO || format == PC_FORMAT_EDGE_LIST ||
           format == PC_FORMAT_MATRIX || format == PC_FORMAT_ADJACENCY_LIST ||
           format == PC_FORMAT_MULTILINE_ADJACENCY_LIST || format == PC_FORMAT_TUPLES;
}

const char pci_missing_end[] =
    "stands for a missing value where an end of an edge is to be: remove "
    "the line, or --format edges takes it for a vertex";

/* ---- Rules ----------------------------------------------------------------------------------- */

/* Names what must be so, besides the kinds and facts, for one reading to remove another. */
typedef enum condition {
    ALWAYS,
    HAS_ITS_ENDING,   /* the name of the file ends as those of matrices do, perhaps packed */
    HAS_MARK,         /* of lists, only those with a mark win */
    IS_BY_NETWORKX,   /* a comment says so */
    HAS_ONLY_0_AND_1, /* the ends of the loser's edges, in a table of three columns or more */
    IS_FULL,          /* the losing matrix has neither zeros nor the same names across and down */
    IS_SMALL_BELOW_NAMES, /* the loser has names across alone, and three columns or fewer */
    IS_ABOVE_COMMENTS,    /* the loser takes a comment for data */
    HAS_TWO_COLUMNS,
    IS_SAME_TABLE,
    IS_TABLE /* the winner has cells, and the loser is not certain */
} condition;

/* A reading with all of these facts removes those of other kinds, one rule after the other. */
static const struct rule {
    const char *reason;
    unsigned winners, facts, losers;
    condition condition;
} rules[] = {
    {"the ending of the name tells", PCI_MATRIX_KINDS, 0, PCI_ANY_KIND, HAS_ITS_ENDING},
    {"no label has such a mark",
     PCI_KIND(EDGES_ARROWS) | PCI_KIND(TUPLES) | PCI_KIND(ENTRIES) | PCI_KIND(LISTS), PCI_SURE,
     PCI_ANY_KIND, HAS_MARK},
    {"NetworkX writes such a comment", PCI_KIND(LISTS) | PCI_KIND(LISTS_LINES), 0,
     PCI_EDGE_KINDS | PCI_MATRIX_KINDS | PCI_KIND(LGL), IS_BY_NETWORKX},
    {"each vertex has a block of lines", PCI_KIND(LISTS_LINES), PCI_SURE,
     PCI_EDGE_KINDS | PCI_KIND(LISTS), ALWAYS},
    {"each neighbour has its vertex as a neighbour", PCI_KIND(METIS), PCI_SURE,
     PCI_EDGE_KINDS | PCI_LIST_KINDS, ALWAYS},
    {"rows and columns have the same names", PCI_MATRIX_KINDS, PCI_LABELLED,
     PCI_EDGE_KINDS | PCI_MATRIX_KINDS, ALWAYS},
    {"the names are those of ends", PCI_KIND(EDGES_HEADER), PCI_NAMED, PCI_MATRIX_KINDS,
     IS_SMALL_BELOW_NAMES},
    {"edges would have the vertices 0 and 1 only", PCI_MATRIX_KINDS, 0, PCI_EDGE_KINDS,
     HAS_ONLY_0_AND_1},
    {"a matrix without a 0 is none of a graph", PCI_EDGE_KINDS, 0, PCI_MATRIX_KINDS, IS_FULL},
    {"a known header is below a comment", PCI_KIND(EDGES_HEADER), PCI_SURE,
     PCI_KIND(EDGES) | PCI_KIND(EDGES_HEADER), IS_ABOVE_COMMENTS},
    {"two columns are edges", PCI_EDGE_KINDS, 0, PCI_MATRIX_KINDS, HAS_TWO_COLUMNS},
    {"all lines have two columns", PCI_KIND(EDGES_LOOSE), 0, PCI_LIST_KINDS, HAS_TWO_COLUMNS},
    {"two columns of integers are edges", PCI_KIND(EDGES), PCI_ALL_INTEGERS,
     PCI_LIST_KINDS | PCI_KIND(LGL), HAS_TWO_COLUMNS},
    {"the header is certain", PCI_KIND(EDGES_HEADER), PCI_SURE, PCI_KIND(EDGES), IS_SAME_TABLE},
    {"the sizes are certain", PCI_KIND(EDGES_SIZES), PCI_SURE, PCI_KIND(EDGES), IS_SAME_TABLE},
    {"the sizes are certain", PCI_KIND(EDGES_SIZES), PCI_SURE, PCI_LIST_KINDS, ALWAYS},
    {"the word stands between", PCI_KIND(EDGES_BETWEEN), PCI_SURE,
     PCI_KIND(EDGES) | PCI_KIND(EDGES_BEHIND), IS_SAME_TABLE},
    {"all lines have as many columns", PCI_EDGE_KINDS | PCI_MATRIX_KINDS, 0, PCI_LIST_KINDS,
     IS_TABLE},
};

/* Returns whether the ends of all edges are 0 and 1. */
static bool has_only_0_and_1(const pci_reading *r)
{
    for (uint32_t i = r->first_row; i < r->table->n_rows; i++)
        for (int role = PCI_FROM; role <= PCI_TO; role++) {
            uint64_t number;
            if (!pci_cell_number(&r->table->row[i][r->at[role]], &number) || number > 1)
                return false;
        }
    return true;
}

static bool is_so(const pci_found *f, condition c, const pci_reading *w, const pci_reading *l)
{
    bool is_matrix = pci_is_of(l, PCI_MATRIX_KINDS), is_sure = l->facts & PCI_SURE;
    const char *name = f->asked->input->name;
    size_t length = 0;
    switch (c) {
    case ALWAYS:
        return true;
    case HAS_ITS_ENDING:
        pc_file_format_of(name, &length);
        return length >= 4 && pci_equal_any_case(name + length - 4, ".adj", 4);
    case HAS_MARK:
        return (w->kind != PCI_LISTS || *w->arrow) && l->kind != PCI_EDGES_ARROWS;
    case IS_BY_NETWORKX:
        return pci_is_by_networkx(&f->sample);
    case HAS_ONLY_0_AND_1:
        return w->n_columns > 2 && l->n_columns > 2 && l->table && has_only_0_and_1(l);
    case IS_FULL:
        return !(l->facts & (PCI_HOLES | PCI_LABELLED));
    case IS_SMALL_BELOW_NAMES:
        return l->names_across && !l->names_down && l->n_columns < 4;
    case IS_ABOVE_COMMENTS:
        return w->n_skipped > 0 && l->n_skipped == 0;
    case HAS_TWO_COLUMNS:
        return w->n_columns == 2 && (!is_matrix || l->n_columns == 2) &&
               !(is_sure && pci_is_of(l, PCI_LIST_KINDS) && !w->table);
    case IS_SAME_TABLE:
        return w->table == l->table;
    case IS_TABLE:
        break;
    }
    return w->table && !is_sure;
}

static bool holds(const pci_found *f, const struct rule *rule, const pci_reading *w,
                  const pci_reading *l)
{
    return pci_is_of(w, rule->winners) && (w->facts & rule->facts) == rule->facts &&
           is_so(f, rule->condition, w, l);
}

static void drop(pci_found *f, const bool loses[PCI_MOST_FOUND])
{
    uint32_t n = 0;
    for (uint32_t r = 0; r < f->n; r++)
        if (!loses[r])
            f->reading[n++] = f->reading[r];
    f->n = n;
}

/* A reading removes others by a rule, but not those that the rule prefers. */
static void apply_rules(pci_found *f)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        bool loses[PCI_MOST_FOUND] = {false};
        for (uint32_t l = 0; l < f->n; l++)
            for (uint32_t w = 0; w < f->n && !loses[l]; w++)
                loses[l] = w != l && pci_is_of(&f->reading[l], rules[i].losers) &&
                           holds(f, &rules[i], &f->reading[w], &f->reading[l]) &&
                           !holds(f, &rules[i], &f->reading[l], &f->reading[w]);
        drop(f, loses);
    }
}

/* ---- Hashes of the graphs that readings find ------------------------------------------------- */

/* Vertices and arcs as hashes of their labels, each once. */
typedef struct hashes {
    uint64_t *slot; /* [mask + 1] at least twice as many as there are hashes; 0: it is free */
    uint64_t mask, sum, n_vertices;
} hashes;

static bool add_once(hashes *h, uint64_t hash)
{
    uint64_t i = pci_scramble(hash + (hash == 0)) & h->mask;
    hash += hash == 0;
    while (h->slot[i] && h->slot[i] != hash)
        i = (i + 1) & h->mask;
    if (h->slot[i])
        return false;
    h->slot[i] = hash;
    h->sum += pci_scramble(hash);
    return true;
}

static void add_arc(hashes *h, uint64_t from, uint64_t to, bool both)
{
    add_once(h, pci_scramble(from) + to);
    if (both)
        add_once(h, pci_scramble(to) + from);
    h->n_vertices += add_once(h, from);
    h->n_vertices += add_once(h, to);
}

static uint64_t hash_cell(const pci_cell *cell)
{
    uint64_t hash = cell->length;
    for (uint32_t i = 0; i < cell->length; i++)
        hash = pci_scramble(hash + (unsigned char)cell->text[i] + 1);
    return hash;
}

/* The label of a row or column of a matrix. */
static uint64_t label(const pci_reading *r, uint32_t i)
{
    const pci_table *t = r->table;
    if (r->names_across)
        return hash_cell(t->row[1] - r->n_columns + i);
    return r->names_down ? hash_cell(&t->row[r->first_row + i][0]) : i;
}

/* Arrows, lists and others have no cells that are compared; they differ from each other and from tables. The number of
 * vertices may be stated; then some have no arcs. */
pc_status pci_found_hash(pci_found *f, uint32_t which)
{
    const pci_reading *r = &f->reading[which];
    const pci_table *t = r->table;
    pc_context *context = f->asked->input->context;
    bool is_matrix = pci_is_of(r, PCI_MATRIX_KINDS);
    pc_direction direction = f->asked->options->direction;
    direction = direction ? direction : f->sample.stated;
    f->hash[which] = pci_scramble((uint64_t)r->kind + (uint64_t)r->separator * 256);
    if (!t)
        return PC_OK;
    hashes h = {.mask = 63};
    uint64_t value, n = (uint64_t)t->n_rows * (is_matrix ? r->n_columns : 4) + r->n_columns;
    while (h.mask < 2 * n)
        h.mask = 2 * h.mask + 1;
    h.slot = pci_alloc_zero(context, h.mask + 1, sizeof *h.slot);
    if (!h.slot)
        return pci_fail_memory(context, "readings", (h.mask + 1) * sizeof *h.slot);
    for (uint32_t i = 0; r->first_row + i < t->n_rows; i++) {
        const pci_cell *row = t->row[r->first_row + i], *end = t->row[r->first_row + i + 1];
        if (!is_matrix)
            add_arc(&h, hash_cell(&row[r->at[PCI_FROM]]), hash_cell(&row[r->at[PCI_TO]]),
                    direction != PC_DIRECTED);
        for (uint32_t j = 0; is_matrix && j < r->n_columns && i < r->n_columns; j++) {
            const pci_cell *cell = end - r->n_columns + j;
            if (pci_multiplicity_parse(cell->text, cell->length, &value) != PCI_MULTIPLICITY ||
                value > 0)
                add_arc(&h, label(r, i), label(r, j), false);
            else if (j == 0)
                h.n_vertices += add_once(&h, label(r, i));
        }
    }
    pci_free(context, h.slot);
    n = r->n_vertices > h.n_vertices ? r->n_vertices - h.n_vertices : 0;
    f->hash[which] = pci_scramble(h.sum + n) + (!is_matrix && direction == PC_DIRECTED);
    return PC_OK;
}

/* ---- Deciding -------------------------------------------------------------------------------- */

/* Returns whether options say anything that only edge lists have. */
static bool asks_edges(const pci_asked *a)
{
    return a->n_columns > 0 || a->separator || *a->arrow || a->header != PC_HEADER_FOUND;
}

/* Returns whether options allow a reading. */
static bool is_allowed(const pci_asked *a, const pci_reading *r)
{
    bool is_edges = pci_is_of(r, PCI_EDGE_KINDS);
    if ((asks_edges(a) || a->format == PC_FORMAT_EDGE_LIST) && !is_edges)
        return false;
    if (*a->arrow && (r->kind != PCI_EDGES_ARROWS || strcmp(a->arrow, r->arrow) != 0))
        return false;
    if (a->header != PC_HEADER_FOUND && (a->header == PC_HEADER_FIRST_LINE) != (r->first_row > 0))
        return false;
    if (a->format == PC_FORMAT_ADJACENCY_LIST && r->kind == PCI_LISTS_LINES)
        return r->facts & PCI_SURE;
    if (a->is_named && a->format == PC_FORMAT_ADJACENCY_LIST && r->kind == PCI_LISTS_DEGREES)
        return true;
    return a->format == PC_FORMAT_AUTO || a->format == pci_readings[r->kind].format;
}

static void find_all(pci_found *f)
{
    const pci_sample *s = &f->sample;
    const pci_asked *asked = f->asked;
    bool edges_only = asked->format == PC_FORMAT_EDGE_LIST, has_edges = false, has_table = false;
    for (const pci_table *t = s->table; t < s->table + s->n_tables; t++) {
        bool are_loose = true;
        uint32_t r = f->n, length = pci_row_length(t, 0);
        pci_find_edges(f, t);
        if (!edges_only && asked->n_columns == 0)
            pci_find_matrices(f, t);
        for (; r < f->n; r++)
            are_loose = are_loose && (f->reading[r].facts & PCI_LOOSE);
        if (are_loose && asked->n_columns == 0 && t->n_columns > 3)
            pci_find_pairs(f, t);
        has_table = has_table || (length > 1 && (t->n_rows > 2 || length == t->n_columns));
    }
    if (asked->n_columns == 0 && (!asked->separator || *asked->arrow))
        pci_find_arrows(f);
    if (!edges_only) {
        pci_find_lists(f);
        pci_find_metis(f);
        pci_find_lgl(f);
        pci_find_tuples(f);
    }
    for (uint32_t i = 0; i < f->n; i++)
        has_edges = has_edges || pci_is_of(&f->reading[i], PCI_EDGE_KINDS);
    if (!has_edges && !asked->separator && (!has_table || edges_only))
        pci_find_loose_edges(f);
}

/* Options that ask for weights mean edges that have some. Lists of neighbours have none. */
static void prefer_weights(pci_found *f)
{
    bool has_weights = false, loses[PCI_MOST_FOUND];
    for (uint32_t i = 0; i < f->n; i++)
        has_weights = has_weights || (pci_is_of(&f->reading[i], PCI_EDGE_KINDS) &&
                                      f->reading[i].at[PCI_WEIGHT] != PCI_NO_COLUMN);
    for (uint32_t i = 0; i < f->n; i++) {
        const pci_reading *r = &f->reading[i];
        bool is_list = pci_is_of(r, PCI_KIND(LISTS) | PCI_KIND(LISTS_DEGREES));
        bool is_guess = is_list && (r->facts & PCI_LOOSE) && f->asked->format == PC_FORMAT_AUTO;
        loses[i] = is_guess || (has_weights && (is_list || r->kind == PCI_EDGES_BEHIND));
    }
    drop(f, loses);
}

pc_status pci_decide(const pci_asked *asked, pci_found *f)
{
    bool asks_format = asked->format != PC_FORMAT_AUTO, is_edges = asks_edges(asked);
    f->asked = asked;
    f->n = 0;
    f->asks = false;
    f->status = PC_OK;
    pc_status status = pci_sample_take(asked->input, asked->begin, &f->sample);
    if (status == PC_OK && !asks_format && !is_edges && pci_find_plain_edges(f))
        return PC_OK;
    if (status == PC_OK)
        status = pci_sample_cut(&f->sample, asked->separator, asked->n_columns > 0);
    if (status == PC_OK) {
        bool loses[PCI_MOST_FOUND];
        find_all(f);
        for (uint32_t i = 0; i < f->n; i++)
            loses[i] = !is_allowed(asked, &f->reading[i]);
        drop(f, loses);
        if (asked->options->weights)
            prefer_weights(f);
        apply_rules(f);
        status = f->status;
    }
    bool is_free = (!asks_format || asked->is_named) && !is_edges && !asked->is_relation;
    for (uint32_t i = 0; i < f->n && status == PC_OK; i++) {
        if (f->n > 1)
            status = pci_found_hash(f, i);
        f->asks = f->asks || (f->n > 1 && f->hash[i] != f->hash[0]) ||
                  (is_free && (f->reading[i].facts & PCI_LOOSE)) ||
                  pci_readings[f->reading[i].kind].format == PC_FORMAT_AUTO;
    }
    if (status)
        pci_sample_free(&f->sample);
    return status;
}

/* ---- Options that choose columns, separator and header --------------------------------------- */

bool pci_asks_columns(const pc_graph_options *options)
{
    return options && (options->columns || options->separator || options->header);
}

/* Parses column i, of length bytes at text. */
static pc_status parse_column(pci_asked *a, uint32_t i, const char *text, size_t length)
{
    uint64_t number;
    pci_integer kind = pci_integer_parse(text, length, &number);
    a->text[i] = text;
    a->length[i] = length;
    a->number[i] = PCI_NO_COLUMN;
    a->has_names = a->has_names || kind == PCI_NOT_INTEGER;
    if (kind == PCI_NOT_INTEGER)
        return PC_OK;
    if (kind == PCI_INTEGER_TOO_BIG || number == 0 || number >= PCI_NO_COLUMN)
        return pci_fail(a->input->context, PC_ERR_ARGUMENT,
                        "%s'%.*s' is no column: they are numbered from 1 on",
                        i < PCI_ASKED_TEXT ? "--columns: " : "", (int)length, text);
    a->number[i] = (uint32_t)(number - 1);
    for (uint32_t j = 0; j < a->n_columns; j++)
        if (a->number[j] == a->number[i])
            return pci_fail(a->input->context, PC_ERR_ARGUMENT, "--columns names a column twice%s",
                            i < PCI_ASKED_TEXT ? "" : ": the texts of edges have one of their own");
    return PC_OK;
}

static pc_status parse_columns(const char *text, pci_asked *a)
{
    for (const char *at = text; at; a->n_columns++) {
        size_t length = strcspn(at, ",");
        if (a->n_columns == PCI_ASKED_TEXT || length == 0) {
            a->n_columns = 0;
            break;
        }
        pc_status status = parse_column(a, a->n_columns, at, length);
        if (status)
            return status;
        at = at[length] ? at + length + 1 : NULL;
    }
    if (a->n_columns >= 2)
        return PC_OK;
    return pci_fail(a->input->context, PC_ERR_ARGUMENT,
                    "--columns '%s' must be FROM,TO or FROM,TO,WEIGHT, each the number or the name "
                    "of a column",
                    text);
}

static pc_status parse_separator(const char *text, pci_asked *a)
{
    const char *arrow;
    size_t length = strlen(text), n;
    char padded[PCI_ARROW_BYTES + 2] = " ";
    if (strcmp(text, "tab") == 0 || strcmp(text, "\\t") == 0) {
        a->separator = '\t';
    } else if (strcmp(text, "space") == 0) {
        a->separator = ' ';
    } else if (length == 1 && (unsigned char)*text >= ' ' && *text != '"' && *text != 0x7f) {
        a->separator = *text;
    } else if (length > 1 && length < PCI_ARROW_BYTES) {
        memcpy(padded + 1, text, length + 1);
        if (pci_arrow_find(padded, padded + 1 + length, &arrow, &n) && n == length)
            memcpy(a->arrow, text, length + 1);
    }
    if (a->separator || *a->arrow)
        return PC_OK;
    return pci_fail(a->input->context, PC_ERR_ARGUMENT,
                    "--separator '%s' must be tab, space, one character other than a quote, or an "
                    "arrow such as ->",
                    text);
}

/* The ends are the first two other columns where only that of a text is asked for, if no header names them. */
pc_status pci_asked_parse(pci_asked *a)
{
    const char *text = a->input->text_column;
    pc_status status = PC_OK;
    a->header = a->options->header;
    if ((unsigned)a->header > PC_HEADER_NONE)
        return pci_fail(a->input->context, PC_ERR_ARGUMENT, "unknown header %d", (int)a->header);
    if (a->options->columns)
        status = parse_columns(a->options->columns, a);
    if (status == PC_OK && a->options->separator)
        status = parse_separator(a->options->separator, a);
    if (status == PC_OK && text)
        status = parse_column(a, PCI_ASKED_TEXT, text, strlen(text));
    if (status == PC_OK && text && a->n_columns == 0) {
        a->finds_ends = true;
        a->n_columns = 2;
        a->number[PCI_FROM] = a->number[PCI_ASKED_TEXT] == 0;
        a->number[PCI_TO] = a->number[PCI_ASKED_TEXT] <= 1 ? 2 : 1;
    }
    if (status == PC_OK && a->has_names && a->header == PC_HEADER_NONE)
        return pci_fail(a->input->context, PC_ERR_ARGUMENT,
                        "%s names, which need a header: give numbers with --no-header",
                        a->options->columns ? "--columns has" : "columns have");
    return status;
}

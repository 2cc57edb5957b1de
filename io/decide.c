/* Deciding between the readings that fit a text: the table of readings, and the rules that remove those that are less
 * likely. */
#include "graphs/labels.h"
#include "graphs/multiplicity.h"
#include "io/readings.h"
#include "io/text.h"
#include "src/core/checksum.h"

#include <stdlib.h>

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

/* Returns whether the name of a file ends so, perhaps before the ending of a packed file. */
static bool name_ends(const char *name, const char *ending)
{
    size_t length = 0, n = strlen(ending);
    pc_file_format_of(name, &length);
    return length >= n && pci_equal_any_case(name + length - n, ending, n);
}

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
    switch (c) {
    case ALWAYS:
        return true;
    case HAS_ITS_ENDING:
        return name_ends(f->name, ".adj");
    case HAS_MARK:
        return (w->kind != PCI_LISTS || *w->arrow) && l->kind != PCI_EDGES_ARROWS;
    case IS_BY_NETWORKX:
        return pci_is_by_networkx(f->sample);
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

/* A reading removes others by a rule, but not those that the rule prefers. */
static void apply_rules(pci_found *f)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        bool loses[PCI_MOST_FOUND] = {false};
        uint32_t n = 0;
        for (uint32_t l = 0; l < f->n; l++)
            for (uint32_t w = 0; w < f->n && !loses[l]; w++)
                loses[l] = w != l && pci_is_of(&f->reading[l], rules[i].losers) &&
                           holds(f, &rules[i], &f->reading[w], &f->reading[l]) &&
                           !holds(f, &rules[i], &f->reading[l], &f->reading[w]);
        for (uint32_t r = 0; r < f->n; r++)
            if (!loses[r])
                f->reading[n++] = f->reading[r];
        f->n = n;
    }
}

/* ---- Hashes of the graphs that readings find ------------------------------------------------- */

/* Arcs and vertices as hashes of their labels. */
typedef struct arc {
    uint64_t from, to;
} arc;

typedef struct arcs {
    arc *arc;
    uint64_t n;
    uint64_t *vertex;
    uint64_t n_vertices;
} arcs;

static uint64_t hash_cell(const pci_cell *cell)
{
    uint64_t hash = cell->length;
    for (uint32_t i = 0; i < cell->length; i++)
        hash = pci_scramble(hash + (unsigned char)cell->text[i] + 1);
    return hash;
}

static void add(arcs *a, uint64_t from, uint64_t to, bool both)
{
    a->arc[a->n++] = (arc){from, to};
    if (both)
        a->arc[a->n++] = (arc){to, from};
    a->vertex[a->n_vertices++] = from;
    a->vertex[a->n_vertices++] = to;
}

static void take_edges(const pci_reading *r, bool both, arcs *a)
{
    for (uint32_t i = r->first_row; i < r->table->n_rows; i++)
        add(a, hash_cell(&r->table->row[i][r->at[PCI_FROM]]),
            hash_cell(&r->table->row[i][r->at[PCI_TO]]), both);
}

/* The label of a row or column of a matrix. */
static uint64_t label(const pci_reading *r, uint32_t i)
{
    const pci_table *t = r->table;
    if (r->names_across)
        return hash_cell(t->row[1] - r->n_columns + i);
    return r->names_down ? hash_cell(&t->row[r->first_row + i][0]) : i;
}

static void take_matrix(const pci_reading *r, arcs *a)
{
    const pci_table *t = r->table;
    uint64_t value;
    for (uint32_t i = 0; r->first_row + i < t->n_rows && i < r->n_columns; i++) {
        const pci_cell *end = t->row[r->first_row + i + 1];
        for (uint32_t j = 0; j < r->n_columns; j++) {
            const pci_cell *cell = end - r->n_columns + j;
            if (pci_multiplicity_parse(cell->text, cell->length, &value) != PCI_MULTIPLICITY ||
                value > 0)
                add(a, label(r, i), label(r, j), false);
        }
        a->vertex[a->n_vertices++] = label(r, i);
    }
}

static int compare_arcs(const void *one, const void *other)
{
    return memcmp(one, other, sizeof(arc));
}

static int compare_vertices(const void *one, const void *other)
{
    return memcmp(one, other, sizeof(uint64_t));
}

/* The number of vertices may be stated; then some have no arcs. */
static uint64_t hash_arcs(arcs *a, uint64_t n_stated)
{
    uint64_t hash = 0, n = 0;
    qsort(a->arc, a->n, sizeof *a->arc, compare_arcs);
    qsort(a->vertex, a->n_vertices, sizeof *a->vertex, compare_vertices);
    for (uint64_t i = 0; i < a->n; i++)
        if (i == 0 || compare_arcs(&a->arc[i - 1], &a->arc[i]) != 0)
            hash = pci_scramble(hash + pci_scramble(a->arc[i].from) + a->arc[i].to);
    for (uint64_t i = 0; i < a->n_vertices; i++)
        if (i == 0 || a->vertex[i - 1] != a->vertex[i]) {
            hash = pci_scramble(hash + a->vertex[i]);
            n++;
        }
    return pci_scramble(hash + (n_stated > n ? n_stated - n : 0));
}

/* Arrows, lists and others have no cells that are compared; they differ from each other and from tables. */
static pc_status hash_reading(const pci_sample *sample, const pci_reading *r, pc_direction asked,
                              uint64_t *hash)
{
    bool is_matrix = r->kind == PCI_MATRIX || r->kind == PCI_MATRIX_NAMES;
    pc_direction direction = asked != PC_DIRECTION_OF_FORMAT ? asked : sample->stated;
    arcs a = {0};
    *hash = pci_scramble((uint64_t)r->kind + (uint64_t)r->separator * 256);
    if (!r->table)
        return PC_OK;
    uint64_t n = is_matrix ? (uint64_t)r->table->n_rows * r->n_columns : 2ull * r->table->n_rows;
    a.arc = pci_alloc(sample->input->context, (n + 1) * sizeof *a.arc);
    a.vertex = pci_alloc(sample->input->context, (2 * n + r->n_columns) * sizeof *a.vertex);
    if (!a.arc || !a.vertex) {
        pci_free(sample->input->context, a.arc);
        pci_free(sample->input->context, a.vertex);
        return pci_fail_memory(sample->input->context, "readings", n * sizeof *a.arc);
    }
    if (is_matrix)
        take_matrix(r, &a);
    else
        take_edges(r, direction != PC_DIRECTED, &a);
    *hash = hash_arcs(&a, r->n_vertices) + (!is_matrix && direction == PC_DIRECTED);
    pci_free(sample->input->context, a.arc);
    pci_free(sample->input->context, a.vertex);
    return PC_OK;
}

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
    pci_sample *s = f->sample;
    bool edges_only = f->asked->format == PC_FORMAT_EDGE_LIST, has_edges = false, has_table = false;
    for (uint32_t i = 0; i < s->n_tables; i++) {
        uint32_t n_before = f->n;
        pci_find_edges(f, &s->table[i]);
        if (!edges_only && f->asked->n_columns == 0)
            pci_find_matrices(f, &s->table[i]);
        bool are_loose = true;
        for (uint32_t r = n_before; r < f->n; r++)
            are_loose = are_loose && (f->reading[r].facts & PCI_LOOSE);
        if (are_loose && f->asked->n_columns == 0 && s->table[i].n_columns > 3)
            pci_find_pairs(f, &s->table[i]);
    }
    if (f->asked->n_columns == 0 && (!f->asked->separator || *f->asked->arrow))
        pci_find_arrows(f);
    if (!edges_only) {
        pci_find_lists(f);
        pci_find_metis(f);
        pci_find_lgl(f);
        pci_find_tuples(f);
    }
    if (s->n_tables == 0 && f->asked->format == PC_FORMAT_MATRIX)
        pci_find_single_entry(f);
    for (uint32_t i = 0; i < s->n_tables; i++)
        has_table =
            has_table ||
            (pci_row_length(&s->table[i], 0) > 1 &&
             (s->table[i].n_rows > 2 || pci_row_length(&s->table[i], 0) == s->table[i].n_columns));
    for (uint32_t i = 0; i < f->n; i++)
        has_edges = has_edges || pci_is_of(&f->reading[i], PCI_EDGE_KINDS);
    if (!has_edges && !f->asked->separator && (!has_table || edges_only))
        pci_find_loose_edges(f);
}

/* Options that ask for weights mean edges that have some. Lists of neighbours have none. */
static void prefer_weights(pci_found *f)
{
    bool has_weights = false;
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->n; i++)
        has_weights = has_weights || (pci_is_of(&f->reading[i], PCI_EDGE_KINDS) &&
                                      f->reading[i].at[PCI_WEIGHT] != PCI_NO_COLUMN);
    for (uint32_t i = 0; i < f->n; i++) {
        const pci_reading *r = &f->reading[i];
        bool is_list = pci_is_of(r, PCI_KIND(LISTS) | PCI_KIND(LISTS_DEGREES));
        bool is_guess = is_list && (r->facts & PCI_LOOSE) && f->asked->format == PC_FORMAT_AUTO;
        if (!is_guess && (!has_weights || (!is_list && r->kind != PCI_EDGES_BEHIND)))
            f->reading[n++] = *r;
    }
    f->n = n;
}

pc_status pci_decision_hash(const pci_reading_question *q, pci_decision *d, uint32_t i)
{
    pc_direction asked = q->options ? q->options->direction : PC_DIRECTION_OF_FORMAT;
    return hash_reading(&d->sample, &d->found.reading[i], asked, &d->hash[i]);
}

pc_status pci_decide(const pci_reading_question *q, const pci_asked *asked, pci_decision *d)
{
    pci_found *f = &d->found;
    uint32_t n = 0;
    bool is_asked = asked->format != PC_FORMAT_AUTO || asks_edges(asked);
    *f = (pci_found){.sample = &d->sample, .asked = asked, .name = q->input->name};
    d->asks = false;
    pc_status status = pci_sample_take(q->input, q->begin, &d->sample);
    if (status == PC_OK && !is_asked && pci_find_plain_edges(f))
        return PC_OK;
    if (status == PC_OK)
        status = pci_sample_cut(&d->sample, asked->separator, asked->n_columns > 0);
    if (status) {
        pci_sample_free(&d->sample);
        return status;
    }
    find_all(f);
    status = f->status;
    for (uint32_t i = 0; i < f->n; i++)
        if (is_allowed(asked, &f->reading[i]))
            f->reading[n++] = f->reading[i];
    f->n = n;
    if (q->options && q->options->weights)
        prefer_weights(f);
    apply_rules(f);
    bool is_free = (asked->format == PC_FORMAT_AUTO || asked->is_named) && asked->n_columns == 0 &&
                   !asked->separator && asked->header == PC_HEADER_FOUND && !q->is_relation;
    for (uint32_t i = 0; i < f->n && status == PC_OK; i++) {
        if (f->n > 1)
            status = pci_decision_hash(q, d, i);
        d->asks = d->asks || (f->n > 1 && d->hash[i] != d->hash[0]) ||
                  (is_free && (f->reading[i].facts & PCI_LOOSE)) ||
                  pci_readings[f->reading[i].kind].format == PC_FORMAT_AUTO;
    }
    if (status)
        pci_sample_free(&d->sample);
    return status;
}

/* ---- Options that choose columns, separator and header --------------------------------------- */

bool pci_asks_columns(const pc_graph_options *options)
{
    return options && (options->columns || options->separator || options->header);
}

static pc_status parse_column(pc_context *context, pci_asked *a, uint32_t i)
{
    uint64_t number;
    pci_integer kind = pci_integer_parse(a->text[i], a->length[i], &number);
    a->number[i] = PCI_NO_COLUMN;
    a->has_names = a->has_names || kind == PCI_NOT_INTEGER;
    if (kind == PCI_NOT_INTEGER)
        return PC_OK;
    if (kind == PCI_INTEGER_TOO_BIG || number == 0 || number >= PCI_NO_COLUMN)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "%s'%.*s' is no column: they are numbered from 1 on",
                        i < PCI_ASKED_TEXT ? "--columns: " : "", (int)a->length[i], a->text[i]);
    a->number[i] = (uint32_t)(number - 1);
    for (uint32_t j = 0; j < a->n_columns; j++)
        if (a->number[j] == a->number[i])
            return pci_fail(context, PC_ERR_ARGUMENT, "--columns names a column twice%s",
                            i < PCI_ASKED_TEXT ? "" : ": the texts of edges have one of their own");
    return PC_OK;
}

static pc_status parse_columns(pc_context *context, const char *text, pci_asked *a)
{
    for (const char *at = text; at; a->n_columns++) {
        const char *comma = strchr(at, ',');
        size_t length = comma ? (size_t)(comma - at) : strlen(at);
        if (a->n_columns == PCI_ASKED_TEXT || length == 0) {
            a->n_columns = 0;
            break;
        }
        a->text[a->n_columns] = at;
        a->length[a->n_columns] = length;
        pc_status status = parse_column(context, a, a->n_columns);
        if (status)
            return status;
        at = comma ? comma + 1 : NULL;
    }
    if (a->n_columns >= 2)
        return PC_OK;
    return pci_fail(context, PC_ERR_ARGUMENT,
                    "--columns '%s' must be FROM,TO or FROM,TO,WEIGHT, each the number or the name "
                    "of a column",
                    text);
}

static pc_status parse_separator(pc_context *context, const char *text, pci_asked *a)
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
    return pci_fail(context, PC_ERR_ARGUMENT,
                    "--separator '%s' must be tab, space, one character other than a quote, or an "
                    "arrow such as ->",
                    text);
}

/* The ends are the first two other columns, where neither options nor a header name them. */
static pc_status parse_text_column(pc_context *context, const char *text, pci_asked *a)
{
    a->text[PCI_ASKED_TEXT] = text;
    a->length[PCI_ASKED_TEXT] = strlen(text);
    pc_status status = parse_column(context, a, PCI_ASKED_TEXT);
    if (status || a->n_columns > 0)
        return status;
    a->finds_ends = true;
    a->n_columns = 2;
    a->number[PCI_FROM] = a->number[PCI_ASKED_TEXT] == 0;
    a->number[PCI_TO] = a->number[PCI_ASKED_TEXT] <= 1 ? 2 : 1;
    return PC_OK;
}

pc_status pci_asked_parse(const pci_input *input, const pc_graph_options *options, pci_asked *a)
{
    static const pc_graph_options none = {0};
    pc_context *context = input->context;
    pc_status status = PC_OK;
    options = options ? options : &none;
    a->header = options->header;
    if ((unsigned)options->header > PC_HEADER_NONE)
        return pci_fail(context, PC_ERR_ARGUMENT, "unknown header %d", (int)options->header);
    if (options->columns)
        status = parse_columns(context, options->columns, a);
    if (status == PC_OK && options->separator)
        status = parse_separator(context, options->separator, a);
    if (status == PC_OK && input->text_column)
        status = parse_text_column(context, input->text_column, a);
    if (status == PC_OK && a->has_names && a->header == PC_HEADER_NONE)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "%s names, which need a header: give numbers with --no-header",
                        options->columns ? "--columns has" : "columns have");
    return status;
}

/* Choosing between the readings that fit a text. Rules remove those that are less likely; where the others give
 * different graphs, the message asks, and names for each the option that chooses it. */
#include "io/readings.h"

#include "graphs/labels.h"
#include "graphs/multiplicity.h"
#include "io/column_names.h"
#include "io/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- The table of readings ------------------------------------------------------------------- */

#define KIND(k) (1u << PCI_##k)
static const unsigned EDGES = KIND(EDGES) | KIND(EDGES_HEADER) | KIND(EDGES_SIZES) |
                              KIND(EDGES_BETWEEN) | KIND(EDGES_BEHIND) | KIND(EDGES_ARROWS) |
                              KIND(EDGES_LOOSE);
static const unsigned MATRICES = KIND(MATRIX) | KIND(MATRIX_NAMES);
static const unsigned LISTS = KIND(LISTS) | KIND(LISTS_DEGREES) | KIND(LISTS_LINES);
static const unsigned ANY = ~0u;

static const struct {
    const char *title;
    const char *option; /* of --format */
    pc_format format;
} readings[PCI_N_READINGS] = {
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
                           "which is to be left out", NULL, PC_FORMAT_AUTO},
    [PCI_LISTS_LINES] = {"lists of neighbours, one a line", "multiline-adjlist",
                         PC_FORMAT_MULTILINE_ADJACENCY_LIST},
    [PCI_METIS] = {"METIS", "metis", PC_FORMAT_METIS},
    [PCI_LGL] = {"LGL", "lgl", PC_FORMAT_AUTO},
    [PCI_TUPLES] = {"pairs in brackets", "tuples", PC_FORMAT_TUPLES},
    [PCI_ENTRIES] = {"a printed sparse matrix", "tuples", PC_FORMAT_TUPLES},
};

bool pci_has_readings(pc_format format)
{
    return format == PC_FORMAT_AUTO || format == PC_FORMAT_EDGE_LIST || format == PC_FORMAT_MATRIX ||
           format == PC_FORMAT_ADJACENCY_LIST || format == PC_FORMAT_MULTILINE_ADJACENCY_LIST ||
           format == PC_FORMAT_TUPLES;
}

pc_format pci_reading_format(const pci_reading *reading)
{
    return readings[reading->kind].format;
}

static bool is_of(const pci_reading *r, unsigned kinds)
{
    return kinds >> r->kind & 1;
}

bool pci_name_ends(const char *name, const char *ending)
{
    static const char *const packed[] = {".gz", ".zst", ".xz", ".bz2"};
    size_t length = name ? strlen(name) : 0, n = strlen(ending);
    for (size_t p = 0; p < sizeof packed / sizeof *packed; p++) {
        size_t m = strlen(packed[p]);
        if (length > m && pci_equal_any_case(name + length - m, packed[p], m)) {
            length -= m;
            break;
        }
    }
    return length >= n && pci_equal_any_case(name + length - n, ending, n);
}

/* ---- Rules ----------------------------------------------------------------------------------- */

static bool has_its_ending(const pci_found *f, const pci_reading *w, const pci_reading *l)
{
    (void)l;
    return (is_of(w, LISTS) && pci_name_ends(f->name, ".adjlist")) ||
           (is_of(w, MATRICES) &&
            (pci_name_ends(f->name, ".matrix") || pci_name_ends(f->name, ".adj"))) ||
           (w->kind == PCI_METIS && pci_name_ends(f->name, ".metis"));
}

static bool has_mark(const pci_found *f, const pci_reading *w, const pci_reading *l)
{
    (void)f;
    return (w->kind != PCI_LISTS || *w->arrow) && l->kind != PCI_EDGES_ARROWS;
}

static bool is_by_networkx(const pci_found *f, const pci_reading *w, const pci_reading *l)
{
    (void)w;
    (void)l;
    return pci_is_by_networkx(f->sample);
}

/* Whether the ends of all edges are 0 and 1, in a table of at least three columns. */
static bool has_only_0_and_1(const pci_found *f, const pci_reading *w, const pci_reading *l)
{
    (void)f;
    if (w->n_columns < 3 || l->n_columns < 3 || !l->table)
        return false;
    for (uint32_t r = l->first_row; r < l->table->n_rows; r++)
        for (int role = PCI_FROM; role <= PCI_TO; role++) {
            uint64_t number;
            if (!pci_cell_number(&l->table->row[r][l->at[role]], &number) || number > 1)
                return false;
        }
    return true;
}

static bool is_full(const pci_found *f, const pci_reading *w, const pci_reading *l)
{
    (void)f;
    (void)w;
    return !(l->facts & (PCI_HOLES | PCI_LABELLED));
}

static bool is_small_below_names(const pci_found *f, const pci_reading *w, const pci_reading *l)
{
    (void)f;
    (void)w;
    return l->names_across && !l->names_down && l->n_columns < 4;
}

static bool is_above_comments(const pci_found *f, const pci_reading *w, const pci_reading *l)
{
    (void)f;
    return w->n_skipped > 0 && l->n_skipped == 0;
}

static bool has_two_columns(const pci_found *f, const pci_reading *w, const pci_reading *l)
{
    (void)f;
    return w->n_columns == 2 && !(l->facts & PCI_SURE && is_of(l, LISTS) && !w->table) && (!is_of(l, MATRICES) || l->n_columns == 2);
}

static bool is_same_table(const pci_found *f, const pci_reading *w, const pci_reading *l)
{
    (void)f;
    return w->table == l->table;
}

static bool is_table(const pci_found *f, const pci_reading *w, const pci_reading *l)
{
    (void)f;
    return w->table && !(l->facts & PCI_SURE);
}

/* A reading with all of these facts removes those of other kinds, one rule after the other. */
static const struct rule {
    const char *reason;
    unsigned winners, facts, losers;
    bool (*holds)(const pci_found *, const pci_reading *winner, const pci_reading *loser);
} rules[] = {
    {"the ending of the name tells", ANY, 0, ANY, has_its_ending},
    {"no label has such a mark", KIND(EDGES_ARROWS) | KIND(TUPLES) | KIND(ENTRIES) | KIND(LISTS),
     PCI_SURE, ANY, has_mark},
    {"NetworkX writes such a comment", KIND(LISTS) | KIND(LISTS_LINES), 0,
     EDGES | MATRICES | KIND(LGL), is_by_networkx},
    {"each vertex has a block of lines", KIND(LISTS_LINES), PCI_SURE, EDGES | KIND(LISTS), NULL},
    {"each neighbour has its vertex as a neighbour", KIND(METIS), PCI_SURE, EDGES | LISTS, NULL},
    {"rows and columns have the same names", MATRICES, PCI_LABELLED, EDGES | MATRICES, NULL},
    {"edges would have the vertices 0 and 1 only", MATRICES, 0, EDGES, has_only_0_and_1},
    {"a matrix without a 0 is none of a graph", EDGES, 0, MATRICES, is_full},
    {"the names are those of ends", KIND(EDGES_HEADER), PCI_NAMED, MATRICES, is_small_below_names},
    {"a known header is below a comment", KIND(EDGES_HEADER), PCI_SURE,
     KIND(EDGES) | KIND(EDGES_HEADER), is_above_comments},
    {"two columns are edges", EDGES, 0, MATRICES, has_two_columns},
    {"all lines have two columns", KIND(EDGES_LOOSE), 0, LISTS, has_two_columns},
    {"two columns of integers are edges", KIND(EDGES), PCI_ALL_INTEGERS, LISTS | KIND(LGL),
     has_two_columns},
    {"the header is certain", KIND(EDGES_HEADER), PCI_SURE, KIND(EDGES), is_same_table},
    {"the sizes are certain", KIND(EDGES_SIZES), PCI_SURE, KIND(EDGES), is_same_table},
    {"the sizes are certain", KIND(EDGES_SIZES), PCI_SURE, LISTS, NULL},
    {"the word stands between", KIND(EDGES_BETWEEN), PCI_SURE, KIND(EDGES) | KIND(EDGES_BEHIND),
     is_same_table},
    {"all lines have as many columns", EDGES | MATRICES, 0, LISTS, is_table},
};

static bool holds(const pci_found *f, const struct rule *rule, const pci_reading *w,
                  const pci_reading *l)
{
    return is_of(w, rule->winners) && (w->facts & rule->facts) == rule->facts &&
           (!rule->holds || rule->holds(f, w, l));
}

/* Whether a reading removes another one by a rule, which does not remove those that the rule prefers. */
static bool wins(const pci_found *f, const struct rule *rule, const pci_reading *w,
                 const pci_reading *l)
{
    return w != l && is_of(l, rule->losers) && holds(f, rule, w, l) && !holds(f, rule, l, w);
}

static void apply_rules(pci_found *f)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        bool loses[PCI_MOST_FOUND] = {false};
        uint32_t n = 0;
        for (uint32_t l = 0; l < f->n; l++)
            for (uint32_t w = 0; w < f->n && !loses[l]; w++)
                loses[l] = wins(f, &rules[i], &f->reading[w], &f->reading[l]);
        for (uint32_t r = 0; r < f->n; r++)
            if (!loses[r])
                f->reading[n++] = f->reading[r];
        f->n = n;
    }
}

/* ---- Options --------------------------------------------------------------------------------- */

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
                        "--columns: '%.*s' is no column: they are numbered from 1 on",
                        (int)a->length[i], a->text[i]);
    a->number[i] = (uint32_t)(number - 1);
    for (uint32_t j = 0; j < i; j++)
        if (a->number[j] == a->number[i])
            return pci_fail(context, PC_ERR_ARGUMENT, "--columns names a column twice");
    return PC_OK;
}

static pc_status parse_columns(pc_context *context, const char *text, pci_asked *a)
{
    enum { MOST = sizeof a->text / sizeof *a->text };
    for (const char *at = text; at; a->n_columns++) {
        const char *comma = strchr(at, ',');
        size_t length = comma ? (size_t)(comma - at) : strlen(at);
        if (a->n_columns == MOST || length == 0) {
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

static pc_status parse_options(pc_context *context, const pc_graph_options *options, pci_asked *a)
{
    pc_status status = PC_OK;
    if (!options)
        return PC_OK;
    a->header = options->header;
    if ((unsigned)options->header > PC_HEADER_NONE)
        return pci_fail(context, PC_ERR_ARGUMENT, "unknown header %d", (int)options->header);
    if (options->columns)
        status = parse_columns(context, options->columns, a);
    if (status == PC_OK && options->separator)
        status = parse_separator(context, options->separator, a);
    if (status == PC_OK && a->has_names && a->header == PC_HEADER_NONE)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "--columns has names, which need a header: give numbers with --no-header");
    return status;
}

/* Whether options allow a reading. */
static bool is_allowed(const pci_asked *a, const pci_reading *r)
{
    bool asks_edges = a->n_columns > 0 || a->separator || *a->arrow || a->header != PC_HEADER_FOUND;
    bool is_edges = is_of(r, EDGES);
    if ((asks_edges || a->format == PC_FORMAT_EDGE_LIST) && !is_edges)
        return false;
    if (*a->arrow && (r->kind != PCI_EDGES_ARROWS || strcmp(a->arrow, r->arrow) != 0))
        return false;
    if (a->header != PC_HEADER_FOUND && (a->header == PC_HEADER_FIRST_LINE) != (r->first_row > 0))
        return false;
    if (a->format == PC_FORMAT_ADJACENCY_LIST && r->kind == PCI_LISTS_LINES)
        return r->facts & PCI_SURE;
    if (a->is_named && a->format == PC_FORMAT_ADJACENCY_LIST && r->kind == PCI_LISTS_DEGREES)
        return true;
    return a->format == PC_FORMAT_AUTO || a->format == readings[r->kind].format;
}

/* ---- Deciding -------------------------------------------------------------------------------- */

/* A text, and what is asked of it. */
typedef struct question {
    const pci_input *input;
    const char *begin;
    bool is_relation;
    const pc_graph_options *options;
} question;

static void find_all(pci_found *f)
{
    pci_sample *s = f->sample;
    bool edges_only = f->asked->format == PC_FORMAT_EDGE_LIST, has_edges = false;
    for (uint32_t i = 0; i < s->n_tables; i++) {
        uint32_t n_before = f->n;
        pci_find_edges(f, &s->table[i]);
        if (!edges_only && f->asked->n_columns == 0)
            pci_find_matrices(f, &s->table[i]);
        if (f->n == n_before && f->asked->n_columns == 0 && s->table[i].n_columns > 3)
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
    for (uint32_t i = 0; i < f->n; i++)
        has_edges = has_edges || is_of(&f->reading[i], EDGES);
    if (!has_edges && !f->asked->separator)
        pci_find_loose_edges(f);
}

/* Edges that have weights are meant when weights are asked for; lists of neighbours have none. */
static void prefer_weights(pci_found *f)
{
    bool has_weights = false;
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->n; i++)
        has_weights = has_weights || (is_of(&f->reading[i], EDGES) &&
                                      f->reading[i].at[PCI_WEIGHT] != PCI_NO_COLUMN);
    for (uint32_t i = 0; i < f->n; i++) {
        const pci_reading *r = &f->reading[i];
        bool is_list = is_of(r, KIND(LISTS) | KIND(LISTS_DEGREES));
        bool is_guess = is_list && (r->facts & PCI_LOOSE) && f->asked->format == PC_FORMAT_AUTO;
        if (!is_guess && (!has_weights || (!is_list && r->kind != PCI_EDGES_BEHIND)))
            f->reading[n++] = *r;
    }
    f->n = n;
}

/* The first lines and the readings that are left when rules were applied. hash[i] is that of reading i; none are made
 * where one is left. */
typedef struct decision {
    pci_sample sample;
    pci_found found;
    uint64_t hash[PCI_MOST_FOUND];
    bool asks;
} decision;

static pc_status decide(const question *q, const pci_asked *asked, decision *d)
{
    pci_found *f = &d->found;
    uint32_t n = 0;
    pc_status status = pci_sample_take(q->input, q->begin, asked->separator,
                                       asked->n_columns > 0, &d->sample);
    *f = (pci_found){.sample = &d->sample, .asked = asked, .name = q->input->name};
    d->asks = false;
    if (status)
        return status;
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
            status = pci_reading_hash(&d->sample, &f->reading[i],
                                      q->options ? q->options->direction : PC_DIRECTION_OF_FORMAT,
                                      &d->hash[i]);
        d->asks = d->asks || (f->n > 1 && d->hash[i] != d->hash[0]) ||
                  (is_free && (f->reading[i].facts & PCI_LOOSE)) ||
                  readings[f->reading[i].kind].format == PC_FORMAT_AUTO;
    }
    if (status)
        pci_sample_free(&d->sample);
    return status;
}

/* ---- Asking ---------------------------------------------------------------------------------- */

enum { OPTION_BYTES = 80, MOST_ASKED = 8, USE_FORMAT = 1, USE_HEADER = 2, USE_COLUMNS = 4,
       USE_SEPARATOR = 8 };

/* Adds to asked what tells of a reading, and to text the same as options of the command. */
static void ask_for(const pci_reading *r, unsigned uses, pci_asked *asked, char columns[24],
                    char text[OPTION_BYTES])
{
    size_t n = 0;
    text[0] = 0;
    if (uses & USE_FORMAT) {
        asked->format = readings[r->kind].format;
        asked->is_named = false;
        n += (size_t)snprintf(text + n, OPTION_BYTES - n, " --format %s", readings[r->kind].option);
    }
    if (uses & USE_HEADER) {
        asked->header = r->first_row > 0 ? PC_HEADER_FIRST_LINE : PC_HEADER_NONE;
        n += (size_t)snprintf(text + n, OPTION_BYTES - n,
                              r->first_row > 0 ? " --header" : " --no-header");
    }
    if (uses & USE_COLUMNS) {
        snprintf(columns, 24, "%" PRIu32 ",%" PRIu32, r->at[PCI_FROM] + 1, r->at[PCI_TO] + 1);
        asked->n_columns = 2;
        asked->number[0] = r->at[PCI_FROM];
        asked->number[1] = r->at[PCI_TO];
        n += (size_t)snprintf(text + n, OPTION_BYTES - n, " --columns %s", columns);
    }
    if (uses & USE_SEPARATOR) {
        asked->separator = r->separator;
        snprintf(text + n, OPTION_BYTES - n,
                 r->separator == '\t'                 ? " --separator tab"
                 : r->separator == ' '                ? " --separator space"
                 : strchr("|;", r->separator) != NULL ? " --separator '%c'"
                                                      : " --separator %c",
                 r->separator);
    }
}

/* Finds options that choose a reading, and puts them into text; "" when none do. */
static pc_status find_options(const question *q, const pci_asked *asked, const pci_reading *wanted,
                              uint64_t hash, char text[OPTION_BYTES])
{
    static const unsigned ways[] = {
        USE_HEADER, USE_COLUMNS, USE_FORMAT, USE_SEPARATOR, USE_HEADER | USE_COLUMNS,
        USE_FORMAT | USE_HEADER, USE_HEADER | USE_SEPARATOR, USE_COLUMNS | USE_SEPARATOR,
        USE_HEADER | USE_COLUMNS | USE_SEPARATOR};
    decision *d = pci_alloc(q->input->context, sizeof *d);
    bool is_edges = is_of(wanted, EDGES), is_found = false;
    pc_status status = d ? PC_OK : pci_fail_memory(q->input->context, "readings", sizeof *d);
    text[0] = 0;
    for (size_t i = 0; status == PC_OK && !is_found && i < sizeof ways / sizeof *ways; i++) {
        unsigned uses = wanted->table && wanted->table->is_rare ? ways[i] | USE_SEPARATOR : ways[i];
        pci_asked more = *asked;
        char columns[24];
        uint64_t found = 0;
        if ((!is_edges && uses != USE_FORMAT) || !readings[wanted->kind].option ||
            (!wanted->table && (uses & (USE_COLUMNS | USE_SEPARATOR))) ||
            ((uses & USE_COLUMNS) && asked->n_columns > 0))
            continue;
        ask_for(wanted, uses, &more, columns, text);
        if (readings[wanted->kind].format == PC_FORMAT_AUTO || wanted->kind == PCI_METIS)
            break; /* parsers of their own take it */
        status = decide(q, &more, d);
        if (status)
            break;
        is_found = d->found.n > 0 && !d->asks;
        if (is_found)
            status = pci_reading_hash(&d->sample, &d->found.reading[0],
                                      q->options ? q->options->direction : PC_DIRECTION_OF_FORMAT,
                                      &found);
        is_found = is_found && found == hash;
        pci_sample_free(&d->sample);
        if (!is_found)
            text[0] = 0;
    }
    pci_free(q->input->context, d);
    return status;
}

static void describe(const pci_reading *r, char *text, size_t n_bytes)
{
    if (is_of(r, MATRICES))
        snprintf(text, n_bytes, "a %" PRIu32 " x %" PRIu32 " matrix%s", r->n_columns, r->n_columns,
                 r->names_across || r->names_down ? " with names" : "");
    else if (is_of(r, EDGES) && r->table && (r->at[PCI_FROM] != 0 || r->at[PCI_TO] != 1))
        snprintf(text, n_bytes, "edges with columns %" PRIu32 " and %" PRIu32 "%s",
                 r->at[PCI_FROM] + 1, r->at[PCI_TO] + 1, r->first_row > 0 ? " below a header" : "");
    else if (r->kind == PCI_EDGES && (r->facts & PCI_LOOSE))
        snprintf(text, n_bytes, "edges with columns 1 and 2");
    else
        snprintf(text, n_bytes, "%s", readings[r->kind].title);
}

/* Lists the readings that give different graphs, each with its options. */
static pc_status ask(const question *q, const pci_asked *asked, decision *d)
{
    char list[1024] = "";
    size_t n = 0;
    uint32_t n_listed = 0;
    const pci_found *f = &d->found;
    for (uint32_t i = 0; i < f->n && n_listed < MOST_ASKED; i++) {
        char title[120], options[OPTION_BYTES], item[sizeof title + OPTION_BYTES + 4];
        bool is_again = false;
        for (uint32_t j = 0; j < i; j++)
            is_again = is_again || (f->n > 1 && d->hash[j] == d->hash[i]);
        if (is_again)
            continue;
        pc_status status = PC_OK;
        if (f->n == 1)
            status = pci_reading_hash(&d->sample, &f->reading[i],
                                      q->options ? q->options->direction : PC_DIRECTION_OF_FORMAT,
                                      &d->hash[i]);
        if (status == PC_OK)
            status = find_options(q, asked, &f->reading[i], d->hash[i], options);
        if (status)
            return status;
        describe(&f->reading[i], title, sizeof title);
        snprintf(item, sizeof item, "%s%s%s%s", title, *options ? " (" : "",
                 *options ? options + 1 : "", *options ? ")" : "");
        if (strstr(list, item)) /* it differs by its separator, which no option chooses */
            continue;
        n +=
            (size_t)snprintf(list + n, sizeof list - n, "%s%s", n_listed++ > 0 ? " or " : "", item);
        if (n >= sizeof list)
            break;
    }
    const char *at = d->sample.n_lines > 0 ? d->sample.line[0].begin : q->begin;
    if (n_listed == 1)
        return pci_input_fail(q->input, at, "is this %s? It is not certain enough to be read "
                              "without being asked for", list);
    return pci_input_fail(q->input, at, "%s?", list);
}

/* No column has a name that is asked for. */
static pc_status fail_name(const question *q, const pci_asked *asked, const pci_sample *s)
{
    uint32_t i = 0;
    for (; i < asked->n_columns; i++) {
        bool is_there = asked->number[i] != PCI_NO_COLUMN;
        for (uint32_t t = 0; t < s->n_tables && !is_there; t++)
            is_there = pci_column_find(&s->table[t], asked->text[i], asked->length[i]) != PCI_NO_COLUMN;
        if (!is_there)
            break;
    }
    if (i == asked->n_columns)
        return PC_OK;
    return pci_input_fail(q->input, s->line[0].begin,
                          "no column is named '%.*s': names are those of the first line, and numbers "
                          "from 1 on choose columns, too",
                          (int)(asked->length[i] < 40 ? asked->length[i] : 40), asked->text[i]);
}

/* Finds a row without a cell, or with an empty one, where an end of an edge is to be. */
static pc_status fail_cell(const question *q, const pci_asked *asked, const pci_sample *s)
{
    const pci_table *t = &s->table[0];
    for (uint32_t r = 0; s->n_tables > 0 && r < t->n_rows; r++)
        for (uint32_t e = 0; e < 2; e++) {
            uint32_t column = asked->n_columns > 0 ? asked->number[e] : e;
            const char *at = s->line[t->n_skipped + r].begin;
            if (column == PCI_NO_COLUMN)
                continue;
            if (column >= pci_row_length(t, r) && asked->n_columns == 0)
                continue;
            if (column >= pci_row_length(t, r))
                return pci_input_fail(
                    q->input, at, "the line has fewer columns than that of an end of the edge");
            if (t->row[r][column].length == 0)
                return pci_input_fail(q->input, at,
                                      "a column is empty that is to have an end of the edge");
        }
    return PC_OK;
}

/* Tells what keeps lines from being an adjacency matrix: a row of another length, or the number of rows. */
static pc_status fail_matrix(const question *q, const pci_sample *s)
{
    static const char separators[] = "\t;,|";
    const pci_table *t = s->n_tables > 0 ? &s->table[0] : NULL;
    char separator = ' ';
    uint64_t n_first = 0;
    if (t)
        return pci_input_fail(q->input, s->line[s->n_lines - 1].begin,
                              "%" PRIu32 " rows and %" PRIu32 " columns, with names or without, are no "
                              "square of numbers: an adjacency matrix is square",
                              t->n_rows, t->n_columns);
    for (size_t i = sizeof separators - 1; i > 0; i--)
        if (memchr(s->line[0].begin, separators[i - 1],
                   (size_t)(s->line[0].end - s->line[0].begin)))
            separator = separators[i - 1];
    for (uint32_t r = 0; r < s->n_lines; r++) {
        pci_column_cursor cursor = pci_columns_of(s->line[r].begin, s->line[r].end, separator);
        pci_column column;
        uint64_t n = 0;
        while (pci_column_next(&cursor, &column))
            n++;
        n_first = r == 0 ? n : n_first;
        if (n != n_first)
            return pci_input_fail(q->input, s->line[r].begin,
                                  "the row has %s entries than the one before: an adjacency matrix is "
                                  "square", n < n_first ? "fewer" : "more");
    }
    return pci_input_fail(q->input, s->line[0].begin, "this is no row of an adjacency matrix");
}

/* Names what the lines look like that is not read. */
static pc_status fail_shape(const question *q, const pci_sample *s)
{
    bool braces = s->n_lines > 0, semicolons = braces, digits = s->n_lines > 2;
    for (uint32_t i = 0; i < s->n_lines; i++) {
        const char *begin = pci_skip_blanks(s->line[i].begin, s->line[i].end);
        const char *end = pci_trim_end(begin, s->line[i].end);
        bool has_bracket = memchr("{[(", *begin, 3);
        for (const char *at = begin + 2; at < end; at++)
            has_bracket = has_bracket || (memchr("{[(", *at, 3) && at[-1] == ' ' && at[-2] == ':');
        braces = braces && has_bracket;
        semicolons = semicolons && (end[-1] == ';' || (i > 0 && i + 1 == s->n_lines));
        digits = digits && (size_t)(end - begin) == s->n_lines;
        for (const char *at = begin; at < end && digits; at++)
            digits = *at == '0' || *at == '1';
    }
    const char *what = semicolons ? "the lines end with semicolons: remove these"
                       : braces   ? "the lines have brackets, as a program prints them: remove these"
                       : digits   ? "this looks like a matrix without separators: put blanks between "
                                    "the digits"
                                  : NULL;
    return what ? pci_input_fail(q->input, s->line[0].begin, "%s", what) : PC_OK;
}

/* Weights are asked for, and no reading has some. Finds a line whose third column is no number where that of another
 * line is one. */
static pc_status fail_weight(const question *q, const pci_asked *asked, const decision *d)
{
    bool has_weight = false;
    pci_flaw first = {0};
    if (!q->options || !q->options->weights || asked->n_columns > 0)
        return PC_OK;
    for (uint32_t i = 0; i < d->found.n; i++)
        if (!is_of(&d->found.reading[i], EDGES) ||
            d->found.reading[i].at[PCI_WEIGHT] != PCI_NO_COLUMN)
            return PC_OK;
    for (uint32_t i = 0; i < d->sample.n_lines; i++) {
        const pci_span *span = &d->sample.line[i];
        pci_line line;
        pci_flaw flaw;
        uint64_t weight;
        if (!pci_line_split(span->begin, span->end, PCI_EDGE_LIST_LINES, &line, &flaw) ||
            line.n_columns < 3)
            return PC_OK;
        if (pci_line_weight(q->input, &line, PCI_WEIGHT, false, &weight, &flaw))
            has_weight = true;
        else if (!first.what)
            first = flaw;
    }
    return has_weight && first.what ? pci_flaw_report(q->input, &first) : PC_OK;
}

/* Tells whether half of the lines or more have as many columns as the first one, two or three. */
static bool are_mostly_edges(const pci_sample *s)
{
    uint32_t n_alike = 0;
    size_t n_first = 0;
    for (uint32_t i = 0; i < s->n_lines; i++) {
        pci_line line;
        pci_flaw flaw;
        if (!pci_line_split(s->line[i].begin, s->line[i].end, PCI_EDGE_LIST_LINES, &line, &flaw))
            continue;
        n_first = i == 0 ? line.n_columns : n_first;
        n_alike += n_first > 1 && line.n_columns == n_first;
    }
    return n_alike >= (s->n_lines + 1) / 2;
}

/* Finds a line that is no edge by itself. */
static pc_status fail_line(const question *q, const pci_sample *s)
{
    for (uint32_t i = 0; i < s->n_lines; i++) {
        pci_line line;
        pci_flaw flaw;
        bool splits = pci_line_split(s->line[i].begin, s->line[i].end, PCI_EDGE_LIST_LINES, &line, &flaw);
        if (splits && line.n_columns == 1)
            splits = pci_column_flaw(&line, 0, "",
                                     "stands alone: an edge has two ends; --format adjlist reads "
                                     "lists of neighbours, and --separator says what is between two "
                                     "ends", &flaw);
        if (!splits)
            return pci_flaw_report(q->input, &flaw);
    }
    return PC_OK;
}

/* Tells whether the first line has another number of columns than each other line. */
static bool is_first_odd(const pci_sample *s)
{
    size_t n[2] = {0, 0};
    for (uint32_t i = 0; i < s->n_lines; i++) {
        pci_line line;
        pci_flaw flaw;
        if (!pci_line_split(s->line[i].begin, s->line[i].end, PCI_EDGE_LIST_LINES, &line, &flaw) ||
            (i > 1 && line.n_columns != n[1]))
            return false;
        n[i > 0] = line.n_columns;
    }
    return s->n_lines > 2 && n[0] != n[1];
}

/* No reading fits. The message tells what is wrong with a line, if one is the cause. */
static pc_status refuse(const question *q, const pci_asked *asked, const pci_sample *s)
{
    const char *at = s->n_lines > 0 ? s->line[0].begin : q->begin;
    bool may_be_edges = asked->format == PC_FORMAT_AUTO || asked->format == PC_FORMAT_EDGE_LIST;
    pc_status status = may_be_edges ? fail_name(q, asked, s) : PC_OK;
    if (status == PC_OK && may_be_edges)
        status = fail_cell(q, asked, s);
    if (status == PC_OK && may_be_edges)
        status = fail_shape(q, s);
    if (status == PC_OK && may_be_edges)
        status = fail_line(q, s);
    if (status == PC_OK && asked->format == PC_FORMAT_MATRIX && (status = fail_shape(q, s)) == PC_OK)
        status = fail_matrix(q, s);
    if (status)
        return status;
    if (may_be_edges && is_first_odd(s))
        return pci_input_fail(
            q->input, at,
            "the line has another number of columns than all others: remove it, or "
            "put # before a comment");
    return pci_input_fail(
        q->input, at,
        "no reading fits every line: --columns 1,2 (numbers, or names of a header) says which "
        "columns have the ends of an edge, --separator what is between them, --format adjlist, "
        "matrix or another what the file is");
}

/* ---- The reading that is chosen -------------------------------------------------------------- */

/* Whether pci_line_split takes each line of a table apart as its separator does. */
static bool is_plain(const pci_sample *s, const pci_reading *r)
{
    const pci_table *t = r->table;
    if (!t || r->at[PCI_FROM] != 0 || r->at[PCI_TO] != 1 || r->at[PCI_TYPE] != PCI_NO_COLUMN ||
        t->n_columns > PCI_MAX_COLUMNS || r->kind == PCI_EDGES_BETWEEN ||
        (t->n_columns == 3) != (r->at[PCI_WEIGHT] == 2))
        return false;
    for (uint32_t i = r->first_row; i < t->n_rows; i++) {
        const pci_span *span = &s->line[r->n_skipped + i];
        pci_line line;
        pci_flaw flaw;
        if (!pci_line_split(span->begin, span->end, PCI_EDGE_LIST_LINES, &line, &flaw) ||
            line.n_columns != t->n_columns || line.separator != t->separator)
            return false;
        for (int c = 0; c < 2; c++)
            if (line.length[c] != t->row[i][c].length || line.column[c] != t->row[i][c].text)
                return false;
    }
    return true;
}

static void add_note(pci_reading *r, const char *format, const char *text, size_t length)
{
    enum { SHOWN = 44 };
    char shown[SHOWN + 4];
    size_t n = strlen(r->note), n_shown = length < SHOWN ? length : SHOWN;
    for (size_t i = 0; i < n_shown; i++) /* control characters could confuse a terminal */
        shown[i] = (unsigned char)text[i] < ' ' || text[i] == 0x7f ? ' ' : text[i];
    memcpy(shown + n_shown, n_shown < length ? "..." : "", n_shown < length ? 4 : 1);
    n += (size_t)snprintf(r->note + n, sizeof r->note - n, "%s", n > 0 ? ", " : "");
    if (n < sizeof r->note)
        snprintf(r->note + n, sizeof r->note - n, format, shown);
}

/* Names the columns that are read where there are others. */
static void note_columns(const pci_sample *s, pci_reading *r)
{
    uint32_t from = r->at[PCI_FROM] + 1, to = r->at[PCI_TO] + 1, weight = r->at[PCI_WEIGHT] + 1;
    char text[80];
    bool has_weight = r->at[PCI_WEIGHT] != PCI_NO_COLUMN;
    if (!r->table || (from == 1 && to == 2 && r->n_columns == 2u + has_weight))
        return;
    if (has_weight)
        snprintf(text, sizeof text, "columns %" PRIu32 ", %" PRIu32 " and %" PRIu32 " read", from,
                 to, weight);
    else
        snprintf(text, sizeof text, "columns %" PRIu32 " and %" PRIu32 " read", from, to);
    add_note(r, "%s", text, strlen(text));
    if (r->kind == PCI_EDGES && r->n_columns == 3 && !r->is_asked && !has_weight &&
        pci_column_kind(r->table, 0, s->n_lines - r->n_skipped, 2) == PCI_DATES)
        add_note(r, "%s", "column 3 is one of dates", 24);
}

/* Keeps the places of words of a header that must not be labels. */
static void keep_names(const pci_sample *s, const pci_asked *asked, pci_reading *r)
{
    if (r->kind != PCI_EDGES_HEADER || (r->facts & PCI_NO_LABELS) || asked->has_names ||
        asked->header == PC_HEADER_FIRST_LINE)
        return;
    for (int e = 0; e < 2; e++) {
        uint32_t column = r->at[e == 0 ? PCI_FROM : PCI_TO];
        if (column < r->shift)
            continue;
        const pci_cell *cell = &r->table->row[0][column - r->shift];
        r->name_at[e] = (uint32_t)(cell->text - s->input->text);
        r->name_length[e] = cell->length;
    }
}

/* Fills in what the parser needs when the first lines are gone. */
static void settle(const pci_sample *s, const pci_asked *asked, pci_reading *r)
{
    uint32_t n_passed = r->n_skipped + (r->names_across ? 0 : r->first_row);
    r->is_asked = asked->n_columns > 0;
    r->is_of_arrows = r->stated == PC_DIRECTED;
    if (r->stated == PC_DIRECTION_OF_FORMAT)
        r->stated = s->stated;
    r->is_plain = !r->is_asked && is_of(r, EDGES) && is_plain(s, r);
    if (n_passed > 0) {
        const char *end = pci_line_end(s->line[n_passed - 1].end, s->head.end);
        r->n_passed_bytes = (size_t)(end + (end < s->head.end) - s->head.begin);
    }
    for (uint32_t i = 0; i < n_passed; i++) {
        const char *begin = pci_skip_blanks(s->line[i].begin, s->line[i].end);
        const char *format = i < r->n_skipped             ? "comment '%s' skipped"
                             : r->kind == PCI_EDGES_SIZES ? "line of sizes '%s' read"
                                                          : "header '%s' skipped";
        if (i < r->n_skipped ? i == 0 : is_of(r, EDGES))
            add_note(r, format, begin, (size_t)(pci_trim_end(begin, s->line[i].end) - begin));
    }
    if (is_of(r, EDGES))
        note_columns(s, r);
    keep_names(s, asked, r);
    if (s->stated != PC_DIRECTION_OF_FORMAT && r->stated == s->stated && is_of(r, EDGES | LISTS))
        add_note(r, "%s", "direction as a comment states", 29);
    r->table = NULL;
}

static pc_status check_contradiction(const question *q, const pci_sample *s, const pci_reading *r)
{
    if (!s->is_contradictory || !is_of(r, EDGES | LISTS) ||
        (q->options && q->options->direction != PC_DIRECTION_OF_FORMAT))
        return PC_OK;
    return pci_input_fail(q->input, q->begin,
                          "comments say directed and undirected: which it is, --directed or "
                          "--undirected tells");
}

/* Whether a number is a time since 1970 in seconds, up to the year 2106, or the same in milliseconds. */
static bool is_time(const pci_cell *cell)
{
    enum { LEAST = 100000000, SECOND = 1000 };
    uint64_t number;
    return pci_cell_number(cell, &number) &&
           ((number >= LEAST && number <= UINT32_MAX) ||
            (number >= (uint64_t)LEAST * SECOND && number <= (uint64_t)UINT32_MAX * SECOND));
}

/* A column of times is hardly one of weights. */
static pc_status check_times(const question *q, const pci_asked *asked, const pci_sample *s,
                             const pci_reading *r)
{
    uint32_t weight = r->at[PCI_WEIGHT];
    if (!q->options || !q->options->weights || !is_of(r, EDGES) || !r->table ||
        weight == PCI_NO_COLUMN || asked->n_columns == 3)
        return PC_OK;
    for (uint32_t row = r->first_row; row < r->table->n_rows; row++)
        if (!is_time(&r->table->row[row][weight]))
            return PC_OK;
    const pci_cell *cell = &r->table->row[r->first_row][weight];
    return pci_input_fail(q->input, s->line[r->n_skipped + r->first_row].begin,
                          "column %" PRIu32 " looks like times ('%.*s'): --columns %" PRIu32
                          ",%" PRIu32 ",%" PRIu32 " takes it as weights; without --weights it is not "
                          "used",
                          weight + 1, (int)cell->length, cell->text, r->at[PCI_FROM] + 1,
                          r->at[PCI_TO] + 1, weight + 1);
}

/* Refuses a table of vertices, as Gephi writes it beside that of edges. */
static pc_status check_vertices(const question *q, const pci_asked *asked, const pci_sample *s)
{
    pci_column_names names;
    if (asked->format != PC_FORMAT_AUTO || asked->n_columns > 0 || asked->header != PC_HEADER_FOUND)
        return PC_OK;
    for (uint32_t i = 0; i < s->n_tables; i++) {
        pci_column_names_read(s->table[i].row[0], pci_row_length(&s->table[i], 0), 0, &names);
        if (pci_column_names_are_of_vertices(&names))
            return pci_input_fail(q->input, s->line[0].begin,
                                  "this looks like a table of vertices: give that of edges "
                                  "(--no-header reads these words as an edge)");
    }
    return PC_OK;
}

/* The first kind of reading of a format. */
static pci_reading_kind kind_of(pc_format format)
{
    unsigned kind = PCI_EDGES;
    while (kind + 1 < PCI_N_READINGS && readings[kind].format != format)
        kind++;
    return format == PC_FORMAT_AUTO ? PCI_EDGES : (pci_reading_kind)kind;
}

pc_status pci_reading_choose(const pci_input *input, const char *begin, pc_format format,
                             bool is_named, bool is_relation, const pc_graph_options *options,
                             pci_reading *reading)
{
    const question q = {input, begin, is_relation, options};
    pci_asked asked = {.format = format, .is_named = is_named};
    decision *d = pci_alloc(input->context, sizeof *d);
    pc_status status = d ? PC_OK : pci_fail_memory(input->context, "readings", sizeof *d);
    if (status == PC_OK)
        status = parse_options(input->context, options, &asked);
    if (status == PC_OK)
        status = decide(&q, &asked, d);
    if (status) {
        pci_free(input->context, d);
        return status;
    }
    status = check_vertices(&q, &asked, &d->sample);
    if (d->sample.n_lines == 0)
        d->found.reading[d->found.n++] = (pci_reading){.kind = kind_of(format)};
    bool is_list = d->found.n == 1 && d->asks && d->found.reading[0].kind == PCI_LISTS;
    if (status == PC_OK && (d->found.n == 0 || d->asks))
        status = fail_weight(&q, &asked, d);
    if (status == PC_OK && is_list && are_mostly_edges(&d->sample))
        status = fail_line(&q, &d->sample);
    if (status == PC_OK && d->found.n == 0)
        status = refuse(&q, &asked, &d->sample);
    else if (status == PC_OK && d->asks)
        status = ask(&q, &asked, d);
    else if (status == PC_OK)
        status = check_contradiction(&q, &d->sample, &d->found.reading[0]);
    if (status == PC_OK)
        status = check_times(&q, &asked, &d->sample, &d->found.reading[0]);
    if (status == PC_OK) {
        *reading = d->found.reading[0];
        settle(&d->sample, &asked, reading);
    }
    pci_sample_free(&d->sample);
    pci_free(input->context, d);
    return status;
}

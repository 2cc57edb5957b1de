/* Pajek: "*Vertices N", a line 'NUMBER "NAME"' for a vertex that has a name, and sections of arcs, edges, lists of
 * neighbours or a matrix. Words behind those that count say how something is drawn. An edge is two arcs in a file
 * that has arcs, too. Sections of two numbers are two relations, which only edges with labels may be. */
#include "graphs/sort.h"
#include "io/readers.h"
#include "io/text.h"

#include <inttypes.h>

typedef enum section_kind { NAMES, LINES, LISTS, MATRIX } section_kind;

static const struct section {
    const char *word;
    section_kind kind;
    bool is_directed;
} sections[] = {
    {"*vertices", NAMES, false}, {"*arcs", LINES, true},       {"*edges", LINES, false},
    {"*arcslist", LISTS, true},  {"*edgeslist", LISTS, false}, {"*matrix", MATRIX, true},
};
enum { N_SECTIONS = sizeof sections / sizeof *sections };

/* Pajek keeps these in the same file, behind the network. */
static const char *const others[] = {"*partition", "*vector", "*permutation", "*cluster",
                                     "*hierarchy"};

/* A section that has data. */
typedef struct part {
    const struct section *section;
    uint64_t relation, first_edge, end_edge;
    pci_word name; /* of the relation, or its number */
} part;

typedef struct reader {
    pci_collect *c;
    bool has_vertices;             /* *Vertices was there */
    const struct section *section; /* NULL: none yet */
    bool is_passed_over;           /* the section is one of the others */
    bool is_open;                  /* the section has data, and is the last part */
    uint64_t relation;             /* number of the section */
    bool is_named;
    pci_word name; /* of the relation, or its number */
    part *parts;
    uint64_t n_parts, part_capacity;
    uint64_t n_first_mode; /* vertices of the first mode; 0 in a file of one mode */
    uint64_t n_rows;       /* of the matrix so far */
} reader;

/* The next word of the line; a comment ends it. */
static bool next_word(reader *r, pci_column *word)
{
    return pci_column_next(&r->c->words, word) && (word->is_quoted || *word->text != '%');
}

static bool is_word(const pci_column *word, const char *other)
{
    return pci_is_word_any_case(word->text, word->length, other);
}

static bool is_directed(const reader *r, const struct section *section)
{
    return section->is_directed && !(section->kind == MATRIX && r->n_first_mode > 0);
}

/* ---- Sections -------------------------------------------------------------------------------- */

static pc_status end_section(const reader *r)
{
    uint64_t n_wanted = r->n_first_mode > 0 ? r->n_first_mode : r->c->n_vertices;
    if (!r->is_open || r->section->kind != MATRIX || r->n_rows == n_wanted)
        return PC_OK;
    return pci_collect_fail(r->c, "the matrix has %" PRIu64 " rows and must have %" PRIu64,
                            r->n_rows, n_wanted);
}

/* "*Vertices 5", or "*Vertices 5 2" where the first 2 are of another mode than the rest. */
static pc_status begin_vertices(reader *r)
{
    pci_column word;
    uint64_t n;
    if (r->has_vertices)
        return pci_collect_fail(r->c, "a second network: keep one network in a file");
    if (!next_word(r, &word) || pci_integer_parse(word.text, word.length, &n) != PCI_INTEGER ||
        n == 0)
        return pci_collect_fail(r->c, "'*Vertices N' states the number of vertices, 1 to 2^32-1");
    if (next_word(r, &word) &&
        (pci_integer_parse(word.text, word.length, &r->n_first_mode) || r->n_first_mode > n))
        return pci_collect_fail(r->c, "'*Vertices N M': M of the N vertices are of the first mode");
    r->has_vertices = true;
    return pci_collect_number(r->c, r->c->at, 1, n);
}

/* Begins a section of edges, and notes the number of its relation, ":2" or ": 2", and its name, which may follow. */
static pc_status begin_relation(reader *r)
{
    pci_column word;
    r->relation = 1;
    r->name = (pci_word){"1", 1};
    r->is_named = false;
    if (!r->has_vertices)
        return pci_collect_fail(r->c, "no line '*Vertices N' before this one");
    if (!next_word(r, &word) || *word.text != ':')
        return PC_OK;
    word.text++;
    if (--word.length == 0 && !next_word(r, &word))
        return PC_OK;
    if (pci_integer_parse(word.text, word.length, &r->relation) != PCI_INTEGER)
        return pci_collect_fail(r->c, "the number of a relation is no number");
    r->name = (pci_word){word.text, word.length};
    r->is_named = next_word(r, &word) && word.length > 0;
    if (r->is_named)
        r->name = (pci_word){word.text, word.length};
    return PC_OK;
}

static pc_status begin_section(reader *r, const pci_column *word)
{
    pc_status status = end_section(r);
    bool is_network = is_word(word, "*network");
    r->section = NULL;
    r->is_open = false;
    r->is_passed_over = r->is_passed_over && !is_network;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        r->is_passed_over = r->is_passed_over || is_word(word, others[i]);
    for (size_t i = 0; i < N_SECTIONS; i++)
        if (is_word(word, sections[i].word))
            r->section = &sections[i];
    if (status == PC_OK && r->is_passed_over && r->section && r->section->kind != NAMES)
        return pci_collect_fail(r->c,
                                "a section %s behind a partition or the like, which has no edges: "
                                "put it behind *Vertices",
                                r->section->word);
    if (status || r->is_passed_over || (is_network && !r->has_vertices))
        return status;
    if (is_network || (r->section && r->section->kind == NAMES))
        return begin_vertices(r);
    return r->section ? begin_relation(r)
                      : pci_collect_fail(r->c,
                                         "a section '%.*s' of Pajek is not known: keep *Vertices, "
                                         "and *Arcs, *Edges, *Arcslist, *Edgeslist or *Matrix",
                                         word->length < 40 ? (int)word->length : 40, word->text);
}

/* Holds the section against a part before it: another number is another relation, and so is a second section of one word and
 * number. Sections of one number have its name in common. */
static pc_status compare_part(reader *r, const part *other)
{
    if (other->relation != r->relation && !r->c->input->text_column)
        return pci_collect_fail(r->c,
                                "the file has the relations :%" PRIu64 " and :%" PRIu64
                                ", and a graph has one: keep the sections of one, or count walks "
                                "with --match and --label-column relation",
                                other->relation, r->relation);
    if (other->relation != r->relation)
        return PC_OK;
    if (other->section == r->section)
        return pci_collect_fail(r->c,
                                "a second section %s with data would be a second relation: keep "
                                "one, or join them if they are one relation",
                                r->section->word);
    if (r->is_named && (other->name.length != r->name.length ||
                        memcmp(other->name.text, r->name.text, r->name.length) != 0))
        return pci_collect_fail(r->c,
                                "the relation :%" PRIu64 " is called '%.*s' here, and was '%.*s': "
                                "give it one name",
                                r->relation, pci_word_shown(r->name), r->name.text,
                                pci_word_shown(other->name), other->name.text);
    r->name = other->name;
    return PC_OK;
}

/* The first line of data of a section makes it a part. */
static pc_status open_section(reader *r)
{
    pc_status status = PC_OK;
    for (uint64_t i = 0; i < r->n_parts && status == PC_OK; i++)
        status = compare_part(r, &r->parts[i]);
    if (status)
        return status;
    pc_context *context = r->c->input->context;
    part *grown =
        pci_grow(context, r->parts, &r->part_capacity, r->n_parts, r->n_parts + 1, sizeof *grown);
    if (!grown)
        return pci_fail_memory(context, "sections", r->n_parts * sizeof *grown);
    r->parts = grown;
    grown[r->n_parts++] = (part){r->section, r->relation, r->c->n_edges, r->c->n_edges, r->name};
    r->is_open = true;
    r->n_rows = 0;
    r->c->relation = r->name;
    r->c->is_matrix = r->c->is_matrix || r->section->kind == MATRIX;
    if (is_directed(r, r->section) || r->c->stated == PC_DIRECTION_OF_FORMAT)
        r->c->stated = is_directed(r, r->section) ? PC_DIRECTED : PC_UNDIRECTED;
    return PC_OK;
}

/* ---- Lines of data --------------------------------------------------------------------------- */

/* The vertex, from 0 on, that a word is the number of; word may be NULL: the next one. */
static pc_status take_vertex(reader *r, const pci_column *word, uint32_t *vertex)
{
    pci_column next;
    uint64_t number;
    if (!word && next_word(r, &next))
        word = &next;
    if (!word || pci_integer_parse(word->text, word->length, &number) != PCI_INTEGER)
        return pci_collect_fail(r->c, "Pajek has '*Vertices N', lines 'NUMBER \"NAME\"', then "
                                      "*Edges or *Arcs and lines 'NUMBER NUMBER WEIGHT'");
    return pci_collect_numbered(r->c, number, vertex);
}

/* Takes the rest of a line behind its first vertex: a name, an edge with its weight if a number follows, or neighbours. */
static pc_status take_rest(reader *r, section_kind kind, uint32_t from)
{
    uint32_t to;
    uint64_t weight;
    pci_column word;
    pc_status status = PC_OK;
    if (kind == NAMES) {
        if (next_word(r, &word))
            status = pci_collect_label(r->c, 0, from, (pci_word){word.text, word.length});
        return r->c->words.fault ? pci_collect_fail(r->c, "a double quote without its partner")
                                 : status;
    }
    while (kind == LISTS && status == PC_OK && next_word(r, &word))
        if ((status = take_vertex(r, &word, &to)) == PC_OK)
            status = pci_collect_edge(r->c, from, to, NULL);
    if (kind == LISTS || (status = take_vertex(r, NULL, &to)))
        return status;
    if (memchr(r->c->words.at, '[', (size_t)(r->c->words.end - r->c->words.at)))
        return pci_collect_fail(
            r->c, "a line that is there at some times only: keep those of one time, without [ ]");
    bool has_weight = next_word(r, &word) && !word.is_quoted && word.length > 0 &&
                      strchr("+-.0123456789", *word.text);
    if (has_weight)
        status = pci_collect_weight(r->c, word.text, word.length, &weight);
    return status ? status : pci_collect_edge(r->c, from, to, has_weight ? &weight : NULL);
}

static pc_status take_row(reader *r, pci_column word)
{
    uint64_t n_columns = r->c->n_vertices - r->n_first_mode, n = 0, weight;
    uint64_t row = r->n_rows++;
    pc_status status;
    do {
        if ((status = pci_collect_weight(r->c, word.text, word.length, &weight)))
            return status;
        bool is_entry = n < n_columns && row < r->c->n_vertices && weight > 0;
        if (is_entry && (status = pci_collect_edge(r->c, (uint32_t)row,
                                                   (uint32_t)(r->n_first_mode + n), &weight)))
            return status;
        n++;
    } while (next_word(r, &word));
    return n == n_columns
               ? PC_OK
               : pci_collect_fail(r->c,
                                  "the matrix row has %" PRIu64 " entries and must have %" PRIu64,
                                  n, n_columns);
}

static pc_status take_line(reader *r)
{
    pci_column word;
    uint32_t vertex;
    if (!next_word(r, &word))
        return r->c->words.fault && !r->is_passed_over
                   ? pci_collect_fail(r->c, "a double quote without its partner")
                   : PC_OK;
    if (*word.text == '*' && !word.is_quoted)
        return begin_section(r, &word);
    if (r->is_passed_over)
        return PC_OK;
    if (!r->has_vertices)
        return pci_collect_fail(r->c, "no line '*Vertices N' before this one");
    section_kind kind = r->section ? r->section->kind : NAMES;
    pc_status status = kind != NAMES && !r->is_open ? open_section(r) : PC_OK;
    if (status == PC_OK && kind == MATRIX)
        status = take_row(r, word);
    else if (status == PC_OK && (status = take_vertex(r, &word, &vertex)) == PC_OK)
        status = take_rest(r, kind, vertex);
    if (r->is_open)
        r->parts[r->n_parts - 1].end_edge = r->c->n_edges;
    return status;
}

/* Adds the second arc of each edge of a file that has arcs, too. */
static pc_status mirror_edges(reader *r)
{
    pci_collect *c = r->c;
    for (uint64_t p = 0; p < r->n_parts && c->stated == PC_DIRECTED; p++) {
        const part *part = &r->parts[p];
        c->relation = part->name;
        for (uint64_t e = part->first_edge; !is_directed(r, part->section) && e < part->end_edge;
             e++) {
            pci_edge edge = c->edge[e];
            uint64_t weight = c->weight ? c->weight[e] : 1;
            pc_status status =
                edge.from == edge.to
                    ? PC_OK
                    : pci_collect_edge(c, edge.to, edge.from, c->any_with ? &weight : NULL);
            if (status)
                return status;
        }
    }
    return PC_OK;
}

pc_status pci_pajek_read(pci_collect *c)
{
    reader r = {.c = c};
    pc_status status = PC_OK;
    c->states_direction = true;
    while (status == PC_OK && pci_collect_line(c, "", false))
        status = take_line(&r);
    if (status == PC_OK)
        status = end_section(&r);
    if (status == PC_OK && !r.has_vertices)
        status = pci_input_fail_at(c->input, c->input->n_all, "no line '*Vertices N': not Pajek");
    if (status == PC_OK)
        status = mirror_edges(&r);
    pci_free(c->input->context, r.parts);
    return status;
}

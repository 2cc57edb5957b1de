/* Pajek: "*Vertices N", a line 'NUMBER "NAME"' for a vertex that has a name, and sections of arcs, edges, lists of
 * neighbours or a matrix. Words behind those that count say how something is drawn. An edge is two arcs in a file
 * that has arcs, too. Two sections of one kind, or sections of two numbers, would be two relations. */
#include "io/collect.h"
#include "io/line.h"
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

typedef struct reader {
    pci_collect *c;
    const char *line;
    pci_column_cursor rest;        /* of the line */
    const struct section *section; /* NULL: none yet */
    bool is_passed_over;           /* the section is one of the others */
    uint64_t relation;             /* number of the section */
    uint64_t first_relation;       /* that had data; 0: none yet */
    uint64_t first_edge[N_SECTIONS],
        end_edge[N_SECTIONS];           /* of the section with data of each kind */
    bool has_data[N_SECTIONS], is_open; /* whether the running section is that one */
    uint64_t n_first_mode;              /* vertices of the first mode; 0 in a file of one mode */
    uint64_t n_rows;                    /* of the matrix so far */
    pci_word *name;                     /* [n_vertices] */
} reader;

/* The next word of the line; a comment ends it. */
static bool next_word(reader *r, pci_column *word)
{
    return pci_column_next(&r->rest, word) && (word->is_quoted || *word->text != '%');
}

static bool is_word(const pci_column *word, const char *other)
{
    return pci_is_word_any_case(word->text, word->length, other);
}

static bool is_directed(const reader *r, size_t section)
{
    return sections[section].is_directed &&
           !(sections[section].kind == MATRIX && r->n_first_mode > 0);
}

/* ---- Sections -------------------------------------------------------------------------------- */

static pc_status end_section(const reader *r)
{
    uint64_t n_wanted = r->n_first_mode > 0 ? r->n_first_mode : r->c->n_vertices;
    if (!r->section || r->section->kind != MATRIX || !r->is_open || r->n_rows == n_wanted)
        return PC_OK;
    return pci_input_fail(r->c->input, r->c->at,
                          "the matrix has %" PRIu64 " rows and must have %" PRIu64, r->n_rows,
                          n_wanted);
}

/* "*Vertices 5", or "*Vertices 5 2" where the first 2 are of another mode than the rest. */
static pc_status begin_vertices(reader *r)
{
    pci_column word;
    uint64_t n;
    if (r->name)
        return pci_input_fail(r->c->input, r->line, "a second network: keep one network in a file");
    if (!next_word(r, &word) || pci_integer_parse(word.text, word.length, &n) != PCI_INTEGER ||
        n == 0)
        return pci_input_fail(r->c->input, r->line,
                              "'*Vertices N' states the number of vertices, 1 to 2^32-1");
    if (next_word(r, &word) &&
        (pci_integer_parse(word.text, word.length, &r->n_first_mode) || r->n_first_mode > n))
        return pci_input_fail(r->c->input, r->line,
                              "'*Vertices N M': M of the N vertices are of the first mode");
    pc_status status = pci_collect_number(r->c, r->line, 1, n);
    if (status)
        return status;
    r->name = pci_alloc_zero(r->c->input->context, n, sizeof *r->name);
    return r->name ? PC_OK : pci_fail_memory(r->c->input->context, "labels", n * sizeof *r->name);
}

/* Notes the number of a relation: ":2" or ": 2". */
static pc_status begin_relation(reader *r)
{
    pci_column word;
    r->relation = 1;
    if (!r->name)
        return pci_input_fail(r->c->input, r->line, "no line '*Vertices N' before this one");
    if (!next_word(r, &word) || *word.text != ':')
        return PC_OK;
    word.text++;
    if (--word.length == 0 && !next_word(r, &word))
        return PC_OK;
    return pci_integer_parse(word.text, word.length, &r->relation) == PCI_INTEGER
               ? PC_OK
               : pci_input_fail(r->c->input, r->line, "the number of a relation is no number");
}

static pc_status begin_section(reader *r, const pci_column *word)
{
    pc_status status = end_section(r);
    r->section = NULL;
    r->is_open = false;
    bool is_network = is_word(word, "*network");
    r->is_passed_over = r->is_passed_over && !is_network;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        r->is_passed_over = r->is_passed_over || is_word(word, others[i]);
    if (status || r->is_passed_over)
        return status;
    if (is_network)
        return r->name ? begin_vertices(r) : PC_OK;
    for (size_t i = 0; i < N_SECTIONS; i++)
        if (is_word(word, sections[i].word))
            r->section = &sections[i];
    if (!r->section)
        return pci_input_fail(r->c->input, r->line,
                              "a section '%.*s' of Pajek is not known: keep *Vertices, and *Arcs, "
                              "*Edges, *Arcslist, *Edgeslist or *Matrix",
                              word->length < 40 ? (int)word->length : 40, word->text);
    return r->section->kind == NAMES ? begin_vertices(r) : begin_relation(r);
}

/* The first line of data of a section: a second section of the same word is a second relation, and so is another
 * number. */
static pc_status open_section(reader *r)
{
    size_t section = (size_t)(r->section - sections);
    if (r->first_relation != 0 && r->first_relation != r->relation)
        return pci_input_fail(r->c->input, r->line,
                              "the file has the relations :%" PRIu64 " and :%" PRIu64
                              ", and a graph has one: keep the sections of one",
                              r->first_relation, r->relation);
    if (r->has_data[section])
        return pci_input_fail(r->c->input, r->line,
                              "a second section %s with data would be a second relation: keep "
                              "one, or join them if they are one relation",
                              r->section->word);
    r->first_relation = r->relation;
    r->has_data[section] = r->is_open = true;
    r->first_edge[section] = r->c->n_edges;
    r->n_rows = 0;
    r->c->is_matrix = r->c->is_matrix || r->section->kind == MATRIX;
    if (is_directed(r, section) || r->c->stated == PC_DIRECTION_OF_FORMAT)
        r->c->stated = is_directed(r, section) ? PC_DIRECTED : PC_UNDIRECTED;
    return PC_OK;
}

/* ---- Lines of data --------------------------------------------------------------------------- */

/* The vertex, from 0 on, that the next word is the number of. */
static pc_status take_vertex(reader *r, uint32_t *vertex)
{
    pci_column word;
    uint64_t number, n = r->c->n_vertices;
    if (!next_word(r, &word) || pci_integer_parse(word.text, word.length, &number) != PCI_INTEGER)
        return pci_input_fail(r->c->input, r->line,
                              "Pajek has '*Vertices N', lines 'NUMBER \"NAME\"', then *Edges or "
                              "*Arcs and lines 'NUMBER NUMBER WEIGHT'");
    if (number == 0 || number > n)
        return pci_input_fail(r->c->input, r->line,
                              "there is no vertex %" PRIu64 ", they are numbered 1 to %" PRIu64,
                              number, n);
    *vertex = (uint32_t)(number - 1);
    return PC_OK;
}

static pc_status take_name(reader *r)
{
    uint32_t vertex;
    pci_column word;
    pc_status status = take_vertex(r, &vertex);
    if (status)
        return status;
    if (next_word(r, &word))
        r->name[vertex] = (pci_word){word.text, word.length};
    return r->rest.fault
               ? pci_input_fail(r->c->input, r->line, "a double quote without its partner")
               : PC_OK;
}

/* Two ends, and a weight if a number follows them. */
static pc_status take_edge(reader *r)
{
    uint32_t from, to;
    uint64_t weight;
    pci_column word;
    pc_status status = take_vertex(r, &from);
    if (status == PC_OK)
        status = take_vertex(r, &to);
    if (status)
        return status;
    if (memchr(r->rest.at, '[', (size_t)(r->rest.end - r->rest.at)))
        return pci_input_fail(r->c->input, r->line,
                              "a line that is there at some times only: keep those of one time, "
                              "without [ ]");
    bool has_weight = next_word(r, &word) && !word.is_quoted && word.length > 0 &&
                      strchr("+-.0123456789", *word.text);
    if (has_weight)
        status = pci_collect_weight(r->c, word.text, word.length, &weight);
    return status ? status : pci_collect_edge(r->c, from, to, has_weight ? &weight : NULL);
}

static pc_status take_list(reader *r)
{
    uint32_t from, to;
    pci_column_cursor before;
    pci_column word;
    pc_status status = take_vertex(r, &from);
    while (status == PC_OK && (before = r->rest, next_word(r, &word))) {
        r->rest = before;
        status = take_vertex(r, &to);
        if (status == PC_OK)
            status = pci_collect_edge(r->c, from, to, NULL);
    }
    return status;
}

static pc_status take_row(reader *r)
{
    uint64_t n_columns = r->c->n_vertices - r->n_first_mode, n = 0, weight;
    uint64_t row = r->n_rows++;
    pci_column word;
    pc_status status;
    for (; next_word(r, &word); n++) {
        if ((status = pci_collect_weight(r->c, word.text, word.length, &weight)))
            return status;
        bool is_entry = n < n_columns && row < r->c->n_vertices && weight > 0;
        if (is_entry && (status = pci_collect_edge(r->c, (uint32_t)row,
                                                   (uint32_t)(r->n_first_mode + n), &weight)))
            return status;
    }
    return n == n_columns
               ? PC_OK
               : pci_input_fail(r->c->input, r->line,
                                "the matrix row has %" PRIu64 " entries and must have %" PRIu64, n,
                                n_columns);
}

static pc_status take_line(reader *r)
{
    pci_column word;
    r->rest = pci_columns_of(r->line, r->rest.end, ' ');
    pci_column_cursor whole = r->rest;
    if (!next_word(r, &word))
        return r->rest.fault && !r->is_passed_over
                   ? pci_input_fail(r->c->input, r->line, "a double quote without its partner")
                   : PC_OK;
    if (*word.text == '*' && !word.is_quoted)
        return begin_section(r, &word);
    if (r->is_passed_over)
        return PC_OK;
    r->rest = whole;
    r->c->at = r->line;
    pc_status status = PC_OK;
    if (r->section && r->section->kind != NAMES && !r->is_open)
        status = open_section(r);
    if (status || !r->section || r->section->kind == NAMES)
        return status ? status : take_name(r);
    return r->section->kind == LINES   ? take_edge(r)
           : r->section->kind == LISTS ? take_list(r)
                                       : take_row(r);
}

/* ---- The file -------------------------------------------------------------------------------- */

static pc_status read_lines(reader *r, const char *at)
{
    const char *end = r->c->input->text + r->c->input->n_bytes;
    pc_status status = PC_OK;
    while (status == PC_OK && pci_next_line(&at, end, &r->line, &r->rest.end)) {
        status = take_line(r);
        if (r->is_open)
            r->end_edge[r->section - sections] = r->c->n_edges;
    }
    return status ? status : end_section(r);
}

/* Adds the second arc of each edge of a file that has arcs, too. */
static pc_status mirror_edges(reader *r)
{
    pci_collect *c = r->c;
    for (size_t s = 0; s < N_SECTIONS && c->stated == PC_DIRECTED; s++)
        for (uint64_t e = r->first_edge[s]; !is_directed(r, s) && e < r->end_edge[s]; e++) {
            pci_edge edge = c->edge[e];
            uint64_t weight = c->weight ? c->weight[e] : 1;
            pc_status status =
                edge.from == edge.to
                    ? PC_OK
                    : pci_collect_edge(c, edge.to, edge.from, c->any_with ? &weight : NULL);
            if (status)
                return status;
        }
    return PC_OK;
}

pc_status pci_pajek_read(pci_collect *c)
{
    reader r = {.c = c};
    pc_status status = read_lines(&r, c->next);
    c->states_direction = true;
    if (status == PC_OK && !r.name)
        status = pci_input_fail_at(c->input, c->input->n_all, "no line '*Vertices N': not Pajek");
    if (status == PC_OK)
        status = mirror_edges(&r);
    if (status == PC_OK)
        status = pci_collect_rename(c, r.name, NULL);
    pci_free(c->input->context, r.name);
    return status;
}

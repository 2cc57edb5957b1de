/* Collects edges one by one, and makes a draft of them. */
#include "io/collect.h"

#include "graphs/sort.h"
#include "io/line.h"
#include "graphs/multiplicity.h"
#include "io/readings.h"
#include "io/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { EDGES_BETWEEN_LOOKS = 1 << 18 };

static pc_status fail_memory(const pci_collect *c)
{
    return pci_fail(c->input->context, PC_ERR_MEMORY, "%s: no memory for its edges",
                    c->input->name);
}

bool pci_collect_line(pci_collect *c, const char *marks, bool keeps_blank)
{
    const char *end = c->input->text + c->input->n_bytes;
    while (pci_next_line(&c->next, end, &c->at, &c->line_end)) {
        c->line_end -= c->line_end > c->at && c->line_end[-1] == '\r';
        const char *first = pci_skip_blanks(c->at, c->line_end);
        c->words = pci_columns_of(c->at, c->line_end, c->separator ? c->separator : ' ');
        const char *mark = marks; /* there are two at most: a call would take longer */
        while (first < c->line_end && *mark && *mark != *first)
            mark++;
        if (first < c->line_end ? !*mark : keeps_blank)
            return true;
    }
    return false;
}

/* ---- Vertices -------------------------------------------------------------------------------- */

pc_status pci_collect_vertex(pci_collect *c, const char *text, size_t length, uint32_t *vertex)
{
    bool in_text = text >= c->input->text && text <= c->input->text + c->input->n_bytes;
    const char *at = in_text ? text : c->input->text;
    if (length == 0)
        return pci_input_fail(c->input, at, "a vertex has an empty name");
    if (memchr(text, 0, length))
        return pci_input_fail(c->input, at, "the name of a vertex has a NUL byte");
    pc_status status = pci_names_add(c->input->context, &c->names, text, length, vertex);
    if (status == PC_ERR_MEMORY)
        return fail_memory(c);
    return status ? pci_fail(c->input->context, status, "%s: more than 2^32-1 vertices",
                             c->input->name)
                  : PC_OK;
}

pc_status pci_collect_number(pci_collect *c, const char *at, uint64_t first, uint64_t n_vertices)
{
    c->is_numbered = true;
    c->first = first;
    c->n_vertices = n_vertices;
    pc_status status =
        pci_input_check_stated(c->input, (uint64_t)(at - c->input->text), n_vertices, c->options);
    return status ? status : pci_check_n_vertices(c->input->context, n_vertices);
}

pc_status pci_collect_numbered(const pci_collect *c, uint64_t number, uint32_t *vertex)
{
    *vertex = (uint32_t)(number - 1);
    return number > 0 && number <= c->n_vertices
               ? PC_OK
               : pci_collect_fail(
                     c, "there is no vertex %" PRIu64 ": vertices are numbered from 1 to %" PRIu64,
                     number, c->n_vertices);
}

pc_status pci_collect_label(pci_collect *c, int choice, uint32_t vertex, pci_word text)
{
    uint64_t *n = &c->n_labels[choice];
    pci_word *grown = pci_grow(c->input->context, c->label[choice], &c->label_capacity[choice], *n,
                               vertex + UINT64_C(1), sizeof text);
    if (!grown)
        return fail_memory(c);
    c->label[choice] = grown;
    for (; *n <= vertex; ++*n)
        grown[*n] = (pci_word){0};
    grown[vertex] = text;
    return PC_OK;
}

/* Calls vertices by the labels of a choice, if each has one and no two share it; *done tells. */
static pc_status rename_vertices(pci_collect *c, int choice, bool *done)
{
    pc_context *context = c->input->context;
    pci_names names = {0};
    uint64_t n = c->is_numbered ? c->n_vertices : c->names.n, v = 0;
    uint32_t number;
    for (*done = n > 0 && n == c->n_labels[choice]; v < n && *done; v++) {
        const pci_word *name = &c->label[choice][v];
        *done = name->length > 0 && !memchr(name->text, 0, name->length);
        if (*done && pci_names_add(context, &names, name->text, name->length, &number)) {
            pci_names_free(context, &names);
            return fail_memory(c);
        }
        *done = *done && number == v;
    }
    pci_names_free(context, *done ? &c->names : &names);
    if (*done)
        c->names = names;
    c->is_numbered = c->is_numbered && !*done;
    return PC_OK;
}

/* The character that the entity at `at` means, and *next behind it; 0 when it means none. */
static unsigned long read_entity(const char *at, const char *end, const char **next)
{
    enum { MOST_ENTITY = 12 };
    static const struct {
        const char *name;
        unsigned long character;
    } named[] = {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
    char name[MOST_ENTITY + 1];
    size_t room = (size_t)(end - at - 1);
    const char *stop = memchr(at + 1, ';', room < MOST_ENTITY ? room : MOST_ENTITY);
    if (!stop)
        return 0;
    size_t length = (size_t)(stop - at - 1);
    memcpy(name, at + 1, length);
    name[length] = '\0';
    *next = stop + 1;
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (strcmp(name, named[i].name) == 0)
            return named[i].character;
    if (*name != '#')
        return 0;
    bool is_hex = name[1] == 'x' || name[1] == 'X';
    const char *digits = name + 1 + is_hex;
    size_t n_digits = strspn(digits, is_hex ? "0123456789abcdefABCDEF" : "0123456789");
    unsigned long number = strtoul(digits, NULL, is_hex ? 16 : 10);
    bool is_character = number <= 0x10ffff && (number < 0xd800 || number > 0xdfff);
    return n_digits > 0 && digits[n_digits] == '\0' && is_character ? number : 0;
}

pc_status pci_collect_decode(pci_collect *c, pci_word *text, const char **unknown)
{
    static const unsigned char first[] = {0, 0xc0, 0xe0, 0xf0};
    const char *at = text->text, *end = at + text->length, *next;
    *unknown = NULL;
    if (!memchr(at, '&', text->length))
        return PC_OK;
    if (!c->decoded)
        c->decoded = pci_alloc(c->input->context, c->input->n_bytes);
    if (!c->decoded)
        return pci_fail_memory(c->input->context, "labels", c->input->n_bytes);
    char *begin = c->decoded + c->n_decoded, *to = begin;
    c->n_decoded += text->length;
    while (at < end) {
        unsigned long number = *at == '&' ? read_entity(at, end, &next) : 0;
        if (*at == '&' && number == 0 && !*unknown)
            *unknown = at;
        if (number == 0) {
            *to++ = *at++;
            continue;
        }
        unsigned n = number < 0x80 ? 0 : number < 0x800 ? 1 : number < 0x10000 ? 2 : 3;
        *to++ = (char)(first[n] | number >> (6 * n));
        for (; n > 0; n--)
            *to++ = (char)(0x80 | (number >> (6 * (n - 1)) & 0x3f));
        at = next;
    }
    *text = (pci_word){begin, (size_t)(to - begin)};
    return PC_OK;
}

pci_word pci_plain_number(pci_word number)
{
    const char *point = number.length > 0 ? memchr(number.text, '.', number.length) : NULL;
    size_t n_zeros = 0;
    while (point && number.text[number.length - 1 - n_zeros] == '0')
        n_zeros++;
    if (point && number.text + number.length - 1 - n_zeros == point)
        number.length = (size_t)(point - number.text);
    for (; number.length > 1 && strchr("+0", *number.text) && number.text[1] != '.'; number.text++)
        number.length--;
    return number;
}

pc_status pci_collect_matrix(pci_collect *c, uint64_t n_rows, uint64_t n_columns)
{
    c->is_matrix = true;
    c->stated = PC_DIRECTED;
    const char *at = c->at ? c->at : c->input->text;
    if (n_rows == n_columns)
        return pci_collect_number(c, at, 0, n_rows);
    return pci_input_fail(c->input, at,
                          "%" PRIu64 " rows and %" PRIu64
                          " columns: an adjacency matrix is square; edges are read from CSV, which "
                          "numpy.savetxt(path, edges, fmt='%%d', delimiter=',') writes",
                          n_rows, n_columns);
}

/* ---- Edges ----------------------------------------------------------------------------------- */

pc_status pci_collect_weight(pci_collect *c, const char *text, size_t length, uint64_t *weight)
{
    pci_flaw flaw;
    pci_line line = {.begin = text, .n_columns = 1, .column = {text}, .length = {length}};
    pci_multiplicity kind = pci_multiplicity_parse(text, length, weight);
    c->has_others = c->has_others || kind != PCI_MULTIPLICITY || *weight > 1;
    if (pci_line_weight(c->input, &line, 0, pci_collect_takes_weights(c), weight, &flaw))
        return PC_OK;
    if (kind == PCI_NO_NUMBER)
        flaw.what = c->is_matrix ? "is not a number: an adjacency matrix is a square of numbers"
                                 : pci_weight_fault(kind);
    flaw.subject = c->is_matrix ? "entry" : flaw.subject;
    return pci_flaw_report(c->input, &flaw);
}

pc_status pci_collect_attribute(pci_collect *c, pci_word text, uint64_t *weight)
{
    if (!text.text || !pci_collect_takes_weights(c))
        return PC_OK;
    bool is_quoted = text.length > 1 && *text.text == '"';
    return pci_collect_weight(c, text.text + is_quoted, text.length - 2 * is_quoted, weight);
}

void pci_collect_note_number(pci_collect *c, pci_word name)
{
    char quoted[60];
    size_t n = strlen(c->numbers);
    int length = snprintf(quoted, sizeof quoted, "'%.*s'", name.length < 50 ? (int)name.length : 50,
                          name.text);
    if (!strstr(c->numbers, quoted) && n + (size_t)length + 3 < sizeof c->numbers)
        snprintf(c->numbers + n, sizeof c->numbers - n, "%s%s", n > 0 ? ", " : "", quoted);
}

static pc_status reserve(pci_collect *c)
{
    pc_context *context = c->input->context;
    uint64_t n = c->n_edges + 1;
    if (n > c->edge_capacity && n > 1 << 16 &&
        2 * n * (sizeof *c->edge + sizeof *c->weight) > pci_memory_available(context))
        return fail_memory(c);
    pci_edge *edge = pci_grow(context, c->edge, &c->edge_capacity, c->n_edges, n, sizeof *c->edge);
    if (!edge)
        return fail_memory(c);
    c->edge = edge;
    if (c->input->text_column) {
        uint32_t *text =
            pci_grow(context, c->text, &c->text_capacity, c->n_edges, n, sizeof *c->text);
        if (!text)
            return fail_memory(c);
        c->text = text;
    }
    if (!pci_collect_takes_weights(c))
        return PC_OK;
    uint64_t *weight =
        pci_grow(context, c->weight, &c->weight_capacity, c->n_edges, n, sizeof *c->weight);
    if (!weight)
        return fail_memory(c);
    c->weight = weight;
    return PC_OK;
}

pc_status pci_collect_edge(pci_collect *c, uint32_t from, uint32_t to, const uint64_t *weight)
{
    if (weight && !c->any_with)
        c->first_with = c->at;
    if (!weight && !c->any_without)
        c->first_without = c->at;
    c->any_with = c->any_with || weight;
    c->any_without = c->any_without || !weight;
    if (weight && *weight == 0 && !pci_collect_takes_weights(c) && c->is_matrix)
        return PC_OK;
    pc_status status = reserve(c);
    if (status)
        return status;
    c->edge[c->n_edges] = (pci_edge){from, to};
    if (c->text && c->relation.length == 0)
        return pci_collect_fail(c, "the edge has no text of the kind that is asked for");
    if (c->text && pci_names_add(c->input->context, &c->texts, c->relation.text, c->relation.length,
                                 &c->text[c->n_edges]))
        return fail_memory(c);
    if (c->weight)
        c->weight[c->n_edges] = weight ? *weight : 1;
    c->n_edges++;
    return c->n_edges % EDGES_BETWEEN_LOOKS == 0 ? pci_progress(c->input->context, "read", 0)
                                                 : PC_OK;
}

/* ---- The draft ------------------------------------------------------------------------------- */

static void describe(const pci_collect *c, pci_graph_draft *made)
{
    const pc_graph_options *options = c->options;
    pci_draft_set_direction(made, c->stated, options);
    made->multigraph = (options && options->multigraph) ||
                       (c->adds && pci_collect_takes_weights(c) && made->info.directed);
    made->info.format = c->title;
    made->info.weights_ignored =
        (c->is_matrix ? c->has_others : c->any_with) && !pci_collect_takes_weights(c);
    made->is_matrix = c->is_matrix;
    made->may_be_mutual = c->is_matrix && c->stated == PC_DIRECTED && !c->states_direction &&
                          !(options && options->direction);
    if (c->input->reading)
        snprintf(made->note, sizeof made->note, "%s", c->input->reading->note);
}

static pc_status fail_some_weights(const pci_collect *c)
{
    static const char advice[] = "give each edge a weight, or leave --weights out";
    if (!c->at)
        return pci_fail(c->input->context, PC_ERR_DATA,
                        "%s: some edges have a weight and others have none: %s", c->input->name,
                        advice);
    bool lacks = c->first_without > c->first_with;
    return pci_input_fail(c->input, lacks ? c->first_without : c->first_with,
                          "%s weight here, but an edge before has %s: %s", lacks ? "no" : "a",
                          lacks ? "one" : "none", advice);
}

static pc_status fail_no_weights(const pci_collect *c)
{
    if (!c->weight_name)
        return pci_fail(c->input->context, PC_ERR_DATA,
                        "%s: weights are asked for (--weights), and no edge has one: leave "
                        "--weights out",
                        c->input->name);
    return pci_fail(c->input->context, PC_ERR_DATA,
                    *c->numbers
                        ? "%s: edges have no '%s', but they have %s: call that '%s', or "
                          "leave --weights out"
                        : "%s: edges have no '%s', or another number%s: leave --weights out",
                    c->input->name, c->weight_name, c->numbers, c->weight_name);
}

/* Moves the edges, as one part with room for one at least, and the vertices. Vertices that options add are 0 .. N-1;
 * numbers from 1 on are moved behind 0 then. */
static pc_status move_graph(pci_collect *c, pci_edges *edges, pci_labels *labels)
{
    pc_context *context = c->input->context;
    uint64_t n_asked = c->options ? c->options->n_vertices : 0, n = c->n_vertices;
    uint64_t shift = c->is_numbered && n_asked > 0 ? c->first : 0;
    uint32_t *vertex_of_name;
    pc_status status = c->edge ? PC_OK : reserve(c);
    if (status)
        return status;
    edges->parts = pci_alloc_zero(context, 1, sizeof *edges->parts);
    if (!edges->parts)
        return fail_memory(c);
    edges->n_parts = 1;
    edges->edge = c->edge;
    edges->weight = c->weight;
    edges->text = c->text;
    edges->parts[0] = (pci_edge_part){c->edge, c->weight, c->text, c->n_edges};
    c->edge = NULL;
    c->weight = NULL;
    c->text = NULL;
    for (uint64_t e = 0; shift > 0 && e < c->n_edges; e++) {
        edges->edge[e].from += (uint32_t)shift;
        edges->edge[e].to += (uint32_t)shift;
    }
    if (c->is_numbered) {
        n = n + shift > n_asked ? n + shift : n_asked;
        *labels = pci_labels_range(c->first - shift, n);
        return pci_check_n_vertices(context, n);
    }
    status = pci_labels_from_names(context, &c->names, n_asked, labels, &vertex_of_name);
    if (status == PC_OK && vertex_of_name) {
        pci_edges_renumber(context, edges, vertex_of_name);
        pci_free(context, vertex_of_name);
    }
    return status;
}

static pc_status finish(pci_collect *c, pci_graph_draft *draft)
{
    pci_graph_draft made = {0};
    uint64_t n_asked = c->options ? c->options->n_vertices : 0;
    if (pci_collect_takes_weights(c) && c->any_with && c->any_without)
        return fail_some_weights(c);
    if (pci_draft_needs_weights(c->options) && !c->any_with && c->n_edges > 0 && !c->is_matrix)
        return fail_no_weights(c);
    if (!c->is_numbered && c->names.n == 0 && n_asked == 0)
        return pci_input_fail_at(c->input, c->input->n_all, "no vertices: the file has none");
    pc_status status = move_graph(c, &made.edges, &made.labels);
    if (status) {
        pci_draft_free(c->input->context, &made);
        return status;
    }
    describe(c, &made);
    made.texts = c->texts;
    c->texts = (pci_names){0};
    *draft = made;
    return PC_OK;
}

pc_status pci_collect_end(pci_collect *c, pc_status status, pci_graph_draft *draft)
{
    pc_context *context = c->input->context;
    bool done = false;
    for (int i = 0; i < 2 && status == PC_OK && !done; i++)
        status = rename_vertices(c, i, &done);
    if (status == PC_OK)
        status = finish(c, draft);
    pci_names_free(context, &c->names);
    for (int i = 0; i < 2; i++)
        pci_free(context, c->label[i]);
    pci_free(context, c->decoded);
    pci_names_free(context, &c->texts);
    pci_free(context, c->edge);
    pci_free(context, c->weight);
    pci_free(context, c->text);
    return status;
}

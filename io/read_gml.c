/* GML: keys with values, of which "graph [ node [ id 1 ] edge [ source 1 target 2 ] ]" is the graph. Values that are
 * lists of keys stand in brackets; keys that mean nothing here are passed over. The text is read twice: first the
 * nodes, then the edges, since a file may list them in any order. */
#include "graphs/sort.h"
#include "io/collect.h"
#include "io/entities.h"
#include "io/readers.h"
#include "io/text.h"

/* Names of vertices, the first that serves, and weights of edges, the first that any edge has. */
static const char *const label_keys[] = {"name", "label"};
static const char *const weight_keys[] = {"weight", "value"};
enum { N_LABELS = 2, N_WEIGHTS = 2 };

typedef enum element { OTHER, NODE, EDGE } element;

typedef struct reader {
    pci_collect *c;
    const char *at, *end;
    bool reads_edges; /* it is the second time */
    unsigned depth;   /* open brackets */
    bool in_graph, seen_graph, seen_directed;
    element element;   /* the open bracket in the graph */
    const char *begin; /* of it */
    pci_word id[2];    /* of the node, or of both ends of the edge; no text: not given */
    pci_word label[N_LABELS], weight[N_WEIGHTS];
    pci_entities entities;
    pci_word *labels[N_LABELS]; /* of all nodes */
    uint64_t capacity[N_LABELS];
    int weight_key; /* which is taken; -1: none */
} reader;

/* ---- Tokens ---------------------------------------------------------------------------------- */

/* Moves behind blanks and comments, which are lines that begin with #. */
static void skip_blanks(reader *r)
{
    const char *begin = r->c->input->text;
    while (r->at < r->end &&
           (pci_is_space(*r->at) || (*r->at == '#' && (r->at == begin || r->at[-1] == '\n'))))
        r->at = *r->at == '#' ? pci_line_end(r->at, r->end) : r->at + 1;
}

/* The next key, value, bracket or string with its quotes; false at the end. */
static bool next_token(reader *r, pci_word *token)
{
    skip_blanks(r);
    const char *from = r->at, *end = r->end;
    if (from < end && *from == '"') {
        const char *quote = memchr(from + 1, '"', (size_t)(end - from - 1));
        r->at = quote ? quote + 1 : end;
    } else if (from < end && (*from == '[' || *from == ']')) {
        r->at++;
    } else {
        while (r->at < end && !pci_is_space(*r->at) && !strchr("[]\"", *r->at))
            r->at++;
    }
    *token = (pci_word){from, (size_t)(r->at - from)};
    return token->length > 0;
}

static pc_status fail_shape(const reader *r, const char *at, const char *what)
{
    return pci_input_fail(r->c->input, at,
                          "%s: GML has keys with values, as in 'edge [ source 1 target 2 ]', and "
                          "closes each [ and each quote",
                          what);
}

static bool is_integer(pci_word word)
{
    size_t n_signs = word.length > 1 && *word.text == '-';
    for (size_t i = n_signs; i < word.length; i++)
        if (word.text[i] < '0' || word.text[i] > '9')
            return false;
    return word.length > 0;
}

/* ---- Nodes ----------------------------------------------------------------------------------- */

static pc_status keep_label(reader *r, int i, uint64_t node)
{
    const char *unknown;
    pc_context *context = r->c->input->context;
    pci_word text = r->label[i];
    pc_status status = PC_OK;
    if (text.length > 1 && *text.text == '"') {
        text = (pci_word){text.text + 1, text.length - 2};
        status = pci_entities_decode(r->c->input, &r->entities, true, &text, &unknown);
    } else if (text.length > 0) {
        text = pci_plain_number(text);
    }
    pci_word *grown = pci_grow(context, r->labels[i], &r->capacity[i], node, node + 1, sizeof text);
    if (!grown)
        return pci_fail_memory(context, "labels", (node + 1) * sizeof text);
    r->labels[i] = grown;
    grown[node] = text;
    return status;
}

static pc_status end_node(reader *r)
{
    uint32_t node;
    uint64_t n = r->c->names.n;
    if (r->id[0].length == 0)
        return pci_input_fail(r->c->input, r->begin, "a node without an id");
    pc_status status = pci_collect_vertex(r->c, r->id[0].text, r->id[0].length, &node);
    if (status == PC_OK && node != n)
        return pci_input_fail(r->c->input, r->id[0].text, "another node before has this id, too");
    for (int i = 0; i < N_LABELS && status == PC_OK; i++)
        status = keep_label(r, i, n);
    return status;
}

/* ---- Edges ----------------------------------------------------------------------------------- */

static pc_status end_edge(reader *r)
{
    static const char *const ends[] = {"source", "target"};
    uint32_t vertex[2];
    uint64_t weight = 1;
    for (int i = 0; i < 2; i++)
        if (r->id[i].length == 0)
            return pci_input_fail(r->c->input, r->begin, "an edge without a %s", ends[i]);
        else if (!pci_names_find(&r->c->names, r->id[i].text, r->id[i].length, &vertex[i]))
            return pci_input_fail(r->c->input, r->id[i].text,
                                  "no node has the id that is the %s of this edge", ends[i]);
    pci_word given = r->weight_key < 0 ? (pci_word){0} : r->weight[r->weight_key];
    r->c->at = r->begin;
    pc_status status = pci_collect_attribute(r->c, given, &weight);
    return status ? status
                  : pci_collect_edge(r->c, vertex[0], vertex[1], given.text ? &weight : NULL);
}

/* ---- Keys ------------------------------------------------------------------------------------ */

static pc_status note_direction(reader *r, pci_word value)
{
    if (r->reads_edges)
        return PC_OK;
    if (r->seen_directed)
        return pci_input_fail(r->c->input, value.text, "directed is given twice");
    if (!pci_word_is(value, "0") && !pci_word_is(value, "1"))
        return pci_input_fail(r->c->input, value.text, "the value of directed must be 0 or 1");
    r->seen_directed = true;
    r->c->stated = *value.text == '1' ? PC_DIRECTED : PC_UNDIRECTED;
    return PC_OK;
}

static pc_status take_id(reader *r, int i, pci_word value)
{
    r->id[i] = pci_plain_number(value);
    return is_integer(r->id[i])
               ? PC_OK
               : pci_input_fail(r->c->input, value.text, "'%.*s' is no id: ids are integers",
                                pci_word_shown(value), value.text);
}

/* A key of a node or an edge. */
static pc_status take_key(reader *r, pci_word key, pci_word value)
{
    if (r->element == NODE && pci_word_is(key, "id"))
        return take_id(r, 0, value);
    if (r->element == EDGE && (pci_word_is(key, "source") || pci_word_is(key, "target")))
        return take_id(r, *key.text == 't', value);
    for (int i = 0; i < N_LABELS && r->element == NODE; i++)
        if (pci_word_is(key, label_keys[i]))
            r->label[i] = value;
    bool is_weight = false;
    for (int i = 0; i < N_WEIGHTS && r->element == EDGE; i++) {
        if (!pci_word_is(key, weight_keys[i]))
            continue;
        is_weight = true;
        r->weight[i] = value;
        r->weight_key = r->weight_key < 0 || i < r->weight_key ? i : r->weight_key;
    }
    if (r->element == EDGE && !is_weight && *value.text != '"')
        pci_collect_note_number(r->c, key);
    return PC_OK;
}

static pc_status open_list(reader *r, pci_word key)
{
    bool is_graph = r->depth == 0 && pci_word_is(key, "graph");
    if (is_graph && r->seen_graph)
        return pci_input_fail(r->c->input, key.text, "a second graph: keep one graph in a file");
    r->seen_graph = r->seen_graph || is_graph;
    r->in_graph = r->in_graph || is_graph;
    if (r->depth == 1) {
        r->element = !r->in_graph               ? OTHER
                     : pci_word_is(key, "node") ? NODE
                     : pci_word_is(key, "edge") ? EDGE
                                                : OTHER;
        r->begin = key.text;
        memset(r->id, 0, sizeof r->id);
        memset(r->label, 0, sizeof r->label);
        memset(r->weight, 0, sizeof r->weight);
    }
    r->depth++;
    return PC_OK;
}

static pc_status close_list(reader *r, pci_word bracket)
{
    pc_status status = PC_OK;
    if (r->depth == 0)
        return fail_shape(r, bracket.text, "a ']' is not expected here");
    if (r->depth == 2 && r->element == NODE && !r->reads_edges)
        status = end_node(r);
    else if (r->depth == 2 && r->element == EDGE && r->reads_edges)
        status = end_edge(r);
    r->depth--;
    r->in_graph = r->in_graph && r->depth > 0;
    return status;
}

static pc_status take_value(reader *r, pci_word key)
{
    pci_word value;
    const char *end = r->end;
    if (!next_token(r, &value))
        return fail_shape(r, end - 1, "the file ends early");
    if (*value.text == '[')
        return open_list(r, key);
    if (*value.text == ']')
        return fail_shape(r, value.text, "a ']' is not expected here");
    if (*value.text == '"' && (value.length == 1 || value.text[value.length - 1] != '"'))
        return fail_shape(r, value.text, "an open quote");
    if (*value.text != '"' && !strchr("+-.0123456789", *value.text))
        return fail_shape(r, value.text, "a word is not expected here");
    if (r->in_graph && r->depth == 1 && pci_word_is(key, "directed"))
        return note_direction(r, value);
    return r->in_graph && r->depth == 2 ? take_key(r, key, value) : PC_OK;
}

static pc_status read_text(reader *r, const char *begin, bool reads_edges)
{
    pci_word token;
    pc_status status = PC_OK;
    r->at = begin;
    r->reads_edges = reads_edges;
    r->seen_graph = false;
    while (status == PC_OK && next_token(r, &token)) {
        char c = *token.text;
        if (c == ']')
            status = close_list(r, token);
        else if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_')
            status = take_value(r, token);
        else
            status = fail_shape(r, token.text,
                                c == '[' ? "a '[' is not expected here"
                                         : "a key is expected here, which begins with a letter");
    }
    return status == PC_OK && r->depth > 0 ? fail_shape(r, r->end - 1, "the file ends early")
                                           : status;
}

pc_status pci_gml_read(pci_collect *c)
{
    reader r = {.c = c, .end = c->input->text + c->input->n_bytes, .weight_key = -1};
    const char *begin = c->next;
    c->stated = PC_UNDIRECTED;
    c->weight_name = weight_keys[0];
    pc_status status = read_text(&r, begin, false);
    if (status == PC_OK && !r.seen_graph)
        status = pci_input_fail(c->input, begin, "there is no 'graph [ ... ]' in it: not GML");
    if (status == PC_OK)
        status = read_text(&r, begin, true);
    bool is_named = false;
    for (int i = 0; i < N_LABELS && status == PC_OK && !is_named; i++)
        status = pci_collect_rename(c, r.labels[i], &is_named);
    for (int i = 0; i < N_LABELS; i++)
        pci_free(c->input->context, r.labels[i]);
    pci_entities_free(c->input, &r.entities);
    return status;
}

/* GML: keys with values, of which "graph [ node [ id 1 ] edge [ source 1 target 2 ] ]" is the graph. Values that are
 * lists of keys stand in brackets; keys that mean nothing here are passed over. The text is read twice: first the
 * nodes, then the edges, since a file may list them in any order. */
#include "io/readers.h"
#include "io/text.h"

/* Names of vertices, the first that serves, and weights of edges, the first that any edge has. */
static const char *const label_keys[] = {"name", "label"};
static const char *const weight_keys[] = {"weight", "value"};

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
    pci_word label[2], weight[2];
    int weight_key; /* which is taken; -1: none */
} reader;

/* The next key, value, bracket or string with its quotes, behind blanks and lines that begin with #; false at the end. */
static bool next_token(reader *r, pci_word *token)
{
    const char *at = r->at, *end = r->end, *text = r->c->input->text;
    while (at < end && (pci_is_space(*at) || (*at == '#' && (at == text || at[-1] == '\n'))))
        at = *at == '#' ? pci_line_end(at, end) : at + 1;
    const char *from = at;
    if (at < end && *at == '"') {
        const char *quote = memchr(at + 1, '"', (size_t)(end - at - 1));
        at = quote ? quote + 1 : end;
    } else if (at < end && (*at == '[' || *at == ']')) {
        at++;
    } else {
        while (at < end && !pci_is_space(*at) && !strchr("[]\"", *at))
            at++;
    }
    r->at = at;
    *token = (pci_word){from, (size_t)(at - from)};
    return token->length > 0;
}

static pc_status fail_shape(const reader *r, const char *at, const char *what)
{
    return pci_input_fail(r->c->input, at,
                          "%s: GML has keys with values, as in 'edge [ source 1 target 2 ]', and "
                          "closes each [ and each quote",
                          what);
}

static pc_status end_node(reader *r)
{
    uint32_t node;
    uint64_t n = r->c->names.n;
    const char *unknown;
    if (r->id[0].length == 0)
        return pci_input_fail(r->c->input, r->begin, "a node without an id");
    pc_status status = pci_collect_vertex(r->c, r->id[0].text, r->id[0].length, &node);
    if (status == PC_OK && node != n)
        return pci_input_fail(r->c->input, r->id[0].text, "another node before has this id, too");
    for (int i = 0; i < 2 && status == PC_OK; i++) {
        pci_word text = r->label[i];
        bool is_quoted = text.length > 1 && *text.text == '"';
        if (is_quoted)
            text = (pci_word){text.text + 1, text.length - 2};
        else if (text.length > 0)
            text = pci_plain_number(text);
        status = is_quoted ? pci_collect_decode(r->c, &text, &unknown) : PC_OK;
        if (status == PC_OK)
            status = pci_collect_label(r->c, i, node, text);
    }
    return status;
}

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

/* A key of a node or an edge. */
static pc_status take_key(reader *r, pci_word key, pci_word value)
{
    bool is_node = r->element == NODE, is_target = pci_word_is(key, "target"), is_weight = false;
    if (is_node ? pci_word_is(key, "id") : is_target || pci_word_is(key, "source")) {
        pci_word *id_of = &r->id[is_target && !is_node], id = pci_plain_number(value);
        bool is_integer = true, is_again = id_of->text;
        if (is_again)
            return pci_input_fail(r->c->input, key.text, "%.*s is given twice", pci_word_shown(key),
                                  key.text);
        *id_of = id;
        for (size_t i = id.length > 1 && *id.text == '-'; i < id.length; i++)
            is_integer = is_integer && id.text[i] >= '0' && id.text[i] <= '9';
        return is_integer
                   ? PC_OK
                   : pci_input_fail(r->c->input, value.text, "'%.*s' is no id: ids are integers",
                                    pci_word_shown(value), value.text);
    }
    for (int i = 0; i < 2; i++)
        if (is_node && pci_word_is(key, label_keys[i])) {
            r->label[i] = value;
        } else if (!is_node && pci_word_is(key, weight_keys[i])) {
            is_weight = true;
            r->weight[i] = value;
            r->weight_key = r->weight_key < 0 || i < r->weight_key ? i : r->weight_key;
        }
    if (!is_node && !is_weight && *value.text != '"')
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
    if (r->depth++ != 1)
        return PC_OK;
    r->element = !r->in_graph               ? OTHER
                 : pci_word_is(key, "node") ? NODE
                 : pci_word_is(key, "edge") ? EDGE
                                            : OTHER;
    r->begin = key.text;
    memset(r->id, 0, sizeof r->id);
    memset(r->label, 0, sizeof r->label);
    memset(r->weight, 0, sizeof r->weight);
    return PC_OK;
}

static pc_status take_value(reader *r, pci_word key)
{
    pci_word value;
    if (!next_token(r, &value))
        return fail_shape(r, r->end - 1, "the file ends early");
    if (*value.text == '[')
        return open_list(r, key);
    if (*value.text == ']')
        return fail_shape(r, value.text, "a ']' is not expected here");
    if (*value.text == '"' && (value.length == 1 || value.text[value.length - 1] != '"'))
        return fail_shape(r, value.text, "an open quote");
    if (*value.text != '"' && !strchr("+-.0123456789", *value.text))
        return fail_shape(r, value.text, "a word is not expected here");
    if (r->depth == 2 && r->element != OTHER)
        return take_key(r, key, value);
    if (r->reads_edges || !r->in_graph || r->depth != 1 || !pci_word_is(key, "directed"))
        return PC_OK;
    if (r->seen_directed)
        return pci_input_fail(r->c->input, value.text, "directed is given twice");
    if (!pci_word_is(value, "0") && !pci_word_is(value, "1"))
        return pci_input_fail(r->c->input, value.text, "the value of directed must be 0 or 1");
    r->seen_directed = true;
    r->c->stated = *value.text == '1' ? PC_DIRECTED : PC_UNDIRECTED;
    return PC_OK;
}

static pc_status read_text(reader *r)
{
    pci_word token;
    pc_status status = PC_OK;
    r->at = r->c->next;
    r->seen_graph = false;
    while (status == PC_OK && next_token(r, &token)) {
        char c = *token.text;
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_') {
            status = take_value(r, token);
            continue;
        }
        if (c != ']' || r->depth == 0)
            return fail_shape(r, token.text,
                              c == ']'   ? "a ']' is not expected here"
                              : c == '[' ? "a '[' is not expected here"
                                         : "a key is expected here, which begins with a letter");
        if (r->depth == 2 && r->element == (r->reads_edges ? EDGE : NODE))
            status = r->reads_edges ? end_edge(r) : end_node(r);
        r->depth--;
        r->in_graph = r->in_graph && r->depth > 0;
    }
    return status == PC_OK && r->depth > 0 ? fail_shape(r, r->end - 1, "the file ends early")
                                           : status;
}

pc_status pci_gml_read(pci_collect *c)
{
    reader r = {.c = c, .end = c->input->text + c->input->n_bytes, .weight_key = -1};
    c->stated = PC_UNDIRECTED;
    c->weight_name = weight_keys[0];
    pc_status status = read_text(&r);
    if (status == PC_OK && !r.seen_graph)
        return pci_input_fail(c->input, c->next, "there is no 'graph [ ... ]' in it: not GML");
    r.reads_edges = true;
    return status ? status : read_text(&r);
}

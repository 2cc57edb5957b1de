/* GraphML: nodes and edges as elements of XML, and keys, which say what <data> of a node or an edge is called. All that
 * is not of this kind is passed over, but the XML must be well formed: an element that is not closed could hide others. */
#include "io/readers.h"
#include "io/text.h"

enum { MOST_DEPTH = 256, WEIGHT = 2, TEXT, N_KEYS };

/* Names of vertices, the first that serves; else the ids of nodes do. */
static const char *const label_names[2] = {"name", "label"};

/* The elements that count, each with the one that it must stand in. */
typedef enum element { NONE, GRAPHML, KEY, DEFAULT, GRAPH, NODE, EDGE, DATA, OTHER } element;

static const struct {
    const char *name;
    element within, is;
} elements[] = {
    {"graphml", NONE, GRAPHML}, {"key", GRAPHML, KEY}, {"default", KEY, DEFAULT},
    {"graph", GRAPHML, GRAPH},  {"node", GRAPH, NODE}, {"edge", GRAPH, EDGE},
    {"data", NODE, DATA},       {"data", EDGE, DATA},
};

/* A key of nodes or edges that has a meaning here. */
typedef struct key {
    pci_word id; /* no text: the file has no such key */
    pci_word default_value;
    bool is_number;
    pci_word given; /* data of the node or the edge at hand; no text: none */
} key;

typedef struct reader {
    pci_collect *c;
    const char *at, *end;
    const char *tag;     /* where the tag at hand begins */
    pci_word attributes; /* of it */
    unsigned depth;      /* elements that are open */
    pci_word name[MOST_DEPTH];
    element open[MOST_DEPTH];
    bool has_ended; /* the root element is closed */
    bool seen_graph;
    key *filled;        /* the key at hand; NULL: it has no meaning */
    key keys[N_KEYS];   /* two for names, WEIGHT, and TEXT of an edge */
    pci_word *value;    /* the data at hand go there; NULL: nowhere */
    uint32_t vertex[2]; /* of the node, or both ends of the edge */
} reader;

static bool are_equal(pci_word a, pci_word b)
{
    return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

static pc_status fail(const reader *r, const char *at, const char *what)
{
    bool is_end = at == r->end && at > r->c->input->text; /* which is of the last line */
    return pci_input_fail(r->c->input, at - is_end, "%s", what);
}

static pc_status decode(reader *r, pci_word *text)
{
    const char *unknown;
    pc_status status = pci_collect_decode(r->c, text, &unknown);
    return status == PC_OK && unknown
               ? fail(r, unknown, "an & that begins no entity: XML has &amp; for the character")
               : status;
}

/* Blanks around a number do not count. */
static pci_word trim(pci_word text)
{
    for (; text.length > 0 && pci_is_space(*text.text); text.text++)
        text.length--;
    while (text.length > 0 && pci_is_space(text.text[text.length - 1]))
        text.length--;
    return text;
}

/* ---- Attributes ------------------------------------------------------------------------------ */

/* The next attribute from the front of rest on, its value without the quotes; false at the end, and where none is. */
static bool next_attribute(pci_word *rest, pci_word *name, pci_word *value)
{
    const char *at = rest->text, *end = at + rest->length;
    while (at < end && pci_is_space(*at))
        at++;
    *name = (pci_word){at, 0};
    while (at < end && *at != '=' && !pci_is_space(*at))
        at++;
    name->length = (size_t)(at - name->text);
    while (at < end && (*at == '=' || pci_is_space(*at)))
        at++;
    const char *quote = at < end && (*at == '"' || *at == '\'')
                            ? memchr(at + 1, *at, (size_t)(end - at - 1))
                            : NULL;
    if (!quote || name->length == 0)
        return false;
    *value = (pci_word){at + 1, (size_t)(quote - at - 1)};
    *rest = (pci_word){quote + 1, (size_t)(end - quote - 1)};
    return true;
}

/* The value of an attribute of the tag; no text when it has none of that name. */
static pci_word attribute(const reader *r, const char *wanted)
{
    pci_word rest = r->attributes, name, value;
    while (next_attribute(&rest, &name, &value))
        if (pci_word_is(name, wanted))
            return value;
    return (pci_word){0};
}

/* ---- Elements that begin ---------------------------------------------------------------------- */

/* A key for nodes that is called name or label, or one for edges that is called weight or as the text that is kept. */
static pc_status begin_key(reader *r)
{
    static const char *const numbers[] = {"int", "long", "float", "double"};
    pci_word id = attribute(r, "id"), name = attribute(r, "attr.name");
    pci_word purpose = attribute(r, "for"), type = attribute(r, "attr.type");
    bool for_all = !purpose.text || pci_word_is(purpose, "all"), is_number = false;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        is_number = is_number || pci_word_is(type, numbers[i]);
    r->filled = NULL;
    for (int i = 0; i < 2; i++)
        if ((for_all || pci_word_is(purpose, "node")) && pci_word_is(name, label_names[i]))
            r->filled = &r->keys[i];
    const char *text = r->c->input->text_column;
    bool is_text = text && pci_word_is(name, text);
    if ((for_all || pci_word_is(purpose, "edge")) && (is_text || pci_word_is(name, "weight"))) {
        r->filled = &r->keys[is_text ? TEXT : WEIGHT];
        if (r->filled->id.text && (is_text || pci_collect_takes_weights(r->c)))
            return pci_input_fail(r->c->input, r->tag,
                                  "two keys for edges are called %.40s, \"%.*s\" and \"%.*s\": "
                                  "rename the one that is not meant",
                                  is_text ? text : "weight", pci_word_shown(r->filled->id),
                                  r->filled->id.text, pci_word_shown(id), id.text);
    } else if (pci_word_is(purpose, "edge") && is_number) {
        pci_collect_note_number(r->c, name);
    }
    if (r->filled)
        *r->filled = (key){.id = id, .is_number = is_number};
    return PC_OK;
}

/* The vertex of an id, which may be that of a node further on. */
static pc_status take_id(reader *r, pci_word id, uint32_t *vertex)
{
    pc_status status = decode(r, &id);
    return status ? status : pci_collect_vertex(r->c, id.text, id.length, vertex);
}

/* The text of a label is not NULL for a vertex that a node has declared. */
static bool is_declared(const reader *r, uint64_t vertex)
{
    return vertex < r->c->n_labels[0] && r->c->label[0][vertex].text;
}

static pc_status begin_node(reader *r)
{
    pci_word id = attribute(r, "id");
    r->keys[0].given = r->keys[1].given = (pci_word){0};
    if (!id.text)
        return fail(r, r->tag, "a node without id");
    pc_status status = take_id(r, id, &r->vertex[0]);
    return status == PC_OK && is_declared(r, r->vertex[0])
               ? fail(r, r->tag, "several <node> have the same id")
               : status;
}

static pc_status begin_edge(reader *r)
{
    pci_word source = attribute(r, "source"), target = attribute(r, "target");
    pci_word directed = attribute(r, "directed");
    const char *wanted = r->c->stated == PC_DIRECTED ? "true" : "false";
    r->keys[WEIGHT].given = r->keys[TEXT].given = (pci_word){0};
    if (!source.text || !target.text)
        return fail(r, r->tag, "an edge without source or without target");
    if (directed.text && !pci_word_is(directed, wanted))
        return pci_input_fail(r->c->input, r->tag,
                              "an edge whose directed is not \"%s\", as edgedefault says: all "
                              "edges must have one direction",
                              wanted);
    pc_status status = take_id(r, source, &r->vertex[0]);
    return status ? status : take_id(r, target, &r->vertex[1]);
}

static pc_status begin_element(reader *r, pci_word name)
{
    element within = r->depth > 0 ? r->open[r->depth - 1] : NONE, is = OTHER;
    pci_word value;
    if (r->has_ended)
        return fail(r, r->tag, "the document goes on after its end");
    if (r->depth == MOST_DEPTH)
        return fail(r, r->tag, "elements within elements, too deep for GraphML");
    const char *colon = memchr(name.text, ':', name.length);
    size_t n_prefix = colon ? (size_t)(colon + 1 - name.text) : 0;
    pci_word local = {name.text + n_prefix, name.length - n_prefix};
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
        if (elements[i].within == within && pci_word_is(local, elements[i].name))
            is = elements[i].is;
    if (colon && is != OTHER)
        return pci_input_fail(r->c->input, r->tag,
                              "elements with the prefix '%.*s' are not read: remove it from the "
                              "names of all elements",
                              (int)(n_prefix < 40 ? n_prefix : 40), name.text);
    r->name[r->depth] = name;
    r->open[r->depth++] = is;
    if (pci_word_is(name, "graph") && r->seen_graph)
        return fail(r, r->tag, "a second or nested graph: keep one graph in a file");
    if (pci_word_is(name, "hyperedge"))
        return fail(r, r->tag, "a hyperedge: only edges between two nodes count");
    switch (is) {
    case KEY:
        return begin_key(r);
    case DEFAULT:
        r->value = r->filled ? &r->filled->default_value : NULL;
        return PC_OK;
    case GRAPH:
        r->seen_graph = true;
        value = attribute(r, "edgedefault");
        if (value.text && !pci_word_is(value, "directed") && !pci_word_is(value, "undirected"))
            return fail(r, value.text, "edgedefault is neither directed nor undirected");
        if (value.text)
            r->c->stated = *value.text == 'd' ? PC_DIRECTED : PC_UNDIRECTED;
        return PC_OK;
    case NODE:
        return begin_node(r);
    case EDGE:
        return begin_edge(r);
    case DATA:
        value = attribute(r, "key");
        r->value = NULL;
        for (int k = 0; k < N_KEYS && value.text; k++)
            if (r->keys[k].id.text && are_equal(r->keys[k].id, value) &&
                (within == EDGE) == (k >= WEIGHT))
                r->value = &r->keys[k].given;
        return PC_OK;
    default:
        return PC_OK;
    }
}

/* ---- Elements that end ------------------------------------------------------------------------ */

static pc_status end_element(reader *r, pci_word name)
{
    uint64_t weight = 1;
    pc_status status = PC_OK;
    if (r->depth == 0 || !are_equal(r->name[r->depth - 1], name))
        return fail(r, r->tag, "an element is not closed: each <NAME> has its </NAME>");
    element is = r->open[--r->depth];
    r->has_ended = r->depth == 0;
    r->value = NULL;
    for (int i = 0; i < 2 && is == NODE && status == PC_OK; i++) {
        const key *label = &r->keys[i];
        pci_word text = label->given.text ? label->given : label->default_value;
        text = label->is_number ? pci_plain_number(trim(text)) : text;
        status = pci_collect_label(r->c, i, r->vertex[0], text.text ? text : (pci_word){"", 0});
    }
    if (is != EDGE)
        return status;
    pci_word given =
        r->keys[WEIGHT].given.text ? r->keys[WEIGHT].given : r->keys[WEIGHT].default_value;
    const key *text = &r->keys[TEXT];
    r->c->relation = trim(text->given.text ? text->given : text->default_value);
    r->c->at = r->tag;
    status = pci_collect_attribute(r->c, trim(given), &weight);
    return status ? status
                  : pci_collect_edge(r->c, r->vertex[0], r->vertex[1], given.text ? &weight : NULL);
}

/* ---- XML -------------------------------------------------------------------------------------- */

/* Text between tags. */
static pc_status take_text(reader *r, pci_word text, bool has_entities)
{
    pc_status status = has_entities ? decode(r, &text) : PC_OK;
    bool is_blank = trim(text).length == 0;
    if (r->depth == 0 && !is_blank)
        return fail(r, r->tag,
                    r->has_ended ? "the document goes on after its end"
                                 : "there is text before the first element: not GraphML");
    element within = r->depth > 0 ? r->open[r->depth - 1] : NONE;
    if (status || !r->value || (within != DATA && within != DEFAULT) ||
        (r->value->text && is_blank))
        return status;
    if (r->value->text && trim(*r->value).length > 0)
        return fail(r, r->tag, "text in two pieces, around a comment or CDATA: join them");
    *r->value = text;
    return PC_OK;
}

/* The > of the tag at r->at, past those within quotes. */
static const char *find_tag_end(const reader *r)
{
    char quote = '\0';
    const char *at = r->at;
    for (; at < r->end && (quote || *at != '>'); at++)
        quote = quote ? (*at == quote ? '\0' : quote) : *at == '"' || *at == '\'' ? *at : '\0';
    return at < r->end ? at : NULL;
}

/* Takes a text from behind the first n bytes up to a word, behind which it moves. */
static pc_status take_up_to(reader *r, size_t n, const char *word, pci_word *text)
{
    const char *begin = r->at + n;
    for (r->at = begin; r->at < r->end && !pci_begins_with(r->at, r->end, word);)
        r->at++;
    *text = (pci_word){begin, (size_t)(r->at - begin)};
    if (r->at == r->end)
        return fail(r, r->tag, "the document ends early: a comment or the like is not closed");
    r->at += strlen(word);
    return PC_OK;
}

static pc_status take_tag(reader *r)
{
    enum { MOST_COMPARED = 8 }; /* an element that counts has fewer attributes */
    pci_word compared[MOST_COMPARED];
    size_t n_compared = 0;
    bool closes = pci_begins_with(r->at, r->end, "</");
    const char *begin = r->at + 1 + closes, *end = find_tag_end(r), *at = begin;
    if (!end)
        return fail(r, r->end, "the document ends early: an element is not closed");
    bool is_empty = !closes && end > begin && end[-1] == '/';
    r->at = end + 1;
    end -= is_empty;
    while (at < end && !pci_is_space(*at))
        at++;
    pci_word name = {begin, (size_t)(at - begin)}, other, value;
    if (name.length == 0 || memchr(name.text, '<', name.length) ||
        strchr("0123456789-.=\"'&", *name.text))
        return fail(r, r->tag, "a < that begins no element: XML has &lt; for the character");
    pci_word rest = r->attributes = (pci_word){at, (size_t)(end - at)};
    while (next_attribute(&rest, &other, &value)) {
        for (size_t i = 0; i < n_compared; i++)
            if (are_equal(compared[i], other))
                return fail(r, r->tag, "an attribute is given twice");
        if (n_compared < MOST_COMPARED)
            compared[n_compared++] = other;
    }
    if (other.text != end)
        return fail(r, other.text, "an attribute of XML is NAME=\"VALUE\"");
    pc_status status = closes ? PC_OK : begin_element(r, name);
    return status == PC_OK && (closes || is_empty) ? end_element(r, name) : status;
}

/* Takes a comment, a declaration or a tag. */
static pc_status take_markup(reader *r)
{
    pci_word text;
    if (pci_begins_with(r->at, r->end, "<!--"))
        return take_up_to(r, 4, "-->", &text);
    if (pci_begins_with(r->at, r->end, "<![CDATA[")) {
        pc_status status = take_up_to(r, 9, "]]>", &text);
        return status ? status : take_text(r, text, false);
    }
    if (pci_begins_with(r->at, r->end, "<?")) {
        bool is_xml = pci_begins_with(r->at, r->end, "<?xml ");
        pc_status status = take_up_to(r, is_xml ? 5 : 2, "?>", &r->attributes);
        pci_word encoding = attribute(r, "encoding");
        if (status || !is_xml || !encoding.text ||
            pci_is_word_any_case(encoding.text, encoding.length, "utf-8") ||
            pci_is_word_any_case(encoding.text, encoding.length, "us-ascii"))
            return status;
        return pci_input_fail(r->c->input, r->tag,
                              "the encoding is %.*s: convert the file to UTF-8 by iconv -f %.*s -t "
                              "UTF-8, and leave encoding= out",
                              pci_word_shown(encoding), encoding.text, pci_word_shown(encoding),
                              encoding.text);
    }
    if (!pci_begins_with(r->at, r->end, "<!"))
        return take_tag(r);
    const char *end = find_tag_end(r);
    if (!end || memchr(r->at, '[', (size_t)(end - r->at)))
        return fail(r, r->at, "a DOCTYPE with declarations of its own");
    r->at = end + 1;
    return PC_OK;
}

static pc_status read_document(reader *r)
{
    pc_status status = PC_OK;
    const char *begin = r->at;
    while (status == PC_OK && r->at < r->end) {
        const char *open = memchr(r->at, '<', (size_t)(r->end - r->at));
        r->tag = r->at;
        r->at = open ? open : r->end;
        if (r->at > r->tag)
            status = take_text(r, (pci_word){r->tag, (size_t)(r->at - r->tag)}, true);
        r->tag = r->at;
        if (status == PC_OK && open)
            status = take_markup(r);
    }
    if (status)
        return status;
    if (r->depth > 0)
        return fail(r, r->end, "the document ends early: an element is not closed");
    if (!r->seen_graph)
        return fail(r, begin, "there is no graph in it: not GraphML");
    if (r->c->n_labels[0] == 0)
        return fail(r, begin, "there is no node in the graph");
    for (uint64_t v = 0; v < r->c->names.n; v++) {
        size_t length;
        const char *id = pci_names_text(&r->c->names, v, &length);
        if (!is_declared(r, v))
            return pci_fail(r->c->input->context, PC_ERR_DATA,
                            "%s: an end of an edge is the id of no <node>: '%.*s'",
                            r->c->input->name, pci_word_shown((pci_word){id, length}), id);
    }
    return PC_OK;
}

pc_status pci_graphml_read(pci_collect *c)
{
    reader *r = pci_alloc_zero(c->input->context, 1, sizeof *r);
    if (!r)
        return pci_fail_memory(c->input->context, "a reader of GraphML", sizeof *r);
    c->weight_name = "weight";
    r->c = c;
    r->at = c->next;
    r->end = c->input->text + c->input->n_bytes;
    pc_status status = read_document(r);
    pci_free(c->input->context, r);
    return status;
}

/* The scan of GraphML. igraph reads the first graph only. It ignores directed= of an edge,
 * hyperedges and graphs within nodes, it makes nodes that edges name and that are not declared, and
 * it ignores keys that are for all elements. The scan reads the tags only; whether the XML is well
 * formed is left to igraph. */
#include "graphs/igraph_scan.h"

#include <string.h>

typedef struct tag {
    pci_igraph_span name;       /* without the prefix of the root element */
    pci_igraph_span attributes; /* up to the closing > */
} tag;

typedef struct graphml_scan {
    pci_igraph_text *text;
    const char *at, *end;
    pci_igraph_span prefix; /* of the root element, with its colon: "g:"; empty when it has none */
    pci_igraph_span weight_key; /* the id of the key that is called weight and is for edges */
    bool seen_root, seen_graph;
} graphml_scan;

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool begins_with(const graphml_scan *scan, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(scan->end - scan->at) >= length && memcmp(scan->at, word, length) == 0;
}

/* Moves behind the next occurrence of word, or to the end of the text. */
static void skip_past(graphml_scan *scan, const char *word)
{
    size_t length = strlen(word);
    while (scan->at < scan->end && !begins_with(scan, word))
        scan->at++;
    scan->at = scan->at < scan->end ? scan->at + length : scan->end;
}

/* Moves behind the > of a tag, past those within quotes. */
static void skip_tag(graphml_scan *scan)
{
    char quote = '\0';
    for (; scan->at < scan->end; scan->at++) {
        char c = *scan->at;
        if (quote == '\0' && c == '>') {
            scan->at++;
            return;
        }
        if (quote == '\0' && (c == '"' || c == '\''))
            quote = c;
        else if (c == quote)
            quote = '\0';
    }
}

static void read_tag(graphml_scan *scan, tag *found)
{
    const char *at = ++scan->at;
    skip_tag(scan);
    found->name.at = at;
    while (at < scan->at && !is_space(*at) && *at != '>' && *at != '/')
        at++;
    found->name.end = at;
    found->attributes = (pci_igraph_span){at, scan->at};
    if (!scan->seen_root) {
        const char *colon = memchr(found->name.at, ':', pci_igraph_span_bytes(found->name));
        scan->prefix = (pci_igraph_span){found->name.at, colon ? colon + 1 : found->name.at};
        scan->seen_root = true;
    }
    size_t n_prefix = pci_igraph_span_bytes(scan->prefix);
    if (pci_igraph_span_bytes(found->name) >= n_prefix &&
        memcmp(found->name.at, scan->prefix.at, n_prefix) == 0)
        found->name.at += n_prefix;
}

/* The next opening tag; comments, CDATA, declarations and closing tags are passed over. */
static bool next_tag(graphml_scan *scan, tag *found, pc_status *status)
{
    while (scan->at < scan->end) {
        const char *open = memchr(scan->at, '<', (size_t)(scan->end - scan->at));
        if (!open)
            return false;
        scan->at = open;
        if (begins_with(scan, "<!--")) {
            skip_past(scan, "-->");
        } else if (begins_with(scan, "<![CDATA[")) {
            skip_past(scan, "]]>");
        } else if (begins_with(scan, "<?")) {
            skip_past(scan, "?>");
        } else if (begins_with(scan, "<!") || begins_with(scan, "</")) {
            skip_tag(scan);
            if (memchr(open, '[', (size_t)(scan->at - open)) != NULL && open[1] == '!') {
                *status = pci_igraph_text_fail(scan->text, open,
                                               "a DOCTYPE with declarations of its own");
                return false;
            }
        } else {
            read_tag(scan, found);
            return true;
        }
    }
    return false;
}

/* The next attribute of a tag, from the front of rest on, its value without the quotes. */
static bool next_attribute(pci_igraph_span *rest, pci_igraph_span *name, pci_igraph_span *value)
{
    const char *at = rest->at, *end = rest->end;
    while (at < end && (is_space(*at) || *at == '/' || *at == '>'))
        at++;
    name->at = at;
    while (at < end && *at != '=' && !is_space(*at))
        at++;
    name->end = at;
    while (at < end && *at != '"' && *at != '\'')
        at++;
    const char *quote = at < end ? memchr(at + 1, *at, (size_t)(end - at - 1)) : NULL;
    if (!quote)
        return false;
    *value = (pci_igraph_span){at + 1, quote};
    rest->at = quote + 1;
    return true;
}

/* The value of an attribute; false when the tag has none of that name. */
static bool find_attribute(const tag *found, const char *wanted, pci_igraph_span *value)
{
    pci_igraph_span rest = found->attributes, name;
    while (next_attribute(&rest, &name, value))
        if (pci_igraph_span_is(name, wanted))
            return true;
    return false;
}

/* Takes blanks out of the namespaces of the root element, which libxml2 does not take for URIs. */
static void mend_namespaces(const graphml_scan *scan, const tag *found)
{
    pci_igraph_span rest = found->attributes, name, value;
    while (next_attribute(&rest, &name, &value)) {
        bool is_namespace = pci_igraph_span_bytes(name) >= 5 && memcmp(name.at, "xmlns", 5) == 0;
        for (const char *at = value.at; is_namespace && at < value.end; at++)
            if (is_space(*at))
                pci_igraph_replace(scan->text, at, 1, "");
    }
}

/* A key that is called weight and is for edges. One for all elements is written as one for edges. */
static pc_status note_key(graphml_scan *scan, const tag *found)
{
    enum { SHOWN_BYTES = 40 };
    pci_igraph_span value, id = {found->name.at, found->name.at};
    if (!find_attribute(found, "attr.name", &value) || !pci_igraph_span_is(value, "weight"))
        return PC_OK;
    find_attribute(found, "id", &id);
    bool says_for = find_attribute(found, "for", &value);
    if (says_for && !pci_igraph_span_is(value, "edge") && !pci_igraph_span_is(value, "all"))
        return PC_OK;
    if (scan->weight_key.at && scan->text->uses_weights) {
        pci_igraph_span other = scan->weight_key;
        size_t n = pci_igraph_span_bytes(id), n_other = pci_igraph_span_bytes(other);
        return pci_igraph_text_fail(scan->text, found->name.at,
                                    "two keys for edges are called weight, \"%.*s\" and \"%.*s\": "
                                    "rename the one that is not meant",
                                    (int)(n_other < SHOWN_BYTES ? n_other : SHOWN_BYTES), other.at,
                                    (int)(n < SHOWN_BYTES ? n : SHOWN_BYTES), id.at);
    }
    scan->weight_key = id;
    if (!says_for)
        pci_igraph_replace(scan->text, found->name.end, 0, " for=\"edge\"");
    else if (pci_igraph_span_is(value, "all"))
        pci_igraph_replace(scan->text, value.at, 3, "edge");
    return PC_OK;
}

static pc_status note_graph(graphml_scan *scan, const tag *found)
{
    pci_igraph_text *text = scan->text;
    if (scan->seen_graph) {
        return pci_igraph_text_fail(text, found->name.at,
                                    "a second or nested graph: keep one graph in a file");
    }
    scan->seen_graph = true;
    pci_igraph_span value;
    if (!find_attribute(found, "edgedefault", &value)) {
        if (text->keeps_order)
            pci_igraph_replace(text, found->name.end, 0, " edgedefault=\"directed\"");
    } else if (pci_igraph_span_is(value, "directed")) {
        text->stated = PC_DIRECTED;
    } else if (pci_igraph_span_is(value, "undirected")) {
        text->stated = PC_UNDIRECTED;
        if (text->keeps_order)
            pci_igraph_replace(text, value.at, pci_igraph_span_bytes(value), "directed");
    } else {
        return pci_igraph_text_fail(text, value.at,
                                    "edgedefault is neither directed nor "
                                    "undirected");
    }
    return PC_OK;
}

static pc_status note_node(const graphml_scan *scan, const tag *found)
{
    pci_igraph_span value;
    if (!find_attribute(found, "id", &value))
        return pci_igraph_text_fail(scan->text, found->name.at, "a node without id");
    scan->text->n_nodes++;
    return PC_OK;
}

static pc_status check_edge(const graphml_scan *scan, const tag *found)
{
    pci_igraph_span value;
    if (!find_attribute(found, "source", &value) || !find_attribute(found, "target", &value)) {
        return pci_igraph_text_fail(scan->text, found->name.at,
                                    "an edge without source or without target");
    }
    const char *wanted = scan->text->stated == PC_DIRECTED ? "true" : "false";
    if (find_attribute(found, "directed", &value) && !pci_igraph_span_is(value, wanted)) {
        return pci_igraph_text_fail(scan->text, found->name.at,
                                    "an edge whose directed is not \"%s\", as edgedefault says: "
                                    "all edges must have one direction",
                                    wanted);
    }
    return PC_OK;
}

pc_status pci_igraph_scan_graphml(pci_igraph_text *text)
{
    graphml_scan scan = {.text = text, .at = text->bytes, .end = text->bytes + text->n_bytes};
    pc_status status = PC_OK;
    tag found;
    for (bool is_root = true; status == PC_OK && next_tag(&scan, &found, &status);
         is_root = false) {
        if (is_root)
            mend_namespaces(&scan, &found);
        if (pci_igraph_span_is(found.name, "edge")) {
            status = check_edge(&scan, &found);
        } else if (pci_igraph_span_is(found.name, "node")) {
            status = note_node(&scan, &found);
        } else if (pci_igraph_span_is(found.name, "key")) {
            status = note_key(&scan, &found);
        } else if (pci_igraph_span_is(found.name, "graph")) {
            status = note_graph(&scan, &found);
        } else if (pci_igraph_span_is(found.name, "hyperedge")) {
            status = pci_igraph_text_fail(text, found.name.at,
                                          "a hyperedge: only edges between two nodes count");
        }
    }
    if (status == PC_OK && !scan.seen_graph)
        status = pci_igraph_text_fail(text, text->bytes, "there is no graph in it: not GraphML");
    else if (status == PC_OK && text->n_nodes == 0)
        status = pci_igraph_text_fail(text, text->bytes, "there is no node in the graph");
    return status;
}

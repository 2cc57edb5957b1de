/* Graphs in JSON: node-link and adjacency data of NetworkX, the nodes and links of D3 and vis.js,
 * elements of Cytoscape, JSON Graph Format; records of edges alone, in a list or a line each. A node
 * is named by its "id", else by its "name" or "label"; ends of edges are names, or numbers of nodes
 * where these have no id. */
#include "io/collect.h"
#include "io/column_names.h"
#include "graphs/multiplicity.h"
#include "io/line.h"
#include "io/readers.h"

#include <jansson.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BYTES_A_BYTE =
        100, /* of memory for one of the text: an empty object of 3 bytes takes the most */
    NUMBER_BYTES = 24,
    KEYS_BYTES = 1000,
    EXACT_DIGITS = 18 /* jansson takes integers below 2^63 */
};

typedef struct reader {
    pci_collect *c;
    const json_t *nodes, *links, *adjacency; /* NULL: there are none */
    const char *links_name;                  /* for messages */
    bool has_ids;                            /* nodes are named by an id, or there are no nodes */
    bool has_both;                           /* links and edges */
    uint64_t n_nodes;
    const char *from_key, *to_key, *weight_key; /* of an edge */
} reader;

static pc_status fail_at(const reader *r, const char *array, size_t i, const char *what)
{
    return pci_fail(r->c->input->context, PC_ERR_DATA, "%s: %s[%zu]: %s", r->c->input->name, array,
                    i, what);
}

/* ---- Names ----------------------------------------------------------------------------------- */

/* A name as text: a string, or an integer in digits; false for anything else. */
static bool name_text(const json_t *name, char digits[NUMBER_BYTES], const char **text,
                      size_t *length)
{
    if (json_is_string(name)) {
        *text = json_string_value(name);
        *length = json_string_length(name);
        return true;
    }
    if (!json_is_integer(name))
        return false;
    *length =
        (size_t)snprintf(digits, NUMBER_BYTES, "%" JSON_INTEGER_FORMAT, json_integer_value(name));
    *text = digits;
    return true;
}

/* Elements of Cytoscape have all in "data". */
static const json_t *data_of(const json_t *element)
{
    const json_t *data = json_object_get(element, "data");
    return json_is_object(data) ? data : element;
}

static pc_status take_node(reader *r, size_t i, const json_t *name)
{
    char digits[NUMBER_BYTES];
    const char *text;
    size_t length;
    uint32_t vertex;
    if (!name_text(name, digits, &text, &length))
        return fail_at(r, "nodes", i, "the node has no id that is a text or an integer");
    pc_status status = pci_collect_vertex(r->c, text, length, &vertex);
    if (status)
        return status;
    if (vertex != r->n_nodes++)
        return pci_fail(r->c->input->context, PC_ERR_DATA,
                        "%s: nodes[%zu]: another node before is called '%.*s', too",
                        r->c->input->name, i, length < 40 ? (int)length : 40, text);
    return PC_OK;
}

/* Nodes are an array of objects or of names, or an object whose keys are the names. */
static pc_status read_nodes(reader *r)
{
    static const char *const keys[] = {"id", "name", "label"};
    const json_t *first = data_of(json_array_get(r->nodes, 0)), *name;
    size_t k = 0, i = 0;
    pc_status status = PC_OK;
    if (json_is_object(r->nodes)) {
        void *at = json_object_iter((json_t *)r->nodes);
        for (; at && status == PC_OK; at = json_object_iter_next((json_t *)r->nodes, at), i++) {
            json_t *key = json_string(json_object_iter_key(at));
            status = key ? take_node(r, i, key) : fail_at(r, "nodes", i, "its name cannot be read");
            json_decref(key);
        }
        return status;
    }
    while (k < 2 && json_is_object(first) && !json_object_get(first, keys[k]))
        k++;
    r->has_ids = k == 0 || !json_is_object(first);
    for (; i < json_array_size(r->nodes) && status == PC_OK; i++) {
        const json_t *node = data_of(json_array_get(r->nodes, i));
        name = json_is_object(node) ? json_object_get(node, keys[k]) : node;
        status = take_node(r, i, name);
    }
    return status;
}

/* ---- Edges ----------------------------------------------------------------------------------- */

/* An end of an edge: the name of a node, its number when nodes have no ids, or the node itself. */
static pc_status take_end(reader *r, const char *array, size_t i, const json_t *end,
                          uint32_t *vertex)
{
    char digits[NUMBER_BYTES];
    const char *text;
    size_t length;
    if (json_is_object(end))
        end = json_object_get(end, "id");
    if (!r->has_ids && json_is_integer(end)) {
        json_int_t number = json_integer_value(end);
        if (number < 0 || (uint64_t)number >= r->n_nodes)
            return fail_at(
                r, array, i,
                "an end of the edge is not the number of a node: nodes are numbered from 0");
        *vertex = (uint32_t)number;
        return PC_OK;
    }
    if (!name_text(end, digits, &text, &length))
        return fail_at(r, array, i,
                       "an end of the edge, as in \"source\" and \"target\", is missing, or "
                       "neither text nor integer");
    if (!r->nodes)
        return pci_collect_vertex(r->c, text, length, vertex);
    if (pci_names_find(&r->c->names, text, length, vertex))
        return PC_OK;
    return pci_fail(r->c->input->context, PC_ERR_DATA, "%s: %s[%zu]: no node is called '%.*s'",
                    r->c->input->name, array, i, length < 40 ? (int)length : 40, text);
}

/* The weight of an edge; *found is false when it has none. */
static pc_status take_weight(const reader *r, const char *array, size_t i, const json_t *edge,
                             uint64_t *weight, bool *found)
{
    const json_t *value = json_object_get(edge, r->weight_key);
    value = value ? value : json_object_get(edge, "value");
    *found = value && !json_is_null(value);
    if (!*found)
        return PC_OK;
    bool takes = pci_collect_takes_weights(r->c);
    pci_scale *scale = takes ? r->c->input->scale : NULL;
    pci_multiplicity kind = PCI_NO_NUMBER;
    if (json_is_integer(value))
        kind = json_integer_value(value) < 0
                   ? PCI_NEGATIVE
                   : pci_weight_from_integer(scale, (uint64_t)json_integer_value(value), weight);
    else if (json_is_real(value))
        kind = pci_weight_from_double(scale, json_real_value(value), weight);
    else if (json_is_string(value))
        kind = pci_weight_parse(scale, json_string_value(value), json_string_length(value), weight);
    if (!takes && kind != PCI_NO_NUMBER) {
        *weight = 1; /* an edge of weight 0 is one where weights are not taken */
        kind = PCI_MULTIPLICITY;
    }
    char what[200];
    if (kind == PCI_MULTIPLICITY)
        return PC_OK;
    snprintf(what, sizeof what, "the weight %s", pci_weight_fault(kind));
    return fail_at(r, array, i, what);
}

static pc_status take_edge(reader *r, const char *array, size_t i, uint32_t from, uint32_t to,
                           const json_t *edge)
{
    uint64_t weight;
    bool has_weight;
    pc_status status = take_weight(r, array, i, edge, &weight, &has_weight);
    return status ? status : pci_collect_edge(r->c, from, to, has_weight ? &weight : NULL);
}

/* Finds what the ends and the weight of an edge are called, as in the header of an edge list whose
 * columns are the keys. Returns whether the ends have known names. */
static bool find_keys(reader *r, const json_t *edge)
{
    pci_cell key[PCI_MOST_NAMES] = {{0}};
    pci_column_names names;
    uint32_t at[PCI_N_ROLES], n = 0;
    void *item = json_object_iter((json_t *)edge);
    for (; item && n < PCI_MOST_NAMES; item = json_object_iter_next((json_t *)edge, item)) {
        const char *text = json_object_iter_key(item);
        key[n++] = (pci_cell){.text = text, .length = (uint32_t)strlen(text)};
    }
    r->from_key = "source";
    r->to_key = "target";
    r->weight_key = "weight";
    pci_column_names_read(key, n, 0, &names);
    if (!pci_column_names_find_known(&names, at))
        return false;
    r->from_key = key[at[PCI_FROM]].text;
    r->to_key = key[at[PCI_TO]].text;
    r->weight_key = at[PCI_WEIGHT] < n ? key[at[PCI_WEIGHT]].text : r->weight_key;
    return true;
}

/* Returns whether this key of an edge may be a weight under another name. */
static bool may_be_weight(const reader *r, const char *key, const json_t *value)
{
    return json_is_number(value) && strcmp(key, r->from_key) != 0 && strcmp(key, r->to_key) != 0 &&
           strcmp(key, "id") != 0 && strcmp(key, "key") != 0;
}

/* No edge has a weight, and the first one has keys. */
static pc_status fail_no_weight(const reader *r, const json_t *edge)
{
    char keys[KEYS_BYTES] = "";
    size_t n_bytes = 0;
    void *item = json_object_iter((json_t *)edge);
    for (; item; item = json_object_iter_next((json_t *)edge, item)) {
        const char *key = json_object_iter_key(item);
        if (may_be_weight(r, key, json_object_iter_value(item)) &&
            n_bytes + strlen(key) + 4 < KEYS_BYTES)
            n_bytes += (size_t)snprintf(keys + n_bytes, KEYS_BYTES - n_bytes, "%s\"%s\"",
                                        n_bytes > 0 ? ", " : "", key);
    }
    return pci_fail(r->c->input->context, PC_ERR_DATA,
                    n_bytes > 0
                        ? "%s: no edge has a \"weight\", but the first one has %s: call that "
                          "\"weight\", or leave --weights out"
                        : "%s: no edge has a \"weight\", or another number%s: leave --weights "
                          "out",
                    r->c->input->name, keys);
}

static bool fails_weights(const reader *r)
{
    return pci_draft_needs_weights(r->c->options) && !r->c->any_with;
}

static pc_status read_links(reader *r)
{
    const json_t *first = data_of(json_array_get(r->links, 0));
    find_keys(r, first);
    for (size_t i = 0; i < json_array_size(r->links); i++) {
        const json_t *edge = data_of(json_array_get(r->links, i));
        uint32_t from, to;
        pc_status status;
        if ((status = take_end(r, r->links_name, i, json_object_get(edge, r->from_key), &from)) ||
            (status = take_end(r, r->links_name, i, json_object_get(edge, r->to_key), &to)) ||
            (status = take_edge(r, r->links_name, i, from, to, edge)))
            return status;
    }
    return fails_weights(r) && first ? fail_no_weight(r, first) : PC_OK;
}

/* Adjacency data has a list of neighbours for each node; undirected edges are in the lists of both
 * ends. */
static pc_status read_adjacency(reader *r)
{
    if (json_array_size(r->adjacency) != r->n_nodes)
        return fail_at(r, "adjacency", json_array_size(r->adjacency),
                       "there must be as many lists as nodes");
    const json_t *first = NULL;
    r->from_key = r->to_key = "id";
    r->weight_key = "weight";
    for (size_t i = 0; i < json_array_size(r->adjacency); i++) {
        const json_t *list = json_array_get(r->adjacency, i);
        for (size_t k = 0; k < json_array_size(list); k++) {
            const json_t *edge = json_array_get(list, k);
            first = first ? first : edge;
            uint32_t to;
            pc_status status = take_end(r, "adjacency", i, json_object_get(edge, "id"), &to);
            if (status == PC_OK && (r->c->stated == PC_DIRECTED || to >= i))
                status = take_edge(r, "adjacency", i, (uint32_t)i, to, edge);
            if (status)
                return status;
        }
    }
    return fails_weights(r) && first ? fail_no_weight(r, first) : PC_OK;
}

/* ---- The whole text -------------------------------------------------------------------------- */

/* Finds nodes and edges; false when the value is no graph. A list of edges has no nodes. */
static bool find_parts(reader *r, const json_t *root)
{
    if (find_keys(r, json_array_get(root, 0))) {
        r->links = root;
        r->links_name = "";
        return true;
    }
    const json_t *graph = json_object_get(root, "graph");
    const json_t *elements = json_object_get(root, "elements");
    const json_t *directed = json_object_get(root, "directed"), *inner = root;
    if (json_object_get(graph, "nodes"))
        inner = graph;
    else if (json_is_object(elements))
        inner = elements;
    r->nodes = json_object_get(inner, "nodes");
    r->links = json_object_get(inner, "links");
    r->links_name = r->links ? "links" : "edges";
    r->has_both = r->links && json_object_get(inner, "edges");
    r->links = r->links ? r->links : json_object_get(inner, "edges");
    r->adjacency = json_object_get(inner, "adjacency");
    if (inner == graph && json_object_get(graph, "directed"))
        directed = json_object_get(graph, "directed");
    if (json_is_boolean(directed))
        r->c->stated = json_is_true(directed) ? PC_DIRECTED : PC_UNDIRECTED;
    bool has_nodes = json_is_array(r->nodes) || json_is_object(r->nodes);
    return (has_nodes || !r->nodes) &&
           (json_is_array(r->links) || (has_nodes && json_is_array(r->adjacency)));
}

/* Returns whether the value is an edge and no more: the only line of a file of them. */
static bool is_record(reader *r, const json_t *root)
{
    static const char *const others[] = {"nodes",     "links",    "edges",
                                         "adjacency", "elements", "graph"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (json_object_get(root, others[i]))
            return false;
    return find_keys(r, root) && !json_is_array(json_object_get(root, r->from_key));
}

static pc_status read_graph(reader *r, const json_t *root)
{
    if (!find_parts(r, root))
        return pci_input_fail(
            r->c->input, r->c->input->text,
            "this looks like JSON, but not like a graph: an object with \"nodes\" and "
            "\"links\" is read, as nx.node_link_data and D3 have it, and a list of {\"source\": "
            "..., "
            "\"target\": ...}; else write a line 'from to' for each edge");
    if (r->has_both)
        return pci_input_fail(r->c->input, r->c->input->text,
                              "the graph has both \"links\" and \"edges\": remove the one that is "
                              "not meant");
    r->has_ids = true;
    pc_status status = r->nodes ? read_nodes(r) : PC_OK;
    if (status == PC_OK)
        status = r->links ? read_links(r) : read_adjacency(r);
    return status;
}

/* The place of the next value. */
static size_t skip_space(const char *text, size_t at, size_t n_bytes)
{
    while (at < n_bytes && memchr(" \t\r\n", text[at], 4))
        at++;
    return at;
}

/* A list of the values of the text, one behind the other. */
static json_t *load_values(const char *text, size_t n_bytes, json_error_t *error)
{
    json_t *all = json_array();
    size_t at = skip_space(text, 0, n_bytes);
    while (all && at < n_bytes) {
        json_t *value = json_loadb(text + at, n_bytes - at,
                                   JSON_REJECT_DUPLICATES | JSON_DISABLE_EOF_CHECK, error);
        if (!value || error->position <= 0 || json_array_append_new(all, value) != 0)
            break;
        at = skip_space(text, at + (size_t)error->position, n_bytes);
    }
    if (at == n_bytes)
        return all;
    for (size_t i = 0; i < at; i++)
        error->line += text[i] == '\n';
    json_decref(all);
    return NULL;
}

static json_t *load(const char *text, size_t n_bytes, json_error_t *error)
{
    json_t *value = json_loadb(text, n_bytes, JSON_REJECT_DUPLICATES, error);
    bool are_more = !value && json_error_code(error) == json_error_end_of_input_expected;
    return are_more ? load_values(text, n_bytes, error) : value;
}

/* The bytes of the string, the number or the character at text[at]. */
static size_t token_bytes(const char *text, size_t at, size_t n_bytes)
{
    size_t end = at + 1;
    if (text[at] == '"') {
        while (end < n_bytes && text[end] != '"')
            end += text[end] == '\\' ? 2 : 1;
        return (end < n_bytes ? end + 1 : n_bytes) - at;
    }
    bool is_number = text[at] == '-' || (text[at] >= '0' && text[at] <= '9');
    while (is_number && end < n_bytes && memchr("0123456789+-.eE", text[end], 15))
        end++;
    return end - at;
}

static bool is_long_integer(const char *token, size_t length)
{
    size_t sign = *token == '-';
    for (size_t i = sign; i < length; i++)
        if (token[i] < '0' || token[i] > '9')
            return false;
    return length - sign > EXACT_DIGITS;
}

/* The same as load, with quotes around the integers that jansson may not hold. */
static json_t *load_quoted(const char *text, size_t n_bytes, json_error_t *error)
{
    char *copy = malloc(n_bytes + n_bytes / EXACT_DIGITS * 2 + 2);
    json_t *value = NULL;
    size_t n = 0, length;
    for (size_t at = 0; copy && at < n_bytes; at += length) {
        length = token_bytes(text, at, n_bytes);
        bool is_long = is_long_integer(text + at, length);
        if (is_long)
            copy[n++] = '"';
        memcpy(copy + n, text + at, length);
        n += length;
        if (is_long)
            copy[n++] = '"';
    }
    if (copy)
        value = load(copy, n, error);
    free(copy);
    return value;
}

static pc_status parse(const pci_input *input, const char *begin, json_t **root)
{
    json_error_t error;
    size_t n_bytes = (size_t)(input->text + input->n_bytes - begin);
    if (n_bytes > pci_memory_available(input->context) / BYTES_A_BYTE)
        return pci_fail(
            input->context, PC_ERR_MEMORY,
            "%s: JSON of %zu bytes may take %zu MB of memory to read: write a line 'from "
            "to' for each edge",
            input->name, n_bytes, n_bytes / 1000000 * BYTES_A_BYTE);
    *root = load(begin, n_bytes, &error);
    if (!*root && json_error_code(&error) == json_error_numeric_overflow)
        *root = load_quoted(begin, n_bytes, &error);
    if (*root)
        return PC_OK;
    if (json_error_code(&error) == json_error_out_of_memory)
        return pci_fail(input->context, PC_ERR_MEMORY, "%s: no memory for its text", input->name);
    return pci_fail(input->context, PC_ERR_DATA,
                    "%s:%d: this looks like JSON, but it cannot be read: %s", input->name,
                    error.line > 0 ? error.line : 1, error.text);
}

pc_status pci_json_read(pci_collect *c)
{
    reader r = {.c = c};
    json_t *root;
    pc_status status = parse(c->input, c->next, &root);
    if (status)
        return status;
    if (is_record(&r, root)) {
        json_t *list = json_array();
        if (json_array_append_new(list, root) != 0) {
            json_decref(list);
            return pci_fail(c->input->context, PC_ERR_MEMORY, "%s: no memory for its text",
                            c->input->name);
        }
        root = list;
    }
    status = read_graph(&r, root);
    json_decref(root);
    return status;
}

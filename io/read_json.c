/* Graphs in JSON: node-link and adjacency data of NetworkX, the nodes and links of D3 and vis.js,
 * elements of Cytoscape, JSON Graph Format; records of edges alone, in a list or a line each. A node
 * is named by its "id", else by its "name" or "label"; ends of edges are names, or numbers of nodes
 * where these have no id. */
#include "graphs/multiplicity.h"
#include "io/readings.h"
#include "io/readers.h"

#include <jansson.h>
#include <inttypes.h>
#include <stdio.h>

enum {
    BYTES_A_BYTE =
        100, /* of memory for one of the text: an empty object of 3 bytes takes the most */
    NUMBER_BYTES = 24
};

typedef struct reader {
    pci_collect *c;
    const json_t *nodes, *links, *adjacency; /* NULL: there are none */
    bool has_ids;                            /* nodes are named by an id, or there are no nodes */
    uint64_t n_nodes;
    const char *from_key, *to_key, *weight_key; /* of an edge */
    const char *array;                          /* at hand, and its element, for messages */
    size_t i;
} reader;

/* name: what is named, or no text. */
static pc_status fail(const reader *r, const char *what, pci_word name)
{
    return pci_fail(r->c->input->context, PC_ERR_DATA, "%s: %s[%zu]: %s%s%.*s%s", r->c->input->name,
                    r->array, r->i, what, name.text ? " '" : "", pci_word_shown(name),
                    name.text ? name.text : "", name.text ? "'" : "");
}

/* ---- Names ----------------------------------------------------------------------------------- */

/* A name as text: a string, or an integer in digits; no text for anything else. */
static pci_word name_text(const json_t *name, char digits[NUMBER_BYTES])
{
    if (json_is_string(name))
        return (pci_word){json_string_value(name), json_string_length(name)};
    if (!json_is_integer(name))
        return (pci_word){0};
    int n = snprintf(digits, NUMBER_BYTES, "%" JSON_INTEGER_FORMAT, json_integer_value(name));
    return (pci_word){digits, (size_t)n};
}

/* Elements of Cytoscape have all in "data". */
static const json_t *data_of(const json_t *element)
{
    const json_t *data = json_object_get(element, "data");
    return json_is_object(data) ? data : element;
}

static pc_status take_node(reader *r, const json_t *name)
{
    char digits[NUMBER_BYTES];
    uint32_t vertex;
    pci_word text = name_text(name, digits);
    if (!text.text)
        return fail(r, "the node has no id that is a text or an integer", text);
    pc_status status = pci_collect_vertex(r->c, text.text, text.length, &vertex);
    if (status == PC_OK && vertex != r->n_nodes++)
        status = fail(r, "another node before is called", text);
    r->i++;
    return status;
}

/* Nodes are an array of objects or of names, or an object whose keys are the names. */
static pc_status read_nodes(reader *r)
{
    static const char *const keys[] = {"id", "name", "label"};
    const json_t *first = data_of(json_array_get(r->nodes, 0));
    size_t k = 0;
    pc_status status = PC_OK;
    void *at = json_object_iter((json_t *)r->nodes);
    r->array = "nodes";
    r->i = 0;
    for (; at && status == PC_OK; at = json_object_iter_next((json_t *)r->nodes, at)) {
        json_t *key = json_string(json_object_iter_key(at));
        status = key ? take_node(r, key) : fail(r, "its name cannot be read", (pci_word){0});
        json_decref(key);
    }
    while (k < 2 && json_is_object(first) && !json_object_get(first, keys[k]))
        k++;
    r->has_ids = k == 0 || !json_is_object(first);
    while (r->i < json_array_size(r->nodes) && status == PC_OK) {
        const json_t *node = data_of(json_array_get(r->nodes, r->i));
        status = take_node(r, json_is_object(node) ? json_object_get(node, keys[k]) : node);
    }
    return status;
}

/* ---- Edges ----------------------------------------------------------------------------------- */

/* An end of an edge: the name of a node, its number when nodes have no ids, or the node itself. */
static pc_status take_end(reader *r, const json_t *end, uint32_t *vertex)
{
    char digits[NUMBER_BYTES];
    pci_word none = {0};
    if (json_is_object(end))
        end = json_object_get(end, "id");
    if (!r->has_ids && json_is_integer(end)) {
        json_int_t number = json_integer_value(end);
        *vertex = (uint32_t)number;
        return number >= 0 && (uint64_t)number < r->n_nodes
                   ? PC_OK
                   : fail(r,
                          "an end of the edge is not the number of a node: nodes are numbered "
                          "from 0",
                          none);
    }
    pci_word text = name_text(end, digits);
    if (!text.text)
        return fail(r,
                    "an end of the edge, as in \"source\" and \"target\", is missing, or "
                    "neither text nor integer",
                    none);
    if (!r->nodes)
        return pci_collect_vertex(r->c, text.text, text.length, vertex);
    return pci_names_find(&r->c->names, text.text, text.length, vertex)
               ? PC_OK
               : fail(r, "no node is called", text);
}

static pc_status take_edge(reader *r, uint32_t from, uint32_t to, const json_t *edge)
{
    const json_t *value = json_object_get(edge, r->weight_key);
    bool takes = pci_collect_takes_weights(r->c);
    pci_scale *scale = takes ? r->c->input->scale : NULL;
    pci_multiplicity kind = PCI_NO_NUMBER;
    uint64_t weight;
    value = value ? value : json_object_get(edge, "value");
    if (!value || json_is_null(value))
        return pci_collect_edge(r->c, from, to, NULL);
    if (json_is_integer(value))
        kind = json_integer_value(value) < 0
                   ? PCI_NEGATIVE
                   : pci_weight_from_integer(scale, (uint64_t)json_integer_value(value), &weight);
    else if (json_is_real(value))
        kind = pci_weight_from_double(scale, json_real_value(value), &weight);
    else if (json_is_string(value))
        kind =
            pci_weight_parse(scale, json_string_value(value), json_string_length(value), &weight);
    if (!takes && kind != PCI_NO_NUMBER) {
        weight = 1; /* an edge of weight 0 is one where weights are not taken */
        kind = PCI_MULTIPLICITY;
    }
    char what[200];
    if (kind == PCI_MULTIPLICITY)
        return pci_collect_edge(r->c, from, to, &weight);
    snprintf(what, sizeof what, "the weight %s", pci_weight_fault(kind));
    return fail(r, what, (pci_word){0});
}

/* Finds what the ends and the weight of an edge are called, as in the header of an edge list whose
 * columns are the keys. Returns whether the ends have known names. */
static bool find_keys(reader *r, const json_t *edge)
{
    enum { MOST_KEYS = 64 };
    pci_cell key[MOST_KEYS] = {{0}};
    uint32_t at[PCI_N_ROLES], n = 0;
    void *item = json_object_iter((json_t *)edge);
    for (; item && n < MOST_KEYS; item = json_object_iter_next((json_t *)edge, item)) {
        const char *text = json_object_iter_key(item);
        key[n++] = (pci_cell){.text = text, .length = (uint32_t)strlen(text)};
    }
    r->from_key = "source";
    r->to_key = "target";
    r->weight_key = "weight";
    if (!pci_find_known_names(key, n, at))
        return false;
    r->from_key = key[at[PCI_FROM]].text;
    r->to_key = key[at[PCI_TO]].text;
    r->weight_key = at[PCI_WEIGHT] < n ? key[at[PCI_WEIGHT]].text : r->weight_key;
    return true;
}

/* Notes the numbers of an edge that may be a weight under another name. */
static void note_numbers(reader *r, const json_t *edge)
{
    void *item = json_object_iter((json_t *)edge);
    for (; item; item = json_object_iter_next((json_t *)edge, item)) {
        const char *const not_weights[] = {r->from_key, r->to_key, "id", "key"};
        const char *key = json_object_iter_key(item);
        bool may_be = json_is_number(json_object_iter_value(item));
        for (size_t i = 0; i < sizeof not_weights / sizeof *not_weights; i++)
            may_be = may_be && strcmp(key, not_weights[i]) != 0;
        if (may_be)
            pci_collect_note_number(r->c, (pci_word){key, strlen(key)});
    }
}

static pc_status read_links(reader *r)
{
    const json_t *first = data_of(json_array_get(r->links, 0));
    find_keys(r, first);
    note_numbers(r, first);
    for (r->i = 0; r->i < json_array_size(r->links); r->i++) {
        const json_t *edge = data_of(json_array_get(r->links, r->i));
        uint32_t from, to;
        pc_status status;
        if ((status = take_end(r, json_object_get(edge, r->from_key), &from)) ||
            (status = take_end(r, json_object_get(edge, r->to_key), &to)) ||
            (status = take_edge(r, from, to, edge)))
            return status;
    }
    return PC_OK;
}

/* Adjacency data has a list of neighbours for each node; undirected edges are in the lists of both
 * ends. */
static pc_status read_adjacency(reader *r)
{
    r->i = json_array_size(r->adjacency);
    if (r->i != r->n_nodes)
        return fail(r, "there must be as many lists as nodes", (pci_word){0});
    uint64_t n_up = 0, n_down = 0;
    r->from_key = r->to_key = "id";
    r->weight_key = "weight";
    for (r->i = 0; r->i < r->n_nodes; r->i++) {
        const json_t *list = json_array_get(r->adjacency, r->i);
        for (size_t k = 0; k < json_array_size(list); k++) {
            const json_t *edge = json_array_get(list, k);
            uint32_t to;
            pc_status status = take_end(r, json_object_get(edge, "id"), &to);
            if (r->c->n_edges == 0)
                note_numbers(r, edge);
            if (status == PC_OK && (r->c->stated == PC_DIRECTED || to >= r->i))
                status = take_edge(r, (uint32_t)r->i, to, edge);
            if (status)
                return status;
            n_up += to > r->i;
            n_down += to < r->i;
        }
    }
    if (r->c->stated != PC_DIRECTED && n_up != n_down)
        return pci_input_fail(r->c->input, r->c->input->text,
                              "an edge is in the list of one of its ends only: undirected edges "
                              "are in the lists of both, and \"directed\": true says that they "
                              "are arcs");
    return PC_OK;
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

/* Finds nodes and edges, and reads them. A list of edges has no nodes. */
static pc_status read_graph(reader *r, const json_t *root)
{
    const json_t *graph = json_object_get(root, "graph"), *inner = root;
    const json_t *directed = json_object_get(root, "directed");
    bool are_records = find_keys(r, json_array_get(root, 0));
    if (json_object_get(graph, "nodes"))
        inner = graph;
    else if (json_is_object(json_object_get(root, "elements")))
        inner = json_object_get(root, "elements");
    if (inner == graph && json_object_get(graph, "directed"))
        directed = json_object_get(graph, "directed");
    if (json_is_boolean(directed))
        r->c->stated = json_is_true(directed) ? PC_DIRECTED : PC_UNDIRECTED;
    const json_t *links = json_object_get(inner, "links"), *edges = json_object_get(inner, "edges");
    r->nodes = json_object_get(inner, "nodes");
    r->links = are_records ? root : links ? links : edges;
    r->adjacency = json_object_get(inner, "adjacency");
    bool has_nodes = json_is_array(r->nodes) || json_is_object(r->nodes);
    if ((r->nodes && !has_nodes) ||
        !(json_is_array(r->links) || (has_nodes && json_is_array(r->adjacency))))
        return pci_input_fail(
            r->c->input, r->c->input->text,
            "this looks like JSON, but not like a graph: an object with \"nodes\" and "
            "\"links\" is read, as nx.node_link_data and D3 have it, and a list of {\"source\": "
            "..., "
            "\"target\": ...}; else write a line 'from to' for each edge");
    if (links && edges)
        return pci_input_fail(r->c->input, r->c->input->text,
                              "the graph has both \"links\" and \"edges\": remove the one that is "
                              "not meant");
    r->has_ids = true;
    r->c->weight_name = "weight";
    pc_status status = r->nodes ? read_nodes(r) : PC_OK;
    r->array = are_records ? "" : links ? "links" : r->links ? "edges" : "adjacency";
    if (status == PC_OK)
        status = r->links ? read_links(r) : read_adjacency(r);
    return status;
}

/* The value of the text, or a list of its values where it has several, one behind the other. */
static json_t *load(const char *text, size_t n_bytes, json_error_t *error)
{
    json_t *all = json_loadb(text, n_bytes, JSON_REJECT_DUPLICATES, error);
    size_t at = 0;
    if (all || json_error_code(error) != json_error_end_of_input_expected)
        return all;
    all = json_array();
    for (; all && at < n_bytes; at++) {
        if (memchr(" \t\r\n", text[at], 4))
            continue;
        json_t *value = json_loadb(text + at, n_bytes - at,
                                   JSON_REJECT_DUPLICATES | JSON_DISABLE_EOF_CHECK, error);
        if (!value || error->position <= 0 || json_array_append_new(all, value) != 0)
            break;
        at += (size_t)error->position - 1;
    }
    if (at == n_bytes)
        return all;
    for (size_t i = 0; i < at; i++)
        error->line += text[i] == '\n';
    json_decref(all);
    return NULL;
}

pc_status pci_json_read(pci_collect *c)
{
    reader r = {.c = c};
    const pci_input *input = c->input;
    json_error_t error;
    size_t n_bytes = (size_t)(input->text + input->n_bytes - c->next);
    if (n_bytes > pci_memory_available(input->context) / BYTES_A_BYTE)
        return pci_fail(
            input->context, PC_ERR_MEMORY,
            "%s: JSON of %zu bytes may take %zu MB of memory to read: write a line 'from "
            "to' for each edge",
            input->name, n_bytes, n_bytes / 1000000 * BYTES_A_BYTE);
    json_t *root = load(c->next, n_bytes, &error);
    if (!root && json_error_code(&error) != json_error_out_of_memory)
        return pci_fail(input->context, PC_ERR_DATA,
                        "%s:%d: this looks like JSON, but it cannot be read: %s", input->name,
                        error.line > 0 ? error.line : 1, error.text);
    if (root && is_record(&r, root)) {
        json_t *list = json_array();
        if (json_array_append_new(list, root) != 0) {
            json_decref(list);
            list = NULL;
        }
        root = list;
    }
    if (!root)
        return pci_fail(input->context, PC_ERR_MEMORY, "%s: no memory for its text", input->name);
    pc_status status = read_graph(&r, root);
    json_decref(root);
    return status;
}

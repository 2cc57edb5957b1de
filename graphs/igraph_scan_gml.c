/* The scan of GML. igraph reads the first graph only, takes any value of directed that it does not
 * understand for undirected, and refuses ids beyond 32 bits. The scan replaces such ids by numbers
 * from 0 on. */
#include "graphs/igraph_scan.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct gml_scan {
    pci_igraph_text *text;
    const char *at, *end;
    unsigned depth; /* open brackets */
    bool in_graph;  /* the outermost of them is the graph's */
    bool seen_graph;
    bool seen_directed;
    bool renames;            /* the ids are written anew */
    bool has_large;          /* ids that igraph does not take */
    pci_igraph_span element; /* the key of the open bracket in the graph: node or edge */
    pci_igraph_span key;     /* the word before, if it waits for its value */
} gml_scan;

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Moves behind blanks and comments, which are lines that start with #. */
static void skip_blanks(gml_scan *scan)
{
    const char *at = scan->at;
    bool line_start = at == scan->text->bytes || at[-1] == '\n';
    while (at < scan->end && (is_space(*at) || (*at == '#' && line_start))) {
        if (*at == '#')
            while (at < scan->end && *at != '\n' && *at != '\r')
                at++;
        else
            line_start = *at++ == '\n';
    }
    scan->at = at;
}

/* The next key, value, bracket or string with its quotes; false at the end. */
static bool next_token(gml_scan *scan, pci_igraph_span *token)
{
    skip_blanks(scan);
    const char *at = scan->at, *end = scan->end;
    token->at = at;
    if (at < end && *at == '"') {
        const char *quote = memchr(at + 1, '"', (size_t)(end - at - 1));
        at = quote ? quote + 1 : end;
    } else if (at < end && (*at == '[' || *at == ']')) {
        at++;
    } else {
        while (at < end && !is_space(*at) && *at != '[' && *at != ']' && *at != '"')
            at++;
    }
    token->end = scan->at = at;
    return token->at < end;
}

static pc_status open_bracket(gml_scan *scan, pci_igraph_span token)
{
    if (scan->in_graph && scan->depth == 1)
        scan->element = scan->key;
    if (scan->depth++ > 0 || !pci_igraph_span_is(scan->key, "graph"))
        return PC_OK;
    if (scan->seen_graph) {
        return pci_igraph_text_fail(scan->text, token.at,
                                    "a second graph: keep one graph in a file");
    }
    scan->seen_graph = scan->in_graph = true;
    return PC_OK;
}

static void close_bracket(gml_scan *scan, pci_igraph_span token)
{
    scan->depth -= scan->depth > 0;
    if (scan->in_graph && scan->depth == 0 && !scan->seen_directed && scan->text->keeps_order)
        pci_igraph_replace(scan->text, token.at, 0, " directed 1 ");
    scan->in_graph = scan->in_graph && scan->depth > 0;
}

/* An integer without a plus and zeros before it, which igraph takes for the same. */
static pci_igraph_span plain_id(pci_igraph_span id)
{
    id.at += *id.at == '+';
    while (id.end - id.at > 1 && *id.at == '0')
        id.at++;
    return id;
}

static bool is_large(pci_igraph_span id)
{
    id.at += *id.at == '-';
    for (const char *at = id.at; at < id.end; at++)
        if (*at < '0' || *at > '9')
            return false;
    return pci_igraph_word_number(id) > INT32_MAX;
}

/* Notes the id of a node; in the second scan writes its number, or that of the end of an edge. */
static pc_status take_id(gml_scan *scan, pci_igraph_span value)
{
    pci_igraph_names *ids = &scan->text->ids;
    bool of_node = pci_igraph_span_is(scan->element, "node") && pci_igraph_span_is(scan->key, "id");
    bool of_edge =
        pci_igraph_span_is(scan->element, "edge") &&
        (pci_igraph_span_is(scan->key, "source") || pci_igraph_span_is(scan->key, "target"));
    if ((!of_node && !of_edge) || *value.at == '"')
        return PC_OK;
    pci_igraph_span id = plain_id(value);
    if (scan->renames) {
        char number[24];
        snprintf(number, sizeof number, "%" PRIu64, pci_igraph_names_find(ids, id));
        pci_igraph_replace(scan->text, value.at, pci_igraph_span_bytes(value), number);
        return PC_OK;
    }
    scan->has_large = scan->has_large || is_large(id);
    if (of_node && !pci_igraph_names_add(ids, id))
        return pci_igraph_fail(scan->text->context, PC_ERR_MEMORY, "%s: out of memory",
                               scan->text->path);
    return PC_OK;
}

static pc_status note_direction(gml_scan *scan, pci_igraph_span value)
{
    pci_igraph_text *text = scan->text;
    if (scan->seen_directed)
        return pci_igraph_text_fail(text, value.at, "directed is given twice");
    if (!pci_igraph_span_is(value, "0") && !pci_igraph_span_is(value, "1"))
        return pci_igraph_text_fail(text, value.at, "the value of directed must be 0 or 1");
    scan->seen_directed = true;
    text->stated = *value.at == '1' ? PC_DIRECTED : PC_UNDIRECTED;
    if (text->keeps_order)
        pci_igraph_replace(text, value.at, 1, "1");
    return PC_OK;
}

static pc_status scan_tokens(gml_scan *scan)
{
    pc_status status = PC_OK;
    pci_igraph_span token;
    scan->at = scan->text->bytes;
    scan->key = scan->element = (pci_igraph_span){scan->at, scan->at};
    while (status == PC_OK && next_token(scan, &token)) {
        bool is_value = pci_igraph_span_bytes(scan->key) > 0;
        if (*token.at == '[')
            status = open_bracket(scan, token);
        else if (*token.at == ']')
            close_bracket(scan, token);
        else if (is_value && scan->in_graph && scan->depth == 1 &&
                 pci_igraph_span_is(scan->key, "directed"))
            status = note_direction(scan, token);
        else if (is_value && scan->in_graph && scan->depth == 2)
            status = take_id(scan, token);
        bool is_key = !is_value && *token.at != '[' && *token.at != ']';
        scan->key = is_key ? token : (pci_igraph_span){token.end, token.end};
    }
    return status;
}

pc_status pci_igraph_scan_gml(pci_igraph_text *text)
{
    gml_scan scan = {.text = text, .end = text->bytes + text->n_bytes};
    text->stated = PC_UNDIRECTED;
    pc_status status = scan_tokens(&scan);
    if (status != PC_OK || !scan.has_large) {
        pci_igraph_names_free(&text->ids);
        return status;
    }
    if (!pci_igraph_names_sort(&text->ids))
        return pci_igraph_fail(text->context, PC_ERR_MEMORY, "%s: out of memory", text->path);
    text->n_made = 0;
    text->copied_to = NULL;
    scan = (gml_scan){.text = text, .end = scan.end, .renames = true};
    return scan_tokens(&scan);
}

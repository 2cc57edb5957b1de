/* The scan of GML. igraph reads the first graph only, and takes any value of directed that it does
 * not understand for undirected. */
#include "graphs/igraph_scan.h"

#include <string.h>

typedef struct gml_scan {
    pci_igraph_text *text;
    const char *at, *end;
    unsigned depth; /* open brackets */
    bool in_graph;  /* the outermost of them is the graph's */
    bool seen_graph;
    bool seen_directed;
    pci_igraph_span key; /* the word before, if it waits for its value */
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
    if (scan->depth++ > 0 || !pci_igraph_span_is(scan->key, "graph"))
        return PC_OK;
    if (scan->seen_graph) {
        return pci_igraph_text_fail(scan->text, token.at,
                                    "a second graph: keep one graph in a file");
    }
    scan->seen_graph = scan->in_graph = true;
    scan->text->direction_at = token.end;
    scan->text->direction_new = " directed 1 ";
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
    text->direction_at = value.at;
    text->direction_bytes = 1;
    text->direction_new = "1";
    return PC_OK;
}

pc_status pci_igraph_scan_gml(pci_igraph_text *text)
{
    gml_scan scan = {.text = text, .at = text->bytes, .end = text->bytes + text->n_bytes};
    pc_status status = PC_OK;
    pci_igraph_span token;
    scan.key = (pci_igraph_span){text->bytes, text->bytes};
    text->stated = PC_UNDIRECTED;
    while (status == PC_OK && next_token(&scan, &token)) {
        bool is_value = pci_igraph_span_bytes(scan.key) > 0;
        if (*token.at == '[') {
            status = open_bracket(&scan, token);
        } else if (*token.at == ']') {
            scan.depth -= scan.depth > 0;
            scan.in_graph = scan.in_graph && scan.depth > 0;
        } else if (is_value && scan.in_graph && scan.depth == 1 &&
                   pci_igraph_span_is(scan.key, "directed")) {
            status = note_direction(&scan, token);
        }
        bool is_key = !is_value && *token.at != '[' && *token.at != ']';
        scan.key = is_key ? token : (pci_igraph_span){token.end, token.end};
    }
    return status;
}

/* The text of a graph file through igraph's readers: it is scanned for what igraph would read wrongly, and
 * given to igraph. This happens in a process of its own: see igraph_child.h. */
#include "graphs/igraph_parse.h"

#include "graphs/igraph_words.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef pci_igraph_parsing reading;

/* ---- igraph's messages ----------------------------------------------------------------------- */

/* Where "line 7" or "Line 7" stands in a message; NULL when it does not. */
static const char *find_line_number(const char *message)
{
    for (const char *at = message; (at = strstr(at, "ine ")) != NULL; at++)
        if (at > message && (at[-1] == 'l' || at[-1] == 'L') && isdigit((unsigned char)at[4]))
            return at - 1;
    return NULL;
}

/* The line that a message of igraph is about. igraph counts the end of a line, and blank lines
 * behind it, as part of the line they lead to; but the end of the file as part of the last line. */
static uint64_t line_that_ends(const pci_igraph_text *text, uint64_t line)
{
    uint64_t number = 0, last = line;
    pci_igraph_span span, word;
    const char *end = text->bytes + text->n_bytes;
    for (const char *at = text->bytes; pci_igraph_next_line(&at, end, &span);) {
        bool is_before = ++number < line;
        last = is_before && pci_igraph_next_word(&span, &word) ? number : last;
    }
    return number == line && end[-1] != '\n' ? line : last;
}

/* A failure to read as "file:line: what is wrong". igraph says "Parse error in X file, line 7 (what)", "what, line 7." or "Line 7: what". */
static pc_status fail_read(const reading *job, const pci_igraph_text *text,
                           const pci_igraph_guard *guard)
{
    char words[PCI_IGRAPH_WORDS_BYTES];
    if (guard->error == IGRAPH_ENOMEM) {
        return pci_igraph_fail(text->context, PC_ERR_MEMORY,
                               "%s: out of memory in igraph, which may take %" PRIu64
                               " MB for this "
                               "file: convert the file to an edge list, one line for each edge",
                               text->path, pc_context_memory_available(text->context) >> 20);
    }
    char what[sizeof guard->message];
    snprintf(what, sizeof what, "%s",
             guard->message[0] != '\0' ? guard->message : igraph_strerror(guard->error));
    const char *found = find_line_number(what);
    if (!found)
        return pci_igraph_fail(text->context, PC_ERR_DATA, "%s: %s", text->path,
                               pci_igraph_words(job->format->name, what, words));
    char *rest;
    uint64_t line = strtoul(found + 5, &rest, 10);
    const char *start = what;
    if (strncmp(rest, ": ", 2) == 0) {
        start = rest + 2;
    } else if (strncmp(rest, " (", 2) == 0) {
        start = rest + 2;
        rest[2 + strcspn(start, ")")] = '\0';
    } else if (found - what > 2) {
        what[found - what - 2] = '\0';
    }
    if (strstr(start, "unexpected end of line") != NULL)
        line = line_that_ends(text, line);
    return pci_igraph_fail(text->context, PC_ERR_DATA, "%s:%" PRIu64 ": %s", text->path, line,
                           pci_igraph_words(job->format->name, start, words));
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* igraph allocates memory for all vertices that a header declares; their labels take more. */
static pc_status check_declared(const reading *job, const pci_igraph_text *text)
{
    enum { BYTES_A_VERTEX = 128 };
    uint64_t most = job->options.max_vertices > 0 ? job->options.max_vertices
                                                  : PC_STATED_VERTICES + text->n_bytes;
    uint64_t available = pc_context_memory_available(job->context);
    if (text->n_declared > UINT32_MAX) {
        return pci_igraph_fail(job->context, PC_ERR_DATA,
                               "%s: the file declares %" PRIu64 " vertices, and 2^32-1 is the most",
                               job->path, text->n_declared);
    }
    if (text->n_declared > most) {
        return pci_igraph_fail(job->context, PC_ERR_DATA,
                               "%s: %" PRIu64 " vertices: a file of %zu bytes may state %" PRIu64
                               " (--max-vertices N allows more)",
                               job->path, text->n_declared, text->n_bytes, most);
    }
    if (text->n_declared > available / BYTES_A_VERTEX) {
        return pci_igraph_fail(job->context, PC_ERR_MEMORY,
                               "%s: the file declares %" PRIu64 " vertices; igraph needs about "
                               "%" PRIu64 " MB for them, and there are %" PRIu64 " MB",
                               job->path, text->n_declared, text->n_declared * BYTES_A_VERTEX >> 20,
                               available >> 20);
    }
    return PC_OK;
}

/* The ids that the scan of GML keeps, because igraph does not take them. */
static pc_status take_ids(reading *job, const pci_igraph_guard *guard, const pci_igraph_names *ids)
{
    igraph_strvector_t *labels = &job->edges.labels;
    igraph_error_t error = igraph_strvector_resize(labels, (igraph_integer_t)ids->n);
    for (uint64_t i = 0; error == IGRAPH_SUCCESS && i < ids->n; i++)
        error = igraph_strvector_set_len(labels, (igraph_integer_t)i, ids->name[i].at,
                                         pci_igraph_span_bytes(ids->name[i]));
    if (error != IGRAPH_SUCCESS)
        return pci_igraph_fail_call(guard);
    job->edges.has_labels = true;
    return PC_OK;
}

static pc_status take_labels(reading *job, const pci_igraph_guard *guard,
                             const pci_igraph_text *text, const igraph_t *igraph)
{
    static const char *const names[] = {"name", "label", "id"};
    bool keeps_ids = text->ids.n > 0 && text->ids.n == job->edges.n_vertices;
    const char *fault;
    for (size_t i = 0; i < sizeof names / sizeof *names - keeps_ids; i++) {
        pc_status status = pci_igraph_edges_label(guard, igraph, names[i], &job->edges, &fault);
        if (status != PC_OK || !fault)
            return status;
    }
    return keeps_ids ? take_ids(job, guard, &text->ids)
                     : pci_igraph_edges_number(guard, job->format->first_number, &job->edges);
}

/* Weights are asked for, and no attribute of edges has one of the names that weights have. */
static pc_status fail_no_weight(const reading *job, const pci_igraph_guard *guard,
                                const igraph_t *igraph)
{
    char names[400] = "";
    size_t n = 0;
    igraph_strvector_t all, of_graph, of_vertices;
    igraph_vector_int_t types, others;
    bool good =
        !igraph_strvector_init(&all, 0) && !igraph_strvector_init(&of_graph, 0) &&
        !igraph_strvector_init(&of_vertices, 0) && !igraph_vector_int_init(&types, 0) &&
        !igraph_vector_int_init(&others, 0) &&
        !igraph_cattribute_list(igraph, &of_graph, &others, &of_vertices, &others, &all, &types);
    if (!good)
        return pci_igraph_fail_call(guard);
    for (igraph_integer_t i = 0; i < igraph_strvector_size(&all); i++) {
        const char *name = igraph_strvector_get(&all, i);
        if (VECTOR(types)[i] == IGRAPH_ATTRIBUTE_NUMERIC && n + strlen(name) + 4 < sizeof names)
            n += (size_t)snprintf(names + n, sizeof names - n, "%s'%s'", n > 0 ? ", " : "", name);
    }
    igraph_vector_int_destroy(&others);
    igraph_vector_int_destroy(&types);
    igraph_strvector_destroy(&of_vertices);
    igraph_strvector_destroy(&of_graph);
    igraph_strvector_destroy(&all);
    return pci_igraph_fail(job->context, PC_ERR_DATA,
                           n > 0
                               ? "%s: edges have no '%s', but they have %s: call that '%s', or "
                                 "leave --weights out"
                               : "%s: edges have no '%s', or another number%s: leave --weights out",
                           job->path, job->format->weights[0], names, job->format->weights[0]);
}

static pc_status take_weights(reading *job, const pci_igraph_guard *guard,
                              const pci_igraph_text *text, const igraph_t *igraph)
{
    const char *attribute = NULL;
    for (int i = 1; i >= 0; i--) {
        const char *name = job->format->weights[i];
        if (name && igraph_cattribute_has_attr(igraph, IGRAPH_ATTRIBUTE_EDGE, name))
            attribute = name;
    }
    job->weights_ignored = attribute && !job->options.weights;
    if (!job->options.weights || job->edges.n_edges == 0)
        return PC_OK;
    if (!attribute)
        return text->is_matrix || job->options.weights == PC_WEIGHTS_IF_ANY
                   ? PC_OK
                   : fail_no_weight(job, guard, igraph);
    char where[1024];
    snprintf(where, sizeof where, "%s: ", job->path);
    return pci_igraph_edges_weigh(guard, igraph, attribute, job->options.real_weights, where,
                                  &job->edges);
}

/* What the scan counted must be what igraph read. */
static pc_status check_against_scan(const reading *job, const pci_igraph_text *text,
                                    const igraph_t *igraph, bool directed)
{
    if (igraph_vcount(igraph) == 0) {
        return pci_igraph_fail(job->context, PC_ERR_DATA, "%s: the graph has no vertices",
                               job->path);
    }
    uint64_t n_ids = (uint64_t)igraph_vcount(igraph);
    if (text->n_nodes != 0 && n_ids != text->n_nodes) {
        return pci_igraph_fail(job->context, PC_ERR_DATA,
                               "%s: <node> occurs %" PRIu64
                               " times, and nodes and edges have %" PRIu64 " different ids: %s",
                               job->path, text->n_nodes, n_ids,
                               n_ids > text->n_nodes ? "an end of an edge is the id of no <node>"
                                                     : "several <node> have the same id");
    }
    if (igraph_ecount(igraph) > 0 && igraph_is_directed(igraph) != directed) {
        return pci_igraph_fail(job->context, PC_ERR_DATA,
                               "%s: the edges of this file cannot be read as %s", job->path,
                               directed ? "directed" : "undirected");
    }
    return PC_OK;
}

static pc_status take_graph(reading *job, const pci_igraph_guard *guard,
                            const pci_igraph_text *text, const igraph_t *igraph)
{
    pc_status status;
    if ((status = pci_igraph_edges_init(guard, &job->edges)) ||
        (status = pci_igraph_edges_take(guard, igraph, &job->edges)) ||
        (status = take_labels(job, guard, text, igraph)) ||
        (status = take_weights(job, guard, text, igraph)))
        return status;
    if (guard->warning[0] != '\0')
        snprintf(job->edges.note, sizeof job->edges.note, "%s", guard->warning);
    return PC_OK;
}

static pc_status read_text(reading *job, const pci_igraph_guard *guard, const pci_igraph_text *text,
                           bool directed)
{
    igraph_t igraph;
    FILE *file = fmemopen((void *)text->bytes, text->n_bytes, "rb");
    if (!file)
        return pci_igraph_fail(job->context, PC_ERR_MEMORY, "%s: out of memory", job->path);
    igraph_error_t error = job->format->read(&igraph, file);
    fclose(file);
    if (error != IGRAPH_SUCCESS)
        return fail_read(job, text, guard);
    pc_status status = check_against_scan(job, text, &igraph, directed);
    if (status == PC_OK)
        status = take_graph(job, guard, text, &igraph);
    igraph_destroy(&igraph);
    return status;
}

static pc_status guarded_read(reading *job, pci_igraph_text *text)
{
    bool directed = text->stated == PC_DIRECTED || job->format->read_directed || text->keeps_order;
    pci_igraph_guard guard;
    igraph_vector_char_t copy;
    pci_igraph_enter(job->context, &guard);
    pc_status status = PC_OK;
    memset(&copy, 0, sizeof copy); /* destroying a vector of zeros does nothing */
    if (igraph_vector_char_init(&copy, 0) != IGRAPH_SUCCESS)
        status = pci_igraph_fail_call(&guard);
    if (status == PC_OK && job->format->has_entities)
        status = pci_igraph_decode_entities(text, &copy);
    if (status == PC_OK)
        status = read_text(job, &guard, text, directed);
    igraph_vector_char_destroy(&copy);
    pci_igraph_leave(&guard);
    return status;
}

pc_status pci_igraph_parse(pci_igraph_parsing *job, const char *bytes, size_t n_bytes)
{
    pci_igraph_text text = {.context = job->context,
                            .path = job->path,
                            .bytes = bytes,
                            .n_bytes = n_bytes,
                            .uses_weights = job->options.weights != 0,
                            .keeps_order = job->options.direction == PC_DIRECTED};
    pc_status status;
    if ((status = pci_igraph_scan_bytes(&text)) || (status = job->format->scan(&text)) ||
        (status = check_declared(job, &text)) || (status = pci_igraph_take_made(&text)))
        goto done;
    job->stated = text.stated;
    status = guarded_read(job, &text);
done:
    pci_igraph_text_destroy(&text);
    return status;
}

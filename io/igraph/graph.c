/* Graphs from an igraph_t: one of the program, or a famous one of igraph. Edges, labels and weights are copied to
 * containers of igraph, so that the graph can be built after the guard is left. igraph keeps numbers as doubles, so a
 * weight of 2^53 or more may differ from the number written, and is refused. */
#include "io/igraph/message.h"
#include "io/igraph/pathcount_igraph.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(igraph_integer_t) == sizeof(uint64_t), "igraph must be built for 64 bits");

static const double first_inexact = 0x1p53;

/* ---- The guard ------------------------------------------------------------------------------- */

/* The handlers of igraph get no user pointer, and Debian's build keeps them once for the process. So there is a mutex, and
 * the guard of the running call is in a variable of its thread. There is no other state. */
static pthread_mutex_t igraph_mutex = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local pci_igraph_guard *running;

/* Called once for each level of igraph that an error passes through; only the first one knows what
 * happened. IGRAPH_FINALLY_FREE is what an error handler that returns must do. */
static void keep_error(const char *reason, const char *file, int line, igraph_error_t error)
{
    (void)file;
    (void)line;
    if (running->error == IGRAPH_SUCCESS)
        running->error = error;
    if (running->message[0] == '\0')
        snprintf(running->message, sizeof running->message, "%s", reason);
    IGRAPH_FINALLY_FREE();
}

static void drop_warning(const char *reason, const char *file, int line)
{
    (void)reason;
    (void)file;
    (void)line;
}

void pci_igraph_enter(pc_context *context, pci_igraph_guard *guard)
{
    pthread_mutex_lock(&igraph_mutex);
    running = guard;
    guard->context = context;
    guard->error_handler = igraph_set_error_handler(keep_error);
    guard->warning_handler = igraph_set_warning_handler(drop_warning);
    guard->attribute_table = igraph_set_attribute_table(&igraph_cattribute_table);
    IGRAPH_FINALLY_ENTER(); /* an error in here must not free what the host has pending */
    guard->has_locale = igraph_enter_safelocale(&guard->locale) == IGRAPH_SUCCESS;
    guard->error = IGRAPH_SUCCESS;
    guard->message[0] = '\0';
}

void pci_igraph_leave(pci_igraph_guard *guard)
{
    if (guard->has_locale)
        igraph_exit_safelocale(&guard->locale);
    IGRAPH_FINALLY_EXIT();
    igraph_set_attribute_table(guard->attribute_table);
    igraph_set_warning_handler(guard->warning_handler);
    igraph_set_error_handler(guard->error_handler);
    running = NULL;
    pthread_mutex_unlock(&igraph_mutex);
}

pc_status pci_igraph_fail_call(const pci_igraph_guard *guard)
{
    if (guard->error == IGRAPH_ENOMEM)
        return pc_context_fail(guard->context, PC_ERR_MEMORY, "out of memory in igraph");
    return pci_igraph_fail(guard->context, PC_ERR_INTERNAL, "igraph failed: %s", guard->message);
}

pc_status pci_igraph_fail(pc_context *context, pc_status status, const char *format, ...)
{
    char sentence[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    return pc_context_fail(context, status, sentence);
}

/* All zero: destroying it does nothing. */
typedef struct edge_list {
    igraph_vector_int_t ends;  /* [2][n_edges]: from, then to */
    igraph_vector_t weights;   /* [n_edges] if has_weights */
    igraph_strvector_t labels; /* [n_vertices] if has_labels; else the vertices are 0, 1, ... */
    bool has_weights, has_labels;
    uint64_t n_vertices, n_edges;
} edge_list;

static pc_status take_edges(const pci_igraph_guard *guard, const igraph_t *igraph, edge_list *edges)
{
    /* The edge list, not adjacency: that has both ends of an undirected loop. */
    if (igraph_vector_int_init(&edges->ends, 0) || igraph_vector_init(&edges->weights, 0) ||
        igraph_strvector_init(&edges->labels, 0) || igraph_get_edgelist(igraph, &edges->ends, true))
        return pci_igraph_fail_call(guard);
    edges->n_vertices = (uint64_t)igraph_vcount(igraph);
    edges->n_edges = (uint64_t)igraph_ecount(igraph);
    return PC_OK;
}

/* The type of an attribute; false when there is none of that name. A graph made before igraph had
 * an attribute table has no place for them. */
static bool find_attribute(const igraph_t *igraph, igraph_attribute_elemtype_t element,
                           const char *attribute, igraph_attribute_type_t *type)
{
    return igraph->attr && igraph_cattribute_has_attr(igraph, element, attribute) &&
           igraph_cattribute_table.gettype(igraph, type, element, attribute) == IGRAPH_SUCCESS;
}

/* Integers are written without a point; a vertex without a number (NaN) has no text. */
static igraph_error_t labels_from_numbers(const igraph_t *igraph, const char *attribute,
                                          igraph_strvector_t *labels)
{
    igraph_vector_t numbers;
    igraph_error_t error = igraph_vector_init(&numbers, 0);
    if (error != IGRAPH_SUCCESS)
        return error;
    error = VANV(igraph, attribute, &numbers);
    if (error == IGRAPH_SUCCESS)
        error = igraph_strvector_resize(labels, igraph_vector_size(&numbers));
    for (igraph_integer_t v = 0; error == IGRAPH_SUCCESS && v < igraph_vector_size(&numbers); v++) {
        char text[64] = "";
        double number = VECTOR(numbers)[v];
        if (number == floor(number) && fabs(number) < first_inexact)
            snprintf(text, sizeof text, "%" PRId64, (int64_t)number);
        else if (!isnan(number))
            snprintf(text, sizeof text, "%.17g", number);
        error = igraph_strvector_set(labels, v, text);
    }
    igraph_vector_destroy(&numbers);
    return error;
}

static pc_status take_labels(const pci_igraph_guard *guard, const igraph_t *igraph,
                             const char *attribute, edge_list *edges)
{
    igraph_attribute_type_t type;
    igraph_error_t error = IGRAPH_SUCCESS;
    const char *fault = NULL;
    if (!find_attribute(igraph, IGRAPH_ATTRIBUTE_VERTEX, attribute, &type))
        fault = "there is no vertex attribute of that name";
    else if (type == IGRAPH_ATTRIBUTE_STRING)
        error = VASV(igraph, attribute, &edges->labels);
    else if (type == IGRAPH_ATTRIBUTE_NUMERIC)
        error = labels_from_numbers(igraph, attribute, &edges->labels);
    else
        fault = "it is neither text nor numbers";
    if (error != IGRAPH_SUCCESS)
        return pci_igraph_fail_call(guard);
    for (igraph_integer_t v = 0; !fault && v < igraph_strvector_size(&edges->labels); v++)
        if (*igraph_strvector_get(&edges->labels, v) == '\0')
            fault = "a vertex has none";
    edges->has_labels = !fault;
    return fault
               ? pci_igraph_fail(guard->context, PC_ERR_ARGUMENT,
                                 "the attribute %s cannot label the vertices: %s", attribute, fault)
               : PC_OK;
}

/* ---- Weights --------------------------------------------------------------------------------- */

static const char *label_of(const edge_list *edges, igraph_integer_t vertex, char buffer[32])
{
    if (edges->has_labels)
        return igraph_strvector_get(&edges->labels, vertex);
    snprintf(buffer, 32, "%" PRId64, (int64_t)vertex);
    return buffer;
}

static pc_status fail_weight(const pci_igraph_guard *guard, const edge_list *edges, uint64_t e)
{
    char from[32], to[32], fault[120];
    double weight = VECTOR(edges->weights)[e];
    if (isnan(weight))
        snprintf(fault, sizeof fault, "has no weight that is a number: give each edge one");
    else if (weight >= first_inexact)
        snprintf(fault, sizeof fault,
                 "has weight %.17g, and igraph keeps none above 2^53-1 exactly", weight);
    else
        snprintf(fault, sizeof fault,
                 "has weight %.17g: counts need integers >= 0; --markov and --katz take decimals",
                 weight);
    return pci_igraph_fail(guard->context, PC_ERR_DATA, "the edge from %s to %s %s",
                           label_of(edges, VECTOR(edges->ends)[e], from),
                           label_of(edges, VECTOR(edges->ends)[edges->n_edges + e], to), fault);
}

/* Integers, or where decimals are taken any numbers from 0 on. */
static pc_status take_weights(const pci_igraph_guard *guard, const igraph_t *igraph,
                              const char *attribute, bool takes_decimals, edge_list *edges)
{
    igraph_attribute_type_t type;
    if (!find_attribute(igraph, IGRAPH_ATTRIBUTE_EDGE, attribute, &type))
        return pci_igraph_fail(guard->context, PC_ERR_ARGUMENT, "no edge attribute is called %s",
                               attribute);
    if (type != IGRAPH_ATTRIBUTE_NUMERIC)
        return pci_igraph_fail(guard->context, PC_ERR_DATA, "the edge attribute %s is not a number",
                               attribute);
    if (EANV(igraph, attribute, &edges->weights) != IGRAPH_SUCCESS)
        return pci_igraph_fail_call(guard);
    for (uint64_t e = 0; e < edges->n_edges; e++) {
        double weight = VECTOR(edges->weights)[e];
        if (!(weight >= 0 && weight < first_inexact && (takes_decimals || weight == floor(weight))))
            return fail_weight(guard, edges, e);
    }
    edges->has_weights = true;
    return PC_OK;
}

/* ---- Graphs ---------------------------------------------------------------------------------- */

/* Destroys the edges, whatever the status. */
static pc_status build(pc_context *context, edge_list *edges, pc_direction stated,
                       const char *format, const pc_graph_options *options, pc_status status,
                       pc_graph **graph)
{
    const uint64_t *ends = (const uint64_t *)VECTOR(edges->ends);
    const pc_edges given = {
        .n_vertices = edges->n_vertices,
        .labels = edges->has_labels ? (const char *const *)edges->labels.stor_begin : NULL,
        .n_edges = edges->n_edges,
        .from = ends,
        .to = ends + edges->n_edges,
        .real_weight = edges->has_weights ? VECTOR(edges->weights) : NULL,
        .stated = stated,
        .format = format,
    };
    if (status == PC_OK)
        status = pc_graph_from_edges(context, &given, options, graph);
    if (edges->labels.stor_begin)
        igraph_strvector_destroy(&edges->labels);
    igraph_vector_destroy(&edges->weights);
    igraph_vector_int_destroy(&edges->ends);
    return status;
}

pc_status pc_graph_from_igraph(pc_context *context, const igraph_t *igraph,
                               const char *label_attribute, const char *weight_attribute,
                               const pc_graph_options *options, pc_graph **graph)
{
    if (!context || !igraph || !graph)
        return pc_context_fail(context, PC_ERR_ARGUMENT, "igraph or graph is NULL");
    bool directed = igraph_is_directed(igraph);
    bool takes_decimals = options && options->real_weights;
    if (!directed && options && options->direction == PC_DIRECTED)
        return pc_context_fail(context, PC_ERR_ARGUMENT,
                               "an undirected igraph graph does not keep which end of an edge came "
                               "first: make it directed with igraph_to_directed()");
    pci_igraph_guard guard;
    edge_list edges = {0};
    pc_status status = PC_OK;
    pci_igraph_enter(context, &guard);
    if ((label_attribute || weight_attribute) && guard.attribute_table != &igraph_cattribute_table)
        status = pc_context_fail(context, PC_ERR_ARGUMENT,
                                 "attributes can be read only where the program has called "
                                 "igraph_set_attribute_table(&igraph_cattribute_table)");
    if (status == PC_OK)
        status = take_edges(&guard, igraph, &edges);
    if (status == PC_OK && label_attribute)
        status = take_labels(&guard, igraph, label_attribute, &edges);
    if (status == PC_OK && weight_attribute)
        status = take_weights(&guard, igraph, weight_attribute, takes_decimals, &edges);
    pci_igraph_leave(&guard);
    return build(context, &edges, directed ? PC_DIRECTED : PC_UNDIRECTED, "igraph", options, status,
                 graph);
}

/* Those of igraph 0.10. */
static const char known[] =
    "Bull, Chvatal, Coxeter, Cubical, Diamond, Dodecahedral, Folkman, Franklin, Frucht, Grotzsch, "
    "Heawood, Herschel, House, HouseX, Icosahedral, Krackhardt_Kite, Levi, McGee, Meredith, "
    "Noperfectmatching, Nonline, Octahedral, Petersen, Robertson, Smallestcyclicgroup, "
    "Tetrahedral, Thomassen, Tutte, Uniquely3colorable, Walther, Zachary";

pc_status pc_igraph_famous(pc_context *context, const char *name, pc_graph **graph)
{
    if (!context || !name || !graph)
        return pc_context_fail(context, PC_ERR_ARGUMENT, "name or graph is NULL");
    pci_igraph_guard guard;
    edge_list edges = {0};
    igraph_t igraph;
    pc_status status;
    pci_igraph_enter(context, &guard);
    if (igraph_famous(&igraph, name) == IGRAPH_SUCCESS) {
        status = take_edges(&guard, &igraph, &edges);
        igraph_destroy(&igraph);
    } else if (guard.error == IGRAPH_EINVAL) { /* which is said of unknown names */
        status = pci_igraph_fail(context, PC_ERR_ARGUMENT,
                                 "no famous graph is called '%.40s': there are %s", name, known);
    } else {
        status = pci_igraph_fail_call(&guard);
    }
    pci_igraph_leave(&guard);
    return build(context, &edges, PC_UNDIRECTED, "famous graph", NULL, status, graph);
}

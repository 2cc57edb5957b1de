/* Edges, labels and weights from an igraph_t. igraph keeps numbers as doubles, so a weight of 2^53
 * or more may differ from the number written, and is refused. */
#include "graphs/igraph_edges.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(igraph_integer_t) == sizeof(uint64_t), "igraph must be built for 64 bits");

static const double first_inexact = 9007199254740992.0; /* 2^53 */

pc_status pci_igraph_edges_init(const pci_igraph_guard *guard, pci_igraph_edges *edges)
{
    memset(edges, 0, sizeof *edges);
    if (igraph_vector_int_init(&edges->ends, 0) || igraph_vector_init(&edges->weights, 0) ||
        igraph_strvector_init(&edges->labels, 0))
        return pci_igraph_fail_call(guard);
    return PC_OK;
}

void pci_igraph_edges_destroy(pci_igraph_edges *edges)
{
    if (edges->labels.stor_begin)
        igraph_strvector_destroy(&edges->labels);
    igraph_vector_destroy(&edges->weights);
    igraph_vector_int_destroy(&edges->ends);
}

pc_status pci_igraph_edges_take(const pci_igraph_guard *guard, const igraph_t *igraph,
                                pci_igraph_edges *edges)
{
    /* The edge list, not adjacency: that has both ends of an undirected loop. */
    if (igraph_get_edgelist(igraph, &edges->ends, true) != IGRAPH_SUCCESS)
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

/* A number as label text: integers without a point; "" for none (NaN). */
static void number_text(double number, char *text, size_t size)
{
    if (isnan(number))
        text[0] = '\0';
    else if (number == floor(number) && fabs(number) < first_inexact)
        snprintf(text, size, "%" PRId64, (int64_t)number);
    else
        snprintf(text, size, "%.17g", number);
}

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
        char text[64];
        number_text(VECTOR(numbers)[v], text, sizeof text);
        error = igraph_strvector_set(labels, v, text);
    }
    igraph_vector_destroy(&numbers);
    return error;
}

static int compare_labels(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Why labels cannot name the vertices, in *fault; NULL when they can. */
static igraph_error_t find_label_fault(const igraph_strvector_t *labels, const char **fault)
{
    igraph_integer_t n = igraph_strvector_size(labels);
    *fault = NULL;
    igraph_vector_ptr_t sorted;
    igraph_error_t error = igraph_vector_ptr_init(&sorted, n);
    if (error != IGRAPH_SUCCESS)
        return error;
    for (igraph_integer_t v = 0; v < n; v++)
        VECTOR(sorted)[v] = (void *)igraph_strvector_get(labels, v);
    igraph_vector_ptr_sort(&sorted, compare_labels);
    if (n > 0 && *(const char *)VECTOR(sorted)[0] == '\0')
        *fault = "a vertex has none";
    for (igraph_integer_t v = 1; !*fault && v < n; v++)
        if (strcmp(VECTOR(sorted)[v - 1], VECTOR(sorted)[v]) == 0)
            *fault = "two vertices share one";
    igraph_vector_ptr_destroy(&sorted);
    return IGRAPH_SUCCESS;
}

pc_status pci_igraph_edges_label(const pci_igraph_guard *guard, const igraph_t *igraph,
                                 const char *attribute, pci_igraph_edges *edges, const char **fault)
{
    igraph_attribute_type_t type;
    igraph_error_t error;
    if (!find_attribute(igraph, IGRAPH_ATTRIBUTE_VERTEX, attribute, &type)) {
        *fault = "there is no vertex attribute of that name";
        return PC_OK;
    }
    if (type == IGRAPH_ATTRIBUTE_STRING) {
        error = VASV(igraph, attribute, &edges->labels);
    } else if (type == IGRAPH_ATTRIBUTE_NUMERIC) {
        error = labels_from_numbers(igraph, attribute, &edges->labels);
    } else {
        *fault = "it is neither text nor numbers";
        return PC_OK;
    }
    if (error == IGRAPH_SUCCESS)
        error = find_label_fault(&edges->labels, fault);
    if (error != IGRAPH_SUCCESS)
        return pci_igraph_fail_call(guard);
    edges->has_labels = !*fault;
    return PC_OK;
}

pc_status pci_igraph_edges_number(const pci_igraph_guard *guard, uint64_t first,
                                  pci_igraph_edges *edges)
{
    igraph_error_t error =
        igraph_strvector_resize(&edges->labels, (igraph_integer_t)edges->n_vertices);
    for (uint64_t v = 0; error == IGRAPH_SUCCESS && v < edges->n_vertices; v++) {
        char text[32];
        snprintf(text, sizeof text, "%" PRIu64, first + v);
        error = igraph_strvector_set(&edges->labels, (igraph_integer_t)v, text);
    }
    if (error != IGRAPH_SUCCESS)
        return pci_igraph_fail_call(guard);
    edges->has_labels = true;
    return PC_OK;
}

static const char *label_of(const pci_igraph_edges *edges, igraph_integer_t vertex, char *buffer,
                            size_t size)
{
    if (edges->has_labels)
        return igraph_strvector_get(&edges->labels, vertex);
    snprintf(buffer, size, "%" PRId64, (int64_t)vertex);
    return buffer;
}

static pc_status fail_weight(const pci_igraph_guard *guard, const pci_igraph_edges *edges,
                             uint64_t e, double weight, const char *where)
{
    char from[32], to[32], fault[120];
    if (isnan(weight)) {
        snprintf(fault, sizeof fault, "has no weight that is a number: give each edge one");
    } else if (weight >= first_inexact) {
        snprintf(fault, sizeof fault,
                 "has weight %.17g, and igraph keeps none above 2^53-1 exactly", weight);
    } else {
        snprintf(fault, sizeof fault,
                 "has weight %.17g: counts need integers >= 0; --markov and --katz take decimals",
                 weight);
    }
    return pci_igraph_fail(guard->context, PC_ERR_DATA, "%sthe edge from %s to %s %s", where,
                           label_of(edges, VECTOR(edges->ends)[e], from, sizeof from),
                           label_of(edges, VECTOR(edges->ends)[edges->n_edges + e], to, sizeof to),
                           fault);
}

/* Integers, or where decimals are taken any numbers from 0 on. */
static pc_status check_weights(const pci_igraph_guard *guard, bool takes_decimals,
                               const char *where, pci_igraph_edges *edges)
{
    for (uint64_t e = 0; e < edges->n_edges; e++) {
        double weight = VECTOR(edges->weights)[e];
        if (!(weight >= 0 && weight < first_inexact && (takes_decimals || weight == floor(weight))))
            return fail_weight(guard, edges, e, weight, where);
    }
    edges->has_weights = true;
    return PC_OK;
}

pc_status pci_igraph_edges_weigh(const pci_igraph_guard *guard, const igraph_t *igraph,
                                 const char *attribute, bool takes_decimals, const char *where,
                                 pci_igraph_edges *edges)
{
    igraph_attribute_type_t type;
    if (!find_attribute(igraph, IGRAPH_ATTRIBUTE_EDGE, attribute, &type)) {
        return pci_igraph_fail(guard->context, PC_ERR_ARGUMENT, "%sno edge attribute is called %s",
                               where, attribute);
    }
    if (type != IGRAPH_ATTRIBUTE_NUMERIC) {
        return pci_igraph_fail(guard->context, PC_ERR_DATA,
                               "%sthe edge attribute %s is not a number", where, attribute);
    }
    if (EANV(igraph, attribute, &edges->weights) != IGRAPH_SUCCESS)
        return pci_igraph_fail_call(guard);
    return check_weights(guard, takes_decimals, where, edges);
}

pc_status pci_igraph_edges_build(pc_context *context, const pci_igraph_edges *edges,
                                 pc_direction stated, bool weights_ignored, const char *format,
                                 const pc_graph_options *options, pc_graph **graph)
{
    const uint64_t *ends = (const uint64_t *)VECTOR(edges->ends);
    pc_edges given = {
        .n_vertices = edges->n_vertices,
        .labels = edges->has_labels ? (const char *const *)edges->labels.stor_begin : NULL,
        .n_edges = edges->n_edges,
        .from = ends,
        .to = ends + edges->n_edges,
        .real_weight = edges->has_weights ? VECTOR(edges->weights) : NULL,
        .stated = stated,
        .weights_ignored = weights_ignored,
        .format = format,
        .note = edges->note,
    };
    return pc_graph_from_edges(context, &given, options, graph);
}

/* pathcount: edges with a text each, such as the kind of a relation or a time. The rules are those of pathcount.h. */
#ifndef PATHCOUNT_LABELLED_H
#define PATHCOUNT_LABELLED_H

#include "pathcount.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Unlike those of a graph, edges with the same ends stay apart when their texts differ. An edge that is given again with
 * the same text is dropped, or adds where the options say multigraph. An undirected edge has its text both ways. */
typedef struct pc_labelled_edges pc_labelled_edges;

/* Reads the edges of a file as pc_graph_read does, and their texts. These are a column of an edge list, which is its name in the
 * header or its number from 1 on; the relations of SIF or Pajek, which are "relation", "interaction" or column 2, and in Pajek
 * names or, without a name, numbers; or an attribute of edges of GraphML. The ends are the first two other columns, unless
 * options or a header name them. Errors as of pc_graph_read; PC_ERR_DATA for other formats and for an edge without a text;
 * PC_ERR_ARGUMENT for weights that may have decimals. */
pc_status pc_labelled_edges_read(pc_context *context, const char *path, pc_format format,
                                 const pc_graph_options *options, const char *column,
                                 pc_labelled_edges **labelled);

/* Labelled edges from arrays, which are copied. Edge e has the text texts[text[e]], where texts[n_texts] are all different.
 * Errors as of pc_graph_from_edges; PC_ERR_ARGUMENT for an edge whose text is out of range. */
pc_status pc_labelled_edges_from_edges(pc_context *context, const pc_edges *edges, uint64_t n_texts,
                                       const char *const *texts, const uint64_t *text,
                                       const pc_graph_options *options,
                                       pc_labelled_edges **labelled);

void pc_labelled_edges_free(pc_labelled_edges *labelled);

/* The graph of these edges without their texts: multiplicities add. Its facts count an edge once for each text. */
pc_status pc_labelled_edges_graph(pc_context *context, const pc_labelled_edges *labelled,
                                  pc_graph **graph);

/* Facts as of the graph of these edges, which counts an edge once for each of its texts. */
void pc_labelled_edges_get_info(const pc_labelled_edges *labelled, pc_graph_info *info);

/* The labels of the vertices, and the texts. */
const pc_labels *pc_labelled_edges_labels(const pc_labelled_edges *labelled);
const pc_labels *pc_labelled_edges_texts(const pc_labelled_edges *labelled);

/* PC_ERR_CERTIFY when the edges in memory are no longer those that were read. */
pc_status pc_labelled_edges_check(pc_context *context, const pc_labelled_edges *labelled);

/* The edges as pc_graph_arcs has arcs, but that a column is in a row once for each text, and *text[n_arcs], the numbers of
 * their texts. */
void pc_labelled_edges_arcs(const pc_labelled_edges *labelled, pc_arcs *arcs,
                            const uint32_t **text);

#ifdef __cplusplus
}
#endif

#endif

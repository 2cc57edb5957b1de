/* pathcount: walks whose labels match a pattern. The rules are those of pathcount.h. */
#ifndef PATHCOUNT_MATCH_H
#define PATHCOUNT_MATCH_H

#include "pathcount_labelled.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A graph and a query of it whose answer is that of a query about the walks of labelled edges that match a pattern. */
typedef struct pc_match pc_match;

/* The labels of the edges of a walk, in their order, are to be a word of the pattern; each walk counts once. A pattern is
 * made of labels, which stand in single or double quotes unless they are letters, digits, _, - and :, and of these:
 *
 *     .       any label            A B, A/B   A, then B       A* A+ A?        any number, 1 or more, 0 or 1
 *     ()      the empty walk       A|B        one of both     A{3} A{3,5}     3 times, 3 to 5 times
 *
 * The query is one of rows, pairs, sums, the total, or the diagonal, of all paths. The graph has a vertex for each
 * vertex and state of a deterministic automaton that a walk from a vertex that is asked for can reach, and that can reach
 * the end of one: as few as that, and each with its arcs. The query of it is one of pairs, whose n_asked answers are the
 * entries of the answer to the query, row by row. It may be asked with any options, kept for a recurrence, and so on.
 *
 * PC_ERR_ARGUMENT for a pattern that is none, and a position in it; for a label that no edge has; for a pattern that needs
 * more than 4096 states, and for other queries. PC_ERR_MEMORY before the graph is made. PC_ERR_RANGE where the
 * multiplicities of arcs add up to more than 2^64-1. */
pc_status pc_match_create(pc_context *context, const pc_labelled_edges *labelled,
                          const char *pattern, const pc_query *query, pc_match **match);
void pc_match_free(pc_match *match);

/* Both belong to the match. NULL for NULL. */
const pc_graph *pc_match_graph(const pc_match *match);
const pc_query *pc_match_query(const pc_match *match);

#ifdef __cplusplus
}
#endif

#endif

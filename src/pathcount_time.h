/* pathcount: walks in time (temporal, time-respecting walks). The rules are those of pathcount.h.
 *
 * Edges whose texts are times are events. A walk of length k is k events, each of which begins where the one before it ended,
 * later than that by more than 0 and at most the wait. Events of one time do not follow each other, so walks have finitely
 * many lengths. */
#ifndef PATHCOUNT_TIME_H
#define PATHCOUNT_TIME_H

#include "pathcount_labelled.h"
#include "pathcount_spc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Answers a query about walks in time, and keeps the answers as pc_plan_collect does. Times and wait are integers or
 * decimals, times also dates of ISO 8601, which are seconds since 1970; wait NULL: any. Each length is a pass over the events, and so are all lengths, added up (up_to, and a length of at
 * least the number of events). Pairs from one vertex share their passes where they follow each other. Exact, of any
 * width, or modulo a number; certified. options NULL means defaults, and its method must be PC_METHOD_AUTO. PC_ERR_ARGUMENT
 * for other paths than all, blocks, doubles, and a wait that is no number; PC_ERR_DATA for a text that is no time of at most
 * 18 digits, or two texts for one time; PC_ERR_RANGE for 2^32 events and vertices, PC_ERR_MEMORY, PC_ERR_CERTIFY,
 * PC_ERR_CANCELLED. */
pc_status pc_time_walks(pc_context *context, const pc_labelled_edges *events, const pc_query *query,
                        const char *wait, const pc_count_options *options, pc_counts **answers);

/* The weight of an event is the number of walks in time along it, of 1 event or more. Those of PC_SPC cannot be made longer:
 * their first event follows none, and none follows their last one. Walks of PC_SPLC begin with any event, and those of
 * PC_SPNP end with any, too. *weights is m x 1, in the order of pc_labelled_edges_arcs, an undirected edge in both directions;
 * all else, and errors, as of pc_search_path_counts and pc_time_walks. */
pc_status pc_time_path_counts(pc_context *context, const pc_labelled_edges *events,
                              pc_search_paths paths, const char *wait, pc_counts **weights,
                              pc_counts **total);

/* Finds a main path as pc_main_path does, among the walks in time that cannot be made longer. arc has room for as many as there
 * are events. The first of several such walks is taken: events are compared one by one in their order. */
pc_status pc_time_main_path(pc_context *context, const pc_labelled_edges *events, const char *wait,
                            const pc_counts *weights, pc_main_path_search search, uint64_t *arc,
                            pc_counts **path);

#ifdef __cplusplus
}
#endif

#endif

/* pathcount: walks in time over events (temporal, time-respecting walks). The rules are those of pathcount.h.
 *
 * An event leads from one vertex to another at a time. A walk of length k is k events, each of which begins where the one
 * before it ended, later than that by more than 0 and at most `wait`. Events of one time do not follow each other, so walks
 * have finitely many lengths. */
#ifndef PATHCOUNT_TIME_H
#define PATHCOUNT_TIME_H

#include "pathcount.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pc_events pc_events;

typedef struct pc_event_list {
    uint64_t n_vertices, n_events;
    const uint64_t *from, *to; /* [n_events], below n_vertices */
    const int64_t *time;       /* [n_events], in any order */
    const uint64_t *weight;    /* [n_events] multiplicities, 0 is no event; NULL: 1 each */
    int undirected;            /* 1: an event is one each way, a loop is one */
    int multigraph; /* 0: an event given again (same ends, same time) is dropped; 1: multiplicities add */
} pc_event_list;

/* The arrays are copied. PC_ERR_ARGUMENT when a vertex is out of range, PC_ERR_DATA when an event is given again with another
 * multiplicity and multigraph is 0, PC_ERR_RANGE when multiplicities pass 2^64-1 or there are 2^32 events and vertices,
 * PC_ERR_MEMORY. */
pc_status pc_events_from_arrays(pc_context *context, const pc_event_list *list, pc_events **events);
void pc_events_free(pc_events *events);

typedef struct pc_events_info {
    uint64_t n_events;     /* distinct ones; an undirected one is one */
    uint64_t n_duplicates; /* dropped, or added to others */
    int64_t first, last;   /* times, 10^decimals of them a unit of the file; 0 without events */
    uint32_t decimals;     /* 0 of arrays */
    const pc_graph *graph; /* the vertices and their labels, without arcs; part of the events */
} pc_events_info;

void pc_events_get_info(const pc_events *events, pc_events_info *info);

#define PC_ANY_WAIT UINT64_MAX

/* The length of the longest walk: all lengths are those up to it. PC_ERR_MEMORY. */
pc_status pc_events_longest_walk(pc_context *context, const pc_events *events, uint64_t wait,
                                 uint64_t *length);

/* Answers a query about walks in time, and keeps the answers as pc_plan_collect does; each may stand with a matrix. Each
 * length is a pass over the events. All lengths added up (up_to, and a length not below that of the longest walk) are one
 * pass. Exact, of any width, or modulo a number; certified. options NULL means defaults; of method, only AUTO.
 * PC_ERR_ARGUMENT for other paths than all, blocks and doubles, PC_ERR_MEMORY, PC_ERR_CERTIFY, PC_ERR_CANCELLED. */
pc_status pc_events_count(pc_context *context, const pc_events *events, const pc_query *query,
                          uint64_t wait, const pc_count_options *options, pc_counts **answers);

#ifdef __cplusplus
}
#endif

#endif

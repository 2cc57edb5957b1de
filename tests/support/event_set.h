/* Random events for tests of walks in time, and the labelled edges of them. */
#ifndef TEST_EVENT_SET_H
#define TEST_EVENT_SET_H

#include "pathcount_time.h"
#include "tests/support/fixture.h"

RELEASE_BY_FREE(pc_labelled_edges)

#define ANY_WAIT UINT64_MAX

enum { N_LOOPS = 250, TEXT_BYTES = 32, MOST_EVENT_VERTICES = 5, MOST_EVENTS = 12 };

typedef struct event_set {
    uint64_t n, n_events;
    uint64_t from[MOST_EVENTS], to[MOST_EVENTS], weight[MOST_EVENTS];
    int64_t time[MOST_EVENTS];
    bool undirected, multigraph, has_weights, is_tenths;
} event_set;

event_set any_events(random_source *source);

/* The text of an integer, or of a tenth of it. */
void write_time(int64_t time, bool is_tenths, char text[TEXT_BYTES]);

/* The labelled edges of events whose times are integers, or tenths. */
pc_status load_events(pc_context *on, pc_edges edges, const int64_t *time, bool is_tenths,
                      const pc_graph_options *options, pc_labelled_edges **events);

pc_status make_events(pc_context *on, const event_set *s, pc_labelled_edges **events);

/* Loops at one vertex, one a time, N_LOOPS of them. */
pc_status make_loops(pc_context *on, uint64_t weight, pc_labelled_edges **events);

#endif

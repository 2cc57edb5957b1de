/* Events in order of time. */
#ifndef PCI_EVENTS_H
#define PCI_EVENTS_H

#include "pathcount_time.h"

#include "graphs/graph.h"

struct pc_events {
    pc_context *context;
    pc_graph *graph;     /* its vertices have the labels, and there are no arcs */
    uint64_t n;          /* with both ways of undirected events */
    uint32_t *from, *to; /* [n] */
    int64_t *time;       /* [n]: ascending */
    uint64_t *weight;    /* [n]: at least 1 */
    uint64_t seal;       /* a checksum of these arrays */
    pc_events_info info;
};

/* The same from a list whose vertices are those of graph, which is taken over whatever the status. */
pc_status pci_events_make(pc_context *context, const pc_event_list *list, pc_graph *graph,
                          pc_events **events);

/* PC_ERR_CERTIFY when the events in memory are no longer those that were made. */
pc_status pci_events_check(pc_context *context, const pc_events *events);

#endif

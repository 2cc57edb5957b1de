/* Events, and passes over them in the order of time that add up numbers of walks. */
#ifndef PCI_EVENTS_H
#define PCI_EVENTS_H

#include "graphs/builder.h"

typedef struct pci_event {
    uint64_t weight;
    uint32_t from, to, arc; /* of the labelled edges */
} pci_event;

/* The events of labelled edges, by time. */
typedef struct pci_events {
    pc_context *context;
    const pc_graph *graph; /* of the edges */
    uint64_t n;
    pci_event *event;    /* [n] */
    uint64_t *time;      /* [n] 2^63 more than the integer: words have the order of times */
    uint64_t *text_time; /* [texts]: the time that each is, behind time */
    uint64_t wait;       /* the longest; UINT64_MAX: any */
    uint32_t decimals;   /* of times and wait */
} pci_events;

/* wait: NULL for any. Events are freed whatever the status. PC_ERR_DATA for a text that is no time, or two texts for one
 * time; PC_ERR_ARGUMENT for a wait that is no number, PC_ERR_RANGE for 2^32 events and vertices, PC_ERR_MEMORY. */
pc_status pci_events_take(pc_context *context, const pc_graph *graph, const char *wait,
                          pci_events *events);

/* PC_ERR_CERTIFY when they are not those of the edges. */
pc_status pci_events_check(const pci_events *events);
void pci_events_free(pci_events *events);

/* ---- Numbers --------------------------------------------------------------------------------- */

typedef struct pci_numbers {
    pc_context *context;
    uint64_t n;
    size_t n_words;  /* of a number */
    uint64_t *words; /* [n + 1][n_words]: the last one is scratch */
} pci_numbers;

/* All are 0; those that were there are freed. PC_ERR_MEMORY. */
pc_status pci_numbers_make(pc_context *context, uint64_t n, size_t n_words, pci_numbers *x);

/* Adds a number to number i, exactly where the modulus is 0: then one word more has room for all sums. PC_ERR_MEMORY. */
pc_status pci_numbers_add(pci_numbers *x, uint64_t i, const uint64_t *number, size_t n,
                          uint64_t modulus);

/* ---- Timelines ------------------------------------------------------------------------------- */

/* The places of sums. Those of vertex v are from first[v] on: 0, and one more for each event into v. */
typedef struct pci_timeline {
    const pci_events *events;
    bool
        is_backward; /* the last event comes first, and events lead from their ends to their beginnings */
    uint32_t *first;      /* [vertices + 1] */
    uint32_t *after;      /* [n]: the place of the sum with an event */
    uint32_t *low, *high; /* [n]: the event follows those after place low, up to place high */
} pci_timeline;

/* PC_ERR_MEMORY. */
pc_status pci_timeline_make(const pci_events *events, bool is_backward, pci_timeline *timeline);

static inline pci_event pci_timeline_event(const pci_timeline *timeline, uint64_t i)
{
    const pci_events *events = timeline->events;
    pci_event e = events->event[timeline->is_backward ? events->n - 1 - i : i];
    return timeline->is_backward ? (pci_event){e.weight, e.to, e.from, e.arc} : e;
}

/* ---- Passes ---------------------------------------------------------------------------------- */

typedef struct pci_pass {
    const pci_timeline *timeline;
    const uint64_t *start; /* [vertices]: walks that begin at a vertex count so often */
    const uint64_t *begin; /* [n]: those that begin with an event, in place of start; NULL: none */
    uint64_t modulus;      /* 0: exact */
    const char *stage;
    double progress;
} pci_pass;

/* Makes the sums of walks that go on from those of in, NULL: from none, and of those that begin if begins. in and out may be
 * the same: then walks of all lengths are added up. PC_ERR_MEMORY, PC_ERR_CANCELLED. */
pc_status pci_pass_make(const pci_pass *pass, const pci_numbers *in, bool begins, pci_numbers *out);

#endif

/* Events: sorted by time, each once. */
#include "src/series/events.h"

#include "graphs/sort.h"
#include "src/core/checksum.h"

#include <inttypes.h>
#include <string.h>

static const uint64_t SIGN = UINT64_C(1) << 63; /* times are sorted as words */

/* ---- The order ------------------------------------------------------------------------------- */

/* The ends of an event as one word, the same for both ways of an undirected one. */
static uint64_t ends_of(const pc_event_list *list, uint64_t e)
{
    uint64_t from = list->from[e], to = list->to[e];
    return list->undirected && to < from ? to << 32 | from : from << 32 | to;
}

/* Sorts the events that items list by time, and those of one time by their ends. */
static void sort_events(const pc_event_list *list, uint64_t n, pci_sort_items items,
                        pci_sort_items spare)
{
    for (uint64_t i = 0; i < n; i++)
        items.key[i] = ends_of(list, items.companion[i]);
    pci_sort(items, spare, n, pci_differing_bits(items.key, n));
    for (uint64_t i = 0; i < n; i++)
        items.key[i] = (uint64_t)list->time[items.companion[i]] ^ SIGN;
    pci_sort(items, spare, n, pci_differing_bits(items.key, n));
}

static pc_status check_list(pc_context *context, const pc_event_list *list)
{
    if (list->n_events && (!list->from || !list->to || !list->time))
        return pci_fail_null(context, "pc_events_from_arrays: from, to or time");
    if (list->n_vertices >= UINT32_MAX || list->n_events >= UINT32_MAX / 2 ||
        list->n_vertices + 2 * list->n_events >= UINT32_MAX)
        return pci_fail(context, PC_ERR_RANGE,
                        "%" PRIu64 " events between %" PRIu64
                        " vertices are too many: both ways of each event and the vertices must be "
                        "fewer than 2^32",
                        list->n_events, list->n_vertices);
    for (uint64_t e = 0; e < list->n_events; e++)
        if (list->from[e] >= list->n_vertices || list->to[e] >= list->n_vertices)
            return pci_fail(context, PC_ERR_ARGUMENT,
                            "event %" PRIu64 " leads from vertex %" PRIu64 " to %" PRIu64
                            ", and there are %" PRIu64 " vertices",
                            e, list->from[e], list->to[e], list->n_vertices);
    return PC_OK;
}

/* ---- The events ------------------------------------------------------------------------------ */

/* Adds event e of the list, which follows those that are there in the order. */
static pc_status add(pc_events *events, const pc_event_list *list, uint64_t e, uint64_t *last)
{
    uint64_t weight = list->weight ? list->weight[e] : 1, ends = ends_of(list, e), n = events->n;
    bool is_again =
        *last != UINT64_MAX && list->time[*last] == list->time[e] && ends_of(list, *last) == ends;
    uint32_t from = (uint32_t)(ends >> 32), to = (uint32_t)ends;
    int n_ways = list->undirected && from != to ? 2 : 1;
    if (is_again && list->multigraph && weight > UINT64_MAX - events->weight[n - 1])
        return pci_fail(events->context, PC_ERR_RANGE,
                        "the multiplicities of the events from vertex %" PRIu32 " to %" PRIu32
                        " at time %" PRIi64 " pass 2^64-1",
                        from, to, list->time[e]);
    if (is_again && !list->multigraph && weight != events->weight[n - 1])
        return pci_fail(events->context, PC_ERR_DATA,
                        "the event from vertex %" PRIu32 " to %" PRIu32 " at time %" PRIi64
                        " is given again with another multiplicity; --multigraph adds them",
                        from, to, list->time[e]);
    events->info.n_duplicates += is_again;
    events->info.n_events += !is_again;
    *last = e;
    for (int way = 0; way < n_ways; way++) {
        if (is_again) {
            events->weight[n - 1 - (uint64_t)way] += list->multigraph ? weight : 0;
            continue;
        }
        events->from[n] = way ? to : from;
        events->to[n] = way ? from : to;
        events->time[n] = list->time[e];
        events->weight[n] = weight;
        events->n = ++n;
    }
    return PC_OK;
}

static uint64_t checksum_of(const pc_events *events)
{
    uint64_t n = events->n, sum = pci_checksum(events->from, n * sizeof *events->from, n);
    sum = pci_checksum(events->to, n * sizeof *events->to, sum);
    sum = pci_checksum(events->time, n * sizeof *events->time, sum);
    return pci_checksum(events->weight, n * sizeof *events->weight, sum);
}

pc_status pci_events_check(pc_context *context, const pc_events *events)
{
    if (checksum_of(events) != events->seal)
        return pci_fail_check(context, "the events in memory, which are no longer those given,");
    return pc_graph_check(context, events->graph);
}

pc_status pci_events_make(pc_context *context, const pc_event_list *list, pc_graph *graph,
                          pc_events **events)
{
    pc_events *made = pci_alloc_zero(context, 1, sizeof *made);
    pc_status status = made ? PC_OK : pci_fail_memory(context, "events", sizeof *made);
    uint64_t *room = NULL, n = 0, last = UINT64_MAX, n_given = list->n_events;
    if (made)
        *made = (pc_events){.context = context, .graph = graph};
    else
        pc_graph_free(graph);
    if (status == PC_OK)
        status = check_list(context, list);
    size_t n_arcs = n_given * (list->undirected ? 2 : 1) + 1;
    double bytes = 24.0 * (double)n_arcs + 32.0 * (double)n_given;
    if (status == PC_OK && pci_memory_has(context, bytes)) {
        made->weight = pci_alloc(context, n_arcs * 24);
        room = pci_alloc(context, (n_given + 1) * 32);
    }
    if (status == PC_OK && (!made->weight || !room))
        status = pci_fail_memory(context, "events", (size_t)bytes);
    if (status == PC_OK) {
        made->time = (int64_t *)(made->weight + n_arcs);
        made->from = (uint32_t *)(made->time + n_arcs);
        made->to = made->from + n_arcs;
        pci_sort_items items = {room, room + n_given};
        for (uint64_t e = 0; e < n_given; e++)
            if (!list->weight || list->weight[e])
                items.companion[n++] = e;
        sort_events(list, n, items, (pci_sort_items){room + 2 * n_given, room + 3 * n_given});
        for (uint64_t i = 0; i < n && status == PC_OK; i++)
            status = add(made, list, items.companion[i], &last);
    }
    pci_free(context, room);
    if (status != PC_OK) {
        pc_events_free(made);
        return status;
    }
    made->info.graph = graph;
    made->info.first = made->n ? made->time[0] : 0;
    made->info.last = made->n ? made->time[made->n - 1] : 0;
    made->seal = checksum_of(made);
    *events = made;
    return PC_OK;
}

pc_status pc_events_from_arrays(pc_context *context, const pc_event_list *list, pc_events **events)
{
    if (!context || !list || !events)
        return pci_fail_null(context, "pc_events_from_arrays: context, list or events");
    pc_status status = check_list(context, list);
    if (status != PC_OK)
        return status;
    pc_graph *graph = NULL;
    pc_graph_options directed = {.direction = PC_DIRECTED};
    pc_edges vertices = {.n_vertices = list->n_vertices};
    status = pc_graph_from_edges(context, &vertices, &directed, &graph);
    return status == PC_OK ? pci_events_make(context, list, graph, events) : status;
}

void pc_events_free(pc_events *events)
{
    if (!events)
        return;
    pci_free(events->context, events->weight);
    pc_graph_free(events->graph);
    pci_free(events->context, events);
}

void pc_events_get_info(const pc_events *events, pc_events_info *info)
{
    if (info)
        *info = events ? events->info : (pc_events_info){0};
}

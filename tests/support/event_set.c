#include "tests/support/event_set.h"

#include <inttypes.h>
#include <stdio.h>

static const int64_t places[] = {INT64_MIN, -3, 0, INT64_MAX - 8};

event_set any_events(random_source *source)
{
    event_set s = {.n = 1 + random_below(source, MOST_EVENT_VERTICES),
                   .n_events = random_below(source, MOST_EVENTS + 1),
                   .undirected = random_below(source, 3) == 0,
                   .multigraph = random_below(source, 2),
                   .has_weights = random_below(source, 2),
                   .is_tenths = random_below(source, 2)};
    uint64_t span = 1 + random_below(source, 9);
    int64_t begin = places[random_below(source, 4)];
    for (uint64_t e = 0; e < s.n_events; e++) {
        bool is_again = e > 0 && random_below(source, 5) == 0;
        uint64_t other = is_again ? random_below(source, e) : 0;
        s.from[e] = is_again ? s.from[other] : random_below(source, s.n);
        s.to[e] = is_again ? s.to[other] : random_below(source, s.n);
        s.time[e] = is_again ? s.time[other] : begin + (int64_t)random_below(source, span);
        uint64_t of_event = s.from[e] + s.to[e] + (uint64_t)s.time[e];
        s.weight[e] = s.multigraph ? random_below(source, 4) : of_event % 4;
        s.weight[e] = s.has_weights ? s.weight[e] : 1;
    }
    return s;
}

void write_time(int64_t time, bool is_tenths, char text[TEXT_BYTES])
{
    bool is_negative = time < 0;
    uint64_t size = is_negative ? -(uint64_t)time : (uint64_t)time;
    if (is_tenths)
        snprintf(text, TEXT_BYTES, "%s%" PRIu64 ".%" PRIu64, is_negative ? "-" : "", size / 10,
                 size % 10);
    else
        snprintf(text, TEXT_BYTES, "%" PRIi64, time);
}

pc_status load_events(pc_context *on, pc_edges edges, const int64_t *time, bool is_tenths,
                      const pc_graph_options *options, pc_labelled_edges **events)
{
    static char room[N_LOOPS][TEXT_BYTES];
    const char *texts[N_LOOPS];
    uint64_t text[N_LOOPS], n_texts = 0;
    for (uint64_t e = 0; e < edges.n_edges; e++) {
        write_time(time[e], is_tenths, room[n_texts]);
        for (text[e] = 0; strcmp(room[text[e]], room[n_texts]) != 0;)
            text[e]++;
        texts[n_texts] = room[n_texts];
        n_texts += text[e] == n_texts;
    }
    return pc_labelled_edges_from_edges(on, &edges, n_texts, texts, text, options, events);
}

pc_status make_events(pc_context *on, const event_set *s, pc_labelled_edges **events)
{
    const pc_edges edges = {.n_vertices = s->n,
                            .n_edges = s->n_events,
                            .from = s->from,
                            .to = s->to,
                            .weight = s->has_weights ? s->weight : NULL};
    const pc_graph_options options = {.direction = s->undirected ? PC_UNDIRECTED : PC_DIRECTED,
                                      .multigraph = s->multigraph};
    return load_events(on, edges, s->time, s->is_tenths, &options, events);
}

pc_status make_loops(pc_context *on, uint64_t weight, pc_labelled_edges **events)
{
    static uint64_t zeros[N_LOOPS], weights[N_LOOPS];
    static int64_t times[N_LOOPS];
    for (int e = 0; e < N_LOOPS; e++) {
        times[e] = 10 * e;
        weights[e] = weight;
    }
    const pc_edges edges = {
        .n_vertices = 1, .n_edges = N_LOOPS, .from = zeros, .to = zeros, .weight = weights};
    return load_events(on, edges, times, false, NULL, events);
}

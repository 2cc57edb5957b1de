/* Search path counts of events, and main paths in time.
 *
 * before(e) is the number of walks that end with event e, after(e) of those that begin with it. Each is made by a pass over the
 * events (src/series/events.c), and the weight of e is before(e) after(e) over its multiplicity. So many walks begin as end.
 * The weights are certified as a row of a matrix: two passes forwards, modulo a prime, make their sum times a random vector
 * x. The second one counts a walk, for each of its events e, x_e times; in its place walks begin with e, x_e times as often
 * as others come there. */
#include <gmp.h>

#include "pathcount_time.h"

#include "src/certify/certify.h"
#include "src/core/checksum.h"
#include "src/core/number.h"
#include "src/cpu/modular.h"
#include "src/rows/counts.h"
#include "src/series/events.h"

#include <string.h>

typedef struct work {
    pc_context *context;
    pc_search_paths paths;
    pci_events events;
    pci_timeline along, against;
    uint64_t *begins,
        *ends; /* [n]: 1: walks begin with the event, or end, by the order of the timeline; else 0 */
    uint64_t *scratch; /* [n] */
    pci_numbers before, after, all[2], product, residues[2];
} work;

/* Tells whether walks begin with an event: with any, or with those that follow none. */
static bool begins_with(const pci_timeline *t, bool any, uint64_t e)
{
    return any || t->low[e] == t->high[e];
}

/* Makes events, timelines and marks. The caller ends w, whatever the status. */
static pc_status begin(work *w, const pc_labelled_edges *events, const char *wait)
{
    pc_status status = pci_events_take(w->context, &events->graph, wait, &w->events);
    uint64_t n = w->events.n;
    if (status == PC_OK)
        status = pci_timeline_make(&w->events, false, &w->along);
    if (status == PC_OK)
        status = pci_timeline_make(&w->events, true, &w->against);
    if (status != PC_OK)
        return status;
    if (pci_memory_has(w->context, 24.0 * (double)n))
        w->begins = pci_alloc_zero(w->context, n + 1, 3 * sizeof *w->begins);
    if (!w->begins)
        return pci_fail_memory(w->context, "numbers of walks", 24 * n);
    w->ends = w->begins + n;
    w->scratch = w->ends + n;
    for (uint64_t e = 0; e < n; e++) {
        w->begins[e] = begins_with(&w->along, w->paths != PC_SPC, e);
        w->ends[e] = begins_with(&w->against, w->paths == PC_SPNP, e);
    }
    return PC_OK;
}

/* Holds what the numbers were made of against the edges. PC_ERR_CERTIFY. */
static pc_status check(const work *w)
{
    bool holds = true;
    for (uint64_t e = 0; e < w->events.n; e++)
        holds = holds && w->begins[e] == begins_with(&w->along, w->paths != PC_SPC, e) &&
                w->ends[e] == begins_with(&w->against, w->paths == PC_SPNP, e);
    return holds ? pci_events_check(&w->events) : pci_fail_check(w->context, "a list of events");
}

static void end(work *w)
{
    pci_events_free(&w->events);
    pci_free(w->context, w->along.first);
    pci_free(w->context, w->against.first);
    pci_free(w->context, w->begins);
    pci_free(w->context, w->before.words);
    pci_free(w->context, w->after.words);
    pci_free(w->context, w->product.words);
    for (int i = 0; i < 2; i++) {
        pci_free(w->context, w->all[i].words);
        pci_free(w->context, w->residues[i].words);
    }
}

/* Makes the sums of walks of any length that begin with the events of begin. */
static pc_status pass(work *w, const pci_timeline *timeline, const uint64_t *begin,
                      uint64_t modulus, pci_numbers *sums)
{
    const pci_pass pass = {timeline, NULL, begin, modulus, modulus ? "certify" : "sweep", 0};
    pc_status status = pci_numbers_make(w->context, w->events.graph->n + w->events.n, 1, sums);
    return status ? status : pci_pass_make(&pass, sums, true, sums);
}

/* The walks that lead to a vertex by its events behind place low, up to place high: difference[n_words], until the next call. */
static uint64_t *between(const pci_numbers *sums, uint64_t low, uint64_t high)
{
    uint64_t *difference = sums->words + sums->n * sums->n_words;
    mpn_sub_n(difference, sums->words + high * sums->n_words, sums->words + low * sums->n_words,
              (mp_size_t)sums->n_words);
    return difference;
}

/* y = C x of the row of weights, as pci_operator has it. */
static pc_status apply(void *user, uint64_t prime, const uint64_t *x, uint64_t *y)
{
    work *w = user;
    const pci_timeline *t = &w->along;
    uint64_t n = w->events.n;
    pc_status status = pass(w, t, w->begins, prime, &w->residues[0]);
    const uint64_t *sums = w->residues[0].words;
    for (uint64_t e = 0; e < n && status == PC_OK; e++) {
        uint64_t others = (sums[t->high[e]] + (prime - sums[t->low[e]]) + w->begins[e]) % prime;
        w->scratch[e] = pci_multiply_mod(others, x[w->events.event[e].arc], prime);
    }
    if (status == PC_OK)
        status = pass(w, t, w->scratch, prime, &w->residues[1]);
    sums = w->residues[1].words;
    *y = 0;
    for (uint64_t e = 0; e < n && status == PC_OK; e++)
        if (w->ends[n - 1 - e])
            *y = (*y + sums[t->after[e]] + (prime - sums[t->after[e] - 1])) % prime;
    return status;
}

/* Adds up the walks by the events where they begin, and by those where they end. PC_ERR_CERTIFY where these differ. */
static pc_status add_all(work *w)
{
    const pci_timeline *timelines[] = {&w->along, &w->against};
    const pci_numbers *sums[] = {&w->before, &w->after};
    const uint64_t *marks[] = {w->ends, w->begins};
    uint64_t n = w->events.n;
    for (int i = 0; i < 2; i++) {
        pc_status status = pci_numbers_make(w->context, 1, 1, &w->all[i]);
        for (uint64_t e = 0; e < n && status == PC_OK; e++)
            if (marks[i][n - 1 - e])
                status = pci_numbers_add(
                    &w->all[i], 0,
                    between(sums[i], timelines[i]->after[e] - 1, timelines[i]->after[e]),
                    sums[i]->n_words, 0);
        if (status != PC_OK)
            return status;
    }
    size_t n_words[] = {pci_number_trim(w->all[0].words, w->all[0].n_words),
                        pci_number_trim(w->all[1].words, w->all[1].n_words)};
    return n_words[0] == n_words[1] && memcmp(w->all[0].words, w->all[1].words, 8 * n_words[0]) == 0
               ? PC_OK
               : pci_fail_check(w->context, "the numbers of walks");
}

/* Makes the weight of event e, of as many words as the number of all walks. PC_ERR_CERTIFY where it does not fit. */
static pc_status weigh(work *w, uint64_t e, pc_counts *weights)
{
    uint64_t i = w->events.n - 1 - e, *product = w->product.words;
    uint64_t *before = between(&w->before, w->along.after[e] - 1, w->along.after[e]);
    uint64_t *after = between(&w->after, w->against.low[i], w->against.high[i]);
    mpn_add_1(after, after, (mp_size_t)w->after.n_words, w->ends[i]);
    size_t n_before = pci_number_trim(before, w->before.n_words);
    size_t n_after = pci_number_trim(after, w->after.n_words), n = n_before + n_after;
    memset(product, 0, 8 * w->product.n_words);
    if (n_before >= n_after && n_after > 0)
        mpn_mul(product, before, (mp_size_t)n_before, after, (mp_size_t)n_after);
    else if (n_before > 0)
        mpn_mul(product, after, (mp_size_t)n_after, before, (mp_size_t)n_before);
    if (pci_number_trim(product, n) > weights->n_limbs)
        return pci_fail_check(w->context, "the numbers of walks");
    memcpy(weights->limbs + w->events.event[e].arc * (uint64_t)weights->n_limbs, product,
           8 * weights->n_limbs);
    return PC_OK;
}

/* Makes the number of all walks and the weights, certified. */
static pc_status answer(work *w, pc_counts **weights, pc_counts **total)
{
    uint64_t n = w->events.n;
    pci_certificate *certificate = NULL;
    pci_operator map = {1, n, w, apply, NULL};
    uint32_t n_limbs = 1;
    pc_status status = pass(w, &w->along, w->begins, 0, &w->before);
    if (status == PC_OK)
        status = pass(w, &w->against, w->ends, 0, &w->after);
    if (status == PC_OK)
        status = add_all(w);
    if (status == PC_OK)
        status = pci_numbers_make(w->context, 0, w->before.n_words + w->after.n_words, &w->product);
    if (status == PC_OK && pci_number_trim(w->all[0].words, w->all[0].n_words) > 1)
        n_limbs = (uint32_t)pci_number_trim(w->all[0].words, w->all[0].n_words);
    if (status == PC_OK)
        status = pci_counts_create(w->context, 1, 1, n_limbs, total);
    if (status == PC_OK)
        status = pci_counts_create(w->context, n, 1, n_limbs, weights);
    for (uint64_t e = 0; e < n && status == PC_OK; e++)
        status = weigh(w, e, *weights);
    if (status == PC_OK && n > 0)
        status = pci_certificate_create(w->context, &map, 0, 2, &certificate);
    if (status == PC_OK && n > 0) {
        const pc_rows row = {0, 1, n, n_limbs, .limbs = (*weights)->limbs};
        status = pci_certificate_check(certificate, &row);
    }
    pci_certificate_free(certificate);
    if (status == PC_OK)
        status = check(w);
    if (status == PC_OK)
        memcpy((*total)->limbs, w->all[1].words, 8 * n_limbs);
    return status;
}

pc_status pc_time_path_counts(pc_context *context, const pc_labelled_edges *events,
                              pc_search_paths paths, const char *wait, pc_counts **weights,
                              pc_counts **total)
{
    if (!context || !events || !weights || !total)
        return pci_fail_null(context, "pc_time_path_counts: context, events, weights or total");
    if (paths < PC_SPC || paths > PC_SPNP)
        return pci_fail(context, PC_ERR_ARGUMENT, "search paths are PC_SPC, PC_SPLC or PC_SPNP");
    work w = {.context = context, .paths = paths, .events.context = context};
    pc_counts *made[2] = {NULL, NULL};
    pc_status status = begin(&w, events, wait);
    if (status == PC_OK)
        status = answer(&w, &made[0], &made[1]);
    if (status == PC_OK) {
        *weights = made[0];
        *total = made[1];
    } else {
        pc_counts_free(made[0]);
        pc_counts_free(made[1]);
    }
    end(&w);
    return status;
}

/* ---- Main paths ------------------------------------------------------------------------------ */

/* The events backwards in time. Those that an event may follow are a range of the places of one vertex, whose ends never move
 * back. So those of them that may still be the heaviest one are in a queue, the heaviest first. */
typedef struct search {
    const work *w;
    const pc_counts *weights;
    uint64_t n_words;
    uint64_t *
        way; /* [n][n_words]: the weight of an event and, unless the search is local, of the heaviest way on */
    uint32_t *next;  /* [n]: the event that follows on that way */
    uint32_t *event; /* [places]: the event of a place */
    uint32_t *queue; /* [places]: that of a vertex begins at its first place */
    uint32_t *head, *tail,
        *high; /* [vertices]: of the queue, and the last place that was put there */
} search;

/* Tells whether the way on from an event is the heavier one; of equal ones, the first in the order of arcs. */
static bool is_before(const search *s, uint64_t i, uint64_t other)
{
    const pci_timeline *t = &s->w->against;
    int order =
        mpn_cmp(s->way + i * s->n_words, s->way + other * s->n_words, (mp_size_t)s->n_words);
    return order ? order > 0 : pci_timeline_event(t, i).arc < pci_timeline_event(t, other).arc;
}

static void find_ways(search *s, bool is_local)
{
    const pci_timeline *t = &s->w->against;
    uint64_t n = s->w->events.n;
    for (uint64_t v = 0; v < s->w->events.graph->n; v++)
        s->head[v] = s->tail[v] = s->high[v] = t->first[v];
    for (uint64_t i = 0; i < n; i++) {
        pci_event e = pci_timeline_event(t, i);
        uint32_t v = e.from, *tail = &s->tail[v], *head = &s->head[v];
        uint64_t *way = s->way + i * s->n_words;
        while (s->high[v] < t->high[i]) {
            uint32_t added = s->event[++s->high[v]];
            while (*tail > *head && is_before(s, added, s->queue[*tail - 1]))
                --*tail;
            s->queue[(*tail)++] = added;
        }
        while (*tail > *head && t->after[s->queue[*head]] <= t->low[i])
            ++*head;
        s->next[i] = *tail > *head ? s->queue[*head] : UINT32_MAX;
        memcpy(way, s->weights->limbs + e.arc * (uint64_t)s->weights->n_limbs,
               8 * s->weights->n_limbs);
        way[s->n_words - 1] = 0;
        if (!is_local && s->next[i] != UINT32_MAX)
            mpn_add_n(way, way, s->way + s->next[i] * s->n_words, (mp_size_t)s->n_words);
        s->event[t->after[i]] = (uint32_t)i;
    }
}

/* Fills arc with the main path, and returns its number of events. */
static uint64_t find_path(search *s, bool is_local, uint64_t *arc)
{
    uint64_t n = s->w->events.n, best = UINT32_MAX, n_path = 0;
    find_ways(s, is_local);
    for (uint64_t i = 0; i < n; i++)
        if (s->w->begins[n - 1 - i] && (best == UINT32_MAX || is_before(s, i, best)))
            best = i;
    for (; best != UINT32_MAX && n_path < n; best = s->next[best])
        arc[n_path++] = pci_timeline_event(&s->w->against, best).arc;
    return n_path;
}

pc_status pc_time_main_path(pc_context *context, const pc_labelled_edges *events, const char *wait,
                            const pc_counts *weights, pc_main_path_search of, uint64_t *arc,
                            pc_counts **path)
{
    if (!context || !events || !weights || !arc || !path)
        return pci_fail_null(context, "pc_time_main_path: context, events, weights, arc or path");
    work w = {.context = context, .events.context = context};
    uint64_t n_vertices = events->graph.n, n = 0, checksum[2] = {0, 0};
    uint32_t n_limbs = weights->n_limbs;
    bool is_local = of == PC_MAIN_PATH_LOCAL;
    search s = {.w = &w, .weights = weights, .n_words = n_limbs + UINT64_C(1)};
    pc_status status = begin(&w, events, wait);
    uint64_t n_places = w.events.n + n_vertices;
    if (status == PC_OK &&
        (!weights->limbs || weights->n_columns != 1 || weights->n_rows != w.events.n ||
         (of != PC_MAIN_PATH_GLOBAL && !is_local)))
        status = pci_fail(context, PC_ERR_ARGUMENT,
                          "a main path is global or local, of exact weights, one for each event");
    double bytes = 8.0 * (double)s.n_words * (double)w.events.n + 12.0 * (double)n_places;
    size_t n_numbers = 2 * n_places + w.events.n + 3 * n_vertices + 1;
    if (status == PC_OK && pci_memory_has(context, bytes)) {
        s.way = pci_alloc(context, (w.events.n + 1) * s.n_words * sizeof *s.way);
        s.event = pci_alloc_zero(context, n_numbers, sizeof *s.event);
    }
    if (status == PC_OK && (!s.way || !s.event))
        status = pci_fail_memory(context, "a main path", (size_t)bytes);
    if (status == PC_OK) {
        s.queue = s.event + n_places;
        s.next = s.queue + n_places;
        s.head = s.next + w.events.n;
        s.tail = s.head + n_vertices;
        s.high = s.tail + n_vertices;
    }
    for (int round = 0; round < 2 && status == PC_OK; round++) {
        status = pci_progress(context, "sweep", round / 2.0);
        if (status == PC_OK)
            n = find_path(&s, is_local, arc);
        checksum[round] = pci_checksum(arc, n * sizeof *arc, n);
    }
    if (status == PC_OK && checksum[0] != checksum[1])
        status = pci_fail_check(context, "the main path");
    if (status == PC_OK)
        status = check(&w);
    if (status == PC_OK)
        status = pci_counts_create(context, n, 1, n_limbs, path);
    for (uint64_t i = 0; i < n && status == PC_OK; i++)
        memcpy((*path)->limbs + i * n_limbs, weights->limbs + arc[i] * n_limbs, 8 * n_limbs);
    pci_free(context, s.way);
    pci_free(context, s.event);
    end(&w);
    return status;
}

/* Counts of paths by search: threads, and the time that it takes. */
#include "graphs/sort.h"
#include "src/core/checksum.h"
#include "src/simple/searcher.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum { ROWS_A_THREAD = 4 /* fewer rows are split */ };

/* ---- Threads ---------------------------------------------------------------------------------- */

/* Adds up the rows of threads that split one, and clears them. */
static void join_rows(pci_search_team *t, uint64_t *row)
{
    uint64_t n = t->work->graph->n, n_words = t->work->n_words;
#pragma omp parallel for num_threads(t->n_threads) schedule(static)
    for (uint64_t v = 0; v < n; v++) {
        pci_wide sum = 0;
        for (int k = 0; k < t->n_threads; k++)
            sum += pci_wide_of(t->searcher[k].own + v * n_words, (uint32_t)n_words);
        for (int k = 0; k < t->n_threads; k++)
            memset(t->searcher[k].own + v * n_words, 0, n_words * sizeof *row);
        memcpy(row + v * n_words, &sum, n_words * sizeof *row);
    }
}

/* order is NULL for rows, and for pairs the order in which they are counted. */
static void search_split(pci_search_team *t, const uint64_t *order, const uint64_t *from,
                         const uint64_t *to, uint64_t *results)
{
    uint64_t n = t->work->graph->n, n_words = t->work->n_words;
    for (uint64_t k = 0; k < t->n_rows && t->status == PC_OK; k++) {
        uint64_t i = order ? order[k] : k;
        pci_wide sum = 0;
        t->n_claimed = 0;
        for (int r = 0; r < t->n_threads; r++)
            t->searcher[r].sum = 0;
#pragma omp parallel num_threads(t->n_threads)
        pci_searcher_run(t->searcher + omp_get_thread_num(), k, from[i], to ? to[i] : 0);
        for (int r = 0; r < t->n_threads; r++)
            sum += t->searcher[r].sum;
        if (t->is_pair)
            memcpy(results + i * n_words, &sum, n_words * sizeof *results);
        else
            join_rows(t, results + i * n * n_words);
    }
}

static void search_whole(pci_search_team *t, const uint64_t *order, const uint64_t *from,
                         const uint64_t *to, uint64_t *results)
{
    uint64_t n = t->work->graph->n, n_words = t->work->n_words;
#pragma omp parallel for num_threads(t->n_threads) schedule(dynamic, 1) if (t->n_threads > 1)
    for (uint64_t k = 0; k < t->n_rows; k++) {
        pci_searcher *s = t->searcher + omp_get_thread_num();
        uint64_t i = order ? order[k] : k;
        pc_status status;
#pragma omp atomic read
        status = t->status;
        if (status != PC_OK)
            continue;
        if (!t->is_pair)
            s->row = memset(results + i * n * n_words, 0, n * n_words * sizeof *results);
        pci_searcher_run(s, k, from[i], to ? to[i] : 0);
        if (t->is_pair)
            memcpy(results + i * n_words, &s->sum, n_words * sizeof *results);
    }
}

/* A rough number of arcs that are followed: from the mean number of arcs of a vertex that an arc leads to. */
static double guess_arcs(const pci_search_team *t)
{
    const pc_graph *g = t->work->graph;
    double n_arcs = (double)pci_graph_n_arcs(g), squares = pci_graph_degree_squares(g);
    double n_steps = (double)t->length - (t->is_pair ? PCI_PAIR_END : PCI_ROW_END);
    if (n_arcs == 0)
        return 0;
    double each = n_arcs / (double)g->n * (n_steps > 0 ? pow(squares / n_arcs, n_steps) : 1);
    return (double)t->n_rows * (each + (t->is_pair ? n_arcs : (double)g->n));
}

static void team_free(pci_search_team *t)
{
    for (int k = 0; t->searcher && k < t->n_threads; k++)
        pci_searcher_free(t->searcher + k);
    pci_free(t->work->context, t->searcher);
}

static pc_status team_create(const pci_simple_work *work, uint64_t n_rows, bool is_pair,
                             bool is_alone, pci_search_team *t)
{
    uint64_t n = work->graph->n;
    uint64_t longest = n ? n - 1 : 0, end = is_pair ? PCI_PAIR_END : PCI_ROW_END;
    *t = (pci_search_team){.work = work, .n_rows = n_rows, .is_pair = is_pair, .n_threads = 1};
    t->length = work->length <= longest ? work->length : work->up_to ? longest : 0;
    if (t->length == 0)
        return PC_OK;
    t->n_threads = is_alone ? 1 : pci_threads_for(work->context, guess_arcs(t));
    t->is_split = t->n_threads > 1 && t->length >= end + PCI_SPLIT &&
                  n_rows < (uint64_t)t->n_threads * ROWS_A_THREAD;
    if (!t->is_split && n_rows < (uint64_t)t->n_threads)
        t->n_threads = n_rows ? (int)n_rows : 1;
    t->searcher = pci_alloc_zero(work->context, (size_t)t->n_threads, sizeof *t->searcher);
    pc_status status = t->searcher ? PC_OK : pci_fail_memory(work->context, "a search", 256);
    for (int k = 0; k < t->n_threads && status == PC_OK; k++)
        status = pci_searcher_create(t, k, t->searcher + k);
    return status;
}

static pc_status search(pci_search_team *t, const uint64_t *order, const uint64_t *from,
                        const uint64_t *to, uint64_t *results)
{
    uint64_t row_words = (t->is_pair ? 1 : t->work->graph->n) * t->work->n_words;
    if (t->length == 0)
        memset(results, 0, t->n_rows * row_words * sizeof *results);
    else if (t->is_split)
        search_split(t, order, from, to, results);
    else
        search_whole(t, order, from, to, results);
    return pci_gone_on(t->work->context, t->status);
}

pc_status pci_search_rows(const pci_simple_work *work, uint64_t n_rows, const uint64_t *from,
                          uint64_t *rows)
{
    pci_search_team team;
    pc_status status = team_create(work, n_rows, false, false, &team);
    if (status == PC_OK)
        status = search(&team, NULL, from, NULL, rows);
    team_free(&team);
    return status;
}

pc_status pci_search_pairs(const pci_simple_work *work, uint64_t n_pairs, const uint64_t *from,
                           const uint64_t *to, uint64_t *counts)
{
    pci_search_team team;
    pc_status status = team_create(work, n_pairs, true, false, &team);
    uint64_t *room = pci_alloc(work->context, 4 * n_pairs * sizeof *room), *order = room + n_pairs;
    if (status == PC_OK && !room)
        status = pci_fail_memory(work->context, "pairs", 4 * n_pairs * sizeof *room);
    if (status == PC_OK) { /* those with the same target follow each other */
        for (uint64_t i = 0; i < n_pairs; i++) {
            room[i] = to[i];
            order[i] = i;
        }
        pci_sort((pci_sort_items){room, order},
                 (pci_sort_items){room + 2 * n_pairs, room + 3 * n_pairs}, n_pairs,
                 pci_differing_bits(room, n_pairs));
        status = search(&team, order, from, to, counts);
    }
    pci_free(work->context, room);
    team_free(&team);
    return status;
}

/* ---- The time --------------------------------------------------------------------------------- */

enum {
    PROBES = 1000,
    PROBED_ROWS = 16,     /* pairs, whose targets take time */
    PROBED_ARCS = 1 << 20 /* after so many there are no more probes */
};

/* Seconds of a thread, measured. */
static const double ARC_SECONDS = 1e-9, VERTEX_SECONDS = 8e-9, ENTRY_SECONDS = 0.3e-9,
                    AIM_SECONDS = 4e-9;

typedef struct prober {
    pci_searcher *s;
    uint64_t state; /* of random numbers */
    double n_arcs;  /* that all probes looked at */
} prober;

static uint64_t random_below(prober *p, uint64_t limit)
{
    p->state += PCI_RANDOM_STEP;
    return (uint64_t)((pci_wide)pci_scramble(p->state) * limit >> 64);
}

/* The arc to a vertex that a search would enter, one of *n_open that are equally probable. */
static uint64_t random_arc(prober *p, uint64_t v, uint64_t left, uint64_t *n_open)
{
    const pc_graph *g = p->s->team->work->graph;
    const uint32_t *distance = p->s->distance;
    uint64_t a = g->row_start[v], end = g->row_start[v + 1];
    *n_open = 0;
    for (uint64_t b = a; b < end; b++)
        *n_open += distance[g->column[b]] < left;
    p->n_arcs += (double)(end - a);
    uint64_t choice = *n_open ? random_below(p, *n_open) : 0;
    for (; *n_open && a < end; a++)
        if (distance[g->column[a]] < left && choice-- == 0)
            break;
    return a;
}

/* Seconds of a search from a vertex as one random path shows them: a vertex of the search stands for as many as there
 * were choices on the path to it. */
static double probe(prober *p, uint64_t v)
{
    pci_searcher *s = p->s;
    const pci_simple_work *work = s->team->work;
    const pc_graph *g = work->graph;
    double seconds = 0, factor = 1;
    uint64_t depth = 0, n_open, left = s->team->length;
    const uint64_t end = s->team->is_pair ? PCI_PAIR_END : PCI_ROW_END;
    for (;; depth++, left--) {
        double n_arcs = (double)(g->row_start[v + 1] - g->row_start[v]);
        if (s->team->is_pair && s->to_end[v]) /* it changes what finishes paths, twice */
            n_arcs += 2 * (double)(work->reverse->row_start[v + 1] - work->reverse->row_start[v]);
        seconds += factor * (VERTEX_SECONDS + ARC_SECONDS * n_arcs);
        s->path[depth] = (pci_place){.vertex = (uint32_t)v, .distance = s->distance[v]};
        s->distance[v] = PCI_CLOSED;
        uint64_t a = left > end ? random_arc(p, v, left, &n_open) : 0;
        if (left <= end || n_open == 0)
            break;
        factor *= (double)n_open;
        v = g->column[a];
    }
    for (uint64_t d = depth + 1; d-- > 0;)
        s->distance[s->path[d].vertex] = s->path[d].distance;
    return seconds;
}

/* Seconds of a row or pair, the mean of all probes. */
static double mean_seconds(prober *p, uint64_t n_rows, const uint64_t *from, const uint64_t *to)
{
    uint64_t n = p->s->team->work->graph->n,
             n_aims = to && n_rows < PROBED_ROWS ? n_rows : PROBED_ROWS;
    double seconds = 0, aim_arcs = 0;
    uint64_t n_probes = 0;
    for (uint64_t i = 0; i < n_aims && (n_probes == 0 || p->n_arcs < PROBED_ARCS); i++) {
        uint64_t row = 0;
        if (to) {
            row = n_aims == n_rows ? i : random_below(p, n_rows);
            aim_arcs += pci_searcher_aim(p->s, to[row]);
        }
        for (uint64_t k = 0; k < PROBES / n_aims && (k == 0 || p->n_arcs < PROBED_ARCS); k++) {
            row = to ? row : random_below(p, n_rows);
            uint64_t start = from ? from[row] : row;
            n_probes++;
            if (!to || p->s->distance[start] <= p->s->team->length)
                seconds += probe(p, start);
        }
    }
    double each =
        to ? AIM_SECONDS * aim_arcs / (double)n_aims + VERTEX_SECONDS : ENTRY_SECONDS * (double)n;
    return seconds / (double)n_probes + each;
}

pc_status pci_search_predict(const pci_simple_work *work, uint64_t n_rows, const uint64_t *from,
                             const uint64_t *to, double *seconds)
{
    pci_search_team team;
    double n_threads = pci_n_threads(work->context);
    n_rows = from ? n_rows : work->graph->n;
    pc_status status = team_create(work, n_rows, to != NULL, true, &team);
    if (status == PC_OK && team.length && n_rows) {
        prober p = {.s = team.searcher};
        *seconds = (double)n_rows * mean_seconds(&p, n_rows, from, to) / n_threads;
        if (!isfinite(*seconds))
            *seconds = INFINITY;
    } else if (status == PC_OK) {
        *seconds = 0;
    }
    team_free(&team);
    return status;
}

double pci_search_bytes(const pci_simple_work *work, bool is_pair)
{
    double n = (double)work->graph->n, word_bytes = sizeof(uint64_t) * (double)work->n_words;
    double vertex_bytes = sizeof(uint32_t) + word_bytes; /* a row of its own, or what finishes */
    if (is_pair)
        vertex_bytes += sizeof(uint32_t) + sizeof(uint64_t);
    double places = fmin(n, (double)work->length + 1);
    return pci_n_threads(work->context) * (n * vertex_bytes + places * sizeof(pci_place));
}

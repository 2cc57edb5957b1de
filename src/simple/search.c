/* Counts of paths by search: threads, and the time that it takes. */
#include "graphs/sort.h"
#include "src/core/checksum.h"
#include "src/simple/simple.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum { ROWS_A_THREAD = 4 /* fewer rows are split */ };

/* ---- Threads ---------------------------------------------------------------------------------- */

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
        if (t->is_pair) {
            memcpy(results + i * n_words, &sum, n_words * sizeof *results);
            continue;
        }
#pragma omp parallel for num_threads(t->n_threads) schedule(static)
        for (uint64_t v = 0; v < n; v++) { /* adds up their own rows, and clears them */
            pci_wide entry = 0;
            for (int r = 0; r < t->n_threads; r++) {
                uint64_t *own = t->searcher[r].own + v * n_words;
                entry += pci_wide_of(own, (uint32_t)n_words);
                memset(own, 0, n_words * sizeof *own);
            }
            memcpy(results + (i * n + v) * n_words, &entry, n_words * sizeof *results);
        }
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
static double guess_arcs(const pci_search_team *t, const uint64_t *from)
{
    const pc_graph *g = t->work->graph;
    double n_arcs = (double)pci_graph_n_arcs(g), squares = pci_graph_degree_squares(g), first = 0;
    double n_steps = (double)t->length - t->n_last;
    for (uint64_t i = 0; from && i < t->n_rows; i++)
        first += (double)(g->row_start[from[i] + 1] - g->row_start[from[i]]);
    first = from ? first : n_arcs;
    if (first > 0 && n_steps > 0)
        first *= pow(squares / n_arcs, n_steps);
    return first + (double)t->n_rows * (t->is_pair ? n_arcs : (double)g->n);
}

/* Chooses the loop at the end of paths, and threads. from is NULL: one row for each vertex. */
static pci_search_team team_of(const pci_simple_work *work, uint64_t n_rows, const uint64_t *from,
                               bool is_pair)
{
    const pc_graph *g = work->graph;
    uint64_t longest = g->n ? g->n - 1 : 0;
    pci_search_team t = {.work = work, .n_rows = n_rows, .is_pair = is_pair, .n_threads = 1};
    t.length = work->length <= longest ? work->length : work->up_to ? longest : 0;
    t.n_last = is_pair ? PCI_PAIR_END : PCI_ROW_END;
    if (t.length == 0 || n_rows == 0)
        return t;
    if (!is_pair && !g->weight && t.length > PCI_BACK_END && t.length <= PCI_MOST_BACK) {
        t.n_last = PCI_BACK_END;
        t.n_marked = (int64_t)t.length - (g->symmetric ? 2 : 1);
    }
    t.n_threads = pci_threads_for(work->context, guess_arcs(&t, from));
    if (n_rows < (uint64_t)t.n_threads * ROWS_A_THREAD) {
        t.is_split = t.n_threads > 1 && t.length >= t.n_last + PCI_SPLIT;
        if (!t.is_split && n_rows < (uint64_t)t.n_threads)
            t.n_threads = (int)n_rows;
    }
    return t;
}

static pc_status team_create(pci_search_team *t)
{
    pc_context *context = t->work->context;
    size_t bytes = (size_t)t->n_threads * sizeof *t->searcher;
    if (!(t->searcher = pci_alloc_zero(context, 1, bytes)))
        return pci_fail_memory(context, "a search", bytes);
    pc_status status = PC_OK;
    for (int k = 0; k < t->n_threads && status == PC_OK; k++)
        status = pci_searcher_create(t, k, t->searcher + k);
    return status;
}

static void team_free(pci_search_team *t)
{
    for (int k = 0; t->searcher && k < t->n_threads; k++)
        pci_searcher_free(t->searcher + k);
    pci_free(t->work->context, t->searcher);
}

static pc_status search(pci_search_team *t, const uint64_t *order, const uint64_t *from,
                        const uint64_t *to, uint64_t *results)
{
    pc_status status = team_create(t);
    uint64_t row_words = (t->is_pair ? 1 : t->work->graph->n) * t->work->n_words;
    if (status == PC_OK && t->length == 0)
        memset(results, 0, t->n_rows * row_words * sizeof *results);
    else if (status == PC_OK && t->is_split)
        search_split(t, order, from, to, results);
    else if (status == PC_OK)
        search_whole(t, order, from, to, results);
    team_free(t);
    return status == PC_OK ? pci_gone_on(t->work->context, t->status) : status;
}

pc_status pci_search_rows(const pci_simple_work *work, uint64_t n_rows, const uint64_t *from,
                          uint64_t *rows)
{
    pci_search_team team = team_of(work, n_rows, from, false);
    return search(&team, NULL, from, NULL, rows);
}

pc_status pci_search_pairs(const pci_simple_work *work, uint64_t n_pairs, const uint64_t *from,
                           const uint64_t *to, uint64_t *counts)
{
    pci_search_team team = team_of(work, n_pairs, from, true);
    size_t bytes = 4 * n_pairs * sizeof(uint64_t);
    uint64_t *target = pci_alloc(work->context, bytes), *order = target + n_pairs;
    if (!target)
        return pci_fail_memory(work->context, "pairs", bytes);
    for (uint64_t i = 0; i < n_pairs; i++) { /* those with the same target follow each other */
        target[i] = to[i];
        order[i] = i;
    }
    pci_sort((pci_sort_items){target, order},
             (pci_sort_items){order + n_pairs, order + 2 * n_pairs}, n_pairs,
             pci_differing_bits(target, n_pairs));
    pc_status status = search(&team, order, from, to, counts);
    pci_free(work->context, target);
    return status;
}

/* ---- The time --------------------------------------------------------------------------------- */

enum {
    PROBES = 1000,
    PROBED_PAIRS = 16,    /* each takes a breadth-first search */
    PROBED_ARCS = 1 << 19 /* after so many there are no more probes */
};

/* Seconds of a thread, measured. */
static const double ARC_SECONDS = 1.1e-9, VERTEX_SECONDS = 14e-9, ENTRY_SECONDS = 2e-9,
                    AIM_SECONDS = 2.5e-9;

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
    const uint64_t end = s->team->n_last;
    for (;; depth++, left--) {
        double n_arcs = (double)(g->row_start[v + 1] - g->row_start[v]);
        if (s->team->is_pair ? s->to_end[v] > 0
                             : (int64_t)depth < s->team->n_marked) /* marks, twice */
            n_arcs += 2 * (double)(work->reverse->row_start[v + 1] - work->reverse->row_start[v]);
        seconds += factor * (VERTEX_SECONDS + ARC_SECONDS * n_arcs);
        s->path[depth] = (pci_place){.vertex = (uint32_t)v, .distance = s->distance[v]};
        s->distance[v] = PCI_ON_PATH;
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

/* Adds probes until there are enough of them, or they took long: of rows, or of pairs to `to`, each of which has several. */
static double mean_probe(prober *p, uint64_t n_rows, const uint64_t *from, const uint64_t *to)
{
    pci_searcher *s = p->s;
    uint64_t n_probed = !to ? PROBES : n_rows < PROBED_PAIRS ? n_rows : PROBED_PAIRS;
    uint64_t n_made = 0, n_each = to ? PROBES / n_probed : 1;
    double seconds = 0;
    for (; n_made == 0 || (n_made < n_probed && p->n_arcs < PROBED_ARCS); n_made++) {
        uint64_t i = to && n_probed == n_rows ? n_made : random_below(p, n_rows), n_sent = 0;
        double n_arcs = to ? pci_searcher_aim(s, to[i]) : 0, sum = 0;
        p->n_arcs += n_arcs;
        seconds += to ? VERTEX_SECONDS + AIM_SECONDS * n_arcs : 0;
        if (to && s->distance[from[i]] > s->team->length)
            continue;
        for (; n_sent == 0 || (n_sent < n_each && p->n_arcs < PROBED_ARCS); n_sent++)
            sum += probe(p, from ? from[i] : i);
        seconds += sum / (double)n_sent;
    }
    return seconds / (double)n_made;
}

pc_status pci_search_predict(const pci_simple_work *work, uint64_t n_rows, const uint64_t *from,
                             const uint64_t *to, double *seconds)
{
    uint64_t n_searched = from ? n_rows : work->graph->n;
    pci_search_team team = team_of(work, n_searched, from, to != NULL);
    double sum = 0, n_threads = team.n_threads;
    team.n_threads = 1;
    team.is_split = false;
    pc_status status = team_create(&team);
    if (status == PC_OK && team.length && n_searched) {
        prober p = {.s = team.searcher};
        double each = mean_probe(&p, n_searched, from, to) +
                      (to ? 0 : ENTRY_SECONDS * (double)work->graph->n);
        sum = (double)n_searched * each / n_threads;
    }
    if (status == PC_OK)
        *seconds = isfinite(sum) ? sum : INFINITY;
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

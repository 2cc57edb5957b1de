/* Paths by depth-first search. A path is extended arc by arc, and its last steps are not taken one path at a time: one
 * loop over the arcs of a vertex counts all paths that begin as the one at hand does.
 *
 * The loop counts the last three arcs of a pair: finish[v] is the number of ways from v to the target by two arcs
 * through vertices that are not on the path. Vertices that enter the path and have an arc to the target take their ways
 * off it, and give them back when they leave. A vertex whose distance to the target is too large is not entered.
 *
 * The loop counts the last arc of a row, or its last two arcs if there are no multiplicities and the length is at most
 * PCI_MOST_BACK. Then it only notes paths without their last arc: n_before[v] is the number of those that end at v, and
 * n_back[x] is the number of those that have x on them and an arc from their end to x. They make a row at the end: each
 * arc of v makes n_before[v] paths, and n_back[x] of those that end at x visit it twice. Byte j of back[v] is 1 if v
 * has an arc to vertex j of the path, so that one addition serves all vertices of the path. */
#include "src/simple/simple.h"

#include <string.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

typedef pci_wide loose_wide __attribute__((aligned(8), may_alias));

enum {
    ASK_EVERY = 1 << 17, /* arcs */
    PAIR_ARCS = 64       /* arcs that take as long as a pair without any */
};

/* ---- Steps ------------------------------------------------------------------------------------ */

ALWAYS_INLINE void add(uint64_t *to, pci_wide amount, const uint32_t n_words)
{
    if (n_words == 1)
        *to += (uint64_t)amount;
    else
        *(loose_wide *)to += amount;
}

/* The number, or 0, without a branch, which would often be predicted wrongly. */
ALWAYS_INLINE pci_wide or_zero(pci_wide number, bool is_kept, const uint32_t n_words)
{
    return n_words == 1 ? (uint64_t)number & -(uint64_t)is_kept : number & -(pci_wide)is_kept;
}

/* Adds the ways to the target that go through v to those that finish a path, or takes them off again. */
ALWAYS_INLINE void change_finish(pci_searcher *s, uint64_t v, bool adds, const uint32_t n_words)
{
    const pc_graph *back = s->team->work->reverse;
    uint64_t to_end = s->to_end[v];
    if (!to_end)
        return;
    for (uint64_t a = back->row_start[v]; a < back->row_start[v + 1]; a++) {
        pci_wide ways = (pci_wide)to_end * pci_graph_weight(back, a);
        if (back->column[a] != v)
            add(s->finish + back->column[a] * n_words, adds ? ways : -ways, n_words);
    }
}

/* Notes that v is vertex number depth of the path, or not any more, for all vertices with an arc to it. */
static inline void change_back(pci_searcher *s, uint64_t v, uint64_t depth, bool adds)
{
    const pc_graph *back = s->team->work->reverse;
    uint64_t change = UINT64_C(1) << 8 * depth;
    for (uint64_t a = back->row_start[v]; a < back->row_start[v + 1]; a++)
        s->back[back->column[a]] += adds ? change : -change;
}

/* The path, which has depth arcs now, goes on to v. Shorter paths are counted here if lengths are added up. */
ALWAYS_INLINE void enter(pci_searcher *s, uint64_t depth, uint32_t v, pci_wide product,
                         const uint32_t n_words, const uint32_t n_last)
{
    const pc_graph *g = s->team->work->graph;
    bool counts = s->team->work->up_to && (depth >= PCI_SPLIT || s->is_first);
    s->path[depth] = (pci_place){.product = product,
                                 .arc = g->row_start[v],
                                 .end = g->row_start[v + 1],
                                 .vertex = v,
                                 .distance = s->distance[v]};
    s->distance[v] = PCI_ON_PATH;
    s->n_unasked += g->row_start[v + 1] - g->row_start[v];
    if (n_last == PCI_PAIR_END) {
        s->sum += counts ? product * s->to_end[v] : 0;
        change_finish(s, v, false, n_words);
        return;
    }
    if (counts && depth > 0)
        add(s->row + v * n_words, product, n_words);
    if (n_last == PCI_BACK_END && (int64_t)depth < s->team->n_marked)
        change_back(s, v, depth, true);
}

ALWAYS_INLINE void leave(pci_searcher *s, const pci_place *p, const uint32_t n_words,
                         const uint32_t n_last)
{
    if (n_last == PCI_PAIR_END)
        change_finish(s, p->vertex, true, n_words);
    else if (n_last == PCI_BACK_END && p - s->path < s->team->n_marked)
        change_back(s, p->vertex, (uint64_t)(p - s->path), false);
    s->distance[p->vertex] = p->distance;
}

/* Counts all paths that begin as this one does, by one loop. */
ALWAYS_INLINE void count_ends(pci_searcher *s, const pci_place *p, const uint32_t n_words,
                              const bool is_weighted, const uint32_t n_last)
{
    const bool is_pair = n_last == PCI_PAIR_END;
    const pc_graph *g = s->team->work->graph;
    const uint32_t *restrict distance = s->distance, *restrict column = g->column;
    const uint64_t *restrict weight = g->weight;
    const uint64_t *finish = s->finish;
    uint64_t *row = s->row;
    const uint64_t end = p->end;
    const pci_wide product = p->product;
    pci_wide sum = 0;
    for (uint64_t a = p->arc; a < end; a++) {
        uint64_t v = column[a];
        pci_wide amount = is_pair ? pci_wide_of(finish + v * n_words, n_words) : product;
        amount = or_zero(amount, distance[v] != PCI_ON_PATH, n_words);
        amount *= is_weighted ? weight[a] : 1;
        if (is_pair)
            sum += amount;
        else
            add(row + v * n_words, amount, n_words);
    }
    if (is_pair)
        s->sum += sum * product;
}

/* Notes the paths that one more arc makes of this one. Bytes are added up until one could overflow. */
static void note_ends(pci_searcher *s, const pci_place *p)
{
    const uint32_t *column = s->team->work->graph->column;
    const uint32_t *restrict distance = s->distance;
    const uint64_t *restrict back = s->back;
    uint64_t *restrict n_before = s->n_before;
    uint64_t n_open = 0;
    for (uint64_t a = p->arc, end; a < p->end; a = end) {
        uint64_t sum = 0;
        end = p->end - a < UINT8_MAX ? p->end : a + UINT8_MAX;
        for (uint64_t b = a; b < end; b++) {
            uint64_t v = column[b], is_open = distance[v] != PCI_ON_PATH;
            n_before[v] += is_open;
            n_open += is_open;
            sum += back[v] & -is_open;
        }
        for (int64_t j = 0; j < s->team->n_marked; j++)
            s->n_back[s->path[j].vertex] += sum >> 8 * j & UINT8_MAX;
    }
    if (p - s->path >= s->team->n_marked) /* each arc of an undirected graph has an arc back */
        s->n_back[p->vertex] += n_open;
}

/* Makes the row of the paths that were noted, and clears the notes. */
static void add_noted(pci_searcher *s)
{
    const pc_graph *g = s->team->work->graph;
    const uint32_t n_words = s->team->work->n_words;
    for (uint64_t v = 0; v < g->n; v++) {
        uint64_t n_before = s->n_before[v];
        add(s->row + v * n_words, -(pci_wide)s->n_back[v], n_words);
        if (s->team->work->up_to)
            add(s->row + v * n_words, n_before, n_words);
        for (uint64_t a = g->row_start[v]; n_before && a < g->row_start[v + 1]; a++)
            if (g->column[a] != v)
                add(s->row + g->column[a] * n_words, n_before, n_words);
        s->n_before[v] = s->n_back[v] = 0;
    }
}

/* ---- The search ------------------------------------------------------------------------------- */

/* False when the call was cancelled. */
static bool goes_on(pci_searcher *s)
{
    pci_search_team *t = s->team;
    const pc_graph *g = t->work->graph;
    double part = 0;
    if (s->path->end > g->row_start[s->path->vertex])
        part = (double)(s->path->arc - g->row_start[s->path->vertex]) /
               (double)(s->path->end - g->row_start[s->path->vertex]);
    s->n_unasked = 0;
    return pci_goes_on(t->work->context, "search",
                       ((double)s->row_number + part) / (double)t->n_rows, &t->status);
}

/* Tells whether this thread follows the path of PCI_SPLIT arcs that it has met. All threads meet them in one order. */
static bool claims(pci_searcher *s)
{
    if (!s->team->is_split)
        return true;
    if (s->seen++ != s->claimed)
        return false;
    s->claimed = __atomic_fetch_add(&s->team->n_claimed, 1, __ATOMIC_RELAXED);
    return true;
}

/* Counts the paths that begin at a vertex. False when the call was cancelled; the marks are of no use then. */
ALWAYS_INLINE bool explore(pci_searcher *s, uint32_t start, const uint32_t n_words,
                           const bool is_weighted, const uint32_t n_last)
{
    const pc_graph *g = s->team->work->graph;
    const uint64_t last = s->team->length - n_last;
    uint64_t depth = 0;
    enter(s, 0, start, 1, n_words, n_last);
    for (;;) {
        pci_place *p = s->path + depth;
        uint64_t left = s->team->length - depth;
        if (s->n_unasked >= ASK_EVERY && !goes_on(s))
            return false;
        if (depth == last) {
            if (n_last == PCI_BACK_END)
                note_ends(s, p);
            else
                count_ends(s, p, n_words, is_weighted, n_last);
            p->arc = p->end;
        }
        while (p->arc < p->end && s->distance[g->column[p->arc]] >= left)
            p->arc++;
        if (p->arc == p->end) {
            leave(s, p, n_words, n_last);
            if (depth-- == 0)
                break;
            continue;
        }
        uint64_t a = p->arc++;
        if (depth + 1 != PCI_SPLIT || claims(s))
            enter(s, ++depth, g->column[a], is_weighted ? p->product * g->weight[a] : p->product,
                  n_words, n_last);
    }
    if (n_last == PCI_BACK_END)
        add_noted(s);
    return true;
}

/* Each case is compiled for itself. */
ALWAYS_INLINE bool explore_kind(pci_searcher *s, uint32_t v, const uint32_t n_words)
{
    bool is_weighted = s->team->work->graph->weight != NULL;
    if (s->team->n_last == PCI_BACK_END)
        return explore(s, v, n_words, false, PCI_BACK_END);
    if (s->team->is_pair)
        return is_weighted ? explore(s, v, n_words, true, PCI_PAIR_END)
                           : explore(s, v, n_words, false, PCI_PAIR_END);
    return is_weighted ? explore(s, v, n_words, true, PCI_ROW_END)
                       : explore(s, v, n_words, false, PCI_ROW_END);
}

/* ---- Targets ---------------------------------------------------------------------------------- */

/* Distances to the target, by a breadth-first search; returns the arcs that it followed. */
static double find_distances(pci_searcher *s, uint64_t target)
{
    const pc_graph *back = s->team->work->reverse;
    double n_arcs = 0;
    s->n_reached = 1;
    s->reached[0] = (uint32_t)target;
    s->distance[target] = 0;
    for (uint64_t i = 0; i < s->n_reached && s->distance[s->reached[i]] < s->team->length; i++) {
        uint32_t v = s->reached[i];
        for (uint64_t a = back->row_start[v]; a < back->row_start[v + 1]; a++)
            if (s->distance[back->column[a]] == PCI_ON_PATH) {
                s->distance[back->column[a]] = s->distance[v] + 1;
                s->reached[s->n_reached++] = back->column[a];
            }
        n_arcs += (double)(back->row_start[v + 1] - back->row_start[v]);
    }
    s->distance[target] = PCI_ON_PATH;
    return n_arcs;
}

double pci_searcher_aim(pci_searcher *s, uint64_t target)
{
    const pc_graph *back = s->team->work->reverse;
    const uint32_t n_words = s->team->work->n_words;
    if (s->target == target)
        return 0;
    for (uint64_t i = 0; i < s->n_reached; i++) {
        uint32_t v = s->reached[i];
        s->distance[v] = PCI_ON_PATH;
        s->to_end[v] = 0;
        memset(s->finish + (uint64_t)v * n_words, 0, n_words * sizeof *s->finish);
    }
    s->target = target;
    double n_arcs = find_distances(s, target);
    for (uint64_t a = back->row_start[target]; a < back->row_start[target + 1]; a++)
        if (back->column[a] != target)
            s->to_end[back->column[a]] = pci_graph_weight(back, a);
    if (s->team->length == 1) /* vertices two arcs away were not reached */
        return n_arcs;
    for (uint64_t a = back->row_start[target]; a < back->row_start[target + 1]; a++) {
        uint64_t v = back->column[a];
        change_finish(s, v, true, n_words);
        if (s->team->work->up_to)
            add(s->finish + v * n_words, s->to_end[v], n_words);
        n_arcs += (double)(back->row_start[v + 1] - back->row_start[v]);
    }
    return n_arcs;
}

/* ---- One thread ------------------------------------------------------------------------------- */

pc_status pci_searcher_create(pci_search_team *team, int number, pci_searcher *s)
{
    pc_context *context = team->work->context;
    const uint64_t n = team->work->graph->n, n_words = team->work->n_words;
    *s = (pci_searcher){.team = team,
                        .is_first = number == 0 || !team->is_split,
                        .n_unasked = ASK_EVERY,
                        .target = n};
    s->path = pci_alloc(context, (team->length + 1) * sizeof *s->path);
    s->distance = pci_alloc_zero(context, n, sizeof *s->distance);
    bool has_all = s->path && s->distance;
    if (team->is_pair) {
        s->to_end = pci_alloc_zero(context, n, sizeof *s->to_end);
        s->finish = pci_alloc_zero(context, n, n_words * sizeof *s->finish);
        s->reached = pci_alloc(context, n * sizeof *s->reached);
        has_all = has_all && s->to_end && s->finish && s->reached;
        if (has_all)
            memset(s->distance, 0xff, n * sizeof *s->distance); /* PCI_ON_PATH */
    }
    if (team->n_last == PCI_BACK_END) {
        s->back = pci_alloc_zero(context, n, sizeof *s->back);
        s->n_before = pci_alloc_zero(context, n, sizeof *s->n_before);
        s->n_back = pci_alloc_zero(context, n, sizeof *s->n_back);
        has_all = has_all && s->back && s->n_before && s->n_back;
    }
    if (team->is_split && !team->is_pair) {
        s->own = s->row = pci_alloc_zero(context, n, n_words * sizeof *s->own);
        has_all = has_all && s->own;
    }
    return has_all ? PC_OK : pci_fail_memory(context, "a search", n * (n_words + 2) * 8);
}

void pci_searcher_free(pci_searcher *s)
{
    if (!s->team)
        return;
    pc_context *context = s->team->work->context;
    pci_free(context, s->path);
    pci_free(context, s->distance);
    pci_free(context, s->to_end);
    pci_free(context, s->finish);
    pci_free(context, s->reached);
    pci_free(context, s->back);
    pci_free(context, s->n_before);
    pci_free(context, s->n_back);
    pci_free(context, s->own);
}

void pci_searcher_run(pci_searcher *s, uint64_t row_number, uint64_t from, uint64_t to)
{
    pci_search_team *t = s->team;
    const pc_graph *g = t->work->graph;
    s->row_number = row_number;
    s->sum = 0;
    s->path[0] =
        (pci_place){.vertex = (uint32_t)from, .arc = g->row_start[from], .end = g->row_start[from]};
    s->n_unasked += t->is_pair ? PAIR_ARCS + (uint64_t)pci_searcher_aim(s, to) : g->n;
    if (t->is_split) {
        s->seen = 0;
        s->claimed = __atomic_fetch_add(&t->n_claimed, 1, __ATOMIC_RELAXED);
    }
    if (s->n_unasked >= ASK_EVERY && !goes_on(s))
        return;
    if (t->is_pair && (s->distance[from] == PCI_ON_PATH || s->distance[from] > t->length))
        return;
    if (t->is_pair && t->length == 1)
        s->sum = s->to_end[from];
    else if (t->is_pair && t->length < PCI_PAIR_END)
        s->sum = pci_wide_of(s->finish + from * t->work->n_words, t->work->n_words);
    else if (t->work->n_words == 1)
        explore_kind(s, (uint32_t)from, 1);
    else
        explore_kind(s, (uint32_t)from, 2);
}

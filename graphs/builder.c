/* Makes the graph of edges. Arcs become keys (row, column), which are distributed to buckets. A
 * bucket holds neighbouring rows and fits a cache. Each bucket is sorted, its equal keys are joined
 * as the policies say, and the compressed rows are made of the joined keys. Threads work on parts of
 * the edges, then on buckets. The result does not depend on their number. */
#include "graphs/builder.h"

#include "graphs/sort.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { BUCKET_ARCS = 16384, MAX_BUCKETS = 1024 };

static const uint64_t NO_KEY = UINT64_MAX; /* a vertex is below 2^32-1 */

typedef enum flaw { NO_FLAW = 0, OTHER_WEIGHT, TOO_HEAVY } flaw;

typedef struct bucket {
    uint64_t begin;         /* in the array of keys */
    uint64_t n_keys;        /* every arc; after joining: every entry of the matrix */
    uint64_t n_arcs_before; /* entries in the buckets before */
    uint64_t n_edges, n_loops, n_duplicates, max_weight;
    flaw flaw;
    uint64_t flaw_key, flaw_weights[2];
    uint32_t flaw_text;
} bucket;

typedef struct building {
    pc_context *context;
    pci_graph_draft *draft;
    pc_graph *graph;
    int n_threads;
    bool directed;
    bool mirrors;     /* puts each edge in both directions */
    bool has_weights; /* some entry of the matrix may be above 1 */
    bool doubles;     /* the multiplicity of a loop */
    int shift; /* the bucket of a row is row >> shift; shift can be 32, so rows are widened first */
    size_t n_buckets;
    bucket *buckets;
    uint64_t key_bits; /* those in which keys of a bucket may differ */
    uint64_t *place;   /* [n_parts][n_buckets]: where the next arc goes */
    uint64_t n_arcs;   /* all that were given */
    /* [n_arcs]; companions are weights, NULL when all are 1. Arcs with texts have weights [n_arcs], else NULL: then a
     * companion is the number of the text, and in its lower half the place of the weight. */
    pci_sort_items items;
    uint64_t *weights;
} building;

static uint32_t row_of(uint64_t key)
{
    return (uint32_t)(key >> 32);
}

static uint32_t column_of(uint64_t key)
{
    return (uint32_t)key;
}

static uint64_t *weight_at(const building *b, uint64_t i)
{
    uint64_t *companion = &b->items.companion[i];
    return b->weights ? &b->weights[(uint32_t)*companion] : companion;
}

static uint32_t text_at(const building *b, uint64_t i)
{
    return b->weights ? (uint32_t)(b->items.companion[i] >> 32) : 0;
}

/* An undirected edge stands in the matrix twice; it is counted where row <= column. */
static bool counts_as_edge(const building *b, uint64_t key)
{
    return b->directed | (row_of(key) <= column_of(key));
}

/* ---- Drafts ---------------------------------------------------------------------------------- */

pc_status pci_check_directions(pc_context *context, pc_direction stated,
                               const pc_graph_options *options)
{
    pc_direction asked = options ? options->direction : PC_DIRECTION_OF_FORMAT;
    pc_direction bad = (unsigned)asked > PC_UNDIRECTED ? asked : stated;
    if ((unsigned)bad > PC_UNDIRECTED)
        return pci_fail(context, PC_ERR_ARGUMENT, "unknown direction %d", (int)bad);
    if (options && (unsigned)options->loops > PC_LOOPS_TWICE)
        return pci_fail(context, PC_ERR_ARGUMENT, "unknown rule %d for loops", (int)options->loops);
    return PC_OK;
}

bool pci_draft_needs_weights(const pc_graph_options *options)
{
    return options && options->weights && options->weights != PC_WEIGHTS_IF_ANY;
}

void pci_draft_set_direction(pci_graph_draft *draft, pc_direction stated,
                             const pc_graph_options *options)
{
    pc_direction asked = options ? options->direction : PC_DIRECTION_OF_FORMAT;
    pc_direction taken = asked != PC_DIRECTION_OF_FORMAT ? asked : stated;
    draft->info.directed = taken == PC_DIRECTED;
    draft->info.direction_overridden = stated != PC_DIRECTION_OF_FORMAT && taken != stated;
    draft->loops = options ? options->loops : PC_LOOPS_ONCE;
}

void pci_draft_set_scale(pci_graph_draft *draft, const pci_scale *scale)
{
    draft->info.decimals = scale->decimals;
    draft->info.weight_error = pci_scale_error(scale);
}

void pci_draft_free(pc_context *context, pci_graph_draft *draft)
{
    pci_edges_free(context, &draft->edges);
    pci_labels_free(context, &draft->labels);
    pci_names_free(context, &draft->texts);
}

/* ---- Arcs into buckets ----------------------------------------------------------------------- */

static void count_part(const building *b, size_t part)
{
    const pci_edge_part edges = b->draft->edges.parts[part];
    const int shift = b->shift;
    uint64_t *count = b->place + part * b->n_buckets;
    bool mirrors = b->mirrors;
    for (uint64_t e = 0; e < edges.n_edges; e++) {
        pci_edge edge = edges.edge[e];
        count[(uint64_t)edge.from >> shift]++;
        if (mirrors && edge.from != edge.to)
            count[(uint64_t)edge.to >> shift]++;
    }
}

/* Puts an arc to the next place of its bucket, which is returned. */
static inline uint64_t put_arc(pci_sort_items items, uint64_t *place, int shift, pci_edge edge,
                               uint64_t weight)
{
    uint64_t at = place[(uint64_t)edge.from >> shift]++;
    items.key[at] = (uint64_t)edge.from << 32 | edge.to;
    if (items.companion)
        items.companion[at] = weight;
    return at;
}

static void distribute_part(const building *b, size_t part)
{
    const pci_edge_part edges = b->draft->edges.parts[part];
    const pci_sort_items items = b->items; /* copies: no store changes them */
    uint64_t *place = b->place + part * b->n_buckets;
    const int shift = b->shift;
    const bool mirrors = b->mirrors;
    for (uint64_t e = 0; e < edges.n_edges && !edges.text; e++) {
        pci_edge edge = edges.edge[e];
        uint64_t weight = edges.weight ? edges.weight[e] : 1;
        put_arc(items, place, shift, edge, weight);
        if (mirrors && edge.from != edge.to)
            put_arc(items, place, shift, (pci_edge){edge.to, edge.from}, weight);
    }
    for (uint64_t e = 0; e < edges.n_edges && edges.text; e++) {
        pci_edge edge = edges.edge[e];
        for (int way = 0; way < 1 + (mirrors && edge.from != edge.to); way++) {
            uint64_t at = put_arc(items, place, shift, edge, (uint64_t)edges.text[e] << 32);
            items.companion[at] |= at;
            b->weights[at] = edges.weight ? edges.weight[e] : 1;
            edge = (pci_edge){edge.to, edge.from};
        }
    }
}

/* Buckets of about BUCKET_ARCS arcs or rows, and few enough that the place of the next arc of every
 * bucket stays in the cache. */
static pc_status make_buckets(building *b)
{
    const uint64_t n = b->draft->labels.n;
    uint64_t n_items = 2 * pci_edges_count(&b->draft->edges) + n;
    uint64_t n_wanted = n_items / BUCKET_ARCS + 1;
    b->n_threads = pci_threads_worth(b->context, PCI_EDGE_SECONDS * (double)n_items);
    if (n_wanted > MAX_BUCKETS)
        n_wanted = MAX_BUCKETS;
    while ((n >> b->shift) >= n_wanted)
        b->shift++;
    b->n_buckets = (n >> b->shift) + 1;
    uint64_t row_bits = (UINT64_C(1) << b->shift) - 1;
    uint64_t column_bits = n > 1 ? UINT64_MAX >> __builtin_clzll(n - 1) : 0;
    b->key_bits = (row_bits & column_bits) << 32 | column_bits;
    b->buckets = pci_alloc_zero(b->context, b->n_buckets, sizeof *b->buckets);
    b->place =
        pci_alloc_zero(b->context, (b->draft->edges.n_parts + 1) * b->n_buckets, sizeof *b->place);
    if (!b->buckets || !b->place)
        return pci_fail_memory(b->context, "the buckets of arcs",
                               b->n_buckets * sizeof *b->place * b->draft->edges.n_parts);
    return PC_OK;
}

/* Counts become places: those of one bucket follow each other, in the order of the parts. A graph is refused whose next
 * arrays need more memory than there is: keys (and weights) of the arcs, then the compressed rows. */
static pc_status distribute_arcs(building *b)
{
    const size_t n_parts = b->draft->edges.n_parts;
    const uint64_t n = b->draft->labels.n;
#pragma omp parallel for schedule(dynamic) num_threads(b->n_threads)
    for (size_t part = 0; part < n_parts; part++)
        count_part(b, part);
    for (size_t k = 0; k < b->n_buckets; k++) {
        b->buckets[k].begin = b->n_arcs;
        for (size_t part = 0; part < n_parts; part++) {
            uint64_t *place = &b->place[part * b->n_buckets + k], count = *place;
            *place = b->n_arcs;
            b->n_arcs += count;
        }
        b->buckets[k].n_keys = b->n_arcs - b->buckets[k].begin;
    }
    bool has_texts = b->draft->edges.text;
    double arc_bytes = has_texts ? 24 + 16 : b->has_weights ? 16 + 12 : 8 + 4;
    double need_bytes = arc_bytes * (double)b->n_arcs + 8.0 * ((double)n + 1);
    if (!pci_memory_has(b->context, need_bytes))
        return pci_fail(b->context, PC_ERR_MEMORY,
                        "a graph of %" PRIu64 " vertices and %" PRIu64 " arcs needs %.3g GB of "
                        "memory and there are %.3g GB: a smaller graph, or a larger machine",
                        n, b->n_arcs, need_bytes / 1e9,
                        (double)pci_memory_available(b->context) / 1e9);
    if (has_texts && b->n_arcs > UINT32_MAX)
        return pci_fail(b->context, PC_ERR_RANGE, "edges with texts are fewer than 2^32 arcs");
    size_t bytes = b->n_arcs * sizeof(uint64_t);
    b->items.key = pci_alloc(b->context, bytes);
    b->items.companion = b->has_weights ? pci_alloc(b->context, bytes) : NULL;
    b->weights = has_texts ? pci_alloc(b->context, bytes) : NULL;
    if (!b->items.key || (b->has_weights && !b->items.companion) || (has_texts && !b->weights))
        return pci_fail_memory(b->context, "the arcs", bytes);
#pragma omp parallel for schedule(dynamic) num_threads(b->n_threads)
    for (size_t part = 0; part < n_parts; part++)
        distribute_part(b, part);
    pci_edges_free(b->context, &b->draft->edges);
    return PC_OK;
}

/* ---- Equal keys joined ----------------------------------------------------------------------- */

static void note_flaw(const building *b, bucket *k, flaw what, uint64_t i, uint64_t weight,
                      uint64_t other)
{
    if (k->flaw)
        return;
    k->flaw = what;
    k->flaw_key = b->items.key[i];
    k->flaw_text = text_at(b, i);
    k->flaw_weights[0] = weight;
    k->flaw_weights[1] = other;
}

static bool is_loop(uint64_t key)
{
    return row_of(key) == column_of(key);
}

/* The entry of the matrix that the equal arcs begin .. end - 1 make. */
static uint64_t join_weights(const building *b, bucket *k, uint64_t begin, uint64_t end)
{
    uint64_t joined = *weight_at(b, begin);
    for (uint64_t i = begin + 1; i < end; i++) {
        uint64_t weight = *weight_at(b, i);
        if (b->draft->multigraph) {
            if (__builtin_add_overflow(joined, weight, &joined))
                note_flaw(b, k, TOO_HEAVY, i, 0, 0);
        } else if (weight != joined) {
            note_flaw(b, k, OTHER_WEIGHT, i, joined, weight);
        }
    }
    if (b->doubles && is_loop(b->items.key[begin]) &&
        __builtin_add_overflow(joined, joined, &joined))
        note_flaw(b, k, TOO_HEAVY, begin, 0, 0);
    return joined;
}

/* Sorted keys of weight 1 with repetitions become the entries of the matrix, in place. There are no
 * branches, since most graphs spend their time here. */
static void join_plain(const building *b, bucket *k)
{
    uint64_t *key = b->items.key + k->begin, n_joined = 0, n_edges = 0, n_loops = 0;
    uint64_t n_counted = 0, last = NO_KEY;
    for (uint64_t i = 0; i < k->n_keys; i++) {
        uint64_t this_key = key[i];
        bool is_new = this_key != last, counted = counts_as_edge(b, this_key);
        key[n_joined] = last = this_key;
        n_joined += is_new;
        n_edges += is_new & counted;
        n_counted += counted;
        n_loops += is_new & is_loop(this_key);
    }
    k->n_keys = n_joined;
    k->n_edges = n_edges;
    k->n_duplicates = n_counted - n_edges;
    k->n_loops = n_loops;
    k->max_weight = n_joined > 0;
}

/* The same with weights. */
static void join_weighted(const building *b, bucket *k)
{
    uint64_t *key = b->items.key, *companion = b->items.companion;
    uint64_t end = k->begin + k->n_keys, joined = k->begin;
    for (uint64_t i = k->begin, next; i < end; i = next) {
        uint64_t this_key = key[i];
        for (next = i + 1;
             next < end && key[next] == this_key && text_at(b, next) == text_at(b, i);)
            next++;
        bool counted = counts_as_edge(b, this_key);
        k->n_duplicates += counted ? next - i - 1 : 0;
        uint64_t entry = join_weights(b, k, i, next);
        if (entry == 0)
            continue;
        k->n_edges += counted;
        k->n_loops += is_loop(this_key);
        k->max_weight = entry > k->max_weight ? entry : k->max_weight;
        key[joined] = this_key;
        companion[joined] = companion[i];
        *weight_at(b, joined++) = entry;
    }
    k->n_keys = joined - k->begin;
}

/* Sorts arcs with equal keys by their texts. */
static void sort_texts(const building *b, const bucket *k, pci_sort_items spare)
{
    const uint64_t *key = b->items.key;
    spare.companion = NULL;
    for (uint64_t i = k->begin, end = i + k->n_keys, next; i < end; i = next) {
        for (next = i + 1; next < end && key[next] == key[i];)
            next++;
        pci_sort_items equal = {b->items.companion + i, NULL};
        pci_sort(equal, spare, next - i, pci_differing_bits(equal.key, next - i));
    }
}

/* Makes room for n spare items; false when there is no memory. */
static bool reserve(const building *b, pci_sort_items *spare, uint64_t *capacity, uint64_t n)
{
    if (n <= *capacity)
        return true;
    pci_free(b->context, spare->key);
    pci_free(b->context, spare->companion);
    *capacity = n;
    spare->key = pci_alloc(b->context, n * sizeof(uint64_t));
    spare->companion = b->items.companion ? pci_alloc(b->context, n * sizeof(uint64_t)) : NULL;
    return spare->key && (spare->companion || !b->items.companion);
}

static pc_status join_arcs(building *b)
{
    bool out_of_memory = false;
#pragma omp parallel num_threads(b->n_threads) reduction(|| : out_of_memory)
    {
        pci_sort_items spare = {NULL, NULL};
        uint64_t capacity = 0;
#pragma omp for schedule(dynamic)
        for (size_t i = 0; i < b->n_buckets; i++) {
            bucket *k = &b->buckets[i];
            out_of_memory = out_of_memory || !reserve(b, &spare, &capacity, k->n_keys);
            if (out_of_memory)
                continue;
            pci_sort_items items = {b->items.key + k->begin,
                                    b->items.companion ? b->items.companion + k->begin : NULL};
            pci_sort(items, spare, k->n_keys, b->key_bits);
            if (b->weights)
                sort_texts(b, k, spare);
            if (items.companion)
                join_weighted(b, k);
            else
                join_plain(b, k);
        }
        pci_free(b->context, spare.key);
        pci_free(b->context, spare.companion);
    }
    return out_of_memory ? pci_fail_memory(b->context, "sorting the arcs", 8 * b->n_arcs) : PC_OK;
}

/* The message about the first flaw, if there is one. */
static pc_status check_flaws(const building *b)
{
    const bucket *k = b->buckets, *end = b->buckets + b->n_buckets;
    while (k < end && k->flaw == NO_FLAW)
        k++;
    if (k == end)
        return PC_OK;
    char from[64], to[64], with[64] = "";
    size_t length;
    pc_labels_text(&b->draft->labels, row_of(k->flaw_key), from, sizeof from);
    pc_labels_text(&b->draft->labels, column_of(k->flaw_key), to, sizeof to);
    if (b->weights) {
        const char *text = pci_names_text(&b->draft->texts, k->flaw_text, &length);
        snprintf(with, sizeof with, " with '%.*s'", length < 40 ? (int)length : 40, text);
    }
    if (k->flaw == TOO_HEAVY)
        return pci_fail(b->context, PC_ERR_RANGE,
                        "the multiplicities of edge %s %s%s add up to more than 2^64-1%s", from, to,
                        with, b->doubles && is_loop(k->flaw_key) ? ", as loops count twice" : "");
    char weights[2][PCI_WEIGHT_TEXT_BYTES];
    for (int i = 0; i < 2; i++)
        pci_weight_text(k->flaw_weights[i], b->draft->info.decimals, weights[i]);
    return pci_fail(
        b->context, PC_ERR_DATA,
        "edge %s %s%s is given with weight %s and again with weight %s: keep one of them, "
        "or let them add with --multigraph",
        from, to, with, weights[0], weights[1]);
}

/* ---- Compressed rows ------------------------------------------------------------------------- */

/* Rows row .. end_row - 1 begin at arc. Returns the row after them. */
static uint64_t begin_rows(const pc_graph *graph, uint64_t row, uint64_t end_row, uint64_t arc)
{
    for (; row < end_row; row++)
        graph->row_start[row] = arc;
    return row;
}

static void fill_rows(const building *b, size_t i)
{
    const bucket *k = &b->buckets[i];
    const pc_graph *graph = b->graph;
    const uint64_t *key = b->items.key + k->begin;
    uint32_t *column = graph->column + k->n_arcs_before;
    uint64_t next_row = (uint64_t)i << b->shift;
    uint64_t end_row = next_row + (UINT64_C(1) << b->shift);
    for (uint64_t at = 0; at < k->n_keys; at++) {
        uint64_t row = row_of(key[at]);
        if (next_row <= row)
            next_row = begin_rows(graph, next_row, row + 1, k->n_arcs_before + at);
        column[at] = column_of(key[at]);
    }
    for (uint64_t at = 0; at < k->n_keys && graph->text; at++) {
        graph->text[k->n_arcs_before + at] = text_at(b, k->begin + at);
        if (graph->weight)
            graph->weight[k->n_arcs_before + at] = *weight_at(b, k->begin + at);
    }
    if (graph->weight && !graph->text)
        memcpy(graph->weight + k->n_arcs_before, b->items.companion + k->begin,
               k->n_keys * sizeof *graph->weight);
    begin_rows(graph, next_row, end_row < graph->n ? end_row : graph->n,
               k->n_arcs_before + k->n_keys);
}

static pc_status make_rows(building *b)
{
    pc_graph *graph = b->graph;
    pc_graph_info *info = &graph->info;
    for (size_t i = 0; i < b->n_buckets; i++) {
        bucket *k = &b->buckets[i];
        k->n_arcs_before = info->n_arcs;
        info->n_arcs += k->n_keys;
        info->n_edges += k->n_edges;
        info->n_loops += k->n_loops;
        info->n_duplicates += k->n_duplicates;
        info->max_weight = k->max_weight > info->max_weight ? k->max_weight : info->max_weight;
    }
    size_t n_arcs = info->n_arcs;
    bool weights = b->items.companion && info->max_weight > 1;
    graph->n = b->draft->labels.n;
    graph->row_start = pci_alloc(b->context, (graph->n + 1) * sizeof *graph->row_start);
    graph->column = pci_alloc(b->context, n_arcs * sizeof *graph->column);
    graph->weight = weights ? pci_alloc(b->context, n_arcs * sizeof *graph->weight) : NULL;
    graph->text = b->weights ? pci_alloc(b->context, n_arcs * sizeof *graph->text) : NULL;
    if (!graph->row_start || !graph->column || (weights && !graph->weight) ||
        (b->weights && !graph->text))
        return pci_fail_memory(b->context, "the graph", 8 * (graph->n + 1) + 4 * n_arcs);
#pragma omp parallel for schedule(dynamic) num_threads(b->n_threads)
    for (size_t i = 0; i < b->n_buckets; i++)
        fill_rows(b, i);
    graph->row_start[graph->n] = n_arcs;
    return PC_OK;
}

/* Drops the edges that are marked as none; their vertices stay. */
static void drop_absent(building *b)
{
    pci_edges *edges = &b->draft->edges;
    uint64_t n_absent = 0;
    if (!b->draft->weights_are_flags || !edges->weight)
        return;
    for (size_t p = 0; p < edges->n_parts; p++) {
        pci_edge_part *part = &edges->parts[p];
        uint64_t n_kept = 0;
        for (uint64_t e = 0; e < part->n_edges; e++) {
            part->edge[n_kept] = part->edge[e];
            if (part->text)
                part->text[n_kept] = part->text[e];
            n_kept += part->weight[e] > 0;
        }
        n_absent += part->n_edges - n_kept;
        part->n_edges = n_kept;
    }
    pci_edges_drop_weights(b->context, edges);
    char *note = b->graph->note;
    size_t n = strlen(note);
    snprintf(note + n, sizeof b->graph->note - n, "%s%" PRIu64 " of weight 0 left out",
             n > 0 ? ", " : "", n_absent);
}

static void describe(building *b)
{
    pc_graph *graph = b->graph;
    const pc_graph_info *given = &b->draft->info;
    graph->context = b->context;
    graph->symmetric = !given->directed;
    memcpy(graph->note, b->draft->note, sizeof graph->note);
    graph->info = (pc_graph_info){
        .n_vertices = b->draft->labels.n,
        .directed = given->directed,
        .direction_overridden = given->direction_overridden,
        .weights_ignored = given->weights_ignored,
        .duplicates_added = b->draft->multigraph,
        .loops = b->doubles || (b->draft->has_twice_loops && !given->directed) ? PC_LOOPS_TWICE
                                                                               : PC_LOOPS_ONCE,
        .decimals = given->decimals,
        .weight_error = given->weight_error,
        .format = given->format};
}

pc_status pci_graph_build(pc_context *context, pci_graph_draft *draft, pc_graph **graph)
{
    building b = {.context = context,
                  .draft = draft,
                  .directed = draft->info.directed,
                  .mirrors = !draft->info.directed && !draft->has_mirrors,
                  .doubles = draft->loops == PC_LOOPS_TWICE && !draft->has_twice_loops};
    pc_status status = PC_OK;
    if (draft->loops == PC_LOOPS_TWICE && b.directed) {
        status = pci_fail(context, PC_ERR_ARGUMENT,
                          "--loops twice is for undirected graphs, and this one is directed, where "
                          "a loop is one arc: leave --loops out, or make the graph undirected with "
                          "--undirected");
        goto done;
    }
    b.graph = pci_alloc_zero(context, 1, sizeof *b.graph);
    if (!b.graph) {
        status = pci_fail_memory(context, "the graph", sizeof *b.graph);
        goto done;
    }
    describe(&b);
    drop_absent(&b);
    b.has_weights =
        draft->edges.weight || draft->multigraph || b.doubles || draft->edges.text != NULL;
    if ((status = make_buckets(&b)) || (status = distribute_arcs(&b)) ||
        (status = pci_progress(context, "read", 0.7)) || (status = join_arcs(&b)) ||
        (status = check_flaws(&b)) || (status = pci_progress(context, "read", 0.9)) ||
        (status = make_rows(&b)) ||
        (draft->may_be_mutual && !b.weights &&
         (status = pci_graph_join_mutual(context, b.graph, draft->is_matrix))))
        goto done;
    b.graph->labels = draft->labels;
    b.graph->texts = (pci_labels){PCI_LABELS_TEXT, .n = draft->texts.n, .names = draft->texts};
    draft->labels = (pci_labels){0};
    draft->texts = (pci_names){0};
    pci_graph_seal(context, b.graph);
    *graph = b.graph;
    b.graph = NULL;
done:
    pc_graph_free(b.graph);
    pci_free(context, b.buckets);
    pci_free(context, b.place);
    pci_free(context, b.items.key);
    pci_free(context, b.items.companion);
    pci_free(context, b.weights);
    pci_draft_free(context, draft);
    return status;
}

/* Edges: memory, and from ids or numbers of names to vertices. */
#include "graphs/edges.h"

#include <string.h>

uint64_t pci_edges_count(const pci_edges *edges)
{
    uint64_t n_edges = 0;
    for (size_t p = 0; p < edges->n_parts; p++)
        n_edges += edges->parts[p].n_edges;
    return n_edges;
}

static int threads_for(const pc_context *context, const pci_edges *edges)
{
    return pci_threads_for(context, PCI_OPERATIONS_AN_EDGE * (double)pci_edges_count(edges));
}

void pci_edges_free(pc_context *context, pci_edges *edges)
{
    pci_free(context, edges->edge);
    pci_free(context, edges->weight);
    pci_free(context, edges->parts);
    *edges = (pci_edges){0};
}

pc_status pci_edges_create(pc_context *context, size_t n_parts, const uint64_t *n_edges,
                           bool with_weights, pci_edges *edges)
{
    uint64_t n_all = 0;
    for (size_t p = 0; p < n_parts; p++)
        n_all += n_edges[p];
    uint64_t bytes = n_all * (sizeof(pci_edge) + (with_weights ? sizeof(uint64_t) : 0));
    if (n_all > UINT64_MAX / 16 || !pci_memory_has(context, (double)bytes))
        return pci_fail_memory(context, "the edges", n_all > UINT64_MAX / 16 ? SIZE_MAX : bytes);
    pci_edges made = {.edge = pci_alloc(context, n_all * sizeof(pci_edge)),
                      .weight = with_weights ? pci_alloc(context, n_all * sizeof(uint64_t)) : NULL,
                      .parts = pci_alloc_zero(context, n_parts, sizeof(pci_edge_part)),
                      .n_parts = n_parts};
    if (!made.edge || !made.parts || (with_weights && !made.weight)) {
        pci_edges_free(context, &made);
        return pci_fail_memory(context, "the edges", bytes);
    }
    uint64_t first = 0;
    for (size_t p = 0; p < n_parts; p++) {
        made.parts[p] = (pci_edge_part){.edge = made.edge + first,
                                        .weight = with_weights ? made.weight + first : NULL,
                                        .n_edges = n_edges[p]};
        first += n_edges[p];
    }
    *edges = made;
    return PC_OK;
}

pc_status pci_edges_create_equal(pc_context *context, size_t n_parts, uint64_t n_edges,
                                 bool with_weights, pci_edges *edges)
{
    uint64_t *n_edges_of = pci_alloc(context, n_parts * sizeof *n_edges_of);
    if (!n_edges_of)
        return pci_fail_memory(context, "the edges", n_parts * sizeof *n_edges_of);
    for (size_t p = 0; p < n_parts; p++)
        n_edges_of[p] = n_edges / n_parts + (p < n_edges % n_parts);
    pc_status status = pci_edges_create(context, n_parts, n_edges_of, with_weights, edges);
    pci_free(context, n_edges_of);
    return status;
}

void pci_edges_drop_weights(pc_context *context, pci_edges *edges)
{
    pci_free(context, edges->weight);
    edges->weight = NULL;
    for (size_t p = 0; p < edges->n_parts; p++)
        edges->parts[p].weight = NULL;
}

void pci_edges_renumber(pc_context *context, pci_edges *edges, const uint32_t *vertex_of)
{
    int n_threads = threads_for(context, edges);
#pragma omp parallel for schedule(dynamic) num_threads(n_threads)
    for (size_t p = 0; p < edges->n_parts; p++) {
        pci_edge *edge = edges->parts[p].edge;
        for (uint64_t e = 0; e < edges->parts[p].n_edges; e++)
            edge[e] = (pci_edge){vertex_of[edge[e].from], vertex_of[edge[e].to]};
    }
}

/* ---- Ids to vertices ------------------------------------------------------------------------- */

/* A byte for each id is set when the id occurs. Bits are made of the bytes, and the vertex of an id
 * is the number of set bits before its own. */
typedef struct id_set {
    uint64_t n_ids;   /* the greatest plus 1 */
    uint64_t n_words; /* of 64 ids */
    uint8_t *occurs;  /* [64 * n_words]: 1 for a member */
    uint64_t *bits;   /* [n_words]: the same, bit id % 64 of word id / 64 */
    uint32_t *before; /* [n_words]: members in the words before */
    uint64_t n;       /* members */
} id_set;

/* Several threads store at the same time, all the same value. Most ids are members already. Reading
 * first leaves the byte in the cache of every thread. */
static void add_id(const id_set *set, uint32_t id)
{
    if (!__atomic_load_n(&set->occurs[id], __ATOMIC_RELAXED))
        __atomic_store_n(&set->occurs[id], 1, __ATOMIC_RELAXED);
}

static void add_ends(pc_context *context, const id_set *set, const pci_edges *edges)
{
    int n_threads = threads_for(context, edges);
#pragma omp parallel for schedule(dynamic) num_threads(n_threads)
    for (size_t p = 0; p < edges->n_parts; p++) {
        const pci_edge *edge = edges->parts[p].edge;
        for (uint64_t e = 0; e < edges->parts[p].n_edges; e++) {
            add_id(set, edge[e].from);
            add_id(set, edge[e].to);
        }
    }
}

static void make_bits(id_set *set)
{
    for (uint64_t w = 0; w < set->n_words; w++) {
        uint64_t word = 0;
        for (unsigned bit = 0; bit < 64; bit++)
            word |= (uint64_t)set->occurs[64 * w + bit] << bit;
        set->bits[w] = word;
    }
}

static void count_members(id_set *set)
{
    for (uint64_t w = 0; w < set->n_words; w++) {
        set->before[w] = (uint32_t)set->n;
        set->n += (uint64_t)__builtin_popcountll(set->bits[w]);
    }
}

static uint32_t vertex_of(const id_set *set, uint32_t id)
{
    uint64_t lower_bits = (UINT64_C(1) << id % 64) - 1;
    return set->before[id / 64] + (uint32_t)__builtin_popcountll(set->bits[id / 64] & lower_bits);
}

static void rewrite_ends(pc_context *context, const id_set *set, pci_edges *edges)
{
    int n_threads = threads_for(context, edges);
#pragma omp parallel for schedule(dynamic) num_threads(n_threads)
    for (size_t p = 0; p < edges->n_parts; p++) {
        pci_edge *edge = edges->parts[p].edge;
        for (uint64_t e = 0; e < edges->parts[p].n_edges; e++)
            edge[e] = (pci_edge){vertex_of(set, edge[e].from), vertex_of(set, edge[e].to)};
    }
}

/* The members in order as labels. */
static pc_status list_members(pc_context *context, const id_set *set, pci_labels *labels)
{
    uint64_t *ids = pci_alloc(context, set->n * sizeof *ids), n = 0;
    if (!ids)
        return pci_fail_memory(context, "labels", set->n * sizeof *ids);
    for (uint64_t w = 0; w < set->n_words; w++)
        for (uint64_t rest = set->bits[w]; rest; rest &= rest - 1)
            ids[n++] = w * 64 + (uint64_t)__builtin_ctzll(rest);
    pci_labels_from_integers(context, ids, n, labels);
    return PC_OK;
}

pc_status pci_edges_from_ids(pc_context *context, pci_edges *edges, uint32_t greatest_id,
                             uint64_t first, uint64_t n_vertices, const pci_ids_join *join,
                             pci_labels *labels)
{
    pc_status status = PC_OK;
    id_set set = {0};
    set.n_ids = greatest_id < first + n_vertices ? first + n_vertices : (uint64_t)greatest_id + 1;
    set.n_words = set.n_ids / 64 + 1;
    set.occurs = pci_alloc_zero(context, set.n_words, 64);
    set.bits = pci_alloc(context, set.n_words * sizeof *set.bits);
    set.before = pci_alloc(context, set.n_words * sizeof *set.before);
    if (!set.occurs || !set.bits || !set.before) {
        status = pci_fail_memory(context, "the set of ids", 76 * set.n_words);
    } else {
        memset(set.occurs + first, 1, n_vertices);
        add_ends(context, &set, edges);
        make_bits(&set);
    }
    if (join)
        status = join->join(join->user, status, set.bits, set.n_words);
    if (status != PC_OK)
        goto done;
    count_members(&set);
    if (set.n == set.n_ids) { /* every id occurs: ids are vertices */
        *labels = pci_labels_range(0, set.n);
        goto done;
    }
    status = list_members(context, &set, labels);
    if (status == PC_OK)
        rewrite_ends(context, &set, edges);
done:
    pci_free(context, set.occurs);
    pci_free(context, set.bits);
    pci_free(context, set.before);
    return status;
}

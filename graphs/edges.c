/* Edges: memory, and from ids or numbers of names to vertices. */
#include "graphs/builder.h"

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
    return pci_threads_worth(context, PCI_EDGE_SECONDS * (double)pci_edges_count(edges));
}

void pci_edges_free(pc_context *context, pci_edges *edges)
{
    pci_free(context, edges->edge);
    pci_free(context, edges->weight);
    pci_free(context, edges->text);
    pci_free(context, edges->parts);
    *edges = (pci_edges){0};
}

pc_status pci_edges_create(pc_context *context, size_t n_parts, const uint64_t *n_edges,
                           bool with_weights, pci_edges *edges)
{
    uint64_t n_all = 0;
    for (size_t p = 0; p < n_parts; p++)
        n_all += n_edges[p];
    pc_status status = pci_edges_create_equal(context, n_parts, n_all, with_weights, edges);
    for (size_t p = 0, first = 0; p < n_parts && status == PC_OK; first += n_edges[p++])
        edges->parts[p] = (pci_edge_part){.edge = edges->edge + first,
                                          .weight = with_weights ? edges->weight + first : NULL,
                                          .n_edges = n_edges[p]};
    return status;
}

pc_status pci_edges_create_equal(pc_context *context, size_t n_parts, uint64_t n_edges,
                                 bool with_weights, pci_edges *edges)
{
    uint64_t bytes = n_edges * (sizeof(pci_edge) + (with_weights ? sizeof(uint64_t) : 0));
    if (n_edges > UINT64_MAX / 16 || !pci_memory_has(context, (double)bytes))
        return pci_fail_memory(context, "the edges", n_edges > UINT64_MAX / 16 ? SIZE_MAX : bytes);
    pci_edges made = {.edge = pci_alloc(context, n_edges * sizeof(pci_edge)),
                      .weight =
                          with_weights ? pci_alloc(context, n_edges * sizeof(uint64_t)) : NULL,
                      .parts = pci_alloc_zero(context, n_parts, sizeof(pci_edge_part)),
                      .n_parts = n_parts};
    if (!made.edge || !made.parts || (with_weights && !made.weight)) {
        pci_edges_free(context, &made);
        return pci_fail_memory(context, "the edges", bytes);
    }
    for (size_t p = 0, first = 0; p < n_parts; p++) {
        pci_edge_part *part = &made.parts[p];
        *part = (pci_edge_part){.edge = made.edge + first,
                                .weight = with_weights ? made.weight + first : NULL,
                                .n_edges = n_edges / n_parts + (p < n_edges % n_parts)};
        first += part->n_edges;
    }
    *edges = made;
    return PC_OK;
}

pc_status pci_edges_add_texts(pc_context *context, uint64_t n_edges, pci_edges *edges)
{
    if (n_edges > UINT64_MAX / 16 ||
        !pci_memory_has(context, (double)n_edges * sizeof *edges->text))
        return pci_fail_memory(context, "the texts of edges", SIZE_MAX);
    edges->text = pci_alloc(context, n_edges * sizeof *edges->text);
    if (!edges->text)
        return pci_fail_memory(context, "the texts of edges", n_edges * sizeof *edges->text);
    for (size_t p = 0; p < edges->n_parts; p++)
        edges->parts[p].text = edges->text + (edges->parts[p].edge - edges->edge);
    return PC_OK;
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
    uint8_t *occurs;  /* [64 * n_words]: 1 for a member */
    uint64_t *bits;   /* [n_words]: the same, bit id % 64 of word id / 64 */
    uint32_t *before; /* [n_words]: members in the words before */
} id_set;

/* Several threads store at the same time, all the same value. Most ids are members already. Reading
 * first leaves the byte in the cache of every thread. */
static void add_id(const id_set *set, uint32_t id)
{
    if (!__atomic_load_n(&set->occurs[id], __ATOMIC_RELAXED))
        __atomic_store_n(&set->occurs[id], 1, __ATOMIC_RELAXED);
}

static uint32_t vertex_of(const id_set *set, uint32_t id)
{
    uint64_t lower_bits = (UINT64_C(1) << id % 64) - 1;
    return set->before[id / 64] + (uint32_t)__builtin_popcountll(set->bits[id / 64] & lower_bits);
}

/* Numbers n members, which become the labels. */
static pc_status number_members(pc_context *context, const id_set *set, uint64_t n_words,
                                uint64_t n, pci_edges *edges, pci_labels *labels)
{
    uint64_t *ids = pci_alloc(context, n * sizeof *ids), n_listed = 0;
    if (!ids)
        return pci_fail_memory(context, "labels", n * sizeof *ids);
    for (uint64_t w = 0; w < n_words; w++)
        for (uint64_t rest = set->bits[w]; rest; rest &= rest - 1)
            ids[n_listed++] = w * 64 + (uint64_t)__builtin_ctzll(rest);
    pci_labels_from_integers(context, ids, n, labels);
    int n_threads = threads_for(context, edges);
#pragma omp parallel for schedule(dynamic) num_threads(n_threads)
    for (size_t p = 0; p < edges->n_parts; p++) {
        pci_edge *edge = edges->parts[p].edge;
        for (uint64_t e = 0; e < edges->parts[p].n_edges; e++)
            edge[e] = (pci_edge){vertex_of(set, edge[e].from), vertex_of(set, edge[e].to)};
    }
    return PC_OK;
}

pc_status pci_edges_from_ids(pc_context *context, pci_edges *edges, uint32_t greatest_id,
                             uint64_t first, uint64_t n_vertices, const pci_ids_join *join,
                             pci_labels *labels)
{
    uint64_t asked = first + n_vertices, n = 0;
    uint64_t n_ids = greatest_id < asked ? asked : (uint64_t)greatest_id + 1;
    uint64_t n_words = n_ids / 64 + 1;
    pc_status status = PC_OK;
    id_set set = {.occurs = pci_alloc_zero(context, n_words, 64),
                  .bits = pci_alloc(context, n_words * sizeof *set.bits),
                  .before = pci_alloc(context, n_words * sizeof *set.before)};
    if (!set.occurs || !set.bits || !set.before) {
        status = pci_fail_memory(context, "the set of ids", 76 * n_words);
    } else {
        memset(set.occurs + first, 1, n_vertices);
        int n_threads = threads_for(context, edges);
#pragma omp parallel for schedule(dynamic) num_threads(n_threads)
        for (size_t p = 0; p < edges->n_parts; p++) {
            const pci_edge *edge = edges->parts[p].edge;
            for (uint64_t e = 0; e < edges->parts[p].n_edges; e++) {
                add_id(&set, edge[e].from);
                add_id(&set, edge[e].to);
            }
        }
        for (uint64_t w = 0; w < n_words; w++) {
            uint64_t word = 0;
            for (unsigned bit = 0; bit < 64; bit++)
                word |= (uint64_t)set.occurs[64 * w + bit] << bit;
            set.bits[w] = word;
        }
    }
    if (join)
        status = join->join(join->user, status, set.bits, n_words);
    for (uint64_t w = 0; w < n_words && status == PC_OK; w++) {
        set.before[w] = (uint32_t)n;
        n += (uint64_t)__builtin_popcountll(set.bits[w]);
    }
    if (status == PC_OK && n == n_ids) /* every id occurs: ids are vertices */
        *labels = pci_labels_range(0, n);
    else if (status == PC_OK)
        status = number_members(context, &set, n_words, n, edges, labels);
    pci_free(context, set.occurs);
    pci_free(context, set.bits);
    pci_free(context, set.before);
    return status;
}

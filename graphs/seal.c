/* The seal of a graph is a hash of all that it holds, made when it is complete. A bit that changes in memory
 * after that changes the counts and what certifies them alike; only the seal tells. Each step of the hash can
 * be undone, so a change within one word always changes the hash. */
#include "graphs/graph.h"

#include <stddef.h>
#include <string.h>

enum { N_LANES = 4, LANE_BYTES = 8, PIECE_BYTES = 1 << 20 };

static const uint64_t FACTOR = UINT64_C(0x9e3779b97f4a7c15); /* odd */

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * FACTOR;
    return hash ^ hash >> 29;
}

/* Lanes, because each step waits for the one before it. */
static uint64_t hash_piece(uint64_t seed, const unsigned char *bytes, size_t n)
{
    uint64_t lane[N_LANES] = {seed, seed + 1, seed + 2, seed + 3}, word[N_LANES];
    size_t at = 0;
    for (; at + sizeof word <= n; at += sizeof word) {
        memcpy(word, bytes + at, sizeof word);
        for (int i = 0; i < N_LANES; i++)
            lane[i] = mix(lane[i], word[i]);
    }
    for (; at < n; at++)
        lane[0] = mix(lane[0], bytes[at]);
    return mix(mix(mix(lane[0], lane[1]), lane[2]), lane[3]);
}

/* Different for each `what`, which tells one array from another. */
static uint64_t hash_array(pc_context *context, uint64_t what, const void *array, size_t n_items,
                           size_t item_bytes)
{
    uint64_t sum = 0;
    size_t n = array ? n_items * item_bytes : 0, n_pieces = (n + PIECE_BYTES - 1) / PIECE_BYTES;
    int n_threads = pci_threads_for(context, (double)n / LANE_BYTES);
#pragma omp parallel for reduction(+ : sum) num_threads(n_threads)
    for (size_t p = 0; p < n_pieces; p++) {
        size_t first = p * PIECE_BYTES, rest = n - first;
        sum += hash_piece(what << 32 ^ p, (const unsigned char *)array + first,
                          rest < PIECE_BYTES ? rest : PIECE_BYTES);
    }
    return sum;
}

/* ---- Parts of a graph: each says where the next one lies, and how long it is ------------------ */

/* The struct itself: sizes, pointers and facts, without the seal. */
static uint64_t hash_head(pc_context *context, const pc_graph *graph)
{
    (void)context;
    return hash_piece(0, (const unsigned char *)graph, offsetof(pc_graph, is_sealed));
}

static uint64_t hash_starts(pc_context *context, const pc_graph *graph)
{
    const pci_names *names = &graph->labels.names;
    return hash_array(context, 1, graph->row_start, graph->n + 1, sizeof *graph->row_start) +
           hash_array(context, 2, names->n > 0 ? names->start : NULL, names->n + 1,
                      sizeof *names->start);
}

static uint64_t hash_contents(pc_context *context, const pc_graph *graph)
{
    const pci_labels *labels = &graph->labels;
    const pci_names *names = &labels->names;
    uint64_t n_arcs = pci_graph_n_arcs(graph), n_text = names->n > 0 ? names->start[names->n] : 0;
    return hash_array(context, 3, graph->column, n_arcs, sizeof *graph->column) +
           hash_array(context, 4, graph->weight, n_arcs, sizeof *graph->weight) +
           hash_array(context, 5, labels->integers, labels->n, sizeof *labels->integers) +
           hash_array(context, 6, names->text, n_text, 1) +
           hash_array(context, 7, names->slots, names->n_slots, sizeof *names->slots);
}

static uint64_t (*const parts[PCI_SEALED_PARTS])(pc_context *, const pc_graph *) = {
    hash_head, hash_starts, hash_contents};

/* ---- The seal -------------------------------------------------------------------------------- */

void pci_graph_seal(pc_context *context, pc_graph *graph)
{
    for (int p = 0; p < PCI_SEALED_PARTS; p++)
        graph->seal[p] = parts[p](context, graph);
    graph->is_sealed = true;
}

pc_status pc_graph_check(pc_context *context, const pc_graph *graph)
{
    if (!context || !graph)
        return pci_fail_null(context, "graph");
    bool is_same = graph->is_sealed;
    for (int p = 0; p < PCI_SEALED_PARTS && is_same; p++)
        is_same = graph->seal[p] == parts[p](context, graph);
    if (is_same)
        return PC_OK;
    return pci_fail(
        context, PC_ERR_CERTIFY,
        "the graph in memory is no longer the one that was read: memory may be defective");
}

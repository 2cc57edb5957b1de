/* Partitions: made from the block of each vertex, from consecutive vertices, from arrays and from components; their
 * quotient graphs. */
#include "graphs/partition.h"

#include "graphs/builder.h"
#include "src/core/checksum.h"

#include <inttypes.h>
#include <string.h>

/* ---- From the block of each vertex ----------------------------------------------------------- */

static uint64_t checksum_of(const pc_partition *p)
{
    uint64_t sum = pci_checksum(p->block, p->n * sizeof *p->block, p->n_blocks);
    sum = pci_checksum(p->start, (p->n_blocks + 1) * sizeof *p->start, sum);
    sum = pci_checksum(p->vertex, p->n * sizeof *p->vertex, sum);
    sum = pci_checksum(p->size, p->n_blocks * sizeof *p->size, sum + p->max_size);
    return sum ^ pci_labels_checksum(&p->labels);
}

pc_status pci_partition_check(pc_context *context, const pc_partition *partition)
{
    return partition->checksum == checksum_of(partition)
               ? PC_OK
               : pci_fail_check(context, "the partition, which changed in memory,");
}

pc_status pci_partition_make(pc_context *context, uint64_t n, uint32_t *block, pci_labels *labels,
                             pc_partition **partition)
{
    uint64_t n_blocks = labels->n;
    pc_partition *made = pci_alloc_zero(context, 1, sizeof *made);
    if (!made) {
        pci_free(context, block);
        pci_labels_free(context, labels);
        return pci_fail_memory(context, "the partition", sizeof *made);
    }
    *made = (pc_partition){.context = context,
                           .n = n,
                           .n_blocks = n_blocks,
                           .block = block,
                           .labels = *labels,
                           .start = pci_alloc(context, (n_blocks + 1) * sizeof *made->start),
                           .vertex = pci_alloc(context, n * sizeof *made->vertex),
                           .size = pci_alloc_zero(context, n_blocks, sizeof *made->size)};
    *labels = (pci_labels){0};
    if (!made->start || !made->vertex || !made->size) {
        pc_partition_free(made);
        return pci_fail_memory(context, "the partition", 4 * n + 16 * n_blocks);
    }
    for (uint64_t v = 0; v < n; v++)
        made->size[block[v]]++;
    made->start[0] = 0;
    for (uint64_t b = 0; b < n_blocks; b++) {
        made->start[b + 1] = made->start[b] + made->size[b];
        made->max_size = made->size[b] > made->max_size ? made->size[b] : made->max_size;
        made->size[b] = made->start[b]; /* the place of its next vertex, for a moment */
    }
    for (uint64_t v = 0; v < n; v++)
        made->vertex[made->size[block[v]]++] = (uint32_t)v;
    for (uint64_t b = 0; b < n_blocks; b++)
        made->size[b] = made->start[b + 1] - made->start[b];
    made->checksum = checksum_of(made);
    *partition = made;
    return PC_OK;
}

/* Calls each block of size vertices "first-last". */
static pc_status label_ranges(pc_context *context, const pci_labels *vertices, uint64_t size,
                              pci_labels *labels)
{
    size_t room = 2 * pc_labels_longest(vertices) + 2;
    char *text = pci_alloc(context, room);
    if (!text)
        return pci_fail_memory(context, "a label", room);
    pci_names names = {0};
    pc_status status = PC_OK;
    for (uint64_t first = 0; first < vertices->n && status == PC_OK; first += size) {
        uint64_t last = vertices->n - first < size ? vertices->n - 1 : first + size - 1;
        size_t length = pc_labels_text(vertices, first, text, room);
        uint32_t number;
        if (last > first) {
            text[length++] = '-';
            length += pc_labels_text(vertices, last, text + length, room - length);
        }
        if (pci_names_add(context, &names, text, length, &number))
            status = pci_fail_memory(context, "the labels of blocks", names.text_capacity);
        else if (number != first / size)
            status =
                pci_fail(context, PC_ERR_DATA,
                         "two blocks would be called '%.80s': give the blocks in a file", text);
    }
    if (status == PC_OK)
        *labels = (pci_labels){.kind = PCI_LABELS_TEXT, .n = names.n, .names = names};
    else
        pci_names_free(context, &names);
    pci_free(context, text);
    return status;
}

pc_status pci_partition_consecutive(pc_context *context, const pc_graph *graph, uint64_t size,
                                    pc_partition **partition)
{
    if (size == 0)
        return pci_fail(context, PC_ERR_ARGUMENT, "groups must have 1 to 2^64-1 vertices");
    if (size > graph->n)
        size = graph->n;
    uint32_t *block = pci_alloc(context, (graph->n + 1) * sizeof *block);
    if (!block)
        return pci_fail_memory(context, "the partition", graph->n * sizeof *block);
    for (uint64_t v = 0; v < graph->n; v++)
        block[v] = (uint32_t)(v / size);
    pci_labels labels = {0};
    pc_status status = label_ranges(context, &graph->labels, size, &labels);
    if (status == PC_OK)
        return pci_partition_make(context, graph->n, block, &labels, partition);
    pci_free(context, block);
    return status;
}

pc_status pc_partition_from_arrays(pc_context *context, const pc_graph *graph, uint64_t n_blocks,
                                   const uint64_t *block, const char *const *labels,
                                   pc_partition **partition)
{
    if (!context || !graph || !partition)
        return pci_fail_null(context, "graph or partition");
    if (n_blocks > graph->n)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "%" PRIu64 " blocks for %" PRIu64 " vertices: one would be empty", n_blocks,
                        graph->n);
    if (graph->n > 0 && !block)
        return pci_fail(context, PC_ERR_ARGUMENT, "a partition without the array of its blocks");
    uint32_t *copied = pci_alloc(context, (graph->n + 1) * sizeof *copied);
    bool *has_vertex = pci_alloc_zero(context, n_blocks + 1, sizeof *has_vertex);
    pci_labels made = {0};
    pc_status status = copied && has_vertex
                           ? PC_OK
                           : pci_fail_memory(context, "the partition", graph->n * sizeof *copied);
    for (uint64_t v = 0; v < graph->n && status == PC_OK; v++) {
        if (block[v] >= n_blocks) {
            status = pci_fail(context, PC_ERR_ARGUMENT,
                              "vertex %" PRIu64 " is in block %" PRIu64 ", and there are %" PRIu64
                              " blocks, numbered from 0",
                              v, block[v], n_blocks);
        } else {
            copied[v] = (uint32_t)block[v];
            has_vertex[block[v]] = true;
        }
    }
    for (uint64_t b = 0; b < n_blocks && status == PC_OK; b++)
        if (!has_vertex[b])
            status = pci_fail(context, PC_ERR_ARGUMENT, "block %" PRIu64 " of %" PRIu64 " is empty",
                              b, n_blocks);
    pci_free(context, has_vertex);
    if (status == PC_OK)
        status = pci_labels_from_texts(context, "block", "blocks", n_blocks, labels, &made);
    if (status == PC_OK)
        return pci_partition_make(context, graph->n, copied, &made, partition);
    pci_free(context, copied);
    return status;
}

/* ---- Connected components -------------------------------------------------------------------- */

uint32_t pci_first_joined(uint32_t *before, uint32_t v)
{
    while (before[v] != v) {
        before[v] = before[before[v]]; /* halves the path, for later calls */
        v = before[v];
    }
    return v;
}

void pci_join(uint32_t *before, uint32_t u, uint32_t v)
{
    uint32_t a = pci_first_joined(before, u), b = pci_first_joined(before, v);
    before[a < b ? b : a] = a < b ? a : b;
}

pc_status pci_partition_components(pc_context *context, const pc_graph *graph,
                                   pc_partition **partition)
{
    if (pci_graph_need_arcs(context, graph) != PC_OK)
        return PC_ERR_ARGUMENT;
    uint32_t *block = pci_alloc(context, (graph->n + 1) * sizeof *block);
    if (!block)
        return pci_fail_memory(context, "the components", graph->n * sizeof *block);
    for (uint64_t v = 0; v < graph->n; v++)
        block[v] = (uint32_t)v;
    for (uint64_t row = 0; row < graph->n; row++) /* the direction of arcs does not matter */
        for (uint64_t a = graph->row_start[row]; a < graph->row_start[row + 1]; a++)
            pci_join(block, (uint32_t)row, graph->column[a]);
    /* Pointers become numbers of components, in place: each is to an earlier vertex, which has its number already. */
    uint32_t n_blocks = 0;
    for (uint64_t v = 0; v < graph->n; v++)
        block[v] = block[v] == v ? n_blocks++ : block[block[v]];
    pci_labels labels = pci_labels_range(1, n_blocks);
    return pci_partition_make(context, graph->n, block, &labels, partition);
}

void pc_partition_free(pc_partition *partition)
{
    if (!partition)
        return;
    pc_context *context = partition->context;
    pci_free(context, partition->block);
    pci_free(context, partition->start);
    pci_free(context, partition->vertex);
    pci_free(context, partition->size);
    pci_labels_free(context, &partition->labels);
    pci_free(context, partition);
}

void pc_partition_get_info(const pc_partition *partition, pc_partition_info *info)
{
    if (!info)
        return;
    *info = (pc_partition_info){0};
    if (partition)
        *info = (pc_partition_info){.n_vertices = partition->n,
                                    .n_blocks = partition->n_blocks,
                                    .block = partition->block,
                                    .sizes = partition->size,
                                    .labels = &partition->labels};
}

/* ---- Quotient graphs ---------------------------------------------------------------------------- */

/* The quotient graph S A S^T: arcs between vertices become edges between their blocks. The builder
 * of all graphs adds up equal edges.
 *
 * The powers of the quotient graph are not the counts between blocks S A^k S^T. A path in the
 * quotient graph may change from one vertex of a block to any other between two arcs, so the
 * quotient graph has more paths. */

/* An undirected edge stands in the matrix twice. When it leads to another block, one of the two is taken, since the builder
 * makes the other. Within a block both are taken, since both add to the diagonal. */
pc_status pc_graph_quotient(pc_context *context, const pc_graph *graph,
                            const pc_partition *partition, pc_graph **quotient)
{
    if (!context || !graph || !partition || !quotient)
        return pci_fail_null(context, "graph, partition or quotient");
    if (pci_graph_need_arcs(context, graph) != PC_OK)
        return PC_ERR_ARGUMENT;
    if (partition->n != graph->n)
        return pci_fail(context, PC_ERR_ARGUMENT,
                        "the partition is of %" PRIu64 " vertices, and the graph has %" PRIu64,
                        partition->n, graph->n);
    pci_graph_draft draft = {.multigraph = true,
                             .info = {.directed = !graph->symmetric, .format = "quotient"}};
    uint64_t n_arcs = pci_graph_n_arcs(graph);
    pc_status status = pci_labels_select(context, &partition->labels, NULL, &draft.labels);
    if (status == PC_OK)
        status = pci_edges_create(context, 1, &n_arcs, graph->weight != NULL, &draft.edges);
    if (status) {
        pci_draft_free(context, &draft);
        return status;
    }
    const uint32_t *block = partition->block;
    pci_edge_part *part = &draft.edges.parts[0];
    part->n_edges = 0;
    for (uint64_t row = 0; row < graph->n; row++)
        for (uint64_t a = graph->row_start[row]; a < graph->row_start[row + 1]; a++) {
            pci_edge edge = {block[row], block[graph->column[a]]};
            if (graph->symmetric && edge.from > edge.to)
                continue;
            if (part->weight)
                part->weight[part->n_edges] = graph->weight[a];
            part->edge[part->n_edges++] = edge;
        }
    pc_graph *made;
    if ((status = pci_graph_build(context, &draft, &made)))
        return status;
    made->info.n_duplicates = 0; /* arcs between the same blocks were not given twice */
    pci_graph_seal(context, made);
    *quotient = made;
    return PC_OK;
}

/* Graphs as serialized graphs of the GAP Benchmark Suite; io/serialized.h has the layout. */
#include "io/write_serialized.h"

#include "graphs/graph.h"
#include "io/labels_file.h"
#include "io/packed_output.h"
#include "io/serialized.h"

#include <endian.h>
#include <inttypes.h>
#include <string.h>

enum { PIECE_BYTES = 1 << 20 };

typedef struct writing {
    pc_context *context;
    const char *path;
    bool has_weights;
    char *bytes; /* the piece that is being filled */
    size_t n_bytes;
    pci_packed_output file;
} writing;

/* ---- What the format can have ---------------------------------------------------------------- */

static pc_status refuse_weight(const writing *w, const pc_graph *graph, uint64_t arc)
{
    char from[64], to[64];
    uint64_t row = 0;
    while (graph->row_start[row + 1] <= arc)
        row++;
    pc_labels_text(&graph->labels, row, from, sizeof from);
    pc_labels_text(&graph->labels, graph->column[arc], to, sizeof to);
    return pci_fail(
        w->context, PC_ERR_DATA,
        "'%s' cannot be written: the arc from %s to %s has weight %" PRIu64 ", and %s; write %s",
        w->path, from, to, graph->weight[arc],
        w->has_weights ? "weights in .wsg are at most 2147483647" : "a .sg has no weights",
        w->has_weights ? ".mtx" : ".wsg");
}

static pc_status check(const writing *w, const pc_graph *graph)
{
    uint64_t most = w->has_weights ? INT32_MAX : 1, arc = 0;
    if (graph->n > PCI_SERIALIZED_VERTICES)
        return pci_fail(w->context, PC_ERR_RANGE,
                        "'%s' cannot be written: %" PRIu64
                        " vertices, and the format has at most %" PRIu64 "; write .mtx",
                        w->path, graph->n, PCI_SERIALIZED_VERTICES);
    if (graph->info.max_weight <= most)
        return PC_OK;
    while (graph->weight[arc] <= most)
        arc++;
    return refuse_weight(w, graph, arc);
}

/* ---- Pieces ---------------------------------------------------------------------------------- */

static pc_status flush(writing *w)
{
    size_t n_bytes = w->n_bytes;
    w->n_bytes = 0;
    pc_status status = pci_packed_output_write(&w->file, w->bytes, n_bytes);
    if (status == PC_OK)
        status = pci_packed_output_advance(&w->file);
    return status == PC_OK ? pci_progress(w->context, "write", 0) : status;
}

static pc_status put(writing *w, const void *number, size_t n_bytes)
{
    memcpy(w->bytes + w->n_bytes, number, n_bytes);
    w->n_bytes += n_bytes;
    return w->n_bytes + sizeof(uint64_t) <= PIECE_BYTES ? PC_OK : flush(w);
}

static pc_status put_u64(writing *w, uint64_t number)
{
    number = htole64(number);
    return put(w, &number, sizeof number);
}

static pc_status put_u32(writing *w, uint32_t number)
{
    number = htole32(number);
    return put(w, &number, sizeof number);
}

/* ---- The graph ------------------------------------------------------------------------------- */

static pc_status put_head(writing *w, const pc_graph *graph)
{
    char directed = !graph->symmetric;
    pc_status status = put(w, &directed, 1);
    if (status == PC_OK)
        status = put_u64(w, pci_graph_n_arcs(graph));
    return status == PC_OK ? put_u64(w, graph->n) : status;
}

static pc_status put_rows(writing *w, const pc_graph *graph)
{
    pc_status status = PC_OK;
    for (uint64_t row = 0; row <= graph->n && status == PC_OK; row++)
        status = put_u64(w, graph->row_start[row]);
    for (uint64_t a = 0; a < pci_graph_n_arcs(graph) && status == PC_OK; a++) {
        status = put_u32(w, graph->column[a]);
        if (w->has_weights && status == PC_OK)
            status = put_u32(w, graph->weight ? (uint32_t)graph->weight[a] : 1);
    }
    return status;
}

static pc_status put_graph(writing *w, const pc_graph *graph)
{
    pc_graph *reverse;
    pc_status status = put_head(w, graph);
    if (status == PC_OK)
        status = put_rows(w, graph);
    if (status == PC_OK && !graph->symmetric) {
        if ((status = pci_graph_reverse(w->context, graph, &reverse)) != PC_OK)
            return status;
        status = put_rows(w, reverse);
        pc_graph_free(reverse);
    }
    if (status == PC_OK)
        status = flush(w);
    return status == PC_OK ? pci_packed_output_finish(&w->file) : status;
}

pc_status pci_graph_write_serialized(pc_context *context, const pc_graph *graph, const char *path,
                                     const char *ending, pci_packing packing)
{
    writing w = {.context = context, .path = path, .has_weights = ending[1] == 'w'};
    pc_output *labels = NULL;
    pc_status status = check(&w, graph);
    if (status)
        return status;
    if (!(w.bytes = pci_alloc(context, PIECE_BYTES)))
        return pci_fail_memory(context, "writing", PIECE_BYTES);
    if ((status = pci_packed_output_open(context, path, packing, &w.file)) ||
        (status = put_graph(&w, graph)) ||
        (status = pci_labels_file_write(context, path, &graph->labels, &labels)))
        goto done;
    if (labels) {
        status = pc_output_commit(labels);
        labels = NULL;
    }
    if (status == PC_OK) {
        status = pc_output_commit(w.file.output);
        w.file.output = NULL;
    }
done:
    pc_output_free(labels);
    pci_packed_output_free(&w.file);
    pci_free(context, w.bytes);
    return status;
}

/* Memory of a GPU: how much there is, and copies to it. */
#define _GNU_SOURCE /* secure_getenv */
#include "gpu/engine/memory.h"

#include "gpu/engine/arena.h"
#include "src/core/variables.h"

/* Left to the driver and to other programs: not all that cudaMemGetInfo calls free can be
 * allocated. */
enum { RESERVED_BYTES = 256 << 20 };

pc_status pci_gpu_check(pc_context *context, cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return PC_OK;
    cudaGetLastError(); /* so that the next call does not report it again */
    return pci_fail(context, error == cudaErrorMemoryAllocation ? PC_ERR_MEMORY : PC_ERR_ENGINE,
                    "CUDA: %s: %s", what, cudaGetErrorString(error));
}

pc_status pci_gpu_memory_available(pc_context *context, uint64_t *bytes)
{
    size_t n_free = 0, total = 0;
    int device = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaMemGetInfo(&n_free, &total);
    pc_status status = pci_gpu_check(context, error, "asking for free memory");
    n_free += pci_gpu_arena_kept_bytes(device); /* a request for memory gives it back first */
    *bytes = n_free > RESERVED_BYTES ? n_free - RESERVED_BYTES : 0;
    uint64_t limit_bytes = 0;
    if (status == PC_OK)
        status = pci_variable_read(context, PCI_VARIABLE_CUDA_MEMORY, &limit_bytes);
    if (status == PC_OK && limit_bytes < *bytes)
        *bytes = limit_bytes;
    return status;
}

/* ---- Copies to a device ---------------------------------------------------------------------- */

pc_status pci_gpu_upload(pc_context *context, const void *content, size_t bytes, void **memory)
{
    cudaError_t error = cudaMalloc(memory, bytes ? bytes : 1);
    if (error == cudaSuccess && bytes)
        error = cudaMemcpy(*memory, content, bytes, cudaMemcpyHostToDevice);
    /* Other streams may not see the last bytes before this. */
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(cudaStreamLegacy);
    return pci_gpu_check(context, error, "copying to the device");
}

pc_status pci_gpu_graph_upload(pc_context *context, const pc_graph *graph, pci_gpu_graph *to)
{
    uint64_t n_arcs = pci_graph_n_arcs(graph);
    *to = (pci_gpu_graph){.n = graph->n, .n_arcs = n_arcs};
    pc_status status =
        pci_gpu_upload(context, graph->row_start, (graph->n + 1) * sizeof *graph->row_start,
                       (void **)&to->row_start);
    if (status == PC_OK)
        status = pci_gpu_upload(context, graph->column, n_arcs * sizeof *graph->column,
                                (void **)&to->column);
    if (status == PC_OK && graph->weight)
        status = pci_gpu_upload(context, graph->weight, n_arcs * sizeof *graph->weight,
                                (void **)&to->weight);
    return status;
}

void pci_gpu_graph_free(pci_gpu_graph *graph)
{
    cudaFree((void *)graph->row_start);
    cudaFree((void *)graph->column);
    cudaFree((void *)graph->weight);
}

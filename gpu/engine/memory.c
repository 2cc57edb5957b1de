/* Memory of a GPU: how much there is, and copies to it. */
#define _GNU_SOURCE /* secure_getenv */
#include "gpu/engine/memory.h"

#include "src/core/variables.h"

#include <pthread.h>

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

static pc_status upload_classes(pc_context *context, const pc_graph *graph, pci_gpu_graph *to)
{
    const pci_classes *classes = &graph->classes;
    uint64_t n = graph->n, n_arcs = pci_graph_n_arcs(graph), any = 0;
    size_t bytes = n_arcs * sizeof *to->step_weight + n * sizeof *to->size;
    uint64_t *step_weight = pci_alloc(context, bytes);
    if (!step_weight)
        return pci_fail_memory(context, "classes of vertices", bytes);
    uint32_t *size = (uint32_t *)(step_weight + n_arcs);
    for (uint64_t c = 0; c < n; c++) {
        size[c] = (uint32_t)classes->size[c];
        any |= classes->is_adjacent[c];
        for (uint64_t a = graph->row_start[c]; a < graph->row_start[c + 1]; a++)
            step_weight[a] = pci_graph_weight(graph, a) * classes->size[graph->column[a]] -
                             (classes->is_adjacent[c] && graph->column[a] == c);
    }
    pc_status status = pci_gpu_upload(context, step_weight, n_arcs * sizeof *step_weight,
                                      (void **)&to->step_weight);
    if (status == PC_OK)
        status = pci_gpu_upload(context, size, n * sizeof *size, (void **)&to->size);
    if (status == PC_OK && any)
        status = pci_gpu_upload(context, classes->is_adjacent, n, (void **)&to->is_adjacent);
    pci_free(context, step_weight);
    return status;
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
    return status == PC_OK && graph->classes.size ? upload_classes(context, graph, to) : status;
}

void pci_gpu_graph_free(pci_gpu_graph *graph)
{
    cudaFree((void *)graph->row_start);
    cudaFree((void *)graph->column);
    cudaFree((void *)graph->weight);
    cudaFree((void *)graph->step_weight);
    cudaFree((void *)graph->size);
    cudaFree((void *)graph->is_adjacent);
}

/* ---- Memory of residue planes ---------------------------------------------------------------- */

/* It stays with the process between runs of several GPUs: to give back that of 16,384 vertices and
 * counts of 545 bits takes 15 ms on two H200s, where the whole answer takes 470. */
typedef struct kept_arena {
    int8_t *memory; /* NULL: none */
    size_t bytes;
} kept_arena;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static kept_arena kept[PCI_MAX_DEVICES];

/* What is kept after it, and returns what was kept before. */
static kept_arena exchange(int device, kept_arena with)
{
    pthread_mutex_lock(&mutex);
    kept_arena before = kept[device % PCI_MAX_DEVICES];
    kept[device % PCI_MAX_DEVICES] = with;
    pthread_mutex_unlock(&mutex);
    return before;
}

cudaError_t pci_gpu_arena_get(int device, size_t bytes, int8_t **arena)
{
    kept_arena before = exchange(device, (kept_arena){0});
    if (before.bytes == bytes) {
        *arena = before.memory;
        return cudaSuccess;
    }
    cudaFree(before.memory);
    return cudaMalloc((void **)arena, pci_gpu_odd_bytes(bytes));
}

void pci_gpu_arena_give(int device, size_t bytes, bool is_kept, int8_t *arena)
{
    kept_arena given = {arena, arena ? bytes : 0};
    cudaFree(is_kept ? exchange(device, given).memory : arena);
}

void pci_gpu_arena_release(int device)
{
    cudaFree(exchange(device, (kept_arena){0}).memory);
}

size_t pci_gpu_arena_kept_bytes(int device)
{
    pthread_mutex_lock(&mutex);
    size_t bytes = kept[device % PCI_MAX_DEVICES].bytes;
    pthread_mutex_unlock(&mutex);
    return bytes;
}

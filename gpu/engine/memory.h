/* Errors of CUDA as statuses, memory of the current device, and copies to it. */
#ifndef PCI_GPU_MEMORY_H
#define PCI_GPU_MEMORY_H

#include "gpu/engine/entrywise.h"
#include "graphs/graph.h"
#include "src/core/context.h"

#include <cuda_runtime_api.h>
#include <stddef.h>

/* PC_OK for cudaSuccess. Else a message that says what failed and why: PC_ERR_MEMORY when device
 * memory ran out, else PC_ERR_ENGINE. */
pc_status pci_gpu_check(pc_context *context, cudaError_t error, const char *what);

/* Bytes of memory that can still be allocated on the current device, at most what PATHCOUNT_CUDA_MEMORY says: that is for
 * programs that share a GPU, and for tests. */
pc_status pci_gpu_memory_available(pc_context *context, uint64_t *bytes);

/* Allocates memory on the current device and copies content there; cudaFree frees it. */
pc_status pci_gpu_upload(pc_context *context, const void *content, size_t bytes, void **memory);

/* Copies the graph to the current device. *to must be freed whatever the status. */
pc_status pci_gpu_graph_upload(pc_context *context, const pc_graph *graph, pci_gpu_graph *to);
void pci_gpu_graph_free(pci_gpu_graph *graph);

/* ---- Memory of residue planes, on the current device ----------------------------------------- */

/* So many bytes, or one more. GPUs that read each other's memory get 512 MiB or more in 10 ms where that is whole pages
 * of 2 MiB, and in 1 to 2 ms where it is not (two H200s, driver 580; tests/bench/RESULTS_GPU.md). */
static inline size_t pci_gpu_odd_bytes(size_t bytes)
{
    return bytes | 1;
}

/* Gives what is kept on the device if it has this size, else gives that back first. */
cudaError_t pci_gpu_arena_get(int device, size_t bytes, int8_t **arena);

/* Keeps the memory for the next one that wants as much, or gives it back. */
void pci_gpu_arena_give(int device, size_t bytes, bool is_kept, int8_t *arena);

/* Gives back what is kept. It is called before memory of other kinds is requested. */
void pci_gpu_arena_release(int device);
size_t pci_gpu_arena_kept_bytes(int device);

#endif

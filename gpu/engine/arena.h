/* Memory of residue planes, on the current device. */
#ifndef PCI_GPU_ARENA_H
#define PCI_GPU_ARENA_H

#include <cuda_runtime_api.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

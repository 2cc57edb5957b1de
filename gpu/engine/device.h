/* The GPUs of this machine, what CUDA says of them, and copies to their memory. */
#ifndef PCI_GPU_DEVICE_H
#define PCI_GPU_DEVICE_H

#include "pathcount_measure.h"
#include "gpu/engine/choose.h"
#include "gpu/engine/entrywise.h"
#include "graphs/graph.h"
#include "src/core/context.h"

#include <cuda_runtime_api.h>

typedef struct pci_gpu_device {
    int index;
    char name[256];
    int major, minor; /* compute capability */
    int n_sms;
    pci_gpu_kernel kernel; /* forced by PCI_GPU_KERNEL_VARIABLE, or the fastest */
} pci_gpu_device;

/* Indices of the devices that context->devices names; device 0 when it names none. PC_ERR_ENGINE
 * when there is no driver or no such device. */
pc_status pci_gpu_devices_wanted(pc_context *context, int *n, int index[PCI_MAX_DEVICES]);

/* Makes device number index the current one of the calling thread, and starts it when it is not
 * started. PC_ERR_ENGINE when no kernel of this build runs on it, or the forced one does not. */
pc_status pci_gpu_device_open(pc_context *context, int index, pci_gpu_device *device);

/* Passes every GPU of the machine to tell, whatever context->devices names; one that cannot be used
 * with the reason. For pc_devices. */
pc_status pci_gpu_devices_list(pc_context *context, pc_device_fn tell, void *user);

/* PC_OK for cudaSuccess. Else a message that says what failed and why: PC_ERR_MEMORY when device
 * memory ran out, else PC_ERR_ENGINE. */
pc_status pci_gpu_check(pc_context *context, cudaError_t error, const char *what);

/* Limits the device memory that plans count on, in bytes: for programs that
 * share a GPU, and for tests. */
#define PCI_GPU_MEMORY_VARIABLE "PATHCOUNT_CUDA_MEMORY"

/* Bytes of memory that can still be allocated on the current device. */
pc_status pci_gpu_memory_available(pc_context *context, uint64_t *bytes);

/* Allocates memory on the current device and copies content there; cudaFree frees it. */
pc_status pci_gpu_upload(pc_context *context, const void *content, size_t bytes, void **memory);

/* Copies the graph to the current device. *to must be freed whatever the status. */
pc_status pci_gpu_graph_upload(pc_context *context, const pc_graph *graph, pci_gpu_graph *to);
void pci_gpu_graph_free(pci_gpu_graph *graph);

#endif

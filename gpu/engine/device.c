/* Finds and starts GPUs, copies to their memory, and lists them. */
#define _GNU_SOURCE /* secure_getenv */
#include "gpu/engine/device.h"

#include <stdio.h>
#include <stdlib.h>

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

static pc_status count_devices(pc_context *context, int *n_devices)
{
    cudaError_t error = cudaGetDeviceCount(n_devices);
    if (error == cudaErrorInsufficientDriver || error == cudaErrorNoDevice ||
        (error == cudaSuccess && *n_devices == 0)) {
        cudaGetLastError();
        return pci_fail(context, PC_ERR_ENGINE,
                        error == cudaErrorInsufficientDriver
                            ? "no NVIDIA driver, or one too old for CUDA %d.%d"
                            : "no NVIDIA GPU is visible here (CUDA %d.%d)",
                        CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
    }
    return pci_gpu_check(context, error, "counting devices");
}

/* The kernel that the environment forces, or the best one. */
static pc_status choose_kernel(pc_context *context, pci_gpu_device *device)
{
    const char *forced = secure_getenv(PCI_GPU_KERNEL_VARIABLE);
    device->kernel = pci_gpu_kernel_best(device->major, device->minor);
    if (!forced || !*forced)
        return PC_OK;
    if (!pci_gpu_kernel_find(forced, &device->kernel))
        return pci_fail(context, PC_ERR_ENGINE,
                        PCI_GPU_KERNEL_VARIABLE
                        "=%s: there is no such kernel (known: plain, dp4a, mma, wgmma)",
                        forced);
    if (!pci_gpu_kernel_runs(device->kernel, device->major, device->minor))
        return pci_fail(context, PC_ERR_ENGINE,
                        PCI_GPU_KERNEL_VARIABLE "=%s: %s (compute capability %d.%d) cannot run it",
                        forced, device->name, device->major, device->minor);
    return PC_OK;
}

static pc_status describe_device(pc_context *context, pci_gpu_device *device)
{
    struct cudaDeviceProp properties = {0};
    pc_status status = pci_gpu_check(context, cudaGetDeviceProperties(&properties, device->index),
                                     "asking about the device");
    if (status != PC_OK)
        return status;
    snprintf(device->name, sizeof device->name, "%s", properties.name);
    device->major = properties.major;
    device->minor = properties.minor;
    device->n_sms = properties.multiProcessorCount;
    return choose_kernel(context, device);
}

pc_status pci_gpu_devices_wanted(pc_context *context, int *n, int index[PCI_MAX_DEVICES])
{
    const pci_devices *wanted = &context->devices;
    int n_devices = 0;
    pc_status status = count_devices(context, &n_devices);
    if (status != PC_OK)
        return status;
    *n = wanted->all ? (n_devices < PCI_MAX_DEVICES ? n_devices : PCI_MAX_DEVICES)
         : wanted->n ? wanted->n
                     : 1;
    for (int d = 0; d < *n; d++) {
        index[d] = wanted->n ? wanted->index[d] : d;
        if (index[d] >= n_devices)
            return pci_fail(context, PC_ERR_ENGINE, "there is no GPU %d: this machine has %d",
                            index[d], n_devices);
    }
    return PC_OK;
}

pc_status pci_gpu_device_open(pc_context *context, int index, pci_gpu_device *device)
{
    *device = (pci_gpu_device){.index = index};
    pc_status status = pci_gpu_check(context, cudaSetDevice(index), "starting the device");
    if (status == PC_OK)
        status = pci_gpu_check(context, cudaFree(NULL), "starting the device");
    return status == PC_OK ? describe_device(context, device) : status;
}

pc_status pci_gpu_memory_available(pc_context *context, uint64_t *bytes)
{
    size_t n_free = 0, total = 0;
    pc_status status =
        pci_gpu_check(context, cudaMemGetInfo(&n_free, &total), "asking for free memory");
    *bytes = n_free > RESERVED_BYTES ? n_free - RESERVED_BYTES : 0;
    const char *limit = secure_getenv(PCI_GPU_MEMORY_VARIABLE);
    uint64_t limit_bytes = limit ? strtoull(limit, NULL, 10) : 0;
    if (limit_bytes && limit_bytes < *bytes)
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

/* ---- The list of devices --------------------------------------------------------------------- */

/* A clock in MHz; 0 when the driver does not know it. */
static double clock_of(int index, enum cudaDeviceAttr attribute)
{
    int khz = 0;
    if (cudaDeviceGetAttribute(&khz, attribute, index) != cudaSuccess)
        cudaGetLastError(); /* so that the next call does not report it again */
    return khz / 1e3;
}

static pc_status list_device(pc_context *context, const pci_gpu_device *from, pc_device *device)
{
    struct cudaDeviceProp p = {0};
    uint64_t free_bytes = 0;
    pc_status status =
        pci_gpu_check(context, cudaGetDeviceProperties(&p, from->index), "asking about the device");
    if (status == PC_OK)
        status = pci_gpu_memory_available(context, &free_bytes);
    if (status != PC_OK)
        return status;
    *device = (pc_device){
        .engine = "cuda",
        .index = from->index,
        .name = from->name,
        .missing = "",
        .kernel = pci_gpu_kernel_name(from->kernel),
        .memory_bytes = p.totalGlobalMem,
        .free_bytes = free_bytes,
        .n_multiprocessors = p.multiProcessorCount,
        .major = p.major,
        .minor = p.minor,
        .clock_mhz = clock_of(from->index, cudaDevAttrClockRate),
        .memory_clock_mhz = clock_of(from->index, cudaDevAttrMemoryClockRate),
        .memory_bus_bits = p.memoryBusWidth,
        .l2_bytes = (uint64_t)p.l2CacheSize,
        .max_threads_per_block = p.maxThreadsPerBlock,
        .max_threads_per_multiprocessor = p.maxThreadsPerMultiProcessor,
        .max_blocks_per_multiprocessor = p.maxBlocksPerMultiProcessor,
        .registers_per_multiprocessor = p.regsPerMultiprocessor,
        .shared_per_multiprocessor = p.sharedMemPerMultiprocessor,
        .shared_per_block = p.sharedMemPerBlockOptin,
    };
    return PC_OK;
}

pc_status pci_gpu_devices_list(pc_context *context, pc_device_fn tell, void *user)
{
    pc_context own = *context; /* asks for all devices, and has the reasons in its message */
    int n = 0, index[PCI_MAX_DEVICES];
    own.devices = (pci_devices){.kind = PCI_DEVICE_CUDA, .all = true};
    pc_status status = pci_gpu_devices_wanted(&own, &n, index);
    if (status != PC_OK)
        return pci_fail(context, status, "%s", own.message);
    for (int d = 0; d < n; d++) {
        pci_gpu_device found;
        pc_device device;
        status = pci_gpu_device_open(&own, index[d], &found);
        if (status == PC_OK)
            status = list_device(&own, &found, &device);
        if (status != PC_OK)
            device = (pc_device){.engine = "cuda",
                                 .index = index[d],
                                 .name = found.name,
                                 .missing = own.message,
                                 .kernel = ""};
        tell(user, &device);
    }
    return PC_OK;
}

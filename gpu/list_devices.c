/* Tells of every GPU there is, for pc_devices (src/measure/device_list.c). */
#include "gpu/device.h"
#include "src/measure/bench.h"

#define KHZ_A_MHZ 1e3

/* In MHz; 0 when the driver does not say. */
static double clock_of(int index, enum cudaDeviceAttr attribute)
{
    int khz = 0;
    if (cudaDeviceGetAttribute(&khz, attribute, index) != cudaSuccess)
        cudaGetLastError(); /* so that the next call does not report it again */
    return khz / KHZ_A_MHZ;
}

static pc_status describe(pc_context *context, const pci_gpu_device *from, pc_device *device)
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

/* PCI_ENGINE_DEVICES. A GPU that cannot be used is told of with the reason. */
__attribute__((visibility("default"))) pc_status
pci_engine_cuda_devices(pc_context *context, pc_device_fn tell, void *user)
{
    pc_context own = *context; /* asks for all devices, and its message is the reason */
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
            status = describe(&own, &found, &device);
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

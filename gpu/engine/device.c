/* Finds and starts GPUs, chooses their kernels, and lists them. */
#define _GNU_SOURCE /* secure_getenv */
#include "gpu/engine/device.h"

#include "gpu/engine/probe.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

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

/* The faster one of f16 and the best kernel, where no figures are published. */
static pc_status compare_kernels(pc_context *context, pci_gpu_device *device)
{
    double of_best = 0, of_halves = 0;
    pc_status status = pci_gpu_probe_rate(context, device, device->kernel, &of_best);
    if (status == PC_OK)
        status = pci_gpu_probe_rate(context, device, PCI_GPU_F16, &of_halves);
    if (of_halves > of_best)
        device->kernel = PCI_GPU_F16;
    return status;
}

/* What was tried on a device, once in a process. */
typedef struct trial {
    bool is_compared; /* the fastest kernel is known */
    pci_gpu_kernel fastest;
    bool is_exact[PCI_N_GPU_KERNELS]; /* one of halves gave right sums */
} trial;

/* Tries what nobody can know about the device: its fastest kernel, if is_free, and the sums of halves. */
static pc_status try_device(pc_context *context, bool is_free, pci_gpu_device *device)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static trial trials[PCI_MAX_DEVICES];
    trial *t = &trials[device->index % PCI_MAX_DEVICES];
    pc_status status = PC_OK;
    pthread_mutex_lock(&mutex);
    if (is_free && !pci_gpu_kernel_is_known(device->major, device->minor)) {
        if (!t->is_compared)
            status = compare_kernels(context, device);
        t->fastest = t->is_compared ? t->fastest : device->kernel;
        t->is_compared = status == PC_OK;
        device->kernel = t->fastest;
    }
    bool *is_exact = &t->is_exact[device->kernel];
    if (status == PC_OK && pci_gpu_kernel_has_halves(device->kernel) && !*is_exact) {
        status = pci_gpu_probe_sums(context, device, device->kernel, pci_product_f16);
        *is_exact = status == PC_OK;
    }
    pthread_mutex_unlock(&mutex);
    return status;
}

/* The kernel that the environment forces, or the best one. */
static pc_status choose_kernel(pc_context *context, pci_gpu_device *device)
{
    const char *forced = secure_getenv(PCI_GPU_KERNEL_VARIABLE);
    device->kernel = pci_gpu_kernel_best(device->major, device->minor);
    if (!forced || !*forced)
        return try_device(context, true, device);
    if (!pci_gpu_kernel_find(forced, &device->kernel))
        return pci_fail(context, PC_ERR_ENGINE,
                        PCI_GPU_KERNEL_VARIABLE
                        "=%s: there is no such kernel (known: plain, dp4a, f16, mma, wgmma)",
                        forced);
    if (!pci_gpu_kernel_runs(device->kernel, device->major, device->minor))
        return pci_fail(context, PC_ERR_ENGINE,
                        PCI_GPU_KERNEL_VARIABLE "=%s: %s (compute capability %d.%d) cannot run it",
                        forced, device->name, device->major, device->minor);
    return try_device(context, false, device);
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

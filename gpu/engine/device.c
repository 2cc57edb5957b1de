/* Finds and starts GPUs, chooses their kernels, and lists them. */
#define _GNU_SOURCE /* secure_getenv */
#include "gpu/engine/device.h"

#include "src/core/checksum.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The product kernels by their number. */
cudaError_t pci_product_launch(pci_gpu_kernel kernel, const pci_product *product,
                               cudaStream_t stream)
{
    static cudaError_t (*const kernels[PCI_N_GPU_KERNELS])(const pci_product *, cudaStream_t) = {
        [PCI_GPU_PLAIN] = pci_product_plain, [PCI_GPU_DP4A] = pci_product_dp4a,
        [PCI_GPU_F16] = pci_product_f16,     [PCI_GPU_MMA] = pci_product_mma,
        [PCI_GPU_WGMMA] = pci_product_wgmma,
    };
    if (product->high.left && !pci_gpu_kernel_has_digits(kernel))
        return cudaErrorNotSupported;
    return kernels[kernel](product, stream);
}

/* ---- Small products that tell what a GPU does ------------------------------------------------- */

enum {
    SUMS_SIZE = 512 /* two parts of the longest sums of f16 */,
    RATE_SIZE = 2048,
    N_PATTERNS = 8,
    N_TRIES = 3
};

/* A launch with its memory on the device. */
typedef struct probe {
    pc_context *context;
    pci_product product;
    int8_t *arena;     /* left, right and result */
    uint32_t *entries; /* the list of tiles */
    int32_t *sums[2];  /* of the kernel and of the plain one; NULL: residues are stored */
} probe;

static void free_probe(probe *p)
{
    cudaFree(p->arena);
    cudaFree(p->entries);
    cudaFree(p->sums[0]);
    cudaFree(p->sums[1]);
}

/* p must be freed whatever the status. */
static pc_status begin(pc_context *context, const pci_gpu_device *device, pci_gpu_kernel kernel,
                       uint32_t n, bool has_sums, probe *p)
{
    pci_gpu_layout layout = pci_gpu_layout_of(n);
    *p = (probe){.context = context, .product = {.layout = layout, .n_planes = 3}};
    p->product.shape = pci_gpu_shape(kernel, device->n_sms, layout.n_padded / PCI_TILE, 1, false);
    p->product.job[0] = (pci_product_job){.left = 0, .right = 1, .n_outputs = 1};
    cudaError_t error = cudaMalloc((void **)&p->arena, 3 * layout.plane_bytes);
    for (int s = 0; s < 2 && has_sums && error == cudaSuccess; s++)
        error = cudaMalloc((void **)&p->sums[s], layout.plane_bytes * sizeof **p->sums);
    p->product.arena = p->arena;
    pc_status status = pci_gpu_check(context, error, "memory to try a kernel");
    if (status != PC_OK)
        return status;
    size_t bytes = pci_tiles_capacity(&p->product.shape) * sizeof(uint32_t);
    uint32_t *entries = pci_alloc(context, bytes);
    if (!entries)
        return pci_fail_memory(context, "a list of tiles", bytes);
    p->product.n_entries = (uint32_t)pci_tiles_list(&p->product.shape, entries);
    status = pci_gpu_upload(context, entries, bytes, (void **)&p->entries);
    p->product.tiles = p->entries;
    pci_free(context, entries);
    return status;
}

static int8_t residue_of(uint64_t pattern, uint64_t row, uint64_t k)
{
    uint64_t random = pci_scramble(row << 32 | k);
    switch (pattern) {
    case 0:
        return -128;
    case 1:
        return 127;
    case 2:
        return k % 2 ? 127 : -128;
    case 3: /* the sum goes to one end and back */
        return k % 256 < 128 ? -128 : 127;
    case 4:
        return (int8_t)(random % 3 ? -128 : 0);
    case 5:
        return (int8_t)(random % 2 ? 127 : -128);
    case 6:
        return 1;
    default:
        return (int8_t)random;
    }
}

/* Rows of a plane whose patterns change from row to row, and from eight rows to the next; turn: with which the
 * first begins. */
static void fill(int8_t *plane, uint64_t n, uint64_t turn)
{
    for (uint64_t row = 0; row < n; row++)
        for (uint64_t k = 0; k < n; k++)
            plane[row * n + k] = residue_of((row + row / N_PATTERNS + turn) % N_PATTERNS, row, k);
}

/* Multiplies by both kernels; sums: room for those of both. */
static cudaError_t count_wrong(probe *p, pci_product_fn launch, const int8_t *planes, int32_t *sums,
                               uint64_t *n_wrong)
{
    size_t n = p->product.layout.plane_bytes;
    cudaError_t error = cudaMemcpy(p->arena, planes, 2 * n, cudaMemcpyHostToDevice);
    pci_product_fn kernels[2] = {launch, pci_product_plain};
    for (int s = 0; s < 2 && error == cudaSuccess; s++) {
        error = cudaMemset(p->sums[s], 0x55, n * sizeof *sums);
        p->product.raw = p->sums[s];
        if (error == cudaSuccess)
            error = kernels[s](&p->product, NULL);
        if (error == cudaSuccess)
            error = cudaMemcpy(sums + s * n, p->sums[s], n * sizeof *sums, cudaMemcpyDeviceToHost);
    }
    for (size_t i = 0; i < n && error == cudaSuccess; i++)
        *n_wrong += sums[i] != sums[n + i];
    return error;
}

static pc_status try_patterns(probe *p, pci_product_fn launch, uint64_t *n_wrong)
{
    size_t n = p->product.layout.plane_bytes;
    int8_t *planes = pci_alloc(p->context, 2 * n);
    int32_t *sums = pci_alloc(p->context, 2 * n * sizeof *sums);
    cudaError_t error = cudaSuccess;
    pc_status status =
        planes && sums ? PC_OK : pci_fail_memory(p->context, "sums to compare", 10 * n);
    for (uint64_t turn = 0; turn < N_PATTERNS && status == PC_OK && error == cudaSuccess; turn++) {
        fill(planes, p->product.layout.n, 0);
        fill(planes + n, p->product.layout.n, turn);
        error = count_wrong(p, launch, planes, sums, n_wrong);
    }
    pci_free(p->context, planes);
    pci_free(p->context, sums);
    return status == PC_OK ? pci_gpu_check(p->context, error, "trying a kernel") : status;
}

pc_status pci_gpu_probe_sums(pc_context *context, const pci_gpu_device *device,
                             pci_gpu_kernel kernel, pci_product_fn launch)
{
    probe p;
    uint64_t n_wrong = 0;
    pc_status status = begin(context, device, kernel, SUMS_SIZE, true, &p);
    if (status == PC_OK)
        status = try_patterns(&p, launch, &n_wrong);
    free_probe(&p);
    if (status == PC_OK && n_wrong > 0)
        status = pci_fail(context, PC_ERR_ENGINE,
                          "%s: kernel %s gives %llu of %llu sums wrong on this GPU; force another "
                          "one by " PCI_GPU_KERNEL_VARIABLE,
                          device->name, pci_gpu_kernel_name(kernel), (unsigned long long)n_wrong,
                          (unsigned long long)N_PATTERNS * SUMS_SIZE * SUMS_SIZE);
    return status;
}

/* The least of the times of some launches, in milliseconds; the first of all is not timed. */
static cudaError_t time_launches(const probe *p, pci_gpu_kernel kernel, float *least)
{
    cudaEvent_t start = NULL, end = NULL;
    cudaError_t error = cudaEventCreate(&start);
    if (error == cudaSuccess)
        error = cudaEventCreate(&end);
    *least = 1e9f;
    for (int i = 0; i <= N_TRIES && error == cudaSuccess; i++) {
        float milliseconds = 0;
        cudaEventRecord(start, NULL);
        error = pci_product_launch(kernel, &p->product, NULL);
        cudaEventRecord(end, NULL);
        if (error == cudaSuccess)
            error = cudaEventSynchronize(end);
        if (error == cudaSuccess)
            error = cudaEventElapsedTime(&milliseconds, start, end);
        if (i > 0 && milliseconds < *least)
            *least = milliseconds;
    }
    cudaEventDestroy(start);
    cudaEventDestroy(end);
    return error;
}

/* Random operands, and a result modulo a number. */
static pc_status fill_randomly(probe *p)
{
    pci_product_output *output = p->product.output;
    output->plane = p->arena + 2 * p->product.layout.plane_bytes;
    pci_reduction_make(251, &output->reduction);
    size_t bytes = 2 * p->product.layout.plane_bytes;
    uint64_t *words = pci_alloc(p->context, bytes);
    if (!words)
        return pci_fail_memory(p->context, "planes to multiply", bytes);
    for (size_t i = 0; i < bytes / sizeof *words; i++)
        words[i] = pci_scramble(i);
    cudaError_t error = cudaMemcpy(p->arena, words, bytes, cudaMemcpyHostToDevice);
    pci_free(p->context, words);
    return pci_gpu_check(p->context, error, "copying planes");
}

pc_status pci_gpu_probe_rate(pc_context *context, const pci_gpu_device *device,
                             pci_gpu_kernel kernel, double *rate)
{
    probe p;
    float milliseconds = 0;
    pc_status status = begin(context, device, kernel, RATE_SIZE, false, &p);
    if (status == PC_OK)
        status = fill_randomly(&p);
    if (status == PC_OK)
        status =
            pci_gpu_check(context, time_launches(&p, kernel, &milliseconds), "timing a kernel");
    free_probe(&p);
    if (status == PC_OK)
        *rate = 2.0 * RATE_SIZE * RATE_SIZE * RATE_SIZE / (milliseconds * 1e-3);
    return status;
}

/* ---- Finding and starting -------------------------------------------------------------------- */

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
        double of_best = 0, of_halves = 0; /* the faster one of f16 and the best kernel */
        if (!t->is_compared)
            status = pci_gpu_probe_rate(context, device, device->kernel, &of_best);
        if (!t->is_compared && status == PC_OK)
            status = pci_gpu_probe_rate(context, device, PCI_GPU_F16, &of_halves);
        if (!t->is_compared)
            t->fastest = of_halves > of_best ? PCI_GPU_F16 : device->kernel;
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

pc_status pci_gpu_devices_wanted(pc_context *context, int *n, int index[PCI_MAX_DEVICES])
{
    const pci_devices *wanted = &context->devices;
    int n_devices = 0;
    cudaError_t error = cudaGetDeviceCount(&n_devices);
    if (error == cudaErrorInsufficientDriver || error == cudaErrorNoDevice ||
        (error == cudaSuccess && n_devices == 0)) {
        cudaGetLastError();
        return pci_fail(context, PC_ERR_ENGINE,
                        error == cudaErrorInsufficientDriver
                            ? "no NVIDIA driver, or one too old for CUDA %d.%d"
                            : "no NVIDIA GPU is visible here (CUDA %d.%d)",
                        CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
    }
    pc_status status = pci_gpu_check(context, error, "counting devices");
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
    struct cudaDeviceProp properties = {0};
    *device = (pci_gpu_device){.index = index};
    pc_status status = pci_gpu_check(context, cudaSetDevice(index), "starting the device");
    if (status == PC_OK)
        status = pci_gpu_check(context, cudaFree(NULL), "starting the device");
    if (status == PC_OK)
        status = pci_gpu_check(context, cudaGetDeviceProperties(&properties, index),
                               "asking about the device");
    if (status != PC_OK)
        return status;
    snprintf(device->name, sizeof device->name, "%s", properties.name);
    device->major = properties.major;
    device->minor = properties.minor;
    device->n_sms = properties.multiProcessorCount;
    return choose_kernel(context, device);
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

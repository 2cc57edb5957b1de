/* Small products that tell what a GPU does. */
#include "gpu/engine/probe.h"

#include "src/core/checksum.h"

#include <string.h>

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

static pc_status upload_tiles(probe *p)
{
    size_t bytes = pci_tiles_capacity(&p->product.shape) * sizeof(uint32_t);
    uint32_t *entries = pci_alloc(p->context, bytes);
    if (!entries)
        return pci_fail_memory(p->context, "a list of tiles", bytes);
    p->product.n_entries = (uint32_t)pci_tiles_list(&p->product.shape, entries);
    pc_status status = pci_gpu_upload(p->context, entries, bytes, (void **)&p->entries);
    p->product.tiles = p->entries;
    pci_free(p->context, entries);
    return status;
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
    return status == PC_OK ? upload_tiles(p) : status;
}

/* ---- Sums ------------------------------------------------------------------------------------ */

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

static cudaError_t multiply(probe *p, pci_product_fn launch, const int8_t *planes)
{
    size_t bytes = p->product.layout.plane_bytes;
    cudaError_t error = cudaMemcpy(p->arena, planes, 2 * bytes, cudaMemcpyHostToDevice);
    pci_product_fn kernels[2] = {launch, pci_product_plain};
    for (int s = 0; s < 2 && error == cudaSuccess; s++) {
        error = cudaMemset(p->sums[s], 0x55, bytes * sizeof **p->sums);
        p->product.raw = p->sums[s];
        if (error == cudaSuccess)
            error = kernels[s](&p->product, NULL);
    }
    return error;
}

/* sums: room for those of both kernels. */
static cudaError_t count_wrong(const probe *p, int32_t *sums, uint64_t *n_wrong)
{
    size_t n = p->product.layout.plane_bytes;
    cudaError_t error = cudaSuccess;
    for (int s = 0; s < 2 && error == cudaSuccess; s++)
        error = cudaMemcpy(sums + s * n, p->sums[s], n * sizeof *sums, cudaMemcpyDeviceToHost);
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
        error = multiply(p, launch, planes);
        if (error == cudaSuccess)
            error = count_wrong(p, sums, n_wrong);
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

/* ---- Rates ----------------------------------------------------------------------------------- */

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

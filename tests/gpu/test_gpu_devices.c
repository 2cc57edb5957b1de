/* What the models and lists say of a real GPU, against what CUDA says of it. */
#ifdef PATHCOUNT_WITH_CUDA
#include "tests/support/fixture.h"

#include "gpu/ladder/ladder.h"
#include "gpu/ladder/model.h"
#include "tests/gpu/gpu_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_GPUS = 64 };

/* ---- Occupancy ------------------------------------------------------------------------------- */

static const pci_gpu_limits *limits_here(void)
{
    int major, minor, n_sms;
    need_gpu(&major, &minor, &n_sms);
    const pci_gpu_limits *limits = pci_gpu_limits_of(major, minor);
    if (!limits)
        test_skip("limits of this compute capability are not known");
    return limits;
}

TEST("limits as CUDA has them")
{
    const pci_gpu_limits *limits = limits_here();
    struct cudaDeviceProp p;
    must(cudaGetDeviceProperties(&p, 0), "properties");
    CU_ASSERT_EQUAL(limits->max_blocks_per_sm, (uint32_t)p.maxBlocksPerMultiProcessor);
    CU_ASSERT_EQUAL(limits->max_threads_per_warp, (uint32_t)p.warpSize);
    CU_ASSERT_EQUAL(limits->max_warps_per_sm * limits->max_threads_per_warp,
                    (uint32_t)p.maxThreadsPerMultiProcessor);
    CU_ASSERT_EQUAL(limits->max_threads_per_block, (uint32_t)p.maxThreadsPerBlock);
    CU_ASSERT_EQUAL(limits->n_registers, (uint32_t)p.regsPerMultiprocessor);
    CU_ASSERT_EQUAL(limits->shared_bytes, p.sharedMemPerMultiprocessor);
    CU_ASSERT_EQUAL(limits->reserved_shared_bytes, p.reservedSharedMemPerBlock);
    CU_ASSERT_EQUAL(limits->shared_bytes - limits->reserved_shared_bytes, p.sharedMemPerBlockOptin);
}

/* A kernel that has asked for a smaller part of shared memory gets less than the limits say. */
static bool prefers_less_shared(const struct cudaFuncAttributes *attributes)
{
    return attributes->preferredShmemCarveout >= 0 && attributes->preferredShmemCarveout < 100;
}

/* Blocks of the kernel whose occupancy is another one than CUDA says. */
static unsigned n_wrong_blocks(const pci_gpu_limits *limits, const pci_ladder_kernel *kernel)
{
    unsigned n_wrong = 0;
    for (int b = 0; b < PCI_LADDER_BLOCKS && kernel->blocks[b].x; b++) {
        pci_ladder_block block = kernel->blocks[b];
        const void *function = kernel->function;
        struct cudaFuncAttributes attributes;
        int n_blocks = -1, n_threads = (int)(block.x * block.y);
        must(cudaFuncGetAttributes(&attributes, function), kernel->name);
        must(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n_blocks, function, n_threads, 0),
             kernel->name);
        pci_occupancy found =
            pci_occupancy_of(limits, (uint32_t)n_threads, (uint32_t)attributes.numRegs,
                             (uint32_t)attributes.sharedSizeBytes);
        if (prefers_less_shared(&attributes) || (int)found.blocks_per_sm == n_blocks)
            continue;
        n_wrong++;
        printf("\n    %s (%u, %u): %u blocks, CUDA says %d: %d registers, %zu bytes ", kernel->name,
               block.x, block.y, found.blocks_per_sm, n_blocks, attributes.numRegs,
               attributes.sharedSizeBytes);
    }
    return n_wrong;
}

TEST("occupancy of every kernel of the ladder")
{
    const pci_gpu_limits *limits = limits_here();
    for (size_t k = 0; k < pci_ladder_n_kernels; k++)
        CU_ASSERT_EQUAL(n_wrong_blocks(limits, pci_ladder[k]), 0);
}

/* Of one kernel every size of block, and every amount of shared memory up to 48 KiB. */
TEST("occupancy of every size of block")
{
    const pci_gpu_limits *limits = limits_here();
    const void *function = pci_ladder[0]->function;
    struct cudaFuncAttributes attributes;
    unsigned n_wrong = 0;
    must(cudaFuncGetAttributes(&attributes, function), "attributes");
    size_t most_shared = 48 * 1024 - attributes.sharedSizeBytes;
    for (int n_threads = 1; n_threads <= attributes.maxThreadsPerBlock; n_threads += 31)
        for (size_t shared = 0; shared <= most_shared; shared += 509) {
            int n_blocks = -1;
            must(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n_blocks, function, n_threads,
                                                               shared),
                 "occupancy");
            n_wrong += pci_occupancy_of(limits, (uint32_t)n_threads, (uint32_t)attributes.numRegs,
                                        (uint32_t)(attributes.sharedSizeBytes + shared))
                           .blocks_per_sm != (uint32_t)n_blocks;
        }
    CU_ASSERT_EQUAL(n_wrong, 0);
}

/* ---- The list of devices --------------------------------------------------------------------- */

typedef struct gpu_list {
    int n;
    uint64_t largest_n_plan; /* of the first */
} gpu_list;

static int attribute_of(int index, enum cudaDeviceAttr attribute)
{
    int value = 0;
    must(cudaDeviceGetAttribute(&value, attribute, index), "attribute");
    return value;
}

static void check_gpu(void *user, const pc_device *device)
{
    gpu_list *list = user;
    if (strcmp(device->engine, "cuda") != 0)
        return;
    CU_ASSERT_STRING_EQUAL(device->missing, "");
    CU_ASSERT_EQUAL_FATAL(device->index, list->n);
    int i = list->n++;
    size_t n_free, total;
    must(cudaSetDevice(i), "device");
    must(cudaMemGetInfo(&n_free, &total), "memory");
    CU_ASSERT_STRING_NOT_EQUAL(device->name, "");
    CU_ASSERT_STRING_NOT_EQUAL(device->kernel, "");
    CU_ASSERT_EQUAL(device->is_chosen, i == 0);
    CU_ASSERT_EQUAL(device->memory_bytes, total);
    CU_ASSERT_TRUE(device->free_bytes > 0 && device->free_bytes <= total);
    CU_ASSERT_EQUAL(device->n_multiprocessors, attribute_of(i, cudaDevAttrMultiProcessorCount));
    CU_ASSERT_EQUAL(device->major, attribute_of(i, cudaDevAttrComputeCapabilityMajor));
    CU_ASSERT_EQUAL(device->minor, attribute_of(i, cudaDevAttrComputeCapabilityMinor));
    CU_ASSERT_EQUAL(device->l2_bytes, (uint64_t)attribute_of(i, cudaDevAttrL2CacheSize));
    CU_ASSERT_EQUAL(device->shared_per_block,
                    (uint64_t)attribute_of(i, cudaDevAttrMaxSharedMemoryPerBlockOptin));
    CU_ASSERT_EQUAL(1000 * device->clock_mhz, attribute_of(i, cudaDevAttrClockRate));
    uint64_t n = device->largest_n_theory;
    CU_ASSERT_TRUE(24 * n * n <= total && 24 * (n + 1) * (n + 1) > total);
    CU_ASSERT_TRUE(device->largest_n_plan > 0);
    list->largest_n_plan = i == 0 ? device->largest_n_plan : list->largest_n_plan;
}

static gpu_list list_gpus(pc_context *context)
{
    gpu_list list = {0, 0};
    int n_devices = 0;
    must(cudaGetDeviceCount(&n_devices), "devices");
    CU_ASSERT_EQUAL(pc_devices(context, check_gpu, &list), PC_OK);
    CU_ASSERT_EQUAL(list.n, n_devices < MOST_GPUS ? n_devices : MOST_GPUS);
    return list;
}

TEST("devices of this machine")
{
    need_any_gpu();
    OWNED(pc_context) *context = new_context(0);
    list_gpus(context);
}

TEST("the largest graph that fits")
{
    need_any_gpu();
    const char *before = getenv("PATHCOUNT_CUDA_MEMORY");
    OWNED(char) *former = before ? strdup(before) : NULL;
    pc_context *context = new_context(0);
    setenv("PATHCOUNT_CUDA_MEMORY", "1000000000", 1);
    pc_context_set_memory_limit(context, UINT64_C(1) << 40); /* planes may wait on the host */
    CU_ASSERT_EQUAL(pc_context_set_device(context, "cuda"), PC_OK);
    uint64_t n = list_gpus(context).largest_n_plan;
    CU_ASSERT_TRUE(cycle_fits(context, n - n / 50));
    CU_ASSERT_FALSE(cycle_fits(context, n + n / 50 + 128));
    pc_context_free(context);
    if (former)
        setenv("PATHCOUNT_CUDA_MEMORY", former, 1);
    else
        unsetenv("PATHCOUNT_CUDA_MEMORY");
}

#endif

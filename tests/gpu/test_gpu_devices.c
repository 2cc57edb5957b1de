/* The list of devices against what CUDA says of a real GPU. */
#ifdef PATHCOUNT_WITH_CUDA
#include "tests/support/fixture.h"

#include "tests/gpu/gpu_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_GPUS = 64 };

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

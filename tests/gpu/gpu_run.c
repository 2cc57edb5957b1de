/* GPUs for tests, by the environment. */
#include "tests/gpu/gpu_run.h"

#include "tests/support/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *gpu_name(void)
{
    const char *name = getenv("PATHCOUNT_TEST_DEVICE");
    return name ? name : "cuda";
}

void need_one_gpu(void)
{
    if (strcmp(gpu_name(), "cuda") != 0)
        test_skip("runs are out of core on one GPU only");
    set_variable("PATHCOUNT_CUDA_PARTS", "1");
}

void limit_gpu_memory(uint64_t bytes)
{
    char text[32];
    snprintf(text, sizeof text, "%llu", (unsigned long long)bytes);
    if (bytes)
        setenv("PATHCOUNT_CUDA_MEMORY", text, 1);
    else
        unsetenv("PATHCOUNT_CUDA_MEMORY");
}

/* GPUs for tests, by the environment. */
#include "tests/gpu_run.h"

#include <stdio.h>
#include <stdlib.h>

const char *gpu_name(void)
{
    const char *name = getenv("PATHCOUNT_TEST_DEVICE");
    return name ? name : "cuda";
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

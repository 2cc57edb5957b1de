/* Where tests of whole counts on GPUs run. */
#ifndef TESTS_GPU_RUN_H
#define TESTS_GPU_RUN_H

#include <stdint.h>

/* The GPUs to test: PATHCOUNT_TEST_DEVICE, for example cuda:0,1, or the first. */
const char *gpu_name(void);

/* Ends the case when PATHCOUNT_TEST_DEVICE names several GPUs. A run on the one GPU has one part then, whatever
 * PATHCOUNT_CUDA_PARTS says. */
void need_one_gpu(void);

/* Device memory that plans count on from now on, PATHCOUNT_CUDA_MEMORY; 0: all there is. */
void limit_gpu_memory(uint64_t bytes);

#endif

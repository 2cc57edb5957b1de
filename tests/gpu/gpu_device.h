/* What tests of the CUDA engine's kernels share: memory of the device with a poisoned guard behind
 * it, moduli, planes made for kernels to fill, and what their entries must be. */
#ifndef TESTS_GPU_DEVICE_H
#define TESTS_GPU_DEVICE_H

#include <stdint.h>

#ifdef PATHCOUNT_WITH_CUDA
#include "gpu/engine/entrywise.h"
#include "tests/support/random_graph.h"

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>

enum { POISON = 0x55 }; /* each byte of what no kernel has written */

/* The case is over when error says that something went wrong. */
void must(cudaError_t error, const char *what);

/* Skips the case where there is no GPU; else its compute capability and multiprocessors. */
void need_gpu(int *major, int *minor, int *n_sms);
void need_any_gpu(void);

/* Whether PATHCOUNT_TEST_SMALL asks for small sizes: compute-sanitizer slows kernels down a lot. */
bool is_small_run(void);

/* The case is over when there is no memory. */
void *host_alloc(size_t bytes);

/* Device memory with a poisoned guard behind it. */
typedef struct device_block {
    uint8_t *at;
    size_t bytes;
} device_block;

/* Poison all over. */
device_block device_alloc(size_t bytes);
device_block device_copy_of(const void *host, size_t bytes);

/* Waits for all kernels. */
void device_read(const device_block *block, void *host);

/* Frees it; the guard must be as it was. */
void device_free(device_block *block);
#define release_device_block device_free

/* Memory of host_alloc. */
#define release_int8_t  release_memory
#define release_int32_t release_memory
#define release_int64_t release_memory
#define release_uint8_t release_memory
#define release_float   release_memory

uint32_t modulus_number(uint32_t index);
pci_reduction reduction_of(uint32_t m);
pci_gpu_modulus modulus_at(uint32_t index);

/* Whether the int8 is value's residue modulo a narrow m (0: the value itself), centred. */
bool is_narrow_residue(int residue, int64_t value, uint32_t m);

/* Whether 128 high + low is value modulo a wide m, no digit is too large, and sum is theirs. */
bool is_wide_residue(int high, int low, int sum, int64_t value, uint32_t m);

/* Any int8. */
int random_byte(random_source *random);

/* Sides of planes: around those of tiles. */
enum { N_PLANE_SIZES = 5 };
extern const uint32_t plane_sizes[N_PLANE_SIZES];

/* Planes on the device, n_rows each: poison where entries are, zeros in the padding. */
device_block planes_to_fill(const pci_gpu_layout *layout, uint64_t n_rows, uint32_t n_planes);

typedef struct digit_pointers {
    int8_t *digit[3];
} digit_pointers;

/* Digits one after the other, from plane number `first` of the block on. */
digit_pointers digits_at(const device_block *block, size_t plane_bytes, size_t first);

/* Entries of planes (1, or 3 when wide) that are not values[n_rows][n] modulo the modulus; padding
 * must be zero. */
uint64_t n_wrong_residues(const pci_gpu_layout *layout, uint64_t n_rows, pci_gpu_modulus modulus,
                          const int8_t *planes, const int64_t *values);
#endif

/* ---- Whole counts ---------------------------------------------------------------------------- */

/* The GPUs to test: PATHCOUNT_TEST_DEVICE, for example cuda:0,1, or the first. */
const char *gpu_name(void);

/* Ends the case when PATHCOUNT_TEST_DEVICE names several GPUs. A run on the one GPU has one part then, whatever
 * PATHCOUNT_CUDA_PARTS says. */
void need_one_gpu(void);

/* Device memory that plans count on from now on, PATHCOUNT_CUDA_MEMORY; 0: all there is. */
void limit_gpu_memory(uint64_t bytes);

#endif

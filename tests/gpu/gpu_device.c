/* Memory, moduli and planes for tests of the CUDA engine. */
#include "tests/gpu/gpu_device.h"

#include "src/residues/residues.h"
#include "tests/support/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef PATHCOUNT_WITH_CUDA

enum { GUARD_BYTES = 4096 };

/* ---- The device ------------------------------------------------------------------------------ */

void must(cudaError_t error, const char *what)
{
    if (error != cudaSuccess)
        printf("%s: %s ", what, cudaGetErrorString(error));
    CU_ASSERT_FATAL(error == cudaSuccess);
}

void need_gpu(int *major, int *minor, int *n_sms)
{
    int n_devices = 0;
    cudaError_t error = cudaGetDeviceCount(&n_devices);
    if (error != cudaSuccess)
        test_skip(cudaGetErrorString(error));
    if (n_devices == 0)
        test_skip("there is no CUDA device");
    must(cudaDeviceGetAttribute(major, cudaDevAttrComputeCapabilityMajor, 0), "device");
    must(cudaDeviceGetAttribute(minor, cudaDevAttrComputeCapabilityMinor, 0), "device");
    must(cudaDeviceGetAttribute(n_sms, cudaDevAttrMultiProcessorCount, 0), "device");
}

void need_any_gpu(void)
{
    int major, minor, n_sms;
    need_gpu(&major, &minor, &n_sms);
}

bool is_small_run(void)
{
    const char *value = getenv("PATHCOUNT_TEST_SMALL");
    return value != NULL && strcmp(value, "") != 0 && strcmp(value, "0") != 0;
}

void *host_alloc(size_t bytes)
{
    void *memory = malloc(bytes ? bytes : 1);
    CU_ASSERT_FATAL(memory != NULL);
    return memory;
}

device_block device_alloc(size_t bytes)
{
    device_block block = {NULL, bytes};
    must(cudaMalloc((void **)&block.at, bytes + GUARD_BYTES), "cudaMalloc");
    must(cudaMemset(block.at, POISON, bytes + GUARD_BYTES), "cudaMemset");
    return block;
}

device_block device_copy_of(const void *host, size_t bytes)
{
    device_block block = device_alloc(bytes);
    if (bytes)
        must(cudaMemcpy(block.at, host, bytes, cudaMemcpyHostToDevice), "copying to the device");
    return block;
}

void device_read(const device_block *block, void *host)
{
    if (block->bytes)
        must(cudaMemcpy(host, block->at, block->bytes, cudaMemcpyDeviceToHost),
             "running or copying from the device");
}

void device_free(device_block *block)
{
    uint8_t guard[GUARD_BYTES];
    unsigned n_wrong = 0;
    must(cudaMemcpy(guard, block->at + block->bytes, GUARD_BYTES, cudaMemcpyDeviceToHost),
         "reading a guard");
    for (unsigned i = 0; i < GUARD_BYTES; i++)
        n_wrong += guard[i] != POISON;
    CU_ASSERT(n_wrong == 0);
    must(cudaFree(block->at), "cudaFree");
}

/* ---- Moduli and entries ---------------------------------------------------------------------- */

uint32_t modulus_number(uint32_t index)
{
    static pci_moduli moduli;
    if (moduli.m[0] == 0)
        pci_moduli_fill(&moduli, PCI_ANY_BITS);
    return moduli.m[index];
}

pci_reduction reduction_of(uint32_t m)
{
    pci_reduction reduction;
    CU_ASSERT_FATAL(pci_reduction_make(m, &reduction));
    return reduction;
}

pci_gpu_modulus modulus_at(uint32_t index)
{
    uint32_t m = modulus_number(index);
    pci_gpu_modulus modulus = {.m = m, .wide = pci_modulus_is_wide(index)};
    if (!modulus.wide)
        modulus.reduction = reduction_of(m);
    return modulus;
}

bool is_narrow_residue(int residue, int64_t value, uint32_t m)
{
    if (m == 0)
        return residue == value;
    return (value - residue) % (int64_t)m == 0 && 2 * (uint32_t)abs(residue) <= m;
}

bool is_wide_residue(int high, int low, int sum, int64_t value, uint32_t m)
{
    return (value - 128 * high - low) % (int64_t)m == 0 && sum == high + low && abs(high) <= 64 &&
           low >= -64 && low <= 63;
}

int random_byte(random_source *random)
{
    return (int)random_below(random, 256) - 128;
}

/* ---- Planes ---------------------------------------------------------------------------------- */

const uint32_t plane_sizes[N_PLANE_SIZES] = {1, 127, 128, 129, 257};

device_block planes_to_fill(const pci_gpu_layout *layout, uint64_t n_rows, uint32_t n_planes)
{
    size_t rows_bytes = n_rows * layout->n_padded;
    OWNED(uint8_t) *host = host_alloc(n_planes * rows_bytes);
    memset(host, 0, n_planes * rows_bytes);
    for (uint32_t p = 0; p < n_planes; p++)
        for (uint64_t i = 0; i < n_rows && i < layout->n; i++)
            memset(host + p * rows_bytes + i * layout->n_padded, POISON, layout->n);
    device_block block = device_copy_of(host, n_planes * rows_bytes);
    return block;
}

digit_pointers digits_at(const device_block *block, size_t plane_bytes, size_t first)
{
    digit_pointers p;
    for (size_t d = 0; d < 3; d++)
        p.digit[d] = (int8_t *)block->at + (first + d) * plane_bytes;
    return p;
}

uint64_t n_wrong_residues(const pci_gpu_layout *layout, uint64_t n_rows, pci_gpu_modulus modulus,
                          const int8_t *planes, const int64_t *values)
{
    uint64_t n_wrong = 0, rows_bytes = n_rows * layout->n_padded;
    for (uint64_t i = 0; i < n_rows; i++)
        for (uint64_t j = 0; j < layout->n_padded; j++) {
            const int8_t *at = planes + i * layout->n_padded + j;
            int64_t value = i < layout->n && j < layout->n ? values[i * layout->n + j] : 0;
            n_wrong += modulus.wide ? !is_wide_residue(at[0], at[rows_bytes], at[2 * rows_bytes],
                                                       value, modulus.m)
                                    : !is_narrow_residue(at[0], value, modulus.m);
        }
    return n_wrong;
}
#endif

/* ---- Whole counts ---------------------------------------------------------------------------- */

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

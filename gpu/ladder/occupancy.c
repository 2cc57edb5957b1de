/* Blocks of a kernel on a multiprocessor: the minimum of what its blocks, warps, registers and
 * shared memory allow. (The source prints floors in equations 1.2, 1.4 and 1.6 where its example
 * uses ceilings.) */
#include "gpu/ladder/model.h"

#include <stddef.h>

enum { KIB = 1024 };

/* 1.3 and 2.0: Figure 1.4 of the source; threads of a block and registers of a thread from the CUDA
 * programming guide of that time. The others: "Compute Capabilities" in the CUDA programming guide;
 * units of allocation and blocks from cuda_occupancy.h of CUDA 13.0. From 7.0 on a warp's registers
 * lie in one of the four parts of a multiprocessor: hence 4. */
#define SINCE_7_0                                                                                  \
    .max_threads_per_warp = 32, .max_threads_per_block = 1024, .n_registers = 64 * KIB,            \
    .register_unit = 256, .max_registers_per_thread = 255, .warp_allocation_unit = 4
#define SINCE_8_0 SINCE_7_0, .shared_unit = 128, .reserved_shared_bytes = KIB

static const pci_gpu_limits known[] = {
    {.major = 1,
     .minor = 3,
     .max_blocks_per_sm = 8,
     .max_threads_per_warp = 32,
     .max_warps_per_sm = 32,
     .max_threads_per_block = 512,
     .n_registers = 16 * KIB,
     .register_unit = 512,
     .registers_by_block = true,
     .max_registers_per_thread = 124,
     .warp_allocation_unit = 2,
     .shared_bytes = 16 * KIB,
     .shared_unit = 512},
    {.major = 2,
     .minor = 0,
     .max_blocks_per_sm = 8,
     .max_threads_per_warp = 32,
     .max_warps_per_sm = 48,
     .max_threads_per_block = 1024,
     .n_registers = 32 * KIB,
     .register_unit = 64,
     .max_registers_per_thread = 63,
     .warp_allocation_unit = 1,
     .shared_bytes = 48 * KIB,
     .shared_unit = 128},
    {7, 0, 32, .max_warps_per_sm = 64, .shared_bytes = 96 * KIB, SINCE_7_0, .shared_unit = 256},
    {7, 5, 16, .max_warps_per_sm = 32, .shared_bytes = 64 * KIB, SINCE_7_0, .shared_unit = 256},
    {8, 0, 32, .max_warps_per_sm = 64, .shared_bytes = 164 * KIB, SINCE_8_0},
    {8, 6, 16, .max_warps_per_sm = 48, .shared_bytes = 100 * KIB, SINCE_8_0},
    {8, 7, 16, .max_warps_per_sm = 48, .shared_bytes = 164 * KIB, SINCE_8_0},
    {8, 9, 24, .max_warps_per_sm = 48, .shared_bytes = 100 * KIB, SINCE_8_0},
    {9, 0, 32, .max_warps_per_sm = 64, .shared_bytes = 228 * KIB, SINCE_8_0},
    {10, 0, 32, .max_warps_per_sm = 64, .shared_bytes = 228 * KIB, SINCE_8_0},
    {12, 0, 24, .max_warps_per_sm = 48, .shared_bytes = 100 * KIB, SINCE_8_0},
};

const pci_gpu_limits *pci_gpu_limits_of(int major, int minor)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].major == major && known[i].minor == minor)
            return &known[i];
    return NULL;
}

static uint64_t divide_up(uint64_t a, uint64_t b)
{
    return (a + b - 1) / b;
}

static uint64_t round_up(uint64_t a, uint64_t unit)
{
    return divide_up(a, unit) * unit;
}

static uint64_t min_u64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Equations 1.4 and 1.5. Where a warp has its registers in one of several parts of the
 * multiprocessor, each part holds whole warps only. */
static uint64_t blocks_by_registers(const pci_gpu_limits *limits, uint64_t warps,
                                    uint32_t registers_per_thread)
{
    uint64_t a_warp = (uint64_t)registers_per_thread * limits->max_threads_per_warp;
    if (!registers_per_thread)
        return UINT64_MAX;
    if (limits->registers_by_block) {
        uint64_t a_block = round_up(warps, limits->warp_allocation_unit) * a_warp;
        return limits->n_registers / round_up(a_block, limits->register_unit);
    }
    a_warp = round_up(a_warp, limits->register_unit);
    uint64_t n_parts = limits->warp_allocation_unit;
    return limits->n_registers / n_parts / a_warp * n_parts / warps;
}

/* Equation 1.6. */
static uint64_t blocks_by_shared(const pci_gpu_limits *limits, uint32_t shared_bytes)
{
    uint64_t bytes =
        round_up((uint64_t)shared_bytes + limits->reserved_shared_bytes, limits->shared_unit);
    return bytes ? limits->shared_bytes / bytes : UINT64_MAX;
}

pci_occupancy pci_occupancy_of(const pci_gpu_limits *limits, uint32_t threads_per_block,
                               uint32_t registers_per_thread, uint32_t shared_bytes_per_block)
{
    uint64_t warps = divide_up(threads_per_block, limits->max_threads_per_warp);
    pci_occupancy occupancy = {.warps_per_block = (uint32_t)warps};
    if (!warps || threads_per_block > limits->max_threads_per_block ||
        registers_per_thread > limits->max_registers_per_thread)
        return occupancy;
    uint64_t blocks = min_u64(limits->max_blocks_per_sm, limits->max_warps_per_sm / warps);
    blocks = min_u64(blocks, blocks_by_registers(limits, warps, registers_per_thread));
    blocks = min_u64(blocks, blocks_by_shared(limits, shared_bytes_per_block));
    occupancy.blocks_per_sm = (uint32_t)blocks;
    occupancy.occupancy = (double)(blocks * warps) / limits->max_warps_per_sm;
    return occupancy;
}

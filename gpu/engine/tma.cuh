/* Copies by the tensor memory unit, and the barriers in shared memory that they report to (PTX ISA,
 * "mbarrier" and "cp.async.bulk.tensor"): compute capability 9.0.
 *
 * A barrier goes through phases 0, 1, 0, 1 ... A phase ends when all its arrivals and all its
 * expected bytes have come; a waiter names the phase whose end it waits for. Addresses are those of
 * shared memory, 32 bits. */
#ifndef PCI_GPU_TMA_CUH
#define PCI_GPU_TMA_CUH

#include "gpu/engine/shared.cuh"

#include <cuda.h>

/* ---- Barriers ------------------------------------------------------------------------------- */

static __device__ __forceinline__ void pci_barrier_init(uint32_t barrier, uint32_t n_arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(n_arrivals)
                 : "memory");
}

/* After the inits, before others may use the barriers. */
static __device__ __forceinline__ void pci_barrier_init_fence()
{
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

static __device__ __forceinline__ void pci_barrier_wait(uint32_t barrier, uint32_t phase)
{
    uint32_t is_over;
    do
        asm volatile("{\n.reg .pred is_over;\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 is_over, [%1], %2;\n"
                     "selp.b32 %0, 1, 0, is_over;\n}\n"
                     : "=r"(is_over)
                     : "r"(barrier), "r"(phase)
                     : "memory");
    while (!is_over);
}

static __device__ __forceinline__ void pci_barrier_arrive(uint32_t barrier)
{
    asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}

/* The arrival that also says how many bytes the phase waits for. */
static __device__ __forceinline__ void pci_barrier_expect(uint32_t barrier, uint32_t n_bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier),
                 "r"(n_bytes)
                 : "memory");
}

/* ---- Clusters ------------------------------------------------------------------------------- */

static __device__ __forceinline__ uint32_t pci_cluster_rank()
{
    uint32_t rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

/* All threads of all blocks of the cluster. */
static __device__ __forceinline__ void pci_cluster_sync()
{
    asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
}

/* At the same barrier of block `rank`. Spelled without .release.cluster, which would cost a fence
 * of the whole GPU: nothing was written that another block reads. */
static __device__ __forceinline__ void pci_barrier_arrive_at(uint32_t barrier, uint32_t rank)
{
    asm volatile("{\n.reg .b32 remote;\n"
                 "mapa.shared::cluster.u32 remote, %0, %1;\n"
                 "mbarrier.arrive.shared::cluster.b64 _, [remote];\n}\n" ::"r"(barrier),
                 "r"(rank)
                 : "memory");
}

/* ---- Copies: boxes of a tensor, the coordinates in the middle zero -------------------------- */

static __device__ __forceinline__ void pci_tma_copy_4d(uint32_t to, const CUtensorMap *map,
                                                       uint32_t barrier, uint32_t first,
                                                       uint32_t last)
{
    asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%3, %4, %4, %5}], [%2];" ::"r"(to),
                 "l"(map), "r"(barrier), "r"(first), "r"(0), "r"(last)
                 : "memory");
}

static __device__ __forceinline__ void pci_tma_copy_5d(uint32_t to, const CUtensorMap *map,
                                                       uint32_t barrier, uint32_t first,
                                                       uint32_t last)
{
    asm volatile("cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%3, %4, %4, %4, %5}], [%2];" ::"r"(to),
                 "l"(map), "r"(barrier), "r"(first), "r"(0), "r"(last)
                 : "memory");
}

/* To the same place of both blocks of a cluster; each block's own barrier counts the bytes. */
static __device__ __forceinline__ void pci_tma_copy_5d_to_both(uint32_t to, const CUtensorMap *map,
                                                               uint32_t barrier, uint32_t first,
                                                               uint32_t last)
{
    asm volatile("cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
                 ".multicast::cluster [%0], [%1, {%3, %4, %4, %4, %5}], [%2], %6;" ::"r"(to),
                 "l"(map), "r"(barrier), "r"(first), "r"(0), "r"(last), "h"((uint16_t)3)
                 : "memory");
}

#endif

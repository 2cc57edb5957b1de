/* PTX instructions by name (PTX ISA): those of mma.sync kernels, and those of compute capability
 * 9.0. Addresses are those of shared memory, 32 bits. */
#ifndef PCI_GPU_PTX_CUH
#define PCI_GPU_PTX_CUH

#include <cuda.h>
#include <stdint.h>

/* An address in shared memory in 32 bits, as ldmatrix, TMA and barriers take it. */
static __device__ __forceinline__ uint32_t pci_shared_address(const void *place)
{
    return (uint32_t)__cvta_generic_to_shared(place);
}

/* ---- mma.sync: ldmatrix, mma, cp.async ------------------------------------------------------- */

/* Copies 16 bytes from global to shared memory asynchronously; both are aligned to 16. */
static __device__ __forceinline__ void pci_copy_16(uint32_t to, const int8_t *from)
{
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(to), "l"(from)
                 : "memory");
}

/* The thread's copies since the last commit are a group, even if there are none. */
static __device__ __forceinline__ void pci_copy_commit()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

/* Waits until all but the thread's N latest groups have arrived. */
template <int N> static __device__ __forceinline__ void pci_copy_wait()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
}

/* Loads four matrices of 8 rows of 16 bytes. Lane l gives the address of row l % 8 of matrix l / 8,
 * and gets word l % 4 of row l / 4 of each. */
static __device__ __forceinline__ void pci_load_matrices(uint32_t (&words)[4], uint32_t row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
                 : "r"(row)
                 : "memory");
}

/* 16 x 8 results += 16 x 32 bytes times 32 x 8. Lane l has of the results columns 2 (l % 4) and
 * the next, in rows l / 4 (upper) and l / 4 + 8 (lower); of left, words l % 4 of rows l / 4 and
 * l / 4 + 8, then word 4 + l % 4 of both; of right, words l % 4 and 4 + l % 4 of column l / 4. */
static __device__ __forceinline__ void pci_multiply_add(int32_t &upper0, int32_t &upper1,
                                                        int32_t &lower0, int32_t &lower1,
                                                        const uint32_t (&left)[4], uint32_t right0,
                                                        uint32_t right1)
{
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+r"(upper0), "+r"(upper1), "+r"(lower0), "+r"(lower1)
                 : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right0),
                   "r"(right1));
}

/* The same for unsigned bytes of left; sum: upper two, then lower two. */
static __device__ __forceinline__ void
pci_multiply_add_unsigned(int32_t (&sum)[4], const uint4 &left, uint32_t right0, uint32_t right1)
{
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+r"(sum[0]), "+r"(sum[1]), "+r"(sum[2]), "+r"(sum[3])
                 : "r"(left.x), "r"(left.y), "r"(left.z), "r"(left.w), "r"(right0), "r"(right1));
}

/* The same results in FP32 += 16 x 16 halves times 16 x 8, two halves to a word. Lane l has of left: in rows l / 4
 * and l / 4 + 8 the halves 2 (l % 4) and the next, then in both rows those 8 further; of right, in column l / 4, the
 * same halves. */
static __device__ __forceinline__ void
pci_multiply_add_halves(float &upper0, float &upper1, float &lower0, float &lower1,
                        uint32_t left_upper, uint32_t left_lower, uint32_t left_upper8,
                        uint32_t left_lower8, uint32_t right, uint32_t right8)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(upper0), "+f"(upper1), "+f"(lower0), "+f"(lower1)
                 : "r"(left_upper), "r"(left_lower), "r"(left_upper8), "r"(left_lower8), "r"(right),
                   "r"(right8));
}

/* ---- Barriers in shared memory, which bulk copies report to: mbarrier ------------------------ */

/* A barrier goes through phases 0, 1, 0, 1 ... A phase ends when all its arrivals and all its
 * expected bytes have come. A waiter names the phase whose end it waits for. */

static __device__ __forceinline__ void pci_barrier_init(uint32_t barrier, uint32_t n_arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(n_arrivals)
                 : "memory");
}

/* Comes after the inits and before others use the barriers. */
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

/* ---- Clusters -------------------------------------------------------------------------------- */

static __device__ __forceinline__ uint32_t pci_cluster_rank()
{
    uint32_t rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

/* A barrier for all threads of all blocks of the cluster. */
static __device__ __forceinline__ void pci_cluster_sync()
{
    asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
}

/* Arrives at the same barrier of block `rank`. Without .release.cluster, which would cost a fence
 * of the whole GPU: nothing was written that another block reads. */
static __device__ __forceinline__ void pci_barrier_arrive_at(uint32_t barrier, uint32_t rank)
{
    asm volatile("{\n.reg .b32 remote;\n"
                 "mapa.shared::cluster.u32 remote, %0, %1;\n"
                 "mbarrier.arrive.shared::cluster.b64 _, [remote];\n}\n" ::"r"(barrier),
                 "r"(rank)
                 : "memory");
}

/* ---- Bulk copies: boxes of a tensor, with middle coordinates of zero ------------------------- */

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

/* To the same address of both blocks of a cluster; each block's own barrier counts the bytes. */
static __device__ __forceinline__ void pci_tma_copy_5d_to_both(uint32_t to, const CUtensorMap *map,
                                                               uint32_t barrier, uint32_t first,
                                                               uint32_t last)
{
    asm volatile("cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
                 ".multicast::cluster [%0], [%1, {%3, %4, %4, %4, %5}], [%2], %6;" ::"r"(to),
                 "l"(map), "r"(barrier), "r"(first), "r"(0), "r"(last), "h"((uint16_t)3)
                 : "memory");
}

/* ---- wgmma: products of a warpgroup, sm_90a -------------------------------------------------- */

/* 128 threads multiply 64 rows of a left operand by 64, 128 or 256 rows of a right one, both in shared
 * memory with k along memory, and add to accumulators in registers. The instructions are
 * asynchronous: between fence and wait the accumulators belong to the tensor cores. */

/* Describes rows of 128 bytes, swizzled over 128 bytes, at an address of shared memory that is a
 * multiple of 1024. Offsets count 16 bytes: eight rows are 64, a k step of 32 bytes is 2. */
static __device__ __forceinline__ uint64_t pci_wgmma_operand(uint32_t address)
{
    const uint64_t leading_offset = 1; /* unused with this swizzle */
    const uint64_t stride_offset = 64, swizzle_128 = 1;
    return (address & 0x3FFFF) >> 4 | leading_offset << 16 | stride_offset << 32 |
           swizzle_128 << 62;
}

/* Comes before the first product: accumulators that other instructions wrote are in place. */
static __device__ __forceinline__ void pci_wgmma_fence()
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

/* The products since the last commit become one group. */
static __device__ __forceinline__ void pci_wgmma_commit()
{
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

/* Waits until at most N groups are in progress. */
template <int N> static __device__ __forceinline__ void pci_wgmma_wait()
{
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory");
}

/* clang-format off */

/* Operands %T0 .. %T9 of an asm statement, T being the tens. */
#define PCI_8(T)  "%" T "0, %" T "1, %" T "2, %" T "3, %" T "4, %" T "5, %" T "6, %" T "7"
#define PCI_10(T) PCI_8(T) ", %" T "8, %" T "9, "
#define PCI_32    PCI_10("") PCI_10("1") PCI_10("2") "%30, %31"
#define PCI_60    PCI_10("") PCI_10("1") PCI_10("2") PCI_10("3") PCI_10("4") PCI_10("5")
#define PCI_64    PCI_60 "%60, %61, %62, %63"
#define PCI_128   PCI_60 PCI_10("6") PCI_10("7") PCI_10("8") PCI_10("9") PCI_10("10") PCI_10("11") \
                  PCI_8("12")

/* acc[i] and those that follow, as such operands; t is "+r" or "+f". */
#define PCI_ACC_4(t, i)  t(acc[i]), t(acc[i + 1]), t(acc[i + 2]), t(acc[i + 3])
#define PCI_ACC_16(t, i) PCI_ACC_4(t, i), PCI_ACC_4(t, i + 4), PCI_ACC_4(t, i + 8), PCI_ACC_4(t, i + 12)
#define PCI_ACC_64(t, i) PCI_ACC_16(t, i), PCI_ACC_16(t, i + 16), PCI_ACC_16(t, i + 32), PCI_ACC_16(t, i + 48)

/* clang-format on */

/* acc = left right^T + (add ? acc : 0) over 32 bytes of k, 64 rows x COLUMNS; a product of fewer than 256
 * columns leaves the rest of acc alone. */
template <int COLUMNS>
static __device__ __forceinline__ void pci_wgmma(int32_t (&acc)[128], uint64_t left, uint64_t right,
                                                 bool add)
{
    static_assert(COLUMNS == 64 || COLUMNS == 128 || COLUMNS == 256, "all of acc or a part");
    if constexpr (COLUMNS == 256)
        asm volatile("{\n.reg .pred add;\nsetp.ne.b32 add, %130, 0;\n"
                     "wgmma.mma_async.sync.aligned.m64n256k32.s32.s8.s8 {" PCI_128
                     "}, %128, %129, add;\n}\n"
                     : PCI_ACC_64("+r", 0), PCI_ACC_64("+r", 64)
                     : "l"(left), "l"(right), "r"((int32_t)add));
    else if constexpr (COLUMNS == 64)
        asm volatile("{\n.reg .pred add;\nsetp.ne.b32 add, %34, 0;\n"
                     "wgmma.mma_async.sync.aligned.m64n64k32.s32.s8.s8 {" PCI_32
                     "}, %32, %33, add;\n}\n"
                     : PCI_ACC_16("+r", 0), PCI_ACC_16("+r", 16)
                     : "l"(left), "l"(right), "r"((int32_t)add));
    else
        asm volatile("{\n.reg .pred add;\nsetp.ne.b32 add, %66, 0;\n"
                     "wgmma.mma_async.sync.aligned.m64n128k32.s32.s8.s8 {" PCI_64
                     "}, %64, %65, add;\n}\n"
                     : PCI_ACC_64("+r", 0)
                     : "l"(left), "l"(right), "r"((int32_t)add));
}

/* acc += left right^T over 16 halves of k, 64 rows x 128. left is in registers, held as
 * pci_multiply_add_halves has it, 16 rows a warp, and must stay there until the product is done. */
static __device__ __forceinline__ void pci_wgmma_halves(float (&acc)[64], const uint32_t (&left)[4],
                                                        uint64_t right)
{
    asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {" PCI_64
                 "}, {%64, %65, %66, %67}, %68, 1, 1, 1, 0;"
                 : PCI_ACC_64("+f", 0)
                 : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "l"(right));
}

#undef PCI_8
#undef PCI_10
#undef PCI_32
#undef PCI_60
#undef PCI_64
#undef PCI_128
#undef PCI_ACC_4
#undef PCI_ACC_16
#undef PCI_ACC_64

/* ---- What surrounds the products ------------------------------------------------------------- */

/* A barrier for all threads of a warpgroup, number 1 .. 15; 0 is __syncthreads. */
static __device__ __forceinline__ void pci_warpgroup_sync(uint32_t barrier)
{
    asm volatile("bar.sync %0, 128;" ::"r"(barrier) : "memory");
}

/* Four 8 x 8 matrices of 16-bit elements, held as wgmma holds results: lane l has elements
 * 2 (l % 4) and one on of row l / 4. Column l % 8 of matrix l / 8 goes to the address that lane l
 * gives, as 16 bytes. */
static __device__ __forceinline__ void pci_store_matrices_transposed(uint32_t address,
                                                                     const uint32_t (&pairs)[4])
{
    asm volatile(
        "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(address),
        "r"(pairs[0]), "r"(pairs[1]), "r"(pairs[2]), "r"(pairs[3])
        : "memory");
}

static __device__ __forceinline__ uint4 pci_load_shared(uint32_t address)
{
    uint4 v;
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "r"(address)
                 : "memory");
    return v;
}

static __device__ __forceinline__ void pci_store_shared(uint32_t address, const uint32_t (&w)[4])
{
    asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(address), "r"(w[0]), "r"(w[1]),
                 "r"(w[2]), "r"(w[3])
                 : "memory");
}

/* What the thread stored to shared memory before is seen by products that begin after it arrived somewhere. */
static __device__ __forceinline__ void pci_async_fence()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/* For all warps of a warpgroup: from now on a thread has N registers. */
template <int N> static __device__ __forceinline__ void pci_registers_give()
{
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(N));
}

template <int N> static __device__ __forceinline__ void pci_registers_take()
{
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(N));
}

#endif

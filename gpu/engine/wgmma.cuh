/* Warpgroup matrix products of int8 (PTX ISA, "wgmma"): sm_90a only.
 *
 * 128 threads multiply 64 rows of a left operand by 128 or 256 rows of a right one, both in shared
 * memory with k along memory, and add to accumulators in registers. The instructions are
 * asynchronous: between fence and wait the accumulators belong to the tensor cores. */
#ifndef PCI_GPU_WGMMA_CUH
#define PCI_GPU_WGMMA_CUH

#include <stdint.h>

/* ---- Operands ------------------------------------------------------------------------------- */

/* Describes rows of 128 bytes, swizzled over 128 bytes, at an address of shared memory that is a
 * multiple of 1024. Offsets count 16 bytes: eight rows are 64, a k step of 32 bytes is 2. */
static __device__ __forceinline__ uint64_t pci_wgmma_operand(uint32_t address)
{
    const uint64_t leading_offset = 1; /* unused with this swizzle */
    const uint64_t stride_offset = 64, swizzle_128 = 1;
    return (address & 0x3FFFF) >> 4 | leading_offset << 16 | stride_offset << 32 |
           swizzle_128 << 62;
}

/* ---- Order ---------------------------------------------------------------------------------- */

/* Before the first product: accumulators written by other instructions are in place. */
static __device__ __forceinline__ void pci_wgmma_fence()
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

/* The products since the last commit become one group. */
static __device__ __forceinline__ void pci_wgmma_commit()
{
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

/* Until at most N groups are under way. */
template <int N> static __device__ __forceinline__ void pci_wgmma_wait()
{
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory");
}

/* ---- Products ------------------------------------------------------------------------------- */

/* clang-format off */

/* Operands %T0 .. %T9 of an asm statement, T being the tens. */
#define PCI_8(T)  "%" T "0, %" T "1, %" T "2, %" T "3, %" T "4, %" T "5, %" T "6, %" T "7"
#define PCI_10(T) PCI_8(T) ", %" T "8, %" T "9, "
#define PCI_60    PCI_10("") PCI_10("1") PCI_10("2") PCI_10("3") PCI_10("4") PCI_10("5")
#define PCI_64    PCI_60 "%60, %61, %62, %63"
#define PCI_128   PCI_60 PCI_10("6") PCI_10("7") PCI_10("8") PCI_10("9") PCI_10("10") PCI_10("11") \
                  PCI_8("12")

/* acc[i] and those that follow, as such operands. */
#define PCI_ACC_4(i)  "+r"(acc[i]), "+r"(acc[i + 1]), "+r"(acc[i + 2]), "+r"(acc[i + 3])
#define PCI_ACC_16(i) PCI_ACC_4(i), PCI_ACC_4(i + 4), PCI_ACC_4(i + 8), PCI_ACC_4(i + 12)
#define PCI_ACC_64(i) PCI_ACC_16(i), PCI_ACC_16(i + 16), PCI_ACC_16(i + 32), PCI_ACC_16(i + 48)

/* clang-format on */

/* acc = left right^T + (add ? acc : 0) over 32 bytes of k, 64 rows x COLUMNS; a product of 128
 * columns leaves the second half of acc alone. */
template <int COLUMNS>
static __device__ __forceinline__ void pci_wgmma(int32_t (&acc)[128], uint64_t left, uint64_t right,
                                                 bool add)
{
    static_assert(COLUMNS == 128 || COLUMNS == 256, "as many as acc or half of it");
    if constexpr (COLUMNS == 256)
        asm volatile("{\n.reg .pred add;\nsetp.ne.b32 add, %130, 0;\n"
                     "wgmma.mma_async.sync.aligned.m64n256k32.s32.s8.s8 {" PCI_128
                     "}, %128, %129, add;\n}\n"
                     : PCI_ACC_64(0), PCI_ACC_64(64)
                     : "l"(left), "l"(right), "r"((int32_t)add));
    else
        asm volatile("{\n.reg .pred add;\nsetp.ne.b32 add, %66, 0;\n"
                     "wgmma.mma_async.sync.aligned.m64n128k32.s32.s8.s8 {" PCI_64
                     "}, %64, %65, add;\n}\n"
                     : PCI_ACC_64(0)
                     : "l"(left), "l"(right), "r"((int32_t)add));
}

#undef PCI_8
#undef PCI_10
#undef PCI_60
#undef PCI_64
#undef PCI_128
#undef PCI_ACC_4
#undef PCI_ACC_16
#undef PCI_ACC_64

/* ---- Around it ------------------------------------------------------------------------------ */

/* All threads of a warpgroup. Barriers 1 .. 15; 0 is __syncthreads. */
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

/* ---- Registers ------------------------------------------------------------------------------ */

/* All warps of a warpgroup: from now on N registers a thread. */
template <int N> static __device__ __forceinline__ void pci_registers_give()
{
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(N));
}

template <int N> static __device__ __forceinline__ void pci_registers_take()
{
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(N));
}

#endif

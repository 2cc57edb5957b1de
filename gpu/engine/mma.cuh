/* The instructions of the mma.sync kernel, by name (PTX ISA, sections ldmatrix, mma, cp.async). */
#ifndef PCI_GPU_MMA_CUH
#define PCI_GPU_MMA_CUH

#include "gpu/engine/shared.cuh"

/* 16 bytes from global to shared memory, in the background; both are aligned to 16. */
__device__ __forceinline__ void pci_copy_16(uint32_t to, const int8_t *from)
{
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(to), "l"(from)
                 : "memory");
}

/* The thread's copies since the last commit are a group, even if there are none. */
__device__ __forceinline__ void pci_copy_commit()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

/* Until all but the thread's N latest groups have arrived. */
template <int N> __device__ __forceinline__ void pci_copy_wait()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
}

/* Four matrices of 8 rows of 16 bytes. Lane l says where row l % 8 of matrix l / 8 lies, and gets
 * word l % 4 of row l / 4 of each. */
__device__ __forceinline__ void pci_load_matrices(uint32_t (&words)[4], uint32_t row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
                 : "r"(row)
                 : "memory");
}

/* 16 x 8 results += 16 x 32 bytes times 32 x 8. Lane l has of the results columns 2 (l % 4) and
 * the next, in rows l / 4 (upper) and l / 4 + 8 (lower); of left, words l % 4 of rows l / 4 and
 * l / 4 + 8, then word 4 + l % 4 of both; of right, words l % 4 and 4 + l % 4 of column l / 4. */
__device__ __forceinline__ void pci_multiply_add(int32_t &upper0, int32_t &upper1, int32_t &lower0,
                                                 int32_t &lower1, const uint32_t (&left)[4],
                                                 uint32_t right0, uint32_t right1)
{
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+r"(upper0), "+r"(upper1), "+r"(lower0), "+r"(lower1)
                 : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right0),
                   "r"(right1));
}

#endif

/* How a warpgroup stores what wgmma computed: 64 rows of results, reduced, upright or transposed or both. */
#ifndef PCI_GPU_WGMMA_STORE_CUH
#define PCI_GPU_WGMMA_STORE_CUH

#include "gpu/engine/ptx.cuh"
#include "gpu/engine/store.cuh"
#include "gpu/engine/wgmma_frame.cuh"

namespace
{

/* ---- Which results a thread has -------------------------------------------------------------- */

/* wgmma gives lane 4 i + c of warp w the rows 16 w + i + 8 h and columns 8 J + 2 c + e, h and e 0
 * or 1: scattered pairs of results. But the rows of an operand can lie in the stage in any order.
 * wgmma_frame.cuh orders them so that these are rows 16 w + 2 i + h of the left operand, and columns 64 g
 * + 16 c + 2 j + e with J = 8 g + j. So a thread has two adjacent rows, and in each group g of 64
 * columns 16 adjacent bytes. */
enum { GROUP = 64, RUN = 16 };

__device__ __forceinline__ uint32_t warp_of_group()
{
    return threadIdx.x % WARPGROUP / 32;
}

__device__ __forceinline__ uint32_t own_row() /* of the warpgroup's 64: the upper one */
{
    return warp_of_group() * 16 + threadIdx.x % 32 / 4 * 2;
}

__device__ __forceinline__ uint32_t own_column() /* of a group's 64: the first one */
{
    return threadIdx.x % 4 * RUN;
}

/* The index of the accumulator of row own_row() + h, column GROUP g + own_column() + x. */
__device__ __forceinline__ constexpr int own_index(int g, int h, int x)
{
    return 32 * g + 4 * (x / 2) + 2 * h + x % 2;
}

/* ---- Storing --------------------------------------------------------------------------------- */

/* 64 rows of results that a warpgroup stores. */
struct part {
    uint32_t row, column; /* of the matrix, the first ones */
    uint32_t n_groups;    /* of 64 columns */
    uint32_t barrier;     /* of the warpgroup */
    uint32_t transposed;  /* the address of PART_ROWS bytes of shared memory for each column */
    bool upright, mirror; /* stored as they are; and, or, transposed */
};

/* The 16 residues of the thread in group g and row h, as they are stored. */
template <int N>
__device__ __forceinline__ void reduce_run(const int32_t (&acc)[N], int g, int h,
                                           const pci_reduction &reduction, uint32_t (&word)[4])
{
#pragma unroll
    for (int q = 0; q < 4; q++)
        word[q] = pci_reduce4(acc[own_index(g, h, 4 * q)], acc[own_index(g, h, 4 * q + 1)],
                              acc[own_index(g, h, 4 * q + 2)], acc[own_index(g, h, 4 * q + 3)],
                              reduction);
}

/* The mirror in shared memory has a line of 64 bytes for each column of the part; byte r of it is
 * row r of the part. Its four chunks of 16, one from each warp, are swizzled by c, so that the
 * lines that one stmatrix writes, 16 c + constant, are in different banks. */
__device__ __forceinline__ uint32_t mirror_place(uint32_t line, uint32_t chunk)
{
    return line * PART_ROWS + 16 * (chunk ^ (line / RUN & 3));
}

/* Writes group g to the mirror. The results of rows h = 0 and 1 of one column are one 16-bit
 * element, and the elements of eight lanes are a chunk. stmatrix transposes 8 x 8 elements, here of
 * columns 16 c + 2 j + e for one j; four j at a time. */
__device__ __forceinline__ void mirror_group(uint32_t mirror, int g, const uint32_t (&upper)[4],
                                             const uint32_t (&lower)[4])
{
    /* Lane l gives the address of line l % 8 of matrix l / 8. */
    const uint32_t lane = threadIdx.x % 32, c = lane % 8 / 2, e = lane % 2;
#pragma unroll
    for (int q = 0; q < 4; q += 2) {
        const uint32_t j = 2 * q + lane / 8;
        const uint32_t line = GROUP * g + RUN * c + 2 * j + e;
        const uint32_t elements[4] = {__byte_perm(upper[q], lower[q], 0x5140),
                                      __byte_perm(upper[q], lower[q], 0x7362),
                                      __byte_perm(upper[q + 1], lower[q + 1], 0x5140),
                                      __byte_perm(upper[q + 1], lower[q + 1], 0x7362)};
        pci_store_matrices_transposed(mirror + mirror_place(line, warp_of_group()), elements);
    }
}

/* Copies the mirror to the plane, four threads a line. */
__device__ __forceinline__ void store_mirror(const part &part, int8_t *plane, size_t pitch)
{
    const uint32_t thread = threadIdx.x % WARPGROUP, chunk = thread % 4;
    int8_t *to = plane + part.column * pitch + part.row + 16 * chunk;
#pragma unroll 4
    for (uint32_t line = thread / 4; line < part.n_groups * GROUP; line += WARPGROUP / 4)
        *(uint4 *)(to + line * pitch) =
            pci_load_shared(part.transposed + mirror_place(line, chunk));
}

/* Stores the residues of the part for one output, and their mirror image. */
template <int N>
__device__ __forceinline__ void store_residues(const pci_product &product,
                                               const pci_product_output &output, const part &part,
                                               const int32_t (&acc)[N])
{
    const pci_reduction reduction = output.reduction;
    const size_t pitch = product.layout.n_padded;
    int8_t *plane = output.plane;
    int8_t *to = plane + (part.row + own_row()) * pitch + part.column + own_column();

    if (part.mirror)
        pci_warpgroup_sync(part.barrier); /* the mirror of the last output has been read */
#pragma unroll
    for (int g = 0; g < N / 32; g++) {
        if (g >= part.n_groups)
            break;
        uint32_t upper[4], lower[4];
        reduce_run(acc, g, 0, reduction, upper);
        reduce_run(acc, g, 1, reduction, lower);
        if (part.upright) {
            pci_store_words(to + GROUP * g, upper);
            pci_store_words(to + pitch + GROUP * g, lower);
        }
        if (part.mirror)
            mirror_group(part.transposed, g, upper, lower);
    }
    if (part.mirror) {
        pci_warpgroup_sync(part.barrier);
        store_mirror(part, plane, pitch);
    }
}

/* Stores the accumulators themselves. This is rare, so sectors may be written in parts. */
template <int N>
__device__ __forceinline__ void store_raw(const pci_product &product, uint32_t job,
                                          const part &part, const int32_t (&acc)[N])
{
    const size_t pitch = product.layout.n_padded;
    const uint32_t row = part.row + own_row(), column = part.column + own_column();
    int32_t *raw = pci_raw(product, job);
#pragma unroll
    for (int g = 0; g < N / 32; g++) {
        if (g >= part.n_groups)
            break;
#pragma unroll
        for (int x = 0; x < RUN; x += 4) {
#pragma unroll
            for (int h = 0; part.upright && h < 2; h++)
                *(int4 *)(raw + (row + h) * pitch + column + GROUP * g + x) =
                    make_int4(acc[own_index(g, h, x)], acc[own_index(g, h, x + 1)],
                              acc[own_index(g, h, x + 2)], acc[own_index(g, h, x + 3)]);
        }
        if (!part.mirror)
            continue;
#pragma unroll
        for (int x = 0; x < RUN; x++)
            *(int2 *)(raw + (column + GROUP * g + x) * pitch + row) =
                make_int2(acc[own_index(g, 0, x)], acc[own_index(g, 1, x)]);
    }
}

/* Stores the results of the job as they are wanted: themselves, or the residues of each output. */
template <bool RAW, int N>
__device__ __forceinline__ void store_part(const pci_product &product, uint32_t job,
                                           const part &part, const int32_t (&acc)[N])
{
    if constexpr (RAW) {
        store_raw(product, job, part, acc);
    } else {
        const pci_product_job &of = product.job[job];
#pragma unroll 1
        for (uint32_t o = 0; o < of.n_outputs; o++)
            store_residues(product, product.output[of.first_output + o], part, acc);
    }
}

} // namespace

#endif

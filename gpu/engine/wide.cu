/* int32 accumulators that a product left in memory, to residues. */
#include "gpu/engine/pack.cuh"

static __device__ __forceinline__ int4 load_sums(const int32_t *raw, size_t at)
{
    return *(const int4 *)(raw + at);
}

typedef struct digit_planes {
    int8_t *digit[3];
} digit_planes;

static digit_planes planes_at(int8_t *const digit[3], size_t n_digits, size_t offset)
{
    digit_planes planes = {};
    for (size_t d = 0; d < n_digits; d++)
        planes.digit[d] = digit[d] + offset;
    return planes;
}

/* Columns 0 .. n_columns - 1 of rows of pitch entries; the others were not multiplied. */
static __global__ __launch_bounds__(PCI_BLOCK_THREADS) void combine(const int32_t *raw,
                                                                    size_t n_rows, size_t pitch,
                                                                    uint32_t n_columns,
                                                                    pci_wide_modulus modulus,
                                                                    digit_planes out)
{
    const size_t row_items = n_columns / PCI_ENTRIES, n_entries = n_rows * pitch;
    for (size_t item = pci_thread_index(); item < n_rows * row_items;
         item += pci_n_threads_of_grid()) {
        size_t at = item / row_items * pitch + PCI_ENTRIES * (item % row_items);
        int4 hh = load_sums(raw, at), ll = load_sums(raw + n_entries, at),
             ss = load_sums(raw + 2 * n_entries, at);
        int32_t residue[PCI_ENTRIES] = {
            pci_reduce_wide(pci_join_products(hh.x, ll.x, ss.x), modulus),
            pci_reduce_wide(pci_join_products(hh.y, ll.y, ss.y), modulus),
            pci_reduce_wide(pci_join_products(hh.z, ll.z, ss.z), modulus),
            pci_reduce_wide(pci_join_products(hh.w, ll.w, ss.w), modulus),
        };
        pci_store_wide4(out.digit, at, residue);
    }
}

extern "C" cudaError_t pci_gpu_combine_wide(const pci_gpu_layout *layout, const int32_t *raw,
                                            uint64_t first_row, uint64_t n_rows, uint32_t n_columns,
                                            uint32_t m, int8_t *const digit[3], cudaStream_t stream)
{
    unsigned n_blocks = pci_blocks_for(n_rows * n_columns / PCI_ENTRIES, PCI_BLOCK_THREADS);
    combine<<<n_blocks, PCI_BLOCK_THREADS, 0, stream>>>(
        raw, n_rows, layout->n_padded, n_columns, pci_wide_modulus_of(m),
        planes_at(digit, 3, first_row * layout->n_padded));
    return cudaGetLastError();
}

static __global__ __launch_bounds__(PCI_BLOCK_THREADS) void reduce_narrow(const int32_t *raw,
                                                                          size_t n_entries,
                                                                          pci_reduction reduction,
                                                                          int8_t *out)
{
    for (size_t at = PCI_ENTRIES * pci_thread_index(); at < n_entries;
         at += PCI_ENTRIES * pci_n_threads_of_grid()) {
        int4 sum = load_sums(raw, at);
        *(uint32_t *)(out + at) = pci_reduce4(sum.x, sum.y, sum.z, sum.w, reduction);
    }
}

static __global__ __launch_bounds__(PCI_BLOCK_THREADS) void reduce_wide(const int32_t *raw,
                                                                        size_t n_entries,
                                                                        pci_wide_modulus modulus,
                                                                        digit_planes out)
{
    for (size_t at = PCI_ENTRIES * pci_thread_index(); at < n_entries;
         at += PCI_ENTRIES * pci_n_threads_of_grid()) {
        int4 sum = load_sums(raw, at);
        int32_t residue[PCI_ENTRIES] = {
            pci_reduce_wide(sum.x, modulus), pci_reduce_wide(sum.y, modulus),
            pci_reduce_wide(sum.z, modulus), pci_reduce_wide(sum.w, modulus)};
        pci_store_wide4(out.digit, at, residue);
    }
}

extern "C" cudaError_t pci_gpu_reduce_raw(const pci_gpu_layout *layout, const int32_t *raw,
                                          uint64_t first_row, uint64_t n_rows,
                                          pci_gpu_modulus modulus, int8_t *const digit[3],
                                          cudaStream_t stream)
{
    size_t n_entries = n_rows * layout->n_padded, first = first_row * layout->n_padded;
    unsigned n_blocks = pci_blocks_for(n_entries / PCI_ENTRIES, PCI_BLOCK_THREADS);
    if (modulus.wide)
        reduce_wide<<<n_blocks, PCI_BLOCK_THREADS, 0, stream>>>(
            raw, n_entries, pci_wide_modulus_of(modulus.m), planes_at(digit, 3, first));
    else
        reduce_narrow<<<n_blocks, PCI_BLOCK_THREADS, 0, stream>>>(raw, n_entries, modulus.reduction,
                                                                  digit[0] + first);
    return cudaGetLastError();
}

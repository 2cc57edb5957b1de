/* Sums over all moduli of a base as products of matrices, by mma.sync int8: gpu/engine/collect_mma.cu makes integers
 * of residues, gpu/engine/extend_mma.cu makes further residues.
 *
 * The right operand has a line for each digit of a residue, at most PCI_MOST_LINES, and a column for each entry: a
 * narrow residue is one digit, a wide one 128 h + l has two. The left operand has what the lines are multiplied with;
 * that of h is 128 times that of l. A block keeps left operands in shared memory, in the words that each lane of a
 * warp takes. A warp makes 32 entries: it loads their digits once.
 *
 * The quotients q come of the same products: bytes of the fractions are their left operand. */
#ifndef PCI_GPU_RESIDUE_MMA_CUH
#define PCI_GPU_RESIDUE_MMA_CUH

#include "gpu/engine/pack.cuh"
#include "gpu/engine/ptx.cuh"

enum {
    PCI_WARP_THREADS = 32,
    PCI_LINE_WARPS = 8, /* of a block */
    PCI_LINE_THREADS = PCI_LINE_WARPS * PCI_WARP_THREADS,
    PCI_WARP_ENTRIES = 32, /* of a warp at a time */
    PCI_STEP_LINES = 32,   /* that an instruction multiplies: a step */
    PCI_MOST_STEPS = PCI_MOST_LINES / PCI_STEP_LINES,
    PCI_GROUP_DIGITS = 8, /* of 32 bits, whose 32 bytes are the rows of two tiles */
    PCI_TILES = 2,
    PCI_SUM_PITCH = PCI_WARP_ENTRIES + 1 /* so that lanes use different banks */
};

/* The residues of a base. */
typedef struct pci_lines {
    pci_base_planes base;
    uint32_t n;               /* of lines */
    const uint32_t *fraction; /* [base.r] */
} pci_lines;

static inline pci_lines pci_lines_of(const pci_gpu_crt *crt, pci_gpu_residues residues)
{
    pci_lines lines = {};
    lines.base = pci_base_planes_of(crt->r, residues);
    lines.n = pci_n_lines(crt->r);
    lines.fraction = crt->fraction;
    return lines;
}

/* The modulus of a line, and whether it is the high digit of a wide one. */
static __device__ __forceinline__ uint32_t pci_modulus_of_line(uint32_t line, bool *is_high)
{
    uint32_t beyond = line - PCI_FIRST_WIDE;
    *is_high = line >= PCI_FIRST_WIDE && beyond % 2 == 0;
    return line < PCI_FIRST_WIDE ? line : PCI_FIRST_WIDE + beyond / 2;
}

/* The first of the four lines whose bytes are word w of a lane's left operand. */
static __device__ __forceinline__ uint32_t pci_first_line(uint32_t step, uint32_t lane, uint32_t w)
{
    return PCI_STEP_LINES * step + 16 * (w / 2) + 4 * (lane % 4);
}

/* Words of the left operands of all lanes: word(tile, step, lane, w) of each tile and step, tile after tile. */
template <class WORD>
static __device__ __forceinline__ void pci_fill_left(uint32_t n_tiles, uint32_t n_steps,
                                                     uint4 *left, const WORD &word)
{
    uint32_t *to = (uint32_t *)left;
    for (uint32_t k = threadIdx.x; k < n_tiles * n_steps * PCI_WARP_THREADS * 4; k += blockDim.x) {
        uint32_t at = k / 4 / PCI_WARP_THREADS;
        to[k] = word(at / n_steps, at % n_steps, k / 4 % PCI_WARP_THREADS, k % 4);
    }
}

/* The same of digits of 32 bits, eight to a pair of tiles: row lane / 4 of the first tile is byte 0 of a digit, row
 * lane / 4 + 8 is byte 1; those of the second tile are bytes 2 and 3. digit(line, d) is digit d of what a line is
 * multiplied with; lines beyond the last one are multiplied with 0. */
template <class DIGIT>
static __device__ __forceinline__ void pci_fill_digits(uint32_t n_groups, uint32_t n_steps,
                                                       uint32_t n_lines, uint4 *left,
                                                       const DIGIT &digit)
{
    pci_fill_left(PCI_TILES * n_groups, n_steps, left,
                  [&](uint32_t tile, uint32_t step, uint32_t lane, uint32_t w) {
                      uint32_t d = PCI_GROUP_DIGITS * (tile / PCI_TILES) + lane / 4, word = 0;
                      uint32_t byte = 2 * (tile % PCI_TILES) + w % 2;
                      uint32_t line = pci_first_line(step, lane, w);
                      for (uint32_t b = 0; b < 4 && line + b < n_lines; b++)
                          word |= (digit(line + b, d) >> 8 * byte & 255) << 8 * b;
                      return word;
                  });
}

/* The fractions, a group of which two digits are used. */
static __device__ __forceinline__ void pci_fill_fractions(const pci_lines &lines, uint32_t n_steps,
                                                          uint4 *left)
{
    pci_fill_digits(1, n_steps, lines.n, left, [&](uint32_t line, uint32_t d) {
        bool is_high;
        uint64_t fraction = lines.fraction[pci_modulus_of_line(line, &is_high)];
        return d < 2 ? (uint32_t)((is_high ? fraction << 7 : fraction) >> 32 * d) : 0;
    });
}

/* plane[n_steps * PCI_STEP_LINES]: lines beyond the last one have any plane. */
static __device__ __forceinline__ void pci_fill_planes(const pci_lines &lines, uint32_t n_steps,
                                                       const int8_t **plane)
{
    for (uint32_t k = threadIdx.x; k < n_steps * PCI_STEP_LINES; k += blockDim.x) {
        bool is_high;
        uint32_t line = k < lines.n ? k : 0, i = pci_modulus_of_line(line, &is_high);
        bool is_low = line >= PCI_FIRST_WIDE && !is_high;
        plane[k] = lines.base.any ? lines.base.any[3 * (size_t)i + is_low] : lines.base.narrow[i];
    }
}

/* ---- Shared memory of a block ---------------------------------------------------------------- */

/* Left operands, the plane of each line, and sums of the warp that asks. */
typedef struct pci_line_tables {
    uint4 *fractions, *weights;
    const int8_t **plane;
    int64_t *sum; /* [PCI_GROUP_DIGITS][PCI_SUM_PITCH] */
} pci_line_tables;

/* Of a left operand of so many tiles. */
static inline __host__ __device__ size_t pci_left_words(uint32_t n_tiles, uint32_t n_steps)
{
    return (size_t)n_tiles * n_steps * PCI_WARP_THREADS;
}

/* n_tiles are those of the weights. */
static inline size_t pci_line_tables_bytes(uint32_t n_tiles, uint32_t n_steps)
{
    return pci_left_words(PCI_TILES + n_tiles, n_steps) * sizeof(uint4) +
           n_steps * PCI_STEP_LINES * sizeof(int8_t *) +
           PCI_LINE_WARPS * PCI_GROUP_DIGITS * PCI_SUM_PITCH * sizeof(int64_t);
}

/* Fills fractions and planes; the caller fills the weights and then lets the block meet. */
static __device__ __forceinline__ pci_line_tables pci_begin_lines(const pci_lines &lines,
                                                                  uint32_t n_tiles,
                                                                  uint32_t n_steps)
{
    extern __shared__ uint4 memory[];
    uint32_t warp = threadIdx.x / PCI_WARP_THREADS;
    pci_line_tables tables;
    tables.fractions = memory;
    tables.weights = memory + pci_left_words(PCI_TILES, n_steps);
    tables.plane = (const int8_t **)(tables.weights + pci_left_words(n_tiles, n_steps));
    tables.sum = (int64_t *)(tables.plane + n_steps * PCI_STEP_LINES) +
                 warp * PCI_GROUP_DIGITS * PCI_SUM_PITCH;
    pci_fill_fractions(lines, n_steps, tables.fractions);
    pci_fill_planes(lines, n_steps, tables.plane);
    return tables;
}

/* ---- Entries --------------------------------------------------------------------------------- */

/* The right operands of a lane: digits of the residues of entries 4 (lane / 4) + j, for j = 0 .. 3, whose column in
 * product j is lane / 4. */
template <int STEPS> struct pci_line_words {
    uint32_t word[STEPS][2][PCI_ENTRIES];
};

template <int STEPS>
static __device__ __forceinline__ void pci_load_lines(const int8_t *const *plane, size_t at,
                                                      pci_line_words<STEPS> &x)
{
    uint32_t lane = threadIdx.x % PCI_WARP_THREADS;
    at += lane / 4 * PCI_ENTRIES;
#pragma unroll
    for (int s = 0; s < STEPS; s++)
#pragma unroll
        for (int half = 0; half < 2; half++) {
            const int8_t *const *from = plane + pci_first_line(s, lane, 2 * half);
#pragma unroll
            for (int k = 0; k < PCI_ENTRIES; k++)
                x.word[s][half][k] = pci_load_word(from[k] + at);
            pci_transpose4(x.word[s][half]);
        }
}

/* Signed sums of the eight digits of a group, each of four sums of bytes below 256 * 255 * 128: sum[digit][entry]
 * of the warp. */
template <int STEPS>
static __device__ __forceinline__ void pci_sum_digits(const uint4 *left,
                                                      const pci_line_words<STEPS> &x, int64_t *sum)
{
    uint32_t lane = threadIdx.x % PCI_WARP_THREADS;
    int32_t total[PCI_TILES][PCI_ENTRIES][4] = {};
#pragma unroll
    for (int t = 0; t < PCI_TILES; t++)
#pragma unroll
        for (int s = 0; s < STEPS; s++) {
            uint4 words = left[(t * STEPS + s) * PCI_WARP_THREADS + lane];
#pragma unroll
            for (int j = 0; j < PCI_ENTRIES; j++)
                pci_multiply_add_unsigned(total[t][j], words, x.word[s][0][j], x.word[s][1][j]);
        }
#pragma unroll
    for (int j = 0; j < PCI_ENTRIES; j++)
#pragma unroll
        for (int c = 0; c < 2; c++) {
            uint32_t entry = PCI_ENTRIES * (2 * (lane % 4) + c) + j;
            int64_t low = total[0][j][c] + ((int64_t)total[0][j][2 + c] << 8);
            int64_t high = total[1][j][c] + ((int64_t)total[1][j][2 + c] << 8);
            sum[lane / 4 * PCI_SUM_PITCH + entry] = low + (high << 16);
        }
    __syncwarp();
}

/* q of the entry of a lane. */
template <int STEPS>
static __device__ __forceinline__ int32_t pci_find_quotient(const uint4 *fractions,
                                                            const pci_line_words<STEPS> &x,
                                                            int64_t *sum)
{
    uint32_t lane = threadIdx.x % PCI_WARP_THREADS;
    pci_sum_digits<STEPS>(fractions, x, sum);
    int32_t q = pci_whole_part(sum[lane] + (sum[PCI_SUM_PITCH + lane] << 32));
    __syncwarp();
    return q;
}

/* ---- Launches -------------------------------------------------------------------------------- */

/* Launches kernel(arguments) with so much shared memory, in blocks that all run at the same time: each fills its
 * tables once. A warp makes an item at a time. */
static inline cudaError_t pci_launch_lines(const void *kernel, size_t shared_bytes, size_t n_items,
                                           void **arguments, cudaStream_t stream)
{
    int device = 0, n_sms = 0, n_resident = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&n_sms, cudaDevAttrMultiProcessorCount, device);
    if (error == cudaSuccess)
        error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     (int)shared_bytes);
    if (error == cudaSuccess)
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n_resident, kernel, PCI_LINE_THREADS,
                                                              shared_bytes);
    size_t n_blocks = (n_items + PCI_LINE_WARPS - 1) / PCI_LINE_WARPS;
    size_t most = (size_t)n_sms * (size_t)n_resident;
    if (error != cudaSuccess || n_blocks == 0)
        return error;
    return cudaLaunchKernel(kernel, dim3((unsigned)(n_blocks < most ? n_blocks : most)),
                            dim3(PCI_LINE_THREADS), arguments, shared_bytes, stream);
}

#endif

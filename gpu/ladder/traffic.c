/* The accesses of each kernel, and the rule of segments that is applied to them. */
#include "gpu/ladder/model.h"

#include <stddef.h>
#include <string.h>

enum {
    HALF_WARP = 16,
    SEGMENT_BYTES = 128,
    SMALLEST_BYTES = 32, /* of a transaction */
    MAX_THREADS = 512,   /* of a block on compute capability 1.3 */
    LINE_BYTES = 1 << 16 /* any multiple of a segment beyond what a block touches of a line */
};

/* Lines are rows; of sgemm, whose matrices are column-major, columns. Thread (x, y), number t = x +
 * y * block_x of its block, reads or writes `bytes` of line
 *     line_y * y,    from element    along_x * x + along_t * t    on.
 * k is 0 here: it moves all threads of a half warp by the same number of lines, or of elements
 * within a segment. */
typedef struct access {
    uint8_t bytes;
    uint8_t line_y, along_x, along_t;
    double times_n, times; /* a thread does it times_n n + times times */
} access;

typedef struct kernel_accesses {
    const char *name;
    uint32_t block_x, block_y; /* the only block it is made for; 0: any */
    uint32_t elements;         /* of C, that a thread computes */
    access access[3];          /* of A, B, C */
} kernel_accesses;

static const kernel_accesses kernels[] = {
    /* Figure 1.12: a[i][k], b[k][j] for each k; c[i][j] */
    {"GPU1", 0, 0, 1, {{4, 1, 0, 0, 1, 0}, {4, 0, 1, 0, 1, 0}, {4, 1, 1, 0, 0, 1}}},
    /* Figure 1.18: float4 of a for four k at once, float2 of b for each, float2 of c */
    {"GPU2", 0, 0, 2, {{16, 1, 0, 0, 1. / 4, 0}, {8, 0, 2, 0, 1, 0}, {8, 1, 2, 0, 0, 1}}},
    /* Figure 1.21: the same with float4 of b and c */
    {"GPU3", 0, 0, 4, {{16, 1, 0, 0, 1. / 4, 0}, {16, 0, 4, 0, 1, 0}, {16, 1, 4, 0, 0, 1}}},
    /* Figures 1.24, 1.27: an element of a tile of a and of b for 16 k at once */
    {"GPU4", 16, 16, 1, {{4, 1, 1, 0, 1. / 16, 0}, {4, 1, 1, 0, 1. / 16, 0}, {4, 1, 1, 0, 0, 1}}},
    {"GPU5", 16, 16, 1, {{4, 1, 1, 0, 1. / 16, 0}, {4, 1, 1, 0, 1. / 16, 0}, {4, 1, 1, 0, 0, 1}}},
    /* Figures 1.30 to 1.32: two float2 of a for 32 k at once, b[k][t] for each, 16 c[i][t] */
    {"GPU6", 16, 8, 16, {{8, 1, 2, 0, 2. / 32, 0}, {4, 0, 0, 1, 1, 0}, {4, 0, 0, 1, 0, 16}}},
    {"GPU7", 16, 8, 16, {{8, 1, 2, 0, 2. / 32, 0}, {4, 0, 0, 1, 1, 0}, {4, 0, 0, 1, 0, 16}}},
    /* Figures 1.34, 1.35: two float4 of a for 64 k at once */
    {"GPU8", 16, 8, 16, {{16, 1, 4, 0, 2. / 64, 0}, {4, 0, 0, 1, 1, 0}, {4, 0, 0, 1, 0, 16}}},
    /* Section 1.8, which has no code: the strategy of GPU7 by columns. 64 threads, each a row of
     * 64 x 16 of C: a[t][k] for each k, and of b a tile of 16 x 16 for 16 k, four elements each. */
    {"sgemm", 16, 4, 16, {{4, 0, 0, 1, 1, 0}, {4, 1, 1, 0, 4. / 16, 0}, {4, 0, 0, 1, 0, 16}}},
};

/* ---- The rule -------------------------------------------------------------------------------- */

/* Transactions of 32, 64 and 128 bytes. */
typedef struct served {
    double n[3];
    double used_parts; /* the used fraction of the bytes moved, added over transactions */
} served;

/* One transaction: the smallest aligned part of the segment that holds all the bytes asked for. */
static void move(const bool *asked, served *sum)
{
    int first = SEGMENT_BYTES, last = 0, n_asked = 0;
    for (int b = 0; b < SEGMENT_BYTES; b++)
        if (asked[b]) {
            first = b < first ? b : first;
            last = b;
            n_asked++;
        }
    int size = 0, bytes = SMALLEST_BYTES;
    for (; first / bytes != last / bytes; bytes *= 2)
        size++;
    sum->n[size]++;
    sum->used_parts += (double)n_asked / bytes;
}

/* Half a warp accesses `bytes` from each address on: one transaction for each segment. */
static void serve(const uint64_t address[HALF_WARP], uint32_t bytes, served *sum)
{
    for (int t = 0; t < HALF_WARP; t++) {
        uint64_t segment = address[t] / SEGMENT_BYTES;
        bool asked[SEGMENT_BYTES] = {false}, is_served = false;
        for (int other = 0; other < HALF_WARP; other++) {
            uint64_t end = address[other] + bytes;
            is_served |= other < t && address[other] / SEGMENT_BYTES == segment;
            if (address[other] / SEGMENT_BYTES == segment)
                for (uint64_t b = address[other]; b < end; b++)
                    asked[b % SEGMENT_BYTES] = true;
        }
        if (!is_served)
            move(asked, sum);
    }
}

/* An access by all half warps of a block. */
static served serve_block(const access *a, uint32_t block_x, uint32_t block_y)
{
    served sum = {{0}, 0};
    uint64_t address[HALF_WARP];
    for (uint32_t t = 0; t < block_x * block_y; t++) {
        uint64_t x = t % block_x, y = t / block_x;
        address[t % HALF_WARP] = a->line_y * y * LINE_BYTES +
                                 (a->along_x * x + a->along_t * t) * (uint64_t)sizeof(float);
        if (t % HALF_WARP == HALF_WARP - 1)
            serve(address, a->bytes, &sum);
    }
    return sum;
}

/* ---- Kernels --------------------------------------------------------------------------------- */

static bool is_power_of_two(uint32_t x)
{
    return x && !(x & (x - 1));
}

/* Blocks of whole half warps, and powers of two, so that tiles meet segments everywhere as they
 * do in the first block. */
static bool block_is_fit(const kernel_accesses *kernel, uint32_t block_x, uint32_t block_y)
{
    if (kernel->block_x)
        return block_x == kernel->block_x && block_y == kernel->block_y;
    return is_power_of_two(block_x) && is_power_of_two(block_y) && block_x <= MAX_THREADS &&
           block_y <= MAX_THREADS && block_x * block_y >= HALF_WARP &&
           block_x * block_y <= MAX_THREADS;
}

static void add(double n, double times_n, double times, pci_polynomial *sum)
{
    sum->cubed += n * times_n;
    sum->squared += n * times;
}

bool pci_traffic_of(const char *kernel, uint32_t block_x, uint32_t block_y, pci_traffic *traffic)
{
    const kernel_accesses *found = NULL;
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (strcmp(kernels[i].name, kernel) == 0)
            found = &kernels[i];
    if (!found || !block_is_fit(found, block_x, block_y))
        return false;
    pci_traffic made = {0};
    double n_blocks = 1. / (found->elements * block_x * block_y); /* times n^2 */
    for (int i = 0; i < 3; i++) {
        const access *a = &found->access[i];
        served of_block = serve_block(a, block_x, block_y);
        double times_n = n_blocks * a->times_n, times = n_blocks * a->times;
        for (int s = 0; s < 3; s++) {
            add(of_block.n[s], times_n, times, &made.transactions);
            add(of_block.n[s], times_n, times, &made.by_size[s]);
            add(of_block.n[s] * (SMALLEST_BYTES << s), times_n, times, &made.volume);
        }
        made.average_utilization += times_n * of_block.used_parts;
    }
    made.average_utilization /= made.transactions.cubed;
    *traffic = made;
    return true;
}

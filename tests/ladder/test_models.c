/* Occupancy and device-memory traffic as Li, Ranka and Sahni, "GPU Matrix Multiplication", print
 * them: every figure of section 1.4 and 1.7 that these decide, from the page; and the traffic of
 * GPU1 once more by looking at the addresses of all its threads. */
#include "gpu/ladder/model.h"

#include "tests/support/random_graph.h"
#include "tests/support/fixture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Occupancy ------------------------------------------------------------------------------- */

static pci_occupancy occupancy(int major, int minor, uint32_t threads, uint32_t registers,
                               uint32_t shared_bytes)
{
    const pci_gpu_limits *limits = pci_gpu_limits_of(major, minor);
    CU_ASSERT_PTR_NOT_NULL_FATAL(limits);
    return pci_occupancy_of(limits, threads, registers, shared_bytes);
}

static double c1060(uint32_t threads, uint32_t registers, uint32_t shared_bytes)
{
    return occupancy(1, 3, threads, registers, shared_bytes).occupancy;
}

TEST("worked example of occupancy")
{
    pci_occupancy large = occupancy(1, 3, 128, 20, 3000), small = occupancy(1, 3, 128, 20, 1000);
    CU_ASSERT_EQUAL(large.warps_per_block, 4);
    CU_ASSERT_EQUAL(large.blocks_per_sm, 5);
    CU_ASSERT_EQUAL(large.occupancy, 0.625);
    CU_ASSERT_EQUAL(small.blocks_per_sm, 6);
    CU_ASSERT_EQUAL(small.occupancy, 0.75);
    CU_ASSERT_TRUE(c1060(64, 0, 0) ==
                   0.5); /* two warps each are too few for eight blocks to fill */
}

/* Text of section 1.4: ten warps a block, and what an 8 x 8 block of GPU1 comes to (1.7.1). */
TEST("occupancy in the text")
{
    CU_ASSERT_EQUAL(occupancy(1, 3, 320, 1, 0).blocks_per_sm, 3);
    CU_ASSERT_EQUAL(occupancy(2, 0, 320, 1, 0).blocks_per_sm, 4);
    CU_ASSERT_EQUAL(occupancy(1, 3, 64, 10, 44).occupancy, 0.5);
    CU_ASSERT_EQUAL(occupancy(2, 0, 64, 10, 44).occupancy, 1. / 3);
    /* seven warps of 1.3 take the registers of eight, those of 2.0 their own: 7 * 40 * 32 */
    CU_ASSERT_EQUAL(occupancy(1, 3, 224, 64, 0).blocks_per_sm, 1);
    CU_ASSERT_EQUAL(occupancy(1, 3, 224, 65, 0).blocks_per_sm, 0);
    CU_ASSERT_EQUAL(occupancy(2, 0, 224, 48, 0).blocks_per_sm, 3);
}

TEST("Figure 1.39")
{
    static const struct {
        uint32_t x, y, registers, shared_bytes;
        double occupancy;
    } row[] = {
        {256, 1, 10, 44, 1.00}, {8, 8, 16, 44, 0.50},    {4, 16, 21, 44, 0.50},
        {16, 16, 11, 2092, 1},  {16, 16, 11, 2156, 1},   {16, 8, 38, 2220, 0.38},
        {16, 8, 38, 2220, .38}, {16, 8, 38, 4204, 0.38}, {16, 4, 35, 1160, 0.38},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        double exact = c1060(row[i].x * row[i].y, row[i].registers, row[i].shared_bytes);
        CU_ASSERT_EQUAL(round(exact * 100), round(row[i].occupancy * 100));
    }
}

/* Figures 1.14 and 1.20 list the same blocks (16 x 4 is in the second only), 1.22 others. */
TEST("Figures 1.14, 1.20, 1.22")
{
    static const struct {
        uint32_t x, y;
        double occupancy;
    } of_gpu1[] = {{1, 32, .25}, {1, 64, .5}, {1, 128, 1}, {1, 256, 1},  {1, 512, 1},  {8, 8, .5},
                   {16, 16, 1},  {16, 32, 1}, {32, 2, .5}, {32, 16, 1},  {32, 1, .25}, {64, 1, .5},
                   {128, 1, 1},  {256, 1, 1}, {512, 1, 1}, {16, 4, 0.50}},
      of_gpu3[] = {{1, 32, .25}, {2, 32, .5}, {4, 16, .5}, {8, 8, .5}, {16, 32, .5}, {64, 1, .5}};
    for (size_t i = 0; i < sizeof of_gpu1 / sizeof *of_gpu1; i++) {
        CU_ASSERT_EQUAL(c1060(of_gpu1[i].x * of_gpu1[i].y, 10, 44), of_gpu1[i].occupancy);
        CU_ASSERT_EQUAL(c1060(of_gpu1[i].x * of_gpu1[i].y, 16, 44), of_gpu1[i].occupancy);
    }
    for (size_t i = 0; i < sizeof of_gpu3 / sizeof *of_gpu3; i++)
        CU_ASSERT_EQUAL(c1060(of_gpu3[i].x * of_gpu3[i].y, 21, 44), of_gpu3[i].occupancy);
}

/* What each resource allows, worked out by hand for GPUs of today. */
TEST("GPUs of today")
{
    CU_ASSERT_EQUAL(occupancy(9, 0, 1024, 32, 0).occupancy, 1);
    CU_ASSERT_EQUAL(occupancy(9, 0, 1024, 33, 0).blocks_per_sm, 1); /* 40 registers, 51 warps */
    CU_ASSERT_EQUAL(occupancy(9, 0, 384, 168, 226 * 1024).blocks_per_sm, 1);
    CU_ASSERT_EQUAL(occupancy(9, 0, 256, 254, 96 * 1024).blocks_per_sm, 1);
    CU_ASSERT_EQUAL(occupancy(9, 0, 32, 255, 0).blocks_per_sm, 8); /* two of each part */
    CU_ASSERT_EQUAL(occupancy(9, 0, 32, 16, 0).blocks_per_sm, 32);
    CU_ASSERT_EQUAL(occupancy(8, 6, 32, 16, 0).blocks_per_sm, 16);
    CU_ASSERT_EQUAL(occupancy(8, 9, 32, 16, 0).blocks_per_sm, 24);
    CU_ASSERT_EQUAL(occupancy(12, 0, 1024, 16, 0).occupancy, 2. / 3); /* 48 warps, 32 a block */
    CU_ASSERT_EQUAL(occupancy(7, 5, 1024, 16, 0).occupancy, 1);
    /* each block of 8.0 and later takes 1 KiB of its own */
    CU_ASSERT_EQUAL(occupancy(9, 0, 32, 16, 227 * 1024).blocks_per_sm, 1);
    CU_ASSERT_EQUAL(occupancy(9, 0, 32, 16, 227 * 1024 + 1).blocks_per_sm, 0);
    CU_ASSERT_EQUAL(occupancy(8, 0, 32, 16, 16 * 1024).blocks_per_sm, 9);
    CU_ASSERT_EQUAL(occupancy(7, 0, 32, 16, 16 * 1024).blocks_per_sm, 6);
    CU_ASSERT_EQUAL(occupancy(7, 0, 32, 16, 96 * 1024 + 1).blocks_per_sm, 0);
}

TEST("blocks that cannot run")
{
    static const int known[][2] = {{1, 3}, {2, 0}, {7, 0}, {7, 5},  {8, 0}, {8, 6},
                                   {8, 7}, {8, 9}, {9, 0}, {10, 0}, {12, 0}};
    CU_ASSERT_PTR_NULL(pci_gpu_limits_of(4, 0));
    CU_ASSERT_PTR_NULL(pci_gpu_limits_of(-1, 1000));
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        int major = known[i][0], minor = known[i][1];
        const pci_gpu_limits *limits = pci_gpu_limits_of(major, minor);
        CU_ASSERT_EQUAL(occupancy(major, minor, 32, 16, 44).blocks_per_sm,
                        limits->max_blocks_per_sm);
        uint32_t too_many[][3] = {
            {0, 16, 0},          {limits->max_threads_per_block + 1, 1, 0},
            {UINT32_MAX, 1, 0},  {32, limits->max_registers_per_thread + 1, 0},
            {32, UINT32_MAX, 0}, {32, 16, limits->shared_bytes + 1},
            {32, 16, UINT32_MAX}};
        for (size_t t = 0; t < sizeof too_many / sizeof *too_many; t++) {
            pci_occupancy none =
                occupancy(major, minor, too_many[t][0], too_many[t][1], too_many[t][2]);
            CU_ASSERT_EQUAL(none.blocks_per_sm, 0);
            CU_ASSERT_EQUAL(none.occupancy, 0);
        }
    }
}

/* Whether so many warps find registers, placed one by one, in turn in the four parts of the
 * multiprocessor. */
static bool can_be_placed(const pci_gpu_limits *limits, uint32_t n_warps, uint32_t registers)
{
    uint32_t left[4] = {limits->n_registers / 4, limits->n_registers / 4, limits->n_registers / 4,
                        limits->n_registers / 4};
    for (uint32_t w = 0; w < n_warps; w++) {
        uint32_t taken = 0;
        while (taken < registers * 32)
            taken += 256;
        if (left[w % 4] < taken)
            return false;
        left[w % 4] -= taken;
    }
    return true;
}

TEST("random blocks, placed one by one")
{
    random_source source = {2026};
    for (int i = 0; i < 20000; i++) {
        const pci_gpu_limits *limits = pci_gpu_limits_of(i % 2 ? 9 : 8, i % 2 ? 0 : 6);
        uint32_t threads = 1 + (uint32_t)random_below(&source, 1024);
        uint32_t registers = 1 + (uint32_t)random_below(&source, 255);
        uint32_t shared = (uint32_t)random_below(&source, 40000), warps = (threads + 31) / 32;
        pci_occupancy found = pci_occupancy_of(limits, threads, registers, shared);
        uint32_t blocks = 0; /* one by one, as long as another one fits */
        while (blocks < limits->max_blocks_per_sm &&
               (blocks + 1) * warps <= limits->max_warps_per_sm &&
               can_be_placed(limits, (blocks + 1) * warps, registers) &&
               (blocks + 1) * ((shared + 1024 + 127) / 128 * 128) <= limits->shared_bytes)
            blocks++;
        if (!can_be_placed(limits, (warps + 3) / 4 * 4, registers))
            blocks = 0;
        CU_ASSERT_EQUAL_FATAL(found.blocks_per_sm, blocks);
        CU_ASSERT_EQUAL_FATAL(found.warps_per_block, warps);
    }
}

/* ---- Traffic --------------------------------------------------------------------------------- */

typedef struct printed {
    double cubed, squared;
} printed;

/* A row of a figure: cells as printed. */
typedef struct figure_row {
    const char *kernel;
    uint32_t x, y;
    printed total, by_size[3], volume;
    double percent; /* ABU ... */
    double step;    /* ... rounded to this */
} figure_row;

static bool is_printed(pci_polynomial found, printed expected)
{
    return found.cubed == expected.cubed && found.squared == expected.squared;
}

static void check_row(const figure_row *row)
{
    pci_traffic t;
    CU_ASSERT_TRUE_FATAL(pci_traffic_of(row->kernel, row->x, row->y, &t));
    bool is_right = is_printed(t.transactions, row->total) && is_printed(t.volume, row->volume);
    for (int s = 0; s < 3; s++)
        is_right = is_right && is_printed(t.by_size[s], row->by_size[s]);
    double shown = round(t.average_utilization * 100 / row->step) * row->step;
    is_right = is_right && fabs(shown - row->percent) < 1e-9;
    if (!is_right)
        printf("\n    %s (%u, %u): %g n^3 + %g n^2, %g n^3 + %g n^2 bytes, %g %%\n", row->kernel,
               row->x, row->y, t.transactions.cubed, t.transactions.squared, t.volume.cubed,
               t.volume.squared, 100 * t.average_utilization);
    CU_ASSERT_TRUE(is_right);
}

/* The cells of a kind of block, for every such block of Figure 1.14. */
static void check_blocks(figure_row row, const uint32_t (*block)[2], size_t n_blocks)
{
    for (size_t i = 0; i < n_blocks; i++) {
        row.x = block[i][0];
        row.y = block[i][1];
        check_row(&row);
    }
}

static const uint32_t one_wide[][2] = {{1, 32}, {1, 64}, {1, 128}, {1, 256}, {1, 512}};
static const uint32_t eight_wide[][2] = {{8, 8}};
static const uint32_t wide[][2] = {{16, 16}, {16, 32}, {32, 2},  {32, 16}, {32, 1},
                                   {64, 1},  {128, 1}, {256, 1}, {512, 1}};

TEST("Figure 1.15")
{
    check_blocks((figure_row){"GPU1", 0, 0, {17. / 16, 1}, {{17. / 16, 1}}, {34, 32}, 12.5, .1},
                 one_wide, 5);
    check_blocks(
        (figure_row){"GPU1", 0, 0, {3. / 16, 1. / 8}, {{3. / 16, 1. / 8}}, {6, 4}, 41.7, .1},
        eight_wide, 1);
    check_blocks((figure_row){"GPU1",
                              0,
                              0,
                              {1. / 8, 1. / 16},
                              {{1. / 16, 0}, {1. / 16, 1. / 16}},
                              {6, 4},
                              56.25,
                              .01},
                 wide, 9);
}

TEST("Figure 1.19")
{
    check_blocks((figure_row){"GPU2", 0, 0, {5. / 32, .5}, {{5. / 32, .5}}, {5, 16}, 45, .1},
                 one_wide, 5);
    check_blocks((figure_row){"GPU2",
                              0,
                              0,
                              {3. / 64, 1. / 16},
                              {{1. / 64, 0}, {1. / 32, 1. / 16}},
                              {2.5, 4},
                              83.3,
                              .1},
                 eight_wide, 1);
    check_blocks((figure_row){"GPU2",
                              0,
                              0,
                              {5. / 128, 1. / 32},
                              {{1. / 128, 0}, {0, 0}, {1. / 32, 1. / 32}},
                              {4.25, 4},
                              90,
                              .1},
                 wide, 9);
}

TEST("Figure 1.23")
{
    static const figure_row rows[] = {
        {"GPU3", 4, 16, {1. / 32, 1. / 16}, {{1. / 64, 0}, {1. / 64, 1. / 16}}, {1.5, 4}, 75, .1},
        {"GPU3",
         8,
         8,
         {3. / 128, 1. / 32},
         {{1. / 128, 0}, {0, 0}, {1. / 64, 1. / 32}},
         {2.25, 4},
         83.3,
         .1},
        {"GPU3", 2, 32, {3. / 64, 1. / 8}, {{3. / 64, 1. / 8}}, {1.5, 4}, 66.7, .1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_row(&rows[i]);
}

/* Figure 1.36 prints no sizes: those of the first three are in the figures above, of the others in
 * the text of 1.7.4 and 1.7.5. */
TEST("Figure 1.36")
{
    static const printed none = {0, 0};
    const printed tiles = {1. / 128, 1. / 16}, strips = {17. / 4096, 1. / 16};
    const printed of_b = {1. / 256, 1. / 16}, of_a = {1. / 4096, 0}, magma = {5. / 1024, 1. / 16};
    const figure_row rows[] = {
        {"GPU1", 256, 1, {1. / 8, 1. / 16}, {{1. / 16, 0}, {1. / 16, 1. / 16}}, {6, 4}, 56, 1},
        {"GPU2", 8, 8, {3. / 64, 1. / 16}, {{1. / 64, 0}, {1. / 32, 1. / 16}}, {2.5, 4}, 83, 1},
        {"GPU3", 4, 16, {1. / 32, 1. / 16}, {{1. / 64, 0}, {1. / 64, 1. / 16}}, {1.5, 4}, 75, 1},
        {"GPU4", 16, 16, tiles, {none, tiles, none}, {.5, 4}, 100, 1},
        {"GPU5", 16, 16, tiles, {none, tiles, none}, {.5, 4}, 100, 1},
        {"GPU6", 16, 8, strips, {none, of_b, of_a}, {9. / 32, 4}, 100, 1},
        {"GPU7", 16, 8, strips, {none, of_b, of_a}, {9. / 32, 4}, 100, 1},
        {"GPU8", 16, 8, strips, {none, of_b, of_a}, {9. / 32, 4}, 100, 1},
        {"sgemm", 16, 4, magma, {none, magma, none}, {5. / 16, 4}, 100, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_row(&rows[i]);
}

TEST("kernels and blocks unknown")
{
    static const struct {
        const char *kernel;
        uint32_t x, y;
    } none[] = {{"GPU9", 16, 16}, {"", 16, 16},    {"GPU1", 0, 0},   {"GPU1", 3, 16},
                {"GPU1", 16, 24}, {"GPU1", 1, 8},  {"GPU2", 32, 32}, {"GPU1", 65536, 65536},
                {"GPU4", 8, 8},   {"GPU8", 8, 16}, {"sgemm", 16, 8}};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        pci_traffic t = {.average_utilization = -1};
        CU_ASSERT_FALSE(pci_traffic_of(none[i].kernel, none[i].x, none[i].y, &t));
        CU_ASSERT_EQUAL(t.average_utilization, -1);
    }
}

/* ---- By looking ------------------------------------------------------------------------------ */

enum { N = 64, WORDS = N * N };

typedef struct counted {
    uint64_t n[3], bytes_asked;
} counted;

/* Words of a matrix that half a warp asks for: transactions, by trying the sizes. */
static void count_half_warp(const bool *word, counted *counted)
{
    for (int segment = 0; segment < WORDS; segment += 32) {
        int n_small = 0, n_medium = 0, n_asked = 0;
        for (int part = segment; part < segment + 32; part += 8)
            n_small += memchr(word + part, true, 8) != NULL;
        for (int part = segment; part < segment + 32; part += 16)
            n_medium += memchr(word + part, true, 16) != NULL;
        for (int w = segment; w < segment + 32; w++)
            n_asked += word[w];
        if (n_asked)
            counted->n[n_small == 1 ? 0 : n_medium == 1 ? 1 : 2]++;
        counted->bytes_asked += 4 * (uint64_t)n_asked;
    }
}

/* GPU1 with n = 64: every thread of every block, what it reads for each k and what it writes. */
static counted look_at_gpu1(int block_x, int block_y)
{
    counted found = {{0}, 0};
    for (int block = 0; block < WORDS / (block_x * block_y); block++)
        for (int half = 0; half < block_x * block_y; half += 16)
            for (int k = 0; k <= N; k++) {        /* k = N: the result is written */
                bool asked[3][WORDS] = {{false}}; /* of a, b, c */
                for (int t = half; t < half + 16; t++) {
                    int j = block % (N / block_x) * block_x + t % block_x;
                    int i = block / (N / block_x) * block_y + t / block_x;
                    if (k < N)
                        asked[0][i * N + k] = asked[1][k * N + j] = true;
                    else
                        asked[2][i * N + j] = true;
                }
                for (int matrix = k < N ? 0 : 2; matrix < (k < N ? 2 : 3); matrix++)
                    count_half_warp(asked[matrix], &found);
            }
    return found;
}

TEST("GPU1 by its addresses")
{
    static const int block[][2] = {{1, 16}, {2, 8}, {4, 4}, {8, 8}, {16, 4}, {32, 2}, {64, 1}};
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) {
        pci_traffic t;
        counted seen = look_at_gpu1(block[i][0], block[i][1]);
        CU_ASSERT_TRUE_FATAL(
            pci_traffic_of("GPU1", (uint32_t)block[i][0], (uint32_t)block[i][1], &t));
        CU_ASSERT_EQUAL(pci_polynomial_at(t.transactions, N), seen.n[0] + seen.n[1] + seen.n[2]);
        CU_ASSERT_EQUAL(pci_polynomial_at(t.volume, N),
                        32 * seen.n[0] + 64 * seen.n[1] + 128 * seen.n[2]);
        for (int s = 0; s < 3; s++)
            CU_ASSERT_EQUAL(pci_polynomial_at(t.by_size[s], N), seen.n[s]);
    }
}

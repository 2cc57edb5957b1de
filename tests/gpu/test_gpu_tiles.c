/* Lists of tiles, and the shapes of launches that they are for: each entry of a result is computed once, and blocks end at
 * about the same time. Needs no GPU. */
#include "tests/support/fixture.h"

#include "gpu/engine/choose.h"

#include <stdlib.h>

/* ---- Lists of tiles -------------------------------------------------------------------------- */

/* How often each square of 64 x 64 of each job is written, directly and by mirror. */
typedef struct coverage {
    const pci_tile_shape *shape;
    uint8_t *direct, *mirrored; /* [n_jobs][2 n_tiles][2 n_tiles] */
    uint32_t n_outside;         /* writes that lie outside the result */
} coverage;

static size_t n_places(const pci_tile_shape *shape)
{
    return (size_t)shape->n_jobs * 4 * shape->n_tiles * shape->n_tiles;
}

static void cover_square(coverage *c, pci_tile tile, uint32_t row, uint32_t column)
{
    uint32_t n = 2 * c->shape->n_tiles, first = 2 * c->shape->first_row_tile;
    bool in_strip = row >= first && row < first + 2 * c->shape->n_row_tiles;
    if (!in_strip || column >= n || tile.job >= c->shape->n_jobs) {
        c->n_outside++;
        return;
    }
    c->direct[((size_t)tile.job * n + row) * n + column]++;
    if (tile.mirror)
        c->mirrored[((size_t)tile.job * n + column) * n + row]++;
}

static void cover_entry(coverage *c, pci_tile tile)
{
    bool is_paired = c->shape->cluster_size == 2;
    uint32_t n_rows = is_paired && tile.row + 1 < c->shape->n_tiles ? 4 : 2;
    uint32_t n_columns = tile.half ? 1 : tile.narrow ? 2 : 4;
    uint32_t first = 2 * tile.column + (tile.half == 2);
    CU_ASSERT(!is_paired || tile.row % 2 == 0);
    CU_ASSERT(tile.half <= 2 && (!tile.half || (tile.narrow && c->shape->may_split)));
    for (uint32_t i = 0; i < n_rows; i++)
        for (uint32_t j = 0; j < n_columns; j++)
            cover_square(c, tile, 2 * tile.row + i, first + j);
}

/* Squares not written exactly once; the first half of a mirrored tile on the diagonal is written a
 * second time by its own mirror. */
static uint64_t n_badly_covered(const coverage *c)
{
    const pci_tile_shape *shape = c->shape;
    uint64_t n_bad = c->n_outside;
    for (size_t at = 0; at < n_places(shape); at++) {
        uint32_t n = 2 * shape->n_tiles;
        uint32_t row = (uint32_t)(at / n % n) / 2, column = (uint32_t)(at % n) / 2;
        bool in_strip =
            row >= shape->first_row_tile && row < shape->first_row_tile + shape->n_row_tiles;
        unsigned direct = c->direct[at], mirrored = c->mirrored[at];
        if (!in_strip)
            n_bad += direct != 0 || mirrored != 0;
        else if (shape->symmetric && row == column)
            n_bad += direct != 1 || mirrored > 1;
        else
            n_bad += direct + mirrored != 1 || (mirrored && !shape->symmetric);
    }
    return n_bad;
}

/* Units of 128 x 64. */
static int units_of(uint32_t entry)
{
    pci_tile tile = pci_tile_unpack(entry);
    return entry == PCI_TILE_IDLE ? 0 : tile.half ? 1 : tile.narrow ? 2 : 4;
}

/* Units of the longest block; of the shortest in *least. -1 when a block takes a tile after a smaller one or has idle
 * entries before others. */
static int longest_block(const pci_tile_shape *shape, const uint32_t *entries, size_t length,
                         int *least)
{
    int most = 0;
    *least = INT32_MAX;
    for (uint32_t block = 0; block < shape->n_blocks; block++) {
        int load = 0, last = 4;
        for (size_t i = block; i < length; i += shape->n_blocks) {
            int units = units_of(entries[i]);
            if (units > last)
                return -1;
            last = units;
            load += units;
        }
        *least = load < *least ? load : *least;
        most = load > most ? load : most;
    }
    return most;
}

/* The list of a share, in memory of its length. */
static uint32_t *list_of(const pci_tile_shape *shape, size_t *length)
{
    size_t capacity = pci_tiles_capacity(shape);
    uint32_t *entries = malloc((capacity + 1) * sizeof *entries);
    CU_ASSERT_FATAL(entries != NULL);
    entries[capacity] = 12345; /* must stay */
    *length = pci_tiles_list(shape, entries);
    CU_ASSERT(*length <= capacity && *length % shape->n_blocks == 0);
    CU_ASSERT(entries[capacity] == 12345);
    return entries;
}

/* Covers what the list of a share has, and returns how many units that is. */
static int cover_share(coverage *c, const pci_tile_shape *shape)
{
    size_t length;
    int n_units = 0, least;
    OWNED(uint32_t) *entries = list_of(shape, &length);
    for (size_t i = 0; i < length; i++) {
        if (entries[i] != PCI_TILE_IDLE)
            cover_entry(c, pci_tile_unpack(entries[i]));
        n_units += units_of(entries[i]);
    }
    int most = longest_block(shape, entries, length, &least);
    CU_ASSERT(most >= 0 && most - least <= 4);
    return n_units;
}

/* The lists of all shares together cover what they should, and none is much longer than another. */
static void check_lists(const pci_tile_shape *shape, uint32_t n_shares)
{
    coverage c = {shape, calloc(n_places(shape), 1), calloc(n_places(shape), 1), 0};
    CU_ASSERT_FATAL(c.direct != NULL && c.mirrored != NULL);
    int least = INT32_MAX, most = 0;
    for (uint32_t s = 0; s < n_shares; s++) {
        pci_tile_shape of_share = *shape;
        of_share.share = s;
        of_share.n_shares = n_shares;
        int n_units = cover_share(&c, &of_share);
        least = n_units < least ? n_units : least;
        most = n_units > most ? n_units : most;
    }
    CU_ASSERT(n_badly_covered(&c) == 0);
    CU_ASSERT(most - least <= 6); /* one full tile, one narrow one */
    free(c.direct);
    free(c.mirrored);
}

static void check_list(const pci_tile_shape *shape)
{
    check_lists(shape, 1);
}

static const uint32_t block_counts[] = {1, 2, 7, 66, 132};
static const uint32_t job_counts[] = {1, 3, 9, PCI_MAX_JOBS};
enum {
    N_BLOCK_COUNTS = sizeof block_counts / sizeof *block_counts,
    N_JOB_COUNTS = sizeof job_counts / sizeof *job_counts,
    MOST_TILES = 40
};

TEST("tile lists of whole results cover each entry once")
{
    for (uint32_t n_tiles = 1; n_tiles <= MOST_TILES; n_tiles++)
        for (unsigned kind = 0; kind < 8; kind++)
            for (unsigned b = 0; b < N_BLOCK_COUNTS; b++)
                for (unsigned j = 0; j < N_JOB_COUNTS; j++)
                    check_list(&(pci_tile_shape){.n_tiles = n_tiles,
                                                 .n_row_tiles = n_tiles,
                                                 .n_jobs = job_counts[j],
                                                 .symmetric = kind & 1,
                                                 .may_split = kind & 4,
                                                 .cluster_size = 1 + kind / 2 % 2,
                                                 .n_blocks = block_counts[b]});
}

TEST("tile lists of strips cover the strip and nothing else")
{
    for (uint32_t n_tiles = 1; n_tiles <= 17; n_tiles++)
        for (uint32_t first = 0; first < n_tiles; first++)
            for (uint32_t n_rows = 1; first + n_rows <= n_tiles; n_rows++)
                check_list(&(pci_tile_shape){.n_tiles = n_tiles,
                                             .first_row_tile = first,
                                             .n_row_tiles = n_rows,
                                             .n_jobs = 1 + (first + n_rows) % 3,
                                             .may_split = first % 2,
                                             .cluster_size = 1,
                                             .n_blocks = block_counts[n_rows % N_BLOCK_COUNTS]});
}

TEST("tile lists of shares cover each entry once")
{
    for (uint32_t n_tiles = 1; n_tiles <= MOST_TILES; n_tiles += 3)
        for (unsigned kind = 0; kind < 8; kind++)
            for (uint32_t n_shares = 2; n_shares <= 5; n_shares++)
                check_lists(&(pci_tile_shape){.n_tiles = n_tiles,
                                              .n_row_tiles = n_tiles,
                                              .n_jobs = 1 + n_tiles % 3,
                                              .symmetric = kind & 1,
                                              .may_split = kind & 4,
                                              .cluster_size = 1 + kind / 2 % 2,
                                              .n_blocks = block_counts[n_tiles % N_BLOCK_COUNTS]},
                            n_shares);
}

/* The same work, by shorter blocks or as before. */
TEST("split tiles make the longest block shorter")
{
    unsigned n_shorter = 0;
    for (uint32_t n_tiles = 1; n_tiles <= MOST_TILES; n_tiles++)
        for (unsigned kind = 0; kind < 4; kind++)
            for (unsigned j = 0; j < N_JOB_COUNTS; j++) {
                int longest[2], least;
                for (int split = 0; split < 2; split++) {
                    size_t length;
                    pci_tile_shape shape = {.n_tiles = n_tiles,
                                            .n_row_tiles = n_tiles,
                                            .n_jobs = job_counts[j],
                                            .symmetric = kind & 1,
                                            .may_split = split,
                                            .cluster_size = 1 + kind / 2,
                                            .n_blocks = 132 / (1 + kind / 2)};
                    OWNED(uint32_t) *entries = list_of(&shape, &length);
                    longest[split] = longest_block(&shape, entries, length, &least);
                    if (n_tiles == 8 && job_counts[j] == 9 && kind == 1)
                        CU_ASSERT_EQUAL(longest[split], split ? 5 : 8);
                }
                CU_ASSERT(longest[1] == longest[0] || 16 * longest[1] <= 15 * longest[0]);
                n_shorter += longest[1] < longest[0];
            }
    CU_ASSERT(n_shorter > MOST_TILES);
}

/* Tiles that a list works on: what symmetry saves. */
TEST("the largest list has half of the tiles")
{
    pci_tile_shape shape = pci_gpu_shape(PCI_GPU_MMA, 132, 1024, 1, true);
    OWNED(uint32_t) *entries = malloc(pci_tiles_capacity(&shape) * sizeof *entries);
    CU_ASSERT_FATAL(entries != NULL);
    size_t length = pci_tiles_list(&shape, entries), n_full = 0, n_narrow = 0;
    for (size_t i = 0; i < length; i++)
        if (entries[i] != PCI_TILE_IDLE)
            ++*(pci_tile_unpack(entries[i]).narrow ? &n_narrow : &n_full);
    CU_ASSERT(n_full == 512 * 512 && n_narrow == 512);
    CU_ASSERT(length < n_full + n_narrow + shape.n_blocks);
}

TEST("entries of lists are packed and unpacked")
{
    random_source random = {7};
    for (int i = 0; i < 10000; i++) {
        pci_tile tile = {(uint32_t)random_below(&random, 1024),
                         (uint32_t)random_below(&random, 1024),
                         (uint32_t)random_below(&random, PCI_MAX_JOBS),
                         random_below(&random, 2),
                         random_below(&random, 2),
                         (uint32_t)random_below(&random, 3)};
        uint32_t entry = pci_tile_pack(tile);
        pci_tile back = pci_tile_unpack(entry);
        CU_ASSERT(entry != PCI_TILE_IDLE);
        CU_ASSERT(back.row == tile.row && back.column == tile.column && back.job == tile.job &&
                  back.narrow == tile.narrow && back.mirror == tile.mirror &&
                  back.half == tile.half);
    }
}

/* ---- Shapes of launches ----------------------------------------------------------------------- */

static void check_shape(pci_gpu_kernel kernel, int n_sms, uint32_t n_tiles, uint32_t n_jobs,
                        bool symmetric)
{
    pci_tile_shape shape = pci_gpu_shape(kernel, n_sms, n_tiles, n_jobs, symmetric);
    bool paired = kernel == PCI_GPU_WGMMA && symmetric && n_tiles >= 64;
    uint32_t blocks = shape.n_blocks * shape.cluster_size;
    CU_ASSERT(shape.n_tiles == n_tiles && shape.n_row_tiles == n_tiles &&
              shape.first_row_tile == 0 && shape.n_jobs == n_jobs && shape.symmetric == symmetric);
    CU_ASSERT(shape.cluster_size == (paired ? 2 : 1));
    CU_ASSERT_EQUAL(shape.narrow, kernel == PCI_GPU_F16);
    CU_ASSERT(shape.n_blocks >= 1 && blocks <= (uint32_t)n_sms * (kernel == PCI_GPU_DP4A ? 2 : 1));
    check_list(&shape);
}

TEST("shapes of launches")
{
    static const uint32_t sizes[] = {1, 2, 3, 8, 31, 32, 63, 64, 65};
    static const int sm_counts[] = {2, 20, 108, 132, 148};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t s = 0; s < sizeof sm_counts / sizeof *sm_counts; s++)
            for (int k = 0; k < PCI_N_GPU_KERNELS; k++)
                for (unsigned j = 0; j < N_JOB_COUNTS; j++) {
                    check_shape(k, sm_counts[s], sizes[i], job_counts[j], false);
                    check_shape(k, sm_counts[s], sizes[i], job_counts[j], true);
                }
}

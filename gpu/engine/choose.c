/* Kernel, shape and list of tiles of a launch. */
#include "gpu/engine/choose.h"

#include <string.h>

enum {
    CLUSTER_MIN_TILES = 64, /* n > 8064: below that a shared right operand gains nothing */
    DP4A_BLOCKS_PER_SM = 2, /* by its registers; one block of another tile kernel fills an SM */
    MOST_PIECES = 4,        /* of a tile that is split */
    MIN_ROUNDS = 32,        /* see pci_gpu_batch */
    H100_SMS = 132
};

static const char *const names[PCI_N_GPU_KERNELS] = {
    [PCI_GPU_PLAIN] = "plain", [PCI_GPU_DP4A] = "dp4a",   [PCI_GPU_F16] = "f16",
    [PCI_GPU_MMA] = "mma",     [PCI_GPU_WGMMA] = "wgmma",
};

/* Of an H100; those of f16 and wgmma are what an H200, which has as many multiprocessors, sustains. */
static const double rates[PCI_N_GPU_KERNELS] = {
    [PCI_GPU_PLAIN] = 0.004e15, [PCI_GPU_DP4A] = 0.06e15, [PCI_GPU_F16] = 0.28e15,
    [PCI_GPU_MMA] = 0.7e15,     [PCI_GPU_WGMMA] = 1.4e15,
};

static uint32_t min_u32(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

const char *pci_gpu_kernel_name(pci_gpu_kernel kernel)
{
    return names[kernel];
}

bool pci_gpu_kernel_find(const char *name, pci_gpu_kernel *kernel)
{
    for (int k = 0; k < PCI_N_GPU_KERNELS; k++)
        if (strcmp(names[k], name) == 0) {
            *kernel = (pci_gpu_kernel)k;
            return true;
        }
    return false;
}

bool pci_gpu_kernel_runs(pci_gpu_kernel kernel, int major, int minor)
{
    switch (kernel) {
    case PCI_GPU_PLAIN:
        return true;
    case PCI_GPU_DP4A:
        return major > 6 || (major == 6 && minor >= 1);
    case PCI_GPU_F16:
    case PCI_GPU_MMA:
        return major >= 8;
    case PCI_GPU_WGMMA:
        return major == 9 && minor == 0;
    default:
        return false;
    }
}

bool pci_gpu_kernel_has_halves(pci_gpu_kernel kernel)
{
    return kernel == PCI_GPU_F16;
}

bool pci_gpu_kernel_has_digits(pci_gpu_kernel kernel)
{
    return kernel == PCI_GPU_PLAIN || kernel == PCI_GPU_WGMMA;
}

bool pci_gpu_kernel_is_known(int major, int minor)
{
    return major < 10 || (major == 10 && (minor == 0 || minor == 3)) || major == 12;
}

pci_gpu_kernel pci_gpu_kernel_best(int major, int minor)
{
    pci_gpu_kernel best = PCI_GPU_WGMMA; /* in ascending order of speed */
    if (major == 10 &&
        minor == 3) /* B300: 0.15 dense int8 POPS, and 2.25 PFLOPS of halves, by data sheets */
        return PCI_GPU_F16;
    while (!pci_gpu_kernel_runs(best, major, minor))
        best--;
    return best;
}

double pci_gpu_kernel_rate(pci_gpu_kernel kernel, int n_sms)
{
    return rates[kernel] * n_sms / H100_SMS;
}

pci_tile_shape pci_gpu_shape(pci_gpu_kernel kernel, int n_sms, uint32_t n_tiles, uint32_t n_jobs,
                             bool symmetric)
{
    bool paired = kernel == PCI_GPU_WGMMA && symmetric && n_tiles >= CLUSTER_MIN_TILES;
    pci_tile_shape shape = {
        .n_tiles = n_tiles,
        .n_row_tiles = n_tiles,
        .n_jobs = n_jobs,
        .symmetric = symmetric,
        .narrow = kernel == PCI_GPU_F16,
        .may_split = kernel == PCI_GPU_WGMMA,
        .cluster_size = paired ? 2 : 1,
        .n_blocks = 1,
    };
    uint32_t n_entries = (uint32_t)pci_tiles_capacity(&shape); /* of one block: no entry is idle */
    uint32_t n_pieces = shape.may_split ? MOST_PIECES * n_entries : n_entries;
    uint32_t n_places = (uint32_t)n_sms / shape.cluster_size;
    if (kernel == PCI_GPU_DP4A)
        n_places *= DP4A_BLOCKS_PER_SM;
    shape.n_blocks = min_u32(n_places ? n_places : 1, n_pieces);
    return shape;
}

uint32_t pci_gpu_batch(int n_sms, uint32_t n_tiles, bool symmetric)
{
    uint64_t n_super = (n_tiles + 1) / 2;
    uint64_t n_full = symmetric ? n_super * n_super : 2 * n_super * n_super; /* a plane's tiles */
    uint64_t wanted = (uint64_t)MIN_ROUNDS * (uint64_t)n_sms;
    return min_u32(PCI_MAX_JOBS, (uint32_t)((wanted + n_full - 1) / n_full));
}

/* ---- Lists of tiles -------------------------------------------------------------------------- */

/* Lists of tiles: one pass over the result in raster order, which distributes the tiles to the
 * blocks.
 *
 * A full tile is four units of work, a narrow tile two, a half of one is one. Each full tile goes to the block with the
 * least work, which is a round robin. Narrow tiles then fill the gaps of the last round. So the
 * position of every entry has a closed form, and a list takes one pass.
 *
 * Where the kernel may split tiles, and the longest block gets shorter by a sixteenth or more, full tiles beyond whole
 * rounds are split first; narrow tiles are then a round robin, and those beyond whole rounds are split where the blocks
 * are enough for their halves. With nine symmetric planes of 1024 and 132 blocks the longest has 5 units in place of 8,
 * and the launch took 0.77 of the time on an H100. With planes of 2048 it would have 19 in place of 20; that was not
 * faster: smaller tiles read more for the same work. */

enum { RASTER = 8 /* super-tiles of 2 x 2 tiles on a side of a raster square */ };

typedef struct tile_counts {
    size_t n_full, n_narrow;
} tile_counts;

/* How tiles become entries. */
typedef struct division {
    bool is_split;
    size_t n_full;   /* that stay full: whole rounds of them, if some are split */
    size_t n_narrow; /* those of split ones come after the others */
    size_t n_whole;  /* of the narrow ones; the others are two entries each */
} division;

typedef struct walk {
    const pci_tile_shape *shape;
    uint32_t *entries;      /* NULL: tiles are only counted */
    tile_counts first, end; /* of the share, when there are entries */
    tile_counts total;      /* of the share */
    tile_counts seen;
    division division;
    uint32_t job;
} walk;

static size_t max_size(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* ---- Positions in the list ------------------------------------------------------------------- */

/* The position of narrow tile i. Full tile i is entry i, which belongs to block i % n_blocks. */
static size_t place_of_narrow(tile_counts total, size_t n_blocks, size_t i)
{
    size_t n_rounds = total.n_full / n_blocks, n_busy = total.n_full % n_blocks;
    size_t n_spare = n_busy ? n_blocks - n_busy : 0; /* blocks with a full tile less than others */
    if (i < 2 * n_spare)
        return (n_rounds + i / n_spare) * n_blocks + n_busy + i % n_spare;
    i -= 2 * n_spare;
    size_t block = i % n_blocks, round = n_rounds + i / n_blocks;
    if (n_spare)
        round += block < n_busy ? 1 : 2;
    return round * n_blocks + block;
}

enum {
    FULL = 4,
    NARROW = 2,
    HALF = 1 /* units of work */,
    LEAST_GAIN = 16 /* one part of so many */
};

/* Units of the longest block without splitting. */
static size_t longest(tile_counts total, size_t n_blocks)
{
    size_t n_rounds = total.n_full / n_blocks, n_busy = total.n_full % n_blocks;
    size_t n_gaps = n_busy ? 2 * (n_blocks - n_busy) : 0; /* for narrow tiles */
    size_t n_left = total.n_narrow > n_gaps ? total.n_narrow - n_gaps : 0;
    return FULL * (n_rounds + (n_busy != 0)) + NARROW * ((n_left + n_blocks - 1) / n_blocks);
}

static division divide(const pci_tile_shape *shape, tile_counts total)
{
    size_t n_blocks = shape->n_blocks, n_rounds = total.n_full / n_blocks;
    size_t n_narrow = total.n_narrow + 2 * (total.n_full - n_rounds * n_blocks);
    size_t n_last = n_narrow % n_blocks, n_halved = 2 * n_last <= n_blocks ? n_last : 0;
    size_t units = FULL * n_rounds + NARROW * (n_narrow / n_blocks) +
                   (n_halved ? HALF
                    : n_last ? NARROW
                             : 0);
    size_t before = longest(total, n_blocks);
    if (!shape->may_split || LEAST_GAIN * units > (LEAST_GAIN - 1) * before)
        return (division){false, total.n_full, total.n_narrow, total.n_narrow};
    return (division){true, n_rounds * n_blocks, n_narrow, n_narrow - n_halved};
}

/* The largest number of entries of a block. Unless tiles are split, one of the last n_blocks narrow tiles has the last
 * round of all narrow tiles. */
static size_t n_rounds_of(const division *d, tile_counts total, size_t n_blocks)
{
    if (d->is_split)
        return (d->n_full + 2 * d->n_narrow - d->n_whole + n_blocks - 1) / n_blocks;
    size_t rounds = (total.n_full + n_blocks - 1) / n_blocks;
    size_t first = total.n_narrow > n_blocks ? total.n_narrow - n_blocks : 0;
    for (size_t i = first; i < total.n_narrow; i++)
        rounds = max_size(rounds, place_of_narrow(total, n_blocks, i) / n_blocks + 1);
    return rounds;
}

/* ---- The pass over the result ---------------------------------------------------------------- */

/* Puts narrow tile i of the share into the list, or its halves. */
static void put_narrow(const walk *w, size_t i, pci_tile tile)
{
    const division *d = &w->division;
    tile.narrow = true;
    if (!d->is_split)
        w->entries[place_of_narrow(w->total, w->shape->n_blocks, i)] = pci_tile_pack(tile);
    else if (i < d->n_whole)
        w->entries[d->n_full + i] = pci_tile_pack(tile);
    else
        for (tile.half = 1; tile.half <= 2; tile.half++)
            w->entries[d->n_full + 2 * i - d->n_whole + tile.half - 1] = pci_tile_pack(tile);
}

/* Puts full tile i of the share into the list, or its narrow ones. */
static void put_full(const walk *w, size_t i, pci_tile tile)
{
    size_t n_full = w->division.n_full;
    if (i < n_full) {
        w->entries[i] = pci_tile_pack(tile);
        return;
    }
    pci_tile left = tile, right = tile;
    left.mirror = tile.mirror && tile.row != tile.column; /* else it is its own mirror */
    right.column++;
    put_narrow(w, w->total.n_narrow + 2 * (i - n_full), left);
    put_narrow(w, w->total.n_narrow + 2 * (i - n_full) + 1, right);
}

static void visit_one(walk *w, uint32_t row, uint32_t column, bool narrow, bool mirror)
{
    size_t seen = narrow ? w->seen.n_narrow++ : w->seen.n_full++;
    size_t first = narrow ? w->first.n_narrow : w->first.n_full;
    size_t end = narrow ? w->end.n_narrow : w->end.n_full;
    if (w->entries == NULL || seen < first || seen >= end)
        return;
    pci_tile tile = {.row = row, .column = column, .job = w->job, .mirror = mirror};
    (narrow ? put_narrow : put_full)(w, seen - first, tile);
}

static void visit(walk *w, uint32_t row, uint32_t column, bool narrow, bool mirror)
{
    visit_one(w, row, column, narrow || w->shape->narrow, mirror);
    if (w->shape->narrow && !narrow)
        visit_one(w, row, column + 1, true, mirror);
}

/* A super-tile on the diagonal of a symmetric result: its lower left tile is not computed. */
static void visit_diagonal(walk *w, uint32_t first)
{
    bool at_edge = first + 1 == w->shape->n_tiles; /* one tile is left */
    if (at_edge || w->shape->cluster_size == 2) {
        visit(w, first, first, at_edge, false);
        return;
    }
    visit(w, first, first, false, true); /* stores its first half twice, the same bytes */
    visit(w, first + 1, first + 1, true, false);
}

static void visit_super_tile(walk *w, uint32_t i, uint32_t j)
{
    const pci_tile_shape *shape = w->shape;
    if (shape->symmetric && i == j) {
        visit_diagonal(w, 2 * i);
        return;
    }
    bool narrow = 2 * j + 1 == shape->n_tiles;
    for (uint32_t row = 2 * i; row < min_u32(2 * i + 2, shape->n_row_tiles);
         row += shape->cluster_size)
        visit(w, shape->first_row_tile + row, 2 * j, narrow, shape->symmetric);
}

static void walk_raster_square(walk *w, uint32_t first_i, uint32_t first_j)
{
    uint32_t end_i = min_u32(first_i + RASTER, (w->shape->n_row_tiles + 1) / 2);
    uint32_t end_j = min_u32(first_j + RASTER, (w->shape->n_tiles + 1) / 2);
    for (uint32_t j = first_j; j < end_j; j++)
        for (uint32_t i = first_i; i < end_i; i++)
            if (!w->shape->symmetric || i <= j)
                visit_super_tile(w, i, j);
}

static void walk_job(walk *w)
{
    for (uint32_t i = 0; 2 * i < w->shape->n_row_tiles; i += RASTER)
        for (uint32_t j = w->shape->symmetric ? i : 0; 2 * j < w->shape->n_tiles; j += RASTER)
            walk_raster_square(w, i, j);
}

static walk walk_of(const pci_tile_shape *shape, uint32_t *entries)
{
    size_t n_shares = shape->n_shares ? shape->n_shares : 1;
    walk one = {.shape = shape}, w = {.shape = shape, .entries = entries};
    walk_job(&one); /* all jobs have the same tiles */
    size_t n_full = one.seen.n_full * shape->n_jobs, n_narrow = one.seen.n_narrow * shape->n_jobs;
    size_t share = shape->share;
    w.first = (tile_counts){n_full * share / n_shares, n_narrow * share / n_shares};
    w.end = (tile_counts){n_full * (share + 1) / n_shares, n_narrow * (share + 1) / n_shares};
    w.total = (tile_counts){w.end.n_full - w.first.n_full, w.end.n_narrow - w.first.n_narrow};
    w.division = divide(shape, w.total);
    return w;
}

size_t pci_tiles_capacity(const pci_tile_shape *shape)
{
    walk w = walk_of(shape, NULL);
    return n_rounds_of(&w.division, w.total, shape->n_blocks) * shape->n_blocks;
}

size_t pci_tiles_list(const pci_tile_shape *shape, uint32_t *entries)
{
    walk w = walk_of(shape, entries);
    size_t length = n_rounds_of(&w.division, w.total, shape->n_blocks) * shape->n_blocks;
    memset(entries, 0xff, length * sizeof *entries); /* PCI_TILE_IDLE */
    for (w.job = 0; w.job < shape->n_jobs; w.job++)
        walk_job(&w);
    return length;
}

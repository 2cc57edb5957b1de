/* Lists of tiles: one pass over the result in raster order, which distributes the tiles to the
 * blocks.
 *
 * A full tile is two units of work, a narrow tile is one. Each full tile goes to the block with the
 * least work, which is a round robin. Narrow tiles then fill the gaps of the last round. So the
 * position of every entry has a closed form, and a list takes one pass. */
#include "gpu/engine/tiles.h"

#include <string.h>

enum { RASTER = 8 /* super-tiles of 2 x 2 tiles on a side of a raster square */ };

typedef struct tile_counts {
    size_t n_full, n_narrow;
} tile_counts;

typedef struct walk {
    const pci_tile_shape *shape;
    uint32_t *entries;      /* NULL: tiles are only counted */
    tile_counts first, end; /* of the share, when there are entries */
    tile_counts total;      /* of the share */
    tile_counts seen;
    uint32_t job;
} walk;

static uint32_t min_u32(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

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

/* The largest number of entries of a block. One of the last n_blocks narrow tiles has the last
 * round of all narrow tiles. */
static size_t n_rounds_of(tile_counts total, size_t n_blocks)
{
    size_t rounds = (total.n_full + n_blocks - 1) / n_blocks;
    size_t first = total.n_narrow > n_blocks ? total.n_narrow - n_blocks : 0;
    for (size_t i = first; i < total.n_narrow; i++)
        rounds = max_size(rounds, place_of_narrow(total, n_blocks, i) / n_blocks + 1);
    return rounds;
}

/* ---- The pass over the result ---------------------------------------------------------------- */

static void visit_one(walk *w, uint32_t row, uint32_t column, bool narrow, bool mirror)
{
    size_t seen = narrow ? w->seen.n_narrow++ : w->seen.n_full++;
    size_t first = narrow ? w->first.n_narrow : w->first.n_full;
    size_t end = narrow ? w->end.n_narrow : w->end.n_full;
    if (w->entries == NULL || seen < first || seen >= end)
        return;
    size_t place = seen - first;
    if (narrow)
        place = place_of_narrow(w->total, w->shape->n_blocks, place);
    w->entries[place] = pci_tile_pack((pci_tile){row, column, w->job, narrow, mirror});
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

static tile_counts before_share(tile_counts all, size_t share, size_t n_shares)
{
    return (tile_counts){all.n_full * share / n_shares, all.n_narrow * share / n_shares};
}

static walk walk_of(const pci_tile_shape *shape, uint32_t *entries)
{
    size_t n_shares = shape->n_shares ? shape->n_shares : 1;
    walk one = {.shape = shape}, w = {.shape = shape, .entries = entries};
    walk_job(&one); /* all jobs have the same tiles */
    tile_counts all = {one.seen.n_full * shape->n_jobs, one.seen.n_narrow * shape->n_jobs};
    w.first = before_share(all, shape->share, n_shares);
    w.end = before_share(all, (size_t)shape->share + 1, n_shares);
    w.total = (tile_counts){w.end.n_full - w.first.n_full, w.end.n_narrow - w.first.n_narrow};
    return w;
}

size_t pci_tiles_capacity(const pci_tile_shape *shape)
{
    return n_rounds_of(walk_of(shape, NULL).total, shape->n_blocks) * shape->n_blocks;
}

size_t pci_tiles_list(const pci_tile_shape *shape, uint32_t *entries)
{
    walk w = walk_of(shape, entries);
    size_t length = n_rounds_of(w.total, shape->n_blocks) * shape->n_blocks;
    memset(entries, 0xff, length * sizeof *entries); /* PCI_TILE_IDLE */
    for (w.job = 0; w.job < shape->n_jobs; w.job++)
        walk_job(&w);
    return length;
}

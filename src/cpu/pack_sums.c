/* Sums over blocks, packed as operands: S(AB)S^T = (SA)(BS^T), so that pairs of rows and of columns
 * are added once instead of multiplied four times ("Reduced Matrix Multiplication using CUDA", 4.3.2
 * and Figure 4.2, where blocks are pairs of neighbours; here they are any sets of vertices).
 *
 * Rows of a block are added whole. Columns of a block lie apart in each row: so a strip of rows is
 * transposed first, and then its columns are rows to add like any others. The same sums serve both
 * sides, and a block of any vertices costs what one of neighbours does.
 *
 * A strip has 64 rows. For a symmetric P the right operand is the transposed left one. With a
 * step, A P is computed first, plane by plane; this costs arcs times n, where arcs times blocks
 * would do, and needs no code of its own. */
#include "src/cpu/pack_sums.h"

#include <omp.h>
#include <string.h>

enum {
    LINE = PCI_LINE_BYTES,
    TILE_BYTES = PCI_ROW_GROUP * LINE, /* a group of blocks, a line of each */
    SLICE = 32 * LINE,                 /* of a group's rows: one task */
    TRANSPOSED = 16,                   /* rows and columns that are transposed at once */
    MAX_DIGITS = 3
};

/* Rows to sum: of a plane, or of a transposed strip. */
typedef struct source {
    const int8_t *digits;
    size_t stride, digit_bytes;
    uint32_t n_digits;
} source;

/* One job being packed. */
typedef struct packing {
    const pci_product *product;
    const pci_block_sums *sums;
    const pci_product_job *job;
    const pci_workspace *work;
    size_t digit; /* number of its first digit */
} packing;

size_t pci_strip_bytes(const pci_layout *operand, uint32_t n_digits)
{
    return n_digits * operand->depth * LINE;
}

/* The three digits of one line of a block's sum, digit_bytes apart. */
static void sum_wide(const packing *p, const source *from, size_t k, size_t block, int8_t *out,
                     size_t digit_bytes)
{
    const pc_partition *partition = p->sums->partition;
    const pci_row_ops *rows = p->product->kernel->rows;
    int32_t acc[MAX_DIGITS][LINE];
    for (uint32_t d = 0; d < from->n_digits; d++)
        rows->sum_rows(LINE, from->digits + k + d * from->digit_bytes, from->stride,
                       partition->vertex + partition->start[block], NULL, partition->size[block],
                       acc[d]);
    if (from->n_digits > 1) /* high 2^7 + low, without a product of high digits */
        memset(acc[0], 0, sizeof acc[0]);
    pci_output_reduce(p->job->outputs, rows, LINE, from->n_digits, acc[0], LINE, out, digit_bytes);
}

/* Entries k .. k + LINE - 1 of the sums of the blocks of group g, a tile for each digit; a group that
 * the blocks do not fill has zeros at its end. */
static void sum_tile(const packing *p, const source *from, size_t k, size_t g, int8_t *tile,
                     size_t digit_bytes)
{
    const pc_partition *partition = p->sums->partition;
    size_t first = g * PCI_ROW_GROUP, left = partition->n_blocks - first,
           n = left < PCI_ROW_GROUP ? left : PCI_ROW_GROUP;
    if (p->job->outputs->wide)
        for (size_t b = 0; b < n; b++)
            sum_wide(p, from, k, first + b, tile + b * LINE, digit_bytes);
    else
        p->product->kernel->rows->sum_blocks(n, partition->start + first, partition->vertex,
                                             from->digits + k, from->stride,
                                             p->job->outputs->modulus, tile);
    for (size_t d = 0; d < p->job->n_digits; d++)
        memset(tile + d * digit_bytes + n * LINE, 0, TILE_BYTES - n * LINE);
}

/* Where digit d of group g begins in the workspace, in groups. */
static size_t group_at(const packing *p, size_t d, size_t g)
{
    return (p->digit + d) * p->work->n_groups + g;
}

/* Entries first .. end - 1 of the left operand's rows in group g, and their sums. */
static void pack_left(const packing *p, const source *from, size_t g, size_t first, size_t end)
{
    const pci_workspace *work = p->work;
    const pci_row_ops *rows = p->product->kernel->rows;
    size_t digit_bytes = work->n_groups * work->group_bytes;
    int8_t *packed = work->left + group_at(p, 0, g) * work->group_bytes;
    for (size_t k = first; k < end; k += LINE)
        sum_tile(p, from, k, g, packed + k * PCI_ROW_GROUP, digit_bytes);
    for (size_t d = 0; d < p->job->n_digits; d++)
        for (size_t i = 0; i < PCI_ROW_GROUP; i++) {
            const int8_t *row = packed + d * digit_bytes + first * PCI_ROW_GROUP + i * LINE;
            int32_t total = rows->sum((end - first) / LINE, row, TILE_BYTES);
#pragma omp atomic
            work->row_sums[group_at(p, d, g) * PCI_ROW_GROUP + i] += total;
        }
}

/* The same entries of the right operand, which is the transpose of what is packed as left. */
static void mirror_left(const packing *p, size_t g, size_t first, size_t end)
{
    for (size_t d = 0; d < p->job->n_digits; d++) {
        size_t at = group_at(p, d, g) * p->work->group_bytes;
        for (size_t k = first; k < end; k += LINE)
            p->product->kernel->rows->pack_rows(p->work->left + at + k * PCI_ROW_GROUP,
                                                p->work->right + at + k * PCI_PANEL);
    }
}

/* Rows k .. k + LINE - 1 of a plane become columns of the strip; there are none from n_rows on. */
static void transpose_strip(const packing *p, const int8_t *plane, size_t k, int8_t *strip)
{
    const pci_layout *layout = p->sums->operand;
    size_t n_rows = layout->n_rows - k < LINE ? layout->n_rows - k : LINE;
    if (n_rows < LINE)
        memset(strip, 0, layout->depth * LINE);
    for (size_t j = 0; j < layout->depth; j += TRANSPOSED)
        for (size_t i = 0; i < n_rows; i += TRANSPOSED)
            p->product->kernel->rows->transpose16(plane + (k + i) * layout->stride + j,
                                                  layout->stride, strip + j * LINE + i, LINE);
}

/* Depth k .. k + LINE - 1 of all columns of the right operand. */
static void pack_right(const packing *p, const int8_t *plane, uint32_t n_digits, size_t k)
{
    const pci_layout *layout = p->sums->operand;
    size_t digit_bytes = layout->depth * LINE;
    int8_t *strip = p->sums->strips + (size_t)omp_get_thread_num() * p->sums->strip_bytes;
    source from = {strip, LINE, digit_bytes, n_digits};
    for (size_t d = 0; d < n_digits; d++)
        transpose_strip(p, plane + d * layout->digit_bytes, k, strip + d * digit_bytes);
    for (size_t g = 0; g < p->work->n_groups; g++) {
        int8_t tile[MAX_DIGITS][TILE_BYTES];
        sum_tile(p, &from, 0, g, tile[0], TILE_BYTES);
        for (size_t d = 0; d < p->job->n_digits; d++)
            p->product->kernel->rows->pack_rows(
                tile[d], p->work->right + group_at(p, d, g) * p->work->group_bytes + k * PCI_PANEL);
    }
}

void pci_pack_sums(const pci_product *product, const pci_product_job *job, size_t digit,
                   const pci_workspace *work)
{
    const pci_block_sums *sums = product->user;
    const pci_layout *layout = sums->operand;
    packing p = {product, sums, job, work, digit};
    source left = {job->left, layout->stride, layout->digit_bytes,
                   sums->is_plain[0] ? 1 : job->n_digits};
#pragma omp for collapse(2) schedule(static) nowait
    for (size_t g = 0; g < work->n_groups; g++)
        for (size_t k = 0; k < layout->depth; k += SLICE) {
            size_t end = layout->depth - k < SLICE ? layout->depth : k + SLICE;
            pack_left(&p, &left, g, k, end);
            if (sums->mirrors)
                mirror_left(&p, g, k, end);
        }
    if (sums->mirrors)
        return;
#pragma omp for schedule(static) nowait
    for (size_t k = 0; k < layout->depth; k += LINE)
        pack_right(&p, job->right, sums->is_plain[1] ? 1 : job->n_digits, k);
}

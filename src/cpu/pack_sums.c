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
#include "src/cpu/product.h"

#include <omp.h>
#include <string.h>

enum {
    LINE = PCI_LINE_BYTES,
    TILE_BYTES = PCI_ROW_GROUP * LINE, /* a group of blocks, a line of each */
    SLICE = 32 * LINE                  /* of a group's rows: one task */
};

/* Rows to sum: of a plane, or of a transposed strip. */
typedef struct source {
    const int8_t *digits;
    size_t stride, digit_bytes;
    uint32_t n_digits;
} source;

/* One job being packed. */
typedef struct packing {
    const pci_operand_sums *sums;
    const pci_product_job *job;
    int8_t *left;        /* [digit][row], laid out as sums->left */
    uint8_t *right;      /* [digit][panel][depth / 4][PCI_PANEL][4] */
    size_t right_digits; /* bytes from digit to digit */
} packing;

/* The sums of a group of blocks, a line of each: what is packed at once. */
typedef struct tile {
    int8_t digit[PCI_MOST_DIGITS][TILE_BYTES];
} tile;

/* ---- Room ------------------------------------------------------------------------------------ */

static size_t right_digit_bytes(const pci_layout *left)
{
    return left->n_rows * left->depth;
}

static size_t strips_bytes(const pci_layout *operand, bool mirrors, uint32_t most_digits,
                           int n_threads)
{
    return mirrors ? 0 : (size_t)n_threads * most_digits * operand->depth * LINE;
}

size_t pci_operand_sums_bytes(const pci_layout *operand, const pci_layout *result, bool mirrors,
                              uint32_t n_digits, uint32_t most_digits, int n_threads)
{
    pci_layout left = pci_layout_of_rows(result->n, operand->n);
    return n_digits * (left.digit_bytes + right_digit_bytes(&left)) +
           strips_bytes(operand, mirrors, most_digits, n_threads);
}

pc_status pci_operand_sums_create(pc_context *context, uint32_t n_digits, uint32_t most_digits,
                                  int n_threads, pci_operand_sums *sums)
{
    size_t strips = strips_bytes(sums->operand, sums->mirrors, most_digits, n_threads);
    sums->left = pci_layout_of_rows(sums->partition->n_blocks, sums->operand->n);
    sums->left_bytes = n_digits * sums->left.digit_bytes;
    sums->strip_bytes = strips / (size_t)n_threads;
    size_t summed = sums->left_bytes + n_digits * right_digit_bytes(&sums->left);
    sums->summed = pci_alloc(context, summed);
    sums->strips = strips ? pci_alloc(context, strips) : NULL;
    if (sums->summed && (sums->strips || !strips))
        return PC_OK;
    pci_operand_sums_free(context, sums);
    return pci_fail_memory(context, "sums over blocks", summed + strips);
}

void pci_operand_sums_free(pc_context *context, pci_operand_sums *sums)
{
    pci_free(context, sums->summed);
    pci_free(context, sums->strips);
    sums->summed = sums->strips = NULL;
}

/* ---- Sums ------------------------------------------------------------------------------------ */

/* The digits of one line of a block's sum. */
static void sum_digits(const packing *p, const source *from, size_t k, size_t block, int8_t *out)
{
    const pc_partition *partition = p->sums->partition;
    const pci_row_ops *rows = p->sums->rows;
    int32_t acc[PCI_MOST_SUMS][LINE];
    uint32_t first = pci_first_sum_of_one(from->n_digits);
    memset(acc, 0, first * sizeof acc[0]);
    for (uint32_t s = first; s < pci_digits_n_sums(from->n_digits); s++)
        rows->sum_rows(LINE,
                       from->digits + k + pci_right_digit(from->n_digits, s) * from->digit_bytes,
                       from->stride, partition->vertex + partition->start[block], NULL,
                       partition->size[block], acc[s]);
    pci_output_reduce(p->job->outputs, rows, LINE, from->n_digits, acc[0], LINE, out, TILE_BYTES);
}

/* Entries k .. k + LINE - 1 of the sums of the blocks of group g; a group that the blocks do not fill
 * has zeros at its end. */
static void sum_tile(const packing *p, const source *from, size_t k, size_t g, tile *t)
{
    const pc_partition *partition = p->sums->partition;
    size_t first = g * PCI_ROW_GROUP, left = partition->n_blocks - first,
           n = left < PCI_ROW_GROUP ? left : PCI_ROW_GROUP;
    if (p->job->outputs->class != PCI_NARROW)
        for (size_t b = 0; b < n; b++)
            sum_digits(p, from, k, first + b, t->digit[0] + b * LINE);
    else
        p->sums->rows->sum_blocks(n, partition->start + first, partition->vertex, from->digits + k,
                                  from->stride, p->job->outputs->modulus, t->digit[0]);
    for (uint32_t d = 0; d < p->job->n_digits; d++)
        memset(t->digit[d] + n * LINE, 0, TILE_BYTES - n * LINE);
}

static void put_right(const packing *p, size_t g, size_t k, const tile *t)
{
    for (uint32_t d = 0; d < p->job->n_digits; d++)
        p->sums->rows->pack_rows(t->digit[d], p->right + d * p->right_digits +
                                                  (g * p->sums->left.depth + k) * PCI_PANEL);
}

/* ---- Columns --------------------------------------------------------------------------------- */

/* Depth k .. k + LINE - 1 of all columns of the right operand. */
static void sum_columns(const packing *p, size_t n_groups, size_t k)
{
    const pci_layout *layout = p->sums->operand;
    uint32_t n_digits = p->sums->is_plain[1] ? 1 : p->job->n_digits;
    const int8_t *plane = p->job->right;
    size_t digit_bytes = layout->depth * LINE;
    int8_t *strip = p->sums->strips + (size_t)omp_get_thread_num() * p->sums->strip_bytes;
    source from = {strip, LINE, digit_bytes, n_digits};
    size_t n_rows = layout->n_rows - k < LINE ? layout->n_rows - k : LINE;
    if (n_rows < LINE) /* there are none from n_rows on */
        memset(strip, 0, n_digits * digit_bytes);
    for (size_t d = 0; d < n_digits; d++) /* rows k .. k + LINE - 1 become columns of the strip */
        for (size_t i = 0; i < n_rows; i += PCI_TRANSPOSED)
            p->sums->rows->transpose(layout->depth,
                                     plane + d * layout->digit_bytes + (k + i) * layout->stride,
                                     layout->stride, strip + d * digit_bytes + i, LINE);
    for (size_t g = 0; g < n_groups; g++) {
        tile t;
        sum_tile(p, &from, 0, g, &t);
        put_right(p, g, k, &t);
    }
}

/* ---- Operands -------------------------------------------------------------------------------- */

static void sum_job(const packing *p)
{
    const pci_operand_sums *sums = p->sums;
    const pci_layout *layout = sums->operand, *left = &sums->left;
    source rows = {p->job->left, layout->stride, layout->digit_bytes,
                   sums->is_plain[0] ? 1 : p->job->n_digits};
    size_t n_groups = sums->left.n_rows / PCI_ROW_GROUP;
#pragma omp for collapse(2) schedule(static) nowait
    for (size_t g = 0; g < n_groups; g++)
        for (size_t first = 0; first < layout->depth; first += SLICE) {
            size_t end = layout->depth - first < SLICE ? layout->depth : first + SLICE;
            for (size_t k = first; k < end; k += LINE) {
                tile t;
                sum_tile(p, &rows, k, g, &t);
                for (uint32_t d = 0; d < p->job->n_digits; d++) {
                    int8_t *to = p->left + d * left->digit_bytes + g * PCI_ROW_GROUP * left->stride;
                    for (size_t i = 0; i < PCI_ROW_GROUP; i++)
                        memcpy(to + i * left->stride + k, t.digit[d] + i * LINE, LINE);
                }
                if (sums->mirrors)
                    put_right(p, g, k, &t);
            }
        }
    if (sums->mirrors)
        return;
#pragma omp for schedule(static) nowait
    for (size_t k = 0; k < layout->depth; k += LINE)
        sum_columns(p, n_groups, k);
}

/* A job's part of the room, after the digits of the jobs before it. */
static packing packing_of(const pci_operand_sums *sums, const pci_product_job *job, size_t digit)
{
    size_t right_digits = right_digit_bytes(&sums->left);
    return (packing){.sums = sums,
                     .job = job,
                     .left = sums->summed + digit * sums->left.digit_bytes,
                     .right = (uint8_t *)sums->summed + sums->left_bytes + digit * right_digits,
                     .right_digits = right_digits};
}

void pci_sum_operands(const pci_operand_sums *sums, int n_threads, uint32_t n_jobs,
                      pci_product_job *jobs)
{
#pragma omp parallel num_threads(n_threads)
    for (uint32_t j = 0, digit = 0; j < n_jobs; digit += jobs[j++].n_digits) {
        packing p = packing_of(sums, &jobs[j], digit);
        sum_job(&p);
    }
    for (uint32_t j = 0, digit = 0; j < n_jobs; digit += jobs[j++].n_digits) {
        packing p = packing_of(sums, &jobs[j], digit);
        jobs[j].left = p.left;
        jobs[j].right = p.right;
    }
}

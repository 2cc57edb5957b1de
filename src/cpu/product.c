/* Modular products of planes.
 *
 * The operands are packed as left and as right factor, in the order in which the kernel reads
 * them. Here they are packed from planes; pack_sums.c packs sums over blocks. Each tile of 128 x
 * 128 results is one task. The kernel runs over the depth in slices, so that a right panel stays
 * in the cache while all rows of the tile use it. The int32 accumulators stay in the thread's own
 * memory. They are reduced, stored and mirrored while they are in the cache. The tasks of all jobs
 * go through one dynamic loop.
 *
 * The powers of an undirected graph are symmetric. For them only the tiles on and above the
 * diagonal are computed, and the others are their mirror images. */
#include "src/cpu/product.h"

#include <omp.h>
#include <string.h>

enum {
    TILE = 128,        /* rows and columns of a task */
    DEPTH_SLICE = 512, /* of a right panel: 16 KiB */
    MIRROR_BLOCK = 16,
    MAX_DIGITS = 3
};

typedef struct pci_task_scratch {
    int32_t acc[MAX_DIGITS][TILE * TILE];
    int8_t residues[MAX_DIGITS][TILE * TILE];
} task_scratch;

typedef struct frame {
    const pci_product *product;
    const pci_layout *layout; /* of results */
    const pci_product_job *jobs;
    pc_context *context;
    const pci_workspace *work;
    pc_status status; /* of the progress callback, which only the calling thread asks */
} frame;

/* One tile of one job; digit is the first of the job in the workspace. */
typedef struct tile {
    const pci_product_job *job;
    size_t digit;
    size_t row, column;
    size_t n_rows, n_columns; /* of the matrix, without padding */
} tile;

size_t pci_workspace_bytes(const pci_layout *result, size_t depth, uint32_t n_digits, int n_threads)
{
    return n_digits * result->n_rows * (2 * depth + sizeof(int32_t)) +
           (size_t)n_threads * sizeof(task_scratch);
}

/* ---- Packing planes -------------------------------------------------------------------------- */

/* Columns of panel g, 4 rows at a time; depth beyond the plane's rows becomes zero. */
static void pack_right(const pci_product *product, const int8_t *plane, uint8_t *packed)
{
    const pci_layout *layout = product->result;
    for (size_t k = 0; k < layout->n_rows; k += 4)
        product->kernel->rows->pack(plane + k * layout->stride, layout->stride,
                                    packed + k * PCI_PANEL);
    memset(packed + layout->n_rows * PCI_PANEL, PCI_PACK_BIAS,
           (layout->depth - layout->n_rows) * PCI_PANEL);
}

/* Rows of group g, a line of each in turn, and their sums. */
static void pack_left(const pci_product *product, const int8_t *row, int8_t *packed,
                      int32_t *row_sums)
{
    const pci_layout *layout = product->result;
    for (size_t i = 0; i < PCI_ROW_GROUP; i++, row += layout->stride) {
        for (size_t k = 0; k < layout->depth; k += PCI_LINE_BYTES)
            memcpy(packed + k * PCI_ROW_GROUP + i * PCI_LINE_BYTES, row + k, PCI_LINE_BYTES);
        row_sums[i] =
            product->kernel->rows->sum(layout->depth / PCI_LINE_BYTES, row, PCI_LINE_BYTES);
    }
}

static void pack_planes(const pci_product *product, const pci_product_job *job, size_t digit,
                        const pci_workspace *work)
{
    const pci_layout *layout = product->result;
    for (size_t d = 0; d < job->n_digits; d++) {
        const int8_t *left = job->left + d * layout->digit_bytes;
        const int8_t *right = job->right + d * layout->digit_bytes;
#pragma omp for schedule(static) nowait
        for (size_t g = 0; g < work->n_groups; g++) {
            size_t at = (digit + d) * work->n_groups + g;
            pack_left(product, left + g * PCI_ROW_GROUP * layout->stride,
                      work->left + at * work->group_bytes, work->row_sums + at * PCI_ROW_GROUP);
            pack_right(product, right + g * PCI_PANEL, work->right + at * work->group_bytes);
        }
    }
}

pci_product pci_plane_product(const pci_kernel *kernel, int n_threads, bool symmetric,
                              const pci_layout *layout)
{
    return (pci_product){.kernel = kernel,
                         .n_threads = n_threads,
                         .symmetric = symmetric,
                         .depth = layout->depth,
                         .result = layout,
                         .stage = "square",
                         .pack = pack_planes};
}

/* ---- Multiplying ----------------------------------------------------------------------------- */

/* Accumulators start at -128 * row sum: the right factor carries a bias of +128. */
static void start_accumulators(const int32_t *row_sums, size_t n_rows, int32_t *acc)
{
    for (size_t i = 0; i < n_rows; i++)
        for (size_t j = 0; j < TILE; j++)
            acc[i * TILE + j] = (int32_t)(0u - PCI_PACK_BIAS * (uint32_t)row_sums[i]);
}

static void multiply_tile(const frame *f, const tile *t, size_t d, int32_t *acc)
{
    const pci_workspace *work = f->work;
    size_t digit = t->digit + d, n_rows = pci_round_up(t->n_rows, PCI_ROW_GROUP);
    size_t row_group = digit * work->n_groups + t->row / PCI_ROW_GROUP;
    size_t panel = digit * work->n_groups + t->column / PCI_PANEL;
    start_accumulators(work->row_sums + row_group * PCI_ROW_GROUP, n_rows, acc);
    for (size_t k = 0; k < f->product->depth; k += DEPTH_SLICE) {
        size_t left = f->product->depth - k, depth = left < DEPTH_SLICE ? left : DEPTH_SLICE;
        for (size_t j = 0; j < t->n_columns; j += PCI_PANEL)
            for (size_t i = 0; i < n_rows; i += PCI_ROW_GROUP)
                f->product->kernel->block(
                    depth,
                    work->left + (row_group + i / PCI_ROW_GROUP) * work->group_bytes +
                        k * PCI_ROW_GROUP,
                    work->right + (panel + j / PCI_PANEL) * work->group_bytes + k * PCI_PANEL,
                    acc + i * TILE + j, TILE);
    }
}

static void reduce_tile(const frame *f, const tile *t, const pci_output *output,
                        task_scratch *scratch)
{
    for (size_t at = 0; at < t->n_rows * TILE; at += TILE)
        pci_output_reduce(output, f->product->kernel->rows, t->n_columns, t->job->n_digits,
                          scratch->acc[0] + at, TILE * TILE, scratch->residues[0] + at,
                          TILE * TILE);
}

/* Writes the residues of a tile at their place ... */
static void store_tile(const frame *f, const tile *t, const int8_t *residues, int8_t *plane)
{
    for (size_t i = 0; i < t->n_rows; i++)
        memcpy(plane + (t->row + i) * f->layout->stride + t->column, residues + i * TILE,
               t->n_columns);
}

/* ... and transposed across the diagonal, whole blocks; the plane's padding takes the rest. */
static void mirror_tile(const frame *f, const tile *t, int8_t *residues, int8_t *plane)
{
    for (size_t i = 0; i < t->n_rows; i++) /* what lies in padding must stay zero */
        memset(residues + i * TILE + t->n_columns, 0, TILE - t->n_columns);
    size_t row_blocks_end = pci_round_up(t->n_rows, MIRROR_BLOCK);
    memset(residues + t->n_rows * TILE, 0, (row_blocks_end - t->n_rows) * TILE);
    for (size_t i = 0; i < row_blocks_end; i += MIRROR_BLOCK)
        for (size_t j = 0; j < t->n_columns; j += MIRROR_BLOCK)
            f->product->kernel->rows->transpose16(
                residues + i * TILE + j, TILE,
                plane + (t->column + j) * f->layout->stride + t->row + i, f->layout->stride);
}

static void run_tile(const frame *f, const tile *t, task_scratch *scratch)
{
    for (size_t d = 0; d < t->job->n_digits; d++)
        multiply_tile(f, t, d, scratch->acc[d]);
    for (uint32_t o = 0; o < t->job->n_outputs; o++) {
        const pci_output *output = &t->job->outputs[o];
        size_t n_planes = output->wide ? MAX_DIGITS : 1;
        reduce_tile(f, t, output, scratch);
        for (size_t d = 0; d < n_planes; d++) {
            int8_t *plane = output->plane + d * f->layout->digit_bytes;
            store_tile(f, t, scratch->residues[d], plane);
            if (f->product->symmetric && t->row != t->column)
                mirror_tile(f, t, scratch->residues[d], plane);
        }
    }
}

/* Task number within a job to tile: columns outermost, so that threads share packed panels. */
static void find_tile(const frame *f, size_t task, size_t n_tiles, tile *t)
{
    size_t row = task % n_tiles, column = task / n_tiles;
    if (f->product->symmetric) {
        column = 0;
        while (task > column) /* column c has the c + 1 tiles on and above the diagonal */
            task -= ++column;
        row = task;
    }
    t->row = row * TILE;
    t->column = column * TILE;
    t->n_rows = f->layout->n - t->row < TILE ? f->layout->n - t->row : TILE;
    t->n_columns = f->layout->n - t->column < TILE ? f->layout->n - t->column : TILE;
}

static void run_tasks(frame *f, uint32_t n_jobs, task_scratch *scratch)
{
    size_t n_tiles = pci_round_up(f->layout->n, TILE) / TILE;
    size_t n_tasks = f->product->symmetric ? n_tiles * (n_tiles + 1) / 2 : n_tiles * n_tiles;
    f->product->kernel->enter();
    size_t digit = 0;
    for (uint32_t j = 0; j < n_jobs; digit += f->jobs[j].n_digits, j++) {
#pragma omp for schedule(dynamic, 1) nowait
        for (size_t task = 0; task < n_tasks; task++) {
            tile t = {.job = &f->jobs[j], .digit = digit};
            double fraction = (j + (double)task / (double)n_tasks) / n_jobs;
            if (!pci_goes_on(f->context, f->product->stage, fraction, &f->status))
                continue;
            find_tile(f, task, n_tiles, &t);
            run_tile(f, &t, scratch);
        }
    }
    f->product->kernel->leave();
}

void pci_workspace_free(pc_context *context, pci_workspace *workspace)
{
    pci_free(context, workspace->left);
    pci_free(context, workspace->right);
    pci_free(context, workspace->row_sums);
    pci_free(context, workspace->scratch);
    *workspace = (pci_workspace){0};
}

static pc_status reserve(pc_context *context, const pci_product *product, uint32_t n_digits,
                         pci_workspace *work)
{
    size_t n_rows = product->result->n_rows, packed_bytes = n_digits * n_rows * product->depth;
    size_t n_groups = n_rows / PCI_ROW_GROUP, group_bytes = product->depth * PCI_ROW_GROUP;
    if (n_digits <= work->n_digits && n_groups == work->n_groups &&
        group_bytes == work->group_bytes)
        return PC_OK;
    pci_workspace_free(context, work);
    work->n_groups = n_groups;
    work->group_bytes = group_bytes;
    work->left = pci_alloc(context, packed_bytes);
    work->right = pci_alloc(context, packed_bytes);
    work->row_sums = pci_alloc(context, n_digits * n_rows * sizeof *work->row_sums);
    work->scratch = pci_alloc(context, (size_t)product->n_threads * sizeof *work->scratch);
    if (!work->left || !work->right || !work->row_sums || !work->scratch) {
        pci_workspace_free(context, work);
        return pci_fail_memory(
            context, "a matrix product",
            pci_workspace_bytes(product->result, product->depth, n_digits, product->n_threads));
    }
    work->n_digits = n_digits;
    return PC_OK;
}

static void pack_jobs(const frame *f, uint32_t n_jobs)
{
    size_t digit = 0;
    for (uint32_t j = 0; j < n_jobs; digit += f->jobs[j].n_digits, j++)
        f->product->pack(f->product, &f->jobs[j], digit, f->work);
#pragma omp barrier
}

pc_status pci_multiply(pc_context *context, const pci_product *product, uint32_t n_jobs,
                       const pci_product_job *jobs, pci_workspace *workspace)
{
    uint32_t n_digits = 0;
    for (uint32_t j = 0; j < n_jobs; j++)
        n_digits += jobs[j].n_digits;
    pc_status status = reserve(context, product, n_digits, workspace);
    if (status != PC_OK)
        return status;
    memset(workspace->row_sums, 0,
           n_digits * product->result->n_rows * sizeof *workspace->row_sums);
    frame f = {.product = product,
               .layout = product->result,
               .jobs = jobs,
               .context = context,
               .work = workspace};
#pragma omp parallel num_threads(product->n_threads)
    {
        pack_jobs(&f, n_jobs);
        run_tasks(&f, n_jobs, workspace->scratch + omp_get_thread_num());
    }
    return f.status;
}

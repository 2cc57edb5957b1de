/* Modular products of planes.
 *
 * A task is a block of columns of one result, and where there are many threads or rows, a part of its
 * rows. Its columns of the right operand are packed just before they are used, in the order in which
 * the kernel reads them, and few enough to stay in a processor's own cache. The left operand is read
 * where it lies, a few rows at a time over the whole depth; the kernel fetches the next rows meanwhile.
 * So sums stay in registers until they are whole, and residues are made of them there or, where there
 * are several digits or outputs, in the first cache.
 *
 * The powers of an undirected graph are symmetric. For them only what is on and above the diagonal is
 * computed, in steps of one block of the kernel, and the rest is its mirror image. */
#include "src/cpu/product.h"

#include <omp.h>
#include <string.h>

enum {
    BLOCK_BYTES = 512 << 10, /* of packed columns: half of the second cache */
    WIDTH_STEP = PCI_CHUNK,  /* of blocks, in columns: what is packed at once */
    HEIGHT_STEP = 256,       /* of parts of rows: as much as packing again is worth */
    TASKS_A_THREAD = 8,      /* so that all threads end at about the same time */
    ROWS_AT_ONCE = 64        /* a line of what is mirrored */
};

/* Between two questions whether to go on. */
static const double MOST_TASK_PRODUCTS = 4e9;

/* The tasks that results are cut into. */
typedef struct cut {
    size_t width, n_blocks; /* of columns */
    size_t height, n_parts; /* of rows */
} cut;

typedef struct frame {
    const pci_product *product;
    const pci_layout *layout; /* of results */
    const pci_product_job *jobs;
    pc_context *context;
    const pci_workspace *work;
    cut cut;
    pc_status status; /* of the progress callback, which only the calling thread asks */
} frame;

/* One task; rows and columns include padding, where residues are zero. */
typedef struct task {
    const pci_product_job *job;
    const int32_t *starts;
    bool is_narrow;
    size_t row, end_row, column, end_column;
    const uint8_t *packed; /* column's panel, of the first digit */
    size_t digit_bytes;    /* to that of the next digit */
} task;

pci_product pci_plane_product(const pci_kernel *kernel, int n_threads, bool symmetric,
                              const pci_layout *layout)
{
    return (pci_product){.kernel = kernel,
                         .n_threads = n_threads,
                         .symmetric = symmetric,
                         .left = *layout,
                         .result = layout,
                         .stage = "square"};
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t quotient_up(size_t a, size_t b)
{
    return (a + b - 1) / b;
}

static cut cut_of(const pci_product *product, uint32_t n_jobs, uint32_t most_digits)
{
    size_t n_rows = product->result->n_rows, n_threads = (size_t)product->n_threads,
           n_steps = quotient_up(n_rows, WIDTH_STEP),
           shared = quotient_up(n_steps * n_jobs, n_threads * TASKS_A_THREAD),
           packed = BLOCK_BYTES / (most_digits * product->left.depth * WIDTH_STEP); /* at once */
    packed = least(packed ? packed : 1, n_steps);
    cut c = {.width = least(shared, packed) * WIDTH_STEP, .height = n_rows};
    c.n_blocks = quotient_up(n_rows, c.width);
    size_t parts = quotient_up(n_threads, c.n_blocks * n_jobs);
    double part_products = (double)n_rows * (double)c.width * (double)product->left.depth;
    while (parts * MOST_TASK_PRODUCTS < part_products)
        parts++;
    c.height = pci_round_up(quotient_up(n_rows, parts), HEIGHT_STEP);
    c.n_parts = quotient_up(n_rows, c.height);
    return c;
}

/* ---- Memory ---------------------------------------------------------------------------------- */

/* No less for more digits, so that a forecast for the most holds for all. */
static size_t thread_bytes(const pci_product *product, uint32_t most_digits)
{
    size_t step = most_digits * product->left.depth * WIDTH_STEP,
           all = step * quotient_up(product->result->n_rows, WIDTH_STEP),
           block = step > BLOCK_BYTES ? step : BLOCK_BYTES;
    return product->is_packed ? 0 : least(all, block);
}

static size_t starts_bytes(const pci_product *product, uint32_t n_digits)
{
    return n_digits * product->left.n_rows * sizeof(int32_t);
}

size_t pci_workspace_bytes(const pci_product *product, uint32_t n_digits, uint32_t most_digits)
{
    return (size_t)product->n_threads * thread_bytes(product, most_digits) +
           starts_bytes(product, n_digits);
}

void pci_workspace_free(pc_context *context, pci_workspace *workspace)
{
    pci_free(context, workspace->packed);
    pci_free(context, workspace->starts);
    *workspace = (pci_workspace){0};
}

static pc_status reserve(pc_context *context, const pci_product *product, uint32_t n_digits,
                         uint32_t most_digits, pci_workspace *work)
{
    size_t packed = (size_t)product->n_threads * thread_bytes(product, most_digits),
           starts = starts_bytes(product, n_digits);
    if (packed <= work->packed_bytes && starts <= work->starts_bytes)
        return PC_OK;
    pci_workspace_free(context, work);
    work->packed = pci_alloc(context, packed);
    work->starts = pci_alloc(context, starts);
    if (!work->packed || !work->starts) {
        pci_workspace_free(context, work);
        return pci_fail_memory(context, "a matrix product", packed + starts);
    }
    work->packed_bytes = packed;
    work->starts_bytes = starts;
    return PC_OK;
}

/* ---- Operands -------------------------------------------------------------------------------- */

/* Sums start at -128 * row sum of the left operand: the right one carries a bias of +128. */
static void find_starts(const frame *f, uint32_t n_jobs)
{
    const pci_layout *left = &f->product->left;
    int32_t *starts = f->work->starts;
    for (uint32_t j = 0; j < n_jobs; j++)
        for (uint32_t d = 0; d < f->jobs[j].n_digits; d++, starts += left->n_rows) {
            const int8_t *rows = f->jobs[j].left + d * left->digit_bytes;
#pragma omp for schedule(static) nowait
            for (size_t i = 0; i < left->n_rows; i++) {
                int32_t sum = f->product->kernel->rows->sum(left->depth, rows + i * left->stride);
                starts[i] = (int32_t)(0u - PCI_PACK_BIAS * (uint32_t)sum);
            }
        }
#pragma omp barrier
}

/* The task's columns of a plane; depth beyond the plane's rows becomes zero. */
static void pack_columns(const frame *f, const task *t, uint8_t *packed)
{
    size_t depth = f->product->left.depth, panel_bytes = depth * PCI_PANEL,
           n_rows = f->layout->n_rows;
    for (uint32_t d = 0; d < t->job->n_digits; d++, packed += t->digit_bytes) {
        const int8_t *plane = (const int8_t *)t->job->right + d * f->layout->digit_bytes;
        for (size_t j = t->column; j < t->end_column; j += PCI_CHUNK) {
            uint8_t *panel = packed + (j - t->column) * depth;
            f->product->kernel->rows->pack(n_rows, plane + j, f->layout->stride, panel,
                                           panel_bytes);
            for (int p = 0; p < PCI_CHUNK / PCI_PANEL; p++)
                memset(panel + p * panel_bytes + n_rows * PCI_PANEL, PCI_PACK_BIAS,
                       (depth - n_rows) * PCI_PANEL);
        }
    }
}

/* ---- Blocks of the kernel -------------------------------------------------------------------- */

/* Returns the task of product s. */
static pci_factors factors_at(const frame *f, const task *t, size_t row, size_t column, uint32_t s)
{
    const pci_layout *left = &f->product->left;
    size_t n_rows = f->product->kernel->n_rows, done = column - t->column;
    uint32_t d = pci_left_digit(t->job->n_digits, s), e = pci_right_digit(t->job->n_digits, s);
    const int8_t *rows = t->job->left + d * left->digit_bytes;
    size_t next = row + n_rows + n_rows * done / (t->end_column - t->column);
    return (pci_factors){.depth = left->depth,
                         .left = rows + row * left->stride,
                         .left_stride = left->stride,
                         .right = t->packed + e * t->digit_bytes + done * left->depth,
                         .start = t->starts + d * left->n_rows + row,
                         .next = rows + next * left->stride};
}

/* Integers of the sums of all products, sums[][stride], and their mirror images: each column of the block is a
 * line there. Nothing goes to padding. */
static void store_words(const frame *f, const task *t, size_t row, size_t column,
                        const int32_t *sums, size_t stride)
{
    const int32_t *high = t->job->n_digits > 1 ? sums : NULL, *low = high ? sums + stride : sums;
    size_t n = f->layout->n, end_row = least(n, row + f->product->kernel->n_rows),
           end = least(n, column + PCI_PANEL);
    uint64_t *words = t->job->words;
    for (size_t i = row; i < end_row && column < end; i++) {
        size_t at = (i - row) * PCI_PANEL;
        f->product->kernel->rows->join(end - column, high ? high + at : NULL, low + at,
                                       low + stride + at, words + i * n + column);
    }
    for (size_t j = column; f->product->symmetric && j < end; j++)
        for (size_t i = row; i < end_row; i++)
            words[j * n + i] = words[i * n + j];
}

/* The sums of all products, and what is made of them. */
static void multiply_sums(const frame *f, const task *t, size_t row, size_t column)
{
    enum { MOST = PCI_MOST_KERNEL_ROWS * PCI_PANEL };
    _Alignas(PCI_LINE_BYTES) int32_t sums[PCI_MOST_SUMS][MOST];
    int8_t residues[PCI_MOST_DIGITS][MOST];
    const pci_kernel *kernel = f->product->kernel;
    for (uint32_t s = 0; s < pci_digits_n_sums(t->job->n_digits); s++) {
        pci_factors factors = factors_at(f, t, row, column, s);
        kernel->multiply(&factors, sums[s]);
    }
    if (t->job->words)
        store_words(f, t, row, column, sums[0], MOST);
    for (uint32_t o = 0; o < t->job->n_outputs; o++) {
        const pci_output *output = &t->job->outputs[o];
        int8_t *to = output->plane + row * f->layout->stride + column;
        pci_output_reduce(output, kernel->rows, kernel->n_rows * PCI_PANEL, t->job->n_digits,
                          sums[0], MOST, residues[0], MOST);
        for (uint32_t d = 0; d < pci_class_n_digits(output->class); d++)
            for (size_t i = 0; i < kernel->n_rows; i++)
                memcpy(to + d * f->layout->digit_bytes + i * f->layout->stride,
                       residues[d] + i * PCI_PANEL, PCI_PANEL);
    }
}

/* Tells whether the kernel makes the residues. */
static bool is_narrow(const pci_kernel *kernel, const pci_product_job *job)
{
    bool is = kernel->multiply_modulo != NULL && job->n_digits == 1 && !job->words;
    for (uint32_t o = 0; o < job->n_outputs; o++)
        is = is && job->outputs[o].modulus && job->outputs[o].class == PCI_NARROW;
    return is;
}

/* ---- Tasks ----------------------------------------------------------------------------------- */

/* Rows row .. end - 1, as far as they lie above the diagonal, transposed across it: to a line of each
 * of a few rows at a time. */
static void mirror(const frame *f, const task *t, size_t row, size_t end, int8_t *plane)
{
    size_t stride = f->layout->stride;
    for (size_t column = t->column; column < t->end_column; column += PCI_LINE_BYTES)
        for (size_t i = row; i < end; i += PCI_TRANSPOSED) {
            size_t last = least(column + PCI_LINE_BYTES, t->end_column),
                   j = least(column > i ? column : i + PCI_TRANSPOSED, last);
            f->product->kernel->rows->transpose(last - j, plane + i * stride + j, stride,
                                                plane + j * stride + i, stride);
        }
}

/* Rows row .. end - 1 of all outputs. */
static void multiply_rows(const frame *f, const task *t, size_t row, size_t end)
{
    bool symmetric = f->product->symmetric;
    for (size_t i = row; i < end; i += f->product->kernel->n_rows) {
        size_t first = symmetric && i > t->column ? i / PCI_PANEL * PCI_PANEL : t->column;
        for (size_t j = first; j < t->end_column; j += PCI_PANEL) {
            if (!t->is_narrow) {
                multiply_sums(f, t, i, j);
                continue;
            }
            pci_factors factors = factors_at(f, t, i, j, 0);
            f->product->kernel->multiply_modulo(&factors, t->job->n_outputs, t->job->outputs,
                                                i * f->layout->stride + j, f->layout->stride);
        }
    }
    for (uint32_t o = 0; symmetric && o < t->job->n_outputs; o++)
        for (uint32_t d = 0; d < pci_class_n_digits(t->job->outputs[o].class); d++)
            mirror(f, t, row, end, t->job->outputs[o].plane + d * f->layout->digit_bytes);
}

/* Blocks of columns come one after the other, so that parts of one are packed once a thread, and the last ones, which are the
 * longest of a symmetric result, come first. */
static void run_tasks(frame *f, uint32_t n_jobs, uint8_t *packed)
{
    size_t n_rows = f->layout->n_rows, depth = f->product->left.depth;
    size_t n_tasks = f->cut.n_blocks * f->cut.n_parts;
    const int32_t *starts = f->work->starts;
    task held = {0}; /* whose columns this thread has packed */
    if (f->product->kernel->enter)
        f->product->kernel->enter();
    for (uint32_t j = 0; j < n_jobs; starts += f->jobs[j++].n_digits * f->product->left.n_rows) {
#pragma omp for schedule(dynamic, 1) nowait
        for (size_t number = 0; number < n_tasks; number++) {
            double fraction = (j + (double)number / (double)n_tasks) / n_jobs;
            size_t block = f->cut.n_blocks - 1 - number / f->cut.n_parts;
            task t = {.row = number % f->cut.n_parts * f->cut.height,
                      .column = block * f->cut.width};
            t.end_column = least(t.column + f->cut.width, n_rows);
            t.end_row = least(t.row + f->cut.height, f->product->symmetric ? t.end_column : n_rows);
            if (t.row >= t.end_row ||
                !pci_goes_on(f->context, f->product->stage, fraction, &f->status))
                continue;
            t.job = &f->jobs[j];
            t.starts = starts;
            t.is_narrow = is_narrow(f->product->kernel, t.job);
            if (f->product->is_packed) {
                t.packed = (const uint8_t *)t.job->right + t.column * depth;
                t.digit_bytes = n_rows * depth;
            } else {
                t.packed = packed;
                t.digit_bytes = f->cut.width * depth;
                if (held.job != t.job || held.column != t.column)
                    pack_columns(f, &t, packed);
                held = t;
            }
            for (size_t i = t.row; i < t.end_row;
                 i += ROWS_AT_ONCE) /* mirrored from the first cache */
                multiply_rows(f, &t, i, least(i + ROWS_AT_ONCE, t.end_row));
        }
    }
    if (f->product->kernel->leave)
        f->product->kernel->leave();
}

pc_status pci_multiply(pc_context *context, const pci_product *product, uint32_t n_jobs,
                       const pci_product_job *jobs, pci_workspace *workspace)
{
    uint32_t n_digits = 0, most_digits = 1;
    for (uint32_t j = 0; j < n_jobs; j++) {
        n_digits += jobs[j].n_digits;
        most_digits = jobs[j].n_digits > most_digits ? jobs[j].n_digits : most_digits;
    }
    pc_status status = reserve(context, product, n_digits, most_digits, workspace);
    if (status != PC_OK)
        return status;
    frame f = {.product = product,
               .layout = product->result,
               .jobs = jobs,
               .context = context,
               .work = workspace,
               .cut = cut_of(product, n_jobs, most_digits)};
#pragma omp parallel num_threads(product->n_threads)
    {
        find_starts(&f, n_jobs);
        run_tasks(&f, n_jobs,
                  workspace->packed +
                      (size_t)omp_get_thread_num() * thread_bytes(product, most_digits));
    }
    return pci_gone_on(context, f.status);
}

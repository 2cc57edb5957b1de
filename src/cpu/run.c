/* The planes of a run: made, used again, dropped. */
#include "src/cpu/run.h"

#include <omp.h>
#include <string.h>

enum {
    BATCH_BYTES = 4 << 20,   /* of planes multiplied together: small ones, to fill all threads */
    OPERATIONS_AN_ENTRY = 4, /* of the cheapest work on a plane */
    PAGE_BYTES = 4096,
    PAGE_OPERATIONS = 1000 /* that a page takes which nobody has used */
};

int pci_run_n_threads(const pc_context *context, uint64_t n)
{
    return pci_threads_for(context, OPERATIONS_AN_ENTRY * (double)n * (double)n);
}

/* Returns the int8 digits of plane index. */
static uint32_t digits_of_plane(const pci_run *run, uint32_t index)
{
    return run->n_moduli ? pci_run_digits_of(run, index) : 1;
}

void pci_run_drop_plane(pci_run *run, uint32_t n_digits, int8_t *plane)
{
    if (plane && n_digits == 1 && run->n_spare < run->n_most)
        run->spare[run->n_spare++] = plane;
    else
        pci_free(run->context, plane);
}

void pci_run_drop_planes(pci_run *run)
{
    for (uint32_t i = 0; i < run->n_planes; i++)
        pci_run_drop_plane(run, digits_of_plane(run, i), run->plane[i]);
    run->n_planes = 0;
}

void pci_run_free_spare(pci_run *run)
{
    while (run->n_spare > 0)
        pci_free(run->context, run->spare[--run->n_spare]);
}

void pci_run_trim(pci_run *run)
{
    pci_run_free_spare(run);
    pci_workspace_free(run->context, &run->workspace);
}

pc_status pci_run_new_plane_of(pci_run *run, const pci_layout *layout, uint32_t n_digits,
                               int8_t **plane)
{
    size_t bytes = n_digits * layout->digit_bytes;
    int8_t *made = pci_alloc(run->context, bytes);
    if (!made)
        return pci_fail_memory(run->context, "a residue plane", bytes);
    size_t n_rows = n_digits * layout->n_rows;
    int n_threads = pci_threads_for(run->context, (double)bytes / PAGE_BYTES * PAGE_OPERATIONS);
    n_threads = n_threads < run->n_threads ? n_threads : run->n_threads;
#pragma omp parallel for num_threads(n_threads) schedule(static) /* shares the page faults */
    for (size_t i = 0; i < n_rows; i++) {                        /* entries are not set */
        size_t n_entries = i % layout->n_rows < layout->n ? layout->n : 0;
        memset(made + i * layout->stride + n_entries, 0, layout->stride - n_entries);
    }
    *plane = made;
    return PC_OK;
}

/* Makes a plane with zero padding, its entries not set. */
static pc_status new_plane(pci_run *run, uint32_t n_digits, int8_t **plane)
{
    if (n_digits == 1 && run->n_spare > 0) {
        *plane = run->spare[--run->n_spare];
        return PC_OK;
    }
    pci_run_free_spare(run); /* narrow planes come first: they have been served */
    return pci_run_new_plane_of(run, &run->layout, n_digits, plane);
}

pc_status pci_run_new_planes(pci_run *run, uint32_t first, uint32_t n, bool plain, int8_t **planes,
                             uint32_t *n_made)
{
    pc_status status = PC_OK;
    for (uint32_t i = 0; i < n && status == PC_OK; i++) {
        status = new_plane(run, plain ? 1 : pci_run_digits_of(run, first + i), &planes[i]);
        *n_made += status == PC_OK;
    }
    return status;
}

pci_output pci_run_output(const pci_run *run, uint32_t n_moduli, uint32_t index, int8_t *plane)
{
    if (!n_moduli)
        return (pci_output){.modulus = 0, .plane = plane};
    uint16_t m = run->moduli->m[index];
    return (pci_output){m, pci_number_class(m), plane};
}

void pci_run_rows(const pci_run *run, uint32_t first, uint32_t n, size_t i, size_t j, int8_t **rows)
{
    for (uint32_t p = 0; p < n; p++)
        rows[p] = run->plane[first + p] + i * run->layout.stride + j;
}

uint32_t pci_run_batch_planes(const pci_layout *layout)
{
    size_t n = BATCH_BYTES / layout->digit_bytes;
    return !n ? 1 : n < PCI_MOST_BATCH ? (uint32_t)n : PCI_MOST_BATCH;
}

uint32_t pci_run_batch(const pci_run *run, uint32_t first, uint32_t n_moduli)
{
    uint32_t n = 0, n_planes = 0, most = pci_run_batch_planes(&run->layout);
    do
        n_planes += pci_run_digits_of(run, first + n++);
    while (first + n < n_moduli && n_planes + pci_run_digits_of(run, first + n) <= most);
    return n;
}

/* ---- Loading -------------------------------------------------------------------------------- */

/* P = A, or P = words: entries to residues. */

static void split_weights(const pci_run *run, const pci_output *output, size_t first, size_t n,
                          int8_t *digits, size_t digit_bytes)
{
    const uint64_t *weight = run->graph->weight;
    if (weight && output->modulus) {
        run->kernel->rows->split(n, weight + first, output->modulus, output->class, digits,
                                 digit_bytes);
        return;
    }
    bool is_narrow = output->class == PCI_NARROW;
    for (size_t a = 0; a < n; a++) {
        digits[a] = (int8_t)(weight ? weight[first + a] : is_narrow);
        for (uint32_t d = 1; d < pci_class_n_digits(output->class); d++)
            digits[a + d * digit_bytes] = 1; /* 1 = 0 * 2^7 + 1 */
    }
}

static void load_row(const pci_run *run, const pci_output *output, uint64_t i)
{
    enum { MOST = 256 };
    const pc_graph *g = run->graph;
    int8_t digits[PCI_MOST_DIGITS][MOST];
    for (uint32_t d = 0; d < pci_class_n_digits(output->class); d++)
        memset(output->plane + d * run->layout.digit_bytes + i * run->layout.stride, 0, g->n);
    for (size_t first = g->row_start[i]; first < g->row_start[i + 1]; first += MOST) {
        size_t left = g->row_start[i + 1] - first, n = left < MOST ? left : MOST;
        split_weights(run, output, first, n, digits[0], MOST);
        for (uint32_t d = 0; d < pci_class_n_digits(output->class); d++) {
            int8_t *row = output->plane + d * run->layout.digit_bytes + i * run->layout.stride;
            for (size_t a = 0; a < n; a++)
                row[g->column[first + a]] = digits[d][a];
        }
    }
}

pc_status pci_run_load(pci_run *run, uint32_t n_moduli)
{
    run->n_moduli = n_moduli;
    pc_status status =
        pci_run_new_planes(run, 0, n_moduli ? n_moduli : 1, !n_moduli, run->plane, &run->n_planes);
    for (uint32_t p = 0; p < run->n_planes && status == PC_OK; p++) {
        pci_output output = pci_run_output(run, n_moduli, p, run->plane[p]);
#pragma omp parallel for num_threads(run->n_threads) schedule(dynamic, 64)
        for (uint64_t i = 0; i < run->graph->n; i++)
            if (pci_goes_on_at(run->context, "convert", i, run->graph->n, &status))
                load_row(run, &output, i);
    }
    return pci_gone_on(run->context, status);
}

pc_status pci_run_load_words(pci_run *run, const uint64_t *words, uint32_t n_moduli)
{
    pci_run_drop_planes(run);
    run->n_moduli = n_moduli;
    size_t n = run->graph->n;
    pc_status status = pci_run_new_planes(run, 0, n_moduli, false, run->plane, &run->n_planes);
    for (uint32_t p = 0; p < run->n_planes && status == PC_OK; p++) {
        pci_output output = pci_run_output(run, n_moduli, p, run->plane[p]);
#pragma omp parallel for num_threads(run->n_threads) schedule(static)
        for (size_t i = 0; i < n; i++)
            if (pci_goes_on_at(run->context, "convert", i, run->graph->n, &status))
                run->kernel->rows->split(n, words + i * n, output.modulus, output.class,
                                         output.plane + i * run->layout.stride,
                                         run->layout.digit_bytes);
    }
    return pci_gone_on(run->context, status);
}

/* ---- Squares -------------------------------------------------------------------------------- */

/* P = P * P: planes are squared in batches, each operand dropped when its square is there. */

static pc_status square_jobs(pci_run *run, uint32_t n_jobs, const pci_product_job *jobs)
{
    pci_product product =
        pci_plane_product(run->kernel, run->n_threads, run->graph->symmetric, &run->layout);
    return pci_multiply(run->context, &product, n_jobs, jobs, &run->workspace);
}

/* Replaces a plain P by its square or by A P, all outputs at once; n_moduli 0: plain again. */
static pc_status replace_plain(pci_run *run, uint32_t n_moduli, bool is_step)
{
    uint32_t n_outputs = n_moduli ? n_moduli : 1, n_made = 0;
    int8_t *plane = run->plane[0];
    pci_output outputs[PCI_N_MODULI];
    const pci_product_job job = {plane, plane, 1, n_outputs, outputs, NULL};
    pc_status status = pci_run_new_planes(run, 0, n_outputs, !n_moduli, run->plane, &n_made);
    run->n_planes = n_made;
    for (uint32_t p = 0; p < n_made; p++)
        outputs[p] = pci_run_output(run, n_moduli, p, run->plane[p]);
    if (status == PC_OK)
        status = is_step ? pci_run_step_plane(run, plane, 1, n_outputs, outputs)
                         : square_jobs(run, 1, &job);
    run->n_moduli = n_moduli;
    pci_run_drop_plane(run, 1, plane);
    return status;
}

/* Planes are squared in batches; operands are let go of. */
pc_status pci_run_square(pci_run *run, uint32_t n_moduli)
{
    int8_t *results[PCI_MOST_BATCH];
    pci_output outputs[PCI_MOST_BATCH];
    pci_product_job jobs[PCI_MOST_BATCH];
    pc_status status = PC_OK;
    if (!run->n_moduli)
        return replace_plain(run, n_moduli, false);
    for (uint32_t first = 0, n; first < n_moduli && status == PC_OK; first += n) {
        uint32_t n_made = 0;
        n = pci_run_batch(run, first, n_moduli);
        status = pci_run_new_planes(run, first, n, false, results, &n_made);
        for (uint32_t j = 0; j < n_made; j++) {
            int8_t *plane = run->plane[first + j];
            outputs[j] = pci_run_output(run, run->n_moduli, first + j, results[j]);
            jobs[j] = (pci_product_job){.left = plane,
                                        .right = plane,
                                        .n_digits = digits_of_plane(run, first + j),
                                        .n_outputs = 1,
                                        .outputs = &outputs[j]};
        }
        if (status == PC_OK)
            status = square_jobs(run, n, jobs);
        for (uint32_t j = 0; j < n_made; j++) {
            uint32_t p = first + j;
            int8_t *unwanted = status == PC_OK ? run->plane[p] : results[j];
            run->plane[p] = status == PC_OK ? results[j] : run->plane[p];
            pci_run_drop_plane(run, digits_of_plane(run, p), unwanted);
        }
    }
    return status;
}

pc_status pci_run_square_direct(pci_run *run, uint64_t *words)
{
    pci_product_job job = {.left = run->plane[0],
                           .right = run->plane[0],
                           .n_digits = digits_of_plane(run, 0),
                           .words = words};
    return square_jobs(run, 1, &job);
}

/* ---- Sparse steps --------------------------------------------------------------------------- */

/* P = A * P with the sparse A. This takes sums of rows of P and no matrix product.
 *
 * The code computes A P and not P A because the rows of P are contiguous in memory. The two are
 * equal, because P is a power of A. */

/* Row i of A * P for one plane of P: a sum of the rows that row i of A names. */
static void step_row(const pci_run *run, const int8_t *plane, uint32_t n_digits,
                     const int8_t *weights, uint32_t n_outputs, const pci_output *outputs,
                     uint64_t i, int32_t *acc)
{
    const pc_graph *g = run->graph;
    const pci_row_ops *rows = run->kernel->rows;
    size_t n = run->layout.depth, first = g->row_start[i], n_arcs = g->row_start[i + 1] - first;
    uint32_t first_sum = weights ? 0 : pci_first_sum_of_one(n_digits);
    memset(acc, 0, first_sum * n * sizeof *acc);
    for (uint32_t s = first_sum; s < pci_digits_n_sums(n_digits); s++)
        rows->sum_rows(n, plane + pci_right_digit(n_digits, s) * run->layout.digit_bytes,
                       run->layout.stride, g->column + first,
                       weights ? weights + pci_left_digit(n_digits, s) * pci_graph_n_arcs(g) + first
                               : NULL,
                       n_arcs, acc + s * n);
    for (uint32_t o = 0; o < n_outputs; o++)
        pci_output_reduce(&outputs[o], rows, n, n_digits, acc, n,
                          outputs[o].plane + i * run->layout.stride, run->layout.digit_bytes);
}

pc_status pci_run_step_plane(pci_run *run, const int8_t *plane, uint32_t n_digits,
                             uint32_t n_outputs, const pci_output *outputs)
{
    const pc_graph *g = run->graph;
    size_t n_arcs = pci_graph_n_arcs(g), n_acc = pci_digits_n_sums(n_digits) * run->layout.depth;
    int8_t *weights = g->weight ? pci_alloc(run->context, n_digits * n_arcs) : NULL;
    int32_t *acc = pci_alloc(run->context, (size_t)run->n_threads * n_acc * sizeof *acc);
    pc_status status = PC_OK;
    if (!acc || (g->weight && !weights)) {
        status = pci_fail_memory(run->context, "a sparse step",
                                 n_digits * n_arcs + (size_t)run->n_threads * n_acc * sizeof *acc);
        goto done;
    }
    if (weights) {
        pci_output plain = {.modulus = 0};
        split_weights(run, run->n_moduli ? &outputs[0] : &plain, 0, n_arcs, weights, n_arcs);
    }
#pragma omp parallel for num_threads(run->n_threads) schedule(dynamic, 16)
    for (uint64_t i = 0; i < g->n; i++)
        if (pci_goes_on_at(run->context, "convert", i, g->n, &status))
            step_row(run, plane, n_digits, weights, n_outputs, outputs, i,
                     acc + (size_t)omp_get_thread_num() * n_acc);
    status = pci_gone_on(run->context, status);
done:
    pci_free(run->context, weights);
    pci_free(run->context, acc);
    return status;
}

pc_status pci_run_step(pci_run *run, uint32_t n_moduli)
{
    if (!run->n_moduli)
        return replace_plain(run, n_moduli, true);
    pc_status status = PC_OK;
    for (uint32_t p = 0; p < n_moduli && status == PC_OK; p++) {
        int8_t *result = NULL;
        status = pci_progress(run->context, "step", (double)p / n_moduli);
        if (status == PC_OK)
            status = new_plane(run, digits_of_plane(run, p), &result);
        if (status != PC_OK)
            break;
        pci_output output = pci_run_output(run, n_moduli, p, result);
        status = pci_run_step_plane(run, run->plane[p], digits_of_plane(run, p), 1, &output);
        pci_run_drop_plane(run, digits_of_plane(run, p), run->plane[p]);
        run->plane[p] = result;
    }
    return status;
}

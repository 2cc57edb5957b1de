/* Residues recombined: to more residues (base extension), to integers, to words modulo a number. */
#include "src/cpu/run.h"

#include <string.h>

/* Row blocks of an extension begin on chunks, so that images are whole lines of a plane; those of integers are smaller, to
 * stay in the caches. */
enum { EXTEND_ROWS = PCI_CHUNK, COLLECT_ROWS = 16, TILE_COLUMNS = 4 * PCI_CHUNK };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Columns before this one of row i are mirror images of later rows, by whole chunks. */
static size_t first_column(const pci_run *run, size_t i)
{
    return run->graph->symmetric ? i / PCI_CHUNK * PCI_CHUNK : 0;
}

/* A block of rows from i on. Images are made while a tile is in the caches. */
static void extend_rows(const pci_run *run, const pci_recombination *how, uint32_t n_new, size_t i)
{
    int8_t *in[PCI_N_MODULI], *out[PCI_N_MODULI];
    uint32_t old = run->n_moduli;
    pci_row_tile tile = {.n_rows = least(EXTEND_ROWS, run->layout.n - i),
                         .stride = run->layout.stride};
    for (size_t j = first_column(run, i), end; j < run->layout.depth; j = end) {
        end = least(j + TILE_COLUMNS, run->layout.depth);
        tile.n_columns = end - j;
        pci_run_rows(run, 0, old, i, j, in);
        pci_run_rows(run, old, n_new, i, j, out);
        run->kernel->rows->extend(how, tile, (const int8_t *const *)in, out,
                                  run->layout.digit_bytes);
        size_t stride = run->layout.stride, after = i + PCI_CHUNK; /* the block on the diagonal */
        size_t first = j < after ? after : j, last = least(end, run->layout.n_rows);
        size_t i_end = least(i + EXTEND_ROWS, run->layout.n_rows);
        for (uint32_t p = old; p < old + n_new && run->graph->symmetric && first < last; p++)
            for (uint32_t d = 0; d < pci_modulus_n_digits(p); d++) {
                int8_t *plane = run->plane[p] + d * run->layout.digit_bytes;
                for (size_t r = i; r < i_end; r += PCI_TRANSPOSED)
                    run->kernel->rows->transpose(last - first, plane + r * stride + first, stride,
                                                 plane + first * stride + r, stride);
            }
    }
}

pc_status pci_run_extend(pci_run *run, uint32_t n_moduli)
{
    uint32_t old = run->n_moduli, n_new = n_moduli - old;
    if (n_moduli <= old || !old)
        return PC_OK;
    pci_recombination how = {0};
    pc_status status =
        pci_recombination_create(run->context, run->moduli, old, PCI_TARGET_MODULI, n_new, &how);
    if (status == PC_OK)
        status = pci_run_new_planes(run, old, n_new, false, run->plane + old, &run->n_planes);
    if (status == PC_OK) {
#pragma omp parallel for num_threads(run->n_threads) schedule(dynamic)
        for (size_t i = 0; i < run->layout.n; i += EXTEND_ROWS)
            if (pci_goes_on_at(run->context, "convert", i, run->layout.n, &status))
                extend_rows(run, &how, n_new, i);
        run->n_moduli = n_moduli;
    }
    pci_recombination_free(run->context, &how);
    return pci_gone_on(run->context, status);
}

static void collect_plain(const pci_run *run, uint64_t first_row, uint64_t n_rows, uint32_t n_limbs,
                          uint64_t *limbs)
{
    size_t n = run->layout.n;
    memset(limbs, 0, n_rows * n * n_limbs * sizeof *limbs);
#pragma omp parallel for num_threads(run->n_threads) schedule(static)
    for (uint64_t i = 0; i < n_rows; i++) {
        const int8_t *row = run->plane[0] + (first_row + i) * run->layout.stride;
        for (size_t j = 0; j < n; j++)
            limbs[(i * n + j) * n_limbs] = (uint64_t)row[j];
    }
}

/* Copies the integers of a tile, which begins at row i and column j, to where their images are. */
static void mirror_limbs(const pci_run *run, const pci_row_tile *tile, size_t i, size_t j,
                         uint32_t n_limbs, uint64_t *limbs)
{
    size_t n = run->layout.n, after = i / PCI_CHUNK * PCI_CHUNK + PCI_CHUNK;
    for (size_t c = j < after ? after : j; c < j + tile->n_columns; c++)
        for (size_t r = i; r < i + tile->n_rows; r++) {
            const uint64_t *from = limbs + (r * n + c) * n_limbs;
            uint64_t *to = limbs + (c * n + r) * n_limbs;
            for (uint32_t w = 0; w < n_limbs; w++)
                to[w] = from[w];
        }
}

/* n_rows rows of the power from row i on, to rows of limbs. */
static void collect_rows(const pci_run *run, size_t i, size_t n_rows, bool by_halves,
                         uint32_t n_limbs, uint64_t *limbs)
{
    size_t n = run->layout.n, width = by_halves ? TILE_COLUMNS : n;
    pci_row_tile tile = {.n_rows = n_rows, .stride = run->layout.stride};
    int8_t *in[PCI_N_MODULI];
    for (size_t j = by_halves ? first_column(run, i) : 0; j < n; j += width) {
        tile.n_columns = least(width, n - j);
        pci_run_rows(run, 0, run->n_moduli, i, j, in);
        run->kernel->rows->collect(&run->collector, tile, (const int8_t *const *)in,
                                   run->layout.digit_bytes, n_limbs, limbs + j * n_limbs,
                                   n * n_limbs);
        if (by_halves)
            mirror_limbs(run, &tile, i, j, n_limbs, limbs - i * n * n_limbs);
    }
}

pc_status pci_run_collect(pci_run *run, uint64_t first_row, uint64_t n_rows, uint32_t n_limbs,
                          uint64_t *space, const uint64_t **limbs)
{
    size_t n = run->layout.n;
    *limbs = space;
    if (!run->n_moduli) {
        collect_plain(run, first_row, n_rows, n_limbs, space);
        return PC_OK;
    }
    if (run->collector_n_limbs != n_limbs) {
        pci_recombination_free(run->context, &run->collector);
        pc_status status = pci_recombination_create(run->context, run->moduli, run->n_moduli,
                                                    PCI_TARGET_LIMBS, n_limbs, &run->collector);
        if (status != PC_OK)
            return status;
        run->collector_n_limbs = n_limbs;
    }
    /* All rows of a symmetric power whose entries are so wide that they take longer to make than to copy. */
    bool by_halves = run->graph->symmetric && run->n_moduli > PCI_N_NARROW && n_rows == n;
    pc_status status = PC_OK;
#pragma omp parallel for num_threads(run->n_threads) schedule(dynamic)
    for (uint64_t i = 0; i < n_rows; i += COLLECT_ROWS)
        if (pci_goes_on_at(run->context, "collect", first_row + i, n, &status))
            collect_rows(run, first_row + i, least(COLLECT_ROWS, n_rows - i), by_halves, n_limbs,
                         space + i * n * n_limbs);
    return pci_gone_on(run->context, status);
}

pc_status pci_run_collect_modular(pci_run *run, uint64_t modulus, uint64_t *words)
{
    size_t n = run->layout.n;
    pci_recombination how = {0};
    pc_status status = pci_recombination_create(run->context, run->moduli, run->n_moduli,
                                                PCI_TARGET_MODULUS, modulus, &how);
    if (status != PC_OK)
        return status;
#pragma omp parallel for num_threads(run->n_threads) schedule(dynamic, 16)
    for (size_t i = 0; i < n; i++) {
        int8_t *in[PCI_N_MODULI];
        if (!pci_goes_on_at(run->context, "convert", i, n, &status))
            continue;
        pci_run_rows(run, 0, run->n_moduli, i, 0, in);
        run->kernel->rows->collect_modular(&how, n, (const int8_t *const *)in,
                                           run->layout.digit_bytes, modulus, words + i * n);
    }
    pci_recombination_free(run->context, &how);
    return pci_gone_on(run->context, status);
}

/* ---- Reduced products ----------------------------------------------------------------------- */

/* P = S P P S^T or S P A P S^T: one product of operands that are summed over blocks first. Planes are
 * reduced in batches, and each is freed when its result is there. */

/* A reduction in progress. */
typedef struct reduction {
    pci_run *run;
    int8_t *plain; /* P, if it is a plain plane; else NULL */
    bool is_step;
    uint32_t n_moduli;
    pci_layout result; /* n_blocks square */
    pci_operand_sums sums;
} reduction;

/* Moduli first .. first + n - 1 are reduced together. Results take the place of P's planes; a plain plane stays for the next
 * batch. */
static pc_status reduce_batch(const reduction *r, uint32_t first, uint32_t n)
{
    pci_run *run = r->run;
    uint32_t n_stepped = 0, n_results = 0;                     /* planes made */
    int8_t *stepped[PCI_MOST_BATCH], *results[PCI_MOST_BATCH]; /* stepped: A P, if is_step */
    pci_output outputs[PCI_MOST_BATCH];
    pci_product_job jobs[PCI_MOST_BATCH];
    pci_product product = {.kernel = run->kernel,
                           .n_threads = run->n_threads,
                           .symmetric = run->graph->symmetric,
                           .is_packed = true,
                           .left = r->sums.left,
                           .result = &r->result,
                           .stage = "reduce"};
    pc_status status =
        r->is_step ? pci_run_new_planes(run, first, n, false, stepped, &n_stepped) : PC_OK;
    for (uint32_t j = 0; j < n_stepped && status == PC_OK; j++) {
        uint32_t p = first + j, n_digits = r->plain ? 1 : pci_modulus_n_digits(p);
        pci_output output = pci_run_output(run, r->n_moduli, p, stepped[j]);
        status = pci_progress(run->context, "step", (double)p / r->n_moduli);
        if (status == PC_OK)
            status =
                pci_run_step_plane(run, r->plain ? r->plain : run->plane[p], n_digits, 1, &output);
    }
    for (uint32_t j = 0; j < n && status == PC_OK; j++) {
        uint32_t p = first + j;
        const int8_t *operand = r->plain ? r->plain : run->plane[p];
        status = pci_run_new_plane_of(run, &r->result, pci_modulus_n_digits(p), &results[j]);
        if (status != PC_OK)
            break;
        n_results++;
        outputs[j] = pci_run_output(run, r->n_moduli, p, results[j]);
        jobs[j] = (pci_product_job){.left = operand,
                                    .right = r->is_step ? stepped[j] : operand,
                                    .n_digits = pci_modulus_n_digits(p),
                                    .n_outputs = 1,
                                    .outputs = &outputs[j]};
    }
    if (status == PC_OK) {
        pci_sum_operands(&r->sums, run->n_threads, n, jobs);
        status = pci_multiply(run->context, &product, n, jobs, &run->workspace);
    }
    for (uint32_t j = 0; j < n_stepped; j++)
        pci_run_drop_plane(run, pci_modulus_n_digits(first + j), stepped[j]);
    for (uint32_t j = 0; j < n_results; j++)
        if (status != PC_OK) {
            pci_free(run->context, results[j]);
        } else {
            if (!r->plain)
                pci_free(run->context, run->plane[first + j]);
            run->plane[first + j] = results[j];
        }
    if (r->plain && status == PC_OK)
        run->n_planes = first + n;
    return status;
}

pc_status pci_run_reduce(pci_run *run, bool is_step, uint32_t n_moduli)
{
    bool is_plain = !run->n_moduli;
    reduction r = {.run = run,
                   .plain = is_plain ? run->plane[0] : NULL,
                   .is_step = is_step,
                   .n_moduli = n_moduli,
                   .result = pci_layout_of(run->partition->n_blocks),
                   .sums = {.partition = run->partition,
                            .rows = run->kernel->rows,
                            .operand = &run->layout,
                            .is_plain = {is_plain, is_plain && !is_step},
                            .mirrors = run->graph->symmetric && !is_step}};
    uint32_t most = 0; /* digits of the jobs of one batch */
    for (uint32_t first = 0, n; first < n_moduli; first += n) {
        n = pci_run_batch(run, first, n_moduli);
        uint32_t n_digits = pci_moduli_n_planes(first + n) - pci_moduli_n_planes(first);
        most = n_digits > most ? n_digits : most;
    }
    pci_run_trim(run);
    pc_status status = pci_operand_sums_create(run->context, most, pci_moduli_most_digits(n_moduli),
                                               run->n_threads, &r.sums);
    if (status != PC_OK)
        return status;
    run->n_planes = is_plain ? 0 : run->n_planes;
    for (uint32_t first = 0, n; first < n_moduli && status == PC_OK; first += n) {
        n = pci_run_batch(run, first, n_moduli);
        status = reduce_batch(&r, first, n);
    }
    run->n_moduli = n_moduli;
    if (status == PC_OK)
        run->layout = r.result;
    pci_run_free_spare(run);
    pci_operand_sums_free(run->context, &r.sums);
    pci_free(run->context, r.plain);
    return status;
}

/* P = S P P S^T or S P A P S^T: one product of operands that are summed over blocks first. Planes are
 * reduced in batches, and each is freed when its result is there. */
#include "src/cpu/pack_sums.h"
#include "src/cpu/run.h"

/* A reduction in progress. */
typedef struct reduction {
    pci_run *run;
    int8_t *plain; /* P, if it is a plain plane; else NULL */
    bool is_step;
    uint32_t n_moduli;
    pci_layout result; /* n_blocks square */
    pci_operand_sums sums;
} reduction;

/* Moduli that are reduced together. */
typedef struct batch {
    uint32_t first, n;
    uint32_t n_stepped, n_results;   /* planes made */
    int8_t *stepped[PCI_MOST_BATCH]; /* A P, if is_step */
    int8_t *results[PCI_MOST_BATCH];
} batch;

static const int8_t *operand_of(const reduction *r, uint32_t p)
{
    return r->plain ? r->plain : r->run->plane[p];
}

static pc_status step_batch(const reduction *r, batch *b)
{
    pci_run *run = r->run;
    pc_status status = pci_run_new_planes(run, b->first, b->n, false, b->stepped, &b->n_stepped);
    for (uint32_t j = 0; j < b->n && status == PC_OK; j++) {
        uint32_t p = b->first + j;
        pci_output output = pci_run_output(run, r->n_moduli, p, b->stepped[j]);
        uint32_t n_digits = r->plain ? 1 : pci_modulus_n_digits(p);
        status = pci_progress(run->context, "step", (double)p / r->n_moduli);
        if (status == PC_OK)
            status = pci_run_step_plane(run, operand_of(r, p), n_digits, 1, &output);
    }
    return status;
}

static pc_status new_results(const reduction *r, batch *b)
{
    pc_status status = PC_OK;
    for (uint32_t j = 0; j < b->n && status == PC_OK; j++) {
        status = pci_run_new_plane_of(r->run, &r->result, pci_modulus_n_digits(b->first + j),
                                      &b->results[j]);
        b->n_results += status == PC_OK;
    }
    return status;
}

static pc_status multiply_batch(const reduction *r, const batch *b)
{
    pci_run *run = r->run;
    pci_output outputs[PCI_MOST_BATCH];
    pci_product_job jobs[PCI_MOST_BATCH];
    for (uint32_t j = 0; j < b->n; j++) {
        uint32_t p = b->first + j;
        outputs[j] = pci_run_output(run, r->n_moduli, p, b->results[j]);
        jobs[j] = (pci_product_job){.left = operand_of(r, p),
                                    .right = r->is_step ? b->stepped[j] : operand_of(r, p),
                                    .n_digits = pci_modulus_n_digits(p),
                                    .n_outputs = 1,
                                    .outputs = &outputs[j]};
    }
    pci_product product = {.kernel = run->kernel,
                           .n_threads = run->n_threads,
                           .symmetric = run->graph->symmetric,
                           .is_packed = true,
                           .left = r->sums.left,
                           .result = &r->result,
                           .stage = "reduce"};
    pci_sum_operands(&r->sums, run->n_threads, b->n, jobs);
    return pci_multiply(run->context, &product, b->n, jobs, &run->workspace);
}

/* Results take the place of P's planes; a plain plane stays for the next batch. */
static void keep_results(const reduction *r, const batch *b)
{
    pci_run *run = r->run;
    for (uint32_t j = 0; j < b->n; j++) {
        if (!r->plain)
            pci_free(run->context, run->plane[b->first + j]);
        run->plane[b->first + j] = b->results[j];
    }
    if (r->plain)
        run->n_planes = b->first + b->n;
}

static pc_status reduce_batch(const reduction *r, uint32_t first, uint32_t n)
{
    pci_run *run = r->run;
    batch b = {.first = first, .n = n};
    pc_status status = r->is_step ? step_batch(r, &b) : PC_OK;
    if (status == PC_OK)
        status = new_results(r, &b);
    if (status == PC_OK)
        status = multiply_batch(r, &b);
    for (uint32_t j = 0; j < b.n_stepped; j++)
        pci_run_drop_plane(run, pci_modulus_n_digits(first + j), b.stepped[j]);
    if (status == PC_OK)
        keep_results(r, &b);
    for (uint32_t j = 0; j < b.n_results && status != PC_OK; j++)
        pci_free(run->context, b.results[j]);
    return status;
}

/* All batches; P's planes are then those of the results. */
static pc_status reduce_planes(reduction *r)
{
    pci_run *run = r->run;
    pc_status status = PC_OK;
    for (uint32_t first = 0, n; first < r->n_moduli && status == PC_OK; first += n) {
        n = pci_run_batch(run, first, r->n_moduli);
        status = reduce_batch(r, first, n);
    }
    return status;
}

/* Most digits of the jobs of one batch. */
static uint32_t most_digits_at_once(const reduction *r)
{
    uint32_t most = 0;
    for (uint32_t first = 0, n; first < r->n_moduli; first += n) {
        n = pci_run_batch(r->run, first, r->n_moduli);
        uint32_t n_digits = pci_moduli_n_planes(first + n) - pci_moduli_n_planes(first);
        most = n_digits > most ? n_digits : most;
    }
    return most;
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
    pci_run_trim(run);
    pc_status status =
        pci_operand_sums_create(run->context, most_digits_at_once(&r),
                                pci_moduli_most_digits(n_moduli), run->n_threads, &r.sums);
    if (status != PC_OK)
        return status;
    run->n_planes = is_plain ? 0 : run->n_planes;
    status = reduce_planes(&r);
    run->n_moduli = n_moduli;
    if (status == PC_OK)
        run->layout = r.result;
    pci_run_free_spare(run);
    pci_operand_sums_free(run->context, &r.sums);
    pci_free(run->context, r.plain);
    return status;
}

/* Row blocks: collected, certified, passed on. */
#include "src/deliver.h"

#include "src/counts.h"
#include "src/path_operator.h"

#include <string.h>

/* Rows first .. first + n_rows - 1 of a matrix of plan's shape, held at limbs. */
static pc_rows rows_at(const pc_plan *plan, uint64_t first, uint64_t n_rows, const uint64_t *limbs)
{
    return (pc_rows){
        .first_row = first,
        .n_rows = n_rows,
        .n_columns = pci_plan_n_rows(plan),
        .n_limbs = plan->n_limbs,
        .limbs = limbs,
    };
}

static uint64_t min_u64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

pc_status pci_destination_open(pc_context *context, const pc_plan *plan,
                               pci_destination *destination)
{
    destination->context = context;
    destination->modulus = plan->modulus;
    if (!destination->keeps)
        return PC_OK;
    return pci_counts_create(context, pci_plan_n_rows(plan), pci_plan_n_rows(plan), plan->n_limbs,
                             &destination->result);
}

pc_status pci_deliver_rows(pci_destination *destination, const pc_rows *rows)
{
    pc_counts *result = destination->result;
    pc_status status = pci_check_reduced(destination->context, destination->modulus, rows);
    if (status != PC_OK)
        return status;
    if (!result) {
        destination->has_delivered = true;
        return destination->deliver(destination->user, rows);
    }
    size_t at = rows->first_row * rows->n_columns, n = rows->n_rows * rows->n_columns;
    if (rows->values)
        memcpy(result->values + at, rows->values, n * sizeof *rows->values);
    else
        memcpy(result->limbs + at * rows->n_limbs, rows->limbs,
               n * rows->n_limbs * sizeof *rows->limbs);
    result->exponent = rows->exponent;
    return PC_OK;
}

/* Rows that an engine lent, to their place in the result: by threads, to share the page faults. */
static void copy_rows(const pc_rows *rows, int n_threads, uint64_t *place)
{
    size_t row_limbs = rows->n_columns * rows->n_limbs;
#pragma omp parallel for num_threads(n_threads) schedule(static)
    for (uint64_t i = 0; i < rows->n_rows; i++)
        memcpy(place + i * row_limbs, rows->limbs + i * row_limbs, row_limbs * sizeof *place);
}

pc_status pci_certify_paths(pc_context *context, const pc_graph *graph,
                            const pci_schedule *schedule, pc_plan *plan,
                            pci_certificate **certificate)
{
    if (schedule->options.n_certify_rounds == 0)
        return PC_OK;
    double start = pci_now_seconds();
    pci_path_operator paths = {context, graph, plan->n_blocks ? schedule->partition : NULL,
                               plan->length};
    pci_operator map = pci_path_operator_map(&paths);
    pc_status status =
        pci_certificate_create(context, &map, schedule->options.n_certify_rounds, certificate);
    plan->seconds.certify += pci_now_seconds() - start;
    return status;
}

pc_status pci_deliver_checked(pc_context *context, const pci_certificate *certificate,
                              pci_destination *destination, const pc_rows *rows, uint64_t *place,
                              pc_plan *plan)
{
    size_t n_limbs = rows->n_rows * rows->n_columns * rows->n_limbs;
    double start = pci_now_seconds();
    pc_status status = certificate ? pci_certificate_check(certificate, rows) : PC_OK;
    double certified = pci_now_seconds();
    if (status == PC_OK && !destination->result)
        status = pci_deliver_rows(destination, rows);
    else if (status == PC_OK && rows->limbs != place)
        copy_rows(rows, pci_threads_for(context, (double)n_limbs), place);
    plan->seconds.certify += certified - start;
    plan->seconds.deliver += pci_now_seconds() - certified;
    return status;
}

/* One block: into its place in the result, or on to deliver. */
static pc_status deliver_block(pc_context *context, const pci_schedule *schedule, pci_run *run,
                               const pci_certificate *certificate, pci_destination *destination,
                               uint64_t first, uint64_t n_rows, uint64_t *block, pc_plan *plan)
{
    size_t row_limbs = pci_plan_n_rows(plan) * plan->n_limbs;
    uint64_t *place = destination->result ? destination->result->limbs + first * row_limbs : block;
    pc_rows rows = rows_at(plan, first, n_rows, place);
    double start = pci_now_seconds();
    pc_status status =
        schedule->engine->collect(run, first, n_rows, plan->n_limbs, place, &rows.limbs);
    plan->seconds.collect += pci_now_seconds() - start;
    return status == PC_OK
               ? pci_deliver_checked(context, certificate, destination, &rows, place, plan)
               : status;
}

pc_status pci_deliver_run(pc_context *context, const pci_schedule *schedule, pci_run *run,
                          const pci_certificate *certificate, pci_destination *destination,
                          pc_plan *plan)
{
    uint64_t n = pci_plan_n_rows(plan), n_block = pci_plan_block_rows(plan);
    size_t bytes = n_block * n * plan->n_limbs * sizeof(uint64_t);
    uint64_t *block = NULL;
    if (!destination->result && !(block = pci_alloc(context, bytes)))
        return pci_fail_memory(context, "a block of rows", bytes);
    pc_status status = PC_OK;
    for (uint64_t first = 0; first < n && status == PC_OK; first += n_block) {
        status = pci_progress(context, "collect", (double)first / (double)n);
        if (status == PC_OK)
            status = deliver_block(context, schedule, run, certificate, destination, first,
                                   min_u64(n_block, n - first), block, plan);
    }
    pci_free(context, block);
    return status;
}

pc_status pci_deliver_matrix(pc_context *context, const uint64_t *words, const double *values,
                             int64_t exponent, pci_destination *destination, pc_plan *plan)
{
    uint64_t n = pci_plan_n_rows(plan), n_block = pci_plan_block_rows(plan);
    double start = pci_now_seconds();
    pc_status status = PC_OK;
    for (uint64_t first = 0; first < n && status == PC_OK; first += n_block) {
        pc_rows rows = rows_at(plan, first, min_u64(n_block, n - first),
                               words ? words + first * n * plan->n_limbs : NULL);
        rows.values = values ? values + first * n : NULL;
        rows.exponent = exponent;
        status = pci_progress(context, "deliver", (double)first / (double)n);
        if (status == PC_OK)
            status = pci_deliver_rows(destination, &rows);
    }
    plan->seconds.deliver += pci_now_seconds() - start;
    return status;
}

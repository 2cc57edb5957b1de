/* Passes rows on, or keeps them. */
#include "src/run/sink.h"

#include "src/certify/certify.h"
#include "src/rows/counts.h"
#include "src/engine/engine.h"

#include <string.h>

pc_status pci_sink_open(pc_context *context, const pc_plan_info *plan, pci_sink *sink)
{
    uint64_t n = pci_plan_n_rows(plan);
    if (!sink->keeps)
        return PC_OK;
    return pci_counts_create(context, n, n, plan->n_limbs, &sink->result);
}

static void keep(pci_sink *sink, const pc_rows *rows)
{
    pc_counts *result = sink->result;
    size_t at = rows->first_row * rows->n_columns, n = rows->n_rows * rows->n_columns;
    if (rows->values)
        memcpy(result->values + at, rows->values, n * sizeof *rows->values);
    else if (rows->limbs != result->limbs + at * rows->n_limbs)
        memcpy(result->limbs + at * rows->n_limbs, rows->limbs,
               n * rows->n_limbs * sizeof *rows->limbs);
    result->exponent = rows->exponent;
    for (uint64_t i = 0; sink->exponents && i < rows->n_rows; i++)
        sink->exponents[rows->first_row + i] = rows->exponent;
}

bool pci_sink_wants_rows(const pci_sink *sink)
{
    return sink->keeps || sink->deliver;
}

pc_status pci_sink_take(pci_sink *sink, uint64_t length, const pc_rows *rows)
{
    pc_status status = pci_check_reduced(sink->context, sink->modulus, rows);
    if (status != PC_OK)
        return status;
    if (sink->result) {
        keep(sink, rows);
        return PC_OK;
    }
    double start = pci_now_seconds();
    status = pci_reduce(sink->context, sink->reductions, sink->n_reductions, rows);
    if (status == PC_OK && sink->deliver) {
        sink->has_delivered = true;
        status = sink->deliver(sink->user, length, rows);
    }
    sink->seconds += pci_now_seconds() - start;
    return status;
}

void pci_sink_complete(pci_sink *sink, uint64_t length)
{
    sink->n_complete = length;
    sink->has_delivered = false;
}

void pci_sink_reset(pci_sink *sink)
{
    pc_counts_free(sink->result);
    sink->result = NULL;
    for (uint32_t i = 0; i < sink->n_reductions; i++)
        pci_reduction_clear(sink->reductions[i]);
}

/* Processors or a device for sweeps. */
#include "src/sweep_engine.h"

#include "src/engines.h"
#include "src/plan.h"

#include <string.h>

/* What an H100 did with 64 vectors of an R-MAT graph of 2^18 vertices: bytes of lines added up, of
 * rows to the host, of arcs from there. */
static const double SWEPT_BYTES_PER_SECOND = 5e12, ROW_BYTES_PER_SECOND = 25e9,
                    ARC_BYTES_PER_SECOND = 4e9;

static double device_seconds(const pc_context *context, const pci_work *work, uint64_t n_arcs)
{
    double bytes = work->units[PCI_PART_SWEEP] + work->units[PCI_PART_SWEEP_FAR];
    return pci_cuda_start_seconds(context) + bytes / SWEPT_BYTES_PER_SECOND +
           work->units[PCI_PART_ROWS] * sizeof(uint64_t) / ROW_BYTES_PER_SECOND +
           (double)n_arcs * sizeof(uint32_t) / ARC_BYTES_PER_SECOND;
}

static pc_status open_cuda(pc_context *context, const pci_engine **engine)
{
    pc_status status = pci_engine_cuda(context, engine);
    return status != PC_OK || (*engine)->sweeps
               ? status
               : pci_fail(context, PC_ERR_ENGINE,
                          "the CUDA engine has no sweeps; sweep on the CPU (--device cpu)");
}

/* The faster one; CUDA is not started for what the processors have done by then. */
static void choose(pc_context *context, const pci_work *work, uint64_t n_arcs,
                   const pci_engine **engine, pc_plan *plan)
{
    const pci_engine *cuda;
    char before[sizeof context->message];
    double here = pci_cost_seconds(context, work), there = device_seconds(context, work, n_arcs);
    if (here < PCI_CUDA_START_SECONDS) {
        pci_plan_give_reason(plan, "too little work for a GPU to pay (predicted %.3f s)", here);
        return;
    }
    pci_plan_give_reason(plan, "predicted %.2f s on the CPU, %.2f s with CUDA and its start", here,
                         there);
    if (here <= there)
        return;
    memcpy(before, context->message, sizeof before);
    if (open_cuda(context, &cuda) == PC_OK) {
        *engine = cuda;
        return;
    }
    pci_plan_give_reason(plan, "%s", context->message);
    memcpy(context->message, before, sizeof before); /* it is no failure of this call */
}

pc_status pci_sweep_engine(pc_context *context, const char *cpu_because, const pci_work *work,
                           uint64_t n_arcs, const pci_engine **engine, pc_plan *plan)
{
    pc_status status = PC_OK;
    pci_engine_info info;
    *engine = &pci_engine_cpu;
    pci_plan_give_reason(plan, "%s", cpu_because ? cpu_because : "asked for");
    if (!cpu_because && context->devices.kind == PCI_DEVICE_CUDA)
        status = open_cuda(context, engine);
    else if (!cpu_because && context->devices.kind == PCI_DEVICE_AUTO)
        choose(context, work, n_arcs, engine, plan);
    if (status == PC_OK)
        status = (*engine)->describe(context, &info);
    if (status != PC_OK)
        return status;
    plan->engine = (*engine)->name;
    plan->device = info.device;
    plan->n_devices = info.n_devices > 1 ? 1 : info.n_devices; /* sweeps use the first one */
    plan->seconds.start = context->cuda_start_seconds;
    return PC_OK;
}

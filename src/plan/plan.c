/* The parts that all plans have in common. */
#include "src/plan/plan.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum { BLOCK_BYTES = 8 << 20 };

pc_plan_info pci_info_of(const pci_question *question)
{
    const pc_count_options *options = &question->options;
    return (pc_plan_info){
        .engine = pci_engine_cpu.name,
        .kernel = "",
        .device = "",
        .n_threads = pci_n_threads(question->context),
        .symmetric = question->graph->symmetric,
        .arithmetic = options->arithmetic,
        .modulus = options->arithmetic == PC_MODULAR ? options->modulus : 0,
        .n_vertices = question->graph->n,
        .n_blocks = question->query.partition ? question->query.partition->n_blocks : 0,
        .n_arcs = pci_graph_n_arcs(question->graph),
        .length = question->query.length,
        .n_limbs = options->arithmetic == PC_FLOAT ? 0 : 1,
    };
}

pci_plan *pci_plan_create(const pci_question *question, const pci_method *method)
{
    pci_plan *plan = pci_alloc_zero(question->context, 1, sizeof *plan);
    if (!plan)
        return NULL;
    plan->method = method;
    plan->engine = &pci_engine_cpu;
    plan->info = pci_info_of(question);
    return plan;
}

void pci_plan_free(pc_context *context, pci_plan *plan)
{
    if (!plan)
        return;
    if (plan->choice && plan->method->release)
        plan->method->release(plan->choice);
    pci_free(context, plan->choice);
    pci_free(context, plan);
}

void *pci_plan_choice(const pci_question *question, size_t bytes, pci_plan *plan)
{
    plan->choice = pci_alloc_zero(question->context, 1, bytes);
    if (!plan->choice)
        pci_fail_memory(question->context, "a plan", bytes);
    return plan->choice;
}

void pci_plan_refuse(pci_plan *plan, pc_status status, const char *format, ...)
{
    va_list arguments;
    if (plan->status != PC_OK)
        return;
    va_start(arguments, format);
    vsnprintf(plan->why_not, sizeof plan->why_not, format, arguments);
    va_end(arguments);
    plan->status = status;
}

void pci_plan_explain(pci_plan *plan, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(plan->info.engine_reason, sizeof plan->info.engine_reason, format, arguments);
    va_end(arguments);
}

void pci_plan_add_seconds(const pc_plan_info *part, pc_plan_info *info)
{
    info->seconds.load += part->seconds.load;
    info->seconds.extend += part->seconds.extend;
    info->seconds.product += part->seconds.product;
    info->seconds.step += part->seconds.step;
    info->seconds.sweep += part->seconds.sweep;
    info->seconds.collect += part->seconds.collect;
    info->seconds.certify += part->seconds.certify;
    info->seconds.deliver += part->seconds.deliver;
}

void pci_plan_check_memory(const pci_question *question, pci_plan *plan)
{
    const pc_plan_info *info = &plan->info;
    char counts[48] = "doubles";
    if (pci_plan_fits(plan))
        return;
    if (info->arithmetic != PC_FLOAT)
        snprintf(counts, sizeof counts, "counts of %.0f bits", floor(info->bound_bits) + 1);
    pci_plan_refuse(plan, PC_ERR_MEMORY,
                    "%" PRIu64 " vertices and %s need %s; "
                    "%stake a shorter length, count modulo a number (--mod M), or give it a "
                    "machine with more",
                    info->n_vertices, counts,
                    pci_memory_lack(question->context, (double)info->memory_bytes,
                                    (double)info->memory_available_bytes)
                        .text,
                    question->query.keeps ? "stream the rows instead of keeping them, " : "");
}

uint64_t pci_plan_block_rows(const pc_plan_info *info)
{
    uint64_t n = pci_plan_n_rows(info), row_bytes = n * 8 * (info->n_limbs ? info->n_limbs : 1);
    if (info->n_devices > 0)
        return pci_plan_device_rows(info);
    if (pci_plan_is_direct(info))
        return n;
    if (info->symmetric && pci_plan_n_most(info) > PCI_N_NARROW &&
        (double)n * (double)row_bytes <= PCI_ALL_ROWS_SHARE * (double)info->memory_available_bytes)
        return n; /* of all rows together only half of the entries are made of residues */
    uint64_t n_rows = row_bytes ? BLOCK_BYTES / row_bytes : 1,
             n_threads = (uint64_t)info->n_threads;
    n_rows = n_rows > n_threads ? n_rows : n_threads;
    return n_rows < n ? n_rows : n;
}

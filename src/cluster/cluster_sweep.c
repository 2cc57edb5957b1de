/* The first process: sweeps that run on all processes. */
#include "src/cluster/cluster.h"

#include <string.h>

enum { STARTS_AT_ONCE = 1 << 14 };

/* A sweep of all processes. src/cpu/sweep.c and gpu/sweep define the same type for theirs. */
struct pci_sweep {
    pc_context *context;
    pc_cluster *cluster;
    uint32_t number;
    bool shares_vectors; /* the processes do: then steps are taken when rows are asked for */
    uint64_t n_steps;    /* not yet taken */
    pc_status status;    /* of starts that were sent */
    uint64_t n_starts;   /* not yet sent */
    pci_start starts[STARTS_AT_ONCE];
};

static pci_graph_part *part_of(const pc_graph *graph)
{
    const pci_cluster_graph *parts = (const pci_cluster_graph *)graph->parts;
    return parts->cluster->member.part[parts->number];
}

static pc_status create_sweep(pc_context *context, const pc_graph *graph,
                              const pci_sweep_options *options, pci_sweep **sweep)
{
    const pci_cluster_graph *parts = (const pci_cluster_graph *)graph->parts;
    pc_cluster *cluster = parts->cluster;
    uint32_t number = 0;
    while (number < PCI_MOST_PART_SWEEPS && cluster->member.sweep[number].sweep)
        number++;
    if (number == PCI_MOST_PART_SWEEPS)
        return pci_fail(context, PC_ERR_RANGE, "a cluster sweeps %d blocks of vectors at a time",
                        PCI_MOST_PART_SWEEPS);
    pci_sweep *made = pci_alloc(context, sizeof *made);
    if (!made)
        return pci_fail_memory(context, "vectors", sizeof *made);
    made->context = context;
    made->cluster = cluster;
    made->number = number;
    made->shares_vectors = options->n_shares > 0;
    made->n_steps = made->n_starts = 0;
    made->status = PC_OK;
    pci_command command = {.operation = PCI_SWEEP_CREATE,
                           .graph = parts->number,
                           .sweep = number,
                           .n_vectors = options->n_vectors,
                           .n_shares = options->n_shares,
                           .is_symmetric = graph->symmetric,
                           .length = options->length,
                           .moduli = {options->modulus}};
    pc_status status =
        pci_cluster_call(cluster, context, &command, &(pci_caller){.bits = options->bits});
    if (status == PC_OK)
        *sweep = made;
    else
        pci_free(context, made);
    return status;
}

static void command_sweep(pci_sweep *sweep, pci_operation operation)
{
    pci_command command = {.operation = operation, .sweep = sweep->number};
    pci_cluster_call(sweep->cluster, sweep->context, &command, &(pci_caller){0});
}

static void free_sweep(pci_sweep *sweep)
{
    if (!sweep)
        return;
    command_sweep(sweep, PCI_SWEEP_FREE);
    pci_free(sweep->context, sweep);
}

static void clear_sweep(pci_sweep *sweep)
{
    sweep->status = PC_OK;
    sweep->n_steps = sweep->n_starts = 0;
    command_sweep(sweep, PCI_SWEEP_CLEAR);
}

/* The first failure stays: add_start cannot tell of it. */
static pc_status send_starts(pci_sweep *sweep)
{
    pci_command command = {
        .operation = PCI_SWEEP_ADD, .sweep = sweep->number, .n = sweep->n_starts};
    if (sweep->n_starts && sweep->status == PC_OK)
        sweep->status = pci_cluster_call(sweep->cluster, sweep->context, &command,
                                         &(pci_caller){.starts = sweep->starts});
    sweep->n_starts = 0;
    return sweep->status;
}

static void add_start(pci_sweep *sweep, uint32_t vector, uint64_t vertex, uint64_t value)
{
    if (sweep->n_starts == STARTS_AT_ONCE)
        send_starts(sweep);
    sweep->starts[sweep->n_starts++] = (pci_start){vertex, value, vector};
}

/* After the starts. */
static pc_status take_steps(pci_sweep *sweep)
{
    pci_command command = {
        .operation = PCI_SWEEP_STEP, .sweep = sweep->number, .n = sweep->n_steps};
    pc_status status = send_starts(sweep);
    if (status == PC_OK && sweep->n_steps)
        status = pci_cluster_call(sweep->cluster, sweep->context, &command, &(pci_caller){0});
    sweep->n_steps = 0;
    return status;
}

static pc_status step_sweep(pci_sweep *sweep)
{
    sweep->n_steps++;
    return sweep->shares_vectors ? PC_OK : take_steps(sweep);
}

/* Performs the command when all steps were taken; limbs are those of the first process, or NULL. */
static pc_status call_on_lines(pci_sweep *sweep, pci_command *command, uint64_t *limbs)
{
    pc_status status = take_steps(sweep);
    command->sweep = sweep->number;
    return status == PC_OK ? pci_cluster_call(sweep->cluster, sweep->context, command,
                                              &(pci_caller){.limbs = limbs})
                           : status;
}

static pc_status collect_rows(pci_sweep *sweep, uint32_t first, uint32_t n_vectors,
                              uint32_t n_limbs, bool adds, uint64_t *limbs)
{
    pci_command command = {.operation = PCI_SWEEP_ROWS,
                           .first = first,
                           .n_vectors = n_vectors,
                           .n_limbs = n_limbs,
                           .adds = adds};
    return call_on_lines(sweep, &command, limbs);
}

static pc_status keep_rows(pci_sweep *sweep, uint32_t first, uint32_t n_vectors, uint32_t n_limbs,
                           uint32_t number)
{
    pci_command command = {.operation = PCI_SWEEP_KEEP,
                           .first = first,
                           .n_vectors = n_vectors,
                           .n_limbs = n_limbs,
                           .made = number};
    return call_on_lines(sweep, &command, NULL);
}

static uint64_t sweep_bytes(const pc_graph *graph, const pci_sweep_options *options)
{
    pci_sweep_options of_part = *options;
    if (options->n_shares) {
        of_part.n_vectors /= options->n_shares;
        uint64_t bytes = pci_sweep_bytes(graph, &of_part);
        return bytes == UINT64_MAX ? bytes : bytes + pci_gathered_bytes(graph);
    }
    of_part.n_outer = part_of(graph)->n_outer;
    return pci_sweep_bytes(part_of(graph)->graph, &of_part);
}

const pci_sweep_ops pci_cluster_sweeps = {.create = create_sweep,
                                          .free = free_sweep,
                                          .clear = clear_sweep,
                                          .add = add_start,
                                          .step = step_sweep,
                                          .rows = collect_rows,
                                          .keep = keep_rows,
                                          .bytes = sweep_bytes};

static pc_status copy_lines(pci_sweep *sweep, pci_operation operation, const char *path,
                            const pci_lines *lines, uint64_t *sum)
{
    pci_command command = {.operation = operation,
                           .sweep = sweep->number,
                           .n_path = strlen(path) + 1,
                           .lines = *lines,
                           .syncs = !sweep->context->no_sync};
    pci_caller caller = {.path = path, .sum = sum};
    return pci_cluster_call(sweep->cluster, sweep->context, &command, &caller);
}

pc_status pci_cluster_save_lines(pci_sweep *sweep, const char *path, pci_lines *lines)
{
    lines->line_bytes = pci_sweep_line_bytes(sweep->cluster->member.sweep[sweep->number].sweep);
    return copy_lines(sweep, PCI_SWEEP_SAVE, path, lines, &lines->sum);
}

/* Starts that were not sent yet are those of step 0. */
pc_status pci_cluster_load_lines(pci_sweep *sweep, const char *path, const pci_lines *lines)
{
    sweep->n_starts = 0;
    return copy_lines(sweep, PCI_SWEEP_LOAD, path, lines, NULL);
}

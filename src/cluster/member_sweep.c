/* Sweeps of all processes, as each of them performs them on its part: vectors of its own vertices, whose steps need lines of
 * the others first, or vectors of its own along the whole graph. */
#include "src/cluster/member_sweep.h"

#include <string.h>

void pci_member_sweep_free(pci_part_sweep *sweep)
{
    pci_sweep_free(sweep->sweep);
    pc_graph_free(sweep->whole);
    *sweep = (pci_part_sweep){0};
}

/* The sweep of this process: all vectors of own vertices, or vectors of its own along the whole graph. */
static pc_status create_own(const pci_member *member, const pci_command *command,
                            const double *bits, pci_part_sweep *made)
{
    pc_context *context = member->context;
    pci_graph_part *part = made->part = member->part[command->graph];
    pci_sweep_options options = {.n_vectors = command->n_vectors,
                                 .length = command->length,
                                 .bits = bits,
                                 .modulus = command->moduli[0],
                                 .n_threads = pci_n_threads(context)};
    pc_status status = PC_OK;
    if (command->n_shares) {
        options.n_vectors /= command->n_shares;
        status = pci_part_gather(part, context, command->is_symmetric, &made->whole);
    } else {
        options.n_outer = part->n_outer;
    }
    if (status != PC_OK)
        return status;
    const pc_graph *graph = made->whole ? made->whole : part->graph;
    made->n_vectors = options.n_vectors;
    made->n_vertices = graph->n;
    status = pci_sweep_create(context, graph, &options, &made->sweep);
    if (status == PC_OK)
        status = pci_part_reserve(part, pci_sweep_most_line_bytes(made->sweep), 0);
    return pci_processes_agree(&member->all, member->context, status);
}

pc_status pci_member_sweep_create(pci_member *member, const pci_command *command,
                                  const pci_caller *caller)
{
    pc_context *context = member->context;
    pci_part_sweep *made = &member->sweep[command->sweep];
    bool is_exact = !command->moduli[0];
    size_t n_bytes = is_exact ? (command->length + 1) * sizeof(double) : 1;
    double *bits = pci_alloc(context, n_bytes);
    pc_status status = pci_processes_agree_on_memory(&member->all, member->context, bits != NULL,
                                                     "vectors", n_bytes);
    if (status != PC_OK) {
        pci_free(context, bits);
        return status;
    }
    if (caller && is_exact)
        memcpy(bits, caller->bits, n_bytes);
    if (is_exact)
        pci_processes_share(&member->all, 0, bits, n_bytes);
    status = create_own(member, command, bits, made);
    pci_free(context, bits);
    if (status != PC_OK)
        pci_member_sweep_free(made);
    return status;
}

pc_status pci_member_sweep_add(const pci_member *member, const pci_command *command,
                               const pci_caller *caller)
{
    const pci_part_sweep *sweep = &member->sweep[command->sweep];
    uint64_t rank = (uint64_t)member->all.rank;
    uint64_t begin = sweep->whole ? 0 : sweep->part->first[rank];
    uint64_t first_vector = sweep->whole ? rank * sweep->n_vectors : 0;
    pci_start *starts = pci_alloc(member->context, command->n * sizeof *starts);
    pc_status status = pci_processes_agree_on_memory(&member->all, member->context, starts != NULL,
                                                     "starts", command->n * sizeof *starts);
    if (status == PC_OK) {
        if (caller)
            memcpy(starts, caller->starts, command->n * sizeof *starts);
        pci_processes_share(&member->all, 0, starts, command->n * sizeof *starts);
        for (uint64_t i = 0; i < command->n; i++)
            if (starts[i].vertex - begin < sweep->n_vertices &&
                starts[i].vector - first_vector < sweep->n_vectors)
                pci_sweep_add(sweep->sweep, (uint32_t)(starts[i].vector - first_vector),
                              starts[i].vertex - begin, starts[i].value);
    }
    pci_free(member->context, starts);
    return status;
}

static void copy_lines(const void *user, uint64_t n, const uint32_t *vertices, bool backwards,
                       void *lines)
{
    pci_sweep_get_lines(user, n, vertices, backwards, lines);
}

static void exchange_lines(const pci_member *member, const pci_part_sweep *sweep)
{
    size_t line_bytes = pci_sweep_line_bytes(sweep->sweep);
    bool backwards;
    void *outer = pci_sweep_outer_lines(sweep->sweep, &backwards);
    pci_part_exchange(sweep->part, line_bytes, backwards, copy_lines, sweep->sweep, outer);
    member->all.count->step_bytes += pci_part_n_given(sweep->part) * line_bytes;
    pci_sweep_take_outer(sweep->sweep);
}

/* Processes that send vectors of their own wait for each other at the end only. */
pc_status pci_member_sweep_step(const pci_member *member, const pci_command *command)
{
    const pci_part_sweep *sweep = &member->sweep[command->sweep];
    pc_status status = PC_OK;
    for (uint64_t s = 0; s < command->n && status == PC_OK; s++) {
        if (!sweep->whole)
            exchange_lines(member, sweep);
        status = pci_sweep_step(sweep->sweep);
        if (!sweep->whole)
            status = pci_processes_agree(&member->all, member->context, status);
        member->all.count->n_steps++;
    }
    if (sweep->whole)
        status = pci_processes_agree(&member->all, member->context, status);
    return status;
}

/* The lines of own vertices go to a file, or come from it. */
pc_status pci_member_sweep_copy(const pci_member *member, const pci_command *command,
                                const pci_caller *caller)
{
    pc_context *context = member->context;
    const pci_part_sweep *sweep = &member->sweep[command->sweep];
    char *path = pci_alloc(context, command->n_path);
    pc_status status = pci_processes_agree_on_memory(&member->all, member->context, path != NULL,
                                                     "a path", command->n_path);
    if (status == PC_OK) {
        uint64_t sum;
        if (caller)
            memcpy(path, caller->path, command->n_path);
        pci_processes_share(&member->all, 0, path, command->n_path);
        if (command->operation == PCI_SWEEP_LOAD)
            status = pci_lines_read(sweep->part, context, sweep->sweep, path, &command->lines);
        else
            status =
                pci_lines_write(sweep->part, context, sweep->sweep, path, command->syncs, &sum);
        if (caller && command->operation == PCI_SWEEP_SAVE)
            *caller->sum = sum;
    }
    pci_free(context, path);
    return status;
}

void pci_member_sweep_keep(const pci_member *member, const pci_command *command)
{
    const pci_part_sweep *sweep = &member->sweep[command->sweep];
    const pci_long_vector *into = pci_slices_vector(&member->slices, command->made);
    pci_sweep_rows_of(sweep->sweep, command->first, command->n_vectors, command->n_limbs, false,
                      into->n, into->words);
}

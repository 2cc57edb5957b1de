/* Operations of all processes on their parts. */
#include "src/cluster/member_sweep.h"

#include "src/cluster/power_perform.h"
#include "src/cpu/modular.h"
#include "src/plan/limits.h"
#include "src/vectors/long_vector.h"
#include "src/vectors/doubles.h"
#include "src/vectors/non_backtracking.h"

#include <malloc.h>
#include <string.h>
#include <time.h>

enum { POLLS_BEFORE_SLEEP = 1000, SLEEP_NANOSECONDS = 20000 };

static bool is_first(const pci_member *member)
{
    return member->all.rank == 0;
}

/* ---- Counts ---------------------------------------------------------------------------------- */

static uint64_t held_bytes(void)
{
#ifdef __GLIBC_PREREQ
#if __GLIBC_PREREQ(2, 33)
    struct mallinfo2 info = mallinfo2();
    return (uint64_t)info.uordblks + (uint64_t)info.hblkhd;
#endif
#endif
    return 0;
}

/* After each step. */
static void note_memory(const pci_member *member)
{
    pc_process_count *count = member->all.count;
    uint64_t now = held_bytes(), before = member->first_held_bytes;
    if (now > before && now - before > count->held_bytes)
        count->held_bytes = now - before;
}

void pci_member_begin(MPI_Comm comm, pci_member *member)
{
    *member = (pci_member){.all = {.comm = comm, .count = &member->count},
                           .first_held_bytes = held_bytes()};
    MPI_Comm_rank(comm, &member->all.rank);
    MPI_Comm_size(comm, &member->all.n);
}

static void gather_counts(const pci_member *member, const pci_caller *caller)
{
    int n_bytes = (int)sizeof(pc_process_count);
    MPI_Gather(&member->count, n_bytes, MPI_BYTE, caller ? caller->counts : NULL, n_bytes, MPI_BYTE,
               0, member->all.comm);
}

/* ---- Messages -------------------------------------------------------------------------------- */

/* Waiting processes leave the processors to the first one, which may plan, print or read meanwhile. */
static void wait_politely(MPI_Request *request)
{
    const struct timespec pause = {.tv_nsec = SLEEP_NANOSECONDS};
    int is_done = 0;
    for (int polls = 0; !is_done; polls++) {
        MPI_Test(request, &is_done, MPI_STATUS_IGNORE);
        if (!is_done && polls > POLLS_BEFORE_SLEEP)
            nanosleep(&pause, NULL);
    }
}

static void share_command(const pci_member *member, pci_command *command)
{
    MPI_Request request;
    MPI_Ibcast(command, sizeof *command, MPI_BYTE, 0, member->all.comm, &request);
    wait_politely(&request);
}

/* From the first process to all. */
static void share(const pci_member *member, void *bytes, size_t n_bytes)
{
    pci_processes_share(&member->all, 0, bytes, n_bytes);
}

/* all[n] of the first process: entries of own vertices go to each. */
static void scatter(const pci_member *member, const uint64_t *first, size_t entry_bytes,
                    const void *all, void *own)
{
    const char *from = all;
    int rank = member->all.rank;
    size_t n_bytes = (first[rank + 1] - first[rank]) * entry_bytes;
    if (!is_first(member)) {
        pci_processes_receive(&member->all, 0, own, n_bytes);
        return;
    }
    for (int r = 1; r < member->all.n; r++)
        pci_processes_send(&member->all, r, from + first[r] * entry_bytes,
                           (first[r + 1] - first[r]) * entry_bytes);
    memcpy(own, from, n_bytes);
}

/* The way back. */
static void gather(const pci_member *member, const uint64_t *first, size_t entry_bytes,
                   const void *own, void *all)
{
    char *to = all;
    int rank = member->all.rank;
    size_t n_bytes = (first[rank + 1] - first[rank]) * entry_bytes;
    if (!is_first(member)) {
        pci_processes_send(&member->all, 0, own, n_bytes);
        return;
    }
    memcpy(to, own, n_bytes);
    for (int r = 1; r < member->all.n; r++)
        pci_processes_receive(&member->all, r, to + first[r] * entry_bytes,
                              (first[r + 1] - first[r]) * entry_bytes);
}

static pc_status agree(const pci_member *member, pc_status status)
{
    return pci_processes_agree(&member->all, member->context, status);
}

/* ---- Graphs ---------------------------------------------------------------------------------- */

/* Slices of the rows that the first process has, for all but itself, and its own as a copy. */
static pc_status take_rows(const pci_member *member, const pci_command *command,
                           const pc_graph *graph, const uint64_t *first, pci_part_rows *rows)
{
    pc_context *context = member->context;
    const pci_processes *all = &member->all;
    uint64_t n_own = first[all->rank + 1] - first[all->rank];
    rows->row_start = pci_alloc(context, (n_own + 1) * sizeof *rows->row_start);
    pc_status status =
        pci_processes_agree_on_memory(&member->all, member->context, rows->row_start != NULL,
                                      "a part of the graph", (n_own + 1) * 8);
    if (status != PC_OK)
        return status;
    scatter(member, first, sizeof *rows->row_start, graph ? graph->row_start : NULL,
            rows->row_start);
    uint64_t *arcs = pci_alloc_zero(context, (size_t)all->n + 1, sizeof *arcs); /* as first */
    status = pci_processes_agree_on_memory(&member->all, member->context, arcs != NULL,
                                           "a part of the graph", 64);
    if (status != PC_OK)
        return status;
    for (int r = 0; graph && r <= all->n; r++)
        arcs[r] = graph->row_start[first[r]];
    share(member, arcs, ((size_t)all->n + 1) * sizeof *arcs);
    uint64_t begin = arcs[all->rank], n_arcs = arcs[all->rank + 1] - begin;
    for (uint64_t v = 0; v < n_own; v++)
        rows->row_start[v] -= begin;
    rows->row_start[n_own] = n_arcs;
    rows->column = pci_alloc(context, (n_arcs + 1) * sizeof *rows->column);
    if (command->is_weighted)
        rows->weight = pci_alloc(context, (n_arcs + 1) * sizeof *rows->weight);
    status = pci_processes_agree_on_memory(&member->all, member->context,
                                           rows->column && (rows->weight || !command->is_weighted),
                                           "a part of the graph", n_arcs * 12);
    if (status == PC_OK)
        scatter(member, arcs, sizeof *rows->column, graph ? graph->column : NULL, rows->column);
    if (status == PC_OK && command->is_weighted)
        scatter(member, arcs, sizeof *rows->weight, graph ? graph->weight : NULL, rows->weight);
    pci_free(context, arcs);
    return status;
}

static pc_status distribute(pci_member *member, const pci_command *command,
                            const pci_caller *caller)
{
    pc_context *context = member->context;
    size_t n_firsts = (size_t)member->all.n + 1;
    const pc_graph *graph = caller ? caller->graph : NULL;
    pci_part_rows rows = {0};
    uint64_t *first = pci_alloc_zero(context, n_firsts, sizeof *first);
    pc_status status = pci_processes_agree_on_memory(&member->all, member->context, first != NULL,
                                                     "a part of the graph", n_firsts * 8);
    if (status != PC_OK) {
        pci_free(context, first);
        return status;
    }
    if (graph)
        pci_part_ranges(graph->n, graph->row_start, member->all.n, first);
    share(member, first, n_firsts * sizeof *first);
    status = take_rows(member, command, graph, first, &rows);
    if (status == PC_OK)
        status =
            pci_part_create(&member->all, context, first, &rows, &member->part[command->graph]);
    pci_part_rows_free(context, &rows);
    pci_free(context, first);
    return status;
}

/* path: room for that of the command. */
static pc_status read_part(pci_member *member, const pci_command *command, const pci_caller *caller,
                           uint64_t *first, char *path)
{
    pci_part_facts facts;
    size_t n_firsts = (size_t)member->all.n + 1;
    if (caller) {
        memcpy(first, caller->file->first, n_firsts * sizeof *first);
        memcpy(path, caller->file->path, command->n_path);
    }
    share(member, first, n_firsts * sizeof *first);
    share(member, path, command->n_path);
    pci_part_file file = {.path = path,
                          .head = command->head,
                          .takes_weights = command->takes_weights,
                          .seed = command->seed,
                          .first = first};
    pc_status status =
        pci_part_read(&member->all, member->context, &file, &facts, &member->part[command->graph]);
    if (caller)
        *caller->facts = facts;
    return status;
}

static pc_status read_graph(pci_member *member, const pci_command *command,
                            const pci_caller *caller)
{
    pc_context *context = member->context;
    size_t n_firsts = (size_t)member->all.n + 1;
    uint64_t *first = pci_alloc_zero(context, n_firsts, sizeof *first);
    char *path = pci_alloc(context, command->n_path);
    pc_status status = pci_processes_agree_on_memory(&member->all, member->context, first && path,
                                                     "a part of the graph", n_firsts * 8);
    if (status == PC_OK)
        status = read_part(member, command, caller, first, path);
    pci_free(context, first);
    pci_free(context, path);
    return status;
}

/* What the graph is beside its arcs stays in the first process. */
static pc_status read_text(pci_member *member, const pci_command *command, const pci_caller *caller)
{
    pc_context *context = member->context;
    char *path = pci_alloc(context, command->n_path);
    pc_graph *made = NULL;
    bool is_declined = false;
    pc_status status = pci_processes_agree_on_memory(&member->all, member->context, path != NULL,
                                                     "a path", command->n_path);
    if (status == PC_OK) {
        if (caller)
            memcpy(path, caller->path, command->n_path);
        share(member, path, command->n_path);
        pci_part_text text = {path, (pc_format)command->format, command->options, command->seed};
        status = pci_part_read_text(&member->all, context, &text, &is_declined, &made,
                                    &member->part[command->graph]);
    }
    pci_free(context, path);
    if (caller) {
        *caller->is_declined = is_declined;
        *caller->made = made;
    } else {
        pc_graph_free(made);
    }
    return status;
}

static pc_status reverse(pci_member *member, const pci_command *command)
{
    return pci_part_reverse(member->part[command->graph], member->context,
                            &member->part[command->made]);
}

static pc_status check(const pci_member *member, const pci_command *command)
{
    return agree(member, pc_graph_check(member->context, member->part[command->graph]->graph));
}

static void multiply(const pci_member *member, const pci_command *command, const pci_caller *caller)
{
    pci_graph_part *part = member->part[command->graph];
    const pc_graph *graph = part->graph;
    bool is_pair = command->product == PCI_PARTS_MODULAR_PAIR;
    size_t entry_bytes = is_pair ? 2 * sizeof(uint64_t) : sizeof(uint64_t);
    int n_threads = pci_threads_for(member->context, 2.0 * (double)pci_graph_n_arcs(graph));
    scatter(member, part->first, entry_bytes, caller ? caller->x : NULL, part->x);
    pci_part_complete(part, entry_bytes, part->x);
    switch (command->product) {
    case PCI_PARTS_MODULAR:
        pci_graph_multiply_mod(graph, n_threads, part->x, command->moduli[0], part->y);
        break;
    case PCI_PARTS_MODULAR_PAIR:
        pci_graph_multiply_mod_pair(graph, n_threads, part->x, command->moduli, part->y);
        break;
    case PCI_PARTS_WORDS:
        pci_graph_add_words(graph, n_threads, part->x, part->y);
        break;
    case PCI_PARTS_CHAIN:
        pci_chain_rows(graph, n_threads, part->x, part->y);
        break;
    case PCI_PARTS_CHAIN_SUMS:
        pci_chain_sums(graph, part->y);
        break;
    default:
        pci_bound_rows(graph, n_threads, command->product == PCI_PARTS_BOUND_WHOLE, part->x,
                       part->y);
    }
    gather(member, part->first, entry_bytes, part->y, caller ? caller->y : NULL);
    note_memory(member);
}

static pc_status multiply_integers(const pci_member *member, const pci_command *command,
                                   const pci_caller *caller)
{
    pci_graph_part *part = member->part[command->graph];
    size_t x_bytes = command->n_x_words * sizeof(uint64_t);
    size_t y_bytes = command->n_y_words * sizeof(uint64_t);
    pc_status status = agree(member, pci_part_reserve(part, 0, y_bytes));
    if (status != PC_OK)
        return status;
    double work =
        ((double)pci_graph_n_arcs(part->graph) + (double)part->n_own) * command->n_x_words;
    int n_threads = pci_threads_for(member->context, work);
    scatter(member, part->first, x_bytes, caller ? caller->x : NULL, part->x);
    pci_part_complete(part, x_bytes, part->x);
    uint64_t bits = pci_long_vector_multiply(part->graph, n_threads, command->n_x_words,
                                             command->n_y_words, part->x, part->y),
             most;
    gather(member, part->first, y_bytes, part->y, caller ? caller->y : NULL);
    note_memory(member);
    MPI_Reduce(&bits, &most, 1, MPI_UINT64_T, MPI_MAX, 0, member->all.comm);
    if (caller)
        *caller->y_bits = most;
    return PC_OK;
}

static pc_status reserve_pairs(const pci_member *member, const pci_command *command)
{
    return agree(member, pci_part_reserve(member->part[command->graph], 0, 2 * sizeof(uint64_t)));
}

static void take_digest(const pci_member *member, const pci_command *command,
                        const pci_caller *caller)
{
    uint64_t digest[2];
    pci_part_digest(member->part[command->graph], digest);
    if (caller)
        memcpy(caller->digest, digest, sizeof digest);
}

static pc_status perform_slices(pci_member *member, const pci_command *command,
                                const pci_caller *caller)
{
    pc_status status = pci_slices_perform(&member->slices, member->context,
                                          member->part[command->graph], member->part[command->made],
                                          &command->slices, caller ? caller->slices : NULL);
    note_memory(member);
    return status;
}

/* ---- Commands -------------------------------------------------------------------------------- */

static pc_status perform(pci_member *member, const pci_command *command, const pci_caller *caller)
{
    pc_status status;
    switch ((pci_operation)command->operation) {
    case PCI_DISTRIBUTE:
        return distribute(member, command, caller);
    case PCI_READ:
        return read_graph(member, command, caller);
    case PCI_READ_TEXT:
        return read_text(member, command, caller);
    case PCI_REVERSE:
        return reverse(member, command);
    case PCI_CHECK:
        return check(member, command);
    case PCI_DIGEST:
        take_digest(member, command, caller);
        return PC_OK;
    case PCI_FREE_GRAPH:
        pci_part_free(member->part[command->graph]);
        member->part[command->graph] = NULL;
        return PC_OK;
    case PCI_MULTIPLY:
        multiply(member, command, caller);
        return PC_OK;
    case PCI_MULTIPLY_INTEGERS:
        return multiply_integers(member, command, caller);
    case PCI_PREPARE_PAIRS:
        return reserve_pairs(member, command);
    case PCI_SLICES:
        return perform_slices(member, command, caller);
    case PCI_SWEEP_CREATE:
        return pci_member_sweep_create(member, command, caller);
    case PCI_SWEEP_CLEAR:
        pci_sweep_clear(member->sweep[command->sweep].sweep);
        return PC_OK;
    case PCI_SWEEP_ADD:
        return pci_member_sweep_add(member, command, caller);
    case PCI_SWEEP_STEP:
        status = pci_member_sweep_step(member, command);
        note_memory(member);
        return status;
    case PCI_SWEEP_ROWS:
        pci_member_sweep_rows(member, command, caller);
        return PC_OK;
    case PCI_SWEEP_KEEP:
        pci_member_sweep_keep(member, command);
        return PC_OK;
    case PCI_SWEEP_SAVE:
    case PCI_SWEEP_LOAD:
        return pci_member_sweep_copy(member, command, caller);
    case PCI_SWEEP_FREE:
        pci_member_sweep_free(&member->sweep[command->sweep]);
        return PC_OK;
    case PCI_COUNT:
        gather_counts(member, caller);
        return PC_OK;
    case PCI_POWER:
        return pci_power_perform(member->part[command->graph], member->context, &command->power,
                                 caller ? caller->power : NULL, &member->power);
    case PCI_END:
        break;
    }
    return PC_OK;
}

pc_status pci_member_call(pci_member *member, const pci_command *command, const pci_caller *caller)
{
    pci_command announced = *command;
    share_command(member, &announced);
    return perform(member, command, caller);
}

void pci_member_serve(pci_member *member)
{
    for (pci_command command;;) {
        share_command(member, &command);
        if (command.operation == PCI_END)
            return;
        perform(member, &command, NULL);
    }
}

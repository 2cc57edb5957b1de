/* Operations of all processes on their parts. */
#include "src/cluster/member.h"

#include "src/cpu/modular.h"
#include "src/plan/bound.h"
#include "src/vectors/markov.h"
#include "src/vectors/non_backtracking.h"

#include <gmp.h>

#include <string.h>
#include <time.h>

enum {
    TAG_VECTOR = 2,
    MOST_ITEMS = 1 << 30, /* in one message: counts of MPI are ints */
    POLLS_BEFORE_SLEEP = 1000,
    SLEEP_NANOSECONDS = 20000
};

static bool is_first(const pci_member *member)
{
    return member->all.rank == 0;
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

static void send_bytes(const pci_member *member, int to, const void *bytes, size_t n_bytes)
{
    const char *at = bytes;
    for (size_t left = n_bytes; left > 0;) {
        size_t n = left < MOST_ITEMS ? left : MOST_ITEMS;
        MPI_Send(at, (int)n, MPI_BYTE, to, TAG_VECTOR, member->all.comm);
        at += n;
        left -= n;
    }
}

static void receive_bytes(const pci_member *member, int from, void *bytes, size_t n_bytes)
{
    char *at = bytes;
    for (size_t left = n_bytes; left > 0;) {
        size_t n = left < MOST_ITEMS ? left : MOST_ITEMS;
        MPI_Recv(at, (int)n, MPI_BYTE, from, TAG_VECTOR, member->all.comm, MPI_STATUS_IGNORE);
        at += n;
        left -= n;
    }
}

/* all[n] of the first process: entries of own vertices go to each. */
static void scatter(const pci_member *member, const uint64_t *first, size_t entry_bytes,
                    const void *all, void *own)
{
    const char *from = all;
    int rank = member->all.rank;
    size_t n_bytes = (first[rank + 1] - first[rank]) * entry_bytes;
    if (!is_first(member)) {
        receive_bytes(member, 0, own, n_bytes);
        return;
    }
    for (int r = 1; r < member->all.n; r++)
        send_bytes(member, r, from + first[r] * entry_bytes,
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
        send_bytes(member, 0, own, n_bytes);
        return;
    }
    memcpy(to, own, n_bytes);
    for (int r = 1; r < member->all.n; r++)
        receive_bytes(member, r, to + first[r] * entry_bytes,
                      (first[r + 1] - first[r]) * entry_bytes);
}

static pc_status agree(const pci_member *member, pc_status status)
{
    return pci_processes_agree(&member->all, member->context, status);
}

static pc_status agree_on_memory(const pci_member *member, bool has_memory, const char *what,
                                 size_t bytes)
{
    return agree(member, has_memory ? PC_OK : pci_fail_memory(member->context, what, bytes));
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
        agree_on_memory(member, rows->row_start != NULL, "a part of the graph", (n_own + 1) * 8);
    if (status != PC_OK)
        return status;
    scatter(member, first, sizeof *rows->row_start, graph ? graph->row_start : NULL,
            rows->row_start);
    uint64_t *arcs = pci_alloc_zero(context, (size_t)all->n + 1, sizeof *arcs); /* as first */
    status = agree_on_memory(member, arcs != NULL, "a part of the graph", 64);
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
    status = agree_on_memory(member, rows->column && (rows->weight || !command->is_weighted),
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
    pc_status status = agree_on_memory(member, first != NULL, "a part of the graph", n_firsts * 8);
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
    pc_status status = agree_on_memory(member, first && path, "a part of the graph", n_firsts * 8);
    if (status == PC_OK)
        status = read_part(member, command, caller, first, path);
    pci_free(context, first);
    pci_free(context, path);
    return status;
}

static pc_status reverse(pci_member *member, const pci_command *command, const pci_caller *caller)
{
    pc_context *context = member->context;
    const pci_graph_part *part = member->part[command->graph];
    uint64_t *row_start =
        caller ? caller->row_start : pci_alloc(context, (command->n + 1) * sizeof *row_start);
    pc_status status = pci_part_reverse(part, context, row_start, &member->part[command->made]);
    if (!caller)
        pci_free(context, row_start);
    return status;
}

static pc_status check(const pci_member *member, const pci_command *command)
{
    return agree(member, pc_graph_check(member->context, member->part[command->graph]->graph));
}

static void multiply(const pci_member *member, const pci_command *command, const pci_caller *caller)
{
    const pci_graph_part *part = member->part[command->graph];
    const pc_graph *graph = part->graph;
    bool is_pair = command->product == PCI_PARTS_MODULAR_PAIR;
    size_t entry_bytes = is_pair ? 2 * sizeof(uint64_t) : sizeof(uint64_t);
    int n_threads = pci_threads_for(member->context, 2.0 * (double)pci_graph_n_arcs(graph));
    scatter(member, part->first, entry_bytes, caller ? caller->x : NULL, part->x);
    pci_part_complete(part, entry_bytes);
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
}

/* ---- Sweeps ---------------------------------------------------------------------------------- */

static void free_sweep(pci_member *member, pci_part_sweep *sweep)
{
    pci_sweep_free(sweep->sweep);
    pci_free(member->context, sweep->sent);
    pci_free(member->context, sweep->taken);
    *sweep = (pci_part_sweep){0};
}

static pc_status create_sweep(pci_member *member, const pci_command *command,
                              const pci_caller *caller)
{
    pc_context *context = member->context;
    pci_part_sweep *made = &member->sweep[command->sweep];
    size_t n_bytes = (command->length + 1) * sizeof(double);
    double *bits = pci_alloc(context, n_bytes);
    pc_status status = agree_on_memory(member, bits != NULL, "vectors", n_bytes);
    if (status != PC_OK) {
        pci_free(context, bits);
        return status;
    }
    if (caller)
        memcpy(bits, caller->bits, n_bytes);
    share(member, bits, n_bytes);
    pci_sweep_options options = {.n_vectors = command->n_vectors,
                                 .length = command->length,
                                 .bits = bits,
                                 .n_threads = pci_n_threads(context)};
    made->part = member->part[command->graph];
    status = pci_sweep_create(context, made->part->graph, &options, &made->sweep);
    pci_free(context, bits);
    if (status == PC_OK) {
        size_t line_bytes = pci_sweep_most_line_bytes(made->sweep);
        made->sent = pci_alloc(context, pci_part_n_given(made->part) * line_bytes + 1);
        made->taken = pci_alloc(context, made->part->n_outer * line_bytes + 1);
        if (!made->sent || !made->taken)
            status = pci_fail_memory(context, "lines of vectors", made->part->n_outer * line_bytes);
    }
    status = agree(member, status);
    if (status != PC_OK)
        free_sweep(member, made);
    return status;
}

static pc_status add_starts(const pci_member *member, const pci_command *command,
                            const pci_caller *caller)
{
    const pci_part_sweep *sweep = &member->sweep[command->sweep];
    const pci_graph_part *part = sweep->part;
    uint64_t begin = part->first[part->all.rank];
    pci_start *starts = pci_alloc(member->context, command->n * sizeof *starts);
    pc_status status =
        agree_on_memory(member, starts != NULL, "starts", command->n * sizeof *starts);
    if (status == PC_OK) {
        if (caller)
            memcpy(starts, caller->starts, command->n * sizeof *starts);
        share(member, starts, command->n * sizeof *starts);
        for (uint64_t i = 0; i < command->n; i++)
            if (starts[i].vertex >= begin && starts[i].vertex - begin < part->n_own)
                pci_sweep_add(sweep->sweep, (uint32_t)starts[i].vector, starts[i].vertex - begin,
                              starts[i].value);
    }
    pci_free(member->context, starts);
    return status;
}

static pc_status step_sweep(const pci_member *member, const pci_command *command)
{
    const pci_part_sweep *sweep = &member->sweep[command->sweep];
    const pci_graph_part *part = sweep->part;
    pci_sweep_get_lines(sweep->sweep, pci_part_n_given(part), part->given, sweep->sent);
    pci_part_exchange(part, pci_sweep_line_bytes(sweep->sweep), sweep->sent, sweep->taken);
    pci_sweep_set_lines(sweep->sweep, part->n_own, part->n_outer, sweep->taken);
    return agree(member, pci_sweep_step(sweep->sweep));
}

/* own[n_vectors][own and outer vertices][n_limbs] become rows of all vertices in the first process, where they are put
 * in limbs or, by way of sum, added. */
static void gather_rows(const pci_member *member, const pci_command *command,
                        const pci_graph_part *part, const uint64_t *own, uint64_t *sum,
                        uint64_t *limbs)
{
    uint64_t n = part->first[member->all.n];
    uint32_t n_limbs = command->n_limbs;
    for (uint32_t v = 0; v < command->n_vectors; v++) {
        uint64_t *row = limbs ? limbs + v * n * n_limbs : NULL;
        gather(member, part->first, n_limbs * sizeof *own, own + v * part->graph->n * n_limbs,
               sum ? sum : row);
        for (uint64_t i = 0; sum && i < n; i++)
            mpn_add_n(row + i * n_limbs, row + i * n_limbs, sum + i * n_limbs, n_limbs);
    }
}

static pc_status collect_rows(const pci_member *member, const pci_command *command,
                              const pci_caller *caller)
{
    pc_context *context = member->context;
    const pci_part_sweep *sweep = &member->sweep[command->sweep];
    const pci_graph_part *part = sweep->part;
    if (member->all.n == 1)
        return pci_sweep_rows(sweep->sweep, command->first, command->n_vectors, command->n_limbs,
                              command->adds, caller->limbs);
    size_t entry_bytes = command->n_limbs * sizeof(uint64_t);
    size_t bytes = (command->n_vectors * part->graph->n + 1) * entry_bytes;
    size_t sum_bytes = (part->first[member->all.n] + 1) * entry_bytes;
    bool adds_here = caller && command->adds;
    uint64_t *own = pci_alloc(context, bytes);
    uint64_t *sum = adds_here ? pci_alloc(context, sum_bytes) : NULL;
    pc_status status = agree_on_memory(member, own && (sum || !adds_here), "rows", bytes);
    if (status == PC_OK)
        status = agree(member, pci_sweep_rows(sweep->sweep, command->first, command->n_vectors,
                                              command->n_limbs, false, own));
    if (status == PC_OK)
        gather_rows(member, command, part, own, sum, caller ? caller->limbs : NULL);
    pci_free(context, own);
    pci_free(context, sum);
    return status;
}

/* ---- Commands -------------------------------------------------------------------------------- */

static pc_status perform(pci_member *member, const pci_command *command, const pci_caller *caller)
{
    switch ((pci_operation)command->operation) {
    case PCI_DISTRIBUTE:
        return distribute(member, command, caller);
    case PCI_READ:
        return read_graph(member, command, caller);
    case PCI_REVERSE:
        return reverse(member, command, caller);
    case PCI_CHECK:
        return check(member, command);
    case PCI_FREE_GRAPH:
        pci_part_free(member->part[command->graph]);
        member->part[command->graph] = NULL;
        return PC_OK;
    case PCI_MULTIPLY:
        multiply(member, command, caller);
        return PC_OK;
    case PCI_SWEEP_CREATE:
        return create_sweep(member, command, caller);
    case PCI_SWEEP_CLEAR:
        pci_sweep_clear(member->sweep[command->sweep].sweep);
        return PC_OK;
    case PCI_SWEEP_ADD:
        return add_starts(member, command, caller);
    case PCI_SWEEP_STEP:
        return step_sweep(member, command);
    case PCI_SWEEP_ROWS:
        return collect_rows(member, command, caller);
    case PCI_SWEEP_FREE:
        free_sweep(member, &member->sweep[command->sweep]);
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

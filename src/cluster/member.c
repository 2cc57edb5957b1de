/* Operations of all processes on their parts. */
#include "src/cluster/member.h"

#include "src/cpu/modular.h"
#include "src/plan/limits.h"
#include "src/vectors/long_vector.h"
#include "src/vectors/doubles.h"
#include "src/vectors/non_backtracking.h"

#include <malloc.h>
#include <string.h>
#include <time.h>

enum { POLLS_BEFORE_SLEEP = 1000, SLEEP_NANOSECONDS = 20000, TAG_ROWS = 3 };

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

/* Is called after each step. */
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

/* ---- Messages -------------------------------------------------------------------------------- */

static bool is_first(const pci_member *member)
{
    return member->all.rank == 0;
}

/* Waiting processes leave the processors to the first one, which may plan, print or read meanwhile. */
static void share_command(const pci_member *member, pci_command *command)
{
    const struct timespec pause = {.tv_nsec = SLEEP_NANOSECONDS};
    MPI_Request request;
    int is_done = 0;
    MPI_Ibcast(command, sizeof *command, MPI_BYTE, 0, member->all.comm, &request);
    for (int polls = 0; !is_done; polls++) {
        MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
        if (!is_done && polls > POLLS_BEFORE_SLEEP)
            nanosleep(&pause, NULL);
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

static pc_status agree_on_memory(const pci_member *member, bool has_memory, uint64_t bytes)
{
    return pci_processes_agree_on_memory(&member->all, member->context, has_memory,
                                         "a part of the graph", bytes);
}

/* ---- Graphs ---------------------------------------------------------------------------------- */

/* Slices of the rows that the first process has, for all but itself, and its own as a copy. */
static pc_status take_rows(const pci_member *member, bool is_weighted, const pc_graph *graph,
                           const uint64_t *first, pci_part_rows *rows)
{
    pc_context *context = member->context;
    size_t n_processes = (size_t)member->all.n, rank = (size_t)member->all.rank;
    uint64_t n_own = first[rank + 1] - first[rank], begin = 0, n_arcs = 0;
    uint64_t *arcs = pci_alloc_zero(context, n_processes + 1, sizeof *arcs); /* as first */
    rows->row_start = pci_alloc(context, (n_own + 1) * sizeof *rows->row_start);
    pc_status status = agree_on_memory(member, arcs && rows->row_start, (n_own + 1) * 8);
    if (status == PC_OK) {
        for (size_t r = 0; graph && r <= n_processes; r++)
            arcs[r] = graph->row_start[first[r]];
        pci_processes_share(&member->all, 0, arcs, (n_processes + 1) * sizeof *arcs);
        begin = arcs[rank];
        n_arcs = arcs[rank + 1] - begin;
        rows->column = pci_alloc(context, (n_arcs + 1) * sizeof *rows->column);
        if (is_weighted)
            rows->weight = pci_alloc(context, (n_arcs + 1) * sizeof *rows->weight);
        status =
            agree_on_memory(member, rows->column && (rows->weight || !is_weighted), n_arcs * 12);
    }
    if (status == PC_OK) {
        scatter(member, first, sizeof *rows->row_start, graph ? graph->row_start : NULL,
                rows->row_start);
        for (uint64_t v = 0; v < n_own; v++)
            rows->row_start[v] -= begin;
        rows->row_start[n_own] = n_arcs;
        scatter(member, arcs, sizeof *rows->column, graph ? graph->column : NULL, rows->column);
        if (is_weighted)
            scatter(member, arcs, sizeof *rows->weight, graph ? graph->weight : NULL, rows->weight);
    }
    pci_free(context, arcs);
    return status;
}

static pc_status distribute(pci_member *member, const pci_command *command,
                            const pci_caller *caller)
{
    pc_context *context = member->context;
    const pci_processes *all = &member->all;
    pci_part_rows rows = {0};
    pc_status status;
    uint64_t *first =
        pci_processes_copy(all, context, caller->first, ((size_t)all->n + 1) * sizeof *first,
                           "a part of the graph", &status);
    if (status == PC_OK)
        status = take_rows(member, command->is_weighted, caller->in, first, &rows);
    if (status == PC_OK)
        status = pci_part_create(all, context, first, &rows, &member->part[command->graph]);
    pci_part_rows_free(context, &rows);
    pci_free(context, first);
    return status;
}

static void multiply(const pci_member *member, const pci_command *command, const pci_caller *caller)
{
    pci_graph_part *part = member->part[command->graph];
    const pc_graph *graph = part->graph;
    bool is_pair = command->product == PCI_PARTS_MODULAR_PAIR;
    size_t entry_bytes = is_pair ? 2 * sizeof(uint64_t) : sizeof(uint64_t);
    int n_threads = pci_threads_for(member->context, 2.0 * (double)pci_graph_n_arcs(graph));
    scatter(member, part->first, entry_bytes, caller->in, part->x);
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
    gather(member, part->first, entry_bytes, part->y, caller->out);
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
    scatter(member, part->first, x_bytes, caller->in, part->x);
    pci_part_complete(part, x_bytes, part->x);
    uint64_t bits = pci_long_vector_multiply(part->graph, n_threads, command->n_x_words,
                                             command->n_y_words, part->x, part->y),
             most;
    gather(member, part->first, y_bytes, part->y, caller->out);
    note_memory(member);
    MPI_Reduce(&bits, &most, 1, MPI_UINT64_T, MPI_MAX, 0, member->all.comm);
    if (is_first(member))
        *caller->bits = most;
    return PC_OK;
}

static void take_digest(const pci_member *member, const pci_command *command,
                        const pci_caller *caller)
{
    uint64_t digest[2];
    pci_part_digest(member->part[command->graph], digest);
    if (is_first(member))
        memcpy(caller->out, digest, sizeof digest);
}

static pc_status perform_slices(pci_member *member, const pci_command *command,
                                const pci_caller *caller)
{
    pc_status status =
        pci_slices_perform(&member->slices, member->context, member->part[command->graph],
                           member->part[command->made], &command->slices, caller->in);
    note_memory(member);
    return status;
}

/* ---- Sweeps ----------------------------------------------------------------------------------
 *
 * Vectors of own vertices, whose steps need lines of the others first, or vectors of its own along the whole graph. */

static void free_sweep(pci_part_sweep *sweep)
{
    pci_sweep_free(sweep->sweep);
    pc_graph_free(sweep->whole);
    *sweep = (pci_part_sweep){0};
}

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
    return agree(member, status);
}

static pc_status create_sweep(pci_member *member, const pci_command *command,
                              const pci_caller *caller)
{
    pci_part_sweep *made = &member->sweep[command->sweep];
    size_t n_bytes = command->moduli[0] ? 0 : (command->length + 1) * sizeof(double);
    pc_status status;
    double *bits =
        pci_processes_copy(&member->all, member->context, caller->in, n_bytes, "vectors", &status);
    if (status == PC_OK)
        status = create_own(member, command, bits, made);
    pci_free(member->context, bits);
    if (status != PC_OK)
        free_sweep(made);
    return status;
}

static pc_status add_starts(const pci_member *member, const pci_command *command,
                            const pci_caller *caller)
{
    const pci_part_sweep *sweep = &member->sweep[command->sweep];
    uint64_t rank = (uint64_t)member->all.rank;
    uint64_t begin = sweep->whole ? 0 : sweep->part->first[rank];
    uint64_t first_vector = sweep->whole ? rank * sweep->n_vectors : 0;
    pc_status status;
    pci_start *starts = pci_processes_copy(&member->all, member->context, caller->in,
                                           command->n * sizeof *starts, "starts", &status);
    for (uint64_t i = 0; i < command->n && status == PC_OK; i++)
        if (starts[i].vertex - begin < sweep->n_vertices &&
            starts[i].vector - first_vector < sweep->n_vectors)
            pci_sweep_add(sweep->sweep, (uint32_t)(starts[i].vector - first_vector),
                          starts[i].vertex - begin, starts[i].value);
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
static pc_status step_sweep(const pci_member *member, const pci_command *command)
{
    const pci_part_sweep *sweep = &member->sweep[command->sweep];
    pc_status status = PC_OK;
    for (uint64_t s = 0; s < command->n && status == PC_OK; s++) {
        if (!sweep->whole)
            exchange_lines(member, sweep);
        status = pci_sweep_step(sweep->sweep);
        if (!sweep->whole)
            status = agree(member, status);
        member->all.count->n_steps++;
    }
    if (sweep->whole)
        status = agree(member, status);
    return status;
}

/* The lines of own vertices go to a file, or come from it. */
static pc_status save_or_load(const pci_member *member, const pci_command *command,
                              const pci_caller *caller)
{
    pc_context *context = member->context;
    const pci_part_sweep *sweep = &member->sweep[command->sweep];
    bool saves = command->operation == PCI_SWEEP_SAVE;
    uint64_t sum = 0;
    pc_status status;
    char *path =
        pci_processes_copy(&member->all, context, caller->path, command->n_path, "a path", &status);
    if (status == PC_OK)
        status =
            saves ? pci_lines_write(sweep->part, context, sweep->sweep, path, command->syncs, &sum)
                  : pci_lines_read(sweep->part, context, sweep->sweep, path, &command->lines);
    if (is_first(member) && saves)
        *(uint64_t *)caller->out = sum;
    pci_free(context, path);
    return status;
}

/* Entries of own vertices become those of consecutive vectors in parts. */
static void keep_rows(const pci_member *member, const pci_command *command)
{
    const pci_part_sweep *sweep = &member->sweep[command->sweep];
    const pci_long_vector *into = pci_slices_vector(&member->slices, command->made);
    pci_sweep_rows_of(sweep->sweep, command->first, command->n_vectors, command->n_limbs, false,
                      into->n, into->words);
}

/* ---- Rows of sweeps -------------------------------------------------------------------------- */

/* Entries that process r has of those that the first one asks for, as it numbers them; its own vectors. */
typedef struct entry_range {
    uint64_t first_vertex, n_vertices;
    uint32_t first, n_vectors; /* of the sweep of process r */
    uint64_t at;               /* of these, among the vectors asked for */
} entry_range;

static entry_range range_of(const pci_command *command, const pci_part_sweep *sweep, int r)
{
    const uint64_t *first = sweep->part->first;
    if (!sweep->whole)
        return (entry_range){first[r], first[r + 1] - first[r], command->first, command->n_vectors,
                             0};
    uint64_t begin = (uint64_t)r * sweep->n_vectors, end = begin + sweep->n_vectors;
    uint64_t asked = command->first, asked_end = asked + command->n_vectors;
    uint64_t from = begin > asked ? begin : asked, to = end < asked_end ? end : asked_end;
    if (from >= to)
        return (entry_range){0};
    return (entry_range){0, sweep->n_vertices, (uint32_t)(from - begin), (uint32_t)(to - from),
                         from - asked};
}

/* Pieces of own entries go to the first process. */
static void send_rows(const pci_member *member, const pci_command *command,
                      const pci_part_sweep *sweep)
{
    pci_part_pieces *pieces = &sweep->part->pieces;
    entry_range own = range_of(command, sweep, member->all.rank);
    if (!own.n_vectors)
        return;
    size_t bytes = pci_sweep_packed_bytes(sweep->sweep, own.first, own.n_vectors);
    uint64_t n = own.n_vertices, lines = pci_part_piece_lines(bytes);
    int slot = 0;
    for (int i = 0; i < PCI_PIECES; i++)
        pieces->sent[i] = MPI_REQUEST_NULL;
    for (uint64_t i = 0; i < n; i += lines, slot = (slot + 1) % PCI_PIECES) {
        uint64_t n_lines = n - i < lines ? n - i : lines;
        char *piece = pci_part_piece(pieces, slot);
        MPI_Wait(&pieces->sent[slot], MPI_STATUS_IGNORE);
        pci_sweep_pack(sweep->sweep, own.first, own.n_vectors, i, n_lines, piece);
        MPI_Isend(piece, (int)(n_lines * bytes), MPI_BYTE, 0, TAG_ROWS, member->all.comm,
                  &pieces->sent[slot]);
        member->all.count->vector_bytes += n_lines * bytes;
    }
    MPI_Waitall(PCI_PIECES, pieces->sent, MPI_STATUSES_IGNORE);
}

/* Those of process r: while one piece is read, the next one comes. */
static void take_rows_of(const pci_member *member, const pci_command *command,
                         const pci_part_sweep *sweep, int r, uint64_t *limbs)
{
    pci_part_pieces *pieces = &sweep->part->pieces;
    entry_range range = range_of(command, sweep, r);
    if (!range.n_vectors)
        return;
    size_t bytes = pci_sweep_packed_bytes(sweep->sweep, range.first, range.n_vectors);
    uint64_t n = range.n_vertices, lines = pci_part_piece_lines(bytes), n_begun = 0;
    uint64_t n_all = sweep->part->first[member->all.n];
    for (uint64_t i = 0; i < n; i += lines) {
        for (; n_begun < n && n_begun < i + 2 * lines; n_begun += lines) {
            int slot = (int)(n_begun / lines % PCI_PIECES);
            uint64_t n_lines = n - n_begun < lines ? n - n_begun : lines;
            MPI_Irecv(pci_part_piece(pieces, slot), (int)(n_lines * bytes), MPI_BYTE, r, TAG_ROWS,
                      member->all.comm, &pieces->sent[slot]);
        }
        int slot = (int)(i / lines % PCI_PIECES);
        MPI_Wait(&pieces->sent[slot], MPI_STATUS_IGNORE);
        pci_sweep_unpack(sweep->sweep, range.first, range.n_vectors, command->n_limbs,
                         command->adds, n_all, range.first_vertex + i,
                         n - i < lines ? n - i : lines, pci_part_piece(pieces, slot),
                         limbs + range.at * n_all * command->n_limbs);
    }
}

/* Vectors go to the first process: of each process the entries of its vertices, or its vectors. */
static void gather_rows(const pci_member *member, const pci_command *command,
                        const pci_caller *caller)
{
    const pci_part_sweep *sweep = &member->sweep[command->sweep];
    if (!is_first(member)) {
        send_rows(member, command, sweep);
        return;
    }
    uint64_t *limbs = caller->out, n_all = sweep->part->first[member->all.n];
    entry_range own = range_of(command, sweep, 0);
    pci_sweep_rows_of(sweep->sweep, own.first, own.n_vectors, command->n_limbs, command->adds,
                      n_all, limbs + own.at * n_all * command->n_limbs);
    for (int r = 1; r < member->all.n; r++)
        take_rows_of(member, command, sweep, r, limbs);
}

/* ---- Commands -------------------------------------------------------------------------------- */

static pc_status perform(pci_member *member, const pci_command *command, const pci_caller *caller)
{
    pci_graph_part **part = &member->part[command->graph];
    pci_part_sweep *sweep = &member->sweep[command->sweep];
    pc_status status = PC_OK;
    int n_bytes = (int)sizeof(pc_process_count);
    switch ((pci_operation)command->operation) {
    case PCI_DISTRIBUTE:
        return distribute(member, command, caller);
    case PCI_READ:
        return pci_read_serialized(&member->all, member->context, command, caller, part);
    case PCI_READ_TEXT:
        return pci_read_text(&member->all, member->context, command, caller, part);
    case PCI_REVERSE:
        return pci_part_reverse(*part, member->context, &member->part[command->made]);
    case PCI_CHECK:
        return agree(member, pc_graph_check(member->context, (*part)->graph));
    case PCI_DIGEST:
        take_digest(member, command, caller);
        break;
    case PCI_FREE_GRAPH:
        pci_part_free(*part);
        *part = NULL;
        break;
    case PCI_MULTIPLY:
        multiply(member, command, caller);
        break;
    case PCI_MULTIPLY_INTEGERS:
        return multiply_integers(member, command, caller);
    case PCI_PREPARE_PAIRS:
        return agree(member, pci_part_reserve(*part, 0, 2 * sizeof(uint64_t)));
    case PCI_SLICES:
        return perform_slices(member, command, caller);
    case PCI_SWEEP_CREATE:
        return create_sweep(member, command, caller);
    case PCI_SWEEP_CLEAR:
        pci_sweep_clear(sweep->sweep);
        break;
    case PCI_SWEEP_ADD:
        return add_starts(member, command, caller);
    case PCI_SWEEP_STEP:
        status = step_sweep(member, command);
        note_memory(member);
        break;
    case PCI_SWEEP_ROWS:
        gather_rows(member, command, caller);
        break;
    case PCI_SWEEP_KEEP:
        keep_rows(member, command);
        break;
    case PCI_SWEEP_SAVE:
    case PCI_SWEEP_LOAD:
        return save_or_load(member, command, caller);
    case PCI_SWEEP_FREE:
        free_sweep(sweep);
        break;
    case PCI_COUNT:
        MPI_Gather(&member->count, n_bytes, MPI_BYTE, caller->out, n_bytes, MPI_BYTE, 0,
                   member->all.comm);
        break;
    case PCI_END:
        break;
    default:
        return pci_power_perform(*part, member->context, command, caller, &member->power);
    }
    return status;
}

pc_status pci_member_call(pci_member *member, const pci_command *command, const pci_caller *caller)
{
    pci_command announced = *command;
    announced.n_path = caller->path ? strlen(caller->path) + 1 : 0;
    share_command(member, &announced);
    return perform(member, &announced, caller);
}

void pci_member_serve(pci_member *member)
{
    for (pci_command command;;) {
        share_command(member, &command);
        if (command.operation == PCI_END)
            return;
        perform(member, &command, &(pci_caller){0});
    }
}

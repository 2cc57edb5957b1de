/* Sweeps of all processes: vectors of own vertices, whose steps need lines of the others first, or vectors of its own along
 * the whole graph. */
#include "src/cluster/operations.h"

#include "src/cluster/arcs.h"

#include <string.h>

enum { TAG_ROWS = 3 };

/* ---- In a process ---------------------------------------------------------------------------- */

pc_status pci_op_sweep_free(pc_cluster *cluster, const pci_command *command)
{
    pci_part_sweep *sweep = &cluster->sweep[command->sweep];
    pci_sweep_free(sweep->sweep);
    pc_graph_free(sweep->whole);
    *sweep = (pci_part_sweep){0};
    return PC_OK;
}

pc_status pci_op_sweep_create(pc_cluster *cluster, const pci_command *command)
{
    pc_context *context = cluster->context;
    pci_part_sweep *made = &cluster->sweep[command->sweep];
    pci_graph_part *part = made->part = cluster->part[command->graph];
    size_t n_bytes = command->moduli[0] ? 0 : (command->length + 1) * sizeof(double);
    pc_status status;
    double *bits =
        pci_processes_copy(&cluster->all, context, command->in, n_bytes, "vectors", &status);
    pci_sweep_options options = {.n_vectors = command->n_vectors,
                                 .length = command->length,
                                 .bits = bits,
                                 .modulus = command->moduli[0],
                                 .n_threads = pci_n_threads(context)};
    if (command->n_shares)
        options.n_vectors /= command->n_shares;
    else
        options.n_outer = part->n_outer;
    if (command->n_shares && status == PC_OK)
        status = pci_part_gather(part, context, command->is_symmetric, &made->whole);
    if (status == PC_OK) {
        const pc_graph *graph = made->whole ? made->whole : part->graph;
        made->n_vectors = options.n_vectors;
        made->n_vertices = graph->n;
        status = pci_sweep_create(context, graph, &options, &made->sweep);
        if (status == PC_OK)
            status = pci_part_reserve(part, pci_sweep_most_line_bytes(made->sweep), 0);
        status = pci_cluster_agree(cluster, status);
    }
    pci_free(context, bits);
    if (status != PC_OK)
        pci_op_sweep_free(cluster, command);
    return status;
}

pc_status pci_op_sweep_clear(pc_cluster *cluster, const pci_command *command)
{
    pci_sweep_clear(cluster->sweep[command->sweep].sweep);
    return PC_OK;
}

pc_status pci_op_sweep_add(pc_cluster *cluster, const pci_command *command)
{
    const pci_part_sweep *sweep = &cluster->sweep[command->sweep];
    uint64_t rank = (uint64_t)cluster->all.rank;
    uint64_t begin = sweep->whole ? 0 : sweep->part->first[rank];
    uint64_t first_vector = sweep->whole ? rank * sweep->n_vectors : 0;
    pc_status status;
    pci_start *starts = pci_processes_copy(&cluster->all, cluster->context, command->in,
                                           command->n * sizeof *starts, "starts", &status);
    for (uint64_t i = 0; i < command->n && status == PC_OK; i++)
        if (starts[i].vertex - begin < sweep->n_vertices &&
            starts[i].vector - first_vector < sweep->n_vectors)
            pci_sweep_add(sweep->sweep, (uint32_t)(starts[i].vector - first_vector),
                          starts[i].vertex - begin, starts[i].value);
    pci_free(cluster->context, starts);
    return status;
}

static void copy_lines(const void *user, uint64_t n, const uint32_t *vertices, bool backwards,
                       void *lines)
{
    pci_sweep_get_lines(user, n, vertices, backwards, lines);
}

/* Processes that send vectors of their own wait for each other at the end only. */
pc_status pci_op_sweep_step(pc_cluster *cluster, const pci_command *command)
{
    const pci_part_sweep *sweep = &cluster->sweep[command->sweep];
    pc_status status = PC_OK;
    for (uint64_t s = 0; s < command->n && status == PC_OK; s++) {
        if (!sweep->whole) {
            size_t line_bytes = pci_sweep_line_bytes(sweep->sweep);
            bool backwards;
            void *outer = pci_sweep_outer_lines(sweep->sweep, &backwards);
            pci_part_exchange(sweep->part, line_bytes, backwards, copy_lines, sweep->sweep, outer);
            cluster->count.step_bytes += pci_part_n_given(sweep->part) * line_bytes;
            pci_sweep_take_outer(sweep->sweep);
        }
        status = pci_sweep_step(sweep->sweep);
        if (!sweep->whole)
            status = pci_cluster_agree(cluster, status);
        cluster->count.n_steps++;
    }
    if (sweep->whole)
        status = pci_cluster_agree(cluster, status);
    pci_note_memory(cluster);
    return status;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Entries of own vertices become those of consecutive vectors in parts. */
pc_status pci_op_sweep_keep(pc_cluster *cluster, const pci_command *command)
{
    const pci_long_vector *into = pci_slices_vector(cluster, command->made);
    pci_sweep_rows_of(cluster->sweep[command->sweep].sweep, command->first, command->n_vectors,
                      command->n_limbs, false, into->n, into->words);
    return PC_OK;
}

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
static void send_rows(pc_cluster *cluster, const pci_command *command, const pci_part_sweep *sweep)
{
    pci_part_pieces *pieces = &sweep->part->pieces;
    entry_range own = range_of(command, sweep, cluster->all.rank);
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
        MPI_Isend(piece, (int)(n_lines * bytes), MPI_BYTE, 0, TAG_ROWS, cluster->all.comm,
                  &pieces->sent[slot]);
        cluster->count.vector_bytes += n_lines * bytes;
    }
    MPI_Waitall(PCI_PIECES, pieces->sent, MPI_STATUSES_IGNORE);
}

/* Those of process r: while one piece is read, the next one comes. */
static void take_rows_of(const pc_cluster *cluster, const pci_command *command,
                         const pci_part_sweep *sweep, int r, uint64_t *limbs)
{
    pci_part_pieces *pieces = &sweep->part->pieces;
    entry_range range = range_of(command, sweep, r);
    if (!range.n_vectors)
        return;
    size_t bytes = pci_sweep_packed_bytes(sweep->sweep, range.first, range.n_vectors);
    uint64_t n = range.n_vertices, lines = pci_part_piece_lines(bytes), n_begun = 0;
    uint64_t n_all = sweep->part->first[cluster->all.n];
    for (uint64_t i = 0; i < n; i += lines) {
        for (; n_begun < n && n_begun < i + 2 * lines; n_begun += lines) {
            int slot = (int)(n_begun / lines % PCI_PIECES);
            uint64_t n_lines = n - n_begun < lines ? n - n_begun : lines;
            MPI_Irecv(pci_part_piece(pieces, slot), (int)(n_lines * bytes), MPI_BYTE, r, TAG_ROWS,
                      cluster->all.comm, &pieces->sent[slot]);
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
pc_status pci_op_sweep_rows(pc_cluster *cluster, const pci_command *command)
{
    const pci_part_sweep *sweep = &cluster->sweep[command->sweep];
    if (!pci_is_first(cluster)) {
        send_rows(cluster, command, sweep);
        return PC_OK;
    }
    uint64_t *limbs = command->out, n_all = sweep->part->first[cluster->all.n];
    entry_range own = range_of(command, sweep, 0);
    pci_sweep_rows_of(sweep->sweep, own.first, own.n_vectors, command->n_limbs, command->adds,
                      n_all, limbs + own.at * n_all * command->n_limbs);
    for (int r = 1; r < cluster->all.n; r++)
        take_rows_of(cluster, command, sweep, r, limbs);
    return PC_OK;
}

/* ---- In the first process -------------------------------------------------------------------- */

static void free_sweep(pci_sweep *sweep)
{
    if (!sweep)
        return;
    pci_cluster_call_on_sweep(sweep, pci_op_sweep_free, (pci_command){0});
    pci_free(sweep->context, sweep);
}

static pc_status create_sweep(pc_context *context, const pc_graph *graph,
                              const pci_sweep_options *options, pci_sweep **sweep)
{
    const pci_cluster_graph *parts = pci_cluster_graph_of(graph);
    pc_cluster *cluster = parts->cluster;
    uint32_t number = 0;
    while (number < PCI_MOST_PART_SWEEPS && cluster->sweep[number].sweep)
        number++;
    if (number == PCI_MOST_PART_SWEEPS)
        return pci_fail(context, PC_ERR_RANGE, "a cluster sweeps %d blocks of vectors at a time",
                        PCI_MOST_PART_SWEEPS);
    pci_sweep *made = pci_alloc_zero(context, 1, sizeof *made);
    if (!made)
        return pci_fail_memory(context, "vectors", sizeof *made);
    made->context = context;
    made->cluster = cluster;
    made->number = number;
    made->shares_vectors = options->n_shares > 0;
    pc_status status = pci_cluster_call_on(&parts->base, context, pci_op_sweep_create,
                                           (pci_command){.sweep = number,
                                                         .n_vectors = options->n_vectors,
                                                         .n_shares = options->n_shares,
                                                         .is_symmetric = graph->symmetric,
                                                         .length = options->length,
                                                         .moduli = {options->modulus},
                                                         .in = options->bits});
    if (status != PC_OK) {
        pci_free(context, made);
        return status;
    }
    if (cluster->checkpoint)
        status = pci_checkpoint_begin(made, graph, options);
    if (status == PC_OK)
        *sweep = made;
    else
        free_sweep(made);
    return status;
}

static void clear_sweep(pci_sweep *sweep)
{
    sweep->status = PC_OK;
    sweep->at = sweep->wanted = sweep->n_starts = 0;
    memset(sweep->start_sums, 0, sizeof sweep->start_sums);
    pci_cluster_call_on_sweep(sweep, pci_op_sweep_clear, (pci_command){0});
}

/* The first failure stays: add_start cannot tell of it. */
static pc_status send_starts(pci_sweep *sweep)
{
    if (sweep->n_starts && sweep->status == PC_OK)
        sweep->status = pci_cluster_call_on_sweep(
            sweep, pci_op_sweep_add, (pci_command){.n = sweep->n_starts, .in = sweep->starts});
    sweep->n_starts = 0;
    return sweep->status;
}

static void add_start(pci_sweep *sweep, uint32_t vector, uint64_t vertex, uint64_t value)
{
    const pci_start start = {vertex, value, vector};
    if (sweep->n_starts == PCI_STARTS_AT_ONCE)
        send_starts(sweep);
    sweep->starts[sweep->n_starts++] = start;
    pci_checkpoint_add(sweep, &start);
}

/* Takes the steps that were asked for: with a checkpoint from the latest state that helps, one by one. */
static pc_status take_steps(pci_sweep *sweep)
{
    bool saves = sweep->cluster->checkpoint;
    pc_status status = saves ? pci_checkpoint_load(sweep) : PC_OK;
    if (status == PC_OK)
        status = send_starts(sweep);
    while (status == PC_OK && sweep->at < sweep->wanted) {
        uint64_t n = saves ? 1 : sweep->wanted - sweep->at;
        status = pci_cluster_call_on_sweep(sweep, pci_op_sweep_step, (pci_command){.n = n});
        sweep->at += status == PC_OK ? n : 0;
        if (status == PC_OK && saves)
            status = pci_checkpoint_step(sweep);
    }
    return status;
}

/* Is called after the starts. */
static pc_status step_sweep(pci_sweep *sweep)
{
    bool waits = sweep->shares_vectors;
    pc_status status = PC_OK;
    if (sweep->cluster->checkpoint)
        status = pci_checkpoint_want(sweep, &waits);
    sweep->wanted += status == PC_OK;
    return status != PC_OK || waits ? status : take_steps(sweep);
}

static pc_status collect_rows(pci_sweep *sweep, uint32_t first, uint32_t n_vectors,
                              uint32_t n_limbs, bool adds, uint64_t *limbs)
{
    pci_command command = {
        .first = first, .n_vectors = n_vectors, .n_limbs = n_limbs, .adds = adds, .out = limbs};
    pc_status status = take_steps(sweep);
    if (status == PC_OK && sweep->cluster->checkpoint)
        status = pci_checkpoint_read(sweep);
    return status == PC_OK ? pci_cluster_call_on_sweep(sweep, pci_op_sweep_rows, command) : status;
}

static pc_status keep_rows(pci_sweep *sweep, uint32_t first, uint32_t n_vectors, uint32_t n_limbs,
                           uint32_t number)
{
    pci_command command = {
        .first = first, .n_vectors = n_vectors, .n_limbs = n_limbs, .made = number};
    pc_status status = take_steps(sweep);
    return status == PC_OK ? pci_cluster_call_on_sweep(sweep, pci_op_sweep_keep, command) : status;
}

static uint64_t sweep_bytes(const pc_graph *graph, const pci_sweep_options *options)
{
    const pci_cluster_graph *parts = pci_cluster_graph_of(graph);
    const pci_graph_part *part = parts->cluster->part[parts->number];
    pci_sweep_options of_part = *options;
    if (options->n_shares) {
        of_part.n_vectors /= options->n_shares;
        uint64_t bytes = pci_sweep_bytes(graph, &of_part);
        return bytes == UINT64_MAX ? bytes : bytes + pci_gathered_bytes(graph);
    }
    of_part.n_outer = part->n_outer;
    return pci_sweep_bytes(part->graph, &of_part);
}

const pci_sweep_ops pci_cluster_sweeps = {.create = create_sweep,
                                          .free = free_sweep,
                                          .clear = clear_sweep,
                                          .add = add_start,
                                          .step = step_sweep,
                                          .rows = collect_rows,
                                          .keep = keep_rows,
                                          .bytes = sweep_bytes,
                                          .on_processors = true};

/* Parts of graphs, and how lines travel between them. */
#include "src/cluster/part.h"

#include <inttypes.h>
#include <string.h>

enum { TAG_LINES = 1, TAG_VECTOR = 2, WORD_BITS = 64 };

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* ---- Failures -------------------------------------------------------------------------------- */

static pc_status agree(const pci_processes *all, pc_context *context, pc_status status,
                       bool names_process)
{
    char text[PCI_MESSAGE_SIZE];
    int failed = status == PC_OK ? all->n : all->rank, first, told = (int)status;
    MPI_Allreduce(&failed, &first, 1, MPI_INT, MPI_MIN, all->comm);
    if (first == all->n)
        return PC_OK;
    memcpy(text, context->message, sizeof text);
    MPI_Bcast(&told, 1, MPI_INT, first, all->comm);
    MPI_Bcast(text, sizeof text, MPI_CHAR, first, all->comm);
    if (first == all->rank)
        return status;
    if (!names_process && told != PC_ERR_MEMORY)
        return pci_fail(context, (pc_status)told, "%s", text);
    return pci_fail(context, (pc_status)told, "%.1900s (process %d of %d)", text, first, all->n);
}

pc_status pci_processes_agree(const pci_processes *all, pc_context *context, pc_status status)
{
    return agree(all, context, status, true);
}

pc_status pci_processes_agree_on_memory(const pci_processes *all, pc_context *context,
                                        bool has_memory, const char *what, size_t bytes)
{
    return pci_processes_agree(all, context,
                               has_memory ? PC_OK : pci_fail_memory(context, what, bytes));
}

pc_status pci_processes_agree_on_input(const pci_processes *all, pc_context *context,
                                       pc_status status)
{
    return agree(all, context, status, false);
}

void *pci_processes_copy(const pci_processes *all, pc_context *context, const void *bytes,
                         size_t n_bytes, const char *what, pc_status *status)
{
    void *copy = pci_alloc(context, n_bytes + 1);
    *status = pci_processes_agree_on_memory(all, context, copy != NULL, what, n_bytes);
    if (*status != PC_OK) {
        pci_free(context, copy);
        return NULL;
    }
    if (all->rank == 0 && n_bytes)
        memcpy(copy, bytes, n_bytes);
    pci_processes_share(all, 0, copy, n_bytes);
    return copy;
}

/* ---- Ranges ---------------------------------------------------------------------------------- */

void pci_part_ranges(uint64_t n, const uint64_t *row_start, int n_processes, uint64_t *first)
{
    unsigned __int128 work = (unsigned __int128)row_start[n] + n;
    for (int r = 0; r <= n_processes; r++) {
        uint64_t wanted = (uint64_t)(work * (unsigned)r / (unsigned)n_processes), low = 0, high = n;
        while (low < high) {
            uint64_t middle = low + (high - low) / 2;
            if (row_start[middle] + middle < wanted)
                low = middle + 1;
            else
                high = middle;
        }
        first[r] = low;
    }
    first[n_processes] = n;
}

int pci_part_owner(const uint64_t *first, int n_processes, uint64_t vertex)
{
    int low = 0, high = n_processes - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (vertex < first[middle + 1])
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* ---- Outer vertices -------------------------------------------------------------------------- */

static bool is_own(const pci_graph_part *part, uint64_t vertex)
{
    return vertex >= part->first[part->all.rank] && vertex < part->first[part->all.rank + 1];
}

/* Finds the outer vertices of the rows, counts those of each owner, and gives all columns their numbers here: by a set of
 * vertices, as bits, with the number of members before each word of it. */
static pc_status number_columns(pci_graph_part *part, const pci_part_rows *rows)
{
    pc_context *context = part->context;
    uint64_t n_arcs = rows->row_start[part->n_own], begin = part->first[part->all.rank];
    uint64_t n_words = part->first[part->all.n] / WORD_BITS + 1, at = 0;
    uint64_t *bits = pci_alloc_zero(context, n_words, sizeof *bits);
    uint64_t *before = pci_alloc_zero(context, n_words, sizeof *before);
    bool has_memory = bits && before;
    int owner = 0;
    for (uint64_t a = 0; has_memory && a < n_arcs; a++)
        if (!is_own(part, rows->column[a]))
            bits[rows->column[a] / WORD_BITS] |= UINT64_C(1) << rows->column[a] % WORD_BITS;
    for (uint64_t w = 0; has_memory && w < n_words; w++) {
        before[w] = part->n_outer;
        part->n_outer += (uint64_t)__builtin_popcountll(bits[w]);
    }
    part->outer = pci_alloc(context, (part->n_outer + 1) * sizeof *part->outer);
    has_memory = has_memory && part->outer;
    for (uint64_t w = 0; has_memory && w < n_words; w++)
        for (uint64_t left = bits[w]; left; left &= left - 1) {
            uint64_t vertex = w * WORD_BITS + (uint64_t)__builtin_ctzll(left);
            while (vertex >= part->first[owner + 1])
                owner++;
            part->n_taken[owner]++;
            part->outer[at++] = (uint32_t)vertex;
        }
    for (uint64_t a = 0; has_memory && a < n_arcs; a++) {
        uint64_t column = rows->column[a], w = column / WORD_BITS;
        uint64_t lower = bits[w] & ((UINT64_C(1) << column % WORD_BITS) - 1);
        rows->column[a] =
            (uint32_t)(is_own(part, column)
                           ? column - begin
                           : part->n_own + before[w] + (uint64_t)__builtin_popcountll(lower));
    }
    pci_free(context, bits);
    pci_free(context, before);
    return has_memory ? PC_OK : pci_fail_memory(context, "a part of the graph", part->n_outer * 4);
}

/* ---- Messages -------------------------------------------------------------------------------- */

/* A count of lines fits an int because a vertex fits 32 bits and a process has fewer than 2^31 of them
 * (pci_part_create). */
MPI_Datatype pci_lines_of(size_t line_bytes)
{
    MPI_Datatype type;
    MPI_Type_contiguous((int)line_bytes, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    return type;
}

void pci_processes_join(const pci_processes *all, MPI_Op how, uint64_t *words, uint64_t n_words)
{
    for (uint64_t w = 0; w < n_words; w += PCI_MOST_ITEMS)
        MPI_Allreduce(MPI_IN_PLACE, words + w, (int)least(PCI_MOST_ITEMS, n_words - w),
                      MPI_UINT64_T, how, all->comm);
}

typedef enum message { SENT, RECEIVED, SHARED } message;

/* other: the process that they go to or come from. */
static void move_bytes(const pci_processes *all, message how, int other, char *bytes,
                       size_t n_bytes)
{
    for (size_t n; n_bytes > 0; bytes += n, n_bytes -= n) {
        n = least(n_bytes, PCI_MOST_ITEMS);
        if (how == SENT)
            MPI_Send(bytes, (int)n, MPI_BYTE, other, TAG_VECTOR, all->comm);
        else if (how == RECEIVED)
            MPI_Recv(bytes, (int)n, MPI_BYTE, other, TAG_VECTOR, all->comm, MPI_STATUS_IGNORE);
        else
            MPI_Bcast(bytes, (int)n, MPI_BYTE, other, all->comm);
    }
}

void pci_processes_share(const pci_processes *all, int from, void *bytes, size_t n_bytes)
{
    move_bytes(all, SHARED, from, bytes, n_bytes);
}

void pci_processes_send(const pci_processes *all, int to, const void *bytes, size_t n_bytes)
{
    all->count->vector_bytes += n_bytes;
    move_bytes(all, SENT, to, (char *)bytes, n_bytes);
}

void pci_processes_receive(const pci_processes *all, int from, void *bytes, size_t n_bytes)
{
    move_bytes(all, RECEIVED, from, bytes, n_bytes);
}

static uint64_t lines_before(const uint64_t *n_lines, int r)
{
    uint64_t n = 0;
    for (int before = 0; before < r; before++)
        n += n_lines[before];
    return n;
}

/* Every process begins with another neighbour, so that not all of them send to the same one. */
void pci_processes_exchange(const pci_processes *all, size_t line_bytes, const uint64_t *n_sent,
                            const void *sent, const uint64_t *n_taken, void *taken,
                            MPI_Request *request)
{
    MPI_Datatype line = pci_lines_of(line_bytes);
    int n_requests = 0;
    if (n_sent[all->rank])
        memcpy((char *)taken + lines_before(n_taken, all->rank) * line_bytes,
               (const char *)sent + lines_before(n_sent, all->rank) * line_bytes,
               n_sent[all->rank] * line_bytes);
    for (int s = 1; s < all->n; s++) {
        int r = (all->rank + s) % all->n;
        uint64_t at = lines_before(n_taken, r);
        if (n_taken[r])
            MPI_Irecv((char *)taken + at * line_bytes, (int)n_taken[r], line, r, TAG_LINES,
                      all->comm, &request[n_requests++]);
    }
    for (int s = 1; s < all->n; s++) {
        int r = (all->rank + all->n - s) % all->n;
        uint64_t at = lines_before(n_sent, r);
        if (n_sent[r])
            MPI_Isend((const char *)sent + at * line_bytes, (int)n_sent[r], line, r, TAG_LINES,
                      all->comm, &request[n_requests++]);
    }
    MPI_Waitall(n_requests, request, MPI_STATUSES_IGNORE);
    MPI_Type_free(&line);
}

/* ---- Pieces ---------------------------------------------------------------------------------- */

/* Makes room for so many bytes, which are not set. The old memory stays when there is no more: products need it. */
static bool grow(pc_context *context, void **memory, size_t *held, size_t n_bytes)
{
    void *more = n_bytes > *held ? pci_alloc(context, n_bytes) : NULL;
    if (!more)
        return n_bytes <= *held;
    pci_free(context, *memory);
    *memory = more;
    *held = n_bytes;
    return true;
}

pc_status pci_part_reserve(pci_graph_part *part, size_t line_bytes, size_t entry_bytes)
{
    pc_context *context = part->context;
    pci_part_pieces *pieces = &part->pieces;
    uint64_t n_local = part->n_own + part->n_outer, n_taken = 0;
    line_bytes = line_bytes > entry_bytes ? line_bytes : entry_bytes;
    size_t piece_bytes = line_bytes > PCI_PIECE_BYTES ? line_bytes : PCI_PIECE_BYTES;
    for (int r = 0; r < part->all.n; r++)
        n_taken += part->n_taken[r] / pci_part_piece_lines(line_bytes) + 1;
    if (!grow(context, &pieces->memory, &pieces->bytes, PCI_PIECES * piece_bytes) ||
        !grow(context, &pieces->taken, &pieces->taken_bytes, n_taken * sizeof(MPI_Request)))
        return pci_fail_memory(context, "lines of vectors", PCI_PIECES * piece_bytes);
    if (!grow(context, &part->x, &part->x_bytes, (n_local + 1) * entry_bytes) ||
        !grow(context, &part->y, &part->y_bytes, (part->n_own + 1) * entry_bytes))
        return pci_fail_memory(context, "vectors", 2 * n_local * entry_bytes);
    return PC_OK;
}

char *pci_part_piece(const pci_part_pieces *pieces, int slot)
{
    return (char *)pieces->memory + (size_t)slot * (pieces->bytes / PCI_PIECES);
}

void pci_part_exchange(pci_graph_part *part, size_t line_bytes, bool backwards,
                       pci_part_copy_fn copy, const void *user, void *taken)
{
    const pci_processes *all = &part->all;
    pci_part_pieces *pieces = &part->pieces;
    MPI_Datatype line = pci_lines_of(line_bytes);
    uint64_t lines = pci_part_piece_lines(line_bytes);
    MPI_Request *coming = pieces->taken; /* all pieces that come are announced first */
    int n_taken = 0, slot = 0;
    for (int s = 1; s < all->n; s++) {
        int r = (all->rank + s) % all->n;
        uint64_t at = lines_before(part->n_taken, r);
        for (uint64_t i = 0; i < part->n_taken[r]; i += lines) {
            uint64_t n = least(lines, part->n_taken[r] - i);
            char *place = backwards ? (char *)taken - (at + i + n - 1) * line_bytes
                                    : (char *)taken + (at + i) * line_bytes;
            MPI_Irecv(place, (int)n, line, r, TAG_LINES, all->comm, &coming[n_taken++]);
        }
    }
    for (int i = 0; i < PCI_PIECES; i++)
        pieces->sent[i] = MPI_REQUEST_NULL;
    for (int s = 1; s < all->n; s++) {
        int r = (all->rank + all->n - s) % all->n;
        const uint32_t *given = part->given + lines_before(part->n_given, r);
        for (uint64_t i = 0; i < part->n_given[r]; i += lines, slot = (slot + 1) % PCI_PIECES) {
            uint64_t n = least(lines, part->n_given[r] - i);
            char *piece = pci_part_piece(pieces, slot);
            MPI_Wait(&pieces->sent[slot], MPI_STATUS_IGNORE);
            copy(user, n, given + i, backwards, piece);
            MPI_Isend(piece, (int)n, line, r, TAG_LINES, all->comm, &pieces->sent[slot]);
        }
    }
    MPI_Waitall(n_taken, coming, MPI_STATUSES_IGNORE);
    MPI_Waitall(PCI_PIECES, pieces->sent, MPI_STATUSES_IGNORE);
    MPI_Type_free(&line);
}

/* Entries have n_words words. */
typedef struct entries {
    const uint64_t *words;
    size_t n_words;
} entries;

/* Never backwards. */
static void copy_entries(const void *user, uint64_t n, const uint32_t *vertices, bool backwards,
                         void *lines)
{
    const entries *x = user;
    uint64_t *to = lines;
    (void)backwards;
    for (uint64_t i = 0; i < n; i++)
        for (size_t w = 0; w < x->n_words; w++)
            *to++ = x->words[vertices[i] * x->n_words + w];
}

void pci_part_complete(pci_graph_part *part, size_t entry_bytes, void *vector)
{
    entries x = {vector, entry_bytes / sizeof(uint64_t)};
    part->all.count->n_products++;
    part->all.count->product_bytes += pci_part_n_given(part) * entry_bytes;
    pci_part_exchange(part, entry_bytes, false, copy_entries, &x,
                      (char *)vector + part->n_own * entry_bytes);
}

/* ---- Made ------------------------------------------------------------------------------------ */

/* Tells each owner which of its vertices are wanted here. */
static pc_status ask_owners(pci_graph_part *part)
{
    const pci_processes *all = &part->all;
    pc_context *context = part->context;
    MPI_Alltoall(part->n_taken, 1, MPI_UINT64_T, part->n_given, 1, MPI_UINT64_T, all->comm);
    uint64_t n = pci_part_n_given(part);
    part->given = pci_alloc(context, (n + 1) * sizeof *part->given);
    MPI_Request *request = pci_alloc(context, 2 * (size_t)all->n * sizeof *request);
    pc_status status = PC_OK;
    if (!part->given || !request)
        status = pci_fail_memory(context, "a part of the graph", n * sizeof *part->given);
    else
        status = pci_part_reserve(part, 0, sizeof(uint64_t));
    status = pci_processes_agree(all, context, status);
    if (status == PC_OK)
        pci_processes_exchange(all, sizeof *part->given, part->n_taken, part->outer, part->n_given,
                               part->given, request);
    pci_free(context, request);
    if (status != PC_OK)
        return status;
    for (uint64_t i = 0; i < n; i++)
        part->given[i] -= (uint32_t)part->first[all->rank];
    return PC_OK;
}

pc_status pci_part_rows_create(pc_context *context, uint64_t n_own, uint64_t n_arcs,
                               bool has_weights, pci_part_rows *rows)
{
    if (!rows->row_start)
        rows->row_start = pci_alloc_zero(context, n_own + 1, sizeof *rows->row_start);
    rows->column = pci_alloc(context, (n_arcs + 1) * sizeof *rows->column);
    if (has_weights)
        rows->weight = pci_alloc(context, (n_arcs + 1) * sizeof *rows->weight);
    return rows->row_start && rows->column && (rows->weight || !has_weights)
               ? PC_OK
               : pci_fail_memory(context, "a part of the graph", 8 * n_own + 12 * n_arcs);
}

void pci_part_rows_free(pc_context *context, pci_part_rows *rows)
{
    pci_free(context, rows->row_start);
    pci_free(context, rows->column);
    pci_free(context, rows->weight);
    *rows = (pci_part_rows){0};
}

/* Takes the rows over. */
static pc_status make(pci_graph_part *part, const uint64_t *first, pci_part_rows *rows)
{
    pc_context *context = part->context;
    size_t n_processes = (size_t)part->all.n;
    part->first = pci_alloc_zero(context, n_processes + 1, sizeof *part->first);
    part->n_taken = pci_alloc_zero(context, n_processes, sizeof *part->n_taken);
    part->n_given = pci_alloc_zero(context, n_processes, sizeof *part->n_given);
    pc_graph *graph = part->graph = pci_alloc_zero(context, 1, sizeof *graph);
    if (!part->first || !part->n_taken || !part->n_given || !graph)
        return pci_fail_memory(context, "a part of the graph", n_processes * 64);
    *graph = (pc_graph){.context = context};
    memcpy(part->first, first, (n_processes + 1) * sizeof *first);
    part->n_own = first[part->all.rank + 1] - first[part->all.rank];
    if (part->n_own > INT32_MAX)
        return pci_fail(context, PC_ERR_RANGE,
                        "a process would have %" PRIu64 " vertices, and can have %d: start more "
                        "processes",
                        part->n_own, INT32_MAX);
    pc_status status = number_columns(part, rows);
    if (status != PC_OK)
        return status;
    graph->n = part->n_own;
    graph->row_start = rows->row_start;
    graph->column = rows->column;
    graph->weight = rows->weight;
    graph->labels = pci_labels_range(0, part->n_own);
    *rows = (pci_part_rows){0};
    return PC_OK;
}

/* The largest row sum is at least 1: 0 would stand for one that is not known. */
static void share_facts(pci_graph_part *part)
{
    const pc_graph *graph = part->graph;
    uint64_t own[] = {pci_graph_largest_row_sum(graph), pci_graph_largest_degree(graph)}, most[2];
    double sums[] = {(double)pci_graph_n_arcs(graph), pci_graph_degree_squares(graph)};
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, part->all.comm);
    MPI_Allreduce(own, most, 2, MPI_UINT64_T, MPI_MAX, part->all.comm);
    part->graph->largest_row_sum = most[0] ? most[0] : 1;
    part->largest_degree = most[1];
    part->n_arcs = (uint64_t)sums[0]; /* fewer than 2^53 */
    part->degree_squares = sums[1];
}

pc_status pci_part_create(const pci_processes *all, pc_context *context, const uint64_t *first,
                          pci_part_rows *rows, pci_graph_part **part)
{
    pci_graph_part *made = pci_alloc_zero(context, 1, sizeof *made);
    pc_status status = PC_OK;
    if (made) {
        *made = (pci_graph_part){.all = *all, .context = context};
        status = make(made, first, rows);
    } else {
        status = pci_fail_memory(context, "a part of the graph", sizeof *made);
    }
    pci_part_rows_free(context, rows);
    status = pci_processes_agree(all, context, status);
    if (status == PC_OK)
        status = ask_owners(made);
    if (status == PC_OK) {
        share_facts(made);
        pci_graph_seal(context, made->graph);
        *part = made;
    } else {
        pci_part_free(made);
    }
    return status;
}

void pci_part_free(pci_graph_part *part)
{
    if (!part)
        return;
    pc_context *context = part->context;
    pc_graph_free(part->graph);
    pci_free(context, part->first);
    pci_free(context, part->outer);
    pci_free(context, part->n_taken);
    pci_free(context, part->n_given);
    pci_free(context, part->given);
    pci_free(context, part->pieces.memory);
    pci_free(context, part->pieces.taken);
    pci_free(context, part->x);
    pci_free(context, part->y);
    pci_free(context, part);
}

/* Vectors of a sweep go to the first process as rows: of each process the entries of its vertices, or its vectors. */
#include "src/cluster/member_sweep.h"

enum { TAG_ROWS = 3 };

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
        char *piece = pieces->memory + (size_t)slot * pieces->bytes;
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
            MPI_Irecv(pieces->memory + (size_t)slot * pieces->bytes, (int)(n_lines * bytes),
                      MPI_BYTE, r, TAG_ROWS, member->all.comm, &pieces->sent[slot]);
        }
        int slot = (int)(i / lines % PCI_PIECES);
        MPI_Wait(&pieces->sent[slot], MPI_STATUS_IGNORE);
        pci_sweep_unpack(sweep->sweep, range.first, range.n_vectors, command->n_limbs,
                         command->adds, n_all, range.first_vertex + i,
                         n - i < lines ? n - i : lines,
                         pieces->memory + (size_t)slot * pieces->bytes,
                         limbs + range.at * n_all * command->n_limbs);
    }
}

void pci_member_sweep_rows(const pci_member *member, const pci_command *command,
                           const pci_caller *caller)
{
    const pci_part_sweep *sweep = &member->sweep[command->sweep];
    if (!caller) {
        send_rows(member, command, sweep);
        return;
    }
    uint64_t n_all = sweep->part->first[member->all.n];
    entry_range own = range_of(command, sweep, 0);
    pci_sweep_rows_of(sweep->sweep, own.first, own.n_vectors, command->n_limbs, command->adds,
                      n_all, caller->limbs + own.at * n_all * command->n_limbs);
    for (int r = 1; r < member->all.n; r++)
        take_rows_of(member, command, sweep, r, caller->limbs);
}

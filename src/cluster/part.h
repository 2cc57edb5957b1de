/* The part of a graph that one process holds: the rows of A of a range of vertices, its own. A column that belongs to
 * another process is outer here: its entries of vectors come from its owner before each product.
 *
 * Vertices of a part are numbered anew: own ones first, in order, then outer ones, in order, and so those of one owner
 * together. The part is a pc_graph of its own vertices whose columns may be outer ones too: every kernel that makes a row
 * of y from entries of x works on it, when x goes on with the outer entries. Columns of a row keep their order. All
 * functions are called by all processes of the communicator. */
#ifndef PCI_CLUSTER_PART_H
#define PCI_CLUSTER_PART_H

#include "pathcount_mpi.h"

#include "graphs/graph.h"

#include <mpi.h>

/* The processes that share graphs, as each of them sees it. */
typedef struct pci_processes {
    MPI_Comm comm;
    int rank, n;
    pc_process_count *count; /* what this one counts */
} pci_processes;

/* So many items fit one call of MPI, whose counts are ints. */
enum { PCI_MOST_ITEMS = 1 << 30 };

/* Lines are sent in pieces, which stay in the caches while they are copied and sent. */
enum { PCI_PIECES = 4, PCI_PIECE_BYTES = 1 << 16 };

typedef struct pci_part_pieces {
    void *memory; /* [PCI_PIECES] that are on their way, of so many bytes together: */
    size_t bytes;
    void *taken; /* MPI_Request for each piece that comes, of so many bytes: */
    size_t taken_bytes;
    MPI_Request sent[PCI_PIECES];
} pci_part_pieces;

typedef struct pci_graph_part {
    pci_processes all;
    pc_context *context;
    uint64_t *first; /* [n processes + 1]: process r owns vertices first[r] .. first[r + 1] - 1 */
    uint64_t n_own, n_outer;
    uint64_t n_arcs,
        largest_degree; /* of the whole graph, as the sum of the squares of all degrees: */
    double degree_squares;
    pc_graph *graph;   /* n_own vertices; largest_row_sum is that of the whole graph */
    uint32_t *outer;   /* [n_outer]: their numbers in the whole graph */
    uint64_t *n_taken; /* [n processes]: outer vertices that process r owns */
    uint64_t *n_given; /* [n processes]: own vertices that are outer for process r, ... */
    uint32_t *given;   /* ... one list after the other */
    pci_part_pieces pieces;
    void *x, *y; /* [n_own + n_outer] and [n_own] entries of a product, of so many bytes: */
    size_t x_bytes, y_bytes;
} pci_graph_part;

/* Rows of own vertices with columns of the whole graph. */
typedef struct pci_part_rows {
    uint64_t *row_start; /* [n_own + 1], from 0 */
    uint32_t *column;
    uint64_t *weight; /* NULL: all are 1 */
} pci_part_rows;

/* Room for columns and weights, and for row_start unless it is there. PC_ERR_MEMORY, of this process alone. */
pc_status pci_part_rows_create(pc_context *context, uint64_t n_own, uint64_t n_arcs,
                               bool has_weights, pci_part_rows *rows);
void pci_part_rows_free(pc_context *context, pci_part_rows *rows);

/* All processes agree on one status: that of the first process that failed, or PC_OK. The context of each process gets
 * the message of that process. */
pc_status pci_processes_agree(const pci_processes *all, pc_context *context, pc_status status);

/* The same: PC_ERR_MEMORY where a process has no memory. */
pc_status pci_processes_agree_on_memory(const pci_processes *all, pc_context *context,
                                        bool has_memory, const char *what, size_t bytes);

/* Bytes of the first process (NULL in the others) as each process gets them, to be freed. NULL when *status, which all
 * processes have, is PC_ERR_MEMORY; what: the name of the bytes in its message. */
void *pci_processes_copy(const pci_processes *all, pc_context *context, const void *bytes,
                         size_t n_bytes, const char *what, pc_status *status);

/* The same for a file that all of them read: the message names no process, unless one has no memory. */
pc_status pci_processes_agree_on_input(const pci_processes *all, pc_context *context,
                                       pc_status status);

/* Lines of so many bytes, fewer than 2^31 to each process: n_sent[r] from sent on to process r, after those to the
 * processes before it, and n_taken[r] from it to taken. Lines that a process sends to itself are copied. request has room for
 * two a process. */
void pci_processes_exchange(const pci_processes *all, size_t line_bytes, const uint64_t *n_sent,
                            const void *sent, const uint64_t *n_taken, void *taken,
                            MPI_Request *request);

/* The type of a line for MPI, which counts fewer than 2^31 of fewer than 2^31 bytes. The caller frees it. */
MPI_Datatype pci_lines_of(size_t line_bytes);

/* So many bytes to a process, which receives as many, counted as those of vectors. */
void pci_processes_send(const pci_processes *all, int to, const void *bytes, size_t n_bytes);
void pci_processes_receive(const pci_processes *all, int from, void *bytes, size_t n_bytes);

/* Words of all processes become one, by a rule of MPI, in all of them. */
void pci_processes_join(const pci_processes *all, MPI_Op how, uint64_t *words, uint64_t n_words);

/* All processes get the bytes of process `from`. */
void pci_processes_share(const pci_processes *all, int from, void *bytes, size_t n_bytes);

/* Ranges of about the same work, an arc or a vertex each a unit of it: first[n_processes + 1]. */
void pci_part_ranges(uint64_t n, const uint64_t *row_start, int n_processes, uint64_t *first);

/* The process whose range has the vertex. */
int pci_part_owner(const uint64_t *first, int n_processes, uint64_t vertex);

/* Takes the rows over, whatever the status, and copies first. PC_ERR_MEMORY in all processes. */
pc_status pci_part_create(const pci_processes *all, pc_context *context, const uint64_t *first,
                          pci_part_rows *rows, pci_graph_part **part);
void pci_part_free(pci_graph_part *part);

/* The number of a vertex of the part in the whole graph. */
static inline uint64_t pci_part_vertex(const pci_graph_part *part, uint32_t number)
{
    return number < part->n_own ? part->first[part->all.rank] + number
                                : part->outer[number - part->n_own];
}

static inline uint64_t pci_part_n_given(const pci_graph_part *part)
{
    uint64_t n = 0;
    for (int r = 0; r < part->all.n; r++)
        n += part->n_given[r];
    return n;
}

/* Makes room for lines of so many bytes and for vectors whose entries have so many, a multiple of 8. It stays.
 * PC_ERR_MEMORY, of this process alone. */
pc_status pci_part_reserve(pci_graph_part *part, size_t line_bytes, size_t entry_bytes);

/* The memory of one of them. */
char *pci_part_piece(const pci_part_pieces *pieces, int slot);

/* Copies the lines of n own vertices: in their order, or backwards. */
typedef void (*pci_part_copy_fn)(const void *user, uint64_t n, const uint32_t *vertices,
                                 bool backwards, void *lines);

/* Lines of own vertices go to where they are outer; copy gets them, some at a time. taken: where the line of the first
 * outer vertex goes. The next ones lie after it or, of lines that are taken backwards, before it. */
void pci_part_exchange(pci_graph_part *part, size_t line_bytes, bool backwards,
                       pci_part_copy_fn copy, const void *user, void *taken);

/* The same for entries vector[n_own + n_outer] of so many bytes: own ones are there, outer ones are filled in. */
void pci_part_complete(pci_graph_part *part, size_t entry_bytes, void *vector);

/* Lines of so many bytes that go in one piece. */
static inline uint64_t pci_part_piece_lines(size_t line_bytes)
{
    return line_bytes < PCI_PIECE_BYTES ? PCI_PIECE_BYTES / line_bytes : 1;
}

#endif

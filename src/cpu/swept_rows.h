/* Rows of A^length, or of A + .. + A^length, made by sweeps: many vectors, each of which begins at one vertex, sent by all
 * threads. 8 to 64 vectors go together, fewer of those that become wider. While such a block fits in
 * the cache of one processor, each thread sends blocks of its own. Otherwise all threads share each
 * step of a block. The same holds for the processes of a graph in parts: what they share is the vectors of a block
 * when the graph is small, else its vertices. */
#ifndef PCI_SWEPT_ROWS_H
#define PCI_SWEPT_ROWS_H

#include "src/engine/sweep.h"

typedef struct pci_swept pci_swept;

typedef struct pci_swept_options {
    const pci_sweep_ops *sweeps; /* who sends them */
    const pc_graph *along; /* for rows of A^length its reverse, for columns the graph itself */
    uint64_t length;
    const double *bits; /* [length + 1]: log2 of a limit of the entries of A^l; NULL with modulus */
    uint64_t modulus;   /* as that of a sweep */
    uint32_t n_limbs;   /* words of an entry of a row */
    uint64_t most_starts; /* that will be asked for at once */
    bool stays; /* rows of a graph in parts stay there: its processes share vertices, not vectors */
    bool
        adds_starts; /* 1 is added where a vector begins after each step but the last, so bits are those of sums */
} pci_swept_options;

/* Vectors that best go together on processors when an entry takes so many bytes: 8 to 64. */
uint32_t pci_swept_width(double entry_bytes);

/* Vectors that are sent together: those of a block. */
uint32_t pci_swept_together(pc_context *context, const pci_swept_options *options);

/* Takes rows at .. at + n_rows - 1 of those that were asked for. */
typedef pc_status (*pci_swept_take_fn)(void *user, uint64_t at, uint64_t n_rows);

/* Starts that are best asked for at once: blocks for every thread, no more than n_starts nor than
 * most_starts. Callers with less memory for sweeps pass a smaller number. */
uint64_t pci_swept_batch(pc_context *context, const pci_swept_options *options, uint64_t n_starts);

/* graph and bits must outlive it. PC_ERR_MEMORY. */
pc_status pci_swept_create(pc_context *context, const pci_swept_options *options,
                           pci_swept **swept);
void pci_swept_free(pci_swept *swept);

/* Row i of limbs[n_starts][n][n_limbs] becomes that of vertex starts[i], or first + i if starts is
 * NULL. PC_ERR_CANCELLED, PC_ERR_MEMORY. */
pc_status pci_swept_rows(pci_swept *swept, uint64_t n_starts, const uint64_t *starts,
                         uint64_t first, uint64_t *limbs);

/* The same rows, and those of one step less: before[n_starts][n][n_before]. length is not 0. */
pc_status pci_swept_two_rows(pci_swept *swept, uint64_t n_starts, const uint64_t *starts,
                             uint32_t n_before, uint64_t *before, uint64_t *limbs);

/* The same rows in pieces: limbs has room for the rows of one piece, pci_swept_piece of n_starts, and
 * take gets them piece by piece, in order. Errors as above, and what take returns. */
pc_status pci_swept_pieces(pci_swept *swept, uint64_t n_starts, const uint64_t *starts,
                           uint64_t first, uint64_t *limbs, pci_swept_take_fn take, void *user);

/* The rows, which stay, become vectors in parts, from number on (pci_sweep_ops). Errors as above. */
pc_status pci_swept_keep(pci_swept *swept, uint64_t n_starts, const uint64_t *starts,
                         uint32_t number);

/* Rows of a piece: all of n_starts, or part of the vectors of a sweep where all would take much memory. */
uint64_t pci_swept_piece(pc_context *context, const pci_swept_options *options, uint64_t n_starts);

/* The bytes that it holds, without rows; UINT64_MAX when that many cannot be. */
uint64_t pci_swept_bytes(pc_context *context, const pci_swept_options *options);

#endif

/* Sweeps: a block of vectors is sent through the sparse A step by step, exactly or modulo a number.
 * A question for less than the whole of A^length costs `length` passes over the arcs. Each pass takes as many
 * additions per arc as there are vectors. No power is formed.
 *
 * An entry is an integer as wide as the proved limit of its step needs, from a lane of 8 bits to
 * several limbs; the width grows from step to step (src/cpu/row_ops.h). Vertices that no path
 * has reached yet cost one byte. One call at a time uses a sweep; several sweeps may run at once
 * in several threads. Where there are many vectors, src/cpu/swept_rows.h decides which vectors go
 * together and how many threads share them.
 *
 * Modulo a number, a step sums residues up in as many bits as the largest sum has, and reduces the
 * sums.
 *
 * An engine sweeps on its first device only. Sums over all vertices, doubles and other kinds of path
 * are swept on the CPU only. */
#ifndef PCI_SWEEP_H
#define PCI_SWEEP_H

#include "graphs/graph.h"
#include <math.h>

typedef struct pci_sweep pci_sweep;

typedef struct pci_sweep_options {
    uint32_t n_vectors;
    uint64_t length; /* steps that will be taken at most */
    const double *
        bits; /* [length + 1]: log2 of a limit of the entries after so many steps; NULL with modulus */
    uint64_t modulus; /* from 2 to 2^63 - 1: entries are residues; 0: they are integers */
    int n_threads;    /* that a step may use */
    uint64_t
        n_outer; /* lines of vertices that the graph does not have and its columns refer to: n, n + 1, ...
                         * The caller sets them before each step. Processors only. */
    uint32_t
        n_shares; /* of a graph in parts: each process sends a share of the vectors; 0: of the vertices */
    bool
        adds_starts; /* 1 is added to an entry of each vector after a step, which bits are limits for */
} pci_sweep_options;

/* All vectors are zero at first. graph must outlive the sweep; of a directed graph X A is asked for
 * by giving its reverse. PC_ERR_MEMORY, before anything large is allocated if there is not so much;
 * PC_ERR_ENGINE when PATHCOUNT_CPU forces what this processor lacks. */
pc_status pci_sweep_create(pc_context *context, const pc_graph *graph,
                           const pci_sweep_options *options, pci_sweep **sweep);
void pci_sweep_free(pci_sweep *sweep);

/* Back to step 0, all vectors zero. */
void pci_sweep_clear(pci_sweep *sweep);

/* The same at a step up to length, for lines that are set (pci_sweep_set_lines). */
void pci_sweep_clear_at(pci_sweep *sweep, uint64_t step);

/* Adds value to the entry of a vertex, whose sum is within the limits: of residues it is below the modulus, or the modulus
 * after a step that adds_starts. */
void pci_sweep_add(pci_sweep *sweep, uint32_t vector, uint64_t vertex, uint64_t value);

/* X = A X, at most length times. PC_ERR_CANCELLED, and then the step is not taken. Progress is
 * asked for outside of parallel regions only: who has several threads asks between his steps. */
pc_status pci_sweep_step(pci_sweep *sweep);

/* Vectors first .. first + n_vectors - 1 as rows of integers of n_limbs words:
 * limbs[n_vectors][n][n_limbs], which they take the place of or, if adds, are added to. n_limbs must
 * hold the limit of the step, and sums, which are not reduced. */
pc_status pci_sweep_rows(pci_sweep *sweep, uint32_t first, uint32_t n_vectors, uint32_t n_limbs,
                         bool adds, uint64_t *limbs);

/* Lines of vertices as they are now, zero where nothing was reached: what processes that share a graph exchange
 * (src/cluster/part.h), the first or, backwards, the last one first. All sweeps with the same options and the same largest row sum have the same lines after as
 * many steps, whatever n_outer. */
size_t pci_sweep_line_bytes(const pci_sweep *sweep);
size_t pci_sweep_most_line_bytes(const pci_sweep *sweep); /* of all steps */
void pci_sweep_get_lines(const pci_sweep *sweep, uint64_t n, const uint32_t *vertices,
                         bool backwards, void *lines);

/* Lines of vertices first .. first + n - 1, once each, after pci_sweep_clear_at. */
void pci_sweep_set_lines(pci_sweep *sweep, uint64_t first, uint64_t n, const void *lines);

/* Returns where the first outer line is to be put. The next ones follow it or, backwards, lie before it: which of both depends
 * on the number of steps only. */
void *pci_sweep_outer_lines(const pci_sweep *sweep, bool *backwards);

/* Is to be called when all are there. */
void pci_sweep_take_outer(pci_sweep *sweep);

/* Entries of n vertices in vectors first .. first + n_vectors - 1, packed as lines are: so many bytes a vertex. */
size_t pci_sweep_packed_bytes(const pci_sweep *sweep, uint32_t first, uint32_t n_vectors);
void pci_sweep_pack(const pci_sweep *sweep, uint32_t first, uint32_t n_vectors,
                    uint64_t first_vertex, uint64_t n, void *packed);

/* Such entries of a sweep with the same lines, as rows of a graph of n_all vertices: limbs[n_vectors][n_all][n_limbs],
 * of which the entries `at` .. at + n - 1 are set, or added to. */
void pci_sweep_unpack(const pci_sweep *sweep, uint32_t first, uint32_t n_vectors, uint32_t n_limbs,
                      bool adds, uint64_t n_all, uint64_t at, uint64_t n, const void *packed,
                      uint64_t *limbs);

/* As pci_sweep_rows, rows of a graph of n_all vertices, of which this one has the first ones. */
void pci_sweep_rows_of(const pci_sweep *sweep, uint32_t first, uint32_t n_vectors, uint32_t n_limbs,
                       bool adds, uint64_t n_all, uint64_t *limbs);

/* The bytes of all vectors as they are now, padding included. */
uint64_t pci_sweep_now_bytes(const pci_sweep *sweep);

/* The bytes of memory of this machine that a sweep holds; UINT64_MAX when that many cannot be. */
uint64_t pci_sweep_bytes(const pc_graph *graph, const pci_sweep_options *options);

/* The functions above by name, for whoever sends vectors without knowing where: the processors, or
 * devices of an engine (src/engine/engine.h), whose sweeps are objects of their own. */
typedef struct pci_sweep_ops {
    pc_status (*create)(pc_context *context, const pc_graph *graph,
                        const pci_sweep_options *options, pci_sweep **sweep);
    void (*free)(pci_sweep *sweep);
    void (*clear)(pci_sweep *sweep);
    void (*add)(pci_sweep *sweep, uint32_t vector, uint64_t vertex, uint64_t value);
    pc_status (*step)(pci_sweep *sweep);
    pc_status (*rows)(pci_sweep *sweep, uint32_t first, uint32_t n_vectors, uint32_t n_limbs,
                      bool adds, uint64_t *limbs);

    /* For a graph in parts whose vertices are shared: vectors first .. first + n_vectors - 1 become vectors of n_limbs
     * words in parts, made together, from number on (graphs/graph.h). NULL elsewhere. */
    pc_status (*keep)(pci_sweep *sweep, uint32_t first, uint32_t n_vectors, uint32_t n_limbs,
                      uint32_t number);
    uint64_t (*bytes)(const pc_graph *graph, const pci_sweep_options *options);
    bool on_processors;
    bool saves; /* sweeps are saved while they run: then single vectors are swept, too */
} pci_sweep_ops;

extern const pci_sweep_ops pci_sweep_cpu;

/* Widths of the entries of a sweep, wherever it runs.
 *
 * Processors and devices use the same rule. */

enum {
    PCI_SWEEP_WORD_BITS = 64,
    PCI_SWEEP_LEAST_LIMB_BITS = 32 /* less headroom than weights ask for costs too many limbs */
};

/* Bits of the largest integer whose limit has this log2, which is below 0 when it is 0. */
static inline double pci_sweep_whole_bits(double log2_limit)
{
    return fmax(1, floor(log2_limit) + 1);
}

/* Bits of the largest sum of a row of residues. A row sum of UINT64_MAX stands for a larger one, which is below
 * 2^96: a row has fewer than 2^32 arcs. */
static inline double pci_sweep_sum_bits(const pc_graph *graph, uint64_t modulus)
{
    uint64_t largest = pci_graph_largest_row_sum(graph);
    unsigned __int128 most = (unsigned __int128)(modulus - 1) * (largest ? largest : 1);
    double bits = 1;
    while (most >>= 1)
        bits++;
    return largest == UINT64_MAX ? 63 + 96 : bits;
}

/* Steps that differ in width: all sums of residues have the same. */
static inline uint64_t pci_sweep_n_widths(const pci_sweep_options *options)
{
    return options->modulus ? 1 : options->length + 1;
}

/* Bits of an entry after a step, and of the sum that it was made of. */
static inline double pci_sweep_bits_after(const pc_graph *graph, const pci_sweep_options *options,
                                          uint64_t step)
{
    return options->modulus ? pci_sweep_sum_bits(graph, options->modulus + options->adds_starts)
                            : pci_sweep_whole_bits(options->bits[step]);
}

/* The bits of the widest step. */
static inline double pci_sweep_widest(const pc_graph *graph, const pci_sweep_options *options)
{
    double widest = 1;
    for (uint64_t s = 0; s < pci_sweep_n_widths(options); s++)
        widest = fmax(widest, pci_sweep_bits_after(graph, options, s));
    return widest;
}

/* Bits of a limb, for entries of up to widest bits. With R the largest row sum and limbs below 2^b,
 * R 2^b <= 2^64: a sum is at most R (2^b - 1), and what is carried into it at most R - 1. 64 when
 * no headroom is wanted, or none can be had. */
static inline uint32_t pci_sweep_limb_bits(const pc_graph *graph, double widest)
{
    if (widest <= PCI_SWEEP_WORD_BITS)
        return PCI_SWEEP_WORD_BITS;
    uint64_t largest = pci_graph_largest_row_sum(graph);
    uint32_t headroom = 1, most = PCI_SWEEP_WORD_BITS - PCI_SWEEP_LEAST_LIMB_BITS;
    while (headroom < most && UINT64_C(1) << headroom < largest)
        headroom++;
    return UINT64_C(1) << headroom < largest ? PCI_SWEEP_WORD_BITS : PCI_SWEEP_WORD_BITS - headroom;
}

/* Tells whether sums of limbs of so many bits carry nothing before a row is done. */
static inline bool pci_sweep_has_headroom(double widest, uint32_t limb_bits)
{
    return widest <= PCI_SWEEP_WORD_BITS || limb_bits < PCI_SWEEP_WORD_BITS;
}

#endif

/* A part of a run: the planes and operations of one GPU. The planes of P lie in one arena of device
 * memory.
 *
 * The parts share the moduli: part p of n has moduli p, p + n, p + 2 n, ... of the run's list as
 * its own list, narrow ones first. It squares and steps these alone. Where moduli are not enough to
 * go round, parts share the tiles of a product: each computes some, and stores them where the result is
 * to be. Recombining (base extension, rows) needs the residues of all parts: kernels
 * then read them from the memory of the other GPUs.
 *
 * The arena is an array of planes of one size ("slots"). So one tensor map serves all products, and
 * a plane is a number. An operation takes free slots for its results and frees those of its
 * operands. All work is ordered by one stream, so a slot can be written again at once.
 *
 * Rows and columns of a plane are padded to multiples of 128. The padding is zero and stays zero.
 * When there is no memory for a full batch of results, half as many planes are squared at once,
 * then a quarter, down to one. */
#ifndef PCI_GPU_PART_H
#define PCI_GPU_PART_H

#include "gpu/engine/device.h"
#include "gpu/engine/entrywise.h"
#include "gpu/engine/product.h"
#include "gpu/engine/tables.h"
#include "graphs/graph.h"
#include "src/engine/engine.h"
#include "src/residues/residues.h"

enum {
    PCI_GPU_BUFFERS = 2, /* for blocks of rows: while one is read, the other is filled */
    PCI_MAX_PLANES = PCI_N_NARROW + 3 * PCI_N_WIDE, /* int8 planes of all moduli */
    PCI_MAX_SLOTS = PCI_MAX_PLANES + 2 * PCI_MAX_JOBS
};

/* ---- The memory that a run needs: the same figures for the forecast and for the allocations --- */

typedef struct pci_gpu_needs {
    uint32_t n_planes; /* int8 planes of P, at most */
    uint32_t n_batch;  /* planes squared in one launch */
    uint32_t n_slots;  /* planes of the arena: P, a batch of results, and other operands */
    uint64_t arena_bytes;
    uint64_t tiles_bytes; /* the list of the largest launch */
    uint64_t raw_bytes;   /* accumulators of a strip of wide or many outputs; 0: never needed */
    uint64_t graph_bytes;
    uint64_t weights_bytes; /* digits of the arcs' weights, for sparse steps; 0: all are 1 */
    uint64_t blocks_bytes;  /* the partition; 0: there is none */
} pci_gpu_needs;

/* The sizes of a run. */
typedef struct pci_gpu_workload {
    pci_gpu_layout layout;
    uint64_t n_arcs;
    bool symmetric, has_classes, weighted;
    uint32_t n_most;   /* moduli, at most; 0: one plain plane */
    uint32_t n_narrow; /* those beyond it are wide */
    uint32_t n_blocks; /* of a partition whose reduced product is wanted; 0: none */
} pci_gpu_workload;

static inline pci_gpu_workload pci_gpu_workload_of(const pc_graph *graph, uint64_t n_blocks,
                                                   uint32_t n_most)
{
    return (pci_gpu_workload){.layout = pci_gpu_layout_of(graph->n),
                              .n_arcs = pci_graph_n_arcs(graph),
                              .symmetric = graph->symmetric,
                              .has_classes = graph->classes.size != NULL,
                              .weighted = graph->weight || graph->classes.size,
                              .n_most = n_most,
                              .n_narrow = PCI_N_NARROW,
                              .n_blocks = (uint32_t)n_blocks};
}

/* The needs of a run that squares up to n_batch planes at once (0: as many as are fastest). */
pci_gpu_needs pci_gpu_needs_of(const pci_gpu_device *device, const pci_gpu_workload *work,
                               uint32_t n_batch);

/* The sum of all bytes of needs. */
uint64_t pci_gpu_needs_bytes(const pci_gpu_needs *needs);

/* Buffers of a device for blocks of rows and their residues, which no needs have. */
#define PCI_GPU_ROWS_BYTES (UINT64_C(2) * PCI_GPU_BUFFERS * PCI_DEVICE_BLOCK_BYTES)

/* How a run is divided so that it fits: each device has a share of the moduli; or, out of core, one
 * device works on one share after the other, and the planes of the others wait in host memory. */
typedef struct pci_gpu_fit {
    uint32_t n_shares;
    uint32_t n_batch;
    uint64_t bytes; /* on a device, without buffers for rows */
} pci_gpu_fit;

/* Finds the fit with the fewest shares; false when there is none. Out of core all moduli are narrow. */
bool pci_gpu_fit_into(uint64_t available_bytes, const pci_gpu_device *device,
                      const pci_gpu_workload *work, uint32_t n_devices, bool may_be_out_of_core,
                      pci_gpu_fit *fit);

/* Rows of tiles of a strip of wide products, whose accumulators fit in raw_bytes. */
uint32_t pci_gpu_strip_tiles(const pci_gpu_layout *layout);

/* ---- Parts ----------------------------------------------------------------------------------- */

/* The addresses of the digits of a modulus, on the device; used for bases with wide moduli. */
typedef const int8_t *pci_gpu_pointers[3];

/* Rows that are copied to the host, and the stream that does it. */
typedef struct pci_gpu_buffer {
    cudaStream_t stream;
    uint64_t *device;
    uint64_t *host;             /* page-locked */
    pci_gpu_pointers *table;    /* on the device: [n_moduli], of a base with wide moduli */
    int8_t *residues;           /* on the device: rows of planes that are on the host */
    uint64_t first_row, n_rows; /* that it holds or is being filled with; n_rows 0: none */
} pci_gpu_buffer;

/* Tables for the conversion from residues, which kernels read beside the planes. */
typedef struct pci_gpu_recombination {
    pci_gpu_tables
        host; /* the caller makes these; a copy is on the device, with the members below */
    uint8_t *tables;
    pci_gpu_pointers *table; /* [host.r] */
    pci_gpu_crt crt;
    const void *weight, *modulus;
} pci_gpu_recombination;

/* Rows of integers. */
typedef struct pci_gpu_collector {
    uint32_t n_limbs; /* that the tables were made for; 0: not made */
    pci_gpu_recombination base;
    uint64_t buffer_words; /* of each buffer; 0: not made */
    pci_gpu_buffer buffer[PCI_GPU_BUFFERS];
} pci_gpu_collector;

typedef struct pci_gpu_part pci_gpu_part;

/* All parts of a run. */
typedef struct pci_gpu_parts {
    const pci_moduli *moduli; /* the run's list */
    uint32_t n;
    pci_gpu_part *part[PCI_MAX_DEVICES];
    /* Out of core: the planes of the power in the order of the moduli, n_rows rows each with their
     * own padding. NULL: the planes are those of part[]. */
    int8_t *const *on_host;
    uint32_t n_on_host;
    uint32_t n_old;  /* moduli of all parts before they extend */
    uint64_t n_rows; /* and columns of P: vertices, or blocks after a reduced product */
} pci_gpu_parts;

struct pci_gpu_part {
    pc_context *context; /* &own: parts run at the same time, and each needs a message of its own */
    pc_context own;      /* a copy of that of the run */
    const pc_graph *graph;
    const pc_partition *partition; /* NULL: reduce is not called */
    const pci_gpu_parts *parts;    /* this one among them */
    pci_moduli moduli;             /* its share of parts->moduli */
    uint32_t n_narrow;             /* narrow ones among them, which come first */
    pci_gpu_device device;
    pci_gpu_layout layout;
    pci_gpu_needs needs;
    cudaStream_t stream;
    pci_gpu_graph on_device;
    pci_gpu_blocks blocks; /* of the partition */
    int8_t *weights;       /* digits of the arcs' weights; NULL: all are 1 */
    int8_t *arena;
    bool slot_is_taken[PCI_MAX_SLOTS];
    bool is_odd;       /* the length of P; known of graphs with classes */
    uint64_t number;   /* that P was reduced by; 0: it is exact */
    uint32_t n_moduli; /* 0: plane 0 is plain */
    uint32_t n_planes; /* of P, in slot[] */
    uint32_t slot[PCI_MAX_PLANES];
    uint32_t next[PCI_N_NARROW]; /* slots of the planes that a product makes */
    uint32_t *tiles;             /* the list of the last launch */
    uint32_t n_entries;
    pci_tile_shape tiles_shape; /* of that list */
    int32_t *raw;               /* accumulators of a strip; NULL when never needed */
    uint32_t *high;             /* maps of high digits; NULL when none were made */
    int8_t *diagonal; /* residues of a diagonal, [planes][n_padded]; NULL when none was made */
    pci_gpu_collector collector;
};

/* ---- Planes and slots (part.c) --------------------------------------------------------------- */

/* Modulus number index of a part's list. */
static inline bool pci_gpu_is_wide(const pci_gpu_part *part, uint32_t index)
{
    return index >= part->n_narrow;
}

static inline uint32_t pci_gpu_n_digits(const pci_gpu_part *part, uint32_t index)
{
    return pci_gpu_is_wide(part, index) ? 3 : 1;
}

/* The number of its first plane, which is how many planes the moduli before it have. */
static inline uint32_t pci_gpu_first_plane(const pci_gpu_part *part, uint32_t index)
{
    return pci_gpu_is_wide(part, index) ? part->n_narrow + 3 * (index - part->n_narrow) : index;
}

/* Marks a free slot as taken and returns it. There is one, as pci_gpu_needs counts them. */
uint32_t pci_gpu_slot_take(pci_gpu_part *part);
void pci_gpu_slot_free(pci_gpu_part *part, uint32_t slot);
int8_t *pci_gpu_slot_plane(const pci_gpu_part *part, uint32_t slot);

/* Modulus number index of a set of n_moduli (0: plain), as kernels take it. */
pci_gpu_modulus pci_gpu_modulus_of(const pci_gpu_part *part, uint32_t n_moduli, uint32_t index);

/* Takes slots for all planes of one modulus (of a set of n_moduli) and lists their addresses. */
void pci_gpu_digits_take(pci_gpu_part *part, uint32_t n_moduli, uint32_t index, uint32_t slot[3],
                         int8_t *digit[3]);

/* L^k of adjacent classes (graphs/partition.h), for the length k of P. Of a P that is reduced by a number it is 1, or that
 * number less 1, so that nothing becomes negative. */
int32_t pci_gpu_sign_of(const pci_gpu_part *part, pci_gpu_modulus modulus);

/* The planes of P for modulus number index. */
void pci_gpu_digits_of(const pci_gpu_part *part, uint32_t index, int8_t *digit[3]);

/* P becomes the planes of n_moduli in the n given slots. Frees the slots that P had. */
void pci_gpu_replace(pci_gpu_part *part, uint32_t n_moduli, uint32_t n, const uint32_t *slots);

/* Waits until all work of the part is done, unless there is an error. Returns its status, or that of all work since the
 * last wait. */
pc_status pci_gpu_finish(pci_gpu_part *part, cudaError_t error, const char *what);

/* How many moduli all parts have together. */
uint32_t pci_gpu_n_all_moduli(const pci_gpu_part *part);

/* Where the digits of modulus number index of a part begin; NULL: it has fewer. */
typedef void (*pci_gpu_digits_fn)(const pci_gpu_part *part, uint32_t index, int8_t *digit[3]);

/* The residues modulo the first n_moduli of all parts, `offset` bytes into their digits, as kernels take them. narrow has
 * room for the addresses of a narrow base. Those of another base are copied to table on the device, in stream. */
cudaError_t pci_gpu_residues_of(const pci_gpu_part *part, uint32_t n_moduli,
                                pci_gpu_digits_fn digits_of, size_t offset,
                                const int8_t *narrow[PCI_N_NARROW], pci_gpu_pointers *table,
                                cudaStream_t stream, pci_gpu_residues *residues);

/* ---- Products and steps ---------------------------------------------------------------------- */

/* Launches n_jobs products. product has jobs, outputs and its share of the tiles; the callee fills in the
 * rest. Results are n_tiles tiles on a side. */
pc_status pci_gpu_multiply(pci_gpu_part *part, pci_product *product, uint32_t n_tiles,
                           uint32_t n_jobs, bool symmetric);

/* The product modulo a wide m of operands whose digits are in the given slots. */
pc_status pci_gpu_multiply_wide(pci_gpu_part *part, const uint32_t left[3], const uint32_t right[3],
                                uint32_t n_tiles, uint32_t m, int8_t *const digit[3]);

/* Rows of a block of words, 64 MB but at least a row. */
static inline uint64_t pci_gpu_words_rows(uint64_t n)
{
    uint64_t n_rows = (UINT64_C(64) << 20) / (n * sizeof(uint64_t));
    return n_rows == 0 ? 1 : n_rows < n ? n_rows : n;
}

/* Splits words[n_rows][n], which are on the device, into residues in rows first_row .. of the planes of P. */
cudaError_t pci_gpu_split_rows(const pci_gpu_part *part, const uint64_t *words, uint64_t first_row,
                               uint64_t n_rows);

/* A P modulo number index of a set of n_moduli, in slots that the callee takes. */
cudaError_t pci_gpu_step_modulus(pci_gpu_part *part, uint32_t n_moduli, uint32_t index,
                                 uint32_t made[3]);

/* ---- Operations on the moduli of a part: see src/engine/engine.h ----------------------------- */

/* Begins part number p of parts on device number index, for at most n_most moduli of its own, of
 * which n_batch are squared at once. */
pc_status pci_gpu_part_begin(pc_context *context, const pc_graph *graph,
                             const pc_partition *partition, const pci_gpu_parts *parts, uint32_t p,
                             int index, uint32_t n_most, uint32_t n_batch, pci_gpu_part **part);
void pci_gpu_part_end(pci_gpu_part *part);
pc_status pci_gpu_part_load(pci_gpu_part *part, uint32_t n_moduli);
pc_status pci_gpu_part_load_words(pci_gpu_part *part, const uint64_t *words, uint32_t n_moduli);
pc_status pci_gpu_part_square(pci_gpu_part *part, uint32_t n_moduli);

/* Whether the part, alone, has what squaring digits takes: a kernel, both residues, and free slots. */
bool pci_gpu_part_can_square_digits(const pci_gpu_part *part, uint32_t n_moduli);
pc_status pci_gpu_part_square_digits(pci_gpu_part *part, uint32_t n_moduli);

/* One product whose tiles all parts share. Its results may lie in the arenas of several parts. */
typedef struct pci_gpu_shared {
    const pci_gpu_part *owner; /* of the operand; NULL: it is plane 0 of every part */
    uint32_t slot;             /* of the operand in the owner's arena */
    uint32_t n_outputs;
    pci_product_output output[PCI_MAX_JOBS];
} pci_gpu_shared;

/* Adds results for a part's moduli from number first on, of a set of n_moduli (0: a plain one), and takes their
 * slots: part->next. */
void pci_gpu_shared_add(pci_gpu_part *part, uint32_t n_moduli, uint32_t first,
                        pci_gpu_shared *shared);

/* Share p of the product. Results are whole when all parts are done. Waits. */
pc_status pci_gpu_part_multiply_shared(pci_gpu_part *part, uint32_t p,
                                       const pci_gpu_shared *shared);

pc_status pci_gpu_part_step(pci_gpu_part *part, uint32_t n_moduli);
pc_status pci_gpu_part_reduce(pci_gpu_part *part, uint32_t n_moduli);      /* S P P S^T */
pc_status pci_gpu_part_reduce_step(pci_gpu_part *part, uint32_t n_moduli); /* S P A P S^T */
void pci_gpu_part_trim(pci_gpu_part *part);

/* ---- Recombining ----------------------------------------------------------------------------- */

/* Extends to n_own moduli of the part, from the parts->n_old moduli of all parts. Parts extend at
 * the same time: they read the old planes of each other and write new ones. */
pc_status pci_gpu_part_extend(pci_gpu_part *part, uint32_t n_own);

/* Copies the tables of r->host to the device. *r must be freed whatever the status. */
pc_status pci_gpu_recombination_upload(const pci_gpu_part *part, pci_gpu_recombination *r);
void pci_gpu_recombination_free(const pci_gpu_part *part, pci_gpu_recombination *r);

/* Words of P modulo a number, a block of rows at a time, on the device. */
typedef struct pci_gpu_words {
    uint64_t number;
    pci_gpu_recombination base;
    uint64_t n_block; /* rows of a block, at most */
    uint64_t *block;  /* [n_block][n] */
} pci_gpu_words;

/* To be ended whatever the status. */
pc_status pci_gpu_words_begin(pci_gpu_part *part, uint64_t number, pci_gpu_words *words);
void pci_gpu_words_end(const pci_gpu_part *part, pci_gpu_words *words);

/* Makes the words of rows first_row .., at most n_block, from the planes of all parts. Waits. */
pc_status pci_gpu_words_make(pci_gpu_part *part, const pci_gpu_words *words, uint64_t first_row,
                             uint64_t n_rows);

/* Puts the residues of the words that were made into these rows of the part's planes. Waits. */
pc_status pci_gpu_words_split(pci_gpu_part *part, const pci_gpu_words *words, uint64_t first_row,
                              uint64_t n_rows);

pc_status pci_gpu_part_collect_modular(pci_gpu_part *part, uint64_t modulus, uint64_t *words);

/* Prepares tables for integers of n_limbs words, and the device memory of both buffers for n_words words
 * each. */
pc_status pci_gpu_part_prepare_rows(pci_gpu_part *part, uint32_t n_limbs, uint64_t n_words);

/* Recombines rows to integers [n_rows][n][n_limbs] in the device memory of the buffer, in its stream: consecutive ones
 * from first_row on, or, where rows are neither plain nor on the host and first_row is 0, those of a list in device
 * memory. After pci_gpu_part_prepare_rows. */
cudaError_t pci_gpu_part_make_rows(const pci_gpu_part *part, pci_gpu_buffer *buffer,
                                   uint64_t first_row, const uint32_t *rows, uint64_t n_rows,
                                   uint32_t n_limbs);

/* Residues of the diagonal of P P modulo n_moduli of the part's, in part->diagonal. */
pc_status pci_gpu_part_diagonal(pci_gpu_part *part, uint32_t n_moduli);

/* The same of P A P. P is not plain. */
pc_status pci_gpu_part_diagonal_step(pci_gpu_part *part, uint32_t n_moduli);

/* The diagonal from the residues of all parts, of n_moduli in all: limbs[n][n_limbs] on the host. */
pc_status pci_gpu_part_collect_diagonal(pci_gpu_part *part, uint32_t n_moduli, uint32_t n_limbs,
                                        uint64_t *limbs);

/* Fills in the aggregates of rows first_row .. first_row + n_rows - 1. */
pc_status pci_gpu_part_aggregate(pci_gpu_part *part, uint64_t first_row, uint64_t n_rows,
                                 pci_aggregates *aggregates);

/* Rows of the given numbers, [n_rows][n][n_limbs] on the host. */
pc_status pci_gpu_part_collect_selected(pci_gpu_part *part, uint64_t n_rows, const uint64_t *rows,
                                        uint32_t n_limbs, uint64_t *limbs);

/* Starts to recombine rows and to copy them to page-locked memory, unless it was started before.
 * The two buffers are independent. */
pc_status pci_gpu_part_collect_start(pci_gpu_part *part, uint64_t first_row, uint64_t n_rows,
                                     uint32_t n_limbs, int buffer);

/* Waits until the buffer is filled; *limbs are its rows. */
pc_status pci_gpu_part_collect_finish(pci_gpu_part *part, int buffer, const uint64_t **limbs);

/* Recombines all rows to device memory [n][n][n_limbs]: for the benchmark. */
pc_status pci_gpu_part_collect_device(pci_gpu_part *part, uint32_t n_limbs, uint64_t *limbs);

#endif

/* An engine has the operations on planes that powering is made of.
 *
 * A run is one count in progress and holds one matrix P as residue planes; it begins empty. The
 * operations of a run are called one at a time. Those that can fail set the context's message, and
 * leave the run fit for nothing but end.
 *
 * "n_moduli" is how many moduli of the list (src/residues/residues.h) the planes stand for; 0 means
 * one plain plane, whose entries are at most PCI_MAX_PLAIN. */
#ifndef PCI_ENGINE_H
#define PCI_ENGINE_H

#include "graphs/partition.h"
#include "src/residues/residues.h"
#include "src/rows/aggregates.h"
#include "src/engine/sweep.h"

/* Rows are collected from a device in blocks: large ones cost their readers less, but they are
 * page-locked first, which takes longer than a small graph does. So they grow with the result. */
enum { PCI_DEVICE_BLOCK_MIN_BYTES = 1 << 20, PCI_DEVICE_BLOCK_BYTES = 32 << 20 };

static inline uint64_t pci_device_block_bytes(uint64_t result_bytes)
{
    uint64_t bytes = result_bytes / 32;
    if (bytes < PCI_DEVICE_BLOCK_MIN_BYTES)
        return PCI_DEVICE_BLOCK_MIN_BYTES;
    return bytes < PCI_DEVICE_BLOCK_BYTES ? bytes : PCI_DEVICE_BLOCK_BYTES;
}

/* Rows, and columns, of what a plan delivers. */
static inline uint64_t pci_plan_n_rows(const pc_plan_info *plan)
{
    return plan->n_blocks ? plan->n_blocks : plan->n_vertices;
}

/* Returns how many of them are collected from a device at a time. */
static inline uint64_t pci_plan_device_rows(const pc_plan_info *plan)
{
    uint64_t n = pci_plan_n_rows(plan), row_bytes = n * plan->n_limbs * sizeof(uint64_t);
    uint64_t n_rows = row_bytes ? pci_device_block_bytes(n * row_bytes) / row_bytes : 1;
    n_rows = n_rows ? n_rows : 1;
    return n_rows < n ? n_rows : n;
}

/* Tells whether the last level is the diagonal of a product, which the rest is not made for. */
static inline bool pci_plan_is_diagonal(const pc_plan_info *plan)
{
    return plan->n_levels && plan->levels[plan->n_levels - 1].is_diagonal;
}

/* Tells whether the last level makes integers of the digits of P, and P is its own residue modulo the one number
 * of pci_direct_moduli. */
static inline bool pci_plan_is_direct(const pc_plan_info *plan)
{
    return plan->n_levels && plan->levels[plan->n_levels - 1].is_direct;
}

/* Most moduli that a level works with: they never get fewer. */
static inline uint32_t pci_plan_n_most(const pc_plan_info *plan)
{
    return plan->n_levels ? plan->levels[plan->n_levels - 1].n_moduli : 0;
}

typedef struct pci_run pci_run;

/* Facts that an engine tells to plans. Strings live as long as the engine. */
typedef struct pci_engine_info {
    const char *kernel; /* the product kernel that would be used now */
    const char *device; /* "NVIDIA H100 80GB HBM3"; "" for the processor */
    int n_devices;
    double ops_per_second;      /* int8 operations of all devices, two to a multiply-add */
    double transfer_per_second; /* bytes of results to host memory; 0: they are there */
    bool squares_digits;        /* square_digits is faster than extend and square */
} pci_engine_info;

/* The memory that a plan would take, in bytes. */
typedef struct pci_forecast {
    uint64_t levels;           /* most host memory held at once while the levels run */
    uint64_t power;            /* host memory that the finished power holds until end */
    uint64_t device;           /* most memory held at once on a device; 0: none */
    uint64_t device_available; /* on the device that has least */
} pci_forecast;

typedef struct pci_engine {
    const char *name;  /* "cpu", "cuda" */
    uint32_t n_moduli; /* of the list that it works with */

    /* It knows classes (graphs/graph.h): of a graph that has them, P is N, the entries between classes, and a record
     * counts each column as often as its class has vertices. Such a run has no plain plane, and no operations but
     * load, extend, square, step, reduce_modulo, trim, collect, aggregate and collect_selected. */
    bool has_classes;

    pc_status (*describe)(pc_context *context, pci_engine_info *info);

    /* plan has its levels. PC_ERR_MEMORY when no device has memory for the smallest steps. */
    pc_status (*forecast)(pc_context *context, const pc_graph *graph, const pc_plan_info *plan,
                          pci_forecast *forecast);

    /* No operation of the run will want more than n_most moduli; reduce is called if there is a
     * partition, else partition is NULL. graph, partition and moduli must outlive the run. */
    pc_status (*begin)(pc_context *context, const pc_graph *graph, const pc_partition *partition,
                       const pci_moduli *moduli, uint32_t n_most, pci_run **run);
    void (*end)(pci_run *run); /* accepts NULL */

    /* P = A. */
    pc_status (*load)(pci_run *run, uint32_t n_moduli);

    /* P = the n x n words, each below 2^63; n_moduli > 0. */
    pc_status (*load_words)(pci_run *run, const uint64_t *words, uint32_t n_moduli);

    /* More planes for the same P: exact base extension. No fewer than there are. */
    pc_status (*extend)(pci_run *run, uint32_t n_moduli);

    /* P = P * P, of n_moduli moduli: those P has, or any number when P is one plain plane. */
    pc_status (*square)(pci_run *run, uint32_t n_moduli);

    /* P = P * P, of n_moduli narrow moduli, by digits. P has PCI_N_DIGIT_MODULI or more; its entries are at most
     * PCI_MAX_DIRECT, those of P * P at most PCI_MAX_SUM. NULL: P is extended and squared instead. */
    pc_status (*square_digits)(pci_run *run, uint32_t n_moduli);

    /* P = A * P, which is P * A for a power of A. n_moduli as for square. */
    pc_status (*step)(pci_run *run, uint32_t n_moduli);

    /* P = S P P S^T, or S P A P S^T if is_step, with S of the run's partition: (S P) (P S^T),
     * summed over blocks before they are multiplied, n_blocks x n x n_blocks ("Reduced Matrix
     * Multiplication using CUDA", 4.3.2). P is then n_blocks square, and only trim and collect
     * follow. n_moduli > 0, as for square. */
    pc_status (*reduce)(pci_run *run, bool is_step, uint32_t n_moduli);

    /* P is what was wanted: lets go of all memory that only computing needs. */
    void (*trim)(pci_run *run);

    /* Rows of P as integers of n_limbs words, [n_rows][n or n_blocks][n_limbs]: *limbs is space,
     * which has room for them, or memory of the run, valid until its next operation. Rows are best
     * asked for in ascending order, in blocks of one size: an engine may prepare the next block
     * meanwhile. */
    pc_status (*collect)(pci_run *run, uint64_t first_row, uint64_t n_rows, uint32_t n_limbs,
                         uint64_t *space, const uint64_t **limbs);

    /* P as words modulo modulus < 2^63: words[n][n]. */
    pc_status (*collect_modular)(pci_run *run, uint64_t modulus, uint64_t *words);

    /* The diagonal of P P, or of P A P if is_step, as integers: limbs[n][n_limbs]. n_moduli as for square, and
     * enough for these counts. P stays; a plain P has no step. NULL: P is squared, or stepped, instead. */
    pc_status (*diagonal)(pci_run *run, bool is_step, uint32_t n_moduli, uint32_t n_limbs,
                          uint64_t *limbs);

    /* words[n][n] = P P, as integers. P is plain, or it is a run of pci_direct_moduli, and its entries are at
     * most PCI_MAX_DIRECT. P stays. NULL: P is squared modulo several numbers instead. */
    pc_status (*square_direct)(pci_run *run, uint64_t *words);

    /* P = P mod modulus < 2^63, entry by entry, with residues of the moduli that P has. NULL: collect_modular
     * and load_words do the same. */
    pc_status (*reduce_modulo)(pci_run *run, uint64_t modulus);

    /* Aggregates of all rows of P, as integers of aggregates->n_limbs words, computed where the rows are:
     * fills in both copies of the records, unless they are NULL, and then the dot products
     * (src/rows/aggregates.h). NULL: rows are in host memory, and nothing is gained. */
    pc_status (*aggregate)(pci_run *run, pci_aggregates *aggregates);

    /* The given rows of P, ascending: limbs[n_rows][n or n_blocks][n_limbs]. NULL with aggregate only. */
    pc_status (*collect_selected)(pci_run *run, uint64_t n_rows, const uint64_t *rows,
                                  uint32_t n_limbs, uint64_t *limbs);

    const pci_sweep_ops *sweeps; /* on the engine's first device; NULL: it has none */
    const struct pci_pass_ops
        *passes; /* likewise, of formulas (src/simple/formula.h); NULL: it has none */

    /* Passes every device of the machine to tell, with the reason where one cannot be used; NULL:
     * the engine has no devices of its own. */
    pc_status (*list_devices)(pc_context *context, pc_device_fn tell, void *user);
} pci_engine;

/* OpenMP on the processors of this machine; always there. */
extern const pci_engine pci_engine_cpu;

/* The only symbol of an engine that is a shared object of its own. built_for is PCI_ENGINE_BUILD of
 * the caller. An engine of another build refuses: it does not know where messages go, so it does
 * not touch the context. Starts the devices that context->devices names. PC_ERR_ENGINE with the
 * reason (no driver, no device, no code for it) in the message. */
typedef pc_status (*pci_engine_open_fn)(pc_context *context, const char *built_for,
                                        const pci_engine **engine);
#define PCI_ENGINE_OPEN  "pci_engine_cuda_open"
#define PCI_ENGINE_BUILD PC_VERSION " table 12"

#endif

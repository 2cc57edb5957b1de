/* The time that a count takes: work in the units of each part (src/core/memory.h), and work in
 * seconds. Only the graph's size, its mean degree and the limits of entries are looked at, so a
 * prediction costs nothing. */
#ifndef PCI_COST_H
#define PCI_COST_H

#include "graphs/graph.h"

typedef struct pci_work {
    double units[PCI_N_PARTS];
} pci_work;

/* Vectors sent through a graph. */
typedef struct pci_sweep_work {
    uint64_t n_vectors, length;
    double n_starts; /* vertices at which a vector begins; 0: one */
    double bits;     /* log2 of a limit of the entries after length steps */

    /* Residues are all equally wide, whatever bits says; 0: integers, which grow. */
    uint64_t modulus;
    uint32_t n_limbs; /* of a row's entries; 0: no rows are wanted */
} pci_sweep_work;

/* Adds the work of one level of a plan on the processors: squarings, steps, reduced products,
 * sweeps. */
void pci_cost_level(const pc_context *context, const pc_graph *graph, const pc_plan_info *info,
                    uint32_t level, pci_work *work);

/* Adds the work beside the levels: limits, recombining, certificates. */
void pci_cost_around(const pc_context *context, const pc_graph *graph, const pc_plan_info *info,
                     int n_rounds, pci_work *work);

/* A single vector, which becomes wider. */
typedef struct pci_single_work {
    uint64_t n_steps;
    double growth_bits; /* of entries, with each step */
    int n_rounds;       /* of its checks */
} pci_single_work;

void pci_cost_single(const pc_context *context, const pc_graph *graph,
                     const pci_single_work *single, pci_work *work);

void pci_cost_sweeps(const pc_context *context, const pc_graph *graph, const pci_sweep_work *sweeps,
                     pci_work *work);

/* One vector, certified: length passes over the arcs. */
void pci_cost_passes(const pc_context *context, const pc_graph *graph, double n_passes,
                     pci_work *work);

/* The same by one thread. */
void pci_cost_serial_passes(const pc_context *context, const pc_graph *graph, double n_passes,
                            pci_work *work);

/* Seconds that the processors take for a level. */
double pci_cost_level_seconds(const pc_context *context, const pc_graph *graph,
                              const pc_plan_info *info, uint32_t level);

/* Fills in the predicted seconds of a plan that the processors carry out, level by level and in
 * all. */
void pci_cost_plan(const pc_context *context, const pc_graph *graph, int n_rounds,
                   pc_plan_info *info);

/* Threads that would do as much as n_threads do if no thread slowed another one down. */
double pci_cost_threads(int n_threads);

/* Seconds with the rates and threads of the context: few threads where it does not pay to wake
 * more. */
double pci_cost_seconds(const pc_context *context, const pci_work *work);

/* The same of a whole query, with what every one takes. */
double pci_cost_query_seconds(const pc_context *context, const pci_work *work);

/* The sweeps of the work on a device. */
double pci_cost_device_sweep_seconds(const pci_work *work);

#endif

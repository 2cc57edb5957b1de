/* Whole matrices by sweeps: all rows of A^length in batches, and the words that a hybrid begins
 * with. */
#ifndef PCI_COUNT_SWEPT_H
#define PCI_COUNT_SWEPT_H

#include "src/deliver.h"

/* What engines take as words is below 2^63 (load_words). */
#define PCI_SWEPT_WORD_BITS 63

/* The bytes of a program that does nothing, and of each thread that writes a file. Beside whole
 * matrices as powers they are nothing, beside a few rows they are much. */
enum { PCI_PROGRAM_BYTES = 8 << 20, PCI_WRITING_BYTES = 2 << 20 };

static inline uint64_t pci_swept_program_bytes(const pci_schedule *schedule, const pc_plan *plan)
{
    return PCI_PROGRAM_BYTES +
           (schedule->holds_result ? 0 : (uint64_t)plan->n_threads * PCI_WRITING_BYTES);
}

/* The rest of plan, and of schedule, for a whole matrix by sweeps; as pci_plan_engine. */
pc_status pci_swept_plan(pc_context *context, const pc_graph *graph, const char *cpu_because,
                         pci_schedule *schedule, pc_plan *plan);

/* All rows. Notes the times in plan. */
pc_status pci_count_swept(pc_context *context, const pc_graph *graph, const pci_schedule *schedule,
                          pci_destination *destination, pc_plan *plan);

/* Of a hybrid, whose plan is made but for that: the memory of what follows. */
pc_status pci_swept_plan_words(pc_context *context, const pc_graph *graph, pci_schedule *schedule,
                               pc_plan *plan);

/* words[n][n], to be freed: the first level of a hybrid. Notes the time in plan. */
pc_status pci_swept_words(pc_context *context, const pc_graph *graph, const pci_schedule *schedule,
                          pc_plan *plan, uint64_t **words);

#endif

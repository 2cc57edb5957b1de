/* The ladder on the processor: its loops (src/cpu/ladder.h) and our own int8 product, each verified
 * against sums of integers, then timed by the clock on the wall. All there is to measure without a GPU,
 * and the last part of what is measured with one. */
#ifndef PCI_LADDER_RUNGS_H
#define PCI_LADDER_RUNGS_H

#include "pathcount_measure.h"
#include "src/measure/bench.h"
#include "src/cpu/ladder.h"

typedef struct pci_rungs {
    pc_context *context;
    const pc_ladder_options *options; /* complete, except that n_kernels may be 0 */
    const pci_ladder_report *report;  /* for rows only */
    const pci_cpu_rung *rung;         /* [n_rungs]; our own product comes after them */
    size_t n_rungs;
    bool is_alone;     /* no GPU is measured: speed-ups are over the first row, and rungs for large
                          n are not left out unless asked for by name */
    double library_ms; /* of cuBLAS' single precision; 0: not measured */
    double first_ms;   /* what speed-ups are over; 0: not measured */
    uint64_t n_wrong;  /* results so far */
} pci_rungs;

/* Measures and reports all that the options ask for. What is wrong is counted and not timed. */
pc_status pci_rungs_measure(pci_rungs *rungs);

/* PC_ERR_ARGUMENT for a name that is none of a GPU's, of which there may be none at all, or of the
 * processor's. */
pc_status pci_ladder_check_names(pc_context *context, const pc_ladder_options *options,
                                 size_t n_of_gpu, const char *const *of_gpu);

bool pci_ladder_is_named(const pc_ladder_options *options, const char *name);

/* Reports a row, whose n and note are set, with all that follows from what was measured. */
void pci_ladder_tell(const pci_ladder_report *report, const pc_ladder_row *row, double library_ms,
                     double first_ms);

#endif

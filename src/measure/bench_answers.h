/* The part of the engine's benchmark that measures whole answers. */
#ifndef PCI_BENCH_ANSWERS_H
#define PCI_BENCH_ANSWERS_H

#include "src/measure/bench.h"

/* Measures answers from a graph in memory to the numbers that the command prints, on the context's device or,
 * if none is named, on the first GPU; the start of CUDA is over. A row tells the stages in its note. Options are
 * complete, except that n_sizes may be 0. PC_ERR_CERTIFY, after all were measured, when one was wrong. */
pc_status pci_bench_answers(pc_context *context, const pc_bench_options *options,
                            const pci_bench_report *report);

#endif

/* Repeated squaring: of integers, modulo a number, and in doubles. */
#ifndef PCI_POWER_H
#define PCI_POWER_H

#include "src/certify/certify.h"
#include "src/engine/engine.h"

/* Carries out the levels of plan on run of engine, which then holds A^length, or the factor of
 * which the last level is the diagonal, with the moduli of that level; notes the times in plan.
 * *words are those of a swept first level, which are freed, and the pointer cleared, when they are
 * loaded. */
pc_status pci_power(pc_context *context, const pci_engine *engine, pci_run *run, uint64_t **words,
                    pc_plan_info *plan);

/* A^length modulo plan->modulus, length >= 1, by a run of the engine that has begun: in words[n][n]
 * or, when words is NULL, as the P of the run, whose entries are below the modulus; that needs an
 * engine with reduce_modulo and aggregate, and arcs with multiplicities below the modulus.
 * certificate, of A modulo the same number or NULL, is that of A^length then; every level but the
 * last has been checked by it. */
pc_status pci_power_modular(pc_context *context, const pc_graph *graph, const pci_engine *engine,
                            pci_run *run, pci_certificate *certificate, pc_plan_info *plan,
                            uint64_t *words);

/* A^length in doubles on the processors of this machine, = values * 2^exponent, length >= 1. The
 * largest value is scaled to [1/2, 1) after each level, so nothing overflows; an entry that is not
 * 0 never becomes 0. PC_ERR_RANGE when entries differ by more than 2^500, or the exponent passes
 * 2^62. values points into matrices, which has room for two of n x n. */
pc_status pci_power_float(pc_context *context, const pc_graph *graph, pc_plan_info *plan,
                          double *matrices, double **values, int64_t *exponent);

#endif

/* Squaring: A^length by repeated squaring on an engine, from A on or, of a hybrid, from a power
 * whose rows were swept. The rows of the power leave the engine checked, block by block. */
#ifndef PCI_SQUARE_H
#define PCI_SQUARE_H

#include "src/count/methods.h"
#include "src/cpu/swept_rows.h"

extern const pci_method pci_by_squaring, pci_by_hybrid;

/* A^0, which a plan for squaring or sweeping becomes where the length is 0. */
extern const pci_method pci_by_identity;

/* Plans a shorter length of a query that a plan for squaring answers, length by length: on the same engine
 * and, where it is possible, by the same method. PC_ERR_RANGE, PC_ERR_CANCELLED. */
pc_status pci_square_plan_length(const pci_question *question, const pci_plan *plan,
                                 uint64_t length, pci_plan *made);

/* Makes the rows of the power, or sums of them between blocks where there is no reduced product. */
pc_status pci_square_run(const pci_execution *run);

/* Certifies and passes on rows of A^length that are there already: run is what the collect of the engine, which
 * needs no other operation, makes rows of. */
pc_status pci_deliver_made(const pci_execution *execution, const pci_engine *engine, pci_run *run);

/* The options of the sweeps of a hybrid; along is the graph or its reverse. */
pci_swept_options pci_hybrid_sweep(const pci_question *question, const pci_plan *plan,
                                   const pc_graph *along);

/* Tells whether the engine of a plan keeps the power of each level of a count modulo a number, and
 * reduces it itself: no words of a level go to the host. */
bool pci_keeps_power(const pci_question *question, const pci_plan *plan);

/* ---- Repeated squaring: of integers, modulo a number, and in doubles ------------------------- */

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

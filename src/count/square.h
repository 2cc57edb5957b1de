/* Squaring: A^length by repeated squaring on an engine, from A on or, of a hybrid, from a power
 * whose rows were swept. The rows of the power leave the engine checked, block by block. */
#ifndef PCI_SQUARE_H
#define PCI_SQUARE_H

#include "graphs/partition.h"
#include "src/count/methods.h"
#include "src/cpu/swept_rows.h"

extern const pci_method pci_by_squaring, pci_by_hybrid;

/* A^0, which a plan for squaring or sweeping becomes where the length is 0. */
extern const pci_method pci_by_identity;

/* Plans a shorter length of a query that a plan for squaring answers, length by length: on the same engine
 * and, where it is possible, by the same method. PC_ERR_RANGE, PC_ERR_CANCELLED. */
pc_status pci_square_plan_length(const pci_question *question, const pci_plan *plan,
                                 uint64_t length, pci_plan *made);

/* Plans squaring from A on or, unless sweep_length is 0, from A^sweep_length. dense has the levels with their limits. Returns
 * errors as the plan of a method does (src/plan/plan.h). */
pc_status pci_square_plan(const pci_question *question, const pc_plan_info *dense,
                          uint64_t sweep_length, const pci_engine *engine, pci_plan *plan);

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

/* ---- Rows of classes (class_rows.c) ----------------------------------------------------------- */

/* Rows of classes: what becomes of the rows of the powers of a quotient's pieces (graphs/partition.h).
 *
 * A power's entries become the entries N between classes, unless an engine makes these, from which the answer is made. A summary needs only
 * aggregates of rows. They are computed once for a class: each entry is weighed by the size of its column's
 * class, and no row is made. Otherwise the entries are kept, and rows of vertices are read off them. The rows of
 * classes have a certificate for which vectors are sent through the whole graph, so a fault in the classes
 * is found like any other. */
typedef struct pci_class_rows {
    pc_context *context;
    const pci_quotient *quotient;
    uint64_t length, modulus; /* 0: integers */
    bool up_to;               /* the lengths from 1 on are added up */
    uint32_t n_limbs;         /* of an entry of the answer */
    bool are_between;         /* the rows that come are those of N */
    size_t n_record;          /* words of a record */
    uint64_t *records; /* [PCI_AGGREGATE_COPIES][n_classes][n_record]; NULL: entries are kept */
    pc_counts **piece; /* [n_pieces] of entries N that are kept */

    /* A summary wants a few rows when it has all records. Where an engine has made these, it still holds the piece that
     * was made last: want is called then, and sets is_wanted of the classes of this piece whose rows are to be kept at
     * their places. */
    pc_status (*want)(struct pci_class_rows *rows, uint8_t *is_wanted);
    uint32_t last;
    uint64_t *wanted; /* [number of rows][classes of the piece][n_limbs]; NULL: none are kept */
    uint32_t *place;  /* [classes of the piece], in the memory of wanted */
} pci_class_rows;

/* Fills in piece and, if wanted, records; the rest is filled in. The caller frees them, whatever the status.
 * PC_ERR_MEMORY. */
pc_status pci_class_rows_create(bool has_records, pci_class_rows *rows);
void pci_class_rows_free(pci_class_rows *rows);

/* A reduction of the rows of the power of piece p, to be freed by pc_reduction_free. PC_ERR_MEMORY. */
pc_status pci_class_rows_reduction(pci_class_rows *rows, uint32_t p, pc_reduction **reduction);

/* The certificate of these rows, of n_rounds rounds. PC_ERR_CERTIFY when vertices of a class differ, or arcs
 * lead out of the piece; PC_ERR_MEMORY, PC_ERR_CANCELLED. */
pc_status pci_class_rows_certify(const pci_class_rows *rows, pc_context *context,
                                 const pc_graph *graph, uint32_t p, int n_rounds,
                                 pci_certificate **certificate);

/* row[n_vertices][n_limbs] becomes that of a vertex, of entries or of a wanted row that were kept. */
void pci_class_rows_expand(const pci_class_rows *rows, uint64_t vertex, uint64_t *row);

/* The record of a class. */
static inline uint64_t *pci_class_rows_record(const pci_class_rows *rows, int copy, uint64_t class)
{
    return rows->records + ((uint64_t)copy * rows->quotient->n_classes + class) * rows->n_record;
}

#endif

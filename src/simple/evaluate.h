/* Runs programs on sparse matrices: rows of counts of paths without repeated vertices. */
#ifndef PCI_EVALUATE_H
#define PCI_EVALUATE_H

#include "src/simple/program.h"

/* A sparse matrix without entries on the diagonal where rows and columns stand for the same. */
typedef struct pci_formula_base {
    uint64_t n_rows, n_columns;
    const uint64_t *row_start; /* [n_rows + 1] */
    const uint32_t *column;    /* ascending within a row */
    const uint64_t *weight;    /* NULL: every entry is 1 */
    const double *value;       /* of doubles; NULL: as weight says */
} pci_formula_base;

/* Numbers of a program: integers modulo 2^64 or 2^128, or doubles. */
typedef enum pci_numbers { PCI_NUMBERS_64 = 1, PCI_NUMBERS_128, PCI_NUMBERS_DOUBLE } pci_numbers;

static inline size_t pci_number_bytes(pci_numbers numbers)
{
    return numbers == PCI_NUMBERS_128 ? 16 : 8;
}

static inline uint64_t pci_base_n_entries(const pci_formula_base *base)
{
    return base->row_start[base->n_rows];
}

typedef struct pci_evaluation pci_evaluation;

/* Functions that run passes on a device (src/engine/engine.h). */
typedef struct pci_passes pci_passes;

typedef struct pci_pass_ops {
    /* The evaluation must outlive the passes. PC_ERR_MEMORY of the device, PC_ERR_ENGINE. */
    pc_status (*create)(pc_context *context, pci_evaluation *evaluation, pci_passes **passes);
    void (*free)(pci_passes *passes);

    /* Runs a pass for n sources, NULL: all, as the processors do: totals and picks go to the values of the evaluation,
     * rows to rows. PC_ERR_CANCELLED, PC_ERR_MEMORY, PC_ERR_ENGINE. */
    pc_status (*run)(pci_passes *passes, uint32_t pass, uint64_t n, const uint64_t *source,
                     void *rows);
} pci_pass_ops;

/* An evaluation, for those who run passes. */
struct pci_evaluation {
    pc_context *context;
    const pci_program *program;
    const pci_formula_base *base;
    pci_numbers numbers;
    bool is_magnitude;
    uint64_t n_most;         /* the most rows or columns of a base */
    uint64_t *room;          /* [n_most] */
    void **values;           /* [n_expressions]; NULL: ones, or not made */
    uint8_t *is_made;        /* [n_expressions] */
    const pci_pass_ops *ops; /* NULL: the processors run the passes */
    pci_passes *passes;
};

/* Runs all passes but the last one. base[2 r + 1] is the transpose of base[2 r]; where the formula is symmetric only the
 * first of the two is looked at. Both, and the program, must outlive the evaluation. is_magnitude: coefficients and
 * entries count without their signs, for limits of rounding errors. ops: of the device that runs passes of integers; NULL: the processors do. PC_ERR_MEMORY,
 * PC_ERR_CANCELLED, and errors of the device. */
pc_status pci_evaluation_create(pc_context *context, const pci_program *program,
                                const pci_formula_base *base, pci_numbers numbers,
                                bool is_magnitude, const pci_pass_ops *ops,
                                pci_evaluation **evaluation);
void pci_evaluation_free(pci_evaluation *evaluation); /* accepts NULL */

/* rows[i][v], [n_rows][n_columns] of one or two words or of doubles, becomes the row of source[i]; the entry of the source
 * itself becomes 0 where both ends have the same type. PC_ERR_MEMORY, PC_ERR_CANCELLED. */
pc_status pci_evaluation_rows(pci_evaluation *evaluation, uint64_t n_rows, const uint64_t *source,
                              void *rows);

/* Returns how many numbers an expression has. */
uint64_t pci_evaluation_n_values(const pci_evaluation *evaluation, uint16_t number);

/* A checksum of the program and of what the passes made. */
uint64_t pci_evaluation_checksum(const pci_evaluation *evaluation);

/* Bytes that an evaluation, and rows that it makes, take at most beside the rows. */
double pci_evaluation_bytes(pc_context *context, const pci_program *program,
                            const pci_formula_base *base, pci_numbers numbers);

#endif

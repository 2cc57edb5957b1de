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

typedef struct pci_evaluation pci_evaluation;

/* Runs all passes but the last one. base[2 r + 1] is the transpose of base[2 r]; where the formula is symmetric only the
 * first of the two is looked at. Both, and the program, must outlive the evaluation. is_magnitude: coefficients and
 * entries count without their signs, for limits of rounding errors. PC_ERR_MEMORY, PC_ERR_CANCELLED. */
pc_status pci_evaluation_create(pc_context *context, const pci_program *program,
                                const pci_formula_base *base, pci_numbers numbers,
                                bool is_magnitude, pci_evaluation **evaluation);
void pci_evaluation_free(pci_evaluation *evaluation); /* accepts NULL */

/* rows[i][v], [n_rows][n_columns] of one or two words or of doubles, becomes the row of source[i]; the entry of the source
 * itself becomes 0 where both ends have the same type. PC_ERR_MEMORY, PC_ERR_CANCELLED. */
pc_status pci_evaluation_rows(pci_evaluation *evaluation, uint64_t n_rows, const uint64_t *source,
                              void *rows);

/* A checksum of the program and of what the passes made. */
uint64_t pci_evaluation_checksum(const pci_evaluation *evaluation);

/* Bytes that an evaluation, and rows that it makes, take at most beside the rows. */
double pci_evaluation_bytes(pc_context *context, const pci_program *program,
                            const pci_formula_base *base, pci_numbers numbers);

#endif

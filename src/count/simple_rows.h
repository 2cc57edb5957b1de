/* Rows of simple paths and of cycles: what was chosen for a question, and a run that makes them. */
#ifndef PCI_SIMPLE_ROWS_H
#define PCI_SIMPLE_ROWS_H

#include "src/count/methods.h"
#include "src/simple/formula.h"
#include "src/simple/simple.h"

typedef struct pci_simple_choice {
    pc_method way;    /* PC_METHOD_FORMULA, _SEARCH or _SETS */
    uint32_t n_words; /* of an entry: 1 or 2 */
    uint64_t n_block; /* rows that are made together */
    double row_bytes; /* of a copy, or of an answer */
} pci_simple_choice;

/* The rows of one length, or of lengths that are added up. */
typedef struct pci_simple_run {
    const pci_execution *execution;
    const pci_question *question;
    const pci_simple_choice *chosen;
    pc_context *context;
    pc_graph *reverse;        /* of a directed graph; NULL */
    pci_simple_work work;     /* the paths whose rows are made */
    const pc_graph *arcs;     /* of cycles: each row keeps the entries at these; NULL */
    pci_formula_base base[2]; /* the arcs of the work without loops, and reversed */
    uint64_t *own_start[2];   /* what the bases own */
    uint32_t *own_column[2];
    uint64_t *own_weight[2];
    const pci_pass_ops *ops; /* of a device; NULL */
    pci_program *program;
    pci_evaluation *evaluation;
    uint64_t checksum; /* of the evaluation */
    bool is_sampled;   /* entries of this length were held against a search */
    int n_copies;
    uint64_t *copy[2]; /* [n_block][n][n_words] */
    uint64_t *rows;    /* [n_block][n][n_limbs] */
    double certify_seconds;
} pci_simple_run;

static inline bool pci_counts_cycles(const pci_question *question)
{
    return question->query.paths == PC_PATHS_CYCLES;
}

/* ---- Rows (simple_rows.c) -------------------------------------------------------------------- */

/* Makes the program of formulas for the paths of a work. PC_ERR_MEMORY, PC_ERR_INTERNAL. */
pc_status pci_simple_program(pc_context *context, bool is_symmetric, bool is_plain,
                             const pci_simple_work *work, pci_program **program);

/* Makes the arcs of the work ready for formulas. PC_ERR_MEMORY. */
pc_status pci_simple_bases(pci_simple_run *run);

/* Makes the paths of a length ready; the end returns status, or PC_ERR_CERTIFY where what was made ready has changed. */
pc_status pci_simple_begin(pci_simple_run *run, uint64_t length);
pc_status pci_simple_end(pci_simple_run *run, pc_status status);

/* PC_ERR_CERTIFY where the parts of formulas, of which both copies of rows are made, have changed. */
pc_status pci_simple_check(pci_simple_run *run);

/* Makes rows, n_block or fewer, into both copies, and compares them. PC_ERR_CERTIFY. */
pc_status pci_simple_rows(pci_simple_run *run, uint64_t n_rows, const uint64_t *from);

/* ---- Answers (simple.c) ---------------------------------------------------------------------- */

/* The run of all methods of simple paths. */
pc_status pci_simple_answer(const pci_execution *execution);

#endif

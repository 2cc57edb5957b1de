/* Numbers of paths without repeated vertices as a sum of numbers of walks.
 *
 * Moebius inversion over the partitions of the k + 1 positions of a path gives
 *
 *     paths(s, t) = sum over partitions of prod over blocks b of (-1)^(|b|-1) (|b|-1)!  times  hom(Q; s, t)
 *
 * where hom counts the maps of the quotient graph Q, whose vertices are the blocks, into the graph, with the two ends
 * mapped to s and t. Each hom is written as an expression in rows: a row, of the source s, has a number for each
 * vertex, and goes along a sparse matrix, is scaled by a number for each vertex, or is multiplied by another row, entry
 * by entry. The vertices of Q are eliminated one by one (formula.c), which works for all Q of at most 6 edges.
 *
 * The same is done for walks along a metapath, whose positions have types: only positions of one type are joined. */
#ifndef PCI_FORMULA_H
#define PCI_FORMULA_H

#include "src/core/context.h"

enum {
    PCI_FORMULA_LENGTH = 6, /* the longest paths */
    PCI_FORMULA_ARGUMENTS = 8,
    PCI_FORMULA_EXPRESSIONS = 4096,
    PCI_FORMULA_SLOTS = 4 * PCI_FORMULA_EXPRESSIONS,
    PCI_FORMULA_TERMS = 512,
    PCI_FORMULA_BASES = 2 * PCI_FORMULA_LENGTH
};

/* Kinds of expression. Rows have a number for each vertex and belong to a source; vectors have a number for each
 * vertex; matrices have the arcs of a base. */
typedef enum pci_expression_kind {
    PCI_BASE, /* matrix arg[0] of those given, of the graph: 2 r is relation r, 2 r + 1 its transpose */
    PCI_PICK, /* a factor of a matrix: entry (x, y) is entry y of row arg[0] of source x */
    PCI_TURN, /* its transpose: entry (x, y) is entry x of row arg[0] of source y. arg[1] of both: the base */
    PCI_MATRIX, /* factors arg[0] .. arg[n - 1], multiplied entry by entry, the first one a base */
    PCI_UNIT,   /* row: 1 at the source */
    PCI_STEP,   /* row: arg[0] times matrix arg[1] */
    PCI_SCALE,  /* row: arg[0] times vector arg[1], entry by entry */
    PCI_HADAMARD, /* row: rows arg[0] .. arg[n - 1], multiplied entry by entry */
    PCI_SUM,      /* vector: matrix arg[0] times vector arg[1] */
    PCI_TOTAL,    /* vector: at a source the sum of the entries of row arg[0] times vector arg[1] */
    PCI_VECTOR /* factors arg[0] .. arg[n - 1], multiplied entry by entry; without factors: ones */
} pci_expression_kind;

typedef struct pci_expression {
    uint8_t kind, n_args;
    uint16_t arg[PCI_FORMULA_ARGUMENTS]; /* numbers of expressions, but for a base */
} pci_expression;

/* coefficient times what vector `scale` has at the source, times the row. */
typedef struct pci_formula_term {
    int64_t coefficient;
    uint16_t scale, row;
} pci_formula_term;

typedef struct pci_formula {
    uint32_t n_expressions, n_terms;
    pci_expression expression[PCI_FORMULA_EXPRESSIONS]; /* all different */
    uint16_t slot[PCI_FORMULA_SLOTS];                   /* a hash table of them: number + 1, or 0 */
    pci_formula_term term[PCI_FORMULA_TERMS];
    uint8_t row_type[PCI_FORMULA_BASES]; /* what the rows of a base stand for */
    uint8_t last_base;                   /* of the last step of a path */
    bool is_square;                      /* both ends of a path have the same type */
    bool is_symmetric;                   /* each relation is its own transpose */
    bool is_plain;                       /* entries of relations are 0 or 1 */
    bool is_full;                        /* there was no room for an expression or a term */
} pci_formula;

/* The positions of a path: position i has type[i], and the step to the next one goes along base[i]. Only positions of
 * the same type have to differ. */
typedef struct pci_formula_path {
    uint32_t length; /* 1 .. PCI_FORMULA_LENGTH */
    uint8_t type[PCI_FORMULA_LENGTH + 1];
    uint8_t base[PCI_FORMULA_LENGTH];
} pci_formula_path;

/* Creates the formula without terms, to be freed by pci_free. PC_ERR_MEMORY. */
pc_status pci_formula_create(pc_context *context, bool is_symmetric, bool is_plain,
                             pci_formula **formula);

/* Adds the terms of the paths of a kind; the entry of a source with itself is meaningless where both ends have the same
 * type. PC_ERR_INTERNAL when a quotient cannot be eliminated or there are too many terms. */
pc_status pci_formula_add(pc_context *context, const pci_formula_path *path, pci_formula *formula);

/* The transpose of a matrix expression; the pick that a turned one is the transpose of. */
uint16_t pci_formula_transpose(pci_formula *formula, uint16_t matrix);
uint16_t pci_formula_turned(pci_formula *formula, uint16_t turn);

/* The vector of ones. */
uint16_t pci_formula_ones(pci_formula *formula);

static inline bool pci_formula_is_unit(const pci_formula *formula, uint16_t row)
{
    return formula->expression[row].kind == PCI_UNIT;
}

/* Tells whether a row has the arcs of the source in a matrix, arg[1] of it. */
static inline bool pci_formula_is_arcs(const pci_formula *formula, uint16_t row)
{
    const pci_expression *e = &formula->expression[row];
    return e->kind == PCI_STEP && pci_formula_is_unit(formula, e->arg[0]);
}

/* The base whose rows are the sources of a row. */
uint32_t pci_formula_source_base(const pci_formula *formula, uint16_t row);

/* The base of a pick or a turn. */
static inline uint32_t pci_formula_base_of_factor(const pci_formula *formula, uint16_t factor)
{
    return formula->expression[formula->expression[factor].arg[1]].arg[0];
}

/* The first base of a matrix, whose arcs it has. */
static inline uint32_t pci_formula_base_of(const pci_formula *formula, uint16_t matrix)
{
    return formula->expression[formula->expression[matrix].arg[0]].arg[0];
}

/* ---- Programs (program.c) ---------------------------------------------------------------------- */

/* A formula as passes over sources: each pass is a list of instructions on rows, which are held for a few sources at a
 * time. All passes but the last one make numbers of all sources or arcs, which later passes need. */

enum {
    PCI_PROGRAM_PASSES = 16,
    PCI_PROGRAM_INSTRUCTIONS = 1024,
    PCI_PROGRAM_REGISTERS = 64,
    PCI_NO_VALUES = UINT16_MAX
};

typedef enum pci_instruction_kind {
    PCI_ALONG,    /* to = from times a matrix, which is given transposed */
    PCI_MULTIPLY, /* to = from times other, entry by entry */
    PCI_ADD,      /* to += coefficient * scale * vector * from; `is_first`: to = */
    PCI_ADD_ARCS, /* the same of the arcs of the source in a matrix, times from if there is one */
    PCI_MAKE_TOTAL, /* the value of the source becomes the sum of from times a vector; where a matrix is given, of
                     * its arcs times from */
    PCI_MAKE_PICK /* the values of the arcs of the source, in a base, become entries of from */
} pci_instruction_kind;

typedef struct pci_instruction {
    uint8_t kind;
    bool is_first, has_from;
    uint16_t to, from, other; /* registers */
    int64_t coefficient;
    uint16_t matrix, vector, scale; /* expressions; PCI_NO_VALUES: none */
    uint16_t made;                  /* the expression whose values are made */
} pci_instruction;

typedef struct pci_pass {
    uint32_t first, n; /* instructions */
    uint32_t base;     /* whose rows are the sources */
} pci_pass;

typedef struct pci_program {
    pci_formula *formula;
    uint32_t n_passes, n_instructions, n_registers;
    uint32_t n_steps; /* along all arcs, of the last pass; of all other passes: */
    uint32_t n_more_steps;
    uint16_t result; /* the register that has the row of the answer after the last pass */
    pci_pass pass[PCI_PROGRAM_PASSES];
    pci_instruction instruction[PCI_PROGRAM_INSTRUCTIONS];
} pci_program;

/* Makes the program of a formula, which it owns from then on, also when it fails. PC_ERR_MEMORY, PC_ERR_INTERNAL when
 * there are more instructions than it has room for. */
pc_status pci_program_create(pc_context *context, pci_formula *formula, pci_program **program);
void pci_program_free(pc_context *context, pci_program *program);

/* ---- Evaluations (evaluate.c) ------------------------------------------------------------------ */

/* Runs programs on sparse matrices: rows of counts of paths without repeated vertices. */

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

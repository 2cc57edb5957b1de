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

#endif

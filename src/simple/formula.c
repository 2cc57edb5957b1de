/* Writes hom counts of quotients of paths as expressions in rows.
 *
 * Vertices of a quotient are eliminated until only the two ends are left. Let s be the end that is the source.
 *   - A vertex of one neighbour becomes a factor at that neighbour: a matrix times a vector.
 *   - A neighbour w of s with one other neighbour y: the row of w goes along the matrix from w to y.
 *   - What hangs at the ends of an edge (x, y), without the ends of the path, becomes a factor of its matrix: entries
 *     of a row of source x, picked where the matrix has arcs.
 * Such a part is reduced in the same way, with x as the source. So no dense matrix but the answer is ever made. */
#include "src/simple/formula.h"

#include <string.h>

enum { MOST_BLOCKS = PCI_FORMULA_LENGTH + 1, NONE = UINT16_MAX };

/* ---- Expressions ----------------------------------------------------------------------------- */

/* Returns the number of an expression; equal ones have the same number. */
static uint16_t intern(pci_formula *f, const pci_expression *e)
{
    uint64_t hash = e->kind;
    for (uint32_t i = 0; i < e->n_args; i++)
        hash = (hash ^ e->arg[i]) * UINT64_C(0x9E3779B97F4A7C15) + (hash >> 29);
    uint32_t at = (uint32_t)(hash >> 32) % PCI_FORMULA_SLOTS;
    for (; f->slot[at]; at = (at + 1) % PCI_FORMULA_SLOTS)
        if (!memcmp(&f->expression[f->slot[at] - 1], e, sizeof *e))
            return f->slot[at] - 1;
    if (f->n_expressions == PCI_FORMULA_EXPRESSIONS) {
        f->is_full = true;
        return 0;
    }
    f->expression[f->n_expressions] = *e;
    f->slot[at] = (uint16_t)++f->n_expressions;
    return f->slot[at] - 1;
}

static uint16_t pair(pci_formula *f, pci_expression_kind kind, uint16_t a, uint16_t b)
{
    return intern(f, &(pci_expression){.kind = (uint8_t)kind, .n_args = 2, .arg = {a, b}});
}

/* Adds an argument to a list that ascends, so that products in another order are the same. */
static void insert(pci_formula *f, pci_expression *list, uint16_t argument)
{
    if (list->n_args == PCI_FORMULA_ARGUMENTS) {
        f->is_full = true;
        return;
    }
    uint32_t i = list->n_args++;
    for (; i > 0 && list->arg[i - 1] > argument; i--)
        list->arg[i] = list->arg[i - 1];
    list->arg[i] = argument;
}

uint16_t pci_formula_ones(pci_formula *f)
{
    return intern(f, &(pci_expression){.kind = PCI_VECTOR});
}

static uint16_t unit(pci_formula *f)
{
    return intern(f, &(pci_expression){.kind = PCI_UNIT});
}

/* The vector times one more factor. */
static uint16_t times(pci_formula *f, uint16_t vector, uint16_t factor)
{
    pci_expression product = f->expression[vector];
    insert(f, &product, factor);
    return intern(f, &product);
}

static bool is_base(const pci_formula *f, uint16_t factor)
{
    return f->expression[factor].kind == PCI_BASE;
}

/* The matrix with these factors, in one order: bases first. A base that is 0 or 1 counts once. */
static uint16_t matrix_of(pci_formula *f, uint32_t n, const uint16_t *factor)
{
    pci_expression bases = {.kind = PCI_MATRIX}, others = {.kind = PCI_MATRIX};
    for (uint32_t i = 0; i < n; i++) {
        bool is_there = false;
        for (uint32_t j = 0; j < bases.n_args; j++)
            is_there |= bases.arg[j] == factor[i];
        if (is_base(f, factor[i]) && !(is_there && f->is_plain))
            insert(f, &bases, factor[i]);
    }
    for (uint32_t i = 0; i < n; i++)
        if (!is_base(f, factor[i])) {
            pci_expression other = f->expression[factor[i]];
            other.arg[1] = bases.arg[0]; /* whose arcs it has */
            insert(f, &others, intern(f, &other));
        }
    for (uint32_t i = 0; i < others.n_args; i++)
        if (bases.n_args < PCI_FORMULA_ARGUMENTS)
            bases.arg[bases.n_args++] = others.arg[i];
        else
            f->is_full = true;
    return intern(f, &bases);
}

/* The base, or its transpose. */
static uint16_t base_factor(pci_formula *f, uint32_t base, bool turns)
{
    uint16_t number = (uint16_t)(f->is_symmetric ? base & ~1U : base ^ turns);
    return intern(f, &(pci_expression){.kind = PCI_BASE, .n_args = 1, .arg = {number}});
}

uint16_t pci_formula_transpose(pci_formula *f, uint16_t matrix)
{
    pci_expression m = f->expression[matrix];
    for (uint32_t i = 0; i < m.n_args; i++) {
        pci_expression factor = f->expression[m.arg[i]];
        bool is_pick = factor.kind == PCI_PICK;
        factor.kind = is_pick ? PCI_TURN : PCI_PICK;
        m.arg[i] = is_base(f, m.arg[i]) ? base_factor(f, factor.arg[0], true) : intern(f, &factor);
    }
    return matrix_of(f, m.n_args, m.arg);
}

uint16_t pci_formula_turned(pci_formula *f, uint16_t turn)
{
    pci_expression e = f->expression[turn];
    e.kind = PCI_PICK;
    e.arg[1] = base_factor(f, f->expression[e.arg[1]].arg[0], true);
    return intern(f, &e);
}

uint32_t pci_formula_source_base(const pci_formula *f, uint16_t row)
{
    while (!pci_formula_is_arcs(f, row))
        row = f->expression[row].arg[0];
    return pci_formula_base_of(f, f->expression[row].arg[1]);
}

static uint16_t multiply_matrices(pci_formula *f, uint16_t a, uint16_t b)
{
    uint16_t factor[2 * PCI_FORMULA_ARGUMENTS];
    uint32_t n_a = f->expression[a].n_args, n_b = f->expression[b].n_args;
    memcpy(factor, f->expression[a].arg, n_a * sizeof *factor);
    memcpy(factor + n_a, f->expression[b].arg, n_b * sizeof *factor);
    return matrix_of(f, n_a + n_b, factor);
}

/* The row scaled by a vector. */
static uint16_t scale(pci_formula *f, uint16_t row, uint16_t vector)
{
    return f->expression[vector].n_args ? pair(f, PCI_SCALE, row, vector) : row;
}

/* The product of two rows, entry by entry. The arcs of the source along two matrices are those along their product. */
static uint16_t multiply_rows(pci_formula *f, uint16_t a, uint16_t b)
{
    pci_expression product = {.kind = PCI_HADAMARD};
    uint16_t matrix = NONE;
    for (int i = 0; i < 2; i++) {
        pci_expression rows = f->expression[i ? b : a];
        if (rows.kind != PCI_HADAMARD)
            rows = (pci_expression){.n_args = 1, .arg = {i ? b : a}};
        for (uint32_t j = 0; j < rows.n_args; j++)
            if (!pci_formula_is_arcs(f, rows.arg[j]))
                insert(f, &product, rows.arg[j]);
            else if (matrix == NONE)
                matrix = f->expression[rows.arg[j]].arg[1];
            else
                matrix = multiply_matrices(f, matrix, f->expression[rows.arg[j]].arg[1]);
    }
    if (matrix != NONE)
        insert(f, &product, pair(f, PCI_STEP, unit(f), matrix));
    return product.n_args == 1 ? product.arg[0] : intern(f, &product);
}

/* ---- Quotients ------------------------------------------------------------------------------- */

/* A quotient of which some vertices are eliminated. */
typedef struct quotient {
    pci_formula *formula;
    uint32_t vertices;                       /* a set: those that are still to be eliminated */
    uint16_t edge[MOST_BLOCKS][MOST_BLOCKS]; /* the matrix from a vertex to another; NONE */
    uint16_t factor[MOST_BLOCKS];            /* the vector at a vertex */
    uint16_t row[MOST_BLOCKS];               /* of the source, at its neighbours; NONE */
    uint16_t scale;                          /* the vector at the source */
} quotient;

/* The set of neighbours, but for the source. */
static uint32_t neighbours(const quotient *q, int v)
{
    uint32_t set = 0;
    for (int w = 0; w < MOST_BLOCKS; w++)
        set |= (uint32_t)(q->edge[v][w] != NONE) << w;
    return set;
}

static void cut(quotient *q, int v, int w)
{
    q->edge[v][w] = q->edge[w][v] = NONE;
}

static void connect(quotient *q, int v, int w, uint16_t matrix)
{
    pci_formula *f = q->formula;
    q->edge[v][w] = q->edge[v][w] == NONE ? matrix : multiply_matrices(f, q->edge[v][w], matrix);
    q->edge[w][v] = pci_formula_transpose(f, q->edge[v][w]);
}

/* Makes the edges of the source its rows. */
static void begin(quotient *q, int source)
{
    pci_formula *f = q->formula;
    for (int w = 0; w < MOST_BLOCKS; w++) {
        q->row[w] = NONE;
        if (q->edge[source][w] == NONE)
            continue;
        q->row[w] = pair(f, PCI_STEP, unit(f), q->edge[source][w]);
        cut(q, source, w);
    }
    q->scale = q->factor[source];
}

/* Eliminates a vertex of one neighbour, or of the source and at most one neighbour more; false where v is neither. */
static bool eliminate(quotient *q, int v)
{
    pci_formula *f = q->formula;
    uint32_t set = neighbours(q, v);
    int n_neighbours = __builtin_popcount(set), other = __builtin_ctz(set | 1U << 31);
    bool has_row = q->row[v] != NONE;
    if (n_neighbours > 1 || (n_neighbours == 0 && !has_row))
        return false;
    if (!has_row) {
        uint16_t sum = pair(f, PCI_SUM, q->edge[other][v], q->factor[v]);
        q->factor[other] = times(f, q->factor[other], sum);
    } else if (n_neighbours == 0) {
        uint16_t total = pci_formula_is_arcs(f, q->row[v])
                             ? pair(f, PCI_SUM, f->expression[q->row[v]].arg[1], q->factor[v])
                             : pair(f, PCI_TOTAL, q->row[v], q->factor[v]);
        q->scale = times(f, q->scale, total);
    } else {
        uint16_t row = pair(f, PCI_STEP, scale(f, q->row[v], q->factor[v]), q->edge[v][other]);
        q->row[other] = q->row[other] == NONE ? row : multiply_rows(f, q->row[other], row);
    }
    if (n_neighbours)
        cut(q, v, other);
    q->row[v] = NONE;
    q->vertices &= ~(1U << v);
    return true;
}

/* The set of vertices that v reaches without those of a set. */
static uint32_t component(const quotient *q, int v, uint32_t without)
{
    uint32_t reached = 1U << v, before = 0;
    while (reached != before) {
        before = reached;
        for (int w = 0; w < MOST_BLOCKS; w++)
            if (before >> w & 1)
                reached |= neighbours(q, w) & ~without;
    }
    return reached;
}

static bool reduce(quotient *q, int source, int target, uint16_t *row);

/* Takes the vertices of a set, which hang at the edge from x to y, out of the quotient. */
static bool split(quotient *q, uint32_t set, int x, int y)
{
    pci_formula *f = q->formula;
    quotient part = {.formula = f, .vertices = set};
    uint16_t row, factor[PCI_FORMULA_ARGUMENTS + 1];
    for (int v = 0; v < MOST_BLOCKS; v++) {
        part.factor[v] = set >> v & 1 ? q->factor[v] : pci_formula_ones(f);
        for (int w = 0; w < MOST_BLOCKS; w++)
            part.edge[v][w] = (set >> v | set >> w) & 1 ? q->edge[v][w] : NONE;
    }
    for (int v = 0; v < MOST_BLOCKS; v++)
        for (int w = 0; w < MOST_BLOCKS && set >> v & 1; w++)
            cut(q, v, w);
    q->vertices &= ~set;
    if (!reduce(&part, x, y, &row) || part.scale != pci_formula_ones(f))
        return false;
    const pci_expression *edge = &f->expression[q->edge[x][y]];
    uint32_t n = edge->n_args;
    memcpy(factor, edge->arg, n * sizeof *factor);
    factor[n] = pair(f, PCI_PICK, row, 0);
    q->edge[x][y] = matrix_of(f, n + 1, factor);
    q->edge[y][x] = pci_formula_transpose(f, q->edge[x][y]);
    return true;
}

/* Takes the smallest part out that hangs at an edge; false where there is none. Several vertices that hang at one vertex
 * have a smaller part that hangs at an edge. */
static bool split_smallest(quotient *q, int target)
{
    uint32_t best = 0, kept = 0; /* vertices that must stay */
    int at[2] = {-1, -1};
    for (int v = 0; v < MOST_BLOCKS; v++)
        kept |= (uint32_t)(q->row[v] != NONE || v == target) << v;
    for (int x = 0; x < MOST_BLOCKS; x++)
        for (int y = 0; y < x; y++)
            for (int v = 0; v < MOST_BLOCKS && q->edge[x][y] != NONE; v++) {
                uint32_t ends = 1U << x | 1U << y;
                if (!(q->vertices >> v & 1) || ends >> v & 1)
                    continue;
                uint32_t set = component(q, v, ends);
                bool is_better = !best || __builtin_popcount(set) < __builtin_popcount(best);
                if (set & kept || !is_better)
                    continue;
                best = set;
                at[0] = y;
                at[1] = x;
            }
    return best && split(q, best, at[0], at[1]);
}

/* Eliminates all vertices but the ends. *row becomes the row of the source at the target; q->scale its factor. */
static bool reduce(quotient *q, int source, int target, uint16_t *row)
{
    q->vertices &= ~(1U << source | 1U << target);
    begin(q, source);
    while (q->vertices && !q->formula->is_full) {
        bool is_done = false;
        for (int n = 1; n <= 2 && !is_done; n++) /* those of fewer neighbours first */
            for (int v = 0; v < MOST_BLOCKS && !is_done; v++) {
                int degree = __builtin_popcount(neighbours(q, v)) + (q->row[v] != NONE);
                is_done = q->vertices >> v & 1 && degree == n && eliminate(q, v);
            }
        if (!is_done && !split_smallest(q, target))
            return false;
    }
    if (q->row[target] == NONE)
        return false;
    *row = scale(q->formula, q->row[target], q->factor[target]);
    return !q->formula->is_full;
}

/* ---- Partitions ------------------------------------------------------------------------------ */

/* Adds the term of a partition, of which block[i] is the block of position i. */
static bool add_term(const pci_formula_path *path, const int *block, int n_blocks, pci_formula *f)
{
    quotient q = {.formula = f, .vertices = (1U << n_blocks) - 1};
    pci_formula_term term = {.coefficient = 1};
    int size[MOST_BLOCKS] = {0};
    memset(q.edge, 0xFF, sizeof q.edge); /* NONE */
    for (int b = 0; b < MOST_BLOCKS; b++)
        q.factor[b] = pci_formula_ones(f);
    for (uint32_t i = 0; i <= path->length; i++)
        term.coefficient *= size[block[i]] ? -size[block[i]] : 1, size[block[i]]++;
    for (uint32_t i = 0; i < path->length; i++) {
        uint16_t base = base_factor(f, path->base[i], false);
        connect(&q, block[i], block[i + 1], matrix_of(f, 1, &base));
    }
    if (!reduce(&q, block[0], block[path->length], &term.row))
        return false;
    term.scale = q.scale;
    for (uint32_t i = 0; i < f->n_terms; i++)
        if (f->term[i].scale == term.scale && f->term[i].row == term.row) {
            f->term[i].coefficient += term.coefficient;
            return true;
        }
    if (f->n_terms == PCI_FORMULA_TERMS)
        return false;
    f->term[f->n_terms++] = term;
    return true;
}

/* Adds the terms of all partitions that begin with the blocks of the first n_placed positions. Neighbours are never
 * joined, as there are no loops, nor are the ends. */
static bool add_partitions(const pci_formula_path *path, uint32_t n_placed, int *block,
                           int n_blocks, pci_formula *f)
{
    if (n_placed > path->length || n_placed > PCI_FORMULA_LENGTH)
        return add_term(path, block, n_blocks, f);
    for (int b = 0; b <= n_blocks; b++) {
        bool may_join = b != block[n_placed - 1] && !(n_placed == path->length && b == block[0]);
        for (uint32_t i = 0; i < n_placed; i++)
            may_join &= block[i] != b || path->type[i] == path->type[n_placed];
        block[n_placed] = b;
        if (may_join && !add_partitions(path, n_placed + 1, block, n_blocks + (b == n_blocks), f))
            return false;
    }
    return true;
}

pc_status pci_formula_create(pc_context *context, bool is_symmetric, bool is_plain,
                             pci_formula **formula)
{
    pci_formula *f = pci_alloc_zero(context, 1, sizeof *f);
    if (!f)
        return pci_fail_memory(context, "a formula of paths", sizeof *f);
    f->is_symmetric = is_symmetric;
    f->is_plain = is_plain;
    *formula = f;
    return PC_OK;
}

pc_status pci_formula_add(pc_context *context, const pci_formula_path *path, pci_formula *formula)
{
    int block[PCI_FORMULA_LENGTH + 1] = {0};
    formula->is_square = path->type[0] == path->type[path->length];
    formula->last_base = path->base[path->length - 1];
    for (uint32_t i = 0; i < path->length; i++) {
        formula->row_type[path->base[i]] = path->type[i];
        formula->row_type[path->base[i] ^ 1] = path->type[i + 1];
    }
    if (add_partitions(path, 1, block, 1, formula))
        return PC_OK;
    return pci_fail(context, PC_ERR_INTERNAL, "no formula for paths of length %u was found",
                    path->length);
}

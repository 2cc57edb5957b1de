/* Makes instructions of a formula.
 *
 * Terms that end with a step along the same matrix are added up before the step: sums of rows cost little beside steps.
 * The rest of the sum is factored in the same way, step by step. */
#include "src/simple/formula.h"

#include <string.h>

typedef struct compiler {
    pci_program *program;
    pci_formula *formula;
    bool is_full;
    uint8_t level[PCI_FORMULA_EXPRESSIONS];  /* passes that must be over; 0xFF: not known */
    bool is_needed[PCI_FORMULA_EXPRESSIONS]; /* totals and picks */
    uint16_t row[PCI_FORMULA_EXPRESSIONS];   /* the register of a row in this pass */
    uint16_t n_rows;                         /* registers, each of one row, until they are shared */
} compiler;

/* ---- Levels ---------------------------------------------------------------------------------- */

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* Returns the number of passes that must be over before an expression can be used, and notes the totals and picks that
 * it needs. */
static uint32_t find_level(compiler *c, uint16_t number)
{
    pci_formula *f = c->formula;
    pci_expression e = f->expression[number];
    uint32_t level = 0;
    if (c->level[number] != 0xFF)
        return c->level[number];
    switch ((pci_expression_kind)e.kind) {
    case PCI_BASE:
    case PCI_UNIT:
        break;
    case PCI_TURN:
        level = find_level(c, pci_formula_turned(f, number));
        break;
    case PCI_PICK:
        level = find_level(c, e.arg[0]) + 1;
        c->is_needed[number] = true;
        break;
    case PCI_TOTAL:
        level = larger(find_level(c, e.arg[0]), find_level(c, e.arg[1])) + 1;
        c->is_needed[number] = true;
        break;
    case PCI_STEP:
        if (!pci_formula_is_unit(f, e.arg[0]))
            e.arg[1] = pci_formula_transpose(f, e.arg[1]);
        level = larger(find_level(c, e.arg[0]), find_level(c, e.arg[1]));
        break;
    default:
        for (uint32_t i = 0; i < e.n_args; i++)
            level = larger(level, find_level(c, e.arg[i]));
    }
    c->level[number] = (uint8_t)level;
    return level;
}

/* ---- Instructions ---------------------------------------------------------------------------- */

/* from may be PCI_NO_VALUES. */
static pci_instruction *emit(compiler *c, pci_instruction_kind kind, uint16_t to, uint16_t from)
{
    pci_program *p = c->program;
    if (p->n_instructions == PCI_PROGRAM_INSTRUCTIONS) {
        c->is_full = true;
        return &p->instruction[0];
    }
    pci_instruction *made = &p->instruction[p->n_instructions++];
    bool has_from = from != PCI_NO_VALUES;
    *made = (pci_instruction){.kind = (uint8_t)kind,
                              .has_from = has_from,
                              .to = to,
                              .from = has_from ? from : to,
                              .other = has_from ? from : to,
                              .matrix = PCI_NO_VALUES,
                              .vector = PCI_NO_VALUES,
                              .scale = PCI_NO_VALUES,
                              .made = PCI_NO_VALUES};
    return made;
}

static uint16_t step_along(compiler *c, uint16_t from, uint16_t matrix, uint16_t to)
{
    emit(c, PCI_ALONG, to, from)->matrix = pci_formula_transpose(c->formula, matrix);
    return to;
}

/* Returns the matrix whose arcs a row is a product with, so that it has numbers at the arcs of the source only;
 * PCI_NO_VALUES: it has numbers everywhere. */
static uint16_t arcs_of(const pci_formula *f, uint16_t row)
{
    const pci_expression *e = &f->expression[row];
    if (pci_formula_is_arcs(f, row))
        return e->arg[1];
    for (uint32_t i = 0; e->kind == PCI_HADAMARD && i < e->n_args; i++)
        if (pci_formula_is_arcs(f, e->arg[i]))
            return f->expression[e->arg[i]].arg[1];
    return PCI_NO_VALUES;
}

static uint16_t make_row(compiler *c, uint16_t number);

/* Returns the register of the product of the rows that a row is a product of, but for the arcs of the source;
 * PCI_NO_VALUES where there is none. */
static uint16_t make_factors(compiler *c, uint16_t number)
{
    pci_expression e = c->formula->expression[number];
    uint16_t at = PCI_NO_VALUES;
    if (e.kind != PCI_HADAMARD)
        e = (pci_expression){.n_args = 1, .arg = {number}};
    for (uint32_t i = 0; i < e.n_args; i++) {
        if (pci_formula_is_arcs(c->formula, e.arg[i]))
            continue;
        uint16_t row = make_row(c, e.arg[i]);
        if (at != PCI_NO_VALUES) {
            pci_instruction *made = emit(c, PCI_MULTIPLY, c->n_rows++, at);
            made->other = row;
            row = made->to;
        }
        at = row;
    }
    return at;
}

/* Returns the register of a row. */
static uint16_t make_row(compiler *c, uint16_t number)
{
    pci_formula *f = c->formula;
    pci_expression e = f->expression[number];
    if (c->row[number] != PCI_NO_VALUES)
        return c->row[number];
    if (arcs_of(f, number) != PCI_NO_VALUES) {
        uint16_t from = make_factors(c, number);
        pci_instruction *made = emit(c, PCI_ADD_ARCS, c->n_rows++, from);
        made->is_first = true;
        made->matrix = arcs_of(f, number);
        made->coefficient = 1;
        c->row[number] = made->to;
    } else if (e.kind == PCI_STEP) {
        uint16_t from = make_row(c, e.arg[0]);
        c->row[number] = step_along(c, from, e.arg[1], c->n_rows++);
    } else if (e.kind == PCI_SCALE) {
        pci_instruction *made = emit(c, PCI_ADD, c->n_rows++, make_row(c, e.arg[0]));
        made->is_first = true;
        made->coefficient = 1;
        made->vector = e.arg[1];
        c->row[number] = made->to;
    } else {
        c->row[number] = make_factors(c, number);
    }
    return c->row[number];
}

/* ---- Sums ------------------------------------------------------------------------------------ */

/* coefficient * scale * vector * row */
typedef struct summand {
    int64_t coefficient;
    uint16_t scale, vector, row;
} summand;

static summand summand_of(const pci_formula *f, int64_t coefficient, uint16_t scale, uint16_t row)
{
    summand s = {coefficient, scale, PCI_NO_VALUES, row};
    if (f->expression[row].kind == PCI_SCALE) {
        s.vector = f->expression[row].arg[1];
        s.row = f->expression[row].arg[0];
    }
    return s;
}

/* Emits an addition of a summand. */
static void add(compiler *c, const summand *s, bool is_first, uint16_t to)
{
    uint16_t matrix = arcs_of(c->formula, s->row);
    bool has_arcs = matrix != PCI_NO_VALUES;
    uint16_t from = has_arcs ? make_factors(c, s->row) : make_row(c, s->row);
    pci_instruction *made = emit(c, has_arcs ? PCI_ADD_ARCS : PCI_ADD, to, from);
    made->is_first = is_first;
    made->coefficient = s->coefficient;
    made->scale = s->scale;
    made->vector = s->vector;
    made->matrix = matrix;
}

/* Tells whether the step that a summand ends with may be taken after the sum. */
static bool ends_with_step(const pci_formula *f, const summand *s)
{
    return s->coefficient && s->vector == PCI_NO_VALUES && f->expression[s->row].kind == PCI_STEP &&
           !pci_formula_is_arcs(f, s->row);
}

static uint16_t make_sum(compiler *c, uint32_t n, summand *list);

/* Adds the summands from number i on that end with the same step as that one, if there are several; then they are used
 * up. The first one is written to the register. */
static bool add_before_step(compiler *c, uint32_t i, uint32_t n, summand *list, bool is_first,
                            uint16_t to)
{
    pci_formula *f = c->formula;
    summand inner[PCI_FORMULA_TERMS];
    uint32_t n_inner = 0;
    uint16_t matrix = f->expression[list[i].row].arg[1];
    for (uint32_t j = i; j < n && ends_with_step(f, &list[i]); j++) {
        const pci_expression *step = &f->expression[list[j].row];
        if (ends_with_step(f, &list[j]) && step->arg[1] == matrix)
            inner[n_inner++] = summand_of(f, list[j].coefficient, list[j].scale, step->arg[0]);
    }
    if (n_inner < 2)
        return false;
    for (uint32_t j = n; j-- > i;)
        if (ends_with_step(f, &list[j]) && f->expression[list[j].row].arg[1] == matrix)
            list[j].coefficient = 0;
    uint16_t sum = make_sum(c, n_inner, inner);
    uint16_t made = step_along(c, sum, matrix, is_first ? to : c->n_rows++);
    if (!is_first)
        emit(c, PCI_ADD, to, made)->coefficient = 1;
    return true;
}

/* Returns the register of a sum: first of summands that have numbers everywhere. Its list is used up. */
static uint16_t make_sum(compiler *c, uint32_t n, summand *list)
{
    pci_formula *f = c->formula;
    const summand *only = &list[0];
    if (n == 1 && only->coefficient == 1 && only->scale == PCI_NO_VALUES &&
        only->vector == PCI_NO_VALUES)
        return make_row(c, only->row);
    uint16_t to = c->n_rows++;
    bool is_first = true;
    for (uint32_t i = 0; i < n; i++) {
        if (!list[i].coefficient || arcs_of(f, list[i].row) != PCI_NO_VALUES)
            continue;
        if (!add_before_step(c, i, n, list, is_first, to))
            add(c, &list[i], is_first, to);
        is_first = false;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!list[i].coefficient || arcs_of(f, list[i].row) == PCI_NO_VALUES)
            continue;
        add(c, &list[i], is_first, to);
        is_first = false;
    }
    return to;
}

/* ---- Registers ------------------------------------------------------------------------------- */

static bool writes_row(const pci_instruction *made)
{
    return made->kind != PCI_MAKE_TOTAL && made->kind != PCI_MAKE_PICK;
}

/* Gives rows of a pass, one register each, few registers: those of rows that are not needed any more are taken
 * again. False when there are too few. */
static bool share_registers(compiler *c, const pci_pass *pass, uint16_t *result)
{
    pci_program *p = c->program;
    uint32_t last[PCI_PROGRAM_INSTRUCTIONS + PCI_FORMULA_TERMS] = {0};
    uint16_t place[PCI_PROGRAM_INSTRUCTIONS + PCI_FORMULA_TERMS];
    bool is_taken[PCI_PROGRAM_REGISTERS] = {false};
    memset(place, 0xFF, sizeof place);
    for (uint32_t i = pass->first; i < pass->first + pass->n; i++) {
        const pci_instruction *made = &p->instruction[i];
        last[made->from] = last[made->other] = last[made->to] = i;
    }
    if (*result != PCI_NO_VALUES)
        last[*result] = UINT32_MAX;
    for (uint32_t i = pass->first; i < pass->first + pass->n; i++) {
        pci_instruction *made = &p->instruction[i];
        uint16_t rows[] = {made->to, made->from, made->other};
        if (writes_row(made) && place[made->to] == PCI_NO_VALUES) {
            uint16_t r = 0;
            while (r < PCI_PROGRAM_REGISTERS && is_taken[r])
                r++;
            if (r == PCI_PROGRAM_REGISTERS)
                return false;
            is_taken[r] = true;
            place[made->to] = r;
            p->n_registers = larger(p->n_registers, r + 1U);
        }
        made->from = place[made->from];
        made->other = place[made->other];
        made->to = writes_row(made) ? place[made->to] : made->from;
        for (int j = 0; j < 3; j++)
            if (last[rows[j]] == i)
                is_taken[place[rows[j]]] = false;
    }
    if (*result != PCI_NO_VALUES)
        *result = place[*result];
    return true;
}

/* ---- Programs -------------------------------------------------------------------------------- */

/* Makes the totals and picks of a level, of sources of one type, or the last pass, which makes the result. */
static bool make_pass(compiler *c, uint32_t level, uint32_t type, bool is_last)
{
    pci_program *p = c->program;
    pci_formula *f = c->formula;
    pci_pass *pass = &p->pass[p->n_passes];
    summand list[PCI_FORMULA_TERMS];
    uint16_t ones = pci_formula_ones(f);
    if (p->n_passes == PCI_PROGRAM_PASSES)
        return false;
    *pass = (pci_pass){.first = p->n_instructions};
    c->n_rows = 0;
    p->result = PCI_NO_VALUES;
    memset(c->row, 0xFF, sizeof c->row);
    for (uint32_t i = 0; i < f->n_terms && is_last; i++) {
        const pci_formula_term *term = &f->term[i];
        uint16_t scale = term->scale == ones ? PCI_NO_VALUES : term->scale;
        list[i] = summand_of(f, term->coefficient, scale, term->row);
    }
    if (is_last) {
        pass->base = pci_formula_source_base(f, f->term[0].row);
        p->result = make_sum(c, f->n_terms, list);
    }
    for (uint32_t i = 0; i < f->n_expressions && !is_last; i++) {
        pci_expression e = f->expression[i];
        bool is_total = e.kind == PCI_TOTAL;
        if (!c->is_needed[i] || c->level[i] != level + 1 ||
            f->row_type[pci_formula_source_base(f, e.arg[0])] != type)
            continue;
        pass->base = pci_formula_source_base(f, e.arg[0]);
        uint16_t matrix = is_total ? arcs_of(f, e.arg[0]) : PCI_NO_VALUES;
        uint16_t from = matrix == PCI_NO_VALUES ? make_row(c, e.arg[0]) : make_factors(c, e.arg[0]);
        pci_instruction *made = emit(c, is_total ? PCI_MAKE_TOTAL : PCI_MAKE_PICK, from, from);
        made->matrix = matrix;
        made->vector = is_total ? e.arg[1] : PCI_NO_VALUES;
        made->made = (uint16_t)i;
    }
    pass->n = p->n_instructions - pass->first;
    p->n_passes += pass->n > 0;
    for (uint32_t i = 0; i < pass->n; i++)
        *(is_last ? &p->n_steps : &p->n_more_steps) +=
            p->instruction[pass->first + i].kind == PCI_ALONG;
    return !c->is_full && !f->is_full && share_registers(c, pass, &p->result);
}

static bool compile(compiler *c)
{
    pci_formula *f = c->formula;
    uint32_t n_levels = 0;
    memset(c->level, 0xFF, sizeof c->level);
    for (uint32_t i = 0; i < f->n_terms; i++) {
        n_levels = larger(n_levels, find_level(c, f->term[i].row));
        n_levels = larger(n_levels, find_level(c, f->term[i].scale));
    }
    for (uint32_t level = 0; level < n_levels; level++)
        for (uint32_t type = 0; type <= PCI_FORMULA_LENGTH; type++)
            if (!make_pass(c, level, type, false))
                return false;
    return make_pass(c, 0, 0, true);
}

pc_status pci_program_create(pc_context *context, pci_formula *formula, pci_program **program)
{
    pci_program *p = pci_alloc_zero(context, 1, sizeof *p);
    compiler *c = pci_alloc_zero(context, 1, sizeof *c);
    pc_status status = PC_OK;
    if (!p || !c)
        status = pci_fail_memory(context, "a program of paths", sizeof *p + sizeof *c);
    if (status == PC_OK) {
        p->formula = formula;
        *c = (compiler){.program = p, .formula = formula};
        if (!compile(c))
            status =
                pci_fail(context, PC_ERR_INTERNAL, "the formula for such paths has too many parts");
    }
    pci_free(context, c);
    if (status != PC_OK) {
        pci_free(context, formula);
        pci_free(context, p);
        return status;
    }
    *program = p;
    return PC_OK;
}

void pci_program_free(pc_context *context, pci_program *program)
{
    if (!program)
        return;
    pci_free(context, program->formula);
    pci_free(context, program);
}

/* Runs the passes of a program. Blocks of LANES sources are shared by threads, each with registers of its own. Numbers
 * that the passes make are kept by expression, and vectors and matrices are made of them when a pass first needs them. */
#include "src/simple/formula.h"

#include "src/core/checksum.h"

#include <string.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

enum { LANES = 8 };

/* The work of a thread on a block. */
typedef struct block {
    pci_evaluation *evaluation;
    uint32_t pass, n_sources;
    uint64_t source[LANES];
    void *registers; /* [n_registers][register_entries] */
    uint64_t register_entries;
    void *rows; /* of the sources; NULL */
} block;

static const pci_expression *expression(const pci_evaluation *e, uint16_t number)
{
    return &e->program->formula->expression[number];
}

static const void *values_of(const pci_evaluation *e, uint16_t number)
{
    return number == PCI_NO_VALUES ? NULL : e->values[number];
}

/* The base whose arcs a matrix has, and that of a pick or a turn. */
static const pci_formula_base *base_of(const pci_evaluation *e, uint16_t matrix)
{
    return matrix == PCI_NO_VALUES ? NULL
                                   : &e->base[pci_formula_base_of(e->program->formula, matrix)];
}

static const pci_formula_base *base_of_factor(const pci_evaluation *e, uint16_t factor)
{
    return &e->base[pci_formula_base_of_factor(e->program->formula, factor)];
}

/* Returns how many numbers a vector has, or one of its factors; 0 of a vector of ones. */
static uint64_t n_of_vector(const pci_evaluation *e, uint16_t number)
{
    const pci_expression *of = expression(e, number);
    if (of->kind == PCI_VECTOR)
        return of->n_args ? n_of_vector(e, of->arg[0]) : 0;
    if (of->kind == PCI_SUM)
        return base_of(e, of->arg[0])->n_rows;
    return e->base[pci_formula_source_base(e->program->formula, of->arg[0])].n_rows;
}

typedef unsigned __int128 uint128;
typedef uint64_t lanes_64 __attribute__((vector_size(64), may_alias));
typedef uint128 lanes_128;
typedef double lanes_double __attribute__((vector_size(64), may_alias));

#define NUMBER    uint64_t
#define NAME(x)   x##_64
#define SPLAT(x)  ((x) - (lanes_64){0})
#define OWN(base) ((base)->weight)
#include "src/simple/evaluate_body.h"
#undef NUMBER
#undef NAME
#undef SPLAT
#undef OWN

#define NUMBER    uint128
#define NAME(x)   x##_128
#define SPLAT(x)  (x)
#define OWN(base) ((const uint128 *)NULL)
#include "src/simple/evaluate_body.h"
#undef NUMBER
#undef NAME
#undef SPLAT
#undef OWN

#define NUMBER    double
#define NAME(x)   x##_double
#define SPLAT(x)  ((x) - (lanes_double){0})
#define OWN(base) ((base)->value)
#include "src/simple/evaluate_body.h"
#undef NUMBER
#undef NAME
#undef SPLAT
#undef OWN

/* Calls the function for the numbers of an evaluation. */
#define CALL(e, function, ...)                                                                     \
    ((e)->numbers == PCI_NUMBERS_64    ? function##_64(__VA_ARGS__)                                \
     : (e)->numbers == PCI_NUMBERS_128 ? function##_128(__VA_ARGS__)                               \
                                       : function##_double(__VA_ARGS__))

/* ---- Instruction sets ------------------------------------------------------------------------ */

#if defined(__x86_64__)
static __attribute__((target("avx2,fma"))) void run_avx2(const block *b)
{
    CALL(b->evaluation, run, b);
}

static __attribute__((target("avx512f,avx512dq"))) void run_avx512(const block *b)
{
    CALL(b->evaluation, run, b);
}
#endif

static void run_block(const block *b)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) {
        run_avx512(b);
        return;
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        run_avx2(b);
        return;
    }
#endif
    CALL(b->evaluation, run, b);
}

/* ---- Values ---------------------------------------------------------------------------------- */

/* Makes room for n numbers, which are ones. */
static pc_status make_room(pci_evaluation *e, uint16_t number, uint64_t n)
{
    size_t bytes = n * pci_number_bytes(e->numbers);
    void *values = pci_alloc(e->context, bytes + 1);
    if (!values)
        return pci_fail_memory(e->context, "parts of paths", bytes);
    for (uint64_t i = 0; i < n; i++)
        if (e->numbers == PCI_NUMBERS_64)
            ((uint64_t *)values)[i] = 1;
        else if (e->numbers == PCI_NUMBERS_128)
            ((uint128 *)values)[i] = 1;
        else
            ((double *)values)[i] = 1;
    e->values[number] = values;
    return PC_OK;
}

/* Makes the values of a vector, of a matrix or of one of its factors; those of totals and picks are there. A vector is made
 * of sums and totals. Vectors and matrices without values are ones. */
static pc_status make_values(pci_evaluation *e, uint16_t number)
{
    if (number == PCI_NO_VALUES || e->is_made[number])
        return PC_OK;
    const pci_expression of = *expression(e, number);
    const bool is_matrix = of.kind == PCI_MATRIX, is_turn = of.kind == PCI_TURN;
    if (!is_matrix && !is_turn && of.kind != PCI_VECTOR && of.kind != PCI_SUM)
        return pci_fail(e->context, PC_ERR_INTERNAL, "a pass made no values");
    const pci_formula_base *base = is_matrix ? base_of(e, number)
                                   : is_turn ? base_of_factor(e, number)
                                             : NULL;
    uint64_t n = base ? pci_base_n_entries(base) : n_of_vector(e, number);
    bool has_numbers = is_matrix && (base->weight || base->value);
    bool is_ones = is_matrix ? of.n_args == 1 && !has_numbers : of.n_args == 0;
    pc_status status = PC_OK;
    for (uint32_t i = 0; i < of.n_args && status == PC_OK && !is_turn; i++)
        if (expression(e, of.arg[i])->kind != PCI_BASE)
            status = make_values(e, of.arg[i]);
    if (status == PC_OK && !is_ones)
        status = make_room(e, number, n);
    if (status != PC_OK)
        return status;
    if (is_turn) {
        uint16_t pick = pci_formula_turned(e->program->formula, number);
        CALL(e, turn, base_of_factor(e, pick), e->values[pick], base->n_rows, base->row_start,
             e->room, e->values[number]);
    } else if (of.kind == PCI_SUM) {
        CALL(e, sum, e, of.arg[0], of.arg[1], e->values[number]);
    }
    for (uint32_t i = 0; i < of.n_args && (is_matrix || of.kind == PCI_VECTOR); i++) {
        const pci_expression *factor = expression(e, of.arg[i]);
        if (factor->kind != PCI_BASE)
            CALL(e, multiply, n, e->values[of.arg[i]], e->values[number]);
        else if (i > 0 || has_numbers)
            CALL(e, multiply_base, base, &e->base[factor->arg[0]], e->values[number]);
    }
    e->is_made[number] = true;
    return PC_OK;
}

/* Makes the values that the instructions of a pass read, and room for those that they make. */
static pc_status prepare_pass(pci_evaluation *e, const pci_pass *pass)
{
    pc_status status = PC_OK;
    for (uint32_t i = pass->first; i < pass->first + pass->n && status == PC_OK; i++) {
        const pci_instruction *made = &e->program->instruction[i];
        const uint16_t read[] = {made->matrix, made->vector, made->scale};
        for (int r = 0; r < 3 && status == PC_OK; r++)
            status = make_values(e, read[r]);
        if (status != PC_OK || made->made == PCI_NO_VALUES)
            continue;
        status = make_room(e, made->made,
                           made->kind == PCI_MAKE_PICK
                               ? pci_base_n_entries(base_of_factor(e, made->made))
                               : e->base[pass->base].n_rows);
        e->is_made[made->made] = status == PC_OK;
    }
    return status;
}

/* ---- Passes ---------------------------------------------------------------------------------- */

/* About the operations of a pass for one source. */
static double operations(const pci_evaluation *e, const pci_pass *pass)
{
    double n = 0;
    for (uint32_t i = pass->first; i < pass->first + pass->n; i++) {
        const pci_instruction *made = &e->program->instruction[i];
        n += made->kind == PCI_ALONG ? (double)pci_base_n_entries(base_of(e, made->matrix))
                                     : (double)e->n_most;
    }
    return n;
}

/* Runs a pass for some sources on the processors; source is NULL: all. */
static pc_status run_here(pci_evaluation *e, uint32_t pass, uint64_t n, const uint64_t *source,
                          uint8_t *rows)
{
    pc_context *context = e->context;
    const pci_pass *p = &e->program->pass[pass];
    uint64_t n_blocks = (n + LANES - 1) / LANES;
    uint64_t n_result = e->base[e->program->formula->last_base].n_columns;
    uint64_t entries = e->n_most * LANES;
    size_t bytes = e->program->n_registers * entries * pci_number_bytes(e->numbers);
    int n_threads = pci_threads_for(context, operations(e, p) * (double)n * 0.3);
    pc_status status = PC_OK;
    if ((uint64_t)n_threads > n_blocks)
        n_threads = (int)n_blocks;
#pragma omp parallel num_threads(n_threads)
    {
        block b = {.evaluation = e, .pass = pass, .register_entries = entries};
        b.registers = pci_alloc(context, bytes);
        if (!b.registers) {
#pragma omp atomic write
            status = PC_ERR_MEMORY;
        }
#pragma omp for schedule(dynamic)
        for (uint64_t i = 0; i < n_blocks; i++) {
            if (!pci_goes_on(context, "paths", (double)i / (double)n_blocks, &status))
                continue;
            b.n_sources = (uint32_t)(n - i * LANES < LANES ? n - i * LANES : LANES);
            for (uint32_t l = 0; l < b.n_sources; l++)
                b.source[l] = source ? source[i * LANES + l] : i * LANES + l;
            b.rows = rows ? rows + i * LANES * n_result * pci_number_bytes(e->numbers) : NULL;
            run_block(&b);
        }
        pci_free(context, b.registers);
    }
    if (status == PC_ERR_MEMORY)
        return pci_fail_memory(context, "rows of paths", bytes);
    return pci_gone_on(context, status);
}

static uint64_t find_n_most(const pci_evaluation *e)
{
    const pci_formula *f = e->program->formula;
    uint64_t most = 1;
    for (uint32_t i = 0; i < f->n_expressions; i++) {
        const pci_formula_base *base = &e->base[f->expression[i].arg[0]];
        if (f->expression[i].kind != PCI_BASE)
            continue;
        most = base->n_rows > most ? base->n_rows : most;
        most = base->n_columns > most ? base->n_columns : most;
    }
    return most;
}

static pc_status run_pass(pci_evaluation *e, uint32_t pass, uint64_t n, const uint64_t *source,
                          void *rows)
{
    return e->passes ? e->ops->run(e->passes, pass, n, source, rows)
                     : run_here(e, pass, n, source, rows);
}

pc_status pci_evaluation_create(pc_context *context, const pci_program *program,
                                const pci_formula_base *base, pci_numbers numbers,
                                bool is_magnitude, const pci_pass_ops *ops,
                                pci_evaluation **evaluation)
{
    const pci_formula *f = program->formula;
    pci_evaluation *e = pci_alloc_zero(context, 1, sizeof *e);
    if (!e)
        return pci_fail_memory(context, "paths", sizeof *e);
    *e = (pci_evaluation){.context = context,
                          .program = program,
                          .base = base,
                          .numbers = numbers,
                          .is_magnitude = is_magnitude,
                          .ops = ops};
    e->n_most = find_n_most(e);
    e->room = pci_alloc(context, (e->n_most + 1) * sizeof *e->room);
    e->values = pci_alloc_zero(context, f->n_expressions, sizeof *e->values);
    e->is_made = pci_alloc_zero(context, f->n_expressions, 1);
    pc_status status = e->room && e->values && e->is_made
                           ? PC_OK
                           : pci_fail_memory(context, "paths", f->n_expressions * 9);
    if (status == PC_OK && ops)
        status = ops->create(context, e, &e->passes);
    for (uint32_t p = 0; p < program->n_passes && status == PC_OK; p++) {
        status = prepare_pass(e, &program->pass[p]);
        if (status == PC_OK && p + 1 < program->n_passes)
            status = run_pass(e, p, base[program->pass[p].base].n_rows, NULL, NULL);
    }
    if (status == PC_OK)
        *evaluation = e;
    else
        pci_evaluation_free(e);
    return status;
}

void pci_evaluation_free(pci_evaluation *e)
{
    if (!e)
        return;
    if (e->passes)
        e->ops->free(e->passes);
    for (uint32_t i = 0; e->values && i < e->program->formula->n_expressions; i++)
        pci_free(e->context, e->values[i]);
    pci_free(e->context, e->values);
    pci_free(e->context, e->is_made);
    pci_free(e->context, e->room);
    pci_free(e->context, e);
}

pc_status pci_evaluation_rows(pci_evaluation *e, uint64_t n_rows, const uint64_t *source,
                              void *rows)
{
    return n_rows ? run_pass(e, e->program->n_passes - 1, n_rows, source, rows) : PC_OK;
}

/* ---- Facts ----------------------------------------------------------------------------------- */

uint64_t pci_evaluation_n_values(const pci_evaluation *e, uint16_t number)
{
    const pci_expression *of = expression(e, number);
    switch ((pci_expression_kind)of->kind) {
    case PCI_MATRIX:
        return pci_base_n_entries(base_of(e, number));
    case PCI_PICK:
    case PCI_TURN:
        return pci_base_n_entries(base_of_factor(e, number));
    case PCI_SUM:
    case PCI_TOTAL:
    case PCI_VECTOR:
        return n_of_vector(e, number);
    default:
        return 0;
    }
}

uint64_t pci_evaluation_checksum(const pci_evaluation *e)
{
    const pci_program *p = e->program;
    const pci_formula *f = p->formula;
    uint64_t sum = pci_checksum(p->instruction, p->n_instructions * sizeof *p->instruction, 0);
    sum = pci_checksum(p->pass, p->n_passes * sizeof *p->pass, sum);
    sum = pci_checksum(f->expression, f->n_expressions * sizeof *f->expression, sum);
    for (uint32_t i = 0; i < f->n_expressions; i++)
        if (e->values[i])
            sum = pci_checksum(
                e->values[i],
                pci_evaluation_n_values(e, (uint16_t)i) * pci_number_bytes(e->numbers), sum);
    return sum;
}

double pci_evaluation_bytes(pc_context *context, const pci_program *program,
                            const pci_formula_base *base, pci_numbers numbers)
{
    const pci_formula *f = program->formula;
    pci_evaluation e = {.program = program, .base = base};
    double n = (double)find_n_most(&e), bytes = 8 * n + sizeof *program + sizeof *f;
    for (uint32_t i = 0; i < f->n_expressions; i++)
        bytes += 9 + (double)pci_number_bytes(numbers) *
                         (double)pci_evaluation_n_values(&e, (uint16_t)i);
    return bytes + pci_n_threads(context) * (double)program->n_registers * LANES * n *
                       (double)pci_number_bytes(numbers);
}

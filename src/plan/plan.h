/* A plan: one way to answer a question, decided to the last detail before anything is computed. A
 * plan does not change once it is made; a run (src/count/methods.h) copies what is told of it and
 * notes measured times in the copy.
 *
 * Each way is a method: a row of a table that src/count/count.c holds. Choosing
 * (src/count/choose.c) asks every method whether it can answer and what that would take, and knows
 * none by name. A new method is a file and a row. */
#ifndef PCI_PLAN_H
#define PCI_PLAN_H

#include "src/engine/engine.h"
#include "src/plan/cost.h"
#include "src/plan/question.h"

enum { PCI_WHY_BYTES = 640, PCI_MOST_PLANS = 16 };

/* Ranks of methods: plans of a lower rank come first, whatever they take. */
enum { PCI_RANK_BEFORE = -1, PCI_RANK_BEST, PCI_RANK_NEXT, PCI_RANK_LAST, PCI_CANNOT };

typedef struct pci_plan {
    const pci_method *method;
    const pci_engine *engine; /* that multiplies, or sends vectors */
    void *choice;             /* what the method decided beside; its own type, its own memory */
    uint32_t n_read_limbs;    /* words of an answer that is read off a matrix; 0: doubles */
    pc_plan_info info;        /* what is told of the plan; no measured times */
    int rank;
    double seconds;   /* predicted, the start of CUDA included */
    pc_status status; /* PC_OK: it can be taken; else why_not says why it cannot */
    char why_not[PCI_WHY_BYTES];
} pci_plan;

typedef struct pci_execution pci_execution; /* src/count/methods.h */

struct pci_method {
    const char *name; /* in messages of a failed check */
    pc_method told;   /* what --method calls it; PC_METHOD_AUTO: it serves any method */

    /* Why only the processors can do it; NULL: that depends on the question. is_on_cpu: other methods may
     * do the same on a device. */
    const char *cpu_because;
    bool is_on_cpu;

    /* It is tried first, and where it can be taken nothing else is. */
    bool is_shortcut;

    /* Where it cannot be taken, its plan is dropped: its refusal says nothing. */
    bool is_dropped;

    /* Where it cannot be taken, that is not told: what other methods lack says more. */
    bool is_silent;

    /* It makes a whole matrix, which answers to smaller questions are read off. */
    bool makes_matrix;

    bool adds_up; /* it makes the matrix of all lengths, added up */

    bool resumes;     /* it can go on after lengths that were passed on */
    bool only_sweeps; /* time that neither checking nor passing on takes is that of sweeping */

    /* The rank that it has for the question, or PCI_CANNOT. */
    int (*rank)(const pci_question *question);

    /* Fills a new plan for an engine. Returns an error only where no other plan would help
     * (PC_ERR_CANCELLED, or no memory for the little that planning takes); any other reason refuses
     * the plan. */
    pc_status (*plan)(const pci_question *question, const pci_engine *engine, pci_plan *plan);

    /* Makes all rows of the answer, checks them and gives them to the sink. */
    pc_status (*run)(const pci_execution *run);

    /* Frees what the choice holds, but not the choice; NULL: nothing. */
    void (*release)(void *choice);
};

/* A question and its plans. */
struct pc_plan {
    pci_question question;
    pci_moduli moduli;
    uint32_t n_plans;               /* at least one */
    pci_plan *plan[PCI_MOST_PLANS]; /* those that can be taken, the fastest first; then others */
    uint32_t n_sum_limbs;           /* words of the sum where rows are added up; 0: doubles */
    double bound_seconds;           /* that planning took, without the start of CUDA */
    uint64_t checksum;              /* of the question, when it was made */
    pc_plan_info info;              /* of the first plan; after a run, of the one that ran */
};

/* ---- One plan -------------------------------------------------------------------------------- */

/* A plan of which nothing is decided; NULL when there is no memory for it. */
pci_plan *pci_plan_create(const pci_question *question, const pci_method *method);
void pci_plan_free(pc_context *context, pci_plan *plan); /* accepts NULL */

/* Gives the plan a choice of so many bytes, all zero; NULL when there is no memory for it. */
void *pci_plan_choice(const pci_question *question, size_t bytes, pci_plan *plan);

/* Notes why the plan cannot be taken: the first reason stays. */
void pci_plan_refuse(pci_plan *plan, pc_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Why the plan has its engine, in one clause. */
void pci_plan_explain(pci_plan *plan, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Tells whether what the plan takes fits in memory. */
static inline bool pci_plan_fits(const pci_plan *plan)
{
    return plan->info.memory_bytes <= plan->info.memory_available_bytes;
}

static inline bool pci_plan_is_on_cpu(const pci_plan *plan)
{
    return plan->engine == &pci_engine_cpu;
}

/* Tells whether its engine is a device. The processes that hold a graph in parts are processors,
 * too. */
static inline bool pci_plan_is_on_device(const pci_question *question, const pci_plan *plan)
{
    return !pci_plan_is_on_cpu(plan) && !question->graph->parts;
}

/* Adds the measured times of a part to those of all of it, but for the total and what was bounded. */
void pci_plan_add_seconds(const pc_plan_info *part, pc_plan_info *info);

/* Refuses a plan that needs more memory than there is. */
void pci_plan_check_memory(const pci_question *question, pci_plan *plan);

/* The share of the memory there is that a block of all rows may take. */
#define PCI_ALL_ROWS_SHARE 0.25

/* Rows of a block to deliver at a time. */
uint64_t pci_plan_block_rows(const pc_plan_info *info);

/* ---- Levels (levels.c) ------------------------------------------------------------------------ */

/* The levels of a power: which squarings and sparse steps make A^length, and how wide the results
 * of each level are.
 *
 * The width grows with the level: each squaring uses only the moduli that its own result needs.
 * While all entries are at most 127, one plain plane represents P for all moduli, and one int32
 * product gives every plane of the next level. So each of the first two squarings of a sparse graph
 * costs one product.
 *
 * Where all entries but those of the result are below 2^13, the last square is direct: three
 * products of their digits make integers, in place of one product for each modulus of the result.
 *
 * On a GPU such entries are squared by digits at any level whose own entries fit into an
 * accumulator: three products, or fewer where high digits are zero, give the residues that the next
 * level needs, and nothing is extended. */
/* The words that an engine loads are below 2^63 (load_words). */
#define PCI_SWEPT_WORD_BITS 63

/* Makes an info with the fields that depend on the question alone. */
pc_plan_info pci_info_of(const pci_question *question);

/* info gets the levels of squaring from A on for A^length, or for the counts between blocks of the
 * question's partition, with their proved limits, and the bits and words of the result. No moduli
 * yet. Errors as pci_bound. */
pc_status pci_levels_make(const pci_question *question, uint64_t length, pc_plan_info *info);

/* Makes info, which has all levels with their limits (exact), begin with A^sweep_length, the length
 * of one of them; 0 leaves them all. Sets what follows from that: method, moduli, products. */
void pci_levels_begin(const pci_moduli *moduli, uint64_t sweep_length, pc_plan_info *info);

/* Makes the last product of a plan, which has all its levels and moduli, the diagonal of that
 * product. The engine must be able to do that, and the question must be about closed paths. */
void pci_levels_end_in_diagonal(const pci_moduli *moduli, pc_plan_info *info);

/* Makes the last level of a plan, which has all its levels and moduli, direct (pathcount.h), where
 * the entries of all before it are small enough and it takes no more products. */
void pci_levels_end_directly(pc_plan_info *info);

/* Makes squares of small entries in a plan, which has all its levels and moduli, products of digits
 * (is_by_digits in pathcount.h), where that takes no more products. */
void pci_levels_square_digits(const pci_moduli *moduli, pc_plan_info *info);

/* Tells whether the moduli are too few for the entries of a level, which has its limit. */
bool pci_levels_are_too_wide(const pci_moduli *moduli, const pc_plan_info *info);

/* The longest sweep that a hybrid may begin with, of a plan with all levels: the longest length
 * whose entries are below 2^63, out of 2 and the lengths that the binary digits of the plan's
 * length begin with. 0: there is none. */
uint64_t pci_levels_longest_sweep(const pc_plan_info *info);

/* The part of a power, 0 to 1, that is done when level l begins, by the predicted times of levels; for progress. */
double pci_levels_done(const pc_plan_info *info, uint32_t l);

/* Tells whether the last level is a reduced product. Otherwise, if there are blocks, rows of the
 * power are made and summed: modulo a number, in doubles, and where there is nothing to
 * multiply. */
static inline bool pci_plan_is_reduced(const pc_plan_info *info)
{
    return info->n_levels && info->levels[info->n_levels - 1].is_reduced;
}

/* ---- Engines (engines.c) ----------------------------------------------------------------------- */

/* The environment variable that names the CUDA engine's shared object; "" or "none": there is none.
 * pathcount.h says where it is looked for otherwise. */
#define PCI_CUDA_ENGINE_VARIABLE "PATHCOUNT_CUDA_ENGINE"
#define PCI_CUDA_ENGINE_FILE     "libpathcount_cuda.so"

/* The CUDA engine, opened and started on context's devices. When the engine cannot be opened, has no
 * memory for the plan, or fails before a row was delivered, the CPU counts under `auto`. Else
 * PC_ERR_ENGINE with a message that says why and what to do, or what the engine itself said. */
pc_status pci_engine_cuda(pc_context *context, const pci_engine **engine);

#endif

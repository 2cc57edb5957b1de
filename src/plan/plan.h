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
#include "src/plan/levels.h"

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

#endif

/* Single entries of powers of an undirected graph by vectors of half the length: with a + b = k,
 * A^k[u][v] = <A^a e_u, A^b e_v>. The vectors take half the steps, are half as wide, and long have
 * few entries. For every length, vectors x_l = A^l e_u and y_l = A^l e_v are kept for two steps:
 * A^(2 l)[u][v] = <x_l, y_l> and A^(2 l - 1)[u][v] = <x_(l-1), y_l>.
 *
 * This serves pairs and closed paths of undirected graphs, where it is expected to be faster.
 * Vectors of half the length also reach far fewer vertices. The vectors are certified at every
 * half length. */
#ifndef PCI_HALVES_PLAN_H
#define PCI_HALVES_PLAN_H

#include "src/count/methods.h"
#include "src/count/sweep_plan.h"

typedef struct pci_halves_plan {
    const pci_question *question;
    bool of_diagonal;    /* entries are those of the diagonal; else of pairs */
    bool is_odd;         /* of one length: b = a + 1, so there is one more step */
    uint64_t n_entries;  /* asked for, of each length */
    uint64_t n_lengths;  /* that are answered */
    uint64_t n_vectors;  /* different vertices at either end: each needs a vector */
    uint64_t n_whole;    /* vectors that whole lengths would take */
    uint64_t *vertices;  /* [n_vectors] where they begin */
    uint32_t *vector_of; /* of pairs: [n] */
    pci_question half; /* for the rows of A^a from these vertices, of each half length or of one */
    pci_vectors_plan vectors; /* that answers it */
    uint64_t n_batch;         /* of several lengths: vectors sent together */
    uint32_t entry_words;     /* of an entry on the way */
    double bytes;             /* that all of it takes, beside the graph */
    double answer_bits;       /* log2 of a limit of an entry */
} pci_halves_plan;

/* Plans halves: the method's choice is a pci_halves_plan. */
pc_status pci_halves_plan_make(const pci_question *question, const pci_engine *engine,
                               pci_plan *plan);
void pci_halves_plan_free(void *halves);

/* The method. */
extern const pci_method pci_by_halves;

/* Tells whether the vectors of one length, whose graph is in parts, stay there. */
bool pci_halves_stay_in_parts(const pci_halves_plan *plan);

/* Steps that vectors take. */
static inline uint64_t pci_halves_n_steps(const pci_halves_plan *plan)
{
    return plan->half.query.length + plan->is_odd;
}

/* The sweep of all vectors of a batch, of several lengths. */
pci_sweep_options pci_halves_sweep_options(const pci_halves_plan *plan);

#endif

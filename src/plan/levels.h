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
#ifndef PCI_LEVELS_H
#define PCI_LEVELS_H

#include "src/plan/question.h"

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

#endif

/* Certificates of single vectors, step by step.
 *
 * With a random r and w = A^T r, which takes one pass over the arcs, a true step y = A x has <r, y>
 * = <w, x> modulo a random prime of 61 bits. A wrong one, whose difference the prime does not
 * divide, has so once in 2^60, whatever the steps before: they never saw r. So all steps share it,
 * and each costs a look at every vertex where it would cost one at every arc. Rounds come in
 * pairs.
 *
 * A certificate that sends a random vector back along the arcs would cost as much as the answer
 * itself; this one adds one pass for all steps. */
#ifndef PCI_STEP_CHECK_H
#define PCI_STEP_CHECK_H

#include "src/vectors/long_vector.h"

typedef struct pci_step_check pci_step_check;

/* against is the reverse of the graph that vectors are sent through. At least n_rounds >= 1 rounds.
 * PC_ERR_MEMORY, PC_ERR_CANCELLED. */
pc_status pci_step_check_create(pc_context *context, const pc_graph *against, int n_rounds,
                                pci_step_check **check);
void pci_step_check_free(pci_step_check *check);

/* The bytes that it holds. */
double pci_step_check_bytes(uint64_t n, int n_rounds);

/* Takes note of a vector to start from. */
void pci_step_check_start(pci_step_check *check, const pci_long_vector *vector);

/* The vector must be A times the one noted, and is noted. PC_ERR_CERTIFY. */
pc_status pci_step_check_step(pci_step_check *check, const pci_long_vector *vector);

/* words[n][n_words] must still be the vector noted, perhaps wider. PC_ERR_CERTIFY. */
pc_status pci_step_check_same(const pci_step_check *check, uint32_t n_words, const uint64_t *words);

/* Adds the vector noted to a sum that ... */
void pci_step_check_add(pci_step_check *check);

/* ... sum[n][n_words] must be. PC_ERR_CERTIFY. */
pc_status pci_step_check_sum(pci_step_check *check, uint32_t n_words, const uint64_t *sum);

/* product[n_words] must be <a, b>. PC_ERR_CERTIFY. */
pc_status pci_step_check_dot(pci_step_check *check, const pci_long_vector *a,
                             const pci_long_vector *b, size_t n_words, const uint64_t *product);

#endif

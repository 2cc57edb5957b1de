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

/* against is the reverse of the graph that vectors are sent through; along: whose parts have the vectors, NULL when they
 * are here. n_steps is 1, or more for pci_step_check_powers, where vectors are in parts of a symmetric graph. At least
 * n_rounds >= 1 rounds. PC_ERR_MEMORY, PC_ERR_CANCELLED. */
pc_status pci_step_check_create(pc_context *context, const pci_parts *along,
                                const pc_graph *against, uint64_t n_steps, int n_rounds,
                                pci_step_check **check);
void pci_step_check_free(pci_step_check *check);

/* Each of n vectors that were made together must be A^n_steps times the unit vector of its vertex. PC_ERR_CERTIFY,
 * PC_ERR_MEMORY. */
pc_status pci_step_check_powers(pci_step_check *check, uint64_t n, const uint64_t *vertices,
                                const pci_long_vector *vectors);

/* The bytes that it holds. */
double pci_step_check_bytes(uint64_t n, int n_rounds);

/* Takes note of a vector to start from. */
void pci_step_check_start(pci_step_check *check, const pci_long_vector *vector);

/* The vector must be A times the one noted, and is noted. PC_ERR_CERTIFY. */
pc_status pci_step_check_step(pci_step_check *check, const pci_long_vector *vector);

/* It must still be the vector noted, perhaps wider. PC_ERR_CERTIFY. */
pc_status pci_step_check_same(pci_step_check *check, const pci_long_vector *vector);

/* Adds the vector noted to a sum that ... */
void pci_step_check_add(pci_step_check *check);

/* ... this must be. PC_ERR_CERTIFY. */
pc_status pci_step_check_sum(pci_step_check *check, const pci_long_vector *sum);

/* Entries first .. first + n - 1 of a vector in parts were read, those from 0 on first: words[n][n_words]. */
void pci_step_check_copy(pci_step_check *check, uint64_t first, uint64_t n, uint32_t n_words,
                         const uint64_t *words);

/* All that were read must be the vector noted, or the sum. PC_ERR_CERTIFY. */
pc_status pci_step_check_copies(const pci_step_check *check, bool of_sum);

/* product[n_words] must be <a, b>. PC_ERR_CERTIFY. */
pc_status pci_step_check_dot(pci_step_check *check, const pci_long_vector *a,
                             const pci_long_vector *b, size_t n_words, const uint64_t *product);

/* ---- In a process of several (src/cluster/vectors.c) ------------------------------------------- */

/* The state of two rounds. */
typedef struct pci_step_secret {
    uint64_t moduli[2], seed;
} pci_step_secret;

/* The check of entries first .. first + n - 1, whose w[n][2] is yet to be filled in for each pair. PC_ERR_MEMORY. */
pc_status pci_step_check_create_slice(pc_context *context, uint64_t first, uint64_t n, int n_pairs,
                                      const pci_step_secret *secrets, pci_step_check **check);
int pci_step_check_n_pairs(const pci_step_check *check);
uint64_t *pci_step_check_w(pci_step_check *check, int pair);

/* r[n][2] of entries from first on. */
void pci_step_check_draw(int n_threads, uint64_t first, uint64_t n, const pci_step_secret *secret,
                         uint64_t *r);

/* The dots of each pair with the vector: two of r, and where there are four, two of w. */
void pci_step_check_dots(const pci_step_check *check, int n_dots, const pci_long_vector *vector,
                         uint64_t *dots);

/* dots[n][n_pairs][2] of r with n vectors that were made together. PC_ERR_MEMORY, of vectors in parts. */
pc_status pci_step_check_r_dots(const pci_step_check *check, uint32_t n,
                                const pci_long_vector *vectors, uint64_t *dots);

/* The two residues of each pair of <a, b>. */
void pci_step_check_product_dots(const pci_step_check *check, const pci_long_vector *a,
                                 const pci_long_vector *b, uint64_t *dots);

/* sum += dots, n_dots of each pair. */
void pci_step_check_add_dots(const pci_step_check *check, int n_dots, const uint64_t *dots,
                             uint64_t *sum);

#endif

/* A recurrence: recurrence.c finds and proves it, term.c uses it. */
#ifndef PCI_RECURRENCE_H
#define PCI_RECURRENCE_H

#include "pathcount_recurrence.h"
#include "src/recurrence/recurrence_plan.h"
#include "src/residues/montgomery.h"

struct pc_recurrence {
    pci_recurrence_plan plan; /* without graph and query */
    pc_recurrence_info info;
    size_t n_linear;  /* n_initial: coefficients, of which those beyond order are 0 */
    size_t n_words;   /* of a number */
    uint64_t *number; /* [3][n_linear][n_words]: coefficients c(1).., initial terms, numerator */
    unsigned char *is_negative; /* [3][n_linear] */
};

/* Returns the least L such that a[i] = c[1] a[i-1] + ... + c[L] a[i-L] for all L <= i < n, and such c (Massey, 1969), all as
 * montgomery.h represents them. Where 2 L <= n, c is unique. c has room for n + 1 numbers, scratch for twice as many. */
size_t pci_shortest_recurrence(const pci_montgomery *m, size_t n, const uint64_t *a, uint64_t *c,
                               uint64_t *scratch);

/* Finds a(0), ..., a(n_terms - 1) modulo a prime below 2^63. */
typedef pc_status (*pci_terms_fn)(void *user, uint64_t prime, size_t n_terms, uint64_t *a);

/* Finds the recurrence of the terms. PC_ERR_CERTIFY, PC_ERR_MEMORY, PC_ERR_CANCELLED, and what find_terms
 * returns. */
pc_status pci_recurrence_find(const pci_recurrence_plan *plan, pci_terms_fn find_terms, void *user,
                              pc_recurrence **recurrence);

/* The residues of a part, as montgomery.h represents them; of coefficients c(1) is in to[1]. */
void pci_recurrence_reduce(const pc_recurrence *recurrence, const pci_montgomery *m,
                           pc_recurrence_part part, uint64_t *to);

/* a(index), index >= n_linear > 0: *number, of *n_number words, is to be freed. PC_ERR_MEMORY,
 * PC_ERR_CANCELLED. */
pc_status pci_recurrence_exact_term(const pc_recurrence *recurrence, uint64_t index,
                                    uint64_t **number, size_t *n_number);

/* x^index modulo the polynomial of the recurrence, n_linear > 0: (*power)[n_linear][n_words] in two's complement, modulo
 * 2^(64 n_words), from the coefficient of 1 on, to be freed. PC_ERR_MEMORY, PC_ERR_CANCELLED. */
pc_status pci_recurrence_power(const pc_recurrence *recurrence, uint64_t index, size_t n_words,
                               uint64_t **power);

/* to += factor * from, modulo 2^(64 n); factor by its sign and magnitude. */
void pci_add_multiple(uint64_t *to, const uint64_t *from, size_t n, bool is_less,
                      const uint64_t *factor, size_t n_factor);

/* Holds a(index) against the recurrence modulo random primes. PC_ERR_CERTIFY, PC_ERR_MEMORY. */
pc_status pci_recurrence_check_term(const pc_recurrence *recurrence, uint64_t index,
                                    const uint64_t *number, size_t n_number);

#endif

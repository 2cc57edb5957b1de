/* Sequences modulo a prime below 2^63: the shortest recurrence of one, and a term far out. All numbers are as
 * montgomery.h represents them. */
#ifndef PCI_FIELD_H
#define PCI_FIELD_H

#include "src/residues/montgomery.h"

#include <stddef.h>

/* The least L such that a[i] = c[1] a[i-1] + ... + c[L] a[i-L] for all L <= i < n, and such c (Massey, 1969).
 * Where 2 L <= n, c is unique. c has room for n + 1 numbers, scratch for twice as many; c[0] is 0. */
size_t pci_shortest_recurrence(const pci_montgomery *m, size_t n, const uint64_t *a, uint64_t *c,
                               uint64_t *scratch);

/* a[index] of the sequence that begins with a[0], ..., a[L-1] and obeys c[1], ..., c[L], L >= 1. scratch has room
 * for 3 L numbers. */
uint64_t pci_recurrence_term(const pci_montgomery *m, size_t n_linear, const uint64_t *c,
                             const uint64_t *a, uint64_t index, uint64_t *scratch);

#endif

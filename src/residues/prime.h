/* Primes of a machine word. */
#ifndef PCI_PRIME_H
#define PCI_PRIME_H

#include <stdint.h>

/* The greatest prime below n, 2^60 < n <= 2^62. */
uint64_t pci_prime_below(uint64_t n);

/* Whether n is prime. */
int pci_is_prime(uint64_t n);

#endif

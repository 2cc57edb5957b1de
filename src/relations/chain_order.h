/* The order in which to multiply a chain: the brackets with the fewest expected multiplications.
 *
 * A product of sparse matrices L R takes one multiplication for each walk through both. If entries
 * were placed at random, matrices with l and r entries and k columns between them would have about
 * l r / k walks. They are not: vertices of high degree have it on both sides. So each boundary
 * between neighbours has a factor of its own, found by counting the walks through the two given
 * matrices. So many results at random places of an m x n matrix fill m n (1 - e^(-walks / (m n)))
 * of them. This is the expected number of entries of a product. For a longer product it is computed
 * as if it were multiplied from the left, so that the estimate does not depend on the order to be
 * chosen. */
#ifndef PCI_CHAIN_ORDER_H
#define PCI_CHAIN_ORDER_H

#include "graphs/graph.h"

enum { PCI_MAX_FACTORS = 64 };

typedef struct pci_chain_order {
    uint8_t split[PCI_MAX_FACTORS][PCI_MAX_FACTORS]; /* of factors i..j, i < j: i..split times the
                                                      * rest */
    char text[512]; /* "((1 2) 3)"; 64 factors take 308 characters */
    double n_multiplications, n_left_to_right;
} pci_chain_order;

/* The order for factors[n], 1 <= n <= PCI_MAX_FACTORS, of which each has as many columns as the
 * next has rows. */
void pci_chain_choose(uint32_t n, const pci_sparse *factors, pci_chain_order *order);

#endif

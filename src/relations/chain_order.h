/* In which order to multiply a chain: the brackets that are expected to take the fewest
 * multiplications.
 *
 * A product of sparse matrices takes a multiplication for each way through both: of L and R with l
 * and r entries and k columns between them about l r / k, if entries lay anywhere. They do not: hubs
 * are hubs on both sides. So each boundary between neighbours has a factor of its own, found by
 * counting the ways through the two given matrices. That many results thrown at random into m n
 * places fill m n (1 - e^(-ways / (m n))) of them, which is how many entries a product is expected to
 * have; of a longer one, as if it were multiplied from the left, so that the estimate does not hang
 * on the order it is to choose. */
#ifndef PCI_CHAIN_ORDER_H
#define PCI_CHAIN_ORDER_H

#include "graphs/sparse.h"

enum { PCI_MAX_FACTORS = 64 };

typedef struct pci_chain_order {
    uint8_t split[PCI_MAX_FACTORS][PCI_MAX_FACTORS]; /* of factors i..j, i < j: i..split times the
                                                      * rest */
    char text[512]; /* "((1 2) 3)"; 64 factors take 308 characters */
    double n_multiplications, n_left_to_right;
} pci_chain_order;

/* The order for factors[n], 1 <= n <= PCI_MAX_FACTORS, of which each has as many columns as the next
 * has rows. */
void pci_chain_choose(uint32_t n, const pci_sparse *factors, pci_chain_order *order);

#endif

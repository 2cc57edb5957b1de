/* Dot products of rows of integers, of which most have few words. */
#ifndef PCI_ROW_DOT_H
#define PCI_ROW_DOT_H

#include <stddef.h>
#include <stdint.h>

/* Integers of n_words words each, at least 1. */
typedef struct pci_word_row {
    uint32_t n_words;
    const uint64_t *words;
} pci_word_row;

/* Words of a product of rows, and of a sum of less than 2^32 of them. */
static inline size_t pci_row_dot_words(uint32_t n_words_a, uint32_t n_words_b)
{
    return (size_t)n_words_a + n_words_b + 1;
}

/* product = <a, b> of n < 2^32 entries; room is scratch for as many words. */
void pci_row_dot(uint64_t n, pci_word_row a, pci_word_row b, uint64_t *room, uint64_t *product);

#endif

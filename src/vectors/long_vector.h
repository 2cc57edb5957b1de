/* A single vector of integers, an entry a vertex, that grows while it is sent through the graph.
 *
 * The width of an entry is not worked out beforehand: the next step adds at most the bits of
 * the largest row sum to those of the largest entry there is, and when that was too much, entries
 * are put closer together after it. */
#ifndef PCI_LONG_VECTOR_H
#define PCI_LONG_VECTOR_H

#include "graphs/graph.h"

typedef struct pci_long_vector {
    pc_context *context;
    uint64_t n;
    uint32_t n_words;    /* of an entry: as few as the largest needs, at least 1 */
    uint32_t most_words; /* that there is memory for */
    uint64_t bits;       /* of the largest entry */
    uint64_t *words;     /* [n][n_words]; NULL: the processes of parts have them */
    void *memory;        /* what words lie in */
    pci_parts *parts;    /* NULL: the vector is here */
    uint32_t number;     /* of parts */
    int n_threads;       /* threads that shared the step which made it; 0: not known */
} pci_long_vector;

/* Memory for n entries, which are not set: here, or in the processes of parts. What it holds is to be freed whatever the
 * status. PC_ERR_MEMORY. */
pc_status pci_long_vector_create(pc_context *context, pci_parts *parts, uint64_t n,
                                 uint32_t most_words, pci_long_vector *vector);
void pci_long_vector_free(pci_long_vector *vector);

/* The same for several vectors, whose entries lie in one block, [n_vectors][n][most_words]. They are freed together. */
pc_status pci_long_vectors_create(pc_context *context, pci_parts *parts, uint64_t n,
                                  uint32_t most_words, uint32_t n_vectors,
                                  pci_long_vector *vectors);
void pci_long_vectors_free(uint32_t n_vectors, pci_long_vector *vectors);

/* The bytes of memory that it takes. */
double pci_long_vector_bytes(uint64_t n, uint32_t most_words);

#define PCI_NO_VERTEX UINT64_MAX

/* Entries of so many words: 0 or 1 everywhere, and 1 at a vertex, if it is one of these. */
void pci_long_vector_fill(uint32_t n_words, uint64_t value, uint64_t vertex,
                          pci_long_vector *vector);

/* Part of a query whose progress goes from one fraction to another. */
typedef struct pci_fractions {
    double from, to;
} pci_fractions;

/* The entries that are not 1. */
uint64_t pci_long_vector_count_others(const pci_long_vector *vector);

/* The entries of a vector in parts that a process has: [n][n_words]. */
void pci_long_vector_read(const pci_long_vector *vector, int owner, uint64_t *words);

/* out = A in, which memory must have been made for. growth_bits are those of the largest row sum of
 * A or more. reverse is the graph with its arcs reversed: while few entries are not 0, only their
 * arcs are followed. NULL where it is not at hand: then all arcs are read in each step. Both
 * vectors are where the graph's arcs are. PC_ERR_CANCELLED, PC_ERR_MEMORY, and then out is nothing. */
pc_status pci_long_vector_step(const pc_graph *graph, const pc_graph *reverse, uint64_t growth_bits,
                               pci_fractions progress, const pci_long_vector *in,
                               pci_long_vector *out);

/* y = A x of integers of so many words, no fewer of y, which hold every sum; columns of the graph name entries of x.
 * Returns the bits of the largest entry of y. */
uint64_t pci_long_vector_multiply(const pc_graph *graph, int n_threads, uint32_t n_x_words,
                                  uint32_t n_y_words, const uint64_t *x, uint64_t *y);

/* out = A times all ones, for a graph without weights. */
void pci_long_vector_set_degrees(const pc_graph *graph, pci_long_vector *out);

/* The entries have so many bits, and are moved together where they need fewer words for these. */
void pci_long_vector_pack(uint64_t bits, pci_long_vector *vector);

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

/* product[a->n_words + b->n_words + 1] = <a, b>; scratch has room for two products a thread. PC_ERR_MEMORY, of
 * vectors in parts. */
pc_status pci_long_vector_dot(const pci_long_vector *a, const pci_long_vector *b, int n_threads,
                              uint64_t *scratch, uint64_t *product);

/* sum += the vector, or = the vector; its words are no fewer, and stay as many. */
void pci_long_vector_add_to(const pci_long_vector *vector, bool adds, pci_long_vector *sum);

/* n_words words that begin a huge page if they fill one: what is read at random there needs few
 * translations of addresses. memory is what is to be freed. NULL when there are none. */
uint64_t *pci_alloc_words(pc_context *context, size_t n_words, void **memory);

#endif

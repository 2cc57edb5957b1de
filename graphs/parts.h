/* A graph whose arcs lie in several processes (src/cluster). The pc_graph that a caller holds has the labels of all
 * vertices, but no rows, columns and weights. */
#ifndef PCI_PARTS_H
#define PCI_PARTS_H

#include "src/core/context.h"

/* Products y = A x of vectors of all vertices, which the calling process holds. */
typedef enum pci_parts_product {
    PCI_PARTS_MODULAR,      /* pci_graph_multiply_mod */
    PCI_PARTS_MODULAR_PAIR, /* pci_graph_multiply_mod_pair */
    PCI_PARTS_BOUND,        /* pci_bound_rows of doubles that may have been rounded */
    PCI_PARTS_BOUND_WHOLE,  /* ... of whole numbers */
    PCI_PARTS_WORDS,        /* pci_graph_add_words */
    PCI_PARTS_CHAIN,        /* pci_chain_rows */
    PCI_PARTS_CHAIN_SUMS    /* pci_chain_sums; x is not read */
} pci_parts_product;

struct pci_engine;

typedef struct pci_parts pci_parts;

/* Work on vectors of integers that lie in parts too: each process has the entries of its vertices
 * (src/vectors/long_vector.h), and what certifies steps of them (src/certify/step_check.h). Both have numbers. */
typedef enum pci_slices_work {
    PCI_SLICES_CREATE, /* n_vectors with entries of n_words; a: the number of the first one, filled in */
    PCI_SLICES_FREE,  /* a and those that were made with it */
    PCI_SLICES_ZEROS, /* a, of entries of n_words */
    PCI_SLICES_ONES,
    PCI_SLICES_UNIT,         /* a, 1 at the vertex */
    PCI_SLICES_DEGREES,      /* a; results: bits of the largest entry */
    PCI_SLICES_STEP,         /* b = A a, of n_words; results: as above */
    PCI_SLICES_ADD,          /* a to b */
    PCI_SLICES_DOT,          /* results: <a, b> */
    PCI_SLICES_COUNT_OTHERS, /* results: entries of a that are not 1 */
    PCI_SLICES_READ,         /* results: the entries of a that process `owner` has */
    PCI_SLICES_CHECK_CREATE, /* check of n_steps at once, whose number is filled in, from the words given; along: of the
                              * vectors, the same graph unless n_steps is 1 */
    PCI_SLICES_CHECK_IMAGES, /* results: w of each pair (src/certify/step_check.c) at the vertices given */
    PCI_SLICES_CHECK_FREE,
    PCI_SLICES_CHECK_DOTS, /* of a; results: pci_step_check_dots */
    PCI_SLICES_CHECK_R_DOTS, /* of a and those that were made with it; results: pci_step_check_r_dots */
    PCI_SLICES_CHECK_SHARES, /* of a; results: of each process its two dots of each pair */
    PCI_SLICES_CHECK_PRODUCT /* of a and b; results: pci_step_check_product_dots */
} pci_slices_work;

typedef struct pci_slices_call {
    pci_slices_work work;
    uint32_t a, b, check; /* numbers */
    uint32_t n_words, n_vectors;
    int owner;
    bool adds;
    uint64_t vertex, n_steps;
    const pci_parts *along;
    size_t n_given, n_results; /* words */
    const uint64_t *given;
    uint64_t *results;
} pci_slices_call;

/* Numbers of vectors that are made together are so far apart. */
enum { PCI_SLICES_STRIDE = 16 };

struct pci_parts {
    /* Cannot fail: it allocates nothing, and a process that dies ends all. moduli: of modular products, of which those of
     * pairs need prepare_pairs once. */
    void (*multiply)(pci_parts *parts, pci_parts_product product, const uint64_t *moduli,
                     const void *x, void *y);

    /* PC_ERR_MEMORY. */
    pc_status (*prepare_pairs)(pci_parts *parts, pc_context *context);

    /* The work of all processes. PC_ERR_MEMORY, PC_ERR_RANGE when there are too many vectors. */
    pc_status (*slices)(pci_parts *parts, pc_context *context, pci_slices_call *call);

    /* y = A x of integers: n_x_words words an entry of x, n_y_words of y, which hold every sum. *bits: those of
     * the largest entry of y. PC_ERR_MEMORY. */
    pc_status (*multiply_integers)(pci_parts *parts, pc_context *context, uint32_t n_x_words,
                                   uint32_t n_y_words, const uint64_t *x, uint64_t *y,
                                   uint64_t *bits);

    /* The graph with every arc reversed, in parts too. PC_ERR_MEMORY. */
    pc_status (*reverse)(pci_parts *parts, pc_context *context, const pc_graph *graph,
                         pc_graph **reverse);

    /* PC_ERR_CERTIFY when the arcs are not those that were distributed. */
    pc_status (*check)(pci_parts *parts, pc_context *context);

    void (*free)(pci_parts *parts);

    /* Whether sweeps are saved while they run: then single vectors are swept, too. NULL: they are not. */
    bool (*saves)(const pci_parts *parts);

    const struct pci_engine *
        engine; /* its sweeps send vectors along the arcs; it squares where it has the graph whole */
    int n_processes;
    const uint64_t *
        first; /* [n_processes + 1]: process r has vertices first[r] .. first[r + 1] - 1; this one is 0 */
    uint64_t n_arcs, largest_degree;
    double degree_squares; /* added up */
};

#endif

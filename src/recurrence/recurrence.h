/* A recurrence, as it was found: recurrence.c makes it, term.c uses it. */
#ifndef PCI_RECURRENCE_H
#define PCI_RECURRENCE_H

#include "pathcount_recurrence.h"
#include "src/recurrence/garner.h"

struct pc_recurrence {
    pc_context *context;
    pc_recurrence_info info;
    size_t n_linear;  /* n_initial: coefficients, of which those beyond order are 0 */
    size_t n_words;   /* of a number */
    uint64_t *number; /* [3][n_linear][n_words]: coefficients c(1).., initial terms, numerator */
    unsigned char *is_negative; /* [3][n_linear] */
    /* a(n) is below 2^(extra_bits + ceil(n / length) * length_bits). */
    uint64_t length;
    double length_bits, extra_bits;
};

/* The residues of a part, as montgomery.h represents them; of coefficients c(1) is in to[1]. */
void pci_recurrence_reduce(const pc_recurrence *recurrence, const pci_montgomery *m,
                           pc_recurrence_part part, uint64_t *to);

/* a(index), index >= n_linear > 0: *number, of *n_number words, is to be freed. PC_ERR_MEMORY,
 * PC_ERR_CANCELLED. */
pc_status pci_recurrence_exact_term(const pc_recurrence *recurrence, uint64_t index,
                                    uint64_t **number, size_t *n_number);

#endif

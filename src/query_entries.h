/* What queries for single entries, of pairs or closed, ask for: at which vertices vectors would
 * begin, and how the entries go out. */
#ifndef PCI_QUERY_ENTRIES_H
#define PCI_QUERY_ENTRIES_H

#include "src/query.h"

typedef struct pci_query_entries {
    const pci_query_job *job;
    bool is_closed;
    uint64_t n_entries;  /* asked for, of each length */
    uint64_t n_lengths;  /* that are answered */
    uint64_t n_vectors;  /* different vertices at either end: halves need a vector of each */
    uint64_t n_whole;    /* vectors that whole lengths take */
    uint64_t *vertices;  /* [n_vectors] */
    uint32_t *vector_of; /* of pairs: [n] */
} pci_query_entries;

/* What it holds is to be freed whatever the status. PC_ERR_MEMORY. */
pc_status pci_query_entries_make(const pci_query_job *job, pci_query_entries *entries);
void pci_query_entries_free(pci_query_entries *entries);

/* Delivers words[n_lengths][n_entries][n_words], put closer together, as wide as the widest, which
 * it says in *n_limbs. */
pc_status pci_query_entries_deliver(const pci_query_entries *entries, size_t n_words,
                                    uint64_t *words, uint32_t *n_limbs);

#endif

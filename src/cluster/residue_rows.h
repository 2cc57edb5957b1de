/* Residues of all moduli for some rows of a power whose moduli the processes share.
 *
 * A list of rows is gone through in rounds. Of a round each process has consecutive entries of the list, and for these
 * rows slots, one a modulus, which it fills from the planes of all processes (take) or from which they fill their planes
 * (give). A slot has up to three digits, digit_bytes apart, as the row operations of the CPU engine want them. */
#ifndef PCI_CLUSTER_RESIDUE_ROWS_H
#define PCI_CLUSTER_RESIDUE_ROWS_H

#include "src/cluster/power_share.h"

/* Rows first .. first + n - 1 of the power or, if number is not NULL, those of these numbers. */
typedef struct pci_row_list {
    uint64_t first, n;
    const uint64_t *number;
} pci_row_list;

static inline uint64_t pci_row_at(const pci_row_list *list, uint64_t i)
{
    return list->number ? list->number[i] : list->first + i;
}

typedef struct pci_residue_rows {
    pci_power_share *share;
    pci_row_list list;
    uint32_t n_slots, split; /* moduli; those below split and the others are moved apart */
    uint32_t *slot;          /* [n_slots]: where modulus i is: those of one process together */
    size_t depth;            /* bytes of a digit of a row */
    uint64_t n_a_process;    /* entries of the list that a process has in a round, at most */
    uint64_t at, n_own;      /* of the round: its first entry, and how many this process has */
    int8_t *slots;           /* [3 digits, or 1][n_slots][n_own][depth] */
    int8_t *messages;        /* from and to the planes of this process */
    int *n_sent, *sent_at, *n_taken,
        *taken_at; /* [n processes] bytes, of the planes' side and the slots' */
} pci_residue_rows;

/* Rounds for slots of the first n_slots moduli, 0 for none; *rows must be freed whatever the status. PC_ERR_MEMORY in
 * all processes. */
pc_status pci_residue_rows_create(pci_power_share *share, const pci_row_list *list,
                                  uint32_t n_slots, uint32_t split, pci_residue_rows *rows);
void pci_residue_rows_free(pci_residue_rows *rows);

/* The memory that they take in a process, and own rows of n entries of n_limbs words beside them. */
uint64_t pci_residue_rows_bytes(uint64_t n, uint32_t n_slots, uint32_t n_limbs, int n_processes);

/* Begins the round from entry at on, after one that was at entry at - pci_residue_rows_step. */
void pci_residue_rows_begin(pci_residue_rows *rows, uint64_t at);

static inline uint64_t pci_residue_rows_step(const pci_residue_rows *rows)
{
    return rows->n_a_process * (uint64_t)rows->share->all.n;
}

/* The first entry of process r in this round; of process n, the end of the round. */
uint64_t pci_residue_rows_first(const pci_residue_rows *rows, int r);

/* Slots of moduli from .. to - 1, which are all of those below split or all others, from the planes; and back. */
void pci_residue_rows_take(pci_residue_rows *rows, uint32_t from, uint32_t to);
void pci_residue_rows_give(pci_residue_rows *rows, uint32_t from, uint32_t to);

static inline size_t pci_residue_rows_digit_bytes(const pci_residue_rows *rows)
{
    return rows->n_slots * rows->n_own * rows->depth;
}

/* Where own row j of the round begins in the slots of moduli from .. to - 1. */
void pci_residue_rows_at(const pci_residue_rows *rows, uint32_t from, uint32_t to, uint64_t j,
                         int8_t **at);

#endif

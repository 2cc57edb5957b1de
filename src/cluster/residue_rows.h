/* Residues of all moduli for some rows of a power whose moduli the processes share (src/cluster/power.c).
 *
 * A list of rows is gone through in rounds. In a round each process has consecutive entries of the list, and for these
 * rows slots, one a modulus, which it fills from the planes of all processes (take) or from which they fill their planes
 * (give). A slot has up to three digits, digit_bytes apart, as the row operations of the CPU engine want them. */
#ifndef PCI_CLUSTER_RESIDUE_ROWS_H
#define PCI_CLUSTER_RESIDUE_ROWS_H

#include "src/cluster/operations.h"
#include "src/cpu/row_ops.h"

struct pci_power_share {
    pci_processes all;
    pc_context *context;
    pc_graph *graph;
    pci_moduli moduli, own; /* the list, and what this process has of it */
    pci_run *run;
    uint32_t n_moduli; /* of all processes; 0: a plain plane, which every process has */
    pci_recombination collector;
    uint32_t collector_limbs, collector_moduli; /* that it was made for; 0: none */
};

/* Moduli of all processes where a level needs n of them. */
static inline uint32_t pci_power_n_moduli(uint32_t n, int n_processes)
{
    return n && n < (uint32_t)n_processes ? (uint32_t)n_processes : n;
}

/* The number of the first n moduli that process r has. */
static inline uint32_t pci_power_n_own(uint32_t n, int r, int n_processes)
{
    return n > (uint32_t)r ? (n - (uint32_t)r - 1) / (uint32_t)n_processes + 1 : 0;
}

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
    uint64_t n_a_round;      /* the same of all processes */
    uint64_t at, n_own;      /* of the round: its first entry, and how many this process has */
    size_t digit_bytes;      /* the distance of two digits of a slot */
    int8_t *slots;           /* [3 digits, or 1][n_slots][n_own][depth] */
    int8_t *messages;        /* from and to the planes of this process */
    int *n_sent, *sent_at;   /* [n processes]: bytes, on the side of the planes */
    int *n_taken, *taken_at; /* ... and on that of the slots */
} pci_residue_rows;

/* Rounds for slots of the first n_slots moduli, 0 for none; *rows must be freed whatever the status. PC_ERR_MEMORY in
 * all processes. */
pc_status pci_residue_rows_create(pci_power_share *share, const pci_row_list *list,
                                  uint32_t n_slots, uint32_t split, pci_residue_rows *rows);
void pci_residue_rows_free(pci_residue_rows *rows);

/* The memory that they take in a process, and own rows of n entries of n_limbs words beside them. */
uint64_t pci_residue_rows_bytes(uint64_t n, uint32_t n_slots, uint32_t n_limbs, int n_processes);

/* The first entry of process r in this round; of process n, the end of the round. */
uint64_t pci_residue_rows_first(const pci_residue_rows *rows, int r);

/* Begins the round from entry `at` on. */
void pci_residue_rows_begin(pci_residue_rows *rows, uint64_t at);

/* Fills in the places of own row j of the round in the slots of moduli from .. to - 1. */
void pci_residue_rows_slots(const pci_residue_rows *rows, uint32_t from, uint32_t to, uint64_t j,
                            int8_t **at);

/* Fills the slots of moduli from .. to - 1, which are all of those below split or all others, from the planes. */
void pci_residue_rows_take(pci_residue_rows *rows, uint32_t from, uint32_t to);

/* The way back. The padding of planes stays as it is. */
void pci_residue_rows_give(pci_residue_rows *rows, uint32_t from, uint32_t to);

#endif

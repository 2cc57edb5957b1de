/* The plan of finding the recurrence of an answer, and a term of it: how many lengths, how wide, how long. */
#ifndef PCI_RECURRENCE_PLAN_H
#define PCI_RECURRENCE_PLAN_H

#include "src/plan/question.h"

typedef struct pci_recurrence_plan {
    pc_context *context;
    const pc_graph *graph;
    pc_query
        query; /* of the terms: a total, one pair, or closed paths, which are added up; or ... */
    const pci_question_kind *kind;
    bool adds_up;     /* a(n) is the sum of those of the lengths 1 to n */
    uint64_t vertex;  /* ... sums of rows or columns, of which that of this vertex is meant */
    uint64_t modulus; /* of the numbers; 0: integers */
    uint64_t prime;   /* that the recurrence is searched modulo; 0: it is that of the integers */
    int n_rounds;     /* of checks; 0: none */
    uint64_t n_dimension; /* N: the answers of N lengths make the next one */
    uint64_t n_linear;    /* L <= N, N as long as it is not found: the answers of L lengths do */
    uint64_t n_words;     /* of a number of the recurrence, about */

    /* Limits of integers: a(n) is below 2^(extra_bits + floor(n / length) * length_bits); sums of n of
     * them have log2(n) bits more. */
    uint64_t length;
    double length_bits, extra_bits;
    /* log2 of a limit of the terms that it is found from, and sums of N of them */
    double term_bits;
} pci_recurrence_plan;

/* Decides. query is as above; of it kind, paths, from, to and up_to count. PC_ERR_RANGE when it takes too many
 * operations; PC_ERR_MEMORY, PC_ERR_CANCELLED. */
pc_status pci_recurrence_plan_make(pc_context *context, const pc_graph *graph,
                                   const pc_query *query, uint64_t modulus, int n_rounds,
                                   pci_recurrence_plan *plan);

/* The same for the minimal polynomial of A, from the numbers y^T A^i x with random x and y. */
pc_status pci_polynomial_plan_make(pc_context *context, const pc_graph *graph, int n_rounds,
                                   pci_recurrence_plan *plan);
enum { PCI_RANDOM_VECTOR_BITS = 60 }; /* of an entry of x and y */

/* Words of an entry of the powers of A up to the length of its minimal polynomial. */
uint32_t pci_recurrence_short_words(const pci_recurrence_plan *plan);

/* log2 of a limit of the term of that length, of integers. */
double pci_recurrence_term_bits(const pci_recurrence_plan *plan, uint64_t length);

/* Finds n_linear modulo one prime, by as many steps of one vector as the search takes; it makes the forecasts of memory
 * those of the length. PC_ERR_MEMORY, PC_ERR_CANCELLED. */
pc_status pci_recurrence_plan_find_length(pci_recurrence_plan *plan);

/* Sets n_words, of n_linear. */
void pci_recurrence_plan_set_words(pci_recurrence_plan *plan);

/* Bytes of all numbers of the recurrence. */
double pci_recurrence_numbers_bytes(const pci_recurrence_plan *plan);

/* Limits of bytes, for L = N as long as L is not found: of the search, the graph not counted; of x^k modulo the recurrence's polynomial, with coefficients of so many
 * bits; of a term of so many bits, with its text. */
double pci_recurrence_search_bytes(const pci_recurrence_plan *plan);
double pci_recurrence_power_bytes(const pci_recurrence_plan *plan, double bits);
double pci_recurrence_term_bytes(const pci_recurrence_plan *plan, double bits);

/* N of the plan, or more where vertices are alike. */
uint64_t pci_recurrence_dimension(const pc_graph *graph, pc_path_kind paths);

/* Operations that the search takes, where the terms grow by step_bits with each length. */
double pci_recurrence_operations(const pc_graph *graph, const pc_query *query, uint64_t n_dimension,
                                 bool is_of_integers, double step_bits);

#endif

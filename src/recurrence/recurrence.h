/* A recurrence: recurrence_plan.c tells how many lengths it has, how wide it is and how long it takes; recurrence.c finds and
 * proves it, term.c uses it. */
#ifndef PCI_RECURRENCE_H
#define PCI_RECURRENCE_H

#include "pathcount_recurrence.h"
#include "src/plan/question.h"
#include "src/residues/residues.h"

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

/* ---- The recurrence ----------------------------------------------------------------------------- */

struct pc_recurrence {
    pci_recurrence_plan plan; /* without graph and query */
    pc_recurrence_info info;
    size_t n_linear;  /* n_initial: coefficients, of which those beyond order are 0 */
    size_t n_words;   /* of a number */
    uint64_t *number; /* [3][n_linear][n_words]: coefficients c(1).., initial terms, numerator */
    unsigned char *is_negative; /* [3][n_linear] */
};

/* Returns the least L such that a[i] = c[1] a[i-1] + ... + c[L] a[i-L] for all L <= i < n, and such c (Massey, 1969), all as
 * residues.h represents them. Where 2 L <= n, c is unique. c has room for n + 1 numbers, scratch for twice as many. */
size_t pci_shortest_recurrence(const pci_montgomery *m, size_t n, const uint64_t *a, uint64_t *c,
                               uint64_t *scratch);

/* Finds a(0), ..., a(n_terms - 1) modulo a prime below 2^63. */
typedef pc_status (*pci_terms_fn)(void *user, uint64_t prime, size_t n_terms, uint64_t *a);

/* Finds the recurrence of the terms. PC_ERR_CERTIFY, PC_ERR_MEMORY, PC_ERR_CANCELLED, and what find_terms
 * returns. */
pc_status pci_recurrence_find(const pci_recurrence_plan *plan, pci_terms_fn find_terms, void *user,
                              pc_recurrence **recurrence);

/* The residues of a part, as residues.h represents them; of coefficients c(1) is in to[1]. */
void pci_recurrence_reduce(const pc_recurrence *recurrence, const pci_montgomery *m,
                           pc_recurrence_part part, uint64_t *to);

/* a(index), index >= n_linear > 0: *number, of *n_number words, is to be freed. PC_ERR_MEMORY,
 * PC_ERR_CANCELLED. */
pc_status pci_recurrence_exact_term(const pc_recurrence *recurrence, uint64_t index,
                                    uint64_t **number, size_t *n_number);

/* x^index modulo the polynomial of the recurrence, n_linear > 0: (*power)[n_linear][n_words] in two's complement, modulo
 * 2^(64 n_words), from the coefficient of 1 on, to be freed. PC_ERR_MEMORY, PC_ERR_CANCELLED. */
pc_status pci_recurrence_power(const pc_recurrence *recurrence, uint64_t index, size_t n_words,
                               uint64_t **power);

/* to += factor * from, modulo 2^(64 n); factor by its sign and magnitude. */
void pci_add_multiple(uint64_t *to, const uint64_t *from, size_t n, bool is_less,
                      const uint64_t *factor, size_t n_factor);

/* Holds a(index) against the recurrence modulo random primes. PC_ERR_CERTIFY, PC_ERR_MEMORY. */
pc_status pci_recurrence_check_term(const pc_recurrence *recurrence, uint64_t index,
                                    const uint64_t *number, size_t n_number);

#endif

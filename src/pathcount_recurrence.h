/* pathcount: the linear recurrence that counts obey from length to length. The rules are those of
 * pathcount.h. */
#ifndef PATHCOUNT_RECURRENCE_H
#define PATHCOUNT_RECURRENCE_H

#include "pathcount.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The answers a(0), a(1), a(2), ... to a question, by length, obey
 *
 *     a(n) = c(1) a(n-1) + c(2) a(n-2) + ... + c(d) a(n-d)   for all n >= start + d
 *
 * with integers c(i) (Cayley and Hamilton). A recurrence has the least d of all, and the least start. Its
 * generating function is P(x) / Q(x) in lowest terms with Q = 1 - c(1) x - ... - c(d) x^d. */
typedef struct pc_recurrence pc_recurrence;

/* What a recurrence is wanted of: length, each, up_to and partition of the query are not used.
 *
 *   PC_QUERY_TOTAL, PC_QUERY_TRACE   of that number
 *   PC_QUERY_PAIRS, one pair         of that count
 *   PC_QUERY_FROM, one vertex        of the number of paths that start there
 *   PC_QUERY_TO, one vertex          of the number of paths that end there
 *
 * paths may be PC_PATHS_ALL or PC_PATHS_NON_BACKTRACKING. modulus is 0, or from 2 to 2^63-1: then all numbers are
 * residues. Modulo a prime it is the shortest recurrence of residues; modulo any other number that of the integers is
 * reduced, and a shorter one may hold.
 *
 * It takes residues of twice as many lengths as the graph has vertices, modulo as many primes as the
 * proof wants. PC_ERR_ARGUMENT; PC_ERR_RANGE when that would take more than 2^42 operations;
 * PC_ERR_CERTIFY when it fails a check modulo a random prime with terms that it was not found from;
 * PC_ERR_MEMORY, PC_ERR_CANCELLED. The context must outlive the recurrence, the graph need not. */
pc_status pc_recurrence_create(pc_context *context, const pc_graph *graph, const pc_query *query,
                               uint64_t modulus, pc_recurrence **recurrence);
void pc_recurrence_free(pc_recurrence *recurrence); /* accepts NULL */

typedef struct pc_recurrence_info {
    uint64_t order; /* d; 0: a(n) = 0 from start on */
    uint64_t start; /* the first n for which it holds is start + order */
    uint64_t
        n_initial; /* start + order: so many terms begin the sequence, and the numerator has as many */
    uint64_t modulus;  /* 0: of integers */
    int is_shortest;   /* 1: proved that there is none shorter */
    uint64_t n_terms;  /* lengths whose residues it was found from */
    uint32_t n_primes; /* modulo so many primes */
} pc_recurrence_info;

/* All zero for NULL. */
void pc_recurrence_get_info(const pc_recurrence *recurrence, pc_recurrence_info *info);

typedef enum pc_recurrence_part {
    PC_RECURRENCE_COEFFICIENT, /* number i is c(i), 1 <= i <= order */
    PC_RECURRENCE_INITIAL,     /* number i is a(i), 0 <= i < n_initial */
    PC_RECURRENCE_NUMERATOR    /* number i is that of x^i in P, 0 <= i < n_initial */
} pc_recurrence_part;

/* A number as decimal text, with "-" below 0, as pc_rows_text does. PC_ERR_ARGUMENT when there is no such
 * number. */
pc_status pc_recurrence_text(const pc_recurrence *recurrence, pc_recurrence_part part, uint64_t i,
                             char *buffer, size_t size, size_t *length);

/* Passes a(n) on, one row of one column, in about 2 n_initial^2 log2(n) operations. modulus is that of the
 * recurrence or, of one of integers, 0 or from 2 to 2^63-1. Exact terms take as many operations modulo each of as
 * many primes as the count has times 60 bits. PC_ERR_RANGE when an exact count may have 2^36 bits or more,
 * PC_ERR_CERTIFY when it fails a check modulo a random prime, PC_ERR_ARGUMENT, PC_ERR_MEMORY, PC_ERR_CANCELLED. */
pc_status pc_recurrence_term(const pc_recurrence *recurrence, uint64_t n, uint64_t modulus,
                             pc_answer_fn deliver, void *user);

/* The growth rate of a(n): the limit superior of its n-th root, which is the largest modulus of a root of
 * x^d - c(1) x^(d-1) - ... - c(d). As decimal text of n_digits digits, 1 to 18, all of them proved; the digits that
 * would follow are cut off, and *is_exact is 0, unless the rate has no more. text has room for PC_GROWTH_BYTES.
 * PC_ERR_RANGE when there is none, because all counts are 0 from some length on, and when it is 2^62 or
 * more; PC_ERR_ARGUMENT for residues; PC_ERR_MEMORY, PC_ERR_CANCELLED. */
#define PC_GROWTH_BYTES 32
pc_status pc_recurrence_growth(const pc_recurrence *recurrence, int n_digits, char *text,
                               size_t size, int *is_exact);

#ifdef __cplusplus
}
#endif

#endif

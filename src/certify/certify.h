/* Certificates (Freivalds): evidence that a matrix C is right, computed from the factors of which
 * C is the product.
 *
 * For a random 61-bit prime p and a random vector x, C x = A (A (... (A x))) mod p must hold. C x is a sum
 * of integers, and two rounds, each with a prime of its own, share it. A row that is wrong by d <> 0 has
 * <d, x> = 0 with probability 2^-81 at most: whatever the other entries of x are, no more than one of the
 * 2^81 values of an entry that d does not leave out makes it so. Else <d, x> has, of some 2^54 such primes,
 * at most 210 as factors when counts have 12,000 bits, and a prime that is drawn apart from x is one of them
 * with probability below 2^-45. So a wrong C passes one round with probability below 2^-45, and two with less
 * than 2^-80. Each block of rows is checked before it is passed on. Counts of more than 600,000 bits take more
 * rounds for that (src/plan/question.c).
 *
 * The check needs only the sparse A and the final integers, so it covers every computation in
 * between, on any engine. The caller says what C is by a map from x to C x: a power or a matrix
 * between blocks (pci_path_operator), the vectors of a query, or a chain. Doubles are not certified.
 *
 * Residues modulo M are certified modulo M itself, in place of random primes. A wrong row then passes
 * a round once in q, the least prime factor of M, so small q take more rounds. */
#ifndef PCI_CERTIFY_H
#define PCI_CERTIFY_H

#include "src/engine/engine.h"
#include "src/rows/reduction.h"
#include "src/core/context.h"
#include "graphs/partition.h"

/* What C is, as a map: y[n_rows] = C x[n_columns] modulo a prime below 2^61, or modulo any number below
 * 2^63; x and y are reduced. */
typedef struct pci_operator {
    uint64_t n_rows, n_columns;
    void *user;
    pc_status (*apply)(void *user, uint64_t prime, const uint64_t *x, uint64_t *y);

    /* The same for two vectors side by side, [n_columns][2] and [n_rows][2], each modulo a prime of 61 bits
     * of its own. NULL: apply is called for each. */
    pc_status (*apply_pair)(void *user, const uint64_t *primes, const uint64_t *x, uint64_t *y);
} pci_operator;

typedef struct pci_certificate pci_certificate;

/* Works out the right sides, with n_rounds >= 1 applications of the map, or with more where a small
 * modulus wants them. modulus 0: the counts are no residues. PC_ERR_MEMORY, and what the map returns. */
pc_status pci_certificate_create(pc_context *context, const pci_operator *map, uint64_t modulus,
                                 int n_rounds, pci_certificate **certificate);

/* The most bytes that a certificate of n_rounds rounds holds, after pci_modular_rounds; 0 of none. */
double pci_certificate_bytes(double n_rows, double n_columns, double n_rounds);

/* From now on map times the matrix of before is certified, for residues only; map has as many rows as columns.
 * Returns what map returns. */
pc_status pci_certificate_advance(pci_certificate *certificate, const pci_operator *map);
void pci_certificate_free(pci_certificate *certificate);

/* From now on its memory and messages are those of context, which has the allocator of the one before. */
void pci_certificate_adopt(pci_certificate *certificate, pc_context *context);

/* PC_ERR_CERTIFY when a row is not what it must be; integers only. */
pc_status pci_certificate_check(pci_certificate *certificate, const pc_rows *rows);

/* The vectors whose products with rows of n columns decide, for an engine that computes them where the rows
 * are: *dots in one block, to be freed by pci_free. PC_ERR_MEMORY. */
pc_status pci_certificate_dots(const pci_certificate *certificate, uint64_t n,
                               pci_dot_vector **dots, uint32_t *n_dots);

/* The check of the P of a run, n rows of n_limbs words, whose engine can aggregate. PC_ERR_CERTIFY,
 * PC_ERR_MEMORY, and what the engine returns. */
pc_status pci_certificate_check_run(const pci_certificate *certificate, const pci_engine *engine,
                                    pci_run *run, uint64_t n, uint32_t n_limbs);

/* The check of all rows, by their products with these vectors. PC_ERR_CERTIFY. */
pc_status pci_certificate_check_dots(const pci_certificate *certificate,
                                     const pci_aggregates *aggregates);

/* A certificate modulo M cannot tell x from x + M: this finds the words that are not below M.
 * PC_ERR_CERTIFY when there is one; modulus 0 means that the rows are no residues. */
pc_status pci_check_reduced(pc_context *context, uint64_t modulus, const pc_rows *rows);

/* The same from the largest entries of all rows, in both copies of records of one limb. */
pc_status pci_check_reduced_records(pc_context *context, uint64_t modulus,
                                    const pci_aggregates *aggregates);

/* n random words below limit >= 1, from the system. */
pc_status pci_random_words(pc_context *context, size_t n, uint64_t limit, uint64_t *words);

/* A random prime of 61 bits: above 2^60. */
pc_status pci_random_prime(pc_context *context, uint64_t *prime);

/* Hashes of rows that are computed twice: evidence for rows that have no certificate, which are doubles
 * and residues of few vectors. The first time only the hashes are kept; the second time the rows are used,
 * and then compared. Rows that differ in one word have different hashes; others the same once in 2^64. */

/* The hash of one row of a block: of its words, or of its doubles and their exponent. */
uint64_t pci_row_hash(const pc_rows *rows, uint64_t row);

/* hashes[rows->n_rows] */
void pci_row_hashes(pc_context *context, const pc_rows *rows, uint64_t *hashes);

/* PC_ERR_CERTIFY when a row does not have its hash. */
pc_status pci_row_hashes_check(pc_context *context, const pc_rows *rows, const uint64_t *hashes);

/* Counts of paths as a map: x -> A^length x, or x -> S A^length S^T x between blocks. */

typedef struct pci_path_operator {
    pc_context *context;
    const pc_graph *graph;         /* along whose arcs x is sent */
    const pc_partition *partition; /* NULL: none */
    uint64_t length;
    bool each;              /* the rows of every length, those of length 1 first */
    bool up_to;             /* the lengths from 1 on are added up */
    bool never_turns;       /* paths that never turn back */
    bool adds_rows;         /* one row, the sum of those of all vertices; else ... */
    uint64_t n_listed;      /* ... rows of these: */
    const uint64_t *listed; /* NULL: of all vertices */
} pci_path_operator;

/* Bytes that it holds for each vertex beside the vectors, to know what few rows want. */
enum { PCI_WANTED_BYTES = 9 };

/* The map that paths describes; paths must outlive it. An application takes length sparse
 * matrix-vector products. PC_ERR_MEMORY, PC_ERR_CANCELLED. */
pci_operator pci_path_operator_map(const pci_path_operator *paths);

#endif

/* The benchmark of the ladder: every kernel of gpu/ladder/, the products of cuBLAS and our own, on
 * the same two matrices. src/measure/ladder_rungs.h has the processor's part. measure.c verifies
 * and times one candidate; candidates.c makes the candidates.
 *
 * Each candidate is compared with one product by sums of integers, which is itself checked on the
 * host. Entries are so small that floats are exact in any order of summation. The kernels differ
 * much in speed, so each is timed alone, after a warm-up of its own. Rates count 2 n^3 - n^2
 * operations a product, also for a reduced one, so that all rows and the figures of the documents
 * can be compared. */
#ifndef PCI_GPU_BENCH_LADDER_H
#define PCI_GPU_BENCH_LADDER_H

#include "pathcount_measure.h"
#include "gpu/bench/bench.h"
#include "gpu/ladder/matrices.h"
#include "src/measure/ladder_rungs.h"

typedef struct pci_bench_ladder {
    pci_bench *bench;
    const pc_ladder_options *options;
    const pci_ladder_report *report;
    /* A and B, and a C for each candidate to write. */
    pci_ladder_product product;
    pci_ladder_matrix expected[2]; /* the right product, and the right reduced product */
    unsigned long long *n_wrong;   /* on the device */
    double library_ms, first_ms;   /* of cublas-sgemm and of GPU1; 0: not measured */
} pci_bench_ladder;

typedef enum pci_ladder_kind {
    PCI_LADDER_FLOATS,   /* C on the device */
    PCI_LADDER_DOUBLES,  /* ... as doubles without padding */
    PCI_LADDER_RESIDUES, /* ... as a plane, modulo PCI_LADDER_MODULUS */
} pci_ladder_kind;

/* A product to verify and time. */
typedef struct pci_ladder_candidate {
    pc_ladder_row row; /* describes it; times and verdict are filled in */
    pci_bench_item item;
    pci_ladder_kind kind; /* of its result */
    void *result;
    size_t result_bytes;
    bool reduced;
    char note[256];
} pci_ladder_candidate;

/* ---- measure.c ------------------------------------------------------------------------------- */

/* PCI_ENGINE_LADDER */
pc_status pci_engine_cuda_ladder(pc_context *context, const pc_ladder_options *options,
                                 const pci_ladder_report *report);

/* Makes the matrices, and checks the product that all candidates are compared with. PC_ERR_MEMORY,
 * PC_ERR_ENGINE, PC_ERR_CERTIFY. */
pc_status pci_bench_ladder_prepare(pci_bench_ladder *ladder);

/* Runs it over a result that was overwritten, compares every entry, and times it when all are
 * right. Notes what the device lacks. */
pc_status pci_ladder_measure(pci_bench_ladder *ladder, pci_ladder_candidate *candidate);

/* PC_OK when status says that the device lacks memory or something else; the candidate gets a note
 * then. Else status. */
pc_status pci_ladder_note_lack(pci_bench_ladder *ladder, pci_ladder_candidate *candidate,
                               pc_status status);

/* Passes the row on, with its rates. */
void pci_ladder_report_row(const pci_bench_ladder *ladder, const pci_ladder_candidate *candidate);

#endif

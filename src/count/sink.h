/* A sink takes answers, block by block, and hands them on: to reductions, to the callback of the
 * caller, or into a matrix that is kept. */
#ifndef PCI_SINK_H
#define PCI_SINK_H

#include "src/certify/certify.h"

typedef struct pci_sink {
    pc_context *context;
    uint64_t modulus;             /* that all words must be below; 0: rows are no residues */
    pci_certificate *certificate; /* of the rows that a source pushes now, owned; NULL: none */
    uint64_t certified_row;       /* the row of the certificate that row 0 is */
    const uint64_t *hashes; /* of the rows that a source pushes next, computed before; NULL: none */
    bool defers_check;      /* who made the sink certifies the rows, when they were used */
    pc_reduction *const
        *reductions; /* [n_reductions] that rows are added to; not when they are kept */
    uint32_t n_reductions;
    pc_answer_fn deliver; /* passes rows on, unless it is NULL; not called when they are kept */
    void *user;
    bool keeps;        /* rows are kept in result */
    pc_counts *result; /* made by pci_sink_open */
    int64_t
        *exponents; /* [n_rows] of kept doubles, whose rows have one each; NULL: all share one */
    uint64_t n_complete; /* lengths, from 1 on, of which all rows were passed on */
    bool has_delivered;  /* rows of a further length were passed on */
    uint64_t length;     /* the last length of which rows were passed on, ... */
    uint64_t n_rows;     /* ... and how many: a second try does not pass them on again */
    double seconds;      /* that reductions and deliver took */
    double certify_seconds;
} pci_sink;

/* Makes room for the result, if it is to be kept, as info tells its shape. Called when the rows are
 * about to come, so that the result is not held beside what making them needs. PC_ERR_MEMORY. */
pc_status pci_sink_open(pc_context *context, const pc_plan_info *info, pci_sink *sink);

/* Tells whether the rows themselves are wanted, and not only what they are reduced to. */
bool pci_sink_wants_rows(const pci_sink *sink);

/* Adds rows to the reductions, or copies them to their place in the result; then certifies them, so
 * that whatever happened to them before or meanwhile is found; then passes them on. PC_ERR_CERTIFY
 * when they are wrong; else whatever a reduction or deliver returns. */
pc_status pci_sink_take(pci_sink *sink, uint64_t length, const pc_rows *rows);

/* Takes aggregates of all rows in place of the rows, and certifies them then, likewise: the engine
 * took the dot products after the rest. is_wanted[n] is set to 1 for the rows that reductions want
 * to see. */
pc_status pci_sink_take_aggregates(pci_sink *sink, const pci_aggregates *aggregates,
                                   uint8_t *is_wanted);

/* Takes a row that was wanted. PC_ERR_CERTIFY. */
pc_status pci_sink_take_wanted(pci_sink *sink, const pc_rows *row);

/* Ends the certificate, when a source has pushed all of its rows. */
void pci_sink_end_certificate(pci_sink *sink);

/* Adds the times of a sink within a run to those of the run. */
void pci_sink_add_seconds(const pci_sink *sink, pc_plan_info *info);

/* Notes that all rows of a length were passed on. */
void pci_sink_complete(pci_sink *sink, uint64_t length);

/* Drops what was kept or reduced, so that another plan may begin anew. Rows that were passed on
 * stay so: each of them was certified. */
void pci_sink_reset(pci_sink *sink);

/* ---- Sums ------------------------------------------------------------------------------------ */

/* The sum of all entries of rows, made twice: two sums of the same entries, which must agree before
 * one of them leaves. */
typedef struct pci_total {
    pc_context *context;
    const char *name; /* in the message of sums that differ */
    uint64_t modulus; /* of residues, which are below 2^63; 0: integers or doubles */
    uint32_t n_limbs; /* of a sum; 0: doubles */
    uint64_t *words[2];
    double value[2]; /* in units of 2^exponent */
    int64_t exponent[2];
} pci_total;

/* The caller frees what total holds, whatever the status. PC_ERR_MEMORY. */
pc_status pci_total_create(pc_context *context, const char *name, uint64_t modulus,
                           uint32_t n_limbs, pci_total *total);
void pci_total_free(pci_total *total);

/* Adds each entry, to both sums. */
void pci_total_add(pci_total *total, const pc_rows *rows);

/* Passes the sum on, in n_limbs words or as many fewer as it needs where it is trimmed, and begins the next one.
 * PC_ERR_CERTIFY when the two sums differ; else errors of the sink. */
pc_status pci_total_deliver(pci_total *total, uint64_t length, bool is_trimmed, pci_sink *sink);

#endif
